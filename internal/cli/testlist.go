package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"asldb/engine"
	"asldb/engine/source"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/suite"
	suiterun "asldb/internal/suite/runner"
	"asldb/internal/visible"
)

// readSuites reads the suites that names stand for, and the cases of --cases-of. With those alone no suite need be there.
func (f *testFlags) readSuites(s *streams, names []string) (found []suiterun.Selection, suites []*suite.Suite, err error) {
	if f.casesOf == "" || len(names) > 0 {
		if found, err = suiterun.Find(names); err != nil {
			return nil, nil, oneLine(err)
		}
		if suites, err = suiterun.Read(found); err != nil {
			return nil, nil, err
		}
	}
	if f.casesOf == "" {
		return found, suites, nil
	}
	foreign, err := f.foreign(s)
	if err != nil {
		return nil, nil, err
	}
	return append(found, suiterun.Selection{File: foreign.Name}), append(suites, foreign), nil
}

// foreign reads the cases of another program's mocks, which have no expectations.
func (f *testFlags) foreign(s *streams) (*suite.Suite, error) {
	read, findings, err := readFixtures(s, f.casesOf)
	if err != nil {
		return nil, err
	}
	for i := range findings {
		fmt.Fprintln(s.err, visible.Line(findings[i].String()))
	}
	switch {
	case read.File == nil:
		return nil, errors.New("the mocks are wrong")
	case f.definition.File == "":
		return nil, errors.New("--cases-of needs --definition FILE: mocks do not name it")
	}
	return suite.OfFixtures(read.File), nil
}

// listCases writes the chosen cases: a line "file:line: name" each, or with --json an object.
func (f *testFlags) listCases(s *streams, chosen [][]*suite.Case) error {
	for _, cases := range chosen {
		for _, c := range cases {
			if !f.json {
				if _, err := fmt.Fprintln(s.out, visible.Line(c.String())); err != nil {
					return wrapWrite(err)
				}
				continue
			}
			line, err := json.Marshal(struct {
				File       string `json:"file"`
				Line       int    `json:"line"`
				Column     int    `json:"column"`
				Case       string `json:"case"`
				Row        int    `json:"row,omitempty"`
				Skip       string `json:"skip,omitempty"`
				Definition string `json:"definition,omitempty"`
			}{c.Suite.Name, c.At.Line, c.At.Col, c.Name, c.Row, c.Skip, c.Suite.Definition})
			if err != nil {
				return err
			}
			if _, err := s.out.Write(visible.JSON(append(line, '\n'))); err != nil {
				return wrapWrite(err)
			}
		}
	}
	return nil
}

// checkSuite writes the problems of a suite, those that show only with its definition included. definition replaces the suite's
// own where it is given.
func checkSuite(s *streams, d launch.Definition, definition, name string) error {
	d.File = definition
	wrong, err := suiteProblems(s, d, name)
	if err != nil || wrong == nil {
		return err
	}
	if _, err := fmt.Fprintln(s.out, visible.Text(wrong.Error())); err != nil {
		return wrapWrite(err)
	}
	return &exitError{StatusFailed, nil}
}

// suiteProblems returns the problems of a suite, nil where there are none. d replaces the suite's own definition where it names a
// file. The error is about reading a file.
func suiteProblems(s *streams, d launch.Definition, name string) (*suite.Error, error) {
	suites, err := suiterun.Read([]suiterun.Selection{{File: name}})
	if err == nil {
		if d.File != "" {
			suites[0].Definition, suites[0].Resource, suites[0].Substitute, suites[0].Substitutions = d.File, d.Resource, d.Substitute, d.Substitutions
		}
		_, err = (&testFlags{dialect: engine.AWS.String()}).open(s, suites)
	}
	var wrong *suite.Error
	if errors.As(err, &wrong) {
		return wrong, nil
	}
	return nil, err
}

// examineSuite returns the problems of a suite. The error is about reading it.
func (f *validateFlags) examineSuite(s *streams, name string) (*report.Machine, error) {
	_, data, err := s.files().Read(name)
	if err != nil {
		return nil, err
	}
	wrong, err := suiteProblems(s, launch.Definition{}, name)
	if err != nil {
		return nil, err
	}
	machine := &report.Machine{Given: &source.File{Name: name, Data: data}}
	if wrong == nil {
		return machine, nil
	}
	for _, p := range wrong.Problems {
		file := machine.Given
		if p.File != "" && p.File != name { // an included one
			_, text, _ := s.files().Read(p.File)
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
