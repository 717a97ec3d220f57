package source

import (
	"testing"

	"asldb/engine/value"
)

// TestFlowCollections has forms of flow collections that YAML 1.2 allows, and some that it does not.
func TestFlowCollections(t *testing.T) {
	for text, want := range map[string]string{
		"R: {a: x\n   y, b: 1}":                                              `{"R":{"a":"x y","b":1}}`,
		"R: {a: plain text over\n  two lines, b: 1}":                         `{"R":{"a":"plain text over two lines","b":1}}`,
		"S:\n  A:\n    R: {a: over\n      two\n      and three, b: 1}\nT: 2": `{"S":{"A":{"R":{"a":"over two and three","b":1}}},"T":2}`,
		"R: {a: x\n\n\n   y}":                                                `{"R":{"a":"x\n\ny"}}`,
		"R: {a: 1\n   2}":                                                    `{"R":{"a":"1 2"}}`,
		"R: [x\n  y, z]":                                                     `{"R":["x y","z"]}`,
		"R: {a: x\n  , b: y\n  }":                                            `{"R":{"a":"x","b":"y"}}`,
		`R: ["a":1, b]`:                                                      `{"R":[{"a":1},"b"]}`,
		`R: ['é':x, "b":{c: d}]`:                                             `{"R":[{"é":"x"},{"b":{"c":"d"}}]}`,
		`R: ["a":"b"]`:                                                       `{"R":[{"a":"b"}]}`,
		`R: {"a":1,"b":[2],"c":{"d":null}}`:                                  `{"R":{"a":1,"b":[2],"c":{"d":null}}}`,
		"a: x\nb:\n  c\n  d\ne: f":                                           `{"a":"x","b":"c d","e":"f"}`,
		"R: {a: , b: c}":                                                     `{"R":{"a":null,"b":"c"}}`,
		"R: {a\n : 1, b\n\n  : {c\n : d}}":                                   `{"R":{"a":1,"b":{"c":"d"}}}`,
		"R: [a\n : 1]":                                                       "",
		"R: {&k a: 1, b: *k}":                                                `{"R":{"a":1,"b":"a"}}`,
		"&k a: 1\nb: {*k : 2}":                                               `{"a":1,"b":{"a":2}}`,
		"a: &k [1]\nb: {*k : 2}":                                             "",
		"R: {*k : 2}":                                                        "",
		"R: {[1]: 2}":                                                        "",
		"? {a: 1}\n: 2":                                                      "",
		"R: {a: x # comment\n  y}":                                           "",
		"R: {a: \"x\"\n  y}":                                                 "",
		"R: {a: x y\n":                                                       "",
	} {
		root, problem := ReadYAML([]byte(text), nil)
		switch {
		case problem != nil && want != "":
			t.Errorf("%q: %s", text, problem.Message)
		case problem == nil && want == "":
			t.Errorf("%q is %s", text, value.Compact(root.Value))
		case problem == nil && value.Compact(root.Value) != want:
			t.Errorf("%q is %s, want %s", text, value.Compact(root.Value), want)
		}
	}
}

// TestFlowPlaces: what stands behind a mended scalar has its place.
func TestFlowPlaces(t *testing.T) {
	root, problem := ReadYAML([]byte("R: {a: x\n   y, b: [\"c\":1, d]}\n"), nil)
	if problem != nil {
		t.Fatal(problem.Message)
	}
	for pointer, want := range map[string][2]int{"/R/a": {1, 8}, "/R/b": {2, 10}, "/R/b/0/c": {2, 15}, "/R/b/1": {2, 18}} {
		_, n := root.Find(pointer)
		if n == nil || n.Span.Start.Line != want[0] || n.Span.Start.Col != want[1] {
			t.Errorf("%s is at %v, want %v", pointer, n.Span, want)
		}
	}
}
