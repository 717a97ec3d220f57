package screen

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/tui/tuitest"
	"asldb/tui/view"
)

// shopping drives the shop; the task Charge has no result where how is neither card nor cheque.
func shopping(t *testing.T, how string, w, h int) *driver {
	t.Helper()
	session, calls := tuitest.Shop(t, how)
	return drive(t, session, w, h, Options{Title: "shop.asl.json", Calls: calls})
}

// paid is the end of the task's result: the child began at 09:00:00 and took 60 s and 30 s.
const paid = `"Input":{"how":"card"},"InputDetails":{"Included":true},"Name":"pay-1","Output":{"charged":5},"OutputDetails":{"Included":true},` +
	`"RedriveCount":0,"RedriveStatus":"NOT_REDRIVABLE","RedriveStatusReason":"Execution is SUCCEEDED and cannot be redriven",` +
	`"StartDate":1767258000000,"StateMachineArn":"arn:aws:states:us-east-1:123456789012:stateMachine:Payment","Status":"SUCCEEDED","StopDate":1767258090000}`

func (d *driver) endsPaid() {
	d.t.Helper()
	s := d.app.ui.session
	if s.Status() != engine.Succeeded {
		d.t.Fatalf("%v: %+v\n%s", s.Status(), s.Failure(), d.frame())
	}
	if got := value.Compact(s.Output()); !strings.Contains(got, paid) {
		d.t.Errorf("got  %s\nwant %s", got, paid)
	}
	if took := s.Now().Sub(startTime); took.Seconds() != 90 {
		d.t.Errorf("took %v, want 90s", took)
	}
}

// Without stepping into it the child runs by itself, and its run can be looked into afterwards.
func TestAnExecutionThatIsNotSteppedInto(t *testing.T) {
	d := shopping(t, "card", 120, 34).press("c")
	d.endsPaid()
	d.until("I", "> looks into its run")
	d.press(">").sees("REPLAY", "SUCCEEDED", "payment.asl.json", "Done")
	d.press("S", "S").sees("Charge").press("esc").sees("SUCCEEDED").press("esc").sees("shop.asl.json › Pay")
	if d.app.ui.nest.outer != nil {
		t.Error("still in the child")
	}
}

func TestSteppingIntoAnExecution(t *testing.T) {
	d := shopping(t, "card", 120, 34).press("s", "s")
	d.sees("Pay").press(">") // from the entry of the task
	d.sees("shop.asl.json › Pay → payment.asl.json", "READY", "This execution was started by Pay of shop.asl.json")
	d.press("s", "i", "i").sees("→ payment.asl.json › Hold")
	d.press("s").sees("→ payment.asl.json › Charge")
	d.press("c").sees("payment.asl.json ✓ SUCCEEDED after 1m30s and answers Pay", "shop.asl.json › Pay")
	if calls := d.app.ui.session.Calls().Open(); len(calls) > 0 {
		t.Errorf("%v still wait", calls)
	}
	d.press("c").endsPaid()

	// Going back over the task and on again asks nothing, and runs nothing.
	before := d.app.ui.session.Log().Len()
	d.press("C", "c").endsPaid()
	if n := len(d.app.ui.session.Forks().All()); n != 1 || d.app.ui.session.Log().Len() != before {
		t.Errorf("%d branches, %d events, before %d", n, d.app.ui.session.Log().Len(), before)
	}
	d.until("I", "> looks into its run").press(">").sees("REPLAY")
}

// A child that fails is told to the parent as States.TaskFailed, which its Catch takes.
func TestSteppingIntoAnExecutionThatFails(t *testing.T) {
	for _, keys := range [][]string{{"c"}, {"s", "s", ">", "s", "s", "f12", "c"}} {
		d := shopping(t, "cheque", 120, 34).press(keys...)
		s := d.app.ui.session
		if got := value.Compact(s.Output()); s.Status() != engine.Succeeded || !strings.Contains(got,
			`"fault":{"Error":"States.TaskFailed","Cause":"{`) ||
			!strings.Contains(got, `Cheque.Bounced`) {
			t.Errorf("%v: %v %s\n%s", keys, s.Status(), got, d.frame())
		}
	}
}

// The user is asked for an unanswered task inside the child where it was stepped into; elsewhere the task of the parent
// fails.
func TestATaskOfTheChildAsks(t *testing.T) {
	saved := map[string]string{}
	d := shopping(t, "barter", 120, 34)
	d.app.ui.nest.options.Save = func(name string, data []byte) error { saved[name] = string(data); return nil }
	d.press("s", "s", ">", "c").sees("What does Charge return?")
	d.typed(`{"goat":1}`).press("enter").sees("payment.asl.json ✓ SUCCEEDED")
	if got := strings.Join(d.app.ui.unsaved(), "; "); got != "1 answer that you gave to tasks, in payment.asl.json" {
		t.Errorf("unsaved: %q", got)
	}
	d.press(">").sees("REPLAY").press("ctrl+s").sees("save as:").typed("payment.fixtures.yaml").press("enter", "esc")
	if got := d.app.ui.unsaved(); len(got) > 0 || !strings.Contains(saved["payment.fixtures.yaml"], "goat") {
		t.Errorf("unsaved: %q, saved: %v", got, saved)
	}
	d.press("c")
	if got := value.Compact(d.app.ui.session.Output()); !strings.Contains(got, `"Output":{"goat":1}`) {
		t.Errorf("got %s", got)
	}
}

