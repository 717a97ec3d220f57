package program

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// maxMessage is how many lines a message takes at most.
const maxMessage = 4

func (s *Sheet) paintStatus(line canvas.Area) {
	line.Fill(0, canvas.Bar, true)
	g, right := line.Glyphs(), line.W()
	if text, style := s.page.Status(); text != "" {
		text = " " + canvas.Fit(text, line.W()*2/3, g.Ellipsis) + " "
		right = line.Right(line.W()-1, 0, style, text) - 1
	}
	line.Text(1, 0, canvas.Bar, canvas.FitMiddle(s.page.Title(), right-2, g.Ellipsis))
}

// paintHints paints the keys of the bottom line, as many as fit; the help comes last.
func (s *Sheet) paintHints(line canvas.Area) {
	m := s.page.Keys()
	width := func(a keys.Action) int { return canvas.Width(m.Key(a)) + 1 + canvas.Width(m.Binding(a).Short) }
	paint := func(x int, a keys.Action) int {
		from := x
		x = line.Text(x, 0, canvas.HintKey, m.Key(a))
		x = line.Text(x+1, 0, canvas.Hint, m.Binding(a).Short)
		s.spots.Frame(line, false).Click(canvas.Rect{X: from, W: x - from, H: 1}, func() { s.Handle(keys.Press{Action: a}) })
		return x + 2
	}
	right := line.W() - 1 - width(keys.Help)
	paint(right, keys.Help)
	x := 1
	for _, a := range s.page.Hints() {
		if x+width(a)+2 > right {
			break
		}
		x = paint(x, a)
	}
}

// help is the page of keys.
type help struct{ widget.Pager }

func (p *help) draw(f widget.Frame, m *keys.Map) {
	type line struct{ keys, text string }
	width, column := min(100, f.W()), 0
	name := func(b *keys.Binding) string {
		if width < 70 {
			return m.Key(b.Action)
		}
		return b.AllShown()
	}
	list := m.Bindings()
	for i := range list {
		column = max(column, canvas.Width(name(&list[i]))+3)
	}
	var lines []line
	for i := range list {
		shown := name(&list[i])
		for _, text := range canvas.Wrap(list[i].Help, width-column-3) {
			lines = append(lines, line{shown, text})
			shown = ""
		}
	}
	f.Mouse(nil, p.Scroll)
	p.Draw(f.Window(width, len(lines)+2, "Keys", "any other key closes this page"), len(lines), func(row canvas.Area, i int) {
		row.Text(1, 0, canvas.HintKey, lines[i].keys)
		row.Fit(column, 0, row.W()-column-1, canvas.Plain, lines[i].text)
	})
}
