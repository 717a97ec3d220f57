package suite

import (
	"strings"

	"slices"

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

	propertiesForm = `{"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}}`
)

// suiteTable has the keys of a suite besides the keys of a file of fixtures.
var suiteTable = []key[suiteParts]{
	ofRow(
		"definition",
		"definition",
		", relative to the suite: JSON, YAML, a template, or a folder of Terraform files",
		defined,
	),
	ofRow("resource", "resource", "", defined),
	ofRow("type", "type", ": an express execution ends after five minutes (default: as the template says)", defined),
	{
		"substitutions",
		`{"anyOf": [{"$ref": "#/$defs/text"}, {"type": "object", "additionalProperties": {"type": ["string", "number"], "minLength": 1}}]}`,
		launch.FlagOf("substitutions").Sentence(", or the object itself"),
		func(r *reader, s *suiteParts, m *source.NodeMember) { r.substitutions(&s.Given, m) },
	},
	{
		"defaults",
		`{"$ref": "#/$defs/defaults"}`,
		"Bounds of every case.",
		func(r *reader, s *suiteParts, m *source.NodeMember) {
			readObject(r, &s.Defaults, m.Node, "defaults", defaultsTable)
		},
	},
	{
		"skip",
		`{"anyOf": [{"$ref": "#/$defs/text"}, {"$ref": "#/$defs/skip"}]}`,
		"Cases that do not run: a reason for all of them, or an object.",
		func(_ *reader, s *suiteParts, m *source.NodeMember) { s.skip = m.Node },
	},
	{"ignore", `{"type": "array", "items": {"$ref": "#/$defs/uncounted"}}`,
		"Parts of the definition that do not count as coverage.",
		func(r *reader, s *suiteParts, m *source.NodeMember) { r.uncounted(s.Suite, m.Node) }},
	{
		"tags",
		someTexts,
		"Tags of all cases: --tag chooses by them.",
		func(r *reader, s *suiteParts, m *source.NodeMember) {
			s.tags = r.tags(m.Node)
		},
	},
	{"properties", propertiesForm, "Names and values that reports have of all cases.",
		func(r *reader, s *suiteParts, m *source.NodeMember) { s.properties = r.properties(m.Node) }},
	{"invariants", `{"type": "array", "items": {"$ref": "#/$defs/invariant"}}`, "Rules about every run.",
		func(r *reader, s *suiteParts, m *source.NodeMember) { r.invariants(s.Suite, m.Node) }},
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
	{
		"timeout",
		`{"$ref": "#/$defs/duration"}`,
		"The longest virtual time of a run.",
		func(r *reader, d *Defaults, m *source.NodeMember) {
			d.Timeout = r.duration(m.Node, "timeout")
		},
	},
	{
		"maxEvents",
		aWhole,
		"The greatest number of events of a run.",
		func(r *reader, d *Defaults, m *source.NodeMember) {
			d.MaxEvents, _ = r.whole(m.Node, "maxEvents")
		},
	},
}

// ignoredTable has the keys of an entry of ignore.
var ignoredTable = []key[coverage.Ignored]{
	{"state", aText, "The name or the path of the state.", func(r *reader, i *coverage.Ignored, m *source.NodeMember) {
		i.State, _ = r.text(m.Node, "state")
	}},
	{"kind", aText, "Only these parts of it: rules, conditions, retriers, catchers, errors, branches, timeouts, maps.",
		func(r *reader, i *coverage.Ignored, m *source.NodeMember) { i.Group, _ = r.text(m.Node, "kind") }},
	{"reason", aText, "Why they do not count.", func(r *reader, i *coverage.Ignored, m *source.NodeMember) {
		i.Reason, _ = r.text(m.Node, "reason")
	}},
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
	{
		"reason",
		aText,
		"Why they do not run.",
		func(r *reader, s *skipped, m *source.NodeMember) { s.reason, _ = r.text(m.Node, "reason") },
	},
	{"cases", someTexts, "Their names; without it, all cases.", func(_ *reader, s *skipped, m *source.NodeMember) {
		s.names = append([]*source.Node{}, one(m.Node)...)
	}},
}

