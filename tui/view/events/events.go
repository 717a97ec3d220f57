// Package events is the drawer: the log as a list of visits with their events, the run on the axis of the virtual
// clock, iterations, what-ifs, and lists about the run, a tab each.
package events

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Screen is the part of the screen that the pane uses.
type Screen struct {
	view.Shell
	view.RunState
	view.Selected
	view.Control
	view.Prompts
	view.Panes
}

// Pane is the drawer.
type Pane struct {
	screen Screen
	list   list
	axis   timeAxis
	table  *Table
	runs   *runsList
	// compared are two runs side by side.
	compared *Tab
	lists    Lists // nil: there are none
	// filtered are the events that the list shows where it is filtered.
	filtered  filtered
	view      display
	before    display     // the one from which the runs or the comparison were opened
	zoomed    canvas.Rect // the place from which the pane was zoomed for the comparison, empty where it was not
	condition string      // by which an event was last searched
	// Bookmarked returns the note of the bookmark at an event, which may be empty; ok is false where there is none.
	Bookmarked func(index int) (note string, ok bool)
	// Bookmarks returns the indexes of the events with a bookmark.
	Bookmarks func() []int
	// Opening returns lines about a recording that has no events yet, its progress first; it may be nil.
	Opening func() []string
}

// display is a way to show the run.
type display uint8

// The views.
const (
	asList display = iota
	asTime
	// asTable: a row for each iteration or branch.
	asTable
	// asRuns: the what-ifs of the run.
	asRuns
	// asCompared: two runs side by side.
	asCompared
	// viewCount is the number of these views; behind them come the lists.
	viewCount
)

// Lists are lists about the run that are tabs of the drawer, by their number from 0.
type Lists interface {
	// Titles are the titles of the lists. Len is the number of things in a list, and Has reports whether it is worth a
	// tab now.
	Titles() []string
	Len(list int) int
	Has(list int) bool
	// Choose shows a list; the methods below are about the one that was chosen last, in a frame without a title.
	Choose(list int)
	Draw(f widget.Frame)
	// PlainLines returns the list as lines for --plain.
	PlainLines() []string
	Move(rows, cells int)
	Page() int
	Find(text string, by int) (wrapped, ok bool)
	Words() iter.Seq[string]
	// Refresh and Bindings are of all lists.
	Refresh()
	Bindings() view.Bindings
}

var _ view.Pane = (*Pane)(nil)

// New returns the drawer of a screen. index is the index of the screen's log, recorded the run to compare with, or nil.
func New(screen Screen, index *runlog.Index, recorded *Recorded) *Pane {
	p := &Pane{
		screen: screen, list: list{screen: screen, index: NewFolds(index)}, table: NewIterations(screen), runs: &runsList{screen: screen},
		compared: NewCompare(screen, recorded),
	}
	p.list.pane = p
	p.axis.reset()
	return p
}

// Add makes lists tabs of the drawer.
func (p *Pane) Add(lists Lists) { p.lists = lists }

// Recorded reports whether the run is a recording, or compared with one.
func (p *Pane) Recorded() bool { return p.list.recorded() }

// InLists reports whether the drawer shows one of its lists, and Turn shows one.
func (p *Pane) InLists() bool { return p.view >= viewCount }

// Turn shows a list where it was chosen elsewhere: see [Pane.InLists].
func (p *Pane) Turn(list int) { p.view = viewCount + display(list) }

// views returns the number of views.
func (p *Pane) views() display {
	if p.lists == nil {
		return viewCount
	}
	return viewCount + display(len(p.lists.Titles()))
}

// Reset forgets the log, which has become another fork's.
func (p *Pane) Reset() {
	p.list.index.Reset()
	p.list = list{screen: p.screen, index: NewFolds(p.list.index.Index), height: p.list.height, pane: p}
	p.axis.reset()
	p.table.Reset()
	p.filtered.forget()
}

// read reads the new events of the log.
func (p *Pane) read() {
	if p.list.read(p.screen.Log()) {
		p.axis.reset()
		p.filtered.forget()
	}
}

// Select selects the event at an index of the log. present is the index of the event that the run is at.
func (p *Pane) Select(index, present int) {
	session := p.screen.Session()
	p.list.present, p.list.happened, p.list.now = present, session.Position(), session.Now()
	p.read()
	p.list.show(index)
	p.table.Selected()
	p.filter()
}

