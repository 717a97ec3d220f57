package dap

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"asldb/internal/definitions"
	"asldb/internal/editors"
)

// endless is a loop without an end.
const endless = `{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}, "B": {"Type": "Choice", "Choices": [{"Variable": "$.stop", "IsPresent": true, "Next": "C"}], "Default": "A"}, "C": {"Type": "Succeed"}}}`

// framed writes messages as they go over the pipe.
func framed(messages ...string) string {
	var text strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&text, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	return text.String()
}

// serve serves an input to its end and returns the messages that it writes.
func serve(t testing.TB, input string) (responses []string, err error) {
	t.Helper()
	var out bytes.Buffer
	err = Serve(context.Background(), strings.NewReader(input), &out, Options{})
	for r := bufio.NewReader(&out); ; {
		content, err := editors.Read(r)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatalf("the output cannot be read: %v", err)
			}
			break
		}
		responses = append(responses, string(content))
	}
	return responses, err
}

// Each request gets a response, whatever is wrong with it, and the end of the input ends the adapter.
func TestMalformedMessages(t *testing.T) {
	for message, want := range map[string]string{
		`{`:     `the message cannot be read`,
		`[]`:    `the message cannot be read`,
		`"fly"`: `"request_seq":3,"success":false,"command":"fly","message":"asldb does not know the request \"fly\""`,
		`"next", "arguments": {"threadId": "one"}`:                      `"request_seq":3,"success":false,"command":"next"`,
		`"asldb/answer", "arguments": []`:                               `"success":false,"command":"asldb/answer"`,
		`{"seq": 3, "type": "greeting"}`:                                `"success":false`,
		`"threads"`:                                                     `send launch first`,
		`"launch", "arguments": {}`:                                     `launch needs program`,
		`"launch"`:                                                      `launch needs program`,
		`"attach", "arguments": {"program": "x"}`:                       `attach needs history or trace`,
		`"launch", "arguments": {"program": 7}`:                         `program should be a text, not 7`,
		`"launch", "arguments": {"program": "/nowhere/x.json"}`:         `no such file`,
		`"launch", "arguments": {"program": "x", "clock": "slow"}`:      `clock is skip`,
		`"launch", "arguments": {"program": "x", "dialect": "it"}`:      `dialect is aws`,
		`"launch", "arguments": {"program": "x", "onMissing": "?"}`:     `onMissing is ask`,
		`"launch", "arguments": {"program": "x", "startTime": "now"}`:   `startTime is a time like`,
		`"launch", "arguments": {"program": "x", "substitutions": 4}`:   `substitutions should be`,
		`"launch", "arguments": {"test": "a.test.yaml"}`:                `cannot read \"a.test.yaml\"`,
		`"launch", "arguments": {"test": "a.test.yaml:x", "case": "y"}`: `excludes case`,
		`"initialize", "arguments": {"pathFormat": "uri"}`:              `pathFormat`,
	} {
		if strings.HasPrefix(message, `"`) {
			message = `{"seq": 3, "type": "request", "command": ` + message + `}`
		}
		responses, err := serve(t, framed(message))
		if err != nil || len(responses) != 1 || !strings.Contains(responses[0], want) {
			t.Errorf("%s: %v, %v, want %s", message, responses, err, want)
		}
	}
	if responses, err := serve(t, framed(`{"seq": 1, "type": "response", "command": "runInTerminal"}`, `{"seq": 2, "type": "event", "event": "x"}`)); err != nil || len(responses) != 0 {
		t.Errorf("responses and events: %v, %v", responses, err)
	}
}

// An input that is not the protocol ends the adapter with an error that says so.
func TestNotTheProtocol(t *testing.T) {
	for input, want := range map[string]string{
		"GET / HTTP/1.1\r\n\r\n":              "expected Content-Length",
		"Content-Length: 5\r\n\r\n{}":         "within a message",
		"Content-Length: x\r\n\r\n{}":         "Content-Length is a number",
		"Content-Length: -1\r\n\r\n":          "Content-Length is a number",
		"Content-Length: 99999999999\r\n\r\n": "Content-Length is a number",
		"Content-Type: x\r\n\r\n{}":           "without Content-Length",
		"Content-Le":                          "within a header",
		strings.Repeat("a", 5000):             "a header of more",
		strings.Repeat("A: b\r\n", 2000):      "a header of more",
	} {
		var frame *editors.Error
		if _, err := serve(t, input); !errors.As(err, &frame) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %s", input, err, want)
		}
	}
	if _, err := serve(t, "content-length: 2\r\nX: y\r\n\r\n{}"); err != nil {
		t.Error(err)
	}
}

