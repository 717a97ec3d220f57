package lint

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/rules"
	"asldb/engine/services"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// parameters checks the payload of a call against the operation's parameters: their names, those that are required, and
// the types of constants. The values of paths and expressions are not known.
func (c *checker) parameters(s *asl.State) {
	if s.Type != asl.Task {
		return
	}
	call, ok := services.CallOf(s.Resource)
	if !ok || call.Operation == nil || strings.Contains(s.Resource, "${") {
		return
	}
	payload := member(s.Node, parametersOf(s))
	if payload == nil || payload.Node.Kind != value.KindObject { // the state's input, or an expression
		return
	}
	p := &payloadCheck{checker: c, call: &call, paths: s.QueryLanguage != asl.JSONata}
	p.structure(payload.Node, payload.KeySpan, call.Operation.Input, "")
	if given := payload.Node.Get("Payload"); given != nil && !call.SDK && call.ServiceName == "lambda" && (given.Kind == value.KindNumber || given.Kind == value.KindBool) {
		d := c.report(given, given.Span, rules.ParameterType, source.Error, "\"Payload\" of lambda:invoke must not be %s", kindNoun(given.Kind))
		d.Expected, d.Found = "an object, an array, a string or null", kindNoun(given.Kind)
	}
}

// payloadCheck is the check of one payload.
type payloadCheck struct {
	*checker
	call  *services.Call
	paths bool // fields whose names end in .$ are evaluated
}

// structure checks an object; where is its own name in messages, "" for the whole payload.
func (p *payloadCheck) structure(n *source.Node, at source.Span, shape *services.Shape, where string) {
	if shape == nil || len(shape.Members) == 0 || unresolved(n) {
		return
	}
	given := make(map[string]bool)
	var strange []*source.NodeMember
	for i := range n.Members {
		m := &n.Members[i]
		name, evaluated := p.nameOf(m)
		known, found := p.call.Member(shape, name)
		if !found && where == "" && p.own(name) {
			continue
		}
		if !found {
			strange = append(strange, m)
			continue
		}
		given[known.Model] = true
		if !evaluated {
			p.value(m.Node, m.KeySpan, known.Shape, name)
		}
	}
	for _, m := range strange {
		p.unknown(m, shape, given, where)
	}
	for i := range shape.Members {
		m := &shape.Members[i]
		if m.Required && !given[m.Model] && !p.replaceable(m) {
			d := p.report(n, at, rules.MissingParameter, source.Warning, "%s needs %q", p.subject(where), p.call.Name(m))
			d.Expected = p.call.Name(m)
		}
	}
}

// own reports whether a parameter is one that only the optimized integration has: Bedrock's place of the body in S3,
// and of the answer (developer guide, "Invoke and customize Amazon Bedrock models").
func (p *payloadCheck) own(name string) bool {
	return p.bedrock() && (name == "Input" || name == "Output")
}

// replaceable reports whether the optimized integration takes another parameter in place of a required one.
func (p *payloadCheck) replaceable(m *services.Member) bool { return p.bedrock() && m.Model == "body" }

func (p *payloadCheck) bedrock() bool { return !p.call.SDK && p.call.ServiceName == "bedrock" }

// nameOf returns the name of the parameter that a member sets, and whether its value is computed.
func (p *payloadCheck) nameOf(m *source.NodeMember) (name string, evaluated bool) {
	if p.paths {
		return strings.CutSuffix(m.Key, template.Suffix)
	}
	return m.Key, false
}

// unknown reports a member that the structure does not have: as a mistake where its name is like a missing one's; it
// may be newer than the table. The parameters of an optimized integration are few and hardly change: any
// other is a mistake.
func (p *payloadCheck) unknown(m *source.NodeMember, shape *services.Shape, given map[string]bool, where string) {
	name, _ := p.nameOf(m)
	near := p.call.NearestMember(shape, name)
	other, found := p.call.Member(shape, near)
	if where == "" && !p.call.SDK && (!found || given[other.Model]) {
		d := p.report(m.Node, m.KeySpan, rules.UnknownParameter, source.Warning, "%s has no parameter %q", p.subject(""), name)
		d.Found, d.Suggestion = name, "it has "+p.listed(shape)
		return
	}
	if !found || given[other.Model] {
		p.notInTable(m.Node, m.KeySpan, p.call.Service.Name, "the parameter %q of %s", name, p.subject(""))
		return
	}
	given[other.Model] = true
	d := p.report(m.Node, m.KeySpan, rules.UnknownParameter, source.Warning, "%s has no parameter %q", p.subject(""), name)
	d.Found = name
	misspelt(d, name, near, func(yield func(string) bool) {
		for i := range shape.Members {
			if !yield(p.call.Name(&shape.Members[i])) {
				return
			}
		}
	})
}

