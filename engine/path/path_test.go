package path

import (
	"errors"
	"strings"
	"testing"

	"asldb/engine/value"
)

func mustParse(t testing.TB, text string) *Path {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const order = `{"order":{"address":{"town":"Ghent","zip":"9000"},"items":[{"sku":"a","n":1},{"sku":"b","n":2}],
	"note":null,"total":12.50,"a.b":1},"error-info":{"cause":"x"}}`

func TestFind(t *testing.T) {
	roots := &Roots{
		Data:    value.Must(order),
		Context: value.Must(`{"State":{"Name":"Pay"},"Map":{"Item":{"Index":0}}}`),
		Variables: func(name string) value.Value {
			if name == "größe" {
				return value.Must(`[{"x":7}]`)
			}
			return nil
		},
	}
	for _, c := range []struct{ path, want string }{
		{"$.order.address.town", `"Ghent"`},
		{"$.order.total", `12.50`},
		{"$.order.note", `null`},
		{"$.order.items[1].sku", `"b"`},
		{"$.order.items[-1].sku", `"b"`},
		{`$.order.a\.b`, `1`},
		{`$['order']["a.b"]`, `1`},
		{"$.error-info.cause", `"x"`},
		{"$.order.['address'].zip", `"9000"`},
		{"$.order.items[*].n", `[1,2]`},
		{"$.order.items[?(@.sku == 'b')].n", `[2]`},
		{"$.order.items[?(@.n >= 1 && !(@.sku == 'b'))].sku", `["a"]`},
		{"$.order.items[?(@.sku =~ /B/i)].n", `[2]`},
		{"$.order.items[?(@.sku =~ /(?!a).*/)].n", `[2]`},
		{"$.order.items[?(@.sku =~ /.(?<=B)/i)].n", `[2]`},
		{"$.order.address[?(@.zip =~ /9(0)\\1\\1/)].town", `["Ghent"]`},
		{"$.order[?('abcabc' =~ /(...)\\1/)].total", `[12.50]`},
		{"$.order.items[?(@.sku in ['b','c'])].n", `[2]`},
		{"$.order.items[?(@.sku nin [\"b\"])].n", `[1]`},
		{"$.order.address[?(@.zip size 4)].town", `["Ghent"]`},
		{"$.order.items[?(@.sku empty false)].n", `[1,2]`},
		{"$..n", `[1,2]`},
		{"$..items[0].sku", `["a"]`},
		{"$.nowhere[*].x", `[]`},
		{"$.nowhere[0:1].x", `[]`},
		{"$.nowhere[0,1]", `[]`},
		{"$.order.items[7][0:1]", `[]`},
		{"$.order.*[0:1].n", `[1]`}, // behind a wildcard, only arrays match
		{"$..[1:].n", `[2]`},
		{"$.order[?(@.address[0:1])].total", `[]`},
		{"$.order.items[?(@.sku == b)].n", `[2]`},
		{"$.order.items[?(b == @.sku && @.n>1)].n", `[2]`},
		{"$.order.items[?(@.sku in ['b'] || @.sku!=a-1.x)].n", `[1,2]`},
		{"$.order.items[?(@.n == $.order.items[0].n)].sku", `["a"]`},
		// A descent as an operand selects a list: it is there, even an empty one, and is equal to no text.
		{"$.order.items[?(@..sku)].n", `[1,2]`},
		{"$.order.items[?(@..nothing)].n", `[1,2]`},
		{"$.order.items[?(!@..nothing)].n", `[]`},
		{"$.order.items[?(@..sku.deeper)].n", `[1,2]`},
		{"$.order[?(@..town.x)].total", `[12.50]`},
		{"$.order[?(@..address.x)].total", `[]`}, // the objects that the descent has found must have the member
		{"$.order[?(@..address.zip)].total", `[12.50]`},
		{"$.order.items[?(@..['sku','nothing'])].n", `[1,2]`},
		{"$.order.items[?(@..sku == 'b')].n", `[]`},
		{"$.order.items[?(@..sku contains 'b')].n", `[2]`},
		{"$.order.items[?('b' in @..sku)].n", `[2]`},
		{"$.order.items[?(@..n size 1)].n", `[1,2]`},
		{"$.order.items[?(@.sku in $..sku)].n", `[1,2]`},
		{"$.order['total','note']", `{"total":12.50,"note":null}`},
		{"$$", `{"State":{"Name":"Pay"},"Map":{"Item":{"Index":0}}}`},
		{"$$.State.Name", `"Pay"`},
		{"$größe[0].x", `7`},
		{"$größe[*].x", `[7]`},
		{"$.order.city", ``},
		{"$.order.items[2]", ``},
		{"$unset", ``},
		{"$unset[*]", ``},
	} {
		got := mustParse(t, c.path).Find(roots)
		if c.want == "" && got != nil || c.want != "" && (got == nil || value.Compact(got) != c.want) {
			t.Errorf("%s = %v, want %s", c.path, got, c.want)
		}
	}
}

func TestParts(t *testing.T) {
	p := mustParse(t, "$count.a['b c'][3]..x")
	if p.Root() != VariableRoot || p.Variable() != "count" || p.Definite() || p.Plain() || p.Len() != 5 {
		t.Errorf("%v %q %v %v %d", p.Root(), p.Variable(), p.Definite(), p.Plain(), p.Len())
	}
	var offsets []int
	for i := range p.Len() + 1 {
		offsets = append(offsets, p.Offset(i))
	}
	want := []int{6, 8, 15, 18, 20, 21}
	for i := range want {
		if offsets[i] != want[i] {
			t.Fatalf("offsets %v, want %v", offsets, want)
		}
	}
	if p.String() != "$count.a['b c'][3]..x" {
		t.Error(p.String())
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		path   string
		offset int
		msg    string
	}{
		{"", 0, "a path begins with $"},
		{"store.book", 0, "found 's'"},
		{"$ .a", 1, "found ' '"},
		{"$.", 2, "must not end"},
		{"$..", 3, "must not end"},
		{"$...a", 3, "three dots"},
		{"$.a b", 3, "needs brackets"},
		{"$.a[", 4, "found the end"},
		{"$.a[0", 3, "not closed"},
		{"$.a['x", 4, "quote is not closed"},
		{"$.a['x'", 3, "not closed"},
		{"$.a[?@.b]", 5, "is written in parentheses"},
		{"$.a[?(@.b == )]", 13, "expected a path"},
		{"$.a[?(@.b ~~ 1)]", 10, `"~~" is not an operator`},
		{"$.a[?('x')]", 6, "constant alone"},
		{"$.a[?(@.b =~ /(/)]", 13, "pattern cannot be used"},
		{"$.a[?(@.b == $$.c)]", 13, "$ is the root"},
		{"$.a[::]", 4, "needs a start"},
		{"$.a[99999999999]", 4, "not an index"},
		{`$.a\`, 4, "nothing follows"},
		{"$" + strings.Repeat(".a", MaxBytes), MaxBytes, "at most"},
		{"$[?(" + strings.Repeat("(", 100), 34, "nested deeper"},
		{"$" + strings.Repeat("[?(@", 100), 67, "nested deeper"},
		{"$[?(@.a in " + strings.Repeat("[", 100), 43, "nested deeper"},
	} {
		_, err := Parse(c.path)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != c.offset || !strings.Contains(syntax.Msg, c.msg) {
			t.Errorf("Parse(%s) = %#v, want offset %d and %q", shorten(c.path), err, c.offset, c.msg)
		}
	}
}

func TestReferenceRefusals(t *testing.T) {
	for path, offset := range map[string]int{
		"$.a[*]": 4, "$.a..b": 3, "$.a[?(@.b)]": 4, "$.a[0,1]": 5, "$.a['x','y']": 7, "$.a[1:]": 5,
		"$.a.length()": 10, "$.a@b": 3, "$.a:b": 3, "$.a?b": 3, "$.a,b": 3, "$.*": 2, "$.a[-1]": 3,
	} {
		_, err := ParseReference(path)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != offset {
			t.Errorf("ParseReference(%s) = %v, want a refusal at %d", path, err, offset)
		}
	}
}

func TestMiss(t *testing.T) {
	roots := &Roots{Data: value.Must(order)}
	for _, c := range []struct{ path, found, missing, suggestion, message, jayway string }{
		{"$.order.adress.town", "$.order", "adress", "address",
			"$.order.adress.town is missing; did you mean $.order.address.town?",
			"Missing property in path $['order']['adress']"},
		{"$.no.such.path", "$", "no", "",
			"$.no.such.path is missing: $ has only error-info and order", "Missing property in path $['no']"},
		{"$.order.items[5].sku", "$.order.items", "[5]", "",
			"$.order.items[5].sku is missing: $.order.items has 2 items",
			"No results for path: $['order']['items'][5]['sku']"},
		{"$.order.total.cents", "$.order.total", "cents", "",
			"$.order.total.cents is missing: $.order.total is a number, not an object",
			"Expected to find an object with property ['cents'] in path $['order']['total'] but found 'java.lang.Double'. " +
				"This is not a json object according to the JsonProvider: 'com.jayway.jsonpath.spi.json.JsonSmartJsonProvider'."},
		{"$.order.note[0]", "$.order.note", "[0]", "", "$.order.note[0] is missing: $.order.note is null, not an array",
			"The path $['order']['note'] is null"},
		{"$.order.note[:2]", "$.order.note", "[:2]", "",
			"$.order.note[:2] is missing: $.order.note is null, not an array",
			"The path $['order']['note'] is null"},
		{"$.error-info[0:1].x", "$.error-info", "[0:1]", "",
			"$.error-info[0:1].x is missing: $.error-info is an object, not an array",
			"Filter: [0:1]['x'] can only be applied to arrays. Current context is: {cause=x}"},
		{"$.error-info[-2:]", "$.error-info", "[-2:]", "",
			"$.error-info[-2:] is missing: $.error-info is an object, not an array",
			"Filter: [-2:] can only be applied to arrays. Current context is: {cause=x}"},
		{"$.error-info[0,1]", "$.error-info", "[0,1]", "",
			"$.error-info[0,1] is missing: $.error-info is an object, not an array",
			"Filter: [0,1] can only be applied to arrays. Current context is: {cause=x}"},
		{"$.error-info[0][*]", "$.error-info", "[0]", "",
			"$.error-info[0][*] is missing: $.error-info is an object, not an array",
			"Filter: [0][*] can only be applied to arrays. Current context is: {cause=x}"},
		{"$.order.items.length()", "$.order.items", "length()", "",
			"$.order.items.length() is missing: $.order.items is an array, not an object",
			"Expected to find an object with property ['length()'] in path $['order']['items'] but found 'net.minidev.json.JSONArray'. " +
				"This is not a json object according to the JsonProvider: 'com.jayway.jsonpath.spi.json.JsonSmartJsonProvider'."},
		{"$$.State", "", "$$", "", "there is no Context Object ($$) here", "No results for path: $$"},
		{"$x.y", "", "$x", "", "the variable $x is not assigned", "No results for path: $x"},
	} {
		p := mustParse(t, c.path)
		_, err := p.Get(roots)
		var miss *MissError
		if !errors.As(err, &miss) {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if miss.Path != p || miss.Found != c.found || miss.Missing != c.missing || miss.Suggestion != c.suggestion {
			t.Errorf("%s: %#v", c.path, miss)
		}
		if miss.Error() != c.message {
			t.Errorf("%s: %s\nwant %s", c.path, miss.Error(), c.message)
		}
		if miss.Jayway() != c.jayway {
			t.Errorf("%s: %s\nwant %s", c.path, miss.Jayway(), c.jayway)
		}
		if want, _ := Parse(c.found); c.found != "" && !value.Identical(miss.At, want.Find(roots)) {
			t.Errorf("%s: At is %v", c.path, miss.At)
		}
	}
}

func TestSet(t *testing.T) {
	for _, c := range []struct{ path, root, want, conflict string }{
		{"$", `{"a":1}`, `"V"`, ""},
		{"$.r", `{"a":1,"b":2}`, `{"a":1,"b":2,"r":"V"}`, ""},
		{"$.a", `{"a":1,"b":2}`, `{"a":"V","b":2}`, ""},
		{"$.n.m", `{"k":2}`, `{"k":2,"n":{"m":"V"}}`, ""},
		{"$.a[1]", `{"a":[1,2,3]}`, `{"a":[1,"V",3]}`, ""},
		{"$.a[1].x.y", `{"a":[1,{"z":0},3]}`, `{"a":[1,{"z":0,"x":{"y":"V"}},3]}`, ""},
		{"$[0]", `[1,2]`, `["V",2]`, ""},
		{"$.a.b.c", `{"a":1}`, "", "$.a.b.c cannot be written: $.a is a number, which cannot have b"},
		{"$.a.b", `{"a":null}`, "", "$.a.b cannot be written: $.a is null, which cannot have b"},
		{"$.a.b", `{"a":[]}`, "", "$.a.b cannot be written: $.a is an array, which cannot have b"},
		{"$.a[0]", `{"a":{}}`, "", "$.a[0] cannot be written: $.a is an object, which cannot have [0]"},
		{"$.a[2]", `{"a":[1]}`, "", "$.a[2] cannot be written: $.a has 1 item, so there is no [2] to replace"},
		{"$.a[1]", `{"a":[1]}`, "", "$.a[1] cannot be written: $.a has 1 item, so there is no [1] to replace"},
		{"$.a[0]", `{}`, "", "$.a[0] cannot be written: there is no array at $.a that could have an item [0]"},
		{"$.a", `"text"`, "", "$.a cannot be written: $ is a string, which cannot have a"},
	} {
		root := value.Must(c.root)
		got, err := mustParse(t, c.path).Set(root, value.String("V"))
		if c.conflict == "" {
			if err != nil || value.Compact(got) != c.want {
				t.Errorf("%s in %s: %v, %v, want %s", c.path, c.root, got, err, c.want)
			}
			continue
		}
		var conflict *ConflictError
		if !errors.As(err, &conflict) || conflict.Error() != c.conflict {
			t.Errorf("%s in %s: %v, %v, want %s", c.path, c.root, got, err, c.conflict)
		}
	}
	var syntax *SyntaxError
	if _, err := mustParse(t, "$.a[*]").Set(value.Must(`{}`), value.Null{}); !errors.As(err, &syntax) {
		t.Errorf("a write to an indefinite path: %v", err)
	}
}

func TestHostileEvaluationEnds(t *testing.T) {
	roots := &Roots{Data: value.Must(`[[[0,1],[2]],[[3],[4,5,6]]]`)}
	for _, text := range []string{
		"$" + strings.Repeat("[0,0]", 64),
		"$[0,0,0,0,0,0,0,0][?(@[0,0,0,0,0,0,0,0]" + strings.Repeat("[0,0,0,0]", 60) + " == 1)]",
	} {
		roots.Data = value.Must(strings.Repeat("[", 100) + strings.Repeat("]", 100))
		_, err := mustParse(t, text).Get(roots)
		var limit *LimitError
		if !errors.As(err, &limit) {
			t.Errorf("%s: %v, want a limit", shorten(text), err)
		}
	}
}

func TestPlainPathDoesNotAllocate(t *testing.T) {
	roots := &Roots{Data: value.Must(order)}
	for _, text := range []string{"$.order.address.town", "$.order.items[1].sku", "$.order.items[9]", "$.order.no"} {
		p := mustParse(t, text)
		if n := testing.AllocsPerRun(100, func() { p.Find(roots) }); n != 0 {
			t.Errorf("%s: %v allocations", text, n)
		}
	}
	p := mustParse(t, "$.order.items[1].sku")
	if n := testing.AllocsPerRun(100, func() { _, _ = p.Get(roots) }); n != 0 {
		t.Errorf("Get: %v allocations", n)
	}
}

func TestJavaNumbers(t *testing.T) {
	// From the documentation of java.math.BigDecimal.toString and java.lang.Double.toString.
	for text, want := range map[string]string{
		"123": "123", "-123": "-123", "1.23E3": "1.23E+3", "1.23E+5": "1.23E+5", "12.3E+7": "1.23E+8", "12.0": "12.0",
		"12.3": "12.3", "0.00123": "0.00123", "-1.23E-12": "-1.23E-12", "1234.5E-4": "0.12345", "0E+7": "0E+7",
		"-0": "0",
	} {
		if got := bigDecimalText(text); got != want {
			t.Errorf("BigDecimal(%s) = %s, want %s", text, got, want)
		}
	}
	for f, want := range map[float64]string{1: "1.0", 100: "100.0", 1e7: "1.0E7", 1.5e-5: "1.5E-5", 0.001: "0.001",
		0: "0.0"} {
		if got := doubleText(f); got != want {
			t.Errorf("Double(%v) = %s, want %s", f, got, want)
		}
	}
	if compareUTF16("\U00010000", "\uffff") >= 0 || compareUTF16("a\uffff", "a\U00010000") <= 0 ||
		compareUTF16("", "a") >= 0 || compareUTF16("é", "è") <= 0 {
		t.Error("strings are ordered by UTF-16 unit")
	}
}

func BenchmarkFindThreeSteps(b *testing.B) {
	roots := &Roots{Data: value.Must(order)}
	p := mustParse(b, "$.order.address.town")
	b.ReportAllocs()
	for b.Loop() {
		p.Find(roots)
	}
}

func BenchmarkFindThreeStepsMiss(b *testing.B) {
	roots := &Roots{Data: value.Must(order)}
	p := mustParse(b, "$.order.address.city")
	b.ReportAllocs()
	for b.Loop() {
		p.Find(roots)
	}
}

func BenchmarkFilter(b *testing.B) {
	roots := &Roots{Data: value.Must(order)}
	p := mustParse(b, "$.order.items[?(@.sku == 'b')].n")
	b.ReportAllocs()
	for b.Loop() {
		p.Find(roots)
	}
}

func BenchmarkSet(b *testing.B) {
	root := value.Must(order)
	p := mustParse(b, "$.order.address.town")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Set(root, value.Null{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		mustParse(b, "$.order.address.town")
	}
}

// A word without quotes in a filter is compared as text, and is reported.
func TestUnquotedWord(t *testing.T) {
	for text, want := range map[string]string{
		"$.a[?(@.b==Receipt)].c": "Receipt", "$.a[?(@.b == 'Receipt')]": "", "$.a[?(@.b == true)]": "",
		"$.a[?(Größe_2 != @.b)]": "Größe_2", "$.a[?(@.b == $.c[?(@.d == Inner)])]": "Inner", "$.a.Receipt": "",
		"$.a[?(@.b == one && @.c == two)]": "one",
	} {
		if got := mustParse(t, text).UnquotedWord(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"$.a[?(Receipt)]", "$.a[?(@.b == Re'ceipt)]", "$.a[?(@.b == -x)]",
		"$.a[?(@.b == two words)]"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

// In single quotes a \" keeps its backslash, as recorded (aws-recorded,
// escape_sequence_parsing.ESCAPE_SEQUENCES_JSONPATH); other escapes, and those in double quotes, are resolved.
func TestEscapedQuotesInNames(t *testing.T) {
	for text, key := range map[string]string{
		`$['Test\""Name"']`: `Test\""Name"`, `$['a\'b']`: `a'b`, `$["a\"b"]`: `a"b`, `$['a\\"b']`: `a\"b`,
		`$['a\nb']`: "a\nb",
	} {
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		data := value.ObjectOf(value.Member{Key: key, Value: value.Int(7)})
		if found := p.Find(&Roots{Data: data}); found == nil || value.Compact(found) != "7" {
			t.Errorf("%s finds %v in %s", text, found, value.Compact(data))
		}
	}
}
