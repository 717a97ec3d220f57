package graph

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/provenance"
	"asldb/internal/testkit/testrun"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// TestWay has a value that is made, carried, and lost: where there is space the transitions have its paths, elsewhere the boxes.
func TestWay(t *testing.T) {
	machine := testrun.Machine(`{"StartAt":"Make","States":{
		"Make":{"Type":"Pass","Result":1,"ResultPath":"$.order.total","Next":"Carry"},
		"Carry":{"Type":"Choice","Choices":[{"Variable":"$.never","IsPresent":true,"Next":"Never"}],"Default":"Lose"},
		"Lose":{"Type":"Pass","Result":{},"Next":"Read"},
		"Read":{"Type":"Pass","Parameters":{"n.$":"$.order.total"},"End":true},
		"Never":{"Type":"Succeed"}}}`)
	log := testrun.Run(machine, `{"order":{}}`, testrun.Echo)
	at := 0
	for i := range log.Len() {
		if log.At(i).Type == engine.StageFailed {
			at = i
		}
	}
	_, loss, err := (&provenance.Lens{Log: log}).Find(at, "$.order.total")
	if err != nil {
		t.Fatal(err)
	}
	way := WayOf(loss.States(), loss.Edges, nil, canvas.Unicode())
	sheet := NewSheet(Build(machine.Definition()))
	way.LayOut(sheet)
	const path = "$.order.total"
	d := sheet.Fit(80, 60)
	text := d.Text(canvas.Unicode(), way.In(d))
	for _, want := range []string{"■ Make", "made here", "┃ Carry ◇", "┃ " + path, "× Lose", "lost here: ResultPath", "- Read", "missing", "  Never"} {
		if !strings.Contains(text, want) {
			t.Errorf("the drawing lacks %q:\n%s", want, text)
		}
	}
	if n := strings.Count(text, path); n != 2 {
		t.Errorf("the path stands in %d places, want the 2 transitions:\n%s", n, text)
	}
	d = sheet.Fit(80, 18)
	if text = d.Text(canvas.Unicode(), way.In(d)); !strings.Contains(text, "made: "+path) || strings.Contains(text, "┃ "+path) {
		t.Errorf("without space for transitions:\n%s", text)
	}
	before, _ := theme.New(theme.Options{}).Look(theme.Way)
	if styled := d.Styled(canvas.Unicode(), way.In(d), theme.New(theme.Options{}).Look); !strings.Contains(styled, before) {
		t.Error("the drawing for a terminal has no colour of the way")
	}
	model := Build(machine.Definition())
	for _, want := range []string{"classDef way ", "classDef origin ", "classDef lost ", "classDef missing ", "classDef aside "} {
		if text := model.Mermaid(&way.Overlay); !strings.Contains(text, want) {
			t.Errorf("Mermaid lacks %q:\n%s", want, text)
		}
	}
	text = model.Dot(&way.Overlay)
	if strings.Count(text, asideColor) != 2 || !strings.Contains(text, lostColor) || !strings.Contains(text, lackColor) {
		t.Errorf("Graphviz:\n%s", text)
	}
}
