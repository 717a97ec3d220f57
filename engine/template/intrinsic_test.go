package template

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/internal/testkit"
)

func evaluate(t *testing.T, text, data string) (value.Value, error) {
	t.Helper()
	call, err := Parse(text)
	if err != nil {
		t.Fatalf("Parse(%s): %v", text, err)
	}
	return call.Eval(&path.Roots{Data: value.Must(data)}, rand.NewPCG(1, 2))
}

// The examples of the language's appendix on intrinsic functions and of the service's guide, and what the service
// was recorded to answer.
func TestFunctions(t *testing.T) {
	tests := []struct{ call, data, want string }{
		{`States.Format('Formatting argument {}.', $.a)`, `{"a":""}`, `"Formatting argument ."`},
		{`States.Format('Formatting argument {}.', $.a)`, `{"a":1.1}`, `"Formatting argument 1.1."`},
		{`States.Format('{} and {}', $.a, $.b)`, `{"a":null,"b":true}`, `"null and true"`},
		{`States.Format('{}', $)`, `{"Arg1":1,"Arg2":[]}`, `"{Arg1=1, Arg2=[]}"`},
		{`States.Format('{}', $)`, `[1,"a",[null,{}]]`, `"[1, a, [null, {}]]"`},
		{`States.Format($.t, $.n)`, `{"t":"Hello {} \\{\\}","n":"Bob"}`, `"Hello Bob {}"`},
		{`States.Format('{}${Stage}{}', 1, 2)`, `{}`, `"1${Stage}2"`},
		{`States.Format('no placeholder')`, `{}`, `"no placeholder"`},
		{`States.Format('\{\} {}', 1)`, `{}`, `"{} 1"`},
		{`States.Format('it\'s {}\\', 'it')`, `{}`, `"it's it\\"`},
		{`States.Format('s3://{}/{}', 'b', States.Format('{}.json', 1e3))`, `{}`, `"s3://b/1e3.json"`},
		{`States.StringToJson($)`, `""`, `null`},
		{`States.StringToJson($)`, `" "`, `null`},
		{`States.StringToJson($)`, `"-0"`, `0`},
		{`States.StringToJson($)`, `"[-0,{\"a\":-0}]"`, `[0,{"a":0}]`},
		{`States.StringToJson($)`, `"1.1"`, `1.1`},
		{`States.StringToJson($)`, `"\"HelloWorld\""`, `"HelloWorld"`},
		{`States.StringToJson('{"a": "false"}')`, `{}`, `{"a":"false"}`},
		{`States.JsonToString($)`, `{"Arg1": 1, "Arg2": []}`, `"{\"Arg1\":1,\"Arg2\":[]}"`},
		{`States.JsonToString($)`, `"HelloWorld"`, `"\"HelloWorld\""`},
		{`States.JsonToString($)`, `null`, `"null"`},
		{`States.Array()`, `{}`, `[]`},
		{`States.Array( null )`, `{}`, `[null]`},
		{`States.Array('Foo', 2020, $.x)`, `{"x":{"a":1}}`, `["Foo",2020,{"a":1}]`},
		{`States.Array(true,false,-1,+2,1.5e-3)`, `{}`, `[true,false,-1,2,1.5e-3]`},
		{`States.ArrayPartition($, 4)`, `[1,2,3,4,5,6,7,8,9]`, `[[1,2,3,4],[5,6,7,8],[9]]`},
		{`States.ArrayPartition($, 2.6)`, `[1,2,3,4,5]`, `[[1,2],[3,4],[5]]`},
		{`States.ArrayPartition($, 5)`, `[]`, `[]`},
		{`States.ArrayPartition($, 9007199254740992)`, `[1]`, `[[1]]`},
		{`States.ArrayContains($, 2)`, `[1,2,3]`, `true`},
		{`States.ArrayContains($[0], $[1])`, `[[{"a":1,"b":[2]}],{"b":[2],"a":1}]`, `false`},
		{`States.ArrayContains($[0], $[1])`, `[[{"a":1,"b":[2]}],{"a":1,"b":[2]}]`, `true`},
		{`States.ArrayContains($, 9007199254740991)`, `["9007199254740991"]`, `true`},
		{`States.ArrayContains($, true)`, `["true"]`, `true`},
		{`States.ArrayContains($, null)`, `[[1,2,3],2]`, `false`},
		{`States.ArrayRange(1, 9, 2)`, `{}`, `[1,3,5,7,9]`},
		{`States.ArrayRange(0, 10, 3)`, `{}`, `[0,3,6,9]`},
		{`States.ArrayRange(1, 9, 9)`, `{}`, `[1]`},
		{`States.ArrayRange(3, 1, -1)`, `{}`, `[3,2,1]`},
		{`States.ArrayRange(3, 1, 1)`, `{}`, `[]`},
		{`States.ArrayRange(1.6, 1.4, 1)`, `{}`, `[1]`},
		{`States.ArrayRange(5.4, -0.6, -2.4)`, `{}`, `[5,3,1]`},
		{`States.ArrayGetItem($, 1.2)`, `[1,2]`, `2`},
		{`States.ArrayGetItem($, 7)`, `[]`, `null`},
		{`States.ArrayGetItem($, 5)`, `[1,2,3,4,5,6,7,8,9]`, `6`},
		{`States.ArrayLength($)`, `[1,2,3,4,5,6,7,8,9]`, `9`},
		{`States.ArrayUnique($)`, `[1,2,3,3,3,3,3,3,4]`, `[1,2,3,4]`},
		{`States.ArrayUnique($)`, `[{"a":1,"b":2},"x",{"b":2,"a":1},null,1.0,1,null,"x",[],[]]`,
			`[{"a":1,"b":2},null,1.0,[],"x"]`},
		{`States.ArrayUnique($)`, `[true,false,true]`, `[false,true]`},
		{`States.ArrayUnique($)`, `[[1,2],[1,2],[2,1]]`, `[[2,1],[1,2]]`},
		{`States.Base64Encode($)`, `""`, `""`},
		{`States.Base64Encode($)`, `"Data to encode"`, `"RGF0YSB0byBlbmNvZGU="`},
		{`States.Base64Decode($)`, `"RGF0YSB0byBlbmNvZGU="`, `"Data to encode"`},
		{`States.Base64Decode($)`, `"RGF0YSB0byBlbmNvZGU"`, `"Data to encode"`},
		{`States.Base64Decode($)`, `"/w=="`, "\"\uFFFD\""},
		{`States.Base64Decode($)`, `"RGF0 YSB0?byBl\nbmNvZGU"`, `"Data to encode"`},
		{`States.Base64Decode($)`, `"RGF0YQ==RGF0"`, `"Data"`},
		{`States.Hash(1, 'MD5')`, `{}`, `"c4ca4238a0b923820dcc509a6f75849b"`},
		{`States.Hash($, 'MD5')`, `"input data"`, `"812f45842bc6d66ee14572ce20db8e86"`},
		{`States.Hash($, 'SHA-1')`, `"input data"`, `"aaff4a450a104cd177d28d18d74485e8cae074b7"`},
		{`States.Hash($, 'SHA-256')`, `"input data"`,
			`"b4a697a057313163aee33cd8d40c66e9f0f177e00cac2de32475ffff6169c3e3"`},
		{`States.Hash($, 'SHA-512')`, `"input data"`,
			`"6ce4adb348546d4f449c4d25aad9a7c9cb711d9e91982d3f0b29ca2f3f47d4ce2deba23bf2954f0f1d593fc50283731a533d30d425402d4f91316d871303aac4"`},
		{`States.Hash('', 'SHA-384')`, `{}`, `"38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b"`},
		{`States.JsonMerge($[0], $[1], false)`, `[{"a":{"a1":1,"a2":2},"b":2},{"a":{"a3":1},"c":3}]`,
			`{"a":{"a3":1},"b":2,"c":3}`},
		{`States.JsonMerge($[0], $[1], 'yes')`, `[{"a":1},{"b":2}]`, `{"a":1,"b":2}`},
		{`States.MathRandom(1, 100, 42)`, `{}`, `63`},
		{`States.MathRandom(1, 10, -10)`, `{}`, `1`},
		{`States.MathAdd(1.49,1.5)`, `{}`, `3`},
		{`States.MathAdd(1.5,1.51)`, `{}`, `4`},
		{`States.MathAdd(-1.5,-1.51)`, `{}`, `-3`},
		{`States.MathAdd(-1.5,0)`, `{}`, `-1`},
		{`States.MathAdd(-0.5,0.5)`, `{}`, `1`},
		{`States.MathAdd(0.5,0)`, `{}`, `1`},
		{`States.MathAdd(0.49999999999999994,0)`, `{}`, `0`},
		{`States.MathAdd(-2.5,0)`, `{}`, `-2`},
		{`States.MathAdd(-2147483648,0)`, `{}`, `-2147483648`},
		{`States.StringSplit($[0],$[1])`, `[", , ,",","]`, `[" "," "]`},
		{`States.StringSplit(',,,',',')`, `{}`, `[]`},
		{`States.StringSplit('This.is+a,test=string', '.+,=')`, `{}`, `["This","is","a","test","string"]`},
		{"States.StringSplit('Hello\nWorld', '\n')", `{}`, `["Hello","World"]`},
		{`States.StringSplit('aéb', 'é')`, `{}`, `["a","b"]`},
		{`States.StringSplit('ab', '')`, `{}`, `["ab"]`},
		{`States.ArrayGetItem ( States.StringSplit( 'a-b' , '-') , States.MathAdd(States.ArrayLength(States.StringSplit('a-b','-')),-1)) `, `{}`, `"b"`},
		{`States.Array($['a,)b'], $.c[?(@.x == 'p,)q')], $.d)`, `{"a,)b":1,"c":[{"x":"p,)q"}],"d":4}`,
			`[1,[{"x":"p,)q"}],4]`},
	}
	for _, test := range tests {
		t.Run(test.call, func(t *testing.T) {
			got, err := evaluate(t, test.call, test.data)
			if err != nil {
				t.Fatalf("with %s: %v", test.data, err)
			}
			if text := value.Compact(got); text != test.want {
				t.Errorf("with %s\n got %s\nwant %s", test.data, text, test.want)
			}
		})
	}
}

