package provenance

import (
	"asldb/engine"
	"asldb/engine/asl"
)

// Calculated is the result of a field that is not of the language: a rule's Predicate or a Calculation.
type Calculated struct {
	// Text is the decision or the result in short; Next is where a rule leads.
	Text, Next string
	// Rule is set of a rule: then Holds reports whether it held, and Default where it did not and the state's Default
	// was taken.
	Rule, Holds bool
	Default     string
	Findings    []asl.Finding
}

// Computed explains the fields of the stage of event i, counted from 0, that do not come from the language. It
// is empty where there are none.
func (e *Explainer) Computed(i int) []Calculated {
	event := e.run.Log().At(i)
	if event.Visit == nil {
		return nil
	}
	def := event.Visit.State
	moment := &asl.Moment{Data: event.Before, Now: event.At(), Start: e.run.Start(), Visit: event.Visit.Number}
	switch {
	case event.Type == engine.StageCompleted && event.Stage == engine.StageChoices:
		return explainPredicates(def, moment)
	case event.Type == engine.WaitStarted && def.Seconds != nil && def.Seconds.Calculation != nil:
		detail, _ := event.Detail.(*engine.WaitDetail)
		if detail == nil {
			return nil
		}
		c := def.Seconds.Calculation
		return []Calculated{{Text: c.String(), Findings: c.Explain(moment, engine.Seconds(detail.Until.Sub(event.At())))}}
	case event.Type == engine.StageCompleted && event.Stage == engine.StageLimits && def.TimeoutSeconds != nil && def.TimeoutSeconds.Calculation != nil:
		c := def.TimeoutSeconds.Calculation
		return []Calculated{{Text: def.TimeoutSeconds.Field + ": " + c.String(), Findings: c.Explain(moment, nil)}}
	}
	return nil
}

func explainPredicates(def *asl.State, moment *asl.Moment) []Calculated {
	var computed []Calculated
	for _, rule := range def.Choices {
		if rule.Predicate == nil {
			continue
		}
		holds := rule.Predicate.Holds(moment)
		c := Calculated{Text: rule.Predicate.String(), Next: rule.Next, Rule: true, Holds: holds, Findings: rule.Predicate.Explain(moment)}
		if !holds && rule == def.Choices[len(def.Choices)-1] {
			c.Default = def.Default
		}
		computed = append(computed, c)
		if holds {
			break
		}
	}
	return computed
}
