package suite

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"asldb/engine/coverage"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/report"
)

// Event is one event of the stream. All kinds are in this package, in this order: Began; for each suite SuiteBegan, a
// CaseEnded for each case, and SuiteEnded; then perhaps Covered; Ended.
type Event interface{ event() }

type (
	// Began: all files were read, and the first case is about to run.
	Began struct {
		// Suites and Cases are how many will run.
		Suites int `json:"suites"`
		Cases  int `json:"cases"`
		// Seed is the seed of the order, where it is shuffled; else 0.
		Seed int64 `json:"seed,omitempty"`
		// ShardHead is the head of a shard of the cases; nil: all run.
		*report.ShardHead
	}
	// SuiteBegan: the cases of a suite follow.
	SuiteBegan struct{ Suite *SuiteOutcome }
	// CaseEnded: a case has its outcome.
	CaseEnded struct{ Case *Outcome }
	// SuiteEnded: all cases of the suite have ended, or the run was ended.
	SuiteEnded struct{ Suite *SuiteOutcome }
	// Covered has the coverage of all cases.
	Covered struct {
		Profile *coverage.Profile
		// Minimum is the share in percent that was asked for; 0: none was.
		Minimum int
		// Bars are the shares that were asked for, by kind, too.
		Bars []coverage.Bar
		// Below are sentences about bars of single projects that are not reached, where there are several projects.
		Below []string
		// Scopes are what the others are made of, where the coverage is the one of a shard.
		Scopes []Scope
	}
	// Scope has the coverage of the definitions of one project, which has bars of its own.
	Scope struct {
		Project string // the name of its file; empty: there is none
		Profile *coverage.Profile
		Bars    []coverage.Bar
	}
	// Ended: nothing follows.
	Ended struct{ Summary Summary }
)

func (Began) event()      {}
func (SuiteBegan) event() {}
func (CaseEnded) event()  {}
func (SuiteEnded) event() {}
func (Covered) event()    {}
func (Ended) event()      {}

// CoveredBy returns the coverage of scopes. In a shard the bars are not looked at: others cover more.
func CoveredBy(scopes []Scope, isShard bool) *Covered {
	c := &Covered{Profile: &coverage.Profile{}}
	for _, one := range scopes {
		for i := range one.Profile.Definitions {
			c.Profile.AddOrReplace(&one.Profile.Definitions[i])
		}
	}
	c.Profile.Sort()
	switch {
	case isShard:
		c.Scopes = scopes
		return c
	case len(scopes) == 1:
		c.Bars = scopes[0].Bars
		c.Minimum = coverage.Least(c.Bars)
		return c
	}
	for _, one := range scopes {
		below := one.Profile.Below(one.Bars)
		if share, least := one.Profile.Share(), coverage.Least(one.Bars); share.Percent() < least {
			all := fmt.Sprintf("coverage %d %% (%d of %d), below %d %%",
				share.Percent(), share.Covered, share.Total, least)
			below = append([]string{all}, below...)
		}
		for _, line := range below {
			c.Below = append(c.Below, one.Project+": "+line)
		}
	}
	return c
}

// Reached reports whether the definitions of each scope reach their bars.
func Reached(scopes []Scope) bool {
	return !slices.ContainsFunc(scopes, func(s Scope) bool { return len(s.Bars) > 0 && !s.Profile.Reaches(s.Bars) })
}

// Sink receives the events.
type Sink interface {
	Send(Event) error
}

// SuiteOutcome names a suite.
type SuiteOutcome struct {
	// File is the suite's file, Definition the definition's file.
	File, Definition string
	// Started is the wall clock's time at which its first case began.
	Started time.Time
	Summary Summary // of a SuiteEnded: its cases
}

// Kind is how a case ended.
type Kind uint8

// The kinds of outcomes.
const (
	// Passed: the run was as expected.
	Passed Kind = iota + 1
	// Failed: the run was not as expected, see the findings.
	OutcomeFailed
	// Wrong: the case could not be checked: a task had no result, a file could not be read.
	Wrong
	// Skipped: the case was not run.
	Skipped
	// New: its snapshot is new and was not kept.
	New
	// Unchecked: the case has no expectation: it comes from a format without any.
	Unchecked
)

