package provenance

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// fieldAt returns the field that gave what is at a place in the data of event i, as [asl.State.Place] takes it.
func (t *tracer) fieldAt(i int, segments []path.Segment) string {
	event := t.at(i)
	if event.Visit == nil {
		return ""
	}
	def := event.Visit.State
	query := def.QueryLanguage == asl.JSONata
	switch event.Type {
	case engine.TaskSucceeded, engine.TaskSubmitted, engine.TaskScheduled:
		return "Resource"
	case engine.ErrorCaught:
		if detail, ok := event.Detail.(*engine.CatchDetail); ok {
			return "Catch[" + strconv.Itoa(detail.Catcher) + "]"
		}
		return "Catch"
	case engine.StageCompleted, engine.StageFailed:
	default:
		return ""
	}
	switch event.Stage {
	case engine.StageResult:
		return "Result" + memberAt(def.Result, segments, true)
	case engine.StageResultPath:
		return t.catcherAt(i) + "ResultPath"
	case engine.StageItemsPath, engine.StageParameters, engine.StageResultSelector, engine.StageAssign, engine.StageOutputPath:
		if field := t.templateAt(i); field != nil {
			return t.templateName(i) + memberAt(field, segments, query)
		}
		return t.templateName(i)
	}
	return event.Stage.String()
}

// templateName returns the name of the field of a stage that a payload template, or a field in JSONata, does.
func (t *tracer) templateName(i int) string {
	event := t.at(i)
	def := event.Visit.State
	query := def.QueryLanguage == asl.JSONata
	switch event.Stage {
	case engine.StageItemsPath:
		if query {
			return "Items"
		}
	case engine.StageParameters:
		switch {
		case def.Type == asl.Map && def.Node != nil && def.Node.Get("ItemSelector") == nil && def.Node.Get("Parameters") != nil:
			return "Parameters"
		case def.Type == asl.Map:
			return "ItemSelector"
		case query:
			return "Arguments"
		}
	case engine.StageAssign:
		return t.ruleAt(i) + t.catcherAt(i) + "Assign"
	case engine.StageOutputPath:
		if query {
			return t.ruleAt(i) + t.catcherAt(i) + "Output"
		}
	}
	return event.Stage.String()
}

// templateAt returns the payload template or field in JSONata that did the stage of event i; nil where a path did, or where
// the state has none.
func (t *tracer) templateAt(i int) *asl.TemplateField {
	event := t.at(i)
	def := event.Visit.State
	query := def.QueryLanguage == asl.JSONata
	switch event.Stage {
	case engine.StageItemsPath:
		if query {
			return def.Items
		}
	case engine.StageParameters:
		switch {
		case def.Type == asl.Map:
			return def.ItemSelector
		case query:
			return def.Arguments
		}
		return def.Parameters
	case engine.StageResultSelector:
		return def.ResultSelector
	case engine.StageAssign:
		return t.fieldOf(i, func(c *asl.Catcher) *asl.TemplateField { return c.Assign }, def.Assign,
			func(r *asl.ChoiceRule) *asl.TemplateField { return r.Assign })
	case engine.StageOutputPath:
		if query {
			return t.fieldOf(i, func(c *asl.Catcher) *asl.TemplateField { return c.Output }, def.Output,
				func(r *asl.ChoiceRule) *asl.TemplateField { return r.Output })
		}
	}
	return nil
}

// pathAt returns the path that did the stage of event i; nil where none did.
func (t *tracer) pathAt(i int) *asl.PathField {
	event := t.at(i)
	def := event.Visit.State
	if def.QueryLanguage == asl.JSONata {
		return nil
	}
	switch event.Stage {
	case engine.StageInputPath:
		return def.InputPath
	case engine.StageItemsPath:
		return def.ItemsPath
	case engine.StageOutputPath:
		return def.OutputPath
	}
	return nil
}

// resultPathAt returns the ResultPath in force at event i, nil for its default.
func (t *tracer) resultPathAt(i int) *asl.PathField {
	if caught := t.caught(i); caught != nil {
		return caught.ResultPath
	}
	return t.at(i).Visit.State.ResultPath
}

// catcherAt returns the place of the catcher that the visit had gone over to by event i, "Catch[0]/", or nothing.
func (t *tracer) catcherAt(i int) string {
	if caught := t.caught(i); caught != nil {
		for n, catcher := range t.at(i).Visit.State.Catch {
			if catcher == caught {
				return "Catch[" + strconv.Itoa(n) + "]/"
			}
		}
	}
	return ""
}

// ruleAt returns the place of the rule that matched in the visit of event i, "Choices[0]/", or nothing.
func (t *tracer) ruleAt(i int) string {
	if matched := ruleOf(t.log, t.at(i)); matched != nil {
		for n, rule := range t.at(i).Visit.State.Choices {
			if rule == matched {
				return "Choices[" + strconv.Itoa(n) + "]/"
			}
		}
	}
	return ""
}

// memberAt returns the place in a field of what gives the value at a place, "/a/b.$" for example.
func memberAt(field *asl.TemplateField, segments []path.Segment, query bool) string {
	if field == nil {
		return ""
	}
	at, said := "", field.Value
	for _, segment := range segments {
		switch c := said.(type) {
		case *value.Object:
			if !query && c.Get(segment.Name+template.Suffix) != nil {
				return at + "/" + source.EscapePointer(segment.Name+template.Suffix)
			}
			if said = c.Get(segment.Name); said == nil {
				return at
			}
			at += "/" + source.EscapePointer(segment.Name)
		case *value.Array:
			if segment.Kind != path.IndexSegment || segment.Index >= c.Len() {
				return at
			}
			said = c.At(segment.Index)
			at += "[" + strconv.Itoa(segment.Index) + "]"
		default:
			return at
		}
	}
	return at
}

// placeOf returns where a field of the event's state stands; nil where field is empty.
func placeOf(event *engine.Event, field string) *asl.Place {
	if field == "" || event.Visit == nil || event.Visit.State == nil {
		return nil
	}
	at := event.Visit.State.Place(field)
	return &at
}
