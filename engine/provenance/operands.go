package provenance

import (
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/source"
	"asldb/engine/template"
	"asldb/engine/value"
)

// operand is one value that an expression read, or one part that a value was put together of.
type operand struct {
	text  string
	place place
	known bool // whether place is; else only kind and value are known
	moved bool // the value is this one, and no other went into it
	kind  Kind
	value value.Value
}

// operands returns the values that a node's value was made of, where that is not one that was moved whole.
func (w *walker) operands(n *Node, p place) []operand {
	event := w.at(p.event)
	switch {
	case n.Kind == ChangedInside:
		return w.mixed(p)
	case n.Kind != Computed:
		return nil
	case event.Type == engine.ParallelSucceeded || event.Type == engine.MapSucceeded:
		return w.results(p)
	case event.Type != engine.StageCompleted:
		return nil
	case event.Stage == engine.StageResultPath:
		return w.mixed(p)
	case event.Stage == engine.StageItemBatcher || event.Stage == engine.StageResultWriter:
		if at := w.gave(p.event, event.Before); at >= 0 {
			return []operand{{place: place{event: at}, known: true}}
		}
		return nil
	}
	if field := w.pathAt(p.event); field != nil && field.Path != nil {
		return w.picked(w.ofPath(p.event, field.Path, w.gave(p.event, event.Before)), p, p.segments)
	}
	field := w.templateAt(p.event)
	if field == nil {
		return nil
	}
	if said, _ := inTemplate(field.Value, p.segments, field.Query != nil); value.KindOf(said) != value.KindString.String() {
		n.Expression = "" // an object or a list of them: its members are nodes of their own
	}
	return w.ofTemplate(p, field)
}

// mixed returns the two values that ResultPath put together: the raw input, and the result that it put inside.
func (w *walker) mixed(p place) []operand {
	event := w.at(p.event)
	var list []operand
	if raw := w.gave(p.event, event.Before); raw >= 0 && lookUp(w.at(raw).After, p.segments) != nil {
		list = append(list, operand{place: place{event: raw, segments: p.segments}, known: true})
	}
	if result := w.result(p.event); result >= 0 {
		list = append(list, operand{place: place{event: result}, known: true})
	}
	return list
}

// result returns the event with the result that the ResultPath of event i puts somewhere, or -1.
func (t *tracer) result(i int) int {
	event := t.at(i)
	return t.lastIn(event.Visit, i, func(e *engine.Event) bool { return e.Thread == event.Thread && gives(e) })
}

// results returns the results of the branches or iterations that an array is of.
func (w *walker) results(p place) []operand {
	if len(p.segments) > 0 {
		return nil
	}
	var list []operand
	for n := range w.ends(p.event) {
		if n == maxOperands {
			w.cut = true
			break
		}
		at := []path.Segment{{Kind: path.IndexSegment, Index: n}}
		list = append(list, operand{place: place{event: p.event, segments: at}, known: true})
	}
	return list
}

// ofTemplate returns the operands of the expression that a payload template, or a field in JSONata, has at a place.
func (w *walker) ofTemplate(p place, field *asl.TemplateField) []operand {
	query := field.Query != nil
	said, rest := inTemplate(field.Value, p.segments, query)
	text, isText := said.(value.String)
	switch {
	case said == nil:
		return nil
	case !isText:
		return w.members(p, said, query)
	case query && template.IsExpression(string(text)):
		return w.ofQuery(p, field, p.segments[:len(p.segments)-len(rest)])
	case query:
		return nil
	case template.LooksLike(string(text)):
		call, err := template.Parse(string(text))
		if err != nil {
			return nil
		}
		return w.ofCall(p, call, rest)
	}
	at, err := path.Parse(string(text))
	if err != nil {
		return nil
	}
	return w.picked(w.ofPath(p.event, at, w.documentOf(p.event)), p, rest)
}

