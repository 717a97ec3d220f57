// Package value holds immutable JSON values.
//
// An object keeps its members in document order and a number keeps the text it was written with
// (1.0 stays 1.0, a 20-digit integer stays exact). Nothing in this package changes a value that
// exists: a write returns a new value that shares everything it did not touch. Therefore an event
// can hold the data before and after a stage for the price of two references, and a comparison can
// skip the parts that are identical by pointer.
//
// A nil Value means "absent", which is not the same as [Null].
package value

// Kind tells the six JSON kinds apart.
type Kind uint8

// The kinds of JSON values.
const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// String returns the kind as JSON names it: "null", "boolean", "number", "string", "array" or "object".
func (k Kind) String() string {
	switch k {
	case KindNull:
		return "null"
	case KindBool:
		return "boolean"
	case KindNumber:
		return "number"
	case KindString:
		return "string"
	case KindArray:
		return "array"
	case KindObject:
		return "object"
	}
	return "unknown"
}

// Value is one JSON value: [Null], [Bool], [Number], [String], *[Array] or *[Object].
// The set is closed. The nil interface means "absent".
type Value interface {
	// Kind tells which of the six kinds this value is of.
	Kind() Kind
	sealed()
}

// Null is JSON's null.
type Null struct{}

// Bool is true or false.
type Bool bool

// String is a JSON string, decoded to UTF-8.
type String string

// Kind implements [Value].
func (Null) Kind() Kind { return KindNull }

// Kind implements [Value].
func (Bool) Kind() Kind { return KindBool }

// Kind implements [Value].
func (String) Kind() Kind { return KindString }

// Kind implements [Value].
func (Number) Kind() Kind { return KindNumber }

// Kind implements [Value].
func (*Array) Kind() Kind { return KindArray }

// Kind implements [Value].
func (*Object) Kind() Kind { return KindObject }

func (Null) sealed()    {}
func (Bool) sealed()    {}
func (String) sealed()  {}
func (Number) sealed()  {}
func (*Array) sealed()  {}
func (*Object) sealed() {}

// KindOf returns v's kind as a word, and "nothing" for an absent value.
func KindOf(v Value) string {
	if v == nil {
		return "nothing"
	}
	return v.Kind().String()
}

// Each returns the results of a function of each item of a list, in their order. The result of an empty list is empty,
// and not nil.
func Each[T, U any](list []T, of func(T) U) []U {
	all := make([]U, len(list))
	for i, item := range list {
		all[i] = of(item)
	}
	return all
}

// NotNil returns a list that is not nil: encoding/json writes [] for it.
func NotNil[T any](list []T) []T { return append([]T{}, list...) }

// Texts returns an array of strings.
func Texts(list []string) *Array {
	return NewArray(Each(list, func(text string) Value { return String(text) }))
}
