package screen

import (
	"slices"
	"strconv"

	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/data"
	"asldb/tui/view/states"
)

// arrangement places the panes, and takes the mouse.
type arrangement struct {
	contract
	w, h   int // of the screen, in cells
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
		{Action: keys.FocusData, Run: ar.story},
		{Action: keys.FocusGraph, Run: plainly(ar.graph)},
		{Action: keys.FocusEvents, Run: plainly(func() { ar.focus(view.Drawer) })},
	}
	return list
}

// graph gives the states the focus. Of a waiter it then turns to the states that it was made into, and back.
func (ar *arrangement) graph() {
	if m := ar.u.states.Polls; m != nil && ar.mode.Focus == view.States {
		m.Compiled = !m.Compiled
		ar.Refresh()
	}
	ar.focus(view.States)
}

// story gives the story the focus. A name selects the state that it means.
func (ar *arrangement) story(name string) {
	if name != "" {
		state := view.StateOf(ar.Session().Machine().Definition(), name)
		if state == nil {
			ar.Say(canvas.Bad, strconv.Quote(name)+" names no state.")
			return
		}
		ar.states.Glance(state)
	}
	ar.focus(view.Data)
}

// now goes to the newest event; from there it ends the zoom, closes the drawer, and leaves an execution that a task
// started.
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
	case ar.places.Panes[view.Drawer].H > 1:
		ar.closeDrawer()
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
				switch {
				case ar.places.LineBeside(ar.mode.Focus, move.upright) != nil:
					return ""
				case !move.upright && !ar.places.Panes[view.Drawer].Empty() && ar.mode.Focus != view.Drawer:
					return "the drawer is closed; " + ar.Key(keys.FocusEvents) + " opens it"
				}
				return "only one pane is on the screen"
			},
		})
	}
	return list
}

// moveBindings move the selection of the focused pane, or scroll it.
func (ar *arrangement) moveBindings() view.Bindings {
	actions := []keys.Action{
		keys.Up, keys.Down, keys.PageUp, keys.PageDown, keys.Top, keys.Bottom,
		keys.Left, keys.ScrollLeft, keys.Right, keys.ScrollRight,
	}
	return value.Each(actions, func(a keys.Action) view.Binding {
		return view.Binding{Action: a, Run: plainly(func() { ar.focused().Handle(keys.Press{Action: a}) })}
	})
}

func (ar *arrangement) size() (w, h int) { return ar.w, ar.h }

func (ar *arrangement) resize(w, h int) {
	ar.w, ar.h = max(w, 1), max(h, 1)
	ar.place()
	if first := ar.first; first != nil {
		ar.first = nil
		first()
	}
}

// place arranges the panes; the graph beside the story has the width of its drawing.
func (ar *arrangement) place() {
	w, h := ar.w, ar.h
	ar.mode.Fresh, ar.mode.Drawing = ar.Log().Len() == 0, 0
	if w >= WideWidth && h >= wideHeight && !ar.mode.Zoom && ar.mode.Lines[Graph] == 0 {
		ar.mode.Drawing = ar.states.Width(MostDrawing(w), w-leastStory-graphFrame, h-titles)
	}
	ar.places = Of(w, h, ar.mode)
}

// titles are the rows of a screen that no drawing of the graph has: the status, the titles of the panes, the hints.
const titles = 4

// settle rearranges the panes once something has happened.
func (ar *arrangement) settle() {
	if ar.mode.Fresh != (ar.Log().Len() == 0) {
		ar.place()
	}
}

func (ar *arrangement) setMode(m Mode) {
	ar.mode = m
	ar.resize(ar.w, ar.h)
}

// focus moves the focus; a pane that is not on the screen comes onto it, and the drawer opens.
func (ar *arrangement) focus(p view.ID) {
	m := ar.mode
	if m.Focus = p; p == view.Drawer {
		m.Drawer = DrawerOpen
	}
	ar.setMode(m)
}

// closeDrawer leaves the title of the drawer; its focus goes to the story.
func (ar *arrangement) closeDrawer() {
	m := ar.mode
	if m.Drawer = DrawerShut; m.Focus == view.Drawer {
		m.Focus = view.Data
	}
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
	if p := slices.Index([]string{"data", "graph", "events", "side"}, a.Focus); p >= 0 {
		ar.mode.Focus = min(view.ID(p), view.Drawer)
	}
}
