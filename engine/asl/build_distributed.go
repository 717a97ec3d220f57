package asl

import (
	"slices"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/value"
)

// maxBatchBytes is the greatest MaxInputBytesPerBatch: the greatest input of one execution.
const maxBatchBytes = 262_144

// part is the shape of ItemReader, ItemBatcher, ResultWriter and of the objects in them, whose fields are in the table.
type part struct {
	required  []string
	exclusive [][]string
	anyOf     []string // at least one of these
	// read reads a field of the object.
	read func(m *NodeMember, f *Field)
}

// part reads the object of a field. It reports false where there is no object.
func (b *builder) part(s *State, m *NodeMember, owner *Field, p *part) bool {
	if !b.object(m) {
		return false
	}
	n := m.Node
	for i := range n.Members {
		m := &n.Members[i]
		if f := owner.Part(m.Key); f == nil {
			b.unknown(m, owner.Name, namesOf(owner.Parts))
		} else if b.allowed(s, m, f.Language) {
			p.read(m, f)
		}
	}
	for _, field := range p.required {
		if n.Get(field) == nil {
			b.missing(n, owner.Name, field)
		}
	}
	for _, group := range p.exclusive {
		b.exclusive(n, group...)
	}
	if len(p.anyOf) > 0 && !hasAny(n, p.anyOf) {
		b.lacks(n, p.anyOf, n.Span, rules.MissingField, "%s must have the field %s", owner.Name, oneOf(p.anyOf))
	}
	return true
}

func hasAny(n *Node, fields []string) bool {
	return slices.ContainsFunc(fields, func(field string) bool { return n.Get(field) != nil })
}

// together notes that an object has one field without the other that it needs.
func (b *builder) together(n *Node, owner, field string, needs ...string) {
	if n.Get(field) != nil && !hasAny(n, needs) {
		b.lacks(n, needs, n.Span, rules.MissingField, "%s with the field %s must have the field %s", owner, quote(field), oneOf(needs))
	}
}

// itemReader reads the ItemReader of a Map state.
func (b *builder) itemReader(s *State, m *NodeMember, f *Field) *ItemReader {
	r := &ItemReader{Config: &ReaderConfig{Span: m.Node.Span}, Span: m.Node.Span}
	if !b.part(s, m, f, &part{required: []string{"Resource"}, read: func(m *NodeMember, f *Field) {
		switch f.Name {
		case "Resource":
			r.Resource, _ = b.text(m)
		case "Parameters", "Arguments":
			r.Parameters = b.payload(s, m, f)
		case "ReaderConfig":
			r.Config = b.readerConfig(s, m, f)
		}
	}}) {
		return nil
	}
	return r
}

func (b *builder) readerConfig(s *State, m *NodeMember, f *Field) *ReaderConfig {
	c := &ReaderConfig{Span: m.Node.Span}
	if !b.part(s, m, f, &part{exclusive: [][]string{{"MaxItems", "MaxItemsPath"}}, read: func(m *NodeMember, f *Field) {
		switch f.Name {
		case "InputType":
			c.InputType = wordIn(b.reporter, m, inputTypes)
		case "CSVHeaderLocation":
			c.CSVHeaderLocation = wordIn(b.reporter, m, headerLocations)
		case "CSVHeaders":
			c.CSVHeaders = b.texts(m)
		case "CSVDelimiter":
			c.CSVDelimiter = wordIn(b.reporter, m, delimiters)
		case "MaxItems", "MaxItemsPath":
			c.MaxItems = b.quantity(s, m, f)
		case "ItemsPointer":
			c.ItemsPointer = b.pointer(m)
		case "Transformation":
			c.Transformation = wordIn(b.reporter, m, loadings)
		case "ManifestType":
			c.ManifestType = wordIn(b.reporter, m, manifestTypes)
		}
	}}) {
		return c
	}
	switch headers := m.Node.Get("CSVHeaders"); {
	case headers == nil && c.CSVHeaderLocation == HeaderGiven:
		d := b.lacks(m.Node, []string{"CSVHeaders"}, m.Node.Span, rules.MissingField,
			"ReaderConfig with the \"CSVHeaderLocation\" %s must have the field \"CSVHeaders\"", HeaderGiven)
		d.Service.Message = requiredFieldsMessage + "[CSVHeaders]"
	case headers != nil && c.CSVHeaderLocation == HeaderFirstRow:
		b.report(headers, headers.Span, rules.Exclusive,
			"\"CSVHeaders\" and the \"CSVHeaderLocation\" %s exclude each other", HeaderFirstRow)
	}
	return c
}

