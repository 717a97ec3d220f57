package lens

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/widget"
)

// piece is a text in one style.
type piece struct {
	text  string
	style canvas.Style
}

// line is a line of a step on the screen.
type line struct {
	first  bool // the first line of the step, with the number of its event
	x      int
	pieces []piece
	// right is at the right end of the line.
	right string
}

// pieces are spans in their styles; words have the style of their paragraph.
func (v *View) pieces(spans []explain.Span, words canvas.Style, limit int) []piece {
	writer := prose.Writer(v.run.Glyphs, limit)
	var list []piece
	for i := range spans {
		list = append(list, piece{wording.Line(writer.Spans(spans[i : i+1])), styleOf(&spans[i], words)})
	}
	return list
}

func styleOf(s *explain.Span, words canvas.Style) canvas.Style {
	switch s.Kind {
	case explain.KindPath:
		return canvas.Way
	case explain.KindState:
		return canvas.Strong
	case explain.KindValue:
		switch s.Value.(type) {
		case value.String:
			return canvas.Text
		case value.Null, value.Bool:
			return canvas.Word
		case value.Number:
			return canvas.Number
		}
		return canvas.Plain
	case explain.KindField:
		return canvas.Key
	case explain.KindCode:
		if words != canvas.Dim {
			return words
		}
		return canvas.Plain
	case explain.KindWords, explain.KindError, explain.KindCause, explain.KindSign:
	}
	return words
}

func widthOf(pieces []piece) int {
	n := 0
	for _, p := range pieces {
		n += canvas.Width(p.text)
	}
	return n
}

// wrap breaks pieces into lines of at most width cells, those after the first of hang fewer, at blanks where there are
// some.
func wrap(pieces []piece, width, hang int) [][]piece {
	width, hang = max(width, 8), min(hang, 4)
	var lines [][]piece
	var now []piece
	used, ended := 0, false // the cells of the line, and whether it ends with a blank
	flush := func() {
		if lines, now, used = append(lines, now), nil, 0; len(lines) == 1 {
			width -= hang
		}
	}
	for _, p := range pieces {
		for p.text != "" {
			word := p.text
			if at := strings.IndexByte(strings.TrimLeft(word, " "), ' '); at >= 0 {
				word = word[:len(word)-len(strings.TrimLeft(word, " "))+at]
			}
			p.text = p.text[len(word):]
			if used > 0 && used+canvas.Width(word) > width && (word[0] == ' ' || ended || canvas.Width(word) > 2) {
				flush()
			}
			if used == 0 && len(lines) > 0 {
				word = strings.TrimLeft(word, " ")
			}
			for canvas.Width(word) > width {
				head := canvas.Cut(word, width)
				if head == "" {
					break
				}
				now = append(now, piece{head, p.style})
				word = word[len(head):]
				flush()
			}
			now, used = append(now, piece{word, p.style}), used+canvas.Width(word)
			ended = strings.HasSuffix(word, " ")
		}
	}
	if len(now) > 0 {
		flush()
	}
	return lines
}

// narrowList is the width below which details are not indented.
const narrowList = 44

// layOut makes the lines of the steps for a width.
func (v *View) layOut(width int) {
	if v.lines != nil && v.width == width {
		return
	}
	v.width, v.lines = width, make([][]line, len(v.steps))
	numbers, indent := v.numberWidth(), 2
	if width < narrowList {
		indent = 0
	}
	for i := range v.steps {
		s := &v.steps[i]
		x := numbers + 2 + min(2*s.Depth, width/3)
		spans, place := apart(s.Head)
		v.add(i, true, x, v.head(s, spans, width-x), place)
		for k := range s.Details {
			p := &s.Details[k]
			spans, place := apart(p.Spans)
			if k == 0 && s.Place != nil && s.Place.Source != nil {
				place = lineOf(s.Place)
			}
			parts := v.pieces(spans, prose.StyleOf(p.Tone), prose.PreviewLength)
			if p.Label != "" {
				parts = append([]piece{{p.Label + " ", prose.StyleOf(p.Tone)}}, parts...)
			}
			v.add(i, false, x+indent, parts, place)
		}
		if len(s.Carried) > 0 {
			text := append([]piece{{v.run.Glyphs.HeavyBox.Vertical + " ", canvas.Way}}, v.pieces(s.Carried, canvas.Dim, 0)...)
			v.add(i, false, x, text, "")
		}
	}
}

