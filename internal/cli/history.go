package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/launch"
	"asldb/internal/visible"
	"asldb/recorder"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

// statusDiffers is the exit status of a command that finds a difference between a run and its recording.
const statusDiffers = 3

const historyLong = `Reads recorded executions of Step Functions.

A history is the output of "aws stepfunctions get-execution-history" (either version of the AWS CLI, pages
in any order, several documents in a file), or the log of an Express execution: one event per line, or the
output of CloudWatch Logs (filter-log-events, get-log-events, Logs Insights). The output of "aws
stepfunctions describe-execution" can be given with it.`

func newHistory(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history",
		Short: "Read recorded executions of Step Functions",
		Long:  historyLong,
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newHistoryImport(s), newHistoryExport(s))
	return cmd
}

const importLong = historyLong + `

It describes the history and its gaps. With --definition it runs the execution again,
with the results that its tasks had, and compares: either all events agree, or it reports the first one
that does not, and the exit status is 3. With -o it writes the run as a trace: with the definition
every stage of it, without only the recorded events.`

const importExample = `  aws stepfunctions get-execution-history --execution-arn ARN > history.json
  asldb history import history.json
  asldb history import history.json --definition order.asl.json
  asldb history import history.json --definition order.asl.json -o order.trace
  asldb history import express.log --execution 4f1a --definition order.asl.json`

func newHistoryImport(s *streams) *cobra.Command {
	options := &importFlags{}
	output := ""
	cmd := &cobra.Command{
		Use:     "import HISTORY...",
		Short:   "Summarize a history, and check a definition against it",
		Long:    importLong,
		Example: importExample,
		Args:    someHistory,
		RunE: func(_ *cobra.Command, args []string) error {
			options.spec.History.Files = args
			return importHistory(s, options, output)
		},
	}
	options.addTo(cmd, s)
	cmd.Flags().VarP(newFilled(&output, ""), "output", "o", "the trace `FILE` to write; it must not exist; compressed if its name ends in .zst")
	return cmd
}

// importFlags are the flags of the commands that read a history.
type importFlags struct {
	spec  launch.Spec // filled by the flags
	trace traceFlags
}

func (f *importFlags) addTo(cmd *cobra.Command, s *streams) {
	f.spec.Stdin, f.spec.Warn = s.in, s.warn
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(newFilled(&f.spec.Definition.File, ""), "definition", "the definition `FILE` of the execution")
	addExecutionTo(cmd, &f.spec.History)
	cmd.Flags().VarP(newFilled(&f.spec.Fixtures.Name, ""), "fixtures", "f", "a fixtures `FILE` with the results that the history does not have")
	cmd.Flags().VarP(newFilled(&f.spec.Input.Text, ""), "input", "i", "the input, if the history does not have it: a `FILE`, JSON text, or -")
}

// recording reads the history alone.
func (f *importFlags) recording(s *streams) (*rerun.Recording, error) {
	recording, err := f.spec.History.Open(s.files())
	return recording, flagged(err)
}

func someHistory(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("which history? usage: %s", cmd.UseLine())
	}
	return nil
}

func importHistory(s *streams, f *importFlags, output string) error {
	var lines strings.Builder
	if f.spec.Definition.File == "" {
		recording, err := f.recording(s)
		if err != nil {
			return err
		}
		writeAbout(&lines, launch.About(recording, nil))
		return errors.Join(s.print(lines.String()), traceRecorded(s, recording, output))
	}
	f.trace.file = output
	check, b, err := f.runAgain(s)
	if b != nil {
		defer b.close(s)
	}
	if err != nil {
		return err
	}
	writeAbout(&lines, launch.About(f.spec.History.Recording, check))
	if err := s.print(lines.String()); err != nil {
		return err
	}
	switch {
	case check.First != nil:
		return &exitError{statusDiffers, nil}
	case check.Bound > 0:
		return errors.New("the comparison ended at its bound, before all that was recorded")
	}
	return nil
}

// traceRecorded writes the trace of a recording, with a definition that is made of its events.
func traceRecorded(s *streams, recording *rerun.Recording, output string) error {
	if output == "" {
		return nil
	}
	definition, err := recording.Skeleton()
	if err != nil {
		return err
	}
	options, _ := recording.Options()
	writer, err := recorder.CreateTrace(output, &recorder.Header{
		Program: version(), Origin: launch.SkeletonOrigin, Definition: definition.Source, Made: definition.Origin,
		Input: options.Input, Context: options.Context, Start: options.Start, Dialect: engine.AWS,
	}, recorder.TraceOptions{Compress: strings.HasSuffix(output, compressedSuffix)})
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	recording.Record(definition, writer)
	if err := writer.Close(); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	return nil
}

// writeAbout writes lines about a recording.
func writeAbout(w io.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(w, visible.Line(line))
	}
}

