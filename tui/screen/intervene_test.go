package screen

import (
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
	"asldb/tui/view/side"
)

// Between two states nothing can fail: the menu says so, and asks for no error.
func TestNoErrorBetweenTwoStates(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).until("i", "PaymentDue › output")
	d.press("X").sees("inject an error into the next step", "(the run is between two states: i continues)")
	d.press("e").sees("The run is between two states: i continues.")
	if _, asks := d.app.ui.dialog.(*dialog.CheckedPrompt); asks {
		t.Fatal("an error is asked for that cannot be given")
	}
	d.press("esc", "i", "X", "e").sees("Inject an error").typed("Mine").press("enter").sees("Injected manually: Mine.")
}

// timedOut is a task that takes an hour and sends a heartbeat each 20 s.
func timedOut(t *testing.T, bounds string) *driver {
	t.Helper()
	s := session(t, `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r",`+bounds+`,"End":true}}}`, `{"h":15}`,
		script{"T": {{Output: value.Must(`1`), After: time.Hour, HeartbeatEvery: 20 * time.Second}}})
	return drive(t, s, 160, 44, Options{}).until("i", "TaskTimedOut")
}

// States.Timeout says which of the two fields ran out, in the row of the event and beside the data.
func TestATimeoutSaysWhichFieldRanOut(t *testing.T) {
	timedOut(t, `"TimeoutSeconds":50,"HeartbeatSeconds":30`).
		sees("States.Timeout: TimeoutSeconds ran out", "waited 50s; TimeoutSeconds 50; last heartbeat at t+40s", "line 1")
	timedOut(t, `"TimeoutSeconds":50,"HeartbeatSeconds":10`).
		sees("States.Timeout: HeartbeatSeconds ran out", "; HeartbeatSeconds 10")
	timedOut(t, `"TimeoutSeconds":50,"HeartbeatSecondsPath":"$.h"`).
		sees("States.Timeout: HeartbeatSecondsPath ran out", "; HeartbeatSeconds 15, from HeartbeatSecondsPath")
}

// A heartbeat at the instant at which the task was asked for begins nothing twice.
func TestAHeartbeatAtOnceIsListedOnce(t *testing.T) {
	s := session(t, `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","HeartbeatSeconds":30,"End":true}}}`, `{}`, nil)
	d := drive(t, s, 160, 44, Options{}).opened().press("c", "esc", "X", "h").sees("Heartbeat sent for T.")
	d.app.ui.lists.Choose(side.Timers)
	if frame := d.frame(); strings.Count(frame, "T HeartbeatSeconds") != 1 {
		t.Errorf("the timers:\n%s", frame)
	}
	var beats int
	for e := range s.Log().All() {
		if e.Type == engine.TaskHeartbeat {
			beats++
		}
	}
	if beats != 1 {
		t.Errorf("%d heartbeats in the log", beats)
	}
}

// What a logpoint writes is among the messages, in the events, and beside the data of its event.
func TestLogpointsAreMessagesAndEvents(t *testing.T) {
	d := drive(t, order(t), 200, 50, Options{})
	d.press("U").typed("ChargeCard:Task log it was {type}, total {$.Payload.amount}").press("enter")
	d.press("U").typed("PaymentDue log to pay: {$.validation.total}").press("enter", "c", "esc")
	d.press(":").typed("messages").press("enter").sees("● event 8: to pay: 129.90", "● event 14: it was TaskFailed", "● event 19: it was TaskSucceeded, total 129.90").press("esc")
	d.press("3", "+")
	d.press("/").typed("to pay").press("enter").sees("VIEWING event 8", "Search wrapped to the top: to pay")
	d.sees("▿ PaymentDue ◇      0s        ● to pay: 129.90", " ● to pay: 129.90 ")
	d.press("/").typed("it was tasksucc").press("enter").sees("VIEWING event 19", "TaskSucceeded   ● it was TaskSucceeded, total 129.90")
	rows := strings.Split(d.frame(), "\n")
	tabs := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "[response]") })
	if first := rows[tabs+1]; !strings.Contains(first, " ● it was TaskSucceeded, total 129.90 ") {
		t.Errorf("the first line of the explanation is %q", first)
	}
	// After going back it has not been written yet, and is said again when it comes again.
	d.press("r")
	said := len(d.app.ui.messages.list)
	d.press("s", "s").sees("● event 8: to pay: 129.90")
	if len(d.app.ui.messages.list) != said+1 {
		t.Errorf("%d messages more", len(d.app.ui.messages.list)-said)
	}
	d.press("I").press("3", "+")
	if frame := d.frame(); strings.Contains(frame, "● to pay") {
		t.Errorf("before the event its message is there:\n%s", frame)
	}
}