// Draw implements [view.Pane]. In one row there is the title, with the event on the screen.
func (p *Pane) Draw(f widget.Frame) {
	p.read()
	switch {
	case f.H() <= 1:
	case p.view == asTable:
		p.table.Draw(f)
		return
	case p.view == asList && p.filtered.on() && !p.empty():
		p.filtered.draw(f, &p.list, p.screen.Key(keys.Now), p.screen.Start(), p.screen.Inspect)
		return
	}
	inner := f.Titled(canvas.Frame{})
	end := p.drawTabs(f)
	foot := ""
	switch {
	case f.H() <= 1:
		p.drawPresent(f, end)
		return
	case p.view == asTime:
		foot = p.axis.draw(inner.Area, &p.list, p.screen.Log(), p.screen.Start())
		inner.Mouse(func(x, y int) { p.clickInTime(x, y, inner.W()) }, p.scroll)
	case p.view == asRuns:
		foot = p.runs.draw(inner, f.W()-end-4)
	case p.view == asCompared:
		foot = p.compared.Draw(inner, f.W()-end-4)
	case p.InLists():
		p.lists.Draw(inner)
	default:
		foot = p.list.draw(inner, p.screen.Log(), p.screen.Start())
		inner.Mouse(func(_, y int) { p.click(y) }, p.scroll)
	}
	if foot != "" && end+canvas.Width(foot)+4 <= f.W() {
		f.Right(f.W()-2, 0, canvas.Dim, " "+foot+" ")
	}
}

// drawPresent names the event on the screen in the title of the closed drawer, from cell x on.
func (p *Pane) drawPresent(f widget.Frame, x int) {
	e := p.screen.Selection().Event
	text := "nothing has run yet"
	if e != nil {
		text = f.Glyphs().Pointer + strconv.FormatInt(e.Seq, 10) + " " + explain.EventName(e)
		if place := explain.EventPlace(e); place != "" {
			text += " " + f.Glyphs().Dash + " " + place
		}
	}
	if width := f.W() - x - 4; width > 12 {
		f.Right(f.W()-2, 0, canvas.Dim, " "+canvas.Fit(text, width-2, f.Glyphs().Ellipsis)+" ")
	}
}

// scroll moves the selection by rows, as the wheel does.
func (p *Pane) scroll(rows int) { p.Move(rows, 0) }

// Handle implements [view.View]: it takes the keys that move the selection.
func (p *Pane) Handle(k keys.Press) bool { return view.MoveBy(k.Action, p.Page(), p.Move) }

// Page returns the number of rows that were on the screen when the pane was last drawn.
func (p *Pane) Page() int {
	switch {
	case p.view == asTable:
		return p.table.Page()
	case p.view == asRuns:
		return p.runs.Height()
	case p.view == asCompared:
		return p.compared.Page()
	case p.InLists():
		return p.lists.Page()
	case p.view == asList && p.filtered.on():
		return p.filtered.rows.Height()
	}
	return p.list.height
}

// Refresh implements [view.Pane]: it reads the timers, or compares what has happened since.
func (p *Pane) Refresh() {
	p.axis.timers = nil
	if p.lists != nil {
		p.lists.Refresh()
	}
	switch p.view {
	case asTime:
		timers := p.screen.Session().Timers()
		p.axis.timers = timers[:min(len(timers), maxTimers)]
	case asCompared:
		p.compared.Refresh()
	case asRuns:
		p.runs.read()
	default:
	}
}

// maxWords is how many of the newest events are looked through for words.
const maxWords = 10_000

// Words implements [view.Pane]: the states, errors and names of the events, the newest first.
func (p *Pane) Words() iter.Seq[string] {
	if p.InLists() {
		return p.lists.Words()
	}
	log := p.screen.Log()
	return func(yield func(string) bool) {
		var last *engine.Visit
		for i := log.Len() - 1; i >= max(log.First(), log.Len()-maxWords); i-- {
			e := log.At(i)
			if e.Visit != nil && e.Visit != last {
				if last = e.Visit; !yield(e.Visit.State.Name) {
					return
				}
			}
			if failure := e.Failure(); failure != nil && !yield(failure.Name) || !yield(explain.EventName(e)) {
				return
			}
		}
	}
}

