package screen

import (
	"strconv"
	"sync"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/fixtures/live"
	"asldb/fixtures/livekind"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/notes"
	"asldb/tui/part/theme"
)

// nesting is what a screen knows of the executions that tasks start: each is shown on a screen of its own, which lies
// over that of the task.
type nesting struct {
	outer *ui         // nil: the first screen
	child *live.Child // what is shown here; nil on the first screen
	// points are the breakpoints and watches of executions.
	points *nestedPoints
	// behind are screens of executions that are over in which something is not saved.
	behind []*ui
}

func (u *ui) nestBindings() pane.Bindings {
	return pane.Bindings{{Action: keys.StepInto, Run: plainly(u.stepInto), Disabled: func() string {
		if at, _ := u.nestedHere(); at == nestNone {
			return "no task here runs another definition (asldb in the fixtures)"
		}
		return ""
	}}}
}

// nestPlace says how the moment stands to an execution that a task starts.
type nestPlace uint8

const (
	nestNone  nestPlace = iota
	nestAhead           // a task that has not come to its request yet
	nestHeld            // it has not begun
	nestOver            // it has answered the task
)

// nestedHere looks for an execution that is started where the person looks.
func (u *ui) nestedHere() (nestPlace, *engine.TaskRequest) {
	calls, visit := u.live.calls, u.selection.Visit
	if calls == nil || u.running {
		return nestNone, nil
	}
	request := u.requestBefore(visit, u.selection.Index)
	switch {
	case request != nil && calls.Ran(request) != nil:
		return nestOver, request
	case request != nil && u.session.AtEnd() && calls.Held(request.ID) != nil:
		return nestHeld, request
	case !u.following || !u.session.AtEnd() || u.session.ReadOnly():
		return nestNone, nil
	case request == nil && visit != nil && visit.State.Type == asl.Task && !u.session.Status().Done():
		return nestAhead, nil
	}
	for _, id := range u.session.Calls().Open() {
		if request := calls.Held(id); request != nil {
			return nestHeld, request
		}
	}
	return nestNone, nil
}

// requestBefore is the newest request of a visit up to an event, or nil.
func (u *ui) requestBefore(visit *engine.Visit, index int) *engine.TaskRequest {
	if visit == nil {
		return nil
	}
	for i := index; i >= int(visit.Entered); i-- {
		if request, ok := u.session.Log().At(i).Detail.(*engine.TaskRequest); ok && request.Visit == visit {
			return request
		}
	}
	return nil
}

func (u *ui) stepInto() {
	at, request := u.nestedHere()
	if at == nestAhead {
		u.goToRequest(u.selection.Visit)
		if at, request = u.nestedHere(); at == nestNone || at == nestAhead {
			u.say(theme.Warn, "No other definition is run here (asldb in the fixtures).")
			return
		}
	}
	switch at {
	case nestHeld:
		u.openHeld(request)
	case nestOver:
		child := u.live.calls.Ran(request)
		child.Session.MakeReadOnly()
		for _, inner := range u.nest.behind {
			if inner.nest.child == child {
				inner.resize(u.canvas.Size())
				inner.sync()
				u.effects.screen = inner
				return
			}
		}
		child.Session.GoTo(child.Session.Log().Len())
		u.open(child)
	}
}

// openHeld opens the execution of a task that waits for it.
func (u *ui) openHeld(request *engine.TaskRequest) {
	child, failure, err := u.live.calls.Open(request.ID)
	switch {
	case err != nil:
		err = u.session.Calls().Fault(request.ID, err)
		u.sync()
	case failure != nil:
		err = u.session.Calls().Arrived(request.ID, *failure, livekind.Nested.String())
		u.sync()
	case child != nil:
		child.Session.SetClock(u.session.Clock())
		child.Session.SetInterrupt(u.session.Options().Interrupt)
		u.open(child)
	}
	if err != nil {
		u.say(theme.Bad, err.Error())
	}
}

