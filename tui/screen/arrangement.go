package screen

import (
	"slices"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
	"asldb/tui/view/data"
	"asldb/tui/view/states"
)

// arrangement places the panes, and takes the mouse.
type arrangement struct {
	contract
	canvas *canvas.Canvas
	panes  [view.Count]view.Pane
	mode   Mode
	places Places
	mouse  mouse
	states *states.Pane
	data   *data.Pane
	leave  func() bool // leaves an execution that a task has started; false where there is none, or nothing to leave
	clear  func()      // removes the message from the bottom line
	first  func()      // is called when the screen has got its first size; it may be nil
}

// focusBindings change which pane has the focus, how much of the screen it has, and which event is looked at.
func (ar *arrangement) focusBindings() view.Bindings {
	zoom := plainly(func() { ar.zoom(!ar.mode.Zoom) })
	list := view.Bindings{
		{Action: keys.Look, Run: zoom},
		{Action: keys.Zoom, Run: zoom},
		{Action: keys.Now, Run: plainly(ar.now)},
		{Action: keys.FocusNext, Run: plainly(func() { ar.focus((ar.mode.Focus + 1) % view.Count) })},
		{Action: keys.FocusPrevious, Run: plainly(func() { ar.focus((ar.mode.Focus + view.Count - 1) % view.Count) })},
		{Action: keys.FocusData, Run: plainly(func() { ar.focus(view.Data) })},
		{Action: keys.FocusGraph, Run: plainly(func() { ar.focus(view.States) })},
		{Action: keys.FocusEvents, Run: plainly(func() { ar.focus(view.Events) })},
	}
	return list
}

// now goes to the newest event; from there it ends the zoom, and leaves an execution that a task started.
func (ar *arrangement) now() {
	ar.data.ClearSearch()
	if ar.leave() {
		return
	}
	switch {
	case ar.u.aside:
	case earlier(ar.contract):
		ar.Session().GoTo(ar.Log().Len())
	case ar.mode.Zoom:
		ar.zoom(false)
	}
	ar.Sync()
}

// dividerStep is by how many cells a key moves a divider to the side.
const dividerStep = 2

func (ar *arrangement) dividerBindings() view.Bindings {
	var list view.Bindings
	for _, move := range []struct {
		action  keys.Action
		by      int
		upright bool
	}{
		{keys.DividerLeft, -dividerStep, true}, {keys.DividerRight, dividerStep, true}, {keys.DividerUp, -1, false}, {keys.DividerDown, 1, false},
	} {
		list = append(list, view.Binding{
			Action: move.action,
			Run: plainly(func() {
				if l := ar.places.LineBeside(ar.mode.Focus, move.upright); l != nil {
					ar.moveLine(l, l.At+move.by)
				}
			}),
			Disabled: func() string {
				if len(ar.places.Lines) == 0 {
					return "only one pane is on the screen"
				}
				return ""
			},
		})
	}
	return list
}

// moveBindings move the selection of the focused pane, or scroll it.
func (ar *arrangement) moveBindings() view.Bindings {
	by := func(rows, cells int) func(string) { return plainly(func() { ar.focused().Move(rows, cells) }) }
	pages := func(n int) func(string) {
		return plainly(func() { ar.focused().Move(n*max(ar.focused().Page()-1, 1), 0) })
	}
	return view.Bindings{
		{Action: keys.Up, Run: by(-1, 0)}, {Action: keys.Down, Run: by(1, 0)},
		{Action: keys.PageUp, Run: pages(-1)}, {Action: keys.PageDown, Run: pages(1)},
		{Action: keys.Top, Run: by(-widget.Far, 0)}, {Action: keys.Bottom, Run: by(widget.Far, 0)},
		{Action: keys.Left, Run: by(0, -8)}, {Action: keys.ScrollLeft, Run: by(0, -8)},
		{Action: keys.Right, Run: by(0, 8)}, {Action: keys.ScrollRight, Run: by(0, 8)},
	}
}

func (ar *arrangement) resize(w, h int) {
	if width, height := ar.canvas.Size(); width != w || height != h {
		ar.canvas.Resize(w, h)
		ar.mode.Needs = [view.Count]int{}
	}
	ar.place()
	if first := ar.first; first != nil {
		ar.first = nil
		first()
	}
}

// place arranges the panes by their needs.
func (ar *arrangement) place() {
	w, h := ar.canvas.Size()
	needs := ar.mode.Needs
	ar.mode.Fresh = ar.Log().Len() == 0
	ar.mode.Drawing, ar.mode.Needs = 0, [view.Count]int{}
	ar.places = Of(w, h, ar.mode)
	ar.fitGraph(w, h)
	if ar.mode.Zoom || ar.mode.Lines[Lower] != 0 || ar.places.TooSmall {
		ar.mode.Needs = needs
		return
	}
	for p, place := range ar.places.Panes {
		if !place.Empty() {
			need := min(ar.panes[p].Need(place.W-2, place.H-2), view.Plenty)
			if p == int(view.Data) {
				need = (need + needStep - 1) / needStep * needStep
			}
			if p != int(view.States) { // whose need is the same all the time
				need = max(need, needs[p])
			}
			needs[p] = need
		}
	}
	ar.mode.Needs = needs
	ar.places = Of(w, h, ar.mode)
	ar.fitGraph(w, h)
}

// needStep is by how many rows the need of the data grows: they change with each step.
const needStep = 4

// fitGraph gives the graph the width of its drawing.
func (ar *arrangement) fitGraph(w, h int) {
	if w < WideWidth || ar.mode.Zoom || ar.mode.Lines[Graph] != 0 {
		return
	}
	if upper := ar.places.Panes[view.States]; !upper.Empty() {
		ar.mode.Drawing = ar.states.Width(MostDrawing(w), upper.H-2)
		ar.places = Of(w, h, ar.mode)
	}
}

// settle arranges the panes anew where one needs more rows than before.
func (ar *arrangement) settle() {
	if ar.mode.Zoom || ar.mode.Lines[Lower] != 0 || ar.places.TooSmall {
		return
	}
	if ar.mode.Fresh != (ar.Log().Len() == 0) {
		ar.place()
		return
	}
	for p, place := range ar.places.Panes {
		if !place.Empty() && p != int(view.States) && ar.panes[p].Need(place.W-2, place.H-2) > ar.mode.Needs[p] && ar.mode.Needs[p] < view.Plenty {
			ar.place()
			return
		}
	}
}

func (ar *arrangement) setMode(m Mode) {
	ar.mode = m
	ar.resize(ar.canvas.Size())
}

// focus moves the focus; a pane that is not on the screen comes onto it where the arrangement can.
func (ar *arrangement) focus(p view.ID) {
	m := ar.mode
	m.Focus = p
	ar.setMode(m)
}

func (ar *arrangement) zoom(on bool) {
	m := ar.mode
	m.Zoom = on
	ar.setMode(m)
}

func (ar *arrangement) focused() view.Pane { return ar.panes[ar.mode.Focus] }

// arrange takes over the positions of the dividers and the focus that the user has configured.
func (ar *arrangement) arrange(a Arrangement) {
	ar.mode.Put(Graph, a.GraphWidth)
	ar.mode.Put(Lower, 100-a.LowerHeight)
	ar.mode.Put(Side, 100-a.SideWidth)
	if p := slices.Index([]string{"data", "graph", "events", "side"}, a.Focus); p >= 0 {
		ar.mode.Focus = view.ID(p)
	}
}
