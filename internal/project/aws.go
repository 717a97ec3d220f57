package project

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// AWS writes the reply of ValidateStateMachineDefinition, one object for each machine: with the service's own words
// where they are known, else with ours. Definitions that the service refuses although the language allows them give an
// ERROR here. Warnings that only asldb has are written where the options say so, hints never.
func AWS(w io.Writer, machines []Checked, o Options) error {
	for i := range machines {
		if _, err := w.Write(wording.JSON([]byte(value.Pretty(Reply(&machines[i], o)) + "\n"))); err != nil {
			return err
		}
	}
	return nil
}

// Refused reports whether the service refuses the definition.
func (m *Checked) Refused() bool {
	return Reply(m, Options{}).(*value.Object).Get("result") != value.Value(value.String("OK"))
}

// maxReply is the greatest number of diagnostics of one reply.
const maxReply = 100

// Reply is the service's reply to one machine.
func Reply(m *Checked, o Options) value.Value {
	r := &replier{machine: m, own: o.Own, codes: rules.Codes()}
	r.diagnostics()
	r.placeholders(m.Root, "")
	slices.SortStableFunc(r.list, func(a, b serviceProblem) int {
		if c := cmp.Compare(a.phase, b.phase); c != 0 {
			return c
		}
		return cmp.Compare(a.at, b.at)
	})
	result := "OK"
	var list []value.Value
	seen := make(map[string]bool)
	for i := range r.list {
		s := &r.list[i]
		if s.severity == severityError {
			result = "FAIL"
		}
		// Two fields of one template, or two that are missing, are one problem to the service.
		if key := s.code + s.message + s.location; !seen[key] {
			seen[key] = true
			list = append(list, s.value())
		}
	}
	most := maxReply
	if o.Max > 0 {
		most = min(o.Max, maxReply)
	}
	truncated := len(list) > most
	if truncated {
		list = list[:most]
	}
	return value.ObjectOf(
		value.M("result", value.String(result)), value.M("diagnostics", value.NewArray(list)), value.M("truncated", value.Bool(truncated)),
	)
}

// The severities of the service.
const (
	severityError   = "ERROR"
	severityWarning = "WARNING"
)

// phase is the order of the service's checks, measured only in part: transitions before the missing end, an
// unknown StartAt before the unreachable states, and the machine's QueryLanguage before the fields of states.
type phase uint8

const (
	phaseMachine phase = iota // the machine's QueryLanguage
	phaseFields
	phaseTargets
	phaseEnd // no terminal state, or unreachable states
)

// serviceProblem is a diagnostic of the service.
type serviceProblem struct {
	severity, code, message, location string
	phase                             phase
	at                                int  // the offset of the place that it names
	own                               bool // the message is in asldb's words: the service's are not known
}

func (s *serviceProblem) value() value.Value {
	members := []value.Member{
		value.M("severity", value.String(s.severity)), value.M("code", value.String(s.code)), value.M("message", value.String(s.message)),
	}
	if s.location != "" {
		members = append(members, value.M("location", value.String(s.location)))
	}
	words := wordsOfService
	if s.own {
		words = wordsOfOwn
	}
	return value.NewObject(append(members, value.M("wording", value.String(words))))
}

// replier makes the service's diagnostics of asldb's.
type replier struct {
	machine *Checked
	own     bool
	codes   map[string]string
	// endless: there is no terminal state, and the service looks for unreachable states no more.
	endless bool
	list    []serviceProblem
}

// diagnostics adds those that asldb has too.
func (r *replier) diagnostics() {
	for d := range source.WithImplied(r.machine.Problems) {
		r.endless = r.endless || d.Rule == rules.NoTerminal
	}
	for d := range source.WithImplied(r.machine.Problems) {
		switch {
		case d.Severity == source.Hint || d.Service.Silent:
		case d.Rule == rules.Unreachable && r.endless:
		case d.Severity == source.Warning && d.Service.Message == "" && !d.Refused() && !r.own:
		case d.Rule == source.RuleMalformed || d.Rule == rules.Type && d.Pointer == "":
			r.list = append(r.list, noObject(cmp.Or(d.File, r.machine.Given), d))
		default:
			r.list = append(r.list, r.serviceProblem(d))
		}
	}
}

// placeholders adds the integrations whose names have a ${Name}: the service refuses them as they are written. at is
// the place of the object that has the states.
func (r *replier) placeholders(scope *source.Node, at string) {
	states := scope.Get("States")
	if states == nil {
		return
	}
	for i := range states.Members {
		s, at := states.Members[i].Node, at+"/States/"+states.Members[i].Key
		if n := s.Get("Resource"); n != nil && n.IsText() && !n.Unknown {
			text := string(n.Value.(value.String))
			if _, name, _ := strings.Cut(text, ":states:::"); strings.Contains(name, "${") {
				r.list = append(r.list, serviceProblem{
					severity: severityError, code: rules.CodeSchema, message: "the name of an integration must not have a placeholder: " + text,
					location: at + "/Resource", phase: phaseFields, at: n.Span.Start.Offset, own: true,
				})
			}
		}
		r.placeholders(s.Get("ItemProcessor"), at+"/ItemProcessor")
		r.placeholders(s.Get("Iterator"), at+"/Iterator")
		if branches := s.Get("Branches"); branches != nil {
			for i, branch := range branches.Items {
				r.placeholders(branch, fmt.Sprintf("%s/Branches[%d]", at, i))
			}
		}
	}
}

