package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/internal/editors"
	"asldb/internal/testkit"
)

// editor is a client at the other end of two pipes.
type editor struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
	id  int
	// notes are the notifications that came before the response that was awaited.
	notes []message
	ended chan error
	dir   string
}

// message is any message of the server.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// newEditor starts a server, with files in its folder.
func newEditor(t *testing.T, files map[string]string) *editor {
	t.Helper()
	requests, in := io.Pipe()
	out, responses := io.Pipe()
	e := &editor{t: t, in: in, out: bufio.NewReader(out), ended: make(chan error, 1), dir: testkit.New(t, files)}
	go func() {
		err := Serve(context.Background(), requests, responses, Options{Version: "test", Delay: time.Millisecond})
		responses.Close()
		requests.Close()
		e.ended <- err
	}()
	t.Cleanup(func() { in.Close(); out.Close() })
	return e
}

// begin is newEditor with the handshake.
func begin(t *testing.T, files map[string]string) *editor {
	t.Helper()
	e := newEditor(t, files)
	e.must("initialize", map[string]any{}, nil)
	e.notify("initialized", map[string]any{})
	return e
}

// write writes a message.
func (e *editor) write(m map[string]any) {
	e.t.Helper()
	m["jsonrpc"] = "2.0"
	content, err := json.Marshal(m)
	if err != nil {
		e.t.Fatal(err)
	}
	e.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(content), content))
}

func (e *editor) raw(text string) {
	e.t.Helper()
	if _, err := io.WriteString(e.in, text); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) notify(method string, params any) {
	e.t.Helper()
	e.write(map[string]any{"method": method, "params": params})
}

// next reads a message.
func (e *editor) next() message {
	e.t.Helper()
	content, err := editors.Read(e.out)
	if err != nil {
		e.t.Fatal(err)
	}
	var m message
	if err := json.Unmarshal(content, &m); err != nil {
		e.t.Fatalf("%v: %s", err, content)
	}
	return m
}

// ask sends a request and returns its response.
func (e *editor) ask(method string, params any) message {
	e.t.Helper()
	e.id++
	e.write(map[string]any{"id": e.id, "method": method, "params": params})
	return e.response(fmt.Sprint(e.id))
}

// response reads up to the response of an id.
func (e *editor) response(id string) message {
	e.t.Helper()
	for {
		m := e.next()
		if m.Method != "" {
			e.notes = append(e.notes, m)
			continue
		}
		if string(m.ID) != id {
			e.t.Fatalf("response to %s, want %s", m.ID, id)
		}
		return m
	}
}

// must is ask for a request that succeeds, with its result.
func (e *editor) must(method string, params, result any) {
	e.t.Helper()
	m := e.ask(method, params)
	if m.Error != nil {
		e.t.Fatalf("%s: %s", method, m.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(m.Result, result); err != nil {
			e.t.Fatalf("%s: %v: %s", method, err, m.Result)
		}
	}
}

// uri returns the URI of a file of the test.
func (e *editor) uri(name string) string { return uriOf(filepath.Join(e.dir, name)) }

// open opens a document with a text, in which ¦ is left out, and returns the position of that.
func (e *editor) open(name, text string) positionParams {
	e.t.Helper()
	before, after, found := strings.Cut(text, "¦")
	at := linesOf([]byte(before)).position(len(before))
	if !found {
		at = position{}
	}
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": e.uri(name), "languageId": "json", "version": 1, "text": before + after,
	}})
	return positionParams{TextDocument: documentID{URI: e.uri(name)}, Position: at}
}

// problems waits for the problems of a document.
func (e *editor) problems(name string) publishParams {
	e.t.Helper()
	for {
		for i, m := range e.notes {
			var p publishParams
			if json.Unmarshal(m.Params, &p) == nil && p.URI == e.uri(name) {
				e.notes = append(e.notes[:i:i], e.notes[i+1:]...)
				return p
			}
		}
		e.notes = append(e.notes, e.next())
	}
}

