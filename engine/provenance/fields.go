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

// fieldAt returns the field that gave the value at a place in the data of event i, as [asl.State.Place] takes it.
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
	row := t.rowAt(i)
	if row == nil {
		return event.Stage.String()
	}
	switch row.Content {
	case asl.ContentResultPath:
		return t.catcherAt(i) + row.Name
	case asl.ContentLiteral:
		return row.Name + memberAt(row.TemplateIn(def), segments, true)
	case asl.ContentTemplate, asl.ContentPayload, asl.ContentItems, asl.ContentAssign:
		return t.templateName(i) + memberAt(t.templateAt(i), segments, query)
	default:
		return row.Name
	}
}

// rowAt returns the field that does the stage of event i; nil where the state has none for it.
func (t *tracer) rowAt(i int) *asl.Field {
	event := t.at(i)
	def := event.Visit.State
	for _, f := range asl.FieldsAt(def.Type, def.QueryLanguage, event.Stage) {
		switch f.Content {
		case asl.ContentPayload, asl.ContentTemplate:
			if def.Type == asl.Map && def.ItemSelector != nil && def.Node != nil && def.Node.Get(f.Name) == nil {
				continue // ItemSelector has an older name
			}
			return f
		case asl.ContentPath, asl.ContentItemsPath, asl.ContentResultPath, asl.ContentLiteral, asl.ContentItems, asl.ContentAssign,
			asl.ContentReader, asl.ContentBatcher, asl.ContentWriter:
			return f
		default:
		}
	}
	return nil
}

// templateName returns the name of the field that a payload template, or a field in JSONata, of event i is: with the rule or
// the catcher that has it.
func (t *tracer) templateName(i int) string {
	row := t.rowAt(i)
	switch {
	case row == nil:
		return t.at(i).Stage.String()
	case row.Stage == engine.StageAssign, row.Stage == engine.StageOutputPath && row.Content == asl.ContentTemplate:
		return t.ruleAt(i) + t.catcherAt(i) + row.Name
	}
	return row.Name
}

// templateAt returns the payload template or field in JSONata that did the stage of event i; nil where a path did, or where
// the state has none.
func (t *tracer) templateAt(i int) *asl.TemplateField {
	if row := t.rowAt(i); row != nil {
		switch row.Content {
		case asl.ContentTemplate, asl.ContentPayload, asl.ContentItems, asl.ContentAssign:
			return t.inForce(i, row)
		default:
		}
	}
	return nil
}

// pathAt returns the path that did the stage of event i; nil where none did.
func (t *tracer) pathAt(i int) *asl.PathField {
	if row := t.rowAt(i); row != nil && (row.Content == asl.ContentPath || row.Content == asl.ContentItemsPath) {
		return row.PathIn(t.at(i).Visit.State)
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

// memberAt returns the place in a field of the member that gives the value at a place, "/a/b.$" for example.
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
