package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/value"
)

// Every stage is an event, in the order of the section "Input and Output Processing", and reads the data of the stage
// before.
func TestStagesOfATask(t *testing.T) {
	definition := single(taskFields + `,"InputPath":"$.in","Parameters":{"p.$":"$.q"},"ResultSelector":{"r.$":"$.x"},
		"ResultPath":"$.out","OutputPath":"$.out","Assign":{"raw.$":"$.x"},"End":true`)
	e, events := run(t, definition, `{"in":{"q":1},"other":2}`, inTurn(gives(`{"x":7,"y":8}`)))
	wantOutput(t, e, `{"r":7}`)
	want := "ExecutionStarted StateEntered StageCompleted:InputPath StageCompleted:Parameters TaskScheduled TaskSucceeded " +
		"StageCompleted:Assign StageCompleted:ResultSelector StageCompleted:ResultPath StageCompleted:OutputPath StateExited ExecutionSucceeded"
	if got := types(events); got != want {
		t.Errorf("events\n     %s\nwant %s", got, want)
	}
	data := map[engine.Stage][2]string{
		engine.StageInputPath:      {`{"in":{"q":1},"other":2}`, `{"q":1}`},
		engine.StageParameters:     {`{"q":1}`, `{"p":1}`},
		engine.StageAssign:         {`{}`, `{"raw":7}`},
		engine.StageResultSelector: {`{"x":7,"y":8}`, `{"r":7}`},
		engine.StageResultPath:     {`{"in":{"q":1},"other":2}`, `{"in":{"q":1},"other":2,"out":{"r":7}}`},
		engine.StageOutputPath:     {`{"in":{"q":1},"other":2,"out":{"r":7}}`, `{"r":7}`},
	}
	for i := range events {
		ev := &events[i]
		if ev.Seq != int64(i+1) {
			t.Errorf("event %d has the number %d", i+1, ev.Seq)
		}
		want, ok := data[ev.Stage]
		if !ok || ev.Type != engine.StageCompleted {
			continue
		}
		if before, after := value.Compact(ev.Before), value.Compact(ev.After); before != want[0] || after != want[1] {
			t.Errorf("%v turned %s into %s, want %s into %s", ev.Stage, before, after, want[0], want[1])
		}
	}
}

