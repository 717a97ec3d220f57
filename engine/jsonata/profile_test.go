package jsonata

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"asldb/engine/value"
)

// serviceAnswer evaluates an expression as Step Functions does: the value, "nothing", or the end of the sentence of the
// error.
func serviceAnswer(t *testing.T, text, states string) string {
	t.Helper()
	x, err := Compile(text, StepFunctions())
	if err != nil {
		t.Fatalf("%.80s: %v", text, err)
	}
	env := testEnv()
	env.Profile = Service()
	v, err := x.Eval(nil, func(name string) value.Value {
		if name == "states" && states != "" {
			return value.Must(states)
		}
		return nil
	}, env)
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Sentence()
	case err != nil:
		return err.Error()
	case v == nil:
		return "nothing"
	}
	return value.Compact(v)
}

const (
	stackOverflow = "threw an error during evaluation: Stack overflow error: Check for non-terminating recursive function. Consider rewriting as tail-recursive"
	memoryOver    = "threw an error during evaluation: Expression evaluation memory limit exceeded: Check for excessive memory usage"
)

// The answers are those measured on Step Functions.
func TestServiceValues(t *testing.T) {
	for _, test := range [][2]string{
		{`1/0`, `"Infinity"`}, {`-1/0`, `"-Infinity"`}, {`1e308*10`, `"Infinity"`}, {`0/0`, `"NaN"`},
		{`[1/0]`, `["Infinity"]`},
		{`{'k': 1/0}`, `{"k":"Infinity"}`}, {`$parseInteger('abc','0')`, `"NaN"`},
		{`$random(42)`, `0.7275636800328681`}, {`$random(0)`, `0.730967787376657`},
		{`$random(7)`, `0.7306990420600421`},
		{`$random(42.9)`, `0.7275636800328681`},
		{`$range(-1.7,2,1)`, `[-1,0,1,2]`}, {`$partition([1,2,3],2.9)`, `[[1,2],[3]]`}, {`$range(1,9,9)`, `1`},
		{`$range(0,9,3)`, `[0,3,6,9]`},
		{`$partition([1],0)`, `nothing`}, {`$partition([],2)`, `nothing`}, {`$partition([1],0.5)`, `nothing`},
		{`$range(0,9,0)`, `nothing`}, {`$range(0,9,nothing)`, `nothing`}, {`$range(0,9)`, `nothing`},
		{`$range(0,9,-1)`, `nothing`}, {`$range(5,1,1)`, `nothing`},
		{`$count($range(1,2000,1))`, `2000`},
		{`$hash('x')`, `nothing`}, {`$parse()`, `nothing`}, {`$count(null)`, `1`},
		{`$parse('1.0')`, `1`}, {`$parse('1e2')`, `100`}, {`$parse('{"a":[1.0,{"b":2.50}]}')`, `{"a":[1,{"b":2.5}]}`},
		{`$parse('9223372036854775807')`, `9223372036854775807`},
		{`$string($parse('9223372036854775807'))`, `"9223372036854775807"`},
		{`$string(123456789012345678000)`, `"123456789012345680000"`}, {`$string(1e21)`, `"1e+21"`},
		{`$string(0.0000001)`, `"1e-7"`}, {`$string(0.000001)`, `"0.000001"`},
		{`$states.input.n`, `1`}, {`$states.input`,
			`{"n":1,"big":9007199254740993,"huge":9223372036854776000,"list":[1,2.5]}`},
		{`$states.input.big`, `9007199254740993`},
		{`$base64decode("aGVsbG8=")`, `"hello"`}, {`$base64decode("YWJ")`, `"ab"`}, {`$base64encode("é")`, `"w6k="`},
		{`$base64decode("5pel5pys")`, `"日本"`},
		{`$decodeUrlComponent("a+b%2Bc%20d")`, `"a b+c d"`}, {`$decodeUrlComponent("%E6")`, "\"\uFFFD\""},
		{`$parse("{'a': 'x'}")`, `{"a":"x"}`},
		{`$partition([1,2,3])`, `[[1,2,3]]`}, {`$partition([1,2,3],$nothing)`, `[[1,2,3]]`},
		{`$partition([],$nothing)`, `[[]]`}, {`$partition($nothing,2)`, `nothing`},
		{`$fromMillis(0, '[Z]', 'utc')`, `"+00:00"`}, {`$fromMillis(0, '[Z]', '+0130')`, `"+01:30"`},
		{`$fromMillis(0, '[Z]', '+01:30')`, `"+00:00"`},
		{`$replace("\u00a0x", /\s/, "")`, "\"\u00a0x\""}, {`$replace(" x", /[\s]/, "")`, `"x"`},
		{`$count($split("a\u3000b c", /\s/))`, `2`},
		{`$merge([{"a":1},[{"b":2},[{"c":3}]]])`, `{"a":1,"b":2,"c":3}`}, {`$merge([])`, `{}`},
		{`$merge($nothing)`, `nothing`},
		{`$uppercase("ﬁß")`, `"FISS"`}, {`$lowercase("İ")`, "\"i\u0307\""}, {`$lowercase("ẞ")`, `"ß"`},
		{`$replace("aaa","a","b",2.5)`, `"bba"`}, {`$replace("aaa","a","b",0)`, `"aaa"`},
		{`$count($split("😀",""))`, `2`}, {`$split("abc","",2)`, `["a","b"]`},
		{`$string(0.6666666666666666)`, `"0.666666666666666"`},
		{`$string(-0.6666666666666666)`, `"-0.666666666666667"`},
		{`$string(1234567890123456.7)`, `"1.23456789012345e+15"`},
		{`$string(-1.5)`, `"-1.5"`}, {`$string({"v":"\u0001\b\u001f"})`, "\"{\\\"v\\\":\\\"\\u0001\\\\b\\u001f\\\"}\""},
		{`$string({"v":"\\u0001"})`, `"{\"v\":\"\\\\u0001\"}"`},
		{`$formatNumber(1e308, '0')`, `"1` + strings.Repeat("0", 308) + `"`}, {`$formatNumber(2.5, '0')`, `"2"`},
		{`$string($power(2,63))`, `"9223372036854776000"`},
	} {
		if got := serviceAnswer(t, test[0], `{"input":{"n":1.0,"big":9007199254740993,"huge":9223372036854775808,"list":[1.0,2.5]}}`); got != test[1] {
			t.Errorf("%s: %s, not %s", test[0], got, test[1])
		}
	}
}

