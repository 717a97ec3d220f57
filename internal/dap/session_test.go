package dap

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-dap"

	"asldb/internal/demo"
)

// editor is a client at the other end of a pipe.
type editor struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
	seq int
	// events that came before the response that was awaited.
	events []dap.EventMessage
	ended  chan error
}

func newEditor(t *testing.T) *editor {
	t.Helper()
	requests, in := io.Pipe()
	out, responses := io.Pipe()
	e := &editor{t: t, in: in, out: bufio.NewReader(out), ended: make(chan error, 1)}
	go func() {
		err := Serve(context.Background(), requests, responses, Options{Now: func() time.Time { return time.Unix(0, 0) }})
		responses.Close()
		e.ended <- err
	}()
	t.Cleanup(func() { in.Close(); out.Close() })
	return e
}

// send sends a request of a command and returns the body of its response; failed is the message of an error response.
func (e *editor) send(command string, arguments any) (body map[string]any, failed string) {
	e.t.Helper()
	e.seq++
	content, err := json.Marshal(map[string]any{"seq": e.seq, "type": "request", "command": command, "arguments": arguments})
	if err != nil {
		e.t.Fatal(err)
	}
	if err := dap.WriteBaseMessage(e.in, content); err != nil {
		e.t.Fatal(err)
	}
	for {
		switch m := e.read().(type) {
		case dap.EventMessage:
			e.events = append(e.events, m)
		case *dap.ErrorResponse:
			return nil, m.Message
		case dap.ResponseMessage:
			if m.GetResponse().RequestSeq != e.seq {
				e.t.Fatalf("response to request %d, want %d", m.GetResponse().RequestSeq, e.seq)
			}
			text, _ := json.Marshal(m)
			var whole struct{ Body map[string]any }
			if err := json.Unmarshal(text, &whole); err != nil {
				e.t.Fatal(err)
			}
			return whole.Body, ""
		}
	}
}

// must is send for a request that succeeds.
func (e *editor) must(command string, arguments any) map[string]any {
	e.t.Helper()
	body, failed := e.send(command, arguments)
	if failed != "" {
		e.t.Fatalf("%s: %s", command, failed)
	}
	return body
}

func (e *editor) read() dap.Message {
	e.t.Helper()
	m, err := dap.ReadProtocolMessage(e.out)
	if err != nil {
		e.t.Fatal(err)
	}
	return m
}

// stopped waits for the next stop.
func (e *editor) stopped() dap.StoppedEventBody {
	e.t.Helper()
	for {
		var m dap.Message
		if len(e.events) > 0 {
			m, e.events = e.events[0], e.events[1:]
		} else {
			m = e.read()
		}
		if stop, ok := m.(*dap.StoppedEvent); ok {
			return stop.Body
		}
	}
}

// writeDemo writes the built-in example and returns its files.
func writeDemo(t *testing.T) (definition, fixtures string) {
	t.Helper()
	dir := t.TempDir()
	definition, fixtures = filepath.Join(dir, "order.asl.json"), filepath.Join(dir, "order.fixtures.yaml")
	for name, text := range map[string][]byte{definition: []byte(demo.Definition), fixtures: []byte(demo.Fixtures)} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return definition, fixtures
}

// An editor runs the demo to a breakpoint, looks at the data, steps on and back, and runs to the end.
func TestSessionOfTheDemo(t *testing.T) {
	definition, fixtures := writeDemo(t)
	e := newEditor(t)
	e.must("initialize", map[string]any{"adapterID": "asldb", "linesStartAt1": true, "columnsStartAt1": true})
	e.must("launch", map[string]any{"program": definition, "fixtures": fixtures})
	e.must("setFunctionBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"name": "ChargeCard"}}})
	e.must("setExceptionBreakpoints", map[string]any{"filters": []string{"uncaught"}})
	e.must("configurationDone", nil)
	if stop := e.stopped(); stop.Reason != "breakpoint" {
		t.Fatalf("stopped by %s (%s), want breakpoint", stop.Reason, stop.Description)
	}
	stack := e.must("stackTrace", map[string]any{"threadId": 1})["stackFrames"].([]any)
	top := stack[0].(map[string]any)
	if top["name"] != "ChargeCard › input" {
		t.Errorf("the frame is %v, want ChargeCard › input", top["name"])
	}
	scopes := e.must("scopes", map[string]any{"frameId": top["id"]})["scopes"].([]any)
	data := scopes[0].(map[string]any)
	members := e.must("variables", map[string]any{"variablesReference": data["variablesReference"]})["variables"].([]any)
	if len(members) == 0 {
		t.Error("the data has no members")
	}
	if got := e.must("evaluate", map[string]any{"expression": "$.validation.total", "frameId": top["id"], "context": "hover"}); got["result"] != "129.90" {
		t.Errorf("$.validation.total is %v, want 129.90", got["result"])
	}
	for _, command := range []string{"stepIn", "next", "stepBack", "continue"} {
		e.must(command, map[string]any{"threadId": 1})
		t.Log(command, e.stopped())
	}
}
