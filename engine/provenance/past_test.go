package provenance_test

import (
	"errors"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/jsonata"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
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
	s := session(t, definition, debug.Options{Source: runs.PaidAtOnce()})
	do(t, s, debug.Continue)
	found := map[string]string{}
	for i := range s.Log().Len() {
		explained, _ := s.Explainer().Stage(i)
		for _, e := range explained {
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

// drawing is a machine in which everything that can be explained draws random numbers.
const drawing = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
	"A":{"Type":"Pass","Assign":{"a":"{% $random() %}","b":"{% [$uuid(), $uuid()] %}"},"Output":{"r":"{% $random() %}","u":"{% $uuid() %}","s":"{% $shuffle([1..9]) %}"},"Next":"C"},
	"C":{"Type":"Choice","Choices":[{"Condition":"{% $random() > 0.9999 %}","Next":"F"},{"Condition":"{% $random() > 0.0001 %}","Next":"T"}],"Default":"F"},
	"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","TimeoutSeconds":"{% 5 + $floor($random() * 10) %}",
		"Arguments":{"id":"{% $uuid() %}","try":"{% $states.context.State.RetryCount %}"},
		"Retry":[{"ErrorEquals":["Again"],"MaxAttempts":3,"JitterStrategy":"FULL"}],"Output":"{% $states.input %}","Next":"M"},
	"M":{"Type":"Map","Items":"{% [1..5] %}","ItemSelector":{"r":"{% $random() %}","v":"{% $states.context.Map.Item.Value * 2 %}","i":"{% $states.context.Map.Item.Index %}"},
		"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","Output":"{% {'u': $uuid(), 'in': $states.input} %}","End":true}}},"Next":"F"},
	"F":{"Type":"Fail","Error":"{% $uuid() %}"}}}`

// Explanations agree with the run, also where values were drawn at random: at every event, when the run has just come
// there, when it is looked at later, and in a replay.
func TestExplainedRandomNumbersAreTheRuns(t *testing.T) {
	options := debug.Options{Seed: 3, Source: &runs.Script{Outcomes: []engine.Outcome{{Error: "Again"}, {Error: "Again"}, {Output: value.Must(`{}`)}}}}
	s := session(t, drawing, options)
	seen := 0
	for s.Stop().Reason != debug.StoppedAtEnd {
		first := s.Position()
		do(t, s, debug.StepStage)
		for i := first; i < s.Position(); i++ {
			seen += explainsItself(t, s, i)
		}
	}
	if s.Failure() == nil || s.Failure().Origin.State.Name != "F" {
		t.Fatalf("ended with %v", s.Failure())
	}
	if seen < 18 {
		t.Errorf("%d events were explained", seen)
	}
	options.Source = nil
	var answers []runlog.Input
	for i := range s.Inputs().Len() {
		answers = append(answers, *s.Inputs().At(i))
	}
	replayed, divergence := debug.Replay(s.Machine(), options, debug.Recording{Inputs: answers, Length: s.Log().Len()})
	if divergence != nil {
		t.Fatal(divergence)
	}
	for _, whole := range []*debug.Session{s, replayed} {
		again := 0
		for i := range whole.Log().Len() {
			whole.GoTo(i)
			again += explainsItself(t, whole, i)
		}
		if again != seen {
			t.Errorf("looking back explains %d events, want %d", again, seen)
		}
	}
}

// explainsItself checks that the explanation of event i agrees with the run, and returns 1 where there is one.
func explainsItself(t *testing.T, s *debug.Session, i int) int {
	t.Helper()
	event := s.Log().At(i)
	explained, not := s.Explainer().Stage(i)
	if not != nil {
		t.Errorf("event %d is not explained: %+v", i+1, not)
	}
	if len(explained) == 0 {
		return 0
	}
	want := map[string]value.Value{}
	object, _ := event.After.(*value.Object)
	if detail, ok := event.Detail.(*engine.AssignDetail); ok {
		object = detail.Assigned
	}
	if object != nil {
		for key, v := range object.All() {
			want["/"+key] = v
		}
	}
	if event.Stage == engine.StageChoices {
		want = map[string]value.Value{"[0]/Condition": value.Bool(false), "[1]/Condition": value.Bool(true)}
	}
	for _, e := range explained {
		var expected value.Value
		if at := strings.IndexAny(e.Location, "/["); at >= 0 {
			expected = want[e.Location[at:]]
		}
		if expected == nil {
			expected = event.After // the whole field is one expression
		}
		if e.Err != nil || !value.Equal(e.Trace.Value, expected) {
			t.Errorf("event %d: %s is explained with %s (%v), and the run had %s", i+1, e.Location, value.Compact(e.Trace.Value), e.Err, value.Compact(expected))
		}
	}
	return 1
}

// Where only the events of a run are known, its random numbers are not: nothing is made up.
func TestRandomNumbersOfARecordingAreNotMadeUp(t *testing.T) {
	s := session(t, drawing, debug.Options{Seed: 3})
	for s.Stop().Reason != debug.StoppedForAnswer {
		do(t, s, debug.StepStage)
	}
	events := logged(s)
	recorded := debug.ReplayLog(s.Machine(), debug.Options{}, debug.Recording{Events: events})
	said := 0
	for i := range events {
		explained, not := recorded.Explainer().Stage(i)
		if not != nil {
			if said++; !not.Random || explained != nil {
				t.Errorf("event %d: %+v, %v", i+1, not, explained)
			}
		}
	}
	if said != 4 {
		t.Errorf("of %d events it is said that they cannot be explained", said)
	}
}

// A long evaluation is not done again; of a recording its length is not known, so that it is tried up to a bound.
func TestWhatTookLongIsNotEvaluatedAgain(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Pass","Output":"{% $count([1..300000].($ + 1)) %}","Next":"B"},"B":{"Type":"Pass","Output":"{% $states.input + 1 %}","End":true}}}`
	s := session(t, definition, debug.Options{})
	do(t, s, debug.Continue)
	events := logged(s)
	long := -1
	for i := range events {
		if s.Log().Evaluation(i) != nil {
			long = i
		}
	}
	looks := 0
	s.SetInterrupt(func() error { looks++; return nil })
	explained, not := s.Explainer().Stage(long)
	if explained != nil || not == nil || not.Steps < 1_000_000 || looks != 0 {
		t.Errorf("%v, %+v after %d looks", explained, not, looks)
	}
	// Going back behind it does not evaluate it again either.
	s.GoTo(long + 3)
	if s.Threads(); looks != 0 {
		t.Errorf("%d looks for going back", looks)
	}
	recorded := debug.ReplayLog(s.Machine(), debug.Options{}, debug.Recording{Events: events})
	if explained, not = recorded.Explainer().Stage(long); explained != nil || not == nil || not.Bound == 0 {
		t.Errorf("of a recording: %v, %+v", explained, not)
	}
	enough := errors.New("enough")
	recorded.SetInterrupt(func() error { return enough })
	if explained, not = recorded.Explainer().Stage(long); explained != nil || not == nil || !errors.Is(not.Interrupted, enough) {
		t.Errorf("interrupted: %v, %+v", explained, not)
	}
}

// The run's own bound is said in the explanation as it was in the run.
func TestTheRunsOwnBoundIsExplained(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","Output":"{% $count([1..1000].($ + 1)) %}","End":true}}}`
	s := session(t, definition, debug.Options{Limits: engine.Limits{Evaluation: 500}})
	do(t, s, debug.Continue)
	var fault *jsonata.Error
	if failure := s.Failure(); failure == nil || !errors.As(failure.Err, &fault) || fault.Code != jsonata.CodeLimit {
		t.Fatalf("ended with %v", failure)
	}
	for i := range s.Log().Len() {
		explained, not := s.Explainer().Stage(i)
		if not != nil || len(explained) > 0 && !errors.As(explained[0].Err, &fault) {
			t.Errorf("event %d: %v, %+v", i+1, explained, not)
		}
	}
}
