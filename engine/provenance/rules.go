package provenance

import (
	"regexp"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/template"
	"asldb/engine/value"
)

// stage goes back through a stage of data processing.
func (t *tracer) stage(p place) (place, bool) {
	event := t.at(p.event)
	def := event.Visit.State
	for _, f := range asl.FieldsAt(def.Type, def.QueryLanguage, event.Stage) {
		switch f.Content {
		case asl.ContentPath, asl.ContentItemsPath:
			return t.throughPath(p, f.PathIn(def))
		case asl.ContentResultPath:
			return t.throughResultPath(p)
		case asl.ContentLiteral:
			return t.end(Literal, p, f.Name)
		case asl.ContentTemplate, asl.ContentPayload, asl.ContentItems, asl.ContentAssign:
			return t.throughTemplate(p, t.inForce(p.event, f))
		case asl.ContentReader:
			return t.end(Object, p, f.Name)
		case asl.ContentBatcher, asl.ContentWriter:
			return t.search(p, f.Name, t.gave(p.event, event.Before))
		default:
		}
	}
	return t.pass(p, t.gave(p.event, event.Before))
}

// inForce returns the value of a field at an event: the state's own, or that of the catcher or of the rule that matched.
func (t *tracer) inForce(i int, f *asl.Field) *asl.TemplateField {
	own := f.TemplateIn(t.at(i).Visit.State)
	switch f.Stage {
	case engine.StageAssign:
		return t.fieldOf(i, func(c *asl.Catcher) *asl.TemplateField { return c.Assign }, own, func(r *asl.ChoiceRule) *asl.TemplateField { return r.Assign })
	case engine.StageOutputPath:
		return t.fieldOf(i, func(c *asl.Catcher) *asl.TemplateField { return c.Output }, own, func(r *asl.ChoiceRule) *asl.TemplateField { return r.Output })
	default:
		return own
	}
}

// fieldOf returns the field that was in force: the state's own, a catcher's, or that of the rule that matched.
func (t *tracer) fieldOf(i int, ofCatcher func(*asl.Catcher) *asl.TemplateField, own *asl.TemplateField,
	ofRule func(*asl.ChoiceRule) *asl.TemplateField) *asl.TemplateField {
	if rule := ruleOf(t.log, t.at(i)); rule != nil {
		return ofRule(rule)
	}
	return caughtOr(t.log, t.at(i), own, ofCatcher)
}

// throughPath goes back through InputPath, ItemsPath or OutputPath.
func (t *tracer) throughPath(p place, field *asl.PathField) (place, bool) {
	event := t.at(p.event)
	before := t.gave(p.event, event.Before)
	switch {
	case field == nil:
		return t.pass(p, before)
	case field.Null:
		return t.end(Literal, p, "null")
	}
	return t.alongPath(p, field.Path, p.segments, before)
}

// alongPath goes to the value that a path found; rest is the way below it that is followed. document is the event whose data $ stands for.
func (t *tracer) alongPath(p place, at *path.Path, rest []path.Segment, document int) (place, bool) {
	text := at.String()
	segments, plain := segmentsOf(at), at.Plain()
	whole := append(segments[:len(segments):len(segments)], rest...)
	switch at.Root() {
	case path.ContextRoot:
		return t.ofContext(p, text, segments, rest)
	case path.VariableRoot:
		if !plain {
			return t.end(Computed, p, text)
		}
		return t.ofVariable(p, text, at.Variable(), segments, rest)
	case path.DataRoot:
	}
	switch {
	case plain && len(segments) == 0 && len(rest) == len(p.segments):
		return t.pass(p, document)
	case plain:
		return t.move(Moved, p, text, place{event: document, segments: whole})
	}
	return t.search(p, text, document)
}

