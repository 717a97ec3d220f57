package asl

import (
	"strings"
	"testing"
)

func TestPlace(t *testing.T) {
	text := `{"StartAt": "A", "States": {
 "A": {"Type": "Pass", "Next": "B", "Parameters": {"a": [{"b.$": "$.x"}], "c/d.$": "$.y", "c": {"d.$": 1, "x[0]": {"y": 2}}, "~": 3}},
 "B": {"Type": "Choice", "Default": "C", "Choices": [{"Variable": "$.n", "IsNull": true, "Next": "C"},
  {"And": [{"Variable": "$.m", "IsNull": true}], "Next": "C"}]}, "C": {"Type": "Succeed"}}}`
	text = strings.Replace(text, `{"d.$": 1, `, `{"d": 1, `, 1)
	machine, problems := Parse(&Source{Name: "t.json", Data: []byte(text)})
	if machine == nil {
		t.Fatal(problems)
	}
	tests := []struct{ state, field, pointer, shown string }{
		{"A", "", "/States/A", `"A"`},
		{"A", "Parameters", "/States/A/Parameters", `{"a": `},
		{"A", "Parameters/a[0]/b.$", "/States/A/Parameters/a/0/b.$", `"$.x"`},
		{"A", "Parameters/a/0/b.$", "/States/A/Parameters/a/0/b.$", `"$.x"`},
		{"A", "Parameters/c/d.$", "/States/A/Parameters/c~1d.$", `"$.y"`},
		{"A", "Parameters/c~1d.$", "/States/A/Parameters/c~1d.$", `"$.y"`},
		{"A", "Parameters/c/d", "/States/A/Parameters/c/d", `1`},
		{"A", "Parameters/c/x[0]/y", "/States/A/Parameters/c/x[0]/y", `2`},
		{"A", "Parameters/~0", "/States/A/Parameters/~0", `3`},
		{"A", "Parameters/a[7]/b.$", "/States/A/Parameters/a", `[{"b.$"`},
		{"A", "Parameters/nothing", "/States/A/Parameters", `{"a": `},
		{"A", "ItemsPath", "/States/A", `"A"`},
		{"B", "Choices[1]", "/States/B/Choices/1", `{"And"`},
		{"B", "Choices[1]/And[0]/Variable", "/States/B/Choices/1/And/0/Variable", `"$.m"`},
		{"B", "Choices[99999999999999999999]", "/States/B/Choices", `[{"Var`},
	}
	for _, test := range tests {
		p := machine.Lookup(test.state).Place(test.field)
		if p.Pointer != test.pointer || !strings.HasPrefix(text[p.Span.Start.Offset:], test.shown) ||
			p.Source != machine.Source {
			t.Errorf("%s %q: %s at %+v, want %s at %s", test.state, test.field, p.Pointer, p.Span.Start, test.pointer,
				test.shown)
		}
	}
}
