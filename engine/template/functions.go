package template

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"asldb/engine/interrupt"
	"asldb/engine/jsonata"
	"asldb/engine/value"
)

// function is one of the intrinsic functions.
type function struct {
	name        string
	least, most int  // number of arguments
	takesAny    bool // it ignores its arguments, however many
	run         func(*arguments) (value.Value, error)
	// parameters are the names of the arguments; one with a ? can be left out, and ... repeats the one before it.
	parameters string
	about      string
}

const anyNumber = math.MaxInt

// functions are all that there are, by name. The table is never changed.
var functions = table(
	function{"States.Format", 1, anyNumber, false, format, "template value ...", "the template with each {} replaced by a value"},
	function{"States.StringToJson", 1, 1, false, stringToJSON, "text", "the JSON value that a text holds"},
	function{"States.JsonToString", 1, 1, false, jsonToString, "json", "the value as JSON text"},
	function{"States.Array", 0, anyNumber, false, arrayArgument, "value ...", "an array of the values"},
	function{"States.ArrayPartition", 2, 2, false, arrayPartition, "array size", "the array cut into arrays of at most size items"},
	function{"States.ArrayContains", 2, 2, false, arrayContains, "array value", "whether the array has the value"},
	function{"States.ArrayRange", 3, 3, false, arrayRange, "first last step", "the numbers from first to last"},
	function{"States.ArrayGetItem", 2, 2, false, arrayGetItem, "array index", "the item at an index, from 0"},
	function{"States.ArrayLength", 1, 1, false, arrayLength, "array", "the number of items"},
	function{"States.ArrayUnique", 1, 1, false, arrayUnique, "array", "the array without repeated items"},
	function{"States.Base64Encode", 1, 1, false, base64Encode, "text", "the text in Base64"},
	function{"States.Base64Decode", 1, 1, false, base64Decode, "base64", "the text that Base64 holds"},
	function{"States.Hash", 2, 2, false, hashOf, "data algorithm", "the hash of data: MD5, SHA-1, SHA-256, SHA-384 or SHA-512"},
	function{"States.JsonMerge", 3, 3, false, jsonMerge, "json1 json2 deep", "both objects in one; deep must be false"},
	function{"States.MathRandom", 2, 3, false, mathRandom, "start end seed?", "a random whole number from start to below end"},
	function{"States.MathAdd", 2, 2, false, mathAdd, "a b", "the sum of two whole numbers"},
	function{"States.StringSplit", 2, 2, false, stringSplit, "text separators", "the parts between any of the separators"},
	function{"States.UUID", 0, 0, true, uuid, "", "a random UUID, version 4"},
)

func table(all ...function) map[string]*function {
	byName := make(map[string]*function, len(all))
	for i := range all {
		byName[all[i].name] = &all[i]
	}
	return byName
}

