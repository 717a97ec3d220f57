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
	// Ahead, where it is not nil, is how the run comes out when nobody intervenes: what is shown beside the recorded one
	// as long as the session has not come as far and has no other branch.
	Ahead *runlog.Log
	// Open shows the two side by side when the screen opens, at the first difference.
	Open bool
}

func (u *ui) compareBindings() pane.Bindings {
	return pane.Bindings{{
		Action: keys.Beside,
		Run:    plainly(func() { u.openBeside(u.besideNow()) }),
		Disabled: func() string {
			switch a, _ := u.besideNow(); {
			case u.session.Log().Len() == 0 && u.recorded == nil:
				return "nothing has run yet"
			case a == 0 && u.recorded == nil:
				return "there is one run, and nothing recorded to hold it against"
			}
			return ""
		},
	}}
}

// besideNow returns what is to be held against what: the branches of the view that was left, where the session is still in one
// of them, else the recorded run (0) or the parent of the branch that the session is in, and that branch.
func (u *ui) besideNow() (a, b int) {
	for _, branch := range u.session.Forks().All() {
		if branch.Current {
			a, b = branch.Parent, branch.ID
		}
	}
	if u.beside != nil {
		if left, right := u.beside.Branches(); left == b || right == b {
			return left, right
		}
	}
	if u.recorded != nil {
		a = 0
	}
	return a, b
}

// openBeside opens the view of two branches of the run; 0 stands for the recorded run as a, and for the branch that the
// session is in as b.
func (u *ui) openBeside(a, b int) {
	for _, branch := range u.session.Forks().All() {
		if b == 0 && branch.Current {
			b = branch.ID
		}
	}
	left, right := u.session.Forks().Log(a), u.session.Forks().Log(b)
	if a == 0 && u.recorded != nil {
		left = u.recorded.Log
		if ahead := u.recorded.Ahead; ahead != nil && right != nil && right.Len() < ahead.Len() && len(u.session.Forks().All()) == 1 {
			right = ahead
		}
	}
	if left == nil || right == nil {
		u.say(theme.Bad, debug.ErrNoFork.Error())
		return
	}
	v := u.beside
	if v == nil || !v.Of(a, b, left.Len(), right.Len()) {
		runs := comparepane.Runs{A: a, B: b, Left: left, Right: right, Start: u.start, Go: u.goToBranch}
		if a == 0 && u.recorded.Compare != nil {
			runs.Compared = u.recorded.Compare(right)
		} else {
			runs.Compared = compare.Logs(left, right)
		}
		v = comparepane.New(runs)
	}
	if v.Same() {
		u.say(theme.Plain, v.SameText())
		return
	}
	u.beside, u.dialog = v, v
}

// goToBranch brings the session to the event at an index of a branch.
func (u *ui) goToBranch(branch, at int) {
	if err := u.session.Forks().Switch(branch); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	if more := at + 1 - u.session.Log().Len(); more > 0 { // it has not happened yet
		u.session.GoTo(u.session.Log().Len())
		stop, _ := u.session.Do(debug.Command{Kind: debug.Continue, Events: more})
		if u.session.Log().Len() <= at || stop.Reason == debug.StoppedByBreakpoint {
			u.sync()
			return
		}
	}
	u.sync()
	u.standAt(at)
}
