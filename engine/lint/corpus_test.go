package lint

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit"
	"asldb/internal/testkit/runs"
)

// judged returns the complaints of a table in testdata, each with the reason why it is right.
func judged(t *testing.T, name string) map[string]bool {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	list := make(map[string]bool)
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		if line := lines.Text(); line != "" && !strings.HasPrefix(line, "#") {
			fields := strings.Split(line, "\t")
			if len(fields) != 5 || fields[4] == "" {
				t.Fatalf("not file, severity, rule, pointer and judgement: %q", line)
			}
			list[strings.Join(fields[:4], "\t")] = true
		}
	}
	return list
}

// against compares complaints with the table of those that were judged, both ways.
func against(t *testing.T, found map[string]string, judged map[string]bool) {
	t.Helper()
	for key, text := range found {
		if !judged[key] {
			t.Errorf("not judged: %s\n%s", key, text)
		}
		delete(judged, key)
	}
	for key := range judged {
		t.Errorf("judged, but not found: %s", key)
	}
}

// TestPublishedWorkflows: every complaint about workflows that are in use is in a table, with why it is right.
func TestPublishedWorkflows(t *testing.T) {
	dir := testkit.Dir(t, "workflows")
	var index struct {
		Entries []struct {
			File, Format string
			StrictJSON   bool `json:"strict_json"`
		}
	}
	if err := json.Unmarshal(testkit.Read(t, dir, "index.json"), &index); err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	checked := 0
	for _, entry := range index.Entries {
		if entry.Format == "json" && !entry.StrictJSON {
			continue
		}
		_, problems := find(string(testkit.Read(t, dir, entry.File)), Options{})
		checked++
		for _, d := range problems {
			found[strings.Join([]string{filepath.Base(entry.File), d.Severity.String(), d.Rule, d.Pointer}, "\t")] = d.Format()
		}
	}
	against(t, found, judged(t, "workflows.tsv"))
	t.Logf("%d workflows, %d complaints, all judged", checked, len(found))
	if checked < 170 {
		t.Errorf("only %d workflows were checked", checked)
	}
}

// TestRecordedDefinitions: the findings in definitions that the service ran are in a table too; many of them were
// made to go wrong.
func TestRecordedDefinitions(t *testing.T) {
	found := make(map[string]string)
	checked := 0
	for _, c := range runs.LoadAWS(t) {
		if c.Kind == "validation" || c.Kind == "test-state" {
			continue
		}
		_, problems := find(string(c.Definition), Options{})
		checked++
		for _, d := range problems {
			found[strings.Join([]string{c.Name, d.Severity.String(), d.Rule, d.Pointer}, "\t")] = d.Format()
		}
	}
	against(t, found, judged(t, "recorded.tsv"))
	t.Logf("%d definitions, %d complaints, all judged", checked, len(found))
	if checked < 150 {
		t.Errorf("only %d definitions were checked", checked)
	}
}

// TestVariableReferences compares the variables that states read with those in the service's answers
// (variableReferences of DescribeStateMachine).
func TestVariableReferences(t *testing.T) {
	compared := 0
	for _, c := range runs.LoadAWS(t) {
		var want map[string][]string
		recorded := c.Expect.Get("variableReferences")
		if recorded == nil {
			continue
		}
		if err := json.Unmarshal(valueText(recorded), &want); err != nil {
			t.Fatal(err)
		}
		machine, problems := asl.Parse(&source.File{Name: "t.json", Data: c.Definition})
		if machine == nil {
			t.Fatalf("%s: %v", c.Name, problems)
		}
		compared++
		got := Variables(machine)
		for state, names := range want {
			slices.Sort(names)
			if !slices.Equal(names, got[state]) {
				t.Errorf("%s: %s reads %v, recorded %v", c.Name, state, got[state], names)
			}
			delete(got, state)
		}
		for state, names := range got {
			t.Errorf("%s: %s reads %v, recorded nothing", c.Name, state, names)
		}
	}
	if compared < 8 {
		t.Errorf("only %d were compared", compared)
	}
}

func valueText(v value.Value) []byte { return value.Append(nil, v) }
