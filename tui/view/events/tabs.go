package events

import (
	"strconv"
	"strings"

	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// names are the titles of the views that are not lists.
var names = [viewCount]string{
	asList: "Events", asTime: "Time", asTable: "Iterations", asRuns: "What-ifs", asCompared: "Compare",
}

// title is the title of a view with the number of things in it.
func (p *Pane) title(v display) string {
	n, name := 0, ""
	switch {
	case v >= viewCount:
		n, name = p.lists.Len(int(v-viewCount)), p.lists.Titles()[v-viewCount]
	case v == asList:
		n, name = p.screen.Log().Len(), names[v]
	case v == asRuns:
		n, name = len(p.screen.Session().Forks().All()), names[v]
	default:
		name = names[v]
	}
	if n == 0 {
		return name
	}
	return name + " " + wording.Grouped(n)
}

// tabBindings go from view to view.
func (p *Pane) tabBindings() view.Bindings {
	focused := func() bool { return p.screen.Focused() == view.Drawer }
	return view.Bindings{
		{Action: keys.FocusEvents, Applies: focused, Run: view.Run(func() { p.turn(1) })},
		{Action: keys.NextTab, Run: view.Run(func() { p.turn(1) })},
		{Action: keys.PreviousTab, Run: view.Run(func() { p.turn(-1) })},
	}
}

// turn shows the next view, or the one before.
func (p *Pane) turn(by int) {
	for to := int(p.view) + by; ; to += by {
		to = (to + int(p.views())) % int(p.views())
		if display(to) == p.view || p.has(display(to)) {
			p.open(display(to))
			return
		}
	}
}

// TurnTo shows the view with a title, in small letters; false where there is none.
func (p *Pane) TurnTo(title string) bool {
	for v := range p.views() {
		name := ""
		if v < viewCount {
			name = names[v]
		} else {
			name = p.lists.Titles()[v-viewCount]
		}
		if strings.ToLower(name) == title {
			p.open(v)
			return true
		}
	}
	return false
}

// has reports whether a view has something to show: the others aren't tabs.
func (p *Pane) has(v display) bool {
	switch v {
	case asTable:
		return v == p.view || p.table.Any()
	case asRuns:
		return v == p.view || len(p.screen.Session().Forks().All()) > 1
	case asCompared:
		return v == p.view || p.compared.Disabled() == ""
	case asList, asTime:
	default:
		return v == p.view || p.lists.Has(int(v-viewCount))
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
	if v >= asRuns {
		if p.view < asRuns {
			p.before = p.view
		}
	} else {
		p.unzoom()
	}
	if p.view = v; v >= viewCount {
		p.lists.Choose(int(v - viewCount))
	}
	p.screen.Focus(view.Drawer)
	p.Refresh()
}

// back shows the view from which the what-ifs or the comparison were opened.
func (p *Pane) back() { p.open(p.before) }

// drawTabs writes the titles of the views into the title of the drawer, and returns the cell behind them; the one shown
// is in brackets. In a narrow drawer those that do not fit are counted.
func (p *Pane) drawTabs(f widget.Frame) (x int) {
	var shown []display
	for v := range p.views() {
		if p.has(v) {
			shown = append(shown, v)
		}
	}
	x, end, left := f.Text(2, 0, canvas.Title, " 3"), f.W()-3, 0
	rest := canvas.Width(p.title(p.view)) + 5 // cells that the view on the screen needs, until it is written
	for _, v := range shown {
		text, style := p.title(v), canvas.Title
		if v == p.view {
			rest = 0
			if f.H() > 1 {
				text, style = "["+text+"]", canvas.Current
			}
		}
		if v != p.view && x+canvas.Width(text)+3+rest+len("+9 ") > end {
			left++
			continue
		}
		if x > 4 {
			x = f.Text(x, 0, widget.Border(f.Focused), f.Glyphs().Dash)
		}
		to := f.Text(x, 0, style, " "+text+" ")
		f.Click(canvas.Rect{X: x, W: to - x, H: 1}, func() { p.open(v) })
		x = to
	}
	if left > 0 {
		x = f.Text(x, 0, canvas.Dim, "+"+strconv.Itoa(left)+" ")
	}
	return x
}

// filterBy sets the filter, or asks for it.
func (p *Pane) filterBy(text string) {
	if text == "" {
		p.askForFilter()
	} else if err := p.setFilter(text); err != nil {
		p.screen.Say(canvas.Bad, err.Error())
	}
}

// tableBindings are about iterations and branches.
func (p *Pane) tableBindings() view.Bindings {
	here := func() bool { return p.view == asTable && p.screen.Focused() == view.Drawer }
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
		{Action: keys.Find, Applies: here, Run: p.filterBy},
		{Action: keys.FindNext, Applies: here, Run: view.Run(func() { p.table.NextFailed(1) })},
		{Action: keys.FindPrevious, Applies: here, Run: view.Run(func() { p.table.NextFailed(-1) })},
	}
}
