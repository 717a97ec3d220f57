package value

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestRoundTrip(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `0`, `-0`, `1.0`, `1e400`, `-1E+2`, `12345678901234567890`, `0.10`, `""`,
		`"a\"b\\c\n"`, `"é😀"`, `[]`, `{}`,
		`[1,[2,[]],{"z":1,"a":{"m":null}}]`, `{"b":1,"a":2,"":3}`, `"\u2028"`, `"/"`,
	} {
		v, err := ParseString(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		want := text
		if text == `"\u2028"` { // only characters that JSON demands are escaped
			want = "\"\u2028\""
		}
		if got := Compact(v); got != want {
			t.Errorf("%s became %s", text, got)
		}
		if again := Must(Pretty(v)); Compact(again) != want {
			t.Errorf("%s became %s when printed over several lines", text, Compact(again))
		}
	}
	if got := Compact(Must("\xef\xbb\xbf { \"a\" : [ 1 , 2 ] } \n")); got != `{"a":[1,2]}` {
		t.Errorf("got %s", got)
	}
	for _, half := range []string{`"\ud800"`, `{"\ud800":1}`} { // the grammar allows it (RFC 8259, section 8.2)
		want := strings.Replace(half, `\ud800`, "\uFFFD", 1)
		if got := Compact(Must(half)); got != want {
			t.Errorf("%s became %s, want %s", half, got, want)
		}
	}
	if got := Compact(nil); got != "null" {
		t.Errorf("an absent value is written as %s", got)
	}
}

func TestPretty(t *testing.T) {
	want := "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}"
	if got := Pretty(Must(`{"a":[1,{}],"b":[]}`)); got != want {
		t.Errorf("got %s", got)
	}
}

