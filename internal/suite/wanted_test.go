package suite_test

import (
	"testing"

	"asldb/engine/value"
	"asldb/internal/suite"
)

// A wanted value beside a found one has its form: what matches is as it was found, in its order.
func TestBeside(t *testing.T) {
	for _, test := range []struct{ want, found, beside string }{
		{`output: {a: 1}`, `{"b":2,"a":1}`, `{"b":2,"a":1}`},
		{`output: {a: 3}`, `{"b":2,"a":1}`, `{"b":2,"a":3}`},
		{`output!: {a: 3}`, `{"b":2,"a":1}`, `{"a":3}`},
		{`output: {c: {d: 1}}`, `{"b":2}`, `{"b":2,"c":{"d":1}}`},
		{`output: {b: $absent, c: $absent}`, `{"a":1,"b":2}`, `{"a":1}`},
		{`output: {id: "$any(uuid)", n: "$any(number)"}`, `{"id":"x","n":7}`, `{"id":"$any(uuid)","n":7}`},
		{`output: {list: [1, {a: 2}]}`, `{"list":[1,{"a":1,"b":1}]}`, `{"list":[1,{"a":2,"b":1}]}`},
		{`output: {list: [1]}`, `{"list":[1,2]}`, `{"list":[1]}`},
		{`output: {a: $$any}`, `{"a":"x"}`, `{"a":"$any"}`},
		{`output: $.a > 1`, `{"a":1}`, `"$.a > 1"`},
		{`output: $.a > 0`, `{"a":1}`, `{"a":1}`},
		{`output: {a: 1}`, `[1]`, `{"a":1}`},
	} {
		s, err := suite.Load("a.test.yaml", []byte("version: 1\ndefinition: a.asl.json\ncases:\n  a:\n    expect: {"+
			test.want+"}\n"))
		if err != nil {
			t.Fatalf("%s: %v", test.want, err)
		}
		got := s.Cases[0].Expect.Output.Beside(value.Must(test.found), nil)
		if value.Compact(got) != test.beside {
			t.Errorf("%s beside %s is %s, want %s", test.want, test.found, value.Compact(got), test.beside)
		}
	}
}
