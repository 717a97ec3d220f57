package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"unicode"
	"unicode/utf8"

	"asldb/engine/source"
	"asldb/internal/suite"
)

// stateRef is a state that a document names.
type stateRef struct {
	machine *machine
	scope   *source.Node
	name    string
	// at is the word that names it.
	at source.Span
}

// namedAt returns the state that the word at a position names, nil where it names none: as stateAt, or in a suite or
// fixtures.
func (s *server) namedAt(d *document, p position) *stateRef {
	if found := s.placeAt(d, d.lines.offset(p)); found != nil && found.machine == nil {
		return s.stateBeside(d, found)
	}
	return s.stateAt(d, p)
}

// stateAt returns the state that the word of a definition at a position names, nil where it names none: its own name,
// or that in a transition.
func (s *server) stateAt(d *document, p position) *stateRef {
	found := s.placeAt(d, d.lines.offset(p))
	if found == nil || found.machine == nil {
		return nil
	}
	w := whereIs(found.root, found.path)
	ref := &stateRef{machine: found.machine, scope: w.scope, name: found.text(), at: found.at}
	switch {
	case found.isKey && w.state != nil && len(w.fields) == 0:
	case !found.isKey && isTarget(&w):
	default:
		return nil
	}
	return ref
}

// stateBeside returns the state that a word of a suite or of fixtures names.
func (s *server) stateBeside(d *document, found *place) *stateRef {
	name := found.text()
	if name == "" || !namesState(found.path, found.isKey) {
		return nil
	}
	for _, m := range s.machinesBeside(d) {
		model, _ := m.examine()
		if model == nil || m.text.Root == nil {
			continue
		}
		state := model.Lookup(name)
		if state == nil || state.Name != name {
			continue
		}
		ref := &stateRef{machine: m, name: name, at: found.at}
		eachWord(m.text.Root, func(w where, p *place) {
			if p.isKey && w.state != nil && len(w.fields) == 0 && w.name == name {
				ref.scope = w.scope
			}
		})
		if ref.scope != nil {
			return ref
		}
	}
	return nil
}

// machinesBeside returns the definitions that a suite or a file of fixtures is about.
func (s *server) machinesBeside(d *document) (list []*machine) {
	if loaded := s.read(d).suite; loaded != nil {
		for _, m := range machinesIn(s.files(), loaded.Definition().File, nil) {
			if loaded.Definition().Resource == "" || m.definition.Resource == loaded.Definition().Resource {
				list = append(list, m)
			}
		}
		return list
	}
	for _, one := range s.indexed().definitions {
		for _, m := range machinesIn(s.files(), one.File, nil) {
			if m.definition.Resource == one.Resource &&
				slices.ContainsFunc(s.companionFiles(m), func(name string) bool { return same(name, d.name) }) {
				list = append(list, m)
			}
		}
	}
	return list
}

// isTarget reports whether a place is the name of a state: StartAt, Next or Default.
func isTarget(w *where) bool {
	f := w.fields
	switch {
	case len(f) == 0:
		return false
	case w.state == nil:
		return len(f) == 1 && f[0] == "StartAt"
	case len(f) == 1:
		return f[0] == "Next" || f[0] == "Default"
	case len(f) == 3:
		return (f[0] == "Choices" || f[0] == "Catch") && f[2] == "Next"
	}
	return false
}

// member returns the key of the state in its scope, nil where there is no such state.
func (r *stateRef) member() *source.NodeMember {
	states := r.scope.Get("States")
	if states == nil {
		return nil
	}
	for i := range states.Members {
		if states.Members[i].Key == r.name {
			return &states.Members[i]
		}
	}
	return nil
}

// references returns the places of the transitions to the state.
func (r *stateRef) references() (list []source.Span) {
	add := func(n *source.Node) {
		if text, ok := source.TextOf(n); ok && text == r.name {
			list = append(list, n.Span)
		}
	}
	add(r.scope.Get("StartAt"))
	states := r.scope.Get("States")
	if states == nil {
		return list
	}
	for i := range states.Members {
		state := states.Members[i].Node
		add(state.Get("Next"))
		add(state.Get("Default"))
		for _, field := range []string{"Choices", "Catch"} {
			if entries := state.Get(field); entries != nil {
				for _, entry := range entries.Items {
					add(entry.Get("Next"))
				}
			}
		}
	}
	return list
}