// ofContext follows the known members of the context object: the execution's input, and the item of an iteration. names is
// the way that the path names, rest the way below its value.
func (t *tracer) ofContext(p place, text string, names, rest []path.Segment) (place, bool) {
	if hasPrefix(names, "Execution", "Input") {
		return t.named(p, text, t.executionInput(t.at(p.event).Visit), names[2:], rest)
	}
	segments := append(names[:len(names):len(names)], rest...)
	if hasPrefix(segments, "Execution", "Input") { // a part of all of $$.Execution
		return t.move(Moved, p, text, place{event: t.executionInput(t.at(p.event).Visit), segments: segments[2:]})
	}
	event := t.at(p.event)
	if !hasPrefix(segments, "Map", "Item", "Value") || event.Stage != engine.StageParameters {
		return t.end(Context, p, text)
	}
	list, index := t.itemOf(p.event)
	if list < 0 {
		return t.end(Context, p, text)
	}
	from := []path.Segment{{Kind: path.IndexSegment, Index: index}}
	if len(names) < 3 {
		return t.move(Moved, p, text, place{event: list, segments: append(from, segments[3:]...)})
	}
	return t.named(p, text, list, append(from, names[3:]...), rest)
}

// hasPrefix reports whether segments begin with names.
func hasPrefix(segments []path.Segment, names ...string) bool {
	if len(segments) < len(names) {
		return false
	}
	for i, name := range names {
		if segments[i].Kind != path.NameSegment || segments[i].Name != name {
			return false
		}
	}
	return true
}

// ofVariable goes to the Assign that set a variable.
func (t *tracer) ofVariable(p place, text, name string, names, rest []path.Segment) (place, bool) {
	for visit := t.at(p.event).Visit; visit != nil; visit = visit.Parent {
		for i := int(visit.Entered) - 2; i >= 0; i-- {
			t.scan(i)
			event := t.at(i)
			detail, ok := event.Detail.(*engine.AssignDetail)
			if ok && event.Thread == visit.Thread && detail.Assigned.Get(name) != nil && t.log.Exited(event.Visit, i) {
				return t.named(p, text, i, append([]path.Segment{{Kind: path.NameSegment, Name: name}}, names...), rest)
			}
		}
		if visit.Parent != nil && visit.Parent.State.Distributed() {
			break
		}
	}
	return t.end(Unknown, p, text)
}

// throughResultPath goes to the result where that was put, and to the raw input elsewhere.
func (t *tracer) throughResultPath(p place) (place, bool) {
	event := t.at(p.event)
	field, caught := event.Visit.State.ResultPath, t.caught(p.event)
	if caught != nil {
		field = caught.ResultPath
	}
	raw := t.gave(p.event, event.Before)
	result := t.lastIn(event.Visit, p.event, func(e *engine.Event) bool { return e.Thread == event.Thread && gives(e) })
	switch {
	case field == nil:
		return t.pass(p, result)
	case field.Null:
		return t.pass(p, raw)
	}
	text, target := field.Path.String(), segmentsOf(field.Path)
	common := 0
	for common < min(len(target), len(p.segments)) && target[common] == p.segments[common] {
		common++
	}
	switch {
	case common == len(target):
		rest := p.segments[common:]
		if common == 0 {
			return t.pass(p, result)
		}
		return t.move(Moved, p, text, place{event: result, segments: rest})
	case common < len(p.segments):
		return t.pass(p, raw)
	case raw >= 0 && lookUp(t.at(raw).After, p.segments) != nil:
		return t.move(ChangedInside, p, text, place{event: raw, segments: p.segments})
	}
	return t.end(Computed, p, text)
}

// caught returns the catcher that the visit had gone over to by event i, or nil.
func (t *tracer) caught(i int) *asl.Catcher {
	visit := t.at(i).Visit
	if len(visit.State.Catch) == 0 {
		return nil
	}
	at := t.lastIn(visit, i, func(e *engine.Event) bool { return e.Type == engine.ErrorCaught })
	if at < 0 {
		return nil
	}
	return catcherOf(t.at(at))
}

