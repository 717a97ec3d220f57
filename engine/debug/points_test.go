package debug_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// stops runs to the end and returns where the session stood whenever a breakpoint stopped it.
func stops(t *testing.T, s *debug.Session) (at_ []string) {
	t.Helper()
	for do(t, s, debug.Continue).Reason == debug.StoppedByBreakpoint {
		at_ = append(at_, at(s))
	}
	return at_
}

func declined() *runs.Script {
	return &runs.Script{Outcomes: []engine.Outcome{{Error: "Card.Declined", Cause: "no money"}}}
}

func TestKindsOfBreakpoints(t *testing.T) {
	tests := []struct {
		spec   string
		source func() *runs.Script
		stops  []string
	}{
		{"error Card.*", runs.Paid, []string{"TaskFailed Charge"}},
		{"error Card.Timeout", runs.Paid, []string{"TaskFailed Charge"}},
		{"error States.ALL", runs.Paid, []string{"TaskFailed Charge"}},
		{"error States.*", runs.Paid, nil},
		{`error "Card.Time out"`, runs.Paid, nil},
		{"Charge:error *.Timeout", runs.Paid, []string{"TaskFailed Charge"}},
		{"Fulfil:error *", runs.Paid, nil},
		{"caught error", runs.Paid, []string{"TaskFailed Charge"}},
		{"uncaught error", runs.Paid, nil},
		{"caught error", declined, []string{"TaskFailed Charge"}},
		{"uncaught error", declined, []string{"StageFailed Refund"}},
		{"uncaught error Refunded", declined, []string{"StageFailed Refund"}},
		{"error", declined, []string{"TaskFailed Charge", "StageFailed Refund"}},
		{"retry", runs.Paid, []string{"RetryScheduled Charge"}},
		{"retry Card.*", runs.Paid, []string{"RetryScheduled Charge"}},
		{"retry Other", runs.Paid, nil},
		{`retry if error == "Card.Timeout" && $.total == 120`, runs.Paid, []string{"RetryScheduled Charge"}},
		{"Charge:retry", runs.Paid, []string{"RetryScheduled Charge"}},
		{"catch", runs.Paid, nil},
		{"catch Card.Declined", declined, []string{"ErrorCaught Charge"}},
		{"scheduled", runs.Paid, []string{"TaskScheduled Charge", "TaskScheduled Charge"}},
		{"task scheduled hits == 2", runs.Paid, []string{"TaskScheduled Charge"}},
		{"Charge:scheduled", runs.Paid, []string{"TaskScheduled Charge", "TaskScheduled Charge"}},
		{"timeout", runs.Paid, nil},
		{"Check -> Charge", runs.Paid, []string{"StateExited Check"}},
		{"Check->Charge", runs.Paid, []string{"StateExited Check"}},
		{"Reserve -> Pack", runs.Paid, []string{"StateExited Fulfil/Branches[0]/Reserve"}},
		{"Fulfil/** -> *", runs.Paid, []string{"StateExited Fulfil/Branches[0]/Reserve"}},
		{"* -> Fulfil", runs.Paid, []string{"StateExited Charge"}},
		{"Charge -> *", declined, []string{"StateExited Charge"}},
		{"Charge -> Refund", runs.Paid, nil},
		{"change $.payment", runs.Paid, []string{"StageCompleted Charge"}},
		{"change $.payment.id", runs.Paid, []string{"StageCompleted Charge"}},
		{"change $.done[0].total", runs.Paid, []string{"StageCompleted Fulfil"}},
		{"change $.total", runs.Paid, nil},
		{"change $.Error", declined, []string{"StageCompleted Charge"}},
		{"Fulfil:change $.payment", runs.Paid, nil},
		{"at +1m", runs.Paid, []string{"RetryStarted Charge"}},
		{"at +61s", runs.Paid, []string{"WaitStarted Fulfil/Branches[1]/Notify"}}, // the clock stops, and nothing happens then
		{"at +0s", runs.Paid, []string{"ExecutionStarted"}},
		{"at +3h", runs.Paid, nil},
		{"at 2026-01-01T09:01:00Z", runs.Paid, []string{"RetryStarted Charge"}},
		{"* hits % 3", runs.Paid, []string{"StateEntered Fulfil", "StateEntered Fulfil/Branches[1]/Notify",
			"StateEntered Each/Iterations[1]/Ship"}},
		{"Ship hits > 1", runs.Paid, []string{"StateEntered Each/Iterations[1]/Ship"}},
		{"Ship hits 1", runs.Paid, []string{"StateEntered Each/Iterations[0]/Ship"}},
		{"Ship hits != 1", runs.Paid, []string{"StateEntered Each/Iterations[1]/Ship"}},
		{"Ship hits <= 1", runs.Paid, []string{"StateEntered Each/Iterations[0]/Ship"}},
		{"Ship hits >= 2 if $.sku == 2", runs.Paid, nil},
		{"Ship once", runs.Paid, []string{"StateEntered Each/Iterations[0]/Ship"}},
		{"Ship once if $.sku == 2", runs.Paid, []string{"StateEntered Each/Iterations[1]/Ship"}},
		{"Ship log sku is {$.sku}", runs.Paid, nil},
	}
	for _, test := range tests {
		t.Run(test.spec, func(t *testing.T) {
			start := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
			s := session(t, order, debug.Options{Source: test.source(), Start: start})
			b, err := s.Breakpoints().Add(test.spec)
			if err != nil {
				t.Fatal(err)
			}
			if got := stops(t, s); !slices.Equal(got, test.stops) {
				t.Errorf("stops at %q\nwant     %q", got, test.stops)
			}
			again, err := s.Breakpoints().Add(b.String())
			if err != nil || again.String() != b.String() {
				t.Errorf("its own spec %q gives %v, %v", b, again, err)
			}
		})
	}
}

