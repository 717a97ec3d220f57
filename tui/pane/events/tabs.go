package events

import (
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// tabs are the titles of the views, in their order.
var tabs = [...]string{asList: "Events", asTime: "Time", asTable: "Iterations"}

// tabsWidth is the width of the pane from which on the titles of all views are in its border.
const tabsWidth = 60

// tabBindings go from view to view.
func (p *Pane) tabBindings() pane.Bindings {
	focused := func() bool { return p.screen.Focused() == pane.Events }
	return pane.Bindings{
		{Action: keys.FocusEvents, Applies: focused, Run: pane.Run(func() { p.turn(1) })},
		{Action: keys.NextTab, Applies: focused, Run: pane.Run(func() { p.turn(1) })},
		{Action: keys.PreviousTab, Applies: focused, Run: pane.Run(func() { p.turn(-1) })},
	}
}

// turn shows the next view, or the one before. The table is left out where there are no iterations.
func (p *Pane) turn(by int) {
	n := p.views()
	p.open(view(((int(p.view)+by)%n + n) % n))
}

// views is the number of views that have something to show.
func (p *Pane) views() int {
	if p.table.Disabled() != "" && p.view != asTable {
		return int(asTable)
	}
	return len(tabs)
}

// open shows a view.
func (p *Pane) open(v view) {
	p.view = v
	p.screen.Focus(pane.Events)
	p.Refresh()
}

// drawTabs writes the titles of the views into the upper border; the one shown is in brackets.
func (p *Pane) drawTabs(area canvas.Area, focused bool) {
	if area.W() < tabsWidth {
		return
	}
	x := 2
	for v := range p.views() {
		text, style := tabs[v], theme.Title
		if view(v) == p.view {
			text, style = "["+text+"]", theme.Current
		}
		if v > 0 {
			x = area.Text(x, 0, widget.Border(focused), area.Glyphs().Dash)
		}
		end := area.Text(x, 0, style, " "+text+" ")
		p.screen.OnClick(area.Place(canvas.Rect{X: x, W: end - x, H: 1}), func() { p.open(view(v)) })
		x = end
	}
}