// Find implements [view.Pane].
func (p *Pane) Find(text string, by int) (wrapped, ok bool) {
	p.read()
	if p.view == asCompared {
		return p.compared.Find(text, by)
	}
	if p.InLists() {
		return p.lists.Find(text, by)
	}
	if p.view == asList && p.filtered.on() {
		event, wrapped, ok := p.filtered.find(text, by, &p.list)
		if ok {
			p.screen.Inspect(event)
		}
		return wrapped, ok
	}
	if wrapped, ok = p.list.find(text, by, p.screen.Log()); ok {
		p.inspect()
	}
	return wrapped, ok
}

// Move selects an event by rows further, or moves along the tree of visits to the side.
func (p *Pane) Move(rows, cells int) {
	p.read()
	switch {
	case p.view == asRuns:
		p.runs.read()
		p.runs.List.Move(rows)
	case p.view == asCompared:
		p.compared.Move(rows, cells)
	case p.InLists():
		p.lists.Move(rows, cells)
	case p.empty():
		return
	case p.view == asTime:
		p.moveInTime(rows, cells)
	case p.view == asTable:
		p.table.Move(rows)
	case p.filtered.on():
		if event, ok := p.filtered.move(p.list.cursor, rows); ok && rows != 0 {
			p.screen.Inspect(event)
		}
	case rows != 0:
		p.list.move(rows)
		p.inspect()
	default:
		p.list.aside(cells)
		p.inspect()
	}
}

// moveInTime moves from event to event to the side, and from lane to lane up and down; more rows at once, a page or
// a turn of the wheel, pan along time.
func (p *Pane) moveInTime(rows, cells int) {
	last := p.screen.Log().Len() - 1
	switch {
	case cells < 0:
		p.screen.Inspect(max(p.list.cursor-1, 0))
	case cells > 0:
		p.screen.Inspect(min(p.list.cursor+1, last))
	case rows <= -widget.Far:
		p.screen.Inspect(0)
	case rows >= widget.Far:
		p.screen.Inspect(last)
	case rows == 1 || rows == -1:
		p.screen.Inspect(p.axis.turn(&p.list, rows))
	case rows < 0:
		p.axis.pan(-max(p.axis.cells/2, 1))
	default:
		p.axis.pan(max(p.axis.cells/2, 1))
	}
}

// click selects the event on line y of the list.
func (p *Pane) click(y int) {
	if p.read(); !p.empty() && y < p.list.height {
		p.list.selectAt(y)
		p.inspect()
	}
}

// clickInTime selects the event at x, y of the time axis, in a width.
func (p *Pane) clickInTime(x, y, width int) {
	if p.read(); p.empty() {
		return
	}
	if i := p.axis.hit(&p.list, p.screen.Start(), x, y, width); i != runlog.None {
		p.screen.Inspect(i)
	}
}

// inspect shows the event under the cursor.
func (p *Pane) inspect() { p.screen.Inspect(p.list.cursor) }

func (p *Pane) empty() bool { return p.screen.Log().Len() == 0 }

// Bindings implements [view.Pane].
func (p *Pane) Bindings() view.Bindings {
	focused := func() bool { return p.screen.Focused() == view.Drawer && !p.InLists() }
	var lists view.Bindings
	if p.lists != nil {
		lists = p.lists.Bindings()
	}
	return slices.Concat(p.tabBindings(), lists, p.tableBindings(), p.runBindings(), p.compareBindings(), view.Bindings{
		{
			Action:  keys.Now,
			Applies: func() bool { return focused() && p.filtering() },
			Run:     view.Run(func() { _ = p.setFilter("") }),
		},
		{Action: keys.Filter, Disabled: p.disabled, Run: p.filterBy},
		{Action: keys.Fold, Applies: focused, Run: view.Run(p.fold)},
		{Action: keys.GraphLarger, Bare: true, Applies: focused, Run: view.Run(func() { p.openOrScale(true) })},
		{Action: keys.GraphSmaller, Applies: focused, Run: view.Run(func() { p.openOrScale(false) })},
		{Action: keys.Look, Applies: func() bool { return focused() && p.elsewhere() }, Run: view.Run(p.goToSelected)},
		{Action: keys.TimelineMode, Run: view.Run(func() { p.show(asTime) })},
		{Action: keys.GoTo, Run: p.goTo, Disabled: p.disabled},
		{Action: keys.FindEvent, Disabled: p.disabled, Run: func(condition string) {
			if condition == "" {
				p.askForCondition()
				return
			}
			p.findEvent(condition)
		}},
	})
}

