package groups_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/tui/part/groups"
	"pgregory.net/rapid"
)

type outcomes struct{ fails map[string]int }

// Ask fails a state as often as the source says and then succeeds, a second later.
func (s *outcomes) Ask(ask outcome.Ask) outcome.Reply {
	if name := ask.(outcome.Task).Request.Visit.State.Name; s.fails[name] > 0 {
		s.fails[name]--
		return outcome.Given(engine.Outcome{Error: "E", After: time.Second}, "test")
	}
	return outcome.Given(engine.Outcome{Output: value.Must(`{"ok":true}`), After: time.Second}, "test")
}

func (s *outcomes) Seek([]outcome.Ask) []outcome.Ask { return nil }

func session(t testing.TB, definition, input string, fails map[string]int) *debug.Session {
	t.Helper()
	def, problems := asl.Parse(&source.File{Name: "test", Data: []byte(definition)})
	if def == nil {
		t.Fatalf("the definition does not parse: %+v", problems)
	}
	m, err := engine.Compile(def, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return debug.New(m, debug.Options{Input: value.Must(input), Start: time.Unix(0, 0), Source: &outcomes{fails}})
}

func finish(t testing.TB, s *debug.Session) *groups.Index {
	t.Helper()
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	x := groups.New()
	x.Extend(s.Log())
	return x
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
func picture(x *groups.Index) string {
	var b strings.Builder
	for i := x.First(); i != groups.None; i = x.Next(i) {
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
	x := finish(t, session(t, nested, `{"items":[1,2]}`, map[string]int{"Try": 2}))
	x.Anchor(0)
	want := ` ExecutionStarted
+StateEntered Try
+StateEntered Both
 ExecutionSucceeded
`
	if got := picture(x); got != want {
		t.Errorf("folded:\n%s", got)
	}
	try, _ := x.Get(1)
	if x.Outcome(try) != groups.Caught || try.Attempts() != 2 {
		t.Errorf("Try: outcome %v, %d attempts", x.Outcome(try), try.Attempts())
	}
	// One second for each of two attempts, and four between them.
	if from, to := x.Span(try, time.Time{}); to.Sub(from) != 6*time.Second {
		t.Errorf("Try took %v", to.Sub(from))
	}
	if r := x.Retries(1); len(r) != 1 || r[0].From != int64(time.Second) || r[0].Due != int64(5*time.Second) {
		t.Errorf("the delays are %v", r)
	}
}

func TestOpenContainers(t *testing.T) {
	x := finish(t, session(t, nested, `{"items":[1,2]}`, map[string]int{"Try": 2}))
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
	if c := x.Counts(both); c != (groups.Counts{Begun: 2, Done: 2}) {
		t.Errorf("the branches: %+v", c)
	}
}

func TestAbortedBranches(t *testing.T) {
	x := finish(t, session(t, `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","End":true}}},
		{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":60,"End":true}}}]}}}`, `{}`, map[string]int{"T": 1}))
	if c := x.Counts(x.Thread(0) + 2); c != (groups.Counts{Begun: 2, Failed: 1, Aborted: 1}) {
		t.Errorf("the branches: %+v", c)
	}
	want := []groups.Outcome{groups.Failed, groups.Aborted}
	for n := 1; n < x.Threads(); n++ {
		g, _ := x.Get(x.Thread(n))
		if got := x.Outcome(g); got != want[n-1] {
			t.Errorf("branch %d ended as %v, want %v", n-1, got, want[n-1])
		}
		x.Children(x.Thread(n), groups.None, func(i int) bool {
			if v, _ := x.Get(i); x.Outcome(v) != want[n-1] {
				t.Errorf("the state of branch %d ended as %v, want %v", n-1, x.Outcome(v), want[n-1])
			}
			return true
		})
	}
}

func TestARestartIsReadAnew(t *testing.T) {
	s := session(t, nested, `{"items":[1,2]}`, nil)
	x := finish(t, s)
	s.Restart()
	if _, err := s.Do(debug.Command{Kind: debug.StepState}); err != nil {
		t.Fatal(err)
	}
	x.Extend(s.Log())
	if x.Len() != 2 || x.Last() != 1 {
		t.Errorf("%d events, the last row is %d", x.Len(), x.Last())
	}
}

// chain is a machine of nested containers that rapid makes up.
func chain(t *rapid.T, depth int, names *int) string {
	n := rapid.IntRange(1, 3).Draw(t, "states")
	var states []string
	first := *names
	for i := range n {
		name := *names
		*names++
		next := `"End":true`
		kind := rapid.IntRange(0, 4).Draw(t, "kind")
		if depth == 0 && kind > 2 {
			kind = 0
		}
		var body string
		switch kind {
		case 0:
			body = `"Type":"Pass"`
		case 1:
			body = `"Type":"Wait","Seconds":3`
		case 2:
			body = `"Type":"Task","Resource":"r","Retry":[{"ErrorEquals":["States.ALL"],"MaxAttempts":2}]`
		case 3:
			body = `"Type":"Parallel","Branches":[` + chain(t, depth-1, names) + `,` + chain(t, depth-1, names) + `]`
		default:
			body = `"Type":"Map","ItemsPath":"$.items","ResultPath":null,"Iterator":` + chain(t, 0, names)
		}
		if kind < 4 {
			body += `,"ResultPath":null`
		}
		if kind == 1 {
			body = `"Type":"Wait","Seconds":3`
		}
		if i < n-1 {
			next = fmt.Sprintf(`"Next":"S%d"`, *names)
		}
		states = append(states, fmt.Sprintf(`"S%d":{%s,%s}`, name, body, next))
	}
	return fmt.Sprintf(`{"StartAt":"S%d","States":{%s}}`, first, strings.Join(states, ","))
}

// Whatever is run and folded: opened, every event is shown once, and inside each group in order; folded, the
// row that shows an event is one that is shown, and walking up is walking down reversed.
func TestEveryEventIsShownOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		names := 0
		s := session(t, chain(rt, 2, &names), `{"items":[{"items":[1]},{"items":[]},{"items":[1,2]}]}`, map[string]int{"S0": 1, "S2": 3})
		x := groups.New()
		for s.Stop().Reason != debug.StoppedAtEnd { // the log grows in parts
			if err := s.Begin(debug.Command{Kind: debug.Continue}); err != nil {
				rt.Fatal(err)
			}
			for range rapid.IntRange(1, 40).Draw(rt, "steps") {
				if s.Advance(1).Reason == debug.StoppedAtEnd {
					break
				}
			}
			x.Extend(s.Log())
		}
		x.SetAll(true)
		walk(rt, x, s.Log().Len())
		for range 10 {
			i := rapid.IntRange(0, s.Log().Len()-1).Draw(rt, "event")
			switch rapid.IntRange(0, 4).Draw(rt, "what") {
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
			for i := range s.Log().Len() {
				if !shown[x.Visible(i)] || !x.Holds(x.Visible(i), i) {
					rt.Fatalf("event %d is shown by row %d", i, x.Visible(i))
				}
			}
		}
	})
}

// walk goes down over the rows and up again.
func walk(t *rapid.T, x *groups.Index, want int) []int {
	var rows []int
	newest := map[int]int{} // the newest row of each group
	for i := x.First(); i != groups.None; i = x.Next(i) {
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
	at := x.Last()
	for _, row := range slices.Backward(rows) {
		if at != row {
			t.Fatalf("going up comes to %d, going down came to %d", at, row)
		}
		at = x.Previous(at)
	}
	if at != groups.None {
		t.Fatalf("above the first row is %d", at)
	}
	return rows
}

func TestAnEmptyLog(t *testing.T) {
	x := groups.New()
	x.Extend(&runlog.Log{})
	if x.First() != groups.None || x.Last() != groups.None || x.Visible(0) != groups.None {
		t.Error("an empty log has rows")
	}
}
