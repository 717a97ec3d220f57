package engine_test

import (
	"reflect"
	"testing"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
)

// The cases lead to every kind of event of a history; each ends as its definition says, and the same answers give the
// same events.
func TestCases(t *testing.T) {
	for _, c := range runs.Cases() {
		first, second := c.Run(), c.Run()
		exactly := func(_ int, _ string, want, got value.Value) bool {
			return want == nil && got == nil || want != nil && got != nil && value.Equal(want, got)
		}
		if d := history.Compare(first, second, exactly); d != nil {
			t.Errorf("%s: %s", c.Name, d)
		}
		last := map[engine.Status]string{engine.Succeeded: "ExecutionSucceeded",
			engine.Failed: "ExecutionFailed"}[c.Status]
		if got := first[len(first)-1].Type; got != last {
			t.Errorf("%s ends with %s, want %s", c.Name, got, last)
		}
	}
}

// A detail equals the same event's in another run of the same answers, and none of another kind; equal ones have
// equal members.
func TestDetailsOfCases(t *testing.T) {
	members := func(d engine.Detail) string { return value.Compact(value.NewObject(d.Members())) }
	for _, c := range runs.Cases() {
		run := func() *runlog.Log { return runs.Run(runs.Machine(c.Definition), c.Input, c.Tasks()) }
		first, second := run(), run()
		var before engine.Detail
		for i := range first.Len() {
			a, b := first.At(i).Detail, second.At(i).Detail
			if a == nil {
				continue
			}
			if !a.Equal(b, value.Equal) || members(a) != members(b) {
				t.Errorf("%s, event %d: %s differs from %s", c.Name, i+1, members(a), members(b))
			}
			if before != nil && reflect.TypeOf(before) != reflect.TypeOf(a) && a.Equal(before, value.Equal) {
				t.Errorf("%s, event %d: %T equals %T", c.Name, i+1, a, before)
			}
			before = a
		}
	}
}