// disabled is the reason why no event can be selected.
func (p *Pane) disabled() string {
	if p.empty() {
		return "nothing has happened yet"
	}
	return ""
}

// goTo shows the event with a number, for which it asks where none is given.
func (p *Pane) goTo(number string) {
	count := p.screen.Log().Len()
	if number == "" {
		p.screen.AskFor(keys.GoTo, "Go to event (1-"+strconv.Itoa(count)+prompted(p.screen.Log())+"):", "", "")
		return
	}
	p.goToNamed(number)
}

// prompted says which other names events have.
func prompted(log *runlog.Log) string {
	if explain.HistoryID(log.At(log.First())) == "" {
		return ""
	}
	return ", or #id"
}

// goToNamed shows the event that a text names: a number, an id of Step Functions' history, or a cause that quotes one.
func (p *Pane) goToNamed(text string) {
	log, within := p.screen.Log(), engine.ThreadID(0)
	if selected := p.screen.Selection(); selected.Event != nil {
		within = selected.Event.HistoryThread()
	}
	index, err := log.Named(text, within)
	if err != nil {
		p.screen.Say(canvas.Bad, upper(err.Error())+".")
		return
	}
	p.screen.Inspect(index)
	if strings.Contains(text, "#") {
		event := log.At(index)
		message := "Event " + explain.EventNumber(event) + ": " + explain.EventName(event)
		if place := explain.EventPlace(event); place != "" {
			message += ", " + place
		}
		p.screen.Say(canvas.Plain, message+".")
	}
}

// upper returns a message with a capital at its beginning.
func upper(text string) string {
	return strings.ToUpper(text[:1]) + text[1:]
}

// elsewhere reports whether the run is elsewhere than after the selected event.
func (p *Pane) elsewhere() bool {
	return !p.empty() && !p.screen.Newest() && p.list.cursor+1 != p.screen.Session().Position()
}

// goToSelected brings the run to the selected event, back or ahead.
func (p *Pane) goToSelected() {
	session := p.screen.Session()
	session.GoTo(p.list.cursor + 1)
	p.screen.Sync()
	p.screen.Say(canvas.Plain, "At event "+strconv.Itoa(session.Position())+" of "+strconv.Itoa(session.Log().Len())+
		"; "+p.screen.Key(keys.StepStage)+" steps on from here.")
}

// fold folds the selected visit, branch or iteration, or opens it; on the time axis it leaves out the long
// stretches in which nothing happens, or draws them to scale.
func (p *Pane) fold() {
	if p.view == asTime {
		p.axis.whole, p.axis.cursor = !p.axis.whole, runlog.None
		if p.axis.whole {
			p.screen.Say(canvas.Plain, "All of the time is drawn to scale.")
		} else {
			p.screen.Say(canvas.Plain, "Long stretches in which nothing happens are left out.")
		}
		return
	}
	p.read()
	if p.empty() || !p.list.fold() {
		p.screen.Say(canvas.Warn, "This event belongs to no visit that could be folded.")
		return
	}
	p.inspect()
}

// openOrScale opens all visits, or folds them; on the time axis it zooms in or out.
func (p *Pane) openOrScale(larger bool) {
	if p.view == asTime {
		by := -1
		if larger {
			by = 1
		}
		if p.empty() || !p.axis.scale(by, int64(p.screen.Log().At(p.list.cursor).At().Sub(p.screen.Start()))) {
			p.screen.Say(canvas.Warn, "This is as far as the time axis goes.")
		}
		return
	}
	p.list.foldAll(larger)
	if larger {
		p.screen.Say(canvas.Plain, "Every visit is open.")
	} else {
		p.screen.Say(canvas.Plain, "Every visit is folded.")
	}
	if !p.empty() {
		p.inspect()
	}
}
