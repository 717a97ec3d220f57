// This part of the package writes figures over many recorded executions: as text, Markdown, JSON, CSV and TSV.

package figures

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/internal/wording"
)

// Options say how figures are written.
type ReportOptions struct {
	// Width is that of the text in columns, from 40 to 120; 0: 80.
	Width int
	// ASCII: the bars of the text have no characters beyond ASCII.
	ASCII bool
	// Memory is the memory of Express executions that the user gave, in MB; 0: it was estimated.
	Memory int64
	// Prices gives the units prices; nil: they have none.
	Prices *Prices
}

// maxListed bounds how many files, payloads and executions a text names one by one. The JSON has all.
const maxListed = 5

// maxErrors bounds the Error Names of an execution or a state that a text has. The others are counted together; the JSON has all.
const maxErrors = 10

func duration(ns int64) string { return wording.Duration(time.Duration(ns)) }

func number(n int64) string { return wording.Grouped(int(n)) }

func bytes(n int64) string { return wording.Size(int(n)) }

// some is a number, and "-" for none.
func some(n int64) string {
	if n == 0 {
		return "-"
	}
	return number(n)
}

// placeOf returns the place of a state in its definition: "order.asl.json:27"; empty where it has none.
func placeOf(state *asl.State) string {
	if state == nil {
		return ""
	}
	at := state.Place("")
	if at.Source == nil || at.Span.Start.Line == 0 {
		return ""
	}
	return filepath.Base(at.Source.Name) + ":" + strconv.Itoa(at.Span.Start.Line)
}

// name is the name of a state machine in a title.
func name(m *Machine) string {
	if m.Name == "" {
		return "state machine without a name"
	}
	return wording.Line(m.Name)
}

// bars are the characters of a bar, the lowest first.
func (o *ReportOptions) bars() []rune {
	if o.ASCII {
		return []rune(".:-=+*#@")
	}
	return []rune("▁▂▃▄▅▆▇█")
}

// bar draws a distribution in n columns.
func (o *ReportOptions) bar(d *Distribution, n int) string {
	classes := d.Histogram(n)
	if len(classes) < 2 {
		return "" // there is one value
	}
	most := int64(0)
	for _, c := range classes {
		most = max(most, c)
	}
	marks := o.bars()
	var out strings.Builder
	for _, c := range classes {
		switch {
		case c == 0 && o.ASCII:
			out.WriteByte('_')
		case c == 0:
			out.WriteByte(' ')
		default:
			out.WriteRune(marks[int((c*int64(len(marks))-1)/most)])
		}
	}
	return strings.TrimRight(out.String(), " ")
}

// percentiles of times in tables.
var percentiles = []float64{50, 90, 99}

// times are the cells of a distribution of times: its percentiles and its greatest value.
func times(d *Distribution, of ...float64) []string {
	cells := make([]string, 0, len(of)+1)
	for _, p := range of {
		if d.Count == 0 {
			cells = append(cells, "-")
			continue
		}
		cells = append(cells, duration(d.Percentile(p)))
	}
	if d.Count == 0 {
		return append(cells, "-")
	}
	return append(cells, duration(d.Max))
}

// writer makes the tables of a state machine.
type writer struct {
	*ReportOptions
	machine *Machine
	// definition: there is one. nested: states inside of others are indented.
	definition, nested bool
}

func (w *writer) tables() []*table {
	list := []*table{w.states(), w.tasks(), w.failures()}
	return append(list, w.payloads()...)
}

const barWidth = 10

// inner finds the containers of a state in its path.
var innerReports = regexp.MustCompile(`[^/]+/(Branches|Iterations)(\[[^\]]*\])/`)

// path writes the path of a state. In a text it has the number of its branch instead of its containers, "  [0] Charge", below which it
// stands.
func (w *writer) path(path string) string {
	if !w.nested {
		return wording.Line(path)
	}
	depth, last, name := 0, "", path
	for {
		at := innerReports.FindStringSubmatchIndex(name)
		if at == nil || at[0] != 0 {
			break
		}
		depth, last, name = depth+1, name[at[4]:at[5]]+" ", name[at[1]:]
	}
	return strings.Repeat("  ", depth) + last + wording.Line(name)
}

func (w *writer) states() *table {
	t := &table{title: "states", columns: []column{
		{"state", true, 0}, {"visits", false, 0}, {"p50", false, 0}, {"p90", false, 4}, {"p99", false, 0}, {"max", false, 3}, {"min", false, 6},
		{"retries", false, 0}, {"errors", false, 0}, {"not left", false, 5}, {"histogram", true, 1},
	}}
	if w.definition {
		t.columns = append(t.columns, column{"place", true, 2})
	}
	for _, s := range w.machine.States() {
		cells := append([]string{w.path(s.Path), number(s.Visits)}, times(&s.Time, percentiles...)...)
		least := "-"
		if s.Time.Count > 0 {
			least = duration(s.Time.Min)
		}
		cells = append(cells, least, some(s.Retries), some(s.Failures()), some(s.NotLeft), w.histogram(&s.Time))
		if w.definition {
			cells = append(cells, wording.Line(placeOf(s.Of)))
		}
		t.add(cells...)
	}
	return t
}

// histogram draws a distribution. In Markdown, where blanks go together, classes without values have a point.
func (w *writer) histogram(d *Distribution) string {
	bar := w.bar(d, barWidth)
	if !w.nested {
		bar = strings.ReplaceAll(bar, " ", "·")
	}
	return bar
}

