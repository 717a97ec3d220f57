package tui

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"asldb/internal/visible"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	tea "github.com/charmbracelet/bubbletea"
)

// The random keys of the tests can be chosen: how many, and which.
const (
	variableKeys = "ASLDB_KEYS"
	variableSeed = "ASLDB_SEED"
	usualKeys    = 2000
	usualSeed    = 1
	keysOfARun   = 250
)

// number is that of an environment variable, or the usual one.
func number(t *testing.T, variable string, usual uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s is a number, and this is %q", variable, text)
	}
	return n
}

// randomKeys presses keys at random in each situation in turn, every time from the very beginning. After each
// key the frame has the terminal's size and no character that does something to a terminal, and nothing panics.
// Where something is wrong the keys are thinned out until each is needed.
func randomKeys(t *testing.T, situations []situation, n uint64) {
	seed := number(t, variableSeed, usualSeed)
	n = number(t, variableKeys, n)
	failures := make(map[string]bool)
	for run := uint64(0); run*keysOfARun < n; run++ {
		random := rand.New(rand.NewPCG(seed, run))
		s := &situations[random.IntN(len(situations))]
		inputs := randomInputs(random, int(min(keysOfARun, n-run*keysOfARun)))
		found := s.play(t, inputs)
		if found == nil {
			continue
		}
		if failures[found.kind] {
			continue // the same again
		}
		failures[found.kind] = true
		inputs = s.thinOut(t, inputs[:found.at+1], found.kind)
		found = s.play(t, inputs)
		t.Errorf("%s=%d, run %d, %s: %s\n%v\n%s", variableSeed, seed, run, s.name, wordsOf(inputs), found.text, found.stack)
		if len(failures) == 10 {
			t.Fatal("there may be more")
		}
	}
}

// situation is something to press keys in.
type situation struct {
	name string
	open func(t *testing.T) *App // nil where there is nothing to open
}

// wrongness is what is wrong after an input.
type wrongness struct {
	at    int
	kind  string // the same for the same fault, more or less
	text  string
	stack string
}

// play sends inputs to a new program and returns the first fault, or nil.
func (s *situation) play(t *testing.T, inputs []input) *wrongness {
	d := &player{app: s.open(t), w: 80, h: 24}
	if d.app == nil {
		return nil
	}
	d.app.later = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }
	defer func() {
		if calls := d.app.ui.root().live.calls; calls != nil {
			calls.Reset()
		}
	}()
	d.app.Update(tea.WindowSizeMsg{Width: d.w, Height: d.h})
	for i := range inputs {
		over, found := d.send(&inputs[i], time.Minute, func() string { return s.name + ": " + wordsOf(inputs[:i+1]) })
		if found != nil {
			found.at = i
			return found
		}
		if over {
			return nil
		}
	}
	return nil
}

// thinOut leaves out inputs without which the same is wrong.
func (s *situation) thinOut(t *testing.T, inputs []input, kind string) []input {
	for size := len(inputs) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(inputs); {
			fewer := slices.Concat(inputs[:at], inputs[at+size:])
			if found := s.play(t, fewer); found != nil && found.kind == kind {
				inputs = fewer[:found.at+1]
				continue
			}
			at += size
		}
	}
	return inputs
}

// player drives a program as Bubble Tea would, without a terminal and without a clock.
type player struct {
	app  *App
	w, h int
}

// send sends one input and carries out what it leads to. over reports that the program has ended.
func (d *player) send(in *input, patience time.Duration, words func() string) (over bool, found *wrongness) {
	watchdog := time.AfterFunc(patience, func() { panic("no end after the last of these keys: " + words()) })
	defer watchdog.Stop()
	switch in.what {
	case inputSize:
		d.w, d.h = in.x, in.y
		over = d.message(tea.WindowSizeMsg{Width: in.x, Height: in.y})
	case inputTick:
		over = d.message(tickMsg{startTime.Add(time.Duration(in.x) * time.Millisecond), d.app.ui.ticks})
	default:
		over = d.message(in.msg)
	}
	frame := ""
	if d.app.fault == nil {
		frame = d.app.View()
	}
	if f := d.app.fault; f != nil {
		return over, &wrongness{kind: placeOf(string(f.Stack)), text: f.Error(), stack: string(f.Stack)}
	}
	if text := d.wrong(frame); text != "" {
		kind, _, _ := strings.Cut(text, ":")
		return over, &wrongness{kind: kind, text: text}
	}
	return over, nil
}

