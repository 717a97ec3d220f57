package debug

import (
	"time"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/value"
)

// Differences names what differs between two events: "state", "visit", "type", "stage", "thread", "time", "before",
// "after", "error", "cause", "detail". It is empty where they say the same. Places in memory and sequence numbers
// do not count.
func Differences(a, b *engine.Event) []string {
	var d differ
	return d.differences(a, b)
}

// differ compares the events of two runs. It remembers what it found to be the same: the same data go through
// many events, and so do the same visits.
type differ struct {
	same   pairs[value.Value]
	visits pairs[*engine.Visit]
}

// pairs remembers pairs, the newest of them at least.
type pairs[T comparable] struct {
	last       [2]T
	young, old map[[2]T]struct{}
}

// keptPairs is how many pairs are remembered at least; twice as many at most.
const keptPairs = 1 << 12

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
	if p.young == nil || len(p.young) >= keptPairs {
		p.young, p.old = make(map[[2]T]struct{}), p.young
	}
	p.last = [2]T{a, b}
	p.young[p.last] = struct{}{}
}

func (d *differ) differences(a, b *engine.Event) []string {
	differs := d.placeDiffers(a, b)
	note := func(differ bool, what string) {
		if differ {
			differs = append(differs, what)
		}
	}
	note(a.Thread != b.Thread, "thread")
	note(a.Time != b.Time, "time")
	note(!d.exactly(a.Before, b.Before), "before")
	note(!d.exactly(a.After, b.After), "after")
	return append(differs, d.detailDiffers(a.Detail, b.Detail)...)
}

// placeDiffers names what differs in where two events belong.
func (d *differ) placeDiffers(a, b *engine.Event) []string {
	var differs []string
	switch {
	case a.Visit == b.Visit || d.visits.has(a.Visit, b.Visit):
	case a.Visit == nil || b.Visit == nil || !a.Visit.SamePlace(b.Visit):
		differs = append(differs, "state")
	case a.Visit.Number != b.Visit.Number:
		differs = append(differs, "visit")
	default:
		d.visits.add(a.Visit, b.Visit)
	}
	if a.Type != b.Type {
		differs = append(differs, "type")
	}
	if a.Stage != b.Stage {
		differs = append(differs, "stage")
	}
	return differs
}

// exactly reports whether two values are written alike.
func exactly(a, b value.Value) bool {
	var d differ
	return d.exactly(a, b)
}

// worthKeeping is the number of members from which on it is remembered that two containers are the same.
const worthKeeping = 3

func (d *differ) exactly(a, b value.Value) bool {
	if value.Identical(a, b) {
		return true
	}
	switch a := a.(type) {
	case *value.Object:
		b, ok := b.(*value.Object)
		return ok && a.Len() == b.Len() && d.all(a, b, a.Len(), func(i int) bool {
			x, y := a.At(i), b.At(i)
			return x.Key == y.Key && d.exactly(x.Value, y.Value)
		})
	case *value.Array:
		b, ok := b.(*value.Array)
		return ok && a.Len() == b.Len() && d.all(a, b, a.Len(), func(i int) bool { return d.exactly(a.At(i), b.At(i)) })
	case value.Number:
		b, ok := b.(value.Number)
		return ok && a.Text() == b.Text()
	}
	return false
}

// all reports whether all members of two containers are the same.
func (d *differ) all(a, b value.Value, length int, same func(i int) bool) bool {
	if length >= worthKeeping && d.same.has(a, b) {
		return true
	}
	for i := range length {
		if !same(i) {
			return false
		}
	}
	if length >= worthKeeping {
		d.same.add(a, b)
	}
	return true
}

func (d *differ) detailDiffers(a, b engine.Detail) []string {
	if a == b {
		return nil
	}
	if a == nil || b == nil {
		return []string{"detail"}
	}
	same := false
	switch a := a.(type) {
	case *engine.Failure:
		b, ok := b.(*engine.Failure)
		if ok {
			return failureDiffers(a, b)
		}
	case *engine.RetryDetail:
		b, ok := b.(*engine.RetryDetail)
		if ok && len(failureDiffers(a.Failure, b.Failure)) > 0 {
			return failureDiffers(a.Failure, b.Failure)
		}
		same = ok && a.Retrier == b.Retrier && a.Attempt == b.Attempt && a.Delay == b.Delay && a.Backoff == b.Backoff && a.Due.Equal(b.Due)
	case *engine.CatchDetail:
		b, ok := b.(*engine.CatchDetail)
		if ok && len(failureDiffers(a.Failure, b.Failure)) > 0 {
			return failureDiffers(a.Failure, b.Failure)
		}
		same = ok && a.Catcher == b.Catcher && a.Next == b.Next
	case *engine.TaskRequest:
		b, ok := b.(*engine.TaskRequest)
		same = ok && d.sameRequest(a, b)
	case *engine.ObjectRequest:
		b, ok := b.(*engine.ObjectRequest)
		same = ok && a.ID == b.ID && a.Object == b.Object
	case *engine.WaitDetail:
		b, ok := b.(*engine.WaitDetail)
		same = ok && a.Until.Equal(b.Until)
	case *engine.StartDetail:
		b, ok := b.(*engine.StartDetail)
		same = ok && *a == *b
	case *engine.MapRunDetail:
		b, ok := b.(*engine.MapRunDetail)
		same = ok && *a == *b
	case *engine.ThreadDetail:
		b, ok := b.(*engine.ThreadDetail)
		same = ok && a.Thread == b.Thread && a.Index == b.Index
	case *engine.AssignDetail:
		b, ok := b.(*engine.AssignDetail)
		same = ok && (a.Assigned == b.Assigned || (a.Assigned != nil && b.Assigned != nil && d.exactly(a.Assigned, b.Assigned)))
	case *engine.ExitDetail:
		b, ok := b.(*engine.ExitDetail)
		if ok && a.Next != b.Next {
			return []string{"next"}
		}
		same = ok && a.Rule == b.Rule
	}
	if same {
		return nil
	}
	return []string{"detail"}
}

func failureDiffers(a, b *engine.Failure) []string {
	var differs []string
	if a == nil || b == nil {
		if a != b {
			return []string{"error"}
		}
		return nil
	}
	if a.Name != b.Name {
		differs = append(differs, "error")
	}
	if a.Cause != b.Cause {
		differs = append(differs, "cause")
	}
	return differs
}

func (d *differ) sameRequest(a, b *engine.TaskRequest) bool {
	return a.Resource == b.Resource && a.Attempt == b.Attempt && a.Invocation == b.Invocation && a.ID == b.ID &&
		whole(a.Timeout) == whole(b.Timeout) && whole(a.Heartbeat) == whole(b.Heartbeat) && d.exactly(a.Parameters, b.Parameters) &&
		d.exactly(a.Credentials, b.Credentials)
}

// whole is a bound as a trace keeps it.
func whole(d time.Duration) time.Duration { return d.Round(time.Microsecond) }
