package testkit

import (
	"strings"
	"testing"

	"asldb/internal/report"
)

// Report returns an answer in a form.
func Report(t testing.TB, a *report.Answer, form string, look report.Look) string {
	t.Helper()
	var out strings.Builder
	if err := a.Write(&out, form, look); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
