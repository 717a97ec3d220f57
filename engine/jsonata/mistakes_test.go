package jsonata

import (
	"asldb/engine/value"
	"errors"
	"strings"
	"testing"
)

// mistakeIn returns the mistake of an expression that cannot be read or evaluated, as "part: sentence".
func mistakeIn(t *testing.T, text string) string {
	t.Helper()
	x, err := Compile(text, StepFunctions())
	if err == nil {
		_, err = x.Eval(nil, nil, testEnv())
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%s: %v", text, err)
	}
	m, ok := e.Mistake(text, StepFunctions().FunctionTable())
	if !ok {
		return ""
	}
	return text[m.Start:m.End] + ": " + m.String()
}

func TestMistakes(t *testing.T) {
	for _, test := range [][2]string{
		{`$a == 1`, `==: JSONata has no operator ==; write = to compare`},
		{`$a === 1`, `===: JSONata has no operator ===; write = to compare`},
		{`$a !== 1`, `!==: JSONata has no operator !==; write != for different`},
		{`$a && $b`, `&&: JSONata has no operator &&; write and`},
		{`$a || $b`, `||: JSONata has no operator ||; write or`},
		{`!$a`, `!: JSONata has no operator !; write $not(...)`},
		{`$a and !($b)`, `!: JSONata has no operator !; write $not(...)`},
		{`$a ?? 1`, `??: JSONata has no operator ??; write $exists(a) ? a : b`},
		{`$a ?: 1`, `?:: JSONata has no operator ?:; write a ? a : b`},
		{`$map($a, x => x)`, `=>: JSONata has no operator =>; write function($x){ ... }`},
		{`$a++`, `++: JSONata has no operator ++; write + 1`},
		{`// a`, `//: JSONata has no comment //; write /* ... */ for a comment`},
		{`"a" + "b"`, `+: + adds numbers; write & to join texts`},
		{`$lenght("a")`, `$lenght: there is no function $lenght; did you mean $length?`},
		{`"a" ~> $lenght()`, `$lenght: there is no function $lenght; did you mean $length?`},
		{`$eval("1")`, `$eval: Step Functions has no $eval; $parse reads JSON text`},
		{`$zzzzzz(1)`, `$zzzzzz: there is no function $zzzzzz`},
		{`1 +`, ``}, {`a[1,2)`, ``}, {`{"a":}`, ``}, {`"x`, ``}, {`true + 1`, ``}, {`1 - "a"`, ``},
	} {
		if got := mistakeIn(t, test[0]); got != test[1] {
			t.Errorf("%s: %q, not %q", test[0], got, test[1])
		}
	}
}

func mustCompile(t *testing.T, text string) *Expression {
	t.Helper()
	x, err := Compile(text, StepFunctions())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return x
}

func TestUnknownCalls(t *testing.T) {
	for text, want := range map[string]string{
		`$lenght("a")`: `$lenght`, `$states.input.a ~> $lenght`: `$lenght`, `$map([1], $lenght)`: ``,
		`$length("a")`:                    ``,
		`($f := function($x){$x}; $f(1))`: ``, `function($f){ $f(1) }`: ``, `$price + $eval("1")`: `$eval`,
		`$lenght(?, 1)`: `$lenght`, `$sum([1]) ~> $lenght`: `$lenght`,
		`$states.input.($lenght(x))`: `$lenght`, `$states.input.x.$uper()`: `$uper`,
	} {
		got := ""
		for _, m := range mustCompile(t, text).UnknownCalls() {
			got += text[m.Start:m.End]
		}
		if got != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}

// The expressions are those that Step Functions was asked about.
func TestContextless(t *testing.T) {
	for _, test := range [][2]string{
		{`phone`, `phone`}, {`aaa + bbb`, `aaa bbb`}, {`aaa + aaa`, `aaa`}, {`$.phone`, `$`}, {`$$.phone`, `$$`},
		{`$$`, `$$`},
		{`$states.input.items[phone > 3]`, ``}, {`$states.input.items^(price)`, ``},
		{`$states.input.items{kind: $sum(price)}`, ``},
		{`$states.input.items.{"a": phone}`, ``}, {`$states.input.(phone)`, ``},
		{`$states.input.items[$.phone > 3]`, ``},
		{`$map($states.input.a, function($x){ b })`, `b`}, {`$map($states.input.a, function($x){ $x.b })`, ``},
		{`$phone`, ``}, {`phone.number`, `phone`}, {`"phone".number`, `phone`}, {`(phone).number`, `phone`},
		{`[phone]`, `phone`}, {`{"a": phone}`, `phone`},
		{`phone[0]`, `phone`}, {`$states.input.a ? b : c`, `b c`}, {`$states.input ~> |items|{"x": price}|`, ``},
		{`*`, ``}, {`**.a`, ``},
		{`$states.input.items@$i.$states.input.other[id = $i.id]`, ``}, {`$sum(items.price)`, `items`},
		{`$states.input.a.b.$$`, `$$`}, {`and`, `and`},
	} {
		got := value.Each(mustCompile(t, test[0]).Contextless(), func(r Reference) string {
			return strings.Split(r.Unsupported(), "'")[1]
		})
		if names := strings.Join(got, " "); names != test[1] {
			t.Errorf("%s: %q, not %q", test[0], names, test[1])
		}
	}
	for _, test := range [][3]string{
		{`phone.number`, `Reference to 'phone' at the top level is not supported.`,
			`an expression has no context: phone has no value here; write $states.input.phone.number, or $phone for a variable`},
		{`states.input.total`, `Reference to 'states' at the top level is not supported.`,
			`an expression has no context: states has no value here; write $states.input.total`},
		{`state.input.total`, `Reference to 'state' at the top level is not supported.`,
			`an expression has no context: state has no value here; write $states.input.total`},
		{`input.total`, `Reference to 'input' at the top level is not supported.`,
			`an expression has no context: input has no value here; write $states.input.total, or $states.input.input.total for a member of the input`},
		{`context.Execution.Id`, `Reference to 'context' at the top level is not supported.`,
			`an expression has no context: context has no value here; write $states.context.Execution.Id, or $states.input.context.Execution.Id for a member of the input`},
		{`$.phone`, `Reference to '$' at the top level is not supported.`,
			`an expression has no context: $ has no value here; write $states.input.phone`},
		{`$$.a`, `Reference to '$$' is not supported.`,
			`an expression has no $$; write $states.input for the input, $states.context for the context object`},
	} {
		r := mustCompile(t, test[0]).Contextless()[0]
		if r.Unsupported() != test[1] || r.Mistake().String() != test[2] {
			t.Errorf("%s: %q, %q", test[0], r.Unsupported(), r.Mistake())
		}
	}
}
