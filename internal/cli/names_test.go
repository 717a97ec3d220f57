package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"asldb/internal/launch"
)

// ownForms are names whose values and words are those of a command, until one table of reports has them.
var ownForms = map[string]bool{"format": true, "output": true, "json": true}

// clause is the beginning of the words about a flag, up to its first punctuation: its meaning.
var clause = regexp.MustCompile(`^[^,;:(.]*`)

// TestNamesHaveOneMeaning: a flag that several commands have has the same letter, the same kind of value and the same
// meaning in all of them. What the help does not show are earlier spellings.
func TestNamesHaveOneMeaning(t *testing.T) {
	type meaning struct{ letter, value, words, command string }
	known := make(map[string]meaning)
	for _, cmd := range commandsOf(Commands()) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" || ownForms[f.Name] {
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
