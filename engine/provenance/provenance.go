// Package provenance says where a value in a run came from: which stage moved it, which task, input or field of the
// definition it is of, and which expressions made it. It asks the log of the run.
package provenance

import (
	"cmp"
	"iter"
	"slices"
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Kind is the kind of a [Hop].
type Kind uint8

// The kinds of hops and of the nodes of a [Way]. From Input on they end a chain.
const (
	// Moved: a stage took the value from another place, or put it there.
	Moved Kind = iota + 1
	// ChangedInside: ResultPath put something into the value; the rest of it is older.
	ChangedInside
	// Gathered: the value is the result of a branch or an iteration.
	Gathered
	// Input: it came with the execution's input.
	Input
	// Result: a task gave it.
	Result
	// Literal: the definition holds it.
	Literal
	// Context: it is of the context object.
	Context
	// Computed: an expression or a function made it, perhaps of several values.
	Computed
	// Error: it is of an Error Output.
	Error
	// Edited: the user edited it.
	Edited
	// Object: an ItemReader read it.
	Object
	// Unknown: its way before is not known.
	Unknown
	// Folded, of a [Way] only: it replaces nodes that are not shown.
	Folded
	// Read, of a way forward only: a rule of a Choice state, a bound or a time of a state, or an error of a Fail state
	// was read from it.
	Read
	// Sent, of a way forward only: a task was given it.
	Sent
	// Output, of a way forward only: it is part of the execution's output.
	Output
	// Dropped, of a way forward only: the stage left it out.
	Dropped
)

var kindNames = [...]string{
	Moved: "moved", ChangedInside: "changedInside", Gathered: "gathered", Input: "input", Result: "result", Literal: "literal",
	Context: "context", Computed: "computed", Error: "error", Edited: "edited", Object: "object", Unknown: "unknown", Folded: "folded",
	Read: "read", Sent: "sent", Output: "output", Dropped: "dropped",
}

// String returns the kind's name as JSON has it, "changedInside" for example.
func (k Kind) String() string { return wording.KindName(kindNames[:], k) }

// Hop is one step of a value on its way.
type Hop struct {
	Kind Kind
	// Event is the index of the event that did it, from 0.
	Event int
	// Field is the field of the state that did it, as [asl.State.Place] takes it, or empty.
	Field string
	// Expression is the expression in the definition, "$.order.total" for example, or empty.
	Expression string
	// From is the JSONPath of the value in the data before the stage, To that in the data after it. From is empty
	// where the chain ends.
	From, To string
	// Value is the value after the stage.
	Value value.Value
}

// maxHops bounds a chain; a loop can hand a value on without end.
const maxHops = 1000

// Of follows the value at a path of the data of event i, counted from 0, back to its origin: the newest hop first, the
// last one says how it came into the run. The data of an event are those after it, or those before it where it has no
// others. Stages that left the value where it was have no hop. The errors are a
// *[path.SyntaxError], and a *[path.MissError] where there is no such value.
func Of(log *runlog.Log, i int, text string) ([]Hop, error) {
	at, err := path.ParseReference(text)
	if err != nil {
		return nil, err
	}
	t := &tracer{log: log}
	source := -1
	if i >= 0 && i < log.Len() {
		source = log.DataAt(i)
	}
	if source < 0 {
		return nil, &NoDataError{Event: i}
	}
	event := log.At(source)
	document := cmp.Or(event.After, event.Before)
	if _, err := at.Get(&path.Roots{Data: document}); err != nil {
		return nil, err
	}
	p := place{event: source, segments: segmentsOf(at)}
	if event.After == nil {
		if p.event = t.gave(source); p.event < 0 {
			return []Hop{{Kind: Unknown, Event: source, To: text}}, nil
		}
	}
	for range maxHops {
		next, more := t.step(p)
		if !more {
			break
		}
		p = next
	}
	return t.hops, nil
}

// Before returns the index of the event whose data after it are those before event i, -1 where there is none.
func Before(log *runlog.Log, i int) int {
	if i < 0 || i >= log.Len() || log.At(i).Before == nil {
		return -1
	}
	t := &tracer{log: log}
	return t.gave(i)
}

// NoDataError says that an event, counted from 0, has no data to follow.
type NoDataError struct{ Event int }

// Error implements error.
func (e *NoDataError) Error() string {
	return "event " + strconv.Itoa(e.Event+1) + " has no data that could be followed"
}

// place is the place of a value: in the data after an event.
type place struct {
	event    int
	segments []path.Segment
}

// tracer follows one value back.
type tracer struct {
	log  *runlog.Log
	hops []Hop
	// ended, selected and works keep the ends of branches and iterations, the effective inputs of Map states, and their
	// work, where many values are followed; nil where one is.
	ended    map[int][]int
	selected map[*engine.Visit]int
	works    map[*engine.Visit]*work
	// owned has the events of the visits that are not over, and leads the events that led to the next state of each
	// thread, where the log is gone through in its order.
	owned map[*engine.Visit][]int
	leads map[engine.ThreadID]int
	// pause is called after every so many events that scan counts in scanned; nil where nothing is searched in slices.
	pause   func(event int)
	scanned int
	// text is the path of segments: a value stays at one for long.
	segments []path.Segment
	text     string
}

// pathOf is pathText, which it remembers.
func (t *tracer) pathOf(segments []path.Segment) string {
	if t.text == "" || !slices.Equal(t.segments, segments) {
		t.segments, t.text = segments, pathText(segments)
	}
	return t.text
}

func (t *tracer) at(i int) *engine.Event { return t.log.At(i) }

// value returns the value at a place, or nil.
func (t *tracer) value(p place) value.Value { return lookUp(t.at(p.event).After, p.segments) }

// end adds the last hop.
func (t *tracer) end(kind Kind, p place, expression string) (place, bool) {
	t.hop(kind, p, expression, "")
	return place{}, false
}

// hop adds a hop.
func (t *tracer) hop(kind Kind, p place, expression, from string) {
	t.hops = append(t.hops, Hop{
		Kind: kind, Event: p.event, Field: t.fieldAt(p.event, p.segments), Expression: expression, From: from,
		To: pathText(p.segments), Value: t.value(p),
	})
}

// move adds a hop from another place, unless that is not known.
func (t *tracer) move(kind Kind, p place, expression string, from place) (place, bool) {
	if from.event < 0 {
		return t.end(Unknown, p, expression)
	}
	t.hop(kind, p, expression, pathText(from.segments))
	return from, true
}

// pass continues without a hop: the value was already there.
func (t *tracer) pass(p, from place) (place, bool) {
	if from.event < 0 {
		return t.end(Unknown, p, "")
	}
	return from, true
}

// step goes from where a value is to where it was before, along the first link that has it.
func (t *tracer) step(p place) (place, bool) {
	list := t.links(p.event, p.segments)
	for k := range list {
		l := &list[k]
		from, ok := l.placeBefore(p.segments)
		switch {
		case !ok || l.lost != NeverThere, l.checked && !t.isAt(p, from):
		case l.hole != nil && hasSegments(l.hole, p.segments) && len(l.hole) > 0: // the hole is inside of it
			if from.event >= 0 && t.value(from) != nil {
				return t.move(ChangedInside, p, l.text, from)
			}
			return t.end(Computed, p, l.text)
		case l.kind == 0:
			return t.pass(p, from)
		case l.kind == Computed:
			return t.computed(p, l)
		case l.kind == Moved || l.kind == Gathered:
			return t.move(l.kind, p, l.text, from)
		default:
			return t.end(l.kind, p, l.text)
		}
	}
	return t.end(Unknown, p, "")
}

// isAt reports whether the value at a place is the one at another.
func (t *tracer) isAt(p, from place) bool {
	if from.event < 0 {
		return false
	}
	a, b := t.value(p), t.value(from)
	return a != nil && b != nil && (t.log.Same(a, b) || t.at(p.event).Type != engine.DataEdited && value.Equal(a, b))
}

// computed ends at an expression, unless the very same value is in the documents that it reads.
func (t *tracer) computed(p place, l *link) (place, bool) {
	for _, document := range t.documents(p.event, l.part) {
		if found := t.findIn(document, t.value(p)); found != nil {
			return t.move(Moved, p, l.text, place{event: document, segments: *found})
		}
	}
	return t.end(Computed, p, l.text)
}

// documents returns the events of whose data a leaf may give a part unchanged.
func (t *tracer) documents(i int, part *asl.Move) []int {
	switch visit := t.at(i).Visit; {
	case part == nil:
		return nil
	case part.Kind == asl.MoveGather:
		return []int{t.register(i, &part.From[0]).event}
	case part.Expression != nil:
		return []int{t.resultOf(visit, i), t.rawInput(visit, i)}
	}
	return nil
}

// last returns the newest event before i that fits, or -1.
func (t *tracer) last(i int, fits func(*engine.Event) bool) int {
	for i--; i >= 0; i-- {
		if fits(t.at(i)) {
			return i
		}
	}
	return -1
}

// gave returns the event whose data after it are those before event i, or -1.
func (t *tracer) gave(i int) int {
	if event := t.at(i); event.Type != engine.DataEdited {
		return t.holder(event.Visit, i, asl.RegisterOutput, event.Before)
	}
	return t.edited(i)
}

// eventsBefore iterates over the events of a visit before event i, the newest first.
func (t *tracer) eventsBefore(visit *engine.Visit, i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if list, known := t.owned[visit]; known {
			for _, at := range slices.Backward(list) {
				if at < i && !yield(at) {
					return
				}
			}
			return
		}
		for at := i - 1; visit != nil && at >= int(visit.Entered)-1; at-- {
			if t.at(at).Visit == visit && !yield(at) {
				return
			}
		}
	}
}

