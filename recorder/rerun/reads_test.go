package rerun

import (
	"encoding/json"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/source"
)

// A definition may be run again without a search for names only where nothing in it can read them.
func TestReadsNames(t *testing.T) {
	for text, want := range map[string]bool{
		"$.a.b": false, "$$.Execution.StartTime": false, "States.Format('{}', $$.Map.Item.Value)": false,
		"$$.Task.Token": false, "$$.State.Name": false,
		"{% $states.input.a & $states.result.b %}": false, "{% $states.context.Execution.Input.name %}": false,
		"{% $states.context.Map.Item.Index %}": false,
		"$$.Execution.Name":                    true, "$$.Execution.Id": true, "$$.StateMachine.Id": true, "$$": true,
		"$$.Execution": true, "$$['Execution'].Name": true, "$$..Name": true,
		"$$.Map.Item.Value == $$.Execution.Name": true, "$$.Mapping": true, "$$.Execution.Inputs": true,
		"{% $states %}": true, "{% $states.context %}": true, "{% $states . context.Execution.Name %}": true,
		"{% $states.context.Execution.Name %}": true,
		"{% $states.context.*.Name %}":         true, "{% $states.`context`.StateMachine %}": true,
		"{% ($c := $states; $c.input) %}": true, "{% $states.inputs %}": true,
		"{% $states.context.Map.Item.%.%.Execution.Name %}": true, "DISTRIBUTED": true,
	} {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		file := &source.File{Name: "a.json", Data: []byte(
			`{"StartAt":"A","States":{"A":{"Type":"Pass","Result":[{"b":` + string(quoted) + `}],"End":true}}}`)}
		definition, problems := asl.Parse(file)
		if definition == nil {
			t.Fatal(problems)
		}
		if got := readsNames(definition); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if !readsNames(nil) {
		t.Error("nothing is known of no definition")
	}
}
