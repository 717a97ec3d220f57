package source

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"asldb/internal/visible"

	"github.com/mattn/go-runewidth"
)

// String returns "error", "warning" or "hint".
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Hint:
		return "hint"
	case Error:
	}
	return "error"
}

// excerptWidth is the greatest number of characters of a line that Format shows.
const excerptWidth = 100

// String returns the step with its line.
func (r Reason) String() string {
	if r.Span.Start.Line > 0 {
		return r.Text + " (line " + strconv.Itoa(r.Span.Start.Line) + ")"
	}
	return r.Text
}

// Format returns the problem as several lines of text, without a newline at the end: place, severity, message and
// kind, then the line of the text with carets below the error, then the reasons and the suggestion where there are
// any.
// Of a long line only the stretch around the place is shown.
func (d Diagnostic) Format(src *File) string {
	var out strings.Builder
	start := d.Span.Start
	if start.Line > 0 {
		fmt.Fprintf(&out, "%s:%d:%d: ", visible.Line(src.Name), start.Line, start.Col)
	} else {
		fmt.Fprintf(&out, "%s: ", visible.Line(src.Name))
	}
	fmt.Fprintf(&out, "%s: %s [%s]", d.Severity, shown(d.Message), d.Rule)
	margin := ""
	if start.Line > 0 {
		number := strconv.Itoa(start.Line)
		margin = strings.Repeat(" ", len(number)+1)
		line, before, marked := d.excerpt(src)
		fmt.Fprintf(&out, "\n %s | %s\n %s| %s%s", number, line, margin,
			strings.Repeat(" ", runewidth.StringWidth(before)), strings.Repeat("^", max(1, runewidth.StringWidth(marked))))
	}
	for _, reason := range d.Reasons {
		fmt.Fprintf(&out, "\n %s= %s", margin, shown(reason.String()))
	}
	if d.Suggestion != "" {
		fmt.Fprintf(&out, "\n %s= %s", margin, shown(d.Suggestion))
	}
	return out.String()
}

// excerpt returns the part of the line to show, the text in it before the place, and the text to mark.
func (d Diagnostic) excerpt(src *File) (line, before, marked string) {
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
	const margin = excerptWidth / 3
	prefix, suffix := "", ""
	if len(head)+len(mark)+len(tail) > excerptWidth {
		if len(head) > margin {
			head, prefix = head[len(head)-margin:], "…"
		}
		if len(mark) > excerptWidth-len(head) {
			mark, tail, suffix = mark[:excerptWidth-len(head)], nil, "…"
		} else if room := excerptWidth - len(head) - len(mark); len(tail) > room {
			tail, suffix = tail[:room], "…"
		}
	}
	before, marked = prefix+string(head), string(mark)
	return before + marked + string(tail) + suffix, before, marked
}

// runes returns the characters that text is shown as.
func runes(text []byte) []rune { return []rune(shown(string(text))) }

// shown returns a text as one line. A tab is a blank.
func shown(text string) string { return visible.Line(strings.ReplaceAll(text, "\t", " ")) }
