package launch

import (
	"fmt"
	"sync/atomic"

	"asldb/engine/debug"
	"asldb/internal/wording"
	"asldb/recorder"
)

// Opening is a recorded run whose trace is opened in steps: [OpenReplay] reads the first and the last lines, [Opening.Open] all of
// them, and the session that it returns executes the run a part at a time.
type Opening struct {
	// Preview is a session of the run without any event.
	Preview *debug.Session
	// Ending is the newest event in the file; HasEnding is false where it is not known.
	Ending    recorder.Ending
	HasEnding bool

	c       *composition
	r       *replaying
	size    int64 // of the file in bytes, when it was opened
	percent atomic.Int32
	stopped atomic.Bool
	forks   int // how many there were when the session was made
	counted int // warnings that have been returned
}

// ShowsRecording reports whether the Spec means a run that is shown as it was recorded, which [OpenReplay] can open.
func (s *Spec) ShowsRecording() bool {
	return s.Replay.isGiven() && !s.Replay.Verify && !s.changed() && s.Fixtures.Name == "" && s.Input.Text == "" &&
		s.Definition.File == ""
}

// OpenReplay begins to open the trace of a Spec that [Spec.ShowsRecording]: it reads the first line of the trace and its end. With follow
// the trace may still be written. The Opening is to be closed. The errors come from [New].
func OpenReplay(spec Spec, follow bool) (*Opening, error) {
	spec.Replay.begun, spec.Replay.follow = true, follow
	c := &composition{Spec: spec, run: &Run{}}
	c.run.Spec = &c.Spec
	o := &Opening{c: c}
	if err := c.Spec.Read(); err != nil {
		return o, err
	}
	o.r = &replaying{composition: c, replayed: &Replayed{Trace: c.Replay.Trace}}
	c.run.Replay = o.r.replayed
	if err := o.r.prepare(); err != nil {
		return o, err
	}
	o.size = c.Replay.Trace.Size()
	o.Ending, o.HasEnding = c.Replay.Trace.Ending()
	o.Preview = debug.ReplayLog(o.r.machine, o.r.options, debug.Recording{})
	return o, nil
}

// Size returns the length of the file in bytes, as it was at first.
func (o *Opening) Size() int64 { return o.size }

// Percent returns how much of the file Open has read, or of the events Reread. It may be called beside both.
func (o *Opening) Percent() int { return int(o.percent.Load()) }

// Stop ends Open and Reread, which then return [recorder.ErrStopped].
func (o *Opening) Stop() { o.stopped.Store(true) }

// Run returns the run, whose session is the one that Open or Reread returned last.
func (o *Opening) Run() *Run { return o.c.run }

// Close closes the trace.
func (o *Opening) Close() error {
	o.Stop()
	return o.c.run.Close()
}

// progress notes how much has been read, and reports whether to continue.
func (o *Opening) progress(part, whole int64) bool {
	o.percent.Store(int32(min(100*part/max(whole, 1), 100)))
	return !o.stopped.Load()
}

// Open reads the trace and makes the session. Its events come by [debug.Growth.Grow]; where they cannot be executed it has
// them all, as they were recorded. It is called once, and takes its time.
func (o *Opening) Open() error {
	trace := o.c.Replay.Trace
	if err := trace.Index(func(read int64) bool { return o.progress(read, o.size) }); err != nil {
		return err
	}
	return o.session()
}

// session makes the session of the indexed trace.
func (o *Opening) session() (err error) {
	o.forks = len(o.c.Replay.Trace.Forks())
	if o.r.recorded, err = o.c.Replay.Recorded(); err != nil {
		return err
	}
	if !showsOnly(o.c.Replay.Trace) {
		if recording, err := o.r.recorded.LazyRecording(); err == nil {
			o.c.run.Session = debug.BeginReplay(o.r.machine, o.r.options, recording)
			if o.c.Replay.follow {
				debug.GrowthOf(o.c.run.Session).Follow()
			}
			return o.c.setBreakpoints()
		}
	}
	return o.Reread()
}

// Reread makes a session of the recorded events: executing them again leads elsewhere.
func (o *Opening) Reread() error {
	o.percent.Store(0)
	whole := o.r.recorded.Len()
	o.r.recorded.Looked = func(seq int64) bool { return o.progress(seq, whole) }
	o.c.run.Session = o.r.showAll()
	if o.stopped.Load() {
		return recorder.ErrStopped
	}
	return o.c.setBreakpoints()
}

// Warnings returns the warnings about the trace since the last call.
func (o *Opening) Warnings() (texts []string) {
	all := warningsOf(o.c.Replay.Trace)
	for _, w := range all[min(o.counted, len(all)):] {
		texts = append(texts, fmt.Sprintf("%s: %s", w.Where, w.Text))
	}
	o.counted = len(all)
	return texts
}

// Extend reads what was added to a trace that is followed: the numbers of events and inputs that there are now. again is set
// where the run went back to an earlier event, and the session is another one.
func (o *Opening) Extend() (events, inputs int, again bool, err error) {
	trace := o.c.Replay.Trace
	if _, err := trace.Extend(); err != nil {
		return 0, 0, false, fmt.Errorf("%s: %w", wording.Line(trace.Name()), err)
	}
	if o.c.Replay.Fork == 0 && len(trace.Forks()) != o.forks {
		return 0, 0, true, o.session()
	}
	inputs, err = o.r.recorded.CountInputs()
	return int(o.r.recorded.Len()), inputs, false, err
}
