package screen

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/tuitest"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
	"asldb/tui/view/side"
)

func TestStepByStages(t *testing.T) {
	d := drive(t, order(t), 150, 34, Options{})
	d.sees("READY", "Nothing has run yet.", `"id": "o-1042"`, "t+0s")
	d.press("i").sees("ExecutionStarted", "PAUSED")
	d.press("i").sees("order › ValidateOrder › input", "[input]")
	d.press("i").sees("[Parameters]", `"orderId": "o-1042"`)
	d.press("i").sees("asks for the task", "TaskScheduled")
	d.press("i").sees("TaskSucceeded", "t+0.35s")
	d.press("i").sees("[ResultPath]", "$.validation", "puts the result into the raw input",
		`"order": { … 2 unchanged … }`, `+   "validation": {`)
	d.press("i").sees("[output]", "the state's output goes to PaymentDue")
}

func TestQuickKeysAreAllCounted(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{})
	d.quickly("iii") // as Bubble Tea runs them together
	if got := d.app.ui.session.Log().Len(); got != 3 {
		t.Errorf("three quick presses made %d events", got)
	}
}

func TestQuickKeysDoNotAnswerAQuestion(t *testing.T) {
	d := drive(t, order(t), 100, 30, Options{})
	d.quickly("cssss")
	q, ok := d.app.ui.dialog.(*dialog.Question)
	if !ok {
		t.Fatalf("no question:\n%s", d.frame())
	}
	if text, suggestion := q.Result(); text != "" && !suggestion {
		t.Errorf("the answer is %q already", text)
	}
}

func TestBreakpoints(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).opened()
	d.app.ui.lists.Choose(side.Breakpoints)
	d.press("U")
	for _, r := range "ChargeCard:ResultPath" {
		d.press(string(r))
	}
	d.press("enter").sees("Breakpoint set: ChargeCard:ResultPath", "● 1")
	d.press("c").sees("BREAKPOINT 1 ChargeCard:ResultPath (hit 1)", `+   "payment": {`)
	d.press("1", "b").sees("Breakpoint set: ChargeCard", "● 2")
	d.press("B").sees("Breakpoints", "space on/off").press("down", " ").sees("○ 2 ChargeCard", "off")
	d.press("delete")
	if points := d.app.ui.session.Breakpoints().All(); len(points) != 1 || points[0].ID != 1 {
		t.Errorf("after deleting the second there are %d breakpoints", len(points))
	}
	d.press("esc", "E").sees("any error")
	d.press("r", "c").sees("BREAKPOINT 3 any error (hit 1)", "× Card.Timeout", "no answer from the card service in 2 s")
	d.press("E")
	if points := d.app.ui.session.Breakpoints().All(); len(points) != 1 {
		t.Errorf("pressing E again leaves %d breakpoints", len(points))
	}
}

func TestAPathThatMissedExplainsItself(t *testing.T) {
	s := session(t, `{"StartAt":"Ship","States":{"Ship":{"Type":"Task","Resource":"r",
		"Parameters":{"to.$":"$.order.address.city"},"End":true}}}`, `{"order":{"id":1,"adress":{"city":"Bath"}}}`, nil)
	d := drive(t, s, 120, 34, Options{}).until("i", "Parameters failed")
	d.sees("× $.order.address.city is missing; did you mean $.order.adress.city?",
		"States.Runtime in Parameters/to.$, line 2")
}

func TestABreakpointThatCannotBe(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{})
	d.press("U", "N", "o", "n", "e", "enter").sees(`"None" matches no state`)
}

func TestRetryExplainsItself(t *testing.T) {
	d := drive(t, order(t), 150, 34, Options{}).until("i", "retrier 1 takes")
	d.sees("Card.Timeout: retry 1 at t+4.35s", "2s x 2^0 = 2s; retry 1 of at most 3", "«1", "data of event 14")
	d.until("i", "attempt 2").sees("ChargeCard")
}

