package explore_test

import (
	"slices"
	"strings"
	"testing"

	"asldb/internal/explore"
)

// task returns a definition with one task, whose fields follow its Resource.
func task(resource, fields string) string {
	return `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"` + resource + `",` + fields + `"End":true}}}`
}

// The errors of a task are those that its integration raises, besides those that its handlers name.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		resource, fields string
		has, not         []string
	}{
		{
			"arn:aws:lambda:us-east-1:123456789012:function:f", "",
			[]string{"Lambda.TooManyRequestsException", "Lambda.ServiceException", "Lambda.AWSLambdaException", "Lambda.SdkClientException", "Lambda.Unknown", "Sandbox.Timedout", "States.TaskFailed", "States.Timeout", "too large", explore.UnknownError},
			[]string{"too late", "no heartbeat"},
		},
		{
			"arn:aws:states:::lambda:invoke", `"TimeoutSeconds":5,`,
			[]string{"too late", "Sandbox.Timedout"}, []string{"States.Timeout", "no heartbeat"},
		},
		{
			"arn:aws:states:::sqs:sendMessage.waitForTaskToken", `"HeartbeatSeconds":5,"TimeoutSeconds":9,`,
			[]string{"too late", "no heartbeat", "SQS.QueueDoesNotExistException"}, []string{"Sandbox.Timedout"},
		},
		{
			"arn:aws:states:us-east-1:123456789012:activity:a", `"Retry":[{"ErrorEquals":["A"]},{"ErrorEquals":["States.ALL"]}],"Catch":[{"ErrorEquals":["B","States.Runtime","States.Timeout"],"Next":"T"}],`,
			[]string{"A", "B", "States.TaskFailed", "States.Timeout"}, []string{"States.ALL", "States.Runtime", "Lambda.Unknown"},
		},
		{"arn:aws:states:::http:invoke", "", []string{"States.Http.StatusCode.500", "States.Http.Socket"}, nil},
		{"arn:aws:states:::aws-sdk:s3:getObject", "", []string{"S3.NoSuchKeyException", "S3.S3Exception"}, nil},
	} {
		r := explored(t, task(test.resource, test.fields))
		var labels []string
		for _, row := range r.Rows {
			if slices.Contains(labels, row.Label()) {
				t.Errorf("%s: %s comes twice", test.resource, row.Label())
			}
			labels = append(labels, row.Label())
		}
		for _, name := range test.has {
			if !slices.Contains(labels, name) {
				t.Errorf("%s lacks %s: %v", test.resource, name, labels)
			}
		}
		for _, name := range test.not {
			if slices.Contains(labels, name) {
				t.Errorf("%s has %s", test.resource, name)
			}
		}
	}
}

// The errors that the catchers of a Parallel state name are errors of the tasks in it.
func TestErrorsOfContainers(t *testing.T) {
	r := explored(t, `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Retry":[{"ErrorEquals":["Again"],"MaxAttempts":1}],"Catch":[{"ErrorEquals":["Stop"],"Next":"S"}],
		"Branches":[{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a","End":true}}},
			{"StartAt":"B","States":{"B":{"Type":"Wait","Seconds":60,"End":true}}}]},"S":{"Type":"Succeed"}}}`)
	again, stop := row(t, r, "A", "Again", explore.All), row(t, r, "A", "Stop", explore.All)
	if got := handling(again.Once); got != "retried 0×1, SUCCEEDED" {
		t.Error(got)
	}
	if got := handling(again.Always); got != "retried 0×1, unhandled 0×1, FAILED Again" || again.Always.Aborted != 2 {
		t.Error(got, again.Always.Aborted)
	}
	if got := handling(stop.Always); got != "caught 0×1 S, SUCCEEDED" || stop.Always.Handling[0].State.Name != "P" {
		t.Error(got)
	}
}

const tolerant = `{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.items","ToleratedFailureCount":1,"End":true,
	"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"A","States":{
		"A":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a","End":true}}}}}}`

// A fault in the first iteration differs from one in all where the Map tolerates failures.
func TestTolerated(t *testing.T) {
	o := explore.Options{Machine: open(t, tolerant), Given: []explore.Given{{Input: must(`{"items":[1,2,3]}`)}}}
	r := run(t, o)
	first, all := row(t, r, "A", "States.TaskFailed", explore.First), row(t, r, "A", "States.TaskFailed", explore.All)
	if got := handling(first.Always); got != "tolerated 0×1, SUCCEEDED" {
		t.Error(got)
	}
	if got := handling(all.Always); !strings.HasSuffix(got, "FAILED States.ExceedToleratedFailureThreshold") {
		t.Error(got)
	}
	same(t, findings(r, explore.Swallowed), []string{"swallowed A: M tolerates the failure, and the execution succeeds"})
}

// A task that only a catcher leads to has its faults behind the one that leads there.
const handler = `{"StartAt":"A","States":{
	"A":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a","ResultPath":"$.a","Catch":[{"ErrorEquals":["States.ALL"],"Next":"Undo"}],"Next":"Done"},
	"Undo":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:undo","Catch":[{"ErrorEquals":["Busy"],"ResultPath":null,"Next":"Note"}],"End":true},
	"Note":{"Type":"Pass","Parameters":{"cause.$":"$.Cause","a.$":"$.input.a"},"End":true},
	"Done":{"Type":"Succeed"}}}`

