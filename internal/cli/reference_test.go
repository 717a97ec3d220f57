package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"asldb/engine/rules"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
)

// The pages of reference are written from the program's own tables: go test ./internal/cli -run TestReference -update.
const generated = "\n<!-- Written by a test from the program's own tables: go test ./internal/cli -run TestReference -update -->\n"

// TestReferencePages compares the pages of reference with the program; -update writes them.
func TestReferencePages(t *testing.T) {
	for name, page := range map[string]string{
		"commands.md":        commandsPage(),
		"rules-reference.md": rulesPage(),
		"fields.md":          fieldsPage(t),
		"trace-format.md":    tracePage(t),
	} {
		compareFile(t, filepath.Join("..", "..", "docs", name), []byte(page))
	}
}

// tracePage is the documentation of the package recorder, from its heading about the format.
func tracePage(t *testing.T) string {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "recorder", "doc.go"), nil,
		parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	_, format, found := strings.Cut(file.Doc.Text(), "\n# The format of a trace\n")
	if !found {
		t.Fatal("the package has no documentation of the format")
	}
	printer := comment.Printer{HeadingLevel: 2, HeadingID: func(*comment.Heading) string { return "" }}
	return "# The format of a trace\n" + generated + "\n" + string(printer.Markdown(new(comment.Parser).Parse(format)))
}

// commandsPage describes every command as its help does.
func commandsPage() string {
	var b strings.Builder
	b.WriteString(
		"# Commands\n" + generated + "\n`asldb COMMAND --help=all` prints the same. [The keys of the screen](keys.md) have their own page.\n\n| command | |\n|---|---|\n",
	)
	root := Commands()
	all := commandsOf(root)
	for _, cmd := range all {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s |\n", cmd.CommandPath(), strings.ReplaceAll(cmd.CommandPath(), " ", "-"),
			markdownCell(cmd.Short))
	}
	shared := shareFlags(all)
	b.WriteString(shared.page())
	for _, cmd := range all {
		fmt.Fprintf(&b, "\n## %s\n\n", cmd.CommandPath())
		text := cmd.Long
		if text == "" {
			text = cmd.Short + "."
		}
		b.WriteString(paragraphs(text))
		fmt.Fprintf(&b, "\n```text\n%s\n```\n", cmd.UseLine())
		if cmd.Example != "" {
			fmt.Fprintf(&b, "\nExamples:\n\n```text\n%s\n```\n",
				strings.ReplaceAll(strings.TrimPrefix(cmd.Example, "  "), "\n  ", "\n"))
		}
		b.WriteString(shared.flagsTable(cmd))
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

// flagRow is a flag as the page of commands shows it.
type flagRow struct{ section, name, shown, about, standard string }

// key is equal for flags that a command can share with another: only the default may differ.
func (f *flagRow) key() string { return f.shown + "|" + f.about }

// row is the row of a flag in a table, with its default where it has one.
func (f *flagRow) row(withDefault bool) string {
	about := f.about
	if withDefault && f.standard != "" {
		about += " (default " + f.standard + ")"
	}
	return fmt.Sprintf("| `%s` | %s |\n", strings.ReplaceAll(f.shown, "|", `\|`), markdownCell(about))
}

// flagsOf are the flags of a command, without those that every command has.
func flagsOf(cmd *cobra.Command) (list []flagRow) {
	for _, section := range command.Sections(cmd) {
		section.Flags.VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" || f.Name == "version" {
				return
			}
			name, about := pflag.UnquoteUsage(f)
			row := flagRow{
				section: cmp.Or(command.SectionOf(f), "Output and more"),
				name:    "--" + f.Name,
				shown:   "--" + f.Name,
				about:   about,
			}
			if f.Shorthand != "" {
				row.shown = "-" + f.Shorthand + ", " + row.shown
			}
			if name != "" {
				row.shown += " " + name
			}
			switch f.DefValue {
			case "", "false", "0", "[]":
			default:
				row.standard = f.DefValue
			}
			list = append(list, row)
		})
	}
	return list
}

// sharedFlags are the flags that several commands have with the same meaning: the page describes them once.
type sharedFlags struct {
	sections []string
	list     []flagRow
	times    map[string]int  // the number of commands, by key
	differs  map[string]bool // commands have different defaults, by key
}

// shareFlags finds the flags that at least two of the commands have. Of a flag with several meanings the usual one is
// shared.
func shareFlags(commands []*cobra.Command) *sharedFlags {
	s := &sharedFlags{times: make(map[string]int), differs: make(map[string]bool)}
	for section := range launch.Sections() {
		s.sections = append(s.sections, section.String())
	}
	s.sections = append(s.sections, "Output and more")
	first, usual := make(map[string]flagRow), make(map[string]string)
	for _, cmd := range commands {
		for _, f := range flagsOf(cmd) {
			key := f.key()
			if s.times[key]++; s.times[key] == 1 {
				first[key] = f
				s.list = append(s.list, f)
			}
			s.differs[key] = s.differs[key] || first[key].standard != f.standard
			if s.times[key] > s.times[usual[f.name]] {
				usual[f.name] = key
			}
		}
	}
	s.list = slices.DeleteFunc(s.list, func(f flagRow) bool { return s.times[f.key()] < 2 || usual[f.name] != f.key() })
	return s
}

