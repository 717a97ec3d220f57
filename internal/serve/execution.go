package serve

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/launch"
	"asldb/internal/serve/cases"
)

// execution is an execution of a machine: a session that runs by itself, unless a breakpoint holds it.
type execution struct {
	server         *Server
	serial         int64
	arn, name      string
	machine        *machine
	revision       *revision
	version, alias string // ARNs; empty: it was not started by one
	express        bool
	input, trace   string // as the client wrote them
	mock           string // the case
	started        time.Time
	results        cases.Choice
	traceFile      string

	mu       sync.Mutex // of all that follows
	run      *launch.Run
	driving  bool
	rest     chan struct{} // is closed when it no longer runs
	stop     debug.Stop
	timer    *time.Timer
	anchor   time.Time // the real time at which the virtual clock stood still to wait; zero: it does not wait
	tasks    map[int64]*task
	worked   map[int64]*task // tasks of activities, also ended ones
	issued   []string        // its task tokens
	redrives []redrive
	calling  bool // a goroutine waits for live calls
	history  []*value.Object
	converts int // the events of the log that history is of
	// commanded: a debugger has given the command that it carries out.
	commanded bool
	traced    *traced // for a debugger that follows it; nil: none does

	view    atomic.Pointer[view]
	done    chan struct{} // is closed at the end
	settled chan struct{} // is closed where it first comes to its end or has to wait
	settle  sync.Once
}

// redrive is one that a client asked for.
type redrive struct {
	token string
	at    time.Time
}

// view is the state of an execution that the API shows; it is never changed.
type view struct {
	status     engine.Status
	stopped    time.Time
	output     string
	failure    *engine.Failure
	held       *heldAt // by a breakpoint
	asks       *heldAt // by a task that only a person answers
	redrives   int
	redriven   time.Time
	judgement  string // of a suite's case
	state      string // that it is in
	redrivable error
}

// heldAt is where an execution is held.
type heldAt struct{ state, stage, file, reason string }

func (v *view) ended() bool { return v.status.Done() }

// session returns the session of the execution, which is locked.
func (x *execution) session() *debug.Session { return x.run.Session }

// wake lets the execution run; it is locked.
func (x *execution) wake() {
	if x.timer != nil {
		x.timer.Stop()
	}
	x.timer, x.anchor = nil, time.Time{}
	if v := x.view.Load(); !x.driving && v.held == nil && !v.ended() {
		x.driving, x.rest = true, make(chan struct{})
		x.server.running.Go(x.drive)
	}
}

// budget is the number of steps of the engine between two checks of the inputs from outside.
const budget = 2048

// drive carries the execution on until it ends or has to wait.
func (x *execution) drive() {
	for more := true; more; {
		x.mu.Lock()
		more = x.slice()
		x.driving = more
		x.publish()
		if !more {
			close(x.rest)
		}
		x.mu.Unlock()
	}
	x.settle.Do(func() { close(x.settled) })
}

// slice carries the execution on by a budget, and reports whether there is more to do at once.
func (x *execution) slice() bool {
	x.stop = x.session().Advance(budget)
	switch x.stop.Reason {
	case debug.StillRunning:
		return x.server.ctx.Err() == nil
	case debug.StoppedForAnswer, debug.StoppedForTime, debug.StoppedForCall:
		return x.waits()
	case debug.StoppedBySource:
		return x.broken(x.stop.Err)
	case debug.StoppedByInterrupt:
		return x.server.ctx.Err() == nil && x.broken(x.stop.Err)
	default: // the end, or a breakpoint
		return false
	}
}

// broken fails an execution for which asldb has no outcome.
func (x *execution) broken(fault error) bool {
	if fault == nil {
		return false
	}
	x.server.log(x.arn + ": " + fault.Error())
	i := x.session().Interventions()
	if err := i.Inject(x.session().Focused(), engine.ErrorRuntime, fault.Error()); err != nil {
		i.Abort(engine.ErrorRuntime, fault.Error())
	}
	return x.session().Begin(debug.Command{Kind: debug.Continue}) == nil
}

