package runs

import (
	"strings"

	"asldb/engine"
	"asldb/engine/value"
)

// Plant is a mistake in a definition that comes to light when it runs.
type Plant struct {
	Name string
	// Said is the sentence of every face on it; empty where the Error Name and the Cause say all. Advice is a part of
	// what they say below it.
	Said              string
	Definition, Input string
	Answers           []engine.Outcome
	// Field is the field that fails.
	Field, Advice string
}

// Fixtures are the input and the answers as a file of fixtures.
func (p *Plant) Fixtures() string {
	text := "version: 1\ninput: " + value.Compact(value.Must(p.Input)) + "\n"
	if len(p.Answers) == 0 {
		return text
	}
	var list []string
	for _, a := range p.Answers {
		one := "{error: " + value.Quote(a.Error) + ", cause: " + value.Quote(a.Cause) + "}"
		if a.Output != nil {
			one = "{output: " + value.Compact(a.Output) + "}"
		}
		list = append(list, one)
	}
	return text + "tasks:\n  A: [" + strings.Join(list, ", ") + "]\n"
}

// Checked is Said as the check of a definition says it: with a place before it, and more behind it.
func (p *Plant) Checked() string {
	return strings.TrimSuffix(strings.Replace(p.Said, "The v", "the v", 1), ".")
}

// Static returns what the check says of the definition alone, without an input and results; false where it cannot know:
//
//   - a misspelt path, also in JSONata, a member of another way of a Choice, a text in place of a number: the
//     execution's input may have it, and of another kind;
//   - an ItemSelector that is missing: so may the items;
//   - a task without ResultPath, an OutputPath that drops a member: the result of the task may have it;
//   - a misspelt Error Name: a task may fail with any.
//
// With the input and the results of a run it knows all but the last one.
func (p *Plant) Static() (said string, known bool) {
	switch p.Name {
	case "a path without Payload": // the service's model has these members
		return "$.charge.chargeId is missing: $.charge has only DurableExecutionArn, ExecutedVersion, FunctionError, " +
			"LogResult, Payload, SdkHttpMetadata, SdkResponseMetadata and StatusCode", true
	case "a catcher without ResultPath", "a ResultSelector that drops a member", "a variable of another branch",
		"the array of a Parallel":
		return p.Checked(), true
	}
	return p.Checked(), false
}

// Lost is what a field did to the value that is missing, as each face says it; empty where none did.
func (p *Plant) Lost() string {
	switch p.Name {
	case "a catcher without ResultPath":
		return "ResultPath $ (its default) of catcher 1: the Error Output replaced the whole input"
	case "a task without ResultPath":
		return "ResultPath $ (its default): the result replaced the whole input"
	case "an OutputPath that drops a member":
		return "OutputPath $.a selects another part of the data"
	}
	return ""
}

