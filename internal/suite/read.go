package suite

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/wording"
)

// The keys of the format that package fixtures reads.
var (
	fixtureKeys = []string{
		"version",
		"include",
		"allowLive",
		"startTime",
		"seed",
		"input",
		"context",
		"tasks",
		"resources",
		"objects",
		"itemReaders",
		"cases",
	}
	layerKeys = []string{"startTime", "seed", "input", "context", "tasks", "resources", "objects", "itemReaders"}
)

// IsSuite reports whether a file's name is a suite's: *.test.yaml, *.test.yml or *.test.json.
func IsSuite(name string) bool {
	base := filepath.Base(name)
	return slices.ContainsFunc([]string{".test.yaml", ".test.yml", ".test.json"}, func(ending string) bool {
		return strings.HasSuffix(base, ending) && base != ending
	})
}

// Split splits the name of a case, "FILE:CASE", at the first colon after .yaml, .yml or .json. Without one the case is
// empty.
func Split(text string) (file, name string) {
	best := -1
	for _, ending := range []string{".yaml:", ".yml:", ".json:"} {
		if i := strings.Index(text, ending); i >= 0 && (best < 0 || i+len(ending) < best) {
			best = i + len(ending)
		}
	}
	if best < 0 {
		return text, ""
	}
	return text[:best-1], text[best:]
}

// SplitCase is [Split] of a name that must have a case. The error is about a file that cannot be read, or that is not a
// suite, or says that no case is named.
func SplitCase(text string) (file, name string, err error) {
	if file, name = Split(text); name != "" {
		return file, name, nil
	}
	volume := filepath.VolumeName(text)
	file, _, _ = strings.Cut(text[len(volume):], ":")
	file = volume + file
	if _, err := os.Stat(file); err != nil {
		return "", "", files.ReadError(file, err)
	}
	if file != text {
		return "", "", fmt.Errorf("%q is not a suite: its name ends in .test.yaml", file)
	}
	return "", "", fmt.Errorf("it is FILE:CASE, and %q names no case", text)
}

