package dap

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-dap"

	"asldb/engine/value"
	"asldb/internal/editors"
)

var update = flag.Bool("update", false, "write the goldens")

// editor is a client at the other end of a pipe. It keeps the messages of both directions.
type editor struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
	seq int
	// dir is a folder whose name is replaced in the messages that are kept.
	dir string
	log bytes.Buffer
	// events that came and were not awaited yet.
	events []map[string]any
	ended  chan error
}

func newEditor(t *testing.T) *editor { return newEditorWith(t, Options{}) }

func newEditorWith(t *testing.T, options Options) *editor {
	t.Helper()
	options.Now = func() time.Time { return time.Unix(0, 0) }
	requests, in := io.Pipe()
	out, responses := io.Pipe()
	e := &editor{t: t, in: in, out: bufio.NewReader(out), dir: t.TempDir(), ended: make(chan error, 1)}
	go func() {
		err := Serve(context.Background(), requests, responses, options)
		responses.Close()
		requests.Close()
		e.ended <- err
	}()
	t.Cleanup(func() { in.Close(); out.Close() })
	return e
}

// file writes a file into the folder of the editor and returns its name.
func (e *editor) file(name, text string) string {
	e.t.Helper()
	path := filepath.Join(e.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
	return path
}

// keep keeps a message.
func (e *editor) keep(arrow string, content []byte) {
	e.log.WriteString(arrow + " " + strings.ReplaceAll(string(content), e.dir, "DIR") + "\n")
}

// post sends a request without a look at its response.
func (e *editor) post(command string, arguments any) {
	e.t.Helper()
	e.seq++
	message := map[string]any{"seq": e.seq, "type": "request", "command": command}
	if arguments != nil {
		message["arguments"] = arguments
	}
	content, err := json.Marshal(message)
	if err != nil {
		e.t.Fatal(err)
	}
	e.keep("->", content)
	if err := dap.WriteBaseMessage(e.in, content); err != nil {
		e.t.Fatal(err)
	}
}

// read returns the next message.
func (e *editor) read() map[string]any {
	e.t.Helper()
	hang := time.AfterFunc(8*time.Second, func() { e.in.Close() }) // the adapter then ends, and with it its output
	content, err := editors.Read(e.out)
	hang.Stop()
	if err != nil {
		e.t.Fatalf("no message comes: %v; the messages were\n%s", err, e.log.String())
	}
	e.keep("<-", content)
	var m map[string]any
	if err := json.Unmarshal(content, &m); err != nil {
		e.t.Fatal(err)
	}
	return m
}

// send sends a request and returns the body of its response; failed is the message of an error response.
func (e *editor) send(command string, arguments any) (body map[string]any, failed string) {
	e.t.Helper()
	e.post(command, arguments)
	for {
		m := e.read()
		if m["type"] == "event" {
			e.events = append(e.events, m)
			continue
		}
		if int(m["request_seq"].(float64)) != e.seq || m["command"] != command {
			e.t.Fatalf("response %v to request %d (%s)", m, e.seq, command)
		}
		body, _ = m["body"].(map[string]any)
		if m["success"] != true {
			return nil, m["message"].(string)
		}
		return body, ""
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

// refused is send for a request that is refused with a message that has a text.
func (e *editor) refused(command string, arguments any, text string) {
	e.t.Helper()
	if _, failed := e.send(command, arguments); failed == "" || !strings.Contains(failed, text) {
		e.t.Errorf("%s %v: refused with %q, want something with %q", command, arguments, failed, text)
	}
}

// event waits for the next event of a name and returns its body.
func (e *editor) event(name string) map[string]any {
	e.t.Helper()
	for {
		var m map[string]any
		if len(e.events) > 0 {
			m, e.events = e.events[0], e.events[1:]
		} else {
			m = e.read()
		}
		if m["event"] == name {
			body, _ := m["body"].(map[string]any)
			return body
		}
	}
}

// stopped waits for the next stop, which is for a reason.
func (e *editor) stopped(reason string) map[string]any {
	e.t.Helper()
	body := e.event("stopped")
	if body["reason"] != reason {
		e.t.Errorf("stopped by %v, want %s", body, reason)
	}
	return body
}

// begin sends the requests up to the launch.
func (e *editor) begin(arguments map[string]any) {
	e.t.Helper()
	e.must("initialize", map[string]any{"adapterID": "asldb", "supportsInvalidatedEvent": true})
	e.must("launch", arguments)
	e.event("initialized")
}

// list returns a list of a body.
func list(t *testing.T, body map[string]any, key string) []map[string]any {
	t.Helper()
	items, ok := body[key].([]any)
	if !ok {
		t.Fatalf("there is no list %s in %v", key, body)
	}
	return value.Each(items, func(each any) map[string]any { return each.(map[string]any) })
}

// frames returns the stack of a thread.
func (e *editor) frames(thread int) []map[string]any {
	e.t.Helper()
	return list(e.t, e.must("stackTrace", map[string]any{"threadId": thread}), "stackFrames")
}

// top returns the innermost frame of a thread.
func (e *editor) top(thread int) map[string]any {
	e.t.Helper()
	return e.frames(thread)[0]
}

// scope returns the reference of a scope of the newest frame whose name begins so; 0 where there is none.
func (e *editor) scope(name string) float64 {
	e.t.Helper()
	for _, s := range list(e.t, e.must("scopes", map[string]any{"frameId": e.top(1)["id"]}), "scopes") {
		if strings.HasPrefix(s["name"].(string), name) {
			return s["variablesReference"].(float64)
		}
	}
	return 0
}

// variables returns the values of the members of a container by their names.
func (e *editor) variables(reference float64) map[string]string {
	e.t.Helper()
	values := make(map[string]string)
	for _, v := range list(e.t, e.must("variables", map[string]any{"variablesReference": reference}), "variables") {
		values[v["name"].(string)] = v["value"].(string)
	}
	return values
}

// value returns the value of an expression in the newest frame, or the error.
func (e *editor) value(expression string) string {
	e.t.Helper()
	body, failed := e.send("evaluate", map[string]any{"expression": expression, "frameId": 0, "context": "hover"})
	if failed != "" {
		return failed
	}
	return body["result"].(string)
}

// repl types a line into the console of the editor.
func (e *editor) repl(line string) string {
	e.t.Helper()
	return e.must("evaluate", map[string]any{"expression": line, "frameId": 0, "context": "repl"})["result"].(string)
}

// disconnect ends the session and compares the messages of both directions with a golden, where name is not empty.
func (e *editor) disconnect(name string) {
	e.t.Helper()
	e.must("disconnect", nil)
	select {
	case err := <-e.ended:
		if err != nil {
			e.t.Errorf("ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		e.t.Fatal("it does not end")
	}
	e.tellsStops()
	if name == "" {
		return
	}
	golden := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(golden, e.log.Bytes(), 0o644); err != nil {
			e.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		e.t.Fatal(err)
	}
	found, wanted := strings.Split(e.log.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(found), len(wanted)) {
		if i >= len(found) || i >= len(wanted) || found[i] != wanted[i] {
			e.t.Fatalf("message %d of %s:\nfound  %s\nwanted %s", i+1, golden, at(found, i), at(wanted, i))
		}
	}
}

// tellsStops checks that the console has a line for each stop, with the same words, before the event.
func (e *editor) tellsStops() {
	e.t.Helper()
	told := ""
	for line := range strings.Lines(e.log.String()) {
		_, content, _ := strings.Cut(line, " ")
		var m struct {
			Event string
			Body  struct{ Output, Description string }
		}
		if err := json.Unmarshal([]byte(content), &m); err != nil {
			e.t.Fatal(err)
		}
		if m.Event == "stopped" && (told == "" || !strings.HasPrefix(told, m.Body.Description)) {
			e.t.Errorf("the console has %q before the stop %q", told, m.Body.Description)
		}
		if m.Event == "output" || m.Event == "stopped" {
			told = m.Body.Output
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no more)"
}