func TestChoiceExplainsItself(t *testing.T) {
	s := session(t, `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[
		{"Variable":"$.total","NumericGreaterThan":0,"Next":"Yes"},
		{"Not":{"Variable":"$.vip","IsPresent":true},"Next":"Yes"},
		{"Variable":"$.vip","BooleanEquals":true,"Next":"Yes"}],"Default":"No"},
		"Yes":{"Type":"Succeed"},"No":{"Type":"Succeed"}}}`, `{"total":"129.90","vip":false}`, nil)
	d := drive(t, s, 120, 40, Options{}).until("i", "[Choices]")
	d.sees("1 × $.total NumericGreaterThan 0 → Yes", `$.total is "129.90", a string and not a number`,
		"2 × Not → Yes", "✓ $.vip IsPresent true: is false", "3 × $.vip BooleanEquals true → Yes", "no rule holds: Default → No")
}

func TestAnswerAMissingTask(t *testing.T) {
	d := drive(t, order(t), 100, 30, Options{})
	d.press("c").sees("WAITING for a result", "What does Fulfil/Branches[0]/ReserveStock return?", `"id": "o-1042"`)
	d.press("ctrl+r").sees(`"id": "o-1042"`, "a suggestion").press("ctrl+r", "enter").sees("type a JSON value")
	d.press("{", "enter").sees("× line 1, column 2")
	d.press("esc").sees("The task is still waiting; x opens the question again.")
	d.press("s").sees("s: x answers the task that waits")
	d.press("x")
	for _, r := range `{"reservationId":"r-77","heldUntil":"2026-01-03T09:00:00Z"}` {
		d.press(string(r))
	}
	d.press("enter").sees("What does Fulfil/Branches[1]/NotifyCustomer return?") // the run has gone on to the next question
	d.press("tab", "M", "a", "i", "l", "tab", "n", "o", "enter")
	d.sees("What does PackLines/Iterations[0]/PickLine return?")
	d.press("esc", "3", "/", "E", "r", "r", "o", "r", "C", "a", "enter", "N").sees("Mail")
}

func TestAnswerOverSeveralLines(t *testing.T) {
	d := drive(t, order(t), 100, 30, Options{}).press("c")
	d.press("{", "ctrl+j").sees("│ {")
	d.paste("\"reservationId\": \"r\",\n\"heldUntil\": 1}\n")
	d.press("enter").sees("NotifyCustomer return?")
}

func TestClockByHand(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{})
	d.press("a").sees("a: no timer is pending")
	d.press("t", "t", "t").sees("Clock: manual")
	d.press("c").sees("WAITING for a timer", "next t+0.35s ValidateOrder task result")
	d.press("a").sees("TaskSucceeded", "t+0.35s")
	d.until("c", "WAITING for a timer").press("a")
	d.until("c", "next t+4.35s ChargeCard retry").sees("2s x 2^0 = 2s")
	d.press("A", "5", "0", "0", "m", "s", "enter").sees("The next timer is due in 1.5s", "t+2.85s")
	d.press("A", "x", "enter").sees("A time is a number with a unit")
	d.press("A", "1", "h", "enter").sees("The clock advanced 1h00m00s: 1 retry began, 1 task answered,", "t+1h00m02s") // over two timers
}

func TestPacedClock(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{})
	d.press("t", "t").sees("clock: x60")
	d.press("c").sees("RUNNING with the clock")
	u := d.app.ui
	generation, at := u.run.ticks, startTime
	d.tick(at, generation)
	at = at.Add(100 * time.Millisecond) // six seconds on the clock: ValidateOrder has long answered
	d.tick(at, generation)
	d.sees("AwaitSettlement › ", "RUNNING with the clock", "any key stops the run")
	d.press("p").sees("INTERRUPTED")
	before := u.session.Now()
	d.tick(at.Add(time.Hour), generation) // a late tick of the command that was stopped
	if !u.session.Now().Equal(before) {
		t.Error("a tick of an old command moved the clock")
	}
}

