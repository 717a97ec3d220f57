package report

import (
	"io"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// leastLabel is the least width of the column of labels in a text, with the blank behind them.
const leastLabel = 10

// leastWidth is the least width at which lines are broken.
const leastWidth = 20

// Text writes the document for a terminal, or a file that is read as one.
func (d *Doc) Text(w io.Writer, l Look) error {
	t := &textWriter{look: l, paint: l.painter()}
	if !d.Title.empty() {
		t.paragraph("", "", Para{Text: d.Title.strong()})
		t.last = plain
	}
	t.blocks(d.Blocks)
	_, err := io.WriteString(w, t.out.String())
	return err
}

func (t *textWriter) blocks(list []Block) {
	for i, b := range list {
		t.margin = marginAt(list, i, t.margin)
		t.write(b)
	}
}

// kind is the kind of a block, as far as the blank lines around it depend on it.
type kind uint8

const (
	nothing kind = iota
	heading
	plain
	entry
	figure
)

type textWriter struct {
	out    strings.Builder
	look   Look
	paint  Painter
	margin int // of the labels of the entries that are being written
	last   kind
}

// kindOf returns the kind of a block.
func kindOf(b Block) kind {
	switch b := b.(type) {
	case Heading:
		return heading
	case Para:
		if b.Level > 0 || len(b.Label) > 0 {
			return entry
		}
		return plain
	case Code:
		if b.Level > 0 {
			return entry
		}
		return plain
	case Meter:
		if b.Level > 0 {
			return entry
		}
		return figure
	case Gap:
		return nothing
	case *Table, Figure, Details, Listing:
	}
	return figure
}

// marginAt returns the width of the labels of the entries around block i; before is the width at the block before
// it.
func marginAt(list []Block, i, before int) int {
	if kindOf(list[i]) != entry {
		return 0
	}
	if i > 0 && kindOf(list[i-1]) == entry {
		return before
	}
	margin := 0
	for _, b := range list[i:] {
		if kindOf(b) != entry {
			break
		}
		if p, ok := b.(Para); ok && p.Level == 0 {
			margin = max(margin, leastLabel, runewidth.StringWidth(p.Label.line())+1)
		}
	}
	return margin
}

// line returns a text as one line without colours.
func (t Text) line() string {
	var b strings.Builder
	for i := range t {
		b.WriteString(wording.Line(t[i].Text))
	}
	return b.String()
}

func (t *textWriter) write(b Block) {
	switch b := b.(type) {
	case Figure, Listing:
		return
	case Details:
		if len(b.Blocks) > 0 || b.Case {
			t.write(Heading{Text: b.Summary})
			t.blocks(b.Blocks)
		}
		return
	}
	now := kindOf(b)
	if _, gap := b.(Gap); gap && t.out.Len() > 0 || t.apart(now) {
		t.out.WriteByte('\n')
	}
	t.last = now
	switch b := b.(type) {
	case Heading:
		t.paragraph("", "", Para{Text: b.Text.strong()})
	case Para:
		t.entry(b)
	case Code:
		t.code(b)
	case *Table:
		t.table(b)
	case Meter:
		t.out.WriteString(strings.TrimRight(t.indent(b.Level)+bar(b.Classes, t.look.ASCII), " ") + "\n")
	}
}

// apart reports whether there is a blank line before a block.
func (t *textWriter) apart(now kind) bool {
	if t.out.Len() == 0 || t.last == heading || t.last == nothing || now == nothing {
		return false
	}
	return now == heading || now == figure || t.last == figure && now != plain
}

// indent returns the blanks before an entry of a level.
func (t *textWriter) indent(level int) string {
	switch {
	case level <= 0:
		return ""
	case t.margin > 0:
		level--
	}
	return strings.Repeat(" ", t.margin+2*level)
}

func (t *textWriter) entry(p Para) {
	if len(p.Label) == 0 {
		indent := t.indent(p.Level)
		t.paragraph(indent, indent, p)
		return
	}
	first, rest := t.indent(p.Level)+t.painted(p.Label), t.indent(p.Level)
	width := runewidth.StringWidth(p.Label.line())
	switch {
	case p.Level == 0:
		first += strings.Repeat(" ", max(1, t.margin-width))
		rest = strings.Repeat(" ", t.margin)
	case p.Column > 0:
		column := p.Column
		if t.look.Width > 0 {
			column = min(column, t.look.Width-runewidth.StringWidth(p.Text.line()))
		}
		first += strings.Repeat(" ", max(2, column-len(rest)-width))
	default:
		first += " "
	}
	t.paragraph(first, rest, p)
}

// painted returns a text as one line in its tones.
func (t *textWriter) painted(text Text) string {
	return t.inTones(value.Each(text, func(s Span) Span { return In(s.Tone, wording.Line(s.Text)) }))
}

// inTones returns a text whose hidden characters are visible in its tones.
func (t *textWriter) inTones(text Text) string {
	var b strings.Builder
	for i := range text {
		b.WriteString(t.paint(text[i].Tone, text[i].Text))
	}
	return b.String()
}

// paragraph writes a text in lines: the first behind first, the others behind rest.
func (t *textWriter) paragraph(first, rest string, p Para) {
	width := 0
	if t.look.Width > 0 && !p.Whole {
		width = max(leastWidth, t.look.Width-len(rest))
	}
	before := first
	text := tonedTextOf(p.Text)
	if !t.look.Links {
		text.links = nil
	}
	for n, line := range text.broken(width, p.Hang) {
		if n > 0 {
			before = rest + strings.Repeat(" ", p.Hang)
		}
		t.out.WriteString(strings.TrimRight(before+line.painted(t.paint), " ") + "\n")
	}
}

func (t *textWriter) code(c Code) {
	indent := t.indent(c.Level)
	for _, line := range c.toned() {
		t.out.WriteString(strings.TrimRight(indent+t.inTones(line), " ") + "\n")
	}
}

// tonedText is a text as it is shown: characters with the tone of each byte.
type tonedText struct {
	text  string
	tones []Tone
	links []string // of each byte; nil: there are none
}

// tonedTextOf returns a text as it is shown. Only a message may have several lines.
func tonedTextOf(text Text) tonedText {
	var s tonedText
	for i := range text {
		part := wording.Line(text[i].Text)
		if text[i].Role == Message {
			part = wording.Text(text[i].Text)
		}
		s.text += part
		for range len(part) {
			s.tones = append(s.tones, text[i].Tone)
		}
		if text[i].Link != "" {
			s.links = append(s.links, make([]string, len(s.text)-len(part)-len(s.links))...)
			s.links = append(s.links, slices.Repeat([]string{wording.Line(text[i].Link)}, len(part))...)
		}
	}
	if s.links != nil {
		s.links = append(s.links, make([]string, len(s.text)-len(s.links))...)
	}
	return s
}

// cut returns a stretch of it.
func (s tonedText) cut(from, to int) tonedText {
	part := tonedText{text: s.text[from:to], tones: s.tones[from:to]}
	if s.links != nil {
		part.links = s.links[from:to]
	}
	return part
}

// link returns the link of a byte.
func (s tonedText) link(at int) string {
	if s.links == nil {
		return ""
	}
	return s.links[at]
}

// painted returns it in its tones.
func (s tonedText) painted(paint Painter) string {
	var b strings.Builder
	for from := 0; from < len(s.text); {
		to, link := from+1, s.link(from)
		for to < len(s.text) && s.tones[to] == s.tones[from] && s.link(to) == link {
			to++
		}
		part := paint(s.tones[from], s.text[from:to])
		if link != "" { // OSC 8
			part = "\x1b]8;;" + link + "\x1b\\" + part + "\x1b]8;;\x1b\\"
		}
		b.WriteString(part)
		from = to
	}
	return b.String()
}

// broken breaks it into lines of at most width cells, between words where it can; the further lines have hang cells
// less. With a width of 0 nothing is broken but at line feeds.
func (s tonedText) broken(width, hang int) []tonedText {
	var lines []tonedText
	for from := 0; ; {
		to := len(s.text)
		if feed := strings.IndexByte(s.text[from:], '\n'); feed >= 0 {
			to = from + feed
		}
		lines = s.cut(from, to).folded(lines, width, hang)
		if to == len(s.text) {
			return lines
		}
		from = to + 1
	}
}

// folded adds the lines of one line.
func (s tonedText) folded(lines []tonedText, width, hang int) []tonedText {
	for {
		room := width
		if len(lines) > 0 {
			room = max(width-hang, leastWidth)
		}
		if width == 0 || runewidth.StringWidth(s.text) <= room {
			return append(lines, s)
		}
		cut := len(runewidth.Truncate(s.text, room, ""))
		blank := strings.LastIndexByte(s.text[:min(cut+1, len(s.text))], ' ')
		if begin := len(s.text) - len(strings.TrimLeft(s.text, " ")); blank < begin {
			blank = wordEnd(s.text, cut, hang > 0)
		}
		line := strings.TrimRight(s.text[:blank], " ")
		lines = append(lines, s.cut(0, len(line)))
		rest := strings.TrimLeft(s.text[blank:], " ")
		s = s.cut(len(s.text)-len(rest), len(s.text))
	}
}

// wordEnd returns where a line ends that has no blank before cut: there, behind a sign within the word, or where it is
// whole at its end.
func wordEnd(text string, cut int, whole bool) int {
	if whole {
		if next := strings.IndexByte(text[cut:], ' '); next >= 0 {
			return cut + next
		}
		return len(text)
	}
	if at := strings.LastIndexAny(text[:cut], "/,:"); at > 0 {
		return at + 1
	}
	return cut
}

// bar draws the numbers of a histogram: each class with something in it has a mark.
func bar(classes []int64, ascii bool) string {
	most := int64(0)
	for _, c := range classes {
		most = max(most, c)
	}
	marks, none := []rune("▁▂▃▄▅▆▇█"), ' '
	if ascii {
		marks, none = []rune(".:-=+*#@"), '_'
	}
	var out strings.Builder
	for _, c := range classes {
		if c == 0 {
			out.WriteRune(none)
			continue
		}
		out.WriteRune(marks[int((c*int64(len(marks))-1)/most)])
	}
	return strings.TrimRight(out.String(), " ")
}

// Bar draws a small histogram as a cell of a table. On pages, where blanks go together, classes without anything have a
// point.
func Bar(classes []int64, l Look) string {
	drawn := bar(classes, l.ASCII)
	if l.Page {
		drawn = strings.ReplaceAll(drawn, " ", "·")
	}
	return drawn
}

// Painter returns a text in the colour of a tone.
type Painter func(tone Tone, text string) string

// None returns the text without a colour: a [Painter].
func None(_ Tone, text string) string { return text }

// codes are the codes of the terminal for the tones: of its 16 colours, whose shades the user has chosen.
var codes = [toneCount]string{Good: "32", Bad: "31", Caution: "33", Quiet: "2", Strong: "1", Gutter: "34"}

// Terminal returns the text with the codes of a terminal: a [Painter].
func Terminal(tone Tone, text string) string {
	if tone == 0 || text == "" {
		return text
	}
	return "\x1b[" + codes[tone] + "m" + text + "\x1b[0m"
}

// painter returns the colours of a look.
func (l Look) painter() Painter {
	if l.Colour {
		return Terminal
	}
	return None
}
