package lsp

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
)

// variable is a variable of a definition with its places.
type variable struct {
	name           string
	assigned, used []location
}

// variableAt returns the variable that is named at a position, nil where there is none: in Assign, or in an expression.
func (s *server) variableAt(d *document, p position) *variable {
	offset := d.lines.offset(p)
	found := s.placeAt(d, offset)
	if found == nil || found.machine == nil {
		return nil
	}
	v := &variable{}
	w := whereIs(found.root, found.path)
	switch {
	case !found.isKey:
		for _, one := range d.variablesIn(&w, found.node, found.at) {
			if offset >= one.At && offset <= one.At+len(one.Name)+1 {
				v.name = one.Name
			}
		}
	case isAssigned(&w):
		v.name = strings.TrimSuffix(found.text(), ".$")
	}
	if v.name == "" {
		return nil
	}
	s.findVariable(d, found, v)
	if len(v.assigned) == 0 {
		return nil
	}
	return v
}

// isAssigned reports whether a key is the name of a variable in Assign.
func isAssigned(w *where) bool {
	field, rest := w.field()
	return field != nil && field.Content == asl.ContentAssign && len(rest) == 1
}

// findVariable finds the places of a variable in a definition.
func (s *server) findVariable(d *document, in *place, v *variable) {
	words(in.root, nil, func(path []string, isKey bool, n *source.Node, at source.Span) {
		if isKey {
			if strings.TrimSuffix(path[len(path)-1], ".$") == v.name {
				if w := whereIs(in.root, path); isAssigned(&w) {
					v.assigned = append(v.assigned, s.locationOf(in.machine, at, d))
				}
			}
			return
		}
		if text, ok := source.TextOf(n); !ok || !strings.Contains(text, "$"+v.name) || !in.machine.in(at, d.name) {
			return
		}
		w := whereIs(in.root, path)
		for _, one := range d.variablesIn(&w, n, at) {
			if one.Name == v.name {
				v.used = append(v.used, location{URI: d.uri, Range: d.lines.span(one.At, one.At+len(one.Name)+1)})
			}
		}
	})
}

// variablesIn returns the variables in an expression of a document, in the order of the text.
func (d *document) variablesIn(w *where, n *source.Node, at source.Span) (list []asl.VariableUse) {
	text, _ := source.TextOf(n)
	if !w.evaluates(text) {
		return nil
	}
	from := at.Start.Offset
	written := string(d.lines.data[from:min(at.End.Offset, len(d.lines.data))])
	for _, one := range asl.VariablesIn(text, w.language) {
		// Characters before it may be escaped: the text has as many of the word before it as the writing.
		word, i := "$"+one.Name, -1
		for range strings.Count(text[:one.At], word) + 1 {
			next := strings.Index(written[i+1:], word)
			if next < 0 {
				return list
			}
			i += 1 + next
		}
		list = append(list, asl.VariableUse{Name: one.Name, At: from + i})
	}
	return list
}
