package jsonata

import (
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`$sum(lines.price) > 1.5 and $states.input.a`,
			"function:$sum property:lines property:price operator:> number:1.5 keyword:and " +
				"variable:$states property:input property:a"},
		{`$replace(a, /x+/i, "y")`, `function:$replace property:a regexp:/x+/i string:"y"`},
		{`a / b`, "property:a operator:/ property:b"},
		{`(a) / 2`, "property:a operator:/ number:2"},
		{`function($x) { $x & 'it\'s' }`, `keyword:function variable:$x variable:$x operator:& string:'it\'s'`},
		{`true ? null : false`, "keyword:true operator:? keyword:null keyword:false"},
		{`States.Format('{} \{\}', $.order.id, $$.Execution.Id, $total)`,
			`function:States.Format string:'{} \{\}' variable:$ property:order property:id ` +
				"variable:$$ property:Execution property:Id variable:$total"},
		{`States.MathAdd(States.ArrayLength($.a), -1)`,
			"function:States.MathAdd function:States.ArrayLength variable:$ property:a operator:- number:1"},
		{"$.a['b c'][0]", "variable:$ property:a string:'b c' number:0"},
		{"a /* no */ + `b c`", "property:a operator:+ property:`b c`"},
		{`a + 'open`, "property:a operator:+ string:'open"},
		{`a + /open`, "property:a operator:+"},
		{"", ""},
	} {
		var got []string
		for _, token := range Tokens(test.text) {
			got = append(got, token.Kind.String()+":"+test.text[token.Start:token.End])
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
