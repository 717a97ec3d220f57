package waiter

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"asldb/engine/smithy"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// trait is the id of the trait that holds an operation's waiters.
const trait = "smithy.waiters#waitable"

// The kinds of problems are the event ids of Smithy's own validators. The part before a dot is the id of a group.
const (
	ruleTarget       = "TraitTarget"
	ruleValue        = "TraitValue"
	ruleUnknown      = "TraitValue.UnknownMember.smithy.waiters"
	ruleWaiter       = "WaitableTrait"
	ruleNames        = "UniqueWaiterNames"
	ruleErrorType    = "WaitableTraitInvalidErrorType"
	ruleJMESPath     = "WaitableTraitJmespathProblem"
	waiterNameSyntax = `^[A-Z]+[A-Za-z0-9]*$`
)

var waiterName = wording.Pattern(waiterNameSyntax)

// Read reads the files of a model, in Smithy's IDL or in its JSON AST. It returns every problem of its waiters, in the order
// of the files and their texts; the model is nil where a file cannot be read or isn't a model at all. A waiter with an
// error among the problems may lack the part with the error: see [Waiter.Usable].
func Read(files ...*source.File) (*Model, []source.Diagnostic) {
	shapes, problems := smithy.Read(files...)
	if shapes == nil {
		return nil, problems
	}
	r := &reader{model: &Model{shapes: shapes, services: make(map[string][]*smithy.Shape)}, problems: problems}
	for _, shape := range shapes.Shapes {
		if shape.Node.Get("type").Text() == "service" {
			for _, operation := range shapes.Operations(shape.ID) {
				r.model.services[operation] = append(r.model.services[operation], shape)
			}
		}
	}
	r.rulings()
	for _, shape := range shapes.Shapes {
		first := len(r.problems)
		node, key, file := shapes.Trait(shape, trait)
		if r.file = file; node != nil && r.applicable(shape, key) {
			r.checkKnown(shape, key)
			r.waitable(shape.ID, key, node)
		}
		r.misplaced(shape)
		r.foreignTrait(shape)
		events := r.model.settle(shape, r.problems[first:])
		r.model.Suppressed += len(r.problems) - first - len(events)
		r.problems = append(r.problems[:first], events...)
	}
	r.sameNames()
	source.Sort(r.problems)
	return r.model, r.problems
}

// checkKnown warns of an operation whose input or output is not in the model.
func (r *reader) checkKnown(shape *smithy.Shape, key source.Span) {
	for _, which := range []string{"input", "output"} {
		if id := r.model.missing(shape.Node, which); id != "" {
			d := r.report(smithy.RuleTarget, key, "the %s of %s, %s, is not in the model, so paths over it are not checked", which, errorName(shape.ID), id)
			d.Severity, d.Suggestion = source.Warning, "give the file that defines it too, or the folder of the model"
		}
	}
}

// foreignTrait notes a trait that is called waitable and is not the specification's.
func (r *reader) foreignTrait(shape *smithy.Shape) {
	traits := shape.Node.Get("traits")
	if traits == nil {
		return
	}
	for _, t := range traits.Members {
		if errorName(t.Key) != "waitable" || t.Key == trait || r.model.shape(t.Key) != nil {
			continue
		}
		_, key, file := r.model.shapes.Trait(shape, t.Key)
		r.file = file
		r.report(smithy.RuleUnresolved, key, "the trait %s is not defined", t.Key).Suggestion = "import Smithy's: use " + trait
	}
}

// applicable reports whether a shape can have waiters, as only an operation can. It notes one with an event stream, too.
func (r *reader) applicable(shape *smithy.Shape, key source.Span) bool {
	if kind := shape.Node.Get("type").Text(); kind != "operation" {
		r.report(ruleTarget, key, "the trait %s is for operations, not for the %s %s", trait, kind, errorName(shape.ID))
		return false
	}
	for _, which := range []string{"input", "output"} {
		if stream := r.model.eventStream(r.model.part(shape.Node, which)); stream != "" {
			r.report(ruleTarget, key, "the trait %s is not for %s: its %s has an event stream, %s",
				trait, errorName(shape.ID), which, stream)
			break
		}
	}
	return true
}

