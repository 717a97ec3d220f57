package breakpoint

import (
	"cmp"
	"strings"

	"asldb/engine/console"
	"asldb/engine/expr"
	"asldb/engine/value"
)

// optional are the names of [Fields] that an event may lack. A search takes them for null there.
var optional = [...]string{"state", "path", "visit", "error", "cause"}

// Condition is a compiled condition over the events of a run.
type Condition struct {
	run        Run
	expression *console.Expression
	contextual bool // it reads the context object
}

// Condition compiles a condition, an expression of package console over an event's data with the names of [Fields]. The error
// comes from [console.Compile].
func (w *Watches) Condition(text string) (*Condition, error) {
	x, err := console.Compile(text)
	if err != nil {
		return nil, err
	}
	w.run.Poll().Reset()
	return &Condition{w.run, x, strings.Contains(text, "$$")}, nil
}

// Meets reports whether event i of the log, counted from 0, meets the condition. An event over which it cannot be evaluated does
// not. The error says that the evaluation was interrupted: see interrupt.Is.
func (c *Condition) Meets(i int) (bool, error) {
	run := c.run
	poll, log := run.Poll(), run.Log()
	if err := poll.Step(1); err != nil {
		return false, err
	}
	event := log.At(i)
	data := cmp.Or(event.After, event.Before)
	env := &console.Env{Env: expr.Env{Data: data, Fields: Fields(event), Poll: poll}, Now: event.At(), Profile: run.Machine().Dialect().Profile()}
	for _, name := range optional {
		if _, has := env.Fields[name]; !has {
			env.Fields[name] = nil
		}
	}
	if visit := event.Visit; visit != nil {
		env.Language = visit.State.QueryLanguage
		env.States = func() value.Value {
			context, _ := run.RootsAt(i)
			return console.States(log, visit, i+1, context)
		}
		env.Variables = func(name string) value.Value { return log.Variable(visit, name) }
		if c.contextual { // it costs more than all the rest
			env.Context, _ = run.RootsAt(i)
		}
	}
	met, err := c.expression.Truth(env)
	return err == nil && met, nil
}

// Find returns the place of the next event of the run that meets a condition: after event i of the log, counted from 0, or
// before it where backwards is set. From -1 the search begins at the first event, backwards from the log's length at the last.
// ok is false when there is none. The error comes from [Watches.Condition] or [Condition.Meets].
func (w *Watches) Find(condition string, i int, backwards bool) (found int, ok bool, err error) {
	c, err := w.Condition(condition)
	if err != nil {
		return 0, false, err
	}
	by := 1
	if backwards {
		by = -1
	}
	for at := i + by; at >= 0 && at < w.run.Log().Len(); at += by {
		met, err := c.Meets(at)
		if err != nil {
			return 0, false, err
		}
		if met {
			return at, true, nil
		}
	}
	return 0, false, nil
}
