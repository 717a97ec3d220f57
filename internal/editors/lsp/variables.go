package lsp

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/internal/wording"
)

// variable is a variable of a definition with its places.
type variable struct {
	name           string
	assigned, used []location
}

// variableName finds the names of variables in an expression.
var variableName = wording.Pattern(`\$[\pL_][\pL\d_]*`)

// variableAt returns the variable that is named at a position, nil where there is none: in Assign, or in an expression.
func (s *server) variableAt(d *document, p position) *variable {
	offset := d.lines.offset(p)
	found := s.placeAt(d, offset)
	if found == nil || found.machine == nil {
		return nil
	}
	v := &variable{}
	if found.isKey {
		if w := whereIs(found.root, found.path); !isAssigned(&w) {
			return nil
		}
		v.name = strings.TrimSuffix(found.text(), ".$")
	} else {
		stretch := string(d.lines.data[found.at.Start.Offset:min(found.at.End.Offset, len(d.lines.data))])
		for _, m := range variableName().FindAllStringIndex(stretch, -1) {
			if at := found.at.Start.Offset; offset >= at+m[0] && offset <= at+m[1] {
				v.name = stretch[m[0]+1 : m[1]]
			}
		}
	}
	if v.name == "" || v.name == "states" {
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
		stretch := string(d.lines.data[at.Start.Offset:min(at.End.Offset, len(d.lines.data))])
		for _, m := range variableName().FindAllStringIndex(stretch, -1) {
			if stretch[m[0]+1:m[1]] == v.name && (m[0] == 0 || stretch[m[0]-1] != '$') {
				from := at.Start.Offset + m[0]
				v.used = append(v.used, location{URI: d.uri, Range: d.lines.span(from, from+m[1]-m[0])})
			}
		}
	})
}
