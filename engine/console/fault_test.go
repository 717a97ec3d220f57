package console_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/path"
)

// faultOf returns the error of a text, of its compilation or of its evaluation.
func faultOf(text string, language asl.QueryLanguage) error {
	x, err := console.Compile(text)
	if err == nil {
		_, err = x.Look(env(language))
	}
	return err
}

// TestFaultOf has an error of each kind. ‸ is before the place.
func TestFaultOf(t *testing.T) {
	for _, test := range []struct {
		text, message string
		language      asl.QueryLanguage
		open          bool
	}{
		{`$.total ‸= 100`, "did you mean ==?", asl.JSONPath, false},
		{`$.total > 10 ‸and $.id`, "did you mean &&?", asl.JSONPath, false},
		{`$.a &&‸`, "ends where an operand should stand", asl.JSONPath, true},
		{`state == ‸"x`, "not closed", asl.JSONPath, true},
		{`len($.a‸`, `before ")"`, asl.JSONPath, true},
		{`‸len($.a, 1)`, "takes 1 argument, found 2", asl.JSONPath, false},
		{`1 + ‸foo`, `nothing is called "foo"`, asl.JSONPath, false},
		{`"é" == $.id || $.id ‸* 2 > 1`, "takes two numbers", asl.JSONPath, false},
		{`$.a[‸`, "in the brackets", asl.JSONPath, true},
		{`$.lines[5]‸.price`, "", asl.JSONPath, false},
		{`$.‸none.x`, `$.none.x is missing: $ has only id, lines and total`, asl.JSONPath, false},
		{`‸$limt`, "not assigned", asl.JSONPath, false},
		{`‸States.Nope($.a)`, "no intrinsic function", asl.JSONPath, false},
		{`States.Format('{}'‸`, "not closed", asl.JSONPath, true},
		{`States.Array(‸States.MathAdd($.id, 1))`, "must be a number", asl.JSONPath, false},
		{`{"b": 1, "‸a.$": "nothing"}`, "neither a path", asl.JSONPath, false},
		{`{"b": 1, "a.$": "$.‸none"}`, `$.none is missing: $ has only id, lines and total`, asl.JSONPath, false},
		{`$sum($states.input.x‸`, `Expected ")"`, asl.JSONata, true},
		{`$states.input.x +‸`, "end of expression", asl.JSONata, true},
		{`{% 1 + ‸$summ(1) %}`, "did you mean $sum?", asl.JSONata, false},
		{`{% $states.input.x ‸== 1 %}`, "write = to compare", asl.JSONata, false},
		{`{% $states.input.x ‸&& 1 %}`, "JSONata has no operator &&; write and", asl.JSONata, false},
		{`{% ‸$eval("1") %}`, "$parse reads JSON text", asl.JSONata, false},
		{`{% ‸$.x %}`, "write $states.input.x", asl.JSONata, false},
		{`{% $states.input.x = 1 or ‸phone = "a" %}`, "write $states.input.phone", asl.JSONata, false},
		{`{% ‸$.x = 1 %}`, "write $states.input.x", asl.JSONPath, false},
		{`{% $states.input.x = ‸$$.x %}`, "$states.context for the context object", asl.JSONata, false},
		{`{"a": "{% ‸$.x = 1 %}"}`, "write $states.input.x", asl.JSONata, false},
		{`{"a": "{% ‸$uppercase(5) %}"}`, "does not match function signature", asl.JSONata, false},
		{`$states.input.‸none + 1`, "no value here", asl.JSONata, false},
		{`$states.input.lines[price = 4].‸name`, "no value here", asl.JSONata, false},
	} {
		before, behind, _ := strings.Cut(test.text, "‸")
		text := before + behind
		err := faultOf(text, test.language)
		if test.message == "" { // an index beyond the end is missed before the member
			before = strings.TrimSuffix(before, "[5]")
		}
		f, ok := console.FaultOf(text, err)
		if !ok || f.Line != text || f.Offset != len(before) || !strings.Contains(f.Message, test.message) ||
			f.Open != test.open {
			t.Errorf("%s: %+v, %v; want it at %d, open: %v", text, f, ok, len(before), test.open)
		}
	}
}

// TestFaultInASpec: the place is found in a text around the expression, and on its own line.
func TestFaultInASpec(t *testing.T) {
	err := fmt.Errorf("the condition: %w", faultOf(`$.a = 1`, asl.JSONPath))
	if f, ok := console.FaultOf(`Charge if $.a = 1`, err); !ok || f.Offset != len(`Charge if $.a `) {
		t.Errorf("%+v, %v", f, ok)
	}
	text := "$sum(\n  $states.input.lines.prices\n)"
	if f, ok := console.FaultOf(text, faultOf("{% "+text+" %}", asl.JSONata)); ok {
		t.Errorf("a text without the expression has the place %+v", f)
	}
	text = "{% 1 +\n  $states.input.none %}"
	if f, ok := console.FaultOf(text, faultOf(text, asl.JSONata)); !ok || f.Line != "  $states.input.none %}" ||
		f.Offset != len("  $states.input.") {
		t.Errorf("%+v, %v", f, ok)
	}
}

// TestNoFault: other errors have no place, and the errors of the languages stay within.
func TestNoFault(t *testing.T) {
	for _, err := range []error{nil, errors.New("other")} {
		if f, ok := console.FaultOf("$.a", err); ok {
			t.Errorf("%v: %+v", err, f)
		}
	}
	var miss *path.MissError
	if err := faultOf(`$.none`, asl.JSONPath); !errors.As(err, &miss) {
		t.Errorf("got %v", err)
	}
}
