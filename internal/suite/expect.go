package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/wording"
)

// expect reads the expectations of a case.
func (r *reader) expect(node *source.Node) *Expect {
	e := &Expect{At: node.Span.Start, Status: Succeeded}
	readObject(r, e, node, "expect", expectTable)
	for _, v := range []*Value{e.Error, e.Cause} {
		if v != nil && (e.Status == Succeeded || slices.Contains(e.Others, Succeeded)) {
			r.wrong(v.At, "an execution that has an error has not SUCCEEDED: add status: FAILED")
		}
	}
	return e
}

func (r *reader) output(e *Expect, node *source.Node, exact bool) *Value {
	if e.Output != nil {
		r.wrong(node.Span.Start, "output and output! exclude each other")
	}
	v := r.value(node)
	if v != nil {
		v.Exact = exact
	}
	return v
}

// way reads path, or order: states that are entered in this order, with any others between.
func (r *reader) way(e *Expect, node *source.Node, order bool) {
	if e.Path != nil {
		r.wrong(node.Span.Start, "path and order exclude each other")
	}
	p := r.path(node)
	if p != nil && order {
		for i := range p.Steps {
			p.Steps[i].Gap = true
		}
		p.Open = true
	}
	e.Path = p
}

func (r *reader) unused(e *Expect, node *source.Node) {
	if text, _ := node.Value.(value.String); text != "none" {
		r.wrong(node.Span.Start, "unused is none (every result of the case is used), not %s",
			value.Preview(node.Value, preview))
		return
	}
	at := node.Span.Start
	e.Unused = &at
}

func (r *reader) states(e *Expect, node *source.Node) {
	for _, member := range r.members(node, "states") {
		s := StateExpect{Pattern: Pattern{At: member.KeySpan.Start, Text: member.Key}}
		readObject(r, &s, member.Node, "an expectation on a state", stateTable)
		e.States = append(e.States, s)
	}
}

// rule reads the number of a Choice rule, or default.
func (r *reader) rule(node *source.Node) *Bound {
	if text, _ := node.Value.(value.String); strings.EqualFold(string(text), "default") {
		return &Bound{At: node.Span.Start, Text: "default", Op: Equal, Number: -1}
	}
	return r.bound(node, "rule", ofNumber)
}

func (r *reader) stages(s *StateExpect, node *source.Node, after bool) {
	members := r.members(node, "the data at stages")
	for i := range members {
		r.stage(s, &members[i], after)
	}
}