func TestChoiceOperators(t *testing.T) {
	tests := []struct {
		rule, data string
		want       bool
	}{
		{`"Variable":"$","StringEquals":"a"`, `"a"`, true},
		{`"Variable":"$","StringEquals":"a"`, `"A"`, false},
		{`"Variable":"$","StringEquals":"1"`, `1`, false},
		{`"Variable":"$","StringLessThan":"B"`, `"AB"`, true},
		{`"Variable":"$","StringLessThan":"A"`, `""`, true},
		{`"Variable":"$","StringGreaterThan":"AB"`, `"B"`, true},
		{`"Variable":"$","StringLessThanEquals":"a"`, `"a"`, true},
		{`"Variable":"$","StringGreaterThanEquals":"b"`, `"a"`, false},
		// Java orders by UTF-16 units: a character beyond U+FFFF is less than U+FF5E.
		{`"Variable":"$","StringLessThan":"～"`, `"😀"`, true},
		{`"Variable":"$.a","StringEqualsPath":"$.b"`, `{"a":"x","b":"x"}`, true},
		{`"Variable":"$.a","StringEqualsPath":"$.b"`, `{"a":"x","b":1}`, false},
		{`"Variable":"$","NumericEquals":1`, `1.0`, true},
		{`"Variable":"$","NumericEquals":9007199254740993`, `9007199254740992`, false},
		{`"Variable":"$","NumericLessThan":10`, `9.99`, true},
		{`"Variable":"$","NumericGreaterThan":10`, `10`, false},
		{`"Variable":"$","NumericLessThanEquals":10`, `1e1`, true},
		{`"Variable":"$","NumericGreaterThanEquals":-1`, `-1`, true},
		{`"Variable":"$.a","NumericLessThanPath":"$.b"`, `{"a":1,"b":2}`, true},
		{`"Variable":"$","BooleanEquals":true`, `true`, true},
		{`"Variable":"$","BooleanEquals":false`, `"false"`, false},
		{`"Variable":"$.a","BooleanEqualsPath":"$.b"`, `{"a":false,"b":false}`, true},
		{`"Variable":"$","TimestampEquals":"2016-03-14T01:59:00Z"`, `"2016-03-14T03:59:00+02:00"`, true},
		{`"Variable":"$","TimestampLessThan":"2016-03-14T01:59:00.000000001Z"`, `"2016-03-14T01:59:00Z"`, true},
		{`"Variable":"$","TimestampGreaterThan":"2016-03-14T01:59:00Z"`, `"2016-03-14 01:59:01Z"`, false},
		{`"Variable":"$","TimestampGreaterThanEquals":"2016-03-14T01:59:00Z"`, `"2016-03-14T01:59:00Z"`, true},
		{`"Variable":"$.a","TimestampLessThanEqualsPath":"$.b"`,
			`{"a":"2016-03-14T01:59:00Z","b":"2017-03-14T01:59:00Z"}`, true},
		{`"Variable":"$","StringMatches":"*.log"`, `"a.b.log"`, true},
		{`"Variable":"$","StringMatches":"a*b*c"`, `"abbbc"`, true},
		{`"Variable":"$","StringMatches":"a*b*c"`, `"acb"`, false},
		{`"Variable":"$","StringMatches":"a?c"`, `"abc"`, false},
		{`"Variable":"$","StringMatches":"ab*ba"`, `"aba"`, false},
		{`"Variable":"$","StringMatches":"*"`, `""`, true},
		{`"Variable":"$","StringMatches":""`, `"x"`, false},
		{`"Variable":"$","StringMatches":"\\\\*"`, `"\\x"`, true},
		{`"Variable":"$","IsNull":true`, `null`, true},
		{`"Variable":"$","IsNull":false`, `0`, true},
		{`"Variable":"$","IsNumeric":true`, `"1"`, false},
		{`"Variable":"$","IsString":true`, `"1"`, true},
		{`"Variable":"$","IsBoolean":true`, `false`, true},
		{`"Variable":"$","IsTimestamp":false`, `"x"`, true},
		{`"Variable":"$.a.b","IsPresent":true`, `{"a":{"b":null}}`, true},
		{`"Variable":"$.a.b","IsPresent":true`, `{"a":1}`, false},
		{`"Not":{"Variable":"$","NumericEquals":1}`, `2`, true},
		{`"Or":[{"Variable":"$","NumericEquals":1},{"Variable":"$.x","NumericEquals":1}]`, `1`, true},
		{`"And":[{"Variable":"$","NumericGreaterThan":0},{"Not":{"Variable":"$","NumericGreaterThan":5}}]`, `3`, true},
		{`"Variable":"$$.State.Name","StringEquals":"S"`, `{}`, true},
	}
	for _, test := range tests {
		definition := `{"StartAt":"S","States":{"S":{"Type":"Choice","Choices":[{` + test.rule + `,"Next":"Y"}],"Default":"N"},
			"Y":{"Type":"Pass","Result":true,"End":true},"N":{"Type":"Pass","Result":false,"End":true}}}`
		t.Run(test.rule+" "+test.data, func(t *testing.T) {
			e, _ := run(t, definition, test.data, nil)
			wantOutput(t, e, fmt.Sprint(test.want))
		})
	}
}

