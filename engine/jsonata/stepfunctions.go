package jsonata

import (
	"fmt"
	"math"
	"math/rand/v2"

	"asldb/engine/value"
)

// StepFunctions returns the options for expressions of Step Functions: JSONata 2.0.6 without $eval, and the
// functions $partition, $range, $hash, $random, $uuid and $parse.
func StepFunctions() Options {
	return Options{Functions: []HostFunction{
		{Name: "partition", Signature: "<an:a>", Arity: 2, Call: partition},
		{Name: "range", Signature: "<nnn:a>", Arity: 3, Call: rangeOf},
		{Name: "hash", Signature: "<ss:s>", Arity: 2, Call: hash},
		{Name: "random", Signature: "<n?:n>", Arity: 1, Call: seededRandom},
		{Name: "uuid", Signature: "<:s>", Call: uuid},
		{Name: "parse", Signature: "<s:x>", Arity: 1, Call: parseJSON},
	}}
}

// problem is the error of a function of Step Functions, which has no code of JSONata's.
func problem(format string, args ...any) error {
	e := fail("D3137")
	e.Message = fmt.Sprintf(format, args...)
	return e
}

// maxRangeItems is the greatest number of items that States.ArrayRange, whose successor $range is, gives.
const maxRangeItems = 1000

// floorArg returns argument i rounded down.
func floorArg(args []value.Value, i int) (float64, bool) {
	if i >= len(args) {
		return 0, false
	}
	f, ok := value.Double(any(args[i]))
	return math.Floor(f), ok && !math.IsInf(f, 0)
}

// partition cuts an array into arrays of the size that is argument 1.
func partition(_ Env, args []value.Value) (value.Value, error) {
	array, ok := args[0].(*value.Array)
	if !ok {
		return nil, nil
	}
	size, ok := floorArg(args, 1)
	if !ok || size < 1 {
		return nil, problem("The second argument of the partition function must be a positive integer")
	}
	return parts(array, size), nil
}

// parts cuts an array into arrays of a size.
func parts(array *value.Array, size float64) value.Value {
	n := array.Len()
	width := int(math.Min(size, float64(max(n, 1))))
	list := make([]value.Value, 0, n/width+1)
	for from := 0; from < n; from += width {
		list = append(list, array.Slice(from, min(from+width, n)))
	}
	return value.NewArray(list)
}

// rangeOf gives the numbers from argument 0 to argument 1, both included, in steps of argument 2. A single
// number is itself, as in a sequence.
func rangeOf(_ Env, args []value.Value) (value.Value, error) {
	from, okFrom := floorArg(args, 0)
	to, okTo := floorArg(args, 1)
	step, okStep := floorArg(args, 2)
	if !okFrom || !okTo || !okStep {
		return nil, nil
	}
	if step == 0 {
		return nil, problem("The third argument of the range function must not be zero")
	}
	count := math.Floor((to-from)/step) + 1
	if count > maxRangeItems {
		return nil, problem("The range function must not give more than %d items", maxRangeItems)
	}
	if count < 1 {
		return value.NewArray(nil), nil
	}
	return numbersFrom(from, step, int(count)), nil
}

// numbersFrom gives count numbers from the first in steps.
func numbersFrom(first, step float64, count int) value.Value {
	items := make([]value.Value, count)
	for i := range items {
		items[i] = newNumber(first + float64(i)*step)
	}
	if len(items) == 1 {
		return items[0]
	}
	return value.NewArray(items)
}

// hash gives the hexadecimal digest of a text.
func hash(_ Env, args []value.Value) (value.Value, error) {
	text, ok := args[0].(value.String)
	algorithm, okToo := args[1].(value.String)
	if !ok || !okToo {
		return nil, nil
	}
	sum, known := Sum(string(text), string(algorithm))
	if !known {
		return nil, problem("The hash function does not know the algorithm %q; it knows %s", string(algorithm), Algorithms)
	}
	return value.String(sum), nil
}

// seededRandom gives a number from 0 (included) to 1 (excluded). With a seed it is always the same.
func seededRandom(env Env, args []value.Value) (value.Value, error) {
	source := env.Random
	if len(args) > 0 && args[0] != nil {
		f, _ := value.Double(any(args[0]))
		source = rand.NewPCG(math.Float64bits(f), 0)
	}
	if source == nil {
		return nil, problem("there is no source of random numbers")
	}
	return newNumber(unitInterval(source.Uint64())), nil
}

// uuid gives a random UUID, version 4 (RFC 9562).
func uuid(env Env, _ []value.Value) (value.Value, error) {
	if env.Random == nil {
		return nil, problem("there is no source of random numbers")
	}
	return value.String(UUID(env.Random.Uint64(), env.Random.Uint64())), nil
}

// parseJSON reads a JSON text. -0 becomes 0.
func parseJSON(_ Env, args []value.Value) (value.Value, error) {
	text, ok := args[0].(value.String)
	if !ok {
		return nil, nil
	}
	v, err := value.ParseString(string(text))
	if err != nil {
		return nil, problem("The parse function could not read its argument as JSON: %v", err)
	}
	if n, ok := v.(value.Number); ok && n.Float64() == 0 {
		return value.Int(0), nil
	}
	return v, nil
}
