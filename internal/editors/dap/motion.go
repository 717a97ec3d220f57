package dap

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/go-dap"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// slice is the number of steps of the engine between two looks for a message; limit the most events that one command brings.
const (
	slice = 2048
	limit = 1_000_000
)

// motion is a command that is carried on.
type motion struct {
	// command is set until the session stops. kind is its kind, last the kind of the last command
	// that went forward.
	command    bool
	kind, last debug.CommandKind
	// waits is set while it waits for calls. wake is the timer of a paced clock, wakesFor the virtual time that then has passed.
	waits    bool
	wake     *time.Timer
	wakesFor time.Duration
	// entry is set of the command that goes to the first state.
	entry bool
	// interrupted is set when the engine was interrupted by a request that comes next.
	interrupted bool
	// began is the number of events at its beginning, progress is the running number of its progress, 0 where there is none.
	began, reported  int
	progress, number int
}

// goes reports whether the engine is to be carried on.
func (m *motion) goes() bool { return m.command && !m.waits && m.wake == nil && !m.interrupted }

// timer is the channel of the wake timer, nil where there is none.
func (m *motion) timer() <-chan time.Time {
	if m.wake == nil {
		return nil
	}
	return m.wake.C
}

// stop ends the command, without a word to the editor.
func (m *motion) stop(a *adapter) {
	m.command, m.waits, m.interrupted = false, false, false
	if m.wake != nil {
		m.wake.Stop()
		m.wake = nil
	}
	a.signals.running.Store(false)
	a.signals.flag.Lower()
	a.endProgress()
}

// configurationDone begins the run.
func (a *adapter) configurationDone(r *dap.ConfigurationDoneRequest) error {
	if a.configured {
		return errors.New("the configuration is done already")
	}
	if a.terminated {
		return errEnded
	}
	a.configured = true
	a.out.respond(r, &dap.ConfigurationDoneResponse{})
	if err := a.start(); err != nil {
		a.print("stderr", err.Error())
	}
	return nil
}

// errEnded says that the debugging was ended.
var errEnded = errors.New("the debugging has ended")

// start begins the first command of a run.
func (a *adapter) start() error {
	if a.levels[0].attached != nil { // it is held where it is
		a.arrived("entry")
		return nil
	}
	if a.how.StopOnEntry && !a.how.NoDebug {
		err := a.begin(debug.Command{Kind: debug.StepState})
		a.motion.entry = true
		return err
	}
	return a.begin(debug.Command{Kind: debug.Continue})
}

// begin begins a command, which advance carries on.
func (a *adapter) begin(command debug.Command) error {
	if a.terminated {
		return errEnded
	}
	command.Events = limit
	a.motion.entry = false
	s := a.top().session
	if err := s.Begin(command); err != nil {
		return err
	}
	a.resume(command.Kind)
	return nil
}

// resume continues the command of the session.
func (a *adapter) resume(kind debug.CommandKind) {
	a.motion.command, a.motion.kind, a.motion.waits, a.motion.interrupted = true, kind, false, false
	a.motion.began, a.motion.reported = a.top().session.Log().Len(), a.top().session.Log().Len()
	a.signals.flag.Lower()
	a.signals.running.Store(true)
	a.handles.reset()
}

// advance carries the command on by a slice.
func (a *adapter) advance() {
	stop := a.top().session.Advance(slice)
	a.breaks.printMessages()
	switch {
	case stop.Reason == debug.StillRunning:
		a.report(wording.Grouped(a.top().session.Log().Len()) + " events")
	case stop.Reason == debug.StoppedByInterrupt && a.signals.flag.Raised():
		a.motion.interrupted = true // the request that has raised the flag is the next message, or the input has ended
	case stop.Reason == debug.StoppedForCall && a.top().calls != nil:
		a.waitForCalls()
	case stop.Reason == debug.StoppedForTime && a.top().session.Clock().Mode == debug.ClockPaced:
		a.waitForTime(stop.Wake)
	default:
		a.finish(stop)
	}
}

// finish ends the command at a stop. An execution that has answered its task gives way to the task's execution.
func (a *adapter) finish(stop debug.Stop) {
	if a.giveBack(stop) {
		return
	}
	a.motion.stop(a)
	a.stopped(stop)
}

// longestNap bounds the time until a look at a paced clock.
const longestNap = 100 * time.Millisecond

// waitForTime lets a paced clock pass up to an instant, in naps.
func (a *adapter) waitForTime(until time.Time) {
	s := a.top().session
	factor := s.Clock().Factor
	nap := time.Duration(float64(until.Sub(s.Now())) / factor)
	nap = max(min(nap, longestNap), time.Millisecond)
	a.motion.wake, a.motion.wakesFor = time.NewTimer(nap), time.Duration(float64(nap)*factor)
}

