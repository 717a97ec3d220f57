package versions_test

import (
	"errors"
	"strings"
	"testing"

	"asldb/internal/report"
	"asldb/internal/testkit"
	"asldb/internal/versions"
)

func verified() *versions.Verification {
	return &versions.Verification{Traces: []versions.Verified{
		{File: "a", Events: 7, Text: "all 7 events agree\n"},
		{File: "b", Events: 5, Differs: true, Text: "the run differs\nexpected: \x1b\n"},
		{File: "c", Err: errors.New("c: no trace")},
	}}
}

func TestVerificationText(t *testing.T) {
	const want = "b: the run differs\n  expected: <U+001B>\nc: cannot be verified: no trace\n3 traces, 12 events: 1 agrees, 1 differs, 1 cannot be verified\n"
	if got := testkit.Report(t, versions.VerificationAnswer(verified()), "text", report.Look{}); got != want {
		t.Error(got)
	}
}

func TestVerificationJUnit(t *testing.T) {
	got := testkit.Report(t, versions.VerificationAnswer(verified()), "junit", report.Look{})
	for _, part := range []string{
		`<testsuites name="asldb replay --verify" tests="3" failures="1" errors="1" skipped="0">`,
		`<system-out>all 7 events agree</system-out>`,
		`<failure message="the run differs" type="differs">`, `<error message="no trace" type="error">`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%s\nhas no %s", got, part)
		}
	}
}
