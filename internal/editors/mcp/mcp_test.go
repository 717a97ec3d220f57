package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"asldb/internal/cli"
	"asldb/internal/testkit"
)

const good = `{
  "StartAt": "Look",
  "States": {
    "Look": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "OutputPath": "$.Payload", "Next": "Which",
      "Parameters": {"FunctionName": "look", "Payload.$": "$"}},
    "Which": {"Type": "Choice", "Default": "Small",  "Choices": [
      {"Variable": "$.amount", "NumericGreaterThan": 100, "Next": "Big"}]},
    "Big": {"Type": "Pass", "Result": "big", "ResultPath": "$.size", "End": true},
    "Small": {"Type": "Fail", "Error": "Too.Small", "Cause": "less than 100"}
  }
}`

// result is a result of the task Look.
func result(amount int) string {
	return fmt.Sprintf(`{"StatusCode": 200, "Payload": {"amount": %d}}`, amount)
}

// machines are the files of a root.
var machines = map[string]string{
	"good.asl.json": good,
	"bad.asl.json":  strings.Replace(good, `"Next": "Which"`, `"Next": "Wich"`, 1),
	"loop.asl.json": `{"StartAt": "A", "States": {
  "A": {"Type": "Choice", "Choices": [{"Variable": "$.never", "IsPresent": true, "Next": "End"}], "Default": "B"},
  "B": {"Type": "Pass", "Next": "A"}, "End": {"Type": "Succeed"}}}`,
	"never.asl.json": `{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "A"}}}`,
	"pass.asl.json":  `{"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}`,
	"vars.asl.json": `{"QueryLanguage": "JSONata", "StartAt": "Set", "States": {
  "Set": {"Type": "Pass", "Assign": {"total": "{% $states.input.a + 1 %}"}, "Next": "Use"},
  "Use": {"Type": "Pass", "Output": "{% $total * 2 %}", "End": true}}}`,
	"slow.asl.json": `{"QueryLanguage": "JSONata", "StartAt": "S", "States": {"S": {"Type": "Pass", "End": true,
  "Output": "{% $sum($map([1..2000], function($n) { $count($map([1..1000], function($m) { $m * $n })) })) %}"}}}`,
	"small.asl.json": strings.Replace(good, "100,", "1000,", 1),
	"fx.yaml":        "version: 1\ntasks:\n  Look:\n    - {output: " + result(250) + "}\n",
	"live.yaml":      "version: 1\nallowLive: true\ntasks:\n  Look:\n    - {exec: [touch, PWNED]}\n",
	"large.json": `{"blob": "` + strings.Repeat("x", 200_000) + `", "items": [` + strings.Repeat(`{"i": 1}, `,
		5000) + `{}]}`,
	"good.test.yaml": "version: 1\ndefinition: good.asl.json\ntasks:\n  Look:\n    - {output: " + result(250) + "}\n" +
		"cases:\n  is big: {expect: {output: {amount: 250, size: huge}}}\n",
}

// client is a client of the program in its own root.
type client struct {
	progress chan *mcp.ProgressNotificationParams
	*testing.T
	*mcp.ClientSession
	bytes int // of the answers
}

// serve starts the program with more arguments, and connects to it.
func serve(t *testing.T, more ...string) *client {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "root")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range machines {
		testkit.Write(t, filepath.Join(dir, name), text)
	}
	t.Setenv("ASLDB_STATE", filepath.Join(dir, "..", "state"))
	testkit.Write(t, filepath.Join(dir, "..", "secret.asl.json"), `{"StartAt": "SECRETSTATE", "States": {}}`)
	if err := os.Symlink("../secret.asl.json", filepath.Join(dir, "link.asl.json")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	t.Chdir(dir) // the program changes its folder: it is this process
	in, out := program(t, more...)
	c := &client{T: t, progress: make(chan *mcp.ProgressNotificationParams, 1000)}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			c.progress <- r.Params
		},
	}).Connect(t.Context(), &mcp.IOTransport{Reader: out, Writer: in}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.ClientSession = session
	return c
}

