package jsonata

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"asldb/engine/value"
)

// symbols are the characters that a picture of $formatNumber is made of.
type symbols struct {
	decimal, grouping, exponent, minus, percent, perMille, digit, pattern string
	zero                                                                  rune
}

// symbolsOf reads the options of $formatNumber.
func symbolsOf(options any) symbols {
	o, _ := fieldsOf(options)
	get := func(name, usual string) string {
		if o.given == nil && o.built == nil {
			return usual
		}
		if v, ok := o.get(name).(value.String); ok {
			return string(v)
		}
		return usual
	}
	zero, _ := utf8.DecodeRuneInString(get("zero-digit", "0"))
	return symbols{
		decimal: get("decimal-separator", "."), grouping: get("grouping-separator", ","), exponent: get("exponent-separator", "e"),
		minus: get("minus-sign", "-"), percent: get("percent", "%"), perMille: get("per-mille", "‰"), digit: get("digit", "#"),
		pattern: get("pattern-separator", ";"), zero: zero,
	}
}

// isDigit reports whether c is a digit that is always written.
func (s *symbols) isDigit(c string) bool {
	r, _ := utf8.DecodeRuneInString(c)
	return r >= s.zero && r <= s.zero+9
}

// active reports whether c has a meaning in a picture.
func (s *symbols) active(c string) bool {
	return s.isDigit(c) || c == s.decimal || c == s.exponent || c == s.grouping || c == s.digit || c == s.pattern
}

// digits counts the digits in part that are always written, and all.
func (s *symbols) digits(part string) (mandatory, all int) {
	for _, c := range characters(part) {
		switch {
		case s.isDigit(c):
			mandatory++
			all++
		case c == s.digit:
			all++
		}
	}
	return mandatory, all
}

func characters(s string) []string {
	out := make([]string, 0, len(s))
	for _, r := range s {
		out = append(out, string(r))
	}
	return out
}

// subPicture is an analysed part of a picture (XPath functions 3.1, section 4.7).
type subPicture struct {
	text, prefix, suffix              string
	mantissa, exponent                string
	integer, fraction                 string
	hasExponent                       bool
	minInteger, minFraction           int
	maxFraction, minExponent, scaling int
	integerGroups, fractionGroups     []int
	regularGroup                      int
	activePart                        string
	decimalCount                      int
}

// maxFractionDigits is the limit of JavaScript's toFixed.
const maxFractionDigits = 100

func formatNumber(c *call) (any, error) {
	f, ok := value.Double(c.arg(0))
	if !ok {
		return nil, nil
	}
	picture, _ := c.textArg(1)
	if len(picture) > maxPicture {
		return nil, stopped("the picture is too long")
	}
	s := symbolsOf(c.arg(2))
	texts := []string{picture}
	if s.pattern != "" {
		texts = strings.Split(picture, s.pattern)
	}
	if len(texts) > 2 {
		return nil, fail("D3080")
	}
	var pictures []*subPicture
	for _, text := range texts {
		p := s.split(text)
		if code := s.check(p); code != "" {
			return nil, fail(code)
		}
		s.analyse(p)
		pictures = append(pictures, p)
	}
	if len(pictures) == 1 {
		negative := *pictures[0]
		negative.prefix = s.minus + negative.prefix
		pictures = append(pictures, &negative)
	}
	p := pictures[0]
	if !(f >= 0) {
		p = pictures[1]
	}
	if math.IsInf(f, 0) || f != f {
		return nil, fail("D1001").value(f)
	}
	text := s.format(p, f)
	return value.String(text), c.run.takeText(len(text))
}

