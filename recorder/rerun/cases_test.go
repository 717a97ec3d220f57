package rerun_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/recorder/rerun"
)

// script writes a history: lines of "second type details", each following the one before.
func script(t *testing.T, lines string) *rerun.Recording {
	t.Helper()
	var events []string
	for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 3)
		details := ""
		if len(fields) == 3 {
			key, body, _ := strings.Cut(fields[2], " ")
			details = fmt.Sprintf(`,"%sEventDetails":%s`, key, body)
		}
		events = append(events, fmt.Sprintf(`{"timestamp":%s,"type":%q,"id":%d,"previousEventId":%d%s}`, "17701092"+
			fields[0], fields[1], i+1, i, details))
	}
	text := `{"events":[` + strings.Join(events, ",") + `]}`
	if !json.Valid([]byte(text)) {
		t.Fatal(text)
	}
	return open(t, "script", []byte(text))
}

const (
	begun = `00 ExecutionStarted executionStarted {"input":"{}"}
		00 TaskStateEntered stateEntered {"name":"T","input":"{}"}
		00 TaskScheduled taskScheduled {"resourceType":"sqs","resource":"sendMessage","region":"us-east-1","parameters":"{}"%s}
		00 TaskStarted taskStarted {"resourceType":"sqs","resource":"sendMessage"}
		`
	succeeded = `TaskSucceeded taskSucceeded {"resourceType":"sqs","resource":"sendMessage","output":"7"}
		`
	failed = `TaskFailed taskFailed {"resourceType":"sqs","resource":"sendMessage","error":"E","cause":"c"}
		`
	left = `TaskStateExited stateExited {"name":"T","output":"7"}
		`
	task = `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","End":true%s}}}`
)

func machineOf(t *testing.T, fields string) *engine.Machine {
	return compile(t, "task", []byte(fmt.Sprintf(task, fields)))
}

// A redrive undoes failures: the run again has its outcome, and the attempts after it.
func TestRedriven(t *testing.T) {
	r := script(t, fmt.Sprintf(begun, "")+"01 "+failed+`01 ExecutionFailed executionFailed {"error":"E","cause":"c"}
		50 ExecutionRedriven executionRedriven {"redriveCount":1}
		50 TaskScheduled taskScheduled {"resourceType":"sqs","resource":"sendMessage","region":"us-east-1","parameters":"{}"}
		50 TaskStarted taskStarted {"resourceType":"sqs","resource":"sendMessage"}
		53 `+succeeded+"53 "+left+`53 ExecutionSucceeded executionSucceeded {"output":"7"}`)
	check := again(t, r, machineOf(t, ""))
	if !check.Agrees() || check.Session.Status() != engine.Succeeded || value.Compact(check.Session.Output()) != "7" {
		t.Errorf("%v: %v", check, check.Session.Status())
	}
	if took := check.Session.Now().Sub(r.Start()).Seconds(); took != 53 {
		t.Errorf("it took %v s, and was recorded until 53 s after its start", took)
	}
}

// Somebody stopped the execution while its task worked: the run again is stopped at that time.
func TestAborted(t *testing.T) {
	r := script(t, fmt.Sprintf(begun, "")+`40 ExecutionAborted executionAborted {"error":"Stopped","cause":"by hand"}`)
	check := again(t, r, machineOf(t, ""))
	if !check.Agrees() || check.Session.Status() != engine.Aborted ||
		check.Session.Now().Sub(r.Start()).Seconds() != 40 {
		t.Errorf("%v: %v at %v", check, check.Session.Status(), check.Session.Now())
	}
}

// The machine's own bound ended the execution.
func TestExecutionTimedOut(t *testing.T) {
	r := script(t, fmt.Sprintf(begun, "")+`20 ExecutionTimedOut executionTimedOut {}`)
	machine := compile(t, "task", []byte(strings.Replace(fmt.Sprintf(task, ""), `{"StartAt"`,
		`{"TimeoutSeconds":20,"StartAt"`, 1)))
	check := again(t, r, machine)
	if check.Session.Status() != engine.TimedOut || check.Session.Now().Sub(r.Start()).Seconds() != 20 {
		t.Errorf("%v: %v at %v", check, check.Session.Status(), check.Session.Now())
	}
}

