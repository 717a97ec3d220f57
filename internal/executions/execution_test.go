package executions_test

import (
	"errors"
	"strings"
	"testing"

	"asldb/internal/executions"
	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
)

// An execution comes with all pages, in the form that the importer reads, and runs again.
func TestExecutionHasAllPages(t *testing.T) {
	x := runs.Of("one", day, `{"id": 1, "card": "good-card"}`)
	stub := runs.Start(t, x)
	stub.PageSize = 3
	client := connect(t, stub)
	var counts []int
	got, err := client.Execution(t.Context(), arn(t, x.ARN), func(events int) { counts = append(counts, events) })
	if err != nil {
		t.Fatal(err)
	}
	want, err := history.Read(history.File{Name: "history.json", Data: x.History})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Events) != len(want[0].Events) || got.Status() != "SUCCEEDED" || !got.Ended || counts[0] != 3 ||
		counts[len(counts)-1] != len(got.Events) {
		t.Errorf("%d events, %s, pages to %v; want %d", len(got.Events), got.Status(), counts, len(want[0].Events))
	}
	if d := got.Definition; d == nil || d.Text != runs.OrderStub || d.Revision != "rev-1" || d.Name != "Order" {
		t.Errorf("definition %+v", d)
	}
	if nested := got.Nested(); len(nested) != 1 || nested[0] != runs.Prefix+"execution:Ship:one" {
		t.Errorf("nested %q", nested)
	}
	if calls := stub.Calls(); len(calls) != 1+(len(got.Events)+2)/3 ||
		calls[0] != "DescribeStateMachineForExecution execution:Order:one" ||
		calls[1] != "GetExecutionHistory execution:Order:one" {
		t.Errorf("calls %q", calls)
	}
}

// Each reason for which nothing comes has its own message.
func TestReasons(t *testing.T) {
	x := runs.Of("one", day, `{"card": "bad-card"}`)
	for code, want := range map[string]struct {
		reason executions.Reason
		text   string
	}{
		"ExpiredTokenException": {executions.Expired,
			"the AWS credentials have expired (ExpiredTokenException: m): log in again"},
		"UnrecognizedClientException": {executions.BadCredentials, "no valid AWS credentials"},
		"AccessDeniedException":       {executions.Denied, "the credentials need states:GetExecutionHistory"},
		"ExecutionDoesNotExist":       {executions.Missing, "ended more than 90 days ago"},
		"KmsAccessDeniedException":    {executions.Encrypted, "kms:Decrypt"},
		"KmsInvalidStateException":    {executions.Encrypted, "the key must be enabled"},
		"ThrottlingException":         {executions.Throttled, "was throttled, also after retries"},
		"KmsThrottlingException":      {executions.Throttled, "was throttled, also after retries"},
		"InvalidArn":                  {executions.Other, "GetExecutionHistory failed: InvalidArn: m"},
	} {
		stub := runs.Start(t, x)
		stub.Refuse = func(call string, _ int, _ string) *runs.Refusal {
			if call == "GetExecutionHistory" {
				return &runs.Refusal{Code: code, Message: "m"}
			}
			return nil
		}
		_, err := connect(t, stub).Execution(t.Context(), arn(t, x.ARN), nil)
		var wrong *executions.Error
		if !errors.As(err, &wrong) || wrong.Reason != want.reason || !strings.Contains(err.Error(), want.text) ||
			wrong.About != x.ARN {
			t.Errorf("%s: %v", code, err)
		}
		if wanted := 2; want.reason == executions.Throttled {
			if calls := len(stub.Calls()); calls != 9 {
				t.Errorf("%s: %d calls, want 9: one and eight attempts", code, calls)
			}
		} else if calls := len(stub.Calls()); calls != wanted {
			t.Errorf("%s: %d calls, want %d", code, calls, wanted)
		}
	}
}

