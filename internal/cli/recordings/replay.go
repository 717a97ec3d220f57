package recordings

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/launch"
	"asldb/internal/versions"
	"asldb/internal/why"
	"asldb/internal/wording"
	"asldb/tui/screen"
)

// replayFlags are the flags of the commands that replay a trace.
type replayFlags struct {
	session  sessions.Flags
	reports  command.Reports
	parallel int
	follow   bool
}

// NewReplay returns the command "replay".
func NewReplay(s *command.Streams) *cobra.Command {
	f := &replayFlags{}
	spec := &f.session.Spec
	cmd := &cobra.Command{
		Use:   "replay TRACE...",
		Short: "Open a recorded run in the debugger, or verify it",
		Args: func(cmd *cobra.Command, args []string) error {
			if spec.Replay.Verify && len(args) > 0 {
				return nil
			}
			return traceArgument(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if several, err := f.several(cmd, args); err != nil {
				return err
			} else if several {
				return f.verifyAll(cmd, s, args)
			}
			return f.run(cmd, s, args[0])
		},
	}
	flags := cmd.Flags()
	rows := f.session.Rows(cmd)
	flags.BoolVar(&spec.Replay.Verify, "verify", false, "run the trace again and compare, without opening the screen")
	rows.Row("definition", ", in place of the recorded one").Add(launch.Named).Row("input", "\n(in place of the recorded one)").
		Row("fixtures", "\n(for tasks without a recorded result)").Row("no-fixtures").Row("fork")
	flags.BoolVar(&f.follow, "follow", false, "follow a trace while it is recorded: new events appear until the run ends")
	f.session.AddScreenTo(cmd)
	f.addVerify(cmd)
	return cmd
}

// read opens the trace and reads the files of the flags.
func (f *replayFlags) read(s *command.Streams, name string) error {
	spec := &f.session.Spec
	spec.Replay.File, spec.Stdin, spec.Warn = name, s.In, s.Warn
	return f.session.Read(s)
}

// openTrace opens a trace in the debugger as the command "replay" does, with the flags of a session.
func openTrace(cmd *cobra.Command, s *command.Streams, session sessions.Flags, name string) error {
	f := &replayFlags{session: session}
	return f.run(cmd, s, name)
}

func (f *replayFlags) run(cmd *cobra.Command, s *command.Streams, name string) error {
	spec := &f.session.Spec
	spec.Replay.File = name
	switch {
	case spec.ShowsRecording() && f.session.HasTerminal(s):
		spec.Stdin, spec.Warn = s.In, s.Warn
		return f.open(cmd, s)
	case f.follow && spec.ShowsRecording():
		return sessions.ErrNoTerminal
	case f.follow:
		return errors.New("--follow shows a trace as it is recorded: it excludes --verify, --definition, --input and --fixtures")
	}
	if err := f.read(s, name); err != nil {
		return err
	}
	f.session.Spec.BreakUncaught, f.session.Spec.Replay.Briefly = !f.session.Spec.Replay.Verify, f.session.Spec.Replay.Verify
	run, err := launch.New(f.session.Spec)
	if err != nil {
		_ = run.Close() // nothing was recorded
		return command.Flagged(err)
	}
	defer run.Close()
	if f.session.Spec.Replay.Verify {
		return verify(s, run.Replay)
	}
	return f.show(cmd, s, run)
}

// verify prints whether the run agrees with the recording.
func verify(s *command.Streams, r *launch.Replayed) error {
	if err := versions.Uncompared(r); err != nil {
		return err
	}
	if err := s.Print(wording.Text(why.Verification(r))); err != nil || r.Verification.Divergence == nil {
		return err
	}
	return command.Exit(command.StatusDiffers, nil)
}

// show opens the run in the debugger.
func (f *replayFlags) show(cmd *cobra.Command, s *command.Streams, run *launch.Run) error {
	look, err := sessions.ScreenOptions(cmd, s, &f.session)
	if err != nil {
		return err
	}
	look.Title, look.Back = f.session.Spec.Title(), f.session.Back
	r, notice := run.Replay, ""
	switch v := r.Verification; {
	case v != nil:
		look.Title += " (changed)"
		notice = "All " + wording.Count(v.Recorded.Len(), "event") + " are as recorded."
		look.Recorded = &screen.Recorded{Log: v.Recorded, Open: v.Divergence != nil}
		if v.Divergence != nil {
			notice = strings.SplitN(why.Verification(r), "\n", 2)[0] + ", which comes next."
		}
	case r.Divergence != nil:
		notice = asRecorded(r)
	}
	look.Notice = func() string {
		text := notice
		notice = ""
		return text
	}
	ended := command.Listen(cmd.Context())
	defer ended.Stop()
	return sessions.SaveFault(s, nil, f.session.ShowScreen(ended, s, run.Session, look))
}
