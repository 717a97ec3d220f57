package command

import (
	"errors"
	"fmt"
)

// The exit statuses.
const (
	// StatusOK: the execution succeeded, the expression has a value, or the user has quit.
	StatusOK = 0
	// StatusFailed: the execution failed or timed out, or the expression has no value.
	StatusFailed = 1
	// StatusUsage: the command line, the definition, the input or the fixtures are wrong.
	StatusUsage = 2
	// StatusHangup, StatusInterrupted, StatusQuit and StatusTerminated: SIGHUP, SIGINT (also the key Ctrl+C), SIGQUIT
	// or SIGTERM ended it (128 and the signal's number, as shells have it).
	StatusHangup      = 129
	StatusInterrupted = 130
	StatusQuit        = 131
	StatusTerminated  = 143
	// StatusBack: the user has gone back to the list that has run the command.
	StatusBack = -1
)

// ExitError ends a command with a status. With a nil err there is no message.
type ExitError struct {
	Status int   // the exit status of the program
	Err    error // the reason; nil: there is no message
}

func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit status %d", e.Status)
	}
	return e.Err.Error()
}

func (e *ExitError) Unwrap() error { return e.Err }

// Exit returns the error that ends a command with a status, and with the message of err unless that is nil.
func Exit(status int, err error) error { return &ExitError{status, err} }

// Interrupted returns the error of a command that the user stopped; where is its place, or empty.
func Interrupted(where string) error {
	return Exit(StatusInterrupted, errors.New("interrupted"+where))
}

// StatusDiffers is the exit status of a command that finds a difference between a run and its recording.
const StatusDiffers = 3

// StatusCoverage is the exit status of coverage below --min.
const StatusCoverage = 4

// StatusUnexplained is the exit status of why where there is no failure to explain.
const StatusUnexplained = 5
