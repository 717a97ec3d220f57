package expr

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine/path"
	"asldb/engine/value"
)

var names = []string{"a", "b", "0", "1", "it's", `x"y`, "nan", "1e1", ""}

func drawValue(t *rapid.T, depth int) value.Value {
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 {
		kind %= 3
	}
	switch kind {
	case 0:
		return value.Null{}
	case 1:
		return value.Int(int64(rapid.IntRange(-3, 3).Draw(t, "int")))
	case 2:
		return value.String(rapid.SampledFrom(names).Draw(t, "string"))
	case 3, 4:
		items := make([]value.Value, rapid.IntRange(0, 3).Draw(t, "items"))
		for i := range items {
			items[i] = drawValue(t, depth-1)
		}
		return value.NewArray(items)
	}
	var b value.ObjectBuilder
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		b.Set(rapid.SampledFrom(names).Draw(t, "name"), drawValue(t, depth-1))
	}
	return b.Object()
}

func drawPath(t *rapid.T) string {
	var b strings.Builder
	b.WriteString(rapid.SampledFrom([]string{"$", "$", "$", "$$", "$v"}).Draw(t, "root"))
	for range rapid.IntRange(0, 4).Draw(t, "segments") {
		switch rapid.IntRange(0, 5).Draw(t, "segment") {
		case 0, 1:
			name := rapid.SampledFrom(names).Draw(t, "name")
			b.WriteString("['" + strings.ReplaceAll(name, "'", `\'`) + "']")
		case 2, 3:
			fmt.Fprintf(&b, "[%d]", rapid.IntRange(-2, 3).Draw(t, "index"))
		case 4:
			b.WriteString("[*]")
		case 5:
			b.WriteString("..['a']")
		}
	}
	return b.String()
}

// TestPaesslerAgrees checks engine/path against an evaluator that is not ours, for all paths that it
// can be asked about.
func TestPaesslerAgrees(t *testing.T) {
	asked := 0
	rapid.Check(t, func(t *rapid.T) {
		text, document := drawPath(t), drawValue(t, 4)
		p, err := path.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := respell(p); ok {
			asked++
		}
		x, err := Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		e := &Env{Data: document, Context: document, Variables: func(string) value.Value { return document }}
		want, _ := p.Get(e.roots())
		got, err := x.Eval(e)
		if err != nil || !sameOrNull(got, want) {
			t.Fatalf("%s of %s is %v, %v by PaesslerAG/jsonpath and %v by engine/path", text, value.Compact(document),
				got, err, want)
		}
	})
	if asked < 20 {
		t.Errorf("only %d paths could be asked about", asked)
	}
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		`$.amount > 100 && $.status == "open"`, `$.a[?(@.b == 1)].c in [1, 'x']`, "$$.State.Name =~ `^P`",
		`{"a": $v.x ?? 1}["a"]`,
		`date($.when) < date("2024-01-02") ? -1 : !true`, `state.x[0](1)`, `$..a[*]`, `len("x") ** 2 % 3`,
		"1 ? 2 : 3 ? 4 : 5", "a.b.c[1].d()",
	} {
		f.Add(seed)
	}
	e := env()
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Compile(text)
		if err != nil {
			if s, ok := err.(*SyntaxError); !ok || s.Msg == "" || s.Error() == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		if v, err := x.Eval(e); (v == nil) != (err != nil) {
			t.Fatalf("%v, %v", v, err)
		}
	})
}
