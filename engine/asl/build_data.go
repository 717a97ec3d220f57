package asl

import (
	"errors"
	"strconv"
	"strings"

	"asldb.dev/asldb/engine/intrinsic"
	"asldb.dev/asldb/engine/path"
	"asldb.dev/asldb/engine/template"
	"asldb.dev/asldb/engine/value"
)

func itoa(i int) string { return strconv.Itoa(i) }

// path reads a Path, or null.
func (b *builder) path(m *NodeMember) *PathField {
	if m.Node.Kind == value.KindNull {
		return &PathField{Null: true, Span: m.Node.Span}
	}
	if p := b.pathText(m, "a path or null", rulePath); p != nil {
		return &PathField{Path: p, Span: m.Node.Span}
	}
	return nil
}

// pathText reads a Path. wanted says in words what the field takes, rule what it is when it does not.
func (b *builder) pathText(m *NodeMember, wanted, rule string) *path.Path {
	if m.Node.Kind != value.KindString {
		b.wrong(m, ruleType, "%s must be %s, but is %s", quote(m.Key), wanted, describe(m.Node))
		return nil
	}
	p, err := path.Parse(string(m.Node.Value.(value.String)))
	if err != nil {
		b.wrong(m, rule, "%s must be %s: %v", quote(m.Key), wanted, err)
		return nil
	}
	return p
}

// reference reads a Reference Path.
func (b *builder) reference(m *NodeMember, wanted string) *path.Path {
	if m.Node.Kind != value.KindString {
		b.wrong(m, ruleType, "%s must be %s, but is %s", quote(m.Key), wanted, describe(m.Node))
		return nil
	}
	p, err := path.ParseReference(string(m.Node.Value.(value.String)))
	if err != nil {
		b.wrong(m, ruleReferencePath, "%s must be %s: %v", quote(m.Key), wanted, err)
		return nil
	}
	return p
}

// resultPath reads a ResultPath: a Reference Path into the state's input, or null.
func (b *builder) resultPath(m *NodeMember) *PathField {
	if m.Node.Kind == value.KindNull {
		return &PathField{Null: true, Span: m.Node.Span}
	}
	p := b.reference(m, "a Reference Path or null")
	if p == nil {
		return nil
	}
	if p.Root() != path.DataRoot {
		b.wrong(m, ruleReferencePath, "%s must begin with $ for the state's input, but is %s", quote(m.Key), quote(p.String()))
		return nil
	}
	return &PathField{Path: p, Span: m.Node.Span}
}

// payload reads a payload template, which is an object; in a JSONata state it may be one expression too.
func (b *builder) payload(s *State, m *NodeMember) *TemplateField {
	if s.QueryLanguage == JSONata && m.Node.Kind == value.KindString {
		if !isExpression(string(m.Node.Value.(value.String))) {
			b.wrong(m, ruleType, "%s must be an object or a JSONata expression, but is %s", quote(m.Key), describe(m.Node))
			return nil
		}
	} else if !b.object(m) {
		return nil
	}
	if s.QueryLanguage == JSONata {
		return b.verbatim(s, m)
	}
	return b.template(m)
}

// template compiles a payload template and reports every problem in it.
func (b *builder) template(m *NodeMember) *TemplateField {
	field := &TemplateField{Value: m.Node.Value, Span: m.Node.Span}
	compiled, err := template.Compile(m.Node.Value)
	var problems template.Errors
	if errors.As(err, &problems) {
		for _, problem := range problems {
			b.templateProblem(m.Node, problem)
		}
		return field
	}
	field.Template = compiled
	return field
}

func (b *builder) templateProblem(n *Node, problem *template.FieldError) {
	key, found := findPointer(n, problem.Pointer)
	if found == nil {
		found = n
	}
	var collision *template.CollisionError
	if errors.As(problem.Err, &collision) {
		b.report(found, key, ruleTemplateCollision, "%v", problem)
		return
	}
	b.report(found, found.Span, ruleTemplateValue, "%v", problem)
}

// verbatim keeps a field as it is written and checks the {% %} of a JSONata state.
func (b *builder) verbatim(s *State, m *NodeMember) *TemplateField {
	if s.QueryLanguage == JSONata {
		b.expressions(m.Node)
	}
	return &TemplateField{Value: m.Node.Value, Span: m.Node.Span}
}

const expressionOpen, expressionClose = "{%", "%}"

// isExpression reports whether a string of a JSONata state is an expression.
func isExpression(s string) bool {
	return len(s) >= len(expressionOpen)+len(expressionClose) && strings.HasPrefix(s, expressionOpen) && strings.HasSuffix(s, expressionClose)
}

