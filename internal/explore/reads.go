package explore

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
)

// reads are what decides how a run continues in a state: the parts of its data, and what else differs between runs.
type reads struct {
	names  map[string]bool // of the members of its data
	whole  bool            // all of its data
	drops  bool            // nothing of its data is behind it that it does not read
	keeps  bool            // all of its data are behind it, but for the members that it writes
	writes map[string]bool
	input  bool // the execution's input
	random bool
	timed  bool
}

// reads returns what a state reads.
func (s *setting) reads(state *asl.State) *reads {
	if known := s.known[state]; known != nil {
		return known
	}
	r := &reader{requests: s.file != nil}
	r.reads = reads{names: map[string]bool{}, writes: map[string]bool{}, drops: true, keeps: true}
	r.passed[asl.RegisterRaw] = true
	f := asl.FlowOf(state, false) // with all that a dialect may read
	for _, m := range f.Enter[1:] {
		r.move(&m)
	}
	for _, list := range [][]asl.Move{f.Work, f.Each} {
		for i := range list {
			r.move(&list[i])
		}
	}
	before := r.passed
	for i := range f.Lanes {
		r.passed = before
		for k := range f.Lanes[i].Moves {
			r.move(&f.Lanes[i].Moves[k])
		}
	}
	for _, scope := range f.Children {
		for _, inner := range scope.States {
			of := s.reads(inner)
			r.input, r.random, r.timed = r.input || of.input, r.random || of.random, r.timed || of.timed
		}
	}
	s.known[state] = &r.reads
	return &r.reads
}

// reader goes through the moves of a state.
type reader struct {
	reads
	// passed are the registers that are the data of the state, but for parts that are known.
	passed   [asl.RegisterFailure + 1]bool
	requests bool // the outcome of a task may depend on its request
}

func (r *reader) move(m *asl.Move) {
	to := m.To.Register
	switch m.Kind {
	case asl.MoveKeep:
		r.keep(m)
	case asl.MovePut:
		if m.To.Path == nil {
			r.passed[to] = r.passed[m.From[0].Register]
			break
		}
		if r.passed[m.From[0].Register] {
			r.whole = true
		}
		if m.To.Path.Len() > 1 {
			r.path(m.To.Path)
		}
		r.writes[m.To.Path.Segment(0).Name] = true
		r.passed[to] = r.passed[m.Base.Register]
	case asl.MoveDiscard:
		r.passed[to] = r.passed[m.Base.Register]
	case asl.MoveRead:
		if to != asl.RegisterRequest || r.requests || m.Parts() != nil {
			r.read(m)
		}
	default:
		r.read(m)
		r.passed[to] = false
	}
}

// keep passes a register on.
func (r *reader) keep(m *asl.Move) {
	from, to := m.From[0], m.To.Register
	switch to {
	case asl.RegisterEffective, asl.RegisterPayload, asl.RegisterResult, asl.RegisterSelected, asl.RegisterPlaced,
		asl.RegisterOutput:
		if from.Path == nil && from.Variable == "" {
			r.passed[to] = r.passed[from.Register]
			r.context(from)
			return
		}
	case asl.RegisterRaw: // the next state's
		if from.Register == asl.RegisterOutput {
			r.drops, r.keeps = r.drops && !r.passed[from.Register], r.keeps && r.passed[from.Register]
			return
		}
	case asl.RegisterFailure:
		return
	default:
	}
	r.read(m)
	r.passed[to] = false
}

// read notes what a move and its parts read.
func (r *reader) read(m *asl.Move) {
	for _, from := range m.From {
		r.context(from)
		if from.Register > asl.RegisterFailure || !r.passed[from.Register] {
			continue
		}
		r.path(from.Path)
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
		r.read(&parts[i])
	}
}

// path notes the member in which a path begins.
func (r *reader) path(p *path.Path) {
	if p != nil {
		name, ok := memberOf(p)
		if ok && strings.LastIndexByte(p.String(), '$') == 0 { // a filter may read more
			r.names[name] = true
			return
		}
	}
	r.whole = true
}

// context notes what a reference to the context object reads that differs between runs.
func (r *reader) context(from asl.Ref) {
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
