// Package cases has the results of tasks for executions that are served: of mock configurations, fixtures and suites,
// by the name of a case; and the outcomes of the cases of suites.
package cases

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"sync"
	"time"

	"asldb/engine"
	"asldb/engine/coverage"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/fixtures/mocks"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
)

// Results are where the results of tasks come from.
type Results struct {
	// MockConfig is a mock configuration of Step Functions Local, Fixtures a fixtures file, Suites are suites; their
	// cases are chosen by ARN#CASE.
	MockConfig, Fixtures string
	Suites               []string
	// Lambda is the URL of an endpoint that functions without a result are invoked at; empty: none is.
	Lambda string
	// Services are the endpoints that tasks of other services without a result are sent to.
	Services []live.Service
}

// Chooser reads these files, again when they have changed, and keeps the outcomes of cases.
type Chooser struct {
	Results
	mu    sync.Mutex
	known map[string]*resultFile
	list  []judged
	// Profile is the coverage of the executions.
	Profile coverage.Profile
	bad     int // cases whose expectations were not met
}

// judged is the outcome of a suite's case.
type judged struct {
	of *suite.Suite
	*suite.Outcome
}

// resultFile is a file as it was read.
type resultFile struct {
	stamp  Stamp
	read   *mocks.Read
	suites []*suite.Suite
	err    error
}

// Stamp tells whether a file has changed.
type Stamp struct {
	size int64
	at   time.Time
}

// StampOf returns the stamp of a file as it is now.
func StampOf(name string) (s Stamp) {
	if info, err := os.Stat(name); err == nil {
		s = Stamp{info.Size(), info.ModTime()}
	}
	return s
}

// New returns the chooser of files.
func New(of Results) *Chooser { return &Chooser{Results: of, known: map[string]*resultFile{}} }

// file returns a file as it is now.
func (c *Chooser) file(name string) *resultFile {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := StampOf(name)
	if known := c.known[name]; known != nil && known.stamp == now {
		return known
	}
	f := &resultFile{stamp: now}
	if c.known[name] = f; suite.IsSuite(name) {
		f.suites, f.err = suiterun.ReadSuites([]suiterun.Selection{{File: name}})
	} else {
		var shown string
		var data []byte
		if shown, data, f.err = (files.Files{}).Read(name); f.err == nil {
			f.read, f.err = mocks.Load(shown, data)
		}
	}
	if f.err != nil {
		f.err = fmt.Errorf("%s is wrong: %w", wording.Line(name), f.err)
	}
	return f
}

// Check reads all files once, for the errors in them.
func (r *Results) Check() error {
	var faults []error
	for _, name := range append([]string{r.MockConfig, r.Fixtures}, r.Suites...) {
		if name != "" {
			faults = append(faults, New(*r).file(name).err)
		}
	}
	return errors.Join(faults...)
}

// Call returns the call that gives the outcome of a task without a result; nil: there is none.
func (c *Chooser) Call(request *engine.TaskRequest) func(context.Context) engine.Outcome {
	if c.Lambda != "" && live.IsFunction(&request.Integration) {
		return func(ctx context.Context) engine.Outcome {
			return (&live.Lambda{Endpoint: c.Lambda}).Do(ctx, request)
		}
	}
	for i := range c.Services {
		if _, does := c.Services[i].CallOf(request); does {
			return func(ctx context.Context) engine.Outcome { return c.Services[i].Do(ctx, request) }
		}
	}
	return nil
}

// Cover counts an execution that has ended in the coverage of its definition.
func (c *Chooser) Cover(session *debug.Session, resource string) {
	machine := session.Machine().Definition()
	collector := coverage.NewCollector(machine, coverage.Options{})
	collector.Add(session)
	d := collector.Definition(machine.Source.Name, resource, machine.Source.Digest())
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Profile.AddOrReplace(&d)
}

// Beside returns the fixtures of a definition in a file: those in its project file, or beside it; nil: there are none.
func (c *Chooser) Beside(d *definitions.Definition) (*fixtures.File, error) {
	var at launch.Fixtures
	if err := at.Find(files.Files{}, d, true); err != nil || at.Name == "" {
		return nil, err
	}
	f := c.file(at.Name)
	if f.err != nil {
		return nil, f.err
	}
	return f.read.File, nil
}

// Choice are the results of an execution.
type Choice struct {
	// File has them; nil: there are none.
	File *fixtures.File
	// Case is a suite's, with its own input; nil: it is none.
	Case  *suite.Case
	Input value.Value
}

