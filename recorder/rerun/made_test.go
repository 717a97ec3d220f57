package rerun_test

import (
	"strings"
	"testing"

	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

// The history of a run says enough to run it again: with its definition every recorded event agrees, and the end is the
// same. Without the definition, one that is made up of the events has the same history.
func TestHistoriesRunAgain(t *testing.T) {
	for _, c := range runs.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			r := open(t, c.Name, c.Document())
			if status, _, _, _ := r.Result(); status != c.Status.String() {
				t.Errorf("recorded %s, want %s", status, c.Status)
			}
			check := again(t, r, compile(t, c.Name, []byte(c.Definition)))
			if !check.Agrees() || check.Waits != "" || check.Session.Status() != c.Status {
				t.Errorf("%s; waits %q, status %s", check, check.Waits, check.Session.Status())
			}
			backAndForth(t, r)
		})
	}
}

// A history that stops in the middle can be looked at, and run again as far as it goes.
func TestPrefixesRunAgain(t *testing.T) {
	for _, c := range runs.Cases() {
		whole := open(t, c.Name, c.Document()).Execution.Events
		machine := compile(t, c.Name, []byte(c.Definition))
		for n := 2; n < len(whole); n++ {
			r := rerun.Of(&history.Execution{Events: whole[:n]})
			definition, err := r.Skeleton()
			if err != nil {
				t.Errorf("%s, %d events: %v", c.Name, n, err)
				break
			}
			found := history.Follow(history.Of(refs(r.Events(definition))))
			same := &history.Reproducible{}
			if d := history.CompareThreads(r.Threads, found, history.Extent{Found: true}, same.Same); d != nil &&
				d.Found == nil && d.Recorded.Kind().Phase < history.Succeeded {
				t.Errorf("%s, %d events: %s", c.Name, n, d)
			}
			// Where the recording stops in the middle of a task, the run waits before its recorded events.
			if check := again(t, r, machine); check.First != nil && check.First.Found != nil {
				t.Errorf("%s, %d events, run again: %s", c.Name, n, check)
			}
		}
	}
}

// A change to a definition is found where it takes hold, with the recorded value and the new one.
func TestChangesAreFound(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"fields of the data flow", `"Result":"done"`, `"Result":"gone"`,
			`event 12 (PassStateExited Last) in Last: output was recorded as "done", and is now "gone"`},
		{"fields of the data flow", `"NumericGreaterThan":1`, `"NumericGreaterThan":9`,
			`event 9 (WaitStateEntered Pause) in Pause: now it is FailStateEntered Lost`},
		{"a retrier, then a catcher", `"MaxAttempts":4`, `"MaxAttempts":1`, `now it is ExecutionFailed: Busy`},
		{"a retrier, then a catcher", `"ResultPath":"$.problem"`, `"ResultPath":"$.trouble"`, `output was recorded as`},
		{"branches", `"ResultPath":"$.both"`, `"ResultPath":null`,
			`event 19 (ParallelStateExited Both) in Both: output was recorded as {"n":1,"both":{"first":{"n":1}}}, and is now {"n":1}`},
		{"iterations", `"OutputPath":"$.row.id"`, `"OutputPath":"$.at"`,
			`in Each/Iterations[1]/Keep: output was recorded as 2, and is now 1`},
		{"iterations that are tried again and caught", `"Retry":[{"ErrorEquals":["Bad"]}],`, ``,
			`now it is MapStateFailed`},
		{"variables and expressions", `$sum + 1`, `$sum + 2`, `assignedVariables was recorded as`},
		{"an expression that fails", `$states.input.lost`, `1`, `now it is PassStateExited B`},
		{"a state that fails", `"Order.Late"`, `"Order.Lost"`,
			`error was recorded as "Order.Late", and is now "Order.Lost"`},
		{"a Map Run", `"ResultPath":null`, `"ResultPath":"$"`, `(no difference)`},
	} {
		for _, made := range runs.Cases() {
			if made.Name != c.name {
				continue
			}
			changed := strings.Replace(made.Definition, c.from, c.to, 1)
			if changed == made.Definition {
				t.Fatalf("%s: %s is not in its definition", c.name, c.from)
			}
			check := again(t, open(t, c.name, made.Document()), compile(t, c.name, []byte(changed)))
			if check.Agrees() != (c.want == "(no difference)") || !check.Agrees() &&
				!strings.Contains(check.String(), c.want) {
				t.Errorf("%s with %s:\n got %s\nwant %s", c.name, c.to, check, c.want)
			}
		}
	}
}
