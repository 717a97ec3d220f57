package waiter

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"asldb/engine"
	"asldb/engine/source"
	"asldb/engine/value"
)

// jobModel is a service with one job, written for these tests.
const jobModel = `{
  "smithy": "2.0",
  "shapes": {
    "x#GetJob": {"type": "operation", "input": {"target": "x#In"}, "output": {"target": "x#Out"}, "errors": [{"target": "x#NoSuchJob"}],
      "traits": {"smithy.waiters#waitable": {
        "JobDone": {
          "acceptors": [
            {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "DONE"}}},
            {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}, "message": "Reason"},
            {"state": "retry", "matcher": {"errorType": "x#NoSuchJob"}}
          ],
          "minDelay": 2, "maxDelay": 20
        }
      }}},
    "x#In": {"type": "structure", "members": {"Id": {"target": "smithy.api#String"}}},
    "x#Out": {"type": "structure", "members": {"Status": {"target": "smithy.api#String"}, "Reason": {"target": "smithy.api#String"}}},
    "x#NoSuchJob": {"type": "structure", "members": {}, "traits": {"smithy.api#error": "client"}}
  }
}`

func readText(t *testing.T, text string) (*Model, []source.Diagnostic) {
	t.Helper()
	f := &source.File{Name: "model.json", Data: []byte(text)}
	m, problems := Read(f)
	if m == nil {
		t.Fatal(problems[0].Format())
	}
	return m, problems
}

// poll answers the calls of a run: the last answer is repeated for ever.
type poll struct {
	output, failure string
	takes           time.Duration
}

type result struct {
	status   engine.Status
	failure  *engine.Failure
	output   value.Value
	took     time.Duration
	attempts int
	delays   []time.Duration
	path     []string
	polls    []*Poll
}

