package screen

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit"
	"asldb/internal/wording"
	"asldb/internal/work"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/tuitest"
)

// The random keys of the tests can be chosen: how many, and which.
const (
	variableKeys = "ASLDB_KEYS"
	usualKeys    = 2000
	keysOfARun   = 250
)

// randomKeys presses keys at random in each situation in turn, every time from the very beginning. After each
// key the frame has the terminal's size and no character that does something to a terminal, and nothing panics.
// Where something is wrong the keys are thinned out until each is needed.
func randomKeys(t *testing.T, situations []situation, n uint64) {
	seed := testkit.Seed(t)
	n = testkit.Number(t, variableKeys, n)
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
		t.Errorf("%s=%d, run %d, %s: %s\n%v\n%s", testkit.VariableSeed, seed, run, s.name, wordsOf(inputs), found.text, found.stack)
		if len(failures) == 10 {
			t.Fatal("there may be more")
		}
	}
}

// situation is something to press keys in.
type situation struct {
	name string
	open func(t *testing.T) *testApp // nil where there is nothing to open
	// onKey is called before each key is pressed; it may be nil, or panic.
	onKey func(key string)
}

// wrongness is a fault after an input.
type wrongness struct {
	at    int
	kind  string // the same for the same fault, more or less
	text  string
	stack string
}

