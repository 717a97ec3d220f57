package provenance

import (
	"cmp"
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/runlog"
)

// route gathers the visits that a value went through and the transitions between them.
type route struct {
	log      *runlog.Log
	passages map[*engine.Visit]*Passage
	edges    map[edgeKey]*Edge
	// passed and taken are their values as they came, mostly from the end of the run to its start.
	passed []*Passage
	taken  []*Edge
}

type edgeKey struct {
	kind     EdgeKind
	index    int
	from, to *engine.Visit
}

func newRoute(log *runlog.Log) *route {
	return &route{log: log, passages: make(map[*engine.Visit]*Passage), edges: make(map[edgeKey]*Edge)}
}

// onward is where a value on its way back came from: the visit that it was at the input of, or the Parallel or Map state
// whose results it was in.
type onward struct {
	entered   *engine.Visit
	container *engine.Visit
	index     int
}

func (r *route) passage(visit *engine.Visit) *Passage {
	p := r.passages[visit]
	if p == nil {
		p = &Passage{Visit: visit, Role: Carried}
		r.passages[visit] = p
		r.passed = append(r.passed, p)
	}
	return p
}

func (p *Passage) raise(role Role) { p.Role = max(p.Role, role) }

func (r *route) edge(kind EdgeKind, index int, from, to *engine.Visit, text string) *Edge {
	key := edgeKey{kind, index, from, to}
	e := r.edges[key]
	if e == nil {
		e = &Edge{Kind: kind, Index: index, From: from, To: to}
		r.add(key, e)
	}
	e.Paths = once(e.Paths, text)
	return e
}

func (r *route) add(key edgeKey, e *Edge) {
	r.edges[key] = e
	r.taken = append(r.taken, e)
}

// pass notes that a value was at a place.
func (r *route) pass(t *tracer, p place, on *onward) {
	event := t.at(p.event)
	if event.Visit == nil {
		return
	}
	switch event.Type {
	case engine.StateEntered:
		passage := r.passage(event.Visit)
		passage.In = once(passage.In, t.pathOf(p.segments))
		on.entered = event.Visit
	case engine.StateExited:
		passage := r.passage(event.Visit)
		passage.Out = once(passage.Out, t.pathOf(p.segments))
		r.cross(t, p, on)
	case engine.BranchStarted, engine.IterationStarted:
		r.cross(t, p, on)
	default:
	}
}

// cross notes the transition by which a value came from a place at which a state, a branch or an iteration begins or
// ends.
func (r *route) cross(t *tracer, p place, on *onward) {
	event, text := t.at(p.event), t.pathOf(p.segments)
	switch {
	case event.Type == engine.BranchStarted, event.Type == engine.IterationStarted:
		if on.entered != nil {
			r.edge(IntoChild, on.entered.Index, event.Visit, on.entered, text)
			r.passage(event.Visit)
		}
	case event.Type == engine.StateExited && on.entered != nil:
		kind, index := transition(t, p.event)
		r.edge(kind, index, event.Visit, on.entered, text)
	case event.Type == engine.StateExited && on.container != nil:
		r.edge(OutOfChild, on.index, event.Visit, on.container, text)
	}
	*on = onward{}
}

// leave notes how a value came from a place to the one where it was before.
func (r *route) leave(t *tracer, p, before place, on *onward) {
	event, earlier := t.at(p.event), t.at(before.event)
	switch {
	case event.Visit == earlier.Visit && (earlier.Type == engine.BranchSucceeded || earlier.Type == engine.IterationSucceeded):
		if detail, ok := earlier.Detail.(*engine.ThreadDetail); ok {
			on.container, on.index = event.Visit, detail.Index
		}
	case earlier.Type == engine.StageCompleted && earlier.Stage == engine.StageAssign:
		r.jump(t, p.event, before)
	}
}

// edgeKinds are the transitions that ways out are; a failure that nothing takes leads nowhere.
var edgeKinds = [...]EdgeKind{
	asl.LaneDone: ByNext, asl.LaneRule: ByRule, asl.LaneDefault: ByDefault, asl.LaneCaught: ByCatcher,
	asl.LaneFailed: 0,
}

// transition returns how a visit led on, of its StateExited event.
func transition(t *tracer, i int) (kind EdgeKind, index int) {
	lane, index := t.laneAt(i)
	return edgeKinds[lane], index
}

// jump notes that the state of event i read a variable that another one set: the states between carried it.
func (r *route) jump(t *tracer, i int, set place) {
	from := t.at(set.event)
	if from.Visit == nil || from.Type != engine.StageCompleted || from.Stage != engine.StageAssign || len(set.segments) == 0 {
		return
	}
	text := variableText(set.segments)
	reader := t.at(i).Visit
	if reader == nil || reader == from.Visit {
		return
	}
	r.passage(from.Visit).Out = once(r.passage(from.Visit).Out, text)
	last := reader // in the scope of the variable
	for ; last != nil && last.Thread != from.Thread; last = last.Parent {
		r.passage(last).In = once(r.passage(last).In, text)
		if last.Parent != nil {
			r.edge(IntoChild, last.Index, last.Parent, last, text)
		}
	}
	if last == nil {
		return
	}
	exit := -1
	for at := set.event + 1; at < int(last.Entered); at++ {
		t.scan(at)
		event := t.at(at)
		if event.Thread != from.Thread || event.Visit == nil {
			continue
		}
		switch event.Type {
		case engine.StateExited:
			exit = at
			r.passage(event.Visit).Out = once(r.passage(event.Visit).Out, text)
		case engine.StateEntered:
			r.passage(event.Visit).In = once(r.passage(event.Visit).In, text)
			if exit >= 0 {
				kind, index := transition(t, exit)
				r.edge(kind, index, t.at(exit).Visit, event.Visit, text)
			}
		default:
		}
	}
}

// variableText writes a place among variables as a path.
func variableText(segments []path.Segment) string {
	return "$" + segments[0].Name + pathText(segments[1:])[1:]
}

// list returns the passages and edges in the order of the run.
func (r *route) list() ([]*Passage, []*Edge) {
	passages := slices.Clone(r.passed)
	slices.Reverse(passages)
	slices.SortFunc(passages, func(a, b *Passage) int { return cmp.Compare(a.Visit.Entered, b.Visit.Entered) })
	edges := slices.Clone(r.taken)
	slices.Reverse(edges)
	slices.SortFunc(edges, func(a, b *Edge) int {
		return cmp.Or(cmp.Compare(a.order(), b.order()), cmp.Compare(a.From.Entered, b.From.Entered), cmp.Compare(a.To.Entered, b.To.Entered))
	})
	return passages, edges
}

// order is when an edge was taken: when its second state was entered or, out of a branch, after the first one was.
func (e *Edge) order() int64 { return max(e.From.Entered, e.To.Entered) }
