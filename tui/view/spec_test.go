package view

import (
	"testing"

	"asldb/engine/asl"
	"asldb/engine/source"
)

func TestStateOf(t *testing.T) {
	definition, _ := asl.Parse(&source.File{Name: "a.json", Data: []byte(`{"StartAt":"A","States":{
		"A":{"Type":"Pass","Next":"A b"},"A b":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"In","States":{"In":{"Type":"Pass","End":true}}}]}}}`)})
	for spec, want := range map[string]string{
		"A": "A", "A if $.x": "A", "A b:Output": "A b", "Ab": "", "": "", "error": "", "A b/Branches[0]/In if 1": "In", "In": "In",
	} {
		got := ""
		if state := StateOf(definition, spec); state != nil {
			got = state.Name
		}
		if got != want {
			t.Errorf("%q: %q, want %q", spec, got, want)
		}
	}
}
