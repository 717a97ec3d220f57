package debug

import (
	"math/rand/v2"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/path"
	"asldb.dev/asldb/engine/template"
	"asldb.dev/asldb/engine/value"
)

// ExplainFields unfolds what a state in JSONPath evaluated in the stage that event i of the log completed or
// failed, counted from 0: each field of a payload template with what it selected, and each bound that is read from the
// data. The Pointer of each begins with the field's name. It is empty for other events. Random numbers are drawn
// anew, so they differ from those of the run.
func (s *Session) ExplainFields(i int) []template.FieldExplanation {
	event := s.log.At(i)
	if (event.Type != engine.StageCompleted && event.Type != engine.StageFailed) || event.Visit == nil ||
		event.Visit.State.QueryLanguage == asl.JSONata {
		return nil
	}
	context, variables := s.explainRoots(i)
	roots := &path.Roots{Data: s.templateData(i), Context: context, Variables: variables}
	random := rand.NewPCG(uint64(s.options.Seed), uint64(event.Seq))
	var explained []template.FieldExplanation
	add := func(name string, field *asl.TemplateField) {
		if field == nil || field.Template == nil {
			return
		}
		for _, e := range field.Template.Explain(roots, random) {
			e.Pointer = name + e.Pointer
			explained = append(explained, e)
		}
	}
	add(s.templateOf(event))
	fields, quantities := partFields(event.Visit.State, event.Stage)
	for _, field := range fields {
		add(event.Stage.String(), field)
	}
	for _, quantity := range quantities {
		if quantity != nil && quantity.Path != nil {
			e := template.FieldExplanation{Pointer: quantity.Field, Text: quantity.Path.String()}
			e.Value, e.Err = quantity.Path.Get(roots)
			explained = append(explained, e)
		}
	}
	return explained
}

// templateOf returns the payload template behind a stage with its field's name, nil where there is none.
func (s *Session) templateOf(event *engine.Event) (name string, field *asl.TemplateField) {
	def := event.Visit.State
	switch event.Stage {
	case engine.StageParameters:
		if def.Type == asl.Map {
			return "ItemSelector", def.ItemSelector
		}
		return "Parameters", def.Parameters
	case engine.StageResultSelector:
		return "ResultSelector", def.ResultSelector
	case engine.StageAssign:
		field = s.caughtOr(event, def.Assign, func(c *asl.Catcher) *asl.TemplateField { return c.Assign })
		if rule := s.pathRuleOf(event); rule != nil {
			field = rule.Assign
		}
		return "Assign", field
	}
	return "", nil
}

// pathRuleOf is ruleOf for a state in JSONPath.
func (s *Session) pathRuleOf(event *engine.Event) *asl.ChoiceRule {
	if event.Visit.State.Type != asl.Choice {
		return nil
	}
	context, variables := s.RootsAt(int(event.Seq) - 1)
	for i := int(event.Seq) - 2; i >= int(event.Visit.Entered)-1; i-- {
		if earlier := s.log.At(i); earlier.Visit == event.Visit && earlier.Stage == engine.StageChoices {
			for _, result := range engine.ExplainChoice(event.Visit.State, earlier.Before, context, variables) {
				if result.Reached && result.Holds {
					return result.Rule
				}
			}
			return nil
		}
	}
	return nil
}

// templateData is what $ stood for in the stage of event i: what the stage read, but the effective input for the
// fields of a Map state, and the data of the stage before for an Assign, whose own are the variables.
func (s *Session) templateData(i int) value.Value {
	event := s.log.At(i)
	switch {
	case event.Stage == engine.StageAssign:
		return s.assignData(i)
	case event.Visit.State.Type != asl.Map, event.Stage == engine.StageResultSelector:
		return event.Before
	}
	return s.effectiveInput(event.Visit, i)
}

// assignData is the result of the state's work, or its effective input where it does none.
func (s *Session) assignData(i int) value.Value {
	visit := s.log.At(i).Visit
	for at := i - 1; at >= int(visit.Entered)-1; at-- {
		e := s.log.At(at)
		if e.Visit != visit {
			continue
		}
		switch {
		case visit.State.Type == asl.Pass && e.Type == engine.StageCompleted && e.Stage == engine.StageParameters:
			return e.After
		case e.Type == engine.ErrorCaught, e.Stage == engine.StageResult && e.After != nil && e.Type != engine.TaskScheduled && e.Type != engine.TaskSubmitted:
			return e.After
		}
	}
	return s.effectiveInput(visit, i)
}

// effectiveInput is what InputPath made of a visit's raw input.
func (s *Session) effectiveInput(visit *engine.Visit, before int) value.Value {
	entered := int(visit.Entered) - 1
	for at := entered; at < before; at++ {
		if e := s.log.At(at); e.Visit == visit && e.Type == engine.StageCompleted && e.Stage == engine.StageInputPath {
			return e.After
		}
	}
	return s.log.At(entered).After
}

// explainRoots is RootsAt with the item in the context object where event i is about one of a Map's.
func (s *Session) explainRoots(i int) (context value.Value, variables func(name string) value.Value) {
	context, variables = s.RootsAt(i)
	event := s.log.At(i)
	if event.Visit == nil || event.Visit.State.Type != asl.Map || event.Stage != engine.StageParameters {
		return context, variables
	}
	items, index := s.itemsBefore(i)
	item := event.Before
	if event.Type == engine.StageFailed { // it read the effective input
		if items == nil || index >= items.Len() {
			return context, variables
		}
		item = items.At(index)
	}
	entered := s.log.At(int(event.Visit.Entered) - 1)
	return s.execution.ItemContextAt(event.Visit, entered.At(), item, index), variables
}

// itemsBefore returns the items of a Map state and the number of those that its ItemSelector had gone through
// before event i in the present attempt.
func (s *Session) itemsBefore(i int) (items *value.Array, index int) {
	visit := s.log.At(i).Visit
	for at := i - 1; at >= int(visit.Entered)-1; at-- {
		e := s.log.At(at)
		switch {
		case e.Visit != visit:
		case e.Type == engine.MapStarted:
			items, _ = e.Before.(*value.Array)
			return items, index
		case e.Type == engine.StageCompleted && e.Stage == engine.StageParameters:
			index++
		}
	}
	return nil, index
}

// partFields returns the fields behind the stages that bound a state's work, read its items, batch them and write
// its results. Those that are absent are nil.
func partFields(def *asl.State, stage engine.Stage) (fields []*asl.TemplateField, quantities []*asl.Quantity) {
	switch stage {
	case engine.StageLimits:
		quantities = []*asl.Quantity{
			def.TimeoutSeconds, def.HeartbeatSeconds, def.MaxConcurrency, def.ToleratedFailureCount, def.ToleratedFailurePercentage,
		}
	case engine.StageWait:
		if def.QueryLanguage != asl.JSONata { // the one that is an expression is the stage's own field
			quantities = []*asl.Quantity{def.Seconds, def.Timestamp}
		}
	case engine.StageItemReader:
		if reader := def.ItemReader; reader != nil {
			fields = append(fields, reader.Parameters)
			if reader.Config != nil {
				quantities = append(quantities, reader.Config.MaxItems)
			}
		}
	case engine.StageItemBatcher:
		if batcher := def.ItemBatcher; batcher != nil {
			fields = append(fields, batcher.BatchInput)
			quantities = append(quantities, batcher.MaxItemsPerBatch, batcher.MaxInputBytesPerBatch)
		}
	case engine.StageResultWriter:
		if writer := def.ResultWriter; writer != nil {
			fields = append(fields, writer.Parameters)
		}
	}
	return fields, quantities
}
