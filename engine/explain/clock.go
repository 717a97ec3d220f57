package explain

import (
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/internal/wording"
)

// Clock names a mode of the clock in a word or two.
func Clock(c debug.Clock) string {
	switch c.Mode {
	case debug.ClockSkip:
		return "skip"
	case debug.ClockByHand:
		return "manual"
	case debug.ClockPaced:
	}
	if c.Factor == 1 {
		return "real time"
	}
	return "x" + strconv.FormatFloat(c.Factor, 'g', -1, 64)
}

// ClockEffect says how time passes in a mode of the clock.
func ClockEffect(c debug.Clock) string {
	switch c.Mode {
	case debug.ClockSkip:
		return "Waits are skipped: the clock jumps to the next timer."
	case debug.ClockByHand:
		return "The run stops at each wait until you move the clock."
	case debug.ClockPaced:
	}
	return "Waits are not skipped."
}

// Passed explains a command that moved the clock from a time, when the log had events events, towards another: how far
// it went, which events it brought, and the reason for its stop.
func Passed(s *debug.Session, events int, from, until time.Time) Paragraph {
	text := "The clock advanced " + wording.Duration(s.Now().Sub(from))
	if s.Now().Before(until) {
		text += " of " + wording.Duration(until.Sub(from))
	}
	text += ": " + eventsSince(s.Log(), events) + "."
	tone := TonePlain
	switch s.Stop().Reason {
	case debug.StoppedAtTime:
		if at, ok := s.NextTimer(); ok {
			text += " The next timer is due in " + wording.Duration(at.Sub(s.Now())) + "."
		}
	case debug.StoppedForAnswer:
		if s.Stop().Object != nil {
			text += " Then an ItemReader asked for its items."
		} else {
			text += " Then a task asked for its answer."
		}
	case debug.StoppedByBreakpoint:
		text += " Then a breakpoint was hit."
		tone = ToneCaution
	case debug.StoppedAtEnd:
		text += " Then the run was over."
	default:
	}
	return say(tone, NoSign, words(text))
}

// eventsSince counts the events of timers and tasks from index from of the log on, and all events.
func eventsSince(log *runlog.Log, from int) string {
	var waits, retries, answers, timeouts, heartbeats int
	for i := from; i < log.Len(); i++ {
		switch log.At(i).Type {
		case engine.WaitEnded:
			waits++
		case engine.RetryStarted:
			retries++
		case engine.TaskSucceeded, engine.TaskFailed:
			answers++
		case engine.TaskTimedOut:
			timeouts++
		case engine.TaskHeartbeat:
			heartbeats++
		default:
		}
	}
	if log.Len() == from {
		return "nothing happened"
	}
	var parts []string
	for _, c := range []struct {
		n         int
		one, many string
	}{
		{waits, "wait ended", "waits ended"}, {retries, "retry began", "retries began"}, {answers, "task answered", "tasks answered"},
		{timeouts, "task timed out", "tasks timed out"}, {heartbeats, "heartbeat came", "heartbeats came"},
	} {
		if c.n > 0 {
			parts = append(parts, wording.CountOf(c.n, c.one, c.many))
		}
	}
	return strings.Join(append(parts, wording.Count(log.Len()-from, "event")), ", ")
}
