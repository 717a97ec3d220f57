package program_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/tui/program"
	"asldb/tui/tuitest"
)

// press sends keys to a sheet.
func press(s *program.Sheet, keys ...tea.KeyMsg) {
	for _, key := range keys {
		s.Update(key)
	}
}

func typed(text string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)} }

func key(t tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: t} }

func TestChoice(t *testing.T) {
	lines := []string{"orders.asl.json", "template.yaml --resource Refunds", "template.yaml --resource Orders"}
	for name, c := range map[string]struct {
		keys []tea.KeyMsg
		want int
		err  error
	}{
		"the first":            {[]tea.KeyMsg{key(tea.KeyEnter)}, 0, nil},
		"the second":           {[]tea.KeyMsg{key(tea.KeyDown), key(tea.KeyEnter)}, 1, nil},
		"beyond the end":       {[]tea.KeyMsg{key(tea.KeyEnd), key(tea.KeyDown), key(tea.KeyEnter)}, 2, nil},
		"up again":             {[]tea.KeyMsg{key(tea.KeyPgDown), key(tea.KeyUp), key(tea.KeyEnter)}, 1, nil},
		"filtered":             {[]tea.KeyMsg{typed("refu"), key(tea.KeyEnter)}, 1, nil},
		"filtered and widened": {[]tea.KeyMsg{typed("r"), typed("x"), key(tea.KeyBackspace), key(tea.KeyCtrlU), key(tea.KeyEnter)}, 0, nil},
		"nothing fits":         {[]tea.KeyMsg{typed("zzz"), key(tea.KeyEnter), key(tea.KeyEsc)}, 0, program.ErrNone},
		"left":                 {[]tea.KeyMsg{key(tea.KeyEsc)}, 0, program.ErrNone},
		"interrupted":          {[]tea.KeyMsg{key(tea.KeyCtrlC)}, 0, program.ErrInterrupted},
	} {
		page := program.NewChoice("choose", lines)
		s := program.NewSheet(page, program.Options{})
		s.Begin()
		s.Text() // as a terminal draws it
		press(s, c.keys...)
		if over, err := s.Over(); !over || page.Chosen != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %d, %v", name, page.Chosen, err)
		}
	}
}

// The frame has the size of the screen, and shows the line of the cursor.
func TestChoiceFrame(t *testing.T) {
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("machine-%02d \x1b[31m%s", i, strings.Repeat("x", 100)))
	}
	s := program.NewSheet(program.NewChoice("shop has 100 definitions", lines), program.Options{ASCII: true})
	for _, size := range []tea.WindowSizeMsg{{Width: 80, Height: 24}, {Width: 40, Height: 10}, {Width: 10, Height: 3}} {
		s.Update(size)
		s.Text()
		press(s, key(tea.KeyEnd))
		text := s.Text()
		rows := strings.Split(text, "\n")
		if len(rows) != size.Height {
			t.Errorf("%v: %d rows", size, len(rows))
		}
		for _, row := range rows {
			if len([]rune(row)) > size.Width || strings.Contains(row, "\x1b") {
				t.Errorf("%v: %q", size, row)
			}
		}
		if size.Width >= 40 && !strings.Contains(text, "> machine-99") {
			t.Errorf("%v:\n%s", size, text)
		}
	}
	press(s, key(tea.KeyHome), typed("machine-42"))
	s.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	if text := s.Text(); !strings.Contains(text, "> machine-42") || !strings.Contains(text, "1 of 1 with: machine-42") {
		t.Error(text)
	}
}

func TestRandomKeys(t *testing.T) {
	tuitest.RandomKeys(t, func() tea.Model {
		return program.NewSheet(program.NewChoice("choose", []string{"orders.asl.json", "template.yaml --resource Refunds", "日本語.json", strings.Repeat("long ", 60)}), program.Options{})
	})
}