func TestARunThatGoesOnCanBeStopped(t *testing.T) {
	app := shown(session(t, loop, `{}`, nil), Options{})
	app.Resize(80, 24)
	app.Press(tuitest.Key("c"))
	for range 3 {
		if !app.ui.goesOn {
			t.Fatal("the run does not ask to continue")
		}
		app.Advance()
	}
	if !strings.Contains(app.Text(), "RUNNING") {
		t.Errorf("the screen does not say that it runs:\n%s", app.Text())
	}
	app.Press(tuitest.Key("esc"))
	if !strings.Contains(app.Text(), "INTERRUPTED") {
		t.Errorf("the screen does not say that it was stopped:\n%s", app.Text())
	}
	before := app.ui.session.Log().Len()
	app.Advance() // one that was under way
	if after := app.ui.session.Log().Len(); after != before {
		t.Errorf("the run went on from %d to %d events", before, after)
	}
}

func TestARunWithoutEndAsksWhetherToGoOn(t *testing.T) {
	d := drive(t, session(t, loop, `{}`, nil), 100, 24, Options{}).press("c")
	stopped := d.app.ui.session.Log().Len()
	d.press("d", "d", "d").sees("PAUSED after 1,000,000 events", "1,000,000 events without an end: possibly an infinite loop. c continues.")
	d.press("c").sees("PAUSED after 1,000,000 events")
	if more := d.app.ui.session.Log().Len() - stopped; more < longCommand {
		t.Errorf("going on brought %d events", more)
	}
}

func TestLookBackAtAnEvent(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).until("i", "[Choices]")
	d.press("3", "up", "up").sees("VIEWING event 6 of 9", "[ResultPath]") // the telling stage of the folded visit
	d.press("right", "down", "down", "down", "down").sees("VIEWING event 6 of 9", "[ResultPath]", `+   "validation": {`)
	d.press("d", "d", "d", "2", "end").sees("[after]", `"currency": "EUR"`)
	d.press("esc").sees("PAUSED", "PaymentDue › Choices")
	d.press("3", "home").sees("VIEWING event 1 of 9").press("i", "i").sees("VIEWING event 3 of 9") // steps begin at the event on the screen
	if got := d.app.ui.session.Log().Len(); got != 9 {
		t.Errorf("there are %d events, want 9", got)
	}
	d.press("esc").sees("PAUSED", "PaymentDue › Choices").press("i").sees("PaymentDue › output")
	d.press("1", "up", "up", "enter")
	d.sees("VIEWING event 7 of 10")
}

func TestEndScreens(t *testing.T) {
	d := drive(t, session(t, `{"StartAt":"A","States":{"A":{"Type":"Wait","Seconds":90,"End":true}}}`, `{"n":1}`, nil), 80, 24, Options{})
	d.press("c").sees("✓ SUCCEEDED", "The execution succeeded with this output.", "of virtual time; r starts again", "t+1m30s")
	d.press("s").sees("s: the run is over; r starts again")
	d = drive(t, session(t, `{"StartAt":"A","States":{"A":{"Type":"Fail","Error":"My.Error","Cause":"because"}}}`, `{}`, nil), 80, 24, Options{})
	d.press("c").sees("× FAILED in A: My.Error", "× FAILED in A with My.Error", "because", "r starts again")
	d.press("r").sees("Restarted", "READY")
}

func TestHelpShowsEveryKey(t *testing.T) {
	d := drive(t, order(t), 120, 150, Options{}).press("?").sees("▸c, F5, C", ":toggle-breakpoint", "nothing has run yet")
	for _, e := range Keys().Surface() {
		d.sees(canvas.Fit(e.AllShown(), 10, ""))
	}
	for _, b := range Keys().Bindings() {
		if len(b.Keys) == 0 {
			d.sees(canvas.Fit(b.Usage(), 26, ""))
		}
	}
	d.typed("break here").press("esc").sees("READY")
}

func TestFind(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).until("i", "[ResultPath]")
	d.press("1", "/", "p", "a", "c", "k", "enter")
	if got := d.app.ui.states.Selected().Name; got != "PackLines" {
		t.Errorf("found %q", got)
	}
	d.press("R").sees("WAITING for a result") // before it comes there, a task asks
	d.press("esc", "3", "/", "z", "z", "z", "enter").sees("Not found: zzz")
}

