package explain_test

import (
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/interrupt"
	"asldb/engine/jsonata"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/internal/wording"
)

func TestTimers(t *testing.T) {
	for _, test := range []struct {
		definition string
		answers    []engine.Outcome
		want       []explain.Timer
	}{
		{containers, nil, []explain.Timer{{"t+1h01m01s", "[0] W Wait", "Seconds 3661"}}},
		{task, []engine.Outcome{failed("Busy", "")}, []explain.Timer{
			{"t+2s", "T retry", "2s x 3^0 = 2s, at most 5s; retry 1 of at most 2"}, {"t+1m30s", "machine TimeoutSeconds", ""}}},
		{task, nil, []explain.Timer{
			{"t+5s", "T HeartbeatSeconds", "if the task does not answer before"}, {"t+20s", "T TimeoutSeconds", "if the task does not answer before"},
			{"t+1m30s", "machine TimeoutSeconds", ""}}},
	} {
		s := open(t, test.definition, `{"lines":[]}`)
		s.SetClock(debug.Clock{Mode: debug.ClockByHand})
		play(t, s, test.answers...)
		if got := explain.Timers(s, s.Timers()); !slices.Equal(got, test.want) {
			t.Errorf("got %+v, want %+v", got, test.want)
		}
	}
}

func TestOrigin(t *testing.T) {
	s := open(t, `{"StartAt":"A","States":{
		"A":{"Type":"Pass","Result":{"n":1},"ResultPath":"$.r","Next":"B"},
		"B":{"Type":"Pass","Parameters":{"k.$":"$.id","r.$":"$.r"},"End":true}}}`, `{"id":7}`)
	play(t, s)
	last := s.Log().Len() - 1
	for _, test := range []struct {
		at         int
		path, want string
	}{
		{find(t, s, "A", "StateExited"), "$.id", "from the execution's input"},
		{find(t, s, "A", "ResultPath"), "$.r", "set here, from the result"},
		{last, "$.k", "set by B in event " + strconv.Itoa(find(t, s, "B", "Parameters")+1) + ", from $.id"},
		{last, "$.none", ""},
	} {
		if got := explain.Plain(60).Spans(explain.Origin(s, test.at, test.path)); got != test.want {
			t.Errorf("%s at event %d: %q, want %q", test.path, test.at+1, got, test.want)
		}
	}
}

func TestStop(t *testing.T) {
	point := &breakpoint.Breakpoint{ID: 2, Kind: breakpoint.OnError, Hits: 3}
	for _, test := range []struct {
		stop debug.Stop
		want string
		tone explain.Tone
	}{
		{debug.Stop{Reason: debug.StoppedAtStart}, "READY", explain.TonePlain},
		{debug.Stop{Reason: debug.StoppedByStep}, "PAUSED", explain.TonePlain},
		{debug.Stop{Reason: debug.StoppedByBreakpoint}, "BREAKPOINT", explain.ToneCaution},
		{debug.Stop{Reason: debug.StoppedByBreakpoint, Breakpoint: point}, "BREAKPOINT 2 any error (hit 3)", explain.ToneCaution},
		{debug.Stop{Reason: debug.StoppedAtTarget}, "PAUSED at the target", explain.TonePlain},
		{debug.Stop{Reason: debug.StoppedForAnswer}, "WAITING for a result", explain.ToneCaution},
		{debug.Stop{Reason: debug.StoppedForTime}, "WAITING for a timer", explain.ToneCaution},
		{debug.Stop{Reason: debug.StoppedAtTime}, "PAUSED: the clock has moved", explain.TonePlain},
		{debug.Stop{Reason: debug.StoppedByInterrupt}, "INTERRUPTED", explain.TonePlain},
		{debug.Stop{Reason: debug.StoppedByInterrupt, Err: errors.New("x")}, "INTERRUPTED in an evaluation", explain.ToneCaution},
		{debug.Stop{Reason: debug.StoppedAtEnd}, "ENDED", explain.TonePlain},
		{debug.Stop{Reason: debug.StoppedBySource, Err: errors.New("x")}, "PAUSED: no result for the task", explain.ToneBad},
		{debug.Stop{Reason: debug.StoppedBySource, Err: &outcome.MissingObjectError{}}, "PAUSED: no items for the ItemReader", explain.ToneBad},
		{debug.Stop{Reason: debug.StoppedAtRecordingEnd}, "END of recording", explain.TonePlain},
		{debug.Stop{Reason: debug.StoppedByLimit}, "PAUSED after 20,000 events", explain.ToneCaution},
		{debug.Stop{Reason: debug.StillRunning}, "RUNNING", explain.TonePlain},
	} {
		p := explain.Stop(test.stop, 20_000)
		if got := explain.Plain(60).Paragraph(&p); got != test.want || p.Tone != test.tone {
			t.Errorf("reason %d: %q with tone %d, want %q with %d", test.stop.Reason, got, p.Tone, test.want, test.tone)
		}
	}
}