// openStanding opens the execution that stands still and waits for the person: at a question, a breakpoint or a fault,
// or because it was interrupted. It reports whether there is one.
func (u *ui) openStanding() bool {
	child := u.live.calls.Standing()
	if child == nil {
		return false
	}
	u.sync()
	u.openHeld(child.Request)
	inner := u.effects.screen
	if inner == nil {
		return true
	}
	inner.listen()
	switch stop := child.Session.Stop(); stop.Reason {
	case debug.StoppedForCall:
		inner.openStanding()
	case debug.StoppedAtStart:
		inner.say(theme.Plain, "Attempt "+strconv.Itoa(child.Request.Attempt)+" of "+explain.PlaceName(child.Request.Visit)+", which you have stepped into.")
	default:
		inner.askIfNeeded()
	}
	return true
}

// mostStages is more than a task has stages before its request.
const mostStages = 32

// goToRequest steps on to where the task of a visit is asked for.
func (u *ui) goToRequest(visit *engine.Visit) {
	for range mostStages {
		stop, err := u.session.Do(debug.Command{Kind: debug.StepThread, Thread: visit.Thread, Events: longCommand})
		if err != nil {
			u.say(theme.Bad, err.Error())
			break
		}
		last := u.session.Log().At(u.session.Position() - 1)
		if stop.Reason != debug.StoppedByStep || last.Visit != visit || u.requestBefore(visit, u.session.Position()-1) != nil {
			break
		}
	}
	u.sync()
	u.listen()
	u.askIfNeeded()
}

// open shows an execution on a screen over this one.
func (u *ui) open(child *live.Child) {
	o := u.options
	o.Title, o.Calls, o.Unused, o.points = child.Title, child.Calls, child.Unused, u.nest.points
	o.About = []string{"This execution was started by " + explain.PlaceName(child.Request.Visit) + " of " + u.title + ", and answers it when it ends; " + u.keys.Key(keys.Now) + " leaves it."}
	o.Notice, o.Notes, o.Recorded, o.Problems, o.Keeper, o.History = nil, nil, nil, nil, u.nest.points.keeper(child.File), nil
	child.Session.SetInterrupt(u.session.Options().Interrupt)
	inner := newUI(child.Session, o, u.theme)
	inner.nest = nesting{outer: u, child: child, points: u.nest.points}
	inner.histories, inner.ticks = u.histories, u.ticks+1 // ticks of the screen below mean nothing here
	inner.mode = u.mode
	inner.resize(u.canvas.Size())
	u.effects.screen = inner
}

// leave goes back to the screen of the task.
func (u *ui) leave() (outer *ui) {
	outer = u.nest.outer
	if u.answers() {
		u.nest.points.put(u.nest.child.File, breakpoint.SetupOf(u.session.Breakpoints(), u.session.Watches()))
		u.live.calls.Reset()
		outer.live.calls.Forget(u.nest.child.Request.ID)
	}
	outer.ticks = u.ticks + 1
	outer.resize(u.canvas.Size())
	u.effects = effects{screen: outer}
	return outer
}

// giveBack lets an execution that is over answer its task. It reports whether it did.
func (u *ui) giveBack() bool {
	child := u.nest.child
	if child == nil || !u.answers() || !u.session.AtEnd() || !u.session.Status().Done() {
		return false
	}
	outcome := child.Answer()
	word, _ := u.outcome()
	outer := u.leave()
	if len(u.unsavedHere()) > 0 {
		outer.nest.behind = append(outer.nest.behind, u)
	}
	if err := outer.session.Calls().Arrived(child.Request.ID, outcome, livekind.Nested.String()); err != nil {
		outer.say(theme.Bad, err.Error())
		return true
	}
	outer.live.calls.Ended(child)
	outer.sync()
	outer.say(theme.Plain, child.Title+" "+word+" after "+explain.Duration(u.session.Now().Sub(u.start))+" and answers "+explain.PlaceName(child.Request.Visit)+"; "+
		u.keys.Key(keys.StepInto)+" looks back.")
	return true
}

