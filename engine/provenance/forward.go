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
	begin := from.place
	if event := w.at(begin.event); !gives(event) && event.Type == engine.TaskScheduled {
		begin.event = w.gave(begin.event, event.After) // the payload as the stage before left it
	}
	if begin.event < 0 {
		return way, nil
	}
	f := &follower{
		walker: w, held: make(map[int][]held), leads: make(map[engine.ThreadID]int), flows: make(map[*engine.Visit]*visitData),
		above: make(map[*Node]*Node), root: &Node{},
	}
	w.root, w.known = f.root, &Way{Event: from.event, Path: from.path, Value: from.value, Forward: true}
	f.hold(begin.event, held{segments: begin.segments, node: f.root})
	f.run(begin.event)
	way.Nodes, way.Total, way.Cut = f.root.Children, w.nodes, w.cut
	way.Passages, way.Edges = w.route.list()
	for _, passage := range way.Passages {
		if passage.Role == Loses && len(passage.Out) > 0 {
			passage.Role = Moves // a part of it, or a copy, goes on
		}
	}
	l.fold(way)
	return way, nil
}

// held is a place of a followed value in the data after an event, and the node that put it there.
type held struct {
	segments []path.Segment
	node     *Node
	value    value.Value // of a place that is dropped
	variable bool        // it is a place among variables
}

// text is the path of the place.
func (h *held) text() string {
	if h.variable && len(h.segments) > 0 {
		return variableText(h.segments)
	}
	return pathText(h.segments)
}

// visitData is the data that the stages of a visit leave to each other.
type visitData struct {
	gave  []int // events whose data the next stage may read, in their order
	items int   // how often the ItemSelector was evaluated since the Map began
}

// follower follows a value forward.
type follower struct {
	*walker
	held  map[int][]held
	count int // of places in held
	leads map[engine.ThreadID]int
	flows map[*engine.Visit]*visitData
	above map[*Node]*Node
	root  *Node
	// variables is the number of places among variables.
	variables int
}

// run goes through the log. Events up to the first one only say which data the later ones read.
func (f *follower) run(first int) {
	for i := range f.log.Len() {
		f.prepare(i)
		if i > first {
			f.event(i)
		}
		f.lead(i)
		if !f.rest(i) || f.nodes >= maxNodes || f.count >= maxHeld {
			f.cut = true
			return
		}
	}
}

func (f *follower) flow(visit *engine.Visit) *visitData {
	if f.flows[visit] == nil {
		f.flows[visit] = &visitData{}
	}
	return f.flows[visit]
}

// prepare finds which events left the data before and after event i, as [tracer.gave] does: here all are asked for.
func (f *follower) prepare(i int) {
	event := f.at(i)
	if event.Visit == nil {
		return
	}
	list := f.flow(event.Visit).gave
	of := func(v value.Value) int {
		for n := len(list) - 1; n >= 0; n-- {
			if value.Identical(f.at(list[n]).After, v) {
				return list[n]
			}
		}
		for n := len(list) - 1; n >= 0; n-- {
			if f.log.Same(f.at(list[n]).After, v) {
				return list[n]
			}
		}
		if len(list) > 0 {
			return list[len(list)-1]
		}
		return -1
	}
	if event.Before != nil {
		f.given[given{i, true}] = of(event.Before)
	}
	if event.After != nil {
		f.given[given{i, false}] = of(event.After)
	}
	if event.Type == engine.StageCompleted && event.Stage == engine.StageParameters && event.Visit.State.Type == asl.Map {
		f.prepareItem(i, list)
	}
}

// prepareItem finds the item that an ItemSelector was evaluated for.
func (f *follower) prepareItem(i int, list []int) {
	event := f.at(i)
	flow := f.flow(event.Visit)
	index := flow.items
	flow.items++
	f.items[i] = itemPlace{list: -1}
	for n := len(list) - 1; n >= 0; n-- {
		items, ok := f.at(list[n]).After.(*value.Array)
		if ok && index < items.Len() && f.log.Same(items.At(index), event.Before) {
			f.items[i] = itemPlace{list: list[n], index: index}
			return
		}
	}
}

