package lsp

import (
	"asldb/engine/source"
	"asldb/engine/value"
)

// format answers with the changes that give the definitions of a document the white space that asldb writes. What is
// around a definition in a template stays.
func (s *server) format(p *documentParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	file := &source.File{Name: d.name, Data: d.lines.data}
	var edits []source.Edit
	for _, m := range s.read(d).machines {
		if m.text == nil || m.text.Root == nil || !m.in(m.text.Root.Span, d.name) || !d.formatted(m) {
			continue
		}
		edits = append(edits, source.LayoutOf(file).Reformat(m.text.Root)...)
	}
	return value.Each(source.Separate(edits), func(e source.Edit) textEdit {
		return textEdit{Range: d.lines.span(e.Span.Start.Offset, e.Span.End.Offset), NewText: e.Text}
	}), nil
}

// formatted reports whether a definition is one that can be written over several lines: in YAML and Terraform, JSON is
// on lines that have nothing else.
func (d *document) formatted(m *machine) bool {
	at := m.text.Root.Span.Start.Offset
	if at >= len(d.lines.data) || d.lines.data[at] != '{' || d.isJSON() {
		return at < len(d.lines.data)
	}
	from, _ := d.lines.line(d.lines.position(at).Line)
	for _, c := range d.lines.data[from:at] {
		if c != ' ' && c != '\t' {
			return false
		}
	}
	return true
}
