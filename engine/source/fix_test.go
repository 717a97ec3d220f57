package source

import (
	"strings"
	"testing"
)

// fixIn returns the text with a Fix of the stretch between the marks «», or "" where there is no change of the text.
func fixIn(marked, from, to string) string {
	before, rest, _ := strings.Cut(marked, "«")
	stretch, behind, _ := strings.Cut(rest, "»")
	file := &File{Name: "f", Data: []byte(before + stretch + behind)}
	start := after(Position{Line: 1, Col: 1}, []byte(before))
	d := Diagnostic{File: file, Fix: &Fix{At: Span{Start: start, End: after(start, []byte(stretch))}, From: from,
		To: to}}
	e, ok := d.Edit()
	if !ok {
		return ""
	}
	return string(Apply(file, Separate([]Edit{e, e})))
}

func TestEdit(t *testing.T) {
	tests := []struct{ name, marked, from, to, want string }{
		{"JSON", `{"A": «"Nxt"», "B": "Nxt"}`, "Nxt", "Next", `{"A": "Next", "B": "Nxt"}`},
		{"in YAML without quotes", "A: «Nxt»\nB: Nxt\n", "Nxt", "Next", "A: Next\nB: Nxt\n"},
		{"in YAML with quotes", "A: «'Nxt'»\n", "Nxt", "Next", "A: 'Next'\n"},
		{"a string in a string", `"{\"A\": «\"Nxt\"»}"`, "Nxt", "Next", `"{\"A\": \"Next\"}"`},
		{"a key gets an ending", `{«"Name"»: "$.name"}`, "Name", "Name.$", `{"Name.$": "$.name"}`},
		{"characters of several bytes", `{"Größe": «"Grösse"»}`, "Grösse", "Größe", `{"Größe": "Größe"}`},
		{"a part of the text", `«"States.Fromat('{}', $.a)"»`, "States.Fromat", "States.Format",
			`"States.Format('{}', $.a)"`},
		{"a word inside of another", `«"$.order.orders"»`, "order", "Order", `"$.Order.orders"`},
		{"the word is there twice", `«"$.a.a"»`, "a", "b", ""},
		{"the word is written with an escape", `«"N\u0078t"»`, "Nxt", "Next", ""},
		{"the new word needs an escape", `«"Nxt"»`, "Nxt", `Ne"xt`, ""},
		{"the new word is a line", `«"Nxt"»`, "Nxt", "Ne\nxt", ""},
		{"the new word has a meaning in YAML", "A: «Nxt»", "Nxt", "Next: x", ""},
		{"the new word is a comment in YAML", "A: «Nxt»", "Nxt", "Next #1", ""},
		{"the new word is a substitution", `«"Nxt"»`, "Nxt", "${Next}", ""},
		{"no word", `«"Nxt"»`, "", "Next", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fixIn(tt.marked, tt.from, tt.to); got != tt.want {
				t.Errorf("%s: %q becomes %q: %s, want %s", tt.marked, tt.from, tt.to, got, tt.want)
			}
		})
	}
	for _, d := range []Diagnostic{{}, {Fix: &Fix{From: "a"}},
		{File: &File{Data: []byte("a")}, Fix: &Fix{From: "a", At: Span{End: Position{Offset: 9}}}}} {
		if e, ok := d.Edit(); ok {
			t.Errorf("%v is an edit", e)
		}
	}
}

// TestEditPlaces: the place of an edit counts characters, and lines where the stretch has several.
func TestEditPlaces(t *testing.T) {
	file := &File{Name: "f", Data: []byte("A: |\n  ö Nxt\nB: 1\n")}
	d := Diagnostic{File: file, Fix: &Fix{At: Span{Start: Position{Offset: 3, Line: 1, Col: 4},
		End: Position{Offset: 14, Line: 3, Col: 1}}, From: "Nxt", To: "Next"}}
	e, ok := d.Edit()
	if want := (Span{Start: Position{2, 5, 10}, End: Position{2, 8, 13}}); !ok || e.Span != want {
		t.Errorf("the edit is at %v, want %v", e.Span, want)
	}
}

func TestApplyOverlapping(t *testing.T) {
	file := &File{Name: "f", Data: []byte("abcdef")}
	edit := func(from, to int, text string) Edit {
		return Edit{File: file, Span: Span{Start: Position{Offset: from}, End: Position{Offset: to}}, Text: text}
	}
	made := Separate([]Edit{edit(4, 5, "E"), edit(1, 3, "BC"), edit(2, 4, "xx")})
	if text := Apply(file, made); string(text) != "aBCdEf" || len(made) != 2 {
		t.Errorf("the text is %s with %d edits, want aBCdEf with 2", text, len(made))
	}
}
