package screen

import (
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/part/theme"
)

// budget is how many steps of the engine run between two looks at the keyboard: a few milliseconds.
const budget = 4096

// longCommand is the number of events after which a command stops: a definition that never ends would otherwise
// fill the memory while nobody looks.
const longCommand = 1_000_000

// tickEvery is the time between two movements of a paced clock.
const tickEvery = 50 * time.Millisecond

// begin gives a command to the session and runs its first steps.
func (u *ui) begin(c debug.Command) {
	c.Events = longCommand
	if err := u.session.Begin(c); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.running = true
	u.ticks++
	u.lastTick = time.Time{}
	before := u.session.Position()
	u.advance()
	if !u.running && u.session.Position() == before && u.session.Stop().Reason == debug.StoppedForTime {
		u.say(theme.Warn, "Nothing can happen at this time: "+u.keys.Key(keys.NextTimer)+" goes to the next timer, "+
			u.keys.Key(keys.AdvanceBy)+" moves the clock by a time.")
	}
}

// advance carries the command on by a budget. Where it is not done it asks to be called again, so that
// keys are heard meanwhile.
func (u *ui) advance() {
	if !u.running {
		return
	}
	u.paced, u.live.awaited = false, false
	stop := u.session.Advance(budget)
	switch {
	case stop.Reason == debug.StillRunning:
		u.effects.advance = true
		u.catchUp()
		u.events.Select(u.session.Position()-1, u.present())
	case stop.Reason == debug.StoppedForTime && u.session.Clock().Mode == debug.ClockPaced:
		u.paced, u.effects.tick = true, true
		u.look(u.session.Position() - 1)
		u.refresh()
	case stop.Reason == debug.StoppedForCall && u.live.calls != nil:
		u.awaitCalls()
	default:
		u.sync()
		u.listen()
		u.tellPassing()
		if u.giveBack() {
			return
		}
		u.askIfNeeded()
	}
}

// tick moves a paced clock by the real time that has passed since the tick before. generation is that
// of the command which asked for it.
func (u *ui) tick(now time.Time, generation int) {
	if !u.paced || generation != u.ticks {
		return
	}
	passed := tickEvery
	if !u.lastTick.IsZero() {
		passed = max(now.Sub(u.lastTick), 0)
	}
	u.lastTick = now
	left := time.Duration(float64(passed) * u.session.Clock().Factor)
	for u.paced && left > 0 {
		d := left
		if at, ok := u.session.NextTimer(); ok {
			d = min(d, at.Sub(u.session.Now()))
		}
		if err := u.session.Interventions().AdvanceTime(d); err != nil {
			u.sync()
			u.say(theme.Bad, err.Error())
			return
		}
		left -= d
		u.advance()
	}
	u.effects.tick = u.paced
}

// interrupt stops a command that goes on.
func (u *ui) interrupt() {
	u.session.Interrupt()
	if u.live.calls != nil {
		u.live.calls.Interrupt()
	}
	u.paced = false
	u.advance()
}

// nextTimer moves the clock to the next timer, and lets the first thing happen that it brings.
func (u *ui) nextTimer() {
	at, ok := u.session.NextTimer()
	if !ok {
		u.say(theme.Warn, "No timer is pending.")
		return
	}
	if err := u.session.Interventions().AdvanceTime(at.Sub(u.session.Now())); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	if u.session.Now().Before(at) { // a breakpoint has stopped the clock
		u.sync()
		return
	}
	u.begin(debug.Command{Kind: debug.StepStage})
}

// askIfNeeded opens the question where the run waits for a task that nobody has answered and that was
// not asked about before.
func (u *ui) askIfNeeded() {
	if u.session.Stop().Reason != debug.StoppedForAnswer {
		return
	}
	for _, r := range u.session.Requests() {
		if r.ID > u.asked {
			u.ask(r)
			return
		}
	}
}

// ask opens the question about a request.
func (u *ui) ask(r *engine.TaskRequest) {
	u.asked = max(u.asked, r.ID)
	facts := u.questionFacts(r)
	facts.Why = u.whyAsked(r)
	if u.live.calls != nil && u.live.calls.Cancelled(r.ID) != "" {
		facts.CallAgain = func() error { return u.callAgain(r.ID) }
	}
	u.dialog = dialog.NewQuestion(facts)
}

// questionFacts are what the question about a request knows of the run.
func (u *ui) questionFacts(r *engine.TaskRequest) dialog.Facts {
	facts := dialog.Facts{Request: r, Limit: u.session.Options().Limits.Payload, Take: func(o engine.Outcome) error {
		return u.answerWith(u.session.Interventions().Answer(r.ID, o))
	}}
	if way := u.trail(); way != "" {
		facts.Way = way + u.title
	}
	return facts
}

// answerWith goes on after the task was given its outcome, unless that was not possible.
func (u *ui) answerWith(err error) error {
	if err != nil {
		return err
	}
	u.dialog = nil
	u.resume()
	return nil
}

// resume carries on the command that stopped for an answer.
func (u *ui) resume() {
	u.running = true
	u.advance()
}
