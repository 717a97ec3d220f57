// Package launch composes sessions: it is the one way from a definition, its fixtures and a recorded run to a session.
//
// A face (a command, the screen, a test runner, an editor adapter) fills a [Spec] with the names that its user gave and
// calls [New]. It gets a [Run]: the session, at its start, with all that belongs to it, and shows it in its own way. At the
// end it calls [Run.Close]. New calls nothing outside and prints nothing: warnings go to [Spec.Warn], facts for the user
// are in the Run, and errors name the part of the Spec that is wrong (see [files.PartError]).
package launch

import (
	"io"
	"path/filepath"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/recorder"
)

// Spec describes a run. What is left out is taken from Replay or History, then from Fixtures, then has the default that the
// field names.
type Spec struct {
	// Definition is the state machine; left out, Replay or History is shown as it was recorded.
	Definition definitions.Definition
	// Dialect is the dialect in which the definition runs.
	Dialect engine.Dialect
	// Limits are the quotas of the service that the run keeps to; the zero Limits are none.
	Limits engine.Limits

	// Input is the execution's input; the default is {}. Wrap makes the execution's input of it; nil leaves it as it is.
	Input Input
	Wrap  func(value.Value) value.Value
	// Start is the virtual time at which the execution starts; the default is the time that Now returns.
	Start time.Time
	Now   func() time.Time
	// Seed is the seed of the random choices; the default is 1.
	Seed *int64
	// Context is merged over the default context object, and over the fixtures' one; Tokens begins the task tokens.
	Context *value.Object
	Tokens  string
	// Stop stops the execution from outside; the default is the fixtures'.
	Stop *fixtures.Stop
	// Clock is the mode of the virtual clock.
	Clock debug.Clock

	// Fixtures has the results of tasks.
	Fixtures Fixtures
	// Case is the case of a suite that gives the fixtures; the zero Case: none does.
	Case Case
	// Missing is the source behind all others.
	Missing fixtures.Missing
	// History is a recorded execution that runs again. Unchecked leaves out the comparison with it (see [Run.Recorded]).
	History   History
	Unchecked bool
	// Replay is a trace whose run is shown or executed again.
	Replay Replay
	// Redrive is a recorded execution that continues at its end.
	Redrive Redrive
	// Permit returns the permission for the calls of the fixtures. It may ask the user. nil: they call nothing, and no task
	// starts an execution of another definition.
	Permit func(*fixtures.File, *fixtures.Source) (fixtures.Permission, error)

	// Trace is where the run is recorded; nil: nowhere.
	Trace *Trace
	// Breakpoints are set before the run begins. BreakUncaught sets the one on uncaught errors before them, which the saved
	// setup can switch off.
	Breakpoints   []string
	BreakUncaught bool
	// State is the directory of the saved setups (see [Run.Setup]); empty: none is read or saved.
	State string
	// Interrupt can interrupt evaluations; it may be nil.
	Interrupt interrupt.Check
	// Forget keeps only the newest part of the log, for a run that goes straight to its end: see [debug.Options].
	Forget bool

	// Stdin is read where a name is "-".
	Stdin io.Reader
	// Warn receives warnings about the files, as they are found; nil: they are dropped.
	Warn func(files.Warning)
}

// Case is the case of a suite. Files are what its suite was read from besides the definition, and Again reads them into
// a Spec whose definition has been read.
type Case struct {
	Files []string
	Again func(*Spec) error
}

// Trace says where a run is recorded.
type Trace struct {
	File    string
	Options recorder.TraceOptions
	Program string // the version of asldb, for the header
}

func (s *Spec) warn(w files.Warning) {
	if s.Warn != nil {
		s.Warn(w)
	}
}

func (s *Spec) files() files.Files { return files.Files{Stdin: s.Stdin} }

// Read reads the files and texts that the Spec names into its fields. [New] calls it; a face calls it before that to look at
// the definition, or while signals still have their usual effect. Parts that have been read are not read again.
func (s *Spec) Read() error {
	if s.Definition.File == files.Stdin && s.Input.Text == files.Stdin {
		return files.ErrorAbout(files.PartInput, "the definition and %[1]s cannot both be standard input")
	}
	reader := s.files()
	if err := s.Replay.open(s.warn); err != nil {
		return err
	}
	if err := s.readRedrive(reader); err != nil {
		return err
	}
	if err := s.Definition.Read(reader); err != nil {
		return err
	}
	if err := s.History.read(reader); err != nil {
		return err
	}
	if err := s.findFixtures(reader); err != nil {
		return err
	}
	if err := s.Fixtures.read(reader, s.warn); err != nil {
		return err
	}
	if err := s.Definition.Parse(); err != nil {
		return err
	}
	return s.Input.read(reader, s.warn)
}

// findFixtures finds the default fixtures, and says so. A recorded run has its own results: no file is taken that
// was not named.
func (s *Spec) findFixtures(reader files.Files) error {
	if !s.Fixtures.Default || s.Fixtures.Found != "" {
		return nil
	}
	beside := !s.History.isGiven() && !s.Replay.isGiven() && !s.Redrive.isGiven()
	if err := s.Fixtures.Find(reader, &s.Definition, beside); err != nil {
		return err
	}
	if s.Fixtures.Found != "" {
		s.warn(files.Warning{Text: s.Fixtures.Found, Note: true})
	}
	return nil
}

// ReadDefinition reads the definition of an execution that a task starts, as the run's own is read: it may be inside
// of a template, and hold ${Name}s. The error has the first problem of the text, for a single line of the screen.
func (s *Spec) ReadDefinition(name string) (*asl.StateMachine, error) {
	d := s.Definition
	return d.Nested(s.files(), name)
}

// Title returns a name of the run for its user: the name of the definition's file, else of the recording.
func (s *Spec) Title() string {
	switch {
	case s.Replay.Name() != "":
		return filepath.Base(s.Replay.Name())
	case s.Definition.Given():
		return filepath.Base(s.Definition.Name())
	case len(s.History.Files) > 0:
		return filepath.Base(s.History.Files[0])
	}
	return ""
}
