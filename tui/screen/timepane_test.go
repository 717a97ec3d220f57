package screen

import (
	"strings"
	"testing"

	"asldb/engine/debug"
	"asldb/tui/pane"
)

// eventRows are the rows of the pane below the data.
func eventRows(d *driver) []string {
	place := d.app.ui.layout.places.panes[pane.Events]
	var rows []string
	for _, row := range strings.Split(d.frame(), "\n")[place.Y+1 : place.Y+place.H-1] {
		cells := []rune(row)
		rows = append(rows, string(cells[place.X+1:place.X+place.W-1]))
	}
	return rows
}

// Waits of 30 s, 60 s and 600 s on 59 cells: 690 s in 58 of them are a little less than 11.897 s, rounded up to the
// nanosecond. So the second begins in cell 2 (30 / 11.9 = 2.5), the third in cell 7 (90 / 11.9 = 7.6), and ends in
// cell 57, just before 58 cells are full; a bar ends before the cell in which the next one begins.
func TestBarsOfWaits(t *testing.T) {
	d := drive(t, session(t, waits, `{}`, nil), 120, 34, Options{}).press("c", "T", " ")
	rows := eventRows(d)
	if got, want := rows[0][11:], "A B    C"; strings.TrimRight(got, " ") != want {
		t.Errorf("the names are %q, want %q", got, want)
	}
	bars := strings.TrimSpace(string([]rune(rows[1])[11:]))
	if want := strings.Repeat("┄", 6) + "✓" + strings.Repeat("┄", 49) + "✓"; bars != want {
		t.Errorf("the bars are\n%q, want\n%q", bars, want)
	}
	d.sees("╵0s       ╵2m", "a cell is 11.896s")
}

func TestTimeAxisKeys(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).press("c", "esc", "T").sees("┏━ Time", "░░░↻", "╱╱", "3 threads", "[1] Fu")
	d.press("left").sees("LOOKING at event 32 of 36").press("up").sees("LOOKING at event 27 of 36", "▸  root")
	d.press("home").sees("LOOKING at event 1 of 36").press("right", "right").sees("LOOKING at event 3 of 36", "3 t+0s  ValidateOrder Parameters", "the visit: 0.35s")
	d.press("+").sees("a cell is 0.05s").press("-", "-").sees("This is as far as the time axis goes.")
	d.press(" ").sees("All of the time is drawn to scale.", "a cell is 1m")
	d.press(" ", "T").sees("┏━ Events", "▸ 3")
	d.press("T", "end").sees("▷ [0]").press("down").sees("▸▷ [1] Fu", "NotifyCustomer")
}

func TestPendingTimersAreAhead(t *testing.T) {
	s := session(t, waits, `{}`, nil)
	s.SetClock(debug.Clock{Mode: debug.ClockByHand})
	d := drive(t, s, 120, 34, Options{}).press("c", "T").sees("▷·········", "◷", "next ◷ t+30s in 30s  A Wait")
	d.press("a", "c").sees("next ◷ t+1m30s in 1m00s  B Wait")
}

func TestNoTimeHasPassed(t *testing.T) {
	drive(t, mapOf(t, 3), 120, 34, Options{}).press("T").sees("Nothing has happened yet.").press("c").sees("no time has passed", "4 threads", "root       │")
	two := session(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","End":true}}}`, `{}`, nil)
	drive(t, two, 120, 34, Options{}).press("c", "T").sees("root    ▓") // two visits in one cell
}