// kinds has the word of each kind in reports.
var kinds = [...]string{
	Passed:        "passed",
	OutcomeFailed: "failed",
	Wrong:         "error",
	Skipped:       "skipped",
	New:           "new",
	Unchecked:     "no expectation",
}

// String returns the kind's word in reports: "passed", "failed", "error", "skipped", "new" or "no expectation".
func (k Kind) String() string {
	if int(k) < len(kinds) && kinds[k] != "" {
		return kinds[k]
	}
	return "Kind(?)"
}

// KindNamed returns the kind of a word in reports; 0: there is none.
func KindNamed(word string) Kind { return Kind(max(slices.Index(kinds[:], word), 0)) }

// Bad reports whether a case of this kind makes the whole run fail.
func (k Kind) Bad() bool { return k == OutcomeFailed || k == Wrong }

// Outcome is the outcome of one case.
type Outcome struct {
	Suite *SuiteOutcome
	Name  string
	// At is the place of its name in the suite, Row its row in the table that made it, from 1; 0: none did.
	At   source.Position
	Row  int
	Kind Kind
	// Reason belongs to a skipped case, and to one that could not be checked.
	Reason string
	// Findings are the expectations that were not met, in the order of their places.
	Findings []Finding
	// Snapshot is the snapshot of the run where it is new, or not the kept one; else nil.
	Snapshot value.Value
	// Path is the states that the top thread went through.
	Path []string
	// States is the number of visits of states, Virtual the virtual time of the run, and Wall the time that the run took.
	States        int
	Virtual, Wall time.Duration
	// Noticed are the facts that the run noticed, in lines, where they were asked for; they fail no case.
	Noticed []string
	// Debug is the command that opens the case in the debugger at its first finding.
	Debug string
	// Tags and Properties are as in the case.
	Tags       []string
	Properties []report.Property
	// Runs is how often the case ran, with other seeds, and FailedRuns how many of the runs failed; 0 where it was not repeated. Seed
	// belongs to the run that the outcome is about.
	Runs, FailedRuns int
	Seed             int64
}

// SnapshotExpectation is the expectation of a finding about a snapshot.
const SnapshotExpectation = "snapshot"

// Finding is one expectation that was not met.
type Finding struct {
	// Expectation names it: "status", "output", "ChargeCard, invocation 1, payload".
	Expectation string
	// At is its place in the suite.
	At source.Position
	// Event is the index of the event at which the run first differs, from 0; -1 where there is none.
	Event int
	// Place is the place in the definition that the expectation is about, if any.
	Place StatePlace
	// Differences are the values that differ.
	Differences []OutcomeDifference
	// Because explains, in lines, why the execution ended as it did, where it was to end otherwise.
	Because []string
	// Wanted and Found are the whole values where the expectation is about a value, Wanted in the form of the found one; else both
	// are nil.
	Wanted, Found value.Value
}

// StatePlace is the place of a state in a definition, or of a part of one.
type StatePlace struct {
	report.Place
	// Part is the field there, else the state's name.
	Part string
}

// String returns the place as reports have it, "order.asl.json:44 Parameters"; empty: there is none.
func (p StatePlace) String() string {
	if p.File == "" {
		return ""
	}
	return report.Place{File: filepath.Base(p.File), Line: p.Line}.String() + " " + p.Part
}

// OutcomeDifference is a wanted value beside the found one.
type OutcomeDifference = value.Difference

// Summary counts outcomes.
type Summary struct {
	Passed, Failed, Wrong, Skipped, New, Unchecked int
	Virtual, Wall                                  time.Duration
}

// Add counts a case.
func (s *Summary) Add(c *Outcome) {
	switch c.Kind {
	case Passed:
		s.Passed++
	case OutcomeFailed:
		s.Failed++
	case Wrong:
		s.Wrong++
	case Skipped:
		s.Skipped++
	case New:
		s.New++
	case Unchecked:
		s.Unchecked++
	}
	s.Virtual += c.Virtual
	s.Wall += c.Wall
}

// Total returns the number of cases.
func (s *Summary) Total() int {
	return s.Passed + s.Failed + s.Wrong + s.Skipped + s.New + s.Unchecked
}
