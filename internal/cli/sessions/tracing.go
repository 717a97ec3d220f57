package sessions

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/wording"
	"asldb/recorder"
)

// CompressedSuffix is that of the name of a trace which is to be compressed.
const CompressedSuffix = ".zst"

// TraceFlags are the flags that say where a run is recorded, and how.
type TraceFlags struct {
	File              string // of the trace; empty: there is none
	compress, replace bool
	redact            []string
	// Redacts says that --redact is about more than the trace.
	Redacts bool
}

func (f *TraceFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.VarP(command.NewFilled(&f.File, ""), "trace", "", "record the run in `FILE`, for asldb replay; compressed if its name ends in .zst")
	flags.BoolVar(&f.compress, "trace-compress", false, "compress the trace (zstd) regardless of its name")
	flags.BoolVar(&f.replace, "trace-replace", false, "let --trace replace an existing trace")
	flags.StringArrayVar(&f.redact, "redact", nil, "leave the values at `PATH`, such as $..password, out of the trace\nwherever they occur; repeatable")
}

// idle refuses flags about a trace where there is none: with --redact the user expects a trace without secrets.
func (f *TraceFlags) idle() error {
	flag := ""
	switch {
	case f.compress:
		flag = "--trace-compress"
	case f.replace:
		flag = "--trace-replace"
	case len(f.redact) > 0 && !f.Redacts:
		flag = "--redact"
	default:
		return nil
	}
	return fmt.Errorf("%s is about the trace, and there is no --trace", flag)
}

// redactions returns the paths of --redact.
func (f *TraceFlags) redactions() ([]*recorder.Redaction, error) { return command.Redactions(f.redact) }

// Redacting reports whether there are paths of --redact.
func (f *TraceFlags) Redacting() bool { return len(f.redact) > 0 }

// Redactor returns a redactor by the paths of --redact.
func (f *TraceFlags) Redactor() (*recorder.Redactor, error) {
	redactions, err := f.redactions()
	if err != nil {
		return nil, err
	}
	return recorder.NewRedactor(redactions), nil
}

// Tracing is a run's trace; nil where none is wanted.
type Tracing struct {
	writer   *recorder.TraceWriter
	reported bool // the fault
}

// Spec is where the run is recorded, and how; nil where it is not.
func (f *TraceFlags) Spec() (*launch.Trace, error) {
	if f.File == "" {
		return nil, f.idle()
	}
	redactions, err := f.redactions()
	if err != nil {
		return nil, err
	}
	return &launch.Trace{File: f.File, Program: command.Version(), Options: recorder.TraceOptions{
		Compress: f.compress || strings.HasSuffix(f.File, CompressedSuffix), Replace: f.replace, Redactions: redactions,
	}}, nil
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