// locationOf returns the location of a stretch of a definition.
func (s *server) locationOf(m *machine, at source.Span, d *document) location {
	file := m.text.Source
	if at.File != nil {
		file = at.File
	}
	return location{URI: s.uriOf(file, d), Range: rangeIn(file, at, d)}
}

// define answers with the place of the state that a word names; in a suite, with the place of its definition or of a
// state there.
func (s *server) define(p *positionParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if loaded := s.read(d).suite; loaded != nil {
		return s.defineInSuite(d, loaded, p.Position), nil
	}
	if ref := s.namedAt(d, p.Position); ref != nil {
		if member := ref.member(); member != nil {
			return s.locationOf(ref.machine, member.KeySpan, d), nil
		}
		return nil, nil
	}
	if v := s.variableAt(d, p.Position); v != nil {
		return v.assigned, nil
	}
	return nil, nil
}

// defineInSuite returns the place in the definition of a suite that a word of the suite names, or nil.
func (s *server) defineInSuite(d *document, loaded *suite.Suite, at position) any {
	found := s.placeAt(d, d.lines.offset(at))
	if found == nil || loaded.Definition().File == "" {
		return nil
	}
	if len(found.path) == 1 && found.path[0] == "definition" {
		return location{URI: s.uriOf(&source.File{Name: loaded.Definition().File}, d)}
	}
	name := found.text()
	if found.isKey && len(found.path) < 2 || name == "" {
		return nil
	}
	for _, m := range machinesIn(s.files(), loaded.Definition().File, nil) {
		model, _ := m.examine()
		if model == nil || loaded.Definition().Resource != "" && m.definition.Resource != loaded.Definition().Resource {
			continue
		}
		if state := model.Lookup(name); state != nil {
			return s.locationOf(m, state.NameSpan, d)
		}
	}
	return nil
}

// references answers with the transitions to the state that a word names, or the uses of a variable.
func (s *server) references(p *referenceParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := []location{}
	ref := s.namedAt(d, p.Position)
	if ref == nil {
		if v := s.variableAt(d, p.Position); v != nil {
			if p.Context.IncludeDeclaration {
				list = append(list, v.assigned...)
			}
			list = append(list, v.used...)
		}
		return list, nil
	}
	if member := ref.member(); member != nil && p.Context.IncludeDeclaration {
		list = append(list, s.locationOf(ref.machine, member.KeySpan, d))
	}
	for _, at := range ref.references() {
		list = append(list, s.locationOf(ref.machine, at, d))
	}
	return list, nil
}

// prepareRename answers with the name that can be changed at a position.
func (s *server) prepareRename(p *positionParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	ref := s.namedAt(d, p.Position)
	if ref == nil || ref.member() == nil {
		return nil, nil
	}
	w := wordOf(d.lines.data, ref.at)
	return prepared{Range: d.lines.span(w.from, w.to), Placeholder: ref.name}, nil
}

// maxName is the greatest length of the name of a state, in characters.
const maxName = 80

// rename answers with the changes that give a state another name: in the definition, and in the fixtures and suites of
// the folder that name it.
func (s *server) rename(p *renameParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	ref := s.namedAt(d, p.Position)
	if ref == nil || ref.member() == nil {
		return nil, fmt.Errorf("there is no name of a state here")
	}
	switch taken := s.taken(ref.machine, p.NewName); {
	case p.NewName == "" || utf8.RuneCountInString(p.NewName) > maxName:
		return nil, fmt.Errorf("the name of a state has 1 to %d characters", maxName)
	case slices.ContainsFunc([]rune(p.NewName), unicode.IsControl):
		return nil, fmt.Errorf("the name of a state has no control characters")
	case taken && p.NewName != ref.name:
		return nil, fmt.Errorf("there is a state %q already", p.NewName)
	}
	edit := workspaceEdit{Changes: make(map[string][]textEdit)}
	for _, at := range append([]source.Span{ref.member().KeySpan}, ref.references()...) {
		file := ref.machine.text.Source
		if at.File != nil {
			file = at.File
		}
		s.addEdit(&edit, file, at, p.NewName, d)
	}
	s.renameBeside(&edit, ref, p.NewName, d)
	return edit, nil
}