// lastIn returns the newest event of a visit before i that fits, or -1.
func (t *tracer) lastIn(visit *engine.Visit, i int, fits func(*engine.Event) bool) int {
	for at := range t.eventsBefore(visit, i) {
		if fits(t.at(at)) {
			return at
		}
	}
	return -1
}

// intoState returns the event that led to the entry of a state.
func (t *tracer) intoState(i int) int {
	entered := t.at(i)
	if at, known := t.leads[entered.Thread]; known {
		return at
	}
	return t.last(i, func(e *engine.Event) bool {
		switch e.Type {
		case engine.StateExited:
			return e.Thread == entered.Thread
		case engine.DataEdited:
			return e.Thread == entered.Thread && e.Stage == engine.StageInput
		case engine.BranchStarted, engine.IterationStarted:
			return e.Thread == entered.Thread
		case engine.ExecutionStarted:
			return entered.Thread == 0
		default:
			return false
		}
	})
}

// ends returns the ends of the branches or iterations that gave the results of event i, in the order of the results.
// Iterations that failed and were tolerated have no place among them.
func (t *tracer) ends(i int) []int {
	if list, known := t.ended[i]; known {
		return list
	}
	event := t.at(i)
	var list []int // by the number of the branch or iteration
	for at := i - 1; at >= int(event.Visit.Entered); at-- {
		earlier := t.at(at)
		if earlier.Type == engine.RetryStarted && earlier.Visit == event.Visit {
			break
		}
		if detail, ok := earlier.Detail.(*engine.ThreadDetail); ok && earlier.Visit == event.Visit &&
			(earlier.Type == engine.BranchSucceeded || earlier.Type == engine.IterationSucceeded) {
			for len(list) <= detail.Index {
				list = append(list, -1)
			}
			list[detail.Index] = at
		}
	}
	list = slices.DeleteFunc(list, func(at int) bool { return at < 0 })
	if t.ended != nil {
		t.ended[i] = list
	}
	return list
}
