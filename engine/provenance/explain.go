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
	queries := queriesOf(e.run.Log(), event)
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

// limits returns the bounds of an evaluation that is done again. own reports whether they are those of the run.
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
func queriesOf(log *runlog.Log, event *engine.Event) []*template.Query {
	var queries []*template.Query
	if event.Visit != nil && event.Stage == engine.StageChoices {
		for _, rule := range event.Visit.State.Choices {
			if rule.Query != nil {
				queries = append(queries, rule.Query)
			}
		}
		return queries
	}
	if query := queryOf(log, event); query != nil && !query.Constant() {
		queries = append(queries, query)
	}
	return queries
}

// queryOf returns the field behind a stage in JSONata, nil where there is none.
func queryOf(log *runlog.Log, event *engine.Event) *template.Query {
	visit := event.Visit
	if visit == nil || visit.State.QueryLanguage != asl.JSONata {
		return nil
	}
	def := visit.State
	var field *asl.TemplateField
	switch event.Stage {
	case engine.StageParameters:
		if field = def.Arguments; def.Type == asl.Map {
			field = def.ItemSelector
		}
	case engine.StageItemsPath:
		field = def.Items
	case engine.StageAssign:
		field = caughtOr(log, event, def.Assign, func(c *asl.Catcher) *asl.TemplateField { return c.Assign })
		if rule := ruleOf(log, event); rule != nil {
			field = rule.Assign
		}
	case engine.StageOutputPath:
		field = caughtOr(log, event, def.Output, func(c *asl.Catcher) *asl.TemplateField { return c.Output })
		if rule := ruleOf(log, event); rule != nil {
			field = rule.Output
		}
	case engine.StageWait:
		for _, quantity := range []*asl.Quantity{def.Seconds, def.Timestamp} {
			if quantity != nil {
				return quantity.Query
			}
		}
	}
	if field == nil {
		return nil
	}
	return field.Query
}

// ruleOf returns the rule of a Choice state that matched in the event's visit, nil for Default, for other
// states, and while the visit has not been left.
func ruleOf(log *runlog.Log, event *engine.Event) *asl.ChoiceRule {
	choices := event.Visit.State.Choices
	for i := int(event.Seq); len(choices) > 0 && i < log.Len(); i++ {
		later := log.At(i)
		if later.Visit != event.Visit {
			continue
		}
		switch detail, ok := later.Detail.(*engine.ExitDetail); {
		case ok && detail.Rule >= 0 && detail.Rule < len(choices):
			return choices[detail.Rule]
		case ok || later.Type == engine.StateFailed:
			return nil
		}
	}
	return nil
}

// caughtOr returns the catcher's field where the visit had gone over to a catcher by the time of the event,
// and the state's own otherwise.
func caughtOr(log *runlog.Log, event *engine.Event, own *asl.TemplateField, of func(*asl.Catcher) *asl.TemplateField) *asl.TemplateField {
	for i := int(event.Seq) - 2; i >= int(event.Visit.Entered); i-- {
		if earlier := log.At(i); earlier.Visit == event.Visit && earlier.Type == engine.ErrorCaught {
			if catcher := catcherOf(earlier); catcher != nil {
				return of(catcher)
			}
			break
		}
	}
	return own
}

// catcherOf returns the catcher that an event says has caught an error; nil where the definition does not have it, as it may
// be of events that another one brought.
func catcherOf(event *engine.Event) *asl.Catcher {
	detail, ok := event.Detail.(*engine.CatchDetail)
	if !ok || detail.Catcher < 0 || detail.Catcher >= len(event.Visit.State.Catch) {
		return nil
	}
	return event.Visit.State.Catch[detail.Catcher]
}
