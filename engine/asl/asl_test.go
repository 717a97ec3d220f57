package asl

import (
	"strings"
	"testing"
)

// checkDiagnostic checks the rules for every diagnostic: it has a kind, a message and a place inside of the text,
// and can be shown.
func checkDiagnostic(t *testing.T, src *Source, d Diagnostic) {
	t.Helper()
	if d.Rule == "" || d.Message == "" || d.Span.Start.Line < 1 || d.Span.Start.Col < 1 ||
		d.Span.Start.Offset < 0 || d.Span.Start.Offset > d.Span.End.Offset || d.Span.End.Offset > len(src.Data) {
		t.Errorf("%s: %+v", src.Name, d)
	}
	if text := d.Format(); !strings.Contains(text, "^") {
		t.Errorf("%s: shown as %q", src.Name, text)
	}
}
