package provenance_test

import (
	"errors"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/value"
)

// In a distributed Map $$.Execution.Input is the item; a batch holds items of the list.
func TestThroughADistributedMap(t *testing.T) {
	const flow = `{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.list","ItemBatcher":{"MaxItemsPerBatch":2},"ItemProcessor":{
		"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I","States":{
		"I":{"Type":"Pass","Parameters":{"n.$":"$$.Execution.Input.Items[1].n"},"End":true}}},"End":true}}}`
	s := run(t, flow, `{"list":[{"n":1},{"n":2},{"n":3},{"n":4}]}`)
	end := s.Log().Len() - 1
	w, err := lensOf(s).Back(end, "$[1].n")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "the way back", tree(w), `
		|gathered M $.n>$[1].n = 4
		|  moved M/Iterations[1]/I Parameters/n.$ $.Items[1].n>$.n = 4
		|    moved M $[1].Items[1].n>$.Items[1].n = 4
		|      moved M ItemBatcher $[3].n>$[1].Items[1].n = 4
		|        moved M ItemsPath $.list[3].n>$[3].n = 4
		|          input $.list[3].n = 4`)
	if w, err = lensOf(s).Forward(0, "$.list[3]"); err != nil {
		t.Fatal(err)
	}
	wantText(t, "the way forward", tree(w), `
		|moved M ItemsPath $.list[3]>$[3] = {"n":4}
		|  moved M ItemBatcher $[3]>$[1].Items[1] = {"n":4}
		|    moved M $[1].Items[1]>$.Items[1] = {"n":4}
		|      moved M/Iterations[1]/I Parameters/n.$ $.Items[1].n>$.n = 4
		|        gathered M $.n>$[1].n = 4
		|          output $[1].n = 4
		|dropped M ResultPath $.list[3]> = {"n":4}`)
}

// The same in JSONata: Items, an ItemSelector, conditions, a Wait, Arguments, a default output.
func TestThroughEachFieldOfJSONata(t *testing.T) {
	const flow = `{"QueryLanguage":"JSONata","StartAt":"M","States":{
		"M":{"Type":"Map","Items":"{% $states.input.list %}","ItemSelector":{"x":"{% $states.context.Map.Item.Value.n %}","k":"{% $states.input.k %}"},
			"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","Output":{"y":"{% $states.input.x %}"},"End":true}}},
			"Output":{"ys":"{% $states.result.y %}","k":"{% $states.input.k %}"},"Next":"C"},
		"C":{"Type":"Choice","Choices":[{"Condition":"{% $states.input.k > 9 %}","Next":"F"},
			{"Condition":"{% $states.input.k > 1 %}","Output":{"ys":"{% $states.input.ys %}","k":"{% $states.input.k %}"},"Assign":{"kk":"{% $states.input.k %}"},"Next":"W"}],"Default":"F"},
		"W":{"Type":"Wait","Seconds":"{% $states.input.k %}","Next":"T"},
		"T":{"Type":"Task",` + lambda + `,"Arguments":{"k":"{% $kk %}"},"Next":"F"},
		"F":{"Type":"Fail","Error":"{% $string($states.input.k) %}"}}}`
	s := run(t, flow, `{"k":2,"list":[{"n":5},{"n":6}]}`)
	ends := indexOf(t, s.Log(), func(e *engine.Event) bool { return e.Type == engine.StateEntered && e.Visit.State.Name == "W" })
	w, err := lensOf(s).Back(ends, "$.ys[1]")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "an item", tree(w), `
		|moved C Choices[1]/Output/ys $.ys[1]>$.ys[1] = 6
		|  moved M Output/ys $[1].y>$.ys[1] = 6
		|    gathered M $.y>$[1].y = 6
		|      moved M/Iterations[1]/I Output/y $.x>$.y = 6
		|        moved M ItemSelector/x $[1].n>$.x = 6
		|          moved M Items $.list[1].n>$[1].n = 6
		|            input $.list[1].n = 6`)
	if w, err = lensOf(s).Forward(0, "$.k"); err != nil {
		t.Fatal(err)
	}
	wantText(t, "the way forward", tree(w), `
		|moved M ItemSelector/k $.k>$.k = 2 x2
		|  dropped M/Iterations[0]/I Output $.k> = 2 x2
		|moved M Output/k $.k>$.k = 2
		|  read C Choices[0]/Condition $.k = 2
		|  read C Choices[1]/Condition $.k = 2
		|  moved C Choices[1]/Assign/kk $.k>$kk = 2
		|    moved T Arguments/k $kk>$.k = 2
		|      sent T Resource $.k = 2
		|  moved C Choices[1]/Output/k $.k>$.k = 2
		|    read W Seconds $.k = 2
		|    dropped T Output $.k> = 2`)
	for _, p := range w.Passages {
		if p.Visit.State.Name == "T" && (p.Role != provenance.Loses || p.In[0] != "$.k") {
			t.Errorf("T %s %v", p.Role, p.In)
		}
	}
	for _, e := range w.Edges {
		edge, ok := e.Transition()
		if e.From.State.Name == "C" && (!ok || edge != 1) || e.Kind == provenance.IntoChild && ok {
			t.Errorf("%s of %s is transition %d (%v)", e.Kind, e.From.Path(), edge, ok)
		}
	}
}

