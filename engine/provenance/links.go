package provenance

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
)

// A link is one way of data through an event: what was at from is at to in the data after it. Back, Forward and Loss
// walk along the same links.
type link struct {
	from place // its event is -1 of an end, and where it is not known
	to   []path.Segment
	// kind is 0 where the data were handed on as they are. An end has no from, and a Read no to.
	kind Kind
	text string
	part *asl.Move // of a Computed one: its operands are the data
	// hole is the part that is not handed on, since ResultPath put something there: nil is none.
	hole []path.Segment
	// checked is set where a value is handed on only where it is the same after the event.
	checked bool

	// lost is how data at from are missing after the event: below the hole, if there is one. Where gone is set nothing
	// later reads them.
	lost   LossKind
	field  string
	absent bool // its default did it
	gone   bool
}

// everywhere is the hole that is the whole.
var everywhere = []path.Segment{}

// holds reports whether the link is one of a place in the data.
func (l *link) holds(at []path.Segment) bool {
	return l.hole == nil || hasSegments(at, l.hole) == (l.lost != NeverThere && l.lost != Elsewhere)
}

// placeBefore returns the place in the data before the event from which a place in the data after it came; ok is false
// where it is not below the link.
func (l *link) placeBefore(at []path.Segment) (place, bool) {
	if !l.holds(at) || !hasSegments(at, l.to) || l.kind == Read {
		return place{}, false
	}
	return below(l.from, at[len(l.to):]), true
}

// links returns the ways of data through an event that lead to a place in the data after it, the likeliest first. Where
// at is nil it is all.
func (t *tracer) links(i int, at []path.Segment) []link {
	event := t.at(i)
	switch event.Type {
	case engine.ExecutionStarted:
		return ending(Input, "")
	case engine.TaskSucceeded, engine.TaskSubmitted:
		return ending(Result, event.Visit.State.Resource)
	case engine.ErrorCaught:
		return ending(Error, "")
	case engine.StateEntered:
		return handed(t.intoState(i))
	case engine.BranchSucceeded, engine.IterationSucceeded, engine.ExecutionSucceeded:
		return handed(t.exitOf(i))
	case engine.IterationStarted:
		return t.iteration(i)
	case engine.ParallelSucceeded, engine.MapSucceeded, engine.MapRunSucceeded:
		return t.collected(i, at)
	case engine.DataEdited:
		from := place{event: t.edited(i)}
		lost := link{from: from, lost: EditedAway, gone: true}
		return []link{{from: from, checked: true}, lost, {from: nowhere, kind: Edited}}
	case engine.StateExited:
		return t.exit(i)
	case engine.StageCompleted:
		return t.stage(i, at)
	default:
		return handed(t.holder(event.Visit, i, asl.RegisterOutput, event.After))
	}
}

var nowhere = place{event: -1}

// ending is the way of data that began with an event.
func ending(kind Kind, text string) []link { return []link{{from: nowhere, kind: kind, text: text}} }

// handed is the way of data that an event has from another one.
func handed(event int) []link { return []link{{from: place{event: event}}} }

// exitOf returns the event with which the last state of the thread of event i was left, or -1.
func (t *tracer) exitOf(i int) int {
	thread := t.at(i).Thread
	if at, known := t.leads[thread]; known && t.at(at).Type == engine.StateExited {
		return at
	}
	return t.last(i, func(e *engine.Event) bool { return e.Type == engine.StateExited && e.Thread == thread })
}

// edited returns the event whose data an edit replaced.
func (t *tracer) edited(i int) int {
	event := t.at(i)
	newest := t.lastIn(event.Visit, i, func(*engine.Event) bool { return true })
	if newest < 0 || t.at(newest).Type == engine.StateExited { // the next state has not been entered
		return t.intoState(i)
	}
	return t.holder(event.Visit, i, asl.RegisterOutput, event.Before)
}

