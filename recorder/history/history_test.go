package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// answers gives a failing task an error, and any other its payload.
func answers(r *engine.TaskRequest) outcome.Reply {
	given := engine.Outcome{Output: r.Parameters}
	switch {
	case strings.HasSuffix(r.Resource, "fails"):
		given = engine.Outcome{Error: "E", Cause: "c"}
	case strings.HasSuffix(r.Resource, "late"):
		given = engine.Outcome{Output: value.Null{}, After: time.Hour}
	}
	return outcome.Given(given, "test")
}

func compile(t *testing.T, definition string) *engine.Machine {
	t.Helper()
	src := &source.File{Name: "test", Data: []byte(definition)}
	parsed, diagnostics := asl.Parse(src)
	if parsed == nil {
		t.Fatal(diagnostics[0].Format())
	}
	machine, err := engine.Compile(parsed, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return machine
}

func historyOf(t *testing.T, definition, input string) []history.Event {
	t.Helper()
	s := debug.New(compile(t, definition), debug.Options{Input: value.Must(input), Source: sourcetest.Func(answers)})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	list := history.Of(s.Log().All())
	sameIDs(t, s.Log(), list)
	return list
}

// sameIDs checks that the events of a log have the ids of the history's events that stand for them.
func sameIDs(t *testing.T, log *runlog.Log, list []history.Event) {
	t.Helper()
	first := make(map[int64]int64)
	for i := range list {
		if _, known := first[list[i].Of]; !known {
			first[list[i].Of] = list[i].ID
		}
	}
	for event := range log.All() {
		if event.HistoryThread() != 0 {
			continue // it is in another history
		}
		if id := first[event.Seq]; int64(event.HistoryID) != id {
			t.Errorf("%s %d has the id %d, and the history has %d", event.Type, event.Seq, event.HistoryID, id)
		}
	}
}

const (
	lambda = `"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:`
	sqs    = `"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage`
)

// The sequences are those that were recorded on AWS (reference, section K.3): id←previousEventId type.
func TestSequences(t *testing.T) {
	tests := []struct{ name, definition, input, want string }{
		{
			"two states", `{"StartAt":"P","States":{"P":{"Type":"Pass","Next":"Q"},"Q":{"Type":"Succeed"}}}`, `{}`,
			"1←0 ExecutionStarted 2←0 PassStateEntered 3←2 PassStateExited 4←3 SucceedStateEntered 5←4 SucceedStateExited 6←5 ExecutionSucceeded",
		},
		{
			"a function", `{"StartAt":"T","States":{"T":{` + lambda + `f","End":true}}}`, `{}`,
			"1←0 ExecutionStarted 2←0 TaskStateEntered 3←2 LambdaFunctionScheduled 4←3 LambdaFunctionStarted 5←4 LambdaFunctionSucceeded 6←5 TaskStateExited 7←6 ExecutionSucceeded",
		},
		{
			"a callback", `{"StartAt":"T","States":{"T":{` + sqs + `.waitForTaskToken","End":true}}}`, `{}`,
			"1←0 ExecutionStarted 2←0 TaskStateEntered 3←2 TaskScheduled 4←3 TaskStarted 5←4 TaskSubmitted 6←5 TaskSucceeded 7←6 TaskStateExited 8←7 ExecutionSucceeded",
		},
		{
			"a retry and a catch", `{"StartAt":"T","States":{"T":{` + lambda + `fails","Retry":[{"ErrorEquals":["E"],"MaxAttempts":1}],
				"Catch":[{"ErrorEquals":["E"],"Next":"C"}],"End":true},"C":{"Type":"Succeed"}}}`, `{}`,
			"1←0 ExecutionStarted 2←0 TaskStateEntered 3←2 LambdaFunctionScheduled 4←3 LambdaFunctionStarted 5←4 LambdaFunctionFailed " +
				"6←5 LambdaFunctionScheduled 7←6 LambdaFunctionStarted 8←7 LambdaFunctionFailed 9←8 TaskStateExited 10←9 SucceedStateEntered 11←10 SucceedStateExited 12←11 ExecutionSucceeded",
		},
		{
			"a Map, one at a time", `{"StartAt":"P","States":{"P":{"Type":"Pass","Next":"M"},"M":{"Type":"Map","MaxConcurrency":1,
				"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true}}}`, `[1,2]`,
			"1←0 ExecutionStarted 2←0 PassStateEntered 3←2 PassStateExited 4←3 MapStateEntered 5←4 MapStateStarted 6←5 MapIterationStarted 7←6 PassStateEntered 8←7 PassStateExited " +
				"9←8 MapIterationSucceeded 10←8 MapIterationStarted 11←10 PassStateEntered 12←11 PassStateExited 13←12 MapIterationSucceeded 14←13 MapStateSucceeded 15←13 MapStateExited 16←15 ExecutionSucceeded",
		},
		{
			"a Map over nothing", `{"StartAt":"M","States":{"M":{"Type":"Map","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true}}}`, `[]`,
			"1←0 ExecutionStarted 2←0 MapStateEntered 3←2 MapStateStarted 4←3 MapStateSucceeded 5←3 MapStateExited 6←5 ExecutionSucceeded",
		},
		{
			"a retried Map", `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":1,"Retry":[{"ErrorEquals":["X"],"MaxAttempts":1}],
				"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Fail","Error":"X"}}},"End":true}}}`, `[1]`,
			"1←0 ExecutionStarted 2←0 MapStateEntered 3←2 MapStateStarted 4←3 MapIterationStarted 5←4 FailStateEntered 6←5 MapIterationFailed " +
				"7←5 MapStateStarted 8←7 MapIterationStarted 9←8 FailStateEntered 10←9 MapIterationFailed 11←9 MapStateFailed 12←11 ExecutionFailed",
		},
		{
			"a retried Parallel", `{"StartAt":"P","States":{"P":{"Type":"Parallel","Retry":[{"ErrorEquals":["X"],"MaxAttempts":2}],
				"Branches":[{"StartAt":"I","States":{"I":{"Type":"Fail","Error":"X"}}}],"End":true}}}`, `{}`,
			"1←0 ExecutionStarted 2←0 ParallelStateEntered 3←2 ParallelStateStarted 4←3 FailStateEntered 5←4 ParallelStateStarted 6←5 FailStateEntered " +
				"7←6 ParallelStateStarted 8←7 FailStateEntered 9←8 ParallelStateFailed 10←9 ExecutionFailed",
		},
		{
			"a path that misses", `{"StartAt":"P","States":{"P":{"Type":"Pass","InputPath":"$.x","End":true}}}`, `{}`,
			"1←0 ExecutionStarted 2←0 PassStateEntered 3←2 ExecutionFailed",
		},
		{
			"the machine's timeout", `{"TimeoutSeconds":5,"StartAt":"T","States":{"T":{` + lambda +
				`late","End":true}}}`, `{}`,
			"1←0 ExecutionStarted 2←0 TaskStateEntered 3←2 LambdaFunctionScheduled 4←3 LambdaFunctionStarted 5←0 ExecutionTimedOut",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := value.Each(historyOf(t, test.definition, test.input), func(event history.Event) string {
				return fmt.Sprintf("%d←%d %s", event.ID, event.Previous, event.Type)
			})
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("\n got %s\nwant %s", text, test.want)
			}
		})
	}
}

