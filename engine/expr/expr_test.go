package expr

import (
	"errors"
	"strings"
	"testing"

	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/internal/testkit"
)

const data = `{"amount":120.50,"status":"open","error-info":{"cause":"x"},"a-b":7,"big":12345678901234567890,"zero":0,
	"list":[{"b":1,"n":"one"},{"b":2,"n":"two"},{"n":"none"}],"a":{"k":{"b":5}},"flag":true,"none":null,"0":"zero",
	"when":"2024-01-01T00:00:00Z","tags":["x","y"],"i":1}`

func env() *Env {
	return &Env{
		Data:    value.Must(data),
		Context: value.Must(`{"State":{"Name":"Pay","RetryCount":2}}`),
		Variables: func(name string) value.Value {
			if name == "count" {
				return value.Must(`{"n":3,"m":[10,20]}`)
			}
			return nil
		},
		Fields: map[string]value.Value{
			"type": value.String("StageDone"), "state": value.String("Pay"), "error": nil,
			"failure": value.Must(`{"Cause":"why","list":[1,2]}`),
		},
	}
}

func TestEval(t *testing.T) {
	for expression, want := range map[string]string{
		// paths as a definition has them
		"$": value.Compact(value.Must(data)), "$$": `{"State":{"Name":"Pay","RetryCount":2}}`,
		"$count":   `{"n":3,"m":[10,20]}`,
		"$.amount": `120.50`, "$.big": `12345678901234567890`, "$.error-info.cause": `"x"`,
		"$['error-info']['cause']": `"x"`,
		"$.a-b":                    `7`, "$.i - 1": `0`, "$.i-$.i": `0`, "$.list[0].b": `1`, "$.list[-1].n": `"none"`,
		"$.0":                 `"zero"`,
		"$.list[?(@.b == 1)]": `[{"b":1,"n":"one"}]`, "$.list[?(@.n =~ /t.*]?/)].b": `[2]`, "$.list[*].b": `[1,2]`,
		"$.list[1:]": `[{"b":2,"n":"two"},{"n":"none"}]`, "$.list[0,2].n": `["one","none"]`, "$.a..b": `[5]`,
		"$..b":               `[1,2,5]`,
		"$.list[0]['b','n']": `{"b":1,"n":"one"}`, "$.list[*].length()": `[]`, `$.a\-b`: `7`,
		"$.list[0,1][?(@.b > 1)]": `[{"b":2,"n":"two"}]`,
		"$$.State.Name":           `"Pay"`, "$count.m[1]": `20`, "$.[?(@.zero < 1)].i": `[1]`,
		// missing values
		"$.no": `null`, "$.no.where": `null`, "$.list[9]": `null`, "$.list['0']": `null`, "$[0]": `null`,
		"$unset": `null`, "$unset[*]": `null`,
		"$.no[*]": `[]`, `$.a.x == "x"`: `false`, "$.no > 3": `false`, "$.no + 1 > 3": `false`, "-$.no": `null`,
		"$.no == null":   `true`,
		"$.none == null": `true`, "!$.no": `true`, "$.no != 1": `true`,
		// comparing
		`$.amount > 100 && $.status == "open"`: `true`, `$.amount == 120.5`: `true`, `$.amount == "120.50"`: `false`,
		`$.status > 1`: `false`,
		`1 == "1"`:     `false`, `null == false`: `false`, `"" == null`: `false`, `1 == true`: `false`,
		`$.big == 12345678901234567891`: `false`,
		`$.big == 12345678901234567890`: `true`, `$.big < 12345678901234567891`: `true`, `0 == -0`: `true`,
		`1.0 == 1`:           `true`,
		`$.status >= 'open'`: `true`, `$.list[0] == {"n": "one", "b": 1.0}`: `true`, `$.tags == ["x", 'y']`: `true`,
		`$.status =~ "^o.*n$"`: `true`, `$.status !~ "^o"`: `false`, `$.amount =~ "1"`: `false`,
		`$.status =~ $.status`:           `true`,
		`$.status in ["open", "closed"]`: `true`, `"x" in $.tags`: `true`, `2 in $.list[*].b`: `true`,
		`"k" in $.a`: `true`, `1 in $.no`: `false`,
		`date($.when) < date("2024-01-02")`: `true`, `date($.when) == date('2024-01-01')`: `true`,
		`date($.when)`: `"2024-01-01T00:00:00Z"`,
		// counting and joining
		`1 + 2 * 3`: `7`, `(1 + 2) * 3`: `9`, `7 % 4`: `3`, `2 ** 10`: `1024`, `7 / 2`: `3.5`, `-$.i`: `-1`,
		`1 / 0`: `null`, `6 & 3 | 8`: `10`, `5 ^ 1`: `4`, `~0`: `-1`,
		`1 << 4 >> 2`: `4`, `"n=" + $.i`: `"n=1"`, `"a" + "b"`: `"ab"`, `$.status + $.tags`: `"open[\"x\",\"y\"]"`,
		`len($.tags)`: `2`, `len("жé")`: `2`, `upper($.status)`: `"OPEN"`, `lower("A")`: `"a"`,
		`contains($.status, "pe")`: `true`, `contains($.tags, 'y')`: `true`,
		`startsWith($.status, "op")`: `true`, `endsWith($.no, "op")`: `null`,
		// logic
		`$.flag && !$.zero`: `true`, `$.zero || $.status`: `true`, `$.no && 1 + "x" > {}`: `false`,
		`$.flag ? "y" : "n"`: `"y"`, `$.no ?? 5`: `5`,
		`$.zero ?? 5`: `0`, `$.zero ? 1 : 2`: `2`, `{} ? 1 : [] ? 2 : "" ? 3 : 4`: `4`, `true && false || true`: `true`,
		// bare names, strings, layout
		`state == "Pay" && type == "StageDone"`: `true`, `error`: `null`, `error.Cause`: `null`,
		`failure.Cause`: `"why"`, `failure.list[1]`: `2`, `failure.list[$.i]`: `2`,
		`'a"b'`: `"a\"b"`, `"\u0041\n\"\x41"`: `"A\n\"A"`, "`a\\n`": `"a\\n"`, " \t\n1\n+\n1 ": `2`,
		`"$.amount"`:    `"$.amount"`,
		`[1, "a", $.i]`: `[1,"a",1]`, `{"z": $.i, "a": [2]}`: `{"z":1,"a":[2]}`, `1e3`: `1e3`,
		`$.list[?(@.b > 5)] && true`: `false`,
	} {
		x, err := Compile(expression)
		if err != nil {
			t.Errorf("Compile(%s): %v", expression, err)
			continue
		}
		got, err := x.Eval(env())
		if err != nil || value.Compact(got) != want {
			t.Errorf("%s = %v, %v, want %s", expression, got, err, want)
		}
		if x.String() != expression {
			t.Errorf("String() is %q", x.String())
		}
	}
}