// ofCall returns the values that a call of an intrinsic function read for the value at rest in its result.
func (w *walker) ofCall(p place, call *template.Call, rest []path.Segment) []operand {
	document := w.documentOf(p.event)
	if call.Function() == "States.Array" && len(rest) > 0 && rest[0].Kind == path.IndexSegment && rest[0].Index < len(call.Arguments()) {
		if at := call.Arguments()[rest[0].Index].Path; at != nil {
			return w.narrowed(w.ofPath(p.event, at, document), p, rest[1:])
		}
	}
	var list []operand
	for at := range call.Paths() {
		list = append(list, w.ofPath(p.event, at, document)...)
	}
	return w.narrowed(distinct(list), p, rest)
}

// picked leaves of the values that a path leads to the one that is at rest in its result, which is an array of them.
func (w *walker) picked(list []operand, p place, rest []path.Segment) []operand {
	if len(rest) == 0 || rest[0].Kind != path.IndexSegment || rest[0].Index >= len(list) || !list[rest[0].Index].known {
		return list
	}
	o := list[rest[0].Index]
	o.place = below(o.place, rest[1:])
	if !value.Equal(w.value(o.place), w.value(p)) {
		return list
	}
	o.text, o.moved = "", true
	return []operand{o}
}

// distinct leaves out operands that are in a list twice.
func distinct(list []operand) []operand {
	seen := make(map[string]bool)
	return slices.DeleteFunc(list, func(o operand) bool {
		was := seen[o.text]
		seen[o.text] = true
		return was
	})
}

// members returns the members of an object or array in a template that are evaluated: each is a node of its own.
func (w *walker) members(p place, said value.Value, query bool) []operand {
	var list []operand
	add := func(segment path.Segment) {
		at := append(p.segments[:len(p.segments):len(p.segments)], segment)
		if len(list) < maxOperands && lookUp(w.at(p.event).After, at) != nil {
			list = append(list, operand{place: place{event: p.event, segments: at}, known: true})
		}
	}
	switch c := said.(type) {
	case *value.Object:
		for key, member := range c.All() {
			name, evaluated := key, hasExpressions(member, query)
			if !query {
				if cut, ok := strings.CutSuffix(key, template.Suffix); ok {
					name, evaluated = cut, true
				}
			}
			if evaluated {
				add(path.Segment{Kind: path.NameSegment, Name: name})
			}
		}
	case *value.Array:
		for i, item := range c.All() {
			if hasExpressions(item, query) {
				add(path.Segment{Kind: path.IndexSegment, Index: i})
			}
		}
	}
	return list
}

// ofPath returns the values that a path leads to. $ stands for the data after the event document.
func (w *walker) ofPath(i int, at *path.Path, document int) []operand {
	root, from, ok := w.rootOf(i, at.Root(), at.Variable(), document)
	if at.Root() == path.ContextRoot {
		return w.ofContextPath(i, at)
	}
	if !ok {
		return []operand{{text: at.String(), kind: Unknown}}
	}
	found, cut := matches(lookUp(w.at(root.event).After, root.segments), at)
	w.cut = w.cut || cut
	list := make([]operand, 0, len(found))
	for _, segments := range found {
		text := at.String()
		if len(found) > 1 {
			text = from + pathText(segments)[1:]
		}
		list = append(list, operand{text: text, place: below(root, segments), known: true})
	}
	return list
}

// rootOf returns the place of the value that a path of a root begins at, and the root as text.
func (w *walker) rootOf(i int, root path.RootKind, variable string, document int) (at place, text string, ok bool) {
	switch root {
	case path.VariableRoot:
		set := w.variableOf(w.at(i).Visit, variable)
		return place{event: set, segments: []path.Segment{{Kind: path.NameSegment, Name: variable}}}, "$" + variable, set >= 0
	case path.ContextRoot:
		return place{}, "$$", false
	case path.DataRoot:
	}
	return place{event: document}, "$", document >= 0
}

// below returns the place that segments lead to from another one.
func below(at place, segments []path.Segment) place {
	return place{event: at.event, segments: append(at.segments[:len(at.segments):len(at.segments)], segments...)}
}

// ofContextPath returns the value that a path into the context object leads to.
func (w *walker) ofContextPath(i int, at *path.Path) []operand {
	names := segmentsOf(at)
	if at.Plain() {
		if from, ok := w.contextPlace(i, names); ok && lookUp(w.at(from.event).After, from.segments) != nil {
			return []operand{{text: at.String(), place: from, known: true}}
		}
	}
	var found value.Value
	if w.lens.Explainer != nil {
		context, _ := w.lens.Explainer.run.RootsAt(i)
		found = at.Find(&path.Roots{Context: context})
	}
	return []operand{{text: at.String(), kind: Context, value: found}}
}

