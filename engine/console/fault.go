package console

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"asldb/engine/expr"
	"asldb/engine/interrupt"
	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/template"
)

// Error is the error of an expression. [FaultOf] finds its place.
type Error struct {
	// Text is the expression as it was typed.
	Text string
	Err  error
	// nothing evaluates JSONata once more, part by part; nil where the text is none.
	nothing func() *jsonata.Trace

	once  sync.Once
	found place
}

// Error implements error.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error of the expression's language.
func (e *Error) Unwrap() error { return e.Err }

// Fault is the place of an error in a text.
type Fault struct {
	// Line is the line of the text with the place, and Offset the place in it, in bytes from 0.
	Line   string
	Offset int
	// Message is the error without its place.
	Message string
	// Open reports that the text ends within the expression: more text may mend it.
	Open bool
}

// FaultOf returns the place of an error in a text that has the expression in it: the expression alone, or the spec of a breakpoint. ok is
// false where the error has no place, an interrupted evaluation for example.
func FaultOf(text string, err error) (f Fault, ok bool) {
	var e *Error
	if !errors.As(err, &e) || interrupt.Is(err) {
		return Fault{}, false
	}
	begin := strings.LastIndex(text, e.Text)
	if begin < 0 {
		return Fault{}, false
	}
	e.once.Do(func() { e.found = e.place() })
	p := e.found
	if p.offset < 0 {
		return Fault{}, false
	}
	at := min(begin+p.offset, len(text))
	from, to := strings.LastIndexByte(text[:at], '\n')+1, len(text)
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		to = at + n
	}
	return Fault{Line: text[from:to], Offset: at - from, Message: p.message, Open: p.open}, true
}

// place is the place of an error in the text of its expression, in bytes, -1 where it is unknown.
type place struct {
	offset  int
	message string
	open    bool
}

// place finds the place of the error.
func (e *Error) place() place {
	var own *expr.SyntaxError
	var evaluated *expr.EvalError
	var syntax *template.SyntaxError
	var call *template.Error
	var reference *path.SyntaxError
	var miss *path.MissError
	var context *ContextError
	var field *template.FieldError
	var fields template.Errors
	if errors.As(e.Err, &fields) {
		e = &Error{Text: e.Text, Err: fields[0]}
	}
	p := place{offset: -1, message: e.Err.Error()}
	switch {
	case errors.As(e.Err, &own):
		p = e.within(own.Text, own.Offset, own.Msg)
		p.open = p.open || own.Unclosed
	case errors.As(e.Err, &evaluated):
		p = e.within(evaluated.Text, evaluated.Offset, evaluated.Msg)
		p.open = false
	case errors.As(e.Err, &syntax):
		p = e.within(syntax.Text, syntax.Offset, syntax.Msg)
	case errors.As(e.Err, &call):
		p = e.within(call.Function, 0, call.Error())
	case errors.As(e.Err, &reference):
		p = e.within(reference.Text, reference.Offset, reference.Msg)
	case errors.As(e.Err, &context):
		p = e.within(context.Text, context.Mistake.Start, context.Error())
		p.open = false
	case errors.As(e.Err, &miss):
		p = e.within(miss.Path.String(), miss.Offset(), miss.Error())
		if p.offset >= 0 && strings.HasPrefix(e.Text[p.offset:], ".") {
			p.offset++
		}
		p.open = false
	case errors.As(e.Err, &field):
		p = e.within(field.Field, 0, field.Err.Error())
		var wrong *template.ValueError
		if errors.As(field.Err, &wrong) {
			p.message = wrong.Err.Error()
		}
	default:
		p = e.query(p)
	}
	return p
}

// within is the place at an offset of a part of the text.
func (e *Error) within(part string, offset int, message string) place {
	begin := strings.Index(e.Text, part)
	if begin < 0 || offset < 0 {
		return place{offset: -1, message: message}
	}
	return place{
		offset: begin + min(offset, len(part)), message: message,
		open: begin+offset >= len(strings.TrimRight(e.Text, " \t")),
	}
}

// query finds the place of an error of JSONata.
func (e *Error) query(p place) place {
	var fault *template.QueryFault
	var failed *template.QueryError
	text := ""
	switch {
	case errors.As(e.Err, &fault):
		text = fault.Text
	case errors.As(e.Err, &failed):
		text = failed.Text
		if failed.Err == nil {
			return e.empty(failed)
		}
	default:
		return p
	}
	var wrong *jsonata.Error
	if !errors.As(e.Err, &wrong) || wrong.Position < 0 {
		return p
	}
	at, _, _ := wrong.Place(text)
	message := wrong.Message
	mistake, known := wrong.Mistake(text, functions)
	if known {
		at, message = mistake.Start, mistake.String()
	}
	p = e.within(text, at, message)
	p.open = fault != nil && !known && (slices.Contains(tooShort, wrong.Code) || at >= len(text))
	return p
}

// tooShort are the codes of texts that end too early: a bracket, a string, a comment or a name in backquotes that is not closed, an operand that is missing.
var tooShort = []string{"S0101", "S0105", "S0106", "S0203", "S0207", "S0302"}

// empty finds the first part of a JSONata expression that has no value, where the whole has none.
func (e *Error) empty(failed *template.QueryError) place {
	p := e.within(failed.Text, 0, strings.TrimSuffix(failed.Reason, "."))
	p.open = false
	if !strings.HasPrefix(failed.Reason, "returned nothing") {
		return p
	}
	p.message = "no value here"
	if compiled, err := jsonata.Compile(failed.Text, jsonata.StepFunctions()); err == nil {
		for _, reference := range compiled.Contextless() {
			mistake := reference.Mistake()
			return place{offset: p.offset + mistake.Start, message: mistake.String()}
		}
	}
	if e.nothing == nil {
		return p
	}
	t := e.nothing()
	for t.Nothing() {
		at := slices.IndexFunc(t.Children, (*jsonata.Trace).Nothing)
		if at < 0 {
			break
		}
		t = t.Children[at]
	}
	p.offset += t.Start
	return p
}
