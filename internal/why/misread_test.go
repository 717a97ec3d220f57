package why_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/why"
)

// made is a history that a test writes: each event is linked to the one before it.
type made []string

// add adds an event a second after the one before it; details is a member with its key, or empty.
func (h *made) add(kind, details string) {
	id := len(*h) + 1
	if details != "" {
		details = "," + details
	}
	*h = append(*h, fmt.Sprintf(`{"timestamp":"2026-02-03T04:05:%02dZ","type":%q,"id":%d,"previousEventId":%d%s}`, id,
		kind, id, id-1, details))
}

func (h *made) enter(kind, name string) {
	h.add(kind+"StateEntered", `"stateEnteredEventDetails":{"name":"`+name+`","input":"{}"}`)
}

func (h *made) exit(kind, name string) {
	h.add(kind+"StateExited", `"stateExitedEventDetails":{"name":"`+name+`","output":"{}"}`)
}

// call adds the events of a Lambda function; with an error it fails.
func (h *made) call(failure, cause string) {
	h.add("LambdaFunctionScheduled", `"lambdaFunctionScheduledEventDetails":{"resource":"arn:aws:lambda:us-east-1:123456789012:function:f","input":"{}"}`)
	h.add("LambdaFunctionStarted", "")
	if failure == "" {
		h.add("LambdaFunctionSucceeded", `"lambdaFunctionSucceededEventDetails":{"output":"{}"}`)
		return
	}
	h.add("LambdaFunctionFailed", fmt.Sprintf(`"lambdaFunctionFailedEventDetails":{"error":%q,"cause":%q}`, failure,
		cause))
}

func (h *made) end(failure, cause string) {
	h.add("ExecutionFailed", fmt.Sprintf(`"executionFailedEventDetails":{"error":%q,"cause":%q}`, failure, cause))
}

func (h *made) page(from, to int, more string) string {
	return `{"events":[` + strings.Join((*h)[from:to], ",") + `]` + more + `}`
}

func (h *made) whole() []byte { return []byte(h.page(0, len(*h), "")) }

// started is a history that has begun.
func started() *made {
	h := &made{}
	h.add("ExecutionStarted", `"executionStartedEventDetails":{"input":"{}","roleArn":"arn:aws:iam::123456789012:role/R"}`)
	return h
}

// order is the execution of an order: loading is tried again, the card is declined, a catcher leads over Tell to the
// Fail state Rejected.
func order() *made {
	h := started()
	h.enter("Task", "Load")
	h.call("Busy", "try again")
	h.call("", "")
	h.exit("Task", "Load")
	h.enter("Task", "Charge") // 9
	h.call("Card.Declined", "no funds")
	problem := `{\"Error\":\"Card.Declined\",\"Cause\":\"no funds\"}`
	h.add("TaskStateExited", `"stateExitedEventDetails":{"name":"Charge","output":"`+problem+`"}`)
	h.add("TaskStateEntered", `"stateEnteredEventDetails":{"name":"Tell","input":"`+problem+`"}`)
	h.add("LambdaFunctionScheduled", `"lambdaFunctionScheduledEventDetails":{"resource":"arn:aws:lambda:us-east-1:123456789012:function:f","input":"`+problem+`"}`)
	h.add("LambdaFunctionStarted", "")
	h.add("LambdaFunctionSucceeded", `"lambdaFunctionSucceededEventDetails":{"output":"{}"}`)
	h.exit("Task", "Tell")
	h.enter("Fail", "Rejected")
	h.end("Order.Rejected", "not paid")
	return h
}

const orderDefinition = `{"StartAt":"Load","States":{
 "Load":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Next":"Charge",
  "Retry":[{"ErrorEquals":["Busy"],"IntervalSeconds":1}]},
 "Charge":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Next":"Done",
  "Catch":[{"ErrorEquals":["Card.Expired"],"Next":"Done"},{"ErrorEquals":["Card.Declined"],"Next":"Tell"}]},
 "Tell":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Next":"Rejected"},
 "Rejected":{"Type":"Fail","Error":"Order.Rejected","Cause":"not paid"},
 "Done":{"Type":"Succeed"}}}`

// explained returns the text of an answer that explains.
func explained(t *testing.T, document []byte, definition string) string {
	t.Helper()
	var text []byte
	if definition != "" {
		text = []byte(definition)
	}
	answer, err := ask(t, document, text)
	if err != nil {
		t.Fatal(err)
	}
	out := shown(t, answer, "text", 0)
	return out
}

