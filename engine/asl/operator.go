package asl

import (
	"iter"
	"strings"
	"time"
	"unicode/utf16"

	"asldb/engine/value"
)

// Operator is a comparison operator of Data-Test Expressions (specification, "Choice State"). A row of the table is all
// that an operator needs: Parse, suggestions, labels and the engine read it.
type Operator struct {
	// Name is the field's name, without Path.
	Name string
	// HasPath reports whether there is a form of the field that ends in Path and takes a Path to the right operand.
	HasPath bool
	// TakesAbsent reports whether the left operand may be absent; elsewhere a Variable that is not there is an error.
	TakesAbsent bool
	// Compile makes ready a comparison with the right operand. The error says that the operand is malformed; an operand of
	// another type than the operator's makes a comparison that never holds.
	Compile func(right value.Value) (Comparison, error)

	// Left is the type of the left operands for which the operator can hold, 0 where it is any; Tests reports whether the
	// operator asks about the left operand alone, and the right one is true or false.
	Left  Operand
	Tests bool
	// Pattern reports whether the right operand is a pattern, in which * means any characters.
	Pattern bool

	right Operand
	// label is written between the operands; for a test such as IsNull it is the whole predicate without "is".
	label string
}

// Comparison reports whether a comparison holds for its left operand, which is nil where it is absent.
type Comparison func(left value.Value) bool

// Operand is the type of an operand.
type Operand uint8

// The types of operands.
const (
	StringOperand Operand = iota + 1
	NumberOperand
	BoolOperand
	TimestampOperand
)

// operators has a row for each comparison operator, in the order of suggestions.
var operators = []Operator{
	comparisonOf("StringEquals", StringOperand, "=", equalStrings),
	comparisonOf("StringLessThan", StringOperand, "<", orderedStrings(func(order int) bool { return order < 0 })),
	comparisonOf("StringGreaterThan", StringOperand, ">", orderedStrings(func(order int) bool { return order > 0 })),
	comparisonOf("StringLessThanEquals", StringOperand, "<=", orderedStrings(func(order int) bool { return order <= 0 })),
	comparisonOf("StringGreaterThanEquals", StringOperand, ">=", orderedStrings(func(order int) bool { return order >= 0 })),
	comparisonOf("NumericEquals", NumberOperand, "=", orderedNumbers(func(order int) bool { return order == 0 })),
	comparisonOf("NumericLessThan", NumberOperand, "<", orderedNumbers(func(order int) bool { return order < 0 })),
	comparisonOf("NumericGreaterThan", NumberOperand, ">", orderedNumbers(func(order int) bool { return order > 0 })),
	comparisonOf("NumericLessThanEquals", NumberOperand, "<=", orderedNumbers(func(order int) bool { return order <= 0 })),
	comparisonOf("NumericGreaterThanEquals", NumberOperand, ">=", orderedNumbers(func(order int) bool { return order >= 0 })),
	comparisonOf("TimestampEquals", TimestampOperand, "=", orderedTimestamps(func(order int) bool { return order == 0 })),
	comparisonOf("TimestampLessThan", TimestampOperand, "<", orderedTimestamps(func(order int) bool { return order < 0 })),
	comparisonOf("TimestampGreaterThan", TimestampOperand, ">", orderedTimestamps(func(order int) bool { return order > 0 })),
	comparisonOf("TimestampLessThanEquals", TimestampOperand, "<=", orderedTimestamps(func(order int) bool { return order <= 0 })),
	comparisonOf("TimestampGreaterThanEquals", TimestampOperand, ">=", orderedTimestamps(func(order int) bool { return order >= 0 })),
	comparisonOf("BooleanEquals", BoolOperand, "=", equalBooleans),
	{Name: "StringMatches", Compile: matches, Left: StringOperand, Pattern: true, right: StringOperand, label: "matches"},
	testOf("IsNull", "null", 0, func(v value.Value) bool { return v.Kind() == value.KindNull }),
	{
		Name: "IsPresent", TakesAbsent: true, right: BoolOperand, label: "present", Tests: true,
		Compile: asking(func(v value.Value) bool { return v != nil }),
	},
	testOf("IsNumeric", "a number", NumberOperand, func(v value.Value) bool { return v.Kind() == value.KindNumber }),
	testOf("IsString", "a string", StringOperand, func(v value.Value) bool { return v.Kind() == value.KindString }),
	testOf("IsBoolean", "a boolean", BoolOperand, func(v value.Value) bool { return v.Kind() == value.KindBool }),
	testOf("IsTimestamp", "a timestamp", TimestampOperand, func(v value.Value) bool { _, ok := instantOf(v); return ok }),
}

// serviceOperators are the fields of the operators in the order in which the service lists them.
var serviceOperators = []string{
	"StringEquals", "IsBoolean", "StringLessThan", "IsNumeric", "BooleanEquals", "StringLessThanEqualsPath",
	"NumericLessThan", "NumericGreaterThan", "NumericLessThanPath", "StringMatches", "TimestampLessThanEqualsPath",
	"NumericEquals", "TimestampGreaterThan", "StringGreaterThanEqualsPath", "TimestampGreaterThanEqualsPath",
	"TimestampLessThanEquals", "NumericLessThanEqualsPath", "TimestampEquals", "BooleanEqualsPath", "IsTimestamp",
	"StringLessThanEquals", "NumericLessThanEquals", "StringLessThanPath", "TimestampGreaterThanPath",
	"StringGreaterThan", "StringGreaterThanPath", "IsString", "StringEqualsPath", "TimestampEqualsPath",
	"TimestampLessThan", "StringGreaterThanEquals", "NumericGreaterThanPath", "NumericGreaterThanEquals",
	"NumericEqualsPath", "TimestampLessThanPath", "IsNull", "IsPresent", "TimestampGreaterThanEquals",
	"NumericGreaterThanEqualsPath",
}

