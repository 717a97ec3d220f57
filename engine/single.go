package engine

import (
	"errors"
	"slices"
	"time"

	"asldb/engine/asl"
	"asldb/engine/items"
	"asldb/engine/value"
)

// SingleOptions are what one state alone starts with besides its input.
type SingleOptions struct {
	// Start, Seed and Limits are as in [StartOptions].
	Start  time.Time
	Seed   int64
	Limits Limits
	// Context is the whole context object, as the state's paths see it; nil stands for {}.
	Context value.Value
	// Variables are those that the state finds; nil stands for none.
	Variables *value.Object
	// Retries is how often each retrier of the state has been used already.
	Retries int64
	// Dataset is what the ItemReader of a Map state finds: nobody is asked for objects. Of a dataset of
	// several objects it is the first one, a manifest for example, and the others have no items. Nil stands
	// for no items.
	Dataset []byte
}

// single is what makes an execution one of a state alone. It never changes.
type single struct {
	context value.Value
	retries int64
	dataset []byte
}

// ErrNotInMachine says that a state does not belong to the machine that is to run it.
var ErrNotInMachine = errors.New("the state is not one of this machine")

// StartSingle begins an execution of one state of the machine, in whichever scope it is. The execution ends
// when the state is left; a StateExited event says where it would have gone. The work of a Parallel or Map
// state is not done but asked for, as a task's is: the answer is its array of results. The causes of
// faults are without the sentence that says state and event. The error is [ErrNotInMachine].
func (m *Machine) StartSingle(state *asl.State, input value.Value, options SingleOptions) (*Execution, error) {
	scope, plan := m.top.find(state)
	if plan == nil {
		return nil, ErrNotInMachine
	}
	e := m.Start(input, StartOptions{Start: options.Start, Seed: options.Seed, Limits: options.Limits})
	e.timers = nil // the machine's own timeout is not the state's
	e.single = &single{context: options.Context, retries: options.Retries, dataset: options.Dataset}
	if e.single.context == nil {
		e.single.context = emptyObject
	}
	root := e.threads[0]
	root.scope, root.state, root.visits = scope, plan, make([]int32, len(scope.states))
	if options.Variables != nil {
		root.variables.values = options.Variables
	}
	return e, nil
}

// find returns the plan of a state that is in the scope, or in one below it, with its scope.
func (s *scopePlan) find(state *asl.State) (*scopePlan, *statePlan) {
	for _, plan := range s.states {
		if plan.def == state {
			return s, plan
		}
		for _, branch := range plan.branches {
			if scope, found := branch.find(state); found != nil {
				return scope, found
			}
		}
	}
	return nil, nil
}

// begin sets the retries that a state alone is told to have behind it.
func (s *single) begin(t *thread) {
	if s.retries == 0 || len(t.state.def.Retry) == 0 {
		return
	}
	t.retries = slices.Repeat([]int64{s.retries}, len(t.state.def.Retry))
	t.retried = int(min(s.retries, 1<<30))
}

// contextFor returns the context object that was given; inside a Map state's ItemSelector it has the item.
func (s *single) contextFor(item value.Value, index int) value.Value {
	if item == nil {
		return s.context
	}
	return mergeOver(s.context, value.ObjectOf(value.Member{Key: "Map", Value: mapItem(item, index)}))
}

// mapItem is the context object's member Map in an iteration.
func mapItem(item value.Value, index int) value.Value {
	return value.ObjectOf(value.Member{Key: "Item", Value: value.ObjectOf(
		value.Member{Key: "Index", Value: value.Int(int64(index))},
		value.Member{Key: "Value", Value: item},
	)})
}

// askContainer asks for the results of the branches or iterations of a state alone.
func (e *Execution) askContainer(t *thread) {
	t.payload = t.data
	if t.state.def.Type == asl.Map {
		if !e.beginItems(t) {
			return
		}
	} else {
		e.emit(t, Event{
			Type: ParallelStarted, Stage: StageResult, Before: t.data,
			Detail: &StartDetail{Length: len(t.state.branches)},
		})
	}
	e.requests++
	e.invocations[t.state.number]++
	t.request = &TaskRequest{
		ID: e.requests, Thread: t.id, Visit: t.visit, Parameters: t.data,
		Attempt: t.retried + 1, Invocation: int(e.invocations[t.state.number]),
	}
	t.block = onAnswer
	e.asked = append(e.asked, t.request)
}

