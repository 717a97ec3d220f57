package waiter

import (
	"math"
	"time"
)

// Delay is how long a waiter waits before an attempt, and how that came about (section "Waiter retries").
type Delay struct {
	// Attempt is the number of the attempt that is behind, from 1.
	Attempt int
	// Ceiling is the attempt from which on MaxDelay is the upper bound: ln(max/min)/ln(2) + 1.
	Ceiling float64
	// Low and High are the bounds of the draw in whole seconds, both included; Drawn is the result.
	Low, High, Drawn int64
	// Remaining is the time that was left.
	Remaining time.Duration
	// Last is set when the delay was changed to all of the time that is left, because after it there would be no
	// more than MinDelay: one attempt follows, and no other.
	Last bool
	// Sleep is the delay itself.
	Sleep time.Duration
}

// Bounds returns the ceiling and the bounds, in whole seconds, of the delay after an attempt, counted from 1.
func (w *Waiter) Bounds(attempt int) (ceiling float64, low, high int64) {
	ceiling = math.Log(float64(w.MaxDelay)/float64(w.MinDelay))/math.Ln2 + 1
	if float64(attempt) > ceiling {
		return ceiling, w.MinDelay, w.MaxDelay
	}
	// Below the ceiling the power is at most MaxDelay, and cannot overflow.
	return ceiling, w.MinDelay, min(w.MinDelay<<(attempt-1), w.MaxDelay)
}

// NextDelay returns the delay after an attempt. draw returns a number from 0 to before its argument; nil draws the
// greatest.
func (w *Waiter) NextDelay(attempt int, remaining time.Duration, draw func(n int64) int64) Delay {
	d := Delay{Attempt: attempt, Remaining: remaining}
	d.Ceiling, d.Low, d.High = w.Bounds(attempt)
	d.Drawn = d.High
	if draw != nil && d.High > d.Low {
		d.Drawn = d.Low + draw(d.High-d.Low+1)
	}
	return w.shorten(d)
}

// shorten applies the rule of the last attempt.
func (w *Waiter) shorten(d Delay) Delay {
	d.Sleep = time.Duration(d.Drawn) * time.Second
	if d.Remaining-d.Sleep <= time.Duration(w.MinDelay)*time.Second {
		d.Sleep, d.Last = max(d.Remaining, 0), true
	}
	return d
}
