package launch

import (
	"asldb/engine/outcome"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/internal/definitions"
)

// Program returns the settings that the run shares with the executions that its tasks start.
func (s *Spec) Program() fixtures.Program {
	return fixtures.Program{Read: s.ReadDefinition, Open: s.open}
}

// open composes the session of an execution that a task starts: in the dialect, with the limits, the mode for missing
// results and the breakpoint on uncaught errors of the run, and with its own fixtures.
func (s *Spec) open(x *fixtures.Execution) (*fixtures.Opened, error) {
	definition, err := s.ReadDefinition(x.Definition)
	if err != nil {
		return nil, err
	}
	c := &composition{run: &Run{}, nested: x, Spec: Spec{
		Definition: definitions.Definition{File: x.Definition, Machine: definition}, Dialect: s.Dialect, Limits: s.Limits,
		Input: Input{Value: x.Input}, Start: x.Start, Seed: &x.Seed, Missing: s.Missing,
		BreakUncaught: s.BreakUncaught,
	}}
	c.run.Spec = &c.Spec
	if c.Fixtures.File, err = x.File(); err != nil {
		return nil, err
	}
	if err := c.compose(); err != nil {
		return nil, err
	}
	opened := &fixtures.Opened{Session: c.run.Session, Calls: c.run.Calls}
	if c.run.Source != nil {
		opened.Unused = c.run.Source.UnusedLines
	}
	return opened, nil
}

// join makes the sources of an execution that a task starts a part of the program of the run.
func (c *composition) join() {
	c.run.Calls = live.NewCalls()
	if c.run.Source == nil {
		return
	}
	c.nested.Join(c.run.Source, c.run.Calls)
	c.run.Source.SetInterrupt(func() error { // the check that interrupts the session interrupts its fixtures, too
		if check := c.run.Session.Options().Interrupt; check != nil {
			return check()
		}
		return nil
	})
}

// fixturesOf returns the source of the fixtures, or the reason why there is none.
func (c *composition) fixturesOf() outcome.Source {
	if c.source == nil && c.nested != nil {
		return outcome.Without(c.nested.NoFixtures())
	}
	return c.source
}
