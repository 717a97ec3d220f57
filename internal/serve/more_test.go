package serve_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"

	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/serve"
	"asldb/internal/serve/cases"
	"asldb/internal/testkit"
	"asldb/internal/why"
)

// tokenOf waits for the newest task token of an execution.
func (c *client) tokenOf(execution string) *string {
	c.Helper()
	for range 200 {
		for _, e := range c.history(execution) {
			if e.TaskScheduledEventDetails == nil {
				continue
			}
			var parameters struct{ MessageBody struct{ Token string } }
			if err := json.Unmarshal([]byte(*e.TaskScheduledEventDetails.Parameters), &parameters); err != nil {
				c.Fatal(err)
			}
			return &parameters.MessageBody.Token
		}
		time.Sleep(10 * time.Millisecond)
	}
	c.Fatal("no token")
	return nil
}

func TestTokens(t *testing.T) {
	c := newClient(t, options())
	run := c.start(c.create("token", token), `{}`)
	if d := c.describe(run); d.Status != "RUNNING" ||
		*d.RedriveStatusReason != "Execution is RUNNING and cannot be redriven" {
		t.Errorf("%+v", d)
	}
	k := c.tokenOf(run)
	_, err := c.SendTaskSuccess(t.Context(), &sfn.SendTaskSuccessInput{TaskToken: k, Output: aws.String("no json")})
	c.fails(err, "InvalidOutput", "")
	must[*sfn.SendTaskHeartbeatOutput](c)(c.SendTaskHeartbeat(t.Context(), &sfn.SendTaskHeartbeatInput{TaskToken: k}))
	must[*sfn.SendTaskSuccessOutput](c)(c.SendTaskSuccess(t.Context(),
		&sfn.SendTaskSuccessInput{TaskToken: k, Output: aws.String(`{"yes":true}`)}))
	if d := c.end(run); *d.Output != `{"yes":true}` {
		t.Errorf("%+v", d)
	}
	_, err = c.SendTaskSuccess(t.Context(), &sfn.SendTaskSuccessInput{TaskToken: k, Output: aws.String(`1`)})
	c.fails(err, "TaskTimedOut", "Task Timed Out: 'Provided task does not exist anymore'")
	_, err = c.SendTaskFailure(t.Context(), &sfn.SendTaskFailureInput{TaskToken: aws.String("bogus")})
	c.fails(err, "InvalidToken", "Invalid Token: 'Invalid token'")
}

func TestRedrive(t *testing.T) {
	c := newClient(t, options())
	run := c.start(c.create("token", token), `{}`)
	must[*sfn.SendTaskFailureOutput](c)(c.SendTaskFailure(t.Context(),
		&sfn.SendTaskFailureInput{TaskToken: c.tokenOf(run), Error: aws.String("E")}))
	c.end(run)
	in := &sfn.RedriveExecutionInput{ExecutionArn: &run, ClientToken: aws.String("c")}
	one, two := must[*sfn.RedriveExecutionOutput](c)(c.RedriveExecution(t.Context(), in)),
		must[*sfn.RedriveExecutionOutput](c)(c.RedriveExecution(t.Context(), in))
	if !one.RedriveDate.Equal(*two.RedriveDate) {
		t.Error("the same client token gives another date")
	}
	must[*sfn.StopExecutionOutput](c)(c.StopExecution(t.Context(),
		&sfn.StopExecutionInput{ExecutionArn: &run, Error: aws.String("By.Hand")}))
	d := c.end(run)
	if d.Status != "ABORTED" || *d.RedriveCount != 1 || *d.Error != "By.Hand" {
		t.Errorf("%+v", d)
	}
	done := c.start(c.create("pass", pass), `{}`)
	_, err := c.RedriveExecution(t.Context(), &sfn.RedriveExecutionInput{ExecutionArn: &done})
	c.fails(err, "ExecutionNotRedrivable", "Execution is SUCCEEDED and cannot be redriven")
}

