package screen

import (
	"math"
	"sort"
	"strconv"

	"asldb/engine/breakpoint"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// toldMessage is the newest message of a logpoint that was said.
type toldMessage struct{ event, breakpoint int }

func (t toldMessage) before(m *breakpoint.Message) bool {
	return t.event < m.Event || t.event == m.Event && t.breakpoint < m.Breakpoint
}

// mostLogged is how many messages of logpoints are said at one stop of the run; of more only the newest are.
const mostLogged = 100

// tellLogged says what logpoints have written since it was said last.
func (u *ui) tellLogged() {
	list := u.session.Breakpoints().Messages()
	if u.logged.event >= u.session.Position() { // the person went back: it is said anew when it comes again
		u.passLogged()
	}
	first := sort.Search(len(list), func(i int) bool { return u.logged.before(&list[i]) })
	list = list[max(first, len(list)-mostLogged):]
	for i := range list {
		u.say(theme.Text, loggedText(&list[i], u.glyphs))
		u.logged = toldMessage{list[i].Event, list[i].Breakpoint}
	}
}

// passLogged takes what logpoints have written up to where the run stands for said.
func (u *ui) passLogged() { u.logged = toldMessage{u.session.Position() - 1, math.MaxInt} }

// noticeLogged takes of what was said what belongs to another branch of the run for not said.
func (u *ui) noticeLogged() {
	for _, b := range u.session.Forks().All() {
		if b.Current && u.logged.event >= b.Shared {
			u.logged = toldMessage{b.Shared - 1, math.MaxInt}
		}
	}
}

func loggedText(m *breakpoint.Message, g *canvas.Glyphs) string {
	return g.Breakpoint + " event " + strconv.Itoa(m.Event+1) + ": " + m.Text
}

// loggedAt returns the messages of logpoints about event i of the log, counted from 0.
func (u *ui) loggedAt(i int) []string {
	var texts []string
	for _, m := range u.session.Breakpoints().MessagesAt(i) {
		texts = append(texts, m.Text)
	}
	return texts
}