// stageNames are the names of the stages in both languages; input and output are the state's own.
func stageNames() []string {
	names := []string{"input", "output", "Arguments", "Items", "ItemSelector", "Output"}
	for _, t := range []asl.StateType{asl.Pass, asl.Task, asl.Choice, asl.Wait, asl.Succeed, asl.Fail, asl.Parallel, asl.Map} {
		for _, stage := range asl.StagesOf(t, asl.JSONPath) {
			if name := stage.String(); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func (r *reader) stage(s *StateExpect, member *source.NodeMember, after bool) {
	if names := stageNames(); !slices.Contains(names, member.Key) {
		r.unknown("the data at stages", member, names)
		return
	}
	if v := r.value(member.Node); v != nil {
		s.Stages = append(s.Stages, StageExpect{At: member.KeySpan.Start, Stage: member.Key, After: after, Want: v})
	}
}

func (r *reader) tasks(e *Expect, node *source.Node) {
	for _, member := range r.members(node, "tasks") {
		t := TaskExpect{Pattern: Pattern{At: member.KeySpan.Start, Text: member.Key}}
		switch n := member.Node; n.Kind {
		case value.KindArray:
			r.invocations(&t, n)
		case value.KindObject:
			readObject(r, &t, n, "an expectation on a task", taskTable)
		default:
			r.wrong(n.Span.Start,
				"an expectation on a task is a list of invocations, or an object with count and each, not %s",
				source.Article(n.Kind))
		}
		e.Tasks = append(e.Tasks, t)
	}
}

func (r *reader) invocations(t *TaskExpect, node *source.Node) {
	if node.Kind != value.KindArray {
		r.wrong(node.Span.Start, "invocations is a list, not %s", source.Article(node.Kind))
		return
	}
	for _, item := range node.Items {
		t.Invocations = append(t.Invocations, r.invocation(item))
	}
}

func (r *reader) invocation(node *source.Node) Invocation {
	call := Invocation{At: node.Span.Start}
	readObject(r, &call, node, "an invocation", callTable)
	return call
}

func (r *reader) payload(call *Invocation, node *source.Node, exact bool) {
	if call.Payload != nil {
		r.wrong(node.Span.Start, "payload and payload! exclude each other")
	}
	if call.Payload = r.value(node); call.Payload != nil {
		call.Payload.Exact = exact
	}
}

// invariantForms are the keys of the forms of an invariant: the first key of each is the one that it needs.
var invariantForms = [][]string{{"never", "without"}, {"assert", "when"}, {"after", "not", "unless"}}

const invariantForm = "an invariant is {never, without}, {when, assert} or {after, not, unless}"

// invariants reads the rules about every run.
func (r *reader) invariants(s *Suite, node *source.Node) {
	if node.Kind != value.KindArray {
		r.wrong(node.Span.Start, "invariants is a list, not %s", source.Article(node.Kind))
		return
	}
	for _, item := range node.Items {
		if i := r.invariant(item); i != nil {
			s.Invariants = append(s.Invariants, *i)
		}
	}
}

// invariant reads a rule. It returns nil where the rule is none.
func (r *reader) invariant(item *source.Node) *Invariant {
	before := len(r.found)
	i := &Invariant{At: item.Span.Start}
	readObject(r, i, item, "an invariant", invariantTable)
	if len(r.found) > before {
		return nil
	}
	r.oneForm(item)
	return i
}

// oneForm checks that a rule has the keys of one form.
func (r *reader) oneForm(item *source.Node) {
	has := func(key string) bool { return item.Get(key) != nil }
	var forms [][]string
	for _, form := range invariantForms {
		if slices.ContainsFunc(form, has) {
			forms = append(forms, form)
		}
	}
	text := value.Preview(item.Value, preview)
	switch {
	case len(forms) == 0:
		r.wrong(item.Span.Start, "%s, not %s", invariantForm, text)
	case len(forms) > 1:
		r.wrong(item.Span.Start, "%s, and this has keys of two forms: write two invariants", invariantForm)
	case !has(forms[0][0]):
		r.wrong(item.Span.Start, "%s, and this has no %s", invariantForm, forms[0][0])
	case has("after") && !has("not"):
		r.wrong(item.Span.Start, "%s, and this has no not: the status that the run must not have", invariantForm)
	}
}

// statuses reads a status, or a list of them.
func (r *reader) statuses(node *source.Node) (all []Status) {
	for _, item := range one(node) {
		all = append(all, r.status(item))
	}
	if len(all) == 0 {
		r.wrong(node.Span.Start, "this is a status or a list of them, and the list is empty")
	}
	return all
}

// Error is everything that is wrong in a suite, in the order of the places.
type Error struct {
	Name     string // of the file
	Problems []fixtures.Problem
}

// Error implements error: a line "file:line:col: message" for each problem.
func (e *Error) Error() string { return (&fixtures.Error{Name: e.Name, Problems: e.Problems}).Error() }

// reader collects the problems of one suite.
type reader struct {
	name  string
	found []fixtures.Problem
}

func (r *reader) wrong(at source.Position, format string, args ...any) {
	r.found = append(r.found, fixtures.Problem{Line: at.Line, Col: at.Col, Message: wording.Line(fmt.Sprintf(format, args...))})
}

// unknown reports a key that an object of a kind does not have.
func (r *reader) unknown(kind string, key *source.NodeMember, keys []string) {
	r.wrong(key.KeySpan.Start, "%s has no key %q; its keys are %s", kind, key.Key, strings.Join(keys, ", "))
	r.found[len(r.found)-1].Suggestion = wording.Nearest(key.Key, slices.Values(keys))
}

// err returns the problems as an *Error, or nil.
func (r *reader) err() error {
	if len(r.found) == 0 {
		return nil
	}
	slices.SortStableFunc(r.found, func(a, b fixtures.Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col)
	})
	return &Error{Name: r.name, Problems: slices.Compact(r.found)}
}

// NewError returns an *[Error] with problems of a suite, in the order of their places; nil where there are none.
func NewError(name string, problems []fixtures.Problem) error {
	r := &reader{name: name, found: problems}
	return r.err()
}
