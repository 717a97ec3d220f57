package settings

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/screen"
)

// NewKeys returns the command "keys".
func NewKeys(s *command.Streams) *cobra.Command {
	given, reports, all := &launch.Given{}, &command.Reports{}, false
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "List the keys of the screen, and with --all its commands",
		Args:  command.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			c, _, err := LoadConfig(given.Look.Config)
			if err != nil {
				return err
			}
			table := screen.KeysOf(c.Table)
			printed := func(text string) func(io.Writer, report.Look) error {
				return func(w io.Writer, _ report.Look) error {
					_, err := io.WriteString(w, text)
					return err
				}
			}
			list := surface(table)
			if all {
				list = append(list, commands(table)...)
			}
			return reports.Answered(s, &report.Answer{Own: map[string]func(io.Writer, report.Look) error{
				report.TextForm: printed(keysText(list, all)), "markdown": printed(keysMarkdown(list)),
			}})
		},
	}
	reports.AddTo(cmd, []string{report.TextForm, "markdown"})
	cmd.Flags().BoolVar(&all, "all", false, "print all, also the commands, the earlier keys and the keys of lists")
	command.RowsOf(cmd, given).Row("config")
	return cmd
}

// section is a table of the list: its heading, and rows of keys, earlier keys, command and description.
type section struct {
	heading string
	rows    [][4]string
}

// surface are the keys of a session.
func surface(table *keys.Map) []section {
	s := section{heading: "Keys"}
	for _, e := range table.Surface() {
		b := table.Binding(e.Actions[0])
		usage := b.Usage()
		if len(e.Actions) > 3 {
			usage = "" // the moves
		}
		s.rows = append(s.rows, [4]string{e.AllShown(), "", usage, e.Help})
	}
	return []section{s}
}

// commands are all actions by groups, and the keys of the screens outside of a session.
func commands(table *keys.Map) []section {
	var list []section
	for _, group := range keys.Groups() {
		s := section{heading: group.String()}
		for _, b := range table.In(group) {
			earlier := keys.Binding{Keys: b.Earlier}
			s.rows = append(s.rows, [4]string{b.AllShown(), earlier.AllShown(), b.Usage(), b.Help})
		}
		if len(s.rows) > 0 {
			list = append(list, s)
		}
	}
	for _, outside := range keys.Outside() {
		s := section{heading: outside.Bindings()[0].Group.String()}
		for _, b := range outside.Bindings() {
			s.rows = append(s.rows, [4]string{b.AllShown(), "", "", b.Help})
		}
		list = append(list, s)
	}
	return list
}

// keysText is the list in columns.
func keysText(list []section, all bool) string {
	const widest = 24 // of the keys; more of them do not push the others away
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		var columns [3]int
		rows := slices.Clone(s.rows)
		for k := range rows {
			row := &rows[k]
			if row[1] != "" {
				row[1] = "(" + row[1] + ")"
			}
			for column := range columns {
				columns[column] = max(columns[column], min(canvas.Width(row[column]), widest))
			}
		}
		fmt.Fprintln(&b, s.heading)
		for _, row := range rows {
			for column, width := range columns {
				if width > 0 {
					fmt.Fprint(&b, "  ", row[column], strings.Repeat(" ", max(width-canvas.Width(row[column]), 0)))
				}
			}
			fmt.Fprintf(&b, "  %s\n", row[3])
		}
	}
	if !all {
		b.WriteString("\nEverything else is a command: asldb keys --all lists them, and the earlier keys.\n")
	}
	return b.String()
}

// KeysMarkdown is the list with all actions as tables.
func KeysMarkdown(table *keys.Map) string {
	return keysMarkdown(append(surface(table), commands(table)...))
}

func keysMarkdown(list []section) string {
	var b strings.Builder
	code := func(text string) string {
		if text == "" {
			return ""
		}
		return strings.ReplaceAll(wording.Code(text), "|", `\|`)
	}
	codes := func(text string) string { return strings.Join(value.Each(strings.Split(text, ", "), code), " ") }
	for i, s := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "## %s\n\n| keys | earlier keys | command | does |\n|---|---|---|---|\n", s.heading)
		for _, row := range s.rows {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", codes(row[0]), codes(row[1]), code(row[2]), wording.Markdown(row[3]))
		}
	}
	return b.String()
}
