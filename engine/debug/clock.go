package debug

import (
	"strconv"
	"strings"
)

// ClockError is a text that names no clock.
type ClockError struct{ Text string }

// Error implements error.
func (e *ClockError) Error() string {
	return "a clock is skip, real, manual, or a factor above 0 such as x60; found " + strconv.Quote(e.Text)
}

// maxFactor keeps a paced clock from going faster than a time.Duration can hold; skip is for that.
const maxFactor = 1e9

// ParseClock reads the name of a clock: skip, real, manual, or a factor of real time such as x60. The error is a
// *ClockError.
func ParseClock(text string) (Clock, error) {
	switch text {
	case "skip":
		return Clock{Mode: ClockSkip}, nil
	case "real":
		return Clock{Mode: ClockPaced, Factor: 1}, nil
	case "manual", "hand": // "hand" is the name of earlier versions
		return Clock{Mode: ClockByHand}, nil
	}
	if digits, ok := strings.CutPrefix(text, "x"); ok {
		if factor, err := strconv.ParseFloat(digits, 64); err == nil && factor > 0 && factor <= maxFactor {
			return Clock{Mode: ClockPaced, Factor: factor}, nil
		}
	}
	return Clock{}, &ClockError{Text: text}
}
