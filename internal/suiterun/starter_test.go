package suiterun_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/fixtures/mocks"
	"asldb/internal/definitions"
	"asldb/internal/project"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
)

// make writes a definition and makes its suite; each case of it must pass.
func makeSuite(t *testing.T, definition string) *suiterun.Suite {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "order.asl.json")
	if err := os.WriteFile(file, []byte(definition), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := suiterun.OpenCase(definitions.Definition{File: file}, suiterun.Settings{Limits: engine.ServiceLimits()})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "order.test.yaml")
	made, err := suiterun.Make(name, file, m)
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
	if len(s.Cases) != made.Cases || s.Definition().File != file {
		t.Errorf("%d cases, %d said; definition %s", len(s.Cases), made.Cases, s.Definition().File)
	}
	for _, c := range s.Cases {
		if r, _ := suiterun.RunCase(c, m, suiterun.CaseOptions{}); r.Kind != suite.Passed {
			t.Errorf("%s: %v %s %+v\n%s", c.Name, r.Kind, r.Reason, r.Findings, made.Text)
		}
	}
	return made
}

// The demo has a case for its good end, for each rule, retrier and catcher.
func TestDemo(t *testing.T) {
	made := makeSuite(t, string(definitions.DemoDefinition))
	for _, want := range []string{
		`"succeeds":`, `"PaymentDue takes $.validation.valid = false":`, `"PaymentDue takes Default":`,
		`"ChargeCard retries Card.Timeout":`,
		`"ChargeCard catches Card.Declined":`, `"NotifyCustomer catches Some.Error":`,
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
func TestPolling(t *testing.T) {
	made := makeSuite(t, `{"StartAt":"Check","States":{
		"Check":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:check","Next":"Ready"},
		"Ready":{"Type":"Choice","Choices":[{"Variable":"$.status","StringEquals":"READY","Next":"Done"}],"Default":"Hold"},
		"Hold":{"Type":"Wait","Seconds":5,"Next":"Check"},"Done":{"Type":"Succeed"}}}`)
	if text := string(made.Text); !strings.Contains(text,
		`path: ["Check", "Ready", "Hold", "Check", "Ready", "Done"]`) || strings.Contains(text, "States.Runtime") {
		t.Errorf("%s", text)
	}
}

// A handler behind one that takes the same error is not reached, and said so.
func TestUnreached(t *testing.T) {
	made := makeSuite(t, `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","End":true,
		"Retry":[{"ErrorEquals":["Busy"],"MaxAttempts":0}],
		"Catch":[{"ErrorEquals":["E"],"Next":"B"},{"ErrorEquals":["E"],"Next":"B"}]},"B":{"Type":"Fail","Error":"$odd"}}}`)
	if strings.Join(made.Unreached, "|") != "A catches E" || made.Cases != 2 {
		t.Errorf("%d cases, not reached: %v\n%s", made.Cases, made.Unreached, made.Text)
	}
}

// A long path is cut in the middle.
func TestLongPath(t *testing.T) {
	made := makeSuite(t, `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Next":"C","Retry":[{"ErrorEquals":["States.ALL"]}]},
		"C":{"Type":"Choice","Default":"A","Choices":[{"Variable":"$$.Execution.Name","StringEquals":"never","Next":"D"}]},"D":{"Type":"Succeed"}}}`)
	if len(made.Unreached) == 0 {
		t.Errorf("a loop without end ended:\n%s", made.Text)
	}
}

// The cases of fixtures become cases with the expectations that their runs meet; without cases the file is one.
func TestFrom(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		definitions.DefinitionName: string(definitions.DemoDefinition),
		definitions.FixturesName:   string(definitions.Fixtures),
		project.FileName:           "", "cases.yaml": "version: 1\ninclude: order.fixtures.yaml\ncases:\n  declined: {tasks: {ChargeCard: [{error: Card.Declined}]}}\n  \"it's: fine\":\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, err := suiterun.OpenCase(definitions.Definition{File: filepath.Join(dir, definitions.DefinitionName)},
		suiterun.Settings{Limits: engine.ServiceLimits()})
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]string{
		"cases.yaml": {`"declined":`, "status: FAILED", `error: "Order.Rejected"`, `"it's: fine":`,
			`include: ["../cases.yaml"]`, `definition: "../order.asl.json"`},
		definitions.FixturesName: {`"order.fixtures":`, `"OrderCompleted"]`},
	} {
		name := filepath.Join(dir, file)
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		read, err := mocks.Load(name, data)
		if err != nil {
			t.Fatal(err)
		}
		suiteName := filepath.Join(dir, "sub", "a.test.yaml")
		made, err := suiterun.From(suiteName, filepath.Join(dir, definitions.DefinitionName), m, read)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(string(made.Text), text) {
				t.Errorf("%s: it lacks %s:\n%s", file, text, made.Text)
			}
		}
		s, err := suite.Load(suiteName, made.Text)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Cases {
			if r, _ := suiterun.RunCase(c, m, suiterun.CaseOptions{}); r.Kind != suite.Passed {
				t.Errorf("%s: %v %s", c.Name, r.Kind, r.Reason)
			}
		}
		if len(made.Unreached) > 0 || made.Cases != len(s.Cases) {
			t.Errorf("%v, %d cases", made.Unreached, made.Cases)
		}
	}
}