const orderExplained = `FAILED in Rejected with Order.Rejected after 20s  event 21
because   Charge failed at t+12s: Card.Declined: no funds  event 13
          it was caught -> Tell
survived  Load at t+4s: Busy, retried  event 5
cause     not paid
next      open the debugger at the error (save the recording first)
            asldb debug --history history.json --break Charge:error
          a redrive would run Rejected again, a Fail state: mend the cause and start a new execution
`

// TestRetriesAndCatchers: a failure that a retrier survived is not the cause, nor is the state of a catcher, nor the
// last one.
func TestRetriesAndCatchers(t *testing.T) {
	if got := explained(t, order().whole(), ""); got != orderExplained {
		t.Errorf("got\n%s\nwant\n%s", got, orderExplained)
	}
	got := explained(t, order().whole(), orderDefinition)
	for _, want := range []string{
		"m.asl.json:7:2", "because   Charge failed at t+12s: Card.Declined: no funds  event 13",
		"catcher 1 [Card.Expired] does not name Card.Declined", "catcher 2 [Card.Declined] takes it -> Tell",
		"m.asl.json:4:2",
		"survived  Load at t+4s: Busy, retried  event 5",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "note ") {
		t.Errorf("a definition that ran has no note:\n%s", got)
	}
}

// TestNewestFirst: --reverse-order gives the newest event first.
func TestNewestFirst(t *testing.T) {
	h := slices.Clone(*order())
	slices.Reverse(h)
	if got := explained(t, h.whole(), ""); got != orderExplained {
		t.Errorf("got\n%s\nwant\n%s", got, orderExplained)
	}
}

