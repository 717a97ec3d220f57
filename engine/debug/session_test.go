package debug_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// order is a definition with a retried task, a Parallel, a Map, a Wait and a Catch.
const (
	order      = runs.Order
	orderInput = runs.OrderInput
)

func session(t testing.TB, definition string, options debug.Options) *debug.Session {
	t.Helper()
	if options.Input == nil {
		options.Input = value.Must(orderInput)
	}
	return debug.New(runs.Machine(definition), options)
}

func do(t testing.TB, s *debug.Session, kind debug.CommandKind) debug.Stop {
	t.Helper()
	stop, err := s.Do(debug.Command{Kind: kind})
	if err != nil {
		t.Fatal(err)
	}
	return stop
}

// at says where the session is: the newest event.
func at(s *debug.Session) string {
	last := s.Log().Last()
	if last == nil {
		return "start"
	}
	where := last.Type.String()
	if last.Visit != nil {
		where += " " + last.Visit.Path()
	}
	return where
}

func wantAt(t testing.TB, s *debug.Session, want string) {
	t.Helper()
	if got := at(s); got != want {
		t.Fatalf("is at %q, want %q", got, want)
	}
}

func TestStepState(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	var seen []string
	for {
		stop := do(t, s, debug.StepState)
		if stop.Reason == debug.StoppedAtEnd {
			break
		}
		if stop.Reason != debug.StoppedByStep {
			t.Fatalf("stopped for %v", stop.Reason)
		}
		seen = append(seen, s.Log().Last().Visit.Path())
	}
	want := "Check Charge Fulfil Fulfil/Branches[0]/Reserve Fulfil/Branches[0]/Pack Fulfil/Branches[1]/Notify Each Each/Iterations[0]/Ship Each/Iterations[1]/Ship Done"
	if got := strings.Join(seen, " "); got != want {
		t.Errorf("states\n     %s\nwant %s", got, want)
	}
	if s.Status() != engine.Succeeded {
		t.Error(s.Failure())
	}
}

func TestStepStageIsOneStage(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	for _, want := range []string{
		"ExecutionStarted", "StateEntered Check", "StageCompleted Check", "StateExited Check", "StateEntered Charge",
		"TaskScheduled Charge", "TaskFailed Charge", "RetryScheduled Charge", "RetryStarted Charge",
		"TaskScheduled Charge",
		"TaskSucceeded Charge", "StageCompleted Charge", "StateExited Charge",
	} {
		do(t, s, debug.StepStage)
		wantAt(t, s, want)
	}
}

func TestStepOverAndOut(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	do(t, s, debug.StepState)
	do(t, s, debug.StepOver)
	wantAt(t, s, "StateEntered Charge")
	do(t, s, debug.StepOver) // the retry and its delay are one step
	wantAt(t, s, "StateEntered Fulfil")
	if waited := s.Now().Sub(s.Options().Start); s.Options().Start.IsZero() && s.Now().Year() != 2000 ||
		waited < time.Minute {
		t.Errorf("the retry's delay did not pass: %v", s.Now())
	}
	do(t, s, debug.StepOver)
	wantAt(t, s, "StateEntered Each")
	do(t, s, debug.StepState)
	wantAt(t, s, "StateEntered Each/Iterations[0]/Ship")
	do(t, s, debug.StepOut)
	wantAt(t, s, "MapSucceeded Each")
	do(t, s, debug.StepOut)
	if s.Stop().Reason != debug.StoppedAtEnd {
		t.Errorf("out of the top: %v at %s", s.Stop().Reason, at(s))
	}
}

func TestStepOverAtTheEndOfAnIterationGoesToTheContainer(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	if _, err := s.Do(debug.Command{Kind: debug.RunTo, Target: "Each/Iterations[1]/Ship"}); err != nil {
		t.Fatal(err)
	}
	wantAt(t, s, "StateEntered Each/Iterations[1]/Ship")
	do(t, s, debug.StepOver)
	wantAt(t, s, "StateEntered Done")
}