// waits answers the requests that have an answer, lets time pass that is not waited for, and reports whether the
// execution continues.
func (x *execution) waits() bool {
	s, answered := x.session(), false
	for _, request := range s.Requests() {
		if x.tasks[request.ID] == nil && !slices.Contains(s.Calls().Open(), request.ID) {
			answered = x.ask(request) || answered
		}
	}
	for _, request := range s.ObjectRequests() {
		none := &engine.ObjectError{Cause: "the fixtures lack the object s3://" + request.Object.Bucket + "/" +
			request.Object.Key + ": add it to objects in the fixtures"}
		answered = s.Interventions().AnswerObject(request.ID, nil, none) == nil || answered
	}
	if answered {
		return true
	}
	if len(s.Calls().Open()) > 0 {
		x.awaitCalls()
	}
	return x.passes()
}

// deadline reports whether a timer ends something that is waited for.
func deadline(k engine.TimerKind) bool {
	switch k {
	case engine.TimerTaskTimeout, engine.TimerHeartbeatTimeout, engine.TimerExecutionTimeout, engine.TimerChildTimeout:
		return true
	default:
		return false
	}
}

// passes lets the time pass up to the next timer: at once, or as the clock says.
func (x *execution) passes() bool {
	s, clock := x.session(), x.server.options.Clock
	x.anchor = time.Now()
	timers := s.Timers()
	if len(timers) == 0 {
		return false
	}
	wait := timers[0].At.Sub(s.Now())
	switch clock.Mode {
	case debug.ClockByHand:
		return false
	case debug.ClockPaced:
		wait = time.Duration(float64(wait) / clock.Factor)
	case debug.ClockSkip:
		if !deadline(timers[0].Kind) {
			return s.Interventions().AdvanceTime(wait) == nil
		}
	}
	var timer *time.Timer
	timer = time.AfterFunc(wait, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		if x.timer == timer {
			if at, ok := x.session().NextTimer(); ok {
				x.advance(at.Sub(x.session().Now()))
			}
			x.wake()
		}
	})
	x.timer = timer
	return false
}

// catchUp moves the virtual clock by the real time that has passed since the execution waits, and at most to the next
// timer.
func (x *execution) catchUp() {
	clock := x.server.options.Clock
	if x.anchor.IsZero() || x.view.Load().held != nil || clock.Mode == debug.ClockByHand {
		return
	}
	passed := time.Since(x.anchor)
	if clock.Mode == debug.ClockPaced {
		passed = time.Duration(float64(passed) * clock.Factor)
	}
	x.anchor = time.Now()
	x.advance(passed.Truncate(time.Millisecond))
}

// advance moves the virtual clock of an execution that waits.
func (x *execution) advance(d time.Duration) {
	if err := x.session().Interventions().AdvanceTime(d); err != nil && !errors.Is(err, engine.ErrRunnable) &&
		!errors.Is(err, engine.ErrDone) {
		x.server.log(x.arn + ": " + err.Error())
	}
}

// awaitCalls waits for the live calls of the fixtures, beside everything else.
func (x *execution) awaitCalls() {
	if x.calling || x.run.Calls == nil {
		return
	}
	x.calling = true
	x.server.running.Go(func() {
		err := x.run.Calls.Wait(x.server.ctx)
		x.mu.Lock()
		defer x.mu.Unlock()
		x.calling = false
		if err != nil {
			return
		}
		x.catchUp()
		if delivered, failed := x.run.Calls.Deliver(x.session()); delivered == 0 || failed != nil {
			if child := x.run.Calls.Standing(); child != nil && failed == nil {
				failed = child.Fault(errors.New("it waits for a result that its fixtures do not have"))
				x.run.Calls.Reset()
			}
			x.broken(failed)
		}
		x.wake()
	})
}

