package source_test

import (
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
)

// The values of YAML 1.2's JSON schema (section 10.2) and core schema (10.3) as far as they have a form in JSON.
func TestScalarsInYAML(t *testing.T) {
	for text, want := range map[string]string{
		"0x1F":                         `31`,
		"-0x1F":                        `-31`,
		"0o17":                         `15`,
		"+12":                          `12`,
		".5":                           `0.5`,
		"-.5":                          `-0.5`,
		"5.":                           `5.0`,
		"1e3":                          `1e3`,
		"1.0":                          `1.0`,
		"12345678901234567890":         `12345678901234567890`,
		"true":                         `true`,
		"null":                         `null`,
		"~":                            `null`,
		"!!str 12":                     `"12"`,
		"!!str true":                   `"true"`,
		"!!int 12":                     `12`,
		"!!map {a: 1}":                 `{"a":1}`,
		"!!seq [1]":                    `[1]`,
		"'it''s'":                      `"it's"`,
		"|\n  a\n  b\n":                `"a\nb\n"`,
		">\n  a\n  b\n":                `"a b\n"`,
		"{1: a, true: b}":              `{"1":"a","true":"b"}`,
		"a: &x {k: 1}\nb: *x":          `{"a":{"k":1},"b":{"k":1}}`,
		"{<<: {a: 1, b: 2}, b: 3}":     `{"a":1,"b":3}`,
		"{<<: [{a: 1}, {a: 2, c: 3}]}": `{"a":1,"c":3}`,
	} {

		root, problem := source.ReadYAML([]byte(text), nil)
		if problem != nil {
			t.Errorf("%q: %s", text, problem.Message)
			continue
		}
		if got := value.Compact(root.Value); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestYAMLWithoutAFormInJSON(t *testing.T) {
	for text, want := range map[string]string{
		".inf":                     "has no JSON form",
		".nan":                     "has no JSON form",
		"1_000":                    "different numbers",
		"a: *nowhere":              "no anchor",
		"a: &a [*a]":               "inside its own anchor",
		"!!set {a}":                "has no meaning in JSON",
		"!!int text":               "is on a string",
		"{[1]: a}":                 "a key must be a text",
		"{<<: 1}":                  "takes a mapping or a list of mappings",
		"a: 1\n---\nb: 2":          "a second YAML document",
		"":                         "empty",
		"a: [1":                    "",
		strings.Repeat("[", 5_000): "levels of nesting",
		"a: \x01":                  "not allowed in YAML",
	} {
		root, problem := source.ReadYAML([]byte(text), nil)
		if problem == nil {
			t.Errorf("%.20q is read as %s, and should be refused", text, value.Compact(root.Value))
			continue
		}
		if !strings.Contains(problem.Message, want) {
			t.Errorf("%.20q: %q, want something with %q", text, problem.Message, want)
		}
	}
}

// A few lines of aliases of aliases must not become billions of values.
func TestAliasesOfAliasesAreBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		prev, next := string(rune('a'+i-1)), string(rune('a'+i))
		if i == 1 {
			prev = "a0"
		}
		text.WriteString(next + ": &" + next + " [" + strings.TrimSuffix(strings.Repeat("*"+prev+", ", 10), ", ") +
			"]\n")
	}
	_, problem := source.ReadYAML([]byte(text.String()), nil)
	if problem == nil || !strings.Contains(problem.Message, "aliases written out") {
		t.Errorf("got %v, want the bound on aliases", problem)
	}
}

func TestPointers(t *testing.T) {
	root, problem := source.ReadJSON([]byte(`{"a/b": [10, {"~": 1}], "c": {"c": 2}}`))
	if problem != nil {
		t.Fatal(problem.Message)
	}
	for pointer, want := range map[string]string{ // RFC 6901, sections 3 and 4
		"": `{"a/b":[10,{"~":1}],"c":{"c":2}}`, "/a~1b/0": `10`, "/a~1b/1/~0": `1`, "/c/c": `2`,
	} {
		_, found := root.Find(pointer)
		if found == nil || value.Compact(found.Value) != want {
			t.Errorf("%q leads to %v, want %s", pointer, found, want)
		}
	}
	for _, pointer := range []string{"a", "/a", "/a~1b/2", "/a~1b/00", "/a~1b/-1", "/a~1b/0/x"} {
		if _, found := root.Find(pointer); found != nil {
			t.Errorf("%q leads to %s, and there is nothing", pointer, value.Compact(found.Value))
		}
	}
	if key, _ := root.Find("/c/c"); key.Start.Col != 31 {
		t.Errorf("the key is in column %d, want 31", key.Start.Col)
	}
	for node, pointer := range root.Pointers() {
		if _, found := root.Find(pointer); found != node {
			t.Errorf("the pointer %q of a node leads to another one", pointer)
		}
	}
}

