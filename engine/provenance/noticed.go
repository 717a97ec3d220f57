package provenance

import (
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
)

// NoticeKind is the kind of a [Notice].
type NoticeKind uint8

// The kinds of notices.
const (
	// OtherKind: a rule that was tried compares a value of another kind than its operator takes.
	OtherKind NoticeKind = iota + 1
	// GuardMissing: a rule does not hold since the path that its IsPresent asks for leads to nothing, and the value is
	// elsewhere.
	GuardMissing
	// DroppedInput: a catcher put the Error Output in place of the input.
	DroppedInput
	// MemberLeftOut: a member of an object in JSONata was left out, since an operand gave nothing.
	MemberLeftOut
	// Unread: nothing read a result, which is neither in the output nor discarded.
	Unread
	// WasRetried and WasTolerated: an error came up that did not end the execution.
	WasRetried
	WasTolerated
)

var noticeNames = [...]string{
	OtherKind: "otherKind", GuardMissing: "guardMissing", DroppedInput: "droppedInput", MemberLeftOut: "memberLeftOut",
	Unread: "unread", WasRetried: "retried", WasTolerated: "tolerated",
}

// String returns the kind's name as JSON has it, "guardMissing" for example.
func (k NoticeKind) String() string { return noticeNames[k] }

// A Notice is a fact about a run, whatever its end, that its author may not expect.
type Notice struct {
	Kind NoticeKind
	// Event is the index of the event, from 0, and Visit the event's. Count is how often the same came up.
	Event int
	Visit *engine.Visit
	Count int
	// Rule is the number of the rule of a Choice state, from 0, Test its test and Holds whether it alone decides the
	// rule. Taken is the way out that the state took.
	Rule  int
	Test  *asl.Test
	Holds bool
	Taken *asl.Lane
	// Paths are what was missing or compared, Value the value there, and Elsewhere the places of GuardMissing.
	Paths     []string
	Value     value.Value
	Elsewhere []string
	// Catcher is the number of the catcher of DroppedInput, from 0. Names are the members that were dropped or left
	// out, and More counts others.
	Catcher int
	Names   []string
	More    int
	Error   string // of WasRetried and WasTolerated
}

// Bounds of what is noticed.
const (
	maxNoticed     = 50_000 // events of a log
	maxUnread      = 20     // results that are followed
	maxUnreadIn    = 5_000  // events of a log in which results are followed
	maxNoticedOnce = 12     // notices
)

// Noticed returns the facts about a run, in the order of its events. There are none of a run without stages, or of a
// very long one.
func (r *RunAgain) Noticed() []Notice {
	w := r.noticing(0)
	if w == nil {
		return nil
	}
	for i := 0; i < r.Log.Len() && r.Log.Len() <= maxUnreadIn; i++ {
		if r.Log.At(i).Type == engine.TaskSucceeded {
			w.result(i)
		}
	}
	slices.SortStableFunc(w.list, func(a, b Notice) int { return a.Event - b.Event })
	for _, s := range r.End().Survived {
		kind := WasRetried
		switch s.Fate {
		case Tolerated:
			kind = WasTolerated
		case Retried:
		case CaughtBy, Superseded, Redriven:
			continue
		}
		w.add(Notice{Kind: kind, Event: s.Event, Visit: s.Visit, Error: s.Failure.Name, Count: s.Count})
	}
	return w.list[:min(len(w.list), maxNoticedOnce)]
}

// NoticedSince returns the facts about the events of a run from an index on, which need not have ended.
func (r *RunAgain) NoticedSince(from int) []Notice {
	if w := r.noticing(from); w != nil {
		return w.list[:min(len(w.list), maxNoticedOnce)]
	}
	return nil
}

// noticing notices what each event tells by itself, from an index on; nil where nothing can be noticed.
func (r *RunAgain) noticing(from int) *noticer {
	if !r.Log.Whole() || r.Recorded || r.Explainer == nil || r.Log.Len() > maxNoticed ||
		r.Machine.Definition().Origin != nil {
		return nil
	}
	w := &noticer{walker: newWalker(&Lens{Log: r.Log, Explainer: r.Explainer}), known: make(map[noticeKey]int)}
	for i := from; i < r.Log.Len(); i++ {
		switch event := r.Log.At(i); {
		case event.Type == engine.StageCompleted && event.Stage == engine.StageChoices:
			w.choice(i)
		case event.Type == engine.StageCompleted && event.Visit.State.QueryLanguage == asl.JSONata:
			w.leftOut(i)
		case event.Type == engine.ErrorCaught:
			w.caught(i)
		}
	}
	return w
}

type noticer struct {
	*walker
	list    []Notice
	known   map[noticeKey]int
	results int
}

type noticeKey struct {
	kind  NoticeKind
	state *asl.State
	rule  int
	text  string
}

// add adds a notice, or counts it where the same is there.
func (w *noticer) add(n Notice) {
	key := noticeKey{kind: n.Kind, state: n.Visit.State, rule: n.Rule, text: n.Error}
	for _, text := range slices.Concat(n.Paths, n.Names) {
		key.text += " " + text
	}
	if at, ok := w.known[key]; ok {
		w.list[at].Count++
		return
	}
	n.Count = max(n.Count, 1)
	w.known[key] = len(w.list)
	w.list = append(w.list, n)
}

