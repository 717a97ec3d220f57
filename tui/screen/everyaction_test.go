package screen

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"asldb/internal/testkit"
	"asldb/tui/keys"
)

// situations are those that a key can be pressed in.
func situations() []picture {
	return []picture{
		{name: "ready", reach: func(*driver) {}},
		{name: "at a stage", reach: func(d *driver) { stagesUntil(d, "ResultPath", "ChargeCard") }},
		{name: "at a timer", reach: func(d *driver) { d.press("t", "t", "t", "c", "a", "c") }},
		{name: "waiting for an answer", reach: func(d *driver) { d.press("c", "esc") }},
		{name: "gone back", reach: func(d *driver) {
			stagesUntil(d, "ResultPath", "ChargeCard")
			d.press("O", "I", "I")
		}},
		{name: "looking back", reach: func(d *driver) {
			stagesUntil(d, "ResultPath", "ChargeCard")
			d.press("3", "up", "up")
		}},
		{name: "over", reach: func(d *driver) {
			stagesUntil(d, "Parameters", "ChargeCard")
			d.app.ui.session.Interventions().Abort("Stopped", "by the test")
			d.app.ui.sync()
		}},
	}
}

// still are actions that may have nothing to do where they are possible: the selection is at an end already, or the
// pane that they lead to has the focus.
func still(a keys.Action) bool {
	switch a {
	case keys.Up, keys.Down, keys.Left, keys.Right, keys.ScrollLeft, keys.ScrollRight, keys.PageUp, keys.PageDown, keys.Top, keys.Bottom,
		keys.Now, keys.Redraw, keys.FocusData, keys.FocusGraph, keys.FocusEvents, keys.FocusSide:
		return true
	}
	return false
}

// TestEveryAction carries out every action of the table in every situation and in every pane: each in one pane of a
// situation, chosen at random by the seed of ASLDB_SEED, or in all of them with ASLDB_EVERY_CHANGE=1. What can be done
// changes the screen or shows a message, a disabled one says why; the frame keeps its size, Escape leads back, and the
// next step works.
func TestEveryAction(t *testing.T) {
	panes, all := []string{"1", "2", "3", "4"}, os.Getenv("ASLDB_EVERY_CHANGE") != ""
	seed := testkit.Seed(t)
	for i, s := range situations() {
		for j, pane := range panes {
			t.Run(s.name+", pane "+pane, func(t *testing.T) {
				var d *driver
				random := rand.New(rand.NewPCG(seed, uint64(i))) // the same choice in each pane of a situation
				for _, b := range Keys().Bindings() {
					if random.IntN(len(panes)) != j && !all {
						continue
					}
					if d == nil {
						d = drive(t, order(t), 120, 34, Options{})
						s.reach(d)
						d.press(pane)
					}
					if done := tryAction(d, b); done {
						d = nil // the next action begins at the situation again
					}
				}
			})
		}
	}
}

// tryAction carries out an action; done: it was not refused.
func tryAction(d *driver, b keys.Binding) (done bool) {
	d.t.Helper()
	u := d.app.ui
	u.messages.clear()
	before, reason := d.frame(), u.disabled(b.Action)
	key := u.keys.Key(b.Action) // its command where it has none
	u.handle(keys.Press{Name: key, Action: b.Action})
	wants := len(d.app.asked) > 0 || u.goesOn
	d.app.asked = nil
	if b.Action == keys.Quit || b.Action == keys.Kill || b.Action == keys.Suspend {
		if !wants && u.dialog == nil {
			d.t.Errorf(":%s (%s) does nothing", b.Names[0], key)
		}
		return true
	}
	d.settle()
	after := d.frame()
	switch {
	case reason != "" && !strings.Contains(after, reason[:min(len(reason), 20)]):
		d.t.Errorf(":%s (%s) cannot be done and does not say that %s:\n%s", b.Names[0], key, reason, after)
	case reason == "" && after == before && !wants && !still(b.Action):
		d.t.Errorf(":%s (%s) does nothing:\n%s", b.Names[0], key, after)
	}
	if reason != "" && u.dialog == nil {
		return false // nothing has changed
	}
	for range 4 {
		d.press("esc")
	}
	if u.dialog != nil {
		d.t.Errorf(":%s (%s) opens something that Escape does not close:\n%s", b.Names[0], key, d.frame())
	}
	return true
}

// TestEveryActionHasAHandler: what the table of keys lists can be done somewhere on the screen.
func TestEveryActionHasAHandler(t *testing.T) {
	bound := make(map[keys.Action]bool)
	for _, b := range Keys().Bindings() {
		bound[b.Action] = true
	}
	for _, b := range keys.Default().Bindings() {
		if !bound[b.Action] {
			t.Errorf("%s (%v) is in the table of keys, and nothing handles it", b.Help, b.Keys)
		}
	}
}
