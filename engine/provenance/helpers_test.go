package provenance_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

const (
	order      = runs.Order
	orderInput = runs.OrderInput
)

func machineOf(t testing.TB, definition string) *engine.Machine {
	t.Helper()
	return runs.Machine(definition)
}

func session(t testing.TB, definition string, options debug.Options) *debug.Session {
	t.Helper()
	if options.Input == nil {
		options.Input = value.Must(orderInput)
	}
	return debug.New(machineOf(t, definition), options)
}

func do(t testing.TB, s *debug.Session, kind debug.CommandKind) debug.Stop {
	t.Helper()
	stop, err := s.Do(debug.Command{Kind: kind})
	if err != nil {
		t.Fatal(err)
	}
	return stop
}

func reach(t testing.TB, s *debug.Session, reason debug.Reason) {
	t.Helper()
	if stop := do(t, s, debug.Continue); stop.Reason != reason {
		t.Fatalf("stopped for %v (%v), want %v", stop.Reason, stop.Err, reason)
	}
}

// logged returns the events of a session.
func logged(s *debug.Session) []engine.Event { return runs.Events(s.Log()) }
