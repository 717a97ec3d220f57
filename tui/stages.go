package tui

import (
	"asldb/engine"
	"asldb/engine/explain"
	"asldb/tui/part/theme"
)

// lookAtStage shows the newest event of a stage.
func (u *ui) lookAtStage(stage engine.Stage) {
	if u.selection.Visit == nil {
		return
	}
	at := u.session.Log().NewestOf(u.selection.Visit, stage)
	if at < 0 {
		u.say(theme.Warn, u.notRun(stage))
		return
	}
	u.look(at)
}

// notRun says why a stage has no event to show.
func (u *ui) notRun(stage engine.Stage) string {
	for i := range u.selection.Stages {
		if s := &u.selection.Stages[i]; s.Info.Stage == stage {
			return explain.NotRun(&s.Info)
		}
	}
	return "This stage has not run."
}

// otherStage looks at the stage before (by is -1) or behind (1) that has run.
func (u *ui) otherStage(by int) {
	m := u.selection
	if m.Visit == nil {
		u.say(theme.Warn, "This event belongs to no state, so it has no stages.")
		return
	}
	from := m.Now
	if from < 0 && by < 0 {
		from = len(m.Stages)
	}
	for i := from + by; i >= 0 && i < len(m.Stages); i += by {
		if at := u.session.Log().NewestOf(m.Visit, m.Stages[i].Info.Stage); at >= 0 && at != m.Index {
			u.look(at)
			return
		}
	}
	if by < 0 {
		u.say(theme.Warn, "This is the first stage of the state.")
		return
	}
	u.say(theme.Warn, "No later stage of the state has run.")
}
