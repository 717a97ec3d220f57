package provenance

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Lens follows values through a run: back to all their origins, forward to all their uses, and to the event that lost
// them.
//
// Its methods take the index of an event, from 0, and a Reference Path in the data of that event: the data after it, or
// before it where it has no others, or the data of the newest event of the visit that has some. Paths may begin with a
// variable, with $$, and in JSONata with $states.input, $states.result, $states.errorOutput and $states.context. The
// errors are a *[path.SyntaxError], a *[ManyError], a *[NoDataError], and a *[path.MissError] where there is no such
// value.
type Lens struct {
	Log *runlog.Log
	// Explainer does evaluations again to learn which operands a JSONata expression read. Without one, or where it
	// cannot, these are all that the expression names.
	Explainer *Explainer
	// Limit is the greatest number of nodes in a Way: 0 is [DefaultLimit], less than 0 is none.
	Limit int

	pause func(*walker) bool // ends a slice of a [Search], and reports whether it continues; nil where it takes none
}

// LensOf returns the lens over a run that can do its evaluations again.
func LensOf(run interface {
	Log() *runlog.Log
	Explainer() *Explainer
}) *Lens {
	return &Lens{Log: run.Log(), Explainer: run.Explainer()}
}

// DefaultLimit is the greatest number of nodes of a [Way] where a [Lens] has no other.
const DefaultLimit = 20

// Way is everything that a value went along: on its way from its origins, or on its way to its uses.
type Way struct {
	// Event, Path and Value are the value that is followed: the index of the event with its data, from 0, its place in
	// them, and itself.
	Event int
	Path  string
	Value value.Value
	// Forward is set of a way to the uses of a value.
	Forward bool
	// Nodes are the roots of the tree. Backward it is one: the newest event that made, moved or put the value. Forward
	// these are the events that first read it.
	Nodes []*Node
	// Total is the number of nodes before folding. Cut is set where the search was ended at its bound, so that there
	// are more.
	Total int
	Cut   bool
	// Hints say which kind of value the field takes that read the value in vain.
	Hints []Hint
	// Passages are the visits of states on the way, in the order of their entry, and Edges the transitions between them.
	Passages []*Passage
	Edges    []*Edge
}

// Node is one event on a way, with the field that did it.
type Node struct {
	Kind Kind
	// Event is the index of the event, from 0; -1 of a Folded node. Visit and Stage are the event's.
	Event int
	Visit *engine.Visit
	Stage engine.Stage
	// Field is the field of the state that did it, as [asl.State.Place] takes it ("Parameters/amount.$",
	// "Catch[0]/ResultPath"); it is named also where the definition leaves it out and its default did it. It is empty
	// where no field did.
	Field string
	// Place is where the field is in the definition, or the name of the state where it has no such field; nil where
	// Field is empty.
	Place *asl.Place
	// Expression is the path or the expression in the field; empty where the field is an object or a list of several.
	Expression string
	// Operand is the operand of the node above that this node leads to, as its expression has it; empty elsewhere.
	Operand string
	// From is the path of the value in the data before it was moved, or dropped; empty where neither happened. To is its
	// path in the data of the event, where it is Value; of a Dropped node it is empty. Among the variables of an Assign
	// both begin with the variable, and To does of a variable that was Read.
	From, To string
	Value    value.Value
	// Count is how often the same field moved the same path in turn: of a loop, the node is of the newest turn (forward:
	// of the first).
	Count int
	// Again is set where the same node is elsewhere in the tree too, with the nodes below it.
	Again bool
	// Hidden is the number of nodes that a Folded node hides. Below it are ends of the ways that it hides.
	Hidden int
	// Children are backward the nodes that the value is of, forward those that it went on to.
	Children []*Node

	last int // forward: the event that was counted last
}

// Role is the part that a state had on a way.
type Role uint8

// The roles, the least important first.
const (
	// Carried: the value was where it had been.
	Carried Role = iota + 1
	// Moves: the state moved the value, or computed another of it.
	Moves
	// Reads: the state read the value, and it went no further from there.
	Reads
	// Makes: the value began in the state.
	Makes
	// Loses: the value was lost in the state.
	Loses
	// Lacks: the state was reached without the value.
	Lacks
	// WouldMake: the state makes the value, but did not in this run.
	WouldMake
)

var roleNames = [...]string{
	Carried: "carried", Moves: "moved", Reads: "read", Makes: "made", Loses: "lost", Lacks: "missing",
	WouldMake: "wouldMake",
}

// String returns "carried", "moved", "read", "made", "lost", "missing" or "wouldMake".
func (r Role) String() string { return wording.KindName(roleNames[:], r) }

// Passage is a visit of a state on a way.
type Passage struct {
	Visit *engine.Visit
	Role  Role
	// In are the paths at the state's input, Out those at its output. Of variables they begin with the variable. There are
	// several where several values went through.
	In, Out []string
	// Lost is the loss, of Loses; else nil.
	Lost *Loss
}

