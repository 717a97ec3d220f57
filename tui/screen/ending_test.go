package screen

import (
	"regexp"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// declined fails in Rejected because Charge failed, whose error its catcher took.
const declined = `{"StartAt":"Price","States":{
	"Price":{"Type":"Task","Resource":"r","ResultPath":"$.price","Next":"Charge"},
	"Charge":{"Type":"Task","Resource":"r","Parameters":{"to":"acquirer","amount.$":"$.price.total"},"Next":"Done",
		"Retry":[{"ErrorEquals":["Card.Timeout"]}],"Catch":[{"ErrorEquals":["Card.Declined"],"Next":"Rejected"}]},
	"Rejected":{"Type":"Fail","Error":"Order.Rejected","Cause":"the card was declined"},
	"Done":{"Type":"Succeed"}}}`

func declinedSession(t *testing.T, w, h int) *driver {
	t.Helper()
	s := session(t, declined, `{"id":1}`, script{
		"Price": {ok(0, `{"total":129.9}`)}, "Charge": {{Error: "Card.Declined", Cause: "insufficient funds"}},
	})
	return drive(t, s, w, h, Options{Title: "order.asl.json"}).press("c")
}

// TestEndPicture is the end of a run that failed: the cause, the answers of retriers and catchers, the values, the
// keys.
func TestEndPicture(t *testing.T) {
	golden(t, "ended", only(view.Data)(declinedSession(t, 80, 24)))
}

// TestCauseInTheTopLine: the top line names the cause, in the longest form for which there is space.
func TestCauseInTheTopLine(t *testing.T) {
	for w, want := range map[int]string{
		120: "× FAILED in Rejected, because Charge failed: Card.Declined  t+0s",
		80:  "× FAILED because Charge failed: Card.Declined  t+0s",
		55:  "× FAILED: Card.Declined  t+0s",
	} {
		if top, _, _ := strings.Cut(declinedSession(t, w, 24).frame(), "\n"); !strings.Contains(top, want) || !strings.Contains(top, " order.asl.json ") {
			t.Errorf("%d cells: %s", w, top)
		}
	}
}

// TestFirstStopOnAnErrorIsRed: the state of an error that nothing takes has the sign of a failure from the first stop
// on, and the top line its colour; the next command ends the run, however many states are around it.
func TestFirstStopOnAnErrorIsRed(t *testing.T) {
	d := drive(t, session(t, `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"M","States":{"M":{"Type":"Map","End":true,
		"ItemProcessor":{"StartAt":"Look","States":{"Look":{"Type":"Pass","InputPath":"$.no","End":true}}}}}}]}}}`, `[1]`, nil), 120, 40, Options{Title: "m"})
	d.app.ui.session.Breakpoints().AddUncaught()
	frame := d.press("c").frame()
	if !strings.Contains(frame, "UNCAUGHT ERROR in [0] Look: States.Runtime") || !strings.Contains(frame, "× Look") || d.app.ui.session.Status().Done() {
		t.Errorf("the first stop shows\n%s", frame)
	}
	if _, style := d.app.ui.status.barText(explain.Standing(d.app.ui.session, 1)); style != canvas.BarBad {
		t.Error("the top line is not red")
	}
	if frame = d.press("c").frame(); !strings.Contains(frame, "FAILED in P, because [0] Look failed: States.Runtime") {
		t.Errorf("the second c does not end the run:\n%s", frame)
	}
}

// TestFailedRecordingOpensAtItsFailure: the first frame says that the recorded run failed, and why; with a breakpoint
// it is the start.
func TestFailedRecordingOpensAtItsFailure(t *testing.T) {
	ran := declinedSession(t, 120, 40).app.ui.session
	recorded := func() *debug.Session {
		return debug.ReplayLog(ran.Machine(), ran.Options(), recordingOf(ran))
	}
	frame := drive(t, recorded(), 120, 40, Options{Title: "order.trace"}).
		sees("REPLAY × FAILED in Rejected, because Charge failed: Card.Declined", "because Charge failed at t+0s: Card.Declined: insufficient funds", "goes to the cause").frame()
	if strings.Contains(frame, "otherwise") {
		t.Errorf("it offers another answer, which a recorded run does not take:\n%s", frame)
	}
	s := recorded()
	if _, err := s.Breakpoints().Add("Charge"); err != nil {
		t.Fatal(err)
	}
	drive(t, s, 120, 40, Options{Title: "order.trace"}).sees("REPLAY READY").press("c").sees("BREAKPOINT 1 Charge")
}

// TestHistoryNumbersNeedARecording: ids of events in Step Functions' history are told of a recording, and not of a run that
// has none.
func TestHistoryNumbersNeedARecording(t *testing.T) {
	d := declinedSession(t, 120, 40)
	ran := d.app.ui.session
	number := regexp.MustCompile(`event \d+( #\d+)?`)
	if found := number.FindString(d.frame()); found == "" || strings.Contains(found, "#") {
		t.Errorf("a run without a history has %q:\n%s", found, d.frame())
	}
	recorded := drive(t, debug.ReplayLog(ran.Machine(), ran.Options(), recordingOf(ran)), 120, 40, Options{})
	if found := number.FindString(recorded.frame()); !strings.Contains(found, "#") {
		t.Errorf("a recording has %q:\n%s", found, recorded.frame())
	}
}

// TestKeysAtTheEnd: Enter and ! go to the cause, Esc comes back, and X lets the task that failed have another answer.
func TestKeysAtTheEnd(t *testing.T) {
	for _, key := range []string{"enter", "!"} {
		d := declinedSession(t, 120, 40).press(key)
		if e := d.app.ui.selection.Event; e.Type != engine.TaskFailed || e.Visit.State.Name != "Charge" {
			t.Errorf("%s goes to %v of %v", key, e.Type, e.Visit)
		}
		d.sees("× retrier 1 [Card.Timeout] does not name Card.Declined", "✓ catcher 1 [Card.Declined] takes it » Rejected")
		if d.press("esc"); d.app.ui.selection.Event.Type != engine.ExecutionFailed {
			t.Error("esc does not go back to the end")
		}
	}
	d := declinedSession(t, 120, 40).sees("x answers Charge otherwise").press("x").sees("Charge").typed(`{"paid":true}`).press("enter", "c")
	if status := d.app.ui.session.Status(); status != engine.Succeeded {
		t.Errorf("answered otherwise the run ended as %v:\n%s", status, d.frame())
	}
	d.press("!").sees("the run has not failed")
}

// TestStopAtAnUncaughtError: before the end the way to the cause is the same, with the keys that go there.
func TestStopAtAnUncaughtError(t *testing.T) {
	stopped := func(definition string) *driver {
		s := session(t, definition, `{"id":1}`, script{
			"Price": {ok(0, `{"total":129.9}`)}, "Charge": {{Error: "Card.Declined", Cause: "insufficient funds"}},
		})
		s.Breakpoints().AddUncaught()
		d := drive(t, s, 120, 40, Options{Title: "order.asl.json"}).press("c")
		if s.Status().Done() {
			t.Fatal("the run has not stopped")
		}
		return d
	}
	for _, key := range []string{"enter", "!"} {
		d := stopped(declined).sees("UNCAUGHT ERROR in Rejected, because Charge failed: Card.Declined", "because Charge failed at t+0s: Card.Declined: insufficient funds",
			"✓ catcher 1 [Card.Declined] takes it » Rejected", "with $.amount = 129.9, from $.price.total of Price", "enter goes to the cause", "x answers Charge otherwise")
		d.press(key)
		if e := d.app.ui.selection.Event; e.Type != engine.TaskFailed || e.Visit.State.Name != "Charge" {
			t.Errorf("%s goes to %v of %v", key, e.Type, e.Visit)
		}
		d.press("!").sees("the error began here")
		if d.press("esc"); d.app.ui.selection.Event.Type != engine.StageFailed {
			t.Error("esc does not go back to the stop")
		}
	}
	d := stopped(declined).press("x").typed(`{"paid":true}`).press("enter", "c")
	if status := d.app.ui.session.Status(); status != engine.Succeeded {
		t.Errorf("answered otherwise the run ended as %v:\n%s", status, d.frame())
	}
	// The error of the state itself.
	d = stopped(strings.Replace(declined, `"Card.Declined"`, `"Other"`, 1)).sees("UNCAUGHT ERROR in Charge: Card.Declined", "with $.amount = 129.9", "c continues, x answers Charge otherwise")
	if strings.Contains(d.frame(), "goes to the cause") {
		t.Error("the cause is here")
	}
}
