package prose

import (
	"slices"
	"strings"
	"unicode"

	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
)

// Paragraph is one paragraph. Blanks at the beginning of its text are its depth: deeper paragraphs that follow belong to it,
// and are folded with it.
type Paragraph struct {
	Style canvas.Style
	Text  string
	// Indent is the number of cells by which the lines after the first are indented. [NoWrap] keeps the text on one line.
	Indent int
	// Spans are the parts of the text that have their own style, in their order.
	Spans []Span
}

// Span is a part of a text, from byte From up to byte To.
type Span struct {
	From, To int
	Style    canvas.Style
	Target   Target
}

// Target is the target of a link: an event of the log, or a place in the definition. The zero Target is none.
type Target struct {
	// Event is the sequence number of the event.
	Event int64
	Place *asl.Place
}

// Link is a link on the screen: X and Y are cells of the area that the notes were drawn into.
type Link struct {
	X, Y, W int
	Target  Target
}

// NoWrap, as the Indent of a paragraph, keeps it on one line, which is cut where it does not fit: a line of source, or marks
// below one.
const NoWrap = -1

// Of returns the paragraphs of an explanation.
func Of(t explain.Text, w *explain.Writer) []Paragraph {
	list := make([]Paragraph, 0, len(t))
	for i := range t {
		p := &t[i]
		text := strings.Repeat("  ", p.Level) + w.Paragraph(p)
		list = append(list, Paragraph{Style: StyleOf(p.Tone), Text: text, Indent: hanging(p), Spans: spansOf(p, text, w)})
	}
	return list
}

// spansOf returns the links of a paragraph, and its paths, states and names of errors where the colour of the paragraph has no
// other meaning. The text ends with the spans.
func spansOf(p *explain.Paragraph, text string, w *explain.Writer) []Span {
	first := slices.IndexFunc(p.Spans, func(s explain.Span) bool { return styleOf(p.Tone, &s) != canvas.Plain })
	if first < 0 {
		return nil
	}
	var list []Span
	to := len(text)
	for i := len(p.Spans) - 1; i >= first; i-- {
		span := &p.Spans[i]
		from := to - len(w.Spans(p.Spans[i:i+1]))
		if style := styleOf(p.Tone, span); style != canvas.Plain {
			list = append(list, Span{from, to, style, Target{span.Event, span.Place}})
		}
		to = from
	}
	slices.Reverse(list)
	return list
}

// styleOf returns the style of a part of a paragraph with a tone, [canvas.Plain] where it has none.
func styleOf(tone explain.Tone, s *explain.Span) canvas.Style {
	switch {
	case s.Event > 0 || s.Place != nil:
		return canvas.Title
	case tone == explain.TonePlain || tone == explain.ToneQuiet:
		return SpanStyle(s.Kind)
	}
	return canvas.Plain
}

// hanging returns the number of cells by which the lines of a paragraph after the first are indented.
func hanging(p *explain.Paragraph) int {
	switch {
	case p.Label != "":
		return len(p.Label) + 1
	case gives(p):
		return 4 + 2*p.Level
	case p.Number > 0 || p.Level > 0 && p.Tone == explain.ToneQuiet:
		return 4
	case p.Sign != explain.NoSign || p.Tone == explain.TonePlain && hasCode(p):
		return 2
	}
	return 0
}

// hasCode reports whether a paragraph quotes the definition, which may be long.
func hasCode(p *explain.Paragraph) bool {
	return slices.ContainsFunc(p.Spans, func(s explain.Span) bool { return s.Kind == explain.KindCode })
}

// gives reports whether a paragraph is about the value of an expression.
func gives(p *explain.Paragraph) bool {
	return slices.ContainsFunc(p.Spans, func(s explain.Span) bool { return s.Sign == explain.SignGives })
}

// Notes are the paragraphs of an explanation with their folds and a cursor. The zero Notes are empty.
type Notes struct {
	paragraphs []Paragraph
	folded     map[int]bool
	lines      []line // at the present width, without those that are folded away
	width      int
	// cursor is a line, top the first line on the screen and shown their number. y is the first row on the screen, and height
	// the number of rows.
	cursor, top, shown, y, height int
	links                         []Link
}

// line is a line of a paragraph.
type line struct {
	paragraph, x int
	text         string
	start        int // the number of characters of the paragraph before the line, without blanks
	hidden       int // the number of paragraphs that are folded away in it
}

