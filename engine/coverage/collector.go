package coverage

import (
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
)

// Run is a run whose events a Collector counts. A session is one.
type Run interface {
	// Log returns the events of the run.
	Log() *runlog.Log
	// Machine returns the definition of the run, made ready.
	Machine() *engine.Machine
	// Explainer does evaluations of the run again.
	Explainer() *provenance.Explainer
}

// Collector counts the items of one definition in the logs of its runs.
type Collector struct {
	Items *Items
	// Runs is how many runs were added.
	Runs int64
	// Unknown is how many evaluations could not be done again, so that their conditions are not counted.
	Unknown int64

	options Options
	maps    map[int64]*mapVisit // by the entries of the visits
	known   bool                // the event is counted in another run
}

// mapVisit is what is known of one visit of a Map state.
type mapVisit struct{ items, failed bool }

// NewCollector returns a Collector for the runs of a definition.
func NewCollector(machine *asl.StateMachine, options Options) *Collector {
	return &Collector{Items: Of(machine, options), options: options}
}

// Add counts the events of a run whose definition is the Collector's. A log that has dropped its first events is counted as far
// as it is known.
func (c *Collector) Add(run Run) { c.AddFrom(run, 0) }

// AddFrom is Add without the first n events: those that a what-if shares with the run that it branched from, which are counted
// there.
func (c *Collector) AddFrom(run Run, n int) {
	c.Runs++
	c.maps = map[int64]*mapVisit{}
	log, dialect := run.Log(), run.Machine().Dialect()
	for i := log.First(); i < log.Len(); i++ {
		head := log.Head(i)
		if head.State == nil {
			continue
		}
		c.known = i < n
		if !c.head(&head) {
			c.event(log.At(i), dialect)
		}
		if c.options.Conditions && !c.known {
			c.evaluation(run, i, &head)
		}
	}
	c.maps, c.known = nil, false
}

// head counts the items of an event by its head, and reports false of an event whose detail is needed for that. Few
// are: the events of a long log need not all be read whole.
func (c *Collector) head(head *runlog.Head) bool {
	switch head.Type {
	case engine.StateEntered:
		c.count(head.State, Entered, 0)
	case engine.StateExited:
		if head.State.Type != asl.Choice || head.Detail == 0 {
			break
		}
		kind := Rule
		edge := head.State.Edges()[head.Detail-1]
		if edge.Kind == asl.EdgeDefault {
			kind = Default
		}
		c.count(head.State, kind, edge.Index)
	case engine.IterationStarted, engine.IterationFailed, engine.MapStarted, engine.MapSucceeded, engine.MapFailed:
		c.mapEvent(head)
	case engine.RetryScheduled, engine.ErrorCaught, engine.StateFailed, engine.TaskFailed, engine.TaskTimedOut, engine.BranchStarted:
		return false
	default: // the other events go through no separate item
	}
	return true
}

// event counts the items that an event of a visit goes through.
func (c *Collector) event(event *engine.Event, dialect engine.Dialect) {
	state := event.Visit.State
	switch event.Type {
	case engine.RetryScheduled:
		if d, ok := event.Detail.(*engine.RetryDetail); ok {
			c.count(state, Retried, d.Retrier)
		}
	case engine.ErrorCaught:
		if d, ok := event.Detail.(*engine.CatchDetail); ok {
			c.count(state, Caught, d.Catcher)
			c.exhausted(state, d.Failure, dialect)
		}
	case engine.StateFailed:
		if f := event.Failure(); f != nil && f.Catchable() {
			c.count(state, Uncaught, 0)
			c.exhausted(state, f, dialect)
		}
	case engine.TaskTimedOut:
		switch f := event.Failure(); {
		case f == nil || f.Field == "": // by hand: no limit was reached
		case strings.HasPrefix(f.Field, "Heartbeat"):
			c.count(state, HeartbeatMissed, 0)
		default:
			c.count(state, TimedOut, 0)
		}
	case engine.BranchStarted:
		if d, ok := event.Detail.(*engine.ThreadDetail); ok {
			c.count(state, Branch, d.Index)
		}
	default:
	}
}

// exhausted counts the retrier that matched an error which was not retried.
func (c *Collector) exhausted(state *asl.State, failure *engine.Failure, dialect engine.Dialect) {
	if failure == nil {
		return
	}
	if i := engine.MatchingRetrier(state, failure, dialect); i >= 0 {
		c.count(state, Exhausted, i)
	}
}

// mapEvent counts the kinds of a visit of a Map state. Attempts that were retried count like the last one.
func (c *Collector) mapEvent(event *runlog.Head) {
	m := c.maps[event.Entered]
	if m == nil || event.Type == engine.MapStarted {
		m = &mapVisit{}
		c.maps[event.Entered] = m
	}
	switch event.Type {
	case engine.IterationStarted:
		if !m.items {
			c.count(event.State, MapSome, 0)
		}
		m.items = true
	case engine.IterationFailed:
		if !m.failed {
			c.count(event.State, MapFailed, 0)
		}
		m.failed = true
	case engine.MapSucceeded:
		if !m.items {
			c.count(event.State, MapNone, 0)
		}
		if m.failed {
			c.count(event.State, MapTolerated, 0)
		}
	default:
	}
}

// evaluation counts the conditions of the evaluation that an event completed.
func (c *Collector) evaluation(run Run, i int, event *runlog.Head) {
	if event.Type != engine.StageCompleted && event.Type != engine.StageFailed {
		return
	}
	if event.State.QueryLanguage == asl.JSONata {
		explained, not := run.Explainer().Stage(i)
		if not != nil {
			c.Unknown++
		}
		for k := range explained {
			c.Items.countExpression(&explained[k])
		}
		return
	}
	if event.Stage != engine.StageChoices {
		return
	}
	results, not := run.Explainer().Choice(i)
	if not != nil {
		c.Unknown++
	}
	for k := range results {
		if results[k].Reached {
			c.Items.countTest(&results[k].TestResult)
		}
	}
}

func (c *Collector) count(state *asl.State, kind Kind, index int) {
	if c.known {
		return
	}
	c.Items.count(ID{State: state.Path(), Kind: kind, Index: index}, 1)
}
