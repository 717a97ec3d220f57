package graph_test

import (
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
)

// notes marks every state with a text.
type notes struct {
	overlay  graph.Overlay
	laidOut  bool
	drawings int
}

func (n *notes) LayOut(sheet *graph.Sheet) {
	n.laidOut = true
	sheet.SetNotes(func(state *asl.State) string { return n.overlay.Mark(state).Note })
}

func (n *notes) In(*graph.Drawing) *graph.Overlay {
	n.drawings++
	over := n.overlay
	return &over
}

func frame(w, h int, draw func(canvas.Area)) string {
	c := canvas.New(w, h, canvas.Unicode())
	draw(c.Area(canvas.Rect{W: w, H: h}))
	return c.Render(func(canvas.Style) (before, after string) { return "", "" })
}

func TestGraph(t *testing.T) {
	text := `{"StartAt":"S0","States":{`
	for _, name := range strings.Fields("S0 S1 S2 S3 S4 S5 S6 S7 S8") {
		text += `"` + name + `":{"Type":"Pass","Next":"S` + string(name[1]+1) + `"},`
	}
	definition, problems := asl.Parse(&source.File{Name: "m.json", Data: []byte(text + `"S9":{"Type":"Succeed"}}}`)})
	if definition == nil {
		t.Fatal(problems)
	}
	last := definition.Top.States[len(definition.Top.States)-1]
	n := &notes{overlay: graph.Overlay{Mark: func(s *asl.State) graph.Mark { return graph.Mark{Note: "note of " + s.Name} }}}
	g := graph.NewGraph(definition, n, &n.overlay)
	if !n.laidOut {
		t.Error("the marks are not laid out")
	}
	if got := g.Width(60, 60, 9); got <= 14 || got > 60 {
		t.Errorf("the graph needs %d cells", got)
	}
	if got := g.Width(2, 60, 9); got != 9 {
		t.Errorf("where there is no space, its width is %d", got)
	}
	whole := frame(60, 60, func(a canvas.Area) { g.Draw(a, "the foot", nil) })
	for _, want := range []string{"States", "the foot", "note of S0", "note of S9"} {
		if !strings.Contains(whole, want) {
			t.Errorf("%q is not in\n%s", want, whole)
		}
	}
	for _, size := range [][2]int{{60, 12}, {16, 8}} { // the graph, and a list in its place
		n.drawings = 0
		begin := frame(size[0], size[1], func(a canvas.Area) { g.Draw(a, "", definition.Top.States[0]) })
		end := frame(size[0], size[1], func(a canvas.Area) { g.Draw(a, "", last) })
		if !strings.Contains(begin, "S0") || strings.Contains(begin, "S9") || !strings.Contains(end, "S9") || strings.Contains(end, "S0 ") {
			t.Errorf("%v, %d drawings: the selection is not in view\n%s\n%s", size, n.drawings, begin, end)
		}
	}
}

// Hints that do not fit are behind the key that is shown then.
func TestDrawHints(t *testing.T) {
	hints := []graph.Hint{{"esc", "close"}, {"v", "line"}, {"z", "each error"}}
	for w, want := range map[int]string{
		33: " esc close  v line  z each error", 32: " esc close  v line       ? keys", 20: " esc close   ? keys", 16: "         ? keys", 5: "",
	} {
		got := strings.TrimRight(frame(w, 1, func(a canvas.Area) { graph.DrawHints(a.Row(0), hints, graph.Hint{"?", "keys"}) }), " \n")
		if got != want {
			t.Errorf("%d cells: %q, want %q", w, got, want)
		}
	}
	if got, want := graph.HintText(hints), "z each error; v line; esc close"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
