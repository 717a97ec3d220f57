package keys

import (
	"slices"
	"strings"
	"testing"
)

// Every argument that a row of the table has is shown as words that the prompt can complete or the person understands.
func TestArguments(t *testing.T) {
	for _, b := range table() {
		usage, shown := b.Usage(), b.Arg.String()
		switch {
		case b.Arg == NoArg:
			if usage != ":"+b.Names[0] || b.Arg.Required() {
				t.Errorf("%s takes nothing and is shown as %q", b.Names[0], usage)
			}
		case b.Arg.Required():
			if strings.HasPrefix(shown, "[") || !strings.HasSuffix(usage, " "+shown) {
				t.Errorf("%s must have an argument and is shown as %q", b.Names[0], usage)
			}
		case !strings.HasPrefix(shown, "[") || !strings.HasSuffix(shown, "]"):
			t.Errorf("%s may have an argument and is shown as %q", b.Names[0], usage)
		}
		for _, word := range b.Arg.Words() {
			if strings.ContainsAny(word, " []|") {
				t.Errorf("%s: %q is not a word", b.Names[0], word)
			}
		}
	}
	if got, want := MaybeView.Words(), []string{"diff", "side", "before", "after", "wanted", "definition"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The groups hold every row of the table once, in its order.
func TestGroupsHoldTheTable(t *testing.T) {
	m, rows := Default(), 0
	for _, group := range Groups() {
		for _, b := range m.In(group) {
			if b.Group != group {
				t.Errorf("%s is under %s", b.Names[0], group)
			}
			rows++
		}
	}
	if rows != len(m.Bindings()) {
		t.Errorf("%d of %d rows are in a group", rows, len(m.Bindings()))
	}
}

func TestOnly(t *testing.T) {
	m := Default().Only([]Action{StepStage, Zoom})
	if len(m.Bindings()) != 2 || !m.Has(StepStage) || m.Has(StepState) || m.Lookup("s") != None {
		t.Errorf("the table has %d rows", len(m.Bindings()))
	}
	if got := m.Key(StepState); got != "" {
		t.Errorf("an action that is not in the table has the key %q", got)
	}
	if b := m.Binding(StepState); b.Names != nil {
		t.Errorf("an action that is not in the table has a row: %+v", b)
	}
}

func TestNames(t *testing.T) {
	m := Default()
	n := 0
	for name := range m.Names {
		b := m.Binding(m.Named(name))
		if b.Names[0] != name {
			t.Errorf("the name %q leads to %s", name, b.Names[0])
		}
		n++
	}
	if n != len(m.Bindings()) {
		t.Errorf("%d names for %d rows", n, len(m.Bindings()))
	}
	for range m.Names {
		break // a loop may end early
	}
	if m.Named("no-such-command") != None {
		t.Error("a name that does not exist leads to an action")
	}
}

func TestShown(t *testing.T) {
	for key, want := range map[string]string{" ": "space", "pgup": "PgUp", "pgdown": "PgDn", "f10": "F10", "f": "f", "fn": "fn", "ctrl+c": "ctrl+c"} {
		if got := Shown(key); got != want {
			t.Errorf("%q is shown as %q, want %q", key, got, want)
		}
	}
}

// TestSurface: at most 24 entries have keys besides those that every program of the terminal has; an earlier key works
// and names its command, and nothing that had a key has lost it.
func TestSurface(t *testing.T) {
	m, n := Default(), 0
	for _, e := range m.Surface() {
		everywhere := slices.ContainsFunc(e.Actions, func(a Action) bool { return a == Kill || a == Suspend || a == Redraw })
		if len(e.Keys) == 0 || e.Help == "" {
			t.Errorf("an entry without a key or help: %+v", e)
		}
		if !everywhere {
			n++
		}
	}
	if n > 24 {
		t.Errorf("%d entries, at most 24", n)
	}
	for key, want := range map[string]string{
		"o": ":step-over", "f12": ":step-out", ">": ":step-into", ".": ":step-thread", "B": ":breakpoints", "!": ":cause", "=": ":eval",
		"d": ":view", "&": ":filter", "m": ":bookmark", "*": ":iterations", "(": ":previous-iteration", ")": ":next-iteration", "4": ":side",
		"]": ":next-tab", "+": ":graph-larger", "-": ":graph-smaller", "ctrl+o": ":jump-back", "alt+right": ":jump-forward",
		"ctrl+s": ":save-fixtures", "ctrl+p": ":palette", "f1": "?", "f2": ":coverage", "f3": ":next-difference", "f4": ":judge",
		"f6": ":explore", " ": ":fold", "delete": ":delete",
	} {
		if m.Lookup(key) == None || m.Moved(key) != want {
			t.Errorf("%q does %v and names %q, want %q", key, m.Lookup(key), m.Moved(key), want)
		}
	}
	if e := m.Surface()[0]; e.AllShown() != "i, F7, I" || !strings.HasSuffix(e.Help, "; the capital goes one back") {
		t.Errorf("the first entry is %q: %q", e.AllShown(), e.Help)
	}
	changed, err := m.With(map[Action][]string{StepOver: {"o"}})
	if err != nil || len(changed.Surface()) != len(m.Surface())+1 || changed.Moved("o") != "" {
		t.Errorf("a key that the user has chosen has no entry: %v", err)
	}
}
