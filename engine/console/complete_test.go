package console_test

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/jsonata"
	"asldb/engine/source"
)

// TestComplete has texts with some of their continuations, in states of both languages.
func TestComplete(t *testing.T) {
	for _, test := range []struct {
		text     string
		language asl.QueryLanguage
		want     string // the texts that there must be; those behind ! must not
	}{
		{"", asl.JSONPath, "$ !$states"},
		{"", asl.JSONata, "$ $states"},
		{"$", asl.JSONPath, "$.total $.lines $limit $$ !$states !$sum("},
		{"$", asl.JSONata, "$.total $limit $states $sum("},
		{"$.", asl.JSONPath, "$.total $.lines $.id"},
		{"$.to", asl.JSONata, "$.total !$.id"},
		{"$.total > $li", asl.JSONPath, "$.total > $limit"},
		{"$.lines[1].", asl.JSONPath, "$.lines[1].price"},
		{"$.lines[*].", asl.JSONPath, "$.lines[*].price"},
		{"$$.Execution.", asl.JSONPath, "$$.Execution.Name"},
		{"$states.", asl.JSONata, "$states.input $states.context"},
		{"$sum($states.input.lines.", asl.JSONata, "$sum($states.input.lines.price"},
		{"$up", asl.JSONata, "$uppercase("},
		{"$up", asl.JSONPath, "!$uppercase("},
		{"{% $up", asl.JSONPath, "{% $uppercase("},
		{"States.", asl.JSONPath, "States.Format( States.UUID("},
		{"States.ArrayL", asl.JSONPath, "States.ArrayLength( !States.Array("},
		{`{"a.$": "States.Fo`, asl.JSONPath, `{"a.$": "States.Format(`},
		{"sta", asl.JSONPath, "state stage startsWith( States."},
		{`state == "sta`, asl.JSONPath, `!state == "state`},
		{"$.none.", asl.JSONPath, "!$.none."},
	} {
		var got []string
		for _, c := range console.Complete(test.text, env(test.language), []string{"limit", "other"}) {
			got = append(got, c.Text)
		}
		wants := []string{test.want}
		if !strings.Contains(test.text, " ") {
			wants = strings.Fields(test.want)
		}
		for _, want := range wants {
			if want, not := strings.CutPrefix(want, "!"); slices.Contains(got, want) == not {
				t.Errorf("%q in %v: %q; want %q: %v", test.text, test.language, got, want, !not)
			}
		}
	}
}

// TestSignature: within the arguments of a function its usage is shown.
func TestSignature(t *testing.T) {
	for text, want := range map[string]string{
		"$substring(":                           "$substring(str, start[, length])",
		"$substring($string(1), ":               "$substring(str, start[, length])",
		"$join($map([1], function($v) { 1 }), ": "$join(array[, separator])",
		"{% $substring('(', ":                   "$substring(str, start[, length])",
		"States.Format('{} (', ":                "States.Format(template, value, ...)",
		"States.MathRandom(1, ":                 "States.MathRandom(start, end[, seed])",
		"contains(":                             "contains(text, part)", "$substring('a')": "", "other(": "",
		"1 + ": "",
	} {
		got := ""
		for _, c := range console.Complete(text, env(asl.JSONata), nil) {
			if got = c.Name; c.Text != text || c.About == "" {
				t.Errorf("%s: %+v", text, c)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestCompleteKnowsTheFunctions: each function has its usage and says what it does, and each of JSONata can be called.
func TestCompleteKnowsTheFunctions(t *testing.T) {
	for _, text := range []string{"States.", "{% $"} {
		for _, c := range console.Complete(text, env(asl.JSONPath), nil) {
			if c.Value == nil && (!strings.Contains(c.About, ")  ") || strings.HasSuffix(c.About, "  ")) {
				t.Errorf("%s: %q", c.Name, c.About)
			}
		}
	}
	for _, name := range jsonata.StepFunctions().FunctionNames() {
		if _, err := jsonata.Compile("$"+name, jsonata.StepFunctions()); err != nil {
			t.Errorf("$%s: %v", name, err)
		}
	}
}

func TestVariableNames(t *testing.T) {
	definition, _ := asl.Parse(&source.File{Name: "a.json", Data: []byte(`{"StartAt":"A","States":{"A":{"Type":"Pass","Assign":{"n.$":"$.n","m":1},"Next":"C"},
"C":{"Type":"Choice","Choices":[{"Variable":"$.a","IsPresent":true,"Next":"A","Assign":{"n":2,"k":3}}],"Default":"E"},"E":{"Type":"Succeed"}}}`)})
	if got := console.VariableNames(definition); !slices.Equal(got, []string{"k", "m", "n"}) {
		t.Errorf("the names are %q", got)
	}
}

// A function is offered with its parameters and its purpose.
func TestCompleteFunctionUsage(t *testing.T) {
	list := console.Complete("{% $lengt", env(asl.JSONata), nil)
	if len(list) != 1 || list[0].Name != "$length(" ||
		!strings.HasPrefix(list[0].About, "$length(str)  the number of characters") {
		t.Errorf("%+v", list)
	}
}
