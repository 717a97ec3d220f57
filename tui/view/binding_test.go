package view

import (
	"slices"
	"testing"

	"asldb/tui/keys"
)

// TestFind: the first binding that applies is used, and its reason is the one that counts.
func TestFind(t *testing.T) {
	focused := false
	ran := ""
	list := Bindings{
		{Action: keys.Fold, Applies: func() bool { return focused }, Run: func(string) { ran = "events" }, Disabled: func() string { return "no events" }},
		{Action: keys.Fold, Run: func(argument string) { ran = "data " + argument }},
		{Action: keys.Quit, Run: func(string) {}},
	}
	if got := list.Actions(); !slices.Equal(got, []keys.Action{keys.Fold, keys.Fold, keys.Quit}) {
		t.Errorf("the actions are %v", got)
	}
	b := list.Find(keys.Fold)
	if b.Run("x"); ran != "data x" || b.Reason() != "" {
		t.Errorf("without the focus: %q, %q", ran, b.Reason())
	}
	focused = true
	b = list.Find(keys.Fold)
	if b.Run(""); ran != "events" || b.Reason() != "no events" {
		t.Errorf("with the focus: %q, %q", ran, b.Reason())
	}
	if b := list.Find(keys.Copy); b != nil || b.Reason() != "" {
		t.Errorf("an action without a binding has %v", b)
	}
}
