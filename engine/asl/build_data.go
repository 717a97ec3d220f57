package asl

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// dataReader reads the fields that data are made of: paths, templates, expressions and quantities.
type dataReader struct {
	*reporter
	assignments []assignment
}

// path reads a Path, or null.
func (r *dataReader) path(m *NodeMember) *PathField {
	if m.Node.Kind == value.KindNull {
		return &PathField{Null: true, Span: m.Node.Span}
	}
	if p := r.pathText(m, "a path or null", rules.Path); p != nil {
		return &PathField{Path: p, Span: m.Node.Span}
	}
	return nil
}

// pathText reads a Path. wanted is the expected text in words, rule the rule that another text breaks.
func (r *dataReader) pathText(m *NodeMember, wanted, rule string) *path.Path {
	if m.Node.Kind != value.KindString {
		r.mustBe(m, rules.Type, wanted, describe(m.Node))
		return nil
	}
	text := string(m.Node.Value.(value.String))
	p, err := path.Parse(text)
	if err != nil {
		d := r.notA(m, rule, wanted, err)
		if d.Service.Message = "Value must be a valid JSONPath."; rule == rules.ReferencePath {
			d.Service.Message = notReference(text)
		}
		return nil
	}
	r.unquoted(m.Node, p)
	return p
}

// unquoted notes a word that a filter of p compares with and that has no quotes. n is the text of p.
func (r *dataReader) unquoted(n *Node, p *path.Path) {
	word := p.UnquotedWord()
	if word == "" {
		return
	}
	const text = "the word %s has no quotes in the filter of %s; AWS's answer is not known; compared as text here"
	d := r.report(n, n.Span, rules.UnquotedWord, text, word, quote(p.String()))
	r.differs(d, rules.RefusesWordsWithoutQuotes)
	d.Severity = Warning
	d.Suggestion = "write '" + word + "'"
}

// notA notes that m's text is not the wanted one, and where it goes wrong.
func (r *dataReader) notA(m *NodeMember, rule, wanted string, err error) *Diagnostic {
	d := r.wrong(m, rule, "%s must be %s: %v", quote(m.Key), wanted, err)
	d.Expected, d.Found = wanted, describe(m.Node)
	fixCall(d, err)
	return d
}

// fixCall adds the change that corrects the misspelt name of an intrinsic function, which the message suggests.
func fixCall(d *Diagnostic, err error) {
	var wrong *template.SyntaxError
	if errors.As(err, &wrong) && wrong.Meant != "" {
		d.Fix = &source.Fix{At: d.Span, From: wrong.Function, To: wrong.Meant, Certain: wrong.Certain}
	}
}

// reference reads a Reference Path.
func (r *dataReader) reference(m *NodeMember, wanted string) *path.Path {
	if m.Node.Kind != value.KindString {
		r.mustBe(m, rules.Type, wanted, describe(m.Node))
		return nil
	}
	text := string(m.Node.Value.(value.String))
	p, err := path.ParseReference(text)
	if err != nil {
		r.notA(m, rules.ReferencePath, wanted, err).Service.Message = notReference(text)
		return nil
	}
	if strings.Contains(text, "[") {
		d := r.wrong(m, rules.ReferencePath, "%s must reach fields by a dot only, but is %s", quote(m.Key), quote(text))
		r.differs(d, rules.RefusesBracketsInReferences)
	}
	return p
}

// notReference is the service's message about a text that is not a Reference Path.
func notReference(text string) string {
	const message = "Value is not a Reference Path"
	if !strings.HasPrefix(text, "$") {
		return message + ": Reference path didn't start with '$'"
	}
	return message
}

