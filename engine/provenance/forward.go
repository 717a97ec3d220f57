package provenance

import (
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
)

// maxHeld bounds the places at which a value is followed forward: loops and Maps can copy it without end.
const maxHeld = 1_000_000

// Forward follows the value at a path of the data of event i to everything that later read it, and to where they put it,
// until the end of the run.
func (l *Lens) Forward(i int, text string) (*Way, error) {
	w := newWalker(l)
	from, err := w.resolve(i, text)
	if err != nil {
		return nil, err
	}
	way := &Way{Event: from.event, Path: from.path, Value: from.value, Forward: true}
	if !from.known {
		return way, nil
	}
	begin, first := from.place, from.place.event
	if event := w.at(first); event.Type == engine.TaskScheduled || event.Type == engine.StageCompleted && event.Stage != engine.StageAssign &&
		sets(event) == asl.NoRegister { // the data are those that a stage before left
		begin.event = w.holder(event.Visit, first, asl.RegisterOutput, event.After)
	}
	if w.at(first).Type == engine.TaskScheduled { // which sends them
		first = begin.event
	}
	if begin.event < 0 {
		return way, nil
	}
	f := &follower{walker: w, positions: make(map[int][]position), above: make(map[*Node]*Node), root: &Node{}}
	f.leads, f.owned = make(map[engine.ThreadID]int), make(map[*engine.Visit][]int)
	w.root, w.known = f.root, &Way{Event: from.event, Path: from.path, Value: from.value, Forward: true}
	f.hold(begin.event, position{segments: begin.segments, node: f.root})
	f.run(first)
	way.Nodes, way.Total, way.Cut = f.root.Children, w.nodes, w.cut
	way.Passages, way.Edges = w.route.list()
	for _, passage := range way.Passages {
		if passage.Role == Loses && len(passage.Out) > 0 {
			passage.Role = Moves // a part of it, or a copy, moves on
		}
	}
	l.fold(way)
	return way, nil
}

// position is a place of a followed value in the data after an event, and the node that put it there.
type position struct {
	segments []path.Segment
	node     *Node
	value    value.Value // of a place that is dropped
	variable bool        // it is a place among variables
}

// text is the path of the place.
func (h *position) text() string {
	if h.variable && len(h.segments) > 0 {
		return variableText(h.segments)
	}
	return pathText(h.segments)
}

// follower follows a value forward.
type follower struct {
	*walker
	positions map[int][]position
	count     int // of positions
	above     map[*Node]*Node
	root      *Node
	// variables is the number of places among variables.
	variables int
}

// run goes through the log. Events up to the first one only say which data the later ones read.
func (f *follower) run(first int) {
	for i := range f.log.Len() {
		if i > first {
			f.event(i)
		}
		f.pass(i)
		if !f.countStep(i) || f.nodes >= maxNodes || f.count >= maxHeld {
			f.cut = true
			return
		}
	}
}

// pass notes the data that the next stage of the visit, or the next state of the thread, reads.
func (f *follower) pass(i int) {
	event := f.at(i)
	switch event.Type {
	case engine.ExecutionStarted, engine.StateExited, engine.BranchStarted, engine.IterationStarted:
		f.leads[event.Thread] = i
	case engine.DataEdited:
		if event.Stage == engine.StageInput {
			f.leads[event.Thread] = i
		}
	default:
	}
	switch visit := event.Visit; {
	case visit == nil:
	case event.Type == engine.StateExited:
		delete(f.owned, visit)
	case visit.State.Type == asl.Map && (event.Thread != visit.Thread || sets(event) == asl.RegisterPayload):
		f.workOf(visit, i+1) // there are as many as items
	default:
		f.owned[visit] = append(f.owned[visit], i)
		if visit.State.Type == asl.Map {
			f.workOf(visit, i+1)
		}
	}
}

// hold notes that the data after event i have the value at a place.
func (f *follower) hold(i int, h position) {
	event := f.at(i)
	h.variable = event.Type == engine.StageCompleted && event.Stage == engine.StageAssign
	for _, known := range f.positions[i] {
		if known.node == h.node && slices.Equal(known.segments, h.segments) {
			return
		}
	}
	f.positions[i] = append(f.positions[i], h)
	f.count++
	if h.variable {
		f.variables++
	}
}

