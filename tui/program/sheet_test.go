package program

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// page is a page that does as its keys say.
type page struct {
	typed string
	acted []keys.Action
	do    map[string]func(s *Sheet)
	sizes chan int // the height of each frame, for one who listens
}

func (p *page) Title() string                  { return "a page" }
func (p *page) Status() (string, canvas.Style) { return "all well", canvas.BarGood }
func (p *page) Keys() *keys.Map                { return keys.Problems() }
func (p *page) Hints() []keys.Action           { return []keys.Action{keys.FindNext, keys.EditData} }
func (p *page) Begin(s *Sheet)                 { s.Say(canvas.Plain, "it has begun") }
func (p *page) Draw(s *Sheet, f widget.Frame) {
	select {
	case p.sizes <- f.H():
	default:
	}
	f.Text(0, 0, canvas.Plain, p.typed)
	f.In(canvas.Rect{X: 2, Y: 1, W: 9, H: 2}).Mouse(func(x, y int) { p.typed += fmt.Sprintf("(%d,%d)", x, y) }, func(rows int) { p.typed += fmt.Sprintf("[%d]", rows) })
}
func (p *page) Press(s *Sheet, k keys.Press) {
	p.typed += k.Text
	if k.Name == "" {
		p.acted = append(p.acted, k.Action)
	}
	if do := p.do[k.Name]; do != nil {
		do(s)
	}
}

func sees(t *testing.T, s *Sheet, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(s.Text(), text) {
			t.Errorf("no %q on the screen:\n%s", text, s.Text())
		}
	}
}

func letters(text string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)} }

// The frame has the status line, the page, and the keys or a message.
func TestFrame(t *testing.T) {
	s := NewSheet(&page{}, Options{})
	s.Init()
	sees(t, s, "a page", "all well", "it has begun")
	s.Update(tea.WindowSizeMsg{Width: 60, Height: 12})
	s.Update(letters("xy"))
	s.Update(tea.KeyMsg{Type: tea.KeySpace})
	s.Update(letters("z"))
	sees(t, s, "xy z", "n next", "e edit", "? help")
	if lines := strings.Split(s.Text(), "\n"); len(lines) != 12 {
		t.Errorf("%d lines", len(lines))
	}
	s.Update(letters("?"))
	sees(t, s, "Keys", "the next problem")
	s.Update(tea.KeyMsg{Type: tea.KeyDown})
	s.Update(letters("q"))
	if strings.Contains(s.Text(), "any other key") {
		t.Error("the page of keys is still open")
	}
	s.Say(canvas.Bad, strings.Repeat("long ", 40))
	sees(t, s, "long long")
	if s.View() == "" || s.Glyphs() == nil {
		t.Error("there is no frame")
	}
}

