package recordings

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/report"
	"asldb/recorder"
)

// TraceInfo is a summary of a trace.
type TraceInfo struct {
	Trace *recorder.Trace
	Stats *recorder.Stats // of the last fork
	// unfound are the redactions that matched nothing.
	unfound []string
	glance  *recorder.Glance // in place of Trace and Stats, where nothing was counted
}

// GlanceOf returns the summary of a trace by its first line and its end.
func GlanceOf(glance *recorder.Glance) *TraceInfo { return &TraceInfo{glance: glance} }

func (i *TraceInfo) header() *recorder.Header {
	if i.glance != nil {
		return i.glance.Header
	}
	return i.Trace.Header()
}

// StatsOf returns the figures of a run. Events that cannot be read are left out, with a warning each.
func StatsOf(run *recorder.Run, warn func(error)) *recorder.Stats {
	unread := 0
	return run.Stats(func(err error) {
		if unread++; unread <= files.MaxWarnings {
			warn(err)
		}
	})
}

// InfoOf reads a trace and returns its summary. Events that cannot be read are left out, with a warning each.
func InfoOf(trace *recorder.Trace, warn func(error)) *TraceInfo {
	info := &TraceInfo{Trace: trace, Stats: StatsOf(trace.Last(), warn)}
	if !trace.Redacted() {
		return info
	}
	redactions := recorder.NewRedactionCheck(trace.Header())
	for event, err := range trace.Last().All() {
		if err == nil {
			redactions.Add(event)
		}
	}
	info.unfound = redactions.Unfound()
	return info
}

// outcome returns the status of the run at the end of the recording.
func (i *TraceInfo) outcome() string {
	var newest engine.EventType
	ok := false
	if i.glance != nil {
		newest, ok = i.glance.Newest, i.glance.Events > 0
	} else {
		newest, ok = i.Stats.Newest()
	}
	switch {
	case !ok && i.glance != nil:
		return "not known: its end is damaged"
	case !ok:
		return "nothing happened"
	case newest.EndsExecution():
		return newest.Traits().Ends.String()
	}
	return engine.Runnable.String()
}

// types returns the types of the events, in the engine's order.
func (i *TraceInfo) types() []engine.EventType {
	types := make([]engine.EventType, 0, len(i.Stats.Types))
	for kind := range i.Stats.Types {
		types = append(types, kind)
	}
	slices.Sort(types)
	return types
}

// Answer is the summary as a report.
func (i *TraceInfo) Answer() *report.Answer {
	return &report.Answer{Doc: func(report.Look) *report.Doc { return i.doc() }, Own: jsonLine(i.document())}
}

// jsonLine is the form of JSON as one line.
func jsonLine(document any) map[string]func(io.Writer, report.Look) error {
	return map[string]func(io.Writer, report.Look) error{
		report.JSONForm: func(w io.Writer, _ report.Look) error { return report.JSONLine(w, document) },
	}
}

// doc has a line for each part of the summary.
func (i *TraceInfo) doc() *report.Doc {
	header, d := i.header(), &report.Doc{}
	line := func(name, format string, args ...any) {
		entry := report.Para{Text: report.T(fmt.Sprintf(format, args...))}
		if entry.Label = report.T(name); name == "" {
			entry.Level = 1
		}
		d.Add(entry)
	}
	line("format", "%s, version %d, written by asldb %s", recorder.Format, header.Version, header.Program)
	if header.Origin != "" {
		line("origin", "%s", header.Origin)
	}
	if header.Definition != nil {
		line("definition", "%s (%s)", header.Definition.Name, header.Digest)
	} else {
		line("definition", "not in the trace")
	}
	line("input", "%s", value.Preview(header.Input, 200))
	line("dialect", "%s", header.Dialect)
	line("seed", "%d", header.Seed)
	for n, loss := range header.Lost {
		name := ""
		if n == 0 {
			name = "lost"
		}
		line(name, "%s", loss)
	}
	if len(header.Redactions) > 0 {
		line("redacted", "%s", strings.Join(header.Redactions, " "))
	}
	if len(i.unfound) > 0 {
		line("", "led to nothing: %s", strings.Join(i.unfound, " "))
	}
	line("status", "%s", i.outcome())
	i.figures(line)
	return d
}

// figures adds the figures of the events and the forks.
func (i *TraceInfo) figures(line func(name, format string, args ...any)) {
	if g := i.glance; g != nil {
		if start := i.header().Start; g.Events > 0 && !start.IsZero() {
			line("started", "%s", engine.FormatInstant(start))
			line("took", "%s of virtual time", g.Last.Sub(start))
		}
		if g.Events > 0 {
			line("events", "%d", g.Events)
		}
		line("", "not counted by type, since the trace has %d MiB: --count does", g.Size>>20)
		return
	}
	if i.Stats.Events > 0 {
		line("started", "%s", engine.FormatInstant(i.Stats.First))
		line("took", "%s of virtual time", i.Stats.Last.Sub(i.Stats.First))
	}
	line("events", "%d", i.Stats.Events)
	for _, kind := range i.types() {
		line("", "%d %s", i.Stats.Types[kind], kind)
	}
	if forks := i.Trace.Forks(); len(forks) > 1 {
		line("forks", "%d; the figures are the last one's", len(forks))
		for n, b := range forks {
			from := "from the start"
			if b.Parent >= 0 && b.After > 0 {
				from = fmt.Sprintf("from event %d of fork %d", b.After, b.Parent+1)
			}
			line("", "%d %s, to event %d", n+1, from, b.Last)
		}
	}
}

