package teststate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// loneName is the name that a state has which is given without a machine.
const loneName = "StateName"

// subject is the state under test with the machine that it is in.
type subject struct {
	definition *asl.StateMachine
	state      *asl.State
}

// load reads the definition and finds the state under test.
func load(request *Request) (*subject, error) {
	root, name := request.Root, loneName
	if root == nil {
		var problem *source.Diagnostic
		if root, problem = source.Read(request.Definition, nil); problem != nil {
			return nil, refuseDefinition([]source.Diagnostic{*problem})
		}
	}
	if request.StateName != nil {
		name = *request.StateName
	} else {
		root = machineAround(root)
	}
	s := &subject{}
	var diagnostics []source.Diagnostic
	if s.definition, diagnostics = asl.ParseTree(request.Definition, root); s.definition == nil {
		return nil, refuseDefinition(diagnostics)
	}
	if s.state = stateNamed(s.definition, name); s.state == nil {
		return nil, refuse("State not found in definition")
	}
	return s, nil
}

// compile makes the machine ready to run.
func (s *subject) compile() (*engine.Machine, error) { return engine.Compile(s.definition, engine.AWS) }

// stateNamed returns the state of that name, in whichever scope.
func stateNamed(definition *asl.StateMachine, name string) *asl.State {
	for state := range definition.All() {
		if state.Name == name {
			return state
		}
	}
	return nil
}

// iterated reports whether a state is in a Map state of the scope, at any depth.
func iterated(scope *asl.Scope, state *asl.State) bool {
	for _, s := range scope.States {
		if s.Processor != nil && (inScope(s.Processor, state.Name) || iterated(s.Processor, state)) {
			return true
		}
		for _, branch := range s.Branches {
			if iterated(branch, state) {
				return true
			}
		}
	}
	return false
}

// machineAround makes a machine around a lone state: wherever the state leads, there is a state that ends. The part
// around it has no place in the text. A value that isn't an object stays as it is.
func machineAround(state *source.Node) (machine *source.Node) {
	object, isObject := state.Value.(*value.Object)
	if !isObject {
		return state
	}
	states := []source.NodeMember{{Key: loneName, Node: state}}
	seen := map[string]bool{loneName: true}
	for _, target := range targets(object) {
		if !seen[target] {
			seen[target] = true
			end := source.NewObject([]source.NodeMember{{Key: "Type", Node: source.NewString("Succeed", source.Span{})}}, source.Span{})
			states = append(states, source.NodeMember{Key: target, Node: end})
		}
	}
	return source.NewObject([]source.NodeMember{
		{Key: "StartAt", Node: source.NewString(loneName, source.Span{})},
		{Key: "States", Node: source.NewObject(states, source.Span{})},
	}, source.Span{})
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

// refuseDefinition is the refusal of a definition with errors.
func refuseDefinition(diagnostics []source.Diagnostic) *Refusal {
	refusal := &Refusal{Name: invalidDefinition}
	var problems []string
	// Problems of the machine around a lone state follow from the state's.
	placed := func(d source.Diagnostic) bool { return d.Span.Start.Line > 0 }
	inside := slices.ContainsFunc(diagnostics, placed)
	for _, d := range diagnostics {
		if d.Severity != source.Error || (inside && !placed(d)) {
			continue
		}
		problems = append(problems, serviceWords(&d))
		refusal.Diagnostics = append(refusal.Diagnostics, d)
	}
	refusal.Message = "Invalid State Machine Definition: '" + strings.Join(problems, ", ") + "'"
	return refusal
}

// serviceWords returns the service's message for a definition's problem, where it is known.
func serviceWords(d *source.Diagnostic) string {
	code, message := "SCHEMA_VALIDATION_FAILED", d.Message
	switch d.Rule {
	case source.RuleMalformed, source.RuleMalformedYAML:
		code = "INVALID_JSON_DESCRIPTION"
	case "transition-target-not-found", "start-at-not-found", "transition-leaves-scope":
		code = "MISSING_TRANSITION_TARGET"
	case rules.JSONata, rules.UnsupportedJSONata:
		if d.Service.Message != "" {
			code, message = rules.Codes()[d.Rule], d.Service.Message
		}
	case "empty-array", "empty-object":
		message = "Value cannot be empty"
	case "not-in-enum":
		if strings.HasSuffix(d.Pointer, "/Type") {
			message = "The field 'Type' should have one of these values: [Task, Wait, Pass, Succeed, Fail, Choice, Parallel, Map]"
		}
	}
	pointer := cmp.Or(d.Pointer, "/")
	return fmt.Sprintf("%s: %s at %s", code, message, pointer)
}
