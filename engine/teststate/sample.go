package teststate

import (
	"strings"

	"asldb/engine/services"
	"asldb/engine/value"
)

// Shape returns the shape of the response of a task's Resource as a value; nil where it is not known. A shape is the name of a
// kind ("string", "number", "boolean", "object", "any"), such a name with the words that it takes ("string|ON|OFF"), an array
// with the shape of its items, or an object with those of its fields, whose names end in "!" where they are required; the name
// "*" stands for any. A shape within itself is "object".
func Shape(resource string) value.Value {
	a, known := answerOf(resource)
	if !known || job(resource) {
		return nil
	}
	return a.valueOf(a.shape, make(map[*services.Shape]bool))
}

// job reports whether a task waits for a job whose description stands at the top of its result, not as in the answer of
// the operation that describes it.
func job(resource string) bool {
	call, _ := services.CallOf(resource)
	return call.Pattern != "" && call.ServiceName != "states"
}

func (a *answer) valueOf(shape *services.Shape, within map[*services.Shape]bool) value.Value {
	switch shape.Kind {
	case services.Structure:
		if within[shape] || len(shape.Members) == 0 {
			return value.String("object")
		}
		within[shape] = true
		defer delete(within, shape)
		var b value.ObjectBuilder
		for i := range shape.Members {
			m := &shape.Members[i]
			name := a.call.Name(m)
			of := value.Value(value.String("any"))
			if !a.takes(shape, name) {
				of = a.valueOf(m.Shape, within)
			}
			if m.Required {
				name += "!"
			}
			b.Set(name, of)
		}
		return b.Object()
	case services.Map:
		return value.ObjectOf(value.Member{Key: "*", Value: a.valueOf(shape.Item, within)})
	case services.List:
		return value.ArrayOf(a.valueOf(shape.Item, within))
	case services.Integer, services.Float:
		return value.String("number")
	case services.Boolean:
		return value.String("boolean")
	case services.String, services.Blob, services.Timestamp:
	}
	return value.String(strings.Join(append([]string{"string"}, shape.Enum...), "|"))
}

// Sample returns the least that the service of a task's Resource answers: every member that is required, at any depth, with
// a value that only shows its type. It is nil where the shape is not known, or has no such member.
func Sample(resource string) value.Value {
	a, known := answerOf(resource)
	if !known || job(resource) {
		return nil
	}
	made := a.sampleOf(a.shape, "", 0).(*value.Object)
	if made.Len() == 0 {
		return nil
	}
	return made
}

// maxSample is the depth of a sample: a shape that contains itself has no other end.
const maxSample = 16

func (a *answer) sampleOf(shape *services.Shape, name string, depth int) value.Value {
	switch shape.Kind {
	case services.Structure:
		var b value.ObjectBuilder
		for i := range shape.Members {
			m := &shape.Members[i]
			switch field := a.call.Name(m); {
			case !m.Required || depth == maxSample:
			case a.takes(shape, field):
				b.Set(field, value.ObjectOf())
			default:
				b.Set(field, a.sampleOf(m.Shape, field, depth+1))
			}
		}
		return b.Object()
	case services.Map:
		return value.ObjectOf()
	case services.List:
		return value.ArrayOf()
	case services.Integer, services.Float:
		if shape.Min != nil && *shape.Min > 0 {
			return value.Int(int64(*shape.Min))
		}
		return value.Int(0)
	case services.Boolean:
		return value.Bool(true)
	case services.Timestamp:
		return value.String("2026-01-01T00:00:00Z")
	case services.String, services.Blob:
	}
	return value.String(sampleText(shape, name))
}

// sampleText returns a word of the enumeration, the name of the member where the text may not be empty, else "".
func sampleText(shape *services.Shape, name string) string {
	switch {
	case len(shape.Enum) > 0:
		if oneOf(shape.Enum, "SUCCEEDED") { // the first may be one on the way, such as RUNNING
			return "SUCCEEDED"
		}
		return shape.Enum[0]
	case shape.Min == nil || *shape.Min < 1:
		return ""
	}
	least := int(*shape.Min)
	text := name + strings.Repeat("x", max(0, least-len(name)))
	if shape.Max != nil && len(text) > int(*shape.Max) {
		text = text[:int(*shape.Max)]
	}
	return text
}

// Filled returns a result of a task's Resource in which the empty texts that the service does not give are samples: an
// ExecutionArn has at least one character.
func Filled(resource string, result value.Value) value.Value {
	a, known := answerOf(resource)
	if !known {
		return result
	}
	return a.filled(a.shape, result, "")
}

func (a *answer) filled(shape *services.Shape, v value.Value, name string) value.Value {
	switch v := v.(type) {
	case value.String:
		if v == "" && (shape.Kind == services.String || shape.Kind == services.Blob) {
			return value.String(sampleText(shape, name))
		}
	case *value.Object:
		for field, member := range v.All() {
			if m, found := a.call.Member(shape, field); found && !a.takes(shape, field) {
				v = v.With(field, a.filled(m.Shape, member, field))
			}
		}
		return v
	case *value.Array:
		if shape.Kind != services.List {
			return v
		}
		var items []value.Value
		for _, item := range v.All() {
			items = append(items, a.filled(shape.Item, item, name))
		}
		return value.NewArray(items)
	}
	return v
}
