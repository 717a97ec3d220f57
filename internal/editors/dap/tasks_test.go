package dap

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/launch"
	"asldb/internal/store"
	"asldb/internal/testkit/runs"
)

const taskJSON = `{
  "StartAt": "Charge",
  "States": {
    "Charge": {
      "Type": "Task",
      "Resource": "arn:aws:lambda:eu-central-1:123456789012:function:charge",
      "TimeoutSeconds": 30,
      "HeartbeatSeconds": 10,
      "Retry": [{"ErrorEquals": ["Card.Timeout"], "IntervalSeconds": 2, "MaxAttempts": 1}],
      "Catch": [{"ErrorEquals": ["Card.Declined"], "Next": "Refuse"}],
      "Next": "Done"
    },
    "Refuse": {"Type": "Fail", "Error": "Order.Refused", "Cause": "the card was declined"},
    "Done": {"Type": "Succeed"}
  }
}`

// A task without a result is answered from the editor, by the repl or by a request of asldb's own.
func TestTaskThatAsks(t *testing.T) {
	e := newEditor(t)
	e.begin(map[string]any{"program": e.file("task.asl.json", taskJSON), "input": map[string]any{"card": 1}})
	e.must("setExceptionBreakpoints", map[string]any{"filters": []string{}})
	e.must("configurationDone", nil)
	if body := e.event("asldb/needsResult"); body["state"] != "Charge" || body["payload"] != `{"card":1}` ||
		body["request"] != 1.0 {
		t.Errorf("the event is %v", body)
	}
	if stop := e.stopped("pause"); stop["description"] != "Charge needs a result" {
		t.Errorf("the stop is %v", stop)
	}
	e.refused("evaluate", map[string]any{"expression": ":answer {", "context": "repl"}, "JSON")
	e.refused("evaluate", map[string]any{"expression": ":answer", "context": "repl"}, "usage")
	e.refused("evaluate", map[string]any{"expression": ":anser 1", "context": "repl"}, "did you mean :answer")
	e.refused("evaluate", map[string]any{"expression": ":zzzzzz 1", "context": "repl"}, ":help")
	e.refused("evaluate", map[string]any{"expression": ":fail", "context": "repl"}, "usage")
	if said := e.repl(":heartbeat"); said != "heartbeat sent for Charge" {
		t.Error(said)
	}
	if said := e.repl(":fail Card.Timeout too slow"); said != "failed with Card.Timeout" {
		t.Error(said)
	}
	e.event("continued")
	if body := e.event("asldb/needsResult"); body["attempt"] != 2.0 {
		t.Errorf("the event is %v", body)
	}
	e.stopped("pause")
	e.refused("asldb/answer", map[string]any{}, "output, or error")
	e.refused("asldb/answer", map[string]any{"request": 77, "output": 1}, "waits for this answer")
	e.must("asldb/answer", map[string]any{"request": 2, "output": map[string]any{"paid": true}})
	e.stopped("end")
	e.must("stepBack", map[string]any{"threadId": 1})
	e.stopped("step")
	if got := e.variables(e.scope("Data")); got["paid"] != "true" {
		t.Errorf("the data are %v", got)
	}
	if said := e.repl(":undo"); said != "taken back: answer" {
		t.Error(said)
	}
	e.must("continue", map[string]any{"threadId": 1})
	e.event("asldb/needsResult")
	e.stopped("pause")
	if said := e.repl(":time-out"); !strings.Contains(said, "times out") {
		t.Error(said)
	}
	e.must("setExceptionBreakpoints", map[string]any{
		"filters":       []string{},
		"filterOptions": []any{map[string]any{"filterId": "error", "condition": "States.*"}},
	})
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("exception")
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("end")
	e.must("continue", map[string]any{"threadId": 1})
	if code := e.event("exited")["exitCode"]; code != 1.0 {
		t.Errorf("the exit code is %v", code)
	}
	e.disconnect("asks")
}

