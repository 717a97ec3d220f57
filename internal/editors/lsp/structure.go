package lsp

import (
	"path/filepath"
	"slices"
	"strings"

	"asldb/engine/source"
)

// roots returns the trees of a document: of its definitions as far as they are written in it, or of a suite.
func (s *server) roots(d *document) []*source.Node {
	read := s.read(d)
	if read.tree != nil {
		return []*source.Node{read.tree}
	}
	if root, problem := source.Read(&source.File{Name: d.name, Data: d.lines.data}, nil); problem == nil {
		return []*source.Node{root} // a template has more than its definitions
	}
	var list []*source.Node
	for _, m := range read.machines {
		if m.text != nil && m.text.Root != nil && m.text.Source.Name == d.name {
			list = append(list, m.text.Root)
		}
	}
	return list
}

// stretches calls f with the stretch of each object, list and member below a node that is written in the document.
func stretches(n *source.Node, name string, f func(from, to int, container bool)) {
	visible := func(at source.Span) bool { return at.Start.Line > 0 && (at.File == nil || at.File.Name == name) }
	if visible(n.Span) {
		f(n.Span.Start.Offset, n.Span.End.Offset, len(n.Members)+len(n.Items) > 0)
	}
	for i := range n.Members {
		m := &n.Members[i]
		if visible(m.KeySpan) {
			f(m.KeySpan.Start.Offset, max(m.KeySpan.End.Offset, m.Node.Span.End.Offset), false)
			f(m.KeySpan.Start.Offset, m.KeySpan.End.Offset, false)
		}
		stretches(m.Node, name, f)
	}
	for _, item := range n.Items {
		stretches(item, name, f)
	}
}

// folds answers with the lines that can be folded: each object and list.
func (s *server) folds(p *documentParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := []foldingRange{}
	for _, root := range s.roots(d) {
		stretches(root, d.name, func(from, to int, container bool) {
			if !container {
				return
			}
			to = max(from, to-1)
			first, last := d.lines.position(from).Line, d.lines.position(to).Line
			if to < len(d.lines.data) && (d.lines.data[to] == '}' || d.lines.data[to] == ']') {
				last-- // the bracket stays
			} else if first > 0 && d.isYAML() {
				first-- // the key, or the dash
			}
			one := foldingRange{StartLine: first, EndLine: last}
			if last > first && !slices.Contains(list, one) {
				list = append(list, one)
			}
		})
	}
	return list, nil
}

// selections answers with the stretches around positions, from the word to the whole text.
func (s *server) selections(p *selectionParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := make([]*selectionRange, 0, len(p.Positions))
	for _, at := range p.Positions {
		offset := d.lines.offset(at)
		var around [][2]int
		for _, root := range s.roots(d) {
			stretches(root, d.name, func(from, to int, _ bool) {
				if from <= offset && offset <= to && !slices.Contains(around, [2]int{from, to}) {
					around = append(around, [2]int{from, to})
				}
			})
		}
		slices.SortStableFunc(around, func(a, b [2]int) int { return (b[1] - b[0]) - (a[1] - a[0]) })
		chosen := &selectionRange{Range: d.lines.span(0, len(d.lines.data))}
		for _, stretch := range around {
			within := d.lines.span(stretch[0], stretch[1])
			if within != chosen.Range && !before(within.Start, chosen.Range.Start) &&
				!before(chosen.Range.End, within.End) {
				chosen = &selectionRange{Range: within, Parent: chosen}
			}
		}
		list = append(list, chosen)
	}
	return list, nil
}

// The kinds of a highlight.
const (
	highlightRead  = 2
	highlightWrite = 3
)

// highlights answers with the uses in the document of the state, or the variable, that a word names.
func (s *server) highlights(p *positionParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := []highlight{}
	add := func(kind int, places ...location) {
		for _, at := range places {
			if at.URI == d.uri {
				list = append(list, highlight{at.Range, kind})
			}
		}
	}
	if ref := s.stateAt(d, p.Position); ref != nil {
		if member := ref.member(); member != nil {
			add(highlightWrite, s.locationOf(ref.machine, member.KeySpan, d))
		}
		for _, at := range ref.references() {
			add(highlightRead, s.locationOf(ref.machine, at, d))
		}
	} else if v := s.variableAt(d, p.Position); v != nil {
		add(highlightWrite, v.assigned...)
		add(highlightRead, v.used...)
	}
	return list, nil
}

// fileKeys are the keys whose values are names of files: of templates, suites and project files.
var fileKeys = []string{
	"DefinitionUri", "definition", "include", "fixtures", "substitutions", "history", "trace", "baseline", "inputFile",
}

// links answers with the files that a document names, as far as they are there.
func (s *server) links(p *documentParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := []documentLink{}
	for _, root := range s.roots(d) {
		words(root, nil, func(path []string, isKey bool, n *source.Node, at source.Span) {
			keys := slices.DeleteFunc(slices.Clone(path), isNumber)
			text, isText := source.TextOf(n)
			if isKey || !isText || text == "" || len(keys) == 0 || !slices.Contains(fileKeys, keys[len(keys)-1]) {
				return
			}
			name := filepath.Join(filepath.Dir(d.name), filepath.FromSlash(text))
			if !strings.HasPrefix(text, "/") && s.has(name) {
				w := wordOf(d.lines.data, at)
				list = append(list, documentLink{d.lines.span(w.from, w.to), uriOf(name)})
			}
		})
	}
	return list, nil
}

// has reports whether a file can be read.
func (s *server) has(name string) bool {
	_, _, err := s.files().Read(name)
	return err == nil
}

// maxSymbols bounds the states of an answer about the folders of the editor.
const maxSymbols = 200

// findSymbols answers with the states in the folders of the editor whose path has a text.
func (s *server) findSymbols(p *symbolParams) (any, error) {
	list := []workspaceSymbol{}
	index, wanted := s.indexed(), strings.ToLower(p.Query)
	for i := range index.definitions {
		one := &index.definitions[i]
		if one.Text == nil || s.documents[uriOf(one.Text.Source.Name)] != nil {
			one.Text, _ = one.Open(s.files()) // one that cannot be read has no states
		}
		if one.Text == nil {
			continue
		}
		model, _ := one.Text.Examine()
		if model == nil {
			continue
		}
		for state := range model.All() {
			if len(list) == maxSymbols {
				return list, nil
			}
			if strings.Contains(strings.ToLower(state.Path()), wanted) {
				file := one.Text.Source
				if state.NameSpan.File != nil {
					file = state.NameSpan.File
				}
				at := linesOf(file.Data).span(state.NameSpan.Start.Offset, state.NameSpan.End.Offset)
				list = append(list, workspaceSymbol{
					Name: state.Path(), Kind: symbolClass, ContainerName: filepath.Base(one.Label()),
					Location: location{URI: uriOf(file.Name), Range: at},
				})
			}
		}
	}
	return list, nil
}
