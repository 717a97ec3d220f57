package provenance

import (
	"cmp"
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// HintKind is what a [Hint] says of a path that leads to nothing.
type HintKind uint8

// The kinds of hints, in the order in which they are told.
const (
	// HintKinds: there is a value, of a kind that the field does not take. Paths lead to values that it takes.
	HintKinds HintKind = iota + 1
	// HintAt: the names at the end of the path are elsewhere in the document, at Paths.
	HintAt
	// HintReplaced: a state whose result, or Error Output, has the names at the end of the path put it in place of the
	// whole input.
	HintReplaced
	// HintFailed: a state makes the value, and failed in this run.
	HintFailed
	// HintLane: a state makes the value on another of its ways out, by a catcher or a rule.
	HintLane
	// HintDiscarded: a state discards a result, or Error Output, that has the names at the end of the path.
	HintDiscarded
	// HintWay: a state makes the value, and the run took another way.
	HintWay
	// HintScope: a state makes the value in another branch.
	HintScope
	// HintLater: a state makes the value, and can only be reached behind the state that reads it.
	HintLater
	// HintCheck: the check of the definition says so, without a run.
	HintCheck
)

var hintNames = [...]string{
	HintKinds: "otherKind", HintAt: "elsewhere", HintReplaced: "replaced", HintFailed: "makerFailed",
	HintLane: "otherWayOut", HintDiscarded: "discarded", HintWay: "makerNotRun", HintScope: "otherBranch",
	HintLater: "madeLater", HintCheck: "check",
}

// String returns the kind's name as JSON has it, "makerFailed" for example.
func (k HintKind) String() string { return wording.KindName(hintNames[:], k) }

// A Hint is a claim about a value that no data on its way had: where else it is, or which state would have made it, and
// why it did not. The log bears out each claim.
type Hint struct {
	Kind HintKind
	// Path is the path asked for, and Paths the places of HintAt and HintKinds, with the value at the first one. Ends
	// is set where only the last names of the path are there, From where the first place is in the result of a branch.
	Path  string
	Paths []string
	Value value.Value
	Ends  bool
	From  *Branch
	// Event is the index of the event with the data of Paths, or in which the state did something else; -1 where it did
	// nothing.
	Event int

	// State would have made the value; Field and Place are where. Visit is its newest visit before, nil where it has
	// not run.
	State *asl.State
	Visit *engine.Visit
	Field string
	Place *asl.Place
	// Makes is the path that the field makes, and Has the members of the result that end the path.
	Makes, Has string
	// Line is a line of the definition with which the path leads to the value; empty where there is none.
	Line string
	// Lane is the way out of State on which the value is made or dropped, Taken the one that was taken: of HintWay by
	// Chooser.
	Lane, Taken *asl.Lane
	Failure     *engine.Failure // of HintFailed
	Chooser     *engine.Visit   // whose way out decided that State did not run
	Compared    []Value         // by Chooser
	// Reader is the state that reads the path.
	Reader *asl.State
	// Takes has the kinds of values of HintKinds, Text is the sentence of HintCheck.
	Takes asl.Kinds
	Text  string
}

// Branch is a branch whose result is a part of some data, and the state that ended it.
type Branch struct {
	Index int
	State *asl.State
}

// maxHints bounds the hints, maxNear the values that are looked at for one, maxAlike the places that are named.
const (
	maxHints = 3
	maxNear  = 10_000
	maxAlike = 3
)

// never finds the hints for a path that leads to nothing.
type never struct {
	*walker
	text   string
	event  int            // with the data
	reader *engine.Visit  // the visit that reads them
	names  []path.Segment // of the path in the raw input of the reader; nil where the data are others
	behind bool           // the data are those behind the reader's work
	passed []passed
	hints  []Hint
}

// passed is a visit that was left before, and the way out of it.
type passed struct {
	visit *engine.Visit
	exit  int
	lane  *asl.Lane
}

// hintsFor returns the hints for a path of the data at event i that nothing on the way had. doc and names are the
// document and the way in it, doc.data nil where there is none. misspelt is set where a member has a name that is like
// the missing one.
func (w *walker) hintsFor(i int, at *path.Path, doc document, names []path.Segment, misspelt bool) []Hint {
	n := &never{walker: w, text: at.String(), event: i, reader: w.visitAt(i)}
	if doc.data != nil {
		n.elsewhere(at, doc, names)
	}
	if n.reader == nil || n.reader.State == nil {
		return n.hints
	}
	n.findNames(i, at)
	n.pass(at.Root() == path.VariableRoot && at.Variable() != "states")
	if n.names != nil {
		n.dropped()
	}
	n.makers(at)
	slices.SortStableFunc(n.hints, func(a, b Hint) int { return cmp.Compare(a.Kind, b.Kind) })
	strong := len(n.hints) > 1 || misspelt
	n.hints = slices.DeleteFunc(n.hints, func(h Hint) bool { return h.Ends && strong })
	n.hints = n.hints[:min(len(n.hints), maxHints)]
	if len(n.hints) == 0 && !misspelt {
		n.check()
	}
	return n.hints
}

func (n *never) add(h Hint) {
	h.Path, h.Reader = n.text, n.reader.State
	if h.State != nil && h.Field != "" {
		at := h.State.Place(h.Field)
		h.Place = &at
	}
	n.hints = append(n.hints, h)
}

// findNames finds the path in the raw input of the reader.
func (n *never) findNames(i int, at *path.Path) {
	names := segmentsOf(at)
	switch {
	case at.Root() == path.ContextRoot, at.Root() == path.VariableRoot && at.Variable() != "states":
		return
	case at.Root() == path.VariableRoot:
		if hasPrefix(names, "input") {
			n.names = names[1:]
		}
		return
	}
	switch n.registerAt(i) {
	case asl.RegisterRaw:
	case asl.RegisterPlaced, asl.RegisterOutput:
		n.behind = true
	case asl.RegisterEffective:
		if field := n.reader.State.InputPath; field != nil {
			if field.Null || field.Path.Root() != path.DataRoot || !field.Path.Plain() {
				return
			}
			names = append(segmentsOf(field.Path), names...)
		}
	default:
		return
	}
	n.names = names
}

// registerAt returns the register that has the data of event i.
func (n *never) registerAt(i int) asl.Register {
	event := n.at(i)
	switch event.Type {
	case engine.StageFailed, engine.MapRunFailed:
		if event.Failure() == nil {
			break
		}
		for _, m := range n.flowAt(i).movesOf(event.Failure().Field) {
			for _, from := range m.From {
				return from.Register
			}
		}
	case engine.StageCompleted:
		if event.After == nil {
			return asl.RegisterEffective
		}
		return n.flowAt(i).Sets(event.Stage)
	case engine.StateEntered, engine.ExecutionStarted:
		return asl.RegisterRaw
	case engine.StateExited, engine.ExecutionSucceeded:
		return asl.RegisterOutput
	case engine.WaitStarted:
		return asl.RegisterEffective
	default:
	}
	return asl.NoRegister
}

// pass lists the visits that were left before the reader, the newest first: in its thread, and in the threads around
// that gave it their data whole. Variables come from all around.
func (n *never) pass(variables bool) {
	cur := n.reader
	if n.behind {
		left := func(e *engine.Event) bool { return e.Type == engine.StateExited }
		if exit := n.lastIn(cur, n.event+1, left); exit >= 0 {
			n.passed = append(n.passed, n.exitedVisit(exit))
		}
	}
	for range maxPassed {
		at := n.last(int(cur.Entered)-1, func(e *engine.Event) bool {
			came := e.Type == engine.StateExited || e.Type == engine.BranchStarted || e.Type == engine.IterationStarted
			return came && e.Thread == cur.Thread
		})
		if at < 0 {
			return
		}
		if event := n.at(at); event.Type == engine.StateExited {
			n.passed = append(n.passed, n.exitedVisit(at))
			cur = event.Visit
			continue
		}
		if cur = cur.Parent; cur == nil || cur.State.Distributed() {
			return
		}
		s := cur.State
		whole := s.Type == asl.Parallel && s.InputPath == nil && s.Parameters == nil && s.Arguments == nil
		if !variables && !whole {
			return
		}
	}
}

// exitedVisit returns the visit that was left with an event, with its way out.
func (n *never) exitedVisit(exit int) passed {
	visit := n.at(exit).Visit
	return passed{visit, exit, n.wayOut(exit)}
}

// wayOut returns the way out of its state that the visit of event i took, or nil.
func (w *walker) wayOut(i int) *asl.Lane { return w.flowAt(i).LaneOf(w.laneAt(i)) }

// plainNames returns the names at the beginning of a path.
func plainNames(segments []path.Segment) (names []string) {
	for _, s := range segments {
		if s.Kind != path.NameSegment {
			break
		}
		names = append(names, s.Name)
	}
	return names
}

// dropped looks for the newest states whose result replaced the whole input, or was discarded, and has the end of the
// path.
func (n *never) dropped() {
	replaced, discarded := false, false
	for _, p := range n.passed {
		if p.lane == nil || replaced && discarded {
			continue
		}
		for i := range p.lane.Moves {
			kind := droppedBy(&p.lane.Moves[i])
			if kind == HintReplaced && !replaced {
				replaced = n.droppedAt(p, &p.lane.Moves[i], kind)
			}
			if kind == HintDiscarded && !discarded {
				discarded = n.droppedAt(p, &p.lane.Moves[i], kind)
			}
		}
	}
}

// droppedBy returns what a move does to the data: HintReplaced, HintDiscarded or 0.
func droppedBy(m *asl.Move) HintKind {
	switch {
	case m.Kind == asl.MoveDiscard:
		return HintDiscarded
	case m.Kind == asl.MovePut && m.To.Path == nil:
		return HintReplaced
	case m.Kind == asl.MoveKeep && m.Stage == asl.StageOutputPath && m.Absent &&
		(m.From[0].Register == asl.RegisterResult || m.From[0].Register == asl.RegisterError):
		return HintReplaced
	}
	return 0
}

// droppedAt adds a hint where the result of a visit has the end of the path, and reports whether it has.
func (n *never) droppedAt(p passed, m *asl.Move, kind HintKind) bool {
	put := func(e *engine.Event) bool {
		return e.Type == engine.StageCompleted && e.Stage == engine.StageResultPath
	}
	result := n.resultOf(p.visit, p.exit)
	if at := n.lastIn(p.visit, p.exit, put); at >= 0 {
		result = n.holder(p.visit, at, m.From[0].Register, nil)
	}
	if result < 0 {
		return false
	}
	for k := 1; k < len(n.names); k++ {
		found := lookUp(n.at(result).After, n.names[k:])
		if found == nil {
			continue
		}
		h := Hint{
			Kind: kind, State: p.visit.State, Visit: p.visit, Event: result, Value: found, Field: m.At, Lane: p.lane,
			Makes: pathText(n.names[:k]), Has: pathText(n.names[k:])[2:],
		}
		if names := plainNames(n.names[:k]); len(names) == k {
			h.Line = `"ResultPath": ` + value.Quote(h.Makes)
			if h.State.QueryLanguage == asl.JSONata {
				h.Line = ""
				if added := queryResult(p.lane); k == 1 && path.Plain(names[0]) {
					h.Line = `"Output": "{% $merge([$states.input, {'` + names[0] + `': ` + added + `}]) %}"`
				}
			}
		}
		n.add(h)
		return true
	}
	return false
}

// queryResult is what an expression calls the result on a way out.
func queryResult(l *asl.Lane) string {
	if l.Kind == asl.LaneCaught {
		return "$states.errorOutput"
	}
	return "$states.result"
}

// check adds what the check of the definition advises for the read.
func (n *never) check() {
	if n.lens.Explainer == nil || n.failedAt(n.event) != n.event {
		return
	}
	known := flow.Options{LiteralFirst: n.literalFirst()}
	for _, f := range flow.Check(n.lens.Explainer.run.Machine().Definition(), known) {
		if f.Certain && f.Suggestion != "" && f.State == n.reader.State && f.Read == n.text {
			n.add(Hint{Kind: HintCheck, Event: -1, Text: f.Suggestion})
			return
		}
	}
}

// kindsFor returns the hint for a read of a value of a kind that its field does not take.
func (w *walker) kindsFor(u *Unmet) []Hint {
	event := w.at(u.Event)
	found, err := w.resolve(u.Event, u.Path)
	if err != nil {
		return nil
	}
	h := Hint{
		Kind: HintKinds, Path: u.Path, Value: found.value, Event: u.Event,
		State: event.Visit.State, Visit: event.Visit, Reader: event.Visit.State,
		Field: u.Field, Place: placeOf(event, u.Field), Takes: u.Takes,
	}
	for _, at := range kindsIn(event.Before, maxAlike, u.Takes) {
		if len(at) > 0 && event.Visit.State.QueryLanguage == asl.JSONPath {
			h.Paths = append(h.Paths, pathText(at))
		}
	}
	return []Hint{h}
}
