// Package screen is the screen of a debug session without the program around it: it takes keys and the mouse, paints
// frames, and returns effects for everything that it cannot do itself. It reads no clock, starts no goroutine and knows
// nothing of the terminal.
package screen

import (
	"time"

	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/fixtures/live"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// Screen is the screen of a session, with those of the executions that its tasks have started over it. Only the topmost
// one is drawn and takes keys.
type Screen struct {
	ui *ui // the topmost
	// canvas and look are for frames of its own: see [Screen.Frame].
	canvas *canvas.Canvas
	look   *canvas.Theme
	later  *Opened // waits for the end of a dialog; nil: none does
}

// New returns the screen of a session; look has the colours of [Screen.Frame].
func New(session *debug.Session, o Options, look *canvas.Theme) *Screen {
	u := newUI(session, o)
	u.opening.begin()
	return &Screen{ui: u, canvas: canvas.New(1, 1, u.glyphs), look: look}
}

// Running reports whether a command goes on.
func (s *Screen) Running() bool { return s.ui.run.running }

// Title returns the title of the session that the screen was opened with.
func (s *Screen) Title() string { return s.ui.nest.root().nest.title }

// Size returns the size of the frame in cells.
func (s *Screen) Size() (w, h int) { return s.ui.layout.size() }

// Resize sets the size of the frame in cells.
func (s *Screen) Resize(w, h int) { s.ui.layout.resize(w, h) }

// Draw paints the screen.
func (s *Screen) Draw(f widget.Frame) { s.ui.paint(f.Area) }

// Frame paints the screen and returns it with the sequences of its colours.
func (s *Screen) Frame() string {
	s.paint()
	return s.canvas.Render(s.look.Look)
}

// Text paints the screen and returns it as plain text.
func (s *Screen) Text() string {
	s.paint()
	return s.canvas.String()
}

func (s *Screen) paint() {
	w, h := s.Size()
	s.canvas.Resize(w, h)
	s.ui.paint(s.canvas.Area(canvas.Rect{W: w, H: h}))
}

// TakesText reports whether keys are text for a dialog.
func (s *Screen) TakesText() bool {
	d, ok := s.ui.dialog.(view.Writer)
	return ok && d.Writes()
}

// Paste puts a text into the dialog that takes text.
func (s *Screen) Paste(text string) {
	s.ui.handle(keys.Press{Text: text})
	s.follow()
}

// Press handles keys that were pressed quickly one after the other. Their actions are looked up. Where a question comes
// up the rest is dropped: it was meant for stepping and answers nothing.
func (s *Screen) Press(list ...keys.Press) {
	defer func() {
		if s.later != nil {
			s.Opened(*s.later)
		}
	}()
	asked := s.ui.answers.asked
	for _, k := range list {
		k.Action = s.ui.keys.Lookup(k.Name)
		before := s.ui
		s.ui.handle(k)
		s.follow()
		if s.ui == before && s.ui.answers.asked != asked || s.ui != before && s.ui.dialog != nil {
			return
		}
		asked = s.ui.answers.asked
	}
}

// Click presses the left button of the mouse at a cell, Drag moves the mouse with the button pressed, and Release lets
// the button go.
func (s *Screen) Click(x, y int) {
	s.ui.layout.click(x, y)
	s.follow()
}

// Drag implements the movement described at [Screen.Click].
func (s *Screen) Drag(x, y int) { s.ui.layout.drag(x, y) }

// Release implements the end of a movement described at [Screen.Click].
func (s *Screen) Release() { s.ui.layout.release() }

// Wheel turns the wheel of the mouse at a cell, by rows.
func (s *Screen) Wheel(x, y, rows int) { s.ui.layout.wheel(x, y, rows) }

// Advance carries the present command on: see [Advance].
func (s *Screen) Advance() {
	s.ui.carryOn()
	s.ui.run.advance()
	s.ui.slices.next()
	s.ui.opening.grow()
	s.follow()
}

// Tick moves a paced clock on to a time: see [Tick].
func (s *Screen) Tick(at time.Time, generation int) {
	s.ui.run.tick(at, generation)
	s.follow()
}

// Called takes the results of calls: see [AwaitCalls].
func (s *Screen) Called(of *live.Calls) {
	for u := s.ui; u != nil; u = u.nest.outer {
		if u.calls.calls == of {
			u.calls.called()
		}
	}
	s.follow()
}

// Checked takes the warnings about the definition that the screen was opened with: see [Check].
func (s *Screen) Checked(problems []source.Diagnostic) { s.ui.nest.root().checked(problems) }

// FilesChanged takes the name of a file that has changed since it was read, "" for none: see [Watch].
func (s *Screen) FilesChanged(name string) {
	root := s.ui.nest.root()
	root.reload.seen(name)
	s.ui.effects.watch, root.effects.watch = root.effects.watch, s.ui == root && root.effects.watch
}

// CallTick repaints the time for which a call has been running: see [CallTick].
func (s *Screen) CallTick() { s.ui.calls.tick() }

// Suspend asks for the effect of the same name.
func (s *Screen) Suspend() { s.ui.effects.suspend = true }

// Warn puts a warning into the bottom line until the next key.
func (s *Screen) Warn(text string) { s.ui.say(canvas.Warn, text) }

// Effects returns the effects since the last call.
func (s *Screen) Effects() []Effect {
	s.follow()
	var list []Effect
	for u := s.ui; u != nil; u = u.nest.outer {
		list = append(list, u.takeEffects()...)
	}
	return list
}

// follow goes to the screen that is to be shown in place of this one.
func (s *Screen) follow() {
	for s.ui.effects.screen != nil {
		next := s.ui.effects.screen
		s.ui.effects.screen = nil
		s.ui = next
	}
}

// SaveSetups saves the breakpoints, watches and prompt histories of all sessions.
func (s *Screen) SaveSetups() {
	for u := s.ui; u != nil; u = u.nest.outer {
		u.setups.save()
	}
}

// TitledSession is a session with its title.
type TitledSession struct {
	Title   string
	Session *debug.Session
}

// Session returns the session that the screen was opened with.
func (s *Screen) Session() TitledSession {
	root := s.ui.nest.root()
	return TitledSession{root.nest.title, root.session}
}

// InnerSessions returns the sessions of the executions that tasks have started and that are on the screen, or were left
// with something unsaved.
func (s *Screen) InnerSessions() []TitledSession { return s.ui.innerSessions() }

// Typed returns the texts in the dialogs that were typed and not taken yet.
func (s *Screen) Typed() []string { return s.ui.typed() }

// Unsaved lists the user's work that would be lost by quitting now, a short phrase each.
func (s *Screen) Unsaved() []string { return s.ui.unsaved() }

// innerSessions are those of the screens above the first one, and of those that were left with something unsaved.
func (u *ui) innerSessions() []TitledSession {
	var list []TitledSession
	for ; u != nil; u = u.nest.outer {
		if u.nest.outer != nil {
			list = append(list, TitledSession{u.nest.title, u.session})
		}
		list = append(list, u.sessionsBehind()...)
	}
	return list
}

// sessionsBehind are those of the screens that were left with something unsaved.
func (u *ui) sessionsBehind() []TitledSession {
	var list []TitledSession
	for _, inner := range u.nest.behind {
		list = append(append(list, TitledSession{inner.nest.title, inner.session}), inner.sessionsBehind()...)
	}
	return list
}

// typed are the texts in the dialogs, those of the screens below as well.
func (u *ui) typed() []string {
	var list []string
	for ; u != nil; u = u.nest.outer {
		if d := u.answers.draft; d != nil && d.Changed() {
			list = append(list, d.Text())
		}
		switch d := u.dialog.(type) {
		case *dialog.Question:
			list = append(list, d.Typed()...)
		case *dialog.Items:
			if text := d.Typed(); text != "" {
				list = append(list, text)
			}
		}
	}
	return list
}
