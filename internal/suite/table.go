package suite

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/wording"
)

// row is a case, or one row of the table of a case.
type row struct {
	name   string
	number int // from 1; 0 without a table
	member source.NodeMember
}

var placeholder = wording.Pattern(`\{\{\s*([^{}]*?)\s*\}\}`)

// rows returns a case, or the cases that the rows of its table make.
func (r *reader) rows(s *Suite, member *source.NodeMember) []row {
	table := (*source.Node)(nil)
	if member.Node.Kind == value.KindObject {
		table = member.Node.Get("table")
	}
	if table == nil {
		return []row{{name: member.Key, member: *member}}
	}
	where := func(_ int, item *source.Node) string {
		return fmt.Sprintf("the row of the table on line %d", item.Span.Start.Line)
	}
	if name, ok := table.Value.(value.String); ok && name != "" {
		file := string(name)
		if table = r.tableFile(s, table, file); table == nil {
			return nil
		}
		where = func(i int, _ *source.Node) string { return fmt.Sprintf("row %d of %s", i+1, file) }
	}
	if table.Kind != value.KindArray || len(table.Items) == 0 {
		r.wrong(table.Span.Start,
			"table is a list of rows, each an object of columns, or the name of a file with such a list, not %s",
			value.Preview(table.Value, preview))
		return nil
	}
	if !placeholder().MatchString(member.Key) {
		r.wrong(member.KeySpan.Start, "the case %q has a table, and its name no column: write one as {{NAME}}",
			member.Key)
		return nil
	}
	var rows []row
	for i, item := range table.Items {
		if item.Kind != value.KindObject {
			r.wrong(item.Span.Start, "a row is an object of columns, not %s", value.Preview(item.Value, preview))
			continue
		}
		f := &filler{reader: r, row: item, where: where(i, item)}
		name := f.fill(member.Key, member.KeySpan.Start)
		body := source.NodeMember{Key: name, KeySpan: member.KeySpan, Node: f.node(member.Node)}
		rows = append(rows, row{name: name, number: i + 1, member: body})
	}
	return rows
}

// filler replaces the columns of one row.
type filler struct {
	*reader
	row   *source.Node
	where string // names the row
}

// tableFile returns the rows in a file beside the suite: JSON, JSON Lines, YAML, or CSV, whose first line names the columns and whose
// cells are numbers, true, false or null where they are written so. They have the place of the file's name. Nil: it cannot be read.
func (r *reader) tableFile(s *Suite, node *source.Node, name string) *source.Node {
	s.Tables = append(s.Tables, r.pathOf(node.Span.Start, name))
	v, err := fixtures.ReadOutput(r.name, name, "")
	if err != nil {
		r.wrong(node.Span.Start, "table: %v", err)
		return nil
	}
	if strings.EqualFold(filepath.Ext(name), ".csv") {
		v = typed(v)
	}
	return source.Of(v, node.Span)
}

// typed returns the rows of a CSV file with the scalars that its cells are written as.
func typed(v value.Value) value.Value {
	rows, _ := v.(*value.Array)
	items := make([]value.Value, 0, rows.Len())
	for _, row := range rows.All() {
		object, _ := row.(*value.Object)
		for key, cell := range object.All() {
			text, _ := cell.(value.String)
			parsed, err := value.Parse([]byte(text), value.Limits{})
			if err != nil || strings.TrimSpace(string(text)) != string(text) {
				continue
			}
			switch parsed.Kind() {
			case value.KindNumber, value.KindBool, value.KindNull:
				object = object.With(key, parsed)
			default:
			}
		}
		items = append(items, object)
	}
	return value.NewArray(items)
}

// node returns a tree with {{column}} replaced in its texts and keys. A text that is one column only becomes its value.
func (f *filler) node(n *source.Node) *source.Node {
	switch n.Kind {
	case value.KindObject:
		members := make([]source.NodeMember, 0, len(n.Members))
		for _, m := range n.Members {
			if m.Key == "table" {
				continue
			}
			members = append(
				members,
				source.NodeMember{Key: f.fill(m.Key, m.KeySpan.Start), KeySpan: m.KeySpan, Node: f.node(m.Node)},
			)
		}
		return source.NewObject(members, n.Span)
	case value.KindArray:
		items := value.Each(n.Items, f.node)
		return source.NewArray(items, n.Span)
	case value.KindString:
	default:
		return n
	}
	text, _ := n.Value.(value.String)
	if at := placeholder().FindStringSubmatchIndex(string(text)); at != nil && at[0] == 0 && at[1] == len(text) {
		if column := f.column(string(text[at[2]:at[3]]), n.Span.Start); column != nil {
			return source.Of(column.Value, n.Span)
		}
		return n
	}
	if filled := f.fill(string(text), n.Span.Start); filled != string(text) {
		return source.NewString(filled, n.Span)
	}
	return n
}

// fill replaces the columns in a text.
func (f *filler) fill(text string, at source.Position) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	return placeholder().ReplaceAllStringFunc(text, func(match string) string {
		column := f.column(placeholder().FindStringSubmatch(match)[1], at)
		if column == nil {
			return match
		}
		if s, ok := column.Value.(value.String); ok {
			return string(s)
		}
		return value.Compact(column.Value)
	})
}

// column returns a column of the row.
func (f *filler) column(name string, at source.Position) *source.Node {
	if column := f.row.Get(name); column != nil {
		return column
	}
	names := value.Each(f.row.Members, func(m source.NodeMember) string { return m.Key })
	f.wrong(at, "%s has no column %q; its columns are %s", f.where, name, strings.Join(names, ", "))
	f.found[len(f.found)-1].Suggestion = wording.Nearest(name, slices.Values(names))
	return nil
}
