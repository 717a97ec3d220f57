package flow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"asldb/engine/flow"
)

// What a state does with its data is told apart from what the states behind it require.
func TestOwn(t *testing.T) {
	t.Parallel()
	const task = `"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Next":"B"`
	for _, test := range []struct{ state, want, requests string }{
		{`"Type":"Pass","Next":"B"`, "keeps", ""},
		{`"Type":"Pass","Result":1,"Next":"B"`, "drops", ""},
		{`"Type":"Pass","Result":1,"ResultPath":"$.a","Next":"B"`, "keeps", ""},
		{`"Type":"Pass","Result":1,"ResultPath":"$.a.b","Next":"B"`, "a keeps", ""},
		{`"Type":"Pass","InputPath":"$.x","Next":"B"`, "x drops", ""},
		{`"Type":"Pass","Parameters":{"a.$":"$"},"Next":"B"`, "whole drops", ""},
		{`"Type":"Pass","ResultPath":"$.copy","Next":"B"`, "whole keeps", ""},
		{`"Type":"Pass","Parameters":{"v.$":"$.list[?(@.n == $.m)]"},"Next":"B"`, "list whole drops", ""},
		{`"Type":"Wait","SecondsPath":"$.s.t","Next":"B"`, "s keeps", ""},
		{`"Type":"Choice","Choices":[{"Variable":"$.k","IsPresent":true,"Next":"B"}],"Default":"B"`, "k keeps", ""},
		{`"Type":"Choice","Choices":[{"Variable":"$[0]","NumericEquals":1,"Next":"B"}],"Default":"B"`,
			"whole keeps", ""},
		{task, "drops", "whole drops"},
		{task + `,"Parameters":{"Payload.$":"$"},"ResultPath":null`, "keeps", "whole keeps"},
		{task + `,"Parameters":{"Payload.$":"$.p"},"ResultPath":null`, "p keeps", "p keeps"},
		{task + `,"ResultPath":"$.r","Catch":[{"ErrorEquals":["States.ALL"],"Next":"B"}]`, "", "whole"},
		{`"Type":"Map","ItemsPath":"$.l","ItemProcessor":{"StartAt":"M","States":{"M":{"Type":"Succeed"}}},"Next":"B"`,
			"l drops", ""},
		{`"Type":"Parallel","Branches":[{"StartAt":"M","States":{"M":{"Type":"Succeed"}}}],"ResultPath":null,` +
			`"Next":"B"`,
			"whole keeps", ""},
		{`"QueryLanguage":"JSONata","Type":"Pass","Output":"{% $states.input.o.p %}","Next":"B"`, "o drops", ""},
		{`"QueryLanguage":"JSONata","Type":"Pass","Output":"{% $states.input %}","Next":"B"`, "keeps", ""},
	} {
		m := parse(t, `{"StartAt":"A","States":{"A":{`+test.state+`},"B":{"Type":"Succeed"}}}`)
		b := flow.Analyse(m, flow.Options{}).Demander()
		for _, requests := range []bool{false, true} {
			own, want := b.Own(m.Top.State("A"), requests), test.want
			if requests && test.requests != "" {
				want = test.requests
			}
			words := slices.Clone(own.Reads)
			for word, set := range map[string]bool{"whole": own.Whole, "keeps": own.Keeps, "drops": own.Drops} {
				if set {
					words = append(words, word)
				}
			}
			wanted := strings.Fields(want)
			if slices.Sort(words); fmt.Sprint(words) != fmt.Sprint(slices.Sorted(slices.Values(wanted))) {
				t.Errorf("%s, requests %v: %v, want %s", test.state, requests, words, want)
			}
		}
	}
}
