package tui

import (
	"strconv"

	"asldb/engine/value"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/datatree"
	"asldb/tui/part/strip"
	"asldb/tui/part/theme"
)

func dataPanel() panel {
	return panel{
		draw: (*ui).drawData,
		move: func(u *ui, rows, cells int) { u.data.scroll(rows, cells) },
		page: func(u *ui) int { return u.data.rows },
		find: func(u *ui, text string, by int) (wrapped, ok bool) { return u.data.find(text, by) },
		click: func(u *ui, _, y int) {
			if u.data.selectAt(y - u.data.above) {
				u.data.fold()
			}
		},
	}
}

func (u *ui) drawData(area canvas.Area, focused bool) {
	u.data.reason, u.data.origin = u.cutReason(), u.origin
	u.data.draw(area, u.session.Options().Limits.Payload, focused)
	corner := u.places.panes[pane.Data]
	for _, spot := range u.data.stages {
		place := canvas.Rect{X: corner.X + 1 + spot.X, Y: corner.Y + 1, W: spot.W, H: strip.Height}
		u.mouse.add(place, func(u *ui) {
			u.focus(pane.Data)
			u.lookAtStage(spot.Stage)
		})
	}
}

func (u *ui) dataBindings() pane.Bindings {
	here := u.inPane(pane.Data)
	return pane.Bindings{
		{Action: keys.Fold, Applies: here, Run: plainly(u.foldData)},
		{Action: keys.Look, Applies: here, Run: plainly(func() {
			if !u.viewString() {
				u.foldData()
			}
		})},
		{Action: keys.Left, Applies: here, Run: plainly(func() { u.otherStage(-1) })},
		{Action: keys.Right, Applies: here, Run: plainly(func() { u.otherStage(1) })},
		{Action: keys.ScrollLeft, Applies: here, Run: plainly(func() { u.data.scroll(0, -8) })},
		{Action: keys.ScrollRight, Applies: here, Run: plainly(func() { u.data.scroll(0, 8) })},
		{Action: keys.DataView, Run: u.chooseView},
		{Action: keys.FoldAll, Run: plainly(func() { u.say(theme.Plain, u.data.foldAll(u.glyphs)) })},
		{Action: keys.Copy, Run: u.copyData, Disabled: func() string {
			if u.data.selected() == nil {
				return "there is no data here"
			}
			return ""
		}},
	}
}

// chooseView shows the data as the view with a name, or as the next one.
func (u *ui) chooseView(name string) {
	view, ok := viewNamed(name, u.data.view)
	if !ok {
		u.say(theme.Bad, "A view is diff, side, before or after; found "+name)
		return
	}
	if missing := u.data.setView(view, u.glyphs); missing != "" {
		u.say(theme.Plain, "There is no "+missing+" "+view.String()+" this: the cursor is at "+u.data.path()+".")
	}
	if u.selection.Visit == nil {
		u.say(theme.Plain, "Of a stage the data will be shown as: "+view.String()+". Here there is one document.")
	} else if width := u.places.panes[pane.Data].W - 2; view == viewSide && width > 0 && width < datatree.MinColumns {
		u.say(theme.Warn, "Side by side needs "+strconv.Itoa(datatree.MinColumns)+" cells, and this pane has "+
			strconv.Itoa(width)+": "+u.keys.Key(keys.Zoom)+" may help.")
	}
}

func (u *ui) foldData() {
	if !u.data.fold() {
		u.say(theme.Warn, "There is nothing to fold here.")
	}
}

// viewString shows the string at the cursor whole, where a row has not all of it.
func (u *ui) viewString() bool {
	text, ok := u.data.selected().(value.String)
	if u.data.inNotes || !ok || !dialog.WorthViewing(string(text), u.data.width) {
		return false
	}
	u.dialog = dialog.NewText(u.data.path(), string(text), func() { u.copyData("value") })
	return true
}

// viewNamed returns the view with a name, or the one after present where there is no name.
func viewNamed(name string, present dataView) (view dataView, ok bool) {
	if name == "" {
		return (present + 1) % viewCount, true
	}
	for view := range viewCount {
		if view.String() == name {
			return view, true
		}
	}
	return present, false
}
