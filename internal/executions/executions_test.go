package executions_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/internal/executions"
	"asldb/internal/files"
	"asldb/internal/testkit/runs"
)

var noon = time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)

// service returns the list of the executions of a stub.
func service(t *testing.T, stub *runs.Server, q executions.Query) *executions.Service {
	t.Helper()
	for _, name := range []string{"AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"} {
		t.Setenv(name, os.DevNull)
	}
	t.Setenv("AWS_PROFILE", "")
	var err error
	if q.Of, err = executions.ParseARN(runs.Prefix + "stateMachine:Order"); err != nil {
		t.Fatal(err)
	}
	return executions.NewService(executions.Connection{Endpoint: stub.URL, Rate: 1e6, MaxBackoff: time.Millisecond}, q)
}

// orders are n executions, an hour apart; every second has failed.
func orders(n int) []runs.Execution {
	var list []runs.Execution
	for i := range n {
		card := "good-card"
		if i%2 == 1 {
			card = "bad-card"
		}
		list = append(list, runs.Of(fmt.Sprintf("order-%03d", i), noon.Add(-time.Duration(i)*time.Hour),
			fmt.Sprintf(`{"id": %d, "card": %q}`, i, card)))
	}
	return list
}

// all reads a list to its end, and counts the pages.
func all(t *testing.T, s executions.Source) (rows []executions.Row, pages int) {
	t.Helper()
	for more := true; more; pages++ {
		var page []executions.Row
		var err error
		if page, more, err = s.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, page...)
	}
	return rows, pages
}

// The list comes page by page, by one call each; a history is read only when it is asked for.
func TestService(t *testing.T) {
	stub := runs.Start(t, orders(101)...)
	s := service(t, stub, executions.Query{})
	if calls := stub.Calls(); len(calls) != 0 {
		t.Errorf("%q before anything was asked for", calls)
	}
	rows, pages := all(t, s)
	if len(rows) != 101 || pages != 2 || s.Local() || s.Title() != "Executions of Order" {
		t.Errorf("%d rows on %d pages of %q", len(rows), pages, s.Title())
	}
	if calls := strings.Join(stub.Calls(), ", "); calls != "ListExecutions stateMachine:Order, ListExecutions stateMachine:Order" {
		t.Error(calls)
	}
	if r := rows[1]; r.Name != "order-001" || r.Status != "FAILED" || !r.Failed() ||
		!r.Start.Equal(noon.Add(-time.Hour)) || r.Failure != nil || rows[0].Failed() {
		t.Errorf("%+v", r)
	}
	var events int
	x, err := s.Read(t.Context(), &rows[1], func(n int) { events = n })
	if err != nil {
		t.Fatal(err)
	}
	if f := x.Failure(); f == nil || *f != (executions.Failure{State: "Charge", Error: "Card.Declined",
		Cause: "bad-card has no funds", Events: events}) || x.Fetched == nil {
		t.Errorf("%+v", f)
	}
	if x, err = s.Read(t.Context(), &rows[0], nil); err != nil || x.Failure() != nil {
		t.Errorf("an execution that succeeded has a failure, or %v", err)
	}
	s.Again()
	if rows, _ := all(t, s); len(rows) != 101 {
		t.Errorf("%d rows the second time", len(rows))
	}
}

// A page without an execution that fits is not the end.
func TestServiceWithStatuses(t *testing.T) {
	stub := runs.Start(t, orders(4)...)
	rows, _ := all(t, service(t, stub, executions.Query{Statuses: []string{"FAILED", "ABORTED"}}))
	if len(rows) != 2 {
		t.Errorf("%d rows", len(rows))
	}
	rows, _ = all(t, service(t, stub, executions.Query{Since: noon.Add(-90 * time.Minute)}))
	if len(rows) != 2 {
		t.Errorf("%d rows since then", len(rows))
	}
}

