package tui

import (
	"bytes"
	"sync/atomic"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/teatest"

	"asldb/engine/debug"
	"asldb/tui/screen"
	"asldb/tui/tuitest"
)

// recorded is the loop of [screentest.Loop] as a recording, with a session of it that has no events.
func recorded(t testing.TB) (preview *debug.Session, recording debug.Recording) {
	t.Helper()
	live := session(t, tuitest.Loop, `{"n":0}`, nil)
	if _, err := live.Do(debug.Command{Kind: debug.Continue, Events: 40_000}); err != nil {
		t.Fatal(err)
	}
	recording.Length, recording.Event = live.Log().Len(), live.Log().At
	for i := range live.Inputs().Len() {
		recording.Inputs = append(recording.Inputs, *live.Inputs().At(i))
	}
	return debug.ReplayLog(live.Machine(), live.Options(), debug.Recording{}), recording
}

// TestFirstFrameBeforeTheIndex: the frame is there while the trace is still read, keys are answered, and q leaves at once.
func TestFirstFrameBeforeTheIndex(t *testing.T) {
	preview, _ := recorded(t)
	begun, never := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(never) })
	var percent atomic.Int32
	percent.Store(28)
	p := teatest.NewTestModel(t, New(preview, Options{Options: screen.Options{Title: "big.trace", Opening: &screen.Opening{
		Facts:   []string{"big.trace, 985 MB", "last event: 2860008 ExecutionFailed"},
		Percent: func() int { return int(percent.Load()) },
		Open: func() screen.Opened {
			close(begun)
			<-never
			return screen.Opened{}
		},
	}}}), teatest.WithInitialTermSize(120, 34))
	sees := func(text string) {
		t.Helper()
		teatest.WaitFor(t, p.Output(), func(out []byte) bool { return bytes.Contains(out, []byte(text)) }, teatest.WithDuration(patience))
	}
	sees("last event: 2860008 ExecutionFailed")
	<-begun
	percent.Store(43)
	sees("43 %")
	p.Type("c")
	sees("c: indexing 43 %")
	p.Type("?")
	sees("type to filter")
	p.Send(tea.KeyMsg{Type: tea.KeyEsc})
	p.Type("q")
	p.FinalModel(t, teatest.WithFinalTimeout(patience))
}
