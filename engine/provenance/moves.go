package provenance

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/template"
	"asldb/engine/value"
)

// moveAt returns the move of data that the stage of event i is, by the way out that its visit takes; nil of other
// events, and where the state has none.
func (t *tracer) moveAt(i int) *asl.Move {
	event := t.at(i)
	switch event.Type {
	case engine.StageCompleted, engine.StageFailed, engine.WaitStarted:
	default:
		return nil
	}
	f := asl.FlowOf(event.Visit.State, false)
	var found *asl.Move
	for _, list := range [][]asl.Move{f.Enter, f.Work, f.Each} {
		for k := range list {
			if m := &list[k]; m.Stage == event.Stage && (found == nil || found.Kind != asl.MoveRead || t.begun(i)) {
				found = m // the last one makes the data, those before it are asked of a service
			}
		}
	}
	if found != nil && event.Stage != engine.StageResult {
		return found
	}
	if lane := f.LaneOf(t.laneAt(i)); lane != nil {
		for k := range lane.Moves {
			if m := &lane.Moves[k]; m.Stage == event.Stage {
				found = m
			}
		}
	}
	return found
}

// begun reports whether the Map of event i has begun: bounds that are read then are others.
func (t *tracer) begun(i int) bool {
	event := t.at(i)
	return event.Stage != engine.StageLimits ||
		t.lastIn(event.Visit, i, func(e *engine.Event) bool { return e.Type == engine.MapStarted }) >= 0
}

// laneAt returns the way out of its state that the visit of event i takes, as far as that is known.
func (t *tracer) laneAt(i int) (kind asl.LaneKind, index int) {
	state := t.at(i).Visit.State
	if caught := t.catcherAt(i); caught >= 0 {
		return asl.LaneCaught, caught
	}
	if len(state.Choices) == 0 {
		return asl.LaneDone, 0
	}
	if rule := t.ruleOf(i); rule >= 0 {
		return asl.LaneRule, rule
	}
	return asl.LaneDefault, 0
}

// ruleOf returns the number of the rule of a Choice state that holds in the visit of event i, -1 for Default and while
// the visit has not been left.
func (t *tracer) ruleOf(i int) int {
	for visit := t.at(i).Visit; i < t.log.Len(); i++ {
		if later := t.at(i); later.Visit == visit {
			if detail, ok := later.Detail.(*engine.ExitDetail); ok {
				return detail.Rule
			}
			if later.Type == engine.StateFailed {
				break
			}
		}
	}
	return -1
}

// catcherAt returns the number of the catcher that the visit had gone over to by event i, or -1: the definition may not
// have it, where the events come from another one.
func (t *tracer) catcherAt(i int) int {
	visit := t.at(i).Visit
	if len(visit.State.Catch) == 0 {
		return -1
	}
	at := t.lastIn(visit, i, func(e *engine.Event) bool { return e.Type == engine.ErrorCaught })
	if at < 0 {
		return -1
	}
	if detail, ok := t.at(at).Detail.(*engine.CatchDetail); ok && detail.Catcher < len(visit.State.Catch) {
		return detail.Catcher
	}
	return -1
}

// fieldAt returns the field that gave the value at a place in the data of event i, as [asl.State.Place] takes it.
func (t *tracer) fieldAt(i int, segments []path.Segment) string {
	event := t.at(i)
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
	m := t.moveAt(i)
	if m == nil || m.Kind == asl.MoveRead {
		return event.Stage.String()
	}
	if m.Kind == asl.MoveBatch && len(segments) > 1 && segments[1].Name == "BatchInput" {
		if shared := batchInput(event.Visit.State); shared != nil {
			m, segments = shared, segments[2:]
		}
	}
	return m.At + memberAt(m, segments)
}

// batchInput returns the move of a Map's BatchInput, or nil.
func batchInput(state *asl.State) *asl.Move {
	each := asl.FlowOf(state, false).Each
	for k := range each {
		if m := &each[k]; m.Stage == engine.StageItemBatcher && fills(m) {
			return m
		}
	}
	return nil
}

// memberAt returns the place in the field of a move of the member that gives the value at a place, "/a/b.$" for
// example.
func memberAt(m *asl.Move, segments []path.Segment) string {
	if m.Node == nil || m.Kind != asl.MoveText && !fills(m) {
		return ""
	}
	at, node := "", m.Node.Value
	for _, segment := range segments {
		switch c := node.(type) {
		case *value.Object:
			if m.Kind != asl.MoveText && m.Query == nil && c.Get(segment.Name+template.Suffix) != nil {
				return at + "/" + value.EscapePointer(segment.Name+template.Suffix)
			}
			if node = c.Get(segment.Name); node == nil {
				return at
			}
			at += "/" + value.EscapePointer(segment.Name)
		case *value.Array:
			if segment.Kind != path.IndexSegment || segment.Index >= c.Len() {
				return at
			}
			node = c.At(segment.Index)
			at += "[" + strconv.Itoa(segment.Index) + "]"
		default:
			return at
		}
	}
	return at
}