func TestRunTo(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	stop, err := s.Do(debug.Command{Kind: debug.RunTo, Target: "Pack"})
	if err != nil || stop.Reason != debug.StoppedAtTarget {
		t.Fatal(stop, err)
	}
	wantAt(t, s, "StateEntered Fulfil/Branches[0]/Pack")
	if _, err := s.Do(debug.Command{Kind: debug.RunTo, Target: "pack"}); err == nil ||
		!strings.Contains(err.Error(), `did you mean "Pack"`) {
		t.Errorf("an unknown state: %v", err)
	}
}

func TestBreakpoints(t *testing.T) {
	tests := []struct {
		spec string
		hits []string
	}{
		{"Charge", []string{"StateEntered Charge"}},
		{"Fulfil/Branches[0]/*", []string{"StateEntered Fulfil/Branches[0]/Reserve",
			"StateEntered Fulfil/Branches[0]/Pack"}},
		{"Fulfil/**", []string{"StateEntered Fulfil/Branches[0]/Reserve", "StateEntered Fulfil/Branches[0]/Pack",
			"StateEntered Fulfil/Branches[1]/Notify"}},
		{"Each/Iterations[*]/Ship", []string{"StateEntered Each/Iterations[0]/Ship",
			"StateEntered Each/Iterations[1]/Ship"}},
		{"Each/Iterations[1]/Ship", []string{"StateEntered Each/Iterations[1]/Ship"}},
		{"Ship", []string{"StateEntered Each/Iterations[0]/Ship", "StateEntered Each/Iterations[1]/Ship"}},
		{"C*", []string{"StateEntered Check", "StateEntered Charge"}},
		{"Charge:ResultPath", []string{"StageCompleted Charge"}},
		{"Charge:task", []string{"TaskFailed Charge", "TaskSucceeded Charge"}},
		{"Charge:output", []string{"StateExited Charge"}},
		{"error", []string{"TaskFailed Charge"}},
		{"Charge:error", []string{"TaskFailed Charge"}},
		{"Fulfil:error", nil},
		{"Charge if $.total > 100", []string{"StateEntered Charge"}},
		{"Charge if $.total > 200", nil},
		{"Ship if $.sku == 2", []string{"StateEntered Each/Iterations[1]/Ship"}},
		{`* if state == "Pack"`, []string{"StateEntered Fulfil/Branches[0]/Pack"}},
		{"Charge if $$.Execution.Input.total == 120", []string{"StateEntered Charge"}},
	}
	for _, test := range tests {
		t.Run(test.spec, func(t *testing.T) {
			s := session(t, order, debug.Options{Source: runs.Paid()})
			b, err := s.Breakpoints().Add(test.spec)
			if err != nil {
				t.Fatal(err)
			}
			var hits []string
			for do(t, s, debug.Continue).Reason == debug.StoppedByBreakpoint {
				if s.Stop().Breakpoint != b {
					t.Error("the stop names another breakpoint")
				}
				hits = append(hits, at(s))
			}
			if got, want := fmt.Sprint(hits), fmt.Sprint(test.hits); got != want {
				t.Errorf("hits %s\nwant %s", got, want)
			}
			if b.Hits != len(test.hits) {
				t.Errorf("%d hits counted", b.Hits)
			}
			again, err := s.Breakpoints().Add(b.String())
			if err != nil || again.String() != b.String() {
				t.Errorf("the spec %q cannot be read again: %v", b.String(), err)
			}
		})
	}
}

func TestBreakpointSpecsThatMakeNoSense(t *testing.T) {
	s := session(t, order, debug.Options{})
	for spec, want := range map[string]string{
		"":                   "names no state",
		"charge":             `did you mean "Charge"`,
		"Nowhere":            "matches no state",
		"Charge:Nothing":     "names a stage",
		"Check:ResultPath":   "names a stage",
		"Nowhere:output":     "matches no state",
		"Charge if $.total>": "condition",
	} {
		_, err := s.Breakpoints().Add(spec)
		var fault *breakpoint.SpecError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want something with %q", spec, err, want)
		}
	}
	if n := len(s.Breakpoints().All()); n != 0 {
		t.Errorf("%d breakpoints were made", n)
	}
}

