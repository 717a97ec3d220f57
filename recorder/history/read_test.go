package history_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/engine/value"
	"asldb/internal/testkit"
	"asldb/recorder/history"
)

func read(t *testing.T, texts ...string) []*history.Execution {
	t.Helper()
	executions, err := history.Read(files(texts)...)
	if err != nil {
		t.Fatal(err)
	}
	return executions
}

func files(texts []string) []history.File {
	var list []history.File
	for i, text := range texts {
		list = append(list, history.File{Name: fmt.Sprintf("h%d.json", i+1), Data: []byte(text)})
	}
	return list
}

// Three events of an execution, in the forms in which they come.
const (
	first  = `{"timestamp":"2026-01-02T03:04:05.678+00:00","type":"ExecutionStarted","id":1,"previousEventId":0,"executionStartedEventDetails":{"input":"{\"a\": 1.0}","inputDetails":{"truncated":false},"roleArn":"arn:r"}}`
	second = `{"timestamp":"2026-01-02T04:04:05.700+01:00","type":"PassStateEntered","id":2,"previousEventId":0,"stateEnteredEventDetails":{"name":"P","input":"{\"a\":1.0}"}}`
	third  = `{"timestamp":1767323045.7231,"type":"PassStateExited","id":3,"previousEventId":2,"stateExitedEventDetails":{"name":"P","output":"7"}}`
	fourth = `{"timestamp":1767323045723,"type":"ExecutionSucceeded","id":4,"previousEventId":3,"executionSucceededEventDetails":{"output":"7"}}`
)

func page(events ...string) string { return `{"events":[` + strings.Join(events, ",") + `]}` }

func logLine(id int, kind, details string) string {
	return fmt.Sprintf(`{"id":"%d","type":"%s","details":%s,"previous_event_id":"%d","event_timestamp":"1767323045%03d","execution_arn":"arn:aws:states:us-east-1:1:express:M:run:u","redrive_count":"0"}`,
		id, kind, details, max(id-2, 0), 677+id)
}

func logLines() []string {
	return []string{
		logLine(1, "ExecutionStarted", `{"input":"{\"a\": 1.0}"}`),
		logLine(2, "PassStateEntered", `{"name":"P","input":"{\"a\":1.0}"}`),
		logLine(3, "PassStateExited", `{"name":"P","output":"7"}`), logLine(4, "ExecutionSucceeded", `{"output":"7"}`),
	}
}

func quoteAll(lines []string, form string) []string {
	return value.Each(lines, func(line string) string { return fmt.Sprintf(form, value.AppendQuoted(nil, line)) })
}

// Every form in which a history comes says the same.
func TestForms(t *testing.T) {
	for name, texts := range map[string][]string{
		"one page":          {page(first, second, third, fourth)},
		"in reverse":        {page(fourth, third, second, first)},
		"pages in files":    {page(third, fourth), page(first, second)},
		"pages in a file":   {page(first, second) + "\n" + page(third, fourth) + "\n"},
		"overlapping pages": {page(first, second, third), page(second, third, fourth)},
		"events alone":      {"[" + first + "," + second + "," + third + "," + fourth + "]"},
		"an event a line":   {first + "\n" + second + "\n" + third + "\n" + fourth},
		"pages in an array": {"[" + page(first, second) + "," + page(third, fourth) + "]"},
		"byte order mark":   {"\ufeff" + page(first, second, third, fourth)},
		"token, but all there": {strings.Replace(page(first, second, third, fourth), `{"events"`,
			`{"nextToken":"x","events"`, 1)},
		"log lines":  {strings.Join(logLines(), "\n")},
		"log events": {page(quoteAll(logLines(), `{"timestamp":1,"message":%s}`)...)},
		"log export": {"[" + strings.Join(quoteAll(logLines(), `{"@timestamp":"x","@message":%s}`), ",") +
			"]"},
		"insights": {`{"results":[` + strings.Join(quoteAll(logLines(),
			`[{"field":"@ptr","value":"p"},{"field":"@message","value":%s}]`), ",") + `],"status":"Complete"}`},
		"parsed messages": {`[{"@message":` + strings.Join(logLines(), `},{"@message":`) + `}]`},
	} {
		t.Run(name, func(t *testing.T) {
			executions := read(t, texts...)
			if len(executions) != 1 || len(executions[0].Notes) != 0 {
				t.Fatalf("%d executions, notes %v", len(executions), executions[0].Notes)
			}
			x := executions[0]
			types := value.Each(x.Events, func(each history.Event) string { return fmt.Sprint(each.ID, each.Type) })
			if got := strings.Join(types, " "); got != "1ExecutionStarted 2PassStateEntered 3PassStateExited 4ExecutionSucceeded" {
				t.Error(got)
			}
			if input, is := x.Events[0].Payload("input"); is != history.Present || value.Compact(input) != `{"a":1.0}` {
				t.Errorf("input %v (%v)", input, is)
			}
			if name, of := x.Events[1].Text("name"), history.StateType(x.Events[1].Type); name != "P" || of != "Pass" {
				t.Errorf("entered %s %s", of, name)
			}
			if begin := time.Unix(0, x.Events[0].Time).UTC(); begin.Format(
				time.RFC3339Nano) != "2026-01-02T03:04:05.678Z" {
				t.Errorf("began %v", begin)
			}
		})
	}
}

