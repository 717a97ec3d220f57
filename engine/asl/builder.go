package asl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"asldb.dev/asldb/engine/source"
	"asldb.dev/asldb/engine/value"
	"asldb.dev/asldb/internal/spelling"
)

// The kinds of problems.
const (
	ruleDuplicateKey       = "duplicate-json-key"
	ruleDuplicateState     = "duplicate-state-name"
	ruleEmptyArray         = "empty-array"
	ruleEmptyObject        = "empty-object"
	ruleWrongQueryLanguage = "field-not-allowed-for-query-language"
	ruleWrongStateType     = "field-not-allowed-for-state-type"
	ruleJSONata            = "invalid-jsonata"
	ruleName               = "invalid-name"
	rulePath               = "invalid-path"
	ruleReferencePath      = "invalid-reference-path"
	ruleTemplateValue      = "invalid-payload-template-value"
	ruleTemplateCollision  = "payload-key-collision"
	ruleResource           = "invalid-resource"
	ruleTimestamp          = "invalid-timestamp"
	ruleVariableName       = "invalid-variable-name"
	ruleMissingField       = "missing-required-field"
	ruleMissingTransition  = "missing-transition"
	ruleManyOperators      = "multiple-comparison-operators"
	ruleExclusive          = "mutually-exclusive-fields"
	ruleLongName           = "name-too-long"
	ruleNoTerminal         = "no-terminal-state"
	ruleEnum               = "not-in-enum"
	ruleStartAt            = "start-at-not-found"
	ruleStatesAll          = "states-all-misplaced"
	ruleLeavesScope        = "transition-leaves-scope"
	ruleTarget             = "transition-target-not-found"
	ruleUnknownField       = "unknown-field"
	ruleUnreachable        = "unreachable-state"
	ruleRange              = "value-out-of-range"
	ruleType               = "wrong-type"
)

// builder makes the model from a tree of nodes and notes every problem on the way. It does not know what
// kind of text the tree was read from.
type builder struct {
	machine     *StateMachine
	diagnostics []Diagnostic
	transitions []transition
	scopes      []*Scope
	assignments []assignment
	pointers    map[*Node]string // nil until there is something to report
}

// build makes the machine from the tree of a definition.
func build(src *Source, root *Node) (*StateMachine, []Diagnostic) {
	b := &builder{machine: &StateMachine{Source: src, Root: root, byName: make(map[string]*State)}}
	if len(src.Data) > MaxServiceBytes {
		d := b.report(root, root.Span, source.RuleTooLarge, "the definition has %d bytes; the service takes at most %d", len(src.Data), MaxServiceBytes)
		d.Severity = Warning
	}
	b.duplicateKeys(root)
	b.top(root)
	b.resolve()
	b.shadowed()
	slices.SortStableFunc(b.diagnostics, func(x, y Diagnostic) int {
		return x.Span.Start.Offset - y.Span.Start.Offset
	})
	for _, d := range b.diagnostics {
		if d.Severity == Error {
			return nil, b.diagnostics
		}
	}
	return b.machine, b.diagnostics
}

// report notes an error. subject is the value that is wrong or lacks something, span the place to show.
// The result is valid until the next report.
func (b *builder) report(subject *Node, span Span, rule, format string, args ...any) *Diagnostic {
	if b.pointers == nil {
		b.pointers = b.machine.Root.Pointers()
	}
	b.diagnostics = append(b.diagnostics, Diagnostic{
		Rule: rule, Message: fmt.Sprintf(format, args...), Pointer: b.pointers[subject], Span: span,
	})
	return &b.diagnostics[len(b.diagnostics)-1]
}

// wrong notes an error of the value of m.
func (b *builder) wrong(m *NodeMember, rule, format string, args ...any) *Diagnostic {
	return b.report(m.Node, m.Node.Span, rule, format, args...)
}

// wrongKey notes that a member should not be where it is.
func (b *builder) wrongKey(m *NodeMember, rule, format string, args ...any) *Diagnostic {
	return b.report(m.Node, m.KeySpan, rule, format, args...)
}

// unknown notes a field that owner ("a retrier") does not have. known are the fields that it has.
func (b *builder) unknown(m *NodeMember, owner string, known []string) {
	d := b.wrongKey(m, ruleUnknownField, "%s has no field %s", owner, quote(m.Key))
	suggest(d, spelling.Nearest(m.Key, slices.Values(known)))
}

