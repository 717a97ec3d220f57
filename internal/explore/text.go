package explore

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"asldb/internal/report"
	"asldb/internal/wording"
)

// TextOptions say how the text report looks.
type TextOptions struct {
	// Width is the greatest number of cells of a line; 0: there is no bound.
	Width int
	// ASCII draws signs with ASCII characters.
	ASCII bool
	// Paint returns a text in the colour of a tone; nil: there are no colours.
	Paint report.Painter
	// Saved is the file to which Cases were saved; empty: they were not.
	Saved string
	Cases int
}

// Text writes the report for people.
func Text(w io.Writer, r *Result, o TextOptions) error {
	if o.Paint == nil {
		o.Paint = report.None
	}
	t := &text{o: o, signs: signsOf(o.ASCII)}
	t.wrapped("", "", Head(r), 0)
	if lines := table(r, t.signs, false); len(lines) > 0 {
		t.line("")
		if widths, fits := t.widths(lines); fits {
			t.matrix(lines, widths)
		} else {
			t.stacked(lines)
		}
		t.wrapped("", o.Paint(report.Quiet, ""), t.signs.legend(), report.Quiet)
	}
	t.findings(r)
	for _, note := range r.Notes {
		t.wrapped("note: ", "", wording.Line(note), report.Quiet)
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

type text struct {
	b     strings.Builder
	o     TextOptions
	signs signs
}

func (t *text) line(format string, args ...any) {
	t.b.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// wrapped writes a text in lines of the width, the later ones below its beginning.
func (t *text) wrapped(label, shown, content string, tone report.Tone) {
	if shown == "" {
		shown = label
	}
	indent := ansi.StringWidth(label)
	lines := []string{content}
	if t.o.Width > 0 {
		lines = strings.Split(ansi.Wrap(content, max(20, t.o.Width-indent), " ,:"), "\n")
	}
	for i, l := range lines {
		if i > 0 {
			shown = strings.Repeat(" ", indent)
		}
		if tone != 0 {
			l = t.o.Paint(tone, l)
		}
		t.line("%s%s", shown, l)
	}
}

var titles = [...]string{"task", "error", "once", "always", "ends as"}

func (l *line) cells() [5]string { return [5]string{l.task, l.errors, l.once, l.always, l.ends} }

// minimum is the least width of a column that is cut.
const minimum = 14

// widths returns the widths of the columns. The matrix does not fit where a column would be too narrow.
func (t *text) widths(lines []line) (widths [5]int, fits bool) {
	for i, title := range titles {
		widths[i] = len(title)
		for k := range lines {
			widths[i] = max(widths[i], ansi.StringWidth(lines[k].cells()[i]))
		}
	}
	if t.o.Width == 0 {
		return widths, true
	}
	const gaps = 2 * (len(titles) - 1)
	for {
		sum, widest := gaps, 0
		for i, w := range widths {
			sum += w
			if w > widths[widest] {
				widest = i
			}
		}
		switch {
		case sum <= t.o.Width:
			return widths, true
		case widths[widest] <= minimum:
			return widths, false
		}
		widths[widest]--
	}
}

func (t *text) matrix(lines []line, widths [5]int) {
	t.row(titles, widths, func(_ int, text string) string { return t.o.Paint(report.Quiet, text) })
	for k := range lines {
		l := &lines[k]
		t.row(l.cells(), widths, func(i int, text string) string {
			if i == 4 && l.bad {
				return t.o.Paint(report.Bad, text)
			}
			return text
		})
		if l.bad {
			t.line("%s%s", strings.Repeat(" ", widths[0]+2), t.o.Paint(report.Bad, "! see below"))
		}
	}
}

// row writes the cells of a row; those that are too long go on below.
func (t *text) row(cells [5]string, widths [5]int, paint func(int, string) string) {
	var parts [5][]string
	height := 1
	for i, c := range cells {
		parts[i] = strings.Split(ansi.Wrap(c, widths[i], " /.,"), "\n")
		height = max(height, len(parts[i]))
	}
	for n := range height {
		var b strings.Builder
		for i := range cells {
			part := ""
			if n < len(parts[i]) {
				part = strings.TrimSpace(parts[i][n])
			}
			b.WriteString(paint(i, part))
			b.WriteString(strings.Repeat(" ", max(0, widths[i]-ansi.StringWidth(part))+2))
		}
		t.line("%s", b.String())
	}
}

// stacked writes the matrix for a narrow terminal.
func (t *text) stacked(lines []line) {
	for i := range lines {
		l := &lines[i]
		if l.task != "" {
			t.line("%s", l.task)
		}
		t.wrapped("  ", "", l.errors, 0)
		if l.once != "" {
			t.wrapped("    once    ", "", l.once, 0)
		}
		t.wrapped("    always  ", "", l.always, 0)
		ends := l.ends
		if l.bad {
			ends += "; ! see below"
		}
		t.wrapped("    ends    ", "", ends, 0)
	}
}

// maxFindings is the greatest number of findings of a class that the text lists.
const maxFindings = 12

func (t *text) findings(r *Result) {
	t.line("")
	closing := summary(r)
	if len(r.Findings) == 0 {
		closing = t.o.Paint(report.Good, "no findings")
	}
	for class := Bug; class <= Unreached; class++ {
		list := ofClass(r, class)
		for i, f := range list {
			if i == maxFindings {
				t.line("%11s %d more: --format json lists all", "", len(list)-i)
				break
			}
			t.finding(f)
		}
	}
	switch {
	case t.o.Saved != "":
		closing += fmt.Sprintf("; %s written to %s", wording.Count(t.o.Cases, "case"), wording.Line(t.o.Saved))
	case len(r.Cases()) > 0:
		closing += "; --save FILE writes their cases as a suite"
	}
	t.wrapped("", "", closing, 0)
}

func (t *text) finding(f *Finding) {
	tone, sign := report.Quiet, " "
	switch f.Class {
	case Bug, Broken:
		tone, sign = report.Bad, "!"
	case Endless, Uncaught:
		tone, sign = report.Caution, "-"
	case Data, Swallowed, Unreached:
	}
	label := fmt.Sprintf("%s %-9s ", sign, f.Class)
	content := title(f)
	if f.Place != "" {
		content += "  " + wording.Line(f.Place)
	}
	t.wrapped(label, t.o.Paint(tone, label), content, 0)
	for _, l := range details(f) {
		t.wrapped(strings.Repeat(" ", len(label)), "", l, report.Quiet)
	}
	if f.Case != nil && f.Class.Bad() {
		for l := range strings.Lines(wording.Text(f.Case.Text)) {
			t.line("%s%s", strings.Repeat(" ", len(label)), t.o.Paint(report.Quiet, strings.TrimPrefix(strings.TrimRight(l, "\n"), "  ")))
		}
	}
}
