package sessions

import (
	"fmt"

	"asldb/internal/cli/command"
	"asldb/internal/wording"
	"asldb/recorder"
)

// Tracing is a run's trace; nil where none is wanted.
type Tracing struct {
	writer   *recorder.TraceWriter
	reported bool // the fault
}

// fault returns the fault of the trace once, at the first call after it; else "".
func (r *Tracing) fault() string {
	if r == nil || r.reported {
		return ""
	}
	err := r.writer.Fault()
	if err == nil {
		return ""
	}
	r.reported = true
	return err.Error()
}

// Warn writes the fault of the trace on standard error.
func (r *Tracing) Warn(s *command.Streams) {
	if fault := r.fault(); fault != "" {
		fmt.Fprintf(s.Err, "warning: %s\n", wording.Line(fault))
	}
}

// close writes the warnings about a trace that is complete.
func (r *Tracing) close(s *command.Streams) {
	if r == nil {
		return
	}
	r.Warn(s)
	for _, path := range r.writer.Unfound() {
		fmt.Fprintf(s.Err, "warning: --redact %s led to nothing: nothing was left out of the trace for it\n", wording.Line(path))
	}
}
