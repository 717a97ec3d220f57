package history_test

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// The histories of Step Functions around failures, as others measured them; source names the repository and the test or
// the issue.
func TestVerdicts(t *testing.T) {
	parallel := func(fields string, branches ...string) string {
		return `{"StartAt":"P","States":{"P":{"Type":"Parallel",` + fields + `"End":true,"Branches":[` +
			strings.Join(branches, ",") + `]},"C":{"Type":"Succeed"}}}`
	}
	branch := func(state string) string { return `{"StartAt":"B","States":{"B":{` + state + `,"End":true}}}` }
	const (
		failing = `"Type":"Task","Resource":"arn:aws:states:::sqs:fails"`
		wrong   = `"Type":"Pass","InputPath":"$.nope"`
		caught  = `"Catch":[{"ErrorEquals":["States.ALL"],"Next":"C"}],`
		hidden  = "AslExecutorBranchHistoryEventsTest"
	)
	each := func(fields, state string) string {
		return `{"StartAt":"M","States":{"M":{"Type":"Map",` + fields + `"ItemProcessor":` + branch(state) +
			`,"End":true},"C":{"Type":"Succeed"}}}`
	}
	tests := []struct{ source, definition, input, want string }{
		{
			"floci-io/floci, " + hidden + ": a task ends a branch", parallel(caught, branch(failing)), `{}`,
			"1←0 ExecutionStarted 2←0 ParallelStateEntered 3←2 ParallelStateStarted 4←3 TaskStateEntered 5←4 TaskScheduled 6←5 TaskStarted 7←6 TaskFailed " +
				"8←7 TaskStateAborted 9←7 ParallelStateFailed 10←9 ParallelStateExited 11←10 SucceedStateEntered 12←11 SucceedStateExited 13←12 ExecutionSucceeded",
		}, {
			"localstack/localstack, PARALLEL_CATCH_ERROR_OUTPUT_WITH_RETRY: a Parallel that is retried",
			parallel(`"Retry":[{"ErrorEquals":["E"],"MaxAttempts":1,"IntervalSeconds":1}],`+caught, branch(failing)),
			`{}`,
			"1←0 ExecutionStarted 2←0 ParallelStateEntered 3←2 ParallelStateStarted 4←3 TaskStateEntered 5←4 TaskScheduled 6←5 TaskStarted 7←6 TaskFailed 8←7 TaskStateAborted " +
				"9←7 ParallelStateStarted 10←9 TaskStateEntered 11←10 TaskScheduled 12←11 TaskStarted 13←12 TaskFailed 14←13 TaskStateAborted " +
				"15←13 ParallelStateFailed 16←15 ParallelStateExited 17←16 SucceedStateEntered 18←17 SucceedStateExited 19←18 ExecutionSucceeded",
		}, {
			"localstack/localstack, service_lambda_map_timeout: a task ends an iteration", each(caught, failing), `[1]`,
			"1←0 ExecutionStarted 2←0 MapStateEntered 3←2 MapStateStarted 4←3 MapIterationStarted 5←4 TaskStateEntered 6←5 TaskScheduled 7←6 TaskStarted 8←7 TaskFailed " +
				"9←8 MapIterationFailed 10←8 TaskStateAborted 11←8 MapStateFailed 12←11 MapStateExited 13←12 SucceedStateEntered 14←13 SucceedStateExited 15←14 ExecutionSucceeded",
		}, {
			"floci-io/floci, " + hidden + ": States.Runtime in a branch",
			parallel(caught, branch(wrong), strings.ReplaceAll(branch(`"Type":"Wait","Seconds":5`), `"B"`, `"W"`)),
			`{}`,
			"1←0 ExecutionStarted 2←0 ParallelStateEntered 3←2 ParallelStateStarted 4←3 PassStateEntered 5←4 ExecutionFailed",
		}, {
			"floci-io/floci, " + hidden + ": States.Runtime in an iteration", each(caught+`"MaxConcurrency":1,`, wrong),
			`[{}]`,
			"1←0 ExecutionStarted 2←0 MapStateEntered 3←2 MapStateStarted 4←3 MapIterationStarted 5←4 PassStateEntered 6←5 ExecutionFailed",
		}, {
			"floci-io/floci, " + hidden + ": States.Runtime in a branch of an iteration",
			each(caught, `"Type":"Parallel","Branches":[`+strings.ReplaceAll(branch(wrong), `"B"`, `"I"`)+`]`), `[{}]`,
			"1←0 ExecutionStarted 2←0 MapStateEntered 3←2 MapStateStarted 4←3 MapIterationStarted 5←4 ParallelStateEntered 6←5 ParallelStateStarted 7←6 PassStateEntered 8←7 ExecutionFailed",
		}, {
			"floci-io/floci, " + hidden + ": a Map of no items", each(caught, wrong), `[]`,
			"1←0 ExecutionStarted 2←0 MapStateEntered 3←2 MapStateStarted 4←3 MapStateSucceeded 5←3 MapStateExited 6←5 ExecutionSucceeded",
		}, {
			"floci-io/floci, " + hidden + ": an expression that is retried",
			`{"QueryLanguage":"JSONata","StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":"{% $nope %}",
			 "Retry":[{"ErrorEquals":["States.QueryEvaluationError"],"MaxAttempts":2}],"End":true}}}`, `{}`,
			"1←0 ExecutionStarted 2←0 TaskStateEntered 3←0 EvaluationFailed 4←3 EvaluationFailed 5←4 EvaluationFailed 6←5 ExecutionFailed",
		}, {
			"floci-io/floci, " + hidden + ": a catcher's own Output fails",
			`{"QueryLanguage":"JSONata","StartAt":"P","States":{"P":{"Type":"Parallel","Branches":[{"StartAt":"B","States":{"B":{"Type":"Fail","Error":"E"}}}],
			 "Catch":[{"ErrorEquals":["F"],"Next":"C"},{"ErrorEquals":["E"],"Output":{"v":"{% $nope %}"},"Next":"C"}],"End":true},"C":{"Type":"Succeed"}}}`, `{}`,
			"1←0 ExecutionStarted 2←0 ParallelStateEntered 3←2 ParallelStateStarted 4←3 FailStateEntered 5←4 ParallelStateFailed 6←5 EvaluationFailed 7←6 ParallelStateFailed 8←7 ExecutionFailed",
		}, {
			"floci-io/floci, " + hidden + ": Items are undefined",
			`{"QueryLanguage":"JSONata","StartAt":"M","States":{"M":{"Type":"Map","Items":"{% $states.input.nope %}","ItemProcessor":` + branch(`"Type":"Pass"`) + `,"End":true}}}`, `{}`,
			"1←0 ExecutionStarted 2←0 MapStateEntered 3←0 EvaluationFailed 4←3 MapStateFailed 5←4 ExecutionFailed",
		}, {
			"floci-io/floci, " + hidden + ": a distributed Map",
			`{"StartAt":"M","States":{"M":{"Type":"Map","ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"B","States":{"B":{"Type":"Pass","End":true}}},"End":true}}}`, `[1]`,
			"1←0 ExecutionStarted 2←0 MapStateEntered 3←2 MapStateStarted 4←3 MapRunStarted 5←4 MapRunSucceeded 6←5 MapStateSucceeded 7←4 MapStateExited 8←7 ExecutionSucceeded",
		}, {
			"floci-io/floci#2733: the state machine's TimeoutSeconds",
			`{"TimeoutSeconds":5,"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":60,"End":true}}}`, `{}`,
			"1←0 ExecutionStarted 2←0 WaitStateEntered 3←0 ExecutionTimedOut",
		},
	}
	for _, test := range tests {
		if got := links(historyOf(t, test.definition, test.input)); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.source, got, test.want)
		}
	}
}