func TestLeavingAnExecution(t *testing.T) {
	into := func() *driver {
		return shopping(t, "card", 120, 34).press("s", "s", ">", "s", "s", "b", "esc").sees("Leave payment.asl.json?")
	}
	into().press("f", "c").endsPaid()
	d := into().press("x").sees("What does Pay return?").typed(`{"gift":true}`).press("enter", "c")
	if got := value.Compact(d.app.ui.session.Output()); !strings.Contains(got, `"payment":{"gift":true}`) {
		t.Errorf("got %s", got)
	}
	d = into().press("l").sees("Pay still waits", "> steps into it")
	d.press(">").sees("READY").press("c").sees("● BREAKPOINT 1 Charge") // it was kept
	d.press("c", "c").endsPaid()
	into().press("z").sees("Charge").press("esc").sees("Leave").press("l",
		"c").sees("● BREAKPOINT 1 Charge").press("c", "c").endsPaid()
}

// TestNestedPictures are the screen of a child, and the parent's behind it.
func TestNestedPictures(t *testing.T) {
	d := shopping(t, "card", paneWidth, paneHeight).press("s", "s", "i", "i")
	golden(t, "nested-task", only(view.Data)(d))
	golden(t, "nested-child-120x34", d.press(">", "s", "s").frame())
	golden(t, "nested-leave", over(d.press("esc")))
	golden(t, "nested-back-120x34", d.press("f12").frame())
}

// The branches of a Parallel state start executions, and one of them starts another: each can be stepped into, and the
// others run by themselves.
func TestExecutionsBesideAndInsideEachOther(t *testing.T) {
	task := func(more string) string {
		return `{"Type":"Task","Resource":"arn:aws:states:::states:startExecution.sync:2","Parameters":{"StateMachineArn":"arn:aws:states:us-east-1:123456789012:stateMachine:M","Input":{}},` + more + `"End":true}`
	}
	outer := `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"A","States":{"A":` + task(`"OutputPath":"$.Output",`) + `}},{"StartAt":"B","States":{"B":` + task(`"OutputPath":"$.Output",`) + `}}]}}}`
	files := map[string]string{
		"outer.asl.json":  outer,
		"outer.yaml":      "version: 1\ntasks: {A: [{asldb: {definition: middle.asl.json, fixtures: middle.yaml}}], B: [{asldb: leaf.asl.json}]}\n",
		"middle.asl.json": `{"StartAt":"M","States":{"M":` + task(`"OutputPath":"$.Output",`) + `}}`,
		"middle.yaml":     "version: 1\ntasks: {M: [{asldb: leaf.asl.json}]}\n",
		"leaf.asl.json":   `{"StartAt":"L","States":{"L":{"Type":"Wait","Seconds":5,"Next":"R"},"R":{"Type":"Pass","Result":{"leaf":true},"End":true}}}`,
	}
	s, calls := tuitest.Nested(t, files, "outer.asl.json", "outer.yaml", fixtures.Fail, nil)
	d := drive(t, s, 140, 40, Options{Title: "outer.asl.json", Calls: calls})

	d.until("i", "> steps into it").press(">").sees("outer.asl.json › Both/Branches[0]/A → middle.asl.json").press("s", ">")
	d.sees("outer.asl.json › Both/Branches[0]/A → middle.asl.json › M → leaf.asl.json", "READY")
	d.press("s", "s").sees("→ leaf.asl.json › R").press("f12").sees("leaf.asl.json ✓ SUCCEEDED after 5s and answers M", "→ middle.asl.json › M")
	d.press("c").sees("middle.asl.json ✓ SUCCEEDED after 5s and answers [0] A")
	d.press("c")
	if got := value.Compact(d.app.ui.session.Output()); got != `[{"leaf":true},{"leaf":true}]` {
		t.Errorf("got %s: %+v\n%s", got, d.app.ui.session.Failure(), d.frame())
	}
	if took := d.app.ui.session.Now().Sub(startTime).Seconds(); took != 5 {
		t.Errorf("took %v s, want 5: they run beside each other", took)
	}
	d.until("I", "leaf.asl.json was run for this task").press(">").sees("REPLAY", "leaf.asl.json").press("esc")
	d.press("q")
	if d.app.ui.nest.outer != nil {
		t.Error("not on the first screen")
	}
}