// message passes a message on, and carries out the commands that it leads to.
func (d *player) message(msg tea.Msg) (over bool) {
	_, cmd := d.app.Update(msg)
	return d.carryOut(cmd)
}

func (d *player) carryOut(cmd tea.Cmd) (over bool) {
	if cmd == nil || d.app.fault != nil {
		return false
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			over = d.carryOut(cmd) || over
		}
	case tea.QuitMsg, tea.InterruptMsg:
		return d.app.fault == nil
	case advanceMsg, calledMsg:
		return d.message(msg)
	}
	return over
}

// wrong says what is wrong with a frame; "" is nothing.
func (d *player) wrong(frame string) string {
	rows := strings.Split(frame, "\n")
	if len(rows) != d.h {
		return fmt.Sprintf("the number of rows: %d, want %d", len(rows), d.h)
	}
	for y, row := range rows {
		texts, width := readRow(row)
		for _, text := range texts {
			if line := visible.Line(text); line != text {
				return fmt.Sprintf("a character for the terminal: row %d has %q", y, text)
			}
		}
		if width != d.w {
			return fmt.Sprintf("the width of a row: %d, want %d; it is row %d: %q\n%s", width, d.w, y, texts, frame)
		}
	}
	return ""
}

// readRow reads a row as a terminal does, and returns the texts in it and the column after it. It knows the
// sequences that set colours, ESC [ … m, that blank cells, ESC [ n X, and that go to a column, ESC [ n G; others are
// taken for text.
func readRow(row string) (texts []string, width int) {
	for row != "" {
		text, rest, found := strings.Cut(row, "\x1b[")
		end := strings.IndexFunc(rest, func(r rune) bool { return r != ';' && (r < '0' || r > '9') })
		if found && (end < 0 || !strings.ContainsRune("mXG", rune(rest[end]))) {
			text, rest, end = row, "", -1
		}
		if text != "" {
			texts = append(texts, text)
			width += canvas.Width(text)
		}
		if end >= 0 && rest[end] == 'G' {
			column, _ := strconv.Atoi(rest[:end])
			width = column - 1
		}
		row = rest[end+1:]
	}
	return texts, width
}

// placeOf is the place of the panic in a stack: the first function of the project below it.
func placeOf(stack string) string {
	_, below, _ := strings.Cut(stack, "\npanic(")
	for line := range strings.Lines(below) {
		if strings.HasPrefix(line, "asldb/") {
			return line[:strings.LastIndexByte(line, '(')] // its arguments are others every time
		}
	}
	return stack
}

// input is one message to the program. Its parameters are fixed when it is made up.
type input struct {
	what inputKind
	msg  tea.Msg
	x, y int
	text string // what it is, for a person
}

type inputKind uint8

const (
	inputMessage inputKind = iota
	inputSize
	inputTick
)

func wordsOf(inputs []input) string {
	words := make([]string, len(inputs))
	for i := range inputs {
		words[i] = inputs[i].text
	}
	return strings.Join(words, " ")
}

// specialKeys are all keys that are no characters.
var specialKeys = func() map[string]tea.KeyType {
	all := make(map[string]tea.KeyType)
	for typ := tea.KeyType(-128); typ <= 127; typ++ {
		if name := (tea.KeyMsg{Type: typ}).String(); name != "" && typ != tea.KeyRunes && typ != tea.KeySpace {
			all[name] = typ
		}
	}
	return all
}()

func pressOf(name string) input {
	plain, alt := strings.CutPrefix(name, "alt+")
	msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(plain), Alt: alt}
	if typ, special := specialKeys[plain]; special {
		msg = tea.KeyMsg{Type: typ, Alt: alt}
	} else if plain == " " {
		msg.Type = tea.KeySpace
		name = "space"
	}
	return input{msg: msg, text: name}
}

// boundKeys are the keys that do something, each as often as it is bound, and the usual ones more often.
var boundKeys = func() []string {
	var names []string
	for _, b := range keys.Default().Bindings() {
		if b.Action != keys.Kill && b.Action != keys.Quit {
			names = append(names, b.Keys...)
		}
	}
	for range 4 {
		names = append(names, "i", "s", "o", "f", "c", "enter", "enter", "enter", "esc", "tab", "up", "down", "left", "right", "I", "S", "O")
	}
	return names
}()

