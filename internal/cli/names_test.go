package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"asldb/internal/launch"
)

// clause is the beginning of the words about a flag, up to its first punctuation: its meaning.
var clause = regexp.MustCompile(`^[^,;:(.]*`)

// TestNamesHaveOneMeaning: a flag that several commands have has the same letter, the same kind of value and the same
// meaning in all of them. What the help does not show are earlier spellings.
func TestNamesHaveOneMeaning(t *testing.T) {
	type meaning struct{ letter, value, words, command string }
	known := make(map[string]meaning)
	for _, cmd := range commandsOf(Commands()) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			value, usage := pflag.UnquoteUsage(f)
			usage = strings.Join(strings.Fields(usage), " ")
			kind := value
			if namesFile(value) {
				usage, kind = strings.Replace(usage, value, "FILE", 1), "FILE"
			} else if strings.Contains(value, "|") {
				kind = "words"
			}
			m := meaning{f.Shorthand, kind, strings.TrimSpace(clause.FindString(usage)), cmd.CommandPath()}
			first, is := known[f.Name]
			if !is {
				known[f.Name] = m
				return
			}
			if m.letter != first.letter || m.value != first.value || m.words != first.words {
				t.Errorf("--%s of %s is -%s %s %q, and of %s -%s %s %q", f.Name, m.command, m.letter, m.value, m.words,
					first.command, first.letter, first.value, first.words)
			}
		})
	}
}

// TestEarlierNames: a name that the help does not show is another name of a flag of the same command, and says so where
// it is used, unless it is declared here with the reason.
func TestEarlierNames(t *testing.T) {
	declared := map[string]string{
		"asldb compare --strict": "it is short for two flags, and harmless with another meaning in mind",
	}
	for _, cmd := range commandsOf(Commands()) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			name := cmd.CommandPath() + " --" + f.Name
			if !f.Hidden || declared[name] != "" {
				delete(declared, name)
				return
			}
			var said strings.Builder
			cmd.SetErr(&said)
			_ = f.Value.Set("1") // any value: the notice comes first
			current := regexp.MustCompile(`^note: --` + f.Name +
				` is called --([a-z-]+) in asldb`).FindStringSubmatch(said.String())
			if current == nil {
				t.Fatalf("%s is hidden, and its use says %q", name, said.String())
			}
			shown := cmd.Flags().Lookup(current[1])
			if shown == nil || shown.Hidden || shown.Usage != f.Usage || shown.Value.Type() != f.Value.Type() {
				t.Errorf("%s is another name of --%s, which is another flag", name, current[1])
			}
		})
	}
	for name := range declared {
		t.Errorf("%s is declared, and not hidden", name)
	}
}

// TestFlagsOfARunAreRows: the flags of the table of [launch.Flags] are registered as its rows, by every command.
func TestFlagsOfARunAreRows(t *testing.T) {
	rows := make(map[string]*launch.Flag)
	for _, row := range launch.Flags(^launch.Uses(0)) {
		rows[row.Name] = row
	}
	used := make(map[string]bool)
	for _, cmd := range commandsOf(Commands()) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			row := rows[f.Name]
			if row == nil || f.Hidden {
				return
			}
			used[row.Name] = true
			if !strings.HasPrefix(f.Usage, row.About) || f.Shorthand != row.Short ||
				len(f.Annotations["section"]) == 0 {
				t.Errorf("--%s of %s is not the row of the table: %q", f.Name, cmd.CommandPath(), f.Usage)
			}
		})
	}
	for name := range rows {
		if !used[name] {
			t.Errorf("no command has --%s", name)
		}
	}
}