// An error that a branch does not catch may be caught by its Parallel; one that a Map tolerates ends nothing.
func TestCaughtIsByWhoeverHoldsTheState(t *testing.T) {
	fail := `{"StartAt":"F","States":{"F":{"Type":"Task","Resource":"r","Retry":[{"ErrorEquals":["Boom"],"MaxAttempts":1}],"End":true}}}`
	boom := func() *runs.Script {
		return &runs.Script{Outcomes: slices.Repeat([]engine.Outcome{{Error: "Boom"}}, 9)}
	}
	for name, test := range map[string]struct {
		definition       string
		caught, uncaught []string
	}{
		"nobody": {
			`{"StartAt":"P","States":{"P":{"Type":"Parallel","Branches":[` + fail + `],"End":true}}}`,
			[]string{"TaskFailed P/Branches[0]/F"}, []string{"TaskFailed P/Branches[0]/F"},
		},
		"the Parallel": {
			`{"StartAt":"P","States":{"P":{"Type":"Parallel","Branches":[` + fail +
				`],"Catch":[{"ErrorEquals":["Boom"],"Next":"E"}],"End":true},"E":{"Type":"Succeed"}}}`,
			[]string{"TaskFailed P/Branches[0]/F", "TaskFailed P/Branches[0]/F"}, nil,
		},
		"another name": {
			`{"StartAt":"P","States":{"P":{"Type":"Parallel","Branches":[` + fail +
				`],"Catch":[{"ErrorEquals":["Bang"],"Next":"E"}],"End":true},"E":{"Type":"Succeed"}}}`,
			[]string{"TaskFailed P/Branches[0]/F"}, []string{"TaskFailed P/Branches[0]/F"},
		},
		"a Map in a Parallel": {
			`{"StartAt":"P","States":{"P":{"Type":"Parallel","Branches":[{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.lines","MaxConcurrency":1,"ItemProcessor":` + fail + `,"End":true}}}],"End":true}}}`,
			[]string{"TaskFailed P/Branches[0]/M/Iterations[0]/F"},
			[]string{"TaskFailed P/Branches[0]/M/Iterations[0]/F"},
		},
		"a Map that tolerates one": {
			`{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.lines","ToleratedFailureCount":1,"MaxConcurrency":1,"ItemProcessor":` + fail + `,"End":true}}}`,
			[]string{"TaskFailed M/Iterations[0]/F", "TaskFailed M/Iterations[0]/F", "TaskFailed M/Iterations[1]/F",
				"TaskFailed M/Iterations[1]/F"}, []string{"MapFailed M"},
		},
	} {
		for spec, want := range map[string][]string{"caught error": test.caught, "uncaught error": test.uncaught} {
			s := session(t, test.definition, debug.Options{Source: boom()})
			if _, err := s.Breakpoints().Add(spec); err != nil {
				t.Fatal(err)
			}
			if got := stops(t, s); !slices.Equal(got, want) {
				t.Errorf("%s, %s: stops at %q, want %q", name, spec, got, want)
			}
		}
	}
}

func TestTimeoutBreakpoint(t *testing.T) {
	s := session(t, `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","TimeoutSeconds":5,"End":true}}}`,
		debug.Options{Source: &runs.Script{Outcomes: []engine.Outcome{{Output: value.Null{}, After: time.Minute}}}})
	if _, err := s.Breakpoints().Add("timeout"); err != nil {
		t.Fatal(err)
	}
	if got := stops(t, s); !slices.Equal(got, []string{"TaskTimedOut T"}) {
		t.Errorf("stops at %q", got)
	}
}

