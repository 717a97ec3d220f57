package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"asldb/engine/debug"
	"asldb/engine/jsonata"
	"asldb/internal/launch"
	"asldb/internal/spelling"
	"asldb/internal/visible"
)

// defaultSeed is the seed of random choices where neither the flag nor the fixtures have one.
const defaultSeed = 1

// stepFunctionsHistory is the greatest number of events in the history of a standard workflow. It also
// keeps a state machine that loops for ever from filling the memory.
const stepFunctionsHistory = 25_000

// sessionFlags are the flags of every command that runs a definition.
type sessionFlags struct {
	fixturesFlags

	spec launch.Spec // filled by the flags

	onMissing, dialect, clock, startTime, redriveTime string

	seed       int64
	maxHistory int
	// maxEvaluation bounds an evaluation of JSONata, in steps and in values built.
	maxEvaluation int
	noLimits      bool
	trace         traceFlags
	test          caseFlag

	ascii, noColor, noMouse, noState bool
	theme, config                    string
	begin                            func(*debug.Session) // runs the session before it is shown; nil: nothing runs
	hasScreen                        bool                 // the command opens the screen
}

// addFilesTo adds the flags of the commands that take a definition.
func (f *sessionFlags) addFilesTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(newFilled(&f.spec.Input.Text, ""), "input", "i", "the input: a `FILE`, JSON text, or - for standard input\n(default: the input in the fixtures, else {})")
	f.addFixturesTo(cmd, &f.spec.Fixtures)
	addHistoryTo(cmd, &f.spec.History)
	addDefinitionFlags(cmd, &f.spec.Definition)
}

// form is a flag whose help shows the words that it takes. Its value is checked where it is used.
type form struct {
	value *string
	words string
}

func newForm(value *string, initial, words string) form {
	*value = initial
	return form{value, words}
}

// String, Set and Type implement pflag.Value.
func (f form) String() string {
	if f.value == nil {
		return ""
	}
	return *f.value
}

func (f form) Set(text string) error { *f.value = text; return nil }

func (f form) Type() string { return f.words }

// filled is a flag that takes any text but the empty one, which is most often a variable of the shell that is
// not set.
type filled struct{ value *string }

func newFilled(value *string, initial string) filled {
	*value = initial
	return filled{value}
}

// String, Set and Type implement pflag.Value.
func (f filled) String() string {
	if f.value == nil {
		return ""
	}
	return *f.value
}

func (f filled) Set(text string) error {
	if text == "" {
		return errEmpty
	}
	*f.value = text
	return nil
}

func (f filled) Type() string { return "TEXT" }

var errEmpty = errors.New("an empty text")

// flagError returns the error of a wrong flag, in the words of this program.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	if errors.As(err, &invalid) {
		name, given := invalid.GetFlag().Name, clip(invalid.GetValue(), maxQuoted)
		switch {
		case errors.Is(err, errEmpty):
			err = fmt.Errorf("--%s is given an empty text", name)
		case errors.As(err, &number) && invalid.GetFlag().Value.Type() == "bool":
			err = fmt.Errorf("--%s is true or false, and this is %q", name, given)
		case errors.As(err, &number) && errors.Is(number.Err, strconv.ErrRange):
			err = fmt.Errorf("--%s takes a whole number of at most 64 bits, and this is %q", name, given)
		case errors.As(err, &number):
			err = fmt.Errorf("--%s takes a whole number, and this is %q", name, given)
		}
	}
	err = elsewhere(cmd, err)
	return fmt.Errorf("%w\nsee %q", oneLine(err), cmd.CommandPath()+" --help")
}

// elsewhere returns the error of a flag that a command does not have, with the commands that have it.
func elsewhere(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name, shown := unknown.GetSpecifiedName(), "--"+unknown.GetSpecifiedName()
	short := unknown.GetSpecifiedShortnames() != ""
	if short {
		shown = "-" + name
	}
	var have []string
	for _, other := range cmd.Root().Commands() {
		flag := other.Flags().Lookup(name)
		if short {
			flag = nil
			if len(name) == 1 { // others are no short flag
				flag = other.Flags().ShorthandLookup(name)
			}
		}
		if flag != nil && other != cmd {
			have = append(have, other.Name())
		}
	}
	var near string
	if !short {
		var own []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { own = append(own, f.Name) })
		near = spelling.Nearest(name, slices.Values(own))
	}
	command := cmd.Name()
	if !cmd.HasParent() {
		command = "asldb"
	}
	switch shown = visible.Line(clip(shown, maxQuoted)); {
	case near != "":
		return fmt.Errorf("%s has no %s; did you mean --%s?", command, shown, near)
	case len(have) == 1:
		return fmt.Errorf("%s has no %s; %s has", command, shown, have[0])
	case len(have) > 1:
		return fmt.Errorf("%s has no %s; %s and %s have", command, shown, strings.Join(have[:len(have)-1], ", "), have[len(have)-1])
	}
	return fmt.Errorf("%s has no %s", command, shown)
}

