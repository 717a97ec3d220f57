package jsonata

import (
	"errors"
	"strings"
	"testing"

	"asldb/engine/value"
)

// limitOf evaluates an expression that must not run for ever and returns the code of the error.
func limitOf(t *testing.T, text string, limits Limits) string {
	t.Helper()
	x, err := Compile(text, Options{Limits: limits, Eval: true})
	if err == nil {
		_, err = x.Eval(value.Must(`{"a":[1,2,3]}`), nil, testEnv())
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Errorf("%.80s: %v", text, err)
		return ""
	}
	return e.Code
}

// Expressions that run away end with an error.
func TestRunaways(t *testing.T) {
	small := Limits{Steps: 2_000_000, Cells: 2_000_000}
	for _, text := range []string{
		`($f := function($x){ $f($x) + 1 }; $f(1))`,
		`($f := function($x){ $f($x) }; $f(1))`,
		`($f := function(){ $g() }; $g := function(){ $f() }; $f())`,
		`($f := function($x){ [$f($x)] }; $f(1))`,
		`($f := function($x){ $map([1,2], $f) }; $f(1))`,
		`($f := function($x){ $f($x & $x) }; $f("abc"))`,
		`($f := function($x){ $f($append($x, $x)) }; $f([1,2]))`,
		`($f := $reduce([1..100000], function($a, $b){ $a ~> $uppercase }, $uppercase); $f("x"))`,
		`($deep := $reduce([1..100000], function($a, $b){ [[$a]] }, 1); $string([$deep]))`,
		`($deep := $reduce([1..100000], function($a, $b){ {"x": $a} }, 1); $deep = $deep.x)`,
		`$reduce([1..100000], function($a, $b){ {"x": $a} }, 1)`,
		`$count([1..10000000].[1..10000000])`,
		`$pad("x", 1e15)`,
		`$pad("x", -99999999)`,
		`$join([1..9000000].$string())`,
		`$string([1..10000000])`,
		`$split($pad("", 90000000, "a,"), ",")`,
		`$formatInteger(1e300, "I")`,
		`$fromMillis(0, "[Y" & $pad("", 20000, "0") & "]")`,
		`$formatNumber(1, $pad("", 100000, "0"))`,
		`([1..3000] ~> $map(function($x){ [1..3000] ~> $map(function($y){ $x * $y }) }))`,
		`$ ~> |$|{"self": $}| ~> $string()`,
		`$ ~> |$|{"self": $, "again": $}| ~> $string()`,
		`$ ~> |$|{"self": $, "again": $}|`,
		`$eval("$eval(" & "1)")`,
		`a.**.**.**.($f := function(){$f()}; $f())`,
		strings.Repeat("(", 100_000),
		strings.Repeat("[", 100_000),
		strings.Repeat("-", 100_000) + "1",
		strings.Repeat("a[", 100_000),
		strings.Repeat("{'a':", 100_000),
		strings.Repeat("function(){", 100_000),
		strings.Repeat("a ? ", 100_000) + "b",
		"1" + strings.Repeat("+1", 100_000),
		"a" + strings.Repeat("~>$f", 100_000),
		strings.Repeat("$a:=", 100_000) + "1",
		strings.Repeat("x", MaxBytes+1),
	} {
		if code := limitOf(t, text, small); code == "" {
			t.Errorf("no error: %.80s", text)
		}
	}
}

// The code is the one of the official suite for a stack overflow and a time limit.
func TestLimitCodes(t *testing.T) {
	tests := []struct {
		text   string
		limits Limits
	}{
		{`($f := function($x){ $f($x) + 1 }; $f(1))`, Limits{}},
		{`($f := function($x){ $f($x) }; $f(1))`, Limits{Steps: 1000}},
		{`$count([1..1000].($string($) & "x"))`, Limits{Cells: 1000}},
		{`((((1))))`, Limits{Depth: 3}},
	}
	for _, test := range tests {
		if code := limitOf(t, test.text, test.limits); code != "U1001" {
			t.Errorf("%s: %s", test.text, code)
		}
	}
}

// Within the limits nothing changes: a deep recursion, a long tail recursion, a wide range.
func TestWithinLimits(t *testing.T) {
	check(t, StepFunctions(), [][3]string{
		{`($f := function($n){ $n = 0 ? 0 : 1 + $f($n - 1) }; $f(1000))`, ``, `1000`},
		{`($f := function($n, $sum){ $n = 0 ? $sum : $f($n - 1, $sum + $n) }; $f(100000, 0))`, ``, `5000050000`},
		{`$count([1..10000000])`, ``, `10000000`},
		{`$sum([1..1000000])`, ``, `500000500000`},
		{`$formatNumber(0, "0e0")`, ``, `"0e0"`}, // endless in the reference implementation
		{`$formatNumber(-42, "0e0")`, ``, `"-4e1"`},
	})
	long := "1" + strings.Repeat("+1", 1000)
	if got := evaluate(t, long, "", StepFunctions()); got != "1001" {
		t.Error(got)
	}
}