// shown returns problems as lines "from-to severity code: message".
func shown(p publishParams) string {
	var lines []string
	for _, d := range p.Diagnostics {
		lines = append(lines, fmt.Sprintf("%d:%d-%d:%d %d %s: %s", d.Range.Start.Line, d.Range.Start.Character, d.Range.End.Line, d.Range.End.Character, d.Severity, d.Code, d.Message))
	}
	return strings.Join(lines, "\n")
}

// end waits for the end of the server.
func (e *editor) end() error {
	e.t.Helper()
	go func() { _, _ = io.Copy(io.Discard, e.out) }()
	return <-e.ended
}

func TestLifecycle(t *testing.T) {
	e := newEditor(t, nil)
	if m := e.ask("textDocument/hover", map[string]any{}); m.Error == nil || m.Error.Code != codeNotInitialized {
		t.Errorf("before initialize: %+v", m)
	}
	var found struct {
		Capabilities map[string]any
		ServerInfo   map[string]string
	}
	e.must("initialize", map[string]any{"processId": nil}, &found)
	if found.ServerInfo["version"] != "test" || found.Capabilities["positionEncoding"] != "utf-16" {
		t.Errorf("initialize: %+v", found)
	}
	if m := e.ask("initialize", map[string]any{}); m.Error == nil {
		t.Error("a second initialize succeeds")
	}
	if m := e.ask("textDocument/unheardOf", map[string]any{}); m.Error == nil || m.Error.Code != -32601 {
		t.Errorf("an unknown request: %+v", m)
	}
	e.id++
	e.write(map[string]any{"id": e.id, "method": "textDocument/codeAction"})
	if m := e.response(fmt.Sprint(e.id)); m.Error == nil || m.Error.Code != -32602 {
		t.Errorf("no params: %+v", m)
	}
	if m := e.ask("textDocument/codeAction", []int{1}); m.Error == nil || m.Error.Code != -32602 {
		t.Errorf("wrong params: %+v", m)
	}
	if m := e.ask("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": "file:///nowhere"}}); m.Error == nil || m.Error.Code != codeFailed {
		t.Errorf("a document that is not open: %+v", m)
	}
	e.notify("$/unheardOf", map[string]any{})
	e.must("shutdown", nil, nil)
	if m := e.ask("textDocument/codeAction", map[string]any{}); m.Error == nil {
		t.Error("a request after shutdown succeeds")
	}
	e.notify("exit", nil)
	if err := e.end(); err != nil {
		t.Errorf("exit after shutdown: %v", err)
	}
}

func TestEnds(t *testing.T) {
	t.Run("exit without shutdown", func(t *testing.T) {
		e := begin(t, nil)
		e.notify("exit", nil)
		if err := e.end(); !errors.Is(err, ErrNoShutdown) {
			t.Errorf("ended with %v", err)
		}
	})
	t.Run("end of the input", func(t *testing.T) {
		e := begin(t, nil)
		e.in.Close()
		if err := e.end(); err != nil {
			t.Errorf("ended with %v", err)
		}
	})
	t.Run("end within a message", func(t *testing.T) {
		e := begin(t, nil)
		e.raw("Content-Length: 100\r\n\r\n{")
		e.in.Close()
		if err := e.end(); err != nil {
			t.Errorf("ended with %v", err)
		}
	})
	t.Run("another protocol", func(t *testing.T) {
		e := begin(t, nil)
		e.raw("GET / HTTP/1.1\r\n\r\n")
		var wrong *editors.Error
		if err := e.end(); !errors.As(err, &wrong) {
			t.Errorf("ended with %v", err)
		}
	})
	t.Run("context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		in, w := io.Pipe()
		defer w.Close()
		cancel()
		if err := Serve(ctx, in, io.Discard, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	})
}

