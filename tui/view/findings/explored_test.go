package findings_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/explore"
	"asldb/internal/report"
	"asldb/internal/suiterun"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/view/findings"
)

func exploreOrder(t *testing.T, o explore.Options) *explore.Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), definitions.DefinitionName)
	if err := os.WriteFile(file, definitions.DemoDefinition, 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if o.Machine, err = suiterun.OpenCase(definitions.Definition{File: file}, suiterun.Settings{Limits: engine.ServiceLimits()}); err != nil {
		t.Fatal(err)
	}
	given, err := fixtures.Load(definitions.FixturesName, definitions.Fixtures)
	if err != nil {
		t.Fatal(err)
	}
	o.Given = []explore.Given{{File: given}}
	r, err := explore.Explore(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The marks say where the failures of the demo's tasks lead, and those read from JSON are the same.
func TestMarks(t *testing.T) {
	r := exploreOrder(t, explore.Options{})
	machine := r.Machine.Definition()
	var text bytes.Buffer
	if err := explore.Answer(r, "", 0).Write(&text, "json", report.Look{}); err != nil {
		t.Fatal(err)
	}
	read, err := explore.ReadFailures(text.Bytes(), machine)
	if err != nil {
		t.Fatal(err)
	}
	for _, failures := range []explore.Failures{explore.FailuresOf(r), read} {
		marks := findings.MarksOf(failures, canvas.ASCII())
		var got []string
		for state := range machine.All() {
			mark := marks.Mark(state)
			if mark.Part == graph.PlainPart {
				continue
			}
			line := fmt.Sprintf("%s: %d %s (%s)", state.Name, mark.Part, mark.Note, mark.Short)
			for i, edge := range state.Edges() {
				if marks.Taken(state, i) {
					line += " > " + edge.To.Name
				}
				if marks.Without(state, i) {
					line += " without " + edge.To.Name
				}
			}
			got = append(got, line)
		}
		want := []string{
			fmt.Sprintf("ValidateOrder: %d 39 errors: 39 not handled (!39)", graph.FailsPart),
			fmt.Sprintf("ChargeCard: %d 41 errors: !40 r2 c1 (!40 r2 c1) > OrderRejected", graph.FailsPart),
			fmt.Sprintf("Fulfil: %d 39 not handled (!39)", graph.FailsPart),
			fmt.Sprintf("ReserveStock: %d 39 errors: 39 passed on (<39)", graph.FailsPart),
			fmt.Sprintf("NotifyCustomer: %d 19 errors: 19 caught (c19) > PrintLetter", graph.CaughtPart),
			fmt.Sprintf("PackLines: %d 39 not handled (!39)", graph.FailsPart),
			fmt.Sprintf("PickLine: %d 40 errors: c1 <39 (c1 <39) > Backorder", graph.FailsPart),
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		sheet := graph.NewSheet(graph.Build(machine))
		marks.LayOut(sheet)
		d := sheet.Fit(120, 1<<16)
		if drawn := d.Text(canvas.ASCII(), marks.In(d)); !strings.Contains(drawn, "19 errors: 19 caught") ||
			!strings.Contains(drawn, "# (19) ") || !strings.Contains(drawn, "# States.ALL ") {
			t.Errorf("drawn:\n%s", drawn)
		}
	}
}

// Behind a caught error there is a bug, or a broken invariant: the state fails. A catcher that no fault
// takes is without.
func TestMarksOfBugs(t *testing.T) {
	r := exploreOrder(t, explore.Options{Every: true, Check: func(e *explore.Ended) []explore.Violation {
		if e.Run.Error == "Order.Rejected" {
			return []explore.Violation{{Invariant: "never", Text: "it is rejected", Event: -1}}
		}
		return nil
	}})
	failures := explore.FailuresOf(r)
	if got := failures["ChargeCard"].Text(); got != "41 errors: 40 not handled, 2 retried, 1 caught; 1 bug" {
		t.Errorf("%s", got)
	}
	failures["Fulfil/Branches[1]/NotifyCustomer"].Caught = nil
	marks := findings.MarksOf(failures, canvas.Unicode())
	for state := range r.Machine.Definition().All() {
		switch mark := marks.Mark(state); state.Name {
		case "ChargeCard":
			if mark.Part != graph.FailsPart || mark.Short != "×40 «2 »1 !1" {
				t.Errorf("%+v", mark)
			}
		case "NotifyCustomer":
			if !marks.Without(state, 0) {
				t.Error("its catcher is not light")
			}
		}
	}
}

// Reports that do not fit are errors.
func TestReadFailures(t *testing.T) {
	machine := exploreOrder(t, explore.Options{Runs: 1}).Machine.Definition()
	for text, want := range map[string]string{
		"{":                         "it is not a report",
		`{"states": []}`:            "it is not a report",
		`{"version":7,"matrix":[]}`: "version 7",
		`{"version":1,"definition":"other.asl.json","matrix":[{"task":"Nowhere"}]}`: "other.asl.json: this one has no state Nowhere",
	} {
		if _, err := explore.ReadFailures([]byte(text), machine); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
