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

const twoTasks = `{"StartAt":"Ask","States":{
	"Ask":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:ask","Next":"Tell","TimeoutSeconds":5},
	"Tell":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:tell","End":true}}}`

// from writes a suite with the cases of a mock file about twoTasks.
func from(t *testing.T, file, text string) (*suiterun.Suite, *suiterun.Machine, string, error) {
	t.Helper()
	dir := t.TempDir()
	definition := filepath.Join(dir, "two.asl.json")
	if err := os.WriteFile(definition, []byte(twoTasks), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := suiterun.OpenCase(definitions.Definition{File: definition},
		suiterun.Settings{Limits: engine.ServiceLimits()})
	if err != nil {
		t.Fatal(err)
	}
	read, err := mocks.Load(filepath.Join(dir, file), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "two.test.yaml")
	made, err := suiterun.From(name, definition, m, read)
	return made, m, name, err
}

// The mocks of another program become a part of the suite. A case without an end is skipped, and one about another
// state machine is left out.
func TestFromMocks(t *testing.T) {
	const config = `{"StateMachines": {"Two": {"TestCases": {
		"fine": {"Ask": "asked", "Tell": "told"}, "slow": {"Ask": "late", "Tell": "told"}, "half": {"Ask": "asked"}, "other": {"Elsewhere": "told"}, "live": {}}}},
		"MockedResponses": {"asked": {"0": {"Return": {"answer": 42}}}, "told": {"0": {"Return": "ok"}},
		"late": {"0": {"Throw": {"Error": "Late", "Cause": "too slow"}}}}}`
	made, m, name, err := from(t, "MockConfigFile.json", config)
	if err != nil {
		t.Fatal(err)
	}
	s, err := suite.Load(name, made.Text)
	if err != nil {
		t.Fatalf("%v\n%s", err, made.Text)
	}
	want := map[string]suite.Kind{"fine": suite.Passed, "slow": suite.Passed, "half": suite.Skipped,
		"live": suite.Skipped}
	for _, c := range s.Cases {
		if r, _ := suiterun.RunCase(c, m, suiterun.CaseOptions{}); r.Kind != want[c.Name] {
			t.Errorf("%s: %v %s, want %v", c.Name, r.Kind, r.Reason, want[c.Name])
		}
		delete(want, c.Name)
	}
	if len(want) > 0 || made.Cases != 4 {
		t.Errorf("%d cases; missing: %v\n%s", made.Cases, want, made.Text)
	}
	unreached := strings.Join(made.Unreached, "\n")
	for _, part := range []string{"half: ", "live: ", "other: left out: ", `"Elsewhere"`} {
		if !strings.Contains(unreached, part) {
			t.Errorf("the cases that are not reached lack %s:\n%s", part, unreached)
		}
	}
	for _, part := range []string{`error: "Late"`, `path: ["Ask"]`, `path: ["Ask", "Tell"]`} {
		if !strings.Contains(string(made.Text), part) {
			t.Errorf("the suite lacks %s:\n%s", part, made.Text)
		}
	}
}

// What the cases have in common stays common.
func TestFromCommonMocks(t *testing.T) {
	made, m, name, err := from(t, "two.mock.yaml",
		"mocks:\n- {state: Ask, type: fixed, response: 1}\n- {state: Tell, type: fixed, response: 2}\n")
	if err != nil {
		t.Fatal(err)
	}
	s, err := suite.Load(name, made.Text)
	if err != nil || len(s.Cases) != 1 || s.Cases[0].Name != "two.mock" || len(made.Unreached) > 0 {
		t.Fatalf("%v, %v\n%s", err, made.Unreached, made.Text)
	}
	if r, _ := suiterun.RunCase(s.Cases[0], m, suiterun.CaseOptions{}); r.Kind != suite.Passed {
		t.Errorf("%v %s\n%s", r.Kind, r.Reason, made.Text)
	}
}

// Mocks without a case about the definition give no suite.
func TestFromOtherMocks(t *testing.T) {
	_, _, _, err := from(t, "MockConfigFile.json",
		`{"StateMachines": {"Other": {"TestCases": {"c": {"Elsewhere": "r"}}}}, "MockedResponses": {"r": {"0": {"Return": 1}}}}`)
	if err == nil || !strings.Contains(err.Error(), "no case of ") {
		t.Errorf("err = %v", err)
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

// Recorded executions become a case for each way that they took, and the number of those that took it. One of another
// definition has none.
func TestFromRecorded(t *testing.T) {
	dir := t.TempDir()
	definition := filepath.Join(dir, definitions.DefinitionName)
	if err := os.WriteFile(definition, definitions.DemoDefinition, 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := suiterun.OpenCase(definitions.Definition{File: definition}, suiterun.Settings{Limits: engine.ServiceLimits()})
	if err != nil {
		t.Fatal(err)
	}
	var list []suiterun.RecordedExecution
	for _, name := range []string{"paid", "declined", "paid", "other"} {
		file := filepath.Join(dir, name+".json")
		text := []byte(`{"events":[{"id":1,"timestamp":1,"type":"ExecutionStarted","executionStartedEventDetails":{"input":"{}"}},` +
			`{"id":2,"previousEventId":0,"timestamp":2,"type":"PassStateEntered","stateEnteredEventDetails":{"name":"X","input":"{}"}}]}`)
		if name != "other" {
			var err error
			if text, err = os.ReadFile(filepath.Join("..", "definitions", "recorded", name+".json")); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		list = append(list, suiterun.RecordedExecution{Files: []string{file}})
	}
	name := filepath.Join(dir, "ways.test.yaml")
	made, err := suiterun.FromRecorded(name, definition, m, list)
	if err != nil {
		t.Fatal(err)
	}
	s, err := suite.Load(name, made.Text)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"ValidateOrder, PaymentDue, ChargeCard, OrderRejected, ends FAILED with Order.Rejected":`, "# 2 executions took this way.",
		`history: ["paid.json"]`,
	} {
		if !strings.Contains(string(made.Text), want) {
			t.Errorf("it lacks %s:\n%s", want, made.Text)
		}
	}
	for _, c := range s.Cases {
		if r, _ := suiterun.RunCase(c, m, suiterun.CaseOptions{}); r.Kind != suite.Passed {
			t.Errorf("%s: %v %s", c.Name, r.Kind, r.Reason)
		}
	}
	if made.Cases != 2 || len(made.Unreached) != 1 || !strings.Contains(made.Unreached[0], "other.json") {
		t.Errorf("%d cases, %v", made.Cases, made.Unreached)
	}
}