// run runs a waiter of a model to its end.
func run(t *testing.T, m *Model, name string, maxWait time.Duration, seed int64, answers ...poll) result {
	t.Helper()
	definition, err := m.Program(m.Lookup(name), maxWait)
	if err != nil {
		t.Fatal(err)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	e := machine.Start(Input(value.Must(`{"Id":"j"}`)), engine.StartOptions{Start: start, Seed: seed})
	var r result
	polls := m.Lookup(name).Polls(maxWait)
	for step := 0; !e.Status().Done(); step++ {
		if step > 100_000 {
			t.Fatal("no end")
		}
		switch e.Status() {
		case engine.AwaitingTime:
			at, _ := e.NextTimer()
			if err := e.AdvanceTo(at); err != nil {
				t.Fatal(err)
			}
			continue
		case engine.AwaitingAnswer:
			request := e.Unanswered()
			if got := value.Compact(request.Parameters); got != `{"Id":"j"}` {
				t.Fatalf("the call gets %s", got)
			}
			p := answers[min(r.attempts, len(answers)-1)]
			r.attempts++
			outcome := engine.Outcome{Error: p.failure, After: p.takes}
			if p.failure == "" {
				outcome.Output = value.Must(p.output)
			}
			if err := e.Answer(request.ID, outcome); err != nil {
				t.Fatal(err)
			}
			continue
		}
		for _, event := range e.Step() {
			if wait, ok := event.Detail.(*engine.WaitDetail); ok {
				r.delays = append(r.delays, wait.Until.Sub(event.At()))
			}
			if poll := polls.Add(&event); poll != nil {
				r.polls = append(r.polls, poll)
			}
			if event.Type == engine.StateEntered {
				r.path = append(r.path, event.Visit.State.Name)
			}
		}
	}
	r.status, r.failure, r.output, r.took = e.Status(), e.Failure(), e.Output(), e.Now().Sub(start)
	return r
}

func TestSuccess(t *testing.T) {
	m, problems := readText(t, jobModel)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	r := run(t, m, "JobDone", 5*time.Minute, 1, poll{failure: "x#NoSuchJob"}, poll{output: `{"Status":"RUNNING"}`},
		poll{output: `{"Status":"DONE"}`, takes: time.Second})
	if r.status != engine.Succeeded || value.Compact(r.output) != `{"Status":"DONE"}` || r.attempts != 3 {
		t.Fatalf("%+v", r)
	}
	if r.delays[0] != 2*time.Second { // after the first attempt there is nothing to draw
		t.Errorf("the first delay is %v", r.delays[0])
	}
	if r.delays[1] < 2*time.Second || r.delays[1] > 4*time.Second {
		t.Errorf("the second delay is %v, want between 2 s and 4 s", r.delays[1])
	}
	if want := r.delays[0] + r.delays[1] + time.Second; r.took != want {
		t.Errorf("it took %v, want %v", r.took, want)
	}
	if got, want := strings.Join(r.path, " > "), "GetJob > 0 success > 1 failure > 2 retry > time left > delay > "+
		"GetJob > 0 success > 1 failure > 2 retry > no match > time left > delay > GetJob > 0 success > Success"; got != want {
		t.Errorf("the path is %s", got)
	}
}

func TestFailures(t *testing.T) {
	m, _ := readText(t, jobModel)
	r := run(t, m, "JobDone", time.Minute, 1, poll{output: `{"Status":"FAILED","Reason":"out of disk"}`})
	if r.status != engine.Failed || r.failure.Name != ErrorFailed ||
		r.failure.Cause != `out of disk (acceptor 1 matched: Status = "FAILED")` {
		t.Errorf("a failure acceptor: %+v", r.failure)
	}
	r = run(t, m, "JobDone", time.Minute, 1, poll{failure: "AccessDenied"})
	if r.status != engine.Failed || r.failure.Name != "AccessDenied" ||
		r.failure.Cause != "no acceptor matched the error AccessDenied" || r.attempts != 1 {
		t.Errorf("an error that nothing matches: %+v", r.failure)
	}
}

// TestTimeout: the last delay takes the remaining time, and one attempt follows it.
func TestTimeout(t *testing.T) {
	m, _ := readText(t, jobModel)
	for seed := range int64(50) {
		for _, maxWait := range []time.Duration{time.Second, 4 * time.Second, 30 * time.Second, 5*time.Minute +
			300*time.Millisecond} {
			r := run(t, m, "JobDone", maxWait, seed,
				poll{output: `{"Status":"RUNNING"}`, takes: 300 * time.Millisecond})
			if r.status != engine.Failed || r.failure.Name != ErrorTimeout {
				t.Fatalf("%v", r.failure)
			}
			if r.took > maxWait+time.Nanosecond || r.attempts != len(r.delays)+1 {
				t.Errorf("%v: took %v with %d attempts and the delays %v", maxWait, r.took, r.attempts, r.delays)
			}
		}
	}
	// Not more than twice minDelay: the first delay is already the last (Smithy, "Waiters", section "Waiter retries").
	if r := run(t, m, "JobDone", 4*time.Second, 1, poll{output: `{}`}); len(r.delays) != 1 ||
		r.delays[0] != 4*time.Second || r.attempts != 2 || r.took != 4*time.Second {
		t.Errorf("%+v", r)
	}
	// A call that does not come back is cut off when the time is over.
	if r := run(t, m, "JobDone", time.Minute, 1, poll{output: `{"Status":"DONE"}`,
		takes: time.Hour}); r.failure == nil || r.failure.Name != ErrorTimeout || r.took != time.Minute {
		t.Errorf("%+v, %v", r.failure, r.took)
	}
	// At the last moment, a call that takes no time still counts.
	if r := run(t, m, "JobDone", 4*time.Second, 1, poll{output: `{}`},
		poll{output: `{"Status":"DONE"}`}); r.status != engine.Succeeded {
		t.Errorf("%+v", r.failure)
	}
}

// TestVector40: a waiter of 2 to 120 s with 5 s to wait, whose acceptors never match.
func TestVector40(t *testing.T) {
	m, _ := readText(t, strings.Replace(jobModel, `"minDelay": 2, "maxDelay": 20`, `"minDelay": 2, "maxDelay": 120`, 1))
	for seed := range int64(20) {
		r := run(t, m, "JobDone", 5*time.Second, seed, poll{output: "{}"})
		if len(r.delays) != 2 || r.delays[0] != 2*time.Second || r.delays[1] != 3*time.Second || r.attempts != 3 ||
			r.failure.Name != ErrorTimeout {
			t.Errorf("delays %v, %d attempts, %v; want 2 s and 3 s, 3 attempts", r.delays, r.attempts, r.failure)
		}
	}
}

// TestBounds: the growth of the upper bound with the default delays of the specification, 2 s and 120 s, whose ceiling
// is 6.907.
func TestBounds(t *testing.T) {
	w := &Waiter{MinDelay: 2, MaxDelay: 120}
	for i, want := range []int64{2, 4, 8, 16, 32, 64, 120, 120, 120} {
		ceiling, low, high := w.Bounds(i + 1)
		if low != 2 || high != want || ceiling < 6.906 || ceiling > 6.908 {
			t.Errorf("attempt %d: %d to %d, ceiling %v, want 2 to %d", i+1, low, high, ceiling, want)
		}
	}
	if _, low, high := (&Waiter{MinDelay: 5, MaxDelay: 5}).Bounds(3); low != 5 || high != 5 {
		t.Errorf("equal bounds give %d to %d", low, high)
	}
	if _, _, high := (&Waiter{MinDelay: 1, MaxDelay: 1 << 62}).Bounds(1000); high != 1<<62 {
		t.Errorf("a late attempt gives %d", high)
	}
}

// TestDelays: whatever is drawn, a delay is within its bounds, all of them together are never longer than the time to
// wait, and the last takes the rest.
func TestDelays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Int64Range(1, 50).Draw(t, "min")
		w := &Waiter{MinDelay: low, MaxDelay: rapid.Int64Range(low, 5000).Draw(t, "max")}
		left := time.Duration(rapid.Int64Range(1, 100_000_000).Draw(t, "ms")) * time.Millisecond
		for attempt := 1; ; attempt++ {
			d := w.NextDelay(attempt, left, func(n int64) int64 { return rapid.Int64Range(0, n-1).Draw(t, "drawn") })
			if d.Drawn < w.MinDelay || d.Drawn > w.MaxDelay || d.Drawn < d.Low || d.Drawn > d.High {
				t.Fatalf("%+v is out of bounds", d)
			}
			if d.Last {
				if d.Sleep != left {
					t.Fatalf("the last delay is %v of %v", d.Sleep, left)
				}
				return
			}
			if left -= d.Sleep; left <= time.Duration(w.MinDelay)*time.Second {
				t.Fatalf("%v is left after a delay that is not the last", left)
			}
		}
	})
}

