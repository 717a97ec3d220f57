package services

import (
	"slices"
	"strings"
	"sync"
)

// A Result is the typed shape of a task's result. The names of its members are those that the result has: [Member.Name].
type Result struct {
	// Shape is the shape of the whole result; its times ([Timestamp]) are texts, but numbers of milliseconds in the
	// description of an ended job. A member that no model requires may be absent.
	Shape *Shape
	// Complete tells that a member that the shape lacks cannot be in the result. Else the service may have got it since [Newest].
	Complete bool
	// Examples are members that most results have, in the order in which they are shown.
	Examples []Example
}

// An Example is a member of a result with its value.
type Example struct {
	// Path leads to the member: names, keys of maps, "0" for the first item of a list.
	Path []string
	// Text is the value, as text whatever its type; "" for any that suits the type.
	Text string
}

// Result returns the shape of the task's result; false where it is not known: the action is not in the table, or the result is
// whatever the callback brings.
func (c *Call) Result() (Result, bool) {
	switch {
	case c.Pattern == Token:
		return Result{}, false
	case c.own != nil:
		return results().of(c.own, c.Pattern)
	case !c.SDK || c.Operation == nil || c.Pattern != "":
		return Result{}, false
	case c.Operation.Output == nil:
		return Result{Shape: structureOf()}, true
	}
	name := c.Service.Name + ":" + c.Operation.Name
	return Result{Shape: withDocuments(c.Operation.Output, sdkDocuments[name], String), Examples: examples(sdkShows[name])}, true
}

// Mock returns the shape that TestState asks of a mock in place of the task's result: the operation's, and with .sync
// the answer of the operation that describes the job (testing guide, "Mocking service integrations"). It is nil where a mock is
// not checked.
func (c *Call) Mock() *Shape {
	switch {
	case c.own != nil && (c.Pattern == "" || slices.Contains(c.own.patterns, c.Pattern)):
		return results().mock(c.own, c.Pattern)
	case !c.SDK || c.Pattern != "" || c.Operation == nil || c.Operation.Output == nil || len(c.Operation.Output.Members) == 0:
		return nil
	}
	r, _ := c.Result()
	return r.Shape
}

// Patterns returns the suffixes that the action may have. It is false where the table does not have the action of an optimized
// integration. SDK integrations have the callback only.
func (c *Call) Patterns() ([]string, bool) {
	switch {
	case c.SDK:
		return []string{Token}, true
	case c.own == nil:
		return nil, false
	}
	return c.own.patterns, true
}

// Disputed reports whether the documentation contradicts itself about the call's pattern.
func (c *Call) Disputed() bool { return c.own != nil && c.own.disputed && c.Pattern == Token }

// resultCache has the results of optimized integrations, which are made when they are first asked for.
type resultCache struct {
	mu    sync.Mutex
	known map[resultKey]Result
	mocks map[resultKey]*Shape
}

type resultKey struct {
	row     *integration
	pattern string
}

var results = sync.OnceValue(func() *resultCache {
	return &resultCache{known: make(map[resultKey]Result), mocks: make(map[resultKey]*Shape)}
})

func (r *resultCache) of(row *integration, pattern string) (Result, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := resultKey{row, pattern}
	result, found := r.known[key]
	if !found {
		result = row.result(pattern)
		r.known[key] = result
	}
	return result, result.Shape != nil
}

func (r *resultCache) mock(row *integration, pattern string) *Shape {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := resultKey{row, pattern}
	shape, found := r.mocks[key]
	if !found {
		name := row.polls
		if pattern == "" {
			name = row.called()
		}
		if o := operationOf(name); o != nil && o.Output != nil && len(o.Output.Members) > 0 && pattern != Token {
			shape = row.documented(named(o.Output), pattern)
		}
		r.mocks[key] = shape
	}
	return shape
}

