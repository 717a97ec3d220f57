// Package lint finds parts of a definition that are legal but probably mistakes, and those that Step Functions refuses
// although the language allows it: integrations that do not exist, unreachable retriers, variables that no state
// assigns, data that an earlier state has dropped. It reads the definition only and never runs it.
package lint

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/internal/wording"
)

// Options choose the checks.
type Options struct {
	// Hints adds suggestions for valid parts that could be better.
	Hints bool
	// Dialect is the one that decides which problems are errors.
	Dialect rules.Dialect
	// Express: the machine is to be of the type EXPRESS.
	Express bool
	// Try makes the fixes of the data flow in a copy, and calls those certain that mend their problem and make none.
	Try bool
	// Flow has facts about the executions, which the data flow starts from.
	Flow flow.Options
	// Followed is what is known of the data without facts, in the dialect aws; nil: it is not followed yet.
	Followed *Followed
}

// All returns every problem of a definition that has been read as a tree: errors to the language and the service
// (see [asl.Examine]) and findings of this package, in the order of their places.
func All(src *source.File, root *source.Node, o Options) []source.Diagnostic {
	machine, problems := asl.Examine(src, root, o.Dialect)
	return Beside(machine, problems, o)
}

// Beside is All for a definition that has been examined in the dialect of the options: its machine, nil where it has
// none, and its problems.
func Beside(machine *asl.StateMachine, problems []source.Diagnostic, o Options) []source.Diagnostic {
	if machine == nil {
		return problems
	}
	var damage *flow.Damage
	if slices.ContainsFunc(problems, func(d source.Diagnostic) bool { return d.Severity == source.Error }) {
		found := damageOf(machine, problems)
		damage = &found
	}
	problems = append(problems, source.Own(machine.Source, check(machine, o, damage))...)
	source.Sort(problems)
	return problems
}

// Check returns the findings of this package in a machine, in the order of the places.
func Check(machine *asl.StateMachine, o Options) []source.Diagnostic {
	problems := source.Own(machine.Source, check(machine, o, nil))
	source.Sort(problems)
	return problems
}

// Merge returns problems of one definition from two sources in the order of their places.
func Merge(a, b []source.Diagnostic) []source.Diagnostic {
	merged := slices.Concat(a, b)
	source.Sort(merged)
	return merged
}

// expressChildren are the states of the executions of Map Runs that are Express.
func expressChildren(machine *asl.StateMachine) map[*asl.State]bool {
	children := make(map[*asl.State]bool)
	for s := range machine.All() {
		if s.Distributed() && s.ProcessorConfig.ExecutionType == asl.TypeExpress {
			mark(s.Processor, children)
		}
	}
	return children
}

// mark marks the states of a scope, and of those inside of them.
func mark(scope *asl.Scope, children map[*asl.State]bool) {
	if scope == nil {
		return
	}
	for _, s := range scope.States {
		children[s] = true
		mark(s.Processor, children)
		for _, branch := range s.Branches {
			mark(branch, children)
		}
	}
}

// check looks at every state, and then at how data and variables get from one to the other. damage is nil where the
// machine has no error; else nothing is reported that depends on a part with errors.
func check(machine *asl.StateMachine, o Options, damage *flow.Damage) []source.Diagnostic {
	c := &checker{machine: machine, options: o, damage: damage}
	c.options.Flow.LiteralFirst = o.Dialect.Does(rules.PassesResultOnly)
	if damage != nil {
		c.options.Flow.Damage = *damage
	}
	children := expressChildren(machine)
	for s := range machine.All() {
		if s.Node == nil || s.Type == 0 {
			continue
		}
		c.expressChild = children[s]
		c.task(s)
		c.parameters(s)
		c.handlers(s)
		c.reportedName(s)
		c.choice(s)
		c.mapState(s)
		c.literals(s)
	}
	c.ends(machine.Top)
	references := c.references()
	c.contexts(references)
	c.unused(references)
	c.data()
	return c.found
}

// checker collects problems.
type checker struct {
	machine  *asl.StateMachine
	options  Options
	damage   *flow.Damage // of the machine's errors; nil: it has none
	found    []source.Diagnostic
	pointers map[*source.Node]string // nil until there is something to report
	raised   map[string]bool         // by Fail states; nil until it is asked for
	trials   []trial
	// expressChild: the state looked at is one of an Express execution of a Map Run.
	expressChild bool
}

