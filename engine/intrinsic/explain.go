package intrinsic

import (
	"asldb.dev/asldb/engine/path"
	"asldb.dev/asldb/engine/value"
)

// Trace is one part of a call: the call itself, or an argument that is a path or another call.
type Trace struct {
	// Text is the part as it is written.
	Text string
	// Value is what it gave, nil where Err is set or it was not reached.
	Value value.Value
	Err   error
	// Parts are the arguments that say more than their text, in their order.
	Parts []*Trace
}

// Explain evaluates the call as [Call.Eval] does and keeps what each part of it gave.
func (c *Call) Explain(r *path.Roots, rnd Random) *Trace {
	t := &Trace{Text: c.text}
	values := make([]value.Value, len(c.arguments))
	for i := range c.arguments {
		a := &c.arguments[i]
		part := &Trace{Value: a.literal}
		switch {
		case a.call != nil:
			part = a.call.Explain(r, rnd)
		case a.path != nil:
			part.Text = a.path.String()
			part.Value, part.Err = a.path.Get(r)
		}
		if part.Text != "" {
			t.Parts = append(t.Parts, part)
		}
		if part.Err != nil {
			t.Err = part.Err
			return t
		}
		values[i] = part.Value
	}
	t.Value, t.Err = c.function.run(&arguments{call: c, values: values, random: rnd})
	return t
}