// apart takes the place in the definition out of spans: it is at the right.
func apart(spans []explain.Span) (rest []explain.Span, place string) {
	for i := range spans {
		if s := &spans[i]; s.Place != nil && s.Kind == explain.KindWords && s.Event == 0 {
			place = lineOf(s.Place)
			continue
		}
		rest = append(rest, spans[i])
	}
	for len(rest) > 0 && rest[len(rest)-1].Kind == explain.KindWords && strings.TrimSpace(rest[len(rest)-1].Text) == "" {
		rest = rest[:len(rest)-1]
	}
	return rest, place
}

// lineOf is a place as written at the right of a line.
func lineOf(p *asl.Place) string { return "line " + strconv.Itoa(p.Span.Start.Line) }

// head is the first line of a step; its value is cut where the line is too short for it.
func (v *View) head(s *explain.Step, spans []explain.Span, width int) []piece {
	words := prose.StyleOf(s.Tone)
	var sign []piece
	if s.Sign != explain.NoSign {
		sign = []piece{{prose.SignsOf(v.run.Glyphs)[s.Sign] + " ", words}}
	}
	list := append(sign, v.pieces(spans, words, prose.PreviewLength)...)
	if over := widthOf(list) - width; over > 0 {
		last := &list[len(list)-1]
		if limit := canvas.Width(last.text) - over; limit >= 12 && spans[len(spans)-1].Kind == explain.KindValue {
			last.text = canvas.Fit(last.text, limit, v.run.Glyphs.Ellipsis)
		}
	}
	return list
}

// add adds the lines of a part of a step. Where there is no space beside its last line for the text at the right, the
// text has a separate line.
func (v *View) add(step int, first bool, x int, pieces []piece, right string) {
	hang := 0
	if first {
		hang = 2
	}
	lines := wrap(pieces, v.width-x, hang)
	for i, parts := range lines {
		at := x
		if i > 0 {
			at += hang
		}
		v.lines[step] = append(v.lines[step], line{first: first && i == 0, x: at, pieces: parts})
	}
	if right == "" {
		return
	}
	all := v.lines[step]
	if last := len(all) - 1; len(lines) > 0 && all[last].x+widthOf(lines[len(lines)-1])+2+canvas.Width(right) <= v.width {
		all[last].right = right
		return
	}
	v.lines[step] = append(all, line{x: x, right: right})
}

// numberWidth is the width of the greatest number of an event.
func (v *View) numberWidth() int {
	n := 1
	for i := range v.steps {
		n = max(n, len(strconv.Itoa(v.steps[i].Event+1)))
	}
	return n
}

// listWidth is the width of the steps in a list: the cursor is at the left, a scroll bar at the right.
func listWidth(inner int) int { return inner - 3 }

// drawList paints the steps, with the cursor before its step.
func (v *View) drawList(inner widget.Frame) {
	v.layOut(listWidth(inner.W()))
	numbers := v.numberWidth()
	v.rows.Lines = func(step int) int { return len(v.lines[step]) }
	v.rows.Paint = func(area canvas.Area, step int, _ []int) { v.drawStep(area, step, numbers) }
	v.rows.Open = v.goToEvent
	v.rows.Draw(inner)
}

func (v *View) drawStep(area canvas.Area, step, numbers int) {
	for y := range v.lines[step] {
		l := &v.lines[step][y]
		x := 2
		if event := v.steps[step].Event; l.first && event >= 0 {
			area.Right(x+numbers, y, canvas.Dim, strconv.Itoa(event+1))
		}
		x += l.x
		for _, p := range l.pieces {
			x = area.Text(x, y, p.style, p.text)
		}
		if l.right != "" {
			area.Text(max(2+v.width-canvas.Width(l.right), 2), y, canvas.Dim, canvas.FitMiddle(l.right, v.width, area.Glyphs().Ellipsis))
		}
	}
}
