package tui

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/teatest"

	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/tui/program"
	"asldb/tui/screen"
	"asldb/tui/tuitest"
)

// situations are places in a run, and the keys that lead to them; a key of several characters that names none is a
// command.
var situations = []struct {
	name    string
	session func(t testing.TB) *debug.Session
	keys    []string
	look    Options
}{
	{name: "opened", session: tuitest.Demo},
	{name: "help", session: tuitest.Demo, keys: []string{"?"}},
	{name: "stage", session: tuitest.Demo, keys: atPayment},
	{name: "ascii", session: tuitest.Demo, keys: atPayment, look: Options{Options: screen.Options{ASCII: true}}},
	{name: "choice", session: tuitest.Demo, keys: []string{":break PaymentDue:Choices", "c"}},
	{name: "question", session: order, keys: []string{"c"}},
	{name: "branches", session: order, keys: []string{"c", "esc"}},
	{name: "wait", session: tuitest.Demo, keys: []string{":clock manual", "c", "a", "c", "a", "c", "a", "c"}},
	{name: "failed", session: tuitest.Invoice, keys: []string{"c"}},
	{name: "succeeded", session: tuitest.Demo, keys: []string{"c"}},
	{name: "not-here", session: tuitest.Demo, keys: append(atPayment[:2:2], "1", "up", "up")},
	{name: "what-if", session: tuitest.Invoice, keys: []string{"c", "x", "tab", "enter"}},
	{name: "time", session: tuitest.Demo, keys: []string{"c", ":timeline"}},
	{name: "iterations", session: tuitest.Demo, keys: []string{":break Summarize", "c", "1", "up", ":iterations"}},
	{name: "breakpoints", session: tuitest.Demo, keys: []string{"b", ":break ChargeCard if $.order", ":breakpoints"}},
	{name: "watches", session: tuitest.Demo, keys: append(atPayment[:2:2], ":watch $.payment", "3", "3", "3", "3", "3")},
	{name: "lens", session: tuitest.Demo, keys: []string{"c", ":lens $.paid"}},
	{name: "lost", session: tuitest.Invoice, keys: []string{"c", "H"}},
	{name: "coverage", session: tuitest.Demo, keys: []string{"c", ":coverage"}},
	{name: "waiter", session: polled, keys: []string{"i", "i"}},
}

// atPayment goes to a stage of the demo in which a task is over.
var atPayment = []string{":break ChargeCard:ResultPath", "c"}

// polled is a session of a waiter that comes to its end in three polls.
func polled(t testing.TB) *debug.Session {
	runs := tuitest.Output(`{"S":"RUNS"}`)
	return tuitest.Jobs(t, runs, runs, tuitest.Output(`{"S":"DONE"}`))
}

// situationSizes are the sizes of the terminals.
var situationSizes = [][2]int{{80, 24}, {120, 40}, {200, 60}}

// Keys go through Bubble Tea to the real model. The View at the end, and its layer of styles, are the expected files.
func TestSituations(t *testing.T) {
	for _, situation := range situations {
		for _, size := range situationSizes {
			name := fmt.Sprintf("%s-%dx%d", situation.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				o := situation.look
				o.Title, o.later = "order", timeless
				app := New(situation.session(t), o)
				app.Start()
				p := teatest.NewTestModel(t, &settling{App: app}, teatest.WithInitialTermSize(size[0], size[1]))
				for _, key := range situation.keys {
					for _, msg := range typed(key) {
						p.Send(msg)
					}
				}
				p.Send(endMsg{})
				final, ok := p.FinalModel(t, teatest.WithFinalTimeout(patience)).(*settling)
				if !ok {
					t.Fatal("the program ended with another model")
				}
				tuitest.Golden(t, name, final.View())
				tuitest.Golden(t, name+"-styles", final.Styles())
			})
		}
	}
}

// typed are the keys of a situation: a command is typed.
func typed(key string) (list []tea.Msg) {
	if !strings.HasPrefix(key, ":") {
		return []tea.Msg{keyMsg(key)}
	}
	for _, r := range key {
		list = append(list, keyMsg(string(r)))
	}
	return append(list, keyMsg("enter"))
}

// settling is the App that takes a key only when all that the one before has brought about is done.
type settling struct {
	*App
	sized   bool
	waiting []tea.Msg
	pending int // commands whose messages have not come
}

type (
	// settledMsg is the message of a command.
	settledMsg struct{ of tea.Msg }
	// endMsg ends the program after all keys.
	endMsg struct{}
)

// Init implements tea.Model. It leaves the title of the window out: Bubble Tea writes it beside the renderer,
// without its lock.
func (*settling) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (s *settling) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case settledMsg:
		s.pending--
		return s, tea.Batch(s.settled(msg.of), s.next())
	case tea.KeyMsg, endMsg:
		s.waiting = append(s.waiting, msg)
		return s, s.next()
	case tea.WindowSizeMsg:
		s.sized = true
		return s, tea.Batch(s.passed(msg), s.next())
	}
	return s, s.passed(msg)
}

func (s *settling) passed(msg tea.Msg) tea.Cmd {
	_, cmd := s.App.Update(msg)
	return s.watched(cmd)
}

// settled passes on what a command gave: the program's own messages to it, others to Bubble Tea.
func (s *settling) settled(msg tea.Msg) tea.Cmd {
	if batch, ok := msg.(tea.BatchMsg); ok {
		list := value.Each(batch, s.watched)
		return tea.Batch(list...)
	}
	if msg == nil {
		return nil
	}
	if reflect.TypeOf(msg).PkgPath() == reflect.TypeFor[program.Stack]().PkgPath() {
		return s.passed(msg)
	}
	return func() tea.Msg { return msg }
}

// next takes the key that waits, where nothing else is to be done.
func (s *settling) next() tea.Cmd {
	if s.pending > 0 || !s.sized || len(s.waiting) == 0 {
		return nil
	}
	msg := s.waiting[0]
	s.waiting = s.waiting[1:]
	if _, over := msg.(endMsg); over {
		return tea.Quit
	}
	cmd := s.passed(msg)
	s.pending++ // so that the next key is looked at
	return tea.Batch(cmd, func() tea.Msg { return settledMsg{} })
}

// watched counts a command until its message comes.
func (s *settling) watched(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	s.pending++
	return func() tea.Msg { return settledMsg{cmd()} }
}