func TestWaitForms(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		fields, input string
		want          time.Duration
	}{
		{`"Seconds":86400`, `{}`, 24 * time.Hour},
		{`"SecondsPath":"$.s"`, `{"s":90}`, 90 * time.Second},
		{`"Timestamp":"2026-01-01T00:00:07.5Z"`, `{}`, 7500 * time.Millisecond},
		{`"TimestampPath":"$.t"`, `{"t":"2026-01-02T01:00:00+01:00"}`, 24 * time.Hour},
		{`"Timestamp":"2001-01-01T00:00:00Z"`, `{}`, 0}, // the past
	}
	for _, test := range tests {
		t.Run(test.fields, func(t *testing.T) {
			e := compile(t, single(`"Type":"Wait",`+test.fields+`,"End":true`), engine.AWS).
				Start(value.Must(test.input), engine.StartOptions{Start: start})
			drive(t, e, nil)
			if e.Status() != engine.Succeeded {
				t.Fatal(e.Failure())
			}
			if got := e.Now().Sub(start); got != test.want {
				t.Errorf("waited %v, want %v", got, test.want)
			}
		})
	}
}

func TestWaitTooLong(t *testing.T) {
	definition := single(`"Type":"Wait","TimestampPath":"$","End":true`)
	const days = 24 * time.Hour
	for _, test := range []struct {
		days int
		fine bool
	}{{24855, true}, {24856, false}} {
		start := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
		at := value.String(engine.FormatInstant(start.Add(time.Duration(test.days) * days)))
		e := compile(t, definition, engine.AWS).Start(at, engine.StartOptions{Start: start})
		drive(t, e, nil)
		if fine := e.Status() == engine.Succeeded; fine != test.fine {
			t.Errorf("%d days: %v (%v)", test.days, e.Status(), e.Failure())
		}
	}
}

func TestFailState(t *testing.T) {
	e, _ := run(t, single(`"Type":"Fail","Error":"Bad","Cause":"why"`), `{}`, nil)
	wantFailure(t, e, "Bad", "why")
	e, _ = run(t, single(`"Type":"Fail"`), `{}`, nil)
	wantFailure(t, e, "", "")
	e, _ = run(t, single(`"Type":"Fail","ErrorPath":"$.e","CausePath":"States.Format('{} of {}', $.c, $$.State.Name)"`),
		`{"e":"E","c":"fault"}`, nil)
	wantFailure(t, e, "E", "fault of S")
	e, _ = run(t, single(`"Type":"Fail","ErrorPath":"$.e"`), `{"e":5}`, nil)
	wantFailure(t, e, "States.Runtime", "string")
}

func TestMapOrderAndConcurrency(t *testing.T) {
	definition := single(`"Type":"Map","MaxConcurrency":2,"ItemProcessor":{"StartAt":"I","States":{"I":{` + taskFields +
		`,"End":true}}},"End":true`)
	// The first items take longest: the result keeps the order of the items all the same.
	slow := func(r *engine.TaskRequest) engine.Outcome {
		n, _ := r.Parameters.(value.Number).Int64()
		return engine.Outcome{Output: r.Parameters, After: time.Duration(10-n) * time.Second}
	}
	e, events := run(t, definition, `[0,1,2,3,4]`, slow)
	wantOutput(t, e, `[0,1,2,3,4]`)
	if most := atATime(events); most != 2 {
		t.Errorf("at most %d iterations ran at a time, want 2", most)
	}
	// More than 40 iterations of an inline Map do not run at a time (quotas of the service).
	items := "[" + strings.Repeat("1,", 49) + "1]"
	for _, bound := range []string{`"MaxConcurrency":2`, `"MaxConcurrency":0`, `"MaxConcurrency":45`} {
		want := 40
		if strings.HasSuffix(bound, ":2") {
			want = 2
		}
		_, events := run(t, strings.Replace(definition, `"MaxConcurrency":2`, bound, 1), items, slow)
		if most := atATime(events); most != want {
			t.Errorf("%s: at most %d iterations ran at a time, want %d", bound, most, want)
		}
	}
}

// atATime is the greatest number of iterations that ran together.
func atATime(events []engine.Event) (most int) {
	live := 0
	for i := range events {
		switch events[i].Type {
		case engine.IterationStarted:
			live++
		case engine.IterationSucceeded:
			live--
		}
		most = max(most, live)
	}
	return most
}

