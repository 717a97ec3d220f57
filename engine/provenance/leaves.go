package provenance

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
)

// leaves links what the leaves of a template put below a place of the data after event i, as far as they are above or
// below at.
func (t *tracer) leaves(i int, m *asl.Move, under, at []path.Segment) []link {
	var list []link
	parts := m.Parts()
	for k := range parts {
		part := &parts[k]
		to := append(under[:len(under):len(under)], segmentsTo(part)...)
		if !hasSegments(at, to) && !hasSegments(to, at) {
			continue
		}
		switch {
		case part.Kind == asl.MoveText && part.Expression == nil:
			var deep []path.Segment
			if hasSegments(at, to) {
				deep = at[len(to):]
			}
			sample, kind := deepest(part.Node.Value, deep), Literal
			if sample == nil {
				kind, sample = Computed, value.String("")
			}
			list = append(list, link{from: nowhere, to: to, kind: kind, text: value.Preview(sample, 200)})
		case part.Kind == asl.MoveText, part.Kind == asl.MoveCall:
			list = append(list, link{from: nowhere, to: to, kind: Computed, text: spelled(part), part: part})
		default:
			list = t.read(i, part, to, list)
		}
	}
	return list
}

// deepest returns the value at a place in a literal; of a scalar it is that.
func deepest(v value.Value, at []path.Segment) value.Value {
	for k := range at {
		switch v.(type) {
		case *value.Object, *value.Array:
			v = lookUp(v, at[k:k+1])
		default:
			return v
		}
	}
	return v
}

// segmentsTo returns where a leaf puts its value, in the data after its stage.
func segmentsTo(part *asl.Move) []path.Segment {
	var to []path.Segment
	if part.To.Variable != "" {
		to = append(to, path.Segment{Kind: path.NameSegment, Name: part.To.Variable})
	}
	if part.To.Path != nil {
		to = append(to, segmentsOf(part.To.Path)...)
	}
	return to
}

// spelled returns the path or the expression of a move as its field has it.
func spelled(m *asl.Move) string {
	if m.Node == nil {
		return ""
	}
	text, _ := m.Node.Value.(value.String)
	return trimExpression(string(text))
}

// read links what a path names, of a field or a leaf of one, with where it is in the data after event i.
func (t *tracer) read(i int, m *asl.Move, to []path.Segment, list []link) []link {
	text := spelled(m)
	if m.Kind == asl.MoveClear {
		return append(list, link{from: nowhere, to: to, kind: Literal, text: "null"})
	}
	r := &m.From[0]
	root := t.register(i, r)
	switch {
	case r.Register == asl.RegisterContext || r.Register == asl.RegisterItem && root.event < 0:
		return t.readContext(i, m, to, list)
	case root.event < 0:
		return append(list, link{from: nowhere, to: to, kind: Unknown, text: text})
	}
	if r.Path == nil && len(to) == 0 && m.Expression == nil && r.Register != asl.RegisterVariables {
		return append(list, link{from: root})
	}
	return t.readBelow(root, m, r.Path, segmentsIn(r), to, list)
}

// readBelow links what a path names below a root.
func (t *tracer) readBelow(root place, m *asl.Move, p *path.Path, names, to []path.Segment, list []link) []link {
	text := spelled(m)
	found, several, _ := t.found(root, m, p, names)
	for n, segments := range found {
		l := link{from: below(root, segments), to: to, kind: Moved, text: text, part: m}
		if several {
			l.to, l.checked = append(to[:len(to):len(to)], index(n)), true
		}
		list = append(list, l)
	}
	if several || len(found) == 0 {
		list = append(list, link{from: nowhere, to: to, kind: Computed, text: text, part: m})
	}
	return list
}

// segmentsIn returns the segments of a part of a register.
func segmentsIn(r *asl.Ref) []path.Segment {
	if r.Path == nil {
		return nil
	}
	return segmentsOf(r.Path)
}

// found returns the places that the path of a move, which is names or more, leads to from a root. several is set where
// its value is an array of them.
func (t *tracer) found(
	root place, m *asl.Move, p *path.Path, names []path.Segment,
) (found [][]path.Segment, several, cut bool) {
	document := t.value(root)
	if m.Expression == nil {
		if p == nil || p.Plain() {
			return [][]path.Segment{names}, false, false
		}
		found, cut = matches(document, p)
		return found, m.Kind == asl.MoveGather, cut
	}
	leaves := followQuery(document, names)
	if len(leaves) == 0 || lookUp(document, names) != nil {
		return [][]path.Segment{names}, false, false
	}
	for _, leaf := range leaves {
		found = append(found, leaf.segments)
	}
	return found, len(found) > 1, false
}

// register returns the place of a register, or of one variable, that the move of event i reads.
func (t *tracer) register(i int, r *asl.Ref) place {
	visit := t.at(i).Visit
	switch r.Register {
	case asl.RegisterVariables:
		return place{event: t.variableOf(visit, r.Variable), segments: namesOf([]string{r.Variable})}
	case asl.RegisterEffective:
		return place{event: t.effective(visit, i)}
	case asl.RegisterItem:
		return t.contextRoot(i, "Map")
	default:
		return place{event: t.holder(visit, i, r.Register, nil)}
	}
}

// contextual are the members of the context object whose origin is known.
var contextual = [][]string{{"Execution", "Input"}, {"Map", "Item", "Value"}}

func namesOf(list []string) []path.Segment {
	return value.Each(list, func(name string) path.Segment { return path.Segment{Kind: path.NameSegment, Name: name} })
}

// readContext links what is read of the context object: the execution's input, and the item of an iteration, are
// followed.
func (t *tracer) readContext(i int, m *asl.Move, to []path.Segment, list []link) []link {
	r, names, text := &m.From[0], segmentsIn(&m.From[0]), spelled(m)
	for _, known := range contextual {
		whole := namesOf(known)
		root := t.contextRoot(i, known[0])
		switch {
		case root.event < 0:
		case hasSegments(names, whole) && (m.Expression != nil || r.Path.Plain()):
			list = t.readBelow(root, m, nil, names[len(whole):], to, list)
		case hasSegments(whole, names):
			into := append(to[:len(to):len(to)], whole[len(names):]...)
			list = append(list, link{from: root, to: into, kind: Moved, text: text, part: m})
		}
	}
	return append(list, link{from: nowhere, to: to, kind: Context, text: text, part: m})
}

// contextRoot returns the place of the known part of a member of the context object at event i.
func (t *tracer) contextRoot(i int, member string) place {
	event := t.at(i)
	if member == "Execution" {
		return place{event: t.executionInput(event.Visit)}
	}
	if event.Stage != engine.StageParameters || event.Visit.State.Type != asl.Map {
		return nowhere
	}
	work := t.workOf(event.Visit, i)
	at := work.item(len(work.selected), false)
	if at.event < 0 || t.value(at) == nil {
		return nowhere
	}
	if t.at(at.event).Stage != engine.StageItemsPath {
		return at
	}
	if list := t.links(at.event, at.segments); len(list) > 0 && len(list[0].to) == 2 {
		return below(at, list[0].to[1:]) // of an object
	}
	return at
}