// passTime moves the clock by the time that a nap took.
func (a *adapter) passTime() {
	a.motion.wake = nil
	if !a.motion.command {
		return
	}
	s := a.top().session
	if err := s.Interventions().AdvanceTime(a.motion.wakesFor); err != nil {
		a.print("stderr", err.Error())
		a.finish(s.Stop())
		return
	}
	if stop := s.Stop(); stop.Reason == debug.StoppedByBreakpoint {
		a.finish(stop)
	}
}

// waitForCalls lets the executions of tasks run that have not begun, and waits for the outcome of a call.
func (a *adapter) waitForCalls() {
	l := a.top()
	calls := l.calls
	calls.Release()
	if a.openStanding() {
		return
	}
	a.motion.waits = true
	if running := calls.Running(); len(running) > 0 {
		a.report("waits for " + running[0].Origin.String() + " " + running[0].Title)
	}
	if l.awaits {
		return
	}
	l.awaits = true
	go func() {
		_ = calls.Wait(a.ctx) // an ended context ends the adapter, too
		select {
		case a.called <- l:
		case <-a.ctx.Done():
		}
	}()
}

// takeCalls gives the session the outcomes that have come, and continues.
func (a *adapter) takeCalls(l *level) {
	l.awaits = false
	if len(a.levels) == 0 || a.top() != l {
		return
	}
	delivered, err := l.calls.Deliver(l.session)
	if err != nil {
		a.print("stderr", err.Error())
	}
	if !a.motion.command {
		return
	}
	if a.motion.interrupted = false; delivered == 0 && a.openStanding() {
		return
	}
	a.motion.waits = false
}

// pause stops the command.
func (a *adapter) pause(r *dap.PauseRequest) {
	a.out.respond(r, &dap.PauseResponse{})
	if a.motion.command {
		a.halt()
	}
}

// halt stops the command where it is. A running execution of a task stops first, and is shown then.
func (a *adapter) halt() {
	l := a.top()
	a.signals.flag.Lower()
	if a.motion.waits {
		l.calls.Interrupt()
		nested := false
		for _, r := range l.calls.Running() {
			nested = nested || r.Origin == outcome.Nested
		}
		if nested {
			return
		}
		a.finish(debug.Stop{Reason: debug.StoppedByInterrupt})
		return
	}
	stop := l.session.Stop()
	if !a.motion.interrupted {
		l.session.Interrupt()
		stop = l.session.Advance(1)
	}
	if stop.Reason == debug.StillRunning {
		stop = debug.Stop{Reason: debug.StoppedByInterrupt}
	}
	a.finish(stop)
}

// progressEvery is the number of events of a command between two words about its progress.
const progressEvery = 100_000

// report says how far a command has come, where the editor shows progress: from many events on, and while it waits.
func (a *adapter) report(message string) {
	m := &a.motion
	length := a.top().session.Log().Len()
	if !a.client.SupportsProgressReporting || !m.waits && length-m.reported < progressEvery {
		return
	}
	m.reported = length
	if m.progress != 0 {
		a.out.event("progressUpdate", &dap.ProgressUpdateEvent{Body: dap.ProgressUpdateEventBody{ProgressId: progressID(m.progress), Message: message}})
		return
	}
	m.number++
	m.progress = m.number
	a.out.event("progressStart", &dap.ProgressStartEvent{Body: dap.ProgressStartEventBody{
		ProgressId: progressID(m.progress), Title: "Running " + a.top().title, Cancellable: true, Message: message,
	}})
}

func progressID(n int) string { return "run-" + strconv.Itoa(n) }

func (a *adapter) endProgress() {
	if a.motion.progress != 0 {
		a.out.event("progressEnd", &dap.ProgressEndEvent{Body: dap.ProgressEndEventBody{ProgressId: progressID(a.motion.progress)}})
		a.motion.progress = 0
	}
}

