package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"asldb/engine/rules"
	"asldb/internal/cli/command"
)

// The pages of reference are written from the program's own tables: go test ./internal/cli -run TestReference -update.
const generated = "\n<!-- Written by a test from the program's own tables: go test ./internal/cli -run TestReference -update -->\n"

// TestReferencePages compares the pages of reference with the program; -update writes them.
func TestReferencePages(t *testing.T) {
	for name, page := range map[string]string{
		"commands.md":        commandsPage(),
		"rules-reference.md": rulesPage(),
		"fields.md":          fieldsPage(t),
	} {
		compareFile(t, filepath.Join("..", "..", "docs", name), []byte(page))
	}
}

// commandsPage describes every command as its help does.
func commandsPage() string {
	var b strings.Builder
	b.WriteString("# Commands\n" + generated + "\n`asldb COMMAND --help=all` prints the same. [The keys of the screen](keys.md) have a page of their own.\n\n| command | |\n|---|---|\n")
	root := Commands()
	all := commandsOf(root)
	for _, cmd := range all {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s |\n", cmd.CommandPath(), strings.ReplaceAll(cmd.CommandPath(), " ", "-"), markdownCell(cmd.Short))
	}
	for _, cmd := range all {
		fmt.Fprintf(&b, "\n## %s\n\n", cmd.CommandPath())
		text := cmd.Long
		if text == "" {
			text = cmd.Short + "."
		}
		b.WriteString(paragraphs(text))
		fmt.Fprintf(&b, "\n```text\n%s\n```\n", cmd.UseLine())
		if cmd.Example != "" {
			fmt.Fprintf(&b, "\nExamples:\n\n```text\n%s\n```\n", strings.ReplaceAll(strings.TrimPrefix(cmd.Example, "  "), "\n  ", "\n"))
		}
		b.WriteString(flagsTable(cmd))
	}
	return b.String()
}

// commandsOf are a command and those below it that people call, in their order.
func commandsOf(cmd *cobra.Command) (list []*cobra.Command) {
	if cmd.Hidden || cmd.Name() == "help" || cmd.Parent() != nil && cmd.Parent().Name() == "completion" {
		return nil
	}
	list = append(list, cmd)
	for _, child := range cmd.Commands() {
		list = append(list, commandsOf(child)...)
	}
	return list
}

// paragraphs is the text of a help as Markdown: paragraphs with columns stay as they are.
func paragraphs(text string) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		head, columns, hasColumns := cutColumns(paragraph)
		if head != "" {
			b.WriteString(prose(head) + "\n")
		}
		if hasColumns {
			if head != "" {
				b.WriteByte('\n')
			}
			b.WriteString("```text\n" + columns + "\n```\n")
		}
	}
	return b.String()
}

// cutColumns divides a paragraph before its first line that is indented.
func cutColumns(paragraph string) (head, columns string, found bool) {
	lines := strings.Split(paragraph, "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "  ") })
	if at < 0 {
		return paragraph, "", false
	}
	return strings.Join(lines[:at], "\n"), strings.Join(lines[at:], "\n"), true
}

// prose is text in which nothing is markup.
func prose(text string) string {
	return strings.NewReplacer("<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "`", "\\`").Replace(text)
}

func markdownCell(text string) string {
	return strings.ReplaceAll(prose(strings.Join(strings.Fields(text), " ")), "|", `\|`)
}

// flagsTable lists the flags of a command. Those that every command has are left out.
func flagsTable(cmd *cobra.Command) string {
	var b strings.Builder
	sections := command.Sections(cmd)
	for _, section := range sections {
		if rows := flagRows(section.Flags); rows != "" && len(sections) > 1 {
			b.WriteString("\n" + section.Heading + ":\n\n| flag | |\n|---|---|\n" + rows)
		} else if rows != "" {
			b.WriteString("\n| flag | |\n|---|---|\n" + rows)
		}
	}
	return b.String()
}

func flagRows(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		name, about := pflag.UnquoteUsage(f)
		shown := "--" + f.Name
		if f.Shorthand != "" {
			shown = "-" + f.Shorthand + ", " + shown
		}
		if name != "" {
			shown += " " + name
		}
		switch f.DefValue {
		case "", "false", "0", "[]":
		default:
			about += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(shown, "|", `\|`), markdownCell(about))
	})
	return b.String()
}

