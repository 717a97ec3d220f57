package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/suite"
	caserun "asldb/internal/suite/execute"
	"asldb/internal/suite/result"
	suiterun "asldb/internal/suite/runner"
	"asldb/internal/suite/snapshot"
	"asldb/internal/visible"
)

// caseFlag names a case of a suite, which gives the run its definition, input and results.
type caseFlag struct {
	name string
	// notes are about the outcome of the case, for the first line of the screen.
	notes []string
}

func (f *caseFlag) addTo(cmd *cobra.Command) {
	cmd.Flags().Var(newFilled(&f.name, ""), "test", "take the definition, the input and the results from a case of a suite: `FILE:CASE`")
}

// definitionOrCase allows to leave the definition out where a case of a suite names it.
func definitionOrCase(otherwise cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 && cmd.Flags().Changed("test") {
			return nil
		}
		return otherwise(cmd, args)
	}
}

// fillCase completes the Spec by the case of --test.
func (f *sessionFlags) fillCase(cmd *cobra.Command, s *streams) error {
	if f.test.name == "" {
		return nil
	}
	for _, other := range []string{"fixtures", "case", "mock-config", "input", "history", "execution", "attempt", "redrive"} {
		if flag := cmd.Flags().Lookup(other); flag != nil && flag.Changed {
			return fmt.Errorf("--test takes all from the case, and excludes --%s", other)
		}
	}
	c, m, err := openCase(s, f.test.name, f.spec.Definition, caserun.Settings{Dialect: f.spec.Dialect, Limits: f.spec.Limits, Files: s.files()})
	if err != nil {
		return err
	}
	spec, err := caserun.Spec(c, m, caserun.Options{})
	if err != nil {
		return err
	}
	f.spec.Definition, f.spec.Fixtures, f.spec.History, f.spec.Replay, f.spec.Now = spec.Definition, spec.Fixtures, spec.History, spec.Replay, spec.Now
	if f.hasScreen {
		f.standAtDifference(c, m)
	}
	return nil
}

// openCase reads a case of a suite and its definition, which definition replaces where it is given.
func openCase(s *streams, name string, definition launch.Definition, settings caserun.Settings) (*suite.Case, *caserun.Machine, error) {
	file, caseName := suite.Split(name)
	if caseName == "" {
		return nil, nil, fmt.Errorf("--test is FILE:CASE, and %q names no case", name)
	}
	read, err := suiterun.Read([]suiterun.Selection{{File: file, Cases: []string{caseName}}})
	if err != nil {
		return nil, nil, err
	}
	of := caserun.DefinitionOf(read[0])
	if definition.File != "" {
		of = definition
	}
	if of.File == "" {
		return nil, nil, fmt.Errorf("%s names no definition: add definition: FILE, or give it to the command", file)
	}
	m, err := caserun.Open(of, settings)
	if err != nil {
		return nil, nil, s.definitionError(err)
	}
	if err := caserun.Check(read[0], m); err != nil {
		return nil, nil, err
	}
	for _, c := range read[0].Cases {
		if c.Name == caseName {
			return c, m, nil
		}
	}
	return nil, nil, errors.New("the case is not there any more")
}

// standAtDifference runs the case, and lets the screen open at the first event at which the run is not as expected.
func (f *sessionFlags) standAtDifference(c *suite.Case, m *caserun.Machine) {
	outcome, _ := caserun.Run(c, m, caserun.Options{})
	f.test.notes = notesOf(outcome)
	event := firstEvent(outcome)
	if event < 0 || len(f.spec.Breakpoints) > 0 {
		return
	}
	f.begin = func(session *debug.Session) {
		for session.Log().Len() <= event {
			stop, err := session.Do(debug.Command{Kind: debug.Continue, Events: event + 1})
			if err != nil || stop.Reason != debug.StoppedByBreakpoint && stop.Reason != debug.StoppedByLimit {
				break
			}
		}
		session.GoTo(event + 1)
	}
}