// Requests out of their order are refused, and the session continues.
func TestOrder(t *testing.T) {
	e := newEditor(t)
	e.refused("next", map[string]any{"threadId": 1}, "send launch first")
	e.refused("configurationDone", nil, "send launch first")
	path := e.file("loop.json", endless)
	e.begin(map[string]any{"program": path, "stopOnEntry": true})
	e.refused("launch", map[string]any{"program": path}, "already")
	e.refused("initialize", map[string]any{}, "already")
	e.refused("next", map[string]any{"threadId": 1}, "configurationDone")
	e.refused("stackTrace", map[string]any{"threadId": 1}, "configurationDone")
	e.must("threads", nil)
	e.must("configurationDone", nil)
	e.stopped("entry")
	e.refused("configurationDone", nil, "already")
	e.refused("stepInTargets", map[string]any{"frameId": 1}, "does not answer")
	e.refused("scopes", map[string]any{"frameId": 7}, "no such frame")
	e.refused("variables", map[string]any{"variablesReference": 7}, "no such variables")
	e.refused("stackTrace", map[string]any{"threadId": 77777777777}, "no thread")
	e.refused("source", map[string]any{"sourceReference": 3}, "no such source")
	e.refused("restart", map[string]any{"arguments": map[string]any{"program": "/nowhere"}}, "no such file")
	e.must("cancel", map[string]any{"requestId": 3})
	e.must("terminate", nil)
	e.event("terminated")
	e.disconnect("order")

	e = newEditor(t)
	e.begin(map[string]any{"program": e.file("loop.json", endless)})
	e.must("terminate", nil)
	e.event("terminated")
	e.refused("configurationDone", nil, "has ended")
	e.disconnect("")
}

