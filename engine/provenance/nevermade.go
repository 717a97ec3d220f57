package provenance

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
)

// makers looks for the states that would make the value.
func (n *never) makers(at *path.Path) {
	if n.lens.Explainer == nil {
		return
	}
	index := n.lens.Explainer.run.Machine().Definition().Makers(n.literalFirst())
	var list []asl.Maker
	if n.names != nil {
		list = index.Of(plainNames(n.names)...)
	} else if at.Root() == path.VariableRoot && at.Variable() != "states" {
		list = index.OfVariable(at.Variable())
	}
	known := make(map[*asl.State]bool)
	for i := range list {
		m := &list[i]
		if known[m.State] || m.State == n.reader.State {
			continue
		}
		h := Hint{State: m.State, Field: m.Move.At, Lane: m.Lane, Event: -1, Makes: "$"}
		if m.Variable != "" {
			h.Makes += m.Variable
		}
		for _, name := range m.Path {
			h.Makes += path.Member(name)
		}
		if n.whyNot(&h) {
			known[m.State] = true
			n.add(h)
		}
	}
}

// whyNot says why a maker did not make the value, and reports whether that is known.
func (n *never) whyNot(h *Hint) bool {
	if n.inOtherBranch(h) {
		return true
	}
	for _, p := range n.passed {
		if p.visit.State != h.State {
			continue
		}
		if p.lane == nil || p.lane == h.Lane {
			return false // it made something there
		}
		if h.Visit, h.Event, h.Taken, h.Kind = p.visit, p.exit, p.lane, HintLane; p.lane.Kind == asl.LaneCaught {
			h.Kind = HintFailed
			caught := func(e *engine.Event) bool { return e.Type == engine.ErrorCaught }
			if at := n.lastIn(p.visit, p.exit, caught); at >= 0 {
				h.Event = at
				if detail, ok := n.at(at).Detail.(*engine.CatchDetail); ok {
					h.Failure = detail.Failure
				}
			}
		}
		return true
	}
	for _, p := range n.passed {
		if p.lane == nil {
			continue
		}
		f := n.flowOf(p.visit.State)
		for i := range f.Lanes {
			if lane := &f.Lanes[i]; lane != p.lane && lane.To != nil && n.leads(lane.To, h.State) {
				h.Kind, h.Chooser, h.Event, h.Taken = HintWay, p.visit, p.exit, p.lane
				h.Compared = n.comparedBy(p, lane)
				return true
			}
		}
	}
	f := n.flowOf(n.reader.State)
	for i := range f.Lanes {
		if to := f.Lanes[i].To; to != nil && n.leads(to, h.State) {
			h.Kind = HintLater
			return true
		}
	}
	return false
}

// inOtherBranch completes the hint of a state in another branch of a Parallel state around the reader.
func (n *never) inOtherBranch(h *Hint) bool {
	for scope := h.State.Scope; scope != nil && scope.Container != nil; scope = scope.Container.Scope {
		for own := n.reader.State.Scope; own != nil && own.Container != nil; own = own.Container.Scope {
			if own.Container == scope.Container && own != scope {
				h.Kind = HintScope
				return true
			}
		}
	}
	return false
}

// leads reports whether a way leads from a state to another one of its scope, without the reader.
func (n *never) leads(from, to *asl.State) bool {
	seen := map[*asl.State]bool{n.reader.State: true}
	for queue := []*asl.State{from}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		if s == to {
			return true
		}
		if seen[s] {
			continue
		}
		seen[s] = true
		for _, e := range s.Edges() {
			queue = append(queue, e.To)
		}
	}
	return false
}

// comparedBy returns the values that a Choice state compared when it did not take a way out.
func (n *never) comparedBy(p passed, lane *asl.Lane) []Value {
	rule := lane.Index
	if lane.Kind == asl.LaneDefault {
		rule = p.lane.Index
	}
	if lane.Kind != asl.LaneRule && lane.Kind != asl.LaneDefault {
		return nil
	}
	stage := n.lastIn(p.visit, p.exit, func(e *engine.Event) bool {
		return e.Before != nil && e.Stage == engine.StageChoices
	})
	if stage < 0 {
		return nil
	}
	var list []Value
	for _, text := range (&endWalker{log: n.log}).compared(p.visit, rule) {
		at, err := parsePath(text)
		if err != nil || at.Root() != path.DataRoot || len(list) == maxValues {
			continue
		}
		v := lookUp(n.at(stage).Before, segmentsOf(at))
		list = append(list, Value{Path: text, Value: v, Visit: p.visit, Event: stage})
	}
	return list
}
