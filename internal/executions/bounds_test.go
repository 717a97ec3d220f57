package executions_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"asldb/internal/executions"
	"asldb/internal/testkit/runs"
)

// served connects to a service whose answers a function gives; n counts the calls from 1.
func served(t *testing.T, answer func(w http.ResponseWriter, call string, in map[string]any,
	n int)) *executions.Client {
	t.Helper()
	withoutAWS(t)
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in map[string]any
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		answer(w, strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "AWSStepFunctions."), in, int(n.Add(1)))
	}))
	t.Cleanup(server.Close)
	client, err := executions.Connect(t.Context(),
		executions.Connection{Endpoint: server.URL, Rate: 1e6, MaxBackoff: time.Millisecond},
		arn(t, runs.Prefix+"stateMachine:Order"))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func write(t *testing.T, w http.ResponseWriter, out any) {
	t.Helper()
	if err := json.NewEncoder(w).Encode(out); err != nil {
		t.Error(err)
	}
}

type object = map[string]any

// described is a definition; listed an execution in a list; told a history, whose task has started other executions.
var described = object{"definition": runs.Ship, "name": "Order", "roleArn": "r", "stateMachineArn": runs.Prefix +
	"stateMachine:Order", "updateDate": 1.0}

func listed(name string) object {
	return object{"executionArn": runs.Prefix + "execution:Order:" + name, "name": name,
		"stateMachineArn": runs.Prefix + "stateMachine:Order", "status": "SUCCEEDED", "startDate": 1.0, "stopDate": 2.0}
}

func told(started ...string) object {
	events := []object{{"type": "ExecutionStarted", "executionStartedEventDetails": object{"input": "{}"}}}
	for _, arn := range started {
		events = append(events, object{"type": "TaskSucceeded", "taskSucceededEventDetails": object{
			"resourceType": "states", "resource": "startExecution.sync:2",
			"output": fmt.Sprintf(`{"ExecutionArn": %q}`, arn),
		}})
	}
	events = append(events, object{"type": "ExecutionSucceeded",
		"executionSucceededEventDetails": object{"output": "{}"}})
	for i := range events {
		events[i]["id"], events[i]["previousEventId"], events[i]["timestamp"] = i+1, i, 1.0
	}
	return object{"events": events}
}

// excessive checks that an error says that there is too much.
func excessive(t *testing.T, name string, err error, says string) {
	t.Helper()
	var wrong *executions.Error
	if !errors.As(err, &wrong) || wrong.Reason != executions.Excessive || !strings.Contains(err.Error(), says) {
		t.Errorf("%s: %v", name, err)
	}
}

// An answer, a history and a list that have no end are left at a bound.
func TestBounds(t *testing.T) {
	blanks := make([]byte, 1<<20)
	for i := range blanks {
		blanks[i] = ' '
	}
	events := make([]object, 1000)
	for name, test := range map[string]struct {
		says   string
		answer func(w http.ResponseWriter, in object, n int)
	}{
		"an answer of a length": {"the answer has more than 64 MiB",
			func(w http.ResponseWriter, _ object, _ int) { w.Header().Set("Content-Length", "400000000") }},
		"an answer in pieces": {"the answer has more than 64 MiB", func(w http.ResponseWriter, _ object, _ int) {
			for range 80 {
				if _, err := w.Write(blanks); err != nil {
					return
				}
			}
		}},
		"events": {"more than 100000 events", func(w http.ResponseWriter, _ object, n int) {
			for i := range events {
				events[i] = object{"id": n*1000 + i, "type": "PassStateEntered", "timestamp": 1.0}
			}
			write(t, w, object{"events": events, "nextToken": fmt.Sprint(n)})
		}},
		"empty pages": {"or no end", func(w http.ResponseWriter, _ object, n int) {
			write(t, w, object{"events": []object{}, "nextToken": fmt.Sprint(n)})
		}},
	} {
		client := served(t, func(w http.ResponseWriter, call string, in object, n int) {
			if call == "GetExecutionHistory" {
				test.answer(w, in, n)
				return
			}
			write(t, w, described)
		})
		_, err := client.Execution(t.Context(), arn(t, runs.Prefix+"execution:Order:one"), nil)
		excessive(t, name, err, test.says)
	}
	for name, token := range map[string]func(n int) string{"empty pages": func(n int) string { return fmt.Sprint(n) },
		"pages that come again": func(n int) string { return fmt.Sprint(n % 3) }} {
		client := served(t, func(w http.ResponseWriter, _ string, _ object, n int) {
			write(t, w, object{"executions": []object{}, "nextToken": token(n)})
		})
		_, err := client.Search(t.Context(), executions.Query{Of: arn(t, runs.Prefix+"stateMachine:Order"), Limit: 20},
			nil)
		excessive(t, name, err, "the list has no end")
	}
}