func TestMapOfOneAtATime(t *testing.T) {
	definition := single(`"Type":"Map","MaxConcurrency":1,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true`)
	_, events := run(t, definition, `[0,1]`, nil)
	want := "ExecutionStarted StateEntered StageCompleted:ItemsPath MapStarted IterationStarted StateEntered StateExited IterationSucceeded " +
		"IterationStarted StateEntered StateExited IterationSucceeded MapSucceeded StageCompleted:ResultPath StateExited ExecutionSucceeded"
	if got := types(events); got != want {
		t.Errorf("events\n     %s\nwant %s", got, want)
	}
	if path := events[9].Visit.Path(); path != "S/Iterations[1]/I" {
		t.Errorf("path %q", path)
	}
}

func TestMapTolerates(t *testing.T) {
	iteration := `"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Choice","Choices":[{"Variable":"$","NumericGreaterThan":1,"Next":"No"}],"Default":"Ok"},
		"Ok":{"Type":"Pass","End":true},"No":{"Type":"Fail","Error":"Big"}}},"End":true`
	e, _ := run(t, single(`"Type":"Map","ToleratedFailurePercentage":50,`+iteration), `[1,2,1,2]`, nil)
	wantOutput(t, e, `[1,1]`)
	e, _ = run(t, single(`"Type":"Map","ToleratedFailurePercentagePath":"$.p","ItemsPath":"$.i",`+iteration),
		`{"p":49,"i":[1,2,1,2]}`, nil)
	wantFailure(t, e, "States.ExceedToleratedFailureThreshold", "")
	e, _ = run(t, single(`"Type":"Map",`+iteration), `[1,2]`, nil)
	wantFailure(t, e, "Big", "")
	e, _ = run(t, single(`"Type":"Map","MaxConcurrencyPath":"$.n",`+iteration), `{"n":"many"}`, nil)
	wantFailure(t, e, "States.Runtime", `The MaxConcurrencyPath field refers to value "many" which is not a valid integer: $.n`)
	e, _ = run(t, single(`"Type":"Map","ItemsPath":"$.i",`+iteration), `{"i":{}}`, nil)
	wantFailure(t, e, "States.Runtime", `Reference path "$.i" must point to array.`)
}

func TestNestedContainersAndPaths(t *testing.T) {
	definition := single(`"Type":"Parallel","Branches":[
		{"StartAt":"A","States":{"A":{"Type":"Pass","Result":"a","End":true}}},
		{"StartAt":"Each","States":{"Each":{"Type":"Map","ItemProcessor":{"StartAt":"B","States":{"B":{` + taskFields + `,"End":true}}},"End":true}}}],"End":true`)
	var paths []string
	e, _ := run(t, definition, `[1,2]`, func(r *engine.TaskRequest) engine.Outcome {
		paths = append(paths, fmt.Sprintf("%s #%d", r.Visit.Path(), r.Invocation))
		return echo(r)
	})
	wantOutput(t, e, `["a",[1,2]]`)
	want := "S/Branches[1]/Each/Iterations[0]/B #1 S/Branches[1]/Each/Iterations[1]/B #2"
	if got := strings.Join(paths, " "); got != want {
		t.Errorf("tasks at %s, want %s", got, want)
	}
}

func TestRetryEvaluatesParametersAnew(t *testing.T) {
	definition := single(taskFields + `,"Parameters":{"try.$":"$$.State.RetryCount"},"Retry":[{"ErrorEquals":["States.ALL"],"MaxAttempts":2}],"End":true`)
	e, _ := run(t, definition, `{}`, func(r *engine.TaskRequest) engine.Outcome {
		if r.Attempt < 3 {
			return fails("E")
		}
		return echo(r)
	})
	wantOutput(t, e, `{"try":2}`)
}

