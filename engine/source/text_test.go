package source

import (
	"strings"
	"testing"

	"asldb/engine/value"
)

// find returns the line and column, from 1, of the first place of part in text, counted in characters.
func find(text, part string) (line, col int) {
	before := text[:strings.Index(text, part)]
	line = strings.Count(before, "\n") + 1
	return line, len([]rune(before[strings.LastIndex(before, "\n")+1:])) + 1
}

// TestStringText: a definition inside of a string has the places of the file around it.
func TestStringText(t *testing.T) {
	for name, c := range map[string]struct{ file, text string }{
		"JSON":          {"a.json", "{\n  \"s\": \"{\\n\\t\\\"ä\\\": \\u00e9MARK, \\ud83d\\ude00 HERE}\"\n}"},
		"YAML double":   {"a.yaml", "s: \"ü \\\"MARK\\\" \\n HERE\"\n"},
		"YAML single":   {"a.yaml", "x: 1\ns: 'it''s MARK ''and'' HERE'\n"},
		"YAML plain":    {"a.yaml", "x: 1\ns: plain MARK and HERE # no\n"},
		"YAML literal":  {"a.yaml", "s: |\n    {\n      \"ä\": MARK\n\n      HERE\n    }\nx: 1\n"},
		"YAML tagged":   {"a.yaml", "s: !Sub |\n  MARK\n    HERE\n"},
		"YAML stripped": {"a.yaml", "s: |-\n  MARK\n  x HERE"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &File{Name: c.file, Data: []byte(c.text)}
			root, problem := Read(f, func(tag string) string { return tag })
			if problem != nil {
				t.Fatal(problem.Message)
			}
			node := root.Get("s")
			if tagged := node.Get("!Sub"); tagged != nil {
				node = tagged
			}
			text := StringText(f, node)
			if string(text.Data) != string(node.Value.(value.String)) {
				t.Fatalf("the text is %q, want %q", text.Data, node.Value)
			}
			for _, part := range []string{"MARK", "HERE"} {
				line, col := find(c.text, part)
				at := text.Position(strings.Index(string(text.Data), part))
				if at.Line != line || at.Col != col || !strings.HasPrefix(c.text[at.Offset:], part) {
					t.Errorf("%s is at %+v, want %d:%d", part, at, line, col)
				}
			}
		})
	}
}

// Strings that go over several lines, and literals inside of other literals, know the places of their characters; where
// the spelling is not followed the place is the whole string's.
func TestFoldedText(t *testing.T) {
	for _, test := range []struct {
		name, text, of string
		line, col      int
	}{
		{"folded", "s: >\n  one\n  é two\n", "two", 3, 5},
		{"folded and cut", "s: >-\n    one  1\n    two\n", "two", 3, 5},
		{"plain", "s: one\n  two\n", "two", 2, 3},
		{"in quotes", "s: \"one\n  two\"\n", "two", 2, 3},
		{"in single quotes", "s: 'one\n\n  two'\n", "two", 3, 3},
		{"escapes in quotes", "s: \"one\\n\n  two\"\n", "two", 1, 4},
	} {
		f := &File{Name: "a.yaml", Data: []byte(test.text)}
		root, _ := Read(f, nil)
		text := StringText(f, root.Get("s"))
		at := text.Position(strings.Index(string(text.Data), test.of))
		if at.Line != test.line || at.Col != test.col {
			t.Errorf("%s: %q at %+v", test.name, text.Data, at)
		}
	}
}

// A definition as a string in a template of JSON.
func TestEscapedText(t *testing.T) {
	f := &File{Name: "t.json", Data: []byte(`{"D": "{\"a\": \"é \\\"x\\\" \\u00e9 y\", \"b\": \"\\ud83d\\ude00z\"}"}`)}
	outer, _ := Read(f, nil)
	inner, problem := StringText(f, outer.Get("D")).Read(f.Name)
	if problem != nil {
		t.Fatal(problem)
	}
	for key, of := range map[string]string{"a": "y", "b": "z"} {
		text := StringText(f, inner.Get(key))
		at := text.Stretch(strings.Index(string(text.Data), of), len(text.Data))
		if got := string(f.Data[at.Start.Offset:at.End.Offset]); got != of {
			t.Errorf("%s: %q of %q at %+v", key, got, text.Data, at)
		}
	}
	if text := StringText(f, inner.Get("a")); string(text.Data) != `é "x" é y` {
		t.Errorf("%q", text.Data)
	}
}

func TestSubstitute(t *testing.T) {
	f := &File{Name: "a.asl.json", Data: []byte("{\"Seconds\": ${Delay},\n \"ä\": \"${Function.Arn}:${AWS::Region} ${Missing} ${} $x\"}")}
	values := map[string]string{"Delay": "5", "Function.Arn": "arn:f", "AWS::Region": "eu"}
	text, unknown := Whole(f).Substitute(func(name string) (string, bool) { v, ok := values[name]; return v, ok })
	if got, want := string(text.Data), "{\"Seconds\": 5,\n \"ä\": \"arn:f:eu ${Missing} ${} $x\"}"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if len(unknown) != 1 || unknown[0].Name != "Missing" || unknown[0].Span.Start.Line != 2 ||
		unknown[0].Span.Start.Col != 39 {
		t.Errorf("unknown: %+v", unknown)
	}
	root, problem := text.Read(f.Name)
	if problem != nil {
		t.Fatal(problem.Message)
	}
	key, node := root.Find("/ä")
	if key.Start.Line != 2 || key.Start.Col != 2 || node.Span.Start.Col != 7 ||
		string(f.Data[node.Span.Start.Offset:node.Span.End.Offset]) != "\"${Function.Arn}:${AWS::Region} ${Missing} ${} $x\"" {
		t.Errorf("ä is at %+v, its value at %+v", key, node.Span)
	}
	if _, problem = Whole(f).Read(f.Name); problem == nil || problem.Span.Start.Line != 1 ||
		problem.Span.Start.Col != 13 {
		t.Errorf("the text as it is: %+v", problem)
	}
}

// BenchmarkOneLine reads a text of one long line in which a name has been replaced.
func BenchmarkOneLine(b *testing.B) {
	f := &File{Name: "a.json", Data: []byte("[${x}" + strings.Repeat(`, {"key": "ä value"}`, 50_000) + "]")}
	b.ReportAllocs()
	for b.Loop() {
		text, _ := Whole(f).Substitute(func(string) (string, bool) { return "1", true })
		if _, problem := text.Read(f.Name); problem != nil {
			b.Fatal(problem)
		}
	}
}
