package provenance

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/template"
	"asldb/engine/value"
)

// stage follows the value through a stage of data processing.
func (f *follower) stage(i int) {
	event := f.at(i)
	before := f.gave(i, event.Before)
	switch event.Stage {
	case engine.StageResultPath:
		f.resultPath(i, before)
		return
	case engine.StageChoices:
		f.choices(i)
		f.keep(before, i)
		return
	case engine.StageLimits:
		f.bounds(i)
		f.keep(before, i)
		return
	case engine.StageResult:
		if event.Visit.State.ResultPath == nil {
			f.drop(i, f.rawInput(event.Visit, i), "ResultPath")
		}
		return
	}
	if field := f.pathAt(i); field != nil {
		f.throughPathField(i, before, field)
		return
	}
	if field := f.templateAt(i); field != nil {
		f.throughFields(i, field)
		return
	}
	if event.Stage == engine.StageItemBatcher || event.Stage == engine.StageResultWriter {
		f.found(i, before)
		return
	}
	f.keep(before, i)
}

// found looks for the value itself in the data after event i, where no rule says where it went.
func (f *follower) found(i, before int) {
	for _, h := range f.held[before] {
		for n := len(h.segments); n >= 0; n-- {
			at := f.findIn(i, lookUp(f.at(before).After, h.segments[:n]))
			if at == nil {
				continue
			}
			to := append(*at, h.segments[n:]...)
			f.hold(i, held{segments: to, node: f.put(i, Moved, h, f.fieldAt(i, to), "", to)})
			break
		}
	}
}

// resultPath follows the value through ResultPath, in the raw input and in the result.
func (f *follower) resultPath(i, raw int) {
	field, result := f.resultPathAt(i), f.result(i)
	name := f.catcherAt(i) + "ResultPath"
	var target []path.Segment
	text := "$"
	if field != nil && !field.Null {
		target, text = segmentsOf(field.Path), field.Path.String()
	}
	null := field != nil && field.Null
	for _, h := range f.held[result] {
		switch {
		case null && result != raw:
			f.dropOne(i, result, h, name)
		case null:
		case len(target) == 0:
			f.hold(i, h)
		default:
			to := append(target[:len(target):len(target)], h.segments...)
			f.hold(i, held{segments: to, node: f.put(i, Moved, h, name, text, to)})
		}
	}
	for _, h := range f.held[raw] {
		switch {
		case null || len(target) > 0 && !hasSegments(h.segments, target):
			f.hold(i, h)
		case len(target) > 0 || result != raw:
			f.dropOne(i, raw, h, name)
		}
	}
}

// hasSegments reports whether segments begin with others.
func hasSegments(segments, begin []path.Segment) bool {
	if len(segments) < len(begin) {
		return false
	}
	for i := range begin {
		if segments[i] != begin[i] {
			return false
		}
	}
	return true
}

// throughPathField follows the value through InputPath, ItemsPath or OutputPath.
func (f *follower) throughPathField(i, before int, field *asl.PathField) {
	event := f.at(i)
	name := event.Stage.String()
	read := make(map[*Node]bool)
	if !field.Null {
		f.reads(i, f.ofPath(i, field.Path, before), reading{field: name, expression: field.Path.String(), plain: true}, read)
	}
	if event.Stage != engine.StageOutputPath {
		return // ResultPath reads the raw input
	}
	for _, h := range f.held[before] {
		if !read[h.node] {
			f.dropOne(i, before, h, name)
		}
	}
}

// reading is an expression that may read the value.
type reading struct {
	field, expression string
	to                []path.Segment // where its value is in the data after the event
	// plain is set of an expression that only names a place, so that it moves the value there.
	plain bool
}

// reads follows the value through the values that an expression read. read notes the nodes whose value it was.
func (f *follower) reads(i int, operands []operand, r reading, read map[*Node]bool) {
	for n, o := range operands {
		if !o.known {
			continue
		}
		for _, h := range f.held[o.place.event] {
			var rest []path.Segment
			switch {
			case hasSegments(h.segments, o.place.segments):
				rest = h.segments[len(o.place.segments):]
			case !hasSegments(o.place.segments, h.segments):
				continue
			}
			read[h.node] = true
			f.went(i, n, len(operands), h, rest, o, r)
		}
	}
}