// play sends inputs to a new program and returns the first fault, or nil.
func (s *situation) play(t *testing.T, inputs []input) *wrongness {
	d := &player{app: s.open(t), onKey: s.onKey, w: 80, h: 24}
	if d.app == nil {
		return nil
	}
	defer func() {
		if calls := d.app.ui.nest.root().calls.calls; calls != nil {
			calls.Reset()
		}
	}()
	d.app.Resize(d.w, d.h)
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

// player drives a screen as the program around it does, without a clock.
type player struct {
	app   *testApp
	onKey func(key string)
	w, h  int
}

// send sends one input and carries out its effects. over reports that the program has ended.
func (d *player) send(in *input, patience time.Duration, words func() string) (over bool, found *wrongness) {
	watchdog := time.AfterFunc(patience, func() { panic("no end after the last of these keys: " + words()) })
	defer watchdog.Stop()
	frame := ""
	broken := work.Catch(func() {
		d.input(in)
		over = d.carryOut()
		frame = d.app.Frame()
	})
	if broken != nil {
		return over, &wrongness{kind: placeOf(string(broken.Stack)), text: broken.Error(), stack: string(broken.Stack)}
	}
	if text := d.wrong(frame); text != "" {
		kind, _, _ := strings.Cut(text, ":")
		return over, &wrongness{kind: kind, text: text}
	}
	return over, nil
}

func (d *player) input(in *input) {
	switch in.kind {
	case inputKey:
		if d.onKey != nil {
			d.onKey(in.key.Name)
		}
		d.app.Press(in.key)
	case inputPaste:
		if d.app.Writes() {
			d.app.Paste(in.key.Text)
			return
		}
		d.app.Press(keys.Press{Name: "[" + in.key.Text + "]", Text: in.key.Text})
	case inputClick:
		d.app.Click(in.x, in.y)
	case inputDrag:
		d.app.Drag(in.x, in.y)
	case inputRelease:
		d.app.Release()
	case inputWheelUp:
		d.app.Wheel(in.x, in.y, -3)
	case inputWheelDown:
		d.app.Wheel(in.x, in.y, 3)
	case inputSize:
		d.app.Resize(in.x, in.y)
		d.w, d.h = d.app.Size()
	case inputTick:
		d.app.ui.run.tick(startTime.Add(time.Duration(in.x)*time.Millisecond), d.app.ui.run.ticks)
	}
}

// carryOut carries out the effects of an input, and theirs.
func (d *player) carryOut() (over bool) {
	_ = d.app.stack.Settle(context.Background())
	d.app.on()
	return d.app.hasEnded()
}

// wrong returns the fault of a frame, or "".
func (d *player) wrong(frame string) string {
	rows := strings.Split(frame, "\n")
	if len(rows) != d.h {
		return fmt.Sprintf("the number of rows: %d, want %d", len(rows), d.h)
	}
	for y, row := range rows {
		texts, width := readRow(row)
		for _, text := range texts {
			if line := wording.Line(text); line != text {
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

// input is one input of the screen. Its parameters are fixed when it is made up.
type input struct {
	kind inputKind
	key  keys.Press
	x, y int
	text string // for a report
}

type inputKind uint8

const (
	inputKey inputKind = iota
	inputPaste
	inputClick
	inputDrag
	inputRelease
	inputWheelUp
	inputWheelDown
	inputSize
	inputTick
)

func wordsOf(inputs []input) string {
	words := value.Each(inputs, func(each input) string { return each.text })
	return strings.Join(words, " ")
}

func pressOf(name string) input {
	k := tuitest.Key(name)
	if name == " " {
		name = "space"
	}
	return input{key: k, text: name}
}

// boundKeys are the keys that do something, each as often as it is bound, and the usual ones more often.
var boundKeys = func() []string {
	var names []string
	for _, b := range keys.Default().Bindings() {
		if b.Action != keys.Kill && b.Action != keys.Quit {
			names = append(append(names, b.Keys...), b.Earlier...)
		}
	}
	for range 4 {
		names = append(names, "i", "s", "o", "f", "f12", "c", "enter", "enter", "enter", "esc", "tab", "up", "down", "left", "right", "I", "S", "O")
	}
	return names
}()

// typedTexts are answers to the prompts, good ones and others.
var typedTexts = []string{
	"$", "$.order", "$.order.lines[0].sku", "$.nothing", "$$.State.Name", "$count", "$.a > 1", "1", "12", "0", "-3", "99999", "5m", "+1h", "at +5m",
	"10s", "error Card.*", "ChargeCard", "ChargeCard:ResultPath", "error", "change $.order", "A -> B", "*", "{}", "[1,2]", `{"a":{"b":[1,null]}}`,
	"null", "tru", "!", "States.ALL", "States.TaskFailed", "Card.Timeout", "x", "stage", "to 5", "next", "q u i t", "log {$.order}", "once", "hits == 2", "日本",
}

// pastedTexts come in one piece, with control sequences.
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
			list = append(list, input{kind: inputTick, x: random.IntN(100_000), text: "tick"})
		default:
			list = append(list, pressOf(pick(random, []string{"q", "ctrl+c"})), pressOf("esc"))
		}
	}
	return list[:n]
}

func pick(random *rand.Rand, list []string) string { return list[random.IntN(len(list))] }

func pasteOf(text string) input {
	return input{kind: inputPaste, key: keys.Press{Text: text}, text: "paste(" + strconv.Quote(cutShort(text)) + ")"}
}

func cutShort(text string) string {
	if len(text) > 60 {
		return text[:60] + "…"
	}
	return text
}

func randomMouse(random *rand.Rand) input {
	in := input{kind: inputClick, x: random.IntN(210), y: random.IntN(62)}
	if random.IntN(3) > 0 { // most terminals are small
		in.x, in.y = in.x%80, in.y%24
	}
	switch random.IntN(7) {
	case 0:
		in.kind = inputWheelUp
	case 1:
		in.kind = inputWheelDown
	case 2:
		in.kind = inputDrag
	case 3:
		in.kind = inputRelease
	}
	in.text = fmt.Sprintf("mouse(%d at %d,%d)", in.kind, in.x, in.y)
	return in
}

func randomSize(random *rand.Rand) input {
	w, h := 1+random.IntN(250), 1+random.IntN(80)
	if random.IntN(2) == 0 {
		usual := [][2]int{{80, 24}, {120, 40}, {200, 60}, {40, 10}, {100, 30}, {1, 1}, {0, 0}, {0, 24}, {80, 0}}
		size := usual[random.IntN(len(usual))]
		w, h = size[0], size[1]
	}
	return input{kind: inputSize, x: w, y: h, text: fmt.Sprintf("size(%d,%d)", w, h)}
}

// coloured gives a program a look with all colours, so that they are in the frames.
func coloured(session *debug.Session, o Options) *testApp {
	return shownIn(termenv.TrueColor, session, o)
}
