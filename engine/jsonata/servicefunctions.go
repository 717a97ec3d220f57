package jsonata

import (
	"encoding/base64"
	"math"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// serviceDefinitions are built-in functions that the service has otherwise.
var serviceDefinitions = []definition{
	{"hash", "<ss?:s>", 2, serviceHash},
	{"lowercase", "<s-:s>", 1, func(c *call) (any, error) { return mapText(c, cases.Lower(language.Und).String) }},
	{"uppercase", "<s-:s>", 1, func(c *call) (any, error) { return mapText(c, cases.Upper(language.Und).String) }},
	{"decodeUrlComponent", "<s-:s>", 1, serviceDecodeURL},
	{"now", "<s?s?:s>", 2, func(c *call) (any, error) { return now(c.inJavaZone(1)) }},
	{"fromMillis", "<n-s?s?:s>", 3, func(c *call) (any, error) { return fromMillis(c.inJavaZone(2)) }},
	{"merge", "<a:o>", 1, serviceMerge},
	{"replace", "<s-(sf)(sf)n?:s>", 4, serviceReplace},
	{"split", "<s-(sf)n?:a<s>>", 3, serviceSplit},
	{"substring", "<s-nn?:s>", 3, serviceSubstring},
}

// servicePartition cuts an array into arrays of the size that is argument 1; nothing for the size 0 and an empty array, one array
// without a size.
func servicePartition(_ Env, args []value.Value) (value.Value, error) {
	if args[0] == nil {
		return nil, nil
	}
	array, ok := args[0].(*value.Array)
	if !ok {
		return nil, fail("T0412").argument(1).value(args[0])
	}
	if len(args) < 2 || args[1] == nil {
		return value.ArrayOf(array), nil
	}
	size, ok := truncated(args, 1)
	switch {
	case ok && size < 0:
		return nil, problem("Second argument must be zero or greater")
	case !ok || size == 0 || array.Len() == 0:
		return nil, nil
	}
	return parts(array, size), nil
}

// serviceHash gives the digest of a text; nothing without the name of an algorithm.
func serviceHash(c *call) (any, error) {
	text, ok := c.textArg(0)
	if !ok || c.given < 2 {
		return nil, nil
	}
	name, ok := c.textArg(1)
	if !ok {
		name = "null"
	}
	sum, known := Sum(text, name)
	if !known {
		return nil, problem("Hash algorithm '%s' must be one of SHA-1, SHA-384, SHA-256, SHA-512, MD5", name)
	}
	return value.String(sum), nil
}

// serviceParse reads a JSON text, with strings in single quotes too; nothing for no text. Duplicate keys and numbers beyond doubles
// are refused.
func serviceParse(_ Env, args []value.Value) (value.Value, error) {
	if len(args) == 0 {
		return nil, nil
	}
	text, ok := args[0].(value.String)
	if !ok {
		return nil, nil
	}
	v, repeated, err := value.ParseNoting([]byte(singleQuoted().ReplaceAllStringFunc(string(text), requoted)), value.Limits{})
	if err != nil || len(repeated) > 0 || beyondDouble(v) {
		return nil, problem("Invalid JSON")
	}
	g := budget{steps: DefaultSteps}
	return g.normalized(v, serviceNumber, 0)
}

// singleQuoted are the strings of a JSON text, in quotes of either kind.
var singleQuoted = wording.Pattern(`(?s)"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`)

// requoted writes a string in single quotes with double ones.
func requoted(text string) string {
	if text[0] == '"' {
		return text
	}
	inside := escaped().ReplaceAllStringFunc(text[1:len(text)-1], func(token string) string {
		switch token {
		case `\'`:
			return `'`
		case `"`:
			return `\"`
		}
		return token
	})
	return `"` + inside + `"`
}

// escaped are the escapes of a string, and the quotes that need one.
var escaped = wording.Pattern(`(?s)\\.|"`)

// serviceEncode encodes a text as the base 64 of its UTF-8.
func serviceEncode(_ Env, args []value.Value) (value.Value, error) {
	text, ok := first(args).(value.String)
	if !ok {
		return nil, nil
	}
	return value.String(base64.StdEncoding.EncodeToString([]byte(text))), nil
}

func first(args []value.Value) value.Value {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// serviceDecode decodes base 64. A character that base 64 has not is an error inside of the service.
func serviceDecode(env Env, args []value.Value) (value.Value, error) {
	text, ok := first(args).(value.String)
	if !ok {
		return nil, nil
	}
	if strings.ContainsFunc(string(text), func(r rune) bool {
		return r > 'z' || !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_ \t\r\n", r)
	}) {
		e := fail("")
		e.Internal = UUID(uint64(env.Now.UnixNano()), uint64(len(text))) // the service's is fresh each time
		e.Message = e.Internal
		return nil, e
	}
	raw := bytesOf64(string(text))
	return value.String(strings.ToValidUTF8(string(raw), "\uFFFD")), nil
}

// serviceDecodeURL decodes a part of a URL as Java's URLDecoder does: + is a blank, and bytes that aren't UTF-8 become
// U+FFFD.
func serviceDecodeURL(c *call) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '+':
			out = append(out, ' ')
		case s[i] != '%':
			out = append(out, s[i])
		case i+2 >= len(s) || unhex(s[i+1]) < 0 || unhex(s[i+2]) < 0:
			return nil, fail("D3140").kind("decodeUrlComponent").value(c.arg(0))
		default:
			out = append(out, byte(unhex(s[i+1])<<4|unhex(s[i+2])))
			i += 2
		}
	}
	return value.String(strings.ToValidUTF8(string(out), "\uFFFD")), c.run.takeText(len(out))
}

