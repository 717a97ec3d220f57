package mutate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/rules"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/work"
)

// Status is what became of a mutant.
type Status uint8

// The ends of mutants, in the order of reports.
const (
	// Survived: all cases pass with it.
	Survived Status = iota + 1
	// NotCovered: no case goes through the changed place, so that none can fail.
	NotCovered
	// TimedOut: a run with it does not end, as far as it was followed. It counts as killed.
	TimedOut
	// Invalid: the changed definition is none.
	Invalid
	// Killed: a case fails with it.
	Killed
)

// statuses has the words of reports.
var statuses = [...]string{Survived: "survived", NotCovered: "not covered", TimedOut: "timed out", Invalid: "invalid", Killed: "killed"}

// String returns the word of reports: "survived", "not covered", "timed out", "invalid" or "killed".
func (s Status) String() string {
	if int(s) < len(statuses) && statuses[s] != "" {
		return statuses[s]
	}
	return "Status(?)"
}

// Options say which mutants are run, and how.
type Options struct {
	// Sample is how many mutants of the definition are run, chosen by Seed; 0: all.
	Sample int
	Seed   int64
	// Only is the number of the one mutant that is run; 0: all are.
	Only int
	// Parallel is how many mutants run at a time; 0: one for each core.
	Parallel int
	// Settings are those with which the machine was opened. They read its file again.
	Settings suiterun.Settings
	// Redact has the values that are kept out of outcomes; of the explanations all values are. nil: none.
	Redact *suiterun.Redactions
	// Progress is called after each mutant, from several goroutines, with how many have been run; nil: it is not.
	Progress func(done, all int)
}

// Outcome is what became of a mutant.
type Outcome struct {
	*Mutant
	Status Status
	// Cases is how many cases go through the changed place.
	Cases int
	// Killer is the case that failed, and Expectation the first that it did not meet; nil and empty unless killed.
	Killer      *suite.Case
	Expectation string
	// Missing says which expectation would have shown a survivor, or what no case does; empty otherwise.
	Missing string
	// Expected is that expectation, where one value that can be written into the case tells the survivor apart.
	Expected *Expectation
	// Reason says why a mutant is invalid.
	Reason string
	// Case is a case in which the survivor runs otherwise than the definition, or which goes through the place; nil: none does.
	Case *suite.Case
	// Diff is the change as a unified diff, for a survivor and where no case covers it: of the file if Text is set, else of the
	// definition as JSON.
	Diff []byte
	Text bool
}

// Result is what became of the mutants of a definition.
type Result struct {
	// File is the definition's file; Resource is the logical name of the machine in a template, or empty.
	File, Resource string
	Source         *source.File
	// Cases is how many cases were run against the mutants, Suites are their files.
	Cases  int
	Suites []string
	// All is the number of mutants of the definition. Outcomes are those that were run, in the order of the text.
	All      int
	Outcomes []Outcome
}

// FailingError says that cases fail with the definition as it is, so that mutants would tell nothing.
type FailingError struct {
	Cases []*suite.Outcome
	// Suites are the suites of Cases.
	Suites []*suite.Suite
}

// Error implements error: the cases.
func (e *FailingError) Error() string {
	names := make([]string, len(e.Cases))
	for i, c := range e.Cases {
		names[i] = fmt.Sprintf("%s:%d: %s (%s)", e.Suites[i].Name, c.At.Line, c.Name, c.Kind)
	}
	return "mutants need suites that pass; run asldb test first. These cases do not pass with the definition as it is:\n  " + strings.Join(names, "\n  ")
}

// limits of a run with a mutant, compared with a run of the unchanged definition.
const (
	moreEvents = 2000
	timesMore  = 2
	wallTime   = 20 * time.Second
)

// Run runs the cases, which are about the machine, against its mutants. The error is a *[FailingError], or the
// context's.
func Run(ctx context.Context, machine *suiterun.Machine, cases []*suite.Case, o Options) (*Result, error) {
	r := &runner{machine: machine, options: o, snapshots: map[*suite.Suite]*suiterun.File{}}
	definition := machine.Definition.Machine
	result := &Result{File: machine.Definition.File, Resource: machine.Definition.Resource, Source: definition.Source}
	if err := r.open(ctx, cases); err != nil {
		return nil, err
	}
	result.Cases = len(r.cases)
	for _, c := range r.cases {
		if !slices.Contains(result.Suites, c.Suite.Name) {
			result.Suites = append(result.Suites, c.Suite.Name)
		}
	}
	mutants := Of(definition)
	result.All = len(mutants)
	if mutants = sample(mutants, o); o.Only > 0 {
		mutants = slices.DeleteFunc(mutants, func(m *Mutant) bool { return m.Number != o.Only })
	}
	result.Outcomes = make([]Outcome, len(mutants))
	var done atomic.Int64
	err := r.each(ctx, len(mutants), func(i int) {
		result.Outcomes[i] = r.mutant(ctx, mutants[i])
		if o.Progress != nil {
			o.Progress(int(done.Add(1)), len(mutants))
		}
	})
	return result, err
}