// The filters stop at errors, and exceptionInfo has the answers of retriers and catchers.
func TestExceptions(t *testing.T) {
	e := newEditor(t)
	fixtures := e.file("f.yaml",
		"version: 1\ntasks:\n  Charge: [{error: Card.Timeout}, {error: Card.Declined, cause: no money}]\n")
	e.begin(map[string]any{"program": e.file("task.asl.json", taskJSON), "fixtures": fixtures})
	answers := list(
		t,
		e.must("setExceptionBreakpoints", map[string]any{
			"filters":       []string{"uncaught", "retry", "nothing"},
			"filterOptions": []any{map[string]any{"filterId": "caught", "condition": "Card.D*"}},
		}),
		"breakpoints",
	)
	if len(answers) != 4 || answers[0]["verified"] != true || answers[1]["verified"] != true ||
		answers[2]["verified"] != false ||
		answers[3]["verified"] != true {
		t.Errorf("the answers are %v", answers)
	}
	e.must("configurationDone", nil)
	e.stopped("breakpoint") // the retry
	if info := e.must("exceptionInfo", map[string]any{"threadId": 1}); info["exceptionId"] != "Card.Timeout" {
		t.Errorf("the info is %v", info)
	}
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("exception")
	info := e.must("exceptionInfo", map[string]any{"threadId": 1})
	trace, _ := info["details"].(map[string]any)["stackTrace"].(string)
	if info["exceptionId"] != "Card.Declined" || info["description"] != "no money" || info["breakMode"] != "always" ||
		!strings.Contains(trace, "retrier 1 [Card.Timeout]") ||
		!strings.Contains(trace, "catcher 1 [Card.Declined]") {
		t.Errorf("the info is %v", info)
	}
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("exception")
	if info := e.must("exceptionInfo", map[string]any{"threadId": 1}); info["exceptionId"] != "Order.Refused" ||
		info["breakMode"] != "unhandled" {
		t.Errorf("the info is %v", info)
	}
	if said := e.repl(":why"); !strings.Contains(said, "Order.Refused") {
		t.Error(said)
	}
	e.disconnect("exceptions")
}

// There is no error to tell of before one has come up.
func TestNoException(t *testing.T) {
	e := newEditor(t)
	e.begin(map[string]any{"program": e.file("task.asl.json", taskJSON), "stopOnEntry": true})
	e.must("configurationDone", nil)
	e.stopped("entry")
	e.refused("exceptionInfo", map[string]any{"threadId": 1}, "no error")
	e.disconnect("")
}

// The repl has commands, and completes them and expressions.
func TestRepl(t *testing.T) {
	e := newEditor(t)
	e.begin(map[string]any{
		"program":     e.file("route.asl.yaml", routeYAML),
		"input":       map[string]any{"made": map[string]any{"n": 0}},
		"stopOnEntry": true,
	})
	e.must("configurationDone", nil)
	e.stopped("entry")
	for line, want := range map[string]string{
		":break Two": "breakpoint 1: Two", ":watch $.made.n": "watch: $.made.n", ":clock manual": "clock: ", ":help": ":answer JSON", "$.made.n + 1": "1",
		":inject My.Error why": "the next step fails with My.Error",
	} {
		if said := e.repl(line); !strings.Contains(said, want) {
			t.Errorf("%s says %s, want %s", line, said, want)
		}
	}
	if said := e.repl(":breakpoints"); !strings.Contains(said, "1  Two") {
		t.Error(said)
	}
	if said := e.repl(":delete 1"); said != "deleted: Two" {
		t.Error(said)
	}
	e.refused("evaluate", map[string]any{"expression": ":delete 1", "context": "repl"}, "usage")
	e.refused("evaluate", map[string]any{"expression": ":clock +x", "context": "repl"}, "a number with a unit")
	e.refused("evaluate", map[string]any{"expression": ":clock later", "context": "repl"}, "later")
	e.refused("evaluate", map[string]any{"expression": ":heartbeat", "context": "repl"}, "no task")
	e.refused("evaluate", map[string]any{"expression": ":undo x", "context": "hover"}, "")
	if said := e.repl(":undo"); said != "taken back: injected error" {
		t.Error(said)
	}
	if said := e.repl(`:edit {"made": {"n": 7}}`); said != "the next stage reads this" {
		t.Error(said)
	}
	if got := e.variables(e.scope("Watches")); got["$.made.n"] != "7" {
		t.Errorf("the watches are %v", got)
	}
	complete := func(text string) []string {
		var labels []string
		for _, item := range list(t, e.must("completions", map[string]any{"text": text, "column": len(text) + 1, "frameId": 0}), "targets") {
			labels = append(labels, item["label"].(string))
		}
		return labels
	}
	if got := complete(":cl"); len(got) != 1 || got[0] != ":clock" {
		t.Errorf(":cl continues as %v", got)
	}
	if got := complete(":watch $.made."); len(got) != 1 || got[0] != "$.made.n" {
		t.Errorf(":watch continues as %v", got)
	}
	if got := complete(":break t"); !slices.Contains(got, "Two") {
		t.Errorf(":break continues as %v", got)
	}
	if got := complete(":clock x"); len(got) != 0 {
		t.Errorf(":clock continues as %v", got)
	}
	if got := complete("$.ma"); len(got) != 1 || got[0] != "$.made" {
		t.Errorf("$.ma continues as %v", got)
	}
	clip := e.must("evaluate", map[string]any{"expression": "$.made", "frameId": 0, "context": "clipboard"})
	if clip["result"] != "{\n  \"n\": 7\n}" {
		t.Errorf("the clipboard gets %v", clip)
	}
	e.refused("evaluate", map[string]any{"expression": "$.nothing", "frameId": 0}, "nothing")
	e.refused("evaluate", map[string]any{"expression": "$", "frameId": 99}, "no such frame")
	frames := e.frames(1)
	e.must("restartFrame", map[string]any{"frameId": frames[len(frames)-1]["id"]}) // before the first event
	e.stopped("restart")
	if got := complete("$.ma"); len(got) != 1 || got[0] != "$.made" {
		t.Errorf("before the first event $.ma continues as %v", got)
	}
	e.disconnect("")
}

