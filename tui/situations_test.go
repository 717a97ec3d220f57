package tui

import (
	"fmt"
	"reflect"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/teatest"

	"asldb/engine/value"
	"asldb/tui/program"
	"asldb/tui/screen"
	"asldb/tui/tuitest"
)

// situations are places in a run of the demo, and the keys that lead to them.
var situations = []struct {
	name string
	keys []string
}{
	{"start", nil},
	{"stage", []string{"i", "i", "i"}},
	{"state", []string{"s", "s"}},
	{"question", []string{"c"}},
	{"answered", []string{"c", "esc"}},
	{"side", []string{"i", "i", "i", "d"}},
	{"breakpoint", []string{"b", "B"}},
	{"back", []string{"s", "s", "I"}},
	{"zoomed", []string{"s", "1", "z"}},
	{"choice", []string{"s", "s", "i"}},
	{"attempts", []string{"s", "s", "s", "i", "i", "i", "i"}},
	{"branches", []string{"s", "s", "s", "s", "s", "i"}},
	{"help", []string{"?"}},
}

// situationSizes are the sizes of the terminals.
var situationSizes = [][2]int{{80, 24}, {120, 40}, {200, 60}}

// Keys go through Bubble Tea to the real model. The View at the end, and its layer of styles, are the expected files.
func TestSituations(t *testing.T) {
	for _, situation := range situations {
		for _, size := range situationSizes {
			name := fmt.Sprintf("%s-%dx%d", situation.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				app := New(order(t), Options{Options: screen.Options{Title: "order"}, later: timeless})
				app.Start()
				p := teatest.NewTestModel(t, &settling{App: app}, teatest.WithInitialTermSize(size[0], size[1]))
				for _, key := range situation.keys {
					p.Send(keyMsg(key))
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