// Requests that were sent before the end of the input get their answers.
func TestAnswersBeforeEnd(t *testing.T) {
	var in, out strings.Builder
	for _, m := range []string{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, `{"jsonrpc":"2.0","id":"two","method":"shutdown"}`} {
		fmt.Fprintf(&in, "Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n%s", len(m), m)
	}
	if err := Serve(context.Background(), strings.NewReader(in.String()), &out, Options{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"id":1,`) || !strings.HasSuffix(out.String(), `{"id":"two","result":null,"jsonrpc":"2.0"}`) {
		t.Error(out.String())
	}
}

func TestMalformedMessages(t *testing.T) {
	e := begin(t, nil)
	for content, code := range map[string]int{
		`{"jsonrpc": "2.0", `:             -32700,
		``:                                -32700,
		`[]`:                              -32600,
		`17`:                              -32600,
		`{"id": 5, "method": {"a": "b"}}`: -32600,
	} {
		e.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(content), content))
		if m := e.next(); m.Error == nil || m.Error.Code != code {
			t.Errorf("%s: %+v, want code %d", content, m, code)
		}
	}
	e.must("shutdown", nil, nil)
}

func TestCancel(t *testing.T) {
	e := begin(t, nil)
	s := `{"jsonrpc":"2.0","id":"x","method":"textDocument/codeAction","params":{"textDocument":{"uri":"a"}}}`
	e.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(s), s))
	e.notify("$/cancelRequest", map[string]any{"id": "x"})
	e.notify("$/cancelRequest", map[string]any{"id": []int{1}})
	if m := e.response(`"x"`); m.Error == nil || m.Error.Code != codeCancelled && m.Error.Code != codeFailed {
		t.Errorf("cancelled: %+v", m)
	}
	e.must("shutdown", nil, nil)
}

func FuzzRead(f *testing.F) {
	f.Add("Content-Length: 2\r\n\r\n{}Content-Length: 1\n\n1")
	f.Add("Content-Length: -1\r\n\r\n")
	f.Add("Content-Length: 99999999999999999999\r\n\r\n")
	f.Add("Content-Length: 67108864\r\n\r\n")
	f.Add("content-length : 2\r\nX: y\r\n\r\n[]")
	f.Add(strings.Repeat("a", 5000))
	f.Add("\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		in := bufio.NewReader(strings.NewReader(text))
		for {
			content, err := editors.Read(in)
			if err != nil {
				var wrong *editors.Error
				if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.As(err, &wrong) {
					t.Fatal(err)
				}
				return
			}
			if len(content) > len(text) {
				t.Fatalf("%d bytes of %d", len(content), len(text))
			}
			idOf(content)
		}
	})
}

// Any input ends the server in order, with a response to each request that can be read.
func FuzzServe(f *testing.F) {
	for _, m := range []string{
		`{"id":1,"method":"initialize","params":{}}`, `{"id":null,"method":"initialize"}`, `{"method":"exit"}`,
		`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:1","text":"{\"StartAt\":\"A\",\"States\":{\"A\":{\"Type\":\"Pass\"}}}"}}}`,
		`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"untitled:1"},"contentChanges":[{"range":{"start":{"line":-1,"character":9},"end":{"line":0,"character":-4}},"text":"😀"}]}}`,
		`{"id":2,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"untitled:1"}}}`,
		`{"id":3,"result":7}`, `{"method":"$/cancelRequest","params":{"id":1.5}}`,
	} {
		f.Add(m)
	}
	f.Fuzz(func(t *testing.T, content string) {
		begin := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
		input := fmt.Sprintf("Content-Length: %d\r\n\r\n%sContent-Length: %d\r\n\r\n%s", len(begin), begin, len(content), content)
		err := Serve(context.Background(), strings.NewReader(input), io.Discard, Options{Delay: time.Hour})
		if err != nil && !errors.Is(err, ErrNoShutdown) {
			t.Fatal(err)
		}
	})
}
