package attach_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/attach"
	"asldb/internal/launch"
	"asldb/internal/serve"
)

const order = `{"StartAt":"Prepare","States":{
	"Prepare":{"Type":"Pass","Result":5,"ResultPath":"$.amount","Next":"Charge"},
	"Charge":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"f"},
		"ResultPath":"$.paid","Next":"Ship"},
	"Ship":{"Type":"Pass","Result":"by post","ResultPath":"$.ship","End":true}}}`

// fixture is a server with a debugger's connection to it.
type fixture struct {
	*testing.T
	url    string
	server *attach.Server
}

func newFixture(t *testing.T, breakpoints ...string) *fixture {
	t.Helper()
	s := serve.New(serve.Options{Home: serve.Home{Account: "123456789012", Region: "us-east-1"}, Version: "test",
		Spec: launch.Spec{Limits: engine.ServiceLimits()}, Missing: serve.MissingHolds, Breakpoints: breakpoints,
		Log: func(line string) { t.Log(line) }})
	web := httptest.NewServer(s)
	t.Cleanup(func() {
		s.Close()
		web.Close()
	})
	server, err := attach.Connect(t.Context(), web.URL)
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{t, web.URL, server}
}

// call is an operation of the API.
func (f *fixture) call(operation string, in map[string]any) *value.Object {
	f.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		f.Fatal(err)
	}
	request, err := http.NewRequestWithContext(f.Context(), http.MethodPost, f.url, strings.NewReader(string(body)))
	if err != nil {
		f.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", "AWSStepFunctions."+operation)
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		f.Fatal(err)
	}
	defer reply.Body.Close()
	text, _ := io.ReadAll(reply.Body)
	v, err := value.Parse(text, value.Limits{})
	object, _ := v.(*value.Object)
	if err != nil || reply.StatusCode != http.StatusOK {
		f.Fatalf("%s: %s", operation, text)
	}
	return object
}

// start starts an execution of the order.
func (f *fixture) start(name string) (arn string) {
	f.Helper()
	machine := f.call("CreateStateMachine", map[string]any{"name": "order", "definition": order,
		"roleArn": "arn:aws:iam::123456789012:role/r"}).Text("stateMachineArn")
	return f.call("StartExecution", map[string]any{"stateMachineArn": machine, "name": name,
		"input": `{"id":1}`}).Text("executionArn")
}

func (f *fixture) open(arn string) (*attach.Execution, *debug.Session) {
	f.Helper()
	x, err := f.server.Open(f.Context(), arn, launch.Spec{BreakUncaught: true})
	f.Cleanup(func() { _ = x.Close() }) // once more does no harm
	if err != nil {
		f.Fatal(err)
	}
	return x, x.Run().Session
}

func (f *fixture) do(s *debug.Session, kind debug.CommandKind) debug.Stop {
	f.Helper()
	stop, err := s.Do(debug.Command{Kind: kind})
	if err != nil || stop.Err != nil {
		f.Fatal(err, stop.Err)
	}
	return stop
}

func state(s *debug.Session) string {
	if last := s.Log().At(s.Position() - 1); last.Visit != nil {
		return last.Visit.State.Name + " " + last.StageName()
	}
	return ""
}

// TestAttach: an execution that a breakpoint holds is stepped, answered and changed from another program, its client
// sees RUNNING until it is over; what is done at an earlier event is this session's alone.
func TestAttach(t *testing.T) {
	f := newFixture(t, "Charge")
	arn := f.start("one")
	if found, err := f.server.Find(t.Context(), "one"); err != nil || found != arn {
		t.Fatalf("%s: %v", found, err)
	}
	if found, err := f.server.Held(t.Context()); err != nil || found != arn {
		t.Fatalf("%s: %v", found, err)
	}
	x, s := f.open(arn)
	if got := state(s); !strings.HasPrefix(got, "Charge") || s.ReadOnly() || !s.AtEnd() {
		t.Fatalf("it is in %q, read-only %t", got, s.ReadOnly())
	}

	// back in time, and a what-if there: the execution stays as it is
	if stop, err := s.Back(debug.Command{Kind: debug.StepState}); err != nil ||
		!strings.HasPrefix(state(s), "Prepare") {
		t.Fatal(stop, err, state(s))
	}
	changed := value.Must(`{"id":2}`)
	if err := s.Interventions().Edit(s.Focused(), changed); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Forks().All()); n != 2 {
		t.Fatalf("%d forks", n)
	}
	stop := f.do(s, debug.Continue)
	if stop.Reason != debug.StoppedForAnswer || len(s.Requests()) != 1 {
		t.Fatalf("the what-if stops by %d", stop.Reason)
	}
	if err := s.Interventions().Answer(s.Requests()[0].ID, engine.Outcome{Output: value.Bool(false)}); err != nil {
		t.Fatal(err)
	}
	f.do(s, debug.Continue)
	if got, want := value.Compact(s.Output()), `{"id":2,"amount":5,"paid":false,"ship":"by post"}`; got != want {
		t.Errorf("the what-if gives %s, not %s", got, want)
	}
	if got := f.call("DescribeExecution", map[string]any{"executionArn": arn}).Text("status"); got != "RUNNING" {
		t.Fatalf("the execution is %s", got)
	}

	// the execution itself: the server steps, and takes the answer
	if err := s.Forks().Switch(1); err != nil {
		t.Fatal(err)
	}
	if !s.AtEnd() {
		s.GoTo(s.Log().Len())
	}
	for range 4 {
		if stop = f.do(s, debug.StepStage); stop.Reason == debug.StoppedForAnswer {
			break
		}
	}
	if stop.Reason != debug.StoppedForAnswer {
		t.Fatalf("it stops by %d in %s", stop.Reason, state(s))
	}
	if err := s.Interventions().Answer(s.Requests()[0].ID, engine.Outcome{Output: value.Bool(true)}); err != nil {
		t.Fatal(err)
	}
	f.do(s, debug.StepState)
	if got := state(s); !strings.HasPrefix(got, "Ship") {
		t.Fatalf("after the answer it is in %s", got)
	}
	if got := f.call("DescribeExecution", map[string]any{"executionArn": arn}).Text("status"); got != "RUNNING" {
		t.Errorf("held in Ship it is %s", got)
	}
	if err := x.Close(); err != nil { // the debugger leaves
		t.Fatal(err)
	}
	f.ends(arn, `{"id":1,"amount":5,"paid":true,"ship":"by post"}`)
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Error(err)
	}
	list, _, err := attach.List{Server: f.server}.Next(t.Context())
	if err != nil || len(list) != 1 || list[0].Name != "order:one" || list[0].Status != "SUCCEEDED" {
		t.Errorf("%+v: %v", list, err)
	}
}

