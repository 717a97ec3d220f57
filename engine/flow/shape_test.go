package flow_test

import (
	"testing"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/source"
	"asldb/engine/value"
)

func TestOf(t *testing.T) {
	p := flow.NewSpace(1000)
	s := p.Of(value.Must(`{"a": {"b": [1, "x", null, true]}}`))
	list := p.Member(p.Member(s, "a"), "b")
	for i, want := range []flow.Kind{flow.Number, flow.String, flow.Null, flow.Bool} {
		if got := p.Item(list, i); got.Kind() != want || got.Constant() == nil || !got.Kind().Scalar() {
			t.Errorf("item %d is %s", i, got.Kind())
		}
	}
	if got := p.Item(list, -1); got.Kind() != flow.Bool {
		t.Errorf("the last item is %s", got.Kind())
	}
	for _, lack := range []*flow.Shape{p.Item(list, 4), p.Member(s, "b"), p.Member(list, "x"), p.Item(s, 0), p.AnyItem(s), p.Member(p.Member(s, "b"), "c")} {
		if lack.Kind() != flow.Absent || lack.Lack() == nil {
			t.Errorf("%s in place of nothing", lack.Kind())
		}
	}
	if !flow.Equal(s, p.Of(value.Must(`{"a": {"b": [1, "x", null, true]}}`))) || flow.Equal(s, list) {
		t.Error("not equal by content")
	}
}

// Nothing is known of a nil shape, and nothing of it is missing.
func TestUnknown(t *testing.T) {
	p := flow.NewSpace(1000)
	var s *flow.Shape
	if s.Kind() != flow.Unknown || s.Has() != "is not known" || s.Constant() != nil || s.Lack() != nil || s.By() != nil || len(s.Names()) > 0 || !s.Open() {
		t.Error("nil is known")
	}
	if p.Member(s, "a") != nil || p.Item(s, 1) != nil || p.AnyItem(s) != nil {
		t.Error("a part of nil is known")
	}
	set := p.Set(s, []string{"a", "b"}, p.Of(value.Int(1)))
	if !set.Certain([]string{"a", "b"}) || set.Certain([]string{"c"}) || p.Member(set, "c") != nil || !set.Open() {
		t.Error("ResultPath into nil")
	}
}

func TestSet(t *testing.T) {
	p := flow.NewSpace(1000)
	s := p.Set(p.Of(value.Must(`{"a": 1, "c": 3}`)), []string{"b", "x"}, p.Of(value.Int(2)))
	if s.Has() != "has only a, b and c" || !s.Certain([]string{"b", "x"}) ||
		p.Member(p.Member(s, "b"), "y").Kind() != flow.Absent {
		t.Error(s.Has())
	}
	if s = p.Set(s, nil, p.Of(value.Int(2))); s.Kind() != flow.Number {
		t.Error(s.Has())
	}
	if p.Set(s, []string{"a"}, s) != nil {
		t.Error("a member of a number")
	}
}

// Alternatives stay apart up to a bound; behind it objects become one whose members may be missing.
func TestEither(t *testing.T) {
	p := flow.NewSpace(100_000)
	a, b := p.Of(value.Must(`{"a": 1}`)), p.Of(value.Must(`{"b": 1}`))
	both := p.Either(a, b, a)
	if len(both.Cases()) != 2 || both.Kind() != flow.Union || !both.Always(flow.Object) || !flow.Equal(both, p.Either(b, a)) {
		t.Errorf("%d cases", len(both.Cases()))
	}
	found := p.Member(both, "a")
	if present, some := p.Present(found); len(found.Cases()) != 2 || !some || present.Kind() != flow.Number {
		t.Errorf("a of both is %s", found.Kind())
	}
	many := both
	for i := range 3 * flow.MaxCases {
		items := []value.Value{value.Int(int64(i))}
		if i%2 > 0 {
			items = append(items, value.Int(0))
		}
		many = p.Either(many, p.Of(value.ObjectOf(value.Member{Key: "k", Value: value.Int(int64(i))}, value.Member{Key: "l", Value: value.NewArray(items)})))
	}
	if n := len(many.Cases()); n > flow.MaxCases {
		t.Errorf("%d cases", n)
	}
	if p.Member(many, "k").Always(flow.Absent) || many.Certain([]string{"a"}) || p.Member(many, "l").Always(flow.Absent) {
		t.Error("a member got lost")
	}
	if !p.Member(many, "z").Always(flow.Absent) {
		t.Error("a member came from nowhere")
	}
	if p.Merge(a, nil) != nil || p.Merge(a, b).Has() != "has only a and b" {
		t.Error("merged")
	}
	if one, some := p.Only(both, func(c *flow.Shape) bool { return c.Has() == "has only a" }); !some || one.Kind() != flow.Object {
		t.Error("only one")
	}
}

