// Package provenance says where a value in a run came from: which stage moved it, which task, input or field of the
// definition it is of, and which expressions made it. It asks the log of the run.
package provenance

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"asldb/engine"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/value"
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
	// Folded, of a [Way] only: it stands for nodes that are not shown.
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
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Hop is one step of a value on its way.
type Hop struct {
	Kind Kind
	// Event is the index of the event that did it, from 0.
	Event int
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
		if p.event = t.gave(source, document); p.event < 0 {
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

// LastChange returns the index of the event that last changed the value at a path of the data of event i: that put it
// there, made it, or put something into it. The errors are those of [Of].
func LastChange(log *runlog.Log, i int, text string) (int, error) {
	hops, err := Of(log, i, text)
	if err != nil {
		return -1, err
	}
	if len(hops) == 0 {
		return -1, &NoDataError{Event: i}
	}
	return hops[0].Event, nil
}

// Before returns the index of the event whose data after it are those before event i, -1 where there is none.
func Before(log *runlog.Log, i int) int {
	if i < 0 || i >= log.Len() || log.At(i).Before == nil {
		return -1
	}
	t := &tracer{log: log}
	return t.gave(i, log.At(i).Before)
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
	// given and ended keep the answers of gave and ends where many values are followed; nil where one is.
	given map[given]int
	ended map[int][]int
	// selected and items keep the effective inputs of Map states, and the items that their ItemSelectors were evaluated for.
	selected map[*engine.Visit]int
	items    map[int]itemPlace
	// pause is called after every so many events that scan counts in scanned; nil where nothing is searched in slices.
	pause   func(event int)
	scanned int
}

// itemPlace is the event with a list, and the number of an item in it.
type itemPlace struct{ list, index int }

// given is a question to gave: the data before or after an event.
type given struct {
	event  int
	before bool
}

func (t *tracer) at(i int) *engine.Event { return t.log.At(i) }

// value returns the value at a place, or nil.
func (t *tracer) value(p place) value.Value { return lookUp(t.at(p.event).After, p.segments) }

// end adds the last hop.
func (t *tracer) end(kind Kind, p place, expression string) (place, bool) {
	t.hops = append(t.hops, Hop{Kind: kind, Event: p.event, Expression: expression, To: pathText(p.segments), Value: t.value(p)})
	return place{}, false
}

// move adds a hop from another place, unless that is not known.
func (t *tracer) move(kind Kind, p place, expression string, from place) (place, bool) {
	if from.event < 0 {
		return t.end(Unknown, p, expression)
	}
	t.hops = append(t.hops, Hop{
		Kind: kind, Event: p.event, Expression: expression, From: pathText(from.segments), To: pathText(p.segments), Value: t.value(p),
	})
	return from, true
}

// pass goes on without a hop: the value was already there.
func (t *tracer) pass(p place, event int) (place, bool) {
	if event < 0 {
		return t.end(Unknown, p, "")
	}
	return place{event: event, segments: p.segments}, true
}

// step goes from where a value is to where it was before.
func (t *tracer) step(p place) (place, bool) {
	event := t.at(p.event)
	switch event.Type {
	case engine.ExecutionStarted:
		return t.end(Input, p, "")
	case engine.StateEntered:
		return t.pass(p, t.intoState(p.event))
	case engine.BranchStarted:
		return t.pass(p, t.gave(p.event, event.After))
	case engine.IterationStarted:
		return t.intoIteration(p)
	case engine.TaskSucceeded, engine.TaskSubmitted:
		return t.end(Result, p, resourceOf(event))
	case engine.ParallelSucceeded, engine.MapSucceeded:
		return t.outOfChildren(p)
	case engine.BranchSucceeded, engine.IterationSucceeded:
		return t.pass(p, t.last(p.event, func(e *engine.Event) bool {
			return e.Type == engine.StateExited && e.Thread == event.Thread
		}))
	case engine.ExecutionSucceeded:
		return t.pass(p, t.last(p.event, func(e *engine.Event) bool { return e.Type == engine.StateExited && e.Thread == 0 }))
	case engine.ErrorCaught:
		return t.end(Error, p, "")
	case engine.DataEdited:
		if v := lookUp(event.Before, p.segments); v != nil && value.Identical(v, t.value(p)) {
			return t.pass(p, t.gave(p.event, event.Before))
		}
		return t.end(Edited, p, "")
	case engine.StageCompleted:
		return t.stage(p)
	default:
		return t.pass(p, t.gave(p.event, event.After))
	}
}

func resourceOf(event *engine.Event) string {
	if event.Visit == nil {
		return ""
	}
	return event.Visit.State.Resource
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

// lastIn returns the newest event of a visit before i that fits, or -1.
func (t *tracer) lastIn(visit *engine.Visit, i int, fits func(*engine.Event) bool) int {
	for i--; i >= int(visit.Entered)-1; i-- {
		if event := t.at(i); event.Visit == visit && fits(event) {
			return i
		}
	}
	return -1
}

// gives reports whether the next stage of the visit reads the data after an event.
func gives(event *engine.Event) bool {
	switch {
	case event.After == nil:
		return false
	case event.Type == engine.StageCompleted:
		return event.Stage != engine.StageAssign
	case event.Type == engine.TaskScheduled, event.Type == engine.TaskSubmitted, event.Type == engine.BranchStarted, event.Type == engine.IterationStarted,
		event.Type == engine.BranchSucceeded, event.Type == engine.IterationSucceeded:
		return false
	}
	return true
}

// gave returns the event of the same visit before i that left v behind, or else the newest one that left anything;
// -1 where there is none. v are the data before or after event i.
func (t *tracer) gave(i int, v value.Value) int {
	key := given{i, t.at(i).Before != nil && value.Identical(v, t.at(i).Before)}
	if at, known := t.given[key]; known {
		return at
	}
	at := t.gaveTo(i, v)
	if t.given != nil {
		t.given[key] = at
	}
	return at
}

func (t *tracer) gaveTo(i int, v value.Value) int {
	visit, newest, alike := t.at(i).Visit, -1, -1
	if visit == nil {
		return -1
	}
	for j := i - 1; j >= int(visit.Entered)-1; j-- {
		event := t.at(j)
		if event.Visit != visit || !gives(event) {
			continue
		}
		if value.Identical(event.After, v) {
			return j
		}
		if alike < 0 && t.log.Same(event.After, v) {
			alike = j
		}
		if newest < 0 && event.Thread == visit.Thread {
			newest = j
		}
	}
	if alike >= 0 {
		return alike
	}
	return newest
}

// intoState returns the event that led to the entry of a state.
func (t *tracer) intoState(i int) int {
	entered := t.at(i)
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

// intoIteration goes from an iteration's input to its item.
func (t *tracer) intoIteration(p place) (place, bool) {
	event := t.at(p.event)
	detail, _ := event.Detail.(*engine.ThreadDetail)
	for i := p.event - 1; i >= int(event.Visit.Entered); i-- {
		earlier := t.at(i)
		if earlier.Visit != event.Visit || earlier.After == nil {
			continue
		}
		if earlier.Type == engine.StageCompleted && earlier.Stage == engine.StageParameters && t.log.Same(earlier.After, event.After) {
			return t.pass(p, i)
		}
		if list, ok := earlier.After.(*value.Array); ok && detail != nil && detail.Index < list.Len() &&
			earlier.Stage != engine.StageAssign && t.log.Same(list.At(detail.Index), event.After) {
			from := append([]path.Segment{{Kind: path.IndexSegment, Index: detail.Index}}, p.segments...)
			return t.move(Moved, p, "", place{event: i, segments: from})
		}
	}
	return t.end(Unknown, p, "")
}

// outOfChildren goes from the results of a Parallel or Map state to that of one branch or iteration.
func (t *tracer) outOfChildren(p place) (place, bool) {
	event := t.at(p.event)
	if len(p.segments) == 0 || p.segments[0].Kind != path.IndexSegment {
		return t.end(Computed, p, "")
	}
	wanted := p.segments[0].Index
	list, _ := event.After.(*value.Array)
	if list == nil || wanted >= list.Len() {
		return t.end(Unknown, p, "")
	}
	if ends := t.ends(p.event); wanted < len(ends) {
		return t.move(Gathered, p, "", place{event: ends[wanted], segments: p.segments[1:]})
	}
	return t.end(Unknown, p, "")
}

// ends returns the ends of the branches or iterations that gave the results of event i, in the order of the results.
// Iterations that failed and were tolerated have no place among them.
func (t *tracer) ends(i int) []int {
	if list, known := t.ended[i]; known {
		return list
	}
	event := t.at(i)
	ends := make(map[int]int)
	for at := i - 1; at >= int(event.Visit.Entered); at-- {
		earlier := t.at(at)
		if earlier.Type == engine.RetryStarted && earlier.Visit == event.Visit {
			break
		}
		if detail, ok := earlier.Detail.(*engine.ThreadDetail); ok && earlier.Visit == event.Visit &&
			(earlier.Type == engine.BranchSucceeded || earlier.Type == engine.IterationSucceeded) {
			ends[detail.Index] = at
		}
	}
	list := make([]int, 0, len(ends))
	for _, index := range slices.Sorted(maps.Keys(ends)) {
		list = append(list, ends[index])
	}
	if t.ended != nil {
		t.ended[i] = list
	}
	return list
}
