package screen

import (
	"testing"

	"asldb/tui/dialog"
)

// u takes back an edit, and the run goes on as if it had not been made.
func TestUndoOnTheScreen(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).press("u").sees("u: no edit, answer or injection to undo (step-into has moved from u to >.)").until("s", "AwaitSettlement › input")
	d.press("S", "S").sees("PaymentDue › input").press("e")
	d.app.ui.dialog.(*dialog.Edit).SetText(`{"mine": true}`)
	d.press("ctrl+s").sees("Edited. The next stage reads this.", "DataEdited")
	d.press("u").sees("Undone: the edit after event 8. What-if 2 still has it: :what-ifs.", "VIEWING event 8 of 23, what-if 1")
	d.press("i").sees("PaymentDue › Choices")
	// An answer is taken back before the task has asked for it.
	d = drive(t, order(t), 120, 34, Options{}).press("c").sees("ReserveStock return?").press("ctrl+s")
	d.sees("NotifyCustomer return?").press("esc", "u").sees("Undone: the answer after event").press("c").sees("ReserveStock return?")
}

// ctrl+o goes back to where a jump began, alt+right forward again. Steps are no jumps.
func TestJumps(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).press("ctrl+o").sees("no earlier position").until("i", "[Choices]")
	d.press("ctrl+o").sees("no earlier position").press("3", "up", "up").sees("VIEWING event 6 of 9")
	d.press(":").typed("3").press("enter").sees("VIEWING event 3 of 9").press("home").sees("VIEWING event 1 of 9")
	d.press("ctrl+o").sees("VIEWING event 3 of 9").press("ctrl+o").sees("VIEWING event 6 of 9")
	d.press("alt+right").sees("VIEWING event 3 of 9").press("alt+right").sees("VIEWING event 1 of 9").press("alt+right").sees("no later position")
	d.press("esc").sees("PaymentDue › Choices").press("ctrl+o").sees("VIEWING event 1 of 9")
	d.press("esc", "c").sees("ReserveStock return?").press("esc", "ctrl+o").sees("VIEWING event 9 of 36")
}

func TestBookmarks(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).press("m").sees("nothing has run yet").until("i", "[Choices]")
	d.press("m").sees("Bookmark: event 9.", "¶").press("3", "home", ":").typed("bookmark the beginning").press("enter").sees("¶ the beginning")
	d.press("esc", ":").typed("bookmarks").press("enter").sees("1   ExecutionStarted", "the beginning", "9   PaymentDue Choices", "enter go to")
	d.press("enter").sees("VIEWING event 1 of 9").press("ctrl+o").sees("PaymentDue › Choices")
	d.press("m").sees("Bookmark removed: event 9.")
	d.press(":").typed("bookmarks").press("enter", "d").sees("PaymentDue › Choices").press(":").typed("bookmarks").press("enter").sees("no bookmarks; m sets one")
}