// addEdit adds the change of a word to an edit.
func (s *server) addEdit(edit *workspaceEdit, file *source.File, at source.Span, text string, d *document) {
	l := d.lines
	if file.Name != d.name {
		l = linesOf(file.Data)
	}
	w := wordOf(l.data, at)
	uri := s.uriOf(file, d)
	change := textEdit{Range: l.span(w.from, w.to), NewText: w.write(text)}
	if !slices.Contains(edit.Changes[uri], change) { // a machine may be in several places of one text
		edit.Changes[uri] = append(edit.Changes[uri], change)
	}
}

// taken reports whether a definition has a state of a name.
func (s *server) taken(m *machine, name string) bool {
	model, _ := m.examine()
	if model == nil {
		return false
	}
	for state := range model.All() {
		if state.Name == name {
			return true
		}
	}
	return false
}

// stateKeys are the parents whose members are named after states, in fixtures and suites.
var stateKeys = []string{"tasks", "inject", "states", "itemReaders"}

// renameBeside adds the changes in the fixtures and suites that are about the definition.
func (s *server) renameBeside(edit *workspaceEdit, ref *stateRef, text string, d *document) {
	files := s.files()
	for _, name := range s.companionFiles(ref.machine) {
		_, content, err := files.Read(name)
		if err != nil {
			continue
		}
		file := &source.File{Name: name, Data: content}
		root, problem := source.Read(file, nil)
		if problem != nil {
			continue
		}
		words(root, nil, func(path []string, isKey bool, n *source.Node, at source.Span) {
			if !namesState(path, isKey) {
				return
			}
			if word, _ := source.TextOf(n); isKey && path[len(path)-1] == ref.name || !isKey && word == ref.name {
				s.addEdit(edit, file, at, text, d)
			}
		})
	}
}

// companionFiles returns the files of the default fixtures of a definition, of the suites that are about it, and of the
// fixtures that those name.
func (s *server) companionFiles(m *machine) []string {
	var names []string
	if name := s.fixturesOf(m); name != "" {
		names = append(names, name)
	}
	for _, name := range s.suitesOf(m, s.indexed()) {
		names = append(names, name)
		_, content, err := s.files().Read(name)
		if err != nil {
			continue
		}
		root, problem := source.Read(&source.File{Name: name, Data: content}, nil)
		if problem != nil {
			continue
		}
		words(root, nil, func(path []string, isKey bool, n *source.Node, _ source.Span) {
			keys := slices.DeleteFunc(slices.Clone(path), isNumber)
			file, _ := source.TextOf(n)
			if !isKey && file != "" && len(keys) == 1 && keys[0] == "include" {
				names = append(names, filepath.Join(filepath.Dir(name), filepath.FromSlash(file)))
			}
		})
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// suitesOf returns the suites that are about a definition: in its folder, and in the folders of the editor.
func (s *server) suitesOf(m *machine, known *index) (list []string) {
	names := slices.Clone(known.suites)
	for _, folder := range m.folders() {
		for _, ending := range []string{"*.test.yaml", "*.test.yml", "*.test.json"} {
			found, _ := filepath.Glob(
				filepath.Join(folder, ending),
			) // the pattern is right but where the folder's name has brackets
			names = append(names, found...)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if _, content, err := s.files().Read(name); err == nil && s.isAbout(name, content, m) {
			list = append(list, name)
		}
	}
	return list
}

// namesState reports whether a word of a suite or of fixtures is the name of a state.
func namesState(path []string, isKey bool) bool {
	if len(path) < 2 {
		return false
	}
	parent := path[len(path)-2]
	if isKey {
		inCase := len(path) == 4 && path[0] == "cases" || len(path) == 5 && path[0] == "cases" && path[2] == "expect"
		return slices.Contains(stateKeys, parent) && (len(path) == 2 || inCase)
	}
	return len(path) == 5 && path[0] == "cases" && path[2] == "expect" && (parent == "path" || parent == "never")
}

// isAbout reports whether a suite is about a definition.
func (s *server) isAbout(name string, content []byte, m *machine) bool {
	loaded, err := suite.Load(name, content)
	if err != nil || loaded.Definition().File == "" {
		return false
	}
	return m.isOf(loaded.Definition().File, loaded.Definition().Resource)
}
