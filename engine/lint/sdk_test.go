package lint

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine/rules"
	"asldb/engine/source"
)

// tabled returns the findings of the rules that need the table of services, one line each: severity, rule, message,
// suggestion.
func tabled(t *testing.T, text string) []string {
	t.Helper()
	_, problems := find(text, Options{Hints: true})
	var lines []string
	for _, d := range problems {
		switch d.Rule {
		case rules.UnknownAction, rules.NotInTable, rules.UnknownParameter, rules.MissingParameter, rules.ParameterType, rules.UnknownServiceError:
			if d.Service.Message != "" || d.Severity == source.Error {
				t.Errorf("%s is an error to the service", d.Rule)
			}
			lines = append(lines, strings.TrimSpace(d.Severity.String()+" "+d.Rule+": "+d.Message+" "+d.Suggestion))
		case rules.TaskTimeout, rules.Unbounded:
		default:
			t.Errorf("%s: %s", d.Rule, d.Message)
		}
	}
	return lines
}

func expectTabled(t *testing.T, text string, want ...string) {
	t.Helper()
	if got := tabled(t, text); !slices.Equal(got, want) {
		t.Errorf("%s\n got %s\nwant %s", text, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// call is a definition of one task with an integration of the AWS SDK.
func call(resource, more string) string { return taskOf("aws-sdk:"+resource, more) }

func taskOf(resource, more string) string {
	return `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:states:::` + resource + `","End":true` + more + `}}}`
}

func TestSDKNames(t *testing.T) {
	expectTabled(t, call("dynamodb:getItem", ""))
	expectTabled(t, call("sqs:sendMessage.waitForTaskToken", `,"Parameters":{"QueueUrl":"q","MessageBody.$":"$$.Task.Token"}`))
	expectTabled(t, call("dynamdb:getItem", ""), `warning unknown-sdk-action: there is no service "dynamdb" in the table (models of July 2024 to November 2026) did you mean "dynamodb"?`)
	expectTabled(t, call("stepfunctions:startExecution", ""), `warning unknown-sdk-action: there is no service "stepfunctions" in the table (models of July 2024 to November 2026) did you mean "sfn"?`)
	expectTabled(t, call("s3tables:listTables", ""), `hint not-in-service-table: the service "s3tables" is not in the table (models of July 2024 to November 2026): not checked a newer name may be right`)
	expectTabled(t, call("s3:getObjet", ""), `warning unknown-sdk-action: "s3" has no action "getObjet" in the table (models of November 2026) did you mean "getObject"?`)
	expectTabled(t, call("s3:frobnicate", ""), `hint not-in-service-table: the action "frobnicate" of "s3" is not in the table (models of November 2026): not checked a newer name may be right`)
	expectTabled(t, call("${Service}:getItem", ""))
}

func TestParameters(t *testing.T) {
	for more, want := range map[string][]string{
		// Names.
		`"Bucket":"b","Key":"k"`:                     nil,
		`"Bucket.$":"$.b","Key":"k"`:                 nil,
		`"Buckett":"b","Key":"k"`:                    {`warning unknown-parameter: s3:getObject has no parameter "Buckett" did you mean "Bucket"?`},
		`"bucket.$":"$.b","Key":"k"`:                 {`warning unknown-parameter: s3:getObject has no parameter "bucket" did you mean "Bucket"?`},
		`"Bucket":"b","Key":"k","Frobnication":true`: {`hint not-in-service-table: the parameter "Frobnication" of s3:getObject is not in the table (models of November 2026): not checked a newer name may be right`},
		`"Bucket":"b","Key":"k","Keys":"k"`:          {`hint not-in-service-table: the parameter "Keys" of s3:getObject is not in the table (models of November 2026): not checked a newer name may be right`},
		// Required ones.
		`"Key":"k"`: {`warning missing-parameter: s3:getObject needs "Bucket"`},
		`"IfMatch":"x"`: {
			`warning missing-parameter: s3:getObject needs "Bucket"`, `warning missing-parameter: s3:getObject needs "Key"`,
		},
		// Types.
		`"Bucket":5,"Key":"k"`:                             {`warning parameter-type: "Bucket" of s3:getObject is a string, not a number`},
		`"Bucket":"b","Key":"k","PartNumber":"two"`:        {`warning parameter-type: "PartNumber" of s3:getObject is a number, not a string`},
		`"Bucket":"b","Key":"k","PartNumber":"2"`:          nil,
		`"Bucket":"b","Key":"k","PartNumber":"${Part}"`:    nil,
		`"Bucket":{"Ref":"B"},"Key":"k"`:                   nil,
		`"Bucket":"b","Key":"k","PartNumber":null`:         nil,
		`"Bucket":"b","Key":"k","IfModifiedSince":1700000`: nil,
	} {
		expectTabled(t, call("s3:getObject", `,"Parameters":{`+more+`}`), want...)
	}
	expectTabled(t, call("rds:stopDBInstance", `,"Parameters":{"DBInstanceIdentifier":"d"}`),
		`warning unknown-parameter: rds:stopDBInstance has no parameter "DBInstanceIdentifier" did you mean "DbInstanceIdentifier"?`)
	expectTabled(t, call("autoscaling:detachInstances", `,"Parameters":{"AutoScalingGroupName":"a","ShouldDecrementDesiredCapacity":"false"}`))
	expectTabled(t, call("autoscaling:detachInstances", `,"Parameters":{"AutoScalingGroupName":"a","ShouldDecrementDesiredCapacity":"perhaps"}`),
		`warning parameter-type: "ShouldDecrementDesiredCapacity" of autoscaling:detachInstances is a boolean, not a string`)
	expectTabled(t, call("sfn:startExecution", `,"Parameters":{"StateMachineArn":"arn:x","Input":{"a":1}}`)) // sent as text
	expectTabled(t, call("s3:putObject", `,"Parameters":{"Bucket":"b","Key":"k","Body":{"a":[1]}}`))
}

// TestParametersWithin looks at lists, maps and structures inside of each other.
func TestParametersWithin(t *testing.T) {
	expectTabled(t, call("dynamodb:putItem", `,"Parameters":{"TableName":"t","Item":{"id":{"N":5},"l":{"L":[{"S":"x"},{"s":"y"}]},"b":{"BOOL":true},"m.$":"$.m"}}`),
		`warning parameter-type: "N" of dynamodb:putItem is a string, not a number`,
		`warning unknown-parameter: dynamodb:putItem has no parameter "s" did you mean "S"?`)
	expectTabled(t, call("ec2:createTags", `,"Parameters":{"Resources":"i-1","Tags":[{"key":"a","Value":"b"},"x"]}`),
		`warning parameter-type: "Resources" of ec2:createTags is an array, not a string`,
		`warning unknown-parameter: ec2:createTags has no parameter "key" did you mean "Key"?`,
		`warning parameter-type: "Tags" of ec2:createTags is an object, not a string`)
	expectTabled(t, call("eventbridge:putTargets", `,"Parameters":{"Rule":"r","Targets":[{"Id":"1"}]}`),
		`warning missing-parameter: "Targets" of eventbridge:putTargets needs "Arn"`)
	expectTabled(t, call("sqs:sendMessage", `,"Parameters":{"QueueUrl":"q","MessageBody":"b","MessageAttributes":["x"]}`),
		`warning parameter-type: "MessageAttributes" of sqs:sendMessage is an object, not an array`)
}

func TestArguments(t *testing.T) {
	text := func(arguments string) string {
		return strings.Replace(call("s3:getObject", `,"Arguments":`+arguments), "{", `{"QueryLanguage":"JSONata",`, 1)
	}
	expectTabled(t, text(`"{% $states.input %}"`))
	expectTabled(t, text(`{"Bucket":"{% 'b' %}","Key":"k","PartNumber":"{% 1 %}"}`))
	expectTabled(t, text(`{"Buckt":"{% 'b' %}","Key":false}`),
		`warning unknown-parameter: s3:getObject has no parameter "Buckt" did you mean "Bucket"?`,
		`warning parameter-type: "Key" of s3:getObject is a string, not a boolean`)
}

// TestOptimizedParameters: the optimized integrations keep the service's own names.
func TestOptimizedParameters(t *testing.T) {
	expectTabled(t, taskOf("ecs:runTask.sync", `,"Parameters":{"LaunchType":"FARGATE","TaskDefinition":"t","NetworkConfiguration":{"AwsvpcConfiguration":{"Subnets":["s"]}}}`))
	expectTabled(t, taskOf("lambda:invoke", `,"Parameters":{"FunctionNam":"f","Payload":{"a":1}}`),
		`warning unknown-parameter: lambda:invoke has no parameter "FunctionNam" did you mean "FunctionName"?`)
	// Whether or not another has a name like it.
	expectTabled(t, taskOf("sqs:sendMessage", `,"Parameters":{"QueueUrl":"q","MessageBody":"b","Zebra":1}`),
		`warning unknown-parameter: sqs:sendMessage has no parameter "Zebra" it has DelaySeconds, MessageAttributes, MessageBody, `+
			`MessageDeduplicationId, MessageGroupId, MessageSystemAttributes, QueueUrl`)
	expectTabled(t, taskOf("lambda:invoke", `,"Parameters":{"Payload":{"a":1}}`), `warning missing-parameter: lambda:invoke needs "FunctionName"`)
	expectTabled(t, taskOf("sqs:sendMessage", `,"Parameters":{"QueueUrl":"q","MessageBody":{"a":1}}`))
	expectTabled(t, taskOf("states:startExecution", `,"Parameters":{"StateMachineArn":"a","Input":{"a":1}}`))
	expectTabled(t, taskOf("bedrock:invokeModel", `,"Parameters":{"ModelId":"m","Input":{"S3Uri":"s3://b/k"}}`))
	expectTabled(t, taskOf("apigateway:invoke", `,"Parameters":{"ApiEndpoint":"e"}`))
	expectTabled(t, taskOf("dynamodb:updateItem", `,"Parameters":{"TableName":"t","Key":{"id":{"S":"1"}},"ExpressionAttributeValues":{":l":{"L":["a"]}}}`))
}

func TestServiceErrors(t *testing.T) {
	catch := func(resource, name string) string {
		return taskOf(resource, `,"Catch":[{"ErrorEquals":["`+name+`"],"Next":"B"}]},"B":{"Type":"Pass","End":true`)
	}
	for _, c := range []struct{ resource, name, want string }{
		{"lambda:invoke", "Lambda.TooManyRequestsException", ""},
		{"lambda:invoke", "Lambda.TooManyRequestException", `lambda raises no error "Lambda.TooManyRequestException" did you mean "Lambda.TooManyRequestsException"?`},
		{"lambda:invoke", "Lambda.Unknown", ""},
		{"lambda:invoke", "Lambda.SdkClientException", ""},
		{"lambda:invoke", "Lambda.AWSLambdaException", ""},
		{"lambda:invoke", "Lambda.ClientExecutionTimeoutException", ""},
		{"lambda:invoke", "MyApp.TooManyRequestException", ""}, // the function's own
		{"dynamodb:putItem", "DynamoDB.ConditionalCheckFailedException", ""},
		{"dynamodb:putItem", "DynamoDb.ConditionalCheckFailedException", ""},
		{"dynamodb:putItem", "DynamoDB.AmazonDynamoDBException", ""},
		{"ecs:runTask", "ECS.AmazonECSException", ""},
		{"states:startExecution", "StepFunctions.ExecutionAlreadyExistsException", ""},
		{"states:startExecution", "StepFunctions.ExecutionAlreadyExist", `states raises no error "StepFunctions.ExecutionAlreadyExist" did you mean "StepFunctions.ExecutionAlreadyExists"?`},
		{"aws-sdk:s3:getObject", "S3.NoSuchKeyException", ""},
		{"aws-sdk:s3:getObject", "S3.S3Exception", ""},
		{"aws-sdk:s3:getObject", "S3.NewErrorException", ""},
		{"aws-sdk:s3:getObject", "S3.NoSuchKey", `s3 raises no error "S3.NoSuchKey" did you mean "S3.NoSuchKeyException"?`},
		{"aws-sdk:s3:getObject", "S3.AccessDenied", `s3 raises no error "S3.AccessDenied" did you mean "S3.AccessDeniedException"?`},
		{"aws-sdk:s3:getObject", "S3.SlowDown", `s3 raises no error "S3.SlowDown" errors of the AWS SDK end in Exception; those that no model names are "S3.S3Exception"`},
		{"aws-sdk:s3:getObject", "DynamoDb.Nonsense", ""}, // of another service: not looked at
		{"aws-sdk:dynamodb:getItem", "DynamoDB.ResourceNotFoundException", `dynamodb raises no error "DynamoDB.ResourceNotFoundException" did you mean "DynamoDb.ResourceNotFoundException"?`},
		{"aws-sdk:sfn:startExecution", "Sfn.ExecutionAlreadyExistsException", ""},
		{"aws-sdk:sqs:sendMessage.waitForTaskToken", "Sqs.Rejected", ""}, // a worker may send it
		{"aws-sdk:newservice:doIt", "Newservice.Nonsense", ""},
	} {
		var want []string
		if c.want != "" {
			want = []string{"warning unknown-service-error: " + c.want}
		}
		_, problems := find(catch(c.resource, c.name), Options{})
		var got []string
		for _, d := range problems {
			if d.Rule == rules.UnknownServiceError {
				got = append(got, "warning "+d.Rule+": "+d.Message+" "+d.Suggestion)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s, %s:\n got %q\nwant %q", c.resource, c.name, got, want)
		}
	}
}

// TestServiceErrorsWithin: the handlers of a container get the errors of all its tasks.
func TestServiceErrorsWithin(t *testing.T) {
	container := func(branches, name string) string {
		return `{"StartAt":"P","States":{"P":{"Type":"Parallel","Branches":[` + branches + `],"End":true,"Retry":[{"ErrorEquals":["` + name + `"]}]}}}`
	}
	s3 := call("s3:listBuckets", "")
	inMap := `{"StartAt":"M","States":{"M":{"Type":"Map","End":true,"ItemProcessor":` + strings.ReplaceAll(call("dynamodb:listTables", ""), `"A"`, `"B"`) + `}}}`
	fails := `{"StartAt":"F","States":{"F":{"Type":"Fail","Error":"Other"}}}`
	expectTabled(t, container(s3+","+inMap, "S3.NoSuchKey"), `warning unknown-service-error: s3 raises no error "S3.NoSuchKey" did you mean "S3.NoSuchKeyException"?`)
	expectTabled(t, container(s3+","+inMap, "DynamoDB.InternalServerErrorException"),
		`warning unknown-service-error: dynamodb raises no error "DynamoDB.InternalServerErrorException" did you mean "DynamoDb.InternalServerErrorException"?`)
	expectTabled(t, container(taskOf("dynamodb:getItem", "")+","+inMap, "DynamoDB.ResourceNotFoundException"))
	expectTabled(t, container(s3+","+fails, "S3.SlowDown"))
}

// TestRefusedCalls has calls with which the service refuses a definition (measured on it, or listed by the developer
// guide), and others like them.
func TestRefusedCalls(t *testing.T) {
	jsonata := func(resource, more string) string { return `{"QueryLanguage":"JSONata",` + taskOf(resource, more)[1:] }
	function := `,"Arguments":{"FunctionName":"f","Payload":`
	pass := func(more string) string {
		return `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"End":true,` + more + `}}}`
	}
	for text, want := range map[string]string{
		jsonata("aws-sdk:sts:getCallerIdentity", ""):                                                 rules.MissingField,
		jsonata("aws-sdk:sts:getCallerIdentity", `,"Arguments":{}`):                                  "",
		jsonata("aws-sdk:sts:getCallerIdentity", `,"Arguments":"{% $states.input %}"`):               "",
		jsonata("aws-sdk:sts:assumeRole", `,"Arguments":"{% $states.input %}"`):                      rules.UnknownIntegration,
		jsonata("aws-sdk:lambda:invokeWithResponseStream", `,"Arguments":{}`):                        rules.UnknownIntegration,
		call("kinesis:subscribeToShard", `,"Parameters":{}`):                                         rules.UnknownIntegration,
		call("s3:selectObjectContent.waitForTaskToken", `,"Parameters":{}`):                          rules.UnknownIntegration,
		call("mediastoredata:getObject", ""):                                                         rules.UnknownIntegration,
		call("iotjobsdata:describeJobExecution", ""):                                                 rules.UnknownIntegration,
		call("iotjobsdataplane:describeJobExecution", `,"Parameters":{"JobId":"j","ThingName":"t"}`): "",
		jsonata("lambda:invoke", function+`5}`):                                                      rules.ParameterType,
		jsonata("lambda:invoke", function+`true}`):                                                   rules.ParameterType,
		jsonata("lambda:invoke", function+`null}`):                                                   "",
		jsonata("lambda:invoke", function+`"x"}`):                                                    "",
		jsonata("lambda:invoke", function+`[1]}`):                                                    "",
		jsonata("lambda:invoke", function+`"{% 5 %}"}`):                                              "",
		jsonata("aws-sdk:lambda:invoke", function+`5}`):                                              "",
		pass(`"Type":"Pass","Output":"{% $states.context.Task.Token %}"`):                            rules.UnknownContext,
		jsonata("lambda:invoke", function+`"{% $states.context.Task.Token %}"}`):                     "",
	} {
		got := ""
		_, problems := find(text, Options{})
		for _, d := range problems {
			if d.Refused() {
				got += d.Rule
			}
		}
		if got != want {
			t.Errorf("%s\n got %q\nwant %q", text, got, want)
		}
	}
}
