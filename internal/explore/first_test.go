package explore_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/internal/definitions"
	"asldb/internal/explore"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/testkit"
)

// plain are the options of a suite without further faults.
var plain explore.FirstOptions

// firstSuite makes the first suite of a definition; each case of it must pass, and none may be another's twin.
func firstSuite(t *testing.T, definition string, o explore.FirstOptions) *suiterun.Suite {
	t.Helper()
	m := open(t, definition)
	name := filepath.Join(filepath.Dir(m.Definition.File), "order.test.yaml")
	made, err := explore.FirstSuite(context.Background(), name, m, o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := suite.Load(name, made.Text)
	if err != nil {
		t.Fatalf("%v\n%s", err, made.Text)
	}
	if err := suiterun.CheckCase(s, m); err != nil {
		t.Error(err)
	}
	if len(s.Cases) != made.Cases || s.Definition().File != m.Definition.File {
		t.Errorf("%d cases, %d said; definition %s", len(s.Cases), made.Cases, s.Definition().File)
	}
	for _, c := range s.Cases {
		r, _ := suiterun.RunCase(c, m, suiterun.CaseOptions{})
		if want := map[bool]suite.Kind{false: suite.Passed, true: suite.New}[o.Snapshots]; r.Kind != want {
			t.Errorf("%s: %v %s %+v\n%s", c.Name, r.Kind, r.Reason, r.Findings, made.Text)
		}
	}
	seen := map[string]string{}
	_, cases, _ := strings.Cut(string(made.Text), "\ncases:")
	for text := range strings.SplitSeq(cases, "\n  \"") {
		if name, body, ok := strings.Cut(text, "\":\n"); ok {
			gives, _, _ := strings.Cut(strings.ReplaceAll(body, "    snapshot:", "    expect:"), "    expect:")
			if twin, known := seen[gives]; known {
				t.Errorf("%q gives the same as %q", name, twin)
			}
			seen[gives] = name
		}
	}
	return made
}

// The demo has a case for its good end, for each rule, retrier and catcher.
func TestFirstSuite(t *testing.T) {
	made := firstSuite(t, string(definitions.DemoDefinition), plain)
	for _, want := range []string{
		`"succeeds":`, `"PaymentDue takes $.validation.valid = false, ends FAILED with Order.Rejected":`,
		`"PaymentDue takes Default":`,
		`"ChargeCard retries Card.Timeout":`,
		`"ChargeCard catches Card.Declined, ends FAILED with Order.Rejected":`, `"NotifyCustomer catches Some.Error":`,
		`"PickLine catches Stock.Short":`,
		`states: {"ChargeCard": {retries: 1}}`, `states: {"PaymentDue": {rule: default}}`,
		"definition: \"order.asl.json\"\n",
	} {
		if !strings.Contains(string(made.Text), want) {
			t.Errorf("the suite lacks %s", want)
		}
	}
	if len(made.Unreached) != 0 {
		t.Errorf("not reached: %v", made.Unreached)
	}
	if t.Failed() {
		t.Logf("%s", made.Text)
	}
}

// The case of a rule that leads back to a task, as in a machine that polls, goes that way and then to the end.
func TestFirstSuitePolls(t *testing.T) {
	made := firstSuite(t, `{"StartAt":"Check","States":{
		"Check":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:check","Next":"Ready"},
		"Ready":{"Type":"Choice","Default":"Hold",
			"Choices":[{"Variable":"$.status","StringEquals":"READY","Next":"Done"}]},
		"Hold":{"Type":"Wait","Seconds":5,"Next":"Check"},"Done":{"Type":"Succeed"}}}`, plain)
	if text := string(made.Text); !strings.Contains(text,
		`path: ["Check", "Ready", "Hold", "Check", "Ready", "Done"]`) || strings.Contains(text, "States.Runtime") {
		t.Errorf("%s", text)
	}
}

// A handler behind one that takes the same error is not reached, and said so.
func TestFirstSuiteUnreached(t *testing.T) {
	made := firstSuite(t, `{"StartAt":"A","States":{"A":{"Type":"Task","End":true,
		"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f",
		"Retry":[{"ErrorEquals":["Busy"],"MaxAttempts":0}],
		"Catch":[{"ErrorEquals":["E"],"Next":"B"},{"ErrorEquals":["E"],"Next":"B"}]},
		"B":{"Type":"Fail","Error":"$odd"}}}`, plain)
	if strings.Join(made.Unreached, "|") != "A catches E" || made.Cases != 2 {
		t.Errorf("%d cases, not reached: %v\n%s", made.Cases, made.Unreached, made.Text)
	}
}

// A long path is cut in the middle.
func TestFirstSuiteLongPath(t *testing.T) {
	made := firstSuite(t, `{"StartAt":"A","States":{"A":{"Type":"Task","Next":"C",
		"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Retry":[{"ErrorEquals":["States.ALL"]}]},
		"C":{"Type":"Choice","Default":"A",
			"Choices":[{"Variable":"$$.Execution.Name","StringEquals":"never","Next":"D"}]},
		"D":{"Type":"Succeed"}}}`, plain)
	if len(made.Unreached) == 0 {
		t.Errorf("a loop without end ended:\n%s", made.Text)
	}
}

// The members that a service always gives are in a result: its answer is none without them, and both ways of the Choice
// state are reached.
func TestFirstSuiteRequired(t *testing.T) {
	made := firstSuite(t, `{"StartAt":"Describe","States":{
		"Describe":{"Type":"Task","Resource":"arn:aws:states:::aws-sdk:appflow:describeFlow",
			"Parameters":{"FlowName.$":"$.flow"},"ResultPath":"$.c","Next":"ToS3"},
		"ToS3":{"Type":"Choice","Choices":[{"Variable":"$.c.DestinationFlowConfigList[0].ConnectorType",
			"StringEquals":"S3","Next":"Good"}],"Default":"Other"},
		"Good":{"Type":"Succeed"},"Other":{"Type":"Pass","End":true}}}`, plain)
	if n := strings.Count(string(made.Text), "SUCCEEDED"); n != 2 || len(made.Unreached) > 0 {
		t.Errorf("%d cases succeed, not reached: %v\n%s", n, made.Unreached, made.Text)
	}
}

// A case whose run fails is not said to succeed, and the reason of the service is beside it.
func TestFirstSuiteFails(t *testing.T) {
	made := firstSuite(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","Result":{},"Next":"B"},
		"B":{"Type":"Pass","InputPath":"$.x.none","End":true}}}`, plain)
	for _, want := range []string{`"ends FAILED with States.Runtime":`, "# States.Runtime: "} {
		if !strings.Contains(string(made.Text), want) {
			t.Errorf("it lacks %s:\n%s", want, made.Text)
		}
	}
}

// With faults all of the demo is covered: errors that nothing handles are one table, a used-up retrier, a time limit, a
// Map state without items and an iteration that fails have cases. Snapshots are in place of paths.
func TestFirstSuiteOfFaults(t *testing.T) {
	for _, snapshots := range []bool{false, true} {
		o := explore.FirstOptions{Faults: true, Snapshots: snapshots}
		made := firstSuite(t, string(definitions.DemoDefinition), o)
		if share := made.Coverage.Share(); share.Percent() != 100 {
			t.Errorf("%d %% are covered: %v", share.Percent(), made.Coverage.Missing())
		}
		for _, want := range []string{
			"table:\n", `{task: "ChargeCard", error: "Card.Timeout", last: "ChargeCard"}`, "after: 31s", "lines: []",
			`"{{task}} fails with {{error}}, and so does the execution":`,
		} {
			if !strings.Contains(string(made.Text), want) {
				t.Errorf("it lacks %s:\n%s", want, made.Text)
			}
		}
		if got := strings.Contains(string(made.Text), "snapshot: true"); got != snapshots {
			t.Errorf("snapshots: %v\n%s", got, made.Text)
		}
	}
}

// Of published definitions each case passes, and of most the cases with faults cover nine parts in ten.
func TestFirstSuiteCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Dir(t, "workflows"), "files", "*.asl.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	var shares []int
	for i, file := range files {
		if !everyFile && i%9 != 0 {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		made := firstSuite(t, string(data), explore.FirstOptions{Faults: true})
		shares = append(shares, made.Coverage.Share().Percent())
	}
	slices.Sort(shares)
	enough := slices.DeleteFunc(slices.Clone(shares), func(n int) bool { return n < 90 })
	if len(enough)*4 < len(shares)*3 {
		t.Errorf("%d of %d suites cover 90 %%: %v", len(enough), len(shares), shares)
	}
}

// A machine that times out, and one that fails without an error name.
func TestFirstSuiteStatuses(t *testing.T) {
	made := firstSuite(t, `{"StartAt":"W","TimeoutSeconds":5,"States":{
		"W":{"Type":"Wait","Seconds":60,"End":true}}}`, plain)
	if !strings.Contains(string(made.Text), "status: TIMED_OUT") {
		t.Errorf("no timeout:\n%s", made.Text)
	}
	made = firstSuite(t, `{"StartAt":"F","States":{"F":{"Type":"Fail"}}}`, plain)
	if !strings.Contains(string(made.Text), "status: FAILED") || strings.Contains(string(made.Text), "error:") {
		t.Errorf("no failure without a name:\n%s", made.Text)
	}
}
