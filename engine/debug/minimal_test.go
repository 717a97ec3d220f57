package debug_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// minimal is an interpreter of just the workloads: paths, templates and rules compiled once, documents of Go's maps and
// slices, shared and never changed in place. It has no validation, timeouts, Catch, context object or virtual time. It
// shows what the work of a workload costs at least: sessions are measured against it.
type minimal struct {
	calls int
	kept  []reference
}

// reference is a transition, or an attempt of a task, with its input and output.
type reference struct {
	state   *minimalState
	in, out any
}

type minimalScope struct{ start *minimalState }

type minimalState struct {
	kind                       string
	input, output, items       minimalPath
	result                     any
	resultPath                 minimalPath
	replaces                   bool // ResultPath is absent
	fixed                      bool // Result is there
	parameters, resultSelector any  // a template
	task                       func(*minimal, any) (any, string)
	retries                    []minimalRetrier
	rules                      []minimalRule
	next, otherwise            *minimalState
	branches                   []*minimalScope
}

type minimalRetrier struct {
	errors []string
	most   int
}

type minimalRule struct {
	holds func(any) bool
	next  *minimalState
}

// run runs the scope over a document.
func (m *minimal) run(scope *minimalScope, in any) any {
	for s := scope.start; ; {
		out, next := m.step(s, in)
		m.kept = append(m.kept, reference{s, in, out})
		if next == nil {
			return out
		}
		in, s = out, next
	}
}

func (m *minimal) step(s *minimalState, raw any) (out any, next *minimalState) {
	data := s.input.find(raw)
	switch s.kind {
	case "Choice":
		for i := range s.rules {
			if s.rules[i].holds(data) {
				return raw, s.rules[i].next
			}
		}
		return raw, s.otherwise
	case "Succeed":
		return data, nil
	}
	if s.parameters != nil {
		data = fill(s.parameters, data)
	}
	result := data
	switch {
	case s.fixed:
		result = s.result
	case s.task != nil:
		result = m.call(s, data)
	case s.kind == "Parallel":
		results := value.Each(s.branches, func(branch *minimalScope) any { return m.run(branch, data) })
		result = results
	case s.kind == "Map":
		items := s.items.find(data).([]any)
		results := value.Each(items, func(item any) any { return m.run(s.branches[0], item) })
		result = results
	}
	if s.resultSelector != nil {
		result = fill(s.resultSelector, result)
	}
	if !s.replaces {
		result = s.resultPath.set(raw, result)
	}
	return s.output.find(result), s.next
}

func (m *minimal) call(s *minimalState, in any) any {
	for used := 0; ; used++ {
		out, fault := s.task(m, in)
		if fault == "" {
			return out
		}
		retrier := s.retrier(fault)
		if retrier == nil || used >= retrier.most {
			panic(fault)
		}
		m.kept = append(m.kept, reference{s, in, nil})
	}
}

func (s *minimalState) retrier(fault string) *minimalRetrier {
	for i := range s.retries {
		for _, name := range s.retries[i].errors {
			if name == fault || name == "States.ALL" {
				return &s.retries[i]
			}
		}
	}
	return nil
}

// minimalTasks are the workloads' tasks.
var minimalTasks = map[string]func(*minimal, any) (any, string){
	"identity": func(_ *minimal, in any) (any, string) { return in, "" },
	"incr":     func(_ *minimal, in any) (any, string) { return minimalCount(in), "" },
	"flaky": func(m *minimal, in any) (any, string) {
		if m.calls++; m.calls%4 != 0 {
			return nil, "Flaky"
		}
		return minimalCount(in), ""
	},
	"work": func(_ *minimal, in any) (any, string) {
		return map[string]any{"n": in.(map[string]any)["n"].(float64) + 1, "echo": in, "noise": minimalNoise}, ""
	},
	"touch": func(_ *minimal, in any) (any, string) {
		return map[string]any{"ok": true, "keys": float64(len(in.(map[string]any)))}, ""
	},
}

var minimalNoise any = strings.Repeat("x", 400)

func minimalCount(in any) any {
	return map[string]any{"n": in.(map[string]any)["c"].(map[string]any)["n"].(float64) + 1}
}

// minimalPath is a path of names and indexes; nil is the whole document.
type minimalPath []any

func parseMinimalPath(text string) minimalPath {
	var p minimalPath
	for name := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(text, "$"), "."), ".") {
		if name == "" {
			continue
		}
		name, index, indexed := strings.Cut(name, "[")
		p = append(p, name)
		if indexed {
			i, _ := strconv.Atoi(strings.TrimSuffix(index, "]"))
			p = append(p, i)
		}
	}
	return p
}

func (p minimalPath) find(doc any) any {
	for _, step := range p {
		switch step := step.(type) {
		case string:
			object, _ := doc.(map[string]any)
			doc = object[step]
		case int:
			doc = doc.([]any)[step]
		}
	}
	return doc
}

// set returns a document with a value at the path. The objects on the way to it are copied.
func (p minimalPath) set(doc, v any) any {
	if len(p) == 0 {
		return v
	}
	name := p[0].(string)
	object, _ := doc.(map[string]any)
	copied := maps.Clone(object)
	if copied == nil {
		copied = make(map[string]any)
	}
	copied[name] = p[1:].set(object[name], v)
	return copied
}

// The parts of a template, beside values.
type (
	minimalTemplate []minimalMember
	minimalMember   struct {
		key  string
		part any
	}
	minimalSum struct {
		path minimalPath
		add  float64
	}
)

func fill(part, doc any) any {
	switch part := part.(type) {
	case minimalTemplate:
		object := make(map[string]any, len(part))
		for _, m := range part {
			object[m.key] = fill(m.part, doc)
		}
		return object
	case minimalPath:
		return part.find(doc)
	case minimalSum:
		return part.path.find(doc).(float64) + part.add
	}
	return part
}

