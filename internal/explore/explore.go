package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/debug"
	"asldb/engine/flow"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/suiterun"
	"asldb/internal/work"
)

// DefaultRuns bounds the runs where the user does not.
const DefaultRuns = 20_000

// Options say what is explored, and how far.
type Options struct {
	// Machine is the definition, made ready. Its quotas are the runs' quotas.
	Machine *suiterun.Machine
	// Given are the bases. Without any, and of one without a file, inputs and results are made up from the definition.
	Given []Given
	// Runs is the greatest number of runs, Time the longest time; 0 means no bound. A result that ran out of time is
	// not the same each time. At most a third of the time is for the runs without faults, and as much for those with
	// faults: the rest is for looking at them.
	Runs int
	Time time.Duration
	// Pairs adds runs with two faults, of two tasks.
	Pairs bool
	// Seed replaces the seed of the bases; nil: it does not.
	Seed *int64
	// Parallel is the number of runs at a time; 0: one for each core.
	Parallel int
	// Announce is called before the first run with a fault, and whenever runs are added; it may be nil.
	Announce func(Plan)
	// Progress is called now and then, from one goroutine at a time, with the number of runs that are done; it may be
	// nil.
	Progress func(done, planned int)
	// Check looks for broken invariants in a run that has come to its end; nil: there are none. It is called from
	// several goroutines.
	Check func(*Ended) []Violation
	// Invariants is the list of the invariants that Check is about, for the suite of the findings; nil: there is none.
	Invariants value.Value
	// Data adds results without members that only a function's own code gives or leaves out.
	Data bool
	// Every says that Check is called for every run, not only for one of each way.
	Every bool
}

// Plan is the number of runs that are planned, with the tasks and their errors that they are for.
type Plan struct{ Tasks, Errors, Runs int }

// Ended is a run that has come to its end, with its log.
type Ended struct {
	Run *Run
	Log *runlog.Log
	// Execution is the execution at its end.
	Execution *engine.Execution
}

// Session returns the run as a session that shows its events, and is at their end.
func (e *Ended) Session() *debug.Session {
	s := e.Run.Base.setting
	events := make([]engine.Event, 0, e.Log.Len())
	for event := range e.Log.All() {
		events = append(events, *event)
	}
	session := debug.ReplayLog(s.machine, s.shown(s.input), debug.Recording{Events: events})
	session.GoTo(len(events))
	return session
}

// Violation says that an invariant does not hold for a run.
type Violation struct {
	// Invariant is its text, Text a sentence without a full stop that says why.
	Invariant, Text string
	// State is the state in which it showed; nil: the end. Event is the index of the event, from 0.
	State *asl.State
	Event int
}

// ErrNoTask says that there is nothing to explore.
var ErrNoTask = errors.New("the definition has no Task, Choice or Map state: nothing can go wrong in it")

// exploration is an exploration under way.
type exploration struct {
	options Options
	result  *Result
	began   time.Time
	runs    []*Run // in the order of their numbers, behind the bases
	// unanswered are tasks without a result in the files of the bases, tasks those that have faults.
	unanswered   []*asl.State
	tasks        map[*asl.State]bool
	broken       map[*Run][]Violation
	found        map[uint64][]*Finding // by the signature of the runs that show them
	unseen       int                   // the number of ways that were not looked at
	cut          []string              // notes on what was left out
	telling      *errorTests
	writtenPaths []*path.Path // where states put results into their input
	reads        map[bool]*readers
	demanding    *flow.Demander        // nil until it is needed
	demands      *flow.Demands         // nil: all may be read
	seen         map[string]bool       // the changes of data that were made
	blanks       map[*asl.State]string // the ${Name}s without a value with which states fail
	covered      *coverage.Collector
	gone         map[uint64]bool // the ways that covered has counted
	mutex        sync.Mutex
}

// grace is the time that the first run has, and the analysis of the runs, even where the bound or a signal comes
// earlier.
const grace = 500 * time.Millisecond

// until returns a context that ends after a number of thirds of the time. The first third is at least the grace, so
// that the first run comes to its end.
func (x *exploration) until(ctx context.Context, thirds int) (context.Context, context.CancelFunc) {
	if x.options.Time <= 0 {
		return ctx, func() {}
	}
	d := x.options.Time / 3 * time.Duration(thirds)
	if thirds == 1 {
		d = max(d, grace)
	}
	return context.WithDeadlineCause(ctx, x.began.Add(d), errLate)
}

