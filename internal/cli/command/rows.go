package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"asldb/internal/launch"
)

// Rows adds rows of the table of flags (see [launch.Flag]) to a command, in the order of the calls.
type Rows struct {
	cmd   *cobra.Command
	given *launch.Given
}

// RowsOf returns the rows of a command, whose values go into given.
func RowsOf(cmd *cobra.Command, given *launch.Given) Rows {
	cmd.Flags().SortFlags = false
	return Rows{cmd, given}
}

// Add adds the rows of uses that the command does not have yet.
func (r Rows) Add(uses launch.Uses) Rows {
	for _, row := range launch.Flags(uses) {
		r.Row(row.Name)
	}
	if uses&(launch.Named|launch.Projects) != 0 {
		r.cmd.MarkFlagsMutuallyExclusive("project", "no-project")
	}
	return r
}

// Row adds a row. rest replaces the words behind its meaning.
func (r Rows) Row(name string, rest ...string) Rows {
	row := launch.FlagOf(name)
	v := &rowValue{row: row, given: r.given}
	if row.Default != "" {
		_ = v.Set(row.Default) // a test sets all
	}
	flag := r.cmd.Flags().VarPF(v, name, row.Short, row.About+row.Rest)
	if row.Switch() {
		flag.NoOptDefVal = "true"
	}
	if len(rest) > 0 {
		flag.Usage = row.About + rest[0]
	}
	Under(r.cmd, row.Section, name)
	if complete := completions[name]; complete != nil {
		_ = r.cmd.RegisterFlagCompletionFunc(name, complete) // it fails only for a flag that does not exist
	}
	return r
}

// AddReadOutside adds the row of commands that only read files.
func AddReadOutside(cmd *cobra.Command) { RowsOf(cmd, &launch.Given{}).Row("read-outside") }

// ValueError says that a value is none that a flag takes.
type ValueError = launch.ValueError

// completions are the completions of rows that name a part of another file.
var completions = map[string]cobra.CompletionFunc{
	"resource": completeResource, "case": CompleteCase, "break": CompleteBreakpoint, "test": CompleteSuiteCase,
	"clock": completeClock,
}

// completeClock offers what the help of the command shows, with a factor.
func completeClock(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	words := strings.Split(cmd.Flags().Lookup("clock").Value.Type(), "|")
	words[slices.Index(words, "xN")] = "x60"
	return words, cobra.ShellCompDirectiveNoFileComp
}

// Unattended changes the rows of a command without a screen: a task without a result fails, and the clock cannot be
// moved.
func (r Rows) Unattended() Rows {
	missing, clock := r.cmd.Flags().Lookup("on-missing"), r.cmd.Flags().Lookup("clock")
	_ = missing.Value.Set("fail") // it is one of the words
	missing.DefValue = "fail"
	clock.Value.(*rowValue).shown = "skip|real|xN"
	clock.Usage = launch.FlagOf("clock").About
	return r
}

// sectionKey is the key of the annotation of a flag with its section.
const sectionKey = "section"

// Under puts flags of a command under the heading of a section.
func Under(cmd *cobra.Command, section launch.Section, names ...string) {
	for _, name := range names {
		// It fails only for a flag that does not exist.
		_ = cmd.Flags().SetAnnotation(name, sectionKey, []string{section.String()})
	}
}

// Alias gives a flag another name, an earlier one, which the help does not show. Other commands may have a flag of that
// name with another meaning: its use says which name is meant.
func Alias(cmd *cobra.Command, old, name string) {
	flag := *cmd.Flags().Lookup(name)
	flag.Name, flag.Shorthand, flag.Hidden = old, "", true
	flag.Value = &earlier{flag.Value, cmd, "--" + old + " is called --" + name}
	cmd.Flags().AddFlag(&flag)
}

// earlier is the value of a flag by an earlier name.
type earlier struct {
	pflag.Value
	cmd    *cobra.Command
	notice string // empty: it is given
}

