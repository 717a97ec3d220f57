package engine_test

import (
	"errors"
	"slices"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// TestStatesArePlannedOnEntry: of a large definition only the states that are entered are made ready to run, and what
// the engine cannot run is told when the definition is compiled all the same.
func TestStatesArePlannedOnEntry(t *testing.T) {
	const definition = `{"StartAt":"A","States":{
		"A":{"Type":"Task","Resource":"r","ResultPath":"$.a","Catch":[{"ErrorEquals":["States.ALL"],"Next":"C"}],"Next":"B"},
		"B":{"Type":"Pass","Result":1,"End":true},"C":{"Type":"Pass","Result":2,"End":true}}}`
	machine := compile(t, definition, engine.AWS)
	if got := machine.Planned(); len(got) > 0 {
		t.Errorf("before a run %v are ready", got)
	}
	input, o := value.Must(`{}`), engine.StartOptions{Seed: 1}
	first, second := machine.Start(input, o), machine.Start(input, o)
	drive(t, first, nil)
	if got := machine.Planned(); !slices.Equal(got, []string{"A", "B"}) {
		t.Errorf("%v are ready, want A and B", got)
	}
	drive(t, second, func(*engine.TaskRequest) engine.Outcome { return engine.Outcome{Error: "Other"} })
	if got := machine.Planned(); !slices.Equal(got, []string{"A", "B", "C"}) {
		t.Errorf("%v are ready, want all", got)
	}
	wantOutput(t, second, `2`)
	parsed, problems := asl.Parse(&source.File{Name: "m.json", Data: []byte(`{"StartAt":"A","States":{
		"A":{"Type":"Pass","Next":"M"},"M":{"Type":"Map","ItemReader":{"Resource":"arn:aws:states:::other:read"},
		"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"P",
		"States":{"P":{"Type":"Succeed"}}},"End":true}}}`)})
	if parsed == nil {
		t.Fatal(problems)
	}
	_, err := engine.Compile(parsed, engine.AWS)
	var unsupported *engine.UnsupportedError
	if !errors.As(err, &unsupported) || unsupported.State.Name != "M" {
		t.Errorf("compiling says %v, want what M needs", err)
	}
}
