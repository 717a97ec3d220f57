package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/internal/work"
	"asldb/tui/screen"
)

// endless is a machine whose second state is evaluated for ever, as far as a person is concerned.
const endless = `{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},
	"B":{"Type":"Pass","Output":"{% ($f := function($n){ $f($n + 1) }; $f(1)) %}","Next":"C"},"C":{"Type":"Pass","End":true}}}`

// impatient drives an App as Run does: long work continues behind a frame that says so.
type impatient struct {
	t       *testing.T
	app     *App
	flag    *interrupt.Flag
	session *debug.Session
	height  int
	// arrived are the messages of commands that have come to their end.
	arrived chan tea.Msg
	busied  int // how often something went on
	fault   *work.Fault
}

func driveImpatiently(t *testing.T, s *debug.Session, patience time.Duration, o Options) *impatient {
	t.Helper()
	o.later, o.Interrupt = timeless, &interrupt.Flag{}
	s.SetInterrupt(o.Interrupt.Check)
	d := &impatient{t: t, app: New(s, o), flag: o.Interrupt, session: s, arrived: make(chan tea.Msg, 1000)}
	d.app.Start()
	d.app.Impatient(patience)
	d.send(tea.WindowSizeMsg{Width: 100, Height: 30})
	d.settle()
	return d
}

// send passes a message on, and lets its commands run as Bubble Tea does: each in a separate goroutine.
func (d *impatient) send(msg tea.Msg) {
	var cmd tea.Cmd
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		d.height = size.Height
	}
	_, cmd = d.app.Update(msg)
	if d.fault = d.app.Fault(); d.fault != nil {
		return
	}
	if d.app.Busy() {
		d.busied++
	}
	d.run(cmd)
	if frame := d.app.View(); frame != "" {
		d.checkSize(frame)
	}
}

func (d *impatient) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		default:
			d.arrived <- msg
		}
	}()
}

// take handles one message that has arrived, and waits for it.
func (d *impatient) take() tea.Msg {
	d.t.Helper()
	select {
	case msg := <-d.arrived:
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, cmd := range batch {
				d.run(cmd)
			}
			return msg
		}
		d.send(msg)
		return msg
	case <-time.After(time.Minute):
		d.t.Fatal("nothing arrives any more")
	}
	return nil
}

// settle handles messages until nothing runs.
func (d *impatient) settle() {
	d.t.Helper()
	for d.app.Busy() {
		d.take()
	}
}

func (d *impatient) press(names ...string) {
	for _, name := range names {
		d.send(keyMsg(name))
	}
}

func (d *impatient) checkSize(frame string) {
	d.t.Helper()
	if lines := strings.Split(frame, "\n"); len(lines) != d.height {
		d.t.Errorf("the frame has %d lines, want %d", len(lines), d.height)
	}
}

// evaluates reports whether the screen says that an evaluation takes long.
func (d *impatient) evaluates() bool { return strings.Contains(d.app.View(), "evaluating") }

func (d *impatient) sees(texts ...string) {
	d.t.Helper()
	frame := ansi.Strip(d.app.View())
	for _, text := range texts {
		if !strings.Contains(frame, text) {
			d.t.Errorf("the screen does not show %q:\n%s", text, frame)
		}
	}
}

// An evaluation that takes long leaves the screen alive: it names the work, and Esc stops it. Nothing of the step has
// happened then, and it can be begun again.
func TestEscStopsAnEvaluation(t *testing.T) {
	s := session(t, endless, `{}`, nil)
	d := driveImpatiently(t, s, 20*time.Millisecond, Options{})
	for range 2 {
		d.press("c")
		if !d.app.Busy() {
			t.Fatal("the screen has waited to the end")
		}
		for !d.evaluates() {
			d.take() // under load the evaluation may not have begun
		}
		d.sees("evaluating …, Esc stops")
		d.press("s", "i", "d") // meant for a result that will not come
		d.send(tea.WindowSizeMsg{Width: 70, Height: 20})
		d.send(tea.MouseMsg{X: 3, Y: 3, Button: tea.MouseButtonLeft})
		d.send(struct{}{})
		d.press("esc")
		d.sees("stopping …")
		d.settle()
		d.sees("INTERRUPTED in an evaluation", "The evaluation was stopped. The step was rolled back: i", "retries")
		if stop := s.Stop(); stop.Reason != debug.StoppedByInterrupt || s.Position() != 4 || d.flag.Raised() {
			t.Errorf("stopped with %+v at event %d", stop, s.Position())
		}
		d.send(tea.WindowSizeMsg{Width: 100, Height: 30})
	}
	for i := range s.Log().Len() {
		if failure := s.Log().At(i).Failure(); failure != nil {
			t.Errorf("event %d: %v", i+1, failure)
		}
	}
}

// Ctrl+C in the middle of an evaluation ends the program.
func TestCtrlCStopsAnEvaluationAndLeaves(t *testing.T) {
	d := driveImpatiently(t, session(t, endless, `{}`, nil), 20*time.Millisecond, Options{})
	d.press("c", "ctrl+c")
	for {
		if _, ok := d.take().(tea.QuitMsg); ok {
			break
		}
	}
	if d.app.Leave(); d.app.Busy() {
		t.Error("something is still running")
	}
}

