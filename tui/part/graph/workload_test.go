package graph

import (
	"encoding/json"
	"strconv"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/source"
)

// machineOf makes a definition of n states such as people write: tasks in a row with choices, ways back, catchers that
// share their target, and now and then a Parallel or a Map.
func machineOf(t testing.TB, n int) *asl.StateMachine {
	t.Helper()
	states := map[string]any{}
	name := func(i int) string { return "Step" + strconv.Itoa(i) }
	task := func() map[string]any {
		return map[string]any{"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f"}
	}
	inner := func(i int, label string) map[string]any {
		end := task()
		end["End"] = true
		return map[string]any{"StartAt": name(i) + label, "States": map[string]any{name(i) + label: end}}
	}
	made, top := 2, 0
	for ; made < n; made++ {
		i := top
		top++
		state := task()
		switch {
		case i%20 == 13 && made+3 < n:
			state = map[string]any{"Type": "Parallel", "Branches": []any{inner(i, "a"), inner(i, "b")}}
			made += 2
		case i%20 == 17 && made+2 < n:
			state = map[string]any{"Type": "Map", "ItemProcessor": inner(i, "each")}
			made++
		case i%5 == 3:
			state = map[string]any{"Type": "Choice", "Default": name(i + 1), "Choices": []any{
				map[string]any{"Variable": "$.total", "NumericGreaterThan": i, "Next": name(i + 2)},
				map[string]any{"Variable": "$.again", "BooleanEquals": true, "Next": name(i - i%5)},
			}}
			states[name(i)] = state
			continue
		}
		if i%3 == 0 {
			state["Catch"] = []any{map[string]any{"ErrorEquals": []string{"States.ALL"}, "Next": "Failed"}}
		}
		state["Next"] = name(i + 1)
		states[name(i)] = state
	}
	states[name(top)] = map[string]any{"Type": "Succeed"}
	for i := top + 1; i <= top+2; i++ { // a Choice near the end may lead further
		if states[name(i)] == nil && (i-2)%5 == 3 && i-2 < top {
			states[name(i)] = map[string]any{"Type": "Succeed"}
		}
	}
	states["Failed"] = map[string]any{"Type": "Fail"}
	text, err := json.Marshal(map[string]any{"StartAt": name(0), "States": states})
	if err != nil {
		t.Fatal(err)
	}
	definition, problems := asl.Parse(&source.File{Name: "made.asl.json", Data: text})
	if definition == nil {
		t.Fatalf("%v", problems)
	}
	return definition
}
