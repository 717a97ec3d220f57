package explain_test

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/explain"
)

// planted is a mistake in a definition that comes to light when it runs.
type planted struct {
	name, definition, input string
	answers                 []engine.Outcome
	field                   string // the explanation names it
	advice                  string // and says this
}

var plants = []planted{
	{"a misspelt path", `{"StartAt":"A","States":{"A":{"Type":"Pass","Parameters":{"to.$":"$.custmer.name"},
		"End":true}}}`,
		`{"customer":{"name":"Ann"}}`, nil, "Parameters/to.$", "did you mean $.customer.name?"},
	{"a path without Payload", `{"StartAt":"A","States":{"A":{"Type":"Task",
		"Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"f"},
		"ResultPath":"$.charge","Next":"B"},
		"B":{"Type":"Pass","Parameters":{"id.$":"$.charge.chargeId"},"End":true}}}`,
		`{}`, []engine.Outcome{output(`{"Payload":{"chargeId":7},
		"StatusCode":200}`)}, "Parameters/id.$", "it is at $.charge.Payload.chargeId"},
	{"a catcher without ResultPath", `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"r",
		"ResultPath":"$.a","Next":"B",
		"Catch":[{"ErrorEquals":["States.ALL"],"Next":"B"}]},
		"B":{"Type":"Pass","Parameters":{"id.$":"$.orderId"},"End":true}}}`,
		`{"orderId":5}`, []engine.Outcome{failed("E", "why")}, "Parameters/id.$", `"ResultPath": "$.error"`},
	{"a task without ResultPath", `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"r","Next":"B"},
		"B":{"Type":"Wait","SecondsPath":"$.delay","End":true}}}`,
		`{"delay":5}`, []engine.Outcome{output(`{"paid":true}`)}, "SecondsPath", `"ResultPath": "$.result"`},
	{"an OutputPath that drops a member", `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"r",
		"ResultPath":"$.a","OutputPath":"$.a","Next":"B"},
		"B":{"Type":"Pass","InputPath":"$.orderId","End":true}}}`,
		`{"orderId":5}`,
		[]engine.Outcome{output(`{"paid":true}`)}, "InputPath",
		`keep it without "OutputPath": "$.a"; the output that it selects is then at $.a`},
	{"a ResultSelector that drops a member", `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"r",
		"ResultPath":"$.a","Next":"B",
		"ResultSelector":{"paid.$":"$.paid"}},
		"B":{"Type":"Pass","InputPath":"$.a.receipt","End":true}}}`,
		`{"orderId":5}`, []engine.Outcome{output(`{"paid":true,
		"receipt":"r-1"}`)}, "InputPath", `"receipt.$": "$.receipt"`},
	{"a variable of another branch", `{"StartAt":"C","States":{"C":{"Type":"Choice",
		"Choices":[{"Variable":"$.vip","BooleanEquals":true,"Next":"V"}],"Default":"P"},
		"V":{"Type":"Pass","Assign":{"rate":5},"Next":"P"},
		"P":{"Type":"Pass","Parameters":{"rate.$":"$rate"},"End":true}}}`,
		`{"vip":false}`, nil, "Parameters/rate.$", "; give it a value before C, or on that way too"},
	{"a member of another way of a Choice", `{"StartAt":"C","States":{"C":{"Type":"Choice",
		"Choices":[{"Variable":"$.vip","BooleanEquals":true,"Next":"V"}],"Default":"P"},
		"V":{"Type":"Pass","Result":"hello","ResultPath":"$.card","Next":"P"},
		"P":{"Type":"Pass","InputPath":"$.card","End":true}}}`,
		`{"vip":false}`, nil, "InputPath", "; give it a value before C, or on that way too"},
	{"an ItemSelector that is missing", `{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.lines",
		"End":true,"ItemProcessor":{"StartAt":"I","States":{
		"I":{"Type":"Pass","Parameters":{"order.$":"$.orderId"},"End":true}}}}}}`,
		`{"orderId":5,"lines":[{"sku":"a"}]}`,
		nil, "Parameters/order.$",
		`keep it with "ItemSelector": {"item.$": "$$.Map.Item.Value", "orderId.$": "$.orderId"}; the item`},
	{"a text in place of a number", `{"StartAt":"A","States":{"A":{"Type":"Pass",
		"Parameters":{"next.$":"States.MathAdd($.count, 1)"},"End":true}}}`,
		`{"count":"41"}`, nil, "Parameters/next.$", "States.StringToJson makes a number of it"},
	{"a misspelt member in JSONata", `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass",
		"Output":{"to":"{% $states.input.custmer.name %}"},"End":true}}}`,
		`{"customer":{"name":"Ann"}}`, nil, "Output/to", "did you mean $states.input.customer.name?"},
	{"a misspelt Error Name", `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"r","End":true,
		"Catch":[{"ErrorEquals":["Card.Declned"],"ResultPath":"$.e","Next":"B"}]},"B":{"Type":"Pass","End":true}}}`,
		`{}`,
		[]engine.Outcome{failed("Card.Declined", "no money")}, "catcher 1 [Card.Declned]", "is Card.Declned misspelt?"},
	{"the array of a Parallel", `{"StartAt":"P","States":{"P":{"Type":"Parallel","ResultPath":"$.both",
		"Next":"R","Branches":[
		{"StartAt":"X","States":{"X":{"Type":"Pass","Result":{"mail":1},"End":true}}},
		{"StartAt":"Y","States":{"Y":{"Type":"Pass","Result":{"stock":2},"End":true}}}]},
		"R":{"Type":"Pass","InputPath":"$.both.stock","End":true}}}`,
		`{}`, nil, "InputPath", "it is at $.both[1].stock"},
}

