package suiterun_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/fixtures/mocks"
	"asldb/internal/definitions"
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

// A machine that times out, and one that fails without an error name.
func TestStatuses(t *testing.T) {
	made := makeSuite(t, `{"StartAt":"W","TimeoutSeconds":5,"States":{"W":{"Type":"Wait","Seconds":60,"End":true}}}`)
	if !strings.Contains(string(made.Text), "status: TIMED_OUT") {
		t.Errorf("no timeout:\n%s", made.Text)
	}
	made = makeSuite(t, `{"StartAt":"F","States":{"F":{"Type":"Fail"}}}`)
	if !strings.Contains(string(made.Text), "status: FAILED") || strings.Contains(string(made.Text), "error:") {
		t.Errorf("no failure without a name:\n%s", made.Text)
	}
}