// caseParts is a case while it is read.
type caseParts struct {
	*Case
	inject *source.Node
}

// caseTable has the keys of a case besides the keys of a case of fixtures.
var caseTable = []key[caseParts]{
	{
		"expect",
		`{"$ref": "#/$defs/expect"}`,
		"How the run has to be.",
		func(r *reader, c *caseParts, m *source.NodeMember) { c.Expect = r.expect(m.Node) },
	},
	{
		"inject",
		`{"type": "object", "additionalProperties": {"anyOf": [{"$ref": "#/$defs/errorName"}, {"$ref": "#/$defs/injection"}, {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/errorName"}, {"$ref": "#/$defs/injection"}]}}]}}`,
		"Errors of tasks before the results of the fixtures, by the name or path of the state.",
		func(_ *reader, c *caseParts, m *source.NodeMember) { c.inject = m.Node },
	},
	{"table", `{"anyOf": [{"type": "array", "minItems": 1, "items": {"type": "object"}}, {"$ref": "#/$defs/text"}]}`,
		"A case for each row: {{column}} is replaced in the case and in its name. Rows, or the name of a CSV, JSON or YAML file.",
		func(*reader, *caseParts, *source.NodeMember) {}}, // read before
	{
		"extends",
		aText,
		"The name of a case whose keys this case has, too, unless it has them itself; objects are merged.",
		func(*reader, *caseParts, *source.NodeMember) {},
	}, // read before
	{"tags", someTexts, "Tags: --tag chooses by them.", func(r *reader, c *caseParts, m *source.NodeMember) {
		c.Tags = append(c.Tags, r.tags(m.Node)...)
	}},
	{"properties", propertiesForm, "Names and values that reports have.",
		func(r *reader, c *caseParts, m *source.NodeMember) {
			c.Properties = append(c.Properties, r.properties(m.Node)...)
		}},
	{
		"snapshot",
		`{"anyOf": [{"const": true}, {"$ref": "#/$defs/snapshot"}]}`,
		"The path, payloads and output are compared with a snapshot file.",
		func(r *reader, c *caseParts, m *source.NodeMember) { c.Snapshot = r.snapshot(m.Node) },
	},
	ofRow("history", "history", ", or a list of its pages: the results, and the run to expect", recorded),
	ofRow("execution", "execution", "", recorded),
	ofRow("attempt", "attempt", "", recorded),
	ofRow("trace", "recording", ": the results, and the run to expect", recorded),
	{"skip", aText, "A reason for which the case is not run.", func(r *reader, c *caseParts, m *source.NodeMember) {
		c.Skip, _ = r.text(m.Node, "skip is the reason; it")
	}},
}

// recorded has the rows about a recorded run.
func recorded(c *caseParts, m *source.NodeMember) *launch.Given {
	if c.Recording == nil {
		c.Recording = &Recording{At: m.KeySpan.Start}
	}
	return &c.Recording.Given
}

var snapshotTable = []key[Snapshot]{
	{
		"ignore",
		`{"anyOf": [{"$ref": "#/$defs/ignored"}, {"type": "array", "items": {"$ref": "#/$defs/ignored"}}]}`,
		"Paths of values that are left out.",
		func(r *reader, s *Snapshot, m *source.NodeMember) {
			for _, item := range one(m.Node) {
				if p := r.ignored(item); p != nil {
					s.Ignore = append(s.Ignore, p)
				}
			}
		},
	},
}

