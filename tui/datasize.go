package tui

import (
	"strconv"
	"strings"

	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// sizeNote is how large the document is: with all that is said about it, and in short. near: it comes near the limit, or
// is above it.
type sizeNote struct {
	full, text string
	near       bool
}

// nearLimit is the share of the limit, in per cent, above which a document is warned of.
const nearLimit = 90

// barCells is the width of the small bar.
const barCells = 6

// measure returns the size of what is shown, which is found only once, and the style for it; limit is what it is
// bounded by, or 0 where it is not.
func (p *dataPane) measure(limit int, g *canvas.Glyphs) (sizeNote, canvas.Style) {
	v := p.shown()
	if v == nil {
		return sizeNote{}, theme.Dim
	}
	if !value.Identical(v, p.measured) || p.measured == nil {
		p.measured, p.size = v, value.Size(v)
	}
	note := sizeNote{text: explain.SizeOf(p.size, limit)}
	note.full = note.text
	if limit <= 0 {
		return note, theme.Dim
	}
	percent := p.size * 100 / limit
	if percent >= 1 {
		filled := min(barCells, (p.size*barCells+limit-1)/limit)
		bar := strings.Repeat(g.Filled, filled) + strings.Repeat(g.Empty, barCells-filled)
		note.full = bar + " " + strconv.Itoa(percent) + "% " + g.Dash + " " + note.text
	}
	if note.near = percent >= nearLimit; note.near {
		note.full, note.text = g.Warning+" "+note.full, g.Warning+" "+note.text
		if p.size > limit {
			return note, theme.Bad
		}
		return note, theme.Warn
	}
	return note, theme.Dim
}
