package explain_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/source"
	"asldb/engine/value"
)

// start is the virtual time at which the tests begin.
var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// open returns a session of a definition that has not begun.
func open(t testing.TB, definition, input string) *debug.Session {
	t.Helper()
	src := &source.File{Name: "m.asl.json", Data: []byte(definition)}
	parsed, diagnostics := asl.Parse(src)
	if parsed == nil {
		t.Fatal(diagnostics[0].Format())
	}
	machine, err := engine.Compile(parsed, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return debug.New(machine, debug.Options{Input: value.Must(input), Start: start})
}

// play runs a session to its end and answers its tasks in turn; it stops where no answer is left.
func play(t testing.TB, s *debug.Session, answers ...engine.Outcome) {
	t.Helper()
	for {
		stop, err := s.Do(debug.Command{Kind: debug.Continue})
		if err != nil {
			t.Fatal(err)
		}
		if stop.Reason != debug.StoppedForAnswer || len(answers) == 0 {
			return
		}
		if err := s.Interventions().Answer(s.Requests()[0].ID, answers[0]); err != nil {
			t.Fatal(err)
		}
		answers = answers[1:]
	}
}

// find returns the index of the last event with a name, in a state where one is given.
func find(t testing.TB, s *debug.Session, state, name string) int {
	t.Helper()
	for i := s.Log().Len() - 1; i >= 0; i-- {
		e := s.Log().At(i)
		if explain.EventName(e) == name && (state == "" || e.Visit != nil && e.Visit.State.Name == state) {
			return i
		}
	}
	for i := range s.Log().Len() {
		t.Log(i, explain.EventPlace(s.Log().At(i)), explain.EventName(s.Log().At(i)))
	}
	t.Fatalf("no event %s %s", state, name)
	return -1
}

func failed(name, cause string) engine.Outcome { return engine.Outcome{Error: name, Cause: cause} }

func output(text string) engine.Outcome { return engine.Outcome{Output: value.Must(text)} }

const (
	choice = `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[
		{"Variable":"$.total","NumericGreaterThan":100,"Next":"E"},
		{"And":[{"Variable":"$.total","IsPresent":true},{"Variable":"$.total","NumericLessThanPath":"$.low"},{"Variable":"$.no","IsNull":true}],"Next":"E"},
		{"Variable":"$.name","StringEquals":"x","Next":"E"},
		{"Variable":"$.name","StringEquals":"y","Next":"F"}],"Default":"F"},
		"E":{"Type":"Pass","End":true},"F":{"Type":"Pass","End":true}}}`
	task = `{"TimeoutSeconds":90,"StartAt":"T","States":{
		"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:pay","TimeoutSeconds":20,"HeartbeatSeconds":5,
			"Retry":[{"ErrorEquals":["Busy"],"IntervalSeconds":2,"BackoffRate":3,"MaxAttempts":2,"MaxDelaySeconds":5}],
			"Catch":[{"ErrorEquals":["Lost"],"ResultPath":"$.error","Next":"E"},{"ErrorEquals":["Gone"],"ResultPath":null,"Next":"E"},
				{"ErrorEquals":["States.ALL"],"Next":"E"}],"Next":"E"},
		"E":{"Type":"Pass","End":true}}}`
	query = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Pass","Output":{"sum":"{% $sum($states.input.lines.(price * 2)) %}","first":"{% $states.input.lines[0].sku %}"},"Next":"B"},
		"B":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:pay",
			"Catch":[{"ErrorEquals":["Lost"],"Output":"{% $states.errorOutput.Error %}","Next":"C"},{"ErrorEquals":["States.ALL"],"Next":"C"}],"Next":"C"},
		"C":{"Type":"Pass","Output":"{% $states.input.missing %}","End":true}}}`
	containers = `{"StartAt":"P","States":{
		"P":{"Type":"Parallel","ResultPath":"$.p","Next":"M","Branches":[
			{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":3661,"End":true}}},{"StartAt":"Q","States":{"Q":{"Type":"Pass","End":true}}}]},
		"M":{"Type":"Map","ItemsPath":"$.lines","MaxConcurrency":1,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","Parameters":{"sku.$":"$.sku"},"End":true}}},"End":true}}}`
)

// Each event has its sentences.
func TestAt(t *testing.T) {
	for _, test := range []struct {
		name, definition, input string
		answers                 []engine.Outcome
		state, event            string
		want                    []string
	}{
		{"a rule that holds", choice, `{"total":120}`, nil, "C", "Choices", []string{
			"1 yes $.total NumericGreaterThan 100 -> E", "    $.total is 120",
			"2 And -> E  not evaluated", `3 $.name StringEquals "x" -> E  not evaluated`, `4 $.name StringEquals "y" -> F  not evaluated`}},
		{"no rule holds", choice, `{"total":5,"low":1,"name":7}`, nil, "C", "Choices", []string{
			"1 no $.total NumericGreaterThan 100 -> E", "    $.total is 5",
			"2 no And -> E", "    yes $.total IsPresent true: is 5", "    no $.total NumericLessThan $.low: is 5",
			"    not evaluated $.no IsNull true: does not exist",
			`3 no $.name StringEquals "x" -> E`, "    $.name is 7, a number and not a string",
			`4 no $.name StringEquals "y" -> F`, "    $.name is 7, a number and not a string", "no rule holds: Default -> F"}},
		{"the transition of a rule", choice, `{"total":120}`, nil, "C", "StateExited", []string{"-> the state's output goes to E (rule 1)"}},
		{"the transition by Default", choice, `{"total":5,"low":1,"name":7}`, nil, "C", "StateExited", []string{"-> the state's output goes to F (Default)"}},
		{"the end of a scope", choice, `{"total":120}`, nil, "E", "StateExited", []string{"end the state's output; here its scope ends"}},
		{"a request", task, `{}`, nil, "T", "TaskScheduled", []string{
			"asks for the task arn:aws:lambda:us-east-1:123456789012:function:pay", "TimeoutSeconds 20s, HeartbeatSeconds 5s"}},
		{"another attempt", task, `{}`, []engine.Outcome{failed("Busy", "later")}, "T", "TaskScheduled", []string{
			"asks for the task arn:aws:lambda:us-east-1:123456789012:function:pay, attempt 2", "TimeoutSeconds 20s, HeartbeatSeconds 5s"}},
		{"a retry", task, `{}`, []engine.Outcome{failed("Busy", "later")}, "T", "RetryScheduled", []string{
			"retrier 1 takes Busy: retry 1 at t+2s", "later", "2s x 3^0 = 2s, at most 5s; retry 1 of at most 2"}},
		{"a retry begins", task, `{}`, []engine.Outcome{failed("Busy", "")}, "T", "RetryStarted", []string{"The delay is over: the state's work begins again."}},
		{"an error", task, `{}`, []engine.Outcome{failed("Lost", "gone")}, "T", "TaskFailed", []string{"This was answered manually.", "Lost", "gone",
			"  no retrier 1 [Busy] does not name Lost", "  yes catcher 1 [Lost] takes it -> E", "  not asked: catcher 2, catcher 3"}},
		{"a catcher with a ResultPath", task, `{"id":1}`, []engine.Outcome{failed("Lost", "gone")}, "T", "ErrorCaught", []string{
			"catcher 1 takes Lost and goes to E", "gone",
			"  no retrier 1 [Busy] does not name Lost", "  yes catcher 1 [Lost] takes it -> E", "  not asked: catcher 2, catcher 3",
			"This is the Error Output. The catcher's ResultPath is $.error: it puts the Error Output into the raw input."}},
		{"a catcher that discards the error", task, `{"id":1}`, []engine.Outcome{failed("Gone", "")}, "T", "ErrorCaught", []string{
			"catcher 2 takes Gone and goes to E",
			"  no retrier 1 [Busy] does not name Gone", "  no catcher 1 [Lost] does not name Gone", "  yes catcher 2 [Gone] takes it -> E", "  not asked: catcher 3",
			"This is the Error Output. The catcher's ResultPath is null: it discards the Error Output, and the raw input is passed on."}},
		{"a catcher that replaces the input", task, `{"id":1,"error":2}`, []engine.Outcome{failed("Other", "")}, "T", "ErrorCaught", []string{
			"catcher 3 takes Other and goes to E",
			"  no retrier 1 [Busy] does not name Other", "  no catcher 1 [Lost] does not name Other", "  no catcher 2 [Gone] does not name Other", "  yes catcher 3 [States.ALL] takes it -> E",
			"This is the Error Output. The catcher's ResultPath is $ (its default): the Error Output replaces the raw input.",
			"- lost: id, error", `"ResultPath": "$.error2" keeps the raw input.`}},
		{"a result", task, `{"id":1}`, []engine.Outcome{output(`{"ok":true}`)}, "T", "ResultPath", []string{
			"- lost: id", `"ResultPath": "$.result" keeps the raw input.`}},
		{"the parts of expressions", query, `{"lines":[{"sku":"a","price":1},{"sku":"b","price":2}]}`, nil, "A", "Output", []string{
			`Output/sum  {% $sum($states.input.lines.(price * 2)) %}  =  6`,
			`  $states.input.lines.(price * 2)  =  [2,4]`,
			`    input  =  {"lines":[{"sku":"a","price":1},{"sku":"b","price":2}]}`,
			`    lines  =  [{"sku":"a","price":1},{"sku":"b","price":2}]`,
			`    (price * 2)  =  [2,4]`, `      price * 2  =  2  (the first of 2)`, `        price  =  1  (the first of 2)`,
			`Output/first  {% $states.input.lines[0].sku %}  =  "a"`,
			`  input  =  {"lines":[{"sku":"a","price":1},{"sku":"b","price":2}]}`, `  lines[0]  =  {"sku":"a","price":1}`, `  sku  =  "a"`}},
		{"a catcher's Output", query, `{"lines":[{"sku":"a","price":1}]}`, []engine.Outcome{failed("Lost", "gone")}, "B", "ErrorCaught", []string{
			"catcher 1 takes Lost and goes to C", "gone", "This is the Error Output, $states.errorOutput; the catcher's Output makes the state's output of it."}},
		{"a catcher without Output", query, `{"lines":[{"sku":"a","price":1}]}`, []engine.Outcome{failed("Other", "gone")}, "B", "ErrorCaught", []string{
			"catcher 2 takes Other and goes to C", "gone", "  no catcher 1 [Lost] does not name Other", "  yes catcher 2 [States.ALL] takes it -> C",
			"This is the Error Output. The catcher has no Output: the Error Output replaces the input."}},
		{"branches", containers, `{"lines":[]}`, nil, "P", "ParallelStarted", []string{"2 branches"}},
		{"iterations", containers, `{"lines":[{"sku":1}]}`, nil, "M", "MapStarted", []string{"1 iteration, 1 at a time"}},
		{"a wait", containers, `{"lines":[]}`, nil, "W", "WaitStarted", []string{"waits until t+1h01m01s (2026-03-01T10:01:01Z)"}},
		{"a wait that is over", containers, `{"lines":[]}`, nil, "W", "WaitEnded", []string{"The time has come."}},
		{"the beginning", containers, `{"lines":[]}`, nil, "", "ExecutionStarted", []string{"The execution begins with this input."}},
		{"a state", containers, `{"lines":[]}`, nil, "P", "StateEntered", []string{"The state's raw input."}},
		{"the end", containers, `{"lines":[]}`, nil, "", "ExecutionSucceeded", []string{"The execution succeeded with this output."}},
		{"a path that misses", containers, `{"lines":[{"sky":1}]}`, nil, "I", "Parameters failed", []string{
			"$.sku is missing; did you mean $.sky?", "States.Runtime in Parameters/sku.$, line 4"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := open(t, test.definition, test.input)
			play(t, s, test.answers...)
			got := explain.Plain(60).Lines(explain.At(s, find(t, s, test.state, test.event), nil))
			if len(got) > len(test.want) && test.name == "a path that misses" {
				got = got[:len(test.want)] // a place and the cause follow
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%q\nwant\n%q", got, test.want)
			}
		})
	}
}

// A rule that cannot be evaluated ends the state: Default is not taken, and not named.
func TestChoiceThatFails(t *testing.T) {
	s := open(t, choice, `{"name":"x"}`)
	play(t, s)
	got := strings.Join(explain.Plain(60).Lines(explain.At(s, find(t, s, "C", "Choices failed"), nil)), "\n")
	if strings.Contains(got, "Default") || !strings.Contains(got, "not evaluated") {
		t.Error(got)
	}
}

// An error that the engine finds leads to the definition, and a stage that passes it on unfolds the expression behind
// it.
func TestFaults(t *testing.T) {
	s := open(t, query, `{"lines":[{"sku":"a","price":1}]}`)
	play(t, s, output(`{}`))
	for _, event := range []string{"Output failed", "StateFailed"} {
		text := explain.At(s, find(t, s, "C", event), nil)
		lines := explain.Plain(60).Lines(text)
		if !slices.Equal(lines[:2], []string{
			"$states.input.missing is missing: $states.input is an empty object.",
			"States.QueryEvaluationError in Output, line 5",
		}) {
			t.Errorf("%s begins with %q", event, lines[:2])
		}
		if place := text[1].Spans[2].Place; place == nil || place.Pointer != "/States/C/Output" {
			t.Errorf("%s leads to %v", event, place)
		}
		if n := len(lines); lines[n-2] != "  input  =  {}" || lines[n-1] != "  missing  =  nothing" {
			t.Errorf("%s unfolds %q", event, lines)
		}
	}
	want := []string{
		"FAILED in C (m.asl.json:5:31) at t+0s",
		"$states.input.missing is missing: $states.input is an empty object.", "error  States.QueryEvaluationError",
	}
	got := explain.Plain(60).Lines(explain.Failed(s, nil))
	if !slices.Equal(got[:3], want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A row of a list says an event in a few words.
func TestEventDetail(t *testing.T) {
	for _, test := range []struct {
		definition, input string
		answers           []engine.Outcome
		state, event      string
		want              string
		tone              explain.Tone
		sign              explain.Sign
	}{
		{task, `{}`, []engine.Outcome{failed("Busy", "later")}, "T", "RetryScheduled", "retrier 1, retry 1 in 2s", explain.ToneCaution, explain.SignRetry},
		{task, `{}`, []engine.Outcome{failed("Lost", "gone")}, "T", "TaskFailed", "Lost: gone", explain.ToneBad, explain.SignError},
		{task, `{}`, []engine.Outcome{failed("Lost", "gone")}, "T", "ErrorCaught", "Lost -> E", explain.ToneCaution, explain.SignCatch},
		{task, `{"a":1}`, []engine.Outcome{output(`{"b":1,"c":2}`)}, "T", "ResultPath", "+2 -1", explain.TonePlain, explain.NoSign},
		{task, `{"a":1}`, []engine.Outcome{output(`{"b":1}`)}, "T", "TaskSucceeded", `{"b":1}`, explain.ToneGood, explain.SignSuccess},
		{task, `{"a":1}`, []engine.Outcome{output(`{"b":1}`)}, "T", "StateExited", "-> E", explain.TonePlain, explain.NoSign},
		{task, `{"a":1}`, nil, "T", "TaskScheduled", `{"a":1}`, explain.TonePlain, explain.SignWaits},
		{choice, `{"total":120}`, nil, "E", "StateExited", "end", explain.TonePlain, explain.NoSign},
		{choice, `{"total":120}`, nil, "C", "Choices", "no change", explain.TonePlain, explain.NoSign},
		{containers, `{"lines":[]}`, nil, "W", "WaitStarted", "until t+1h01m01s", explain.ToneCaution, explain.SignWaits},
		{containers, `{"lines":[]}`, nil, "P", "BranchStarted", `{"lines":[]}`, explain.TonePlain, explain.NoSign},
		{containers, `{"lines":[]}`, nil, "P", "ParallelStarted", "2 branches", explain.TonePlain, explain.NoSign},
		{containers, `{"lines":[]}`, nil, "P", "StateEntered", `{"lines":[]}`, explain.ToneHeading, explain.SignEnter},
	} {
		s := open(t, test.definition, test.input)
		play(t, s, test.answers...)
		e := s.Log().At(find(t, s, test.state, test.event))
		if got := explain.Plain(60).Spans(explain.EventDetail(e, start)); got != test.want {
			t.Errorf("%s %s: %q, want %q", test.state, test.event, got, test.want)
		}
		if tone, sign := explain.EventTone(e), explain.EventSign(e); tone != test.tone || sign != test.sign {
			t.Errorf("%s %s: tone %d and sign %d, want %d and %d", test.state, test.event, tone, sign, test.tone, test.sign)
		}
	}
}

func TestPlaces(t *testing.T) {
	s := open(t, containers, `{"lines":[{"sku":1},{"sku":2}]}`)
	play(t, s)
	for _, test := range []struct{ state, event, want string }{
		{"P", "BranchSucceeded", "P[0]"}, {"M", "IterationSucceeded", "M[1]"}, {"I", "StateEntered", "[1] I"}, {"M", "MapStarted", "M"},
		{"", "ExecutionSucceeded", ""},
	} {
		if got := explain.EventPlace(s.Log().At(find(t, s, test.state, test.event))); got != test.want {
			t.Errorf("%s is at %q, want %q", test.event, got, test.want)
		}
	}
}