// Names returns the names of all functions in alphabetical order.
func Names() []string {
	names := make([]string, 0, len(functions))
	for name := range functions {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Function describes an intrinsic function.
type Function struct {
	Name string
	// Parameters are the names of the arguments; "..." repeats the one before it.
	Parameters []string
	// About says in one line what the function returns.
	About string
	least int
}

// Usage returns the call with the names of its arguments, those that can be left out in brackets: "States.MathRandom(start, end[, seed])".
func (f *Function) Usage() string {
	var b strings.Builder
	b.WriteString(f.Name + "(")
	for i, name := range f.Parameters {
		separator := ""
		if i > 0 {
			separator = ", "
		}
		if i >= f.least && name != "..." && !slices.Contains(f.Parameters, "...") {
			b.WriteString("[" + separator + name + "]")
		} else {
			b.WriteString(separator + name)
		}
	}
	return b.String() + ")"
}

// Functions returns the descriptions of all functions in alphabetical order.
func Functions() []Function {
	list := make([]Function, 0, len(functions))
	for _, name := range Names() {
		f := functions[name]
		parameters := strings.Fields(strings.ReplaceAll(f.parameters, "?", ""))
		list = append(list, Function{Name: name, Parameters: parameters, About: f.about, least: f.least})
	}
	return list
}

// arity says how many arguments the function takes: "2 arguments", "2 or 3 arguments", "at least 1 argument".
func (f *function) arity() string {
	switch {
	case f.most == anyNumber:
		return "at least " + plural(f.least, "argument")
	case f.least == f.most:
		return plural(f.least, "argument")
	}
	return fmt.Sprintf("%d or %s", f.least, plural(f.most, "argument"))
}

func plural(n int, noun string) string {
	switch n {
	case 0:
		return "no " + noun + "s"
	case 1:
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// arguments are the evaluated operands of one call, with the context of the call.
type arguments struct {
	call   *Call
	values []value.Value
	random Random
	poll   *interrupt.Poll
	// scalars: States.Format takes no arrays and objects.
	scalars bool
}

func (a *arguments) fail(format string, args ...any) *Error {
	name := a.call.function.name
	return &Error{Function: name, Msg: fmt.Sprintf(format, args...), Service: "Invalid arguments in " + name}
}

// wrong returns the error of argument i (from 0), which is not of the type that the function takes.
func (a *arguments) wrong(i int, want string) *Error {
	v := a.values[i]
	err := a.fail("%s", MustBe(i, want, Is(v)))
	if err.Advice = AdviceOn(v, want); err.Advice != "" {
		if p := a.call.arguments[i].path; p != nil {
			err.Text = p.String()
		}
	}
	return err
}

// MustBe is the sentence on an argument, from 0, of another type than a function takes.
func MustBe(i int, want, is string) string {
	return fmt.Sprintf("argument %d must be %s, but is %s", i+1, want, is)
}

// Is names a value in such a sentence: "the string \"41\"".
func Is(v value.Value) string {
	if v.Kind() == value.KindNull {
		return "null"
	}
	return "the " + value.KindOf(v) + " " + value.Preview(v, 60)
}

// AdviceOn says which function makes an argument of a value that holds one; empty where none does.
func AdviceOn(v value.Value, want string) string {
	if text, ok := v.(value.String); ok && strings.Contains(want, "number") {
		inner, _ := value.Parse([]byte(text), value.Limits{})
		if _, isNumber := inner.(value.Number); isNumber {
			return "States.StringToJson makes a number of it"
		}
	}
	return ""
}

func (a *arguments) array(i int) (*value.Array, error) {
	if v, ok := a.values[i].(*value.Array); ok {
		return v, nil
	}
	return nil, a.wrong(i, "an array")
}

func (a *arguments) object(i int) (*value.Object, error) {
	if v, ok := a.values[i].(*value.Object); ok {
		return v, nil
	}
	return nil, a.wrong(i, "an object")
}

func (a *arguments) text(i int) (string, error) {
	if v, ok := a.values[i].(value.String); ok {
		return string(v), nil
	}
	return "", a.wrong(i, "a string")
}

// shortText is text with the service's length limit for encoding and hashing, of the first argument.
func (a *arguments) shortText() (string, error) {
	text, err := a.text(0)
	if err != nil {
		return "", err
	}
	return a.short(text)
}

func (a *arguments) short(text string) (string, error) {
	if len(text) > maxText && characters(text, len(text)) > maxText {
		return "", a.fail("argument 1 has more than %d characters, the limit", maxText)
	}
	return text, nil
}

// maxText is the greatest number of characters that the encoding and hashing functions take.
const maxText = 10_000

// maxWhole is the greatest whole number that a double holds exactly.
const maxWhole = 1 << 53

// integer returns argument i as a whole number; a fraction is cut off, as the service was measured to do.
func (a *arguments) integer(i int) (int64, error) { return a.whole(i, math.Trunc) }

// rounded is integer, but rounds to the nearest whole number, halves upwards (-1.5 gives -1): only States.MathAdd does.
func (a *arguments) rounded(i int) (int64, error) {
	if n, ok := a.values[i].(value.Number); ok && math.IsInf(n.Float64(), 0) {
		return 0, nil // accepted, as measured; which number it counts as is not known
	}
	return a.whole(i, func(f float64) float64 {
		if whole := math.Floor(f); f-whole < 0.5 {
			return whole
		}
		return math.Floor(f) + 1
	})
}

func (a *arguments) whole(i int, toWhole func(float64) float64) (int64, error) {
	n, ok := a.values[i].(value.Number)
	if !ok {
		return 0, a.wrong(i, "a number")
	}
	if n.IsInteger() {
		if whole, ok := n.Int64(); ok && whole >= -maxWhole && whole <= maxWhole {
			return whole, nil
		}
		return 0, a.fail("argument %d is out of range: %s", i+1, n.Text())
	}
	f := toWhole(n.Float64())
	if math.IsInf(f, 0) || math.Abs(f) > maxWhole {
		return 0, a.fail("argument %d is out of range: %s", i+1, n.Text())
	}
	return int64(f), nil
}

// int32 checks that argument i, which is n, has the range of the functions called Math….
func (a *arguments) int32(i int, n int64, err error) (int64, error) {
	if err == nil && (n < math.MinInt32 || n > math.MaxInt32) {
		return 0, a.fail("argument %d must be between %d and %d, but is %d", i+1, math.MinInt32, math.MaxInt32, n)
	}
	return n, err
}

// mathAdd rounds its arguments and adds them.
func mathAdd(a *arguments) (value.Value, error) {
	var terms [2]int64
	for i := range terms {
		n, err := a.rounded(i)
		if terms[i], err = a.int32(i, n, err); err != nil {
			return nil, err
		}
	}
	sum := terms[0] + terms[1]
	if sum < math.MinInt32 || sum > math.MaxInt32 {
		return nil, a.fail("the sum %d is not between %d and %d", sum, math.MinInt32, math.MaxInt32)
	}
	return value.Int(sum), nil
}

// mathRandom gives a whole number from its first argument (included) to its second (excluded). With a seed, the third argument, it
// is the one that Java's new Random(seed).nextInt(end-start)+start gives, as the service was measured to do.
func mathRandom(a *arguments) (value.Value, error) {
	var bounds [2]int64
	for i := range bounds {
		n, err := a.integer(i)
		if bounds[i], err = a.int32(i, n, err); err != nil {
			return nil, err
		}
	}
	start, end := bounds[0], bounds[1]
	if start >= end {
		return nil, a.fail("the start %d must be below the end %d", start, end)
	}
	if len(a.values) == 3 {
		seed, err := a.integer(2)
		if err != nil {
			return nil, err
		}
		if end-start > math.MaxInt32 {
			return nil, a.fail("the range from %d to %d is larger than %d", start, end, math.MaxInt32)
		}
		return value.Int(start + jsonata.JavaRandom(seed).Below(int32(end-start))), nil
	}
	source := a.random
	if source == nil {
		return nil, a.fail("there is no source of random numbers")
	}
	// The high word of the product is a number below the width; with 64 random bits its bias cannot be noticed.
	offset, _ := bits.Mul64(source.Uint64(), uint64(end-start))
	return value.Int(start + int64(offset)), nil
}

// uuid gives a random UUID, version 4 (RFC 9562).
func uuid(a *arguments) (value.Value, error) {
	if a.random == nil {
		return nil, a.fail("there is no source of random numbers")
	}
	return value.String(jsonata.UUID(a.random.Uint64(), a.random.Uint64())), nil
}