// A paced clock passes by itself, and one by hand is moved by a command.
func TestClocks(t *testing.T) {
	wait := `{"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 3600, "Next": "D"}, "D": {"Type": "Succeed"}}}`
	e := newEditor(t)
	e.begin(map[string]any{"program": e.file("w.json", wait), "clock": "x1000000"})
	e.must("configurationDone", nil)
	e.stopped("end")
	e.disconnect("")

	e = newEditor(t)
	e.begin(map[string]any{"program": e.file("w.json", wait), "clock": "manual"})
	e.must("configurationDone", nil)
	e.stopped("pause")
	e.repl(":clock +10m")
	e.stopped("step")
	e.repl(":clock skip")
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("end")
	e.disconnect("")

	e = newEditor(t) // it can be paused while it waits
	e.begin(map[string]any{"program": e.file("w.json", wait), "clock": "real"})
	e.must("configurationDone", nil)
	e.must("pause", map[string]any{"threadId": 1})
	e.stopped("pause")
	e.disconnect("")
}

// The execution that a task starts is stepped into, and its frames are above the task's.
func TestNestedExecution(t *testing.T) {
	e := newEditor(t)
	inner := e.file("child.asl.json", `{
  "StartAt": "Inner",
  "States": {
    "Inner": {"Type": "Pass", "Next": "Last"},
    "Last": {"Type": "Pass", "End": true}
  }
}`)
	outer := e.file("outer.asl.json", `{
  "StartAt": "Before",
  "States": {
    "Before": {"Type": "Pass", "Next": "Start"},
    "Start": {
      "Type": "Task",
      "Resource": "arn:aws:states:::states:startExecution.sync:2",
      "Parameters": {"StateMachineArn": "arn:aws:states:eu-central-1:123456789012:stateMachine:child", "Input": {"a": 1}},
      "Next": "After"
    },
    "After": {"Type": "Succeed"}
  }
}`)
	fixtures := e.file("f.yaml", "version: 1\ntasks:\n  Start: [{asldb: {definition: child.asl.json}}]\n")
	e.begin(map[string]any{"program": outer, "fixtures": fixtures})
	if b := e.points(inner, map[string]any{"line": 5}); b[0]["verified"] != false {
		t.Errorf("the breakpoint in a definition that does not run yet is %v", b)
	}
	e.points(outer, map[string]any{"line": 11})
	e.must("configurationDone", nil)
	stop := e.stopped("breakpoint")
	thread := int(stop["threadId"].(float64))
	frames := e.frames(thread)
	names := value.Each(frames, func(f map[string]any) string { return f["name"].(string) })
	if got := strings.Join(names, ", "); got != "Last › input, execution of child.asl.json, Start, execution of outer.asl.json" {
		t.Errorf("the frames are %s", got)
	}
	if threads := list(t, e.must("threads", nil), "threads"); len(threads) != 2 {
		t.Errorf("the threads are %v", threads)
	}
	e.refused("restartFrame", map[string]any{"frameId": frames[2]["id"]}, "outside")
	if changed := e.log.String(); !strings.Contains(changed,
		`"event":"breakpoint","body":{"reason":"changed","breakpoint":{"id":1,"verified":true`) {
		t.Error("the breakpoint was not said to be verified")
	}
	e.must("continue", map[string]any{"threadId": thread})
	e.stopped("breakpoint")
	if top := e.top(1); top["name"] != "After › input" {
		t.Errorf("the outer execution continues at %v", top["name"])
	}
	e.must("restart", nil)
	e.stopped("breakpoint")
	e.disconnect("nested")

	e = newEditor(t)
	e.file("child.asl.json", `{"StartAt": "Inner", "States": {"Inner": {"Type": "Pass", "End": true}}}`)
	e.begin(map[string]any{
		"program": e.file(
			"outer.asl.json",
			strings.Replace(
				`{"StartAt": "Start", "States": {"Start": {"Type": "Task", "Resource": "arn:aws:states:::states:startExecution.sync:2",
 "Parameters": {"StateMachineArn": "arn:aws:states:eu-central-1:123456789012:stateMachine:child"}, "Next": "After"}, "After": {"Type": "Succeed"}}}`,
				"\n",
				"",
				1,
			),
		),
		"fixtures":    e.file("f.yaml", "version: 1\ntasks:\n  Start: [{asldb: {definition: child.asl.json}}]\n"),
		"stopOnEntry": true,
	})
	e.must("configurationDone", nil)
	e.stopped("entry")
	for range 8 { // up to the request, and into the execution
		e.must("stepIn", map[string]any{"threadId": 1})
		if stop := e.event("stopped"); stop["reason"] == "entry" {
			break
		}
	}
	if threads := list(t, e.must("threads", nil), "threads"); len(threads) != 2 {
		t.Fatalf("it was not stepped into: %v", threads)
	}
	e.must("next", map[string]any{"threadId": 100_000_001})
	e.stopped("step")
	e.must("stepOut", map[string]any{"threadId": 100_000_001})
	e.stopped("step")
	if threads := list(t, e.must("threads", nil), "threads"); len(threads) != 1 {
		t.Errorf("it did not come back: %v", threads)
	}
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("end")
	e.disconnect("")
}

