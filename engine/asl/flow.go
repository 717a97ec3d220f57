package asl

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/template"
)

// Register is a place where data are while a state is visited, or an end: a place where data come from or go to outside
// of it.
type Register uint8

// The registers, in the order in which a visit sets them.
const (
	NoRegister        Register = iota
	RegisterRaw                // the state's input; $states.input
	RegisterEffective          // after InputPath; in JSONata the raw input
	RegisterItems              // the list of a Map
	RegisterItem               // one item; $$.Map.Item.Value
	RegisterPayload            // what the work gets; of a Map, for each item
	RegisterBatches            // the batches of a distributed Map
	RegisterChildIn            // the input of a branch or an iteration
	RegisterChildOut           // its output
	RegisterResult             // what the work gave, as it came; $states.result
	RegisterSelected           // after ResultSelector
	RegisterPlaced             // after ResultPath
	RegisterError              // the Error Output of a catcher; $states.errorOutput
	RegisterOutput             // what goes to the next state, and the output of a scope
	RegisterVariables          // the variables as they were at the entry
	RegisterAssigned           // what Assign gives, valid from the exit on
	RegisterContext            // the context object
	// The registers below are ends.
	RegisterService  // a task's answer
	RegisterDataset  // what a reader reads and a writer writes
	RegisterText     // a literal of the definition
	RegisterRequest  // to a service
	RegisterRole     // that a task is given
	RegisterBound    // of the work
	RegisterInstant  // until which a Wait waits
	RegisterDecision // of a Choice
	RegisterFailure  // an error
)

// MoveKind tells the moves of data apart.
type MoveKind uint8

// The kinds of moves.
const (
	MoveKeep    MoveKind = iota + 1 // the same value
	MoveSelect                      // the part at a definite path
	MoveGather                      // an array of all that a path matches
	MoveClear                       // an empty object
	MoveFill                        // an object or array of the Parts
	MoveText                        // a literal of the definition
	MoveCall                        // a function or an operator; Parts are what it reads
	MovePut                         // Base with From at the path of To
	MoveDiscard                     // Base; From is dropped
	MoveBind                        // Base with the variables that the Parts name
	MoveEach                        // each item of a list
	MoveBatch                       // {BatchInput, Items: [...]}
	MoveCollect                     // an array of the outputs of branches or iterations
	MoveAsk                         // the answer of something outside
	MoveCaught                      // {Error, Cause}
	MoveRead                        // into an end: Parts are what is read
)

// Need says what a run makes of a part that is missing.
type Need uint8

// The needs of reads.
const (
	NeedMust  Need = iota // it fails
	NeedMaybe             // it takes that into account
	NeedDrop              // it leaves the member of an object, or the item of an array, out
)

// AnyChild is the Child of a Ref that means every branch or iteration.
const AnyChild = -1

// A Ref is a part of a register.
type Ref struct {
	Register Register
	Variable string // of the variables, the name of one; "" is all
	Child    int    // of a child's input or output the number of its branch, or AnyChild
	// Path leads to the part; nil is the whole. Its own root, which may be $$ or $x, has been taken into account.
	Path *path.Path
}

// A Move is one step of data through a state.
type Move struct {
	Kind  MoveKind
	Stage Stage // NoStage where it belongs to none
	// Field is the row of the table of fields; nil where no field does the move.
	Field *Field
	// At is the place of the field, as [State.Place] takes it: "Parameters/amount.$", "Catch[0]/ResultPath".
	At string
	// From is what the move reads, in the order of the text. A Fill, a Bind and a Read of fields read nothing
	// themselves, but their Parts do.
	From []Ref
	// Base is what a Put, a Discard and a Bind change; of a Fill and a Read of fields the data that its event has as
	// Before.
	Base Ref
	To   Ref
	// Needs is the consequence for a state where From is missing.
	Needs Need
	// Takes has the kinds of values that the place takes; 0 is any.
	Takes Kinds
	// Absent tells that the field is not there and the move is its default, Silent that the engine emits no event for
	// it.
	Absent, Silent bool
	// Node is the value of the field or leaf in the text, nil where there is none, and Key the place of the field's
	// name.
	Node *Node
	Key  Span
	// Intrinsic, Expression and Test are the leaf's, where it is a call, an expression in JSONata or a test of a
	// Choice.
	Intrinsic  *template.Call
	Expression *jsonata.Expression
	Test       *Test
	// Query is the field's, in JSONata. Document is the register that $ is in a payload template.
	Query    *template.Query
	Document Register

	parts func() []Move
}