// After an error the list continues from there.
func TestServiceGoesOnAfterAnError(t *testing.T) {
	stub := runs.Start(t, orders(101)...)
	s := service(t, stub, executions.Query{})
	first, more, err := s.Next(t.Context())
	if err != nil || !more {
		t.Fatal(err)
	}
	for code, want := range map[string]executions.Reason{
		"ExpiredTokenException": executions.Expired, "AccessDeniedException": executions.Denied,
		"ThrottlingException": executions.Throttled, "StateMachineTypeNotSupported": executions.Express,
	} {
		stub.Configure(func(s *runs.Server) {
			s.Refuse = func(string, int, string) *runs.Refusal { return &runs.Refusal{Code: code, Message: "no"} }
		})
		_, more, err := s.Next(t.Context())
		var wrong *executions.Error
		if !errors.As(err, &wrong) || wrong.Reason != want || !more {
			t.Errorf("%s: %v", code, err)
		}
		if _, err := s.Read(t.Context(), &first[0], nil); !errors.As(err, &wrong) || wrong.Reason != want {
			t.Errorf("%s: the history: %v", code, err)
		}
	}
	stub.Configure(func(s *runs.Server) { s.Refuse = nil })
	rest, more, err := s.Next(t.Context())
	if err != nil || more || len(first)+len(rest) != 101 || rest[0].Name != "order-100" {
		t.Errorf("%d and %d rows, %v", len(first), len(rest), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Read(ctx, &first[0], nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// folder fetches executions into a folder.
func folder(t *testing.T, list ...runs.Execution) string {
	t.Helper()
	stub := runs.Start(t, list...)
	s := service(t, stub, executions.Query{})
	rows, _ := all(t, s)
	arn, err := executions.ParseARN(rows[0].About)
	if err != nil {
		t.Fatal(err)
	}
	client, err := executions.Connect(t.Context(), executions.Connection{Endpoint: stub.URL, Rate: 1e6}, arn)
	if err != nil {
		t.Fatal(err)
	}
	f := &executions.Folder{Dir: t.TempDir()}
	for i := range rows {
		arn, _ := executions.ParseARN(rows[i].About)
		if err := f.Add(t.Context(), client, arn); err != nil {
			t.Fatal(err)
		}
	}
	return f.Dir
}

// A fetched folder lists its executions with their failures, and knows the definition that ran.
func TestFiles(t *testing.T) {
	dir := folder(t, orders(30)...)
	f := executions.NewFiles([]string{dir}, files.Files{})
	rows, pages := all(t, f)
	if len(rows) != 30 || pages < 2 || !f.Local() || f.Title() != "Executions in "+dir {
		t.Errorf("%d rows on %d pages of %q", len(rows), pages, f.Title())
	}
	for i := range rows {
		if rows[i].Name != "order-001" {
			continue
		}
		if r := rows[i]; r.Status != "FAILED" || r.Failure == nil || r.Failure.State != "Charge" || r.Start.IsZero() ||
			!r.Stop.After(r.Start) {
			t.Errorf("%+v", r)
		}
		x, err := f.Read(t.Context(), &rows[i], nil)
		if err != nil || x.Failure().Error != "Card.Declined" || !strings.HasSuffix(x.Definition, ".asl.json") ||
			x.Files[0] != filepath.Join(dir, "order-001.history.json") {
			t.Errorf("%+v, %v", x, err)
		}
		if err := os.Remove(x.Definition); err != nil {
			t.Fatal(err)
		}
		if x, err = f.Read(t.Context(), &rows[i], nil); err != nil || x.Definition != "" {
			t.Errorf("%q, %v", x.Definition, err)
		}
		if err := os.Remove(x.Files[0]); err != nil {
			t.Fatal(err)
		}
		if _, err = f.Read(t.Context(), &rows[i], nil); err == nil {
			t.Error("a file that is gone was read")
		}
	}
	f.Again()
	if rows, _ := all(t, f); len(rows) != 29 {
		t.Errorf("%d rows the second time", len(rows))
	}
}

func TestFilesWithoutHistories(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other.json")
	suite := filepath.Join(dir, "order.test.yaml")
	for _, name := range []string{other, suite} {
		if err := os.WriteFile(name, []byte(`{"a": 1}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{dir: "there is neither a history nor a trace of an execution in",
		other: "other.json", suite: "is a suite", filepath.Join(dir, "none"): "cannot read"} {
		f := executions.NewFiles([]string{name}, files.Files{})
		for range 2 {
			if _, more, err := f.Next(t.Context()); err == nil || !strings.Contains(err.Error(), want) || !more {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// The failing state is the state of the first event of the failure, inside of branches, too; an execution that was
// stopped or has timed out was in a state.
func TestFailures(t *testing.T) {
	for name, c := range map[string]struct{ events, status, state, err string }{
		"a branch": {`
{"id":1,"type":"ExecutionStarted","timestamp":1,"executionStartedEventDetails":{"input":"{}"}},
{"id":2,"previousEventId":1,"type":"ParallelStateEntered","timestamp":1,"stateEnteredEventDetails":{"name":"Both","input":"{}"}},
{"id":3,"previousEventId":2,"type":"ParallelStateStarted","timestamp":1},
{"id":4,"previousEventId":3,"type":"FailStateEntered","timestamp":1,"stateEnteredEventDetails":{"name":"Stop","input":"{}"}},
{"id":5,"previousEventId":4,"type":"ParallelStateFailed","timestamp":1},
{"id":6,"previousEventId":5,"type":"ExecutionFailed","timestamp":2,"executionFailedEventDetails":{"error":"E","cause":"c"}}`, "FAILED", "Both/Branches[0]/Stop", "E"},
		"timed out": {`
{"id":1,"type":"ExecutionStarted","timestamp":1,"executionStartedEventDetails":{"input":"{}"}},
{"id":2,"previousEventId":1,"type":"WaitStateEntered","timestamp":1,"stateEnteredEventDetails":{"name":"Long","input":"{}"}},
{"id":3,"previousEventId":2,"type":"ExecutionTimedOut","timestamp":2,"executionTimedOutEventDetails":{"error":"States.Timeout"}}`, "TIMED_OUT", "Long", "States.Timeout"},
		"aborted before its first state": {`
{"id":1,"type":"ExecutionStarted","timestamp":1,"executionStartedEventDetails":{"input":"{}"}},
{"id":2,"previousEventId":1,"type":"ExecutionAborted","timestamp":2,"executionAbortedEventDetails":{}}`, "ABORTED", "", ""},
		"running": {`
{"id":1,"type":"ExecutionStarted","timestamp":1,"executionStartedEventDetails":{"input":"{}"}}`, "RUNNING", "", ""},
	} {
		file := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(file, []byte(`{"events":[`+c.events+`]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		rows, _ := all(t, executions.NewFiles([]string{file}, files.Files{}))
		got := executions.Failure{}
		if rows[0].Failure != nil {
			got = *rows[0].Failure
		}
		if rows[0].Status != c.status || got.State != c.state || got.Error != c.err || rows[0].Name != "x.json" ||
			rows[0].Failed() != (c.status != "RUNNING") {
			t.Errorf("%s: %+v, %+v", name, rows[0], got)
		}
	}
}

// The pages of a history in separate files are one execution.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"order-1.json": `{"events":[{"id":1,"type":"ExecutionStarted","timestamp":1,"executionStartedEventDetails":{"input":"{}"}}],"nextToken":"more"}`,
		"order-2.json": `{"events":[{"id":2,"previousEventId":1,"type":"ExecutionFailed","timestamp":2,"executionFailedEventDetails":{"error":"E"}}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := executions.NewFiles([]string{dir}, files.Files{})
	rows, _ := all(t, f)
	if len(rows) != 1 || rows[0].Status != "FAILED" {
		t.Fatalf("%+v", rows)
	}
	if x, err := f.Read(t.Context(), &rows[0], nil); err != nil || len(x.Files) != 2 || len(x.History.Events) != 2 {
		t.Errorf("%+v, %v", x, err)
	}
}
