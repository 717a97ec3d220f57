package expr

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/PaesslerAG/jsonpath"

	"asldb/engine/interrupt"
	"asldb/engine/value"
)

// In gval a value is: nil for null, bool, string, [value.Number], array, object; and results of operators
// are float64, []any, time.Time.

// array and object give our values to PaesslerAG/jsonpath through its interfaces, so that members keep
// their order and nothing is copied.
//
// They count accesses, so that the evaluation of a path can be interrupted: an interrupted walk comes to
// nothing, and [Expression.run] says why. The poll is nil in results of operators.
type (
	array struct {
		value *value.Array
		poll  *interrupt.Poll
	}
	object struct {
		value *value.Object
		poll  *interrupt.Poll
	}
)

var (
	_ jsonpath.Array  = array{}
	_ jsonpath.Object = object{}
	_ jsonpath.Object = (*scope)(nil)
)

var errMissing = errors.New("nothing is there")

// SelectGVal implements gval.Selector. PaesslerAG/jsonpath has checked the range.
func (a array) SelectGVal(_ context.Context, key string) (any, error) {
	i, err := strconv.Atoi(key)
	if err != nil || i < 0 || i >= a.value.Len() || a.poll.Step(1) != nil {
		return nil, errMissing
	}
	return fromValue(a.value.At(i), a.poll), nil
}

// Len implements jsonpath.Array.
func (a array) Len() int { return a.value.Len() }

// ForEach implements jsonpath.Array.
func (a array) ForEach(visit func(key string, v any)) {
	for i, item := range a.value.All() {
		if a.poll.Step(1) != nil {
			return
		}
		visit(strconv.Itoa(i), fromValue(item, a.poll))
	}
}

// SelectGVal implements gval.Selector. A name has the mark before it, an index has not.
func (o object) SelectGVal(_ context.Context, key string) (any, error) {
	name, ok := strings.CutPrefix(key, nameMark)
	if !ok {
		return nil, errMissing
	}
	v := o.value.Get(name)
	if v == nil || o.poll.Step(1) != nil {
		return nil, errMissing
	}
	return fromValue(v, o.poll), nil
}

// ForEach implements jsonpath.Object.
func (o object) ForEach(visit func(key string, v any)) {
	for key, v := range o.value.All() {
		if o.poll.Step(1) != nil {
			return
		}
		visit(key, fromValue(v, o.poll))
	}
}

// scope is the value that gval and PaesslerAG/jsonpath evaluate over: its members are the roots.
type scope struct{ env *Env }

// SelectGVal implements gval.Selector: "$", "$$" and "$name".
func (s *scope) SelectGVal(_ context.Context, key string) (any, error) {
	var v value.Value
	switch name, ok := strings.CutPrefix(key, "$"); {
	case !ok:
	case name == "":
		v = s.env.Data
	case name == "$":
		v = s.env.Context
	case s.env.Variables != nil:
		v = s.env.Variables(name)
	}
	if v == nil {
		return nil, errMissing
	}
	return fromValue(v, s.env.Poll), nil
}

// ForEach implements jsonpath.Object. No respelled path has a wildcard there.
func (*scope) ForEach(func(string, any)) {}

// unknown is a value that is not known in [Expression.Known]. Operators that cannot fail pass it on; all else panics with
// it, which ends the evaluation.
type unknown struct{}

func isUnknown(v any) bool { return v == unknown{} }

func fromValue(v value.Value, poll *interrupt.Poll) any {
	switch v := v.(type) {
	case value.Bool:
		return bool(v)
	case value.String:
		return string(v)
	case value.Number:
		return v
	case *value.Array:
		return array{v, poll}
	case *value.Object:
		return object{v, poll}
	}
	return nil
}

func toValue(v any) value.Value {
	switch v := v.(type) {
	case bool:
		return value.Bool(v)
	case string:
		return value.String(v)
	case float64:
		return value.Float(v)
	case value.Number:
		return v
	case array:
		return v.value
	case object:
		return v.value
	case time.Time:
		return value.String(v.Format(time.RFC3339Nano))
	case []any:
		items := value.Each(v, func(each any) value.Value { return toValue(each) })
		return value.NewArray(items)
	case unknown:
		panic(v)
	}
	return value.Null{}
}

// truth returns v as a condition.
func truth(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case string:
		return v != ""
	case float64:
		return v != 0
	case value.Number:
		return v.Float64() != 0
	case array:
		return v.value.Len() > 0
	case object:
		return v.value.Len() > 0
	case []any:
		return len(v) > 0
	case unknown:
		panic(v)
	}
	return v != nil
}

// kind names v's kind for messages.
func kind(v any) string {
	if _, ok := v.(time.Time); ok {
		return "date"
	}
	return value.KindOf(toValue(v))
}
