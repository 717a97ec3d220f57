// Package side is the side pane: watches, breakpoints, threads and timers.
package side

import (
	"iter"
	"slices"
	"strconv"

	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Section names a section of the pane.
type Section int

// The sections, in their order.
const (
	Watches Section = iota
	Breakpoints
	Threads
	Timers
)

// section is one part of the side pane. Where there is space the sections stand below each other; elsewhere they are tabs.
type section interface {
	title() string
	// count is the number of things in the section.
	count() int
	// lines is the number of lines that the section would like to have.
	lines() int
	// worth is the importance of the section now, where the pane has space for one and none was chosen; 0 for none.
	worth() int
	// draw paints the section, without a border.
	draw(f widget.Frame)
	refresh()
	Move(rows int)
	Height() int
	Find(text string, by int) (wrapped, ok bool)
	Words() iter.Seq[string]
	Click(x, y int)
	bindings() view.Bindings
}

// Screen is what the pane uses of the screen around it.
type Screen struct {
	view.Shell
	view.RunState
	view.Selected
	view.Control
	view.Prompts
	view.Panes
}

// Pane is the side pane.
type Pane struct {
	screen   Screen
	sections []section
	tab      Section // the section that has the focus, and the one shown where there is space for one
	chosen   bool    // the user has chosen it
	bare     bool    // there is no space for the numbers of things in the titles
}

var _ view.Pane = (*Pane)(nil)

// New returns the side pane of a screen. index is that of the screen's log.
func New(screen Screen, index *runlog.Index) *Pane {
	p := &Pane{screen: screen}
	timers := &timers{screen: screen, section: p.in(Timers)}
	p.sections = []section{
		Watches:     newWatches(screen, p),
		Breakpoints: newBreakpoints(screen, p),
		Threads:     &threads{screen: screen, section: p.in(Threads), index: index, timers: timers},
		Timers:      timers,
	}
	return p
}

// in returns the condition that a section has the focus.
func (p *Pane) in(s Section) func() bool {
	return func() bool { return p.screen.Focused() == view.Side && p.tab == s }
}

// Bindings implements [view.Pane].
func (p *Pane) Bindings() view.Bindings {
	elsewhere := func() bool { return p.screen.Focused() != view.Events } // the events have tabs of their own
	list := view.Bindings{
		{Action: keys.FocusSide, Applies: func() bool { return p.screen.Focused() == view.Side }, Run: view.Run(func() { p.turn(1) })},
		{Action: keys.FocusSide, Run: view.Run(func() { p.screen.Focus(view.Side) })},
		{Action: keys.NextTab, Applies: elsewhere, Run: view.Run(func() { p.turnTo(1) })},
		{Action: keys.PreviousTab, Applies: elsewhere, Run: view.Run(func() { p.turnTo(-1) })},
	}
	for _, s := range p.sections {
		list = slices.Concat(list, s.bindings())
	}
	return list
}

// turn goes to another section, by sections further.
func (p *Pane) turn(by int) {
	n := len(p.sections)
	p.Choose(Section(((int(p.tab)+by)%n + n) % n))
}

// turnTo goes to another section and gives the pane the focus.
func (p *Pane) turnTo(by int) {
	p.screen.Focus(view.Side)
	p.turn(by)
}

// Choose shows a section, also when another one becomes more important.
func (p *Pane) Choose(s Section) { p.tab, p.chosen = s, true }

// propose shows the most important section, unless one was chosen.
func (p *Pane) propose() {
	if p.chosen {
		return
	}
	best := -1
	for i, s := range p.sections {
		if worth := s.worth(); worth > best {
			p.tab, best = Section(i), worth
		}
	}
}

func (p *Pane) current() section { return p.sections[p.tab] }

// Move implements [view.Pane].
func (p *Pane) Move(rows, _ int) { p.current().Move(rows) }

// Page implements [view.Pane].
func (p *Pane) Page() int { return p.current().Height() }

// Words implements [view.Pane].
func (p *Pane) Words() iter.Seq[string] { return p.current().Words() }

// Find implements [view.Pane].
func (p *Pane) Find(text string, by int) (wrapped, ok bool) { return p.current().Find(text, by) }

// Refresh implements [view.Pane].
func (p *Pane) Refresh() {
	for _, s := range slices.Backward(p.sections) { // the threads ask the timers
		s.refresh()
	}
	p.propose()
}

// Need implements [view.Pane].
func (p *Pane) Need(_, _ int) int {
	rows := len(p.sections) - 1
	for _, s := range p.sections {
		rows += s.lines()
	}
	return rows
}

// minSection is the least height of a section below another, its title included.
const minSection = 4

// stack divides h lines between sections that would like to have the given lines and a title each. It returns nil
// where they cannot stand below each other.
func stack(wishes []int, h int) []int {
	heights, rest := make([]int, len(wishes)), h
	for i := range heights {
		heights[i] = min(wishes[i]+1, minSection) // an empty one needs no more
		rest -= heights[i]
	}
	if rest < 0 {
		return nil
	}
	for rest > 0 { // a line for each section that lacks one, so that a long list leaves the others theirs
		before := rest
		for i := range heights {
			if rest > 0 && heights[i] < wishes[i]+1 {
				heights[i]++
				rest--
			}
		}
		if rest == before {
			heights[len(heights)-1] += rest
			break
		}
	}
	return heights
}

// Draw implements [view.Pane].
func (p *Pane) Draw(f widget.Frame) {
	border := widget.Border(f.Focused)
	inner := f.Box(canvas.Frame{})
	wishes := value.Each(p.sections, section.lines)
	heights := stack(wishes, inner.H()+1) // the first title stands in the border
	p.bare = false
	if heights == nil {
		p.drawTabs(f, border)
		p.drawSection(inner, p.tab)
		return
	}
	y := 0
	for i := range p.sections {
		if y > 0 {
			f.Separator(y, border, f.Focused)
		}
		own := Section(i) == p.tab && f.Focused
		p.drawTitle(f, 2, y, Section(i), own)
		span := inner.In(canvas.Rect{Y: y, W: inner.W(), H: heights[i] - 1})
		span.Focused = own
		p.drawSection(span, Section(i))
		y += heights[i]
	}
}

// drawSection paints a section. A click chooses it, and selects what is there.
func (p *Pane) drawSection(f widget.Frame, s Section) {
	list := p.sections[s]
	list.draw(f)
	f.Mouse(func(x, y int) {
		p.Choose(s)
		list.Click(x, y)
	}, list.Move)
}

// drawTabs writes the sections' titles into the upper border; the one shown is in brackets.
func (p *Pane) drawTabs(area widget.Frame, border canvas.Style) {
	x := 2
	p.bare = p.tabsWidth() > area.W()
	if p.bare && p.tabsWidth() > area.W() { // space for one: its number says that there are more
		p.bare = false
		x = p.drawTitle(area, x, 0, p.tab, true)
		area.Fit(x, 0, max(area.W()-x-1, 0), canvas.Dim, strconv.Itoa(int(p.tab)+1)+"/"+strconv.Itoa(len(p.sections))+" ")
		return
	}
	for i := range p.sections {
		if i > 0 {
			x = area.Text(x, 0, border, area.Glyphs().Dash)
		}
		x = p.drawTitle(area, x, 0, Section(i), Section(i) == p.tab)
	}
}

// tabsWidth is the number of cells that the titles take as tabs, with those at the ends of the border.
func (p *Pane) tabsWidth() int {
	total := 4
	for i := range p.sections {
		total += canvas.Width(p.title(Section(i))) + 3
	}
	return total
}

// title is the title of a section with the number of things in it, where there is space for that.
func (p *Pane) title(s Section) string {
	title := p.sections[s].title()
	if n := p.sections[s].count(); n > 0 && !p.bare {
		title += " " + strconv.Itoa(n)
	}
	return title
}

// drawTitle writes the title of a section, in brackets where it is chosen; a click on it chooses it.
func (p *Pane) drawTitle(area widget.Frame, x, y int, s Section, chosen bool) int {
	text, style := p.title(s), canvas.Title
	if chosen {
		text, style = "["+text+"]", canvas.Current
	}
	end := area.Fit(x, y, max(area.W()-x-1, 0), style, " "+text+" ")
	area.Click(canvas.Rect{X: x, Y: y, W: end - x, H: 1}, func() { p.Choose(s) })
	return end
}