func TestMouse(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).opened().until("i", "[Choices]")
	place := d.app.ui.layout.places.Panes[view.Drawer]
	d.click(place.X+5, place.Y+2)
	d.sees("VIEWING event 6 of 9", "▸2 t+0s      ✓ ▹ ValidateOrder")
	d.click(place.X+5, place.Y+2) // again: it opens
	d.sees("VIEWING event 2 of 9", "▸2 t+0s      ✓ ▿ ValidateOrder")
	d.wheel(place.X+5, place.Y+1, 1)
	d.sees("VIEWING event 5 of 9")
}

func TestASCII(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{ASCII: true})
	for _, key := range []string{"b", "s", "s", "i", "s", "i", "i", "i", "i", "i", "?", "esc", "c", "esc", "B", "esc", "3", "up", "up", "r"} {
		d.press(key)
		for _, r := range d.frame() {
			if r > 0x7e {
				t.Fatalf("after %q the screen shows %q:\n%s", key, r, d.frame())
			}
		}
	}
}

func TestNames(t *testing.T) {
	s := session(t, `{"StartAt":"日本\u202e語","States":{"日本\u202e語":{"Type":"Pass","End":true}}}`, `{"k\u0007":"\u202e\u0000👩‍👧"}`, nil)
	d := drive(t, s, 80, 24, Options{}).press("i", "i")
	for _, r := range d.frame() {
		if r < ' ' && r != '\n' || r == '\u202e' {
			t.Fatalf("the frame holds %q", r)
		}
	}
	d.sees("日本<U+202E>語", `"k\u0007"`, "\\u202e\\u0000👩\u200d👧")
}

func TestEverySizeAndAnyKeys(t *testing.T) {
	var names []string
	for _, b := range keys.Default().Bindings() {
		for _, key := range b.Keys {
			if b.Action != keys.Kill {
				names = append(names, key)
			}
		}
	}
	names = append(names, "{", "}", "1", "E")
	rapid.Check(t, func(rt *rapid.T) {
		d := drive(t, order(t), rapid.IntRange(1, 130).Draw(rt, "w"), rapid.IntRange(1, 50).Draw(rt, "h"), Options{})
		for range rapid.IntRange(1, 40).Draw(rt, "presses") {
			if rapid.IntRange(0, 9).Draw(rt, "resize") == 0 {
				d.resize(rapid.IntRange(1, 130).Draw(rt, "w"), rapid.IntRange(1, 50).Draw(rt, "h"))
			}
			d.press(rapid.SampledFrom(names).Draw(rt, "key"))
			d.frame()
		}
	})
}

func TestTooSmall(t *testing.T) {
	d := drive(t, order(t), 39, 9, Options{})
	d.sees("asldb needs 40x10 cells")
	d.resize(40, 10)
	d.sees("READY", "Nothing has run yet.")
	d = drive(t, order(t), 1, 1, Options{})
	if got := d.frame(); got != "…" {
		t.Errorf("a screen of one cell shows %q", got)
	}
}

// Keys can come before the terminal has said its size.
func TestKeysBeforeTheSize(t *testing.T) {
	for _, b := range keys.Default().Bindings() {
		for _, name := range b.Keys {
			s := order(t)
			if _, err := s.Do(debug.Command{Kind: debug.StepStage}); err != nil {
				t.Fatal(err)
			}
			d := &driver{t: t, app: shown(s, Options{Title: "order"})}
			for _, key := range []string{name, "tab", "e"} {
				if got := d.press(key).frame(); got != "…" {
					t.Errorf("after %s and %s a screen without a size shows %q", name, key, got)
				}
			}
			d.resize(80, 24).sees("order")
		}
	}
}

func TestASourceThatFails(t *testing.T) {
	s := debug.New(machine(t, "x", []byte(`{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","End":true}}}`)), debug.Options{
		Input: value.Must(`{}`), Start: startTime, Source: failing{},
	})
	drive(t, s, 100, 30, Options{}).press("c").sees("PAUSED: no result for the task", "the file is broken")
}

var errBroken = errors.New("the file is broken")

type failing struct{}

func (failing) Ask(outcome.Ask) outcome.Reply { return outcome.Fault(errBroken) }

func (failing) Seek([]outcome.Ask) []outcome.Ask { return nil }
