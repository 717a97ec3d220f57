package debug

import (
	"strings"

	"asldb/engine/breakpoint"
	"asldb/engine/console"
	"asldb/engine/expr"
	"asldb/engine/provenance"
	"asldb/engine/value"
)

// FindEvent returns the place of the next event that meets a condition, an expression of package console over the
// event's data with the names of [breakpoint.Fields]: after event i of the log, counted from 0, or before it where
// backwards is set. -1 as i begins at the first event, the log's length backwards at the last. ok is
// false when there is none. An event that the condition cannot be evaluated over does not meet it. The error
// is that of [console.Compile], or says that the search was interrupted: see [interrupt.Is].
func (s *Session) FindEvent(condition string, i int, backwards bool) (found int, ok bool, err error) {
	x, err := console.Compile(condition)
	if err != nil {
		return 0, false, err
	}
	s.poll.Reset()
	contextual := strings.Contains(condition, "$$")
	by := 1
	if backwards {
		by = -1
	}
	for at := i + by; at >= 0 && at < s.log.Len(); at += by {
		if err := s.poll.Step(1); err != nil {
			return 0, false, err
		}
		event := s.log.At(at)
		data := event.After
		if data == nil {
			data = event.Before
		}
		env := &console.Env{Env: expr.Env{Data: data, Fields: breakpoint.Fields(event), Poll: &s.poll}, Now: event.At()}
		for _, name := range [...]string{"state", "path", "visit", "error", "cause"} {
			if _, has := env.Fields[name]; !has {
				env.Fields[name] = nil // so that asking for it is no error
			}
		}
		if visit := event.Visit; visit != nil {
			env.Language = visit.State.QueryLanguage
			env.States = func() value.Value {
				context, _ := s.RootsAt(at)
				return console.States(&s.log, visit, at+1, context)
			}
			env.Variables = func(name string) value.Value { return provenance.Variable(&s.log, visit, name) }
			if contextual { // it costs more than all the rest
				env.Context, _ = s.RootsAt(at)
			}
		}
		if met, err := x.Truth(env); err == nil && met {
			return at, true, nil
		}
	}
	return 0, false, nil
}