// The debugger's own evaluations leave the screen alive, too: of the prompt, a watch, a condition. It is
// stopped once, and not begun again with every frame.
func TestWatchesAndConditionsCanBeStopped(t *testing.T) {
	items := make([]string, 3000)
	for i := range items {
		items[i] = fmt.Sprintf(`{"a":[%d,{"b":[1,2,3]}]}`, i)
	}
	loop := `{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","End":true}}}`
	s := session(t, loop, `[`+strings.Join(items, ",")+`]`, nil)
	d := driveImpatiently(t, s, time.Minute, Options{})
	d.press("i", "i")
	const slow = "$[?(@..b)]..a..b[?(@ == 1)]" // some hundred thousand values
	d.press("=")
	d.app.Impatient(time.Nanosecond) // all takes too long from now on
	for _, r := range slow {
		d.press(string(r))
	}
	for d.app.Busy() && !d.evaluates() {
		d.take()
	}
	for !d.app.Busy() { // on a machine under load the work may end before the wait for it begins
		d.press(" ")
	}
	d.press("esc")
	d.settle()
	busied := d.busied
	if d.app.Impatient(time.Minute); !d.app.screen.Writes() {
		t.Error("Esc has closed the prompt")
	}
	d.send(tea.WindowSizeMsg{Width: 90, Height: 30})
	if d.busied != busied {
		t.Error("the next frame takes long again")
	}
	d.press("esc")
	d.app.Impatient(time.Nanosecond)
	if _, err := s.Breakpoints().Add("B if " + slow + " == 7"); err != nil {
		t.Fatal(err)
	}
	d.press("c")
	d.press("esc")
	d.settle()
	if stop := s.Stop(); stop.Reason != debug.StoppedByInterrupt && stop.Reason != debug.StoppedAtEnd {
		t.Errorf("stopped with %+v", stop)
	}
}

// However long each message takes, the effect of the keys is the same: on the screen and in the run.
func TestBusyScreensComeToTheSame(t *testing.T) {
	names := []string{"i", "s", "o", "c", "S", "I", "d", "tab", "down", "up", "b", "w", "$", "enter", "esc", "r", "t", "=", "f", "1", "2", "3", "4"}
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 9))
		patient := drive(t, order(t), 100, 30, Options{})
		hasty := driveImpatiently(t, order(t), time.Nanosecond, Options{Options: screen.Options{Title: "order"}})
		for range 60 {
			name := names[random.IntN(len(names))]
			if name == "esc" { // it would stop the work
				hasty.settle()
			}
			patient.press(name)
			patient.app.View() // drawing may scroll
			hasty.press(name)
			if random.IntN(3) == 0 {
				hasty.drain()
			}
		}
		hasty.drain()
		if got, want := hasty.app.Frame(), patient.app.Frame(); got != want {
			t.Fatalf("seed %d: the frame is\n%s\nwant\n%s", seed, got, want)
		}
		if got, want := hasty.session.Log().Len(), patient.session.Log().Len(); got != want {
			t.Errorf("seed %d: %d events, want %d", seed, got, want)
		}
	}
}

// drain handles messages until none comes any more.
func (d *impatient) drain() {
	d.t.Helper()
	for {
		d.settle()
		select {
		case msg := <-d.arrived:
			if batch, ok := msg.(tea.BatchMsg); ok {
				for _, cmd := range batch {
					d.run(cmd)
				}
				continue
			}
			d.send(msg)
		case <-time.After(20 * time.Millisecond):
			if !d.app.Busy() && !d.app.screen.Running() {
				return
			}
		}
	}
}

// A fault in the work ends the program as any other does.
func TestAFaultInWhatGoesOn(t *testing.T) {
	d := driveImpatiently(t, session(t, endless, `{}`, nil), time.Nanosecond, Options{onKey: func(key string) {
		if key == "s" {
			panic("broken on purpose")
		}
	}})
	d.press("s")
	for d.fault == nil {
		d.take()
	}
	if d.fault.Value != "broken on purpose" || !strings.Contains(string(d.fault.Stack), "Handle") {
		t.Errorf("the fault is %v", d.fault)
	}
}

// What does not listen is left behind: the program ends, and touches nothing of the screen.
func TestLeavingWhatDoesNotListen(t *testing.T) {
	release := make(chan struct{})
	d := driveImpatiently(t, session(t, endless, `{}`, nil), time.Millisecond, Options{onKey: func(key string) {
		if key == "s" {
			<-release
		}
	}})
	d.press("s")
	d.sees("working …")
	d.press("ctrl+c")
	_, cmd := d.app.Update(keyMsg("ctrl+c")) // the second time
	if _, ok := cmd().(tea.QuitMsg); !ok {
		t.Error("the second Ctrl+C does not end the program")
	}
	if d.app.Leave(); !d.app.Busy() {
		t.Error("it is said to have ended")
	}
	close(release)
	d.settle()
}