var expectTable = []key[Expect]{
	{
		"status", someStatus, "How the execution ends, or a list of ends that will do; SUCCEEDED by default.",
		func(r *reader, e *Expect, m *source.NodeMember) {
			e.StatusAt = m.Node.Span.Start
			if all := r.statuses(m.Node); len(all) > 0 {
				e.Status, e.Others = all[0], all[1:]
			}
		},
	},
	{
		"error",
		aPart,
		"The Error of an execution that failed.",
		func(r *reader, e *Expect, m *source.NodeMember) { e.Error = r.part(m.Node) },
	},
	{
		"cause",
		aPart,
		"The Cause of an execution that failed.",
		func(r *reader, e *Expect, m *source.NodeMember) { e.Cause = r.part(m.Node) },
	},
	{
		"output",
		aValue,
		"The output; objects may have more members.",
		func(r *reader, e *Expect, m *source.NodeMember) { e.Output = r.output(e, m.Node, false) },
	},
	{
		"output!",
		aValue,
		"The output; objects have no other members.",
		func(r *reader, e *Expect, m *source.NodeMember) { e.Output = r.output(e, m.Node, true) },
	},
	{
		"path",
		aList,
		"The states of the top thread in order; ... means any others.",
		func(r *reader, e *Expect, m *source.NodeMember) { r.way(e, m.Node, false) },
	},
	{
		"order",
		aList,
		"States in this order, with any others between.",
		func(r *reader, e *Expect, m *source.NodeMember) { r.way(e, m.Node, true) },
	},
	{
		"never",
		someTexts,
		"States that no thread enters: names or paths, with * and **.",
		func(r *reader, e *Expect, m *source.NodeMember) {
			for _, item := range one(m.Node) {
				e.Never = append(e.Never, r.pattern(item, "a state under never"))
			}
		},
	},
	{
		"duration",
		aTime,
		"The virtual time of the run.",
		func(r *reader, e *Expect, m *source.NodeMember) { e.Duration = r.bound(m.Node, "duration", ofTime) },
	},
	{
		"events",
		aNumber,
		"The number of events.",
		func(r *reader, e *Expect, m *source.NodeMember) { e.Events = r.bound(m.Node, "events", ofNumber) },
	},
	{
		"size",
		aNumber,
		"The size of the output: 900, <= 200 KB.",
		func(r *reader, e *Expect, m *source.NodeMember) { e.Size = r.bound(m.Node, "size", ofBytes) },
	},
	{
		"unused",
		`{"const": "none"}`,
		"Every result of the case is used.",
		func(r *reader, e *Expect, m *source.NodeMember) { r.unused(e, m.Node) },
	},
	{
		"states",
		`{"type": "object", "additionalProperties": {"$ref": "#/$defs/state"}}`,
		"Expectations on single states, by name or path.",
		func(r *reader, e *Expect, m *source.NodeMember) { r.states(e, m.Node) },
	},
	{
		"tasks",
		`{"type": "object", "additionalProperties": {"$ref": "#/$defs/task"}}`,
		"The invocations of tasks, by the name or path of the state.",
		func(r *reader, e *Expect, m *source.NodeMember) { r.tasks(e, m.Node) },
	},
	{
		"assert",
		someTexts,
		"Conditions on the output, in asldb's own expressions or {% JSONata %}.",
		func(r *reader, e *Expect, m *source.NodeMember) {
			for _, item := range one(m.Node) {
				if v := r.condition(item, "an assertion"); v != nil {
					e.Assert = append(e.Assert, v)
				}
			}
		},
	},
}

