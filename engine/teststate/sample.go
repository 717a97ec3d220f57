package teststate

import (
	"slices"
	"strings"

	"asldb/engine/services"
	"asldb/engine/value"
)

// Shape returns the shape of the response of a task's Resource as a value; nil where it is not known. A shape is the name of a
// kind ("string", "number", "boolean", "object", "any"), such a name with the words that it takes ("string|ON|OFF"), an array
// with the shape of its items, or an object with the shapes of its fields, whose names end in "!" where they are
// required; the name "*" means any. A shape within itself is "object".
func Shape(resource string) value.Value {
	known := resultOf(resource)
	if known.Shape == nil || len(known.Shape.Members) == 0 {
		return nil
	}
	return shapeSample(known.Shape, make(map[*services.Shape]bool))
}

// resultOf returns the result of a Resource, as far as it is known.
func resultOf(resource string) services.Result {
	call, ok := services.CallOf(resource)
	if !ok {
		return services.Result{}
	}
	known, _ := call.Result()
	return known
}

func shapeSample(shape *services.Shape, within map[*services.Shape]bool) value.Value {
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
			name := m.Name
			if m.Required {
				name += "!"
			}
			b.Set(name, shapeSample(m.Shape, within))
		}
		return b.Object()
	case services.Map:
		return value.ObjectOf(value.Member{Key: "*", Value: shapeSample(shape.Item, within)})
	case services.List:
		return value.ArrayOf(shapeSample(shape.Item, within))
	case services.Integer, services.Float:
		return value.String("number")
	case services.Boolean:
		return value.String("boolean")
	case services.Any:
		return value.String("any")
	case services.String, services.Blob, services.Timestamp:
	}
	return value.String(strings.Join(append([]string{"string"}, shape.Enum...), "|"))
}

// Sample returns a result of a task's Resource to begin an answer with: the members that most results have, and all
// that are required, at any depth, with values that only show their types. It is nil where the shape is not known, or has no such
// member.
func Sample(resource string) value.Value {
	known := resultOf(resource)
	if known.Shape == nil {
		known = services.Result{Shape: mockOf(resource)}
	}
	if known.Shape == nil || known.Shape.Kind != services.Structure {
		return nil
	}
	sample := value.ObjectOf()
	for _, e := range known.Examples {
		sample = withExample(known.Shape, sample, e.Path, e.Text).(*value.Object)
	}
	sample = withRequired(known.Shape, sample, 0).(*value.Object)
	if sample.Len() == 0 {
		return nil
	}
	return sample
}

// mockOf is the shape of a mock of a Resource.
func mockOf(resource string) *services.Shape {
	if call, ok := services.CallOf(resource); ok {
		return call.Mock()
	}
	return nil
}

// withExample sets the member that a path leads to from v on; v may be nil.
func withExample(shape *services.Shape, v value.Value, at []string, text string) value.Value {
	if len(at) == 0 {
		return exampleOf(shape, text)
	}
	switch shape.Kind {
	case services.List:
		return value.ArrayOf(withExample(shape.Item, firstOf(v), at[1:], text))
	case services.Structure, services.Map:
		of := shape.Item
		if shape.Kind == services.Structure {
			m, found := shape.Member(at[0])
			if !found {
				return v
			}
			of = m.Shape
		}
		object, ok := v.(*value.Object)
		if !ok {
			object = value.ObjectOf()
		}
		if len(at) == 1 && text == "" {
			return object.With(at[0], sampleOf(of, at[0], 0))
		}
		return object.With(at[0], withExample(of, object.Get(at[0]), at[1:], text))
	default:
		return v
	}
}

func firstOf(v value.Value) value.Value {
	if array, ok := v.(*value.Array); ok && array.Len() > 0 {
		return array.At(0)
	}
	return nil
}

// exampleOf is a value that is written as text.
func exampleOf(shape *services.Shape, text string) value.Value {
	switch shape.Kind {
	case services.String, services.Blob, services.Timestamp, services.Any:
		return value.String(text)
	default:
		return value.Must(text)
	}
}

// withRequired adds to a value the required members that it lacks, at any depth.
func withRequired(shape *services.Shape, v value.Value, depth int) value.Value {
	switch v := v.(type) {
	case *value.Object:
		for i := range shape.Members {
			m := &shape.Members[i]
			switch given := v.Get(m.Name); {
			case given != nil:
				v = v.With(m.Name, withRequired(m.Shape, given, depth+1))
			case m.Required && depth < maxSample:
				v = v.With(m.Name, sampleOf(m.Shape, m.Name, depth+1))
			}
		}
		return v
	case *value.Array:
		if shape.Kind != services.List {
			return v
		}
		items := make([]value.Value, 0, v.Len())
		for _, item := range v.All() {
			items = append(items, withRequired(shape.Item, item, depth+1))
		}
		return value.NewArray(items)
	}
	return v
}

// maxSample is the depth of a sample: a shape that contains itself has no other end.
const maxSample = 16

func sampleOf(shape *services.Shape, name string, depth int) value.Value {
	switch shape.Kind {
	case services.Structure:
		return withRequired(shape, value.ObjectOf(), depth)
	case services.Map, services.Any:
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
	if shape.JSON {
		return value.String("{}")
	}
	return value.String(sampleText(shape, name))
}

// sampleText returns a word of the enumeration, the name of the member where the text may not be empty, else "".
func sampleText(shape *services.Shape, name string) string {
	switch {
	case len(shape.Enum) > 0:
		if slices.Contains(shape.Enum, "SUCCEEDED") { // the first may be one on the way, such as RUNNING
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
