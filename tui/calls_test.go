package tui

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/live"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/teatest"
)

// gate is a call that ends when it is opened, or cancelled.
type gate struct{ opened, cancelled chan struct{} }

func newGate() *gate { return &gate{make(chan struct{}), make(chan struct{}, 1)} }

func (g *gate) Origin() string { return "exec" }
func (g *gate) Title() string  { return "charge.sh" }

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
	s := debug.New(machine(t, "test.asl.json", []byte(`{"StartAt":"Charge","States":{"Charge":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:charge","End":true}}}`)),
		debug.Options{Input: value.Must(`{}`), Start: startTime, Source: source})
	p := teatest.NewTestModel(t, New(s, Options{Title: "order", Calls: source.calls}), teatest.WithInitialTermSize(w, h))
	return p, source.gate, func(text string) {
		t.Helper()
		teatest.WaitFor(t, p.Output(), func(out []byte) bool { return bytes.Contains(out, []byte(text)) }, teatest.WithDuration(patience))
	}
}

func lastFrame(t *testing.T, p *teatest.TestModel) string {
	t.Helper()
	app, ok := p.FinalModel(t, teatest.WithFinalTimeout(patience)).(*App)
	if !ok {
		t.Fatal("the program ended with another model")
	}
	return app.Frame()
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
		p.Type("q")
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

// What was cancelled can be called again, also twice: the question offers it, and the run goes on with what comes.
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
			sees("The task still waits; x opens the question again.")
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

// A question about a task that was answered, or for which nothing was called, has nothing to call again.
func TestNothingIsCalledAgain(t *testing.T) {
	s := session(t, `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:a","End":true}}}`, `{}`, nil)
	d := drive(t, s, 100, 30, Options{}).press("c").sees("What does A return?").press("ctrl+t").sees("No call was cancelled here.")
	if strings.Contains(d.frame(), "calls again") {
		t.Error(d.frame())
	}
}

// Where a result is to come from outside and may not, the question says so.
func TestTheQuestionSaysWhatIsNotAllowed(t *testing.T) {
	definition := machine(t, "test.asl.json", []byte(`{"StartAt":"Charge","States":{"Charge":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:charge","End":true}}}`))
	file, err := fixtures.Load("charge.yaml", []byte("version: 1\ntasks:\n  Charge:\n    - {exec: charge.sh}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]int{{120, 34}, {80, 24}, {60, 15}} {
		source, err := file.Source(definition.Definition())
		if err != nil {
			t.Fatal(err)
		}
		calls := live.NewCalls()
		t.Cleanup(calls.Close)
		source.AllowLive(calls, fixtures.Permission{})
		s := debug.New(definition, debug.Options{Input: value.Must(`{}`), Start: startTime, Source: fixtures.OnMissing(source, fixtures.Ask)})
		d := drive(t, s, size[0], size[1], Options{Calls: calls}).press("c").sees("What does Charge return?", "charge.yaml:4:14")
		if size[0] > 60 {
			d.sees("exec charge.sh", "--allow-live")
		}
	}
}

// A run that is left while a call is under way takes the answer when it comes, and goes on when it is told to.
func TestACallIsLeftToItself(t *testing.T) {
	p, gate, sees := callingProgram(t, 120, 34)
	p.Type("c")
	sees("RUNNING exec charge.sh")
	p.Type("z")
	sees("STOPPED by a key")
	close(gate.opened)
	sees("1 answer has come from outside: c goes on.")
	p.Type("c")
	sees("SUCCEEDED")
	p.Type("q")
	lastFrame(t, p)
}

// The question says which list of the fixtures is used up.
func TestTheQuestionSaysWhatIsUsedUp(t *testing.T) {
	file, err := fixtures.Load("once.yaml", []byte("version: 1\ntasks:\n  Charge:\n    - {when: {}, error: Busy, repeat: 1}\n    - {output: {}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := machine(t, "once.asl.json", []byte(`{"StartAt":"Charge","States":{"Charge":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","End":true,
		"Retry":[{"ErrorEquals":["Busy"]}]}}}`))
	source, err := file.Source(m.Definition())
	if err != nil {
		t.Fatal(err)
	}
	s := debug.New(m, debug.Options{Input: value.ObjectOf(), Start: startTime, Seed: 7, Source: fixtures.OnMissing(source, fixtures.Ask)})
	d := drive(t, s, 120, 40, Options{Title: "once.asl.json"})
	d.press("c").sees("What does Charge return?", "once.yaml:4:7", "is used up", `"repeat: forever"`)
}
