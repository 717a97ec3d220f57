package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/waiter"
	"asldb/internal/files"
	"asldb/internal/wording"
	"asldb/recorder"
	"asldb/recorder/rerun"
)

// Replay names a recorded run; the zero Replay is none. Without a Definition, Input or Fixtures the run is shown as it was
// recorded; with one of them, or to verify, it is executed again and compared.
type Replay struct {
	// File is the name of a trace.
	File string
	// Fork is the number of a fork in the trace, counted from 1; 0 is the last.
	Fork int
	// Verify executes the run again to its end and compares, also where nothing is changed.
	Verify bool
	// Briefly keeps, of a run that is as it was recorded, only the newest events: a long one takes no more memory than a short one.
	// The session is then at its end.
	Briefly bool
	// Trace is the trace itself, in place of File. [Run.Close] closes it.
	Trace *recorder.Trace

	begun bool // the trace is opened by its first line only: see [OpenReplay]
	// follow is set where the trace may still be written.
	follow bool
}

// Replayed is a recorded run that is shown or executed again.
type Replayed struct {
	Trace *recorder.Trace
	// Verification compares the run with the recording; nil: it is shown as it was recorded.
	Verification *debug.Verification
	// Unread is the number of events behind those that were compared, which cannot be read.
	Unread int
	// Divergence is a difference of the execution from the recording where the run is shown as it was recorded: the events
	// alone are shown then. nil: the two agree.
	Divergence *runlog.Divergence
}

// isGiven reports whether there is a run to replay.
func (r *Replay) isGiven() bool { return r.Trace != nil || r.File != "" }

// Name returns the name of the trace.
func (r *Replay) Name() string {
	if r.Trace != nil {
		return r.Trace.Name()
	}
	return r.File
}

func (r *Replay) open(warn func(files.Warning)) (err error) {
	switch {
	case r.Trace != nil || r.File == "":
	case r.follow:
		r.Trace, err = opened(r.File, recorder.BeginFollowing)
	case r.begun:
		r.Trace, err = opened(r.File, recorder.Begin)
	default:
		r.Trace, err = OpenTrace(r.File, warn)
	}
	return err
}

// Formats returns the readers of definitions that are not written in the language, for the traces of their runs.
func Formats() recorder.Formats {
	return recorder.Formats{waiter.Format: waiter.Again, rerun.SkeletonFormat: rerun.SkeletonAgain}
}

// OpenTrace opens a trace. Warnings about its lines go to warn.
func OpenTrace(name string, warn func(files.Warning)) (*recorder.Trace, error) {
	trace, err := opened(name, recorder.Open)
	if err != nil {
		return nil, err
	}
	for _, warning := range warningsOf(trace) {
		warn(warning)
	}
	return trace, nil
}

// FollowTrace opens a trace that may still be written: [recorder.Trace.Extend] reads what is added to it.
func FollowTrace(name string) (*recorder.Trace, error) {
	return opened(name, func(name string, formats recorder.Formats) (*recorder.Trace, error) {
		trace, err := recorder.BeginFollowing(name, formats)
		if err != nil {
			return nil, err
		}
		if err := trace.Index(nil); err != nil {
			trace.Close()
			return nil, err
		}
		return trace, nil
	})
}

// opened opens a trace by one of the functions of package recorder.
func opened(name string, open func(string, recorder.Formats) (*recorder.Trace, error)) (*recorder.Trace, error) {
	trace, err := open(name, Formats())
	var path *fs.PathError
	var format *recorder.FormatError
	switch {
	case errors.As(err, &path):
		return nil, fmt.Errorf("cannot read the trace %q: %w", name, path.Err)
	case errors.As(err, &format):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("cannot read the trace: %w", err)
	}
	return trace, nil
}

