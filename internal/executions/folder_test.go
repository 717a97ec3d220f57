package executions_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/internal/executions"
	"asldb/internal/testkit"
	"asldb/internal/testkit/runs"
	"asldb/recorder"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

// A folder has histories that are read back as they are, and definitions once.
func TestFolder(t *testing.T) {
	one, two := runs.Of("one", day, `{"id": 1, "card": "good-card"}`),
		runs.Of("two", day.Add(-time.Hour), `{"id": 2, "card": "bad-card"}`)
	stub := runs.Start(t, one, two, runs.Shipped("one", day))
	client := connect(t, stub)
	f, saved := fetchFolder(t)
	items, err := client.Search(t.Context(), executions.Query{Of: arn(t, runs.Prefix+"stateMachine:Order")}, nil)
	if err == nil {
		err = f.AddAll(t.Context(), client, items)
	}
	if err != nil {
		t.Fatal(err)
	}
	names := filesIn(t, f.Dir)
	if len(names) != 5 || names[2] != "nested/Ship/one.history.json" || names[3] != "one.history.json" ||
		names[4] != "two.history.json" || !strings.HasPrefix(names[0], "definitions/Order-") {
		t.Errorf("%q", names)
	}
	for _, x := range []runs.Execution{one, two} {
		data, err := os.ReadFile(filepath.Join(f.Dir, x.ARN[len(x.ARN)-3:]+executions.Suffix))
		if err != nil {
			t.Fatal(err)
		}
		got, err := history.Read(history.File{Name: "got", Data: data})
		if err != nil {
			t.Fatal(err)
		}
		want, err := history.Read(history.File{Name: "want", Data: x.History})
		if err != nil {
			t.Fatal(err)
		}
		if got[0].ARN != x.ARN || len(got[0].Events) != len(want[0].Events) || len(got[0].Notes) != 0 {
			t.Errorf("%s: %d events, notes %v", got[0].ARN, len(got[0].Events), got[0].Notes)
		}
		for i := range got[0].Events {
			if g, w := &got[0].Events[i], &want[0].Events[i]; g.ID != w.ID || g.Type != w.Type ||
				g.Time/1e6 != w.Time/1e6 {
				t.Errorf("%+v, want %+v", g, w)
			}
		}
		if status, _, _, _ := rerun.Of(got[0]).Result(); status != x.Status {
			t.Errorf("%s: %s", x.ARN, status)
		}
	}
	info, err := os.Stat(filepath.Join(f.Dir, "one.history.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if len(*saved) != 3 || (*saved)[2].Status != "FAILED" {
		t.Errorf("%+v", *saved)
	}
}

// A fetch that ended continues where it was; a redriven or running execution is fetched again.
func TestResume(t *testing.T) {
	var all []runs.Execution
	for i := range 4 {
		all = append(all, runs.Of(fmt.Sprintf("x%d", i), day.Add(-time.Duration(i)*time.Hour), `{"card": "bad-card"}`))
	}
	stub := runs.Start(t, all...)
	stub.Refuse = func(_ string, n int, _ string) *runs.Refusal {
		if n == 6 { // the history of the third
			return &runs.Refusal{Code: "ExpiredTokenException"}
		}
		return nil
	}
	client := connect(t, stub)
	f, _ := fetchFolder(t)
	query := executions.Query{Of: arn(t, runs.Prefix+"stateMachine:Order")}
	search := func() []executions.Item {
		items, err := client.Search(t.Context(), query, nil)
		if err != nil {
			t.Fatal(err)
		}
		stub.Calls()
		return items
	}
	if err := f.AddAll(t.Context(), client, search()); err == nil ||
		len(slices.DeleteFunc(filesIn(t, f.Dir), func(name string) bool {
			return !strings.HasSuffix(name, executions.Suffix)
		})) != 2 {
		t.Fatalf("%v, %q", err, filesIn(t, f.Dir))
	}
	stub.Refuse = nil
	again := func() []string {
		next := &executions.Folder{Dir: f.Dir, Redactions: f.Redactions}
		if err := next.AddAll(t.Context(), client, search()); err != nil {
			t.Fatal(err)
		}
		return stub.Calls()
	}
	if calls := again(); len(calls) != 4 || !strings.HasSuffix(calls[0], ":x2") || !strings.HasSuffix(calls[3], ":x3") {
		t.Errorf("%q", calls)
	}
	if calls := again(); len(calls) != 0 {
		t.Errorf("%q", calls)
	}
	all[1].Redrives = 1
	stub.Set(all...)
	if calls := again(); len(calls) != 2 || !strings.HasSuffix(calls[0], ":x1") {
		t.Errorf("%q", calls)
	}
	all[1].Redrives = 0
	stub.Set(all...)
	card, err := recorder.ParseRedaction("$..card")
	if err != nil {
		t.Fatal(err)
	}
	f.Redactions = []*recorder.Redaction{card}
	if calls := again(); len(calls) != 8 { // they are not redacted
		t.Errorf("%q", calls)
	}
	if calls := again(); len(calls) != 0 {
		t.Errorf("%q", calls)
	}
}

// What is in the folder and was not fetched stays as it is.
func TestOtherFilesStay(t *testing.T) {
	x := runs.Of("one", day, `{"id": 1}`)
	stub := runs.Start(t, x)
	client := connect(t, stub)
	f, saved := fetchFolder(t)
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(f.Dir, "one.history.json")
	for _, text := range []string{"mine", "{\n\"a\": ,\n\"events\": [",
		"{\n\"executionArn\": \"another\",\n\"events\": [\n]}"} {
		if err := os.WriteFile(mine, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		next := &executions.Folder{Dir: f.Dir, Saved: f.Saved}
		if err := next.Add(t.Context(), client, arn(t, x.ARN)); err != nil {
			t.Fatal(err)
		}
		if data, _ := os.ReadFile(mine); string(data) != text {
			t.Errorf("%s", data)
		}
	}
	name := (*saved)[0].File
	if !strings.HasPrefix(filepath.Base(name), "one-") {
		t.Error(name)
	}
	if err := os.WriteFile(name, []byte("mine, too"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&executions.Folder{Dir: f.Dir}).Add(t.Context(), client, arn(t, x.ARN)); err == nil ||
		!strings.Contains(err.Error(), "is not a fetched history") {
		t.Error(err)
	}
}

// The executions of a Map Run come from the list of that.
func TestMapRuns(t *testing.T) {
	const run = runs.Prefix + "mapRun:Order/each:1"
	x := runs.Execution{ARN: runs.Prefix + "execution:Order:one", Status: "RUNNING", Start: day, Definition: runs.OrderStub, History: []byte(`{"events": [
	  {"timestamp": "2026-01-10T12:00:00Z", "type": "ExecutionStarted", "id": 1, "executionStartedEventDetails": {"input": "{}"}},
	  {"timestamp": "2026-01-10T12:00:00Z", "type": "MapRunStarted", "id": 2, "previousEventId": 1, "mapRunStartedEventDetails": {"mapRunArn": "` + run + `"}}]}`)}
	child := runs.Shipped("child", day)
	child.ARN, child.MapRun = runs.Prefix+"execution:Order/each:child", run
	express := child
	express.ARN = runs.Prefix + "express:Order/each:child:1"
	stub := runs.Start(t, x, child, express)
	f, saved := fetchFolder(t)
	f.MapRuns = true
	if err := f.Add(t.Context(), connect(t, stub), arn(t, x.ARN)); err != nil {
		t.Fatal(err)
	}
	if len(*saved) != 3 || (*saved)[0].File != filepath.Join(f.Dir, "map-runs", "one", "child.history.json") ||
		(*saved)[1].Err == nil || (*saved)[2].Status != "RUNNING" {
		t.Errorf("%+v", *saved)
	}
	if calls := stub.Calls(); !slices.Contains(calls, "ListExecutions mapRun:Order/each:1") {
		t.Errorf("%q", calls)
	}
}

// Names of executions may hold what no name of a file should.
func TestNamesOfFiles(t *testing.T) {
	x := runs.Of("..", day, `{"id": 1}`)
	stub := runs.Start(t, x)
	f, saved := fetchFolder(t)
	f.Nested = false
	if err := f.Add(t.Context(), connect(t, stub), arn(t, x.ARN)); err != nil {
		t.Fatal(err)
	}
	if got := (*saved)[0].File; got != filepath.Join(f.Dir, "__.history.json") {
		t.Error(got)
	}
}

// Whichever change of the file system fails, each file of a folder is as it was or as it is to be.
func TestFolderOnAFullDisk(t *testing.T) {
	one := runs.Of("one", day, `{"id": 1, "card": "good-card"}`)
	client := connect(t, runs.Start(t, one))
	testkit.EachFailure(t, map[string]string{"one.history.json": "{}\n"}, func(dir string) error {
		var failed error
		f := &executions.Folder{Dir: dir, Saved: func(s executions.Saved) { failed = errors.Join(failed, s.Err) }}
		return errors.Join(f.Add(t.Context(), client, arn(t, one.ARN)), failed)
	})
}
