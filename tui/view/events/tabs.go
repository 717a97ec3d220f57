package events

import (
	"strconv"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// tabs are the titles of the views, in their order.
var tabs = [viewCount]string{asList: "Events", asTime: "Time", asTable: "Iterations", asRuns: "What-ifs", asCompared: "Compare"}

// tabBindings go from view to view.
func (p *Pane) tabBindings() view.Bindings {
	focused := func() bool { return p.screen.Focused() == view.Events }
	return view.Bindings{
		{Action: keys.FocusEvents, Applies: focused, Run: view.Run(func() { p.turn(1) })},
		{Action: keys.NextTab, Applies: focused, Run: view.Run(func() { p.turn(1) })},
		{Action: keys.PreviousTab, Applies: focused, Run: view.Run(func() { p.turn(-1) })},
	}
}

// turn shows the next view, or the one before.
func (p *Pane) turn(by int) {
	for to := int(p.view) + by; ; to += by {
		to = (to + int(viewCount)) % int(viewCount)
		if display(to) == p.view || p.has(display(to)) {
			p.open(display(to))
			return
		}
	}
}

// has reports whether a view has something to show: the others are no tabs.
func (p *Pane) has(v display) bool {
	switch v {
	case asTable:
		return v == p.view || p.table.Any()
	case asRuns:
		return v == p.view || len(p.screen.Session().Forks().All()) > 1
	case asCompared:
		return v == p.view || p.compared.Disabled() == ""
	case asList, asTime, viewCount:
	}
	return true
}

// show shows a view, or the list where it is shown already.
func (p *Pane) show(v display) {
	if p.view == v {
		v = asList
	}
	p.open(v)
}

// open shows a view.
func (p *Pane) open(v display) {
	if v == asRuns || v == asCompared {
		if p.view < asRuns {
			p.before = p.view
		}
	} else {
		p.unzoom()
	}
	p.view = v
	p.screen.Focus(view.Events)
	p.Refresh()
}

// back shows the view from which the what-ifs or the comparison were opened.
func (p *Pane) back() { p.open(p.before) }

// drawTabs writes the titles of the views into the upper border; the one shown is in brackets. In a narrow pane those
// that do not fit are counted.
func (p *Pane) drawTabs(area widget.Frame) {
	var shown []display
	for v := range viewCount {
		if p.has(v) {
			shown = append(shown, v)
		}
	}
	x, end, left := 2, area.W()-3, 0
	rest := canvas.Width("["+tabs[p.view]+"]") + 3 // cells that the view on the screen needs, until it is written
	for i, v := range shown {
		text, style := tabs[v], canvas.Title
		if v == p.view {
			text, style, rest = "["+text+"]", canvas.Current, 0
		}
		if v != p.view && x+canvas.Width(text)+3+rest+len("+9 ") > end && i < len(shown) {
			left++
			continue
		}
		if x > 2 {
			x = area.Text(x, 0, widget.Border(area.Focused), area.Glyphs().Dash)
		}
		to := area.Text(x, 0, style, " "+text+" ")
		area.Click(canvas.Rect{X: x, W: to - x, H: 1}, func() { p.open(v) })
		x = to
	}
	if left > 0 {
		area.Text(x, 0, canvas.Dim, "+"+strconv.Itoa(left)+" ")
	}
}

// tableBindings are about iterations and branches.
func (p *Pane) tableBindings() view.Bindings {
	here := func() bool { return p.view == asTable && p.screen.Focused() == view.Events }
	return view.Bindings{
		{Action: keys.PreviousInside, Run: view.Run(func() { p.table.Choose(-1) }), Disabled: p.table.Disabled},
		{Action: keys.NextInside, Run: view.Run(func() { p.table.Choose(1) }), Disabled: p.table.Disabled},
		{Action: keys.Iterations, Disabled: p.table.Disabled, Run: func(number string) {
			if number != "" {
				p.table.GoTo(number)
				return
			}
			p.show(asTable)
		}},
		{Action: keys.Look, Applies: here, Run: view.Run(func() {
			if p.table.Enter() {
				p.open(asList)
			}
		})},
		{Action: keys.StepState, Applies: here, Run: view.Run(p.table.Sort)},
		{Action: keys.Find, Applies: here, Run: func(text string) {
			if text == "" {
				p.askForFilter()
			} else if err := p.setFilter(text); err != nil {
				p.screen.Say(canvas.Bad, err.Error())
			}
		}},
		{Action: keys.FindNext, Applies: here, Run: view.Run(func() { p.table.NextFailed(1) })},
		{Action: keys.FindPrevious, Applies: here, Run: view.Run(func() { p.table.NextFailed(-1) })},
	}
}
