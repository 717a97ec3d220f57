package serve

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/sfn"

	"asldb/engine/lint"
	"asldb/engine/source"
	"asldb/engine/teststate"
	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/project"
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

// problemsOf returns the problems in the error of a text that cannot be read as a definition.
func problemsOf(err error) (problems []source.Diagnostic, ok bool) {
	problems, _ = launch.ProblemsOf(err)
	return problems, problems != nil
}

func (s *Server) validateStateMachineDefinition(_ *call, in *sfn.ValidateStateMachineDefinitionInput) (*value.Object,
	error) {
	if in.MaxResults > 100 {
		return nil,
			faultf(validation,
				"1 validation error detected: Value '%d' at 'maxResults' failed to satisfy constraint: "+
					"Member must have value less than or equal to 100", in.MaxResults)
	}
	file := &source.File{Name: "definition.asl.json", Data: []byte(*in.Definition)}
	checked := project.Checked{Given: file}
	found, err := definitions.TextOf(file)
	if err != nil {
		checked.Problems, _ = problemsOf(err)
	} else {
		found.Express = string(in.Type) == express
		checked.Problems, checked.Source, checked.Root = found.Problems(lint.Options{Dialect: s.options.Spec.Dialect}),
			found.Source, found.Root
	}
	reply, _ := project.Reply(&checked, project.Options{Max: int(in.MaxResults),
		Own: in.Severity == "WARNING"}).(*value.Object)
	list, _ := reply.Get("diagnostics").(*value.Array)
	var kept []value.Value
	for _, item := range list.All() {
		d, _ := item.(*value.Object)
		if in.Severity == "WARNING" || d.Text("severity") == "ERROR" {
			kept = append(kept, d.Without("wording"))
		}
	}
	return reply.With("diagnostics", value.NewArray(kept)), nil
}

func (s *Server) testState(c *call, in *sfn.TestStateInput) (*value.Object, error) {
	raw, _ := c.configured()
	r := &teststate.Request{
		Definition: &source.File{Name: "definition.asl.json", Data: []byte(*in.Definition)}, StateName: in.StateName,
		RoleARN:       deref(in.RoleArn),
		RevealSecrets: in.RevealSecrets, Start: s.now(), Seed: s.seed(),
	}
	read := func(text *string, subject string) (v value.Value, err error) {
		if text == nil {
			return nil, nil
		}
		if v, err = value.ParseString(*text); err != nil {
			return nil, faultf("InvalidExecutionInput", "Invalid %s: '%s'", subject, jackson(*text))
		}
		return v, nil
	}
	var err error
	if r.Input, err = read(in.Input, "State Machine Execution Input"); err != nil {
		return nil, err
	}
	if r.Variables, err = read(in.Variables, "Variables"); err != nil {
		return nil, err
	}
	if r.Context, err = read(in.Context, "Context"); err != nil {
		return nil, err
	}
	if r.Level, err = teststate.ParseLevel(string(in.InspectionLevel)); err != nil {
		return nil, refused(err)
	}
	if mock := raw.Get("mock"); in.Mock != nil {
		if r.Mock, err = teststate.ParseMock(mock); err != nil {
			return nil, refused(err)
		}
	}
	if given := raw.Get("stateConfiguration"); in.StateConfiguration != nil {
		if r.Configuration, err = teststate.ParseConfiguration(given); err != nil {
			return nil, refused(err)
		}
	}
	reply, err := teststate.Run(r)
	if err != nil {
		return nil, refused(err)
	}
	return reply.Object(false), nil
}

// refused is an error of TestState as one of the API.
func refused(err error) error {
	refusal, ok := err.(*teststate.Refusal)
	switch {
	case !ok:
		return faultf(validation, "%s", err.Error())
	case strings.HasSuffix(refusal.Name, "Error"): // the SDK's own, before it sends anything
		return faultf(validation, "%s", refusal.Message)
	}
	return faultf(refusal.Name, "%s", refusal.Message)
}
