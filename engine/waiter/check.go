package waiter

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"asldb/engine/smithy"
	"asldb/engine/source"
	"asldb/engine/value"
)

// checkPath notes the problems of a matcher's path: its syntax, and whether over the shapes of the operation
// its result has the type that the comparator takes.
func (r *reader) checkPath(w *Waiter, index int, m *Matcher, n *source.Node) {
	if m.Comparator == BooleanEquals && m.Expected != "true" && m.Expected != "false" {
		r.report(ruleWaiter, spanOf(n.Get("expected"), n), "acceptor %d of %s: with booleanEquals, expected must be \"true\" or \"false\", but is %q", index, w.Name, m.Expected)
	}
	operation := r.model.shape(w.Operation)
	if m.Kind == MatchOutput && r.model.part(operation, "output") == nil && r.model.missing(operation, "output") == "" {
		r.report(ruleWaiter, n.Span, "acceptor %d of %s looks at the output of %s, which has none", index, w.Name, w.OperationName())
		return
	}
	if m.pathNode == nil {
		return
	}
	data := r.model.partType(operation, "output")
	if m.Kind == MatchInputOutput {
		data = pairType(r.model.partType(operation, "input"), data)
	}
	var result shapeType
	if m.path, result = r.checkExpression(w, index, m.pathNode, "", data); m.path == nil {
		return
	}
	wanted, known := map[Comparator]kind{BooleanEquals: booleanKind, StringEquals: stringKind, AllStringEquals: arrayKind, AnyStringEquals: arrayKind}[m.Comparator]
	if known && result.kind != anyKind && result.kind != wanted {
		d := r.report(eventID("ReturnTypeMismatch", w, index), m.pathNode.Span,
			"acceptor %d of %s: %s takes the type %s, and this expression gives the type %s",
			index, w.Name, m.Comparator, wanted, result.kind)
		d.Severity = source.Danger
	}
}

// eventID is the id that Smithy gives to a problem of an expression.
func eventID(what string, w *Waiter, index int) string {
	return fmt.Sprintf("%s.%s.%s.%d", ruleJMESPath, what, w.Name, index)
}

// checkExpression compiles an expression and notes its errors. The result is nil where it isn't JMESPath.
func (r *reader) checkExpression(w *Waiter, index int, n *source.Node, where string, data shapeType) (*expression, shapeType) {
	text := smithy.StringText(r.file, n)
	x, err := compile(string(text.Data))
	var wrong *SyntaxError
	if errors.As(err, &wrong) {
		at := text.Position(wrong.Offset)
		r.report(ruleWaiter, source.Span{Start: at, End: at}, "acceptor %d of %s: invalid JMESPath%s: %s", index, w.Name, where, wrong.Msg)
		return nil, unknown
	}
	result, problems := x.check(data)
	for _, p := range problems {
		at := text.Position(p.offset)
		d := r.report(ruleWaiter, source.Span{Start: at, End: at},
			"acceptor %d of %s: in the JMESPath %s: %s", index, w.Name, x.text, p.message)
		if d.Severity = p.severity; p.severity == source.Danger {
			d.Rule = eventID("JmespathEventDanger", w, index)
		} else if p.severity == source.Warning {
			d.Rule = eventID("JmespathEventWarning", w, index)
		}
	}
	return x, result
}

// checkMessage notes the problems of an acceptor's message.
func (r *reader) checkMessage(w *Waiter, a *Acceptor, index int) {
	if a.State != Failure {
		r.report(ruleWaiter, a.message.Span, "acceptor %d of %s: only an acceptor with the state failure has a message, and this has %s", index, w.Name, a.State)
	}
	if a.message.Kind != value.KindString {
		return
	}
	output := r.model.partType(r.model.shape(w.Operation), "output")
	x, result := r.checkExpression(w, index, a.message, " in message", output)
	if x == nil {
		return
	}
	a.messagePath = x
	gives := result.kind.String()
	if result.kind == arrayKind {
		result = itemType(result)
		gives = "array of " + result.kind.String()
	}
	if result.kind != anyKind && result.kind != stringKind {
		r.report(ruleWaiter, a.message.Span,
			"acceptor %d of %s: message must give a string or an array of strings, and this expression gives the type %s",
			index, w.Name, gives)
	}
}

// checkErrorType warns of an error that neither the operation nor its service has: it may still come over the wire.
func (r *reader) checkErrorType(w *Waiter, index int, m *Matcher, n *source.Node) {
	ids := r.model.errors(w.Operation, r.model.shape(w.Operation))
	if slices.ContainsFunc(ids, func(id string) bool { return id == m.ErrorType || errorName(id) == errorName(m.ErrorType) }) {
		return
	}
	d := r.report(fmt.Sprintf("%s.%s.%d", ruleErrorType, w.Name, index), n.Span,
		"acceptor %d of %s: the error %q is none of the operation's: %s", index, w.Name, m.ErrorType, strings.Join(ids, ", "))
	d.Severity = source.Warning
}
