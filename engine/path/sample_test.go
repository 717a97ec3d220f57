package path

import (
	"testing"

	"asldb/engine/value"
)

// A filter selects its own sample.
func TestSample(t *testing.T) {
	for text, want := range map[string]string{
		"$[?(@.a == 'x')]":                 `{"a":"x"}`,
		"$[?('x' == @.a)]":                 `{"a":"x"}`,
		"$[?(@.a.b != 'x')]":               `{"a":{"b":"x-"}}`,
		"$[?(@.n > 2 && @.m < 2)]":         `{"n":3,"m":1}`,
		"$[?(@.n >= 2.5 || @.m == 1)]":     `{"n":2.5}`,
		"$[?(@.n != 2)]":                   `{"n":3}`,
		"$[?(@.b == true && @.c != true)]": `{"b":true,"c":false}`,
		"$[?(@.z == null)]":                `{"z":null}`,
		"$[?(@.a && !@.gone)]":             `{"a":""}`,
		"$[?(@.a in ['p', 'q'])]":          `{"a":"p"}`,
		"$[?(@.s < 'm')]":                  `{"s":""}`,
		"$[?(@.list == [1, 2])]":           `{"list":[1,2]}`,
		"$[?(!(@.a == 1))]":                `{}`,
		"$[?(@.a == $.b)]":                 `{}`,
		"$[0]":                             `{}`,
	} {
		p, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got := p.Sample(0)
		if value.Compact(got) != want {
			t.Errorf("%s: %s, want %s", text, value.Compact(got), want)
		}
		if want == "{}" {
			continue
		}
		if found := p.Find(&Roots{Data: value.ArrayOf(got)}); found.(*value.Array).Len() != 1 {
			t.Errorf("%s does not take %s", text, want)
		}
	}
}

func TestNamesAndGreatest(t *testing.T) {
	for text, want := range map[string]int{"$[2]": 3, "$[-2]": 2, "$[0,3]": 4, "$[2:]": 3, "$[-3:]": 3, "$[:2]": 1,
		"$[*]": 1, "$['a','b']": 1} {
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Greatest(0); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
		if names := p.Names(0); (len(names) == 2) != (text == "$['a','b']") {
			t.Errorf("%s: names %q", text, names)
		}
	}
}
