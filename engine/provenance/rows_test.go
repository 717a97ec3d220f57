package provenance_test

import (
	"testing"

	"asldb/engine/provenance"
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