func TestVariablesAreWatched(t *testing.T) {
	s := session(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","Assign":{"n":1},"Next":"B"},"B":{"Type":"Pass","Assign":{"n":1},"Next":"C"},
		"C":{"Type":"Pass","Assign":{"n":2},"Next":"D"},"D":{"Type":"Succeed"}}}`, debug.Options{})
	if _, err := s.Breakpoints().Add("change $n"); err != nil {
		t.Fatal(err)
	}
	// An Assign takes effect when its state is left.
	if got := stops(t, s); !slices.Equal(got, []string{"StateEntered B", "StateEntered D"}) {
		t.Errorf("stops at %q", got)
	}
}

func TestLogpoints(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	for _, spec := range []string{
		`Ship log sku {$.sku} of {state}, {{braces}}, { {"a":$.sku} }`,
		"Charge:output log paid {$.payment.id} {$.payment} {$.nothing.x}", "Done once log \"  over  \"",
		"Check hits > 1 log never",
	} {
		b, err := s.Breakpoints().Add(spec)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := s.Breakpoints().Add(b.String()); err != nil || again.String() != b.String() ||
			again.Message != b.Message {
			t.Errorf("%q is %v, %v again", b, again, err)
		} else {
			s.Breakpoints().Remove(again.ID)
		}
	}
	if got := stops(t, s); got != nil {
		t.Errorf("logpoints stop at %q", got)
	}
	var got []string
	for _, m := range s.Breakpoints().Messages() {
		got = append(got, fmt.Sprint(m.Breakpoint, " ", m.Text))
		if event := s.Log().At(m.Event); event.Visit == nil {
			t.Errorf("%+v belongs to %v", m, event.Type)
		}
	}
	want := []string{
		`3 paid ch_1 {"id":"ch_1"} [$ has no member "nothing"; its members are total, lines and payment]`,
		"1 sku 1 of Ship, {braces}, {\"a\":1}", "1 sku 2 of Ship, {braces}, {\"a\":2}", "5   over  ",
	}
	if len(got) != len(want) {
		t.Fatalf("messages %q", got)
	}
	for i := range want {
		if i != 0 && got[i] != want[i] {
			t.Errorf("message %q, want %q", got[i], want[i])
		}
	}
	if !strings.HasPrefix(got[0], `3 paid ch_1 {"id":"ch_1"} [$.nothing.x is missing`) {
		t.Errorf("message %q", got[0])
	}
	if len(s.Breakpoints().All()) != 3 {
		t.Error("a logpoint for once is still there")
	}
	s.Restart()
	if len(s.Breakpoints().Messages()) != 0 {
		t.Error("a restart keeps messages")
	}
}

func TestAConditionThatCannotBeEvaluatedStopsAndSaysSo(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	b, err := s.Breakpoints().Add("Charge if nosuchname > 1")
	if err != nil {
		t.Fatal(err)
	}
	if got := stops(t, s); len(got) != 1 || b.Fault == nil || !strings.Contains(b.Fault.Error(), "nosuchname") {
		t.Errorf("stops at %q with %v", got, b.Fault)
	}
}

func TestWatches(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	w, err := s.Watches().Add("$.payment.id")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := s.Watches().Add("$.total * 2")
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Watches().At(sum, -1); err != nil || value.Compact(v) != "240" {
		t.Errorf("before the start: %v, %v", v, err)
	}
	if _, err := s.Do(debug.Command{Kind: debug.RunTo, Target: "Charge"}); err != nil {
		t.Fatal(err)
	}
	var miss *path.MissError
	if _, err := s.Watches().At(w, s.Log().Len()-1); !errors.As(err, &miss) || miss.Found != "$" {
		t.Errorf("a missing path: %v", err)
	}
	do(t, s, debug.StepState)
	now := s.Log().Len() - 1
	if v, err := s.Watches().At(w, now); err != nil || value.Compact(v) != `"ch_1"` {
		t.Errorf("now: %v, %v", v, err)
	}
	if _, err := s.Watches().At(w, s.PreviousStop()); !errors.As(err, &miss) {
		t.Errorf("at the previous stop: %v", err)
	}
	if v, err := s.Watches().At(sum, now); err != nil || value.Compact(v) != "240" {
		t.Errorf("the sum: %v, %v", v, err)
	}
	for i := range s.Log().Len() { // in no stage does it go once it is there, and before nothing has it
		_, err := s.Watches().At(w, i)
		if came := i >= s.Watches().Changes(w)[0].Event; came != (err == nil) {
			t.Errorf("at event %d, %v: %v", i+1, s.Log().At(i).Type, err)
		}
	}
	do(t, s, debug.Continue)
	changes := s.Watches().Changes(w)
	if len(changes) == 0 || changes[0].Before != nil || value.Compact(changes[0].After) != `"ch_1"` {
		t.Fatalf("changes %+v", changes)
	}
	if e := s.Log().At(changes[0].Event); e.Visit.Path() != "Charge" || e.Stage != engine.StageResultPath {
		t.Errorf("changed by %v of %s", e.Stage, e.Visit.Path())
	}
	if len(changes) != 1 {
		t.Errorf("%d changes", len(changes))
	}
	if err := s.Watches().Edit(w.ID, "$.done"); err != nil || s.Watches().All()[0].Text != "$.done" {
		t.Error(err)
	}
	if changes := s.Watches().Changes(s.Watches().All()[0]); len(changes) != 1 ||
		s.Log().At(changes[0].Event).Visit.Path() != "Fulfil" {
		t.Errorf("the results change at %+v", changes)
	}
	if _, err := s.Watches().Add("$.a >"); err == nil {
		t.Error("no expression is watched")
	}
	if err := s.Watches().Edit(99, "$.a"); !errors.Is(err, breakpoint.ErrNoWatch) {
		t.Error(err)
	}
	if !s.Watches().Remove(sum.ID) || s.Watches().Remove(sum.ID) || len(s.Watches().All()) != 1 {
		t.Error("removing once works once")
	}
}
