package screen

import (
	"testing"

	"asldb/engine"
)

func TestChooseWhoRunsNext(t *testing.T) {
	s := session(t, `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}},{"StartAt":"B","States":{"B":{"Type":"Pass","Next":"B2"},"B2":{"Type":"Pass","End":true}}}]}}}`, `{}`, nil)
	d := drive(t, s, 200, 50, Options{}).until("s", "▶ A")
	d.press("4").until("4", "[Threads 3]").press("down", "enter").sees("Thread 2 runs next.", "▶ 2")
	d.press("i").sees("P/Branches[1]/B ")
	d.press("tab", "(").sees("P [0]: running; :step-thread steps only this branch", "P/Branches[0]/A")
	for range 20 {
		if d.app.ui.session.Log().Last().Type == engine.BranchSucceeded {
			break
		}
		d.press(".")
		if e := d.app.ui.session.Log().Last(); e.Thread != 1 {
			t.Fatalf("a step of thread 1 made %v of thread %d", e.Type, e.Thread)
		}
	}
	d.press(")").sees("P [1]: running", "P/Branches[1]/B")
	d.press("{").sees("P/Branches[0]/A")
}
