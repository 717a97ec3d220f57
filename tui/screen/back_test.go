package screen

import (
	"strconv"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
)

// Back goes the way that forward went, and forward from there executes nothing anew.
func TestGoingBackOnTheScreen(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).until("s", "AwaitSettlement › input")
	s := d.app.ui.session
	end := s.Log().Len()
	d.press("S").sees("ChargeCard › input", "VIEWING event 11 of 23", "▶ ChargeCard")
	d.press("I").sees("PaymentDue › output", "VIEWING event 10 of 23")
	d.press("O").sees("PaymentDue › input", "VIEWING event 8 of 23")
	d.press("C").sees("READY", "Nothing has run yet")
	d.press("I").sees("already at the start of the run")
	for s.Position() < end {
		d.press("i")
	}
	d.sees("AwaitSettlement › input", "PAUSED")
	if s.Log().Len() != end || len(s.Forks().All()) != 1 {
		t.Errorf("walking back and forth brought %d events and %d branches", s.Log().Len()-end, len(s.Forks().All()))
	}
}

// A branch begins where something else is said, and both can be shown, switched and compared.
func TestBranchesOnTheScreen(t *testing.T) {
	s := order(t)
	d := drive(t, s, 120, 34, Options{}).until("s", "AwaitSettlement › input")
	d.press("S", "S").sees("PaymentDue › input")
	edited := s.Log().At(s.Position()-1).After.(*value.Object).With("vip", value.Bool(true))
	if err := s.Interventions().Edit(0, edited); err != nil {
		t.Fatal(err)
	}
	d.app.ui.sync()
	d.until("s", "AwaitSettlement › input")
	d.press("L").sees("[What-ifs 2]", "1  the first run", "not over, 23 events",
		"2  PaymentDue with $.vip = true after ev")
	d.press("up", "d").sees("what-if 1 beside what-if 2", "▸+ ", "9 PaymentDue DataEdited")
	d.press("esc").sees("[Events 24]").press("L", "up", "enter").sees("This is what-if 1 of the run.",
		"VIEWING event 8 of 23, what-if 1")
	d.press("down", "enter").sees("This is what-if 2 of the run.", "AwaitSettlement")
}

// W goes to the event that changed a value last, H shows the way that it came.
func TestFollowAValueOnTheScreen(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).until("s", "AwaitSettlement › input")
	s := d.app.ui.session
	d.press("2")
	if _, ok := d.app.ui.data.Find("ch_3PqL", 1); !ok {
		t.Fatalf("the data have no charge:\n%s", d.frame())
	}
	d.press("H").sees("Where it comes from: "+d.app.ui.data.Path(), "ResultPath: $.payment, from $.id of the",
		"ResultSelector/id.$: $.Payload.chargeId", "the task returned it, attempt 2")
	d.press("n", "n", "enter").sees("ChargeCard › Task", "VIEWING event")
	if got := d.app.ui.data.Path(); got != "$.Payload.chargeId" {
		t.Errorf("at the event the cursor is at %s", got)
	}
	d.press("H").sees("Where it comes from: $.Payload.chargeId").press("H")
	if d.app.ui.dialog != nil {
		t.Error("the same key does not leave")
	}
	s.GoTo(s.Log().Len())
	d.app.ui.sync()
	d.until("I", "ChargeCard › ResultSelector").press("2")
	d.app.ui.data.Find("ch_3PqL", 1)
	d.press("H").sees("Lost: $.Payload.chargeId", "the task returned it").press("esc") // removed by this stage
	d.app.ui.data.Find("ch_3PqL", 1)
	d.press("W").sees("This event last changed $.id", "$.id was taken from $.Payload.chargeId")
}

// A recording says that it is one, can be walked over, and refuses changes.
func TestReplayOnTheScreen(t *testing.T) {
	live := order(t)
	for range 30 {
		if _, err := live.Do(debug.Command{Kind: debug.StepStage}); err != nil {
			t.Fatal(err)
		}
	}
	var recording debug.Recording
	for event := range live.Log().All() {
		recording.Events = append(recording.Events, *event)
	}
	for i := range live.Inputs().Len() {
		recording.Inputs = append(recording.Inputs, *live.Inputs().At(i))
	}
	options := live.Options()
	options.Source = nil
	s, divergence := debug.Replay(live.Machine(), options, recording)
	if divergence != nil {
		t.Fatal(divergence)
	}
	d := drive(t, s, 120, 34, Options{})
	d.sees("REPLAY READY")
	d.press("s", "s").sees("REPLAY VIEWING event 8 of "+strconv.Itoa(len(recording.Events)), "PaymentDue › input")
	d.press("c").sees("REPLAY END of recording")
	d.press("c").sees("nothing more was recorded")
	for _, key := range []string{"e", "X", "x", "A", "u"} {
		d.press(key).sees("a recorded run cannot be changed; :what-ifs, then e makes it live")
	}
	d.press("r").sees("Back at the beginning of the recording.", "READY")
	d.press("s", "L").sees("e make it live").press("e").sees("The run is live")
	if s.ReadOnly() {
		t.Error("it is still a replay")
	}
	if s.Log().Len() != len(recording.Events) {
		t.Errorf("the recording has %d events, had %d", s.Log().Len(), len(recording.Events))
	}
}