// sample chooses the mutants to run. They stay in their order.
func sample(mutants []*Mutant, o Options) []*Mutant {
	if o.Sample <= 0 || o.Sample >= len(mutants) {
		return mutants
	}
	chosen := slices.Clone(mutants)
	rand.New(rand.NewPCG(uint64(o.Seed), 0)).Shuffle(len(chosen), func(i, k int) { chosen[i], chosen[k] = chosen[k], chosen[i] })
	chosen = chosen[:o.Sample]
	slices.SortFunc(chosen, func(a, b *Mutant) int { return a.Number - b.Number })
	return chosen
}

// runner runs cases against mutants of one machine.
type runner struct {
	machine   *suiterun.Machine
	options   Options
	snapshots map[*suite.Suite]*suiterun.File
	cases     []*base

	aliases, pretty sync.Once
	hasAlias        bool
	text            []byte // the definition as JSON
}

// base is a case with its run of the definition as it is.
type base struct {
	*suite.Case
	outcome *suite.Outcome
	covered map[coverage.ID]bool
	log     *runlog.Log
	// summary has the parts of the log with which each survivor is compared.
	summary func() *summary
}

// open runs the cases with the definition as it is. Cases that are skipped or have no expectation are left out.
func (r *runner) open(ctx context.Context, cases []*suite.Case) error {
	for _, c := range cases {
		if _, known := r.snapshots[c.Suite]; !known && c.Snapshot != nil {
			file, err := suiterun.ReadSnapshot(c.Suite.Name)
			if err != nil {
				return err
			}
			r.snapshots[c.Suite] = file
		}
	}
	all := make([]*base, len(cases))
	err := r.each(ctx, len(cases), func(i int) {
		outcome, run := r.run(ctx, cases[i], r.machine, 0)
		all[i] = r.base(cases[i], outcome, run)
	})
	if err != nil {
		return err
	}
	failing := &FailingError{}
	for _, b := range all {
		switch b.outcome.Kind {
		case suite.Passed:
			r.cases = append(r.cases, b)
		case suite.Skipped, suite.Unchecked:
		case suite.OutcomeFailed, suite.Wrong, suite.New:
			failing.Cases, failing.Suites = append(failing.Cases, b.outcome), append(failing.Suites, b.Suite)
		}
	}
	if len(failing.Cases) > 0 {
		return failing
	}
	if len(r.cases) == 0 {
		return errors.New("no case has an expectation that a mutant could break")
	}
	return nil
}

// base is a case with its run; nil: it did not run.
func (r *runner) base(c *suite.Case, outcome *suite.Outcome, run coverage.Run) *base {
	b := &base{Case: c, outcome: outcome, covered: map[coverage.ID]bool{}}
	if run == nil {
		return b
	}
	b.log = run.Log()
	b.summary = sync.OnceValue(func() *summary { return summaryOf(b.log) })
	collector := coverage.NewCollector(r.machine.Definition.Machine, coverage.Options{})
	collector.Add(run)
	for k := range collector.Items.List {
		if item := &collector.Items.List[k]; item.Covered() {
			b.covered[item.ID] = true
		}
	}
	b.more()
	return b
}

// more adds the items that coverage does not have: the timeout of the whole execution, and the states that came to a result or were
// retried twice.
func (b *base) more() {
	var caught map[*engine.Visit]bool
	for i := range b.log.Len() {
		e := b.log.At(i)
		switch e.Type {
		case engine.ExecutionTimedOut:
			b.covered[coverage.ID{Kind: coverage.TimedOut}] = true
		case engine.ErrorCaught:
			if caught == nil {
				caught = map[*engine.Visit]bool{}
			}
			caught[e.Visit] = true
		case engine.RetryScheduled:
			if d, ok := e.Detail.(*engine.RetryDetail); ok && d.Attempt > 1 {
				b.covered[coverage.ID{State: e.Visit.State.Path(), Kind: retriedTwice, Index: d.Retrier}] = true
			}
		case engine.TaskSucceeded, engine.ParallelSucceeded, engine.MapSucceeded:
			b.covered[coverage.ID{State: e.Visit.State.Path(), Kind: worked}] = true
		case engine.StateExited:
			if !caught[e.Visit] {
				b.covered[coverage.ID{State: e.Visit.State.Path(), Kind: worked}] = true
			}
		default:
		}
	}
}

// each calls do with the numbers below n, from a goroutine for each core, until the context ends.
func (r *runner) each(ctx context.Context, n int, do func(int)) error {
	work.Each(ctx, n, r.options.Parallel, do)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// run runs a case with a machine. events is the bound of its events; 0: the suite's.
func (r *runner) run(ctx context.Context, c *suite.Case, m *suiterun.Machine, events int) (*suite.Outcome, coverage.Run) {
	interrupted := func() error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return nil
	}
	return suiterun.RunCase(c, m, suiterun.CaseOptions{Context: ctx, Interrupt: interrupted, Brief: true,
		Snapshots: r.snapshots[c.Suite], MaxEvents: events, Redact: r.options.Redact})
}

