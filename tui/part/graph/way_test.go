package graph

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/provenance"
	"asldb/internal/testkit/runs"
	"asldb/tui/part/canvas"
)

// TestWay has a value that is made, carried, and lost: where there is space the transitions have its paths, elsewhere the boxes.
func TestWay(t *testing.T) {
	machine := runs.Machine(`{"StartAt":"Make","States":{
		"Make":{"Type":"Pass","Result":1,"ResultPath":"$.order.total","Next":"Carry"},
		"Carry":{"Type":"Choice","Choices":[{"Variable":"$.never","IsPresent":true,"Next":"Never"}],"Default":"Lose"},
		"Lose":{"Type":"Pass","Result":{},"Next":"Read"},
		"Read":{"Type":"Pass","Parameters":{"n.$":"$.order.total"},"End":true},
		"Never":{"Type":"Succeed"}}}`)
	log := runs.Run(machine, `{"order":{}}`, runs.Echo)
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
		t.Errorf("the path is in %d places, want the 2 transitions:\n%s", n, text)
	}
	d = sheet.Fit(80, 18)
	if text = d.Text(canvas.Unicode(), way.In(d)); !strings.Contains(text, "made: "+path) || strings.Contains(text, "┃ "+path) {
		t.Errorf("without space for transitions:\n%s", text)
	}
	before, _ := canvas.NewTheme(canvas.Options{}).Sequences(canvas.Way)
	styled := d.Styled(canvas.Unicode(), way.In(d), canvas.NewTheme(canvas.Options{}).Sequences)
	if !strings.Contains(styled, before) {
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

// wayTo lays out the way of a path of a run's output.
func wayTo(t *testing.T, definition, input, path string) (*Sheet, *Way) {
	t.Helper()
	machine := runs.Machine(definition)
	log := runs.Run(machine, input, runs.Echo)
	found, _, err := (&provenance.Lens{Log: log}).Find(log.Len()-1, path)
	if err != nil {
		t.Fatal(err)
	}
	way := WayOf(found.States(), found.Edges, nil, canvas.Unicode())
	sheet := NewSheet(Build(machine.Definition()))
	way.LayOut(sheet)
	return sheet, way
}

// TestWayThroughACatcher has the path on the line of the catcher that the run went along, beside its Error Names.
func TestWayThroughACatcher(t *testing.T) {
	sheet, way := wayTo(t, `{"StartAt":"Make","States":{
		"Make":{"Type":"Pass","Result":1,"ResultPath":"$.order.total","Next":"Try"},
		"Try":{"Type":"Parallel","Branches":[{"StartAt":"Break","States":{"Break":{"Type":"Fail","Error":"Broken"}}}],
			"Catch":[{"ErrorEquals":["Broken"],"ResultPath":"$.error","Next":"Mend"}],"Next":"Done"},
		"Mend":{"Type":"Pass","End":true},"Done":{"Type":"Succeed"}}}`, `{"order":{}}`, "$.order.total")
	d := sheet.Fit(80, 60)
	text := d.Text(canvas.Unicode(), way.In(d))
	if !strings.Contains(text, "$.order.total  Broken") || strings.Count(text, "$.order.total") != 2 {
		t.Errorf("the path is not on both transitions, or in a box too:\n%s", text)
	}
	if text = sheet.Fit(80, 60).Text(canvas.ASCII(), way.In(d)); strings.ContainsAny(text, "…┃") {
		t.Errorf("in ASCII:\n%s", text)
	}
}

// TestPathsOfChips has whole paths where there is no space for whole names.
func TestPathsOfChips(t *testing.T) {
	sheet, way := wayTo(t, `{"StartAt":"ChargeTheCardOfTheCustomer","States":{
		"ChargeTheCardOfTheCustomer":{"Type":"Pass","Result":"captured","ResultPath":"$.payment.status","Next":"AwaitTheSettlementOfTheBank"},
		"AwaitTheSettlementOfTheBank":{"Type":"Wait","Seconds":1,"Next":"SummarizeTheOrder"},
		"SummarizeTheOrder":{"Type":"Pass","Parameters":{"paid.$":"$.payment.status"},"End":true}}}`, `{}`, "$.paid")
	d := sheet.Fit(40, 9)
	for name, text := range map[string]string{
		"chips": d.Text(canvas.Unicode(), way.In(d)), "list": sheet.Rail().Text(40, canvas.Unicode(), &way.Overlay),
	} {
		if strings.Count(text, "  $.payment.status") != 2 || !strings.Contains(text, "  → $.paid") {
			t.Errorf("the %s cut the paths:\n%s", name, text)
		}
		for row := range strings.Lines(text) {
			if canvas.Width(strings.TrimSpace(row)) > 40 {
				t.Errorf("the %s are too wide: %q", name, row)
			}
		}
	}
}

// TestWouldHaveMade has the state that would have made a value: violet and dashed, in ASCII with a sign that no other
// part has.
func TestWouldHaveMade(t *testing.T) {
	machine := runs.Machine(`{"StartAt":"Make","States":{"Make":{"Type":"Task","Resource":"r","ResultPath":"$.customer",
		"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Read"}],"Next":"Read"},"Read":{"Type":"Pass","End":true}}}`)
	state := machine.Definition().Top.State("Make")
	way := WayOf([]provenance.StatePart{{State: state, Role: provenance.WouldMake}}, nil, nil, canvas.Unicode())
	sheet := NewSheet(Build(machine.Definition()))
	way.LayOut(sheet)
	d := sheet.Fit(60, 40)
	for glyphs, want := range map[*canvas.Glyphs][2]string{
		canvas.Unicode(): {"┊ Make", "─ ─ ─"}, canvas.ASCII(): {"% Make", "- - -"},
	} {
		text := d.Text(glyphs, way.In(d))
		if !strings.Contains(text, want[0]) || !strings.Contains(text, want[1]) {
			t.Errorf("it is not dashed:\n%s", text)
		}
	}
	look := canvas.NewTheme(canvas.Options{}).Sequences
	before, after := look(canvas.Way)
	if styled := d.Styled(canvas.Unicode(), way.In(d), look); !strings.Contains(styled, before+"┊ Make") &&
		!strings.Contains(styled, before+"┊"+after) {
		t.Errorf("it is not violet:\n%q", styled)
	}
	for part := range Part(len(partLooks)) {
		if sign, _ := part.status(canvas.ASCII()); part != WouldMakePart && sign == "%" {
			t.Errorf("part %d has its sign", part)
		}
	}
}