func parseMinimalTemplate(v any) any {
	object, ok := v.(map[string]any)
	if !ok {
		return v
	}
	template := minimalTemplate{}
	for key, member := range object {
		name, isPath := strings.CutSuffix(key, ".$")
		switch text, _ := member.(string); {
		case !isPath:
			template = append(template, minimalMember{key, parseMinimalTemplate(member)})
		case strings.HasPrefix(text, "States.MathAdd("):
			path, add, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(text, "States.MathAdd("), ")"), ",")
			n, _ := strconv.ParseFloat(strings.TrimSpace(add), 64)
			template = append(template, minimalMember{name, minimalSum{parseMinimalPath(path), n}})
		default:
			template = append(template, minimalMember{name, parseMinimalPath(text)})
		}
	}
	return template
}

func parseMinimalRule(rule map[string]any) func(any) bool {
	if all, ok := rule["And"].([]any); ok {
		tests := value.Each(all, func(operand any) func(any) bool { return parseMinimalRule(operand.(map[string]any)) })
		return func(doc any) bool {
			return !slices.ContainsFunc(tests, func(holds func(any) bool) bool { return !holds(doc) })
		}
	}
	if operand, ok := rule["Not"].(map[string]any); ok {
		holds := parseMinimalRule(operand)
		return func(doc any) bool { return !holds(doc) }
	}
	path := parseMinimalPath(rule["Variable"].(string))
	for operator, wanted := range rule {
		text, _ := wanted.(string)
		number, _ := wanted.(float64)
		switch operator {
		case "StringEquals":
			return func(doc any) bool { v, ok := path.find(doc).(string); return ok && v == text }
		case "StringLessThan":
			return func(doc any) bool { v, ok := path.find(doc).(string); return ok && v < text }
		case "BooleanEquals":
			return func(doc any) bool { v, ok := path.find(doc).(bool); return ok && v == wanted.(bool) }
		case "NumericEquals":
			return func(doc any) bool { v, ok := path.find(doc).(float64); return ok && v == number }
		case "NumericLessThan":
			return func(doc any) bool { v, ok := path.find(doc).(float64); return ok && v < number }
		case "NumericGreaterThan":
			return func(doc any) bool { v, ok := path.find(doc).(float64); return ok && v > number }
		}
	}
	panic("the minimal interpreter has no such rule")
}

func parseMinimalScope(def map[string]any) *minimalScope {
	states := make(map[string]*minimalState)
	for name := range def["States"].(map[string]any) {
		states[name] = &minimalState{}
	}
	named := func(name any) *minimalState { text, _ := name.(string); return states[text] }
	for name, state := range def["States"].(map[string]any) {
		parseMinimalState(states[name], state.(map[string]any), named)
	}
	return &minimalScope{named(def["StartAt"])}
}

func parseMinimalState(s *minimalState, def map[string]any, named func(any) *minimalState) {
	path := func(name string) minimalPath { text, _ := def[name].(string); return parseMinimalPath(text) }
	s.kind, s.next, s.otherwise = def["Type"].(string), named(def["Next"]), named(def["Default"])
	s.input, s.output, s.items, s.resultPath = path("InputPath"), path("OutputPath"), path("ItemsPath"),
		path("ResultPath")
	s.replaces = def["ResultPath"] == nil
	s.result, s.fixed = def["Result"]
	s.parameters, s.resultSelector = parseMinimalTemplate(def["Parameters"]),
		parseMinimalTemplate(def["ResultSelector"])
	if resource, ok := def["Resource"].(string); ok {
		s.task = minimalTasks[resource[strings.LastIndexByte(resource, ':')+1:]]
	}
	list := func(name string) []any { all, _ := def[name].([]any); return all }
	for _, retrier := range list("Retry") {
		r := minimalRetrier{most: int(retrier.(map[string]any)["MaxAttempts"].(float64))}
		for _, name := range retrier.(map[string]any)["ErrorEquals"].([]any) {
			r.errors = append(r.errors, name.(string))
		}
		s.retries = append(s.retries, r)
	}
	for _, rule := range list("Choices") {
		rule := rule.(map[string]any)
		s.rules = append(s.rules, minimalRule{parseMinimalRule(rule), named(rule["Next"])})
	}
	for _, branch := range list("Branches") {
		s.branches = append(s.branches, parseMinimalScope(branch.(map[string]any)))
	}
	if processor, ok := def["ItemProcessor"].(map[string]any); ok {
		s.branches = append(s.branches, parseMinimalScope(processor))
	}
}

// minimalWorkload is a workload for the minimal interpreter.
type minimalWorkload struct {
	top      *minimalScope
	text     []byte // of the input
	input    any
	expected any
}

func loadMinimal(t testing.TB, name string) minimalWorkload {
	t.Helper()
	read := func(text []byte) (v any) {
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	files := runs.FilesFor(t, name)
	return minimalWorkload{top: parseMinimalScope(read(files.Definition).(map[string]any)), input: read(files.Input),
		text: files.Input, expected: read(files.Expected)}
}

// The minimal interpreter does the whole work of the workloads.
func TestMinimalInterpreter(t *testing.T) {
	for _, name := range runs.Names() {
		t.Run(name, func(t *testing.T) {
			w := loadMinimal(t, name)
			var m minimal
			if output := m.run(w.top, w.input); !reflect.DeepEqual(output, w.expected) {
				t.Fatalf("output %.300v\n  want %.300v", output, w.expected)
			}
			if steps := runs.Load(t, name).Steps; int64(len(m.kept)) != steps {
				t.Errorf("%d transitions, want %d", len(m.kept), steps)
			}
		})
	}
}
