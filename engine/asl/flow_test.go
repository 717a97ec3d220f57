package asl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

func machine(t *testing.T, states string) *asl.StateMachine {
	t.Helper()
	first, _, _ := strings.Cut(states[1:], `"`)
	text := `{"StartAt":"` + first + `","States":{` + states + `}}`
	m, diagnostics := asl.Parse(&source.File{Name: "test", Data: []byte(text)})
	if m == nil {
		t.Fatal(diagnostics)
	}
	return m
}

// written is a move as the tests write it: kind, from and to.
func written(m *asl.Move) string {
	from := value.Each(m.From, writtenRef)
	return fmt.Sprintf("%d %s > %s", m.Kind, strings.Join(from, " "), writtenRef(m.To))
}

func writtenRef(r asl.Ref) string {
	text := fmt.Sprint(r.Register)
	if r.Variable != "" {
		text += "$" + r.Variable
	}
	if r.Path != nil {
		text += r.Path.String()[1:]
	}
	return text
}

// TestMovesOfLeaves: each leaf of a template names the part of the register that it reads, and its place.
func TestMovesOfLeaves(t *testing.T) {
	m := machine(t, `"S":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","InputPath":"$.job","Parameters":{
		"a.$":"$.x[0].y","b":{"c.$":"$$.Execution.Input.id","fixed":1},"d.$":"$v.w","e.$":"States.Format('{}',$.z)","f.$":"$.l[*]","t":[1,{"k.$":"$"}]},
		"ResultPath":"$.out","Assign":{"n.$":"$.Payload"},"End":true}`)
	f := asl.FlowOf(m.Lookup("S"), true)
	if f != asl.FlowOf(m.Lookup("S"), true) {
		t.Error("the flow of a state is computed twice")
	}
	var got []string
	for _, move := range f.Enter {
		if move.Stage == asl.StageParameters {
			for _, part := range move.Parts() {
				got = append(got, written(&part))
			}
		}
	}
	raw, effective, payload, context, variables := asl.RegisterRaw, asl.RegisterEffective, asl.RegisterPayload,
		asl.RegisterContext, asl.RegisterVariables
	want := []string{
		fmt.Sprintf("%d %d.x[0].y > %d.a", asl.MoveSelect, effective, payload),
		fmt.Sprintf("%d %d.Execution.Input.id > %d.b.c", asl.MoveSelect, context, payload),
		fmt.Sprintf("%d %d > %d.b.fixed", asl.MoveText, asl.RegisterText, payload),
		fmt.Sprintf("%d %d$v.w > %d.d", asl.MoveSelect, variables, payload),
		fmt.Sprintf("%d %d.z > %d.e", asl.MoveCall, effective, payload),
		fmt.Sprintf("%d %d.l[*] > %d.f", asl.MoveGather, effective, payload),
		fmt.Sprintf("%d %d > %d.t[0]", asl.MoveText, asl.RegisterText, payload),
		fmt.Sprintf("%d %d > %d.t[1].k", asl.MoveKeep, effective, payload),
	}
	if !slices.Equal(got, want) {
		t.Errorf("the leaves are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for where, move := range f.Moves() {
		if move.Kind == asl.MovePut && (move.Base.Register != raw || move.To.Path.String() != "$.out" ||
			where.Lane.Kind != asl.LaneDone) {
			t.Errorf("ResultPath is %+v", move)
		}
	}
}

// TestQueryReads: an expression names the registers that it reads, with the paths and what becomes of the field without
// them.
func TestQueryReads(t *testing.T) {
	for text, want := range map[string]string{
		"$states.input.order.id":                          "0:.order.id",
		"$cart.items[0].sku":                              "0:$cart.items[0].sku",
		"'x' & $states.input.a":                           "1:.a",
		"$states.input.a + $n":                            "0:.a 0:$n",
		"{'tax': $states.input.net, 'id': $id}":           "2:.net 2:$id",
		"$exists($states.input.a) ? $states.input.a.b":    "1:.a 1:.a.b",
		"($x := $states.input.a; $x.b + $states.input.c)": "1:.a 0:.c",
		"$map($states.input.l, function($v) {$v.a + $k})": "0:.l 1:$k",
		"$sum($states.input.l.n)":                         "0:.l.n",
		"$states.input.l[price > $min].id":                "0:.l 1:$min",
	} {
		m := machine(t, `"S":{"Type":"Pass","QueryLanguage":"JSONata","Output":"{% `+text+` %}","End":true}`)
		var got []string
		for _, move := range asl.FlowOf(m.Lookup("S"), true).LaneOf(asl.LaneDone, 0).Moves {
			if move.Stage != asl.StageOutputPath {
				continue
			}
			leaf := move.Parts()[0]
			parts := leaf.Parts()
			if leaf.Kind == asl.MoveSelect {
				parts = []asl.Move{leaf}
			}
			for _, part := range parts {
				got = append(got, fmt.Sprintf("%d:%s", part.Needs,
					strings.TrimLeft(writtenRef(part.From[0]), "0123456789")))
			}
		}
		if joined := strings.Join(got, " "); joined != want {
			t.Errorf("%s reads %s, want %s", text, joined, want)
		}
	}
}

// TestLanes: the lanes of a state say where they lead, and where the scope ends.
func TestLanes(t *testing.T) {
	m := machine(t, `"P":{"Type":"Parallel","Branches":[{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}],
		"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Assign":{"x":1},"Next":"C"}],"Next":"C"},
		"C":{"Type":"Choice","Choices":[{"And":[{"Variable":"$.a.b","IsPresent":true},{"Variable":"$.a.b","NumericEquals":1}],"Next":"E"}],"Default":"E"},
		"E":{"Type":"Succeed"}`)
	done := asl.FlowOf(m.Lookup("A"), true).LaneOf(asl.LaneDone, 0)
	if last := done.Moves[len(done.Moves)-1]; !done.Ends || done.To != nil ||
		last.To.Register != asl.RegisterChildOut || last.To.Child != 0 {
		t.Errorf("A ends with %+v", last)
	}
	caught := asl.FlowOf(m.Lookup("P"), true).LaneOf(asl.LaneCaught, 0)
	if caught.To != m.Lookup("C") || caught.Ends {
		t.Errorf("the catcher leads to %v", caught.To)
	}
	for _, move := range caught.Moves {
		if move.Kind == asl.MovePut && (move.At != "Catch[0]/ResultPath" ||
			move.From[0].Register != asl.RegisterError || move.To.Register != asl.RegisterOutput) {
			t.Errorf("the catcher puts %+v", move)
		}
	}
	tests := asl.FlowOf(m.Lookup("C"), true).LaneOf(asl.LaneRule, 0).Guard.Parts()
	if len(tests) != 2 || tests[0].Needs != asl.NeedMaybe || tests[1].Needs != asl.NeedMaybe ||
		tests[1].At != "Choices[0]/And[1]" || tests[1].Node == nil {
		t.Errorf("the tests are %+v", tests)
	}
}

// TestMakers: the moves that may make a part are found by its name, composed over the moves of the state.
func TestMakers(t *testing.T) {
	m := machine(t, `"A":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","ResultSelector":{"id.$":"$.Payload.id"},"ResultPath":"$.charge",
			"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.failure","Assign":{"fault.$":"$.Cause"},"Next":"B"}],"Next":"B"},
		"B":{"Type":"Pass","Result":{"card":{"text":"x"}},"Next":"C"},
		"C":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","ResultPath":"$.row","Next":"D"},
		"D":{"Type":"Pass","QueryLanguage":"JSONata","Output":{"sum":"{% 1 + 1 %}"},"End":true}`)
	x := m.Makers(true)
	for path, want := range map[string]string{
		"charge.id": "A ResultSelector/id.$", "charge": "A ResultSelector/id.$", "charge.other": "",
		"failure.Cause": "A Catch[0]/ResultPath",
		"card.text":     "B Result", "card.nope": "", "row.Item": "C ResultPath", "sum": "D Output/sum", "gone": "",
	} {
		var got []string
		for _, maker := range x.Of(strings.Split(path, ".")...) {
			at := maker.Move.At
			if maker.Lane.Kind == asl.LaneCaught {
				at = "Catch[0]/ResultPath"
			}
			got = append(got, maker.State.Name+" "+at)
		}
		if joined := strings.Join(got, ", "); joined != want {
			t.Errorf("%s is made by %q, want %q", path, joined, want)
		}
	}
	if found := x.OfVariable("fault"); len(found) != 1 || found[0].Lane.Kind != asl.LaneCaught {
		t.Errorf("the makers of $fault are %v", found)
	}
}
