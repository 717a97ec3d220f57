package graph

import (
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/tui/part/canvas"
)

const manyErrors = `{"StartAt":"Nope","States":{
	"P":{"Type":"Parallel","Branches":[{"StartAt":"X","States":{}},{"StartAt":"I","States":{"I":{"Type":"Tsk","Next":"P"}}},5],"Next":""},
	"M":{"Type":"Map","ItemProcessor":{},"Next":3},
	"W":7,
	"C":{"Type":"Choice","Choices":[4,{"Next":"u"},{"Variable":"$.a","And":1,"Next":"v"},{"Variable":"$.b","IsNull":true,"Next":"W"}],"Default":"z"},
	"K":{"Type":"Task","Catch":[7,{"Next":"q"},{"ErrorEquals":["A"],"Next":"P"}]}}}`

func examine(t *testing.T, text string) (*Model, *Overlay) {
	t.Helper()
	file := &source.File{Name: "wrong.json", Data: []byte(text)}
	root, problem := source.Read(file, nil)
	if problem != nil {
		t.Fatal(problem.Format())
	}
	machine, problems := asl.Examine(file, root, rules.AWS)
	model := Build(machine)
	return model, model.Wrong(problems)
}

// The states of a definition with errors, and the names that no state has, are in every form, with signs.
func TestADefinitionWithErrorsIsDrawn(t *testing.T) {
	model, over := examine(t, manyErrors)
	sheet := NewSheet(model)
	sheet.SetNotes(func(state *asl.State) string { return over.Mark(state).Note })
	for _, glyphs := range []*canvas.Glyphs{canvas.Unicode(), canvas.ASCII()} {
		wrong := glyphs.Failed
		for name, drawn := range map[string]string{
			"boxes": sheet.Drawing(Boxes.shapes()[0]).Text(glyphs, over),
			"chips": sheet.Drawing(Chips.shapes()[0]).Text(glyphs, over),
			"list":  sheet.Rail().Text(80, glyphs, over),
		} {
			for _, want := range []string{wrong + " P", wrong + " M", wrong + " W", wrong + " C", wrong + " K", wrong + " I", "? u", "? v", "? z", "? q", `? ""`, "no such state"} {
				if !strings.Contains(drawn, want) {
					t.Errorf("the %s lack %q:\n%s", name, want, drawn)
				}
			}
		}
	}
	for name, written := range map[string]string{"Mermaid": model.Mermaid(over), "Graphviz": model.Dot(over)} {
		for _, want := range []string{"default", "catch A", ".b is null", "no such state", "errors"} {
			if !strings.Contains(written, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, written)
			}
		}
	}
}

// A name that several transitions of a scope have is one missing state; the same name in another scope is another one.
func TestMissingStatesBelongToTheirScopes(t *testing.T) {
	model, over := examine(t, `{"StartAt":"A","States":{
		"A":{"Type":"Pass","Next":"Gone"},"B":{"Type":"Pass","Next":"Gone"},
		"M":{"Type":"Map","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","Next":"Gone"}}},"End":true}}}`)
	missing, edges := 0, 0
	for _, state := range model.States() {
		if model.Missing(state) {
			missing++
			if mark := over.Mark(state); mark.Part != MissingPart || mark.Note != "no such state" {
				t.Errorf("the mark of %s is %+v", state.Name, mark)
			}
		}
		for _, edge := range model.Edges(state) {
			edges++
			if edge.To == nil || edge.To.Scope != state.Scope || !model.Has(edge.To) {
				t.Errorf("the transition of %s is %+v", state.Name, edge)
			}
		}
	}
	if missing != 2 || edges != 3 {
		t.Errorf("%d missing states and %d transitions", missing, edges)
	}
	if m := over.Mark(model.States()[2]); m.Part != PlainPart {
		t.Errorf("the mark of M, which is out of reach only because of the missing state, is %+v", m)
	}
}

// Graphviz replaces entities in labels, so that an ampersand is written as one; the same for Mermaid with its codes.
func TestSpecialCharactersOfNames(t *testing.T) {
	model, _ := examine(t, `{"StartAt":"&amp; <b> \"q\" \\N\n{x}|","States":{"&amp; <b> \"q\" \\N\n{x}|":{"Type":"Pass","End":true}}}`)
	if dot := model.Dot(nil); !strings.Contains(dot, `[label="&amp;amp; <b> \"q\" \\N`) || strings.Count(dot, "\n") != 5 {
		t.Errorf("Graphviz:\n%s", dot)
	}
	if mermaid := model.Mermaid(nil); !strings.Contains(mermaid, "#38;amp#59; #60;b#62; #34;q#34; #92;N") || strings.Count(mermaid, "\n") != 2 {
		t.Errorf("Mermaid:\n%s", mermaid)
	}
}
