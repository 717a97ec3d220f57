package asl

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// reporter collects the problems of a definition, and reads the plain values that messages describe.
type reporter struct {
	machine     *StateMachine
	diagnostics []Diagnostic
	pointers    map[*Node]string // nil until there is something to report
	misspelt    []misspelling
	matters     map[int]rules.Matter // of the diagnostics in which the dialects differ
}

// misspelling is a field that an object does not have and that was probably meant to be another one.
type misspelling struct {
	object     *Node
	meant      string
	diagnostic int // its place among the diagnostics
}

// report notes an error. subject is the value that is wrong or lacks something, span the place to show.
// The result is valid until the next report.
func (r *reporter) report(subject *Node, span Span, rule, format string, args ...any) *Diagnostic {
	if subject.Unknown { // any value may come in its place
		return &Diagnostic{}
	}
	if r.pointers == nil {
		r.pointers = r.machine.Root.Pointers()
	}
	r.diagnostics = append(r.diagnostics, Diagnostic{
		Rule: rule, Message: fmt.Sprintf(format, args...), Pointer: r.pointers[subject], Span: span,
	})
	return &r.diagnostics[len(r.diagnostics)-1]
}

// differs notes that the problem that was reported last is one in some dialects only. One that follows from another
// problem stays with that.
func (r *reporter) differs(d *Diagnostic, matter rules.Matter) {
	if last := len(r.diagnostics) - 1; last >= 0 && d == &r.diagnostics[last] {
		if r.matters == nil {
			r.matters = make(map[int]rules.Matter)
		}
		r.matters[last] = matter
	}
}

// wrong notes an error of the value of m.
func (r *reporter) wrong(m *NodeMember, rule, format string, args ...any) *Diagnostic {
	return r.report(m.Node, m.Node.Span, rule, format, args...)
}

// wrongKey notes that a member should not be where it is.
func (r *reporter) wrongKey(m *NodeMember, rule, format string, args ...any) *Diagnostic {
	return r.report(m.Node, m.KeySpan, rule, format, args...)
}

// unknown notes a field that owner ("a retrier") does not have. known are the fields that it has.
func (r *reporter) unknown(m *NodeMember, owner string, known []string) {
	d := r.wrongKey(m, rules.UnknownField, "%s has no field %s", owner, quote(m.Key))
	d.Expected, d.Found = "one of "+oneOf(known), quote(m.Key)
	_, object := r.machine.Root.Find(strings.TrimSuffix(r.ownerOf(m), "/"))
	r.suggestField(d, object, m.Key, known)
	r.notSupported(d, m)
}

// notSupported gives the service's words about a field where it does not belong, which it says of the field's owner.
func (r *reporter) notSupported(d *Diagnostic, m *NodeMember) {
	d.Service = source.Reply{Message: "Field '" + m.Key + "' is not supported", Location: r.ownerOf(m)}
}

// ownerOf returns the JSON Pointer of the object that has the member m; "/" is the definition.
func (r *reporter) ownerOf(m *NodeMember) string {
	pointer := r.pointers[m.Node]
	if at := strings.LastIndexByte(pointer, '/'); at > 0 {
		return pointer[:at]
	}
	return "/"
}

// missing notes that the object n lacks a field.
func (r *reporter) missing(n *Node, owner, field string) *Diagnostic {
	d := r.lacks(n, []string{field}, n.Span, rules.MissingField, "%s must have the field %s", owner, quote(field))
	d.Expected, d.Found = "the field "+quote(field), fieldsOf(n)
	d.Service.Message = requiredFieldsMessage + "[" + field + "]"
	return d
}

// lacks is report for the object n that has none of the fields. Where n has a misspelt one of them, that is the problem,
// and this one follows from it; so it must come after the check of the object's fields.
func (r *reporter) lacks(n *Node, fields []string, span Span, rule, format string, args ...any) *Diagnostic {
	before := len(r.diagnostics)
	d := r.report(n, span, rule, format, args...)
	if len(r.diagnostics) == before {
		return d
	}
	for _, m := range r.misspelt {
		if m.object == n && slices.Contains(fields, m.meant) {
			return r.implied(m.diagnostic)
		}
	}
	return d
}

// implied makes the problem that was reported last one that follows from the problem at a place among the diagnostics.
func (r *reporter) implied(at int) *Diagnostic {
	last := len(r.diagnostics) - 1
	cause := &r.diagnostics[at]
	cause.Implied = append(cause.Implied, r.diagnostics[last])
	r.diagnostics = r.diagnostics[:last]
	return &cause.Implied[len(cause.Implied)-1]
}

// requiredFieldsMessage begins the message of Step Functions about an object that lacks fields.
const requiredFieldsMessage = "These fields are required: "

// oneOfMessage is the message of Step Functions about an object that must have one of some fields and has none.
func oneOfMessage(fields []string) string {
	return "This object should have only one of the following fields: [" + strings.Join(fields, ", ") + "]"
}

// manyOfMessage is that about an object that has several of them.
func manyOfMessage(fields []string) string {
	return "There should only be one of the following fields: [" + strings.Join(fields, ", ") + "]"
}

// emptyMessage is the message about an array or object without the items that it must have.
const emptyMessage = "Value cannot be empty"

