package explore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/explore"
	"asldb/internal/suiterun"
)

func open(t testing.TB, definition string) *suiterun.Machine {
	t.Helper()
	file := filepath.Join(t.TempDir(), "order.asl.json")
	if err := os.WriteFile(file, []byte(definition), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := suiterun.OpenCase(definitions.Definition{File: file}, suiterun.Settings{Limits: engine.ServiceLimits()})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func demoOptions(t testing.TB) explore.Options {
	t.Helper()
	o := explore.Options{Machine: open(t, string(definitions.DemoDefinition))}
	name := filepath.Join(filepath.Dir(o.Machine.Definition.File), definitions.FixturesName)
	if err := os.WriteFile(name, definitions.Fixtures, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := fixtures.Load(name, definitions.Fixtures)
	if err != nil {
		t.Fatal(err)
	}
	o.Given = []explore.Given{{File: file, Written: true}}
	return o
}

func run(t testing.TB, o explore.Options) *explore.Result {
	t.Helper()
	r, err := explore.Explore(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// explored explores a definition with made-up data.
func explored(t testing.TB, definition string) *explore.Result {
	t.Helper()
	return run(t, explore.Options{Machine: open(t, definition)})
}

// handling writes what became of a fault, and how the run ended.
func handling(r *explore.Run) string {
	parts := value.Each(r.Handling, func(s explore.Step) string {
		return strings.TrimSpace(fmt.Sprintf("%s %d×%d %s", s.Kind, s.Index, s.Count, s.Next))
	})
	return strings.TrimSpace(strings.Join(append(parts, r.Status.String()), ", ") + " " + r.Error)
}

// row returns a row of the matrix.
func row(t testing.TB, r *explore.Result, state, label string, where explore.Where) *explore.Row {
	t.Helper()
	for _, row := range r.Rows {
		if row.State.Name == state && row.Label() == label && row.Where == where {
			return row
		}
	}
	t.Fatalf("there is no row %s %s %v", state, label, where)
	return nil
}

// findings lists the findings, of some classes where classes are given.
func findings(r *explore.Result, classes ...explore.Class) []string {
	var list []string
	for _, f := range r.Findings {
		if len(classes) == 0 || slices.Contains(classes, f.Class) {
			list = append(list, fmt.Sprintf("%v %s: %s", f.Class, f.State.Name, f.Text))
		}
	}
	return list
}

// exploreText explores a definition with fixtures.
func exploreText(t testing.TB, definition, given string) *explore.Result {
	t.Helper()
	return run(t, explore.Options{Machine: open(t, definition), Given: []explore.Given{{File: fixturesOf(t, given)}}})
}

func same(t testing.TB, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// Each fault of the demo goes where its definition says.
func TestDemo(t *testing.T) {
	o := demoOptions(t)
	o.Data = true
	r := run(t, o)
	for _, test := range []struct {
		state, label string
		where        explore.Where
		once, always string
	}{
		{"ValidateOrder", "Lambda.Unknown", explore.All, "unhandled 0×1, FAILED Lambda.Unknown", "unhandled 0×1, FAILED Lambda.Unknown"},
		// The fixtures fail twice with Card.Timeout by themselves: with a third time the three retries are used.
		{"ChargeCard", "Card.Timeout", explore.All, "retried 0×3, SUCCEEDED", "retried 0×3, unhandled 0×1, FAILED Card.Timeout"},
		{"ChargeCard", "too late", explore.All, "retried 0×3, SUCCEEDED", "retried 0×3, unhandled 0×1, FAILED States.Timeout"},
		{"ChargeCard", "Card.Declined", explore.All, "caught 0×1 OrderRejected, FAILED Order.Rejected", "caught 0×1 OrderRejected, FAILED Order.Rejected"},
		{"ChargeCard", "too large", explore.All, "unhandled 0×1, FAILED States.DataLimitExceeded", "unhandled 0×1, FAILED States.DataLimitExceeded"},
		{"ReserveStock", "States.Timeout", explore.All, "unhandled 0×1, FAILED States.Timeout", "unhandled 0×1, FAILED States.Timeout"},
		{"NotifyCustomer", explore.UnknownError, explore.All, "caught 0×1 PrintLetter, SUCCEEDED", "caught 0×1 PrintLetter, SUCCEEDED"},
		{"PickLine", "Stock.Short", explore.First, "caught 0×1 Backorder, SUCCEEDED", "caught 0×1 Backorder, SUCCEEDED"},
		{"PickLine", "Stock.Short", explore.All, "caught 0×3 Backorder, SUCCEEDED", "caught 0×3 Backorder, SUCCEEDED"},
	} {
		row := row(t, r, test.state, test.label, test.where)
		own := strings.NewReplacer(row.Once.Changes[0].Error, row.Error) // of the errors that are not told apart, one was run
		if once, always := own.Replace(handling(row.Once)), own.Replace(handling(row.Always)); once != test.once || always != test.always {
			t.Errorf("%s %s: once %s, always %s", test.state, test.label, once, always)
		}
		if !row.Once.Reached || row.Once.Event < 0 {
			t.Errorf("%s %s: the fault did not come up", test.state, test.label)
		}
	}
	same(t, findings(r, explore.Bug, explore.Endless, explore.Broken, explore.Unreached), nil)
	same(t, findings(r, explore.Swallowed), []string{
		"swallowed NotifyCustomer: catcher 1 of NotifyCustomer leads to PrintLetter, and the execution succeeds",
		"swallowed PickLine: catcher 1 of PickLine leads to Backorder, and the execution succeeds",
	})
	others := value.Each(r.Others, func(o *explore.Run) string { return o.Describe() + " = " + o.Status.String() })
	for _, want := range []string{
		"$.total of the result of ValidateOrder: below 0 = SUCCEEDED", "$.valid of the result of ValidateOrder: false = FAILED",
		"$.order.lines of the input: no items = SUCCEEDED", "$.order.lines of the input: one item = SUCCEEDED", "$.order.lines of the input: 4 items = SUCCEEDED",
		"ValidateOrder gives a result without currency = FAILED",
	} {
		if !slices.Contains(others, want) {
			t.Errorf("there is no run %q in\n%s", want, strings.Join(others, "\n"))
		}
	}
	if r.Stopped != explore.NotStopped || r.Planned != r.Done || r.Tasks != 5 || len(r.Notes) != 0 {
		t.Errorf("%v, %d of %d runs, %d tasks, %q", r.Stopped, r.Done, r.Planned, r.Tasks, r.Notes)
	}
}

// The result does not depend on the number of workers.
func TestDeterministic(t *testing.T) {
	o := demoOptions(t)
	o.Pairs, o.Runs = true, 900
	var texts []string
	for _, o.Parallel = range []int{1, 4} {
		r := run(t, o)
		text := fmt.Sprintln(r.Done, r.Planned, r.Distinct, findings(r))
		for _, row := range r.Rows {
			text += row.State.Path() + row.Label() + handling(row.Once) + handling(row.Always) + "\n"
		}
		for _, f := range r.Findings {
			if f.Case != nil {
				text += f.Case.Text
			}
		}
		texts = append(texts, text)
	}
	if texts[0] != texts[1] {
		t.Errorf("one worker:\n%s\nfour:\n%s", texts[0], texts[1])
	}
}

// BenchmarkDemo measures the runs of the demo on one core.
func BenchmarkDemo(b *testing.B) {
	o := demoOptions(b)
	o.Parallel = 1
	runs := 0
	for b.Loop() {
		runs += run(b, o).Done
	}
	b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(runs), "ms/run")
}
