package screen

import (
	"strings"

	"asldb/tui/part/canvas"
	"asldb/tui/view/dialog"
)

// keptMessages bounds how many messages can be read again.
const keptMessages = 200

// messages are the messages so far, the newest last. The newest is on the screen until the next key.
type messages struct {
	list  []dialog.Message
	shown bool
	count int // of all that were said
}

func (m *messages) say(style canvas.Style, text string) {
	if n := len(m.list); n == 0 || m.list[n-1].Text != text {
		if n == keptMessages {
			m.list = append(m.list[:0], m.list[1:]...)
		}
		m.list = append(m.list, dialog.Message{Style: style, Text: text})
	}
	m.shown = true
	m.count++
}

// add adds a sentence to the message on the screen, or shows it alone.
func (m *messages) add(text string) {
	if m.shown {
		newest := m.list[len(m.list)-1]
		m.say(newest.Style, newest.Text+" ("+text+")")
		return
	}
	m.say(canvas.Warn, text)
}

func (m *messages) clear() { m.shown = false }

// say puts a message into the bottom line until the next key.
func (u *ui) say(style canvas.Style, text string) { u.messages.say(style, text) }

// maxMessage is how many lines a message takes at most.
const maxMessage = 4

// draw paints the newest message over the bottom of the screen, on as many lines as it needs.
func (m *messages) draw(area canvas.Area) {
	newest := m.list[len(m.list)-1]
	lines := canvas.Wrap(newest.Text, area.W()-2)
	if len(lines) > maxMessage {
		lines = append(lines[:maxMessage-1], strings.Join(lines[maxMessage-1:], " "))
	}
	for i, line := range lines {
		row := area.Row(area.H() - len(lines) + i)
		row.Blank(canvas.Plain)
		row.Fit(1, 0, row.W()-2, newest.Style, line)
	}
}