// An execution that a task has started opens again when it is over: from the console at its end, and by a step into its task in the past. It
// can only be looked at, and leads back.
func TestReopeningAnExecution(t *testing.T) {
	e := newEditor(t)
	e.file(
		"child.asl.json",
		`{"StartAt": "Inner", "States": {"Inner": {"Type": "Pass", "Result": {"b": 2}, "Next": "Last"}, "Last": {"Type": "Pass", "End": true}}}`,
	)
	e.begin(map[string]any{
		"program": e.file(
			"outer.asl.json",
			`{"StartAt": "Start", "States": {"Start": {"Type": "Task", "Resource": "arn:aws:states:::states:startExecution.sync:2",
 "Parameters": {"StateMachineArn": "arn:aws:states:eu-central-1:123456789012:stateMachine:child"}, "Next": "After"},
 "After": {"Type": "Succeed"}}}`,
		),
		"fixtures": e.file("f.yaml", "version: 1\ntasks:\n  Start: [{asldb: {definition: child.asl.json}}]\n"),
	})
	e.must("configurationDone", nil)
	e.stopped("end")
	names := func(thread int) string {
		names := value.Each(e.frames(thread), func(f map[string]any) string { return f["name"].(string) })
		return strings.Join(names, ", ")
	}
	e.refused("evaluate", map[string]any{"expression": ":open", "context": "repl"}, "has started no execution")
	e.refused("evaluate", map[string]any{"expression": ":leave", "context": "repl"}, "was opened")
	for range 20 { // back to the task
		e.must("stepBack", map[string]any{"threadId": 1, "granularity": "instruction"})
		e.event("stopped")
		if strings.HasPrefix(names(1), "Start › Result") {
			break
		}
	}
	const inner = 100_000_001
	if said := e.repl(":open"); !strings.HasPrefix(said, "child.asl.json as it ended") {
		t.Fatal(said)
	}
	e.stopped("step")
	if threads := list(t, e.must("threads", nil), "threads"); len(threads) != 2 {
		t.Errorf("the threads are %v", threads)
	}
	e.must("stepBack", map[string]any{"threadId": inner})
	e.stopped("step")
	if got := names(inner); !strings.HasPrefix(got, "Last") ||
		!strings.HasSuffix(got, "execution of child.asl.json, Start, execution of outer.asl.json") {
		t.Errorf("the frames are %s", got)
	}
	e.refused("evaluate", map[string]any{"expression": ":edit 5", "context": "repl"}, "is over")
	e.refused("setExpression", map[string]any{"expression": "$.b", "value": "3", "frameId": 0}, "is over")
	e.refused("evaluate", map[string]any{"expression": ":open", "context": "repl"}, "has started no execution")
	if said := e.repl(":leave"); said != "left child.asl.json" {
		t.Error(said)
	}
	e.stopped("step")
	if got := names(1); !strings.HasPrefix(got, "Start") {
		t.Errorf("the frames are %s", got)
	}

	for range 20 { // further back, to its request, and into it
		e.must("stepBack", map[string]any{"threadId": 1, "granularity": "instruction"})
		e.event("stopped")
		if got := names(1); strings.HasPrefix(got, "Start, ") || strings.HasPrefix(got, "Start › Parameters") {
			break
		}
	}
	for range 3 {
		e.must("stepIn", map[string]any{"threadId": 1})
		e.event("stopped")
		if len(list(t, e.must("threads", nil), "threads")) == 2 {
			break
		}
	}
	e.must("next", map[string]any{"threadId": inner})
	e.stopped("step")
	if got := names(inner); !strings.HasPrefix(got, "Inner") {
		t.Fatalf("the frames are %s", got)
	}
	e.must("continue", map[string]any{"threadId": inner})
	e.stopped("step")
	if got := names(1); !strings.HasPrefix(got, "Start") || strings.Contains(got, "child") {
		t.Errorf("after its end the frames are %s", got)
	}
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("end")
	e.disconnect("")
}

