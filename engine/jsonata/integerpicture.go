package jsonata

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"asldb/engine/value"
)

// numberStyle is how a picture writes an integer.
type numberStyle uint8

const (
	decimalStyle  numberStyle = iota
	lettersStyle              // a, b, … z, aa
	romanStyle                // i, ii, iii
	wordsStyle                // one, two
	sequenceStyle             // any other, which is not supported
)

// letterCase is how letters are written.
type letterCase uint8

const (
	lowerCase letterCase = iota
	upperCase
	titleCase
)

// integerPicture is an analysed picture of $formatInteger, or of a component of a date.
type integerPicture struct {
	style     numberStyle
	letters   letterCase
	ordinal   bool
	zero      rune // the digit 0 of the family used
	mandatory int  // digits that are always written
	optional  int
	// Separators, from right to left: behind how many digits, and which character. Regular ones repeat.
	separators []separator
	regular    int
	token      string
	// How many digits are read: 0 for any number.
	minWidth, maxWidth int
}

type separator struct {
	position int
	char     rune
}

// maxDigits bounds the digits that a picture can ask for.
const maxDigits = 10_000

// zeroOf returns the zero of the family of decimal digits that r belongs to; false when r isn't a digit.
func zeroOf(r rune) (rune, bool) {
	if r >= '0' && r <= '9' {
		return '0', true
	}
	for _, part := range unicode.Nd.R16 {
		if r >= rune(part.Lo) && r <= rune(part.Hi) {
			return rune(part.Lo) + (r-rune(part.Lo))/10*10, true
		}
	}
	for _, part := range unicode.Nd.R32 {
		if r >= rune(part.Lo) && r <= rune(part.Hi) {
			return rune(part.Lo) + (r-rune(part.Lo))/10*10, true
		}
	}
	return 0, false
}

// parseIntegerPicture analyses a picture (XPath functions 3.1, section 4.6.1).
func parseIntegerPicture(picture string) (*integerPicture, error) {
	p := &integerPicture{}
	primary := picture
	if at := strings.LastIndexByte(picture, ';'); at >= 0 {
		primary = picture[:at]
		p.ordinal = strings.HasPrefix(picture[at+1:], "o")
	}
	switch primary {
	case "A":
		p.style, p.letters = lettersStyle, upperCase
	case "a":
		p.style = lettersStyle
	case "I":
		p.style, p.letters = romanStyle, upperCase
	case "i":
		p.style = romanStyle
	case "W":
		p.style, p.letters = wordsStyle, upperCase
	case "Ww":
		p.style, p.letters = wordsStyle, titleCase
	case "w":
		p.style = wordsStyle
	default:
		return p, p.decimal(primary)
	}
	return p, nil
}

// decimal analyses a pattern of digits.
func (p *integerPicture) decimal(pattern string) error {
	position := 0
	runes := []rune(pattern)
	if len(runes) > maxDigits {
		return stopped("the picture is too long")
	}
	for i := len(runes) - 1; i >= 0; i-- {
		zero, isDigit := zeroOf(runes[i])
		switch {
		case isDigit:
			if p.mandatory > 0 && zero != p.zero {
				return fail("D3131")
			}
			p.zero = zero
			p.mandatory++
			position++
		case runes[i] == '#':
			p.optional++
			position++
		default:
			p.separators = append(p.separators, separator{position, runes[i]})
		}
	}
	if p.mandatory == 0 {
		p.style, p.token = sequenceStyle, pattern
		return nil
	}
	p.regular = regularInterval(p.separators)
	return nil
}

// regularInterval returns the interval at which the same separator repeats, 0 when it does not.
func regularInterval(separators []separator) int {
	if len(separators) == 0 {
		return 0
	}
	factor := 0
	at := map[int]bool{}
	for _, s := range separators {
		if s.char != separators[0].char {
			return 0
		}
		factor = gcd(s.position, factor)
		at[s.position] = true
	}
	for i := range separators {
		if !at[(i+1)*factor] {
			return 0
		}
	}
	return factor
}

// exactly lets so many digits be read.
func (p *integerPicture) exactly(digits int) { p.minWidth, p.maxWidth = digits, digits }

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func formatInteger(c *call) (any, error) {
	f, ok := value.Double(c.arg(0))
	if !ok {
		return nil, nil
	}
	picture, _ := c.textArg(1)
	p, err := parseIntegerPicture(picture)
	if err != nil {
		return nil, err
	}
	text, err := p.format(math.Floor(f))
	if err != nil {
		return nil, err
	}
	return value.String(text), c.run.takeText(len(text))
}

// format writes a whole number.
func (p *integerPicture) format(f float64) (text string, err error) {
	size := math.Abs(f)
	if p.style != decimalStyle && (math.IsInf(f, 0) || p.style == wordsStyle && f != f) {
		return "", fail("D1001").value(f)
	}
	switch p.style {
	case lettersStyle:
		text = lettersOf(size, p.letters == upperCase)
	case romanStyle:
		text, err = romanOf(size)
	case wordsStyle:
		text = wordsOf(size, p.ordinal)
	case sequenceStyle:
		return "", fail("D3130").value(value.String(p.token))
	default:
		text = p.digits(numberText(size))
	}
	switch {
	case p.style == romanStyle && p.letters == upperCase, p.style == wordsStyle && p.letters == upperCase:
		text = strings.ToUpper(text)
	case p.style == wordsStyle && p.letters == lowerCase:
		text = strings.ToLower(text)
	}
	if f < 0 {
		text = "-" + text
	}
	return text, err
}