// ends checks that the execution succeeds.
func (f *fixture) ends(arn, output string) {
	f.Helper()
	for range 500 {
		d := f.call("DescribeExecution", map[string]any{"executionArn": arn})
		if d.Text("status") == "RUNNING" {
			continue
		}
		if got := d.Text("output"); got != output {
			f.Errorf("the execution is %s with %s, not %s", d.Text("status"), got, output)
		}
		return
	}
	f.Error("the execution still runs")
}

// TestInputs: an edit and an injected error at the newest event are the execution's own, and an answer to one that no
// debugger has stepped holds it.
func TestInputs(t *testing.T) {
	f := newFixture(t, "Ship")
	arn := f.start("one")
	x, s := f.open(arn)
	if s.Status() != engine.AwaitingAnswer {
		t.Fatalf("it is %s", s.Status())
	}
	if err := s.Interventions().Answer(s.Requests()[0].ID, engine.Outcome{Output: value.Int(1)}); err != nil {
		t.Fatal(err)
	}
	if stop := f.do(s, debug.StepState); !strings.HasPrefix(state(s), "Ship") {
		t.Fatalf("it is in %s by %d", state(s), stop.Reason)
	}
	if err := s.Interventions().Edit(s.Focused(), value.Must(`{"id":7}`)); err != nil {
		t.Fatal(err)
	}
	if len(s.Forks().All()) != 1 {
		t.Error("an edit at the newest event has made a what-if")
	}
	if err := s.Interventions().Answer(99, engine.Outcome{}); err == nil {
		t.Error("a task that there is not was answered")
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	f.ends(arn, `{"id":7,"ship":"by post"}`)

	arn = f.start("two")
	x, s = f.open(arn)
	s.Interventions().Abort("By.Hand", "enough")
	if s.Status() != engine.Aborted {
		t.Errorf("it is %s", s.Status())
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if d := f.call("DescribeExecution", map[string]any{"executionArn": arn}); d.Text("status") != "ABORTED" ||
		d.Text("error") != "By.Hand" {
		t.Errorf("%s", value.Compact(d))
	}
}

// TestBreakpoints: those that a debugger sets hold the executions that come.
func TestBreakpoints(t *testing.T) {
	f := newFixture(t)
	if err := f.server.Break(t.Context(), []string{"order#Prepare"}); err != nil {
		t.Fatal(err)
	}
	arn := f.start("one")
	_, s := f.open(arn)
	if got := state(s); !strings.HasPrefix(got, "Prepare") {
		t.Fatalf("it is in %s", got)
	}
	if _, err := s.Breakpoints().Add("Ship"); err != nil {
		t.Fatal(err)
	}
	if stop := f.do(s, debug.Continue); stop.Reason != debug.StoppedForAnswer {
		t.Fatalf("it stops by %d", stop.Reason)
	}
	if err := s.Interventions().Answer(s.Requests()[0].ID, engine.Outcome{Error: "Card.Declined"}); err != nil {
		t.Fatal(err)
	}
	if stop := f.do(s, debug.Continue); stop.Reason != debug.StoppedByBreakpoint || !stop.Breakpoint.Standing {
		t.Fatalf("the error that is not caught stops it by %d", stop.Reason)
	}
	list, _, err := attach.List{Server: f.server}.Next(t.Context())
	if err != nil || len(list) != 1 || list[0].At != "held at Charge" {
		t.Errorf("%+v: %v", list, err)
	}
}

// TestConnect: only servers of this machine are asked.
func TestConnect(t *testing.T) {
	for _, address := range []string{"http://192.0.2.1:8083", "https://127.0.0.1:8083", "nonsense", "http://a b:1"} {
		if _, err := attach.Connect(t.Context(), address); err == nil {
			t.Errorf("%s is taken", address)
		}
	}
	dead := httptest.NewServer(http.NotFoundHandler())
	if _, err := attach.Connect(t.Context(), dead.URL); err == nil {
		t.Error("a server that is another program is taken")
	}
	dead.Close()
	if _, err := attach.Connect(t.Context(), dead.URL); err == nil || !strings.Contains(err.Error(), "no asldb serve") {
		t.Errorf("%v", err)
	}
	f := newFixture(t)
	if _, err := f.server.Find(t.Context(), "none"); err == nil {
		t.Error("an execution that there is not is found")
	}
	if arn, err := f.server.Held(t.Context()); err != nil || arn != "" {
		t.Errorf("%s is held: %v", arn, err)
	}
	if x, err := f.server.Open(t.Context(), "arn:none", launch.Spec{}); err == nil {
		t.Error("an execution that there is not is opened")
	} else if err := x.Close(); err != nil {
		t.Error(err)
	}
}
