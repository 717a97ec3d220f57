package asl

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"asldb.dev/asldb/engine/value"
)

// The modes of a Map state and the types of its child executions.
const (
	ModeInline      = "INLINE"
	ModeDistributed = "DISTRIBUTED"
	typeStandard    = "STANDARD"
	typeExpress     = "EXPRESS"
)

const (
	maxConcurrency = 99_999_999
	maxItems       = 99_999_999_999
	maxBatchBytes  = 262_144
	maxLabel       = 40
)

// mapField reads a field that only Map states have.
func (b *builder) mapField(s *State, m *NodeMember) {
	switch m.Key {
	case "ItemProcessor", "Iterator":
		b.processor(s, m)
	case "ItemsPath":
		if p := b.reference(m, "a Reference Path"); p != nil {
			s.ItemsPath = &PathField{Path: p, Span: m.Node.Span}
		}
	case "Items":
		s.Items = b.items(s, m)
	case "ItemSelector":
		s.ItemSelector = b.payload(s, m)
	case "MaxConcurrency", "MaxConcurrencyPath":
		s.MaxConcurrency = b.quantity(s, m, 0, maxConcurrency)
	case "ToleratedFailureCount", "ToleratedFailureCountPath":
		s.ToleratedFailureCount = b.quantity(s, m, 0, maxItems)
	case "ToleratedFailurePercentage", "ToleratedFailurePercentagePath":
		s.ToleratedFailurePercentage = b.percentage(s, m)
	case "ItemReader":
		s.ItemReader = b.part(s, m, itemReader)
	case "ItemBatcher":
		s.ItemBatcher = b.part(s, m, itemBatcher)
	case "ResultWriter":
		s.ResultWriter = b.part(s, m, resultWriter)
	case "Label":
		s.Label = b.label(m)
	}
}

// processor reads the ItemProcessor of a Map state, or its older Iterator.
func (b *builder) processor(s *State, m *NodeMember) {
	if !b.object(m) {
		return
	}
	owner := "the " + m.Key
	s.Processor = b.scope(m.Node, &Scope{Kind: ProcessorScope, Container: s}, s.Pointer+"/"+m.Key, s.path+"/Iterations[*]/", owner, processorFields)
	for i := range m.Node.Members {
		if config := &m.Node.Members[i]; config.Key == "ProcessorConfig" && b.object(config) {
			s.ProcessorConfig = b.processorConfig(config.Node)
		}
	}
}

func (b *builder) processorConfig(n *Node) *ProcessorConfig {
	c := &ProcessorConfig{Mode: ModeInline, Span: n.Span}
	for i := range n.Members {
		switch m := &n.Members[i]; m.Key {
		case "Mode":
			c.Mode, _ = b.enum(m, ModeInline, ModeDistributed)
		case "ExecutionType":
			c.ExecutionType, _ = b.enum(m, typeStandard, typeExpress)
		default:
			b.unknown(m, "ProcessorConfig", []string{"Mode", "ExecutionType"})
		}
	}
	if c.Mode == ModeDistributed && n.Get("ExecutionType") == nil {
		b.report(n, n.Span, ruleMissingField, "\"ProcessorConfig\" with the mode DISTRIBUTED must have the field \"ExecutionType\"")
	}
	return c
}

// items reads Items: an array, an object, or an expression.
func (b *builder) items(s *State, m *NodeMember) *TemplateField {
	_, ok := b.expression(s, m)
	if !ok && m.Node.Kind != value.KindArray && m.Node.Kind != value.KindObject {
		b.wrong(m, ruleType, "\"Items\" must be an array, an object or a JSONata expression, but is %s", describe(m.Node))
		return nil
	}
	return b.verbatim(s, m)
}

// percentage reads a number from 0 to 100, which may have a fraction, or its other forms.
func (b *builder) percentage(s *State, m *NodeMember) *Quantity {
	if _, ok := b.expression(s, m); ok || strings.HasSuffix(m.Key, "Path") {
		return b.quantity(s, m, 0, 100)
	}
	if !b.kind(m, value.KindNumber) {
		return nil
	}
	number := m.Node.Value.(value.Number)
	if f := number.Float64(); f < 0 || f > 100 {
		b.wrong(m, ruleRange, "%s must be between 0 and 100, but is %s", quote(m.Key), number.Text())
		return nil
	}
	return &Quantity{Field: m.Key, Literal: number, Span: m.Node.Span}
}

// label reads the Label of a Map state, which becomes a part of names.
func (b *builder) label(m *NodeMember) string {
	text, ok := b.text(m)
	if !ok {
		return ""
	}
	if n := utf8.RuneCountInString(text); n > maxLabel {
		b.wrong(m, ruleLongName, "\"Label\" has at most %d characters, but this one has %d", maxLabel, n)
	}
	const forbidden = `?*<>{}[]:;,\|^~$#%&` + "`\"/"
	for _, r := range text {
		if unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(forbidden, r) {
			b.wrong(m, ruleName, "\"Label\" must not contain the character %q", r)
			break
		}
	}
	return text
}