func TestServiceErrors(t *testing.T) {
	for _, test := range [][2]string{
		{`$partition([1],-1)`, `D3137: Second argument must be zero or greater`},
		{`$partition(null,2)`, `T0412: Argument 1 of function "partition" must be an array of undefined`},
		{`$hash('x','sha-256')`, `D3137: Hash algorithm 'sha-256' must be one of SHA-1, SHA-384, SHA-256, SHA-512, MD5`}, {`$hash('x',$nothing)`, `D3137: Hash algorithm 'null' `},
		{`$partition('no',2)`, `T0412: Argument 1 of function "partition" must be an array of undefined`},
		{`$partition([1],'2')`, `T0410: `}, {`$merge([1])`, `T0412: `},
		{`$decodeUrlComponent('%zz')`, `D3140: `}, {`$replace('aaa','a','b',-1)`, `D3011: `},
		{`$replace('aaa','','b')`, `D3010: `}, {`$hash(1,'MD5')`, `T0410: `}, {`$hash('x','MD5',1)`, `T0410: `},
		{`$range(1,2,3,4)`, `T0410: `}, {`$partition([1],1,1)`, `T0410: `}, {`$parse('1','2')`, `T0410: `},
		{`$parse('')`, `D3137: Invalid JSON`}, {`$parse('1 2')`, `D3137: Invalid JSON`},
		{`$parse('{"a":1,"a":2}')`, `D3137: Invalid JSON`}, {`$parse('[1e400]')`, `D3137: Invalid JSON`},
		{`$eval("1+1")`, `T1006: Attempted to invoke a non-function`},
		{`$formatNumber(1, "x")`, `D3086: `}, {`$sum([1,"a"])`,
			`T0412: Argument 1 of function "sum" must be an array of "numbers"`},
	} {
		if got := serviceAnswer(t, test[0], ""); !strings.HasPrefix(got, "threw an error during evaluation. "+test[1]) {
			t.Errorf("%s: %s, not %s", test[0], got, test[1])
		}
	}
	if got := serviceAnswer(t, `$base64decode("!!!")`, ""); !strings.HasPrefix(got,
		"threw an internal error during evaluation. ") || len(got) != 43+36 {
		t.Errorf("%q", got)
	}
}

