package screen

import (
	"strconv"

	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// section is one part of the side pane. Where there is room the sections stand below each other; elsewhere they are
// tabs. Its panel paints without a frame.
type section struct {
	title string
	panel panel
	// count is what the title is followed by: how much there is. It may be nil.
	count func(u *ui) string
	// lines is how many lines the section would like to have.
	lines func(u *ui) int
	// worth is how much the section is worth seeing now, where only one has room and the person has not chosen: 0 for
	// nothing in it. It may be nil.
	worth func(u *ui) int
}

// The places of the sections in the side pane.
const (
	sectionWatches = iota
	sectionBreakpoints
	sectionThreads
	sectionTimers
)

func (p *sidePane) all() []section {
	return []section{
		sectionWatches: watchesSection(), sectionBreakpoints: breakpointsSection(), sectionThreads: threadsSection(p.threads), sectionTimers: timersSection(p.timers),
	}
}

// sidePane shows, beside the events, what else there is to know: where the run stops, its threads, its timers.
type sidePane struct {
	sections []section
	tab      int // the section that has the focus, and the one shown where there is room for one
	chosen   bool
	threads  *threadPane
	timers   *timerPane
	bare     bool // there is no room to say how much each section has
	// spans are the lines of the sections when they were last drawn; those that are not on the screen are empty.
	spans []canvas.Rect
}

func newSidePane() sidePane {
	p := sidePane{threads: &threadPane{}, timers: &timerPane{}}
	p.sections = p.all()
	p.spans = make([]canvas.Rect, len(p.sections))
	return p
}

// turn goes to another section, by tabs on.
func (p *sidePane) turn(by int) {
	n := len(p.sections)
	p.choose(((p.tab+by)%n + n) % n)
}

func (p *sidePane) choose(i int) { p.tab, p.chosen = i, true }

// propose shows the section that is worth most now, unless the person has chosen one.
func (p *sidePane) propose(u *ui) {
	if p.chosen {
		return
	}
	best := -1
	for i := range p.sections {
		if worth := p.sections[i].worth; worth != nil && worth(u) > best {
			p.tab, best = i, worth(u)
		}
	}
}

func (p *sidePane) current() *panel { return &p.sections[p.tab].panel }

// minSection is the least height of a section below another, its title included.
const minSection = 4

// stack divides h lines between sections that would like to have the given lines and a title each. It returns nil
// where they have no room below each other.
func stack(wishes []int, h int) []int {
	heights, rest := make([]int, len(wishes)), h
	for i := range heights {
		heights[i] = min(wishes[i]+1, minSection) // one with nothing in it needs no more
		rest -= heights[i]
	}
	if rest < 0 {
		return nil
	}
	for rest > 0 { // one line after the other to whoever lacks one, so that a long list leaves the others theirs
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

func (p *sidePane) draw(u *ui, area canvas.Area, focused bool) {
	border := widget.Border(focused)
	inner := area.Frame(canvas.Frame{Border: border, Focused: focused})
	wishes := make([]int, len(p.sections))
	for i := range p.sections {
		wishes[i] = p.sections[i].lines(u)
	}
	heights := stack(wishes, inner.H()+1) // the first title stands in the border
	p.bare = false
	if heights == nil {
		p.drawTabs(u, area, border)
		clear(p.spans)
		p.spans[p.tab] = canvas.Rect{W: inner.W(), H: inner.H()}
		p.current().draw(u, inner, focused)
		return
	}
	y := 0
	for i := range p.sections {
		if y > 0 {
			area.Separator(y, border, focused)
		}
		p.drawTitle(u, area, 2, y, i, i == p.tab && focused)
		p.spans[i] = canvas.Rect{Y: y, W: inner.W(), H: heights[i] - 1}
		p.sections[i].panel.draw(u, inner.Area(p.spans[i]), focused && i == p.tab)
		y += heights[i]
	}
}

// drawTabs writes the sections' titles into the upper border; the one shown is in brackets.
func (p *sidePane) drawTabs(u *ui, area canvas.Area, border canvas.Style) {
	x := 2
	p.bare = p.tabsWidth(u) > area.W()
	if p.bare && p.tabsWidth(u) > area.W() { // room for one: its number says that there are more
		p.bare = false
		x = p.drawTitle(u, area, x, 0, p.tab, true)
		area.Fit(x, 0, max(area.W()-x-1, 0), theme.Dim, strconv.Itoa(p.tab+1)+"/"+strconv.Itoa(len(p.sections))+" ")
		return
	}
	for i := range p.sections {
		if i > 0 {
			x = area.Text(x, 0, border, area.Glyphs().Dash)
		}
		x = p.drawTitle(u, area, x, 0, i, i == p.tab)
	}
}

// tabsWidth is how many cells the titles take as tabs, with those at the ends of the border.
func (p *sidePane) tabsWidth(u *ui) int {
	total := 4
	for i := range p.sections {
		total += canvas.Width(p.title(u, i)) + 3
	}
	return total
}

// title is the title of section i with how much there is in it, where there is room for that.
func (p *sidePane) title(u *ui, i int) string {
	s := &p.sections[i]
	if s.count != nil && !p.bare {
		if n := s.count(u); n != "" {
			return s.title + " " + n
		}
	}
	return s.title
}

// drawTitle writes the title of section i, in brackets where it is chosen; a click on it chooses it.
func (p *sidePane) drawTitle(u *ui, area canvas.Area, x, y, i int, chosen bool) int {
	text, style := p.title(u, i), theme.Title
	if chosen {
		text, style = "["+text+"]", theme.Current
	}
	end := area.Fit(x, y, max(area.W()-x-1, 0), style, " "+text+" ")
	u.mouse.add(area.Place(canvas.Rect{X: x, Y: y, W: end - x, H: 1}), func() {
		u.focus(pane.Side)
		p.choose(i)
	})
	return end
}

// at returns the section at line y of the inside, and the line within it.
func (p *sidePane) at(y int) (index, line int) {
	for i, span := range p.spans {
		if span.Contains(0, y) {
			return i, y - span.Y
		}
	}
	return -1, 0
}

func sidePanel() panel {
	return panel{
		draw: func(u *ui, area canvas.Area, focused bool) { u.side.draw(u, area, focused) },
		move: func(u *ui, rows, cells int) {
			if move := u.side.current().move; move != nil {
				move(u, rows, cells)
			}
		},
		page: func(u *ui) int {
			if page := u.side.current().page; page != nil {
				return page(u)
			}
			return 1
		},
		find: func(u *ui, text string, by int) (wrapped, ok bool) {
			if find := u.side.current().find; find != nil {
				return find(u, text, by)
			}
			return false, false
		},
		click: func(u *ui, x, y int) {
			i, line := u.side.at(y)
			if i < 0 {
				return
			}
			u.side.choose(i)
			if click := u.side.current().click; click != nil {
				click(u, x, line)
			}
		},
		refresh: func(u *ui) {
			for i := len(u.side.sections) - 1; i >= 0; i-- { // the threads say what the timers know
				if refresh := u.side.sections[i].panel.refresh; refresh != nil {
					refresh(u)
				}
			}
			u.side.propose(u)
		},
	}
}
