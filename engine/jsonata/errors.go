package jsonata

import (
	_ "embed"
	"errors"
	"strconv"
	"strings"
	"sync"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// Error says why an expression cannot be compiled or evaluated.
type Error struct {
	// Code is the reference implementation's code: S for syntax, T for a type, D for a value, U for a limit.
	Code string
	// Position is where the fault is, in bytes from 0: just behind the token concerned, as the
	// reference implementation counts. It is -1 when unknown.
	Position int
	// Token is the operator or function concerned, "" when there is none.
	Token string
	// Value is the offending value, nil when there is none.
	Value value.Value
	// Message is the text without the code.
	Message string
	// Uncoded says that the implementation of the [Profile] writes the message without the code.
	Uncoded bool
	// Own says that a bound of asldb's own ended the evaluation, and none of the implementation.
	Own bool
	// Internal is the number of an error inside of the service; empty elsewhere.
	Internal string

	limit limit

	second   value.Value
	index    int
	expected string // the replacement for {{type}}, {{exp}} or {{functionName}}
	template string
	badToken bool // the token is not known yet
	literal  bool // the token is a number, true, false or null: messages show it without quotes
}

// Error implements error: "T1006: Attempted to invoke a non-function".
func (e *Error) Error() string {
	if e.Uncoded || e.Code == "" {
		return e.Message
	}
	return e.Code + ": " + e.Message
}

// Sentence is the end of the sentence in which Step Functions reports the error: "threw an error during evaluation. T1006: ...".
func (e *Error) Sentence() string {
	switch {
	case e.Internal != "":
		return "threw an internal error during evaluation. " + e.Internal
	case e.Uncoded:
		return "threw an error during evaluation: " + e.Message
	}
	return "threw an error during evaluation. " + e.Error()
}

// CodeUnsupportedRegex is the code of a regular expression that is none. JavaScript's own errors have no code.
const CodeUnsupportedRegex = "S0303"

// CodeLimit is the code of an evaluation that exceeds its [Limits], which are asldb's own: the reference suite's code for
// one that runs away.
const CodeLimit = "U1001"

// fail returns the error with code. Position and token are filled in on its way up.
func fail(code string) *Error {
	return &Error{Code: code, Position: -1, badToken: true, template: messages()[code]}
}

func (e *Error) at(position int) *Error { e.Position = position; return e }

func (e *Error) token(token string) *Error { e.Token, e.badToken = token, false; return e }

func (e *Error) asLiteral() *Error { e.literal = true; return e }

func (e *Error) value(v any) *Error { e.Value = shownValue(v); return e }

func (e *Error) values(v, second any) *Error {
	e.Value, e.second = shownValue(v), shownValue(second)
	return e
}

func (e *Error) own() *Error { e.Own = true; return e }

func (e *Error) limited(kind limit) *Error { e.limit = kind; return e }

func (e *Error) argument(index int) *Error { e.index = index; return e }

func (e *Error) text(template string) *Error { e.template = template; return e }

func (e *Error) kind(expected string) *Error { e.expected = expected; return e }

// shownValue turns an offending value into one that can be shown. Values too large or without a JSON form are left out.
func shownValue(v any) value.Value {
	x := exporter{left: 10_000, lenient: true}
	if _, ok := v.(*function); ok {
		return nil
	}
	out, err := x.export(v, 0)
	if err != nil {
		return nil
	}
	return out
}

// blame fills in position and token where the error has none yet.
func blame(err error, position int, token string) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Position < 0 {
		e.Position = position
	}
	if e.badToken && token != "" {
		e.token(token)
	}
	return err
}

// blameOperator says which operator failed; it holds whatever was known before.
func blameOperator(err error, position int, token string) error {
	var e *Error
	if errors.As(err, &e) {
		e.at(position).token(token)
	}
	return err
}

// finish writes the message. It is called once, when the error leaves the package.
func finish(err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Message != "" {
		return err
	}
	e.Message = e.fill()
	return err
}

// fill puts the error's particulars in the places that the template has for them.
func (e *Error) fill() string {
	if !strings.Contains(e.template, "{{") {
		return e.template
	}
	quoted := func(v value.Value) string {
		if v == nil {
			return "undefined"
		}
		return value.Preview(v, 500)
	}
	token := quoted(value.String(e.Token))
	switch {
	case e.badToken:
		token = "undefined"
	case e.literal:
		token = e.Token
	}
	expected := "undefined"
	if e.expected != "" {
		expected = quoted(value.String(e.expected))
	}
	return strings.NewReplacer(
		"{{{token}}}", e.Token,
		"{{{type}}}", e.expected,
		"{{token}}", token,
		"{{value}}", quoted(e.Value),
		"{{value2}}", quoted(e.second),
		"{{index}}", strconv.Itoa(e.index),
		"{{type}}", expected,
		"{{exp}}", quoted(e.second),
	).Replace(e.template)
}

// messageLines has the wording of the reference implementation, a code and its message in a line. A name in two braces
// is the place of a JSON text, one in three braces of a plain text.
//
//go:embed messages.txt
var messageLines string

// messages are the wordings by their codes.
var messages = sync.OnceValue(func() map[string]string { return wording.Table(messageLines, " ") })
