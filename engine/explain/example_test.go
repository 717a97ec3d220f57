package explain_test

import (
	"fmt"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/source"
	"asldb/engine/value"
)

func Example() {
	src := &source.File{Name: "order.asl.json", Data: []byte(`{"StartAt": "Check", "States": {
		"Check": {"Type": "Choice", "Default": "Free", "Choices": [
			{"Variable": "$.total", "NumericGreaterThan": 100, "Next": "Free"},
			{"Variable": "$.total", "NumericEquals": 0, "Next": "Free"}]},
		"Free": {"Type": "Succeed"}}}`)}
	definition, _ := asl.Parse(src)
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		fmt.Println(err)
		return
	}
	session := debug.New(machine, debug.Options{Input: value.Must(`{"total": 20}`)})
	if _, err := session.Do(debug.Command{Kind: debug.Continue}); err != nil {
		fmt.Println(err)
		return
	}
	for i := range session.Log().Len() {
		if session.Log().At(i).Stage == engine.StageChoices {
			for _, line := range explain.Plain(80).Lines(explain.At(session, i, nil)) {
				fmt.Println(line)
			}
		}
	}
	// Output:
	// 1 no $.total NumericGreaterThan 100 -> Free
	//     $.total is 20
	// 2 no $.total NumericEquals 0 -> Free
	//     $.total is 20
	// no rule holds: Default -> Free
}