// TestPublishedRuns: every published waiter comes to success, to a failure where it has one, and to its time's end,
// on responses made from its acceptors.
func TestPublishedRuns(t *testing.T) {
	waiters, counts, steps := 0, map[State]int{}, publishedSteps(t)
	for service, m := range models(t) {
		for _, w := range m.Waiters {
			waiters++
			ended := map[State]bool{}
			for i, a := range w.Acceptors {
				p, ok := m.responseFor(w, i)
				if given, known := steps[service+"/"+w.Name][i]; known && !ok {
					p, ok = given, true
				}
				if !ok || a.State == Retry {
					continue
				}
				r := run(t, m, w.Name, 10*time.Minute, 1, p)
				if want := map[State]engine.Status{Success: engine.Succeeded,
					Failure: engine.Failed}[a.State]; r.status != want || r.attempts != 1 {
					t.Errorf("%s of %s, acceptor %d: %v %+v on %+v", w.Name, service, i, r.status, r.failure, p)
				}
				ended[a.State] = true
			}
			for state := range ended {
				counts[state]++
			}
			if !ended[Success] {
				t.Errorf("%s of %s was not brought to success", w.Name, service)
			}
			if failed := run(t, m, w.Name, 10*time.Minute, 1,
				poll{failure: "NobodyMatchesThis"}); failed.failure == nil {
				t.Errorf("%s of %s succeeds on an error that nothing matches", w.Name, service)
			}
			p, ok := neutral(w)
			if !ok {
				p = poll{output: "{}", takes: time.Hour} // a call that hangs
			}
			if r := run(t, m, w.Name, 10*time.Minute, 1, p); r.failure == nil || r.failure.Name != ErrorTimeout ||
				r.took != 10*time.Minute {
				t.Errorf("%s of %s: %v %v after %v on %+v", w.Name, service, r.status, r.failure, r.took, p)
			}
		}
	}
	t.Logf("%d waiters, each to a success, an error that nothing matches and its time's end; %d to their own failure", waiters, counts[Failure])
	if waiters != 207 || counts[Failure] < 100 {
		t.Errorf("only %d waiters, %d with a failure", waiters, counts[Failure])
	}
}

// TestTypes: JMESPath sees a timestamp as a number of seconds.
func TestTypes(t *testing.T) {
	text := strings.Replace(jobModel, `"Status": {"target": "smithy.api#String"}, "Reason"`,
		`"Ends": {"target": "x#Times"}, "Status": {"target": "smithy.api#String"}, "Reason"`, 1)
	text = strings.Replace(text, `"x#In":`, `"x#Times": {"type": "list", "member": {"target": "smithy.api#Timestamp"}}, "x#In":`, 1)
	text = strings.Replace(text, `{"path": "Status", "comparator": "stringEquals", "expected": "DONE"}`,
		"{\"path\": \"Ends[0] >= `1767225600`\", \"comparator\": \"booleanEquals\", \"expected\": \"true\"}", 1)
	m, problems := readText(t, text)
	if len(problems) > 0 {
		t.Fatal(problems[0].Format())
	}
	for output, want := range map[string]engine.Status{
		`{"Ends":["2026-01-01T00:00:00Z"]}`: engine.Succeeded, `{"Ends":[1767225600.5]}`: engine.Succeeded,
		`{"Ends":["2025-12-31T23:59:59.999Z"]}`: engine.Failed, `{"Ends":["soon"]}`: engine.Failed,
		`{"Ends":7}`: engine.Failed,
	} {
		if r := run(t, m, "JobDone", 10*time.Second, 1, poll{output: output}); r.status != want {
			t.Errorf("%s: %v, want %v", output, r.status, want)
		}
	}
}
