package tui

import (
	"strconv"
	"strings"
	"time"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/tui/canvas"
	"asldb.dev/asldb/tui/theme"
)

// eventList shows the log. Only the rows on the screen are read.
type eventList struct {
	cursor int // index of the selected event
	top    int
	height int // when it was last drawn
	// details keeps what rows say, since comparing data anew for each frame would cost more.
	details map[int64]string
}

// keptDetails bounds what details keeps; a screen needs far less.
const keptDetails = 2048

func (l *eventList) reset() { *l = eventList{height: l.height} }

func (l *eventList) detail(e *engine.Event, start time.Time, g *canvas.Glyphs) string {
	text, ok := l.details[e.Seq]
	if !ok {
		if len(l.details) >= keptDetails || l.details == nil {
			l.details = make(map[int64]string)
		}
		text = eventDetail(e, start, g)
		l.details[e.Seq] = text
	}
	return text
}

// move moves the cursor, staying inside the log.
func (l *eventList) move(by int, log *debug.Log) {
	l.cursor = max(0, min(l.cursor+by, log.Len()-1))
}

func (l *eventList) find(text string, by int, log *debug.Log, start time.Time, g *canvas.Glyphs) bool {
	text = strings.ToLower(text)
	for i := l.cursor + by; i >= 0 && i < log.Len(); i += by {
		e := log.At(i)
		row := eventName(e) + " " + placeName(e.Visit) + " " + failureText(e.Failure())
		if e.Detail == nil && e.Type != engine.StageCompleted {
			row += " " + preview(e.After, g)
		}
		if strings.Contains(strings.ToLower(row), text) {
			l.cursor = i
			return true
		}
	}
	return false
}

// selectAt selects the event on line y of the pane's inside.
func (l *eventList) selectAt(y int, log *debug.Log) {
	if i := l.top + y; y >= 0 && i < log.Len() {
		l.cursor = i
	}
}

func (l *eventList) draw(area canvas.Area, log *debug.Log, start time.Time, focused bool) {
	inner := area.Frame(canvas.Frame{
		Title: "Events", Border: borderStyle(focused), TitleStyle: theme.Title, Focused: focused,
		Foot: plural(log.Len(), "event", "events"),
	})
	l.height = max(inner.H(), 1)
	l.cursor = max(0, min(l.cursor, log.Len()-1))
	l.top = min(l.top, l.cursor)
	l.top = max(l.top, l.cursor-l.height+1)
	l.top = max(0, min(l.top, log.Len()-l.height))
	digits, times := len(strconv.Itoa(log.Len())), len("t+59.999s")
	if last := log.Last(); last != nil && last.At().Sub(start) >= time.Hour {
		times = len("t+23h59m59s")
	}
	for y := 0; y < inner.H() && l.top+y < log.Len(); y++ {
		i := l.top + y
		l.drawRow(inner.Row(y), log.At(i), start, digits, times, i == l.cursor)
		if i == l.cursor && focused {
			inner.Mark(y)
		}
	}
	if log.Len() == 0 {
		inner.Fit(1, 0, inner.W()-2, theme.Dim, "Nothing has happened yet.")
	}
	drawScroll(inner, l.top, log.Len())
}

// drawRow paints one event; digits and times are the widths of the columns with its number and its time.
func (l *eventList) drawRow(row canvas.Area, e *engine.Event, start time.Time, digits, times int, selected bool) {
	g, w := row.Glyphs(), row.W()
	if selected {
		row.Text(0, 0, theme.Current, g.Pointer)
	}
	x := 1 + digits
	row.Right(x, 0, theme.Dim, strconv.FormatInt(e.Seq, 10))
	if w >= 60 {
		row.Fit(x+1, 0, times, theme.Dim, sinceStart(start, e.At()))
		x += times + 1
	}
	row.Text(x+1, 0, eventStyle(e), eventGlyph(e, g))
	x += 3
	name := min(18, w-x)
	place := min(max((w-x)*3/10, 8), 26)
	if w < 60 { // no room for details: the place may have the rest
		name = min(16, w-x-8)
		place = max(w-x-name-2, 0)
	}
	placeStyle := theme.Plain
	if e.Type == engine.StateEntered {
		placeStyle = theme.Strong
	}
	row.Text(x, 0, placeStyle, canvas.FitMiddle(eventPlace(e), place, g.Ellipsis))
	x += place + 1
	row.Fit(x, 0, name, eventStyle(e), eventName(e))
	if w-x > name+6 {
		row.Fit(x+name+1, 0, w-x-name-2, theme.Dim, l.detail(e, start, g))
	}
}
