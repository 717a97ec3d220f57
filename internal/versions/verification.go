package versions

import (
	"fmt"
	"strings"

	"asldb/internal/report"
	"asldb/internal/wording"
)

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
