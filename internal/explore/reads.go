package explore

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/flow"
)

// reads are what decides how a run continues in a state: the parts of its data, and what else differs between runs.
type reads struct {
	flow.Own
	writes        []string // members of its data
	input         bool     // the execution's input, in the context object
	random, timed bool
}

// readers knows the reads of the states of a machine.
type readers struct {
	of       *flow.Demander
	requests bool // the outcome of a task may depend on its request
	known    map[*asl.State]*reads
}

// state returns what a state reads.
func (r *readers) state(s *asl.State) *reads {
	if known := r.known[s]; known != nil {
		return known
	}
	of := &reads{Own: r.of.Own(s, r.requests)}
	f := asl.FlowOf(s, false) // with all that a dialect may read
	for _, m := range f.Moves() {
		of.move(m)
	}
	for _, scope := range f.Children {
		for _, inner := range scope.States {
			in := r.state(inner)
			of.input, of.random, of.timed = of.input || in.input, of.random || in.random, of.timed || in.timed
		}
	}
	r.known[s] = of
	return of
}

// move notes what a move and its parts read beside the data, and the member that it writes.
func (r *reads) move(m *asl.Move) {
	if m.Kind == asl.MovePut && m.To.Path != nil {
		r.writes = append(r.writes, m.To.Path.Segment(0).Name)
	}
	for _, from := range m.From {
		r.context(from)
	}
	if m.Intrinsic != nil {
		name := m.Intrinsic.Function()
		r.random = r.random || name == "States.MathRandom" || name == "States.UUID"
	}
	if m.Expression != nil {
		text := m.Expression.String()
		for _, name := range []string{"$random", "$uuid", "$now", "$millis", "$shuffle", "$eval"} {
			r.random = r.random || strings.Contains(text, name)
		}
	}
	parts := m.Parts()
	for i := range parts {
		r.move(&parts[i])
	}
}

// context notes what a reference to the context object reads that differs between runs.
func (r *reads) context(from asl.Ref) {
	if from.Register != asl.RegisterContext {
		return
	}
	name := func(i int) string {
		if from.Path == nil || i >= from.Path.Len() {
			return ""
		}
		return from.Path.Segment(i).Name
	}
	switch name(0) {
	case "StateMachine", "Map", "Task":
	case "Execution":
		r.input = r.input || name(1) == "" || name(1) == "Input"
	case "State":
		r.timed = r.timed || name(1) != "Name"
	default:
		r.input, r.timed = true, true
	}
}
