package flow_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/jsonata"
	"asldb/engine/outcome"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/starter"
	"asldb/internal/testkit"
	"asldb/internal/testkit/runs"
)

// replay follows the moves of the visits of a run with their values, and notes where an event says something else.
type replay struct {
	log     *runlog.Log
	session *debug.Session
	dialect engine.Dialect
	visits  map[*engine.Visit]*replayed
	// compared counts the comparisons, leaves the ones that are leaves of templates.
	compared, leaves int
	wrong            []string
}

// replayed is a visit with its registers.
type replayed struct {
	flow     *asl.Flow
	is       map[asl.Register]value.Value
	lists    [][]asl.Move // what is still to come, in order
	children map[int]value.Value
	inputs   []value.Value // the payloads of a Map's items, by their order
	next     int           // of the items that are selected
	lane     *asl.Lane
	keyed    bool // the items are the members of an object
	over     bool
}

func explain(session *debug.Session, dialect engine.Dialect) *replay {
	r := &replay{log: session.Log(), session: session, dialect: dialect, visits: map[*engine.Visit]*replayed{}}
	for i := range r.log.Len() {
		if event := r.log.At(i); event.Visit != nil {
			r.event(i, event)
		}
	}
	return r
}

func (r *replay) note(i int, format string, args ...any) {
	event := r.log.At(i)
	r.wrong = append(r.wrong, fmt.Sprintf("event %d %s %s of %s: %s", i, event.Type, event.Stage, event.Visit.Path(), fmt.Sprintf(format, args...)))
}

// same compares what an event says with what the moves give.
func (r *replay) same(i int, side string, want, got value.Value) {
	r.compared++
	if want == nil || got == nil || !value.Equal(want, got) {
		r.note(i, "%s is %.200s, and the move has %.200s", side, show(got), show(want))
	}
}

func show(v value.Value) string {
	if v == nil {
		return "nothing"
	}
	return value.Compact(v)
}

func (r *replay) event(i int, event *engine.Event) {
	v := r.visits[event.Visit]
	if event.Type == engine.StateEntered {
		v = &replayed{
			flow: asl.FlowOf(event.Visit.State, r.dialect == engine.AWS), is: map[asl.Register]value.Value{asl.RegisterRaw: event.After},
			children: map[int]value.Value{},
		}
		v.lists = [][]asl.Move{v.flow.Enter[1:], v.flow.Work, v.flow.Each}
		r.visits[event.Visit] = v
		return
	}
	if v == nil || v.over {
		return
	}
	switch event.Type {
	case engine.StageCompleted:
		r.stage(i, event, v)
	case engine.StageFailed:
		if m := r.take(i, v, event.Stage); m != nil {
			r.before(i, event, v, m)
		}
	case engine.TaskScheduled:
		r.take(i, v, engine.StageResult)
		r.same(i, "the payload", v.is[asl.RegisterPayload], event.After)
	case engine.TaskSucceeded:
		r.take(i, v, engine.StageResult)
		r.same(i, "before", v.is[asl.RegisterPayload], event.Before)
		v.is[asl.RegisterResult] = event.After
	case engine.WaitStarted:
		r.take(i, v, engine.StageWait)
		r.same(i, "before", v.is[asl.RegisterEffective], event.Before)
	case engine.ParallelStarted, engine.MapStarted:
		r.settle(v)
		from := asl.RegisterPayload
		if event.Type == engine.MapStarted {
			if from = asl.RegisterItems; event.Visit.State.ItemReader != nil {
				from = asl.RegisterEffective
			}
		}
		r.same(i, "before", v.is[from], event.Before)
	case engine.BranchStarted, engine.IterationStarted:
		r.began(i, event, v)
	case engine.BranchSucceeded, engine.IterationSucceeded:
		v.children[r.index(event.Thread)] = event.After
	case engine.ParallelSucceeded, engine.MapSucceeded:
		r.collected(i, event, v)
	case engine.RetryStarted:
		v.lists = [][]asl.Move{v.flow.Enter[v.flow.Again:], v.flow.Work, v.flow.Each}
		v.children, v.inputs, v.next, v.lane = map[int]value.Value{}, nil, 0, nil
	case engine.ErrorCaught:
		detail := event.Detail.(*engine.CatchDetail)
		r.same(i, "before", v.is[asl.RegisterRaw], event.Before)
		v.is[asl.RegisterError] = event.After
		v.enter(v.flow.LaneOf(asl.LaneCaught, detail.Catcher))
		v.lists[0] = v.lists[0][1:] // Caught itself
	case engine.StateExited:
		r.exited(i, event, v)
	case engine.StateFailed:
		v.over = true
	default:
	}
}

