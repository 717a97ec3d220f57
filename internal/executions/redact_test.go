package executions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/testkit/runs"
)

// No secret comes into the folder, and the rest is as it was.
func TestRedactedFolder(t *testing.T) {
	x := runs.Of("one", day, `{"id": 1, "card": "bad-card", "list": [{"card": 4242424242}]}`)
	x.Definition = strings.Replace(runs.OrderStub, `"charge"`, `"charge-bad-card"`, 1)
	stub := runs.Start(t, x)
	f, _ := fetchFolder(t, "$..card", "$..nothing")
	if err := f.Add(t.Context(), connect(t, stub), arn(t, x.ARN)); err != nil {
		t.Fatal(err)
	}
	for _, name := range filesIn(t, f.Dir) {
		data, err := os.ReadFile(filepath.Join(f.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if text := string(data); strings.Contains(text, "bad-card") || strings.Contains(text, "4242") ||
			!strings.Contains(text, "redacted") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if unfound := f.Unfound(); len(unfound) != 1 || unfound[0] != "$..nothing" {
		t.Errorf("%q", unfound)
	}
}

// Payloads that were cut off are replaced as a whole; variables are found by their names.
func TestRedactedTexts(t *testing.T) {
	x := runs.Of("one", day, `{"id": 1}`)
	stub := runs.Start(t, x)
	stub.Change = func(_ string, events []any) []any {
		for _, event := range events {
			switch d := event.(map[string]any); d["type"] {
			case "TaskStateEntered":
				d["stateEnteredEventDetails"].(map[string]any)["input"] = `{"password": "hush-hu`
			case "TaskStateExited":
				d["stateExitedEventDetails"].(map[string]any)["assignedVariables"] = map[string]any{"password": `"open-sesame"`, "other": `{"a": "open-sesame!"}`, "cut": `"open-`}
			}
		}
		return events
	}
	f, _ := fetchFolder(t, "$..password")
	if err := f.Add(t.Context(), connect(t, stub), arn(t, x.ARN)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(f.Dir, "one.history.json"))
	if err != nil || strings.Contains(string(data), "hush") || strings.Contains(string(data), "open-") ||
		!strings.Contains(string(data), `"other":"{\"a\":\"[redacted]!\"}"`) {
		t.Errorf("%v %s", err, data)
	}
}
