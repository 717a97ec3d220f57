package jsonata

import (
	"regexp"
	"testing"
)

// The functions of Step Functions (developer guide, "JSONata functions provided by Step Functions").
func TestStepFunctions(t *testing.T) {
	check(t, StepFunctions(), [][3]string{
		{`$partition([1,2,3,4,5], 2)`, ``, `[[1,2],[3,4],[5]]`},
		{`$partition([1,2,3], 2.9)`, ``, `[[1,2],[3]]`},
		{`$partition([0], 1)`, ``, `[[0]]`},
		{`$partition([], 1)`, ``, `[]`},
		{`$range(0, 9, 3)`, ``, `[0,3,6,9]`},
		{`$range(1, 9, 9)`, ``, `1`},
		{`$range(9, 0, -3)`, ``, `[9,6,3,0]`},
		{`$range(0.9, 4.9, 2.5)`, ``, `[0,2,4]`},
		{`$range(5, 1, 1)`, ``, `[]`},
		{`$hash("Hello", "MD5")`, ``, `"8b1a9953c4611296a827abf8c47804d7"`},
		{`$hash("Hello", "SHA-1")`, ``, `"f7ff9e8b7bb2e09b70935a5d785e0cc5d9d0abf0"`},
		{`$hash("Hello", "SHA-256")`, ``, `"185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969"`},
		{`$parse("{\"a\":[1,2]}").a[1]`, ``, `2`},
		{`$parse("-0")`, ``, `0`},
		{`$parse("\"x\"")`, ``, `"x"`},
		{`$random(42) = $random(42)`, ``, `true`},
		{`($r := $random(); $r >= 0 and $r < 1)`, ``, `true`},
		{`$random() = $random()`, ``, `false`},
		{`$map([1,2], $partition([3,4], ?))`, ``, `[[[3],[4]],[[3,4]]]`},
		{`$exists($eval)`, ``, `false`},
		{`$parse(nothing)`, ``, `nothing`},
	})
	for _, text := range []string{`$parse("")`, `$parse("{")`, `$hash("a", "CRC")`, `$partition([1], 0)`,
		`$range(0, 9, 0)`, `$range(0, 9999999, 1)`} {
		if got := evaluate(t, text, "", StepFunctions()); !regexp.MustCompile(`^[A-Z]\d{4}: \S`).MatchString(got) {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := evaluate(t, `$uuid()`, "", StepFunctions()); !regexp.MustCompile(
		`^"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"$`).MatchString(got) {
		t.Error(got)
	}
}
