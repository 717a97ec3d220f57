package events

import (
	"sort"
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/console"
	"asldb/engine/explain"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/widget"
)

// filtered are the events that a filter shows, without the groups. They grow with the log.
type filtered struct {
	filter    console.Filter
	condition *breakpoint.Condition // of an expression
	events    []int32
	read      int // the number of events that were looked at
	top       int
	height    int
}

// set changes the filter. Where the text goes on from the one before, only the events that this showed are looked at.
func (f *filtered) set(to console.Filter, condition *breakpoint.Condition, l *list) {
	from := f.filter
	narrower := from.Kind == console.Text && to.Kind == console.Text && strings.Contains(to.Name, from.Name)
	f.filter, f.condition = to, condition
	if !narrower {
		f.events, f.read = f.events[:0], 0
		return
	}
	kept := f.events[:0]
	for _, i := range f.events {
		if f.passes(int(i), l) {
			kept = append(kept, i)
		}
	}
	f.events = kept
}

func (f *filtered) on() bool { return f.filter.Kind != console.None }

// forget forgets the events, those of another log.
func (f *filtered) forget() { f.events, f.read = nil, 0 }

// slice is how many events are looked at between two keys: a few milliseconds.
func (f *filtered) slice() int {
	switch f.filter.Kind {
	case console.FilterText:
		return 1_000
	case console.Text:
		return 1_500
	case console.None, console.Failed, console.State, console.Thread:
	}
	return 100_000
}

// extend looks at the next slice of the events that were not looked at yet, and reports whether there are more.
func (f *filtered) extend(l *list) (more bool) {
	n := l.index.Len()
	if f.read > n {
		f.forget()
	}
	for end := min(n, f.read+f.slice()); f.read < end; f.read++ {
		if f.passes(f.read, l) {
			f.events = append(f.events, int32(f.read))
		}
	}
	return f.read < n
}

// passes reports whether the filter shows event i.
func (f *filtered) passes(i int, l *list) bool {
	e := l.index.Log().At(i)
	switch f.filter.Kind {
	case console.None:
		return true
	case console.Failed:
		return explain.EventTone(e) == explain.ToneBad
	case console.State:
		for v := e.Visit; v != nil; v = v.Parent {
			if v.State.Name == f.filter.Name {
				return true
			}
		}
		return false
	case console.Thread:
		if int64(e.Thread) == f.filter.Thread {
			return true
		}
		for v := e.Visit; v != nil; v = v.Parent {
			if int64(v.Thread) == f.filter.Thread {
				return true
			}
		}
		return false
	case console.FilterText:
		met, err := f.condition.Meets(i)
		return err == nil && met
	case console.Text:
	}
	return f.filter.Contains(l.textOf(i))
}

// at returns the place in events of event i, or of the last one before it; -1 where there is none.
func (f *filtered) at(i int) int {
	return sort.Search(len(f.events), func(k int) bool { return int(f.events[k]) > i }) - 1
}

// move returns the event by rows further from event i.
func (f *filtered) move(i, by int) (event int, ok bool) {
	if len(f.events) == 0 {
		return 0, false
	}
	at := f.at(i)
	if by < 0 && at >= 0 && int(f.events[at]) != i {
		by++ // the one before is a step back already
	}
	return int(f.events[max(0, min(at+by, len(f.events)-1))]), true
}

// find returns the next event with a text.
func (f *filtered) find(text string, by int, l *list) (event int, wrapped, ok bool) {
	text = strings.ToLower(text)
	at, wrapped, ok := widget.FindFrom(f.at(l.cursor), len(f.events), by, func(k int) bool {
		return strings.Contains(strings.ToLower(l.textOf(int(f.events[k]))), text)
	})
	if !ok {
		return 0, false, false
	}
	return int(f.events[at]), wrapped, true
}

func (f *filtered) draw(area canvas.Area, l *list, clear string, start time.Time, focused bool) {
	n := l.index.Len()
	foot := wording.Grouped(len(f.events)) + " of " + wording.Count(n, "event") + "   " + clear + " clears the filter"
	if f.read < n {
		foot = wording.Grouped(len(f.events)) + " so far, " + strconv.Itoa(100*f.read/n) + "% of " + wording.Count(n, "event") + " searched"
	}
	inner := area.Frame(canvas.Frame{
		Title: "Events   filter: " + f.filter.Source, Border: widget.Border(focused), TitleStyle: canvas.Title, Focused: focused, Foot: foot,
	})
	f.height = max(inner.H(), 1)
	if len(f.events) == 0 {
		text := "No event passes the filter."
		if f.read < n {
			text = "No event so far passes the filter."
		}
		inner.Fit(1, 0, inner.W()-2, canvas.Dim, text)
		return
	}
	at := max(f.at(l.cursor), 0)
	f.top = max(0, min(f.top, at, len(f.events)-f.height))
	f.top = max(f.top, at-f.height+1)
	columns := l.columns(start, inner.W())
	for y := 0; y < inner.H() && f.top+y < len(f.events); y++ {
		i := int(f.events[f.top+y])
		row := inner.Row(y)
		l.drawFlat(row, i, &columns)
		if f.top+y != at {
			continue
		}
		if i == l.cursor {
			row.Text(0, 0, canvas.Current, inner.Glyphs().Pointer)
		}
		if focused {
			row.Mark(0)
		}
	}
	widget.Scrollbar(inner, f.top, len(f.events))
}

// drawFlat paints an event with its place, as no group around it says that.
func (l *list) drawFlat(row canvas.Area, i int, columns *columns) {
	e, g, w := l.index.Log().At(i), row.Glyphs(), row.W()
	glyph, style := prose.EventGlyph(e, g), prose.EventStyle(e)
	if l.ahead(i) {
		glyph, style = g.Pending, canvas.Dim
	}
	x := columns.draw(row, e)
	row.Text(x+1, 0, style, glyph)
	x += 3
	share := max((w-x)/3, 8)
	row.Fit(x, 0, share-1, canvas.Strong, explain.EventPlace(e))
	x += share
	x = max(row.Fit(x, 0, w-x-1, style, explain.EventName(e))+2, min(x+18, w))
	if w-x > 7 {
		text := l.logged(i, g)
		if text == "" {
			text = prose.Spans(explain.EventDetail(e, columns.start), g)
		}
		row.Fit(x, 0, w-x-1, canvas.Dim, text)
	}
	if l.ahead(i) {
		row.Fill(0, canvas.Dim, false)
	}
}

// textOf is the text of an event in which others are looked for.
func (l *list) textOf(i int) string {
	e, g := l.index.Log().At(i), l.screen.Glyphs()
	text := explain.EventName(e) + " " + explain.EventPlace(e)
	if failure := e.Failure(); failure != nil {
		text += " " + prose.Writer(g, prose.PreviewLength).Spans(explain.FailureDetail(failure))
	}
	if logged := l.logged(i, g); logged != "" {
		text += " " + logged
	}
	if e.Detail == nil && e.Type != engine.StageCompleted {
		text += " " + prose.Preview(e.After, g)
	}
	return text
}
