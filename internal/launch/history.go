package launch

import (
	"errors"

	"asldb/engine"
	"asldb/engine/compare"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/recorder/rerun"
)

// Reasons why a Spec without a definition makes no run.
var (
	errNothing = errors.New("there is neither a definition nor a history")
	errShown   = errors.New("without a definition a history is shown as it was recorded: fixtures and an input are for running it again")
)

// asRecorded makes a session that shows the history without a definition: what was recorded, and nothing between.
func (c *composition) asRecorded() error {
	switch {
	case c.History == nil:
		return errNothing
	case c.Fixtures != nil || c.Input != nil:
		return errShown
	}
	definition, err := c.History.Skeleton()
	if err != nil {
		return err
	}
	if c.machine, err = engine.Compile(definition, engine.AWS); err != nil {
		return err
	}
	c.run.About = about(c.History, nil, nil)
	options, _ := c.History.Options()
	options.Source, options.Abort = nil, nil
	c.run.Session = debug.ReplayAttempts(c.machine, options, c.History.EventsOfAttempts(definition))
	return c.setBreakpoints()
}

// again makes options run the history again: its source comes first, and what the Spec says holds over it.
func (c *composition) again(options *debug.Options, next outcome.Source) *rerun.Source {
	recorded, source := c.History.Options()
	options.Source, options.Abort = source, recorded.Abort
	if next != nil {
		options.Source = outcome.First(source, next)
	}
	if options.Context == nil {
		options.Context = recorded.Context
	}
	return source
}

// identify finds the names of the execution in the history, unless they are given.
func (c *composition) identify() {
	if c.options.Context != nil {
		return
	}
	c.History.Identify(func(context value.Value) (*debug.Session, *rerun.Source) {
		options := c.options
		source := c.again(&options, c.source)
		options.Context = context
		return debug.New(c.machine, options), source
	})
	c.rewind()
}

// check runs the history again to its end, apart from the session, and compares.
func (c *composition) check() {
	options := c.options
	source := c.again(&options, c.source)
	session := debug.New(c.machine, options)
	source.Follow(session.Now)
	check, failed := c.History.Check(session, source)
	c.rewind()
	c.run.About = about(c.History, check, failed)
	if check == nil {
		return
	}
	c.run.Diverged = check.First != nil
	c.run.Recorded = &Recorded{
		Log: runlog.Of(c.History.Events(c.Definition)), Ahead: check.Session.Log(), Agrees: check.Agrees(),
		Compare: func(run *runlog.Log) *compare.Result { return c.History.Beside(c.Definition, run) },
	}
}

// rewind lets the fixtures begin again.
func (c *composition) rewind() {
	if c.source != nil {
		c.source.Seek(nil)
	}
}

// About returns lines about a history: what it is, what is missing in it, and what came of running it again, where check is
// not nil.
func About(history *rerun.Recording, check *rerun.Check) []string { return about(history, check, nil) }

func about(history *rerun.Recording, check *rerun.Check, failed error) []string {
	lines := history.About()
	for _, note := range history.Execution.Notes {
		lines = append(lines, "note: "+note.String())
	}
	switch {
	case failed != nil:
		lines = append(lines, "run again: "+failed.Error())
	case check != nil:
		lines = append(lines, "run again: "+check.String())
		if check.Waits != "" {
			lines = append(lines, "run again: "+check.Waits)
		}
	}
	return lines
}