func TestActivities(t *testing.T) {
	c := newClient(t, options())
	a := must[*sfn.CreateActivityOutput](c)(c.CreateActivity(t.Context(),
		&sfn.CreateActivityInput{Name: aws.String("act")})).ActivityArn
	if none := must[*sfn.GetActivityTaskOutput](c)(c.GetActivityTask(t.Context(),
		&sfn.GetActivityTaskInput{ActivityArn: a})); none.TaskToken != nil {
		t.Error("a task that nothing has scheduled")
	}
	run := c.start(c.create("work",
		`{"StartAt":"W","States":{"W":{"Type":"Task","Resource":"`+*a+`","HeartbeatSeconds":60,"End":true}}}`),
		`{"i":1}`)
	got := must[*sfn.GetActivityTaskOutput](c)(c.GetActivityTask(t.Context(),
		&sfn.GetActivityTaskInput{ActivityArn: a, WorkerName: aws.String("w")}))
	if *got.Input != `{"i":1}` {
		t.Error(*got.Input)
	}
	must[*sfn.SendTaskSuccessOutput](c)(c.SendTaskSuccess(t.Context(),
		&sfn.SendTaskSuccessInput{TaskToken: got.TaskToken, Output: aws.String(`"done"`)}))
	if d := c.end(run); *d.Output != `"done"` {
		t.Errorf("%+v", d)
	}
	events := c.history(run)
	if want := "ExecutionStarted TaskStateEntered ActivityScheduled ActivityStarted ActivitySucceeded " +
		"TaskStateExited ExecutionSucceeded"; kinds(events) != want {
		t.Error(kinds(events))
	}
	if events[3].ActivityStartedEventDetails == nil || *events[3].ActivityStartedEventDetails.WorkerName != "w" {
		t.Errorf("%+v", events[3])
	}
	must[*sfn.DescribeActivityOutput](c)(c.DescribeActivity(t.Context(), &sfn.DescribeActivityInput{ActivityArn: a}))
	if list := must[*sfn.ListActivitiesOutput](c)(c.ListActivities(t.Context(),
		&sfn.ListActivitiesInput{})); len(list.Activities) != 1 {
		t.Error("not listed")
	}
	must[*sfn.DeleteActivityOutput](c)(c.DeleteActivity(t.Context(), &sfn.DeleteActivityInput{ActivityArn: a}))
	_, err := c.GetActivityTask(t.Context(), &sfn.GetActivityTaskInput{ActivityArn: a})
	c.fails(err, "ActivityDoesNotExist", "Activity Does Not Exist: '"+*a+"'")
}