// errLate is the cause of the end of a context where the time has run out.
var errLate = errors.New(StoppedByTime.String())

// stop notes the end of a context as the reason why something was left out; what may be empty.
func (x *exploration) stop(ctx context.Context, what string) {
	x.result.Stopped = StoppedByContext
	if errors.Is(context.Cause(ctx), errLate) {
		x.result.Stopped = StoppedByTime
	}
	if what != "" {
		x.cut = append(x.cut, what+": "+x.result.Stopped.String())
	}
}

// rest returns a context for what is made of the runs. Runs that were stopped are worth a moment.
func (x *exploration) rest(ctx context.Context) (context.Context, context.CancelFunc) {
	moment, end := time.Now().Add(grace), x.began.Add(x.options.Time)
	switch {
	case x.result.Stopped == StoppedByContext:
		return context.WithDeadline(context.WithoutCancel(ctx), moment)
	case x.options.Time <= 0:
		return ctx, func() {}
	case end.Before(moment):
		end = moment
	}
	return context.WithDeadlineCause(ctx, end, errLate)
}

// Explore runs a definition with faults and other data. The error is about the fixtures, or the context's, where it
// ended before the first run; a run that ends early for its bounds or the context isn't an error: see [Result.Stopped].
func Explore(ctx context.Context, o Options) (*Result, error) {
	definition := o.Machine.Definition.Machine
	if !slices.ContainsFunc(slices.Collect(definition.All()), func(s *asl.State) bool {
		return s.Type == asl.Task || s.Type == asl.Choice || s.Type == asl.Map
	}) {
		return nil, ErrNoTask
	}
	x := newExploration(o)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := x.makeBases(ctx); errors.Is(err, errLate) {
		return nil, fmt.Errorf("%w before the first run was done: %v is too short", err, o.Time)
	} else if err != nil {
		return nil, err
	}
	x.result.Seed = x.result.Bases[0].setting.options.Seed
	if err := x.all(ctx); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		x.stop(ctx, "")
	}
	return x.result, x.conclude(ctx)
}

// newExploration returns an exploration without runs.
func newExploration(o Options) *exploration {
	if o.Parallel <= 0 {
		o.Parallel = runtime.GOMAXPROCS(0)
	}
	definition := o.Machine.Definition.Machine
	x := &exploration{
		options: o, began: time.Now(),
		result: &Result{Definition: o.Machine.Definition.Name(), Machine: o.Machine.Definition.Compiled},
		tasks:  map[*asl.State]bool{}, broken: map[*Run][]Violation{}, found: map[uint64][]*Finding{},
		reads: map[bool]*readers{}, seen: map[string]bool{}, blanks: map[*asl.State]string{},
		covered: coverage.NewCollector(definition, coverage.Options{Errors: true, Timeouts: true}),
		gone:    map[uint64]bool{},
	}
	x.result.explored, x.telling = x, errorTestsOf(definition)
	return x
}

// demander returns the one of the machine.
func (x *exploration) demander() *flow.Demander {
	if x.demanding == nil {
		machine := x.options.Machine.Definition.Machine
		x.demanding = flow.Analyse(machine, flow.Options{LiteralFirst: true}).Demander()
	}
	return x.demanding
}

// all plans and does the runs: the runs of the bases, then of tasks that only these have reached, then the pairs.
func (x *exploration) all(ctx context.Context) error {
	ctx, done := x.until(ctx, 2)
	defer done()
	var batch []*Run
	if x.options.Check == nil { // an invariant may read all
		x.demands = x.demander().Demands(ctx, flow.Intent{})
	}
	for _, base := range x.result.Bases {
		x.gone[base.Run.signature] = true
		x.covered.Add(logged{base.setting.log, base.setting.machine})
		if base.alone {
			continue
		}
		batch = append(batch, x.faults(base, nil, base.setting.requests)...)
		for _, c := range x.dataChanges(base) {
			batch = append(batch, &Run{Base: base, Changes: []*Change{c}})
		}
	}
	for round := 0; len(batch) > 0; round++ {
		if more, err := x.do(ctx, batch); err != nil || !more {
			return err
		}
		if round >= maxRounds {
			break
		}
		if batch = x.behind(ctx, batch); ctx.Err() != nil {
			x.stop(ctx, "some tasks behind faults were left out")
			break
		}
	}
	if !x.options.Pairs {
		return nil
	}
	pairs := x.pairs(ctx)
	if ctx.Err() != nil {
		x.stop(ctx, "the pairs of faults were left out")
		return nil
	}
	_, err := x.do(ctx, pairs)
	return err
}

