package keys

import (
	"slices"
	"strings"
	"testing"
)

func TestEveryActionHasOneRowAndEveryKeyOneAction(t *testing.T) {
	rows, keys, names := map[Action]int{}, map[string]Action{}, map[string]Action{}
	groups := map[Group]bool{}
	for _, g := range Groups() {
		groups[g] = true
	}
	for _, b := range table() {
		rows[b.Action]++
		if len(b.Names) == 0 || b.Help == "" || !groups[b.Group] {
			t.Errorf("action %d lacks a name, help or a group: %+v", b.Action, b)
		}
		for _, key := range b.Keys {
			if other, taken := keys[key]; taken {
				t.Errorf("key %q belongs to action %d and to action %d", key, other, b.Action)
			}
			keys[key] = b.Action
		}
		for _, name := range b.Names {
			if other, taken := names[name]; taken {
				t.Errorf("command %q belongs to action %d and to action %d", name, other, b.Action)
			}
			if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-") != "" {
				t.Errorf("command %q is not made of small letters and hyphens", name)
			}
			names[name] = b.Action
		}
	}
	for a := None + 1; a < actionCount; a++ {
		if rows[a] != 1 {
			t.Errorf("action %d has %d rows, want 1", a, rows[a])
		}
	}
}

func TestLookup(t *testing.T) {
	m := Default()
	for key, want := range map[string]Action{
		"i": StepStage, "s": StepState, "f11": StepState, "o": StepOver, "f10": StepOver, "f": ApplyFix,
		"c": Continue, "f5": Continue, "b": ToggleBreak, "f9": ToggleBreak, "?": Help, "q": Quit, "I": BackStage, "Y": None,
	} {
		if got := m.Lookup(key); got != want {
			t.Errorf("key %q is action %d, want %d", key, got, want)
		}
	}
	b := m.Binding(StepState)
	if got := b.AllShown(); got != "s, F11" {
		t.Errorf("shown as %q", got)
	}
	if got := m.Any(Fold); got != "space" || m.Key(Fold) != ":fold" || m.Any(StepStage) != "i" || m.Any(Pause) != "p" || m.Any(Forget) != ":forget" {
		t.Errorf("shown as %q", got)
	}
}

// Keys of earlier versions still work, are shown nowhere, and give way to others.
func TestOldKeys(t *testing.T) {
	m := Default()
	for key, want := range map[string]Action{"{": PreviousInside, "}": NextInside} {
		if got := m.Lookup(key); got != want || m.Moved(key) != m.Key(want) {
			t.Errorf("%s is %v and has become %q", key, got, m.Moved(key))
		}
		for _, b := range m.Bindings() {
			if slices.Contains(b.Keys, key) {
				t.Errorf("the old key %s is shown", key)
			}
		}
	}
	changed, err := m.With(map[Action][]string{Zoom: {"}"}})
	if err != nil || changed.Lookup("}") != Zoom || changed.Moved("}") != "" {
		t.Errorf("} cannot be given to another action: %v", err)
	}
}

// Names of earlier versions still work, and are shown nowhere.
func TestOldNames(t *testing.T) {
	m := Default()
	for name, want := range map[string]Action{"beside": Compare, "who": ChangedLast, "branches": WhatIfs} {
		if a, _, err := m.Command(name); err != nil || a != want {
			t.Errorf(":%s is %v, %v", name, a, err)
		}
		for _, b := range m.Bindings() {
			if slices.Contains(b.Names, name) {
				t.Errorf("the old name %s is shown", name)
			}
		}
	}
}

// A key of an earlier version still works, is shown nowhere, and gives way to another action.
func TestKeysThatMoved(t *testing.T) {
	m := Default()
	for key, want := range map[string]Action{"T": TimelineMode, "U": AddBreak, "E": BreakOnError, "ctrl+u": PageUp} {
		if m.Lookup(key) != want || m.Moved(key) != m.Key(want) {
			t.Errorf("%s does %v and has become %q", key, m.Lookup(key), m.Moved(key))
		}
	}
	if m.Moved("i") != "" {
		t.Error("i has moved")
	}
	changed, err := m.With(map[Action][]string{Zoom: {"T"}})
	if err != nil || changed.Lookup("T") != Zoom || changed.Moved("T") != "" {
		t.Errorf("T cannot be given away: %v", err)
	}
}