func TestJitterIsSeededAndBounded(t *testing.T) {
	definition := single(taskFields + `,"Retry":[{"ErrorEquals":["E"],"IntervalSeconds":10,"BackoffRate":1,"MaxAttempts":50,"JitterStrategy":"FULL"}],"End":true`)
	machine := compile(t, definition, engine.AWS)
	draw := func(seed int64) []time.Duration {
		e := machine.Start(value.Must(`{}`), engine.StartOptions{Seed: seed})
		return delays(drive(t, e, inTurn(fails("E"))))
	}
	first, again, other := draw(7), draw(7), draw(8)
	if fmt.Sprint(first) != fmt.Sprint(again) {
		t.Error("the same seed gave other delays")
	}
	if fmt.Sprint(first) == fmt.Sprint(other) {
		t.Error("another seed gave the same delays")
	}
	for _, d := range first {
		if d < 0 || d > 10*time.Second {
			t.Errorf("delay %v is outside of 0 to 10s", d)
		}
	}
}

func TestHeartbeats(t *testing.T) {
	definition := `{"StartAt":"S","States":{"S":{` + taskFields + `,"HeartbeatSeconds":10,"TimeoutSeconds":100,
		"Catch":[{"ErrorEquals":["States.HeartbeatTimeout"],"Next":"H"}],"End":true},"H":{"Type":"Pass","End":true}}}`
	alive := engine.Outcome{Output: value.Int(1), After: 95 * time.Second, HeartbeatEvery: 10 * time.Second}
	e, events := run(t, definition, `{}`, inTurn(alive))
	wantOutput(t, e, `1`)
	if n := count(events, engine.TaskHeartbeat); n != 9 {
		t.Errorf("%d heartbeats, want 9", n)
	}
	silent := engine.Outcome{Output: value.Int(1), After: 95 * time.Second, HeartbeatEvery: 11 * time.Second}
	e, _ = run(t, definition, `{}`, inTurn(silent))
	wantOutput(t, e, `{"Error":"States.Timeout","Cause":""}`)
	e, _ = runIn(t, engine.Spec, definition, `{}`, inTurn(silent))
	wantOutput(t, e, `{"Error":"States.HeartbeatTimeout","Cause":""}`)
}

func TestTimeoutPaths(t *testing.T) {
	definition := single(taskFields + `,"TimeoutSecondsPath":"$.t","HeartbeatSecondsPath":"$.h","End":true`)
	late := inTurn(engine.Outcome{Output: value.Int(1), After: 30 * time.Second})
	e, _ := run(t, definition, `{"t":20,"h":15}`, late)
	wantFailure(t, e, "States.Timeout", "")
	if e.Now().Sub(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)) != 15*time.Second {
		t.Errorf("ended at %v, want after 15s", e.Now())
	}
	e, _ = run(t, definition, `{"t":40,"h":35}`, late)
	wantOutput(t, e, `1`)
	e, _ = run(t, definition, `{"h":15}`, late)
	wantFailure(t, e, "States.Runtime", "Invalid path '$.t' : No results for path: $['t']")
}

func TestMachineTimeout(t *testing.T) {
	definition := `{"TimeoutSeconds":30,"StartAt":"S","States":{"S":{"Type":"Wait","Seconds":31,"End":true}}}`
	e, events := run(t, definition, `{}`, nil)
	if e.Status() != engine.TimedOut {
		t.Fatalf("status %v", e.Status())
	}
	if last := events[len(events)-1]; last.Type != engine.ExecutionTimedOut ||
		last.At().Sub(events[0].At()) != 30*time.Second {
		t.Errorf("ended with %v after %v", last.Type, last.At().Sub(events[0].At()))
	}
}

func TestRuntimeErrorsAreNeverCaught(t *testing.T) {
	inner := `{"StartAt":"I","States":{"I":{"Type":"Pass","InputPath":"$.no","End":true}}}`
	catch := `"Retry":[{"ErrorEquals":["States.ALL"]}],"Catch":[{"ErrorEquals":["States.ALL"],"Next":"C"}],"End":true},"C":{"Type":"Succeed"}}}`
	for _, container := range []string{`"Type":"Parallel","Branches":[` + inner + `],`,
		`"Type":"Map","ItemsPath":"$.i","ItemProcessor":` + inner + `,`} {
		e, events := run(t, `{"StartAt":"S","States":{"S":{`+container+catch, `{"i":[1]}`, nil)
		wantFailure(t, e, "States.Runtime", "Invalid path '$.no'")
		if origin := e.Failure().Origin; origin == nil || origin.State.Name != "I" {
			t.Error("the failure does not say where it came up")
		}
		if n := count(events, engine.RetryScheduled); n != 0 {
			t.Errorf("%d retries", n)
		}
	}
}

