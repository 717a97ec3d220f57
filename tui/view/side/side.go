// Package side has the lists of the drawer beside its events: watches, breakpoints, threads and timers.
package side

import (
	"iter"
	"slices"

	"asldb/engine/runlog"
	"asldb/tui/keys"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// The lists, in the order of their tabs.
const (
	Breakpoints = iota
	Watches
	Threads
	Timers
	// Count is the number of lists.
	Count
)

// Titles returns the titles of the lists.
func (*Lists) Titles() []string { return []string{"Breakpoints", "Watches", "Threads", "Timers"} }

// section is one of the lists.
type section interface {
	// count is the number of things in it, and hasRows reports whether they are worth a tab.
	count() int
	hasRows() bool
	// draw paints the list, without a title.
	draw(f widget.Frame)
	// tell returns the list in lines of text.
	tell() []string
	refresh()
	Move(rows int)
	Height() int
	Find(text string, by int) (wrapped, ok bool)
	Words() iter.Seq[string]
	Click(x, y int)
	bindings() view.Bindings
}

// Screen is the part of the screen that the lists use.
type Screen struct {
	view.Shell
	view.RunState
	view.Selected
	view.Control
	view.Prompts
	view.Panes
}

// Lists are the lists of a run. At most one is on the screen.
type Lists struct {
	screen   Screen
	sections [Count]section
	tab      int // the one that was shown last
	// Shown reports whether the drawer shows one of the lists, and Open is called when another one is to be shown.
	Shown func() bool
	Open  func(list int)
}

// New returns the lists of a screen. index is the index of the screen's log.
func New(screen Screen, index *runlog.Index) *Lists {
	p := &Lists{screen: screen, Shown: func() bool { return true }, Open: func(int) {}}
	timers := &timers{screen: screen, section: p.in(Timers)}
	p.sections = [Count]section{
		Breakpoints: newBreakpoints(screen, p),
		Watches:     newWatches(screen, p),
		Threads:     &threads{screen: screen, section: p.in(Threads), index: index, timers: timers},
		Timers:      timers,
	}
	return p
}

// in returns the condition that a list has the focus.
func (p *Lists) in(list int) func() bool {
	return func() bool { return p.screen.Focused() == view.Drawer && p.Shown() && p.tab == list }
}

// Bindings returns the bindings of all lists.
func (p *Lists) Bindings() view.Bindings {
	list := view.Bindings{{Action: keys.FocusSide, Run: view.Run(p.turn)}}
	for _, s := range p.sections {
		list = slices.Concat(list, s.bindings())
	}
	return list
}

// turn gives the focus to the next list that has something to show, to the present one where none was on the screen.
func (p *Lists) turn() {
	next := p.tab
	if p.Shown() {
		next = (next + 1) % Count
	}
	for range Count {
		if p.Has(next) {
			break
		}
		next = (next + 1) % Count
	}
	p.Choose(next)
	p.screen.Focus(view.Drawer)
}

// Choose shows a list.
func (p *Lists) Choose(list int) {
	p.tab = list
	p.Open(list)
}

// Has reports whether a list has something to show, and Len how many things.
func (p *Lists) Has(list int) bool { return p.sections[list].hasRows() }

// Len returns the number of things in a list.
func (p *Lists) Len(list int) int { return p.sections[list].count() }

func (p *Lists) current() section { return p.sections[p.tab] }

// Move selects another row of the list on the screen.
func (p *Lists) Move(rows, _ int) { p.current().Move(rows) }

// Page returns the number of rows on the screen.
func (p *Lists) Page() int { return p.current().Height() }

// Words yields the words of the list on the screen.
func (p *Lists) Words() iter.Seq[string] { return p.current().Words() }

// Find selects the next row with a text.
func (p *Lists) Find(text string, by int) (wrapped, ok bool) { return p.current().Find(text, by) }

// Refresh computes all lists.
func (p *Lists) Refresh() {
	for _, s := range slices.Backward(p.sections[:]) { // the threads ask the timers
		s.refresh()
	}
}

// Draw paints the list on the screen, without a title.
func (p *Lists) Draw(f widget.Frame) {
	list := p.current()
	list.draw(f)
	f.Mouse(list.Click, list.Move)
}
