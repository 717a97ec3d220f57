package tui

import (
	"strings"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// message is something said to the person in the bottom line.
type message struct {
	style canvas.Style
	text  string
}

// keptMessages bounds how many messages can be read again.
const keptMessages = 200

// messages are what was said so far, the newest last. The newest is on the screen until the next key.
type messages struct {
	list  []message
	shown bool
}

func (m *messages) say(style canvas.Style, text string) {
	if n := len(m.list); n == 0 || m.list[n-1].text != text {
		if n == keptMessages {
			m.list = append(m.list[:0], m.list[1:]...)
		}
		m.list = append(m.list, message{style, text})
	}
	m.shown = true
}

func (m *messages) clear() { m.shown = false }

// say puts a message into the bottom line until the next key.
func (u *ui) say(style canvas.Style, text string) { u.messages.say(style, text) }

// maxMessage is how many lines a message takes at most.
const maxMessage = 4

// draw paints the newest message over the bottom of the screen, on as many lines as it needs.
func (m *messages) draw(area canvas.Area) {
	newest := m.list[len(m.list)-1]
	lines := canvas.Wrap(newest.text, area.W()-2)
	if len(lines) > maxMessage {
		lines = append(lines[:maxMessage-1], strings.Join(lines[maxMessage-1:], " "))
	}
	for i, line := range lines {
		row := area.Row(area.H() - len(lines) + i)
		row.Blank(theme.Plain)
		row.Fit(1, 0, row.W()-2, newest.style, line)
	}
}

// messagePage shows what was said before.
type messagePage struct{ top, rows, total int }

func (p *messagePage) handle(u *ui, k keys.Press) {
	if by, ok := widget.PageMove(k.Action, p.rows); ok {
		p.top += by
	} else {
		u.dialog = nil
	}
	p.top = max(0, min(p.top, p.total-p.rows))
}

func (p *messagePage) draw(u *ui, area canvas.Area) {
	var lines []message
	width := min(100, area.W()) - 4
	for _, m := range u.messages.list {
		for _, line := range canvas.Wrap(m.text, width) {
			lines = append(lines, message{m.style, line})
		}
	}
	inner := widget.Window(area, width+4, max(len(lines), 1)+2, "Messages", "any other key closes this page")
	if p.total == 0 {
		p.top = len(lines) // the newest are shown first
	}
	p.rows, p.total = max(inner.H(), 1), len(lines)
	p.top = max(0, min(p.top, p.total-p.rows))
	for y := 0; y < inner.H() && p.top+y < len(lines); y++ {
		inner.Text(1, y, lines[p.top+y].style, lines[p.top+y].text)
	}
	if len(lines) == 0 {
		inner.Fit(1, 0, inner.W()-2, theme.Dim, "Nothing was said yet.")
	}
	widget.Scrollbar(inner, p.top, len(lines))
}