// firstEvent returns the index of the first event at which a run is not as expected, -1 where there is none.
func firstEvent(c *result.Case) int {
	first := -1
	for i := range c.Findings {
		if e := c.Findings[i].Event; e >= 0 && (first < 0 || e < first) {
			first = e
		}
	}
	return first
}

// notesOf returns a line for each difference of a case, the wanted value beside the found one. The one that comes first in the run is
// the last line, which the screen shows; the others are among its messages.
func notesOf(c *result.Case) []string {
	if len(c.Findings) == 0 {
		note := "the case " + c.Kind.String()
		if c.Reason != "" {
			note += ": " + c.Reason
		}
		return []string{visible.Line(note)}
	}
	var notes []string
	findings := slices.Clone(c.Findings)
	slices.SortStableFunc(findings, func(a, b result.Finding) int { return cmp.Compare(uint(b.Event), uint(a.Event)) }) // -1 is the greatest
	for i := range findings {
		finding := &findings[i]
		for _, d := range finding.Differences {
			var b strings.Builder
			fmt.Fprintf(&b, "%s %s: wanted %s, found %s", finding.Expectation, d.Path, previewOf(d.Wanted), previewOf(d.Found))
			if d.Reason != "" {
				fmt.Fprintf(&b, " (%s)", d.Reason)
			}
			fmt.Fprintf(&b, ", line %d of the suite", finding.At.Line)
			notes = append(notes, visible.Line(b.String()))
		}
	}
	return notes
}

// maxPreview is the greatest length of a value in a note.
const maxPreview = 60

func previewOf(v value.Value) string {
	if v == nil {
		return "nothing"
	}
	return value.Preview(v, maxPreview)
}

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

// allCases is the value of --update that stands for all cases.
const allCases = "*"

// snapshots are those of the suites that run.
type snapshots struct {
	update string // the case whose snapshot is written, allCases, or empty
	files  map[*suite.Suite]*snapshot.File
	order  []*suite.Suite

	mutex sync.Mutex
	taken map[*suite.Suite][]*result.Case
}

// readSnapshots reads the snapshots of all cases, before one runs.
func readSnapshots(chosen [][]*suite.Case, update string) (*snapshots, error) {
	s := &snapshots{update: update, files: map[*suite.Suite]*snapshot.File{}, taken: map[*suite.Suite][]*result.Case{}}
	var wrong error
	for _, cases := range chosen {
		for _, c := range cases {
			if c.Snapshot == nil || s.files[c.Suite] != nil {
				continue
			}
			file, err := snapshot.Read(c.Suite.Name)
			if err != nil {
				wrong = errors.Join(wrong, err)
				break
			}
			s.files[c.Suite] = file
			s.order = append(s.order, c.Suite)
		}
	}
	return s, wrong
}

// updates reports whether the snapshot of a case is written.
func (s *snapshots) updates(c *suite.Case) bool { return s.update == allCases || s.update == c.Name }

// take notes the outcome of a case whose snapshot is to be written. It may be called by several goroutines.
func (s *snapshots) take(c *suite.Case, r *result.Case) {
	if r.Snapshot == nil || r.Kind != result.Passed || !s.updates(c) {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.taken[c.Suite] = append(s.taken[c.Suite], r)
}

// write writes the files with the snapshots that were taken; with all cases those of cases that are no more are dropped.
func (s *snapshots) write() error {
	if s.update == "" {
		return nil
	}
	var failed error
	for _, of := range s.order {
		file, dropped := s.files[of], false
		for _, r := range s.taken[of] {
			file.Set(r.Name, r.Snapshot)
		}
		var names []string
		for _, c := range of.Cases {
			if c.Snapshot != nil {
				names = append(names, c.Name)
			}
		}
		dropped = file.Retain(names)
		if dropped || len(s.taken[of]) > 0 {
			failed = errors.Join(failed, file.Write())
		}
	}
	return failed
}
