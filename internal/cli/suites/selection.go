package suites

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"asldb/internal/cli/command"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
)

// readSuites reads the suites that names mean, and the cases of --cases-of. With those alone no suite need be there.
func (f *testFlags) readSuites(
	s *command.Streams,
	names []string,
) (found []suiterun.Selection, suites []*suite.Suite, err error) {
	if f.casesOf == "" || len(names) > 0 {
		if found, err = suiterun.Find(names); err != nil {
			return nil, nil, command.OneLine(err)
		}
		if suites, err = suiterun.ReadSuites(found); err != nil {
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
func (f *testFlags) foreign(s *command.Streams) (*suite.Suite, error) {
	read, findings, err := command.ReadFixtures(s, f.casesOf)
	if err != nil {
		return nil, err
	}
	for i := range findings {
		fmt.Fprintln(s.Err, wording.Line(findings[i].String()))
	}
	switch {
	case read.File == nil:
		return nil, errors.New("the mocks are wrong")
	case f.Spec.Definition.File == "":
		return nil, errors.New("--cases-of needs --definition FILE: mocks do not name it")
	}
	return suite.OfFixtures(read.File), nil
}

// listCases writes the chosen cases: a line "file:line: name" each, or with --json an object.
func (f *testFlags) listCases(s *command.Streams, chosen [][]*suite.Case) error {
	for _, cases := range chosen {
		for _, c := range cases {
			if !f.reports.Has(report.JSONForm) {
				if _, err := fmt.Fprintln(s.Out, wording.Line(c.String())); err != nil {
					return command.WrapWrite(err)
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

				Tags []string `json:"tags,omitempty"`
			}{c.Suite.Name, c.At.Line, c.At.Col, c.Name, c.Row, c.Skip, c.Suite.Definition().File, c.Tags})
			if err != nil {
				return err
			}
			if _, err := s.Out.Write(wording.JSON(append(line, '\n'))); err != nil {
				return command.WrapWrite(err)
			}
		}
	}
	return nil
}

// noCase is the error of a run without cases.
func (f *testFlags) noCase(suites []*suite.Suite) error {
	total := 0
	for _, s := range suites {
		total += len(s.Cases)
	}
	if f.failed {
		return errors.New("no case has failed: leave out --failed to run all")
	}
	if len(f.tags) > 0 && f.run == "" {
		return fmt.Errorf("no case of %d has the tags that --tag wants: %s", total,
			wording.Line(command.Clip(strings.Join(f.tags, " "), command.MaxQuoted)))
	}
	return fmt.Errorf("no case of %d matches --run %q", total, command.Clip(f.run, command.MaxQuoted))
}
