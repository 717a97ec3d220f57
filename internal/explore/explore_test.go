package explore_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"asldb/engine"
	"asldb/fixtures"
	"asldb/internal/demo"
	"asldb/internal/explore"
	"asldb/internal/launch"
	"asldb/internal/suite/execute"
)

func open(t testing.TB, definition string) *execute.Machine {
	t.Helper()
	file := filepath.Join(t.TempDir(), "order.asl.json")
	if err := os.WriteFile(file, []byte(definition), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := execute.Open(launch.Definition{File: file}, execute.Settings{Limits: engine.ServiceLimits()})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func demoOptions(t testing.TB) explore.Options {
	t.Helper()
	file, err := fixtures.Load("order.fixtures.yaml", demo.Fixtures)
	if err != nil {
		t.Fatal(err)
	}
	return explore.Options{Machine: open(t, string(demo.Definition)), Given: []explore.Given{{File: file, Written: true}}}
}

func TestDemo(t *testing.T) {
	r, err := explore.Explore(context.Background(), demoOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d tasks %d errors %d runs %d ways", r.Tasks, r.Errors, r.Done, r.Distinct)
	for _, row := range r.Rows {
		t.Logf("%-30s %-40s %v | %v | %v %v", row.State.Path(), row.Error, row.Once.Handling, row.Always.Handling, row.Always.Status, row.Always.Error)
	}
	for _, f := range r.Findings {
		t.Logf("%v %s %s %s %v %v n=%d", f.Class, f.State.Path(), f.Place, f.Text, f.Errors, f.Lost, f.Count)
		if f.Case != nil {
			t.Log("\n" + f.Case.Text)
		}
	}
	for _, o := range r.Others {
		t.Log(o.Describe(), o.Reached, o.Status, o.Error)
	}
	t.Log(r.Notes)
}

func BenchmarkDemo(b *testing.B) {
	o := demoOptions(b)
	o.Parallel = 1
	runs := 0
	for b.Loop() {
		r, err := explore.Explore(context.Background(), o)
		if err != nil {
			b.Fatal(err)
		}
		runs += r.Done
	}
	b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(runs), "ms/run")
}