func TestTextThatIsNotUTF8(t *testing.T) {
	for text, want := range map[string]string{
		"\"caf\xe9\"":                  "line 1, column 5: the text is not UTF-8: byte 0xE9",
		"{\n \"é\": 1, \"\xff\": 2}":   "line 2, column 11: the text is not UTF-8: byte 0xFF",
		"\xef\xbb\xbf\"\xed\xa0\x80\"": "line 1, column 2: the text is not UTF-8: byte 0xED",
		"\"\uFFFD\xc3\"":               "line 1, column 3: the text is not UTF-8: byte 0xC3",
	} {
		var syntax *SyntaxError
		if _, err := ParseString(text); !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if got := Compact(Must("\"\uFFFD\"")); got != "\"\uFFFD\"" {
		t.Errorf("U+FFFD itself became %s", got)
	}
}

func TestRepeatedKeys(t *testing.T) {
	text := "{\"a\": {\"b\": 1,\n \"b\" : {\"x\": 1, \"\\u0078\":2}}, \"é\\\"\": 0, \"a\":\n3, \"é\\\"\":1}"
	v, repeated, err := ParseNoting([]byte(text), Limits{})
	if err != nil || Compact(v) != `{"a":3,"é\"":1}` {
		t.Errorf("got %s, %v", Compact(v), err)
	}
	want := []RepeatedKey{{"x", 2, 17}, {"b", 2, 2}, {"a", 2, 41}, {"é\"", 3, 4}}
	if !slices.Equal(repeated, want) {
		t.Errorf("repeated keys %v, want %v", repeated, want)
	}
	many := "{" + strings.Repeat(`"a":1,`, 5000) + `"a":1}`
	if _, repeated, _ := ParseNoting([]byte(many), Limits{}); len(repeated) != maxRepeated {
		t.Errorf("%d repeated keys are noted, want %d", len(repeated), maxRepeated)
	}
}

func TestSyntaxErrors(t *testing.T) {
	tests := []struct {
		text      string
		line, col int
	}{
		{"", 1, 1},
		{"  ", 1, 3},
		{"{\n \"é\": x}", 2, 7},
		{"[1,]", 1, 3},
		{"[1, \n ]", 1, 3},
		{"[,]", 1, 2},
		{"[1 2]", 1, 4},
		{"{\"a\" 1}", 1, 6},
		{"{\"a\":1,}", 1, 7},
		{"{a:1}", 1, 2},
		{"1 2", 1, 3},
		{"{} x", 1, 4},
		{"[\n\n  01]", 3, 4},
		{"\"a\nb\"", 1, 3},
		{"tru", 1, 4},
		{"nulll", 1, 5},
		{"'a'", 1, 1},
		{"\xef\xbb\xbf[x]", 1, 2},
	}
	for _, test := range tests {
		_, err := ParseString(test.text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if syntax.Line != test.line || syntax.Col != test.col || syntax.Msg == "" ||
			!strings.Contains(err.Error(), "line ") {
			t.Errorf("%q: %v, want line %d, column %d", test.text, err, test.line, test.col)
		}
	}
}

const sample = "{\"a\": [1.5e3, -2, true, false, null],\n \"é😀\": {\"\\u00e9\\n\": \"x\\\"y\", \"z\": {}}}"

// A text that is cut anywhere is an error at its end, never a value and never a panic.
func TestTruncatedText(t *testing.T) {
	if _, err := ParseString(sample); err != nil {
		t.Fatal(err)
	}
	for i := range len(sample) {
		_, err := ParseString(sample[:i])
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Fatalf("cut at %d: %v", i, err)
		}
		if syntax.Offset < 0 || syntax.Offset > int64(i) || syntax.Line < 1 || syntax.Line > 2 || syntax.Col < 1 {
			t.Errorf("cut at %d: %+v", i, syntax)
		}
	}
}

func TestLimits(t *testing.T) {
	limited := func(text string, limits Limits) *LimitError {
		_, err := Parse([]byte(text), limits)
		var limit *LimitError
		errors.As(err, &limit)
		return limit
	}
	if l := limited(`[1,2]`, Limits{Bytes: 4}); l == nil || l.What != "bytes" || l.Limit != 4 {
		t.Errorf("got %v", l)
	}
	if l := limited(`[1,2]`, Limits{Bytes: 5}); l != nil {
		t.Errorf("got %v", l)
	}
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if l := limited(nested(3), Limits{Depth: 2}); l == nil || l.What != "levels of nesting" || l.Limit != 2 {
		t.Errorf("got %v", l)
	}
	if l := limited(nested(2), Limits{Depth: 2}); l != nil {
		t.Errorf("got %v", l)
	}
	if l := limited(nested(DefaultDepth), Limits{}); l != nil {
		t.Errorf("got %v", l)
	}
	for _, deep := range []string{nested(10_000), strings.Repeat("[", 10_000), strings.Repeat(`{"a":`, 10_000),
		strings.Repeat(`[`, 5_000_000)} {
		if l := limited(deep, Limits{}); l == nil || l.Limit != DefaultDepth {
			t.Errorf("got %v", l)
		}
	}
	if l := limited(nested(5_000), Limits{Depth: 5_000}); l != nil {
		t.Errorf("a limit above the default: %v", l)
	}
}

func TestRepeatedKeysAreNoted(t *testing.T) {
	if got := Compact(Must(`{"a":1,"b":2,"a":3}`)); got != `{"a":3,"b":2}` {
		t.Errorf("got %s", got)
	}
	var wide strings.Builder
	for i := range 50 {
		wide.WriteString(`"` + strings.Repeat("k", i+1) + `":1,`)
	}
	o := Must("{" + wide.String() + wide.String() + `"k":9}`).(*Object)
	if o.Len() != 50 || Compact(o.Get("k")) != "9" || o.At(0).Key != "k" {
		t.Errorf("%d members, k = %v", o.Len(), o.Get("k"))
	}
	for range 2 * lookupsBeforeIndex { // by scan at first, then by map
		if o.Index("kkk") != 2 || o.Get("x") != nil {
			t.Fatal("a wide object loses members")
		}
	}
}

func TestEqual(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{`1`, `1.0`, true}, {`1`, `1e0`, true}, {`0`, `-0`, true}, {`100`, `1E2`, true}, {`1`, `2`, false},
		{`1`, `"1"`, false},
		{`12345678901234567890`, `12345678901234567891`, false},
		{`12345678901234567890`, `12345678901234567890.0`, true},
		{`0.1`, `0.10`, true}, {`null`, `null`, true}, {`null`, `false`, false}, {`""`, `null`, false},
		{`{"a":1,"b":[2]}`, `{"b":[2.0],"a":1}`, true}, {`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1}`, `{"b":1}`, false},
		{`[1,2]`, `[2,1]`, false}, {`[1,2]`, `[1]`, false}, {`[]`, `{}`, false}, {`{"a":null}`, `{"b":null}`, false},
	}
	for _, test := range tests {
		a, b := Must(test.a), Must(test.b)
		if Equal(a, b) != test.want || Equal(b, a) != test.want {
			t.Errorf("%s and %s: want %v", test.a, test.b, test.want)
		}
		if !Equal(a, Must(test.a)) {
			t.Errorf("%s is not equal to itself", test.a)
		}
	}
	if !Equal(nil, nil) || Equal(nil, Null{}) || Equal(Null{}, nil) || Identical(nil, Null{}) {
		t.Error("absent is not null")
	}
}

