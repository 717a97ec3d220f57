package figures

import (
	"cmp"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// ReportOptions say how figures are reported.
type ReportOptions struct {
	// Memory is the memory of Express executions that the user gave, in MB; 0: it was estimated.
	Memory int64
	// Prices gives the units prices; nil: they have none.
	Prices *Prices
}

// Answer is the report of figures.
func Answer(f *Figures, o ReportOptions) *report.Answer {
	return &report.Answer{
		Name: "asldb history stats",
		Doc:  func(l report.Look) *report.Doc { return doc(f, o, l) },
		Data: func() any { return data(f, o) },
		Rows: func() ([]string, iter.Seq[[]string]) { return rows(f) },
	}
}

// defaultWidth is the width of a text where there is no terminal, and maxWidth its greatest one.
const (
	minWidth     = 40
	maxWidth     = 120
	defaultWidth = 80
)

// TextWidth is the width of the text on a terminal of a width in columns; 0: there is none.
func TextWidth(terminal int) int { return min(max(cmp.Or(terminal, defaultWidth), minWidth), maxWidth) }

// doc has the summary and the tables of each state machine, and the notes.
func doc(f *Figures, o ReportOptions, l report.Look) *report.Doc {
	d := &report.Doc{}
	for _, m := range f.Machines {
		for n, line := range o.summary(m) {
			if n == 0 {
				d.Add(report.Heading{Level: 1, Text: report.T(line)})
				continue
			}
			d.Add(report.Para{Level: 1, Text: report.T(line)})
		}
		if classes := m.Time.Histogram(24); len(classes) > 1 {
			d.Add(report.Meter{Level: 1, Classes: classes})
		}
		w := &tables{machine: m, definition: f.Definition != "", look: l}
		for _, t := range w.all() {
			if len(t.Rows) > 0 {
				d.Add(report.Heading{Level: 2, Text: report.T(t.title)}, &t.Table)
			}
		}
	}
	d.Add(report.Gap{})
	for _, line := range notes(f) {
		d.Add(report.Para{Text: report.T(line)})
	}
	return d
}

// maxListed bounds how many files, payloads and executions a text names one by one. The JSON has all.
const maxListed = 5

// maxErrors bounds the Error Names of an execution or a state that a text has. The others are counted together; the JSON has all.
const maxErrors = 10

func duration(ns int64) string { return wording.Duration(time.Duration(ns)) }

func grouped(n int64) string { return wording.Grouped(int(n)) }

func bytes(n int64) string { return wording.Size(int(n)) }

// some is a number, and "-" for none.
func some(n int64) string {
	if n == 0 {
		return "-"
	}
	return grouped(n)
}

// statePlace returns the place of a state in its definition: "order.asl.json:27"; empty where it has none.
func statePlace(state *asl.State) string {
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
	return m.Name
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

// table is a table with a title.
type table struct {
	title string
	report.Table
}

func newTable(title string, columns ...report.Column) *table {
	return &table{title, report.Table{Level: 1, Columns: columns}}
}

// left and right are columns of words and of numbers. A narrow text leaves out those that have something to spare, the highest first.
func left(name string, spare int) report.Column { return report.Column{Name: name, Spare: spare} }
func right(name string, spare int) report.Column {
	return report.Column{Name: name, Right: true, Spare: spare}
}

func (t *table) add(cells ...string) { t.Rows = append(t.Rows, report.Cells(cells...)) }

// tables makes the tables of a state machine.
type tables struct {
	machine    *Machine
	definition bool // there is one
	look       report.Look
}

func (w *tables) all() []*table {
	list := []*table{w.states(), w.tasks(), w.failures()}
	return append(list, w.payloads()...)
}

const barWidth = 10

// innerPath finds the containers of a state in its path.
var innerPath = wording.Pattern(`[^/]+/(Branches|Iterations)(\[[^\]]*\])/`)

// path writes the path of a state. In a text it has the number of its branch instead of its containers, "  [0] Charge", below which it
// is.
func (w *tables) path(path string) string {
	if w.look.Page {
		return path
	}
	depth, last, name := 0, "", path
	for {
		at := innerPath().FindStringSubmatchIndex(name)
		if at == nil || at[0] != 0 {
			break
		}
		depth, last, name = depth+1, name[at[4]:at[5]]+" ", name[at[1]:]
	}
	return strings.Repeat("  ", depth) + last + name
}

func (w *tables) states() *table {
	t := newTable("states",
		left("state", 0), right("visits", 0), right("p50", 0), right("p90", 4), right("p99", 0), right("max", 3), right("min", 6),
		right("retries", 0), right("errors", 0), right("not left", 5), left("histogram", 1),
	)
	if w.definition {
		t.Columns = append(t.Columns, left("place", 2))
	}
	for _, s := range w.machine.States() {
		cells := append([]string{w.path(s.Path), grouped(s.Visits)}, times(&s.Time, percentiles...)...)
		least := "-"
		if s.Time.Count > 0 {
			least = duration(s.Time.Min)
		}
		cells = append(cells, least, some(s.Retries), some(s.Failures()), some(s.NotLeft), w.histogram(&s.Time))
		if w.definition {
			cells = append(cells, s.Of.place())
		}
		t.add(cells...)
	}
	return t
}

// histogram draws a distribution; nothing where there is one value.
func (w *tables) histogram(d *Distribution) string {
	classes := d.Histogram(barWidth)
	if len(classes) < 2 {
		return ""
	}
	return report.Bar(classes, w.look)
}

func (w *tables) tasks() *table {
	t := newTable("attempts of tasks",
		left("state", 0), right("attempts", 0), right("wait p50", 0), right("p99", 1), right("work p50", 0), right("p99", 1),
		right("callback p50", 2), right("p99", 4), right("backoff p50", 3),
	)
	for _, s := range w.machine.States() {
		if s.Attempts == 0 {
			continue
		}
		cells := []string{s.Path, grouped(s.Attempts)}
		for _, d := range []*Distribution{&s.Wait, &s.Work, &s.Callback} {
			cells = append(cells, times(d, 50, 99)[:2]...)
		}
		t.add(append(cells, times(&s.Backoff, 50)[0])...)
	}
	return t
}

func (w *tables) failures() *table {
	t := newTable("errors of states",
		left("state", 0), left("error", 0), right("count", 0), right("retried", 0), right("caught", 0), right("not handled", 0),
	)
	for _, s := range w.machine.States() {
		list := s.Errors()
		named := list[:min(len(list), maxErrors)]
		for _, e := range named {
			t.add(s.Path, e.Name, grouped(e.Count), some(e.Retried), some(e.Caught), some(e.Passed))
		}
		if others := list[len(named):]; len(others) > 0 {
			var sum Failure
			for _, e := range others {
				sum.Count, sum.Retried, sum.Caught, sum.Passed = sum.Count+e.Count, sum.Retried+e.Retried, sum.Caught+e.Caught, sum.Passed+e.Passed
			}
			t.add(s.Path, "("+wording.Count(int64(len(others)), "other")+")", grouped(sum.Count), some(sum.Retried), some(sum.Caught), some(sum.Passed))
		}
	}
	return t
}

// maxLargest bounds the states whose largest payload is named. The JSON has all.
const maxLargest = 10

// payloads are the largest payloads of states, and those near the quota.
func (w *tables) payloads() []*table {
	columns := []report.Column{left("state", 0), left("data", 0), right("size", 0), right("of the quota", 0), left("in", 1)}
	largest := newTable("largest payloads (the quota is "+bytes(PayloadQuota())+")", columns...)
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
	near := newTable("payloads over 80 % of the quota: "+grouped(w.machine.NearPayloadsCount), columns...)
	for _, p := range w.machine.NearPayloads[:min(len(w.machine.NearPayloads), maxListed)] {
		near.add(payloadCells(p)...)
	}
	return []*table{largest, near}
}

func payloadCells(p Payload) []string {
	state := "the execution"
	if p.State != "" {
		state = p.State
	}
	return []string{state, p.Field, bytes(p.Size), share(p.Size, PayloadQuota()), where(p.Where)}
}

func share(n, quota int64) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(quota)) }

func where(w Where) string {
	text := w.File
	if w.Event > 0 {
		text += ", event " + strconv.FormatInt(w.Event, 10)
	}
	return text
}
