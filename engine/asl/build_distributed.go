package asl

import (
	"strings"

	"asldb/engine/rules"
	"asldb/engine/value"
)

// maxBatchBytes is the greatest MaxInputBytesPerBatch: what one execution can get as its input.
const maxBatchBytes = 262_144

// part is the shape of ItemReader, ItemBatcher, ResultWriter and of the objects in them.
type part struct {
	name      string
	fields    []partField
	required  []string
	exclusive [][]string
	anyOf     []string // at least one of these
}

// partField is a field of a part, and what reads it.
type partField struct {
	name     string
	language QueryLanguage // "" for both
	read     func(m *NodeMember)
}

// part reads an object of the given shape. It reports false where there is no object.
func (b *builder) part(s *State, m *NodeMember, p *part) bool {
	if !b.object(m) {
		return false
	}
	n := m.Node
	for i := range n.Members {
		b.partField(s, &n.Members[i], p)
	}
	for _, field := range p.required {
		if n.Get(field) == nil {
			b.missing(n, p.name, field)
		}
	}
	for _, group := range p.exclusive {
		b.exclusive(n, group...)
	}
	if len(p.anyOf) > 0 && !hasAny(n, p.anyOf) {
		b.report(n, n.Span, rules.MissingField, "%s must have the field %s", p.name, oneOf(p.anyOf))
	}
	return true
}

func hasAny(n *Node, fields []string) bool {
	for _, field := range fields {
		if n.Get(field) != nil {
			return true
		}
	}
	return false
}

func (b *builder) partField(s *State, m *NodeMember, p *part) {
	names := make([]string, 0, len(p.fields))
	for _, field := range p.fields {
		if field.name != m.Key {
			names = append(names, field.name)
			continue
		}
		if field.language == "" || b.allowed(s, m, field.language) {
			field.read(m)
		}
		return
	}
	b.unknown(m, p.name, names)
}

// together notes that an object has one field without the other that it needs.
func (b *builder) together(n *Node, owner, field string, needs ...string) {
	if n.Get(field) != nil && !hasAny(n, needs) {
		b.report(n, n.Span, rules.MissingField, "%s with the field %s must have the field %s", owner, quote(field), oneOf(needs))
	}
}

// itemReader reads the ItemReader of a Map state.
func (b *builder) itemReader(s *State, m *NodeMember) *ItemReader {
	r := &ItemReader{Config: &ReaderConfig{Span: m.Node.Span}, Span: m.Node.Span}
	parameters := func(m *NodeMember) { r.Parameters = b.payload(s, m) }
	if !b.part(s, m, &part{
		name:     "ItemReader",
		required: []string{"Resource"},
		fields: []partField{
			{"Resource", "", func(m *NodeMember) { r.Resource, _ = b.text(m) }},
			{"Parameters", JSONPath, parameters},
			{"Arguments", JSONata, parameters},
			{"ReaderConfig", "", func(m *NodeMember) { r.Config = b.readerConfig(s, m) }},
		},
	}) {
		return nil
	}
	return r
}

func (b *builder) readerConfig(s *State, m *NodeMember) *ReaderConfig {
	c := &ReaderConfig{Span: m.Node.Span}
	items := func(m *NodeMember) { c.MaxItems = b.quantity(s, m, 0, maxItems) }
	if !b.part(s, m, &part{
		name:      "ReaderConfig",
		exclusive: [][]string{{"MaxItems", "MaxItemsPath"}},
		fields: []partField{
			{"InputType", "", wordInto(b, &c.InputType, inputTypes)},
			{"CSVHeaderLocation", "", wordInto(b, &c.CSVHeaderLocation, headerLocations)},
			{"CSVHeaders", "", func(m *NodeMember) { c.CSVHeaders = b.texts(m) }},
			{"CSVDelimiter", "", wordInto(b, &c.CSVDelimiter, delimiters)},
			{"MaxItems", "", items},
			{"MaxItemsPath", JSONPath, items},
			{"ItemsPointer", "", func(m *NodeMember) { c.ItemsPointer = b.pointer(m) }},
			{"Transformation", "", wordInto(b, &c.Transformation, loadings)},
			{"ManifestType", "", wordInto(b, &c.ManifestType, manifestTypes)},
		},
	}) {
		return c
	}
	switch headers := m.Node.Get("CSVHeaders"); {
	case headers == nil && c.CSVHeaderLocation == HeaderGiven:
		b.report(m.Node, m.Node.Span, rules.MissingField,
			"ReaderConfig with the \"CSVHeaderLocation\" %s must have the field \"CSVHeaders\"", HeaderGiven)
	case headers != nil && c.CSVHeaderLocation == HeaderFirstRow:
		b.report(headers, headers.Span, rules.Exclusive,
			"\"CSVHeaders\" and the \"CSVHeaderLocation\" %s exclude each other", HeaderFirstRow)
	}
	return c
}