func TestTimes(t *testing.T) {
	for text, want := range map[string]string{
		`"2026-01-02T03:04:05.678000+00:00"`: "2026-01-02T03:04:05.678Z",
		`"2026-01-02T03:04:05-05:00"`:        "2026-01-02T08:04:05Z",
		`"2026-01-02T03:04:05.1+0100"`:       "2026-01-02T02:04:05.1Z",
		`"2026-01-02 03:04:05.5"`:            "2026-01-02T03:04:05.5Z",
		`1767323045.678`:                     "2026-01-02T03:04:05.678Z",
		`1767323045`:                         "2026-01-02T03:04:05Z",
		`1767323045678`:                      "2026-01-02T03:04:05.678Z",
		`"1767323045678"`:                    "2026-01-02T03:04:05.678Z",
		`1.767323045678E9`:                   "2026-01-02T03:04:05.678Z",
	} {
		x := read(t, page(strings.Replace(first, `"2026-01-02T03:04:05.678+00:00"`, text, 1)))[0]
		if got := time.Unix(0, x.Events[0].Time).UTC().Format(time.RFC3339Nano); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// Errors have their place.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		``:                                    "h1.json:1:1: not JSON: ",
		`{"events":[`:                         "h1.json:1:12: not JSON: ",
		"{\"events\": [\n" + first + ",":      "h1.json:2:",
		`nonsense`:                            "h1.json:1:2: not JSON: ",
		`[]`:                                  "h1.json: there is no event in it: expected the output",
		`{"events":[]}`:                       "h1.json: there is no event in it: expected the output",
		`7`:                                   "h1.json:1:1: expected the output",
		`{}`:                                  "found an empty object",
		`{"StartAt":"A","States":{}}`:         `found an object with "StartAt", "States"`,
		`{"events":{}}`:                       "h1.json:1:11: /events: events is an array, not an object",
		`{"events":[1]}`:                      "h1.json:1:12: /events/0: an event is an object, not a number (1)",
		`{"events":[{"id":1,"timestamp":1}]}`: "h1.json:1:12: /events/0: the event has no type",
		`{"events":[{"type":7,"id":1}]}`:      "h1.json:1:20: /events/0/type: type is the name of an event type",
		`{"events":[{"type":"X","timestamp":1}]}`:                                                       "/events/0: the event has no id",
		`{"events":[{"type":"X","id":"x","timestamp":1}]}`:                                              "/events/0/id: id is a whole number",
		`{"events":[{"type":"X","id":-1,"timestamp":1}]}`:                                               "/events/0/id: id is a whole number",
		`{"events":[{"type":"X","id":1}]}`:                                                              "/events/0: the event has no timestamp",
		"{\"events\":[\n  {\"type\":\"X\",\"id\":1,\n   \"timestamp\":\"soon\"}]}":                      `h1.json:3:16: /events/0/timestamp: timestamp is a time`,
		`{"events":[{"type":"X","id":1,"timestamp":1e300}]}`:                                            "timestamp is a time",
		`{"events":[{"type":"X","id":1,"timestamp":-5}]}`:                                               "timestamp is a time",
		`{"events":[{"type":"TaskFailed","id":1,"timestamp":1,"taskFailedEventDetails":7}]}`:            "/events/0/taskFailedEventDetails: the details of an event are an object",
		`{"events":[{"type":"TaskFailed","id":1,"timestamp":1,"taskFailedEventDetails":{"error":[]}}]}`: "/events/0/taskFailedEventDetails/error: error of TaskFailed is not an array",
		page(first, strings.Replace(second, `"id":2`, `"id":1`,
			1)): "two different events have the id 1",
		first + "\n{\"type\"": "h1.json:2:",
		`{"id":"1","type":"ExecutionStarted","details":[],"event_timestamp":"1","execution_arn":"a"}`: "/details: the details of an event are an object",
		`{"id":"1","type":"X","details":{},"event_timestamp":"1","execution_arn":7}`:                  "/execution_arn: execution_arn is a text",
		`{"message":"START RequestId"}`: "/message: the message of a log event is JSON text",
		`{"message":"{}"}`:              "/message: the message is not an event of an execution",
		`{"results":7}`:                 "/results: results is an array",
		`{"results":[[{"field":"x"}]]}`: "/results/0: the row has no field @message",
	} {
		_, err := history.Read(files([]string{text})...)
		var wrong *history.ReadError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s\n got %v\nwant %s", text, err, want)
		}
	}
}

