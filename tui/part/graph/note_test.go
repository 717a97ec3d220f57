package graph

import (
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/tui/part/canvas"
)

const shipping = `{"StartAt":"Load","States":{
	"Load":{"Type":"Pass","Next":"Enrich"},
	"Enrich":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Catch":[{"ErrorEquals":["States.ALL"],"Next":"Ship"}],"Next":"All"},
	"All":{"Type":"Parallel","Branches":[{"StartAt":"In","States":{"In":{"Type":"Pass","End":true}}}],"Next":"Ship"},
	"Ship":{"Type":"Succeed"}}}`

// lensOver marks Load as an origin, Enrich as the loss, All as on the way and Ship as after the loss.
func lensOver(model *Model) *Overlay {
	marks := map[string]Mark{
		"Load": {Part: OriginPart, Note: "$.customer.email"}, "Enrich": {Part: LostPart, Note: "lost: ResultPath"},
		"All": {Part: OnWay, Note: "$.a"}, "Ship": {Part: LackPart, Note: "missing"},
	}
	return &Overlay{
		Mark:  func(state *asl.State) Mark { return marks[state.Name] },
		Taken: func(from *asl.State, edge int) bool { return from.Name == "Load" && edge == 0 },
	}
}

// A note has its own place in a box, a chip, a frame and the list, and the parts are told by signs.
func TestNotesOfStates(t *testing.T) {
	model := Build(parse(t, "ship", []byte(shipping)))
	over := lensOver(model)
	sheet := NewSheet(model)
	plain := sheet.Drawing(Boxes.shapes()[0])
	sheet.SetNotes(func(state *asl.State) string { return over.Mark(state).Note })
	d := sheet.Drawing(Boxes.shapes()[0])
	if h := d.Node(model.States()[0]).Rect.H; h != 4 || plain.Node(model.States()[0]).Rect.H != 3 {
		t.Errorf("a box with a note has %d rows", h)
	}
	over.Trail = d.Trail(over.Taken)
	for name, drawn := range map[string]string{
		"boxes": d.Text(canvas.Unicode(), over), "chips": sheet.Drawing(Chips.shapes()[0]).Text(canvas.Unicode(), lensOver(model)),
		"list": sheet.Rail().Text(80, canvas.Unicode(), over), "ascii": d.Text(canvas.ASCII(), over),
	} {
		for _, want := range []string{"Load", "$.customer.email", "lost: ResultPath", "missing", "$.a"} {
			if !strings.Contains(drawn, want) {
				t.Errorf("the %s lack %q:\n%s", name, want, drawn)
			}
		}
	}
	boxes := d.Text(canvas.Unicode(), over)
	for _, want := range []string{"│ ■ Load ", "║ × Enrich ", "╭─ ┃ All ≡1 ", "│ - Ship ◉ ", "╰─ $.a ─", "┃"} {
		if !strings.Contains(boxes, want) {
			t.Errorf("the boxes lack %q:\n%s", want, boxes)
		}
	}
	sheet.SetNotes(nil)
	if h := sheet.Drawing(Boxes.shapes()[0]).Node(model.States()[0]).Rect.H; h != 3 {
		t.Errorf("a box has %d rows after its note is gone", h)
	}
}

// Mermaid and Graphviz have the notes, the parts and the transitions, with their texts escaped.
func TestNotesOfExports(t *testing.T) {
	model := Build(parse(t, "ship", []byte(shipping)))
	over := lensOver(model)
	for _, want := range []string{
		`  s0["Load<br/>#36;.customer.email"]`, "  class s0 origin\n", "  class s1 lost\n", "  class s2 way\n", "  class s4 missing\n", "  linkStyle 0 stroke-width:4px,stroke:#8a2bb8\n",
	} {
		if text := model.Mermaid(over); !strings.Contains(text, want) {
			t.Errorf("Mermaid lacks %q:\n%s", want, text)
		}
	}
	for _, want := range []string{
		`  s0 [label="Load\n$.customer.email", penwidth=5, color="#8a2bb8"];`, `  s1 [label="Enrich\nlost: ResultPath", penwidth=3, color="#a1282b"];`,
		`    label="All (Parallel)\n$.a";`, "    penwidth=3;", `  s4 [label="Ship\nmissing", peripheries=2, color="#805300"];`, "  s0 -> s1 [penwidth=3, color=\"#8a2bb8\"];",
	} {
		if text := model.Dot(over); !strings.Contains(text, want+"\n") {
			t.Errorf("Graphviz lacks %q:\n%s", want, text)
		}
	}
	if model.Mermaid(nil) != model.Mermaid(&Overlay{}) || strings.Contains(model.Dot(nil), "penwidth") {
		t.Error("without marks something is marked")
	}
}

// A graph without some states has no lines to them; one without any state is not a graph.
func TestBuildOf(t *testing.T) {
	definition := parse(t, "ship", []byte(shipping))
	model := BuildOf(definition, func(state *asl.State) bool { return state.Name != "All" })
	if got := len(model.States()); got != 3 {
		t.Errorf("%d states are left, want 3", got)
	}
	sheet := NewSheet(model)
	for name, drawn := range map[string]string{
		"boxes": sheet.Drawing(Boxes.shapes()[0]).Text(canvas.Unicode(), nil), "list": sheet.Rail().Text(80, canvas.Unicode(), nil), "mermaid": model.Mermaid(nil), "dot": model.Dot(nil),
	} {
		if strings.Contains(strings.ReplaceAll(drawn, "→ All", ""), "All") || !strings.Contains(drawn, "Enrich") {
			t.Errorf("the %s of three states:\n%s", name, drawn)
		}
	}
	if sheet.Drawing(Chips.shapes()[0]).Node(definition.Lookup("All")) != nil {
		t.Error("a state that is left out has a place")
	}
	if none := BuildOf(definition, func(*asl.State) bool { return false }); len(none.States()) != 5 {
		t.Errorf("%d states of none", len(none.States()))
	}
}
