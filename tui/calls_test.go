package tui

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/teatest"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/fixtures/live"
	"asldb/tui/program"
	"asldb/tui/screen"
	"asldb/tui/tuitest"
)

// gate is a call that ends when it is opened, or cancelled.
type gate struct{ opened, cancelled chan struct{} }

func newGate() *gate { return &gate{make(chan struct{}), make(chan struct{}, 1)} }

func (g *gate) Origin() outcome.CallKind { return outcome.Exec }
func (g *gate) Title() string            { return "charge.sh" }

func (g *gate) Do(ctx context.Context, _ *engine.TaskRequest) engine.Outcome {
	select {
	case <-g.opened:
		return engine.Outcome{Output: value.Must(`{"paid":true}`)}
	case <-ctx.Done():
		g.cancelled <- struct{}{}
		return engine.Outcome{Error: "Cancelled"}
	}
}

// callingSource is a source that calls for every task.
type callingSource struct {
	calls *live.Calls
	gate  *gate
}

func (s *callingSource) Ask(ask outcome.Ask) outcome.Reply {
	r := ask.(outcome.Task).Request
	return outcome.Later(func(now time.Time, bound time.Duration) { s.calls.Begin(r, s.gate, now, bound) })
}

func (s *callingSource) Seek([]outcome.Ask) []outcome.Ask {
	s.calls.Reset()
	return nil
}

// callingProgram is the real program over a run whose task is called.
func callingProgram(t *testing.T, w, h int) (*teatest.TestModel, *gate, func(string)) {
	t.Helper()
	source := &callingSource{live.NewCalls(), newGate()}
	t.Cleanup(source.calls.Close)
	s := debug.New(tuitest.Machine(t, "test.asl.json", []byte(`{"StartAt":"Charge","States":{"Charge":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:charge","End":true}}}`)),
		debug.Options{Input: value.Must(`{}`), Start: startTime, Source: source})
	p := teatest.NewTestModel(t, New(s, Options{Options: screen.Options{Title: "order", Calls: source.calls}}), teatest.WithInitialTermSize(w, h))
	return p, source.gate, func(text string) {
		t.Helper()
		teatest.WaitFor(t, p.Output(), func(out []byte) bool { return bytes.Contains(out, []byte(text)) }, teatest.WithDuration(patience))
	}
}

func lastFrame(t *testing.T, p *teatest.TestModel) string {
	t.Helper()
	app, ok := p.FinalModel(t, teatest.WithFinalTimeout(patience)).(*program.Stack)
	if !ok {
		t.Fatal("the program ended with another model")
	}
	return app.Text()
}

// The screen waits for a call, says for which, and shows where the result came from.
func TestTheScreenWaitsForACall(t *testing.T) {
	for _, size := range [][2]int{{120, 34}, {80, 24}} {
		p, gate, sees := callingProgram(t, size[0], size[1])
		p.Type("c")
		sees("RUNNING exec charge.sh 0.")
		close(gate.opened)
		sees("SUCCEEDED")
		p.Type("II") // back to the end of the task
		sees("from outside (exec)")
		p.Type("3q")
		if frame := lastFrame(t, p); !strings.Contains(frame, "live: exec") {
			t.Errorf("the last frame:\n%s", frame)
		}
	}
}

func TestACallIsCancelledByAKey(t *testing.T) {
	p, gate, sees := callingProgram(t, 120, 34)
	p.Type("c")
	sees("x cancels the call; any other key leaves it to itself")
	p.Type("x")
	sees("What does Charge return?")
	<-gate.cancelled
	p.Send(tea.KeyMsg{Type: tea.KeyEsc})
	p.Type("q")
	lastFrame(t, p)
}

// A call that was cancelled can be made again, also twice: the question offers it, and the run continues with its
// outcome.
func TestACancelledCallIsCalledAgain(t *testing.T) {
	for _, size := range [][2]int{{120, 34}, {80, 24}, {60, 15}} {
		p, gate, sees := callingProgram(t, size[0], size[1])
		running := "x cancels the call"
		p.Type("c")
		sees(running)
		for range 2 {
			p.Type("x")
			sees("exec charge.sh was cancelled: ctrl+t calls again")
			<-gate.cancelled
			p.Send(tea.KeyMsg{Type: tea.KeyEsc})
			sees("The task is still waiting; x opens the question again.")
			p.Type("x")
			sees("ctrl+t calls again")
			p.Send(tea.KeyMsg{Type: tea.KeyCtrlT})
			sees(running)
		}
		close(gate.opened)
		sees("SUCCEEDED")
		p.Type("q")
		if frame := lastFrame(t, p); !strings.Contains(frame, `"paid": true`) {
			t.Errorf("the last frame:\n%s", frame)
		}
	}
}

// A run that is left while a call is under way takes the answer when it comes, and continues when it is told to.
func TestACallIsLeftToItself(t *testing.T) {
	p, gate, sees := callingProgram(t, 120, 34)
	p.Type("c")
	sees("RUNNING exec charge.sh")
	p.Type("z")
	sees("INTERRUPTED")
	close(gate.opened)
	sees("1 live result received: c continues.")
	p.Type("c")
	sees("SUCCEEDED")
	p.Type("q")
	lastFrame(t, p)
}