func TestStopped(t *testing.T) {
	ended := &interrupt.Error{Reason: interrupt.ErrRaised}
	for _, test := range []struct {
		stop debug.Stop
		want []string
	}{
		{debug.Stop{Reason: debug.StoppedByStep}, nil},
		{debug.Stop{Reason: debug.StoppedByInterrupt}, nil},
		{debug.Stop{Reason: debug.StoppedByInterrupt, Err: ended}, []string{"The evaluation was stopped."}},
		{debug.Stop{Reason: debug.StoppedByInterrupt, Err: ended, Undone: true}, []string{"The evaluation was stopped. The step was rolled back."}},
		{debug.Stop{Reason: debug.StoppedBySource, Err: errors.New("no fixture for Charge")}, []string{"no fixture for Charge"}},
		{debug.Stop{Reason: debug.StoppedByLimit}, []string{"20,000 events without an end: possibly an infinite loop."}},
		{debug.Stop{Reason: debug.StoppedAtEnd, Missed: "Charge:Task"}, []string{"The run ended before reaching Charge:Task."}},
	} {
		if got := explain.Plain(60).Lines(explain.Stopped(test.stop, 20_000)); !slices.Equal(got, test.want) {
			t.Errorf("reason %d: %q, want %q", test.stop.Reason, got, test.want)
		}
	}
}

func TestBeginAndSummary(t *testing.T) {
	s := open(t, containers, `{"lines":[]}`)
	begin := explain.Begin(s)
	if got := explain.Plain(60).Paragraph(&begin); got != "The clock starts at 2026-03-01T09:00:00Z; the seed is 0." {
		t.Errorf("at the beginning: %q", got)
	}
	play(t, s)
	summary := explain.Summary(s)
	if got, want := explain.Plain(60).Paragraph(&summary), strconv.Itoa(s.Log().Len())+" events, 1h01m01s of virtual time"; got != want {
		t.Errorf("at the end: %q, want %q", got, want)
	}
}

func TestStanding(t *testing.T) {
	standing := func(s *debug.Session) string {
		p := explain.Standing(s, 100)
		return explain.Plain(60).Paragraph(&p)
	}
	s := open(t, task, `{"id":1}`)
	if got := standing(s); got != "READY" {
		t.Errorf("at the beginning: %q", got)
	}
	play(t, s)
	if got, want := explain.Where(s), ` in the state "T" at the virtual time 2026-03-01T09:00:00Z`; got != want {
		t.Errorf("waiting%s, want%s", got, want)
	}
	play(t, s, failed("Busy", ""), failed("Busy", ""), failed("Other", ""))
	if got := standing(s); got != "SUCCEEDED" {
		t.Errorf("at the end: %q", got)
	}
	s.GoTo(3)
	if got := standing(s); got != "VIEWING event 3 of "+strconv.Itoa(s.Log().Len()) {
		t.Errorf("back: %q", got)
	}
}

func TestFailed(t *testing.T) {
	for _, test := range []struct {
		definition string
		limits     engine.Limits
		want       []string
	}{
		{`{"StartAt":"F","States":{"F":{"Type":"Fail","Error":"Card.Declined","Cause":"no money"}}}`, engine.Limits{}, []string{
			`FAILED in F (m.asl.json:1:26) at t+0s`, "error  Card.Declined", "cause  no money"}},
		{`{"TimeoutSeconds":5,"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":9,"End":true}}}`, engine.Limits{}, []string{
			"TIMED_OUT: it took longer than the state machine's TimeoutSeconds, 5 s", "error  States.Timeout", "during  W, entered at t+0s, 5s before the end  m.asl.json:1:45"}},
	} {
		s := open(t, test.definition, `{}`)
		play(t, s)
		if got := explain.Plain(60).Lines(explain.Failed(s, nil)); !slices.Equal(got, test.want) {
			t.Errorf("got %q, want %q", got, test.want)
		}
		p := explain.Outcome(s.Status(), s.Failure())
		if got, want := explain.Plain(60).Paragraph(&p), s.Status().String(); !(got == want || got == want+" "+s.Failure().Name) {
			t.Errorf("the outcome is %q", got)
		}
	}
}

