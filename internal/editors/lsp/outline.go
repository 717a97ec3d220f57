package lsp

import (
	"cmp"
	"strings"

	"asldb/engine/source"
	"asldb/internal/suite"
)

// symbols answers with the states of a document, or the cases of a suite.
func (s *server) symbols(p *documentParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	read := s.read(d)
	list := []documentSymbol{}
	if read.suite != nil {
		for _, c := range casesOf(read.suite) {
			at := d.lines.span(c.At.Offset, c.At.Offset+wordAt(d.lines.data, c.At.Offset))
			list = append(list, documentSymbol{Name: c.Name, Kind: symbolFunction, Range: at, SelectionRange: at})
		}
		return list, nil
	}
	for _, m := range read.machines {
		if m.text == nil || m.text.Root == nil {
			continue
		}
		states := s.statesIn(d, m, m.text.Root)
		switch {
		case m.text.Source.Name != m.text.Given.Name && m.text.Source.Name == d.name: // the other templates that name it have the same
			return states, nil
		case m.definition.Resource == "" && m.text.Resource == "" || len(states) == 0:
			list = append(list, states...)
			continue
		}
		name := m.text.Resource
		at := span{Start: states[0].Range.Start, End: states[len(states)-1].Range.End}
		list = append(list, documentSymbol{
			Name:           name,
			Kind:           symbolModule,
			Range:          at,
			SelectionRange: states[0].SelectionRange,
			Children:       states,
		})
	}
	return list, nil
}

// statesIn returns the states of a scope.
func (s *server) statesIn(d *document, m *machine, scope *source.Node) (list []documentSymbol) {
	states := scope.Get("States")
	if states == nil {
		return nil
	}
	for i := range states.Members {
		member := &states.Members[i]
		if !m.in(member.KeySpan, d.name) || member.KeySpan.Start.Line == 0 {
			continue
		}
		w := wordOf(d.lines.data, member.KeySpan)
		symbol := documentSymbol{Name: member.Key, Kind: symbolClass, SelectionRange: d.lines.span(w.from, w.to)}
		symbol.Name = cmp.Or(symbol.Name, `""`)
		symbol.Detail, _ = source.TextOf(member.Node.Get("Type"))
		symbol.Range = d.lines.span(member.KeySpan.Start.Offset,
			max(member.KeySpan.End.Offset, member.Node.Span.End.Offset))
		if branches := member.Node.Get("Branches"); branches != nil {
			for _, branch := range branches.Items {
				symbol.Children = append(symbol.Children, s.statesIn(d, m, branch)...)
			}
		}
		for _, field := range []string{"ItemProcessor", "Iterator"} {
			if processor := member.Node.Get(field); processor != nil {
				symbol.Children = append(symbol.Children, s.statesIn(d, m, processor)...)
			}
		}
		for _, below := range symbol.Children { // the range of a symbol holds those below it
			if before(symbol.Range.End, below.Range.End) {
				symbol.Range.End = below.Range.End
			}
		}
		list = append(list, symbol)
	}
	return list
}

// casesOf returns the cases of a suite; of a table, each row.
func casesOf(loaded *suite.Suite) []*suite.Case { return loaded.Cases }

// The commands of code lenses, which the editor's extension has. The arguments of the first two are the URI of the
// suite and the name of the case; inTerminal has the URI of a file, beside which asldb runs, and its arguments;
// debugDefinition the URI of the file with the definition, and the name of the machine in it (empty where the file is the definition).
const (
	runCase         = "asldb.runCase"
	debugCase       = "asldb.debugCase"
	inTerminal      = "asldb.inTerminal"
	debugDefinition = "asldb.debugDefinition"
)

// lenses answers with the commands above the cases of a suite, or above the definitions of a document.
func (s *server) lenses(p *documentParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := []codeLens{}
	read := s.read(d)
	for _, m := range read.machines {
		list = append(list, s.lensesOf(d, m)...)
	}
	if read.suite == nil {
		return list, nil
	}
	for _, c := range casesOf(read.suite) {
		at := d.lines.span(c.At.Offset, c.At.Offset)
		run, debug := "Run case", "Debug"
		if c.Row > 0 {
			run, debug = "Run "+quoted(c.Name), "Debug "+quoted(c.Name)
		}
		list = append(list,
			codeLens{Range: at, Command: command{Title: run, Command: runCase, Arguments: []any{d.uri, c.Name}}},
			codeLens{Range: at, Command: command{Title: debug, Command: debugCase, Arguments: []any{d.uri, c.Name}}})
	}
	return list, nil
}

// lensesOf returns the commands above a definition: to test it where it has suites.
func (s *server) lensesOf(d *document, m *machine) (list []codeLens) {
	if m.text == nil || m.text.Root == nil {
		return nil
	}
	var top source.Span // of the first field
	for i := range m.text.Root.Members {
		if at := m.text.Root.Members[i].KeySpan; m.in(at, d.name) && at.Start.Line > 0 {
			top = at
			break
		}
	}
	if top.Start.Line == 0 {
		return nil
	}
	at := d.lines.span(top.Start.Offset, top.Start.Offset)
	file, resource := uriOf(m.definition.File), m.definition.Resource
	add := func(title, name string, more any) {
		list = append(list, codeLens{at, command{Title: title, Command: name, Arguments: []any{file, more}}})
	}
	run := func(title string) {
		arguments := []string{strings.ToLower(title), m.definition.File}
		if resource != "" {
			arguments = append(arguments, "--resource", resource)
		}
		add(title, inTerminal, arguments)
	}
	run("Run")
	add("Debug", debugDefinition, resource)
	if suites := s.suitesOf(m, s.known()); len(suites) > 0 {
		add("Test", inTerminal, append([]string{"test"}, suites...))
	}
	run("Explore")
	run("Graph")
	return list
}
