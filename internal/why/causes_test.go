package why_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/internal/report"
	"asldb/internal/testkit"
	"asldb/internal/why"
)

// Of a folder the executions that failed are put together by the state and the error with which that began, the most
// frequent first, with the explanation of one each.
func TestCauses(t *testing.T) {
	dir := t.TempDir()
	for name, of := range map[string]string{
		"a": "timeout", "b": "declined", "c": "declined", "d": "paid", "sub/e": "declined",
	} {
		text, err := os.ReadFile(filepath.Join("..", "definitions", "recorded", of+".json"))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name+".json")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := why.OfAll(context.Background(), []string{dir}, why.Question{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range all.List {
		got = append(got, c.String())
	}
	if want := []string{"Card.Declined in ChargeCard", "Card.Timeout in ChargeCard"}; !slices.Equal(got, want) ||
		len(all.List[0].Names) != 3 || all.Title() != "4 of 5 executions failed, for 2 causes" || all.None() != nil {
		t.Errorf("%s: %q, unexplained %q", all.Title(), got, all.Unexplained)
	}
	text := testkit.Report(t, all.Report(), report.TextForm, report.Look{})
	for _, want := range []string{"3 × Card.Declined in ChargeCard", "because    ChargeCard failed", "e.json"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	var document struct {
		Failed int
		Causes []struct {
			Count       int
			Explanation struct{ Chain []any }
		}
	}
	data := testkit.Report(t, all.Report(), report.JSONForm, report.Look{})
	if err := json.Unmarshal([]byte(data), &document); err != nil {
		t.Fatal(err)
	}
	if document.Failed != 4 || document.Causes[0].Count != 3 || len(document.Causes[1].Explanation.Chain) == 0 {
		t.Errorf("%+v", document)
	}
	good := []string{filepath.Join(dir, "d.json")}
	if none, err := why.OfAll(context.Background(), good, why.Question{}); err != nil || none.None() == nil {
		t.Errorf("no failure is none: %v", err)
	}
}