// IsAt reports whether a field, as [State.Place] takes it, is the move's own.
func (m *Move) IsAt(field string) bool {
	return m.At != "" && places.Replace(m.At) == places.Replace(field)
}

// Parts returns the leaves of a template, each with its place in the template as To, the reads of an end, or the
// operands of a call. They are read when they are first asked for, and never changed.
func (m *Move) Parts() []Move {
	if m.parts == nil {
		return nil
	}
	return m.parts()
}

// Reads reports whether the move, or one of its parts, reads a register.
func (m *Move) Reads(r Register) bool {
	if slices.ContainsFunc(m.From, func(from Ref) bool { return from.Register == r }) {
		return true
	}
	parts := m.Parts()
	for i := range parts {
		if parts[i].Reads(r) {
			return true
		}
	}
	return false
}

// LaneKind says what decides that a lane is taken.
type LaneKind uint8

// The kinds of lanes.
const (
	LaneDone    LaneKind = iota + 1 // the work is done, or there is none
	LaneRule                        // a rule of a Choice holds
	LaneDefault                     // none holds
	LaneCaught                      // a catcher takes the error
	LaneFailed                      // nothing takes it
)

// A Lane is a way out of a state: the moves that are done on it, one after the other.
type Lane struct {
	Kind  LaneKind
	Index int // of the rule or catcher
	// Guard is the Read that decides for a rule; nil of other lanes.
	Guard *Move
	Moves []Move
	// To is the state that the lane leads to; nil where the scope Ends, or no state has the name.
	To   *State
	Ends bool
}

// Flow says how data move through a state, as a program over registers. A visit is Enter, then Work and for each item
// of a Map Each, and one of the Lanes. A retry goes back to Enter[Again].
type Flow struct {
	State *State
	Enter []Move
	Again int
	// Work has the moves of the work itself: of a task, of branches, and of a Map those before its first item.
	Work []Move
	Each []Move
	// Children are the scopes that get data of the state.
	Children []*Scope
	Lanes    []Lane

	sets [len(stages)]Register // by the stage
}

// Sets returns the register that the moves of a stage set; none of a stage whose moves only read.
func (f *Flow) Sets(stage Stage) Register { return f.sets[stage] }

// Where is a place in a Flow: its lane is nil for the moves before the lanes, Index counts the move among those beside
// it.
type Where struct {
	Lane  *Lane
	Index int
}

// Moves iterates over all moves with their places.
func (f *Flow) Moves() iter.Seq2[Where, *Move] {
	return func(yield func(Where, *Move) bool) {
		lists := [][]Move{f.Enter, f.Work, f.Each}
		for i := range f.Lanes {
			lists = append(lists, f.Lanes[i].Moves)
		}
		for n, list := range lists {
			var lane *Lane
			if n >= 3 {
				lane = &f.Lanes[n-3]
			}
			for i := range list {
				if !yield(Where{lane, i}, &list[i]) {
					return
				}
			}
		}
	}
}

// LaneOf returns the lane of a kind and index, or nil.
func (f *Flow) LaneOf(kind LaneKind, index int) *Lane {
	for i := range f.Lanes {
		if l := &f.Lanes[i]; l.Kind == kind && l.Index == index {
			return l
		}
	}
	return nil
}

// FlowOf returns how data move through a state. It is computed once for a state and dialect, and never changed.
// literalFirst is the dialect aws: a Pass with a Result does not look at InputPath and Parameters.
func FlowOf(s *State, literalFirst bool) *Flow {
	at, literal := 0, s.Type == Pass && s.Result != nil
	if literal && literalFirst {
		at = 1
	}
	if known := s.flows[at].Load(); known != nil {
		return known
	}
	b := &flowBuilder{Flow: Flow{State: s}, literal: literal, skips: literalFirst}
	b.build()
	for _, m := range b.Moves() {
		if r := m.To.Register; r <= RegisterAssigned && b.sets[m.Stage] == NoRegister {
			b.sets[m.Stage] = r
		}
	}
	s.flows[at].CompareAndSwap(nil, &b.Flow)
	return s.flows[at].Load()
}

