package provenance

import (
	"errors"
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// LossKind is how a value was lost.
type LossKind uint8

// The kinds of losses.
const (
	// NeverThere: the value was not lost; nothing on the way of the data had it.
	NeverThere LossKind = iota
	// Replaced: the result, or the Error Output, took the place of the whole input: ResultPath $ or its default, in
	// JSONata a state or catcher without Output.
	Replaced
	// Overwritten: ResultPath put the result in its place, or Assign gave its variable another value.
	Overwritten
	// Discarded: it was in a result that ResultPath null discards.
	Discarded
	// NotSelected: InputPath or OutputPath selects another part of the data.
	NotSelected
	// LeftOut: a payload template, or a field in JSONata, does not name it.
	LeftOut
	// NotInItem: the input of an iteration is its item, and no ItemSelector adds the value.
	NotInItem
	// EditedAway: an edit by hand replaced the data.
	EditedAway
	// OutOfScope: it is in a variable whose branch, iteration or execution has ended, or does not see it.
	OutOfScope
	// Elsewhere: nothing was lost: ResultPath put the value under another path, which is Loss.HadPath.
	Elsewhere
)

var lossNames = [...]string{
	NeverThere: "neverThere", Replaced: "replaced", Overwritten: "overwritten", Discarded: "discarded", NotSelected: "notSelected",
	LeftOut: "leftOut", NotInItem: "notInItem", EditedAway: "editedAway", OutOfScope: "outOfScope", Elsewhere: "elsewhere",
}

// String returns the kind's name as JSON has it, "notSelected" for example.
func (k LossKind) String() string { return wording.KindName(lossNames[:], k) }

// Loss says where a value was lost that a path does not lead to, or that it never was there.
type Loss struct {
	Kind LossKind
	// Event and Path are those asked for: the index of the event with the data, from 0, and the path that leads to
	// nothing in them. Miss says how far it leads, and which member is most like the missing one.
	Event int
	Path  string
	Miss  *path.MissError
	// Reader is the field that read the path, where the event is a stage that failed for it, or passes its error on;
	// else empty.
	Reader string
	// Read is where Reader is; nil where that is empty.
	Read *asl.Place

	// Hints say where else the value is, or which state would have made it, of NeverThere.
	Hints []Hint
	// Near are the places where the names at the end of the path are in the same data, of all other kinds.
	Near []string

	// All that follows is unset of NeverThere.

	// Had is the index of the newest event in whose data the value was, HadPath its path there, Value itself.
	Had     int
	HadPath string
	Value   value.Value
	// Now is the path under which ResultPath put the value, of Elsewhere; else empty.
	Now string
	// At is the index of the event that lost it, Visit and Stage are that event's. Field is the field of the
	// state that did it, as [asl.State.Place] takes it, empty where none did; Default is set where the field is absent,
	// and its default did it. Place is where the field is, or the catcher or state that could have it.
	At      int
	Visit   *engine.Visit
	Stage   engine.Stage
	Field   string
	Default bool
	Place   *asl.Place
	// Lost names the members that were lost at the same place, the value itself included, and More counts those not
	// named.
	Lost []string
	More int
	// Remedy keeps the value; nil where no single line does.
	Remedy *Remedy
	// Way is the way of the value to Had, back from there.
	Way *Way
	// Passages and Edges are Way's and then the ones from the loss to the event.
	Passages []*Passage
	Edges    []*Edge
}

// States returns the states of the definition on the way of the value and after its loss, in the order of their first
// visits, and behind them those that would have made it.
func (l *Loss) States() []StatePart {
	parts := statesOf(l.Passages)
	for i := range l.Hints {
		h := &l.Hints[i]
		if h.State == nil || h.Kind == HintKinds {
			continue
		}
		part := StatePart{State: h.State, Role: WouldMake}
		if h.Makes != "" {
			part.Out = []string{h.Makes}
		}
		if known := slices.IndexFunc(parts, func(p StatePart) bool { return p.State == h.State }); known >= 0 {
			parts[known].Role = WouldMake
			continue
		}
		parts = append(parts, part)
	}
	return parts
}

// Remedy is a line of the definition that keeps a value.
type Remedy struct {
	// Line is the line, without a comma: `"ResultPath": "$.error"`.
	Line string
	// Field is the field that the line is, or is a member of. Place is where it is, or the state or the part of it
	// that the line belongs to.
	Field string
	Place *asl.Place
	// Instead is set where the line replaces one that is there.
	Instead bool
	// Without is a line that has to go besides, an OutputPath that would take the value away; else empty.
	Without string
}

// PresentError says that a path leads to a value, so that nothing was lost.
type PresentError struct {
	Path  string
	Value value.Value
}

// Error implements error.
func (e *PresentError) Error() string { return e.Path + " is there: nothing was lost" }

// Find is [Lens.Back] where the path leads to a value, and [Lens.Loss] where it does not. One of the first two results
// is nil.
func (l *Lens) Find(i int, text string) (*Way, *Loss, error) {
	way, err := l.Back(i, text)
	var miss *path.MissError
	if !errors.As(err, &miss) {
		if at, wrong := path.Parse(text); err == nil && wrong == nil {
			if u := l.Unmet(i); u.covers(at) && u.Takes != 0 {
				way.Hints = newWalker(l).kindsFor(u)
			}
		}
		return way, nil, err
	}
	loss, err := l.Loss(i, text)
	return nil, loss, err
}

// maxLooked bounds the data in which a lost value is looked for, maxNamed the members that are named as lost.
const (
	maxLooked = 100_000
	maxNamed  = 12
)

// Loss says where the value was lost that a path of the data of event i does not lead to. The error is a
// *[PresentError] where it does lead to one.
func (l *Lens) Loss(i int, text string) (*Loss, error) {
	w := newWalker(l)
	found, err := w.resolve(i, text)
	var miss *path.MissError
	switch {
	case err == nil:
		return nil, &PresentError{Path: text, Value: found.value}
	case !errors.As(err, &miss):
		return nil, err
	}
	at, err := parsePath(text)
	if err != nil {
		return nil, err
	}
	loss := &Loss{Event: i, Path: text, Miss: miss, Had: -1, At: -1}
	if u := w.unmet(i); u.covers(at) { // its data are those that the field has read
		i = u.Event
		loss.read(u, w.tracer)
		var nearer *path.MissError
		if _, err := w.resolve(i, text); errors.As(err, &nearer) {
			loss.Event, loss.Miss = i, nearer
		}
	}
	doc, names, err := w.documentFor(i, at)
	if err != nil {
		if w.lostVariable(loss, i, at); loss.Kind == NeverThere {
			loss.Hints = w.hintsFor(i, at, document{}, names, false)
		}
		return loss, nil
	}
	if at.Root() == path.DataRoot {
		loss.Event = doc.event
	}
	if found, err := parsePath(loss.Miss.Found); err == nil && doc.data == nil && at.Root() == path.ContextRoot {
		doc.data = loss.Miss.At // the part of the context object that the path leads to
		for _, s := range slices.Backward(segmentsOf(found)) {
			doc.data = value.NewObject([]value.Member{{Key: s.Name, Value: doc.data}})
		}
	}
	defer func() {
		if loss.Kind == NeverThere {
			loss.Hints = w.hintsFor(i, at, doc, names, loss.Miss.Suggestion != "")
			return
		}
		n := &never{walker: w, reader: w.visitAt(i), event: i}
		if n.elsewhere(at, doc, names); len(n.hints) > 0 && !n.hints[0].Ends {
			loss.Near = n.hints[0].Paths
		}
	}()
	if doc.place.event < 0 {
		return loss, nil
	}
	s := &search{tracer: w.tracer, seen: make(map[nodePlace]bool), countStep: w.countStep}
	s.enqueue(suspect{place: below(doc.place, names), from: -1})
	lost := s.run()
	if lost < 0 {
		return loss, nil
	}
	w.describe(loss, s, lost)
	return loss, nil
}

// read finds the field that read the path, where a stage failed for it.
func (l *Loss) read(u *Unmet, t *tracer) {
	l.Reader = u.Field
	l.Read = placeOf(t.at(u.Event), u.Field)
}

// describe says of the loss that a search has found all that is known.
func (w *walker) describe(loss *Loss, s *search, lost int) {
	had := s.suspects[lost]
	lostAt := s.suspects[had.from].place
	event := w.at(lostAt.event)
	loss.Kind, loss.Field, loss.Default = had.kind, had.field, had.byDefault
	loss.Had, loss.HadPath, loss.Value = had.place.event, w.textOf(had.place), w.value(had.place)
	loss.At, loss.Visit, loss.Stage = lostAt.event, event.Visit, event.Stage
	loss.Place = placeOf(event, loss.Field)
	if had.kind != Elsewhere {
		loss.Lost, loss.More = value.Lost(w.at(had.place.event).After, event.After, maxNamed)
		if len(loss.Lost) == 0 {
			loss.Lost = []string{strings.TrimPrefix(loss.HadPath, "$.")}
		}
	}
	if had.kind == Elsewhere {
		if m := w.moveAt(lostAt.event); m.To.Path != nil {
			loss.Now = pathText(append(segmentsOf(m.To.Path), had.place.segments...))
		}
	}
	loss.Remedy = w.remedy(loss, had.place, lostAt)
	w.trail(loss, had.place, s.chain(lost))
}

// trail adds the way to where the value was last, and the states from there to where it is missing. places lead from
// the latter to the event that lost it.
func (w *walker) trail(loss *Loss, had place, places []place) {
	root := &Node{}
	w.root, w.known = root, &Way{Event: had.event, Path: w.textOf(had), Value: loss.Value}
	w.follow(had, root)
	way := &Way{Event: had.event, Path: w.textOf(had), Value: loss.Value, Nodes: root.Children, Total: w.nodes, Cut: w.cut}
	way.Passages, way.Edges = w.route.list()
	w.lens.fold(way)
	loss.Way = way

	after := newRoute(w.log)
	var on onward
	for i, p := range places {
		after.pass(w.tracer, p, &on)
		if i+1 < len(places) {
			after.leave(w.tracer, p, places[i+1], &on)
		}
	}
	if visit := w.visitAt(loss.Event); visit != nil {
		after.passage(visit)
	}
	for _, p := range after.passed {
		if w.route.passages[p.Visit] == nil {
			w.route.passage(p.Visit).Role = Lacks
		}
	}
	for _, edge := range after.taken {
		if key := (edgeKey{edge.Kind, edge.Index, edge.From, edge.To}); w.route.edges[key] == nil {
			edge.Lost, edge.Paths = true, nil
			w.route.add(key, edge)
		}
	}
	if loss.Visit != nil && loss.Kind != Elsewhere {
		passage := w.route.passage(loss.Visit)
		passage.Role, passage.Lost = Loses, loss
		if len(passage.In) == 0 && had.event == int(loss.Visit.Entered)-1 {
			passage.In = once(passage.In, pathText(had.segments))
		}
	}
	loss.Passages, loss.Edges = w.route.list()
}

// lostVariable looks for an Assign whose variable is not seen at event i.
func (w *walker) lostVariable(loss *Loss, i int, at *path.Path) {
	if at.Root() != path.VariableRoot || at.Variable() == "states" {
		return
	}
	set := w.last(i+1, func(e *engine.Event) bool { return assigns(e, at.Variable()) })
	if set < 0 {
		return
	}
	names := append([]path.Segment{{Kind: path.NameSegment, Name: at.Variable()}}, segmentsOf(at)...)
	had := place{event: set, segments: names}
	if w.value(had) == nil {
		return
	}
	thread := w.at(set).Thread
	lost := -1
	for k := set + 1; k <= i && lost < 0; k++ {
		switch event := w.at(k); {
		case event.Thread != thread:
		case event.Type == engine.BranchSucceeded, event.Type == engine.IterationSucceeded, event.Type == engine.BranchFailed,
			event.Type == engine.IterationFailed, event.Type == engine.BranchAborted, event.Type == engine.IterationAborted:
			lost = k
		case event.Visit == w.at(set).Visit && (event.Type == engine.ErrorCaught || event.Type == engine.RetryStarted || event.Type == engine.StateFailed):
			lost = k // a failed state assigns nothing
		}
	}
	if visit := w.visitAt(i); lost < 0 && visit != nil && visit.Parent != nil {
		lost = w.threadStart(visit)
	}
	if lost < 0 {
		return
	}
	event := w.at(lost)
	loss.Kind, loss.Had, loss.HadPath, loss.Value = OutOfScope, set, w.textOf(had), w.value(had)
	loss.At, loss.Visit, loss.Stage = lost, event.Visit, event.Stage
	loss.Lost = []string{"$" + at.Variable()}
	w.trail(loss, had, nil)
}
