package jsonata

import (
	"math"
	"strings"

	"asldb.dev/asldb/engine/value"
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
func parseDatePicture(picture string) ([]datePart, error) {
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
		if n := len(parts); n > 0 && part.counts() && !part.names && parts[n-1].integer != nil {
			parts[n-1].integer.width = parts[n-1].integer.mandatory // two numbers without anything between
		}
		parts = append(parts, part)
		picture = picture[end+1:]
	}
}

// counts reports whether the component is a number of its own.
func (p *datePart) counts() bool {
	return p.component != 0 && strings.IndexByte("YMDdFWwXxHhmsf", p.component) >= 0
}

// parseMarker analyses what stands between the brackets.
func parseMarker(marker string) (datePart, error) {
	part := datePart{digits: -1}
	if marker == "" {
		return part, fail("D3132").value(value.String(""))
	}
	part.component = marker[0]
	presentation := marker[1:]
	if comma := strings.LastIndexByte(presentation, ','); comma >= 0 {
		lower, upper, _ := strings.Cut(presentation[comma+1:], "-")
		part.minWidth, part.maxWidth = widthOf(lower), widthOf(upper)
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

func widthOf(text string) int {
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

// formatDateTime writes a time by a picture. zone is an offset such as -0500, "" for UTC.
func formatDateTime(millis float64, picture, zone string) (string, error) {
	hours, minutes := 0, 0
	if offset := leadingInteger(zone); offset == offset {
		offset = math.Max(-9999, math.Min(9999, offset))
		hours, minutes = int(math.Floor(offset/100)), int(math.Mod(offset, 100))
	}
	m, err := newMoment(millis + float64(60*hours+minutes)*60_000)
	if err != nil {
		return "", err
	}
	parts, err := parseDatePicture(picture)
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
			text, err = p.zone(hours, minutes)
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
	n := m.part(p.component)
	switch {
	case p.component == 'P':
		text := []string{"am", "pm"}[n]
		if p.names && p.letters == upperCase {
			text = strings.ToUpper(text)
		}
		return text, nil
	case !p.counts():
		if p.component == 'C' || p.component == 'E' {
			return "ISO", nil
		}
		return "", fail("D3132").value(value.String(p.component))
	case p.names:
		return p.name(n)
	}
	if p.component == 'Y' && p.digits >= 0 && p.digits < 15 {
		n %= int(math.Pow10(p.digits))
	}
	return p.integer.format(float64(n))
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
	}
	if p.maxWidth > 0 && len(text) > p.maxWidth {
		text = text[:p.maxWidth]
	}
	return text, nil
}

// zone writes the offset of the time zone.
func (p *datePart) zone(hours, minutes int) (text string, err error) {
	offset := hours*100 + minutes
	digits := 0
	if p.integer != nil {
		digits = p.integer.mandatory
	}
	switch {
	case p.integer != nil && p.integer.regular > 0:
		text, err = p.integer.format(float64(offset))
	case digits == 1 || digits == 2:
		text, err = p.integer.format(float64(hours))
		if minutes != 0 {
			text += ":" + (&integerPicture{zero: '0', mandatory: 2}).digits(numberText(math.Abs(float64(minutes))))
		}
	case digits == 3 || digits == 4:
		text, err = p.integer.format(float64(offset))
	default:
		return "", fail("D3134").value(float64(digits))
	}
	if offset >= 0 {
		text = "+" + text
	}
	if p.component == 'z' {
		text = "GMT" + text
	}
	if offset == 0 && p.zulu {
		text = "Z"
	}
	return text, err
}
