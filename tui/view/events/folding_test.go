package events_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine/runlog"
	"asldb/internal/testkit/runs"
	"asldb/tui/view/events"
)

// finish runs a definition to its end and returns its rows.
func finish(definition, input string, fails map[string]int) *events.Rows {
	r := events.NewFolds(runlog.New())
	r.Extend(runs.Run(runs.Machine(definition), input, runs.Fail(fails)))
	return r
}

const pass = `{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}}`
const passItem = `{"StartAt":"Q","States":{"Q":{"Type":"Pass","End":true}}}`

// nested is a task that is retried and caught, and a Parallel with a Map in its second branch.
const nested = `{"StartAt":"Try","States":{
	"Try":{"Type":"Task","Resource":"r","Retry":[{"ErrorEquals":["E"],"IntervalSeconds":4,"MaxAttempts":1}],
		"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":null,"Next":"Both"}],"Next":"Both"},
	"Both":{"Type":"Parallel","End":true,"Branches":[` + pass + `,
		{"StartAt":"Each","States":{"Each":{"Type":"Map","ItemsPath":"$.items","Next":"W","Iterator":` + passItem + `},"W":{"Type":"Wait","Seconds":9,"End":true}}}]}}}`

// picture writes the rows as they are shown, by the events' names.
func picture(x *events.Rows) string {
	var b strings.Builder
	for i := x.Top(); i != runlog.None; i = x.Next(i) {
		e := x.Log().At(i)
		sign := " "
		if _, ok := x.Get(i); ok {
			sign = "+"
			if x.Open(i) {
				sign = "-"
			}
		}
		name := e.Type.String()
		if e.Visit != nil {
			name += " " + e.Visit.State.Name
		}
		fmt.Fprintf(&b, "%s%s%s\n", strings.Repeat("  ", x.Depth(i)), sign, name)
	}
	return b.String()
}

func TestFoldedVisits(t *testing.T) {
	x := finish(nested, `{"items":[1,2]}`, map[string]int{"Try": 2})
	x.Anchor(0)
	want := ` ExecutionStarted
+StateEntered Try
+StateEntered Both
 ExecutionSucceeded
`
	if got := picture(x); got != want {
		t.Errorf("folded:\n%s", got)
	}
}

func TestOpenContainers(t *testing.T) {
	x := finish(nested, `{"items":[1,2]}`, map[string]int{"Try": 2})
	both := x.Next(1)
	x.SetOpen(both, true)
	x.SetOpen(x.Thread(1), true)
	x.SetOpen(x.Thread(2), true)
	want := ` ExecutionStarted
+StateEntered Try
-StateEntered Both
   ParallelStarted Both
  -BranchStarted Both
    +StateEntered P
     BranchSucceeded Both
  -BranchStarted Both
    +StateEntered Each
    +StateEntered W
     BranchSucceeded Both
   ParallelSucceeded Both
   StageCompleted Both
   StateExited Both
 ExecutionSucceeded
`
	if got := picture(x); got != want {
		t.Errorf("opened:\n%s", got)
	}
	if c := x.Counts(both); c != (runlog.Counts{Begun: 2, Done: 2}) {
		t.Errorf("the branches: %+v", c)
	}
}

// Whatever is run and folded: opened, every event is shown once, and inside each group in order; folded, the
// row that shows an event is one that is shown, and walking up is walking down reversed.
func TestEveryEventIsShownOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		names := 0
		log := runs.Run(runs.Machine(runs.Chain(rt, 2, &names)), runs.ChainInput, runs.Fail(map[string]int{"S0": 1, "S2": 3}))
		x := events.NewFolds(runlog.New())
		for read := 0; read < log.Len(); { // the log grows in parts
			read = min(read+rapid.IntRange(1, 40).Draw(rt, "events"), log.Len())
			part := log.Prefix(read)
			x.Extend(&part)
		}
		x.SetAll(true)
		walk(rt, x, log.Len())
		for range 10 {
			i := rapid.IntRange(0, log.Len()-1).Draw(rt, "event")
			switch rapid.IntRange(0, 4).Draw(rt, "action") {
			case 0:
				x.SetOpen(i, false)
			case 1:
				x.SetOpen(i, true)
			case 2:
				x.SetAll(false)
			case 3:
				x.Auto()
				x.Anchor(i)
				if x.Visible(i) != i {
					rt.Fatalf("event %d is anchored and not shown", i)
				}
			default:
				x.Reveal(i)
				if x.Visible(i) != i {
					rt.Fatalf("event %d is revealed and not shown", i)
				}
			}
			rows := walk(rt, x, -1)
			shown := make(map[int]bool)
			for _, row := range rows {
				shown[row] = true
			}
			for i := range log.Len() {
				if !shown[x.Visible(i)] || !x.Holds(x.Visible(i), i) {
					rt.Fatalf("event %d is shown by row %d", i, x.Visible(i))
				}
			}
		}
	})
}

// walk goes down over the rows and up again.
func walk(t *rapid.T, x *events.Rows, want int) []int {
	var rows []int
	newest := map[int]int{} // the newest row of each group
	for i := x.Top(); i != runlog.None; i = x.Next(i) {
		rows = append(rows, i)
		parent := x.Parent(i)
		if before, ok := newest[parent]; ok && before >= i {
			t.Fatalf("event %d comes after %d", i, before)
		}
		newest[parent] = i
	}
	if want >= 0 {
		sorted := slices.Sorted(slices.Values(rows))
		if len(rows) != want || len(slices.Compact(sorted)) != want {
			t.Fatalf("%d rows for %d events", len(rows), want)
		}
	}
	at := x.Bottom()
	for _, row := range slices.Backward(rows) {
		if at != row {
			t.Fatalf("going up comes to %d, going down came to %d", at, row)
		}
		at = x.Previous(at)
	}
	if at != runlog.None {
		t.Fatalf("above the first row is %d", at)
	}
	return rows
}

func TestAnEmptyLog(t *testing.T) {
	x := events.NewFolds(runlog.New())
	x.Extend(&runlog.Log{})
	if x.Top() != runlog.None || x.Bottom() != runlog.None || x.Visible(0) != runlog.None {
		t.Error("an empty log has rows")
	}
}
