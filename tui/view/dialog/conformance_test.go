package dialog_test

import (
	"testing"

	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/tui/tuitest"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// The dialogs that ask, list and show keep the contract of views; those that the screen opens by a key are tested
// there.
func TestDialogsConform(t *testing.T) {
	machine := runs.Machine(`{"StartAt":"A","States":{"A":{"Type":"Succeed"}}}`)
	screen := tuitest.New(t, debug.New(machine, debug.Options{Input: value.Must(`{}`)}), 80, 24)
	items := []dialog.Item{{Key: "a", Text: "answer", Reason: "no task waits"}, {Key: "e", Text: "inject"}}
	for name, v := range map[string]view.View{
		"menu":    dialog.NewMenu(screen, "Charge", items),
		"leave":   &dialog.Leave{Screen: screen, Title: "child", Choices: items},
		"fix":     &dialog.Fix{Screen: screen, Title: "a.asl.json", Words: "read $.b", Diff: "@@ -1 +1 @@\n-$.a\n+$.b\n"},
		"quit":    dialog.NewQuit(screen, []string{"2 answers"}, nil),
		"results": dialog.NewResults(screen, []dialog.Result{{State: "abba", Outcome: "null", Event: 3}, {State: "B"}}, 0),
		"text":    dialog.NewText(screen, "$.a", "one\ntwo", nil),
		"change":  dialog.NewTextChange(screen, "$.a", "one\ntwo", "one\n2", nil),
		"tree":    dialog.NewTree(screen, "$", value.Must(`{"a": [1, {"b": 2}]}`), nil),
	} {
		t.Run(name, func(t *testing.T) { tuitest.Conforms(t, v) })
	}
}
