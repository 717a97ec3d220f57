package recordings

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/executions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/versions"
	"asldb/internal/wording"
	"asldb/recorder"
)

// defaultColumns are the columns of a table without --columns.
const defaultColumns = "seq,time,type,thread,path,visit,stage,error"

// formatLines is a form of the events that a query prints, beside "tsv".
const formatLines = "jsonl"

// queryFlags are the flags of "trace query".
type queryFlags struct {
	launch.Given
	where           string
	format, columns string
	count, follow   bool
	whole           bool // --where was given: all arguments are traces
}

func newTraceQuery(s *command.Streams) *cobra.Command {
	f := &queryFlags{}
	cmd := &cobra.Command{
		Use:   "query TRACE... [CONDITION]",
		Short: "Print the events that match a condition",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return traceArgument(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f.whole = cmd.Flags().Changed("where")
			if err := f.check(cmd); err != nil {
				return err
			}
			return f.run(cmd, s, args)
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 && !cmd.Flags().Changed("where") {
				return nil, cobra.ShellCompDirectiveNoFileComp // the condition
			}
			return nil, cobra.ShellCompDirectiveDefault
		},
	}
	flags := cmd.Flags()
	rows := command.RowsOf(cmd, &f.Given)
	flags.StringVar(&f.where, "where", "", "the `CONDITION`, where there are several traces")
	flags.BoolVar(&f.count, "count", false, "count the events: print only their number")
	command.AddFormatTo(cmd, &f.format, ": JSON objects, or columns separated by tabs", formatLines, "tsv")
	flags.StringVar(&f.columns, "columns", defaultColumns, "the columns of --format tsv: a `LIST` of names and expressions")
	flags.BoolVar(&f.follow, "follow", false, "follow a trace while it is recorded: wait for more events until the execution ends")
	rows.Row("fork")
	return cmd
}

func (f *queryFlags) check(cmd *cobra.Command) error {
	switch {
	case f.format != "tsv" && cmd.Flags().Changed("columns"):
		return errors.New("--columns is for --format tsv")
	case f.count && f.format == "tsv":
		return errors.New("--count prints a number: --format is for the events")
	case f.follow && (f.count || f.Spec.Replay.Fork != 0):
		return errors.New("--follow prints events of the newest fork as they come: it takes neither --count nor --fork")
	}
	return nil
}

// condition separates the condition from the names of traces.
func (f *queryFlags) condition(args []string) (names []string, condition string, err error) {
	if f.whole || len(args) == 1 {
		return args, f.where, nil
	}
	last := args[len(args)-1]
	exists := func(name string) bool { _, err := os.Stat(name); return err == nil }
	switch {
	case exists(last) && !slices.ContainsFunc(args, func(name string) bool { return !exists(name) }):
		return args, "", nil
	case len(args) == 2:
		return args[:1], last, nil
	}
	return nil, "", fmt.Errorf("a trace and a condition: %d arguments were given; a condition with blanks needs quotes, and several traces take it with --where", len(args))
}

func (f *queryFlags) run(cmd *cobra.Command, s *command.Streams, args []string) error {
	names, condition, err := f.condition(args)
	if err != nil {
		return err
	}
	query, err := recorder.ParseQuery(condition)
	if err != nil {
		return fmt.Errorf("the condition %q: %w", command.Clip(condition, command.MaxQuoted), err)
	}
	p := &eventPrinter{flags: f, s: s, query: query, where: condition, out: bufio.NewWriterSize(s.Out, 64<<10)}
	if info, err := os.Stat(names[0]); len(names) > 1 || err == nil && info.IsDir() || err != nil && strings.ContainsAny(names[0], "*?[") {
		found, err := executions.Find(names, executions.IsTrace)
		if err != nil {
			return err
		}
		if len(found.Files) == 0 {
			return &versions.EmptyError{Names: names, Thing: "trace"}
		}
		names, p.several = names[:0:0], true
		for i := range found.Files {
			names = append(names, found.Files[i].Name)
		}
	}
	if p.several && (f.follow || f.Spec.Replay.Fork != 0) {
		return errors.New("--follow and --fork are for one trace")
	}
	if err := p.begin(); err != nil {
		return err
	}
	if f.follow {
		return p.follow(cmd, names[0])
	}
	if p.several {
		err = p.traces(cmd.Context(), names)
	} else {
		err = p.trace(names[0])
	}
	if flushed := p.flush(); flushed != nil {
		err = flushed
	}
	return err
}