// itemBatcher reads the ItemBatcher of a Map state.
func (b *builder) itemBatcher(s *State, m *NodeMember, f *Field) *ItemBatcher {
	i := &ItemBatcher{Span: m.Node.Span}
	if !b.part(s, m, f, &part{
		exclusive: [][]string{
			{"MaxItemsPerBatch", "MaxItemsPerBatchPath"},
			{"MaxInputBytesPerBatch", "MaxInputBytesPerBatchPath"},
		},
		anyOf: []string{"MaxItemsPerBatch", "MaxInputBytesPerBatch", "MaxItemsPerBatchPath", "MaxInputBytesPerBatchPath"},
		read: func(m *NodeMember, f *Field) {
			switch f.Name {
			case "BatchInput":
				i.BatchInput = b.payload(s, m, f)
			case "MaxItemsPerBatch", "MaxItemsPerBatchPath":
				i.MaxItemsPerBatch = b.quantity(s, m, f)
			case "MaxInputBytesPerBatch", "MaxInputBytesPerBatchPath":
				i.MaxInputBytesPerBatch = b.quantity(s, m, f)
			}
		},
	}) {
		return nil
	}
	return i
}

// resultWriter reads the ResultWriter of a Map state: an action with its parameters, a WriterConfig, or both.
func (b *builder) resultWriter(s *State, m *NodeMember, f *Field) *ResultWriter {
	w := &ResultWriter{Span: m.Node.Span}
	if !b.part(s, m, f, &part{
		anyOf: []string{"Resource", "WriterConfig", "Parameters", "Arguments"},
		read: func(m *NodeMember, f *Field) {
			switch f.Name {
			case "Resource":
				w.Resource, _ = b.text(m)
			case "Parameters", "Arguments":
				w.Parameters = b.payload(s, m, f)
			case "WriterConfig":
				w.Config = b.writerConfig(s, m, f)
			}
		},
	}) {
		return nil
	}
	b.together(m.Node, "ResultWriter", "Resource", "Parameters", "Arguments")
	b.together(m.Node, "ResultWriter", "Parameters", "Resource")
	b.together(m.Node, "ResultWriter", "Arguments", "Resource")
	return w
}

func (b *builder) writerConfig(s *State, m *NodeMember, f *Field) *WriterConfig {
	c := &WriterConfig{Span: m.Node.Span}
	if !b.part(s, m, f, &part{required: []string{"OutputType"}, read: func(m *NodeMember, f *Field) {
		switch f.Name {
		case "OutputType":
			c.OutputType = wordIn(b.reporter, m, outputTypes)
		case "Transformation":
			c.Transformation = wordIn(b.reporter, m, transformations)
		}
	}}) {
		return nil
	}
	return c
}

// texts reads an array of strings.
func (b *builder) texts(m *NodeMember) []string {
	if !b.kind(m, value.KindArray) {
		return nil
	}
	texts := make([]string, 0, len(m.Node.Items))
	for _, n := range m.Node.Items {
		text, ok := n.Value.(value.String)
		if !ok {
			b.report(n, n.Span, rules.Type, "an item of %s must be a string, but is %s", quote(m.Key), describe(n))
			continue
		}
		texts = append(texts, string(text))
	}
	return texts
}

// pointer reads a JSON Pointer (RFC 6901).
func (b *builder) pointer(m *NodeMember) string {
	text, ok := b.text(m)
	if ok && text != "" && !strings.HasPrefix(text, "/") {
		d := b.wrong(m, rules.Path, "%s must be a JSON Pointer such as \"/orders/items\" (RFC 6901), but is %s", quote(m.Key), quote(text))
		d.Service.Message = "Invalid input: JSON Pointer expression must start with '/': \"" + text + "\""
	}
	return text
}
