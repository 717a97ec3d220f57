package jsonata

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
)

var numbers = []definition{
	{"formatNumber", "<n-so?:s>", 3, formatNumber},
	{"formatBase", "<n-n?:s>", 2, formatBase},
	{"formatInteger", "<n-s:s>", 2, formatInteger},
	{"parseInteger", "<s-s:n>", 2, parseInteger},
	{"number", "<(nsb)-:n>", 1, toNumber},
	{"floor", "<n-:n>", 1, func(c *call) (any, error) { return mapNumber(c, math.Floor) }},
	{"ceil", "<n-:n>", 1, func(c *call) (any, error) { return mapNumber(c, math.Ceil) }},
	{"round", "<n-n?:n>", 2, roundFunction},
	{"abs", "<n-:n>", 1, func(c *call) (any, error) { return mapNumber(c, math.Abs) }},
	{"sqrt", "<n-:n>", 1, squareRoot},
	{"power", "<n-n:n>", 2, power},
	{"random", "<:n>", 0, random},
}

// mapNumber applies a function of Go to the number that is argument 0.
func mapNumber(c *call, f func(float64) float64) (any, error) {
	x, ok := value.Double(c.arg(0))
	if !ok {
		return nil, nil
	}
	return f(x), nil
}

var (
	decimalNumber = wording.Pattern(`^-?[0-9]+(\.[0-9]+)?([Ee][-+]?[0-9]+)?$`)
	prefixNumber  = wording.Pattern(`^(0[xX][0-9A-Fa-f]+|0[oO][0-7]+|0[bB][01]+)$`)
)

func toNumber(c *call) (any, error) {
	switch v := c.arg(0).(type) {
	case nil:
		return nil, nil
	case float64, value.Number:
		return v, nil
	case value.Bool:
		if v {
			return 1.0, nil
		}
		return 0.0, nil
	case value.String:
		switch text := string(v); {
		case decimalNumber().MatchString(text):
			if f, err := strconv.ParseFloat(text, 64); err == nil || f == 0 {
				return f, nil
			}
		case prefixNumber().MatchString(text):
			return prefixed(text[2:], text[1]), nil
		}
	}
	return nil, fail("D3030").argument(1).value(c.arg(0))
}

// prefixed is the value of digits behind 0x, 0o or 0b.
func prefixed(digits string, prefix byte) float64 {
	base := map[byte]float64{'x': 16, 'o': 8, 'b': 2}[prefix|0x20]
	f := 0.0
	for i := 0; i < len(digits); i++ {
		f = f*base + float64(unhex(digits[i]))
	}
	return f
}

// round rounds to precision digits behind the point, halves to the even neighbour. The point is moved in
// the decimal text, because a multiplication would add its own error.
func round(f float64, precision int) float64 {
	if precision != 0 {
		f = shift(f, precision)
	}
	out := math.Floor(f + 0.5)
	if f+0.5 == f { // too large for a fraction
		out = f
	}
	if diff := out - f; math.Abs(diff) == 0.5 && math.Abs(math.Mod(out, 2)) == 1 {
		out--
	}
	if precision != 0 {
		out = shift(out, -precision)
	}
	if out == 0 {
		return 0
	}
	return out
}

// shift multiplies f by a power of ten, exactly as the decimal text says.
func shift(f float64, places int) float64 {
	text := strconv.FormatFloat(f, 'e', -1, 64)
	at := strings.IndexByte(text, 'e')
	if at < 0 {
		return f
	}
	exponent, _ := strconv.Atoi(text[at+1:])
	out, _ := strconv.ParseFloat(text[:at]+"e"+strconv.Itoa(exponent+places), 64)
	return out
}

// precisionOf bounds a number of digits; doubles have none beyond.
func precisionOf(f float64) int {
	return int(math.Max(-400, math.Min(400, f)))
}

func roundFunction(c *call) (any, error) {
	f, ok := value.Double(c.arg(0))
	if !ok {
		return nil, nil
	}
	precision, _ := value.Double(c.arg(1))
	if precision != math.Trunc(precision) || math.Abs(precision) >= 1e21 {
		return math.NaN(), nil // as a power of ten in the decimal text it would be no number
	}
	return round(f, precisionOf(precision)), nil
}

func squareRoot(c *call) (any, error) {
	f, ok := value.Double(c.arg(0))
	if !ok {
		return nil, nil
	}
	if f < 0 {
		return nil, fail("D3060").argument(1).value(c.arg(0))
	}
	return math.Sqrt(f), nil
}

func power(c *call) (any, error) {
	f, ok := value.Double(c.arg(0))
	if !ok {
		return nil, nil
	}
	exponent, ok := value.Double(c.arg(1))
	if !ok {
		exponent = math.NaN()
	}
	out := math.Pow(f, exponent)
	if math.IsInf(out, 0) || out != out {
		return nil, fail("D3061").argument(1).values(c.arg(0), c.arg(1))
	}
	return out, nil
}

// random gives a number from 0 (included) to 1 (excluded).
func random(c *call) (any, error) {
	bits, err := c.run.randomBits()
	return unitInterval(bits), err
}

// unitInterval makes a double from 0 to 1 of random bits.
func unitInterval(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }

func (r *run) randomBits() (uint64, error) {
	if r.env.Random == nil {
		return 0, stopped("there is no source of random numbers")
	}
	return r.env.Random.Uint64(), nil
}

func formatBase(c *call) (any, error) {
	f, ok := value.Double(c.arg(0))
	if !ok {
		return nil, nil
	}
	f = round(f, 0)
	radix, ok := value.Double(c.arg(1))
	if !ok {
		radix = 10
	}
	radix = round(radix, 0)
	if radix < 2 || radix > 36 || radix != radix {
		return nil, fail("D3100").value(radix)
	}
	if radix == 10 {
		return value.String(numberText(f)), nil
	}
	if math.IsInf(f, 0) || f != f {
		return nil, fail("D1001").value(f)
	}
	return value.String(integerText(f, radix)), nil
}

// integerText writes an integer with any radix. The digits that a double beyond 2^53 does not determine are 0, as
// JavaScript's engines have it.
func integerText(f, radix float64) string {
	sign := ""
	if f < 0 {
		sign, f = "-", -f
	}
	if f < 1<<53 {
		return sign + strconv.FormatUint(uint64(f), int(radix))
	}
	var out []byte
	for f/radix >= 1<<53 {
		f /= radix
		out = append(out, '0')
	}
	for more := true; more; more = f > 0 {
		rest := math.Mod(f, radix)
		out = append(out, "0123456789abcdefghijklmnopqrstuvwxyz"[int(rest)])
		f = (f - rest) / radix
	}
	slices.Reverse(out)
	return sign + string(out)
}
