package screen

import (
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/view"
)

func (rn *runner) clockBindings() view.Bindings {
	return view.Bindings{
		{Action: keys.NextTimer, Run: plainly(rn.nextTimer), Disabled: rn.nextTimerDisabled},
		{Action: keys.AdvanceBy, Run: func(text string) {
			if text == "" {
				rn.AskFor(keys.AdvanceBy, "Move the clock by (30s, 5m, 1h30m):", "", "")
				return
			}
			rn.advanceBy(text)
		}, Disabled: rn.advanceDisabled},
		{Action: keys.ClockMode, Run: rn.setClock},
		{Action: keys.Answer, Applies: rn.nothingAsked, Run: plainly(rn.answers.openIntervene), Disabled: rn.answers.interveneDisabled},
		{Action: keys.Answer, Run: plainly(func() { rn.answers.askNext() }), Disabled: rn.answerDisabled},
	}
}

func (rn *runner) nextTimerDisabled() string {
	if reason := readOnly(rn.contract); reason != "" {
		return reason
	}
	if _, ok := rn.Session().NextTimer(); !ok {
		return "no timer is pending"
	}
	if rn.Session().Status() == engine.Runnable {
		return "time advances only when all threads wait"
	}
	return ""
}

func (rn *runner) advanceDisabled() string {
	if reason := readOnly(rn.contract); reason != "" {
		return reason
	}
	if rn.Session().Status().Done() {
		return "the run is over; " + rn.Key(keys.Restart) + " starts again"
	}
	return ""
}

// nothingAsked reports whether no task waits for an answer where the user looks.
func (rn *runner) nothingAsked() bool { return !rn.Newest() || !unanswered(rn.Session()) }

func (rn *runner) answerDisabled() string {
	if reason := readOnly(rn.contract); reason != "" {
		return reason
	}
	if !unanswered(rn.Session()) {
		return "no task waits for an answer"
	}
	return ""
}

func (rn *runner) advanceBy(text string) {
	text = strings.TrimSpace(text)
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		rn.Say(canvas.Bad, "A time is a number with a unit, such as 30s, 5m or 1h30m; found "+text)
		return
	}
	rn.passUntil(rn.Session().Now().Add(d))
}

// passUntil lets all happen that is due until a time, over as many timers as there are.
func (rn *runner) passUntil(until time.Time) {
	rn.passing = passing{from: rn.Session().Now(), until: until, events: rn.Session().Log().Len()}
	rn.begin(debug.Command{Kind: debug.RunUntil, Until: until})
}

// passing is a command that moves the clock, until its effect has been reported.
type passing struct {
	from, until time.Time
	events      int // in the log before the command
}

// announcePassing names the events while time passed, and the reason for the stop.
func (rn *runner) announcePassing() {
	p := rn.passing
	rn.passing = passing{}
	if p.until.IsZero() {
		return
	}
	text := explain.Passed(rn.Session(), p.events, p.from, p.until)
	rn.Say(prose.StyleOf(text.Tone), prose.Spans(text.Spans, rn.Glyphs()))
}

// setClock changes how time passes; "" is the next mode. +DURATION and an instant such as 2026-01-02T00:00:00Z move
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
			rn.Say(canvas.Warn, reason)
		case !until.After(rn.Session().Now()):
			rn.Say(canvas.Bad, "It is "+wording.Instant(rn.Session().Now())+" already: the clock cannot go back to "+wording.Instant(until))
		default:
			rn.passUntil(until)
		}
		return
	}
	clock := nextClock(rn.Session().Clock())
	if argument != "" {
		var err error
		if clock, err = debug.ParseClock(argument); err != nil {
			rn.Say(canvas.Bad, err.Error())
			return
		}
	}
	rn.Session().SetClock(clock)
	rn.Say(canvas.Plain, "Clock: "+explain.Clock(clock)+". "+explain.ClockEffect(clock))
}

// nextClock returns the mode that follows c when a key cycles through them.
func nextClock(c debug.Clock) debug.Clock {
	switch {
	case c.Mode == debug.ClockSkip:
		return debug.Clock{Mode: debug.ClockPaced, Factor: 1}
	case c.Mode == debug.ClockPaced && c.Factor == 1:
		return debug.Clock{Mode: debug.ClockPaced, Factor: 60}
	case c.Mode == debug.ClockPaced:
		return debug.Clock{Mode: debug.ClockByHand}
	}
	return debug.Clock{Mode: debug.ClockSkip}
}
