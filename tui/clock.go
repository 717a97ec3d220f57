package tui

import (
	"math"
	"strings"
	"time"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/tui/keys"
	"asldb.dev/asldb/tui/theme"
)

func clockRoom() room {
	return room{
		actions: []keys.Action{keys.NextTimer, keys.AdvanceBy, keys.ClockMode, keys.Answer},
		act:     (*ui).actOnTime, disabled: (*ui).timeDisabled,
	}
}

func (u *ui) timeDisabled(a keys.Action) string {
	switch a {
	case keys.NextTimer, keys.AdvanceBy:
		if _, ok := u.session.NextTimer(); !ok {
			return "no timer is pending"
		}
		if u.session.Status() == engine.Runnable {
			return "time moves when all threads wait"
		}
	case keys.Answer:
		if len(u.session.Requests()) == 0 {
			return "no task waits for an answer"
		}
	}
	return ""
}

func (u *ui) actOnTime(a keys.Action, argument string) bool {
	switch a {
	case keys.NextTimer:
		u.moveClock(math.MaxInt64)
	case keys.AdvanceBy:
		if argument == "" {
			u.askFor(a, "Move the clock by (30s, 5m, 1h30m):", "", "")
			return true
		}
		u.advanceBy(argument)
	case keys.ClockMode:
		u.setClock(argument)
	case keys.Answer:
		u.ask(u.session.Requests()[0])
	default:
		return false
	}
	return true
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
	u.moveClock(d)
}

// setClock changes how time goes; "" is the next way, and +DURATION moves the clock instead.
func (u *ui) setClock(argument string) {
	argument = strings.TrimSpace(argument)
	if strings.HasPrefix(argument, "+") {
		u.do(keys.AdvanceBy, argument)
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
