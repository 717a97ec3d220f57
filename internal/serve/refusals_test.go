package serve_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"

	"asldb/internal/serve"
)

// TestConstraints: the words are the service's, as they were recorded.
func TestConstraints(t *testing.T) {
	c := newClient(t, options())
	machine := c.create("pass", pass)
	_, err := c.ListExecutions(t.Context(), &sfn.ListExecutionsInput{StateMachineArn: &machine, MaxResults: 2000})
	c.fails(err, "ValidationException", "1 validation error detected: Value '2000' at 'maxResults' failed to satisfy "+
		"constraint: Member must have value less than or equal to 1000")
	_, err = c.ListExecutions(t.Context(), &sfn.ListExecutionsInput{StateMachineArn: &machine, StatusFilter: "GONE"})
	c.fails(err, "ValidationException", "1 validation error detected: Value 'GONE' at 'statusFilter' failed to "+
		"satisfy constraint: Member must satisfy enum value set: [SUCCEEDED, TIMED_OUT, PENDING_REDRIVE, ABORTED, "+
		"FAILED, RUNNING]")
	long := strings.Repeat("n", 81)
	_, err = c.StartExecution(t.Context(), &sfn.StartExecutionInput{StateMachineArn: &machine, Name: &long})
	c.fails(err, "ValidationException", "1 validation error detected: Value '"+long+"' at 'name' failed to satisfy "+
		"constraint: Member must have length less than or equal to 80")
	_, err = c.StartExecution(t.Context(), &sfn.StartExecutionInput{StateMachineArn: &machine, Name: aws.String("a b")})
	c.fails(err, "InvalidName", "Invalid Name: 'a b'")
	_, err = c.StartExecution(t.Context(), &sfn.StartExecutionInput{
		StateMachineArn: &machine, Input: aws.String("not"),
	})
	c.fails(err, "InvalidExecutionInput", "Invalid State Machine Execution Input: 'Unrecognized token 'not': was "+
		"expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')'")
	_, err = c.DescribeExecution(t.Context(), &sfn.DescribeExecutionInput{ExecutionArn: aws.String("not-an-arn")})
	c.fails(err, "InvalidArn", "Invalid Arn: 'Invalid ARN prefix: not-an-arn'")
	_, err = c.SendTaskSuccess(t.Context(), &sfn.SendTaskSuccessInput{
		TaskToken: aws.String("t"), Output: aws.String("{}"),
	})
	c.fails(err, "InvalidToken", "Invalid Token: 'Invalid token'")
}

// TestPages: each list comes in pages, whose token is for the same arguments alone.
func TestPages(t *testing.T) {
	c := newClient(t, options())
	machine := c.create("pass", pass)
	want := make(map[string]bool)
	for range 5 {
		execution := c.start(machine, `{}`)
		c.end(execution)
		want[execution] = true
	}
	in := &sfn.ListExecutionsInput{StateMachineArn: &machine, MaxResults: 2}
	pages := 0
	for {
		out := must[*sfn.ListExecutionsOutput](c)(c.ListExecutions(t.Context(), in))
		pages++
		for _, e := range out.Executions {
			if !want[*e.ExecutionArn] {
				t.Errorf("%s is listed twice", *e.ExecutionArn)
			}
			delete(want, *e.ExecutionArn)
		}
		if in.NextToken = out.NextToken; in.NextToken == nil {
			break
		}
		if pages == 1 {
			other := *in
			other.StatusFilter = types.ExecutionStatusFailed
			_, err := c.ListExecutions(t.Context(), &other)
			c.fails(err, "InvalidToken", "Invalid Token: 'Invalid token'")
		}
	}
	if pages != 3 || len(want) > 0 {
		t.Errorf("%d pages, and without %v", pages, want)
	}
	machines := must[*sfn.ListStateMachinesOutput](c)(c.ListStateMachines(t.Context(),
		&sfn.ListStateMachinesInput{MaxResults: 1}))
	if len(machines.StateMachines) != 1 || *machines.StateMachines[0].Name != "pass" {
		t.Errorf("%+v", machines)
	}
}

// TestHeldAnswers: a task without a result waits for /_asldb, in a region of another partition.
func TestHeldAnswers(t *testing.T) {
	o := options()
	o.Home.Region, o.Missing = "cn-north-1", serve.MissingHolds
	c := newClient(t, o)
	machine := c.create("ask", `{"StartAt":"T","States":{"T":{"Type":"Task",
		"Resource":"arn:aws-cn:states:::lambda:invoke","Parameters":{"FunctionName":"f"},"End":true}}}`)
	if !strings.HasPrefix(machine, "arn:aws-cn:states:cn-north-1:") {
		t.Errorf("the machine is %s", machine)
	}
	execution := c.start(machine, `{}`)
	answer := "/_asldb/executions/" + strings.ReplaceAll(execution, ":", "%3A") + "/answer"
	if status := c.own("POST", answer, `{"state": "None", "output": {}}`, nil); status != 400 {
		t.Errorf("a task that does not wait is answered: %d", status)
	}
	if status := c.own("POST", answer, `{"error": "Lambda.Unknown", "cause": "gone"}`, nil); status != 200 {
		t.Fatal(status)
	}
	if d := c.end(execution); d.Status != types.ExecutionStatusFailed || aws.ToString(d.Error) != "Lambda.Unknown" {
		t.Errorf("%+v", d)
	}
}
