package explain_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// written writes an explanation without the numbers of events and the places behind its lines.
func written(text explain.Text) string {
	return regexp.MustCompile(`(?m)  event \d+(?: #\d+)?|  \S+:\d+:\d+$`).
		ReplaceAllString(strings.Join(explain.Plain(40).Lines(text), "\n"), "")
}

// The sentences for the nodes of ways, back and forward.
func TestWay(t *testing.T) {
	log := runs.Run(runs.Machine(`{"StartAt":"A","States":{
"A":{`+lambda+`,"Parameters":{"n.$":"States.MathAdd($.n, 1)","fix":1},"ResultPath":"$.r","Retry":[{"ErrorEquals":["Busy"]}],
"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"P"}],"Next":"P"},
"P":{"Type":"Parallel","Branches":[{"StartAt":"I","States":{"I":{"Type":"Pass","OutputPath":"$.n","End":true}}}],"ResultPath":"$.p","Next":"C"},
"C":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":9,"Next":"S"}],"Default":"S"},
"S":{"Type":"Succeed","OutputPath":"$.p"}}}`), `{"n":1}`, runs.InTurn(engine.Outcome{Error: "Busy"}, engine.Outcome{Output: value.Must(`{"id":"x"}`)}))
	lens := &provenance.Lens{Log: log}
	exit := 0
	for i := range log.Len() {
		if event := log.At(i); event.Type == engine.StateEntered && event.Visit.State.Name == "S" {
			exit = i
		}
	}
	for _, test := range []struct {
		path    string
		forward bool
		want    string
	}{
		{"$.r.id", false, `A ResultPath $.r.id = "x", from $.id
  A returned $.id = "x", attempt 2`},
		{"$.p[0]", false, `P ResultPath $.p[0] = 1, from $[0]
  P $[0] = 1, from its branch 0
    [0] I OutputPath $ = 1, from $.n
      input $.n = 1`},
		{"$.n", true, `C Choices[0] reads $.n
S OutputPath drops $.n`},
	} {
		way, err := lens.Back(exit, test.path)
		if test.forward {
			way, err = lens.Forward(log.Len()-8, test.path)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := written(explain.Way(way, log)); got != test.want {
			t.Errorf("%s is\n%s\nwant\n%s", test.path, got, test.want)
		}
	}
	first, err := lens.Forward(0, "$.n")
	if err != nil {
		t.Fatal(err)
	}
	if got := written(explain.Way(first, log)); !strings.HasPrefix(got,
		"A Parameters/n.$ $.n = 2, computed by States.MathAdd($.n, 1), 2 times\n") ||
		!strings.Contains(got, "\n  A sends $.n to its task, 2 times") {
		t.Error(got)
	}
	none, err := lens.Forward(log.Len()-1, "$")
	if err != nil || written(explain.Way(none, log)) != "No later stage reads it." {
		t.Error(written(explain.Way(none, log)), err)
	}
}

// The sentences for each kind of loss.
func TestLoss(t *testing.T) {
	for _, test := range []struct{ fields, path, want string }{
		{lambda, "$.a", `$.a is missing: $ has only id.
- A lost it: ResultPath $ (its default): the result replaced the whole input
  lost: a
  keep it with "ResultPath": "$.result"
It was last at the input of A: $.a = {"b":1}
  input $.a = {"b":1}`},
		{lambda + `,"ResultPath":"$.a"`, "$.a.b", "ResultPath $.a: the result replaced the value there"},
		{lambda + `,"ResultPath":null`, "$.id", "ResultPath null discards the result"},
		{lambda + `,"ResultPath":"$.r"`, "$.id", "$.id is missing: $ has only a and r.\nThe value is at $.r.id: ResultPath $.r put the result there"},
		{lambda + `,"ResultSelector":{"x":{}},"ResultPath":"$.r"`, "$.r.id", `
- A lost it: ResultSelector does not name it`},
		{`"Type":"Pass","OutputPath":"$.a"`, "$.a", "OutputPath $.a selects another part of the data"},
		{`"Type":"Pass","Assign":{"v":{"p":1}},"QueryLanguage":"JSONata","Output":{}`, "$.a", "keep it with \"a\": \"{% $states.input.a %}\" in Output"},
		{lambda + `,"QueryLanguage":"JSONata"`, "$.a", "A lost it: no Output: the result replaced the whole input"},
		{`"Type":"Pass"`, "$.c", "$.c is missing: $ has only a.\nNo data on its way had it."},
	} {
		machine := runs.Machine(
			"{\"StartAt\":\"A\",\"States\":{\"A\":{" + test.fields + `,"Next":"Z"},"Z":{"Type":"Succeed"}}}`,
		)
		log := runs.Run(machine, `{"a":{"b":1}}`, runs.InTurn(engine.Outcome{Output: value.Must(`{"id":"x"}`)}))
		loss, err := (&provenance.Lens{Log: log}).Loss(log.Len()-1, test.path)
		if err != nil {
			t.Fatal(test.fields, err)
		}
		if got := written(explain.Loss(loss, log)); !strings.Contains(got, test.want) {
			t.Errorf("%s of %s is\n%s\nwant\n%s", test.path, test.fields, got, test.want)
		}
	}
}

// A face finds the events and the places that a way names.
func TestWayLeadsToEventsAndPlaces(t *testing.T) {
	log := runs.Run(
		runs.Machine(
			"{\"StartAt\":\"A\",\"States\":{\"A\":{\"Type\":\"Pass\",\n\"Parameters\":{\"to.$\":\"$.n\"},\"End\":true}}}",
		),
		`{"n":1}`,
		runs.Echo,
	)
	way, err := (&provenance.Lens{Log: log}).Back(log.Len()-1, "$.to")
	if err != nil {
		t.Fatal(err)
	}
	events, places := 0, 0
	for _, span := range explain.Way(way, log)[0].Spans {
		if span.Event == 3 && span.Text == "event 3" { // after the starts of the execution and of the state
			events++
		}
		if span.Place != nil && span.Place.Span.Start.Line == 2 && span.Place.Pointer == "/States/A/Parameters/to.$" {
			places++
		}
	}
	if events != 1 || places != 2 {
		t.Errorf("%d spans lead to the event, and %d to the field", events, places)
	}
}

// The few words for a state in a drawing.
func TestPart(t *testing.T) {
	for _, test := range []struct {
		part provenance.StatePart
		want string
	}{
		{provenance.StatePart{Role: provenance.Carried, In: []string{"$.a"}, Out: []string{"$.a"}}, "$.a"},
		{provenance.StatePart{Role: provenance.Carried, Out: []string{"$v", "$.b", "$.c"}}, "$v +2"},
		{provenance.StatePart{Role: provenance.Moves, In: []string{"$.a"}, Out: []string{"$.b"}}, "$.a -> $.b"},
		{provenance.StatePart{Role: provenance.Moves, In: []string{"$.a"}, Out: []string{"$.a"}}, "$.a"},
		{provenance.StatePart{Role: provenance.Makes, Out: []string{"$.b"}}, "made: $.b"},
		{provenance.StatePart{Role: provenance.Reads, In: []string{"$.b"}}, "reads $.b"},
		{provenance.StatePart{Role: provenance.Loses, In: []string{"$.b"}}, "lost here: $.b"},
		{provenance.StatePart{Role: provenance.Loses, Lost: &provenance.Loss{Field: "Catch[1]/ResultPath"}}, "lost here: ResultPath of catcher 2"},
		{provenance.StatePart{Role: provenance.Loses, Lost: &provenance.Loss{Field: "Choices[0]/Output"}}, "lost here: Output of rule 1"},
		{provenance.StatePart{Role: provenance.Loses, Lost: &provenance.Loss{Field: "Parameters/a.$"}}, "lost here: Parameters"},
		{provenance.StatePart{Role: provenance.Makes}, "made here"},
		{provenance.StatePart{Role: provenance.Lacks}, "missing"},
	} {
		if got := explain.Plain(40).Spans(explain.Part(&test.part)); got != test.want {
			t.Errorf("%v is %q, want %q", test.part, got, test.want)
		}
	}
}

// steps writes steps: the number of the event, the depth, the sentences, and the line of the definition.
func steps(list []explain.Step) string {
	var b strings.Builder
	w := explain.Plain(40)
	for i := range list {
		s := &list[i]
		fmt.Fprintf(&b, "%d %s%s", s.Event+1, strings.Repeat("  ", s.Depth), w.Spans(s.Head))
		for k := range s.Details {
			b.WriteString(" | " + w.Spans(s.Details[k].Spans))
		}
		if s.Place != nil {
			fmt.Fprintf(&b, " | line %d", s.Place.Span.Start.Line)
		}
		if s.Carried != nil {
			b.WriteString(" | " + w.Spans(s.Carried))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// A way as a list: only where it divides the entries go deeper, and the states between two entries are named.
func TestSteps(t *testing.T) {
	log := runs.Run(runs.Machine(`{"StartAt":"A","States":{
"A":{`+lambda+`,"ResultPath":"$.r","Next":"B"},
"B":{"Type":"Pass","Next":"C"},
"C":{"Type":"Pass","Parameters":{"to.$":"$.r.id","sum.$":"States.MathAdd($.n, $.m)"},"Next":"D"},
"D":{"Type":"Succeed"}}}`), `{"n":1,"m":2}`, runs.InTurn(engine.Outcome{Output: value.Must(`{"id":"x"}`)}))
	lens := &provenance.Lens{Log: log}
	end := log.Len() - 1
	for _, test := range []struct{ path, want string }{
		{"$.to", `10 C  $.to = "x" | Parameters/to.$: $.r.id | line 4 | through B
5 A  $.r.id = "x" | ResultPath: $.r, from $.id of the result | line 2
4 A  $.id = "x" | the task returned it | line 2
`},
		{"$.sum", `10 C  $.sum = 3 | Parameters/sum.$: States.MathAdd($.n, $.m) | line 4
1   input  $.n = 1
1   input  $.m = 2
`},
	} {
		way, err := lens.Back(end, test.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := steps(explain.Steps(way, log)); got != test.want {
			t.Errorf("%s is\n%s\nwant\n%s", test.path, got, test.want)
		}
	}
	forward, err := lens.Forward(0, "$.n")
	if err != nil {
		t.Fatal(err)
	}
	if got := steps(explain.Steps(forward, log)); !strings.Contains(got, "10 C  $.sum = 3") ||
		!strings.Contains(got, "3 A  $.n = 1 | sent to the task") {
		t.Errorf("forward $.n is\n%s", got)
	}
}

// A loss as a list: the reader, the state that lost it with the remedy, the last place, and the way before.
func TestLossSteps(t *testing.T) {
	log := runs.Run(runs.Machine(`{"StartAt":"A","States":{
"A":{`+lambda+`,
"Catch":[{"ErrorEquals":["States.ALL"],"Next":"B"}],"Next":"B"},
"B":{"Type":"Pass","InputPath":"$.who.mail","End":true}}}`), `{"who":{"mail":"m"}}`, runs.InTurn(engine.Outcome{Error: "Down"}))
	lens := &provenance.Lens{Log: log}
	event := 0
	for i := range log.Len() {
		if log.At(i).Type == engine.StageFailed {
			event = i
		}
	}
	loss, err := lens.Loss(event, "$.who.mail")
	if err != nil {
		t.Fatal(err)
	}
	list := explain.LossSteps(loss, log)
	got := steps(list)
	for _, want := range []string{"$.who.mail is missing: $ has only Error and Cause.", " | B reads it in InputPath", "A lost it: ResultPath $ (its default) of catcher 1", " | lost: who | keep it with \"ResultPath\": \"$.error\"", "It was last at the input of A: $.who.mail = \"m\"", "1 input  $.who.mail = \"m\""} {
		if !strings.Contains(got, want) {
			t.Errorf("the steps lack %q:\n%s", want, got)
		}
	}
	if list[1].Sign != explain.SignError || list[1].Visit.State.Name != "A" || list[2].Path != "$.who.mail" {
		t.Errorf("the steps are %+v", list)
	}
	never, err := lens.Loss(event, "$.Causes")
	if err != nil {
		t.Fatal(err)
	}
	if got := steps(explain.LossSteps(never, log)); strings.Count(got, "\n") != 1 ||
		!strings.Contains(got, "No data on its way had it.") {
		t.Errorf("a path that never was there: %s", got)
	}
}