func TestTruth(t *testing.T) {
	for expression, want := range map[string]bool{
		"$.flag": true, "$.no": false, "$.none": false, "$.zero": false, "$.i": true, "$.status": true, `""`: false,
		"[]":                 false,
		"$.list[?(@.b > 1)]": true, "$.list[?(@.b > 9)]": false, "$.a": true, "{}": false, `date("2024-01-01")`: true,
	} {
		x, err := Compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := x.Truth(env()); err != nil || got != want {
			t.Errorf("%s: %v, %v", expression, got, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		msg    string
	}{
		{"", 0, "where an operand should stand"},
		{"$.a ==", 6, "where an operand should stand"},
		{`$.ж == "я" $.b`, 13, "$.b"},
		{"$.a[", 4, "found the end"},
		{"1 + $.a[?(@.b ~ 1)]", 14, "not an operator"},
		{"$.", 2, "must not end"},
		{`"abc`, 0, "not closed"},
		{"@.a", 0, "only in a filter"},
		{"1 // 2", 2, "no comments"},
		{"\ue000", 0, "unexpected character"},
		{"$.a =~ '('", 10, "pattern cannot be used"},
		{strings.Repeat("(", 300), 200, "nested deeper"},
		{strings.Repeat("!", 300), 200, "nested deeper"},
		{strings.Repeat("1+", 6000), 0, "at most"},
		{"1 2", 2, "where an operator should stand"},
		{"\xff", 0, "UTF-8"},
	} {
		_, err := Compile(c.text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(syntax.Msg, c.msg) || syntax.Offset != c.offset {
			t.Errorf("Compile(%.40q) = %#v, want %q at %d", c.text, err, c.msg, c.offset)
		} else if strings.ContainsRune(syntax.Error(), firstMark) && c.text != "\ue000" {
			t.Errorf("a mark shows: %s", syntax)
		}
	}
}

func TestEvaluationErrors(t *testing.T) {
	for expression, want := range map[string]string{
		`stat == "x"`: "nothing is called \"stat\"", `1 - "a"`: "takes two numbers", `date(1)`: "takes a string",
		`date("x")`: "cannot read",
		`len()`:     "takes 1 argument", `failure()`: "could not call", `$.a =~ 1`: "a pattern is a string",
	} {
		x, err := Compile(expression) // constants fail when compiled already
		if err == nil {
			_, err = x.Eval(env())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", expression, err, want)
		}
	}
}

// TestPathsOfWorkflows compiles every path of real workflows in a condition.
func TestPathsOfWorkflows(t *testing.T) {
	file := value.Must(string(testkit.Read(t, testkit.Dir(t, "workflows"), "jsonpaths-used.json"))).(*value.Object)
	compiled, refused, agree, respelled := 0, 0, 0, 0
	for _, entry := range file.Get("paths").(*value.Array).All() {
		text := string(entry.(*value.Object).Get("path").(value.String))
		p, pathErr := path.Parse(text)
		x, err := Compile(text + " == 1")
		if (pathErr == nil) != (err == nil) {
			t.Errorf("%s: as a path %v, in a condition %v", text, pathErr, err)
		}
		if err != nil {
			refused++
			t.Logf("refused: %v", err)
			continue
		}
		compiled++
		if _, ok := respell(p); ok {
			respelled++
		}
		document := documentFor(p)
		e := &Env{Data: document, Context: document, Variables: func(string) value.Value { return document }}
		want, _ := p.Get(e.roots())
		got, err := mustCompile(t, text).Eval(e)
		if err != nil || !sameOrNull(got, want) {
			t.Errorf("%s = %v, %v, want %v", text, got, err, want)
			continue
		}
		if truth, err := x.Truth(e); err != nil || truth != (want != nil && value.Equal(want, value.Int(1))) {
			t.Errorf("%s == 1 is %v, %v", text, truth, err)
		}
		agree++
	}
	t.Logf("paths of workflows: %d compiled, %d refused, %d agree with engine/path, %d respelled for PaesslerAG/jsonpath", compiled, refused, agree, respelled)
	if compiled < 611 || agree < 611 {
		t.Errorf("%d compiled and %d agree, at least 611 have to", compiled, agree)
	}
}

// documentFor makes a document in which a path of names and indexes leads to 1.
func documentFor(p *path.Path) value.Value {
	var v value.Value = value.Int(1)
	for i := p.Len() - 1; i >= 0; i-- {
		switch s := p.Segment(i); s.Kind {
		case path.NameSegment:
			v = value.ObjectOf(value.Member{Key: "other", Value: value.Null{}}, value.Member{Key: s.Name, Value: v})
		case path.IndexSegment:
			items := make([]value.Value, max(s.Index, 0)+1)
			for j := range items {
				items[j] = v
			}
			v = value.NewArray(items)
		default:
			v = value.ArrayOf(value.Null{}, v)
		}
	}
	return v
}

func mustCompile(t testing.TB, text string) *Expression {
	t.Helper()
	x, err := Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func sameOrNull(got, want value.Value) bool {
	if want == nil {
		return got == value.Null{}
	}
	return value.Compact(got) == value.Compact(want)
}

func BenchmarkCondition(b *testing.B) {
	x := mustCompile(b, `$.amount > 100 && $.status == "open"`)
	e := env()
	b.ReportAllocs()
	for b.Loop() {
		if ok, err := x.Truth(e); err != nil || !ok {
			b.Fatal(ok, err)
		}
	}
}

func TestNamesAndPaths(t *testing.T) {
	for _, c := range []struct{ text, names, paths string }{
		{"attempt == 1 || kind == 'x' && attempt > 2", "attempt kind", ""},
		{"false && unknown == 1", "unknown", ""},
		{"$.a > 1 ? error.Cause : list[0]", "error list", "$.a"},
		{`{"a": 1, "b": other}`, "other", ""},
		{"len($.list[*].x) > $n && $$.State.Name in ['state']", "", "$.list[*].x $n $$.State.Name"},
		{"'attempt' == \"kind\"", "", ""},
		{"true && null == nil", "nil", ""},
	} {
		x, err := Compile(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		paths := value.Each(x.Paths(), (*path.Path).String)
		if got := strings.Join(x.Names(), " "); got != c.names || strings.Join(paths, " ") != c.paths {
			t.Errorf("%s: names %q, paths %q", c.text, got, paths)
		}
	}
}
