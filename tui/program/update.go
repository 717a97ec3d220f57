package program

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/internal/work"
	"asldb/tui/keys"
	"asldb/tui/view"
)

// callMsg is a function to be called between two messages.
type callMsg struct{ f func() }

// Init implements [tea.Model].
func (s *Stack) Init() tea.Cmd {
	return s.call(func() tea.Cmd {
		s.setTitle()
		s.Start()
		return s.take()
	})
}

// Start lets the views begin.
func (s *Stack) Start() {
	s.begun = true
	for _, l := range s.layers {
		s.begin(l)
	}
}

// Update implements [tea.Model].
func (s *Stack) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	return s, s.call(func() tea.Cmd {
		if broken, ok := msg.(faultMsg); ok {
			panic(broken.fault)
		}
		if s.busy != nil {
			return s.whileBusy(msg)
		}
		switch msg.(type) {
		case doneMsg, busyTickMsg: // of a message that has been handled
			return nil
		}
		return s.do(func() tea.Cmd {
			s.update(msg)
			return s.take()
		})
	})
}

// take returns the commands since the last call.
func (s *Stack) take() tea.Cmd {
	list := s.commands
	s.commands = nil
	if s.over {
		return tea.Quit
	}
	return tea.Batch(list...)
}

func (s *Stack) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if s.terminal != nil {
			s.terminal.Output().Forget() // the terminal has wrapped or cut the frame
		}
		s.Resize(msg.Width, msg.Height)
	case callMsg:
		if msg.f != nil && !s.over {
			msg.f()
		}
	case tea.MouseMsg:
		s.mouse(msg)
	case tea.KeyMsg:
		if v, ok := s.Top().(view.Writer); ok && v.Writes() && msg.Type == tea.KeyRunes && !msg.Alt && len(msg.Runes) > 1 {
			// A paste without brackets, or quick typing: text, even where it is the name of a key.
			s.Press(keys.Press{Text: string(msg.Runes)})
			return
		}
		s.Press(split(msg)...)
	}
}

// split makes keys of a message: Bubble Tea joins keys that are pressed quickly one after the other. A pasted text
// stays whole.
func split(msg tea.KeyMsg) (list []keys.Press) {
	if msg.Type == tea.KeyRunes && !msg.Paste && len(msg.Runes) > 1 {
		for _, r := range msg.Runes {
			list = append(list, split(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt})...)
		}
		return list
	}
	press := keys.Press{Name: msg.String()}
	switch {
	case msg.Alt:
	case msg.Type == tea.KeySpace:
		press.Text = " "
	case msg.Type == tea.KeyRunes:
		press.Text = string(msg.Runes)
	}
	return []keys.Press{press}
}

// Press presses keys, quickly one after the other. Where a question comes up the rest is dropped: it was meant for the
// view before and answers nothing.
func (s *Stack) Press(list ...keys.Press) {
	for _, k := range list {
		if s.over {
			return
		}
		before := s.layer()
		asked, _ := before.question()
		before.view.Handle(k)
		now := s.layer()
		if number, open := now.question(); now == before && number != asked || now != before && open {
			return
		}
	}
}

// question is the newest question of the view.
func (l *Layer) question() (number int64, open bool) {
	if a, ok := l.view.(view.Asker); ok {
		return a.Asked()
	}
	return 0, false
}

// suspendKey is the key for a signal that asks the program to stop.
var suspendKey = keys.Press{Action: keys.Suspend}

// wheelRows is the number of rows that one notch of the wheel scrolls.
const wheelRows = 3

func (s *Stack) mouse(msg tea.MouseMsg) {
	m := view.Mouse{X: msg.X, Y: msg.Y}
	switch {
	case msg.Action == tea.MouseActionMotion:
		m.Kind = view.Drag
	case msg.Action == tea.MouseActionRelease:
		m.Kind = view.Release
	case msg.Button == tea.MouseButtonWheelUp:
		m.Kind, m.Rows = view.Wheel, -wheelRows
	case msg.Button == tea.MouseButtonWheelDown:
		m.Kind, m.Rows = view.Wheel, wheelRows
	case msg.Button != tea.MouseButtonLeft:
		return
	}
	s.Point(m)
}

// Point passes an event of the mouse to the view on the screen.
func (s *Stack) Point(m view.Mouse) {
	if v, ok := s.Top().(view.Mouser); ok && !s.over {
		v.Mouse(m)
	}
}

// View implements [tea.Model]. Nothing is drawn after a fault.
func (s *Stack) View() (frame string) {
	if s.fault != nil {
		return ""
	}
	s.fault = work.Catch(func() {
		switch {
		case s.busy != nil:
			frame = s.busyFrame(s.busy)
		case s.frame == nil:
			s.frame = s.still()
			frame = s.frame.text
		default:
			frame = s.frame.text
		}
	})
	if s.fault != nil && s.program != nil {
		go s.program.Quit() // no message may come any more
	}
	return frame
}

// Frame paints the screen and returns it with the sequences of its colours.
func (s *Stack) Frame() string {
	if _, ok := s.Top().(view.Sized); ok && !s.sized { // nothing can be placed yet
		return ""
	}
	s.paint()
	of := s.layer().appearance
	text := of.canvas.Render(of.theme.Sequences)
	if !s.inline() {
		return text
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// Settle runs the work behind the screen to its end, each piece in its turn, until there is none or ctx ends, whose cause
// it returns then. It is for a program without a terminal.
func (s *Stack) Settle(ctx context.Context) error {
	for ctx.Err() == nil {
		if !s.Next(ctx) {
			return nil
		}
	}
	return context.Cause(ctx)
}

// Do has a command run as the first piece of the work behind the screen.
func (s *Stack) Do(command tea.Cmd) { s.commands = append([]tea.Cmd{command}, s.commands...) }

// Next runs one piece of the work behind the screen, as Settle does; false: there is none.
func (s *Stack) Next(ctx context.Context) bool {
	if len(s.commands) == 0 || s.over {
		return false
	}
	next := s.commands[0]
	s.commands = s.commands[1:]
	s.ctx = ctx
	if msg := next(); msg != nil {
		s.update(msg)
	}
	return true
}
