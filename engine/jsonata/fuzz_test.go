package jsonata

import (
	"errors"
	"testing"

	"asldb/engine/value"
)

// seeds are expressions with every construct of the language.
var seeds = []string{
	`a.b[c=1].d`, `a.*.**.%.b`, `$sum(a.(b*c))`, `a@$x.b#$i.{"k":$x,"i":$i}`, `a^(>b,<c){d:e}`, `|a|{"b":1},["c"]|`,
	`function($x)<n-s?:a<n>>{$x+1}(2)`, `λ($x){$x}`, `$substring(?,1)`, `/a[b-d]+(x|y)*?/im`, `a ~> $f ~> $g()`,
	`[1..5,"x"][]`,
	`($a:=1;$b:=$a?2:3;$a&$b)`, `a and b or c in [1,2]`, `a != b <= c`, `-5 % 3`, `"\u00e9\ud83d\ude00" & 'x'`,
	"`a b`.c",
	`$fromMillis(0,"[Y0001]-[M01]-[D01] [FNn] [h#1]:[m] [P] [z]")`, `$toMillis("12/1999","[M]/[Y]")`,
	`$formatNumber(1234.5,"#,##0.00;(0)")`, `$formatInteger(12,"Ww;o")`, `$parseInteger("xii","i")`,
	`$replace("abc",/b(c)/,"$1$0$$")`,
	`$match("a1b2",/[a-z](\d)/)`, `$split("a,b",/,/,1)`, `$map([1,2],function($v,$i,$a){$v*$i})`,
	`$reduce([1,2],function($a,$b){$a+$b})`,
	`$eval("1+1")`, `$sort([3,1],function($l,$r){$l>$r})`, `/* c */ 1`, `a ?: b ?? c`, `$distinct([1,1,{"a":1}])`,
	`$spread({"a":1})`,
	`%`, `a.%.%`, `{"a":1,"a":2}`, `$[0]`, `$$`, `$pad("x",-5,"ab")`, `$encodeUrl("\ud800")`, `$number("0x1f")`,
	`$formatBase(255,16)`,
}

// Whatever the text is, compiling it gives an expression or an error with a code, and the nodes lie in the text.
func FuzzCompile(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Compile(text, Options{Extended: true, Eval: true})
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || len(e.Code) != 5 || e.Message == "" || e.Position > len(text) {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		for _, r := range x.References() {
			if r.Start < 0 || r.Start > r.End || r.End > len(text) {
				t.Fatalf("%q: %+v", text, r)
			}
		}
	})
}

// Whatever is evaluated on whatever data ends within the limits, in the same way with a trace.
func FuzzEval(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed, `{"a":{"b":[{"c":1,"d":"x"},{"c":2.5,"d":null}]},"b":2,"c":[1,[2]]}`)
	}
	f.Fuzz(func(t *testing.T, text, data string) {
		input, err := value.ParseString(data)
		if err != nil {
			input = nil
		}
		x, err := Compile(text, Options{Extended: true, Eval: true,
			Limits: Limits{Steps: 20_000, Depth: 300, Cells: 100_000}})
		if err != nil {
			return
		}
		v, err := x.Eval(input, nil, testEnv())
		var e *Error
		var fe *FunctionError
		if err != nil && !errors.As(err, &fe) && (!errors.As(err, &e) || e.Code == "" || v != nil) {
			t.Fatalf("%q: %v, %#v", text, v, err)
		}
		traced, _, tracedErr := x.EvalTrace(input, nil, testEnv())
		if (err == nil) != (tracedErr == nil) || !value.Equal(v, traced) {
			if errors.As(err, &e) && e.Code == CodeLimit || errors.As(tracedErr, &e) && e.Code == CodeLimit {
				return // the shortcut for plain paths counts fewer steps
			}
			t.Fatalf("%q: %v, %v without a trace, %v, %v with one", text, v, err, traced, tracedErr)
		}
	})
}
