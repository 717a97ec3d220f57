package engine

import (
	"math/rand/v2"

	"asldb/engine/asl"
	"asldb/engine/interrupt"
	"asldb/engine/rules"
	"asldb/engine/value"
)

// SlowSteps is the number of evaluation steps from which an event says how many it took: see [Evaluation].
const SlowSteps = 200_000

// Evaluation is about the expressions that were evaluated for an event, where they drew random numbers or took long: their
// random numbers, and the time they took. It isn't part of the event: see [Execution.Evaluations].
type Evaluation struct {
	// Event is the number of the event, its Seq.
	Event  int64
	random rand.PCG
	drew   bool
	// Steps is the number of steps that the evaluation took, 0 where these were less than [SlowSteps].
	Steps int
}

// Random returns a source that gives the random numbers which the expressions drew once more; nil where they drew none.
func (v *Evaluation) Random() *rand.PCG {
	if v == nil || !v.drew {
		return nil
	}
	again := v.random
	return &again
}

// Evaluations returns the evaluations for the events of the newest step that drew random numbers or took long, in the order
// of the events. The slice is valid until the next call that returns events.
func (j *journal) Evaluations() []*Evaluation { return j.evaluations }

// evaluation returns the evaluation since the event before; nil where it neither drew random numbers nor took long.
func (e *evaluator) evaluation() *Evaluation {
	spent := e.poll.TakeSpent()
	drew := e.random != e.drawn
	if !drew && spent < SlowSteps {
		return nil
	}
	v := &Evaluation{random: e.drawn, drew: drew}
	if spent >= SlowSteps {
		v.Steps = spent
	}
	e.drawn = e.random
	return v
}

// Interrupted returns the reason for which the last Step was taken back, an [interrupt.Error]; nil where it was done. Then
// the execution is as it was before that Step, which can be done again.
func (e *evaluator) Interrupted() error { return e.poll.Err() }

// SetInterrupt changes the check that can interrupt an evaluation: see [StartOptions]. nil is none.
func (e *evaluator) SetInterrupt(check interrupt.Check) {
	e.options.Interrupt = check
	e.arm()
}

// arm makes the execution look at its own check.
func (e *evaluator) arm() {
	e.poll = interrupt.NewPoll(e.options.Interrupt)
	e.roots.Poll, e.roots.Variables = &e.poll, nil
	e.roots.ScalarsOnly = e.machine.dialect.Does(rules.FormatsScalarsOnly)
	if e.machine.dialect.Does(rules.ReadsNullPastTheEnd) {
		e.roots.PastEnd = value.Null{} // one project measured it (floci-io/floci#3167, us-east-1), in templates alone
	}
}

// interruption is the panic of evaluated: the way out of a step that has to be taken back.
type interruption struct{}

// evaluated is called when expressions have been evaluated, and before their values are used. It does not
// return where the evaluation was interrupted.
func (e *evaluator) evaluated() {
	if e.poll.Err() != nil {
		panic(interruption{})
	}
}

// extent says how much a step may change before the last of its evaluations is done. The value of an evaluation is not used
// before evaluated returns, so that is not much.
type extent uint8

const (
	// evaluatesNothing: the step has nothing to interrupt.
	evaluatesNothing extent = iota
	// evaluatesStage: it evaluates one stage, and has changed nothing yet but its place and the bounds of the work.
	evaluatesStage
	// evaluatesItems: it evaluates something for one item after the other, or in the middle of a Map, and has changed the
	// thread, its work, and the threads that it began.
	evaluatesItems
)

// extentOf returns the extent of the next step of t.
func (e *evaluator) extentOf(t *thread) extent {
	switch t.phase {
	case phaseStage:
		return e.extentOfStage(t)
	case phaseMapBounds, phaseSelectItem, phaseBatch:
		return evaluatesItems
	case phaseSpawn, phaseChildrenDone:
		if def := t.state.def; def.ItemSelector != nil || def.ResultWriter != nil {
			return evaluatesItems
		}
	default:
	}
	return evaluatesNothing
}

func (e *evaluator) extentOfStage(t *thread) extent {
	def := t.state.def
	if def.QueryLanguage == asl.JSONPath && !e.poll.Armed() { // only JSONata can end an evaluation by itself
		return evaluatesNothing
	}
	switch t.stages[t.at] {
	case StageChoices:
		if t.state.plainRules {
			return evaluatesNothing
		}
	case StageResultPath, StageOutput:
		return evaluatesNothing
	case StageInputPath:
		return extentOfPath(def.InputPath)
	case StageOutputPath:
		if def.QueryLanguage == asl.JSONPath {
			return extentOfPath(def.OutputPath)
		}
	case StageResult:
		switch {
		case t.state.branches != nil && e.single != nil:
			return evaluatesItems
		case def.Credentials == nil:
			return evaluatesNothing
		}
	}
	return evaluatesStage
}

// extentOfPath tells the paths that only follow names and indexes, which are never interrupted.
func extentOfPath(field *asl.PathField) extent {
	if field == nil || field.Null || field.Path.Plain() {
		return evaluatesNothing
	}
	return evaluatesStage
}

// before is the state of an execution before a step.
type before struct {
	random     rand.PCG
	seq        int64
	apart      *int // the count of history events that the thread adds to
	counted    int
	focus      *thread
	popped     bool // the thread was in the queue
	lastThread ThreadID
	at         int
	limits     limits
	items      *itemsBefore // of a step that evaluates items; else nil
}

// itemsBefore is the rest, which only a step that evaluates items changes.
type itemsBefore struct {
	own     thread
	work    work
	threads []*thread
}

// remember notes the state of the execution before a step of t. focus was the focused thread before t was picked.
func (e *Execution) remember(b *before, t, focus *thread, step extent) {
	b.random, b.seq, b.lastThread = e.random, e.seq, e.lastThread
	b.apart = e.historyOf(t)
	b.counted = *b.apart
	b.focus, b.popped = focus, t != focus
	b.at, b.limits = t.at, t.limits
	if step == evaluatesItems {
		if e.undo == nil {
			e.undo = &itemsBefore{}
		}
		b.items = e.undo
		*b.items = itemsBefore{own: *t, threads: e.threads}
		if t.work != nil {
			b.items.work = *t.work
		}
	}
}

// takeBack undoes a step of t.
func (e *Execution) takeBack(t *thread, b *before) {
	e.random, e.drawn, e.seq, e.lastThread = b.random, b.random, b.seq, b.lastThread
	*b.apart = b.counted
	e.clear()
	e.focus = b.focus
	t.at, t.limits = b.at, b.limits
	if items := b.items; items != nil {
		e.threads = items.threads
		work := items.own.work
		if *t = items.own; work != nil {
			*work = items.work
		}
	}
	old := e.queue
	e.queue = make(queue, 0, len(old)+1)
	for _, waiting := range old {
		if waiting.id <= b.lastThread { // the others have not begun
			waiting.queued = false
			e.queue.push(waiting.thread)
		}
	}
	if t.queued = false; b.popped {
		e.queue.push(t)
	}
}

// attempt does a step of t, or, where an evaluation is interrupted, nothing at all. focus was the focused thread before t
// was picked.
func (e *Execution) attempt(t, focus *thread, step extent) {
	var was before
	e.remember(&was, t, focus, step)
	defer func() {
		if e.poll.Err() == nil {
			return
		}
		switch fault := recover().(type) {
		case nil, interruption:
			e.takeBack(t, &was)
		default:
			panic(fault)
		}
	}()
	e.advance(t)
}
