package tui

import (
	"asldb/engine"
	"asldb/engine/explain"
	"asldb/tui/part/theme"
)

// stageEvent returns the newest event of a stage in the visit that is looked at, -1 where it has not run.
func (u *ui) stageEvent(stage engine.Stage) int {
	log, visit := u.session.Log(), u.moment.visit
	for i := log.Len() - 1; i >= int(visit.Entered)-1; i-- {
		if e := log.At(i); e.Visit == visit && e.Stage == stage {
			return i
		}
	}
	return -1
}

// lookAtStage shows the newest event of a stage.
func (u *ui) lookAtStage(stage engine.Stage) {
	if u.moment.visit == nil {
		return
	}
	at := u.stageEvent(stage)
	if at < 0 {
		u.say(theme.Warn, u.notRun(stage))
		return
	}
	u.look(at)
}

// notRun says why a stage has no event to show.
func (u *ui) notRun(stage engine.Stage) string {
	for i := range u.moment.stages {
		if s := &u.moment.stages[i]; s.info.Stage == stage {
			return explain.NotRun(&s.info)
		}
	}
	return "This stage has not run."
}

// otherStage looks at the stage before (by is -1) or behind (1) that has run.
func (u *ui) otherStage(by int) {
	m := u.moment
	if m.visit == nil {
		u.say(theme.Warn, "This event belongs to no state, so it has no stages.")
		return
	}
	from := m.now
	if from < 0 && by < 0 {
		from = len(m.stages)
	}
	for i := from + by; i >= 0 && i < len(m.stages); i += by {
		if at := u.stageEvent(m.stages[i].info.Stage); at >= 0 && at != m.index {
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
