package recordings

import (
	"errors"
	"fmt"
	gc "runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"asldb/engine/debug"
	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/wording"
	"asldb/recorder"
	"asldb/tui/screen"
)

// smallTrace is the length of a file, in bytes, up to which a trace is read before the first frame: that takes a few milliseconds.
// firstSteps is how many steps of such a run are executed before it.
const (
	smallTrace = 4 << 20
	firstSteps = 16 << 10
	// gcPercent is how much garbage there may be beside the events of a larger one, in percent.
	gcPercent = 40
)

// open shows a recorded run as it was recorded: the screen comes first, then its events.
func (f *replayFlags) open(cmd *cobra.Command, s *command.Streams) error {
	look, err := sessions.ScreenOptions(cmd, s, &f.session)
	if err != nil {
		return err
	}
	f.session.Spec.BreakUncaught = true
	o, err := launch.OpenReplay(f.session.Spec, f.follow)
	if err != nil {
		_ = o.Close() // it was only read
		return command.Flagged(err)
	}
	defer o.Close()
	look.Title, look.Back = f.session.Spec.Title(), f.session.Back
	shown := &shownReplay{Opening: o, follow: f.follow, warn: s.Warn}
	session := o.Preview
	if o.Size() <= smallTrace {
		if err := o.Open(); err != nil {
			return command.Flagged(err)
		}
		for _, text := range o.Warnings() {
			fmt.Fprintln(s.Err, text)
		}
		session = o.Run().Session
		debug.GrowthOf(session).Grow(firstSteps)
		if debug.GrowthOf(session).Divergence() != nil {
			if err := o.Reread(); err != nil {
				return command.Flagged(err)
			}
			session, look.Notes = o.Run().Session, shown.differs()
		}
		shown.isOpen = true
	}
	look.Opening = shown.options()
	if !shown.isOpen { // a large run: less memory for a little time
		defer gc.SetGCPercent(gc.SetGCPercent(gcPercent))
	}
	ended := command.Listen(cmd.Context())
	defer ended.Stop()
	if err := sessions.SaveFault(s, nil, f.session.ShowScreen(ended, s, session, look)); err != nil {
		return err
	}
	return shown.err
}

// Following is a run that is executed elsewhere, and its trace.
type Following interface {
	// Extend reads what was added to the trace: see [launch.Opening.Extend].
	Extend() (events, inputs int, again bool, err error)
	// Drive prepares a session that replaces the one before.
	Drive(session *debug.Session)
}

// ShowFollowed shows a run that is executed elsewhere, and was opened, until the user leaves it.
func ShowFollowed(cmd *cobra.Command, s *command.Streams, flags *sessions.Flags, title string, o *launch.Opening,
	run Following) error {
	look, err := sessions.ScreenOptions(cmd, s, flags)
	if err != nil {
		return err
	}
	look.Title, look.Back = title, flags.Back
	shown := &shownReplay{Opening: o, follow: true, isOpen: true, warn: s.Warn, run: run}
	if debug.GrowthOf(o.Run().Session).Divergence() != nil {
		if err := o.Reread(); err != nil {
			return err
		}
		look.Notes = shown.differs()
	}
	look.Opening = shown.options()
	ended := command.Listen(cmd.Context())
	defer ended.Stop()
	return sessions.SaveFault(s, nil, flags.ShowScreen(ended, s, o.Run().Session, look))
}

// shownReplay is a recorded run that is opened behind the screen.
type shownReplay struct {
	*launch.Opening
	run            Following // nil: its file is followed
	follow, isOpen bool
	warn           func(files.Warning)
	err            error // why it could not be opened
}

// options returns the opening as the screen has it.
func (r *shownReplay) options() *screen.Opening {
	opening := &screen.Opening{
		Facts: r.facts(), Percent: r.Percent, Opened: r.isOpen,
		Open:   func() screen.Opened { return r.opened(r.Open()) },
		Reread: func() screen.Opened { return r.opened(r.Reread()) },
	}
	if r.follow {
		opening.Extend = r.extend
	}
	return opening
}

// opened returns the session that was made, for the screen.
func (r *shownReplay) opened(err error) screen.Opened {
	if err != nil {
		if !errors.Is(err, recorder.ErrStopped) {
			r.err = err
		}
		return screen.Opened{Err: err}
	}
	return screen.Opened{Session: r.Run().Session, Notes: append(r.Warnings(), r.differs()...)}
}

// differs says, of a run that is shown as it was recorded, why it was not executed again.
func (r *shownReplay) differs() []string {
	run := r.Run().Replay
	if run.Divergence == nil {
		return nil
	}
	return []string{asRecorded(run)}
}

// asRecorded says that a run which differs is shown as it was recorded.
func asRecorded(r *launch.Replayed) string {
	notice := fmt.Sprintf("Executed again the run differs at event %d: it is shown as it was recorded.", r.Divergence.Index+1)
	if r.Trace.Redacted() {
		notice += " The trace is redacted."
	}
	return notice
}

// extend reads what was added to the trace.
func (r *shownReplay) extend() screen.Extended {
	read := r.Extend
	if r.run != nil {
		read = r.run.Extend
	}
	events, inputs, again, err := read()
	e := screen.Extended{Events: events, Inputs: inputs, Err: err}
	if again {
		o := r.opened(err)
		if err == nil && r.run != nil {
			r.run.Drive(o.Session)
		}
		e.Opened = &o
	}
	return e
}

// facts are lines about the trace: its size, and the newest event in it.
func (r *shownReplay) facts() []string {
	list := []string{fmt.Sprintf("%s, %s", wording.Line(r.Run().Spec.Title()), size(r.Size()))}
	if !r.HasEnding {
		return list
	}
	e := &r.Ending
	last := fmt.Sprintf("last event: %d %s", e.Seq, e.Type)
	if e.State != "" {
		last += " of " + wording.Line(e.State)
	}
	list = append(list, last+", "+e.Time.UTC().Format(time.RFC3339))
	if e.Error != "" {
		list = append(list, "error: "+wording.Line(e.Error))
	}
	if e.Cause != "" {
		list = append(list, "cause: "+wording.Line(e.Cause))
	}
	return list
}

// size returns a number of bytes in words.
func size(n int64) string {
	switch {
	case n < 1<<20:
		return fmt.Sprintf("%d KB", (n+999)/1000)
	case n < 1e9:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.2f GB", float64(n)/1e9)
}