// TestProgress: a client that asks for it is told, during a long call, how much of its time is over.
func TestProgress(t *testing.T) {
	c := serve(t)
	for _, asks := range []bool{false, true} {
		params := &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"path": "slow.asl.json"}}
		if asks {
			params.SetProgressToken("p1")
		}
		if r, err := c.CallTool(t.Context(), params); err != nil || r.IsError {
			t.Fatalf("%+v %v", r, err)
		}
		if len(c.progress) > 0 != asks {
			t.Errorf("asks for progress: %t, and was told %d times", asks, len(c.progress))
		}
	}
	last := 0.0
	for range len(c.progress) {
		p := <-c.progress
		if p.ProgressToken != "p1" || p.Progress <= last || p.Total != 20 || !strings.HasPrefix(p.Message, "run: ") {
			t.Errorf("%+v after %g", p, last)
		}
		last = p.Progress
	}
}

// program starts the program, and returns its input and output. At the end of the test it has ended with status 0.
func program(t *testing.T, more ...string) (in *io.PipeWriter, out *io.PipeReader) {
	stdin, in := io.Pipe()
	out, stdout := io.Pipe()
	ended := make(chan int, 1)
	var failed strings.Builder
	go func() {
		ended <- cli.Main(append([]string{"mcp"}, more...), stdin, stdout, &failed)
		stdout.Close()
	}()
	t.Cleanup(func() {
		in.Close()
		go func() { _, _ = io.Copy(io.Discard, out) }() // what is left
		if status := <-ended; status != 0 || failed.Len() > 0 {
			t.Errorf("asldb mcp ended with %d: %s", status, failed.String())
		}
	})
	return in, out
}

// call calls a tool, whose answer is small and has a document unless it is an error.
func (c *client) call(tool, arguments string) (text string, doc map[string]any, isError bool) {
	c.Helper()
	r, err := c.CallTool(c.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		c.Fatalf("%s %s: %v", tool, arguments, err)
	}
	for _, part := range r.Content {
		shown, ok := part.(*mcp.TextContent)
		if !ok {
			c.Fatalf("%s: a part is %T", tool, part)
		}
		text += shown.Text
	}
	structured, err := json.Marshal(r.StructuredContent)
	if err != nil {
		c.Fatal(err)
	}
	if len(text) > 8192 || len(structured) > 8192 {
		c.Errorf("%s %s: %d bytes of text, %d of the document", tool, arguments, len(text), len(structured))
	}
	c.bytes += len(text) + len(structured)
	doc, _ = r.StructuredContent.(map[string]any)
	if !r.IsError && doc == nil {
		c.Errorf("%s %s has no document", tool, arguments)
	}
	return text + string(structured), doc, r.IsError
}

// says calls a tool, whose answer matches all patterns.
func (c *client) says(tool, arguments string, patterns ...string) map[string]any {
	c.Helper()
	text, doc, isError := c.call(tool, arguments)
	if isError {
		c.Errorf("%s %s: %s", tool, arguments, text)
	}
	c.matches(text, tool+" "+arguments, patterns)
	return doc
}

// refuses calls a tool, whose error matches all patterns.
func (c *client) refuses(tool, arguments string, patterns ...string) {
	c.Helper()
	text, _, isError := c.call(tool, arguments)
	if !isError {
		c.Errorf("%s %s succeeds: %s", tool, arguments, text)
	}
	c.matches(text, tool+" "+arguments, patterns)
}

func (c *client) matches(text, call string, patterns []string) {
	c.Helper()
	for _, pattern := range patterns {
		if !regexp.MustCompile(pattern).MatchString(text) {
			c.Errorf("%s does not say %q:\n%s", call, pattern, text)
		}
	}
}

