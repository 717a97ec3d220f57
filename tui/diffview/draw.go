package diffview

import (
	"strconv"
	"unicode/utf8"

	"asldb.dev/asldb/engine/value"
	"asldb.dev/asldb/tui/canvas"
	"asldb.dev/asldb/tui/theme"
	"github.com/sergi/go-diff/diffmatchpatch"
)

// gutter is the room for the sign at the beginning of a row.
const gutter = 2

// Draw paints row i on line y of area, scrolled left cells to the side, and returns the x after it.
func (d *Diff) Draw(area canvas.Area, y, i, left int) int {
	row, g := d.Rows[i], area.Glyphs()
	row.Line.Exact = d.looksLikeOther(&row)
	body := area.Area(canvas.Rect{X: gutter, W: area.W() - gutter, H: area.H()})
	if row.Count > 0 {
		return gutter + d.drawRun(area, body, &row, y, left)
	}
	x := 0
	switch row.Kind {
	case Same:
		x = row.Line.Draw(body, -left, y, theme.Plain)
	case Added:
		area.Text(0, y, theme.Added, g.Added)
		x = row.Line.Draw(body, -left, y, theme.Added)
		d.mark(body, &row, -left, x, y, theme.AddedPart)
	case Removed:
		area.Text(0, y, theme.Removed, g.Removed)
		x = row.Line.Draw(body, -left, y, theme.Removed)
		d.mark(body, &row, -left, x, y, theme.RemovedPart)
	}
	return gutter + x
}

// looksLikeOther reports whether a row and its counterpart differ in nothing that can be seen.
func (d *Diff) looksLikeOther(row *Row) bool {
	if row.Other < 0 || row.Count > 0 || (row.Kind != Added && row.Kind != Removed) {
		return false
	}
	mine, theirs := row.Line, d.Rows[row.Other].Line
	mine.Comma, theirs.Comma = false, false
	return canvas.Painted(mine.Text("")) == canvas.Painted(theirs.Text(""))
}

func (d *Diff) drawRun(area, body canvas.Area, row *Row, y, left int) int {
	g := area.Glyphs()
	text, style := " unchanged lines ", theme.Dim
	switch row.Kind {
	case Replaced:
		area.Text(0, y, theme.Removed, g.Removed)
		text, style = " lines replaced ", theme.Removed
	case Removed:
		area.Text(0, y, theme.Removed, g.Removed)
		text, style = " lines removed ", theme.Removed
	case Added:
		area.Text(0, y, theme.Added, g.Added)
		text, style = " lines added ", theme.Added
	}
	x := 2*int(row.Line.Depth) - left
	if row.Line.HasKey {
		x = body.Text(x, y, style, string(value.AppendQuoted(nil, row.Line.Key))+": ")
	}
	return body.Text(x, y, style, g.Ellipsis+" "+strconv.Itoa(int(row.Count))+text+g.Ellipsis)
}

// Text returns row i as text, without its sign: what a search looks in.
func (d *Diff) Text(i int) string {
	if d.Rows[i].Count > 0 {
		return ""
	}
	return d.Rows[i].Line.Text("…")
}

// maxInline bounds the length of lines whose inside is compared, in bytes.
const maxInline = 600

// mark paints again the part of the row that differs from its counterpart.
func (d *Diff) mark(area canvas.Area, row *Row, x, end, y int, style canvas.Style) {
	if row.Other < 0 {
		return
	}
	line, other := row.Line, d.Rows[row.Other].Line
	line.Comma, other.Comma = false, false
	other.Exact = line.Exact
	mine, theirs := line.Text("…"), other.Text("…")
	if len(mine) > maxInline || len(theirs) > maxInline {
		return
	}
	for _, span := range changed(theirs, mine) {
		at := x + canvas.Width(mine[:span.from])
		if at < end {
			area.Text(at, y, style, mine[span.from:span.to])
		}
	}
}

type span struct{ from, to int }

// changed returns the parts of text, in bytes, that other does not have.
func changed(other, text string) []span {
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // the lines are short
	var spans []span
	at := 0
	for _, part := range dmp.DiffCleanupSemantic(dmp.DiffMain(other, text, false)) {
		switch part.Type {
		case diffmatchpatch.DiffEqual:
			at += len(part.Text)
		case diffmatchpatch.DiffInsert:
			spans = append(spans, span{at, at + len(part.Text)})
			at += len(part.Text)
		}
	}
	if at != len(text) || !utf8.ValidString(text) {
		return nil // text that go-diff could not take apart without loss
	}
	return spans
}

// First returns the first row that is not unchanged, or 0.
func (d *Diff) First() int {
	for i := range d.Rows {
		if k := d.Rows[i].Kind; k != Same && k != Fold {
			return i
		}
	}
	return 0
}
