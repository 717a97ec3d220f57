package intrinsic

import (
	"encoding/base64"
	"errors"
	"strings"

	"asldb/engine/value"
	"asldb/internal/digest"
)

// format fills the placeholders {} of its first argument with the others.
func format(a *arguments) (value.Value, error) {
	template, err := a.text(0)
	if err != nil {
		return nil, err
	}
	pieces := a.call.arguments[0].pieces
	if pieces == nil { // the template is data: cut it now
		pieces = cutTemplate(template)
	}
	if placeholders, fillers := len(pieces)-1, len(a.values)-1; placeholders != fillers {
		return nil, a.fail("the template has %s but there are %s to fill in: %s",
			plural(placeholders, "placeholder"), plural(fillers, "value"), value.Preview(value.String(template), 80))
	}
	out := []byte(pieces[0])
	for i, v := range a.values[1:] {
		out = appendPlain(out, v)
		out = append(out, pieces[i+1]...)
	}
	return value.String(out), nil
}

// cutTemplate cuts a template that came as data at its placeholders. There \{ and \} are braces, and
// every other backslash stands for itself.
func cutTemplate(template string) []string {
	var pieces []string
	var piece strings.Builder
	for i := 0; i < len(template); i++ {
		rest := template[i:]
		switch {
		case strings.HasPrefix(rest, "{}"):
			pieces = append(pieces, piece.String())
			piece.Reset()
			i++
		case strings.HasPrefix(rest, `\{`) || strings.HasPrefix(rest, `\}`):
			piece.WriteByte(rest[1])
			i++
		default:
			piece.WriteByte(rest[0])
		}
	}
	return append(pieces, piece.String())
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
		if errors.As(err, &syntax) {
			return nil, a.fail("argument 1 is not JSON: %v: %s", syntax, value.Preview(a.values[0], 60))
		}
		return nil, a.fail("argument 1: %v", err)
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
	items := make([]value.Value, len(parts))
	for i, part := range parts {
		items[i] = value.String(part)
	}
	return value.NewArray(items), nil
}

func base64Encode(a *arguments) (value.Value, error) {
	text, err := a.shortText(0)
	if err != nil {
		return nil, err
	}
	return value.String(base64.StdEncoding.EncodeToString([]byte(text))), nil
}

// base64Decode takes the standard alphabet, with padding or without. Bytes that are no UTF-8 become U+FFFD.
func base64Decode(a *arguments) (value.Value, error) {
	text, err := a.shortText(0)
	if err != nil {
		return nil, err
	}
	encoding := base64.StdEncoding
	if len(text)%4 != 0 {
		encoding = base64.RawStdEncoding
	}
	if strings.ContainsAny(text, "\r\n") { // the decoder would skip them
		return nil, a.fail("argument 1 is not Base64: it contains a line break")
	}
	decoded, err := encoding.DecodeString(text)
	if err != nil {
		return nil, a.fail("argument 1 is not Base64: %v: %s", err, value.Preview(a.values[0], 60))
	}
	return value.String(strings.ToValidUTF8(string(decoded), "\uFFFD")), nil
}

func hashOf(a *arguments) (value.Value, error) {
	text, err := a.shortText(0)
	if err != nil {
		return nil, err
	}
	algorithm, err := a.text(1)
	if err != nil {
		return nil, err
	}
	sum, ok := digest.Sum(text, algorithm)
	if !ok {
		return nil, a.wrong(1, "one of "+digest.Algorithms)
	}
	return value.String(sum), nil
}
