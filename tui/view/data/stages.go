package data

import (
	"asldb/engine"
	"asldb/engine/explain"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// lookAtStage shows the newest event of a stage.
func lookAtStage(screen Screen, stage engine.Stage) {
	if screen.Selection().Visit == nil {
		return
	}
	at := screen.Log().NewestOf(screen.Selection().Visit, stage)
	if at < 0 {
		screen.Say(canvas.Warn, notRun(screen.Selection(), stage))
		return
	}
	screen.Inspect(at)
}

// notRun returns the reason why a stage has no event to show.
func notRun(s *view.Selection, stage engine.Stage) string {
	for i := range s.Stages {
		if s.Stages[i].Info.Stage == stage {
			return explain.NotRun(&s.Stages[i].Info)
		}
	}
	return "This stage has not run."
}

// otherStage shows the nearest stage before (by is -1) or behind (1) that has run.
func otherStage(screen Screen, by int) {
	m := screen.Selection()
	if m.Visit == nil {
		screen.Say(canvas.Warn, "This event belongs to no state, so it has no stages.")
		return
	}
	from := m.Now
	if from < 0 && by < 0 {
		from = len(m.Stages)
	}
	for i := from + by; i >= 0 && i < len(m.Stages); i += by {
		if at := screen.Log().NewestOf(m.Visit, m.Stages[i].Info.Stage); at >= 0 && at != m.Index {
			screen.Inspect(at)
			return
		}
	}
	if by < 0 {
		screen.Say(canvas.Warn, "This is the first stage of the state.")
		return
	}
	screen.Say(canvas.Warn, "No later stage of the state has run.")
}