// However large a depth is asked for, the stack holds.
func TestGreatestDepth(t *testing.T) {
	text := `($f := function($x){ $map([$x], function($y){ $f($y) })[0] + 1 }; $f(1))`
	if code := limitOf(t, text, Limits{Depth: 1 << 40, Steps: 1 << 40}); code != "U1001" {
		t.Error(code)
	}
}

// The interrupt ends an evaluation, and its error comes through.
func TestInterrupt(t *testing.T) {
	x, err := Compile(`($f := function($x){ $f($x) }; $f(1))`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	stop, calls := errors.New("stop"), 0
	_, err = x.Eval(nil, nil, Env{Interrupt: func() error {
		if calls++; calls == 3 {
			return stop
		}
		return nil
	}})
	if !errors.Is(err, stop) || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// Whatever takes long looks at the interrupt on its way, not only at its end.
func TestEverythingLongCanBeInterrupted(t *testing.T) {
	for _, text := range []string{
		`$sum([1..300].([1..300].($)))`, `[1..20000]`, `$map([1..12000], function($x){ $x })`,
		`$string([1..12000])`, `$sort([1..8000].(-$))`, `$reverse([1..12000])`, `$distinct([1..600].{"a": $})`,
		`$join([1..12000].$string())`,
		`$zip([1..12000], [1..12000])`, `$shuffle([1..12000])`, `$merge([1..5000].{$string($): $})`,
		`[1..12000].{"a": $}`, `[1..5000]{$string($ % 100): $}`,
		`$replace($pad("", 12000, "a,"), /,/, "-")`,
		`$match($pad("", 12000, "a,"), /a/)`, `$filter([1..12000], function($x){ $x > 5 })`,
		`$reduce([1..12000], function($a, $b){ $a + $b })`,
		`[1..12000][$ > 5]`, `($f := function($n){ $n = 0 ? 0 : $f($n - 1) }; $f(6000))`, `[1..5000] = [1..5000]`,
		`5001 in [1..12000].($)`,
		`$.**`, `$.*`, `$keys($.list)`, `$lookup($.list, "a")`, `list^(a)`, `$ ~> |list|{"b": 1}|`,
	} {
		x, err := Compile(text, Options{})
		if err != nil {
			continue // it is of no use where it is not in the language
		}
		items := strings.Repeat(`{"a":1,"b":[2,3]},`, 2500)
		input := value.Must(`{"list":[` + items + `{}]}`)
		looks, steps := 0, 0
		_, err = x.Eval(input, nil, Env{Random: testEnv().Random, Steps: &steps,
			Interrupt: func() error { looks++; return nil }})
		var fault *Error
		if errors.As(err, &fault) && fault.Code == CodeLimit {
			err = nil
		}
		if looks < 3 {
			t.Errorf("%s looks %d times in %d steps (%v)", text, looks, steps, err)
		}
		stop, again := errors.New("stop"), 0
		_, err = x.Eval(input, nil, Env{Random: testEnv().Random, Interrupt: func() error {
			if again++; again == looks/2+1 {
				return stop
			}
			return nil
		}})
		if !errors.Is(err, stop) {
			t.Errorf("%s: interrupted at look %d of %d: %v", text, looks/2+1, looks, err)
		}
	}
}

// An evaluation can have its own bounds, and reports its number of steps; an exceeded bound is reported as asldb's.
func TestLimitsOfAnEvaluation(t *testing.T) {
	x, err := Compile(`$sum([1..1000].($ * 2))`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	if _, err := x.Eval(nil, nil, Env{Steps: &steps}); err != nil || steps < 3000 || steps > 20_000 {
		t.Errorf("%v after %d steps", err, steps)
	}
	for _, limits := range []Limits{{Steps: 500}, {Cells: 500}, {Depth: 2}} {
		_, err := x.Eval(nil, nil, Env{Limits: limits})
		var fault *Error
		if !errors.As(err, &fault) || fault.Code != CodeLimit || !strings.Contains(err.Error(), "asldb") {
			t.Errorf("%+v: %v", limits, err)
		}
	}
	if _, err := x.Eval(nil, nil, Env{Limits: Limits{Steps: 500}}); !strings.Contains(err.Error(),
		"more than 500 steps") {
		t.Error(err)
	}
}
