package jsonata

import (
	"math"
	"strings"

	"asldb/engine/value"
)

// isoPicture is how a time is written where no picture is given.
const isoPicture = "[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f001][Z01:01t]"

// defaultPresentation is how a component is written where its marker does not say.
var defaultPresentation = map[byte]string{
	'Y': "1", 'M': "1", 'D': "1", 'd': "1", 'F': "n", 'W': "1", 'w': "1", 'X': "1", 'x': "1", 'H': "1", 'h': "1",
	'P': "n", 'm': "01", 's': "01", 'f': "1", 'Z': "01:01", 'z': "01:01", 'C': "n", 'E': "n",
}

// datePart is one part of a picture for dates: literal text, or the marker of a component.
type datePart struct {
	literal   string
	component byte // 0 for literal text
	names     bool // written as a name, in the case of letters
	letters   letterCase
	integer   *integerPicture
	minWidth  int // 0 for none
	maxWidth  int
	digits    int // of a year: so many digits of it, -1 for all
	zulu      bool
}

// maxPicture bounds the length of a picture.
const maxPicture = 10_000

// parseDatePicture analyses a picture (XPath functions 3.1, section 9.8.4).
func parseDatePicture(picture string, extended bool) ([]datePart, error) {
	if len(picture) > maxPicture {
		return nil, stopped("the picture is too long")
	}
	var parts []datePart
	literal := func(text string) {
		if text != "" {
			parts = append(parts, datePart{literal: strings.ReplaceAll(text, "]]", "]")})
		}
	}
	for {
		at := strings.IndexByte(picture, '[')
		if at < 0 {
			literal(picture)
			return parts, nil
		}
		literal(picture[:at])
		picture = picture[at:]
		if strings.HasPrefix(picture, "[[") {
			parts = append(parts, datePart{literal: "["})
			picture = picture[2:]
			continue
		}
		end := strings.IndexByte(picture, ']')
		if end < 0 {
			return nil, fail("D3135")
		}
		part, err := parseMarker(strings.Join(strings.Fields(picture[1:end]), ""))
		if err != nil {
			return nil, err
		}
		if n := len(parts); extended && n > 0 && part.counts() && !part.names && parts[n-1].integer != nil {
			parts[n-1].integer.exactly(parts[n-1].integer.mandatory) // two numbers without anything between
		}
		if !extended {
			part.limitDigits()
		}
		parts = append(parts, part)
		picture = picture[end+1:]
	}
}

// counts reports whether the component is a separate number.
func (p *datePart) counts() bool {
	return p.component != 0 && strings.IndexByte("YMDdFWwXxHhmsf", p.component) >= 0
}

// parseMarker parses the text between the brackets.
func parseMarker(marker string) (datePart, error) {
	part := datePart{digits: -1}
	if marker == "" {
		return part, fail("D3132").value(value.String(""))
	}
	part.component = marker[0]
	presentation := marker[1:]
	if comma := strings.LastIndexByte(presentation, ','); comma >= 0 {
		lower, upper, _ := strings.Cut(presentation[comma+1:], "-")
		part.minWidth, part.maxWidth = pictureWidth(lower), pictureWidth(upper)
		presentation = presentation[:comma]
	}
	second := ""
	if n := len(presentation); n > 1 && strings.IndexByte("atco", presentation[n-1]) >= 0 {
		second, presentation = presentation[n-1:], presentation[:n-1]
	} else if n == 0 {
		presentation = defaultPresentation[part.component]
	}
	if presentation == "" {
		return part, fail("D3132").value(value.String(part.component))
	}
	part.zulu = second == "t"
	var err error
	switch {
	case presentation[0] == 'n':
		part.names = true
	case strings.HasPrefix(presentation, "Nn"):
		part.names, part.letters = true, titleCase
	case presentation[0] == 'N':
		part.names, part.letters = true, upperCase
	case part.counts():
		if second != "" {
			presentation += ";" + second
		}
		err = part.number(presentation)
	}
	if part.component == 'Z' || part.component == 'z' {
		part.integer, err = parseIntegerPicture(presentation)
	}
	return part, err
}

func pictureWidth(text string) int {
	if f := leadingInteger(text); f > 0 {
		return int(math.Min(f, maxDigits))
	}
	return 0
}