var stateTable = []key[StateExpect]{
	{
		"visits",
		aNumber,
		"How often it is entered.",
		func(r *reader, s *StateExpect, m *source.NodeMember) { s.Visits = r.bound(m.Node, "visits", ofNumber) },
	},
	{"attempts", aNumber, "How often its work begins.", func(r *reader, s *StateExpect, m *source.NodeMember) {
		s.Attempts = r.bound(m.Node, "attempts", ofNumber)
	}},
	{"retries", aNumber, "How often it is retried.", func(r *reader, s *StateExpect, m *source.NodeMember) {
		s.Retries = r.bound(m.Node, "retries", ofNumber)
	}},
	{
		"retryDelay",
		aTime,
		"The sum of the delays of its retries.",
		func(r *reader, s *StateExpect, m *source.NodeMember) { s.Delay = r.bound(m.Node, "retryDelay", ofTime) },
	},
	{
		"retryDelays",
		`{"anyOf": [{"$ref": "#/$defs/timeBound"}, {"type": "array", "items": {"$ref": "#/$defs/timeBound"}}]}`,
		"The delays of its retries, in order.",
		func(r *reader, s *StateExpect, m *source.NodeMember) {
			s.Delays, s.DelaysAt = []*Bound{}, m.Node.Span.Start
			for _, item := range one(m.Node) {
				if b := r.bound(item, "retryDelays", ofTime); b != nil {
					s.Delays = append(s.Delays, b)
				}
			}
		},
	},
	{
		"caught",
		aPart,
		"The error that a catcher takes.",
		func(r *reader, s *StateExpect, m *source.NodeMember) { s.Caught = r.part(m.Node) },
	},
	{
		"by",
		aNumber,
		"The number of that catcher, from 0.",
		func(r *reader, s *StateExpect, m *source.NodeMember) { s.By = r.bound(m.Node, "by", ofNumber) },
	},
	{
		"next",
		aPart,
		"The state after it.",
		func(r *reader, s *StateExpect, m *source.NodeMember) { s.Next = r.part(m.Node) },
	},
	{
		"failed",
		aPart,
		"The error that ends it.",
		func(r *reader, s *StateExpect, m *source.NodeMember) { s.Failed = r.part(m.Node) },
	},
	{
		"rule",
		aNumber,
		"The number of the Choice rule that it takes, from 0, or default.",
		func(r *reader, s *StateExpect, m *source.NodeMember) { s.Rule = r.rule(m.Node) },
	},
	{"duration", aTime, "The virtual time of its visits.", func(r *reader, s *StateExpect, m *source.NodeMember) {
		s.Duration = r.bound(m.Node, "duration", ofTime)
	}},
	{
		"path",
		aList,
		"The states that each of its branches or iterations goes through.",
		func(r *reader, s *StateExpect, m *source.NodeMember) { s.Path = r.path(m.Node) },
	},
	{
		"before",
		stages,
		"The data before stages.",
		func(r *reader, s *StateExpect, m *source.NodeMember) { r.stages(s, m.Node, false) },
	},
	{
		"after",
		stages,
		"The data after stages.",
		func(r *reader, s *StateExpect, m *source.NodeMember) { r.stages(s, m.Node, true) },
	},
	{"input", aValue, "Its input.", func(r *reader, s *StateExpect, m *source.NodeMember) { r.stage(s, m, false) }},
	{"output", aValue, "Its output.", func(r *reader, s *StateExpect, m *source.NodeMember) { r.stage(s, m, true) }},
}

var taskTable = []key[TaskExpect]{
	{
		"count",
		aNumber,
		"The number of invocations.",
		func(r *reader, t *TaskExpect, m *source.NodeMember) { t.Count = r.bound(m.Node, "count", ofNumber) },
	},
	{
		"each",
		`{"$ref": "#/$defs/invocation"}`,
		"Every invocation.",
		func(r *reader, t *TaskExpect, m *source.NodeMember) {
			each := r.invocation(m.Node)
			t.Each = &each
		},
	},
	{
		"invocations",
		invocations,
		"The first invocations, in order.",
		func(r *reader, t *TaskExpect, m *source.NodeMember) { r.invocations(t, m.Node) },
	},
}

