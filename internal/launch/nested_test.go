package launch_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/testkit"
)

const (
	parent = `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:a","End":true}}}`
	child  = `{"StartAt":"Pay","States":{"Pay":{"Type":"Task","Resource":"arn:aws:lambda:${Region}:123456789012:function:pay","End":true}}}`
)

// An execution that a task starts is composed as the run itself: with its substitutions, its mode for missing results
// and its permission.
func TestNestedExecution(t *testing.T) {
	file := testkit.Named(t, map[string]string{
		"parent.json": parent, "child.json": child,
		"parent.yaml": "version: 1\ntasks: {A: [{asldb: {definition: child.json, fixtures: child.yaml}}]}\n",
		"child.yaml":  "version: 1\ninput: {ignored: 1}\ntasks: {Pay: [{output: {paid: 5}, after: 3s}, {output: 6}]}\n",
		"bare.yaml":   "version: 1\ntasks: {A: [{asldb: child.json}]}\n",
		"wrong.yaml":  "version: 1\ntasks: {A: [{asldb: {definition: child.json, fixtures: other.yaml}}]}\n",
		"other.yaml":  "version: 1\ntasks: {Pya: [{output: 1}]}\n",
	})
	begin := func(name string, missing fixtures.Missing) *launch.Run {
		t.Helper()
		return newRun(t, launch.Spec{
			Definition: definitions.Definition{File: file("parent.json"), Substitute: []string{"Region=eu-west-1"}},
			Dialect:    engine.AWS,
			Input:      launch.Input{Text: `{"n": 1}`}, Fixtures: launch.Fixtures{Name: file(name)}, Missing: missing,
			Permit: func(*fixtures.File, *fixtures.Source) (fixtures.Permission, error) {
				return fixtures.Permission{}, nil
			},
		})
	}
	end := func(run *launch.Run) (debug.Stop, error) {
		t.Helper()
		return (&live.Child{Session: run.Session, Calls: run.Calls}).Run(t.Context())
	}
	run := begin("parent.yaml", fixtures.Fail)
	start := run.Session.Now()
	if stop, err := end(run); err != nil || stop.Reason != debug.StoppedAtEnd {
		t.Fatalf("stops with %+v, %v", stop, err)
	}
	if got := value.Compact(run.Session.Output()); got != `{"paid":5}` || run.Session.Now().Sub(start).Seconds() != 3 {
		t.Errorf("the output is %s after %v", got, run.Session.Now().Sub(start))
	}
	echoed := begin("bare.yaml", fixtures.Echo)
	if stop, err := end(echoed); err != nil || stop.Reason != debug.StoppedAtEnd ||
		value.Compact(echoed.Session.Output()) != `{"n":1}` {
		t.Errorf("without fixtures it stops with %+v, %v, %v", stop, err, echoed.Session.Output())
	}
	for name, want := range map[string]string{
		"bare.yaml":  "bare.yaml:2:21) names no fixtures",
		"wrong.yaml": `other.yaml:2:9: "Pya" is the name or path of no state`,
	} {
		run := begin(name, fixtures.Fail)
		stop, err := end(run)
		if child := run.Calls.Standing(); err == nil && child != nil {
			err = child.Session.Stop().Err
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %+v", name, err, stop)
		}
	}
}

// An execution that a task starts has its own breakpoint on uncaught errors where the run has one.
func TestNestedUncaughtError(t *testing.T) {
	file := testkit.Named(t, map[string]string{
		"parent.json": parent, "child.json": child,
		"parent.yaml": "version: 1\ntasks: {A: [{asldb: {definition: child.json, fixtures: child.yaml}}]}\n",
		"child.yaml":  "version: 1\ntasks: {Pay: [{error: Declined}]}\n",
	})
	for _, stops := range []bool{true, false} {
		run := newRun(t, launch.Spec{
			Definition: definitions.Definition{File: file("parent.json"), Substitute: []string{"Region=eu-west-1"}},
			Dialect:    engine.AWS,
			Input:      launch.Input{Text: `{}`}, Fixtures: launch.Fixtures{Name: file("parent.yaml")},
			BreakUncaught: stops,
			Permit: func(*fixtures.File, *fixtures.Source) (fixtures.Permission, error) {
				return fixtures.Permission{}, nil
			},
		})
		stop, err := (&live.Child{Session: run.Session, Calls: run.Calls}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !stops {
			if stop.Reason != debug.StoppedAtEnd || run.Session.Status() != engine.Failed {
				t.Errorf("without breakpoints: %+v, %v", stop, run.Session.Status())
			}
			continue
		}
		within := run.Calls.Standing()
		if within == nil {
			t.Fatalf("no execution has stopped: %+v", stop)
		}
		list := within.Session.Breakpoints().All()
		if at := within.Session.Stop(); at.Reason != debug.StoppedByBreakpoint || len(list) != 1 ||
			at.Breakpoint != list[0] || !list[0].Standing {
			t.Errorf("stopped by %+v with the breakpoints %v", at, list)
		}
		list[0].Enabled = false
		if own := run.Session.Breakpoints().All(); len(own) != 1 || !own[0].Enabled {
			t.Errorf("the run has the breakpoints %v", own)
		}
	}
}
