package report

import (
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
)

const (
	gap        = 2  // between columns
	leastCells = 14 // the least width of a column whose cells are broken
)

// tableText is a table as text: the cells as they are shown, with the names of the columns as the first row.
type tableText struct {
	*Table
	cells  [][]tonedText
	used   []int // the columns that are shown
	widths []int // by column
}

// table writes a table in lines of the width: without its spare columns where it does not fit, then with broken cells,
// then as a paragraph for each row.
func (t *textWriter) table(of *Table) {
	if len(of.Rows) == 0 {
		return
	}
	layout := of.shown()
	indent := strings.Repeat(" ", 2*of.Level)
	if !layout.fit(t.look.Width - len(indent)) {
		t.stacked(layout, indent)
		return
	}
	for n, row := range layout.cells {
		t.row(layout, n, row, indent)
	}
}

// shown returns the cells of a table as they are shown. Columns without any text are left out.
func (of *Table) shown() *tableText {
	layout := &tableText{Table: of, widths: make([]int, len(of.Columns))}
	head := make([]tonedText, len(of.Columns))
	for i, c := range of.Columns {
		head[i] = tonedTextOf(Text{{Text: c.Name, Tone: Quiet}})
	}
	layout.cells = append(layout.cells, head)
	for _, row := range of.Rows {
		cells := make([]tonedText, len(of.Columns))
		for i := range row {
			cells[i] = tonedTextOf(row[i])
		}
		layout.cells = append(layout.cells, cells)
	}
	for i := range of.Columns {
		if slices.ContainsFunc(layout.cells[1:], func(row []tonedText) bool { return row[i].text != "" }) {
			layout.used = append(layout.used, i)
		}
		for _, row := range layout.cells {
			layout.widths[i] = max(layout.widths[i], runewidth.StringWidth(row[i].text))
		}
	}
	return layout
}

// fit chooses columns and widths for a width (0: none); it reports whether there are any.
func (l *tableText) fit(width int) bool {
	for width > 0 {
		sum, spare, widest := -gap, -1, -1
		for k, i := range l.used {
			sum += l.widths[i] + gap
			if l.Columns[i].Spare > 0 && (spare < 0 || l.Columns[i].Spare > l.Columns[l.used[spare]].Spare) {
				spare = k
			}
			if l.Columns[i].Wrap && l.widths[i] > leastCells && (widest < 0 || l.widths[i] > l.widths[widest]) {
				widest = i
			}
		}
		switch {
		case sum <= width:
			return true
		case spare >= 0:
			l.used = slices.Delete(l.used, spare, spare+1)
		case widest >= 0:
			l.widths[widest]--
		default:
			return false
		}
	}
	return true
}

// row writes a row, in several lines where cells are broken.
func (t *textWriter) row(l *tableText, n int, row []tonedText, indent string) {
	parts, height := make([][]tonedText, len(row)), 1
	for _, i := range l.used {
		width := 0
		if l.Columns[i].Wrap && runewidth.StringWidth(row[i].text) > l.widths[i] {
			width = l.widths[i]
		}
		parts[i] = row[i].cell(width)
		height = max(height, len(parts[i]))
	}
	for at := range height {
		var b strings.Builder
		b.WriteString(indent)
		for k, i := range l.used {
			if k > 0 {
				b.WriteString(strings.Repeat(" ", gap))
			}
			var part tonedText
			if at < len(parts[i]) {
				part = parts[i][at]
			}
			pad := strings.Repeat(" ", max(0, l.widths[i]-runewidth.StringWidth(part.text)))
			if l.Columns[i].Right {
				b.WriteString(pad + part.painted(t.paint))
			} else {
				b.WriteString(part.painted(t.paint) + pad)
			}
		}
		t.out.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	}
}

// cell breaks a cell into lines of a width: behind blanks and the signs within paths and names where it can, else
// anywhere.
func (s tonedText) cell(width int) []tonedText {
	var lines []tonedText
	for width > 0 && runewidth.StringWidth(s.text) > width {
		cut := max(1, len(runewidth.Truncate(s.text, width, "")))
		if at := strings.LastIndexAny(s.text[:cut], " /.,"); at > 0 {
			cut = at + 1
		}
		line := strings.TrimRight(s.text[:cut], " ")
		lines = append(lines, s.cut(0, len(line)))
		rest := strings.TrimLeft(s.text[cut:], " ")
		s = s.cut(len(s.text)-len(rest), len(s.text))
	}
	return append(lines, s)
}

// stacked writes each row as its first cell, and the others with the names of their columns below.
func (t *textWriter) stacked(l *tableText, indent string) {
	for _, row := range l.Rows {
		if name := tonedTextOf(row[0]); name.text != "" {
			inner := indent + name.text[:len(name.text)-len(strings.TrimLeft(name.text, " "))]
			t.paragraph(inner, inner, Para{Text: trimmed(row[0])})
		}
		var parts Text
		for i := 1; i < len(row); i++ {
			if cell := row[i].line(); cell == "" || cell == "-" {
				continue
			}
			if len(parts) > 0 {
				parts = append(parts, Span{Text: ", "})
			}
			parts = append(append(parts, Span{Text: l.Columns[i].Name + " ", Tone: Quiet}), row[i]...)
		}
		t.paragraph(indent+"  ", indent+"  ", Para{Text: parts})
	}
}

// trimmed returns a text without blanks at its beginning.
func trimmed(t Text) Text {
	if len(t) == 0 {
		return t
	}
	t = slices.Clone(t)
	t[0].Text = strings.TrimLeft(t[0].Text, " ")
	return t
}
