package screen

import (
	"strings"
	"testing"

	"asldb/engine/breakpoint"
	"asldb/tui/keys"
	"asldb/tui/view/dialog"
)

// u takes back an edit, and the run continues as if it had not been made.
func TestUndoOnTheScreen(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).press("u").sees("u: no edit, answer, injection or redrive to undo").until("s", "AwaitSettlement › input")
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

// saves is a store that remembers what was saved.
type saves struct{ newest SavedSetup }

func (s *saves) Save(setup SavedSetup) error {
	s.newest = setup
	return nil
}

// Bookmarks come back in the next session with their notes; the ones at events that the new run does not have are listed
// as such.
func TestSavedBookmarks(t *testing.T) {
	store := &saves{}
	d := drive(t, order(t), 120, 34, Options{Setups: store}).until("i", "[Choices]").press("m", ":").typed("bookmark the rule").press("enter")
	d.press("3", "home", "m")
	saved := store.newest.Bookmarks
	if len(saved) != 2 || saved[1].Event != 9 || saved[1].Name != "PaymentDue Choices" || saved[1].Note != "the rule" || saved[0].Name != "ExecutionStarted" {
		t.Fatalf("saved: %+v", saved)
	}
	saved = append(saved, breakpoint.Bookmark{Event: 7, Name: "Gone StateExited", Note: "old"})
	d = drive(t, order(t), 120, 34, Options{Setups: store, Bookmarks: saved}).opened().press(":").typed("bookmarks").press("enter")
	d.sees("9   PaymentDue Choices, not reached yet", "the rule", "7   Gone StateExited, not reached yet").press("end", "enter")
	d.sees("Event 9, PaymentDue Choices, is not reached yet.").until("i", "[Choices]").sees("¶ the rule")
	d.press(":").typed("bookmarks").press("enter").sees("9   PaymentDue Choices ", "Gone StateExited, not in this run").press("esc", "m")
	if saved = store.newest.Bookmarks; len(saved) != 2 || saved[1].Name != "Gone StateExited" || saved[1].Note != "old" {
		t.Errorf("after one was removed: %+v", saved)
	}
}

// A bookmark in a folded visit is seen on its row.
func TestBookmarkInAFoldedVisit(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).until("i", "[Choices]").press("m").until("s", "AwaitSettlement").press("3", "home")
	d.does(keys.GraphSmaller, "")
	for _, line := range strings.Split(d.frame(), "\n") {
		if strings.Contains(line, "▹ PaymentDue") != strings.Contains(line, "¶") {
			t.Errorf("the sign of the bookmark: %s", line)
		}
	}
}

func TestBookmarks(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).opened().press("m").sees("nothing has run yet").until("i", "[Choices]")
	d.press("m").sees("Bookmark: event 9.", "¶").press("3", "home", ":").typed("bookmark the beginning").press("enter").sees("¶ the beginning")
	d.press("esc", ":").typed("bookmarks").press("enter").sees("1   ExecutionStarted", "the beginning", "9   PaymentDue Choices", "enter go to")
	d.press("enter").sees("VIEWING event 1 of 9").press("ctrl+o").sees("PaymentDue › Choices")
	d.press("m").sees("Bookmark removed: event 9.")
	d.press(":").typed("bookmarks").press("enter", "d").sees("PaymentDue › Choices").press(":").typed("bookmarks").press("enter").sees("no bookmarks; :bookmark sets one")
}
