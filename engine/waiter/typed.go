package waiter

import (
	"math/big"
	"strings"
	"time"

	"asldb/engine/source"
	"asldb/engine/value"
)

// typed returns the response as JMESPath is to see it (section "Waiter data model"): a timestamp that is written as
// text becomes the number of seconds since the epoch. Everything else of the model has the same form in JSON: a blob
// is text in base64, an enum text, and an absent value is null.
func (w *Waiter) typed(r *Response) *Response {
	if w.model == nil {
		return r
	}
	operation := w.model.shape(w.Operation)
	twin := *r
	twin.Input = w.model.typedValue("", w.model.part(operation, "input"), r.Input)
	twin.Output = w.model.typedValue("", w.model.part(operation, "output"), r.Output)
	return &twin
}

// typedValue returns a value of a shape, itself where nothing in it has another form.
func (m *Model) typedValue(id string, shape *source.Node, v value.Value) value.Value {
	switch kind := m.typeOf(id, shape); {
	case v == nil:
		return nil
	case kind == "timestamp":
		if text, ok := v.(value.String); ok {
			if at, err := time.Parse(time.RFC3339Nano, string(text)); err == nil {
				return epochSeconds(at)
			}
		}
	case kind == "structure" || kind == "union" || kind == "map":
		object, ok := v.(*value.Object)
		if !ok {
			return v
		}
		for i := range object.Len() {
			part := object.At(i)
			reference := shape.Get("value")
			if kind != "map" {
				reference = shape.Get("members").Get(part.Key)
			}
			if changed := m.typedTarget(reference, part.Value); !value.Identical(changed, part.Value) {
				v = v.(*value.Object).With(part.Key, changed)
			}
		}
	case kind == "list" || kind == "set":
		array, ok := v.(*value.Array)
		if !ok {
			return v
		}
		for i, item := range array.All() {
			if changed := m.typedTarget(shape.Get("member"), item); !value.Identical(changed, item) {
				v = v.(*value.Array).With(i, changed)
			}
		}
	}
	return v
}

func (m *Model) typedTarget(reference *source.Node, v value.Value) value.Value {
	if reference == nil {
		return v
	}
	id, shape := m.target(reference)
	return m.typedValue(id, shape, v)
}

// epochSeconds is an instant as a number of seconds since the epoch. It may be further away than a Duration is long:
// the year 9999 often stands for no end.
func epochSeconds(at time.Time) value.Value {
	whole := new(big.Rat).SetInt64(at.Unix())
	whole.Add(whole, big.NewRat(int64(at.Nanosecond()), int64(time.Second)))
	text := whole.FloatString(9)
	number, err := value.ParseNumber(strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
	if err != nil {
		return value.Int(at.Unix())
	}
	return number
}