// TestPages: pages in any order, in one file or in several, are one history. A page that is missing is named, and
// without the last one there is nothing to explain.
func TestPages(t *testing.T) {
	h := order()
	first, second, third := h.page(0, 7, `,"nextToken":"a"`), h.page(7, 15, `,"nextToken":"b"`), h.page(15, len(*h), "")
	if got := explained(t, []byte(second+"\n"+third+first), ""); got != orderExplained {
		t.Errorf("got\n%s\nwant\n%s", got, orderExplained)
	}
	dir := t.TempDir()
	q := why.Question{}
	for i, page := range []string{third, first, second} {
		q.Files = append(q.Files, filepath.Join(dir, fmt.Sprint(i, ".json")))
		if err := os.WriteFile(q.Files[i], []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	answer, err := why.Of(q)
	if err != nil || answer.Ending.Chain.Root().Visit.State.Name != "Charge" {
		t.Errorf("three files: %v", err)
	}
	if got := explained(t, []byte(first+third), ""); !strings.Contains(got,
		"nextToken says that there are more pages") {
		t.Errorf("a page is missing:\n%s", got)
	}
	var unexplained *why.UnexplainedError
	if answer, err := ask(t, []byte(first+second), nil); !errors.As(err, &unexplained) || answer == nil ||
		!slices.ContainsFunc(answer.Notes, func(n string) bool { return strings.Contains(n, "nextToken") }) {
		t.Errorf("the last page is missing: %v", err)
	}
}

// TestRedrives: the last attempt is explained, and each other one on demand.
func TestRedrives(t *testing.T) {
	h := started()
	h.enter("Task", "Charge")
	h.call("Card.Timeout", "no answer")
	h.end("Card.Timeout", "no answer")
	h.add("ExecutionRedriven", `"executionRedrivenEventDetails":{"redriveCount":1}`)
	h.call("", "")
	h.exit("Task", "Charge")
	h.enter("Task", "Ship")
	h.call("Stock.Short", "no teapot")
	h.end("Stock.Short", "no teapot")
	got := explained(t, h.whole(), "")
	for _, want := range []string{
		"FAILED in Ship with Stock.Short", "attempt 1: events 1 to 6, FAILED: Card.Timeout",
		"attempt 2: events 7 to 16, FAILED: Stock.Short",
		"aws stepfunctions redrive-execution --execution-arn ARN", "continue from Ship",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	q := why.Question{Files: []string{files.Stdin}, Attempt: 1, Input: files.Files{Stdin: bytes.NewReader(h.whole())}}
	answer, err := why.Of(q)
	if err != nil {
		t.Fatal(err)
	}
	out := shown(t, answer, "text", 0)
	if !strings.HasPrefix(out, "FAILED in Charge with Card.Timeout") ||
		!strings.Contains(out, "--history history.json --attempt 1 --break Charge:error") {
		t.Error(out)
	}
	q.Attempt, q.Input.Stdin = 3, bytes.NewReader(h.whole())
	if _, err := why.Of(q); err == nil || !strings.Contains(err.Error(), "from 1 to 2") {
		t.Errorf("attempt 3: %v", err)
	}
}

// TestKindsOfFailures: each kind of failure has its own member for its details, none has the name of the state, and a
// type that is not known does no harm.
func TestKindsOfFailures(t *testing.T) {
	for kind, scheduled := range map[string]string{
		"LambdaFunctionFailed": "LambdaFunctionScheduled", "LambdaFunctionTimedOut": "LambdaFunctionScheduled",
		"LambdaFunctionScheduleFailed": "",
		"LambdaFunctionStartFailed":    "LambdaFunctionScheduled", "TaskFailed": "TaskScheduled",
		"TaskTimedOut": "TaskScheduled", "TaskStartFailed": "TaskScheduled",
		"TaskSubmitFailed": "TaskScheduled", "ActivityFailed": "ActivityScheduled",
		"ActivityTimedOut": "ActivityScheduled", "ActivityScheduleFailed": "",
	} {
		h := started()
		h.enter("Pass", "Before")
		h.exit("Pass", "Before")
		h.enter("Task", "Work")
		if scheduled != "" {
			member := strings.ToLower(scheduled[:1]) + scheduled[1:] + "EventDetails"
			h.add(scheduled, fmt.Sprintf(`"%s":{"resource":"arn:aws:states:us-east-1:123456789012:activity:a","resourceType":"sqs","region":"us-east-1","parameters":"{}","timeoutInSeconds":9}`, member))
		}
		h.add("SomethingNew", `"somethingNewEventDetails":{"name":"Nowhere"}`)
		member := strings.ToLower(kind[:1]) + kind[1:] + "EventDetails"
		h.add(kind, fmt.Sprintf(`"%s":{"error":"Work.Broken","cause":"c","resource":"r","resourceType":"sqs"}`, member))
		h.end("Work.Broken", "c")
		if got := explained(t, h.whole(), ""); !strings.HasPrefix(got, "FAILED in Work with Work.Broken") {
			t.Errorf("%s: %s", kind, got)
		}
	}
}

// TestNested: the Cause of a task that started an execution describes that one, and those inside of it.
func TestNested(t *testing.T) {
	inner := `{"ExecutionArn":"arn:aws:states:us-east-1:1:execution:inner:x","Status":"FAILED","Error":"Card.Declined","Cause":"no funds"}`
	outer := `{"ExecutionArn":"arn:aws:states:us-east-1:1:execution:outer:y","Status":"FAILED","Error":"States.TaskFailed","Cause":` + string(value.AppendQuoted(nil, inner)) + `}`
	h := started()
	h.enter("Task", "Start")
	h.add("TaskScheduled", `"taskScheduledEventDetails":{"resourceType":"states","resource":"startExecution.sync:2","region":"us-east-1","parameters":"{}"}`)
	h.add("TaskFailed", fmt.Sprintf(`"taskFailedEventDetails":{"resourceType":"states","resource":"startExecution.sync:2","error":"States.TaskFailed","cause":%s}`, value.AppendQuoted(nil, outer)))
	h.end("States.TaskFailed", outer)
	got := explained(t, h.whole(), "")
	for _, want := range []string{
		"the execution arn:aws:states:us-east-1:1:execution:outer:y ended as FAILED: States.TaskFailed\n",
		"the execution arn:aws:states:us-east-1:1:execution:inner:x ended as FAILED: Card.Declined: no funds\n",
		"aws stepfunctions get-execution-history --execution-arn arn:aws:states:us-east-1:1:execution:inner:x | asldb why -",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	answer, err := ask(t, h.whole(), nil)
	if err != nil {
		t.Fatal(err)
	}
	document, err := value.Parse([]byte(shown(t, answer, "json", 0)), value.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	chain := document.(*value.Object).Get("chain").(*value.Array)
	var kinds []string
	for _, link := range chain.All() {
		kinds = append(kinds, string(link.(*value.Object).Get("kind").(value.String))+" "+
			string(link.(*value.Object).Get("error").(value.String)))
	}
	if want := []string{"failed States.TaskFailed", "execution States.TaskFailed",
		"execution Card.Declined"}; !slices.Equal(kinds, want) {
		t.Errorf("the chain is %q, want %q", kinds, want)
	}
}

// TestTimeout: a history says how long a task was waited for, and when it last sent a heartbeat.
func TestTimeout(t *testing.T) {
	h := started()
	h.enter("Task", "Work")
	h.add("TaskScheduled", `"taskScheduledEventDetails":{"resourceType":"sqs","resource":"sendMessage.waitForTaskToken","region":"us-east-1","parameters":"{}","timeoutInSeconds":2}`)
	h.add("TaskStarted", `"taskStartedEventDetails":{"resourceType":"sqs","resource":"sendMessage.waitForTaskToken"}`)
	h.add("TaskTimedOut", `"taskTimedOutEventDetails":{"resourceType":"sqs","resource":"sendMessage.waitForTaskToken","error":"States.Timeout"}`)
	h.end("States.Timeout", "")
	if got := explained(t, h.whole(), ""); !strings.Contains(got, "waited 2s; TimeoutSeconds 2") {
		t.Errorf("%s", got)
	}
	h = started()
	h.enter("Wait", "Pause")
	h.add("ExecutionTimedOut", `"executionTimedOutEventDetails":{"error":"States.Timeout"}`)
	if got := explained(t, h.whole(), ""); !strings.HasPrefix(got, "TIMED_OUT") ||
		!strings.Contains(got, "during    Pause, entered at t+1s, 1s before the end") {
		t.Errorf("%s", got)
	}
}

// TestTimeoutInAnIteration: the state that went on is inside of the Map state, though another iteration ended after it
// began.
func TestTimeoutInAnIteration(t *testing.T) {
	h := started()
	h.enter("Map", "All")
	h.add("MapStateStarted", `"mapStateStartedEventDetails":{"length":2}`)
	h.add("MapIterationStarted", `"mapIterationStartedEventDetails":{"name":"All","index":0}`)
	h.enter("Wait", "Long")
	h.exit("Wait", "Long")
	h.add("MapIterationStarted", `"mapIterationStartedEventDetails":{"name":"All","index":1}`)
	(*h)[6] = strings.Replace((*h)[6], `"previousEventId":6`, `"previousEventId":3`, 1)
	h.enter("Wait", "Long")
	h.add("MapIterationSucceeded", `"mapIterationSucceededEventDetails":{"name":"All","index":0}`)
	(*h)[8] = strings.Replace((*h)[8], `"previousEventId":8`, `"previousEventId":6`, 1)
	h.add("ExecutionTimedOut", `"executionTimedOutEventDetails":{"error":"States.Timeout"}`)
	got := explained(t, h.whole(), "")
	wants(t, "text", got, "during    [1] Long, entered at t+7s", "open the debugger at the state",
		"--break 'All/Iterations[1]/Long'\n")
}

// TestMapRun: the child executions of a Map Run have their own histories.
func TestMapRun(t *testing.T) {
	h := started()
	h.enter("Map", "All")
	h.add("MapStateStarted", `"mapStateStartedEventDetails":{"length":0}`)
	h.add("MapRunStarted", `"mapRunStartedEventDetails":{"mapRunArn":"arn:aws:states:us-east-1:1:mapRun:m/All:z"}`)
	h.add("MapRunFailed", `"mapRunFailedEventDetails":{"error":"States.ExceedToleratedFailureThreshold","cause":"too many"}`)
	h.add("MapStateFailed", "")
	h.end("States.ExceedToleratedFailureThreshold", "too many")
	got := explained(t, h.whole(), "")
	if !strings.HasPrefix(got, "FAILED in All with States.ExceedToleratedFailureThreshold") ||
		!strings.Contains(got, "aws stepfunctions list-executions --map-run-arn arn:aws:states:us-east-1:1:mapRun:m/All:z --status-filter FAILED") {
		t.Errorf("%s", got)
	}
}

// TestWithoutData: --no-include-execution-data leaves out inputs and results: that is said, and the cause found.
func TestWithoutData(t *testing.T) {
	document := regexp.MustCompile(`,"(input|output)":"([^"\\]|\\.)*"|"(input|output)":"([^"\\]|\\.)*",?`).ReplaceAll(
		order().whole(), nil)
	for _, definition := range []string{"", orderDefinition} {
		got := explained(t, document, definition)
		for _, want := range []string{"because   Charge failed at t+12s: Card.Declined", "the events have no data"} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q in\n%s", want, got)
			}
		}
	}
}

// TestAnotherDefinition: where the definition is not the one that ran, the recorded events are explained.
func TestAnotherDefinition(t *testing.T) {
	changed := strings.Replace(orderDefinition, `"Busy"`, `"Other"`, 1)
	got := explained(t, order().whole(), changed)
	for _, want := range []string{"FAILED in Rejected with Order.Rejected", "because   Charge failed",
		"note      the recorded events are explained, since with this definition the run differs from the recording"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	got = explained(t, order().whole(), `{"StartAt":"X","States":{"X":{"Type":"Succeed"}}}`)
	for _, want := range []string{"because   Charge failed", "the definition does not have the states of the failure"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
