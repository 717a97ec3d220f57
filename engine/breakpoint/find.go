package breakpoint

import (
	"strings"

	"asldb/engine/console"
	"asldb/engine/expr"
	"asldb/engine/value"
)

// optional are the names of [Fields] that an event may lack. A search takes them for null there.
var optional = [...]string{"state", "path", "visit", "error", "cause"}

// Find returns the place of the next event of the run that meets a condition, an expression of package console over the
// event's data with the names of [Fields]: after event i of the log, counted from 0, or before it where backwards is set.
// From -1 the search begins at the first event, backwards from the log's length at the last. ok is false when there is none.
// An event over which the condition cannot be evaluated does not meet it. The error is that of [console.Compile], or says that
// the search was interrupted: see interrupt.Is.
func (w *Watches) Find(condition string, i int, backwards bool) (found int, ok bool, err error) {
	x, err := console.Compile(condition)
	if err != nil {
		return 0, false, err
	}
	run := w.run
	poll, log := run.Poll(), run.Log()
	poll.Reset()
	contextual := strings.Contains(condition, "$$")
	by := 1
	if backwards {
		by = -1
	}
	for at := i + by; at >= 0 && at < log.Len(); at += by {
		if err := poll.Step(1); err != nil {
			return 0, false, err
		}
		event := log.At(at)
		data := event.After
		if data == nil {
			data = event.Before
		}
		env := &console.Env{Env: expr.Env{Data: data, Fields: Fields(event), Poll: poll}, Now: event.At()}
		for _, name := range optional {
			if _, has := env.Fields[name]; !has {
				env.Fields[name] = nil
			}
		}
		if visit := event.Visit; visit != nil {
			env.Language = visit.State.QueryLanguage
			env.States = func() value.Value {
				context, _ := run.RootsAt(at)
				return console.States(log, visit, at+1, context)
			}
			env.Variables = func(name string) value.Value { return log.Variable(visit, name) }
			if contextual { // it costs more than all the rest
				env.Context, _ = run.RootsAt(at)
			}
		}
		if met, err := x.Truth(env); err == nil && met {
			return at, true, nil
		}
	}
	return 0, false, nil
}
