package screen

import (
	"cmp"
	"context"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/data"
	"asldb/tui/view/dialog"
	"asldb/tui/view/events"
	"asldb/tui/view/side"
	"asldb/tui/view/states"
)

// ui is the screen of one session: the panes, and a type for each of its jobs.
type ui struct {
	session  *debug.Session
	start    time.Time
	notice   func() string // see Options; it may be nil
	bindings view.Bindings
	// losses return the unsaved work that quitting would lose, a short phrase each.
	losses []func() []string
	keys   *keys.Map
	glyphs *canvas.Glyphs

	log       *runlog.Log // of the fork that is shown
	selection *view.Selection
	following bool // the selection is the newest event
	aside     bool // the selection is another event, and the run stays where it is
	data      *data.Pane
	states    *states.Pane
	events    *events.Pane
	lists     *side.Lists

	dialog   view.View
	messages messages
	named    map[string]bool    // earlier keys that have named their command
	on       *Screen            // that shows it
	work     func() (more bool) // that is done between the keys; nil: there is none
	goesOn   bool               // work behind the screen will call advance

	layout    arrangement
	status    statusLine
	run       runner
	calls     calling
	nest      nesting
	answers   interventions
	saving    saving
	setups    setups
	prompts   prompts
	search    search
	forks     forks
	redrives  redrives
	origins   origins
	endings   endings
	logpoints logpoints
	jumps     jumps
	bookmarks bookmarks
	slices    slicing
	expect    expectations
	covers    coverages
	explores  explorations
	opening   opening
	reload    reloading
	fixing    fixing
}

func newUI(on *Screen, session *debug.Session, o Options) *ui {
	glyphs := canvas.Unicode()
	if o.ASCII {
		glyphs = canvas.ASCII()
	}
	if o.Words {
		glyphs = canvas.Words()
	}
	if o.Table == nil {
		o.Table = keys.Default()
	}
	o.Title = cmp.Or(o.Title, "asldb")
	if o.points == nil {
		o.points = &nestedPoints{files: make(map[string]*nestedFile), load: o.Nested}
	}
	u := &ui{on: on, session: session, start: session.Options().Start, glyphs: glyphs, following: true}
	c := u.context()
	polls := view.PollsOf(session.Machine().Definition())
	u.data = data.New(data.Screen{Shell: c, RunState: c, Selected: c, Control: c, Panes: c}, data.Options{
		About: o.About, Answers: o.Results.Known, Limit: longCommand, Nested: u.nest.words, Missed: u.origins.missed,
		Expected: u.expect.expected, Ran: u.nest.ranSession, Answerable: u.endings.answerable, Polls: polls,
		Recorded: func() bool { return u.events.Recorded() },
		Fix:      u.fixing.words, Grown: o.Grown != nil, Reason: u.status.cutReason, Unnoticed: o.Unnoticed,
		Problems: func() []source.Diagnostic { return u.reload.problems },
	})
	u.states = states.NewGraph(states.Screen{Shell: c, RunState: c, Selected: c, Control: c, Panes: c})
	u.states.Polls = polls
	u.wire(o)
	u.bindings, u.losses = u.allBindings(), []func() []string{u.saving.unsaved}
	u.keys = o.Table.Only(u.bindings.Actions())
	if o.Calls != nil {
		o.Calls.Hold(o.points.prepare)
	}
	u.prompts.restore(o.History)
	u.bookmarks.restore(o.Bookmarks)
	u.sync()
	u.arrange(o.Arrangement)
	u.notice = o.Notice
	u.showNotice()
	for _, note := range o.Notes {
		u.say(canvas.Warn, note)
	}
	u.endings.open()
	u.expect.open()
	if o.OpenExplored {
		u.explores.open()
	}
	if o.Back != "" && !u.messages.shown {
		u.say(canvas.Plain, u.keys.Key(keys.Now)+" goes back to "+o.Back+".")
	}
	if o.Opening != nil { // it tells how far it is
		u.layout.mode.Drawer = DrawerOpen
	}
	u.lint(o.Check)
	u.reload.watch()
	if o.Recorded != nil && o.Recorded.Open {
		u.layout.first = u.events.OpenRecorded
	}
	return u
}

// checked takes the warnings about the definition.
func (u *ui) checked(problems []source.Diagnostic) {
	u.reload.problems = problems
	told := u.log.Len() == 0 && !u.layout.places.Panes[view.Data].Empty() // the story has them
	if n := len(problems); n > 0 && !told {
		u.say(canvas.Warn, data.Warned(u.context(), n))
	}
	if u.run.running { // sync would stop it
		u.refresh()
		return
	}
	u.sync()
}