// stopped says that the session has stopped, and why.
func (a *adapter) stopped(stop debug.Stop) {
	if end := stop.Reason == debug.StoppedAtEnd && a.top().session.Status().Done(); end && len(a.levels) == 1 && a.endsAtOnce() {
		a.terminate()
		return
	}
	a.views.announceThreads()
	l := a.top()
	standing, plain := l.standing(stop), explain.Plain(200)
	body := dap.StoppedEventBody{
		Reason: reasonOf(stop), Description: plain.Paragraph(&standing), ThreadId: a.focused(), AllThreadsStopped: true,
	}
	if a.motion.entry && body.Reason == "step" {
		body.Reason = "entry"
	}
	if id, ok := a.points.numberOf(l.session, stop.Breakpoint); ok {
		body.HitBreakpointIds = []int{id}
	}
	if i := l.session.Position() - 1; body.Reason == "exception" && i >= 0 {
		body.Text = plain.Spans(explain.FailureDetail(l.session.Log().At(i).Failure()))
		if said, ok := explain.Sentence(l.session, i); ok {
			body.Text = plain.Spans(said.Spans)
		}
	}
	if stop.Err != nil {
		body.Text = stop.Err.Error()
	}
	advice := ""
	if stop.Reason == debug.StoppedForAnswer {
		a.ask(&body)
		advice = ". Type :answer JSON, or :fail NAME CAUSE."
	}
	a.say(body, advice)
}

// say says that the session has stopped: to the editor, and in a line of its console, with the place, the error and
// advice.
func (a *adapter) say(body dap.StoppedEventBody, advice string) {
	f, _ := a.views.frameOf(0) // it is always there
	at, s := a.views.placed(f), f.level.session
	line := body.Description
	names := body.Reason == "end" || body.Reason == "exception" && len(body.HitBreakpointIds) == 0 // the state, by themselves
	if f.visit != nil && !names {
		line += " at " + at.Name
	}
	if at.Source != nil {
		line += fmt.Sprintf(" (%s:%d:%d)", at.Source.Name, at.Line, at.Column)
	}
	if f.event >= s.Log().First() {
		line += ", " + explain.SinceStart(s.Options().Start, s.Log().At(f.event).At())
	}
	if body.Text != "" {
		line += ": " + body.Text
	}
	a.out.event("output", &dap.OutputEvent{Body: dap.OutputEventBody{
		Category: "console", Output: wording.Line(line+advice) + "\n", Source: at.Source, Line: at.Line, Column: at.Column,
	}})
	a.out.event("stopped", &dap.StoppedEvent{Body: body})
}

// endsAtOnce reports whether the debugging ends with the execution.
func (a *adapter) endsAtOnce() bool {
	return a.how.NoDebug || a.how.StopAtEnd != nil && !*a.how.StopAtEnd
}

// reasonOf returns the word of the protocol for a stop.
func reasonOf(stop debug.Stop) string {
	switch stop.Reason {
	case debug.StoppedAtStart:
		return "entry"
	case debug.StoppedByStep, debug.StoppedAtTarget, debug.StoppedAtTime:
		return "step"
	case debug.StoppedByBreakpoint:
		if isException(stop.Breakpoint) {
			return "exception"
		}
		return breakpointReason(stop.Breakpoint)
	case debug.StoppedAtEnd, debug.StoppedAtRecordingEnd:
		return "end"
	case debug.StoppedForAnswer, debug.StoppedForTime, debug.StoppedByInterrupt, debug.StoppedBySource, debug.StoppedByLimit, debug.StoppedForCall, debug.StillRunning:
	}
	return "pause"
}

// ask says which task needs a result, so that an extension can open an input box.
func (a *adapter) ask(body *dap.StoppedEventBody) {
	s := a.top().session
	requests := s.Requests()
	if len(requests) == 0 {
		return
	}
	r := requests[0]
	place := explain.PlaceName(r.Visit)
	body.Description = place + " needs a result"
	body.ThreadId = a.top().threadNumber(r.Thread)
	a.out.event(eventNeedsResult, needsResult(r))
}

// focused returns the number of the thread of the event at which the session is.
func (a *adapter) focused() int {
	l := a.top()
	if i := l.session.Position() - 1; i >= l.session.Log().First() {
		if at := l.session.Log().At(i); at.Visit != nil {
			return l.threadNumber(at.Thread)
		}
	}
	return l.threadNumber(0)
}

// terminate ends the debugging with the output of the execution.
func (a *adapter) terminate() {
	if a.terminated {
		return
	}
	a.terminated = true
	code, s := 1, a.levels[0].session
	switch failure := s.Failure(); {
	case s.Status() == engine.Succeeded:
		code = 0
		a.print("stdout", value.Compact(s.Output()))
	case failure != nil:
		a.print("stderr", failure.Error())
	}
	if a.judge != nil && s.Status().Done() {
		lines := a.judge()
		for _, line := range lines {
			a.print("stderr", line)
		}
		if code = 1; len(lines) == 0 {
			code = 0
			a.print("stdout", "The case passes.")
		}
	}
	a.out.event("exited", &dap.ExitedEvent{Body: dap.ExitedEventBody{ExitCode: code}})
	a.out.event("terminated", &dap.TerminatedEvent{})
}
