package serve_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"

	"asldb/internal/serve"
	"asldb/recorder/history"
)

// TestLambda: functions without a result are invoked at the endpoint that was named, also those that get a task token.
func TestLambda(t *testing.T) {
	var c *client
	functions := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var payload struct{ Token string }
		_ = json.NewDecoder(r.Body).Decode(&payload)
		switch name := strings.Split(r.URL.Path, "/")[3]; {
		case name == "broken":
			w.Header().Set("X-Amz-Function-Error", "Unhandled")
			_, _ = io.WriteString(w, `{"errorType":"Order.Rejected","errorMessage":"no stock"}`)
		case payload.Token != "":
			_, err := c.SendTaskSuccess(r.Context(),
				&sfn.SendTaskSuccessInput{TaskToken: &payload.Token, Output: aws.String(`"by token"`)})
			if err != nil {
				t.Error(err)
			}
		default:
			_, _ = io.WriteString(w, `{"from":"`+name+`"}`)
		}
	}))
	defer functions.Close()
	o := options()
	o.Results.Lambda = functions.URL
	c = newClient(t, o)
	task := func(resource, parameters string) string {
		return `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:` + resource + `"` + parameters +
			`,"End":true}}}`
	}
	for name, want := range map[string]struct{ definition, output string }{
		"arn": {task("lambda:us-east-1:123456789012:function:pay", ""), `{"from":"pay"}`},
		"invoke": {task("states:::lambda:invoke", `,"Parameters":{"FunctionName":"ship"},"OutputPath":"$.Payload"`),
			`{"from":"ship"}`},
		"token": {task("states:::lambda:invoke.waitForTaskToken",
			`,"Parameters":{"FunctionName":"ask","Payload":{"Token.$":"$$.Task.Token"}}`), `"by token"`},
	} {
		d := c.end(c.start(c.create(name, want.definition), `{}`))
		if d.Status != types.ExecutionStatusSucceeded || *d.Output != want.output {
			t.Errorf("%s: %+v", name, d)
		}
	}
	broken := task("states:::lambda:invoke.waitForTaskToken",
		`,"Parameters":{"FunctionName":"broken","Payload":{"Token.$":"$$.Task.Token"}}`)
	if d := c.end(c.start(c.create("broken", broken), `{}`)); aws.ToString(d.Error) != "Order.Rejected" {
		t.Errorf("%+v", d)
	}
	other := task("states:::sqs:sendMessage", `,"Parameters":{"QueueUrl":"q","MessageBody":"m"}`)
	if d := c.end(c.start(c.create("other", other), `{}`)); aws.ToString(d.Error) != "States.TaskFailed" {
		t.Errorf("a task of another service: %+v", d)
	}
}

// TestEventsAndCoverage: the events of executions that end are read as a log of CloudWatch, and their coverage is
// counted.
func TestEventsAndCoverage(t *testing.T) {
	var lines []byte
	o := options()
	o.Covers, o.Events = true, func(line []byte) { lines = append(lines, line...) }
	c := newClient(t, o)
	arn := c.express("pass", pass)
	must[*sfn.StartSyncExecutionOutput](c)(c.StartSyncExecution(t.Context(),
		&sfn.StartSyncExecutionInput{StateMachineArn: &arn, Input: aws.String(`{"x":1}`)}))
	list, err := history.Read(history.File{Name: "served.log", Data: lines})
	if err != nil || len(list) != 1 || !list[0].FromLog {
		t.Fatalf("%v: %+v\n%s", err, list, lines)
	}
	var kinds []string
	for i := range list[0].Events {
		kinds = append(kinds, list[0].Events[i].Type)
	}
	want := "ExecutionStarted PassStateEntered PassStateExited ExecutionSucceeded"
	if got := strings.Join(kinds, " "); got != want || list[0].Events[0].Details.Text("input") != `{"x":1}` {
		t.Errorf("%s", lines)
	}
	d := c.server.Cases.Profile.Definitions
	if len(d) != 1 || d[0].Runs != 1 {
		t.Errorf("%+v", d)
	}
}

// listen starts a server on a free port; ended has the error of Serve.
func listen(t *testing.T, o serve.Options) (address string, cancel func(), ended chan error) {
	t.Helper()
	o.Log = func(line string) { t.Log(line) }
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended = make(chan error, 1)
	s := serve.New(o)
	go func() { ended <- s.Serve(ctx, listener) }()
	t.Cleanup(cancel)
	return listener.Addr().String(), cancel, ended
}

