package report

import (
	"errors"
	"html"
	"io"
	"slices"
	"strings"

	"asldb/internal/wording"
)

// Markdown writes the document for pages of code hosts.
func (d *Doc) Markdown(w io.Writer) error {
	m := &markdownWriter{}
	if !d.Title.empty() {
		m.apart()
		m.out.WriteString("## " + m.text(d.Title.plain()) + "\n")
	}
	for _, b := range d.Blocks {
		m.write(b)
	}
	_, err := io.WriteString(w, m.out.String())
	return err
}

type markdownWriter struct {
	out    strings.Builder
	levels []int // of the entries around the one that is being written; nil: there is no list
}

// apart ends a list, and writes the blank line before a block.
func (m *markdownWriter) apart() {
	m.levels = nil
	if m.out.Len() > 0 {
		m.out.WriteByte('\n')
	}
}

func (m *markdownWriter) write(b Block) {
	switch b := b.(type) {
	case Heading:
		m.apart()
		m.out.WriteString(strings.Repeat("#", 2+b.Level) + " " + m.text(b.Text.plain()) + "\n")
	case Para:
		m.paragraph(b)
	case Code:
		m.code(b)
	case *Table:
		m.table(b)
	case Meter:
		m.paragraph(Para{Level: b.Level, Text: T(As(Source, Bar(b.Classes, Look{Page: true})))})
	case Figure:
		m.figure(b)
	case Details:
		switch {
		case b.Open:
			m.write(Heading{Level: 1, Text: b.Summary})
		case len(b.Blocks) == 0 && b.Case:
			m.write(Para{Level: 1, Text: b.Summary})
		}
		if b.Open || len(b.Blocks) == 0 {
			for _, inner := range b.Blocks {
				m.write(inner)
			}
			return
		}
		m.apart()
		m.out.WriteString("<details><summary>" + html.EscapeString(b.Summary.line()) + "</summary>\n")
		for _, inner := range b.Blocks {
			m.write(inner)
		}
		m.apart()
		m.out.WriteString("</details>\n")
	}
}

// text writes a text as one line: what is of the definition as code.
func (m *markdownWriter) text(t Text) string {
	var out strings.Builder
	for i := range t {
		switch s := &t[i]; s.Role {
		case Name, Path, Source, Value:
			if s.Text != "" {
				out.WriteString(wording.Code(s.Text))
			}
		case Words, Message:
			text := wording.Markdown(s.Text)
			if i > 0 { // it begins no line
				text = strings.TrimPrefix(wording.Markdown("x"+s.Text), "x")
			}
			if s.Tone == Strong && strings.TrimSpace(text) == text && text != "" {
				text = "**" + text + "**"
			}
			out.WriteString(text)
		}
	}
	return out.String()
}

func (m *markdownWriter) paragraph(p Para) {
	if kindOf(p) == plain {
		m.apart()
		m.out.WriteString(m.text(p.Text) + "\n")
		return
	}
	if m.levels == nil {
		m.apart()
	}
	for len(m.levels) > 0 && m.levels[len(m.levels)-1] >= p.Level {
		m.levels = m.levels[:len(m.levels)-1]
	}
	label := ""
	if text := strings.TrimSpace(p.Label.line()); text != "" {
		label = "**" + wording.Markdown(text) + "** "
	}
	m.out.WriteString(strings.Repeat("  ", len(m.levels)) + "- " + label + m.text(p.Text) + "\n")
	m.levels = append(m.levels, p.Level)
}

func (m *markdownWriter) code(c Code) {
	language, indent := c.Language, ""
	switch language {
	case "excerpt":
		language = "text"
	case Differences:
		language = "diff"
	}
	if c.Level > 0 {
		at := slices.IndexFunc(m.levels, func(level int) bool { return level >= c.Level })
		if at < 0 {
			at = len(m.levels)
		}
		indent = strings.Repeat("  ", at)
		m.out.WriteByte('\n')
	} else {
		m.apart()
	}
	m.out.WriteString(wording.Fenced(indent, language, c.visible()))
}

func (m *markdownWriter) table(t *Table) {
	if len(t.Rows) == 0 {
		return
	}
	m.apart()
	m.out.WriteString("|")
	for _, c := range t.Columns {
		m.out.WriteString(" " + wording.Markdown(c.Name) + " |")
	}
	m.out.WriteString("\n|")
	for _, c := range t.Columns {
		if c.Right {
			m.out.WriteString("---:|")
		} else {
			m.out.WriteString("---|")
		}
	}
	for _, row := range t.Rows {
		m.out.WriteString("\n|")
		for _, cell := range row {
			m.out.WriteString(strings.TrimRight(" "+m.cell(cell), " ") + " |")
		}
	}
	m.out.WriteString("\n")
}

// cell writes a cell, in which a bar ends the cell wherever it is.
func (m *markdownWriter) cell(t Text) string {
	words := slices.Clone(t)
	for i := range words {
		if strings.Contains(words[i].Text, "|") {
			words[i].Role = Words
		}
	}
	return m.text(words)
}

// The bounds of Mermaid on the pages of code hosts: longer texts, and graphs of more edges, are shown as an error.
const (
	maxMermaid      = 50_000
	maxMermaidEdges = 500
)

// errTooLarge says why a graph is not drawn.
var errTooLarge = errors.New("it is too large for a page: asldb graph draws it")

// mermaid returns the graph in Mermaid's language, or the reason why there is none.
func (f Figure) mermaid() (string, error) {
	drawing, err := f.Draw()
	text := drawing.Mermaid
	if err == nil && (len(text) > maxMermaid ||
		strings.Count(text, " -->")+strings.Count(text, " -.->") > maxMermaidEdges) {
		err = errTooLarge
	}
	return text, err
}

// figure writes a graph, folded up.
func (m *markdownWriter) figure(f Figure) {
	text, err := f.mermaid()
	m.apart()
	if err != nil {
		m.out.WriteString(wording.Markdown(f.About) + ": no graph, " + wording.Markdown(err.Error()) + "\n")
		return
	}
	m.out.WriteString("<details><summary>Graph of " + html.EscapeString(wording.Line(f.About)) + "</summary>\n\n" +
		wording.Fenced("", "mermaid", text) + "\n</details>\n")
}
