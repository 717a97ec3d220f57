package jsonata

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"asldb/engine/value"
)

// testEnv is an environment that is the same in every run.
func testEnv() Env {
	return Env{Now: time.Date(2025, 3, 14, 15, 9, 26, 535_000_000, time.UTC), Random: rand.NewPCG(7, 7)}
}

// evaluate returns the result as JSON, "nothing", or the error's text.
func evaluate(t *testing.T, text, input string, options Options) string {
	t.Helper()
	x, err := Compile(text, options)
	if err != nil {
		return err.Error()
	}
	var in value.Value
	if input != "" {
		in = value.Must(input)
	}
	v, err := x.Eval(in, nil, testEnv())
	switch {
	case err != nil:
		return err.Error()
	case v == nil:
		return "nothing"
	}
	return value.Compact(v)
}

func check(t *testing.T, options Options, cases [][3]string) {
	t.Helper()
	for _, c := range cases {
		if got := evaluate(t, c[0], c[1], options); got != c[2] {
			t.Errorf("%s on %s\n got %s\nwant %s", c[0], c[1], got, c[2])
		}
	}
}

// Numbers that are only passed on keep their text, computed ones are doubles, integers have no fraction.
func TestNumbers(t *testing.T) {
	check(t, StepFunctions(), [][3]string{
		{`a`, `{"a":1.0}`, `1.0`},
		{`{"x": a, "y": [a]}`, `{"a":12345678901234567890}`, `{"x":12345678901234567890,"y":[12345678901234567890]}`},
		{`a + 0`, `{"a":1.0}`, `1`},
		{`a = 1`, `{"a":1.0}`, `true`},
		{`0.1 + 0.2`, ``, `0.30000000000000004`},
		{`$string(0.1 + 0.2)`, ``, `"0.3"`},
		{`1e21 & ""`, ``, `"1e+21"`},
		{`1/3*3`, ``, `1`},
		{`10/4`, ``, `2.5`},
		{`1e-7`, ``, `1e-7`},
		{`0.000001`, ``, `0.000001`},
		{`-0`, ``, `0`},
		{`a ~> |$|{"b":2}|`, `{"a":{"n":1.50}}`, `{"n":1.50,"b":2}`},
		{`1/0`, ``, `D1001: Number out of range: null`},
		{`$sum([1..100])`, ``, `5050`},
		{`a[0] in [1, 2]`, `{"a":[1.0]}`, `true`},
	})
}

// Sequences: one result is itself, none is nothing, [] keeps an array (asl.md I.5).
func TestSequences(t *testing.T) {
	const items = `{"items":[{"x":"a","n":1},{"x":"b","n":2}]}`
	check(t, StepFunctions(), [][3]string{
		{`items[x='a'].n`, items, `1`},
		{`items[x='z'].n`, items, `nothing`},
		{`items[x='a'].n[]`, items, `[1]`},
		{`items.n`, items, `[1,2]`},
		{`{"n": items[x='z'].n, "m": 1}`, items, `{"m":1}`},
		{`[items[x='z'].n]`, items, `[]`},
		{`$`, `[1,2]`, `[1,2]`},
		{`$$`, `[1,2]`, `[1,2]`},
		{`$[0]`, `[1,2]`, `1`},
		{`null`, ``, `null`},
		{`nothing`, ``, `nothing`},
		{`[1..3].($ * 2)`, ``, `[2,4,6]`},
		{`[1..1]`, ``, `[1]`},
		{`[3..1]`, ``, `[]`},
		{`items.{"a": x, "parent": $count(%.items)}`, items, `[{"a":"a","parent":2},{"a":"b","parent":2}]`},
	})
}

// The wording of errors. AWS quotes it: "T1006: Attempted to invoke a non-function".
func TestMessages(t *testing.T) {
	check(t, StepFunctions(), [][3]string{
		{`$nope(1)`, ``, `T1006: Attempted to invoke a non-function`},
		{`$eval("1")`, ``, `T1006: Attempted to invoke a non-function`},
		{`sum(1)`, ``, `T1005: Attempted to invoke a non-function. Did you mean $sum?`},
		{`1 + "a"`, ``, `T2002: The right side of the "+" operator must evaluate to a number`},
		{`"a" - 1`, ``, `T2001: The left side of the "-" operator must evaluate to a number`},
		{`$number("x")`, ``, `D3030: Unable to cast value to a number: "x"`},
		{`$sum("a")`, ``, `T0412: Argument 1 of function "sum" must be an array of "numbers"`},
		{`$uppercase(1)`, ``, `T0410: Argument 1 of function "uppercase" does not match function signature`},
		{`1 < "a"`, ``, `T2009: The values 1 and "a" either side of operator "<" must be of the same data type`},
		{`{1: 2}`, ``, `T1003: Key in object structure must evaluate to a string; got: 1`},
		{`-"a"`, ``, `D1002: Cannot negate a non-numeric value: "a"`},
		{`$error("it broke")`, ``, `D3137: it broke`},
		{`(1`, ``, `S0203: Expected ")" before end of expression`},
		{`(1]`, ``, `S0202: Expected ")", got "]"`},
		{`1 2`, ``, `S0201: Syntax error: 2`},
		{``, ``, `S0207: Unexpected end of expression`},
		{`a ?: b`, ``, `S0211: The symbol ":" cannot be used as a unary operator`},
		{`$x ?? 1`, ``, `S0211: The symbol "?" cannot be used as a unary operator`},
		{`"abc`, ``, `S0101: String literal must be terminated by a matching quote`},
		{`$match("a", /a**/)`, ``, `S0303: The regular expression cannot be used: "a repetition follows a repetition"`},
		{`$match("a", /(?P=a)/)`, ``, `S0303: The regular expression cannot be used: "(?P is not a group"`},
	})
	check(t, Options{Extended: true}, [][3]string{{`nope ?: 1`, ``, `1`}, {`nope ?? 2`, ``, `2`}, {`0 ?: 3`, ``, `3`},
		{`0 ?? 3`, ``, `0`}})
}