// went notes where the expression put the value of h.
func (f *follower) went(i, number, of int, h held, rest []path.Segment, o operand, r reading) {
	event := f.at(i)
	kind, to := Computed, r.to
	if r.plain {
		wanted := lookUp(f.at(o.place.event).After, append(o.place.segments[:len(o.place.segments):len(o.place.segments)], rest...))
		one := append(r.to[:len(r.to):len(r.to)], rest...)
		item := append(r.to[:len(r.to):len(r.to)], path.Segment{Kind: path.IndexSegment, Index: number})
		item = append(item, rest...)
		switch {
		case of == 1 && value.Equal(lookUp(event.After, one), wanted):
			kind, to = Moved, one
		case value.Equal(lookUp(event.After, item), wanted):
			kind, to = Moved, item
		}
	}
	whole := r.expression == "$" && slicesEqual(h.segments, to)
	if whole && kind == Moved && r.field == event.Stage.String() {
		f.hold(i, h) // InputPath $ moves nothing
		return
	}
	from := h
	if len(rest) == 0 && len(o.place.segments) > len(h.segments) {
		from.segments = o.place.segments // a part of the value
	}
	n := f.put(i, kind, from, r.field, r.expression, to)
	f.hold(i, held{segments: to, node: n})
}

func slicesEqual(a, b []path.Segment) bool { return len(a) == len(b) && hasSegments(a, b) }

// throughFields follows the value through a payload template or a field in JSONata.
func (f *follower) throughFields(i int, field *asl.TemplateField) {
	event := f.at(i)
	if !f.interesting(i) {
		return
	}
	query := field.Query != nil
	name := f.templateName(i)
	read := make(map[*Node]bool)
	leaves(field.Value, query, nil, func(to []path.Segment, text string) {
		r := reading{field: name + memberAt(field, to, query), expression: text, to: to}
		if query {
			r.expression = trimExpression(text)
			r.plain = simpleQuery.MatchString(r.expression)
		} else {
			r.plain = !template.LooksLike(text)
		}
		p := place{event: i, segments: to}
		f.reads(i, f.ofTemplate(p, field), r, read)
	})
	if !f.replaces(i) {
		return
	}
	documents := []int{f.documentOf(i)}
	if query {
		documents = []int{f.rawResult(event.Visit, i), f.rawInput(event.Visit, i)}
	}
	for _, document := range documents {
		for _, h := range f.held[document] {
			if !read[h.node] {
				f.dropOne(i, document, h, name)
			}
		}
	}
}

// replaces reports whether members that a template does not name are gone after its stage.
func (f *follower) replaces(i int) bool {
	event := f.at(i)
	def := event.Visit.State
	switch event.Stage {
	case engine.StageOutputPath, engine.StageResultSelector:
		return true
	case engine.StageParameters:
		return def.Type == asl.Pass && def.ResultPath == nil
	}
	return false
}

// interesting reports whether a template at event i may read the value.
func (f *follower) interesting(i int) bool {
	visit := f.at(i).Visit
	if f.variables > 0 || len(f.held[f.executionInput(visit)]) > 0 {
		return true
	}
	if item, ok := f.items[i]; ok && item.list >= 0 && len(f.held[item.list]) > 0 {
		return true
	}
	return slices.ContainsFunc([]int{f.documentOf(i), f.rawInput(visit, i), f.rawResult(visit, i)}, func(at int) bool {
		return at >= 0 && len(f.held[at]) > 0
	})
}

// leaves calls yield with every expression of a template: where it puts its value, and its text.
func leaves(said value.Value, query bool, at []path.Segment, yield func(to []path.Segment, text string)) {
	switch c := said.(type) {
	case value.String:
		if query && template.IsExpression(string(c)) {
			yield(at, string(c))
		}
	case *value.Array:
		for i, item := range c.All() {
			leaves(item, query, append(at[:len(at):len(at)], path.Segment{Kind: path.IndexSegment, Index: i}), yield)
		}
	case *value.Object:
		for key, member := range c.All() {
			name, dynamic := strings.CutSuffix(key, template.Suffix)
			if query {
				name, dynamic = key, false
			}
			to := append(at[:len(at):len(at)], path.Segment{Kind: path.NameSegment, Name: name})
			if text, ok := member.(value.String); ok && dynamic {
				yield(to, string(text))
				continue
			}
			leaves(member, query, to, yield)
		}
	}
}

