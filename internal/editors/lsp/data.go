package lsp

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/launch"
)

// The bounds of a run in memory.
const (
	runTime   = time.Second
	runEvents = 50_000
	runSlice  = 512
)

// runStart is the virtual time at which a run begins whose fixtures have none.
var runStart = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)

// errTooLong ends an evaluation of a run in memory.
var errTooLong = errors.New("the run takes too long")

// data are the data of a run in memory.
type data struct {
	session *debug.Session
	// fixtures is the name of the file with the results of its tasks.
	fixtures string
	// note says why the run did not come to its end; empty: it did.
	note string
}

// data returns the data of a run of a definition, nil where it has errors or no fixtures. Nothing outside is called: a
// task without a result in the fixtures ends the run.
func (s *server) data(ctx context.Context, m *machine) *data {
	if m == nil {
		return nil
	}
	if _, sound := m.examine(); !sound {
		return nil
	}
	if m.run == nil {
		m.run = &data{}
		if name := s.fixturesOf(m); name != "" {
			m.run = s.runWith(ctx, m, name)
		}
	}
	if m.run.session == nil {
		return nil
	}
	return m.run
}

// fixturesOf returns the name of the default fixtures of a definition; empty where there are none.
func (s *server) fixturesOf(m *machine) string {
	named, d := launch.Fixtures{}, m.definition
	d.Text = m.text
	_ = named.Find(s.files(), &d, true) // the error is one of the project file, and told there
	return named.Name
}

// runWith runs a definition with fixtures, as far as it comes.
func (s *server) runWith(ctx context.Context, m *machine, name string) *data {
	end := time.Now().Add(runTime)
	check := func() error {
		if ctx.Err() != nil || time.Now().After(end) {
			return errTooLong
		}
		return nil
	}
	d := &data{fixtures: name}
	given := launch.Fixtures{Name: name}
	if content, open := s.files().Changed[name]; open {
		file, err := fixtures.Load(name, content)
		if err != nil {
			return d
		}
		given.File = file
	}
	run, err := launch.New(launch.Spec{
		Definition: definitions.Definition{File: m.definition.File, Text: m.text}, Limits: engine.ServiceLimits(), Fixtures: given,
		Missing: fixtures.Ask, Now: func() time.Time { return runStart }, Interrupt: check,
	})
	if run != nil {
		defer run.Close()
	}
	if err != nil || run.Session.Begin(debug.Command{Kind: debug.Continue, Events: runEvents}) != nil {
		return d
	}
	d.session = run.Session
	stop := d.session.Advance(runSlice)
	for stop.Reason == debug.StillRunning && check() == nil {
		stop = d.session.Advance(runSlice)
	}
	switch stop.Reason {
	case debug.StoppedAtEnd:
	case debug.StoppedForAnswer:
		d.note = "the run ends here: a task has no result in the fixtures"
	case debug.StoppedByLimit:
		d.note = "the run was ended after " + strconv.Itoa(runEvents) + " events"
	case debug.StillRunning, debug.StoppedByInterrupt:
		d.note = "the run was ended after a second"
	default:
		d.note = "the run stopped before its end"
	}
	d.session.SetInterrupt(nil)
	return d
}

// event returns the index of the newest event of a state's stage, of the path of the state in the definition; -1 where
// the run did not come to it.
func (d *data) event(path string, stage asl.Stage) int {
	log := d.session.Log()
	for i := log.Len() - 1; i >= log.First(); i-- {
		e := log.At(i)
		if e.Visit != nil && e.Visit.State.Path() == path && e.Stage == stage && (e.Before != nil || e.After != nil) {
			return i
		}
	}
	return -1
}

// entry returns the index of the newest entry of a state, and of the end of that visit, -1 where there is none.
func (d *data) entry(path string) (entered, exited int) {
	log := d.session.Log()
	exited = -1
	for i := log.Len() - 1; i >= log.First(); i-- {
		e := log.At(i)
		if e.Visit == nil || e.Visit.State.Path() != path {
			continue
		}
		switch e.Type {
		case engine.StateExited:
			if exited < 0 {
				exited = i
			}
		case engine.StateEntered:
			if exited >= 0 && log.At(exited).Visit != e.Visit {
				exited = -1
			}
			return i, exited
		default:
		}
	}
	return -1, -1
}

// env returns the values that an expression of a field can refer to, and the event of their values: of the field's
// stage or else of the state's entry; nil where the run did not come there.
func (d *data) env(path string, stage asl.Stage, reads asl.Document) (env *console.Env, at int) {
	log, watches := d.session.Log(), d.session.Watches()
	entered, _ := d.entry(path)
	if i := d.event(path, stage); i >= 0 {
		env = watches.EnvAt(i)
		env.Data = cmp.Or[value.Value](log.At(i).Before, env.Data)
		if reads == asl.RawInput && entered >= 0 {
			env.Data = log.At(entered).After
		}
		return env, i
	}
	if entered < 0 {
		return nil, -1
	}
	return watches.EnvAt(entered), entered
}