// flowBuilder makes a Flow.
type flowBuilder struct {
	Flow
	literal bool // a Pass with a Result
	skips   bool // which skips InputPath and Parameters
}

func (b *flowBuilder) build() {
	s := b.State
	b.Enter = append(make([]Move, 0, 4), Move{Kind: MoveKeep, Stage: StageInput, From: refs(RegisterOutput), To: ref(RegisterRaw)})
	b.Lanes = make([]Lane, 0, len(s.Choices)+len(s.Catch)+2)
	if s.QueryLanguage == JSONPath && s.Type != Fail {
		b.Enter = append(b.Enter, b.pathMove(StageInputPath, RegisterRaw))
	} else {
		b.Enter = append(b.Enter, keep(NoStage, RegisterRaw, RegisterEffective))
	}
	b.Again = len(b.Enter)
	switch s.Type {
	case Pass:
		b.pass()
	case Task:
		b.task()
	case Choice:
		b.Enter = append(b.Enter, b.choices())
	case Wait:
		b.Enter = append(b.Enter, b.reads(StageWait, RegisterInstant, ""))
	case Fail:
		b.Enter = append(b.Enter, b.reads(StageFail, RegisterFailure, ""))
	case Parallel:
		b.parallel()
	case Map:
		b.maps()
	case Succeed:
	}
	b.lanes()
}

func (b *flowBuilder) pass() {
	if b.literal {
		if !b.skips && b.State.QueryLanguage == JSONPath {
			b.Enter = append(b.Enter, b.payload())
		}
		b.Work = append(b.Work, b.field(Move{Kind: MoveText, Stage: StageResult, From: refs(RegisterText), To: ref(RegisterResult)}, "Result"))
		return
	}
	if b.State.QueryLanguage == JSONPath {
		b.Enter = append(b.Enter, b.payload())
		b.Work = append(b.Work, keep(StageResult, RegisterPayload, RegisterResult))
		return
	}
	b.Work = append(b.Work, keep(NoStage, RegisterRaw, RegisterResult))
}

func (b *flowBuilder) task() {
	b.Enter = append(b.Enter, b.reads(StageLimits, RegisterBound, ""), b.payload())
	if b.State.Credentials != nil {
		b.Work = append(b.Work, b.filled(Move{Stage: StageResult, Base: ref(RegisterEffective), To: ref(RegisterRole), Silent: true}, "Credentials", b.State.Credentials))
	}
	b.Work = append(b.Work,
		b.field(Move{Kind: MoveRead, Stage: StageResult, From: refs(RegisterPayload), To: ref(RegisterRequest)}, "Resource"),
		b.field(Move{Kind: MoveAsk, Stage: StageResult, From: refs(RegisterService), To: ref(RegisterResult)}, "Resource"))
}

func (b *flowBuilder) parallel() {
	b.Enter = append(b.Enter, b.payload())
	b.Children = b.State.Branches
	for i := range b.Children {
		b.Work = append(b.Work, b.field(Move{
			Kind: MoveKeep, From: refs(RegisterPayload), To: Ref{Register: RegisterChildIn, Child: i},
		}, "Branches"))
	}
	b.Work = append(b.Work, b.field(Move{
		Kind: MoveCollect, Stage: StageResult, From: []Ref{{Register: RegisterChildOut, Child: AnyChild}}, To: ref(RegisterResult),
	}, "Branches"))
}