// serviceProblem returns a problem in the service's words.
func (r *replier) serviceProblem(d *source.Diagnostic) serviceProblem {
	s := serviceProblem{
		severity: severityWarning, code: codeOf(d, r.codes), message: d.Message, phase: phaseFields, own: true,
	}
	if d.Refused() {
		s.severity = severityError
	}
	if d.Service.Message != "" {
		s.message, s.own = together(r.machine.Problems, d, d.Service.Message), d.Service.Warning // not of warnings
	}
	pointer := d.Pointer
	if d.Service.Location != "" {
		pointer = d.Service.Location
	}
	s.location, s.at = r.place(pointer, d.Span.Start.Offset)
	if d.Service.Nowhere {
		s.location = ""
	}
	switch {
	case s.location == "/QueryLanguage":
		s.phase = phaseMachine
	case d.Rule == rules.Target || d.Rule == rules.LeavesScope || d.Rule == rules.StartAt:
		s.phase = phaseTargets
	case d.Rule == rules.Unreachable || d.Rule == rules.NoTerminal:
		s.phase = phaseEnd
	}
	return s
}

// codeOf returns the service's code of a problem: its rule's, where the rule isn't a warning or the problem is not
// refused.
func codeOf(d *source.Diagnostic, codes map[string]string) string {
	if d.Service.Code != "" {
		return d.Service.Code
	}
	if rule, found := rules.Find(d.Rule); found && rule.Severity != source.Error && d.Refused() {
		return rules.CodeSchema
	}
	return codes[d.Rule]
}

// place returns a JSON Pointer as the service writes it, with the names as they are and indexes in brackets, and the
// offset of the value.
func (r *replier) place(pointer string, offset int) (location string, at int) {
	n := r.machine.Root
	if pointer == "" || pointer == "/" || n == nil {
		return cmp.Or(pointer, "/"), offset
	}
	for segment := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		name := value.UnescapePointer(segment)
		inArray := n != nil && n.Kind == value.KindArray
		if n != nil {
			_, n = n.Find("/" + segment)
		}
		if inArray {
			location += "[" + name + "]"
		} else {
			location += "/" + name
		}
	}
	if n != nil {
		offset = n.Span.Start.Offset
	}
	return location, offset
}

var requiredFields = wording.Pattern(`^These fields are required: \[(.*)\]$`)

// together puts the missing fields of one object into one message, as the service does.
func together(problems []source.Diagnostic, d *source.Diagnostic, message string) string {
	if requiredFields().FindStringSubmatch(message) == nil {
		return message
	}
	var fields []string
	for other := range source.WithImplied(problems) {
		if other.Pointer == d.Pointer {
			if m := requiredFields().FindStringSubmatch(other.Service.Message); m != nil {
				fields = append(fields, m[1])
			}
		}
	}
	return "These fields are required: [" + strings.Join(fields, ", ") + "]"
}

// word returns one token of the service's reader.
var word = wording.Pattern(`^[A-Za-z0-9_$]+`)

// noObject returns the service's message for a text that isn't a JSON object. To the service every text is JSON.
func noObject(f *source.File, d *source.Diagnostic) serviceProblem {
	if _, problem := source.ReadJSON(f.Data); problem != nil && d.Rule == rules.Type {
		d = problem
	}
	if string(bytes.TrimSpace(f.Data)) == "null" {
		return serviceProblem{
			severity: severityError, code: rules.CodeMissing, message: "the definition is null", own: true,
		}
	}
	if len(bytes.TrimSpace(f.Data)) == 0 || d.Rule == rules.Type {
		return serviceProblem{
			severity: severityError, code: rules.CodeSchema, message: "Definition must be a valid JSON object",
		}
	}
	const most = 500 // of the text that is repeated
	text := string(f.Data)
	at := d.Span.Start
	message, own := d.Message, true
	for at.Offset > 0 && at.Offset <= len(text) && word().MatchString(text[at.Offset-1:at.Offset]) { // from inside of a word to its beginning
		at.Offset--
		at.Col--
	}
	if token := word().FindString(text[min(at.Offset, len(text)):]); token != "" {
		own = false
		message = "Unrecognized token '" + token + "': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
		at.Col += len(token)
	}
	if len(text) > most {
		text = text[:most] + fmt.Sprintf("[truncated %d chars]", len(text)-most)
	}
	location := fmt.Sprintf("[Source: (String)\"%s\"; line: %d, column: %d]", text, at.Line, at.Col)
	return serviceProblem{
		severity: severityError, code: rules.CodeJSON, message: message + "\n at " + location, location: location,
		own: own,
	}
}
