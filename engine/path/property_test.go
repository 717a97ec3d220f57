package path

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine/value"
)

var keys = []string{"a", "b", "c.d", "it's", `back\slash`, "ж", ""}

func drawValue(t *rapid.T, depth int) value.Value {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0:
		return value.Null{}
	case 1:
		return value.Bool(rapid.Bool().Draw(t, "bool"))
	case 2:
		return value.Int(rapid.Int64().Draw(t, "int"))
	case 3:
		return value.String(rapid.String().Draw(t, "string"))
	case 4:
		items := make([]value.Value, rapid.IntRange(0, 4).Draw(t, "items"))
		for i := range items {
			items[i] = drawValue(t, depth-1)
		}
		return value.NewArray(items)
	}
	var b value.ObjectBuilder
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		b.Set(rapid.SampledFrom(keys).Draw(t, "key"), drawValue(t, depth-1))
	}
	return b.Object()
}

// drawPath draws a Reference Path that mostly leads somewhere in v.
func drawPath(t *rapid.T, v value.Value) string {
	text := "$"
	for range rapid.IntRange(0, 5).Draw(t, "steps") {
		list, isArray := v.(*value.Array)
		if isArray && list.Len() > 0 {
			i := rapid.IntRange(0, list.Len()-1).Draw(t, "index")
			text, v = text+"["+strconv.Itoa(i)+"]", list.At(i)
			continue
		}
		key := rapid.SampledFrom(keys).Draw(t, "key")
		text += "['" + fragmentEscapes.Replace(key) + "']"
		if o, ok := v.(*value.Object); ok {
			v = o.Get(key)
		} else {
			v = nil
		}
	}
	return text
}

func TestSetThenGet(t *testing.T) {
	written := 0
	rapid.Check(t, func(t *rapid.T) {
		root, v := drawValue(t, 4), drawValue(t, 2)
		p := mustParseRapid(t, drawPath(t, root))
		before := value.Compact(root)
		after, err := p.Set(root, v)
		if value.Compact(root) != before {
			t.Fatal("Set changed the root")
		}
		if err != nil {
			return
		}
		written++
		got, err := p.Get(&Roots{Data: after})
		if err != nil || !value.Identical(got, v) {
			t.Fatalf("%s: %v, %v, want %v", p, got, err, v)
		}
		shares(t, p.steps, root, after)
	})
	if written == 0 {
		t.Error("no path drawn could be written")
	}
}

func mustParseRapid(t *rapid.T, text string) *Path {
	p, err := ParseReference(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// shares checks that values off the path are identical in both, in the same order.
func shares(t *rapid.T, steps []step, before, after value.Value) {
	if len(steps) == 0 || before == nil {
		return
	}
	switch b := before.(type) {
	case *value.Object:
		a := after.(*value.Object)
		for i := range b.Len() {
			if b.At(i).Key != a.At(i).Key {
				t.Fatal("the order of members changed")
			}
			if b.At(i).Key == steps[0].key {
				shares(t, steps[1:], b.At(i).Value, a.At(i).Value)
			} else if !value.Identical(b.At(i).Value, a.At(i).Value) {
				t.Fatalf("member %q is not shared", b.At(i).Key)
			}
		}
	case *value.Array:
		a := after.(*value.Array)
		if a.Len() != b.Len() {
			t.Fatal("the length changed")
		}
		for i := range b.Len() {
			if i == steps[0].index {
				shares(t, steps[1:], b.At(i), a.At(i))
			} else if !value.Identical(b.At(i), a.At(i)) {
				t.Fatalf("item %d is not shared", i)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"$", "$$", "$v.a[0]", "$.a['b c'][-1]", `$.a\.b`, "$..a[*]", "$[0,1][1:3]", "$['a','b'].c", "$.a.length()",
		"$.a[?(@.b == 1 && !(@.c =~ /x.*/i || @.d in ['e', \"f\", 1.5]))]", "$[?(!@.a)]",
		"$[?(@['x'] subsetof [1,{a:'b'}])].y",
		`$["\u00e9\ud83d\ude00"]`, "$.a[?(@..b size 2)]", "$[?($.x >= @.y[0])]", "$[?(@ nin [])]", "$[-2:1]", "$.*.*",
	} {
		f.Add(seed)
	}
	data := value.Must(`{"a":[{"b":1,"c":"xy","d":null,"é":[1,2,[3]]},true,"x",-1.50e3],"b":{"c":{"d":{}}}}`)
	roots := &Roots{Data: data, Context: data, Variables: func(string) value.Value { return data }}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			if s, ok := err.(*SyntaxError); !ok || s.Offset < 0 || s.Offset > len(text) || s.Msg == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		if p.String() != text {
			t.Fatalf("String is %q", p.String())
		}
		v, err := p.Get(roots)
		if (v == nil) != (err != nil) || !p.Definite() && err == nil && v.Kind() != value.KindArray {
			t.Fatalf("Get: %v, %v", v, err)
		}
		if miss, ok := err.(*MissError); ok && (miss.Error() == "" || miss.Jayway() == "") {
			t.Fatal("a miss says nothing")
		}
		if p.CheckReference() == nil {
			if after, err := p.Set(data, value.Null{}); err == nil &&
				p.Find(&Roots{Data: after, Context: after,
					Variables: func(string) value.Value { return after }}) != (value.Null{}) {
				t.Fatal("the value that was set is not there")
			}
		}
	})
}