// Parts that a write does not touch stay the same in memory, and the original does not change.
func TestSharing(t *testing.T) {
	o := Must(`{"a":{"x":1},"b":[1,2,3]}`).(*Object)
	before := Compact(o)
	changed := o.With("c", Int(1)).With("b", Null{})
	if !Identical(changed.Get("a"), o.Get("a")) || Identical(changed, o) {
		t.Error("With does not share")
	}
	if Compact(changed) != `{"a":{"x":1},"b":null,"c":1}` {
		t.Errorf("got %s", Compact(changed))
	}
	if got := changed.Without("a"); Compact(got) != `{"b":null,"c":1}` || changed.Without("x") != changed {
		t.Errorf("got %s", Compact(got))
	}
	a := o.Get("b").(*Array)
	if got := a.With(1, String("x")); Compact(got) != `[1,"x",3]` {
		t.Errorf("got %s", Compact(got))
	}
	if got := a.With(3, Int(4)); Compact(got) != `[1,2,3,4]` {
		t.Errorf("got %s", Compact(got))
	}
	part := a.Slice(0, 2)
	if Compact(part.With(2, Int(9))) != `[1,2,9]` || !Identical(a.Slice(0, 3), a) || Identical(part, a) {
		t.Error("a slice does not behave")
	}
	if Compact(o) != before {
		t.Errorf("the original became %s", Compact(o))
	}
	if !Identical(NewArray(nil), ArrayOf()) || !Identical(NewObject(nil), ObjectOf()) {
		t.Error("empty containers are not the same")
	}
}

