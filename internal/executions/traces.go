package executions

import (
	"io"
	"path/filepath"
	"strings"

	"asldb/engine"
	"asldb/internal/files"
	"asldb/recorder"
)

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
