package services

import (
	"slices"
	"strings"
	"testing"
)

// TestIntegrations: every row names operations that are in the table, and examples whose members are in the result.
func TestIntegrations(t *testing.T) {
	for i := range integrations {
		row := &integrations[i]
		for _, pattern := range append([]string{""}, row.patterns...) {
			c, ok := CallOf("arn:aws:states:::" + row.service + ":" + row.action + pattern)
			if !ok || c.own != row {
				t.Fatalf("%s:%s%s is not its row", row.service, row.action, pattern)
			}
			if row.operation != "-" && c.Operation == nil {
				t.Errorf("%s:%s: there is no operation", row.service, row.action)
			}
			if pattern == Sync && row.polls != "" && c.Mock() == nil {
				t.Errorf("%s:%s: nothing describes the job: %s", row.service, row.action, row.polls)
			}
			r, known := c.Result()
			if pattern == Sync && row.top != "" && !known {
				t.Errorf("%s:%s.sync has no result", row.service, row.action)
			}
			for _, e := range r.Examples {
				if at(r.Shape, e.Path...) == nil {
					t.Errorf("%s:%s%s: the result has no %s", row.service, row.action, pattern,
						strings.Join(e.Path, "."))
				}
			}
		}
	}
	for name, text := range sdkShows {
		c, _ := CallOf("arn:aws:states:::aws-sdk:" + name)
		r, known := c.Result()
		if !known || len(r.Examples) != len(strings.Fields(text)) {
			t.Errorf("%s: %v, %d examples", name, known, len(r.Examples))
		}
		for _, e := range r.Examples {
			if at(r.Shape, e.Path...) == nil {
				t.Errorf("%s: the result has no %s", name, strings.Join(e.Path, "."))
			}
		}
	}
	for name, members := range sdkDocuments {
		c, _ := CallOf("arn:aws:states:::aws-sdk:" + name)
		r, _ := c.Result()
		for _, m := range members {
			if found := at(r.Shape, m); found == nil || !found.JSON {
				t.Errorf("%s: %s is not a JSON text", name, m)
			}
		}
	}
}

// at returns the shape of a part of a result, nil where it has none.
func at(s *Shape, names ...string) *Shape {
	for _, name := range names {
		if s == nil {
			return nil
		}
		switch s.Kind {
		case Structure:
			m, found := s.Member(name)
			if !found {
				return nil
			}
			s = m.Shape
		case List, Map:
			s = s.Item
		default:
			return nil
		}
	}
	return s
}