// expressions reports every string in n that has one of {% and %} without the other.
func (b *builder) expressions(n *Node) {
	if n.Kind == value.KindString {
		text := string(n.Value.(value.String))
		switch {
		case isExpression(text):
		case strings.HasPrefix(text, expressionOpen):
			b.report(n, n.Span, ruleJSONata, "the JSONata expression is opened with {%% but not closed with %%}: %s", quote(text))
		case strings.HasSuffix(text, expressionClose) && !strings.Contains(text, expressionOpen):
			b.report(n, n.Span, ruleJSONata, "the JSONata expression is closed with %%} but not opened with {%%: %s", quote(text))
		}
		return
	}
	for i := range n.Members {
		b.expressions(n.Members[i].Node)
	}
	for _, item := range n.Items {
		b.expressions(item)
	}
}

// expression returns the whole text of m when it is one JSONata expression in a JSONata state.
func (b *builder) expression(s *State, m *NodeMember) (string, bool) {
	if s.QueryLanguage != JSONata || m.Node.Kind != value.KindString {
		return "", false
	}
	text := string(m.Node.Value.(value.String))
	return text, isExpression(text)
}

// assign reads an Assign field and checks the names of the variables.
func (b *builder) assign(s *State, m *NodeMember) *TemplateField {
	if !b.object(m) {
		return nil
	}
	for i := range m.Node.Members {
		b.variable(s, &m.Node.Members[i])
	}
	if s.QueryLanguage == JSONata {
		return b.verbatim(s, m)
	}
	return b.template(m)
}

// quantity reads a whole number between low and high, its …Path form, or a JSONata expression.
func (b *builder) quantity(s *State, m *NodeMember, low, high int64) *Quantity {
	q := &Quantity{Field: m.Key, Span: m.Node.Span}
	if strings.HasSuffix(m.Key, "Path") {
		if q.Path = b.reference(m, "a Reference Path"); q.Path == nil {
			return nil
		}
		return q
	}
	if text, ok := b.expression(s, m); ok {
		q.JSONata = text
		return q
	}
	if _, ok := b.whole(m, low, high); !ok {
		return nil
	}
	q.Literal = m.Node.Value
	return q
}

// timestamp reads Timestamp or TimestampPath.
func (b *builder) timestamp(s *State, m *NodeMember) *Quantity {
	q := &Quantity{Field: m.Key, Span: m.Node.Span}
	if m.Key == "TimestampPath" {
		if q.Path = b.reference(m, "a Reference Path"); q.Path == nil {
			return nil
		}
		return q
	}
	if text, ok := b.expression(s, m); ok {
		q.JSONata = text
		return q
	}
	if !b.timestampLiteral(m) {
		return nil
	}
	q.Literal = m.Node.Value
	return q
}

func (b *builder) timestampLiteral(m *NodeMember) bool {
	text, ok := b.text(m)
	if !ok {
		return false
	}
	if _, ok := ParseTimestamp(text); !ok {
		b.wrong(m, ruleTimestamp, "%s must be a timestamp such as \"2024-03-14T01:59:00Z\" (RFC 3339), but is %s", quote(m.Key), quote(text))
		return false
	}
	return true
}

// failText reads a Fail state's Error or Cause, or their …Path forms.
func (b *builder) failText(s *State, m *NodeMember) *TextField {
	t := &TextField{Field: m.Key, Span: m.Node.Span}
	if !strings.HasSuffix(m.Key, "Path") {
		text, ok := b.text(m)
		if !ok {
			return nil
		}
		if isExpression(text) && s.QueryLanguage == JSONata {
			t.JSONata = text
		} else {
			t.Literal = text
		}
		return t
	}
	const wanted = "a Reference Path or an intrinsic function that returns a string"
	text, ok := m.Node.Value.(value.String)
	if !ok {
		b.wrong(m, ruleType, "%s must be %s, but is %s", quote(m.Key), wanted, describe(m.Node))
		return nil
	}
	if !intrinsic.LooksLike(string(text)) {
		p, err := path.ParseReference(string(text))
		if err != nil {
			b.wrong(m, rulePath, "%s must be %s: %v", quote(m.Key), wanted, err)
			return nil
		}
		t.Path = p
		return t
	}
	call, err := intrinsic.Parse(string(text))
	if err != nil {
		b.wrong(m, rulePath, "%s must be %s: %v", quote(m.Key), wanted, err)
		return nil
	}
	if !call.ReturnsString() {
		b.wrong(m, rulePath, "%s must be %s, but %s returns none", quote(m.Key), wanted, call.Function())
		return nil
	}
	// The call is known to parse, so that the template of it compiles.
	t.Intrinsic, err = template.Compile(value.ObjectOf(value.Member{Key: "value" + template.Suffix, Value: text}))
	if err != nil {
		b.wrong(m, rulePath, "%v", err)
	}
	return t
}
