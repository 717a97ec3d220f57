package screen

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/tui/pane"
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

// TestEndPicture is the end of a run that failed: the cause, the answers of retriers and catchers, the values, the keys.
func TestEndPicture(t *testing.T) {
	golden(t, "ended", only(pane.Data)(declinedSession(t, 80, 24)))
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