// iteration links the input of an iteration with its item, its payload or its batch.
func (t *tracer) iteration(i int) []link {
	event := t.at(i)
	detail, _ := event.Detail.(*engine.ThreadDetail)
	if detail == nil {
		return ending(Unknown, "")
	}
	state, work := event.Visit.State, t.workOf(event.Visit, i)
	from := work.item(detail.Index, state.ItemSelector != nil)
	if state.ItemBatcher != nil {
		from = place{event: work.batches, segments: []path.Segment{index(detail.Index)}}
	}
	if from.event >= 0 && len(from.segments) == 0 {
		return []link{{from: from}}
	}
	if from.event >= 0 && !t.log.Same(t.value(from), event.After) { // a history has no events of stages
		from = nowhere
	}
	list := []link{{from: from, kind: Moved}}
	if state.ItemSelector == nil {
		effective := place{event: t.effective(event.Visit, i)}
		list = append(list, link{from: effective, lost: NotInItem, field: "ItemSelector", absent: true})
	}
	return list
}

func index(n int) path.Segment { return path.Segment{Kind: path.IndexSegment, Index: n} }

// collected links the results of a Parallel or Map with the results of its branches or iterations.
func (t *tracer) collected(i int, at []path.Segment) []link {
	event := t.at(i)
	if event.Type == engine.MapSucceeded && event.Visit.State.ResultWriter != nil {
		written := func(e *engine.Event) bool {
			return e.Type == engine.StageCompleted && e.Stage == engine.StageResultWriter
		}
		if from := t.lastIn(event.Visit, i, written); from >= 0 {
			return handed(from)
		}
	}
	var list []link
	for n, end := range t.ends(i) {
		if len(at) == 0 || at[0] == index(n) {
			list = append(list, link{from: place{event: end}, to: []path.Segment{index(n)}, kind: Gathered})
		}
	}
	if len(at) > 0 && at[0].Kind == path.IndexSegment {
		return append(list, ending(Unknown, "")...)
	}
	return append(list, ending(Computed, "")...)
}

// exit links the output of a state with what the newest of its stages gave.
func (t *tracer) exit(i int) []link {
	event := t.at(i)
	list := handed(t.holder(event.Visit, i, asl.RegisterOutput, event.After))
	lane := asl.FlowOf(event.Visit.State, false).LaneOf(t.laneAt(i))
	if lane == nil || list[0].from.event < 0 {
		return list
	}
	for k := range lane.Moves {
		m := &lane.Moves[k]
		keeps := m.Kind == asl.MoveKeep
		if m.Silent && droppedBy(m) == HintReplaced && (keeps || t.at(list[0].from.event).Stage == engine.StageResult) {
			lost := t.replaced(i, m.At)
			lost.gone = keeps
			list = append(list, lost)
		}
	}
	return list
}

// replaced is how the raw input is missing after event i, since the default of a field put other data in its place.
func (t *tracer) replaced(i int, field string) link {
	raw := place{event: t.rawInput(t.at(i).Visit, i)}
	return link{from: raw, hole: everywhere, lost: Replaced, field: field, absent: true, gone: true}
}

// stage links the data after a stage with those that its move read.
func (t *tracer) stage(i int, at []path.Segment) []link {
	event, m := t.at(i), t.moveAt(i)
	if m == nil {
		return handed(t.holder(event.Visit, i, asl.RegisterOutput, event.Before))
	}
	switch m.Kind {
	case asl.MoveKeep, asl.MoveSelect, asl.MoveGather, asl.MoveClear:
		if event.Stage == engine.StageResultWriter {
			return t.written(i)
		}
		if event.Stage == engine.StageItemsPath {
			return t.itemized(t.read(i, m, nil, nil))
		}
		lost := link{from: place{event: t.base(i, m)}, lost: NotSelected, field: m.At}
		lost.gone = event.Stage == engine.StageOutputPath
		return append(t.read(i, m, nil, nil), lost)
	case asl.MovePut, asl.MoveDiscard:
		return t.put(i, m)
	case asl.MoveText:
		list := ending(Literal, m.At)
		if event.Visit.State.ResultPath == nil {
			list = append(list, t.replaced(i, "ResultPath"))
		}
		return list
	case asl.MoveFill:
		return t.filled(i, m, at)
	case asl.MoveBind:
		return t.assigned(i, m, at)
	case asl.MoveAsk:
		if event.Stage == engine.StageItemReader {
			return ending(Object, m.At)
		}
		list := ending(Computed, m.At) // the results are in a data set then
		for _, end := range t.ends(i) {
			list = append(list, link{from: place{event: end}, kind: Read, text: m.At})
		}
		return list
	case asl.MoveBatch:
		return t.batched(i, m, at)
	case asl.MoveRead, asl.MoveCall, asl.MoveEach, asl.MoveCollect, asl.MoveCaught:
	}
	return handed(t.base(i, m))
}

