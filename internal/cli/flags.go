package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"asldb.dev/asldb/engine/asl"
)

// defaultSeed is what random choices are drawn from where neither the flag nor the fixtures say.
const defaultSeed = 1

// stepFunctionsHistory is the greatest number of events in the history of a standard workflow. It also
// keeps a state machine that loops for ever from filling the memory.
const stepFunctionsHistory = 25_000

// sessionFlags are the flags of every command that runs a definition.
type sessionFlags struct {
	input, fixtures, onMissing, dialect, clock, startTime string

	seed       int64
	maxHistory int
	noLimits   bool
	breaks     []string

	ascii, noColor, noMouse bool
	theme                   string
}

// addFilesTo adds the flags of the commands that take a definition.
func (f *sessionFlags) addFilesTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.input, "input", "i", "", "the input: a `FILE`, JSON text, or - for standard input\n(default: the fixtures' input, else {})")
	flags.StringVarP(&f.fixtures, "fixtures", "f", "", "a `FILE` with the results of tasks (YAML or JSON)")
}

// form is a flag whose help shows which words it takes. What it takes is checked where it is used.
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

// addTo adds the flags that every command has that runs a definition.
func (f *sessionFlags) addTo(cmd *cobra.Command, onMissing string) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(newForm(&f.onMissing, onMissing, "ask|fail|echo"), "on-missing", "a task without a result: ask you for it, fail, or echo the task's payload")
	flags.Var(newForm(&f.clock, "skip", "skip|real|xN|hand"), "clock", "virtual time: skip to the next timer, follow real time, go N times as fast,\nor wait for you to move it by hand")
	flags.StringVar(&f.startTime, "start-time", "", "the virtual `TIME` of the start, such as 2026-01-01T00:00:00Z\n(default: the fixtures', else the present)")
	flags.Int64Var(&f.seed, "seed", defaultSeed, "the `NUMBER` that random choices are drawn from\n(default: the fixtures', else 1)")
	flags.Lookup("seed").DefValue = "0" // the default is told in words
	flags.Var(newForm(&f.dialect, "aws", "aws|spec"), "dialect", "whom to follow where Step Functions and the published text differ")
	flags.BoolVar(&f.noLimits, "no-limits", false, "let payloads and variables be larger than Step Functions allows (256 KiB)")
	flags.IntVar(&f.maxHistory, "max-history", stepFunctionsHistory, "end the execution when Step Functions' history of it would have more\nthan `N` events; 0 for no bound")
	completeWords(cmd, "on-missing", "ask", "fail", "echo")
	completeWords(cmd, "clock", "skip", "real", "x60", "hand")
	completeWords(cmd, "dialect", "aws", "spec")
}

// addScreenTo adds the flags of the commands that open the screen.
func (f *sessionFlags) addScreenTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.breaks, "break", "b", nil, "stop at a `STATE`: its name, its path, a pattern (Char*), one of its stages\n(Charge:ResultPath), its errors (Charge:error); repeat for several")
	flags.BoolVar(&f.ascii, "ascii", false, "draw with ASCII characters only")
	flags.BoolVar(&f.noColor, "no-color", false, "use no colours (NO_COLOR in the environment does the same)")
	flags.Var(newForm(&f.theme, "dark", "dark|light"), "theme", "colours for a dark or for a light background")
	flags.BoolVar(&f.noMouse, "no-mouse", false, "leave the mouse to the terminal, to select text with it")
	completeWords(cmd, "theme", "dark", "light")
	_ = cmd.RegisterFlagCompletionFunc("break", completeState) // fails only for a flag that does not exist
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
	_, data, err := readFile(&streams{in: strings.NewReader("")}, args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	definition, _ := asl.Parse(&asl.Source{Name: args[0], Data: data})
	if definition == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for state := range definition.All() {
		names = append(names, state.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
