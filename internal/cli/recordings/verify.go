package recordings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/report"
	"asldb/internal/versions"
)

// addVerify adds the flags of replay --verify.
func (f *replayFlags) addVerify(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.reports.AddTo(cmd, report.FormsOf(report.OfDoc|report.OfFindings))
	flags.IntVar(&f.parallel, "parallel", 0, "work on `N` at a time: traces, with --verify (default: one for each core)")
	flags.Lookup("parallel").DefValue = "0" // the usage has the default in words
}

// several reports whether there is one report about several traces.
func (f *replayFlags) several(cmd *cobra.Command, args []string) (bool, error) {
	changed := false
	for _, name := range []string{"format", "output", "report", "parallel"} {
		if !cmd.Flags().Changed(name) {
			continue
		}
		if changed = true; !f.session.Spec.Replay.Verify {
			return false, fmt.Errorf("--%s is for --verify", name)
		}
	}
	switch {
	case f.parallel < 0:
		return false, fmt.Errorf("--parallel is a number from 0, not %d", f.parallel)
	case !f.session.Spec.Replay.Verify:
		return false, nil
	case len(args) > 1 || changed:
		return true, nil
	}
	info, err := os.Stat(args[0])
	if err != nil {
		matches, _ := filepath.Glob(args[0])
		return len(matches) > 0, nil
	}
	return info.IsDir(), nil
}

// verifyAll verifies several traces.
func (f *replayFlags) verifyAll(cmd *cobra.Command, s *command.Streams, names []string) error {
	spec := &f.session.Spec
	if spec.Replay.Fork != 0 && len(names) > 1 {
		return errors.New("--fork is for one trace")
	}
	spec.Stdin, spec.Warn = s.In, s.Warn
	ended := command.Listen(cmd.Context())
	defer ended.Stop()
	spec.Interrupt = ended.Interrupts
	v, err := versions.Verify(ended, *spec, names, f.parallel, command.NewStatusLine(s.Err).Counting("traces"))
	switch {
	case ended.Err() != nil:
		return command.EndedOf(ended, "")
	case err != nil:
		return command.DefinitionError(s, err)
	}
	for i := range v.Traces {
		v.Traces[i].Err = command.Flagged(v.Traces[i].Err)
	}
	for i := range v.Traces {
		for _, w := range v.Traces[i].Warnings {
			s.Warn(w)
		}
	}
	if err := f.reports.Answered(s, versions.VerificationAnswer(v)); err != nil {
		return err
	}
	switch {
	case v.Differ() > 0:
		return command.Exit(command.StatusDiffers, nil)
	case v.Wrong() > 0:
		return command.Exit(command.StatusUsage, nil)
	}
	return nil
}