// runAgain runs the recording again with the definition. The run is nil where there is nothing to close.
func (f *importFlags) runAgain(s *streams) (*rerun.Check, *begun, error) {
	limits := &sessionFlags{maxHistory: stepFunctionsHistory}
	f.spec.Limits, f.spec.Now, f.spec.Unchecked = limits.limits(engine.AWS), s.now, true
	if err := s.definitionError(f.spec.Read()); err != nil {
		return nil, nil, err
	}
	var err error
	if f.spec.Trace, err = f.trace.spec(); err != nil {
		return nil, nil, err
	}
	b := &begun{}
	if err := b.launch(s, f.spec); err != nil {
		return nil, b, err
	}
	check, err := f.spec.History.Recording.Check(b.Session, b.History)
	return check, b, err
}

const fromHistoryLong = `Writes the results of a recorded execution's tasks as a fixtures file (YAML), with the execution's input
and start time. "asldb run DEFINITION --fixtures FILE" then repeats the execution.

With --definition the execution is run again, and tasks end at the recorded times. Without it, each task
takes as long as it did in the recording.

`

func newFixturesFromHistory(s *streams) *cobra.Command {
	options := &importFlags{}
	output := ""
	cmd := &cobra.Command{
		Use:     "from-history HISTORY...",
		Short:   "Write fixtures from a recorded execution",
		Long:    fromHistoryLong + historyLong,
		Example: "  asldb fixtures from-history history.json --definition order.asl.json -o order.yaml\n  asldb run order.asl.json --fixtures order.yaml",
		Args:    someHistory,
		RunE: func(_ *cobra.Command, args []string) error {
			options.spec.History.Files = args
			return fixturesFromHistory(s, options, output)
		},
	}
	options.addTo(cmd, s)
	cmd.Flags().VarP(newFilled(&output, ""), "output", "o", "the `FILE` to write; it must not exist (default: standard output)")
	return cmd
}

func fixturesFromHistory(s *streams, f *importFlags, output string) error {
	var draft *fixtures.Draft
	var recording *rerun.Recording
	if f.spec.Definition.File == "" {
		opened, err := f.recording(s)
		if err != nil {
			return err
		}
		recording, draft = opened, opened.Draft()
	} else {
		check, b, err := f.runAgain(s)
		if b != nil {
			defer b.close(s)
		}
		if err != nil {
			return err
		}
		recording, draft = f.spec.History.Recording, fixtures.DraftOf(check.Session)
		if !check.Agrees() || check.Waits != "" {
			fmt.Fprintln(s.err, visible.Line("warning: "+check.String()+" "+check.Waits))
		}
	}
	comments := []string{"The results of tasks in a recorded execution (asldb fixtures from-history):"}
	comments = append(comments, recording.About()...)
	for _, note := range recording.Execution.Notes {
		comments = append(comments, "note: "+note.String())
	}
	draft.Comments = append(comments, draft.Comments...)
	return writeNew(s, output, draft.YAML())
}

// writeNew writes a file that is not there yet, or to standard output.
func writeNew(s *streams, name string, data []byte) error {
	if name == "" || name == launch.Stdin {
		if _, err := s.out.Write(data); err != nil {
			return fmt.Errorf("cannot write the file: %w", err)
		}
		return nil
	}
	return saveNew(name, data)
}

// saveNew writes a file that is not there yet.
func saveNew(name string, data []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already, and is not written over", name)
	}
	if err == nil {
		_, err = file.Write(data)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	return nil
}

const exportLong = `Prints a recorded run as Step Functions' GetExecutionHistory returns it: the same types, details, ids and
links, with virtual timestamps. Child executions of a distributed Map have histories of their own and are
left out.`

func newHistoryExport(s *streams) *cobra.Command {
	replay := &launch.Replay{}
	output := ""
	cmd := &cobra.Command{
		Use:     "export TRACE",
		Short:   "Print a trace as a Step Functions history",
		Long:    exportLong,
		Example: "  asldb history export order.trace | jq '.events[] | .type'",
		Args:    traceArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			trace, run, err := openFork(s, replay, args[0])
			if err != nil {
				return err
			}
			defer trace.Close()
			recording, warning := run.Recording()
			if warning != nil {
				fmt.Fprintf(s.err, "%s: warning: %s\n", visible.Line(args[0]), visible.Line(warning.Error()))
			}
			document := history.Document(history.Of(func(yield func(*engine.Event) bool) {
				for i := range recording.Events {
					if !yield(&recording.Events[i]) {
						return
					}
				}
			}))
			return writeNew(s, output, visible.JSON(append([]byte(value.Pretty(document)), '\n')))
		},
	}
	addForkFlag(cmd, replay)
	cmd.Flags().VarP(newFilled(&output, ""), "output", "o", "the `FILE` to write; it must not exist (default: standard output)")
	return cmd
}
