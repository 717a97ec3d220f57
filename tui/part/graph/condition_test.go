package graph

import (
	"strings"
	"testing"

	"asldb/internal/definitions"
	"asldb/internal/testkit"
	"asldb/tui/part/canvas"
)

// TestConditionsKeepTheirOperator: a condition in little room still says how its sides are compared.
func TestConditionsKeepTheirOperator(t *testing.T) {
	for _, c := range []struct {
		text  string
		cells int
		want  string
	}{
		{"$.total > 100", 13, "$.total > 100"},
		{"$.OrganizationId = $.OU", 14, "$.O…nId = $.OU"},
		{"$.validation.valid = false", 15, "…valid = false"},
		{"$.validation.valid = false", 13, "$.…id = false"},
		{"$.validation.valid = false", 14, "…valid = false"},
		{"$.validation.total > 0", 12, "…total > 0"},
		{"$.status is not present", 19, "… is not present"},
		{"$.status is not present", 20, "$.…us is not present"},
		{"$.status is not present", 12, "…"},
		{`$.status = "cancelled"`, 12, `… = "can…ed"`},
		{`$.status = "cancelled"`, 16, `… = "cancelled"`},
		{"$.validation.valid = false", 7, "= false"},
		{`$.order.status = "paid"`, 16, `…status = "paid"`},
		{`$states.input.Status = 'Failed'`, 12, `… = 'Failed'`},
		{`$.trigger matches "*.docx"`, 12, "…"},
		{`$.trigger matches "*.docx"`, 18, `… matches "*.docx"`},
		{"$.product.stock >= $.quantity", 12, "… >= $.q…ity"},
		{"$.product.stock >= $.quantity", 9, "…"},
		{"$.product.stock >= $.quantity", 15, "…stock >= $.…ty"},
		{"$.product.stock >= $.quantity and $.b = 1", 10, "…"},
		{`$.trigger matches "requestRejected" or $.b = 1`, 16, "…"},
		{`$.name = "a long text and more"`, 20, `$.name = "a lo…more"`},
		{"not ($.customer.age < 18)", 16, "not (…age < 18)"},
		{"$.a = 1 and $.b = 2", 14, "$.a = 1 and …"},
		{"$.total is present and $.total > 100", 21, "… $.total > 100"},
		{"$.total is present and $.total > 100", 12, "…total > 100"},
		{"$.total is present and $.total > 0", 11, "$.total > 0"},
		{"$.customer.age > 18 and $.b = 2", 17, "…age > 18…"},
		{"$['a and b'] = 1", 12, "$['a…b'] = 1"},
		{"$exists($states.input.order)", 12, "$exist…rder)"},
		{"Lambda.ServiceException", 12, "Lambda…ption"},
	} {
		got := FitCondition(c.text, c.cells, "…")
		if canvas.Width(got) > c.cells {
			t.Errorf("%s in %d cells: %s takes %d", c.text, c.cells, got, canvas.Width(got))
		}
		if got != c.want {
			t.Errorf("%s in %d cells: %s, want %s", c.text, c.cells, got, c.want)
		}
	}
}

// TestLabelsKeepTheirOperator: in every shape the rules of the demo's Choice can be told from each other.
func TestLabelsKeepTheirOperator(t *testing.T) {
	m := Build(parse(t, "order.asl.json", definitions.DemoDefinition))
	for _, shape := range allShapes() {
		text := Layout(m, shape, nil).Text(canvas.Unicode(), nil)
		for _, end := range []string{" = false", " > 0"} {
			if !strings.Contains(text, end+" ") {
				t.Errorf("%+v: no label ends in %q\n%s", shape, end, text)
			}
		}
	}
}

// TestCatchFalls: a catcher that leads to the state below leaves by the lower border, or at the right where another
// transition leads down, and its line is at most as long as the space between the two, with the rows of its Error
// Names.
func TestCatchFalls(t *testing.T) {
	alone := Build(parse(t, "order.asl.json", definitions.DemoDefinition))
	beside := Build(parse(t, "nested.asl.json", testkit.Read(t, "testdata/nested.asl.json")))
	for _, c := range []struct {
		m        *Model
		from, to string
		most     int
	}{{alone, "NotifyCustomer", "PrintLetter", 3}, {alone, "PickLine", "Backorder", 3}, {beside, "EachItem", "Abort", 30}} {
		for _, shape := range allShapes() {
			if shape.Round {
				continue
			}
			d := Layout(c.m, shape, nil)
			for i := range d.lines {
				l := &d.lines[i]
				if !l.catch || l.from.Name != c.from || l.to.Name != c.to {
					continue
				}
				cells, to := cellsOf(d, l), d.Node(l.to).Rect
				if n := outside(d, l); n > c.most {
					t.Errorf("%+v: the line from %s to %s has %d cells, at most %d are wanted\n%s", shape, c.from, c.to,
						n, c.most, d.Text(canvas.Unicode(), nil))
				}
				for p := range cells {
					if p.y > to.Y {
						t.Errorf("%+v: the line from %s to %s goes below the top of %s", shape, c.from, c.to, c.to)
					}
				}
			}
		}
	}
}
