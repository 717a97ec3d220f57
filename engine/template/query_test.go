package template_test

import (
	"errors"
	"testing"

	"asldb/engine/template"
	"asldb/engine/value"
)

func TestIsExpression(t *testing.T) {
	for text, want := range map[string]bool{
		"{% 1 %}": true, "{%%}": true, "{%1%}": true, " {% 1 %}": false, "{% 1 %} ": false, "{%}": false, "{% 1": false, "1 %}": false, "": false,
	} {
		if got := template.IsExpression(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestCompileQueryReportsEveryFault(t *testing.T) {
	_, err := template.CompileQuery(value.Must(`{"a":"{% 1 + %}","b":[1,"{% ) %}"],"c":"{% 1 %}"}`), "Output")
	var faults template.QueryFaults
	if !errors.As(err, &faults) || len(faults) != 2 {
		t.Fatalf("%v", err)
	}
	if faults[0].Pointer != "/a" || faults[1].Pointer != "/b/1" {
		t.Errorf("faults at %s and %s", faults[0].Pointer, faults[1].Pointer)
	}
}

func TestConstantQueriesAreShared(t *testing.T) {
	v := value.Must(`{"a":{"b":1},"c":"{% $x %}"}`)
	q, err := template.CompileQuery(v, "Output")
	if err != nil {
		t.Fatal(err)
	}
	got, err := q.Eval(&template.QueryRoots{Variables: func(string) value.Value { return value.Int(5) }})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"a":{"b":1},"c":5}`; value.Compact(got) != want {
		t.Errorf("%s, want %s", value.Compact(got), want)
	}
	if !value.Identical(got.(*value.Object).Get("a"), v.(*value.Object).Get("a")) {
		t.Error("what has no expression was copied")
	}
}

func TestReadsContext(t *testing.T) {
	for text, want := range map[string]bool{
		"$states.context.State.Name": true, "$states.input.a": false, "$keys($states)": true, "$x": false, "$states . input": true,
	} {
		q, err := template.CompileQuery(value.String("{% "+text+" %}"), "Output")
		if err != nil {
			t.Fatal(err)
		}
		if q.ReadsContext() != want {
			t.Errorf("%q: %v", text, q.ReadsContext())
		}
	}
}
