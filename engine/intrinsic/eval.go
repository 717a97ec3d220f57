package intrinsic

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
	values := make([]value.Value, len(c.arguments))
	for i := range c.arguments {
		v, err := e.argument(&c.arguments[i])
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	if err := e.roots.Poll.Step(1); err != nil {
		return nil, err
	}
	return c.function.run(&arguments{call: c, values: values, random: e.random, poll: e.roots.Poll})
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
