package source

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"asldb/internal/wording"
)

// String returns "error", "warning", "hint", "danger" or "note".
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Hint:
		return "hint"
	case Danger:
		return "danger"
	case Note:
		return "note"
	case Error:
	}
	return "error"
}

// Refused reports whether Step Functions refuses a definition with the problem.
func (d Diagnostic) Refused() bool {
	return d.Severity == Error || (d.Service.Message != "" || d.Service.Refused) && !d.Service.Warning
}

// excerptWidth is the greatest number of characters of a line that Format shows.
const excerptWidth = 100

// String returns the step with its line.
func (r Reason) String() string { return r.from(r.File) }

// from returns the step with its line, and with its file where that is not the one given.
func (r Reason) from(file *File) string {
	line := strconv.Itoa(r.Span.Start.Line)
	switch {
	case r.Span.Start.Line == 0:
		return r.Text
	case r.File != nil && file != nil && r.File.Name != file.Name:
		return r.Text + " (" + r.File.Name + ":" + line + ")"
	}
	return r.Text + " (line " + line + ")"
}

// Own makes the file the one of every problem, and of every reason, that has none yet, and returns the problems. A stretch of
// an included part has the file of that.
func Own(file *File, problems []Diagnostic) []Diagnostic {
	for i := range problems {
		d := &problems[i]
		own(&d.File, d.Span, file)
		for j := range d.Reasons {
			own(&d.Reasons[j].File, d.Reasons[j].Span, file)
		}
		Own(file, d.Implied)
	}
	return problems
}

func own(held **File, at Span, file *File) {
	switch {
	case *held != nil:
	case at.File != nil:
		*held = at.File
	default:
		*held = file
	}
}

// WithImplied returns every problem, each followed by those that it implies.
func WithImplied(problems []Diagnostic) iter.Seq[*Diagnostic] {
	return func(yield func(*Diagnostic) bool) {
		for i := range problems {
			if !yield(&problems[i]) {
				return
			}
			for d := range WithImplied(problems[i].Implied) {
				if !yield(d) {
					return
				}
			}
		}
	}
}

// Sort puts problems into the order of their places: of one file after the other, in the order of the names.
func Sort(problems []Diagnostic) {
	slices.SortStableFunc(problems, func(x, y Diagnostic) int {
		return cmp.Or(cmp.Compare(x.fileName(), y.fileName()), cmp.Compare(x.Span.Start.Offset, y.Span.Start.Offset))
	})
}

func (d *Diagnostic) fileName() string {
	if d.File == nil {
		return ""
	}
	return d.File.Name
}

// Format returns the problem as several lines of text, without a newline at the end: place, severity, message and
// kind, then the line of the text with carets below the error, then the reasons and the suggestion where there are
// any.
// Of a long line only the stretch around the place is shown.
func (d Diagnostic) Format() string { return d.FormatWithin(0) }

const (
	// Hang is by how many cells the further lines of a message are indented.
	Hang  = 4
	least = 30 // the least width at which lines are broken
)

// FormatWithin is Format with lines of at most width cells, as a terminal has: texts are broken between words, and the excerpt is
// shorter. 0 means no bound.
func (d Diagnostic) FormatWithin(width int) string {
	if width > 0 {
		width = max(width, least)
	}
	text := wording.Hanging(
		fmt.Sprintf("%s: %s: %s [%s]", wording.Line(d.Where()), d.Severity, OneLine(d.Message), OneLine(d.Rule)),
		width,
		Hang,
	)
	if below := d.Excerpt(width); below != "" {
		text += "\n" + below
	}
	return text
}

// Told returns the message with the suggestion, where there is one.
func (d *Diagnostic) Told() string {
	if d.Suggestion == "" {
		return d.Message
	}
	return d.Message + "; " + d.Suggestion
}

// Where is the place of the problem: "order.asl.json:3:5".
func (d Diagnostic) Where() string {
	name := "<text>"
	if d.File != nil {
		name = d.File.Name
	}
	if start := d.Span.Start; start.Line > 0 {
		return fmt.Sprintf("%s:%d:%d", name, start.Line, start.Col)
	}
	return name
}

// Excerpt returns the lines of the problem below its message: the line of the text with carets below the error, the reasons and the
// suggestion. They have at most width cells, as far as words allow it; 0 means no bound.
func (d Diagnostic) Excerpt(width int) string {
	if width > 0 {
		width = max(width, least)
	}
	var lines []string
	src := d.File
	if src == nil {
		src = &File{Name: "<text>"}
	}
	margin := ""
	if start := d.Span.Start; start.Line > 0 {
		number := strconv.Itoa(start.Line)
		margin = strings.Repeat(" ", len(number)+1)
		if !src.Private {
			line, before, marked := d.excerpt(src, excerptIn(width, margin))
			lines = append(lines, fmt.Sprintf(" %s | %s\n %s| %s%s", number, line, margin,
				strings.Repeat(" ", runewidth.StringWidth(before)),
				strings.Repeat("^", max(1, runewidth.StringWidth(marked)))))
		}
	}
	for _, reason := range d.Reasons {
		lines = append(lines,
			wording.Hanging(fmt.Sprintf(" %s= %s", margin, OneLine(reason.from(src))), width, len("= ")))
	}
	if d.Suggestion != "" {
		lines = append(lines, wording.Hanging(fmt.Sprintf(" %s= %s", margin, OneLine(d.Suggestion)), width, len("= ")))
	}
	return strings.Join(lines, "\n")
}

// excerptIn is the number of characters of a line that lines of width cells show, beside the margin, the bar and the signs for what is left
// out; with a width of 0 there is no bound but excerptWidth.
func excerptIn(width int, margin string) int {
	if width == 0 {
		return excerptWidth
	}
	return min(excerptWidth, max(width-len(margin)-len(" | ")-2, least/2))
}

// excerpt returns the part of the line to show, most characters of it, the text in it before the place, and the text to mark.
func (d Diagnostic) excerpt(src *File, most int) (line, before, marked string) {
	data := bytes.TrimPrefix(src.Data, byteOrderMark)
	base := len(src.Data) - len(data)
	at := min(max(d.Span.Start.Offset-base, 0), len(data))
	from := bytes.LastIndexByte(data[:at], '\n') + 1
	to := len(data)
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		to = at + i
	}
	end := min(max(d.Span.End.Offset-base, at), to)

	head, mark, tail := runes(data[from:at]), runes(data[at:end]), runes(bytes.TrimRight(data[end:to], "\r"))
	margin := most / 3
	prefix, suffix := "", ""
	if len(head)+len(mark)+len(tail) > most {
		if len(head) > margin {
			head, prefix = head[len(head)-margin:], "…"
		}
		if len(mark) > most-len(head) {
			mark, tail, suffix = mark[:most-len(head)], nil, "…"
		} else if room := most - len(head) - len(mark); len(tail) > room {
			tail, suffix = tail[:room], "…"
		}
	}
	before, marked = prefix+string(head), string(mark)
	return before + marked + string(tail) + suffix, before, marked
}

// runes returns the characters that text is shown as.
func runes(text []byte) []rune { return []rune(OneLine(string(text))) }

// OneLine returns a text as one line. A tab is a blank.
func OneLine(text string) string { return wording.Line(strings.ReplaceAll(text, "\t", " ")) }
