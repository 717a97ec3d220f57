package provenance

import (
	"errors"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/interrupt"
	"asldb/engine/jsonata"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/template"
	"asldb/engine/value"
)

// Run is the run whose evaluations an [Explainer] does again.
type Run interface {
	// Log returns the events that are known.
	Log() *runlog.Log
	// Start returns the start time of the execution, Limits the quotas that it is held to.
	Start() time.Time
	Limits() engine.Limits
	// RootsAt returns the context object at event i, and a look-up for the variables. Both are nil for events of the
	// whole execution.
	RootsAt(i int) (context value.Value, variables func(name string) value.Value)
	// Machine is the machine that runs.
	Machine() *engine.Machine
	// Poll interrupts evaluations.
	Poll() *interrupt.Poll
}

// Explainer does the evaluations of a run again to show their parts.
type Explainer struct{ run Run }

// NewExplainer returns an Explainer for a run.
func NewExplainer(run Run) *Explainer { return &Explainer{run: run} }

// explainSteps bounds an evaluation that is done again: a user does not wait twice for a long one.
const explainSteps = 5 * engine.SlowSteps

// Unexplained says why the expressions of a stage are not explained.
type Unexplained struct {
	// Steps is the number of steps that evaluating them took in the run, where that was long; else 0.
	Steps int
	// Bound is the number of steps after which explaining was given up; 0 where it was not.
	Bound int
	// Random: they drew random numbers, and the events come from a recording, which does not say which.
	Random bool
	// Interrupted is the reason for which explaining them was interrupted, or nil.
	Interrupted error
}

// Stage returns the JSONata expressions of the stage that event i of the log, counted from 0, completed or failed, with the
// value of each of their parts. It is empty for other events. Random numbers are those that the run drew.
// Where there is something to explain and it is not done, the second result says why.
func (e *Explainer) Stage(i int) ([]template.Explanation, *Unexplained) {
	event := e.run.Log().At(i)
	if event.Type != engine.StageCompleted && event.Type != engine.StageFailed {
		return nil, nil
	}
	queries := queriesOf(e.run.Log(), i)
	if len(queries) == 0 {
		return nil, nil
	}
	if v := e.run.Log().Evaluation(i); v != nil && v.Steps > 0 {
		return nil, &Unexplained{Steps: v.Steps}
	}
	e.run.Poll().Reset()
	bounds, own := e.limits()
	random := &drawnRandom{}
	if pcg := e.run.Log().Evaluation(i).Random(); pcg != nil {
		random.known = pcg
	}
	context, variables := e.run.RootsAt(i)
	roots := &template.QueryRoots{
		States: console.States(e.run.Log(), event.Visit, i, context), Variables: variables, Poll: e.run.Poll(),
		Env: jsonata.Env{Now: event.At(), Random: random, Limits: bounds, Profile: e.run.Machine().Dialect().Profile()},
	}
	var explained []template.Explanation
	for _, query := range queries {
		explained = append(explained, query.Explain(roots)...)
		if err := e.run.Poll().Err(); err != nil {
			return nil, &Unexplained{Interrupted: err}
		}
		last := explained[len(explained)-1]
		var fault *jsonata.Error
		switch {
		case random.missed:
			return nil, &Unexplained{Random: true}
		case !own && errors.As(last.Err, &fault) && fault.Own:
			return nil, &Unexplained{Bound: bounds.Steps}
		case event.Stage == engine.StageChoices && (last.Err != nil || last.Trace.Value == value.Bool(true)):
			return explained, nil // the rules after it were not looked at
		}
	}
	return explained, nil
}

// limits returns the bounds of an evaluation that is done again. own reports whether they are the run's.
func (e *Explainer) limits() (bounds jsonata.Limits, own bool) {
	if most := e.run.Limits().Evaluation; most > 0 && most <= explainSteps {
		return jsonata.Limits{Steps: most, Cells: most}, true
	}
	return jsonata.Limits{Steps: explainSteps, Cells: explainSteps}, false
}

// drawnRandom gives the random numbers that a run drew, once more.
type drawnRandom struct {
	known  jsonata.Random // nil where nothing is known of them
	missed bool           // one was asked for that is not known
}

// Uint64 implements [jsonata.Random].
func (r *drawnRandom) Uint64() uint64 {
	if r.known == nil {
		r.missed = true
		return 0
	}
	return r.known.Uint64()
}

// Choice explains the rules of the Choice state that event i of the log, counted from 0, is about, as
// [engine.ExplainChoice] does. Where there is something to explain and it is not done, the second result says why.
func (e *Explainer) Choice(i int) ([]engine.RuleResult, *Unexplained) {
	event := e.run.Log().At(i)
	if event.Visit == nil || event.Before == nil {
		return nil, nil
	}
	if v := e.run.Log().Evaluation(i); v != nil && v.Steps > 0 {
		return nil, &Unexplained{Steps: v.Steps}
	}
	e.run.Poll().Reset()
	context, variables := e.run.RootsAt(i)
	results := engine.ExplainChoice(event.Visit.State, &path.Roots{Data: event.Before, Context: context, Variables: variables, Poll: e.run.Poll()})
	if err := e.run.Poll().Err(); err != nil {
		return nil, &Unexplained{Interrupted: err}
	}
	return results, nil
}

// queriesOf returns the fields behind a stage in JSONata: the conditions of a Choice, or one field.
func queriesOf(log *runlog.Log, i int) (queries []*template.Query) {
	m := (&tracer{log: log}).moveAt(i)
	if m == nil {
		return nil
	}
	list := []asl.Move{*m}
	if r := m.To.Register; r == asl.RegisterDecision || r == asl.RegisterInstant {
		list = m.Parts()
	} else if !fills(m) {
		return nil
	}
	for k := range list {
		if q := list[k].Query; q != nil && !q.Constant() {
			queries = append(queries, q)
		}
	}
	return queries
}
