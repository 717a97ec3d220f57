package asl

import (
	"bytes"
	"unicode/utf8"

	"asldb/engine/source"
)

// builder makes the model from a tree of nodes, whichever kind of text that was read from, and reports every problem on the
// way: its own methods read states and the objects in them, the dataReader paths, templates and quantities, and the resolver
// looks up transitions.
type builder struct {
	*reporter
	dataReader
	resolver
}

func newBuilder(src *Source, root *Node) *builder {
	r := &reporter{machine: &StateMachine{Source: src, Root: root, byName: make(map[string]*State)}}
	return &builder{r, dataReader{reporter: r}, resolver{reporter: r}}
}

// Examine is ParseTree for a search for problems: it returns the machine in spite of errors. Such a machine lacks the wrong
// fields, has the transitions to unknown states in [State.Lost] alone, and must not be run. It is nil only where root is no object.
func Examine(src *Source, root *Node) (*StateMachine, []Diagnostic) {
	b := newBuilder(src, root)
	if n := characters(src, root); n > MaxServiceCharacters {
		d := b.report(root, root.Span, source.RuleTooLarge, "the definition has %d characters; the service takes at most %d", n, MaxServiceCharacters)
		d.Severity, d.Service.Refused = Warning, bytes.HasPrefix(bytes.TrimSpace(src.Data), []byte("{")) // else another text is deployed
	}
	b.duplicateKeys(root)
	b.top(root)
	b.resolve()
	b.shadowed()
	source.Sort(source.Own(src, b.diagnostics))
	if b.machine.Top == nil {
		return nil, b.diagnostics
	}
	return b.machine, b.diagnostics
}

// characters counts those of a definition: of the whole text, or of the part of a template that root is.
func characters(src *Source, root *Node) int {
	start, end := root.Span.Start.Offset, root.Span.End.Offset
	if len(src.Data) <= MaxServiceCharacters || start > end || end > len(src.Data) {
		return 0
	}
	if part := src.Data[start:end]; len(bytes.TrimSpace(src.Data)) > len(part) {
		return utf8.RuneCount(part)
	}
	return utf8.RuneCount(src.Data)
}

// build makes the machine from the tree of a definition, where nothing is wrong with it.
func build(src *Source, root *Node) (*StateMachine, []Diagnostic) {
	machine, diagnostics := Examine(src, root)
	for _, d := range diagnostics {
		if d.Severity == Error {
			return nil, diagnostics
		}
	}
	return machine, diagnostics
}