func TestTools(t *testing.T) {
	c := serve(t)
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if size, _ := json.Marshal(list.Tools); len(size) > 24_000 {
		t.Errorf("the list takes %d bytes", len(size))
	}
	for _, tool := range list.Tools {
		if tool.Description == "" || tool.OutputSchema == nil || *tool.Annotations.OpenWorldHint ||
			*tool.Annotations.DestructiveHint ||
			!tool.Annotations.ReadOnlyHint {
			t.Errorf("%s: %+v", tool.Name, tool)
		}
		properties, _ := tool.OutputSchema.(map[string]any)["properties"].(map[string]any)
		for name, schema := range properties { // clients take no true for a schema
			if _, ok := schema.(map[string]any); !ok {
				t.Errorf("%s: the schema of %s is %v", tool.Name, name, schema)
			}
		}
	}

	c.says("validate", `{"path": "bad.asl.json"}`, `bad\.asl\.json:4:\d+`, `"Wich"`, `did you mean .{1,2}Which`,
		`"fix":"diff"`)
	c.says("validate", `{"path": "bad.asl.json", "fix": "diff"}`, `\+.*\\"Next\\": \\"Which\\"`)
	c.says("validate", `{"path": "good.asl.json"}`, `"valid":true`, `"tool":"run"`)
	c.refuses("validate", `{"path": "bad.asl.json", "fix": "write"}`, `--write`)
	c.refuses("validate", `{"path": "bad.asl.json", "fix": "all"}`, `diff or write`)
	c.refuses("validate", `{"path": "god.asl.json"}`, `god\.asl\.json`, `good\.asl\.json`)
	c.says("graph", `{"path": "good.asl.json"}`, `flowchart`, `"next":\["Big","Small"\]`, `good\.asl\.json:9:`)
	c.says("eval", `{"expression": "$sum(items.n)", "input": {"items": [{"n": 1}, {"n": 41}]}}`, `"value":42`)
	c.says("eval", `{"expression": "$.a", "input": {"a": [1.5]}}`, `"value":\[1.5\]`)
	c.says("eval", `{"expression": "{\"b.$\": \"$.a\"}", "language": "template", "input": {"a": 1}}`, `"b":1`)
	c.refuses("eval", `{"expression": "$sum("}`, `(?i)end`)
	c.refuses("eval", `{"expression": "secret.json", "language": "template"}`, `JSON`)
	c.refuses("eval", `{"expression": "1", "language": "python"}`, `jsonata`)
	c.says("explore", `{"path": "good.asl.json", "fixtures": "fx.yaml", "runs": 100}`, `unhandled`, `Look`)
	c.says("test", `{"coverage": true}`, `is big`, `huge`)
	c.says("test", `{"suite": "good.test.yaml", "filter": "is"}`, `is big`)
	c.says("test", `{"init": "good.asl.json"}`, `cases:`)
	if _, err := os.Stat("good.asl.test.yaml"); err == nil {
		t.Error("a suite was written")
	}
	c.says("compare", `{"old": "good.asl.json", "new": "small.asl.json", "histories": "good.test.yaml"}`, `differs`)
}

