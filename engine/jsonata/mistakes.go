package jsonata

import (
	"slices"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// Mistake is a part of an expression that other languages have, and JSONata or Step Functions has not.
type Mistake struct {
	// Start and End are the place of the part, in bytes of the expression's text.
	Start, End int
	// Message says what is wrong; Instead what to write, and is empty where nothing is near.
	Message, Instead string
	// Function is the name of a function that there is not, and Meant the name of the function that was probably meant,
	// where that is the mistake; Certain: no other function is as near.
	Function, Meant string
	Certain         bool
}

// String returns the message with what to write instead.
func (m Mistake) String() string {
	if m.Instead == "" {
		return m.Message
	}
	return m.Message + "; " + m.Instead
}

// foreign are the operators of other languages, the longest first.
var foreign = []struct{ operator, instead string }{
	{"!==", "write != for different"},
	{"===", "write = to compare"},
	{"==", "write = to compare"},
	{"&&", "write and"},
	{"||", "write or"},
	{"??", "write $exists(a) ? a : b"},
	{"?:", "write a ? a : b"},
	{"=>", "write function($x){ ... }"},
	{"->", "write function($x){ ... }"},
	{"++", "write + 1"},
	{"--", "write - 1"},
	{"!", "write $not(...)"},
	{"//", "write /* ... */ for a comment"},
	{"#", "write /* ... */ for a comment"},
}

const operatorCharacters = "=!&|?:><-+/#"

// Place returns the stretch of the text that the error is about: its token where there is one, else the place alone. ok is
// false where the place is unknown.
func (e *Error) Place(text string) (start, end int, ok bool) {
	if e.Position < 0 {
		return 0, 0, false
	}
	end = min(e.Position, len(text))
	before := text[:end]
	if e.Token != "" && e.Token != "(" && !strings.HasSuffix(before, e.Token) {
		before = strings.TrimRight(before, "( \t\n") // the error of a call is behind its bracket
	}
	start = len(before) - len(e.Token)
	switch {
	case e.Token == "":
		return end, end, true
	case !strings.HasSuffix(before, e.Token):
		return end, end, true
	}
	return len(strings.TrimSuffix(before[:start], "$")), len(before), true
}

// Mistake returns the mistake behind an error; ok is false where it is none that is known. functions are the names of the
// functions that the expression could have meant.
func (e *Error) Mistake(text string, functions []Function) (m Mistake, ok bool) {
	start, end, placed := e.Place(text)
	switch {
	case !placed:
	case strings.HasPrefix(e.Code, "S"):
		return foreignAt(text, start, end)
	case e.Code == "T1006" && strings.HasPrefix(text[start:], "$") && end > start+1:
		m = unknownCall(text[start+1:end], functions)
		m.Start, m.End = start, end
		return m, true
	case e.Code == "T2001" || e.Code == "T2002":
		if e.Token == "+" && symbolOf(e.Value) == 's' {
			return Mistake{Start: start, End: end, Message: "+ adds numbers", Instead: "write & to join texts"}, true
		}
	}
	return Mistake{}, false
}

// foreignAt finds an operator of another language at the place of a syntax error.
func foreignAt(text string, start, end int) (m Mistake, ok bool) {
	from, to := start, end
	for from > 0 && strings.IndexByte(operatorCharacters, text[from-1]) >= 0 {
		from--
	}
	for to < len(text) && strings.IndexByte(operatorCharacters, text[to]) >= 0 {
		to++
	}
	for _, f := range foreign {
		if i := strings.Index(text[from:to], f.operator); i >= 0 && from+i < end && from+i+len(f.operator) > start {
			at := from + i
			message := "JSONata has no operator " + f.operator
			if strings.HasSuffix(f.instead, "comment") {
				message = "JSONata has no comment " + f.operator
			}
			return Mistake{Start: at, End: at + len(f.operator), Message: message, Instead: f.instead}, true
		}
	}
	return Mistake{}, false
}

// unknownCall is the call of a function that there is not.
func unknownCall(name string, functions []Function) Mistake {
	if name == "eval" {
		return Mistake{Message: "Step Functions has no $eval", Instead: "$parse reads JSON text"}
	}
	m := Mistake{Message: "there is no function $" + name}
	names := slices.Values(value.Each(functions, func(each Function) string { return each.Name }))
	if near := wording.Nearest(name, names); near != "" {
		m.Instead = "did you mean $" + near + "?"
		m.Function, m.Meant, m.Certain = name, near, wording.Clear(name, near, names)
	}
	return m
}

// UnknownCalls returns the calls of functions that neither the language has nor the expression defines: a variable from
// outside holds JSON, which has no functions.
func (x *Expression) UnknownCalls() []Mistake {
	var list []Mistake
	var functions []Function
	for _, r := range x.References() {
		if !r.Called || r.Name == "" || r.Name == "$" {
			continue
		}
		if functions == nil {
			functions = x.options.FunctionTable()
		}
		m := unknownCall(r.Name, functions)
		m.Start, m.End = r.Start, r.End
		list = append(list, m)
	}
	return list
}

// Contextless returns the references of the expression that an evaluation without a context does not support: fields that
// are named at the top level, $ there, and $$ anywhere. Each name is returned once, at its first place.
func (x *Expression) Contextless() []Reference {
	var list []Reference
	for _, r := range x.References() {
		if !r.Field && r.Name != "$" && (r.Name != "" || r.wildcard(x.text)) {
			continue
		}
		if !slices.ContainsFunc(list, func(other Reference) bool { return other.unsupported() == r.unsupported() }) {
			list = append(list, r)
		}
	}
	return list
}

// wildcard reports whether a reference that has no name is * or **.
func (r *Reference) wildcard(text string) bool {
	return r.Start < len(text) && text[r.Start] == '*'
}

// unsupported is the name that Step Functions gives the reference.
func (r *Reference) unsupported() string {
	switch {
	case r.Field:
		return r.Fields[0]
	case r.Name == "$":
		return "$$"
	}
	return "$"
}

// Unsupported is the sentence of Step Functions about a reference that [Expression.Contextless] returned.
func (r *Reference) Unsupported() string {
	if r.Name == "$" {
		return "Reference to '$$' is not supported."
	}
	return "Reference to '" + r.unsupported() + "' at the top level is not supported."
}

// Mistake says what to write instead of a reference that [Expression.Contextless] returned.
func (r *Reference) Mistake() Mistake {
	m := Mistake{Start: r.Start, End: r.End}
	rest := ""
	if len(r.Fields) > 0 {
		rest = "." + strings.Join(r.Fields, ".")
	}
	switch {
	case r.Field:
		m.Message = "an expression has no context: " + r.Fields[0] + " has no value here"
		m.Instead = "write $states.input" + rest + ", or $" + r.Fields[0] + " for a variable"
		switch first := r.Fields[0]; {
		case first == "states": // the $ was left out
			m.Instead = "write $" + rest[1:]
		case strings.EqualFold(first, "state") || strings.EqualFold(first, "states"):
			m.Instead = "write $states" + rest[1+len(first):]
		case slices.Contains([]string{"input", "result", "errorOutput", "context"}, first):
			m.Instead = "write $states" + rest + ", or $states.input" + rest + " for a member of the input"
		}
	case r.Name == "$":
		m.Message, m.Instead = "an expression has no $$", "write $states.input for the input, $states.context for the context object"
	default:
		m.Message, m.Instead = "an expression has no context: $ has no value here", "write $states.input"+rest
	}
	return m
}
