package explain_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/explain"
)

// A value that an OutputPath drops, that the iterations of a Map state do not get, or that another way makes, comes by
// a change of several places; what the state read before stays where it was.
func TestFixesOfSeveralChanges(t *testing.T) {
	for _, test := range []struct {
		name, definition, input string
		answers                 []engine.Outcome
		words                   string
		parts                   []string
	}{
		{"a result with an OutputPath", `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"r",
			"OutputPath":"$.paid","Next":"B"},
			"B":{"Type":"Pass","InputPath":"$.orderId","End":true}}}`, `{"orderId":5}`,
			[]engine.Outcome{output(`{"paid":{"at":1}}`)}, `"ResultPath": "$.result" in A, without "OutputPath": "$.paid"`,
			[]string{`{"Type":"Task","Resource":"r",
			"Next":"B", "ResultPath": "$.result"}`}},
		{"the members of an item", `{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.lines",
			"End":true,"ItemProcessor":{"StartAt":"I","States":{
			"I":{"Type":"Pass","Parameters":{"order.$":"$.orderId","sku.$":"$.sku"},"End":true}}}}}}`,
			`{"orderId":5,"lines":[{"sku":"a"}]}`, nil, "an ItemSelector in M with orderId and sku",
			[]string{`"ItemSelector": {"sku.$": "$$.Map.Item.Value.sku", "orderId.$": "$.orderId"}`}},
		{"an item that is not an object, in JSONata", `{"QueryLanguage":"JSONata","StartAt":"M",
			"States":{"M":{"Type":"Map",
			"Items":"{% $states.input.lines %}","End":true,"ItemProcessor":{"StartAt":"I","States":{
			"I":{"Type":"Pass","Output":"{% $states.input.orderId %}","End":true}}}}}}`,
			`{"orderId":5,"lines":[{"sku":"a"}]}`, nil, "an ItemSelector in M with orderId and item",
			[]string{`"ItemSelector": {"item": "{% $states.context.Map.Item.Value %}", ` +
				`"orderId": "{% $states.input.orderId %}"}`}},
		{"a catcher's way, in JSONata", `{"QueryLanguage":"JSONata","StartAt":"T",
			"States":{"T":{"Type":"Task","Resource":"r",
			"Catch":[{"ErrorEquals":["States.ALL"],"Next":"P"}],"Next":"V"},
			"V":{"Type":"Pass","Output":{"card":"hello"},"Next":"P"},
			"P":{"Type":"Pass","Output":"{% $states.input.card %}","End":true}}}`, `{}`,
			[]engine.Outcome{failed("E", "")}, "give $.card the value null on the way from T to P", []string{
				`"Next":"Without card"`, `"Without card": {"Type": "Pass", ` +
					`"Output": "{% $merge([$states.input, {'card': null}]) %}", "Next": "P"}`,
			}},
		{"a value that null does not do for", `{"StartAt":"C","States":{"C":{"Type":"Choice",
			"Choices":[{"Variable":"$.vip","BooleanEquals":false,"Next":"P"}],"Default":"V"},
			"V":{"Type":"Pass","Assign":{"rate":5},"Next":"P"},
			"P":{"Type":"Pass","Parameters":{"r.$":"States.MathAdd($rate, 1)"},"End":true}}}`,
			`{"vip":false}`, nil, "give $rate the value 5 on the way from C to P",
			[]string{`"Next":"Without rate"`, `"Without rate": {"Type": "Pass", "Assign": {"rate": 5}, "Next": "P"}`}},
	} {
		s := open(t, test.definition, test.input)
		play(t, s, test.answers...)
		good, all := "", []string{}
		for i := range s.Log().Len() {
			for _, f := range explain.Fixes(s, i) {
				text, after := tried(t, s, &f)
				if all = append(all, f.Words); after.Status() == engine.Succeeded && f.Words == test.words {
					good = text
				}
			}
		}
		if good == "" {
			t.Errorf("%s: %q does not mend the run; the fixes are %q", test.name, test.words, all)
		}
		for _, part := range test.parts {
			if good != "" && !strings.Contains(good, part) {
				t.Errorf("%s: no %s in\n%s", test.name, part, good)
			}
		}
	}
}
