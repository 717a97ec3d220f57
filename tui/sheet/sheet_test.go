package sheet

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"asldb/internal/fault"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	tea "github.com/charmbracelet/bubbletea"
)

// page is a page that does as its keys say.
type page struct {
	typed string
	do    map[string]func(s *Sheet)
}

func (p *page) Title() string                  { return "a page" }
func (p *page) Status() (string, canvas.Style) { return "all well", theme.BarGood }
func (p *page) Keys() *keys.Map                { return keys.Default() }
func (p *page) Hints() []keys.Action           { return []keys.Action{keys.StepState, keys.EditData} }
func (p *page) Begin(s *Sheet)                 { s.Say(theme.Plain, "it has begun") }
func (p *page) Draw(area canvas.Area)          { area.Text(0, 0, theme.Plain, p.typed) }
func (p *page) Press(s *Sheet, k keys.Press) {
	p.typed += k.Text
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
	s := New(&page{}, Options{})
	s.Init()
	sees(t, s, "a page", "all well", "it has begun")
	s.Update(tea.WindowSizeMsg{Width: 60, Height: 12})
	s.Update(letters("xy"))
	s.Update(tea.KeyMsg{Type: tea.KeySpace})
	s.Update(letters("z"))
	sees(t, s, "xy z", "s state", "e edit", "? help")
	if lines := strings.Split(s.Text(), "\n"); len(lines) != 12 {
		t.Errorf("%d lines", len(lines))
	}
	s.Update(letters("?"))
	sees(t, s, "Keys", "step one stage")
	s.Update(tea.KeyMsg{Type: tea.KeyDown})
	s.Update(letters("q"))
	if strings.Contains(s.Text(), "any other key") {
		t.Error("the page of keys is still open")
	}
	s.Say(theme.Bad, strings.Repeat("long ", 40))
	sees(t, s, "long long")
	if s.View() == "" || s.Glyphs() == nil {
		t.Error("there is no frame")
	}
}

// Work goes on behind the screen; its results come one after the other.
func TestWork(t *testing.T) {
	p := &page{do: map[string]func(s *Sheet){}}
	s := New(p, Options{ASCII: true})
	s.Init()
	p.do["w"] = func(s *Sheet) {
		s.Go(func(ctx context.Context) func() {
			s.Post(func() { p.typed += " under way" })
			return func() { p.typed += " done" }
		})
		s.After(time.Hour, func() { p.typed += " later" })
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
	s.Settle()
	sees(t, s, "w done later under way")
	s.Press(keys.Press{Name: "c"})
	s.Settle()
	sees(t, s, "context canceled")
	s.Press(keys.Press{Name: "ctrl+z"})
	sees(t, s, "No shell has started asldb")
	var failed error
	s.OpenFile("x", 1, 1, func(err error) { failed = err })
	if failed == nil {
		t.Error("a file was opened without a terminal")
	}
}

// Ctrl+C, the page itself and a fault end the screen.
func TestEnds(t *testing.T) {
	for name, want := range map[string]string{"e": "its own", "p": "oh", "b": "behind"} {
		p := &page{do: map[string]func(s *Sheet){
			"e": func(s *Sheet) { s.End(errors.New("its own")) },
			"p": func(*Sheet) { panic("oh") },
			"b": func(s *Sheet) { s.Go(func(context.Context) func() { panic("behind") }) },
		}}
		s := New(p, Options{})
		s.Init()
		s.guard(func() { s.update(letters(name)) })
		s.Settle()
		over, err := s.Over()
		if !over || err == nil || err.Error() != want {
			t.Errorf("%s: %v, %v", name, over, err)
		}
		var broken *fault.Fault
		if errors.As(err, &broken) != (name != "e") {
			t.Errorf("%s: %T", name, err)
		}
		s.Update(letters("x"))
		if p.typed != name {
			t.Errorf("a key after the end: %q", p.typed)
		}
	}
	s := New(&page{}, Options{})
	s.Update(tea.KeyMsg{Type: tea.KeyCtrlC})
	if _, err := s.Over(); !errors.Is(err, ErrInterrupted) {
		t.Error(err)
	}
}
