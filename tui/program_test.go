package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/teatest"
	"github.com/creack/pty"

	"asldb/tui/program"
	"asldb/tui/screen"
)

// patience is how long the tests wait for an expected message; it isn't a measure of speed.
const patience = 20 * time.Second

// TestFlow drives the real program: it steps by stages, stops at a breakpoint, sees a diff, answers a
// missing task and is resized on the way.
func TestFlow(t *testing.T) {
	model := New(order(t), Options{Options: screen.Options{Title: "order"}})
	p := teatest.NewTestModel(t, model, teatest.WithInitialTermSize(120, 34))
	sees := func(text string) {
		t.Helper()
		teatest.WaitFor(t, p.Output(), func(out []byte) bool { return bytes.Contains(out, []byte(text)) }, teatest.WithDuration(patience))
	}
	sees("Nothing has run yet.")
	p.Type("iii") // the program gets them as it would from a fast typist
	sees("[Parameters]")
	p.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	p.Type("U")
	p.Type("ChargeCard:ResultPath")
	p.Send(tea.KeyMsg{Type: tea.KeyEnter})
	sees("Breakpoint set: ChargeCard:ResultPath")
	p.Type("c")
	sees(`"payment"`)
	p.Type("c")
	sees("What does Fulfil/Branches[0]/ReserveStock return?")
	p.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(`{"reservationId":"r","heldUntil":"x"}`), Paste: true})
	p.Send(tea.KeyMsg{Type: tea.KeyEnter})
	sees("What does Fulfil/Branches[1]/NotifyCustomer return?")
	p.Send(tea.KeyMsg{Type: tea.KeyEsc})
	p.Type("q")
	app, ok := p.FinalModel(t, teatest.WithFinalTimeout(patience)).(*program.Stack)
	if !ok {
		t.Fatal("the program ended with another model")
	}
	frame := app.Text()
	if rows := strings.Split(frame, "\n"); len(rows) != 24 || !strings.Contains(frame, "NotifyCustomer") {
		t.Errorf("the last frame:\n%s", frame)
	}
}

// helperVariable makes the test binary show the screen on its own terminal.
const helperVariable = "ASLDB_TUI_TEST_SCREEN"

// TestScreenProcess is not a test: it is the process that the tests with a terminal start.
func TestScreenProcess(t *testing.T) {
	if os.Getenv(helperVariable) == "" {
		t.Skip("only run by the tests with a terminal")
	}
	o := Options{Options: screen.Options{Title: "order"}}
	if os.Getenv(helperVariable) == "panic" {
		o.onKey = func(key string) {
			if key == "!" {
				panic("a fault by the test")
			}
		}
	}
	err := Run(context.Background(), order(t), o)
	var fault *PanicError
	if errors.As(err, &fault) {
		fmt.Printf("PANIC %v, stack: %v\n", fault, bytes.Contains(fault.Stack, []byte("TestScreenProcess")))
		return
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestASilentTerminal runs the program in a terminal that answers no question. The program must not
// ask for the background's colour, since it would wait five seconds for the answer.
func TestASilentTerminal(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestScreenProcess$")
	cmd.Env = append(os.Environ(), helperVariable+"=1", "TERM=xterm-256color")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	defer terminal.Close()
	out := readUntil(terminal, "Nothing has run yet.")
	if bytes.Contains(out, []byte("]11;?")) {
		t.Error("the program asks the terminal for its background colour")
	}
	if !bytes.Contains(out, []byte("Nothing has run yet.")) {
		t.Errorf("the first frame never comes: %q", out)
	}
	if _, err := io.WriteString(terminal, "q"); err != nil {
		t.Fatal(err)
	}
	rest := readUntil(terminal, "\x1b[?1049l")
	if !bytes.Contains(rest, []byte("\x1b[?1049l")) {
		t.Error("the program leaves the alternate screen on")
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
}

func readUntil(r io.Reader, text string) []byte {
	var out []byte
	buffer := make([]byte, 4096)
	for !bytes.Contains(out, []byte(text)) {
		n, err := r.Read(buffer)
		out = append(out, buffer[:n]...)
		if err != nil {
			break
		}
	}
	return out
}

// TestAPanicPutsTheTerminalBack: the alternate screen, the cursor and the mouse are as before, and the fault is told.
func TestAPanicPutsTheTerminalBack(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestScreenProcess$")
	cmd.Env = append(os.Environ(), helperVariable+"=panic", "TERM=xterm-256color")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	defer terminal.Close()
	readUntil(terminal, "Nothing has run yet.")
	if _, err := io.WriteString(terminal, "i!"); err != nil {
		t.Fatal(err)
	}
	rest := string(readUntil(terminal, "stack: "))
	told := strings.Index(rest, "PANIC a fault by the test")
	if told < 0 {
		t.Fatalf("the fault is not told: %q", rest)
	}
	for what, sequence := range map[string]string{
		"the alternate screen": "\x1b[?1049l", "the cursor": "\x1b[?25h", "the mouse": "\x1b[?1002l", "bracketed paste": "\x1b[?2004l", "the title": "\x1b[23;2t",
	} {
		if at := strings.Index(rest, sequence); at < 0 || at > told {
			t.Errorf("%s is not put back before the fault is told: %q", what, rest)
		}
	}
	readUntil(terminal, "PASS")
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
}

// TestTimeAxisFlow drives the real program over the events, the time axis, the timers and the threads.
func TestTimeAxisFlow(t *testing.T) {
	p := teatest.NewTestModel(t, New(order(t), Options{Options: screen.Options{Title: "order"}}), teatest.WithInitialTermSize(200, 50))
	sees := func(text string) {
		t.Helper()
		teatest.WaitFor(t, p.Output(), func(out []byte) bool { return bytes.Contains(out, []byte(text)) }, teatest.WithDuration(patience))
	}
	sees("Nothing has run yet.")
	p.Type("tttcA")
	p.Type("1h")
	p.Send(tea.KeyMsg{Type: tea.KeyEnter})
	sees("The clock advanced 1h00m00s: 1 retry began, 3 tasks answered,")
	p.Type("T")
	sees("next ◔")
	p.Type("hhh+")
	p.Type("T")
	sees("RetryStarted")
	p.Type("c") // a wait of an hour has a few seconds left
	p.Type("4")
	p.Send(tea.KeyMsg{Type: tea.KeyEsc})
	p.Type("a")
	sees("WaitEnded")
	p.Type("q")
	if _, ok := p.FinalModel(t, teatest.WithFinalTimeout(patience)).(*program.Stack); !ok {
		t.Fatal("the program ended with another model")
	}
}