// misplaced notes members with the trait.
func (r *reader) misplaced(shape *smithy.Shape) {
	for _, m := range smithy.Members(shape.Node) {
		node, key, file := r.model.shapes.TraitOf(m.Node, shape.File, trait)
		if r.file = file; node != nil {
			r.report(ruleTarget, key,
				"the trait %s is for operations, not for the member %s$%s", trait, errorName(shape.ID), m.Key)
		}
	}
}

// Usable reports whether none of the problems is an error in the waiter, or in the use of its trait.
func (w *Waiter) Usable(problems []source.Diagnostic) bool {
	return !slices.ContainsFunc(w.Own(problems), func(d source.Diagnostic) bool { return d.Severity == source.Error })
}

// Own returns the problems of a model that are in the waiter or about its operation.
func (w *Waiter) Own(problems []source.Diagnostic) []source.Diagnostic {
	var own []source.Diagnostic
	for _, d := range problems {
		at := d.Span.Start.Offset
		if d.File == w.File && (at >= w.key.Start.Offset && at < w.node.Span.End.Offset || at == w.trait.Start.Offset) {
			own = append(own, d)
		}
	}
	return own
}

// reader reads the waiters of a model.
type reader struct {
	model    *Model
	file     *source.File // of the waiter that is read
	problems []source.Diagnostic
}

func (r *reader) report(rule string, at source.Span, format string, args ...any) *source.Diagnostic {
	r.problems = append(r.problems, source.Diagnostic{File: r.file, Rule: rule, Span: at, Message: fmt.Sprintf(format, args...)})
	return &r.problems[len(r.problems)-1]
}

// waitable reads the trait of an operation, whose name is at key.
func (r *reader) waitable(operation string, key source.Span, n *source.Node) {
	if n.Kind != value.KindObject {
		r.report(ruleValue, n.Span, "the trait %s is an object of waiters, not %s", trait, source.Article(n.Kind))
		return
	}
	if len(n.Members) == 0 {
		r.report(ruleValue, key, "the trait %s of %s has no waiters", trait, errorName(operation))
	}
	for i := range n.Members {
		m := &n.Members[i]
		if !waiterName().MatchString(m.Key) {
			r.report(ruleValue, m.KeySpan, "the name of a waiter must match %s, in UpperCamelCase, not %q", waiterNameSyntax, m.Key)
		}
		w := &Waiter{
			Name: m.Key, File: r.file, Operation: operation, MinDelay: DefaultMinDelay, MaxDelay: DefaultMaxDelay,
			model: r.model, trait: key, key: m.KeySpan, node: m.Node,
		}
		if m.Node.Kind != value.KindObject {
			r.report(ruleValue, m.Node.Span, "a waiter is an object, not %s", source.Article(m.Node.Kind))
			continue
		}
		r.waiter(w, m.Node)
		r.model.Waiters = append(r.model.Waiters, w)
	}
}

var waiterMembers = []string{"documentation", "acceptors", "minDelay", "maxDelay", "deprecated", "tags"}

