package suiterun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/interrupt"
	"asldb/fixtures"
	"asldb/internal/launch"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

// CaseOptions are the options of one run of a case.
type CaseOptions struct {
	// Context ends the run from outside, and Interrupt its evaluations; both may be nil.
	Context   context.Context
	Interrupt interrupt.Check
	// Permit returns the permission for live calls, see [launch.Spec]; nil: nothing outside is called. Executions that
	// tasks start run in either case.
	Permit func(*fixtures.File, *fixtures.Source) (fixtures.Permission, error)
	// Snapshots are the snapshots of the case's suite; nil: they are read. With Update another snapshot isn't a
	// finding.
	Snapshots *File
	Update    bool
	// MaxEvents bounds the events of the run besides the bound of its suite; 0: 100,000 do where the suite has none.
	MaxEvents int
	// Redact has the values that are kept out of snapshots and outcomes; nil: none.
	Redact *Redactions
	// Brief leaves out of the findings why the execution failed and what its run noticed.
	Brief bool
	// Unnoticed leaves only the latter out, as the project file may want.
	Unnoticed bool
	// Notices has what the run noticed in the outcome, whatever its kind and the project file.
	Notices bool
	// Seed is the seed of random values in place of the case's; nil: there is none.
	Seed *int64
}

// start is the virtual time at which a case starts that names none, so that each run of it is the same.
var start = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// maxEvents bounds the events of a case where its suite has no bound and the run no quota.
const maxEvents = 100_000