// put adds below the node of h that event i did something with its value, and returns the node: it is an older one where a
// loop does the same again.
func (f *follower) put(i int, kind Kind, h position, field, expression string, to []path.Segment) *Node {
	event := f.at(i)
	n := &Node{
		Kind: kind, Event: i, Visit: event.Visit, Stage: event.Stage, Field: field, Expression: expression,
		From: h.text(), To: f.textOf(place{event: i, segments: to}), Count: 1,
	}
	role := Moves
	switch kind {
	case Dropped:
		n.To, role = "", Loses
	case Read:
		n.From, n.To, role = "", n.From, Reads
	case Sent, Output:
		n.From, role = "", Reads
	default:
	}
	if event.Visit != nil {
		f.route.passage(event.Visit).raise(role)
	}
	m := movementOf(n)
	for at := h.node; at != nil && at != f.root; at = f.above[at] {
		if movementOf(at) == m {
			at.count(i)
			return at
		}
	}
	key := childMovement{h.node, m}
	if known := f.below[key]; known != nil {
		known.count(i)
		return known
	}
	n.Place = placeOf(event, field)
	switch {
	case kind == Dropped || kind == Read:
		n.Value = h.value
	case event.After != nil:
		n.Value = lookUp(event.After, to)
	default:
		n.Value = lookUp(event.Before, to)
	}
	f.nodes++
	f.below[key] = n
	f.above[n] = h.node
	n.last = i
	h.node.Children = append(h.node.Children, n)
	return n
}

// count counts one more turn, once for an event.
func (n *Node) count(event int) {
	if n.last != event {
		n.Count++
		n.last = event
	}
}

// event follows the value through event i.
func (f *follower) event(i int) {
	event := f.at(i)
	switch event.Type {
	case engine.ExecutionSucceeded:
		for _, h := range f.positions[f.exitOf(i)] {
			f.put(i, Output, h, "", "", h.segments)
		}
		return
	case engine.TaskScheduled:
		for _, h := range f.positions[f.holder(event.Visit, i, asl.RegisterOutput, event.After)] {
			f.put(i, Sent, h, "Resource", event.Visit.State.Resource, h.segments)
		}
		return
	case engine.WaitStarted, engine.StageFailed, engine.StageCompleted:
		f.reads(i)
	case engine.MapRunSucceeded:
		return
	default:
	}
	if event.After == nil || event.Type == engine.WaitStarted || !f.concerned(i) {
		return
	}
	list := f.links(i, nil)
	taken := make(map[*Node]bool)
	for k := range list {
		if list[k].lost == NeverThere {
			f.along(i, &list[k], taken)
		}
	}
	for k := range list {
		if l := &list[k]; l.gone {
			f.drop(i, l, taken)
		}
	}
	for _, h := range f.positions[i] {
		var on onward
		f.route.pass(f.tracer, place{event: i, segments: h.segments}, &on)
		if from, known := f.leads[event.Thread]; known && on.entered != nil {
			f.route.cross(f.tracer, place{event: from, segments: h.segments}, &on)
		}
	}
}

// concerned reports whether event i may read the value: the leaves of a template are many.
func (f *follower) concerned(i int) bool {
	event := f.at(i)
	if event.Type != engine.StageCompleted || f.variables > 0 {
		return true
	}
	m := f.moveAt(i)
	if m == nil || !fills(m) {
		return true
	}
	arrives := func(at int) bool { return len(f.positions[at]) > 0 }
	if arrives(f.executionInput(event.Visit)) || arrives(f.contextRoot(i, "Map").event) {
		return true
	}
	if m.Query == nil {
		return arrives(f.document(i, m))
	}
	return arrives(f.rawInput(event.Visit, i)) || arrives(f.resultOf(event.Visit, i))
}

// along follows the value along a link. taken notes the nodes whose value it was.
func (f *follower) along(i int, l *link, taken map[*Node]bool) {
	switch {
	case l.kind == Computed && l.part != nil && l.part.Kind != asl.MoveGather && l.part.Kind != asl.MoveSelect:
		for _, o := range f.ofPart(place{event: i, segments: l.to}, l.part, nil) {
			if o.known {
				f.into(i, o.place, &link{kind: Computed, text: l.text, to: l.to}, taken)
			}
		}
	case l.from.event < 0:
	case l.kind == Read:
		f.readBy(i, []operand{{place: l.from, known: true}}, l.text, "")
	case l.kind == 0:
		f.keep(l, i, taken)
	default:
		f.into(i, l.from, l, taken)
	}
}

