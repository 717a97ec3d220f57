package smithy

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"asldb/engine/source"
	"asldb/engine/value"
)

// RuleNoModel is the rule of a text that isn't a Smithy model.
const RuleNoModel = "not-a-smithy-model"

// Model is the shapes of some files. They are complete: with the traits that are applied to them and the traits of
// their mixins, with the members of their mixins, and with the targets of elided members.
type Model struct {
	// Files are in the order in which they were read.
	Files []*source.File
	// Shapes are in the order of the files and of their texts.
	Shapes []*Shape

	byID     map[string]*Shape
	metadata map[string][]Metadatum
	// applied has the files of the values of traits that are in another file than their shape.
	applied map[*source.Node]*source.File
}

// Shape is a shape of a model in the form that it has in the JSON AST.
type Shape struct {
	// ID is absolute, "com.amazonaws.lambda#GetFunction".
	ID   string
	Key  source.Span // of its name
	Node *source.Node
	File *source.File

	resource string // the resource that a structure is for
	done     bool   // mixins are part of it
}

// Metadatum is the value that a file gives to a metadata property.
type Metadatum struct {
	Node *source.Node
	File *source.File
}

// IsIDL reports whether a file is in Smithy's IDL: by its name, else by its first token.
func IsIDL(f *source.File) bool {
	switch strings.ToLower(filepath.Ext(f.Name)) {
	case ".smithy":
		return true
	case ".json", ".yaml", ".yml":
		return false
	}
	s := newScanner(f)
	s.white()
	switch s.word() {
	case "namespace", "metadata":
		s.skip(len(s.word()))
		at := s.at
		s.space()
		return s.at != at && (isLetter(s.peek()) || s.peek() == '"')
	}
	return s.peek() == '$' && isLetter(s.peekAt(1))
}

// IsAST reports whether a tree is a model in the JSON AST.
func IsAST(root *source.Node) bool {
	shapes := root.Get("shapes")
	return root.Get("smithy") != nil && shapes != nil && shapes.Kind == value.KindObject
}

// Read reads the files of a model. The model is nil where one of them cannot be read, or isn't a model. The problems
// are in the order of the names of the files and of their texts.
func Read(files ...*source.File) (*Model, []source.Diagnostic) {
	r := &reader{model: &Model{
		Files: files, byID: make(map[string]*Shape), metadata: make(map[string][]Metadatum),
		applied: make(map[*source.Node]*source.File),
	}}
	declared := make(map[string]bool)
	for _, f := range files {
		if IsIDL(f) && tooLarge(f) == nil {
			names := newParser(f, nil)
			names.parse()
			for _, shape := range names.shapes {
				if shape.Node.Get("type").Text() != "apply" {
					declared[shape.ID] = true
				}
			}
		}
	}
	for _, f := range files {
		if IsIDL(f) {
			r.idl(f, declared)
		} else {
			r.ast(f)
		}
	}
	if r.failed {
		return nil, r.problems
	}
	r.merge()
	return r.model, r.problems
}

// reader puts a model together.
type reader struct {
	model    *Model
	problems []source.Diagnostic
	failed   bool
	// applies are the apply statements.
	applies []*Shape
}

func (r *reader) report(f *source.File, rule string, at source.Span, format string, args ...any) *source.Diagnostic {
	r.problems = append(r.problems, source.Diagnostic{File: f, Rule: rule, Span: at, Message: fmt.Sprintf(format, args...)})
	return &r.problems[len(r.problems)-1]
}

// tooLarge returns the problem of a text that is too large, or is not UTF-8.
func tooLarge(f *source.File) *source.Diagnostic {
	start := source.Position{Line: 1, Col: 1}
	if len(f.Data) > value.DefaultBytes {
		limit := &value.LimitError{What: "bytes", Limit: value.DefaultBytes}
		return &source.Diagnostic{Rule: source.RuleTooLarge, Span: source.Span{Start: start, End: start}, Message: limit.Error()}
	}
	if utf8.Valid(f.Data) {
		return nil
	}
	s := newScanner(f)
	for i := s.at.Offset; i < len(f.Data); {
		char, size := utf8.DecodeRune(f.Data[i:])
		if char == utf8.RuneError && size == 1 {
			s.skipTo(i)
			break
		}
		i += size
	}
	return &source.Diagnostic{Rule: RuleSyntax, Span: s.here(), Message: "the text is not UTF-8"}
}

// idl reads a file in the IDL.
func (r *reader) idl(f *source.File, declared map[string]bool) {
	if problem := tooLarge(f); problem != nil {
		r.problems, r.failed = append(r.problems, source.Own(f, []source.Diagnostic{*problem})...), true
		return
	}
	p := newParser(f, declared)
	p.parse()
	r.problems = append(r.problems, source.Own(f, p.problems)...)
	r.failed = r.failed || len(p.problems) > 0
	r.addMetadata(f, p.properties)
	for _, shape := range p.shapes {
		r.add(shape)
	}
}

func (r *reader) addMetadata(f *source.File, properties []source.NodeMember) {
	for _, m := range properties {
		r.model.metadata[m.Key] = append(r.model.metadata[m.Key], Metadatum{m.Node, f})
	}
}