func TestIntrinsicErrors(t *testing.T) {
	long := `"` + strings.Repeat("é", maxText+1) + `"`
	tests := []struct{ call, data, want string }{
		{`States.Format(1)`, `{}`, "argument 1 must be a string, but is the number 1"},
		{`States.Format('{} {}', 1)`, `{}`, "the template has 2 placeholders ({}), and the call 1 to put there"},
		{`States.Format($, 1)`, `"{} {}"`, "the template has 2 placeholders but there are 1 value to fill in"},
		{`States.Format('{{}}', 1)`, `{}`, `a { that is not a placeholder {}: write \{`},
		{`States.Format($)`, `"a}"`, `a } that is not a placeholder {}: write \}`},
		{`States.Format()`, `{}`, "at least 1 argument, found 0"},
		{`States.MathAdd(1)`, `{}`, "takes 2 arguments, found 1"},
		{`States.MathRandom(1)`, `{}`, "takes 2 or 3 arguments, found 1"},
		{`States.Format('x', 1)`, `{}`, "no placeholders"},
		{`States.StringToJson($)`, `"{"`, "not JSON: line 1, column 2"},
		{`States.StringToJson($)`, `{}`, "argument 1 must be a string, but is the object {}"},
		{`States.ArrayPartition($, 0)`, `[]`, "must be a positive number, but is 0"},
		{`States.ArrayPartition($, 0.4)`, `[]`, "must be a positive number, but is 0.4"},
		{`States.ArrayPartition(1, 1)`, `[]`, "argument 1 must be an array"},
		{`States.ArrayContains(null, 1)`, `[]`, "argument 1 must be an array, but is null"},
		{`States.ArrayRange(1, 2, 0)`, `{}`, "the step must not be 0"},
		{`States.ArrayRange(1, 1001, 1)`, `{}`, "the range has 1001 items, and the limit is 1000"},
		{`States.ArrayRange(0, 1e400, 1)`, `{}`, "argument 2 is out of range"},
		{`States.ArrayRange('1', 2, 1)`, `{}`, "argument 1 must be a number, but is the string \"1\""},
		{`States.ArrayGetItem($, 2)`, `[1,2]`, "index 2 is outside of the array, which has 2 items"},
		{`States.ArrayGetItem($, -1)`, `[1,2]`, "index -1 is outside"},
		{`States.ArrayLength('x')`, `{}`, "argument 1 must be an array"},
		{`States.Base64Encode($)`, long, "more than 10000 characters"},
		{`States.Hash($, 'SHA-256')`, long, "more than 10000 characters"},
		{`States.Hash('x', 'CRC')`, `{}`, "must be one of MD5, SHA-1, SHA-256, SHA-384 and SHA-512"},
		{`States.JsonMerge($, $, true)`, `{}`, "argument 3 must be false"},
		{`States.JsonMerge($, 1, false)`, `{}`, "argument 2 must be an object"},
		{`States.MathAdd(2147483648, 0)`, `{}`, "between -2147483648 and 2147483647"},
		{`States.MathAdd(2147483647, 1)`, `{}`, "the sum 2147483648"},
		{`States.MathAdd(99999999999999999999, 1)`, `{}`, "out of range"},
		{`States.MathAdd('1', 1)`, `{}`, "argument 1 must be a number"},
		{`States.MathRandom(5, 5)`, `{}`, "the start 5 must be below the end 5"},
		{`States.StringSplit(1, ',')`, `{}`, "argument 1 must be a string"},
	}
	for _, test := range tests {
		t.Run(test.call, func(t *testing.T) {
			got, err := evaluate(t, test.call, test.data)
			var failure *Error
			if !errors.As(err, &failure) {
				t.Fatalf("got %v and error %v, want an *Error", got, err)
			}
			if !strings.HasPrefix(test.call, failure.Function+"(") || !strings.Contains(failure.Msg, test.want) {
				t.Errorf("%v\nwant a message with %q", failure, test.want)
			}
		})
	}
	exact := `"` + strings.Repeat("é", maxText) + `"`
	if _, err := evaluate(t, `States.Hash($, 'MD5')`, exact); err != nil {
		t.Errorf("a string of %d characters: %v", maxText, err)
	}
}

