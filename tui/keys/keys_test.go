package keys

import "testing"

func TestEveryActionHasOneRowAndEveryKeyOneAction(t *testing.T) {
	rows, keys := map[Action]int{}, map[string]Action{}
	groups := map[Group]bool{}
	for _, g := range Groups() {
		groups[g] = true
	}
	for _, b := range table() {
		rows[b.Action]++
		if b.Help == "" || len(b.Keys) == 0 || !groups[b.Group] {
			t.Errorf("action %d lacks help, keys or a group: %+v", b.Action, b)
		}
		for _, key := range b.Keys {
			if other, taken := keys[key]; taken {
				t.Errorf("key %q belongs to action %d and to action %d", key, other, b.Action)
			}
			keys[key] = b.Action
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
		"i": StepStage, "s": StepState, "f11": StepState, "o": StepOver, "f10": StepOver, "f": StepOut,
		"c": Continue, "f5": Continue, "b": ToggleBreak, "f9": ToggleBreak, "?": Help, "q": Quit, "I": None,
	} {
		if got := m.Lookup(key); got != want {
			t.Errorf("key %q is action %d, want %d", key, got, want)
		}
	}
	if got := m.Binding(StepState).AllShown(); got != "s, F11" {
		t.Errorf("shown as %q", got)
	}
	if got := m.Key(Unfold); got != "space" {
		t.Errorf("shown as %q", got)
	}
}
