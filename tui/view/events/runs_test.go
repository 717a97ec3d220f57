package events

import (
	"strings"
	"testing"

	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/tui/keys"
)

// forked is the pane of a session with two what-ifs: the second one began with an edit.
func forked(t *testing.T) (*Pane, func(keys.Action), func(...string), func(string)) {
	t.Helper()
	screen, p := shown(t, definition, `{"items":[1,2]}`, true)
	screen.Session().GoTo(4)
	if err := screen.Session().Interventions().Edit(0, value.Must(`{"items":[]}`)); err != nil {
		t.Fatal(err)
	}
	screen.Step(debug.Continue)
	return p, func(a keys.Action) { screen.Do(a, "") }, screen.Sees, screen.Said
}

// The what-ifs are a tab where there are several, and so is the comparison.
func TestRunsAsTabs(t *testing.T) {
	p, do, sees, said := forked(t)
	sees("[Events 20] ─ Time ─ What-ifs 2 ─ Compare")
	do(keys.WhatIfs)
	sees("[What-ifs 2]", "1  the first run", "▸▶ 2  First with $.items = [], 1 more after event 4 of what-if 1", "× FAILED", "enter switch   d compare")
	do(keys.DataView)
	sees("[Compare]", "what-if 1 beside what-if 2")
	do(keys.Now)
	said(":compare shows both runs side by side again.")
	do(keys.WhatIfs)
	do(keys.Up)
	do(keys.DataView)
	sees("what-if 1 beside what-if 2")
	do(keys.FindNext)
	do(keys.FindPrevious)
	do(keys.Look)
	sees("[Events ")
	do(keys.WhatIfs)
	do(keys.Up)
	do(keys.Look)
	said("This is what-if 1 of the run.")
	do(keys.DataView)
	said("This is the current what-if; choose another one to compare with.")
	do(keys.EditData)
	said("The run is already live.")
	do(keys.Now)
	if p.view != asList {
		t.Errorf("the view is %d", p.view)
	}
	do(keys.Compare)
	sees("[Compare]")
	do(keys.Compare)
	sees("[Events ")
}

// A pane that is too narrow for the titles of all views counts the others.
func TestNarrowTabs(t *testing.T) {
	screen, p := shown(t, definition, `{"items":[1,2]}`, true)
	screen.Session().GoTo(4)
	if err := screen.Session().Interventions().Edit(0, value.Must(`{"items":[]}`)); err != nil {
		t.Fatal(err)
	}
	screen.Step(debug.Continue)
	for _, step := range []struct {
		width int
		view  display
		want  string
	}{{40, asList, "━ 3 [Events 20] ─ Time ─ Compare +1 ━"}, {30, asCompared, "━ 3 Time ─ [Compare] +2 ━"}, {24, asRuns, "━ 3 [What-ifs 2] +3 ━"}} {
		screen.Resize(step.width, 8)
		p.open(step.view)
		if top, _, _ := strings.Cut(screen.Frame(), "\n"); !strings.Contains(top, step.want) {
			t.Errorf("%d cells: %s, want %s", step.width, top, step.want)
		}
	}
}