// rulesPage describes the rules of validate.
func rulesPage() string {
	var b strings.Builder
	b.WriteString("# The rules of validate\n" + generated + "\n`asldb rules --explain RULE` adds a wrong and a right example, and the source of the rule. " +
		"[rules.md](rules.md) says how to set levels. The sureness says how it is known that Step Functions refuses, or does, what a rule says.\n\n| rule | level | sureness | |\n|---|---|---|---|\n")
	for rule := range rules.All() {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s |\n", rule.Name, rule.Name, rule.Severity, rule.Evidence(), markdownCell(rule.Summary))
	}
	for rule := range rules.All() {
		fmt.Fprintf(&b, "\n## %s\n\n%s %s\n", rule.Name, prose(rule.Summary), prose(rule.Explanation))
		if rule.Section != "" {
			fmt.Fprintf(&b, "\nSource: %s\n", prose(rule.Section))
		}
	}
	b.WriteString("\n# The dialects\n\n`asldb rules --dialects` prints this table. `aws` is the default: Step Functions " +
		"as it was recorded. `spec` is today's text of the States\nLanguage, `spec@2020` that of August 2020, and " +
		"`spec@2016` the first one.\n\n| matter | `" + strings.Join(rules.DialectNames(), "` | `") + "` |\n|---|---|---|---|---|\n")
	for d := range rules.Differences() {
		b.WriteString("| " + markdownCell(d.About) + " |")
		for _, answer := range d.Answers {
			b.WriteString(" " + markdownCell(answer) + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// schema is a part of a JSON Schema that describes fields.
type schema struct {
	Description string
	Ref         string `json:"$ref"`
	Enum        []any
	Properties  map[string]json.RawMessage
	Required    []string
	Defs        map[string]json.RawMessage `json:"$defs"`
}

// fieldsPage describes the fields of suites and fixtures, by their schemas.
func fieldsPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString("# Fields of fixtures and suites\n" + generated + "\n[fixtures.md](fixtures.md) and [testing.md](testing.md) show them in use. `asldb fixtures schema` and `asldb test --schema` print the schemas, " +
		"which editors can use for completion.\n")
	for _, part := range []struct{ title, text string }{{"A fixtures file", printed(t, "fixtures", "schema")}, {"A suite", printed(t, "test", "--schema")}} {
		var whole schema
		if err := json.Unmarshal([]byte(part.text), &whole); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n## %s\n%s", part.title, fieldsOf(t, &whole, &whole, part.text))
		for _, name := range slices.Sorted(maps.Keys(whole.Defs)) {
			var def schema
			if json.Unmarshal(whole.Defs[name], &def) != nil || len(def.Properties) == 0 {
				continue
			}
			fmt.Fprintf(&b, "\n### %s: %s\n", part.title, name)
			if def.Description != "" {
				b.WriteString("\n" + prose(def.Description) + "\n")
			}
			b.WriteString(fieldsOf(t, &whole, &def, string(whole.Defs[name])))
		}
	}
	return b.String()
}

// fieldsOf is the table of the fields of an object, in the order of the text.
func fieldsOf(t *testing.T, whole, object *schema, text string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("\n| field | |\n|---|---|\n")
	place := func(name string) int {
		_, properties, _ := strings.Cut(text, `"properties"`)
		return strings.Index(properties, `"`+name+`":`)
	}
	names := slices.SortedFunc(maps.Keys(object.Properties), func(a, b string) int { return place(a) - place(b) })
	for _, name := range names {
		var field schema
		_ = json.Unmarshal(object.Properties[name], &field) // true: any value
		about := field.Description
		if def, ok := strings.CutPrefix(field.Ref, "#/$defs/"); ok && about == "" {
			var named schema
			_ = json.Unmarshal(whole.Defs[def], &named)
			if about = named.Description; len(named.Properties) > 0 {
				about = strings.TrimSpace(about + " An object: " + def + ".")
			}
		}
		if len(field.Enum) > 0 {
			about = strings.TrimSpace(about + " One of " + strings.Trim(fmt.Sprintf("%q", field.Enum), "[]") + ".")
		}
		if slices.Contains(object.Required, name) {
			about = strings.TrimSpace(about + " Required.")
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, markdownCell(about))
	}
	return b.String()
}
