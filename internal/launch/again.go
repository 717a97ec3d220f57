package launch

import (
	"cmp"
	"errors"

	"asldb/engine"
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

// asRecorded makes a session that shows the history without a definition: the recorded events alone.
func (c *composition) asRecorded() error {
	switch {
	case !c.History.isGiven():
		return errNothing
	case c.Fixtures.File != nil || c.Input.Value != nil:
		return errShown
	}
	recording := c.History.Recording
	definition, err := recording.Skeleton()
	if err != nil {
		return err
	}
	if c.machine, err = engine.Compile(definition, engine.AWS); err != nil {
		return err
	}
	c.run.About = aboutHistory(recording, nil, nil)
	options, _ := recording.Options()
	options.Source, options.Abort = nil, nil
	c.run.Session = debug.ReplayAttempts(c.machine, options, recording.EventsOfAttempts(definition))
	return c.setBreakpoints()
}

// rerunHistory makes options run the history again: its source comes first, and the fields of the Spec replace its own.
func (c *composition) rerunHistory(options *debug.Options, next outcome.Source) *rerun.Source {
	recorded, source := c.History.Recording.Options()
	options.Source, options.Abort, options.Express = source, recorded.Abort, recorded.Express
	options.Redriven = recorded.Redriven
	if next != nil {
		options.Source = outcome.First(source, next)
	}
	options.Context = cmp.Or(options.Context, recorded.Context)
	return source
}

// identify finds the names of the execution in the history, unless they are given.
func (c *composition) identify() {
	if c.options.Context != nil {
		return
	}
	definition := c.machine.Definition()
	if c.source != nil {
		definition = nil
	}
	c.History.Recording.Identify(definition, func(context value.Value) (*debug.Session, *rerun.Source) {
		options := c.options
		source := c.rerunHistory(&options, c.source)
		options.Context = context
		return debug.New(c.machine, options), source
	})
	c.rewind()
}

// check runs the history again to its end, apart from the session, and compares.
func (c *composition) check() {
	options := c.options
	source := c.rerunHistory(&options, c.source)
	session := debug.New(c.machine, options)
	source.Follow(session.Now)
	check, failed := c.History.Recording.Check(session, source)
	c.rewind()
	c.run.About = aboutHistory(c.History.Recording, check, failed)
	if check == nil {
		return
	}
	c.run.Diverged = check.First != nil
	c.run.Recorded = &Recorded{
		Log: runlog.Of(c.History.Recording.Events(c.Definition.Machine)), Ahead: check.Session.Log(), Agrees: check.Agrees(),
		First: check.First, Waits: check.Waits,
		Compare: func(run *runlog.Log) *runlog.Result { return c.History.Recording.Align(c.Definition.Machine, run) },
	}
}

// rewind lets the fixtures begin again.
func (c *composition) rewind() {
	if c.source != nil {
		c.source.Seek(nil)
	}
}

// About returns lines about a history: its execution, the gaps in it, and the result of running it again, where check is not
// nil.
func About(history *rerun.Recording, check *rerun.Check) []string {
	return aboutHistory(history, check, nil)
}

func aboutHistory(history *rerun.Recording, check *rerun.Check, failed error) []string {
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