// The mouse does what the page says, presses the hints of keys and scrolls the page of keys.
func TestMouse(t *testing.T) {
	mouse := func(s *Sheet, x, y int, button tea.MouseButton, action tea.MouseAction) {
		s.Text() // as a terminal draws it
		s.Update(tea.MouseMsg{X: x, Y: y, Button: button, Action: action})
	}
	p := &page{do: map[string]func(s *Sheet){}}
	s := NewSheet(p, Options{})
	s.Resize(60, 12)
	s.Init() // with a message
	mouse(s, 3, 11, tea.MouseButtonLeft, tea.MouseActionPress)
	if sees(t, s, "n next"); p.typed != "" || len(p.acted) > 0 {
		t.Errorf("%q, %v by a click on a message", p.typed, p.acted)
	}
	mouse(s, 1, 2, tea.MouseButtonLeft, tea.MouseActionPress)
	mouse(s, 2, 2, tea.MouseButtonLeft, tea.MouseActionPress)
	mouse(s, 2, 2, tea.MouseButtonLeft, tea.MouseActionRelease)
	mouse(s, 2, 2, tea.MouseButtonRight, tea.MouseActionPress)
	mouse(s, 10, 3, tea.MouseButtonWheelDown, tea.MouseActionPress)
	mouse(s, 10, 3, tea.MouseButtonWheelUp, tea.MouseActionPress)
	mouse(s, 11, 3, tea.MouseButtonWheelUp, tea.MouseActionPress)
	if p.typed != "(0,0)[3][-3]" {
		t.Error(p.typed)
	}
	hint := func(text string) int {
		lines := strings.Split(s.Text(), "\n")
		return strings.Index(lines[len(lines)-1], text)
	}
	mouse(s, hint("e edit"), 11, tea.MouseButtonLeft, tea.MouseActionPress)
	mouse(s, hint("n next")+5, 11, tea.MouseButtonLeft, tea.MouseActionPress)
	if !slices.Equal(p.acted, []keys.Action{keys.EditData, keys.FindNext}) {
		t.Error(p.acted)
	}
	mouse(s, hint("? help"), 11, tea.MouseButtonLeft, tea.MouseActionPress)
	sees(t, s, "any other key", "the next problem")
	mouse(s, 5, 5, tea.MouseButtonWheelDown, tea.MouseActionPress)
	if strings.Contains(s.Text(), "the next problem") {
		t.Error("the page of keys was not scrolled")
	}
	mouse(s, 2, 2, tea.MouseButtonLeft, tea.MouseActionPress)
	if strings.Contains(s.Text(), "any other key") || p.typed != "(0,0)[3][-3]" {
		t.Errorf("a click beside the page of keys: %q", p.typed)
	}
	s.End(nil)
	s.Point(view.Mouse{X: 2, Y: 2})
	s.Point(view.Mouse{X: 2, Y: 2, Kind: view.Wheel, Rows: 1})
	if p.typed != "(0,0)[3][-3]" {
		t.Errorf("the mouse after the end: %q", p.typed)
	}
}

// Work continues behind the screen; its results come one after the other.
func TestWork(t *testing.T) {
	p := &page{do: map[string]func(s *Sheet){}}
	s := NewSheet(p, Options{ASCII: true})
	s.Init()
	p.do["w"] = func(s *Sheet) {
		s.Go(func(ctx context.Context) func() {
			s.Post(func() { p.typed += " under way" })
			return func() { p.typed += " done" }
		})
		s.Wait(time.Hour, func() { p.typed += " later" })
		s.Go(func(context.Context) func() { return nil })
	}
	p.do["c"] = func(s *Sheet) {
		cancel := s.Go(func(ctx context.Context) func() {
			err := ctx.Err()
			return func() { p.typed += " " + err.Error() }
		})
		cancel()
	}
	s.update(letters("w"))
	_ = s.Settle(t.Context())
	sees(t, s, "w done later under way")
	s.Press(keys.Press{Name: "c"})
	_ = s.Settle(t.Context())
	sees(t, s, "context canceled")
	s.Press(keys.Press{Name: "ctrl+z"})
	sees(t, s, "No shell has started asldb")
	var failed error
	s.OpenFile("x", 1, 1, func(err error) { failed = err })
	_ = s.Settle(t.Context())
	if failed == nil {
		t.Error("a file was opened without a terminal")
	}
}

// Ctrl+C and the page itself end the screen.
func TestEnds(t *testing.T) {
	p := &page{do: map[string]func(s *Sheet){"e": func(s *Sheet) { s.End(errors.New("its own")) }}}
	s := NewSheet(p, Options{})
	s.Init()
	s.Update(letters("e"))
	if over, err := s.Over(); !over || err == nil || err.Error() != "its own" {
		t.Errorf("%v, %v", over, err)
	}
	s.Update(letters("x"))
	if p.typed != "e" {
		t.Errorf("a key after the end: %q", p.typed)
	}
	s = NewSheet(&page{}, Options{})
	s.Update(tea.KeyMsg{Type: tea.KeyCtrlC})
	if _, err := s.Over(); !errors.Is(err, ErrInterrupted) {
		t.Error(err)
	}
}

// A text is put on the terminal's clipboard by OSC 52, in base 64.
func TestCopy(t *testing.T) {
	var out strings.Builder
	s := NewSheet(&page{}, Options{})
	s.out = &out
	s.Copy("two\nlines")
	if got, want := out.String(), "\x1b]52;c;dHdvCmxpbmVz\x07"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}
