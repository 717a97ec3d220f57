package versions_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/testkit/runs"
	"asldb/internal/versions"
	"asldb/recorder/history"
)

// one compares two definitions over the history of the first.
func one(t *testing.T, old, fresh, input string, outcomes runs.Outcomes) *versions.Result {
	t.Helper()
	log := runs.Run(machineOf(t, "old", old).Machine, input, outcomes)
	return over(t, old, fresh, "x.json", value.Append(nil, history.Document(history.Of(log.All()))))
}

func over(t *testing.T, old, fresh, name string, data []byte) *versions.Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := versions.Compare(context.Background(), machineOf(t, "old", old), machineOf(t, "new", fresh),
		[]string{file}, versions.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const task = `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{"a":1},"ResultPath":null,"Next":"E"},"E":{"Type":"Succeed"}}}`

// Each kind of data that a change can touch is named, with its place.
func TestData(t *testing.T) {
	const query = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
"A":{"Type":"Pass","Assign":{"n":1},
"Output":"{% 1 %}","Next":"M"},
"M":{"Type":"Map","Items":"{% [1,2] %}","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"Output":1,"Next":"T"},
"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Credentials":{"RoleArn":"arn:aws:iam::1:role/a"},
"Arguments":{"QueueUrl":"q"},"Output":2,"End":true}}}`
	for _, c := range []struct{ from, to, want string }{
		{`"Assign":{"n":1}`, `"Assign":{"n":2}`, "1 payload: A: variables $.n @ new:2"},
		{`"Assign":{"n":1},`, ``, "1 payload: A: variables $.n @ new:2"},
		{`[1,2]`, `[1,3]`, "1 payload: M: items $[*] @ new:4"},
		{`[1,2]`, `[1]`, "1 payload: M: items $ @ new:4"},
		{`role/a`, `role/b`, "1 payload: T: credentials $.RoleArn @ new:5"},
		{`"q"`, `"r"`, "1 payload: T: payload $.QueueUrl @ new:6"},
		{`sqs:sendMessage"`, `sqs:sendMessage.waitForTaskToken"`, "1 payload: T: resource $ @ new:5"},
		{`"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Credentials":{"RoleArn":"arn:aws:iam::1:role/a"},