// An expression of each shape passes with 100 nested evaluations and fails with one more.
func TestServiceDepth(t *testing.T) {
	recursion := `($f := function($n){ $n = 0 ? 0 : 1 + $f($n - 1) }; $f(%d))`
	for _, test := range []struct{ most, more string }{
		{"1" + strings.Repeat("+1", 99), "1" + strings.Repeat("+1", 100)},
		{strings.Repeat("(", 99) + "1" + strings.Repeat(")", 99), strings.Repeat("(", 100) + "1" +
			strings.Repeat(")", 100)},
		{strings.Repeat("[", 99) + "1" + strings.Repeat("]", 99), strings.Repeat("[", 100) + "1" +
			strings.Repeat("]", 100)},
		{`"1"` + strings.Repeat(" ~> $string()", 99), `"1"` + strings.Repeat(" ~> $string()", 100)},
		{`"1"` + strings.Repeat(" ~> $string", 99), `"1"` + strings.Repeat(" ~> $string", 100)},
		{fmt.Sprintf(recursion, 31), fmt.Sprintf(recursion, 32)},
	} {
		if got := serviceAnswer(t, test.most, ""); strings.HasPrefix(got, "threw") {
			t.Errorf("%.60s: %s", test.most, got)
		}
		if got := serviceAnswer(t, test.more, ""); got != stackOverflow {
			t.Errorf("%.60s: %s", test.more, got)
		}
	}
	if got := serviceAnswer(t, `($f := function($n){ $n = 0 ? 0 : $f($n - 1) }; $f(5000))`, ""); got != "0" {
		t.Errorf("a recursion in tail position: %s", got)
	}
}

// The published points of the memory limit.
func TestServiceMemory(t *testing.T) {
	doubled := `$length($reduce([1..%d], function($s, $i){ $s & $s }, "x"))`
	for _, test := range []struct{ most, more string }{
		{`$count([1..873782])`, `$count([1..873783])`},
		{`[1..873782] ~> $count()`, `[1..873783] ~> $count()`},
		{`$count($range(1,360145,1))`, `$count($range(1,360146,1))`},
		{fmt.Sprintf(doubled, 22), fmt.Sprintf(doubled, 23)},
	} {
		if got := serviceAnswer(t, test.most, ""); strings.HasPrefix(got, "threw") {
			t.Errorf("%s: %s", test.most, got)
		}
		if got := serviceAnswer(t, test.more, ""); got != memoryOver {
			t.Errorf("%s: %s", test.more, got)
		}
	}
}

// A loop without end is ended by the bound of asldb, in the words of a timeout.
func TestServiceTimeout(t *testing.T) {
	x, err := Compile(`($f := function($x){ $f($x) }; $f(1))`, StepFunctions())
	if err != nil {
		t.Fatal(err)
	}
	env := testEnv()
	env.Profile, env.Limits = Service(), Limits{Steps: 10_000}
	_, err = x.Eval(nil, nil, env)
	var e *Error
	if !errors.As(err, &e) || !e.Own || !strings.HasSuffix(e.Sentence(),
		": Expression evaluation timeout: Check for infinite loop") {
		t.Errorf("%v", err)
	}
}

// The reference implementation keeps its answers.
func TestReferenceProfile(t *testing.T) {
	for _, test := range [][2]string{
		{`1/0`, `D1001`}, {`$parse('1.0')`, `1.0`}, {`$count([1..900000])`, `900000`},
		{"1" + strings.Repeat("+1", 150), `151`},
		{`$range(0.9, 4.9, 2.5)`, `[0,2,4]`}, {`$partition([1], 0)`, `D3137`},
	} {
		if got := evaluate(t, test[0], "", StepFunctions()); !strings.HasPrefix(got, test[1]) {
			t.Errorf("%.40s: %s, not %s", test[0], got, test[1])
		}
	}
}

func TestRequoted(t *testing.T) {
	for text, want := range map[string]string{
		`'a'`: `"a"`, `"it's"`: `"it's"`, `'it\'s'`: `"it's"`, `'"'`: `"\""`, `'\"'`: `"\""`, `'\\"'`: `"\\\""`,
		`'\n'`: `"\n"`,
	} {
		if got := singleQuoted().ReplaceAllStringFunc(text, requoted); got != want {
			t.Errorf("%s is written %s, not %s", text, got, want)
		}
	}
}
