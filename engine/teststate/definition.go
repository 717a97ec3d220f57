package teststate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/value"
)

// loneName is the name that a state has which is given without a machine.
const loneName = "StateName"

// subject is the state under test with the machine that it is in.
type subject struct {
	definition *asl.StateMachine
	state      *asl.State
	shift      int // the length of what was put before the text of a lone state
}

// load reads the definition and finds the state under test.
func load(request *Request) (*subject, error) {
	s := &subject{}
	source, name := request.Definition, loneName
	if request.StateName != nil {
		name = *request.StateName
	} else {
		source, s.shift = wrap(request.Definition)
	}
	var diagnostics []asl.Diagnostic
	if s.definition, diagnostics = asl.Parse(source); s.definition == nil {
		return nil, refuseDefinition(diagnostics, s.shift)
	}
	if s.state = stateNamed(s.definition, name); s.state == nil {
		return nil, refuse("State not found in definition")
	}
	return s, nil
}

// compile makes the machine ready to run.
func (s *subject) compile() (*engine.Machine, error) {
	machine, err := engine.Compile(s.definition, engine.AWS)
	var unsupported *engine.UnsupportedError
	if s.shift > 0 && errors.As(err, &unsupported) {
		moved := *unsupported
		moved.Span = asl.Span{Start: shifted(moved.Span.Start, s.shift), End: shifted(moved.Span.End, s.shift)}
		return nil, &moved
	}
	return machine, err
}

// stateNamed returns the state of that name, in whichever scope.
func stateNamed(definition *asl.StateMachine, name string) *asl.State {
	for state := range definition.All() {
		if state.Name == name {
			return state
		}
	}
	return nil
}

// wrapperHead stands before a lone state. The newline keeps the columns of the state's own text.
const wrapperHead = `{"StartAt":"` + loneName + `","States":{"` + loneName + "\":\n"

// wrap makes a machine around a lone state: wherever the state leads, there is a state that ends. It
// returns the length of what it has put before the state. What is no JSON object it leaves as it is.
func wrap(source *asl.Source) (machine *asl.Source, shift int) {
	text := bytes.TrimPrefix(source.Data, []byte("\xef\xbb\xbf"))
	state, err := value.Parse(text, value.Limits{})
	object, isObject := state.(*value.Object)
	if err != nil || !isObject {
		return source, 0
	}
	var b bytes.Buffer
	b.WriteString(wrapperHead)
	b.Write(text)
	seen := map[string]bool{loneName: true}
	for _, target := range targets(object) {
		if !seen[target] {
			seen[target] = true
			b.WriteByte(',')
			b.Write(value.AppendQuoted(nil, target))
			b.WriteString(`:{"Type":"Succeed"}`)
		}
	}
	b.WriteString("}}")
	return &asl.Source{Name: source.Name, Data: b.Bytes()}, len(wrapperHead)
}

// targets lists the names of the states that a state leads to.
func targets(state *value.Object) []string {
	var names []string
	add := func(object *value.Object, field string) {
		if name, ok := object.Get(field).(value.String); ok {
			names = append(names, string(name))
		}
	}
	add(state, "Next")
	add(state, "Default")
	for _, field := range []string{"Choices", "Catch"} {
		list, _ := state.Get(field).(*value.Array)
		if list == nil {
			continue
		}
		for _, item := range list.All() {
			if object, ok := item.(*value.Object); ok {
				add(object, "Next")
			}
		}
	}
	return names
}

// refuseDefinition is the refusal of a definition with errors. shift is the length of what stands before
// the text that was given.
func refuseDefinition(diagnostics []asl.Diagnostic, shift int) *Refusal {
	refusal := &Refusal{Name: invalidDefinition}
	var said []string
	// What is wrong with the machine around a lone state follows from what is wrong with the state.
	inside := slices.ContainsFunc(diagnostics, func(d asl.Diagnostic) bool { return d.Span.Start.Offset >= shift })
	for _, d := range diagnostics {
		if d.Severity != asl.Error || (inside && d.Span.Start.Offset < shift) {
			continue
		}
		said = append(said, serviceWords(&d))
		if shift > 0 {
			d.Span.Start, d.Span.End = shifted(d.Span.Start, shift), shifted(d.Span.End, shift)
		}
		refusal.Diagnostics = append(refusal.Diagnostics, d)
	}
	refusal.Message = "Invalid State Machine Definition: '" + strings.Join(said, ", ") + "'"
	return refusal
}

// shifted moves a position to where it is in the text of the lone state.
func shifted(at asl.Position, shift int) asl.Position {
	return asl.Position{Offset: at.Offset - shift, Line: at.Line - 1, Col: at.Col}
}

// serviceWords says what is wrong with a definition as the service does, where its words are known.
func serviceWords(d *asl.Diagnostic) string {
	code, message := "SCHEMA_VALIDATION_FAILED", d.Message
	switch d.Rule {
	case "malformed-json":
		code = "INVALID_JSON_DESCRIPTION"
	case "transition-target-not-found", "start-at-not-found", "transition-leaves-scope":
		code = "MISSING_TRANSITION_TARGET"
	case "empty-array", "empty-object":
		message = "Value cannot be empty"
	case "not-in-enum":
		if strings.HasSuffix(d.Pointer, "/Type") {
			message = "The field 'Type' should have one of these values: [Task, Wait, Pass, Succeed, Fail, Choice, Parallel, Map]"
		}
	}
	pointer := d.Pointer
	if pointer == "" {
		pointer = "/"
	}
	return fmt.Sprintf("%s: %s at %s", code, message, pointer)
}
