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
	rows      widget.List[int32]
}

// set changes the filter. Where the text continues the one before, only the events that this showed are looked at.
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

// forget forgets the events, another log's.
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

func (f *filtered) draw(at widget.Frame, l *list, clear string, start time.Time, inspect func(event int)) {
	n := l.index.Len()
	foot := wording.Grouped(len(f.events)) + " of " + wording.Count(n, "event") + "   " + clear + " clears the filter"
	f.rows.Empty = "No event passes the filter."
	if f.read < n {
		foot = wording.Grouped(len(f.events)) + " so far, " + strconv.Itoa(100*f.read/n) + "% of " + wording.Count(n, "event") + " searched"
		f.rows.Empty = "No event so far passes the filter."
	}
	inner := at.Titled(canvas.Frame{Title: "3 Events   filter: " + f.filter.Source, Note: foot})
	columns := l.columns(start, inner.W())
	f.rows.Rows, f.rows.Cursor, f.rows.Resting = widget.Slice[int32](f.events), max(f.at(l.cursor), 0), true
	f.rows.Paint = func(line canvas.Area, i int32, _ []int) { l.drawFlat(line, int(i), &columns) }
	f.rows.Moved = func() {
		if i, ok := f.rows.Selected(); ok {
			inspect(int(i))
		}
	}
	f.rows.Draw(inner)
	inner.Mouse(f.rows.Click, func(rows int) {
		if event, ok := f.move(l.cursor, rows); ok {
			inspect(event)
		}
	})
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
