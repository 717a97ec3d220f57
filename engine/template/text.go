package template

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"asldb/engine/jsonata"
	"asldb/engine/value"
)

// format fills the placeholders {} of its first argument with the others.
func format(a *arguments) (value.Value, error) {
	template, err := a.text(0)
	if err != nil {
		return nil, err
	}
	c := a.call.arguments[0].cut
	if c == nil { // the template is data: cut it now
		c = cutTemplate(template)
	}
	if err := a.template(c); err != nil {
		return nil, err
	}
	if placeholders, fillers := len(c.pieces)-1, len(a.values)-1; placeholders != fillers {
		return nil, a.fail("the template has %s but there are %s to fill in: %s",
			plural(placeholders, "placeholder"), plural(fillers, "value"), value.Preview(value.String(template), 80))
	}
	out := []byte(c.pieces[0])
	for i, v := range a.values[1:] {
		if kind := v.Kind(); a.scalars && (kind == value.KindArray || kind == value.KindObject) {
			return nil, a.fail("argument %d is %s, not a string, a number, true, false or null", i+2, describeKind(v))
		}
		out = appendPlain(out, v)
		out = append(out, c.pieces[i+1]...)
	}
	return value.String(out), nil
}

// cut is a template cut at its placeholders, with escapes resolved.
type cut struct {
	pieces []string
	piece  strings.Builder // the piece that is read
	passed int             // the characters to pass over: the } of a placeholder, the rest of a ${Substitution}
	brace  byte            // the first brace without its other half, 0 where there is none
}

// add takes the first character of the rest of a template.
func (c *cut) add(rest string) {
	switch {
	case c.passed > 0:
		if c.passed--; c.piece.Len() == 0 && rest[0] == '}' { // of a placeholder
			return
		}
	case strings.HasPrefix(rest, "{}"):
		c.end()
		c.passed = 1
		return
	case strings.HasPrefix(rest, "${"): // a substitution that is not given here: what is deployed has its value
		c.passed = max(strings.IndexByte(rest, '}'), 0)
	case (rest[0] == '{' || rest[0] == '}') && c.brace == 0:
		c.brace = rest[0]
	}
	c.piece.WriteByte(rest[0])
}

func (c *cut) end() {
	c.pieces = append(c.pieces, c.piece.String())
	c.piece.Reset()
}

// template returns the error of a template with a brace that belongs to no placeholder and has no backslash before it.
func (a *arguments) template(c *cut) error {
	if c.brace == 0 {
		return nil
	}
	other := '{' + '}' - c.brace
	err := a.fail(`the template has a %c that is not a placeholder {}: write \%[1]c`, c.brace)
	err.Service = fmt.Sprintf("Invalid template in States.Format: matching '%c' not found for '%c'.", other, c.brace)
	return err
}

// cutTemplate cuts a template that came as data at its placeholders. There \{ and \} are braces, and
// every other backslash is literal.
func cutTemplate(template string) *cut {
	var c cut
	for i := 0; i < len(template); i++ {
		if rest := template[i:]; strings.HasPrefix(rest, `\{`) || strings.HasPrefix(rest, `\}`) {
			i++
			c.piece.WriteByte(rest[1])
		} else {
			c.add(rest)
		}
	}
	c.end()
	return &c
}

// appendPlain writes v as States.Format does: a string bare, other scalars as JSON, and containers as
// the service was seen to print them: {a=1, b=[x, y]}.
func appendPlain(dst []byte, v value.Value) []byte {
	switch v := v.(type) {
	case value.String:
		return append(dst, v...)
	case *value.Array:
		dst = append(dst, '[')
		for i, item := range v.All() {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendPlain(dst, item)
		}
		return append(dst, ']')
	case *value.Object:
		dst = append(dst, '{')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = append(append(dst, v.At(i).Key...), '=')
			dst = appendPlain(dst, v.At(i).Value)
		}
		return append(dst, '}')
	}
	return value.Append(dst, v)
}

