package dap

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"asldb/engine"
	"asldb/internal/launch"
)

// filled returns the arguments of a launch request.
func filled(t *testing.T, content string) (*launchArguments, error) {
	t.Helper()
	given := &launchArguments{}
	if err := json.Unmarshal([]byte(content), given); err != nil {
		t.Fatal(err)
	}
	return given, given.fill()
}

// The rows of the table of flags are attributes: the attributes of a run that debug has by flags.
func TestAttributesAreRows(t *testing.T) {
	given, err := filled(t, `{"program": "order.asl.json", "cwd": "/w", "mockConfig": "mocks.json", "case": "Main#Happy",
		"noLimits": true, "maxHistory": 7,
		"substitutions": {"B": "2", "A": "1"}, "input": {"id": 1}, "seed": 0, "noFixtures": true,
		"machineType": "express", "allowLive": true}`)
	if err != nil {
		t.Fatal(err)
	}
	s := given.spec(Options{})
	if s.Definition.File != filepath.Join("/w", "order.asl.json") || s.Fixtures.Name != filepath.Join("/w", "mocks.json") ||
		!s.Fixtures.MockConfig ||
		s.Fixtures.Case != "Main#Happy" || s.Fixtures.Default || s.Limits != (engine.Limits{History: 7}) ||
		s.Input.Text != `{"id": 1}` || *s.Seed != 0 ||
		!slices.Equal(s.Definition.Substitute, []string{"A=1", "B=2"}) || s.Definition.Type != "express" ||
		!s.BreakUncaught || given.AllowLive == nil {
		t.Errorf("%+v", s)
	}
	given, err = filled(t, `{"program": "order.asl.json", "history": ["a.json", "b.json"], "attempt": 2,
		"execution": "arn", "input": "in.json", "fixtures": ""}`)
	if err != nil {
		t.Fatal(err)
	}
	s = given.spec(Options{})
	if !slices.Equal(s.History.Files, []string{"a.json", "b.json"}) || s.History.Attempt != 2 || s.History.Execution != "arn" ||
		s.Input.Text != "in.json" ||
		s.Limits != engine.ServiceLimits() || !s.Fixtures.Default {
		t.Errorf("%+v", s)
	}
	given, err = filled(t, `{"redrive": "run.trace", "redriveInput": [1], "redriveTime": "2026-01-01T00:00:00Z"}`)
	r := given.given.Spec.Redrive
	if err != nil || r.File != "run.trace" || r.Input.Text != "[1]" || r.Time.Year() != 2026 || given.check(false) != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// Attributes that do not go together, and wrong values, are told by the names that the user wrote.
func TestWrongAttributes(t *testing.T) {
	for content, want := range map[string]string{
		`{"fixtures": "a", "mockConfig": "b"}`:      "fixtures and mockConfig exclude each other: give one of them",
		`{"program": "a", "attempt": 2}`:            "attempt is for an execution that is run again: name it with history, or in asldb debug with execution",
		`{"redriveInput": 1}`:                       "redriveInput and redriveTime are for redrive",
		`{"test": "a:b", "trace": "c"}`:             "test takes all from the case, and excludes trace",
		`{"test": "a:b", "input": {}}`:              "test takes all from the case, and excludes input",
		`{"program": "a", "maxHistory": -1}`:        `maxHistory is a number from 0, not "-1"`,
		`{"program": "a", "maxHistory": 1.5}`:       "maxHistory should be a whole number, not 1.5",
		`{"program": "a", "noLimits": "yes"}`:       `noLimits should be true or false, not "yes"`,
		`{"program": "a", "history": ["b", 3]}`:     `history should be a text, or a list of texts, not ["b", 3]`,
		`{"program": "a", "stop": "soon"}`:          `stop: it begins with the time after the start: "soon" is not a duration; write it like 90s, 1m30s or 2d12h`,
		`{"program": "a", "substitutions": [1, 2]}`: "substitutions should be the name of a file, or an object whose values are texts, not [1, 2]",
	} {
		if _, err := filled(t, content); err == nil || err.Error() != want {
			t.Errorf("%s: %v", content, err)
		}
	}
}

// An editor gives its own members of a launch configuration, too: no attribute has the name of one.
func TestAttributesOfTheEditor(t *testing.T) {
	for _, row := range launch.Flags(launch.Edited) {
		if name := row.Attribute(); slices.Contains([]string{"type", "request", "name"}, name) {
			t.Errorf("--%s is the attribute %q, which is the editor's own", row.Name, name)
		}
	}
}
