package asl_test

import (
	"testing"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/source"
)

// TestFlowOfErrors: the moves of a state with an error can be asked for, too.
func TestFlowOfErrors(t *testing.T) {
	for _, states := range []string{
		`"A": {"Type": "Choice", "Choices": [{"And": [null, {"Variable": "$.a"}], "Next": "B"}, null, 3]}`,
		`"A": {"Type": "Map", "ItemProcessor": null, "ItemReader": 1, "ItemBatcher": {"BatchInput": 1}, "ResultWriter": []}`,
		`"A": {"Type": "Parallel", "Branches": [null, {"StartAt": 1}], "Catch": [null, {"Assign": 1}], "Retry": 1}`,
		`"A": {"Type": "Task", "Resource": 1, "Credentials": 1, "TimeoutSeconds": "x", "TimeoutSecondsPath": 1}`,
		`"A": {"Type": "None", "Choices": 1}, "B": null, "C": 1`,
		`"A": {"Type": "Fail", "ErrorPath": "$[", "CausePath": 1}, "B": {"Type": "Wait", "Seconds": "{% 1"}`,
	} {
		for _, head := range []string{"", `"QueryLanguage": "JSONata", `} {
			src := &source.File{Name: "t.json", Data: []byte(`{` + head + `"StartAt": "A", "States": {` + states +
				`}}`)}
			root, problem := source.Read(src, nil)
			if problem != nil {
				t.Fatal(problem.Message)
			}
			m, _ := asl.Examine(src, root, rules.AWS)
			if m == nil {
				continue
			}
			for s := range m.All() {
				for _, move := range asl.FlowOf(s, true).Moves() {
					move.Parts()
				}
			}
		}
	}
}
