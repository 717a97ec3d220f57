package suiterun

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// Proposal is a change with which a case expects what its run is: of its snapshot, or of its expectations.
type Proposal struct {
	// Old and New are the lines that the case has, and would have; Old is empty where there is no snapshot yet.
	Old, New []string
	// Diff are the lines that change.
	Diff []string
	// Left are the expectations that the run still does not meet: they say more than a value.
	Left []suite.Finding
	// Accept writes the change.
	Accept func() error
}

// Fails reports whether a case has failed for an expectation besides its snapshot, and Snaps whether its snapshot is
// new or has changed: there is a change to propose.
func Fails(c *suite.Outcome) bool {
	return c.Kind == suite.OutcomeFailed && slices.ContainsFunc(c.Findings, func(f suite.Finding) bool {
		return f.Expectation != suite.SnapshotExpectation
	})
}

// Snaps is about the snapshot: see [Fails].
func Snaps(c *suite.Outcome) bool {
	return c.Snapshot != nil && (c.Kind == suite.New || c.Kind == suite.OutcomeFailed)
}

// ProposeSnapshot returns the change of the snapshot of a case.
func ProposeSnapshot(c *suite.Outcome) *Proposal {
	p := &Proposal{
		New:    shownLines(TextOf(c.Snapshot)),
		Accept: func() error { return Accept(c.Suite.File, c.Name, c.Snapshot) },
	}
	p.Diff = p.New
	for i := range c.Findings {
		if f := &c.Findings[i]; f.Expectation == suite.SnapshotExpectation {
			p.Old, p.Diff = shownLines(TextOf(f.Wanted)), Differences(f)
		}
	}
	return p
}

// ProposeExpectations runs a case that failed, and returns the change of its expectations in the file of its suite. The
// file is read as it is now: another change may have been accepted since the case was read.
func ProposeExpectations(c *suite.Case, m *Machine, o CaseOptions) (*Proposal, error) {
	name := c.Suite.Name
	text, err := files.RootOf(name).Read(name, value.DefaultBytes)
	if err != nil {
		return nil, err
	}
	accepted, err := acceptIn(c, m, text, o)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(accepted.Before, accepted.After) {
		return nil, fmt.Errorf("%w: %s", errByHand, strings.Join(leftOf(accepted.Left), ", "))
	}
	diff := shownLines(files.Unified(name, accepted.Before, accepted.After))
	return &Proposal{
		Old: caseLines(name, accepted.Before, c.Name), New: caseLines(name, accepted.After, c.Name),
		Diff: diff[min(2, len(diff)):], Left: accepted.Left, // without the names of the file
		Accept: func() error {
			return files.Update(name, 0o666, func(old []byte) ([]byte, error) {
				now, err := acceptIn(c, m, old, o)
				if err != nil {
					return nil, err
				}
				return now.After, nil
			})
		},
	}, nil
}

// acceptIn is [AcceptFound] for a case as it is in a text of its suite.
func acceptIn(c *suite.Case, m *Machine, text []byte, o CaseOptions) (*Accepted, error) {
	read, err := suite.Load(c.Suite.Name, text)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(read.Cases, func(other *suite.Case) bool { return other.Name == c.Name })
	if at < 0 {
		return nil, fmt.Errorf("%s has no case %s any more", c.Suite.Name, c.Name)
	}
	return AcceptFound(read.Cases[at], m, text, o)
}

// leftOf names expectations with their lines.
func leftOf(left []suite.Finding) []string {
	return value.Each(
		left,
		func(f suite.Finding) string { return fmt.Sprintf("line %d: %s", f.At.Line, f.Expectation) },
	)
}

// caseLines are the lines of a case in the text of a suite.
func caseLines(file string, text []byte, name string) []string {
	root, problem := source.Read(&source.File{Name: file, Data: text}, nil)
	if problem != nil {
		return nil
	}
	cases := root.Get("cases")
	if cases == nil {
		return nil
	}
	for i := range cases.Members {
		if m := &cases.Members[i]; m.Key == name {
			return shownLines(text[m.KeySpan.Start.Offset-(m.KeySpan.Start.Col-1) : m.Node.Span.End.Offset])
		}
	}
	return nil
}

func shownLines(text []byte) (lines []string) {
	for line := range strings.Lines(strings.TrimRight(string(text), "\n")) {
		lines = append(lines, wording.Line(strings.TrimRight(line, "\n")))
	}
	return lines
}
