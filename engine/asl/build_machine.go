package asl

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// The greatest number of seconds that the language's fields take.
const maxSeconds = 99_999_999

// maxName is the greatest number of characters in the name of a state.
const maxName = 128

// shortName is the name of the dialects that take only shorter names.
const shortName = 80

var (
	machineFields = []string{"Comment", "StartAt", "States", "Version", "TimeoutSeconds", "QueryLanguage"}
	branchFields  = []string{"Comment", "StartAt", "States"}
	// ProcessorConfig is allowed in the older Iterator too: the service takes both names for both.
	processorFields = []string{"Comment", "StartAt", "States", "ProcessorConfig"}
)

// top builds the machine itself.
func (b *builder) top(n *Node) {
	b.machine.QueryLanguage = JSONPath
	if n.Kind != value.KindObject {
		found := describe(n)
		if file := cmp.Or(n.Span.File, b.machine.Source); file.Private {
			found = source.Article(n.Kind)
		}
		b.report(n, n.Span, rules.Type, "a definition must be an object, but is %s", found)
		return
	}
	for i := range n.Members {
		switch m := &n.Members[i]; m.Key {
		case "Version":
			b.machine.Version, _ = b.enum(m, "1.0")
		case "TimeoutSeconds":
			b.machine.TimeoutSeconds, _ = b.whole(m, 0, maxSeconds)
		case "QueryLanguage":
			b.machine.QueryLanguage = b.queryLanguage(m)
		}
	}
	if own := n.Get("States").Get("QueryLanguage"); own != nil && n.Get("QueryLanguage") == nil && own.Value == value.Value(value.String("JSONata")) {
		b.machine.QueryLanguage = JSONata // reported, and meant for all
	}
	b.machine.Top = b.scope(n, &Scope{Kind: TopScope}, "", "", "the definition", machineFields)
	b.machine.Comment = b.machine.Top.Comment
}

// queryLanguage reads a QueryLanguage, the machine's or a state's.
func (b *builder) queryLanguage(m *NodeMember) QueryLanguage {
	if own := wordIn(b.reporter, m, queryLanguages); own != 0 {
		return own
	}
	return JSONata // to the service, whatever the value
}

// scope builds one StartAt with its States from the object n. pointer is n's JSON Pointer, prefix the
// definition path of its states, owner its name in messages.
func (b *builder) scope(n *Node, s *Scope, pointer, prefix, owner string, known []string) *Scope {
	s.Span = n.Span
	s.byName = make(map[string]*State)
	s.node = n
	var states *NodeMember
	for i := range n.Members {
		switch m := &n.Members[i]; m.Key {
		case "Comment":
			s.Comment = b.comment(m)
		case "StartAt":
			s.StartAt, _ = b.text(m)
		case "States":
			states = m
		case "QueryLanguage":
			if s.Kind != TopScope { // the machine's own is read before everything else
				b.unknown(m, owner, known)
			}
		default:
			if !contains(known, m.Key) {
				b.unknown(m, owner, known)
			}
		}
	}
	switch {
	case states == nil:
		b.missing(n, owner, "States")
	case b.object(states):
		if len(states.Node.Members) == 0 {
			b.wrong(states, rules.EmptyObject, "\"States\" must have at least one state").Service.Message = emptyMessage
		}
		s.States = make([]*State, 0, len(states.Node.Members))
		for i := range states.Node.Members {
			if m := &states.Node.Members[i]; !b.misplaced(m, s, owner, known) {
				b.state(m, s, pointer+"/States/", prefix)
			}
		}
	}
	if n.Get("StartAt") == nil {
		b.missing(n, owner, "StartAt")
	}
	b.scopes = append(b.scopes, s)
	return s
}

// misplaced reports a field of the scope among its states, and takes it for the scope's own.
func (b *builder) misplaced(m *NodeMember, s *Scope, owner string, known []string) bool {
	if m.Node.Kind == value.KindObject || m.Node.Unknown || m.Key == "States" || !contains(known, m.Key) {
		return false
	}
	d := b.wrongKey(m, rules.Type, "%s is a field of %s, and no state", quote(m.Key), owner)
	d.Expected, d.Found = "an object", describe(m.Node)
	d.Service.Message = "Expected value of type [" + serviceKinds[value.KindObject] + "]"
	d.Suggestion = "move it out of \"States\""
	if s.node.Get(m.Key) != nil {
		d.Suggestion = "remove it"
		return true
	}
	d.Fix = &source.Fix{
		Into: s.node, From: m.Key, To: value.Compact(m.Node.Value), Before: "States", Certain: true,
		More: []source.Fix{{Into: s.node.Get("States"), From: m.Key}},
	}
	b.misspelt = append(b.misspelt, misspelling{s.node, m.Key, len(b.diagnostics) - 1})
	if m.Key == "StartAt" {
		s.StartAt, _ = b.text(m)
	}
	return true
}

func contains(words []string, word string) bool {
	return slices.Contains(words, word)
}

// state builds one member of States.
func (b *builder) state(m *NodeMember, scope *Scope, pointer, prefix string) {
	s := &State{
		Name: m.Key, Scope: scope, Index: len(scope.States), Pointer: pointer + value.EscapePointer(m.Key), path: prefix + m.Key,
		Span: m.Node.Span, NameSpan: m.KeySpan, Node: m.Node, QueryLanguage: b.machine.QueryLanguage, source: b.machine.Source,
	}
	b.name(m)
	first, known := b.machine.byName[s.Name]
	if known && first.Scope != scope { // within one scope it is a duplicate key, which is reported as such
		d := b.wrongKey(m, rules.DuplicateState, "the name %s is already used by the state at %s, line %d; names must be unique in the whole machine",
			quote(s.Name), first.Pointer, first.NameSpan.Start.Line)
		d.Service.Message = "Duplicate State name: " + s.Name
	}
	if !known {
		b.machine.byName[s.Name] = s
	}
	scope.States = append(scope.States, s)
	scope.byName[s.Name] = s
	if b.object(m) {
		b.stateFields(s)
	}
}

// name checks the name of a state.
func (b *builder) name(m *NodeMember) {
	if m.Key == "" {
		b.wrongKey(m, rules.Name, "the name of a state must not be empty")
		return
	}
	if len(m.Key) > shortName {
		if n := utf8.RuneCountInString(m.Key); n > shortName {
			const text = "the name of a state has at most %d characters, but this one has %d"
			d := b.wrongKey(m, rules.LongName, text, shortName, n)
			if n <= maxName {
				b.differs(d, rules.RefusesNamesOver80)
			}
			d.Service = source.Reply{Code: rules.CodeName, Message: "Invalid State name: State '" + m.Key + "' exceeds the 80-character limit allowed by the service"}
		}
	}
	if i := strings.IndexFunc(m.Key, unicode.IsControl); i >= 0 {
		r, _ := utf8.DecodeRuneInString(m.Key[i:])
		b.wrongKey(m, rules.Name, "the name of a state must not contain the control character %q", r)
	}
}
