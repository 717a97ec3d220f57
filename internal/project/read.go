package project

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/wording"
)

// ruleFile is the rule of the problems of project files.
const ruleFile = "project-file"

// reader checks a project file by the table of fields.
type reader struct {
	file     *source.File
	problems []source.Diagnostic
}

// Parse reads the text of a project file. An empty text is one without settings. The error is an *[FileError].
func Parse(file *source.File) (*Project, error) {
	dir, err := filepath.Abs(filepath.Dir(file.Name))
	if err != nil {
		return nil, err
	}
	p := &Project{Source: file, Dir: dir, sections: []section{{}}}
	if empty(file.Data) {
		return p, nil
	}
	root, problem := source.ReadYAML(file.Data, nil)
	if problem != nil {
		problem.File = file
		return nil, &FileError{file, []source.Diagnostic{*problem}}
	}
	r := &reader{file: file}
	listPaths(root)
	if root.Kind != value.KindNull {
		r.object(root, "a project file", fields())
	}
	if len(r.problems) > 0 {
		return nil, &FileError{file, r.problems}
	}
	p.build(root)
	return p, nil
}

// listPaths makes a list of paths that are written as an object: {express/**: {type: express}} is
// [{path: express/**, type: express}].
func listPaths(root *source.Node) {
	for i := range root.Members {
		m := &root.Members[i]
		if m.Key != "paths" || m.Node.Kind != value.KindObject {
			continue
		}
		items := value.Each(m.Node.Members, func(one source.NodeMember) *source.Node {
			if one.Node.Kind != value.KindObject {
				return one.Node
			}
			path := source.NodeMember{Key: "path", KeySpan: one.KeySpan, Node: source.NewString(one.Key, one.KeySpan)}
			return source.NewObject(append([]source.NodeMember{path}, one.Node.Members...), one.Node.Span)
		})
		m.Node = source.NewArray(items, m.Node.Span)
	}
}

