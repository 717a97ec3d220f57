package jsonata

import (
	"math"
	"strconv"
	"strings"

	"asldb/engine/value"
)

// maxNesting is the depth of values that are walked. It is also engine/value's limit.
const maxNesting = value.DefaultDepth

// numeric is [value.Double] with the reference implementation's check of the range: NaN counts as no number.
func numeric(v any) (float64, bool, error) {
	f, ok := value.Double(v)
	if !ok || f != f {
		return 0, false, nil
	}
	if math.IsInf(f, 0) {
		return 0, false, fail("D1001").value(v)
	}
	return f, true, nil
}

// numberText is the text of a number as JavaScript writes it.
func numberText(f float64) string {
	switch {
	case f != f:
		return "NaN"
	case math.IsInf(f, 0):
		if f < 0 {
			return "-Infinity"
		}
		return "Infinity"
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatInt(int64(f), 10)
	}
	if size := math.Abs(f); size >= 1e-6 && size < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	at := strings.IndexByte(text, 'e') // Go writes at least two digits: 1e-07
	exponent := strings.TrimLeft(text[at+2:], "0")
	return text[:at+2] + exponent
}

// newNumber is the JSON number f.
func newNumber(f float64) value.Value {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return value.Int(int64(f))
	}
	n, err := value.ParseNumber(numberText(f))
	if err != nil {
		return value.Null{}
	}
	return n
}

// exporter turns values of an evaluation into values of engine/value.
type exporter struct {
	left      int                         // items that it may still write
	nonFinite func(f float64) value.Value // gives the value of a number that JSON has not; nil: it is an error
	lenient   bool                        // functions become their substitutes, and numbers without a JSON form null
	instead   value.Value                 // replaces a function
	// interrupt is called now and then; its error ends the export. It may be nil.
	interrupt func() error
}

// functionResult is the error of a result that holds a function.
var errFunction = &FunctionError{}

// FunctionError says that the result of an expression is, or holds, a function, which JSON has not.
type FunctionError struct{}

// Error implements error.
func (*FunctionError) Error() string { return "the result is a function" }

func (x *exporter) export(v any, depth int) (value.Value, error) {
	if depth > maxNesting {
		return nil, tooDeep()
	}
	if x.left--; x.left < 0 {
		return nil, stopped("the result is too large")
	}
	if x.interrupt != nil && x.left%pollEvery == 0 {
		if err := x.interrupt(); err != nil {
			return nil, err
		}
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case float64:
		if (math.IsInf(v, 0) || v != v) && !x.lenient {
			if x.nonFinite != nil {
				return x.nonFinite(v), nil
			}
			return nil, fail("D1001").value(v)
		}
		return newNumber(v), nil
	case *list:
		if v.wrapper && len(v.items) == 1 {
			return x.export(v.items[0], depth)
		}
		return x.array(v, depth)
	case *object:
		return x.object(v, depth)
	case *tuple:
		return x.export(v.item, depth)
	case value.Value:
		return v, nil
	}
	if x.lenient {
		return x.instead, nil
	}
	return nil, errFunction
}

func (x *exporter) array(l *list, depth int) (value.Value, error) {
	w := view{list: l}
	if w.len() > x.left {
		return nil, stopped("the result is too large")
	}
	items := make([]value.Value, w.len())
	for i := range items {
		item, err := x.export(w.at(i), depth+1)
		if err != nil {
			return nil, err
		}
		if item == nil {
			item = value.Null{}
		}
		items[i] = item
	}
	return value.NewArray(items), nil
}

func (x *exporter) object(o *object, depth int) (value.Value, error) {
	members := make([]value.Member, 0, len(o.members))
	for i := range o.members {
		v, err := x.export(o.members[i].value, depth+1)
		if err != nil {
			return nil, err
		}
		if v != nil {
			members = append(members, value.Member{Key: o.members[i].key, Value: v})
		}
	}
	return value.NewObject(members), nil
}

// truth returns $boolean(v); v must not be nothing.
func truth(v any, depth int) (bool, error) {
	switch v := v.(type) {
	case value.Bool:
		return bool(v), nil
	case value.String:
		return v != "", nil
	case *value.Object:
		return v.Len() > 0, nil
	case *object:
		return len(v.members) > 0, nil
	case float64, value.Number:
		f, ok, err := numeric(v)
		return ok && f != 0, err
	}
	items, ok := viewOf(v)
	if !ok {
		return false, nil
	}
	if depth > maxNesting {
		return false, tooDeep()
	}
	for i, n := 0, items.len(); i < n; i++ {
		if yes, err := truth(items.at(i), depth+1); yes || err != nil {
			return yes, err
		}
	}
	return false, nil
}

// equal is JSONata's deep equality.
func (g *budget) equal(a, b any, depth int) (bool, error) {
	if err := g.step(1); err != nil {
		return false, err
	}
	if depth > maxNesting {
		return false, tooDeep()
	}
	switch a := a.(type) {
	case value.String:
		b, ok := b.(value.String)
		return ok && a == b, nil
	case float64, value.Number:
		x, _ := value.Double(a)
		y, ok := value.Double(b)
		return ok && x == y, nil
	case value.Bool, value.Null:
		return a == b, nil
	case *function:
		return any(a) == b, nil
	case nil:
		return b == nil, nil
	}
	if first, ok := viewOf(a); ok {
		second, ok := viewOf(b)
		return g.equalItems(first, second, ok, depth)
	}
	first, ok := fieldsOf(a)
	second, okToo := fieldsOf(b)
	if !ok || !okToo || first.len() != second.len() {
		return false, nil
	}
	for i, n := 0, first.len(); i < n; i++ {
		key, v := first.at(i)
		other := second.get(key)
		if other == nil {
			return false, nil
		}
		if same, err := g.equal(v, other, depth+1); !same {
			return false, err
		}
	}
	return true, nil
}

func (g *budget) equalItems(a, b view, ok bool, depth int) (bool, error) {
	if !ok || a.len() != b.len() {
		return false, nil
	}
	for i, n := 0, a.len(); i < n; i++ {
		if same, err := g.equal(a.at(i), b.at(i), depth+1); !same {
			return false, err
		}
	}
	return true, nil
}

// scriptText is the text that JavaScript makes of a value where it wants one.
func scriptText(v any, depth int) string {
	switch v := v.(type) {
	case nil:
		return "undefined"
	case value.String:
		return string(v)
	case value.Bool:
		return strconv.FormatBool(bool(v))
	case value.Null:
		return "null"
	}
	if f, ok := value.Double(v); ok {
		return numberText(f)
	}
	items, ok := viewOf(v)
	if !ok || depth > maxNesting {
		return "[object Object]"
	}
	parts := make([]string, items.len())
	for i := range parts {
		item := items.at(i)
		if _, null := item.(value.Null); !null && item != nil {
			parts[i] = scriptText(item, depth+1)
		}
	}
	return strings.Join(parts, ",")
}