func TestOwnLimit(t *testing.T) {
	p, ok := explain.OwnLimit(&jsonata.Error{Code: jsonata.CodeLimit, Own: true})
	if want := "this bound is asldb's, not Step Functions': --max-evaluation raises the bounds of steps and of memory"; !ok || explain.Plain(60).Paragraph(&p) != want {
		t.Errorf("got %q, %t", explain.Plain(60).Paragraph(&p), ok)
	}
	if _, ok := explain.OwnLimit(&jsonata.Error{Code: "T2001"}); ok {
		t.Error("T2001 is not a limit")
	}
}

// Timeouts of tasks say which limit was exceeded.
func TestTimeouts(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"heartbeat", "waited 5s; HeartbeatSeconds 5; no heartbeat came"},
		{"timeout", "waited 20s; TimeoutSeconds 20"},
	} {
		definition := `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:pay","TimeoutSeconds":20,"End":true}}}`
		if test.name == "heartbeat" {
			definition = task
		}
		s := open(t, definition, `{}`)
		s.SetClock(debug.Clock{Mode: debug.ClockByHand})
		play(t, s)
		if err := s.Interventions().AdvanceTime(time.Minute); err != nil {
			t.Fatal(err)
		}
		play(t, s)
		lines := explain.Plain(60).Lines(explain.At(s, find(t, s, "T", "TaskTimedOut"), nil))
		if !slices.Contains(lines, test.want) {
			t.Errorf("%s: %q", test.name, lines)
		}
	}
}

func TestExpression(t *testing.T) {
	s := open(t, `{"StartAt":"T","States":{
		"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:pay","ResultPath":"$.r","Assign":{"x":1},
			"Catch":[{"ErrorEquals":["A"],"ResultPath":null,"Assign":{"y":2},"Next":"E"},{"ErrorEquals":["B"],"ResultPath":"$.e","Next":"E"}],"Next":"E"},
		"E":{"Type":"Pass","End":true}}}`, `{}`)
	var def *asl.State
	for state := range s.Machine().Definition().All() {
		if state.Name == "T" {
			def = state
		}
	}
	for _, test := range []struct {
		stage  engine.Stage
		caught *asl.Catcher
		want   [3]string
	}{
		{engine.StageResultPath, nil, [3]string{"ResultPath", "$.r", "puts the result into the raw input"}},
		{engine.StageResultPath, def.Catch[0], [3]string{"the catcher's ResultPath", "null", "discards the Error Output: the raw input is passed on"}},
		{engine.StageResultPath, def.Catch[1], [3]string{"the catcher's ResultPath", "$.e", "puts the Error Output into the raw input"}},
		{engine.StageAssign, def.Catch[0], [3]string{"the catcher's Assign", `{"y":2}`, "sets variables"}},
		{engine.StageAssign, nil, [3]string{"Assign", `{"x":1}`, "sets variables"}},
		{engine.StageOutputPath, def.Catch[0], [3]string{"OutputPath", "", "selects the state's output"}},
	} {
		for _, info := range engine.StagesOf(def) {
			if info.Stage != test.stage {
				continue
			}
			field, text, purpose := explain.Expression(def, &info, test.caught)
			if got := [3]string{field, text, purpose}; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		}
	}
}

// Every stage of every type of state has a purpose.
func TestPurpose(t *testing.T) {
	for _, kind := range []asl.StateType{asl.Task, asl.Pass, asl.Choice, asl.Wait, asl.Succeed, asl.Fail, asl.Parallel, asl.Map} {
		for _, language := range []asl.QueryLanguage{asl.JSONPath, asl.JSONata} {
			def := &asl.State{Type: kind, QueryLanguage: language}
			for _, info := range engine.StagesOf(def) {
				if explain.Purpose(def, info.Stage) == "" {
					t.Errorf("stage %s of a %s has no purpose", info.Stage, kind)
				}
			}
		}
	}
	for _, stage := range []engine.Stage{engine.StageItemReader, engine.StageItemBatcher, engine.StageResultWriter, engine.StageLimits} {
		if explain.Purpose(&asl.State{Type: asl.Map}, stage) == "" {
			t.Errorf("stage %s has no purpose", stage)
		}
	}
}

