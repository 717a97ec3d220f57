package provenance

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Bounds of a search.
const (
	maxNodes = 20_000    // of a tree before it is folded
	maxSteps = 5_000_000 // over events
	// maxOperands bounds the operands of one expression: a path can lead to any number of items.
	maxOperands = 200
	// maxEvaluations bounds the expressions that are evaluated again for one way.
	maxEvaluations = 200
)

// Back follows the value at a path of the data of event i back to everything that it was made of.
func (l *Lens) Back(i int, text string) (*Way, error) {
	w := newWalker(l)
	from, err := w.resolve(i, text)
	if err != nil {
		return nil, err
	}
	root := &Node{}
	if from.known {
		w.follow(from.place, root)
	} else {
		root.Children = []*Node{w.leaf(from.kind, from.place, text, from.value)}
	}
	way := &Way{Event: from.event, Path: from.path, Value: from.value, Nodes: root.Children, Total: w.nodes, Cut: w.cut}
	way.Passages, way.Edges = w.route.list()
	l.fold(way)
	return way, nil
}

// limit is the greatest number of nodes that is shown.
func (l *Lens) limit() int {
	if l.Limit == 0 {
		return DefaultLimit
	}
	return l.Limit
}

// start is where following a value begins.
type start struct {
	// event, path and value are what was asked for: the event with the data, the path in them, and the value.
	event int
	path  string
	value value.Value
	// place is where the value is in the data after an event, where that is known; else kind says what is known.
	place place
	known bool
	kind  Kind
}

// document is the data that a path begins in.
type document struct {
	event int         // with the data; -1 where there is none
	data  value.Value // before or after the event
	place place       // of the data after an event; its event is -1 where it is not known
}

// resolve finds the value at a path of the data of event i.
func (w *walker) resolve(i int, text string) (start, error) {
	at, err := parsePath(text)
	if err != nil {
		return start{}, err
	}
	doc, names, err := w.documentFor(i, at)
	if err != nil {
		return start{}, err
	}
	if at.Root() == path.ContextRoot && doc.event < 0 {
		return w.contextStart(i, at, text)
	}
	found := lookUp(doc.data, names)
	if found == nil {
		return start{}, missAt(at, doc, names)
	}
	s := start{event: doc.event, path: w.textOf(place{event: doc.event, segments: names}), value: found, kind: Unknown, place: place{event: doc.event}}
	if s.known = doc.place.event >= 0; s.known {
		whole := append(doc.place.segments[:len(doc.place.segments):len(doc.place.segments)], names...)
		s.place = place{event: doc.place.event, segments: whole}
	}
	return s, nil
}

// missAt is the error of a path that leads to nothing.
func missAt(at *path.Path, doc document, names []path.Segment) error {
	roots := &path.Roots{}
	if at.Root() == path.DataRoot {
		roots.Data = doc.data
		_, err := at.Get(roots)
		return err
	}
	given := max(at.Len()-len(names), 0) // names that led to the document: input of $states.input
	under := doc.data
	for n := given - 1; n >= 0; n-- {
		under = value.ObjectOf(value.Member{Key: at.Segment(n).Name, Value: under})
	}
	if len(names) > at.Len() {
		if object, ok := doc.data.(*value.Object); ok { // of variables: names begin with that of the variable
			under = object.Get(names[0].Name)
		}
	}
	roots.Context, roots.Variables = under, func(string) value.Value { return under }
	_, err := at.Get(roots)
	return err
}

// documentFor finds the data that a path begins in, and the names that lead on in them.
func (w *walker) documentFor(i int, at *path.Path) (document, []path.Segment, error) {
	source := -1
	if i >= 0 && i < w.log.Len() {
		source = w.log.DataAt(i)
	}
	if source < 0 {
		return document{}, nil, &NoDataError{Event: i}
	}
	names := segmentsOf(at)
	switch at.Root() {
	case path.ContextRoot:
		if hasPrefix(names, "Execution", "Input") {
			return w.after(w.executionInput(w.visitAt(i))), names[2:], nil
		}
		return document{event: -1, place: place{event: -1}}, names, nil
	case path.VariableRoot:
		return w.variableDocument(i, at, names)
	case path.DataRoot:
	}
	event := w.at(source)
	if event.After != nil {
		return w.after(source), names, nil
	}
	doc := document{event: source, data: event.Before, place: place{event: w.gave(source, event.Before)}}
	if doc.place.event >= 0 && !value.Identical(w.at(doc.place.event).After, event.Before) {
		doc.place.event = -1 // the parameters of an ItemReader, say
	}
	return doc, names, nil
}

