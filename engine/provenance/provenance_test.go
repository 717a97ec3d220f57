package provenance_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

var hopNames = map[provenance.Kind]string{
	provenance.Moved: "moved", provenance.ChangedInside: "inside", provenance.Gathered: "gathered", provenance.Input: "input",
	provenance.Result: "result", provenance.Literal: "literal", provenance.Context: "context", provenance.Computed: "computed",
	provenance.Error: "error", provenance.Edited: "edited", provenance.Object: "object", provenance.Unknown: "unknown",
}

func chain(s *debug.Session, hops []provenance.Hop) string {
	var parts []string
	for _, hop := range hops {
		event := s.Log().At(hop.Event)
		where := ""
		if event.Visit != nil {
			where = event.Visit.Path() + " "
		}
		part := hopNames[hop.Kind] + " " + where + event.Stage.String()
		if hop.From != "" {
			part += " " + hop.From + ">" + hop.To
		} else {
			part += " " + hop.To
		}
		parts = append(parts, strings.Join(strings.Fields(part), " "))
	}
	return strings.Join(parts, "; ")
}

const lambda = `"Resource":"arn:aws:lambda:us-east-1:123456789012:function:f"`

// Where a value came from, by the rules of each field.
func TestComesFrom(t *testing.T) {
	const flow = `{"StartAt":"A","States":{
		"A":{"Type":"Task",` + lambda + `,"InputPath":"$.order","Parameters":{"n.$":"$.total","id.$":"$$.Execution.Input.id","fix":{"x":1},
			"made.$":"States.Format('{}', $.total)","name.$":"$$.State.Name"},
			"ResultSelector":{"kept.$":"$.n","all.$":"$"},"ResultPath":"$.a.res","Next":"V"},
		"V":{"Type":"Pass","Assign":{"keep.$":"$.a.res.kept"},"Next":"M"},
		"M":{"Type":"Map","ItemsPath":"$.order.lines","ItemSelector":{"line.$":"$$.Map.Item.Value","cur.$":"$.order.currency"},"ItemProcessor":{
			"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"ResultPath":"$.m","Next":"P"},
		"P":{"Type":"Parallel","ResultPath":"$.p","Branches":[{"StartAt":"X","States":{"X":{"Type":"Pass","Result":{"lit":1},"End":true}}},
			{"StartAt":"Y","States":{"Y":{"Type":"Pass","OutputPath":"$.m[1].line","End":true}}}],"Next":"E"},
		"E":{"Type":"Pass","Parameters":{"res.$":"$.a","v.$":"$keep","m.$":"$.m","p.$":"$.p"},"End":true}}}`
	s := debug.New(machineOf(t, flow), debug.Options{
		Input:  value.Must(`{"id":"o1","order":{"total":5,"currency":"EUR","lines":[{"sku":"a"},{"sku":"b"}]}}`),
		Source: sourcetest.Func(echoing),
	})
	reach(t, s, debug.StoppedAtEnd)
	if s.Status() != engine.Succeeded {
		t.Fatal(s.Failure())
	}
	last := s.Log().Len() - 1
	for at, want := range map[string]string{
		"$.res.res.kept": "moved E Parameters $.a.res.kept>$.res.res.kept; moved A ResultPath $.kept>$.a.res.kept; " +
			"moved A ResultSelector $.n>$.kept; result A Result $.n",
		"$.res.res.all.id": "moved E Parameters $.a.res.all.id>$.res.res.all.id; moved A ResultPath $.all.id>$.a.res.all.id; " +
			"moved A ResultSelector $.id>$.all.id; result A Result $.id",
		"$.res": "moved E Parameters $.a>$.res; computed A ResultPath $.a",
		"$.v": "moved E Parameters $.keep>$.v; moved V Assign $.a.res.kept>$.keep; moved A ResultPath $.kept>$.a.res.kept; " +
			"moved A ResultSelector $.n>$.kept; result A Result $.n",
		"$.m[1].line.sku": "moved E Parameters $.m[1].line.sku>$.m[1].line.sku; moved M ResultPath $[1].line.sku>$.m[1].line.sku; " +
			"gathered M Result $.line.sku>$[1].line.sku; moved M Parameters $[1].sku>$.line.sku; " +
			"moved M ItemsPath $.order.lines[1].sku>$[1].sku; input $.order.lines[1].sku",
		"$.m[0].cur": "moved E Parameters $.m[0].cur>$.m[0].cur; moved M ResultPath $[0].cur>$.m[0].cur; gathered M Result $.cur>$[0].cur; " +
			"moved M Parameters $.order.currency>$.cur; input $.order.currency",
		"$.p[0].lit": "moved E Parameters $.p[0].lit>$.p[0].lit; moved P ResultPath $[0].lit>$.p[0].lit; gathered P Result $.lit>$[0].lit; " +
			"literal P/Branches[0]/X Result $.lit",
		"$.p[1].sku": "moved E Parameters $.p[1].sku>$.p[1].sku; moved P ResultPath $[1].sku>$.p[1].sku; gathered P Result $.sku>$[1].sku; " +
			"moved P/Branches[1]/Y OutputPath $.m[1].line.sku>$.sku; moved M ResultPath $[1].line.sku>$.m[1].line.sku; " +
			"gathered M Result $.line.sku>$[1].line.sku; moved M Parameters $[1].sku>$.line.sku; " +
			"moved M ItemsPath $.order.lines[1].sku>$[1].sku; input $.order.lines[1].sku",
		"$": "computed E Parameters $",
	} {
		hops, err := provenance.Of(s.Log(), last, at)
		if err != nil {
			t.Fatal(at, err)
		}
		if got := chain(s, hops); got != want {
			t.Errorf("%s came\n     by %s\n want %s", at, got, want)
		}
	}
	checkPayload(t, s)
	var miss *path.MissError
	if _, err := provenance.Of(s.Log(), last, "$.nothing"); !errors.As(err, &miss) {
		t.Errorf("nothing came from somewhere: %v", err)
	}
	var wrong *path.SyntaxError
	if _, err := provenance.Of(s.Log(), last, "$.m[*]"); !errors.As(err, &wrong) {
		t.Errorf("many values came from somewhere: %v", err)
	}
	var none *provenance.NoDataError
	if _, err := provenance.Of(s.Log(), -1, "$"); !errors.As(err, &none) {
		t.Errorf("something came before the start: %v", err)
	}
}