func (r *reader) waiter(w *Waiter, n *source.Node) {
	delays := n.Span
	for i := range n.Members {
		m := &n.Members[i]
		switch m.Key {
		case "documentation":
			w.Documentation = r.text(m)
		case "acceptors":
			r.acceptors(w, m.Node)
		case "minDelay":
			w.MinDelay, delays = r.delay(m, w.MinDelay), m.Node.Span
		case "maxDelay":
			w.MaxDelay = r.delay(m, w.MaxDelay)
		case "deprecated":
			flag, ok := m.Node.Value.(value.Bool)
			if !ok {
				r.report(ruleValue, m.Node.Span, "deprecated is true or false, not %s", source.Article(m.Node.Kind))
			}
			w.Deprecated = bool(flag)
		case "tags":
			w.Tags = r.tags(m.Node)
		default:
			r.unknown(m, "Waiter", "a waiter", waiterMembers)
		}
	}
	if w.MinDelay > w.MaxDelay {
		r.report(ruleWaiter, delays, "the waiter %s has a minDelay of %d that is greater than its maxDelay of %d", w.Name, w.MinDelay, w.MaxDelay)
	}
	switch {
	case n.Get("acceptors") == nil:
		r.report(ruleValue, w.key, "the waiter %s has no acceptors", w.Name)
	case !slices.ContainsFunc(w.Acceptors, func(a *Acceptor) bool { return a.State == Success }):
		r.report(ruleWaiter, w.key, "the waiter %s has no acceptor with the state success, so it can never end well", w.Name)
	}
}

// unknown warns of a member that the specification does not have: published models have such members, a description for
// example, which change nothing. shape is the name of Smithy's shape that lacks it.
func (r *reader) unknown(m *source.NodeMember, shape, owner string, known []string) *source.Diagnostic {
	d := r.report(ruleUnknown+"#"+shape+"."+m.Key, m.KeySpan,
		"%s has no member %q; it has %s", owner, m.Key, strings.Join(known, ", "))
	d.Severity = source.Warning
	d.Suggestion = wording.Meant(m.Key, slices.Values(known))
	return d
}

func (r *reader) text(m *source.NodeMember) string {
	if m.Node.Kind != value.KindString {
		r.report(ruleValue, m.Node.Span, "%s is a string, not %s", m.Key, source.Article(m.Node.Kind))
	}
	return m.Node.Text()
}

// tags reads a list of strings that are not empty.
func (r *reader) tags(n *source.Node) []string {
	if n.Kind != value.KindArray {
		r.report(ruleValue, n.Span, "tags is a list of strings, not %s", source.Article(n.Kind))
	}
	var tags []string
	for _, tag := range n.Items {
		if tags = append(tags, tag.Text()); tag.Text() == "" {
			r.report(ruleValue, tag.Span, "a tag is a string that is not empty, not %s", value.Preview(tag.Value, 40))
		}
	}
	return tags
}

func (r *reader) delay(m *source.NodeMember, fallback int64) int64 {
	number, ok := m.Node.Value.(value.Number)
	n, whole := number.Int64()
	if !ok || !whole || n < 1 {
		r.report(ruleValue, m.Node.Span, "%s is a whole number of seconds from 1, not %s", m.Key, value.Preview(m.Node.Value, 40))
		return fallback
	}
	if n > math.MaxInt32 { // Smithy's integers have 32 bits
		r.report(ruleValue, m.Node.Span, "%s is at most %d seconds, not %d", m.Key, math.MaxInt32, n)
		return fallback
	}
	return n
}

func (r *reader) acceptors(w *Waiter, n *source.Node) {
	if n.Kind != value.KindArray || len(n.Items) == 0 {
		r.report(ruleValue, n.Span, "acceptors is a list with at least one acceptor")
		return
	}
	for i, item := range n.Items {
		a := &Acceptor{node: item}
		if item.Kind != value.KindObject {
			r.report(ruleValue, item.Span, "an acceptor is an object with state and matcher, not %s", source.Article(item.Kind))
			continue
		}
		r.acceptor(w, a, i)
		w.Acceptors = append(w.Acceptors, a)
	}
}

var acceptorMembers = []string{"state", "matcher", "message"}

func (r *reader) acceptor(w *Waiter, a *Acceptor, index int) {
	for i := range a.node.Members {
		m := &a.node.Members[i]
		switch m.Key {
		case "state":
			a.State = named[State](r.word(m, stateNames), stateNames)
		case "matcher":
			r.matcher(w, a, index, m.Node)
		case "message":
			a.Message, a.message = r.text(m), m.Node
		default:
			r.unknown(m, "Acceptor", "an acceptor", acceptorMembers)
		}
	}
	for _, required := range acceptorMembers[:2] {
		if a.node.Get(required) == nil {
			r.report(ruleValue, a.node.Span, "acceptor %d of %s has no %s", index, w.Name, required)
		}
	}
	if a.message != nil {
		r.checkMessage(w, a, index)
	}
}