// index returns the number of the branch or iteration that a thread is.
func (r *replay) index(thread engine.ThreadID) int {
	for i := range r.log.Len() {
		if event := r.log.At(i); event.Thread == thread {
			if detail, ok := event.Detail.(*engine.ThreadDetail); ok {
				return detail.Index
			}
		}
	}
	return -1
}

func (v *replayed) enter(lane *asl.Lane) {
	v.lane, v.lists = lane, [][]asl.Move{lane.Moves}
}

// take advances to the move of a stage that has an event; every move with an event before it must be one of the same
// list of a Map's work, which may not have run.
func (r *replay) take(i int, v *replayed, stage engine.Stage) *asl.Move {
	r.lanes(i, v)
	for len(v.lists) > 0 {
		list := v.lists[0]
		if len(list) == 0 {
			v.lists = v.lists[1:]
			r.lanes(i, v)
			continue
		}
		m := &list[0]
		v.lists[0] = list[1:]
		if m.Silent {
			r.silent(v, m)
			continue
		}
		if m.Stage == stage {
			return m
		}
		if m.To.Register != asl.RegisterChildIn && m.Kind != asl.MoveCollect && m.Kind != asl.MoveAsk && m.Stage != engine.StageItemBatcher &&
			m.Stage != engine.StageParameters {
			r.note(i, "the move %s %q comes first", m.Stage, m.At)
		}
	}
	r.note(i, "no move of the stage is left")
	return nil
}

// lanes advances to the lane of an exit when the work is over.
func (r *replay) lanes(i int, v *replayed) {
	if v.lane != nil || len(v.lists) > 0 && (len(v.lists) > 1 || len(v.lists[0]) > 0) {
		return
	}
	kind, index := asl.LaneDone, 0
	if v.flow.State.Type == asl.Choice {
		visit := r.log.At(i).Visit
		for at := i; at < r.log.Len(); at++ {
			event := r.log.At(at)
			if detail, ok := event.Detail.(*engine.ExitDetail); ok && event.Visit == visit {
				if kind, index = asl.LaneRule, detail.Rule; index < 0 {
					kind, index = asl.LaneDefault, 0
				}
			}
		}
	}
	if lane := v.flow.LaneOf(kind, index); lane != nil {
		v.enter(lane)
	}
}

// settle does the silent moves that come next.
func (r *replay) settle(v *replayed) {
	for len(v.lists) > 0 {
		for len(v.lists[0]) > 0 && v.lists[0][0].Silent {
			r.silent(v, &v.lists[0][0])
			v.lists[0] = v.lists[0][1:]
		}
		if len(v.lists[0]) > 0 || len(v.lists) == 1 {
			return
		}
		v.lists = v.lists[1:]
	}
}

func (r *replay) silent(v *replayed, m *asl.Move) {
	if m.Kind == asl.MoveKeep || m.Kind == asl.MovePut {
		v.is[m.To.Register] = v.is[m.From[0].Register]
	}
}

// stage follows the move of a stage.
func (r *replay) stage(i int, event *engine.Event, v *replayed) {
	switch {
	case event.Visit.State.Type == asl.Map && event.Stage == engine.StageParameters:
		r.selected(i, event, v)
		return
	case event.Stage == engine.StageItemBatcher:
		r.same(i, "before", r.payloads(v), event.Before)
		v.is[asl.RegisterBatches] = event.After
		for _, batch := range event.After.(*value.Array).All() {
			v.inputs = append(v.inputs, batch)
		}
		return
	case event.Stage == engine.StageResultWriter:
		r.take(i, v, event.Stage)
		v.is[asl.RegisterResult] = event.After
		return
	}
	m := r.take(i, v, event.Stage)
	if m == nil {
		return
	}
	if event.Stage != engine.StageItemReader {
		r.before(i, event, v, m)
	}
	r.after(i, event, v, m)
}

