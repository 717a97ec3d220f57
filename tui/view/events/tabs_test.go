package events

import (
	"testing"

	"asldb/tui/keys"
)

// The views are tabs: ] goes from one to the next and [ back. The table is none of them where there are no iterations.
func TestTabs(t *testing.T) {
	screen, p := shown(t, `{"StartAt":"A","States":{"A":{"Type":"Wait","Seconds":3,"End":true}}}`, `{}`, true)
	screen.Sees("[Events 6] ─ Time")
	for _, want := range []display{asTime, asList} {
		if screen.Do(keys.NextTab, ""); p.view != want {
			t.Errorf("the view is %d, want %d", p.view, want)
		}
	}
	screen, p = shown(t, definition, `{"items":[1,2]}`, true)
	screen.Sees("[Events 31] ─ Time")
	screen.Do(keys.FocusEvents, "")
	screen.Sees("Events 31 ─ [Time]")
	screen.Do(keys.PreviousTab, "")
	if p.view != asList {
		t.Errorf("the view is %d", p.view)
	}
}
