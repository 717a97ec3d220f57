package screen

import (
	"asldb/engine"
	"asldb/engine/cause"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

// endings is the end of a run that has failed, and the way to its cause.
type endings struct {
	pane.Screen
	nested explain.Nested
	// known is the ending of log when it had length events: it goes over the whole log, and the status line is drawn often.
	known  *explain.Ending
	log    *runlog.Log
	length int
}

func (en *endings) bindings() pane.Bindings {
	return pane.Bindings{{Action: keys.Cause, Run: plainly(en.goToCause), Disabled: func() string {
		if !en.failed() {
			return "the run has not failed"
		}
		return ""
	}}}
}

// failed reports whether the log ends with the end of a run that has not succeeded.
func (en *endings) failed() bool {
	last := en.Log().Last()
	return last != nil && last.Type.EndsExecution() && last.Type != engine.ExecutionSucceeded
}

// ending returns the ending of a run that has failed.
func (en *endings) ending() *explain.Ending {
	if log := en.Log(); en.known == nil || en.log != log || en.length != log.Len() {
		en.known, en.log, en.length = explain.EndingOf(en.Session(), en.nested), log, log.Len()
	}
	return en.known
}

// goToCause looks at the event in which the failure began.
func (en *endings) goToCause() {
	root := en.ending().Root()
	if root == 0 {
		en.Say(theme.Warn, "The cause is unknown.")
		return
	}
	en.Inspect(int(root) - 1)
	en.Say(theme.Plain, "The cause of the failure; "+en.Key(keys.Now)+" goes back to the end.")
}

// answerable returns the state whose task failed first of all, "" where no task did. X answers it otherwise.
func (en *endings) answerable() string {
	if !en.Newest() || !en.failed() {
		return ""
	}
	root := en.ending().Chain.Root()
	if root == nil || root.Kind != cause.Failed || root.Visit == nil || en.Log().RequestBefore(root.Event) == nil {
		return ""
	}
	return explain.PlaceName(root.Visit)
}
