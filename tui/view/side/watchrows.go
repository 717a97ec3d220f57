package side

import (
	"strconv"
	"strings"

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

// PlainLines returns the list on the screen as lines for --plain.
func (p *Lists) PlainLines() []string {
	if lines := p.current().tell(); len(lines) > 0 {
		return lines
	}
	return []string{"There are none."}
}

func (p *points) tell() []string { return p.List.PlainLines() }

func (p *watches) tell() (lines []string) {
	p.update()
	for i := range p.rows {
		r := &p.rows[i]
		line := r.text + ": "
		switch {
		case r.err != nil && interrupt.Is(r.err):
			line += explain.Interrupted(r.err)
		case r.err != nil:
			line += r.err.Error()
		default:
			line += value.Preview(r.value, shownWatch)
		}
		_, word, _ := r.mark.glyph(p.screen.Glyphs())
		if was := r.was(word); was != "" {
			word = was
		}
		if word != "" {
			line += ", " + word
		}
		if r.changes > 0 {
			line += ", " + wording.Count(r.changes, "change") + ", the last at event " + strconv.Itoa(r.last+1)
		}
		lines = append(lines, line)
	}
	return lines
}

func (p *threads) tell() (lines []string) {
	for _, line := range p.content {
		text := strings.ReplaceAll(line.text, "  ", ", ")
		if line.item != noItem {
			text = "thread " + strconv.FormatInt(line.item, 10) + ": " + text
		}
		lines = append(lines, text)
	}
	return lines
}

func (p *timers) tell() (lines []string) {
	for _, line := range p.content {
		text := strings.ReplaceAll(line.text, "  ", ", ")
		if line.left != "" && line.left != p.screen.Glyphs().Waiting {
			text = line.left + ": " + text
		}
		lines = append(lines, text)
	}
	return lines
}