// typedTexts are answers to the prompts, good ones and others.
var typedTexts = []string{
	"$", "$.order", "$.order.lines[0].sku", "$.nothing", "$$.State.Name", "$count", "$.a > 1", "1", "12", "0", "-3", "99999", "5m", "+1h", "at +5m",
	"10s", "error Card.*", "ChargeCard", "ChargeCard:ResultPath", "error", "change $.order", "A -> B", "*", "{}", "[1,2]", `{"a":{"b":[1,null]}}`,
	"null", "tru", "!", "States.ALL", "States.TaskFailed", "Card.Timeout", "x", "stage", "to 5", "next", "q u i t", "log {$.order}", "once", "hits == 2", "日本",
}

// pastedTexts come in one piece, with what terminals act on.
var pastedTexts = []string{
	"$.order.id", "one\ntwo\r\nthree\tfour", "\x1b]52;c;QUFB\x07", "\x1b[31mred", "a\u202eb\u200bc", "👩\u200d💻 e\u0301 \ufe0f", "\x00\x7f\u0085", "日本語",
	strings.Repeat("long ", 400), `{"a": 1,` + "\n" + `"b": [true]}`, "",
}

// randomInputs makes up n messages.
func randomInputs(random *rand.Rand, n int) []input {
	list := make([]input, 0, n+20)
	for len(list) < n {
		switch p := random.IntN(100); {
		case p < 72:
			list = append(list, pressOf(boundKeys[random.IntN(len(boundKeys))]))
		case p < 76:
			list = append(list, pressOf(string(rune(' '+random.IntN('~'-' ')))))
		case p < 78:
			list = append(list, pressOf(pick(random, []string{"alt+x", "alt+enter", "ctrl+x", "ctrl+z", "ctrl+y", "ctrl+k", "ctrl+s", "delete", "backspace", "ctrl+u", "ctrl+w", "end", "home", "é", "日"})))
		case p < 83:
			for _, r := range pick(random, typedTexts) {
				list = append(list, pressOf(string(r)))
			}
			if random.IntN(3) > 0 {
				list = append(list, pressOf("enter"))
			}
		case p < 86:
			list = append(list, pasteOf(pick(random, pastedTexts)))
		case p < 94:
			list = append(list, randomMouse(random))
		case p < 97:
			list = append(list, randomSize(random))
		case p < 99:
			list = append(list, input{what: inputTick, x: random.IntN(100_000), text: "tick"})
		default:
			list = append(list, pressOf(pick(random, []string{"q", "ctrl+c"})), pressOf("esc"))
		}
	}
	return list[:n]
}

func pick(random *rand.Rand, list []string) string { return list[random.IntN(len(list))] }

func pasteOf(text string) input {
	return input{msg: tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}, text: "paste(" + strconv.Quote(cutShort(text)) + ")"}
}

func cutShort(text string) string {
	if len(text) > 60 {
		return text[:60] + "…"
	}
	return text
}

func randomMouse(random *rand.Rand) input {
	msg := tea.MouseMsg{X: random.IntN(210), Y: random.IntN(62), Action: tea.MouseActionPress, Button: tea.MouseButtonLeft}
	if random.IntN(3) > 0 { // most terminals are small
		msg.X, msg.Y = msg.X%80, msg.Y%24
	}
	switch random.IntN(8) {
	case 0:
		msg.Button = tea.MouseButtonWheelUp
	case 1:
		msg.Button = tea.MouseButtonWheelDown
	case 2:
		msg.Action = tea.MouseActionMotion
	case 3:
		msg.Action = tea.MouseActionRelease
	case 4:
		msg.Button = tea.MouseButtonRight
	}
	return input{msg: msg, text: fmt.Sprintf("mouse(%v %v at %d,%d)", msg.Button, msg.Action, msg.X, msg.Y)}
}

func randomSize(random *rand.Rand) input {
	w, h := 1+random.IntN(250), 1+random.IntN(80)
	if random.IntN(2) == 0 {
		usual := [][2]int{{80, 24}, {120, 40}, {200, 60}, {40, 10}, {100, 30}, {1, 1}}
		size := usual[random.IntN(len(usual))]
		w, h = size[0], size[1]
	}
	return input{what: inputSize, x: w, y: h, text: fmt.Sprintf("size(%d,%d)", w, h)}
}

// coloured gives a program a look with all colours, so that they are in the frames.
func coloured(a *App) *App {
	a.ui.theme = theme.New(theme.Options{})
	return a
}
