package jsonata

import (
	"errors"
	"math"

	"asldb/engine/value"
)

// Profile says how an implementation of JSONata evaluates, where implementations differ. The zero Profile, or none, is
// the reference implementation's.
type Profile struct {
	// functions replace functions of the same name.
	functions map[string]*function
	// depth bounds [Limits.Depth]; memory is the bound of the values of one operation, in bytes of the cost model of
	// memory.go. 0: no bound of the implementation's own.
	depth, memory int
	// wordings are the messages of the limits, which then have no code.
	wordings map[limit]string
	// nonFinite gives the results that JSON has no number for; nil: such a result is the error D1001.
	nonFinite func(f float64) value.Value
	// number gives the numbers that are only passed on; nil: as they are written.
	number func(n value.Number) value.Number
	// java: numbers, texts and regular expressions are as Java has them, where it and JavaScript differ. $string writes all digits of
	// whole numbers below 1e21, rounds others down to 15 digits, and escapes few control characters; \s is ASCII's white space.
	java bool
}

// limit is a kind of limit that ends an evaluation.
type limit uint8

const (
	noLimit limit = iota
	depthLimit
	memoryLimit
	stepLimit
)

var reference = &Profile{}

// Service returns the profile of Step Functions, as it was measured on the service. It goes with the options of
// [StepFunctions]:
//
//   - evaluations may be nested [ServiceDepth] deep, and an operation may hold values of [ServiceMemory] bytes;
//   - results that are no numbers of JSON are the strings "Infinity", "-Infinity" and "NaN";
//   - numbers are 64-bit integers or doubles, also those that are only passed on: 1.0 is 1;
//   - $random draws as java.util.Random does, $partition and $range cut fractions towards zero, and $partition, $range, $hash
//     and $parse give nothing for some arguments that other implementations refuse;
//   - texts are Java's: UTF-8 in Base64, full mappings of upper and lower case, + as a blank in a part of a URL.
//
// The bounds of [Limits] hold as well; the bounds of steps and memory are asldb's own.
func Service() *Profile { return service }

// ServiceDepth is the depth of nested evaluations in Step Functions: a sum of 100 terms, 99 parentheses around a number, and a
// recursion of 31 calls that are not in tail position are the most that pass.
const ServiceDepth = 100

var service = &Profile{
	functions: functionsOf([]HostFunction{
		{Name: "partition", Signature: "<xn?:a>", Arity: 2, Call: servicePartition},
		{Name: "range", Signature: "<nnn?:a>", Arity: 3, Call: serviceRange},
		{Name: "random", Signature: "<n?:n>", Arity: 1, Call: serviceRandom},
		{Name: "parse", Signature: "<s?:x>", Arity: 1, Call: serviceParse},
		{Name: "base64encode", Signature: "<s-:s>", Arity: 1, Call: serviceEncode},
		{Name: "base64decode", Signature: "<s-:s>", Arity: 1, Call: serviceDecode},
	}, serviceDefinitions),
	depth: ServiceDepth, memory: ServiceMemory - evaluationBytes,
	wordings: map[limit]string{
		depthLimit:  "Stack overflow error: Check for non-terminating recursive function. Consider rewriting as tail-recursive",
		memoryLimit: "Expression evaluation memory limit exceeded: Check for excessive memory usage",
		stepLimit:   "Expression evaluation timeout: Check for infinite loop", // the library's; the service's is not published
	},
	nonFinite: func(f float64) value.Value { return value.String(numberText(f)) },
	number:    serviceNumber,
	java:      true,
}

// The cost model of the service's memory. Four measurements are published: [1..873782] passes and one item more does not;
// $range(1,360145,1) passes and one item more does not; a string of one character doubled 22 times passes, and 23 times
// does not. They fit a bound of 20 MiB on what one operation holds at a time, where
//
//   - an item of an array costs 24 bytes: 873,782 of them leave 752 of the 20 MiB, and less than 24 are free if the
//     evaluation itself costs 740;
//   - an array that grows item by item grows as Java's ArrayList does, from 10 places by half, and the array before it is
//     still there: 360,145 is one of its sizes, and the next step would hold 360,145 + 540,217 places;
//   - a character costs 2 bytes, and a concatenation holds its operands and its result.
//
// The points don't settle how values of several operations add up. Here they do not: a value that is too large by itself is
// refused, several large ones that live together may pass.
const (
	// ServiceMemory is the bound of the memory of an operation in Step Functions, in bytes of this model.
	ServiceMemory   = 20 << 20
	evaluationBytes = 740
	itemBytes       = 24
	characterBytes  = 2
	firstPlaces     = 10
)

// hold checks that an operation may hold n values of size bytes each.
func (g *budget) hold(n float64, size int) error {
	if g.memory > 0 && n*float64(size) > float64(g.memory) {
		return fail(CodeLimit).limited(memoryLimit)
	}
	return nil
}

// grow checks that an array may grow item by item to n items.
func (g *budget) grow(n float64) error {
	if g.memory == 0 || n <= firstPlaces {
		return nil
	}
	before, places := 0.0, float64(firstPlaces)
	for places < n {
		before, places = places, places+math.Floor(places/2)
	}
	return g.hold(before+places, itemBytes)
}

// functionsOf are the functions of a profile.
func functionsOf(hosts []HostFunction, definitions []definition) map[string]*function {
	all := make(map[string]*function, len(hosts)+len(definitions))
	for _, host := range hosts {
		all[host.Name] = &function{name: host.Name, arity: host.Arity, sig: mustSignature(host.Signature), native: host.native}
	}
	for _, d := range definitions {
		all[d.name] = &function{name: d.name, arity: d.arity, sig: mustSignature(d.signature), native: d.native}
	}
	return all
}

