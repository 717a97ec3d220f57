package screen

import (
	"asldb/engine/compare"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	comparepane "asldb/tui/pane/compare"
	"asldb/tui/part/theme"
)

// Recorded is a recorded run that the session's is held against.
type Recorded struct {
	// Log has its events.
	Log *runlog.Log
	// Compare lays a run beside it where its events are those of Step Functions' history, which knows no stages; nil: event by event.
	Compare func(run *runlog.Log) *compare.Result
	// Ahead, where it is not nil, is the end of the run without interventions: it is shown beside the recorded one
	// as long as the session has not come as far and has no other branch.
	Ahead *runlog.Log
	// Open shows the two side by side when the screen opens, at the first difference.
	Open bool
}

// comparison shows two runs side by side: two forks of the session, or a fork and the recorded run.
type comparison struct {
	pane.Screen
	recorded *Recorded         // nil: there is none
	view     *comparepane.View // the newest
}

func (cm *comparison) bindings() pane.Bindings {
	return pane.Bindings{{
		Action: keys.Compare,
		Run:    plainly(func() { cm.open(cm.present()) }),
		Disabled: func() string {
			switch a, _ := cm.present(); {
			case cm.Session().Log().Len() == 0 && cm.recorded == nil:
				return "nothing has run yet"
			case a == 0 && cm.recorded == nil:
				return "there is only one run, and no recording to compare it with"
			}
			return ""
		},
	}}
}

// present returns the two runs to compare: the what-ifs of the view that was left, where the session is still in one
// of them, else the recorded run (0) or the parent of the branch that the session is in, and that branch.
func (cm *comparison) present() (a, b int) {
	for _, branch := range cm.Session().Forks().All() {
		if branch.Current {
			a, b = branch.Parent, branch.ID
		}
	}
	if cm.view != nil {
		if left, right := cm.view.Branches(); left == b || right == b {
			return left, right
		}
	}
	if cm.recorded != nil {
		a = 0
	}
	return a, b
}

// open opens the view of two branches of the run; 0 stands for the recorded run as a, and for the branch that the
// session is in as b.
func (cm *comparison) open(a, b int) {
	for _, branch := range cm.Session().Forks().All() {
		if b == 0 && branch.Current {
			b = branch.ID
		}
	}
	left, right := cm.Session().Forks().Log(a), cm.Session().Forks().Log(b)
	if a == 0 && cm.recorded != nil {
		left = cm.recorded.Log
		if ahead := cm.recorded.Ahead; ahead != nil && right != nil && right.Len() < ahead.Len() && len(cm.Session().Forks().All()) == 1 {
			right = ahead
		}
	}
	if left == nil || right == nil {
		cm.Say(theme.Bad, debug.ErrNoFork.Error())
		return
	}
	v := cm.view
	if v == nil || !v.Of(a, b, left.Len(), right.Len()) {
		runs := comparepane.Runs{A: a, B: b, Left: left, Right: right, Start: cm.Start(), Go: cm.goTo}
		if a == 0 && cm.recorded.Compare != nil {
			runs.Compared = cm.recorded.Compare(right)
		} else {
			runs.Compared = compare.Logs(left, right)
		}
		v = comparepane.New(runs)
	}
	if v.Same() {
		cm.Say(theme.Plain, v.SameText())
		return
	}
	cm.view = v
	cm.Open(v)
}

// goTo brings the session to the event at an index of a branch.
func (cm *comparison) goTo(branch, at int) {
	if err := cm.Session().Forks().Switch(branch); err != nil {
		cm.Say(theme.Bad, err.Error())
		return
	}
	if more := at + 1 - cm.Session().Log().Len(); more > 0 { // it has not happened yet
		cm.Session().GoTo(cm.Session().Log().Len())
		stop, _ := cm.Session().Do(debug.Command{Kind: debug.Continue, Events: more})
		if cm.Session().Log().Len() <= at || stop.Reason == debug.StoppedByBreakpoint {
			cm.Sync()
			return
		}
	}
	cm.Sync()
	cm.StandAt(at)
}