// lead notes the data that the next stage of the visit, or the next state of the thread, reads.
func (f *follower) lead(i int) {
	event := f.at(i)
	switch event.Type {
	case engine.ExecutionStarted, engine.StateExited, engine.BranchStarted, engine.IterationStarted:
		f.leads[event.Thread] = i
	case engine.DataEdited:
		if event.Stage == engine.StageInput {
			f.leads[event.Thread] = i
		}
	case engine.MapStarted:
		f.flow(event.Visit).items = 0
	default:
	}
	if event.Visit == nil || !gives(event) || event.Thread != event.Visit.Thread {
		return
	}
	if event.Type == engine.StageCompleted && event.Stage == engine.StageParameters && event.Visit.State.Type == asl.Map {
		return // the next stage does not read it, but an iteration
	}
	flow := f.flow(event.Visit)
	flow.gave = append(flow.gave, i)
}

// hold notes that the data after event i have the value at a place.
func (f *follower) hold(i int, h held) {
	event := f.at(i)
	h.variable = event.Type == engine.StageCompleted && event.Stage == engine.StageAssign
	for _, known := range f.held[i] {
		if known.node == h.node && slices.Equal(known.segments, h.segments) {
			return
		}
	}
	f.held[i] = append(f.held[i], h)
	f.count++
	if h.variable {
		f.variables++
	}
}

// put adds below the node of h that event i did something with its value, and returns the node: it is an older one where a
// loop does the same again.
func (f *follower) put(i int, kind Kind, h held, field, expression string, to []path.Segment) *Node {
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
	case engine.StateEntered:
		if from, ok := f.leads[event.Thread]; ok {
			f.keep(from, i)
			f.enter(from, i)
		}
	case engine.StateExited:
		f.exit(i)
	case engine.BranchStarted:
		f.keep(f.gave(i, event.After), i)
	case engine.IterationStarted:
		f.iteration(i)
	case engine.BranchSucceeded, engine.IterationSucceeded:
		if from, ok := f.leads[event.Thread]; ok && f.at(from).Type == engine.StateExited {
			f.keep(from, i)
		}
	case engine.ParallelSucceeded, engine.MapSucceeded:
		f.gather(i)
	case engine.ExecutionSucceeded:
		for _, h := range f.held[f.leads[0]] {
			f.put(i, Output, h, "", "", h.segments)
		}
	case engine.TaskScheduled:
		for _, h := range f.held[f.gave(i, event.After)] {
			f.put(i, Sent, h, "Resource", event.Visit.State.Resource, h.segments)
		}
	case engine.DataEdited:
		f.edited(i)
	case engine.WaitStarted, engine.StageFailed:
		f.bounds(i)
	case engine.StageCompleted:
		f.stage(i)
	case engine.TaskSucceeded, engine.ErrorCaught, engine.TaskSubmitted, engine.MapRunSucceeded:
	default:
		if event.After != nil && event.Visit != nil {
			f.keep(f.gave(i, event.After), i)
		}
	}
}

// keep copies the places of one event to another whose data are the same, or are where they are the same.
func (f *follower) keep(from, to int) {
	if from < 0 || from == to {
		return
	}
	whole := f.log.Same(f.at(from).After, f.at(to).After)
	for _, h := range f.held[from] {
		if whole || f.log.Same(lookUp(f.at(from).After, h.segments), lookUp(f.at(to).After, h.segments)) {
			f.hold(to, h)
		}
	}
}

// enter notes the states on the way.
func (f *follower) enter(from, to int) {
	if len(f.held[to]) == 0 {
		return
	}
	earlier, event := f.at(from), f.at(to)
	for _, h := range f.held[to] {
		text := pathText(h.segments)
		passage := f.route.passage(event.Visit)
		passage.In = once(passage.In, text)
		switch earlier.Type {
		case engine.StateExited:
			kind, index := transition(f.tracer, from)
			f.route.edge(kind, index, earlier.Visit, event.Visit, text)
		case engine.BranchStarted, engine.IterationStarted:
			f.route.edge(IntoChild, event.Visit.Index, earlier.Visit, event.Visit, text)
			f.route.passage(earlier.Visit)
		default:
		}
	}
}

