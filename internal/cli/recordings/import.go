package recordings

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/wording"
	"asldb/recorder"
	"asldb/recorder/rerun"
)

func newHistoryImport(s *command.Streams) *cobra.Command {
	options := &importFlags{}
	output := ""
	cmd := &cobra.Command{
		Use:   "import HISTORY...",
		Short: "Summarize a history, and check a definition against it",
		Args:  someHistory,
		RunE: func(_ *cobra.Command, args []string) error {
			options.Spec.History.Files = args
			return importHistory(s, options, output)
		},
	}
	options.addTo(cmd, s)
	command.AddOutputTo(cmd, &output, ": a trace, compressed if its name ends in .zst; it must not exist")
	return cmd
}

// importFlags are the flags of the commands that read a history.
type importFlags struct {
	launch.Given
}

func (f *importFlags) addTo(cmd *cobra.Command, s *command.Streams) {
	f.Spec.Stdin, f.Spec.Warn = s.In, s.Warn
	command.RowsOf(cmd, &f.Given).Row("definition", ": the execution's").Add(launch.Named).Add(launch.Executions).
		Row("fixtures", "\n(for results that the history does not have)").Row("no-fixtures").Row("input", "\n(if the history does not have it)")
}

// recording reads the history alone.
func (f *importFlags) recording(s *command.Streams) (*rerun.Recording, error) {
	recording, err := f.Spec.History.Open(s.Files())
	return recording, command.Flagged(err)
}

func someHistory(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("which history? usage: %s", cmd.UseLine())
	}
	return nil
}

func importHistory(s *command.Streams, f *importFlags, output string) error {
	var lines strings.Builder
	if f.Spec.Definition.File == "" {
		recording, err := f.recording(s)
		if err != nil {
			return err
		}
		writeAbout(&lines, launch.About(recording, nil))
		return errors.Join(s.Print(lines.String()), traceRecorded(s, recording, output))
	}
	f.Trace.File = output
	check, b, err := f.runAgain(s)
	if b != nil {
		defer b.End(s)
	}
	if err != nil {
		return err
	}
	writeAbout(&lines, launch.About(f.Spec.History.Recording, check))
	if err := s.Print(lines.String()); err != nil {
		return err
	}
	switch {
	case check.First != nil:
		return command.Exit(command.StatusDiffers, nil)
	case check.Bound > 0:
		return errors.New("the comparison ended at its bound, before all that was recorded")
	}
	return nil
}

// traceRecorded writes the trace of a recording, with a definition that is made of its events.
func traceRecorded(s *command.Streams, recording *rerun.Recording, output string) error {
	if output == "" {
		return nil
	}
	definition, err := recording.Skeleton()
	if err != nil {
		return err
	}
	options, _ := recording.Options()
	out, err := files.BeginNew(output, 0o600)
	if err != nil {
		return err
	}
	header := &recorder.Header{
		Program: command.Version(), Origin: launch.SkeletonOrigin,
		Definition: definition.Source, ConvertedFrom: definition.Origin,
		Input: options.Input, InputText: options.InputText, Context: options.Context, Start: options.Start,
		Dialect: engine.AWS,
	}
	compressed := recorder.TraceOptions{Compress: strings.HasSuffix(output, launch.CompressedSuffix)}
	return recorder.Save(out, header, compressed, func(sink debug.Sink) error {
		recording.Record(definition, sink)
		return nil
	})
}

// writeAbout writes lines about a recording.
func writeAbout(w io.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(w, wording.Line(line))
	}
}

// runAgain runs the recording again with the definition. The run is nil where there is nothing to close.
func (f *importFlags) runAgain(s *command.Streams) (*rerun.Check, *sessions.Run, error) {
	f.Spec.Limits, f.Spec.Now, f.Spec.Unchecked = engine.ServiceLimits(), s.Now, true
	if err := f.Complete(command.Version()); err != nil {
		return nil, nil, err
	}
	if err := command.DefinitionError(s, f.Spec.Read()); err != nil {
		return nil, nil, err
	}
	b := &sessions.Run{}
	if err := b.Launch(s, f.Spec); err != nil {
		return nil, b, err
	}
	check, err := f.Spec.History.Recording.Check(b.Session, b.History)
	return check, b, err
}