// wire makes the other panes and the types for the jobs of the screen, which know each other where one needs another.
func (u *ui) wire(o Options) {
	c := u.context()
	groups := runlog.New()
	if o.Recorded != nil && o.Recorded.Versions && o.Back != "" {
		o.Recorded.Leave = u.goBack
	}
	around := events.Screen{Shell: c, RunState: c, Selected: c, Control: c, Prompts: c, Panes: c}
	u.events = events.New(around, groups, o.Recorded)
	u.lists = side.New(side.Screen(around), groups)
	u.lists.Shown, u.lists.Open = u.events.InLists, u.events.Turn
	u.events.Add(u.lists)
	u.layout = arrangement{
		contract: c, w: 1, h: 1, places: Of(1, 1, Mode{}), states: u.states, data: u.data, leave: u.nest.leaveOrAsk, clear: u.messages.clear,
		panes: [view.Count]view.Pane{view.Data: u.data, view.States: u.states, view.Drawer: u.events},
	}
	u.expect = expectations{contract: c, of: o.Case, data: u.data, search: &u.search}
	u.covers = coverages{contract: c, profile: o.Profile, write: o.Save, title: func() string { return u.nest.title }, states: u.states, marks: u.marksOf}
	u.explores = explorations{contract: c, find: o.Explore, nest: &u.nest, slices: &u.slices, covers: &u.covers, write: o.Save}
	u.status = statusLine{contract: c, reload: &u.reload, calls: &u.calls, expect: &u.expect, nest: &u.nest, endings: &u.endings, size: u.layout.size}
	u.run = runner{
		contract: c, calls: &u.calls, nest: &u.nest, answers: &u.answers, reload: &u.reload, progress: u.progress,
	}
	u.calls = calling{contract: c, run: &u.run, nest: &u.nest, answers: &u.answers, calls: o.Calls}
	u.nest = nesting{contract: c, calls: &u.calls, answersTo: &u.answers, own: u, title: o.Title, options: o, points: o.points}
	u.answers = interventions{contract: c, calls: &u.calls, nest: &u.nest, endings: &u.endings, results: &o.Results, grown: o.Grown, resume: u.run.resume, compare: u.events.CompareRuns}
	u.saving = saving{contract: c, nest: &u.nest, write: o.Save, unused: o.Results.Unused}
	u.prompts = prompts{contract: c, histories: view.Histories{}, focused: u.layout.focused}
	u.setups = setups{contract: c, store: o.Setups, prompts: &u.prompts, marks: &u.bookmarks}
	u.search = search{contract: c, focused: u.layout.focused}
	u.reload = reloading{
		contract: c, of: o.Reload, forks: &u.forks, verdict: u.expect.sentence, run: &u.run,
	}
	u.fixing = fixing{contract: c, of: o.Reload, reload: &u.reload, forks: &u.forks, endings: &u.endings, show: func() { u.data.Show() }}
	u.forks = forks{contract: c, catchUp: u.catchUp, switched: u.logpoints.pass}
	u.redrives = redrives{contract: c, forks: &u.forks}
	u.jumps = jumps{contract: c}
	u.bookmarks = bookmarks{contract: c, jumps: &u.jumps}
	u.events.Bookmarked, u.events.Bookmarks = u.bookmarks.at, u.bookmarks.shown
	u.origins = origins{contract: c, data: u.data, ending: u.endings.shown, slices: &u.slices}
	u.slices = slicing{contract: c}
	u.endings = endings{contract: c, nested: u.nest.ranSession}
	u.logpoints = logpoints{contract: c}
	u.opening = opening{
		contract: c, of: o.Opening, move: u.act, clear: u.messages.clear, failure: u.endings.open,
	}
	u.status.opening, u.events.Opening = &u.opening, u.opening.lines
}

