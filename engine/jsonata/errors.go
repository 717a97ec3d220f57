package jsonata

import (
	"errors"
	"strconv"
	"strings"

	"asldb/engine/value"
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
	return &Error{Code: code, Position: -1, badToken: true, template: messages[code]}
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

// messages gives the wording of the reference implementation. A name in two braces stands for a JSON
// text, one in three braces for a plain text.
var messages = map[string]string{
	"S0101": "String literal must be terminated by a matching quote",
	"S0102": "Number out of range: {{token}}",
	"S0103": "Unsupported escape sequence: \\{{token}}",
	"S0104": "The escape sequence \\u must be followed by 4 hex digits",
	"S0105": "Quoted property name must be terminated with a backquote (`)",
	"S0106": "Comment has no closing tag",
	"S0201": "Syntax error: {{token}}",
	"S0202": "Expected {{value}}, got {{token}}",
	"S0203": "Expected {{value}} before end of expression",
	"S0204": "Unknown operator: {{token}}",
	"S0205": "Unexpected token: {{token}}",
	"S0206": "Unknown expression type: {{token}}",
	"S0207": "Unexpected end of expression",
	"S0208": "Parameter {{value}} of function definition must be a variable name (start with $)",
	"S0209": "A predicate cannot follow a grouping expression in a step",
	"S0210": "Each step can only have one grouping expression",
	"S0211": "The symbol {{token}} cannot be used as a unary operator",
	"S0212": "The left side of := must be a variable name (start with $)",
	"S0213": "The literal value {{value}} cannot be used as a step within a path expression",
	"S0214": "The right side of {{token}} must be a variable name (start with $)",
	"S0215": "A context variable binding must precede any predicates on a step",
	"S0216": "A context variable binding must precede the 'order-by' clause on a step",
	"S0217": "The object representing the 'parent' cannot be derived from this expression",
	"S0301": "Empty regular expressions are not allowed",
	"S0302": "No terminating / in regular expression",
	"S0303": "The regular expression cannot be used: {{value}}",
	"S0401": "Type parameters can only be applied to functions and arrays",
	"S0402": "Choice groups containing parameterized types are not supported",
	"T0410": "Argument {{index}} of function {{token}} does not match function signature",
	"T0411": "Context value is not a compatible type with argument {{index}} of function {{token}}",
	"T0412": "Argument {{index}} of function {{token}} must be an array of {{type}}",
	"D1001": "Number out of range: {{value}}",
	"D1002": "Cannot negate a non-numeric value: {{value}}",
	"T1003": "Key in object structure must evaluate to a string; got: {{value}}",
	"D1004": "Regular expression matches zero length string",
	"T1005": "Attempted to invoke a non-function. Did you mean ${{{token}}}?",
	"T1006": "Attempted to invoke a non-function",
	"T1007": "Attempted to partially apply a non-function. Did you mean ${{{token}}}?",
	"T1008": "Attempted to partially apply a non-function",
	"D1009": "Multiple key definitions evaluate to same key: {{value}}",
	"T1010": "The matcher function argument passed to function {{token}} does not return the correct object structure",
	"T2001": "The left side of the {{token}} operator must evaluate to a number",
	"T2002": "The right side of the {{token}} operator must evaluate to a number",
	"T2003": "The left side of the range operator (..) must evaluate to an integer",
	"T2004": "The right side of the range operator (..) must evaluate to an integer",
	"T2006": "The right side of the function application operator ~> must be a function",
	"T2007": "Type mismatch when comparing values {{value}} and {{value2}} in order-by clause",
	"T2008": "The expressions within an order-by clause must evaluate to numeric or string values",
	"T2009": "The values {{value}} and {{value2}} either side of operator {{token}} must be of the same data type",
	"T2010": "The expressions either side of operator {{token}} must evaluate to numeric or string values",
	"T2011": "The insert/update clause of the transform expression must evaluate to an object: {{value}}",
	"T2012": "The delete clause of the transform expression must evaluate to a string or array of strings: {{value}}",
	"T2013": "The transform expression clones the input object using the $clone() function.  This has been overridden in the current scope by a non-function.",
	"D2014": "The size of the sequence allocated by the range operator (..) must not exceed 1e6.  Attempted to allocate {{value}}.",
	"D3001": "Attempting to invoke string function on Infinity or NaN",
	"D3010": "Second argument of replace function cannot be an empty string",
	"D3011": "Fourth argument of replace function must evaluate to a positive number",
	"D3012": "Attempted to replace a matched string with a non-string value",
	"D3020": "Third argument of split function must evaluate to a positive number",
	"D3030": "Unable to cast value to a number: {{value}}",
	"D3040": "Third argument of match function must evaluate to a positive number",
	"D3050": "The second argument of reduce function must be a function with at least two arguments",
	"D3060": "The sqrt function cannot be applied to a negative number: {{value}}",
	"D3061": "The power function has resulted in a value that cannot be represented as a JSON number: base={{value}}, exponent={{exp}}",
	"D3070": "The single argument form of the sort function can only be applied to an array of strings or an array of numbers.  Use the second argument to specify a comparison function",
	"D3080": "The picture string must only contain a maximum of two sub-pictures",
	"D3081": "The sub-picture must not contain more than one instance of the 'decimal-separator' character",
	"D3082": "The sub-picture must not contain more than one instance of the 'percent' character",
	"D3083": "The sub-picture must not contain more than one instance of the 'per-mille' character",
	"D3084": "The sub-picture must not contain both a 'percent' and a 'per-mille' character",
	"D3085": "The mantissa part of a sub-picture must contain at least one character that is either an 'optional digit character' or a member of the 'decimal digit family'",
	"D3086": "The sub-picture must not contain a passive character that is preceded by an active character and that is followed by another active character",
	"D3087": "The sub-picture must not contain a 'grouping-separator' character that appears adjacent to a 'decimal-separator' character",
	"D3088": "The sub-picture must not contain a 'grouping-separator' at the end of the integer part",
	"D3089": "The sub-picture must not contain two adjacent instances of the 'grouping-separator' character",
	"D3090": "The integer part of the sub-picture must not contain a member of the 'decimal digit family' that is followed by an instance of the 'optional digit character'",
	"D3091": "The fractional part of the sub-picture must not contain an instance of the 'optional digit character' that is followed by a member of the 'decimal digit family'",
	"D3092": "A sub-picture that contains a 'percent' or 'per-mille' character must not contain a character treated as an 'exponent-separator'",
	"D3093": "The exponent part of the sub-picture must comprise only of one or more characters that are members of the 'decimal digit family'",
	"D3100": "The radix of the formatBase function must be between 2 and 36.  It was given {{value}}",
	"D3110": "The argument of the toMillis function must be an ISO 8601 formatted timestamp. Given {{value}}",
	"D3120": "Syntax error in expression passed to function eval: {{value}}",
	"D3121": "Dynamic error evaluating the expression passed to function eval: {{value}}",
	"D3130": "Formatting or parsing an integer as a sequence starting with {{value}} is not supported by this implementation",
	"D3131": "In a decimal digit pattern, all digits must be from the same decimal group",
	"D3132": "Unknown component specifier {{value}} in date/time picture string",
	"D3133": "The 'name' modifier can only be applied to months and days in the date/time picture string, not {{value}}",
	"D3134": "The timezone integer format specifier cannot have more than four digits",
	"D3135": "No matching closing bracket ']' in date/time picture string",
	"D3136": "The date/time picture string is missing specifiers required to parse the timestamp",
	"D3138": "The $single() function expected exactly 1 matching result.  Instead it matched more.",
	"D3139": "The $single() function expected exactly 1 matching result.  Instead it matched 0.",
	"D3140": "Malformed URL passed to ${{{type}}}(): {{value}}",
}