// An edit by hand leaves the members that it did not change; the context object and a Result are origins.
func TestEditsLiteralsAndContext(t *testing.T) {
	s := debug.New(machineOf(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","Result":{"r":[1,{"s":2}]},"ResultPath":"$.a","Next":"B"},
		"B":{"Type":"Pass","Parameters":{"name.$":"$$.State.Name","both.$":"States.Format('{} {}', $$.State.Name, $.o.x)","s.$":"$.a.r[1].s","o.$":"$.o"},"End":true}}}`),
		debug.Options{Input: value.Must(`{"o":{"x":1},"p":{"y":2}}`)})
	if _, err := s.Do(debug.Command{Kind: debug.RunTo, Target: "B"}); err != nil {
		t.Fatal(err)
	}
	data, _ := s.Log().At(s.Log().Len() - 1).After.(*value.Object)
	if err := s.Interventions().Edit(0, data.With("p", value.Must(`{"y":3}`))); err != nil {
		t.Fatal(err)
	}
	reach(t, s, debug.StoppedAtEnd)
	end := s.Log().Len() - 1
	for at, want := range map[string]string{
		"$.name": `context B Parameters/name.$ $.name = "B"`,
		"$.both": `
			|computed B Parameters/both.$ $.both = "B 1"
			|  context $$.State.Name = "B" of $$.State.Name
			|  input $.o.x = 1 of $.o.x`,
		"$.s": `
			|moved B Parameters/s.$ $.a.r[1].s>$.s = 2
			|  moved A ResultPath $.r[1].s>$.a.r[1].s = 2
			|    literal A Result/r[1]/s $.r[1].s = 2`,
	} {
		w, err := lensOf(s).Back(end, at)
		if err != nil {
			t.Fatal(err)
		}
		got := tree(w)
		if at == "$.both" {
			got = replaceOnce(got, "context B $$", "context $$")
		}
		wantText(t, at, got, want)
	}
	for at, want := range map[string]string{
		"$.p.y": `dropped B $.p.y> = 2`,
		"$.o.x": `
			|computed B Parameters/both.$ $.o.x>$.both = "B 1"
			|  output $.both = "B 1"
			|moved B Parameters/o.$ $.o.x>$.o.x = 1
			|  output $.o.x = 1`,
	} {
		w, err := lensOf(s).Forward(0, at)
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, at, tree(w), want)
	}
	w, err := lensOf(s).Back(end, "$$.Execution.Input.o.x")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "the execution's input", tree(w), `input $.o.x = 1`)
	if w, err = lensOf(s).Back(end-1, "$$.State.Name"); err != nil || len(w.Nodes) != 1 || w.Nodes[0].Kind != provenance.Context || value.Compact(w.Value) != `"B"` {
		t.Errorf("the context object: %v, %v", w, err)
	}
	if w, err = lensOf(s).Forward(end-1, "$$.State.Name"); err != nil || len(w.Nodes) != 0 {
		t.Errorf("forward from the context object: %v, %v", w, err)
	}
	var miss *path.MissError
	if _, err = lensOf(s).Back(end-1, "$$.State.Nmae"); !errors.As(err, &miss) || miss.Suggestion != "Name" {
		t.Error(err)
	}
}

func replaceOnce(text, old, with string) string {
	for i := 0; i+len(old) <= len(text); i++ {
		if text[i:i+len(old)] == old {
			return text[:i] + with + text[i+len(old):]
		}
	}
	return text
}

// Variables of an outer scope, and those that a state left as they were.
func TestVariablesOfScopes(t *testing.T) {
	s := run(t, `{"StartAt":"A","States":{
		"A":{"Type":"Pass","Assign":{"v.$":"$.x","w":1},"Next":"B"},
		"B":{"Type":"Pass","Assign":{"w":2},"Next":"P"},
		"P":{"Type":"Parallel","Branches":[{"StartAt":"I","States":{"I":{"Type":"Pass","Parameters":{"in.$":"$v"},"End":true}}}],"End":true}}}`, `{"x":7}`)
	w, err := lensOf(s).Back(s.Log().Len()-1, "$[0].in")
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "the way", tree(w), `
		|gathered P $.in>$[0].in = 7
		|  moved P/Branches[0]/I Parameters/in.$ $v>$.in = 7
		|    moved A Assign/v.$ $.x>$v = 7
		|      input $.x = 7`)
	wantText(t, "the route", passed(w.Passages, w.Edges), `
		|moved A $.x>$v
		|carried B $v>$v
		|moved P $v>$[0].in
		|moved P/Branches[0]/I $v>$.in
		|next(0) A>B $v
		|next(0) B>P $v
		|into(0) P>P/Branches[0]/I $v
		|outOf(0) P/Branches[0]/I>P $.in`)
	b := indexOf(t, s.Log(), func(e *engine.Event) bool { return e.Stage == engine.StageAssign && e.Visit.State.Name == "B" })
	if w, err = lensOf(s).Back(b, "$.v"); err != nil {
		t.Fatal(err)
	}
	wantText(t, "v among the variables of B", tree(w), `
		|moved A Assign/v.$ $.x>$v = 7
		|  input $.x = 7`)
}

// Without an Explainer the operands of JSONata are all that the expression names.
func TestOperandsWithoutEvaluation(t *testing.T) {
	s := debug.New(machineOf(t, `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","Output":{"r":"{% $states.input.a ? $states.input.b + 0 : $states.input.c + 0 %}"},"End":true}}}`),
		debug.Options{Input: value.Must(`{"a":true,"b":1,"c":2}`), Source: sourcetest.Func(echoing)})
	reach(t, s, debug.StoppedAtEnd)
	l := lensOf(s)
	for _, test := range []struct {
		explainer *provenance.Explainer
		want      string
	}{
		{l.Explainer, `
			|computed A Output/r $.r = 1
			|  input $.a = true of $states.input.a
			|  input $.b = 1 of $states.input.b`},
		{nil, `
			|computed A Output/r $.r = 1
			|  input $.a = true of $states.input.a
			|  input $.b = 1 of $states.input.b
			|  input $.c = 2 of $states.input.c`},
	} {
		l.Explainer = test.explainer
		w, err := l.Back(s.Log().Len()-1, "$.r")
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, "the way", tree(w), test.want)
	}
}
