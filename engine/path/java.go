package path

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"asldb/engine/value"
)

// These functions copy Java's form and order of values, with which Jayway compares and quotes them.

// numberOf returns the number of a document. Its text is only made where it is wanted.
func numberOf(n value.Number) node { return node{kind: numberNode, number: n} }

// decimalOf reads a number as java.math.BigDecimal does: 01, .5 and 1. are numbers too.
func decimalOf(text string) (node, bool) {
	sign, digits := "", text
	if strings.HasPrefix(digits, "-") || strings.HasPrefix(digits, "+") {
		sign, digits = strings.TrimPrefix(text[:1], "+"), digits[1:]
	}
	mantissa, exponent := digits, ""
	if at := strings.IndexAny(digits, "eE"); at >= 0 {
		mantissa, exponent = digits[:at], digits[at:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" {
		return node{}, false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	n, err := value.ParseNumber(sign + whole + fraction + exponent)
	if err != nil {
		return node{}, false
	}
	return node{kind: numberNode, number: n, text: bigDecimalText(n.Text())}, true
}

// numberText is the number as BigDecimal's toString writes it. A number of a document that has a
// fraction or an exponent has gone through a Java double before.
func (a node) numberText() string {
	if a.text != "" {
		return a.text
	}
	if a.number.IsInteger() {
		return bigDecimalText(a.number.Text())
	}
	return bigDecimalText(doubleText(a.number.Float64()))
}

// doubleText writes f as java.lang.Double does: 100.0, 1.0E10, 1.0E-5.
func doubleText(f float64) string {
	if plain := f == 0 || (f >= 1e-3 && f < 1e7) || (f <= -1e-3 && f > -1e7); plain {
		text := strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	n, err := strconv.Atoi(exponent)
	if err != nil { // an infinity
		return mantissa
	}
	return mantissa + "E" + strconv.Itoa(n)
}

// maxScale keeps a hostile exponent from being written out.
const maxScale = 10_000

// bigDecimalText writes a JSON number as java.math.BigDecimal's toString does: digits as they are,
// an exponent only where the scale is negative or the number very small.
func bigDecimalText(text string) string {
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	mantissa, exponent := text, 0
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		n, err := strconv.Atoi(text[at+1:])
		if err != nil || n > maxScale || n < -maxScale {
			return sign + text
		}
		mantissa, exponent = text[:at], n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		digits, sign = "0", ""
	}
	scale := len(fraction) - exponent
	adjusted := len(digits) - 1 - scale
	switch {
	case scale == 0:
		return sign + digits
	case scale > 0 && adjusted >= -6:
		if pad := scale + 1 - len(digits); pad > 0 {
			digits = strings.Repeat("0", pad) + digits
		}
		return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	out := sign + digits[:1]
	if len(digits) > 1 {
		out += "." + digits[1:]
	}
	if adjusted == 0 {
		return out
	}
	plus := ""
	if adjusted > 0 {
		plus = "+"
	}
	return out + "E" + plus + strconv.Itoa(adjusted)
}

// compareUTF16 orders strings by UTF-16 code unit, as Java's compareTo does. That differs from the
// order of the bytes where a surrogate pair meets U+E000 to U+FFFF.
func compareUTF16(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	for i > 0 && (i < len(a) && !utf8.RuneStart(a[i]) || i < len(b) && !utf8.RuneStart(b[i])) {
		i--
	}
	x, xSize := utf8.DecodeRuneInString(a[i:])
	y, ySize := utf8.DecodeRuneInString(b[i:])
	switch {
	case xSize == 0 || ySize == 0:
		return strings.Compare(a[i:], b[i:])
	case (x >= 0x10000) == (y >= 0x10000):
		return strings.Compare(a[i:], b[i:])
	case x >= 0x10000: // begins with a surrogate, D800 to DBFF
		if y >= 0xE000 {
			return -1
		}
		return 1
	}
	if x >= 0xE000 {
		return 1
	}
	return -1
}

func lengthUTF16(s string) int {
	n := 0
	for _, r := range s {
		if n++; r >= 0x10000 {
			n++
		}
	}
	return n
}

// javaClass names the class that Jayway's default provider holds v in.
func javaClass(v value.Value) string {
	switch v := v.(type) {
	case value.Bool:
		return "java.lang.Boolean"
	case value.String:
		return "java.lang.String"
	case value.Number:
		if !v.IsInteger() {
			return "java.lang.Double"
		}
		n, ok := v.Int64()
		switch {
		case !ok:
			return "java.math.BigInteger"
		case int64(int32(n)) == n:
			return "java.lang.Integer"
		}
		return "java.lang.Long"
	case *value.Array:
		return "net.minidev.json.JSONArray"
	case *value.Object:
		return "java.util.LinkedHashMap"
	}
	return "null"
}

// javaText writes v as Java's toString does: {a=1, b=text}. Arrays are JSON.
func javaText(v value.Value) string {
	switch v := v.(type) {
	case value.String:
		return string(v)
	case *value.Object:
		parts := make([]string, 0, v.Len())
		for key, member := range v.All() {
			parts = append(parts, key+"="+javaText(member))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return value.Compact(v)
}
