package serve

import (
	"github.com/aws/aws-sdk-go-v2/service/sfn"

	"asldb/engine/value"
	"asldb/internal/serve/verdict"
)

// operations are the operations of the API, with their required members. The types of the SDK say the others.
var operations map[string]operation

func init() {
	operations = map[string]operation{
		"CreateActivity":                   op("name", (*Server).createActivity),
		"CreateStateMachine":               op("definition name roleArn", (*Server).createStateMachine),
		"CreateStateMachineAlias":          op("name routingConfiguration", (*Server).createStateMachineAlias),
		"DeleteActivity":                   op("activityArn", (*Server).deleteActivity),
		"DeleteStateMachine":               op("stateMachineArn", (*Server).deleteStateMachine),
		"DeleteStateMachineAlias":          op("stateMachineAliasArn", (*Server).deleteStateMachineAlias),
		"DeleteStateMachineVersion":        op("stateMachineVersionArn", (*Server).deleteStateMachineVersion),
		"DescribeActivity":                 op("activityArn", (*Server).describeActivity),
		"DescribeExecution":                op("executionArn", (*Server).describeExecution),
		"DescribeMapRun":                   op("mapRunArn", (*Server).describeMapRun),
		"DescribeStateMachine":             op("stateMachineArn", (*Server).describeStateMachine),
		"DescribeStateMachineAlias":        op("stateMachineAliasArn", (*Server).describeStateMachineAlias),
		"DescribeStateMachineForExecution": op("executionArn", (*Server).describeStateMachineForExecution),
		"GetActivityTask":                  op("activityArn", (*Server).getActivityTask),
		"GetExecutionHistory":              op("executionArn", (*Server).getExecutionHistory),
		"ListActivities":                   op("", (*Server).listActivities),
		"ListExecutions":                   op("", (*Server).listExecutions),
		"ListMapRuns":                      op("executionArn", (*Server).listMapRuns),
		"ListStateMachineAliases":          op("stateMachineArn", (*Server).listStateMachineAliases),
		"ListStateMachineVersions":         op("stateMachineArn", (*Server).listStateMachineVersions),
		"ListStateMachines":                op("", (*Server).listStateMachines),
		"ListTagsForResource":              op("resourceArn", (*Server).listTagsForResource),
		"PublishStateMachineVersion":       op("stateMachineArn", (*Server).publishStateMachineVersion),
		"RedriveExecution":                 op("executionArn", (*Server).redriveExecution),
		"SendTaskFailure":                  op("taskToken", (*Server).sendTaskFailure),
		"SendTaskHeartbeat":                op("taskToken", (*Server).sendTaskHeartbeat),
		"SendTaskSuccess":                  op("output taskToken", (*Server).sendTaskSuccess),
		"StartExecution":                   op("stateMachineArn", (*Server).startExecution),
		"StartSyncExecution":               op("stateMachineArn", (*Server).startSyncExecution),
		"StopExecution":                    op("executionArn", (*Server).stopExecution),
		"TagResource":                      op("resourceArn tags", (*Server).tagResource),
		"TestState":                        op("definition", (*Server).testState),
		"UntagResource":                    op("resourceArn tagKeys", (*Server).untagResource),
		"UpdateMapRun":                     op("mapRunArn", (*Server).updateMapRun),
		"UpdateStateMachine":               op("stateMachineArn", (*Server).updateStateMachine),
		"UpdateStateMachineAlias":          op("stateMachineAliasArn", (*Server).updateStateMachineAlias),
		"ValidateStateMachineDefinition":   op("definition", (*Server).validateStateMachineDefinition),
	}
}

func (s *Server) validateStateMachineDefinition(_ *call, in *sfn.ValidateStateMachineDefinitionInput) (*value.Object,
	error) {
	return verdict.Validate(in, s.options.Spec.Dialect)
}

func (s *Server) testState(c *call, in *sfn.TestStateInput) (*value.Object, error) {
	raw, _ := c.configured()
	return verdict.State(in, raw, s.now(), s.seed())
}
