package console_test

import (
	"errors"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/expr"
	"asldb/engine/path"
	"asldb/engine/template"
	"asldb/engine/value"
)

func env(language asl.QueryLanguage) *console.Env {
	return &console.Env{
		Env: expr.Env{
			Data:    value.Must(`{"total":120,"lines":[{"price":1},{"price":2.5}],"id":"o-1"}`),
			Context: value.Must(`{"Execution":{"Name":"run"}}`),
			Variables: func(name string) value.Value {
				if name == "limit" {
					return value.Must(`100`)
				}
				return nil
			},
			Fields: map[string]value.Value{"state": value.String("Charge")},
		},
		Language: language,
		States: func() value.Value {
			return value.Must(`{"input":{"total":7,"lines":[{"price":4},{"price":5}]},"context":{"Execution":{"Name":"run"}}}`)
		},
	}
}

// TestLook has expressions of each language, in states of both.
func TestLook(t *testing.T) {
	for _, test := range []struct{ text, jsonPath, jsonata string }{
		{`$.total`, `120`, `120`},
		{`$.total > $limit && state == "Charge"`, `true`, `true`},
		{`$limit`, `100`, `100`},
		{`$limit + 1`, `101`, `101`},
		{`$$.Execution.Name`, `"run"`, `"run"`},
		{`$states.input.total`, `null`, `7`},
		{`{% $states.input.total %}`, `7`, `7`},
		{`$sum($states.input.lines.price)`, `9`, `9`},
		{`$states.input.lines[price > 4].price & "x"`, `"5x"`, `"5x"`},
		{`{% $uppercase("a") %}`, `"A"`, `"A"`},
		{`States.Format('{}/{}', $.id, $$.Execution.Name)`, `"o-1/run"`, `"o-1/run"`},
		{`{"id.$": "$.id", "n": 1}`, `{"id":"o-1","n":1}`, `{"id":"o-1","n":1}`},
		{`{"t": "{% $states.input.total * 2 %}"}`, `{"t":14}`, `{"t":14}`},
		{`{"a": 1}`, `{"a":1}`, `{"a":1}`},
		{`[1, $.total]`, `[1,120]`, `[1,120]`},
	} {
		x, err := console.Compile(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		for language, want := range map[asl.QueryLanguage]string{asl.JSONPath: test.jsonPath,
			asl.JSONata: test.jsonata} {
			v, err := x.Look(env(language))
			got := "null"
			if v != nil {
				got = value.Compact(v)
			}
			var miss *path.MissError
			if err != nil && !errors.As(err, &miss) {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s in %v: %s, want %s", test.text, language, got, want)
			}
		}
	}
}

func TestTruth(t *testing.T) {
	for text, want := range map[string]bool{
		`$states.input.total = 7`: true, `{% $states.input.total > 9 %}`: false, `$count($states.input.lines)`: true,
		`$.total > 1`: true,
		`{% [] %}`:    false, `{% "" %}`: false, `{% {} %}`: false, `{% "a" %}`: true, `{% null %}`: false,
		`States.ArrayLength($.lines)`: true,
		`{% {"a": 1} %}`:              true,
	} {
		x, err := console.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := x.Truth(env(asl.JSONata)); got != want || err != nil {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
}

// TestFaults has texts that are no expressions: each gets the error of the language that it looks like.
func TestFaults(t *testing.T) {
	for _, text := range []string{`$.total = 100`, `state = "x"`, `$.a &&`, `{% $x( %}`, `States.Nope($.a)`,
		`{"a.$": "nothing"}`, `{"a": "{% ( %}"}`, ``} {
		if x, err := console.Compile(text); err == nil {
			t.Errorf("%q is taken for an expression: %+v", text, x)
		}
	}
	var syntax *expr.SyntaxError
	if _, err := console.Compile(`$.total = 100`); !errors.As(err, &syntax) {
		t.Errorf("got %v", err)
	}
	x, _ := console.Compile(`{% $states.input.none %}`)
	var none *template.QueryError
	if _, err := x.Look(env(asl.JSONata)); !errors.As(err, &none) {
		t.Errorf("got %v", err)
	}
}

func TestDataOnly(t *testing.T) {
	for text, want := range map[string]bool{`$.total`: true, `$limit`: false, `$states.input.a`: false,
		`{% 1 %}`: false} {
		if x, _ := console.Compile(text); x.DataOnly() != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}
