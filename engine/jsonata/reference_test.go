package jsonata

import (
	"errors"
	"testing"
)

// The result of the first function of f ~> g is fixed before the second gets it: no result is nothing, one
// is itself.
func TestComposition(t *testing.T) {
	check(t, StepFunctions(), [][3]string{
		{`$map([[1,2],[7]], $filter(?, function($x){$x>5}) ~> $exists)`, ``, `[false,true]`},
		{`$map([[1,2],[7]], $filter(?, function($x){$x>5}) ~> $type)`, ``, `"number"`},
		{`($none := function(){$x*$x}; $all := $map(?, $none) ~> $sum; [1..5] ~> $all())`, ``, `nothing`},
		{`($f := $trim ~> $uppercase; $f(" a "))`, ``, `"A"`},
		{`($f := $sum ~> $string ~> $length; $f([99, 1]))`, ``, `3`},
	})
}

// A call that an operator or a function makes takes no missing argument from the context.
func TestContextOfChains(t *testing.T) {
	check(t, StepFunctions(), [][3]string{
		{`"a-b" ~> $substringAfter`, `"x"`, `T0411: Context value is not a compatible type with argument 1 of function "substringAfter"`},
		{`nothing ~> $power`, `2`, `T0411: Context value is not a compatible type with argument 1 of function "power"`},
		{`$map([1,2], function($v){$base64encode()})`, ``,
			`T0411: Context value is not a compatible type with argument 1 of function "base64encode"`},
		{`a.$substringAfter("-")`, `{"a":"a-b"}`, `"b"`},
	})
}

// Errors name the function concerned; errors of a composition name its two functions f and g.
func TestNamesInErrors(t *testing.T) {
	check(t, StepFunctions(), [][3]string{
		{`1 ~> $uppercase`, ``, `T0410: Argument 1 of function "uppercase" does not match function signature`},
		{`($f := $uppercase ~> $length; $f(1))`, ``,
			`T0410: Argument 1 of function "f" does not match function signature`},
		{`($f := $string ~> $sqrt; $f(1))`, ``, `T0410: Argument 1 of function "g" does not match function signature`},
		{`$sort([3,1,2], $boolean)`, ``, `T0410: Argument 2 of function "boolean" does not match function signature`},
		{`(λ($x)<n:n>{$x})("a")`, ``, `T0410: Argument 1 of function undefined does not match function signature`},
		{`λ($x)<n:n>{$x}("a")`, ``, `T0410: Argument 1 of function undefined does not match function signature`},
		{`1e3(2)`, ``, `T1006: Attempted to invoke a non-function`},
		{`1 ~> 2`, ``, `T2006: The right side of the function application operator ~> must be a function`},
		{`true.a`, ``, `S0213: The literal value true cannot be used as a step within a path expression`},
		{`1.a`, ``, `S0213: The literal value 1 cannot be used as a step within a path expression`},
		{`(1 true)`, ``, `S0202: Expected ")", got true`},
		{`{"b": 2, /a/: 1}`, ``, `T1003: Key in object structure must evaluate to a string; got: undefined`},
	})
	for text, want := range map[string]string{
		`(1`: "(end)", `a.`: "(end)", `1e3(2)`: "1000", `1 ~> 2`: "", `(%)`: "block", `%.a`: "path", `1e3 := 2`: "1000",
	} {
		x, err := Compile(text, Options{})
		if err == nil {
			_, err = x.Eval(nil, nil, Env{})
		}
		var e *Error
		if !errors.As(err, &e) || e.Token != want {
			t.Errorf("%s: %+v, want the token %q", text, err, want)
		}
	}
}

// Characters other than digits in a picture of $formatInteger are written, at any place.
func TestIntegerPictures(t *testing.T) {
	check(t, StepFunctions(), [][3]string{
		{`$formatInteger(5, "#0 items")`, ``, `"5 items"`},
		{`$formatInteger(123, "[D01]")`, ``, `"1[D23]"`},
		{`$formatInteger(20, "#0%%")`, ``, `"20%%"`},
		{`$formatInteger(1234567, "#,##0")`, ``, `"1,234,567"`},
		{`$formatInteger(555, "#,##0.00")`, ``, `",.55"`}, // the reference implementation drops a digit
		{`$formatInteger(1e21, "###١")`, ``, `"١ڕٛ٢١"`},
		{`$formatInteger(1e21, "A")`, ``, `"OLZYYSELZQOWGEM"`},
		{`$formatInteger(21, "0;o")`, ``, `"21st"`},
		{`$formatInteger(12, "00;o")`, ``, `"12th"`},
		{`$parseInteger("1,200", "2018-03-27")`, ``, `1200`},
		{`$parseInteger("1,200", "#,##0")`, ``, `1200`},
		{`$parseInteger("0x1F", "0")`, ``, `31`},
		{`$parseInteger("-0x1F", "0")`, ``, `-31`},
		{`$parseInteger("aa", "a")`, ``, `27`},
	})
}

