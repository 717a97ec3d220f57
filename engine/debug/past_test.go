package debug_test

import (
	"testing"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/engine/value"
)

// Looking back sees the variables and the context object as they were.
func TestRootsAt(t *testing.T) {
	const definition = `{"StartAt":"A","States":{
		"A":{"Type":"Pass","Assign":{"x":1},"Next":"M"},
		"M":{"Type":"Map","ItemsPath":"$.lines","ItemProcessor":{"StartAt":"B","States":{
			"B":{"Type":"Pass","Assign":{"y.$":"$.sku"},"Next":"C"},"C":{"Type":"Pass","End":true}}},"Next":"D"},
		"D":{"Type":"Pass","Assign":{"x":2},"Next":"E"},"E":{"Type":"Pass","End":true}}}`
	s := session(t, definition, debug.Options{})
	do(t, s, debug.Continue)
	want := map[string][2]string{
		"A": {"nothing", "nothing"}, "M/Iterations[0]/B": {"1", "nothing"}, "M/Iterations[0]/C": {"1", "1"},
		"M/Iterations[1]/C": {"1", "2"}, "D": {"1", "nothing"}, "E": {"2", "nothing"},
	}
	for i := range s.Log().Len() {
		event := s.Log().At(i)
		if event.Type != engine.StateEntered {
			continue
		}
		expected, ok := want[event.Visit.Path()]
		if !ok {
			continue
		}
		context, variables := s.RootsAt(i)
		for j, name := range []string{"x", "y"} {
			got := "nothing"
			if v := variables(name); v != nil {
				got = value.Compact(v)
			}
			if got != expected[j] {
				t.Errorf("at %s %s was %s, want %s", event.Visit.Path(), name, got, expected[j])
			}
		}
		state := context.(*value.Object).Get("State").(*value.Object)
		if name := state.Get("Name"); name != value.String(event.Visit.State.Name) {
			t.Errorf("at %s the context's state is %v", event.Visit.Path(), name)
		}
	}
}

// The expressions of a JSONata stage can be unfolded afterwards, also where one gave nothing.
func TestExplainStage(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Pass","Assign":{"rate":2},"Next":"T"},
		"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Arguments":{"n":"{% $states.input.total * $rate %}"},
			"Output":{"id":"{% $states.result.payment.id %}"},"End":true}}}`
	s := session(t, definition, debug.Options{Source: paidAtOnce()})
	do(t, s, debug.Continue)
	found := map[string]string{}
	for i := range s.Log().Len() {
		for _, e := range s.ExplainStage(i) {
			for _, part := range e.Trace.Children {
				got := "nothing"
				if part.Value != nil {
					got = value.Compact(part.Value)
				}
				found[e.Location+" "+part.Text] = got
			}
		}
	}
	for part, want := range map[string]string{
		"Arguments/n $states.input.total": "120", "Arguments/n $rate": "2", "Output/id payment": "nothing",
	} {
		if found[part] != want {
			t.Errorf("%s gave %q, want %q (of %v)", part, found[part], want, found)
		}
	}
	if s.Failure() == nil || s.Failure().Name != "States.QueryEvaluationError" {
		t.Errorf("ended with %v", s.Failure())
	}
}

func paidAtOnce() *scripted {
	return &scripted{outcomes: []engine.Outcome{{Output: value.Must(`{"id":"ch_1"}`)}}}
}
