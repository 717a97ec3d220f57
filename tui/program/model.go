package program

import (
	tea "github.com/charmbracelet/bubbletea"

	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// The least size of the screen, in cells.
const leastWidth, leastHeight = 40, 10

// Begin lets the page begin.
func (s *Sheet) Begin() { s.page.Begin(s) }

// Init implements [tea.Model].
func (s *Sheet) Init() tea.Cmd {
	s.Begin()
	return s.take()
}

// Update implements [tea.Model].
func (s *Sheet) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	s.update(msg)
	return s, s.take()
}

// take returns the commands since the last call.
func (s *Sheet) take() tea.Cmd {
	list := s.commands
	s.commands = nil
	if s.over {
		return tea.Quit
	}
	return tea.Batch(list...)
}

func (s *Sheet) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if s.terminal != nil {
			s.terminal.Output().Forget() // the terminal has wrapped or cut the frame
		}
		s.Resize(msg.Width, msg.Height)
	case doneMsg:
		if msg.f != nil && !s.over {
			msg.f()
		}
	case tea.MouseMsg:
		s.mouse(msg)
	case tea.KeyMsg:
		if msg.Type != tea.KeyRunes || msg.Alt {
			press := keys.Press{Name: msg.String()}
			if msg.Type == tea.KeySpace && !msg.Alt {
				press.Text = " "
			}
			s.Press(press)
			return
		}
		for _, r := range msg.Runes { // keys that were pressed quickly come together
			s.Press(keys.Press{Name: string(r), Text: string(r)})
		}
	}
}

// Resize sets the size of the screen, in cells.
func (s *Sheet) Resize(w, h int) { s.canvas.Resize(max(w, 1), max(h, 1)) }

// Press handles a key, whose action is looked up.
func (s *Sheet) Press(k keys.Press) {
	if s.over {
		return
	}
	k.Action = s.page.Keys().Lookup(k.Name)
	s.handle(k)
}

// handle handles a key with its action.
func (s *Sheet) handle(k keys.Press) {
	s.message = ""
	switch {
	case k.Action == keys.Kill:
		s.End(ErrInterrupted)
	case k.Action == keys.Suspend:
		s.suspend()
	case s.help != nil:
		if !s.help.Key(k.Action) {
			s.help = nil
		}
	case k.Action == keys.Help:
		s.help = &help{}
	default:
		s.page.Press(s, k)
	}
}

// View implements [tea.Model].
func (s *Sheet) View() string {
	s.paint()
	return s.canvas.Render(s.theme.Look)
}

// Text paints the screen and returns it as plain text.
func (s *Sheet) Text() string {
	s.paint()
	return s.canvas.String()
}

// Over reports whether the screen has ended, and with which error.
func (s *Sheet) Over() (bool, error) { return s.over, s.err }

// Settle runs the work behind the screen to its end, as tests need it: each piece in its turn.
func (s *Sheet) Settle() {
	for len(s.commands) > 0 && !s.over {
		next := s.commands[0]
		s.commands = s.commands[1:]
		if msg := next(); msg != nil {
			s.update(msg)
		}
	}
}

func (s *Sheet) paint() {
	s.canvas.Clear()
	s.spots.Reset()
	w, h := s.canvas.Size()
	all := s.canvas.Area(canvas.Rect{W: w, H: h})
	if w < leastWidth || h < leastHeight {
		all.Fit(0, 0, w, canvas.Plain, "asldb needs 40x10 cells")
		return
	}
	s.paintStatus(all.Row(0))
	body := all.Area(canvas.Rect{Y: 1, W: w, H: h - 2})
	s.page.Draw(s, s.spots.Frame(body, true))
	if s.help != nil {
		s.spots.Reset() // nothing below the page of keys can be clicked
		s.help.draw(s.spots.Frame(body, true), s.page.Keys())
	}
	if s.message == "" {
		s.paintHints(all.Row(h - 1))
		return
	}
	lines := canvas.Wrap(wording.Line(s.message), w-2)
	lines = lines[:min(len(lines), maxMessage)]
	for i, line := range lines {
		row := all.Row(h - len(lines) + i)
		row.Blank(canvas.Plain)
		row.Fit(1, 0, w-2, s.style, line)
		s.spots.Frame(row, false).Mouse(nil, nil) // nothing below the message can be clicked
	}
}

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

// paintHints paints the keys of the bottom line, as many as fit; that of the help comes last.
func (s *Sheet) paintHints(line canvas.Area) {
	m := s.page.Keys()
	width := func(a keys.Action) int { return canvas.Width(m.Key(a)) + 1 + canvas.Width(m.Binding(a).Short) }
	paint := func(x int, a keys.Action) int {
		from := x
		x = line.Text(x, 0, canvas.HintKey, m.Key(a))
		x = line.Text(x+1, 0, canvas.Hint, m.Binding(a).Short)
		s.spots.Frame(line, false).Click(canvas.Rect{X: from, W: x - from, H: 1}, func() { s.handle(keys.Press{Action: a}) })
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
