package data

import (
	"asldb/engine"
	"asldb/engine/explain"
	"asldb/tui/part/theme"
)

// lookAtStage shows the newest event of a stage.
func (p *Pane) lookAtStage(stage engine.Stage) {
	if p.screen.Selection().Visit == nil {
		return
	}
	at := p.screen.Log().NewestOf(p.screen.Selection().Visit, stage)
	if at < 0 {
		p.screen.Say(theme.Warn, p.notRun(stage))
		return
	}
	p.screen.Inspect(at)
}

// notRun says why a stage has no event to show.
func (p *Pane) notRun(stage engine.Stage) string {
	for i := range p.screen.Selection().Stages {
		if s := &p.screen.Selection().Stages[i]; s.Info.Stage == stage {
			return explain.NotRun(&s.Info)
		}
	}
	return "This stage has not run."
}

// otherStage looks at the stage before (by is -1) or behind (1) that has run.
func (p *Pane) otherStage(by int) {
	m := p.screen.Selection()
	if m.Visit == nil {
		p.screen.Say(theme.Warn, "This event belongs to no state, so it has no stages.")
		return
	}
	from := m.Now
	if from < 0 && by < 0 {
		from = len(m.Stages)
	}
	for i := from + by; i >= 0 && i < len(m.Stages); i += by {
		if at := p.screen.Log().NewestOf(m.Visit, m.Stages[i].Info.Stage); at >= 0 && at != m.Index {
			p.screen.Inspect(at)
			return
		}
	}
	if by < 0 {
		p.screen.Say(theme.Warn, "This is the first stage of the state.")
		return
	}
	p.screen.Say(theme.Warn, "No later stage of the state has run.")
}