// answers reports whether the task that has started the execution still waits for it.
func (u *ui) answers() bool {
	request := u.nest.child.Request
	return !u.session.ReadOnly() && u.nest.outer.live.calls.Held(request.ID) == request
}

// leaveOrAsk goes back where nothing can be lost by it, and asks otherwise. It does nothing where there is something
// else to come back from.
func (u *ui) leaveOrAsk() bool {
	switch {
	case u.nest.outer == nil || !u.following || u.mode.zoom:
		return false
	case !u.answers():
		u.leave()
	default:
		u.openLeave()
	}
	return true
}

// openLeave asks what becomes of an execution that is not over.
func (u *ui) openLeave() {
	request := u.nest.child.Request
	u.dialog = &dialog.Leave{Title: u.nest.child.Title, Choices: []dialog.Item{
		{Key: "f", Text: "finish it: run it to its end, which answers the task", Do: func() { u.begin(debug.Command{Kind: debug.StepOut}) }},
		{Key: "x", Text: "answer the task otherwise; what was done here is forgotten", Do: func() { u.leave().ask(request) }},
		{Key: "l", Text: "leave it: the task waits, and what was done here is forgotten", Do: func() {
			u.leave().say(theme.Warn, explain.PlaceName(request.Visit)+" still waits; "+u.keys.Key(keys.StepInto)+" steps into it from its beginning.")
		}},
	}}
}

// trail is the way to this screen: the definitions and the tasks that lead to it.
func (u *ui) trail() string {
	if u.nest.outer == nil {
		return ""
	}
	outer := u.nest.outer
	return outer.trail() + outer.title + " " + u.glyphs.Descends + " " + u.nest.child.Request.Visit.Path() + " " + u.glyphs.To + " "
}

// root is the first screen.
func (u *ui) root() *ui {
	for u.nest.outer != nil {
		u = u.nest.outer
	}
	return u
}

// nestWords says that there is an execution to step into, or to look into.
func (u *ui) nestWords() []notes.Paragraph {
	at, request := u.nestedHere()
	key := u.keys.Key(keys.StepInto)
	switch {
	case at == nestHeld && request.Visit == u.selection.Visit:
		return []notes.Paragraph{{Style: theme.Warn, Text: u.glyphs.Pointer + " This task runs another definition: " + key + " steps into it, any other step runs it to its end.", Indent: 2}}
	case at == nestOver:
		return []notes.Paragraph{{Style: theme.Dim, Text: u.live.calls.Ran(request).Title + " was run for this task: " + key + " looks into its run.", Indent: 2}}
	}
	return nil
}

// looksInto reports whether there is an execution to step into or to look into.
func (u *ui) looksInto() bool {
	at, _ := u.nestedHere()
	return at == nestHeld || at == nestOver
}

// nestedPoints are the breakpoints and watches of executions that tasks start, by the definition's file: those that the
// person has set in an earlier one of the same definition, or when it was debugged by itself. They hold whoever
// starts it.
type nestedPoints struct {
	mu    sync.Mutex
	files map[string]*nestedFile
	load  func(file string, session *debug.Session) Keeper // see Options.Nested; it may be nil
}

type nestedFile struct {
	kept   breakpoint.Setup
	keeper Keeper // nil: nothing is kept
}

// prepare sets them in an execution of which nothing has run. It is called from several goroutines.
func (p *nestedPoints) prepare(child *live.Child) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.files[child.File]; known != nil {
		known.kept.Restore(child.Session.Breakpoints(), child.Session.Watches())
		return
	}
	file := &nestedFile{}
	if p.load != nil {
		file.keeper = p.load(child.File, child.Session)
		file.kept = breakpoint.SetupOf(child.Session.Breakpoints(), child.Session.Watches())
	}
	p.files[child.File] = file
}

// put takes over what the person has made of them.
func (p *nestedPoints) put(file string, kept breakpoint.Setup) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.files[file] == nil {
		p.files[file] = &nestedFile{}
	}
	p.files[file].kept = kept
}

func (p *nestedPoints) keeper(file string) Keeper {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.files[file]; known != nil {
		return known.keeper
	}
	return nil
}