// A fault's cause quotes the id that the history gives the entry of the state.
func TestCausesQuoteTheHistory(t *testing.T) {
	const definition = `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":1,"ItemProcessor":{"StartAt":"I","States":{
		"I":{"Type":"Pass","Next":"J"},"J":{"Type":"Choice","Choices":[{"Variable":"$","NumericEquals":2,"Next":"K"}],"Default":"L"},
		"K":{"Type":"Pass","InputPath":"$.no","End":true},"L":{` + lambda + `f","End":true}}},"End":true}}}`
	events := historyOf(t, definition, `[1,2]`)
	entered := int64(0)
	for _, event := range events {
		if event.Type == "PassStateEntered" && event.Details.Get("name") == value.String("K") {
			entered = event.ID
		}
	}
	last := events[len(events)-1]
	cause := string(last.Details.Get("cause").(value.String))
	want := fmt.Sprintf("An error occurred while executing the state 'K' (entered at the event id #%d). ", entered)
	if !strings.HasPrefix(cause, want) {
		t.Errorf("the cause is %q, want it to begin with %q", cause, want)
	}
}

// The caller's text of the input is in the first two events alone, unless it has another value than the input of the
// run.
func TestTextOfTheInput(t *testing.T) {
	const definition = `{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","End":true}}}`
	s := debug.New(compile(t, definition), debug.Options{Input: value.Must(`{"b":1,"a":"x"}`)})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	const compact = `{"b":1,"a":"x"}`
	for text, first := range map[string]string{
		"": compact, "{ \"b\":1,\n\"a\":\"\\u0078\"}\n": "{ \"b\":1,\n\"a\":\"\\u0078\"}\n",
		`{"a":"y","b":0,"b":1,"a":"x"}`: `{"a":"y","b":0,"b":1,"a":"x"}`,
		`{"b": 2, "a":"x"}`:             compact, `{"b"`: compact,
	} {
		var inputs []string
		for _, event := range history.OfInput(text, s.Log().All()) {
			if event.Details.Get("input") != nil {
				inputs = append(inputs, event.Text("input"))
				if v, is := event.Payload("input"); is != history.Present || !value.Equal(v, s.Options().Input) {
					t.Errorf("%q: the payload of %s is %v", text, event.Type, v)
				}
			}
		}
		if want := []string{first, first, compact}; !slices.Equal(inputs, want) {
			t.Errorf("%q: the inputs are %q, want %q", text, inputs, want)
		}
	}
}
