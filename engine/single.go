package engine

import (
	"errors"
	"slices"
	"time"

	"asldb/engine/asl"
	"asldb/engine/items"
	"asldb/engine/value"
)

// SingleOptions are the options of an execution of one state alone.
type SingleOptions struct {
	// Start, Seed and Limits are as in [StartOptions].
	Start  time.Time
	Seed   int64
	Limits Limits
	// Context is the whole context object, as the state's paths see it; nil means {}.
	Context value.Value
	// Variables are the ones that the state finds; nil means none.
	Variables *value.Object
	// Retries is how often each retrier of the state has been used already.
	Retries int64
	// Dataset is the object that the ItemReader of a Map state reads; the driver is not asked for objects. Of a dataset of
	// several objects it is the first one, a manifest for example, and the others have no items. Nil means no items.
	Dataset []byte
}

// single has the options of an execution of a state alone. It never changes.
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
		root.variables = &frame{values: options.Variables}
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

// begin sets the retries that a state alone has had before.
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
	return MergeContext(s.context, value.ObjectOf(value.Member{Key: "Map", Value: mapItem(item, index)}))
}

// mapItem is the context object's member Map in an iteration.
func mapItem(item value.Value, index int) value.Value {
	return value.ObjectOf(value.Member{Key: "Item", Value: value.ObjectOf(
		value.Member{Key: "Index", Value: value.Int(int64(index))},
		value.Member{Key: "Value", Value: item},
	)})
}

// lone does the work of a Parallel or Map state alone; only its results are asked for.
type lone struct {
	e *Execution
	*thread
}

// ask asks for the results of the branches or iterations of a state alone.
func (l lone) ask() {
	l.payload = l.data
	if l.state.def.Type == asl.Map {
		if !l.beginItems() {
			return
		}
	} else {
		l.e.emit(l.thread, &Event{
			Type: ParallelStarted, Stage: StageResult, Before: l.data,
			Detail: &StartDetail{Length: len(l.state.branches)},
		})
	}
	l.e.askTask(l.thread, &TaskRequest{Parameters: l.data})
}

// beginItems takes the items of a Map state, runs its ItemSelector for each, and gathers them into batches.
// It reports false when that failed.
func (l lone) beginItems() bool {
	def := l.state.def
	l.limits.distributed.take(def)
	all, isArray := l.data.(*value.Array)
	if !isArray || def.ItemReader != nil {
		all = noItems
	}
	l.e.emit(l.thread, &Event{
		Type: MapStarted, Stage: StageResult, Before: l.data,
		Detail: &StartDetail{Length: all.Len(), MaxConcurrency: l.declaredConcurrency()},
	})
	if def.ItemReader != nil {
		read, err := l.e.single.read(def.ItemReader, l.limits.distributed.items)
		if err != nil {
			l.e.workFailed(l.thread, MapFailed, &Failure{
				Name: ErrorItemReaderFailed, Cause: err.Error(), Err: err, Origin: l.visit, Field: "ItemReader",
			})
			return false
		}
		all = read
		l.e.stageDone(l.thread, StageItemReader, l.data, all)
	}
	if def.ItemSelector != nil {
		selected := make([]value.Value, all.Len())
		for i, item := range all.All() {
			after, ok := container(l).selectItem(def.ItemSelector, item, i)
			if !ok {
				return false
			}
			selected[i] = after
		}
		all = value.NewArray(selected)
	}
	return def.ItemBatcher == nil || l.batchGiven(all)
}

// read reads the dataset that was given.
func (s *single) read(reader *asl.ItemReader, limit int64) (*value.Array, error) {
	if s.dataset == nil {
		return noItems, nil
	}
	action, _ := items.ActionOf(reader.Resource) // it was looked at by Compile
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
func (l lone) batchGiven(all *value.Array) bool {
	b := batching{all: all, maxItems: l.limits.distributed.batchItems, maxBytes: l.limits.distributed.batchBytes}
	if b.maxBytes == 0 || b.maxBytes > maxBatchBytes {
		b.maxBytes = maxBatchBytes
	}
	if field := l.state.def.ItemBatcher.BatchInput; field != nil {
		shared, failure := l.e.fillPart(l.thread, StageItemBatcher, "ItemBatcher/BatchInput", field)
		if failure != nil {
			l.e.stageFailed(l.thread, StageItemBatcher, l.effective, failure)
			return false
		}
		b.shared = shared
	}
	if tooLarge := b.make(); tooLarge != "" {
		l.e.stageFailed(l.thread, StageItemBatcher, all, &Failure{
			Name: ErrorDataLimitExceeded, Cause: tooLarge, Origin: l.visit, Field: "ItemBatcher",
		})
		return false
	}
	l.e.emit(l.thread, &Event{Type: StageCompleted, Stage: StageItemBatcher, Before: all, After: value.NewArray(b.inputs)})
	return true
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