// checkPayload follows the members of the payload of the task.
func checkPayload(t *testing.T, s *debug.Session) {
	t.Helper()
	scheduled := 0
	for s.Log().At(scheduled).Type != engine.TaskScheduled {
		scheduled++
	}
	for at, want := range map[string]string{
		"$.n":     "moved A Parameters $.total>$.n; moved A InputPath $.order.total>$.total; input $.order.total",
		"$.id":    "moved A Parameters $.id>$.id; input $.id",
		"$.fix.x": "literal A Parameters $.fix.x",
		"$.fix":   "literal A Parameters $.fix",
		"$.made":  "computed A Parameters $.made",
		"$.name":  "context A Parameters $.name",
	} {
		hops, err := provenance.Of(s.Log(), scheduled, at)
		if err != nil {
			t.Fatal(at, err)
		}
		if got := chain(s, hops); got != want {
			t.Errorf("%s of the payload came\n     by %s\n want %s", at, got, want)
		}
	}
}

// echoing gives every task its payload back.
func echoing(r *engine.TaskRequest) outcome.Reply {
	return outcome.Given(engine.Outcome{Output: r.Parameters}, "echo")
}

// JSONata, catchers, edits and changes inside of a value.
func TestComesFromElsewhere(t *testing.T) {
	const query = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
		"A":{"Type":"Task",` + lambda + `,"Arguments":{"n":"{% $states.input.order.total %}","s":"{% $states.input.order.total + 1 %}"},
			"Assign":{"all":"{% $states.result %}"},"Output":{"n":"{% $states.result.n %}","sum":"{% $states.result.s * 2 %}","lit":7},"Next":"B"},
		"B":{"Type":"Pass","Output":{"deep":"{% $all.n %}","whole":"{% $merge([$all]) %}","in":"{% $states.input.n %}"},"End":true}}}`
	s := debug.New(machineOf(t, query), debug.Options{Input: value.Must(`{"order":{"total":5}}`), Source: sourcetest.Func(echoing)})
	reach(t, s, debug.StoppedAtEnd)
	const task = "; result A Result $.n"
	check(t, s, s.Log().Len()-1, map[string]string{
		"$.deep":  "moved B OutputPath $.all.n>$.deep; moved A Assign $.n>$.all.n" + task,
		"$.in":    "moved B OutputPath $.n>$.in; moved A OutputPath $.n>$.n" + task,
		"$.whole": "computed B OutputPath $.whole",
	})

	const caught = `{"StartAt":"A","States":{"A":{"Type":"Task",` + lambda + `,"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.o.err","Next":"B"}],"End":true},
		"B":{"Type":"Pass","End":true}}}`
	s = debug.New(machineOf(t, caught), debug.Options{Input: value.Must(`{"o":{"x":1}}`), Source: &runs.Script{Outcomes: []engine.Outcome{{Error: "Bad"}}}})
	reach(t, s, debug.StoppedAtEnd)
	check(t, s, s.Log().Len()-1, map[string]string{
		"$.o.err.Error": "moved A ResultPath $.Error>$.o.err.Error; error A $.Error",
		"$.o.x":         "input $.o.x",
		"$.o":           "inside A ResultPath $.o>$.o; input $.o",
		"$":             "inside A ResultPath $>$; input $",
	})

	s = debug.New(machineOf(t, caught), debug.Options{Input: value.Must(`{"o":{"x":1}}`), Source: sourcetest.Func(echoing)})
	if _, err := s.Do(debug.Command{Kind: debug.RunTo, Target: "A"}); err != nil {
		t.Fatal(err)
	}
	kept := s.Options().Input.(*value.Object)
	if err := s.Interventions().Edit(0, kept.With("mine", value.Must(`[1]`))); err != nil {
		t.Fatal(err)
	}
	check(t, s, s.Log().Len()-1, map[string]string{"$.mine[0]": "edited A input $.mine[0]", "$.o.x": "input $.o.x"})
}

func check(t *testing.T, s *debug.Session, at int, want map[string]string) {
	t.Helper()
	for text, expected := range want {
		hops, err := provenance.Of(s.Log(), at, text)
		if err != nil {
			t.Fatal(text, err)
		}
		if got := chain(s, hops); got != expected {
			t.Errorf("%s came\n     by %s\n want %s", text, got, expected)
		}
	}
}

// However strange a run is, every value of it can be followed to an end, and each hop leads to an earlier event.
func TestComesFromEnds(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	reach(t, s, debug.StoppedAtEnd)
	for i := range s.Log().Len() {
		for _, at := range []string{"$", "$.total", "$.lines", "$.lines[1].sku", "$.payment.id", "$.done[0].total", "$[0]"} {
			hops, err := provenance.Of(s.Log(), i, at)
			if err != nil {
				continue
			}
			if len(hops) == 0 || hops[len(hops)-1].Kind < provenance.Input || hops[len(hops)-1].Kind == provenance.Unknown {
				t.Errorf("%s of event %d (%s) came by %s", at, i, fmt.Sprint(s.Log().At(i).Type), chain(s, hops))
			}
			for j := 1; j < len(hops); j++ {
				if hops[j].Event > hops[j-1].Event {
					t.Errorf("%s of event %d: hop %d is later than the one before", at, i, j)
				}
			}
		}
	}
}

// A JSONata path maps over arrays: each value is followed to the place where it is, and a value without one place is said to be
// computed. Every place that a chain names has the value.
func TestComesFromThroughMappedPaths(t *testing.T) {
	const query = `{"QueryLanguage":"JSONata","StartAt":"V","States":{
		"V":{"Type":"Pass","Assign":{"kept":"{% $states.input.m %}"},"Next":"A"},
		"A":{"Type":"Pass","Output":{"skus":"{% $states.input.m.sku %}","tags":"{% $states.input.m.tags %}","one":"{% $states.input.single.sku %}",
			"deep":"{% $states.input.m.box.n %}","first":"{% $states.input.m[0].sku %}","zero":"{% $states.input.id[0] %}",
			"ofVariable":"{% $kept.sku %}","context":"{% $states.context.Execution.Input.m.sku %}","boxes":"{% $states.input.m.box %}",
			"whole":"{% $states.input.m %}","plain":"{% $states.input.single[0].sku %}"},"End":true}}}`
	s := debug.New(machineOf(t, query), debug.Options{
		Input: value.Must(`{"id":7,"m":[{"sku":"a","tags":["x","y"],"box":{"n":1}},{"sku":"b","tags":["z"]},{"sku":"c","box":{"n":3}}],"single":[{"sku":"s"}]}`),
	})
	reach(t, s, debug.StoppedAtEnd)
	if s.Status() != engine.Succeeded {
		t.Fatal(s.Failure())
	}
	last := s.Log().Len() - 1
	for at, want := range map[string]string{
		"$.skus[1]":       "moved A OutputPath $.m[1].sku>$.skus[1]; input $.m[1].sku",
		"$.tags[2]":       "moved A OutputPath $.m[1].tags[0]>$.tags[2]; input $.m[1].tags[0]",
		"$.one":           "moved A OutputPath $.single[0].sku>$.one; input $.single[0].sku",
		"$.deep[1]":       "moved A OutputPath $.m[2].box.n>$.deep[1]; input $.m[2].box.n",
		"$.first":         "moved A OutputPath $.m[0].sku>$.first; input $.m[0].sku",
		"$.zero":          "moved A OutputPath $.id>$.zero; input $.id",
		"$.ofVariable[2]": "moved A OutputPath $.kept[2].sku>$.ofVariable[2]; moved V Assign $.m[2].sku>$.kept[2].sku; input $.m[2].sku",
		"$.context[0]":    "moved A OutputPath $.m[0].sku>$.context[0]; input $.m[0].sku",
		"$.boxes[1].n":    "moved A OutputPath $.m[2].box.n>$.boxes[1].n; input $.m[2].box.n",
		"$.whole[1].tags": "moved A OutputPath $.m[1].tags>$.whole[1].tags; input $.m[1].tags",
		"$.plain":         "moved A OutputPath $.single[0].sku>$.plain; input $.single[0].sku",
		"$.skus":          "computed A OutputPath $.skus",
		"$.tags":          "computed A OutputPath $.tags",
	} {
		hops, err := provenance.Of(s.Log(), last, at)
		if err != nil {
			t.Fatal(at, err)
		}
		if got := chain(s, hops); got != want {
			t.Errorf("%s came\n     by %s\n want %s", at, got, want)
		}
		leadsToTheValue(t, s, at, hops)
	}
}

// leadsToTheValue checks that each hop names a place that is there, with the value that was followed.
func leadsToTheValue(t *testing.T, s *debug.Session, at string, hops []provenance.Hop) {
	t.Helper()
	for i, hop := range hops {
		to, err := path.ParseReference(hop.To)
		if err != nil {
			t.Fatal(err)
		}
		found, err := to.Get(&path.Roots{Data: s.Log().At(hop.Event).After})
		if err != nil || !value.Equal(found, hops[0].Value) {
			t.Errorf("%s: hop %d leads to %s of event %d, where there is %v (%v)", at, i, hop.To, hop.Event+1, found, err)
		}
	}
}
