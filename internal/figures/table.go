package figures

import (
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"asldb/internal/wording"
)

// Bounds of the width of texts, in columns.
const (
	minWidth     = 40
	maxWidth     = 120
	defaultWidth = 80
)

// column is a column of a table.
type column struct {
	head string
	// left: its cells begin at the left.
	left bool
	// spare is above 0 of a column that a narrow text leaves out, the highest first.
	spare int
}

// table is a table of a report.
type table struct {
	title   string
	columns []column
	rows    [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// text writes the table in lines of at most width columns: as a table where it fits without its spare columns, else a paragraph for
// each row.
func (t *table) text(out *strings.Builder, width int) {
	if len(t.rows) == 0 {
		return
	}
	out.WriteString("\n")
	wrapped(out, "", t.title, width)
	var shown []int
	for i := range t.columns {
		if slices.ContainsFunc(t.rows, func(row []string) bool { return row[i] != "" }) {
			shown = append(shown, i)
		}
	}
	for t.wide(shown) > width {
		at := 0
		for i := range shown {
			if t.columns[shown[i]].spare > t.columns[shown[at]].spare {
				at = i
			}
		}
		if t.columns[shown[at]].spare == 0 {
			t.paragraphs(out, width)
			return
		}
		shown = slices.Delete(shown, at, at+1)
	}
	heads := make([]string, len(t.columns))
	for i, c := range t.columns {
		heads[i] = c.head
	}
	for _, row := range append([][]string{heads}, t.rows...) {
		line := " "
		for _, i := range shown {
			pad := strings.Repeat(" ", t.widthOf(i)-runewidth.StringWidth(row[i]))
			if t.columns[i].left {
				line += " " + row[i] + pad + " "
			} else {
				line += " " + pad + row[i] + " "
			}
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// widthOf is the width of a column.
func (t *table) widthOf(i int) int {
	n := runewidth.StringWidth(t.columns[i].head)
	for _, row := range t.rows {
		n = max(n, runewidth.StringWidth(row[i]))
	}
	return n
}

func (t *table) wide(shown []int) int {
	n := 0
	for _, i := range shown {
		n += t.widthOf(i) + 2
	}
	return n
}

// paragraphs writes each row as its first cell, and the others with their heads below.
func (t *table) paragraphs(out *strings.Builder, width int) {
	for _, row := range t.rows {
		name := strings.TrimLeft(row[0], " ")
		indent := "  " + row[0][:len(row[0])-len(name)]
		wrapped(out, indent, name, width)
		var parts []string
		for i := 1; i < len(row); i++ {
			if row[i] != "" && row[i] != "-" {
				parts = append(parts, strings.TrimSpace(t.columns[i].head+" "+row[i]))
			}
		}
		wrapped(out, indent+"  ", strings.Join(parts, ", "), width)
	}
}

// wrapped writes a text in lines of at most width columns, broken between words where it can be.
func wrapped(out *strings.Builder, indent, text string, width int) {
	width -= len(indent)
	for runewidth.StringWidth(text) > width {
		cut := len(runewidth.Truncate(text, width, ""))
		if blank := strings.LastIndexByte(text[:min(cut+1, len(text))], ' '); blank > 0 {
			cut = blank
		}
		out.WriteString(indent + strings.TrimRight(text[:cut], " ") + "\n")
		text = strings.TrimLeft(text[cut:], " ")
	}
	out.WriteString(indent + text + "\n")
}

// markdown writes the table for pages of code hosts.
func (t *table) markdown(out *strings.Builder) {
	if len(t.rows) == 0 {
		return
	}
	out.WriteString("\n#### " + wording.Markdown(t.title) + "\n\n|")
	for _, c := range t.columns {
		out.WriteString(" " + wording.Markdown(c.head) + " |")
	}
	out.WriteString("\n|")
	for _, c := range t.columns {
		if c.left {
			out.WriteString("---|")
		} else {
			out.WriteString("---:|")
		}
	}
	for _, row := range t.rows {
		out.WriteString("\n|")
		for _, cell := range row {
			out.WriteString(" " + wording.Markdown(cell) + " |")
		}
	}
	out.WriteString("\n")
}