// An execution that each time has started another one is followed to a depth.
func TestChainOfExecutions(t *testing.T) {
	client := served(t, func(w http.ResponseWriter, call string, _ object, n int) {
		if call == "GetExecutionHistory" {
			write(t, w, told(fmt.Sprint(runs.Prefix, "execution:Order:child", n)))
			return
		}
		write(t, w, described)
	})
	f, saved := fetchFolder(t)
	if err := f.Add(t.Context(), client, arn(t, runs.Prefix+"execution:Order:one")); err != nil {
		t.Fatal(err)
	}
	if len(*saved) != 22 { // itself, 20 below it, and the one that is left out
		t.Errorf("%d executions", len(*saved))
	}
	excessive(t, "chain", (*saved)[0].Err, "to a depth of 20")
}

// One that cannot be read does not end the fetch, and a name that no file can have is shortened.
func TestOddExecutions(t *testing.T) {
	long := strings.Repeat("x", 300)
	client := served(t, func(w http.ResponseWriter, call string, in object, _ int) {
		switch call {
		case "ListExecutions":
			odd := listed("odd")
			odd["executionArn"] = "arn:aws:states:eu-west-1.evil.example#:1:execution:Order:odd"
			write(t, w, object{"executions": []object{listed("one"), odd, listed(long), listed("refused"),
				listed("two")}})
		case "GetExecutionHistory":
			switch arn := in["executionArn"].(string); {
			case strings.HasSuffix(arn, ":one"):
				write(t, w, told("arn:aws:states:us-evil.example#:1:execution:Order:z", runs.Prefix+"execution:Ship:"+
					long))
			case strings.HasSuffix(arn, ":refused"):
				w.WriteHeader(http.StatusBadRequest)
				write(t, w, object{"__type": "InvalidArn", "message": "no"})
			default:
				write(t, w, told())
			}
		default:
			write(t, w, described)
		}
	})
	f, saved := fetchFolder(t)
	var warnings []string
	warn := func(err error) { warnings = append(warnings, err.Error()) }
	f.Warn = warn
	items, err := client.Search(t.Context(), executions.Query{Of: arn(t, runs.Prefix+"stateMachine:Order"),
		LeftOut: warn}, nil)
	if err != nil || len(items) != 4 {
		t.Fatal(items, err)
	}
	if err := f.AddAll(t.Context(), client, items); err != nil {
		t.Fatal(err)
	}
	if len(warnings) != 2 || !strings.Contains(warnings[0], "eu-west-1.evil.example") ||
		!strings.HasPrefix(warnings[1], `one: what it started is left out: "arn:aws:states:us-evil.example#`) {
		t.Errorf("%q", warnings)
	}
	failed := slices.IndexFunc(*saved, func(s executions.Saved) bool { return s.Err != nil })
	if len(*saved) != 5 || failed < 0 || (*saved)[failed].ARN.Name != "refused" {
		t.Errorf("%+v", *saved)
	}
	names := filesIn(t, f.Dir)
	for _, name := range names {
		if len(path.Base(name)) > 200 {
			t.Errorf("%s has %d bytes", name, len(path.Base(name)))
		}
	}
	if len(names) != 5 { // with the definition
		t.Errorf("%q", names)
	}
}

// A call that is made again for another reason than its rate is told.
func TestRetriesAreTold(t *testing.T) {
	x := runs.Of("one", day, `{"card": "good-card"}`)
	stub := runs.Start(t, x)
	stub.Refuse = func(_ string, n int, _ string) *runs.Refusal {
		switch n {
		case 1:
			return &runs.Refusal{Code: "ThrottlingException", Message: "Rate exceeded"}
		case 3:
			return &runs.Refusal{Code: "ServiceUnavailable", Message: "<html>", Status: http.StatusBadGateway}
		}
		return nil
	}
	withoutAWS(t)
	var told []string
	client, err := executions.Connect(t.Context(), executions.Connection{
		Endpoint: stub.URL, Rate: 1e6, MaxBackoff: time.Millisecond,
		Retrying: func(e *executions.Error) { told = append(told, e.Message()) },
	}, arn(t, runs.Prefix+"stateMachine:Order"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = client.Execution(t.Context(), arn(t, x.ARN), nil); err != nil {
		t.Fatal(err)
	}
	if want := []string{"502 Bad Gateway"}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}
