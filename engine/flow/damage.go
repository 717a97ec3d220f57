package flow

import "asldb/engine/asl"

// Damage are the parts of a definition that its errors leave unknown. The zero Damage means a definition without
// errors.
type Damage struct {
	// States have errors: what they make of their data is unknown, and nothing is reported of them.
	States map[*asl.State]bool
	// Scopes have unknown transitions: each of their states may be entered from elsewhere.
	Scopes map[*asl.Scope]bool
}

// damaged computes a state with errors: unknown data go along all its edges, and into the scopes in it.
func (v *visit) damaged() {
	s := v.state
	v.went = true
	variables := v.is[asl.RegisterVariables]
	for name := range s.Assigned() {
		variables = v.space.Set(variables, []string{name}, nil)
	}
	for _, e := range s.Edges() {
		v.ways = append(v.ways, way{e.To, nil, variables})
	}
	for _, l := range s.Lost() {
		if next := s.Scope.Meant(l.Name); next != nil {
			v.ways = append(v.ways, way{next, nil, variables})
		}
	}
	if v.done {
		return
	}
	if s.Terminal() {
		v.exit(s.Scope, nil)
	}
	for _, scope := range append([]*asl.Scope{s.Processor}, s.Branches...) {
		if scope == nil {
			continue
		}
		if first := scope.Meant(scope.StartAt); first != nil {
			v.enter(first, nil, variables)
		}
	}
}

// open enters every state of scopes with unknown transitions, with unknown data.
func (p *pass) open(machine *asl.StateMachine) {
	for s := range machine.All() {
		if p.options.Damage.Scopes[s.Scope] {
			p.enter(s, nil, nil)
		}
	}
}
