package asl

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit"
)

// parseFile parses one file of a corpus.
func parseFile(t *testing.T, elements ...string) (*StateMachine, []Diagnostic, *Source) {
	t.Helper()
	src := &Source{Name: filepath.Base(filepath.Join(elements...)), Data: testkit.Read(t, elements...)}
	machine, diagnostics := Parse(src)
	for _, d := range diagnostics {
		checkDiagnostic(t, src, d)
	}
	return machine, diagnostics, src
}

// TestPublishedWorkflows parses workflows that are in use, which three other validators find no fault with.
func TestPublishedWorkflows(t *testing.T) {
	dir := testkit.Dir(t, "workflows")
	var index struct {
		Entries []struct {
			File, Format string
			StrictJSON   bool           `json:"strict_json"`
			Counts       map[string]any `json:"validator_problem_counts"` // a number, or why there is none
			States       int
		}
	}
	if err := json.Unmarshal(testkit.Read(t, dir, "index.json"), &index); err != nil {
		t.Fatal(err)
	}
	clean, accepted, others, othersAccepted := 0, 0, 0, 0
	for _, entry := range index.Entries {
		if entry.Format == "json" && !entry.StrictJSON {
			continue
		}
		machine, diagnostics, _ := parseFile(t, dir, entry.File)
		if slices.ContainsFunc(slices.Collect(maps.Values(entry.Counts)), func(n any) bool { return n != 0.0 }) {
			others++
			if machine != nil {
				othersAccepted++
			} else {
				t.Logf("%s (%v)\n%s", entry.File, entry.Counts, diagnostics[0].Format())
			}
			continue
		}
		clean++
		if machine == nil {
			t.Errorf("%s: refused:\n%s", entry.File, diagnostics[0].Format())
			continue
		}
		accepted++
		states := 0
		for s := range machine.All() {
			states++
			if machine.Lookup(s.Path()) != s || machine.Lookup(s.Name) != s {
				t.Errorf("%s: the state %q is not found by its name and path", entry.File, s.Path())
			}
		}
		if states != entry.States {
			t.Errorf("%s: %d states, want %d", entry.File, states, entry.States)
		}
	}
	t.Logf("clean: %d of %d accepted; with problems elsewhere: %d of %d accepted", accepted, clean, othersAccepted,
		others)
	if othersAccepted < 58 {
		t.Errorf("%d of %d workflows were accepted with which other validators find fault", othersAccepted, others)
	}
	if clean < 110 {
		t.Errorf("only %d clean workflows were read", clean)
	}
}

// TestKnownVerdicts compares with the verdicts that other validators' tests assert.
func TestKnownVerdicts(t *testing.T) {
	dir := testkit.Dir(t, "definitions")
	var index struct {
		Entries []struct {
			File, Format, Recommended string
			Twin                      string `json:"yaml_twin_of"`
			Fragment                  bool
			Problems                  []struct {
				Rule, Pointer string
				ToolArtifact  bool `json:"tool_artifact"`
			}
		}
	}
	if err := json.Unmarshal(testkit.Read(t, dir, "index.json"), &index); err != nil {
		t.Fatal(err)
	}
	disagreements := readDisagreements(t)
	verdicts := make(map[string]string)
	for _, entry := range index.Entries {
		verdicts[entry.File] = entry.Recommended
	}
	twins := 0
	count := map[string][2]int{} // by verdict: right, all
	problems, placed := 0, 0     // single problems, and those reported with the same kind at the same place
	for _, entry := range index.Entries {
		if entry.Fragment {
			continue
		}
		machine, diagnostics, src := parseFile(t, dir, entry.File)
		if entry.Twin != "" {
			// The same content in JSON, which was judged with more care.
			entry.Recommended = verdicts[entry.Twin]
			twins += sameAsTwin(t, src, machine, diagnostics, dir, entry.Twin)
		}
		c := count[entry.Recommended]
		c[1]++
		for _, problem := range entry.Problems {
			if problem.ToolArtifact {
				continue
			}
			key := entry.File + "\t" + problem.Rule + "\t" + problem.Pointer
			reason, excused := disagreements[key]
			if !strings.HasPrefix(reason, "measured: ") { // on the service, which no other validator was
				problems++
			}
			found := false
			for d := range source.WithImplied(diagnostics) {
				found = found || d.Rule == problem.Rule && d.Pointer == problem.Pointer
			}
			switch {
			case found && excused:
				t.Errorf("%s: reported as the corpus has it, and yet listed as a disagreement", key)
			case !found && !excused:
				t.Errorf("%s: want %s at %s, got\n%s", entry.File, problem.Rule, problem.Pointer,
					formatAll(src, diagnostics))
			case found:
				placed++
			}
			delete(disagreements, key)
		}
		switch entry.Recommended {
		case "valid", "needs-substitution":
			if machine != nil {
				c[0]++
			} else {
				t.Errorf("%s: refused:\n%s", entry.File, diagnostics[0].Format())
			}
		case "invalid", "invalid-at-aws":
			if machine == nil || slices.ContainsFunc(machine.Refused(rules.AWS), isError) {
				c[0]++
			} else {
				t.Errorf("%s: accepted; problems: %v", entry.File, entry.Problems)
			}
		}
		count[entry.Recommended] = c
	}
	t.Logf("right and all by verdict: %v; problems at their place: %d of %d", count, placed, problems)
	if twins < 19 {
		t.Errorf("only %d definitions in YAML were read as their twins in JSON", twins)
	}
	for key := range disagreements {
		t.Errorf("%s: listed as a disagreement, and not in the corpus", key)
	}
	if placed*100 < problems*97 {
		t.Errorf("%d of %d problems were reported at their place", placed, problems)
	}
	if c := count["valid"]; c[1] < 90 || c[0] != c[1] {
		t.Errorf("%d of %d valid definitions were accepted", c[0], c[1])
	}
	if c := count["invalid"]; c[1] < 100 || c[0] < 103 {
		t.Errorf("%d of %d invalid definitions were refused", c[0], c[1])
	}
}

