package versions

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"asldb/internal/executions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/why"
	"asldb/internal/wording"
	"asldb/internal/work"
)

// Verified is the result of running the recording in one trace again.
type Verified struct {
	File string
	// Events is the number of events that were compared.
	Events int
	// Differs is set where the run is not as it was recorded.
	Differs bool
	// Text is the result in lines: that all events agree, or the first difference and the end of the run.
	Text string
	// Err says why the trace cannot be verified; nil: it was.
	Err error
	// Warnings are about the trace.
	Warnings []files.Warning
}

// Verification is the result over several traces.
type Verification struct{ Traces []Verified }

// Agree, Differ and Wrong are the numbers of traces that run as they were recorded, that do not, and that cannot be verified.
func (v *Verification) Agree() int { return len(v.Traces) - v.Differ() - v.Wrong() }

// Differ returns the number of traces that do not run as they were recorded.
func (v *Verification) Differ() int {
	n := 0
	for i := range v.Traces {
		if v.Traces[i].Differs {
			n++
		}
	}
	return n
}

// Wrong returns the number of traces that cannot be verified.
func (v *Verification) Wrong() int {
	n := 0
	for i := range v.Traces {
		if v.Traces[i].Err != nil {
			n++
		}
	}
	return n
}

// Events returns the number of events that were compared in all traces.
func (v *Verification) Events() int {
	n := 0
	for i := range v.Traces {
		n += v.Traces[i].Events
	}
	return n
}

// Verify runs the traces in the files and folders called names again, each as the Spec says with the trace as its Replay, and compares.
// Several run at a time; 0 is one for each core. The error is one of the names, an *[EmptyError], one of the other files of the Spec, or
// the context's.
func Verify(ctx context.Context, spec launch.Spec, names []string, workers int, progress func(done, all int)) (*Verification, error) {
	found, err := executions.Find(names, executions.IsTrace)
	if err != nil {
		return nil, err
	}
	files := found.Files
	if len(files) == 0 {
		return nil, &EmptyError{Names: names, Thing: "trace"}
	}
	spec.Replay.File, spec.Replay.Verify, spec.Replay.Briefly = "", true, true
	if err := spec.Read(); err != nil { // once for all
		return nil, err
	}
	v := &Verification{Traces: make([]Verified, len(files))}
	work.Each(ctx, len(files), workers, work.Counting(len(files), func(i int) { v.Traces[i] = verify(spec, files[i].Name) }, progress))
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return v, nil
}

// Uncompared returns the reason why the verification of a trace says nothing: it ended at its bound, or the trace has no event that can be
// read. It is nil where the events were compared.
func Uncompared(r *launch.Replayed) error {
	switch v := r.Verification; {
	case v.Bound > 0:
		return fmt.Errorf("the comparison ended at its bound of %d events: the first %d of %d recorded events agree, and the others were not compared",
			v.Found.Len(), v.Bound, v.Recorded.Len())
	case v.Recorded.Len() == 0:
		return errors.New("there is nothing to compare: the trace has no event that can be read")
	}
	return nil
}

func verify(spec launch.Spec, name string) Verified {
	v := Verified{File: name}
	spec.Replay.File = name
	spec.Warn = func(w files.Warning) { v.Warnings = append(v.Warnings, w) }
	run, err := launch.New(spec)
	if err != nil {
		_ = run.Close()
		v.Err = err
		return v
	}
	defer run.Close() // nothing is recorded
	found := run.Replay.Verification
	if v.Err = Uncompared(run.Replay); v.Err != nil {
		return v
	}
	v.Events, v.Differs, v.Text = found.Recorded.Len(), found.Divergence != nil, why.Verification(run.Replay)
	return v
}

// VerificationCounts is the line of all traces: "3 traces: 2 agree (12 events), 1 differs".
func VerificationCounts(v *Verification) string {
	var parts []string
	if n := v.Agree(); n > 0 {
		parts = append(parts, wording.CountOf(n, "agrees", "agree"))
	}
	if n := v.Differ(); n > 0 {
		parts = append(parts, wording.CountOf(n, "differs", "differ"))
	}
	if n := v.Wrong(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d cannot be verified", n))
	}
	return fmt.Sprintf("%s, %s: %s", wording.Count(len(v.Traces), "trace"), wording.Count(v.Events(), "event"), strings.Join(parts, ", "))
}

// VerificationAnswer is the report of traces that were executed again: those that do not agree, and the numbers of all; in JUnit's terms a
// trace that differs has failed, and one that cannot be verified is an error.
func VerificationAnswer(v *Verification) *report.Answer {
	return &report.Answer{
		Name: "asldb replay --verify",
		Doc: func(report.Look) *report.Doc {
			d := &report.Doc{}
			for i := range v.Traces {
				switch t := &v.Traces[i]; {
				case t.Err != nil:
					d.Add(report.Para{Text: report.T(t.File+": ", report.In(report.Bad, "cannot be verified"), ": ", report.As(report.Message, withoutName(t)))})
				case t.Differs:
					text := strings.ReplaceAll(strings.TrimSuffix(t.Text, "\n"), "\n", "\n  ")
					d.Add(report.Para{Text: report.T(t.File+": ", report.As(report.Message, text))})
				}
			}
			d.Add(report.Para{Text: report.T(VerificationCounts(v))})
			return d
		},
		Findings: func() []report.Finding {
			group, list := &report.Group{Name: "traces", Class: "asldb.replay"}, []report.Finding(nil)
			for i := range v.Traces {
				t := &v.Traces[i]
				f := report.Finding{Severity: report.Passed, Subject: t.File, Place: report.Place{File: t.File}, Group: group, Out: strings.TrimSuffix(t.Text, "\n")}
				switch {
				case t.Err != nil:
					f.Severity, f.Text, f.Out = report.Broken, withoutName(t), ""
				case t.Differs:
					first, _, _ := strings.Cut(t.Text, "\n")
					f.Severity, f.Rule, f.Text, f.More, f.Out = report.Error, "differs", first, []string{t.Text}, ""
				}
				list = append(list, f)
			}
			return list
		},
	}
}

// withoutName is the error of a trace without the name of its file.
func withoutName(t *Verified) string {
	return strings.TrimPrefix(t.Err.Error(), t.File+": ")
}