// The end of an execution that ran out of time is at its start plus TimeoutSeconds, and has no error and no cause
// (floci-io/floci#2733).
func TestMachineTimeout(t *testing.T) {
	events := historyOf(t, `{"TimeoutSeconds":5,"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:late","End":true}}}`, `{}`)
	last := events[len(events)-1]
	if last.Type != "ExecutionTimedOut" || last.Details.Len() != 0 || last.Time-events[0].Time != 5e9 {
		t.Errorf("%s %s after %d ns", last.Type, value.Compact(last.Details), last.Time-events[0].Time)
	}
}

// Event number 25,000 is the failure of an execution whose history becomes too long (floci-io/floci#2734); here the
// bound is small, and the step that reaches it may bring one event or several.
func TestHistoryLimit(t *testing.T) {
	const definition = `{"StartAt":"A","States":{"A":{"Type":"Choice","Choices":[{"Variable":"$.end","IsPresent":true,"Next":"E"}],"Default":"B"},"E":{"Type":"Succeed"},"B":{"Type":"Pass","Next":"C"},
		"C":{"Type":"Map","ItemsPath":"$.l","ResultPath":null,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","End":true}}},"Next":"A"}}}`
	for bound := 3; bound < 60; bound++ {
		machine := compile(t, definition)
		s := debug.New(machine, debug.Options{Input: value.Must(`{"l":[1,2,3]}`), Source: sourcetest.Func(answers),
			Limits: engine.Limits{History: bound}})
		if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
			t.Fatal(err)
		}
		list := history.Of(s.Log().All())
		last := &list[len(list)-1]
		want := fmt.Sprintf("The execution reached the maximum number of history events (%d).", bound)
		if len(list) != bound || last.ID != int64(bound) || last.Type != "ExecutionFailed" ||
			last.Text("error") != "States.Runtime" || last.Text("cause") != want {
			t.Errorf("bound %d: %d events, the last is %d %s: %s", bound, len(list), last.ID, last.Type,
				last.Text("cause"))
		}
		for i := range list {
			if list[i].ID != int64(i+1) || list[i].Previous >= list[i].ID {
				t.Errorf("bound %d: event %d has the id %d and follows %d", bound, i+1, list[i].ID, list[i].Previous)
			}
		}
	}
}