// warningsOf returns the warnings about the lines of a trace.
func warningsOf(trace *recorder.Trace) (list []files.Warning) {
	name, warnings := trace.Name(), trace.Warnings()
	for i := range warnings {
		if i == files.MaxWarnings {
			more := fmt.Sprintf("%d warnings more", len(warnings)-i)
			if len(warnings)-i == 1 {
				more = "1 warning more"
			}
			return append(list, files.Warning{Part: files.PartTrace, Where: wording.Line(name), Text: more})
		}
		list = append(list, files.Warning{Part: files.PartTrace, Where: wording.Line(name), Text: warnings[i].Error()})
	}
	return list
}

// Recorded returns the fork of an open trace.
func (r *Replay) Recorded() (*recorder.Run, error) {
	count := len(r.Trace.Forks())
	switch {
	case r.Fork == 0:
		return r.Trace.Last(), nil
	case r.Fork < 0 || r.Fork > count:
		return nil, files.ErrorAbout(files.PartFork, "%[1]s is a number from 1 to %[2]d, not %[3]d", count, r.Fork)
	}
	return r.Trace.Run(r.Fork - 1), nil
}

// SkeletonOrigin is the origin in the trace of a history without a definition.
const SkeletonOrigin = "a history of Step Functions, without its definition"

// IsSkeleton reports whether the definition of a trace was made of the events of a history.
func IsSkeleton(trace *recorder.Trace) bool {
	header := trace.Header()
	from := header.ConvertedFrom
	return header.Origin == SkeletonOrigin || from != nil && from.Format == rerun.SkeletonFormat
}

// showsOnly reports whether a trace cannot be executed again: it was made of a history, or lines of it are lost.
func showsOnly(trace *recorder.Trace) bool { return IsSkeleton(trace) || len(trace.Header().Lost) > 0 }

// replaying is a composition of a recorded run.
type replaying struct {
	*composition
	recorded *recorder.Run
	replayed *Replayed
	all      debug.Recording // once it is read
}

// changed reports whether the definition, the input or the results of tasks may not be the recording's.
func (s *Spec) changed() bool {
	return s.Definition.Given() || s.Input.Value != nil || s.Fixtures.File != nil
}

// replay makes the session of a recorded run.
func (c *composition) replay() (err error) {
	r := &replaying{composition: c, replayed: &Replayed{Trace: c.Replay.Trace}}
	c.run.Replay = r.replayed
	if r.recorded, err = c.Replay.Recorded(); err != nil {
		return err
	}
	executes := c.Replay.Verify || c.changed()
	if executes && IsSkeleton(c.Replay.Trace) {
		return fmt.Errorf("%s has no definition: it was made of a history, which has neither the stages of states nor the results of tasks as answers. "+
			"asldb history import HISTORY --definition FILE compares the two, and asldb replay shows the recording", c.Replay.Name())
	}
	if lost := c.Replay.Trace.Header().Lost; executes && len(lost) > 0 {
		return fmt.Errorf("%s was repaired, and something before its end is lost (%s): it cannot be executed again; asldb replay shows the recording", c.Replay.Name(), lost[0])
	}
	if err := r.prepare(); err != nil {
		return err
	}
	if c.Replay.Verify {
		if _, err := r.recorded.Inputs(); err != nil {
			return fmt.Errorf("%s: %w: it cannot be executed again; asldb replay shows the recording", c.Replay.Name(), err)
		}
	}
	if executes && c.Replay.Briefly && r.confirm() {
		return nil
	}
	if executes {
		defer r.alone()()
		if r.read(); redriven(r.all.Events) {
			return fmt.Errorf("%s: the execution was redriven, and its inputs begin at the redrive: it cannot be executed again; asldb replay shows the recording", c.Replay.Name())
		}
		r.verify()
	} else {
		c.run.Session = r.show()
	}
	return c.setBreakpoints()
}

// prepare makes the machine and the options.
func (r *replaying) prepare() (err error) {
	header := r.Replay.Trace.Header()
	r.Dialect, r.options = header.Dialect, header.Options()
	if r.machine, err = r.compiled(); err != nil {
		return err
	}
	if r.Input.Value != nil {
		r.options.Input, r.options.InputText = r.Input.Value, r.Input.Written
	}
	if r.Fixtures.File == nil {
		return nil
	}
	bound, err := r.Fixtures.File.Source(r.machine.Definition())
	if err != nil {
		return fmt.Errorf("the fixtures do not fit the definition:\n%w", err)
	}
	bound.Begin(r.options.Start, r.options.Seed)
	bound.SetInterrupt(r.options.Interrupt)
	r.options.Source = bound
	return nil
}

