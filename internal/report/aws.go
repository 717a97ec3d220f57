package report

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// AWS writes the reply of ValidateStateMachineDefinition, one object for each file: with the service's own words where
// they are known, else with ours. Definitions that the service refuses although the language allows them give an ERROR here. Hints are left
// out: the service has none.
func AWS(w io.Writer, files []File, o Options) error {
	for i := range files {
		if err := write(w, Reply(&files[i], o)); err != nil {
			return err
		}
	}
	return nil
}

// Reply is the service's reply to one file.
func Reply(f *File, o Options) value.Value {
	codes := rules.Codes()
	var list []value.Value
	result := "OK"
	seen := make(map[string]bool)
	for i := range f.Problems {
		d := &f.Problems[i]
		if d.Severity == source.Hint {
			continue
		}
		message, severity := d.Message, "WARNING"
		location := d.Pointer
		if d.Service.Message != "" {
			message = d.Service.Message
		}
		if d.Service.Location != "" {
			location = d.Service.Location
		}
		if location == "" {
			location = "/"
		}
		code := codes[d.Rule]
		if d.Severity == source.Error || d.Service.Message != "" {
			severity, result = "ERROR", "FAIL"
			if d.Severity != source.Error {
				code = rules.CodeSchema
			}
		}
		if d.Service.Message != "" {
			message = together(f.Problems, d, message)
		}
		members := []value.Member{
			member("severity", value.String(severity)), member("code", value.String(code)),
			member("message", value.String(message)), member("location", value.String(location)),
		}
		if d.Rule == source.RuleMalformed || d.Rule == rules.Type && d.Pointer == "" {
			members = noObject(f.Source, d)
		}
		// Two fields of one template, or two that are missing, are one problem to the service.
		if key := code + message + location; !seen[key] {
			seen[key] = true
			list = append(list, value.NewObject(members))
		}
	}
	truncated := o.Max > 0 && len(list) > o.Max
	if truncated {
		list = list[:o.Max]
	}
	return value.ObjectOf(
		member("result", value.String(result)), member("diagnostics", value.NewArray(list)), member("truncated", value.Bool(truncated)),
	)
}

var requiredFields = regexp.MustCompile(`^These fields are required: \[(.*)\]$`)

// together puts the missing fields of one object into one message, as the service does.
func together(problems []source.Diagnostic, d *source.Diagnostic, message string) string {
	if requiredFields.FindStringSubmatch(message) == nil {
		return message
	}
	var fields []string
	for i := range problems {
		if problems[i].Pointer == d.Pointer {
			if m := requiredFields.FindStringSubmatch(problems[i].Service.Message); m != nil {
				fields = append(fields, m[1])
			}
		}
	}
	return "These fields are required: [" + strings.Join(fields, ", ") + "]"
}

// word returns one token of the service's reader.
var word = regexp.MustCompile(`^[A-Za-z0-9_$]+`)

// noObject returns the service's message for a text that is no JSON object. To the service every text is JSON.
func noObject(f *source.File, d *source.Diagnostic) []value.Member {
	if _, problem := source.ReadJSON(f.Data); problem != nil && d.Rule == rules.Type {
		d = problem
	}
	if len(bytes.TrimSpace(f.Data)) == 0 || d.Rule == rules.Type {
		return []value.Member{
			member("severity", value.String("ERROR")), member("code", value.String(rules.CodeSchema)),
			member("message", value.String("Definition must be a valid JSON object")),
		}
	}
	const most = 500 // of the text that is repeated
	text := string(f.Data)
	at := d.Span.Start
	message := d.Message
	for at.Offset > 0 && at.Offset <= len(text) && word.MatchString(text[at.Offset-1:at.Offset]) { // from inside of a word to its beginning
		at.Offset--
		at.Col--
	}
	if token := word.FindString(text[min(at.Offset, len(text)):]); token != "" {
		message = "Unrecognized token '" + token + "': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
		at.Col += len(token)
	}
	if len(text) > most {
		text = text[:most] + fmt.Sprintf("[truncated %d chars]", len(text)-most)
	}
	location := fmt.Sprintf("[Source: (String)\"%s\"; line: %d, column: %d]", text, at.Line, at.Col)
	return []value.Member{
		member("severity", value.String("ERROR")), member("code", value.String(rules.CodeJSON)),
		member("message", value.String(message+"\n at "+location)), member("location", value.String(location)),
	}
}