// fieldsOf lists the fields that an object has.
func fieldsOf(n *Node) string {
	if len(n.Members) == 0 {
		return "no field"
	}
	names := value.Each(n.Members, func(each source.NodeMember) string { return quote(each.Key) })
	return strings.Join(names, ", ")
}

// exclusive notes which fields are there in addition to another that excludes them.
func (r *reporter) exclusive(n *Node, fields ...string) {
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
		d := r.report(n, m.KeySpan, rules.Exclusive, "%s and %s exclude each other", quote(first), quote(m.Key))
		d.Expected, d.Found = "one of "+oneOf(fields), quote(first)+" and "+quote(m.Key)
		d.Suggestion = "remove one of them"
		d.Service.Message = manyOfMessage(fields)
	}
}

// kind notes when m's value is of another kind than wanted, and reports whether it is as wanted.
func (r *reporter) kind(m *NodeMember, kind value.Kind) bool {
	if m.Node.Kind == kind {
		return true
	}
	d := r.mustBe(m, rules.Type, source.Article(kind), describe(m.Node))
	d.Service.Message = "Expected value of type [" + serviceKinds[kind] + "]"
	d.Suggestion = rewriting(m, kind)
	return false
}

// serviceKinds are the kinds of values in the service's messages; only the one of strings was seen.
var serviceKinds = [...]string{
	value.KindNull: "NULL", value.KindBool: "BOOLEAN", value.KindNumber: "NUMBER", value.KindString: "STRING", value.KindArray: "ARRAY",
	value.KindObject: "OBJECT",
}

// mustBe notes that m's value is not the expected one.
func (r *reporter) mustBe(m *NodeMember, rule, expected, found string) *Diagnostic {
	d := r.wrong(m, rule, "%s must be %s, but is %s", quote(m.Key), expected, found)
	d.Expected, d.Found = expected, found
	return d
}

// text returns the string that m holds.
func (r *reporter) text(m *NodeMember) (string, bool) {
	if !r.kind(m, value.KindString) {
		return "", false
	}
	return string(m.Node.Value.(value.String)), true
}

// enum returns the string that m holds when it is one of the words.
func (r *reporter) enum(m *NodeMember, words ...string) (string, bool) {
	text, ok := r.text(m)
	if !ok {
		return "", false
	}
	if !slices.Contains(words, text) {
		d := r.mustBe(m, rules.Enum, oneOf(words), quote(text))
		d.Service.Message = "Value should be one of the following: [" + strings.Join(words, ", ") + "]"
		suggest(d, text, slices.Values(words))
		return "", false
	}
	return text, true
}

// whole returns the whole number between low and high that m holds.
func (r *reporter) whole(m *NodeMember, low, high int64) (int64, bool) {
	if m.Node.Kind != value.KindNumber {
		d := r.mustBe(m, rules.Type, "a whole number", describe(m.Node))
		d.Service.Message, d.Suggestion = "Expected value of type Integer", rewriting(m, value.KindNumber)
		return 0, false
	}
	number := m.Node.Value.(value.Number)
	n, ok := number.Int64()
	if !ok && !isHuge(number) {
		r.mustBe(m, rules.Type, "a whole number", number.Text()).Service.Message = "Expected value of type Integer"
		return 0, false
	}
	if !ok || n < low || n > high {
		wanted := fmt.Sprintf("between %d and %d", low, high)
		if high == math.MaxInt64 {
			wanted = fmt.Sprintf("at least %d", low)
		}
		d := r.mustBe(m, rules.Range, wanted, number.Text())
		d.Service.Message = fmt.Sprintf("Maximum value is %d", high)
		if number.Float64() < float64(low) {
			d.Service.Message = fmt.Sprintf("Minimum value is %d", low)
		}
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
func (r *reporter) object(m *NodeMember) bool { return r.kind(m, value.KindObject) }

// comment checks a Comment and returns it.
func (r *reporter) comment(m *NodeMember) string {
	text, _ := r.text(m)
	return text
}

// duplicateKeys notes every key that repeats one of the same object, anywhere in the tree.
func (r *reporter) duplicateKeys(n *Node) {
	if !n.Repeats {
		return
	}
	seen := make(map[string]bool, len(n.Members))
	for i := range n.Members {
		m := &n.Members[i]
		if seen[m.Key] {
			r.duplicateKey(m)
		}
		seen[m.Key] = true
		r.duplicateKeys(m.Node)
	}
	for _, item := range n.Items {
		r.duplicateKeys(item)
	}
}

func (r *reporter) duplicateKey(m *NodeMember) {
	r.wrongKey(m, rules.DuplicateKey, "the key %s is already in this object", quote(m.Key))
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

// describe describes a node: "the string \"x\"", "null", "an array".
func describe(n *Node) string {
	switch n.Kind {
	case value.KindNull:
		return "null"
	case value.KindArray, value.KindObject:
		return source.Article(n.Kind)
	case value.KindString:
		return "the string " + quote(string(n.Value.(value.String)))
	case value.KindBool, value.KindNumber:
	}
	return "the " + n.Kind.String() + " " + value.Preview(n.Value, 40)
}

// oneOf lists words: "A, B or C".
func oneOf(words []string) string {
	quoted := value.Each(words, quote)
	if len(quoted) == 1 {
		return quoted[0]
	}
	return strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1]
}