// word returns a string that must be one of the words, or "".
func (r *reader) word(m *source.NodeMember, words []string) string {
	text := r.text(m)
	if m.Node.Kind == value.KindString && !slices.Contains(words, text) {
		d := r.report(ruleValue, m.Node.Span, "%s is one of %s, not %q", m.Key, strings.Join(words, ", "), text)
		d.Suggestion = wording.Meant(text, slices.Values(words))
		return ""
	}
	return text
}

var pathMembers = []string{"path", "comparator", "expected"}

// matcher reads the union of an acceptor.
func (r *reader) matcher(w *Waiter, a *Acceptor, index int, n *source.Node) {
	if n.Kind != value.KindObject || len(n.Members) != 1 {
		r.report(ruleValue, n.Span, "a matcher is an object with exactly one of %s", strings.Join(matcherNames, ", "))
		return
	}
	m := &n.Members[0]
	a.Matcher = Matcher{Kind: named[MatcherKind](m.Key, matcherNames), node: n}
	switch a.Matcher.Kind {
	case MatchSuccess:
		flag, ok := m.Node.Value.(value.Bool)
		if !ok {
			r.report(ruleValue, m.Node.Span, "success is true or false, not %s", source.Article(m.Node.Kind))
		}
		a.Matcher.Success = bool(flag)
	case MatchErrorType:
		a.Matcher.ErrorType = r.text(m)
		r.checkErrorType(w, index, &a.Matcher, m.Node)
	case MatchOutput, MatchInputOutput:
		r.pathMatcher(w, index, &a.Matcher, m.Node)
	default:
		r.unknown(m, "Matcher", "a matcher", matcherNames).Severity = source.Error // nothing is left to match with
	}
}

func (r *reader) pathMatcher(w *Waiter, index int, matcher *Matcher, n *source.Node) {
	if n.Kind != value.KindObject {
		r.report(ruleValue, n.Span, "%s is an object with path, comparator and expected, not %s", matcher.Kind, source.Article(n.Kind))
		return
	}
	for i := range n.Members {
		m := &n.Members[i]
		switch m.Key {
		case "path":
			matcher.Path, matcher.pathNode = r.text(m), m.Node
		case "comparator":
			matcher.Comparator = named[Comparator](r.word(m, comparatorNames), comparatorNames)
		case "expected":
			matcher.Expected = r.text(m)
		default:
			r.unknown(m, "PathMatcher", matcher.Kind.String(), pathMembers)
		}
	}
	for _, required := range pathMembers {
		if n.Get(required) == nil {
			r.report(ruleValue, n.Span, "acceptor %d of %s has no %s", index, w.Name, required)
		}
	}
	r.checkPath(w, index, matcher, n)
}

// sameNames notes the waiters of a service whose names differ in upper and lower case only, or not at all: they are
// one name in its clients. An operation without a service is one for itself.
func (r *reader) sameNames() {
	type closure struct {
		service *smithy.Shape
		name    string
	}
	first, noted := make(map[closure]*Waiter), make(map[*Waiter]bool)
	conflict := func(w, other *Waiter) {
		if r.file = w.File; !noted[w] {
			noted[w] = true
			r.report(ruleNames, w.key,
				"the waiter %s conflicts with %s of %s: names must be unique without regard to case",
				w.Name, other.Name, other.OperationName())
		}
	}
	for _, w := range r.model.Waiters {
		for _, service := range append(r.model.services[w.Operation], r.model.shapes.Lookup(w.Operation)) {
			in := closure{service, strings.ToLower(w.Name)}
			if other := first[in]; other != nil {
				conflict(w, other)
				conflict(other, w)
			} else {
				first[in] = w
			}
		}
	}
}