// javaZone is the form of an offset that the service reads; any other text is UTC.
var javaZone = wording.Pattern(`^[+-][0-9]{4}$`)

// inJavaZone drops argument i where it isn't an offset.
func (c *call) inJavaZone(i int) *call {
	if zone, ok := c.textArg(i); ok && !javaZone().MatchString(zone) {
		c.args = append(append([]any(nil), c.args[:i]...), c.args[i+1:]...)
	}
	return c
}

// serviceMerge merges the objects of an array, and of the arrays in it.
func serviceMerge(c *call) (any, error) {
	flat := &list{}
	if err := c.flatten(flat, c.arg(0), 0); err != nil || c.arg(0) == nil {
		return nil, err
	}
	merged := *c
	merged.args = []any{flat}
	return merge(&merged)
}

// flatten appends the items of v that aren't arrays, at any depth.
func (c *call) flatten(out *list, v any, depth int) error {
	items, ok := viewOf(v)
	if !ok {
		if _, ok := fieldsOf(v); !ok && v != nil {
			return fail("T0412").argument(1).value(c.arg(0)).kind("objects")
		}
		out.push(v)
		return c.run.take(1)
	}
	if depth > maxNesting {
		return tooDeep()
	}
	for i, n := 0, items.len(); i < n; i++ {
		if err := c.flatten(out, items.at(i), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// serviceReplace cuts a fraction of its limit off.
func serviceReplace(c *call) (any, error) {
	if limit, ok := value.Double(c.arg(3)); ok && limit >= 0 {
		c.args = append(append([]any(nil), c.args[:3]...), math.Trunc(limit))
	}
	return replace(c)
}

// serviceSplit cuts at every UTF-16 unit where the separator is empty: of the halves of a surrogate pair, which aren't
// texts, U+FFFD is left.
func serviceSplit(c *call) (any, error) {
	s, ok := c.textArg(0)
	if separator, isText := c.textArg(1); !ok || !isText || separator != "" {
		return split(c)
	}
	limit, err := c.limitArg(2, "D3020")
	if err != nil {
		return nil, err
	}
	out := &list{}
	for _, unit := range utf16.Encode([]rune(s)) {
		if float64(len(out.items)) >= math.Floor(limit) {
			break
		}
		out.push(value.String(string(rune(unit)))) // a half isn't a character: U+FFFD
	}
	return out, c.run.take(2 * len(out.items))
}

// serviceSubstring counts UTF-16 units: of half a surrogate pair U+FFFD is left.
func serviceSubstring(c *call) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	units := utf16.Encode([]rune(s))
	from, to := c.stretch(len(units))
	if from >= to {
		return value.String(""), nil
	}
	text := string(utf16.Decode(units[from:to]))
	return value.String(text), c.run.takeText(len(text))
}