// compiled returns the machine of the Spec's definition, else of the recorded one.
func (r *replaying) compiled() (*engine.Machine, error) {
	name, trace := r.Definition.Name(), r.Replay.Trace
	definition := r.Definition.Machine
	if definition == nil {
		name, definition = "the definition in "+trace.Name(), trace.Definition()
	}
	switch {
	case definition != nil:
	case trace.Header().Definition == nil:
		return nil, files.ErrorAbout(files.PartDefinition, "%[2]s has no definition: give it with %[1]s", trace.Name())
	default:
		return nil, files.ErrorAbout(files.PartDefinition, "the definition in %[2]s cannot be read: give it with %[1]s", trace.Name())
	}
	machine, err := engine.Compile(definition, r.Dialect)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return machine, nil
}

// read reads the whole recording.
func (r *replaying) read() {
	recording, warning := r.recorded.Recording()
	if warning != nil {
		r.warn(files.Warning{Part: files.PartTrace, Where: wording.Text(r.Replay.Name()), Text: warning.Error()})
	}
	r.all, r.replayed.Unread = recording, int(r.recorded.Len())-len(recording.Events)
}

// eventsAllowed bounds the events of a run that is executed again, as a multiple of the recorded ones: a changed run
// may never end.
const eventsAllowed = 100

// verify executes the run again. The session is before the first difference, else at the start.
func (r *replaying) verify() {
	v := debug.Verify(r.machine, r.options, r.all, eventsAllowed*(len(r.all.Events)+1000))
	r.replayed.Verification, r.run.Session = v, v.Session
	r.run.Diverged = v.Divergence != nil
	if v.Divergence != nil {
		v.Session.GoTo(v.Divergence.Index)
	} else {
		v.Session.GoTo(0)
	}
}

// confirm executes the run again, and reports whether it is as it was recorded.
func (r *replaying) confirm() bool {
	defer memory.confirm()()
	v := r.recorded.Confirm(r.machine, r.options)
	if v == nil {
		return false
	}
	r.replayed.Verification, r.run.Session = v, v.Session
	return true
}

// large is the size of a trace, in bytes, from which one at a time is held in memory as a whole.
const large = 32 << 20

var oneLarge sync.Mutex

// alone waits until no other large trace is held, and returns a function that lets go of this one.
func (r *replaying) alone() (free func()) {
	read := memory.read()
	if !r.Replay.Briefly || r.Replay.Trace.Size() < large {
		return read
	}
	oneLarge.Lock()
	return func() {
		read()
		oneLarge.Unlock()
	}
}

// redriven reports whether there is a redrive among events.
func redriven(events []engine.Event) bool {
	return slices.ContainsFunc(events, func(e engine.Event) bool { return e.Type == engine.ExecutionRedriven })
}

// show returns the session of the run as it was recorded. The recorded inputs alone execute it again; all events are read
// only where that does not lead to the recorded run.
func (r *replaying) show() (session *debug.Session) {
	if showsOnly(r.Replay.Trace) {
		return r.showAll()
	}
	if recording, err := r.recorded.LazyRecording(); err == nil {
		if session, divergence := debug.Replay(r.machine, r.options, recording); divergence == nil {
			return session
		}
	}
	return r.showAll()
}

// showAll returns the session of all recorded events.
func (r *replaying) showAll() (session *debug.Session) {
	r.read()
	if showsOnly(r.Replay.Trace) {
		return debug.ReplayLog(r.machine, r.options, r.all)
	}
	if redriven(r.all.Events) { // its inputs begin at the redrive
		return debug.ReplayLog(r.machine, r.options, r.all)
	}
	session, r.replayed.Divergence = debug.Replay(r.machine, r.options, r.all)
	return session
}
