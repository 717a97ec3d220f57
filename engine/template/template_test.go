package template

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"asldb/engine/path"
	"asldb/engine/value"
)

func roots() *path.Roots {
	return &path.Roots{
		Data:    value.Must(`{"a":1,"b":{"c":[1,2,null]},"n":null,"items":[{"s":0},{"s":1}]}`),
		Context: value.Must(`{"Execution":{"Id":"x"}}`),
		Variables: func(name string) value.Value {
			if name == "v" {
				return value.Must(`{"w":9}`)
			}
			return nil
		},
	}
}

func TestEval(t *testing.T) {
	tests := []struct{ template, want string }{
		{`{}`, `{}`},
		{`{"k":1,"i.$":"$.b"}`, `{"k":1,"i":{"c":[1,2,null]}}`},
		{`{"x.$":"$","y.$":"$$","z.$":"$v.w"}`, `{"x":{"a":1,"b":{"c":[1,2,null]},"n":null,"items":[{"s":0},{"s":1}]},"y":{"Execution":{"Id":"x"}},"z":9}`},
		{`{"n.$":"$.n"}`, `{"n":null}`},
		{`{"text":"$.a","call":"States.UUID()"}`, `{"text":"$.a","call":"States.UUID()"}`},
		{`{"list":["$.a",{"deep.$":"$.a"},[{"deeper.$":"$$.Execution.Id"}],3]}`,
			`{"list":["$.a",{"deep":1},[{"deeper":"x"}],3]}`},
		{`{"o":{"p":{"q.$":"States.Format('{}', $.a)"}}}`, `{"o":{"p":{"q":"1"}}}`},
		{`{"o.$":"$.items[?(@.s == 0)]"}`, `{"o":[{"s":0}]}`},
		{`{"o.$":"$.missing[*].v"}`, `{"o":[]}`},
		{`[{"a.$":"$.a"}]`, `[{"a":1}]`},
		{`"$.a"`, `"$.a"`},
		{`{"$.$":"$.a","x$":2,".$":"$.n"}`, `{"$":1,"x$":2,"":null}`},
	}
	for _, test := range tests {
		t.Run(test.template, func(t *testing.T) {
			compiled, err := Compile(value.Must(test.template))
			if err != nil {
				t.Fatal(err)
			}
			got, err := compiled.Eval(roots(), rand.NewPCG(1, 1))
			if err != nil {
				t.Fatal(err)
			}
			if text := value.Compact(got); text != test.want {
				t.Errorf("got  %s\nwant %s", text, test.want)
			}
		})
	}
}

func TestConstantPartsAreShared(t *testing.T) {
	whole := value.Must(`{"a":[1,{"b":"$.c"}]}`)
	compiled, err := Compile(whole)
	if err != nil {
		t.Fatal(err)
	}
	got, err := compiled.Eval(roots(), nil)
	if err != nil || got != whole || !compiled.Constant() {
		t.Errorf("a constant template: constant %v, identical %v, error %v", compiled.Constant(), got == whole, err)
	}

	mixed := value.Must(`{"fixed":{"big":[1,2,3]},"x.$":"$.a"}`).(*value.Object)
	if compiled, err = Compile(mixed); err != nil {
		t.Fatal(err)
	}
	if got, err = compiled.Eval(roots(), nil); err != nil || compiled.Constant() {
		t.Fatalf("constant %v, error %v", compiled.Constant(), err)
	}
	if got.(*value.Object).Get("fixed") != mixed.Get("fixed") {
		t.Error("the constant part was copied")
	}
}