// clocks are the words that --clock takes at a screen; without one it cannot be moved.
const (
	clocks           = "skip|real|xN|manual"
	unattendedClocks = "skip|real|xN"
)

// addTo adds the flags of every command that runs a definition; words are those of --clock.
func (f *sessionFlags) addTo(cmd *cobra.Command, onMissing, words string) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(newForm(&f.onMissing, onMissing, "ask|fail|echo"), "on-missing", "for a task without a result: ask for it, fail, or return the task's payload")
	about, offered := "virtual time: skip to the next timer, run in real time, or N times as fast", []string{"skip", "real", "x60"}
	if words == clocks {
		about, offered = "virtual time: skip to the next timer, run in real time, N times as fast,\nor stand until you move it", append(offered, "manual")
	}
	flags.Var(newForm(&f.clock, "skip", words), "clock", about)
	flags.Var(newFilled(&f.startTime, ""), "start-time", "the virtual start `TIME`, such as 2026-01-01T00:00:00Z\n(default: the time in the fixtures, else now)")
	flags.Int64Var(&f.seed, "seed", defaultSeed, "the seed `NUMBER` of random values (default: the seed in the fixtures, else 1)")
	flags.Lookup("seed").DefValue = "0" // the usage has the default in words
	flags.Var(newForm(&f.dialect, "aws", "aws|spec"), "dialect", "behave as Step Functions or as the specification where they differ")
	flags.BoolVar(&f.noLimits, "no-limits", false, "do not limit the size of payloads and variables (256 KiB in Step Functions)")
	flags.IntVar(&f.maxHistory, "max-history", stepFunctionsHistory, "end the execution when its Step Functions history would exceed `N` events;\n0 for no limit")
	flags.IntVar(&f.maxEvaluation, "max-evaluation", jsonata.DefaultSteps, "end a JSONata evaluation with U1001 after `N` steps, or as many values; the\nlimit is asldb's own")
	f.trace.addTo(cmd)
	completeWords(cmd, "on-missing", "ask", "fail", "echo")
	completeWords(cmd, "clock", offered...)
	completeWords(cmd, "dialect", "aws", "spec")
}

// addScreenTo adds the flags of the commands that open the screen.
func (f *sessionFlags) addScreenTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.spec.Breakpoints, "break", "b", nil, "break at a `STATE`: a name, a path, a pattern (Char*), a stage (Charge:ResultPath),\nits errors (Charge:error); or at an event: error Card.*, A -> B, change $.total,\nat +5m. Options: if $.total > 100, hits == 3, once, log TEXT. Repeatable.\nUncaught errors always stop the run, unless disabled under Breakpoints (B)")
	flags.BoolVar(&f.ascii, "ascii", false, "draw with ASCII characters only")
	flags.BoolVar(&f.noColor, "no-color", false, "disable colours (or set NO_COLOR)")
	flags.Var(newForm(&f.theme, "auto", "auto|dark|light"), "theme", "colours for a dark or a light background; auto asks the terminal")
	flags.BoolVar(&f.noMouse, "no-mouse", false, "do not capture the mouse, so that the terminal can select text")
	f.hasScreen = true
	flags.BoolVar(&f.noState, "no-state", false, "neither load nor save breakpoints, watches, prompt history and consents to live calls\n(in $ASLDB_STATE, else in asldb in $XDG_STATE_HOME or ~/.local/state)")
	addConfigTo(cmd, &f.config)
	completeWords(cmd, "theme", "auto", "dark", "light")
	_ = cmd.RegisterFlagCompletionFunc("break", completeState) // fails only for a flag that does not exist
}

// addConfigTo adds the flag that names the configuration file.
func addConfigTo(cmd *cobra.Command, file *string) {
	cmd.Flags().Var(newFilled(file, ""), "config", "the configuration `FILE`\n(default: asldb/config.yaml in $XDG_CONFIG_HOME or ~/.config)")
}

func completeWords(cmd *cobra.Command, flag string, words ...string) {
	// It fails only for a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// completeState offers the states of the definition that the command line names already.
func completeState(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	definition, err := (&launch.Definition{}).Nested(launch.Files{Stdin: strings.NewReader("")}, args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for state := range definition.All() {
		names = append(names, state.Name)
	}
	return seen(names), cobra.ShellCompDirectiveNoFileComp
}

// seen returns the names without a hidden character: a shell writes completions to the terminal unchanged.
func seen(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return visible.Line(name) != name })
}
