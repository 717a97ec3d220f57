package runlog

import (
	"asldb/engine"
	"asldb/engine/value"
)

// Member returns an event's member of a name that [Comparer.Events] gives, nil where it has none. Times are texts,
// durations numbers of seconds, and indexes count from 0, as in a trace.
func Member(event *engine.Event, name string) value.Value {
	if event == nil {
		return nil
	}
	switch name {
	case "before":
		return event.Before
	case "after":
		return event.After
	case "time":
		return value.String(engine.FormatInstant(event.At()))
	case "thread":
		return value.Int(int64(event.Thread))
	case "type":
		return value.String(event.Type.String())
	case "stage":
		return value.String(event.StageName())
	case "state":
		if event.Visit == nil {
			return nil
		}
		return value.String(event.Visit.Path())
	case "visit":
		if event.Visit == nil {
			return nil
		}
		return value.Int(int64(event.Visit.Number))
	}
	if event.Detail == nil {
		return nil
	}
	return value.Find(event.Detail.Members(), name)
}

// Exactly reports whether two values are written alike: numbers digit by digit, objects with their members in the same order.
// Two absent values are alike.
func Exactly(a, b value.Value) bool {
	var c Comparer
	return c.exactly(a, b)
}

// Comparer compares the events of two runs. It remembers pairs of values and visits that are the same, because the same
// data pass through many events. The zero Comparer is ready for use, by one goroutine at a time.
type Comparer struct {
	values pairs[value.Value]
	visits pairs[*engine.Visit]
	// same is the method exactly as a function, made once.
	same func(a, b value.Value) bool
}

// Prefix returns the number of events from the beginning on that are the same in both logs. The first n are taken to be.
func (c *Comparer) Prefix(a, b *Log, n int) int {
	for n < min(a.Len(), b.Len()) {
		if shared := a.SharedFrom(b, n); shared > 0 {
			n += shared // forks share their beginning
			continue
		}
		if len(c.Events(a.At(n), b.At(n))) > 0 {
			break
		}
		n++
	}
	return n
}

// Events returns the names of the members in which two events differ: "state", "visit", "type", "stage", "thread",
// "time", "before", "after", and the members of the events' [engine.Detail], such as "error", "until" or "resource".
// [Member] returns an event's member of such a name. The result is empty where the events are the same; sequence
// numbers and places in memory do not count.
func (c *Comparer) Events(a, b *engine.Event) []string {
	differs := c.placeDiffers(a, b)
	note := func(differ bool, name string) {
		if differ {
			differs = append(differs, name)
		}
	}
	note(a.Thread != b.Thread, "thread")
	note(a.Time != b.Time, "time")
	note(!c.exactly(a.Before, b.Before), "before")
	note(!c.exactly(a.After, b.After), "after")
	return append(differs, c.detailDiffers(a, b)...)
}

// placeDiffers names the differences in where two events belong.
func (c *Comparer) placeDiffers(a, b *engine.Event) []string {
	var differs []string
	switch {
	case a.Visit == b.Visit || c.visits.has(a.Visit, b.Visit):
	case a.Visit == nil || b.Visit == nil || !a.Visit.SamePlace(b.Visit):
		differs = append(differs, "state")
	case a.Visit.Number != b.Visit.Number:
		differs = append(differs, "visit")
	default:
		c.visits.add(a.Visit, b.Visit)
	}
	if a.Type != b.Type {
		differs = append(differs, "type")
	}
	if a.Stage != b.Stage {
		differs = append(differs, "stage")
	}
	return differs
}

func (c *Comparer) detailDiffers(a, b *engine.Event) []string {
	switch {
	case a.Detail == b.Detail || c.sameDetail(a.Detail, b.Detail):
		return nil
	case a.Type != b.Type:
		return nil // this says more than the members of their details
	}
	var differs []string
	ours, theirs := membersOf(a), membersOf(b)
	for _, member := range ours {
		other := value.Find(theirs, member.Key)
		if other != nil && member.Key == "cause" && sameCause(member.Value, other) {
			continue
		}
		if other == nil || !c.exactly(member.Value, other) {
			differs = append(differs, member.Key)
		}
	}
	for _, member := range theirs {
		if value.Find(ours, member.Key) == nil {
			differs = append(differs, member.Key)
		}
	}
	return differs
}

// sameCause reports whether two causes differ at most in the id of the event with which a state was entered. The id follows from
// the events before, and older versions of asldb counted some of them otherwise.
func sameCause(a, b value.Value) bool {
	first, ok := a.(value.String)
	second, isText := b.(value.String)
	return ok && isText && engine.CauseWithoutID(string(first)) == engine.CauseWithoutID(string(second))
}