// A breakpoint at a time stops the clock there, also where the clock would jump.
func TestATimeStopsTheClockOnTheScreen(t *testing.T) {
	d := drive(t, session(t, waits, `{}`, nil), 120, 34, Options{})
	d.press("U").typed("at +10s").press("enter", "c").sees("● BREAKPOINT 1 at +10s (hit 1)", "t+10s", "A › Seconds")
	d.press("c").sees("SUCCEEDED", "t+11m30s")
	d.press("r", "t", "t", "t", "c").sees("WAITING for a timer").press("a").sees("BREAKPOINT 1 at +10s (hit 1)", "t+10s")
	d.press("a").sees("t+30s")
	d.press("r", "c").press("A").types("1m").press("enter").sees("The clock advanced 10s of 1m00s: nothing happened. Then a breakpoint was hit.")
}

// Searches continue round the end in every pane, and say so.
func TestSearchesGoRound(t *testing.T) {
	d := drive(t, order(t), 200, 50, Options{})
	d.press("U").typed("ChargeCard").press("enter", "U").typed("PaymentDue").press("enter", "B", "esc", "c", "c")
	for _, test := range []struct {
		name, needle string
		focus        view.ID
		section      int
	}{
		{"events", "ValidateOrder StateEntered", view.Drawer, -1}, {"states", "ValidateOrder", view.States, -1}, {"breakpoints", "ChargeCard", view.Drawer, side.Breakpoints},
	} {
		d.app.ui.layout.focus(test.focus)
		if test.section >= 0 {
			d.app.ui.lists.Choose(test.section)
		}
		needle := strings.Fields(test.needle)[0]
		d.app.ui.search.text = needle
		u := d.app.ui
		wraps := 0
		for range 12 {
			u.messages.clear()
			u.search.again(1)
			if u.messages.shown && strings.HasPrefix(u.messages.list[len(u.messages.list)-1].Text, "Not found") {
				t.Fatalf("%s: %s is not found", test.name, needle)
			}
			if u.messages.shown {
				wraps++
			}
		}
		if wraps == 0 {
			t.Errorf("%s: going round is not said", test.name)
		}
	}
}

// In another what-if the messages of logpoints are shown; those that both share are not shown again.
func TestLogpointsInAnotherBranch(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{})
	d.press("U").typed("* log at {state}").press("enter").until("s", "AwaitSettlement › input")
	said := len(d.app.ui.messages.list) // of 4 states, the newest at event 23
	if err := d.app.ui.session.Interventions().AnswerOtherwise(2, engine.Outcome{Error: "Card.Declined", Cause: "stolen"}); err != nil {
		t.Fatal(err)
	}
	d.app.ui.sync()
	d.until("s", "OrderRejected › input")
	told := value.Each(d.app.ui.messages.list[said:], func(m dialog.Message) string { return m.Text })
	if got := strings.Join(told, "\n"); strings.Count(got, "at ") != 1 || !strings.Contains(got, ": at OrderRejected") {
		t.Errorf("told are\n%s", got)
	}
}
