package lsp

import (
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine/flow"
	"asldb/engine/source"
	"asldb/internal/launch"
	"asldb/internal/suite"
)

// isFixtures reports whether a file is one of fixtures, by its name.
func isFixtures(name string) bool {
	return slices.ContainsFunc(launch.FixturesEndings, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

// results adds the members that later states read of the value at the cursor of a suite or of fixtures: of a task's
// result, of an item of an ItemReader, of the input.
func (l *completions) results(s *server, offset int) {
	for v := range variants(string(l.document.lines.data), offset) {
		if !l.document.isYAML() {
			v.text += source.Unclosed(v.text, `"`)
		}
		root, problem := source.Read(&source.File{Name: l.document.name, Data: []byte(v.text)}, nil)
		if problem != nil {
			continue
		}
		c := markedBelow(root)
		if c == nil || !c.isKey {
			continue
		}
		c.bare, c.colon = v.bare, v.colon
		c.measure(l.document, offset)
		behind := strings.TrimLeft(string(l.document.lines.data[c.to:]), `"' `)
		if !c.colon && !strings.HasPrefix(behind, ":") { // YAML reads {a} as {a: null}
			continue
		}
		l.cursor = c
		break
	}
	if l.cursor == nil {
		return
	}
	object := l.root
	for _, key := range l.path[:len(l.path)-1] {
		object = child(object, key)
	}
	for _, m := range s.machinesOfResults(l.document, l.root) {
		for _, demand := range demandsAt(m, l.path[:len(l.path)-1]) {
			for _, member := range demand.Members() {
				offered := slices.ContainsFunc(l.items, func(i completionItem) bool { return i.Label == member.Name })
				if object.Get(member.Name) == nil && !offered {
					l.add(member.Name, kindProperty, laterReads, "")
				}
			}
		}
	}
}

// machinesOfResults is machinesBeside for a text that is being written: the tree is it with the word that is missing.
func (s *server) machinesOfResults(d *document, tree *source.Node) []*machine {
	file, _ := source.TextOf(tree.Get("definition"))
	if !suite.IsSuite(d.name) || file == "" {
		return s.machinesBeside(d)
	}
	if _, _, err := s.files().ReadBeside(d.name, file); err != nil { // no device, and no file outside of the repository
		return nil
	}
	resource, _ := source.TextOf(tree.Get("resource"))
	list := machinesIn(s.files(), filepath.Join(filepath.Dir(d.name), filepath.FromSlash(file)), nil)
	return slices.DeleteFunc(list, func(m *machine) bool { return resource != "" && m.definition.Resource != resource })
}

// demandsAt returns what a definition requires of the value at a path of fixtures, or of a suite: the results of a key
// may be of several states.
func demandsAt(m *machine, path []string) (list []*flow.Demand) {
	demands := m.demands()
	if demands == nil {
		return nil
	}
	if len(path) > 2 && path[0] == "cases" {
		path = path[2:]
	}
	add := func(d *flow.Demand, rest []string) {
		for _, key := range rest {
			switch {
			case d == nil:
				return
			case isNumber(key) && d.Item != nil:
				d = d.Item
			default:
				d = d.Member(key)
			}
		}
		if d != nil {
			list = append(list, d)
		}
	}
	if len(path) > 0 && path[0] == "input" {
		add(demands.Input(), path[1:])
		return list
	}
	if len(path) < 4 {
		return nil
	}
	key, rest := path[1], path[3:]
	if rest[0] == "results" { // of an entry with a condition
		rest = rest[min(2, len(rest)):]
	}
	for state := range demands.Analysis().Machine().All() {
		named := state.Name == key || state.Path() == key
		switch {
		case path[0] == "tasks" && named, path[0] == "resources" && state.Resource == key:
			if len(rest) > 0 && rest[0] == "output" {
				add(demands.Result(state), rest[1:])
			}
		case path[0] == "itemReaders" && named && path[2] == "items":
			add(demands.Item(state), path[4:])
		}
	}
	return list
}
