// Package executions lists recorded executions, a state machine's in AWS or the ones in files, and finds the state at
// which one has failed.
package executions

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"asldb/engine"
	"asldb/internal/files"
	"asldb/recorder"
	"asldb/recorder/history"
)

// Row is an execution in a list.
type Row struct {
	// ID tells the execution apart from the others of the list.
	ID string
	// Name is its name, Status the service's: "FAILED".
	Name, Status string
	// Start is the time of its start, Stop the time of its end; zero where it has not ended.
	Start, Stop time.Time
	Redrives    int
	// Failure is known where the list has the history or the trace; else nil.
	Failure *Failure
	// About says where it is: the ARN, or the file.
	About string
	// At says where an execution is that runs: "held at Charge"; empty where that is not known.
	At string

	arn   ARN
	files []string
	trace bool // it is a trace of asldb, whose file is the ID
}

// Files returns the files of a recorded execution, and which of their executions it is, where they have several. A trace has
// none: its file is the ID.
func (r *Row) Files() (names []string, execution string) {
	if len(r.files) > 0 {
		execution, _ = strings.CutPrefix(r.ID, r.files[0])
	}
	return r.files, strings.TrimSpace(execution)
}

// Failed reports whether the execution has ended without success.
func (r *Row) Failed() bool {
	return slices.Contains(Failures(), r.Status)
}

// Failures are the statuses of executions that have ended without success.
func Failures() []string { return []string{"FAILED", "TIMED_OUT", "ABORTED"} }

// Failure is the failure of an execution.
type Failure struct {
	// State is the definition path of the state that failed, or in which the execution was at its end; empty where the history does
	// not say it.
	State string
	// Error and Cause are the execution's.
	Error, Cause string
	// Events is the length of the history.
	Events int
}

// Recorded is an execution with its history, or a trace.
type Recorded struct {
	Row Row
	// Trace is the name of the file of a trace; History is nil then.
	Trace   string
	History *history.Execution
	// Fetched is set where it was read from AWS.
	Fetched *Execution
	// Files are the names of the files that it was read from, and Definition is the name of the file with the
	// definition that ran, where it is known.
	Files      []string
	Definition string
}

// Source is a list of executions.
type Source interface {
	// Title names the list.
	Title() string
	// Next reads the next executions; more reports whether there are others after them. After an error it can be called again.
	Next(ctx context.Context) (rows []Row, more bool, err error)
	// LeftOut is the number of files that were looked at and hold no execution.
	LeftOut() int
	// Again starts over.
	Again()
	// Local reports whether the list is on this machine, so that all of it can be read without being asked for.
	Local() bool
	// Read reads an execution with its history. progress is called with the number of events so far.
	Read(ctx context.Context, row *Row, progress func(events int)) (*Recorded, error)
}

// Changing is a list of executions that run: their rows change, and others come.
type Changing interface {
	Source
	// Every is the time between two looks at the list.
	Every() time.Duration
}

// Failure finds the failure of the execution; nil where it has not failed.
func (r *Recorded) Failure() *Failure {
	if r.History == nil {
		return r.Row.Failure
	}
	return failureOf(r.History)
}

// failureOf finds the failure of an execution: from its end back to the first event of the failure.
func failureOf(x *history.Execution) *Failure {
	end := x.End()
	if end == nil || end.Kind().Phase == history.Succeeded {
		return nil
	}
	f := &Failure{Error: end.Text("error"), Cause: end.Text("cause"), Events: len(x.Events)}
	places := history.Follow(x.Events).Of
	at := make(map[int64]int, len(x.Events))
	for i := range x.Events {
		at[x.Events[i].ID] = i
	}
	for event := end; ; {
		i, ok := at[event.Previous]
		if !ok || x.Events[i].ID >= event.ID {
			return f
		}
		event = &x.Events[i]
		if visit := places[i].Visit; visit != nil {
			f.State = visit.Path()
		}
		if phase := event.Kind().Phase; f.State != "" && phase != history.Failed && phase != history.TimedOut &&
			phase != history.Aborted {
			return f
		}
	}
}

// statusOf is the status of an execution as the service names it.
func statusOf(x *history.Execution) string {
	end := x.End()
	if end == nil {
		return "RUNNING"
	}
	switch end.Kind().Phase {
	case history.Succeeded:
		return "SUCCEEDED"
	case history.TimedOut:
		return "TIMED_OUT"
	case history.Aborted:
		return "ABORTED"
	default:
		return "FAILED"
	}
}

// The statuses of a trace whose last event is not the end of the execution, and of one whose last event is not known: a large file that is
// compressed shows it only when all of it is read.
const (
	notEnded = "NOT ENDED"
	unknown  = "UNKNOWN"
)

// mostUnpacked is the size of a compressed trace, in bytes, up to which it is read for its last event.
const mostUnpacked = 1 << 20

// fits reports whether a file in a folder may hold an execution, by its name.
func fits(name string) bool {
	return IsHistory(name) || IsTrace(name) || strings.HasSuffix(name, ".zst")
}

// isTrace reports whether a file begins as a trace does.
func isTrace(name string) bool {
	file, _, err := files.Open(name)
	if err != nil {
		return false
	}
	defer file.Close() // it was only read
	start := make([]byte, 64)
	n, _ := io.ReadFull(file, start)
	return HasTrace(start[:n])
}

// traceRow returns the row of a trace, by its first line and its last event.
func traceRow(name string) (Row, error) {
	t, err := recorder.Begin(name, nil)
	if err != nil {
		return Row{}, err
	}
	defer t.Close() // it was only read
	row := Row{ID: name, Name: filepath.Base(name), Status: unknown, Start: t.Header().Start, About: name, trace: true}
	end, ok := t.Ending()
	if !ok && t.Size() <= mostUnpacked && t.Index(nil) == nil {
		end, ok = t.Last().Ending()
	}
	if !ok {
		return row, nil
	}
	switch end.Type {
	case engine.ExecutionSucceeded:
		row.Status = "SUCCEEDED"
	case engine.ExecutionFailed:
		row.Status = "FAILED"
	case engine.ExecutionTimedOut:
		row.Status = "TIMED_OUT"
	case engine.ExecutionAborted:
		row.Status = "ABORTED"
	default:
		row.Status = notEnded
		return row, nil
	}
	row.Stop = end.Time
	if row.Failed() {
		row.Failure = &Failure{State: end.State, Error: end.Error, Cause: end.Cause, Events: int(end.Seq)}
	}
	return row, nil
}
