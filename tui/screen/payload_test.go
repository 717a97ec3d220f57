package screen

import (
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
)

// TestPayloadOf: which data of a state are the parameters of its call.
func TestPayloadOf(t *testing.T) {
	const resource = "arn:aws:states:::dynamodb:putItem"
	template := &asl.TemplateField{}
	for _, test := range []struct {
		name  string
		state *asl.State
		stage engine.Stage
		want  bool
	}{
		{"Parameters", &asl.State{Type: asl.Task, QueryLanguage: asl.JSONPath, Resource: resource, Parameters: template}, engine.StageParameters, true},
		{"before Parameters", &asl.State{Type: asl.Task, QueryLanguage: asl.JSONPath, Resource: resource, Parameters: template}, engine.StageInputPath, false},
		{"Arguments", &asl.State{Type: asl.Task, QueryLanguage: asl.JSONata, Resource: resource, Arguments: template}, engine.StageParameters, true},
		{"before Arguments", &asl.State{Type: asl.Task, QueryLanguage: asl.JSONata, Resource: resource, Arguments: template}, engine.StageInput, false},
		{"the input", &asl.State{Type: asl.Task, QueryLanguage: asl.JSONPath, Resource: resource}, engine.StageInput, true},
		{"before InputPath", &asl.State{Type: asl.Task, QueryLanguage: asl.JSONPath, Resource: resource, InputPath: &asl.PathField{}}, engine.StageInput, false},
		{"the result", &asl.State{Type: asl.Task, QueryLanguage: asl.JSONPath, Resource: resource}, engine.StageResult, false},
		{"a function", &asl.State{Type: asl.Task, QueryLanguage: asl.JSONPath, Resource: "arn:aws:lambda:eu-west-1:123456789012:function:f"}, engine.StageInput, false},
		{"another type", &asl.State{Type: asl.Pass, QueryLanguage: asl.JSONPath, Parameters: template}, engine.StageParameters, false},
	} {
		if call := payloadOf(test.state, test.stage); (call != nil) != test.want {
			t.Errorf("%s: %v", test.name, call)
		}
	}
}