func (w *writer) tasks() *table {
	t := &table{title: "attempts of tasks", columns: []column{
		{"state", true, 0}, {"attempts", false, 0}, {"wait p50", false, 0}, {"p99", false, 1}, {"work p50", false, 0}, {"p99", false, 1},
		{"callback p50", false, 2}, {"p99", false, 4}, {"backoff p50", false, 3},
	}}
	for _, s := range w.machine.States() {
		if s.Attempts == 0 {
			continue
		}
		cells := []string{wording.Line(s.Path), number(s.Attempts)}
		for _, d := range []*Distribution{&s.Wait, &s.Work, &s.Callback} {
			cells = append(cells, times(d, 50, 99)[:2]...)
		}
		t.add(append(cells, times(&s.Backoff, 50)[0])...)
	}
	return t
}

func (w *writer) failures() *table {
	t := &table{title: "errors of states", columns: []column{
		{"state", true, 0}, {"error", true, 0}, {"count", false, 0}, {"retried", false, 0}, {"caught", false, 0}, {"not handled", false, 0},
	}}
	for _, s := range w.machine.States() {
		list := s.Errors()
		named := list[:min(len(list), maxErrors)]
		for _, e := range named {
			t.add(wording.Line(s.Path), wording.Line(e.Name), number(e.Count), some(e.Retried), some(e.Caught), some(e.Passed))
		}
		if others := list[len(named):]; len(others) > 0 {
			var sum Failure
			for _, e := range others {
				sum.Count, sum.Retried, sum.Caught, sum.Passed = sum.Count+e.Count, sum.Retried+e.Retried, sum.Caught+e.Caught, sum.Passed+e.Passed
			}
			t.add(wording.Line(s.Path), "("+wording.Count(int64(len(others)), "other")+")", number(sum.Count), some(sum.Retried), some(sum.Caught), some(sum.Passed))
		}
	}
	return t
}

// maxLargest bounds the states whose largest payload is named. The JSON has all.
const maxLargest = 10

// payloads are the largest payloads of states, and those near the quota.
func (w *writer) payloads() []*table {
	columns := []column{{"state", true, 0}, {"data", true, 0}, {"size", false, 0}, {"of the quota", false, 0}, {"in", true, 1}}
	largest := &table{title: "largest payloads (the quota is " + bytes(PayloadQuota()) + ")", columns: columns}
	var list []Payload
	for _, s := range w.machine.States() {
		if of := s.Payloads(); len(of) > 0 {
			list = append(list, of[0])
		}
	}
	slices.SortStableFunc(list, func(a, b Payload) int { return cmp.Compare(b.Size, a.Size) })
	for _, p := range list[:min(len(list), maxLargest)] {
		largest.add(payloadCells(p)...)
	}
	near := &table{title: "payloads over 80 % of the quota: " + number(w.machine.NearPayloadsCount), columns: columns}
	for _, p := range w.machine.NearPayloads[:min(len(w.machine.NearPayloads), maxListed)] {
		near.add(payloadCells(p)...)
	}
	return []*table{largest, near}
}

func payloadCells(p Payload) []string {
	state := "the execution"
	if p.State != "" {
		state = wording.Line(p.State)
	}
	return []string{state, wording.Line(p.Field), bytes(p.Size), share(p.Size, PayloadQuota()), where(p.Where)}
}

func share(n, quota int64) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(quota)) }

func where(w Where) string {
	text := wording.Line(w.File)
	if w.Event > 0 {
		text += ", event " + strconv.FormatInt(w.Event, 10)
	}
	return text
}

// Text writes figures for people.
func Text(w io.Writer, f *Figures, o ReportOptions) error {
	width := o.Width
	if width == 0 {
		width = defaultWidth
	}
	width = min(max(width, minWidth), maxWidth)
	var out strings.Builder
	for i, m := range f.Machines {
		if i > 0 {
			out.WriteString("\n")
		}
		for n, line := range o.summary(m) {
			indent := "  "
			if n == 0 {
				indent = ""
			}
			wrapped(&out, indent, line, width)
		}
		if line := o.bar(&m.Time, 24); line != "" {
			fmt.Fprintf(&out, "  %s\n", line)
		}
		for _, t := range (&writer{&o, m, f.Definition != "", true}).tables() {
			t.text(&out, width)
		}
	}
	if lines := notes(f); len(lines) > 0 {
		out.WriteString("\n")
		for _, line := range lines {
			wrapped(&out, "", line, width)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// Markdown writes figures for pages of code hosts.
func Markdown(w io.Writer, f *Figures, o ReportOptions) error {
	var out strings.Builder
	for i, m := range f.Machines {
		if i > 0 {
			out.WriteString("\n")
		}
		for n, line := range o.summary(m) {
			if n == 0 {
				out.WriteString("### " + wording.Markdown(line) + "\n\n")
				continue
			}
			out.WriteString("- " + wording.Markdown(line) + "\n")
		}
		for _, t := range (&writer{&o, m, f.Definition != "", false}).tables() {
			t.markdown(&out)
		}
	}
	if lines := notes(f); len(lines) > 0 {
		out.WriteString("\n")
		for _, line := range lines {
			out.WriteString("- " + wording.Markdown(line) + "\n")
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}
