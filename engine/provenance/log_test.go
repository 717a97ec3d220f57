package provenance_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

func indexOf(t *testing.T, log *runlog.Log, fits func(*engine.Event) bool) int {
	t.Helper()
	for i := range log.Len() {
		if fits(log.At(i)) {
			return i
		}
	}
	t.Fatal("there is no such event")
	return -1
}

func TestHopsAndBefore(t *testing.T) {
	log := runs.Run(runs.Machine(order), orderInput, runs.InTurn(engine.Outcome{Output: value.Must(`{"id":"ch_1"}`)}))
	end := log.Len() - 1
	hops, err := provenance.Of(log, end, "$.payment.id")
	i := hops[0].Event
	if err != nil || log.At(i).Visit.Path() != "Charge" || log.At(i).Stage != engine.StageResultPath {
		t.Errorf("changed last by event %d, %v", i, err)
	}
	exit := indexOf(t, log, func(e *engine.Event) bool {
		return e.Type == engine.StageCompleted && e.Stage == engine.StageResultPath && e.Visit.State.Name == "Charge"
	})
	if before := provenance.Before(log, exit); before < 0 || before >= exit || log.At(before).After == nil {
		t.Errorf("the data before event %d are those after event %d", exit, before)
	}
	for _, i := range []int{-1, 0, log.Len()} {
		if before := provenance.Before(log, i); before != -1 {
			t.Errorf("event %d has data before it, of event %d", i, before)
		}
	}
	var none *provenance.NoDataError
	if _, err := provenance.Of(log, -1, "$"); !errors.As(err, &none) || none.Error() != "event 0 has no data that could be followed" {
		t.Error(err)
	}
}

// The rules of a Choice state, with their operands.
func TestChoice(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.PaidAtOnce()})
	reach(t, s, debug.StoppedAtEnd)
	i := indexOf(t, s.Log(), func(e *engine.Event) bool { return e.Stage == engine.StageChoices })
	results, not := s.Explainer().Choice(i)
	if not != nil || len(results) != 1 || !results[0].Holds {
		t.Errorf("%+v, %+v", results, not)
	}
	if results, not := s.Explainer().Choice(0); results != nil || not != nil {
		t.Errorf("an event in no state: %+v, %+v", results, not)
	}
	if computed := s.Explainer().Computed(i); len(computed) != 0 {
		t.Errorf("the language's own rules are no calculations: %+v", computed)
	}
}

// many is a Predicate that holds of more than a number of items.
type many int

func (p many) Holds(m *asl.Moment) bool { return m.Data.(*value.Array).Len() > int(p) }
func (p many) String() string           { return "many" }
func (p many) Explain(m *asl.Moment) []asl.Finding {
	return []asl.Finding{{What: "items", Found: value.Compact(m.Data)}}
}

// seconds is a Calculation that gives always the same number.
type seconds int64

func (c seconds) Value(*asl.Moment) value.Value { return value.Int(int64(c)) }
func (c seconds) String() string                { return "some seconds" }
func (c seconds) Explain(_ *asl.Moment, given value.Value) []asl.Finding {
	if given == nil {
		return nil
	}
	return []asl.Finding{{What: "given", Found: value.Compact(given)}}
}

