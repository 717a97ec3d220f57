package value

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Number is a JSON number that keeps the text it was written with.
// The zero Number is the number 0.
type Number struct{ text string }

// smallInts saves the allocations for the integers that counters and indexes go through.
var smallInts = func() (table [1024]Value) {
	for i := range table {
		table[i] = Number{strconv.Itoa(i)}
	}
	return table
}()

// Int returns n as a JSON number.
func Int(n int64) Value {
	if n >= 0 && n < int64(len(smallInts)) {
		return smallInts[n]
	}
	return Number{strconv.FormatInt(n, 10)}
}

// Float returns f as a JSON number in its shortest form. A whole number is written without a
// fraction. NaN and the infinities have no JSON form: Float returns Null for them.
func Float(f float64) Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Null{}
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e18 {
		return Int(int64(f))
	}
	return Number{strconv.FormatFloat(f, 'g', -1, 64)}
}

// ParseNumber returns the number that text is the JSON form of.
// It returns an error when text is not exactly one JSON number (RFC 8259, section 6).
func ParseNumber(text string) (Number, error) {
	if !isNumber(text) {
		return Number{}, fmt.Errorf("not a JSON number: %q", text)
	}
	return Number{text}, nil
}

// Text returns the number as it was written.
func (n Number) Text() string {
	if n.text == "" {
		return "0"
	}
	return n.text
}

// IsInteger reports whether the number was written without fraction and exponent.
func (n Number) IsInteger() bool { return !strings.ContainsAny(n.text, ".eE") }

// Int64 returns the number as an integer; ok is false when it has a fraction or does not fit.
// 2.0 and 2e0 are the integer 2.
func (n Number) Int64() (i int64, ok bool) {
	if i, ok = smallInteger(n.text); ok {
		return i, true
	}
	if i, err := strconv.ParseInt(n.Text(), 10, 64); err == nil {
		return i, true
	}
	if f := n.Float64(); f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
		return int64(f), true
	}
	return 0, false
}

// Double returns the double that v is, a float64 or a [Number], and false where it is neither.
func Double(v any) (f float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case Number:
		return v.Float64(), true
	}
	return 0, false
}

// Float64 returns the nearest double. A number beyond the range of doubles gives an infinity.
func (n Number) Float64() float64 {
	if i, ok := smallInteger(n.text); ok {
		return float64(i)
	}
	f, _ := strconv.ParseFloat(n.Text(), 64) // on a range error f is the infinity wanted
	return f
}

// smallInteger reads an integer of up to 15 digits, which is exact as int64 and as double alike.
func smallInteger(s string) (int64, bool) {
	digits := s
	if len(s) > 0 && s[0] == '-' {
		digits = s[1:]
	}
	if len(digits) == 0 || len(digits) > 15 {
		return 0, len(s) == 0
	}
	var n int64
	for i := 0; i < len(digits); i++ {
		d := digits[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + int64(d)
	}
	if len(digits) != len(s) {
		n = -n
	}
	return n, true
}

// maxExactExponent bounds the exact comparison of numbers: beyond it (1e400 and the like) doubles decide.
const maxExactExponent = 400

// Compare returns -1, 0 or +1 as n is below, equal to or above m, by value: 1 equals 1.0 and 1e0.
// The comparison is exact also where doubles are not.
func (n Number) Compare(m Number) int {
	if n.text == m.text {
		return 0
	}
	if a, ok := smallInteger(n.text); ok {
		if b, ok := smallInteger(m.text); ok {
			return compareInts(a, b)
		}
	}
	a, b := n.Float64(), m.Float64()
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	if !exactlyComparable(n.text) || !exactlyComparable(m.text) {
		return 0
	}
	x, okX := new(big.Rat).SetString(n.Text())
	y, okY := new(big.Rat).SetString(m.Text())
	if !okX || !okY {
		return 0
	}
	return x.Cmp(y)
}

func compareInts(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// exactlyComparable keeps a hostile exponent (1e999999999) from being expanded to digits.
func exactlyComparable(text string) bool {
	at := strings.IndexAny(text, "eE")
	if at < 0 {
		return true
	}
	exponent, err := strconv.Atoi(text[at+1:])
	return err == nil && exponent <= maxExactExponent && exponent >= -maxExactExponent
}

// isNumber reports whether s is one number by the grammar of RFC 8259, section 6.
func isNumber(s string) bool {
	i := 0
	digits := func() bool {
		start := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > start
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if leading := i; !digits() || (s[leading] == '0' && i > leading+1) {
		return false
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s)
}