// operatorRows finds the row of an operator by its name.
var operatorRows = rowsByName(operators)

func rowsByName(rows []Operator) map[string]*Operator {
	byName := make(map[string]*Operator, len(rows))
	for i := range rows {
		byName[rows[i].Name] = &rows[i]
	}
	return byName
}

// Operators iterates over the table.
func Operators() iter.Seq[*Operator] {
	return func(yield func(*Operator) bool) {
		for i := range operators {
			if !yield(&operators[i]) {
				return
			}
		}
	}
}

// OperatorNamed returns the comparison operator of that name, without Path, or nil.
func OperatorNamed(name string) *Operator { return operatorRows[name] }

// Comparing returns the operator that compares operands of a type and is written with a sign ("=", "<", ">=") in labels, or
// nil.
func Comparing(left Operand, sign string) *Operator {
	for i := range operators {
		if o := &operators[i]; o.Left == left && o.label == sign && !o.Tests {
			return o
		}
	}
	return nil
}

// Mirrored returns the operator that holds of the exchanged operands, o itself where there is no other.
func (o *Operator) Mirrored() *Operator {
	sign := strings.NewReplacer("<", ">", ">", "<").Replace(o.label)
	if mirrored := Comparing(o.Left, sign); mirrored != nil {
		return mirrored
	}
	return o
}

// operatorOf returns the operator of a field and whether the field is its …Path form; nil where it is none.
func operatorOf(field string) (o *Operator, isPath bool) {
	if o = operatorRows[field]; o != nil {
		return o, false
	}
	name, isPath := strings.CutSuffix(field, "Path")
	if o = operatorRows[name]; o == nil || !isPath || !o.HasPath {
		return nil, false
	}
	return o, true
}

// operatorFields lists the fields of all operators.
func operatorFields() []string {
	var fields []string
	for i := range operators {
		fields = append(fields, operators[i].Name)
		if operators[i].HasPath {
			fields = append(fields, operators[i].Name+"Path")
		}
	}
	return fields
}

func comparisonOf(name string, right Operand, sign string, compile func(value.Value) (Comparison, error)) Operator {
	return Operator{Name: name, HasPath: true, Compile: compile, Left: right, right: right, label: sign}
}

func testOf(name, label string, left Operand, is func(value.Value) bool) Operator {
	return Operator{Name: name, Compile: asking(is), Left: left, Tests: true, right: BoolOperand, label: label}
}

// asking compiles a test of the left operand; the right one is whether it is to hold.
func asking(is func(value.Value) bool) func(value.Value) (Comparison, error) {
	return func(right value.Value) (Comparison, error) {
		want := right == value.Value(value.Bool(true))
		return func(left value.Value) bool { return is(left) == want }, nil
	}
}

func never(value.Value) bool { return false }

func equalStrings(right value.Value) (Comparison, error) {
	b, ok := right.(value.String)
	if !ok {
		return never, nil
	}
	return func(left value.Value) bool { a, ok := left.(value.String); return ok && a == b }, nil
}

func orderedStrings(holds func(order int) bool) func(value.Value) (Comparison, error) {
	return func(right value.Value) (Comparison, error) {
		b, ok := right.(value.String)
		if !ok {
			return never, nil
		}
		return func(left value.Value) bool {
			a, ok := left.(value.String)
			return ok && holds(compareUTF16(string(a), string(b)))
		}, nil
	}
}

func orderedNumbers(holds func(order int) bool) func(value.Value) (Comparison, error) {
	return func(right value.Value) (Comparison, error) {
		b, ok := right.(value.Number)
		if !ok {
			return never, nil
		}
		return func(left value.Value) bool { a, ok := left.(value.Number); return ok && holds(a.Compare(b)) }, nil
	}
}

func orderedTimestamps(holds func(order int) bool) func(value.Value) (Comparison, error) {
	return func(right value.Value) (Comparison, error) {
		b, ok := instantOf(right)
		if !ok {
			return never, nil
		}
		return func(left value.Value) bool { a, ok := instantOf(left); return ok && holds(a.Compare(b)) }, nil
	}
}

func equalBooleans(right value.Value) (Comparison, error) {
	b, ok := right.(value.Bool)
	if !ok {
		return never, nil
	}
	return func(left value.Value) bool { a, ok := left.(value.Bool); return ok && a == b }, nil
}

func matches(right value.Value) (Comparison, error) {
	pattern, ok := right.(value.String)
	if !ok {
		return never, nil
	}
	globs, err := parseGlob(string(pattern))
	return func(left value.Value) bool { a, ok := left.(value.String); return ok && matchGlob(globs, string(a)) }, err
}

func instantOf(v value.Value) (time.Time, bool) {
	text, ok := v.(value.String)
	if !ok {
		return time.Time{}, false
	}
	return ParseTimestamp(string(text))
}

// compareUTF16 orders strings as Java's compareTo does, by UTF-16 code units. It differs from the order
// of bytes only where a character beyond U+FFFF meets one from U+E000 up.
func compareUTF16(a, b string) int {
	if strings.IndexFunc(a, beyondSurrogates) < 0 || strings.IndexFunc(b, beyondSurrogates) < 0 {
		return strings.Compare(a, b)
	}
	unitsA, unitsB := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := range min(len(unitsA), len(unitsB)) {
		if unitsA[i] != unitsB[i] {
			return int(unitsA[i]) - int(unitsB[i])
		}
	}
	return len(unitsA) - len(unitsB)
}

func beyondSurrogates(r rune) bool { return r >= 0xE000 }