// beginItems takes the items of a Map state, runs its ItemSelector for each, and gathers them into batches.
// It reports false when that failed.
func (e *Execution) beginItems(t *thread) bool {
	def := t.state.def
	t.limits.distributed.take(def)
	all, isArray := t.data.(*value.Array)
	if !isArray || def.ItemReader != nil {
		all = noItems
	}
	e.emit(t, Event{
		Type: MapStarted, Stage: StageResult, Before: t.data,
		Detail: &StartDetail{Length: all.Len(), MaxConcurrency: e.declaredConcurrency(t)},
	})
	if def.ItemReader != nil {
		read, err := e.single.read(def.ItemReader, t.limits.distributed.items)
		if err != nil {
			e.workFailed(t, MapFailed, &Failure{
				Name: ErrorItemReaderFailed, Cause: err.Error(), Err: err, Origin: t.visit, Field: "ItemReader",
			})
			return false
		}
		all = read
		e.stageDone(t, StageItemReader, t.data, all)
	}
	if def.ItemSelector != nil {
		selected := make([]value.Value, all.Len())
		for i, item := range all.All() {
			after, ok := e.selectItem(t, def.ItemSelector, item, i)
			if !ok {
				return false
			}
			selected[i] = after
		}
		all = value.NewArray(selected)
	}
	return def.ItemBatcher == nil || e.batchGiven(t, all)
}

// read reads the dataset that was given.
func (s *single) read(reader *asl.ItemReader, limit int64) (*value.Array, error) {
	if s.dataset == nil {
		return noItems, nil
	}
	action, _ := actionOf(reader.Resource) // it was looked at by Compile
	reading, err := items.Start(reader.Config, items.Object{Action: action}, limit)
	if err != nil {
		return nil, err
	}
	if err := reading.Add(s.dataset); err != nil {
		return nil, err
	}
	return reading.Items(), nil
}

// batchGiven runs ItemBatcher. It reports false when that failed.
func (e *Execution) batchGiven(t *thread, all *value.Array) bool {
	b := batching{all: all, maxItems: t.limits.distributed.batchItems, maxBytes: t.limits.distributed.batchBytes}
	if b.maxBytes == 0 || b.maxBytes > maxBatchBytes {
		b.maxBytes = maxBatchBytes
	}
	if field := t.state.def.ItemBatcher.BatchInput; field != nil {
		shared, failure := e.fillPart(t, "ItemBatcher/BatchInput", field)
		if failure != nil {
			e.stageFailed(t, StageItemBatcher, all, failure)
			return false
		}
		b.shared = shared
	}
	if tooLarge := b.make(); tooLarge != "" {
		e.stageFailed(t, StageItemBatcher, all, &Failure{
			Name: ErrorDataLimitExceeded, Cause: tooLarge, Origin: t.visit, Field: "ItemBatcher",
		})
		return false
	}
	e.emit(t, Event{Type: StageCompleted, Stage: StageItemBatcher, Before: all, After: value.NewArray(b.inputs)})
	return true
}

// declaredConcurrency is what MaxConcurrency or its path says; 0 where there is neither.
func (e *Execution) declaredConcurrency(t *thread) int {
	if field := t.state.def.MaxConcurrency; field != nil && field.Literal != nil {
		return int(literalSeconds(field))
	}
	return t.limits.concurrency
}

// MapBounds are the bounds of a Map state in force, as its fields or their paths say.
type MapBounds struct {
	// MaxConcurrency is 0 where it is not declared.
	MaxConcurrency int
	// FailureCount and FailurePercentage are nil where they are not declared.
	FailureCount      *int
	FailurePercentage *float64
}

// MapBoundsOf returns the bounds of the Map state that a thread is in; the zero MapBounds where it is in
// none, or has not evaluated them yet.
func (e *Execution) MapBoundsOf(id ThreadID) MapBounds {
	t := e.thread(id)
	if t == nil || t.visit == nil || t.state.def.Type != asl.Map {
		return MapBounds{}
	}
	def := t.state.def
	bounds := MapBounds{MaxConcurrency: e.declaredConcurrency(t)}
	if field := def.ToleratedFailureCount; field != nil {
		count := t.limits.failureCount
		if field.Literal != nil {
			count = int(literalSeconds(field))
		}
		bounds.FailureCount = &count
	}
	if field := def.ToleratedFailurePercentage; field != nil {
		percentage := t.limits.failurePercentage
		if field.Literal != nil {
			percentage = literalSeconds(field)
		}
		bounds.FailurePercentage = &percentage
	}
	return bounds
}

// MatchingRetrier returns the place in Retry, from 0, of the retrier that takes an error, used up or not;
// -1 where none does.
func MatchingRetrier(state *asl.State, failure *Failure, dialect Dialect) int {
	if !failure.catchable() {
		return -1
	}
	return slices.IndexFunc(state.Retry, func(r *asl.Retrier) bool { return failure.matches(r.ErrorEquals, dialect) })
}

// MatchingCatcher returns the place in Catch, from 0, of the catcher that takes an error which no retrier
// takes any more; -1 where none does.
func MatchingCatcher(state *asl.State, failure *Failure, dialect Dialect) int {
	if !failure.catchable() {
		return -1
	}
	return slices.IndexFunc(state.Catch, func(c *asl.Catcher) bool { return failure.matches(c.ErrorEquals, dialect) })
}