// ast reads a file in the JSON AST.
func (r *reader) ast(f *source.File) {
	root, problem := source.Read(f, nil)
	switch {
	case problem != nil:
		r.problems, r.failed = append(r.problems, source.Own(f, []source.Diagnostic{*problem})...), true
		return
	case !IsAST(root):
		r.report(f, RuleNoModel, root.Span, `this is not a Smithy model: in JSON it has a "smithy" version and "shapes", and files in Smithy's own language end in .smithy`)
		r.failed = true
		return
	}
	if held := root.Get("metadata"); held != nil {
		r.addMetadata(f, held.Members)
	}
	for _, m := range root.Get("shapes").Members {
		r.add(&Shape{ID: m.Key, Key: m.KeySpan, Node: m.Node, File: f})
	}
}

// add adds a shape to the model. The same shape may be there already, in another file.
func (r *reader) add(shape *Shape) {
	if shape.Node.Get("type").Text() == "apply" {
		r.applies = append(r.applies, shape)
		return
	}
	if other := r.model.byID[shape.ID]; other != nil {
		if !value.Equal(other.Node.Value, shape.Node.Value) {
			d := r.report(shape.File, RuleSyntax, shape.Key, "%s is defined already, in %s:%d:%d", shape.ID, other.File.Name, other.Key.Start.Line, other.Key.Start.Col)
			d.Reasons = []source.Reason{{Text: "the other definition", Span: other.Key, File: other.File}}
		}
		return
	}
	r.model.byID[shape.ID] = shape
	r.model.Shapes = append(r.model.Shapes, shape)
}

// Members returns the members of a shape with their names; there are none of nil.
func Members(shape *source.Node) []source.NodeMember {
	var list []source.NodeMember
	for _, key := range memberKeys {
		if held := shape.Get(key); held != nil && key == "members" {
			list = append(list, held.Members...)
		} else if held != nil {
			list = append(list, source.M(key, held))
		}
	}
	return list
}

// Lookup returns the shape with an absolute id, or nil.
func (m *Model) Lookup(id string) *Shape { return m.byID[id] }

// Shape returns the tree of the shape with an absolute id, or nil.
func (m *Model) Shape(id string) *source.Node {
	if shape := m.byID[id]; shape != nil {
		return shape.Node
	}
	return nil
}

// Metadata returns the values of a metadata property, one for each file with it: lists are one (section "Metadata").
func (m *Model) Metadata(property string) []Metadatum { return m.metadata[property] }

// Trait returns the value of a trait of a shape, with the place of its name and its file. The value is nil where the shape does not
// have the trait.
func (m *Model) Trait(shape *Shape, trait string) (held *source.Node, key source.Span, file *source.File) {
	return m.TraitOf(shape.Node, shape.File, trait)
}

// TraitOf is [Model.Trait] of a shape or a member in a file.
func (m *Model) TraitOf(n *source.Node, of *source.File, trait string) (
	held *source.Node, key source.Span, file *source.File,
) {
	traits := n.Get("traits")
	if traits == nil {
		return nil, key, nil
	}
	for _, t := range slices.Backward(traits.Members) {
		if t.Key != trait {
			continue
		}
		if file = m.applied[t.Node]; file == nil {
			file = of
		}
		return t.Node, t.KeySpan, file
	}
	return nil, key, nil
}

// Operations returns the ids of the operations of a service, with the operations of its resources (section "Service
// closure").
func (m *Model) Operations(service string) []string {
	var ids []string
	seen := make(map[string]bool)
	var visit func(id string)
	visit = func(id string) {
		if seen[id] {
			return
		}
		seen[id] = true
		node := m.Shape(id)
		if node.Get("type").Text() == "operation" {
			ids = append(ids, id)
			return
		}
		for _, key := range []string{"operations", "collectionOperations", "resources"} {
			if list := node.Get(key); list != nil {
				for _, item := range list.Items {
					visit(item.Get("target").Text())
				}
			}
		}
		for _, key := range []string{"create", "put", "read", "update", "delete", "list"} {
			if held := node.Get(key); held != nil && node.Get("type").Text() == "resource" {
				visit(held.Get("target").Text())
			}
		}
	}
	visit(service)
	return ids
}

// Needs returns the files with the shapes that a shape refers to, itself included, in their order.
func (m *Model) Needs(id string) []*source.File {
	needed, seen := make(map[*source.File]bool), make(map[string]bool)
	var visit func(id string)
	var walk func(n *source.Node)
	walk = func(n *source.Node) {
		if target := n.Get("target"); target != nil {
			visit(target.Text())
		}
		for i := range n.Members {
			if n.Members[i].Key != "traits" {
				walk(n.Members[i].Node)
			}
		}
		for _, item := range n.Items {
			walk(item)
		}
	}
	visit = func(id string) {
		shape := m.byID[id]
		if shape == nil || seen[id] {
			return
		}
		seen[id], needed[shape.File] = true, true
		visit(shape.resource)
		walk(shape.Node)
	}
	visit(id)
	return slices.DeleteFunc(slices.Clone(m.Files), func(f *source.File) bool { return !needed[f] })
}

// Is reports whether a file is a Smithy model, in either form.
func Is(f *source.File) bool {
	if IsIDL(f) {
		return true
	}
	if !bytes.Contains(f.Data, []byte("smithy")) {
		return false
	}
	root, problem := source.Read(f, nil)
	return problem == nil && IsAST(root)
}
