package rerun_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
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
	changed := strings.Replace(string(file(t, "order.asl.json")), `["Card.Expired"]`,
		`["Card.Expired", "Card.Declined"]`, 1)
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

// What the service writes anew in every run, and in which order it writes the keys of a payload, isn't a difference
// beside a run either; differences are named with both values.
func TestBeside(t *testing.T) {
	definition := compile(t, "task", []byte(`{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage",
		"Parameters":{"b":1,"a":{"d.$":"$$.Execution.StartTime","c.$":"$.n"}},"Next":"W"},"W":{"Type":"Wait","Seconds":10,"End":true}}}`))
	r := script(t, `00 ExecutionStarted executionStarted {"input":"{\"n\":2}"}
		00 TaskStateEntered stateEntered {"name":"T","input":"{\"n\":2}"}
		00 TaskScheduled taskScheduled {"resourceType":"sqs","resource":"sendMessage","region":"us-east-1","parameters":"{\"a\":{\"c\":2,\"d\":\"2026-02-03T09:00:00.123Z\"},\"b\":1}"}
		00 TaskStarted taskStarted {"resourceType":"sqs","resource":"sendMessage"}
		01 TaskSucceeded taskSucceeded {"resourceType":"sqs","resource":"sendMessage","output":"7"}
		01 TaskStateExited stateExited {"name":"T","output":"7"}
		01 WaitStateEntered stateEntered {"name":"W","input":"7"}
		11 WaitStateExited stateExited {"name":"W","output":"7"}
		11 ExecutionSucceeded executionSucceeded {"output":"7"}`)
	check := again(t, r, definition)
	if c := r.Align(definition.Definition(), check.Session.Log()); !check.Agrees() || c.First >= 0 {
		t.Errorf("%v; beside it %+v", check, c.Rows)
	}
	changed := compile(t, "task", []byte(strings.Replace(string(definition.Definition().Source.Data), `"b":1`, `"b":3`,
		1)))
	check = again(t, r, changed)
	c := r.Align(changed.Definition(), check.Session.Log())
	if check.Agrees() || c.First != 0 {
		t.Fatalf("%v; beside it %+v", check, c.Rows)
	}
	recorded := runlog.Of(r.Events(changed.Definition()))
	for _, row := range c.Rows {
		if row.Same() {
			continue
		}
		was, is := recorded.At(row.A), check.Session.Log().At(row.B)
		if was.Type != engine.TaskScheduled || is.Type != engine.TaskScheduled || len(row.Differs) != 1 {
			t.Fatalf("%+v: %v, %v", row, was.Type, is.Type)
		}
		if a, b := value.Compact(runlog.Member(was, row.Differs[0])),
			value.Compact(runlog.Member(is, row.Differs[0])); !strings.Contains(a, `"b":1`) ||
			!strings.Contains(b, `"b":3`) {
			t.Errorf("%v: %s, %s", row.Differs, a, b)
		}
		return
	}
	t.Error("nothing differs")
}

// A run that goes another way, or that asks for the same by another name, differs beside the recording where the check
// says.
func TestBesideAnotherWay(t *testing.T) {
	r := script(t, fmt.Sprintf(begun, "")+"01 "+succeeded+"01 "+left+
		`01 ExecutionSucceeded executionSucceeded {"output":"7"}`)
	for name, definition := range map[string]string{
		"more":             `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{},"Next":"U"},"U":{"Type":"Pass","End":true}}}`,
		"less":             `{"StartAt":"T","States":{"T":{"Type":"Pass","End":true}}}`,
		"another resource": `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::sns:publish","Parameters":{},"End":true}}}`,
		"a time limit":     `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{},"TimeoutSeconds":60,"End":true}}}`,
	} {
		machine := compile(t, name, []byte(definition))
		check := again(t, r, machine)
		c := r.Align(machine.Definition(), check.Session.Log())
		if check.Agrees() || c.First != 0 {
			t.Errorf("%s: %v; beside it %+v", name, check, c.Rows)
			continue
		}
		events := r.Events(machine.Definition())
		for _, row := range c.Rows {
			if row.Same() {
				continue
			}
			if row.A >= 0 && !strings.Contains(check.First.String(), "after the last") &&
				events[row.A].Time < check.First.Recorded.Time {
				t.Errorf("%s: %v, and beside it line %+v differs first", name, check, row)
			}
			break
		}
	}
}

// A run that was interrupted has no verdict: nothing is said to differ.
func TestAnInterruptedRunHasNoVerdict(t *testing.T) {
	r := open(t, "order.history.json", file(t, "order.history.json"))
	options, source := r.Options()
	slow := `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","Output":"{% $count([1..5000].($)) %}","End":true}}}`
	options.Interrupt = func() error { return errors.New("enough") }
	session := debug.New(compile(t, "slow.asl.json", []byte(slow)), options)
	if check, err := r.Check(session, source); check != nil || !interrupt.Is(err) {
		t.Errorf("%v, %v", check, err)
	}
}
