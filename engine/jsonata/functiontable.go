package jsonata

import (
	"maps"
	"slices"
	"strings"
)

// Types is a set of the types of JSONata values.
type Types uint8

// The types. A value that is nothing ("undefined") has none.
const (
	TypeString Types = 1 << iota
	TypeNumber
	TypeBoolean
	TypeNull
	TypeArray
	TypeObject
	TypeFunction

	// TypeJSON is every type that JSON has, TypeAny every type.
	TypeJSON = TypeString | TypeNumber | TypeBoolean | TypeNull | TypeArray | TypeObject
	TypeAny  = TypeJSON | TypeFunction
)

// typeWords pairs the types with their words, in the order of sentences.
var typeWords = []struct {
	symbol byte
	one    Types
	word   string
}{
	{'s', TypeString, "string"}, {'n', TypeNumber, "number"}, {'b', TypeBoolean, "boolean"}, {'l', TypeNull, "null"},
	{'a', TypeArray, "array"}, {'o', TypeObject, "object"}, {'f', TypeFunction, "function"},
}

// Has reports whether the set holds every type of other.
func (t Types) Has(other Types) bool { return t&other == other }

// String lists the types: "string or number". All of them are "anything", of JSON "any JSON value".
func (t Types) String() string {
	switch t {
	case TypeAny:
		return "anything"
	case TypeJSON:
		return "any JSON value"
	case 0:
		return "nothing"
	default: // one type, or several
	}
	var list []string
	for _, row := range typeWords {
		if t.Has(row.one) {
			list = append(list, row.word)
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// typesOf returns the types of the symbols of a signature.
func typesOf(symbols string) Types {
	var t Types
	for _, row := range typeWords {
		if strings.IndexByte(symbols, row.symbol) >= 0 {
			t |= row.one
		}
	}
	return t
}

// Function describes a function of the language: one row of the table that completion and checks read.
type Function struct {
	// Name is the name without the $.
	Name string
	// Signature says which arguments the function takes, in JSONata's notation: "<s-nn?:s>".
	Signature string
	// Parameters are the parameters in their order.
	Parameters []FunctionParameter
	// Result describes the values that the function returns.
	Result FunctionResult
	// About says in one line what the function does.
	About string
	// Service marks a function that only Step Functions has.
	Service bool
}

// FunctionParameter is one parameter of a function.
type FunctionParameter struct {
	// Name is the parameter's name in the language's documentation.
	Name string
	// Types are the types that it takes. An argument that is nothing is always taken.
	Types Types
	// Items are the types of the items where an array is taken; 0: any.
	Items Types
	// Single says that a value that isn't an array counts as an array of it.
	Single bool
	// Optional parameters may be left out. Context says that the context is then the argument.
	Optional, Context bool
	// Repeated: any number of arguments, at least one.
	Repeated bool
}

// FunctionResult describes the results of a function.
type FunctionResult struct {
	// Types are the types that a result may have; Items the types of its items where it is an array.
	Types, Items Types
	// Sequence marks a result that is a sequence: no item is nothing, one item is the result itself.
	Sequence bool
	// Always: there is a result even where the first argument is nothing.
	Always bool
}

// Arity returns the least and the greatest number of arguments; most is -1 where there is no bound. A parameter that
// the context can supply counts as optional.
func (f *Function) Arity() (least, most int) {
	for _, p := range f.Parameters {
		if !p.Optional {
			least++
		}
		most++
		if p.Repeated {
			return least, -1
		}
	}
	return least, most
}

// Usage is a call with the names of the parameters: "$substring(str, start[, length])".
func (f *Function) Usage() string {
	var b strings.Builder
	b.WriteString("$" + f.Name + "(")
	open := 0
	for i, p := range f.Parameters {
		// A context parameter comes first: the usage shows it, because most calls write it.
		if p.Optional && !p.Context {
			b.WriteString("[")
			open++
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.Name)
		if p.Repeated {
			b.WriteString(", ...")
		}
	}
	return b.String() + strings.Repeat("]", open) + ")"
}

// FunctionTable returns the table of the functions that the options give, in the order of their names. Functions of
// Functions that the table does not know have their signature only.
func (o Options) FunctionTable() []Function {
	all, err := (&compiled{Options: o}).allFunctions()
	if err != nil {
		all = builtins
	}
	list := make([]Function, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, describeFunction(name, all[name]))
	}
	return list
}

func describeFunction(name string, fn *function) Function {
	out := Function{Name: name, Result: FunctionResult{Types: TypeAny}}
	row := functionTexts[name]
	if row != nil {
		out.Result, out.About, out.Service = row.result, row.about, row.service
	}
	if fn.sig == nil {
		return out
	}
	out.Signature = fn.sig.text
	for i := range fn.sig.params {
		p := &fn.sig.params[i]
		parameter := FunctionParameter{
			Name: "value", Types: typesOf(p.symbols), Items: typesOf(p.subtype),
			Single: p.array, Optional: p.optional, Context: p.context, Repeated: p.repeated,
		}
		if !p.array {
			parameter.Items = 0
		}
		if p.subtype != "" && p.array { // a single value must be of the type of the items
			parameter.Types = TypeArray | parameter.Items
		}
		if row != nil && i < len(row.parameters) {
			parameter.Name = row.parameters[i]
		}
		out.Parameters = append(out.Parameters, parameter)
	}
	return out
}

// functionText is the part of the table of functions that the signatures lack.
type functionText struct {
	parameters []string
	result     FunctionResult
	about      string
	service    bool
}

// Results that several functions have.
var (
	textResult    = FunctionResult{Types: TypeString}
	numberResult  = FunctionResult{Types: TypeNumber}
	booleanResult = FunctionResult{Types: TypeBoolean}
	objectResult  = FunctionResult{Types: TypeObject}
	anyResult     = FunctionResult{Types: TypeAny}
)

// arrayOf is an array that stays one, sequenceOf a sequence of such items.
func arrayOf(items Types) FunctionResult { return FunctionResult{Types: TypeArray, Items: items} }

func sequenceOf(items Types) FunctionResult {
	return FunctionResult{Types: TypeArray | items, Items: items, Sequence: true}
}

func always(r FunctionResult) FunctionResult { r.Always = true; return r }

// functionTexts has a row for every function of the language and of Step Functions. A test compares it with the signatures.
var functionTexts = func() map[string]*functionText {
	rows := map[string]*functionText{}
	for _, table := range [][]functionRow{aggregationRows, textRows, numberRows, logicRows, arrayRows, objectRows, timeRows} {
		for _, row := range table {
			rows[row.name] = &functionText{strings.Fields(row.parameters), row.result, row.about, false}
		}
	}
	for _, row := range serviceRows {
		rows[row.name] = &functionText{strings.Fields(row.parameters), row.result, row.about, true}
	}
	return rows
}()

type functionRow struct {
	name, parameters string
	result           FunctionResult
	about            string
}

var aggregationRows = []functionRow{
	{"sum", "array", numberResult, "the sum of the numbers of an array"},
	{"count", "array", always(numberResult), "the number of items of an array; nothing counts 0, a single value 1"},
	{"max", "array", numberResult, "the greatest number of an array"},
	{"min", "array", numberResult, "the least number of an array"},
	{"average", "array", numberResult, "the mean of the numbers of an array"},
}

var textRows = []functionRow{
	{"string", "arg prettify", textResult, "a value as text: strings as they are, others as JSON"},
	{"substring", "str start length", textResult, "the characters from start (0 is the first, -1 the last), at most length of them"},
	{"substringBefore", "str chars", textResult, "the text before the first occurrence of chars"},
	{"substringAfter", "str chars", textResult, "the text after the first occurrence of chars"},
	{"lowercase", "str", textResult, "the text in lower case"},
	{"uppercase", "str", textResult, "the text in upper case"},
	{"length", "str", numberResult, "the number of characters of a text ($count counts items)"},
	{"trim", "str", textResult, "the text with single blanks and none at its ends"},
	{"pad", "str width char", textResult, "the text padded to a width: on the right, or on the left if the width is negative"},
	{"match", "str pattern limit", sequenceOf(TypeObject), "the matches of a regular expression: {match, index, groups}"},
	{"contains", "str pattern", booleanResult, "whether a text contains a text or matches a regular expression"},
	{"replace", "str pattern replacement limit", textResult, "the text with the occurrences of pattern replaced"},
	{"split", "str separator limit", arrayOf(TypeString), "the parts of a text between separators"},
	{"join", "array separator", textResult, "the texts of an array, joined with a separator"},
	{"base64encode", "str", textResult, "the text in base 64"},
	{"base64decode", "str", textResult, "the text that was encoded in base 64"},
	{"encodeUrlComponent", "str", textResult, "the text encoded as part of a URL"},
	{"encodeUrl", "str", textResult, "the text encoded as a URL"},
	{"decodeUrlComponent", "str", textResult, "the decoded part of a URL"},
	{"decodeUrl", "str", textResult, "the decoded URL"},
}

var numberRows = []functionRow{
	{"formatNumber", "number picture options", textResult, "a number written by a picture such as \"#,##0.00\""},
	{"formatBase", "number radix", textResult, "a whole number written with a radix from 2 to 36"},
	{"formatInteger", "number picture", textResult, "a whole number written by a picture: digits, letters, Roman numerals or words"},
	{"parseInteger", "str picture", numberResult, "the whole number that a text has by a picture"},
	{"number", "arg", numberResult, "a text or a boolean as a number"},
	{"floor", "number", numberResult, "the number rounded down"},
	{"ceil", "number", numberResult, "the number rounded up"},
	{"round", "number precision", numberResult, "the number rounded to digits behind the point, halves to the even neighbor"},
	{"abs", "number", numberResult, "the absolute value"},
	{"sqrt", "number", numberResult, "the square root"},
	{"power", "base exponent", numberResult, "the base raised to the exponent"},
	{"random", "seed", always(numberResult), "a random number from 0 (included) to 1 (excluded)"},
}

var logicRows = []functionRow{
	{"boolean", "arg", booleanResult, "whether a value counts as true: empty and zero values do not"},
	{"not", "arg", booleanResult, "the opposite of $boolean"},
	{"exists", "arg", always(booleanResult), "whether an expression gives a value; null is one"},
	{"type", "value", textResult, "the name of a value's type"},
	{"error", "message", FunctionResult{}, "ends the evaluation with an error"},
	{"assert", "condition message", FunctionResult{}, "ends the evaluation with an error unless the condition is true"},
}

var arrayRows = []functionRow{
	{"map", "array function", sequenceOf(TypeAny), "the results of a function for each item: function($value, $index, $array)"},
	{"filter", "array function", sequenceOf(TypeAny), "the items for which a function holds"},
	{"single", "array function", anyResult, "the one item for which a function holds; an error if there is none or more"},
	{"reduce", "array function init", anyResult, "the items combined: function($previous, $value)"},
	{"zip", "array", always(arrayOf(TypeArray)), "arrays of the first items, of the second items, and so on"},
	{"append", "array1 array2", anyResult, "the items of two arrays in one"},
	{"reverse", "array", arrayOf(0), "the items in reverse order"},
	{"sort", "array function", arrayOf(0), "the items in order; function($left, $right) holds if they are to be swapped"},
	{"shuffle", "array", arrayOf(0), "the items in random order"},
	{"distinct", "array", anyResult, "the items without repetitions"},
}

var objectRows = []functionRow{
	{"keys", "object", sequenceOf(TypeString), "the names of the members of an object, or of all objects of an array"},
	{"lookup", "object key", anyResult, "the value of a member with a computed name"},
	{"spread", "object", anyResult, "an object for each member"},
	{"merge", "array", objectResult, "the members of all objects of an array in one; later ones win"},
	{"each", "object function", sequenceOf(TypeAny), "the results of a function for each member: function($value, $name)"},
	{"sift", "object function", objectResult, "the members for which a function holds: function($value, $name)"},
	{"clone", "object", FunctionResult{Types: TypeObject | TypeArray}, "a copy of a value"},
}

var timeRows = []functionRow{
	{"now", "picture timezone", always(textResult), "the time of the evaluation, in ISO 8601 or by a picture"},
	{"millis", "", always(numberResult), "the time of the evaluation, in milliseconds since 1970"},
	{"fromMillis", "number picture timezone", textResult, "a time in milliseconds since 1970 as text"},
	{"toMillis", "timestamp picture", numberResult, "a timestamp in milliseconds since 1970"},
}

// serviceRows are the functions that Step Functions adds (developer guide, "JSONata functions provided by Step Functions").
var serviceRows = []functionRow{
	{"partition", "array size", arrayOf(TypeArray), "the array cut into arrays of a size"},
	{"range", "start end step", sequenceOf(TypeNumber), "the numbers from start to end, both included, in steps"},
	{"hash", "data algorithm", textResult, "the digest in hexadecimal: MD5, SHA-1, SHA-256, SHA-384 or SHA-512"},
	{"uuid", "", always(textResult), "a random UUID, version 4"},
	{"parse", "json", FunctionResult{Types: TypeJSON}, "the value of a JSON text; Step Functions' replacement for $eval"},
}
