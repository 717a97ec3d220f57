package engine_test

import (
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// The variables of a failed attempt are not committed: not by a catcher without an Assign, nor by the next attempt.
func TestWhatFailsAssignsNothing(t *testing.T) {
	const rest = `"End":true},"F":{"Type":"Pass","QueryLanguage":"JSONata","Output":"{% $exists($x) %}","End":true}}}`
	for name, fields := range map[string]string{
		"JSONata":  `"QueryLanguage":"JSONata","Assign":{"x":"committed"},"Output":"{% $nope %}","Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],`,
		"JSONPath": `"Assign":{"x":"committed"},"ResultPath":"$.a.b","Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],`,
		"retried": `"QueryLanguage":"JSONata","Assign":{"x":"committed"},"Output":"{% $nope %}","Retry":[{"ErrorEquals":["States.QueryEvaluationError"],"MaxAttempts":1}],
			"Catch":[{"ErrorEquals":["States.ALL"],"Next":"F"}],`,
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := run(t, `{"StartAt":"S","States":{"S":{`+taskFields+`,`+fields+rest, `{"a":1}`,
				inTurn(gives(`1`), fails("E")))
			wantOutput(t, e, `false`)
		})
	}
}

// A fault in a limit is a fault at every attempt.
func TestRetryEvaluatesLimitsAnew(t *testing.T) {
	e, _ := run(t, query(taskFields+`,"TimeoutSeconds":"{% 'x' %}","Retry":[{"ErrorEquals":["States.ALL"],"MaxAttempts":1}],"End":true`), `{}`, nil)
	wantFailure(t, e, "States.QueryEvaluationError",
		"The JSONata expression ''x'' specified for the field 'TimeoutSeconds' returned an unexpected result type. Expected 'number', but was 'string' for value: \"x\"")
}

// Once a timeout has fired, an answer comes too late.
func TestAnswersComeTooLate(t *testing.T) {
	e := compile(t, single(taskFields+`,"TimeoutSeconds":5,"End":true`), engine.AWS).Start(value.Must(`{}`),
		engine.StartOptions{})
	for e.Unanswered() == nil {
		e.Step()
	}
	if err := e.AdvanceTo(e.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if err := e.Answer(1, engine.Outcome{Output: value.Int(1), After: time.Hour}); err != engine.ErrNoRequest {
		t.Errorf("the late answer: %v", err)
	}
	drive(t, e, nil)
	wantFailure(t, e, "States.Timeout", "")
}

func TestTimesFarAway(t *testing.T) {
	e, _ := run(t, single(`"Type":"Wait","Timestamp":"1600-01-01T00:00:00Z","End":true`), `{}`, nil)
	wantOutput(t, e, `{}`)
	far := compile(t, single(taskFields+`,"End":true`), engine.AWS).Start(value.Must(`{}`),
		engine.StartOptions{Start: time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC)})
	for far.Unanswered() == nil {
		far.Step()
	}
	before := far.Now()
	if err := far.AdvanceTo(before.AddDate(290, 0, 0)); err != nil || far.Now().Before(before) {
		t.Errorf("the clock went from %v to %v: %v", before, far.Now(), err)
	}
}

// A failure that nothing can catch is not tolerated either.
func TestTerminalFailuresAreNotTolerated(t *testing.T) {
	definition := single(`"Type":"Map","ToleratedFailureCount":1,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","Parameters":{"a.$":"States.ArrayRange(1,100,1)"},"End":true}}},"End":true`)
	e := compile(t, definition, engine.AWS).Start(value.Must(`[1]`),
		engine.StartOptions{Limits: engine.Limits{Payload: 100}})
	drive(t, e, nil)
	wantFailure(t, e, "States.DataLimitExceeded", "")
}

// A distributed Map's fields in JSONata may give anything: that is an error, not a panic.
func TestReaderAndWriterThatGiveNoObject(t *testing.T) {
	const processor = `"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true`
	for _, part := range []string{
		`"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","ReaderConfig":{"InputType":"JSON"},"Arguments":"{% 1 %}"},`,
		`"ResultWriter":{"Resource":"arn:aws:states:::s3:putObject","Arguments":"{% 1 %}"},`,
	} {
		e, _ := run(t, query(`"Type":"Map",`+part+processor), `[1]`, nil)
		wantFailure(t, e, "States.QueryEvaluationError", "must give an object, but gave number 1")
	}
}

