package events

import (
	"strconv"
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/prose"
)

// This part of the package writes the views as lines for --plain: each line begins with the name of its subject.

// plainRows bounds the rows of a view that are written.
const plainRows = 200

// PlainLines returns the view on the screen in lines.
func (p *Pane) PlainLines() []string {
	p.read()
	switch p.view {
	case asList:
		return p.list.textLines()
	case asTime:
		return p.toldTime()
	case asTable:
		return p.table.textLines()
	case asRuns:
		return p.runs.textLines()
	case asCompared:
		return p.compared.textLines()
	default:
		return p.lists.PlainLines()
	}
}

// textLines returns the events that a filter shows, else the visits and events that are not folded, those around the
// selected one where there are very many.
func (l *list) textLines() (lines []string) {
	log, shown := l.screen.Log(), &l.pane.filtered
	lines = []string{wording.Count(log.Len(), "event") + "."}
	switch {
	case log.Len() == 0:
		if l.pane.Opening != nil {
			lines = append(lines, l.pane.Opening()...)
		}
	case shown.on():
		for shown.extend(l) {
		}
		lines[0] = wording.Grouped(len(shown.events)) + " of " + lines[0] + " Filter: " + shown.filter.Source
		from := max(shown.at(l.cursor)-plainRows/2, 0)
		for _, i := range shown.events[from:min(from+plainRows, len(shown.events))] {
			lines = append(lines, l.plainRow(int(i), 0, false))
		}
	default:
		at := walk(l.row(), plainRows/2, l.index.Previous)
		if at != l.index.Top() {
			lines = append(lines, "Those before event "+strconv.Itoa(at+1)+" are left out.")
		}
		for n := 0; at != runlog.None && n < plainRows; n++ {
			_, group := l.index.Get(at)
			lines = append(lines, l.plainRow(at, l.index.Depth(at), group))
			at = l.index.Next(at)
		}
		if at != runlog.None {
			lines = append(lines, "Those from event "+strconv.Itoa(at+1)+" on are left out.")
		}
	}
	return lines
}

// plainRow describes an event, or the visit, branch or iteration that begins with it.
func (l *list) plainRow(i, depth int, group bool) string {
	g, e := l.screen.Glyphs(), l.index.Log().At(i)
	parts := []string{"at " + explain.SinceStart(l.screen.Start(), e.At())}
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" {
			parts = append(parts, strings.ReplaceAll(text, "  ", ", "))
		}
	}
	name := explain.EventName(e)
	if group {
		name = explain.GroupName(e)
		of, _ := l.index.Get(i)
		add(outcomeWords[l.outcome(of)])
		length, _ := l.facts(i, g)
		add("took " + length)
		standing := l.standing(i)
		if n := standing.Attempts - 1; n > 0 {
			add(retries(n))
		}
		if standing.Counts.Begun > 0 {
			add(explain.Tally(standing.Counts))
		}
	} else if place := explain.EventPlace(e); place != "" {
		name = place + " " + name
	}
	add(l.outside(i))
	add(l.logged(i, g))
	add(l.detail(i, l.screen.Start(), g))
	if l.recorded() {
		add(explain.HistoryID(e))
	}
	if l.ahead(i) {
		add("comes later")
	}
	line := strings.Repeat("  ", min(depth, 8)) + "event " + strconv.FormatInt(e.Seq, 10) + ", " + name
	if i == l.row() {
		line += ", here"
	}
	return line + ": " + strings.Join(parts, ", ")
}

func retries(n int) string { return wording.CountOf(n, "retry", "retries") }

// outcomeWords are the words for the outcomes of visits, branches and iterations.
var outcomeWords = [...]string{
	runlog.BranchRunning: "under way", runlog.BranchSucceeded: "done", runlog.Caught: "caught", runlog.BranchFailed: "failed",
	runlog.BranchAborted: "stopped",
}

// plainVisits bounds the visits of a row of the time axis that are written.
const plainVisits = 8

// toldTime returns a line for each state of the top, branch and iteration, with the times of their visits.
func (p *Pane) toldTime() (lines []string) {
	l, rows, start := &p.list, &p.axis.rows, p.screen.Start()
	if l.index.Len() == 0 {
		return []string{"Nothing has happened yet."}
	}
	rows.read(l.index)
	lines = []string{"Now " + explain.SinceStart(start, l.now) + "."}
	for n := range rows.all[:min(len(rows.all), plainRows)] {
		row := &rows.all[n]
		name, inside := "", row.state == nil
		if inside {
			header := l.index.Thread(row.thread)
			name = laneName(l.index.Log().Head(header))
			if e := l.index.Log().At(header); e.Visit != nil && e.Visit.State.Type == asl.Parallel {
				name += " (branch)"
			}
		} else {
			name = row.state.Name
		}
		visits := p.axis.laneOf(l.index, n).visits
		var told []string
		for _, header := range visits[:min(len(visits), plainVisits)] {
			told = append(told, l.plainVisit(int(header), start, inside))
		}
		if more := len(visits) - len(told); more > 0 {
			told = append(told, wording.Grouped(more)+" more")
		}
		lines = append(lines, name+": "+strings.Join(told, "; "))
	}
	if more := len(rows.all) - plainRows; more > 0 {
		lines = append(lines, wording.Grouped(more)+" more.")
	}
	return lines
}

