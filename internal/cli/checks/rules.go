package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/rules"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/wording"
)

// NewRules returns the command "rules".
func NewRules(s *command.Streams) *cobra.Command {
	var explain string
	var differences bool
	given := &launch.Given{}
	cmd := &cobra.Command{
		Use:   "rules [DEFINITION]",
		Short: "List and explain the rules of asldb validate",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("explain") {
				if len(args) > 0 {
					return fmt.Errorf("--explain takes one rule, and no definition")
				}
				return explainRule(s, explain)
			}
			if differences {
				if len(args) > 0 {
					return fmt.Errorf("--dialects takes no definition")
				}
				return listDifferences(s)
			}
			file := ""
			if len(args) > 0 {
				file = args[0]
			}
			if err := existing(s, file); err != nil {
				return err
			}
			p, err := given.Spec.Definition.Projects.For(file)
			if err != nil {
				return err
			}
			return listRules(s, p, file)
		},
		ValidArgsFunction: command.CompleteDefinition,
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(command.NewFilled(&explain, ""), "explain", "explain a `RULE`")
	cmd.Flags().BoolVar(&differences, "dialects", false, "list in what the dialects differ, with the answer of each")
	command.RowsOf(cmd, given).Add(launch.Projects)
	command.CompleteWords(cmd, "explain", rules.Names()...)
	return cmd
}

// existing returns an error for a definition that is not there, which may be the name of a rule.
func existing(s *command.Streams, file string) error {
	err := s.Existing(file)
	if err == nil {
		return nil
	}
	if _, known := rules.Find(file); known {
		const text = "%q is a rule, and asldb rules takes a definition: asldb rules --explain %[1]s explains it"
		return fmt.Errorf(text, file)
	}
	if near := wording.Nearest(file, slices.Values(rules.Names())); near != "" {
		return fmt.Errorf("%w; did you mean the rule %q: asldb rules --explain %[2]s?", err, near)
	}
	return err
}

// listRules writes all rules with their levels in a file, which is empty for none; p may be nil.
func listRules(s *command.Streams, p *project.Project, file string) error {
	var out strings.Builder
	changed := false
	for r := range rules.All() {
		level := project.LevelOf(r.Severity).String()
		if own, known := p.Level(r.Name, file); known {
			level, changed = own.String()+"*", true
		}
		fmt.Fprintf(&out, "%-38s %-8s %-10s %s\n", r.Name, level, r.Evidence(), r.Summary)
	}
	if changed {
		fmt.Fprintf(&out, "\n* from %s\n", p.Source.Name)
	}
	return printText(s, out.String())
}

// listDifferences writes the table of dialects.
func listDifferences(s *command.Streams) error {
	var out strings.Builder
	indent := strings.Repeat(" ", 2+len(strings.Join(rules.DialectNames()[1:], ", "))+2)
	for d := range rules.Differences() {
		out.WriteString(d.About + "\n")
		for names, answer := range d.Groups() {
			first := fmt.Sprintf("%-*s", len(indent), "  "+strings.Join(names, ", "))
			for _, line := range breakLines(answer, explainWidth-len(indent)) {
				out.WriteString(first + line + "\n")
				first = indent
			}
		}
	}
	return printText(s, out.String())
}

// explainWidth is the width of an explanation's lines, in characters.
const explainWidth = 90

// explainRule writes the explanation of a rule.
func explainRule(s *command.Streams, name string) error {
	r, known := rules.Find(name)
	if !known {
		if near := wording.Nearest(name, slices.Values(rules.Names())); near != "" {
			return fmt.Errorf("there is no rule %q; did you mean %q?", command.Clip(name, command.MaxQuoted), near)
		}
		return fmt.Errorf("there is no rule %q; asldb rules lists them", command.Clip(name, command.MaxQuoted))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s (%s, %s)\n\n  %s\n\n", r.Name, r.Severity, rules.Codes()[r.Name], r.Summary)
	for _, line := range breakLines(r.Explanation, explainWidth) {
		out.WriteString("  " + line + "\n")
	}
	if mark, ok := r.Sureness(); ok {
		fmt.Fprintf(&out, "\n  Sureness: %s: %s\n", mark, mark.Reason())
	}
	fmt.Fprintf(&out, "\n  See: %s\n", r.Section)
	if url := r.URL(); url != "" {
		out.WriteString("       " + url + "\n")
	}
	for _, example := range []struct{ title, text string }{{"Wrong", r.Wrong}, {"Right", r.Right}} {
		if example.text != "" {
			fmt.Fprintf(&out, "\n%s:\n\n  %s\n", example.title,
				strings.ReplaceAll(strings.TrimRight(example.text, "\n"), "\n", "\n  "))
		}
	}
	return printText(s, out.String())
}
