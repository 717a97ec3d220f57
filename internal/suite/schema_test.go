package suite_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/suite"
)

// both is the reader and the schema.
type both struct {
	name   string // of the suite
	schema *jsonschema.Schema
}

// compiled is the schema, compiled once.
var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(value.Compact(suite.Schema())))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("suite.json", document); err != nil {
		return nil, err
	}
	return compiler.Compile("suite.json")
})

func newBoth(t *testing.T) *both {
	t.Helper()
	schema, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for file, text := range map[string]string{
		"order.fixtures.yaml": "version: 1\ntasks: {ChargeCard: [{output: {paid: true}, repeat: forever}]}\n",
		"child.asl.json":      "{}",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &both{filepath.Join(dir, "order.test.yaml"), schema}
}

// say returns the errors of the reader and of the schema about a document.
func (b *both) say(t *testing.T, v value.Value) (reader, schema error) {
	t.Helper()
	text := value.Compact(v)
	_, reader = suite.Load(b.name, []byte(text))
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return reader, b.schema.Validate(document)
}

func parsed(t *testing.T, text string) value.Value {
	t.Helper()
	root, problem := source.Read(&source.File{Name: "a.yaml", Data: []byte(text)}, nil)
	if problem != nil {
		t.Fatal(problem.Message)
	}
	return root.Value
}

// schemaSuites are suites that together have every key of the format.
var schemaSuites = []string{whole, `version: 1
definition: a.json
type: express
substitutions: b.yaml
allowLive: false
seed: 3
context: {Execution: {Name: a}}
input: 1
resources: {"arn:*": [{output: 1}]}
objects: {"s3://b/k": {body: [1]}}
itemReaders: {M: {items: [1]}}
skip: all of them
tags: every
properties: {team: a}
cases:
  a:
    trace: a.trace
    attempt: 1
  b:
    history: [a.json, b.json]
    startTime: "2026-01-01T00:00:00Z"
    seed: 1
    context: {}
    input: null
    skip: later
  c:
    resources: {"arn:*": [{error: null, cause: x, after: 2s, repeat: 3, then: next}]}
    objects: {"s3://b/k": {error: no}}
    itemReaders: {M: {body: text}}
    inject: {A: {error: null, after: 1m, times: 2}}
    snapshot: true
    expect:
      status: TIMED_OUT
      cause: "$regex(^a)"
      output!: "$.a > 1"
      order: [A, ..., B]
      never: A
      assert: $.a
      states:
        A: {retryDelays: 1s, rule: "< 2", after: {Arguments: "{% true %}"}, output: [1, "$any(uuid)"]}
      tasks: {B: []}
  more:
    extends: a
    tags: [smoke, slow]
    properties: {owner: payments, ticket: 12, paged: true}
    expect: {status: [SUCCEEDED, FAILED], tasks: {B: [{result: {a: 1}, error: "$any", duration: < 2s, retryDelay: ">= 1s, < 5s"}]}}
  "{{a}} of {{b}}":
    table: [{a: 1, b: x}, {a: 2, b: x}]
    inject: {A: [{error: "{{b}}", times: "{{a}}", after: "{{a}}s"}]}
    tasks: {B: [{output: "{{a}}", repeat: "{{a}}"}]}
    expect: {states: {"{{b}}": {visits: "{{a}}", caught: "{{b}}"}}, tasks: {A: {count: "{{a}}"}}}
`}

// place is a value within a document: with replaces it, named gives it another key, and without removes it.
type place struct {
	path  string
	value value.Value
	with  func(value.Value) value.Value
	// named and without are nil where it isn't a member of an object.
	named   func(string) value.Value
	without func() value.Value
}

// places returns all values of a document.
func places(v value.Value) []place {
	var all []place
	var walk func(p place)
	walk = func(p place) {
		all = append(all, p)
		switch c := p.value.(type) {
		case *value.Object:
			for key, member := range c.All() {
				walk(place{
					path: p.path + "." + key, value: member,
					with:    func(v value.Value) value.Value { return p.with(c.With(key, v)) },
					named:   func(name string) value.Value { return p.with(c.Without(key).With(name, member)) },
					without: func() value.Value { return p.with(c.Without(key)) },
				})
			}
		case *value.Array:
			for i, item := range c.All() {
				walk(place{path: p.path + "[]", value: item,
					with: func(v value.Value) value.Value { return p.with(c.With(i, v)) }})
			}
		}
	}
	walk(place{path: "$", value: v, with: func(v value.Value) value.Value { return v }})
	return all
}

// The reader and the schema agree about suites with every key of the format, and about each single change of one:
// another kind of value, an unknown key, a key that is missing.
func TestSchemaAndReaderAgree(t *testing.T) {
	b := newBoth(t)
	others := []value.Value{
		value.Null{}, value.Bool(true), value.Bool(false), value.Must("-1.5"), value.Must("7"), value.String(""),
		value.String("$nothing"),
		value.Must("[]"), value.Must("{}"), value.Must(`["A"]`), value.Must(`[[]]`), value.Must(`{"A": {}}`),
	}
	agree := func(what string, v value.Value) bool {
		reader, schema := b.say(t, v)
		if reader == nil && schema != nil || reader != nil && schema == nil && !beyondSchema(what, reader) {
			t.Errorf("%s:\nreader: %v\nschema: %v", what, reader, schema)
		}
		return reader == nil
	}
	step := everyChange(7)
	taken, refused, n := 0, 0, 0
	for _, text := range schemaSuites {
		root := parsed(t, text)
		if reader, schema := b.say(t, root); reader != nil || schema != nil {
			t.Fatalf("reader: %v\nschema: %v", reader, schema)
		}
		for _, p := range places(root) {
			changed := value.Each(others, func(other value.Value) value.Value { return p.with(other) })
			if p.named != nil {
				changed = append(changed, p.named("unknwon"), p.without())
			}
			for i, v := range changed {
				what := p.path
				if i < len(others) {
					what += " is " + value.Compact(others[i])
				} else if i == len(others) {
					what += " has another name"
				} else {
					what += " is missing"
				}
				if n++; n%step != 0 {
					continue
				}
				if agree(what, v) {
					taken++
				} else {
					refused++
				}
			}
		}
	}
	t.Logf("%d changes were taken, %d refused", taken, refused)
	if taken < 700/step || refused < 2000/step {
		t.Errorf("%d changes were taken, %d refused", taken, refused)
	}
}

// everyChange returns which share of the cases is tried: each n-th, or all of them with ASLDB_EVERY_CHANGE.
func everyChange(n int) int {
	if os.Getenv("ASLDB_EVERY_CHANGE") != "" {
		return 1
	}
	return n
}

// Every key of the schema is in the suites of these tests, so that the reader is known to take it.
func TestSchemaSuitesHaveAllKeys(t *testing.T) {
	var keys []string
	for _, text := range schemaSuites {
		for _, p := range places(parsed(t, text)) {
			keys = append(keys, p.path[strings.LastIndex(p.path, ".")+1:])
		}
	}
	schema := suite.Schema().(*value.Object)
	check := func(where string, v value.Value) {
		properties, _ := v.(*value.Object).Get("properties").(*value.Object)
		if properties == nil {
			return
		}
		for key := range properties.All() {
			if !slices.Contains(keys, key) {
				t.Errorf("no suite has %s of %s", key, where)
			}
		}
	}
	check("a suite", schema)
	defs := schema.Get("$defs").(*value.Object)
	for _, name := range []string{"case", "expect", "state", "invocations", "invocation", "injection", "snapshot",
		"invariant", "defaults", "skip"} {
		if defs.Get(name) == nil {
			t.Fatalf("there is no %s", name)
		}
		check(name, defs.Get(name))
	}
}

// beyondSchema reports whether all errors of the reader are such that a schema cannot know them: a file or a case that
// is not there, a column that the rows do not have or that makes a wrong value, a text with its own grammar.
func beyondSchema(what string, err error) bool {
	if strings.Contains(what, ".table") || strings.Contains(what, "{{") {
		return true
	}
	var wrong *suite.Error
	if !errors.As(err, &wrong) {
		return false
	}
	return !slices.ContainsFunc(wrong.Problems, func(p fixtures.Problem) bool {
		return !slices.ContainsFunc([]string{
			`to extend`, `extends itself`, "a tag is a word",
			"include: open", "there is no case", "there is no file", `not "$nothing"`, `not "A"`,
			`the condition "$nothing"`, "path to ignore",
		}, func(text string) bool { return strings.Contains(p.Message, text) })
	})
}

// Random suites, made of parts of suites that are right, are right for both or wrong for both.
func TestSchemaOfRandomSuites(t *testing.T) {
	b := newBoth(t)
	random := rand.New(rand.NewPCG(18, 2026))
	var parts []place
	for _, text := range schemaSuites {
		parts = append(parts, places(parsed(t, text))...)
	}
	last := func(path string) string { return path[strings.LastIndex(path, ".")+1:] }
	for range 1500 / everyChange(7) {
		root := parsed(t, schemaSuites[random.IntN(len(schemaSuites))])
		for range 1 + random.IntN(4) { // a member by one of the same key, from anywhere
			all := slices.DeleteFunc(places(root), func(p place) bool { return p.named == nil })
			p := all[random.IntN(len(all))]
			same := slices.DeleteFunc(slices.Clone(parts),
				func(other place) bool { return other.named == nil || last(other.path) != last(p.path) })
			if len(same) == 0 || random.IntN(3) == 0 {
				root = p.without()
				continue
			}
			root = p.with(same[random.IntN(len(same))].value)
		}
		reader, schema := b.say(t, root)
		if reader == nil && schema != nil {
			t.Fatalf("the reader takes it, and the schema says %v:\n%s", schema, value.Compact(root))
		}
	}
}
