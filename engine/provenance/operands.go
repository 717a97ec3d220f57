package provenance

import (
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/jsonata"
	"asldb/engine/path"
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
	}
	switch event.Type {
	case engine.ParallelSucceeded, engine.MapSucceeded, engine.MapRunSucceeded:
		return w.results(p)
	default:
	}
	m := w.moveAt(p.event)
	switch {
	case m == nil || event.Type != engine.StageCompleted:
		return nil
	case m.Kind == asl.MovePut:
		return w.mixed(p)
	case m.Kind == asl.MoveBatch:
		return []operand{{place: place{event: w.workOf(event.Visit, p.event).list}, known: true}}
	case event.Stage == engine.StageResultWriter && m.Kind == asl.MoveGather:
		return w.results(p)
	}
	list := w.links(p.event, p.segments)
	for k := range list {
		if l := &list[k]; l.kind == Computed && l.part != nil && hasSegments(p.segments, l.to) {
			return w.ofPart(p, l.part, p.segments[len(l.to):])
		}
	}
	if !fills(m) {
		return nil
	}
	n.Expression = "" // an object or a list of them: its members are separate nodes
	return w.members(p, m)
}

// mixed returns the two values that ResultPath put together: the raw input, and the result that it put inside.
func (w *walker) mixed(p place) []operand {
	var list []operand
	for _, l := range w.put(p.event, w.moveAt(p.event)) {
		switch from := below(l.from, p.segments); {
		case l.lost != NeverThere || from.event < 0:
		case l.kind == 0 && w.value(from) != nil:
			list = slices.Insert(list, 0, operand{place: from, known: true})
		case l.kind != 0:
			list = append(list, operand{place: l.from, known: true})
		}
	}
	return list
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
		list = append(list, operand{place: place{event: p.event, segments: []path.Segment{index(n)}}, known: true})
	}
	return list
}