// itemized links the items of a Map over an object, which have the Key and the Value of a member.
func (t *tracer) itemized(list []link) []link {
	if len(list) == 0 || list[0].from.event < 0 || len(list[0].to) > 0 {
		return list
	}
	object, ok := t.value(list[0].from).(*value.Object)
	if !ok {
		return list
	}
	whole, n := list[0], 0
	list = list[1:]
	for key := range object.All() {
		l := whole
		l.from = below(whole.from, []path.Segment{{Kind: path.NameSegment, Name: key}})
		l.to = []path.Segment{index(n), {Kind: path.NameSegment, Name: "Value"}}
		list = append(list, l)
		n++
	}
	return append(list, ending(Computed, whole.text)...)
}

// base returns the event with the data that the move of event i changes, or selects a part of.
func (t *tracer) base(i int, m *asl.Move) int {
	r := m.Base.Register
	if r == asl.NoRegister && len(m.From) > 0 {
		r = m.From[0].Register
	}
	if r == asl.NoRegister || r > asl.RegisterOutput {
		r = asl.RegisterOutput
	}
	return t.holder(t.at(i).Visit, i, r, nil)
}

// put links what ResultPath put together: the raw input, and a result or an Error Output.
func (t *tracer) put(i int, m *asl.Move) []link {
	visit := t.at(i).Visit
	raw := place{event: t.rawInput(visit, i)}
	result := place{event: t.holder(visit, i, m.From[0].Register, nil)}
	apart := result.event != raw.event
	lost := link{from: raw, hole: everywhere, lost: Replaced, field: m.At, absent: m.Absent, gone: true}
	text := "$"
	switch {
	case m.Kind == asl.MoveDiscard:
		lost.from, lost.lost = result, Discarded
		if !apart {
			return []link{{from: raw}}
		}
		return []link{{from: raw}, lost}
	case m.To.Path == nil && !apart:
		return []link{{from: result}}
	case m.To.Path == nil:
		return []link{lost, {from: result}}
	}
	text = m.To.Path.String()
	target := segmentsOf(m.To.Path)
	lost.lost, lost.hole = Overwritten, target
	return []link{
		{from: result, to: target, kind: Moved, text: text, field: m.At}, {from: raw, hole: target, text: text}, lost,
		{from: result, hole: target, lost: Elsewhere, field: m.At},
	}
}

// filled links the data that a payload template, or a field in JSONata, gave with those that its leaves read.
func (t *tracer) filled(i int, m *asl.Move, at []path.Segment) []link {
	visit, state := t.at(i).Visit, t.at(i).Visit.State
	list := t.leaves(i, m, nil, at)
	if m.Stage == engine.StageItemsPath {
		list = t.itemized(list)
	} else {
		documents := []int{t.resultOf(visit, i), t.rawInput(visit, i)}
		if m.Query == nil {
			documents = []int{t.document(i, m)}
		}
		gone := m.Stage == engine.StageOutputPath || m.Stage == engine.StageResultSelector ||
			m.Stage == engine.StageParameters && state.Type == asl.Pass && state.ResultPath == nil
		for _, document := range documents {
			list = append(list, link{from: place{event: document}, lost: LeftOut, field: m.At, gone: gone})
		}
	}
	return append(list, ending(Computed, writtenAt(m, at))...)
}

