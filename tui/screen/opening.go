package screen

import (
	"context"
	"fmt"
	"time"

	"asldb/engine/debug"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// Opening is a recorded run that is opened behind the first frame: the screen begins with a session that has none of
// its events.
type Opening struct {
	// Facts are lines about the recording, for the pane of events until there are events.
	Facts []string
	// Percent returns how much of the file has been read; it is called beside Open and Reread.
	Percent func() int
	// Open returns the session of the recording. Reread returns one of all recorded events, where executing the
	// recording again leads elsewhere. Both may take their time and are called beside everything else.
	Open, Reread func() Opened
	// Opened is set where the session of the screen is the recording's.
	Opened bool
	// Prepare is called with each session that replaces the first; it may be nil.
	Prepare func(*debug.Session)
	// Extend reads the lines that were added to the recording since; nil: it is over.
	Extend func() Extended
}

// Opened is a session to be shown in place of the one that the screen was opened with.
type Opened struct {
	Session *debug.Session
	// Notes are shown in the bottom line.
	Notes []string
	// Err is the reason why there is no session.
	Err error
}

// Extended is the part that was added to a recording that is followed.
type Extended struct {
	// Events and Inputs are the numbers of all that there are now.
	Events, Inputs int
	// Opened is the session to continue with, where the run went back to an earlier event; nil: the same.
	Opened *Opened
	// Err ends following.
	Err error
}

const (
	// openTickEvery is the time between two looks at the progress of opening, and extendEvery that between two looks at
	// a recording that is followed.
	openTickEvery = 50 * time.Millisecond
	extendEvery   = 100 * time.Millisecond
	// growBudget is how many steps of the engine a recording is executed on by between two looks at the keyboard.
	growBudget = 4096
)

// openingStage is how far a recording has been opened.
type openingStage uint8

const (
	opened    openingStage = iota // all is there
	indexing                      // Open reads the file
	rereading                     // Reread does
	growing                       // the session executes the recording
)

// opening opens a recording behind the screen.
type opening struct {
	contract
	of    *Opening // nil: there is none
	stage openingStage
	// followed is set while the recording may become longer.
	followed bool
	failed   string // the reason why it cannot be opened
	// toEnd: the user has asked for the end, which is not there yet. noted: the bottom line says how far the recording
	// is there.
	toEnd, noted bool
	lost         bool // the screen has said that events cannot be read any more
	move         func(a keys.Action)
	clear        func() // clears the bottom line
	failure      func() // goes to the failure of a run that has failed
}

// growth belongs to the session on the screen.
func (o *opening) growth() *debug.Growth { return debug.GrowthOf(o.Session()) }

// begin begins to open the recording.
func (o *opening) begin() {
	switch {
	case o.of == nil:
	case o.of.Opened:
		o.resume()
	default:
		o.stage = indexing
		o.read(o.of.Open)
	}
}

// read reads the recording behind the screen, and shows its progress.
func (o *opening) read(open func() Opened) {
	o.u.on.host.Go(func(context.Context) func() {
		opened := open()
		return func() { o.u.on.opened(opened) }
	})
	o.tick()
}

// tick looks at the progress again and again.
func (o *opening) tick() {
	o.u.on.host.After(openTickEvery, func(time.Time) {
		if o.u.on.ui == o.u && (o.stage == indexing || o.stage == rereading) {
			o.tick()
		}
	})
}

// extend looks for events that were added to the recording.
func (o *opening) extend() { later(o.u, extendEvery, o.of.Extend, o.u.on.extended) }

// resume continues with a session that replaces the first.
func (o *opening) resume() {
	o.followed = o.growth().Followed()
	if _, _, ok := o.growth().Progress(); ok {
		o.stage = growing
		o.u.again()
	}
	if o.followed {
		o.extend()
	}
	if s := o.Session(); o.followed && !s.AtEnd() { // what was there at first
		s.GoTo(s.Log().Len())
		o.Sync()
	}
}

// progress says how far the recording is there, "" where all of it is.
func (o *opening) progress() string {
	switch o.stage {
	case indexing:
		return fmt.Sprintf("indexing %d %%", o.of.Percent())
	case rereading:
		return fmt.Sprintf("reading the events %d %%", o.of.Percent())
	case growing:
		known, recorded, _ := o.growth().Progress()
		return fmt.Sprintf("running again %d %%", percent(known, recorded))
	case opened:
	}
	if o.followed && o.growth().Driven() {
		return "attached"
	}
	if o.followed {
		return "following"
	}
	return ""
}

func percent(part, whole int) int { return int(100 * int64(part) / int64(max(whole, 1))) }

// lines are the lines of the pane of events until there are events.
func (o *opening) lines() []string {
	switch {
	case o.failed != "":
		return []string{o.failed}
	case o.of == nil || o.stage == opened && !o.followed:
		return nil
	}
	return append([]string{o.progress()}, o.of.Facts...)
}

// grow executes the recording on, and shows its newest event where the screen shows that and the recording is followed.
func (o *opening) grow() {
	if o.stage != growing {
		return
	}
	s := o.Session()
	follows := o.followed && s.AtEnd() && o.Newest() && !o.Running()
	known := s.Log().Len()
	steps := o.growth().Grow(growBudget)
	if follows && !s.AtEnd() {
		s.GoTo(s.Log().Len())
		o.Sync()
	}
	if o.growth().Divergence() != nil {
		o.stage, o.followed = rereading, false
		o.read(o.of.Reread)
		return
	}
	if _, _, ok := o.growth().Progress(); ok && (!o.followed || steps == growBudget || s.Log().Len() > known) {
		o.u.again()
		return
	}
	o.stage = opened
	o.over()
	if o.Running() {
		return
	}
	o.Refresh()
	if o.noted {
		o.clear()
	}
	o.failure()
	if o.noted = false; o.toEnd {
		o.toEnd = false
		o.move(keys.Bottom)
	}
}

// losses says, once, that events of the recording cannot be read any more.
func (o *opening) losses() {
	if err := o.Session().Log().PageFault(); err != nil && !o.lost {
		o.lost = true
		o.Say(canvas.Bad, "Some events cannot be read from the trace any more, and are empty here: "+err.Error())
	}
}

// over ends following where the run is over.
func (o *opening) over() {
	if o.followed && !o.growth().Followed() {
		o.followed = false
		o.Say(canvas.Plain, "The run has ended: it is not followed any more.")
	}
}

// extended takes the part that was added to the recording.
func (o *opening) extended(e Extended) {
	switch {
	case !o.followed:
		return
	case e.Err != nil:
		o.followed = false
		o.Say(canvas.Bad, "The trace is not followed any more: "+e.Err.Error())
		return
	}
	o.growth().Lengthen(e.Events, e.Inputs)
	o.extend()
	if _, _, ok := o.growth().Progress(); ok && o.stage == opened {
		o.stage = growing
		o.u.again()
	}
}

// waits returns the reason against an action that needs events which are not there yet, or "".
func (o *opening) waits(a keys.Action) string {
	if o.stage != indexing && o.stage != rereading || needsNoEvents(a) || moves(a) && o.Focused() != view.Drawer {
		return ""
	}
	return o.progress()
}

// after says, behind an action that goes through all events, how many of them are there.
func (o *opening) after(a keys.Action) (note string) {
	o.toEnd, o.noted = false, false
	if o.stage != growing {
		return ""
	}
	switch a {
	case keys.GoTo, keys.FindEvent, keys.Filter, keys.Find, keys.FindNext, keys.FindPrevious, keys.Cause, keys.ComesFrom, keys.Coverage:
	case keys.Bottom:
		if o.toEnd = o.Focused() == view.Drawer; !o.toEnd {
			return ""
		}
	default:
		return ""
	}
	o.noted = true
	return o.progress()
}

// needsNoEvents reports whether an action is about the arrangement, the definition or the program.
func needsNoEvents(a keys.Action) bool {
	switch a {
	case keys.GraphLarger, keys.GraphSmaller, keys.Minimap, keys.DataView, keys.FoldAll, keys.Copy, keys.Source, keys.Zoom,
		keys.FocusNext, keys.FocusPrevious, keys.FocusData, keys.FocusGraph, keys.FocusEvents, keys.FocusSide, keys.NextTab, keys.PreviousTab,
		keys.DividerLeft, keys.DividerRight, keys.DividerUp, keys.DividerDown, keys.Prompt, keys.Palette, keys.Help, keys.Messages,
		keys.Redraw, keys.Suspend, keys.Quit, keys.Kill:
		return true
	default:
		return false
	}
}

// moves reports whether an action moves within a pane.
func moves(a keys.Action) bool {
	switch a {
	case keys.Up, keys.Down, keys.Left, keys.Right, keys.ScrollLeft, keys.ScrollRight, keys.PageUp, keys.PageDown, keys.Top, keys.Bottom,
		keys.Find, keys.FindNext, keys.FindPrevious:
		return true
	default:
		return false
	}
}

// opened takes the session of the recording that the screen was opened for. It waits for the end of a dialog, and of
// the sessions over this one.
func (s *Screen) opened(o Opened) {
	if (s.ui.dialog != nil || s.ui.nest.inner != nil) && o.Err == nil {
		s.later = &o
		return
	}
	s.later = nil
	first := s.ui
	if o.Err != nil {
		first.opening.stage, first.opening.failed = opened, o.Err.Error()
		first.say(canvas.Bad, o.Err.Error())
		return
	}
	options := first.nest.options
	if prepare := options.Opening.Prepare; prepare != nil {
		prepare(o.Session)
	}
	options.Notes, options.Notice, options.Check = o.Notes, nil, nil
	u := newUI(s, o.Session, options)
	u.opening.stage = opened
	u.reload.problems, u.layout.mode = first.reload.problems, first.layout.mode
	u.layout.resize(first.layout.size())
	s.ui = u
	u.opening.resume()
}

// extended takes the part that was added to a recording that is followed.
func (s *Screen) extended(e Extended) {
	if e.Opened != nil {
		s.opened(*e.Opened)
		s.ui.say(canvas.Plain, "The run went back to an earlier event: the newest what-if is followed.")
		return
	}
	s.ui.opening.extended(e)
}

// Followed reports whether the recording may become longer.
func (s *Screen) Followed() bool { return s.ui.opening.followed && s.ui.opening.of.Extend != nil }

// Extend looks at once for events that were added to a recording that is followed, where no time passes by itself.
func (s *Screen) Extend() { s.extended(s.ui.opening.of.Extend()) }
