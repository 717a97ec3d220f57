package suite

import (
	"path/filepath"
	"strings"
	"time"

	"asldb/engine/coverage"
	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/report"
)

// Version is the version of the format that this package reads.
const Version = 1

// Suite is a file of cases that was read without a problem. It never changes.
type Suite struct {
	// Name is the file's name.
	Name string
	// Given is what the suite says about its runs by rows of the table of flags: see [Suite.Definition].
	Given launch.Given
	// At is where the suite names its definition.
	At source.Position
	// Defaults are checked for every case.
	Defaults Defaults
	// Fixtures are the suite's, with a case for each of Cases.
	Fixtures *fixtures.File
	// Cases are in the order of the file, the rows of a table one after the other.
	Cases []*Case
	// Invariants are checked for every run.
	Invariants []Invariant
	// Ignored are parts of the definition that do not count as coverage.
	Ignored []coverage.Ignored
	// Tables are the names of the files with rows of tables.
	Tables []string

	tags       []string          // of every case
	properties []report.Property // likewise
}

// Definition has the names of the definition that the suite is about, files from the working directory; its File is empty where
// the suite names none.
func (s *Suite) Definition() *definitions.Definition { return &s.Given.Spec.Definition }

// Defaults are bounds of every case.
type Defaults struct {
	// Timeout is the longest virtual time of a run; 0: none.
	Timeout time.Duration
	// MaxEvents is the greatest number of events of a run; 0: none.
	MaxEvents int64
}

// Case is one case of a suite.
type Case struct {
	Suite *Suite
	Name  string
	// At is where its name is.
	At source.Position
	// Row is the number of its row in the table of the case, from 1; 0 where there is no table.
	Row int
	// Expect is what the run has to be; nil where only a snapshot or a recording says it.
	Expect *Expect
	// Snapshot compares the run with a file; nil: it does not.
	Snapshot *Snapshot
	// Recording is a recorded run to run again and to compare with; nil: there is none.
	Recording *Recording
	// Skip is the reason for which the case is not run, or empty.
	Skip string
	// Tags choose cases, and Properties are shown in reports; the suite's come first.
	Tags       []string
	Properties []report.Property
	// Injects are the states with errors before the results of the fixtures.
	Injects []string

	whole bool // its fixtures are the whole file
}

// Snapshot says that a run is compared with a snapshot.
type Snapshot struct {
	At source.Position
	// Ignore has the paths of values that are left out, in {status, path, tasks, output, error, cause}. They have names, indexes,
	// wildcards and descents.
	Ignore []*path.Path
}

// Recording names a recorded run.
type Recording struct {
	At source.Position
	// Given names it by rows of the table of flags: the History, or the trace of the Replay.
	Given launch.Given
}

// Expect is what a run has to be. Fields that are nil are not checked, except for Status.
type Expect struct {
	At source.Position
	// Status is how the execution ends; the default is SUCCEEDED. Others are further ends that will do. StatusAt
	// is where it is; the zero Position where there is none.
	Status   Status
	Others   []Status
	StatusAt source.Position
	// Error and Cause belong to an execution that failed.
	Error, Cause *Value
	// Output is the output. Exact: it has no member that is not wanted.
	Output *Value
	// Path is the states that the top thread goes through.
	Path *Path
	// Never are states that no thread enters.
	Never []Pattern
	// Duration is the virtual time of the run; Events is the number of its events, Size the size of the output in bytes.
	Duration, Events, Size *Bound
	// Unused wants every result of the case to be used.
	Unused *source.Position
	// States and Tasks are expectations on single states, and on the tasks of states.
	States []StateExpect
	Tasks  []TaskExpect
	// Assert are conditions on the output, with variables and the context as at the end.
	Assert []*Value
}

// Status is the end of an execution.
type Status uint8

// The ends of an execution.
const (
	Succeeded Status = iota + 1
	Failed
	TimedOut
	Aborted
)

