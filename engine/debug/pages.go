package debug

import (
	"math"

	"asldb/engine"
)

// again executes parts of a run again whose events its log does not hold: see [runlog.Log.Page].
type again struct {
	run *run
	x   *reexecution
	// left are the events of the newest step of x that were not asked for, from number from on.
	left []engine.Event
	from int
}

// heldThousands is how many thousand events of a paged log are held beside the newest ones: some 8 megabytes with their data.
var heldThousands = 32

// page lets the log of the run hold only some of its events.
func (r *run) page() {
	a := &again{run: r}
	r.log.Page(a.events, heldThousands)
}

// events implements [runlog.Again].
func (a *again) events(from, to int, take func(i int, events []engine.Event)) error {
	r := a.run
	near := r.checkpoints.nearest(moment{events: from, inputs: math.MaxInt, steps: math.MaxInt64})
	if a.x == nil || a.from > from || near != nil && near.events > a.from {
		a.restart(near)
	}
	for {
		if len(a.left) > 0 {
			n := min(len(a.left), max(to-a.from, 0))
			take(a.from, a.left[:n:n])
			a.from, a.left = a.from+n, a.left[n:]
		}
		if a.from >= to {
			return nil
		}
		if err := a.step(to); err != nil {
			a.x = nil
			if fault := r.inputs.Fault(); fault != nil {
				return fault // the cause of it
			}
			return err
		}
	}
}

// restart begins at a snapshot, nil for the start of the run.
func (a *again) restart(at *checkpoint) {
	r := a.run
	a.left, a.from = nil, 0
	if at == nil {
		a.x = &reexecution{execution: start(r.machine, &r.options)}
	} else {
		a.x, a.from = r.restore(at), at.events
	}
	a.x.execution.SetInterrupt(nil) // it was done before, and did not take long
}

// step gives the next input where it is its turn, else does one step of the engine. to is the number of events that are wanted.
func (a *again) step(to int) error {
	taken, events, err := a.x.give(&a.run.inputs)
	if err != nil {
		return err
	}
	if !taken {
		if status := a.x.execution.Status(); status != engine.Runnable {
			return &StuckError{Status: status, Event: a.x.execution.Seq(), Want: int64(to)}
		}
		events = a.x.execution.Step()
		a.x.steps++
	}
	a.left = events
	return nil
}