// resultPath reads a ResultPath: a Reference Path into the state's input, or null.
func (r *dataReader) resultPath(m *NodeMember) *PathField {
	if m.Node.Kind == value.KindNull {
		return &PathField{Null: true, Span: m.Node.Span}
	}
	p := r.reference(m, "a Reference Path or null")
	if p == nil {
		return nil
	}
	if p.Root() != path.DataRoot {
		d := r.wrong(m, rules.ReferencePath, "%s must begin with $ for the state's input, but is %s", quote(m.Key), quote(p.String()))
		d.Service.Message = notReference(p.String())
		return nil
	}
	return &PathField{Path: p, Span: m.Node.Span}
}

// payload reads a payload template, which is an object; in a JSONata state it may be one expression too.
func (r *dataReader) payload(s *State, m *NodeMember, f *Field) *TemplateField {
	if s.QueryLanguage == JSONata && m.Node.Kind == value.KindString {
		if !r.isExpression(s, m) {
			r.wrong(m, rules.Type, "%s must be an object or a JSONata expression, but is %s", quote(m.Key), describe(m.Node))
			return nil
		}
	} else if !r.object(m) {
		return nil
	}
	if s.QueryLanguage == JSONata {
		return r.query(s, m, m.Key, f)
	}
	return r.template(m)
}

// template compiles a payload template and reports every problem in it.
func (r *dataReader) template(m *NodeMember) *TemplateField {
	field := &TemplateField{Value: m.Node.Value, Span: m.Node.Span}
	compiled, err := template.Compile(m.Node.Value)
	var problems template.Errors
	if errors.As(err, &problems) {
		for _, problem := range problems {
			r.templateProblem(m.Node, problem)
		}
		return field
	}
	field.Template = compiled
	for pointer, p := range compiled.Paths() {
		r.unquoted(within(m.Node, pointer), p)
	}
	for pointer, call := range compiled.Calls() {
		r.liberties(within(m.Node, pointer), call)
	}
	return field
}

// liberties notes in which ways a call is one that the published text does not have. n is its text.
func (r *dataReader) liberties(n *Node, call *template.Call) {
	taken := call.Liberties()
	for _, one := range []struct {
		taken  bool
		matter rules.Matter
		text   string
	}{
		{taken.Blanks, rules.RefusesBlanksInCalls, "%s has blanks between the name of a function and its parenthesis"},
		{taken.Booleans, rules.RefusesBooleansInCalls, "%s has true or false as an argument"},
		{taken.Others, rules.RefusesJSONToStringOfOthers, "%s has an argument of States.JsonToString that is not a Path"},
	} {
		if one.taken {
			r.differs(r.report(n, n.Span, rules.TemplateValue, one.text, quote(call.String())), one.matter)
		}
	}
}

func (r *dataReader) templateProblem(n *Node, problem *template.FieldError) {
	key, found := n.Find(problem.Pointer)
	found = cmp.Or(found, n)
	var collision *template.CollisionError
	if errors.As(problem.Err, &collision) {
		r.report(found, key, rules.TemplateCollision, "%v", problem).Suggestion = "remove one of them"
		return
	}
	d := r.report(found, found.Span, rules.TemplateValue, "%v", problem)
	d.Expected, d.Found = "a Path or a call of an intrinsic function", describe(found)
	fixCall(d, problem.Err)
	if d.Suggestion == "" {
		d.Suggestion = evaluated(found, problem.Field)
	}
	d.Service = source.Reply{
		Message:  fmt.Sprintf("The value for the field '%s' must be a valid JSONPath or a valid intrinsic function call", problem.Field),
		Location: r.pointers[n], // of the template, not of the field in it
	}
}

// isExpression reports whether m is one JSONata expression in a JSONata state.
func (r *dataReader) isExpression(s *State, m *NodeMember) bool {
	if s.QueryLanguage != JSONata || m.Node.Kind != value.KindString {
		return false
	}
	return template.IsExpression(string(m.Node.Value.(value.String)))
}

