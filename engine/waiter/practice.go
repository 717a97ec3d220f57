package waiter

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/jmespath-community/go-jmespath/pkg/parsing"

	"asldb/engine/source"
)

// The rules of the hints. The first is about acceptors that change nothing because of their order, the others are the
// specification's (section "Waiter best-practices").
const (
	ruleNeverMatches = "acceptor-never-matches"
	ruleSimple       = "keep-expressions-simple"
	ruleName         = "name-after-resource-and-state"
	ruleImplicit     = "implicit-acceptor"
	ruleTerminal     = "only-terminal-failures"
)

// Hints returns how the waiters of a model could be better, in the order of the files and of their texts. They aren't
// problems: the waiters work, and the severity is Note where the model does not override it.
func (m *Model) Hints() (list []source.Diagnostic) {
	h := &hints{}
	for _, w := range m.Waiters {
		h.waiter, h.list = w, nil
		h.name()
		for i := range w.Acceptors {
			if h.reachable(i) {
				h.implicit(i)
			}
			h.terminal(i)
			h.simple(i)
		}
		list = append(list, m.settle(m.shapes.Lookup(w.Operation), h.list)...)
	}
	source.Sort(list)
	return list
}

// hints collects the hints about waiters.
type hints struct {
	waiter *Waiter
	list   []source.Diagnostic
}

func (h *hints) add(rule string, at source.Span, suggestion, format string, args ...any) {
	h.list = append(h.list, source.Diagnostic{
		File: h.waiter.File, Severity: source.Note, Rule: rule, Span: at,
		Message: fmt.Sprintf(format, args...), Suggestion: suggestion,
	})
}

// covers reports whether the first matcher matches every response that the second matches.
func covers(first, second *Matcher) bool {
	onSuccess := func(m *Matcher) bool {
		return m.Kind == MatchOutput || m.Kind == MatchInputOutput || m.Kind == MatchSuccess && m.Success
	}
	switch first.Kind {
	case MatchSuccess:
		return first.Success == onSuccess(second) && second.Kind != 0
	case MatchErrorType:
		return second.Kind == MatchErrorType && errorName(first.ErrorType) == errorName(second.ErrorType)
	case MatchOutput, MatchInputOutput:
		return first.Kind == second.Kind && first.Path == second.Path && first.Comparator == second.Comparator && first.Expected == second.Expected
	}
	return false
}

// reachable notes an acceptor that an earlier one leaves nothing.
func (h *hints) reachable(i int) bool {
	a := h.waiter.Acceptors[i]
	for j, earlier := range h.waiter.Acceptors[:i] {
		if covers(&earlier.Matcher, &a.Matcher) {
			h.add(ruleNeverMatches, a.node.Span, "", "acceptor %d of %s never matches: acceptor %d before it matches all that it does (%s)", i, h.waiter.Name, j, earlier.Matcher.String())
			return false
		}
	}
	return true
}

// implicit notes an acceptor that does what happens without it (section "Do not model implicit acceptors"). It is not one where
// a later acceptor would decide otherwise.
func (h *hints) implicit(i int) {
	a := h.waiter.Acceptors[i]
	later := h.waiter.Acceptors[i+1:]
	failed := a.Matcher.Kind == MatchErrorType || a.Matcher.Kind == MatchSuccess && !a.Matcher.Success
	decidesLater := slices.ContainsFunc(later, func(other *Acceptor) bool {
		onError := other.Matcher.Kind == MatchErrorType || other.Matcher.Kind == MatchSuccess && !other.Matcher.Success
		return other.State != a.State && onError == failed && (a.Matcher.Kind != MatchErrorType || other.Matcher.Kind != MatchErrorType || covers(&a.Matcher, &other.Matcher))
	})
	switch {
	case a.node == nil || a.Matcher.Kind == 0 || decidesLater || a.Message != "":
	case failed && a.State == Failure:
		h.add(ruleImplicit, a.node.Span, "leave it out", "acceptor %d of %s is not needed: an error that no acceptor matches ends the waiter with failure", i, h.waiter.Name)
	case !failed && a.State == Retry:
		h.add(ruleImplicit, a.node.Span, "leave it out", "acceptor %d of %s is not needed: a response that no acceptor matches is tried again", i, h.waiter.Name)
	}
}