// before compares what an event shows as Before with the register that the move reads, or changes.
func (r *replay) before(i int, event *engine.Event, v *replayed, m *asl.Move) {
	from := m.Base.Register
	switch {
	case m.Base.Register == asl.RegisterVariables:
		if event.Type == engine.StageFailed {
			return // it shows the data
		}
		r.compared++
		return
	case from == asl.NoRegister && len(m.From) > 0:
		from = m.From[0].Register
	case from == asl.RegisterItem: // of a selector that failed
		from = asl.RegisterEffective
	}
	switch from {
	case asl.RegisterText, asl.RegisterService, asl.RegisterDataset:
		return
	case asl.RegisterFailure, asl.RegisterChildOut:
		return
	default:
	}
	if event.Stage == engine.StageResult || event.Stage == engine.StageItemBatcher || event.Stage == engine.StageItemReader || event.Stage == engine.StageResultWriter {
		return
	}
	r.same(i, "before", v.is[from], event.Before)
}

// after compares what an event shows as After with what the move gives, and keeps it.
func (r *replay) after(i int, event *engine.Event, v *replayed, m *asl.Move) {
	to := m.To.Register
	defer func() {
		if to < asl.RegisterService {
			v.is[to] = event.After
		}
	}()
	switch m.Kind {
	case asl.MoveKeep, asl.MoveSelect, asl.MoveGather:
		if got := r.read(event.Visit, i, v, m.From[0]); got != nil || m.From[0].Register != asl.RegisterContext {
			if m.Stage == engine.StageItemsPath {
				if _, isArray := got.(*value.Array); !isArray {
					v.keyed = true
					return // the members of an object
				}
			}
			r.same(i, "after", got, event.After)
		}
	case asl.MoveClear:
		r.same(i, "after", value.ObjectOf(), event.After)
	case asl.MoveText:
		r.same(i, "after", v.flow.State.Result.Value, event.After)
	case asl.MoveFill:
		r.filled(i, event, v, m, event.After)
	case asl.MoveBind:
		r.filled(i, event, v, m, event.Detail.(*engine.AssignDetail).Assigned)
		all := event.Before.(*value.Object)
		for name, assigned := range event.Detail.(*engine.AssignDetail).Assigned.All() {
			all = all.With(name, assigned)
		}
		r.same(i, "after", all, event.After)
	case asl.MovePut:
		from, base := v.is[m.From[0].Register], v.is[m.Base.Register]
		if m.To.Path != nil {
			from, _ = m.To.Path.Set(base, from)
		}
		r.same(i, "after", from, event.After)
	case asl.MoveDiscard:
		r.same(i, "after", v.is[m.Base.Register], event.After)
	case asl.MoveRead:
		r.same(i, "after", event.Before, event.After)
	default:
	}
}

// read returns the part of a register; nil where it cannot be told here.
func (r *replay) read(visit *engine.Visit, i int, v *replayed, from asl.Ref) value.Value {
	whole := v.is[from.Register]
	switch from.Register {
	case asl.RegisterContext:
		whole, _ = r.session.RootsAt(i)
	case asl.RegisterVariables:
		whole = r.log.Variable(visit, from.Variable)
	case asl.RegisterItem:
		if object, ok := whole.(*value.Object); ok && v.keyed {
			whole = object.Get("Value") // the item itself is {Key, Value}
		}
	default:
	}
	if whole == nil || from.Path == nil {
		return whole
	}
	found, _ := from.Path.Get(&path.Roots{
		Data: whole, Variables: func(name string) value.Value { return r.log.Variable(visit, name) },
	})
	return found
}

// filled compares the leaves of a template with their places in what it gave.
func (r *replay) filled(i int, event *engine.Event, v *replayed, m *asl.Move, made value.Value) {
	parts := m.Parts()
	if len(parts) == 0 {
		r.note(i, "the template %s has no leaves", m.At)
	}
	for k := range parts {
		part := &parts[k]
		at := part.To.Path
		if part.To.Register == asl.RegisterAssigned && part.To.Variable != "" {
			made := made.(*value.Object).Get(part.To.Variable)
			r.leaf(i, event, v, part, within(made, at))
			continue
		}
		r.leaf(i, event, v, part, within(made, at))
	}
}