// mutant runs the cases that a mutant can change until one fails.
func (r *runner) mutant(ctx context.Context, m *Mutant) Outcome {
	o := Outcome{Mutant: m}
	relevant := r.relevant(m)
	o.Cases = len(relevant)
	machine, err := r.changed(m)
	switch {
	case err != nil:
		o.Status, o.Reason = Invalid, err.Error()
		return o
	case len(relevant) == 0:
		o.Status, o.Missing = NotCovered, m.needs.missing
		if o.Missing == "" {
			o.Missing = "no case enters " + m.Name()
		}
		r.diff(&o)
		return o
	}
	after := make([]coverage.Run, len(relevant))
	for i, b := range relevant {
		var killed bool
		if after[i], killed = r.killed(ctx, b, machine, &o); killed {
			return o
		}
	}
	o.Status = Survived
	r.explain(relevant, after, &o)
	r.diff(&o)
	return o
}

// relevant returns the cases that go through the changed place: those first that go through the fewest others, since they are about it.
func (r *runner) relevant(m *Mutant) []*base {
	var found []*base
	for _, b := range r.cases {
		if b.Recording != nil || m.needs.met(m.State, b.covered) {
			found = append(found, b)
		}
	}
	slices.SortStableFunc(found, func(a, b *base) int { return len(a.covered) - len(b.covered) })
	return found
}

// killed runs a case with a mutant, and reports whether it fails then, and notes it.
func (r *runner) killed(
	ctx context.Context, b *base, changed *suiterun.Machine, o *Outcome,
) (run coverage.Run, killed bool) {
	limited, stop := context.WithTimeout(ctx, wallTime)
	defer stop()
	events := moreEvents
	if b.log != nil {
		events += timesMore * b.log.Len()
	}
	outcome, run := r.run(limited, b.Case, changed, events)
	if !outcome.Kind.Bad() {
		return run, false
	}
	o.Status, o.Killer = Killed, b.Case
	ended := run != nil && run.Log().Len() >= events && (b.Suite.Defaults.MaxEvents == 0 || int(b.Suite.Defaults.MaxEvents) > events)
	if limited.Err() != nil || ended {
		o.Status = TimedOut
	}
	switch {
	case len(outcome.Findings) > 0:
		o.Expectation = outcome.Findings[0].Expectation
	case r.options.Redact != nil: // the reason may have a payload
		o.Expectation = "the run could not be checked"
	default:
		o.Expectation, _, _ = strings.Cut(outcome.Reason, "\n")
	}
	return run, true
}

// changed makes the machine of a mutant. That nothing leads to a state any more does not make it invalid.
// Mutants share all states but the one that is changed.
func (r *runner) changed(m *Mutant) (*suiterun.Machine, error) {
	if m.State == nil || r.aliased() {
		return r.whole(m)
	}
	machine := *r.machine
	state, problems := machine.Definition.Machine.Remade(m.State, m.Root(m.State.Node), machine.Dialect)
	err := refusal(problems)
	if err == nil {
		machine.Definition.Compiled, err = machine.Definition.Compiled.With(state)
	}
	return &machine, err
}

// aliased reports whether the definition has a part in several places, as an alias of YAML has: a change of it is one
// of several states.
func (r *runner) aliased() bool {
	r.aliases.Do(func() {
		seen := map[*source.Node]bool{}
		var walk func(n *source.Node)
		walk = func(n *source.Node) {
			r.hasAlias, seen[n] = r.hasAlias || seen[n], true
			if r.hasAlias {
				return
			}
			for i := range n.Members {
				walk(n.Members[i].Node)
			}
			for _, item := range n.Items {
				walk(item)
			}
		}
		walk(r.machine.Definition.Machine.Root)
	})
	return r.hasAlias
}

// whole makes the machine of a mutant from the beginning.
func (r *runner) whole(m *Mutant) (*suiterun.Machine, error) {
	machine, d := *r.machine, r.machine.Definition
	definition, problems := asl.Examine(d.Machine.Source, m.Root(d.Machine.Root), r.machine.Dialect)
	if err := refusal(problems); err != nil {
		return nil, err
	}
	compiled, err := engine.Compile(definition, r.machine.Dialect)
	machine.Definition.Machine, machine.Definition.Compiled = definition, compiled
	return &machine, err
}

// refusal returns the first error among problems, or nil.
func refusal(problems []source.Diagnostic) error {
	for i := range problems {
		if p := &problems[i]; p.Severity == source.Error && p.Rule != rules.Unreachable {
			return errors.New(p.Message)
		}
	}
	return nil
}
