package source

import (
	"strings"
	"testing"
)

// The problem of a text that cannot be read says where, what was expected and found, which bracket is open, and what to
// do.
func TestMalformed(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"x.json", "{\"a\": [1,\n 2}", `2:3: expected ], found }: the [ of "a" is open | the [ of "a" is open here (line 1) | add ] before it`},
		{"x.json", `{"a": [1, "b": 2]}`, `1:14: expected , or ], found : | the [ of "a" is open here (line 1) | an array has no keys: close it with ] before the key`},
		{"x.json", `{"a": 1 "b": 2}`, `1:9: expected , or }, found " | the { is open here (line 1) | add a comma before it, or close the bracket with }`},
		{"x.json", `{"a": 01}`, `1:8: expected , or }, found 1 | the { is open here (line 1) | a number does not begin with 0, unless it is 0 or has a decimal point behind it`},
		{"x.json", `{"a": {"b": [{}`, `1:16: unexpected end of file: the [ of "b" is never closed | the [ of "b" is open here (line 1) | add ]`},
		{"x.json", "{\n \"a\": {\n  \"b\": {\"c\": 1,\n  \"d\": {}\n }\n}",
			`6:2: unexpected end of file: the { is never closed | the { is open here (line 1) | the { of "b" is closed in line 5, which is indented differently: is a } missing before it? (line 3)`},
		{"x.json", `{"a": "b\"`, `1:11: unexpected end of file: a string is never closed | the string begins here (line 1) | add the closing quotation mark`},
		{"x.json", "{\"a\": \"b\n\"}", `1:9: the line ends inside of a string | add the closing quotation mark; a line break in a string is written \n`},
		{"x.json", "{\"a\": \"b\tc\"}", `1:9: found a control character in a string | write \u0009`},
		{"x.json", `{"a": "\d"}`, "1:8: invalid escape sequence `\\d` in string | a backslash is written \\\\"},
		{"x.json", `{"a": 1,}`, `1:8: a comma before } | remove the comma`},
		{"x.json", `{"a": }`, `1:7: expected a value, found } | write a value before it`},
		{"x.json", `{"a": 1}}`, `1:9: found }, and no bracket is open that it closes | remove it`},
		{"x.json", `{'a': 1}`, `1:2: expected a double quotation mark, found ' | JSON has " for texts and keys`},
		{"x.json", `{a: 1}`, `1:2: expected a key in double quotes, found a | write the key in "..."`},
		{"x.json", `{"a": b}`, `1:7: expected a value, found b | a text is written in "..."`},
		{"x.json", `{"a" 1}`, `1:6: expected : after the key, found 1 | write a colon between the key and its value`},
		{"x.json", "{\"a\": 1, // b\n}", `1:10: it has no comments | remove it, or write a "Comment"`},
		{"x.yaml", "a: [1, 2\nb: 3\n", `2:1: expected , or ], found b | the [ of "a" is open here (line 1) | close it with ], or add a comma`},
		{"x.yaml", "x:\n  a: {b: 1\n  c: 2\n", `3:3: expected , or }, found c | the { of "a" is open here (line 2) | close it with }, or add a comma`},
		{"x.yaml", "a: {b: [1\n", `1:8: the [ of "b" is never closed | add ]`},
		{"x.yaml", "a: {b: 1\n", `1:4: the { of "a" is never closed | add }`},
		{"x.yaml", "a: {b: 1}}\n", "1:10: found }, and no bracket is open that it closes | remove it, or add the opening bracket"},
		{"x.yaml", "a:\n   b: 1\n  c: 2\n", "3:3: this line is indented less than the ones before it, and like none above | indent it as the other keys of the same object"},
		{"x.yaml", "a: b: c\n", "1:4: found a second \": \" in the line: a value cannot hold one without quotes | put the value in quotes"},
		{"x.yaml", "a: b\n  c: d\n", "1:4: this key has a value, and the next line is indented deeper | indent the next line as this one, or remove the value"},
		{"x.yaml", "a: b\nc\n", "2:1: expected KEY: VALUE, found c without a colon | write a colon and a blank behind the key"},
		{"x.yaml", "a: b\n- c\n", "2:1: expected KEY: VALUE, found an item of a list (- ...) | an object has no items: remove the dash, or indent the item below its key"},
		{"x.yaml", "a:\n\tb: c\n", "2:1: expected blanks, found a tab: YAML is not indented with tabs | put blanks in place of the tab"},
		{"x.yaml", "a: \"b\nc: d\n", "1:4: the text in quotes that begins here is not closed | add the closing quotation mark"},
		{"x.yaml", "a: @b\n", "1:4: a value cannot begin with @ | put the value in quotes"},
		{"x.yaml", "a: {F/B[1]/N: {x: 1}}\n", `1:5: a key without quotes cannot hold [ between brackets | quote the key: "F/B[1]/N"`},
		{"x.yaml", "a: {F/B[*]: 1}\n", `1:5: a key without quotes cannot hold [ between brackets | quote the key: "F/B[*]"`},
		{"x.yaml", "a: [b, F[1]]\n", `1:8: a text without quotes cannot hold [ between brackets | quote the text: "F[1]"`},
		{"x.yaml", "a: {b: 1,, c: 2}\n", "1:10: expected a value, found a second comma | remove one of them"},
	} {
		_, d := Read(&File{Name: c.name, Data: []byte(c.text)}, nil)
		if d == nil {
			t.Errorf("%q has no problem", c.text)
			continue
		}
		parts := []string{strings.TrimPrefix(d.Message, notJSON)}
		for _, r := range d.Reasons {
			parts = append(parts, r.String())
		}
		if d.Suggestion != "" {
			parts = append(parts, d.Suggestion)
		}
		at, _, _ := strings.Cut(strings.TrimPrefix(
			(Diagnostic{File: &File{Name: "x", Data: []byte(c.text)}, Span: d.Span}).Format(), "x:"), " ")
		if got := at + " " + strings.Join(parts, " | "); got != c.want {
			t.Errorf("%q:\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

// Texts that are cut anywhere, or have a bracket in place of another, are explained without a panic.
func TestMalformedAnywhere(t *testing.T) {
	const text = "{\"a\": [1, {\"b\": \"x\\\"}\"}],\n  \"c\": {\"d\": null}\n}"
	for i := range text {
		for _, wrong := range []string{text[:i], text[:i] + "]" + text[i+1:], text[:i] + "}" + text[i+1:], text[:i] +
			"\"" + text[i+1:], text[:i] + "\n" + text[i+1:]} {
			for _, name := range []string{"x.json", "x.yaml"} {
				if _, d := Read(&File{Name: name, Data: []byte(wrong)}, nil); d != nil && d.Message == "" {
					t.Errorf("%q has no message", wrong)
				}
			}
		}
	}
}
