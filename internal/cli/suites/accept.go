package suites

import (
	"bytes"
	"context"
	"fmt"

	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
)

// accept writes what the case of --accept found into its suite, where it has failed, and shows the change first. It
// returns how many cases pass then.
func (f *testFlags) accept(
	ctx context.Context, s *command.Streams, chosen [][]*suite.Case, machines map[*suite.Suite]*suiterun.Machine,
	run *caseRun,
) (accepted int, err error) {
	if f.update == "" || f.update == allCases {
		return 0, nil
	}
	for _, cases := range chosen {
		for _, c := range cases {
			if c.Name != f.update {
				continue
			}
			passes, err := acceptCase(ctx, s, c, machines[c.Suite], run)
			if err != nil {
				return accepted, fmt.Errorf("--accept %s: %w", wording.Line(c.Name), err)
			}
			if passes {
				accepted++
			}
		}
	}
	return accepted, nil
}

// acceptCase changes one case, and reports whether it had failed and passes then.
func acceptCase(
	ctx context.Context, s *command.Streams, c *suite.Case, m *suiterun.Machine, run *caseRun,
) (passes bool, err error) {
	o := suiterun.CaseOptions{
		Context: ctx, Brief: true, Snapshots: run.kept.files[c.Suite], Update: true, Redact: run.redact,
	}
	if outcome, _ := suiterun.RunCase(c, m, o); outcome.Kind != suite.OutcomeFailed {
		return false, nil
	}
	_, text, err := s.Files().Read(c.Suite.Name)
	if err != nil {
		return false, err
	}
	accepted, err := suiterun.AcceptFound(c, m, text, o)
	if err != nil {
		return false, err
	}
	if !bytes.Equal(accepted.Before, accepted.After) {
		diff := files.Unified(c.Suite.Name, accepted.Before, accepted.After)
		if err := s.Print(string(wording.JSON(diff))); err != nil {
			return false, err
		}
		if err := files.Replace(c.Suite.Name, 0o666, accepted.After); err != nil {
			return false, err
		}
	}
	for i := range accepted.Left {
		left := &accepted.Left[i]
		fmt.Fprintln(s.Err, wording.Line(fmt.Sprintf("not accepted: %s:%d: %s is more than a value: change it by hand",
			c.Suite.Name, left.At.Line, left.Expectation)))
	}
	return len(accepted.Left) == 0, nil
}