// variableDocument finds the data of a path that begins with a variable or with $states.
func (w *walker) variableDocument(i int, at *path.Path, names []path.Segment) (document, []path.Segment, error) {
	visit := w.visitAt(i)
	if at.Variable() == "states" && visit != nil && len(names) > 0 {
		found := -1
		switch names[0].Name {
		case "input":
			found = w.rawInput(visit, i+1)
		case "result", "errorOutput":
			found = w.rawResult(visit, i+1)
		case "context":
			if !hasPrefix(names[1:], "Execution", "Input") {
				break
			}
			return w.after(w.executionInput(visit)), names[3:], nil
		}
		if found >= 0 {
			return w.after(found), names[1:], nil
		}
		return document{}, nil, missAt(at, document{event: -1}, names)
	}
	found := w.variable(i, at.Variable())
	if found < 0 {
		return document{}, nil, missAt(at, document{event: -1}, names)
	}
	return w.after(found), append([]path.Segment{{Kind: path.NameSegment, Name: at.Variable()}}, names...), nil
}

func (w *walker) after(i int) document {
	return document{event: i, data: w.at(i).After, place: place{event: i}}
}

// contextStart is the start in the context object, which no event has.
func (w *walker) contextStart(i int, at *path.Path, text string) (start, error) {
	var context value.Value
	if w.lens.Explainer != nil && w.at(i).Visit != nil {
		context, _ = w.lens.Explainer.run.RootsAt(i)
	}
	found, err := at.Get(&path.Roots{Context: context})
	if err != nil {
		return start{}, err
	}
	return start{event: i, path: text, value: found, kind: Context, place: place{event: i}}, nil
}

// visitAt returns the visit of event i or, for one of the whole execution, that of the newest event before it that has one.
func (t *tracer) visitAt(i int) *engine.Visit {
	for ; i >= 0; i-- {
		if visit := t.at(i).Visit; visit != nil {
			return visit
		}
	}
	return nil
}

// rawInput returns the event before event i with the raw input of a visit, rawResult that with the raw result of its work or
// the Error Output, -1 where there is none.
func (t *tracer) rawInput(visit *engine.Visit, i int) int {
	return t.lastIn(visit, i, func(e *engine.Event) bool {
		return e.Type == engine.StateEntered || (e.Type == engine.DataEdited && e.Stage == engine.StageInput)
	})
}

func (t *tracer) rawResult(visit *engine.Visit, i int) int {
	return t.lastIn(visit, i, func(e *engine.Event) bool {
		switch e.Type {
		case engine.TaskSucceeded, engine.ParallelSucceeded, engine.MapSucceeded, engine.ErrorCaught:
			return true
		case engine.DataEdited:
			return e.Stage == engine.StageResult
		default:
			return false
		}
	})
}

// effectiveOf returns the event with the effective input of a Map state's visit before event i, or -1.
func (t *tracer) effectiveOf(visit *engine.Visit, i int) int {
	if at, known := t.selected[visit]; known {
		return at
	}
	at := t.lastIn(visit, i, func(e *engine.Event) bool {
		switch e.Type {
		case engine.StageCompleted:
			return e.Stage == engine.StageInputPath
		case engine.DataEdited:
			return e.Stage == engine.StageInputPath || e.Stage == engine.StageInput
		default:
			return e.Type == engine.StateEntered
		}
	})
	if t.selected != nil {
		t.selected[visit] = at
	}
	return at
}

// executionInput returns the event with the input of the execution that a visit is in: of a distributed Map each iteration is
// one.
func (t *tracer) executionInput(visit *engine.Visit) int {
	for ; visit != nil && visit.Parent != nil; visit = visit.Parent {
		if !visit.Parent.State.Distributed() {
			continue
		}
		if i := t.threadStart(visit); i >= 0 {
			return i
		}
	}
	return 0
}