// split divides a sub-picture into its parts.
func (s *symbols) split(text string) *subPicture {
	p := &subPicture{text: text}
	chars := characters(text)
	first, last := -1, -1
	for i, c := range chars {
		if s.active(c) && c != s.exponent {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 { // nothing but passive characters
		p.activePart, p.mantissa = text, text
		p.integer = text
		return p
	}
	p.prefix, p.suffix = strings.Join(chars[:first], ""), strings.Join(chars[last+1:], "")
	p.activePart = strings.Join(chars[first:last+1], "")
	p.mantissa = p.activePart
	if at := strings.Index(p.activePart, s.exponent); s.exponent != "" && at >= 0 {
		p.mantissa, p.exponent, p.hasExponent = p.activePart[:at], p.activePart[at+len(s.exponent):], true
	} else if strings.HasPrefix(p.suffix, s.exponent) && s.exponent != "" {
		p.hasExponent = true
	}
	p.integer, p.fraction = p.mantissa, p.suffix
	if at := strings.Index(p.mantissa, s.decimal); s.decimal != "" && at >= 0 {
		p.integer, p.fraction = p.mantissa[:at], p.mantissa[at+len(s.decimal):]
	}
	return p
}

// check returns the code of the error in a sub-picture, "" for none. The last error counts.
func (s *symbols) check(p *subPicture) (code string) {
	has := func(symbol string) int {
		if symbol == "" {
			return 0
		}
		return strings.Count(p.text, symbol)
	}
	p.decimalCount = has(s.decimal)
	set := func(wrong bool, c string) {
		if wrong {
			code = c
		}
	}
	set(p.decimalCount > 1, "D3081")
	set(has(s.percent) > 1, "D3082")
	set(has(s.perMille) > 1, "D3083")
	set(has(s.percent) > 0 && has(s.perMille) > 0, "D3084")
	_, all := s.digits(p.mantissa)
	set(all == 0, "D3085")
	for _, c := range characters(p.activePart) {
		set(!s.active(c), "D3086")
	}
	if p.decimalCount > 0 {
		set(has(s.grouping+s.decimal) > 0 || has(s.decimal+s.grouping) > 0, "D3087")
	} else {
		set(s.grouping != "" && strings.HasSuffix(p.integer, s.grouping), "D3088")
	}
	set(s.grouping != "" && has(s.grouping+s.grouping) > 0, "D3089")
	if at := strings.Index(p.integer, s.digit); s.digit != "" && at >= 0 {
		mandatory, _ := s.digits(p.integer[:at])
		set(mandatory > 0, "D3090")
	}
	if at := strings.LastIndex(p.fraction, s.digit); s.digit != "" && at >= 0 {
		mandatory, _ := s.digits(p.fraction[at:])
		set(mandatory > 0, "D3091")
	}
	if p.hasExponent {
		set(p.exponent != "" && has(s.percent)+has(s.perMille) > 0, "D3092")
		mandatory, _ := s.digits(p.exponent)
		set(mandatory == 0 || mandatory != utf8.RuneCountInString(p.exponent), "D3093")
	}
	return code
}

// analyse computes sizes and groupings.
func (s *symbols) analyse(p *subPicture) {
	p.integerGroups = s.groups(p.integer, false)
	p.regularGroup = s.regular(p.integerGroups)
	p.fractionGroups = s.groups(p.fraction, true)
	p.minInteger, _ = s.digits(p.integer)
	p.scaling = p.minInteger
	p.minFraction, p.maxFraction = s.digits(p.fraction)
	if p.minInteger == 0 && p.maxFraction == 0 {
		if p.hasExponent {
			p.minFraction, p.maxFraction = 1, 1
		} else {
			p.minInteger = 1
		}
	}
	if p.hasExponent && p.minInteger == 0 && s.digit != "" && strings.Contains(p.integer, s.digit) {
		p.minInteger = 1
	}
	if p.minInteger == 0 && p.minFraction == 0 {
		p.minFraction = 1
	}
	p.minExponent, _ = s.digits(p.exponent)
	p.maxFraction = min(p.maxFraction, maxFractionDigits)
}

// groups returns where grouping separators are: the number of digits to the right of each, or to its left.
func (s *symbols) groups(part string, toLeft bool) (out []int) {
	if s.grouping == "" {
		return nil
	}
	for from := 0; ; {
		at := strings.Index(part[from:], s.grouping)
		if at < 0 {
			return out
		}
		at += from
		side := part[at:]
		if toLeft {
			side = part[:at]
		}
		_, all := s.digits(side)
		out = append(out, all)
		from = at + len(s.grouping)
	}
}

func (s *symbols) regular(groups []int) int {
	separators := make([]separator, len(groups))
	for i := range groups {
		separators[i].position = groups[i]
	}
	return regularInterval(separators)
}

// format writes a number by a sub-picture.
func (s *symbols) format(p *subPicture, f float64) string {
	switch {
	case s.percent != "" && strings.Contains(p.text, s.percent):
		f *= 100
	case s.perMille != "" && strings.Contains(p.text, s.perMille):
		f *= 1000
	}
	exponent := 0
	if p.minExponent > 0 {
		f, exponent = scale(math.Abs(f), p.scaling)
	}
	rounded := math.Abs(f)
	if rounded < 1e21 { // beyond it has no fraction
		rounded = math.Abs(round(f, p.maxFraction))
	}
	text := strconv.FormatFloat(rounded, 'f', p.maxFraction, 64)
	if rounded >= 1e21 { // its digits as it is written, not as it is kept
		text = strconv.FormatFloat(rounded, 'f', -1, 64)
	}
	whole, fraction, _ := strings.Cut(text, ".")
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if missing := p.minInteger - len(whole); missing > 0 {
		whole = strings.Repeat("0", missing) + whole
	}
	if missing := p.minFraction - len(fraction); missing > 0 {
		fraction += strings.Repeat("0", missing)
	}
	var b strings.Builder
	b.WriteString(p.prefix)
	s.writeWhole(&b, whole, p)
	if p.decimalCount > 0 && fraction != "" {
		b.WriteString(s.decimal)
		s.writeFraction(&b, fraction, p)
	}
	if p.minExponent > 0 {
		digits := strconv.Itoa(max(exponent, -exponent))
		if missing := p.minExponent - len(digits); missing > 0 {
			digits = strings.Repeat("0", missing) + digits
		}
		b.WriteString(s.exponent)
		if exponent < 0 {
			b.WriteString(s.minus)
		}
		s.writeDigits(&b, digits)
	}
	b.WriteString(p.suffix)
	return b.String()
}

// scale brings f between 10^(digits-1) and 10^digits and returns by which power of ten.
func scale(f float64, digits int) (mantissa float64, exponent int) {
	if f == 0 {
		return 0, 0
	}
	least, most := math.Pow10(digits-1), math.Pow10(digits)
	for f < least {
		f *= 10
		exponent--
	}
	for f > most {
		f /= 10
		exponent++
	}
	return f, exponent
}

func (s *symbols) writeDigits(b *strings.Builder, digits string) {
	for i := 0; i < len(digits); i++ {
		b.WriteRune(s.zero + rune(digits[i]-'0'))
	}
}

func (s *symbols) writeWhole(b *strings.Builder, whole string, p *subPicture) {
	for i := range whole {
		left := len(whole) - i
		if p.regularGroup > 0 && i > 0 && left%p.regularGroup == 0 {
			b.WriteString(s.grouping)
		}
		for _, position := range p.integerGroups {
			if p.regularGroup == 0 && position == left {
				b.WriteString(s.grouping)
			}
		}
		s.writeDigits(b, whole[i:i+1])
	}
}

func (s *symbols) writeFraction(b *strings.Builder, fraction string, p *subPicture) {
	for i := range fraction {
		for _, position := range p.fractionGroups {
			if position == i && i > 0 {
				b.WriteString(s.grouping)
			}
		}
		s.writeDigits(b, fraction[i:i+1])
	}
}
