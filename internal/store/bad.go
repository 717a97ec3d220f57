package store

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"

	"asldb/engine/source"
	"asldb/engine/value"
)

// BadFileError says that the file was of no use and was moved aside.
type BadFileError struct {
	Path, Aside string
	// Line and Col are the place of the problem in the file, from 1; 0 where it is the file as a whole.
	Line, Col int
	Err       error
}

// Error implements error: the place, the problem, and what became of the file.
func (e *BadFileError) Error() string {
	text := "the saved breakpoints and watches cannot be read: " + e.Path
	if e.Line > 0 {
		text += fmt.Sprintf(":%d:%d", e.Line, e.Col)
	}
	text += ": " + e.Err.Error() + "; the session begins without them"
	if e.Aside != "" {
		text += ", and the file is kept as " + e.Aside + ": correct it and rename it back, or remove it"
	}
	return text
}

// Unwrap returns the problem of the file.
func (e *BadFileError) Unwrap() error { return e.Err }

// badText returns the error of a text that the decoder does not read, with its place.
func badText(path string, data []byte, err error) *BadFileError {
	if len(data) == 0 {
		return &BadFileError{Path: path, Err: errors.New("it is empty")}
	}
	root, problem := source.ReadJSON(data)
	if problem != nil {
		text := problem.Message
		if problem.Suggestion != "" {
			text += " (" + problem.Suggestion + ")"
		}
		return &BadFileError{Path: path, Line: problem.Span.Start.Line, Col: problem.Span.Start.Col, Err: errors.New(text)}
	}
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return &BadFileError{Path: path, Err: err}
	}
	bad := &BadFileError{Path: path, Err: errors.New("it is not what asldb wrote")}
	for n, pointer := range root.Pointers() {
		if pointer != string(semantic.JSONPointer) {
			continue
		}
		bad.Line, bad.Col = n.Span.Start.Line, n.Span.Start.Col
		if wanted, known := kindOf(semantic.GoType); known && n.Kind != wanted {
			name := cmp.Or(pointer, "the text")
			bad.Err = fmt.Errorf("%s must be %s, but is %s", name, source.Article(wanted), source.Article(n.Kind))
		} else if semantic.Err != nil {
			bad.Err = fmt.Errorf("%s: %w", pointer, semantic.Err)
		}
	}
	return bad
}

// kindOf returns the kind of the values of a type.
func kindOf(t reflect.Type) (kind value.Kind, known bool) {
	if t == nil {
		return kind, false
	}
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Slice, reflect.Array:
		return value.KindArray, true
	case reflect.Struct, reflect.Map:
		return value.KindObject, true
	case reflect.String:
		return value.KindString, true
	case reflect.Bool:
		return value.KindBool, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return value.KindNumber, true
	default:
		return kind, false
	}
}
