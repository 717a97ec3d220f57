package lint

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/rules"
	"asldb/engine/source"
)

// damageOf returns the parts of a machine that its errors leave unknown.
func damageOf(machine *asl.StateMachine, problems []source.Diagnostic) flow.Damage {
	d := flow.Damage{States: make(map[*asl.State]bool), Scopes: make(map[*asl.Scope]bool)}
	states, scopes := make(map[string]*asl.State), make(map[string]*asl.Scope)
	scopes[""] = machine.Top
	for s := range machine.All() {
		states[s.Pointer] = s
		if scopes[scopePointer(s)] == nil {
			scopes[scopePointer(s)] = s.Scope
		}
		if s.Node == nil || s.Type == 0 {
			d.States[s], d.Scopes[s.Scope] = true, true
		}
		for _, l := range s.Lost() {
			if s.Scope.Meant(l.Name) == nil {
				d.Scopes[s.Scope] = true
			}
		}
	}
	for p := range source.WithImplied(problems) {
		switch {
		case p.Severity != source.Error, p.Rule == rules.Target, p.Rule == rules.Unreachable, p.Rule == rules.NoTerminal,
			p.Rule == rules.TemplateValue, p.Rule == rules.JSONata: // a leaf, which alone is unknown
			continue
		}
		s, field := stateOf(states, p.Pointer)
		if s == nil {
			if scope := scopes[strings.TrimSuffix(p.Pointer, "/StartAt")]; scope != nil && scope.Meant(scope.StartAt) == nil {
				d.Scopes[scope] = true
			}
			continue
		}
		d.States[s] = true
		if leads(p, s, field) {
			d.Scopes[s.Scope] = true
		}
	}
	return d
}

// scopePointer returns the pointer of the object that has the state's States.
func scopePointer(s *asl.State) string {
	at := strings.LastIndex(s.Pointer, "/States/")
	if at < 0 {
		return s.Pointer
	}
	return s.Pointer[:at]
}

// stateOf returns the innermost state at a pointer, with the rest of the pointer; nil where it is outside of all
// states.
func stateOf(states map[string]*asl.State, pointer string) (s *asl.State, rest string) {
	for at := pointer; ; {
		if s := states[at]; s != nil {
			rest = pointer[len(at):]
			if strings.HasSuffix(rest, "/StartAt") && strings.Count(rest, "/") > 1 { // of a branch or processor
				return nil, ""
			}
			return s, rest
		}
		slash := strings.LastIndexByte(at, '/')
		if slash < 0 {
			return nil, ""
		}
		at = at[:slash]
	}
}

// leads reports whether an error in a state leaves unknown where it leads.
func leads(p *source.Diagnostic, s *asl.State, field string) bool {
	switch p.Rule {
	case rules.MissingTransition, rules.LeavesScope, rules.DuplicateState, rules.DuplicateKey:
		return true
	}
	if p.Fix != nil && transitions[p.Fix.To] {
		return true
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(field, "/"), "/")
	return s.Type == asl.Choice || transitions[first]
}

// transitions are the fields with the transitions of states. The table is never changed.
var transitions = map[string]bool{"Next": true, "Default": true, "Choices": true, "Catch": true, "End": true, "Type": true}
