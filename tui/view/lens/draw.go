package lens

import (
	"cmp"
	"strconv"

	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/tree"
	"asldb/tui/part/widget"
)

// Sizes of the parts.
const (
	stacked      = 60  // below it the list is above the graph
	narrowScreen = 100 // cells below which the list and the graph have a half each
	leastGraph   = 38  // cells of the graph, if it is drawn
	leastData    = 9   // rows of the data below the list
	highScreen   = 34  // rows from which on the data have a third at least
	mostData     = 24
)

// Draw implements [view.View].
func (v *View) Draw(f widget.Frame) {
	w, h := f.W(), f.H()-1
	f.Blank(canvas.Plain)
	f.Mouse(nil, v.rows.Move)
	if w < stacked {
		upper := max(h/2, 5)
		v.drawSteps(f.In(canvas.Rect{W: w, H: upper}))
		v.drawGraph(f.Area.Area(canvas.Rect{Y: upper, W: w, H: h - upper}))
	} else {
		left := v.graphWidth(w, h)
		graph, right := f.In(canvas.Rect{W: w, H: h}).Split(left)
		v.drawGraph(graph)
		v.layOut(listWidth(right.W()))
		below := v.dataHeight(h)
		if below > 0 {
			v.drawData(right.Area.Area(canvas.Rect{Y: h - below, W: right.W(), H: below}))
		}
		v.drawSteps(right.In(canvas.Rect{W: right.W(), H: h - below}))
	}
	v.drawHint(f.Row(h))
}

// dataHeight is the height of the data below the list in h rows: the rest beside the list, or a third of a high screen;
// 0 where that is too little.
func (v *View) dataHeight(h int) int {
	lines := 0
	for _, list := range v.lines {
		lines += len(list)
	}
	below := min(h-lines-1, max(mostData, h/2))
	if h >= highScreen {
		below = max(below, h/3)
	}
	if below < leastData || len(v.steps) == 0 {
		return 0
	}
	return below
}

// graphWidth is the width of the graph with its frame: as much as it needs, and the rest beside the list.
func (v *View) graphWidth(w, h int) int {
	most := w * 55 / 100
	if w < narrowScreen {
		most = w / 2
	}
	if need := v.sheet(most-2, h-1).Width(most-2, most-2, h-1); need > 0 {
		return max(min(need+2, most), leastGraph)
	}
	return max(min(v.railWidth()+2, w*48/100), 28)
}

// sheet is the graph for a view of w by h cells: the graph of all states where all of them have boxes in it, or where
// it is asked for.
func (v *View) sheet(w, h int) *graph.Sheet {
	if v.whole {
		return v.all
	}
	if d := v.all.Fit(w, h); d != nil && d.Shape.Density == graph.Boxes {
		if dw, dh := d.Size(); dw <= w && dh <= h {
			return v.all
		}
	}
	return v.ran
}

// railWidth is the width that the names of the states and their notes take in a list.
func (v *View) railWidth() int {
	need := 0
	for _, state := range v.ran.Model.States() {
		depth := 0
		for c := state.Scope.Container; c != nil; c = c.Scope.Container {
			depth += 2
		}
		need = max(need, depth+8+canvas.Width(state.Name)+canvas.Width(v.over.Mark(state).Note))
	}
	return need
}

func (v *View) drawSteps(f widget.Frame) {
	words, path := v.title()
	note := v.foot()
	room := f.W() - 8 - canvas.Width(words)
	title := "2 " + words + canvas.FitMiddle(path, max(min(room, 60), 8), f.Glyphs().Ellipsis)
	if rest := f.W() - 8 - canvas.Width(title); rest > 10 {
		title += " " + canvas.Fit(v.headline(rest-3), rest, f.Glyphs().Ellipsis)
	}
	f.Area = f.Area.Titled(canvas.Frame{
		Title: title, Border: canvas.BorderFocus, TitleStyle: canvas.Way, Focused: true, Note: note,
	})
	v.rows.Empty = "No later stage has read it."
	if v.search != nil {
		v.rows.Empty = ""
		f.Fit(1, f.H()-1, f.W()-2, canvas.Dim, note)
		f.Area = f.Area.Area(canvas.Rect{W: f.W(), H: f.H() - 1})
	}
	v.drawList(f)
}

