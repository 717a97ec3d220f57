package reports

import (
	"fmt"
	"io"
	"strings"

	"asldb/internal/junit"
	"asldb/internal/versions"
	"asldb/internal/visible"
)

// VerificationCounts is the line of all traces: "3 traces: 2 agree (12 events), 1 differs".
func VerificationCounts(v *versions.Verification) string {
	var parts []string
	if n := v.Agree(); n > 0 {
		parts = append(parts, plural(n, "agrees", "agree"))
	}
	if n := v.Differ(); n > 0 {
		parts = append(parts, plural(n, "differs", "differ"))
	}
	if n := v.Wrong(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d cannot be verified", n))
	}
	return fmt.Sprintf("%s, %s: %s", counted(len(v.Traces), "trace"), counted(v.Events(), "event"), strings.Join(parts, ", "))
}

// VerificationText writes the traces that do not agree, and the numbers of all.
func VerificationText(w io.Writer, v *versions.Verification) error {
	var out strings.Builder
	for i := range v.Traces {
		switch t := &v.Traces[i]; {
		case t.Err != nil:
			fmt.Fprintf(&out, "%s: cannot be verified: %s\n", visible.Line(t.File), visible.Text(withoutName(t)))
		case t.Differs:
			text := strings.TrimSuffix(visible.Text(t.Text), "\n")
			fmt.Fprintf(&out, "%s: %s\n", visible.Line(t.File), strings.ReplaceAll(text, "\n", "\n  "))
		}
	}
	out.WriteString(VerificationCounts(v) + "\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// withoutName is the error of a trace without the name of its file.
func withoutName(t *versions.Verified) string {
	return strings.TrimPrefix(t.Err.Error(), t.File+": ")
}

// VerificationJUnit writes the result in JUnit's XML: a testcase for each trace, failed where it differs, with an error where it cannot be
// verified.
func VerificationJUnit(w io.Writer, v *versions.Verification) error {
	s := &junit.Suite{Name: "traces"}
	for i := range v.Traces {
		t := &v.Traces[i]
		c := junit.Case{Name: visible.Line(t.File), Class: "asldb.replay"}
		switch {
		case t.Err != nil:
			c.Error = &junit.Problem{Message: visible.Line(withoutName(t)), Type: "error"}
		case t.Differs:
			first, _, _ := strings.Cut(t.Text, "\n")
			c.Failure = &junit.Problem{Message: visible.Line(first), Type: "differs", Text: visible.Text(t.Text)}
		default:
			c.Out = visible.Text(strings.TrimSuffix(t.Text, "\n"))
		}
		s.Add(c)
	}
	return (&junit.Report{Name: "asldb replay --verify", Suites: []*junit.Suite{s}}).Write(w)
}
