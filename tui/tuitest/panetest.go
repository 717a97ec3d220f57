package tuitest

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Screen is a screen with one pane, which has the focus and all of the space. Its exported fields record the pane's actions.
type Screen struct {
	// Messages are the messages of the pane, the newest last.
	Messages []string
	// Copied is the text that was copied last.
	Copied string
	// Opened is the place that was opened last in the user's editor: file:line:column.
	Opened string
	// Begun are the commands of the session that were begun; they are not carried out.
	Begun []debug.Command
	// Passed are the times to which the clock was to move; it stays.
	Passed []time.Time
	// Asked are the labels of the prompts that were opened.
	Asked []string

	t         testing.TB
	session   *debug.Session
	id        view.ID
	pane      view.Pane
	show      func()
	bindings  view.Bindings
	keys      *keys.Map
	canvas    *canvas.Canvas
	selection *view.Selection
	dialog    view.View
	spots     widget.Spots
	histories map[keys.Arg]*view.History
}

// A screen is every part of the screen that a view can be given.
var (
	_ view.Shell    = (*Screen)(nil)
	_ view.RunState = (*Screen)(nil)
	_ view.Selected = (*Screen)(nil)
	_ view.Control  = (*Screen)(nil)
	_ view.Prompts  = (*Screen)(nil)
	_ view.Panes    = (*Screen)(nil)
)

// New returns a screen of w by h cells at the newest event of a session.
func New(t testing.TB, s *debug.Session, w, h int) *Screen {
	screen := &Screen{
		t: t, session: s, keys: keys.Default(), canvas: canvas.New(w, h, canvas.Unicode()), show: func() {},
		histories: map[keys.Arg]*view.History{},
	}
	screen.selectEvent(s.Position() - 1)
	return screen
}

// Add puts the pane on the screen. show is called when another event is selected.
func (s *Screen) Add(id view.ID, p view.Pane, show func()) {
	s.id, s.pane, s.show, s.bindings = id, p, show, p.Bindings()
	show()
	p.Refresh()
}

// Step carries out a command of the session and selects the newest event.
func (s *Screen) Step(c debug.CommandKind) {
	s.t.Helper()
	if _, err := s.session.Do(debug.Command{Kind: c}); err != nil {
		s.t.Fatal(err)
	}
	s.Sync()
}

// Press presses keys: the open dialog's, else the pane's, and the keys that move.
func (s *Screen) Press(names ...string) {
	for _, name := range names {
		k := keys.Press{Name: name, Action: s.keys.Lookup(name)}
		if len([]rune(name)) == 1 {
			k.Text = name
		}
		if s.dialog != nil {
			s.dialog.Handle(k)
			continue
		}
		s.Do(k.Action, "")
	}
}

// Type writes a text into the open dialog.
func (s *Screen) Type(text string) {
	s.t.Helper()
	if s.dialog == nil {
		s.t.Fatalf("no dialog is open to write %q into", text)
	}
	for _, r := range text {
		s.dialog.Handle(keys.Press{Name: string(r), Text: string(r)})
	}
}

// Frame draws the pane, where there is one, and the dialog, and returns the screen without colours.
func (s *Screen) Frame() string {
	s.canvas.Clear()
	s.spots.Reset()
	w, h := s.canvas.Size()
	area := s.canvas.Area(canvas.Rect{W: w, H: h})
	if s.pane != nil {
		s.pane.Draw(s.spots.Frame(area, s.dialog == nil))
	}
	if s.dialog != nil {
		s.spots.Reset()
		s.dialog.Draw(s.spots.Frame(area, true))
	}
	return s.canvas.Render(func(canvas.Style) (before, after string) { return "", "" })
}

// Sees checks that the screen shows every text.
func (s *Screen) Sees(texts ...string) {
	s.t.Helper()
	frame := s.Frame()
	for _, text := range texts {
		if !strings.Contains(frame, text) {
			s.t.Fatalf("the screen does not show %q:\n%s", text, frame)
		}
	}
}

// Said checks that the newest message contains a text.
func (s *Screen) Said(text string) {
	s.t.Helper()
	if n := len(s.Messages); n == 0 || !strings.Contains(s.Messages[n-1], text) {
		s.t.Fatalf("the messages are %q, want %q", s.Messages, text)
	}
}

// ClickAt clicks a cell of the screen.
func (s *Screen) ClickAt(x, y int) {
	s.Frame()
	s.spots.Click(x, y)
}

// WheelAt turns the wheel at a cell of the screen, by rows.
func (s *Screen) WheelAt(x, y, rows int) {
	s.Frame()
	s.spots.Wheel(x, y, rows)
}

// Resize changes the size of the screen.
func (s *Screen) Resize(w, h int) { s.canvas.Resize(w, h) }

func (s *Screen) selectEvent(index int) {
	s.selection = view.Select(s.session.Log(), index, s.selection)
	if s.selection.Event == nil {
		s.selection.After = s.session.Options().Input
	}
}

// Keys implements [view.Shell].
func (s *Screen) Keys() *keys.Map { return s.keys }

