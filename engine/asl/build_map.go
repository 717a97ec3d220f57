package asl

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"asldb/engine/rules"
	"asldb/engine/value"
)

const (
	maxConcurrency = math.MaxInt64 // the service takes it
	maxItems       = 99_999_999_999
	maxRead        = 100_000_000
	maxLabel       = 40
)

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
			c.Mode = wordIn(b.reporter, m, processorModes)
		case "ExecutionType":
			c.ExecutionType = wordIn(b.reporter, m, executionTypes)
		default:
			b.unknown(m, "ProcessorConfig", []string{"Mode", "ExecutionType"})
		}
	}
	if c.Mode == ModeDistributed && n.Get("ExecutionType") == nil {
		b.lacks(n, []string{"ExecutionType"}, n.Span, rules.MissingField, "\"ProcessorConfig\" with the mode DISTRIBUTED must have the field \"ExecutionType\"")
	}
	return c
}

// items reads Items: an array, an object, or an expression.
func (b *builder) items(s *State, m *NodeMember, f *Field) *TemplateField {
	if !b.isExpression(s, m) && m.Node.Kind != value.KindArray && m.Node.Kind != value.KindObject {
		b.wrong(m, rules.Type, "\"Items\" must be an array, an object or a JSONata expression, but is %s", describe(m.Node))
		return nil
	}
	return b.query(s, m, m.Key, f)
}

// percentage reads a number from 0 to 100, which may have a fraction, or its other forms.
func (b *builder) percentage(s *State, m *NodeMember, f *Field) *Quantity {
	if b.isExpression(s, m) {
		return b.quantity(s, m, f)
	}
	if !b.kind(m, value.KindNumber) {
		return nil
	}
	number := m.Node.Value.(value.Number)
	if f := number.Float64(); f < 0 || f > 100 {
		d := b.wrong(m, rules.Range, "%s must be between 0 and 100, but is %s", quote(m.Key), number.Text())
		d.Service.Message = "Maximum value is 100.0"
		if f < 0 {
			d.Service.Message = "Minimum value is 0.0"
		}
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
		b.wrong(m, rules.LongName, "\"Label\" has at most %d characters, but this one has %d", maxLabel, n)
	}
	const forbidden = `?*<>{}[]:;,\|^~$#%&` + "`\"/"
	for _, r := range text {
		if unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(forbidden, r) {
			b.wrong(m, rules.Name, "\"Label\" must not contain the character %q", r)
			break
		}
	}
	return text
}
