package cli

import (
	"strings"
	"testing"

	"asldb/internal/testkit"
)

// noticedRuns are runs that succeed, and the one fact that they notice. Those with a number are the rows of the
// reference on the flow of data.
var noticedRuns = []struct{ name, definition, fixtures, want string }{
	{
		name: "32 a rule that can't hold",
		definition: `{"StartAt":"Gate","States":{"Gate":{"Type":"Choice",` +
			`"Choices":[{"Variable":"$.customer.score",` +
			`"NumericGreaterThan":700,"Next":"Good"}],"Default":"Bad"},"Good":{"Type":"Succeed"},` +
			`"Bad":{"Type":"Succeed"}}}`,
		fixtures: `{"version":1,"input":{"customer":{"score":"742"}},"tasks":{}}`,
		want:     `Gate: rule 1 can't hold: $.customer.score is the string "742"; NumericGreaterThan compares numbers`,
	},
	{
		name: "33 a guard whose path is elsewhere",
		definition: `{"StartAt":"Gate","States":{"Gate":{"Type":"Choice",` +
			`"Choices":[{"And":[{"Variable":"$.s","IsPresent":true},{"Variable":"$.s",` +
			`"StringEquals":"x"}],"Next":"Good"}],"Default":"Bad"},"Good":{"Type":"Succeed"},` +
			`"Bad":{"Type":"Succeed"}}}`,
		fixtures: `{"version":1,"input":{"Payload":{"s":"x"}},"tasks":{}}`,
		want:     `Gate: took Default and not rule 1, since $.s is missing; it is at $.Payload.s`,
	},
	{
		name: "34 a member that is left out",
		definition: `{"StartAt":"Bill","States":{"Bill":{"Type":"Pass",` +
			`"Output":"{% {'net': $states.input.net, 'tax': $states.input.net * $states.input.vat} %}",` +
			`"End":true}},"QueryLanguage":"JSONata"}`,
		fixtures: `{"version":1,"input":{"net":10},"tasks":{}}`,
		want:     `Bill: the member tax was left out: $states.input.vat is missing`,
	},
	{
		name: "35 a catcher that dropped the input",
		definition: `{"StartAt":"Charge","States":{"Charge":{"Type":"Task",` +
			`"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f",` +
			`"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Done"}],"End":true},` +
			`"Done":{"Type":"Succeed"}}}`,
		fixtures: `{"version":1,"input":{"orderId":1},"tasks":{"Charge":[{"error":"Boom","cause":"no"}]}}`,
		want:     `Charge: catcher 1 dropped 1 member (orderId)`,
	},
	{
		name: "a result that nothing read",
		definition: `{"StartAt":"Log","States":{"Log":{"Type":"Task",` +
			`"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","ResultPath":"$.log",` +
			`"Next":"P"},"P":{"Type":"Pass","InputPath":"$.order","End":true}}}`,
		fixtures: `{"version":1,"input":{"order":{"id":1}},"tasks":{"Log":[{"output":{"k":1}}]}}`,
		want:     `Log: nothing read its result`,
	},
	{
		name: "survived by a retry",
		definition: `{"StartAt":"Charge","States":{"Charge":{"Type":"Task",` +
			`"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f",` +
			`"Retry":[{"ErrorEquals":["States.ALL"]}],"End":true}}}`,
		fixtures: `{"version":1,"input":{},` +
			`"tasks":{"Charge":[{"error":"Card.Busy"},{"error":"Card.Busy"},{"output":1}]}}`,
		want: `Charge: Card.Busy was retried, 2 times`,
	},
	{
		name: "survived as tolerated",
		definition: `{"StartAt":"M","States":{"M":{"Type":"Map",` +
			`"ToleratedFailureCount":1,"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED",` +
			`"ExecutionType":"STANDARD"},"StartAt":"P","States":{"P":{"Type":"Task",` +
			`"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","End":true}}},` +
			`"End":true}}}`,
		fixtures: `{"version":1,"input":[1],"tasks":{"P":[{"error":"E"}]}}`,
		want:     `[0] P: E was tolerated by the Map state`,
	},
}

// TestNoticed: run says on standard error, and why as text and as JSON, which facts a run noticed that succeeded.
func TestNoticed(t *testing.T) {
	for _, c := range noticedRuns {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(testkit.New(t, map[string]string{"a.asl.json": c.definition, "f.json": c.fixtures}))
			run := "run a.asl.json --fixtures f.json --trace a.trace"
			for _, args := range []string{run, "why a.trace"} {
				said := c.want
				if strings.HasPrefix(c.name, "survived") && args != run { // why has a label for it
					said, _, _ = strings.Cut(c.want, ":")
					said = "survived  " + said
				}
				if text := told(t, args); !strings.Contains(text, said) {
					t.Errorf("asldb %s does not say %q:\n%s", args, c.want, text)
				}
			}
			document := strings.ReplaceAll(told(t, "why a.trace --format json"), `\"`, `"`)
			if !strings.Contains(document, c.want) {
				t.Errorf("the document has no %q:\n%s", c.want, document)
			}
			if text := told(t, run+" --quiet"); strings.Contains(text, "noticed") {
				t.Errorf("asldb run --quiet says\n%s", text)
			}
		})
	}
}

// TestNoticedInReports: the report of a case that fails has the facts that its run has noticed.
func TestNoticedInReports(t *testing.T) {
	for _, c := range noticedRuns[:4] {
		expect := map[string]string{"status": `"FAILED"`, "output": `{"another": 1}`}
		for key, wanted := range expect {
			cases := `{"version":1,"definition":"a.asl.json","cases":{"one":{"expect":{"` + key + `":` + wanted + `}}},`
			t.Chdir(testkit.New(t, map[string]string{
				"a.asl.json": c.definition, "s.test.yaml": strings.Replace(c.fixtures, `{"version":1,`, cases, 1),
			}))
			if text := told(t, "test s.test.yaml"); !strings.Contains(text, c.want) {
				t.Errorf("%s: the report with another %s has no %q:\n%s", c.name, key, c.want, text)
			}
		}
	}
}

// TestNothingNoticed: a run as its author expects it notices nothing.
func TestNothingNoticed(t *testing.T) {
	t.Chdir(testkit.New(t, map[string]string{
		"a.asl.json": `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage",` +
			`"Parameters":{"QueueUrl":"q","MessageBody.$":"$.a"},"ResultPath":"$.sent","Next":"C"},` +
			`"C":{"Type":"Choice","Choices":[{"Variable":"$.a","NumericGreaterThan":5,"Next":"E"},` +
			`{"And":[{"Variable":"$.b","IsPresent":true},` +
			`{"Variable":"$.b","StringEquals":"x"}],"Next":"E"}],"Default":"E"},"E":{"Type":"Succeed"}}}`,
		"f.json": `{"version":1,"input":{"a":1},"tasks":{"A":[{"output":{"MessageId":"m"}}]}}`,
	}))
	if text := told(t, "run a.asl.json --fixtures f.json"); strings.Contains(text, "noticed") {
		t.Errorf("it says\n%s", text)
	}
}
