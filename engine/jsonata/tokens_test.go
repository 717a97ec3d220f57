package jsonata

import (
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	kinds := [...]string{"name", "variable", "function", "string", "number", "operator", "word", "regex"}
	for _, test := range []struct{ text, want string }{
		{`$sum(lines.price) > 1.5 and $states.input.a`, "function:$sum name:lines name:price operator:> number:1.5 word:and variable:$states name:input name:a"},
		{`$replace(a, /x+/i, "y")`, `function:$replace name:a regex:/x+/i string:"y"`},
		{`a / b`, "name:a operator:/ name:b"},
		{`(a) / 2`, "name:a operator:/ number:2"},
		{`function($x) { $x & 'it\'s' }`, `word:function variable:$x variable:$x operator:& string:'it\'s'`},
		{`true ? null : false`, "word:true operator:? word:null word:false"},
		{`States.Format('{} \{\}', $.order.id, $$.Execution.Id, $total)`,
			`function:States.Format string:'{} \{\}' variable:$ name:order name:id variable:$$ name:Execution name:Id variable:$total`},
		{`States.MathAdd(States.ArrayLength($.a), -1)`,
			"function:States.MathAdd function:States.ArrayLength variable:$ name:a operator:- number:1"},
		{"$.a['b c'][0]", "variable:$ name:a string:'b c' number:0"},
		{"a /* no */ + `b c`", "name:a operator:+ name:`b c`"},
		{`a + 'open`, "name:a operator:+ string:'open"},
		{`a + /open`, "name:a operator:+"},
		{"", ""},
	} {
		var got []string
		for _, token := range Tokens(test.text) {
			got = append(got, kinds[token.Kind]+":"+test.text[token.Start:token.End])
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s:\n%s, want\n%s", test.text, strings.Join(got, " "), test.want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add(`$a + 'b' /c/ 1e5`)
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, token := range Tokens(text) {
			if token.Start < end || token.End <= token.Start || token.End > len(text) {
				t.Fatalf("%q has the token %+v behind %d", text, token, end)
			}
			end = token.End
		}
	})
}
