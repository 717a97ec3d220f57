package debug_test

import (
	"errors"
	"testing"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/testkit/runs"
)

// reach runs a session to the end with a breakpoint, and fails where it does not stop as it should.
func reach(t *testing.T, s *debug.Session, reason debug.Reason) {
	t.Helper()
	if stop := do(t, s, debug.Continue); stop.Reason != reason {
		t.Fatalf("stopped for %v (%v), want %v", stop.Reason, stop.Err, reason)
	}
}

func whereIs(s *debug.Session) string {
	if s.Position() == 0 {
		return "start"
	}
	event := s.Log().At(s.Position() - 1)
	if event.Visit == nil {
		return event.Type.String()
	}
	return event.Visit.Path() + " " + event.Type.String()
}

// Each way back matches a way forward.
func TestBack(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	pack, err := s.Breakpoints().Add("Pack")
	if err != nil {
		t.Fatal(err)
	}
	reach(t, s, debug.StoppedByBreakpoint)
	reach(t, s, debug.StoppedAtEnd)
	end := s.Log().Len()
	back := func(command debug.Command, want string, reason debug.Reason) debug.Stop {
		t.Helper()
		stop, err := s.Back(command)
		if err != nil {
			t.Fatal(err)
		}
		if got := whereIs(s); got != want || stop.Reason != reason {
			t.Fatalf("back to %s for %v, want %s for %v", got, stop.Reason, want, reason)
		}
		return stop
	}
	kind := func(k debug.CommandKind) debug.Command { return debug.Command{Kind: k} }
	back(kind(debug.StepOver), "Done StateEntered", debug.StoppedByStep)
	back(kind(debug.StepOver), "Each StateEntered", debug.StoppedByStep)
	back(kind(debug.StepState), "Fulfil/Branches[1]/Notify StateEntered", debug.StoppedByStep)
	back(kind(debug.StepState), "Fulfil/Branches[0]/Pack StateEntered", debug.StoppedByStep)
	if pack.Hits != 1 {
		t.Errorf("at the breakpoint it has %d hits", pack.Hits)
	}
	back(kind(debug.StepOut), "Fulfil ParallelStarted", debug.StoppedByStep)
	if pack.Hits != 0 {
		t.Errorf("before the breakpoint it has %d hits", pack.Hits)
	}
	back(kind(debug.StepOver), "Fulfil StateEntered", debug.StoppedByStep)
	back(kind(debug.StepOver), "Charge StateEntered", debug.StoppedByStep)
	s.GoTo(end)
	if stop := back(kind(debug.Continue), "Fulfil/Branches[0]/Pack StateEntered",
		debug.StoppedByBreakpoint); stop.Breakpoint != pack {
		t.Error("another breakpoint")
	}
	back(kind(debug.Continue), "start", debug.StoppedAtStart)
	reach(t, s, debug.StoppedByBreakpoint)
	if got := whereIs(s); got != "Fulfil/Branches[0]/Pack StateEntered" || pack.Hits != 1 || s.Log().Len() != end {
		t.Errorf("forward again to %s with %d hits", got, pack.Hits)
	}
	back(debug.Command{Kind: debug.RunTo, Target: "Charge"}, "Charge StateEntered", debug.StoppedAtTarget)
	var wrong *breakpoint.SpecError
	if _, err := s.Back(debug.Command{Kind: debug.RunTo, Target: "Nowhere"}); !errors.As(err, &wrong) {
		t.Errorf("back to no state: %v", err)
	}
	reach(t, s, debug.StoppedByBreakpoint)
	reach(t, s, debug.StoppedAtEnd)
	if s.Log().Len() != end || len(s.Forks().All()) != 1 {
		t.Error("walking over what is known has changed it")
	}
}

const twice = `{"StartAt":"A","States":{
	"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","ResultPath":"$.a","Next":"B"},
	"B":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","ResultPath":"$.b","Next":"C"},
	"C":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","ResultPath":"$.c","End":true}}}`