// contextPlace returns where a value of the context object at event i came from, where that is known: the execution's input,
// and the item of an iteration.
func (w *walker) contextPlace(i int, names []path.Segment) (place, bool) {
	event := w.at(i)
	switch {
	case hasPrefix(names, "Execution", "Input"):
		return place{event: w.executionInput(event.Visit), segments: names[2:]}, true
	case hasPrefix(names, "Map", "Item", "Value") && event.Stage == engine.StageParameters:
		if list, index := w.itemOf(i); list >= 0 {
			return place{event: list, segments: append([]path.Segment{{Kind: path.IndexSegment, Index: index}}, names[3:]...)}, true
		}
	}
	return place{}, false
}

// itemOf returns the event with the list, and the number in it, of the item that the ItemSelector of event i was evaluated
// for; -1 where it is not known.
func (t *tracer) itemOf(i int) (list, index int) {
	if item, known := t.items[i]; known {
		return item.list, item.index
	}
	event := t.at(i)
	index = 0
	for at := i - 1; at >= int(event.Visit.Entered); at-- {
		earlier := t.at(at)
		if earlier.Visit != event.Visit {
			continue
		}
		if earlier.Type == engine.StageCompleted && earlier.Stage == engine.StageParameters {
			index++
			continue
		}
		items, ok := earlier.After.(*value.Array)
		if ok && earlier.Stage != engine.StageAssign && index < items.Len() && t.log.Same(items.At(index), event.Before) {
			return at, index
		}
	}
	return -1, 0
}

// ofQuery returns the values that a JSONata expression read. consumed leads to the expression in its field.
func (w *walker) ofQuery(p place, field *asl.TemplateField, consumed []path.Segment) []operand {
	expression, trace := w.explained(p.event, field, consumed)
	if expression == nil {
		return nil
	}
	var list []operand
	for _, reference := range expression.References() {
		if reference.Name == "" || reference.Name == "$" {
			continue
		}
		read := traceAt(trace, reference.Start)
		if trace != nil && read == nil {
			continue // it was not evaluated
		}
		list = append(list, w.ofReference(p.event, &reference, read)...)
	}
	return w.narrowed(distinct(list), p, p.segments[len(consumed):])
}

// narrowed leaves of the operands of an expression those that have the value of a member of its result at the same path,
// where some have: they were merged or copied whole.
func (w *walker) narrowed(list []operand, p place, rest []path.Segment) []operand {
	wanted := w.value(p)
	if len(rest) == 0 || wanted == nil {
		return list
	}
	var same []operand
	for _, o := range list {
		if !o.known {
			continue
		}
		if at := below(o.place, rest); value.Equal(w.value(at), wanted) {
			same = append(same, operand{text: o.text + pathText(rest)[1:], place: at, known: true})
		}
	}
	if len(same) == 0 {
		return list
	}
	return same
}

// explained returns a JSONata expression of the field behind event i, and its evaluation; nil where that is not known.
func (w *walker) explained(i int, field *asl.TemplateField, consumed []path.Segment) (*jsonata.Expression, *jsonata.Trace) {
	at := ""
	for _, segment := range consumed {
		if segment.Kind == path.IndexSegment {
			at += "/" + pathText([]path.Segment{segment})[2:]
			at = strings.TrimSuffix(at, "]")
			continue
		}
		at += "/" + source.EscapePointer(segment.Name)
	}
	var found *jsonata.Expression
	number, place := 0, ""
	field.Query.Expressions(func(e template.Expression) bool {
		if e.Pointer == at {
			found, place = e.Compiled, e.Location
			return false
		}
		number++
		return true
	})
	if found == nil || w.lens.Explainer == nil || w.evaluations >= maxEvaluations {
		return found, nil
	}
	w.evaluations++
	list, not := w.lens.Explainer.Stage(i)
	if not != nil || number >= len(list) || list[number].Location != place || sizeOf(list[number].Trace) >= jsonata.MaxTraces {
		return found, nil // a trace that is full may lack parts
	}
	return found, list[number].Trace
}