func TestCompileErrors(t *testing.T) {
	const mustBe = "The value for the field 'x.$' must be a valid JSONPath or a valid intrinsic function call"
	tests := []struct{ template, pointer, text, want string }{
		{`{"x.$":5}`, "/x.$", "", mustBe + ": expected a string, found the number 5"},
		{`{"x.$":null}`, "/x.$", "", mustBe + ": expected a string, found null"},
		{`{"x.$":{}}`, "/x.$", "", mustBe + ": expected a string, found an object"},
		{`{"a":[{"b/~":{"x.$":"plain"}}]}`, "/a/0/b~1~0/x.$", "plain", mustBe + `: "plain" is neither`},
		{`{"x.$":""}`, "/x.$", "", mustBe},
		{`{"x.$":"States.Nope()"}`, "/x.$", "States.Nope()", mustBe + ": there is no intrinsic function"},
		{`{"x.$":"$.["}`, "/x.$", "$.[", mustBe},
		{`{"x":1,"x.$":"$.a"}`, "/x.$", "$.a", "the fields 'x' and 'x.$' give the same name twice"},
		// refused when the service was asked to create it
		{`{"x.$":"States.StringToJson('{\"text\":\"An \\\"escaped double quote\\\" here\"}')"}`, "/x.$",
			`States.StringToJson('{"text":"An \"escaped double quote\" here"}')`, mustBe},
	}
	for _, test := range tests {
		t.Run(test.template, func(t *testing.T) {
			_, err := Compile(value.Must(test.template))
			var all Errors
			if !errors.As(err, &all) || len(all) != 1 {
				t.Fatalf("got %v, want one problem", err)
			}
			if got := all[0]; got.Pointer != test.pointer || got.Text != test.text ||
				!strings.HasPrefix(got.Error(), test.want) {
				t.Errorf("got  %+v\n     %v\nwant %s", got, got, test.want)
			}
		})
	}
}

func TestEveryProblemIsReported(t *testing.T) {
	_, err := Compile(value.Must(`{"a.$":1,"b":{"c.$":"x"},"d.$":"$.fine","e":[{"f.$":"States.X()"}]}`))
	var all Errors
	if !errors.As(err, &all) {
		t.Fatal(err)
	}
	pointers := value.Each(all, func(problem *FieldError) string { return problem.Pointer })
	if got := fmt.Sprint(pointers); got != "[/a.$ /b/c.$ /e/0/f.$]" {
		t.Errorf("problems at %s", got)
	}
	if !strings.Contains(err.Error(), "(and 2 more problems)") {
		t.Error(err)
	}
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		t.Error("the syntax error of the call cannot be reached")
	}
}

func TestEvalErrors(t *testing.T) {
	compiled, err := Compile(value.Must(`{"a":[{"b.$":"$.nothing.here"}],"c.$":"States.MathAdd('x', 1)"}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = compiled.Eval(roots(), nil)
	var field *FieldError
	var miss *path.MissError
	if !errors.As(err, &field) || !errors.As(err, &miss) {
		t.Fatalf("got %v", err)
	}
	if field.Pointer != "/a/0/b.$" || field.Field != "b.$" || field.Text != "$.nothing.here" {
		t.Errorf("got %+v", field)
	}

	if compiled, err = Compile(value.Must(`{"c.$":"States.MathAdd('x', 1)"}`)); err != nil {
		t.Fatal(err)
	}
	_, err = compiled.Eval(roots(), nil)
	var failure *Error
	if !errors.As(err, &failure) || !strings.Contains(err.Error(), "field 'c.$'") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkEvalThreePaths(b *testing.B) {
	compiled, err := Compile(value.Must(`{"a.$":"$.a","c.$":"$.b.c","id.$":"$$.Execution.Id","fixed":{"x":[1,2,3]}}`))
	if err != nil {
		b.Fatal(err)
	}
	r := roots()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := compiled.Eval(r, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// Paths gives every path with the field that it is in, the ones in calls too, in the order of the text.
func TestPaths(t *testing.T) {
	compiled, err := Compile(value.Must(`{"a.$":"$.x","b":[{"c.$":"States.Format('{}{}', $.y, States.ArrayLength($.z))"},1],"d":{"e/f.$":"$$.S"}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for pointer, p := range compiled.Paths() {
		got = append(got, pointer+" "+p.String())
	}
	want := "/a.$ $.x, /b/0/c.$ $.y, /b/0/c.$ $.z, /d/e~1f.$ $$.S"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, ", "), want)
	}
	for range compiled.Paths() {
		break
	}
}
