package dialog

import (
	"slices"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Text shows one string whole: its line breaks are line breaks, and long lines are broken.
type Text struct {
	view.Modal
	screen view.Opener
	// copy copies the text.
	copy       func()
	path, text string
	// notice: the text is a message, not a value of the data.
	notice bool
	// before is the text that this one replaces, where differs is set.
	before  string
	differs bool
	lines   []textLine
	width   int
	widget.Pager
}

// NewText returns the view of a text at a path; copy copies it.
func NewText(screen view.Opener, path, text string, copy func()) *Text {
	return &Text{screen: screen, copy: copy, path: path, text: strings.ReplaceAll(text, "\t", "    ")}
}

// NewNotice returns the view of a message of several lines with a title; copy copies it.
func NewNotice(screen view.Opener, title, text string, copy func()) *Text {
	v := NewText(screen, title, text, copy)
	v.notice = true
	return v
}

// NewTextChange returns the view of a text at a path that was changed: both whole, with their difference marked.
func NewTextChange(screen view.Opener, path, before, after string, copy func()) *Text {
	v := NewText(screen, path, after, copy)
	v.before, v.differs = strings.ReplaceAll(before, "\t", "    "), true
	return v
}

// WorthViewing reports whether a string does not fit on a row of that many cells, or has several lines.
func WorthViewing(text string, cells int) bool {
	return len(text) > 4*cells || strings.ContainsRune(text, '\n') || canvas.Width(text) > cells/2
}

// Handle implements [view.View].
func (v *Text) Handle(k keys.Press) bool {
	switch {
	case v.Key(k.Action):
	case k.Action == keys.Copy:
		v.screen.Open(nil)
		v.copy()
	default:
		v.screen.Open(nil)
	}
	return true
}

// Draw implements [view.View].
func (v *Text) Draw(f widget.Frame) {
	width := min(120, f.W()-2)
	if v.width != width {
		v.width, v.lines = width, v.rowsOf(width-4, f.Glyphs())
		if v.differs {
			v.GoTo(slices.IndexFunc(v.lines, func(l textLine) bool { return l.changed() }) - 3)
		}
	}
	about := "string, " + wording.Size(len(v.text)) + "; "
	switch {
	case v.differs:
		about = "before and after, " + wording.Size(len(v.text)) + "; "
	case v.notice:
		about = ""
	}
	f.Mouse(nil, v.Scroll)
	inner := f.Window(width, len(v.lines)+2, v.path, about+"any other key closes")
	v.Pager.Draw(inner, len(v.lines), func(row canvas.Area, i int) { v.lines[i].draw(row) })
}

// textLine is a line of a text, or of the difference of two, with the parts that changed.
type textLine struct {
	sign, text  string
	style, part canvas.Style
	parts       []value.Span
}

func (l *textLine) changed() bool { return len(l.parts) > 0 }

func (l *textLine) draw(row canvas.Area) {
	x := 1
	if l.sign != "" {
		x += 2
		row.Text(1, 0, l.style, l.sign)
	}
	row.Text(x, 0, l.style, l.text)
	for _, span := range l.parts {
		from, to := canvas.Whole(l.text, span.From, span.To)
		row.Text(x+canvas.Column(l.text, from), 0, l.part, l.text[from:to])
	}
}

// rowsOf makes the lines of the text, or of its difference: removed lines above added ones, with what changed in them.
func (v *Text) rowsOf(cells int, g *canvas.Glyphs) (rows []textLine) {
	if !v.differs {
		return textLine{style: canvas.Text}.broken(v.text, cells)
	}
	cells -= 2
	for _, h := range value.TextLines(v.before, v.text) {
		if h.Same {
			rows = append(rows, textLine{sign: " ", style: canvas.Text}.broken(strings.Join(h.Before, ""), cells)...)
			continue
		}
		was, is := strings.Join(h.Before, ""), strings.Join(h.After, "")
		removed := textLine{sign: g.Removed, style: canvas.Removed, part: canvas.RemovedPart, parts: value.Changed(is, was)}
		added := textLine{sign: g.Added, style: canvas.Added, part: canvas.AddedPart, parts: value.Changed(was, is)}
		rows = append(append(rows, removed.broken(was, cells)...), added.broken(is, cells)...)
		if strings.HasSuffix(was, "\n") != strings.HasSuffix(is, "\n") {
			end := textLine{sign: g.Removed, style: canvas.Removed, text: "(a line feed at the end)"}
			if strings.HasSuffix(is, "\n") {
				end.sign, end.style = g.Added, canvas.Added
			}
			rows = append(rows, end)
		}
	}
	return rows
}

// broken cuts a text into lines of at most cells cells, also inside words: nothing of a string is left out. The changed parts go with
// their lines.
func (l textLine) broken(text string, cells int) (rows []textLine) {
	at := 0
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		for end := at + len(line); ; {
			row := l
			row.text = canvas.Cut(text[at:end], cells)
			if row.text == "" { // a character that is wider than the window
				row.text = text[at:end]
			}
			row.parts = nil
			for _, span := range l.parts {
				if from, to := max(span.From-at, 0), min(span.To-at, len(row.text)); from < to {
					row.parts = append(row.parts, value.Span{From: from, To: to})
				}
			}
			rows = append(rows, row)
			if at += len(row.text); at >= end {
				break
			}
		}
		at++ // the line feed
	}
	return rows
}
