package suite

import (
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

var (
	expectKeys = []string{"status", "error", "cause", "output", "output!", "path", "never", "order", "duration", "events", "size", "unused", "states", "tasks", "assert"}
	stateKeys  = []string{"visits", "attempts", "retries", "retryDelay", "retryDelays", "caught", "by", "next", "failed", "rule", "duration", "path", "before", "after", "input", "output"}
	taskKeys   = []string{"count", "each", "invocations"}
	callKeys   = []string{"payload", "payload!", "resource"}
)

// expect reads the expectations of a case.
func (r *reader) expect(node *source.Node) *Expect {
	e := &Expect{At: node.Span.Start, Status: Succeeded}
	members := r.members(node, "expect")
	for i := range members {
		member := &members[i]
		n := member.Node
		switch member.Key {
		case "status":
			e.Status, e.StatusAt = r.status(n), n.Span.Start
		case "error":
			e.Error = r.part(n)
		case "cause":
			e.Cause = r.part(n)
		case "output":
			e.Output = r.output(e, n, false)
		case "output!":
			e.Output = r.output(e, n, true)
		case "path":
			e.Path = r.path(n)
		case "order":
			e.Path = r.order(e, n)
		case "never":
			for _, item := range one(n) {
				e.Never = append(e.Never, r.pattern(item, "a state under never"))
			}
		case "duration":
			e.Duration = r.bound(n, "duration", ofTime)
		case "events":
			e.Events = r.bound(n, "events", ofNumber)
		case "size":
			e.Size = r.bound(n, "size", ofBytes)
		case "unused":
			r.unused(e, n)
		case "states":
			r.states(e, n)
		case "tasks":
			r.tasks(e, n)
		case "assert":
			for _, item := range one(n) {
				if v := r.condition(item, "an assertion"); v != nil {
					e.Assert = append(e.Assert, v)
				}
			}
		default:
			r.unknown("expect", member, expectKeys)
		}
	}
	if e.Error != nil && e.Status == Succeeded {
		r.wrong(e.Error.At, "an execution that has an error has not SUCCEEDED: add status: FAILED")
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

// order reads states that are entered in this order, with any others between.
func (r *reader) order(e *Expect, node *source.Node) *Path {
	if e.Path != nil {
		r.wrong(node.Span.Start, "path and order exclude each other")
	}
	p := r.path(node)
	if p == nil {
		return nil
	}
	for i := range p.Steps {
		p.Steps[i].Gap = true
	}
	p.Open = true
	return p
}

func (r *reader) unused(e *Expect, node *source.Node) {
	if text, _ := node.Value.(value.String); text != "none" {
		r.wrong(node.Span.Start, "unused is none: every result of the case is used; and this is %s", value.Preview(node.Value, preview))
		return
	}
	at := node.Span.Start
	e.Unused = &at
}

func (r *reader) states(e *Expect, node *source.Node) {
	for _, member := range r.members(node, "states") {
		s := StateExpect{Pattern: Pattern{At: member.KeySpan.Start, Text: member.Key}}
		members := r.members(member.Node, "an expectation on a state")
		for i := range members {
			r.stateKey(&s, &members[i])
		}
		e.States = append(e.States, s)
	}
}

func (r *reader) stateKey(s *StateExpect, member *source.NodeMember) {
	n := member.Node
	switch member.Key {
	case "visits":
		s.Visits = r.bound(n, "visits", ofNumber)
	case "attempts":
		s.Attempts = r.bound(n, "attempts", ofNumber)
	case "retries":
		s.Retries = r.bound(n, "retries", ofNumber)
	case "retryDelay":
		s.Delay = r.bound(n, "retryDelay", ofTime)
	case "retryDelays":
		s.Delays, s.DelaysAt = []*Bound{}, n.Span.Start
		for _, item := range one(n) {
			if b := r.bound(item, "retryDelays", ofTime); b != nil {
				s.Delays = append(s.Delays, b)
			}
		}
	case "caught":
		s.Caught = r.part(n)
	case "by":
		s.By = r.bound(n, "by", ofNumber)
	case "next":
		s.Next = r.part(n)
	case "failed":
		s.Failed = r.part(n)
	case "rule":
		s.Rule = r.rule(n)
	case "duration":
		s.Duration = r.bound(n, "duration", ofTime)
	case "path":
		s.Path = r.path(n)
	case "before", "after":
		r.stages(s, n, member.Key == "after")
	case "input", "output":
		r.stage(s, member, member.Key == "output")
	default:
		r.unknown("an expectation on a state", member, stateKeys)
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
			for i := range n.Members {
				m := &n.Members[i]
				switch m.Key {
				case "count":
					t.Count = r.bound(m.Node, "count", ofNumber)
				case "each":
					each := r.invocation(m.Node)
					t.Each = &each
				case "invocations":
					r.invocations(&t, m.Node)
				default:
					r.unknown("an expectation on a task", m, taskKeys)
				}
			}
		default:
			r.wrong(n.Span.Start, "an expectation on a task is a list of invocations, or an object with count and each, and this is %s", source.Article(n.Kind))
		}
		e.Tasks = append(e.Tasks, t)
	}
}

func (r *reader) invocations(t *TaskExpect, node *source.Node) {
	if node.Kind != value.KindArray {
		r.wrong(node.Span.Start, "invocations is a list, and this is %s", source.Article(node.Kind))
		return
	}
	for _, item := range node.Items {
		t.Invocations = append(t.Invocations, r.invocation(item))
	}
}

func (r *reader) invocation(node *source.Node) Invocation {
	call := Invocation{At: node.Span.Start}
	members := r.members(node, "an invocation")
	for i := range members {
		switch m := &members[i]; m.Key {
		case "payload", "payload!":
			if call.Payload = r.value(m.Node); call.Payload != nil {
				call.Payload.Exact = m.Key == "payload!"
			}
		case "resource":
			call.Resource = r.part(m.Node)
		default:
			r.unknown("an invocation", m, callKeys)
		}
	}
	return call
}

// invariantForms are the keys of the forms of an invariant: the first key of each is the one that it needs.
var invariantForms = [][]string{{"never", "without"}, {"assert", "when"}, {"after", "not", "unless"}}

const invariantForm = "an invariant is {never, without}, {when, assert} or {after, not, unless}"

// invariants reads the rules about every run.
func (r *reader) invariants(s *Suite, node *source.Node) {
	if node.Kind != value.KindArray {
		r.wrong(node.Span.Start, "invariants is a list, and this is %s", source.Article(node.Kind))
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
	members := r.members(item, "an invariant")
	for k := range members {
		m := &members[k]
		switch m.Key {
		case "never":
			i.Never = r.pattern(m.Node, "never")
		case "without":
			i.Without = r.pattern(m.Node, "without")
		case "when":
			i.When = r.statuses(m.Node)
		case "assert":
			i.Assert = r.condition(m.Node, "assert")
		case "after":
			i.After = r.pattern(m.Node, "after")
		case "not":
			i.Not = r.statuses(m.Node)
		case "unless":
			i.Unless = r.pattern(m.Node, "unless")
		default:
			r.unknown("an invariant", m, slices.Concat(invariantForms...))
		}
	}
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
		r.wrong(item.Span.Start, "%s, and this is %s", invariantForm, text)
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
