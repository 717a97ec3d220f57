package cli

import (
	"bytes"
	"strings"
	"testing"

	"asldb/internal/testkit"
	"asldb/internal/testkit/runs"
)

// never are runs that fail for a value that is missing, or is of another kind, and the one sentence that says why.
// Those with a number are the rows of the reference on the flow of data.
var never = []struct{ name, definition, fixtures, want string }{
	{
		name: "20 a maker that failed",
		definition: `{"StartAt":"Enrich","States":{"Enrich":{"Type":"Task",` +
			`"Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"f",` +
			`"Payload.$":"$"},"ResultPath":"$.customer",` +
			`"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Invoice"}],"Next":"Invoice"},` +
			`"Invoice":{"Type":"Pass","InputPath":"$.customer.email","End":true}}}`,
		fixtures: `{"version":1,"input":{"orderId":1},"tasks":{"Enrich":[{"error":"Lambda.ServiceException"}]}}`,
		want: `Enrich should have made $.customer (ResultPath, line 1), but it failed (Lambda.ServiceException), ` +
			`and catcher 1 put the Error Output in place of the data`,
	},
	{
		name: "21 below Payload",
		definition: `{"StartAt":"Charge","States":{"Charge":{"Type":"Task",` +
			`"Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"f",` +
			`"Payload.$":"$"},"ResultSelector":{"id.$":"$.chargeId"},"End":true}}}`,
		fixtures: `{"version":1,"input":{"orderId":1},` +
			`"tasks":{"Charge":[{"output":{"StatusCode":200,"Payload":{"chargeId":"c1"}}}]}}`,
		want: `it is at $.Payload.chargeId = "c1"`,
	},
	{
		name: "22 a result that replaced the input",
		definition: `{"StartAt":"Charge","States":{"Charge":{"Type":"Task",` +
			`"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Next":"Ship"},` +
			`"Ship":{"Type":"Pass","InputPath":"$.charge.status","End":true}}}`,
		fixtures: `{"version":1,"input":{"orderId":1},"tasks":{"Charge":[{"output":{"chargeId":"c1",` +
			`"status":"ok"}}]}}`,
		want: `Charge's result replaced the whole input (no ResultPath), and has status: ` +
			`"ResultPath": "$.charge" makes it $.charge.status`,
	},
	{
		name: "23 an Error Output that is discarded",
		definition: `{"StartAt":"Charge","States":{"Charge":{"Type":"Task",` +
			`"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f",` +
			`"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":null,"Next":"Tell"}],"End":true},` +
			`"Tell":{"Type":"Pass","InputPath":"$.error.Cause","End":true}}}`,
		fixtures: `{"version":1,"input":{"orderId":1},"tasks":{"Charge":[{"error":"Boom","cause":"no"}]}}`,
		want: `catcher 1 of Charge discards the Error Output (ResultPath null), which has Cause: ` +
			`"ResultPath": "$.error" makes it $.error.Cause`,
	},
	{
		name: "24 a Map over an object",
		definition: `{"StartAt":"Each","States":{"Each":{"Type":"Map","ItemsPath":"$.customer",` +
			`"ItemProcessor":{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}},` +
			`"End":true}}}`,
		fixtures: `{"version":1,"input":{"customer":{"name":"x"},"items":[1,2]},"tasks":{}}`,
		want:     `$.customer is an object, and ItemsPath takes an array; arrays here: $.items`,
	},
	{
		name: "25 below Item",
		definition: `{"StartAt":"Get","States":{"Get":{"Type":"Task",` +
			`"Resource":"arn:aws:states:::dynamodb:getItem","Parameters":{"TableName":"t",` +
			`"Key":{}},"ResultPath":"$.row","Next":"Use"},"Use":{"Type":"Pass",` +
			`"InputPath":"$.row.name.S","End":true}}}`,
		fixtures: `{"version":1,"input":{"id":"1"},"tasks":{"Get":[{"output":{"Item":{"name":{"S":"Ann"}}}}]}}`,
		want:     `it is at $.row.Item.name.S = "Ann"`,
	},
	{
		name: "26 in a branch",
		definition: `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","ResultPath":"$.both",` +
			`"Branches":[{"StartAt":"A","States":{"A":{"Type":"Pass","Result":{"mail":1},` +
			`"End":true}}},{"StartAt":"B","States":{"B":{"Type":"Pass","Result":{"stock":3},` +
			`"End":true}}}],"Next":"Use"},"Use":{"Type":"Pass","InputPath":"$.both.stock",` +
			`"End":true}}}`,
		fixtures: `{"version":1,"input":{"id":"1"},"tasks":{}}`,
		want:     `it is at $.both[1].stock (branch 2, B) = 3`,
	},
	{
		name: "27 another way",
		definition: `{"StartAt":"Route","States":{"Route":{"Type":"Choice","Choices":[{"Variable":"$.vip",` +
			`"BooleanEquals":true,"Next":"Gift"}],"Default":"Pack"},"Gift":{"Type":"Task",` +
			`"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","ResultPath":"$.card",` +
			`"Next":"Pack"},"Pack":{"Type":"Pass","InputPath":"$.card.text","End":true}}}`,
		fixtures: `{"version":1,"input":{"vip":false},"tasks":{"Gift":[{"output":{"text":"hi"}}]}}`,
		want:     `Gift would have made $.card (ResultPath, line 1), but Route took Default, since $.vip = false`,
	},
	{
		name: "28 a catcher that lost it",
		definition: `{"StartAt":"Charge","States":{"Charge":{"Type":"Task",` +
			`"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f",` +
			`"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Refuse"}],"End":true},` +
			`"Refuse":{"Type":"Fail","Error":"Refused","CausePath":"$.orderId"}}}`,
		fixtures: `{"version":1,"input":{"orderId":"o1"},"tasks":{"Charge":[{"error":"Card.Boom","cause":"no"}]}}`,
		want:     `Charge lost it: ResultPath $ (its default) of catcher 1: the Error Output replaced the whole input`,
	},
	{
		name: "a result in JSONata",
		definition: `{"StartAt":"A","States":{"A":{"Type":"Task",` +
			`"Resource":"arn:aws:states:::lambda:invoke","Arguments":{"FunctionName":"f"},` +
			`"Output":"{% $states.result.chargeId %}","End":true}},"QueryLanguage":"JSONata"}`,
		fixtures: `{"version":1,"input":{"order":{"id":1}},` +
			`"tasks":{"A":[{"output":{"StatusCode":200,"Payload":{"chargeId":1}}}]}}`,
		want: `it is at $states.result.Payload.chargeId = 1`,
	},
	{
		name: "a result that replaced the input in JSONata",
		definition: `{"StartAt":"A","States":{"A":{"Type":"Task",` +
			`"Resource":"arn:aws:states:::lambda:invoke","Arguments":{"FunctionName":"f"},` +
			`"Next":"B"},"B":{"Type":"Pass",` +
			`"Output":"{% 1 + $number($states.input.charge.chargeId) %}","End":true}},` +
			`"QueryLanguage":"JSONata"}`,
		fixtures: `{"version":1,"input":{"order":{"id":1}},"tasks":{"A":[{"output":{"chargeId":"12"}}]}}`,
		want: `A's result replaced the whole input (no Output), and has chargeId: "Output": "{% ` +
			`$merge([$states.input, {'charge': $states.result}]) %}" makes it ` +
			`$states.input.charge.chargeId`,
	},
	{
		name: "a variable of a catcher",
		definition: `{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"L"},"L":{"Type":"Task",` +
			`"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f",` +
			`"Catch":[{"ErrorEquals":["States.ALL"],"Assign":{"fault.$":"$.Error"},` +
			`"Next":"U"}],"Next":"U"},"U":{"Type":"Pass","Parameters":{"f.$":"$fault"},` +
			`"End":true}}}`,
		fixtures: `{"version":1,"input":{"a":1},"tasks":{"L":[{"output":{}}]}}`,
		want:     `only catcher 1 of L assigns $fault; L succeeded`,
	},
	{
		name: "a variable on another way",
		definition: `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Variable":"$.vip",` +
			`"BooleanEquals":true,"Next":"S"}],"Default":"U"},"S":{"Type":"Pass",` +
			`"Assign":{"card":"x"},"Next":"U"},"U":{"Type":"Pass","Parameters":{"f.$":"$card"},` +
			`"End":true}}}`,
		fixtures: `{"version":1,"input":{"vip":false},"tasks":{}}`,
		want:     `S would have assigned $card (Assign, line 1), but C took Default, since $.vip = false`,
	},
	{
		name: "made later",
		definition: `{"StartAt":"Send","States":{"Send":{"Type":"Pass",` +
			`"Parameters":{"s.$":"$.signature"},"ResultPath":"$.sent","Next":"Sign"},` +
			`"Sign":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f",` +
			`"ResultPath":"$.signature","Next":"E"},"E":{"Type":"Succeed"}}}`,
		fixtures: `{"version":1,"input":{"vip":false},"tasks":{"Sign":[{"output":1}]}}`,
		want:     `Sign makes $.signature (ResultPath, line 1), but comes after Send`,
	},
	{
		name: "made in another branch",
		definition: `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","Branches":[{"StartAt":"A",` +
			`"States":{"A":{"Type":"Pass","InputPath":"$.box","End":true}}},{"StartAt":"Size",` +
			`"States":{"Size":{"Type":"Pass","Result":1,"ResultPath":"$.box",` +
			`"End":true}}}],"End":true}}}`,
		fixtures: `{"version":1,"input":{"id":"1"},"tasks":{}}`,
		want:     `Size makes $.box (ResultPath, line 1) in branch 2 of Both; branches do not see each other`,
	},
	{
		name: "a result that is discarded",
		definition: `{"StartAt":"Log","States":{"Log":{"Type":"Task",` +
			`"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f",` +
			`"ResultPath":null,"Next":"U"},"U":{"Type":"Pass",` +
			`"Parameters":{"k.$":"$.log.Body.key"},"End":true}}}`,
		fixtures: `{"version":1,"input":{"a":1},"tasks":{"Log":[{"output":{"Body":{"key":1}}}]}}`,
		want: `Log discards its result (ResultPath null), which has Body.key: "ResultPath": "$.log" ` +
			`makes it $.log.Body.key`,
	},
	{
		name: "a part of the context object",
		definition: `{"StartAt":"A","States":{"A":{"Type":"Pass","Parameters":{"at.$":"$$.EnteredTime"},` +
			`"End":true}}}`,
		fixtures: `{"version":1,"input":{},"tasks":{}}`,
		want:     `it is at $$.State.EnteredTime = "`,
	},
	{
		name:       "a time that is a word",
		definition: `{"StartAt":"W","States":{"W":{"Type":"Wait","SecondsPath":"$.delay","End":true}}}`,
		fixtures:   `{"version":1,"input":{"delay":"x","n":{"s":3}},"tasks":{}}`,
		want:       `$.delay is the string "x", and SecondsPath takes a number; numbers here: $.n.s`,
	},
	{
		name: "a bound that is a word",
		definition: `{"StartAt":"Each","States":{"Each":{"Type":"Map","ItemsPath":"$.l",` +
			`"MaxConcurrencyPath":"$.c","ItemProcessor":{"StartAt":"P",` +
			`"States":{"P":{"Type":"Pass","End":true}}},"End":true}}}`,
		fixtures: `{"version":1,"input":{"c":"zz","l":[1,2],"k":4},"tasks":{}}`,
		want:     `$.c is the string "zz", and MaxConcurrencyPath takes a number; numbers here: $.k`,
	},
}

