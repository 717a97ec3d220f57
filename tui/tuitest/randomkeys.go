package tuitest

import (
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"asldb/tui/keys"
)

// randomMessages is how many messages [RandomKeys] sends, and followUps how many of the commands after one it carries out.
const randomMessages, followUps = 1500, 20

// RandomKeys sends random keys, mouse events and sizes, sizes of no cells too, to a model of a program that is opened
// again whenever it ends. No row of a frame may be wider than the terminal, and nothing may panic.
func RandomKeys(t *testing.T, open func() tea.Model) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 0))
	var names []string
	for _, b := range keys.Default().Bindings() {
		names = append(names, b.Keys...)
	}
	sizes := []tea.WindowSizeMsg{{}, {Width: 80}, {Height: 24}, {Width: 1, Height: 1}, {Width: 40, Height: 10}, {Width: 80, Height: 24}, {Width: 200, Height: 60}}
	types := []tea.KeyType{tea.KeyEnter, tea.KeyEsc, tea.KeyUp, tea.KeyDown, tea.KeyLeft, tea.KeyRight, tea.KeyTab, tea.KeyPgUp, tea.KeyPgDown,
		tea.KeyHome, tea.KeyEnd, tea.KeyBackspace, tea.KeyCtrlU, tea.KeyCtrlZ, tea.KeyCtrlC}
	model, width, log := tea.Model(nil), 80, []string(nil)
	defer func() {
		if t.Failed() {
			t.Log("the last messages: ", strings.Join(log[max(0, len(log)-30):], " "))
		}
	}()
	for range randomMessages {
		var msg tea.Msg
		switch n := random.IntN(100); {
		case n < 45:
			msg = tea.KeyMsg{Type: types[random.IntN(len(types)-random.IntN(2))]} // fewer of the last, which ends everything
		case n < 80:
			msg = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(names[random.IntN(len(names))])}
		case n < 90:
			msg = tea.MouseMsg{X: random.IntN(90) - 5, Y: random.IntN(30) - 3, Button: tea.MouseButton(random.IntN(6))}
		default:
			msg = sizes[random.IntN(len(sizes))]
		}
		over := model == nil
		if over {
			model, log = open(), nil
			over = follow(model, model.Init(), followUps)
			width = sizes[5].Width
			model.Update(sizes[5])
		}
		if size, ok := msg.(tea.WindowSizeMsg); ok {
			if width = size.Width; size.Width < 1 || size.Height < 1 {
				width = 80 // the usual size of a terminal that does not say its
			}
		}
		if text, ok := msg.(interface{ String() string }); ok {
			log = append(log, text.String())
		}
		_, cmd := model.Update(msg)
		over = follow(model, cmd, followUps) || over
		for line := range strings.SplitSeq(model.View(), "\n") {
			if got := ansi.StringWidth(line); got > max(width, 1) {
				t.Fatalf("a row of %d cells on a terminal of %d: %q", got, width, line)
			}
		}
		if over {
			model = nil
		}
	}
}

// follow carries out a command and those that follow, and reports whether one of them ended the program.
func follow(model tea.Model, cmd tea.Cmd, most int) (over bool) {
	if cmd == nil || most == 0 {
		return false
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg, tea.InterruptMsg:
		return true
	case tea.BatchMsg:
		for _, c := range msg {
			over = follow(model, c, most-1) || over
		}
	default:
		_, next := model.Update(msg)
		return follow(model, next, most-1)
	}
	return over
}
