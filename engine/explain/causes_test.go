package explain_test

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/value"
)

// On the screen and in the report of a failed run, asldb's own sentence is beside the Cause, which is the
// service's.
func TestOwnSentenceBesideTheCause(t *testing.T) {
	s := open(t, `{"StartAt":"S","States":{"S":{"Type":"Pass","Result":1,"ResultPath":"$.a.b","End":true}}}`, `{"a":1}`)
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	const own, service = "$.a.b cannot be written: $.a is a number, which cannot have b", `Unable to apply ReferencePath $.a.b to input "{\"a\":1}"`
	failed := slices.IndexFunc(slices.Collect(s.Log().All()), func(e *engine.Event) bool { return e.Type == engine.StageFailed })
	write := func(text explain.Text) string {
		lines := value.Each(text, func(p explain.Paragraph) string {
			return p.Label + ": " + explain.Plain(500).Spans(p.Spans)
		})
		return strings.Join(lines, "\n")
	}
	if got := write(explain.Failed(s, nil)); !strings.Contains(got, own) || !strings.Contains(got, service) {
		t.Errorf("the report of the failed run:\n%s", got)
	}
	if got := write(explain.At(s, failed, nil)); !strings.Contains(got, own) || !strings.Contains(got, service) {
		t.Errorf("the event:\n%s", got)
	}
}
