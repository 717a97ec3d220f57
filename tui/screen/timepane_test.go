package screen

import (
	"strings"
	"testing"

	"asldb/tui/view"
)

// eventRows are the rows of the pane below the data.
func eventRows(d *driver) []string {
	place := d.app.ui.layout.places.Panes[view.Drawer]
	var rows []string
	for _, row := range strings.Split(d.frame(), "\n")[place.Y+1 : place.Y+place.H] {
		cells := []rune(row)
		rows = append(rows, string(cells))
	}
	return rows
}

func TestTimeAxisKeys(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).press("c", "esc", "T").sees("─ [Time]", "░░░«", "╱╱", "retry delay", "▸  ▷ [0] Fulfil")
	d.press("left").sees("VIEWING event 32 of 36").press("up").sees("VIEWING event 27 of 36", "▸")
	d.press("home").sees("VIEWING event 1 of 36").press("right", "right").sees("VIEWING event 3 of 36", "3 t+0s  ValidateOrder Parameters", "the visit: 0.35s")
	d.press("+").sees("a cell is 0.027s").press("-", "-").sees("This is as far as the time axis goes.")
	d.press(" ").sees("All of the time is drawn to scale.", "a cell is ")
	d.press(" ", "T").sees("━━ 3 [Events 36]", "▸ 3")
	d.press("T", "end").sees("▷ [0]").press("down").sees("▸  ▷ [1] Fulfil", "NotifyCustomer")
}
