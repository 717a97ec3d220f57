package template

import (
	"asldb/engine/value"
	"fmt"
)

// FieldError is one field of a template that cannot be compiled or evaluated.
type FieldError struct {
	// Pointer is the JSON Pointer (RFC 6901) of the field inside the template, "/a/b.$".
	Pointer string
	// Field is the name of the field as written, "b.$".
	Field string
	// Text is the path or the call; "" where the value is no string.
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
