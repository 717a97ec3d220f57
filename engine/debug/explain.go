package debug

import (
	"math/rand/v2"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/jsonata"
	"asldb.dev/asldb/engine/template"
	"asldb.dev/asldb/engine/value"
)

// ExplainStage unfolds the JSONata expressions of the stage that event i of the log completed or failed,
// counted from 0: what each part of them gave. It is empty for other events. Random numbers are drawn anew,
// so they differ from those of the run.
func (s *Session) ExplainStage(i int) []template.Explanation {
	event := s.log.At(i)
	if event.Type != engine.StageCompleted && event.Type != engine.StageFailed {
		return nil
	}
	queries := s.queriesOf(event)
	if len(queries) == 0 {
		return nil
	}
	context, variables := s.RootsAt(i)
	roots := &template.QueryRoots{
		States: s.statesAt(i, context), Variables: variables,
		Env: jsonata.Env{Now: event.At(), Random: rand.NewPCG(uint64(s.options.Seed), uint64(event.Seq))},
	}
	var explained []template.Explanation
	for _, query := range queries {
		explained = append(explained, query.Explain(roots)...)
		if last := len(explained) - 1; event.Stage == engine.StageChoices && last >= 0 && explained[last].Trace.Value == value.Bool(true) {
			break // the rules after it were not looked at
		}
	}
	return explained
}

// queriesOf returns the fields behind a stage in JSONata: the conditions of a Choice, or one field.
func (s *Session) queriesOf(event *engine.Event) []*template.Query {
	var queries []*template.Query
	if event.Visit != nil && event.Stage == engine.StageChoices {
		for _, rule := range event.Visit.State.Choices {
			if rule.Query != nil {
				queries = append(queries, rule.Query)
			}
		}
		return queries
	}
	if query := s.queryOf(event); query != nil && !query.Constant() {
		queries = append(queries, query)
	}
	return queries
}

// queryOf returns the field behind a stage in JSONata, nil where there is none.
func (s *Session) queryOf(event *engine.Event) *template.Query {
	visit := event.Visit
	if visit == nil || visit.State.QueryLanguage != asl.JSONata {
		return nil
	}
	def := visit.State
	var field *asl.TemplateField
	switch event.Stage {
	case engine.StageParameters:
		if field = def.Arguments; def.Type == asl.Map {
			field = def.ItemSelector
		}
	case engine.StageItemsPath:
		field = def.Items
	case engine.StageAssign:
		field = s.caughtOr(event, def.Assign, func(c *asl.Catcher) *asl.TemplateField { return c.Assign })
		if rule := s.ruleOf(event); rule != nil {
			field = rule.Assign
		}
	case engine.StageOutputPath:
		field = s.caughtOr(event, def.Output, func(c *asl.Catcher) *asl.TemplateField { return c.Output })
		if rule := s.ruleOf(event); rule != nil {
			field = rule.Output
		}
	case engine.StageWait:
		for _, quantity := range []*asl.Quantity{def.Seconds, def.Timestamp} {
			if quantity != nil {
				return quantity.Query
			}
		}
	}
	if field == nil {
		return nil
	}
	return field.Query
}

// ruleOf returns the rule of a Choice state that matched in the event's visit, nil for Default, for other
// states, and while the visit has not been left.
func (s *Session) ruleOf(event *engine.Event) *asl.ChoiceRule {
	choices := event.Visit.State.Choices
	for i := int(event.Seq); len(choices) > 0 && i < s.log.length; i++ {
		later := s.log.At(i)
		if detail, ok := later.Detail.(*engine.ExitDetail); ok && later.Visit == event.Visit && detail.Rule >= 0 && detail.Rule < len(choices) {
			return choices[detail.Rule]
		}
	}
	return nil
}

// caughtOr returns the catcher's field where the visit had gone over to a catcher by the time of the event,
// and the state's own otherwise.
func (s *Session) caughtOr(event *engine.Event, own *asl.TemplateField, of func(*asl.Catcher) *asl.TemplateField) *asl.TemplateField {
	for i := int(event.Seq) - 2; i >= int(event.Visit.Entered); i-- {
		if earlier := s.log.At(i); earlier.Visit == event.Visit && earlier.Type == engine.ErrorCaught {
			if catcher := catcherOf(earlier); catcher != nil {
				return of(catcher)
			}
			break
		}
	}
	return own
}

// catcherOf returns the catcher that an event says has caught an error; nil where the definition does not have it, as it may
// be of events that another one brought.
func catcherOf(event *engine.Event) *asl.Catcher {
	detail, ok := event.Detail.(*engine.CatchDetail)
	if !ok || detail.Catcher < 0 || detail.Catcher >= len(event.Visit.State.Catch) {
		return nil
	}
	return event.Visit.State.Catch[detail.Catcher]
}

// statesAt returns $states as it was at event i.
func (s *Session) statesAt(i int, context value.Value) value.Value {
	visit := s.log.At(i).Visit
	members := []value.Member{{Key: "input", Value: s.log.At(int(visit.Entered) - 1).After}}
	if context != nil {
		members = append(members, value.Member{Key: "context", Value: context})
	}
	for j := i - 1; j >= int(visit.Entered); j-- {
		earlier := s.log.At(j)
		if earlier.Visit != visit {
			continue
		}
		switch earlier.Type {
		case engine.TaskSucceeded, engine.ParallelSucceeded, engine.MapSucceeded:
			return value.NewObject(append(members, value.Member{Key: "result", Value: earlier.After}))
		case engine.ErrorCaught:
			return value.NewObject(append(members, value.Member{Key: "errorOutput", Value: earlier.After}))
		}
	}
	return value.NewObject(members)
}