// fromFile is the source of a fixtures file whose one sequence serves every task.
func fromFile(t *testing.T, s *debug.Session) outcome.Source {
	t.Helper()
	file, err := fixtures.Load("f.yaml", []byte("version: 1\nresources:\n  '*function:f': [{output: 1}, {output: 2}, {output: 3}, {output: 4}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := file.Source(s.Machine().Definition())
	if err != nil {
		t.Fatal(err)
	}
	return fixtures.OnMissing(source, fixtures.Ask)
}

// An edit or another answer at an earlier place begins a fork that continues with the fixtures where it should; the
// fork before is kept as it was.
func TestForks(t *testing.T) {
	bare := session(t, twice, debug.Options{})
	s := debug.New(bare.Machine(), debug.Options{Input: value.Must(`{}`), Source: fromFile(t, bare)})
	output := func(want string) {
		t.Helper()
		if s.Status() != engine.Succeeded || !value.Equal(s.Output(), value.Must(want)) {
			t.Fatalf("%v with %s, want %s", s.Status(), value.Compact(s.Output()), want)
		}
	}
	reach(t, s, debug.StoppedAtEnd)
	output(`{"a":1,"b":2,"c":3}`)
	first := lines(logged(s))

	if _, err := s.Back(debug.Command{Kind: debug.RunTo, Target: "B"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Interventions().Edit(0, value.Must(`{"mine":true}`)); err != nil {
		t.Fatal(err)
	}
	reach(t, s, debug.StoppedAtEnd)
	output(`{"mine":true,"b":2,"c":3}`)

	if err := s.Interventions().AnswerOtherwise(2, engine.Outcome{Output: value.Must(`"other"`)}); err != nil {
		t.Fatal(err)
	}
	if got := whereIs(s); got != "B TaskScheduled" {
		t.Fatalf("another answer leads to %s", got)
	}
	reach(t, s, debug.StoppedAtEnd)
	output(`{"mine":true,"b":"other","c":3}`)
	if err := s.Interventions().AnswerOtherwise(9, engine.Outcome{Output: value.Null{}}); !errors.Is(err,
		engine.ErrNoRequest) {
		t.Errorf("another answer to no request: %v", err)
	}

	s.GoTo(0)
	options := s.Options()
	options.Input = value.Must(`{"new":1}`)
	s.RestartWith(options)
	reach(t, s, debug.StoppedAtEnd)
	output(`{"new":1,"a":1,"b":2,"c":3}`)

	want := []debug.Fork{
		{ID: 1, Events: len(first), Inputs: 3, Status: engine.Succeeded},
		{ID: 2, Parent: 1, Shared: 7, Cause: "B without $.a, 1 more", Events: len(first) + 1, Inputs: 4,
			Status: engine.Succeeded},
		{ID: 3, Parent: 2, Shared: 9, Cause: `B returns "other"`, Events: len(first) + 1, Inputs: 4,
			Status: engine.Succeeded},
		{ID: 4, Parent: 3, Cause: "restart", Events: len(first), Inputs: 3, Status: engine.Succeeded, Current: true},
	}
	for i, b := range s.Forks().All() {
		if b != want[i] {
			t.Errorf("fork %+v, want %+v", b, want[i])
		}
	}
	if err := s.Forks().Switch(1); err != nil {
		t.Fatal(err)
	}
	s.GoTo(s.Log().Len())
	output(`{"a":1,"b":2,"c":3}`)
	sameLines(t, "the first fork", lines(logged(s)), first)
	if err := s.Forks().Switch(7); !errors.Is(err, debug.ErrNoFork) {
		t.Errorf("switching to no fork: %v", err)
	}
	checkComparison(t, s)
}

func checkComparison(t *testing.T, s *debug.Session) {
	t.Helper()
	c, err := s.Forks().Compare(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	a, b := s.Forks().Log(1), s.Forks().Log(2)
	if c.First != 7 || c.Rows[0].A != -1 || b.At(c.Rows[0].B).Type != engine.DataEdited {
		t.Fatalf("the forks part at %d with %+v, want at 7 with the edit", c.First, c.Rows[0])
	}
	alike, aAt, bAt := 0, 7, 7
	for _, row := range c.Rows {
		if row.A >= 0 {
			if row.A != aAt {
				t.Fatalf("event %d of the first fork is left out", aAt)
			}
			aAt++
		}
		if row.B >= 0 {
			if row.B != bAt {
				t.Fatalf("event %d of the second fork is left out", bAt)
			}
			bAt++
		}
		if row.A >= 0 && row.B >= 0 {
			alike++
			if a.At(row.A).Type != b.At(row.B).Type {
				t.Errorf("%v is beside %v", a.At(row.A).Type, b.At(row.B).Type)
			}
		}
	}
	if aAt != a.Len() || bAt != b.Len() || alike != a.Len()-7 {
		t.Errorf("%d events of %d stand beside another", alike, a.Len()-7)
	}
	if same, _ := s.Forks().Compare(3, 3); same.First != -1 || len(same.Rows) != 0 {
		t.Errorf("a fork differs from itself: %+v", same)
	}
}

// The clock moved by hand to where it went anyway isn't another fork; moved elsewhere it is one.
func TestForkOnlyForAnotherInput(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	reach(t, s, debug.StoppedAtEnd)
	if _, err := s.Back(debug.Command{Kind: debug.RunTo, Target: "Notify"}); err != nil {
		t.Fatal(err)
	}
	for s.Status() != engine.AwaitingTime {
		do(t, s, debug.StepStage)
	}
	at, ok := s.NextTimer()
	if !ok {
		t.Fatal("nothing waits")
	}
	if err := s.Interventions().AdvanceTime(at.Sub(s.Now())); err != nil || len(s.Forks().All()) != 1 {
		t.Fatalf("the same answer began a fork: %v", err)
	}
	if err := s.Interventions().AdvanceTime(at.Sub(s.Now()) / 2); err != nil || len(s.Forks().All()) != 2 {
		t.Fatalf("another answer began none: %v", err)
	}
}
