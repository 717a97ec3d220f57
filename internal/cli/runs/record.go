package runs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/fixtures"
	"asldb/fixtures/livekind"
	"asldb/internal/arguments"
	"asldb/internal/cli/command"
	"asldb/internal/cli/reading"
	"asldb/internal/cli/sessions"
	"asldb/internal/visible"
	"asldb/recorder"
)

const recordLong = `Runs a definition once and writes the results of its tasks as a fixtures file (YAML), with the run's input,
start time and seed. "asldb run DEFINITION --fixtures FILE" then repeats the run without any call.

The results come from the fixtures, whose calls of commands, endpoints and functions need your consent, as in
asldb run. With --on-missing ask you type those that are missing. An execution that fails is recorded, too. If
the run stops before its end, the results so far are written.

--redact PATH replaces values in the file; where the run depends on them, it cannot be repeated exactly.`

const recordExample = `  asldb fixtures record order.asl.json --fixtures live.yaml -o recorded.yaml
  asldb run order.asl.json --fixtures recorded.yaml
  asldb fixtures record order.asl.json --fixtures live.yaml --allow-live --redact '$..token' -o recorded.yaml --force`

// recordFlags are the flags of "fixtures record".
type recordFlags struct {
	session sessions.Flags
	output  string
	force   bool
}

// NewFixturesRecord returns the command "fixtures record".
func NewFixturesRecord(s *command.Streams) *cobra.Command {
	f := &recordFlags{}
	f.session.Trace.Redacts = true
	cmd := &cobra.Command{
		Use:               "record DEFINITION",
		Short:             "Run a definition once and write its results as fixtures",
		Long:              recordLong + "\n\n" + runStatuses,
		Example:           recordExample,
		Args:              command.ExactlyOneDefinition,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.record(cmd, s, args[0]) },
		ValidArgsFunction: command.CompleteDefinition,
	}
	f.session.AddFilesTo(cmd)
	f.session.AddTo(cmd, "fail", sessions.UnattendedClocks)
	cmd.Flags().VarP(command.NewFilled(&f.output, ""), "output", "o", "the `FILE` to write (default: standard output)")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace FILE if it exists")
	cmd.Flags().BoolVar(&f.session.NoState, "no-state", false, "ignore the saved consents to live calls, and save none (see asldb allow)")
	return cmd
}

func (f *recordFlags) record(cmd *cobra.Command, s *command.Streams, definition string) error {
	options := &f.session
	if err := CheckUnattended(options, definition); err != nil {
		return err
	}
	redactor, err := options.Trace.Redactor()
	if err != nil {
		return err
	}
	options.Spec.Definition.File = definition
	if err := options.Fill(cmd, s); err != nil {
		return err
	}
	if err := f.writable(); err != nil { // before anything is called
		return err
	}
	if err := reading.Choose(cmd.Context(), s, &options.Spec.Definition, func() error { return options.Read(s) }); err != nil {
		return err
	}
	quiet := *s
	quiet.Out = io.Discard
	return RunSpec(cmd, &quiet, options, &OutputFlags{format: formatOutput, ended: func(session *debug.Session, err error) error {
		if !session.Status().Done() && !worthwhile(session) {
			return err
		}
		if failed := f.write(s, session, redactor); failed != nil {
			return errors.Join(failed, err)
		}
		return err
	}})
}

// worthwhile reports whether a session that stopped before its end has results from calls or from the user, which a second run would
// have to ask for again.
func worthwhile(session *debug.Session) bool {
	for i := range session.Inputs().Len() {
		in := session.Inputs().At(i)
		if in.Origin == runlog.OriginPerson || slices.Contains(livekind.Names(), in.Origin) {
			return true
		}
	}
	return false
}

// writable refuses an output that would take the place of another file.
func (f *recordFlags) writable() error {
	if f.output == "" || f.output == arguments.Stdin {
		return nil
	}
	there, err := os.Stat(f.output)
	if err != nil {
		return nil
	}
	if from, err := os.Stat(f.session.Spec.Fixtures.Name); err == nil && os.SameFile(there, from) {
		return fmt.Errorf("%s has the fixtures of this run: name another file with --output", visible.Line(f.output))
	}
	if !f.force {
		return fmt.Errorf("%s is there already, and is not written over: --force replaces it", visible.Line(f.output))
	}
	return nil
}

// write writes the results of a session.
func (f *recordFlags) write(s *command.Streams, session *debug.Session, redactor *recorder.Redactor) error {
	draft := fixtures.DraftOf(session)
	head := []string{"The results of the tasks of a run (asldb fixtures record)."}
	if !session.Status().Done() {
		head = append(head, "The run stopped before its end: these are the results so far.")
	}
	for event := range session.Log().All() {
		redactor.Learn(event)
	}
	draft.Replace(redactor.Value, redactor.Text)
	if f.session.Trace.Redacting() {
		head = append(head, "Some values are replaced (--redact).")
		if f.session.Spec.Trace == nil { // else the trace says so
			for _, path := range redactor.Unfound() {
				fmt.Fprintf(s.Err, "warning: --redact %s led to nothing: nothing was left out of the fixtures for it\n", visible.Line(path))
			}
		}
	}
	draft.Comments = append(head, draft.Comments...)
	text := draft.YAML()
	if f.output == "" || f.output == arguments.Stdin {
		return command.WriteNew(s, "", text)
	}
	write := func() error { return command.SaveNew(f.output, text) }
	if f.force {
		write = func() error {
			return command.ReplaceFile(f.output, func(w io.Writer) error {
				_, err := w.Write(text)
				return err
			})
		}
	}
	if err := write(); err != nil {
		return err
	}
	results, tasks := fixtures.Results([]fixtures.DraftFile{{Name: f.output, Draft: draft}})
	line := fmt.Sprintf("%s: %s of %s", visible.Line(f.output), command.Counted(results, "result"), command.Counted(tasks, "task"))
	if !session.Status().Done() {
		line += ", as far as the run went"
	}
	return s.Print(line + "\n")
}