// A time zone that is not a number, and a time beyond JavaScript's dates, are written as NaN.
func TestTimesThatAreNone(t *testing.T) {
	check(t, StepFunctions(), [][3]string{
		{`$fromMillis(0, "[Y]-[M01]-[D01]T[H01]:[m]:[s][Z]", "a")`, ``, `"NaN-NaN-NaNTNaN:NaN:NaN0N:aN"`},
		{`$fromMillis(0, "[Y] [Z0]", "a")`, ``, `"NaN NaN:NaN"`},
		{`$fromMillis(1e21, "[Y0001] [F0] [FNn] [P]")`, ``, `"0NaN NaN undefined am"`},
		{`$fromMillis(1e22, "x")`, ``, `"x"`},
		{`$fromMillis(0, "[H01][Z0101t]", "0x1F")`, ``, `"00+0031"`},
		{`$fromMillis(0, "[H01]:[m] [Z]", "+0530")`, ``, `"05:30 +05:30"`},
		{`$fromMillis(0, "[H01]:[m] [Z0]", "-0330")`, ``, `"19:30 -4:-30"`},
		{`$fromMillis(1e21, "[FN]")`, ``, `D1001: Number out of range: null`},
	})
}

// Up to 2.0 a picture of $toMillis bounds the digits of year, month and day, and no others.
func TestDigitsOfDates(t *testing.T) {
	cases := [][3]string{
		{`$toMillis("2018-3-1", "[Y0001]-[M01]-[D01]")`, ``, `nothing`},
		{`$toMillis("2018-03-01", "[Y0001]-[M01]-[D01]")`, ``, `1519862400000`},
		{`$toMillis("2018-3-1", "[Y0001]-[M]-[D]")`, ``, `1519862400000`},
	}
	check(t, StepFunctions(), cases)
	cases[0][2] = cases[1][2]
	check(t, Options{Extended: true}, cases)
	const digits = `$toMillis("20240101123849", "[Y0000][M00][D00][H00][m00][s00]") = $toMillis("2024-01-01T12:38:49Z")`
	check(t, StepFunctions(), [][3]string{{digits, ``, `false`}})
	check(t, Options{Extended: true}, [][3]string{{digits, ``, `true`}})
}

// Arguments that are nothing, or of a kind that JavaScript makes something else of.
func TestOddArguments(t *testing.T) {
	check(t, StepFunctions(), [][3]string{
		{`$substring("Hello", nothing, 5)`, ``, `""`},
		{`$substring("Hello", nothing)`, ``, `"Hello"`},
		{`$split("a, b", ", ", 9007199254740993)`, ``, `[]`},
		{`$split("a, b", ", ", 4294967297)`, ``, `["a"]`},
		{`$round(2.5, 0.5)`, ``, `D1001: Number out of range: null`},
		{`$filter([12, "a", true, null, [1, 2], {"a": 1}], /^(12|true|null)$/)`, ``, `12`},
		{`$filter(["ab", "xab", "xxab"], /ab/)`, ``, `["ab","xab","xxab"]`},
		{`$filter(["ab", "ab"], /ab/)`, ``, `"ab"`}, // item i is searched from character i on
		{`$single(["b", "object"], /obj/)`, ``, `D3139: The $single() function expected exactly 1 matching result.  Instead it matched 0.`},
		{`$single({"a": 1}, /obj/)`, ``, `{"a":1}`},
	})
}

// A copy that an update changes has numbers of at most 15 digits, up to 2.0.
func TestDigitsOfCopies(t *testing.T) {
	const big = `{"id":5890840712243076,"n":1.50}`
	check(t, StepFunctions(), [][3]string{{`$ ~> |$|{"a":1}|`, big, `{"id":5890840712243080,"n":1.50,"a":1}`}})
	check(t, Options{Extended: true}, [][3]string{{`$ ~> |$|{"a":1}|`, big, `{"id":5890840712243076,"n":1.50,"a":1}`}})
}

// Behind [] and an order-by a slash begins a regular expression.
func TestSlashes(t *testing.T) {
	check(t, StepFunctions(), [][3]string{
		{`a[]/2`, `{"a":4}`, `S0302: No terminating / in regular expression`},
		{`a^($)/2`, `{"a":4}`, `S0302: No terminating / in regular expression`},
		{`a[0]/2`, `{"a":4}`, `2`},
		{`(a[])[0]/2`, `{"a":4}`, `2`},
	})
}

// Regular expressions are JavaScript's, those too that RE2 can't do.
func TestRegularExpressions(t *testing.T) {
	check(t, StepFunctions(), [][3]string{
		{`$match("price: $42", /(?<=\$)\d+/).match`, ``, `"42"`},
		{`$replace("foobar foobaz", /foo(?!bar)/, "X")`, ``, `"foobar Xbaz"`},
		{`$contains("hello", /(\w)\1/)`, ``, `true`},
		{`$split("a1b22c", /(\d)\1?/)`, ``, `["a","b","c"]`},
		{`$match("<b>x</b>", /<(?<tag>\w+)>.*<\/\k<tag>>/).groups`, ``, `["b"]`},
		{`$replace("darted", /^(.*?)*(.*)$/, "$1c$2")`, ``, `"dc"`},
		{`$match("zaacbbbcac", /(z)((a+)?(b+)?(c))*/).groups`, ``, `["z","ac","a",null,"c"]`},
		{`$match("Ünü ünü", /(?=ü)(.)n\1/).index`, ``, `4`},
		{`$match("aXbX", /(?<=b)x/i).index`, ``, `3`},
		{`$replace("a\nb\nb", /^b(?=\n|$)/m, "c")`, ``, `"a\nc\nc"`},
		{`$match("a,b", /\b/)`, ``, `D1004: Regular expression matches zero length string`},
		{`$match("ab", /(?=b)/)`, ``, `D1004: Regular expression matches zero length string`},
		{`$match("xay", /^a|\by|y$/).index`, ``, `2`},
	})
}
