package screen

import (
	"context"
	"fmt"
	"time"

	"asldb/engine"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view/dialog"
)

// callsEvery is the time between two looks at how long a call has been under way.
const callsEvery = 100 * time.Millisecond

// calling shows the calls that are under way and takes their results.
type calling struct {
	contract
	run     *runner
	nest    *nesting
	answers *interventions
	calls   *live.Calls // nil: nothing is ever called
	waits   bool        // the screen is notified of results
	lapsed  bool        // that was interrupted
	ticks   bool        // the time that passes is shown
	awaited bool        // the running command waits for a call
}

// listen asks for results of the calls, where some are running.
func (cl *calling) listen() {
	if cl.calls == nil || cl.waits {
		return
	}
	for _, id := range cl.Session().Calls().Open() {
		if cl.calls.Held(id) == nil {
			cl.news(false)
			return
		}
	}
}

// news notifies the screen of results, and of executions that have stopped; with now only of those that are ready.
func (cl *calling) news(now bool) {
	cl.waits, cl.lapsed = true, false
	cl.u.on.host.Go(func(ctx context.Context) func() {
		if now {
			over, cancel := context.WithCancel(ctx)
			cancel()
			ctx = over
		}
		if err := cl.calls.Wait(ctx); err != nil {
			return func() { cl.lapsed = true }
		}
		return cl.called
	})
}

// take takes the results of calls, and drops those that no request waits for any longer.
func (cl *calling) take() (delivered int) {
	if cl.calls == nil {
		return 0
	}
	delivered, err := cl.calls.Deliver(cl.Session())
	if err != nil {
		cl.Say(canvas.Bad, err.Error())
	}
	return delivered
}

// called takes the results of calls: a command that waits for it continues, else the answer is kept.
func (cl *calling) called() {
	cl.waits = false
	delivered := cl.take()
	switch {
	case delivered == 0 && cl.nest.openStanding():
	case cl.Running():
		cl.run.advance()
	case delivered > 0:
		cl.Sync()
		cl.Say(canvas.Plain, fmt.Sprintf("%s: %s continues.", wording.CountOf(delivered, "live result received", "live results received"), cl.Key(keys.Continue)))
	}
	cl.listen()
}

// await shows that the command waits for a call, and asks to be notified.
func (cl *calling) await() {
	cl.awaited = true
	cl.calls.Release()
	if cl.nest.openStanding() {
		return
	}
	cl.Inspect(cl.Session().Position() - 1)
	cl.Refresh()
	cl.tick()
	if !cl.waits { // whatever was released may have come to stand already
		cl.news(false)
	}
}

// tick shows the time that passes.
func (cl *calling) tick() {
	if cl.ticks || !cl.Running() || !cl.awaited {
		return
	}
	cl.ticks = true
	cl.u.on.host.After(callsEvery, func(time.Time) {
		cl.ticks = false
		cl.tick()
	})
}

// cancelOldest ends the oldest call that is under way, and asks the user instead.
func (cl *calling) cancelOldest() {
	for _, r := range cl.calls.Running() {
		if !cl.calls.Cancel(r.Request.ID) {
			continue
		}
		if err := cl.Session().Calls().Abandon(r.Request.ID); err != nil {
			continue // no command waited for it
		}
		cl.Say(canvas.Warn, r.Origin.String()+" "+r.Title+" was cancelled.")
		break
	}
	cl.awaited = false
	cl.run.advance()
}

// again repeats a cancelled call, and waits for it.
func (cl *calling) again(request int64) error {
	if err := cl.calls.Again(cl.Session(), request); err != nil {
		return err
	}
	cl.Open(nil)
	cl.answers.asked = min(cl.answers.asked, request-1) // where it is cancelled again, the question comes again
	cl.run.resume()
	return nil
}

// whyAsked says why the user is asked: a result was to come from outside, or the fixtures have keys for the task and
// none answers; "" where there is nothing to say.
func (cl *calling) whyAsked(r *engine.TaskRequest) string {
	if cl.calls != nil {
		if called := cl.calls.Cancelled(r.ID); called != "" {
			return called + " was cancelled: " + dialog.CallAgainKey + " calls again"
		}
	}
	return fixtures.WhyAsked(cl.Session().Reason(r.ID))
}

// text is the status line's text while a call is waited for.
func (cl *calling) text(g *canvas.Glyphs) string {
	running := cl.calls.Running()
	if len(running) == 0 {
		return g.Active + " RUNNING"
	}
	r := running[0]
	text := fmt.Sprintf("%s RUNNING %s %s %.1f s", g.Active, r.Origin, r.Title, r.Elapsed.Seconds())
	if more := len(running) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