func TestDisabledAndRemovedBreakpoints(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	first, _ := s.Breakpoints().Add("Charge")
	second, _ := s.Breakpoints().Add("Done")
	first.Enabled = false
	if !s.Breakpoints().Remove(second.ID) || s.Breakpoints().Remove(second.ID) {
		t.Error("removing once works once")
	}
	if stop := do(t, s, debug.Continue); stop.Reason != debug.StoppedAtEnd {
		t.Errorf("stopped for %v at %s", stop.Reason, at(s))
	}
}

func TestRestart(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	b, _ := s.Breakpoints().Add("Done")
	do(t, s, debug.Continue)
	events := s.Log().Len()
	s.Restart()
	if s.Log().Len() != 0 || s.Stop().Reason != debug.StoppedAtStart || b.Hits != 0 {
		t.Error("the restart left something behind")
	}
	if stop := do(t, s, debug.Continue); stop.Breakpoint != b || s.Log().Len() != events {
		t.Errorf("the second run stopped at %v after %d events, the first after %d", stop, s.Log().Len(), events)
	}
}

func TestAMissingAnswer(t *testing.T) {
	s := session(t, order, debug.Options{})
	if stop := do(t, s, debug.Continue); stop.Reason != debug.StoppedForAnswer {
		t.Fatalf("stopped for %v", stop.Reason)
	}
	request := s.Requests()[0]
	if request.Visit.Path() != "Charge" || request.Invocation != 1 {
		t.Errorf("asked for %s, invocation %d", request.Visit.Path(), request.Invocation)
	}
	if err := s.Interventions().Answer(request.ID, engine.Outcome{Output: value.Must(`{"id":1}`)}); err != nil {
		t.Fatal(err)
	}
	if stop := s.Advance(1 << 20); stop.Reason != debug.StoppedAtEnd {
		t.Fatalf("stopped for %v at %s", stop.Reason, at(s))
	}
	if got := value.Compact(s.Output()); got != `{"total":120,"lines":[{"sku":1},{"sku":2}],"payment":{"id":1},"done":[{"total":120,"lines":[{"sku":1},{"sku":2}],"payment":{"id":1}},{"total":120,"lines":[{"sku":1},{"sku":2}],"payment":{"id":1}}]}` {
		t.Error(got)
	}
}

func TestASourceThatFails(t *testing.T) {
	fault := errors.New("no more outcomes")
	s := session(t, order, debug.Options{Source: &runs.Script{Fault: fault}})
	if stop := do(t, s, debug.Continue); stop.Reason != debug.StoppedBySource || stop.Err != fault {
		t.Errorf("stopped for %v: %v", stop.Reason, stop.Err)
	}
}

func TestClockByHand(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid(), Clock: debug.Clock{Mode: debug.ClockByHand}})
	stop := do(t, s, debug.Continue)
	if stop.Reason != debug.StoppedForTime || stop.Wake.Sub(s.Now()) != time.Minute {
		t.Fatalf("stopped for %v until %v", stop.Reason, stop.Wake)
	}
	if err := s.Interventions().AdvanceTime(20 * time.Second); err != nil {
		t.Fatal(err)
	}
	if stop := s.Advance(100); stop.Reason != debug.StoppedForTime || stop.Wake.Sub(s.Now()) != 40*time.Second {
		t.Fatalf("after 20s: stopped for %v until %v at %v", stop.Reason, stop.Wake, s.Now())
	}
	if err := s.Interventions().AdvanceTime(time.Hour); err != nil { // no further than the timer
		t.Fatal(err)
	}
	if stop := s.Advance(100); stop.Reason != debug.StoppedForTime {
		t.Fatalf("stopped for %v", stop.Reason)
	}
	if timers := s.Timers(); len(timers) != 1 || timers[0].Kind != engine.TimerWait ||
		timers[0].Visit.State.Name != "Notify" {
		t.Errorf("timers %+v", timers)
	}
}

