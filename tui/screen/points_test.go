package screen

import (
	"errors"
	"testing"

	"asldb/tui/view/dialog"
)

// cleared empties the line of a prompt.
func (d *driver) cleared() *driver {
	d.press("end")
	for range 80 {
		d.press("backspace")
	}
	return d
}

func TestLogpointsWriteMessages(t *testing.T) {
	d := drive(t, order(t), 120, 40, Options{})
	d.press("U").typed("ChargeCard:ResultPath log paid {$.payment.amount} of {$.validation.total}").press("enter").sees("Logpoint set")
	d.press("c", "esc", "B").sees("→ paid 129.90 of 129.90", "Messages of logpoints", "event 21  paid 129.90")
}

// memory is a store in memory.
type memory struct {
	kept  SavedSetup
	times int
	err   error
}

func (m *memory) Save(k SavedSetup) error {
	m.kept = k
	m.times++
	return m.err
}

func TestWhatIsSetUpIsKept(t *testing.T) {
	m := &memory{}
	d := drive(t, order(t), 120, 40, Options{Setups: m})
	d.press("b")
	d.press("w").cleared().typed("$.order").press("enter")
	if len(m.kept.Breakpoints) != 1 || len(m.kept.Watches) != 1 {
		t.Errorf("kept %+v", m.kept)
	}
	d.press("B", " ").press("esc")
	if !m.kept.Breakpoints[0].Disabled {
		t.Error("what is switched off is kept as on")
	}
	if lines := m.kept.History["EXPRESSION"]; len(lines) != 1 || lines[0] != "$.order" {
		t.Errorf("the prompts' history is kept as %q", m.kept.History)
	}
	again := drive(t, order(t), 120, 40, Options{History: m.kept.History}).press("w", "up")
	again.sees("Watch: $.order")
	m.err = errors.New("the disk is full")
	d.press("E").sees("Setup not saved: the disk is full")
}

func TestDataAreEdited(t *testing.T) {
	d := drive(t, order(t), 120, 40, Options{})
	d.press("e").sees("━ The input ━").press("esc")
	d.until("i", "[ResultPath]")
	d.press("e").sees("Edit the data of ValidateOrder after ResultPath", "✓ object", "ctrl+s applies it")
	d.press("{").sees("× line 1, column 2").press("ctrl+z").sees("✓ object")
	d.press("x", "esc").sees("brings back what you typed").press("e").sees("× line 1, column 1").press("ctrl+z")
	d.press("ctrl+s").sees("No changes made.")
	d.press("e")
	d.app.ui.dialog.(*dialog.Edit).SetText(`{"validation":{"valid":true,"currency":"EUR","total":1}}`)
	d.press("ctrl+s").sees("Edited. The next stage reads this.", "DataEdited", "edited manually", "manual")
	d.press("i", "i", "i").sees("PaymentDue")
	if got := d.app.ui.saving.unsaved(); d.app.ui.keys.Has(0) && len(got) == 0 {
		t.Error("the edit is not among what is unsaved")
	}
	if hand := d.app.ui.session.Origins().Interventions(); len(hand) != 1 {
		t.Errorf("by hand: %+v", hand)
	}
}

func TestInterventions(t *testing.T) {
	d := drive(t, order(t), 120, 40, Options{})
	d.until("i", "TaskScheduled")
	d.press("X").sees("Let ValidateOrder go otherwise", "the task has its answer already", "inject an error",
		"send a heartbeat", "time the task out")
	d.press("a").sees("The task has its answer already").press("e").sees("Error:", "States.Timeout")
	d.typed("Order.Bad by me").sees("The next step fails with Order.Bad, and the Cause by me").press("enter")
	d.sees("Injected manually: Order.Bad", "TaskFailed", "injected manually", "by me")
}

func TestHeartbeatAndTimeOutByHand(t *testing.T) {
	s := session(t, `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","HeartbeatSeconds":60,"Catch":[{"ErrorEquals":["States.Timeout"],"Next":"E"}],"End":true},
		"E":{"Type":"Succeed"}}}`, `{}`, nil)
	d := drive(t, s, 120, 40, Options{}).opened().press("c", "esc")
	d.press("X", "h").sees("Heartbeat sent for T", "sent manually")
	d.press("X", "t").sees("Timed out manually: T").press("i").sees("TaskTimedOut", "timed out manually")
	d.press("c").sees("SUCCEEDED")
}

func TestASuggestedAnswer(t *testing.T) {
	d := drive(t, order(t), 100, 40, Options{}).press("c")
	d.sees(`"reservationId": ""`, "a suggestion").press("right", "{").sees("× line 1, column").press("ctrl+z")
	d.press("ctrl+s").sees("NotifyCustomer return?")
	d.press("tab", "down").sees("error name  States.TaskFailed").press("down").sees("error name  States.Timeout")
}