// exit follows the value to a state's output.
func (f *follower) exit(i int) {
	event := f.at(i)
	gave := f.gave(i, event.After)
	f.keep(gave, i)
	for _, h := range f.held[i] {
		passage := f.route.passage(event.Visit)
		passage.Out = once(passage.Out, pathText(h.segments))
	}
	if gave < 0 || event.Visit.State.QueryLanguage != asl.JSONata {
		return
	}
	switch f.at(gave).Type {
	case engine.TaskSucceeded, engine.ParallelSucceeded, engine.MapSucceeded, engine.ErrorCaught:
		f.drop(i, f.rawInput(event.Visit, i), f.catcherAt(i)+"Output")
	default:
	}
}

// drop notes that event i leaves out all that the data of another one have of the value.
func (f *follower) drop(i, from int, field string) {
	for _, h := range f.held[from] {
		f.dropOne(i, from, h, field)
	}
}

// dropOne notes that event i leaves out one place of the data after another event.
func (f *follower) dropOne(i, from int, h held, field string) {
	h.value = lookUp(f.at(from).After, h.segments)
	f.put(i, Dropped, h, field, "", nil)
}

// iteration follows the value into an iteration.
func (f *follower) iteration(i int) {
	event := f.at(i)
	detail, _ := event.Detail.(*engine.ThreadDetail)
	if detail == nil {
		return
	}
	if from := f.selectedBefore(i); from >= 0 {
		f.keep(from, i)
		return
	}
	list := f.flow(event.Visit).gave
	for n := len(list) - 1; n >= 0; n-- {
		items, ok := f.at(list[n]).After.(*value.Array)
		if !ok || detail.Index >= items.Len() || !f.log.Same(items.At(detail.Index), event.After) {
			continue
		}
		for _, h := range f.held[list[n]] {
			if len(h.segments) > 0 && h.segments[0].Kind == path.IndexSegment && h.segments[0].Index == detail.Index {
				f.hold(i, held{segments: h.segments[1:], node: f.put(i, Moved, h, "", "", h.segments[1:])})
			} else if len(h.segments) == 0 {
				f.hold(i, held{node: f.put(i, Moved, h, "", "", nil)})
			}
		}
		return
	}
}

// selectedBefore returns the event of the ItemSelector that gave an iteration its input, or -1: it is not far before.
func (f *follower) selectedBefore(i int) int {
	const near = 64
	event := f.at(i)
	if event.Visit.State.ItemSelector == nil {
		return -1
	}
	for at := i - 1; at >= max(int(event.Visit.Entered), i-near); at-- {
		earlier := f.at(at)
		if earlier.Visit == event.Visit && earlier.Type == engine.StageCompleted && earlier.Stage == engine.StageParameters &&
			f.log.Same(earlier.After, event.After) {
			return at
		}
	}
	return -1
}

// gather follows the value out of branches or iterations.
func (f *follower) gather(i int) {
	event := f.at(i)
	for index, end := range f.ends(i) {
		for _, h := range f.held[end] {
			to := append([]path.Segment{{Kind: path.IndexSegment, Index: index}}, h.segments...)
			f.hold(i, held{segments: to, node: f.put(i, Gathered, h, "", "", to)})
			if exit := f.lastExit(end); exit != nil {
				f.route.edge(OutOfChild, index, exit, event.Visit, pathText(h.segments))
			}
		}
	}
}

// lastExit returns the visit with which the thread of event i ended.
func (f *follower) lastExit(i int) *engine.Visit {
	thread := f.at(i).Thread
	at := f.last(i, func(e *engine.Event) bool { return e.Type == engine.StateExited && e.Thread == thread })
	if at < 0 {
		return nil
	}
	return f.at(at).Visit
}

// edited follows the value through an edit by hand.
func (f *follower) edited(i int) {
	event := f.at(i)
	from := f.gave(i, event.Before)
	if event.Stage == engine.StageInput {
		if at, ok := f.leads[event.Thread]; ok && f.log.Same(f.at(at).After, event.Before) {
			from = at
		}
	}
	for _, h := range f.held[from] {
		if was := lookUp(event.Before, h.segments); was != nil && value.Identical(was, lookUp(event.After, h.segments)) {
			f.hold(i, h)
			continue
		}
		f.dropOne(i, from, h, "")
	}
}