// TestNeverMade: run, why and trace origin say with the same words where else a missing value is, or which state would
// have made it.
func TestNeverMade(t *testing.T) {
	for _, c := range never {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(testkit.New(t, map[string]string{"a.asl.json": c.definition, "f.json": c.fixtures}))
			for _, args := range []string{
				"run a.asl.json --fixtures f.json --trace a.trace", "why a.trace", "trace origin a.trace",
			} {
				text := told(t, args)
				if !strings.Contains(text, c.want) {
					t.Errorf("asldb %s does not say %q:\n%s", args, c.want, text)
				}
				if strings.Contains(text, "did you mean") || strings.Contains(text, "No data on its way") {
					t.Errorf("asldb %s says more:\n%s", args, text)
				}
			}
		})
	}
}

// told runs a command, and returns all that it prints.
func told(t *testing.T, args string) string { return toldOf(t, args, "") }

// toldOf is told of a command that reads lines.
func toldOf(t *testing.T, args, lines string) string {
	t.Helper()
	var out, errs bytes.Buffer
	Main(strings.Fields(args), strings.NewReader(lines), &out, &errs)
	return out.String() + errs.String()
}

// TestLostInTheFirstLine: the first line names the state that lost the value for which another one failed.
func TestLostInTheFirstLine(t *testing.T) {
	for _, c := range never {
		if !strings.HasPrefix(c.name, "28") {
			continue
		}
		t.Chdir(testkit.New(t, map[string]string{"a.asl.json": c.definition, "f.json": c.fixtures}))
		for _, args := range []string{"run a.asl.json --fixtures f.json --trace a.trace", "why a.trace"} {
			first, _, _ := strings.Cut(told(t, args), "\n")
			if !strings.Contains(first, "catcher 1 of Charge lost $.orderId") {
				t.Errorf("asldb %s begins with %q", args, first)
			}
		}
	}
}

