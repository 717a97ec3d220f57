package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/visible"
	"asldb/recorder"
)

const traceLong = `Looks into the trace of a run, which "asldb run --trace FILE" or "asldb debug --trace FILE" wrote.

A trace is JSON Lines (or that in zstd): a header, then answers and events as they happened. Large
values stand in lines of their own and are referred to; "trace query" prints events with all their data.
A trace that is cut or damaged is read as far as it goes, with warnings on standard error.`

const traceExample = `  asldb run order.asl.json --fixtures order.yaml --trace order.trace
  asldb trace info order.trace
  asldb trace query order.trace 'type == "TaskFailed" && $.amount > 10'
  asldb trace stats order.trace`

func newTrace(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "trace",
		Short:   "Look into the trace of a run",
		Long:    traceLong,
		Example: traceExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("there is no command %q; there are info, query and stats", "trace "+args[0])
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newTraceInfo(s), newTraceQuery(s), newTraceStats(s))
	return cmd
}

// traceArgument is the one argument of commands about a trace.
func traceArgument(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return fmt.Errorf("which trace? usage: %s", cmd.UseLine())
	case 1:
		return nil
	}
	return fmt.Errorf("one trace at a time: %d arguments were given (%s)", len(args), strings.Join(args, " "))
}

// openRecorded opens a trace and writes its warnings.
func openRecorded(s *streams, name string) (*recorder.Trace, error) {
	trace, err := recorder.Open(name, formats())
	var path *fs.PathError
	var format *recorder.FormatError
	switch {
	case errors.As(err, &path):
		return nil, fmt.Errorf("cannot read the trace %q: %w", name, path.Err)
	case errors.As(err, &format):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("cannot read the trace: %w", err)
	}
	warnings := trace.Warnings()
	for i := range warnings {
		if i == maxWarnings {
			fmt.Fprintf(s.err, "%s: warning: %s more\n", visible.Line(name), counted(len(warnings)-i, "warning"))
			break
		}
		fmt.Fprintf(s.err, "%s: warning: %s\n", visible.Line(name), visible.Line(warnings[i].Error()))
	}
	return trace, nil
}

// branchFlag says which branch of a trace is meant.
type branchFlag struct{ number int }

func (f *branchFlag) addTo(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.number, "branch", 0, "the `NUMBER` of the branch, as trace info counts them (default: the last)")
	cmd.Flags().Lookup("branch").DefValue = "0" // the default is told in words
}

func (f *branchFlag) run(trace *recorder.Trace) (*recorder.Run, error) {
	count := len(trace.Forks())
	switch {
	case f.number == 0:
		return trace.Last(), nil
	case f.number < 0 || f.number > count:
		return nil, fmt.Errorf("--branch is a number from 1 to %d, and this is %d", count, f.number)
	}
	return trace.Run(f.number - 1), nil
}

const queryLong = `Prints the events of a trace that meet a condition, one JSON object a line, with all their data.
Without a condition it prints every event.

In the condition $ is the data after the event (where it has none, before it). Besides paths there are
type, stage, state (the name), path (the state path), visit, thread, seq, and of events about an error
error and cause; members that an event lacks are null. $$ and variables are null.`

const queryExample = `  asldb trace query order.trace 'type == "TaskFailed" && $.amount > 10'
  asldb trace query order.trace 'error =~ "^Card" && state == "Charge"' --count
  asldb trace query order.trace 'type == "StateExited"' | jq -c '.after'`

func newTraceQuery(s *streams) *cobra.Command {
	count := false
	var branch branchFlag
	cmd := &cobra.Command{
		Use:     "query TRACE [CONDITION]",
		Short:   "Print the events that meet a condition",
		Long:    queryLong,
		Example: queryExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 2 {
				return fmt.Errorf("a trace and a condition: %d arguments were given; a condition with blanks stands in quotes", len(args))
			}
			return traceArgument(cmd, args[:min(len(args), 1)])
		},
		RunE: func(_ *cobra.Command, args []string) error {
			condition := ""
			if len(args) > 1 {
				condition = args[1]
			}
			query, err := recorder.ParseQuery(condition)
			if err != nil {
				return fmt.Errorf("the condition %q: %w", clip(condition, maxQuoted), err)
			}
			trace, err := openRecorded(s, args[0])
			if err != nil {
				return err
			}
			defer trace.Close()
			run, err := branch.run(trace)
			if err != nil {
				return err
			}
			return printMatches(s, run, query, count)
		},
	}
	cmd.Flags().BoolVar(&count, "count", false, "print how many there are, not the events")
	branch.addTo(cmd)
	return cmd
}

func printMatches(s *streams, run *recorder.Run, query *recorder.Query, count bool) error {
	out := bufio.NewWriterSize(s.out, 64<<10)
	events := recorder.NewWriter(visible.NewWriter(out))
	found, warned := 0, 0
	warn := func(err error) {
		if warned++; warned <= maxWarnings {
			fmt.Fprintf(s.err, "warning: %s\n", visible.Line(err.Error()))
		}
	}
	for event, err := range run.All() {
		if err != nil {
			warn(err)
			continue
		}
		matches, err := query.Matches(event)
		if err != nil {
			warn(fmt.Errorf("event %d: %w", event.Seq, err))
		}
		if !matches {
			continue
		}
		found++
		if !count {
			if err := events.Write(event); err != nil {
				return fmt.Errorf("cannot write the events: %w", err)
			}
		}
	}
	if warned > maxWarnings {
		fmt.Fprintf(s.err, "warning: %s like that in all\n", counted(warned, "event"))
	}
	if count {
		fmt.Fprintln(out, found)
	}
	if err := errors.Join(events.Flush(), out.Flush()); err != nil {
		return fmt.Errorf("cannot write the events: %w", err)
	}
	return nil
}