// Gaps in a recording are noted.
func TestNotes(t *testing.T) {
	withheld := func(event string) string {
		for _, payload := range []string{`"input":"{\"a\": 1.0}",`, `,"input":"{\"a\":1.0}"`, `,"output":"7"`,
			`"output":"7"`} {
			event = strings.Replace(event, payload, "", 1)
		}
		return event
	}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"pages missing": {`{"nextToken":"x","events":[` + first + "," + second + `]}`,
			[]string{"there are more pages", "event 2: the history ends here"}},
		"first page gone": {page(third, fourth), []string{"there is no ExecutionStarted"}},
		"gap":             {page(first, third, fourth), []string{"1 event is missing between event 1 and event 4"}},
		"unknown type": {page(first, strings.Replace(second, "PassStateEntered", "QuantumStateEntered", 1), third,
			fourth), []string{`event 2: its type "QuantumStateEntered" is not known`}},
		"truncated": {page(first, second, strings.Replace(third, `"output":"7"`,
			`"output":"{\"a","outputDetails":{"truncated":true}`, 1), fourth),
			[]string{"event 3: its output was truncated"}},
		"not JSON": {page(first, second, strings.Replace(third, `"7"`, `"7}"`, 1), fourth),
			[]string{"event 3: its output is not JSON"}},
		"no data": {page(withheld(first), withheld(second), withheld(third), withheld(fourth)),
			[]string{"the events have no data"}},
		"level below ALL": {logLine(4, "ExecutionFailed", `{"error":"E","cause":"c"}`),
			[]string{"its level is below ALL"}},
		"redriven": {page(first, strings.NewReplacer("PassStateEntered", "ExecutionRedriven", "stateEntered",
			"executionRedriven").Replace(second), third, fourth), []string{"event 2: the execution was redriven"}},
		"details are empty": {page(first, second, `{"timestamp":1767323046,"type":"ExecutionAborted","id":3,"previousEventId":0,"executionAbortedEventDetails":{}}`), nil},
	} {
		t.Run(name, func(t *testing.T) {
			notes := read(t, c.text)[0].Notes
			for i, want := range c.want {
				if i >= len(notes) || !strings.Contains(notes[i].String(), want) {
					t.Errorf("notes %v, want %q", notes, want)
				}
			}
			if len(notes) != len(c.want) {
				t.Errorf("notes %v, want %d", notes, len(c.want))
			}
		})
	}
}

