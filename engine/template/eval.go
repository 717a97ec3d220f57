package template

import (
	"asldb/engine/path"
	"asldb/engine/value"
)

// evaluation is the state of one Eval through nested calls.
type evaluation struct {
	roots  *path.Roots
	random Random
}

func (e *evaluation) call(c *Call) (value.Value, error) {
	operands := &struct {
		arguments
		few [2]value.Value // most functions take no more
	}{}
	a := &operands.arguments
	if len(c.arguments) <= len(operands.few) {
		a.values = operands.few[:len(c.arguments)]
	} else {
		a.values = make([]value.Value, len(c.arguments))
	}
	for i := range c.arguments {
		v, err := e.argument(&c.arguments[i])
		if err != nil {
			return nil, err
		}
		a.values[i] = v
	}
	if err := e.roots.Poll.Step(1); err != nil {
		return nil, err
	}
	a.call, a.random, a.poll, a.scalars = c, e.random, e.roots.Poll, e.roots.ScalarsOnly
	if c.fault != nil {
		return nil, c.fault
	}
	return c.function.run(a)
}

func (e *evaluation) argument(a *argument) (value.Value, error) {
	switch {
	case a.call != nil:
		return e.call(a.call)
	case a.path != nil:
		return a.path.Get(e.roots)
	}
	return a.literal, nil
}
