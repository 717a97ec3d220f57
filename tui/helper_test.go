package tui

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/demo"
	"asldb/tui/part/canvas"
	tea "github.com/charmbracelet/bubbletea"
)

// updating reports whether the golden files are to be written anew: the flag -update, which teatest
// brings with it.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// script answers tasks in their order, by state.
type script map[string][]engine.Outcome

func (s script) source() *scripted { return &scripted{script: s, used: map[string]int{}} }

type scripted struct {
	script script
	used   map[string]int
}

func (s *scripted) Ask(ask outcome.Ask) outcome.Reply {
	task, ok := ask.(outcome.Task)
	if !ok {
		return outcome.None(nil)
	}
	name := task.Request.Visit.State.Name
	outcomes := s.script[name]
	if s.used[name] >= len(outcomes) {
		return outcome.None(nil)
	}
	s.used[name]++
	return outcome.Given(outcomes[s.used[name]-1], "source")
}

func (s *scripted) Seek(asked []outcome.Ask) []outcome.Ask {
	clear(s.used)
	return outcome.Again(s, asked)
}

func machine(t testing.TB, name string, definition []byte) *engine.Machine {
	t.Helper()
	def, problems := asl.Parse(&source.File{Name: name, Data: definition})
	if def == nil {
		t.Fatalf("the definition does not parse: %+v", problems)
	}
	m, err := engine.Compile(def, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var startTime = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)

func session(t testing.TB, definition, input string, answers script) *debug.Session {
	t.Helper()
	return debug.New(machine(t, "test.asl.json", []byte(definition)), debug.Options{
		Input: value.Must(input), Start: startTime, Seed: 7, Source: answers.source(),
	})
}

// orderInput is the input of the demo.
const orderInput = `{"order":{"id":"o-1042","lines":[{"sku":"TEA-500","name":"Earl Grey 500 g","quantity":2},
	{"sku":"POT-1","name":"Teapot","quantity":1},{"sku":"CUP-4","name":"Set of four cups","quantity":1}]},
	"customer":{"name":"Ada","card":"tok_visa_4242","mailbox":"mail-ada"}}`

// order is the demo's definition with results for some of its tasks: the card service fails once, and
// nobody has said what ReserveStock returns.
func order(t testing.TB) *debug.Session {
	t.Helper()
	return debug.New(machine(t, demo.DefinitionName, demo.Definition), debug.Options{
		Input: value.Must(orderInput), Start: startTime, Seed: 7,
		Source: script{
			"ValidateOrder": {{Output: value.Must(`{"valid":true,"currency":"EUR","total":129.90}`), After: 350 * time.Millisecond}},
			"ChargeCard": {
				{Error: "Card.Timeout", Cause: "no answer from the card service in 2 s", After: 2 * time.Second},
				{Output: value.Must(`{"StatusCode":200,"ExecutedVersion":"$LATEST","Payload":{"chargeId":"ch_3PqL","amount":129.90,"status":"captured"}}`), After: 800 * time.Millisecond},
			},
		}.source(),
	})
}

// driver drives an App as Bubble Tea would, without a terminal.
type driver struct {
	t   testing.TB
	app *App
}

func drive(t testing.TB, s *debug.Session, w, h int, o Options) *driver {
	if o.Title == "" {
		o.Title = "order"
	}
	d := &driver{t, New(s, o)}
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

// send passes a message on and carries out the commands that it leads to, ticks excepted.
func (d *driver) send(msg tea.Msg) {
	_, cmd := d.app.Update(msg)
	d.carryOut(cmd)
}

func (d *driver) carryOut(cmd tea.Cmd) {
	if cmd == nil || d.app.ui.paced {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.carryOut(cmd)
		}
	case advanceMsg, calledMsg:
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
	"end": tea.KeyEnd, "f5": tea.KeyF5, "f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "ctrl+c": tea.KeyCtrlC,
	"ctrl+j": tea.KeyCtrlJ, "ctrl+p": tea.KeyCtrlP, "ctrl+r": tea.KeyCtrlR, "ctrl+s": tea.KeyCtrlS, "ctrl+z": tea.KeyCtrlZ, "ctrl+y": tea.KeyCtrlY, "ctrl+x": tea.KeyCtrlX, "ctrl+t": tea.KeyCtrlT,
	"ctrl+k": tea.KeyCtrlK, "delete": tea.KeyDelete, "backspace": tea.KeyBackspace,
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

// frame returns the screen and checks that it has exactly its size.
func (d *driver) frame() string {
	d.t.Helper()
	frame := d.app.Frame()
	w, h := d.app.ui.canvas.Size()
	rows := strings.Split(frame, "\n")
	if len(rows) != h {
		d.t.Fatalf("the frame has %d rows, want %d", len(rows), h)
	}
	for i, row := range rows {
		if got := canvas.Width(row); got != w {
			d.t.Fatalf("row %d is %d cells wide, want %d: %q", i, got, w, row)
		}
	}
	return frame
}

// sees checks that the screen shows every text.
func (d *driver) sees(texts ...string) *driver {
	d.t.Helper()
	frame := d.frame()
	for _, text := range texts {
		if !strings.Contains(frame, text) {
			d.t.Fatalf("the screen does not show %q:\n%s", text, frame)
		}
	}
	return d
}

// until presses a key until the screen shows text.
func (d *driver) until(key, text string) *driver {
	d.t.Helper()
	for range 200 {
		if strings.Contains(d.frame(), text) {
			return d
		}
		d.press(key)
	}
	d.t.Fatalf("pressing %q never shows %q:\n%s", key, text, d.frame())
	return d
}

// golden compares the screen with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	rows := strings.Split(got, "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	got = strings.Join(rows, "\n") + "\n"
	if updating() {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}
