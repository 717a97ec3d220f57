package suite

import (
	"slices"
	"strings"
	"time"

	"asldb/engine/coverage"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// key is one key of an object of the format.
type key[T any] struct {
	name string
	// form is the schema of its value, and about says what the value is, in the schema.
	form, about string
	// read reads it into the object.
	read func(r *reader, into *T, member *source.NodeMember)
}

// readObject reads the members of an object by the table of its keys.
func readObject[T any](r *reader, into *T, node *source.Node, noun string, table []key[T]) {
	members := r.members(node, noun)
	for i := range members {
		member := &members[i]
		at := slices.IndexFunc(table, func(k key[T]) bool { return k.name == member.Key })
		if at < 0 {
			r.unknown(noun, member, names(table))
			continue
		}
		table[at].read(r, into, member)
	}
}

// names are the names of the keys of a table.
func names[T any](table []key[T]) []string {
	return value.Each(table, func(each key[T]) string { return each.name })
}

// The forms of values, in the terms of the schema: see schemaForms.
const (
	aText       = `{"$ref": "#/$defs/text"}`
	someTexts   = `{"anyOf": [{"$ref": "#/$defs/text"}, {"type": "array", "items": {"$ref": "#/$defs/text"}}]}`
	aList       = `{"type": "array", "items": {"type": "string", "minLength": 1}}`
	aPart       = `{"$ref": "#/$defs/part"}`
	aValue      = `{"$ref": "#/$defs/value"}`
	someStatus  = `{"anyOf": [{"$ref": "#/$defs/status"}, {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/status"}}]}`
	aNumber     = `{"$ref": "#/$defs/bound"}`
	aTime       = `{"$ref": "#/$defs/timeBound"}`
	aWhole      = `{"type": "integer", "minimum": 0, "maximum": 9223372036854775807}`
	stages      = `{"$ref": "#/$defs/stages"}`
	invocations = `{"type": "array", "items": {"$ref": "#/$defs/invocation"}}`

	anInjection = `{"$ref": "#/$defs/errorName"}, {"$ref": "#/$defs/injection"}`

	propertiesForm = `{"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}}`
)

// keyOf is a key whose value read reads into the object.
func keyOf[T any](name, form, about string, read func(r *reader, into *T, node *source.Node)) key[T] {
	return key[T]{name, form, about, func(r *reader, into *T, m *source.NodeMember) { read(r, into, m.Node) }}
}

// fieldKey is a key whose value read returns, for a field.
func fieldKey[T, V any](name, form, about string, read func(*reader, *source.Node) V, field func(*T) *V) key[T] {
	return keyOf(name, form, about, func(r *reader, into *T, n *source.Node) { *field(into) = read(r, n) })
}

// namedKey is fieldKey for a read that names the key in its messages.
func namedKey[T, V any](
	name, form, about string, read func(*reader, *source.Node, string) V, field func(*T) *V,
) key[T] {
	return keyOf(name, form, about, func(r *reader, into *T, n *source.Node) { *field(into) = read(r, n, name) })
}

// boundKey is the key of a bound in a unit.
func boundKey[T any](name, about string, u unit, field func(*T) **Bound) key[T] {
	form := aNumber
	if u == ofTime {
		form = aTime
	}
	return keyOf(name, form, about, func(r *reader, into *T, n *source.Node) { *field(into) = r.bound(n, name, u) })
}

// textOf is text for a key that may be empty.
func (r *reader) textOf(node *source.Node, what string) string {
	text, _ := r.text(node, what)
	return text
}

// wholeOf is whole for a key that may be 0.
func (r *reader) wholeOf(node *source.Node, what string) int64 {
	n, _ := r.whole(node, what)
	return n
}

// suiteTable has the keys of a suite besides the keys of a file of fixtures.
var suiteTable = []key[suiteParts]{
	ofRow("definition", "definition",
		", relative to the suite: JSON, YAML, a template, or a folder of Terraform files", defined),
	ofRow("resource", "resource", "", defined),
	ofRow("type", "type", ": an express execution ends after five minutes (default: as the template says)", defined),
	{"substitutions", `{"anyOf": [{"$ref": "#/$defs/text"}, ` +
		`{"type": "object", "additionalProperties": {"type": ["string", "number"], "minLength": 1}}]}`,
		launch.FlagOf("substitutions").Sentence(", or the object itself"),
		func(r *reader, s *suiteParts, m *source.NodeMember) { r.substitutions(&s.Given, m) }},
	keyOf("defaults", `{"$ref": "#/$defs/defaults"}`, "Bounds of every case.",
		func(r *reader, s *suiteParts, n *source.Node) {
			readObject(r, &s.Defaults, n, "defaults", defaultsTable)
		}),
	keyOf("skip", `{"anyOf": [{"$ref": "#/$defs/text"}, {"$ref": "#/$defs/skip"}]}`,
		"Cases that do not run: a reason for all of them, or an object.",
		func(_ *reader, s *suiteParts, n *source.Node) { s.skip = n }),
	keyOf("ignore", `{"type": "array", "items": {"$ref": "#/$defs/uncounted"}}`,
		"Parts of the definition that do not count as coverage.",
		func(r *reader, s *suiteParts, n *source.Node) { r.uncounted(s.Suite, n) }),
	fieldKey("tags", someTexts, "Tags of all cases: --tag chooses by them.", (*reader).tags,
		func(s *suiteParts) *[]string { return &s.tags }),
	fieldKey("properties", propertiesForm, "Names and values that reports have of all cases.", (*reader).properties,
		func(s *suiteParts) *[]report.Property { return &s.properties }),
	keyOf("invariants", `{"type": "array", "items": {"$ref": "#/$defs/invariant"}}`, "Rules about every run.",
		func(r *reader, s *suiteParts, n *source.Node) { r.invariants(s.Suite, n) }),
}

// suiteParts is a suite while it is read.
type suiteParts struct {
	*Suite
	skip *source.Node
}

// ofRow is a key that has a row of the table of flags, with further words about it. given has the value.
func ofRow[T any](name, row, rest string, given func(into *T, m *source.NodeMember) *launch.Given) key[T] {
	flag, form := launch.FlagOf(row), aText
	switch {
	case strings.Contains(flag.Value, "|"):
		form = `{"enum": ["` + strings.ReplaceAll(flag.Value, "|", `", "`) + `"]}`
	case flag.Number():
		form = aWhole
	case flag.Many():
		form = `{"anyOf": [{"$ref": "#/$defs/text"}, {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/text"}}]}`
	}
	return key[T]{name, form, flag.Sentence(rest), func(r *reader, into *T, m *source.NodeMember) {
		r.row(given(into, m), flag, m)
	}}
}

// defined has the rows about the definition.
func defined(s *suiteParts, m *source.NodeMember) *launch.Given {
	if m.Key == "definition" {
		s.Given.Spec.Definition.Named, s.At = true, m.Node.Span.Start
	}
	return &s.Given
}

var defaultsTable = []key[Defaults]{
	namedKey("timeout", `{"$ref": "#/$defs/duration"}`, "The longest virtual time of a run.", (*reader).duration,
		func(d *Defaults) *time.Duration { return &d.Timeout }),
	namedKey("maxEvents", aWhole, "The greatest number of events of a run.", (*reader).wholeOf,
		func(d *Defaults) *int64 { return &d.MaxEvents }),
}

// ignoredTable has the keys of an entry of ignore.
var ignoredTable = []key[coverage.Ignored]{
	namedKey("state", aText, "The name or the path of the state.", (*reader).textOf,
		func(i *coverage.Ignored) *string { return &i.State }),
	namedKey("kind", aText, "Only these parts of it: rules, conditions, retriers, catchers, errors, branches, timeouts, maps.",
		(*reader).textOf, func(i *coverage.Ignored) *string { return &i.Group }),
	namedKey("reason", aText, "Why they do not count.", (*reader).textOf,
		func(i *coverage.Ignored) *string { return &i.Reason }),
}

// uncounted reads the parts that do not count.
func (r *reader) uncounted(s *Suite, node *source.Node) {
	if node.Kind != value.KindArray {
		r.wrong(node.Span.Start, "ignore is a list of objects with state and reason, not %s", source.Article(node.Kind))
		return
	}
	for _, item := range node.Items {
		var one coverage.Ignored
		readObject(r, &one, item, "an entry of ignore", ignoredTable)
		if err := one.Check(); err != nil {
			r.wrong(item.Span.Start, "%v", err)
		} else if one.State == "" || one.Reason == "" {
			r.wrong(item.Span.Start, "an entry of ignore needs the state, and a reason")
		}
		s.Ignored = append(s.Ignored, one)
	}
}

// skipped is the object of skip.
type skipped struct {
	reason string
	names  []*source.Node // nil: all cases
}

var skipTable = []key[skipped]{
	namedKey("reason", aText, "Why they do not run.", (*reader).textOf, func(s *skipped) *string { return &s.reason }),
	keyOf("cases", someTexts, "Their names; without it, all cases.",
		func(_ *reader, s *skipped, n *source.Node) { s.names = append([]*source.Node{}, one(n)...) }),
}

// caseParts is a case while it is read.
type caseParts struct {
	*Case
	inject *source.Node
}

// caseTable has the keys of a case besides the keys of a case of fixtures.
var caseTable = []key[caseParts]{
	fieldKey("expect", `{"$ref": "#/$defs/expect"}`, "How the run has to be.", (*reader).expect,
		func(c *caseParts) **Expect { return &c.Expect }),
	keyOf("inject", `{"type": "object", "additionalProperties": {"anyOf": [`+anInjection+
		`, {"type": "array", "items": {"anyOf": [`+anInjection+`]}}]}}`,
		"Errors of tasks before the results of the fixtures, by the name or path of the state.",
		func(_ *reader, c *caseParts, n *source.Node) { c.inject = n }),
	keyOf("table", `{"anyOf": [{"type": "array", "minItems": 1, "items": {"type": "object"}}, {"$ref": "#/$defs/text"}]}`,
		"A case for each row: {{column}} is replaced in the case and in its name. Rows, or the name of a CSV, JSON or YAML file.",
		func(*reader, *caseParts, *source.Node) {}), // read before
	keyOf("extends", aText,
		"The name of a case whose keys this case has, too, unless it has them itself; objects are merged.",
		func(*reader, *caseParts, *source.Node) {}), // read before
	keyOf("tags", someTexts, "Tags: --tag chooses by them.",
		func(r *reader, c *caseParts, n *source.Node) { c.Tags = append(c.Tags, r.tags(n)...) }),
	keyOf("properties", propertiesForm, "Names and values that reports have.",
		func(r *reader, c *caseParts, n *source.Node) { c.Properties = append(c.Properties, r.properties(n)...) }),
	fieldKey("snapshot", `{"anyOf": [{"const": true}, {"$ref": "#/$defs/snapshot"}]}`,
		"The path, payloads and output are compared with a snapshot file.", (*reader).snapshot,
		func(c *caseParts) **Snapshot { return &c.Snapshot }),
	ofRow("history", "history", ", or a list of its pages: the results, and the run to expect", recorded),
	ofRow("execution", "execution", "", recorded),
	ofRow("attempt", "attempt", "", recorded),
	ofRow("trace", "recording", ": the results, and the run to expect", recorded),
	keyOf("skip", aText, "A reason for which the case is not run.", func(r *reader, c *caseParts, n *source.Node) {
		c.Skip, _ = r.text(n, "skip is the reason; it")
	}),
}

// recorded has the rows about a recorded run.
func recorded(c *caseParts, m *source.NodeMember) *launch.Given {
	if c.Recording == nil {
		c.Recording = &Recording{At: m.KeySpan.Start}
	}
	return &c.Recording.Given
}

var snapshotTable = []key[Snapshot]{
	keyOf("ignore", `{"anyOf": [{"$ref": "#/$defs/ignored"}, {"type": "array", "items": {"$ref": "#/$defs/ignored"}}]}`,
		"Paths of values that are left out.", func(r *reader, s *Snapshot, n *source.Node) {
			for _, item := range one(n) {
				if p := r.ignored(item); p != nil {
					s.Ignore = append(s.Ignore, p)
				}
			}
		}),
}

var expectTable = []key[Expect]{
	keyOf("status", someStatus, "How the execution ends, or a list of ends that will do; SUCCEEDED by default.",
		func(r *reader, e *Expect, n *source.Node) {
			e.StatusAt = n.Span.Start
			if all := r.statuses(n); len(all) > 0 {
				e.Status, e.Others = all[0], all[1:]
			}
		}),
	fieldKey("error", aPart, "The Error of an execution that failed.", (*reader).part,
		func(e *Expect) **Value { return &e.Error }),
	fieldKey("cause", aPart, "The Cause of an execution that failed.", (*reader).part,
		func(e *Expect) **Value { return &e.Cause }),
	keyOf("output", aValue, "The output; objects may have more members.",
		func(r *reader, e *Expect, n *source.Node) { e.Output = r.output(e, n, false) }),
	keyOf("output!", aValue, "The output; objects have no other members.",
		func(r *reader, e *Expect, n *source.Node) { e.Output = r.output(e, n, true) }),
	keyOf("path", aList, "The states of the top thread in order; ... means any others.",
		func(r *reader, e *Expect, n *source.Node) { r.way(e, n, false) }),
	keyOf("order", aList, "States in this order, with any others between.",
		func(r *reader, e *Expect, n *source.Node) { r.way(e, n, true) }),
	keyOf("never", someTexts, "States that no thread enters: names or paths, with * and **.",
		func(r *reader, e *Expect, n *source.Node) {
			for _, item := range one(n) {
				e.Never = append(e.Never, r.pattern(item, "a state under never"))
			}
		}),
	boundKey("duration", "The virtual time of the run: 2h, < 90s.", ofTime,
		func(e *Expect) **Bound { return &e.Duration }),
	boundKey("events", "The number of events: 120, < 500.", ofNumber, func(e *Expect) **Bound { return &e.Events }),
	boundKey("size", "The size of the output: 900, <= 200 KB.", ofBytes, func(e *Expect) **Bound { return &e.Size }),
	keyOf("unused", `{"const": "none"}`, "none: every result of the case is used.", (*reader).unused),
	keyOf("states", `{"type": "object", "additionalProperties": {"$ref": "#/$defs/state"}}`,
		"Expectations on single states, by name or path.", (*reader).states),
	keyOf("tasks", `{"type": "object", "additionalProperties": {"$ref": "#/$defs/task"}}`,
		"The invocations of tasks, by the name or path of the state.", (*reader).tasks),
	keyOf("assert", someTexts, "Conditions on the output, in asldb's own expressions or {% JSONata %}.",
		func(r *reader, e *Expect, n *source.Node) {
			for _, item := range one(n) {
				if v := r.condition(item, "an assertion"); v != nil {
					e.Assert = append(e.Assert, v)
				}
			}
		}),
}

var stateTable = []key[StateExpect]{
	boundKey("visits", "How often it is entered.", ofNumber, func(s *StateExpect) **Bound { return &s.Visits }),
	boundKey("attempts", "How often its work begins.", ofNumber, func(s *StateExpect) **Bound { return &s.Attempts }),
	boundKey("retries", "How often it is retried.", ofNumber, func(s *StateExpect) **Bound { return &s.Retries }),
	boundKey("retryDelay", "The sum of the delays of its retries.", ofTime,
		func(s *StateExpect) **Bound { return &s.Delay }),
	keyOf("retryDelays", `{"anyOf": [{"$ref": "#/$defs/timeBound"}, {"type": "array", "items": {"$ref": "#/$defs/timeBound"}}]}`,
		"The delays of its retries, in order.", func(r *reader, s *StateExpect, n *source.Node) {
			s.Delays, s.DelaysAt = []*Bound{}, n.Span.Start
			for _, item := range one(n) {
				if b := r.bound(item, "retryDelays", ofTime); b != nil {
					s.Delays = append(s.Delays, b)
				}
			}
		}),
	fieldKey("caught", aPart, "The error that a catcher takes.", (*reader).part,
		func(s *StateExpect) **Value { return &s.Caught }),
	boundKey("by", "The number of that catcher, from 0.", ofNumber, func(s *StateExpect) **Bound { return &s.By }),
	fieldKey("next", aPart, "The state after it.", (*reader).part, func(s *StateExpect) **Value { return &s.Next }),
	fieldKey("failed", aPart, "The error that ends it.", (*reader).part,
		func(s *StateExpect) **Value { return &s.Failed }),
	fieldKey("rule", aNumber, "The number of the Choice rule that it takes, from 0, or default.", (*reader).rule,
		func(s *StateExpect) **Bound { return &s.Rule }),
	boundKey("duration", "The virtual time of its visits.", ofTime,
		func(s *StateExpect) **Bound { return &s.Duration }),
	fieldKey("path", aList, "The states that each of its branches or iterations goes through.", (*reader).path,
		func(s *StateExpect) **Path { return &s.Path }),
	keyOf("before", stages, "The data before stages.",
		func(r *reader, s *StateExpect, n *source.Node) { r.stages(s, n, false) }),
	keyOf("after", stages, "The data after stages.",
		func(r *reader, s *StateExpect, n *source.Node) { r.stages(s, n, true) }),
	{"input", aValue, "Its input.", func(r *reader, s *StateExpect, m *source.NodeMember) { r.stage(s, m, false) }},
	{"output", aValue, "Its output.", func(r *reader, s *StateExpect, m *source.NodeMember) { r.stage(s, m, true) }},
}

var taskTable = []key[TaskExpect]{
	boundKey("count", "The number of invocations.", ofNumber, func(t *TaskExpect) **Bound { return &t.Count }),
	keyOf("each", `{"$ref": "#/$defs/invocation"}`, "Every invocation.",
		func(r *reader, t *TaskExpect, n *source.Node) { t.Each = new(r.invocation(n)) }),
	keyOf("invocations", invocations, "The first invocations, in order.", (*reader).invocations),
}

var callTable = []key[Invocation]{
	keyOf("payload", aValue, "The payload; objects may have more members.",
		func(r *reader, c *Invocation, n *source.Node) { r.payload(c, n, false) }),
	keyOf("payload!", aValue, "The payload; objects have no other members.",
		func(r *reader, c *Invocation, n *source.Node) { r.payload(c, n, true) }),
	fieldKey("resource", aPart, "The Resource.", (*reader).part, func(c *Invocation) **Value { return &c.Resource }),
	fieldKey("result", aValue, "The raw result.", (*reader).value, func(c *Invocation) **Value { return &c.Result }),
	fieldKey("error", aPart, "The Error with which it fails.", (*reader).part,
		func(c *Invocation) **Value { return &c.Error }),
	boundKey("duration", "The virtual time that it takes.", ofTime, func(c *Invocation) **Bound { return &c.Duration }),
	boundKey("retryDelay", "The time from its failure to the next attempt.", ofTime,
		func(c *Invocation) **Bound { return &c.Delay }),
}

var invariantTable = []key[Invariant]{
	namedKey("never", aText, "A state that no run enters, unless without has succeeded before.", (*reader).pattern,
		func(i *Invariant) *Pattern { return &i.Never }),
	namedKey("without", aText, "A state that allows never.", (*reader).pattern,
		func(i *Invariant) *Pattern { return &i.Without }),
	fieldKey("when", someStatus, "The ends of the runs that have to meet assert.", (*reader).statuses,
		func(i *Invariant) *[]Status { return &i.When }),
	namedKey("assert", aText, "A condition on the output.", (*reader).condition,
		func(i *Invariant) **Value { return &i.Assert }),
	namedKey("after", aText, "A state; a run in which it has succeeded does not end with not.", (*reader).pattern,
		func(i *Invariant) *Pattern { return &i.After }),
	fieldKey("not", someStatus, "The ends that the run must not have.", (*reader).statuses,
		func(i *Invariant) *[]Status { return &i.Not }),
	namedKey("unless", aText, "A state that makes up for after.", (*reader).pattern,
		func(i *Invariant) *Pattern { return &i.Unless }),
}

// injection is one injected error, as an entry of fixtures.
type injection struct {
	fields  []source.NodeMember
	failing bool // it has an error
	repeats bool // it says how often
	forever bool // it says always
}

func copied(_ *reader, i *injection, m *source.NodeMember) {
	i.failing = i.failing || m.Key == "error"
	i.fields = append(i.fields, *m)
}

var injectionTable = []key[injection]{
	{"error", `{"type": ["string", "null"], "minLength": 1}`, "The Error Name; null for an error without a name.", copied},
	{"cause", `{"type": ["string", "null"]}`, "The Cause.", copied},
	{"after", `{"$ref": "#/$defs/duration"}`, "How long the task takes on the virtual clock.", copied},
	{"times", `{"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "minLength": 1}]}`,
		"How often it fails, or forever; once by default.",
		func(r *reader, i *injection, m *source.NodeMember) { r.times(i, m) }},
}

var aTag = wording.Pattern(`^[^!,\s][^,\s]*$`)

// tags reads one tag, or a list of them.
func (r *reader) tags(node *source.Node) (all []string) {
	for _, item := range one(node) {
		text, ok := r.text(item, "a tag")
		if ok && !aTag().MatchString(text) {
			r.wrong(item.Span.Start, "a tag is a word without blanks and commas that does not begin with !, not %q",
				text)
		}
		all = append(all, text)
	}
	return all
}

// properties reads names with values.
func (r *reader) properties(node *source.Node) (all []report.Property) {
	for _, m := range r.members(node, "properties") {
		text := scalarText(m.Node)
		if _, is := m.Node.Value.(value.Bool); is {
			text = value.Compact(m.Node.Value)
		}
		if kind := m.Node.Kind; kind != value.KindString && text == "" {
			r.wrong(m.Node.Span.Start, "the property %s is a text, a number, true or false, not %s", m.Key,
				source.Article(kind))
		}
		all = append(all, report.Property{Name: m.Key, Value: text})
	}
	return all
}