// keep copies the places of one event to another whose data are the same, or are where they are the same.
func (f *follower) keep(l *link, to int, taken map[*Node]bool) {
	from := l.from.event
	if from == to {
		return
	}
	whole := l.hole != nil || f.log.Same(f.at(from).After, f.at(to).After)
	for _, h := range f.positions[from] {
		kept := whole || f.log.Same(lookUp(f.at(from).After, h.segments), lookUp(f.at(to).After, h.segments))
		if kept && l.holds(h.segments) {
			taken[h.node] = true
			f.hold(to, h)
		}
	}
}

// into follows the value from a place that event i read to where it put it.
func (f *follower) into(i int, from place, l *link, taken map[*Node]bool) {
	wanted := f.value(from)
	for _, h := range f.positions[from.event] {
		var rest []path.Segment
		switch {
		case wanted == nil:
			continue
		case hasSegments(h.segments, from.segments):
			rest = h.segments[len(from.segments):]
		case !hasSegments(from.segments, h.segments):
			continue
		}
		taken[h.node] = true
		kind, to := l.kind, append(l.to[:len(l.to):len(l.to)], rest...)
		if l.kind == Moved && l.part != nil && !value.Equal(lookUp(f.at(i).After, to), f.value(below(from, rest))) {
			kind = Computed
		}
		if kind == Computed {
			if to = l.to; l.checked {
				to = to[:len(to)-1] // one of several
			}
		}
		if len(rest) == 0 && len(from.segments) > len(h.segments) && l.text != "" {
			h.segments = from.segments // a part of the value
		}
		f.hold(i, position{segments: to, node: f.put(i, kind, h, f.fieldAt(i, to), l.text, to)})
		if exit := f.exitOf(from.event); l.kind == Gathered && exit >= 0 {
			var on onward
			f.route.leave(f.tracer, place{event: i}, from, &on)
			f.route.cross(f.tracer, place{event: exit, segments: h.segments}, &on)
		}
	}
}

// drop notes that event i leaves out what the data at a link have of the value, as far as it went nowhere.
func (f *follower) drop(i int, l *link, taken map[*Node]bool) {
	for _, h := range f.positions[l.from.event] {
		if l.holds(h.segments) && (l.hole != nil || !taken[h.node]) {
			h.value = lookUp(f.at(l.from.event).After, h.segments)
			f.put(i, Dropped, h, l.field, "", nil)
		}
	}
}

// reads notes the rules, the bounds and times, and the texts of a state that event i read from the value.
func (f *follower) reads(i int) {
	event := f.at(i)
	m := f.moveAt(i)
	if m == nil || m.Kind != asl.MoveRead || event.Type == engine.StageFailed && event.Stage != engine.StageFail {
		return
	}
	if event.Stage == engine.StageChoices {
		f.choices(i)
		return
	}
	parts := m.Parts()
	for k := range parts {
		f.readBy(i, f.ofPart(place{event: i}, &parts[k], nil), parts[k].At, spelled(&parts[k]))
	}
}

// choices notes the rules of a Choice state that read the value.
func (f *follower) choices(i int) {
	state := f.at(i).Visit.State
	matched, flow := f.ruleOf(i), asl.FlowOf(state, false)
	for n, rule := range state.Choices {
		lane := flow.LaneOf(asl.LaneRule, n)
		parts := lane.Guard.Parts()
		for k := range parts {
			field := lane.Guard.At
			if parts[k].Query != nil {
				field = parts[k].At
			}
			f.readBy(i, f.ofPart(place{event: i}, &parts[k], nil), field, rule.Label())
		}
		if n == matched {
			return
		}
	}
}

// readBy notes that something read the value which makes no data of it.
func (f *follower) readBy(i int, operands []operand, field, expression string) {
	for _, o := range operands {
		if !o.known {
			continue
		}
		for _, h := range f.positions[o.place.event] {
			if hasSegments(h.segments, o.place.segments) || hasSegments(o.place.segments, h.segments) {
				if len(o.place.segments) > len(h.segments) {
					h.segments = o.place.segments // a part of the value
				}
				h.value = lookUp(f.at(o.place.event).After, h.segments)
				f.put(i, Read, h, field, expression, nil)
			}
		}
	}
}
