package lint

import (
	"strings"
	"testing"

	"asldb/engine/rules"
	"asldb/engine/source"
)

// find returns every problem of a text.
func find(text string, o Options) (*source.File, []source.Diagnostic) {
	src := &source.File{Name: "t.json", Data: []byte(text)}
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		src.Name = "t.yaml"
	}
	root, problem := source.Read(src, nil)
	if problem != nil {
		return src, []source.Diagnostic{*problem}
	}
	return src, All(src, root, o)
}

func formatAll(src *source.File, problems []source.Diagnostic) string {
	var out strings.Builder
	for _, d := range problems {
		out.WriteString(d.Format() + "\n")
	}
	return out.String()
}

// TestExamples holds every rule of the catalogue to its own examples: the wrong one has the problem, in the severity
// that is reported, and the corrected one has no problem at all.
func TestExamples(t *testing.T) {
	// These need more than a definition.
	apart := map[string]bool{
		source.RuleTooLarge: true, rules.NotFollowed: true, rules.UnresolvedSubstitution: true, rules.UnresolvedReference: true, rules.DefinitionNotFound: true,
		rules.MissingSubstitution: true, rules.UnknownReference: true, rules.ShortTimeout: true, // of templates
		rules.NestedInput: true,
	}
	for r := range rules.All() {
		if r.Summary == "" || r.Explanation == "" || r.Section == "" {
			t.Errorf("%s: not explained", r.Name)
		}
		if apart[r.Name] || r.Name == rules.UnusedIgnore || r.Name == rules.InvalidIgnore { // internal/project has the test of ignores
			continue
		}
		options := Options{Hints: r.Severity == source.Hint, Express: r.Express}
		src, problems := find(r.Wrong, options)
		found := false
		for _, d := range problems {
			found = found || d.Rule == r.Name
		}
		if !found {
			t.Errorf("%s: the wrong example does not have it:\n%s\n%s", r.Name, r.Wrong, formatAll(src, problems))
		}
		_, problems = find(r.Right, options)
		for _, d := range problems {
			if d.Rule == r.Name || d.Severity != source.Hint {
				t.Errorf("%s: the right example:\n%s\n%s", r.Name, r.Right, d.Format())
			}
		}
	}
}

// TestLabels: each problem of the examples has a place of its own, within one line, and not a whole object where a
// field or a text of it is wrong.
func TestLabels(t *testing.T) {
	whole := map[string]bool{ // about what an object lacks, or about all of it
		rules.MissingField: true, rules.MissingTransition: true, rules.UnreachableHandler: true, rules.DeadRule: true,
		rules.LostInput: true,
	}
	for r := range rules.All() {
		options := Options{Hints: true, Express: r.Express}
		src, problems := find(r.Wrong, options)
		seen := make(map[string]bool)
		for _, d := range problems {
			at, text := d.Span, string(src.Data)
			place := d.Rule + d.Where() + d.Message
			if seen[place] {
				t.Errorf("%s: twice: %s", r.Name, d.Format())
			}
			seen[place] = true
			if at.Start.Line == 0 || at.Start.Offset > at.End.Offset || at.End.Offset > len(text) {
				t.Errorf("%s: no place: %s", r.Name, d.Format())
				continue
			}
			if marked := text[at.Start.Offset:at.End.Offset]; strings.ContainsAny(marked, "\n") ||
				!whole[d.Rule] && strings.HasPrefix(marked, "{") && strings.Contains(marked, ":") {
				t.Errorf("%s marks too much: %q\n%s", r.Name, marked, d.Format())
			}
		}
	}
}

// TestNarrowLabels: a part of a text that is wrong is marked, and not the text.
func TestNarrowLabels(t *testing.T) {
	for field, want := range map[string]string{
		`"Resource": "arn:aws:states:::aws-sdk:s3:getObjet"`:                          "getObjet",
		`"Resource": "arn:aws:states:::aws-sdk:dynamodbb:getItem"`:                    "dynamodbb",
		`"Resource": "arn:aws:states:::dynamodb:getItm"`:                              "getItm",
		`"Resource": "arn:aws:states:::sqs:sendMessage.sync"`:                         ".sync",
		`"Resource": "arn:aws:states:::states:x", "Output": "{% 'a' + $x.b %}"`:       "'a'",
		`"Resource": "arn:aws:states:::states:x", "Output": "{% 1 - (2 & \"b\") %}"`:  `(2 & \"b\")`,
		`"Resource": "arn:aws:states:::states:x", "Output": "{% $uppercase(12) %}"`:   "12",
		`"Resource": "arn:aws:states:::states:x", "Output": "{% $uppercase(1, 2) %}"`: "$uppercase(1, 2)",
	} {
		src, problems := find(`{"StartAt": "A", "QueryLanguage": "JSONata", "States": {"A": {"Type": "Task",
			"Arguments": {}, "End": true, `+field+`}}}`, Options{})
		found := false
		for _, d := range problems {
			found = found || string(src.Data[d.Span.Start.Offset:d.Span.End.Offset]) == want
		}
		if !found {
			t.Errorf("%s: %q is not marked:\n%s", field, want, formatAll(src, problems))
		}
	}
}
