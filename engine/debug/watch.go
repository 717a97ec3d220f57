package debug

import (
	"errors"

	"asldb/engine/expr"
	"asldb/engine/path"
	"asldb/engine/value"
)

// Watch is an expression whose value is kept in sight.
type Watch struct {
	// ID numbers the watches of a session from 1. A number is not used twice.
	ID int
	// Text is the expression, in the language of package expr.
	Text string

	compiled *expr.Expression
	changes  []Change
	seen     int // events that changes knows of
}

// Change is one change of a watched value.
type Change struct {
	// Event is the place in the log, from 0, of the event that changed the value.
	Event int
	// Before and After are the values; nil stands for nothing there.
	Before, After value.Value
}

// maxChanges is how many changes of a watch are kept.
const maxChanges = 1000

// ErrNoWatch says that there is no watch of a number.
var ErrNoWatch = errors.New("there is no such watch")

// AddWatch adds a watch. The error is an *[expr.SyntaxError].
func (s *Session) AddWatch(text string) (*Watch, error) {
	compiled, err := expr.Compile(text)
	if err != nil {
		return nil, err
	}
	s.lastWatch++
	w := &Watch{ID: s.lastWatch, Text: text, compiled: compiled}
	s.watches = append(s.watches, w)
	return w, nil
}

// EditWatch gives a watch another expression. The error is an *[expr.SyntaxError] or [ErrNoWatch].
func (s *Session) EditWatch(id int, text string) error {
	compiled, err := expr.Compile(text)
	if err != nil {
		return err
	}
	for _, w := range s.watches {
		if w.ID == id {
			*w = Watch{ID: id, Text: text, compiled: compiled}
			return nil
		}
	}
	return ErrNoWatch
}

// RemoveWatch takes a watch away. It reports false when there is none of that number.
func (s *Session) RemoveWatch(id int) bool {
	for i, w := range s.watches {
		if w.ID == id {
			s.watches = append(s.watches[:i:i], s.watches[i+1:]...)
			return true
		}
	}
	return false
}

// Watches returns the watches in the order in which they were made.
func (s *Session) Watches() []*Watch { return s.watches }

// WatchAt evaluates a watch at event i of the log, counted from 0; -1 is before the first, where $ is the input of
// the execution. $ is the data after the event, or the data that its visit had last; a path that selects nothing
// there, in a payload or a result, is looked for in what flows through the thread (see [Session.Changes]), so that
// a watched value does not come and go with every stage. The error says why there is no value; where a path
// selects nothing it is a *[path.MissError].
func (s *Session) WatchAt(w *Watch, i int) (value.Value, error) {
	s.poll.Reset()
	v, err := w.compiled.Look(s.envAt(i))
	var miss *path.MissError
	if i < 0 || !errors.As(err, &miss) || carriesDocument(s.log.At(i)) {
		return v, err
	}
	if at := s.documentBefore(i); at >= 0 {
		if flowing, fault := w.compiled.Look(s.envAt(at)); fault == nil {
			return flowing, nil
		}
	}
	return v, err
}

// EventBefore returns the event before event i in the same thread, -1 where there is none: places in the log, from 0.
func (s *Session) EventBefore(i int) int {
	if i < 0 {
		return -1
	}
	thread := s.log.At(i).Thread
	for i--; i >= 0 && s.log.At(i).Thread != thread; i-- {
	}
	return i
}

// Evaluate gives what an expression gives at event i of the log: see [Session.WatchAt]. The error may be an
// *[expr.SyntaxError] besides.
func (s *Session) Evaluate(text string, i int) (value.Value, error) {
	compiled, err := expr.Compile(text)
	if err != nil {
		return nil, err
	}
	s.poll.Reset()
	return compiled.Look(s.envAt(i))
}

// Changes returns the events at which the value of a watch changed, the oldest first; of very many only the newest.
// What is compared is the documents of each thread: the raw input of a state, what ResultPath and OutputPath make of
// it, and its output, so that a payload without the member that is watched is no change of it. Only events that
// came up since the last call are looked at.
func (s *Session) Changes(w *Watch) []Change {
	s.poll.Reset()
	for ; w.seen < s.log.Len(); w.seen++ {
		if !carriesDocument(s.log.At(w.seen)) {
			continue
		}
		before, after, changed := s.change(w.compiled, w.seen)
		if s.poll.Step(1) != nil {
			break // what is not known yet is looked at the next time
		}
		if !changed {
			continue
		}
		if len(w.changes) == maxChanges {
			w.changes = append(w.changes[:0:0], w.changes[maxChanges/2:]...)
		}
		w.changes = append(w.changes, Change{Event: w.seen, Before: before, After: after})
	}
	return w.changes
}

// forgetHistories drops what the watches know of event n and later ones.
func (s *Session) forgetHistories(n int) {
	for _, w := range s.watches {
		w.seen = min(w.seen, n)
		for len(w.changes) > 0 && w.changes[len(w.changes)-1].Event >= n {
			w.changes = w.changes[:len(w.changes)-1]
		}
	}
}

// PreviousStop returns the place in the log, from 0, of the event at which the session stood when the last command
// was given; -1 before the first event. What a watch gave there is its value before.
func (s *Session) PreviousStop() int { return s.stood }

// LastChange returns the newest change of what an expression gives before event i of the log, or, where own is set, at
// it, in the thread of that event and the documents that [Session.Changes] compares. ok is false where the value
// is still what it was when the thread began. The error is an *[expr.SyntaxError], or says that the search was
// interrupted: see [interrupt.Is].
func (s *Session) LastChange(text string, i int, own bool) (change Change, ok bool, err error) {
	compiled, err := expr.Compile(text)
	if err != nil {
		return Change{}, false, err
	}
	s.poll.Reset()
	for at := i; at >= 0; at = s.documentBefore(at) {
		if !carriesDocument(s.log.At(at)) || at == i && !own {
			continue
		}
		before, after, changed := s.change(compiled, at)
		if err := s.poll.Step(1); err != nil {
			return Change{}, false, err
		}
		if changed {
			return Change{Event: at, Before: before, After: after}, true, nil
		}
	}
	return Change{}, false, nil
}

// CheckWatch says what is wrong with an expression to watch: the error of AddWatch.
func (s *Session) CheckWatch(text string) error {
	_, err := expr.Compile(text)
	return err
}
