package provenance

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
)

// start is where following a value begins.
type start struct {
	// event, path and value are those asked for: the event with the data, the path in them, and the value.
	event int
	path  string
	value value.Value
	// place is the place of the value in the data after an event, where that is known; else kind is its origin.
	place place
	known bool
	kind  Kind
}

// document is the data that a path begins in.
type document struct {
	event int         // with the data; -1 where there is none
	data  value.Value // before or after the event
	place place       // of the data after an event; its event is -1 where it is not known
}

// resolve finds the value at a path of the data of event i.
func (w *walker) resolve(i int, text string) (start, error) {
	at, err := parsePath(text)
	if err != nil {
		return start{}, err
	}
	doc, names, err := w.documentFor(i, at)
	if err != nil {
		return start{}, err
	}
	if at.Root() == path.ContextRoot && doc.event < 0 {
		return w.contextStart(i, at, text)
	}
	found := lookUp(doc.data, names)
	if found == nil {
		return start{}, missAt(at, doc, names)
	}
	s := start{event: doc.event, path: w.textOf(place{event: doc.event, segments: names}), value: found, kind: Unknown, place: place{event: doc.event}}
	if s.known = doc.place.event >= 0; s.known {
		whole := append(doc.place.segments[:len(doc.place.segments):len(doc.place.segments)], names...)
		s.place = place{event: doc.place.event, segments: whole}
	}
	return s, nil
}

// missAt is the error of a path that leads to nothing.
func missAt(at *path.Path, doc document, names []path.Segment) error {
	roots := &path.Roots{}
	if at.Root() == path.DataRoot {
		roots.Data = doc.data
		_, err := at.Get(roots)
		return err
	}
	given := max(at.Len()-len(names), 0) // names that led to the document: input of $states.input
	under := doc.data
	for n := given - 1; n >= 0; n-- {
		under = value.ObjectOf(value.Member{Key: at.Segment(n).Name, Value: under})
	}
	if len(names) > at.Len() {
		if object, ok := doc.data.(*value.Object); ok { // of variables: names begin with the variable's
			under = object.Get(names[0].Name)
		}
	}
	roots.Context, roots.Variables = under, func(string) value.Value { return under }
	_, err := at.Get(roots)
	return err
}

// documentFor finds the data that a path begins in, and the names that lead on in them.
func (w *walker) documentFor(i int, at *path.Path) (document, []path.Segment, error) {
	source := -1
	if i >= 0 && i < w.log.Len() {
		source = w.log.DataAt(i)
	}
	if source < 0 {
		return document{}, nil, &NoDataError{Event: i}
	}
	names := segmentsOf(at)
	switch at.Root() {
	case path.ContextRoot:
		if hasPrefix(names, "Execution", "Input") {
			return w.after(w.executionInput(w.visitAt(i))), names[2:], nil
		}
		return document{event: -1, place: place{event: -1}}, names, nil
	case path.VariableRoot:
		return w.variableDocument(i, at, names)
	case path.DataRoot:
	}
	event := w.at(source)
	if event.After != nil {
		return w.after(source), names, nil
	}
	doc := document{event: source, data: event.Before, place: place{event: w.gave(source)}}
	if doc.place.event >= 0 && !w.log.Same(w.at(doc.place.event).After, event.Before) {
		doc.place.event = -1 // the parameters of an ItemReader, say
	}
	return doc, names, nil
}

// variableDocument finds the data of a path that begins with a variable or with $states.
func (w *walker) variableDocument(i int, at *path.Path, names []path.Segment) (document, []path.Segment, error) {
	if visit := w.visitAt(i); at.Variable() == "states" && visit != nil && len(names) > 0 {
		found := -1
		switch names[0].Name {
		case "input":
			found = w.rawInput(visit, i+1)
		case "result", "errorOutput":
			found = w.resultOf(visit, i+1)
		case "context":
			if !hasPrefix(names[1:], "Execution", "Input") {
				break
			}
			return w.after(w.executionInput(visit)), names[3:], nil
		}
		if found >= 0 {
			return w.after(found), names[1:], nil
		}
		return document{}, nil, missAt(at, document{event: -1}, names)
	}
	found := w.variable(i, at.Variable())
	if found < 0 {
		return document{}, nil, missAt(at, document{event: -1}, names)
	}
	return w.after(found), append([]path.Segment{{Kind: path.NameSegment, Name: at.Variable()}}, names...), nil
}