func within(v value.Value, at *path.Path) value.Value {
	if at == nil || v == nil {
		return v
	}
	return at.Find(&path.Roots{Data: v})
}

func (r *replay) leaf(i int, event *engine.Event, v *replayed, part *asl.Move, got value.Value) {
	if got == nil {
		r.note(i, "the leaf %s is not at its place %v", part.At, part.To.Path)
		return
	}
	switch part.Kind {
	case asl.MoveText:
		if part.Expression == nil {
			r.leaves++
			r.same(i, part.At, part.Node.Value, got)
		}
	case asl.MoveKeep, asl.MoveSelect, asl.MoveGather:
		want := r.read(event.Visit, i, v, part.From[0])
		if want == nil && got.Kind() == value.KindNull {
			return // an index past the end
		}
		if part.From[0].Register == asl.RegisterContext && (want == nil || !value.Equal(want, got)) {
			return // of another moment
		}
		r.leaves++
		r.same(i, part.At, want, got)
	case asl.MoveCall:
		r.call(i, event, v, part, got)
	default:
		r.note(i, "the leaf %s is of the kind %d", part.At, part.Kind)
	}
}

// call evaluates an expression with the registers that it reads, and no others.
func (r *replay) call(i int, event *engine.Event, v *replayed, part *asl.Move, got value.Value) {
	if part.Expression == nil {
		r.intrinsic(i, event, v, part, got)
		return
	}
	raw := value.ObjectOf()
	for _, from := range part.From {
		switch from.Register {
		case asl.RegisterRaw:
			raw = raw.With("input", v.is[asl.RegisterRaw])
		case asl.RegisterResult:
			if result := v.is[asl.RegisterResult]; result != nil && v.lane != nil && v.lane.Kind == asl.LaneDone {
				raw = raw.With("result", result)
			}
		case asl.RegisterError:
			if failure := v.is[asl.RegisterError]; failure != nil {
				raw = raw.With("errorOutput", failure)
			}
		case asl.RegisterContext, asl.RegisterItem:
			return
		default:
		}
	}
	lookup := func(name string) value.Value {
		if name == "states" {
			return raw
		}
		for _, from := range part.From {
			if from.Register == asl.RegisterVariables && from.Variable == name {
				return r.log.Variable(event.Visit, name)
			}
		}
		return nil
	}
	text, _ := part.Node.Value.(value.String)
	for _, changing := range []string{"$now", "$millis", "$random", "$uuid", "$shuffle"} {
		if strings.Contains(string(text), changing) {
			return
		}
	}
	want, err := part.Expression.Eval(nil, lookup, jsonata.Env{Now: event.At(), Profile: r.dialect.Profile()})
	if err != nil {
		r.note(i, "%s: %v", part.At, err)
		return
	}
	r.leaves++
	r.same(i, part.At, want, got)
}

// intrinsic evaluates a call over the document of its field.
func (r *replay) intrinsic(i int, event *engine.Event, v *replayed, part *asl.Move, got value.Value) {
	if part.Intrinsic == nil {
		r.note(i, "%s has no call", part.At)
		return
	}
	roots := path.Roots{Variables: func(name string) value.Value { return r.log.Variable(event.Visit, name) }}
	for _, from := range part.From {
		switch from.Register {
		case asl.RegisterContext, asl.RegisterItem:
			return
		case asl.RegisterVariables:
		default:
			roots.Data = v.is[from.Register]
		}
	}
	if text := part.Intrinsic.String(); strings.Contains(text, "States.UUID") || strings.Contains(text, "States.MathRandom") {
		return
	}
	want, err := part.Intrinsic.Eval(&roots, nil)
	if err != nil {
		r.note(i, "%s: %v", part.At, err)
		return
	}
	r.leaves++
	r.same(i, part.At, want, got)
}

// selected follows the ItemSelector of one item.
func (r *replay) selected(i int, event *engine.Event, v *replayed) {
	r.settle(v)
	items := v.items()
	if v.next >= items.Len() {
		r.note(i, "there is no item %d", v.next)
		return
	}
	item := items.At(v.next)
	v.next++
	r.same(i, "before", item, event.Before)
	v.is[asl.RegisterItem] = item
	for k := range v.flow.Each {
		if m := &v.flow.Each[k]; m.Stage == engine.StageParameters {
			r.filled(i, event, v, m, event.After)
		}
	}
	v.inputs = append(v.inputs, event.After)
}