// A call that is throttled is made again.
func TestThrottledCallsAreMadeAgain(t *testing.T) {
	x := runs.Of("one", day, `{"card": "bad-card"}`)
	stub := runs.Start(t, x)
	stub.PageSize = 4
	stub.Refuse = func(_ string, n int, _ string) *runs.Refusal {
		if n%3 != 0 {
			return &runs.Refusal{Code: "ThrottlingException", Message: "Rate exceeded"}
		}
		return nil
	}
	got, err := connect(t, stub).Execution(t.Context(), arn(t, x.ARN), nil)
	if err != nil || got.Status() != "FAILED" {
		t.Fatal(err)
	}
}

// Without the definition the history is of use, too.
func TestDefinitionIsWithheld(t *testing.T) {
	x := runs.Of("one", day, `{"card": "bad-card"}`)
	for code, kept := range map[string]bool{"AccessDeniedException": true, "KmsAccessDeniedException": true,
		"StateMachineDoesNotExist": true, "ExpiredTokenException": false} {
		stub := runs.Start(t, x)
		stub.Refuse = func(call string, _ int, _ string) *runs.Refusal {
			if call == "DescribeStateMachineForExecution" {
				return &runs.Refusal{Code: code, Message: "m"}
			}
			return nil
		}
		got, err := connect(t, stub).Execution(t.Context(), arn(t, x.ARN), nil)
		if kept != (err == nil) || kept && (got.Definition != nil || got.Withheld == nil || len(got.Events) == 0) {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// A history with missing pages is an error, never a shorter history.
func TestMissingPages(t *testing.T) {
	x := runs.Of("one", day, `{"card": "good-card"}`)
	for name, c := range map[string]struct {
		change func(token string, events []any) []any
		refuse func(call string, n int, token string) *runs.Refusal
		want   string
	}{
		"an empty page": {change: func(token string, events []any) []any {
			if token == "page-3" {
				return []any{}
			}
			return events
		}, want: "event 4 is missing"},
		"the first event": {change: func(token string, events []any) []any {
			if token == "" {
				return events[1:]
			}
			return events
		}, want: "event 1 is missing"},
		"an expired token": {refuse: func(_ string, _ int, token string) *runs.Refusal {
			if token == "page-6" {
				return &runs.Refusal{Code: "InvalidToken", Message: "Invalid Token"}
			}
			return nil
		}, want: "the page after event 6 was refused (InvalidToken: Invalid Token)"},
		"none": {change: func(string, []any) []any { return []any{} }, want: "it has no events"},
		"no event": {change: func(string, []any) []any {
			return []any{map[string]any{"type": "ExecutionStarted", "id": 1, "timestamp": 1}, nil}
		}, want: "an event is not an object"},
	} {
		stub := runs.Start(t, x)
		stub.PageSize, stub.Change, stub.Refuse = 3, c.change, c.refuse
		_, err := connect(t, stub).Execution(t.Context(), arn(t, x.ARN), nil)
		var wrong *executions.Error
		if !errors.As(err, &wrong) || wrong.Reason != executions.Incomplete || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Express executions are told by their ARN: no call is made.
func TestExpress(t *testing.T) {
	stub := runs.Start(t)
	client := connect(t, stub)
	_, err := client.Execution(t.Context(), arn(t, runs.Prefix+"express:Order:4f1a:77"), nil)
	if err == nil || !strings.Contains(err.Error(), "CloudWatch Logs") ||
		!strings.Contains(err.Error(), "--state-machine-arn "+runs.Prefix+
			"stateMachine:Order --query loggingConfiguration") {
		t.Error(err)
	}
	if calls := stub.Calls(); len(calls) > 0 {
		t.Error(calls)
	}
	stub.Refuse = func(string, int, string) *runs.Refusal {
		return &runs.Refusal{Code: "StateMachineTypeNotSupported"}
	}
	_, err = client.Search(t.Context(), executions.Query{Of: arn(t, runs.Prefix+"stateMachine:Order")}, nil)
	if err == nil || !strings.Contains(err.Error(), "is Express") {
		t.Error(err)
	}
}
