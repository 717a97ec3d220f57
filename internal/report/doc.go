// Package report has the forms of reports. A command makes a [Doc] of raw text, a list of [Finding], or data; the
// writers of this package give them their forms, and each escapes once, at its edge. [Forms] is the one table of the
// forms.
package report

import (
	"cmp"
	"slices"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// Doc is a report for people: a title and blocks below it. Its texts are raw.
type Doc struct {
	// Title is the heading of a page and the first line of a text; empty: there is none.
	Title  Text
	Blocks []Block
}

// Add adds blocks to the document.
func (d *Doc) Add(blocks ...Block) { d.Blocks = append(d.Blocks, blocks...) }

// Block is one of [Heading], [Para], [Code], [Table], [Meter], [Figure], [Details], [Listing] and [Gap].
type Block interface{ block() }

// Heading is the heading of a part. Level 1 is the highest below the title.
type Heading struct {
	Level int
	Text  Text
}

// Para is a paragraph, or an entry of a list: one with a label or a level above 0 is an entry.
type Para struct {
	// Label names an entry: it is in a separate column in a text.
	Label Text
	// Level is the depth of an entry: it belongs to the nearest one before it that has a smaller level.
	Level int
	Text  Text
	// Column is the cell of a line at which the text begins behind the label, if both have space there; 0: behind the
	// label.
	Column int
	// Hang is by how many cells the further lines of a broken paragraph are indented more than the first. Where it is
	// set, a word that is too long for a line, such as the name of a file, stays whole, so that it can be copied.
	Hang int
	// Whole leaves the line as it is, however narrow the terminal is: a command is copied as one line.
	Whole bool
}

// Differences is the language of values that differ.
const Differences = "differences"

// Code is a text in lines that are not broken. The lines of "diff" have tones, and so have the lines of "excerpt", whose
// gutter ends with a bar or an equals sign, and of [Differences]: there a wanted value, behind a minus, is good.
type Code struct {
	Language, Text string
	// Lines are the text in its place, where each is one line whatever it has in it.
	Lines []string
	// Level is the depth of the entry that the code belongs to, plus one; 0: it belongs to none.
	Level int
}

// visible is the text with its hidden characters visible.
func (c *Code) visible() string {
	if c.Lines != nil {
		return visibleLines(c.Lines)
	}
	return wording.Text(c.Text)
}

// toned are the lines of the code in their tones.
func (c *Code) toned() []Text {
	lines := strings.Split(strings.TrimSuffix(c.visible(), "\n"), "\n")
	return value.Each(lines, func(line string) Text { return tonedLine(c.Language, line) })
}

// tonedLine returns a line of code in the tones of its language.
func tonedLine(language, line string) Text {
	switch language {
	case "diff":
		switch {
		case strings.HasPrefix(line, "+"):
			return Text{In(Good, line)}
		case strings.HasPrefix(line, "-"):
			return Text{In(Bad, line)}
		}
	case Differences:
		switch trimmed := strings.TrimLeft(line, " "); {
		case strings.HasPrefix(trimmed, "+ "):
			return Text{In(Bad, line)}
		case strings.Contains(line, "- "):
			return Text{In(Good, line)}
		}
	case "excerpt":
		at := strings.IndexAny(line, "|=")
		if at < 0 {
			break
		}
		text := In(0, line[at+1:])
		if strings.Trim(text.Text, " ^") == "" {
			text.Tone = Bad
		}
		return Text{In(Gutter, line[:at+1]), text}
	}
	return T(line)
}

// visibleLines joins lines, each on one line with its hidden characters visible.
func visibleLines(lines []string) string {
	return strings.Join(value.Each(lines, wording.Line), "\n")
}

// Table has named columns.
type Table struct {
	// Level is the depth by which the table is indented in a text.
	Level   int
	Columns []Column
	Rows    [][]Text
}

// Column is a column of a table.
type Column struct {
	Name string
	// Right puts the cells to the right.
	Right bool
	// Spare is above 0 of a column that a narrow text leaves out, the highest first.
	Spare int
	// Wrap breaks the cells where the table is too wide.
	Wrap bool
}

// Add adds a row; cells behind the given ones are empty.
func (t *Table) Add(cells ...Text) {
	row := make([]Text, len(t.Columns))
	copy(row, cells)
	t.Rows = append(t.Rows, row)
}

// Meter is a small histogram: the number of things in each class.
type Meter struct {
	Level   int
	Classes []int64
}

// Figure is a graph: in the language of Mermaid in Markdown, drawn in HTML, and nothing in a text.
type Figure struct {
	// About names the graph.
	About string
	// Draw draws it, or says why it cannot.
	Draw func() (Drawing, error)
}

// Drawing is a graph in the forms that pages have.
type Drawing struct {
	Mermaid string
	// Lines are the graph in characters of one width; nil: HTML has Mermaid's text.
	Lines func() []Text
}

// Details are blocks that are folded up where the form can.
type Details struct {
	Summary Text
	Blocks  []Block
	// Open details are not folded up at first; in Markdown they are a heading and its part.
	Open bool
	// Case is set where they are about a case; HTML has a filter of cases. The open ones failed.
	Case bool
}

// Listing is a file in numbered lines, to which HTML links the spans that are places in it. Other forms leave it out.
type Listing struct{ File, Text string }

// Gap is a blank line in a text. Pages divide their blocks themselves.
type Gap struct{}

func (Gap) block()     {}
func (Heading) block() {}
func (Para) block()    {}
func (Code) block()    {}
func (*Table) block()  {}
func (Meter) block()   {}
func (Figure) block()  {}
func (Details) block() {}
func (Listing) block() {}

// strong returns a text whose parts without a tone are strong.
func (t Text) strong() Text {
	bold := make(Text, len(t))
	for i, span := range t {
		span.Tone = cmp.Or(span.Tone, Strong)
		bold[i] = span
	}
	return bold
}

// plain returns a text without tones.
func (t Text) plain() Text {
	words := make(Text, len(t))
	for i, span := range t {
		words[i] = Span{Text: span.Text, Role: span.Role}
	}
	return words
}

// Text is a line of text in parts.
type Text []Span

// Span is a part of a text, as raw characters.
type Span struct {
	Text string
	Role Role
	Tone Tone
	// At is the place that the span names, if any.
	At Place
	// Link is the address of a page about it, or "".
	Link string
}

// Role is the kind of text in a span.
type Role uint8

// The roles. Pages show all but words, messages and signs as code.
const (
	Words   Role = iota
	Name         // of a state, a field, a file
	Path         // a Path or Reference Path
	Source       // an expression or a command
	Value        // a JSON value
	Message      // a Cause or another text from outside that may have several lines
)

// Tone is the meaning of a span: a form makes a colour or a style of it. No meaning is in the tone alone.
type Tone uint8

// The tones. The zero Tone is the one of plain text.
const (
	Good Tone = iota + 1
	Bad
	Caution
	Quiet
	Strong
	Gutter // the margin of an excerpt
	toneCount
)

// T makes a text of strings, Spans and Texts.
func T(parts ...any) Text {
	var t Text
	for _, part := range parts {
		switch p := part.(type) {
		case string:
			if p != "" {
				t = append(t, Span{Text: p})
			}
		case Span:
			t = append(t, p)
		case Text:
			t = append(t, p...)
		default:
			panic("report: T takes strings, Spans and Texts")
		}
	}
	return t
}

// In returns words in a tone.
func In(tone Tone, text string) Span { return Span{Text: text, Tone: tone} }

// As returns a text with a role.
func As(role Role, text string) Span { return Span{Text: text, Role: role} }

// Cells makes a row of a table from strings.
func Cells(cells ...string) []Text {
	row := make([]Text, len(cells))
	for i, cell := range cells {
		row[i] = T(cell)
	}
	return row
}

// String returns the raw characters of a text.
func (t Text) String() string {
	return strings.Join(value.Each(t, func(s Span) string { return s.Text }), "")
}

// empty reports whether a text has no character.
func (t Text) empty() bool {
	return !slices.ContainsFunc(t, func(each Span) bool { return each.Text != "" })
}

// Look says how a report looks.
type Look struct {
	// Width is the terminal's width in cells; 0: lines are not broken.
	Width int
	// ASCII: signs are ASCII characters. Colour: tones have the codes of a terminal.
	ASCII, Colour bool
	// Links: the terminal shows the links of spans.
	Links bool
	// Page: the report is a page, in Markdown or HTML, and no text on a terminal.
	Page bool
	// Home names a file from the root of the repository, for code hosts; nil: names stay as they are.
	Home func(file string) string
	// Version is the program's.
	Version string
}

// Dot divides the parts of a line.
func (l Look) Dot() string { return " " + l.Pick("·", "-") + " " }

// Pick returns a sign, or the one for ASCII.
func (l Look) Pick(sign, ascii string) string {
	if l.ASCII {
		return ascii
	}
	return sign
}
