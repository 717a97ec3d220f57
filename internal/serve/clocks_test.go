package serve_test

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"

	"asldb/engine/debug"
	"asldb/internal/serve"
)

// TestClocks: by hand time moves on request alone, and paced it passes many times as fast.
func TestClocks(t *testing.T) {
	o := options()
	o.Clock = debug.Clock{Mode: debug.ClockByHand}
	c := newClient(t, o)
	execution := c.start(c.create("day", day), `{}`)
	if d := c.describe(execution); d.Status != types.ExecutionStatusRunning {
		t.Fatalf("by hand it is %s at once", d.Status)
	}
	if status := c.own("POST", "/_asldb/clock", `{"advance": "1h"}`, nil); status != 200 {
		t.Fatal(status)
	}
	if d := c.describe(execution); d.Status != types.ExecutionStatusRunning {
		t.Errorf("after an hour of a day it is %s", d.Status)
	}
	one := `{"advance": "24h", "executionArn": "` + execution + `"}`
	if status := c.own("POST", "/_asldb/clock", one, nil); status != 200 {
		t.Fatal(status)
	}
	d := c.end(execution)
	if took := d.StopDate.Sub(*d.StartDate); d.Status != types.ExecutionStatusSucceeded || took != 24*time.Hour {
		t.Errorf("%s after %s", d.Status, took)
	}
	if status := c.own("POST", "/_asldb/clock", `{"advance": "soon"}`, nil); status != 400 {
		t.Errorf("soon is a duration: %d", status)
	}

	o.Clock = debug.Clock{Mode: debug.ClockPaced, Factor: 1e6}
	c = newClient(t, o)
	if d := c.end(c.start(c.create("day", day), `{}`)); d.Status != types.ExecutionStatusSucceeded {
		t.Errorf("paced it is %s", d.Status)
	}
}

// TestKeep: of ended executions the newest are kept, and those that run always.
func TestKeep(t *testing.T) {
	o := options()
	o.Keep = 2
	c := newClient(t, o)
	machine := c.create("pass", pass)
	waiting := c.start(c.create("token", token), `{}`)
	var all []string
	for range 4 {
		execution := c.start(machine, `{}`)
		c.end(execution)
		all = append(all, execution)
	}
	_, err := c.DescribeExecution(t.Context(), &sfn.DescribeExecutionInput{ExecutionArn: &all[0]})
	c.fails(err, "ExecutionDoesNotExist", "Execution Does Not Exist: '"+all[0]+"'")
	if d := c.describe(all[3]); d.Status != types.ExecutionStatusSucceeded {
		t.Errorf("the newest is %s", d.Status)
	}
	if d := c.describe(waiting); d.Status != types.ExecutionStatusRunning {
		t.Errorf("the one that waits is %s", d.Status)
	}
}

// TestServerEnds: it answers its probe, its log names an execution that failed with the cause, and it ends with its
// context.
func TestServerEnds(t *testing.T) {
	var mu sync.Mutex
	var log strings.Builder
	o := options()
	o.Log = func(line string) {
		mu.Lock()
		defer mu.Unlock()
		log.WriteString(line + "\n")
	}
	s := serve.New(o)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	url := "http://" + listener.Addr().String()
	if err := serve.Probe(t.Context(), url); err != nil {
		t.Error(err)
	}
	plain := newClient(t, o) // another server with the same log
	if d := plain.end(plain.start(plain.create("bad", bad), `{}`)); d.Status != types.ExecutionStatusFailed {
		t.Errorf("%+v", d)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := serve.Probe(t.Context(), url); err == nil {
		t.Error("a server that has ended answers")
	}
	mu.Lock()
	defer mu.Unlock()
	if said := log.String(); !strings.Contains(said, "Order.Rejected") || !strings.Contains(said, "FAILED") {
		t.Errorf("the log is %q", said)
	}
}

// TestOfAnExecution: the definition that an execution has, its history without data, and the tags of a machine.
func TestOfAnExecution(t *testing.T) {
	c := newClient(t, options())
	machine := c.create("pass", pass)
	execution := c.start(machine, `{"secret": 1}`)
	c.end(execution)
	changed := strings.Replace(pass, `{"a":1}`, `{"a":2}`, 1)
	must[*sfn.UpdateStateMachineOutput](c)(c.UpdateStateMachine(t.Context(),
		&sfn.UpdateStateMachineInput{StateMachineArn: &machine, Definition: &changed}))
	d := must[*sfn.DescribeStateMachineForExecutionOutput](c)(c.DescribeStateMachineForExecution(t.Context(),
		&sfn.DescribeStateMachineForExecutionInput{ExecutionArn: &execution}))
	if *d.Definition != pass || *d.StateMachineArn != machine {
		t.Errorf("%+v", d)
	}
	now := must[*sfn.DescribeStateMachineOutput](c)(c.DescribeStateMachine(t.Context(),
		&sfn.DescribeStateMachineInput{StateMachineArn: &machine}))
	if *now.Definition != changed || aws.ToString(now.RevisionId) == "" {
		t.Errorf("%+v", now)
	}
	without := must[*sfn.GetExecutionHistoryOutput](c)(c.GetExecutionHistory(t.Context(), &sfn.GetExecutionHistoryInput{
		ExecutionArn: &execution, IncludeExecutionData: aws.Bool(false), ReverseOrder: true,
	})).Events
	if without[0].Type != types.HistoryEventTypeExecutionSucceeded ||
		without[len(without)-1].ExecutionStartedEventDetails.Input != nil {
		t.Errorf("%+v", without)
	}

	tags := []types.Tag{{Key: aws.String("team"), Value: aws.String("orders")}}
	must[*sfn.TagResourceOutput](c)(c.TagResource(t.Context(),
		&sfn.TagResourceInput{ResourceArn: &machine, Tags: tags}))
	list := func() []types.Tag {
		return must[*sfn.ListTagsForResourceOutput](c)(c.ListTagsForResource(t.Context(),
			&sfn.ListTagsForResourceInput{ResourceArn: &machine})).Tags
	}
	if got := list(); len(got) != 1 || *got[0].Value != "orders" {
		t.Errorf("%+v", got)
	}
	must[*sfn.UntagResourceOutput](c)(c.UntagResource(t.Context(),
		&sfn.UntagResourceInput{ResourceArn: &machine, TagKeys: []string{"team"}}))
	if got := list(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	_, err := c.ListTagsForResource(t.Context(), &sfn.ListTagsForResourceInput{ResourceArn: aws.String(machine + "x")})
	c.fails(err, "ResourceNotFound", "Resource not found: '"+machine+"x'")

	v := must[*sfn.ValidateStateMachineDefinitionOutput](c)(c.ValidateStateMachineDefinition(t.Context(),
		&sfn.ValidateStateMachineDefinitionInput{Definition: aws.String(strings.Replace(pass, `"P":{`, `"Q":{`, 1))}))
	if v.Result != types.ValidateStateMachineDefinitionResultCodeFail || len(v.Diagnostics) == 0 {
		t.Errorf("%+v", v)
	}
}