// Load reads a suite. The error is an *[Error] with every problem found, its fixtures' problems included.
func Load(name string, data []byte) (*Suite, error) {
	r := &reader{name: name}
	root, problem := source.Read(&source.File{Name: name, Data: data}, nil)
	if problem != nil {
		r.wrong(problem.Span.Start, "%s", problem.Told())
		return nil, r.err()
	}
	if root.Kind != value.KindObject {
		r.wrong(root.Span.Start, "a suite is an object that begins with version: 1, not %s", source.Article(root.Kind))
		return nil, r.err()
	}
	s := &Suite{Name: name}
	tree := r.suite(s, root)
	file, err := fixtures.FromTree(name, tree)
	var wrong *fixtures.Error
	if errors.As(err, &wrong) {
		r.found = append(r.found, wrong.Problems...)
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	s.Fixtures = file
	return s, nil
}

// suite reads the keys of a suite, and returns the tree of its fixtures.
func (r *reader) suite(s *Suite, root *source.Node) *source.Node {
	var members []source.NodeMember
	parts := &suiteParts{Suite: s}
	var cases source.NodeMember
	for i := range root.Members {
		member := &root.Members[i]
		at := slices.IndexFunc(suiteTable, func(k key[suiteParts]) bool { return k.name == member.Key })
		switch {
		case at >= 0:
			suiteTable[at].read(r, parts, member)
		case member.Key == "cases":
			cases = *member
		case slices.Contains(fixtureKeys, member.Key):
			members = append(members, *member)
		default:
			r.unknown("a suite", member, append(names(suiteTable), fixtureKeys...))
		}
	}
	if expanded := r.cases(s, cases.Node); expanded != nil {
		cases.Node = expanded
		members = append(members, cases)
	}
	if len(s.Cases) == 0 && len(r.found) == 0 {
		r.wrong(root.Span.Start, "a suite has cases, and this has none")
	}
	r.skip(s, parts.skip)
	return source.NewObject(members, root.Span)
}

// pathOf returns the name of a file that the suite names at a place: it is relative to the suite.
func (r *reader) pathOf(at source.Position, name string) string {
	name = files.Beside(r.name, name)
	if err := files.RootOf(r.name).Check(name); err != nil {
		r.wrong(at, "%v", err)
	}
	return name
}

// row reads a key that has a row of the table of flags. Files are relative to the suite.
func (r *reader) row(given *launch.Given, row *launch.Flag, m *source.NodeMember) {
	nodes, kind := []*source.Node{m.Node}, "a text"
	switch {
	case row.Number():
		kind = "a whole number"
	case row.Many():
		nodes, kind = one(m.Node), "a text, or a list of texts"
	}
	for _, node := range nodes {
		at, text := node.Span.Start, ""
		switch v := node.Value.(type) {
		case value.Number:
			if n, whole := v.Int64(); whole && row.Number() {
				text = strconv.FormatInt(n, 10)
			}
		case value.String:
			if !row.Number() {
				text = string(v)
			}
		}
		if text == "" {
			r.wrong(at, "%s is %s, not %s", m.Key, kind, value.Preview(node.Value, preview))
			continue
		}
		if row.Path {
			text = r.pathOf(at, text)
		}
		var wrong *launch.ValueError
		switch err := row.Set(given, text); {
		case errors.As(err, &wrong):
			r.wrong(at, "%s", wrong.With(m.Key))
		case err != nil:
			r.wrong(at, "%s: %v", m.Key, err)
		}
	}
}

func (r *reader) substitutions(given *launch.Given, m *source.NodeMember) {
	if m.Node.Kind != value.KindObject {
		if _, is := m.Node.Value.(value.String); !is {
			r.wrong(m.Node.Span.Start,
				"substitutions is an object of names and values, or the name of a file with one, not %s",
				value.Preview(m.Node.Value, preview))
			return
		}
		r.row(given, launch.FlagOf("substitutions"), m)
		return
	}
	for _, member := range m.Node.Members {
		if text := scalarText(member.Node); text != "" {
			_ = launch.FlagOf("substitute").Set(given, member.Key+"="+text) // it takes every text
			continue
		}
		r.wrong(member.Node.Span.Start, "the substitution %s is a text or a number, not %s", member.Key,
			value.Preview(member.Node.Value, preview))
	}
}

// members returns the members of an object.
func (r *reader) members(node *source.Node, what string) []source.NodeMember {
	if node.Kind != value.KindObject {
		r.wrong(node.Span.Start, "%s is an object, not %s", what, source.Article(node.Kind))
		return nil
	}
	return node.Members
}

// skip marks the cases that the suite skips: all of them for a text, or those that it names.
func (r *reader) skip(s *Suite, node *source.Node) {
	if node == nil {
		return
	}
	of := &skipped{}
	if node.Kind == value.KindObject {
		readObject(r, of, node, "skip", skipTable)
	} else {
		of.reason, _ = r.text(node, "skip is a reason, or an object with reason and cases; it")
	}
	reason := of.reason
	if reason == "" && len(r.found) == 0 {
		r.wrong(node.Span.Start, "skip needs a reason")
	}
	if of.names == nil {
		for _, c := range s.Cases {
			c.Skip = reason
		}
	}
	for _, name := range of.names {
		text, _ := r.text(name, "the name of a case")
		found := false
		for _, c := range s.Cases {
			if c.Name == text {
				c.Skip, found = reason, true
			}
		}
		if !found && text != "" {
			r.wrong(name.Span.Start, "there is no case %q", text)
			r.found[len(r.found)-1].Suggestion = wording.Nearest(text, caseNames(s))
		}
	}
}

func caseNames(s *Suite) iter.Seq[string] {
	return slices.Values(value.Each(s.Cases, func(c *Case) string { return c.Name }))
}

// cases reads the cases, and returns the tree of their fixtures: rows of tables are separate cases in it.
func (r *reader) cases(s *Suite, node *source.Node) *source.Node {
	if node == nil {
		return nil
	}
	if node.Kind != value.KindObject {
		r.wrong(node.Span.Start, "cases is an object whose keys are each the name of a case, not %s",
			source.Article(node.Kind))
		return nil
	}
	var expanded []source.NodeMember
	seen := map[string]bool{}
	for i := range node.Members {
		member := node.Members[i]
		member.Node = r.extended(node.Members, i, nil)
		for _, row := range r.rows(s, &member) {
			c := &Case{Suite: s, Name: row.name, At: row.member.KeySpan.Start, Row: row.number,
				Tags: slices.Clone(s.tags), Properties: slices.Clone(s.properties)}
			switch {
			case seen[row.name] && row.number == 0:
				r.wrong(c.At, "two cases have the name %q: rename one", row.name)
			case seen[row.name]:
				r.wrong(c.At, "two cases have the name %q: name a column in it, as in \"pays {{amount}}\"", row.name)
			}
			seen[row.name] = true
			tree := r.oneCase(c, row.member.Node)
			s.Cases = append(s.Cases, c)
			expanded = append(expanded, source.NodeMember{Key: row.name, KeySpan: row.member.KeySpan, Node: tree})
		}
	}
	return source.NewObject(expanded, node.Span)
}

// oneCase reads a case, and returns the tree of its fixtures.
func (r *reader) oneCase(c *Case, node *source.Node) *source.Node {
	if node.Kind != value.KindObject {
		r.wrong(node.Span.Start, "the case %q is an object with expect and the like, not %s", c.Name,
			source.Article(node.Kind))
		return source.NewObject(nil, node.Span)
	}
	var layer []source.NodeMember
	parts := &caseParts{Case: c}
	misspelt := false // the key without which the case could not fail
	for i := range node.Members {
		member := &node.Members[i]
		at := slices.IndexFunc(caseTable, func(k key[caseParts]) bool { return k.name == member.Key })
		switch {
		case at >= 0:
			caseTable[at].read(r, parts, member)
		case slices.Contains(layerKeys, member.Key):
			layer = append(layer, *member)
		default:
			r.unknown("a case", member, append(names(caseTable), layerKeys...))
			misspelt = misspelt || slices.Contains(wantedKeys, r.found[len(r.found)-1].Suggestion)
		}
	}
	if !misspelt && node.Get("extends") == nil { // the case that it extends is complete, or has its own error
		r.completeCase(c)
	}
	if parts.inject != nil {
		layer = r.inject(c, parts.inject, layer)
	}
	return source.NewObject(layer, node.Span)
}

// wantedKeys are the keys of a case that let it fail: it has at least one.
var wantedKeys = []string{"expect", "snapshot", "history", "trace"}

// completeCase checks that a case can fail.
func (r *reader) completeCase(c *Case) {
	recording := c.Recording
	if recording == nil {
		if c.Expect == nil && c.Snapshot == nil {
			r.wrong(c.At, "the case %q has no expect, snapshot, history or trace: it could not fail", c.Name)
		}
		return
	}
	history, trace := len(recording.Given.Spec.History.Files) > 0, recording.Given.Spec.Replay.File != ""
	switch {
	case history && trace:
		r.wrong(recording.At, "the case %q has a history and a trace: it can have one", c.Name)
	case !history && !trace:
		r.wrong(recording.At, "execution and attempt belong to a history, and the case %q has none", c.Name)
	}
}

func (r *reader) snapshot(node *source.Node) *Snapshot {
	s := &Snapshot{At: node.Span.Start}
	switch {
	case node.Value == value.Value(value.Bool(true)):
		return s
	case node.Kind != value.KindObject:
		r.wrong(node.Span.Start, "snapshot is true, or {ignore: [paths]}, not %s", value.Preview(node.Value, preview))
		return s
	}
	readObject(r, s, node, "snapshot", snapshotTable)
	return s
}

// ignored reads a path of names, indexes, wildcards and descents.
func (r *reader) ignored(node *source.Node) *path.Path {
	text, ok := r.text(node, "a path to ignore")
	if !ok {
		return nil
	}
	p, err := path.Parse(text)
	if err != nil {
		r.wrong(node.Span.Start, "the path to ignore: %v", err)
		return nil
	}
	if p.Root() != path.DataRoot {
		r.wrong(node.Span.Start, "a path to ignore begins at the snapshot, with $, not %q", text)
		return nil
	}
	for i := range p.Len() {
		switch p.Segment(i).Kind {
		case path.NameSegment, path.IndexSegment, path.WildcardSegment, path.DescentSegment:
		default:
			r.wrong(node.Span.Start, "a path to ignore has names, indexes, * and .., not %q", text)
			return nil
		}
	}
	if p.Len() == 0 {
		r.wrong(node.Span.Start, "a path to ignore leads to a part of the snapshot, as $.output.id does, not %q", text)
		return nil
	}
	return p
}

// inject adds errors before the results of the case's fixtures.
func (r *reader) inject(c *Case, node *source.Node, layer []source.NodeMember) []source.NodeMember {
	members := r.members(node, "inject")
	at := slices.IndexFunc(layer, func(m source.NodeMember) bool { return m.Key == "tasks" })
	var tasks []source.NodeMember
	if at >= 0 {
		if layer[at].Node.Kind != value.KindObject { // fixtures report it
			return layer
		}
		tasks = slices.Clone(layer[at].Node.Members)
	}
	for i := range members {
		member := &members[i]
		c.Injects = append(c.Injects, member.Key)
		entries := r.injections(member)
		if k := slices.IndexFunc(tasks, func(m source.NodeMember) bool { return m.Key == member.Key }); k >= 0 {
			entries = append(entries, one(tasks[k].Node)...)
			tasks[k].Node = source.NewArray(entries, tasks[k].Node.Span)
			continue
		}
		tasks = append(tasks, source.NodeMember{
			Key:     member.Key,
			KeySpan: member.KeySpan,
			Node:    source.NewArray(entries, member.Node.Span),
		})
	}
	object := source.NewObject(tasks, node.Span)
	if at >= 0 {
		layer[at].Node = object
		return layer
	}
	return append(layer, source.NodeMember{Key: "tasks", KeySpan: node.Span, Node: object})
}

// injections returns the entries of fixtures for the errors of one state.
func (r *reader) injections(member *source.NodeMember) []*source.Node {
	var entries []*source.Node
	for _, item := range one(member.Node) {
		at := item.Span
		field := func(key string, node *source.Node) source.NodeMember {
			return source.NodeMember{Key: key, KeySpan: at, Node: node}
		}
		in := &injection{fields: []source.NodeMember{field("when", source.NewString("true", at))}}
		if item.Kind == value.KindObject {
			readObject(r, in, item, "an injected error", injectionTable)
		} else {
			r.text(item, "an injected error")
			in.fields, in.failing = append(in.fields, field("error", item)), true
		}
		if !in.failing {
			r.wrong(at.Start, "an injected error of %q needs error: the Error Name", member.Key)
		}
		if !in.repeats {
			in.fields = append(in.fields, field("repeat", source.Of(value.Int(1), at)))
		}
		if !in.forever {
			in.fields = append(in.fields, field("then", source.NewString("next", at)))
		}
		entries = append(entries, source.NewObject(in.fields, at))
	}
	return entries
}

// times reads how often an injected error comes.
func (r *reader) times(in *injection, m *source.NodeMember) {
	if m.Node.Value == value.Value(value.String("forever")) {
		in.repeats, in.forever = true, true
		in.fields = append(in.fields, source.NodeMember{Key: "repeat", KeySpan: m.KeySpan, Node: m.Node})
		return
	}
	n := r.bound(m.Node, "times", ofNumber)
	if n == nil {
		return
	}
	if n.Op != Equal || n.Number < 1 || n.Number != float64(int64(n.Number)) {
		r.wrong(m.Node.Span.Start, "times is a whole number from 1, or forever, not %s",
			value.Preview(m.Node.Value, preview))
		return
	}
	in.repeats = true
	in.fields = append(
		in.fields,
		source.NodeMember{Key: "repeat", KeySpan: m.KeySpan, Node: source.Of(value.Int(int64(n.Number)), m.Node.Span)},
	)
}

// String returns "file:line: name".
func (c *Case) String() string { return fmt.Sprintf("%s:%d: %s", c.Suite.Name, c.At.Line, c.Name) }