// Plants are mistakes that come to light when a definition runs, each with the answers to its first task. The list is
// never changed.
var Plants = []Plant{
	{"a misspelt path", "$.custmer.name is missing; did you mean $.customer.name?",
		`{"StartAt":"A","States":{"A":{"Type":"Pass","Parameters":{"to.$":"$.custmer.name"},
		"End":true}}}`,
		`{"customer":{"name":"Ann"}}`, nil, "Parameters/to.$", "did you mean $.customer.name?"},
	{"a path without Payload", "$.charge.chargeId is missing: $.charge has only Payload and StatusCode.",
		`{"StartAt":"A","States":{"A":{"Type":"Task",
		"Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"f"},
		"ResultPath":"$.charge","Next":"B"},
		"B":{"Type":"Pass","Parameters":{"id.$":"$.charge.chargeId"},"End":true}}}`,
		`{}`, []engine.Outcome{{Output: value.Must(`{"Payload":{"chargeId":7},
		"StatusCode":200}`)}}, "Parameters/id.$", "it is at $.charge.Payload.chargeId"},
	{"a catcher without ResultPath", "$.orderId is missing: $ has only Error and Cause.",
		`{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"r",
		"ResultPath":"$.a","Next":"B",
		"Catch":[{"ErrorEquals":["States.ALL"],"Next":"B"}]},
		"B":{"Type":"Pass","Parameters":{"id.$":"$.orderId"},"End":true}}}`,
		`{"orderId":5}`, []engine.Outcome{{Error: "E", Cause: "why"}}, "Parameters/id.$", `"ResultPath": "$.error"`},
	{"a task without ResultPath", "$.delay is missing: $ has only paid.",
		`{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"r","Next":"B"},
		"B":{"Type":"Wait","SecondsPath":"$.delay","End":true}}}`,
		`{"delay":5}`,
		[]engine.Outcome{{Output: value.Must(`{"paid":true}`)}}, "SecondsPath", `"ResultPath": "$.result"`},
	{"an OutputPath that drops a member", "$.orderId is missing: $ has only paid.",
		`{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"r",
		"ResultPath":"$.a","OutputPath":"$.a","Next":"B"},
		"B":{"Type":"Pass","InputPath":"$.orderId","End":true}}}`,
		`{"orderId":5}`,
		[]engine.Outcome{{Output: value.Must(`{"paid":true}`)}}, "InputPath",
		`keep it without "OutputPath": "$.a"; the output that it selects is then at $.a`},
	{"a ResultSelector that drops a member", "$.a.receipt is missing: $.a has only paid.",
		`{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"r",
		"ResultPath":"$.a","Next":"B",
		"ResultSelector":{"paid.$":"$.paid"}},
		"B":{"Type":"Pass","InputPath":"$.a.receipt","End":true}}}`,
		`{"orderId":5}`, []engine.Outcome{{Output: value.Must(`{"paid":true,
		"receipt":"r-1"}`)}}, "InputPath", `"receipt.$": "$.receipt"`},
	{"a variable of another branch", "The variable $rate is not assigned.",
		`{"StartAt":"C","States":{"C":{"Type":"Choice",
		"Choices":[{"Variable":"$.vip","BooleanEquals":true,"Next":"V"}],"Default":"P"},
		"V":{"Type":"Pass","Assign":{"rate":5},"Next":"P"},
		"P":{"Type":"Pass","Parameters":{"rate.$":"$rate"},"End":true}}}`,
		`{"vip":false}`, nil, "Parameters/rate.$", "; give it a value before C, or on that way too"},
	{"a member of another way of a Choice", "$.card is missing: $ has only vip.",
		`{"StartAt":"C","States":{"C":{"Type":"Choice",
		"Choices":[{"Variable":"$.vip","BooleanEquals":true,"Next":"V"}],"Default":"P"},
		"V":{"Type":"Pass","Result":"hello","ResultPath":"$.card","Next":"P"},
		"P":{"Type":"Pass","InputPath":"$.card","End":true}}}`,
		`{"vip":false}`, nil, "InputPath", "; give it a value before C, or on that way too"},
	{"an ItemSelector that is missing", "$.orderId is missing: $ has only sku.",
		`{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.lines",
		"End":true,"ItemProcessor":{"StartAt":"I","States":{
		"I":{"Type":"Pass","Parameters":{"order.$":"$.orderId"},"End":true}}}}}}`,
		`{"orderId":5,"lines":[{"sku":"a"}]}`,
		nil, "Parameters/order.$",
		`keep it with "ItemSelector": {"item.$": "$$.Map.Item.Value", "orderId.$": "$.orderId"}; the item`},
	{"a text in place of a number", `States.MathAdd: argument 1 must be a number, but is the string "41"; ` +
		"States.StringToJson makes a number of it.",
		`{"StartAt":"A","States":{"A":{"Type":"Pass",
		"Parameters":{"next.$":"States.MathAdd($.count, 1)"},"End":true}}}`,
		`{"count":"41"}`, nil, "Parameters/next.$", "States.StringToJson makes a number of it"},
	{"a misspelt member in JSONata", "$states.input.custmer.name is missing; did you mean $states.input.customer.name?",
		`{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass",
		"Output":{"to":"{% $states.input.custmer.name %}"},"End":true}}}`,
		`{"customer":{"name":"Ann"}}`, nil, "Output/to", "did you mean $states.input.customer.name?"},
	{"a misspelt Error Name", "",
		`{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"r","End":true,
		"Catch":[{"ErrorEquals":["Card.Declned"],"ResultPath":"$.e","Next":"B"}]},"B":{"Type":"Pass","End":true}}}`,
		`{}`,
		[]engine.Outcome{{Error: "Card.Declined", Cause: "no money"}}, "catcher 1 [Card.Declned]",
		"is Card.Declned misspelt?"},
	{"the array of a Parallel", "$.both.stock is missing: $.both is an array, not an object.",
		`{"StartAt":"P","States":{"P":{"Type":"Parallel","ResultPath":"$.both",
		"Next":"R","Branches":[
		{"StartAt":"X","States":{"X":{"Type":"Pass","Result":{"mail":1},"End":true}}},
		{"StartAt":"Y","States":{"Y":{"Type":"Pass","Result":{"stock":2},"End":true}}}]},
		"R":{"Type":"Pass","InputPath":"$.both.stock","End":true}}}`,
		`{}`, nil, "InputPath", "it is at $.both[1].stock"},
}