func (w *walker) after(i int) document {
	return document{event: i, data: w.at(i).After, place: place{event: i}}
}

// contextStart is the start in the context object, which no event has.
func (w *walker) contextStart(i int, at *path.Path, text string) (start, error) {
	var context value.Value
	if w.lens.Explainer != nil && w.at(i).Visit != nil {
		context, _ = w.lens.Explainer.run.RootsAt(i)
	}
	found, err := at.Get(&path.Roots{Context: context})
	if err != nil {
		return start{}, err
	}
	return start{event: i, path: text, value: found, kind: Context, place: place{event: i}}, nil
}

// visitAt returns the visit of event i or, for one of the whole execution, the visit of the newest event before it that
// has one.
func (t *tracer) visitAt(i int) *engine.Visit {
	for ; i >= 0; i-- {
		if visit := t.at(i).Visit; visit != nil {
			return visit
		}
	}
	return nil
}

// effective returns the event with the effective input of a visit before event i, or -1.
func (t *tracer) effective(visit *engine.Visit, i int) int {
	if at, known := t.selected[visit]; known {
		return at
	}
	at := t.holder(visit, i, asl.RegisterEffective, nil)
	if t.selected != nil && visit.State.Type == asl.Map {
		t.selected[visit] = at
	}
	return at
}

// executionInput returns the event with the input of the execution that a visit is in: of a distributed Map each iteration is
// one.
func (t *tracer) executionInput(visit *engine.Visit) int {
	for ; visit != nil && visit.Parent != nil; visit = visit.Parent {
		if !visit.Parent.State.Distributed() {
			continue
		}
		if i := t.threadStart(visit); i >= 0 {
			return i
		}
	}
	return 0
}

// threadStart returns the event with which the branch or iteration of a visit began, or -1.
func (t *tracer) threadStart(visit *engine.Visit) int {
	return t.last(int(visit.Entered), func(e *engine.Event) bool {
		return e.Thread == visit.Thread && (e.Type == engine.IterationStarted || e.Type == engine.BranchStarted)
	})
}

// variable returns the event of the Assign whose value a variable has at event i, or -1.
func (t *tracer) variable(i int, name string) int {
	event := t.at(i)
	if event.Type == engine.StageCompleted && event.Stage == engine.StageAssign && assigns(event, name) {
		return i
	}
	visit := event.Visit
	if visit == nil {
		return t.last(i+1, func(e *engine.Event) bool { return e.Thread == 0 && assigns(e, name) })
	}
	if event.Type == engine.StateExited {
		if own := t.lastIn(visit, i, func(e *engine.Event) bool { return assigns(e, name) }); own >= 0 && t.log.Exited(visit, own) {
			return own
		}
	}
	return t.variableOf(visit, name)
}

// assigns reports whether an event is an Assign of a variable.
func assigns(event *engine.Event, name string) bool {
	detail, ok := event.Detail.(*engine.AssignDetail)
	return ok && event.After != nil && detail.Assigned.Get(name) != nil
}

// variableOf returns the event of the Assign whose value a variable had when a visit began, or -1.
func (t *tracer) variableOf(visit *engine.Visit, name string) int {
	for ; visit != nil; visit = visit.Parent {
		for i := int(visit.Entered) - 2; i >= 0; i-- {
			t.scan(i)
			if event := t.at(i); event.Thread == visit.Thread && assigns(event, name) && t.log.Exited(event.Visit, i) {
				return i
			}
		}
		if visit.Parent != nil && visit.Parent.State.Distributed() {
			break
		}
	}
	return -1
}
