package asl_test

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// A new comparison operator is one row: with it the operator is read, suggested, written in labels and evaluated, by a
// literal and by a Path.
func TestANewOperatorIsOneRow(t *testing.T) {
	rule := func(text string) (*asl.Test, []asl.Diagnostic) {
		definition, found := asl.Parse(&asl.Source{Name: "a.json", Data: []byte(
			`{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Variable":"$.s",` + text +
				`,"Next":"D"}]},"D":{"Type":"Succeed"}}}`)})
		if definition == nil || len(found) > 0 {
			return nil, found
		}
		return definition.Top.State("C").Choices[0].Test, nil
	}
	if _, found := rule(`"StringStartsWith":"ab"`); len(found) == 0 {
		t.Fatal("the operator is known already")
	}
	defer asl.AddOperator(asl.Operator{Name: "StringStartsWith", HasPath: true,
		Compile: func(right value.Value) (asl.Comparison, error) {
			prefix, _ := right.(value.String)
			return func(left value.Value) bool {
				text, ok := left.(value.String)
				return ok && strings.HasPrefix(string(text), string(prefix))
			}, nil
		}}, "begins with")()
	for text, label := range map[string]string{
		`"StringStartsWith":"ab"`: `$.s begins with "ab"`, `"StringStartsWithPath":"$.p"`: `$.s begins with $.p`,
	} {
		test, found := rule(text)
		if len(found) > 0 {
			t.Fatalf("%s: %v", text, found)
		}
		if got := test.String(); got != label {
			t.Errorf("the label is %s, want %s", got, label)
		}
		for data, want := range map[string]bool{`{"s":"abc","p":"ab"}`: true, `{"s":"xab","p":"ab"}`: false,
			`{"s":1,"p":"ab"}`: false} {
			if holds, err := engine.Holds(test, value.Must(data)); holds != want || err != nil {
				t.Errorf("%s of %s: %v, %v", text, data, holds, err)
			}
		}
		if _, err := engine.Holds(test, value.Must(`{"p":"ab"}`)); err == nil {
			t.Errorf("%s: no error for a Variable that is not there", text)
		}
	}
	if _, found := rule(`"StringStartWith":"ab"`); !slices.ContainsFunc(found,
		func(d asl.Diagnostic) bool { return strings.Contains(d.Suggestion, "StringStartsWith") }) {
		t.Errorf("no suggestion: %v", found)
	}
}
