// Package screen is the view of a debug session: it takes keys and the mouse, and paints frames. Anything outside its
// reach is done by the program around it, its [view.Host]. It reads no clock, starts no goroutine and knows nothing of
// the terminal.
package screen

import (
	"asldb/engine/debug"
	"asldb/tui/keys"
	"asldb/tui/part/widget"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// Screen is the view of a session. An execution that one of its tasks has started is a view over it.
type Screen struct {
	ui    *ui
	host  view.Host
	later *Opened // waits for the end of a dialog; nil: none does
}

// New returns the screen of a session in a program.
func New(host view.Host, session *debug.Session, o Options) *Screen {
	s := &Screen{host: host}
	s.ui = newUI(s, session, o)
	s.ui.opening.begin()
	return s
}

// Running reports whether a command is running.
func (s *Screen) Running() bool { return s.ui.run.running }

// Paced reports whether a command waits for real time to pass.
func (s *Screen) Paced() bool { return s.ui.run.paced }

// Title implements [view.Titled]: it is the title of the first session.
func (s *Screen) Title() string { return s.ui.nest.root().nest.title }

// SetSize implements [view.Sized].
func (s *Screen) SetSize(w, h int) { s.ui.layout.resize(w, h) }

// Bindings implements [view.View]: the screen looks its actions up by itself.
func (*Screen) Bindings() view.Bindings { return nil }

// Draw implements [view.View].
func (s *Screen) Draw(f widget.Frame) { s.ui.paint(f.Area) }

// Writes implements [view.Writer].
func (s *Screen) Writes() bool {
	d, ok := s.ui.dialog.(view.Writer)
	return ok && d.Writes()
}

// Asked implements [view.Asker].
func (s *Screen) Asked() (question int64, open bool) { return s.ui.answers.asked, s.ui.dialog != nil }

// Handle implements [view.View]. The action of a key is looked up; one without a name is a text, or a signal.
func (s *Screen) Handle(k keys.Press) bool {
	switch {
	case k.Name != "":
		k.Action = s.ui.keys.Lookup(k.Name)
	case k.Action == keys.Suspend:
		s.ui.suspend()
		return true
	}
	s.ui.handle(k)
	s.late()
	return true
}

// late takes the session that has waited for the end of a dialog.
func (s *Screen) late() {
	if s.later != nil {
		s.opened(*s.later)
	}
}

// Mouse implements [view.Mouser].
func (s *Screen) Mouse(m view.Mouse) {
	switch m.Kind {
	case view.Click:
		s.ui.layout.click(m.X, m.Y)
	case view.Drag:
		s.ui.layout.drag(m.X, m.Y)
	case view.Release:
		s.ui.layout.release()
	case view.Wheel:
		s.ui.layout.wheel(m.X, m.Y, m.Rows)
	}
}

// FilesChanged takes the name of a file that has changed since it was read, "" for none: for a face that looks at the
// files by itself.
func (s *Screen) FilesChanged(name string) { s.ui.nest.root().reload.seen(name) }

// AwaitCalls waits again for the calls whose awaiting was interrupted: where a command still runs until they are done,
// else only for those that are done.
func (s *Screen) AwaitCalls() {
	for u := s.ui.nest.top(); u != nil; u = u.nest.outer {
		if u.calls.lapsed {
			u.calls.news(!u.run.running)
		}
	}
}

// SaveSetups saves the breakpoints, watches and prompt histories of all sessions.
func (s *Screen) SaveSetups() {
	for u := s.ui.nest.top(); u != nil; u = u.nest.outer {
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
func (s *Screen) InnerSessions() []TitledSession { return s.ui.nest.top().innerSessions() }

// Typed returns the texts in the dialogs that were typed and not taken yet.
func (s *Screen) Typed() []string { return s.ui.nest.top().typed() }

// Unsaved lists the user's work that would be lost by quitting now, a short phrase each.
func (s *Screen) Unsaved() []string { return s.ui.nest.top().unsaved() }

// innerSessions are the sessions of the screens above the first one, and of screens that were left with something
// unsaved.
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

// sessionsBehind are the sessions of the screens that were left with something unsaved.
func (u *ui) sessionsBehind() []TitledSession {
	var list []TitledSession
	for _, inner := range u.nest.behind {
		list = append(append(list, TitledSession{inner.nest.title, inner.session}), inner.sessionsBehind()...)
	}
	return list
}

// typed are the texts in the dialogs, the screens below included.
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