// sizeOf counts the parts of an evaluation.
func sizeOf(t *jsonata.Trace) int {
	if t == nil {
		return 0
	}
	size := 1
	for _, child := range t.Children {
		size += sizeOf(child)
	}
	return size
}

// traceAt returns the evaluation of the variable at an offset with the steps behind it, nil where it was not evaluated.
func traceAt(t *jsonata.Trace, offset int) *jsonata.Trace {
	var within, found *jsonata.Trace
	var walk func(t, parent *jsonata.Trace)
	walk = func(t, parent *jsonata.Trace) {
		if t.Start == offset && strings.HasPrefix(t.Text, "$") && (found == nil || len(t.Text) < len(found.Text)) {
			found, within = t, parent
		}
		for _, child := range t.Children {
			if child.Start <= offset && offset < child.End {
				walk(child, t)
			}
		}
	}
	if t != nil {
		walk(t, nil)
	}
	if within != nil && within.Start == offset && (strings.HasPrefix(within.Text, found.Text+".") || strings.HasPrefix(within.Text, found.Text+"[")) {
		return within
	}
	return found
}

// ofReference returns the values that a variable of a JSONata expression with the names behind it leads to. read is its
// evaluation, or nil.
func (w *walker) ofReference(i int, reference *jsonata.Reference, read *jsonata.Trace) []operand {
	names := make([]path.Segment, 0, len(reference.Fields)+1)
	for _, name := range reference.Fields {
		names = append(names, path.Segment{Kind: path.NameSegment, Name: name})
	}
	root, used := place{event: -1}, 0
	visit := w.at(i).Visit
	switch {
	case reference.Name != "states":
		root, _, _ = w.rootOf(i, path.VariableRoot, reference.Name, -1)
	case len(names) == 0:
		return nil
	case names[0].Name == "input":
		root.event, used = w.rawInput(visit, i), 1
	case names[0].Name == "result" || names[0].Name == "errorOutput":
		root.event, used = w.rawResult(visit, i), 1
	case names[0].Name == "context":
		return w.ofContextReference(i, reference, names[1:], read)
	default:
		return nil
	}
	text := "$" + strings.Join(append([]string{reference.Name}, reference.Fields...), ".")
	if root.event < 0 {
		return []operand{{text: text, kind: Unknown}}
	}
	begin := "$" + strings.Join(append([]string{reference.Name}, reference.Fields[:used]...), ".")
	leaves := chosenLeaves(followQuery(lookUp(w.at(root.event).After, root.segments), names[used:]), read)
	if len(leaves) > maxOperands {
		leaves, w.cut = leaves[:maxOperands], true
	}
	return value.Each(leaves, func(leaf located) operand {
		return operand{text: begin + pathText(leaf.segments)[1:], place: below(root, leaf.segments), known: true}
	})
}

// chosenLeaves leaves out of several values those that predicates did not choose.
func chosenLeaves(leaves []located, read *jsonata.Trace) []located {
	if len(leaves) < 2 || read == nil || read.Value == nil || !strings.Contains(read.Text, "[") {
		return leaves
	}
	chosen := located{value: read.Value}.spread(nil, true)
	var kept []located
	for _, leaf := range leaves {
		if slices.ContainsFunc(chosen, func(c located) bool { return value.Equal(c.value, leaf.value) }) {
			kept = append(kept, leaf)
		}
	}
	if len(kept) == 0 {
		return leaves
	}
	return kept
}

// ofContextReference returns the value that names of $states.context lead to.
func (w *walker) ofContextReference(i int, reference *jsonata.Reference, names []path.Segment, read *jsonata.Trace) []operand {
	text := "$" + strings.Join(append([]string{reference.Name}, reference.Fields...), ".")
	if from, ok := w.contextPlace(i, names); ok && lookUp(w.at(from.event).After, from.segments) != nil {
		return []operand{{text: text, place: from, known: true}}
	}
	o := operand{text: text, kind: Context}
	if read != nil {
		o.value = read.Value
	}
	return []operand{o}
}