// document returns the event whose data $ is in the payload template of event i.
func (t *tracer) document(i int, m *asl.Move) int {
	if visit := t.at(i).Visit; m.Document == asl.RegisterEffective {
		return t.effective(visit, i)
	}
	return t.holder(t.at(i).Visit, i, m.Document, nil)
}

// writtenAt is the text of a field at a place of an object or a list that it gives.
func writtenAt(m *asl.Move, at []path.Segment) string {
	if m.Node != nil {
		if part := lookUp(m.Node.Value, at); part != nil {
			return value.Preview(part, 200)
		}
	}
	return ""
}

// assigned links the variables after an Assign with what its leaves read, and with those before.
func (t *tracer) assigned(i int, m *asl.Move, at []path.Segment) []link {
	if len(at) == 0 || at[0].Kind != path.NameSegment {
		return append(t.leaves(i, m, nil, at), ending(Computed, writtenAt(m, at))...)
	}
	older := link{from: place{event: t.variableOf(t.at(i).Visit, at[0].Name)}}
	if !assigns(t.at(i), at[0].Name) {
		return []link{older}
	}
	older.lost, older.field = Overwritten, m.At+memberAt(m, at[:1])
	return append(t.leaves(i, m, nil, at), older, ending(Computed, writtenAt(m, at))[0])
}

// batched links the batches of an ItemBatcher with the payloads of the items in them.
func (t *tracer) batched(i int, m *asl.Move, at []path.Segment) []link {
	visit := t.at(i).Visit
	batches, _ := t.at(i).After.(*value.Array)
	work, next := t.workOf(visit, i), 0
	var list []link
	for k, batch := range batches.All() {
		object, _ := batch.(*value.Object)
		items, _ := object.Get("Items").(*value.Array)
		in := []path.Segment{index(k), {Kind: path.NameSegment, Name: "Items"}}
		if all := work.list >= 0 && len(work.selected) == 0; all && t.log.Same(items, t.at(work.list).After) { // in one batch
			list = append(list, link{from: place{event: work.list}, to: in, kind: Moved, text: m.At})
			items = value.ArrayOf()
		}
		for n := range items.Len() {
			if to := append(in[:2:2], index(n)); hasSegments(at, to) || hasSegments(to, at) {
				list = append(list, link{from: work.item(next, true), to: to, kind: Moved, text: m.At})
			}
			next++
		}
		if shared := batchInput(visit.State); shared != nil {
			list = append(list, t.leaves(i, shared, in[:1:1], at)...)
		}
	}
	return append(list, ending(Computed, m.At)...)
}

// written links what a ResultWriter that only shapes the results gave with the results of the iterations. A failed one
// is described.
func (t *tracer) written(i int) []link {
	array, _ := t.at(i).After.(*value.Array)
	var list []link
	if config := t.at(i).Visit.State.ResultWriter.Config; config != nil && config.Transformation == asl.TransformNone {
		array = value.ArrayOf() // all are described
	}
	at := 0
	for _, end := range t.ends(i) {
		result := t.at(end).After
		items, nested := result.(*value.Array)
		for k := at; k < array.Len(); k++ {
			if t.log.Same(array.At(k), result) {
				list = append(list, link{from: place{event: end}, to: []path.Segment{index(k)}, kind: Gathered})
				at = k + 1
				break
			}
			if nested && items.Len() > 0 && t.log.Same(array.At(k), items.At(0)) {
				for n := range items.Len() {
					from := place{event: end, segments: []path.Segment{index(n)}}
					list = append(list, link{from: from, to: []path.Segment{index(k + n)}, kind: Gathered})
				}
				at = k + items.Len()
				break
			}
		}
	}
	return append(list, ending(Computed, "ResultWriter")...)
}
