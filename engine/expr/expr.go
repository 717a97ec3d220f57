// Package expr holds the debugger's own expressions: conditions of breakpoints, watches and queries.
//
// The language is gval's full language (github.com/PaesslerAG/gval) with JSONPath
// (github.com/PaesslerAG/jsonpath) for operands: $.amount > 100 && $.status == "open".
// These are the debugger's words, not part of the Amazon States Language, and may say more than it can.
//
// # Paths
//
// Any path that a definition may have works here unchanged: $.error-info, $['key'], $$.State.Name,
// $count.n, $.list[?(@.b == 1)]. Every path is read by engine/path, so it means here what it means in
// the definition. Then:
//
//   - Names, one "..", wildcards, and indexes where there is neither of these are respelled for
//     PaesslerAG/jsonpath and evaluated by it, over values that keep the order of members.
//   - Slices, unions, filters, indexes beside a wildcard or "..", several "..", and wildcards that stand between
//     others are evaluated by engine/path, and the result is handed in. PaesslerAG/jsonpath cannot express
//     these as Jayway means them: it compares otherwise, gives null for an index out of range or of a value that isn't
//     an array, and takes part of a slice for an error.
//
// A definite path that misses is null, so that $.a.b == "x" is then false and no error.
// In a dotted name a hyphen between letters or digits belongs to the name: write $.a - 1 with blanks to
// subtract. Names with other characters are in brackets: $['a:b'].
//
// # Values
//
// Numbers compare by value and exactly. Values of different kinds are never equal, and neither is
// before the other. null takes part in arithmetic as null. As a condition null, false, 0, "", [] and {} are
// false, all else is true; so $.list[?(@.n > 5)] is true when there is such an item.
//
// There are && || ! == != < <= > >= =~ !~ in + - * / % ** & | ^ ~ << >> ?? and ?:, lists [1, 2], objects
// {"a": 1}, strings in either kind of quotes, true, false, null, and the functions date, len, lower,
// upper, contains, startsWith, endsWith. Bare names come from [Env].Fields.
package expr

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/PaesslerAG/gval"

	"asldb/engine/interrupt"
	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// MaxBytes is the greatest length of an expression.
const MaxBytes = 10_000

// maxNesting bounds parentheses, brackets, braces and prefix operators inside each other.
const maxNesting = 200

// SyntaxError says where a text stops being an expression.
type SyntaxError struct {
	Text   string
	Offset int // in bytes, from 0
	Msg    string
	// Unclosed reports that a quote is not closed; Offset is where it opens.
	Unclosed bool
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s (at character %d)", e.Msg, utf8.RuneCountInString(e.Text[:e.Offset])+1)
}

// EvalError says where an expression cannot be evaluated: an operator or a function that cannot take its operands, a
// name that there is not.
type EvalError struct {
	Text   string
	Offset int // in bytes, from 0; -1 where it is unknown
	Msg    string
}

// Error implements error.
func (e *EvalError) Error() string { return e.Text + ": " + e.Msg }

// Expression is a compiled expression. It is immutable and safe for concurrent use.
type Expression struct {
	text string
	// bare is the text without its paths and strings, with blanks in their places.
	bare string
	eval gval.Evaluable
	path *path.Path // where the whole expression is one path
	// names are the bare names, paths all paths, in the order of the text.
	names []string
	paths []*path.Path
}

// Env holds the values that an expression can refer to.
type Env struct {
	Data      value.Value                   // $
	Context   value.Value                   // $$
	Variables func(name string) value.Value // $name; nil result: not assigned; the func may be nil
	Fields    map[string]value.Value        // bare names such as type, state, error; nil value: null
	// Poll can interrupt the evaluation; nil never does. The error then is one of [interrupt.Is].
	Poll *interrupt.Poll

	partial bool // what is not there is not known: see [Expression.Known]
	// look gives the values of paths in partial evaluations; nil: of none.
	look func(*path.Path) (v value.Value, known bool)
}

// Compile compiles an expression. The error is a *[SyntaxError].
func Compile(text string) (x *Expression, err error) {
	defer func() {
		if r := recover(); r != nil { // the libraries panic on some malformed texts
			x, err = nil, &SyntaxError{Text: text, Msg: fmt.Sprintf("not an expression: %v", r)}
		}
	}()
	s, err := scan(text)
	if err != nil {
		return nil, err
	}
	var names []string
	recording := gval.NewLanguage(language, gval.VariableSelector(func(keys gval.Evaluables) gval.Evaluable {
		if name, err := keys[0](context.Background(), nil); err == nil && !slices.Contains(names, plain(name)) {
			names = append(names, plain(name))
		}
		return field(keys)
	}))
	eval, err := recording.NewEvaluableWithContext(context.WithValue(context.Background(), constantsKey{}, s.operands), s.rewritten())
	if err != nil {
		return nil, s.explain(err)
	}
	x = &Expression{text: text, bare: s.rewritten(), eval: eval, names: names}
	for _, o := range s.operands {
		if o.path != nil {
			x.paths = append(x.paths, o.path)
		}
	}
	if len(s.operands) == 1 && s.operands[0].text == strings.TrimSpace(text) {
		x.path = s.operands[0].path
	}
	return x, nil
}

// String returns the expression as it was written.
func (x *Expression) String() string { return x.text }

// Names returns the bare names that the expression asks for, each once, in the order of the text. [Env].Fields must
// have them all.
func (x *Expression) Names() []string { return slices.Clone(x.names) }

// Paths returns the paths of the expression, in the order of the text.
func (x *Expression) Paths() []*path.Path { return slices.Clone(x.paths) }