func TestTreesThatAreMade(t *testing.T) {
	at := source.Span{Start: source.Position{Offset: 3, Line: 1, Col: 4},
		End: source.Position{Offset: 4, Line: 1, Col: 5}}
	text := source.NewString("x", at)
	tree := source.NewObject([]source.NodeMember{
		{Key: "list", Node: source.NewArray([]*source.Node{text, source.Of(value.Must(`{"n":[1]}`), at)}, at)},
		{Key: "again", Node: source.NewObject([]source.NodeMember{{Key: "k", Node: text}, {Key: "k", Node: text}}, at)},
	}, at)
	if got, want := value.Compact(tree.Value), `{"list":["x",{"n":[1]}],"again":{"k":"x"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !text.IsText() || tree.IsText() {
		t.Error("only the string is a text")
	}
	if !tree.Repeats || tree.Get("list").Repeats || !tree.Get("again").Repeats {
		t.Error("the repeated key is in the member \"again\" and in the whole")
	}
	if _, inner := tree.Find("/list/1/n/0"); inner == nil || inner.Span != at {
		t.Error("a value made from another one does not have the given place")
	}
	shout := func(n *source.Node) *source.Node {
		if n.IsText() {
			return source.NewString("X", n.Span)
		}
		return n
	}
	if got, want := value.Compact(tree.Get("list").Map(shout).Value), `["X",{"n":[1]}]`; got != want {
		t.Errorf("the array mapped is %s, want %s", got, want)
	}
	if got, want := value.Compact(tree.Get("again").Map(shout).Value), `{"k":"X"}`; got != want {
		t.Errorf("the object mapped is %s, want %s", got, want)
	}
	if (*source.Node)(nil).Get("a") != nil {
		t.Error("nothing has no members")
	}
	var many []source.NodeMember
	for range 20 {
		many = append(many, source.NodeMember{Key: "same", Node: text})
	}
	if !source.NewObject(many, at).Repeats {
		t.Error("a repeated key among many members is not found")
	}
}

func TestFormat(t *testing.T) {
	file := &source.File{Name: "a.json", Data: []byte("{\n  \"Next\": \"Nowhere\"\n}")}
	root, _ := source.ReadJSON(file.Data)
	_, next := root.Find("/Next")
	d := source.Diagnostic{
		File: file, Severity: source.Warning, Rule: "a-rule", Message: "no state is called\t\"Nowhere\"",
		Span:       next.Span,
		Suggestion: "did you mean \"Now\"?", Reasons: []source.Reason{{Text: "first", Span: next.Span}, {Text: "then"}},
	}
	want := `a.json:2:11: warning: no state is called "Nowhere" [a-rule]
 2 |   "Next": "Nowhere"
   |           ^^^^^^^^^
   = first (line 2)
   = then
   = did you mean "Now"?`
	if got := d.Format(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	nowhere := source.Diagnostic{File: file, Severity: source.Hint, Rule: "r", Message: "m"}
	if got, want := nowhere.Format(), "a.json: hint: m [r]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := source.Error.String(); got != "error" {
		t.Errorf("got %q", got)
	}
}

// Of a long line only the stretch around the place is shown, and the carets still stand below it.
func TestFormatOfALongLine(t *testing.T) {
	long := `{"` + strings.Repeat("a", 300) + `": 1, "` + strings.Repeat("b", 300) + `": "` + strings.Repeat("c", 300) +
		`"}`
	file := &source.File{Name: "a.json", Data: []byte(long)}
	root, _ := source.ReadJSON(file.Data)
	_, first := root.Find("/" + strings.Repeat("a", 300))
	_, second := root.Find("/" + strings.Repeat("b", 300))
	for node, marked := range map[*source.Node]string{first: "1", second: `"ccc`} {
		d := source.Diagnostic{File: file, Rule: "r", Message: "m", Span: node.Span}
		lines := strings.Split(d.Format(), "\n")
		at := strings.Index(lines[2], "^")
		column := len([]rune(lines[2][:at]))
		if got := string([]rune(lines[1])[column:]); !strings.HasPrefix(got, marked) {
			t.Errorf("the caret is below %.10q, want %q", got, marked)
		}
		if n := len([]rune(lines[1])); n > 110 {
			t.Errorf("the line shown has %d characters", n)
		}
	}
}

func TestArticle(t *testing.T) {
	for kind, want := range map[value.Kind]string{
		value.KindObject: "an object", value.KindArray: "an array", value.KindString: "a string",
		value.KindNull: "null",
	} {
		if got := source.Article(kind); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
