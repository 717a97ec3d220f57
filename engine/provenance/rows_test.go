package provenance_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/provenance"
	"asldb/engine/value"
)

// A ResultWriter puts the results where nothing reads them: what a path misses in its own result was not lost in an iteration.
func TestNothingIsLostBehindAResultWriter(t *testing.T) {
	s := run(t, `{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.l","ResultPath":"$.written",
		"ResultWriter":{"Resource":"arn:aws:states:::s3:putObject","Parameters":{"Bucket":"b"}},
		"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I","States":{
			"I":{"Type":"Pass","End":true}}},"Next":"R"},
		"R":{"Type":"Pass","InputPath":"$.written[0]","End":true}}}`, `{"l":[{"n":1},{"n":2}]}`)
	end := s.Log().Len() - 1
	loss, err := lensOf(s).Loss(end, "$.written[0]")
	if err != nil {
		t.Fatal(err)
	}
	if loss.Kind != provenance.NeverThere {
		t.Errorf("it is said to be lost: %s", lossText(loss))
	}
	w, err := lensOf(s).Forward(0, "$.l[1].n")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "the way of an item", tree(w), `
		|moved M ItemsPath $.l[1].n>$[1].n = 2
		|  moved M $[1].n>$.n = 2
		|    read M ResultWriter $.n = 2`)
}

// One item of a FLATTEN result leads back to the output of its iteration, whatever its value is.
func TestFlattenedResults(t *testing.T) {
	s := run(t, `{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.l","ResultWriter":{"WriterConfig":{"OutputType":"JSON","Transformation":"FLATTEN"}},
		"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I","States":{
			"I":{"Type":"Pass","End":true}}},"End":true}}}`, `{"l":[[5,5],[5],7]}`)
	w, err := lensOf(s).Back(s.Log().Len()-1, "$[2]")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "the way back", tree(w), `
		|gathered M ResultWriter $[0]>$[2] = 5
		|  moved M $[1][0]>$[0] = 5
		|    moved M ItemsPath $.l[1][0]>$[1][0] = 5
		|      input $.l[1][0] = 5`)
}

// A batch leads to its items by their numbers, and not by their values.
func TestItemsOfABatch(t *testing.T) {
	s := run(t, `{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.l","ResultPath":"$.r","ItemBatcher":{"MaxItemsPerBatch":2,"BatchInput":{"of.$":"$.who"}},
		"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I","States":{
			"I":{"Type":"Pass","Parameters":{"k.$":"$.Items[0]","of.$":"$.BatchInput.of"},"End":true}}},"End":true}}}`, `{"l":[5,5,5],"who":"me"}`)
	end := s.Log().Len() - 1
	w, err := lensOf(s).Back(end, "$.r[1].k")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "the way of an item", tree(w), `
		|moved M ResultPath $[1].k>$.r[1].k = 5
		|  gathered M $.k>$[1].k = 5
		|    moved M/Iterations[1]/I Parameters/k.$ $.Items[0]>$.k = 5
		|      moved M $[1].Items[0]>$.Items[0] = 5
		|        moved M ItemBatcher $[2]>$[1].Items[0] = 5
		|          moved M ItemsPath $.l[2]>$[2] = 5
		|            input $.l[2] = 5`)
	if w, err = lensOf(s).Back(end, "$.r[0].of"); err != nil {
		t.Fatal(err)
	}
	wantText(t, "the way of the shared input", tree(w), `
		|moved M ResultPath $[0].of>$.r[0].of = "me"
		|  gathered M $.of>$[0].of = "me"
		|    moved M/Iterations[0]/I Parameters/of.$ $.BatchInput.of>$.of = "me"
		|      moved M $[0].BatchInput.of>$.BatchInput.of = "me"
		|        moved M ItemBatcher/BatchInput/of.$ $.who>$[0].BatchInput.of = "me"
		|          input $.who = "me"`)
}

// Assign of a state that works reads what the work gave, before ResultSelector, ResultPath and OutputPath; in a Pass
// it reads the Result, and without one what Parameters make.
func TestAssignReadsTheResult(t *testing.T) {
	const after = `"ResultSelector":{"x":"selected"},"ResultPath":"$.put","OutputPath":"$.put",`
	const branch = `{"StartAt":"I","States":{"I":{"Type":"Pass","Result":{"n":4},"End":true}}}`
	for _, test := range []struct {
		name, state string
		path, want  string
		kind        provenance.Kind
	}{
		{"a Task", `"Type":"Task","Resource":"r",` + after, "$.n", `1`, provenance.Result},
		{"a Parallel", `"Type":"Parallel","Branches":[` + branch + `],` + after, "$[0].n", `4`, provenance.Literal},
		{"a Map", `"Type":"Map","ItemsPath":"$.l","ItemProcessor":` + branch + `,` + after, "$[0].n",
			`4`, provenance.Literal},
		{"a Pass with a Result", `"Type":"Pass","Parameters":{"n":2},"Result":{"n":3},"ResultPath":"$.put",`,
			"$.n", `3`, provenance.Literal},
		{"a Pass without a Result", `"Type":"Pass","Parameters":{"n.$":"$.in"},"ResultPath":"$.put",`,
			"$.n", `6`, provenance.Input},
	} {
		s := run(t, `{"StartAt":"A","States":{"A":{`+test.state+`"Assign":{"x.$":"`+test.path+`"},"Next":"R"},
			"R":{"Type":"Pass","Parameters":{"x.$":"$x"},"End":true}}}`, `{"in":6,"n":7,"l":[{"n":8}]}`,
			engine.Outcome{Output: value.Must(`{"n":1}`)})
		end := s.Log().Len() - 1
		if got := value.Compact(s.Log().At(end).After); got != `{"x":`+test.want+`}` {
			t.Errorf("%s: the output is %s, want x = %s", test.name, got, test.want)
		}
		done := asl.FlowOf(s.Machine().Definition().Lookup("A"), true).LaneOf(asl.LaneDone, 0)
		var from []asl.Register
		for _, m := range done.Moves {
			for _, part := range m.Parts() {
				if part.To.Variable == "x" {
					from = append(from, part.From[0].Register)
				}
			}
		}
		if len(from) != 1 || from[0] != asl.RegisterResult {
			t.Errorf("%s: the table reads %v, want the result", test.name, from)
		}
		w, err := lensOf(s).Back(end, "$.x")
		if err != nil {
			t.Fatal(err)
		}
		var last *provenance.Node
		for _, n := range w.All() {
			last = n
		}
		if last == nil || last.Kind != test.kind {
			t.Errorf("%s: the way back is\n%s", test.name, tree(w))
		}
	}
}
