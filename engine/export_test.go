package engine

import (
	"reflect"

	"asldb/engine/interrupt"
	"asldb/engine/path"
)

// PendingTimers is the number of stored timers, dead ones included.
func (e *Execution) PendingTimers() int { return len(e.timers) }

// SpareThreads is the number of threads that are over and will be used again.
func (e *Execution) SpareThreads() int { return len(e.threadPool().spare) }

// Same reports whether two executions stand at the same place with the same data, everything that is not shown
// included.
func Same(a, b *Execution) bool {
	x, y := a.Snapshot().frozen, b.Snapshot().frozen
	for _, e := range []*Execution{x, y} {
		e.roots, e.poll, e.base, e.options.Interrupt = path.Roots{}, interrupt.Poll{}, nil, nil
		e.sweepAt = 0
	}
	return reflect.DeepEqual(x, y)
}

// Planned returns the names of the states whose stages were made ready.
func (m *Machine) Planned() (names []string) {
	for state := range m.definition.All() {
		if m.plans[state].flowed.stages != nil || m.plans[state].flowed.catches != nil {
			names = append(names, state.Name)
		}
	}
	return names
}
