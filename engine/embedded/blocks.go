package embedded

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// block is a block of a configuration, in Terraform's language or in JSON.
type block struct {
	kind       string
	labels     []string
	attributes map[string]hclsyntax.Expression
	at         hcl.Range
}

// blocks returns the blocks of a file that can hold a machine, or a part of its definition.
func (m *Module) blocks(file *source.File) ([]block, *source.Diagnostic) {
	if isJSON(file.Name) {
		return m.jsonBlocks(file)
	}
	parsed, problems := hclsyntax.ParseConfig(file.Data, file.Name, hcl.InitialPos)
	if problems.HasErrors() {
		return nil, m.syntax(problems)
	}
	var list []block
	for _, b := range parsed.Body.(*hclsyntax.Body).Blocks {
		one := block{b.Type, b.Labels, make(map[string]hclsyntax.Expression), b.DefRange()}
		for name, a := range b.Body.Attributes {
			one.attributes[name] = a.Expr
		}
		for _, inner := range b.Body.Blocks {
			if level := inner.Body.Attributes["level"]; level != nil && inner.Type == "logging_configuration" {
				one.attributes[loggingLevel] = level.Expr
			}
		}
		list = append(list, one)
	}
	return list, nil
}

// loggingLevel is the attribute level of the block logging_configuration of a machine.
const loggingLevel = "logging_configuration.level"

// labelCounts are the numbers of labels of the blocks that are read.
var labelCounts = map[string]int{"resource": 2, "data": 2, "provider": 1, "module": 1, "variable": 1, "locals": 0}

// jsonBlocks returns the blocks of a file in JSON, in which each label is the name of a member. Where a block can be,
// several can be in an array.
func (m *Module) jsonBlocks(file *source.File) ([]block, *source.Diagnostic) {
	root, problem := source.ReadJSON(file.Data)
	if problem != nil {
		problem.File = file
		return nil, problem
	}
	if root.Kind != value.KindObject {
		return nil, &source.Diagnostic{
			File: file, Severity: source.Error, Rule: rules.DefinitionNotFound, Span: root.Span,
			Message: "a configuration of Terraform in JSON must be an object, but is " + source.Article(root.Kind),
		}
	}
	j := &jsonReader{module: m, file: file}
	var list []block
	for _, member := range root.Members {
		if count, known := labelCounts[member.Key]; known {
			list = j.blocks(list, block{kind: member.Key}, member.Node, member.KeySpan, count)
		}
	}
	return list, nil
}

// jsonReader makes expressions of a file in JSON.
type jsonReader struct {
	module *Module
	file   *source.File
}

// blocks adds the blocks of a value that still lacks so many labels.
func (j *jsonReader) blocks(list []block, of block, n *source.Node, key source.Span, labels int) []block {
	if n.Kind == value.KindArray {
		for _, item := range n.Items {
			list = j.blocks(list, of, item, key, labels)
		}
		return list
	}
	if n.Kind != value.KindObject {
		return list
	}
	if labels == 0 {
		of.at = j.at(key)
		of.attributes = make(map[string]hclsyntax.Expression)
		for _, member := range n.Members {
			of.attributes[member.Key] = j.expression(member.Node)
			if level := member.Node.Get("level"); level != nil && member.Key == "logging_configuration" {
				of.attributes[loggingLevel] = j.expression(level)
			}
		}
		return append(list, of)
	}
	for _, member := range n.Members {
		inner := of
		inner.labels = append(append([]string(nil), of.labels...), member.Key)
		list = j.blocks(list, inner, member.Node, member.KeySpan, labels-1)
	}
	return list
}

func (j *jsonReader) at(s source.Span) hcl.Range {
	return hcl.Range{
		Filename: j.file.Name, Start: hcl.Pos{Line: s.Start.Line, Column: s.Start.Col, Byte: s.Start.Offset},
		End: hcl.Pos{Line: s.End.Line, Column: s.End.Col, Byte: s.End.Offset},
	}
}

// expression returns a value of JSON as the expression that it means: a string is a template.
func (j *jsonReader) expression(n *source.Node) hclsyntax.Expression {
	at := j.at(n.Span)
	switch n.Kind {
	case value.KindObject:
		object := &hclsyntax.ObjectConsExpr{SrcRange: at, OpenRange: at}
		for _, member := range n.Members {
			key := j.at(member.KeySpan)
			name := hcl.Traversal{hcl.TraverseRoot{Name: member.Key, SrcRange: key}}
			object.Items = append(object.Items, hclsyntax.ObjectConsItem{
				KeyExpr: &hclsyntax.ObjectConsKeyExpr{
					Wrapped: &hclsyntax.ScopeTraversalExpr{Traversal: name, SrcRange: key},
				},
				ValueExpr: j.expression(member.Node),
			})
		}
		return object
	case value.KindArray:
		tuple := &hclsyntax.TupleConsExpr{SrcRange: at, OpenRange: at}
		for _, item := range n.Items {
			tuple.Exprs = append(tuple.Exprs, j.expression(item))
		}
		return tuple
	case value.KindString:
		return j.template(n)
	case value.KindNumber:
		if v, err := cty.ParseNumberVal(n.Value.(value.Number).Text()); err == nil {
			return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: at}
		}
	case value.KindBool:
		return &hclsyntax.LiteralValueExpr{Val: cty.BoolVal(bool(n.Value.(value.Bool))), SrcRange: at}
	case value.KindNull:
	}
	return &hclsyntax.LiteralValueExpr{Val: cty.NullVal(cty.DynamicPseudoType), SrcRange: at}
}

// template returns the expression of a string. Its text is a file of the module for itself, whose places are those in the
// file of the string.
func (j *jsonReader) template(n *source.Node) hclsyntax.Expression {
	m := j.module
	inner := &source.File{
		Name: fmt.Sprintf("%s#%d", j.file.Name, n.Span.Start.Offset),
		Data: []byte(n.Value.(value.String)),
	}
	m.files[inner.Name], m.outer[inner] = inner, j.file
	m.whole[inner] = source.StringText(j.file, n)
	expr, problems := hclsyntax.ParseTemplate(inner.Data, inner.Name, hcl.InitialPos)
	if !problems.HasErrors() {
		return expr
	}
	at := hcl.Range{
		Filename: inner.Name,
		Start:    hcl.InitialPos,
		End:      hcl.Pos{Line: 1, Column: 1, Byte: len(inner.Data)},
	}
	return &hclsyntax.TemplateExpr{
		Parts: []hclsyntax.Expression{
			&hclsyntax.LiteralValueExpr{Val: cty.StringVal(string(inner.Data)), SrcRange: at},
		},
		SrcRange: at,
	}
}
