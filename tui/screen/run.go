package screen

import (
	"time"

	"asldb/engine/debug"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// budget is how many steps of the engine run between two looks at the keyboard: a few milliseconds.
const budget = 4096

// longCommand is the number of events after which a command stops: a definition that never ends would otherwise
// fill the memory unnoticed.
const longCommand = 1_000_000

// tickEvery is the time between two movements of a paced clock.
const tickEvery = 50 * time.Millisecond

// runner runs commands of the session in slices, and lets time pass.
type runner struct {
	contract
	calls   *calling
	nest    *nesting
	answers *interventions
	reload  *reloading // of the first screen
	// progress shows the position of a running command.
	progress func()
	// running: a command runs in slices, and paced: it waits for real time to pass.
	running, paced bool
	ticks          int // generation of the ticks: older ones are ignored
	ticked         int // the one of the tick to come; another one: none comes
	lastTick       time.Time
	passing        passing
}

// stop ends the present command.
func (rn *runner) stop() {
	rn.running, rn.paced, rn.calls.awaited = false, false, false
	rn.ticks++
}

// begin gives a command to the session and runs its first steps.
func (rn *runner) begin(c debug.Command) {
	c.Events = longCommand
	if !rn.u.aside {
		standHere(rn.contract)
	}
	if err := rn.Session().Begin(c); err != nil {
		rn.Say(canvas.Bad, err.Error())
		return
	}
	rn.running = true
	rn.ticks++
	rn.lastTick = time.Time{}
	before := rn.Session().Position()
	rn.advance()
	if !rn.running && rn.Session().Position() == before && rn.Session().Stop().Reason == debug.StoppedForTime {
		rn.Say(canvas.Warn, "Nothing is due now: "+rn.Key(keys.NextTimer)+" goes to the next timer, "+
			rn.Key(keys.AdvanceBy)+" moves the clock by a time.")
	}
}

// standHere moves the position of the session to the event on the screen: commands, edits and injections begin at the
// event that is shown.
func standHere(s contract) {
	if !s.Newest() && s.Selection().Event != nil {
		s.Session().GoTo(s.Selection().Index + 1)
	}
}

// earlier reports whether the event on the screen is not the newest one of the run.
func earlier(s contract) bool {
	return !s.Newest() || s.Session().Position() > 0 && !s.Session().AtEnd()
}

// advance continues the command by a budget of steps. Where it is not done it asks to be called again, so that
// keys are read meanwhile.
func (rn *runner) advance() {
	if !rn.running {
		return
	}
	rn.paced, rn.calls.awaited = false, false
	stop := rn.Session().Advance(budget)
	switch {
	case stop.Reason == debug.StillRunning:
		rn.u.again()
		rn.progress()
	case stop.Reason == debug.StoppedForTime && rn.Session().Clock().Mode == debug.ClockPaced:
		rn.paced = true
		rn.nextTick()
		rn.Inspect(rn.Session().Position() - 1)
		rn.Refresh()
	case stop.Reason == debug.StoppedForCall && rn.calls.calls != nil:
		rn.calls.await()
	default:
		rn.Sync()
		rn.calls.listen()
		rn.announcePassing()
		if rn.nest.giveBack() {
			return
		}
		rn.answers.askIfNeeded()
	}
}

// tick moves a paced clock by the real time that has passed since the tick before. generation is the generation of the
// command that asked for it.
func (rn *runner) tick(now time.Time, generation int) {
	if !rn.paced || generation != rn.ticks {
		return
	}
	rn.ticked = 0
	passed := tickEvery
	if !rn.lastTick.IsZero() {
		passed = max(now.Sub(rn.lastTick), 0)
	}
	rn.lastTick = now
	left := time.Duration(float64(passed) * rn.Session().Clock().Factor)
	for rn.paced && left > 0 {
		d := left
		if at, ok := rn.Session().NextTimer(); ok {
			d = min(d, at.Sub(rn.Session().Now()))
		}
		if err := rn.Session().Interventions().AdvanceTime(d); err != nil {
			rn.Sync()
			rn.Say(canvas.Bad, err.Error())
			return
		}
		left -= d
		rn.advance()
	}
	if rn.paced {
		rn.nextTick()
	}
}

// nextTick asks for the next movement of a paced clock.
func (rn *runner) nextTick() {
	if generation := rn.ticks; rn.ticked != generation {
		rn.ticked = generation
		rn.u.on.host.After(tickEvery, func(at time.Time) { rn.tick(at, generation) })
	}
}

// interrupt stops a running command.
func (rn *runner) interrupt() {
	rn.Session().Interrupt()
	if rn.calls.calls != nil {
		rn.calls.calls.Interrupt()
	}
	rn.paced = false
	rn.advance()
}

// nextTimer moves the clock to the next timer, and lets the first thing happen that it brings.
func (rn *runner) nextTimer() {
	at, ok := rn.Session().NextTimer()
	if !ok {
		rn.Say(canvas.Warn, "No timer is pending.")
		return
	}
	if err := rn.Session().Interventions().AdvanceTime(at.Sub(rn.Session().Now())); err != nil {
		rn.Say(canvas.Bad, err.Error())
		return
	}
	if rn.Session().Now().Before(at) { // a breakpoint has stopped the clock
		rn.Sync()
		return
	}
	rn.begin(debug.Command{Kind: debug.StepStage})
}

// resume carries on the command that stopped for an answer.
func (rn *runner) resume() {
	rn.running = true
	rn.advance()
}

func (rn *runner) backBindings() view.Bindings {
	var list view.Bindings
	for _, step := range stepActions {
		list = append(list, view.Binding{
			Action: step.back, Run: plainly(func() { rn.goBack(debug.Command{Kind: step.kind}) }), Disabled: rn.backDisabled,
		})
	}
	return list
}

func (rn *runner) backDisabled() string {
	if rn.Session().Position() == 0 {
		return "already at the start of the run"
	}
	return ""
}

// goBack moves back as a command moves forward.
func (rn *runner) goBack(command debug.Command) {
	standHere(rn.contract)
	if _, err := rn.Session().Back(command); err != nil {
		rn.Say(canvas.Bad, err.Error())
		return
	}
	rn.Sync()
}