func TestNumbers(t *testing.T) {
	compare := []struct {
		a, b string
		want int
	}{
		{`12345678901234567890`, `12345678901234567891`, -1}, {`9007199254740993`, `9007199254740992.0`, 1},
		{`1e400`, `1e399`, 1},
		{`1e400`, `1e400`, 0}, {`-1e400`, `1e400`, -1}, {`1e400`, `1`, 1}, {`1.0`, `1`, 0}, {`0.1`, `0.2`, -1},
		{`-5`, `3`, -1}, {`1e-400`, `0`, 1}, {`-0`, `0`, 0},
		{`100000000000000000000e-20`, `1`, 0}, {`2`, `10`, -1},
	}
	for _, test := range compare {
		a, b := Must(test.a).(Number), Must(test.b).(Number)
		if got := a.Compare(b); got != test.want {
			t.Errorf("%s and %s: %d, want %d", test.a, test.b, got, test.want)
		}
		if got := b.Compare(a); got != -test.want {
			t.Errorf("%s and %s: %d, want %d", test.b, test.a, got, -test.want)
		}
	}
	_ = Must(`1e999999999`).(Number).Compare(Must(`1e999999998`).(Number)) // must not expand the digits

	ints := []struct {
		text string
		want int64
		ok   bool
	}{
		{`5`, 5, true}, {`-5`, -5, true}, {`5.0`, 5, true}, {`5e0`, 5, true}, {`1.5`, 0, false},
		{`9223372036854775807`, math.MaxInt64, true},
		{`9223372036854775808`, 0, false}, {`-9223372036854775808`, math.MinInt64, true}, {`1e400`, 0, false},
		{`1e3`, 1000, true}, {`999999999999999`, 999999999999999, true},
	}
	for _, test := range ints {
		if got, ok := Must(test.text).(Number).Int64(); got != test.want || ok != test.ok {
			t.Errorf("%s: %d, %v", test.text, got, ok)
		}
	}
	if f := Must(`-1e400`).(Number).Float64(); !math.IsInf(f, -1) {
		t.Errorf("got %v", f)
	}
	var zero Number
	if zero.Text() != "0" || zero.Float64() != 0 || !Equal(zero, Int(0)) {
		t.Errorf("the zero Number is %s", zero.Text())
	}
	for f, want := range map[float64]string{1: "1", 1.5: "1.5", -2: "-2", 1e21: "1e+21", 0.1: "0.1",
		math.Inf(1): "null"} {
		if got := Compact(Float(f)); got != want {
			t.Errorf("Float(%v) = %s", f, got)
		}
	}
	for _, text := range []string{"", "-", "01", "1.", ".5", "+1", "1e", "1e+", "NaN", "1 ", "0x1", "1_0", "--1"} {
		if n, err := ParseNumber(text); err == nil {
			t.Errorf("%q is taken as %s", text, n.Text())
		}
	}
	if !Must("7").(Number).IsInteger() || Must("7.0").(Number).IsInteger() || Must("7e0").(Number).IsInteger() {
		t.Error("IsInteger")
	}
}

func TestKinds(t *testing.T) {
	for text, want := range map[string]string{`null`: "null", `true`: "boolean", `1`: "number", `""`: "string",
		`[]`: "array", `{}`: "object"} {
		if got := KindOf(Must(text)); got != want {
			t.Errorf("%s is of kind %s", text, got)
		}
	}
	if KindOf(nil) != "nothing" || Kind(99).String() != "unknown" {
		t.Error("kinds that are none")
	}
}

func TestPreview(t *testing.T) {
	tests := []struct {
		text  string
		limit int
		want  string
	}{
		{`{"a":1}`, 7, `{"a":1}`},
		{`{"a":1}`, 6, `{"a":…`},
		{`"éééé"`, 6, `"éééé"`},
		{`"éééé"`, 5, `"ééé…`},
		{`[1,2,3]`, 1, `…`},
		{`12345`, 3, `12…`},
		{`{"k":"` + strings.Repeat("x", 1000) + `"}`, 8, `{"k":"x…`},
	}
	for _, test := range tests {
		if got := Preview(Must(test.text), test.limit); got != test.want {
			t.Errorf("Preview(%.40s, %d) = %s, want %s", test.text, test.limit, got, test.want)
		}
	}
}

func TestLineCol(t *testing.T) {
	data := []byte("aé\nb😀c")
	for offset, want := range map[int64][2]int{-1: {1, 1}, 0: {1, 1}, 1: {1, 2}, 3: {1, 3}, 4: {2, 1}, 9: {2, 3},
		10: {2, 4}, 99: {2, 4}} {
		if line, col := LineCol(data, offset); line != want[0] || col != want[1] {
			t.Errorf("offset %d: %d:%d, want %v", offset, line, col, want)
		}
	}
}