// ofPart returns the values that a leaf of a field, or a path of one, read for the value at rest in what it gives.
func (w *walker) ofPart(p place, part *asl.Move, rest []path.Segment) []operand {
	switch {
	case part.Intrinsic != nil:
		parts := part.Parts()
		if part.Intrinsic.Function() != "States.Array" || len(rest) == 0 || rest[0].Index >= len(parts) {
			break
		}
		if one := &parts[rest[0].Index]; one.Intrinsic == nil && len(one.From) > 0 {
			return w.narrowed(w.ofRef(p.event, part, &one.From[0]), p, rest[1:])
		}
	case part.Expression != nil && (part.Kind == asl.MoveCall || part.Kind == asl.MoveRead):
		return w.narrowed(distinct(w.ofQuery(p.event, part)), p, rest)
	}
	var list []operand
	for k := range part.From {
		list = append(list, w.ofRef(p.event, part, &part.From[k])...)
	}
	if part.Kind != asl.MoveCall {
		return list
	}
	return w.narrowed(distinct(list), p, rest)
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

// members returns the members of an object or array in a template that are evaluated: each is a separate node.
func (w *walker) members(p place, m *asl.Move) []operand {
	var list []operand
	seen := make(map[path.Segment]bool)
	parts := m.Parts()
	for k := range parts {
		part := &parts[k]
		to := segmentsTo(part)
		literal := part.Kind == asl.MoveText && part.Expression == nil
		if literal || len(to) <= len(p.segments) || !hasSegments(to, p.segments) {
			continue
		}
		segment := to[len(p.segments)]
		at := append(p.segments[:len(p.segments):len(p.segments)], segment)
		if !seen[segment] && len(list) < maxOperands && lookUp(w.at(p.event).After, at) != nil {
			seen[segment] = true
			list = append(list, operand{place: place{event: p.event, segments: at}, known: true})
		}
	}
	return list
}

// ofRef returns the values that a part of a register, read by a move of event i, leads to.
func (w *walker) ofRef(i int, m *asl.Move, r *asl.Ref) []operand {
	state := w.at(i).Visit.State
	text := refText(state, r)
	root := w.register(i, r)
	switch {
	case r.Register > asl.RegisterContext:
		return nil
	case r.Register == asl.RegisterItem && root.event < 0:
		return w.ofContext(i, text, append(namesOf(contextual[1]), segmentsIn(r)...), nil)
	case r.Register == asl.RegisterContext:
		return w.ofContext(i, text, segmentsIn(r), nil)
	case root.event < 0:
		return []operand{{text: text, kind: Unknown}}
	}
	found, _, cut := w.found(root, m, r.Path, segmentsIn(r))
	w.cut = w.cut || cut
	begin := refText(state, &asl.Ref{Register: r.Register, Variable: r.Variable})
	return w.placesOf(root, found, text, begin)
}

// placesOf returns the values at places below a root; begin is the root as text, and text is for the only one.
func (w *walker) placesOf(root place, found [][]path.Segment, text, begin string) []operand {
	list := make([]operand, 0, len(found))
	for _, segments := range found {
		if at := below(root, segments); w.value(at) != nil {
			list = append(list, operand{text: text, place: at, known: true})
			if len(found) > 1 {
				list[len(list)-1].text = begin + pathText(segments)[1:]
			}
		}
	}
	return list
}

// below returns the place that segments lead to from another one.
func below(at place, segments []path.Segment) place {
	return place{event: at.event, segments: append(at.segments[:len(at.segments):len(at.segments)], segments...)}
}

// ofContext returns the value that names in the context object lead to at event i. read is its evaluation, or nil.
func (w *walker) ofContext(i int, text string, names []path.Segment, read *jsonata.Trace) []operand {
	for _, known := range contextual {
		if root := w.contextRoot(i, known[0]); root.event >= 0 && hasSegments(names, namesOf(known)) {
			if from := below(root, names[len(known):]); w.value(from) != nil {
				return []operand{{text: text, place: from, known: true}}
			}
		}
	}
	o := operand{text: text, kind: Context}
	if read != nil {
		o.value = read.Value
	} else if at, err := path.Parse("$$" + pathText(names)[1:]); err == nil && w.lens.Explainer != nil {
		context, _ := w.lens.Explainer.run.RootsAt(i)
		o.value = at.Find(&path.Roots{Context: context})
	}
	return []operand{o}
}

// ofQuery returns the values that the JSONata expression of a leaf read.
func (w *walker) ofQuery(i int, part *asl.Move) []operand {
	trace := w.explained(i, part)
	var list []operand
	for _, reference := range part.Expression.References() {
		if reference.Name == "" || reference.Name == "$" {
			continue
		}
		read := traceAt(trace, reference.Start)
		if trace != nil && read == nil {
			continue // it was not evaluated
		}
		list = append(list, w.ofReference(i, &reference, read)...)
	}
	return list
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

// explained returns the evaluation of the JSONata expression of a leaf of event i; nil where that is not known.
func (w *walker) explained(i int, part *asl.Move) *jsonata.Trace {
	m := w.moveAt(i)
	if m == nil || m.Query == nil || !strings.HasPrefix(part.At, m.At) || w.lens.Explainer == nil || w.evaluations >= maxEvaluations {
		return nil
	}
	number, place := 0, ""
	m.Query.Expressions(func(e template.Expression) bool {
		if e.Pointer == part.At[len(m.At):] {
			place = e.Location
			return false
		}
		number++
		return true
	})
	w.evaluations++
	list, not := w.lens.Explainer.Stage(i)
	if not != nil || number >= len(list) || list[number].Location != place || sizeOf(list[number].Trace) >= jsonata.MaxTraces {
		return nil // a trace that is full may lack parts
	}
	return list[number].Trace
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
	names := namesOf(reference.Fields)
	at, used := asl.Ref{Register: asl.RegisterVariables, Variable: reference.Name}, 0
	text := "$" + strings.Join(append([]string{reference.Name}, reference.Fields...), ".")
	if reference.Name == "states" {
		if len(names) == 0 || asl.StatesRegister(names[0].Name) == asl.NoRegister {
			return nil
		}
		if at, used = (asl.Ref{Register: asl.StatesRegister(names[0].Name)}), 1; at.Register == asl.RegisterContext {
			return w.ofContext(i, text, names[1:], read)
		}
	}
	root := w.register(i, &at)
	if root.event < 0 {
		return []operand{{text: text, kind: Unknown}}
	}
	leaves := chosenLeaves(followQuery(lookUp(w.at(root.event).After, root.segments), names[used:]), read)
	if len(leaves) > maxOperands {
		leaves, w.cut = leaves[:maxOperands], true
	}
	begin := "$" + strings.Join(append([]string{reference.Name}, reference.Fields[:used]...), ".")
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