func (b *flowBuilder) maps() {
	s := b.State
	b.Enter = append(b.Enter, b.reads(StageLimits, RegisterBound, "MaxConcurrency"))
	if s.ItemReader == nil {
		b.Enter = append(b.Enter, b.items())
	}
	if later := b.laterBounds(); later.parts != nil {
		b.Work = append(b.Work, later)
	}
	if s.ItemReader != nil {
		b.Work = append(b.Work, b.action("ItemReader", s.ItemReader.Parameters)...)
		b.Work = append(b.Work, b.field(Move{Kind: MoveAsk, Stage: StageItemReader, From: refs(RegisterDataset), To: ref(RegisterItems)}, "ItemReader"))
	}
	b.Each = append(b.Each, Move{Kind: MoveEach, From: refs(RegisterItems), To: ref(RegisterItem), Silent: true}, b.payload())
	input := RegisterPayload
	if batcher := s.ItemBatcher; batcher != nil {
		if batcher.BatchInput != nil {
			b.Each = append(b.Each, b.filled(Move{
				Stage: StageItemBatcher, Base: ref(RegisterEffective), To: Ref{Register: RegisterBatches, Path: rooted(".BatchInput")}, Silent: true,
			}, "ItemBatcher/BatchInput", batcher.BatchInput))
		}
		b.Each = append(b.Each, b.field(Move{
			Kind: MoveBatch, Stage: StageItemBatcher, From: refs(RegisterPayload), To: ref(RegisterBatches),
		}, "ItemBatcher"))
		input = RegisterBatches
	}
	if s.Processor != nil {
		b.Children = []*Scope{s.Processor}
	}
	b.Each = append(b.Each,
		Move{Kind: MoveKeep, From: refs(input), To: Ref{Register: RegisterChildIn, Child: AnyChild}},
		Move{Kind: MoveCollect, Stage: StageResult, From: []Ref{{Register: RegisterChildOut, Child: AnyChild}}, To: ref(RegisterResult)})
}

// written returns the moves of a ResultWriter.
func (b *flowBuilder) written() []Move {
	writer := b.State.ResultWriter
	if writer == nil {
		return nil
	}
	done := b.field(Move{Kind: MoveGather, Stage: StageResultWriter, From: refs(RegisterResult), To: ref(RegisterResult)}, "ResultWriter")
	if writer.Resource == "" {
		return []Move{done}
	}
	done.Kind, done.From = MoveAsk, refs(RegisterDataset)
	sent := Move{Kind: MoveRead, Stage: StageResultWriter, From: refs(RegisterResult), To: ref(RegisterDataset), Silent: true}
	return append(b.action("ResultWriter", writer.Parameters), b.field(sent, "ResultWriter"), done)
}

// action returns the move of the Parameters of a reader or writer, which are read by a service.
func (b *flowBuilder) action(name string, parameters *TemplateField) []Move {
	if parameters == nil {
		return nil
	}
	part := "Parameters"
	if b.State.QueryLanguage == JSONata {
		part = "Arguments"
	}
	m := Move{Stage: FieldOf(b.State.Type, name).Stage, Base: ref(RegisterEffective), To: ref(RegisterRequest), Silent: true}
	return []Move{b.filled(m, name+"/"+part, parameters)}
}

// lanes makes the ways out.
func (b *flowBuilder) lanes() {
	s := b.State
	from := RegisterResult
	switch s.Type {
	case Choice:
		for i, rule := range s.Choices {
			guard := b.guard(i, rule)
			b.lane(Lane{Kind: LaneRule, Index: i, Guard: &guard}, rule.Next, b.exit(nil, "Choices["+strconv.Itoa(i)+"]/", rule.Assign, rule.Output, RegisterEffective))
		}
		if s.Default != "" || s.Assign != nil || s.Output != nil { // fields that are there have a lane, if one that is never taken
			b.lane(Lane{Kind: LaneDefault}, s.Default, b.exit(nil, "", s.Assign, s.Output, RegisterEffective))
		}
	case Wait, Succeed:
		from = RegisterEffective
		fallthrough
	case Pass, Task, Parallel, Map:
		b.lane(Lane{Kind: LaneDone, Ends: s.Terminal()}, s.Next, b.exit(b.written(), "", s.Assign, s.Output, from))
	case Fail:
	}
	for i, catcher := range s.Catch {
		b.lane(Lane{Kind: LaneCaught, Index: i}, catcher.Next, b.caught(i, catcher))
	}
	b.Lanes = append(b.Lanes, failed)
}

// failed is the lane of an error that nothing takes. It is never changed.
var failed = Lane{
	Kind: LaneFailed, Moves: []Move{{Kind: MoveKeep, From: refs(RegisterFailure), To: ref(RegisterFailure), Silent: true}},
}