// missing notes that the object n lacks a field.
func (b *builder) missing(n *Node, owner, field string) *Diagnostic {
	return b.report(n, n.Span, ruleMissingField, "%s must have the field %s", owner, quote(field))
}

// exclusive notes which of the fields, of which an object may have one only, are there in addition to another.
func (b *builder) exclusive(n *Node, fields ...string) {
	var first string
	for i := range n.Members {
		m := &n.Members[i]
		if !slices.Contains(fields, m.Key) || m.Key == first {
			continue
		}
		if first == "" {
			first = m.Key
			continue
		}
		b.report(n, m.KeySpan, ruleExclusive, "%s and %s exclude each other", quote(first), quote(m.Key))
	}
}

// kind notes when m's value is of another kind than wanted, and reports whether it is as wanted.
func (b *builder) kind(m *NodeMember, kind value.Kind) bool {
	if m.Node.Kind == kind {
		return true
	}
	b.wrong(m, ruleType, "%s must be %s, but is %s", quote(m.Key), source.Article(kind), describe(m.Node))
	return false
}

// text returns the string that m holds.
func (b *builder) text(m *NodeMember) (string, bool) {
	if !b.kind(m, value.KindString) {
		return "", false
	}
	return string(m.Node.Value.(value.String)), true
}

// enum returns the string that m holds when it is one of the words.
func (b *builder) enum(m *NodeMember, words ...string) (string, bool) {
	text, ok := b.text(m)
	if !ok {
		return "", false
	}
	if !slices.Contains(words, text) {
		d := b.wrong(m, ruleEnum, "%s must be %s, but is %s", quote(m.Key), oneOf(words), quote(text))
		suggest(d, spelling.Nearest(text, slices.Values(words)))
		return "", false
	}
	return text, true
}

// whole returns the whole number between low and high that m holds.
func (b *builder) whole(m *NodeMember, low, high int64) (int64, bool) {
	if m.Node.Kind != value.KindNumber {
		b.wrong(m, ruleType, "%s must be a whole number, but is %s", quote(m.Key), describe(m.Node))
		return 0, false
	}
	number := m.Node.Value.(value.Number)
	n, ok := number.Int64()
	if !ok && !isHuge(number) {
		b.wrong(m, ruleType, "%s must be a whole number, but is %s", quote(m.Key), number.Text())
		return 0, false
	}
	if !ok || n < low || n > high {
		b.wrong(m, ruleRange, "%s must be between %d and %d, but is %s", quote(m.Key), low, high, number.Text())
		return 0, false
	}
	return n, true
}

// isHuge tells a whole number that fits no int64 from one with a fraction.
func isHuge(n value.Number) bool {
	f := n.Float64()
	return f >= 1<<53 || f <= -(1<<53)
}

// object reports whether m holds an object.
func (b *builder) object(m *NodeMember) bool { return b.kind(m, value.KindObject) }

// comment checks a Comment and returns it.
func (b *builder) comment(m *NodeMember) string {
	text, _ := b.text(m)
	return text
}

// duplicateKeys notes every key that repeats one of the same object, anywhere in the tree.
func (b *builder) duplicateKeys(n *Node) {
	if !n.Repeats {
		return
	}
	seen := make(map[string]bool, len(n.Members))
	for i := range n.Members {
		m := &n.Members[i]
		if seen[m.Key] {
			b.duplicateKey(m)
		}
		seen[m.Key] = true
		b.duplicateKeys(m.Node)
	}
	for _, item := range n.Items {
		b.duplicateKeys(item)
	}
}

func (b *builder) duplicateKey(m *NodeMember) {
	b.wrongKey(m, ruleDuplicateKey, "the key %s is already in this object", quote(m.Key))
}

// quote returns s in double quotes for a message: control characters escaped, a long text cut.
func quote(s string) string {
	const most = 100
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return `"` + s + `"`
}

// describe says what a node is: "the string \"x\"", "null", "an array".
func describe(n *Node) string {
	switch n.Kind {
	case value.KindNull:
		return "null"
	case value.KindArray, value.KindObject:
		return source.Article(n.Kind)
	case value.KindString:
		return "the string " + quote(string(n.Value.(value.String)))
	}
	return "the " + n.Kind.String() + " " + value.Preview(n.Value, 40)
}

// oneOf lists words: "A, B or C".
func oneOf(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(word)
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1]
}