// lastingStates end in -ing, and are not followed by another state by themselves; the state of a resource that is being
// deleted is followed by none.
var lastingStates = []string{"deleting", "existing", "failing", "missing", "running", "terminating"}

// terminal notes a failure for a state that the resource only passes through (section "Only model terminal failure states"). Which
// states are terminal the model does not say; names in -ING, and names of progress, rarely are.
func (h *hints) terminal(i int) {
	a := h.waiter.Acceptors[i]
	path := a.Matcher.Kind == MatchOutput || a.Matcher.Kind == MatchInputOutput
	if a.State != Failure || !path || a.Matcher.Comparator == BooleanEquals {
		return
	}
	words := strings.FieldsFunc(strings.ToLower(a.Matcher.Expected), func(r rune) bool { return !unicode.IsLetter(r) })
	passing := slices.ContainsFunc(words, func(word string) bool {
		return strings.HasSuffix(word, "ing") && !slices.Contains(lastingStates, word) || word == "progress"
	})
	if passing && words[0] != "shutting" {
		h.add(ruleTerminal, spanOf(a.Matcher.node, a.node), "match the state at its end, which needs an action of the user",
			"acceptor %d of %s fails in the state %q, which the resource seems only to pass through", i, h.waiter.Name, a.Matcher.Expected)
	}
}

// mostParts is the greatest number of parts of an expression that counts as simple.
const mostParts = 12

// simple notes long expressions (section "Keep JMESPath expressions simple").
func (h *hints) simple(i int) {
	m := &h.waiter.Acceptors[i].Matcher
	if m.path == nil {
		return
	}
	if n := countParts(&m.path.tree); n > mostParts {
		h.add(ruleSimple, m.pathNode.Span, "", "the expression of acceptor %d of %s has %d parts: complex expressions easily lead to bugs, and several acceptors or a simpler output are easier to follow", i, h.waiter.Name, n)
	}
}

// countParts counts the names, literals, functions and operators of an expression.
func countParts(n *parsing.ASTNode) int {
	count := 0
	switch n.NodeType {
	case parsing.ASTField, parsing.ASTLiteral, parsing.ASTFunctionExpression, parsing.ASTComparator, parsing.ASTNotExpression,
		parsing.ASTOrExpression, parsing.ASTAndExpression, parsing.ASTFilterProjection, parsing.ASTFlatten:
		count = 1
	default:
	}
	for i := range n.Children {
		count += countParts(&n.Children[i])
	}
	return count
}

// verbs begin the names of operations.
var verbs = []string{
	"Cancel", "Check", "Copy", "Create", "Delete", "Describe", "Get", "Head", "List", "Put", "Reboot", "Register", "Restore", "Run", "Start", "Stop",
	"Terminate", "Update", "Wait",
}

// ends are the ends of names that suggest an operation.
var ends = []string{"Complete", "Completed", "Done", "Finished", "Succeeded"}

// name notes a waiter that is named after an operation, or not after the state that it waits for (section "Name waiters after the
// resource and state").
func (h *hints) name() {
	w := h.waiter
	for _, verb := range verbs {
		rest, found := strings.CutPrefix(w.Name, verb)
		if !found || rest == "" || !unicode.IsUpper(rune(rest[0])) || !slices.ContainsFunc(ends, func(end string) bool { return len(rest) > len(end) && strings.HasSuffix(rest, end) }) {
			continue
		}
		h.add(ruleName, w.key, "name it after the resource and its state, such as InstanceRunning", "the waiter %s is named after the end of an operation", w.Name)
		return
	}
	var states []string
	for _, a := range w.Acceptors {
		if path := a.Matcher.Kind == MatchOutput; a.State == Success {
			if !path || a.Matcher.Comparator == BooleanEquals {
				return // it waits for something else than the name of a state
			}
			states = append(states, a.Matcher.Expected)
		}
	}
	if len(states) != 1 || strings.Contains(w.Name, "Exist") {
		return
	}
	if folded := letters(states[0]); folded != "" && !strings.Contains(letters(w.Name), folded) {
		h.add(ruleName, w.key, fmt.Sprintf("the name of a waiter for this state ends in %s", camel(states[0])), "the waiter %s waits for the state %q, and its name has another", w.Name, states[0])
	}
}

// letters returns the letters of a text in lower case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

// camel returns the name of a state in UpperCamelCase.
func camel(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		if word == strings.ToUpper(word) {
			word = strings.ToLower(word)
		}
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}
