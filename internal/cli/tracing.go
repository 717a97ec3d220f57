package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/launch"
	"asldb/internal/visible"
	"asldb/recorder"
)

// compressedSuffix is that of the name of a trace which is to be compressed.
const compressedSuffix = ".zst"

// traceFlags are the flags that say where a run is recorded, and how.
type traceFlags struct {
	file              string
	compress, replace bool
	redact            []string
}

func (f *traceFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.VarP(newFilled(&f.file, ""), "trace", "", "record the run in `FILE`, for asldb replay; compressed if its name ends in .zst")
	flags.BoolVar(&f.compress, "trace-compress", false, "compress the trace (zstd) regardless of its name")
	flags.BoolVar(&f.replace, "trace-replace", false, "let --trace replace an existing trace")
	flags.StringArrayVar(&f.redact, "redact", nil, "leave the values at `PATH`, such as $..password, out of the trace\nwherever they occur; repeatable")
}

// idle refuses flags about a trace where there is none: with --redact the user expects a trace without secrets.
func (f *traceFlags) idle() error {
	flag := ""
	switch {
	case f.compress:
		flag = "--trace-compress"
	case f.replace:
		flag = "--trace-replace"
	case len(f.redact) > 0:
		flag = "--redact"
	default:
		return nil
	}
	return fmt.Errorf("%s is about the trace, and there is no --trace", flag)
}

// redactions returns the paths of --redact.
func (f *traceFlags) redactions() ([]*recorder.Redaction, error) {
	var list []*recorder.Redaction
	for _, path := range f.redact {
		redaction, err := recorder.ParseRedaction(path)
		if err != nil {
			return nil, fmt.Errorf("--redact: %w", err)
		}
		list = append(list, redaction)
	}
	return list, nil
}

// tracing is a run's trace; nil where none is wanted.
type tracing struct {
	writer   *recorder.TraceWriter
	reported bool // the fault
}

// spec is where the run is recorded, and how; nil where it is not.
func (f *traceFlags) spec() (*launch.Trace, error) {
	if f.file == "" {
		return nil, f.idle()
	}
	redactions, err := f.redactions()
	if err != nil {
		return nil, err
	}
	return &launch.Trace{File: f.file, Program: version(), Options: recorder.TraceOptions{
		Compress: f.compress || strings.HasSuffix(f.file, compressedSuffix), Replace: f.replace, Redactions: redactions,
	}}, nil
}

// fault returns the fault of the trace once, at the first call after it; else "".
func (r *tracing) fault() string {
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

// warn writes the fault of the trace on standard error.
func (r *tracing) warn(s *streams) {
	if fault := r.fault(); fault != "" {
		fmt.Fprintf(s.err, "warning: %s\n", visible.Line(fault))
	}
}

// close writes the warnings about a trace that is complete.
func (r *tracing) close(s *streams) {
	if r == nil {
		return
	}
	r.warn(s)
	for _, path := range r.writer.Unfound() {
		fmt.Fprintf(s.err, "warning: --redact %s led to nothing: nothing was left out of the trace for it\n", visible.Line(path))
	}
}