var callTable = []key[Invocation]{
	{
		"payload",
		aValue,
		"The payload; objects may have more members.",
		func(r *reader, c *Invocation, m *source.NodeMember) { r.payload(c, m.Node, false) },
	},
	{
		"payload!",
		aValue,
		"The payload; objects have no other members.",
		func(r *reader, c *Invocation, m *source.NodeMember) { r.payload(c, m.Node, true) },
	},
	{
		"resource",
		aPart,
		"The Resource.",
		func(r *reader, c *Invocation, m *source.NodeMember) { c.Resource = r.part(m.Node) },
	},
	{
		"result",
		aValue,
		"The raw result.",
		func(r *reader, c *Invocation, m *source.NodeMember) { c.Result = r.value(m.Node) },
	},
	{
		"error",
		aPart,
		"The Error with which it fails.",
		func(r *reader, c *Invocation, m *source.NodeMember) { c.Error = r.part(m.Node) },
	},
	{"duration", aTime, "The virtual time that it takes.", func(r *reader, c *Invocation, m *source.NodeMember) {
		c.Duration = r.bound(m.Node, "duration", ofTime)
	}},
	{
		"retryDelay",
		aTime,
		"The time from its failure to the next attempt.",
		func(r *reader, c *Invocation, m *source.NodeMember) {
			c.Delay = r.bound(m.Node, "retryDelay", ofTime)
		},
	},
}

var invariantTable = []key[Invariant]{
	{
		"never",
		aText,
		"A state that no run enters, unless without has succeeded before.",
		func(r *reader, i *Invariant, m *source.NodeMember) { i.Never = r.pattern(m.Node, "never") },
	},
	{
		"without",
		aText,
		"A state that allows never.",
		func(r *reader, i *Invariant, m *source.NodeMember) { i.Without = r.pattern(m.Node, "without") },
	},
	{
		"when",
		someStatus,
		"The ends of the runs that have to meet assert.",
		func(r *reader, i *Invariant, m *source.NodeMember) { i.When = r.statuses(m.Node) },
	},
	{
		"assert",
		aText,
		"A condition on the output.",
		func(r *reader, i *Invariant, m *source.NodeMember) { i.Assert = r.condition(m.Node, "assert") },
	},
	{
		"after",
		aText,
		"A state; a run in which it has succeeded does not end with not.",
		func(r *reader, i *Invariant, m *source.NodeMember) { i.After = r.pattern(m.Node, "after") },
	},
	{
		"not",
		someStatus,
		"The ends that the run must not have.",
		func(r *reader, i *Invariant, m *source.NodeMember) { i.Not = r.statuses(m.Node) },
	},
	{
		"unless",
		aText,
		"A state that makes up for after.",
		func(r *reader, i *Invariant, m *source.NodeMember) { i.Unless = r.pattern(m.Node, "unless") },
	},
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
	{
		"error",
		`{"type": ["string", "null"], "minLength": 1}`,
		"The Error Name; null for an error without a name.",
		copied,
	},
	{"cause", `{"type": ["string", "null"]}`, "The Cause.", copied},
	{"after", `{"$ref": "#/$defs/duration"}`, "How long the task takes on the virtual clock.", copied},
	{
		"times",
		`{"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "minLength": 1}]}`,
		"How often it fails, or forever; once by default.",
		func(r *reader, i *injection, m *source.NodeMember) { r.times(i, m) },
	},
}

var aTag = wording.Pattern(`^[^!,\s][^,\s]*$`)

// tags reads one tag, or a list of them.
func (r *reader) tags(node *source.Node) (all []string) {
	for _, item := range one(node) {
		text, ok := r.text(item, "a tag")
		if ok && !aTag().MatchString(text) {
			r.wrong(
				item.Span.Start,
				"a tag is a word without blanks and commas that does not begin with !, not %q",
				text,
			)
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
			r.wrong(
				m.Node.Span.Start,
				"the property %s is a text, a number, true or false, not %s",
				m.Key,
				source.Article(kind),
			)
		}
		all = append(all, report.Property{Name: m.Key, Value: text})
	}
	return all
}