// digits writes the digits of a number with the picture's padding, separators and digit family.
func (p *integerPicture) digits(text string) string {
	if missing := p.mandatory - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	out := make([]rune, 0, len(text)+len(p.separators))
	for _, r := range text {
		if p.zero != '0' {
			r += p.zero - '0'
		}
		out = append(out, r)
	}
	if p.regular > 0 {
		for at := (len(out) - 1) / p.regular * p.regular; at > 0; at -= p.regular {
			out = slices.Insert(out, len(out)-at, p.separators[0].char)
		}
	} else {
		for i := len(p.separators) - 1; i >= 0; i-- {
			out = insertSeparator(out, p.separators[i])
		}
	}
	if p.ordinal {
		return string(out) + ordinalSuffix(out)
	}
	return string(out)
}

// insertSeparator puts a separator in. Where there are too few digits for it, it is written first, and the
// reference implementation drops digits; so does this.
func insertSeparator(digits []rune, s separator) []rune {
	at := len(digits) - s.position
	if at < 0 {
		digits, at = digits[max(len(digits)+at, 0):], 0
	}
	return slices.Insert(slices.Clone(digits), at, s.char)
}

// ordinalSuffix returns the suffix of an ordinal number: 1st, 12th, 23rd.
func ordinalSuffix(digits []rune) string {
	n := len(digits)
	if n > 1 && digits[n-2] == '1' {
		return "th"
	}
	switch digits[n-1] {
	case '1':
		return "st"
	case '2':
		return "nd"
	case '3':
		return "rd"
	}
	return "th"
}

func parseInteger(c *call) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	picture, _ := c.textArg(1)
	p, err := parseIntegerPicture(picture)
	if err != nil {
		return nil, err
	}
	f, err := p.parse(s)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// pattern is the regular expression of the texts that the picture can read.
func (p *integerPicture) pattern() (string, error) {
	upper := p.letters == upperCase
	switch {
	case p.style == lettersStyle && upper:
		return "[A-Z]+", nil
	case p.style == lettersStyle:
		return "[a-z]+", nil
	case p.style == romanStyle && upper:
		return "[MDCLXVI]+", nil
	case p.style == romanStyle:
		return "[mdclxvi]+", nil
	case p.style == wordsStyle:
		return wordsPattern, nil
	case p.style == sequenceStyle:
		return "", fail("D3130").value(value.String(p.token))
	}
	out := "[0-9]+"
	if p.maxWidth > 0 {
		out = "[0-9]{" + strconv.Itoa(min(p.minWidth, 1000)) + "," + strconv.Itoa(min(p.maxWidth, 1000)) + "}"
	}
	if p.ordinal {
		out += "(?:th|st|nd|rd)"
	}
	return out, nil
}

// parse reads a text as the picture writes it. A text that isn't a number gives NaN.
func (p *integerPicture) parse(s string) (float64, error) {
	switch p.style {
	case lettersStyle:
		return lettersValue(s, p.letters == upperCase), nil
	case romanStyle:
		return romanValue(strings.ToUpper(s)), nil
	case wordsStyle:
		return wordsValue(strings.ToLower(s)), nil
	case sequenceStyle:
		return 0, fail("D3130").value(value.String(p.token))
	case decimalStyle:
	}
	if p.ordinal && len(s) >= 2 {
		s = s[:len(s)-2]
	}
	if p.regular > 0 {
		s = strings.ReplaceAll(s, ",", "") // whatever the separator is, as in the reference implementation
	} else {
		for _, separator := range p.separators {
			s = strings.ReplaceAll(s, string(separator.char), "")
		}
	}
	if p.zero != '0' {
		s = strings.Map(func(r rune) rune { return r - p.zero + '0' }, s)
	}
	return leadingInteger(s), nil
}

// leadingInteger is JavaScript's parseInt: the integer that s begins with, NaN when there is none. Behind 0x
// it is hexadecimal.
func leadingInteger(s string) float64 {
	s = strings.TrimLeft(s, " \t\n\r")
	end := 0
	if end < len(s) && (s[end] == '-' || s[end] == '+') {
		end++
	}
	start := end
	if rest := s[start:]; len(rest) > 2 && rest[0] == '0' && rest[1]|0x20 == 'x' && unhex(rest[2]) >= 0 {
		digits := rest[2:]
		for end = 0; end < len(digits) && unhex(digits[end]) >= 0; end++ {
		}
		f := prefixed(digits[:end], 'x')
		if s[0] == '-' {
			return -f
		}
		return f
	}
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if end == start || !utf8.ValidString(s[:end]) {
		return math.NaN()
	}
	f, _ := strconv.ParseFloat(s[:end], 64)
	return f
}
