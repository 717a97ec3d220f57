package source

import (
	"strings"
	"testing"

	"asldb/engine/value"
)

// TestPlacesInYAML: the place and the length of keys and values, counted manually.
func TestPlacesInYAML(t *testing.T) {
	const text = "\xef\xbb\xbf# a comment\r\n" + // 1
		"StartAt: Hälfte\r\n" + // 2
		"States:\r\n" + // 3
		"  \"Zwei 状态\": {Type: 'It''s', \"n\": 1.50}\r\n" + // 4
		"  Drei:\r\n" + // 5
		"    - |\r\n" + // 6
		"      line one\r\n" + // 7
		"      line two\r\n" + // 8
		"    - [a, [b]]\r\n" // 9
	root, problem := ReadYAML([]byte(text), nil)
	if problem != nil {
		t.Fatal(problem.Message)
	}
	for _, c := range []struct {
		pointer         string
		line, col       int
		marked, keyMark string
		json            string
	}{
		{"/StartAt", 2, 10, "Hälfte", "StartAt", `"Hälfte"`},
		{"/States/Zwei 状态", 4, 14, "{Type: 'It''s', \"n\": 1.50}", `"Zwei 状态"`, `{"Type":"It's","n":1.50}`},
		{"/States/Zwei 状态/Type", 4, 21, "'It''s'", "Type", `"It's"`},
		{"/States/Zwei 状态/n", 4, 35, "1.50", `"n"`, `1.50`},
		{"/States/Drei/0", 6, 7, "|", "", `"line one\nline two\n"`},
		{"/States/Drei/1/1/0", 9, 12, "b", "", `"b"`},
	} {
		key, node := root.Find(c.pointer)
		if node == nil {
			t.Errorf("%s is not found", c.pointer)
			continue
		}
		at := node.Span.Start
		if at.Line != c.line || at.Col != c.col {
			t.Errorf("%s is at %d:%d, want %d:%d", c.pointer, at.Line, at.Col, c.line, c.col)
		}
		if got := text[at.Offset:node.Span.End.Offset]; got != c.marked {
			t.Errorf("%s is marked as %q, want %q", c.pointer, got, c.marked)
		}
		if got := text[key.Start.Offset:key.End.Offset]; got != c.keyMark {
			t.Errorf("the key of %s is marked as %q, want %q", c.pointer, got, c.keyMark)
		}
		if got := value.Compact(node.Value); got != c.json {
			t.Errorf("%s = %s, want %s", c.pointer, got, c.json)
		}
	}
	if states := root.Get("States"); states.Span.Start.Line != 4 || states.Span.End.Line != 9 {
		t.Errorf("States reaches from line %d to %d, want 4 to 9", states.Span.Start.Line, states.Span.End.Line)
	}
}

func TestTags(t *testing.T) {
	tags := func(tag string) string {
		if tag == "!Sub" {
			return "Fn::Sub"
		}
		return ""
	}
	root, problem := ReadYAML([]byte("a: !Sub\n  - \"${x}\"\n  - {x: 1}\nb: !Sub text\n"), tags)
	if problem != nil {
		t.Fatal(problem.Message)
	}
	if got, want := value.Compact(root.Value), `{"a":{"Fn::Sub":["${x}",{"x":1}]},"b":{"Fn::Sub":"text"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, problem := ReadYAML([]byte("a: !Ref b\n"), tags); problem == nil ||
		!strings.Contains(problem.Message, "the tag !Ref has no meaning") {
		t.Errorf("an unknown tag gives %v", problem)
	}
}

// TestRepeatedKeys: both readers keep them in the tree.
func TestRepeatedKeys(t *testing.T) {
	for name, text := range map[string]string{"a.json": `{"a":1,"b":{"x":1,"x":2}}`,
		"a.yaml": "a: 1\nb:\n  x: 1\n  x: 2\n"} {
		root, problem := Read(&File{Name: name, Data: []byte(text)}, nil)
		if problem != nil {
			t.Fatal(problem.Message)
		}
		if !root.Repeats || !root.Get("b").Repeats || len(root.Get("b").Members) != 2 {
			t.Errorf("%s: the repeated key is lost", name)
		}
		if got := value.Compact(root.Value); got != `{"a":1,"b":{"x":2}}` {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestWhichReader(t *testing.T) {
	for _, c := range []struct {
		name, text string
		rule       string // of the problem, or "" where the text can be read
	}{
		{"a.json", "a: 1", RuleMalformed},
		{"a.yaml", "a: 1", ""},
		{"a.yml", "{\n\t\"a\": 1}", ""}, // tabs are wrong in YAML: this is JSON
		{"a.yaml", "{a: 1}", ""},
		{"<stdin>", "a: 1", ""},
		{"<stdin>", "  {\"a\": 1", RuleMalformed},
		{"<stdin>", "", RuleMalformed},
		{"a.yaml", "", RuleMalformedYAML},
		{"a.yaml", "a: [1", RuleMalformedYAML},
	} {
		root, problem := Read(&File{Name: c.name, Data: []byte(c.text)}, nil)
		rule := ""
		if problem != nil {
			rule = problem.Rule
		}
		if rule != c.rule || (root == nil) != (problem != nil) {
			t.Errorf("%s %q: %v, %+v, want %q", c.name, c.text, root, problem, c.rule)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"a: 1", "{\"a\": [1, 2.0, null]}", "a: &x {b: *x}", "- |\n  x\n- >-\n  y\n", "a: !Sub x\n",
		"'it''s': \"\\u00e9\"", "? a\n: b", "\xef\xbb\xbfä: ü\r\n",
		"<<: {a: 1}\nb: 2", "a:\n  - b: c\n    d: e\n",
	} {
		f.Add("x.yaml", []byte(text))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		root, problem := Read(&File{Name: name, Data: data}, func(string) string { return "Fn::Any" })
		if (root == nil) == (problem == nil) {
			t.Fatalf("tree %v with %v", root, problem)
		}
		if problem != nil {
			if problem.Rule == "" || problem.Message == "" || problem.Format() == "" {
				t.Fatalf("%+v", problem)
			}
			return
		}
		for n := range root.Pointers() {
			if at := n.Span; at.Start.Offset < 0 || at.End.Offset > len(data) || at.End.Offset < at.Start.Offset {
				t.Fatalf("a node reaches from %d to %d of %d", at.Start.Offset, at.End.Offset, len(data))
			}
		}
	})
}