// publish shows the state of the execution to the API, and ends what is over.
func (x *execution) publish() {
	before, log := x.view.Load(), x.session().Log()
	now := *before
	now.status, now.held, now.asks = engine.Runnable, nil, nil
	last := log.Last()
	if last == nil {
		return
	}
	if last.Visit != nil {
		now.state = last.Visit.Path()
	}
	if last.Type.EndsExecution() {
		now.status, now.stopped, now.failure, now.output = last.Type.Traits().Ends, last.At(), last.Failure(), ""
		if last.Type == engine.ExecutionSucceeded {
			now.output = value.Compact(last.After)
		}
		now.redrivable = log.Redrivable()
	} else if reason := heldBy(x.stop.Reason); reason != "" && !x.driving {
		now.held = x.heldHere(last, reason)
	}
	x.closeTasks()
	if x.holdsTask() && !now.ended() {
		now.asks = x.heldHere(last, "no result")
	}
	x.view.Store(&now)
	if now.ended() && !before.ended() {
		x.end(&now)
	}
}

// heldBy is the reason for which an execution is held that has stopped; "" where it waits by itself.
func heldBy(reason debug.Reason) string {
	switch reason {
	case debug.StoppedByBreakpoint:
		return "breakpoint"
	case debug.StoppedByStep, debug.StoppedAtTarget, debug.StoppedAtTime, debug.StoppedByLimit:
		return "step"
	case debug.StoppedByInterrupt:
		return "input"
	case debug.StoppedAtStart, debug.StoppedForAnswer, debug.StoppedForTime, debug.StoppedForCall, debug.StoppedAtEnd,
		debug.StoppedBySource, debug.StoppedAtRecordingEnd, debug.StillRunning:
	}
	return ""
}

// heldHere is the place of the newest event.
func (x *execution) heldHere(last *engine.Event, reason string) *heldAt {
	at := &heldAt{reason: reason}
	if last.Visit != nil {
		at.state, at.stage = last.Visit.State.Name, last.StageName()
	}
	if x.revision.definition.Text != nil {
		at.file = x.revision.definition.Text.Given.Name
	}
	return at
}

// end does what there is to do at the end.
func (x *execution) end(now *view) {
	s := x.server
	if x.results.Case != nil {
		var said string
		if now.judgement, said = s.Cases.Judge(x.results.Case, x.run); said != "" {
			s.log(said)
		}
		x.view.Store(now)
	}
	if s.options.Covers {
		s.Cases.Cover(x.session(), x.revision.definition.Resource)
	}
	x.report(now)
	s.tell(x, now)
	close(x.done)
	x.settle.Do(func() { close(x.settled) })
	if x.run.Trace != nil {
		if err := x.run.Trace.Fault(); err != nil {
			s.log(err.Error())
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended++
	s.evict()
}

// evict forgets the oldest ended executions beyond those that are kept; the server is locked.
func (s *Server) evict() {
	if s.options.Keep == 0 || s.ended <= s.options.Keep {
		return
	}
	at := slices.IndexFunc(s.order, func(x *execution) bool { return x.view.Load().ended() })
	if at < 0 {
		return
	}
	x := s.order[at]
	s.order = slices.Delete(s.order, at, at+1)
	s.ended--
	delete(s.executions, x.arn)
	for _, token := range x.issued {
		delete(s.tokens, token)
	}
	if !s.evicted {
		s.evicted = true
		s.log("the oldest ended executions are forgotten: --keep says how many are kept")
	}
}

// abort ends the execution from outside, and returns when it stopped.
func (x *execution) abort(name, cause string) time.Time {
	x.mu.Lock()
	defer x.mu.Unlock()
	if v := x.view.Load(); v.ended() {
		return v.stopped
	}
	x.catchUp()
	x.stop = x.session().Interventions().Abort(name, cause)
	x.publish()
	x.wake()
	return x.view.Load().stopped
}

// close completes the trace of an execution at the end of the server.
func (x *execution) close() {
	x.mu.Lock()
	if x.timer != nil {
		x.timer.Stop()
		x.timer = nil
	}
	x.mu.Unlock()
	if err := x.run.Close(); err != nil {
		x.server.log(err.Error())
	}
}

// outcomeOf is a failure as an outcome.
func outcomeOf(name, cause string) engine.Outcome { return fixtures.Failure(name, cause) }
