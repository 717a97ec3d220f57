package graph

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/internal/testkit"
	"asldb/tui/part/canvas"
)

// showsName reports whether text has a state's name, shortened to no less than 8 cells.
func showsName(text, name string) bool {
	for cells := canvas.Width(name); cells >= min(8, canvas.Width(name)); cells-- {
		if strings.Contains(text, canvas.FitMiddle(name, cells, "…")) {
			return true
		}
	}
	return false
}

// TestANameStaysReadable: whatever becomes of a state, its name is there.
func TestANameStaysReadable(t *testing.T) {
	marks := []Mark{
		{Visited: true, Failed: true, Badge: "×1"},
		{Visited: true, Current: true, Active: true, Badge: "×1"},
		{Visited: true, Failed: true, Badge: "(2) «2/3 ×1"},
		{Visited: true, Active: true, Waiting: true, Badge: "x12 «10/12 »3 ×11"},
	}
	for _, file := range []string{"testdata/loop.asl.json", "testdata/nested.asl.json", "../../../internal/definitions/order.asl.json"} {
		model := Build(parse(t, file, testkit.Read(t, file)))
		folded := Folds{}
		for _, state := range model.States() {
			folded[state] = state.Scope.Container == nil && model.Inside(state) > 0
		}
		for _, mark := range marks {
			over := &Overlay{Mark: func(*asl.State) Mark { return mark }}
			for _, shape := range allShapes() {
				for _, folds := range []Folds{nil, folded} {
					d := Layout(model, shape, folds)
					rows := strings.Split(d.Text(canvas.Unicode(), over), "\n")
					for _, n := range d.Nodes() {
						y, first, second := n.Rect.Y, n.State.Name, ""
						if !n.Open {
							first, second = d.Shape.nameRows(first)
						}
						if shape.Density == Boxes && !n.Open {
							y++
						}
						row := cellsFrom(rows[y], n.Rect.X, n.Rect.W)
						below := cellsFrom(rows[y+1], n.Rect.X, n.Rect.W)
						if !showsName(row, first) || second != "" && !showsName(below, second) {
							t.Errorf("%s, %+v, %q: the rows of %s are %q and %q", file, shape, mark.Badge, n.State.Name,
								row, below)
						}
					}
				}
			}
			checkRail(t, model, mark)
		}
	}
}

// cellsFrom cuts cells out of a row whose characters are one cell wide each.
func cellsFrom(row string, x, w int) string {
	runes := []rune(row)
	return string(runes[min(x, len(runes)):min(x+w, len(runes))])
}

func checkRail(t *testing.T, model *Model, mark Mark) {
	t.Helper()
	list := NewSheet(model).Rail()
	rows := strings.Split(list.Text(24, canvas.Unicode(), &Overlay{Mark: func(*asl.State) Mark { return mark }}), "\n")
	for i := range list.Len() {
		if s := list.State(i); s != nil && !showsName(rows[i], s.Name) {
			t.Errorf("%q: the row of %s in the list is %q", mark.Badge, s.Name, rows[i])
		}
	}
}

func TestWhatGivesWayToAName(t *testing.T) {
	for _, test := range []struct {
		name, kind, badge string
		room              int
		wantKind, want    string
	}{
		{"Ship", "◉", "×1", 9, " ◉", " ×1"},
		{"Ship", "◉", "×1", 8, "", " ×1"},
		{"ChargeCard", "◉", "×1", 12, "", " ×1"},      // the name is shortened for the badge
		{"ChargeCard", "◉", "×1", 10, " ◉", ""},       // but not below 8 cells
		{"ChargeCard", "◉", "«2/3 ×1", 15, "", " ×1"}, // the newest badge stays
		{"ChargeCard", "≡3 [+12]", "", 12, "", ""},    // 8 cells of the name need the width of the kind
		{"ChargeCard", "≡3 [+12]", "", 17, " ≡3 [+12]", ""},
	} {
		kind, badge := yield(test.name, test.kind, test.badge, test.room)
		if kind != test.wantKind || badge != test.want {
			t.Errorf("%s with %q and %q in %d cells: kind %q, badge %q; want %q, %q",
				test.name, test.kind, test.badge, test.room, kind, badge, test.wantKind, test.want)
		}
	}
}

// TestNamesTakeTwoRows: a long name is broken between its words.
func TestNamesTakeTwoRows(t *testing.T) {
	for _, c := range []struct{ name, first, second string }{
		{"Charge", "Charge", ""},
		{"ReserveStockInWarehouse", "ReserveStock", "InWarehouse"},
		{"Wait for the settlement", "Wait for the", "settlement"},
		{"reserve_stock_in_berlin", "reserve_stock_", "in_berlin"},
		{"HTTPRequestToTheBank", "HTTPRequest", "ToTheBank"},
		{"averylongnamewithoutanyword", "averylongnamewithoutanyword", ""},
	} {
		shape := Shape{Density: Chips, Name: 14, Wrap: true}
		if first, second := shape.nameRows(c.name); first != c.first || second != c.second {
			t.Errorf("%q: %q and %q, want %q and %q", c.name, first, second, c.first, c.second)
		}
		shape.Wrap = false
		if first, second := shape.nameRows(c.name); first != c.name || second != "" {
			t.Errorf("%q is wrapped where the shape does not: %q, %q", c.name, first, second)
		}
	}
}