func TestTrace(t *testing.T) {
	x, err := jsonata.Compile(`lines.(q * 2)`, jsonata.StepFunctions())
	if err != nil {
		t.Fatal(err)
	}
	_, trace, _ := x.EvalTrace(value.Must(`{"lines":[{"q":1},{"q":"two"}]}`), nil, jsonata.Env{})
	const fault = `error T2001: The left side of the "*" operator must evaluate to a number`
	want := []string{
		"lines.(q * 2)  =  " + fault, `  lines  =  [{"q":1},{"q":"two"}]`, `  (q * 2)  =  ` + fault + `  (at index 1: {"q":"two"})`,
		"    q * 2  =  " + fault, `      q  =  "two"`,
	}
	if got := explain.Plain(60).Lines(explain.Trace(trace)); !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestFormats(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{wording.Duration(0), "0s"}, {wording.Duration(-time.Second), "-1s"}, {wording.Duration(1500 * time.Microsecond), "0.002s"},
		{wording.Duration(250 * time.Nanosecond), "250ns"}, {wording.Duration(3500 * time.Millisecond), "3.5s"},
		{wording.Duration(65 * time.Second), "1m05s"}, {wording.Duration(2*time.Hour + 30*time.Second), "2h00m30s"}, {wording.Duration(51 * time.Hour), "2d03h"},
		{explain.SinceStart(start, start.Add(time.Second)), "t+1s"},
		{wording.Size(812), "812 B"}, {wording.Size(1229), "1.2 KiB"}, {wording.Size(3 << 20), "3 MiB"},
		{wording.SizeOf(10, 0), "10 B"}, {wording.SizeOf(10, 2048), "10 B of 2 KiB"}, {wording.SizeOf(262143, 262144), "262,143 of 262,144 B"},
		{wording.Grouped(1234567), "1,234,567"}, {wording.Grouped(-123456), "-123,456"}, {wording.Grouped(12), "12"},
		{wording.Count(1, "event"), "1 event"}, {wording.Count(2, "event"), "2 events"},
		{wording.Clip("größer", 3), "gr…"}, {wording.Clip("größer", 99), "größer"},
		{explain.PlaceName(nil), ""},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

// The parts of an expression that fails name the error once; one that takes long is not evaluated again.
func TestQueriesThatFail(t *testing.T) {
	definition := func(expression string) string {
		return `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","Output":"{% ` + expression + ` %}","End":true}}}`
	}
	s := open(t, definition("$states.input.lines.(q * 2)"), `{"lines":[{"q":1},{"q":"two"}]}`)
	play(t, s)
	lines := explain.Plain(60).Lines(explain.Query(s, find(t, s, "A", "StateFailed")))
	if want := "Output  {% $states.input.lines.(q * 2) %}  =  fails"; lines[0] != want {
		t.Errorf("got %q, want %q", lines[0], want)
	}
	s = open(t, definition("$count([1..100000].($ + 1))"), `{}`)
	play(t, s)
	text := explain.Query(s, find(t, s, "A", "Output"))
	steps := s.Log().Evaluation(find(t, s, "A", "Output")).Steps
	if got, want := explain.Plain(60).Lines(text), []string{"This took " + wording.Grouped(steps) + " steps to evaluate; its parts are not shown."}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestIterationThatFails(t *testing.T) {
	s := open(t, containers, `{"lines":[{"sku":1},{"sky":1}]}`)
	play(t, s)
	i := find(t, s, "M", "IterationFailed")
	if got := explain.EventPlace(s.Log().At(i)); got != "M[1]" {
		t.Errorf("the iteration is %q", got)
	}
	text := explain.Plain(60).Lines(explain.Happened(s, i, nil))
	if got := text[1]; got != "States.Runtime in Parameters/sku.$, line 4, began in M/Iterations[1]/I" {
		t.Errorf("the field is told by %q", got)
	}
	if spans := explain.FailureDetail(nil); spans != nil {
		t.Errorf("no error is %v", spans)
	}
}

func TestInterrupted(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{&interrupt.Error{Reason: interrupt.ErrRaised}, "The evaluation was stopped."},
		{&interrupt.Error{Reason: errors.New("the pattern takes too long")}, "The evaluation was stopped: the pattern takes too long."},
	} {
		if got := explain.Interrupted(test.err); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestNotRun(t *testing.T) {
	if got, want := explain.NotRun(&engine.StageInfo{Field: "InputPath"}), "InputPath is not there: it passes the data on as it is."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := explain.NotRun(&engine.StageInfo{Field: "Task", Declared: true}), "Task has not run yet."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