// What a change asks for and the recording does not have is told, not made up.
func TestNotRecorded(t *testing.T) {
	timedOut := fmt.Sprintf(begun, `,"timeoutInSeconds":30`) + `30 TaskTimedOut taskTimedOut {"resourceType":"sqs","resource":"sendMessage","error":"States.Timeout"}
		30 ExecutionFailed executionFailed {"error":"States.Timeout"}`
	cut := fmt.Sprintf(begun, "") + "02 " + strings.Replace(succeeded, `"7"`,
		`"{\"a","outputDetails":{"truncated":true}`, 1)
	for name, c := range map[string]struct{ history, fields, want string }{
		"the same bound": {timedOut, `,"TimeoutSeconds":30`, ""},
		"a longer bound": {timedOut, `,"TimeoutSeconds":60`,
			"it timed out after 30 s of TimeoutSeconds (event 5), and now it would have 60 s"},
		"another attempt": {timedOut, `,"TimeoutSeconds":30,"Retry":[{"ErrorEquals":["States.ALL"]}]`,
			"1 attempt was recorded, not attempt 2"},
		"a truncated result": {cut, "", "its result (event 5) was truncated by the service"},
		"still running":      {fmt.Sprintf(begun, ""), "", "it was still running where the history ends"},
		"late, but not too late": {strings.ReplaceAll(fmt.Sprintf(begun, `,"heartbeatInSeconds":5`)+"14 "+succeeded+
			"14 "+left+`14 ExecutionSucceeded executionSucceeded {"output":"7"}`,
			"00 TaskS", "10 TaskS"), `,"HeartbeatSeconds":5`, ""},
		"another state": {strings.ReplaceAll(timedOut, `"T"`, `"U"`), "", "the recorded execution was not in T"},
		"a heartbeat outlived": {fmt.Sprintf(begun, `,"heartbeatInSeconds":5`) + "30 " + succeeded + "30 " + left +
			`30 ExecutionSucceeded executionSucceeded {"output":"7"}`, `,"HeartbeatSeconds":5`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			check := again(t, script(t, c.history), machineOf(t, c.fields))
			if !strings.Contains(check.Waits, c.want) || (c.want == "") != (check.Waits == "") {
				t.Errorf("waits %q, want %q", check.Waits, c.want)
			}
			if c.want == "" && !check.Agrees() {
				t.Error(check)
			}
			if c.want != "" && check.Session.Stop().Reason != debug.StoppedForAnswer {
				t.Errorf("stopped for %v", check.Session.Stop().Reason)
			}
		})
	}
}

// Branches and iterations interleave: the events of each thread agree where the order between them does not.
func TestThreadsInAnotherOrder(t *testing.T) {
	const definition = `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"A2"},"A2":{"Type":"Pass","Result":1,"End":true}}},
		{"StartAt":"B","States":{"B":{"Type":"Pass","Result":2,"End":true}}}]}}}`
	event := func(id, previous int, kind, details string) string {
		return fmt.Sprintf(`{"timestamp":1770109200,"type":%q,"id":%d,"previousEventId":%d%s}`, kind, id, previous,
			details)
	}
	entered := func(name string) string {
		return fmt.Sprintf(`,"stateEnteredEventDetails":{"name":%q,"input":"{}"}`, name)
	}
	exited := func(name, output string) string {
		return fmt.Sprintf(`,"stateExitedEventDetails":{"name":%q,"output":%q}`, name, output)
	}
	events := func(second string) string {
		return `{"events":[` + strings.Join([]string{
			event(1, 0, "ExecutionStarted", `,"executionStartedEventDetails":{"input":"{}"}`),
			event(2, 0, "ParallelStateEntered", entered("P")),
			event(3, 2, "ParallelStateStarted", ""), event(4, 3, "PassStateEntered", entered("B")),
			event(5, 3, "PassStateEntered", entered("A")),
			event(6, 5, "PassStateExited", exited("A", "{}")), event(7, 4, "PassStateExited", exited("B", second)),
			event(8, 6, "PassStateEntered", entered("A2")),
			event(9, 8, "PassStateExited", exited("A2", "1")), event(10, 9, "ParallelStateSucceeded", ""),
			event(11, 9, "ParallelStateExited", exited("P", "[1,2]")),
			event(12, 11, "ExecutionSucceeded", `,"executionSucceededEventDetails":{"output":"[1,2]"}`),
		}, ",") + `]}`
	}
	machine := compile(t, "parallel", []byte(definition))
	check := again(t, open(t, "p", []byte(events("2"))), machine)
	if !check.Agrees() || check.Ordered || !strings.HasPrefix(check.String(),
		"all 12 recorded events agree (thread by thread") {
		t.Error(check)
	}
	check = again(t, open(t, "p", []byte(events("3"))), machine)
	if check.Agrees() || check.String() != "the run differs from the recording: event 7 (PassStateExited B) in P/Branches[0]/B: output was recorded as 3, and is now 2" {
		t.Error(check)
	}
}

