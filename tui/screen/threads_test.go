package screen

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
)

func TestThreadsAsATree(t *testing.T) {
	d := drive(t, order(t), 200, 50, Options{}).press("c", "esc")
	d.sees("0 Fulfil  waits for branches", "2 running", "  ◷ 1 [0] ReserveStock  waits for an answer  t+1h00m05s", "◷ 2 [1] NotifyCustomer")
}

func TestALargeMapIsSummarised(t *testing.T) {
	s := session(t, `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":120,"ToleratedFailurePercentage":50,"End":true,"Iterator":{"StartAt":"C","States":{
		"C":{"Type":"Choice","Choices":[{"Variable":"$","NumericEquals":3,"Next":"F"}],"Default":"W"},
		"F":{"Type":"Fail"},"W":{"Type":"Wait","SecondsPath":"$","End":true}}}}}}`, "[3,1"+strings.Repeat(",1,9", 499)+"]", nil)
	s.SetClock(debug.Clock{Mode: debug.ClockByHand})
	d := drive(t, s, 200, 60, Options{}).press("c", "a", "c")
	// An inline Map runs 40 at a time. Of the first 40 items one fails at once, and the next takes its place; after a
	// second the 21 that wait for one second are done, and as many others have begun.
	d.sees("21 done, 40 running, 1 failed").press("4").until("4", "[Threads 41]").press("z", "end").sees("8 more that run")
}

func TestChooseWhoRunsNext(t *testing.T) {
	s := session(t, `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}},{"StartAt":"B","States":{"B":{"Type":"Pass","Next":"B2"},"B2":{"Type":"Pass","End":true}}}]}}}`, `{}`, nil)
	d := drive(t, s, 200, 50, Options{}).until("s", "[0] A")
	d.press("4").until("4", "[Threads 3]").press("down", "enter").sees("Thread 2 runs next.", "▶ 2")
	d.press("i").sees("P/Branches[1]/B ")
	d.press("{").sees("Thread 1, [0] A, is chosen: . steps only it.")
	for range 20 {
		if d.app.ui.session.Log().Last().Type == engine.BranchSucceeded {
			break
		}
		d.press(".")
		if e := d.app.ui.session.Log().Last(); e.Thread != 1 {
			t.Fatalf("a step of thread 1 made %v of thread %d", e.Type, e.Thread)
		}
	}
	d.press("}").sees("Thread 2, [1] B, is chosen")
}