func TestMachines(t *testing.T) {
	c := newClient(t, options())
	m := c.create("m", pass)
	if c.create("m", pass) != m {
		t.Error("an equal create gives another machine")
	}
	_, err := c.CreateStateMachine(t.Context(), &sfn.CreateStateMachineInput{Name: aws.String("m"),
		Definition: aws.String(day), RoleArn: aws.String(role)})
	c.fails(err, "StateMachineAlreadyExists", "State Machine Already Exists: '"+m+"'")
	_, err = c.CreateStateMachine(t.Context(), &sfn.CreateStateMachineInput{Name: aws.String("a b"),
		Definition: aws.String(day), RoleArn: aws.String(role)})
	c.fails(err, "InvalidName", "Invalid Name: 'a b'")
	_, err = c.CreateStateMachine(t.Context(), &sfn.CreateStateMachineInput{Name: aws.String("w"),
		Definition: aws.String(`{"StartAt":"A"}`), RoleArn: aws.String(role)})
	c.fails(err, "InvalidDefinition",
		"Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: These fields are required: [States] at /'")
	_, err = c.UpdateStateMachine(t.Context(), &sfn.UpdateStateMachineInput{StateMachineArn: &m})
	c.fails(err, "MissingRequiredParameter",
		"Either the definition, the role ARN, the LoggingConfiguration, or the TracingConfiguration must be specified")
	must[*sfn.PublishStateMachineVersionOutput](c)(c.PublishStateMachineVersion(t.Context(),
		&sfn.PublishStateMachineVersionInput{StateMachineArn: &m}))
	up := must[*sfn.UpdateStateMachineOutput](c)(c.UpdateStateMachine(t.Context(),
		&sfn.UpdateStateMachineInput{StateMachineArn: &m, Definition: aws.String(bad), Publish: true}))
	if *up.StateMachineVersionArn != m+":2" {
		t.Error(*up.StateMachineVersionArn)
	}
	route := func(weights ...int32) (list []types.RoutingConfigurationListItem) {
		for i, w := range weights {
			list = append(list, types.RoutingConfigurationListItem{StateMachineVersionArn: aws.String(m + ":" +
				string(rune('1'+i))), Weight: w})
		}
		return list
	}
	_, err = c.CreateStateMachineAlias(t.Context(),
		&sfn.CreateStateMachineAliasInput{Name: aws.String("X"), RoutingConfiguration: route(70, 29)})
	c.fails(err, "ValidationException", "Sum of routing configuration weights must equal 100. Received: [70, 29]")
	alias := must[*sfn.CreateStateMachineAliasOutput](c)(c.CreateStateMachineAlias(t.Context(),
		&sfn.CreateStateMachineAliasInput{Name: aws.String("PROD"),
			RoutingConfiguration: route(50, 50)})).StateMachineAliasArn
	seen := map[string]bool{}
	for range 30 {
		seen[*c.end(c.start(*alias, `{}`)).StateMachineVersionArn] = true
	}
	if len(seen) != 2 {
		t.Errorf("an alias with two versions started %v", seen)
	}
	must[*sfn.UpdateStateMachineAliasOutput](c)(c.UpdateStateMachineAlias(t.Context(),
		&sfn.UpdateStateMachineAliasInput{StateMachineAliasArn: alias, RoutingConfiguration: route(100)}))
	if d := must[*sfn.DescribeStateMachineAliasOutput](c)(c.DescribeStateMachineAlias(t.Context(),
		&sfn.DescribeStateMachineAliasInput{StateMachineAliasArn: alias})); len(d.RoutingConfiguration) != 1 {
		t.Errorf("%+v", d)
	}
	_, err = c.DeleteStateMachineVersion(t.Context(),
		&sfn.DeleteStateMachineVersionInput{StateMachineVersionArn: aws.String(m + ":1")})
	c.fails(err, "ConflictException",
		"Version to be deleted must not be referenced by an alias. Current list of aliases referencing this "+
			"version: [PROD]")
	if l := must[*sfn.ListStateMachineAliasesOutput](c)(c.ListStateMachineAliases(t.Context(),
		&sfn.ListStateMachineAliasesInput{StateMachineArn: &m})); len(l.StateMachineAliases) != 1 {
		t.Error("the alias is not listed")
	}
	must[*sfn.DeleteStateMachineAliasOutput](c)(c.DeleteStateMachineAlias(t.Context(),
		&sfn.DeleteStateMachineAliasInput{StateMachineAliasArn: alias}))
	must[*sfn.DeleteStateMachineVersionOutput](c)(c.DeleteStateMachineVersion(t.Context(),
		&sfn.DeleteStateMachineVersionInput{StateMachineVersionArn: aws.String(m + ":1")}))
	if l := must[*sfn.ListStateMachineVersionsOutput](c)(c.ListStateMachineVersions(t.Context(),
		&sfn.ListStateMachineVersionsInput{StateMachineArn: &m})); len(l.StateMachineVersions) != 1 {
		t.Error("the version is still listed")
	}
	must[*sfn.TagResourceOutput](c)(c.TagResource(t.Context(),
		&sfn.TagResourceInput{ResourceArn: &m, Tags: []types.Tag{{Key: aws.String("k"), Value: aws.String("v")}}}))
	must[*sfn.UntagResourceOutput](c)(c.UntagResource(t.Context(),
		&sfn.UntagResourceInput{ResourceArn: &m, TagKeys: []string{"none"}}))
	if l := must[*sfn.ListTagsForResourceOutput](c)(c.ListTagsForResource(t.Context(),
		&sfn.ListTagsForResourceInput{ResourceArn: &m})); len(l.Tags) != 1 {
		t.Error("the tag is not listed")
	}
	must[*sfn.DeleteStateMachineOutput](c)(c.DeleteStateMachine(t.Context(),
		&sfn.DeleteStateMachineInput{StateMachineArn: &m}))
	_, err = c.DescribeStateMachine(t.Context(), &sfn.DescribeStateMachineInput{StateMachineArn: &m})
	c.fails(err, "StateMachineDoesNotExist", "State Machine Does Not Exist: '"+m+"'")
}

