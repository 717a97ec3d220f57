package project

import (
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// mark begins an ignore in a Comment or a comment of YAML: "asldb:ignore RULE: REASON".
const mark = "asldb:ignore"

// comment is an ignore that is written in a definition: for one rule, in the value at a pointer and below it, and of a
// comment of YAML in the stretch from from to before to.
type comment struct {
	rule, pointer string
	from, to      int
	span          source.Span
	used          bool
}

// comments are the ignores of a definition, and what is wrong with them.
type comments struct {
	file    *source.File
	list    []*comment
	invalid []source.Diagnostic
}

// commentsOf returns the ignores in the Comments of a tree and in the comments of its YAML file. root may be nil.
func commentsOf(file *source.File, root *source.Node) *comments {
	c := &comments{file: file}
	if root == nil || file == nil || !strings.Contains(string(file.Data), mark) && !holdsMark(root) {
		return c
	}
	pointers := root.Pointers()
	seen := make(map[*source.Node]bool)
	var visit func(n *source.Node)
	visit = func(n *source.Node) {
		if seen[n] { // an alias of YAML
			return
		}
		seen[n] = true
		for i := range n.Members {
			m := &n.Members[i]
			if m.Key == "Comment" && m.Node.IsText() {
				c.read(m.Node.Text(), pointers[n], m.Node.Span)
			}
			visit(m.Node)
		}
		for _, item := range n.Items {
			visit(item)
		}
	}
	visit(root)
	if !strings.EqualFold(filepath.Ext(file.Name), ".json") {
		c.readYAML(root, pointers)
	}
	return c
}

// holdsMark reports whether a text of the tree has the mark: in the file it may be escaped.
func holdsMark(n *source.Node) bool {
	if n.Kind == value.KindString {
		return strings.Contains(n.Text(), mark)
	}
	return slices.ContainsFunc(n.Members, func(m source.NodeMember) bool { return holdsMark(m.Node) }) || slices.ContainsFunc(n.Items, holdsMark)
}

// read reads the ignores of a text. Each ends with its line, or where the next begins.
func (c *comments) read(text, pointer string, at source.Span) {
	for line := range strings.Lines(text) {
		for _, part := range strings.Split(line, mark)[1:] {
			c.one(strings.TrimSpace(part), pointer, at)
		}
	}
}

// one reads "RULE, RULE: REASON".
func (c *comments) one(text, pointer string, at source.Span) {
	names, reason, _ := strings.Cut(text, ":")
	wrong := func(message string) *source.Diagnostic {
		c.invalid = append(c.invalid, source.Diagnostic{
			Rule: rules.InvalidIgnore, Severity: source.Warning, Message: message, Pointer: pointer, Span: at, File: c.file,
		})
		return &c.invalid[len(c.invalid)-1]
	}
	if strings.TrimSpace(names) == "" {
		wrong("asldb:ignore names no rule").Suggestion = "write asldb:ignore RULE: REASON"
		return
	}
	if strings.TrimSpace(reason) == "" {
		wrong("asldb:ignore " + strings.TrimSpace(names) + " gives no reason, and has no effect").Suggestion = "write asldb:ignore RULE: REASON"
		return
	}
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		switch {
		case rules.Essential(name):
			wrong("asldb:ignore " + name + ": without this rule, a definition cannot be read")
		case !slices.Contains(Steerable(), name):
			d := wrong("asldb:ignore names no rule: there is no " + name)
			if suggest(d, name, Steerable()); d.Suggestion == "" {
				d.Suggestion = "asldb rules lists them"
			}
		default:
			c.list = append(c.list, &comment{rule: name, pointer: pointer, span: at})
		}
	}
}

// yamlComment finds an ignore in a line of YAML.
var yamlComment = wording.Pattern(`(^|\s)(#\s*` + mark + `.*)`)

// readYAML reads the ignores in comments of YAML. One behind a value is for the key or item that begins in its line,
// one in a separate line for the next.
func (c *comments) readYAML(root *source.Node, pointers map[*source.Node]string) {
	lines := strings.Split(string(c.file.Data), "\n")
	offset := 0
	for i, line := range lines {
		if found := yamlComment().FindStringSubmatchIndex(line); found != nil {
			target := i
			if strings.TrimSpace(line[:found[4]]) == "" {
				for target++; target < len(lines) && skipped(lines[target]); target++ {
				}
			}
			if n, from := beginning(root, target+1); n != nil {
				known := len(c.list)
				col := len([]rune(line[:found[4]])) + 1
				text := strings.TrimRight(line[found[4]:found[5]], "\r")
				at := source.Position{Offset: offset + found[4], Line: i + 1, Col: col}
				end := source.Position{Offset: at.Offset + len(text), Line: i + 1, Col: col + len([]rune(text))}
				c.read(text, pointers[n], source.Span{Start: at, End: end})
				for _, i := range c.list[known:] {
					i.from, i.to = from, n.Span.End.Offset
				}
			}
		}
		offset += len(line) + 1
	}
}

// skipped reports whether a line of YAML has no value.
func skipped(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "#")
}

// beginning returns the value of the outermost member, or the outermost item, that begins in a line, and the offset at
// which it begins; nil where none does.
func beginning(n *source.Node, line int) (found *source.Node, from int) {
	for i := range n.Members {
		m := &n.Members[i]
		if m.KeySpan.Start.Line == line {
			return m.Node, m.KeySpan.Start.Offset
		}
		if found, from = beginning(m.Node, line); found != nil {
			return found, from
		}
	}
	for _, item := range n.Items {
		if item.Span.Start.Line == line {
			return item, item.Span.Start.Offset
		}
		if found, from = beginning(item, line); found != nil {
			return found, from
		}
	}
	return nil, 0
}

// ignores reports whether an ignore is for a problem, and notes its use.
func (c *comments) ignores(d *source.Diagnostic) bool {
	found := false
	for _, i := range c.list {
		at := d.Span.Start.Offset
		below := d.Pointer == i.pointer || strings.HasPrefix(d.Pointer, i.pointer+"/")
		if i.rule == d.Rule && (below || d.File == c.file && i.from <= at && at < i.to) {
			i.used, found = true, true
		}
	}
	return found
}