// has reports whether the page describes a flag among the shared ones.
func (s *sharedFlags) has(f *flagRow) bool {
	return slices.ContainsFunc(s.list, func(shared flagRow) bool { return shared.key() == f.key() })
}

// page is the section of the page with the shared flags.
func (s *sharedFlags) page() string {
	var b strings.Builder
	b.WriteString(
		"\n## Shared flags\n\nSeveral commands take these flags; each command lists the ones that it takes.\n",
	)
	for _, section := range s.sections {
		rows := ""
		for _, f := range s.list {
			if f.section == section {
				rows += f.row(!s.differs[f.key()])
			}
		}
		if rows != "" {
			fmt.Fprintf(&b, "\n### %s\n\n| flag | |\n|---|---|\n%s", section, rows)
		}
	}
	return b.String()
}

// flagsTable lists the flags of a command: its own with their meaning, the shared ones by their names.
func (s *sharedFlags) flagsTable(cmd *cobra.Command) string {
	own, names := "", make(map[string]string)
	for _, f := range flagsOf(cmd) {
		if !s.has(&f) {
			own += f.row(true)
			continue
		}
		names[f.section] += ", `" + f.name + "`"
		if s.differs[f.key()] && f.standard != "" {
			names[f.section] += " (default " + markdownCell(f.standard) + ")"
		}
	}
	var b strings.Builder
	if own != "" {
		b.WriteString("\n| flag | |\n|---|---|\n" + own)
	}
	if len(names) > 0 {
		b.WriteString("\n[Shared flags](#shared-flags):\n\n")
	}
	for _, section := range s.sections {
		if names[section] != "" {
			fmt.Fprintf(&b, "- [%s](#%s): %s\n", section, strings.ToLower(strings.ReplaceAll(section, " ", "-")),
				names[section][2:])
		}
	}
	return b.String()
}

// rulesPage describes the rules of validate.
func rulesPage() string {
	var b strings.Builder
	b.WriteString(
		"# The rules of validate\n" + generated + "\n`asldb rules --explain RULE` adds a wrong and a right example, and the source of the rule. " +
			"[rules.md](rules.md) says how to set levels. The sureness says how it is known that Step Functions refuses, or does, what a rule says.\n\n| rule | level | sureness | |\n|---|---|---|---|\n",
	)
	for rule := range rules.All() {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s |\n", rule.Name, rule.Name, rule.Severity, rule.Evidence(),
			markdownCell(rule.Summary))
	}
	for rule := range rules.All() {
		fmt.Fprintf(&b, "\n## %s\n\n%s %s\n", rule.Name, prose(rule.Summary), prose(rule.Explanation))
		if rule.Section != "" {
			fmt.Fprintf(&b, "\nSource: %s\n", prose(rule.Section))
		}
	}
	b.WriteString(
		"\n# The dialects\n\n`asldb rules --dialects` prints this table. `aws` is the default: Step Functions " +
			"as it was recorded. `spec` is today's text of the States\nLanguage, `spec@2020` the text of August 2020, and " +
			"`spec@2016` the first one.\n\n| matter | `" + strings.Join(rules.DialectNames(), "` | `") + "` |\n|---|---|---|---|---|\n",
	)
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
	b.WriteString(
		"# Fields of fixtures and suites\n" + generated + "\n[fixtures.md](fixtures.md) and [testing.md](testing.md) show them in use. `asldb fixtures schema` and `asldb test --schema` print the schemas, " +
			"which editors can use for completion. A suite has the parts of fixtures, too; in a table's cases values can be `{{column}}`.\n",
	)
	told := make(map[string]bool) // the parts that fixtures and suites share, which are told once
	for _, part := range []struct{ title, text string }{
		{"A fixtures file", printed(t, "fixtures", "schema")}, {"A suite", printed(t, "test", "--schema")},
	} {
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
			if strings.HasSuffix(name, "InTable") { // the same with {{column}} in place of values
				continue
			}
			table := fieldsOf(t, &whole, &def, string(whole.Defs[name]))
			if told[name+table] {
				continue
			}
			told[name+table] = true
			fmt.Fprintf(&b, "\n### %s: %s\n", part.title, name)
			if def.Description != "" {
				b.WriteString("\n" + prose(def.Description) + "\n")
			}
			b.WriteString(table)
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
