package screen

import (
	"slices"
	"strconv"
	"sync"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/outcome"
	"asldb/fixtures/live"
	"asldb/internal/explore"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// nesting has the executions that tasks start: each is shown on its own screen, which is over the task's.
type nesting struct {
	contract
	calls     *calling
	answersTo *interventions
	own       *ui // this screen
	title     string
	options   Options      // that the screen was made with
	outer     *ui          // nil: the first screen
	inner     *ui          // over this one; nil: this one has the keys
	child     *live.Child  // the execution on this screen; nil on the first, and of a run with a fault
	explored  *explore.Run // the run with a fault on this screen; nil: it is another
	// points are the breakpoints and watches of executions.
	points *nestedPoints
	// behind are screens of executions that are over in which something is not saved.
	behind []*ui
}

func (ns *nesting) bindings() view.Bindings {
	return view.Bindings{{Action: keys.StepInto, Run: plainly(ns.stepInto), Disabled: func() string {
		if at, _ := ns.nestedHere(); at == nestNone {
			return "no task here runs another definition (asldb in the fixtures)"
		}
		return ""
	}}}
}

// nestPlace says whether the moment is before, in or after an execution that a task starts.
type nestPlace uint8

const (
	nestNone  nestPlace = iota
	nestAhead           // a task that has not come to its request yet
	nestHeld            // it has not begun
	nestOver            // it has answered the task
)

// nestedHere looks for an execution that is started where the user looks.
func (ns *nesting) nestedHere() (nestPlace, *engine.TaskRequest) {
	calls, visit := ns.calls.calls, ns.Selection().Visit
	if calls == nil || ns.Running() {
		return nestNone, nil
	}
	request := ns.requestBefore(visit, ns.Selection().Index)
	switch {
	case request != nil && calls.Ran(request) != nil:
		return nestOver, request
	case request != nil && ns.Session().AtEnd() && calls.Held(request.ID) != nil:
		return nestHeld, request
	case !ns.Newest() || !ns.Session().AtEnd() || ns.Session().ReadOnly():
		return nestNone, nil
	case request == nil && visit != nil && visit.State.Type == asl.Task && !ns.Session().Status().Done():
		return nestAhead, nil
	}
	for _, id := range ns.Session().Calls().Open() {
		if request := calls.Held(id); request != nil {
			return nestHeld, request
		}
	}
	return nestNone, nil
}

// requestBefore is the newest request of a visit up to an event, or nil.
func (ns *nesting) requestBefore(visit *engine.Visit, index int) *engine.TaskRequest {
	if visit == nil {
		return nil
	}
	for i := index; i >= int(visit.Entered); i-- {
		if request, ok := ns.Session().Log().At(i).Detail.(*engine.TaskRequest); ok && request.Visit == visit {
			return request
		}
	}
	return nil
}

func (ns *nesting) stepInto() {
	at, request := ns.nestedHere()
	if at == nestAhead {
		ns.goToRequest(ns.Selection().Visit)
		if at, request = ns.nestedHere(); at == nestNone || at == nestAhead {
			ns.Say(canvas.Warn, "No other definition is run here (asldb in the fixtures).")
			return
		}
	}
	switch at {
	case nestHeld:
		ns.openHeld(request)
	case nestOver:
		child := ns.calls.calls.Ran(request)
		child.Session.MakeReadOnly()
		for _, inner := range ns.behind {
			if inner.nest.child == child {
				ns.show(inner)
				return
			}
		}
		child.Session.GoTo(child.Session.Log().Len())
		ns.open(child)
	case nestNone, nestAhead:
	}
}

// openHeld opens the execution of a task that waits for it.
func (ns *nesting) openHeld(request *engine.TaskRequest) {
	child, failure, err := ns.calls.calls.Open(request.ID)
	switch {
	case err != nil:
		err = ns.Session().Calls().Fault(request.ID, err)
		ns.Sync()
	case failure != nil:
		err = ns.Session().Calls().Arrived(request.ID, *failure, outcome.Nested.String())
		ns.Sync()
	case child != nil:
		child.Session.SetClock(ns.Session().Clock())
		child.Session.SetInterrupt(ns.Session().Options().Interrupt)
		ns.open(child)
	}
	if err != nil {
		ns.Say(canvas.Bad, err.Error())
	}
}

// openStanding opens the execution that has stopped and waits for the user: at a question, a breakpoint or a fault,
// or because it was interrupted. It reports whether there is one.
func (ns *nesting) openStanding() bool {
	child := ns.calls.calls.Standing()
	if child == nil {
		return false
	}
	ns.Sync()
	if ns.inner != nil {
		return true
	}
	ns.openHeld(child.Request)
	inner := ns.inner
	if inner == nil {
		return true
	}
	inner.calls.listen()
	switch stop := child.Session.Stop(); stop.Reason {
	case debug.StoppedForCall:
		inner.nest.openStanding()
	case debug.StoppedAtStart:
		inner.say(canvas.Plain, "Attempt "+strconv.Itoa(child.Request.Attempt)+" of "+explain.PlaceName(child.Request.Visit)+", which you have stepped into.")
	default:
		inner.answers.askIfNeeded()
	}
	return true
}

// mostStages is more than a task has stages before its request.
const mostStages = 32

// goToRequest steps on to where the task of a visit is asked for.
func (ns *nesting) goToRequest(visit *engine.Visit) {
	for range mostStages {
		stop, err := ns.Session().Do(debug.Command{Kind: debug.StepThread, Thread: visit.Thread, Events: longCommand})
		if err != nil {
			ns.Say(canvas.Bad, err.Error())
			break
		}
		last := ns.Session().Log().At(ns.Session().Position() - 1)
		if stop.Reason != debug.StoppedByStep || last.Visit != visit || ns.requestBefore(visit, ns.Session().Position()-1) != nil {
			break
		}
	}
	ns.Sync()
	ns.calls.listen()
	ns.answersTo.askIfNeeded()
}

// open shows an execution on a screen over this one.
func (ns *nesting) open(child *live.Child) {
	o := ns.options
	o.Title, o.Calls, o.points, o.Results = child.Title, child.Calls, ns.points, Results{Unused: child.Unused}
	o.About = []string{"This execution was started by " + explain.PlaceName(child.Request.Visit) + " of " + ns.title + ", and answers it when it ends; " + ns.Key(keys.Now) + " leaves it."}
	o.Notice, o.Notes, o.Recorded, o.Check, o.Setups, o.History, o.Bookmarks = nil, nil, nil, nil, ns.points.store(child.File), nil, nil
	o.Explore, o.OpenExplored, o.Reload, o.Grown = nil, false, nil, nil
	child.Session.SetInterrupt(ns.Session().Options().Interrupt)
	inner := ns.over(child.Session, o)
	inner.nest.child, inner.nest.points = child, ns.points
}

// over shows a session over this screen.
func (ns *nesting) over(session *debug.Session, o Options) *ui {
	ns.own.on.host.Push(func(host view.Host) view.View {
		s := &Screen{host: host}
		ns.inner = newUI(s, session, o)
		s.ui, ns.inner.nest.outer = ns.inner, ns.own
		ns.inner.prompts.histories, ns.inner.layout.mode = ns.own.prompts.histories, ns.own.layout.mode
		return s
	}, nil)
	return ns.inner
}

// show shows a screen again that was left.
func (ns *nesting) show(inner *ui) {
	ns.own.on.host.Push(func(host view.Host) view.View {
		inner.on.host, ns.inner = host, inner
		return inner.on
	}, nil)
	inner.sync()
}

// openExplored shows a run with a fault on a screen over this one.
func (ns *nesting) openExplored(session *debug.Session, run *explore.Run) {
	o := ns.options
	o.Calls, o.Results, o.Notice, o.Notes, o.Recorded, o.Case, o.Check, o.Setups, o.History, o.Bookmarks = nil, Results{}, nil, nil, nil, nil, nil, nil, nil, nil
	o.Explore, o.OpenExplored, o.Reload, o.Grown = nil, false, nil, nil
	o.About = []string{"This run was explored: " + run.Describe() + ". " + ns.Key(keys.Now) + " goes back to the faults."}
	session.SetInterrupt(ns.Session().Options().Interrupt)
	inner := ns.over(session, o)
	inner.nest.explored = run
	inner.saving.markSaved()
	inner.say(canvas.Plain, wording.Line(run.Describe())+": "+ns.Key(keys.Now)+" goes back to the faults.")
}

// openBehind shows a run with a fault again in which something is not saved. It reports whether there is one.
func (ns *nesting) openBehind(run *explore.Run) bool {
	for _, inner := range ns.behind {
		if inner.nest.explored == run {
			ns.show(inner)
			return true
		}
	}
	return false
}

// leave goes back to the screen of the task, or to the faults.
func (ns *nesting) leave() (outer *ui) {
	outer = ns.outer
	if ns.explored != nil && len(ns.own.unsavedHere()) > 0 && !slices.Contains(outer.nest.behind, ns.own) {
		outer.nest.behind = append(outer.nest.behind, ns.own)
	}
	if ns.isAwaited() {
		ns.points.put(ns.child.File, breakpoint.SetupOf(ns.Session().Breakpoints(), ns.Session().Watches()))
		ns.calls.calls.Reset()
		outer.calls.calls.Forget(ns.child.Request.ID)
	}
	outer.nest.inner = nil
	outer.again() // for a session that has waited for the end of this one
	ns.own.on.host.End(nil)
	return outer
}

// giveBack lets an execution that is over answer its task. It reports whether it did.
func (ns *nesting) giveBack() bool {
	child := ns.child
	if child == nil || !ns.isAwaited() || !ns.Session().AtEnd() || !ns.Session().Status().Done() {
		return false
	}
	answer := child.Answer()
	word, _ := ns.own.status.outcome()
	outer := ns.leave()
	if len(ns.own.unsavedHere()) > 0 {
		outer.nest.behind = append(outer.nest.behind, ns.own)
	}
	if err := outer.session.Calls().Arrived(child.Request.ID, answer, outcome.Nested.String()); err != nil {
		outer.say(canvas.Bad, err.Error())
		return true
	}
	outer.calls.calls.Ended(child)
	// The command that waited for this execution ends here.
	outer.run.stop()
	outer.session.GoTo(outer.session.Log().Len())
	outer.sync()
	outer.say(canvas.Plain, child.Title+" "+word+" after "+wording.Duration(ns.Session().Now().Sub(ns.Start()))+" and answers "+explain.PlaceName(child.Request.Visit)+"; "+
		ns.Keys().Any(keys.StepInto)+" looks back.")
	return true
}

// isAwaited reports whether the task that has started the execution still waits for it.
func (ns *nesting) isAwaited() bool {
	if ns.child == nil {
		return false
	}
	request := ns.child.Request
	return !ns.Session().ReadOnly() && ns.outer.calls.calls.Held(request.ID) == request
}

// leaveOrAsk goes back where nothing can be lost by it, and asks otherwise. It does nothing where there is something
// else to come back from.
func (ns *nesting) leaveOrAsk() bool {
	switch {
	case ns.explored != nil && ns.Session().ReadOnly() && !ns.own.layout.mode.Zoom:
		ns.leave()
	case ns.outer == nil && ns.options.Back != "" && !earlier(ns.contract) && !ns.own.layout.mode.Zoom:
		ns.own.goBack()
	case ns.outer == nil || earlier(ns.contract) || ns.own.layout.mode.Zoom:
		return false
	case !ns.isAwaited():
		ns.leave()
	default:
		ns.openLeave()
	}
	return true
}

// openLeave opens the question about an execution that is not over.
func (ns *nesting) openLeave() {
	request := ns.child.Request
	ns.Open(&dialog.Leave{Screen: ns, Title: ns.child.Title, Choices: []dialog.Item{
		{Key: "f", Text: "finish it: run it to its end, which answers the task", Do: func() { ns.Begin(debug.Command{Kind: debug.StepOut}) }},
		{Key: "x", Text: "answer the task otherwise; what was done here is forgotten", Do: func() { ns.leave().answers.ask(request) }},
		{Key: "l", Text: "leave it: the task waits, and what was done here is forgotten", Do: func() {
			ns.leave().say(canvas.Warn, explain.PlaceName(request.Visit)+" still waits; "+
				ns.Keys().Any(keys.StepInto)+" steps into it from its beginning.")
		}},
	}})
}

// trail is the way to this screen: the definitions and the tasks that lead to it.
func (ns *nesting) trail() string {
	if ns.outer == nil {
		return ""
	}
	outer := ns.outer
	if ns.explored != nil {
		return outer.nest.trail() + wording.Line(ns.explored.Describe()) + " " + ns.Glyphs().Descends + " "
	}
	return outer.nest.trail() + outer.nest.title + " " + ns.Glyphs().Descends + " " + ns.child.Request.Visit.Path() + " " + ns.Glyphs().To + " "
}

// root is the first screen.
func (ns *nesting) root() *ui {
	u := ns.own
	for u.nest.outer != nil {
		u = u.nest.outer
	}
	return u
}

// top is the screen over all others.
func (ns *nesting) top() *ui {
	u := ns.own
	for u.nest.inner != nil {
		u = u.nest.inner
	}
	return u
}

// words says that there is an execution to step into, or to look into.
func (ns *nesting) words() []prose.Paragraph {
	at, request := ns.nestedHere()
	key := ns.Keys().Any(keys.StepInto)
	switch {
	case at == nestHeld && request.Visit == ns.Selection().Visit:
		return []prose.Paragraph{{Style: canvas.Warn, Text: ns.Glyphs().Pointer + " This task runs another definition: " + key + " steps into it, any other step runs it to its end.", Indent: 2}}
	case at == nestOver:
		return []prose.Paragraph{{Style: canvas.Dim, Text: ns.calls.calls.Ran(request).Title + " was run for this task: " + key + " looks into its run.", Indent: 2}}
	}
	return nil
}

// looksInto reports whether there is an execution to step into or to look into.
func (ns *nesting) looksInto() bool {
	at, _ := ns.nestedHere()
	return at == nestHeld || at == nestOver
}

// nestedPoints are the breakpoints and watches of executions that tasks start, by the definition's file: those that the
// person has set in an earlier one of the same definition, or when it was debugged by itself. They hold for every task
// that starts it.
type nestedPoints struct {
	mu    sync.Mutex
	files map[string]*nestedFile
	load  func(file string, session *debug.Session) SetupStore // see Options.Nested; it may be nil
}

type nestedFile struct {
	kept  breakpoint.Setup
	store SetupStore // nil: nothing is kept
}

// prepare sets them in an execution that has not begun. It is called from several goroutines.
func (p *nestedPoints) prepare(child *live.Child) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.files[child.File]; known != nil {
		known.kept.Restore(child.Session.Breakpoints(), child.Session.Watches())
		return
	}
	file := &nestedFile{}
	if p.load != nil {
		file.store = p.load(child.File, child.Session)
		file.kept = breakpoint.SetupOf(child.Session.Breakpoints(), child.Session.Watches())
	}
	p.files[child.File] = file
}

// put takes over the changed list.
func (p *nestedPoints) put(file string, kept breakpoint.Setup) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.files[file] == nil {
		p.files[file] = &nestedFile{}
	}
	p.files[file].kept = kept
}

func (p *nestedPoints) store(file string) SetupStore {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.files[file]; known != nil {
		return known.store
	}
	return nil
}

// ran returns the execution that answered a request; nil where there was none, or it is kept no longer.
func (ns *nesting) ran(request *engine.TaskRequest) *live.Child {
	if ns.calls.calls == nil {
		return nil
	}
	return ns.calls.calls.Ran(request)
}

// ranSession is the session of [nesting.ran].
func (ns *nesting) ranSession(request *engine.TaskRequest) *debug.Session {
	if child := ns.ran(request); child != nil {
		return child.Session
	}
	return nil
}