func newTraceInfo(s *streams) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "info TRACE",
		Short:   "Summarize a trace: definition, duration, number of events of each type",
		Example: "  asldb trace info order.trace\n  asldb trace info order.trace --json | jq .events",
		Args:    traceArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			trace, err := openRecorded(s, args[0])
			if err != nil {
				return err
			}
			defer trace.Close()
			info := infoOf(s, trace)
			if asJSON {
				return printValue(s, info.object())
			}
			return info.print(s)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

// traceInfo is what "trace info" tells.
type traceInfo struct {
	trace *recorder.Trace
	stats *recorder.Stats // of the last branch
	end   *engine.Event   // its last event; nil where it has none
	// unfound are the redactions that led to nothing.
	unfound []string
}

// gather goes through the events of a run. Those that cannot be read are told of, and left out.
func gather(s *streams, run *recorder.Run, each func(*engine.Event)) (stats *recorder.Stats, end *engine.Event) {
	stats = recorder.NewStats()
	unread := 0
	for event, err := range run.All() {
		if err != nil {
			if unread++; unread <= maxWarnings {
				fmt.Fprintf(s.err, "warning: %s\n", visible.Line(err.Error()))
			}
			continue
		}
		stats.Add(event)
		end = event
		each(event)
	}
	return stats, end
}

func infoOf(s *streams, trace *recorder.Trace) *traceInfo {
	info := &traceInfo{trace: trace}
	redactions := recorder.NewRedactionCheck(trace.Header())
	info.stats, info.end = gather(s, trace.Last(), redactions.Add)
	info.unfound = redactions.Unfound()
	return info
}

// outcome says how the run stood when the recording ended.
func (i *traceInfo) outcome() string {
	if i.end == nil {
		return "nothing happened"
	}
	if i.end.Type.EndsExecution() {
		return i.end.Type.Traits().Ends.String()
	}
	return engine.Runnable.String()
}

// types are the types of events that there are, in the engine's order.
func (i *traceInfo) types() []engine.EventType {
	types := make([]engine.EventType, 0, len(i.stats.Types))
	for kind := range i.stats.Types {
		types = append(types, kind)
	}
	slices.Sort(types)
	return types
}

func (i *traceInfo) print(s *streams) error {
	header := i.trace.Header()
	var out strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&out, "%-12s %s\n", name, visible.Line(fmt.Sprintf(format, args...)))
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
	if len(header.Redactions) > 0 {
		line("redacted", "%s", strings.Join(header.Redactions, " "))
	}
	if len(i.unfound) > 0 {
		line("", "led to nothing: %s", strings.Join(i.unfound, " "))
	}
	line("status", "%s", i.outcome())
	if i.stats.Events > 0 {
		line("started", "%s", engine.FormatInstant(i.stats.First))
		line("took", "%s of virtual time", i.stats.Last.Sub(i.stats.First))
	}
	line("events", "%d", i.stats.Events)
	for _, kind := range i.types() {
		fmt.Fprintf(&out, "%12d %s\n", i.stats.Types[kind], kind)
	}
	if branches := i.trace.Forks(); len(branches) > 1 {
		line("branches", "%d; the figures are those of the last", len(branches))
		for n, b := range branches {
			from := "from the start"
			if b.Parent >= 0 && b.After > 0 {
				from = fmt.Sprintf("from event %d of branch %d", b.After, b.Parent+1)
			}
			fmt.Fprintf(&out, "%12d %s, to event %d\n", n+1, from, b.Last)
		}
	}
	_, err := fmt.Fprint(s.out, out.String())
	return wrapWrite(err)
}

func wrapWrite(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write the output: %w", err)
}

func (i *traceInfo) object() *value.Object {
	header := i.trace.Header()
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
	texts := func(list []string) value.Value {
		items := make([]value.Value, len(list))
		for n, item := range list {
			items[n] = value.String(item)
		}
		return value.NewArray(items)
	}
	members = append(members, value.Member{Key: "redactions", Value: texts(header.Redactions)}, value.Member{Key: "redactionsUnfound", Value: texts(i.unfound)}, text("status", i.outcome()))
	if i.stats.Events > 0 {
		members = append(members, text("started", engine.FormatInstant(i.stats.First)), seconds("seconds", i.stats.Last.Sub(i.stats.First)))
	}
	var types []value.Member
	for _, kind := range i.types() {
		types = append(types, number(kind.String(), i.stats.Types[kind]))
	}
	var branches []value.Value
	for n, b := range i.trace.Forks() {
		branches = append(branches, value.ObjectOf(
			number("branch", int64(n+1)), number("parent", int64(b.Parent+1)), number("after", b.After), number("last", b.Last)))
	}
	members = append(members, number("events", i.stats.Events),
		value.Member{Key: "types", Value: value.NewObject(types)}, value.Member{Key: "branches", Value: value.NewArray(branches)},
		number("warnings", int64(len(i.trace.Warnings()))))
	return value.NewObject(members)
}