// eventPrinter prints the events that match.
type eventPrinter struct {
	flags   *queryFlags
	s       *command.Streams
	query   *recorder.Query
	where   string // the text of query
	out     *bufio.Writer
	events  *recorder.Writer
	columns *recorder.Columns
	several bool // each line has its file
	file    string
	warned  int
}

// open makes the writers of a form.
func (p *eventPrinter) open() (err error) {
	p.events = recorder.NewWriter(wording.NewWriter(p.out))
	if p.flags.format != "tsv" {
		return nil
	}
	if p.columns, err = recorder.ParseColumns(p.flags.columns); err != nil {
		return fmt.Errorf("--columns: %w", err)
	}
	return nil
}

// begin is open, and prints the names of columns.
func (p *eventPrinter) begin() error {
	if err := p.open(); err != nil || p.columns == nil {
		return err
	}
	names := p.columns.Names()
	if p.several {
		names = append([]string{"file"}, names...)
	}
	return p.row(names)
}

// escapes are the escapes of the cells of a table with tabs.
var escapes = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

func (p *eventPrinter) row(cells []string) error {
	for i, cell := range cells {
		if i > 0 {
			p.out.WriteByte('\t')
		}
		p.out.WriteString(wording.Line(escapes.Replace(cell)))
	}
	return p.out.WriteByte('\n')
}

func (p *eventPrinter) warn(err error) {
	if p.warned++; p.warned <= files.MaxWarnings {
		fmt.Fprintf(p.s.Err, "warning: %s\n", wording.Line(err.Error()))
	}
}

// trace prints the events of a trace, or their number.
func (p *eventPrinter) trace(name string) error {
	replay := p.flags.Spec.Replay
	trace, run, err := openFork(p.s, &replay, name)
	if err != nil {
		return err
	}
	defer trace.Close()
	p.file, p.warned = name, 0
	found := 0
	for event, err := range run.Matching(p.query) {
		if err != nil {
			p.warn(err)
			continue
		}
		found++
		if p.flags.count {
			continue
		}
		if err := p.event(event); err != nil {
			return writing(err)
		}
	}
	if p.warned > files.MaxWarnings {
		fmt.Fprintf(p.s.Err, "warning: %s like that in all\n", wording.Count(p.warned, "event"))
	}
	switch {
	case p.flags.count && p.several:
		_, err = fmt.Fprintf(p.out, "%s:%d\n", wording.Line(name), found)
	case p.flags.count:
		_, err = fmt.Fprintln(p.out, found)
	}
	return writing(err)
}

// event prints an event.
func (p *eventPrinter) event(e *engine.Event) error {
	switch {
	case p.columns != nil:
		cells, err := p.columns.Of(e)
		if err != nil {
			p.warn(err)
		}
		if p.several {
			cells = append([]string{p.file}, cells...)
		}
		return p.row(cells)
	case p.several:
		return p.events.WriteWith(e, "file", value.String(p.file))
	}
	return p.events.Write(e)
}

