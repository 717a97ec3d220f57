package engine_test

import (
	"testing"

	"asldb/engine"
)

// Each type of event has its own name, and an activity that one closes is opened by another.
func TestEventTraits(t *testing.T) {
	names := make(map[string]bool)
	closed := make(map[engine.EventType]bool)
	for kind := range engine.EventTypes() {
		traits := kind.Traits()
		if traits.Name == "" || names[traits.Name] {
			t.Errorf("the event type %d has the name %q", kind, traits.Name)
		}
		names[traits.Name] = true
		if parsed, ok := engine.ParseEventType(kind.String()); !ok || parsed != kind {
			t.Errorf("%s is parsed as %v", kind, parsed)
		}
		if (traits.Closes != 0) != traits.Ends.Done() {
			t.Errorf("%s closes %v and ends with %v", kind, traits.Closes, traits.Ends)
		}
		if traits.Closes != 0 {
			closed[traits.Closes] = true
			if opening := traits.Closes.Traits(); !opening.Opens || opening.Scope != traits.Scope {
				t.Errorf("%s closes %s, which opens nothing of its scope", kind, traits.Closes)
			}
		}
		if traits.Waits != engine.NotBlocked && traits.Resumes {
			t.Errorf("%s lets the thread wait and continue", kind)
		}
	}
	for kind := range engine.EventTypes() {
		if kind.Traits().Opens && !closed[kind] {
			t.Errorf("nothing closes %s", kind)
		}
	}
	if _, ok := engine.ParseEventType("Nothing"); ok {
		t.Error("a name that no type has is parsed")
	}
	if got := engine.EventType(250).String(); got != "EventType(250)" {
		t.Errorf("an unknown type is %s", got)
	}
}