// Timers of attempts that are over do not pile up.
func TestTimersAreSwept(t *testing.T) {
	definition := `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericLessThan":2000,"Next":"T"}],"Default":"E"},
		"T":{` + taskFields + `,"TimeoutSeconds":999999,"Next":"C"},"E":{"Type":"Succeed"}}}`
	n := int64(0)
	e := compile(t, definition, engine.AWS).Start(value.Must(`{"n":0}`), engine.StartOptions{Quiet: true})
	most := 0
	drive(t, e, func(*engine.TaskRequest) engine.Outcome {
		n++
		most = max(most, e.PendingTimers())
		return engine.Outcome{Output: value.ObjectOf(value.Member{Key: "n", Value: value.Int(n)})}
	})
	if e.Status() != engine.Succeeded || most > 200 {
		t.Errorf("%v; up to %d timers were stored", e.Status(), most)
	}
}

// Of the two bounds of tolerated failures either one trips, also one of 0.
func TestEitherBoundOfToleratedFailuresTrips(t *testing.T) {
	iteration := `"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Choice","Choices":[{"Variable":"$","NumericGreaterThan":1,"Next":"No"}],"Default":"Ok"},
		"Ok":{"Type":"Pass","End":true},"No":{"Type":"Fail","Error":"Big"}}},"End":true`
	e, _ := run(t, single(`"Type":"Map","ToleratedFailureCount":0,"ToleratedFailurePercentage":100,`+iteration),
		`[1,2]`, nil)
	wantFailure(t, e, "States.ExceedToleratedFailureThreshold", "")
	e, _ = run(t, single(`"Type":"Map","ToleratedFailureCount":5,"ToleratedFailurePercentage":10,`+iteration), `[1,2]`,
		nil)
	wantFailure(t, e, "States.ExceedToleratedFailureThreshold", "")
	e, _ = run(t, single(`"Type":"Map","ToleratedFailureCount":1,"ToleratedFailurePercentage":50,`+iteration), `[1,2]`,
		nil)
	wantOutput(t, e, `[1]`)
}

// A word without quotes in a filter is compared as text. The published text has no such thing.
func TestUnquotedWordInFilter(t *testing.T) {
	const inner = `"Type":"Map","End":true,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","InputPath":"$.f[?(@.n==Receipt)].v","End":true}}}`
	e, _ := run(t, single(inner), `[{"f":[{"n":"Receipt","v":1},{"n":"Order","v":2}]}]`, nil)
	wantOutput(t, e, `[[1]]`)
	parsed, _ := asl.Parse(&source.File{Name: "test.asl.json", Data: []byte(single(inner))})
	_, err := engine.Compile(parsed, engine.Spec)
	if err == nil || !strings.Contains(err.Error(), `state "I": the word Receipt has no quotes`) {
		t.Errorf("in the dialect spec: %v", err)
	}
}

// A slice, a union of indexes and an index need an array where there is something; where there is nothing, the first
// two give an empty array.
func TestSlicesOfObjects(t *testing.T) {
	for path, cause := range map[string]string{
		"$.o[0:1]": "Invalid path '$.o[0:1]' : Filter: [0:1] can only be applied to arrays. Current context is: {a=1}",
		"$.o[-2:]": "Invalid path '$.o[-2:]' : Filter: [-2:] can only be applied to arrays. Current context is: {a=1}",
		"$.o[0,1]": "Invalid path '$.o[0,1]' : Filter: [0,1] can only be applied to arrays. Current context is: {a=1}",
		"$.o[0]":   "Invalid path '$.o[0]' : Filter: [0] can only be applied to arrays. Current context is: {a=1}",
		"$.n[1:]":  "Invalid path '$.n[1:]' : The path $['n'] is null",
	} {
		e, _ := run(t, single(`"Type":"Pass","InputPath":"`+path+`","End":true`), `{"o":{"a":1},"n":null}`, nil)
		wantFailure(t, e, "States.Runtime", cause)
		e, _ = run(t, single(`"Type":"Pass","Parameters":{"x.$":"`+path+`"},"End":true`), `{"o":{"a":1},"n":null}`, nil)
		wantFailure(t, e, "States.Runtime", "The JSONPath '"+path+"' specified for the field")
	}
	for _, path := range []string{"$.no[0:1]", "$.no[-2:]", "$.no[0,1].x"} {
		e, _ := run(t, single(`"Type":"Pass","Parameters":{"x.$":"`+path+`"},"End":true`), `{}`, nil)
		wantOutput(t, e, `{"x":[]}`)
	}
}
