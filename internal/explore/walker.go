package explore

import (
	"context"

	"asldb/engine"
)

// walker carries a base from mark to mark, so that runs can begin at each of them. Runs come in the order of their
// marks, by and large.
type walker struct {
	*driver
	setting   *setting
	execution *engine.Execution
	at        int // its mark
}

// maxWalk is how many marks a walker goes where a snapshot is nearer.
const maxWalk = 16

// at returns the execution of a base at a mark, to which it brings the sources.
func (d *driver) at(ctx context.Context, s *setting, at int, bound *sources) (*engine.Execution, error) {
	if snapshot := s.trail.marks[at].snapshot; snapshot != nil && s.trail.steady {
		return snapshot.Restore(), nil
	}
	if d.walker == nil {
		d.walker = &walker{driver: newDriver()}
	}
	e, err := d.walker.to(ctx, s, at)
	if err == nil && !s.trail.steady {
		bound.follow(d.walker.bound[s])
	}
	return e, err
}

// to returns the execution of a base at a mark, which continues on its own.
func (w *walker) to(ctx context.Context, s *setting, at int) (*engine.Execution, error) {
	marks, from := s.trail.marks, at
	for marks[from].snapshot == nil {
		from--
	}
	if w.setting != s || w.at > at || w.at+maxWalk < from {
		bound, err := w.binding(ctx, s)
		if err != nil {
			return nil, err
		}
		w.setting, w.execution = s, marks[from].snapshot.Restore()
		w.resume(s, &marks[from], w.execution, nil)
		if !s.trail.steady {
			bound.seek(s.trail.asks[:marks[from].asks])
		}
	}
	w.execution.SetInterrupt(ctx.Err)
	w.most, w.at = marks[at].event+1, at
	if err := w.carry(ctx, w.execution, s, nil, wholeRun, nil); err != nil {
		w.setting = nil
		return nil, err
	}
	w.from = w.length()
	w.forget()
	return w.execution.Snapshot().Restore(), nil
}
