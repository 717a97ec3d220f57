package suites

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
	"asldb/tui/view/pages"
)

// addReview adds the flag --review.
func (f *testFlags) addReview(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.review, "review", false,
		"review on the screen the snapshots and expectations that differ: accept, reject or skip each")
	for _, other := range []string{"watch", "list", "accept", "update", "mutate"} {
		cmd.MarkFlagsMutuallyExclusive("review", other)
	}
}

// checkReview refuses a review where there is no screen for it, or where its look is wrong.
func (f *testFlags) checkReview(cmd *cobra.Command, s *command.Streams) (err error) {
	if !f.review {
		return nil
	}
	screen := &sessions.Flags{}
	screen.Look.ASCII, screen.Look.NoColor = f.reports.ASCII(), f.reports.NoColor()
	if !screen.HasTerminal(s) {
		return errors.New(
			"--review needs a terminal to draw on; without one use --accept=CASE, or review in lines with ASLDB_PLAIN=1",
		)
	}
	f.show, err = screen.Pages(cmd, s)
	return err
}

// reviewed shows the changes of the cases that ran, one by one, and returns how many cases are settled.
func (f *testFlags) reviewed(
	ended *command.Ending, s *command.Streams, outcomes []*suite.Outcome, chosen [][]*suite.Case,
	run *caseRun,
) (settled int, err error) {
	changes := pages.ChangesOf(outcomes)
	if !f.review || len(changes) == 0 {
		return 0, nil
	}
	page := &pages.Review{
		Changes: changes, Reject: func(pages.Change) {},
		Propose: func(ctx context.Context, c pages.Change) (*suiterun.Proposal, error) {
			for _, cases := range chosen {
				if cases[0].Suite.Name == c.Case.Suite.File {
					return propose(ctx, c, cases, run.machines[cases[0].Suite], run.redact)
				}
			}
			return nil, fmt.Errorf("%s did not run", c.Case.Suite.File)
		},
	}
	if err = f.show(ended, page); err != nil {
		return 0, err
	}
	return page.Settled(), s.Print(wording.Line(page.Summary()) + "\n")
}

// propose returns what a change of one of some cases writes, without the values that redact keeps out.
func propose(
	ctx context.Context, c pages.Change, cases []*suite.Case, m *suiterun.Machine, redact *suiterun.Redactions,
) (*suiterun.Proposal, error) {
	if c.Snapshot {
		return suiterun.ProposeSnapshot(c.Case), nil
	}
	at := slices.IndexFunc(cases, func(one *suite.Case) bool { return one.Name == c.Case.Name })
	if at < 0 {
		return nil, errors.New("the case was removed")
	}
	return suiterun.ProposeExpectations(cases[at], m, suiterun.CaseOptions{Context: ctx, Brief: true, Redact: redact})
}