// arrange takes over the arrangement that the user has configured.
func (u *ui) arrange(a Arrangement) {
	u.layout.arrange(a)
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

// progress shows the position of a running command.
func (u *ui) progress() {
	u.catchUp()
	u.events.Select(u.session.Position()-1, u.present())
}

// refresh computes the content of the panes that is not computed for each frame.
func (u *ui) refresh() {
	u.catchUp()
	for _, p := range u.layout.panes {
		p.Refresh()
	}
	u.layout.settle()
}

// present is the index of the event that the run is at: the newest one, or the request of the task
// that it waits for.
func (u *ui) present() int {
	log := u.session.Log()
	last := u.session.Position() - 1
	if requests := u.session.Requests(); len(requests) > 0 && u.session.Stop().Reason == debug.StoppedForAnswer {
		for i := last; i >= max(0, last-view.LookBack); i-- {
			if request, ok := log.At(i).Detail.(*engine.TaskRequest); ok && request.ID == requests[0].ID {
				return i
			}
		}
	}
	return last
}

// showEvent shows event index of the log.
func (u *ui) showEvent(index int) {
	if log := u.session.Log(); log != u.log { // of another fork, with other events
		u.log, u.selection, u.answers.asked, u.answers.askedObject = log, nil, 0, 0
		u.logpoints.forget()
		u.events.Reset()
		u.states.Follow()
	}
	index = min(index, u.session.Log().Len()-1)
	u.following, u.aside = index == u.present(), false
	u.selection = view.Select(u.session.Log(), index, u.selection)
	if u.selection.Event == nil {
		u.selection.After = u.session.Options().Input
	}
	u.events.Select(index, u.present())
	u.states.Show()
	u.data.Show()
}

// sync brings everything up to date with a run that has stopped.
func (u *ui) sync() {
	u.run.stop()
	u.calls.take()
	u.expect.follow()
	u.showEvent(u.present())
	if u.session.Log().Len() == 0 && u.data.View() == data.Definition {
		u.data.Text().Close() // a run that begins again shows its data, too
	}
	u.refresh()
	u.logpoints.report()
	u.saving.reportUnused()
	u.fixing.consider()
	u.answers.compareWhatIf()
	u.showNotice()
}

// showNotice shows the message of the program around the screen, if there is one.
func (u *ui) showNotice() {
	if u.notice == nil {
		return
	}
	if text := u.notice(); text != "" {
		u.say(canvas.Bad, text)
	}
}

// paint paints the screen.
func (u *ui) paint(all canvas.Area) {
	u.catchUp()
	u.opening.losses()
	l := &u.layout
	l.mouse.Reset()
	w, h := all.W(), all.H()
	if l.places.TooSmall {
		all.Fit(0, 0, w, canvas.Plain, "asldb needs 40x10 cells")
		return
	}
	u.status.drawStatus(all.Area(l.places.Status))
	l.drawLine(all)
	for p, rect := range l.places.Panes {
		if !rect.Empty() {
			l.panes[p].Draw(l.mouse.Frame(all.Area(rect), l.mode.Focus == view.ID(p) && u.dialog == nil))
		}
	}
	if u.dialog != nil {
		l.mouse.Reset() // nothing below the dialog can be clicked
		u.dialog.Draw(l.mouse.Frame(all.Area(canvas.Rect{Y: 1, W: w, H: h - 1}), true))
	}
	switch {
	case u.messages.shown:
		message := all
		switch u.dialog.(type) {
		case *dialog.Prompt, *dialog.CheckedPrompt: // they have the bottom line
			message = all.Area(canvas.Rect{W: w, H: 2})
		}
		u.messages.draw(message)
	case u.dialog == nil:
		u.status.drawHint(l.mouse.Frame(all.Area(l.places.Hint), false))
	}
}

// again asks for [ui.advance], after other messages have been handled.
func (u *ui) again() {
	if !u.goesOn {
		u.goesOn = true
		u.on.host.Go(func(context.Context) func() { return u.advance })
	}
}

// advance carries on the work between the keys.
func (u *ui) advance() {
	u.goesOn = false
	switch {
	case u.work == nil:
	case u.work():
		u.again()
	default:
		u.work = nil
	}
	u.run.advance()
	u.slices.next()
	u.opening.grow()
	u.on.late()
}

// checkAfter is the time after which a definition is checked: the first frame of a large one comes before.
const checkAfter = 30 * time.Millisecond

// lint looks for the problems of the definition behind the screen; find may be nil.
func (u *ui) lint(find func() []source.Diagnostic) {
	if find == nil {
		return
	}
	u.on.host.After(checkAfter, func(time.Time) {
		u.on.host.Go(func(context.Context) func() {
			problems := find()
			return func() { u.on.ui.checked(problems) }
		})
	})
}

// later calls a function behind the screen after a time, and then gives its result to then, unless another session is
// shown by now.
func later[T any](u *ui, d time.Duration, look func() T, then func(T)) {
	u.on.host.After(d, func(time.Time) {
		if u.on.ui != u {
			return
		}
		u.on.host.Go(func(context.Context) func() {
			found := look()
			return func() {
				if u.on.ui == u {
					then(found)
				}
			}
		})
	})
}

// suspend stops the program, as the key Ctrl+Z does in a shell.
func (u *ui) suspend() {
	u.on.host.Suspend(func(reason string) { u.say(canvas.Warn, reason) })
}

// standAt brings the run to event index and looks at it.
func (u *ui) standAt(index int) {
	u.session.GoTo(index + 1)
	u.sync()
	if u.selection.Index != index { // it happened together with others
		u.showEvent(index)
	}
}

// catchUp shows the present of the branch that the session has gone over to, where that is another than the one that is
// shown: the selection, the events and the question about a task were the other one's. Whatever reads
// u.selection for the newest of the screen comes after it.
func (u *ui) catchUp() {
	if u.session.Log() != u.log {
		u.showEvent(u.present())
	}
}