func TestBehind(t *testing.T) {
	r := explored(t, handler)
	busy := row(t, r, "Undo", "Busy", explore.All)
	if len(busy.Once.Changes) != 2 || busy.Once.Changes[1].State.Name != "A" || handling(busy.Once) != "caught 0×1 Note, FAILED States.Runtime" {
		t.Errorf("%s: %s", busy.Once.Describe(), handling(busy.Once))
	}
	if got := handling(row(t, r, "Undo", "States.TaskFailed", explore.All).Once); got != "unhandled 0×1, FAILED States.TaskFailed" {
		t.Error(got)
	}
	same(t, findings(r, explore.Bug), nil) // made-up data may lack $.input
	same(t, findings(r, explore.Data), []string{
		`data Note: Note fails with States.Runtime: $.input.a is missing: $ has only Error and Cause`,
	})
}

// Two faults together.
func TestPairs(t *testing.T) {
	const definition = `{"StartAt":"A","States":{
		"A":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a","ResultPath":"$.a","Catch":[{"ErrorEquals":["Late"],"ResultPath":null,"Next":"B"}],"Next":"B"},
		"B":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:b","ResultPath":"$.b","Catch":[{"ErrorEquals":["Late"],"ResultPath":null,"Next":"C"}],"Next":"C"},
		"C":{"Type":"Choice","Choices":[{"Variable":"$.a","IsPresent":true,"Next":"Done"},{"Variable":"$.b","IsPresent":true,"Next":"Done"}],"Default":"Either"},
		"Either":{"Type":"Pass","Parameters":{"v.$":"$.b"},"Next":"Done"},
		"Done":{"Type":"Succeed"}}}`
	o := explore.Options{Machine: open(t, definition)}
	o.Given = []explore.Given{{File: fixturesOf(t, `{version: 1, input: {}, tasks: {A: [{output: 1, repeat: forever}], B: [{output: 1, repeat: forever}]}}`)}}
	same(t, findings(run(t, o), explore.Bug), nil)
	o.Pairs = true
	r := run(t, o)
	same(t, findings(r, explore.Bug), []string{`bug Either: Either fails with States.Runtime: $.b is missing: $ is an empty object`})
	for _, f := range r.Findings {
		if f.Class == explore.Bug && f.Run.Describe() != "A fails with Late; B fails with Late" {
			t.Error(f.Run.Describe())
		}
	}
}

// A loop that nothing ends is found, and the number of its events is the quota.
func TestEndless(t *testing.T) {
	r := explored(t, `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a","Catch":[{"ErrorEquals":["Again"],"ResultPath":null,"Next":"A"}],"End":true}}}`)
	list := findings(r, explore.Endless)
	if len(list) != 1 || !strings.Contains(list[0], "the run ends at the quota of 25000 events of the history") || !strings.Contains(list[0], "endless A: A is entered ") {
		t.Error(list)
	}
	if row := row(t, r, "A", "Again", explore.All); !row.Always.Endless() || row.Once.Endless() || row.Always.Stuck() {
		t.Error(handling(row.Always))
	}
}

// An error of the definition that a catcher hides behind a Fail state is a bug as well.
func TestMasked(t *testing.T) {
	o := explore.Options{Machine: open(t, `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a","Output":"{% {'a': $states.result} %}","Catch":[{"ErrorEquals":["Late"],"Next":"P"}],"Next":"P"},
		"P":{"Type":"Parallel","Branches":[{"StartAt":"Q","States":{"Q":{"Type":"Pass","Output":"{% $states.input.a %}","End":true}}}],"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],"End":true},
		"F":{"Type":"Fail","Error":"Bad"}}}`)}
	o.Given = []explore.Given{{File: fixturesOf(t, `{version: 1, input: {}, tasks: {A: [{output: 1, repeat: forever}]}}`)}}
	r := run(t, o)
	list := findings(r, explore.Bug)
	if len(list) != 1 || !strings.HasPrefix(list[0], "bug Q: Q fails with States.QueryEvaluationError") {
		t.Error(list)
	}
}

// Of an error that nothing handles, the finding says what was done before.
func TestLost(t *testing.T) {
	r := run(t, demoOptions(t))
	var all []*explore.Finding
	for _, f := range r.Findings {
		all = append(append(all, f), f.Same...)
	}
	for _, f := range all {
		if f.Class == explore.Uncaught && f.State.Name == "ReserveStock" {
			same(t, f.Lost, []string{"done before: ValidateOrder, ChargeCard", "1 other branch or iteration was ended"})
			if len(f.Errors) < 30 || f.Count != 2 { // once and always, of one error for all
				t.Errorf("%d errors in %d runs", len(f.Errors), f.Count)
			}
			return
		}
	}
	t.Error("there is no such finding")
}

// A finding that is true of every run comes last: no fault and no other data are needed for it.
func TestTrueOfEveryRun(t *testing.T) {
	r := run(t, explore.Options{Machine: open(t, `{"StartAt":"A","States":{
		"A":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a","ResultPath":null,
		"Catch":[{"ErrorEquals":["Busy"],"ResultPath":"$.e","Next":"B"}],"Next":"Z"},
		"Z":{"Type":"Pass","Parameters":{"n.$":"States.MathAdd($.s, 1)"},"Next":"B"},
		"B":{"Type":"Choice","Choices":[{"Variable":"$.e","IsPresent":true,"Next":"C"}],"Default":"D"},
		"C":{"Type":"Pass","InputPath":"$.gone","Next":"D"},
		"D":{"Type":"Succeed"}}}`),
		Given: []explore.Given{{Input: must(`{"s":"a"}`)}}})
	var states []string
	for _, f := range r.Findings {
		states = append(states, f.State.Name)
	}
	if n := len(states); n < 2 || states[n-1] != "Z" || !slices.Contains(states, "C") || !slices.Contains(states, "A") {
		t.Errorf("the findings are about %q; Z is to be the last", states)
	}
}
