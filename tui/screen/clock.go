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

func (rn *runner) clockBindings() pane.Bindings {
	return pane.Bindings{
		{Action: keys.NextTimer, Run: plainly(rn.nextTimer), Disabled: rn.nextTimerDisabled},
		{Action: keys.AdvanceBy, Run: func(text string) {
			if text == "" {
				rn.AskFor(keys.AdvanceBy, "Move the clock by (30s, 5m, 1h30m):", "", "")
				return
			}
			rn.advanceBy(text)
		}, Disabled: rn.advanceDisabled},
		{Action: keys.ClockMode, Run: rn.setClock},
		{Action: keys.Answer, Run: plainly(func() { rn.Answer(rn.Session().Requests()[0]) }), Disabled: rn.answerDisabled},
	}
}

func (rn *runner) nextTimerDisabled() string {
	if reason := readOnly(rn.Screen); reason != "" {
		return reason
	}
	if _, ok := rn.Session().NextTimer(); !ok {
		return "no timer is pending"
	}
	if rn.Session().Status() == engine.Runnable {
		return "time moves when all threads wait"
	}
	return ""
}

func (rn *runner) advanceDisabled() string {
	if reason := readOnly(rn.Screen); reason != "" {
		return reason
	}
	if rn.Session().Status().Done() {
		return "the run is over; " + rn.Key(keys.Restart) + " starts again"
	}
	return ""
}

func (rn *runner) answerDisabled() string {
	if reason := readOnly(rn.Screen); reason != "" {
		return reason
	}
	if len(rn.Session().Requests()) == 0 {
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

func (rn *runner) advanceBy(text string) {
	text = strings.TrimSpace(text)
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		rn.Say(theme.Bad, "A time is a number with a unit, such as 30s, 5m or 1h30m; found "+text)
		return
	}
	rn.passUntil(rn.Session().Now().Add(d))
}

// passUntil lets all happen that is due until a time, over as many timers as there are.
func (rn *runner) passUntil(until time.Time) {
	rn.passing = passing{from: rn.Session().Now(), until: until, events: rn.Session().Log().Len()}
	rn.begin(debug.Command{Kind: debug.RunUntil, Until: until})
}

// passing is a command to let time pass, until it has been said what happened meanwhile.
type passing struct {
	from, until time.Time
	events      int
}

// tellPassing says what happened while time passed, and what stopped it before.
func (rn *runner) tellPassing() {
	p := rn.passing
	rn.passing = passing{}
	if p.until.IsZero() {
		return
	}
	text := "The clock went on " + explain.Duration(rn.Session().Now().Sub(p.from))
	if whole := p.until.Sub(p.from); rn.Session().Now().Before(p.until) {
		text += " of " + explain.Duration(whole)
	}
	text += ": " + rn.happened(p.events) + "."
	style := theme.Plain
	switch stop := rn.Session().Stop(); stop.Reason {
	case debug.StoppedAtTime:
		if at, ok := rn.Session().NextTimer(); ok {
			text += " The next timer is due in " + explain.Duration(at.Sub(rn.Session().Now())) + "."
		}
	case debug.StoppedForAnswer:
		text += " Then a task asked for its answer."
	case debug.StoppedByBreakpoint:
		text += " Then a breakpoint was hit."
		style = theme.Warn
	case debug.StoppedAtEnd:
		text += " Then the run was over."
	}
	rn.Say(style, text)
}

// happened counts what timers and tasks did since an event of the log.
func (rn *runner) happened(since int) string {
	log := rn.Session().Log()
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
func (rn *runner) setClock(argument string) {
	argument = strings.TrimSpace(argument)
	if strings.HasPrefix(argument, "+") {
		rn.Do(keys.AdvanceBy, argument)
		return
	}
	if until, err := time.Parse(time.RFC3339Nano, argument); err == nil {
		switch reason := rn.Disabled(keys.AdvanceBy); {
		case reason != "":
			rn.Say(theme.Warn, reason)
		case !until.After(rn.Session().Now()):
			rn.Say(theme.Bad, "It is "+explain.Instant(rn.Session().Now())+" already: the clock cannot go back to "+explain.Instant(until))
		default:
			rn.passUntil(until)
		}
		return
	}
	clock := nextClock(rn.Session().Clock())
	if argument != "" {
		var err error
		if clock, err = debug.ParseClock(argument); err != nil {
			rn.Say(theme.Bad, err.Error())
			return
		}
	}
	rn.Session().SetClock(clock)
	rn.Say(theme.Plain, "Time goes: "+clockText(clock)+". "+clockMeaning(clock))
}
