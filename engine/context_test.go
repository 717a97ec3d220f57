package engine_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/value"
)

// The context object belongs to the visit, the attempt and the item, in every stage and after a wait.
func TestContextFollowsTheVisit(t *testing.T) {
	definition := `{"StartAt":"Each","States":{
		"Each":{"Type":"Map","ItemsPath":"$.items","ItemSelector":{"index.$":"$$.Map.Item.Index","value.$":"$$.Map.Item.Value","state.$":"$$.State.Name","entered.$":"$$.State.EnteredTime"},
			"ItemProcessor":{"StartAt":"In","States":{"In":{"Type":"Pass","Parameters":{"of.$":"$","state.$":"$$.State"},"End":true}}},
			"ResultPath":"$.each","Next":"Pause"},
		"Pause":{"Type":"Wait","Seconds":90,"Next":"Try"},
		"Try":{` + taskFields + `,"Parameters":{"context.$":"$$"},"ResultSelector":{"got.$":"$","retries.$":"$$.State.RetryCount"},
			"Retry":[{"ErrorEquals":["E"],"IntervalSeconds":5}],"ResultPath":"$.try","Next":"Last"},
		"Last":{"Type":"Pass","Parameters":{"each.$":"$.each","try.$":"$.try","last.$":"$$.State.EnteredTime","who.$":"$$.Execution.Owner"},"End":true}}}`
	e := compile(t, definition, engine.AWS).Start(value.Must(`{"items":["a","b"]}`), engine.StartOptions{
		Seed: 1, Context: value.Must(`{"Execution":{"Owner":"me"},"StateMachine":null,"State":{"Name":"given"}}`),
	})
	drive(t, e, func(r *engine.TaskRequest) engine.Outcome {
		if r.Attempt == 1 {
			return fails("E")
		}
		context := r.Parameters.(*value.Object).Get("context").(*value.Object)
		return engine.Outcome{Output: context.Get("State")}
	})
	in := func(index, item string) string {
		return `{"of":{"index":` + index + `,"value":` + item +
			`,"state":"given","entered":"2000-01-01T00:00:00Z"},"state":{"EnteredTime":"2000-01-01T00:00:00Z","Name":"given"}}`
	}
	wantOutput(t, e, `{"each":[`+in("0", `"a"`)+`,`+in("1", `"b"`)+`],
		"try":{"got":{"EnteredTime":"2000-01-01T00:01:30Z","Name":"given","RetryCount":1},"retries":1},
		"last":"2000-01-01T00:01:35Z","who":"me"}`)
}
