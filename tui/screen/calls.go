package screen

import (
	"context"
	"fmt"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// Calls are what the source of a session has called outside: see [outcome.Later].
type Calls interface {
	// Wait waits until an outcome has come or nothing is under way; it is called in a goroutine of its own.
	Wait(ctx context.Context) error
	// Deliver gives the session what has come and drops what nobody waits for any longer.
	Deliver(session *debug.Session) (delivered int, err error)
	// Running lists what is under way, Cancel ends one of them.
	Running() []live.Running
	Cancel(request int64) bool
	// Cancelled returns what was called for a request where that was cancelled, else ""; Again calls it once more.
	Cancelled(request int64) string
	Again(session *debug.Session, request int64) error
	// Hold keeps executions of other definitions back, until Release lets them run or Open gives one to the person,
	// and keeps those that are over: Ended one that was opened. Held and Ran find them. prepare is called for each before
	// it runs.
	Hold(prepare func(*live.Child))
	Release()
	Open(request int64) (*live.Child, *engine.Outcome, error)
	// Standing returns one that stands still and waits for the person, and Forget lets one begin anew. Interrupt lets
	// those that run stand still.
	Standing() *live.Child
	Forget(request int64)
	Interrupt()
	Ended(child *live.Child)
	Held(request int64) *engine.TaskRequest
	Ran(request *engine.TaskRequest) *live.Child
	// Reset cancels everything that is under way.
	Reset()
}

// callsEvery is the time between two looks at how long a call has been under way.
const callsEvery = 100 * time.Millisecond

// calling is what the screen knows of the calls.
type calling struct {
	calls   Calls // nil: nothing is ever called
	waits   bool  // somebody waits for what comes
	awaited bool  // the command that goes on stands still for a call
}

// listen asks for news of the calls, where some are under way.
func (u *ui) listen() {
	if u.live.calls == nil || u.live.waits {
		return
	}
	for _, id := range u.session.Calls().Open() {
		if u.live.calls.Held(id) == nil {
			u.live.waits, u.effects.calls = true, true
		}
	}
}

// takeCalls takes in what has come of calls, and drops those that nobody waits for any longer.
func (u *ui) takeCalls() (delivered int) {
	if u.live.calls == nil {
		return 0
	}
	delivered, err := u.live.calls.Deliver(u.session)
	if err != nil {
		u.say(theme.Bad, err.Error())
	}
	return delivered
}

// called takes in what has come of calls: a command that waits for it goes on, else the answer is kept.
func (u *ui) called() {
	u.live.waits = false
	delivered := u.takeCalls()
	switch {
	case delivered == 0 && u.openStanding():
	case u.running:
		u.advance()
	case delivered > 0:
		u.sync()
		u.say(theme.Plain, fmt.Sprintf("%s from outside: %s goes on.", explain.Plural(delivered, "answer has come", "answers have come"), u.keys.Key(keys.Continue)))
	}
	u.listen()
}

// awaitCalls shows that the command waits for a call, and asks to be told of it.
func (u *ui) awaitCalls() {
	u.live.awaited = true
	u.live.calls.Release()
	if u.openStanding() {
		return
	}
	u.look(u.session.Position() - 1)
	u.refresh()
	u.effects.callTick = true
	if !u.live.waits { // whatever was released may have come to stand already
		u.live.waits, u.effects.calls = true, true
	}
}

// callTick shows the time that has passed.
func (u *ui) callTick() { u.effects.callTick = u.running && u.live.awaited }

// cancelCalls ends the oldest call that is under way, and asks the person instead.
func (u *ui) cancelCalls() {
	for _, r := range u.live.calls.Running() {
		if !u.live.calls.Cancel(r.Request.ID) {
			continue
		}
		if err := u.session.Calls().Abandon(r.Request.ID); err != nil {
			continue // nobody waited for it
		}
		u.say(theme.Warn, r.Origin+" "+r.Title+" was cancelled.")
		break
	}
	u.live.awaited = false
	u.advance()
}

// callAgain calls once more what was cancelled, and waits for it.
func (u *ui) callAgain(request int64) error {
	if err := u.live.calls.Again(u.session, request); err != nil {
		return err
	}
	u.dialog = nil
	u.asked = min(u.asked, request-1) // where it is cancelled again, the question comes again
	u.resume()
	return nil
}

// whyAsked says why the person is asked: a result was to come from outside, or the fixtures have keys for the task of
// which none answers; "" where there is nothing to say.
func (u *ui) whyAsked(r *engine.TaskRequest) string {
	if u.live.calls != nil {
		if called := u.live.calls.Cancelled(r.ID); called != "" {
			return called + " was cancelled: " + dialog.CallAgainKey + " calls again"
		}
	}
	return fixtures.WhyAsked(u.session.Reason(r.ID))
}

// callWord is what the status line says while a call is waited for.
func (u *ui) callWord(g *canvas.Glyphs) string {
	running := u.live.calls.Running()
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
