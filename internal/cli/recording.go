package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/compare"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/visible"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
	"asldb/tui"
)

// historyFlags say which recorded execution is meant.
type historyFlags struct {
	files     []string
	execution string
	attempt   int
}

// addTo adds the flags of the commands that run a definition.
func (f *historyFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.files, "history", nil, "run a recorded execution again: a `FILE` that aws stepfunctions\nget-execution-history printed, or the log of an Express execution; repeat for more pages")
	f.addExecutionTo(cmd)
}

func (f *historyFlags) addExecutionTo(cmd *cobra.Command) {
	cmd.Flags().Var(newFilled(&f.execution, ""), "execution", "the `ARN` of the execution: which one of a log's, and what the context object calls it")
	cmd.Flags().IntVar(&f.attempt, "attempt", 0, "the `NUMBER` of the attempt of an execution that was redriven (default: the last)")
	cmd.Flags().Lookup("attempt").DefValue = "0" // the default is told in words
}

// maxListed bounds how many executions a message lists.
const maxListed = 20

// open reads the histories and returns the execution that is meant.
func (f *historyFlags) open(s *streams) (*rerun.Recording, error) {
	whole, err := f.openExecution(s)
	if err != nil || f.attempt == 0 {
		return whole, err
	}
	attempts := whole.Attempts()
	if f.attempt < 0 || f.attempt > len(attempts) {
		return nil, fmt.Errorf("--attempt is a number from 1 to %d, and this is %d", len(attempts), f.attempt)
	}
	return attempts[f.attempt-1], nil
}

// openExecution reads the histories and returns the execution with all its attempts.
func (f *historyFlags) openExecution(s *streams) (*rerun.Recording, error) {
	texts := make([]history.File, 0, len(f.files))
	for _, file := range f.files {
		name, data, err := readFile(s, file)
		if err != nil {
			return nil, fmt.Errorf("the history: %w", err)
		}
		texts = append(texts, history.File{Name: name, Data: data})
	}
	executions, err := history.Read(texts...)
	if err != nil {
		return nil, err
	}
	if len(executions) == 1 && (executions[0].ARN == "" || f.execution == "") {
		if f.execution != "" {
			executions[0].ARN = f.execution // GetExecutionHistory does not say it
		}
		return rerun.Of(executions[0]), nil
	}
	var found []*history.Execution
	for _, x := range executions {
		if f.execution != "" && (x.ARN == f.execution || strings.HasSuffix(x.ARN, ":"+f.execution)) {
			found = append(found, x)
		}
	}
	if len(found) == 1 {
		return rerun.Of(found[0]), nil
	}
	return nil, errors.New(whichExecution(executions, f.execution))
}

func whichExecution(executions []*history.Execution, asked string) string {
	var text strings.Builder
	if asked == "" {
		fmt.Fprintf(&text, "the log has %d executions; choose one with --execution:", len(executions))
	} else {
		fmt.Fprintf(&text, "--execution %s is not one of them:", asked)
	}
	for i, x := range executions {
		if i == maxListed {
			fmt.Fprintf(&text, "\n  and %d more", len(executions)-maxListed)
			break
		}
		name := x.ARN
		if name == "" {
			name = "(without a name)"
		}
		r := rerun.Of(x)
		status, _, failure, _ := r.Result()
		fmt.Fprintf(&text, "\n  %s  %s, %s, %s", name, engine.FormatInstant(r.Start()), counted(len(x.Events), "event"), strings.TrimSpace(status+" "+failure))
	}
	return text.String()
}

// use makes options run a recording again: its source comes first, and what the flags say holds over it.
func (o *files) use(options *debug.Options, next outcome.Source) *rerun.Source {
	recorded, source := o.recording.Options()
	options.Source, options.Abort = source, recorded.Abort
	if next != nil {
		options.Source = outcome.First(source, next)
	}
	if options.Context == nil {
		options.Context = recorded.Context
	}
	return source
}

// identify finds what the execution was called, unless the person says it.
func (o *files) identify(machine *engine.Machine, options debug.Options, next outcome.Source) {
	if options.Context != nil {
		return
	}
	options.Sink = nil
	o.recording.Identify(func(context value.Value) (*debug.Session, *rerun.Source) {
		options := options
		source := o.use(&options, next)
		options.Context = context
		return debug.New(machine, options), source
	})
	if next != nil {
		next.Seek(nil)
	}
}

// checkRecording runs a recording again to its end, apart from the session that is to be stepped.
func (o *files) checkRecording(machine *engine.Machine, options debug.Options, next outcome.Source) (*rerun.Check, error) {
	options.Sink = nil
	source := o.use(&options, next)
	session := debug.New(machine, options)
	source.Follow(session.Now)
	return o.recording.Check(session, source)
}

// tellRecording writes what the recording is, what is missing in it, and whether a run with the definition
// does what was recorded. It returns the lines that it wrote.
func tellRecording(s *streams, r *rerun.Recording, check *rerun.Check, failed error) []string {
	lines := r.About()
	for _, note := range r.Execution.Notes {
		lines = append(lines, "note: "+note.String())
	}
	switch {
	case failed != nil:
		lines = append(lines, "run again: "+failed.Error())
	case check != nil:
		lines = append(lines, "run again: "+check.String())
		if check.Waits != "" {
			lines = append(lines, "run again: "+check.Waits)
		}
	}
	for i, line := range lines {
		lines[i] = visible.Line(line)
		fmt.Fprintln(s.err, lines[i])
	}
	return lines
}