func (v *replayed) items() *value.Array {
	items, _ := v.is[asl.RegisterItems].(*value.Array)
	return items
}

// payloads returns what the iterations get, before there are batches.
func (r *replay) payloads(v *replayed) value.Value {
	r.settle(v)
	if v.flow.State.ItemSelector == nil {
		return v.items()
	}
	list := value.NewArray(v.inputs)
	v.inputs = nil
	return list
}

// began compares the input of a branch or iteration.
func (r *replay) began(i int, event *engine.Event, v *replayed) {
	if event.Type == engine.BranchStarted {
		r.same(i, "the input", v.is[asl.RegisterPayload], event.After)
		return
	}
	inputs := v.inputs
	if v.flow.State.ItemSelector == nil && v.is[asl.RegisterBatches] == nil {
		inputs = nil
		for _, item := range v.items().All() {
			inputs = append(inputs, item)
		}
	}
	if index := r.index(event.Thread); index < len(inputs) {
		r.same(i, "the input", inputs[index], event.After)
	} else {
		r.note(i, "there is no input %d", index)
	}
}

// collected compares the result of branches or iterations.
func (r *replay) collected(i int, event *engine.Event, v *replayed) {
	if v.lane == nil {
		v.lists = nil
		r.lanes(i, v)
	}
	results, _ := event.After.(*value.Array)
	if v.is[asl.RegisterResult] = event.After; v.flow.State.ResultWriter != nil {
		return
	}
	if results.Len() != len(v.children) {
		return // iterations that failed are tolerated
	}
	for n, result := range results.All() {
		r.same(i, "a result", v.children[n], result)
	}
}

func (r *replay) exited(i int, event *engine.Event, v *replayed) {
	m := r.take(i, v, engine.StageOutput)
	if m == nil {
		return
	}
	r.same(i, "after", v.is[asl.RegisterOutput], event.After)
	if v.lane.To == nil != (event.Detail.(*engine.ExitDetail).Next == "") || v.lane.To != nil && v.lane.To.Name != event.Detail.(*engine.ExitDetail).Next {
		r.note(i, "the lane leads elsewhere")
	}
	for _, list := range v.lists {
		if len(list) > 0 {
			r.note(i, "moves are left: %s", list[0].Stage)
		}
	}
	v.over = true
}

// ran runs a definition with a source of outcomes.
func ran(t testing.TB, machine *engine.Machine, input, context value.Value, from outcome.Source) *debug.Session {
	t.Helper()
	session := debug.New(machine, debug.Options{
		Input: input, Context: context, Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Seed: 1, Source: from, Limits: engine.Limits{History: 3000},
	})
	if _, err := session.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Logf("%s: %v", machine.Definition().Source.Name, err)
	}
	return session
}

func machineOf(name string, text []byte, dialect engine.Dialect) *engine.Machine {
	parsed, _ := asl.Parse(&source.File{Name: name, Data: text})
	if parsed == nil {
		return nil
	}
	machine, err := engine.Compile(parsed, dialect)
	if err != nil {
		return nil
	}
	return machine
}

// report tells of the differences, and sums the comparisons.
func (r *replay) report(t *testing.T, name string, compared, leaves *int) {
	t.Helper()
	*compared += r.compared
	*leaves += r.leaves
	for n, wrong := range r.wrong {
		if n == 3 {
			break
		}
		t.Errorf("%s: %s", name, wrong)
	}
}

// TestExplainedRecorded: each event's before and after of the recorded executions are explained by the moves of its stage.
func TestExplainedRecorded(t *testing.T) {
	compared, leaves, count := 0, 0, 0
	for _, corpus := range []string{runs.Recorded, runs.Measured} {
		for _, c := range runs.LoadFrom(t, corpus) {
			machine := machineOf(c.Name, c.Definition, engine.AWS)
			if machine == nil || c.Input == nil {
				continue
			}
			count++
			explain(ran(t, machine, c.Input, c.Context, c.Tasks()), engine.AWS).report(t, c.Name, &compared, &leaves)
		}
	}
	t.Logf("%d runs, %d comparisons, %d of them of leaves", count, compared, leaves)
	if count < 1_200 || compared < 7_000 {
		t.Errorf("only %d runs with %d comparisons", count, compared)
	}
}

