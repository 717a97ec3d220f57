package mutate_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/internal/mutate"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/testkit"
	"asldb/internal/testkit/suites"
)

func example() *mutate.Report {
	file := &source.File{Name: "order.asl.yaml", Data: []byte("StartAt: A\n")}
	one := &suite.Case{Suite: &suite.Suite{Name: "order.test.yaml"}, Name: "pays"}
	machine, _ := asl.Parse(&source.File{Name: "a.asl.yaml",
		Data: []byte("StartAt: A\nStates: {A: {Type: Succeed}}\n")})
	state := machine.Top.States[0]
	at := func(n int, kind mutate.Kind, description string) *mutate.Mutant {
		return &mutate.Mutant{Number: n, Kind: kind, Description: description, File: file,
			At: source.Position{Line: n + 1, Col: 3}}
	}
	survivor := at(1, mutate.RetrierDropped, "retrier 1 dropped")
	survivor.State = state
	return &mutate.Report{Minimum: 90, Wall: 12 * time.Millisecond, Results: []*mutate.Result{{
		File: "order.asl.yaml", Resource: "Order", Source: file, Cases: 2, Suites: []string{"order.test.yaml"}, All: 9,
		Outcomes: []mutate.Outcome{
			{Mutant: survivor, Status: mutate.Survived, Case: one,
				Missing: "no case expects the output (output): $.a is 1",
				Diff:    []byte("--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n"), Text: true},
			{Mutant: at(2, mutate.TimeoutDropped, "TimeoutSeconds dropped"), Status: mutate.NotCovered,
				Missing: "no case times out", Diff: []byte("-```\n")},
			{Mutant: at(3, mutate.DefaultTurned, "Default turned"), Status: mutate.Invalid, Reason: "it is <none>"},
			{Mutant: at(4, mutate.ComparisonTurned, "< is <="), Status: mutate.Killed, Killer: one,
				Expectation: "path"},
			{Mutant: at(5, mutate.ComparisonTurned, "> is >="), Status: mutate.TimedOut, Killer: one,
				Expectation: "maxEvents"},
		},
	}}}
}

func TestText(t *testing.T) {
	suites.Same(t, testkit.Report(t, mutate.Answer(example(), false), "text", report.Look{}), `order.asl.yaml (Order) · 2 cases of order.test.yaml · 5 mutants of 9
  × survived  A: retrier 1 dropped  order.asl.yaml:2
      --- a
      +++ b
      @@ -1 +1 @@
      -a
      +b
      missing: no case expects the output (output): $.a is 1, in the case "pays"
      see it: asldb debug --test order.test.yaml:pays --break A
  - not covered  the state machine: TimeoutSeconds dropped  order.asl.yaml:3
      In the definition as JSON:
      -`+"```"+`
      missing: no case times out
  ! invalid  the state machine: Default turned  order.asl.yaml:4
      it is <none>
5 mutants: 1 killed, 1 timed out, 1 survived, 1 not covered, 1 invalid · score 50 % · 12ms
--min 90 not reached`)
	painted := testkit.Report(t, mutate.Answer(example(), true), "text", report.Look{ASCII: true, Colour: true})
	for _, part := range []string{
		"\x1b[31mx survived", "\x1b[32mv killed", "\x1b[32mv timed out", `by the case "pays": path`,
		"      \x1b[31m-a\x1b[0m\n", "      \x1b[32m+b\x1b[0m\n", "\x1b[2m - 2 cases",
	} {
		if !strings.Contains(painted, part) {
			t.Errorf("%q is not in\n%q", part, painted)
		}
	}
}

func TestMarkdown(t *testing.T) {
	got := testkit.Report(t, mutate.Answer(example(), false), "markdown", report.Look{})
	for _, part := range []string{
		"5 mutants: 1 killed, 1 timed out, 1 survived, 1 not covered, 1 invalid · score 50 % · 12ms\n",
		"| order.asl.yaml | 2 | 2 | 1 | 1 | 1 | 50 % |\n", "- × survived  A: retrier 1 dropped  order.asl.yaml:2\n",
		"  ````diff\n  -```\n  ````\n", "\n  - missing: no case times out\n",
		"\n\\--min 90 not reached\n",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in\n%s", part, got)
		}
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(testkit.Report(t, mutate.Answer(example(), false), "json", report.Look{}))
	var got struct {
		Score       int
		Definitions []struct {
			All     int
			Mutants []map[string]any
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Score != 50 || got.Definitions[0].All != 9 || len(got.Definitions[0].Mutants) != 5 {
		t.Fatal(b.String())
	}
	first, fourth := got.Definitions[0].Mutants[0], got.Definitions[0].Mutants[3]
	if first["status"] != "survived" || first["case"] != "order.test.yaml:pays" || first["line"] != 2.0 ||
		first["inText"] != true || fourth["killedBy"] != "order.test.yaml:pays" || fourth["expectation"] != "path" {
		t.Error(b.String())
	}
}

// The schema of the mutation testing elements has these keys and words.
func TestElements(t *testing.T) {
	var b bytes.Buffer
	if err := mutate.Elements(&b, example()); err != nil {
		t.Fatal(err)
	}
	var got struct {
		SchemaVersion string
		Thresholds    struct{ High, Low int }
		Files         map[string]struct {
			Language, Source string
			Mutants          []struct {
				ID, MutatorName, Status string
				Location                struct{ Start, End struct{ Line, Column int } }
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	file := got.Files["order.asl.yaml"]
	statuses, ids := "", map[string]bool{}
	for _, m := range file.Mutants {
		statuses += m.Status + " "
		ids[m.ID] = true
		if m.Location.Start.Line < 1 || m.Location.End.Column <= m.Location.Start.Column || m.MutatorName == "" {
			t.Errorf("%+v", m)
		}
	}
	if statuses != "Survived NoCoverage CompileError Killed Timeout " || len(ids) != 5 || got.SchemaVersion != "2" ||
		file.Language != "yaml" || file.Source != "StartAt: A\n" {
		t.Error(b.String())
	}
}
