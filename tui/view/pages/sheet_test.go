package pages_test

import (
	"strings"
	"testing"

	"asldb/tui/keys"
	"asldb/tui/program"
	"asldb/tui/view"
)

// sheetScreen is a page on a screen.
type sheetScreen struct {
	*testing.T
	Sheet *program.Sheet
}

// onPage shows a page on a screen of w by h cells.
func onPage(t *testing.T, page program.Page, w, h int, o program.Options) *sheetScreen {
	s := &sheetScreen{T: t}
	s.Begin(page, w, h, o)
	return s
}

// Begin shows a page on a new screen.
func (s *sheetScreen) Begin(page program.Page, w, h int, o program.Options) {
	s.Sheet = program.NewSheet(page, o)
	s.Sheet.Resize(w, h)
	s.Sheet.Begin()
	s.settle()
}

// settle waits for the work behind the screen, and draws it as a terminal does.
func (s *sheetScreen) settle() {
	_ = s.Sheet.Settle(s.Context())
	s.Sheet.Text()
}

// Press presses keys, and waits for the work that each begins. A name of one character is that character.
func (s *sheetScreen) Press(names ...string) *sheetScreen {
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
func (s *sheetScreen) Type(text string) *sheetScreen { return s.Press(strings.Split(text, "")...) }

// Mouse clicks at a text on the screen, or turns the wheel there by rows.
func (s *sheetScreen) Mouse(text string, rows int) *sheetScreen {
	s.Helper()
	for y, line := range strings.Split(s.Sheet.Text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			if x := len([]rune(before)); rows != 0 {
				s.Sheet.Point(view.Mouse{X: x, Y: y, Kind: view.Wheel, Rows: rows})
			} else {
				s.Sheet.Point(view.Mouse{X: x, Y: y})
			}
			s.settle()
			return s
		}
	}
	s.Fatalf("no %q on the screen:\n%s", text, s.Sheet.Text())
	return s
}

// Sees fails the test unless the screen has the texts.
func (s *sheetScreen) Sees(texts ...string) *sheetScreen {
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
func (s *sheetScreen) Hides(texts ...string) *sheetScreen {
	s.Helper()
	shown := s.Sheet.Text()
	for _, text := range texts {
		if strings.Contains(shown, text) {
			s.Errorf("%q is on the screen:\n%s", text, shown)
		}
	}
	return s
}