// maxRounds bounds how far tasks are looked for behind faults.
const maxRounds = 4

// faults returns the runs of the faults of tasks for which a base made the requests. Before them come the changes of
// earlier. Tasks of made-up bases have their faults once, tasks of other bases in each.
func (x *exploration) faults(base *Base, earlier []*Change, requests map[*asl.State][]*engine.TaskRequest) []*Run {
	var runs []*Run
	for state := range x.options.Machine.Definition.Machine.All() {
		known := x.tasks[state]
		if len(requests[state]) == 0 || known && (base.Placeholder || earlier != nil) {
			continue
		}
		x.tasks[state] = true
		request := requests[state][0]
		var usual engine.Outcome
		if given := base.setting.outcomes[state]; len(given) > 0 {
			usual = given[0]
		}
		faults := faultsOf(request, usual, base.setting.options.Limits, x.telling.names)
		if !known {
			x.result.Tasks++
			x.result.Errors += len(faults)
		}
		classes := map[string]*Row{}
		for _, fault := range faults {
			for _, where := range places(state) {
				key := fmt.Sprint(where, " ", x.telling.class(&fault, x.result.Machine.Dialect()))
				if x.options.Check != nil { // an invariant may name the error
					key += fmt.Sprint(" ", fault.Kind, fault.Error)
				}
				row := &Row{Base: base, State: state, Kind: fault.Kind, Error: fault.Error, Where: where}
				if first := classes[key]; first != nil {
					row.Once, row.Always = first.Once, first.Always
					for _, run := range []*Run{row.Once, row.Always} {
						run.Changes[0].alike = append(run.Changes[0].alike, fault.Error)
					}
				} else {
					// The new fault is the first change: it is the one whose handling is followed.
					row.Once = &Run{Base: base, Changes: append([]*Change{fault.with(where, false)}, earlier...)}
					row.Always = &Run{Base: base, Changes: append([]*Change{fault.with(where, true)}, earlier...)}
					runs = append(runs, row.Once, row.Always)
					classes[key] = row
				}
				if !known {
					x.result.Rows = append(x.result.Rows, row)
				}
			}
		}
	}
	return runs
}

// behind returns the runs of the faults of tasks that only runs with other faults or data have reached, and of other
// data at such Choice and Map states. Such a fault or edit comes before the changes of the run that has reached it:
// what becomes of the first change is followed, and the others have been handled.
func (x *exploration) behind(ctx context.Context, done []*Run) []*Run {
	var runs []*Run
	d := newDriver()
	for _, r := range done {
		if !r.Reached || x.onlyKnown(r) {
			continue
		}
		requests := map[*asl.State][]*engine.TaskRequest{}
		_, err := d.run(ctx, r.Base.setting, r.Changes, x.extent(), func(request *engine.TaskRequest, _ engine.Outcome, _ origin) {
			requests[request.Visit.State] = append(requests[request.Visit.State], request)
		})
		if err != nil {
			continue
		}
		runs = append(runs, x.faults(r.Base, r.Changes, requests)...)
		for _, c := range x.editsBehind(r.Base, r.Base.logOf(d), d.from) {
			runs = append(runs, &Run{Base: r.Base, Changes: append([]*Change{c}, r.Changes...)})
		}
	}
	return runs
}

// onlyKnown reports whether a run has reached no task but those that have faults, and no Choice or Map state but those
// that have had other data.
func (x *exploration) onlyKnown(r *Run) bool {
	return !slices.ContainsFunc(r.tasks, func(s *asl.State) bool { return !x.tasks[s] }) &&
		!slices.ContainsFunc(r.deciding, func(s *asl.State) bool { return !x.seen[visited(s)] })
}