// Choose returns the results of an execution of a machine: of the case of a name, else of --fixtures, else beside the
// definition.
func (c *Chooser) Choose(machine string, d *definitions.Definition, name string) (Choice, error) {
	if name == "" {
		if c.Fixtures == "" {
			file, err := c.Beside(d)
			return Choice{File: file}, err
		}
		f := c.file(c.Fixtures)
		if f.err != nil {
			return Choice{}, f.err
		}
		if _, err := f.read.File.Source(d.Machine); err == nil {
			return Choice{File: f.read.File}, nil
		}
		return Choice{}, nil // they are another machine's
	}
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	var faults []error
	for _, source := range append([]string{c.MockConfig, c.Fixtures}, c.Suites...) {
		if source == "" {
			continue
		}
		f := c.file(source)
		if f.err != nil {
			return Choice{}, f.err
		}
		found, err := f.choose(machine, name)
		if err == nil {
			return found, nil
		}
		faults = append(faults, err)
	}
	if faults == nil {
		return Choice{}, fmt.Errorf(
			"the case %q is unknown: neither a mock configuration (--mock-config, SFN_MOCK_CONFIG) "+
				"nor a suite (--suite) is given",
			name,
		)
	}
	return Choice{}, errors.Join(faults...)
}

// choose returns the results of a case in the file.
func (f *resultFile) choose(machine, name string) (found Choice, err error) {
	var names []string
	for _, s := range f.suites {
		for _, one := range s.Cases {
			if one.Name == name {
				file, err := one.Results()
				if err != nil {
					return found, err
				}
				return Choice{File: file, Case: one, Input: file.Input}, nil
			}
			names = append(names, one.Name)
		}
	}
	if f.read == nil {
		return found, &fixtures.CaseError{File: f.suites[0].Name, Name: name, Cases: names}
	}
	if f.read.Config != nil {
		if found.File, err = f.read.File.Case(f.read.Config.Resolve(machine + "#" + name)); err == nil {
			return found, nil
		}
	}
	found.File, err = f.read.File.Case(name)
	return found, err
}

// Judge compares an execution that has ended with the expectations of its case. said is a line about one that was not
// as expected.
func (c *Chooser) Judge(of *suite.Case, run *launch.Run) (outcome, said string) {
	o := suiterun.Judge(of, run, suiterun.CaseOptions{})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, judged{of.Suite, o})
	if o.Kind.Bad() {
		c.bad++
		said = wording.Line(of.Name) + ": " + o.Kind.String()
		for i := range o.Findings {
			said += "; " + o.Findings[i].Expectation
		}
	}
	return o.Kind.String(), said
}

// Bad is the number of executions that were not as their cases expect.
func (c *Chooser) Bad() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bad
}

// WriteJUnit writes the outcomes of all cases in the form of JUnit.
func (c *Chooser) WriteJUnit(name string, now time.Time) error {
	collected := &suiterun.Collected{}
	err := c.send(collected, now)
	if err != nil {
		return err
	}
	file, err := files.Begin(name, 0o666)
	if err != nil {
		return err
	}
	defer file.Drop()
	if err := collected.Answer().Write(file, "junit", report.Look{}); err != nil {
		return err
	}
	return file.Commit()
}

// send sends the outcomes of all cases to a sink, suite by suite.
func (c *Chooser) send(to suite.Sink, now time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var suites []*suite.Suite
	for _, o := range c.list {
		if !slices.Contains(suites, o.of) {
			suites = append(suites, o.of)
		}
	}
	var all suite.Summary
	faults := []error{to.Send(suite.Began{Suites: len(suites), Cases: len(c.list)})}
	for _, of := range suites {
		began := &suite.SuiteOutcome{File: of.Name, Definition: of.Definition().File, Started: now}
		faults = append(faults, to.Send(suite.SuiteBegan{Suite: began}))
		for _, o := range c.list {
			if o.of == of {
				o.Suite = began
				began.Summary.Add(o.Outcome)
				all.Add(o.Outcome)
				faults = append(faults, to.Send(suite.CaseEnded{Case: o.Outcome}))
			}
		}
		faults = append(faults, to.Send(suite.SuiteEnded{Suite: began}))
	}
	return errors.Join(append(faults, to.Send(suite.Ended{Summary: all}))...)
}
