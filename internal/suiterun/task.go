package suiterun

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/suite"
)

// task checks the expectations on the invocations of tasks.
func (k *checker) task(t *suite.TaskExpect) {
	var calls []int
	for i := range k.log.Len() {
		if e := k.log.At(i); e.Type == engine.TaskScheduled && matches(t.Text, e.Visit) {
			calls = append(calls, i)
		}
	}
	place := ""
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
			k.differs(name, want.At, k.last(), place, suite.OutcomeDifference{Reason: "it was invoked " + times(len(calls))})
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

func times(n int) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

// invocation compares the invocation that event i scheduled.
func (k *checker) invocation(name string, want *suite.Invocation, i int) bool {
	e := k.log.At(i)
	met := true
	if want.Payload != nil {
		field := "Parameters"
		if f := payloadField(e.Visit.State); f != "" {
			field = f
		}
		met = k.value(name+", payload", want.Payload, e.After, i, PlaceOf(e.Visit.State, field), nil)
	}
	request, _ := e.Detail.(*engine.TaskRequest)
	if want.Resource != nil && request != nil {
		place := PlaceOf(e.Visit.State, "Resource")
		met = k.value(name+", resource", want.Resource, value.String(request.Resource), -1, place, func(f *suite.Finding) { f.Event = i }) && met
	}
	return met
}
