package engine_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
)

func TestHolds(t *testing.T) {
	whole, err := path.Parse("$")
	if err != nil {
		t.Fatal(err)
	}
	member, err := path.Parse("$.a")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		test   asl.Test
		data   string
		holds  bool
		faulty bool
	}{
		{asl.Test{Operator: "NumericLessThan", Variable: whole, Value: value.Int(3)}, "2", true, false},
		{asl.Test{Operator: "NumericLessThan", Variable: whole, Value: value.Int(3)}, `"2"`, false, false},
		{asl.Test{Operator: "StringMatches", Variable: member, Value: value.String("a*")}, `{"a":"ab"}`, true, false},
		{asl.Test{Operator: "StringMatches", Variable: member, Value: value.String("a*")}, `{}`, false, true},
		{asl.Test{Operator: "StringResembles", Variable: whole, Value: value.String("a")}, `1`, false, true},
	} {
		holds, err := engine.Holds(&c.test, value.Must(c.data))
		if holds != c.holds || (err != nil) != c.faulty {
			t.Errorf("%s of %s: %v, %v", c.test.Operator, c.data, holds, err)
		}
	}
}

// Rules that read the same Variable see its value at each visit of the state, also where it is absent.
func TestRulesShareVariables(t *testing.T) {
	machine := compile(t, `{"StartAt":"Check","States":{
		"Check":{"Type":"Choice","Choices":[
			{"And":[{"Variable":"$.late","IsPresent":true},{"Variable":"$.late","BooleanEquals":true}],"Next":"Late"},
			{"Variable":"$.n","NumericEquals":3,"Next":"Mark"},
			{"Not":{"Variable":"$.n","NumericGreaterThan":2},"Next":"Add"}]},
		"Add":{"Type":"Pass","Parameters":{"n.$":"States.MathAdd($.n, 1)"},"Next":"Check"},
		"Mark":{"Type":"Pass","Result":true,"ResultPath":"$.late","Next":"Check"},
		"Late":{"Type":"Succeed"}}}`, engine.AWS)
	e := machine.Start(value.Must(`{"n":0}`), engine.StartOptions{})
	visits := 0
	for _, event := range drive(t, e, nil) {
		if event.Type == engine.StateEntered && event.Visit.State.Name == "Check" {
			visits++
		}
	}
	if got := value.Compact(e.Output()); got != `{"n":3,"late":true}` || visits != 5 {
		t.Errorf("the output is %s after %d visits: %v", got, visits, e.Failure())
	}
}
