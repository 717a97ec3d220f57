package data

import (
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
)

// sizeNote is the size of the document: in full, with its share of the limit, and in short. near reports that it is near the
// limit or above it.
type sizeNote struct {
	full, text string
	near       bool
}

// nearLimit is the share of the limit, in per cent, above which a document is warned of.
const nearLimit = 90

// barCells is the width of the small bar.
const barCells = 6

// measured is a document with its size, which is computed once.
type measured struct {
	document value.Value
	bytes    int
}

// note returns the size of a document and its style. limit is the greatest size, or 0 where there is none.
func (m *measured) note(v value.Value, limit int, g *canvas.Glyphs) (sizeNote, canvas.Style) {
	if v == nil {
		return sizeNote{}, canvas.Dim
	}
	if !value.Identical(v, m.document) || m.document == nil {
		m.document, m.bytes = v, value.Size(v)
	}
	note := sizeNote{text: wording.SizeOf(m.bytes, limit)}
	note.full = note.text
	if limit <= 0 {
		return note, canvas.Dim
	}
	percent := m.bytes * 100 / limit
	if percent >= 1 {
		filled := min(barCells, (m.bytes*barCells+limit-1)/limit)
		bar := strings.Repeat(g.Filled, filled) + strings.Repeat(g.Empty, barCells-filled)
		note.full = bar + " " + strconv.Itoa(percent) + "% " + g.Dash + " " + note.text
	}
	if note.near = percent >= nearLimit; note.near {
		note.full, note.text = g.Warning+" "+note.full, g.Warning+" "+note.text
		if m.bytes > limit {
			return note, canvas.Bad
		}
		return note, canvas.Warn
	}
	return note, canvas.Dim
}