// assign reads an Assign field and checks the names of the variables. where is the place of the catcher
// or rule that has it, with a slash, and empty for the state's own.
func (r *dataReader) assign(s *State, m *NodeMember, where string, f *Field) *TemplateField {
	if !r.object(m) {
		return nil
	}
	for i := range m.Node.Members {
		r.variable(s, &m.Node.Members[i])
	}
	if s.QueryLanguage == JSONata {
		return r.query(s, m, where+m.Key, f)
	}
	return r.template(m)
}

// quantity reads a whole number between the bounds of the field, its …Path form, or a JSONata expression.
func (r *dataReader) quantity(s *State, m *NodeMember, f *Field) *Quantity {
	q := &Quantity{Field: m.Key, Span: m.Node.Span}
	if f.Content == ContentQuantityPath {
		if q.Path = r.reference(m, "a Reference Path"); q.Path == nil {
			return nil
		}
		if q.Path.Root() == path.ContextRoot && f.types&^onMap == 0 { // measured for the fields of a Map state and of their parts
			d := r.wrong(m, rules.ReferencePath, "%s must begin with $ for the state's input, but is %s", quote(m.Key), quote(q.Path.String()))
			d.Service.Message = notReference(q.Path.String())
			return nil
		}
		return q
	}
	if r.isExpression(s, m) {
		q.Query = r.query(s, m, m.Key, f).Query
		return q
	}
	if _, ok := r.whole(m, f.low, f.high); !ok {
		return nil
	}
	q.Literal = m.Node.Value
	return q
}

// timestamp reads a timestamp or a JSONata expression.
func (r *dataReader) timestamp(s *State, m *NodeMember, f *Field) *Quantity {
	q := &Quantity{Field: m.Key, Span: m.Node.Span}
	if r.isExpression(s, m) {
		q.Query = r.query(s, m, m.Key, f).Query
		return q
	}
	if !r.timestampLiteral(m) {
		return nil
	}
	q.Literal = m.Node.Value
	return q
}

func (r *dataReader) timestampLiteral(m *NodeMember) bool {
	text, ok := r.text(m)
	if !ok {
		return false
	}
	if _, ok := ParseTimestamp(text); !ok {
		d := r.mustBe(m, rules.Timestamp, "a timestamp such as \"2024-03-14T01:59:00Z\" (RFC 3339)", quote(text))
		d.Service.Message = "String does not match RFC3339 timestamp"
		return false
	}
	return true
}

// failText reads a Fail state's Error or Cause, or their …Path forms.
func (r *dataReader) failText(s *State, m *NodeMember, f *Field) *TextField {
	t := &TextField{Field: m.Key, Span: m.Node.Span}
	if f.Content == ContentText {
		text, ok := r.text(m)
		if !ok {
			return nil
		}
		if r.isExpression(s, m) {
			t.Query = r.query(s, m, m.Key, f).Query
		} else {
			t.Literal = text
		}
		return t
	}
	const wanted = "a Reference Path or an intrinsic function that returns a string"
	text, ok := m.Node.Value.(value.String)
	if !ok {
		r.mustBe(m, rules.Type, wanted, describe(m.Node))
		return nil
	}
	if !template.LooksLike(string(text)) {
		p, err := path.ParseReference(string(text))
		if err != nil {
			r.notA(m, rules.Path, wanted, err)
			return nil
		}
		t.Path = p
		return t
	}
	call, err := template.Parse(string(text))
	if err != nil {
		r.notA(m, rules.Path, wanted, err)
		return nil
	}
	if !call.ReturnsString() {
		r.wrong(m, rules.Path, "%s must be %s, but %s returns none", quote(m.Key), wanted, call.Function())
		return nil
	}
	// The call is known to parse, so that the template of it compiles.
	t.Intrinsic, err = template.Compile(value.ObjectOf(value.Member{Key: "value" + template.Suffix, Value: text}))
	if err != nil {
		r.wrong(m, rules.Path, "%v", err)
	}
	for p := range call.Paths() {
		r.unquoted(m.Node, p)
	}
	r.liberties(m.Node, call)
	return t
}
