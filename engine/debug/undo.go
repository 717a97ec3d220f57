package debug

import (
	"errors"

	"asldb/engine/runlog"
)

// ErrNothingToUndo says that the run has no edit, answer or injection by hand, and was not redriven.
var ErrNothingToUndo = errors.New("no edit, answer, injection or redrive to undo")

// Undone is an input that was taken back.
type Undone struct {
	Kind runlog.InputKind
	// After is the number of events before the input, From the fork that had it.
	After, From int
	// Redrive is set where it was no input, but the redrive of the run, and Reload where it was the definition that was read again.
	Redrive, Reload bool
}

// Undo takes back the newest edit, answer or injection that was given by hand, and the redrive, or the definition that was read again, where there is none
// since then. Where a fork began with it the session goes over
// to the fork before, else to a new fork that ends before the input. The fork with the input stays as it is.
// The errors are [ErrNothingToUndo] and [ErrReadOnly].
func (f *Forks) Undo() (Undone, error) {
	s := f.s
	if s.ReadOnly() {
		return Undone{}, ErrReadOnly
	}
	at := f.newestByHand()
	if from := f.beforeReload(at); from != nil {
		undone := Undone{Reload: true, After: from.log.Len(), From: s.run.id}
		return undone, f.Switch(from.id)
	}
	if at < 0 {
		before := f.beforeRedrive(s.run)
		if before == nil {
			return Undone{}, ErrNothingToUndo
		}
		undone := Undone{Redrive: true, After: before.log.Len(), From: s.run.id}
		return undone, f.Switch(before.id)
	}
	input := s.inputs.At(at)
	undone := Undone{Kind: input.Kind, After: int(input.After), From: s.run.id}
	for r := s.run; r != nil; r = r.parent {
		if r.opened && r.inherited == at && f.run(r.parent.id) != nil {
			return undone, f.Switch(r.parent.id)
		}
	}
	to := moment{events: int(input.After), inputs: at, steps: input.Step}
	if err := f.begin(to, "undo of the "+undoneNoun(input.Kind)); err != nil {
		return Undone{}, err
	}
	s.recount(s.position, s.position)
	s.stepper.begin(Command{})
	s.stop = Stop{Reason: StoppedByStep}
	if s.position == 0 {
		s.stop.Reason = StoppedAtStart
	}
	s.asker.seek()
	return undone, nil
}

// Undoable reports whether Undo has something to take back.
func (f *Forks) Undoable() bool {
	if f.s.ReadOnly() {
		return false
	}
	at := f.newestByHand()
	return at >= 0 || f.beforeRedrive(f.s.run) != nil || f.beforeReload(at) != nil
}

// beforeReload returns the fork from which the run was reloaded, where that is newer than the input by hand with an index; else nil.
func (f *Forks) beforeReload(newest int) *run {
	from := f.s.options.reloaded
	if from == nil || newest >= from.inputs {
		return nil
	}
	return f.run(from.run.id)
}

// newestByHand returns the index of the newest input that Undo takes back, or -1.
func (f *Forks) newestByHand() int {
	inputs := &f.s.inputs
	for i := inputs.Len() - 1; i >= 0 && inputs.Whole(); i-- {
		if in := inputs.At(i); in.Origin == runlog.OriginPerson && in.Kind != runlog.InputTime && in.Kind != runlog.InputFocus {
			return i
		}
	}
	return -1
}

// String names the input that was taken back: "edit", "answer", "injected error"; or "redrive", or "edited definition".
func (u Undone) String() string {
	if u.Reload {
		return "edited definition"
	}
	if u.Redrive {
		return causeRedrive
	}
	return undoneNoun(u.Kind)
}

func undoneNoun(kind runlog.InputKind) string {
	switch kind {
	case runlog.InputOutcome, runlog.InputObject, runlog.InputMapRun:
		return "answer"
	case runlog.InputInject:
		return "injected error"
	case runlog.InputEdit, runlog.InputAbort, runlog.InputHeartbeat, runlog.InputTimeout, runlog.InputTime, runlog.InputFocus,
		runlog.InputMapBounds:
	}
	return kind.String()
}