"Arguments":{"QueueUrl":"q"},`, `"T":{"Type":"Pass",`, "1 path: T → the end (before: its task) @ new:5"},
	} {
		if !strings.Contains(query, c.from) {
			t.Fatal(c.from)
		}
		if got := titles(one(t, query, strings.Replace(query, c.from, c.to, 1), `{}`, runs.Echo)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.to, got, c.want)
		}
	}
}

// A run that stops in the middle goes another way.
func TestStopped(t *testing.T) {
	outcomes := runs.InTurn(gives(`1`, 30))
	r := one(t, task, strings.Replace(task, `{"StartAt"`, `{"TimeoutSeconds":5,"StartAt"`, 1), `{}`, outcomes)
	if got := titles(r); got != "1 outcome: T → the end of the run (before: E) @ new:1" ||
		r.Judged[0].New != "TIMED_OUT: States.Timeout" {
		t.Error(got, r.Judged[0].New)
	}
	timely := strings.Replace(task, `{"StartAt"`, `{"TimeoutSeconds":5,"StartAt"`, 1)
	log := runs.Run(machineOf(t, "old", timely).Machine, `{}`, outcomes)
	r = over(t, timely, task, "x.json", value.Append(nil, history.Document(history.Of(log.All()))))
	if got := titles(r); got != "1 unjudged: T: the recorded execution was stopped before the result came @ new:1" {
		t.Error(got)
	}
}

// A version that does not come to its end fails at the quota of events, as it would in the service.
func TestEndless(t *testing.T) {
	endless := strings.Replace(task, `"E":{"Type":"Succeed"}`,
		`"E":{"Type":"Choice","Choices":[{"Variable":"$.no","IsPresent":true,"Next":"F"}],"Default":"E2"},"E2":{"Type":"Pass","Next":"E"},"F":{"Type":"Succeed"}`, 1)
	r := one(t, task, endless, `{}`, runs.Echo)
	if r.Count(versions.Outcome) != 1 || r.Judged[0].New != "FAILED: States.Runtime" {
		t.Error(titles(r), r.Judged[0].New)
	}
}

// What a recording does not have cannot be judged.
func TestGaps(t *testing.T) {
	fresh := strings.Replace(task, `"Next":"E"}`, `"Next":"U"},"U":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Next":"E"}`, 1)
	suite := "version: 1\ndefinition: x.json\ntasks: {T: [{output: 1}]}\ncases: {a: {expect: {status: SUCCEEDED}}}\n"
	r := over(t, task, fresh, "a.test.yaml", []byte(suite))
	if got := titles(r); !strings.HasPrefix(got, `1 path: T → U (before: E)`) ||
		!strings.HasPrefix(reasonOf(r), `U: no result for invocation 1 of the task "U"`) {
		t.Error(got, reasonOf(r))
	}
	file := filepath.Join(t.TempDir(), "x.trace")
	runTrace(t, file, machineOf(t, "old", task).Machine, `{}`)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r = over(t, task, fresh, "x.trace", data)
	if got := titles(r); got != "1 path: T → U (before: E) @ new:1" ||
		reasonOf(r) != "U: the trace has no result for its attempt 1" {
		t.Error(got, reasonOf(r))
	}
	begun := `{"events":[{"timestamp":1770109200,"type":"TaskStateEntered","id":2,"previousEventId":1,"stateEnteredEventDetails":{"name":"T","input":"{}"}}]}`
	if got := titles(over(t, task, task, "x.json",
		[]byte(begun))); got != "1 unjudged: the recording does not have the execution's input @ " {
		t.Error(got)
	}
	running := `{"events":[{"timestamp":1770109200,"type":"ExecutionStarted","id":1,"previousEventId":0,"executionStartedEventDetails":{"input":"{}"}},
		{"timestamp":1770109200,"type":"TaskStateEntered","id":2,"previousEventId":1,"stateEnteredEventDetails":{"name":"T","input":"{}"}}]}`
	r = over(t, task, strings.Replace(task, `"a":1`, `"a":2`, 1), "x.json", []byte(running))
	if got := titles(r); got != "1 payload: T: payload $.a @ new:1" || !strings.HasPrefix(reasonOf(r), "T: ") {
		t.Error(got, reasonOf(r))
	}
	if got := titles(over(t, task, task, "x.json", []byte(running))); !strings.HasPrefix(got, "1 unjudged: T: ") {
		t.Error(got)
	}
}

// reasonOf says why what follows the difference of the first execution cannot be judged.
func reasonOf(r *versions.Result) string {
	_, why := r.Judged[0].Rest()
	return why
}

// An execution that was aborted is aborted at the same time in both versions.
func TestAborted(t *testing.T) {
	aborted := `{"events":[{"timestamp":1770109200,"type":"ExecutionStarted","id":1,"previousEventId":0,"executionStartedEventDetails":{"input":"{}"}},
		{"timestamp":1770109200,"type":"TaskStateEntered","id":2,"previousEventId":1,"stateEnteredEventDetails":{"name":"T","input":"{}"}},
		{"timestamp":1770109200,"type":"TaskScheduled","id":3,"previousEventId":2,"taskScheduledEventDetails":{"resourceType":"sqs","resource":"sendMessage","region":"us-east-1","parameters":"{\"a\":1}"}},
		{"timestamp":1770109200,"type":"TaskStarted","id":4,"previousEventId":3,"taskStartedEventDetails":{"resourceType":"sqs","resource":"sendMessage"}},
		{"timestamp":1770109240,"type":"ExecutionAborted","id":5,"previousEventId":4,"executionAbortedEventDetails":{"error":"Stopped","cause":"by hand"}}]}`
	r := over(t, task, strings.Replace(task, `"a":1`, `"a":2`, 1), "x.json", []byte(aborted))
	if got := titles(r); got != "1 payload: T: payload $.a @ new:1" || r.Judged[0].New != "ABORTED: Stopped" {
		t.Error(got, r.Judged[0])
	}
}

func TestVerdictNames(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range versions.Verdicts() {
		if seen[v.String()] || seen[v.Key()] && v != versions.Same {
			t.Errorf("%s, %s", v, v.Key())
		}
		seen[v.String()], seen[v.Key()] = true, true
	}
	if versions.Verdict(99).Key() != "Verdict(99)" {
		t.Error(versions.Verdict(99).Key())
	}
}

// A history may have its pages in several files, and a folder of "asldb fetch" has executions of other machines.
func TestPagesAndFoldersOfFetch(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, 5)
	data, err := os.ReadFile(filepath.Join(dir, "0005.json"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := value.Parse(data, value.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	list := parsed.(*value.Object).Get("events").(*value.Array)
	var items []value.Value
	for _, item := range list.All() {
		items = append(items, item)
	}
	write := func(name string, document *value.Object) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, value.Append(nil, document), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	page := func(items []value.Value) *value.Object {
		return value.ObjectOf(value.Member{Key: "events", Value: value.NewArray(items)})
	}
	write("long-1.json", page(items[:9]).With("nextToken", value.String("t")))
	write("long-2.json", page(items[9:]))
	write("whole.history.json", parsed.(*value.Object))
	write("nested/Other/x.history.json", parsed.(*value.Object))
	write("definitions/Order-1.asl.json", value.ObjectOf())
	write("rest-2.json", page(items[9:]))
	r := compared(t, changed(t, `"packed":true}`, `"packed":true,"box":1}`), dir, versions.Options{})
	want := "3 payload: Each/Iterations[*]/Pack: output $.box @ new.asl.json:11\n1 unjudged: the recording does not have the execution's input @ "
	if got := titles(r); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(r.Skipped) != 0 || len(r.LeftOut) != 1 || filepath.Base(r.LeftOut[0]) != "nested" {
		t.Errorf("skipped %v, left out %v", r.Skipped, r.LeftOut)
	}
	if name := r.Judged[1].Name(); filepath.Base(name) != "long-1.json" {
		t.Error(name)
	}
}

// A recording without the names of its execution runs with those that its data have: found in them, or, where that was
// wrong, by a run.
func TestNamesInTheData(t *testing.T) {
	for _, fields := range []string{`"id.$":"$$.Execution.Id"`, `"name.$":"$$.Execution.Name"`,
		`"text.$":"States.Format('by {}, at once', $$.Execution.Id)"`} {
		old := `{"StartAt":"Ask","States":{"Ask":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Parameters":{` + fields + `},"Next":"Keep"},"Keep":{"Type":"Pass","Parameters":{` + fields + `},"End":true}}}`
		s := debug.New(machineOf(t, "old", old).Machine,
			debug.Options{Input: value.Must(`{}`), Source: fixtures.OnMissing(nil, fixtures.Echo),
				Context: value.Must(`{"Execution":{"Id":"arn:aws:states:eu-west-1:999999999999:execution:Orders:order-77","Name":"order-77"}}`)})
		if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
			t.Fatal(err)
		}
		r := over(t, old, old, "x.json", value.Append(nil, history.Document(history.Of(s.Log().All()))))
		if got := titles(r); got != "" || len(r.Judged) != 1 || r.Judged[0].Differs ||
			r.Judged[0].Verdict != versions.Same {
			t.Errorf("%s: %q, %+v", fields, got, r.Judged)
		}
	}
}