// lane adds a way out with the moves to the state of a name, or to the end of the scope.
func (b *flowBuilder) lane(l Lane, next string, moves []Move) {
	to := ref(RegisterRaw)
	switch scope := b.State.Scope; {
	case scope == nil: // a state alone
	case !l.Ends:
		l.To = scope.Meant(next)
	case scope.Kind == BranchScope:
		to = Ref{Register: RegisterChildOut, Child: scope.Branch}
	case scope.Kind == ProcessorScope:
		to = Ref{Register: RegisterChildOut, Child: AnyChild}
	default:
		to = ref(RegisterOutput)
	}
	for i := range moves {
		if m := &moves[i]; m.To.Register == RegisterAssigned && !m.Absent {
			moves = append(moves, Move{
				Kind: MoveBind, From: refs(RegisterAssigned), Base: ref(RegisterVariables), To: ref(RegisterVariables), Silent: true,
			})
			break
		}
	}
	l.Moves = append(moves, Move{Kind: MoveKeep, Stage: StageOutput, From: refs(RegisterOutput), To: to})
	b.Lanes = append(b.Lanes, l)
}

// exit adds the moves from the end of the work, or from the input where there is none. from is the register that
// Assign reads.
func (b *flowBuilder) exit(moves []Move, where string, assign, output *TemplateField, from Register) []Move {
	s := b.State
	if s.QueryLanguage == JSONata && s.Type == Pass { // it has no result
		from = RegisterRaw
	}
	moves = append(slices.Grow(moves, 6), b.assigned(where, assign)...)
	if s.QueryLanguage == JSONata {
		return append(moves, b.output(where, output, from))
	}
	if from == RegisterResult {
		if s.Type == Pass {
			moves = append(moves, keep(NoStage, RegisterResult, RegisterSelected))
		} else {
			moves = append(moves, b.filled(Move{Stage: StageResultSelector, Base: ref(RegisterResult), To: ref(RegisterSelected)}, "ResultSelector", s.ResultSelector))
		}
		moves = append(moves, b.placed("", s.ResultPath, RegisterSelected, RegisterPlaced))
		from = RegisterPlaced
	}
	return append(moves, b.pathMove(StageOutputPath, from))
}

// caught returns the moves of a catcher.
func (b *flowBuilder) caught(i int, catcher *Catcher) []Move {
	where := "Catch[" + strconv.Itoa(i) + "]/"
	moves := append(make([]Move, 0, 5), Move{Kind: MoveCaught, From: refs(RegisterFailure), To: ref(RegisterError)})
	moves = append(moves, b.assigned(where, catcher.Assign)...)
	if b.State.QueryLanguage == JSONata {
		return append(moves, b.output(where, catcher.Output, RegisterError))
	}
	return append(moves, b.placed(where, catcher.ResultPath, RegisterError, RegisterOutput))
}

// places turns the numbers of items in the place of a field into names of a pointer.
var places = strings.NewReplacer("[", "/", "]", "")

// field sets the row, the place and the text of a field of the state, or of a part of one: "Catch[0]/Assign".
func (b *flowBuilder) field(m Move, name string) Move {
	m.At = name
	for part := range strings.SplitSeq(places.Replace(name), "/") {
		switch {
		case m.Field == nil:
			m.Field = FieldOf(b.State.Type, part)
		case part != "" && (part[0] < '0' || part[0] > '9'):
			m.Field = m.Field.Part(part)
		}
	}
	if b.State.Node != nil {
		m.Key, m.Node = b.State.Node.Find("/" + places.Replace(name))
	}
	return m
}

// keep is a move that changes nothing and has no event.
func keep(stage Stage, from, to Register) Move {
	return Move{Kind: MoveKeep, Stage: stage, From: refs(from), To: ref(to), Absent: stage != NoStage, Silent: true}
}

func ref(r Register) Ref { return Ref{Register: r} }

// wholes has the whole of each register, alone. It is never changed.
var wholes = func() (list [RegisterFailure + 1][1]Ref) {
	for r := range list {
		list[r][0].Register = Register(r)
	}
	return list
}()

func refs(r Register) []Ref { return wholes[r][:] }
