package suite

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"asldb/engine/console"
	"asldb/engine/expr"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/wording"
)

// preview is the greatest length of a value in a message.
const preview = 40

func (r *reader) text(node *source.Node, what string) (text string, ok bool) {
	s, ok := node.Value.(value.String)
	if !ok || s == "" {
		r.wrong(node.Span.Start, "%s is a text, not %s", what, value.Preview(node.Value, preview))
		return "", false
	}
	return string(s), true
}

// one returns the items of a list, or the node alone.
func one(node *source.Node) []*source.Node {
	if node.Kind == value.KindArray {
		return node.Items
	}
	return []*source.Node{node}
}

func (r *reader) whole(node *source.Node, what string) (n int64, ok bool) {
	number, ok := node.Value.(value.Number)
	if ok {
		n, ok = number.Int64()
	}
	if !ok || n < 0 {
		r.wrong(node.Span.Start, "%s is a whole number from 0, not %s", what, value.Preview(node.Value, preview))
	}
	return n, ok && n >= 0
}

func (r *reader) duration(node *source.Node, what string) time.Duration {
	text := scalarText(node)
	d, err := fixtures.ParseDuration(text)
	if err != nil || d < 0 {
		r.wrong(node.Span.Start, "%s is a duration such as 90s, 2h or 1d12h, not %s", what,
			value.Preview(node.Value, preview))
	}
	return d
}

// scalarText returns a text, or a number as it is written.
func scalarText(node *source.Node) string {
	switch v := node.Value.(type) {
	case value.String:
		return string(v)
	case value.Number:
		return v.Text()
	}
	return ""
}

// unit is the measure of a Bound.
type unit uint8

const (
	ofNumber unit = iota
	ofTime
	ofBytes
)

var comparisons = []struct {
	sign string
	op   Op
}{{"<=", AtMost}, {">=", AtLeast}, {"<", Less}, {">", Greater}, {"==", Equal}, {"=", Equal}}

// bound reads a number, or a text with a comparison before a number: 3, "< 2h", ">= 200 KB", "1 + 1". A comma is between two
// bounds: ">= 2, < 5".
func (r *reader) bound(node *source.Node, what string, u unit) *Bound {
	whole := strings.TrimSpace(scalarText(node))
	var first *Bound
	for at := &first; ; at = &(*at).And {
		text, rest, more := strings.Cut(whole, ",")
		if *at = r.oneBound(node, what, strings.TrimSpace(text), u); *at == nil {
			return nil
		}
		if more && (*at).Op == Equal {
			r.wrong(node.Span.Start, "two bounds of %s have < <= > >= before each number, not %s", what,
				value.Preview(node.Value, preview))
			return nil
		}
		if !more {
			break
		}
		whole = strings.TrimSpace(rest)
	}
	if first.And != nil {
		first.Text = strings.TrimSpace(scalarText(node))
	}
	return first
}

func (r *reader) oneBound(node *source.Node, what, text string, u unit) *Bound {
	b := &Bound{At: node.Span.Start, Text: text, Op: Equal}
	for _, c := range comparisons {
		if rest, ok := strings.CutPrefix(text, c.sign); ok {
			b.Op, text = c.op, strings.TrimSpace(rest)
			break
		}
	}
	n, err := u.parse(text)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		r.wrong(node.Span.Start, "%s is %s, with < <= > >= before it for a bound, not %s", what, u.example(),
			value.Preview(node.Value, preview))
		return nil
	}
	b.Number = n
	return b
}

func (u unit) example() string {
	switch u {
	case ofTime:
		return "a duration such as 90s or 1h30m"
	case ofBytes:
		return "a size such as 900 or 200 KB"
	case ofNumber:
	}
	return "a number"
}

func (u unit) parse(text string) (float64, error) {
	switch u {
	case ofTime:
		d, err := fixtures.ParseDuration(text)
		return float64(d), err
	case ofBytes:
		return bytesOf(text)
	case ofNumber:
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n, nil
	}
	x, err := expr.Compile(text) // arithmetic on the columns of a table
	if err != nil {
		return 0, err
	}
	v, err := x.Eval(&expr.Env{})
	if err != nil {
		return 0, err
	}
	number, ok := v.(value.Number)
	if !ok {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return strconv.ParseFloat(number.Text(), 64)
}

// bytesOf reads a number of bytes, perhaps with KB, MB, KiB or MiB.
func bytesOf(text string) (float64, error) {
	factor := 1.0
	for _, u := range []struct {
		name   string
		factor float64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"KB", 1e3}, {"MB", 1e6}, {"B", 1}} {
		if rest, ok := strings.CutSuffix(text, u.name); ok {
			text, factor = strings.TrimSpace(rest), u.factor
			break
		}
	}
	n, err := strconv.ParseFloat(text, 64)
	return n * factor, err
}