// The JSON of a summary; times are seconds.
type (
	infoJSON struct {
		Format     string          `json:"format"`
		Version    int             `json:"version"`
		Program    string          `json:"asldb"`
		Origin     string          `json:"origin,omitempty"`
		Definition *definitionJSON `json:"definition,omitempty"`
		Input      value.Value     `json:"input,omitempty"`
		Dialect    string          `json:"dialect"`
		Seed       int64           `json:"seed"`
		Lost       []string        `json:"lost,omitempty"`
		Redactions value.Value     `json:"redactions"`
		Unfound    value.Value     `json:"redactionsUnfound"`
		Status     string          `json:"status"`
		Started    string          `json:"started,omitempty"`
		Seconds    value.Value     `json:"seconds,omitempty"`
		Events     int64           `json:"events"`
		Counted    *bool           `json:"counted,omitempty"` // false where nothing was counted
		*countsJSON
	}
	definitionJSON struct {
		Name   string `json:"name"`
		Digest string `json:"digest"`
	}
	countsJSON struct {
		Types    *value.Object `json:"types"`
		Forks    []forkJSON    `json:"forks"`
		Warnings int           `json:"warnings"`
	}
	forkJSON struct {
		Fork   int   `json:"fork"`
		Parent int   `json:"parent"`
		After  int64 `json:"after"`
		Last   int64 `json:"last"`
	}
)

// document is the summary as JSON.
func (i *TraceInfo) document() *infoJSON {
	header := i.header()
	info := &infoJSON{
		Format: recorder.Format, Version: header.Version, Program: header.Program, Origin: header.Origin, Input: header.Input,
		Dialect: header.Dialect.String(), Seed: header.Seed, Lost: header.Lost, Redactions: value.Texts(header.Redactions),
		Unfound: value.Texts(i.unfound), Status: i.outcome(),
	}
	if header.Definition != nil {
		info.Definition = &definitionJSON{header.Definition.Name, header.Digest}
	}
	first, last := header.Start, time.Time{}
	if g := i.glance; g != nil {
		info.Events, info.Counted, last = g.Events, new(bool), g.Last
	} else {
		info.Events, first, last = i.Stats.Events, i.Stats.First, i.Stats.Last
		types := value.Each(i.types(), func(kind engine.EventType) value.Member {
			return value.M(kind.String(), value.Int(i.Stats.Types[kind]))
		})
		info.countsJSON = &countsJSON{value.NewObject(types), []forkJSON{}, len(i.Trace.Warnings())}
		for n, b := range i.Trace.Forks() {
			info.Forks = append(info.Forks, forkJSON{n + 1, b.Parent + 1, b.After, b.Last})
		}
	}
	if info.Events > 0 && (i.glance == nil || !first.IsZero()) {
		info.Started, info.Seconds = engine.FormatInstant(first), value.Float(last.Sub(first).Seconds())
	}
	return info
}

// StatsAnswer is a report of the figures of states.
func StatsAnswer(stats *recorder.Stats) *report.Answer {
	heads := []string{"state", "type", "visits", "errors", "retries", "catches", "total", "mean", "shortest", "longest"}
	rows := func(yield func([]string) bool) {
		for _, state := range stats.States() {
			row := []string{state.Path, state.Type.String()}
			for _, n := range []int64{state.Visits, state.Failures, state.Retries, state.Catches} {
				row = append(row, fmt.Sprint(n))
			}
			for _, d := range []time.Duration{state.Total, state.Mean(), state.Shortest, state.Longest} {
				if state.Ended == 0 {
					row = append(row, "-")
					continue
				}
				row = append(row, d.Round(time.Microsecond).String())
			}
			if !yield(row) {
				return
			}
		}
	}
	return &report.Answer{
		Doc: func(report.Look) *report.Doc {
			t := &report.Table{}
			for i, head := range heads {
				t.Columns = append(t.Columns, report.Column{Name: head, Right: i >= 2})
			}
			for row := range rows {
				t.Rows = append(t.Rows, report.Cells(row...))
			}
			return &report.Doc{Blocks: []report.Block{t}}
		},
		Rows: func() ([]string, iter.Seq[[]string]) { return heads, rows },
		Own:  jsonLine(statsJSON(stats)),
	}
}

// statsJSON returns the figures of states for a document; times are seconds.
func statsJSON(stats *recorder.Stats) any {
	type stateJSON struct {
		State    string      `json:"state"`
		Type     string      `json:"type"`
		Visits   int64       `json:"visits"`
		Failures int64       `json:"failures"`
		Retries  int64       `json:"retries"`
		Catches  int64       `json:"catches"`
		Ended    int64       `json:"ended"`
		Total    value.Value `json:"totalSeconds"`
		Mean     value.Value `json:"meanSeconds"`
		Shortest value.Value `json:"shortestSeconds"`
		Longest  value.Value `json:"longestSeconds"`
	}
	seconds := func(d time.Duration) value.Value { return value.Float(d.Seconds()) }
	return value.Each(stats.States(), func(s *recorder.StateStats) stateJSON {
		return stateJSON{s.Path, s.Type.String(), s.Visits, s.Failures, s.Retries, s.Catches, s.Ended,
			seconds(s.Total), seconds(s.Mean()), seconds(s.Shortest), seconds(s.Longest)}
	})
}
