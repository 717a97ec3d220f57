package screen

import (
	"strconv"

	"asldb/engine/debug"
)

// clockText names the clock's mode.
func clockText(c debug.Clock) string {
	switch c.Mode {
	case debug.ClockSkip:
		return "skip"
	case debug.ClockByHand:
		return "by hand"
	}
	if c.Factor == 1 {
		return "real time"
	}
	return "x" + strconv.FormatFloat(c.Factor, 'g', -1, 64)
}

// nextClock is the mode that follows c when a key goes through them.
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
