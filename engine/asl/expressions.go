package asl

import (
	"errors"
	"slices"
	"strings"

	"asldb/engine/jsonata"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// query compiles the value of a JSONata state's field, which errors call name, and reports every problem in it.
func (r *dataReader) query(s *State, m *NodeMember, name string, f *Field) *TemplateField {
	field := &TemplateField{Value: m.Node.Value, Span: m.Node.Span}
	before := len(r.diagnostics)
	r.expressions(m.Node)
	compiled, err := template.CompileQuery(m.Node.Value, name)
	var faults template.QueryFaults
	if errors.As(err, &faults) {
		for _, fault := range faults {
			r.unreadable(within(m.Node, fault.Pointer), fault)
		}
	}
	if len(r.diagnostics) == before {
		field.Query = compiled
		compiled.Expressions(func(e template.Expression) bool {
			r.names(s, expression{within(m.Node, e.Pointer), e.Text}, e.Compiled, name, f)
			return true
		})
	}
	return field
}

// within returns the node at a JSON Pointer in n.
func within(n *Node, pointer string) *Node {
	if _, found := n.Find(pointer); found != nil {
		return found
	}
	return n
}

// expression is one JSONata expression: its node, and its text without the marks.
type expression struct {
	node *Node
	text string
}

// unreadable reports an expression that cannot be parsed.
func (r *dataReader) unreadable(n *Node, fault *template.QueryFault) {
	x := expression{n, fault.Text}
	var wrong *jsonata.Error
	if !errors.As(fault.Err, &wrong) {
		r.report(n, n.Span, rules.JSONata, "the JSONata expression is wrong: %v", fault)
		return
	}
	start, end, _ := wrong.Place(x.text)
	mistake, known := wrong.Mistake(x.text, serviceFunctions())
	if known {
		start, end = mistake.Start, mistake.End
	}
	d := r.report(n, r.span(x, start, end), rules.JSONata, "the JSONata expression is wrong: %v", fault)
	d.Service.Message = wrong.Message
	if known {
		d.Message, d.Suggestion = "the JSONata expression is wrong: "+mistake.Message, mistake.Instead
	}
}

// serviceFunctions is the table of the functions that expressions can call.
func serviceFunctions() []jsonata.Function { return jsonata.StepFunctions().FunctionTable() }

// names reports the names in an expression that mean nothing at its place: fields without $states before them, members
// of $states that the field does not have (developer guide, "Reserved variable: $states"), and functions that do not
// exist.
func (r *dataReader) names(s *State, x expression, compiled *jsonata.Expression, name string, f *Field) {
	for _, reference := range compiled.Contextless() {
		d := r.misread(x, rules.UnsupportedJSONata, reference.Mistake())
		d.Service.Message = reference.Unsupported()
	}
	for _, call := range compiled.UnknownCalls() {
		d := r.misread(x, rules.UnknownFunction, call)
		d.Severity = Warning
	}
	r.members(s, x, compiled, name, f)
}

// misread reports a mistake in an expression.
func (r *dataReader) misread(x expression, rule string, m jsonata.Mistake) *Diagnostic {
	d := r.report(x.node, r.span(x, m.Start, m.End), rule, "%s", m.Message)
	d.Suggestion = m.Instead
	if m.Meant != "" {
		d.Fix = &source.Fix{At: d.Span, From: "$" + m.Function, To: "$" + m.Meant, Certain: m.Certain}
	}
	return d
}

// members reports every use of a member of $states where the state does not have it, each member once.
func (r *dataReader) members(s *State, x expression, compiled *jsonata.Expression, name string, f *Field) {
	caught := f.Reads == ErrorOutput
	there := map[string]bool{"input": true, "context": true, "errorOutput": caught, "result": s.Type.Works() && f.Result}
	var seen []string
	for _, reference := range compiled.References() {
		if reference.Name != "states" || len(reference.Fields) == 0 {
			continue
		}
		member := reference.Fields[0]
		allowed, known := there[member]
		if allowed || slices.Contains(seen, member) {
			continue
		}
		seen = append(seen, member)
		start, end := reference.Start, reference.End
		if i := strings.Index(x.text[end:], member); i >= 0 {
			end += i + len(member)
		}
		d := r.report(x.node, r.span(x, start, end), rules.UnsupportedJSONata, "$states.%s is not there in %s of a %s state", member, name, s.Type)
		if !known || caught { // it gives nothing, which other validators let pass
			d.Severity = Warning
			continue
		}
		d.Service.Message = "Field '$states." + member + "' does not exist." // measured for errorOutput
	}
}

// span returns the place of a stretch of an expression in the file; the place of the whole string where its spelling
// cannot be followed.
func (r *dataReader) span(x expression, start, end int) Span {
	raw, _ := x.node.Value.(value.String)
	before := strings.Index(string(raw), x.text)
	if before < 0 {
		return x.node.Span
	}
	return source.StringPart(r.machine.Source, x.node, before+start, before+end)
}

// expressions reports every string in n that has one of {% and %} without the other.
func (r *dataReader) expressions(n *Node) {
	if n.Kind == value.KindString {
		text := string(n.Value.(value.String))
		switch {
		case template.IsExpression(text):
		case strings.HasPrefix(text, "{%"):
			r.report(n, n.Span, rules.JSONata, "the JSONata expression is opened with {%% but not closed with %%}: %s", quote(text))
		case strings.HasSuffix(text, "%}") && !strings.Contains(text, "{%"):
			r.report(n, n.Span, rules.JSONata, "the JSONata expression is closed with %%} but not opened with {%%: %s", quote(text))
		}
		return
	}
	for i := range n.Members {
		r.expressions(n.Members[i].Node)
	}
	for _, item := range n.Items {
		r.expressions(item)
	}
}
