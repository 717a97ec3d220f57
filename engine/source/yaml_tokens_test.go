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
		"R: {Fn::GetAtt: [a, b]}":                                            `{"R":{"Fn::GetAtt":["a","b"]}}`,
		`R: {Fn::Sub: "${A}]:x", Fn::Ref: b}`:                                `{"R":{"Fn::Sub":"${A}]:x","Fn::Ref":"b"}}`,
		"R: {k: [arn:aws:x, b:c, {d:e: f::g}], l: a:b}":                      `{"R":{"k":["arn:aws:x","b:c",{"d:e":"f::g"}],"l":"a:b"}}`,
		"R: [arn:aws:x, {a:: 1, b : 2, c:[3], d:{}, e:}]":                    `{"R":["arn:aws:x",{"a:":1,"b":2,"c":[3],"d":{},"e":null}]}`,
		"R: {a: 'x:y' , 'b':1, \"c\" :2, d: \"e:f\"}":                        `{"R":{"a":"x:y","b":1,"c":2,"d":"e:f"}}`,
		"R: {a:b: , c: http://d/e:f, g: 10:20:30}":                           `{"R":{"a:b":null,"c":"http://d/e:f","g":"10:20:30"}}`,
		"R: {a: x:y\n  z:1, b: 2} # c:d":                                     `{"R":{"a":"x:y z:1","b":2}}`,
		"a:b: |\n  {c:d: 1}\ne: >-\n  f:g\n  h\ni: \"\\u003A:j\"":            `{"a:b":"{c:d: 1}\n","e":"f:g h","i":"::j"}`,
		`R: {a: "b:c\u0001:d", e:f: "\x01", g: "h:\n i\x3a"}`:                `{"R":{"a":"b:c\u0001:d","e:f":"\u0001","g":"h:\n i:"}}`,
		"R: {a: \"b:c\n  d\\u0001:e\", f: 'g\n  h:i'}":                       `{"R":{"a":"b:c d\u0001:e","f":"g h:i"}}`,
		"&a:b R: {k: &c:d e, l: *c:d }":                                      `{"R":{"k":"e","l":"e"}}`,
		"R: {k: a:b: c}":                                                     "",
		"R: {a:1, b: 2}":                                                     "",
		"R: {\"a:1\", b:2: }":                                                `{"R":{"a:1":null,"b:2":null}}`,
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

// TestFlowPlaces: what follows a mended scalar has its place.
func TestFlowPlaces(t *testing.T) {
	root, problem := ReadYAML([]byte("R: {a: x\n   y, b: [\"c\":1, d]}\n"), nil)
	if problem != nil {
		t.Fatal(problem.Message)
	}
	for pointer, want := range map[string][2]int{"/R/a": {1, 8}, "/R/b": {2, 10}, "/R/b/0/c": {2, 15},
		"/R/b/1": {2, 18}} {
		_, n := root.Find(pointer)
		if n == nil || n.Span.Start.Line != want[0] || n.Span.Start.Col != want[1] {
			t.Errorf("%s is at %v, want %v", pointer, n.Span, want)
		}
	}
}