// worded gives an error of a limit the profile's wording.
func (p *Profile) worded(err error) error {
	var e *Error
	if errors.As(err, &e) {
		if words := p.wordings[e.limit]; words != "" {
			e.Message, e.Uncoded = words, true
			e.Own = e.Own && e.limit != depthLimit
		}
	}
	return err
}

// serviceNumber is the number as the service keeps it: an integer of 64 bits or a double.
func serviceNumber(n value.Number) value.Number {
	if n.IsInteger() {
		if _, ok := n.Int64(); ok && n.Text() != "-0" {
			return n
		}
	}
	if i, ok := n.Int64(); ok {
		return value.Int(i).(value.Number)
	}
	if kept, ok := newNumber(n.Float64()).(value.Number); ok && kept.Text() != n.Text() {
		return kept
	}
	return n
}

// normalized returns v with its numbers as the function gives them. Parts in which none changes are shared.
func (g *budget) normalized(v value.Value, number func(value.Number) value.Number, depth int) (value.Value, error) {
	if depth > maxNesting {
		return nil, tooDeep()
	}
	switch v := v.(type) {
	case value.Number:
		return number(v), nil
	case *value.Array:
		if err := g.step(v.Len()); err != nil {
			return nil, err
		}
		var items []value.Value
		for i, item := range v.All() {
			now, err := g.normalized(item, number, depth+1)
			if err != nil {
				return nil, err
			}
			if items == nil && now != item {
				items = make([]value.Value, v.Len())
				for j := range i {
					items[j] = v.At(j)
				}
			}
			if items != nil {
				items[i] = now
			}
		}
		if items != nil {
			return value.NewArray(items), nil
		}
	case *value.Object:
		if err := g.step(v.Len()); err != nil {
			return nil, err
		}
		var members []value.Member
		for i := range v.Len() {
			member := v.At(i)
			now, err := g.normalized(member.Value, number, depth+1)
			if err != nil {
				return nil, err
			}
			if members == nil && now != member.Value {
				members = make([]value.Member, v.Len())
				for j := range i {
					members[j] = v.At(j)
				}
			}
			if members != nil {
				members[i] = value.Member{Key: member.Key, Value: now}
			}
		}
		if members != nil {
			return value.NewObject(members), nil
		}
	}
	return v, nil
}

// truncated returns argument i cut towards zero; false where it isn't a number.
func truncated(args []value.Value, i int) (float64, bool) {
	if i >= len(args) {
		return 0, false
	}
	f, ok := value.Double(any(args[i]))
	return math.Trunc(f), ok && !math.IsInf(f, 0) && f == f
}

// serviceRange gives the numbers from argument 0 to argument 1 in steps of argument 2; nothing where no step leads there.
func serviceRange(env Env, args []value.Value) (value.Value, error) {
	from, okFrom := truncated(args, 0)
	to, okTo := truncated(args, 1)
	step, okStep := truncated(args, 2)
	if !okFrom || !okTo || !okStep || step == 0 {
		return nil, nil
	}
	count := math.Floor((to-from)/step) + 1
	if count < 1 {
		return nil, nil
	}
	g := budget{memory: env.Profile.memory}
	if err := g.grow(count); err != nil {
		return nil, err
	}
	return numbersFrom(from, step, int(count)), nil
}

// serviceRandom draws a number; with a seed the one that java.util.Random draws first.
func serviceRandom(env Env, args []value.Value) (value.Value, error) {
	if len(args) == 0 || args[0] == nil {
		return seededRandom(env, nil)
	}
	seed, ok := truncated(args, 0)
	if !ok {
		return nil, nil
	}
	return newNumber(JavaRandom(int64(math.Max(math.MinInt64, math.Min(seed, math.MaxInt64)))).Double()), nil
}

// beyondDouble reports whether v holds a number that isn't a double.
func beyondDouble(v value.Value) bool {
	switch v := v.(type) {
	case value.Number:
		return math.IsInf(v.Float64(), 0)
	case *value.Array:
		for _, item := range v.All() {
			if beyondDouble(item) {
				return true
			}
		}
	case *value.Object:
		for _, member := range v.All() {
			if beyondDouble(member) {
				return true
			}
		}
	}
	return false
}

// Java is the generator of java.util.Random, as Java's documentation defines it: a linear congruential generator of 48 bits. The
// service draws from it where a seed is given.
type Java struct{ state uint64 }

const (
	javaMultiplier = 0x5DEECE66D
	javaMask       = 1<<48 - 1
)

// JavaRandom returns the generator of new java.util.Random(seed).
func JavaRandom(seed int64) *Java { return &Java{(uint64(seed) ^ javaMultiplier) & javaMask} }

func (j *Java) next(bits uint) uint64 {
	j.state = (j.state*javaMultiplier + 0xB) & javaMask
	return j.state >> (48 - bits)
}

// Double is nextDouble: a number from 0 (included) to 1 (excluded).
func (j *Java) Double() float64 {
	high := j.next(26) << 27
	return float64(high+j.next(27)) / (1 << 53)
}

// Below is nextInt(bound): a number from 0 (included) to bound (excluded), which is above 0.
func (j *Java) Below(bound int32) int64 {
	if bound&-bound == bound { // a power of 2
		return int64(uint64(bound) * j.next(31) >> 31)
	}
	for {
		drawn := int32(j.next(31))
		rest := drawn % bound
		if drawn-rest+(bound-1) >= 0 { // else the numbers would not be equally likely: the sum overflows
			return int64(rest)
		}
	}
}
