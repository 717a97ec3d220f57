package screen

import (
	"testing"
	"time"

	"asldb/engine"
	"asldb/tui/tuitest"
)

// TestPolls: a waiter has a row for each poll, a step is a poll, and going back is one, too. The first delay has one
// bound, 2 s, after which 58 s of the minute are left; a waiter that sets no delays has 2 s to 120 s.
func TestPolls(t *testing.T) {
	runs, waits, done := tuitest.Output(`{"S": "RUNS"}`), tuitest.Output(`{"S": "WAITS"}`), tuitest.Output(`{"S": "DONE"}`)
	s := tuitest.Jobs(t, runs, waits, done)
	d := drive(t, s, 200, 40, Options{})
	d.sees("READY", "1 Acceptors", `0 success  S = "DONE"`, `1 retry  S = "RUNS"`, "2 failure  error Gone",
		"delay, from 2s to 120s, then GetJob")
	d.press("i").sees("2 polls", `S = "RUNS"  1 retry`, "« 2s", "of 2s to 2s", "58s left", "under way", "i next poll")
	d.press("i").sees("3 polls", `S = "WAITS"  nothing matched`, "of 2s to 4s")
	d.press("i").sees("JobDone reached success at poll 3", "0 success        ✓", "2 acceptors not asked",
		`✓ 0 success  S = "DONE": it is "DONE"`)
	d.press("I").sees("3 polls", "under way").press("I", "I").sees("1 poll")
	d.press("c").sees("reached success at poll 3")
	d.press("2", "k", "k").sees("1 poll", `× 0 success  S = "DONE": it is "RUNS"`).press("j").sees("2 polls")
	d.press("esc", "1", "1").sees("1 States", "✓ Success", "2 Execution output").press("1").sees("1 Acceptors")
}

// TestEndsOfAWaiter: a failure and a time that is over are told in a waiter's words, and a question about a call is
// below its row.
func TestEndsOfAWaiter(t *testing.T) {
	gone := engine.Outcome{Error: "Gone"}
	d := drive(t, tuitest.Jobs(t, gone), 120, 40, Options{})
	d.press("i").sees("× JobDone failed at poll 1, after 0s: error Gone, 2 failure.", "error Gone  2 failure")
	slow := engine.Outcome{Output: tuitest.Output(`{"S": "DONE"}`).Output, After: 2 * time.Minute}
	d = drive(t, tuitest.Jobs(t, slow), 80, 24, Options{ASCII: true})
	d.press("c", "c").sees("! JobDone came to no result in its 1m00s: 1 poll.", "! the time is over")
	d = drive(t, tuitest.Jobs(t), 80, 24, Options{})
	d.press("i").sees("1 poll", "under way", "What does GetJob return?")
	d.paste(`{"S":"DONE"}`).press("enter").sees("reached success at poll 1")
}
