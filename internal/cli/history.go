package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/fixtures"
	"asldb/internal/launch"
	"asldb/internal/visible"
	"asldb/recorder"
	"asldb/recorder/rerun"
)

// statusDiffers is the exit status of a command that finds that a run differs from what was recorded.
const statusDiffers = 3

const historyLong = `Reads recorded executions of Step Functions.

A history is the output of "aws stepfunctions get-execution-history" (timestamps of either version of
the AWS command line, pages in any order, several documents in a file), or the log of an Express
execution: its events one a line, or as CloudWatch Logs gives them (filter-log-events, get-log-events,
results of Logs Insights). Output of "aws stepfunctions describe-execution" may accompany it.`

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
		Short:   "Describe a history, and check a definition against it",
		Long:    importLong,
		Example: importExample,
		Args:    someHistory,
		RunE: func(_ *cobra.Command, args []string) error {
			options.history.files = args
			return importHistory(s, options, output)
		},
	}
	options.addTo(cmd)
	cmd.Flags().VarP(newFilled(&output, ""), "output", "o", "the `FILE` to write the trace to, which must not be there yet; compressed\nwhere its name ends in .zst")
	return cmd
}

// importFlags are the flags of the commands that read a history.
type importFlags struct {
	history    historyFlags
	definition string
	fixtures   string
	input      string
	trace      traceFlags
}

func (f *importFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(newFilled(&f.definition, ""), "definition", "the `FILE` with the definition that the execution ran")
	f.history.addExecutionTo(cmd)
	cmd.Flags().VarP(newFilled(&f.fixtures, ""), "fixtures", "f", "a `FILE` with results of tasks, for those that the history does not have")
	cmd.Flags().VarP(newFilled(&f.input, ""), "input", "i", "the input, where the history does not have it: a `FILE`, JSON text, or -")
}

func someHistory(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("which history? usage: %s", cmd.UseLine())
	}
	return nil
}

func importHistory(s *streams, f *importFlags, output string) error {
	var told strings.Builder
	if f.definition == "" {
		recording, err := f.history.open(s)
		if err != nil {
			return err
		}
		writeAbout(&told, launch.About(recording, nil))
		return errors.Join(s.print(told.String()), traceRecorded(s, recording, output))
	}
	f.trace.file = output
	check, opened, err := f.runAgain(s)
	if opened != nil {
		defer opened.close(s)
	}
	if err != nil {
		return err
	}
	writeAbout(&told, launch.About(opened.recording, check))
	if err := s.print(told.String()); err != nil {
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

// skeletonOrigin is the origin of the trace of a history without a definition.
const skeletonOrigin = "a history of Step Functions, without its definition"

// traceRecorded writes the trace of what was recorded, with the definition that is made up of it.
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
		Program: version(), Origin: skeletonOrigin, Definition: definition.Source, Made: definition.Origin,
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

// runAgain runs the recording again with the definition.
func (f *importFlags) runAgain(s *streams) (*rerun.Check, *files, error) {
	session := &sessionFlags{history: f.history, fixturesFlags: fixturesFlags{fixtures: f.fixtures}, input: f.input, dialect: engine.AWS.String(), maxHistory: stepFunctionsHistory}
	opened, err := openFiles(s, session, f.definition)
	if err != nil {
		return nil, nil, err
	}
	seed := int64(defaultSeed)
	spec := launch.Spec{
		History: opened.recording, Unchecked: true, Fixtures: opened.fixtures, Dialect: engine.AWS, Limits: session.limits(engine.AWS), Seed: &seed, Now: s.now,
	}
	if err := opened.readSpec(s, session, &spec); err != nil {
		return nil, nil, err
	}
	if spec.Trace, err = f.trace.spec(); err != nil {
		return nil, nil, err
	}
	if err := opened.launch(s, spec); err != nil {
		return nil, opened, err
	}
	check, err := opened.recording.Check(opened.run.Session, opened.run.History)
	return check, opened, err
}

const fromHistoryLong = `Writes the results that the tasks of a recorded execution had as a fixtures file (YAML), with the
execution's input and start time: "asldb run DEFINITION --fixtures FILE" then repeats it.

With --definition it runs the execution again and writes the results of its tasks, so that they end
at the recorded instants. Without, each takes as long as it took then.

`

func newFixturesFromHistory(s *streams) *cobra.Command {
	options := &importFlags{}
	output := ""
	cmd := &cobra.Command{
		Use:     "from-history HISTORY...",
		Short:   "Write the results of a recorded execution's tasks as fixtures",
		Long:    fromHistoryLong + historyLong,
		Example: "  asldb fixtures from-history history.json --definition order.asl.json -o order.yaml\n  asldb run order.asl.json --fixtures order.yaml",
		Args:    someHistory,
		RunE: func(_ *cobra.Command, args []string) error {
			options.history.files = args
			return fixturesFromHistory(s, options, output)
		},
	}
	options.addTo(cmd)
	cmd.Flags().VarP(newFilled(&output, ""), "output", "o", "the `FILE` to write, which must not be there yet (default: standard output)")
	return cmd
}

func fixturesFromHistory(s *streams, f *importFlags, output string) error {
	var draft *fixtures.Draft
	var recording *rerun.Recording
	if f.definition == "" {
		opened, err := f.history.open(s)
		if err != nil {
			return err
		}
		recording, draft = opened, opened.Draft()
	} else {
		check, opened, err := f.runAgain(s)
		if err != nil {
			return err
		}
		recording, draft = opened.recording, fixtures.DraftOf(check.Session)
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
	if name == "" || name == stdinArgument {
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