// choice notices the tests of a Choice state that were false for the kind of a value, or since a path is missing.
func (w *noticer) choice(i int) {
	results, _ := w.lens.Explainer.Choice(i)
	event := w.at(i)
	taken := w.log.Len()
	for k := i + 1; k < w.log.Len(); k++ {
		if e := w.at(k); e.Visit == event.Visit && e.Type == engine.StateExited {
			taken = k
			break
		}
	}
	if taken == w.log.Len() {
		return
	}
	lane := w.wayOut(taken)
	takes := make(map[*asl.Test]asl.Kinds)
	for _, m := range w.flowAt(i).Moves() {
		if m.Stage == asl.StageChoices {
			parts := m.Parts()
			for k := range parts {
				takes[parts[k].Test] = parts[k].Takes
			}
		}
	}
	for k := range results {
		if r := &results[k]; r.Reached && !r.Holds {
			w.test(i, k, &r.TestResult, takes, lane, true)
		}
	}
}

func (w *noticer) test(i, rule int, r *engine.TestResult, takes map[*asl.Test]asl.Kinds, lane *asl.Lane, alone bool) {
	if r.Test == nil || !r.Evaluated && len(r.Operands) == 0 && r.Test.Variable == nil {
		return
	}
	for k := range r.Operands {
		if o := &r.Operands[k]; o.Evaluated {
			w.test(i, rule, o, takes, lane, alone && r.Test.Operator == asl.And)
		}
	}
	if r.Test.Variable == nil || r.Holds || r.Err != nil {
		return
	}
	n := Notice{
		Event: i, Visit: w.at(i).Visit, Rule: rule, Test: r.Test, Holds: alone, Taken: lane,
		Paths: []string{r.Test.Variable.String()},
		Value: r.Left,
	}
	switch kinds := takes[r.Test]; {
	case r.Left != nil && kinds != 0 && !kinds.Has(r.Left.Kind()):
		n.Kind = OtherKind
		w.add(n)
	case r.Left == nil && r.Test.Operator == "IsPresent":
		if r.Test.Variable.Root() != path.DataRoot || !r.Test.Variable.Plain() {
			return
		}
		names, found := segmentsOf(r.Test.Variable), 0
		for found < len(names) && lookUp(w.at(i).Before, names[:found+1]) != nil {
			found++
		}
		if found == len(names) || names[found].Kind != path.NameSegment {
			return
		}
		places := endsIn(w.at(i).Before, names[found:], names[:found])
		if len(places) == 0 || len(places) > maxAlike {
			return
		}
		for _, at := range places {
			n.Elsewhere = append(n.Elsewhere, pathText(at))
		}
		n.Kind = GuardMissing
		w.add(n)
	}
}

// caught notices a catcher that put the Error Output in place of the input.
func (w *noticer) caught(i int) {
	event := w.at(i)
	detail, ok := event.Detail.(*engine.CatchDetail)
	if !ok {
		return
	}
	lane := w.flowAt(i).LaneOf(asl.LaneCaught, detail.Catcher)
	raw := w.rawInput(event.Visit, i)
	replaces := func(m asl.Move) bool { return droppedBy(&m) == HintReplaced }
	if lane == nil || raw < 0 || !slices.ContainsFunc(lane.Moves, replaces) {
		return
	}
	n := Notice{Kind: DroppedInput, Event: i, Visit: event.Visit, Catcher: detail.Catcher, Rule: detail.Catcher}
	if n.Names, n.More = value.Lost(w.at(raw).After, event.After, maxNamed); len(n.Names) > 0 {
		w.add(n)
	}
}

// leftOut notices the members of objects in JSONata that an operand without a value left out.
func (w *noticer) leftOut(i int) {
	if m := w.moveAt(i); m != nil && m.Kind == asl.MoveFill {
		leaves := m.Parts()
		for k := range leaves {
			w.leaf(i, &leaves[k])
		}
	}
}

func (w *noticer) leaf(i int, leaf *asl.Move) {
	if leaf.Expression == nil {
		return
	}
	object, _ := w.at(i).After.(*value.Object)
	if leaf.To.Path != nil {
		object, _ = leaf.To.Path.Find(&path.Roots{Data: w.at(i).After}).(*value.Object)
	}
	tree := leaf.Expression.Tree()
	if object == nil || !tree.Object() {
		return
	}
	n := Notice{Kind: MemberLeftOut, Event: i, Visit: w.at(i).Visit}
	for _, name := range tree.Keys() {
		if object.Get(name) == nil {
			n.Names = append(n.Names, name)
		}
	}
	parts := leaf.Parts()
	for k := range parts {
		if parts[k].Needs != asl.NeedDrop {
			continue
		}
		for f := range parts[k].From {
			text := refText(n.Visit.State, &parts[k].From[f])
			if _, err := w.resolve(i, text); text != "" && err != nil && !slices.Contains(n.Paths, text) {
				n.Paths = append(n.Paths, text)
			}
		}
	}
	if len(n.Names) > 0 && len(n.Paths) > 0 {
		w.add(n)
	}
}

// result notices a task's result that nothing read.
func (w *noticer) result(i int) {
	event := w.at(i)
	if w.results++; w.results > maxUnread {
		return
	}
	if object, ok := event.After.(*value.Object); ok && object.Len() == 0 {
		return
	}
	if field := event.Visit.State.ResultPath; field != nil && field.Null {
		return
	}
	lens := Lens{Log: w.log, Explainer: w.lens.Explainer, Limit: -1}
	way, err := lens.Forward(i, "$")
	if err != nil || way.Cut || w.log.Last().Type != engine.ExecutionSucceeded {
		return
	}
	for _, n := range way.All() {
		switch n.Kind {
		case Read, Sent, Output, Computed, Edited, Gathered:
			return
		default:
		}
	}
	w.add(Notice{Kind: Unread, Event: i, Visit: event.Visit})
}
