package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"asldb/engine"
	"asldb/internal/launch"
	"asldb/internal/serve"
)

const role = "arn:aws:iam::123456789012:role/check"

// options are the options of the servers of tests.
func options() serve.Options {
	return serve.Options{Home: serve.Home{Account: "123456789012", Region: "us-east-1"}, Version: "test",
		Spec: launch.Spec{Limits: engine.ServiceLimits()},
		Poll: 300 * time.Millisecond}
}

// client is a server with a client of the SDK.
type client struct {
	*testing.T
	*sfn.Client
	server *serve.Server
	url    string
}

func newClient(t *testing.T, o serve.Options) *client {
	t.Helper()
	if o.Log == nil {
		o.Log = func(line string) { t.Log(line) }
	}
	s := serve.New(o)
	web := httptest.NewServer(s)
	t.Cleanup(func() {
		s.Close()
		web.Close()
	})
	c := sfn.New(sfn.Options{Region: "us-east-1", BaseEndpoint: aws.String(web.URL),
		Credentials: credentials.NewStaticCredentialsProvider("k", "s", ""), RetryMaxAttempts: 1,
		APIOptions: []func(*middleware.Stack) error{func(stack *middleware.Stack) error {
			return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("plain",
				func(ctx context.Context, in middleware.InitializeInput,
					next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
					return next.HandleInitialize(smithyhttp.DisableEndpointHostPrefix(ctx, true), in)
				}), middleware.Before)
		}}})
	return &client{t, c, s, web.URL}
}

// must returns the output of an operation that is to succeed.
func must[Out any](t *client) func(Out, error) Out {
	return func(out Out, err error) Out {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
}

// fails checks the name and the message of an error; an empty message is any.
func (c *client) fails(err error, name, message string) {
	c.Helper()
	var api smithy.APIError
	switch {
	case err == nil:
		c.Errorf("no %s", name)
	case !errors.As(err, &api):
		c.Errorf("%v in place of %s", err, name)
	case api.ErrorCode() != name || message != "" && api.ErrorMessage() != message:
		c.Errorf("%s: %s\n in place of %s: %s", api.ErrorCode(), api.ErrorMessage(), name, message)
	}
}

func (c *client) create(name, definition string) string {
	c.Helper()
	return *must[*sfn.CreateStateMachineOutput](c)(c.CreateStateMachine(c.Context(),
		&sfn.CreateStateMachineInput{Name: &name, Definition: &definition, RoleArn: aws.String(role)})).StateMachineArn
}

func (c *client) express(name, definition string) string {
	c.Helper()
	return *must[*sfn.CreateStateMachineOutput](c)(c.CreateStateMachine(c.Context(),
		&sfn.CreateStateMachineInput{Name: &name, Definition: &definition, RoleArn: aws.String(role),
			Type: types.StateMachineTypeExpress})).StateMachineArn
}

func (c *client) start(machine, input string) string {
	c.Helper()
	return *must[*sfn.StartExecutionOutput](c)(c.StartExecution(c.Context(),
		&sfn.StartExecutionInput{StateMachineArn: &machine, Input: &input})).ExecutionArn
}

func (c *client) describe(execution string) *sfn.DescribeExecutionOutput {
	c.Helper()
	return must[*sfn.DescribeExecutionOutput](c)(c.DescribeExecution(c.Context(),
		&sfn.DescribeExecutionInput{ExecutionArn: &execution}))
}

// end waits for the end of an execution.
func (c *client) end(execution string) *sfn.DescribeExecutionOutput {
	c.Helper()
	for range 500 {
		if d := c.describe(execution); d.Status != types.ExecutionStatusRunning {
			return d
		}
		time.Sleep(10 * time.Millisecond)
	}
	c.Fatalf("%s still runs", execution)
	return nil
}

// history returns the types of the events of an execution.
func (c *client) history(execution string) (list []types.HistoryEvent) {
	c.Helper()
	return must[*sfn.GetExecutionHistoryOutput](c)(c.GetExecutionHistory(c.Context(),
		&sfn.GetExecutionHistoryInput{ExecutionArn: &execution})).Events
}

func kinds(events []types.HistoryEvent) string {
	var list []string
	for _, e := range events {
		list = append(list, string(e.Type))
	}
	return strings.Join(list, " ")
}

// own asks /_asldb.
func (c *client) own(method, path, body string, into any) int {
	c.Helper()
	request, err := http.NewRequestWithContext(c.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.Fatal(err)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		c.Fatal(err)
	}
	defer reply.Body.Close()
	if into != nil {
		if err := json.NewDecoder(reply.Body).Decode(into); err != nil {
			c.Fatal(err)
		}
	}
	return reply.StatusCode
}

const (
	pass  = `{"StartAt":"P","States":{"P":{"Type":"Pass","Result":{"a":1},"End":true}}}`
	day   = `{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":86400,"Next":"E"},"E":{"Type":"Pass","End":true}}}`
	bad   = `{"StartAt":"F","States":{"F":{"Type":"Fail","Error":"Order.Rejected","Cause":"no stock"}}}`
	token = `{"StartAt":"Ask","States":{"Ask":{"Type":"Task",
		"Resource":"arn:aws:states:::sqs:sendMessage.waitForTaskToken",
		"Parameters":{"QueueUrl":"https://sqs.us-east-1.amazonaws.com/123456789012/q",
		"MessageBody":{"token.$":"$$.Task.Token"}},"End":true}}}`
)

func TestExecutions(t *testing.T) {
	c := newClient(t, options())
	d := c.end(c.start(c.create("pass", pass), `{"x": 1}`))
	if d.Status != "SUCCEEDED" || *d.Output != `{"a":1}` || *d.Input != `{"x": 1}` || d.StopDate.Before(*d.StartDate) {
		t.Errorf("%+v", d)
	}
	d = c.end(c.start(c.create("day", day), `{}`))
	if d.Status != "SUCCEEDED" || d.StopDate.Sub(*d.StartDate) < 24*time.Hour {
		t.Errorf("%+v", d)
	}
	d = c.end(c.start(c.create("bad", bad), `{}`))
	if d.Status != "FAILED" || *d.Error != "Order.Rejected" || *d.Cause != "no stock" ||
		d.RedriveStatus != "REDRIVABLE" {
		t.Errorf("%+v", d)
	}
	if got := kinds(c.history(*d.ExecutionArn)); got != "ExecutionStarted FailStateEntered ExecutionFailed" {
		t.Error(got)
	}
}