// Errors say where: the offset just behind the token, in bytes.
func TestPositions(t *testing.T) {
	for text, want := range map[string]int{`"é" & (1 + "a")`: 11, `$nope(1)`: 6, `[1, 2`: 5, `a.b[`: 4} {
		x, err := Compile(text, Options{})
		if err == nil {
			_, err = x.Eval(nil, nil, Env{})
		}
		var e *Error
		if !errors.As(err, &e) || e.Position != want {
			t.Errorf("%s: %+v, want position %d", text, err, want)
		}
	}
}

// A result that is not JSON differs from an error of the expression.
func TestFunctionResults(t *testing.T) {
	for _, text := range []string{`$sum`, `function($x){$x}`, `{"a": $sum}`, `[1, $sum]`, `/a/`, `$substring(?, 1)`} {
		x, err := Compile(text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var fe *FunctionError
		if _, err := x.Eval(nil, nil, Env{}); !errors.As(err, &fe) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestBindings(t *testing.T) {
	x, err := Compile(`$states.input.a & $v & $sum`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	bindings := func(name string) value.Value {
		switch name {
		case "states":
			return value.Must(`{"input":{"a":"A"}}`)
		case "v":
			return value.String("V")
		case "sum": // a variable hides the function
			return value.String("S")
		}
		return nil
	}
	if v, err := x.Eval(nil, bindings, Env{}); err != nil || v != value.String("AVS") {
		t.Errorf("%v, %v", v, err)
	}
}

// The clock does not move during an evaluation, and the same source gives the same numbers.
func TestClockAndRandom(t *testing.T) {
	check(t, StepFunctions(), [][3]string{
		{`$now()`, ``, `"2025-03-14T15:09:26.535Z"`},
		{`$millis()`, ``, `1741964966535`},
		{`$now("[Y]-[M01]-[D01] [H]:[m]", "+0200")`, ``, `"2025-03-14 17:09"`},
		{`$toMillis($now()) = $millis()`, ``, `true`},
	})
	text := `[$random(), $random(), $uuid(), $shuffle([1..9])]`
	first := evaluate(t, text, "", StepFunctions())
	if again := evaluate(t, text, "", StepFunctions()); again != first || strings.Contains(first, "nothing") {
		t.Errorf("%s, then %s", first, again)
	}
	x, err := Compile(`$random()`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Eval(nil, nil, Env{}); err == nil {
		t.Error("random numbers without a source")
	}
}

func TestConcurrentUse(t *testing.T) {
	x, err := Compile(`orders[total > 10]{$string(id): $sum(items.(q * 2))}`, StepFunctions())
	if err != nil {
		t.Fatal(err)
	}
	in := value.Must(`{"orders":[{"id":1,"total":50,"items":[{"q":1},{"q":2}]},{"id":2,"total":5,"items":[]}]}`)
	done := make(chan string)
	for range 8 {
		go func() {
			last := ""
			for range 200 {
				v, err := x.Eval(in, nil, Env{})
				if err != nil {
					last = err.Error()
					break
				}
				last = value.Compact(v)
			}
			done <- last
		}()
	}
	for range 8 {
		if got := <-done; got != `{"1":6}` {
			t.Error(got)
		}
	}
}

func TestReferences(t *testing.T) {
	x, err := Compile(`($a := $states.input.x; $map(y.z, function($v){ $v.n + $a + $b.c + $.q }); $x[$states.result = m]; $)`, StepFunctions())
	if err != nil {
		t.Fatal(err)
	}
	got := value.Each(x.References(), func(r Reference) string {
		return r.Name + ":" + strings.Join(r.Fields, ".") + ":" + x.String()[r.Start:r.End]
	})
	want := []string{"states:input.x:$states", ":y.z:y", "b:c:$b", ":q:$", "x::$x", "states:result:$states", "::$"}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("got %v\nwant %v", got, want)
	}
}
