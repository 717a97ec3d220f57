package tui

import (
	"cmp"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/engine/debug"
	"asldb/tui/tuitest"
)

var (
	startTime = tuitest.Start
	session   = tuitest.Session
	order     = tuitest.Order
)

// timeless lets no time pass.
func timeless(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }

// driver drives an App as Bubble Tea would, without a terminal.
type driver struct {
	t       testing.TB
	app     *App
	session *debug.Session
}

func drive(t testing.TB, s *debug.Session, w, h int, o Options) *driver {
	o.Title = cmp.Or(o.Title, "order")
	o.later = timeless
	d := &driver{t, New(s, o), s}
	d.app.Start()
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

// send passes a message on and carries out the commands that it leads to, ticks excepted.
func (d *driver) send(msg tea.Msg) {
	_, cmd := d.app.Update(msg)
	d.carryOut(cmd)
}

func (d *driver) carryOut(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.carryOut(cmd)
		}
	default:
		d.send(msg)
	}
}

// press presses keys, given by the names that the table uses.
func (d *driver) press(names ...string) *driver {
	for _, name := range names {
		d.send(keyMsg(name))
	}
	return d
}

var keyTypes = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome,
	"end": tea.KeyEnd, "ctrl+c": tea.KeyCtrlC, "ctrl+s": tea.KeyCtrlS,
}

func keyMsg(name string) tea.KeyMsg {
	if typ, ok := keyTypes[name]; ok {
		return tea.KeyMsg{Type: typ}
	}
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// until presses a key until the screen shows text.
func (d *driver) until(key, text string) *driver {
	d.t.Helper()
	for range 200 {
		if strings.Contains(d.app.Text(), text) {
			return d
		}
		d.press(key)
	}
	d.t.Fatalf("pressing %q never shows %q:\n%s", key, text, d.app.Text())
	return d
}
