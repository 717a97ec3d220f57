package runlog_test

import (
	"testing"
	"time"

	"asldb/engine/runlog"
	"asldb/internal/testkit/runs"
)

// finish runs a definition to its end and returns its groups.
func finish(definition, input string, fails map[string]int) *runlog.Index {
	x := runlog.New()
	x.Extend(runs.Run(runs.Machine(definition), input, runs.Fail(fails)))
	return x
}

func TestCaughtVisit(t *testing.T) {
	x := finish(`{"StartAt":"Try","States":{"Try":{"Type":"Task","Resource":"r","Retry":[{"ErrorEquals":["E"],"IntervalSeconds":4,"MaxAttempts":1}],
		"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":null,"Next":"Done"}],"Next":"Done"},"Done":{"Type":"Succeed"}}}`, `{}`, map[string]int{"Try": 2})
	try, _ := x.Get(1)
	if x.Outcome(try) != runlog.Caught || try.Attempts() != 2 {
		t.Errorf("Try: outcome %v, %d attempts", x.Outcome(try), try.Attempts())
	}
	// One second for each of two attempts, and four between them.
	if from, to := x.Span(try, time.Time{}); to.Sub(from) != 6*time.Second {
		t.Errorf("Try took %v", to.Sub(from))
	}
	if r := x.Retries(1); len(r) != 1 || r[0].From != x.Log().At(0).Time+int64(time.Second) || r[0].Due != r[0].From+
		int64(4*time.Second) {
		t.Errorf("the delays are %v", r)
	}
}

func TestAbortedBranches(t *testing.T) {
	x := finish(`{"StartAt":"Both","States":{"Both":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","End":true}}},
		{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":60,"End":true}}}]}}}`, `{}`, map[string]int{"T": 1})
	if c := x.Counts(x.Thread(0) + 2); c != (runlog.Counts{Begun: 2, Failed: 1, Aborted: 1}) {
		t.Errorf("the branches: %+v", c)
	}
	want := []runlog.Outcome{runlog.BranchFailed, runlog.BranchAborted}
	for n := 1; n < x.Threads(); n++ {
		g, _ := x.Get(x.Thread(n))
		if got := x.Outcome(g); got != want[n-1] {
			t.Errorf("branch %d ended as %v, want %v", n-1, got, want[n-1])
		}
		x.Children(x.Thread(n), runlog.None, func(i int) bool {
			if v, _ := x.Get(i); x.Outcome(v) != want[n-1] {
				t.Errorf("the state of branch %d ended as %v, want %v", n-1, x.Outcome(v), want[n-1])
			}
			return true
		})
	}
}

// TestFailedVisits: iterations that fail, and end in another order than they began, are found in any range of events.
func TestFailedVisits(t *testing.T) {
	x := finish(`{"StartAt":"M","States":{"M":{"Type":"Map","ToleratedFailurePercentage":100,"End":true,
		"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"W","States":{
		"W":{"Type":"Wait","SecondsPath":"$.w","Next":"C"},
		"C":{"Type":"Choice","Choices":[{"Variable":"$.w","NumericLessThan":4,"Next":"F"}],"Default":"S"},
		"F":{"Type":"Fail"},"S":{"Type":"Succeed"}}}}}}`, `[{"w":3},{"w":5},{"w":1},{"w":2},{"w":9}]`, nil)
	bad := func(i int) bool {
		g, ok := x.Get(i)
		return ok && g.Kind() == runlog.Visit && x.Outcome(g) == runlog.BranchFailed
	}
	found := 0
	for first := range x.Len() {
		want := false
		for last := first; last < x.Len(); last++ {
			if want = want || bad(last); x.VisitFailed(first, last) != want {
				t.Fatalf("events %d to %d: a failed visit %v, want %v", first, last, !want, want)
			}
		}
		if bad(first) {
			found++
		}
	}
	if found != 3 {
		t.Errorf("%d visits failed, want 3", found)
	}
}

func TestRestart(t *testing.T) {
	machine := runs.Machine(`{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","End":true}}}`)
	x := runlog.New()
	x.Extend(runs.Run(machine, `{}`, runs.Echo))
	generation := x.Generation()
	again := runs.Run(machine, `{}`, runs.Echo).Prefix(2)
	x.Extend(&again)
	if x.Len() != 2 || x.Last(runlog.None) != 1 || x.Generation() == generation {
		t.Errorf("%d events, the last one is %d", x.Len(), x.Last(runlog.None))
	}
}

// TestNeighbours: events and groups are found from one another.
func TestNeighbours(t *testing.T) {
	x := finish(`{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"Iterator":{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}}}}}`, `[1,2]`, nil)
	for n := 1; n < x.Threads(); n++ {
		header := x.Thread(n)
		if x.Number(header) != n || x.ThreadOf(header) != header || x.ThreadOf(x.Last(header)) != header {
			t.Errorf("thread %d is not found by its events", n)
		}
		if visit := x.First(header); x.VisitOf(visit) != visit || x.VisitOf(header) != 1 || x.Depth(visit) != 2 {
			t.Errorf("the visits of thread %d are not found by its events", n)
		}
		if last := x.Last(header); x.After(last) != runlog.None || x.After(x.Before(last)) != last ||
			x.Before(x.First(header)) != runlog.None {
			t.Errorf("the events of thread %d are not in their order", n)
		}
	}
	if x.ThreadOf(0) != runlog.None || x.VisitOf(0) != runlog.None || x.Parent(-1) != runlog.None {
		t.Error("the first event is in a group")
	}
}