// TestExplainedWorkflows: the same for runs of published workflows with made-up outcomes.
func TestExplainedWorkflows(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Dir(t, "workflows"), "files", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	compared, leaves, count := 0, 0, 0
	for _, name := range files {
		machine := machineOf(filepath.Base(name), testkit.Read(t, name), engine.AWS)
		if machine == nil {
			continue
		}
		file, err := fixtures.Load("init.yaml", starter.Draft(t.Context(), machine.Definition()).YAML())
		if err != nil {
			t.Fatal(err)
		}
		bound, err := file.Source(machine.Definition())
		if err != nil {
			t.Fatal(err)
		}
		count++
		explain(ran(t, machine, file.Input, file.Context, fixtures.OnMissing(bound, fixtures.Fail)), engine.AWS).report(t, filepath.Base(name), &compared, &leaves)
	}
	t.Logf("%d runs, %d comparisons, %d of them of leaves", count, compared, leaves)
	if count < 170 || compared < 15_000 {
		t.Errorf("only %d runs with %d comparisons", count, compared)
	}
}

// TestExplainedExamples: the same for the runs that between them have every kind of event.
func TestExplainedExamples(t *testing.T) {
	compared, leaves := 0, 0
	for _, c := range runs.Cases() {
		machine := runs.Machine(c.Definition)
		tasks := c.Tasks()
		session := ran(t, machine, value.Must(c.Input), nil, answers(tasks))
		explain(session, engine.AWS).report(t, c.Name, &compared, &leaves)
	}
	if compared < 400 {
		t.Errorf("only %d comparisons", compared)
	}
}

// TestExplainedBounds: a bound of a Map that is read once it has begun reads the effective input, and not the items.
func TestExplainedBounds(t *testing.T) {
	machine := runs.Machine(`{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.l","ToleratedFailureCountPath":"$.n",
		"ItemProcessor":{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}},"End":true}}}`)
	for _, input := range []string{`{"l":[1],"n":1}`, `{"l":[1],"n":-1}`, `{"l":[1]}`} {
		compared, leaves := 0, 0
		explain(ran(t, machine, value.Must(input), nil, nil), engine.AWS).report(t, input, &compared, &leaves)
		if compared < 4 {
			t.Errorf("only %d comparisons of %s", compared, input)
		}
	}
}

// answers gives the outcomes of tasks.
type answers runs.Outcomes

// Ask implements [outcome.Source].
func (a answers) Ask(ask outcome.Ask) outcome.Reply {
	if task, ok := ask.(outcome.Task); ok {
		return outcome.Given(a(task.Request), "test")
	}
	return outcome.None(nil)
}

// Seek implements [outcome.Source].
func (a answers) Seek(asked []outcome.Ask) []outcome.Ask { return asked }

// TestExplainedRandom: the same for random machines with tasks that fail and retriers.
func TestExplainedRandom(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		names := 0
		dialect := rapid.SampledFrom([]engine.Dialect{engine.AWS, engine.Spec}).Draw(rt, "dialect")
		machine := machineOf("random", []byte(runs.Chain(rt, 2, &names)), dialect)
		if machine == nil {
			rt.Skip("refused")
		}
		outcomes := runs.ByState{}
		for n := range names {
			for range rapid.IntRange(0, 3).Draw(rt, "fails") {
				outcomes[fmt.Sprint("S", n)] = append(outcomes[fmt.Sprint("S", n)], engine.Outcome{Error: "E"})
			}
			for range 20 {
				outcomes[fmt.Sprint("S", n)] = append(outcomes[fmt.Sprint("S", n)], engine.Outcome{Output: value.Must(`{"k":1}`)})
			}
		}
		r := explain(ran(t, machine, value.Must(runs.ChainInput), nil, outcomes.Source()), dialect)
		if len(r.wrong) > 0 {
			rt.Fatal(r.wrong[0])
		}
	})
}