// Each planted mistake is told with one sentence by run, why, a failing test and trace origin, and by validate as soon
// as it can know it.
func TestFacesOfPlantedMistakes(t *testing.T) {
	for _, p := range runs.Plants {
		t.Run(p.Name, func(t *testing.T) {
			t.Chdir(testkit.New(t, map[string]string{
				"a.asl.json": p.Definition, "a.fixtures.yaml": p.Fixtures(),
				"a.test.yaml": "version: 1\ndefinition: a.asl.json\ninclude: a.fixtures.yaml\n" +
					"cases: {a: {expect: {status: SUCCEEDED}}}\n",
			}))
			faces := []string{
				"run a.asl.json --trace a.trace", "why a.trace", "test a.test.yaml",
				"debug a.asl.json --plain --no-state",
			}
			if strings.Contains(p.Said, " is missing") {
				faces = append(faces, "trace origin a.trace")
			}
			static, known := p.Static()
			if text := told(t, "validate a.asl.json"); known != strings.Contains(text, "warning: "+static) {
				t.Errorf("validate says %q: want %v\n%s", static, known, text)
			}
			text, said := told(t, "validate a.asl.json --fixtures a.fixtures.yaml"), p.Checked()
			if said != "" && !strings.Contains(text, "warning: "+said) || !strings.Contains(text, p.Lost()) {
				t.Errorf("validate with fixtures lacks %q:\n%s", said, text)
			}
			for _, untrue := range []string{"no data on its way had it", "no way leads from it"} {
				if strings.Contains(text, untrue) {
					t.Errorf("validate with fixtures says %q:\n%s", untrue, text)
				}
			}
			for _, args := range faces {
				text := toldOf(t, args, "continue\n")
				for _, part := range []string{p.Said, p.Advice, p.Lost()} {
					if !strings.Contains(text, part) {
						t.Errorf("asldb %s lacks %q:\n%s", args, part, text)
					}
				}
			}
		})
	}
}
