package runs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/wording"
	"asldb/recorder"
)

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
		Args:              command.ExactlyOneDefinition,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.record(cmd, s, args[0]) },
		ValidArgsFunction: command.CompleteDefinition,
	}
	command.AddOutputTo(cmd, &f.output, " (default: standard output)")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace FILE if it exists")
	f.session.AddRunTo(cmd).Unattended().Row("no-state", noConsents)
	return cmd
}

func (f *recordFlags) record(cmd *cobra.Command, s *command.Streams, definition string) error {
	options := &f.session
	if err := CheckUnattended(options, definition); err != nil {
		return err
	}
	redactions, err := launch.Redactions(options.Trace.Redact)
	if err != nil {
		return err
	}
	redactor := recorder.NewRedactor(redactions)
	options.Spec.Definition.File = definition
	if err := options.Fill(s); err != nil {
		return err
	}
	if err := command.Choose(cmd.Context(), s, &options.Spec.Definition, func() error { return options.Read(s) }); err != nil {
		return err
	}
	if err := f.writable(); err != nil { // before anything is called
		return err
	}
	quiet := *s
	quiet.Out = io.Discard
	return RunSpec(cmd, &quiet, options, &OutputFlags{format: formatOutput, ended: func(run *launch.Run, err error) error {
		if session := run.Session; !session.Status().Done() && !worthwhile(session) {
			return err
		}
		if failed := f.write(s, run, redactor); failed != nil {
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
		if in.Origin == runlog.OriginPerson || slices.Contains(outcome.Names(), in.Origin) {
			return true
		}
	}
	return false
}

// writable refuses an output that would replace another file.
func (f *recordFlags) writable() error {
	if f.output == "" || f.output == files.Stdin {
		return nil
	}
	there, err := os.Stat(f.output)
	if err != nil {
		if _, missing := os.Stat(filepath.Dir(f.output)); missing != nil {
			return fmt.Errorf("cannot write %s: there is no folder %s", wording.Line(f.output), wording.Line(filepath.Dir(f.output)))
		}
		return nil
	}
	if !there.Mode().IsRegular() { // a pipe or a device is written to, and a folder is told
		return nil
	}
	if from, err := os.Stat(f.session.Spec.Fixtures.Name); err == nil && os.SameFile(there, from) {
		return fmt.Errorf("%s has the fixtures of this run: name another file with --output", wording.Line(f.output))
	}
	if !f.force {
		return fmt.Errorf("%s is there already, and is not written over: --force replaces it", wording.Line(f.output))
	}
	return nil
}

// write writes the results of a run.
func (f *recordFlags) write(s *command.Streams, run *launch.Run, redactor *recorder.Redactor) error {
	session, toFile := run.Session, f.output != "" && f.output != files.Stdin
	files := []fixtures.DraftFile{{Draft: fixtures.DraftOf(session)}}
	if toFile {
		files = fixtures.TreeOf(session, f.output, ranBy(run.Calls), f.taken)
	}
	draft := files[len(files)-1].Draft
	head := []string{"The results of the tasks of a run (asldb fixtures record)."}
	if !session.Status().Done() {
		head = append(head, "The run stopped before its end: these are the results so far.")
	}
	if nested := learn(redactor, session, run.Calls); nested && !toFile {
		head = append(head, "The outcomes of tasks that start another definition are here: with --output they start it again, with its own fixtures.")
	}
	for _, file := range files {
		file.Draft.Replace(redactor.Value, redactor.Text)
	}
	if len(f.session.Trace.Redact) > 0 {
		head = append(head, "Some values are replaced (--redact).")
		if f.session.Spec.Trace == nil { // else the trace says so
			for _, path := range redactor.Unfound() {
				fmt.Fprintf(s.Err, "warning: --redact %s led to nothing: nothing was left out of the fixtures for it\n", wording.Line(path))
			}
		}
	}
	draft.Comments = append(head, draft.Comments...)
	if !toFile {
		return command.WriteNew(s, "", draft.YAML())
	}
	for _, file := range files {
		if err := f.save(file.Name, file.Draft.YAML()); err != nil {
			return err
		}
	}
	results, tasks := fixtures.Results(files)
	line := fmt.Sprintf("%s: %s of %s", wording.Line(f.output), wording.Count(results, "result"), wording.Count(tasks, "task"))
	for i, file := range files[:len(files)-1] {
		line += []string{", with the results of executions in ", ", "}[min(i, 1)] + wording.Line(file.Name)
	}
	if !session.Status().Done() {
		line += ", as far as the run went"
	}
	return s.Print(line + "\n")
}

// ranBy returns the function that finds the execution which answered a request; calls may be nil.
func ranBy(calls *live.Calls) func(*engine.TaskRequest) *live.Child {
	return func(request *engine.TaskRequest) *live.Child {
		if calls == nil {
			return nil
		}
		return calls.Ran(request)
	}
}

// learn shows the events of a session and of the executions that its tasks started to a redactor, and reports whether there are such.
func learn(redactor *recorder.Redactor, session *debug.Session, calls *live.Calls) (nested bool) {
	ran := ranBy(calls)
	for event := range session.Log().All() {
		redactor.Learn(event)
		if request, ok := event.Detail.(*engine.TaskRequest); ok && event.Type == engine.TaskScheduled {
			if child := ran(request); child != nil {
				nested = true
				learn(redactor, child.Session, child.Calls)
			}
		}
	}
	return nested
}

// taken reports whether the fixtures of an execution cannot have a name: there is a file, which isn't an earlier
// recording that is replaced.
func (f *recordFlags) taken(name string) bool {
	text, err := files.Read(name, value.DefaultBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil:
		return true
	}
	return !f.force || !fixtures.IsOfTree(text)
}

// save writes a file for the user alone: results have data. With --force it replaces another.
func (f *recordFlags) save(name string, text []byte) error {
	if !f.force {
		return files.Create(name, 0o600, text)
	}
	return files.Replace(name, 0o600, text)
}