func TestRunsAreDebugged(t *testing.T) {
	c := serve(t)
	run := c.says("run", `{"path": "good.asl.json", "fixtures": "fx.yaml", "input": {"id": 1}}`,
		`SUCCEEDED`, `"size":"big"`, `"path":\["Look","Which","Big"\]`)["run"]
	handle := fmt.Sprintf(`{"run": %q`, run)
	c.says("explain", handle+`, "state": "Which"}`, `NumericGreaterThan`, `250`, `100`, `Big`)
	c.says("explain", handle+`, "event": 5}`, `Look`)
	c.says("origin", handle+`, "path": "$.amount"}`, `Look`, `good\.asl\.json:4:\d+`)
	c.says("origin", handle+`, "at": "Look", "path": "$.amount", "forward": true}`, `Which`)
	c.refuses("origin", handle+`}`, `which value`)
	c.says("inspect", handle+`, "at": "Look"}`, `OutputPath`, `\$\.Payload`, `Parameters`)
	c.says("inspect", handle+`, "what": "timeline"}`, `TaskSucceeded`, `ExecutionSucceeded`)
	c.says("inspect", handle+`, "what": "tasks"}`, `lambda:invoke`)
	c.says("inspect", handle+`, "what": "context", "at": "Look"}`, `StateMachine`)
	c.refuses("inspect", handle+`, "what": "stage"}`, `did you mean "stages"`)
	c.refuses("inspect", handle+`, "at": "Whichh"}`, `did you mean "Which"`)
	c.refuses("inspect", handle+`, "at": "Small"}`, `not come to`)
	c.refuses("inspect", handle+`, "at": "999"}`, `no event 999`)
	c.says("eval", handle+`, "at": "Which", "expression": "$.amount"}`, `"value":250`)
	c.refuses("why", handle+`}`, `succeeded`)

	stop := c.says("debug", `{"path": "good.asl.json", "fixtures": "fx.yaml", "break": ["Which"]}`,
		`"reason":"breakpoint"`, `250`, `good\.asl\.json:6:`)
	handle = fmt.Sprintf(`{"run": %q`, stop["run"])
	c.says("step", handle+`, "kind": "state"}`, `"state":"Big"`)
	c.says("step", handle+`, "kind": "back"}`, `"state":"Which"`)
	c.says("step", handle+`, "kind": "set", "path": "$.amount", "value": 5}`, `"replaced":250`)
	c.says("inspect", handle+`, "path": "$.amount"}`, `"value":5`)
	c.says("step", handle+`, "kind": "stage"}`, `Which`)
	c.says("step", handle+`, "kind": "continue"}`, `FAILED`, `Too\.Small`, `good\.asl\.json:9:`)
	c.says("why", handle+`}`, `Too\.Small`, `\$\.amount`)
	c.says("debug", handle+`, "until": "Which"}`, `"state":"Which"`)
	c.refuses("step", handle+`, "kind": "stat"}`, `did you mean "sta`)
	c.refuses("step", handle+`, "kind": "answer"}`, `no task waits`)
	c.refuses("step", `{"run": "run-99", "kind": "over"}`, `run-99`, `run-2`)
	c.refuses("debug", `{}`, `path or run`)
	c.refuses("debug", `{"path": "good.asl.json", "break": ["Nowhere"]}`, `Nowhere`)

	stop = c.says("run", `{"path": "good.asl.json"}`, `Look needs a result`, `"sample":.*Payload`)
	handle = fmt.Sprintf(`{"run": %q`, stop["run"])
	c.refuses("step", handle+`, "kind": "answer", "task": "Big", "output": 1}`, `Look`)
	c.refuses("step", handle+`, "kind": "answer", "error": "E", "output": 1}`, `exclude`)
	c.says("step", handle+`, "kind": "answer", "task": "Look", "output": `+result(7)+`}`, `Too\.Small`)
	c.says("run", `{"path": "good.asl.json", "mocks": {"Look": {"error": "Lambda.Unknown", "cause": "gone"}}}`,
		`Lambda\.Unknown`, `gone`)
	c.refuses("run", `{"path": "good.asl.json", "mocks": [1]}`, `object`)
	c.refuses("run", `{"path": "good.asl.json", "mocks": {"Lock": {"output": 1}}}`, `Look`)

	stop = c.says("run", `{"path": "vars.asl.json", "input": {"a": 20}}`, `"output":42`)
	c.says("inspect", fmt.Sprintf(`{"run": %q, "at": "Use", "what": "variables"}`, stop["run"]), `"total":21`)
}

func TestBoundsOfAnAgent(t *testing.T) {
	c := serve(t)
	for _, path := range []string{"../secret.asl.json", "link.asl.json", "/etc/hostname", "-"} {
		for _, call := range []string{
			`validate {"path": %q}`, `run {"path": %q}`, `graph {"path": %q}`, `why {"files": [%q]}`,
			`explore {"path": %q}`,
			`run {"path": "pass.asl.json", "input_file": %q}`,
			`compare {"old": %[1]q, "new": %[1]q, "histories": %[1]q}`,
		} {
			tool, arguments, _ := strings.Cut(call, " ")
			text, _, isError := c.call(tool, fmt.Sprintf(arguments, path))
			if !isError || strings.Contains(text, "SECRETSTATE") {
				t.Errorf("%s of %s: %s", tool, path, text)
			}
		}
	}
	c.says("run", `{"path": "good.asl.json", "fixtures": "live.yaml"}`, `Look needs a result`)
	if _, err := os.Stat("PWNED"); err == nil {
		t.Error("a command of the fixtures ran")
	}
	c.says("run", `{"path": "pass.asl.json", "input_file": "large.json"}`, `"\$cut":\d{6}`, `"path":"\$\.output\.blob"`,
		`"items":5001`)
	c.says("run", `{"path": "loop.asl.json", "max_events": 5000}`, `5,000`)
	c.refuses("run", `{"path": "never.asl.json"}`, `no-terminal-state`, `max_events`)
	c.refuses("run", `{"pth": "good.asl.json"}`, `did you mean "path"`)
	c.refuses("run", `{"colour": 1}`, `there are path`)
	c.refuses("run", `{}`, `"path" is missing`)
	c.refuses("run", `{"path": 1}`, `is a text`)
	c.refuses("run", `{"path": "pass.asl.json", "input": 1, "input_file": "large.json"}`, `exclude`)
	for range 51 {
		c.says("run", `{"path": "pass.asl.json"}`, `SUCCEEDED`)
	}
	c.refuses("inspect", `{"run": "run-1"}`, `newest 50`)
}