// threadStart returns the event with which the branch or iteration of a visit began, or -1.
func (t *tracer) threadStart(visit *engine.Visit) int {
	return t.last(int(visit.Entered), func(e *engine.Event) bool {
		return e.Thread == visit.Thread && (e.Type == engine.IterationStarted || e.Type == engine.BranchStarted)
	})
}

// variable returns the event of the Assign whose value a variable has at event i, or -1.
func (t *tracer) variable(i int, name string) int {
	event := t.at(i)
	if event.Type == engine.StageCompleted && event.Stage == engine.StageAssign && assigns(event, name) {
		return i
	}
	visit := event.Visit
	if visit == nil {
		return t.last(i+1, func(e *engine.Event) bool { return e.Thread == 0 && assigns(e, name) })
	}
	if event.Type == engine.StateExited {
		if own := t.lastIn(visit, i, func(e *engine.Event) bool { return assigns(e, name) }); own >= 0 && t.log.Exited(visit, own) {
			return own
		}
	}
	return t.variableOf(visit, name)
}

// assigns reports whether an event is an Assign of a variable.
func assigns(event *engine.Event, name string) bool {
	detail, ok := event.Detail.(*engine.AssignDetail)
	return ok && event.After != nil && detail.Assigned.Get(name) != nil
}

// variableOf returns the event of the Assign whose value a variable had when a visit began, or -1.
func (t *tracer) variableOf(visit *engine.Visit, name string) int {
	for ; visit != nil; visit = visit.Parent {
		for i := int(visit.Entered) - 2; i >= 0; i-- {
			if event := t.at(i); event.Thread == visit.Thread && assigns(event, name) && t.log.Exited(event.Visit, i) {
				return i
			}
		}
		if visit.Parent != nil && visit.Parent.State.Distributed() {
			break
		}
	}
	return -1
}

// walker builds a way back.
type walker struct {
	*tracer
	lens  *Lens
	route *route

	seen  map[nodePlace]*Node // the nodes of the tree, with those that a loop repeats
	above map[movement]*Node  // the nodes above the current one
	below map[childMovement]*Node

	nodes, steps, evaluations int
	cut                       bool
}

// nodePlace is a node's event and path.
type nodePlace struct {
	event int
	to    string
}

// movement is what a field does: in a loop it does the same again.
type movement struct {
	state    *asl.State
	stage    engine.Stage
	kind     Kind
	field    string
	from, to string
}

type childMovement struct {
	parent *Node
	movement
}

func newTracer(log *runlog.Log) *tracer {
	return &tracer{
		log: log, given: make(map[given]int), ended: make(map[int][]int), selected: make(map[*engine.Visit]int), items: make(map[int]itemPlace),
	}
}

func newWalker(l *Lens) *walker {
	return &walker{
		tracer: newTracer(l.Log), lens: l, route: newRoute(l.Log),
		seen: make(map[nodePlace]*Node), above: make(map[movement]*Node), below: make(map[childMovement]*Node),
	}
}

// movementOf returns what a node's field does.
func movementOf(n *Node) movement {
	m := movement{stage: n.Stage, kind: n.Kind, field: n.Field, from: n.From, to: n.To}
	if n.Kind == Computed {
		m.from = "" // in a loop each operand leads there
	}
	if n.Visit != nil {
		m.state = n.Visit.State
	}
	return m
}

// textOf writes a place as a path. Of variables it begins with the variable.
func (t *tracer) textOf(p place) string {
	if event := t.at(p.event); len(p.segments) > 0 && event.Type == engine.StageCompleted && event.Stage == engine.StageAssign {
		return variableText(p.segments)
	}
	return pathText(p.segments)
}

// node makes the node of a hop.
func (w *walker) node(hop *Hop, p place) *Node {
	event := w.at(hop.Event)
	field := w.fieldAt(hop.Event, p.segments)
	return &Node{
		Kind: hop.Kind, Event: hop.Event, Visit: event.Visit, Stage: event.Stage, Field: field, Place: placeOf(event, field),
		Expression: hop.Expression, From: hop.From, To: w.textOf(p), Value: hop.Value, Count: 1,
	}
}

