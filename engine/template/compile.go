package template

import (
	"fmt"
	"strconv"
	"strings"

	"asldb/engine/path"
	"asldb/engine/value"
)

// Compile compiles the payload template v. Every field at any depth whose name ends with ".$" is parsed:
// a string that begins with "$" is a Path, every other one a call of an intrinsic function. Strings elsewhere,
// the items of arrays included, are literals. The error is an [Errors] with all problems.
func Compile(v value.Value) (*Template, error) {
	var c compiler
	root := c.compile(v, nil)
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return &Template{root: root}, nil
}

type compiler struct{ problems Errors }

// location is the place of a value: one segment and the location around it.
type location struct {
	parent *location
	key    string
}

// pointer returns the location as a JSON Pointer.
func (l *location) pointer() string {
	if l == nil {
		return ""
	}
	return l.parent.pointer() + "/" + value.EscapePointer(l.key)
}

func (c *compiler) compile(v value.Value, at *location) node {
	switch v := v.(type) {
	case *value.Object:
		return c.object(v, at)
	case *value.Array:
		return c.array(v, at)
	}
	return constant{v}
}

func (c *compiler) object(o *value.Object, at *location) node {
	result := &object{keys: make([]string, o.Len()), nodes: make([]node, o.Len())}
	evaluated := false
	for i := range o.Len() {
		member := o.At(i)
		here := &location{parent: at, key: member.Key}
		name, dynamic := strings.CutSuffix(member.Key, Suffix)
		result.keys[i] = name
		if !dynamic {
			result.nodes[i] = c.compile(member.Value, here)
		} else {
			if o.Index(name) >= 0 {
				c.fail(here, member, &CollisionError{Field: member.Key})
			}
			result.nodes[i] = c.field(member, here)
		}
		if _, ok := result.nodes[i].(constant); !ok {
			evaluated = true
		}
	}
	if !evaluated {
		return constant{o}
	}
	return result
}

func (c *compiler) array(a *value.Array, at *location) node {
	result := &array{nodes: make([]node, a.Len())}
	evaluated := false
	for i, item := range a.All() {
		switch item.(type) {
		case *value.Object, *value.Array:
			result.nodes[i] = c.compile(item, &location{parent: at, key: strconv.Itoa(i)})
		default:
			result.nodes[i] = constant{item}
		}
		if _, ok := result.nodes[i].(constant); !ok {
			evaluated = true
		}
	}
	if !evaluated {
		return constant{a}
	}
	return result
}

// field compiles the value of a member whose name ends with ".$".
func (c *compiler) field(member value.Member, at *location) node {
	f := &field{pointer: at.pointer(), name: member.Key}
	text, ok := member.Value.(value.String)
	if !ok {
		c.fail(at, member, &ValueError{member.Key,
			fmt.Errorf("expected a string, found %s", describeKind(member.Value))})
		return f
	}
	f.text = string(text)
	var err error
	switch {
	case strings.HasPrefix(f.text, "$"):
		f.path, err = path.Parse(f.text)
	case LooksLike(f.text):
		f.call, err = Parse(f.text)
	default:
		err = fmt.Errorf("%s is neither a path, which begins with $, nor a call, which begins with States",
			value.Preview(text, 60))
	}
	if err != nil {
		c.fail(at, member, &ValueError{member.Key, err})
	}
	return f
}

func (c *compiler) fail(at *location, member value.Member, err error) {
	text, _ := member.Value.(value.String)
	c.problems = append(c.problems, &FieldError{Pointer: at.pointer(), Field: member.Key, Text: string(text), Err: err})
}

// describeKind returns the kind of v, with the value where it is short: "the number 5", "null", "an object".
func describeKind(v value.Value) string {
	switch v.Kind() {
	case value.KindNull:
		return "null"
	case value.KindArray, value.KindObject:
		return "an " + v.Kind().String()
	case value.KindBool, value.KindNumber, value.KindString:
	}
	return "the " + v.Kind().String() + " " + value.Preview(v, 40)
}

// FieldError is one field of a template that cannot be compiled or evaluated.
type FieldError struct {
	// Pointer is the JSON Pointer (RFC 6901) of the field inside the template, "/a/b.$".
	Pointer string
	// Field is the name of the field as written, "b.$".
	Field string
	// Text is the path or the call; "" where the value isn't a string.
	Text string
	// Err is the cause. From Compile: a *[ValueError] or a *[CollisionError]. From Eval: a
	// *path.MissError or an *intrinsic.Error.
	Err error
}

// Error implements error.
func (e *FieldError) Error() string {
	switch e.Err.(type) {
	case *ValueError, *CollisionError: // they name the field
		return e.Err.Error()
	}
	return "field '" + e.Field + "': " + e.Err.Error()
}

// Unwrap returns Err.
func (e *FieldError) Unwrap() error { return e.Err }

// ValueError reports that the value of a field whose name ends with ".$" cannot be evaluated.
type ValueError struct {
	Field string
	// Err is a *path.SyntaxError or an *intrinsic.SyntaxError where the value is a string that begins like a
	// path or a call; else it describes the value found.
	Err error
}

// Error implements error, in the service's words, and adds the problem of this value.
func (e *ValueError) Error() string {
	return fmt.Sprintf("The value for the field '%s' must be a valid JSONPath or a valid intrinsic function call: %v", e.Field, e.Err)
}

// Unwrap returns Err.
func (e *ValueError) Unwrap() error { return e.Err }

// CollisionError says that an object has a field both with ".$" and without, which would give one
// name twice.
type CollisionError struct {
	Field string // the field with ".$"
}

// Error implements error.
func (e *CollisionError) Error() string {
	return fmt.Sprintf("the fields '%s' and '%s' give the same name twice", e.Field[:len(e.Field)-len(Suffix)], e.Field)
}

// Errors is every problem that [Compile] found, in the order of the text. It is never empty.
type Errors []*FieldError

// Error implements error: the first problem and how many more there are.
func (e Errors) Error() string {
	switch len(e) {
	case 0:
		return "no error"
	case 1:
		return e[0].Error()
	case 2:
		return e[0].Error() + " (and 1 more problem)"
	}
	return fmt.Sprintf("%v (and %d more problems)", e[0], len(e)-1)
}

// Unwrap returns the problems one by one.
func (e Errors) Unwrap() []error {
	return value.Each(e, func(problem *FieldError) error { return problem })
}