// throughTemplate goes from a member of what a payload template, or a field in JSONata, gave to the text there in the
// definition.
func (t *tracer) throughTemplate(p place, field *asl.TemplateField) (place, bool) {
	event := t.at(p.event)
	if field == nil {
		return t.pass(p, t.gave(p.event, event.Before))
	}
	said, rest := inTemplate(field.Value, p.segments, field.Query != nil)
	text, isText := said.(value.String)
	switch {
	case said == nil:
		return t.end(Computed, p, "")
	case field.Query != nil && isText && template.IsExpression(string(text)):
		return t.throughQuery(p, strings.TrimSpace(string(text[2:len(text)-2])), rest)
	case !isText || field.Query != nil || field.Template == nil || !dynamic(field.Value, p.segments, len(p.segments)-len(rest)):
		if hasExpressions(said, field.Query != nil) {
			return t.end(Computed, p, value.Preview(said, 200))
		}
		return t.end(Literal, p, value.Preview(said, 200))
	}
	at, err := path.Parse(string(text))
	if err != nil {
		return t.end(Computed, p, string(text))
	}
	return t.alongPath(p, at, rest, t.documentOf(p.event))
}

// documentOf returns the event whose data $ stands for in a template at event i.
func (t *tracer) documentOf(i int) int {
	event := t.at(i)
	switch {
	case event.Stage == engine.StageParameters && event.Visit.State.Type == asl.Map: // the effective input
		return t.effectiveOf(event.Visit, i)
	case event.Stage == engine.StageAssign:
		return t.result(i)
	}
	return t.gave(i, event.Before)
}

// simpleQuery is a JSONata expression that only names a place.
var simpleQuery = regexp.MustCompile(`^\$([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*|\[\d+\])*)$`)

// throughQuery goes back through a JSONata expression: exactly where it names a place, otherwise by looking for the very
// same value in its possible operands.
func (t *tracer) throughQuery(p place, text string, rest []path.Segment) (place, bool) {
	visit := t.at(p.event).Visit
	input, result := t.rawInput(visit, p.event), t.rawResult(visit, p.event)
	match := simpleQuery.FindStringSubmatch(text)
	if match == nil {
		for _, document := range []int{result, input} {
			if document >= 0 && t.findIn(document, t.value(p)) != nil {
				return t.search(p, text, document)
			}
		}
		return t.end(Computed, p, text)
	}
	at, err := path.Parse("$" + match[2])
	if err != nil {
		return t.end(Computed, p, text)
	}
	names := segmentsOf(at)
	if match[1] != "states" {
		return t.ofVariable(p, text, match[1], names, rest)
	}
	if len(names) == 0 {
		return t.end(Computed, p, text)
	}
	switch names[0].Name {
	case "input":
		return t.named(p, text, input, names[1:], rest)
	case "result", "errorOutput":
		return t.named(p, text, result, names[1:], rest)
	case "context":
		return t.ofContext(p, text, names[1:], rest)
	}
	return t.end(Computed, p, text)
}

// search looks for the very same value in the data of an event, where no rule says where it was.
func (t *tracer) search(p place, text string, document int) (place, bool) {
	if document >= 0 {
		if found := t.findIn(document, t.value(p)); found != nil {
			return t.move(Moved, p, text, place{event: document, segments: *found})
		}
	}
	return t.end(Computed, p, text)
}

// maxSearched bounds the values that a search looks at.
const maxSearched = 100_000

// findIn returns where v itself, not its like, is in the data after event i; nil where it is not. Scalars have no identity, so they
// are not looked for. Where v may have lost its identity (see [runlog.Log.Same]) its like is taken if there is just one.
func (t *tracer) findIn(i int, v value.Value) *[]path.Segment {
	switch c := v.(type) {
	case *value.Array:
		if c.Len() == 0 {
			return nil
		}
	case *value.Object:
		if c.Len() == 0 {
			return nil
		}
	default:
		return nil
	}
	document := t.at(i).After
	if found := placesIn(document, 1, func(at value.Value) bool { return value.Identical(at, v) }); len(found) > 0 {
		return &found[0]
	}
	if !t.log.Copies() {
		return nil
	}
	if found := placesIn(document, 2, func(at value.Value) bool { return t.log.Same(at, v) }); len(found) == 1 {
		return &found[0]
	}
	return nil
}