// A log has several executions; the output of describe-execution names the one of a history.
func TestSeveralExecutions(t *testing.T) {
	other := strings.ReplaceAll(strings.Join(logLines(), "\n"), ":run:u", ":other:v")
	executions := read(t, strings.Join(logLines(), "\n")+"\n"+other)
	if len(executions) != 2 || !strings.HasSuffix(executions[0].ARN, ":run:u") ||
		!strings.HasSuffix(executions[1].ARN, ":other:v") {
		t.Errorf("%d executions", len(executions))
	}
	x := read(t, page(first, second, third, fourth),
		`{"executionArn":"arn:aws:states:us-east-1:1:execution:M:run","status":"SUCCEEDED"}`)
	if len(x) != 1 || x[0].ARN != "arn:aws:states:us-east-1:1:execution:M:run" {
		t.Errorf("%+v", x[0].ARN)
	}
}

// Every type of the service is known, and no other (reference, section K.1).
func TestKinds(t *testing.T) {
	known := 0
	for _, prefix := range []string{"Execution", "Task", "LambdaFunction", "Activity", "ParallelState", "MapState",
		"MapIteration", "MapRun",
		"PassState", "TaskState", "ChoiceState", "WaitState", "SucceedState", "FailState", "Evaluation"} {
		for _, phase := range []string{"Entered", "Exited", "Scheduled", "ScheduleFailed", "Started", "StartFailed",
			"Submitted", "SubmitFailed",
			"Succeeded", "Failed", "TimedOut", "Aborted", "Redriven"} {
			if history.KindOf(prefix+phase).Family != history.OfUnknown {
				known++
			}
		}
	}
	if known != 62 {
		t.Errorf("%d types are known, want 62", known)
	}
	for name, key := range map[string]string{
		"TaskStateEntered": "stateEnteredEventDetails", "MapIterationAborted": "mapIterationAbortedEventDetails",
		"LambdaFunctionStarted": "", "MapRunSucceeded": "", "MapRunFailed": "mapRunFailedEventDetails",
		"ParallelStateStarted": "",
		"MapStateStarted":      "mapStateStartedEventDetails", "TaskSubmitFailed": "taskSubmitFailedEventDetails",
		"WaitStateAborted":             "",
		"LambdaFunctionScheduleFailed": "lambdaFunctionScheduleFailedEventDetails",
		"EvaluationFailed":             "evaluationFailedEventDetails",
	} {
		if got := history.KindOf(name).Key; got != key {
			t.Errorf("%s has its details in %q, want %q", name, got, key)
		}
	}
}

// Histories that were found in the wild are read without a note, except for missing events.
func TestRealHistories(t *testing.T) {
	dir := testkit.Dir(t, "histories")
	for name, notes := range map[string]int{
		"real-03-map": 0, "real-05-fail-state": 0, "real-06-map-task-failed": 0, "real-11-map-incomplete": 1,
		"real-12-task-failed": 0, "real-13-parallel": 0,
		"fragment-01-step-functions-local": 2, "fragment-02-step-functions-local": 3,
		"fragment-03-step-functions-local": 2,
	} {
		data, err := os.ReadFile(filepath.Join(dir, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		x := read(t, string(data))[0]
		if len(x.Notes) != notes {
			t.Errorf("%s: notes %v", name, x.Notes)
		}
	}
}

// Nothing that can be in a file makes the reader or the follower panic.
func FuzzRead(f *testing.F) {
	for _, text := range []string{page(first, second, third, fourth), strings.Join(logLines(), "\n"),
		`{"results":[[{"field":"@message","value":"{}"}]]}`} {
		f.Add([]byte(text))
	}
	f.Add([]byte(page(first, `{"timestamp":1,"type":"MapIterationStarted","id":9,"previousEventId":7,"mapIterationStartedEventDetails":{"name":"P","index":3}}`,
		`{"timestamp":1,"type":"TaskSucceeded","id":10,"previousEventId":10}`,
		`{"timestamp":1,"type":"ExecutionRedriven","id":11,"previousEventId":1}`,
		`{"timestamp":1,"type":"MapStateFailed","id":12,"previousEventId":9}`,
		`{"timestamp":1,"type":"ParallelStateExited","id":13,"previousEventId":12}`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		executions, err := history.Read(history.File{Name: "f", Data: data})
		if err != nil {
			return
		}
		for _, x := range executions {
			run := history.Follow(x.Events)
			same := &history.Reproducible{}
			if d := history.CompareThreads(run, history.Follow(x.Events), history.Whole, same.Same); d != nil {
				t.Errorf("it differs from itself: %s", d)
			}
		}
	})
}