func TestContextObject(t *testing.T) {
	definition := single(`"Type":"Pass","Parameters":{"name.$":"$$.Execution.Name","in.$":"$$.Execution.Input.a","state.$":"$$.State.Name",
		"start.$":"$$.Execution.StartTime","mine.$":"$$.Mine"},"End":true`)
	e := compile(t, definition, engine.AWS).Start(value.Must(`{"a":1}`), engine.StartOptions{
		Start:   time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Context: value.Must(`{"Execution":{"Name":"run-1"},"Mine":true}`),
	})
	drive(t, e, nil)
	wantOutput(t, e, `{"name":"run-1","in":1,"state":"S","start":"2026-01-02T03:04:05Z","mine":true}`)
}

func TestSpecDialect(t *testing.T) {
	miss := `{"StartAt":"S","States":{"S":{` + taskFields +
		`,"Parameters":{"a.$":"$.no"},"Catch":[{"ErrorEquals":["States.ParameterPathFailure"],"Next":"C"}],"End":true},"C":{"Type":"Pass","Result":"caught","End":true}}}`
	e, _ := runIn(t, engine.Spec, miss, `{}`, nil)
	wantOutput(t, e, `"caught"`)
	e, _ = runIn(t, engine.AWS, miss, `{}`, nil)
	wantFailure(t, e, "States.Runtime", "could not be found")

	noMatch := `{"StartAt":"S","States":{"S":{"Type":"Choice","Choices":[{"Variable":"$","NumericEquals":1,"Next":"C"}]},"C":{"Type":"Succeed"}}}`
	e, _ = runIn(t, engine.Spec, noMatch, `2`, nil)
	wantFailure(t, e, "States.NoChoiceMatched", "")

	branch := `{"StartAt":"S","States":{"S":{"Type":"Parallel","Branches":[{"StartAt":"F","States":{"F":{"Type":"Fail","Error":"X","Cause":"y"}}}],"End":true}}}`
	e, _ = runIn(t, engine.Spec, branch, `{}`, nil)
	wantFailure(t, e, "States.BranchFailed", "X: y")

	e, _ = runIn(t, engine.Spec, single(taskFields+`,"End":true`), `{}`,
		inTurn(engine.Outcome{Output: value.Int(1), After: 61 * time.Second}))
	wantFailure(t, e, "States.Timeout", "")

	named := `{"StartAt":"S","States":{"S":{` + taskFields +
		`,"Catch":[{"ErrorEquals":["States.TaskFailed"],"Next":"C"}],"End":true},"C":{"Type":"Pass","Result":"caught","End":true}}}`
	e, _ = runIn(t, engine.Spec, named, `{}`, inTurn(fails("Mine")))
	wantFailure(t, e, "Mine", "")
	e, _ = runIn(t, engine.AWS, named, `{}`, inTurn(fails("Mine")))
	wantOutput(t, e, `"caught"`)
}

func TestHistoryLimit(t *testing.T) {
	loop := `{"StartAt":"S","States":{"S":{"Type":"Choice","Choices":[{"Variable":"$","IsNull":true,"Next":"E"}],"Default":"T"},
		"T":{"Type":"Pass","Next":"S"},"E":{"Type":"Succeed"}}}`
	e := compile(t, loop, engine.AWS).Start(value.Must(`{}`), engine.StartOptions{Limits: engine.Limits{History: 1000}})
	drive(t, e, nil)
	wantFailure(t, e, "States.Runtime", "The execution reached the maximum number of history events (1000).")
}

