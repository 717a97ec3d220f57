package screen

import (
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/widget"
)

// focusBindings change which pane has the focus, how much of the screen it has, and which event is looked at.
func (u *ui) focusBindings() pane.Bindings {
	zoom := plainly(func() { u.zoom(!u.mode.zoom) })
	list := pane.Bindings{
		{Action: keys.Look, Run: zoom},
		{Action: keys.Zoom, Run: zoom},
		{Action: keys.Now, Run: plainly(u.now)},
		{Action: keys.FocusNext, Run: plainly(func() { u.focus((u.mode.focus + 1) % pane.Count) })},
		{Action: keys.FocusPrevious, Run: plainly(func() { u.focus((u.mode.focus + pane.Count - 1) % pane.Count) })},
		{Action: keys.FocusData, Run: plainly(func() { u.focus(pane.Data) })},
		{Action: keys.FocusGraph, Run: plainly(func() { u.focus(pane.States) })},
		{Action: keys.FocusEvents, Run: plainly(func() { u.focus(pane.Events) })},
	}
	return list
}

// now goes back to where the run stands; from there it ends the zoom, and leaves an execution that a task started.
func (u *ui) now() {
	u.data.ClearSearch()
	if u.leaveOrAsk() {
		return
	}
	if u.following && u.mode.zoom {
		u.zoom(false)
	}
	u.sync()
}

// dividerStep is by how many cells a key moves a divider to the side.
const dividerStep = 2

func (u *ui) dividerBindings() pane.Bindings {
	var list pane.Bindings
	for _, move := range []struct {
		action  keys.Action
		by      int
		upright bool
	}{
		{keys.DividerLeft, -dividerStep, true}, {keys.DividerRight, dividerStep, true}, {keys.DividerUp, -1, false}, {keys.DividerDown, 1, false},
	} {
		list = append(list, pane.Binding{
			Action: move.action,
			Run: plainly(func() {
				if l := u.places.lineBeside(u.mode.focus, move.upright); l != nil {
					u.moveLine(l, l.at+move.by)
				}
			}),
			Disabled: func() string {
				if len(u.places.lines) == 0 {
					return "only one pane is on the screen"
				}
				return ""
			},
		})
	}
	return list
}

// moveBindings move the selection of the focused pane, or scroll it.
func (u *ui) moveBindings() pane.Bindings {
	by := func(rows, cells int) func(string) { return plainly(func() { u.focused().Move(rows, cells) }) }
	pages := func(n int) func(string) {
		return plainly(func() { u.focused().Move(n*max(u.focused().Page()-1, 1), 0) })
	}
	return pane.Bindings{
		{Action: keys.Up, Run: by(-1, 0)}, {Action: keys.Down, Run: by(1, 0)},
		{Action: keys.PageUp, Run: pages(-1)}, {Action: keys.PageDown, Run: pages(1)},
		{Action: keys.Top, Run: by(-widget.Far, 0)}, {Action: keys.Bottom, Run: by(widget.Far, 0)},
		{Action: keys.Left, Run: by(0, -8)}, {Action: keys.ScrollLeft, Run: by(0, -8)},
		{Action: keys.Right, Run: by(0, 8)}, {Action: keys.ScrollRight, Run: by(0, 8)},
	}
}

func (u *ui) otherBindings() pane.Bindings {
	return pane.Bindings{
		{Action: keys.Prompt, Run: plainly(func() { u.askForCommand("") })},
		{Action: keys.Palette, Run: plainly(func() { u.dialog = dialog.NewPalette(u.context()) })},
		{Action: keys.Messages, Run: plainly(func() { u.dialog = dialog.NewMessages(func() []dialog.Message { return u.messages.list }) })},
		{Action: keys.Help, Run: plainly(func() { u.dialog = &dialog.Help{} })},
		{Action: keys.Source, Run: plainly(u.openSource), Disabled: func() string {
			if origin := u.session.Machine().Definition().Origin; origin != nil {
				return "the definition was made from another text"
			}
			return ""
		}},
		{Action: keys.Redraw, Run: plainly(func() { u.effects.redraw = true })},
		{Action: keys.Suspend, Run: plainly(func() { u.effects.suspend = true })},
		{Action: keys.Quit, Run: plainly(u.quit)},
		{Action: keys.Kill, Run: plainly(u.kill)},
	}
}
