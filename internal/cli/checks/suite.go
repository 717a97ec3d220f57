package checks

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"asldb/engine/source"
	"asldb/internal/cli/command"
	"asldb/internal/definitions"
	"asldb/internal/project"
)

// examineSuite returns the problems of a suite. The error is about reading it.
func (f *validateFlags) examineSuite(s *command.Streams, name string) (*project.Checked, error) {
	_, data, err := s.Files().Read(name)
	if err != nil {
		return nil, err
	}
	wrong, err := command.SuiteProblems(s, definitions.Definition{}, name)
	if err != nil {
		return nil, err
	}
	machine := &project.Checked{Given: &source.File{Name: name, Data: data}}
	if wrong == nil {
		return machine, nil
	}
	for _, p := range wrong.Problems {
		file := machine.Given
		if p.File != "" && p.File != name { // an included one
			_, text, _ := s.Files().Read(p.File)
			file = &source.File{Name: p.File, Data: text}
		}
		at := positionIn(file.Data, p.Line, p.Col)
		suggestion := p.Suggestion
		if suggestion != "" {
			suggestion = fmt.Sprintf("did you mean %q?", suggestion)
		}
		machine.Problems = append(machine.Problems, source.Diagnostic{
			File: file, Severity: source.Error, Rule: "suite", Span: source.Span{Start: at, End: at}, Message: p.Message, Suggestion: suggestion,
		})
	}
	return machine, nil
}

// positionIn returns the position of a line and a column, in characters, of a text.
func positionIn(text []byte, line, col int) source.Position {
	at := source.Position{Line: line, Col: col}
	for range line - 1 {
		end := bytes.IndexByte(text[at.Offset:], '\n')
		if end < 0 {
			return at
		}
		at.Offset += end + 1
	}
	for range col - 1 {
		if at.Offset == len(text) || text[at.Offset] == '\n' {
			return at
		}
		_, size := utf8.DecodeRune(text[at.Offset:])
		at.Offset += size
	}
	return at
}