// fills reports whether a move makes its data of the leaves of a template.
func fills(m *asl.Move) bool { return m.Kind == asl.MoveFill || m.Kind == asl.MoveBind }

// placeOf returns where a field of the event's state is; nil where field is empty.
func placeOf(event *engine.Event, field string) *asl.Place {
	if field == "" || event.Visit == nil || event.Visit.State == nil {
		return nil
	}
	at := event.Visit.State.Place(field)
	return &at
}

// sets returns the register whose data are those after an event; none where the moves behind it do not read them.
func sets(event *engine.Event) asl.Register {
	switch event.Type {
	case engine.StateEntered:
		return asl.RegisterRaw
	case engine.TaskSucceeded, engine.ParallelSucceeded, engine.MapSucceeded:
		return asl.RegisterResult
	case engine.ErrorCaught:
		return asl.RegisterError
	case engine.StageCompleted, engine.DataEdited:
		if r := asl.FlowOf(event.Visit.State, false).Sets(event.Stage); r <= asl.RegisterOutput {
			return r
		}
	default:
	}
	return asl.NoRegister
}

// holder returns the event of a visit before event i whose data a register has, or else one that is set before it: an
// absent field hands them on. Where v is not nil and several have been set, it is the newest that has v. -1 is none.
func (t *tracer) holder(visit *engine.Visit, i int, r asl.Register, v value.Value) int {
	newest, alike := -1, -1
	for j := range t.eventsBefore(visit, i) {
		event := t.at(j)
		if event.After == nil {
			continue
		}
		if to := sets(event); to == asl.NoRegister || to > r {
			continue
		}
		if v == nil || value.Identical(event.After, v) {
			return j
		}
		if alike < 0 && t.log.Same(event.After, v) {
			alike = j
		}
		newest = max(newest, j)
	}
	if alike >= 0 {
		return alike
	}
	return newest
}

// resultOf returns the event of a visit before event i with the result of its work, or the Error Output; -1 where there
// is none yet.
func (t *tracer) resultOf(visit *engine.Visit, i int) int {
	return t.lastIn(visit, i, func(e *engine.Event) bool {
		r := sets(e)
		return e.After != nil && (r == asl.RegisterResult || r == asl.RegisterError)
	})
}

// rawInput returns the event of a visit before event i with its raw input.
func (t *tracer) rawInput(visit *engine.Visit, i int) int {
	return t.holder(visit, i, asl.RegisterRaw, nil)
}

// work is what a Map has made of its items so far.
type work struct {
	upTo     int
	list     int   // the event with the list, -1 before
	batches  int   // the event with the batches, or -1
	selected []int // the events of the ItemSelector, item by item
}

// workOf returns what the Map of a visit has made of its items before event i.
func (t *tracer) workOf(visit *engine.Visit, i int) *work {
	m := t.works[visit]
	if m == nil || m.upTo > i {
		m = &work{upTo: int(visit.Entered) - 1, list: -1, batches: -1}
		if t.works != nil {
			t.works[visit] = m
		}
	}
	for ; m.upTo < i; m.upTo++ {
		if event := t.at(m.upTo); event.Visit == visit {
			m.note(event, m.upTo)
		}
	}
	return m
}

func (m *work) note(event *engine.Event, i int) {
	switch r := sets(event); {
	case event.Type == engine.RetryStarted, event.Type == engine.MapStarted:
		m.selected, m.batches = nil, -1
	case event.After == nil:
	case r == asl.RegisterBatches:
		m.batches = i
	case r == asl.RegisterPayload && event.Type == engine.DataEdited && len(m.selected) > 0:
		m.selected[len(m.selected)-1] = i
	case r == asl.RegisterPayload:
		m.selected = append(m.selected, i)
	case r == asl.RegisterRaw, r == asl.RegisterEffective, r == asl.RegisterItems:
		m.list = i
	}
}

// item returns the place of what an item, or with the ItemSelector its payload, is.
func (m *work) item(n int, payload bool) place {
	switch {
	case payload && n < len(m.selected):
		return place{event: m.selected[n]}
	case payload && len(m.selected) > 0:
		return place{event: -1}
	}
	return place{event: m.list, segments: []path.Segment{{Kind: path.IndexSegment, Index: n}}}
}
