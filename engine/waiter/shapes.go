package waiter

import (
	"strings"

	"asldb/engine/smithy"
	"asldb/engine/source"
)

// errorName is the part of a shape id behind the namespace: errors are compared by it alone, since names on
// the wire have no namespace (section "Matching errors").
func errorName(id string) string { return id[strings.LastIndexByte(id, '#')+1:] }

// shape returns a shape of the model by its absolute id, or nil.
func (m *Model) shape(id string) *source.Node { return m.shapes.Shape(id) }

// target returns the shape that a reference, such as a member, points at, with its id.
func (m *Model) target(reference *source.Node) (id string, shape *source.Node) {
	id = reference.Get("target").Text()
	return id, m.shape(id)
}

// typeOf returns the type of a shape: "structure", "list", "string", ... Those of the prelude are known by their names.
func (m *Model) typeOf(id string, shape *source.Node) string {
	if shape != nil {
		return shape.Get("type").Text()
	}
	if name, prelude := strings.CutPrefix(id, "smithy.api#"); prelude {
		return strings.ToLower(strings.TrimPrefix(name, "Primitive"))
	}
	return ""
}

func hasTrait(n *source.Node, trait string) bool { return n.Get("traits").Get(trait) != nil }

// part returns the input or output structure of an operation; nil where it has none.
func (m *Model) part(operation *source.Node, which string) *source.Node {
	reference := operation.Get(which)
	if reference == nil || reference.Get("target").Text() == smithy.Unit {
		return nil
	}
	_, shape := m.target(reference)
	return shape
}

// missing returns the id of the input or output of an operation that is not in the model, "" where there is none.
func (m *Model) missing(operation *source.Node, which string) string {
	id := operation.Get(which).Get("target").Text()
	if id == smithy.Unit || m.shape(id) != nil {
		return ""
	}
	return id
}

// partType is the type of the input or output of an operation.
func (m *Model) partType(operation *source.Node, which string) shapeType {
	if m.missing(operation, which) != "" {
		return unknown
	}
	return m.structureType(m.part(operation, which))
}

// eventStream returns the name of the member of a structure that is an event stream (a streamed union), or "".
func (m *Model) eventStream(structure *source.Node) string {
	for _, member := range smithy.Members(structure) {
		id, shape := m.target(member.Node)
		if m.typeOf(id, shape) == "union" && hasTrait(shape, "smithy.api#streaming") {
			return member.Key
		}
	}
	return ""
}

// errors lists the errors of an operation and of the services that it is in, by their absolute ids.
func (m *Model) errors(id string, operation *source.Node) []string {
	var ids []string
	add := func(owner *source.Node) {
		if list := owner.Get("errors"); list != nil {
			for _, e := range list.Items {
				ids = append(ids, e.Get("target").Text())
			}
		}
	}
	add(operation)
	for _, service := range m.services[id] {
		add(service.Node)
	}
	return ids
}

// spanOf returns the place of n, or of its parent where n is nil.
func spanOf(n, owner *source.Node) source.Span {
	if n == nil {
		return owner.Span
	}
	return n.Span
}
