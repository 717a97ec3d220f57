package sessions

import (
	"github.com/spf13/cobra"

	"asldb/engine/debug"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
)

// Flags are the flags of every command that runs a definition.
type Flags struct {
	launch.Given

	Begin     func(*debug.Session) // runs the session before it is shown; nil: nothing runs
	Back      string               // names the list that the session is opened from: esc goes back to it
	hasScreen bool                 // the command opens the screen
	chosen    bool                 // the user has chosen the definition from a list
	ofSuite   suiteCase            // the case that is run
}

// Rows returns the rows of the table of flags in a command, whose values go into f.
func (f *Flags) Rows(cmd *cobra.Command) command.Rows { return command.RowsOf(cmd, &f.Given) }

// AddRunTo adds the flags of the commands that run a definition.
func (f *Flags) AddRunTo(cmd *cobra.Command) command.Rows {
	return f.Rows(cmd).Add(launch.Outcomes | launch.Named | launch.Running)
}

// AddScreenTo adds the flags of the commands that open the screen.
func (f *Flags) AddScreenTo(cmd *cobra.Command) {
	f.hasScreen = true
	f.Rows(cmd).Add(launch.Debugged)
	command.Alias(cmd, "coverage", "coverage-in")
}
