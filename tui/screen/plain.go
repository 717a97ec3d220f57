package screen

import (
	"strings"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/widget"
	"asldb/tui/view"
	"asldb/tui/view/data"
)

// This file has the screen as lines of text, for --plain.

// The cells for the lists and dialogs that are written by their rows.
const (
	toldWidth  = 100
	toldHeight = 200
)

// Table returns the table of the screen's keys and commands.
func (s *Screen) Table() *keys.Map { return s.ui.keys }

// Command carries out a line: the name of a command, with its argument, or a key. The error is a *[keys.CommandError].
func (s *Screen) Command(line string) (keys.Action, error) {
	a, argument, err := s.ui.keys.Command(line)
	if err != nil {
		key := s.ui.keys.Lookup(line)
		if key == keys.None {
			return keys.None, err
		}
		s.Handle(keys.Press{Name: line})
		return key, nil
	}
	u := s.ui
	u.messages.clear()
	defer u.remember(u.jumps.here())
	u.do(a, argument)
	return a, nil
}

// Interrupt stops a command that is not over, and the work of a dialog.
func (s *Screen) Interrupt() {
	if s.ui.run.running {
		s.ui.run.interrupt()
	}
	s.ui.slices.end()
}

// Dialog returns the dialog that takes the keys, or nil.
func (s *Screen) Dialog() view.View { return s.ui.dialog }

// Focused returns the pane that has the keys.
func (s *Screen) Focused() view.ID { return s.ui.layout.mode.Focus }

// Focus gives a pane the keys.
func (s *Screen) Focus(p view.ID) { s.ui.layout.focus(p) }

// TurnTo shows the tab of the drawer with a name, as "watches"; false where there is none.
func (s *Screen) TurnTo(name string) bool { return s.ui.events.TurnTo(name) }

// NewMessages returns the messages of the screen after the first ones, as many as since, and the number of all.
func (s *Screen) NewMessages(since int) (texts []string, all int) {
	m := &s.ui.messages
	for _, message := range m.list[len(m.list)-min(max(m.count-since, 0), len(m.list)):] {
		texts = append(texts, prose.Unsigned(message.Text, s.ui.glyphs))
	}
	return texts, m.count
}

// Standing is the moment that a screen shows.
type Standing struct {
	Session         *debug.Session
	Fork, Event     int
	Events          int
	Unshown, Ending string
}

// Standing returns the place.
func (s *Screen) Standing() Standing {
	u := s.ui
	u.catchUp()
	at := Standing{
		Session: u.session, Fork: u.session.Forks().Current(), Event: u.selection.Index, Events: u.session.Log().Len(),
		Ending: u.session.Status().String(),
	}
	if state := u.states.Unshown(); state != nil {
		at.Unshown = state.Path()
	}
	return at
}

// Heading returns the words of the top line: where the run is, why it has stopped, and the virtual time.
func (s *Screen) Heading() string {
	st := &s.ui.status
	why, _ := st.why()
	if st.namesCause() {
		why = st.briefly(toldWidth * 2)
	}
	text := prose.Unsigned(why, s.ui.glyphs) + ", " + st.where(toldWidth*2) + ", " +
		explain.SinceStart(st.Start(), st.shownTime()) + "."
	if told := st.reload.notice(); told != "" {
		text += " " + told
	}
	return text
}

// Passed returns the events of the run after an index that lead from state to state, or report an error, as lines; at
// most so many, the newest.
func (s *Screen) Passed(from, most int) (lines []string, left int) {
	if s.ui.states.Polls.Shown() {
		return nil, 0 // the polls tell it
	}
	log, w := s.ui.session.Log(), explain.Plain(prose.PreviewLength)
	for i := s.ui.selection.Index; i > from && i >= log.First(); i-- {
		e := log.At(i)
		if sign := explain.EventSign(e); e.Visit == nil || sign == explain.SignEnter ||
			sign == explain.NoSign && e.Type != engine.StateExited {
			continue
		}
		if len(lines) == most {
			left++
			continue
		}
		lines = append(lines, strings.TrimSpace(explain.EventPlace(e)+": "+explain.EventName(e)+" "+
			w.Spans(explain.EventDetail(e, s.ui.start))))
	}
	return lines, left
}

// DialogLines returns the dialog as lines; a dialog that only shows something is closed.
func (s *Screen) DialogLines() []string {
	u := s.ui
	if d, ok := u.dialog.(view.PlainDialog); ok {
		lines, stays := d.PlainLines()
		if !stays {
			u.dialog = nil
		}
		return lines
	}
	return s.lines(func(f widget.Frame) { u.dialog.Draw(f) })
}

// PlainLines returns the focused pane as lines.
func (s *Screen) PlainLines() []string {
	u := s.ui
	switch pane := u.layout.focused().(type) {
	case view.PlainPane:
		return pane.PlainLines()
	default:
		if u.data.View() == data.Definition {
			return u.data.Text().PlainLines()
		}
		return u.data.PlainLines(false)
	}
}

// Story returns the story of the selection in lines.
func (s *Screen) Story() []string { return s.ui.data.PlainLines(true) }

// lines are the rows that draw paints, without borders and columns.
func (s *Screen) lines(draw func(f widget.Frame)) (lines []string) {
	c := canvas.New(toldWidth, toldHeight, canvas.Unframed())
	var mouse widget.Spots
	draw(mouse.Frame(c.Area(canvas.Rect{W: toldWidth, H: toldHeight}), false))
	for line := range strings.SplitSeq(c.String(), "\n") {
		line = strings.TrimSpace(line)
		if rest, is := strings.CutPrefix(line, canvas.Unframed().Pointer+" "); is {
			line = "selected, " + strings.TrimSpace(rest)
		}
		if line != "" {
			lines = append(lines, prose.Line(line, canvas.Words()))
		}
	}
	return lines
}
