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
	maps    map[*engine.Visit]*mapVisit
	known   bool // the event is counted in another run
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
	c.maps = map[*engine.Visit]*mapVisit{}
	log, dialect := run.Log(), run.Machine().Dialect()
	for i := log.First(); i < log.Len(); i++ {
		event := log.At(i)
		if event.Visit == nil {
			continue
		}
		c.known = i < n
		c.event(event, dialect)
		if c.options.Conditions && !c.known {
			c.evaluation(run, i, event)
		}
	}
	c.maps, c.known = nil, false
}

// event counts the items that an event of a visit goes through.
func (c *Collector) event(event *engine.Event, dialect engine.Dialect) {
	visit := event.Visit
	switch event.Type {
	case engine.StateEntered:
		c.count(visit, Entered, 0)
	case engine.StateExited:
		c.exited(visit, event)
	case engine.RetryScheduled:
		if d, ok := event.Detail.(*engine.RetryDetail); ok {
			c.count(visit, Retried, d.Retrier)
		}
	case engine.ErrorCaught:
		if d, ok := event.Detail.(*engine.CatchDetail); ok {
			c.count(visit, Caught, d.Catcher)
			c.exhausted(visit, d.Failure, dialect)
		}
	case engine.StateFailed:
		if f := event.Failure(); f != nil && f.Catchable() {
			c.count(visit, Uncaught, 0)
			c.exhausted(visit, f, dialect)
		}
	case engine.TaskFailed, engine.TaskTimedOut:
		switch f := event.Failure(); {
		case f == nil:
		case f.Name == engine.ErrorHeartbeatTimeout, f.Name == engine.ErrorTimeout && strings.HasPrefix(f.Field, "Heartbeat"):
			c.count(visit, HeartbeatMissed, 0) // Step Functions names it States.Timeout
		case f.Name == engine.ErrorTimeout:
			c.count(visit, TimedOut, 0)
		}
	case engine.BranchStarted:
		if d, ok := event.Detail.(*engine.ThreadDetail); ok {
			c.count(visit, Branch, d.Index)
		}
	case engine.IterationStarted, engine.IterationFailed, engine.MapStarted, engine.MapSucceeded, engine.MapFailed:
		c.mapEvent(event)
	default: // the other events go through no item of their own
	}
}

// exited counts the rule that a Choice state took.
func (c *Collector) exited(visit *engine.Visit, event *engine.Event) {
	d, ok := event.Detail.(*engine.ExitDetail)
	if !ok || visit.State.Type != asl.Choice {
		return
	}
	if d.Rule < 0 {
		c.count(visit, Default, 0)
		return
	}
	c.count(visit, Rule, d.Rule)
}

// exhausted counts the retrier that matched an error which was not retried.
func (c *Collector) exhausted(visit *engine.Visit, failure *engine.Failure, dialect engine.Dialect) {
	if failure == nil {
		return
	}
	if i := engine.MatchingRetrier(visit.State, failure, dialect); i >= 0 {
		c.count(visit, Exhausted, i)
	}
}

// mapEvent counts the kinds of a visit of a Map state. Attempts that were retried count like the last one.
func (c *Collector) mapEvent(event *engine.Event) {
	m := c.maps[event.Visit]
	if m == nil || event.Type == engine.MapStarted {
		m = &mapVisit{}
		c.maps[event.Visit] = m
	}
	switch event.Type {
	case engine.IterationStarted:
		if !m.items {
			c.count(event.Visit, MapSome, 0)
		}
		m.items = true
	case engine.IterationFailed:
		if !m.failed {
			c.count(event.Visit, MapFailed, 0)
		}
		m.failed = true
	case engine.MapSucceeded:
		if !m.items {
			c.count(event.Visit, MapNone, 0)
		}
		if m.failed {
			c.count(event.Visit, MapTolerated, 0)
		}
	default:
	}
}

// evaluation counts the conditions of the evaluation that an event completed.
func (c *Collector) evaluation(run Run, i int, event *engine.Event) {
	if event.Type != engine.StageCompleted && event.Type != engine.StageFailed {
		return
	}
	if event.Visit.State.QueryLanguage == asl.JSONata {
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

func (c *Collector) count(visit *engine.Visit, kind Kind, index int) {
	if c.known {
		return
	}
	c.Items.count(ID{State: visit.State.Path(), Kind: kind, Index: index}, 1)
}
