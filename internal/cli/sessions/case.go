package sessions

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/cli/reading"
	"asldb/internal/launch"
	"asldb/internal/suite"
	caserun "asldb/internal/suite/execute"
	"asldb/internal/suite/result"
	suiterun "asldb/internal/suite/runner"
	"asldb/internal/visible"
)

// CaseFlag names a case of a suite, which gives the run its definition, input and results.
type CaseFlag struct {
	name string
	// notes are about the outcome of the case, for the first line of the screen.
	notes []string
}

// AddTo adds the flag.
func (f *CaseFlag) AddTo(cmd *cobra.Command) {
	cmd.Flags().Var(command.NewFilled(&f.name, ""), "test", "take the definition, the input and the results from a case of a suite: `FILE:CASE`")
}

// DefinitionOrCase allows to leave the definition out where a case of a suite names it.
func DefinitionOrCase(otherwise cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 && cmd.Flags().Changed("test") {
			return nil
		}
		return otherwise(cmd, args)
	}
}

// fillCase completes the Spec by the case of --test.
func (f *Flags) fillCase(cmd *cobra.Command, s *command.Streams) error {
	if f.Test.name == "" {
		return nil
	}
	for _, other := range []string{"fixtures", "case", "mock-config", "input", "history", "execution", "attempt", "redrive"} {
		if flag := cmd.Flags().Lookup(other); flag != nil && flag.Changed {
			return fmt.Errorf("--test takes all from the case, and excludes --%s", other)
		}
	}
	c, m, err := openCase(s, f.Test.name, f.Spec.Definition, caserun.Settings{Dialect: f.Spec.Dialect, Limits: f.Spec.Limits, Files: s.Files(), Projects: f.Spec.Definition.Projects})
	if err != nil {
		return err
	}
	spec, err := caserun.Spec(c, m, caserun.Options{})
	if err != nil {
		return err
	}
	f.Spec.Definition, f.Spec.Fixtures, f.Spec.History, f.Spec.Replay, f.Spec.Now = spec.Definition, spec.Fixtures, spec.History, spec.Replay, spec.Now
	if f.hasScreen {
		f.standAtDifference(c, m)
	}
	return nil
}

// openCase reads a case of a suite and its definition, which definition replaces where it is given.
func openCase(s *command.Streams, name string, definition launch.Definition, settings caserun.Settings) (*suite.Case, *caserun.Machine, error) {
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
		return nil, nil, reading.DefinitionError(s, err)
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
func (f *Flags) standAtDifference(c *suite.Case, m *caserun.Machine) {
	outcome, _ := caserun.Run(c, m, caserun.Options{})
	f.Test.notes = notesOf(outcome)
	event := firstEvent(outcome)
	if event < 0 || len(f.Spec.Breakpoints) > 0 {
		return
	}
	f.Begin = func(session *debug.Session) {
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