var statuses = [...]string{Succeeded: "SUCCEEDED", Failed: "FAILED", TimedOut: "TIMED_OUT", Aborted: "ABORTED"}

// String returns the word of the format: "SUCCEEDED", "FAILED", "TIMED_OUT" or "ABORTED".
func (s Status) String() string {
	if int(s) < len(statuses) && statuses[s] != "" {
		return statuses[s]
	}
	return "Status(?)"
}

// Path is an order of states. Between the states that follow each other, other states may be where Gap is set.
type Path struct {
	At    source.Position
	Steps []Step
	// Open is set where the path may continue after the last step.
	Open bool
}

// Step is one state of a Path.
type Step struct {
	Pattern
	// Gap is set where any states may come before it.
	Gap bool
}

// Pattern names states: a bare name, a path (Fulfil/Branches[1]/Notify), or one with * for any characters of a name and ** for any
// part of a path.
type Pattern struct {
	At   source.Position
	Text string
}

// StateExpect is what a state's visits have to be. Of a state with several visits, all count together.
type StateExpect struct {
	Pattern
	// Visits, Attempts and Retries are how often it was entered, its work began, and it was retried.
	Visits, Attempts, Retries *Bound
	// Delay is the sum of the delays of its retries; Delays has each of them, in order.
	Delay  *Bound
	Delays []*Bound
	// DelaysAt is where Delays are.
	DelaysAt source.Position
	// Caught is the error that a catcher took, By the catcher's number, from 0, and Next the state after it. Of several visits,
	// one that meets all three is enough, as it is for Failed and Rule.
	Caught *Value
	By     *Bound
	Next   *Value
	// Failed is the error that ended it.
	Failed *Value
	// Rule is the number of the Choice rule that it took, from 0; -1 (default in the text) is Default.
	Rule *Bound
	// Duration is the virtual time that its visits took.
	Duration *Bound
	// Path is the states that each of its branches or iterations goes through.
	Path *Path
	// Stages are the data before and after its stages.
	Stages []StageExpect
}

// NeedsVisit reports whether an expectation besides Visits can only be met by a visit.
func (s *StateExpect) NeedsVisit() bool {
	return s.Caught != nil || s.By != nil || s.Next != nil || s.Failed != nil || s.Rule != nil || s.Delays != nil ||
		len(s.Stages) > 0
}

// OnlyPath reports whether Path is the only expectation.
func (s *StateExpect) OnlyPath() bool {
	return s.Path != nil && !s.NeedsVisit() && s.Visits == nil && s.Attempts == nil && s.Retries == nil &&
		s.Delay == nil &&
		s.Duration == nil
}

// StageExpect is what the data at a stage has to be, at each visit.
type StageExpect struct {
	At    source.Position
	Stage string // the stage's name, such as Parameters; input and output are the state's own
	After bool
	Want  *Value
}

// Describe names the expectation: "after Parameters".
func (s *StageExpect) Describe() string {
	switch {
	case s.Stage == "input" || s.Stage == "output":
		return s.Stage
	case s.After:
		return "after " + s.Stage
	}
	return "before " + s.Stage
}

// TaskExpect is what the invocations of a state's task have to be.
type TaskExpect struct {
	Pattern
	// Count is the number of invocations; Each is true of each one, and Invocations of the first ones, in order.
	Count       *Bound
	Each        *Invocation
	Invocations []Invocation
}

// Invocation is what one invocation of a task has to be.
type Invocation struct {
	At source.Position
	// Payload is what the task gets, Resource the resource that it names.
	Payload, Resource *Value
	// Result is its raw result, and Error the error with which it fails.
	Result, Error *Value
	// Duration is the virtual time that it takes, and Delay the time from its failure to the next attempt.
	Duration, Delay *Bound
}

// Bound compares a number, a duration or a size.
type Bound struct {
	At   source.Position
	Text string
	Op   Op
	// Number is the number, the nanoseconds or the bytes.
	Number float64
	// And is a further bound, as in ">= 2, < 5"; nil: there is none.
	And *Bound
}

