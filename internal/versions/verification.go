package versions

import (
	"fmt"
	"io"
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

// VerificationText writes the traces that do not agree, and the numbers of all.
func VerificationText(w io.Writer, v *Verification) error {
	var out strings.Builder
	for i := range v.Traces {
		switch t := &v.Traces[i]; {
		case t.Err != nil:
			fmt.Fprintf(&out, "%s: cannot be verified: %s\n", wording.Line(t.File), wording.Text(withoutName(t)))
		case t.Differs:
			text := strings.TrimSuffix(wording.Text(t.Text), "\n")
			fmt.Fprintf(&out, "%s: %s\n", wording.Line(t.File), strings.ReplaceAll(text, "\n", "\n  "))
		}
	}
	out.WriteString(VerificationCounts(v) + "\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// withoutName is the error of a trace without the name of its file.
func withoutName(t *Verified) string {
	return strings.TrimPrefix(t.Err.Error(), t.File+": ")
}

// VerificationJUnit writes the result in JUnit's XML: a testcase for each trace, failed where it differs, with an error where it cannot be
// verified.
func VerificationJUnit(w io.Writer, v *Verification) error {
	s := &report.Suite{Name: "traces"}
	for i := range v.Traces {
		t := &v.Traces[i]
		c := report.Case{Name: wording.Line(t.File), Class: "asldb.replay"}
		switch {
		case t.Err != nil:
			c.Error = &report.Problem{Message: wording.Line(withoutName(t)), Type: "error"}
		case t.Differs:
			first, _, _ := strings.Cut(t.Text, "\n")
			c.Failure = &report.Problem{Message: wording.Line(first), Type: "differs", Text: wording.Text(t.Text)}
		default:
			c.Out = wording.Text(strings.TrimSuffix(t.Text, "\n"))
		}
		s.Add(c)
	}
	return (&report.Report{Name: "asldb replay --verify", Suites: []*report.Suite{s}}).Write(w)
}