// Predicates and Calculations are explained with their findings at the time.
func TestComputed(t *testing.T) {
	parsed, diagnostics := asl.Parse(&asl.Source{Name: "d", Data: []byte(`{"StartAt":"C","States":{
		"C":{"Type":"Choice","Choices":[{"Variable":"$","IsPresent":true,"Next":"W"},{"Variable":"$","IsPresent":true,"Next":"W"}],"Default":"W"},
		"W":{"Type":"Wait","Seconds":1,"Next":"T"},
		"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","TimeoutSeconds":9,"End":true}}}`)})
	if parsed == nil {
		t.Fatal(diagnostics)
	}
	for n, rule := range parsed.Lookup("C").Choices {
		rule.Predicate = many(n + 5)
	}
	parsed.Lookup("W").Seconds = &asl.Quantity{Field: "Seconds", Calculation: seconds(3)}
	parsed.Lookup("T").TimeoutSeconds = &asl.Quantity{Field: "TimeoutSeconds", Calculation: seconds(60)}
	machine, err := engine.Compile(parsed, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	s := debug.New(machine, debug.Options{Input: value.Must(`[1]`), Source: sourcetest.Func(echoing)})
	reach(t, s, debug.StoppedAtEnd)
	var found []string
	for i := range s.Log().Len() {
		for _, c := range s.Explainer().Computed(i) {
			found = append(found, fmt.Sprintf("%s: %v, default %q, %v", c.Text, c.Holds, c.Default, c.Findings))
		}
	}
	if want := []string{
		`many: false, default "", [{items [1]}]`, `many: false, default "W", [{items [1]}]`, `some seconds: false, default "", [{given 3}]`,
		`TimeoutSeconds: some seconds: false, default "", []`,
	}; !slices.Equal(found, want) {
		t.Errorf("found\n%q\nwant\n%q", found, want)
	}
}

// Values in JSONata: of a rule's Assign and Output, of variables and of the Error Output.
func TestQueries(t *testing.T) {
	const definition = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Arguments":{"list":"{% $states.input.list %}","fixed":[1,{"x":"{% 1 %}"}]},
			"Catch":[{"ErrorEquals":["States.ALL"],"Assign":{"why":"{% $states.errorOutput.Error %}"},"Output":{"err":"{% $states.errorOutput %}","id":"{% $states.context.Execution.Input.id %}"},"Next":"C"}],"End":true},
		"C":{"Type":"Choice","Choices":[{"Condition":"{% $why = 'Bad' %}","Assign":{"kept":"{% $states.input.err %}"},"Output":{"from":"{% $states.input.id %}"},"Next":"W"}],"Default":"W"},
		"W":{"Type":"Wait","Seconds":"{% 1 + 1 %}","Output":{"why":"{% $why %}","kept":"{% $kept.Error %}","from":"{% $states.input.from %}","item":"{% $states.context.Execution.Input.list[1] %}"},"End":true}}}`
	s := session(t, definition, debug.Options{
		Input: value.Must(`{"id":"o1","list":[{"n":1},{"n":2}]}`), Source: &runs.Script{Outcomes: []engine.Outcome{{Error: "Bad", Cause: "no"}}},
	})
	reach(t, s, debug.StoppedAtEnd)
	end := s.Log().Len() - 1
	for at, want := range map[string]provenance.Kind{
		"$.why": provenance.Error, "$.kept": provenance.Error, "$.from": provenance.Input, "$.item.n": provenance.Input,
	} {
		hops, err := provenance.Of(s.Log(), end, at)
		if err != nil || len(hops) == 0 || hops[len(hops)-1].Kind != want {
			t.Errorf("%s came by %s (%v)", at, chain(s, hops), err)
		}
	}
	scheduled := indexOf(t, s.Log(), func(e *engine.Event) bool { return e.Type == engine.TaskScheduled })
	for at, want := range map[string]provenance.Kind{
		"$.fixed": provenance.Computed, "$.fixed[0]": provenance.Literal, "$.fixed[1]": provenance.Computed, "$.list[1].n": provenance.Input,
	} {
		hops, err := provenance.Of(s.Log(), scheduled, at)
		if err != nil || len(hops) == 0 || hops[len(hops)-1].Kind != want {
			t.Errorf("%s of the payload came by %s (%v)", at, chain(s, hops), err)
		}
	}
	var explained []string
	for i := range s.Log().Len() {
		parts, not := s.Explainer().Stage(i)
		if not != nil {
			t.Errorf("event %d: %+v", i+1, not)
		}
		for _, part := range parts {
			if part.Err != nil {
				t.Errorf("event %d: %v", i+1, part.Err)
			}
		}
		if len(parts) > 0 {
			explained = append(explained, s.Log().At(i).Visit.State.Name+" "+s.Log().At(i).Stage.String())
		}
	}
	if want := []string{"A Parameters", "A Assign", "A OutputPath", "C Choices", "C Assign", "C OutputPath", "W OutputPath"}; !slices.Equal(explained, want) {
		t.Errorf("%q are explained, want %q", explained, want)
	}
}

// JSONPath: paths that select several values, null in the place of a path, literals in a payload template.
func TestPaths(t *testing.T) {
	log := runs.Run(runs.Machine(`{"StartAt":"A","States":{
		"A":{"Type":"Pass","InputPath":"$.o","Parameters":{"all.$":"$..list","odd name":{"x":1},"part.$":"$.list[0]"},"Next":"B"},
		"B":{"Type":"Pass","InputPath":null,"ResultPath":"$.new","Next":"C"},
		"C":{"Type":"Pass","ResultPath":null,"OutputPath":"$","End":true}}}`), `{"o":{"list":[{"n":[7]}]}}`, runs.Echo)
	end := log.Len() - 1
	for at, want := range map[string]provenance.Kind{
		"$.part.n[0]": provenance.Input, "$['odd name'].x": provenance.Literal, "$['odd name']": provenance.Literal,
		"$.all[0]": provenance.Input, "$.new": provenance.Literal, "$": provenance.Computed,
	} {
		hops, err := provenance.Of(log, end, at)
		if err != nil || len(hops) == 0 {
			t.Errorf("%s: %v", at, err)
			continue
		}
		if got := hops[len(hops)-1].Kind; got != want {
			t.Errorf("%s came of kind %s, want %s: %+v", at, hopNames[got], hopNames[want], hops)
		}
	}
}
