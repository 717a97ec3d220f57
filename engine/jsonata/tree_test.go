package jsonata_test

import (
	"strings"
	"testing"

	"asldb/engine/jsonata"
	"asldb/engine/value"
)

// The comparisons of an expression are found wherever they are, with the path on either side.
func TestTreeComparisons(t *testing.T) {
	for text, want := range map[string]string{
		`$states.input.a.b > 2`:                     "a.b 2",
		`'x' = $states.input.a`:                     `a "x"`,
		`$not($x and [$states.input.a != true])`:    "a true",
		`$states.input.list[n <= 3 and $v.b = 1].c`: "- 3; - 1",
		`$states.input.a[0] = 1`:                    "- 1",
		`$states.result.a = 1`:                      "- 1",
		`$states.input.a & 'x'`:                     "",
		`$states.input.a = $states.input.b`:         "",
		`{'k': $states.input.a >= -1.5}`:            "a -1.5",
	} {
		compiled, err := jsonata.Compile(text, jsonata.StepFunctions())
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for x := range compiled.Tree().All() {
			side, literal := x.Compared()
			if side == nil {
				continue
			}
			names, ok := side.After("states", "input")
			if !ok {
				names = []string{"-"}
			}
			found = append(found, strings.Join(names, ".")+" "+value.Compact(literal))
		}
		if got := strings.Join(found, "; "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
