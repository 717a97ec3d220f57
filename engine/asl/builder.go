package asl

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"asldb/engine/rules"
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
// fields, has the transitions to unknown states in [State.Lost] alone, and must not be run. It is nil only where root
// is not an object. The problems are the dialect's.
func Examine(src *Source, root *Node, dialect rules.Dialect) (*StateMachine, []Diagnostic) {
	machine, common := examine(src, root)
	problems := append(common, machine.Refused(dialect)...)
	source.Sort(problems)
	if machine.Top == nil {
		return nil, problems
	}
	return machine, problems
}

// examine makes the machine, and returns the problems that it has in all dialects.
func examine(src *Source, root *Node) (*StateMachine, []Diagnostic) {
	b := newBuilder(src, root)
	if n := characters(src, root); n > MaxServiceCharacters {
		d := b.report(root, root.Span, source.RuleTooLarge, "the definition has %d characters; the service takes at most %d", n, MaxServiceCharacters)
		d.Severity, d.Service.Refused = Warning, bytes.HasPrefix(bytes.TrimSpace(src.Data), []byte("{")) // else another text is deployed
	}
	b.duplicateKeys(root)
	b.top(root)
	b.resolve()
	b.shadowed()
	return b.machine, b.common()
}

// common puts the problems that the machine has in some dialects only into its Differences, and returns the others.
func (b *builder) common() []Diagnostic {
	source.Own(b.machine.Source, b.diagnostics)
	common := make([]Diagnostic, 0, len(b.diagnostics))
	for i, d := range b.diagnostics {
		if matter, ok := b.matters[i]; ok {
			b.machine.Differences = append(b.machine.Differences, Difference{matter, d})
		} else {
			common = append(common, d)
		}
	}
	source.Sort(common)
	return common
}

// Remade returns a state of the machine as it is with another object, which has changes; the machine stays as it is.
// The problems are the dialect's in the object alone: a problem that only the whole machine shows, such as a state to
// which no way leads, is not among them.
func (m *StateMachine) Remade(state *State, node *Node, dialect rules.Dialect) (*State, []Diagnostic) {
	b := newBuilder(m.Source, node)
	b.machine.QueryLanguage = m.QueryLanguage
	s := &State{
		Name: state.Name, Scope: state.Scope, Index: state.Index, Pointer: state.Pointer, path: state.path,
		Span: state.Span, NameSpan: state.NameSpan, Node: node, QueryLanguage: m.QueryLanguage, source: m.Source,
	}
	b.duplicateKeys(node)
	b.stateFields(s)
	b.resolve()
	b.shadowed()
	common := b.common()
	problems := append(common, b.machine.Refused(dialect)...)
	source.Sort(problems)
	return s, problems
}

// characters counts the characters of a definition: of the whole text, or of the part of a template that root is.
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

// build makes the machine from the tree of a definition, where nothing is wrong with it in every dialect.
func build(src *Source, root *Node) (*StateMachine, []Diagnostic) {
	machine, problems := examine(src, root)
	wrong := machine.Top == nil || slices.ContainsFunc(problems, func(d Diagnostic) bool { return d.Severity == Error })
	problems = append(problems, machine.Refused(rules.AWS)...)
	source.Sort(problems)
	if wrong {
		return nil, problems
	}
	return machine, problems
}