// many is the number of paragraphs above which those with parts are folded at first.
const many = 16

// Set replaces the paragraphs. Those without a text are left out.
func (n *Notes) Set(list []Paragraph) {
	*n = Notes{folded: map[int]bool{}}
	for _, p := range list {
		if p.Text != "" {
			n.paragraphs = append(n.paragraphs, p)
		}
	}
	if len(n.paragraphs) <= many {
		return
	}
	for i := range n.paragraphs {
		if n.depth(i) > 0 && n.last(i) > i {
			n.folded[i] = true
		}
	}
}

// Empty reports whether there is no paragraph.
func (n *Notes) Empty() bool { return len(n.paragraphs) == 0 }

func (n *Notes) depth(i int) int {
	return len(n.paragraphs[i].Text) - len(strings.TrimLeft(n.paragraphs[i].Text, " "))
}

// last returns the last paragraph that belongs to paragraph i.
func (n *Notes) last(i int) int {
	if n.paragraphs[i].Indent == NoWrap {
		return i
	}
	end := i
	for end+1 < len(n.paragraphs) && n.depth(end+1) > n.depth(i) && n.paragraphs[end+1].Indent != NoWrap {
		end++
	}
	return end
}

// layout breaks the paragraphs into lines of at most width cells.
func (n *Notes) layout(width int) {
	if n.width == width && n.lines != nil {
		return
	}
	n.width, n.lines = width, n.lines[:0]
	for i := 0; i < len(n.paragraphs); i++ {
		p := &n.paragraphs[i]
		depth := n.depth(i)
		text := p.Text[depth:]
		if p.Indent == NoWrap {
			n.lines = append(n.lines, line{paragraph: i, x: depth, text: text})
			continue
		}
		start := 0
		for k, part := range canvas.Wrap(text, max(width-2-depth-p.Indent, 8)) {
			x := depth
			if k > 0 {
				x += p.Indent
			}
			n.lines = append(n.lines, line{paragraph: i, x: x, text: part, start: start})
			if len(p.Spans) > 0 {
				start += visible(part)
			}
		}
		if n.folded[i] {
			end := n.last(i)
			n.lines[len(n.lines)-1].hidden = end - i
			i = end
		}
	}
	n.cursor = min(n.cursor, max(0, len(n.lines)-1))
}

// Reachable reports whether the cursor can be moved into the notes: not all lines are on the screen, some can be
// folded, or some have links.
func (n *Notes) Reachable() bool {
	if n.shown < len(n.lines) {
		return true
	}
	for i := range n.paragraphs {
		if n.last(i) > i || slices.ContainsFunc(n.paragraphs[i].Spans, func(s Span) bool { return s.Target != (Target{}) }) {
			return true
		}
	}
	return false
}

// Enter puts the cursor on the last line on the screen, or on the first of all.
func (n *Notes) Enter(first bool) {
	if n.cursor = max(0, n.top+n.shown-1); first {
		n.cursor, n.top = 0, 0
	}
}

// Move moves the cursor by rows, as far as the lines go. It reports whether it would have gone below the last one.
func (n *Notes) Move(rows int) (below bool) {
	n.cursor += rows
	below = n.cursor >= len(n.lines)
	n.cursor = max(0, min(n.cursor, len(n.lines)-1))
	return below
}

// Fold folds or unfolds the paragraph at the cursor, or the one that it belongs to. It reports whether there is one.
func (n *Notes) Fold() bool {
	if n.cursor >= len(n.lines) {
		return false
	}
	i := n.parent(n.lines[n.cursor].paragraph)
	if n.last(i) == i {
		return false
	}
	n.folded[i] = !n.folded[i]
	n.lines = nil
	n.layout(n.width)
	n.cursor = slices.IndexFunc(n.lines, func(l line) bool { return l.paragraph == i })
	return true
}

// parent returns paragraph i where it has parts, else the nearest one that it belongs to, or i.
func (n *Notes) parent(i int) int {
	if n.last(i) > i {
		return i
	}
	for up := i - 1; up >= 0; up-- {
		if n.last(up) >= i {
			return up
		}
	}
	return i
}

// Below returns the first row below the notes as they were drawn last.
func (n *Notes) Below() int { return n.y + n.height }

// SelectAt moves the cursor to the line drawn at row y. It reports whether there is one, and whether the cursor was there.
func (n *Notes) SelectAt(y int) (ok, same bool) {
	at := y - n.y
	if at < 0 || at >= n.shown {
		return false, false
	}
	same = n.cursor == n.top+at
	n.cursor = n.top + at
	return true, same
}