// stringToJSON parses a string. White space alone gives null, as the service was seen to do.
func stringToJSON(a *arguments) (value.Value, error) {
	text, err := a.text(0)
	if err != nil {
		return nil, err
	}
	if strings.TrimLeft(text, spaceCharacters) == "" {
		return value.Null{}, nil
	}
	v, err := value.ParseString(text)
	if err != nil {
		var syntax *value.SyntaxError
		if !errors.As(err, &syntax) {
			return nil, a.fail("argument 1: %v", err)
		}
		fault := a.fail("argument 1 is not JSON: %v: %s", syntax, value.Preview(a.values[0], 60))
		fault.Service = "Cannot convert String to Json in States.StringToJson, caused by: " + jsonFault(text, syntax)
		return nil, fault
	}
	if strings.Contains(text, "-0") {
		v = withoutMinusZero(v)
	}
	return v, nil
}

// withoutMinusZero turns the integer -0 into 0: the service reads integers as such, and they have one zero.
func withoutMinusZero(v value.Value) value.Value {
	switch v := v.(type) {
	case value.Number:
		if v.Text() == "-0" {
			return value.Int(0)
		}
	case *value.Array:
		items := make([]value.Value, v.Len())
		for i, item := range v.All() {
			items[i] = withoutMinusZero(item)
		}
		return value.NewArray(items)
	case *value.Object:
		members := make([]value.Member, v.Len())
		for i := range members {
			members[i] = value.Member{Key: v.At(i).Key, Value: withoutMinusZero(v.At(i).Value)}
		}
		return value.NewObject(members)
	}
	return v
}

func jsonToString(a *arguments) (value.Value, error) {
	return value.String(value.Compact(a.values[0])), nil
}

// stringSplit cuts at every character of its second argument and drops empty parts.
func stringSplit(a *arguments) (value.Value, error) {
	text, err := a.text(0)
	if err != nil {
		return nil, err
	}
	delimiters, err := a.text(1)
	if err != nil {
		return nil, err
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(delimiters, r) })
	return value.Texts(parts), nil
}

func base64Encode(a *arguments) (value.Value, error) {
	text, err := a.shortText()
	if err != nil {
		return nil, err
	}
	return value.String(base64.StdEncoding.EncodeToString([]byte(text))), nil
}

// sextets are the characters of Base64, of the standard alphabet and of the one for URLs, with their values.
var sextets = func() map[byte]uint32 {
	m := make(map[byte]uint32)
	for i := range 64 {
		m["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[i]] = uint32(i)
	}
	m['-'], m['_'] = m['+'], m['/']
	return m
}()

// base64Decode is as lenient as the service was measured to be: characters outside of the alphabet are passed over, padding may be
// left out and ends the data. Bytes that aren't UTF-8 become U+FFFD.
func base64Decode(a *arguments) (value.Value, error) {
	text, err := a.shortText()
	if err != nil {
		return nil, err
	}
	if end := strings.IndexByte(text, '='); end >= 0 {
		text = text[:end]
	}
	decoded := make([]byte, 0, len(text)*3/4)
	bits, count := uint32(0), 0
	for i := range len(text) {
		sextet, ok := sextets[text[i]]
		if !ok {
			continue
		}
		if bits, count = bits<<6|sextet, count+6; count >= 8 {
			count -= 8
			decoded = append(decoded, byte(bits>>count))
		}
	}
	return value.String(strings.ToValidUTF8(string(decoded), "\uFFFD")), nil
}

// hashOf hashes a string; of any other value, its text.
func hashOf(a *arguments) (value.Value, error) {
	text, err := a.short(string(appendPlain(nil, a.values[0])))
	if err != nil {
		return nil, err
	}
	algorithm, err := a.text(1)
	if err != nil {
		return nil, err
	}
	sum, ok := jsonata.Sum(text, algorithm)
	if !ok {
		return nil, a.wrong(1, "one of "+jsonata.Algorithms)
	}
	return value.String(sum), nil
}