// report notes a problem of the usual severity of its rule. The result is valid until the next report.
func (c *checker) report(subject *source.Node, span source.Span, rule string, severity source.Severity, format string, args ...any) *source.Diagnostic {
	if subject.Unknown { // any value may come in its place
		return &source.Diagnostic{}
	}
	if severity == source.Error && rule != rules.Resource && !c.options.Dialect.Does(rules.RefusesAsTheService) {
		severity = source.Warning // it runs
	}
	if c.pointers == nil {
		c.pointers = c.machine.Root.Pointers()
	}
	c.found = append(c.found, source.Diagnostic{
		Rule: rule, Severity: severity, Message: fmt.Sprintf(format, args...), Pointer: c.pointers[subject], Span: span,
	})
	return &c.found[len(c.found)-1]
}

// warn notes that n is probably a mistake.
func (c *checker) warn(n *source.Node, rule, format string, args ...any) *source.Diagnostic {
	return c.report(n, n.Span, rule, source.Warning, format, args...)
}

// hint notes a suggestion, if hints are wanted.
func (c *checker) hint(n *source.Node, span source.Span, rule, format string, args ...any) *source.Diagnostic {
	if !c.options.Hints {
		return nil
	}
	return c.report(n, span, rule, source.Hint, format, args...)
}

// suggest notes the probably intended word, if one of the words is like it.
func suggest(d *source.Diagnostic, word string, words []string) {
	if near := wording.Nearest(word, slices.Values(words)); near != "" {
		meant(d, word, near)
	}
}

// meant notes the word that was probably meant in place of the one at the diagnostic's place: a change to look at
// first.
func meant(d *source.Diagnostic, word, near string) {
	d.Suggestion = "did you mean \"" + near + "\"?"
	d.Fix = &source.Fix{At: d.Span, From: word, To: near}
}

// misspelt is meant for a name of a service's model; candidates are all of them. The change is certain where the word
// is a slip of the near one: a newer model may have it, so that a plural or another verb counts as another name.
func misspelt(d *source.Diagnostic, word, near string, candidates iter.Seq[string]) {
	meant(d, word, near)
	alike := strings.EqualFold(word[:1], near[:1]) && !strings.EqualFold(word+"s", near) && !strings.EqualFold(word, near+"s")
	d.Fix.Certain = alike && wording.Clear(word, near, candidates)
}

// narrow makes a part of a text the place of its problem, with a colon before it or not.
func (c *checker) narrow(d *source.Diagnostic, n *source.Node, part string) {
	at := strings.LastIndex(n.Text(), part)
	if word := strings.TrimPrefix(part, ":"); at >= 0 && word != "" {
		at += len(part) - len(word)
		d.Span = source.StringPart(c.machine.Source, n, at, at+len(word))
	}
}

// member returns the member of an object called key, or nil.
func member(n *source.Node, key string) *source.NodeMember {
	for i := range n.Members {
		if n.Members[i].Key == key {
			return &n.Members[i]
		}
	}
	return nil
}

// ends notes states from which no way leads to one that ends, in this scope and in those inside of it.
func (c *checker) ends(scope *asl.Scope) {
	before := make([][]*asl.State, len(scope.States)) // the states that lead to each
	var pending []*asl.State
	leads := make([]bool, len(scope.States))
	for _, s := range scope.States {
		for _, e := range edges(s) {
			before[e.To.Index] = append(before[e.To.Index], s)
		}
		if s.Terminal() {
			leads[s.Index] = true
			pending = append(pending, s)
		}
		for _, branch := range s.Branches {
			c.ends(branch)
		}
		if s.Processor != nil {
			c.ends(s.Processor)
		}
	}
	if c.inOpen(scope) {
		return
	}
	for len(pending) > 0 {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, p := range before[s.Index] {
			if !leads[p.Index] {
				leads[p.Index] = true
				pending = append(pending, p)
			}
		}
	}
	reached := scope.Reached()
	for _, s := range scope.States {
		if !leads[s.Index] && reached[s.Index] { // of the others, that no way leads to them is told
			d := c.report(s.Node, s.NameSpan, rules.NoWayToEnd, source.Warning, "no way leads from %q to a state that ends", s.Name)
			d.Expected = "a way to a state with \"End\": true, a Succeed or a Fail"
		}
	}
}

// edges returns the transitions of a state, those with misspelt names included.
func edges(s *asl.State) []asl.Edge {
	list := s.Edges()
	for _, l := range s.Lost() {
		if to := s.Scope.Meant(l.Name); to != nil {
			list = append(list, asl.Edge{Kind: l.Kind, From: s, To: to, Index: l.Index})
		}
	}
	return list
}

// inOpen reports whether the transitions of a scope, or of one that it is in, are not all known.
func (c *checker) inOpen(scope *asl.Scope) bool {
	for at := scope; c.damage != nil; at = at.Container.Scope {
		if c.damage.Scopes[at] {
			return true
		}
		if at.Container == nil {
			break
		}
	}
	return false
}