// TestDebuggingIsShort finds and mends a planted bug: four calls, and the answers are small.
func TestDebuggingIsShort(t *testing.T) {
	c := serve(t, "--write")
	testkit.Write(t, "planted.asl.json", strings.Replace(good, `"OutputPath": "$.Payload", `, "", 1))
	run := c.says("run", `{"path": "planted.asl.json", "fixtures": "fx.yaml"}`,
		`FAILED`, `States\.Runtime`, `\$\.amount`, `\$\.Payload\.amount`)["run"]
	c.says("why", fmt.Sprintf(`{"run": %q}`, run), `Payload`)
	c.says("origin", fmt.Sprintf(`{"run": %q, "at": "Which", "path": "$.Payload.amount"}`, run), `Look`)
	testkit.Write(t, "planted.asl.json", good)
	c.says("run", `{"path": "planted.asl.json", "fixtures": "fx.yaml"}`, `SUCCEEDED`)
	if c.bytes > 20_000 {
		t.Errorf("a debugging took %d bytes", c.bytes)
	}

	c.says("validate", `{"path": "bad.asl.json", "fix": "write"}`, `.`)
	c.says("validate", `{"path": "bad.asl.json"}`, `"valid":true`)
	c.says("test", `{"init": "vars.asl.json"}`, `.`)
}

func TestResources(t *testing.T) {
	c := serve(t)
	c.says("run", `{"path": "pass.asl.json"}`, `SUCCEEDED`)
	for uri, want := range map[string]string{
		"asldb://rules/no-terminal-state":     "Succeed",
		"asldb://docs/run":                    "fixtures",
		"asldb://definition/pass.asl.json":    "    1  {",
		"asldb://run/run-1/events?from=2":     "StateEntered",
		"asldb://definition/..%2Fsecret.json": "!outside",
		"asldb://run/run-9/events":            "!run-9",
		"asldb://rules/no-such-rule":          "!no-such-rule",
	} {
		r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		wanted, fails := strings.CutPrefix(want, "!")
		switch {
		case fails && (err == nil || !strings.Contains(err.Error(), wanted)):
			t.Errorf("%s: %v", uri, err)
		case !fails && (err != nil || !strings.Contains(r.Contents[0].Text, wanted)):
			t.Errorf("%s: %v %v", uri, r, err)
		}
	}
	prompt, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{
		Name:      "debug-failed-execution",
		Arguments: map[string]string{"history": "h.json", "definition": "d.json"},
	})
	if err != nil || !strings.Contains(prompt.Messages[0].Content.(*mcp.TextContent).Text, "h.json") {
		t.Error(prompt, err)
	}
}

// TestJunkIsAnswered sends lines that are no messages, and then speaks a revision with a handshake.
func TestJunkIsAnswered(t *testing.T) {
	t.Chdir(t.TempDir())
	in, out := program(t)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for _, exchange := range [][2]string{
		{`{"jsonrpc":`, `-32700`},
		{`[]`, `-32700`},
		{strings.Repeat("x", 17<<20), `-32600`},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
			`"clientInfo":{"name":"c","version":"1"}}}`, `"protocolVersion":"2025-11-25"`},
	} {
		if _, err := io.WriteString(in, exchange[0]+"\n\n"); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || !strings.Contains(lines.Text(), exchange[1]) {
			t.Errorf("%.60s is answered by %q, not %s", exchange[0], lines.Text(), exchange[1])
		}
	}
}
