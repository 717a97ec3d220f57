package intrinsic

import (
	"fmt"
	"math"
	"slices"

	"asldb/engine/interrupt"
	"asldb/engine/value"
	"asldb/internal/spelling"
)

// function is one of the intrinsic functions.
type function struct {
	name        string
	least, most int // number of arguments
	run         func(*arguments) (value.Value, error)
}

const anyNumber = math.MaxInt

// functions are all that there are, by name. The table is never changed.
var functions = table(
	function{"States.Format", 1, anyNumber, format},
	function{"States.StringToJson", 1, 1, stringToJSON},
	function{"States.JsonToString", 1, 1, jsonToString},
	function{"States.Array", 0, anyNumber, array},
	function{"States.ArrayPartition", 2, 2, arrayPartition},
	function{"States.ArrayContains", 2, 2, arrayContains},
	function{"States.ArrayRange", 3, 3, arrayRange},
	function{"States.ArrayGetItem", 2, 2, arrayGetItem},
	function{"States.ArrayLength", 1, 1, arrayLength},
	function{"States.ArrayUnique", 1, 1, arrayUnique},
	function{"States.Base64Encode", 1, 1, base64Encode},
	function{"States.Base64Decode", 1, 1, base64Decode},
	function{"States.Hash", 2, 2, hashOf},
	function{"States.JsonMerge", 3, 3, jsonMerge},
	function{"States.MathRandom", 2, 3, mathRandom},
	function{"States.MathAdd", 2, 2, mathAdd},
	function{"States.StringSplit", 2, 2, stringSplit},
	function{"States.UUID", 0, 0, uuid},
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

// suggest returns "; did you mean X?" where a function has a similar name.
func suggest(name string) string {
	if near := spelling.Nearest(name, slices.Values(Names())); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
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
}

func (a *arguments) fail(format string, args ...any) *Error {
	return &Error{Function: a.call.function.name, Msg: fmt.Sprintf(format, args...)}
}

// wrong returns the error of argument i (from 0), which is not of the type that the function takes.
func (a *arguments) wrong(i int, want string) *Error {
	v := a.values[i]
	if v.Kind() == value.KindNull {
		return a.fail("argument %d must be %s, but is null", i+1, want)
	}
	return a.fail("argument %d must be %s, but is the %s %s", i+1, want, value.KindOf(v), value.Preview(v, 60))
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

// shortText is text with the service's length limit for encoding and hashing.
func (a *arguments) shortText(i int) (string, error) {
	text, err := a.text(i)
	if err == nil && len(text) > maxText && characters(text, len(text)) > maxText {
		return "", a.fail("argument %d has more than %d characters, the limit", i+1, maxText)
	}
	return text, err
}

// maxText is the greatest number of characters that the encoding and hashing functions take.
const maxText = 10_000

// maxWhole is the greatest whole number that a double holds exactly.
const maxWhole = 1 << 53

// integer rounds argument i to the nearest whole number, halves upwards (-1.5 gives -1), as the service does.
func (a *arguments) integer(i int) (int64, error) {
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
	f := n.Float64()
	whole := math.Floor(f)
	if f-whole >= 0.5 {
		whole++
	}
	if math.IsInf(f, 0) || math.Abs(whole) > maxWhole {
		return 0, a.fail("argument %d is out of range: %s", i+1, n.Text())
	}
	return int64(whole), nil
}

// int32 is integer within the range that the functions called Math… have.
func (a *arguments) int32(i int) (int64, error) {
	n, err := a.integer(i)
	if err == nil && (n < math.MinInt32 || n > math.MaxInt32) {
		return 0, a.fail("argument %d must be between %d and %d, but is %d", i+1, math.MinInt32, math.MaxInt32, n)
	}
	return n, err
}
