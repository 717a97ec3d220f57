// The table of the kinds of calls that give the outcomes of tasks: commands, endpoints, functions and other
// definitions. What lists or names the kinds reads this table: the reader of fixtures files, explanations, help texts, and the
// tests of the schema and of the documentation.
//
// A new kind is a row here, a type in fixtures/live that makes the call, a reader in the table of fixtures/liveentry.go with
// the call in words beside it (describe, in reach.go), a definition in fixtures/schema.json and a row in docs/fixtures.md. Tests fail
// for a row that lacks its reader, its definition or its documentation.

package outcome

import (
	"slices"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// CallKind is a kind of call.
type CallKind uint8

// The kinds.
const (
	Exec   CallKind = iota // a command
	HTTP                   // an HTTP endpoint
	Lambda                 // a Lambda function
	Nested                 // another definition, which is run beside the first and calls nothing outside by itself
)

// kinds has a row for each kind. Verb and objects describe the call; they are empty for a kind that calls nothing outside.
var kinds = [...]struct{ name, verb, objects string }{
	Exec:   {"exec", "run", "commands"},
	HTTP:   {"http", "call", "endpoints"},
	Lambda: {"lambda", "call", "functions"},
	Nested: {"asldb", "", ""},
}

// All returns every kind.
func All() []CallKind {
	all := make([]CallKind, len(kinds))
	for i := range all {
		all[i] = CallKind(i)
	}
	return all
}

// Parse returns the kind of that name; ok is false where there is none.
func Parse(name string) (kind CallKind, ok bool) { return wording.KindNamed[CallKind](Names(), name) }

// Names returns the name of every kind.
func Names() []string { return value.Each(All(), CallKind.String) }

// String returns the kind's name: the key of an entry in a fixtures file, and the origin of the outcomes that it gives.
func (k CallKind) String() string { return kinds[k].name }

// Outside reports whether the kind calls something outside, which needs permission.
func (k CallKind) Outside() bool { return kinds[k].verb != "" }

// Actions returns the actions of the kinds outside: "run commands (exec), call endpoints (http) and functions (lambda)".
func Actions() string {
	verb := ""
	var parts []string
	for _, kind := range All() {
		row := kinds[kind]
		if !kind.Outside() {
			continue
		}
		part := row.objects + " (" + row.name + ")"
		if row.verb != verb {
			part = row.verb + " " + part
		}
		verb, parts = row.verb, append(parts, part)
	}
	return wording.And(parts)
}

// Objects returns the objects that the kinds call: "commands, endpoints and functions".
func Objects() string {
	var parts []string
	for _, kind := range slices.DeleteFunc(All(), func(k CallKind) bool { return !k.Outside() }) {
		parts = append(parts, kinds[kind].objects)
	}
	return wording.And(parts)
}
