package recordings

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/versions"
	"asldb/internal/wording"
	"asldb/tui"
	"asldb/tui/screen"
	"asldb/tui/view/pages"
)

// checkScreen refuses flags of the report with --screen, and --screen without a terminal.
func (f *compareFlags) checkScreen(cmd *cobra.Command, s *command.Streams) error {
	if !f.screen {
		return nil
	}
	for _, other := range []string{"format", "output", "redact", "strict", "fail-on", "shard"} {
		if cmd.Flags().Changed(other) {
			return fmt.Errorf("--%s is for the report, and --screen shows none", other)
		}
	}
	if !f.look.HasTerminal(s) {
		return errors.New("--screen needs a terminal to draw on; without it asldb compare writes a report")
	}
	return nil
}

// show shows the groups of differences, and opens the recordings that the user chooses.
func (f *compareFlags) show(cmd *cobra.Command, s *command.Streams, result *versions.Result, old, fresh versions.Definition, options versions.Options) error {
	look, err := sessions.ScreenOptions(cmd, s, &f.look)
	if err != nil {
		return err
	}
	page := pages.NewDifferences(result, func(j *versions.Judged) (*versions.Pair, error) { return versions.Open(old, fresh, j, options) })
	return sessions.ShowList(cmd.Context(), s, page, look, pages.ErrNoDifferences, func() error {
		return f.openPair(cmd, s, page, *look)
	})
}

// openPair opens the runs of a recording in the debugger, side by side.
func (f *compareFlags) openPair(cmd *cobra.Command, s *command.Streams, page *pages.List, look tui.Options) error {
	pair, of := page.Chosen()
	defer pair.Close()
	ended := command.Listen(cmd.Context())
	defer ended.Stop()
	look.Title = wording.Line(of.Name())
	look.Back = "the list of differences"
	look.Recorded = &screen.Recorded{Log: pair.Old, Open: true, Versions: true, First: &[2]int{pair.OldAt, pair.NewAt}}
	return sessions.SaveFault(s, nil, f.look.ShowScreen(ended, s, pair.New, &look))
}