// plainVisit describes a visit: when it began and ended, and its outcome.
func (l *list) plainVisit(header int, start time.Time, named bool) string {
	group, _ := l.index.Get(header)
	from, to := l.index.Span(group, l.now)
	text := "at " + explain.SinceStart(start, from)
	if to.After(from) {
		text = "from " + explain.SinceStart(start, from) + " to " + explain.SinceStart(start, to)
	}
	if e := l.index.Log().At(header); named && e.Visit != nil {
		text = e.Visit.State.Name + " " + text
	}
	if n := len(l.index.Retries(header)); n > 0 {
		text += ", " + retries(n)
	}
	return text + ", " + outcomeWords[l.outcome(group)]
}

// textLines returns a line for each iteration or branch that the filter shows.
func (t *Table) textLines() (lines []string) {
	t.read()
	if t.visit == nil {
		return []string{"The run has been in no Map and no Parallel."}
	}
	heading := t.name() + ", " + t.count(len(t.rows))
	for state, n := range t.tally {
		if n > 0 {
			heading += ", " + wording.Grouped(n) + " " + statusNames[state]
		}
	}
	lines = []string{heading + "."}
	if t.version.filter != "" {
		lines = append(lines, wording.Grouped(len(t.list))+" of them pass the filter: "+t.version.filter)
	}
	g, from := t.screen.Glyphs(), max(0, min(t.at()-plainRows/2, len(t.list)-plainRows))
	for _, i := range t.list[from:min(from+plainRows, len(t.list))] {
		r := &t.rows[i]
		parts := []string{statusWord(r)}
		if r.State != runlog.NotStarted {
			parts = append(parts, "took "+wording.Duration(r.Took(t.now()).Round(time.Millisecond)),
				wording.Count(tries(r), "attempt"))
		}
		if r.Failure != nil {
			parts = append(parts, "error "+prose.Writer(g, prose.PreviewLength).Spans(explain.FailureDetail(r.Failure)))
		}
		if r.Output != nil {
			parts = append(parts, "output "+wording.Size(size(r))+" "+prose.Preview(r.Output, g))
		}
		name := t.noun() + " " + wording.Grouped(r.Index)
		if int(i) == t.cursor {
			name += ", selected"
		}
		lines = append(lines, name+": "+strings.Join(parts, ", "))
	}
	if more := len(t.list) - plainRows; more > 0 {
		lines = append(lines, wording.Grouped(more)+" others are left out; iteration N goes to one.")
	}
	return lines
}

// textLines returns a line for each what-if.
func (r *runsList) textLines() (lines []string) {
	r.read()
	for i := range r.Len() {
		b := r.At(i)
		status := b.Status.String()
		if !b.Status.Done() {
			status = "not over"
		}
		line := "what-if " + strconv.Itoa(b.ID)
		if b.Current {
			line += ", here"
		}
		lines = append(lines, line+": "+forkText(&b)+", "+status+", "+wording.Count(b.Events, "event"))
	}
	return lines
}

// textLines returns the first of the pairs of events that differ, and the data of the selected one.
func (t *Tab) textLines() (lines []string) {
	v := t.view
	switch {
	case v == nil:
		return []string{wording.Sentence(t.Disabled())}
	case v.same:
		return []string{v.sameText()}
	}
	g := t.screen.Glyphs()
	lines = []string{v.nameOf(0) + " is compared with " + v.nameOf(1) + "."}
	n := 0
	for i := v.next(-1, 1); i >= 0; i = v.next(i, 1) {
		if n++; n > plainDifferences {
			continue
		}
		row := v.c.Row(i)
		side := func(of int, log *runlog.Log, at int) string {
			if at < 0 {
				return "nothing in " + v.nameOf(of)
			}
			e := log.At(at)
			return "event " + strconv.FormatInt(e.Seq, 10) + " of " + v.nameOf(of) + ", " + eventText(e, nil)
		}
		line := side(0, v.left, row.A) + "; " + side(1, v.right, row.B)
		if len(row.Differs) > 0 {
			line += ": other " + strings.Join(row.Differs, ", ")
		}
		lines = append(lines, line)
	}
	if n > plainDifferences {
		lines = append(lines, wording.Grouped(n-plainDifferences)+" more pairs differ.")
	}
	v.prepare(plainWidth, g)
	for _, f := range v.facts {
		lines = append(lines,
			"selected, "+f.what+": "+v.nameOf(0)+" "+orNone(f.left)+"; "+v.nameOf(1)+" "+orNone(f.right))
	}
	if row := v.c.Row(v.Cursor); row.A >= 0 && row.B >= 0 {
		old, found, what := valuesOf(v.left.At(row.A), v.right.At(row.B), v.reading)
		if old != nil && found != nil && !value.Equal(old, found) {
			lines = append(lines, what+":")
			unified := string(value.Unified(v.nameOf(0), value.Pretty(old), v.nameOf(1), value.Pretty(found)))
			lines = append(lines, strings.Split(strings.TrimRight(unified, "\n"), "\n")...)
		}
	}
	return lines
}

// plainDifferences bounds the differences that are written, and plainWidth is the width for which the data are read.
const plainDifferences, plainWidth = 20, 100

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