// number analyses the presentation of a component that is written as a number.
func (p *datePart) number(presentation string) (err error) {
	if p.integer, err = parseIntegerPicture(presentation); err != nil {
		return err
	}
	p.integer.mandatory = max(p.integer.mandatory, p.minWidth)
	if p.component != 'Y' {
		return nil
	}
	if p.maxWidth > 0 {
		p.digits, p.integer.mandatory = p.maxWidth, p.maxWidth
	} else if width := p.integer.mandatory + p.integer.optional; width >= 2 {
		p.digits = width
	}
	return nil
}

// limitDigits bounds the digits that are read of a year, a month or a day, as 2.0 does it: by the width, or
// by the digits of the picture where these are at least two.
func (p *datePart) limitDigits() {
	if p.integer == nil || strings.IndexByte("YMD", p.component) < 0 {
		return
	}
	if p.maxWidth > 0 {
		p.integer.mandatory = p.maxWidth
	}
	width := p.integer.mandatory + p.integer.optional
	if p.maxWidth > 0 {
		width = p.maxWidth
	}
	if width < 2 {
		return
	}
	p.integer.exactly(width)
	if p.integer.optional > 0 {
		p.integer.minWidth = max(width-p.integer.optional, 0)
	}
}

// formatDateTime writes a time by a picture.
func formatDateTime(millis float64, picture string, zone offset, extended bool) (string, error) {
	m := newMoment(millis + (60*zone.hours+zone.minutes)*60_000)
	parts, err := parseDatePicture(picture, extended)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i := range parts {
		p := &parts[i]
		text := p.literal
		switch {
		case p.component == 0:
		case p.component == 'Z' || p.component == 'z':
			text, err = p.zone(zone)
		default:
			text, err = p.format(m)
		}
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// format writes a component other than the time zone.
func (p *datePart) format(m moment) (string, error) {
	switch {
	case p.component == 'P':
		text := []string{"am", "pm"}[m.part('P')]
		if p.names && p.letters == upperCase {
			text = strings.ToUpper(text)
		}
		return text, nil
	case !p.counts():
		if p.component == 'C' || p.component == 'E' {
			return "ISO", nil
		}
		return "", fail("D3132").value(value.String(p.component))
	case m.invalid:
		return p.invalid()
	}
	n := m.part(p.component)
	if p.names {
		return p.name(n)
	}
	if p.component == 'Y' && p.digits >= 0 && p.digits < 15 {
		n %= int(math.Pow10(p.digits))
	}
	return p.integer.format(float64(n))
}

// invalid writes the component of a time that is none.
func (p *datePart) invalid() (string, error) {
	if !p.names {
		return p.integer.format(math.NaN())
	}
	if p.letters == titleCase && p.maxWidth == 0 && strings.IndexByte("MxF", p.component) >= 0 {
		return "undefined", nil
	}
	return "", fail("D1001").value(math.NaN()) // the reference implementation dies here
}

// name writes the name of a month or a day.
func (p *datePart) name(n int) (text string, err error) {
	switch p.component {
	case 'M', 'x':
		text = monthNames[n-1]
	case 'F':
		text = dayNames[n]
	default:
		return "", fail("D3133").value(value.String(p.component))
	}
	switch p.letters {
	case upperCase:
		text = strings.ToUpper(text)
	case lowerCase:
		text = strings.ToLower(text)
	case titleCase:
	}
	if p.maxWidth > 0 && len(text) > p.maxWidth {
		text = text[:p.maxWidth]
	}
	return text, nil
}

// zone writes the offset of the time zone.
func (p *datePart) zone(zone offset) (text string, err error) {
	whole := zone.hours*100 + zone.minutes
	digits := 0
	if p.integer != nil {
		digits = p.integer.mandatory
	}
	switch {
	case p.integer != nil && p.integer.regular > 0:
		text, err = p.integer.format(whole)
	case digits == 1 || digits == 2:
		text, err = p.integer.format(zone.hours)
		if err == nil && zone.minutes != 0 {
			minutes := ""
			minutes, err = (&integerPicture{zero: '0', mandatory: 2}).format(zone.minutes)
			text += ":" + minutes
		}
	case digits == 3 || digits == 4:
		text, err = p.integer.format(whole)
	default:
		return "", fail("D3134").value(float64(digits))
	}
	if whole >= 0 {
		text = "+" + text
	}
	if p.component == 'z' {
		text = "GMT" + text
	}
	if whole == 0 && p.zulu {
		text = "Z"
	}
	return text, err
}
