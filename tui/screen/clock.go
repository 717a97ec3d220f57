package screen

import (
	"slices"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

func (u *ui) clockBindings() pane.Bindings {
	return pane.Bindings{
		{Action: keys.NextTimer, Run: plainly(u.nextTimer), Disabled: u.nextTimerDisabled},
		{Action: keys.AdvanceBy, Run: func(text string) {
			if text == "" {
				u.askFor(keys.AdvanceBy, "Move the clock by (30s, 5m, 1h30m):", "", "")
				return
			}
			u.advanceBy(text)
		}, Disabled: u.advanceDisabled},
		{Action: keys.ClockMode, Run: u.setClock},
		{Action: keys.Answer, Run: plainly(func() { u.ask(u.session.Requests()[0]) }), Disabled: u.answerDisabled},
	}
}

func (u *ui) nextTimerDisabled() string {
	if reason := u.sealed(); reason != "" {
		return reason
	}
	if _, ok := u.session.NextTimer(); !ok {
		return "no timer is pending"
	}
	if u.session.Status() == engine.Runnable {
		return "time moves when all threads wait"
	}
	return ""
}

func (u *ui) advanceDisabled() string {
	if reason := u.sealed(); reason != "" {
		return reason
	}
	if u.session.Status().Done() {
		return "the run is over; " + u.keys.Key(keys.Restart) + " starts again"
	}
	return ""
}

func (u *ui) answerDisabled() string {
	if reason := u.sealed(); reason != "" {
		return reason
	}
	if len(u.session.Requests()) == 0 {
		return "no task waits for an answer"
	}
	return ""
}

func clockMeaning(c debug.Clock) string {
	switch c.Mode {
	case debug.ClockSkip:
		return "Waits are skipped: the clock jumps to the next timer."
	case debug.ClockByHand:
		return "The run stops at each wait until you move the clock."
	}
	return "The run really waits."
}

func (u *ui) advanceBy(text string) {
	text = strings.TrimSpace(text)
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		u.say(theme.Bad, "A time is a number with a unit, such as 30s, 5m or 1h30m; found "+text)
		return
	}
	u.passUntil(u.session.Now().Add(d))
}

// passUntil lets all happen that is due until a time, over as many timers as there are.
func (u *ui) passUntil(until time.Time) {
	u.passing = passing{from: u.session.Now(), until: until, events: u.session.Log().Len()}
	u.begin(debug.Command{Kind: debug.RunUntil, Until: until})
}

// passing is a command to let time pass, until it has been said what happened meanwhile.
type passing struct {
	from, until time.Time
	events      int
}

// tellPassing says what happened while time passed, and what stopped it before.
func (u *ui) tellPassing() {
	p := u.passing
	u.passing = passing{}
	if p.until.IsZero() {
		return
	}
	text := "The clock went on " + explain.Duration(u.session.Now().Sub(p.from))
	if whole := p.until.Sub(p.from); u.session.Now().Before(p.until) {
		text += " of " + explain.Duration(whole)
	}
	text += ": " + u.happened(p.events) + "."
	style := theme.Plain
	switch stop := u.session.Stop(); stop.Reason {
	case debug.StoppedAtTime:
		if at, ok := u.session.NextTimer(); ok {
			text += " The next timer is due in " + explain.Duration(at.Sub(u.session.Now())) + "."
		}
	case debug.StoppedForAnswer:
		text += " Then a task asked for its answer."
	case debug.StoppedByBreakpoint:
		text += " Then a breakpoint was hit."
		style = theme.Warn
	case debug.StoppedAtEnd:
		text += " Then the run was over."
	}
	u.say(style, text)
}

// happened counts what timers and tasks did since an event of the log.
func (u *ui) happened(since int) string {
	log := u.session.Log()
	counts := []struct {
		types     []engine.EventType
		one, many string
		n         int
	}{
		{[]engine.EventType{engine.WaitEnded}, "wait ended", "waits ended", 0},
		{[]engine.EventType{engine.RetryStarted}, "retry began", "retries began", 0},
		{[]engine.EventType{engine.TaskSucceeded, engine.TaskFailed}, "task answered", "tasks answered", 0},
		{[]engine.EventType{engine.TaskTimedOut}, "task timed out", "tasks timed out", 0},
		{[]engine.EventType{engine.TaskHeartbeat}, "heartbeat came", "heartbeats came", 0},
	}
	for i := since; i < log.Len(); i++ {
		for c := range counts {
			if slices.Contains(counts[c].types, log.At(i).Type) {
				counts[c].n++
			}
		}
	}
	var parts []string
	for _, c := range counts {
		if c.n > 0 {
			parts = append(parts, explain.Plural(c.n, c.one, c.many))
		}
	}
	if len(parts) == 0 && log.Len() == since {
		return "nothing happened"
	}
	return strings.Join(append(parts, explain.Plural(log.Len()-since, "event", "events")), ", ")
}

// setClock changes how time goes; "" is the next way. +DURATION and an instant such as 2026-01-02T00:00:00Z move
// the clock instead.
func (u *ui) setClock(argument string) {
	argument = strings.TrimSpace(argument)
	if strings.HasPrefix(argument, "+") {
		u.do(keys.AdvanceBy, argument)
		return
	}
	if until, err := time.Parse(time.RFC3339Nano, argument); err == nil {
		switch reason := u.disabled(keys.AdvanceBy); {
		case reason != "":
			u.say(theme.Warn, reason)
		case !until.After(u.session.Now()):
			u.say(theme.Bad, "It is "+explain.Instant(u.session.Now())+" already: the clock cannot go back to "+explain.Instant(until))
		default:
			u.passUntil(until)
		}
		return
	}
	clock := nextClock(u.session.Clock())
	if argument != "" {
		var err error
		if clock, err = debug.ParseClock(argument); err != nil {
			u.say(theme.Bad, err.Error())
			return
		}
	}
	u.session.SetClock(clock)
	u.say(theme.Plain, "Time goes: "+clockText(clock)+". "+clockMeaning(clock))
}