// result makes the result of an integration.
func (row *integration) result(pattern string) Result {
	ended := pattern == Sync || pattern == Sync2
	r := Result{Complete: row.complete, Examples: examples(row.shows)}
	shape := row.answer()
	if ended {
		r.Examples = examples(row.ended)
		switch row.top {
		case "=":
		case "":
			shape = nil
		default:
			shape = nil
			if o := operationOf(row.polls); o != nil {
				shape = part(named(o.Output), row.top)
			}
		}
	}
	if shape == nil {
		return Result{}
	}
	shape = row.documented(shape, pattern)
	if !ended && row.service != "apigateway" && row.service != "http" {
		shape = &Shape{Kind: Structure, Members: append(slices.Clone(shape.Members), sdkMetadata...)}
	}
	r.Shape = shape
	return r
}

// sdkMetadata has the members about the call itself, which the optimized integrations add to the service's answer.
var sdkMetadata = []Member{
	has("SdkHttpMetadata", structureOf(has("AllHttpHeaders", mapOf(of(Any))), has("HttpHeaders", mapOf(of(String))), has("HttpStatusCode", of(Integer)))),
	has("SdkResponseMetadata", structureOf(has("RequestId", of(String)))),
}

// answer is the result of the first call.
func (row *integration) answer() *Shape {
	if row.own != nil {
		return row.own()
	}
	o := operationOf(row.called())
	if o == nil {
		return nil
	}
	if o.Output == nil {
		return structureOf()
	}
	return named(o.Output)
}

// called is the operation of the first call; "" where none has its parameters.
func (row *integration) called() string {
	switch row.operation {
	case "-":
		return ""
	case "":
		return row.service + ":" + row.action
	}
	return row.operation
}

// documented returns a result whose documents are values or, with .sync, texts.
func (row *integration) documented(shape *Shape, pattern string) *Shape {
	kind := Any
	if pattern == Sync {
		kind = String
	}
	return withDocuments(shape, row.documents, kind)
}

// withDocuments returns a structure in which some members are JSON: any value, or text.
func withDocuments(shape *Shape, names []string, kind Kind) *Shape {
	if len(names) == 0 {
		return shape
	}
	changed := *shape
	changed.Members = slices.Clone(shape.Members)
	for i := range changed.Members {
		if m := &changed.Members[i]; slices.Contains(names, m.Name) {
			if kind == Any {
				m.Shape = &Shape{Kind: Any}
			} else {
				text := *m.Shape
				text.JSON = true
				m.Shape = &text
			}
		}
	}
	return &changed
}

// operationOf returns an operation by SERVICE:ACTION, nil where there is none.
func operationOf(name string) *Operation {
	service, action, _ := strings.Cut(name, ":")
	if s, found := Find(service); found {
		if o, found := s.Operation(action); found {
			return o
		}
	}
	return nil
}

// part returns the shape of a member of a structure, of a list the shape of an item; for "." the structure's own.
func part(shape *Shape, member string) *Shape {
	if member == "." {
		return shape
	}
	for i := range shape.Members {
		if m := &shape.Members[i]; m.Model == member {
			if m.Shape.Kind == List {
				return m.Shape.Item
			}
			return m.Shape
		}
	}
	return nil
}

// named returns a shape whose members are named as the optimized integrations name them.
func named(shape *Shape) *Shape {
	copies := make(map[*Shape]*Shape)
	var copied func(s *Shape) *Shape
	copied = func(s *Shape) *Shape {
		if s == nil {
			return nil
		}
		if c := copies[s]; c != nil {
			return c
		}
		c := *s
		copies[s] = &c
		c.Members = slices.Clone(s.Members)
		for i := range c.Members {
			m := &c.Members[i]
			m.Name, m.Shape = Capitalized(m.Model), copied(m.Shape)
		}
		c.Key, c.Item = copied(s.Key), copied(s.Item)
		return &c
	}
	return copied(shape)
}

// examples reads members with their values, separated by blanks.
func examples(text string) []Example {
	var list []Example
	for _, word := range strings.Fields(text) {
		p, v, _ := strings.Cut(word, "=")
		list = append(list, Example{Path: strings.Split(p, "."), Text: v})
	}
	return list
}
