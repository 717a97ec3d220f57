package side

import (
	"asldb/engine/explain"
	"asldb/engine/interrupt"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
)

// watchMoment is the place of the log and the expressions that the values are about.
type watchMoment struct {
	event, before, length int
	texts                 string
}

// watchRow is a watch of the list.
type watchRow struct {
	text          string
	value, before value.Value // nil: nothing
	err           error
	mark          watchMark
	changes       int // in the run so far
	last          int // the event of the newest of them
}

// watchMark is the change of a value since the previous stop.
type watchMark uint8

const (
	watchSame watchMark = iota
	watchChanged
	watchCame
	watchWent
)

func markOf(before, now value.Value) watchMark {
	switch {
	case before == nil && now == nil:
		return watchSame
	case before == nil:
		return watchCame
	case now == nil:
		return watchWent
	case !value.Equal(before, now):
		return watchChanged
	}
	return watchSame
}

// glyph returns the sign of the mark and its meaning in a word.
func (m watchMark) glyph(g *canvas.Glyphs) (glyph, word string, style canvas.Style) {
	switch m {
	case watchChanged:
		return g.Changed, "changed", canvas.Changed
	case watchCame:
		return g.Added, "new", canvas.Added
	case watchWent:
		return g.Removed, "gone", canvas.Removed
	case watchSame:
	}
	return " ", "", canvas.Plain
}

// shownWatch bounds the text of a watched value, in characters.
const shownWatch = 300

func (r *watchRow) draw(area canvas.Area, column int) {
	glyph, word, mark := r.mark.glyph(area.Glyphs())
	area.Text(1, 0, mark, glyph)
	area.Text(3, 0, canvas.Key, canvas.FitMiddle(r.text, column, area.Glyphs().Ellipsis))
	x := 3 + column + 2
	space := area.W() - x - 1
	if was := r.was(word); was != "" && space > 16+canvas.Width(was) {
		area.Right(area.W()-1, 0, mark, was)
		space -= canvas.Width(was) + 2
	} else if word != "" && space > 12+len(word) {
		area.Right(area.W()-1, 0, mark, word)
		space -= len(word) + 2
	}
	if r.err != nil {
		text := r.err.Error()
		if interrupt.Is(r.err) {
			text = explain.Interrupted(r.err)
		}
		area.Fit(x, 0, space, canvas.Dim, text)
		return
	}
	area.Fit(x, 0, space, valueStyle(r.value), wording.JSONLine(value.Preview(r.value, shownWatch)))
}

// was returns the value before, where that is short.
func (r *watchRow) was(word string) string {
	const short = 24
	if r.before == nil || r.mark == watchSame {
		return ""
	}
	return word + ", was " + value.Preview(r.before, short)
}

func valueStyle(v value.Value) canvas.Style {
	switch value.KindOf(v) {
	case "string":
		return canvas.Text
	case "number":
		return canvas.Number
	case "boolean", "null":
		return canvas.Word
	}
	return canvas.Plain
}