func TestInterruptAndBudget(t *testing.T) {
	s := session(t, `{"StartAt":"A","States":{"A":{"Type":"Choice","Choices":[{"Variable":"$","IsNull":true,"Next":"E"}],"Default":"B"},
		"B":{"Type":"Pass","Next":"A"},"E":{"Type":"Succeed"}}}`, debug.Options{})
	if err := s.Begin(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	if stop := s.Advance(1000); stop.Reason != debug.StillRunning {
		t.Fatalf("stopped for %v", stop.Reason)
	}
	before := s.Log().Len()
	s.Interrupt()
	if stop := s.Advance(1000); stop.Reason != debug.StoppedByInterrupt || s.Log().Len() != before {
		t.Errorf("stopped for %v after %d more events", stop.Reason, s.Log().Len()-before)
	}
}

func TestMarks(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	do(t, s, debug.Continue)
	definition := s.Machine().Definition()
	for name, want := range map[string]runlog.Mark{
		"Charge": {Visits: 1, Failures: 1, Retries: 1},
		"Ship":   {Visits: 2},
		"Refund": {},
	} {
		if got := s.MarksAt(s.Position() - 1).Of(definition.Lookup(name)); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	s = session(t, order, debug.Options{Source: &runs.Script{Outcomes: []engine.Outcome{{Error: "Card.Declined"}}}})
	do(t, s, debug.Continue)
	if got := s.MarksAt(s.Position() - 1).Of(definition.Lookup("Charge")); got != (runlog.Mark{}) {
		t.Errorf("a state of another definition has the mark %+v", got)
	}
	definition = s.Machine().Definition()
	if got, want := s.MarksAt(s.Position()-1).Of(definition.Lookup("Charge")),
		(runlog.Mark{Visits: 1, Failures: 1, Catches: 1}); got != want {
		t.Errorf("Charge: %+v, want %+v", got, want)
	}
	if got, want := s.MarksAt(s.Position()-1).Of(definition.Lookup("Refund")),
		(runlog.Mark{Visits: 1, Failures: 1, Failed: true}); got != want {
		t.Errorf("Refund: %+v, want %+v", got, want)
	}
}

// A condition at a state's output sees the state's data, not the next state's.
func TestConditionsSeeTheirOwnState(t *testing.T) {
	const definition = `{"StartAt":"V","States":{"V":{"Type":"Pass","Assign":{"v":1},"Next":"P"},
		"P":{"Type":"Parallel","Branches":[{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}],"End":true}}}`
	for spec, hits := range map[string]int{
		"A:output if $v == 1": 1, "V:output if $$.State.Name == \"V\"": 1, "V:output if $$.State.Name == \"P\"": 0,
		"V:output if $v == 1": 0,
	} {
		s := session(t, definition, debug.Options{})
		b, err := s.Breakpoints().Add(spec)
		if err != nil {
			t.Fatal(err)
		}
		for do(t, s, debug.Continue).Reason == debug.StoppedByBreakpoint {
		}
		if b.Hits != hits {
			t.Errorf("%s: %d hits, want %d", spec, b.Hits, hits)
		}
	}
}

// partial knows the outcomes of some states only.
type partial map[string]value.Value

func (p partial) Ask(ask outcome.Ask) outcome.Reply {
	if task, ok := ask.(outcome.Task); ok {
		if v, known := p[task.Request.Visit.State.Name]; known {
			return outcome.Given(engine.Outcome{Output: v}, "source")
		}
	}
	return outcome.None(nil)
}

func (p partial) Seek(asked []outcome.Ask) []outcome.Ask { return outcome.Again(p, asked) }

// A task that the source does not know does not keep it from answering others.
func TestOneUnknownTaskDoesNotBlockOthers(t *testing.T) {
	branch := func(name string) string {
		return `{"StartAt":"` + name + `","States":{"` + name +
			`":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","End":true}}}`
	}
	s := session(t, `{"StartAt":"P","States":{"P":{"Type":"Parallel","Branches":[`+branch("A")+`,`+branch("B")+
		`],"End":true}}}`,
		debug.Options{Source: partial{"B": value.Int(2)}})
	if stop := do(t, s, debug.Continue); stop.Reason != debug.StoppedForAnswer {
		t.Fatalf("stopped for %v", stop.Reason)
	}
	if requests := s.Requests(); len(requests) != 1 || requests[0].Visit.State.Name != "A" {
		t.Errorf("%d requests wait", len(requests))
	}
}

// Out of a branch that has just ended means to its Parallel state.
func TestStepOutAtTheEndOfABranch(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	for at(s) != "BranchSucceeded Fulfil" {
		do(t, s, debug.StepStage)
	}
	do(t, s, debug.StepOut)
	wantAt(t, s, "ParallelSucceeded Fulfil")
}