func TestMaybe(t *testing.T) {
	p := flow.NewSpace(1000)
	s := p.Object([]flow.Member{{Name: "b", Maybe: true}, {Name: "a", Shape: flow.Scalar(flow.String, nil)}, {Name: "a", Shape: flow.Scalar(flow.Number, nil)}}, false)
	if got := p.Member(s, "a"); got.Kind() != flow.Number || s.Has() != "has only a and b" || s.Certain([]string{"b"}) {
		t.Error(s.Has())
	}
	if found := p.Member(s, "b"); len(found.Cases()) != 2 {
		t.Error("it may be missing")
	}
	dictionary := p.ObjectOf(flow.Scalar(flow.Bool, nil))
	if p.Member(dictionary, "x").Kind() != flow.Bool || !dictionary.Open() {
		t.Error("any member")
	}
	of := p.ArrayOf(flow.Scalar(flow.Bool, nil))
	if first, rest := of.Items(); len(first) > 0 || rest.Kind() != flow.Bool || p.Item(of, 7).Kind() != flow.Bool || p.Item(of, -7) != nil || p.AnyItem(of).Kind() != flow.Bool {
		t.Error("any item")
	}
}

func TestSteps(t *testing.T) {
	p := flow.NewSpace(1000)
	s := &asl.State{Name: "A"}
	v := p.Of(value.Must(`{"a": {"b": 1}}`))
	for range 2 {
		v = p.Because(v, s, source.Span{}, "made")
	}
	v = p.OnWay(v, s, source.Span{}, "caught")
	steps := v.Steps()
	if len(steps) != 2 || steps[0].Text != "made" || !steps[1].Way || v.By() != s {
		t.Errorf("%v", steps)
	}
	if inner := p.Member(v, "a"); len(inner.Steps()) != 2 {
		t.Error("a part has the steps of the whole")
	}
	for i := range 20 {
		v = p.Because(v, s, source.Span{}, string(rune('a'+i)))
	}
	if n := len(v.Steps()); n > 10 {
		t.Errorf("%d steps", n)
	}
}

// A budget that is spent makes everything unknown.
func TestBudget(t *testing.T) {
	p := flow.NewSpace(10)
	var s *flow.Shape
	for range 20 {
		s = p.Array(s, s)
	}
	if s != nil || !p.Spent() {
		t.Error("the budget is not spent")
	}
	p = flow.NewSpace(10_000)
	for range 200 { // too deep
		s = p.Object([]flow.Member{{Name: "a", Shape: s}}, false)
	}
	for depth := 0; s != nil; depth++ {
		if s = p.Member(s, "a"); depth > 100 {
			t.Fatal("too deep")
		}
	}
}

func TestWords(t *testing.T) {
	p := flow.NewSpace(1000)
	for text, want := range map[string]string{
		`{}`: "is an empty object", `[1]`: "is an array", `"x"`: `is the string "x"`, `1`: "is a number", `true`: "is a boolean", `null`: "is null",
		`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}`: "has a, b, c, d, e, f, g, h and 1 more",
	} {
		if got := p.Of(value.Must(text)).Has(); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	for k := flow.Unknown; k <= flow.Union; k++ {
		if k.String() == "" {
			t.Error(k)
		}
	}
}