// The dialogs of going back fit every screen.
func TestBackDialogsFit(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {200, 50}} {
		for _, ascii := range []bool{false, true} {
			s := order(t)
			d := drive(t, s, size[0], size[1], Options{ASCII: ascii})
			for range 25 {
				d.press("i")
			}
			s.GoTo(5)
			if err := s.Interventions().AnswerOtherwise(1, engine.Outcome{Error: "Other"}); err != nil {
				t.Fatal(err)
			}
			d.app.ui.sync()
			d.press("i", "i", "i")
			for _, keys := range [][]string{{"L"}, {"L", "up", "d"}, {"2", "H"}, {"2", "W"}} {
				d.press(keys...).frame()
				d.press("down", "pgdown").frame()
				d.press("esc").frame()
			}
		}
	}
}

// At the end of a run a result can be changed with four keys and the change: x, enter, the change, enter. The list has
// the cursor on the last one, the what-if is named by the change and runs at once, and the comparison is at the first
// difference.
func TestTheLastAnswerAtTheEnd(t *testing.T) {
	const asks = `{"StartAt":"First","States":{"First":{"Type":"Task","Resource":"a","Next":"Last"},
		"Last":{"Type":"Task","Resource":"b","Next":"Done"},"Done":{"Type":"Pass","End":true}}}`
	d := drive(t, session(t, asks, `{}`, nil), 120, 40, Options{})
	d.press("c").sees("What does First return?").typed(`1`).press("enter").sees("What does Last return?").typed(`{"n":5}`).press("enter", "c").sees("SUCCEEDED")
	d.press("x").sees("Change a result", "First", "▸ Last", `{"n":5}`).typed("fir").sees("▸ First").press("esc")
	d.press("x", "enter").sees("What does Last return?", `"n": 5`).press("esc")
	d.press("x", "enter").typed(`{"n":7}`).press("enter").sees("SUCCEEDED", "[Compare]", "▸~", "TaskSucceeded",
		"what-if 1 beside what-if 2")
	if got := d.app.ui.session.Log().Last().After; !value.Equal(got, value.Must(`{"n":7}`)) {
		t.Errorf("the run ended with %s", value.Compact(got))
	}
	if forks := d.app.ui.session.Forks().All(); len(forks) != 2 || forks[1].Cause != `Last returns {"n":7}` {
		t.Errorf("the what-ifs are %+v", forks)
	}
}

// At another state its own answer comes first: enter in the menu opens it.
func TestTheAnswerOfASelectedState(t *testing.T) {
	const asks = `{"StartAt":"First","States":{"First":{"Type":"Task","Resource":"a","Next":"Last"},"Last":{"Type":"Task","Resource":"b","End":true}}}`
	d := drive(t, session(t, asks, `{}`, nil), 120, 40, Options{})
	d.press("c").typed(`{"a":1}`).press("enter").typed(`2`).press("enter", "c").sees("SUCCEEDED")
	d.press("S", "S", "i",
		"i").sees("First ›").press("x").sees("Let First go otherwise").press("enter").sees("What does First return?",
		`"a": 1`)
}

// A task that was answered gets another answer from the menu, which begins a branch where it was asked.
func TestAnswerOtherwiseOnTheScreen(t *testing.T) {
	d := drive(t, order(t), 120, 40, Options{}).until("s", "AwaitSettlement › input")
	d.press("S").until("i", "ChargeCard › ResultPath")
	d.press("X").sees("let it have got another answer").press("o").sees("What does ChargeCard return?", "attempt 2")
	d.press("tab").typed("Card.Refused").press("enter").sees("ChargeCard › Task")
	branches := d.app.ui.session.Forks().All()
	if len(branches) != 2 || branches[1].Cause != "ChargeCard fails with Card.Refused" || !branches[1].Current {
		t.Fatalf("the branches are %+v", branches)
	}
	d.press("i").sees("Card.Refused")
	if failure := d.app.ui.session.Log().Last().Failure(); failure == nil || failure.Cause != "" {
		t.Errorf("it fails with %v, whose Cause was another error's", failure)
	}
}

// Choosing another thread after going back begins another branch of the run, which is shorter: the screen shows that
// one. The axis of time can be scaled before the first event.
func TestAShorterBranchIsShown(t *testing.T) {
	for _, pressed := range []string{"f10 S [ enter", "c esc O [ enter", "w $ enter f10 S [ enter", "T . O +",
		"T i I +"} {
		d := drive(t, order(t), 120, 34, Options{})
		for _, key := range strings.Fields(pressed) {
			d.press(key).frame()
		}
		if u := d.app.ui; u.selection.Index >= u.session.Log().Len() {
			t.Errorf("%s: event %d of %d is shown", pressed, u.selection.Index, u.session.Log().Len())
		}
	}
}