// Set implements pflag.Value.
func (e *earlier) Set(text string) error {
	if e.notice != "" {
		fmt.Fprintf(e.cmd.ErrOrStderr(), "note: %s in %s\n", e.notice, e.cmd.CommandPath())
		e.notice = ""
	}
	return e.Value.Set(text)
}

// rowValue is a row of the table as a flag of a command.
type rowValue struct {
	row   *launch.Flag
	given *launch.Given
	text  string
	shown string // in the help, in place of the row's value
}

// String, Set and Type implement pflag.Value.
func (v *rowValue) String() string { return v.text }

func (v *rowValue) Set(text string) error {
	if text == "" && !v.row.Empty && !v.row.Switch() {
		return ErrEmpty
	}
	v.text = text
	return v.row.Set(v.given, text)
}

func (v *rowValue) Type() string {
	switch {
	case v.row.Switch():
		return "bool"
	case v.shown != "":
		return v.shown
	case v.row.Value == "":
		return "TEXT"
	}
	return v.row.Value
}

// Headed are flags of a command below a heading.
type Headed struct {
	Heading string
	Rare    bool // left out of a short help
	Flags   *pflag.FlagSet
}

// A command with more flags than these has them by section, and a short help without the flags of rare sections.
const (
	manyFlags    = 12
	tooManyFlags = 30
)

// Sections returns the flags of a command by section, those without one first.
func Sections(cmd *cobra.Command) []Headed {
	count := 0
	flags := cmd.LocalFlags()
	flags.VisitAll(func(*pflag.Flag) { count++ })
	list := []Headed{{Heading: "Flags"}}
	for section := range launch.Sections() {
		list = append(list, Headed{Heading: section.String(), Rare: section.Rare() && count > tooManyFlags})
	}
	for i := range list {
		list[i].Flags = pflag.NewFlagSet("", pflag.ContinueOnError)
		list[i].Flags.SortFlags = flags.SortFlags
	}
	flags.VisitAll(func(f *pflag.Flag) {
		at := 0
		if section := SectionOf(f); section != "" && count > manyFlags {
			at = slices.IndexFunc(list, func(h Headed) bool { return h.Heading == section })
		}
		list[at].Flags.AddFlag(f)
	})
	return slices.DeleteFunc(list, func(h Headed) bool { return !h.Flags.HasAvailableFlags() })
}

// SectionOf returns the heading of the section that a flag of the table is in; empty for a flag of one command.
func SectionOf(f *pflag.Flag) string {
	if section := f.Annotations[sectionKey]; len(section) > 0 {
		return section[0]
	}
	return ""
}

// usual are the flags in the short help of the program.
var usual = []string{
	"fixtures", "input", "break", "on-missing", "history", "allow-live", "plain", "no-color", "help", "version",
}

// FlagUsages returns the flags of a command for its help, by section. A short help says how to see the rare ones.
func FlagUsages(cmd *cobra.Command, all bool) string {
	var out strings.Builder
	var left []string
	short := !cmd.HasParent() && !all
	if short {
		few := pflag.NewFlagSet("", pflag.ContinueOnError)
		few.SortFlags = false
		for _, name := range usual {
			few.AddFlag(cmd.Flags().Lookup(name))
		}
		out.WriteString("Flags:\n" + few.FlagUsages() + "\n")
	}
	for _, section := range Sections(cmd) {
		if section.Heading == "Flags" && short {
			continue
		}
		if (section.Rare || short) && !all {
			left = append(left, section.Heading)
			continue
		}
		out.WriteString(section.Heading + ":\n" + section.Flags.FlagUsages() + "\n")
	}
	if len(left) > 0 {
		out.WriteString("More (" + cmd.CommandPath() + " --help=all): " + strings.Join(left, ", ") + "\n")
	}
	return strings.TrimRight(out.String(), "\n")
}