// EdgeKind is how a value went from one state to another.
type EdgeKind uint8

// The kinds of edges.
const (
	ByNext     EdgeKind = iota + 1 // Next of a state
	ByRule                         // the rule Index of a Choice state, from 0
	ByDefault                      // Default of a Choice state
	ByCatcher                      // the catcher Index, from 0
	IntoChild                      // from a Parallel or Map state into its branch or iteration Index
	OutOfChild                     // out of the branch or iteration Index to its Parallel or Map state
)

var edgeNames = [...]string{ByNext: "next", ByRule: "rule", ByDefault: "default", ByCatcher: "catcher", IntoChild: "into", OutOfChild: "outOf"}

// String returns "next", "rule", "default", "catcher", "into" or "outOf".
func (k EdgeKind) String() string { return wording.KindName(edgeNames[:], k) }

// Edge is a transition that a value went along.
type Edge struct {
	Kind     EdgeKind
	Index    int
	From, To *engine.Visit
	// Paths are the paths that the value had.
	Paths []string
	// Lost is set where it was lost before: the run went along the edge without the value.
	Lost bool
}

// Transition returns the edge's place in [asl.State.Edges] of its first state; ok is false for edges into and out of
// branches and iterations.
func (e *Edge) Transition() (edge int, ok bool) {
	kind := asl.EdgeNext
	switch e.Kind {
	case ByNext:
	case ByRule:
		kind = asl.EdgeChoice
	case ByDefault:
		kind = asl.EdgeDefault
	case ByCatcher:
		kind = asl.EdgeCatch
	case IntoChild, OutOfChild:
		return 0, false
	}
	return e.From.State.EdgeTo(kind, e.Index)
}

// All iterates over the nodes of the tree with their depth, from 0, each before those below it.
func (w *Way) All() iter.Seq2[int, *Node] {
	return func(yield func(int, *Node) bool) {
		for _, n := range w.Nodes {
			if !n.all(0, yield) {
				return
			}
		}
	}
}

func (n *Node) all(depth int, yield func(int, *Node) bool) bool {
	if !yield(depth, n) {
		return false
	}
	return !slices.ContainsFunc(n.Children, func(child *Node) bool { return !child.all(depth+1, yield) })
}

// StatePart is the part that one state of the definition had on a way, all its visits taken together.
type StatePart struct {
	State *asl.State
	// Role is the most important one, Visits the number of visits on the way.
	Role   Role
	Visits int
	// In and Out are the paths at its input and output, each once, of no more than a few visits.
	In, Out []string
	// Lost is the loss, or nil.
	Lost *Loss
}

// maxPaths bounds the paths that are listed of a state.
const maxPaths = 8

// States returns the states of the definition on the way, in the order of their first visits.
func (w *Way) States() []StatePart { return statesOf(w.Passages) }

func statesOf(passages []*Passage) []StatePart {
	var parts []StatePart
	places := make(map[*asl.State]int)
	for _, passage := range passages {
		at, known := places[passage.Visit.State]
		if !known {
			at = len(parts)
			places[passage.Visit.State] = at
			parts = append(parts, StatePart{State: passage.Visit.State})
		}
		part := &parts[at]
		part.Visits++
		part.Role = max(part.Role, passage.Role)
		if passage.Lost != nil {
			part.Lost = passage.Lost
		}
		part.In, part.Out = union(part.In, passage.In), union(part.Out, passage.Out)
	}
	return parts
}

func union(paths, more []string) []string {
	for _, text := range more {
		if len(paths) >= maxPaths {
			break
		}
		paths = once(paths, text)
	}
	return paths
}

// ManyError says that a path names several places; only one at a time is followed.
type ManyError struct {
	// Path is the path, Segment the part of it that names several places ("[*]").
	Path, Segment string
}

// Error implements error.
func (e *ManyError) Error() string {
	return fmt.Sprintf("%s can name several values, because of %s: follow one of them, by its name or index", e.Path, e.Segment)
}

// parsePath reads a path that can be followed.
func parsePath(text string) (*path.Path, error) {
	parsed, err := path.Parse(text)
	if err != nil {
		return nil, err
	}
	for i := range parsed.Len() {
		if kind := parsed.Segment(i).Kind; kind != path.NameSegment && kind != path.IndexSegment {
			end := len(text)
			if i+1 < parsed.Len() {
				end = parsed.Offset(i + 1)
			}
			return nil, &ManyError{Path: text, Segment: strings.TrimSpace(text[parsed.Offset(i):end])}
		}
	}
	if err := parsed.CheckReference(); err != nil {
		return nil, err
	}
	return parsed, nil
}

// once adds a text to a list that does not have it yet.
func once(list []string, text string) []string {
	for _, known := range list {
		if known == text {
			return list
		}
	}
	return append(list, text)
}