// choices notes the rules of a Choice state that read the value.
func (f *follower) choices(i int) {
	event := f.at(i)
	matched := ruleOf(f.log, event)
	for n, rule := range event.Visit.State.Choices {
		field := "Choices[" + strconv.Itoa(n) + "]"
		if rule.Query != nil {
			f.readBy(i, f.ofExpressions(i, rule.Query), field+"/Condition", rule.Label())
		}
		for _, at := range testPaths(rule.Test, nil) {
			f.readBy(i, f.ofPath(i, at, f.gave(i, event.Before)), field, rule.Label())
		}
		if rule == matched {
			return
		}
	}
}

func testPaths(test *asl.Test, paths []*path.Path) []*path.Path {
	if test == nil {
		return paths
	}
	for _, operand := range test.Tests {
		paths = testPaths(operand, paths)
	}
	for _, at := range []*path.Path{test.Variable, test.Path} {
		if at != nil {
			paths = append(paths, at)
		}
	}
	return paths
}

// ofExpressions returns the values that the expressions of a field in JSONata name.
func (f *follower) ofExpressions(i int, query *template.Query) []operand {
	var list []operand
	query.Expressions(func(e template.Expression) bool {
		list = append(list, f.ofReferences(i, e.Compiled)...)
		return true
	})
	return list
}

func (f *follower) ofReferences(i int, expression *jsonata.Expression) []operand {
	var list []operand
	for _, reference := range expression.References() {
		if reference.Name != "" && reference.Name != "$" {
			list = append(list, f.ofReference(i, &reference, nil)...)
		}
	}
	return list
}

// readBy notes that something read the value which makes no data of it.
func (f *follower) readBy(i int, operands []operand, field, expression string) {
	for _, o := range operands {
		if !o.known {
			continue
		}
		for _, h := range f.held[o.place.event] {
			if hasSegments(h.segments, o.place.segments) || hasSegments(o.place.segments, h.segments) {
				if len(o.place.segments) > len(h.segments) {
					h.segments = o.place.segments // a part of the value
				}
				h.value = lookUp(f.at(o.place.event).After, h.segments)
				f.put(i, Read, h, field, expression, nil)
			}
		}
	}
}

// bounds notes the times, bounds and texts of a state that are read from the value.
func (f *follower) bounds(i int) {
	event := f.at(i)
	def := event.Visit.State
	document := f.gave(i, event.Before)
	if event.Type == engine.StageFailed && event.Stage != engine.StageFail {
		return
	}
	for _, field := range asl.FieldsAt(def.Type, def.QueryLanguage, event.Stage) {
		if q := field.QuantityIn(def); q != nil && q.Field == field.Name {
			switch {
			case q.Path != nil:
				f.readBy(i, f.ofPath(i, q.Path, document), q.Field, q.Path.String())
			case q.Query != nil:
				f.readBy(i, f.ofExpressions(i, q.Query), q.Field, q.Query.Text())
			}
		}
		if text := field.TextIn(def); text != nil && text.Field == field.Name {
			f.readByText(i, def, text, document)
		}
	}
}

// readByText notes that the Error or the Cause of a Fail state was read from the value.
func (f *follower) readByText(i int, def *asl.State, text *asl.TextField, document int) {
	switch {
	case text.Path != nil:
		f.readBy(i, f.ofPath(i, text.Path, document), text.Field, text.Path.String())
	case text.Query != nil:
		f.readBy(i, f.ofExpressions(i, text.Query), text.Field, text.Query.Text())
	case text.Intrinsic != nil:
		call, err := template.Parse(callOf(def, text.Field))
		if err != nil {
			return
		}
		for at := range call.Paths() {
			f.readBy(i, f.ofPath(i, at, document), text.Field, call.String())
		}
	}
}

// callOf returns the text of a field with an intrinsic function.
func callOf(def *asl.State, field string) string {
	if def.Node == nil {
		return ""
	}
	node := def.Node.Get(field)
	if node == nil {
		return ""
	}
	text, _ := node.Value.(value.String)
	return string(text)
}