// traces prints the events of several traces, which are read on all cores, in the order of their names. An error ends
// it behind the output of the traces before.
func (p *eventPrinter) traces(ctx context.Context, names []string) error {
	told := make([]bytes.Buffer, len(names))
	return executions.InOrder(ctx, len(names), p.out, func(i int, out io.Writer) (err error) {
		streams := *p.s
		streams.Err = &told[i]
		one := &eventPrinter{flags: p.flags, s: &streams, several: true, out: bufio.NewWriterSize(out, 64<<10)}
		if one.query, err = recorder.ParseQuery(p.where); err == nil {
			err = one.open()
		}
		if err == nil {
			err = one.trace(names[i])
		}
		if flushed := one.flush(); err == nil {
			err = flushed
		}
		return err
	}, func(i int) {
		_, _ = p.s.Err.Write(told[i].Bytes())
		told[i] = bytes.Buffer{}
	})
}

func (p *eventPrinter) flush() error {
	return writing(errors.Join(p.events.Flush(), p.out.Flush()))
}

func writing(err error) error {
	if err != nil {
		return fmt.Errorf("cannot write the events: %w", err)
	}
	return nil
}

// followEvery is how often a trace that is followed is looked at.
const followEvery = 100 * time.Millisecond

// follow prints the events of a trace that may still be written.
func (p *eventPrinter) follow(cmd *cobra.Command, name string) error {
	ended := command.Listen(cmd.Context())
	defer ended.Stop()
	err := p.grow(ended, name)
	if ended.Err() != nil {
		return errors.Join(p.flush(), command.EndedOf(ended, ""))
	}
	return errors.Join(err, p.flush())
}

// grow prints the events of a trace until its execution has ended, or the context.
func (p *eventPrinter) grow(ctx context.Context, name string) error {
	at := followed{name: name, forks: 1, next: 1}
	defer at.close()
	for {
		if ended, err := p.more(&at); err != nil || ended {
			return err
		}
		if err := p.flush(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followEvery):
		}
	}
}

// followed is how far a trace was printed: the number of its forks, and of the next event of the newest.
type followed struct {
	name  string
	trace *recorder.Trace // nil: it was not opened yet
	forks int
	next  int64
}

func (f *followed) close() {
	if f.trace != nil {
		f.trace.Close()
	}
}

// grown opens the trace, or reads only what was added to it, and reports whether there may be more events.
func (f *followed) grown() (more bool, err error) {
	if f.trace == nil {
		f.trace, err = launch.FollowTrace(f.name)
		return err == nil, err
	}
	if more, err = f.trace.Extend(); err != nil {
		return false, fmt.Errorf("%s: %w", wording.Line(f.name), err)
	}
	return more, nil
}

// whole opens the trace again where its last line has all but its end, and is the end of the execution: nothing may come after it.
func (f *followed) whole() (bool, error) {
	last, ok := f.trace.Ending()
	if !ok || !last.Type.EndsExecution() || last.Seq != f.trace.Last().Len()+1 {
		return false, nil
	}
	trace, err := launch.OpenTrace(f.name, func(files.Warning) {})
	if err != nil {
		return false, err
	}
	f.close()
	f.trace = trace
	return true, nil
}

// more prints the events that have come, and reports whether the execution has ended.
func (p *eventPrinter) more(at *followed) (ended bool, err error) {
	more, err := at.grown()
	if err != nil || !more {
		return false, err
	}
	if ended, err = p.added(at); err != nil || ended {
		return ended, err
	}
	if more, err = at.whole(); err != nil || !more {
		return false, err
	}
	return p.added(at)
}

// added prints the events from the next one on, and reports whether the last is the end of the execution.
func (p *eventPrinter) added(at *followed) (ended bool, err error) {
	trace := at.trace
	for ; at.forks < len(trace.Forks()); at.forks++ { // the run continues at an earlier event
		at.next = min(at.next, trace.Forks()[at.forks].After+1)
	}
	run := trace.Last()
	for event, err := range run.MatchingFrom(p.query, at.next) {
		if err != nil {
			p.warn(err)
			continue
		}
		if err := p.event(event); err != nil {
			return false, writing(err)
		}
	}
	at.next = run.Len() + 1
	newest, err := run.Event(run.Len())
	return err == nil && newest.Type.EndsExecution(), nil
}