// leaf makes a node with which a way ends at an event although its value is not in the data of one.
func (w *walker) leaf(kind Kind, p place, text string, v value.Value) *Node {
	event := w.at(p.event)
	w.nodes++
	return &Node{Kind: kind, Event: p.event, Visit: event.Visit, Stage: event.Stage, Expression: text, To: text, Value: v, Count: 1}
}

// follow adds below parent the nodes of the way back from a place.
func (w *walker) follow(p place, parent *Node) {
	var walked []movement
	defer func() {
		for _, m := range walked {
			delete(w.above, m)
		}
	}()
	var on onward
	for {
		if w.steps++; w.steps > maxSteps || w.nodes >= maxNodes {
			w.cut = true
			return
		}
		w.route.pass(w.tracer, p, &on)
		next, more := w.step(p)
		if more && len(w.hops) == 0 && !value.Equal(w.value(p), w.value(next)) {
			next, more = w.end(Unknown, p, "")
		}
		if len(w.hops) == 0 {
			w.route.leave(w.tracer, p, next, &on)
			p = next
			continue
		}
		n := w.node(&w.hops[len(w.hops)-1], p)
		switch {
		case more && n.Kind != ChangedInside && !value.Equal(n.Value, w.value(next)):
			n.Kind, n.From, more = Unknown, "", false
		case more && n.From != "":
			n.From = w.textOf(next)
		}
		w.hops = w.hops[:0]
		key := nodePlace{n.Event, n.To}
		if w.seen[key] != nil {
			w.again(n, parent)
			return
		}
		m := movementOf(n)
		switch turn, sibling := w.above[m], w.below[childMovement{parent, m}]; {
		case turn != nil:
			turn.Count++
			w.seen[key] = turn
		case sibling != nil:
			sibling.Count++
			w.seen[key] = sibling
			parent = sibling
			w.above[m] = sibling
			walked = append(walked, m)
		default:
			w.nodes++
			w.seen[key] = n
			w.below[childMovement{parent, m}] = n
			parent.Children = append(parent.Children, n)
			parent = n
			w.above[m] = n
			walked = append(walked, m)
		}
		operands := w.operands(n, p)
		if n.Visit != nil {
			role := Moves
			if !more && len(operands) == 0 {
				role = Makes
			}
			w.route.passage(n.Visit).raise(role)
		}
		if len(operands) > 0 {
			for i := range operands {
				w.followOperand(&operands[i], parent, p)
			}
			return
		}
		if !more {
			return
		}
		w.route.leave(w.tracer, p, next, &on)
		p = next
	}
}

// again adds a node that is in the tree already, unless it is above: then it is a loop.
func (w *walker) again(n, parent *Node) {
	m := movementOf(n)
	if w.above[m] != nil || w.below[childMovement{parent, m}] != nil {
		return
	}
	w.nodes++
	n.Again = true
	w.below[childMovement{parent, m}] = n
	parent.Children = append(parent.Children, n)
}

// followOperand follows an operand of an expression at p.
func (w *walker) followOperand(o *operand, parent *Node, p place) {
	had := len(parent.Children)
	switch {
	case o.known:
		w.route.jump(w.tracer, p.event, o.place)
		w.follow(o.place, parent)
	default:
		n := w.leaf(o.kind, place{event: p.event}, o.text, o.value)
		m := movementOf(n)
		if known := w.below[childMovement{parent, m}]; known != nil {
			w.nodes--
			known.Count++
			return
		}
		w.below[childMovement{parent, m}] = n
		parent.Children = append(parent.Children, n)
	}
	for _, n := range parent.Children[had:] {
		if n.Operand == "" {
			n.Operand = o.text
		}
	}
}

// step is [tracer.step], but for variables that an Assign left as they were.
func (w *walker) step(p place) (place, bool) {
	event := w.at(p.event)
	if event.Type != engine.StageCompleted || event.Stage != engine.StageAssign || len(p.segments) == 0 ||
		p.segments[0].Kind != path.NameSegment || assigns(event, p.segments[0].Name) {
		return w.tracer.step(p)
	}
	if at := w.variableOf(event.Visit, p.segments[0].Name); at >= 0 {
		return w.pass(p, at)
	}
	return w.end(Unknown, p, "")
}