// pairs returns runs with two faults, of two tasks. Of the faults of a task that lead the same way, the first
// represents all.
func (x *exploration) pairs(ctx context.Context) []*Run {
	type key struct {
		state     *asl.State
		signature string
	}
	seen := map[key]bool{}
	var faults []*Run
	for _, row := range x.result.Rows {
		for _, r := range []*Run{row.Once, row.Always} {
			if len(r.Changes) > 1 || !r.Reached {
				continue
			}
			k := key{row.State, r.way()}
			if !seen[k] {
				seen[k] = true
				faults = append(faults, r)
			}
		}
	}
	var runs []*Run
	room := math.MaxInt // those beyond the bound are counted, and not made
	if bound := x.options.Runs; bound > 0 {
		room = max(bound-len(x.runs), 0) + 1
	}
	for i, a := range faults {
		if ctx.Err() != nil {
			break
		}
		for _, b := range faults[i+1:] {
			switch {
			case a.Base != b.Base || a.Changes[0].State == b.Changes[0].State:
			case len(runs) >= room:
				x.result.Planned++
			default:
				runs = append(runs, &Run{Base: a.Base, Changes: []*Change{a.Changes[0], b.Changes[0]}})
			}
		}
	}
	return runs
}

// way says where the fault of a run led: its handling, and the end without the error's name where nothing handled it.
func (r *Run) way() string {
	text := fmt.Sprint(r.Changes[0].Where, r.Changes[0].Always, r.Status)
	for _, s := range r.Handling {
		text += fmt.Sprint(" ", s.Kind, s.State.Path(), s.Index, s.Count, s.Next)
		if s.Kind == Unhandled {
			return text
		}
	}
	return text + " " + r.Error
}

// do does runs on all cores. It reports whether there may be more. The error is about a result that cannot be
// computed.
func (x *exploration) do(ctx context.Context, batch []*Run) (more bool, err error) {
	for i, r := range batch {
		r.Number = len(x.result.Bases) + len(x.runs) + i + 1
	}
	x.result.Planned += len(batch)
	if x.options.Announce != nil {
		x.options.Announce(Plan{Tasks: x.result.Tasks, Errors: x.result.Errors, Runs: x.result.Planned})
	}
	if bound := x.options.Runs; bound > 0 && len(x.runs)+len(batch) > bound {
		batch = batch[:bound-len(x.runs)]
		x.result.Stopped = StoppedByRuns
	}
	var finished atomic.Int64
	failed := make([]error, len(batch))
	drivers := sync.Pool{New: func() any { return newDriver() }}
	work.Each(ctx, len(batch), x.options.Parallel, func(i int) {
		d := drivers.Get().(*driver)
		defer drivers.Put(d)
		if err := x.one(ctx, d, batch[i]); ctx.Err() == nil {
			failed[i] = err
		}
		if n := int(finished.Add(1)); x.options.Progress != nil && n%progressStep == 0 {
			x.mutex.Lock()
			defer x.mutex.Unlock()
			x.options.Progress(len(x.runs)+n, x.result.Planned)
		}
	})
	for _, r := range batch {
		if r.done {
			x.runs = append(x.runs, r)
		}
	}
	if !slices.ContainsFunc(batch, func(r *Run) bool { return !r.done }) {
		return x.result.Stopped != StoppedByRuns, errors.Join(failed...)
	}
	if ctx.Err() != nil {
		x.stop(ctx, "")
	}
	return false, errors.Join(failed...)
}

// progressStep is the number of runs between two calls of Progress.
const progressStep = 64

// one does one run.
func (x *exploration) one(ctx context.Context, d *driver, r *Run) error {
	e, err := d.run(ctx, r.Base.setting, r.Changes, x.extent(), nil)
	if err != nil {
		return err
	}
	d.summarize(r, e)
	x.cover(d, r)
	if x.options.Check != nil && x.options.Every {
		x.check(r, e, d)
	}
	return nil
}

// check asks for broken invariants.
func (x *exploration) check(r *Run, e *engine.Execution, d *driver) {
	broken := x.options.Check(&Ended{Run: r, Log: runlog.Of(slices.Clone(d.events)), Execution: e})
	if len(broken) == 0 {
		return
	}
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.broken[r] = broken
}