// anyValue draws JSON values.
func anyValue(depth int) *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		kinds := 6
		if depth == 0 {
			kinds = 4
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return Null{}
		case 1:
			return Bool(rapid.Bool().Draw(t, "bool"))
		case 2:
			n, err := ParseNumber(rapid.StringMatching(
				`-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?`).Draw(t, "number"))
			if err != nil {
				t.Fatal(err)
			}
			return n
		case 3:
			return String(rapid.String().Draw(t, "string"))
		case 4:
			return NewArray(rapid.SliceOfN(anyValue(depth-1), 0, 4).Draw(t, "items"))
		}
		var b ObjectBuilder
		for _, key := range rapid.SliceOfN(rapid.String(), 0, 30).Draw(t, "keys") {
			b.Set(key, anyValue(0).Draw(t, "member"))
		}
		return b.Object()
	})
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue(3).Draw(t, "value")
		raw := String(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		if text := AppendQuoted(nil, string(raw)); Size(raw) != len(text) || !utf8.Valid(text) {
			t.Fatalf("Size %d, length %d of %q", Size(raw), len(text), text)
		}
		text := Compact(v)
		if Size(v) != len(text) {
			t.Fatalf("Size %d, length %d of %s", Size(v), len(text), text)
		}
		again, err := ParseString(text)
		if err != nil || !Equal(v, again) || Compact(again) != text {
			t.Fatalf("%s became %v (%v)", text, again, err)
		}
		limit := rapid.IntRange(1, 80).Draw(t, "limit")
		preview := Preview(v, limit)
		if whole := []rune(text); len(whole) <= limit && preview != text || len(whole) > limit &&
			preview != string(whole[:limit-1])+"…" {
			t.Fatalf("Preview(%s, %d) = %s", text, limit, preview)
		}
		if utf8.RuneCountInString(preview) > limit {
			t.Fatalf("%s is longer than %d", preview, limit)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{sample, `[1,{"a":"\ud800"}]`, "\xff", `{"a":1,"a":2}`, `1e999`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data, Limits{})
		if err != nil {
			var syntax *SyntaxError
			if errors.As(err, &syntax) && (syntax.Offset < 0 || syntax.Line < 1 || syntax.Col < 1) {
				t.Fatalf("%q: %+v", data, syntax)
			}
			return
		}
		text := Compact(v)
		again, err := ParseString(text)
		if err != nil || !Equal(v, again) || Size(v) != len(text) {
			t.Fatalf("%q became %q (%v)", data, text, err)
		}
	})
}

// document returns a JSON text of about a megabyte with typical shapes.
func document() []byte {
	return []byte("[" + strings.TrimSuffix(strings.Repeat(
		`{"orderId":"A-1029384","total":129.95,"vip":true,"items":[{"sku":"x1","quantity":2,"price":9.5},{"sku":"y2","quantity":1,"price":110.95}],"note":null,"address":{"street":"Hauptstraße 5","city":"Köln"}},`, 5000), ",") + "]")
}

func BenchmarkParse(b *testing.B) {
	data := document()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(data, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	data := document()
	v := Must(string(data))
	var buffer []byte
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		buffer = Append(buffer[:0], v)
	}
}

func BenchmarkSize(b *testing.B) {
	v := Must(string(document()))
	b.ReportAllocs()
	for b.Loop() {
		Size(v)
	}
}

func BenchmarkWith(b *testing.B) {
	o := Must(`{"a":1,"b":2,"c":3,"d":4,"e":5}`).(*Object)
	b.ReportAllocs()
	for b.Loop() {
		_ = o.With("c", Null{})
	}
}

func TestLinesAreThoseOfThePrettyForm(t *testing.T) {
	for _, doc := range []string{`1`, `"a\nb"`, `null`, `{}`, `[]`, `[[],{}]`,
		`{"a":1,"b":[true,{"c":"x"}],"d":{"e":{},"f":[0]}}`} {
		v := Must(doc)
		for range 2 { // counted, and remembered
			if got, want := Lines(v), strings.Count(Pretty(v), "\n")+1; got != want {
				t.Errorf("%s: %d lines, want %d", doc, got, want)
			}
		}
	}
	if Lines(nil) != 0 {
		t.Error("an absent value has lines")
	}
}
