package screen

import (
	"slices"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/runlog/groups"
	"asldb/engine/source"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	comparepane "asldb/tui/pane/compare"
	"asldb/tui/pane/data"
	"asldb/tui/pane/events"
	"asldb/tui/pane/side"
	"asldb/tui/pane/states"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// ui is the screen of one session.
type ui struct {
	session *debug.Session
	title   string
	notice  func() string // see Options; nil: nobody has news
	// problems are the warnings about the definition.
	problems []source.Diagnostic
	start    time.Time
	bindings pane.Bindings
	// losses list what a person would lose by quitting now, one short phrase each.
	losses []func() []string
	panes  [pane.Count]pane.Pane
	keys   *keys.Map
	glyphs *canvas.Glyphs
	theme  *theme.Theme

	canvas *canvas.Canvas
	mode   mode
	places rects

	selection *pane.Selection
	following bool // the selection is the newest event
	data      *data.Pane
	states    *states.Pane
	events    *events.Pane
	groups    *groups.Index // the log as visits
	side      *side.Pane
	keeper    Keeper       // nil: nothing is kept
	draft     *dialog.Edit // what was typed for the data and not taken yet
	dialog    pane.Dialog
	// recorded is what the run is held against, nil where it is held against nothing; beside is the view of that, or
	// of two branches, as it was left.
	recorded *Recorded
	beside   *comparepane.View

	// running: a command goes on in steps, and paced: it waits for real time to pass.
	running, paced bool
	ticks          int // generation of the ticks: those of an older one do nothing
	lastTick       time.Time
	passing        passing
	log            *runlog.Log // of the branch that is shown
	asked          int64       // the newest request for which the question was opened

	live      calling
	nest      nesting
	options   Options // that it was made with
	needle    string  // what was last looked for
	condition string  // by which an event was last looked for
	messages  messages
	logged    toldMessage
	histories pane.Histories
	mouse     mouse
	effects   effects
	saving    saving
}

func newUI(session *debug.Session, o Options, look *theme.Theme) *ui {
	glyphs := canvas.Unicode()
	if o.ASCII {
		glyphs = canvas.ASCII()
	}
	u := &ui{
		session: session, title: o.Title, start: session.Options().Start,
		histories: pane.Histories{}, glyphs: glyphs, theme: look, canvas: canvas.New(1, 1, glyphs),
		following: true, keeper: o.Keeper, problems: o.Problems,
	}
	u.data = data.New(u.context(), data.Options{About: o.About, Limit: longCommand, Nested: u.nestWords, Reason: u.cutReason})
	u.states = states.New(u.context())
	u.panes = u.newPanes()
	if o.Table == nil {
		o.Table = keys.Default()
	}
	u.bindings, u.losses = u.allBindings(), []func() []string{u.unsavedAnswers}
	u.keys = o.Table.Only(u.bindings.Actions())
	if o.points == nil {
		o.points = &nestedPoints{files: make(map[string]*nestedFile), load: o.Nested}
	}
	u.options, u.nest.points = o, o.points
	if u.live.calls = o.Calls; o.Calls != nil {
		o.Calls.Hold(o.points.prepare)
	}
	u.remember(o.History)
	if u.title == "" {
		u.title = "asldb"
	}
	u.recorded = o.Recorded
	u.saving.write = o.Save
	u.sync()
	u.arrange(o.Arrangement)
	u.notice = o.Notice
	u.tellNotice()
	for _, note := range o.Notes {
		u.say(theme.Warn, note)
	}
	if n := len(u.problems); n > 0 {
		u.say(theme.Warn, u.glyphs.Warning+" "+explain.Plural(n, "warning", "warnings")+" about the definition: "+u.keys.Key(keys.Source)+" shows the text, "+u.keys.Key(keys.AddWatch)+" in it the next one")
	}
	if u.recorded != nil && u.recorded.Open {
		u.openBeside(0, 0)
	}
	return u
}

// arrange takes over what the person has configured.
func (u *ui) arrange(a Arrangement) {
	for i, percent := range [dividerCount]int{dividerGraph: a.GraphWidth, dividerLower: 100 - a.LowerHeight, dividerSide: 100 - a.SideWidth} {
		if percent > 0 && percent < 100 {
			u.mode.lines[i] = percent * whole / 100
		}
	}
	if p := slices.Index([]string{"data", "graph", "events", "side"}, a.Focus); p >= 0 {
		u.mode.focus = pane.ID(p)
	}
	for _, first := range []struct {
		action   keys.Action
		argument string
	}{{keys.DataView, a.View}, {keys.GraphLarger, a.Density}} {
		if first.argument != "" && first.argument != "auto" && u.keys.Has(first.action) && u.disabled(first.action) == "" {
			u.do(first.action, first.argument)
		}
	}
	u.messages = messages{}
}

func (u *ui) resize(w, h int) {
	u.canvas.Resize(w, h)
	u.mode.drawing = 0
	if u.places = layout(w, h, u.mode); w >= wideWidth && !u.mode.zoom && u.mode.lines[dividerGraph] == 0 {
		if upper := u.places.panes[pane.States]; !upper.Empty() {
			u.mode.drawing = u.states.Width(mostGraph(w)-graphFrame, upper.H-2)
			u.places = layout(w, h, u.mode)
		}
	}
}

func (u *ui) setMode(m mode) {
	u.mode = m
	u.resize(u.canvas.Size())
}

// focus moves the focus; a pane that is not on the screen comes onto it where the arrangement can.
func (u *ui) focus(p pane.ID) {
	m := u.mode
	m.focus = p
	u.setMode(m)
}

func (u *ui) zoom(on bool) {
	m := u.mode
	m.zoom = on
	u.setMode(m)
}

// present is the index of the event that the run stands at: the newest one, or the request of the task
// that it waits for.
func (u *ui) present() int {
	log := u.session.Log()
	last := u.session.Position() - 1
	if requests := u.session.Requests(); len(requests) > 0 && u.session.Stop().Reason == debug.StoppedForAnswer {
		for i := last; i >= max(0, last-pane.LookBack); i-- {
			if request, ok := log.At(i).Detail.(*engine.TaskRequest); ok && request == requests[0] {
				return i
			}
		}
	}
	return last
}

// look shows event index of the log.
func (u *ui) look(index int) {
	if log := u.session.Log(); log != u.log { // of another branch: nothing that is known of the events holds
		u.log, u.selection, u.asked = log, nil, 0
		u.noticeLogged()
		u.events.Reset()
	}
	index = min(index, u.session.Log().Len()-1)
	u.following = index == u.present()
	u.selection = pane.Select(u.session.Log(), index, u.selection)
	if u.selection.Event == nil {
		u.selection.After = u.session.Options().Input
	}
	u.events.Select(index, u.present())
	u.states.Show()
	u.data.Show()
}

// eventTime is the virtual time of the event that is looked at; before the first event it is the start.
func (u *ui) eventTime() time.Time {
	if u.selection.Event == nil {
		return u.start
	}
	return u.selection.Event.At()
}

// shownTime is the virtual time of what is looked at.
func (u *ui) shownTime() time.Time {
	if u.following || u.selection.Event == nil {
		return u.session.Now()
	}
	return u.selection.Event.At()
}

// sync brings everything up to date with a run that stands still.
func (u *ui) sync() {
	u.running, u.paced, u.live.awaited = false, false, false
	u.ticks++
	u.takeCalls()
	u.look(u.present())
	u.refresh()
	u.tellLogged()
	u.tellUnused()
	u.tellNotice()
}

// tellNotice says what the caller has to say.
func (u *ui) tellNotice() {
	if u.notice == nil {
		return
	}
	if text := u.notice(); text != "" {
		u.say(theme.Bad, text)
	}
}

// frame paints the screen and returns it.
func (u *ui) frame() string {
	u.paint()
	return u.canvas.Render(u.theme.Look)
}

func (u *ui) paint() {
	u.catchUp()
	u.canvas.Clear()
	u.mouse.reset()
	w, h := u.canvas.Size()
	all := u.canvas.Area(canvas.Rect{W: w, H: h})
	if u.places.tooSmall {
		all.Fit(0, 0, w, theme.Plain, "asldb needs 40x10 cells")
		return
	}
	u.drawStatus(u.canvas.Area(u.places.status))
	for p, rect := range u.places.panes {
		if !rect.Empty() {
			u.drawPane(pane.ID(p), u.canvas.Area(rect))
		}
	}
	if u.dialog != nil {
		u.mouse.reset() // what lies below cannot be clicked
		u.dialog.Draw(u.context(), all.Area(canvas.Rect{Y: 1, W: w, H: h - 1}))
	}
	switch {
	case u.messages.shown:
		u.messages.draw(all)
	case u.dialog == nil:
		u.drawHint(u.canvas.Area(u.places.hint))
	}
}
