package debug

import (
	"time"

	"asldb/engine"
	"asldb/engine/value"
)

// Differences names what differs between two events: "state", "visit", "type", "stage", "thread", "time", "before",
// "after", and the members that the type of event has besides, such as "error", "until" or "resource": [Member] has what an event has
// under one of these names. It is empty where they say the same. Places in memory and sequence numbers do not count.
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
	return append(differs, d.detailDiffers(a, b)...)
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

func (d *differ) detailDiffers(a, b *engine.Event) []string {
	if a.Detail == b.Detail || d.sameDetail(a.Detail, b.Detail) {
		return nil
	}
	if a.Type != b.Type {
		return nil // which says more than what only one of them has
	}
	mine, others := detailMembers(a.Detail), detailMembers(b.Detail)
	var differs []string
	for _, member := range mine {
		if other := find(others, member.Key); other == nil || !d.exactly(member.Value, other) {
			differs = append(differs, member.Key)
		}
	}
	for _, member := range others {
		if find(mine, member.Key) == nil {
			differs = append(differs, member.Key)
		}
	}
	return differs
}

// sameDetail compares two details without making members of them: most are the same.
func (d *differ) sameDetail(a, b engine.Detail) bool {
	switch a := a.(type) {
	case *engine.Failure:
		b, ok := b.(*engine.Failure)
		return ok && sameFailure(a, b)
	case *engine.RetryDetail:
		b, ok := b.(*engine.RetryDetail)
		return ok && sameFailure(a.Failure, b.Failure) && a.Retrier == b.Retrier && a.Attempt == b.Attempt && a.Delay == b.Delay &&
			a.Backoff == b.Backoff && a.Due.Equal(b.Due)
	case *engine.CatchDetail:
		b, ok := b.(*engine.CatchDetail)
		return ok && sameFailure(a.Failure, b.Failure) && a.Catcher == b.Catcher && a.Next == b.Next
	case *engine.TaskRequest:
		b, ok := b.(*engine.TaskRequest)
		return ok && d.sameRequest(a, b)
	case *engine.ObjectRequest:
		b, ok := b.(*engine.ObjectRequest)
		return ok && a.ID == b.ID && a.Object == b.Object
	case *engine.WaitDetail:
		b, ok := b.(*engine.WaitDetail)
		return ok && a.Until.Equal(b.Until)
	case *engine.StartDetail:
		b, ok := b.(*engine.StartDetail)
		return ok && *a == *b
	case *engine.MapRunDetail:
		b, ok := b.(*engine.MapRunDetail)
		return ok && *a == *b
	case *engine.ThreadDetail:
		b, ok := b.(*engine.ThreadDetail)
		return ok && a.Thread == b.Thread && a.Index == b.Index
	case *engine.AssignDetail:
		b, ok := b.(*engine.AssignDetail)
		return ok && (a.Assigned == b.Assigned || (a.Assigned != nil && b.Assigned != nil && d.exactly(a.Assigned, b.Assigned)))
	case *engine.ExitDetail:
		b, ok := b.(*engine.ExitDetail)
		return ok && *a == *b
	}
	return false
}

func sameFailure(a, b *engine.Failure) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Name == b.Name && a.Cause == b.Cause
}

func find(members []value.Member, key string) value.Value {
	for _, member := range members {
		if member.Key == key {
			return member.Value
		}
	}
	return nil
}

// Member returns what an event has under one of the names that [Differences] gives; nil where it has nothing. Times are texts,
// durations numbers of seconds, and numbers of places are from 0, as a trace writes them.
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
		return instant(event.At())
	case "thread":
		return value.Int(int64(event.Thread))
	case "type":
		return value.String(event.Type.String())
	case "stage":
		return value.String(event.StageName())
	case "state", "visit":
		if event.Visit == nil {
			return nil
		}
		if name == "visit" {
			return value.Int(int64(event.Visit.Number))
		}
		return value.String(event.Visit.Path())
	}
	return find(detailMembers(event.Detail), name)
}

// detailMembers are what only one type of event has, under the names that a trace uses.
func detailMembers(detail engine.Detail) []value.Member {
	member := func(key string, v value.Value) value.Member { return value.Member{Key: key, Value: v} }
	number := func(key string, n int64) value.Member { return member(key, value.Int(n)) }
	text := func(key, text string) value.Member { return member(key, value.String(text)) }
	switch d := detail.(type) {
	case *engine.Failure:
		if d == nil {
			return nil
		}
		return []value.Member{text("error", d.Name), text("cause", d.Cause)}
	case *engine.RetryDetail:
		return append(detailMembers(d.Failure), number("retrier", int64(d.Retrier)), number("attempt", d.Attempt),
			member("delaySeconds", engine.Seconds(d.Delay)), member("backoffSeconds", engine.Seconds(d.Backoff)), member("due", instant(d.Due)))
	case *engine.CatchDetail:
		return append(detailMembers(d.Failure), number("catcher", int64(d.Catcher)), text("next", d.Next))
	case *engine.TaskRequest:
		members := []value.Member{number("request", d.ID), text("resource", d.Resource), number("attempt", int64(d.Attempt)), number("invocation", int64(d.Invocation)),
			member("timeoutSeconds", engine.Seconds(whole(d.Timeout))), member("heartbeatSeconds", engine.Seconds(whole(d.Heartbeat)))}
		if d.Credentials != nil {
			members = append(members, member("credentials", d.Credentials))
		}
		return members
	case *engine.ObjectRequest:
		return []value.Member{number("request", d.ID), text("action", string(d.Object.Action)), text("bucket", d.Object.Bucket), text("key", d.Object.Key)}
	case *engine.WaitDetail:
		return []value.Member{member("until", instant(d.Until))}
	case *engine.StartDetail:
		return []value.Member{number("length", int64(d.Length)), number("maxConcurrency", int64(d.MaxConcurrency))}
	case *engine.MapRunDetail:
		return []value.Member{text("mapRunArn", d.Arn)}
	case *engine.ThreadDetail:
		return []value.Member{number("child", int64(d.Thread)), number("index", int64(d.Index))}
	case *engine.AssignDetail:
		if d.Assigned != nil {
			return []value.Member{member("assigned", d.Assigned)}
		}
	case *engine.ExitDetail:
		var members []value.Member
		if d.Next != "" {
			members = append(members, text("next", d.Next))
		}
		if d.Rule >= 0 {
			members = append(members, number("rule", int64(d.Rule)))
		}
		return members
	}
	return nil
}

func instant(at time.Time) value.Value { return value.String(engine.FormatInstant(at)) }

func (d *differ) sameRequest(a, b *engine.TaskRequest) bool {
	return a.Resource == b.Resource && a.Attempt == b.Attempt && a.Invocation == b.Invocation && a.ID == b.ID &&
		whole(a.Timeout) == whole(b.Timeout) && whole(a.Heartbeat) == whole(b.Heartbeat) && d.exactly(a.Parameters, b.Parameters) &&
		d.exactly(a.Credentials, b.Credentials)
}

// whole is a bound as a trace keeps it.
func whole(d time.Duration) time.Duration { return d.Round(time.Microsecond) }
