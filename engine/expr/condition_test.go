package expr_test

import (
	"strings"
	"testing"

	"asldb/engine/expr"
	"asldb/engine/value"
)

// shape writes a condition with its joints; "!" behind a part says that its evaluation may fail.
func shape(c *expr.Condition) string {
	parts := value.Each(c.Parts, shape)
	switch c.Joint {
	case expr.All:
		return "all(" + strings.Join(parts, ", ") + ")"
	case expr.Any:
		return "any(" + strings.Join(parts, ", ") + ")"
	case expr.Not:
		return "not(" + parts[0] + ")"
	case expr.Alone:
	}
	text := c.Expression.String()
	if c.Comparison != nil {
		text = c.Comparison.Name + "~"
		for _, constant := range c.Comparison.Constants {
			text += value.Compact(constant)
		}
	}
	if !c.Sure {
		text += "!"
	}
	return text
}

func TestConditionIsTakenApart(t *testing.T) {
	for text, want := range map[string]string{
		`type == "A"`:                                `type~"A"`,
		`type == "A" && $.n > 5`:                     `all(type~"A", $.n > 5)`,
		`"A" == type && 3 < seq`:                     `all(type~"A", seq~3)`,
		`state in ["a b", 'c']`:                      `state~"a b""c"`,
		`state in [] || type =~ "^x|y$"`:             `any(state~, type~"^x|y$")`,
		`(type == "A" || type == "B") && !(seq > 1)`: `all(any(type~"A", type~"B"), not(seq~1))`,
		`a && b || c && d`:                           `any(all(a, b), all(c, d))`,
		`((seq==1))`:                                 `seq~1`,
		`!state == "x"`:                              `!state == "x"!`,
		`seq + 1 > 2 && thread == 0`:                 `all(seq + 1 > 2!, thread~0)`,
		`a ? b : c && d`:                             `a ? b : c && d!`,
		`a ?? b && c`:                                `a ?? b && c!`,
		`(a ? b : c) && d == null`:                   `all(a ? b : c!, d~null)`,
		`$.list[?(@.a && @.b)] && x == true`:         `all($.list[?(@.a && @.b)]!, x~true)`,
		`"a && b" == state`:                          `state~"a && b"`,
		`len($.x) > 3 && upper(state) == "A"`:        `all(len($.x) > 3!, upper(state) == "A"!)`,
		`error.Cause == "x"`:                         `error.Cause == "x"!`,
		`$.a == $.b`:                                 `$.a == $.b`,
		`"x" in $.tags`:                              `"x" in $.tags`,
		`type =~ $.pattern`:                          `type =~ $.pattern!`,
		`state == "ж ж" && cause == "日本"`:            `all(state~"ж ж", cause~"日本")`,
		`seq % 2 == 0`:                               `seq % 2 == 0!`,
		`seq & 1 == 1`:                               `seq & 1 == 1!`,
		`{"a": 1 && 2} == $ && seq`:                  `all({"a": 1 && 2} == $!, seq)`,
		`[1, 2] == [1, 2]`:                           `[1, 2] == [1, 2]!`,
		`"only"`:                                     `"only"`,
		`stage != "Result" && (path == "A/Branches[0]/B")`: `all(stage~"Result", path~"A/Branches[0]/B")`,
	} {
		x, err := expr.Compile(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := shape(x.Condition()); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