func (v *View) drawGraph(area canvas.Area) {
	sheet := v.sheet(area.W(), area.H()-1)
	title := "1 States"
	if sheet == v.ran {
		title = "1 States that ran"
	}
	foot := strconv.Itoa(len(v.states)) + " of " + wording.Count(len(v.all.Model.States()), "state") + " on the way"
	inner := area.Titled(canvas.Frame{Title: title, Border: canvas.Border, TitleStyle: canvas.Title, Note: foot})
	over := v.over.Overlay
	if s := v.selected(); s != nil && s.Visit != nil {
		over.Selected = s.Visit.State
	}
	d := sheet.Fit(inner.W(), inner.H())
	if d == nil {
		list := sheet.Rail()
		if row := list.Row(over.Selected); row >= 0 {
			over.Selected = list.State(row)
			v.y = max(min(v.y, row-1), row-inner.H()+3)
		}
		v.y = max(0, min(v.y, list.Len()-inner.H()))
		list.Paint(inner, v.y, &over)
		widget.Scrollbar(inner, v.y, list.Len())
		return
	}
	n := &d.Nodes()[0]
	if over.Selected != nil {
		if n = d.Node(over.Selected); n != nil {
			over.Selected = n.State
		}
	}
	if n != nil {
		v.x, v.y = d.Reveal(n, v.x, v.y, inner.W(), inner.H())
	}
	drawn := v.over.In(d)
	drawn.Selected = over.Selected
	d.Paint(inner, v.x, v.y, drawn)
}

// drawData paints the data of the step at the cursor, with the value marked.
func (v *View) drawData(area canvas.Area) {
	title := "Data"
	s := v.selected()
	if s != nil && s.Event >= 0 {
		title = "Data of event " + strconv.Itoa(s.Event+1)
	}
	inner := area.Titled(canvas.Frame{Title: title, Border: canvas.Border, TitleStyle: canvas.Title})
	if s == nil || s.Event < 0 {
		return
	}
	if v.treeOf != v.rows.Cursor {
		v.treeOf, v.tree, v.row = v.rows.Cursor, nil, -1
		event := v.log().At(s.Event)
		data := cmp.Or(event.After, event.Before)
		switch {
		case event.Before != nil && event.After != nil && !value.Equal(event.Before, event.After):
			v.tree = tree.OfDifference(event.Before, event.After, tree.Unified, tree.Usual)
		case data != nil:
			v.tree = tree.OfValue(data, tree.Usual)
		}
		if v.tree != nil {
			v.row = v.rowOf(s.Path)
		}
	}
	if v.tree == nil {
		inner.Fit(1, 0, inner.W()-2, canvas.Dim, "This event has no data.")
		return
	}
	top := max(0, min(v.row-inner.H()/2, v.tree.Len()-inner.H()))
	for y := 0; y < inner.H() && top+y < v.tree.Len(); y++ {
		v.tree.Draw(inner.Area(canvas.Rect{X: 1, W: inner.W() - 2, H: inner.H()}), y, top+y, 0, "")
		if top+y == v.row {
			inner.Text(0, y, canvas.Way, inner.Glyphs().Pointer)
			inner.Mark(y)
		}
	}
	widget.Scrollbar(inner, top, v.tree.Len())
}

// rowOf returns the row of a path in the data, the row of the first change where no path is given, -1 where it is not
// there.
func (v *View) rowOf(path string) int {
	if path == "" {
		if v.loss != nil && v.loss.HadPath != "" {
			if row, there := v.tree.Reveal(v.loss.HadPath); there {
				return row
			}
		}
		if v.tree.Differs() {
			return v.tree.FirstChange()
		}
		return -1
	}
	if row, there := v.tree.Reveal(path); there {
		return row
	}
	return -1
}

// drawHint paints the keys.
func (v *View) drawHint(row canvas.Area) {
	graph.DrawHints(row, v.hints(), graph.Hint{v.screen.Keys().Key(keys.Help), "keys"})
}

// hints are the keys.
func (v *View) hints() []graph.Hint {
	key := v.screen.Keys().Key
	other, word := keyForward, "where it goes"
	if v.way != nil && v.way.Forward {
		other, word = keyBack, "where it comes from"
	}
	zoom := "all states"
	if v.whole {
		zoom = "states that ran"
	}
	return []graph.Hint{
		{key(keys.FindNext) + " " + key(keys.FindPrevious), "walk"}, {key(keys.Look), "go there"}, {other, word},
		{key(keys.ComesFrom), "close"}, {key(keys.Zoom), zoom}, {key(keys.Source), "definition"}, {key(keys.Copy), "copy the path"},
	}
}
