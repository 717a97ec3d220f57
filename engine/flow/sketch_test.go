package flow

import (
	"testing"

	"asldb/engine/value"
)

func TestSketch(t *testing.T) {
	p := NewSpace(1000)
	text := Scalar(String, nil)
	open := p.Object([]Member{{Name: "a", Shape: text}, {Name: "b", Shape: text, Maybe: true}}, true)
	parse := func(text string) *Shape {
		v, err := value.Parse([]byte(text), value.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return p.Of(v)
	}
	for want, s := range map[string]*Shape{
		"any":                         nil,
		"string":                      text,
		"{}":                          parse(`{}`),
		"{a, b?, …}":                  open,
		"{a, b, c, d, e, f, …}":       parse(`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}`),
		"[]":                          parse(`[]`),
		"[number | string]":           parse(`[1, "a", 2]`),
		"[{a}]":                       p.ArrayOf(parse(`{"a":1}`)),
		"[any]":                       p.ArrayOf(nil),
		"[boolean | number | {} | …]": parse(`[true, 1, {}, "x", null]`),
		"{a} | {b}":                   p.Either(parse(`{"a":1}`), parse(`{"b":1}`)),
		"null":                        parse(`null`),
		"[[number]]":                  parse(`[[1]]`),
	} {
		if got := s.Sketch(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