func TestExpressAndNested(t *testing.T) {
	c := newClient(t, options())
	r := must[*sfn.StartSyncExecutionOutput](c)(c.StartSyncExecution(t.Context(),
		&sfn.StartSyncExecutionInput{StateMachineArn: aws.String(c.express("ex", pass)), Input: aws.String("{}")}))
	if r.Status != "SUCCEEDED" || *r.Output != `{"a":1}` || r.BillingDetails.BilledMemoryUsedInMB != 64 ||
		r.BillingDetails.BilledDurationInMilliseconds != 100 {
		t.Errorf("%+v", r)
	}
	child := c.create("child", pass)
	_, err := c.StartSyncExecution(t.Context(), &sfn.StartSyncExecutionInput{StateMachineArn: &child})
	c.fails(err, "StateMachineTypeNotSupported", "This operation is not supported by this type of state machine")
	parent := c.create("parent",
		`{"StartAt":"C","States":{"C":{"Type":"Task","Resource":"arn:aws:states:::states:startExecution.sync:2",
			"Parameters":{"StateMachineArn":"`+child+`","Input":{"b":2}},"OutputPath":"$.Output","End":true}}}`)
	if d := c.end(c.start(parent, `{}`)); d.Status != "SUCCEEDED" || *d.Output != `{"a":1}` {
		t.Errorf("%+v", d)
	}
	l := must[*sfn.ListExecutionsOutput](c)(c.ListExecutions(t.Context(),
		&sfn.ListExecutionsInput{StateMachineArn: &child}))
	if len(l.Executions) != 1 {
		t.Error("the child is not listed")
	}
}

func TestMapRuns(t *testing.T) {
	c := newClient(t, options())
	run := c.start(c.create("map",
		`{"StartAt":"E","States":{"E":{"Type":"Map","Label":"Each","ItemsPath":"$.i","MaxConcurrency":2,
			"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I",
			"States":{"I":{"Type":"Pass","End":true}}},"End":true}}}`), `{"i":[1,2,3]}`)
	c.end(run)
	runs := must[*sfn.ListMapRunsOutput](c)(c.ListMapRuns(t.Context(),
		&sfn.ListMapRunsInput{ExecutionArn: &run})).MapRuns
	if len(runs) != 1 {
		t.Fatal(runs)
	}
	d := must[*sfn.DescribeMapRunOutput](c)(c.DescribeMapRun(t.Context(),
		&sfn.DescribeMapRunInput{MapRunArn: runs[0].MapRunArn}))
	if d.Status != "SUCCEEDED" || d.MaxConcurrency != 2 || d.ItemCounts.Succeeded != 3 || d.ExecutionCounts.Total != 3 {
		t.Errorf("%+v", d)
	}
	children := must[*sfn.ListExecutionsOutput](c)(c.ListExecutions(t.Context(),
		&sfn.ListExecutionsInput{MapRunArn: runs[0].MapRunArn})).Executions
	if len(children) != 3 {
		t.Fatal(children)
	}
	if got := kinds(c.history(*children[0].ExecutionArn)); got != "ExecutionStarted PassStateEntered "+
		"PassStateExited ExecutionSucceeded" {
		t.Error(got)
	}
	if k := c.describe(*children[0].ExecutionArn); *k.MapRunArn != *runs[0].MapRunArn {
		t.Errorf("%+v", k)
	}
	_, err := c.UpdateMapRun(t.Context(), &sfn.UpdateMapRunInput{MapRunArn: runs[0].MapRunArn,
		MaxConcurrency: aws.Int32(5)})
	c.fails(err, "ValidationException", "")
}