// RunCase runs a case to its end, unless the suite skips it. It leaves the time that the run took to the caller. The
// second result is the run for coverage; nil: nothing ran.
func RunCase(c *suite.Case, m *Machine, o CaseOptions) (*suite.Outcome, coverage.Run) {
	outcome := &suite.Outcome{Name: c.Name, At: c.At, Row: c.Row, Tags: c.Tags, Properties: c.Properties}
	if c.Skip != "" {
		outcome.Kind, outcome.Reason = suite.Skipped, c.Skip
		return outcome, nil
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	o.Unnoticed = o.Unnoticed || m.unnoticed || o.Notices // then they are beside the findings
	session := runCase(c, m, &o, outcome)
	redactOutcome(o.Redact.of(session), outcome)
	outcome.Debug = DebugCommand(c.Suite.Name, c.Name)
	if session == nil {
		return outcome, nil
	}
	addFigures(outcome, session)
	return outcome, session
}

// runCase sets the kind, the reason and the findings of the outcome. It returns nil where nothing ran.
func runCase(c *suite.Case, m *Machine, o *CaseOptions, outcome *suite.Outcome) *debug.Session {
	wrong := func(err error) {
		outcome.Kind, outcome.Reason = suite.Wrong, err.Error()
	}
	spec, err := Spec(c, m, *o)
	if err != nil {
		wrong(err)
		return nil
	}
	run, err := launch.New(spec)
	if err != nil {
		_ = run.Close() // the run is incomplete
		wrong(err)
		return run.Session
	}
	defer run.Close()
	endless := false
	if run.Replay == nil { // else it has run
		stop, err := carry(o.Context, c, run, o.MaxEvents)
		if err != nil {
			wrong(err)
			return run.Session
		}
		endless = stop.Reason == debug.StoppedByLimit
	}
	judge(c, run, endless, o, outcome)
	if o.Notices {
		outcome.Noticed = explain.Plain(maxExplained).Labelled(explain.Noticed(explain.RunOf(run.Session, nil)))
	}
	return run.Session
}

// Judge compares a run that has come to its end, of a face that runs a case itself, with the expectations of the case.
func Judge(c *suite.Case, run *launch.Run, o CaseOptions) *suite.Outcome {
	outcome := &suite.Outcome{Name: c.Name, At: c.At, Debug: DebugCommand(c.Suite.Name, c.Name)}
	judge(c, run, false, &o, outcome)
	addFigures(outcome, run.Session)
	return outcome
}

// judge sets the kind, the reason and the findings of the outcome of a run. endless is set where it was ended at its
// bound.
func judge(c *suite.Case, run *launch.Run, endless bool, o *CaseOptions, outcome *suite.Outcome) {
	checked := &Finished{Session: run.Session, Source: run.Source, Endless: endless, Nested: run.Calls.SessionOf,
		Brief: o.Brief, Unnoticed: o.Unnoticed}
	outcome.Findings = append(recordingFindings(c, run), CheckExpectations(c, checked)...)
	fresh := false
	if c.Snapshot != nil && !endless {
		var err error
		if fresh, err = compareSnapshot(c, checked, o, outcome); err != nil {
			outcome.Kind, outcome.Reason = suite.Wrong, err.Error()
			return
		}
	}
	switch {
	case len(outcome.Findings) > 0:
		outcome.Kind = suite.OutcomeFailed
	case fresh:
		outcome.Kind = suite.New
	case c.Expect == nil && c.Snapshot == nil && c.Recording == nil:
		outcome.Kind = suite.Unchecked
	default:
		outcome.Kind = suite.Passed
	}
}

// Spec returns the run of a case, for a face that runs, debugs or traces it.
func Spec(c *suite.Case, m *Machine, o CaseOptions) (launch.Spec, error) {
	spec := launch.Spec{
		Definition: m.Definition, Dialect: m.Dialect, Limits: m.Limits, Missing: fixtures.Fail,
		Now: func() time.Time { return start }, Interrupt: o.Interrupt, Permit: o.Permit,
	}
	if spec.Permit == nil { // executions that tasks start do nothing outside
		spec.Permit = func(*fixtures.File, *fixtures.Source) (fixtures.Permission, error) { return fixtures.Permission{}, nil }
	}
	if r := c.Recording; r != nil {
		spec.History, spec.Replay = r.Given.Spec.History, r.Given.Spec.Replay
	}
	if spec.Replay.File != "" {
		spec.Replay.Verify = true
		return spec, nil
	}
	file, err := c.Results()
	if err != nil {
		return spec, err
	}
	spec.Fixtures.File, spec.Seed = file, o.Seed
	return spec, nil
}

// Reread reads a case again: its suite may have changed.
func Reread(c *suite.Case, m *Machine) (*suite.Case, error) {
	read, err := ReadSuites([]Selection{{File: c.Suite.Name, Cases: []string{c.Name}}})
	if err != nil {
		return nil, err
	}
	if err := CheckCase(read[0], m); err != nil {
		return nil, err
	}
	for _, now := range read[0].Cases {
		if now.Name == c.Name {
			return now, nil
		}
	}
	return nil, fmt.Errorf("%s has no case %q any more", read[0].Name, c.Name)
}

// Again is a case for a run that reads its files again.
func Again(c *suite.Case, m *Machine) launch.Case {
	return launch.Case{Files: Files(c.Suite, m), Again: func(spec *launch.Spec) error {
		definition := *m
		definition.Definition = spec.Definition
		now, err := Reread(c, &definition)
		if err != nil {
			return err
		}
		of, err := Spec(now, &definition, CaseOptions{})
		spec.Fixtures = of.Fixtures
		return err
	}}
}

// Repeated runs a case several times, each time with the next seed, and returns the outcome of the first run that
// failed, else of the first one. A recorded run has its own seed, and runs once. ran gets the runs for coverage.
func Repeated(c *suite.Case, m *Machine, o CaseOptions, times int, ran func(coverage.Run)) *suite.Outcome {
	seed := int64(1)
	if file, err := c.Results(); err == nil && file.Seed != nil {
		seed = *file.Seed
	}
	if c.Skip != "" || c.Recording != nil {
		times = 1
	}
	var shown *suite.Outcome
	failed := 0
	for i := range times {
		of := o
		if next := seed + int64(i); times > 1 {
			of.Seed = &next
		}
		outcome, run := RunCase(c, m, of)
		ran(run)
		bad := outcome.Kind.Bad()
		if bad {
			failed++
		}
		if shown == nil || bad && failed == 1 {
			if shown = outcome; times > 1 {
				shown.Seed = *of.Seed
				shown.Debug = DebugCommand(c.Suite.Name, c.Name, "--seed", strconv.FormatInt(*of.Seed, 10))
			}
		}
		if o.Context != nil && o.Context.Err() != nil {
			break
		}
	}
	if times > 1 {
		shown.Runs, shown.FailedRuns = times, failed
	}
	return shown
}

// DebugCommand returns the command that opens a case in the debugger, for a shell, with more arguments behind it.
func DebugCommand(file, name string, more ...string) string {
	words := "asldb debug --test " + wording.ShellFile(file+":"+name)
	for _, word := range more {
		words += " " + wording.Shell(word)
	}
	return words
}

// budget is the number of steps of the engine between two looks at the context.
const budget = 4096

// Carry carries the session of a case to its end, or to the bound of its events, over its breakpoints. The error says
// why it has come to neither.
func Carry(ctx context.Context, c *suite.Case, run *launch.Run) (debug.Stop, error) {
	return carry(ctx, c, run, 0)
}

// carry is Carry with a bound of events besides the suite's; 0: there is none.
func carry(ctx context.Context, c *suite.Case, run *launch.Run, most int) (debug.Stop, error) {
	bound := cmp.Or(int(c.Suite.Defaults.MaxEvents), maxEvents)
	if most > 0 {
		bound = min(bound, most)
	}
	session, command := run.Session, debug.Command{Kind: debug.Continue, Events: bound}
	if err := session.Begin(command); err != nil {
		return debug.Stop{}, err
	}
	for {
		stop := session.Advance(budget)
		if err := ctx.Err(); err != nil && stop.Reason != debug.StoppedAtEnd {
			return stop, err
		}
		switch stop.Reason {
		case debug.StillRunning:
		case debug.StoppedAtEnd, debug.StoppedByLimit:
			return stop, nil
		case debug.StoppedByBreakpoint:
			if err := session.Begin(command); err != nil {
				return stop, err
			}
		case debug.StoppedForCall:
			if err := await(ctx, run); err != nil {
				return stop, err
			}
		case debug.StoppedForAnswer:
			return stop, unanswered(session)
		default:
			if stop.Err == nil {
				stop.Err = fmt.Errorf("the run stopped%s", explain.Where(session))
			}
			return stop, stop.Err
		}
	}
}

// await waits until a call has an outcome, and gives it to the session.
func await(ctx context.Context, run *launch.Run) error {
	if err := run.Calls.Wait(ctx); err != nil {
		return err
	}
	if delivered, err := run.Calls.Deliver(run.Session); err != nil || delivered > 0 {
		return err
	}
	child := run.Calls.Standing()
	if child == nil {
		return nil
	}
	stop := child.Session.Stop()
	if stop.Err == nil {
		stop.Err = unanswered(child.Session)
	}
	return child.Fault(stop.Err)
}

// unanswered returns the error of a session that waits for an outcome.
func unanswered(session *debug.Session) error {
	for _, request := range session.Requests() {
		return fixtures.NewMissingError(request, session.Reason(request.ID))
	}
	return errors.New("the run waits for an object of an ItemReader: objects and itemReaders have those")
}

// addFigures adds the path and the sizes of a run to its outcome.
func addFigures(outcome *suite.Outcome, session *debug.Session) {
	log := session.Log()
	for event := range log.All() {
		if event.Type != engine.StateEntered {
			continue
		}
		outcome.States++
	}
	outcome.Path = TopPath(log)
	if log.Len() > 0 {
		outcome.Virtual = log.Now().Sub(log.At(0).At())
	}
}

// CheckCase returns the problems of a suite that show only with its definition: results for states that there are not,
// expectations on such states or on stages that a state does not have. The error is a *[suite.Error].
func CheckCase(s *suite.Suite, m *Machine) error {
	machine := m.Definition.Machine
	var found []fixtures.Problem
	seen := map[fixtures.Problem]bool{}
	add := func(problems []fixtures.Problem) {
		for _, p := range problems {
			if !seen[p] {
				seen[p] = true
				found = append(found, p)
			}
		}
	}
	for _, c := range s.Cases {
		add(bindingProblems(c, machine))
		add(Problems(c, machine))
	}
	return suite.NewError(s.Name, found)
}

func bindingProblems(c *suite.Case, machine *asl.StateMachine) []fixtures.Problem {
	file, err := c.Results()
	if err == nil {
		_, err = file.Source(machine)
	}
	var wrong *fixtures.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong):
		return wrong.Problems
	}
	return []fixtures.Problem{{Line: c.At.Line, Col: c.At.Col, Message: err.Error()}}
}