// A run without an end is paused at once; requests that need it to stand are refused meanwhile; progress is told.
func TestRunning(t *testing.T) {
	e := newEditor(t)
	e.must("initialize", map[string]any{"supportsProgressReporting": true})
	e.must("launch", map[string]any{"program": e.file("loop.json", endless), "maxHistory": 0})
	e.must("configurationDone", nil)
	e.refused("stackTrace", map[string]any{"threadId": 1}, "running")
	e.refused("evaluate", map[string]any{"expression": "$"}, "running")
	e.must("threads", nil)
	e.must("setFunctionBreakpoints", map[string]any{"breakpoints": []any{}})
	e.event("progressStart")
	e.must("pause", map[string]any{"threadId": 1})
	e.event("progressEnd")
	e.stopped("pause")
	e.top(1)
	e.must("setFunctionBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"name": "A"}}})
	e.must("continue", map[string]any{"threadId": 1})
	e.stopped("function breakpoint")
	e.must("setFunctionBreakpoints", map[string]any{"breakpoints": []any{}})
	e.must("continue", map[string]any{"threadId": 1})
	e.must("cancel", map[string]any{"progressId": "run-1"})
	e.stopped("pause")
	e.must("continue", map[string]any{"threadId": 1})
	e.must("terminate", nil)
	e.event("terminated")
	e.disconnect("")
}

// slowQuery takes much longer than a test may.
const slowQuery = `{% $count([1..2000].(($i := $; $count([1..5000][$ > $i])))) %}`

// A long evaluation is cancelled, and ended by pause.
func TestLongEvaluation(t *testing.T) {
	e := newEditor(t)
	e.begin(map[string]any{"program": e.file("loop.json", endless), "stopOnEntry": true, "maxHistory": 0})
	e.must("configurationDone", nil)
	e.stopped("entry")
	e.post("evaluate", map[string]any{"expression": slowQuery, "frameId": 0})
	id := e.seq
	e.post("cancel", map[string]any{"requestId": id})
	if m := e.read(); m["request_seq"] != float64(id) || m["message"] != "cancelled" {
		t.Errorf("the evaluation ends with %v", m)
	}
	e.read()
	if got := e.value("1 + 1"); got != "2" {
		t.Errorf("then 1 + 1 is %s", got)
	}
	e.disconnect("")

	e = newEditor(t)
	text := strings.Replace(`{"QueryLanguage": "JSONata", "StartAt": "A", "States": {"A": {"Type": "Pass", "Output": "QUERY", "End": true}}}`, "QUERY", slowQuery, 1)
	e.begin(map[string]any{"program": e.file("slow.json", text), "maxHistory": 0})
	e.must("configurationDone", nil)
	e.must("pause", map[string]any{"threadId": 1})
	e.stopped("pause")
	e.disconnect("")
}

// A client that dies in the middle of a run ends the adapter.
func TestClientDies(t *testing.T) {
	e := newEditor(t)
	e.begin(map[string]any{"program": e.file("loop.json", endless), "maxHistory": 0})
	e.must("configurationDone", nil)
	e.in.Close()
	go func() { _, _ = io.Copy(io.Discard, e.out) }()
	select {
	case err := <-e.ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
}

// FuzzServe sends any bytes, and then requests in any order. The adapter answers each request once and never panics.
func FuzzServe(f *testing.F) {
	dir := f.TempDir()
	f.Add([]byte("Content-Length: 2\r\n\r\n{}"), []byte{0, 1, 2, 3, 4, 5})
	f.Add([]byte{}, []byte{0, 1, 2, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21})
	f.Add([]byte{}, []byte{1, 0, 2, 2, 30, 31, 32, 33, 34, 8, 7, 6, 5, 4, 3, 2, 1, 0})
	program := writeFor(f, dir, "order.asl.json", string(definitions.DemoDefinition))
	fixtures := writeFor(f, dir, "order.fixtures.yaml", string(definitions.Fixtures))
	requests := []string{
		`"initialize", "arguments": {"supportsProgressReporting": true}`,
		fmt.Sprintf(`"launch", "arguments": {"program": %q, "fixtures": %q}`, program, fixtures),
		`"configurationDone"`, `"threads"`, `"stackTrace", "arguments": {"threadId": 1}`, `"scopes", "arguments": {"frameId": 1}`,
		`"variables", "arguments": {"variablesReference": 1}`, `"variables", "arguments": {"variablesReference": 2, "start": 5, "count": 1, "filter": "indexed"}`,
		`"next", "arguments": {"threadId": 1}`, `"stepIn", "arguments": {"threadId": 3}`, `"stepOut", "arguments": {"threadId": -1}`,
		`"continue", "arguments": {"threadId": 1}`, `"stepBack", "arguments": {"threadId": 2}`, `"reverseContinue", "arguments": {"threadId": 1}`,
		`"restart"`, `"restartFrame", "arguments": {"frameId": 1}`, `"goto", "arguments": {"threadId": 1, "targetId": 5}`,
		fmt.Sprintf(`"gotoTargets", "arguments": {"source": {"path": %q}, "line": 40}`, program),
		fmt.Sprintf(`"setBreakpoints", "arguments": {"source": {"path": %q}, "breakpoints": [{"line": 40}, {"line": -3, "column": 9}]}`, program),
		`"setFunctionBreakpoints", "arguments": {"breakpoints": [{"name": "Fulfil"}, {"name": ""}]}`,
		`"setExceptionBreakpoints", "arguments": {"filters": ["error", "x"]}`, `"setDataBreakpoints", "arguments": {"breakpoints": [{"dataId": "$.payment"}]}`,
		`"dataBreakpointInfo", "arguments": {"name": "$.order"}`, `"evaluate", "arguments": {"expression": "$.order", "frameId": 1}`,
		`"evaluate", "arguments": {"expression": ":fail X", "context": "repl"}`, `"evaluate", "arguments": {"expression": ":inject X", "context": "repl"}`,
		`"completions", "arguments": {"text": "$.o", "column": 99}`, `"setVariable", "arguments": {"variablesReference": 1, "name": "order", "value": "1"}`,
		`"setExpression", "arguments": {"expression": "$.order", "value": "{}"}`, `"exceptionInfo", "arguments": {"threadId": 1}`,
		`"source", "arguments": {"sourceReference": 1}`, `"loadedSources"`, `"pause", "arguments": {"threadId": 1}`, `"cancel"`, `"terminate"`,
		fmt.Sprintf(`"breakpointLocations", "arguments": {"source": {"path": %q}, "line": 1, "endLine": 50}`, program), `"breakpointLocations"`,
		`"evaluate", "arguments": {"expression": ":undo", "context": "repl"}`, `"asldb/answer", "arguments": {"output": 1}`, `"disconnect"`,
	}
	f.Fuzz(func(t *testing.T, junk, order []byte) {
		var messages []string
		for i, b := range order[:min(len(order), 60)] {
			messages = append(messages, fmt.Sprintf(`{"seq": %d, "type": "request", "command": %s}`, i+1, requests[int(b)%len(requests)]))
		}
		responses, err := serve(t, framed(messages...)+string(junk))
		var frame *editors.Error
		if err != nil && !errors.As(err, &frame) {
			t.Fatal(err)
		}
		answered := make(map[string]int)
		for _, r := range responses {
			if strings.Contains(r, "a fault of asldb") {
				t.Fatalf("%s", r)
			}
			if i := strings.Index(r, `"request_seq":`); i > 0 && strings.Contains(r[:i], `"response"`) {
				seq, _, _ := strings.Cut(r[i+len(`"request_seq":`):], ",")
				if answered[seq]++; answered[seq] > 1 && seq != "0" && len(junk) == 0 {
					t.Fatalf("request %s was answered twice", seq)
				}
			}
		}
	})
}

// FuzzDecode decodes any content.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"seq": 1, "type": "request", "command": "next", "arguments": {"threadId": 1}}`))
	f.Add([]byte(`{"seq": 1, "type": "request", "command": "asldb/answer"}`))
	f.Add([]byte(`{"type": "request", "command": "launch", "arguments": null}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		m, ok := decode(content)
		if ok && (m.request == nil) == (m.err == nil) {
			t.Errorf("%q gives %v and %v", content, m.request, m.err)
		}
	})
}
