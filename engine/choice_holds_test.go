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