// partField is what a field of ItemReader, ItemBatcher or ResultWriter, or of an object in them, must be.
type partField struct {
	name     string
	language QueryLanguage // "" for both
	read     func(b *builder, s *State, m *NodeMember)
}

// part is the shape of ItemReader, ItemBatcher, ResultWriter and of the objects in them.
type part struct {
	name      string
	fields    []partField
	required  []string
	exclusive [][]string
	anyOf     []string // at least one of these
}

var itemReader = &part{
	name:     "ItemReader",
	required: []string{"Resource"},
	fields: []partField{
		{"Resource", "", readText},
		{"Parameters", JSONPath, readPayload},
		{"Arguments", JSONata, readPayload},
		{"ReaderConfig", "", func(b *builder, s *State, m *NodeMember) { b.part(s, m, readerConfig) }},
	},
}

var readerConfig = &part{
	name:      "ReaderConfig",
	exclusive: [][]string{{"MaxItems", "MaxItemsPath"}},
	fields: []partField{
		{"InputType", "", readEnum("CSV", "JSON", "JSONL", "PARQUET", "MANIFEST")},
		{"CSVHeaderLocation", "", readEnum("FIRST_ROW", "GIVEN")},
		{"CSVHeaders", "", readTexts},
		{"CSVDelimiter", "", readEnum("COMMA", "PIPE", "SEMICOLON", "SPACE", "TAB")},
		{"MaxItems", "", readQuantity(0, maxItems)},
		{"MaxItemsPath", JSONPath, readQuantity(0, 0)},
		{"ItemsPointer", "", readText},
		{"Transformation", "", readEnum("NONE", "LOAD_AND_FLATTEN")},
		{"ManifestType", "", readEnum("ATHENA_DATA", "S3_INVENTORY")},
	},
}

var itemBatcher = &part{
	name: "ItemBatcher",
	exclusive: [][]string{
		{"MaxItemsPerBatch", "MaxItemsPerBatchPath"},
		{"MaxInputBytesPerBatch", "MaxInputBytesPerBatchPath"},
	},
	anyOf: []string{"MaxItemsPerBatch", "MaxInputBytesPerBatch", "MaxItemsPerBatchPath", "MaxInputBytesPerBatchPath"},
	fields: []partField{
		{"BatchInput", "", readPayload},
		{"MaxItemsPerBatch", "", readQuantity(1, maxItems)},
		{"MaxItemsPerBatchPath", JSONPath, readQuantity(0, 0)},
		{"MaxInputBytesPerBatch", "", readQuantity(1, maxBatchBytes)},
		{"MaxInputBytesPerBatchPath", JSONPath, readQuantity(0, 0)},
	},
}

var resultWriter = &part{
	name:  "ResultWriter",
	anyOf: []string{"Resource", "WriterConfig", "Parameters", "Arguments"},
	fields: []partField{
		{"Resource", "", readText},
		{"Parameters", JSONPath, readPayload},
		{"Arguments", JSONata, readPayload},
		{"WriterConfig", "", func(b *builder, s *State, m *NodeMember) { b.part(s, m, writerConfig) }},
	},
}

var writerConfig = &part{
	name:     "WriterConfig",
	required: []string{"OutputType"},
	fields: []partField{
		{"OutputType", "", readEnum("JSON", "JSONL")},
		{"Transformation", "", readEnum("NONE", "COMPACT", "FLATTEN")},
	},
}

func readText(b *builder, _ *State, m *NodeMember) { b.text(m) }

func readPayload(b *builder, s *State, m *NodeMember) { b.payload(s, m) }

func readEnum(words ...string) func(*builder, *State, *NodeMember) {
	return func(b *builder, _ *State, m *NodeMember) { b.enum(m, words...) }
}

func readQuantity(low, high int64) func(*builder, *State, *NodeMember) {
	return func(b *builder, s *State, m *NodeMember) { b.quantity(s, m, low, high) }
}

func readTexts(b *builder, _ *State, m *NodeMember) {
	if !b.kind(m, value.KindArray) {
		return
	}
	for _, n := range m.Node.Items {
		if n.Kind != value.KindString {
			b.report(n, n.Span, ruleType, "an item of %s must be a string, but is %s", quote(m.Key), describe(n))
		}
	}
}

// part checks an object against its shape and returns it as it is written.
func (b *builder) part(s *State, m *NodeMember, p *part) *Node {
	if !b.object(m) {
		return nil
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
		b.report(n, n.Span, ruleMissingField, "%s must have the field %s", p.name, oneOf(p.anyOf))
	}
	return n
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
			field.read(b, s, m)
		}
		return
	}
	b.unknown(m, p.name, names)
}
