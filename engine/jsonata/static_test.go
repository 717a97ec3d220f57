package jsonata_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"asldb/engine/jsonata"
	"asldb/engine/value"
)

// The operators are the language's: "Conditional expression", "Boolean operators".
func TestDecisions(t *testing.T) {
	for _, test := range []struct{ text, conditionals, operands string }{
		{"a", "", "a"},
		{"a = 1 and (b or c)", "", "a = 1|b|c"},
		{"a ? b : c ? d : e", "a|c", "a ? b : c ? d : e"},
		{"$map(items, function($i) { $i > 1 ? 'x' : 'y' })", "$i > 1",
			"$map(items, function($i) { $i > 1 ? 'x' : 'y' })"},
		{"items[price > 3 ? true : false].{'a': b ? 1}", "price > 3|b", "items[price > 3 ? true : false].{'a': b ? 1}"},
		{"a{k: b ? 1 : 2}", "b", "a{k: b ? 1 : 2}"},
		{"a^(b ? 1 : 2)", "b", "a^(b ? 1 : 2)"},
	} {
		x, err := jsonata.Compile(test.text, jsonata.StepFunctions())
		if err != nil {
			if test.operands != "" {
				t.Errorf("%s: %v", test.text, err)
			}
			continue
		}
		if got := texts(x.Conditionals()); got != test.conditionals {
			t.Errorf("%s: conditionals %s, want %s", test.text, got, test.conditionals)
		}
		if got := texts(x.Operands()); got != test.operands {
			t.Errorf("%s: operands %s, want %s", test.text, got, test.operands)
		}
	}
}

// A condition inside of a lambda is counted for each call, also where the first one takes another arm.
func TestConditionalsOfAnEvaluation(t *testing.T) {
	x, err := jsonata.Compile("[1, 5, 7].($ > 3 ? 'big' : 'small') ~> $join", jsonata.StepFunctions())
	if err != nil {
		t.Fatal(err)
	}
	_, trace, err := x.EvalTrace(value.Must("null"), nil, jsonata.Env{})
	if err != nil {
		t.Fatal(err)
	}
	found := trace.Conditionals()
	if len(found) != 1 || found[0].True != 2 || found[0].False != 1 || found[0].Text != "$ > 3" {
		t.Errorf("found %+v", found)
	}
	if len(trace.Children) == 0 || len(trace.Children[0].Conditionals()) != 0 {
		t.Error("a child has the conditionals of the whole")
	}
}

func TestFindInATrace(t *testing.T) {
	x, err := jsonata.Compile("1 = 1 and 2 = 3 and 4 = 4", jsonata.StepFunctions())
	if err != nil {
		t.Fatal(err)
	}
	_, trace, err := x.EvalTrace(value.Must("null"), nil, jsonata.Env{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range x.Operands() {
		result := "not evaluated"
		if r := trace.Find(o.Start, o.End); r != nil {
			result = value.Compact(r.Value)
		}
		got = append(got, o.Text+": "+result)
	}
	if want := "1 = 1: true|2 = 3: false|4 = 4: not evaluated"; strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
}

func texts(found []jsonata.Decision) string {
	texts := value.Each(found, func(d jsonata.Decision) string { return d.Text })
	return strings.Join(texts, "|")
}

func ExampleExpression_Conditionals() {
	x, err := jsonata.Compile("total > 100 ? 'approve' : 'pass'", jsonata.StepFunctions())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range x.Conditionals() {
		fmt.Println(d.Text)
	}
	// Output:
	// total > 100
}

// Operators have their places, wherever they are in the expression; signs in texts, patterns and comments are none.
func TestOperators(t *testing.T) {
	for text, want := range map[string]string{
		`$a > 1 and $b<=2`:                        `> 3|and 7|<= 13`,
		`$not($x = "a < b") /* < */ or $y!=3`:     `$not 0|= 8|or 27|!= 32`,
		`$x ? $y > 1 : $z[price >= 3]`:            `> 8|>= 23`,
		`$match(a, /x>y/).(b = 1 ? {"k": c < 2})`: `= 20|< 34`,
		`$sum(x)`:   ``,
		`a.b & "c"`: `& 4`,
	} {
		x, err := jsonata.Compile(text, jsonata.StepFunctions())
		if err != nil {
			t.Fatal(text, err)
		}
		var got []string
		for _, o := range x.Operators() {
			if text[o.Start:o.End] != o.Text {
				t.Errorf("%s: %q is at %d to %d", text, o.Text, o.Start, o.End)
			}
			got = append(got, o.Text+" "+strconv.Itoa(o.Start))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %s, want %s", text, strings.Join(got, "|"), want)
		}
	}
}