// empty reports whether a text has only comments and blank lines.
func empty(data []byte) bool {
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

// report notes a problem at a place.
func (r *reader) report(at source.Span, format string, args ...any) *source.Diagnostic {
	r.problems = append(r.problems, source.Diagnostic{Rule: ruleFile, File: r.file, Span: at, Message: fmt.Sprintf(format, args...)})
	return &r.problems[len(r.problems)-1]
}

// suggest adds the word that was probably meant.
func suggest(d *source.Diagnostic, word string, words []string) {
	d.Suggestion = wording.Meant(word, slices.Values(words))
}

// object checks an object with the fields of a table; owner is its name in messages.
func (r *reader) object(n *source.Node, owner string, table []field) {
	if !r.kind(n, n.Span, owner, value.KindObject) {
		return
	}
	r.repeated(n)
	for i := range n.Members {
		m := &n.Members[i]
		at := slices.IndexFunc(table, func(f field) bool { return f.name == m.Key })
		switch {
		case at >= 0:
			r.field(m, &table[at])
		case forbidden(m.Key):
			r.report(m.KeySpan, "a project file cannot allow live calls: use --allow-live for one run, or asldb allow for a fixtures file")
		default:
			names := value.Each(table, func(each field) string { return each.name })
			d := r.report(m.KeySpan, "%s has no key %q", owner, m.Key)
			if suggest(d, m.Key, names); d.Suggestion == "" {
				d.Suggestion = "the keys are " + strings.Join(names, ", ")
			}
		}
	}
	for i := range table {
		if f := &table[i]; f.required && n.Get(f.name) == nil {
			r.report(n.Span, "%s must have the key %q: %s", owner, f.name, f.about)
		}
	}
}

// repeated notes the keys of an object that it has already.
func (r *reader) repeated(n *source.Node) {
	seen := map[string]int{}
	for i := range n.Members {
		m := &n.Members[i]
		if line := seen[m.Key]; line > 0 {
			r.report(m.KeySpan, "the key %q is already in line %d", m.Key, line)
			continue
		}
		seen[m.Key] = m.KeySpan.Start.Line
	}
}

// kind notes a value of another kind than wanted, and reports whether it is of that kind.
func (r *reader) kind(n *source.Node, at source.Span, owner string, wanted value.Kind) bool {
	if n.Kind != wanted {
		r.report(at, "%s must be %s, but is %s", owner, source.Article(wanted), source.Article(n.Kind))
	}
	return n.Kind == wanted
}

// field checks the value of a field.
func (r *reader) field(m *source.NodeMember, f *field) {
	owner := strconv.Quote(f.name)
	switch f.kind {
	case levelsKind:
		r.levels(m.Node, owner)
	case substitutionsKind:
		if m.Node.IsText() {
			r.name(m.Node, owner)
		} else {
			r.substitutions(m.Node, owner)
		}
	case fileKind:
		r.name(m.Node, owner)
	case textKind:
		r.text(m.Node, owner)
	case typeKind:
		if r.text(m.Node, owner) && !slices.Contains(types, m.Node.Text()) {
			d := r.report(m.Node.Span, "%s must be standard or express, but is %s", owner, value.Compact(m.Node.Value))
			suggest(d, m.Node.Text(), types)
		}
	case switchKind:
		r.kind(m.Node, m.Node.Span, owner, value.KindBool)
	case patternKind:
		r.pattern(m.Node, owner)
	case ruleKind:
		if r.text(m.Node, owner) {
			r.rule(m.Node.Text(), m.Node.Span)
		}
	case objectKind:
		r.object(m.Node, owner, f.fields)
	case barsKind:
		if m.Node.Kind != value.KindNumber {
			r.text(m.Node, owner)
		}
	case listKind, pathsKind:
		if r.kind(m.Node, m.Node.Span, owner, value.KindArray) {
			for _, item := range m.Node.Items {
				r.object(item, "an entry of "+owner, f.fields)
			}
		}
	}
}

// text checks a text that must not be empty.
func (r *reader) text(n *source.Node, owner string) bool {
	if !r.kind(n, n.Span, owner, value.KindString) {
		return false
	}
	if strings.TrimSpace(n.Text()) == "" {
		r.report(n.Span, "%s must not be empty", owner)
		return false
	}
	return true
}

// name checks the name of a file.
func (r *reader) name(n *source.Node, owner string) {
	if r.text(n, owner) {
		if err := files.RootOf(r.file.Name).Check(files.Beside(r.file.Name, n.Text())); err != nil {
			r.report(n.Span, "%s: %v", owner, err)
		}
	}
}

// backslashed matches a backslash between folders. Before a bracket or a comma it takes away the meaning of that.
const backslashed = `\\[A-Za-z0-9_.*?-]`

var backslash = wording.Pattern(backslashed)

func (r *reader) pattern(n *source.Node, owner string) {
	if !r.text(n, owner) {
		return
	}
	switch pattern := n.Text(); {
	case !doublestar.ValidatePattern(pattern):
		r.report(n.Span, "%s is not a pattern: %q has an open [ or {", owner, pattern)
	case backslash().MatchString(pattern):
		r.report(n.Span, "%s has / between folders on every system, but is %q", owner, pattern)
	case strings.HasPrefix(pattern, "/"), pattern == "..", strings.HasPrefix(pattern, "../"):
		r.report(n.Span, "%s must be below the folder of the project file, but is %q", owner, pattern)
	}
}

// rule checks the name of a rule.
func (r *reader) rule(name string, at source.Span) {
	known := Steerable()
	if slices.Contains(known, name) {
		return
	}
	if rules.Essential(name) {
		r.report(at, "the rule %q has no level: without it, a definition cannot be read", name)
		return
	}
	d := r.report(at, "there is no rule %q", name)
	if suggest(d, name, known); d.Suggestion == "" {
		d.Suggestion = "asldb rules lists them"
	}
}

func (r *reader) levels(n *source.Node, owner string) {
	if !r.kind(n, n.Span, owner, value.KindObject) {
		return
	}
	r.repeated(n)
	for i := range n.Members {
		m := &n.Members[i]
		r.rule(m.Key, m.KeySpan)
		if _, ok := wording.KindNamed[Level](words[:], m.Node.Text()); ok {
			continue
		}
		d := r.report(m.Node.Span, "the level of %s must be off, hint, warning or error, but is %s", m.Key, value.Compact(m.Node.Value))
		suggest(d, m.Node.Text(), words[:])
	}
}

func (r *reader) substitutions(n *source.Node, owner string) {
	if n.Kind != value.KindObject {
		r.report(n.Span, "%s must be an object of names and values, or the name of a file, but is %s", owner, source.Article(n.Kind))
		return
	}
	r.repeated(n)
	for i := range n.Members {
		if m := &n.Members[i]; m.Node.Kind == value.KindNull {
			r.report(m.Node.Span, "the substitution %s has no value", m.Key)
		}
	}
}

// build makes the settings of a tree that has been checked.
func (p *Project) build(root *source.Node) {
	p.sections[0] = sectionOf(root)
	p.baseline = member(root, "baseline")
	if n := root.Get("noticed"); n != nil {
		p.unnoticed = n.Value == value.Value(value.Bool(false))
	}
	p.covers = root.Get("coverage")
	if paths := root.Get("paths"); paths != nil {
		for _, item := range paths.Items {
			p.sections = append(p.sections, sectionOf(item))
		}
	}
	if list := root.Get("ignore"); list != nil {
		for _, item := range list.Items {
			p.ignores = append(p.ignores, &ignore{
				rule: member(item, "rule"), pattern: member(item, "path"), state: member(item, "state"), reason: member(item, "reason"),
				span: item.Get("rule").Span,
			})
		}
	}
}

// member returns the text of a member, or "".
func member(n *source.Node, key string) string {
	if m := n.Get(key); m != nil {
		return m.Text()
	}
	return ""
}

func sectionOf(n *source.Node) section {
	s := section{
		pattern: member(n, "path"), fixtures: member(n, "fixtures"), machine: member(n, "type"),
		levels: map[string]Level{}, substitutions: map[string]string{},
	}
	if levels := n.Get("rules"); levels != nil {
		for _, m := range levels.Members {
			s.levels[m.Key], _ = wording.KindNamed[Level](words[:], m.Node.Text())
		}
	}
	switch given := n.Get("substitutions"); {
	case given == nil:
	case given.IsText():
		s.substitutes = given.Text()
	default:
		for _, m := range given.Members {
			if s.substitutions[m.Key] = m.Node.Text(); !m.Node.IsText() {
				s.substitutions[m.Key] = value.Compact(m.Node.Value)
			}
		}
	}
	return s
}