// Live calls are made only where the user has allowed them, whatever the arguments of launch say.
func TestConsent(t *testing.T) {
	state := t.TempDir()
	open := func() (*editor, map[string]any) {
		e := newEditorWith(t, Options{State: state})
		definition := e.file("task.asl.json", strings.Replace(taskJSON, `"HeartbeatSeconds": 10,`, "", 1))
		fixtures := e.file("f.yaml",
			"version: 1\nallowLive: true\ntasks:\n  Charge: [{exec: [echo, '{\"paid\": true}']}]\n")
		e.must("initialize", map[string]any{})
		return e, map[string]any{"program": definition, "fixtures": fixtures, "allowLive": true}
	}
	e, arguments := open()
	e.refused("launch", arguments, "asldb allow")
	if body := e.event("asldb/needsConsent"); len(body["calls"].([]any)) != 1 || len(body["watched"].([]any)) != 1 ||
		body["file"] != arguments["fixtures"] {
		t.Errorf("the event is %v", body)
	}
	delete(arguments, "allowLive")
	e.must("launch", arguments)
	e.must("configurationDone", nil)
	e.event("asldb/needsConsent")
	e.stopped("pause") // the task asks
	e.disconnect("")

	e, arguments = open()
	file, err := fixtures.ExamineFile(arguments["fixtures"].(string))
	if err != nil {
		t.Fatal(err)
	}
	if err := store.In(state).Allow(launch.Subject(file, file.Reach())); err != nil {
		t.Fatal(err)
	}
	e.must("launch", arguments)
	e.must("configurationDone", nil)
	e.stopped("end")
	e.disconnect("")

	e, arguments = open()
	arguments["allowLive"] = false
	e.must("launch", arguments)
	e.must("configurationDone", nil)
	e.stopped("pause")
	e.disconnect("")
}

// The info of an exception has the sentence and the advice of every face.
func TestExceptionsOfPlantedMistakes(t *testing.T) {
	for _, p := range runs.Plants {
		e := newEditor(t)
		e.begin(map[string]any{
			"program": e.file("a.asl.json", p.Definition), "fixtures": e.file("a.fixtures.yaml", p.Fixtures()),
		})
		e.must("setExceptionBreakpoints", map[string]any{"filters": []string{"uncaught"}})
		e.must("configurationDone", nil)
		thread := e.stopped("exception")["threadId"]
		info := e.must("exceptionInfo", map[string]any{"threadId": thread})
		trace, _ := info["details"].(map[string]any)["stackTrace"].(string)
		if p.Said != "" && info["description"] != p.Said || !strings.Contains(trace, p.Said) ||
			!strings.Contains(trace, p.Advice) {
			t.Errorf("%s: no %q and %q in %v", p.Name, p.Said, p.Advice, info)
		}
		e.disconnect("")
	}
}