// TestPatterns has the patterns of the developer guide's table "Integrating optimized services".
func TestPatterns(t *testing.T) {
	for name, want := range map[string]string{
		"lambda:invoke": ".waitForTaskToken", "sns:publish": ".waitForTaskToken",
		"sqs:sendMessage":  ".waitForTaskToken",
		"events:putEvents": ".waitForTaskToken", "apigateway:invoke": ".waitForTaskToken",
		"states:startExecution": ".sync .sync:2 .waitForTaskToken", "dynamodb:getItem": "", "dynamodb:deleteItem": "",
		"bedrockagentcore:invokeHarness": "", "athena:startQueryExecution": ".sync", "athena:getQueryResults": "",
		"batch:submitJob": ".sync", "codebuild:startBuild": ".sync", "codebuild:retryBuildBatch": ".sync",
		"codebuild:stopBuild":            "",
		"elasticmapreduce:createCluster": ".sync", "elasticmapreduce:terminateCluster": ".sync",
		"elasticmapreduce:addStep": ".sync", "elasticmapreduce:cancelStep": "",
		"emr-containers:startJobRun": ".sync", "emr-containers:deleteVirtualCluster": ".sync",
		"emr-containers:createVirtualCluster": "",
		"emr-serverless:startJobRun":          ".sync", "glue:startJobRun": ".sync", "databrew:startJobRun": ".sync",
		"mediaconvert:createJob":      ".sync",
		"sagemaker:createTrainingJob": ".sync", "sagemaker:createModel": "", "ecs:runTask": ".sync .waitForTaskToken",
		"eks:createCluster": ".sync .waitForTaskToken", "eks:call": "", "http:invoke": "",
		"bedrock:createModelCustomizationJob": ".sync .waitForTaskToken", "aws-sdk:s3:getObject": ".waitForTaskToken",
	} {
		c, _ := CallOf("arn:aws:states:::" + name)
		has, known := c.Patterns()
		if got := strings.Join(has, " "); !known || got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if c, _ := CallOf("arn:aws:states:::dynamodb:query"); c.own != nil {
		t.Error("dynamodb:query is an optimized integration")
	} else if _, known := c.Patterns(); known {
		t.Error("the patterns of dynamodb:query are known")
	}
	for resource, want := range map[string]bool{"eks:runJob.waitForTaskToken": true,
		"bedrock:invokeModel.waitForTaskToken": true, "eks:runJob.sync": false, "ecs:runTask.waitForTaskToken": false} {
		if c, _ := CallOf("arn:aws:states:::" + resource); c.Disputed() != want {
			t.Errorf("%s is disputed: %v", resource, !want)
		}
	}
	if list := OptimizedServices(); len(list) != 22 || !slices.Contains(list, "bedrockagentcore") ||
		!slices.IsSorted(list) {
		t.Errorf("%d services: %v", len(list), list)
	}
	if list := OptimizedActions("dynamodb"); !slices.Equal(list,
		[]string{"deleteItem", "getItem", "putItem", "updateItem"}) {
		t.Error(list)
	}
}

// TestResult has parts of results as recorded executions have them and as the developer guide shows them: "" for a part
// that is not there, "?" where no result is known.
func TestResult(t *testing.T) {
	for _, test := range []struct{ resource, part, kind string }{
		{"lambda:invoke", "Payload", "any"},
		{"lambda:invoke", "SdkHttpMetadata HttpStatusCode", "integer"},
		{"lambda:invoke", "orderId", ""},
		{"lambda:invoke.waitForTaskToken", "", "?"},
		{"aws-sdk:lambda:invoke", "Payload", "JSON blob"},
		{"aws-sdk:lambda:invoke", "SdkHttpMetadata", ""},
		{"states:startExecution", "ExecutionArn", "string"},
		{"states:startExecution", "Output", ""},
		{"states:startExecution.sync", "Output", "JSON string"},
		{"states:startExecution.sync", "InputDetails Included", "boolean"},
		{"states:startExecution.sync:2", "Output", "any"},
		{"aws-sdk:sfn:startSyncExecution", "Output", "JSON string"},
		{"dynamodb:getItem", "Item id S", "string"},
		{"dynamodb:getItem", "Item id BOOL", "boolean"},
		{"aws-sdk:dynamodb:getItem", "Item id Bool", "boolean"},
		{"dynamodb:updateItem", "Attributes", "map"},
		{"sqs:sendMessage", "MD5OfMessageBody", "string"},
		{"aws-sdk:sqs:sendMessage", "Md5OfMessageBody", "string"},
		{"sns:publish", "MessageId", "string"},
		{"events:putEvents", "Entries 0 EventId", "string"},
		{"ecs:runTask", "Tasks 0 LastStatus", "string"},
		{"ecs:runTask.sync", "Containers 0 ExitCode", "integer"},
		{"ecs:runTask.sync", "Tasks", ""},
		{"glue:startJobRun", "JobRunId", "string"},
		{"glue:startJobRun.sync", "JobRunState", "string"},
		{"batch:submitJob.sync", "Container", "structure"},
		{"batch:submitJob.sync", "Jobs", ""},
		{"athena:startQueryExecution.sync", "QueryExecution ResultConfiguration OutputLocation", "string"},
		{"athena:getQueryResults", "ResultSet Rows 0 Data 0 VarCharValue", "string"},
		{"elasticmapreduce:createCluster.sync", "ClusterId", "string"},
		{"elasticmapreduce:createCluster.sync", "Cluster Status State", "string"},
		{"elasticmapreduce:addStep.sync", "Step Status", "structure"},
		{"elasticmapreduce:cancelStep", "CancelStepsInfo StepId", "string"},
		{"elasticmapreduce:terminateCluster.sync", "", "?"},
		{"eks:createCluster.sync", "Cluster CertificateAuthority Data", "string"},
		{"eks:runJob.sync", "logs pods any containers any log", "any"},
		{"eks:call", "ResponseBody", "any"},
		{"codebuild:startBuild.sync", "Build BuildStatus", "string"},
		{"codebuild:batchGetReports", "Reports", "list"},
		{"sagemaker:createTrainingJob.sync", "ModelArtifacts S3ModelArtifacts", "string"},
		{"bedrock:invokeModel", "Body", "any"},
		{"bedrockagentcore:invokeHarness", "Output Message Content 0 Text", "string"},
		{"apigateway:invoke", "ResponseBody", "any"},
		{"http:invoke", "StatusCode", "integer"},
		{"aws-sdk:s3:deleteBucket", "Any", ""},
		{"aws-sdk:none:none", "", "?"},
		{"dynamodb:query", "", "?"},
	} {
		c, _ := CallOf("arn:aws:states:::" + test.resource)
		r, known := c.Result()
		got := "?"
		if known {
			got = ""
			if s := at(r.Shape, strings.Fields(test.part)...); s != nil {
				got = s.Kind.String()
				if s.JSON {
					got = "JSON " + got
				}
			}
		}
		if got != test.kind {
			t.Errorf("%s of %s: %q, want %q", test.part, test.resource, got, test.kind)
		}
	}
	if c, _ := CallOf("arn:aws:states:::ecs:runTask.sync"); c.own.complete {
		t.Error("the description of an ECS task is complete")
	}
}

// TestMock: a mock has the members of the answer that the operation gives, and with .sync of the one that describes the
// job (testing guide: startExecution, submitJob, startJobRun); "?" where it is not checked.
func TestMock(t *testing.T) {
	for resource, want := range map[string]string{
		"arn:aws:states:::events:putEvents":                 "Entries",
		"arn:aws:states:::aws-sdk:s3:getObject":             "Body",
		"arn:aws:states:::states:startExecution":            "ExecutionArn",
		"arn:aws:states:::states:startExecution.sync:2":     "StateMachineArn",
		"arn:aws:states:::batch:submitJob.sync":             "Jobs",
		"arn:aws:states:::glue:startJobRun.sync":            "JobRun",
		"arn:aws:states:::ecs:runTask.sync":                 "Tasks",
		"arn:aws:states:::lambda:invoke":                    "Payload",
		"arn:aws:states:::sqs:sendMessage.waitForTaskToken": "?", // the holder of the token gives the result
		"arn:aws:states:::aws-sdk:s3:deleteBucket":          "?", // it answers nothing
		"arn:aws:states:::aws-sdk:none:none":                "?",
		"arn:aws:states:::http:invoke":                      "?",
		"arn:aws:states:::apigateway:invoke":                "?",
		"arn:aws:states:::glue:startJobRun.sync:2":          "?",
	} {
		c, _ := CallOf(resource)
		s := c.Mock()
		if want == "?" {
			if s != nil {
				t.Errorf("a mock of %s is checked", resource)
			}
			continue
		}
		if s == nil || at(s, want) == nil || at(s, "SdkHttpMetadata") != nil {
			t.Errorf("%s: no %s", resource, want)
		}
	}
}

// TestOwnErrors has Error Names of optimized integrations that no model has (developer guide; coinbase and AWS
// samples).
func TestOwnErrors(t *testing.T) {
	for name, want := range map[string]string{
		"lambda:invoke ServiceException": "", "lambda:invoke AWSLambdaException": "", "lambda:invoke Unknown": "",
		"lambda:invoke ClientExecutionTimeoutException": "",
		"lambda:invoke TooManyRequestException":         "TooManyRequestsException",
		"lambda:invoke ServiceExecption":                "ServiceException",
		"dynamodb:putItem AmazonDynamoDBException":      "",
		"ecs:runTask ServerException":                   "", "ecs:runTask AmazonECSException": "",
		"glue:startJobRun ConcurrentRunsExceededException": "",
		"events:putEvents FailedEntry":                     "", "sqs:sendMessage QueueDoesNotExistException": "",
		"aws-sdk:lambda:invoke ClientExecutionTimeoutException": "none",
	} {
		resource, name, _ := strings.Cut(name, " ")
		c, _ := CallOf("arn:aws:states:::" + resource)
		got := ""
		if !c.Raises(name) {
			if got = c.NearestError(name); got == "" {
				got = "none"
			}
		}
		if got != want {
			t.Errorf("%s of %s: %q, want %q", name, resource, got, want)
		}
	}
	for resource, want := range map[string]string{"sqs:sendMessage": "SQS", "ecs:runTask": "ECS",
		"glue:startJobRun": "Glue", "events:putEvents": "EventBridge", "aws-sdk:sqs:sendMessage": "Sqs"} {
		if c, _ := CallOf("arn:aws:states:::" + resource); c.ErrorPrefix() != want {
			t.Errorf("%s: %s, want %s", resource, c.ErrorPrefix(), want)
		}
	}
}
