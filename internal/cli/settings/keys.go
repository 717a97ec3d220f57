package settings

import (
	"fmt"
	"io"
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
	given, reports := &launch.Given{}, &command.Reports{}
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "List the actions of the screen, with keys and commands",
		Long: `Lists every action of the screen with its keys, its command and its description, as configured.
On the screen, ? shows the keys, : takes a command, and ctrl+p searches the commands.`,
		Example: "  asldb keys\n  asldb keys --format markdown",
		Args:    command.NoArguments,
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
			return reports.Answered(s, &report.Answer{Own: map[string]func(io.Writer, report.Look) error{
				report.TextForm: printed(keysText(table)), "markdown": printed(KeysMarkdown(table)),
			}})
		},
	}
	reports.AddTo(cmd, []string{report.TextForm, "markdown"})
	command.RowsOf(cmd, given).Row("config")
	return cmd
}

// keysText is the list in columns.
func keysText(table *keys.Map) string {
	first, second := 0, 0
	for _, row := range table.Bindings() {
		first, second = max(first, canvas.Width(row.AllShown())), max(second, canvas.Width(row.Usage()))
	}
	var b strings.Builder
	for _, group := range keys.Groups() {
		rows := table.In(group)
		if len(rows) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintln(&b, group)
		for i := range rows {
			shown, usage := rows[i].AllShown(), rows[i].Usage()
			fmt.Fprintf(&b, "  %s%s  %s%s  %s\n", shown, strings.Repeat(" ", first-canvas.Width(shown)),
				usage, strings.Repeat(" ", second-canvas.Width(usage)), rows[i].Help)
		}
	}
	for _, outside := range keys.Outside() {
		rows := outside.Bindings()
		fmt.Fprintf(&b, "\n%s\n", rows[0].Group)
		for i := range rows {
			shown := rows[i].AllShown()
			fmt.Fprintf(&b, "  %s%s  %s\n", shown, strings.Repeat(" ", max(first-canvas.Width(shown), 0)), rows[i].Help)
		}
	}
	return b.String()
}

// KeysMarkdown is the list as tables.
func KeysMarkdown(table *keys.Map) string {
	var b strings.Builder
	code := func(text string) string { return strings.ReplaceAll(wording.Code(text), "|", `\|`) }
	shown := func(b *keys.Binding) string {
		list := value.Each(b.Keys, func(key string) string { return code(keys.Shown(key)) })
		return strings.Join(list, " ")
	}
	for _, group := range keys.Groups() {
		rows := table.In(group)
		if len(rows) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "## %s\n\n| keys | command | does |\n|---|---|---|\n", group)
		for i := range rows {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", shown(&rows[i]), code(rows[i].Usage()), wording.Markdown(rows[i].Help))
		}
	}
	for _, outside := range keys.Outside() {
		rows := outside.Bindings()
		fmt.Fprintf(&b, "\n## %s\n\n| keys | does |\n|---|---|\n", rows[0].Group)
		for i := range rows {
			fmt.Fprintf(&b, "| %s | %s |\n", shown(&rows[i]), wording.Markdown(rows[i].Help))
		}
	}
	return b.String()
}