func (r *reader) status(node *source.Node) Status {
	text, _ := node.Value.(value.String)
	for s, name := range statuses {
		if name != "" && name == string(text) {
			return Status(s)
		}
	}
	names := statuses[Succeeded:]
	r.wrong(node.Span.Start, "status is %s, not %s", strings.Join(names, ", "), value.Preview(node.Value, preview))
	r.found[len(r.found)-1].Suggestion = wording.Nearest(strings.ToUpper(string(text)), slices.Values(names))
	return Succeeded
}

func (r *reader) pattern(node *source.Node, what string) Pattern {
	text, _ := r.text(node, what)
	return Pattern{At: node.Span.Start, Text: text}
}

// path reads a list of states with "..." for any others.
func (r *reader) path(node *source.Node) *Path {
	if node.Kind != value.KindArray {
		r.wrong(node.Span.Start, "path is a list of states, with ... for any others, not %s", source.Article(node.Kind))
		return nil
	}
	p := &Path{At: node.Span.Start}
	gap := false
	for _, item := range node.Items {
		step := r.pattern(item, "a state of a path")
		if step.Text == "..." || step.Text == "…" {
			gap = true
			continue
		}
		p.Steps = append(p.Steps, Step{Pattern: step, Gap: gap})
		gap = false
	}
	p.Open = gap
	return p
}

// whole value: a text that begins with $. or {% is a condition on it.
func (r *reader) value(node *source.Node) *Value {
	if text, ok := node.Value.(value.String); ok && isCondition(string(text)) {
		return r.conditionOf(node, string(text), partStates)
	}
	return r.part(node)
}

func isCondition(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{%") || strings.HasPrefix(text, "$.") || strings.HasPrefix(text, "$[") ||
		text == "$"
}

// condition reads a condition, whatever it begins with.
func (r *reader) condition(node *source.Node, what string) *Value {
	text, ok := r.text(node, what)
	if !ok {
		return nil
	}
	return r.conditionOf(node, text, outputStates)
}

// The members of $states in conditions on the output of an execution, and on data of a state: "output" is the value itself.
var (
	outputStates = []string{"output", "input", "context"}
	partStates   = []string{"output", "input", "context", "result", "errorOutput"}
)

func (r *reader) conditionOf(node *source.Node, text string, states []string) *Value {
	x, err := console.Compile(text)
	var nameless *console.ContextError
	if errors.As(err, &nameless) {
		r.wrong(node.Span.Start, "the condition %q: %s; the value is $states.output", text, nameless.Mistake.Message)
		return nil
	}
	if err != nil {
		r.wrong(node.Span.Start, "the condition %q: %v", text, err)
		return nil
	}
	for _, name := range x.StatesMembers() {
		if !slices.Contains(states, name) {
			r.wrong(node.Span.Start, "the condition %q: $states has no %s here; it has %s", text, name,
				strings.Join(states, ", "))
			return nil
		}
	}
	return &Value{At: node.Span.Start, Match: Condition{Text: text, Expression: x}}
}

// part reads a wanted value, or a part of one.
func (r *reader) part(node *source.Node) *Value {
	v := &Value{At: node.Span.Start}
	switch node.Kind {
	case value.KindObject:
		var object Object
		for _, member := range node.Members {
			object.Members = append(object.Members, Member{Key: member.Key, Want: r.part(member.Node)})
		}
		v.Match = object
	case value.KindArray:
		var array Array
		for _, item := range node.Items {
			array.Items = append(array.Items, r.part(item))
		}
		v.Match = array
	default:
		v.Match = r.scalar(node)
	}
	return v
}

var matcher = wording.Pattern(`^\$(any|regex|absent)(?:\((.*)\))?$`)

// scalar reads a scalar, or a matcher.
func (r *reader) scalar(node *source.Node) Match {
	text, ok := node.Value.(value.String)
	if !ok || !strings.HasPrefix(string(text), "$") {
		return Literal{node.Value}
	}
	if rest, ok := strings.CutPrefix(string(text), "$$"); ok {
		return Literal{value.String("$" + rest)}
	}
	m := matcher().FindStringSubmatch(string(text))
	switch {
	case m == nil:
	case m[1] == "absent" && m[2] == "":
		return Absent{}
	case m[1] == "any":
		if i := slices.Index(anyTypes[:], m[2]); i >= 0 {
			return Any{AnyType(i)}
		}
		r.wrong(node.Span.Start, "$any has one of %s in brackets, not %q", strings.Join(anyTypes[1:], ", "), text)
		r.found[len(r.found)-1].Suggestion = wording.Nearest(m[2], slices.Values(anyTypes[1:]))
		return Literal{node.Value}
	case m[1] == "regex":
		x, err := regexp.Compile(m[2])
		if err != nil {
			r.wrong(node.Span.Start, "the regular expression %q: %v", m[2], err)
			return Literal{node.Value}
		}
		return Regex{x}
	}
	r.wrong(
		node.Span.Start,
		"%q begins with $ and is not a matcher: $any, $any(TYPE), $regex(EXPRESSION), $absent; for the text itself write %q",
		text,
		"$"+text,
	)
	return Literal{node.Value}
}