// readDisagreements returns why single problems of the corpus are reported otherwise, by file, rule and pointer.
func readDisagreements(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "disagreements.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	reasons := make(map[string]string)
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 4 || fields[3] == "" {
			t.Fatalf("not file, rule, pointer and reason: %q", line)
		}
		reasons[strings.Join(fields[:3], "\t")] = fields[3]
	}
	return reasons
}

// sameAsTwin returns 1 when a definition in YAML is read, and judged, as the same in JSON is.
func sameAsTwin(t *testing.T, src *Source, machine *StateMachine, diagnostics []Diagnostic, dir, file string) int {
	t.Helper()
	twin, expected, text := parseFile(t, dir, file)
	root, problem := source.Read(src, nil)
	other, _ := source.Read(text, nil)
	if problem != nil || !value.Equal(root.Value, other.Value) {
		t.Logf("%s: not the same tree as %s", src.Name, file)
		return 0
	}
	if (machine == nil) != (twin == nil) || len(diagnostics) != len(expected) {
		t.Errorf("%s:\n%s\nbut in JSON\n%s", src.Name, formatAll(src, diagnostics), formatAll(text, expected))
		return 0
	}
	for i, d := range diagnostics {
		if d.Rule != expected[i].Rule || d.Pointer != expected[i].Pointer {
			t.Errorf("%s: problem %d is %s at %s, in JSON %s at %s", src.Name, i, d.Rule, d.Pointer, expected[i].Rule,
				expected[i].Pointer)
		}
	}
	return 1
}

// TestRecordedDefinitions parses the definitions that the service accepted, and those that it refused to create.
func TestRecordedDefinitions(t *testing.T) {
	dir := testkit.Dir(t, "aws-recorded")
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	accepted, refused := 0, 0
	for _, file := range files {
		var c struct {
			Kind, Type     string
			Definition     json.RawMessage
			DefinitionText string
			Expect         struct {
				Status, Cause string
				Diagnostics   []struct{ Message string }
			}
		}
		if err := json.Unmarshal(testkit.Read(t, file), &c); err != nil {
			t.Fatal(err)
		}
		if c.Kind == "test-state" {
			continue
		}
		src := &Source{Name: filepath.Base(file), Data: c.Definition}
		if c.Definition == nil {
			src.Data = []byte(c.DefinitionText)
		}
		machine, diagnostics := Parse(src)
		if c.Kind != "validation" || c.Expect.Status == "OK" {
			accepted++
			if machine == nil {
				t.Errorf("refused:\n%s", diagnostics[0].Format())
			}
			continue
		}
		// Which resources there are, and the limits of an EXPRESS machine, are not for the definition alone to say.
		if text := c.Expect.Cause; c.Type == "EXPRESS" || strings.Contains(text, "is not recognized") ||
			strings.Contains(text, "'RoleArn' is required") {
			continue
		}
		refused++
		if machine != nil {
			t.Errorf("%s: accepted; the service said %s %v", src.Name, c.Expect.Cause, c.Expect.Diagnostics)
		}
	}
	t.Logf("%d definitions that the service accepted, %d that it refused", accepted, refused)
	if accepted < 150 || refused < 9 {
		t.Errorf("only %d and %d definitions were read", accepted, refused)
	}
}
