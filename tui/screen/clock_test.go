package screen

import (
	"testing"

	"asldb/tui/keys"
)

func (d *driver) types(text string) *driver {
	return d.paste(text)
}

// does carries out an action as its command with an argument does.
func (d *driver) does(a keys.Action, argument string) *driver {
	d.app.ui.do(a, argument)
	return d
}

const waits = `{"StartAt":"A","States":{"A":{"Type":"Wait","Seconds":30,"Next":"B"},"B":{"Type":"Wait","Seconds":60,"Next":"C"},
	"C":{"Type":"Wait","Seconds":600,"End":true}}}`

func TestAdvanceOverSeveralTimers(t *testing.T) {
	d := drive(t, session(t, waits, `{}`, nil), 120, 34, Options{}).press("t", "t", "t", "c",
		"A").types("2m").press("enter")
	d.sees("The clock advanced 2m00s: 2 waits ended,", "The next timer is due in 9m30s.", "t+2m00s",
		"PAUSED: the clock has moved")
	d.does(keys.ClockMode, "2026-01-01T09:11:00Z").sees("The clock advanced 9m00s: nothing happened.", "due in 30s",
		"t+11m00s")
	d.does(keys.ClockMode, "2026-01-01T09:00:00Z").sees("the clock cannot go back to 2026-01-01T09:00:00Z")
	d.does(keys.ClockMode, "+1h").sees("The clock advanced 30s of 1h00m00s: 1 wait ended,", "Then the run was over.")
	d.press("A").sees("the run is over")
}

func TestAdvancingStopsAtAQuestionAndABreakpoint(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).press("t", "t", "t", "c", "E", "A").types("1000h").press("enter")
	d.sees("The clock advanced 2.35s of 41d16h: 2 tasks answered,", "Then a breakpoint was hit.", "× Card.Timeout")
	d.press("A").types("1000h").press("enter").sees("ReserveStock return?")
}

func TestMoveToAChosenTimer(t *testing.T) {
	s := session(t, `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"A","States":{"A":{"Type":"Wait","Seconds":30,"End":true}}},
		{"StartAt":"B","States":{"B":{"Type":"Wait","Seconds":90,"End":true}}},
		{"StartAt":"C","States":{"C":{"Type":"Wait","Seconds":600,"End":true}}}]}}}`, `{}`, nil)
	d := drive(t, s, 200, 50, Options{}).press("t", "t", "t", "c")
	d.press("4").until("4", "[Timers 3]").sees("t+30s in 30s  [0] A Wait", "t+1m30s in 1m30s  [1] B Wait", "Seconds 90")
	d.press("down", "enter").sees("The clock advanced 1m30s: 2 waits ended,", "due in 8m30s")
	d.sees("t+10m00s in 8m30s  [2] C Wait", "[Timers 1]")
}