// placesIn returns the first places in a document, at most so many, of values that fit.
func placesIn(document value.Value, most int, fits func(at value.Value) bool) (found [][]path.Segment) {
	left := maxSearched
	var walk func(at value.Value, way []path.Segment)
	walk = func(at value.Value, way []path.Segment) {
		if left--; left < 0 || len(found) == most {
			return
		}
		if fits(at) {
			found = append(found, append([]path.Segment{}, way...))
			return
		}
		switch c := at.(type) {
		case *value.Array:
			for i, item := range c.All() {
				walk(item, append(way, path.Segment{Kind: path.IndexSegment, Index: i}))
			}
		case *value.Object:
			for key, member := range c.All() {
				walk(member, append(way, path.Segment{Kind: path.NameSegment, Name: key}))
			}
		}
	}
	walk(document, nil)
	return found
}

// inTemplate returns the part of a template behind a place of its value: an expression, with the rest of the way in the value that
// that gives, or a literal.
func inTemplate(said value.Value, segments []path.Segment, query bool) (value.Value, []path.Segment) {
	for i, segment := range segments {
		switch c := said.(type) {
		case *value.Object:
			if !query {
				if text, ok := c.Get(segment.Name + template.Suffix).(value.String); ok && segment.Kind == path.NameSegment {
					return text, segments[i+1:]
				}
			}
			said = c.Get(segment.Name)
		case *value.Array:
			if segment.Kind != path.IndexSegment || segment.Index >= c.Len() {
				return nil, nil
			}
			said = c.At(segment.Index)
		default:
			return said, segments[i:]
		}
		if said == nil {
			return nil, nil
		}
	}
	return said, nil
}

// dynamic reports whether the member of a payload template that the first n segments lead to ends with ".$".
func dynamic(said value.Value, segments []path.Segment, n int) bool {
	if n == 0 {
		return false
	}
	holder, _ := inTemplate(said, segments[:n-1], true)
	object, ok := holder.(*value.Object)
	return ok && object.Get(segments[n-1].Name+template.Suffix) != nil
}

// hasExpressions reports whether anything in a part of a template is evaluated.
func hasExpressions(said value.Value, query bool) bool {
	switch c := said.(type) {
	case value.String:
		return query && template.IsExpression(string(c))
	case *value.Array:
		for _, item := range c.All() {
			if hasExpressions(item, query) {
				return true
			}
		}
	case *value.Object:
		for key, member := range c.All() {
			if (!query && strings.HasSuffix(key, template.Suffix)) || hasExpressions(member, query) {
				return true
			}
		}
	}
	return false
}

// segmentsOf returns the names and indexes of a path as far as it has only those.
func segmentsOf(p *path.Path) []path.Segment {
	segments := make([]path.Segment, 0, p.Len())
	for i := range p.Len() {
		segments = append(segments, p.Segment(i))
	}
	return segments
}

// lookUp returns the value that names and indexes lead to, or nil.
func lookUp(v value.Value, segments []path.Segment) value.Value {
	for _, segment := range segments {
		switch c := v.(type) {
		case *value.Object:
			if segment.Kind != path.NameSegment {
				return nil
			}
			v = c.Get(segment.Name)
		case *value.Array:
			if segment.Kind != path.IndexSegment || segment.Index < 0 || segment.Index >= c.Len() {
				return nil
			}
			v = c.At(segment.Index)
		default:
			return nil
		}
	}
	return v
}

var (
	plainName = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	quoteName = strings.NewReplacer(`\`, `\\`, `'`, `\'`)
)

// PathText writes names and indexes as a JSONPath: $.order['unit price'][0].
func PathText(segments []path.Segment) string { return pathText(segments) }

// pathText is [PathText].
func pathText(segments []path.Segment) string {
	text := "$"
	for _, segment := range segments {
		switch {
		case segment.Kind == path.IndexSegment:
			text += "[" + strconv.Itoa(segment.Index) + "]"
		case plainName.MatchString(segment.Name):
			text += "." + segment.Name
		default:
			text += "['" + quoteName.Replace(segment.Name) + "']"
		}
	}
	return text
}
