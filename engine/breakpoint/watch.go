package breakpoint

import (
	"errors"

	"asldb/engine/console"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Watch is an expression whose value is shown at every event.
type Watch struct {
	// ID numbers the watches of a session from 1. A number is not used twice.
	ID int
	// Text is the expression, in the language of package console.
	Text string

	compiled *console.Expression
	changes  []Change
	seen     int // the number of events that changes covers
}

// Change is one change of a watched value.
type Change struct {
	// Event is the index of the event in the log that changed the value, from 0.
	Event int
	// Before and After are the values; nil means no value.
	Before, After value.Value
}

// maxChanges is how many changes of a watch are held.
const maxChanges = 1000

// ErrNoWatch says that there is no watch of a number.
var ErrNoWatch = errors.New("there is no such watch")

// Watches holds the watches of a session, and evaluates other expressions as it evaluates watches.
type Watches struct {
	run     Run
	watches []*Watch
	last    int // the newest number
}

// NewWatches returns the watches of a run, none at first.
func NewWatches(run Run) *Watches { return &Watches{run: run} }

// All returns the watches in the order in which they were made.
func (w *Watches) All() []*Watch { return w.watches }

// Add adds a watch. The error comes from [console.Compile].
func (w *Watches) Add(text string) (*Watch, error) {
	compiled, err := console.Compile(text)
	if err != nil {
		return nil, err
	}
	w.last++
	watch := &Watch{ID: w.last, Text: text, compiled: compiled}
	w.watches = append(w.watches, watch)
	return watch, nil
}

// Edit gives a watch another expression. The error comes from [console.Compile] or [ErrNoWatch].
func (w *Watches) Edit(id int, text string) error {
	compiled, err := console.Compile(text)
	if err != nil {
		return err
	}
	for _, watch := range w.watches {
		if watch.ID == id {
			*watch = Watch{ID: id, Text: text, compiled: compiled}
			return nil
		}
	}
	return ErrNoWatch
}

// Remove removes the watch of a number. It reports false where there is none.
func (w *Watches) Remove(id int) bool {
	for i, watch := range w.watches {
		if watch.ID == id {
			w.watches = append(w.watches[:i:i], w.watches[i+1:]...)
			return true
		}
	}
	return false
}

// CheckExpression returns the error that [Watches.Add] gives for an expression, or nil.
func CheckExpression(text string) error {
	_, err := console.Compile(text)
	return err
}

// At evaluates a watch at event i of the log, counted from 0; at -1, before the first, $ is the execution's input. $ is
// the data after the event, or the data that its visit had last. A path that selects nothing there, in a payload or a
// result, is looked for in the thread's document (see [runlog.CarriesDocument]), so that a watched value does not come
// and go with every stage. The error says why there is no value; where a path selects nothing it is a *[path.MissError].
func (w *Watches) At(watch *Watch, i int) (value.Value, error) {
	w.run.Poll().Reset()
	v, err := watch.compiled.Look(envAt(w.run, i))
	var miss *path.MissError
	if i < 0 || !errors.As(err, &miss) || runlog.CarriesDocument(w.run.Log().At(i)) {
		return v, err
	}
	if at := w.run.Log().DocumentBefore(i); at >= 0 {
		if flowing, fault := watch.compiled.Look(envAt(w.run, at)); fault == nil {
			return flowing, nil
		}
	}
	return v, err
}

// EnvAt returns the values that an expression can refer to at event i of the log, counted from 0: see [Watches.At].
func (w *Watches) EnvAt(i int) *console.Env { return envAt(w.run, i) }

// Evaluate returns the value of an expression at event i of the log: see [Watches.At]. The error may also come from
// [console.Compile].
func (w *Watches) Evaluate(text string, i int) (value.Value, error) {
	compiled, err := console.Compile(text)
	if err != nil {
		return nil, err
	}
	w.run.Poll().Reset()
	return compiled.Look(envAt(w.run, i))
}

// Changes returns the changes of a watch's value, the oldest first; of more than a thousand only the newest. It compares
// the documents of each thread (see [runlog.CarriesDocument]), so that a payload without the watched member isn't a
// change. It looks only at the events since the last call.
func (w *Watches) Changes(watch *Watch) []Change {
	poll, log := w.run.Poll(), w.run.Log()
	poll.Reset()
	for ; watch.seen < log.Len(); watch.seen++ {
		if !runlog.CarriesDocument(log.At(watch.seen)) {
			continue
		}
		before, after, changed := change(w.run, watch.compiled, watch.seen)
		if poll.Step(1) != nil {
			break // this event is looked at again the next time
		}
		if !changed {
			continue
		}
		if len(watch.changes) == maxChanges {
			watch.changes = append(watch.changes[:0:0], watch.changes[maxChanges/2:]...)
		}
		watch.changes = append(watch.changes, Change{Event: watch.seen, Before: before, After: after})
	}
	return watch.changes
}

// LastChange returns the newest change of an expression's value before event i of the log or, where own is set, at
// it, in the thread of that event and over the documents that [Watches.Changes] compares. ok is false where the value
// has not changed since the thread began. The error comes from [console.Compile], or says that the search was
// interrupted: see [interrupt.Is].
func (w *Watches) LastChange(text string, i int, own bool) (found Change, ok bool, err error) {
	compiled, err := console.Compile(text)
	if err != nil {
		return Change{}, false, err
	}
	poll, log := w.run.Poll(), w.run.Log()
	poll.Reset()
	for at := i; at >= 0; at = log.DocumentBefore(at) {
		if !runlog.CarriesDocument(log.At(at)) || at == i && !own {
			continue
		}
		before, after, changed := change(w.run, compiled, at)
		if err := poll.Step(1); err != nil {
			return Change{}, false, err
		}
		if changed {
			return Change{Event: at, Before: before, After: after}, true, nil
		}
	}
	return Change{}, false, nil
}

// Forget drops the changes at event n and later ones, where the log is another from there on.
func (w *Watches) Forget(n int) {
	for _, watch := range w.watches {
		watch.seen = min(watch.seen, n)
		for len(watch.changes) > 0 && watch.changes[len(watch.changes)-1].Event >= n {
			watch.changes = watch.changes[:len(watch.changes)-1]
		}
	}
}
