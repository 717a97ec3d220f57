package asl

import (
	"iter"
	"slices"

	"asldb/engine/source"
	"asldb/internal/wording"
)

// The vocabulary of texts, under the names that go with definitions.
type (
	// Source is the text of a definition.
	Source = source.File
	// Position is a place in a Source.
	Position = source.Position
	// Span is a stretch of a Source.
	Span = source.Span
	// Node is one value of the text with its place.
	Node = source.Node
	// NodeMember is one member of an object with the place of its key.
	NodeMember = source.NodeMember
	// Severity tells an error from a warning.
	Severity = source.Severity
	// Diagnostic is one problem of a definition.
	Diagnostic = source.Diagnostic
	// Reason is one step in the explanation of a Diagnostic.
	Reason = source.Reason
)

// The severities of a Diagnostic.
const (
	Error   = source.Error
	Warning = source.Warning
	Hint    = source.Hint
)

// MaxServiceCharacters is the greatest size of a definition that the service takes. A larger one is worth a
// warning, since it runs here all the same.
const MaxServiceCharacters = 1 << 20

// Parse reads the definition in src, which is JSON or YAML; see [source.Read]. It returns every problem that it
// finds, in the order of their positions; the machine is nil when there is an error among them
// that all dialects have. It has the others, which are the ones of the dialect aws: see [StateMachine.Refused].
func Parse(src *Source) (*StateMachine, []Diagnostic) {
	root, problem := source.Read(src, nil)
	if problem != nil {
		return nil, []Diagnostic{*problem}
	}
	return build(src, root)
}

// ParseTree is Parse for a definition that has been read as a tree, from a template for example: the places of root
// are places in src.
func ParseTree(src *Source, root *Node) (*StateMachine, []Diagnostic) { return build(src, root) }

// suggest notes the word that was probably meant in place of the one at the diagnostic's place, if a candidate is like it. It returns
// that word.
func suggest(d *Diagnostic, word string, candidates iter.Seq[string]) string {
	near := wording.Nearest(word, candidates)
	if near != "" {
		d.Suggestion = "did you mean " + quote(near) + "?"
		d.Fix = &source.Fix{At: d.Span, From: word, To: near, Certain: wording.Clear(word, near, candidates)}
	}
	return near
}

// suggestField is suggest for the key of a member that the object owner should not have. A field that owner has already, or that
// another key of it was probably meant to be, is never certain.
func (r *reporter) suggestField(d *Diagnostic, owner *Node, key string, known []string) {
	near := suggest(d, key, slices.Values(known))
	if near == "" {
		return
	}
	if owner == nil || owner.Get(near) != nil {
		d.Fix.Certain = false
		return
	}
	r.misspelt = append(r.misspelt, misspelling{owner, near, len(r.diagnostics) - 1})
	for i := range owner.Members {
		other := owner.Members[i].Key
		if other != key && !slices.Contains(known, other) && wording.Nearest(other, slices.Values(known)) == near {
			d.Fix.Certain = false
		}
	}
}
