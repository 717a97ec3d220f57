package debug_test

import (
	"testing"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/engine/value"
)

// unfolded gathers what every stage evaluated: by event and place the value, or the error.
func unfolded(s *debug.Session) map[string]string {
	found := map[string]string{}
	note := func(i int, place string, v value.Value, err error) {
		text := "nothing"
		if v != nil {
			text = value.Compact(v)
		}
		if err != nil {
			text = "error " + err.Error()
		}
		found[s.Log().At(i).Visit.State.Name+" "+place] = text
	}
	for i := range s.Log().Len() {
		for _, e := range s.ExplainStage(i) {
			note(i, e.Location, e.Trace.Value, e.Err)
		}
		for _, e := range s.ExplainFields(i) {
			note(i, e.Pointer, e.Value, e.Err)
		}
	}
	return found
}

func expectUnfolded(t *testing.T, found, want map[string]string) {
	t.Helper()
	for place, text := range want {
		if found[place] != text {
			t.Errorf("%s gave %q, want %q (of %v)", place, found[place], text, found)
		}
	}
}

// In a payload template $ is the effective input, in an Assign the result, in an ItemSelector the Map's effective
// input with the item in the context object (specification, "Payload Template", "Map State").
func TestTemplatesAreUnfolded(t *testing.T) {
	s := session(t, `{"StartAt":"P","States":{
		"P":{"Type":"Pass","InputPath":"$.in","Parameters":{"a.$":"$.x","n.$":"States.MathAdd($.x, 1)"},"ResultPath":"$.p","Assign":{"kept.$":"$.n"},"Next":"M"},
		"M":{"Type":"Map","InputPath":"$.in","ItemsPath":"$.list","ItemSelector":{"v.$":"$$.Map.Item.Value","i.$":"$$.Map.Item.Index","x.$":"$.x","k.$":"$kept"},
			"MaxConcurrencyPath":"$.x","ToleratedFailureCountPath":"$.few","Iterator":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"ResultPath":null,"Next":"C"},
		"C":{"Type":"Choice","Choices":[{"Variable":"$.p.n","NumericEquals":1,"Assign":{"c":0},"Next":"E"},
			{"Variable":"$.p.n","NumericEquals":4,"Assign":{"c.$":"$.p.a"},"Next":"E"}],"Default":"E"},
		"E":{"Type":"Pass","Parameters":{"gone.$":"$.none"},"End":true}}}`,
		debug.Options{Input: value.Must(`{"in":{"x":3,"few":1,"list":["u","w"]}}`)})
	do(t, s, debug.Continue)
	expectUnfolded(t, unfolded(s), map[string]string{
		"P Parameters/a.$": "3", "P Parameters/n.$": "4", "P Assign/kept.$": "4",
		"M ItemSelector/v.$": `"w"`, "M ItemSelector/i.$": "1", "M ItemSelector/x.$": "3", "M ItemSelector/k.$": "4",
		"M MaxConcurrencyPath": "3", "M ToleratedFailureCountPath": "1", "C Assign/c.$": "3",
		"E Parameters/gone.$": `error $ has no member "none"; it has in, p`,
	})
}

// A rule's Output is unfolded while the run still stands in the Choice state, and an ItemSelector sees the item.
func TestQueriesAreUnfoldedInPlace(t *testing.T) {
	s := session(t, `{"QueryLanguage":"JSONata","StartAt":"C","States":{
		"C":{"Type":"Choice","Choices":[{"Condition":"{% $states.input.n > 5 %}","Output":{"big":"{% 1 %}"},"Next":"M"},
			{"Condition":"{% $states.input.n > 2 %}","Output":{"n":"{% $states.input.n + 1 %}","list":[5,6]},"Next":"M"}],"Default":"M","Output":"{% 'default' %}"},
		"M":{"Type":"Map","Items":"{% $states.input.list %}","ItemSelector":{"double":"{% $states.context.Map.Item.Value * 2 %}","at":"{% $states.context.Map.Item.Index %}"},
			"MaxConcurrency":"{% $states.input.n %}","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true}}}`,
		debug.Options{Input: value.Must(`{"n":3}`)})
	for range 100 {
		last := s.Log().Len() - 1
		if last >= 0 && s.Log().At(last).Stage == engine.StageOutputPath {
			break
		}
		do(t, s, debug.StepStage)
	}
	if s.Log().At(s.Log().Len()-1).Visit.State.Name != "C" {
		t.Fatal("the Choice's Output has not run")
	}
	expectUnfolded(t, unfolded(s), map[string]string{"C Choices[1]/Output/n": "4", "C Output": "", "C Choices[0]/Output/big": ""})
	do(t, s, debug.Continue)
	expectUnfolded(t, unfolded(s), map[string]string{
		"C Choices[1]/Output/n": "4", "M ItemSelector/double": "12", "M ItemSelector/at": "1", "M MaxConcurrency": "4",
	})
}

// LastChange names the event after which what a path selects is what it is now.
func TestLastChange(t *testing.T) {
	s := session(t, `{"StartAt":"A","States":{
		"A":{"Type":"Pass","Result":{"b":1},"ResultPath":"$.a","Next":"B"},
		"B":{"Type":"Pass","Result":2,"ResultPath":"$.z","Next":"C"},
		"C":{"Type":"Pass","InputPath":"$","Next":"D"},
		"D":{"Type":"Pass","InputPath":"$.a","End":true}}}`, debug.Options{Input: value.Must(`{"first":true}`)})
	do(t, s, debug.Continue)
	at := map[string]int{}
	for i := range s.Log().Len() {
		if e := s.Log().At(i); e.Type == engine.StateEntered {
			at[e.Visit.State.Name] = i
		}
	}
	for _, test := range []struct{ state, path, want string }{
		{"C", "$.a", "ResultPath of A"}, {"C", "$.a.b", "ResultPath of A"}, {"C", "$.z", "ResultPath of B"},
		{"C", "$", "ResultPath of B"}, {"C", "$.first", "the beginning"}, {"C", "$.none", "no"}, {"C", "$$.State", "no"}, {"D", "$.b", "no"},
	} {
		got := "no"
		if i, ok := s.LastChange(at[test.state], test.path); ok {
			got = "the beginning"
			if i >= 0 {
				got = s.Log().At(i).Stage.String() + " of " + s.Log().At(i).Visit.State.Name
			}
		}
		if got != test.want {
			t.Errorf("%s in %s: %s, want %s", test.path, test.state, got, test.want)
		}
	}
}
