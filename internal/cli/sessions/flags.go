package sessions

import (
	"github.com/spf13/cobra"

	"asldb/engine/debug"
	"asldb/engine/jsonata"
	"asldb/internal/cli/command"
	"asldb/internal/cli/settings"
	"asldb/internal/launch"
)

// StepFunctionsHistory is the greatest number of events in the history of a standard workflow. It also
// keeps a state machine that loops for ever from filling the memory.
const StepFunctionsHistory = 25_000

// Flags are the flags of every command that runs a definition.
type Flags struct {
	fixturesFlags

	Spec launch.Spec // filled by the flags

	OnMissing string // the name of a [fixtures.Missing]
	Clock     string // the words of --clock

	dialect, startTime, redriveTime, stop string

	seed int64
	// MaxHistory bounds the history of Step Functions, in events; 0: it is not bounded.
	MaxHistory int
	// maxEvaluation bounds an evaluation of JSONata, in steps and in values built.
	maxEvaluation int
	// NoLimits lifts the quotas of payloads and variables.
	NoLimits bool
	Trace    TraceFlags // where the run is recorded
	Test     CaseFlag   // the case of a suite that is run

	NoState   bool                 // saved setups and consents are neither loaded nor saved
	Begin     func(*debug.Session) // runs the session before it is shown; nil: nothing runs
	Back      string               // names the list that the session is opened from: esc goes back to it
	hasScreen bool                 // the command opens the screen

	explore  bool     // the screen opens with the faults
	profiles []string // with the coverage by earlier runs

	picture pictureFlags

	ascii, noColor, noMouse bool
	theme, config           string
}

// AddFilesTo adds the flags of the commands that take a definition.
func (f *Flags) AddFilesTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(command.NewFilled(&f.Spec.Input.Text, ""), "input", "i", "the input: a `FILE`, JSON text, or - for standard input\n(default: the input in the fixtures, else {})")
	f.addFixturesTo(cmd, &f.Spec.Fixtures)
	addHistoryTo(cmd, &f.Spec.History)
	command.AddDefinitionFlags(cmd, &f.Spec.Definition)
	flags.Var(command.NewForm(&f.Spec.Definition.Type, "", "standard|express"), "type", "the type of the state machine: an express execution ends after five minutes\n(default: as the template says, else standard)")
}

// Clocks and UnattendedClocks are the words that --clock takes at a screen; without one it cannot be moved.
const (
	Clocks           = "skip|real|xN|manual"
	UnattendedClocks = "skip|real|xN"
)

// AddTo adds the flags of every command that runs a definition; words are those of --clock.
func (f *Flags) AddTo(cmd *cobra.Command, onMissing, words string) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(command.NewForm(&f.OnMissing, onMissing, "ask|fail|echo"), "on-missing", "for a task without a result: ask for it, fail, or return the task's payload")
	about, offered := "virtual time: skip to the next timer, run in real time, or N times as fast", []string{"skip", "real", "x60"}
	if words == Clocks {
		about, offered = "virtual time: skip to the next timer, run in real time, N times as fast,\nor stop until you move it", append(offered, "manual")
	}
	flags.Var(command.NewPattern(&f.Clock, "skip", words), "clock", about)
	flags.Var(command.NewFilled(&f.startTime, ""), "start-time", "the virtual start `TIME`, such as 2026-01-01T00:00:00Z\n(default: the time in the fixtures, else now)")
	flags.Int64Var(&f.seed, "seed", command.DefaultSeed, "the seed `NUMBER` of random values (default: the seed in the fixtures, else 1)")
	flags.Var(command.NewFilled(&f.stop, ""), "stop", "stop the execution from outside: `'AFTER ERROR CAUSE'`, as in '5m Cancelled by the customer';\nERROR and CAUSE may be left out (default: stop in the fixtures)")
	flags.Lookup("seed").DefValue = "0" // the usage has the default in words
	command.AddDialect(flags, &f.dialect)
	flags.BoolVar(&f.NoLimits, "no-limits", false, "do not limit the size of payloads and variables (256 KiB in Step Functions)")
	flags.IntVar(&f.MaxHistory, "max-history", StepFunctionsHistory, "end the execution when its Step Functions history would exceed `N` events;\n0 for no limit")
	flags.IntVar(&f.maxEvaluation, "max-evaluation", jsonata.DefaultSteps, "stop a JSONata evaluation after `N` steps or N values, with error U1001\n(a limit of asldb, not of Step Functions)")
	f.Trace.addTo(cmd)
	command.CompleteWords(cmd, "clock", offered...)
}

// AddScreenTo adds the flags of the commands that open the screen.
func (f *Flags) AddScreenTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.Spec.Breakpoints, "break", "b", nil, "break at a `STATE`: a name, a path, a pattern (Char*), a stage (Charge:ResultPath),\nits errors (Charge:error); or at an event: error Card.*, A -> B, change $.total,\nat +5m. Options: if $.total > 100, hits == 3, once, log TEXT. Repeatable.\nUncaught errors always stop the run, unless disabled under Breakpoints (B)")
	f.AddLookTo(cmd)
	flags.StringArrayVar(&f.profiles, "coverage", nil, "show the coverage profile `FILE` with what the session goes through (:coverage, F2); repeatable")
	flags.BoolVar(&f.explore, "explore", false, "open with every fault of the tasks and the findings (:explore, F6); Enter opens a run at its fault")
	f.hasScreen = true
	flags.BoolVar(&f.NoState, "no-state", false, "neither load nor save breakpoints, watches, prompt history and consents to live calls\n(in $ASLDB_STATE, else in asldb in $XDG_STATE_HOME or ~/.local/state)")
	f.picture.addTo(cmd)
	_ = cmd.RegisterFlagCompletionFunc("break", command.CompleteBreakpoint) // fails only for a flag that does not exist
}

// AddLookTo adds the flags for the look of the screen.
func (f *Flags) AddLookTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.ascii, "ascii", false, "draw with ASCII characters only")
	flags.BoolVar(&f.noColor, "no-color", false, "disable colours (or set NO_COLOR)")
	flags.Var(command.NewForm(&f.theme, "auto", "auto|dark|light"), "theme", "colours for a dark or a light background; auto asks the terminal")
	flags.BoolVar(&f.noMouse, "no-mouse", false, "do not capture the mouse, so that the terminal can select text")
	settings.AddConfigTo(cmd, &f.config)
}

// ScreenStatuses are the lines about the exit status in the help of commands that open the screen.
const ScreenStatuses = `Exit status:
  0    you quit the screen
  2    the command line, the definition, the input or the fixtures are wrong
  130  interrupted (Ctrl+C)
  129, 131, 143  ended by SIGHUP, SIGQUIT or SIGTERM`
