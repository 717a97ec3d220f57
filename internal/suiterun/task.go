package suiterun

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// task checks the expectations on the invocations of tasks.
func (k *checker) task(t *suite.TaskExpect) {
	var calls []int
	for i := range k.log.Len() {
		if e := k.log.At(i); e.Type == engine.TaskScheduled && matches(t.Text, e.Visit) {
			calls = append(calls, i)
		}
	}
	place := nowhere
	if state := k.stateOf(t.Text); state != nil {
		place = PlaceOf(state, "")
	}
	event := k.last()
	if len(calls) > 0 {
		event = calls[len(calls)-1]
	}
	k.count(t.Text+", count", t.Count, len(calls), event, place)
	for n := range t.Invocations {
		want := &t.Invocations[n]
		name := t.Text + ", invocation " + strconv.Itoa(n+1)
		if n >= len(calls) {
			k.differs(name, want.At, k.last(), place, suite.OutcomeDifference{Reason: invoked(len(calls))})
			break
		}
		k.invocation(name, want, calls[n])
	}
	if t.Each == nil {
		return
	}
	if len(calls) == 0 && t.Count == nil {
		k.differs(t.Text+", each", t.Each.At, k.last(), place, suite.OutcomeDifference{Reason: "it was not invoked"})
	}
	for n, i := range calls {
		if !k.invocation(t.Text+", invocation "+strconv.Itoa(n+1), t.Each, i) {
			return
		}
	}
}

func invoked(n int) string {
	switch n {
	case 0:
		return "it was never invoked"
	case 1:
		return "it was invoked once"
	}
	return "it was invoked " + strconv.Itoa(n) + " times"
}

// invocation compares the invocation that event i scheduled.
func (k *checker) invocation(name string, want *suite.Invocation, i int) bool {
	e := k.log.At(i)
	known := len(k.found)
	if want.Payload != nil {
		field := "Parameters"
		if f := payloadField(e.Visit.State); f != "" {
			field = f
		}
		k.value(name+", payload", want.Payload, e.After, i, PlaceOf(e.Visit.State, field), nil)
	}
	if request, _ := e.Detail.(*engine.TaskRequest); want.Resource != nil && request != nil {
		place := PlaceOf(e.Visit.State, "Resource")
		k.value(
			name+", resource",
			want.Resource,
			value.String(request.Resource),
			-1,
			place,
			func(f *suite.Finding) { f.Event = i },
		)
	}
	if want.Result != nil || want.Error != nil || want.Duration != nil || want.Delay != nil {
		k.answered(name, want, i)
	}
	return len(k.found) == known
}

// answered compares the end of the invocation that event i scheduled, and the retry that follows it.
func (k *checker) answered(name string, want *suite.Invocation, i int) {
	visit, place := k.log.At(i).Visit, PlaceOf(k.log.At(i).Visit.State, "")
	end, retry := -1, -1
	for n := i + 1; n < k.log.Len(); n++ {
		e := k.log.At(n)
		if e.Visit != visit {
			continue
		}
		if end < 0 && e.Type.Traits().Closes == engine.TaskScheduled {
			end = n
		}
		if e.Type == engine.RetryScheduled {
			retry = n
		}
		if retry >= 0 || e.Type == engine.TaskScheduled {
			break
		}
	}
	at := max(end, i)
	var failure *engine.Failure
	if end >= 0 {
		failure = k.log.At(end).Failure()
	}
	wrong := func(part string, where source.Position, wanted value.Value, reason string) {
		k.differs(name+", "+part, where, at, place, suite.OutcomeDifference{Wanted: wanted, Reason: reason})
	}
	switch {
	case want.Error == nil:
	case failure == nil:
		wrong("error", want.Error.At, want.Error.Written(), "it did not fail")
	default:
		k.value(
			name+", error",
			want.Error,
			value.String(failure.Name),
			-1,
			place,
			func(f *suite.Finding) { f.Event = at },
		)
	}
	switch {
	case want.Result == nil:
	case end < 0 || failure != nil:
		reason := "it has no result"
		if failure != nil {
			reason = failure.Error()
		}
		wrong("result", want.Result.At, want.Result.Written(), reason)
	default:
		k.value(name+", result", want.Result, k.log.At(end).After, end, place, nil)
	}
	if want.Duration != nil {
		took := k.log.At(at).At().Sub(k.log.At(i).At())
		k.bound(name+", duration", want.Duration, float64(took), value.String(wording.Duration(took)), at, place)
	}
	switch {
	case want.Delay == nil:
	case retry < 0:
		wrong("retryDelay", want.Delay.At, value.String(want.Delay.Text), "no retry follows it")
	default:
		delay := k.log.At(retry).Detail.(*engine.RetryDetail).Delay
		k.bound(name+", retryDelay", want.Delay, float64(delay), value.String(wording.Duration(delay)), retry, place)
	}
}
