package lsp

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/internal/files"
)

// document is a text that the editor has open.
type document struct {
	uri, name string
	version   int
	lines     *lines
	again     source.Rereader
	// read is the document as it was read, of the generation of all texts.
	read       *reading
	generation int
	// sound are the definitions, by resource, as they were the last time that they had no errors.
	sound map[string]*machine
}

// isYAML reports whether the document is written in YAML, by its name.
func (d *document) isYAML() bool {
	return strings.HasSuffix(d.name, ".yaml") || strings.HasSuffix(d.name, ".yml")
}

// isJSON reports whether the document is one value in JSON.
func (d *document) isJSON() bool {
	head := bytes.TrimLeft(d.lines.data, "\ufeff \t\r\n")
	return len(head) > 0 && head[0] == '{'
}

// open takes a document.
func (s *server) open(p *openParams) (any, error) {
	d := p.TextDocument
	s.documents[d.URI] = &document{uri: d.URI, name: nameOf(d.URI), version: d.Version, lines: linesOf([]byte(d.Text))}
	s.templates.stale = true
	s.changed()
	return nil, nil
}

// change takes the changes of a document.
func (s *server) change(p *changeParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	before := d.lines.data
	for i := range p.ContentChanges {
		d.lines = linesOf(d.lines.apply(&p.ContentChanges[i]))
	}
	s.templates.stale = s.templates.stale || definitions.MayContain(before) || definitions.MayContain(d.lines.data)
	if p.TextDocument.Version != nil {
		d.version = *p.TextDocument.Version
	}
	s.changed()
	return nil, nil
}

// close forgets a document with its problems.
func (s *server) close(p *documentParams) (any, error) {
	if _, err := s.document(p.TextDocument.URI); err != nil {
		return nil, err
	}
	delete(s.documents, p.TextDocument.URI)
	s.templates.stale = true
	s.changed()
	return nil, nil
}

// document returns an open document.
func (s *server) document(uri string) (*document, error) {
	if d := s.documents[uri]; d != nil {
		return d, nil
	}
	return nil, fmt.Errorf("the document %s is not open", uri)
}

// changed takes note of a change, and has the problems sent when no other follows for a while.
func (s *server) changed() {
	s.generation++
	if s.timer != nil {
		s.timer.Stop()
	}
	generation := s.generation
	s.timer = time.AfterFunc(s.options.Delay, func() {
		s.push(job{ctx: s.ctx, do: func(ctx context.Context) {
			if generation == s.generation {
				s.publish(ctx)
			}
		}})
	})
}

// files reads files; the ones that the editor has open are as it shows them.
func (s *server) files() files.Files {
	changed := make(map[string][]byte, len(s.documents))
	for _, d := range s.documents {
		changed[d.name] = d.lines.data
	}
	return files.Files{Stdin: strings.NewReader(""), Changed: changed}
}

// openDocuments returns the open documents in the order of their URIs.
func (s *server) openDocuments() []*document {
	return value.Each(slices.Sorted(maps.Keys(s.documents)), func(uri string) *document { return s.documents[uri] })
}

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