// TestSlowClients: a client that sends its headers or its body too slowly is cut off, and others are answered
// meanwhile.
func TestSlowClients(t *testing.T) {
	o := options()
	o.HeaderPatience, o.BodyPatience = 50*time.Millisecond, 50*time.Millisecond
	address, _, _ := listen(t, o)
	for name, text := range map[string]string{
		"header":   "POST / HTTP/1.1\r\nHost: localhost\r\n",
		"own body": "POST /_asldb/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
		"body": "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n" +
			"X-Amz-Target: AWSStepFunctions.ListStateMachines\r\nContent-Length: 100\r\n\r\n{",
	} {
		slow, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer slow.Close()
		if _, err := io.WriteString(slow, text); err != nil {
			t.Fatal(err)
		}
		if err := serve.Probe(t.Context(), "http://"+address); err != nil {
			t.Errorf("beside a slow %s: %v", name, err)
		}
		_ = slow.SetReadDeadline(time.Now().Add(10 * time.Second))
		if text, err := io.ReadAll(slow); err != nil || strings.Contains(string(text), "200 OK") {
			t.Errorf("a slow %s is answered %q: %v", name, text, err)
		}
	}
}

// TestManyConnections: those beyond the bound are refused by HTTP, and those that there are stay.
func TestManyConnections(t *testing.T) {
	o := options()
	o.Connections = 4
	address, _, _ := listen(t, o)
	var open []net.Conn
	for range 4 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		open = append(open, c)
	}
	health := func(c net.Conn) string {
		t.Helper()
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		_, _ = io.WriteString(c, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
		answer := make([]byte, 20)
		n, _ := io.ReadFull(c, answer)
		return string(answer[:n])
	}
	if got := health(open[0]); !strings.Contains(got, "200 OK") {
		t.Fatalf("the first is answered %q", got)
	}
	for range 20 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if got := health(c); !strings.Contains(got, "503") && got != "" { // it may be closed before it is read
			t.Fatalf("one too many is answered %q", got)
		}
	}
	if got := health(open[3]); !strings.Contains(got, "200 OK") {
		t.Errorf("the last is answered %q", got)
	}
	_ = open[1].Close()
	for end := time.Now().Add(10 * time.Second); serve.Probe(t.Context(), "http://"+address) != nil; {
		if time.Now().After(end) {
			t.Fatal("the place of a connection that was closed is not free")
		}
	}
}

// TestLargeBodies: a body beyond the bound is refused before it is read, however long it says that it is.
func TestLargeBodies(t *testing.T) {
	address, _, _ := listen(t, options())
	for _, size := range []int64{2<<20 + 1, 64 << 20} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address,
			io.LimitReader(zeros{}, size))
		if err != nil {
			t.Fatal(err)
		}
		request.ContentLength = size
		request.Header.Set("Content-Type", "application/x-amz-json-1.0")
		request.Header.Set("X-Amz-Target", "AWSStepFunctions.ListStateMachines")
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			continue // the connection was closed while it was sent
		}
		_ = reply.Body.Close()
		if reply.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%d bytes: %s", size, reply.Status)
		}
	}
	if err := serve.Probe(t.Context(), "http://"+address); err != nil {
		t.Error(err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestEnd: at its end a server answers the polls and the sync starts that are open, and completes the traces.
func TestEnd(t *testing.T) {
	o := options()
	o.Poll, o.TraceDir = time.Hour, t.TempDir()
	address, cancel, ended := listen(t, o)
	c := &client{T: t, Client: newClient(t, options()).Client, url: "http://" + address}
	c.Client = sfn.New(c.Client.Options(), func(o *sfn.Options) { o.BaseEndpoint = aws.String(c.url) })
	act := must[*sfn.CreateActivityOutput](c)(c.CreateActivity(t.Context(),
		&sfn.CreateActivityInput{Name: aws.String("act")})).ActivityArn
	c.start(c.create("token", token), `{}`)
	polled := make(chan error, 1)
	go func() {
		none, err := c.GetActivityTask(t.Context(), &sfn.GetActivityTaskInput{ActivityArn: act})
		if err == nil && none.TaskToken != nil {
			t.Error("a task that nothing has scheduled")
		}
		polled <- err
	}()
	time.Sleep(100 * time.Millisecond) // so that it is open
	cancel()
	if err := <-polled; err != nil {
		t.Errorf("the open poll: %v", err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	found, _ := filepath.Glob(filepath.Join(o.TraceDir, "*.trace"))
	if len(found) != 1 {
		t.Fatalf("traces: %v", found)
	}
	if text, err := os.ReadFile(found[0]); err != nil || !strings.HasSuffix(string(text), "}\n") ||
		!strings.Contains(string(text), "TaskScheduled") {
		t.Errorf("the trace of the one that waits: %v\n%s", err, text)
	}
}
