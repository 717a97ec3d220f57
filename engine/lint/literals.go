package lint

import (
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// literals looks for strings that were meant to be evaluated and are not.
func (c *checker) literals(s *asl.State) {
	for i := range s.Node.Members {
		m := &s.Node.Members[i]
		if f := asl.FieldOf(s.Type, m.Key); f != nil {
			c.fieldLiterals(s, m.Node, m.KeySpan, f)
		}
		if m.Key == "Choices" {
			c.ruleLiterals(s, m.Node)
		}
	}
}

// maxData is the greatest number of bytes of the data of a state.
const maxData = 256 << 10

// fieldLiterals looks through a field, or a part of one, by the kind of its text. key is the place of its name.
func (c *checker) fieldLiterals(s *asl.State, n *source.Node, key source.Span, f *asl.Field) {
	switch {
	case f.Content == asl.ContentLiteral:
		if size := value.Size(n.Value); size > maxData {
			c.warn(n, rules.WrongValue, "the Result has %d bytes, and data have at most %d: the state fails", size, maxData)
		}
		c.resultLiteral(n)
	case f.Content == asl.ContentText:
		c.pathInText(s, n, key, f.Name)
	case f.Content.Templated():
		c.literal(s, &source.NodeMember{Node: n}, nil, false)
	case n.Kind == value.KindArray:
		for _, item := range n.Items {
			c.partLiterals(s, item, f)
		}
	default:
		c.partLiterals(s, n, f)
	}
}

func (c *checker) partLiterals(s *asl.State, n *source.Node, owner *asl.Field) {
	for i := range n.Members {
		if f := owner.Part(n.Members[i].Key); f != nil {
			c.fieldLiterals(s, n.Members[i].Node, n.Members[i].KeySpan, f)
		}
	}
}

// pathInText looks at a constant of a field that has a form whose name ends in Path.
func (c *checker) pathInText(s *asl.State, n *source.Node, key source.Span, name string) {
	text, ok := n.Value.(value.String)
	if !ok || s.QueryLanguage != asl.JSONPath || !evaluable(string(text)) {
		return
	}
	d := c.warn(n, rules.LiteralInPath, "%s is used as literal text: %q takes a constant", short(string(text)), name)
	d.Suggestion = "did you mean \"" + name + "Path\"?"
	d.Fix = &source.Fix{At: key, From: name, To: name + "Path"}
	d.Service = source.Reply{Message: "The field '" + name + "' does not end with 'Path', but its value appears to be a path", Warning: true}
}

// ruleLiterals looks at the constants that the rules of a Choice state compare with.
func (c *checker) ruleLiterals(s *asl.State, n *source.Node) {
	for i := range n.Members {
		m := &n.Members[i]
		switch {
		case strings.HasPrefix(m.Key, "String") && !strings.HasSuffix(m.Key, "Path") && m.Key != "StringMatches":
			c.pathInText(s, m.Node, m.KeySpan, m.Key)
		case m.Key == asl.And || m.Key == asl.Or || m.Key == asl.Not:
			c.ruleLiterals(s, m.Node)
		}
	}
	for _, item := range n.Items {
		c.ruleLiterals(s, item)
	}
}

// resultLiteral looks through a Pass state's Result for texts that a template would evaluate.
func (c *checker) resultLiteral(n *source.Node) {
	if text, ok := n.Value.(value.String); ok && evaluable(string(text)) {
		const message = "a Pass state's Result is taken as it is: %s is used as literal text"
		d := c.warn(n, rules.ResultTemplate, message, short(string(text)))
		d.Suggestion = "\"Parameters\" in place of \"Result\" is evaluated"
		d.Service = source.Reply{Message: "The Result of a Pass state is static: " + short(string(text)) + " is not evaluated", Warning: true}
	}
	for i := range n.Members {
		c.resultLiteral(n.Members[i].Node)
	}
	for _, item := range n.Items {
		c.resultLiteral(item)
	}
}

// literal looks at the strings of a template that are not evaluated. m is the member that has them, of the object
// owner; item tells that its value is in an array.
func (c *checker) literal(s *asl.State, m *source.NodeMember, owner *source.Node, item bool) {
	n := m.Node
	if text, ok := n.Value.(value.String); ok {
		if s.QueryLanguage == asl.JSONata {
			c.queryLiteral(n, string(text))
		} else if !strings.HasSuffix(m.Key, template.Suffix) {
			c.templateLiteral(m, owner, string(text), item)
		}
		return
	}
	for i := range n.Members {
		c.literal(s, &n.Members[i], n, false)
	}
	for _, part := range n.Items {
		c.literal(s, &source.NodeMember{Key: m.Key, KeySpan: m.KeySpan, Node: part}, nil, true)
	}
}

// payloads are the parameters of integrations that take data, in which a $ alone is hardly meant as text. The table is
// never changed.
var payloads = []string{"Payload", "Message", "MessageBody", "Input", "Detail", "RequestBody", "Body", "Data"}

// templateLiteral looks at a plain string of a JSONPath state.
func (c *checker) templateLiteral(m *source.NodeMember, owner *source.Node, text string, item bool) {
	n, key := m.Node, m.Key
	if template.IsExpression(text) {
		const message = "the query language of this state is JSONPath: %s is used as literal text"
		d := c.warn(n, rules.JSONataInLiteral, message, short(text))
		d.Suggestion = "\"QueryLanguage\": \"JSONata\" makes it one of JSONata"
		return
	}
	// Services have their own parameters that hold paths.
	whole := (text == "$" || text == "$$") && slices.Contains(payloads, key)
	if !whole && !evaluable(text) || strings.Contains(strings.ToLower(key), "path") {
		return
	}
	const message = "%s is used as literal text: only fields whose names end in .$ are evaluated"
	d := c.warn(n, rules.LiteralPath, message, short(text))
	if !whole { // of those the service's answer is not known
		d.Service = source.Reply{Message: "The field name does not end with '.$', but its value appears to be a path or an intrinsic function", Warning: true}
	}
	switch {
	case item:
		d.Suggestion = "an item of an array is never evaluated: \"" + key + ".$\": \"States.Array(" + text + ")\" makes the array"
	case key != "":
		d.Suggestion = "did you mean \"" + key + template.Suffix + "\"?"
		certain := (!whole || key == "Payload") && owner != nil && owner.Get(key+template.Suffix) == nil
		d.Fix = &source.Fix{At: m.KeySpan, From: key, To: key + template.Suffix, Certain: certain}
	}
}

// queryLiteral looks at a plain string of a JSONata state.
func (c *checker) queryLiteral(n *source.Node, text string) {
	trimmed := strings.TrimSpace(text)
	open := strings.Index(text, "{%")
	switch {
	case template.IsExpression(text) || strings.HasPrefix(text, "{%"):
	case template.IsExpression(trimmed):
		const message = "%s is used as literal text: an expression begins with {%% and ends with %%}, without blanks around"
		d := c.warn(n, rules.JSONataInLiteral, message, short(text))
		d.Suggestion = "take the blanks away"
	case open >= 0 && strings.Contains(text[open:], "%}"):
		const message = "%s is used as literal text: an expression is the whole string"
		d := c.warn(n, rules.JSONataInLiteral, message, short(text))
		d.Suggestion = "join texts inside of the expression: {% 'text ' & $value %}"
	case strings.HasPrefix(text, "$states.") || evaluable(text) && strings.HasPrefix(text, "$."):
		const message = "%s is used as literal text: in a JSONata state only strings {%% … %%} are evaluated"
		d := c.warn(n, rules.LiteralPath, message, short(text))
		if strings.HasPrefix(text, "$states.") {
			d.Suggestion = "did you mean \"{% " + text + " %}\"?"
			d.Fix = &source.Fix{At: n.Span, From: text, To: "{% " + text + " %}"}
		} else {
			d.Suggestion = "did you mean \"{% $states.input" + text[1:] + " %}\"?"
			d.Fix = &source.Fix{At: n.Span, From: text, To: "{% $states.input" + text[1:] + " %}"}
		}
	}
}

// evaluable reports whether a text is a path with something behind its root, or a call of an intrinsic function.
func evaluable(text string) bool {
	switch {
	case strings.HasPrefix(text, "$.") || strings.HasPrefix(text, "$$.") || strings.HasPrefix(text, "$["):
		p, err := path.Parse(text)
		return err == nil && p.Len() > 0
	case template.LooksLike(text) && strings.HasSuffix(text, ")"):
		_, err := template.Parse(text)
		return err == nil
	}
	return false
}

// short returns a text in quotes, cut where it is long.
func short(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return "\"" + text + "\""
}
