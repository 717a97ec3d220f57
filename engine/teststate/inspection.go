package teststate

import (
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// inspection is the data of the stages that have run, under TestState's keys. A stage whose field is absent
// is shown with the data that goes through it.
func (t *test) inspection(status Status) *value.Object {
	var b value.ObjectBuilder
	b.Set("input", t.input)
	if t.state.Type == asl.Fail && t.state.QueryLanguage == asl.JSONPath {
		b.Set("afterInputPath", t.input)
	}
	t.addStages(&b)
	if t.bounds != nil {
		t.addBounds(&b)
	}
	if status == Succeeded || status == CaughtError {
		variables, _ := t.request.Variables.(*value.Object)
		if t.assigned != nil {
			variables = t.assigned
		}
		if variables != nil && variables.Len() > 0 {
			b.Set("variables", variables)
		}
	}
	if details := t.errorDetails(); details != nil {
		b.Set("errorDetails", details)
	}
	return b.Object()
}

// addStages follows the data through the stages, to the one that failed or was not reached.
func (t *test) addStages(b *value.ObjectBuilder) {
	data := t.input
	for _, info := range engine.StagesOf(t.state) {
		stage := info.Stage
		if stage == engine.StageResultPath && t.state.Type == asl.Pass && t.shows(engine.StageResultSelector) {
			b.Set("afterResultSelector", data) // a Pass state has none, but it is shown all the same
		}
		after, ran := t.after[stage]
		switch {
		case stage == t.failedAt, !ran && t.must(stage):
			return
		case ran:
			data = after
		}
		switch {
		case stage == engine.StageParameters && t.state.Type == asl.Map:
			if info.Declared {
				b.Set("afterItemSelector", value.NewArray(t.selected))
			}
		case t.shows(stage):
			b.Set(engine.InspectionKey(t.state, stage), data)
		}
	}
}

// must reports whether the stages after a stage require it.
func (t *test) must(stage engine.Stage) bool {
	switch stage {
	case engine.StageItemsPath, engine.StageItemReader, engine.StageItemBatcher:
		return true
	}
	return stage == engine.StageResult && t.works()
}

// works reports whether the state's result comes from work, which may fail.
func (t *test) works() bool {
	switch t.state.Type {
	case asl.Task, asl.Parallel, asl.Map:
		return true
	default:
		return false
	}
}

// shows reports whether TestState shows a stage of such a state.
func (t *test) shows(stage engine.Stage) bool {
	if t.state.QueryLanguage == asl.JSONata {
		return t.state.Type == asl.Task && (stage == engine.StageParameters || stage == engine.StageResult)
	}
	switch stage {
	case engine.StageInputPath:
		return t.state.Type != asl.Parallel && t.state.Type != asl.Fail && !t.literal()
	case engine.StageItemsPath:
		return t.state.Type == asl.Map
	case engine.StageItemReader:
		return t.state.ItemReader.Config.ItemsPointer != ""
	case engine.StageItemBatcher:
		return true
	case engine.StageParameters:
		return t.state.Type == asl.Task || (t.state.Type == asl.Pass && !t.literal())
	case engine.StageResult:
		return t.state.Type == asl.Task || t.literal()
	case engine.StageResultSelector, engine.StageResultPath:
		return t.works() || t.state.Type == asl.Pass
	}
	return false
}

// literal reports whether the state is a Pass state with a Result, which reads nothing.
func (t *test) literal() bool { return t.state.Type == asl.Pass && t.state.Result != nil }

// addBounds shows the bounds of a Map state.
func (t *test) addBounds(b *value.ObjectBuilder) {
	b.Set("maxConcurrency", value.Int(int64(t.bounds.MaxConcurrency)))
	if count := t.bounds.FailureCount; count != nil {
		b.Set("toleratedFailureCount", value.Int(int64(*count)))
	}
	if percentage := t.bounds.FailurePercentage; percentage != nil {
		b.Set("toleratedFailurePercentage", value.Float(*percentage))
	}
}

// errorDetails says which retrier and which catcher took the error; nil where none did. A retrier that is
// used up is shown without its delay.
func (t *test) errorDetails() value.Value {
	var b value.ObjectBuilder
	if t.caught != nil {
		b.Set("catchIndex", value.Int(int64(t.caught.Catcher)))
	}
	switch {
	case t.retry != nil:
		b.Set("retryIndex", value.Int(int64(t.retry.Retrier)))
		b.Set("retryBackoffIntervalSeconds", value.Int(int64(t.retry.Backoff/time.Second)))
	case t.failure != nil:
		if index := engine.MatchingRetrier(t.state, t.failure, engine.AWS); index >= 0 {
			b.Set("retryIndex", value.Int(int64(index)))
		}
	}
	if details := b.Object(); details.Len() > 0 {
		return details
	}
	return nil
}