// mostListed is how many parameters a message names.
const mostListed = 12

// listed names the parameters of an operation.
func (p *payloadCheck) listed(shape *services.Shape) string {
	var names []string
	for i := range shape.Members {
		names = append(names, p.call.Name(&shape.Members[i]))
	}
	if more := len(names) - mostListed; more > 0 {
		names = append(names[:mostListed], strconv.Itoa(more)+" more")
	}
	return strings.Join(names, ", ")
}

// subject names the owner of parameters.
func (p *payloadCheck) subject(where string) string {
	name := p.call.ServiceName + ":" + p.call.Action
	if where != "" {
		return "\"" + where + "\" of " + name
	}
	return name
}

// value checks the value of a member.
func (p *payloadCheck) value(n *source.Node, at source.Span, shape *services.Shape, name string) {
	if p.unknowable(n) {
		return
	}
	if !p.suits(n, shape) {
		d := p.report(n, n.Span, rules.ParameterType, source.Warning, "%q of %s is %s, not %s", name, p.subject(""), nounOf(shape.Kind), kindNoun(n.Kind))
		d.Expected, d.Found = nounOf(shape.Kind), kindNoun(n.Kind)
		return
	}
	switch {
	case n.Kind == value.KindObject && shape.Kind == services.Structure:
		p.structure(n, at, shape, name)
	case n.Kind == value.KindObject && shape.Kind == services.Map:
		for i := range n.Members {
			if key, evaluated := p.nameOf(&n.Members[i]); !evaluated {
				p.value(n.Members[i].Node, n.Members[i].KeySpan, shape.Item, key)
			}
		}
	case n.Kind == value.KindArray && shape.Kind == services.List:
		for _, item := range n.Items {
			p.value(item, item.Span, shape.Item, name)
		}
	}
}

// unknowable reports whether a value is set only when the state runs, or the template is deployed.
func (p *payloadCheck) unknowable(n *source.Node) bool {
	text, isText := n.Value.(value.String)
	switch {
	case n.Kind == value.KindNull:
		return true
	case isText && strings.Contains(string(text), "${"):
		return true
	case isText && !p.paths && strings.HasPrefix(string(text), "{%"):
		return true
	}
	return unresolved(n)
}

// unresolved reports whether n is a function of CloudFormation, whose value is not known.
func unresolved(n *source.Node) bool {
	return len(n.Members) == 1 && (n.Members[0].Key == "Ref" || strings.HasPrefix(n.Members[0].Key, "Fn::"))
}

// longText is the length from which a text may be a document: an object in its place is sent as JSON text.
const longText = 1024

// suits reports whether a value can be of the shape. Step Functions makes booleans and numbers of strings that hold
// one, and the optimized integration of DynamoDB an attribute value of a string.
func (p *payloadCheck) suits(n *source.Node, shape *services.Shape) bool {
	container := n.Kind == value.KindObject || n.Kind == value.KindArray
	text, isText := n.Value.(value.String)
	switch shape.Kind {
	case services.String:
		return isText || container && (!p.call.SDK || len(shape.Enum) == 0 && (shape.Max == nil || *shape.Max > longText))
	case services.Integer, services.Float:
		_, err := strconv.ParseFloat(string(text), 64)
		return n.Kind == value.KindNumber || isText && err == nil
	case services.Boolean:
		return n.Kind == value.KindBool || isText && (strings.EqualFold(string(text), "true") || strings.EqualFold(string(text), "false"))
	case services.Timestamp:
		return isText || n.Kind == value.KindNumber
	case services.Structure:
		return n.Kind == value.KindObject || len(shape.Members) == 0 || isText && !p.call.SDK
	case services.Map:
		return n.Kind == value.KindObject
	case services.List:
		return n.Kind == value.KindArray
	default: // a blob is any value
		return true
	}
}

func nounOf(kind services.Kind) string {
	switch kind {
	case services.Integer, services.Float:
		return "a number"
	case services.Boolean:
		return "a boolean"
	case services.Structure, services.Map:
		return "an object"
	case services.List:
		return "an array"
	default:
		return "a string"
	}
}

func kindNoun(kind value.Kind) string {
	if kind == value.KindNull {
		return "null"
	}
	return wording.A(kind.String())
}