func TestMissingPathIsPassedThrough(t *testing.T) {
	_, err := evaluate(t, `States.Array(States.Format('{}', $.nothing))`, `{}`)
	var miss *path.MissError
	if !errors.As(err, &miss) {
		t.Fatalf("got %v, want a *path.MissError", err)
	}
}

func TestRandomNumbers(t *testing.T) {
	seen := map[string]int{}
	source := rand.NewPCG(7, 7)
	call, err := Parse(`States.MathRandom(13.5, 16.5)`) // 13 to 15, 16 excluded
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		v, err := call.Eval(&path.Roots{}, source)
		if err != nil {
			t.Fatal(err)
		}
		seen[value.Compact(v)]++
	}
	if len(seen) != 3 || seen["13"] < 200 || seen["14"] < 200 || seen["15"] < 200 {
		t.Errorf("numbers drawn: %v, want about as many 13, 14 and 15", seen)
	}

	seeded, err := Parse(`States.MathRandom(1, 1000000, 42)`)
	if err != nil {
		t.Fatal(err)
	}
	first, err := seeded.Eval(&path.Roots{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := seeded.Eval(&path.Roots{}, source)
	if err != nil || !value.Equal(first, second) {
		t.Errorf("the same seed gave %v, then %v (%v)", first, second, err)
	}
	other, err := evaluate(t, `States.MathRandom(1, 1000000, 43)`, `{}`)
	if err != nil || value.Equal(first, other) {
		t.Errorf("another seed gave %v as well (%v)", other, err)
	}
}

func TestUUID(t *testing.T) {
	form := regexp.MustCompile(`^"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"$`)
	call, err := Parse(`States.UUID()`)
	if err != nil {
		t.Fatal(err)
	}
	draw := func(r Random) string {
		v, err := call.Eval(&path.Roots{}, r)
		if err != nil {
			t.Fatal(err)
		}
		return value.Compact(v)
	}
	a, b := rand.NewPCG(1, 1), rand.NewPCG(1, 1)
	first, second := draw(a), draw(a)
	if !form.MatchString(first) || !form.MatchString(second) || first == second {
		t.Errorf("got %s and %s", first, second)
	}
	if again := draw(b); again != first {
		t.Errorf("the same source gave %s, then %s", first, again)
	}
	if _, err := call.Eval(&path.Roots{}, nil); err == nil {
		t.Error("no source of random numbers and no error")
	}
}

func TestSyntaxErrors(t *testing.T) {
	nested := func(n int) string {
		return strings.Repeat("States.Array(", n) + strings.Repeat(")", n)
	}
	if _, err := Parse(nested(MaxNesting)); err != nil {
		t.Errorf("%d levels: %v", MaxNesting, err)
	}
	tests := []struct {
		text   string
		offset int
		msg    string
	}{
		{``, 0, "found the end of the text"},
		{` States.UUID()`, 0, `found " "`},
		{`Format('x')`, 0, `found "Format"`},
		{`States.Formt('x')`, 0, "did you mean States.Format?"},
		{`states.Format('x')`, 0, "expected an intrinsic function"},
		{`States.Uuid()`, 0, "did you mean States.UUID?"},
		{`States.Nonsense()`, 0, "there is no intrinsic function States.Nonsense"},
		{`States.Format`, 13, "expected ( after States.Format, found the end of the text"},
		{`States.Format(`, 14, "the text ends where an argument should stand"},
		{`States.Format('x'`, 17, "not closed"},
		{`States.Format('x`, 14, "the string is not closed"},
		{`States.Format('x' 'y')`, 18, "expected , or )"},
		{`States.Format('x',)`, 18, "expected an argument"},
		{`States.Format(,)`, 14, "expected an argument"},
		{`States.Format('é', foo)`, 20, `found "foo"`},
		{`States.Format("x")`, 14, "expected an argument"},
		{`States.Format('a\"b')`, 16, `found \"`},
		{`States.Format('a\nb')`, 16, `found \n`},
		{`States.Format('a\`, 16, "the text ends after a backslash"},
		{`States.Format('x') y`, 19, "unexpected text after the call"},
		{`States.Array(01)`, 13, `"01" is not a number`},
		{`States.Array(1-)`, 13, `"1-" is not a number`},
		{`States.Array($.a[)`, 0, ""},
		{nested(MaxNesting + 1), 13 * MaxNesting, "more than 10 levels"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			call, err := Parse(test.text)
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("got %v and error %v, want a *SyntaxError", call, err)
			}
			if syntax.Text != test.text || !strings.Contains(syntax.Msg, test.msg) {
				t.Errorf("got %+v\nwant %q at %d", syntax, test.msg, test.offset)
			}
			if test.msg != "" && syntax.Offset != test.offset {
				t.Errorf("%s: offset %d, want %d", syntax.Msg, syntax.Offset, test.offset)
			}
		})
	}
}

func TestTruncatedCallsAreErrors(t *testing.T) {
	text := `States.Format('a \{ {} \'é', States.Array($.x['y'][0], 1.5e3, true), $$.Execution.Id, $name, null)`
	if _, err := Parse(text); err != nil {
		t.Fatal(err)
	}
	for i := range len(text) {
		_, err := Parse(text[:i])
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset > i {
			t.Errorf("%q: %v", text[:i], err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`States.Format('{} \'', $.a[?(@.b == ')')], -1e3)`, `States.UUID()`,
		`States.Array(States.Array())`, `States.Hash('é`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		call, err := Parse(text)
		var syntax *SyntaxError
		if err != nil && (!errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(text)) {
			t.Fatalf("%q: %#v", text, err)
		}
		if err == nil {
			_, _ = call.Eval(&path.Roots{Data: value.Must(`{"a":[1,"x"]}`)}, rand.NewPCG(0, 0))
		}
	})
}

// recordedCase is the part of a recorded execution that concerns a Pass state with one template.
type recordedCase struct {
	Definition struct {
		States map[string]struct {
			Parameters map[string]string
		}
	}
	Input, Context    json.RawMessage
	Expect            struct{ Output map[string]json.RawMessage }
	Nondeterministic  bool
	NondetermPointers []string `json:"nondeterministicPointers"`
}

// TestRecordedFunctions evaluates recorded calls with the service's arguments.
func TestRecordedFunctions(t *testing.T) {
	dir := testkit.Dir(t, "aws-recorded")
	files, err := filepath.Glob(filepath.Join(dir, "intrinsic_functions.*.json"))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if strings.Contains(name, "jsonata") {
			continue
		}
		var c recordedCase
		if json.Unmarshal(testkit.Read(t, file), &c) != nil || len(c.Definition.States) != 1 || c.Nondeterministic {
			continue
		}
		for _, state := range c.Definition.States {
			text, ok := state.Parameters["FunctionResult.$"]
			want := c.Expect.Output["FunctionResult"]
			if !ok || want == nil || strings.Contains(text, "$$") {
				continue
			}
			checked++
			t.Run(name, func(t *testing.T) {
				got, err := evaluate(t, text, string(c.Input))
				if err != nil || !value.Equal(got, value.Must(string(want))) {
					t.Errorf("%s with %s:\n got %s, error %v\nwant %s", text, c.Input, value.Compact(got), err, want)
				}
			})
		}
	}
	if checked < 65 {
		t.Errorf("only %d recorded cases were checked", checked)
	}
	t.Logf("%d recorded cases", checked)
}

func BenchmarkFormat(b *testing.B) {
	call, err := Parse(`States.Format('Order {} of {} for {}', $.id, $.n, $.name)`)
	if err != nil {
		b.Fatal(err)
	}
	roots := &path.Roots{Data: value.Must(`{"id":17,"n":20,"name":"Bob"}`)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := call.Eval(roots, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func TestFault(t *testing.T) {
	for text, fails := range map[string]bool{
		"States.Format('{}', $.a)":                             false,
		"States.Format('{} {}', $.a)":                          true,
		`States.Format('\{\} {}', $.a)`:                        false,
		"States.Format($.template, $.a)":                       false,
		"States.Array(States.Format('{}'), 1)":                 true,
		"States.ArrayRange(1, 9, 0)":                           true,
		"States.ArrayRange(1, $.n, 0)":                         false,
		"States.Hash('x', 'SHA-257')":                          true,
		"States.StringToJson('{')":                             true,
		"States.UUID()":                                        false,
		"States.MathRandom(5, 1)":                              false,
		"States.ArrayGetItem(States.Array(1, $.x), 0)":         false,
		"States.Base64Encode(States.Format('{}{}', $.a, $.b))": false,
	} {
		call, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := call.Fault(); (err != nil) != fails {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestArguments(t *testing.T) {
	call, err := Parse("States.Format('{} {}', $.a, States.MathAdd(1, $.b))")
	if err != nil {
		t.Fatal(err)
	}
	arguments := call.Arguments()
	if len(arguments) != 3 || arguments[0].Literal == nil || arguments[1].Path.String() != "$.a" ||
		arguments[2].Call.Function() != "States.MathAdd" {
		t.Errorf("%+v", arguments)
	}
}

// The service's own sentences, as measured on AWS.
func TestServiceSentences(t *testing.T) {
	const at = "\n at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1, column: %d]"
	cannot := func(col int, reason string) string {
		return "Cannot convert String to Json in States.StringToJson, caused by: " + reason + fmt.Sprintf(at, col)
	}
	const open = "Unexpected end-of-input: expected close marker for Object (start marker at " +
		"[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1, column: 1])"
	for _, test := range []struct{ call, data, want string }{
		{`States.MathAdd('1', 1)`, `{}`, "Invalid arguments in States.MathAdd"},
		{`States.Hash('x', 'CRC')`, `{}`, "Invalid arguments in States.Hash"},
		{`States.ArrayLength(States.MathAdd(1))`, `{}`, "Invalid arguments in States.MathAdd"},
		{`States.JsonToString()`, `{}`, "Invalid arguments in States.JsonToString: only a single argument is allowed."},
		{`States.Format('Hello {{}}', 1)`, `{}`, "Invalid template in States.Format: matching '}' not found for '{'."},
		{`States.Format('a } {}', 1)`, `{}`, "Invalid template in States.Format: matching '{' not found for '}'."},
		{`States.StringToJson($)`, `{}`, "Invalid arguments in States.StringToJson"},
		{`States.StringToJson($)`, `"{bad json}"`,
			cannot(2, "Unexpected character ('b' (code 98)): was expecting double-quote to start field name")},
		{`States.StringToJson($)`, `"{\"a\":1"`, cannot(7, open)},
		{`States.StringToJson($)`, `"undefined"`, cannot(10,
			"Unrecognized token 'undefined': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')")},
	} {
		_, err := evaluate(t, test.call, test.data)
		var failure *Error
		if !errors.As(err, &failure) || failure.Service != test.want {
			t.Errorf("%s of %s:\n got %q\nwant %q", test.call, test.data, failure.Service, test.want)
		}
	}
	// Every damaged text has a sentence.
	for _, text := range []string{"[1", "[1 2]", "[1,", "[,", `{"a"`, `{"a" 1}`, `{"a":`, `{"a":1 2}`, `{"a`, `"a`,
		`"\q"`, "\"\n\"", "?", "01", "[1]]", "{\"a\":{\"b\":[}}"} {
		_, err := evaluate(t, `States.StringToJson($)`, value.Compact(value.String(text)))
		var failure *Error
		if !errors.As(err, &failure) || !strings.Contains(failure.Service, "[Source: ") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