// Say implements [view.Shell].
func (s *Screen) Say(_ canvas.Style, text string) { s.Messages = append(s.Messages, text) }

// Open implements [view.Shell].
func (s *Screen) Open(d view.View) { s.dialog = d }

// Do implements [view.Shell]. Actions without a binding move the pane.
func (s *Screen) Do(a keys.Action, argument string) {
	if b := s.bindings.For(a, argument); b != nil {
		if reason := b.Reason(); reason != "" {
			s.Say(canvas.Warn, reason)
			return
		}
		b.Run(argument)
		return
	}
	s.pane.Handle(keys.Press{Action: a})
}

// Disabled implements [view.Shell].
func (s *Screen) Disabled(a keys.Action) string { return s.bindings.Find(a).Reason() }

// Copy implements [view.Shell].
func (s *Screen) Copy(text string) { s.Copied = text }

// OpenFile implements [view.Shell]: it notes the place.
func (s *Screen) OpenFile(name string, line, col int) {
	s.Opened = name + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(col)
}

// EditOutside implements [view.Shell]: the text stays as it is.
func (s *Screen) EditOutside(text string, done func(text string, err error)) { done(text, nil) }

// Session implements [view.RunState].
func (s *Screen) Session() *debug.Session { return s.session }

// Log implements [view.RunState].
func (s *Screen) Log() *runlog.Log { return s.session.Log() }

// Start implements [view.RunState].
func (s *Screen) Start() time.Time { return s.session.Options().Start }

// Selection implements [view.Selected].
func (s *Screen) Selection() *view.Selection { return s.selection }

// Newest implements [view.RunState].
func (s *Screen) Newest() bool { return s.selection.Index == s.session.Position()-1 }

// Unshown implements [view.Selected].
func (s *Screen) Unshown() *asl.State { return nil }

// Glance implements [view.Selected].
func (s *Screen) Glance(index int) {
	if index < 0 {
		index = s.session.Position() - 1
	}
	s.Inspect(index)
}

// Inspect implements [view.Selected].
func (s *Screen) Inspect(index int) {
	s.selectEvent(index)
	s.show()
}

// StandAt implements [view.Control].
func (s *Screen) StandAt(index int) {
	s.session.GoTo(index + 1)
	s.Sync()
}

// Switch implements [view.Control].
func (s *Screen) Switch(fork int) error { return s.session.Forks().Switch(fork) }

// State implements [view.Selected].
func (s *Screen) State() *asl.State {
	if s.selection.Visit == nil {
		return nil
	}
	return s.selection.Visit.State
}

// Document implements [view.Selected].
func (s *Screen) Document() value.Value { return s.selection.After }

// Path implements [view.Selected].
func (s *Screen) Path() string { return "$" }

// Begin implements [view.Control].
func (s *Screen) Begin(c debug.Command) { s.Begun = append(s.Begun, c) }

// Running implements [view.RunState].
func (s *Screen) Running() bool { return false }

// Paced implements [view.RunState].
func (s *Screen) Paced() bool { return false }

// Later implements [view.Control]: the work is done at once.
func (s *Screen) Later(work func() bool) {
	for work() {
	}
}

// Behind implements [view.Control]: the work is done at once.
func (s *Screen) Behind(work func() func()) { work()() }

// PassUntil implements [view.Control].
func (s *Screen) PassUntil(until time.Time) { s.Passed = append(s.Passed, until) }

// Sync implements [view.Control].
func (s *Screen) Sync() {
	s.Inspect(s.session.Position() - 1)
	s.Refresh()
}

// Refresh implements [view.Control].
func (s *Screen) Refresh() { s.pane.Refresh() }

// SetupChanged implements [view.Control].
func (s *Screen) SetupChanged() { s.Refresh() }

// Focus implements [view.Panes].
func (s *Screen) Focus(view.ID) {}

// Focused implements [view.Panes].
func (s *Screen) Focused() view.ID { return s.id }

// Place implements [view.Panes].
func (s *Screen) Place(p view.ID) canvas.Rect {
	if p != s.id {
		return canvas.Rect{}
	}
	w, h := s.canvas.Size()
	return canvas.Rect{W: w, H: h}
}

// Dialog implements [view.Shell].
func (s *Screen) Dialog() view.View { return s.dialog }

// Key implements [view.Shell].
func (s *Screen) Key(a keys.Action) string { return s.keys.Key(a) }

// AskFor implements [view.Prompts].
func (s *Screen) AskFor(_ keys.Action, label, _, _ string) { s.Asked = append(s.Asked, label) }

// History implements [view.Prompts].
func (s *Screen) History(arg keys.Arg) *view.History {
	if s.histories[arg] == nil {
		s.histories[arg] = &view.History{}
	}
	return s.histories[arg]
}

// Complete implements [view.Prompts].
func (s *Screen) Complete(keys.Arg, string) []view.Completion { return nil }

// Glyphs implements [view.Shell].
func (s *Screen) Glyphs() *canvas.Glyphs { return canvas.Unicode() }