// Texts yields the texts of the paragraphs.
func (n *Notes) Texts(yield func(string) bool) {
	for i := range n.paragraphs {
		if !yield(n.paragraphs[i].Text) {
			return
		}
	}
}

// Lines returns the number of lines at a width.
func (n *Notes) Lines(width int) int {
	n.layout(width)
	return len(n.lines)
}

// Layout breaks the paragraphs into lines for an area of a width. Draw needs it.
func (n *Notes) Layout(width int) { n.layout(width) }

// Draw paints the notes into the area from row y on, down to row end at most, and returns the first row below them. active
// says that the cursor is in the notes, and focused that it is drawn.
func (n *Notes) Draw(area canvas.Area, y, end int, active, focused bool) int {
	n.shown = min(max(end-y, 0), len(n.lines))
	n.top = max(0, min(n.top, len(n.lines)-n.shown))
	if active && n.shown > 0 {
		n.top = min(max(n.top, n.cursor-n.shown+1), n.cursor)
	}
	n.y, n.links = y, n.links[:0]
	for i := n.top; i < n.top+n.shown; i++ {
		n.drawLine(area, y, i)
		if active && focused && i == n.cursor {
			area.Text(0, y, canvas.Current, area.Glyphs().Pointer)
			area.MarkSpan(0, y, 1)
		}
		y++
	}
	if n.top+n.shown < len(n.lines) && n.shown > 0 {
		area.Right(area.W()-1, y-1, canvas.Dim, area.Glyphs().Ellipsis) // there are more
	}
	n.height = y - n.y
	return y
}

func (n *Notes) drawLine(area canvas.Area, y, i int) {
	l := &n.lines[i]
	p := &n.paragraphs[l.paragraph]
	width := area.W() - 2 - l.x
	x := area.Fit(1+l.x, y, width, p.Style, l.text)
	if len(p.Spans) > 0 && canvas.Width(l.text) <= width {
		n.drawSpans(area, y, l)
	}
	if l.hidden > 0 {
		area.Text(x+1, y, canvas.Dim, area.Glyphs().Ellipsis+" "+wording.Count(l.hidden, "line")+" folded")
	}
}

// drawSpans paints the spans of a paragraph that a line has. The lines have other blanks than the text: a place is the
// number of the characters before it that are none.
func (n *Notes) drawSpans(area canvas.Area, y int, l *line) {
	p := &n.paragraphs[l.paragraph]
	for _, span := range p.Spans {
		from, to := l.extent(p, span)
		part := strings.TrimSpace(l.text[from:to])
		if part == "" {
			continue
		}
		x := 1 + l.x + canvas.Width(l.text[:from])
		area.Text(x, y, span.Style, part)
		if span.Target != (Target{}) {
			n.links = append(n.links, Link{x, y, canvas.Width(part), span.Target})
		}
	}
}

// extent returns the bytes of the line that are in a span of its paragraph.
func (l *line) extent(p *Paragraph, span Span) (from, to int) {
	return l.place(visible(p.Text[:span.From])), l.place(visible(p.Text[:span.To]))
}

// Links returns the links as they were drawn last.
func (n *Notes) Links() []Link { return n.links }

// Target returns the target of the first link of the line at the cursor; where it has none, of the last one of its
// paragraph, unless that can be folded. The zero Target is none.
func (n *Notes) Target() Target {
	if n.cursor >= len(n.lines) {
		return Target{}
	}
	l := &n.lines[n.cursor]
	p := &n.paragraphs[l.paragraph]
	var last Target
	for _, span := range p.Spans {
		if span.Target == (Target{}) {
			continue
		}
		if from, to := l.extent(p, span); from < to {
			return span.Target
		}
		if n.last(l.paragraph) == l.paragraph {
			last = span.Target
		}
	}
	return last
}

// place returns the byte of the line at which a character of the paragraph begins, or the nearer end of the line.
func (l *line) place(number int) int {
	number -= l.start
	for at, r := range l.text {
		if unicode.IsSpace(r) {
			continue
		}
		if number <= 0 {
			return at
		}
		number--
	}
	return len(l.text)
}

// visible returns the number of characters of a text that are not blank.
func visible(text string) int {
	n := 0
	for _, r := range text {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}