// Each planted mistake is explained by the field that failed, and by the change that mends it; a fix that is
// offered for it mends the run.
func TestPlantedMistakes(t *testing.T) {
	for _, p := range plants {
		s := open(t, p.definition, p.input)
		play(t, s, p.answers...)
		if s.Status() != engine.Failed {
			t.Errorf("%s: the run is %s", p.name, s.Status())
		}
		write := func(text explain.Text) string { return strings.Join(explain.Plain(100).Lines(text), "\n") }
		if text := write(explain.Failed(s, nil)); !strings.Contains(text, p.field) {
			t.Errorf("%s: %s is not named:\n%s", p.name, p.field, text)
		}
		if text := write(explain.EndingOf(s, nil).Report()); !strings.Contains(text, p.advice) {
			t.Errorf("%s: no %q in\n%s", p.name, p.advice, text)
		}
		offered := false
		for i := range s.Log().Len() {
			fixes, mended := explain.Fixes(s, i), false
			offered = offered || len(fixes) > 0
			for _, f := range fixes {
				_, after := tried(t, s, &f)
				mended = mended || after.Status() == engine.Succeeded
			}
			if len(fixes) > 0 && !mended {
				t.Errorf("%s: no fix of event %d mends the run: %+v", p.name, i, fixes)
			}
		}
		if !offered {
			t.Errorf("%s: no fix is offered", p.name)
		}
	}
}

// The advice that is no fix is true: with the change that it names the run succeeds.
func TestAdviceOfPlantedMistakes(t *testing.T) {
	for _, test := range []struct{ name, from, to string }{
		{"an OutputPath that drops a member", `"OutputPath":"$.a",`, ""},
		{"an ItemSelector that is missing", `"ItemsPath"`,
			`"ItemSelector": {"item.$": "$$.Map.Item.Value", "orderId.$": "$.orderId"},"ItemsPath"`},
		{"a text in place of a number", "MathAdd($.count,", "MathAdd(States.StringToJson($.count),"},
		{"a variable of another branch", `"StartAt":"C","States":{`,
			`"StartAt":"S","States":{"S":{"Type":"Pass","Assign":{"rate":0},"Next":"C"},`},
		{"a member of another way of a Choice", `"StartAt":"C","States":{`,
			`"StartAt":"S","States":{"S":{"Type":"Pass","Result":"","ResultPath":"$.card","Next":"C"},`},
	} {
		p := plants[slices.IndexFunc(plants, func(p planted) bool { return p.name == test.name })]
		changed := strings.Replace(p.definition, test.from, test.to, 1)
		if changed == p.definition {
			t.Fatalf("%s: the definition has no %s", test.name, test.from)
		}
		s := open(t, changed, p.input)
		if play(t, s, p.answers...); s.Status() != engine.Succeeded {
			t.Errorf("%s: the changed definition ends %s: %v", test.name, s.Status(), s.Failure())
		}
	}
}
