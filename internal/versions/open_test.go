package versions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/internal/versions"
)

// The runs of a recording are those that were compared: their first difference is at the events that the pair names,
// and the session of the new version can go back.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []int{3, 80, 95} {
		record(t, dir, n)
	}
	old, fresh := machineOf(t, "old", orders), machineOf(t, "new",
		strings.Replace(orders, `"NumericGreaterThan":90`, `"NumericGreaterThan":70`, 1))
	o := versions.Options{}
	result, err := versions.Compare(t.Context(), old, fresh, []string{dir}, o)
	if err != nil {
		t.Fatal(err)
	}
	opened := 0
	for i := range result.Judged {
		j := &result.Judged[i]
		pair, err := versions.Open(old, fresh, j, o)
		if err != nil {
			t.Fatal(err)
		}
		if j.Verdict == versions.Same {
			if pair.OldAt != -1 || pair.NewAt != -1 {
				t.Errorf("%s: %d, %d", j.File, pair.OldAt, pair.NewAt)
			}
			pair.Close()
			continue
		}
		opened++
		was, is := pair.Old.At(pair.OldAt), pair.New.Log().At(pair.NewAt)
		if was.Visit.State.Name != "Due" || is.Visit.State.Name != "Due" || is.Type != engine.StateExited {
			t.Errorf("%s: %v in %v, %v in %v", j.File, was.Type, was.Visit, is.Type, is.Visit)
		}
		if !pair.New.Status().Done() {
			t.Errorf("%s has not ended", j.File)
		}
		pair.New.GoTo(pair.NewAt)
		pair.Close()
	}
	if opened != 1 {
		t.Errorf("%d differ", opened)
	}
	j := &result.Judged[0]
	if err := os.Remove(j.File); err != nil {
		t.Fatal(err)
	}
	if _, err := versions.Open(old, fresh, j, o); err == nil {
		t.Error("a file that is gone was opened")
	}
}

// A case of a suite, one execution of a log and a history of several files can be opened, too.
func TestOpenOneOfSeveral(t *testing.T) {
	dir := t.TempDir()
	old, fresh := machineOf(t, "old", task), machineOf(t, "new", strings.Replace(task, `"a":1`, `"a":2`, 1))
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("task.test.yaml", "version: 1\ndefinition: task.asl.json\ncases:\n  one: {tasks: {T: [{output: 1}]}, expect: {status: SUCCEEDED}}\n  two: {tasks: {T: [{output: 2}]}, expect: {status: SUCCEEDED}}\n")
	write("task.asl.json", task)
	const head = `{"id":1,"type":"ExecutionStarted","timestamp":1,"executionStartedEventDetails":{"input":"{}"}}`
	const rest = `{"id":2,"previousEventId":1,"type":"TaskStateEntered","timestamp":1,"stateEnteredEventDetails":{"name":"T","input":"{}"}},
{"id":3,"previousEventId":2,"type":"TaskScheduled","timestamp":1,"taskScheduledEventDetails":{"resourceType":"sqs","resource":"sendMessage","region":"us-east-1","parameters":"{\"a\":1}"}},
{"id":4,"previousEventId":3,"type":"TaskStarted","timestamp":1,"taskStartedEventDetails":{"resourceType":"sqs","resource":"sendMessage"}},
{"id":5,"previousEventId":4,"type":"TaskSucceeded","timestamp":2,"taskSucceededEventDetails":{"resourceType":"sqs","resource":"sendMessage","output":"{}"}},
{"id":6,"previousEventId":5,"type":"TaskStateExited","timestamp":2,"stateExitedEventDetails":{"name":"T","output":"{}"}},
{"id":7,"previousEventId":6,"type":"SucceedStateEntered","timestamp":2,"stateEnteredEventDetails":{"name":"E","input":"{}"}},
{"id":8,"previousEventId":7,"type":"SucceedStateExited","timestamp":2,"stateExitedEventDetails":{"name":"E","output":"{}"}},
{"id":9,"previousEventId":8,"type":"ExecutionSucceeded","timestamp":2,"executionSucceededEventDetails":{"output":"{}"}}`
	write("page-1.json", `{"events":[`+head+`],"nextToken":"more"}`)
	write("page-2.json", `{"events":[`+rest+`]}`)
	result, err := versions.Compare(t.Context(), old, fresh, []string{dir}, versions.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Judged) != 3 {
		t.Fatalf("%+v, %+v", result.Judged, result.Skipped)
	}
	for i := range result.Judged {
		j := &result.Judged[i]
		pair, err := versions.Open(old, fresh, j, versions.Options{})
		if err != nil {
			t.Errorf("%s: %v", j.Name(), err)
			continue
		}
		if j.Verdict != versions.Payload || pair.New.Log().At(pair.NewAt).Visit.State.Name != "T" {
			t.Errorf("%s: %v", j.Name(), j.Verdict)
		}
		pair.Close()
	}
	write("task.test.yaml", "version: 1\ndefinition: task.asl.json\ncases:\n  three: {tasks: {T: [{output: 1}]}, expect: {status: SUCCEEDED}}\n")
	for i := range result.Judged {
		if j := &result.Judged[i]; j.Execution == "two" {
			if _, err := versions.Open(old, fresh, j, versions.Options{}); err == nil ||
				!strings.Contains(err.Error(), "is not there any more") {
				t.Error(err)
			}
		}
	}
}
