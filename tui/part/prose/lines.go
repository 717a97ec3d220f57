package prose

import (
	"slices"
	"strings"

	"asldb/engine/explain"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
)

// lineCells is the width in which a row is painted before it is made a line.
const lineCells = 240

// gaps are the blanks between the columns of a row.
var gaps = wording.Pattern(` {2,}`)

// Lines returns the rows of the story as lines for --plain: without columns, with words for the signs before them. The
// rows have the same words.
func (s *Story) Lines(g *canvas.Glyphs) (lines []string) {
	rows := s.rows(foldNothing)
	for _, row := range slices.Concat(rows.above, rows.below) {
		if row.text != nil {
			lines = append(lines, labelled(row.text))
			continue
		}
		c := canvas.New(lineCells, 1, g)
		s.Draw(c.Area(canvas.Rect{W: lineCells, H: 1}), &Rows{above: []storyRow{row}}, false, nil)
		sign, rest, _ := strings.Cut(strings.TrimSpace(c.String()), " ")
		name, columns, has := strings.Cut(strings.TrimSpace(rest), "  ")
		if row.index == s.Now {
			name = strings.TrimPrefix(strings.TrimSuffix(name, "]"), "[") + ", here"
		}
		if word, _ := wordOf(sign, g); word != "" {
			name += ", " + word
		}
		if has {
			name += ": " + gaps().ReplaceAllString(strings.TrimSpace(columns), ", ")
		}
		lines = append(lines, name)
	}
	return lines
}

// labelled writes a row of text, with a word for the sign of a branch or an iteration.
func labelled(p *explain.Paragraph) string {
	told := *p
	if p.Level > 0 {
		switch p.Sign {
		case explain.SignError:
			told.Label += ", failed"
		case explain.SignSuccess:
			told.Label += ", done"
		case explain.SignNext:
			told.Label += ", under way"
		default:
		}
	}
	line := explain.Plain(PreviewLength).Labelled(explain.Text{told})[0]
	blanks := len(line) - len(strings.TrimLeft(line, " "))
	return line[:blanks] + gaps().ReplaceAllString(line[blanks:], ", ")
}

// wordOf returns the word for a sign before a row, "" for one that says nothing beside its row; ok is false for
// anything but a sign.
func wordOf(sign string, g *canvas.Glyphs) (word string, ok bool) {
	switch sign {
	case g.Failed:
		return "failed", true
	case g.Pending:
		return "not run", true
	case g.Waiting:
		return "waits", true
	case g.Visited, g.Breakpoint, g.Warning, g.Retried, g.Caught, g.Active:
		return "", true
	}
	return "", false
}

// Unsigned returns a text without the sign that it begins with, behind its blanks: the words say the same.
func Unsigned(text string, g *canvas.Glyphs) string {
	blanks := len(text) - len(strings.TrimLeft(text, " "))
	if sign, rest, ok := strings.Cut(text[blanks:], " "); ok {
		if _, known := wordOf(sign, g); known {
			return text[:blanks] + strings.TrimLeft(rest, " ")
		}
	}
	return text
}

// Line returns a paragraph's text without its sign and without columns.
func Line(text string, g *canvas.Glyphs) string {
	text = Unsigned(text, g)
	blanks := len(text) - len(strings.TrimLeft(text, " "))
	return text[:blanks] + gaps().ReplaceAllString(strings.TrimRight(text[blanks:], " "), ", ")
}