// Eval returns the value of the expression. It fails where an operator or a function cannot take its
// operands, for a bare name that [Env].Fields does not have, and when a path exceeds its limit.
func (x *Expression) Eval(e *Env) (value.Value, error) {
	result, err := x.run(e)
	if err != nil {
		return nil, err
	}
	return toValue(result), nil
}

// DataOnly reports whether the expression is one path into the data ($), so that it gives the same for the same
// data whatever else has changed. It may be false for other expressions that have this property, too.
func (x *Expression) DataOnly() bool { return x.path != nil && x.path.Root() == path.DataRoot }

// Look is Eval for showing to people: where the whole expression is one path that selects nothing, the error is
// a *[path.MissError], which says how far the path got, in place of the value null.
func (x *Expression) Look(e *Env) (value.Value, error) {
	if x.path != nil {
		return x.path.Get(e.roots())
	}
	return x.Eval(e)
}

// Truth returns the expression as a condition. The package's documentation defines truth.
func (x *Expression) Truth(e *Env) (bool, error) {
	result, err := x.run(e)
	if err != nil {
		return false, err
	}
	return truth(result), nil
}

// Known returns the expression as a condition where the fields alone decide it: without the data, and without the names
// that fields lacks. decided is false where the truth depends on these, or the evaluation may fail because of them.
func (x *Expression) Known(fields map[string]value.Value) (holds, decided bool) {
	result, err := x.run(&Env{Fields: fields, partial: true})
	if err != nil || isUnknown(result) {
		return false, false
	}
	return truth(result), true
}

// KnownData is [Expression.Known] with the values of some paths: look returns the value of one of [Expression.Paths],
// nil for nothing there, and known false where the data are not known.
func (x *Expression) KnownData(look func(*path.Path) (v value.Value, known bool)) (holds, decided bool) {
	result, err := x.run(&Env{partial: true, look: look})
	if err != nil || isUnknown(result) {
		return false, false
	}
	return truth(result), true
}

func (x *Expression) run(e *Env) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			result, err = nil, fmt.Errorf("%s: %v", x.text, r)
		}
	}()
	result, err = x.eval(context.Background(), &scope{env: e})
	if interrupted := e.Poll.Err(); interrupted != nil {
		return nil, interrupted
	}
	if err != nil {
		return nil, x.evalError(err)
	}
	return result, nil
}

// operandError is the error of an operator, of a function or of a name.
type operandError struct{ word, msg string }

func (e *operandError) Error() string { return e.msg }

// evalError returns an error of the evaluation with its place: the place of the operator, function or name, where the
// text has it once.
func (x *Expression) evalError(err error) error {
	var operand *operandError
	if !errors.As(err, &operand) {
		return fmt.Errorf("%s: %w", x.text, err)
	}
	out := &EvalError{Text: x.text, Offset: -1, Msg: operand.msg}
	at := strings.Index(x.bare, operand.word)
	if at < 0 || at != strings.LastIndex(x.bare, operand.word) {
		return out
	}
	characters := utf8.RuneCountInString(x.bare[:at])
	for offset := range x.text { // from characters to bytes
		if characters == 0 {
			out.Offset = offset
			break
		}
		characters--
	}
	return out
}

// errorPlace finds the place that gval puts before the message of an error.
var errorPlace = wording.Pattern(`(?::1:(\d+))? - 1:(\d+) $`)

// explain turns an error of gval into one that says where in the text as it was written.
func (s *scanner) explain(err error) error {
	out := &SyntaxError{Text: s.text, Msg: err.Error()}
	inner := errors.Unwrap(err)
	if inner == nil {
		return out
	}
	out.Msg = inner.Error()
	if place := errorPlace().FindStringSubmatch(strings.TrimSuffix(err.Error(), out.Msg)); place != nil {
		column, convErr := strconv.Atoi(place[1])
		if convErr != nil {
			column, _ = strconv.Atoi(place[2])
		}
		for offset := range s.text { // from characters to bytes
			if column--; column == 0 {
				out.Offset = offset
			}
		}
		if column > 0 {
			out.Offset = len(s.text)
		}
	}
	for i, o := range s.operands {
		out.Msg = strings.ReplaceAll(out.Msg, strconv.Quote(string(firstMark+rune(i))), o.text)
	}
	out.Msg = strings.NewReplacer(
		"unexpected EOF while scanning extensions", "the expression ends where an operand should stand",
		"while scanning extensions", "where an operand should stand",
		"while scanning operator", "where an operator should stand",
		"unexpected EOF while scanning arguments expected", "the expression ends before",
		"unexpected Ident", "unexpected name", "unexpected EOF", "the expression ends",
	).Replace(out.Msg)
	if meant := s.meant(out.Offset); meant != "" {
		out.Msg += "; did you mean " + meant + "?"
	}
	return out
}

// otherOperators are operators of other languages with this language's.
var otherOperators = []struct{ written, meant string }{{"= ", "=="}, {"and ", "&&"}, {"or ", "||"}, {"not ", "!"}, {"<> ", "!="}}

// meant returns the operator that is meant by one of another language at an offset, or "".
func (s *scanner) meant(offset int) string {
	for _, o := range otherOperators {
		if strings.HasPrefix(strings.ToLower(s.text[offset:]), o.written) {
			return o.meant
		}
	}
	return ""
}

// operand is a path or a string of the text. In the text for gval a private-use character replaces it.
type operand struct {
	text string
	eval gval.Evaluable // of a path
	path *path.Path     // of a path
	str  string         // where eval is nil
}

// roots returns e as engine/path wants it.
func (e *Env) roots() *path.Roots {
	return &path.Roots{Data: e.Data, Context: e.Context, Variables: e.Variables, Poll: e.Poll}
}