// TestStatusIsToldByStyle: states that ran, failed, were caught or are current differ in the style of the name and its sign.
func TestStatusIsToldByStyle(t *testing.T) {
	m := Build(parse(t, "testdata/loop.asl.json", testkit.Read(t, "testdata/loop.asl.json")))
	marks := map[string]Mark{
		"Validate": {Visited: true}, "Route": {Visited: true}, "Charge": {Visited: true, Caught: true},
		"Review": {Visited: true, Current: true, Active: true}, "Failed": {Visited: true, Failed: true},
	}
	for _, shape := range allShapes() {
		d := Layout(m, shape, nil)
		c := canvas.New(d.w, d.h, canvas.Unicode())
		d.Paint(
			c.Area(canvas.Rect{W: d.w, H: d.h}),
			0,
			0,
			&Overlay{Mark: func(s *asl.State) Mark { return marks[s.Name] }},
		)
		for name, want := range map[string][2]canvas.Style{
			"Validate": {canvas.Good, canvas.Task}, "Route": {canvas.Good, canvas.Choice}, "Charge": {canvas.Warn, canvas.Warn},
			"Review": {canvas.BarInfo, canvas.BarInfo}, "Failed": {canvas.Bad, canvas.Bad}, "Done": {canvas.Dim, canvas.Dim},
		} {
			r := d.Node(m.top.State(name)).Rect
			x, y := r.X+1, r.Y
			if shape.Density == Boxes {
				x, y = r.X+2, r.Y+1
			}
			if sign, text := c.At(x, y).Style, c.At(x+2, y).Style; sign != want[0] || text != want[1] {
				t.Errorf("%v: the sign of %s has style %d, its name %d, want %v", shape, name, sign, text, want)
			}
		}
	}
}

// TestNamesTakeFreeCells: a name is cut in a shape only where its row has no free cells for it.
func TestNamesTakeFreeCells(t *testing.T) {
	m := Build(parse(t, "x", []byte(`{"StartAt":"Wait until completed","States":{
		"Wait until completed":{"Type":"Wait","Seconds":1,"Next":"C"},
		"C":{"Type":"Choice","Choices":[{"Variable":"$.a","NumericEquals":1,"Next":"One"},
			{"Variable":"$.a","NumericEquals":2,"Next":"Two"}],"Default":"Three"},
		"One":{"Type":"Pass","End":true},"Two":{"Type":"Pass","End":true},"Three":{"Type":"Pass","End":true}}}`)))
	for _, density := range []Density{Boxes, Chips} {
		shape := Shape{Density: density, Name: 12, Label: 20, Catch: 20}
		if text := Layout(m, shape, nil).Text(canvas.Unicode(), nil); !strings.Contains(text,
			"Wait until completed ◔") {
			t.Errorf("%v: the name is cut\n%s", density, text)
		}
	}
}

// TestConditionsTakeFreeCells: a condition is cut in a shape only where its row has no free cells for it.
func TestConditionsTakeFreeCells(t *testing.T) {
	m := Build(parse(t, "x", []byte(`{"StartAt":"C","States":{
		"C":{"Type":"Choice","Choices":[{"Variable":"$.status","StringEquals":"cancelled","Next":"A state with a long name"}],
			"Default":"Another state with a long name"},
		"A state with a long name":{"Type":"Pass","End":true},"Another state with a long name":{"Type":"Pass","End":true}}}`)))
	for _, density := range []Density{Boxes, Chips} {
		shape := Shape{Density: density, Name: 40, Label: 12, Catch: 20}
		text := Layout(m, shape, nil).Text(canvas.Unicode(), nil)
		if !strings.Contains(text, `$.status = "cancelled"`) {
			t.Errorf("%v: the condition is cut\n%s", density, text)
		}
	}
}

// A condition at an edge of the drawing takes no cell of another row.
func TestConditionsAtTheEdges(t *testing.T) {
	for _, tt := range []text{
		{x: 0, y: 0, width: 4, right: true, text: "abcdefgh"}, {x: 0, y: 1, width: 4, right: true, text: "abcdefgh"},
		{x: 6, y: 0, width: 4, text: "abcdefgh"}, {x: 6, y: 1, width: 4, text: "abcdefgh"},
	} {
		d := &Drawing{block: block{w: 10, h: 2}}
		taken := make([]bool, d.w*d.h)
		d.lengthenText(taken, &tt)
		if i := slices.Index(taken, true); i >= 0 || tt.width != 4 {
			t.Errorf("from %d,%d to the edge: cell %d is taken, %d cells", tt.x, tt.y, i, tt.width)
		}
	}
}