// sameDetail compares two details without making members of them: most are the same.
func (c *Comparer) sameDetail(a, b engine.Detail) bool {
	if c.same == nil {
		c.same = c.exactly
	}
	return a != nil && a.Equal(b, c.same)
}

func membersOf(event *engine.Event) []value.Member {
	if event.Detail == nil {
		return nil
	}
	return event.Detail.Members()
}

// rememberedFrom is the number of members from which on it is remembered that two containers are the same.
const rememberedFrom = 3

func (c *Comparer) exactly(a, b value.Value) bool {
	if value.Identical(a, b) {
		return true
	}
	switch a := a.(type) {
	case *value.Object:
		b, ok := b.(*value.Object)
		return ok && a.Len() == b.Len() && c.all(a, b, a.Len(), func(i int) bool {
			x, y := a.At(i), b.At(i)
			return x.Key == y.Key && c.exactly(x.Value, y.Value)
		})
	case *value.Array:
		b, ok := b.(*value.Array)
		return ok && a.Len() == b.Len() && c.all(a, b, a.Len(), func(i int) bool { return c.exactly(a.At(i), b.At(i)) })
	case value.Number:
		b, ok := b.(value.Number)
		return ok && a.Text() == b.Text()
	}
	return false
}

// all reports whether all members of two containers are the same.
func (c *Comparer) all(a, b value.Value, length int, same func(i int) bool) bool {
	if length >= rememberedFrom && c.values.has(a, b) {
		return true
	}
	for i := range length {
		if !same(i) {
			return false
		}
	}
	if length >= rememberedFrom {
		c.values.add(a, b)
	}
	return true
}

// pairs is a set of pairs that remembers at least the newest ones.
type pairs[T comparable] struct {
	last       [2]T
	young, old map[[2]T]struct{}
}

// rememberedPairs is how many pairs are remembered at least; twice as many at most.
const rememberedPairs = 1 << 12

func (p *pairs[T]) has(a, b T) bool {
	pair := [2]T{a, b}
	if pair == p.last {
		return true
	}
	_, ok := p.young[pair]
	if !ok {
		_, ok = p.old[pair]
	}
	if ok {
		p.last = pair
	}
	return ok
}

func (p *pairs[T]) add(a, b T) {
	if p.young == nil || len(p.young) >= rememberedPairs {
		p.young, p.old = make(map[[2]T]struct{}), p.young
	}
	p.last = [2]T{a, b}
	p.young[p.last] = struct{}{}
}

// Divergence is the first place at which an execution does not agree with its recording.
type Divergence struct {
	// Index is the index of the event, from 0.
	Index int
	// Expected is the recorded event, nil after the end of the recording; Found the execution's, nil after
	// its end.
	Expected, Found *engine.Event
	// Differs names the differences where both are there: see [Events].
	Differs []string
	// Err says why a recorded input could not be applied, or is nil.
	Err error
}

// WithRecording returns the first divergence of a run from its recording, nil where there is none. The first n events are
// taken to be the same. A recording that was cut off agrees with whatever follows.
func WithRecording(recorded, found *Log, n int) *Divergence {
	var c Comparer
	n = c.Prefix(recorded, found, min(n, found.Len()))
	d := &Divergence{Index: n}
	if n < recorded.Len() {
		d.Expected = recorded.At(n)
	}
	if n < found.Len() {
		d.Found = found.At(n)
	}
	switch {
	case d.Expected == nil && (d.Found == nil || !hasEnded(recorded)):
		return nil
	case d.Expected != nil && d.Found != nil:
		d.Differs = c.Events(d.Expected, d.Found)
	}
	return d
}

// hasEnded reports whether the log's newest event is the end of the execution.
func hasEnded(log *Log) bool {
	last := log.Last()
	return last != nil && last.Type.EndsExecution()
}

// State returns the state path of the divergence, empty where it is in no state.
func (d *Divergence) State() string {
	for _, event := range []*engine.Event{d.Found, d.Expected} {
		if event != nil && event.Visit != nil {
			return event.Visit.Path()
		}
	}
	return ""
}

// Stage returns the name of the stage of the divergence, empty where there is none.
func (d *Divergence) Stage() string {
	for _, event := range []*engine.Event{d.Found, d.Expected} {
		if event != nil && event.Stage != engine.NoStage {
			return event.StageName()
		}
	}
	return ""
}

// Shared returns the number of events that two runs have in common from the beginning on.
func Shared(a, b []engine.Event) int {
	var c Comparer
	for i := range min(len(a), len(b)) {
		if len(c.Events(&a[i], &b[i])) > 0 {
			return i
		}
	}
	return min(len(a), len(b))
}
