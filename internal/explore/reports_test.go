package explore_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"asldb/engine"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/explore"
	"asldb/internal/report"
	"asldb/internal/suiterun"
	"asldb/internal/testkit"
)

// exploreText explores a definition with fixtures; empty: with made-up data.
func exploreReport(t *testing.T, definition, results string, o explore.Options) *explore.Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "order.asl.json")
	if err := os.WriteFile(file, []byte(definition), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if o.Machine, err = suiterun.OpenCase(definitions.Definition{File: file}, suiterun.Settings{Limits: engine.ServiceLimits()}); err != nil {
		t.Fatal(err)
	}
	if results != "" {
		read, err := fixtures.Load("order.fixtures.yaml", []byte(results))
		if err != nil {
			t.Fatal(err)
		}
		o.Given = []explore.Given{{File: read, Written: true}}
	}
	r, err := explore.Explore(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	r.Definition = "order.asl.json"
	return r
}

func text(t *testing.T, r *explore.Result, l report.Look) string {
	t.Helper()
	return testkit.Report(t, explore.Answer(r, "", 0), "text", l)
}

// The matrix of the demo, in a wide and in a narrow terminal.
func TestMatrix(t *testing.T) {
	r := exploreReport(t, string(definitions.DemoDefinition), string(definitions.Fixtures), explore.Options{})
	wide := text(t, r, report.Look{})
	for _, want := range []string{
		"5 tasks, 178 errors, 31 runs, ",
		"task                               error                   once             always           ends as\n",
		"ChargeCard                         Card.Timeout, too late  «1 (3)           «1 (3), ×        SUCCEEDED; always: FAILED with the error\n",
		"                                   Card.Declined           » OrderRejected  same             FAILED Order.Rejected\n",
		"Fulfil/Branches[1]/NotifyCustomer  any (19)                » PrintLetter    same             SUCCEEDED\n",
		"PackLines/Iterations[*]/PickLine   Stock.Short             » Backorder      » Backorder (3)  SUCCEEDED\n",
		"«N retrier N   » caught, next state   ≈ tolerated   × not handled   (N) N times\n",
		"× unhandled 4 of 5 tasks: no retrier and no catcher takes the error\n",
		"ValidateOrder, ChargeCard, ReserveStock, PickLine\n",
		"; --save FILE writes their cases as a suite\n",
	} {
		if !strings.Contains(wide, want) {
			t.Errorf("the report lacks %q:\n%s", want, wide)
		}
	}
	for _, width := range []int{120, 80, 60, 40} {
		for line := range strings.Lines(text(t, r, report.Look{Width: width})) {
			if w := ansi.StringWidth(strings.TrimRight(line, "\n")); w > width {
				t.Errorf("width %d: a line of %d cells: %s", width, w, line)
			}
		}
	}
	ascii := testkit.Report(t, explore.Answer(r, "f.test.yaml", len(r.Cases())), "text", report.Look{ASCII: true})
	for _, c := range ascii {
		if c > 126 {
			t.Fatalf("%q is not ASCII in\n%s", c, ascii)
		}
	}
	if !strings.Contains(ascii, "r1 (3), !") || !strings.Contains(ascii, "c OrderRejected") || !strings.Contains(ascii, "cases written to f.test.yaml") {
		t.Error(ascii)
	}
	painted := text(t, r, report.Look{Colour: true})
	if !strings.Contains(painted, "\x1b[33m× unhandled\x1b[0m") || strings.Contains(painted, "\x1b[31m! ") {
		t.Error(painted)
	}
}

const lossy = `{"StartAt":"A","States":{
	"A":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:a","ResultPath":"$.a","Catch":[{"ErrorEquals":["E"],"ResultPath":null,"Next":"B"}],"Next":"M"},
	"M":{"Type":"Map","ItemsPath":"$.list","ResultPath":null,"ToleratedFailureCount":1,"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"T","States":{
		"T":{"Type":"Task","Resource":"arn:aws:states:us-east-1:123456789012:activity:t","End":true}}},"Next":"B"},
	"B":{"Type":"Pass","Parameters":{"a.$":"$.a"},"End":true}}}`

const lossyResults = `{version: 1, input: {list: [1, 2, 3]}, tasks: {A: [{output: {x: 1}, repeat: forever}], T: [{output: 1, repeat: forever}]}}`

// A bug is marked in the matrix and comes first; an invariant and its text follow.
func TestBug(t *testing.T) {
	r := exploreReport(t, lossy, lossyResults, explore.Options{Check: func(e *explore.Ended) []explore.Violation {
		if e.Run.Error == "States.TaskFailed" {
			return []explore.Violation{{Invariant: "{never: B}", Text: "it failed"}}
		}
		return nil
	}})
	got := text(t, r, report.Look{})
	for _, want := range []string{
		"A                  E                                         » B    same    FAILED States.Runtime (!)\n",
		"any (4), first iteration only             ", // the tolerated failure has a separate line
		"! bug       B fails with States.Runtime: $.a is missing: $ has only list  order.asl.json:5:41\n            A fails with E; 2 runs\n",
		"              inject: {\"A\": \"E\"}\n",
		"! invariant {never: B}: it failed",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the report lacks %q:\n%s", want, got)
		}
	}
	written := func(form string) string { return testkit.Report(t, explore.Answer(r, "", 0), form, report.Look{}) }
	page, markdown, object := written("html"), written("markdown"), written("json")
	for _, want := range []string{"<span class=\"bad\">! bug</span>", "<td>» B</td>", "<span class=\"bad\">FAILED States.Runtime</span> (!)", "inject: {&#34;A&#34;: &#34;E&#34;}"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	for _, want := range []string{"| A | E | » B | same | FAILED States.Runtime (!) |", "- **! bug** ", "  ```yaml\n",
		"order.asl.json:5:41"} {
		if !strings.Contains(markdown, want) {
			t.Errorf("the Markdown lacks %q:\n%s", want, markdown)
		}
	}
	if junit := written("junit"); !strings.Contains(junit, `<testcase name="bug at 5:41"`) || !strings.Contains(junit, ` failures="`) {
		t.Errorf("the bug is not a failure in JUnit's terms:\n%s", junit)
	}
	var d struct {
		Matrix []struct {
			Task, Error, Iterations string
			Once, Always            *struct {
				Run      int
				Status   string
				Handling []struct {
					Kind, State, Next string
					Index             *int
				}
				Findings []int
			}
		}
		Findings []struct {
			Class string
			Case  *struct {
				Text   string
				Passes bool
			}
		}
		Runs struct{ Done, Planned, Distinct int }
	}
	if err := json.Unmarshal([]byte(object), &d); err != nil {
		t.Fatal(err)
	}
	first := d.Matrix[0]
	if first.Task != "A" || first.Error != "E" || first.Once.Handling[0].Kind != "caught" || *first.Once.Handling[0].Index != 0 || first.Once.Handling[0].Next != "B" ||
		len(first.Once.Findings) != 1 || d.Findings[first.Once.Findings[0]].Class != "bug" || d.Findings[0].Case.Passes || d.Runs.Done != r.Done {
		t.Error(object)
	}
}

// Without findings the report says so; what could not be done is a note; a broken writer is an error.
func TestEmpty(t *testing.T) {
	r := exploreReport(t, `{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.list","ItemProcessor":{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}},"End":true}}}`,
		`{version: 1, input: {list: [1]}, tasks: {}}`, explore.Options{})
	if got := text(t, r, report.Look{}); !strings.Contains(got, "\nno findings\n") || strings.Contains(got, "ends as") {
		t.Error(got)
	}
	r = exploreReport(t, lossy, "", explore.Options{Runs: 2})
	got := text(t, r, report.Look{Width: 30})
	if !strings.Contains(strings.Join(strings.Fields(got), " "), "note: without fixtures") || !strings.Contains(got,
		"once ") {
		t.Error(got)
	}
	for _, form := range report.FormsOf(report.OfDoc | report.OfData | report.OfFindings) {
		if err := explore.Answer(r, "", 0).Write(broken{}, form, report.Look{}); err == nil {
			t.Errorf("%s: a broken writer is not an error", form)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, os.ErrClosed }