// Op is the comparison of a Bound.
type Op uint8

// The comparisons.
const (
	Equal Op = iota + 1
	Less
	AtMost
	Greater
	AtLeast
)

// Holds reports whether a number is within the bound.
func (b *Bound) Holds(n float64) bool {
	if b.And != nil && !b.And.Holds(n) {
		return false
	}
	switch b.Op {
	case Less:
		return n < b.Number
	case AtMost:
		return n <= b.Number
	case Greater:
		return n > b.Number
	case AtLeast:
		return n >= b.Number
	case Equal:
	}
	return n == b.Number
}

// Invariant is a rule about every run, in one of three forms: Never, Assert, or After with Not. A state has succeeded when it was
// left without an error; a Fail state when it was entered. States of one Map are looked at within each iteration, unless a pattern
// has the number of one.
type Invariant struct {
	At source.Position
	// Never is a state that must not be entered unless Without has succeeded before, or is around it.
	Never, Without Pattern
	// When has the ends of runs that have to meet Assert; none: all of them.
	When   []Status
	Assert *Value
	// After is a state; a run in which it has succeeded must not end with one of Not, unless Unless has succeeded after it.
	After  Pattern
	Not    []Status
	Unless Pattern
}

// String returns the rule in words: "invariant: never Ship without ChargeCard".
func (i *Invariant) String() string {
	switch {
	case i.Never.Text != "" && i.Without.Text == "":
		return "invariant: never " + i.Never.Text
	case i.Never.Text != "":
		return "invariant: never " + i.Never.Text + " without " + i.Without.Text
	case i.Assert != nil && len(i.When) == 0:
		return "invariant: " + i.Assert.Plain()
	case i.Assert != nil:
		return "invariant: when " + anyOf(i.When) + ", " + i.Assert.Plain()
	case i.Unless.Text == "":
		return "invariant: after " + i.After.Text + " not " + anyOf(i.Not)
	}
	return "invariant: after " + i.After.Text + " not " + anyOf(i.Not) + " unless " + i.Unless.Text
}

func anyOf(all []Status) string {
	names := value.Each(all, Status.String)
	return strings.Join(names, " or ")
}

// Value is a wanted value: a matcher of values.
type Value struct {
	At    source.Position
	Match Match
	// Exact is set where objects may have no other members, at any depth.
	Exact bool
}

// IsMatcher reports whether several values match.
func (v *Value) IsMatcher() bool {
	_, literal := v.Match.(Literal)
	return !literal
}

// Written returns the wanted value as data, with matchers as they are written.
func (v *Value) Written() value.Value { return v.Match.written() }

// Plain returns a wanted text without quotes, any other value as JSON.
func (v *Value) Plain() string {
	if text, ok := v.Written().(value.String); ok {
		return string(text)
	}
	return v.Text()
}

// Text returns the wanted value as JSON, with matchers as they are written.
func (v *Value) Text() string { return value.Compact(v.Match.written()) }

// OfFixtures returns a suite of the cases of a fixtures file, or of mocks of another program. They have no expectations: each is
// unchecked, whatever becomes of its run. A file without cases is one case, of the file's name.
func OfFixtures(file *fixtures.File) *Suite {
	s := &Suite{Name: file.Name, Fixtures: file}
	at := source.Position{Line: 1, Col: 1}
	for _, name := range file.Cases() {
		s.Cases = append(s.Cases, &Case{Suite: s, Name: name, At: at})
	}
	if len(s.Cases) == 0 {
		s.Cases = []*Case{{Suite: s, Name: filepath.Base(file.Name), At: at, whole: true}}
	}
	return s
}

// Results returns the fixtures of the case. The error is a *[fixtures.CaseError].
func (c *Case) Results() (*fixtures.File, error) {
	if c.whole {
		return c.Suite.Fixtures, nil
	}
	return c.Suite.Fixtures.Case(c.Name)
}
