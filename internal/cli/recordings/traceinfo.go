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
	"asldb/internal/wording"
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
	return &report.Answer{Doc: func(report.Look) *report.Doc { return i.doc() }, Own: jsonLine(i.Object())}
}

// jsonLine is the form of JSON as one line.
func jsonLine(v value.Value) map[string]func(io.Writer, report.Look) error {
	return map[string]func(io.Writer, report.Look) error{report.JSONForm: func(w io.Writer, _ report.Look) error {
		_, err := w.Write(wording.JSON(append(value.Append(nil, v), '\n')))
		return err
	}}
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
		line("forks", "%d; the figures are those of the last", len(forks))
		for n, b := range forks {
			from := "from the start"
			if b.Parent >= 0 && b.After > 0 {
				from = fmt.Sprintf("from event %d of fork %d", b.After, b.Parent+1)
			}
			line("", "%d %s, to event %d", n+1, from, b.Last)
		}
	}
}

// Object returns the summary as JSON.
func (i *TraceInfo) Object() *value.Object {
	header := i.header()
	text := func(key, v string) value.Member { return value.Member{Key: key, Value: value.String(v)} }
	number := func(key string, n int64) value.Member { return value.Member{Key: key, Value: value.Int(n)} }
	members := []value.Member{
		text("format", recorder.Format), number("version", int64(header.Version)), text("asldb", header.Program),
	}
	if header.Origin != "" {
		members = append(members, text("origin", header.Origin))
	}
	if header.Definition != nil {
		members = append(members, value.Member{Key: "definition", Value: value.ObjectOf(
			text("name", header.Definition.Name), text("digest", header.Digest))})
	}
	if header.Input != nil {
		members = append(members, value.Member{Key: "input", Value: header.Input})
	}
	members = append(members, text("dialect", header.Dialect.String()), number("seed", header.Seed))
	if len(header.Lost) > 0 {
		members = append(members, value.Member{Key: "lost", Value: value.Texts(header.Lost)})
	}
	members = append(members, value.M("redactions", value.Texts(header.Redactions)),
		value.M("redactionsUnfound", value.Texts(i.unfound)), text("status", i.outcome()))
	if g := i.glance; g != nil {
		if g.Events > 0 && !header.Start.IsZero() {
			members = append(members, text("started", engine.FormatInstant(header.Start)), seconds("seconds", g.Last.Sub(header.Start)))
		}
		return value.NewObject(append(members, number("events", g.Events), value.Member{Key: "counted", Value: value.Bool(false)}))
	}
	if i.Stats.Events > 0 {
		members = append(members, text("started", engine.FormatInstant(i.Stats.First)), seconds("seconds", i.Stats.Last.Sub(i.Stats.First)))
	}
	types := value.Each(i.types(), func(kind engine.EventType) value.Member {
		return number(kind.String(), i.Stats.Types[kind])
	})
	var forks []value.Value
	for n, b := range i.Trace.Forks() {
		forks = append(forks, value.ObjectOf(
			number("fork", int64(n+1)), number("parent", int64(b.Parent+1)), number("after", b.After), number("last", b.Last)))
	}
	members = append(members, number("events", i.Stats.Events),
		value.Member{Key: "types", Value: value.NewObject(types)}, value.Member{Key: "forks", Value: value.NewArray(forks)},
		number("warnings", int64(len(i.Trace.Warnings()))))
	return value.NewObject(members)
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
		Own:  jsonLine(StatsValue(stats)),
	}
}

// StatsValue returns the figures of states as JSON; times are seconds.
func StatsValue(stats *recorder.Stats) value.Value {
	items := make([]value.Value, 0, len(stats.States()))
	for _, state := range stats.States() {
		items = append(items, value.ObjectOf(
			value.Member{Key: "state", Value: value.String(state.Path)},
			value.Member{Key: "type", Value: value.String(state.Type.String())},
			value.Member{Key: "visits", Value: value.Int(state.Visits)},
			value.Member{Key: "failures", Value: value.Int(state.Failures)},
			value.Member{Key: "retries", Value: value.Int(state.Retries)},
			value.Member{Key: "catches", Value: value.Int(state.Catches)},
			value.Member{Key: "ended", Value: value.Int(state.Ended)},
			seconds("totalSeconds", state.Total), seconds("meanSeconds", state.Mean()),
			seconds("shortestSeconds", state.Shortest), seconds("longestSeconds", state.Longest),
		))
	}
	return value.NewArray(items)
}

// seconds returns a member with a number of seconds.
func seconds(key string, d time.Duration) value.Member {
	return value.Member{Key: key, Value: value.Float(d.Seconds())}
}