// inputOf is the flag's input, else the recording's, else the fixtures'.
func (o *files) inputOf(s *streams, f *sessionFlags) (value.Value, error) {
	if o.recording == nil || f.input != "" {
		return chooseInput(s, f, o.fixtures)
	}
	input, err := o.recording.Input()
	if err == nil {
		return input, nil
	}
	if o.fixtures != nil && o.fixtures.Input != nil {
		return o.fixtures.Input, nil
	}
	return nil, fmt.Errorf("%w: give it with --input", err)
}

// bind makes the source of the fixtures; nil where there are none.
func (o *files) bind(machine *engine.Machine) (outcome.Source, error) {
	if o.fixtures == nil {
		return nil, nil
	}
	bound, err := o.fixtures.Source(machine.Definition())
	if err != nil {
		return nil, fmt.Errorf("the fixtures do not fit the definition:\n%w", err)
	}
	o.source = bound
	return bound, nil
}

// startOf is the flag's time, else the recording's, else the fixtures', else the present.
func (o *files) startOf(s *streams, f *sessionFlags) (time.Time, error) {
	if o.recording == nil || f.startTime != "" {
		return chooseStart(s, f, o.fixtures)
	}
	return o.recording.Start(), nil
}

// begin makes the session. Of a recording it first says what it is and whether it can be run again; extra is
// what answers tasks besides it.
func (o *files) begin(s *streams, machine *engine.Machine, options debug.Options, extra outcome.Source) (*debug.Session, error) {
	if o.recording == nil {
		options.Forget = o.forget
		if err := o.record(machine, &options); err != nil {
			return nil, err
		}
		return debug.New(machine, options), nil
	}
	o.identify(machine, options, extra)
	check, failed := o.checkRecording(machine, options, extra)
	o.about = tellRecording(s, o.recording, check, failed)
	if check != nil {
		o.diverged = check.First != nil
		recorded := runlog.Of(o.recording.Events(machine.Definition()))
		o.beside = &tui.Recorded{Log: recorded, Ahead: check.Session.Log(), Open: !check.Agrees(), Compare: func(run *debug.Log) *compare.Result {
			return o.recording.Beside(machine.Definition(), run)
		}}
	}
	if extra != nil {
		extra.Seek(nil)
	}
	source := o.use(&options, options.Source)
	if err := o.record(machine, &options); err != nil {
		return nil, err
	}
	session := debug.New(machine, options)
	source.Follow(session.Now)
	return session, nil
}

// openRun reads the definition and the history. An empty definition stands for none: then there is a history.
func (f *sessionFlags) openRun(s *streams, definition string) (*files, error) {
	opened := &files{}
	var err error
	if definition != "" {
		if opened.definition, err = f.openDefinition(s, definition); err != nil {
			return nil, err
		}
		if definition != stdinArgument {
			opened.path = definition
			if f.resource != "" {
				opened.path += "#" + f.resource // a template may have several
			}
		}
	}
	if len(f.history.files) > 0 {
		opened.recording, err = f.history.open(s)
	}
	return opened, err
}

// asRecorded makes a session that shows a recording without a definition: what was recorded, and nothing between.
func (o *files) asRecorded(s *streams, f *sessionFlags) (*debug.Session, error) {
	if f.fixtures != "" || f.input != "" {
		return nil, errors.New("without a definition a history is shown as it was recorded: --fixtures and --input are for running it again")
	}
	definition, err := o.recording.Skeleton()
	if err != nil {
		return nil, err
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		return nil, err
	}
	o.about = tellRecording(s, o.recording, nil, nil)
	options, _ := o.recording.Options()
	options.Source, options.Abort = nil, nil
	session := debug.ReplayAttempts(machine, options, o.recording.EventsOfAttempts(definition))
	return session, addBreaks(session, f.breaks)
}

// addBreaks sets the breakpoints of the flags.
func addBreaks(session *debug.Session, specs []string) error {
	for _, spec := range specs {
		if _, err := session.Breakpoints().Add(spec); err != nil {
			return fmt.Errorf("--break: %w", err)
		}
	}
	return nil
}

// breakAtFailure sets a breakpoint where a recorded execution went wrong, for who has none: neither named
// nor kept from the last time.
func (o *files) breakAtFailure(session *debug.Session, f *sessionFlags) error {
	if o.recording == nil || len(f.breaks) > 0 || len(session.Breakpoints().All()) > 0 {
		return nil
	}
	if status, _, _, _ := o.recording.Result(); status != "FAILED" {
		return nil
	}
	_, err := session.Breakpoints().Add("uncaught error")
	return err
}

// definitionOrHistory allows to leave the definition out where a history is given.
func definitionOrHistory(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && cmd.Flags().Changed("history") {
		return nil
	}
	return exactlyOneDefinition(cmd, args)
}

// firstOf returns the definition that is named, or "".
func firstOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// title names what is debugged.
func (o *files) title(f *sessionFlags) string {
	if o.definition == nil {
		return filepath.Base(f.history.files[0])
	}
	return filepath.Base(o.definition.source.Name)
}
