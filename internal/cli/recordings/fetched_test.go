package recordings

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"asldb/internal/cli/command"
	"asldb/internal/executions"
	"asldb/internal/launch"
	"asldb/internal/testkit/runs"
)

// fetchedFrom fetches an execution of a stub.
func fetchedFrom(t *testing.T, x runs.Execution, refuse func(call string, n int, token string) *runs.Refusal) *executions.Execution {
	t.Helper()
	for _, name := range []string{"AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"} {
		t.Setenv(name, "/dev/null")
	}
	t.Setenv("AWS_PROFILE", "")
	stub := runs.Start(t, x)
	stub.Refuse = refuse
	arn, err := executions.ParseARN(x.ARN)
	if err != nil {
		t.Fatal(err)
	}
	got, err := fetched(t.Context(), &command.Streams{Err: &bytes.Buffer{}}, executions.Connection{Endpoint: stub.URL, Rate: 1e6}, arn)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A fetched execution runs again with the definition that it had, and agrees with its recording.
func TestFetchedExecutionRunsAgain(t *testing.T) {
	x := runs.Of("two", time.Unix(1_768_046_400, 0), `{"id": 2, "card": "bad-card"}`)
	got := fetchedFrom(t, x, nil)
	spec := &launch.Spec{Now: time.Now}
	if err := useExecution(&command.Streams{}, spec, got, false); err != nil {
		t.Fatal(err)
	}
	run, err := launch.New(*spec)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	if run.Recorded == nil || !run.Recorded.Agrees || run.Spec.Title() != "Order.asl.json" {
		t.Errorf("%q, %+v", run.Spec.Title(), run.About)
	}
	if about := strings.Join(run.About, "\n"); !strings.Contains(about, "Card.Declined") {
		t.Error(about)
	}
	spec = &launch.Spec{History: launch.History{Attempt: 2}}
	if err := useExecution(&command.Streams{}, spec, got, false); err == nil || !strings.Contains(err.Error(), "--attempt is a number from 1 to 1, not 2") {
		t.Error(err)
	}
}

// Without the definition the history is shown as it was recorded.
func TestFetchedExecutionWithoutDefinition(t *testing.T) {
	x := runs.Of("two", time.Unix(1_768_046_400, 0), `{"id": 2, "card": "bad-card"}`)
	got := fetchedFrom(t, x, func(call string, _ int, _ string) *runs.Refusal {
		if call == "DescribeStateMachineForExecution" {
			return &runs.Refusal{Code: "AccessDeniedException", Message: "no"}
		}
		return nil
	})
	var messages bytes.Buffer
	spec := &launch.Spec{Now: time.Now}
	if err := useExecution(&command.Streams{Err: &messages}, spec, got, false); err != nil {
		t.Fatal(err)
	}
	run, err := launch.New(*spec)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	if !strings.Contains(messages.String(), "shown as recorded: DescribeStateMachineForExecution is not permitted") {
		t.Error(messages.String())
	}
}