// itemBatcher reads the ItemBatcher of a Map state.
func (b *builder) itemBatcher(s *State, m *NodeMember) *ItemBatcher {
	i := &ItemBatcher{Span: m.Node.Span}
	count := func(m *NodeMember) { i.MaxItemsPerBatch = b.quantity(s, m, 1, maxItems) }
	bytes := func(m *NodeMember) { i.MaxInputBytesPerBatch = b.quantity(s, m, 1, maxBatchBytes) }
	if !b.part(s, m, &part{
		name: "ItemBatcher",
		exclusive: [][]string{
			{"MaxItemsPerBatch", "MaxItemsPerBatchPath"},
			{"MaxInputBytesPerBatch", "MaxInputBytesPerBatchPath"},
		},
		anyOf: []string{"MaxItemsPerBatch", "MaxInputBytesPerBatch", "MaxItemsPerBatchPath", "MaxInputBytesPerBatchPath"},
		fields: []partField{
			{"BatchInput", "", func(m *NodeMember) { i.BatchInput = b.payload(s, m) }},
			{"MaxItemsPerBatch", "", count},
			{"MaxItemsPerBatchPath", JSONPath, count},
			{"MaxInputBytesPerBatch", "", bytes},
			{"MaxInputBytesPerBatchPath", JSONPath, bytes},
		},
	}) {
		return nil
	}
	return i
}

// resultWriter reads the ResultWriter of a Map state: an action with its parameters, a WriterConfig, or both.
func (b *builder) resultWriter(s *State, m *NodeMember) *ResultWriter {
	w := &ResultWriter{Span: m.Node.Span}
	parameters := func(m *NodeMember) { w.Parameters = b.payload(s, m) }
	if !b.part(s, m, &part{
		name:  "ResultWriter",
		anyOf: []string{"Resource", "WriterConfig", "Parameters", "Arguments"},
		fields: []partField{
			{"Resource", "", func(m *NodeMember) { w.Resource, _ = b.text(m) }},
			{"Parameters", JSONPath, parameters},
			{"Arguments", JSONata, parameters},
			{"WriterConfig", "", func(m *NodeMember) { w.Config = b.writerConfig(s, m) }},
		},
	}) {
		return nil
	}
	b.together(m.Node, "ResultWriter", "Resource", "Parameters", "Arguments")
	b.together(m.Node, "ResultWriter", "Parameters", "Resource")
	b.together(m.Node, "ResultWriter", "Arguments", "Resource")
	return w
}

func (b *builder) writerConfig(s *State, m *NodeMember) *WriterConfig {
	c := &WriterConfig{Span: m.Node.Span}
	if !b.part(s, m, &part{
		name:     "WriterConfig",
		required: []string{"OutputType"},
		fields: []partField{
			{"OutputType", "", wordInto(b, &c.OutputType, outputTypes)},
			{"Transformation", "", wordInto(b, &c.Transformation, transformations)},
		},
	}) {
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
		b.wrong(m, rules.Path, "%s must be a JSON Pointer such as \"/orders/items\" (RFC 6901), but is %s", quote(m.Key), quote(text))
	}
	return text
}
