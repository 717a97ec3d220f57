package source_test

import (
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
)

// A ${Name} without a value may stand where JSON has no string; inside of a string it is text.
func TestUnknownValues(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": ${N}, "b": "${N}", "c": [${N}, "\"${N}", 1]}`: `{"a":1,"b":"${N}","c":[1,"\"${N}",1]} /a /c/0`,
		"a: ${N}\nb: \"${N}\"\nc: x${N}\n":                   `{"a":"${N}","b":"${N}","c":"x${N}"} /a`,
		`{"a": "${N}"}`:                                      `{"a":"${N}"}`,
	} {
		file := &source.File{Name: "d", Data: []byte(text)}
		root, problem := source.Whole(file).ReadSubstituted(file.Name)
		if problem != nil {
			t.Errorf("%s: %s", text, problem.Message)
			continue
		}
		got := ""
		for _, pointer := range []string{"/a", "/b", "/c", "/c/0", "/c/1", "/c/2"} {
			if _, n := root.Find(pointer); n != nil && n.Unknown {
				got += " " + pointer
				if n.Kind != value.KindNumber || text[n.Span.Start.Offset] != '$' {
					t.Errorf("%s: %s is %v at %d", text, pointer, n.Kind, n.Span.Start.Offset)
				}
			}
		}
		// The values of containers are the read text's, with the placeholder only in JSON.
		if value.Compact(root.Value)+got != want {
			t.Errorf("%s: got %s%s, want %s", text, value.Compact(root.Value), got, want)
		}
	}
}