func TestBreakpoints(t *testing.T) {
	o := options()
	o.Breakpoints, o.Missing = []string{"Charge", "Other#X"}, serve.MissingHolds
	c := newClient(t, o)
	const charge = `{"StartAt":"Charge","TimeoutSeconds":1,"States":{"Charge":{"Type":"Task",
		"Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"f"},"End":true}}}`
	run := c.start(c.create("order", charge), `{}`)
	var list struct {
		Executions []struct {
			ExecutionArn string
			Held         struct{ State, Reason string }
		}
	}
	c.own(http.MethodGet, "/_asldb/executions?held=true", "", &list)
	if len(list.Executions) != 1 || list.Executions[0].Held.State != "Charge" ||
		list.Executions[0].Held.Reason != "breakpoint" {
		t.Fatalf("%+v", list)
	}
	at := "/_asldb/executions/" + url.PathEscape(run)
	if got := c.own(http.MethodPost, at+"/step", "{}", nil); got != http.StatusOK {
		t.Error(got)
	}
	if got := c.own(http.MethodPost, at+"/continue", "{}", nil); got != http.StatusOK {
		t.Error(got)
	}
	for range 100 {
		if c.own(http.MethodPost, at+"/answer", `{"output": {"paid": true}}`, nil) == http.StatusOK {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if d := c.end(run); d.Status != "SUCCEEDED" || *d.Output != `{"paid":true}` {
		t.Errorf("%+v", d)
	}
	if got := c.own(http.MethodGet, at+"/trace", "", nil); got != http.StatusOK {
		t.Error(got)
	}
	c.own(http.MethodPost, "/_asldb/reset", "{}", nil)
	_, err := c.DescribeExecution(t.Context(), &sfn.DescribeExecutionInput{ExecutionArn: &run})
	c.fails(err, "ExecutionDoesNotExist", "Execution Does Not Exist: '"+run+"'")
}

func TestFilesAndCases(t *testing.T) {
	const machine = `{"StartAt":"Charge","States":{"Charge":{"Type":"Task",
		"Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"f"},"End":true}}}`
	dir := testkit.New(t, map[string]string{
		"order.asl.json": machine,
		"mocks.json": `{"StateMachines":{"order":{"TestCases":{"Happy":{"Charge":"Paid"}}}},
			"MockedResponses":{"Paid":{"0":{"Return":{"StatusCode":200,"Payload":1}}}}}`,
		"order.test.yaml": "version: 1\ndefinition: order.asl.json\ncases:\n  pays:\n    tasks: {Charge: " +
			"[{output: 2}]}\n    expect: {output: 2}\n" +
			"  fails:\n    tasks: {Charge: [{output: 2}]}\n    expect: {output: 3}\n",
	})
	o := options()
	o.TraceDir = dir
	o.Results = cases.Results{MockConfig: filepath.Join(dir, "mocks.json"),
		Suites: []string{filepath.Join(dir, "order.test.yaml")}}
	if err := o.Results.Check(); err != nil {
		t.Fatal(err)
	}
	c := newClient(t, o)
	arn, err := c.server.Add(definitions.Definition{File: filepath.Join(dir, "order.asl.json")})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"Happy": `{"StatusCode":200,"Payload":1}`, "pays": "2", "fails": "2"} {
		if d := c.end(c.start(arn+"#"+name, `{}`)); d.Status != "SUCCEEDED" || *d.Output != want {
			t.Errorf("%s: %+v", name, d)
		}
	}
	_, err = c.StartExecution(t.Context(), &sfn.StartExecutionInput{StateMachineArn: aws.String(arn + "#Nobody")})
	c.fails(err, "ValidationException", "")
	report := filepath.Join(dir, "junit.xml")
	if err := c.server.Cases.WriteJUnit(report, time.Now()); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(report); c.server.Cases.Bad() != 1 || !strings.Contains(string(text), `failures="1"`) {
		t.Errorf("%d cases failed: %s", c.server.Cases.Bad(), text)
	}
	if d := c.end(c.start(arn, `{}`)); d.Status != "FAILED" || *d.Error != "States.TaskFailed" ||
		!strings.Contains(*d.Cause, "no mock for Charge") {
		t.Errorf("%+v", d)
	}
	if err := os.WriteFile(filepath.Join(dir, "order.asl.json"), []byte(pass+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if d := c.end(c.start(arn, `{}`)); d.Status != "SUCCEEDED" || *d.Output != `{"a":1}` {
		t.Errorf("the definition that has changed: %+v", d)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "order-*.trace")); len(found) != 5 {
		t.Errorf("traces: %v", found)
	}
}

func TestSingleStates(t *testing.T) {
	c := newClient(t, options())
	r := must[*sfn.TestStateOutput](c)(c.TestState(t.Context(),
		&sfn.TestStateInput{Definition: aws.String(`{"Type":"Pass","Parameters":{"b.$":"$.a"},"Next":"N"}`),
			Input: aws.String(`{"a":1}`), InspectionLevel: "DEBUG"}))
	if r.Status != "SUCCEEDED" || *r.Output != `{"b":1}` || *r.NextState != "N" ||
		*r.InspectionData.AfterParameters != `{"b":1}` {
		t.Errorf("%+v", r)
	}
	_,
		err := c.TestState(t.Context(),
		&sfn.TestStateInput{Definition: aws.String(`{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke",
			"Parameters":{"FunctionName":"f"},"End":true}`)})
	c.fails(err, "ValidationException", "RoleArn must be specified when testing a Task state")
	v := must[*sfn.ValidateStateMachineDefinitionOutput](c)(c.ValidateStateMachineDefinition(t.Context(),
		&sfn.ValidateStateMachineDefinitionInput{Definition: aws.String("{}")}))
	if v.Result != "FAIL" || *v.Diagnostics[0].Message != "These fields are required: [States, StartAt]" {
		t.Errorf("%+v", v)
	}
}

// The service's answers to a request that is wrong are its own; requests of web pages and other services are refused.
func TestBadRequests(t *testing.T) {
	c := newClient(t, options())
	for _, test := range []struct {
		header, value, target, body, want string
		status                            int
	}{
		{"", "", "AWSStepFunctions.ListStateMachines", "{}", `{"stateMachines":[]}`, 200},
		{"", "", "AWSStepFunctions.NoSuch", "{}", `{"__type":"com.amazon.coral.service#UnknownOperationException"}`,
			400},
		{"", "", "AWSStepFunctions.ListStateMachines", `{"maxResults":`,
			`{"__type":"com.amazon.coral.service#SerializationException"}`, 400},
		{"", "", "AWSStepFunctions.ListStateMachines", strings.Repeat("[", 100_000),
			`{"__type":"com.amazon.coral.service#SerializationException"}`, 400},
		{"", "", "AWSStepFunctions.DescribeExecution", `{}`,
			`{"__type":"com.amazon.coral.validate#ValidationException","message":"1 validation ` +
				`error detected: Value null at 'executionArn' failed to satisfy constraint: Member must not be null"}`,
			400},
		{"", "", "AWSStepFunctions.DescribeExecution", `{"executionArn":"x"}`,
			`{"__type":"com.amazonaws.swf.service.v2.model#InvalidArn",` +
				`"message":"Invalid Arn: 'Invalid ARN prefix: x'"}`, 400},
		{"", "", "AWSStepFunctions.ListStateMachines", strings.Repeat(" ", 3<<20), "a request has at most 2 MiB\n",
			413},
		{"Origin", "http://evil.example", "AWSStepFunctions.ListStateMachines", "{}",
			"requests of web pages are refused\n", 403},
		{"Content-Type", "application/cbor", "AWSStepFunctions.ListStateMachines", "{}",
			"the Content-Type is application/x-amz-json-1.0\n", 415},
		{"", "", "DynamoDB_20120810.ListTables", "{}", "asldb serve answers Step Functions only\n", 501},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.url, strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-amz-json-1.0")
		request.Header.Set("X-Amz-Target", test.target)
		if test.header != "" {
			request.Header.Set(test.header, test.value)
		}
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		_, _ = reply.Body.(interface{ Read([]byte) (int, error) }), 0
		buffer := make([]byte, 4096)
		for n, err := reply.Body.Read(buffer); ; n, err = reply.Body.Read(buffer) {
			text.Write(buffer[:n])
			if err != nil {
				break
			}
		}
		reply.Body.Close()
		if reply.StatusCode != test.status || text.String() != test.want {
			t.Errorf("%.40s %.40s: %d %s\n want %d %s", test.target, test.body, reply.StatusCode, text.String(),
				test.status, test.want)
		}
	}
}

// TestUpdateMapRun: more executions of a Map Run begin at once, and the failures that are tolerated change, while it
// runs (API reference, UpdateMapRun); its trace replays.
func TestUpdateMapRun(t *testing.T) {
	o := options()
	o.TraceDir = t.TempDir()
	c := newClient(t, o)
	work := must[*sfn.CreateActivityOutput](c)(c.CreateActivity(t.Context(),
		&sfn.CreateActivityInput{Name: aws.String("work")})).ActivityArn
	run := c.start(c.create("map",
		`{"StartAt":"E","States":{"E":{"Type":"Map","Label":"Each","ItemsPath":"$.i","MaxConcurrency":1,
			"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I",
			"States":{"I":{"Type":"Task","Resource":"`+*work+`","End":true}}},"End":true}}}`), `{"i":[1,2,3,4]}`)
	next := func() *string {
		return must[*sfn.GetActivityTaskOutput](c)(c.GetActivityTask(t.Context(),
			&sfn.GetActivityTaskInput{ActivityArn: work})).TaskToken
	}
	fail := func(token *string) {
		must[*sfn.SendTaskFailureOutput](c)(c.SendTaskFailure(t.Context(),
			&sfn.SendTaskFailureInput{TaskToken: token, Error: aws.String("No")}))
	}
	first := next()
	if second := next(); first == nil || second != nil {
		t.Fatalf("with a MaxConcurrency of 1: %v %v", first, second)
	}
	arn := must[*sfn.ListMapRunsOutput](c)(c.ListMapRuns(t.Context(),
		&sfn.ListMapRunsInput{ExecutionArn: &run})).MapRuns[0].MapRunArn
	must[*sfn.UpdateMapRunOutput](c)(c.UpdateMapRun(t.Context(), &sfn.UpdateMapRunInput{
		MapRunArn: arn, MaxConcurrency: aws.Int32(3)}))
	must[*sfn.UpdateMapRunOutput](c)(c.UpdateMapRun(t.Context(), &sfn.UpdateMapRunInput{
		MapRunArn: arn, ToleratedFailureCount: aws.Int64(2)}))
	second, third := next(), next()
	if second == nil || third == nil || next() != nil {
		t.Fatal("with a MaxConcurrency of 3 three executions run")
	}
	d := must[*sfn.DescribeMapRunOutput](c)(c.DescribeMapRun(t.Context(), &sfn.DescribeMapRunInput{MapRunArn: arn}))
	if d.MaxConcurrency != 3 || d.ToleratedFailureCount != 2 || d.ExecutionCounts.Running != 3 {
		t.Errorf("%+v", d)
	}
	fail(first)
	fail(second)
	for _, token := range []*string{third, next()} {
		must[*sfn.SendTaskSuccessOutput](c)(c.SendTaskSuccess(t.Context(),
			&sfn.SendTaskSuccessInput{TaskToken: token, Output: aws.String(`"yes"`)}))
	}
	if d := c.end(run); d.Status != types.ExecutionStatusSucceeded {
		t.Errorf("%+v", d)
	}
	update := &sfn.UpdateMapRunInput{MapRunArn: arn, MaxConcurrency: aws.Int32(5)}
	if _, err := c.UpdateMapRun(t.Context(), update); err == nil {
		t.Error("a Map Run that has ended was updated")
	}
	c.server.Close()
	traces, err := filepath.Glob(filepath.Join(o.TraceDir, "*.trace"))
	if err != nil || len(traces) != 1 {
		t.Fatalf("%v %v", traces, err)
	}
	again, err := launch.New(launch.Spec{Replay: launch.Replay{File: traces[0], Verify: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got := why.Verification(again.Replay); !strings.HasPrefix(got, "all ") || !strings.Contains(got, "agree") {
		t.Error(got)
	}
}

// TestMachineOfATemplate: DescribeStateMachine tells the type, the role and the level of the logs that a template says.
func TestMachineOfATemplate(t *testing.T) {
	dir := testkit.New(t, map[string]string{"template.yaml": `Transform: AWS::Serverless-2016-10-31
Resources:
  Orders:
    Type: AWS::Serverless::StateMachine
    Properties:
      Type: EXPRESS
      Role: arn:aws:iam::123456789012:role/Orders
      Logging: {Level: ERROR}
      Definition: {StartAt: A, States: {A: {Type: Pass, End: true}}}
`})
	c := newClient(t, options())
	arn, err := c.server.Add(definitions.Definition{File: filepath.Join(dir, "template.yaml"), Resource: "Orders"})
	if err != nil {
		t.Fatal(err)
	}
	d := must[*sfn.DescribeStateMachineOutput](c)(c.DescribeStateMachine(t.Context(),
		&sfn.DescribeStateMachineInput{StateMachineArn: &arn}))
	if d.Type != types.StateMachineTypeExpress || *d.RoleArn != "arn:aws:iam::123456789012:role/Orders" ||
		d.LoggingConfiguration.Level != types.LogLevelError {
		t.Errorf("%s, %s, %+v", d.Type, *d.RoleArn, d.LoggingConfiguration)
	}
}
