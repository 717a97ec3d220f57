package checks

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/launch"
	"asldb/internal/serve"
	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
)

// wire is a server of the API with a client of plain HTTP.
type wire struct {
	*testing.T
	url string
}

func newWire(t *testing.T, c *runs.Case) *wire {
	o := serve.Options{Home: serve.Home{Account: "111111111111", Region: "us-east-1"}, Version: "test",
		Missing: serve.MissingHolds, Log: func(string) {}, Poll: 10 * time.Millisecond,
		Spec: launch.Spec{Limits: engine.ServiceLimits(), Dialect: engine.AWS, Start: c.RecordedAt}}
	s := serve.New(o)
	web := httptest.NewServer(s)
	t.Cleanup(func() {
		s.Close()
		web.Close()
	})
	return &wire{t, web.URL}
}

// post sends a request and returns the reply with its status.
func (w *wire) post(path, target string, body *value.Object) (*value.Object, int) {
	w.Helper()
	r, err := http.NewRequestWithContext(w.Context(), http.MethodPost, w.url+path,
		bytes.NewReader(value.Append(nil, body)))
	if err != nil {
		w.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	if target != "" {
		r.Header.Set("X-Amz-Target", "AWSStepFunctions."+target)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		w.Fatal(err)
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil {
		w.Fatal(err)
	}
	v, _ := value.Parse(data, value.Limits{})
	object, _ := v.(*value.Object)
	return object, reply.StatusCode
}

// do calls an operation that is to succeed.
func (w *wire) do(operation string, members ...value.Member) *value.Object {
	w.Helper()
	reply, status := w.post("/", operation, value.ObjectOf(members...))
	if status != http.StatusOK {
		w.Fatalf("%s: %d %s", operation, status, value.Compact(reply))
	}
	return reply
}

// overTheWire reports whether a client can give the recorded results of a case: each as its task asks,
// in the order of its state's attempts.
func overTheWire(c *runs.Case) bool {
	if c.Kind != "execution" || c.Object.Get("s3Objects") != nil || c.Object.Get("type") != nil || c.Has("activity") {
		return false
	}
	results := resultsOf(c)
	for _, list := range results.All() {
		for _, attempt := range list.(*value.Array).All() {
			of := attempt.(*value.Object)
			for _, member := range []string{"iterations", "timedOut", "aborted", "submitted"} {
				if of.Get(member) != nil {
					return false
				}
			}
		}
	}
	return c.Expect.Get("status") != value.String("ABORTED")
}

// resultsOf are the attempts of each Task state, in their order.
func resultsOf(c *runs.Case) *value.Object {
	if results, ok := c.Object.Get("taskResults").(*value.Object); ok {
		return results
	}
	return value.ObjectOf()
}

// run starts a case and answers its tasks until it has ended. It returns DescribeExecution's reply and the history.
func (w *wire) run(c *runs.Case) (*value.Object, []history.Event) {
	machine := w.do("CreateStateMachine", value.Text("name", "StateMachine0"),
		value.Text("definition", string(c.Definition)), value.Text("roleArn", "arn:aws:iam::111111111111:role/r"))
	input := c.Input
	if input == nil {
		input = value.ObjectOf()
	}
	started := w.do("StartExecution", value.Text("name", "Execution0"), value.Text("input", value.Compact(input)),
		value.Text("stateMachineArn", machine.Text("stateMachineArn")))
	arn := value.Text("executionArn", started.Text("executionArn"))
	results := resultsOf(c)
	next := map[string]int{}
	for range 2000 {
		d := w.do("DescribeExecution", arn)
		if d.Text("status") != "RUNNING" {
			return d, w.history(c, arn)
		}
		for state, list := range results.All() {
			attempts := list.(*value.Array)
			if next[state] == attempts.Len() {
				continue
			}
			attempt := attempts.At(next[state]).(*value.Object)
			answer := value.ObjectOf(value.Text("state", state), value.M("output", attempt.Get("output")))
			if attempt.Get("output") == nil {
				answer = value.ObjectOf(value.Text("state", state), value.Text("error", attempt.Text("error")),
					value.Text("cause", attempt.Text("cause")))
			}
			path := "/_asldb/executions/" + url.PathEscape(started.Text("executionArn")) + "/answer"
			if _, status := w.post(path, "", answer); status == http.StatusOK {
				next[state]++
			}
		}
		time.Sleep(time.Millisecond)
	}
	w.Fatalf("%s: no end", c.Name)
	return nil, nil
}

// history returns the events of an execution, page by page.
func (w *wire) history(c *runs.Case, arn value.Member) []history.Event {
	var events []value.Value
	token := ""
	for more := true; more; more = token != "" {
		members := []value.Member{arn, value.M("includeExecutionData", value.Bool(true))}
		if token != "" {
			members = append(members, value.Text("nextToken", token))
		}
		page := w.do("GetExecutionHistory", members...)
		list, _ := page.Get("events").(*value.Array)
		for _, event := range list.All() {
			events = append(events, event)
		}
		token = page.Text("nextToken")
	}
	document := value.ObjectOf(value.M("events", value.NewArray(events)))
	executions, err := history.Read(history.File{Name: c.Name, Data: value.Append(nil, document)})
	if err != nil {
		w.Fatalf("%s: %v", c.Name, err)
	}
	return executions[0].Events
}

// otherNames are the cases whose recorded data have words in place of values that the server makes: role and times
// of the context object, and the headers of a service's reply.
func otherNames() []string {
	return []string{"assign_base.base_cases.BASE_PATHS", "base.query_context_object_values",
		"context_object.input_path.x58859d", "outputdecl.output.base_cases.BASE_EXPR",
		"services.sfn_task_service.start_execution_input_json"}
}

// TestAgreesOverTheWire: a client that creates, starts and describes the recorded executions, and answers their tasks,
// sees the statuses, outputs, errors and histories of AWS, where the engine has them.
func TestAgreesOverTheWire(t *testing.T) {
	compared, histories := 0, 0
	for _, c := range runs.LoadAWS(t) {
		if !overTheWire(c) {
			continue
		}
		definition, _ := asl.Parse(&source.File{Name: c.Name, Data: c.Definition})
		if definition == nil {
			continue // the service refuses it: internal/project compares the replies
		}
		known := map[string]bool{}
		for _, v := range examineExecution(c) {
			known[v.aspect] = v.difference != ""
		}
		if known[result] || slices.Contains(otherNames(), c.Name) {
			continue
		}
		compared++
		t.Run(c.Name, func(t *testing.T) {
			if agreesOverTheWire(t, c, !known[recording]) {
				histories++
			}
		})
	}
	t.Logf("%d executions, %d histories", compared, histories)
}

// agreesOverTheWire compares a case, and its history where that is to agree; it reports whether the case has one.
func agreesOverTheWire(t *testing.T, c *runs.Case, all bool) bool {
	d, events := newWire(t, c).run(c)
	if got := d.Text("status"); got != c.Expect.Text("status") {
		t.Fatalf("status %s, recorded %s", got, c.Expect.Text("status"))
	}
	if want := c.Expect.Get("output"); want != nil {
		got, err := value.Parse([]byte(d.Text("output")), value.Limits{})
		if err != nil || !c.Same("/expect/output", want, got) {
			t.Errorf("output %s, recorded %s", d.Text("output"), value.Preview(want, 300))
		}
	}
	if want := c.Expect.Text("error"); want != "" && d.Text("error") != want {
		t.Errorf("error %s, recorded %s", d.Text("error"), want)
	}
	recorded := recordedHistory(c)
	if recorded == nil || !all {
		return false
	}
	if d := history.Compare(recorded, events, sameAs(c, recorded)); d != nil {
		t.Errorf("history: %v", d)
	}
	return true
}
