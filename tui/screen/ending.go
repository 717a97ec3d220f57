package screen

import (
	"slices"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// endings is the end of a run that has failed or the error by which it will, and the way to the cause.
type endings struct {
	contract
	nested explain.Nested
	// whole is the ending of the run, and ofError the ending of an event's error: they read the whole log, and the
	// status line is drawn often.
	whole, ofError knownEnding
}

// knownEnding is the ending of a log when it had length events, or the ending of the error of its event index.
type knownEnding struct {
	ending        *explain.Ending
	log           *runlog.Log
	length, index int
}

// atEnd is the index of the knownEnding of a run.
const atEnd = -1

func (en *endings) of(known *knownEnding, index int) *explain.Ending {
	if log := en.Log(); known.ending == nil || known.log != log || known.length != log.Len() || known.index != index {
		*known = knownEnding{log: log, length: log.Len(), index: index}
		if index == atEnd {
			known.ending = explain.EndingOf(en.Session(), en.nested)
		} else {
			known.ending = explain.ErrorOf(en.Session(), index, en.nested)
		}
	}
	return known.ending
}

func (en *endings) bindings() view.Bindings {
	return view.Bindings{{Action: keys.Cause, Run: plainly(en.goToCause), Disabled: func() string {
		switch {
		case en.wayToCause() != nil:
		case en.shown() != nil:
			return "the error began here"
		default:
			return "the run has not failed, and this event is not an error"
		}
		return ""
	}}}
}

// failed reports whether the log ends with the end of a run that has not succeeded.
func (en *endings) failed() bool {
	last := en.Log().Last()
	return last != nil && last.Type.EndsExecution() && last.Type != engine.ExecutionSucceeded
}

// atUncaught reports whether the run has stopped at an error that will end it, and the screen shows that.
func (en *endings) atUncaught() bool {
	stop, event := en.Session().Stop(), en.Selection().Event
	return en.Newest() && !en.Running() && stop.Reason == debug.StoppedByBreakpoint && stop.Breakpoint != nil && stop.Breakpoint.Standing &&
		event != nil && event.RaisesError()
}

// maxOpening bounds the events of a recording that opens at its failure: its explanation reads all of them.
const maxOpening = 100_000

// open brings a recorded run that has failed to its end, where the failure is explained, unless it is to stop at
// breakpoints.
func (en *endings) open() {
	s := en.Session()
	own := func(b *breakpoint.Breakpoint) bool { return !b.Standing }
	if !s.ReadOnly() || s.Position() > 0 || !en.failed() || s.Log().Len() > maxOpening || slices.ContainsFunc(s.Breakpoints().All(), own) {
		return
	}
	s.GoTo(s.Log().Len())
	en.Sync()
}

// shown returns the ending of the run where the screen shows that it failed, else the ending of the selected event's
// error, else the failed run's; nil where there is none.
func (en *endings) shown() *explain.Ending {
	event, failed := en.Selection().Event, en.failed()
	switch {
	case failed && en.Newest() && en.Session().Status().Done():
	case event != nil && event.RaisesError() && event.Failure() != nil:
		return en.of(&en.ofError, en.Selection().Index)
	}
	if failed {
		return en.of(&en.whole, atEnd)
	}
	return nil
}

// wayToCause returns the ending that leads from the selected event to a cause elsewhere; nil where none does.
func (en *endings) wayToCause() *explain.Ending {
	shown := en.shown()
	if shown != nil && int(shown.Root())-1 == en.Selection().Index && en.failed() {
		shown = en.of(&en.whole, atEnd) // the error began here, and another one ended the run
	}
	if shown == nil || int(shown.Root())-1 == en.Selection().Index && !(en.Newest() && en.Session().Status().Done()) {
		return nil
	}
	return shown
}

// goToCause looks at the event in which the failure began.
func (en *endings) goToCause() {
	root, back := en.wayToCause().Root(), "the end"
	if root == 0 {
		en.Say(canvas.Warn, "The cause is unknown.")
		return
	}
	if !en.failed() {
		back = "the newest event"
	}
	en.Inspect(int(root) - 1)
	en.Say(canvas.Plain, "The cause of the failure; "+en.Key(keys.Now)+" goes back to "+back+".")
}

// answerable returns the state whose task failed first of all, at the end of a run that has failed or at an error that
// will end it; "" where no task did, and of a recorded run. X answers it otherwise.
func (en *endings) answerable() string {
	if !en.Newest() || !en.failed() && !en.atUncaught() || readOnly(en.contract) != "" {
		return ""
	}
	root := en.shown().Chain.Root()
	if root == nil || root.Kind != provenance.Failed || root.Visit == nil || en.Log().RequestBefore(root.Event) == nil {
		return ""
	}
	return explain.PlaceName(root.Visit)
}