// A run that asldb ended, because it went on and on, does not differ from the events recorded beyond.
func TestEndedByABound(t *testing.T) {
	const definition = `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"C"},"C":{"Type":"Choice","Choices":[{"Variable":"$","IsPresent":true,"Next":"A"}],"Default":"E"},"E":{"Type":"Succeed"}}},
		{"StartAt":"B","States":{"B":{"Type":"Pass","End":true}}}]}}}`
	r := open(t, "p", []byte(`{"events":[
		{"timestamp":1770109200,"type":"ExecutionStarted","id":1,"previousEventId":0,"executionStartedEventDetails":{"input":"{}"}},
		{"timestamp":1770109200,"type":"ParallelStateEntered","id":2,"previousEventId":0,"stateEnteredEventDetails":{"name":"P","input":"{}"}},
		{"timestamp":1770109200,"type":"ParallelStateStarted","id":3,"previousEventId":2},
		{"timestamp":1770109200,"type":"PassStateEntered","id":4,"previousEventId":3,"stateEnteredEventDetails":{"name":"A","input":"{}"}},
		{"timestamp":1770109200,"type":"PassStateEntered","id":5,"previousEventId":3,"stateEnteredEventDetails":{"name":"B","input":"{}"}}]}`))
	options, source := r.Options()
	options.Limits = engine.Limits{}
	session := debug.New(compile(t, "parallel", []byte(definition)), options)
	source.Follow(session.Now)
	check, err := r.Check(session, source)
	if err != nil {
		t.Fatal(err)
	}
	if check.First != nil || check.Bound == 0 || check.Agrees() ||
		!strings.Contains(check.String(), "no difference was found in") {
		t.Errorf("%v, bound %d", check, check.Bound)
	}
}

// What a Choice decided by, no history tells: its rules say so, and how often each was taken. A trace keeps that.
func TestSkeletonsOfChoices(t *testing.T) {
	text := `00 ExecutionStarted executionStarted {"input":"{}"}
`
	for _, name := range []string{"A", "B", "A"} {
		text += `00 ChoiceStateEntered stateEntered {"name":"C","input":"{}"}
			00 ChoiceStateExited stateExited {"name":"C","output":"{}"}
			00 PassStateEntered stateEntered {"name":"` + name + `","input":"{}"}
			00 PassStateExited stateExited {"name":"` + name + `","output":"{}"}
`
	}
	r := script(t, text+`00 ExecutionSucceeded executionSucceeded {"output":"{}"}`)
	definition, err := r.Skeleton()
	if err != nil {
		t.Fatal(err)
	}
	again := rerun.SkeletonAgain(definition.Source, definition.Origin)
	for _, d := range []*asl.StateMachine{definition, again} {
		labels := value.Each(d.Top.State("C").Choices, func(rule *asl.ChoiceRule) string {
			return rule.Label() + " " + rule.Next
		})
		if got := strings.Join(labels, ", "); got != "? (2x) A, ? (1x) B" || d.Origin.Format != rerun.SkeletonFormat {
			t.Errorf("%s, made from %+v", got, d.Origin)
		}
	}
	if rerun.SkeletonAgain(&source.File{Name: "x", Data: []byte("{")}, nil) != nil {
		t.Error("a definition is made of nothing")
	}
}