func TestSizeLimits(t *testing.T) {
	start := func(definition, input string, answer answers) *engine.Execution {
		e := compile(t, definition, engine.AWS).Start(value.Must(input),
			engine.StartOptions{Limits: engine.Limits{Payload: 250, Variable: 50, Variables: 80}})
		drive(t, e, answer)
		return e
	}
	large := `"` + strings.Repeat("x", 300) + `"`
	catch := `{"StartAt":"S","States":{"S":{` + taskFields +
		`,"Catch":[{"ErrorEquals":["States.DataLimitExceeded"],"Next":"C"}],"End":true},"C":{"Type":"Pass","Result":"caught","End":true}}}`
	wantOutput(t, start(catch, `{}`, inTurn(gives(large))), `"caught"`) // a task's result: recorded as caught
	wantFailure(t, start(single(`"Type":"Pass","Result":`+large+`,"End":true`), `{}`, nil), "States.DataLimitExceeded",
		"The state/task 'S' returned a result with a size exceeding the maximum number of bytes service limit.")
	wantFailure(t, start(catch, large, nil), "States.DataLimitExceeded", "") // the payload: never caught
	assign := func(size int) string {
		return single(`"Type":"Pass","Result":1,"Assign":{"v":"` + strings.Repeat("x", size) + `"},"End":true`)
	}
	wantOutput(t, start(assign(40), `{}`, nil), `1`)
	wantFailure(t, start(assign(49), `{}`, nil), "States.Runtime",
		"The variable 'v' has 51 bytes, more than the limit of 50.")
	wantFailure(t, start(assign(46), `{}`, nil), "States.Runtime", "together, more than the limit of 50")
	two := `{"StartAt":"A","States":{"A":{"Type":"Pass","Assign":{"v":"` + strings.Repeat("x", 35) + `"},"Next":"B"},
		"B":{"Type":"Pass","Assign":{"w":"` + strings.Repeat("x", 35) + `"},"End":true}}}`
	wantFailure(t, start(two, `{}`, nil), "States.Runtime", "All variables have")
}

func TestAnswersThatCannotBe(t *testing.T) {
	e := compile(t, single(taskFields+`,"End":true`), engine.AWS).Start(value.Must(`{}`), engine.StartOptions{})
	for e.Unanswered() == nil {
		e.Step()
	}
	if err := e.Answer(99, gives(`1`)); err != engine.ErrNoRequest {
		t.Errorf("an answer to nobody: %v", err)
	}
	for _, outcome := range []engine.Outcome{
		{Output: value.Int(1), Error: "E"}, {Output: value.Int(1), After: -1},
		{Output: value.Int(1), HeartbeatEvery: -1},
	} {
		if err := e.Answer(1, outcome); err == nil {
			t.Errorf("%+v was taken", outcome)
		}
	}
	if got := e.Status(); got != engine.AwaitingAnswer {
		t.Errorf("status %v", got)
	}
	if err := e.AdvanceTo(e.Now().Add(-1)); err != engine.ErrBackwards {
		t.Errorf("time went back: %v", err)
	}
	if err := e.Answer(1, gives(`1`)); err != nil {
		t.Fatal(err)
	}
	if err := e.AdvanceTo(e.Now()); err != engine.ErrRunnable {
		t.Errorf("time moved under a runnable thread: %v", err)
	}
}

func TestAbort(t *testing.T) {
	e := compile(t, single(`"Type":"Wait","Seconds":5,"End":true`), engine.AWS).Start(value.Must(`{}`),
		engine.StartOptions{})
	e.Step()
	events := e.Abort("Stop", "enough")
	if len(events) != 1 || events[0].Type != engine.ExecutionAborted || e.Status() != engine.Aborted {
		t.Errorf("%v, status %v", types(events), e.Status())
	}
	if e.Abort("Stop", "again") != nil || e.Step() != nil || e.AdvanceTo(e.Now()) != engine.ErrDone {
		t.Error("an aborted execution went on")
	}
}
