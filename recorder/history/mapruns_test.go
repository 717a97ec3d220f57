package history_test

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/recorder/history"
)

// links writes a history as id←previousEventId type.
func links(events []history.Event) string {
	texts := value.Each(events, func(each history.Event) string {
		return fmt.Sprintf("%d←%d %s", each.ID, each.Previous, each.Type)
	})
	return strings.Join(texts, " ")
}

// A distributed Map has the events of its Map Run, and none of its executions (recorded; the exit as it
// has linked since November 2024).
func TestMapRuns(t *testing.T) {
	distributed := func(fields, processor string) string {
		return `"Type":"Map",` + fields + `"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},` + processor + `}`
	}
	const (
		start  = "1←0 ExecutionStarted 2←0 MapStateEntered 3←2 MapStateStarted "
		pass   = `"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}`
		failed = `"StartAt":"I","States":{"I":{"Type":"Fail","Error":"E"}}`
	)
	branches := `"StartAt":"O","States":{"O":{"Type":"Parallel","End":true,"Branches":[{` + pass +
		`},{"StartAt":"T","States":{"T":{` + lambda + `f","End":true}}}]}}`
	nested := `"StartAt":"O","States":{"O":{"End":true,` + distributed("", pass) + `}}`
	inline := `"StartAt":"O","States":{"O":{"Type":"Map","End":true,"ItemProcessor":{` + pass + `}}}`
	const succeeds = start + "4←3 MapRunStarted 5←4 MapRunSucceeded 6←5 MapStateSucceeded 7←4 MapStateExited 8←7 ExecutionSucceeded"
	for _, test := range []struct{ name, fields, processor, input, want string }{
		{"executions", "", pass, `[1,2]`, succeeds},
		{"no executions", "", pass, `[]`, succeeds},
		{"executions with branches", "", branches, `[1]`, succeeds},
		{"executions with executions", "", nested, `[[1],[]]`, succeeds},
		{"executions with iterations", "", inline, `[[1],[2]]`, succeeds},
		{"executions with a tolerated failure", `"ToleratedFailurePercentage":100,`, failed, `[1]`, succeeds},
		{
			"executions that fail", "", failed, `[1]`,
			start + "4←3 MapRunStarted 5←4 MapRunFailed 6←5 MapStateFailed 7←6 ExecutionFailed",
		},
		{"a bound that is wrong", `"ToleratedFailureCountPath":"$[0]",`, pass, `[-1]`, start + "4←3 ExecutionFailed"},
	} {
		definition := `{"StartAt":"M","States":{"M":{"End":true,` + distributed(test.fields, test.processor) + `}}}`
		if got := links(historyOf(t, definition, test.input)); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
	// Events after a Map Run link as if there had been none.
	definition := `{"StartAt":"M","States":{"M":{"Next":"B",` + distributed("", pass) +
		`},"B":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"J","States":{"J":{"Type":"Pass","End":true}}}]}}}`
	const want = start + "4←3 MapRunStarted 5←4 MapRunSucceeded 6←5 MapStateSucceeded 7←4 MapStateExited " +
		"8←7 ParallelStateEntered 9←8 ParallelStateStarted 10←9 PassStateEntered 11←10 PassStateExited 12←11 ParallelStateSucceeded 13←11 ParallelStateExited 14←13 ExecutionSucceeded"
	if got := links(historyOf(t, definition, `[1]`)); got != want {
		t.Errorf("a Parallel after a Map Run:\n got %s\nwant %s", got, want)
	}
}

// The details are the details of MapRunStarted and MapRunFailed in the API.
func TestMapRunDetails(t *testing.T) {
	definition := `{"StartAt":"M","States":{"M":{"Type":"Map","Label":"each","End":true,"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"EXPRESS"},
		"StartAt":"F","States":{"F":{"Type":"Fail","Error":"E"}}}}}}`
	events := historyOf(t, definition, `[1]`)
	texts := map[string]string{}
	for i := range events {
		object := events[i].Object()
		for key, details := range object.All() {
			if strings.HasSuffix(key, "EventDetails") {
				texts[events[i].Type] = key + " " + value.Compact(details)
			}
		}
	}
	if got := texts["MapRunStarted"]; !strings.HasPrefix(got,
		`mapRunStartedEventDetails {"mapRunArn":"arn:aws:states:us-east-1:123456789012:mapRun:StateMachine/each:`) {
		t.Errorf("MapRunStarted: %s", got)
	}
	const want = `mapRunFailedEventDetails {"error":"States.ExceedToleratedFailureThreshold","cause":"The specified tolerated failure threshold was exceeded"}`
	if got := texts["MapRunFailed"]; got != want {
		t.Errorf("MapRunFailed: %s\n want %s", got, want)
	}
}

// A cause quotes the id that its state has in the history, whatever happened in executions before.
func TestCausesAfterMapRuns(t *testing.T) {
	definition := `{"StartAt":"M","States":{"M":{"Type":"Map","Next":"B","ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},
		"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}},"B":{"Type":"Pass","InputPath":"$.no","End":true}}}`
	events := historyOf(t, definition, `[1,2,3]`)
	last := events[len(events)-1]
	const want = "8←7 PassStateEntered 9←8 ExecutionFailed"
	if got := links(events); !strings.HasSuffix(got, want) ||
		!strings.Contains(value.Compact(last.Details), "(entered at the event id #8)") {
		t.Errorf("history %s with %s", got, value.Compact(last.Details))
	}
}
