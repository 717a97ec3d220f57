// Package sheettest drives pages of tui/sheet in tests, without a terminal.
package sheettest

import (
	"strings"
	"testing"

	"asldb/tui/keys"
	"asldb/tui/sheet"
)

// Screen is a page on a screen.
type Screen struct {
	*testing.T
	Sheet *sheet.Sheet
}

// Open shows a page on a screen of w by h cells.
func Open(t *testing.T, page sheet.Page, w, h int, o sheet.Options) *Screen {
	s := &Screen{T: t}
	s.Begin(page, w, h, o)
	return s
}

// Begin shows a page on a new screen.
func (s *Screen) Begin(page sheet.Page, w, h int, o sheet.Options) {
	s.Sheet = sheet.New(page, o)
	s.Sheet.Resize(w, h)
	s.Sheet.Begin()
	s.settle()
}

// settle waits for the work behind the screen, and draws it as a terminal does.
func (s *Screen) settle() {
	s.Sheet.Settle()
	s.Sheet.Text()
}

// Press presses keys, and waits for the work that each begins. A name of one character is that character.
func (s *Screen) Press(names ...string) *Screen {
	for _, name := range names {
		press := keys.Press{Name: name}
		if len(name) == 1 {
			press.Text = name
		}
		s.Sheet.Press(press)
		s.settle()
	}
	return s
}

// Type types a text.
func (s *Screen) Type(text string) *Screen { return s.Press(strings.Split(text, "")...) }

// Mouse clicks at a text on the screen, or turns the wheel there by rows.
func (s *Screen) Mouse(text string, rows int) *Screen {
	s.Helper()
	for y, line := range strings.Split(s.Sheet.Text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			if x := len([]rune(before)); rows != 0 {
				s.Sheet.Wheel(x, y, rows)
			} else {
				s.Sheet.Click(x, y)
			}
			s.settle()
			return s
		}
	}
	s.Fatalf("no %q on the screen:\n%s", text, s.Sheet.Text())
	return s
}

// Sees fails the test unless the screen has the texts.
func (s *Screen) Sees(texts ...string) *Screen {
	s.Helper()
	shown := s.Sheet.Text()
	for _, text := range texts {
		if !strings.Contains(shown, text) {
			s.Errorf("no %q on the screen:\n%s", text, shown)
		}
	}
	return s
}

// Hides fails the test where the screen has one of the texts.
func (s *Screen) Hides(texts ...string) *Screen {
	s.Helper()
	shown := s.Sheet.Text()
	for _, text := range texts {
		if strings.Contains(shown, text) {
			s.Errorf("%q is on the screen:\n%s", text, shown)
		}
	}
	return s
}
