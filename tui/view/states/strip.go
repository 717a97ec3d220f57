package states

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/internal/wording"
	"asldb/tui/part/widget"
)

// stripCells is the number of signs in a strip.
const stripCells = 16

// strip is the text above a Map state's processor: the iteration that is shown, a sign for each iteration, or for
// several the one that needs most attention, and how many there are of each.
func (r *runMarks) strip(state *asl.State, list *runlog.InsideList) string {
	n, g := list.Len(), r.pane.screen.Glyphs()
	if n == 0 {
		return ""
	}
	var counts [len(attention)]int
	for _, in := range list.All() {
		counts[in.State]++
	}
	index, shown := r.index(state)
	shown = shown && index < n
	number := ""
	if shown {
		number = "#" + wording.Grouped(index) + " "
	}
	var tallies []string
	for _, in := range [...]runlog.InsideState{runlog.Succeeded, runlog.Failed, runlog.Running, runlog.Aborted, runlog.NotStarted} {
		if counts[in] > 0 {
			sign, _ := widget.Sign(in, g)
			tallies = append(tallies, sign+wording.Grouped(counts[in]))
		}
	}
	tally := strings.Join(tallies, " ")
	signs := r.signs(list, index, shown)
	if n > stripCells { // the numbers tell more, and a narrow box cuts at the end
		return number + tally + "  " + signs
	}
	return number + signs + "  " + tally
}

// signs are the signs of a strip; the sign of the iteration that is shown is in brackets.
func (r *runMarks) signs(list *runlog.InsideList, index int, shown bool) string {
	var b strings.Builder
	n := list.Len()
	cells := min(n, stripCells)
	for cell := range cells {
		from, to := cell*n/cells, (cell+1)*n/cells
		worst := list.At(from).State
		for i := from + 1; i < to; i++ {
			if in := list.At(i).State; attention[in] > attention[worst] {
				worst = in
			}
		}
		glyph, _ := widget.Sign(worst, r.pane.screen.Glyphs())
		if shown && from <= index && index < to {
			glyph = "[" + glyph + "]"
		}
		b.WriteString(glyph)
	}
	return b.String()
}

// attention says which of several iterations a sign represents: the one with the highest number.
var attention = [...]int{runlog.Succeeded: 0, runlog.NotStarted: 1, runlog.Aborted: 2, runlog.Running: 3, runlog.Failed: 4}
