package provenance

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"cmp"
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
	w.root, w.known = root, &Way{Event: from.event, Path: from.path, Value: from.value}
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

	// root is above the nodes of the tree, and known the way without them; nil before anything is known. come is the event
	// that the search has come to, and stopped is set where it is to end.
	root    *Node
	known   *Way
	come    int
	stopped bool
}

// nodePlace is a node's event and path.
type nodePlace struct {
	event int
	to    string
}

// movement is the work of a field on a value: in a loop it is done again.
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
		log: log, ended: make(map[int][]int), selected: make(map[*engine.Visit]int), works: make(map[*engine.Visit]*work),
	}
}

func newWalker(l *Lens) *walker {
	w := &walker{
		tracer: newTracer(l.Log), lens: l, route: newRoute(l.Log),
		seen: make(map[nodePlace]*Node), above: make(map[movement]*Node), below: make(map[childMovement]*Node),
	}
	if l.pause != nil {
		w.tracer.pause = w.endSlice
	}
	return w
}

// movementOf returns the movement of a node.
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
	return t.pathOf(p.segments)
}

// node makes the node of a hop.
func (w *walker) node(hop *Hop, p place) *Node {
	event := w.at(hop.Event)
	return &Node{
		Kind: hop.Kind, Event: hop.Event, Visit: event.Visit, Stage: event.Stage, Field: hop.Field, Place: placeOf(event, hop.Field),
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
		if !w.countStep(p.event) || w.steps > maxSteps || w.nodes >= maxNodes {
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
		under := w.attach(n, parent, &walked)
		if under == nil {
			return
		}
		parent = under
		operands := w.operands(n, p)
		if len(operands) == 1 && operands[0].moved {
			n.Kind, n.From = Moved, w.textOf(operands[0].place)
		}
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

// attach adds a node below another one, and returns the node under which its own origins come: an older one where a loop does
// the same again. It returns nil where these are in the tree already.
func (w *walker) attach(n, parent *Node, walked *[]movement) *Node {
	key, m := nodePlace{n.Event, n.To}, movementOf(n)
	if w.seen[key] != nil {
		w.repeatNode(n, parent)
		return nil
	}
	if turn := w.above[m]; turn != nil {
		turn.Count++
		w.seen[key] = turn
		return parent
	}
	if sibling := w.below[childMovement{parent, m}]; sibling != nil {
		sibling.Count++
		n = sibling
	} else {
		w.nodes++
		w.below[childMovement{parent, m}] = n
		parent.Children = append(parent.Children, n)
	}
	w.seen[key], w.above[m] = n, n
	*walked = append(*walked, m)
	return n
}

// repeatNode adds a node that is in the tree already, unless it is above: then it is a loop.
func (w *walker) repeatNode(n, parent *Node) {
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
		n.Operand = cmp.Or(n.Operand, o.text)
	}
}
