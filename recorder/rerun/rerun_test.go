package rerun_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/engine/source"
	"asldb.dev/asldb/engine/value"
	"asldb.dev/asldb/recorder/history"
	"asldb.dev/asldb/recorder/rerun"
)

func open(t testing.TB, name string, data []byte) *rerun.Recording {
	t.Helper()
	executions, err := history.Read(history.File{Name: name, Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return rerun.Of(executions[0])
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func compile(t testing.TB, name string, text []byte) *engine.Machine {
	t.Helper()
	definition, diagnostics := asl.Parse(&source.File{Name: name, Data: text})
	if definition == nil {
		t.Fatal(diagnostics[0].Message)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return machine
}

// again runs a recording again with a definition.
func again(t testing.TB, r *rerun.Recording, machine *engine.Machine) *rerun.Check {
	t.Helper()
	options, source := r.Options()
	session := debug.New(machine, options)
	source.Follow(session.Now)
	check, err := r.Check(session, source)
	if err != nil {
		t.Fatal(err)
	}
	return check
}

// With the definition that ran every event agrees. With
// a definition that was changed the run now succeeds, and parts from the recording where the change takes hold.
func TestChangedDefinition(t *testing.T) {
	r := open(t, "order.history.json", file(t, "order.history.json"))
	if status, _, failure, _ := r.Result(); status != "FAILED" || failure != "Card.Declined" {
		t.Fatalf("recorded %s %s", status, failure)
	}
	check := again(t, r, compile(t, "order.asl.json", file(t, "order.asl.json")))
	if !check.Agrees() || !check.Ordered || check.Session.Status() != engine.Failed {
		t.Fatalf("%v, %v", check, check.Session.Status())
	}
	changed := strings.Replace(string(file(t, "order.asl.json")), `["Card.Expired"]`, `["Card.Expired", "Card.Declined"]`, 1)
	check = again(t, r, compile(t, "order.asl.json", []byte(changed)))
	if check.Session.Status() != engine.Succeeded || check.Waits != "" {
		t.Fatalf("%v: %v %s", check.Session.Status(), check.Session.Failure(), check.Waits)
	}
	want := `the run differs from the recording: event 11 (ExecutionFailed: Card.Declined) in Charge: now it is TaskStateExited Charge`
	if check.First == nil || check.First.Recorded.ID != 11 || check.String() != want {
		t.Errorf("%s\nwant %s", check, want)
	}
	if got := value.Compact(check.Session.Output()); got != `{"id":7,"amount":12.50,"customer":{"name":"Ada"},"problem":{"Error":"Card.Declined","Cause":"insufficient funds"},"invoiced":true}` {
		t.Error(got)
	}
}
