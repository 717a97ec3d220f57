package program

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// The least size of the screen, in cells.
const leastWidth, leastHeight = 40, 10

// Page is the content of a screen between a status line and a line with keys.
type Page interface {
	// Title is at the left of the status line; Status is at its right, with its style there.
	Title() string
	Status() (text string, style canvas.Style)
	// Keys is the table of the keys, Hints the actions in the bottom line, the most useful first.
	Keys() *keys.Map
	Hints() []keys.Action
	// Begin is called once, before the first frame.
	Begin(s *Sheet)
	// Press handles a key.
	Press(s *Sheet, k keys.Press)
	// Draw paints the part of the screen between the status line and the bottom line, and notes the actions of the
	// mouse there.
	Draw(s *Sheet, f widget.Frame)
}

// Sheet is the view of a page: its status line, its keys, the list of them, and its messages.
type Sheet struct {
	*Layer
	page    Page
	spots   widget.Spots // of the frame
	help    *help        // nil: it is closed
	message string
	style   canvas.Style // of the message
	// chosen is called in place of the end where the page stays below; asleep: it was called, and no key is taken until
	// the page is shown again.
	chosen func()
	asleep bool
	stop   func() // ends the command that opens the choice
}

// NewSheet returns the sheet of a page as the only view of a program.
func NewSheet(page Page, o Options) (sheet *Sheet) {
	if o.Terminal == nil { // no time passes
		o.Later = func(_ time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
			return func() tea.Msg { return f(time.Time{}) }
		}
	}
	New(o, func(host view.Host) view.View {
		sheet, _ = OnSheet(page)(host).(*Sheet)
		return sheet
	})
	return sheet
}

// OnSheet returns the maker of a page's view.
func OnSheet(page Page) func(view.Host) view.View {
	return func(host view.Host) view.View {
		l, _ := host.(*Layer)
		return &Sheet{Layer: l, page: page}
	}
}

// Begin implements [view.Beginner].
func (s *Sheet) Begin() { s.page.Begin(s) }

// End implements [view.Host]. A page that stays below has chosen something by its end: its work ends.
func (s *Sheet) End(err error) {
	if err != nil || s.chosen == nil {
		s.Layer.End(err)
		return
	}
	s.Layer, s.asleep = s.Layer.renewed(), true
	s.chosen()
}

// Writes implements [view.Writer].
func (s *Sheet) Writes() bool {
	w, ok := s.page.(view.Writer)
	return ok && s.help == nil && w.Writes()
}

// Bindings implements [view.View]: the keys of a page are in its table.
func (*Sheet) Bindings() view.Bindings { return nil }

// Wait calls a function after a time.
func (s *Sheet) Wait(d time.Duration, f func()) { s.After(d, func(time.Time) { f() }) }

// Say shows a message in the bottom line until the next key.
func (s *Sheet) Say(style canvas.Style, text string) { s.message, s.style = text, style }

// Handle implements [view.View]. The action of a key with a name is looked up.
func (s *Sheet) Handle(k keys.Press) bool {
	if k.Name != "" {
		k.Action = s.page.Keys().Lookup(k.Name)
	}
	s.message = ""
	switch {
	case s.asleep && k.Action == keys.Kill:
		s.stop()
	case s.asleep:
	case k.Action == keys.Kill:
		s.End(ErrInterrupted)
	case k.Action == keys.Suspend:
		s.Suspend(func(reason string) { s.Say(canvas.Warn, reason) })
	case s.help != nil:
		if !s.help.Key(k.Action) {
			s.help = nil
		}
	case k.Action == keys.Help:
		s.help = &help{}
	default:
		s.page.Press(s, k)
	}
	return true
}

// Mouse implements [view.Mouser]. As a key does, a click ends a message, and closes the page of keys.
func (s *Sheet) Mouse(m view.Mouse) {
	switch m.Kind {
	case view.Click:
		s.message = ""
		if !s.spots.Click(m.X, m.Y) {
			s.help = nil
		}
	case view.Wheel:
		s.spots.Wheel(m.X, m.Y, m.Rows)
	case view.Drag, view.Release:
	}
}

// Draw implements [view.View].
func (s *Sheet) Draw(f widget.Frame) {
	all := f.Area
	s.spots.Reset()
	w, h := all.W(), all.H()
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
