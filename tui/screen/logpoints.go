package screen

import (
	"math"
	"sort"
	"strconv"

	"asldb/engine/breakpoint"
	"asldb/tui/part/canvas"
)

// logpoints shows the messages of logpoints.
type logpoints struct {
	contract
	newest messageID // of the messages that were shown
}

// messageID identifies a message of a logpoint.
type messageID struct{ event, breakpoint int }

func (t messageID) before(m *breakpoint.Message) bool {
	return t.event < m.Event || t.event == m.Event && t.breakpoint < m.Breakpoint
}

// mostLogged bounds the messages of logpoints that are shown at one stop of the run: the newest ones are.
const mostLogged = 100

// report shows the new messages of logpoints.
func (lp *logpoints) report() {
	list := lp.Session().Breakpoints().Messages()
	if lp.newest.event >= lp.Session().Position() { // the user went back: it is shown again when it comes again
		lp.pass()
	}
	first := sort.Search(len(list), func(i int) bool { return lp.newest.before(&list[i]) })
	list = list[max(first, len(list)-mostLogged):]
	for i := range list {
		lp.Say(canvas.Text, loggedText(&list[i], lp.Glyphs()))
		lp.newest = messageID{list[i].Event, list[i].Breakpoint}
	}
}

// pass counts the messages of logpoints up to the position as shown.
func (lp *logpoints) pass() { lp.newest = messageID{lp.Session().Position() - 1, math.MaxInt} }

// forget counts the messages that belong to another what-if as not shown.
func (lp *logpoints) forget() {
	for _, b := range lp.Session().Forks().All() {
		if b.Current && lp.newest.event >= b.Shared {
			lp.newest = messageID{b.Shared - 1, math.MaxInt}
		}
	}
}

func loggedText(m *breakpoint.Message, g *canvas.Glyphs) string {
	return g.Breakpoint + " event " + strconv.Itoa(m.Event+1) + ": " + m.Text
}
