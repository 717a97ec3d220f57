package debug

import (
	"asldb/engine"
	"asldb/engine/expr"
	"asldb/engine/value"
)

// A state's document is what flows through the machine: its raw input, what ResultPath and OutputPath (in JSONata
// Output) make of it, its output, and what was put in the place of any of these by hand. What lies between, a payload or a raw result, is another value, and a path
// that is not in it has not changed.

// carriesDocument reports whether what the event leaves behind is its thread's document.
func carriesDocument(event *engine.Event) bool {
	if event.After == nil || event.Visit == nil {
		return false
	}
	switch event.Type {
	case engine.StateEntered, engine.StateExited:
		return true
	case engine.StageCompleted, engine.DataEdited:
		return event.Stage == engine.StageInput || event.Stage == engine.StageResultPath || event.Stage == engine.StageOutputPath
	}
	return false
}

// documentBefore returns the event that left behind the document as it was before event i, in the same thread; -1
// where i is the thread's first.
func (s *Session) documentBefore(i int) int {
	event := s.log.At(i)
	for at := i - 1; at >= 0; at-- {
		earlier := s.log.At(at)
		switch {
		case earlier.Visit == nil:
		case earlier.Thread == event.Thread && carriesDocument(earlier):
			return at
		case earlier.Type == engine.BranchStarted || earlier.Type == engine.IterationStarted:
			if detail, ok := earlier.Detail.(*engine.ThreadDetail); ok && detail.Thread == event.Thread {
				return -1
			}
		}
	}
	return -1
}

// change compares what an expression gives over the document of event i with what it gave over the one before; nil
// stands for nothing. ok is false where it is the same, or there was none before.
func (s *Session) change(x *expr.Expression, i int) (before, after value.Value, ok bool) {
	earlier := s.documentBefore(i)
	if earlier < 0 || (x.DataOnly() && value.Identical(s.log.At(earlier).After, s.log.At(i).After)) {
		return nil, nil, false
	}
	before, _ = x.Look(s.envAt(earlier)) // what cannot be evaluated is nothing
	after, _ = x.Look(s.envAt(i))
	return before, after, !same(before, after)
}

// same is value.Equal where nothing may be there.
func same(a, b value.Value) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return value.Equal(a, b)
}

// changed reports whether the expression that a breakpoint watches gives another value since event i.
func (s *Session) changed(b *Breakpoint, i int) bool {
	_, _, changed := s.change(b.watched, i)
	return changed
}

// lookedBack is how far back an event of the whole execution that has no data is given that of an earlier one.
const lookedBack = 64

// sourceAt returns the event whose data are those to look at in event i: i itself where it has data, else the newest
// one before it in the same visit; -1 where there is none.
func (s *Session) sourceAt(i int) int {
	event := s.log.At(i)
	for at := i; at >= 0; at-- {
		earlier := s.log.At(at)
		if event.Visit == nil && i-at > lookedBack {
			break
		}
		if (event.Visit == nil || earlier.Visit == event.Visit) && (earlier.After != nil || earlier.Before != nil) {
			return at
		}
	}
	return -1
}

// envAt is what an expression sees at event i: $ is the data after it, or before it, of an event that has none the
// data that the visit had last; the other names are of event i. Before the first event, at -1, $ is the
// execution's input.
func (s *Session) envAt(i int) *expr.Env {
	if i < 0 {
		return &expr.Env{Data: s.options.Input, Poll: &s.poll}
	}
	env := &expr.Env{Fields: Fields(s.log.At(i)), Poll: &s.poll}
	at := s.sourceAt(i)
	if at < 0 {
		return env
	}
	source := s.log.At(at)
	if env.Data = source.After; env.Data == nil {
		env.Data = source.Before
	}
	// What the thread sees now may be the next state's already.
	env.Context, env.Variables = s.RootsAt(at)
	return env
}
