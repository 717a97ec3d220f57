// Package interrupt has the check by which an evaluation is ended from outside: by the user, or by a signal.
// What evaluates counts its steps and looks, every now and then, at a check that its driver gives. It never looks at a
// clock, and an evaluation that was interrupted has no result: neither a value nor an error of the language.
package interrupt

import (
	"errors"
	"sync/atomic"
)

// Check reports whether to stop: its error is the reason. It is cheap, and may be called on any goroutine.
type Check func() error

// Error says that an evaluation was interrupted.
type Error struct {
	// Reason is the check's answer.
	Reason error
}

// Error implements error.
func (e *Error) Error() string { return "the evaluation was interrupted: " + e.Reason.Error() }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Reason }

// Is reports whether err says that an evaluation was interrupted.
func Is(err error) bool {
	var interrupted *Error
	return errors.As(err, &interrupted)
}

// Every is how many steps are between two calls of a check.
const Every = 1024

// Poll counts the steps of an evaluation and looks at a check every now and then. A Poll without a check, and a nil
// one, never interrupt. It is used by one goroutine at a time.
type Poll struct {
	check Check
	left  int
	spent int
	err   error
}

// NewPoll returns a Poll that looks at a check, which may be nil.
func NewPoll(check Check) Poll { return Poll{check: check, left: Every} }

// Armed reports whether there is a check.
func (p *Poll) Armed() bool { return p != nil && p.check != nil }

// Step counts n steps. The error is an *[Error]; once there is one, it stays.
func (p *Poll) Step(n int) error {
	if p == nil {
		return nil
	}
	p.spent += n
	if p.left -= n; p.left > 0 && p.err == nil {
		return nil
	}
	return p.Look()
}

// Count counts n steps that the check was looked at for already.
func (p *Poll) Count(n int) { p.spent += n }

// Spent returns the number of steps since the Poll was made, or since TakeSpent.
func (p *Poll) Spent() int { return p.spent }

// TakeSpent returns the same number as Spent, and starts counting from 0.
func (p *Poll) TakeSpent() int {
	spent := p.spent
	p.spent = 0
	return spent
}

// Look looks at the check at once. The error comes from Step.
func (p *Poll) Look() error {
	if p == nil || p.err != nil {
		return p.Err()
	}
	if p.left = Every; p.check == nil {
		return nil
	}
	if err := p.check(); err != nil {
		p.Stop(err)
	}
	return p.err
}

// Stop lets the evaluation end with a reason that the check did not give.
func (p *Poll) Stop(reason error) {
	if p.err = reason; !Is(reason) {
		p.err = &Error{Reason: reason}
	}
}

// Err returns the error of Step, nil as long as nothing was interrupted.
func (p *Poll) Err() error {
	if p == nil {
		return nil
	}
	return p.err
}

// Reset starts over.
func (p *Poll) Reset() { p.err = nil }

// Flag is a check that another goroutine can raise. The zero Flag is down.
type Flag struct {
	raised atomic.Bool
	looks  atomic.Uint64
}

// ErrRaised is the reason that a raised [Flag] gives.
var ErrRaised = errors.New("stopped by hand")

// Raise interrupts the evaluations that look at the flag, until it is lowered.
func (f *Flag) Raise() { f.raised.Store(true) }

// Lower lets evaluations continue.
func (f *Flag) Lower() { f.raised.Store(false) }

// Raised reports whether the flag is up.
func (f *Flag) Raised() bool { return f.raised.Load() }

// Looks returns how often Check was called: whether something is being evaluated shows in it.
func (f *Flag) Looks() uint64 { return f.looks.Load() }

// Check is the flag as a [Check].
func (f *Flag) Check() error {
	f.looks.Add(1)
	if f.Raised() {
		return ErrRaised
	}
	return nil
}
