package waiter_test

import (
	"fmt"
	"log"
	"time"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/engine/waiter"
)

const jobs = `{"smithy": "2.0", "shapes": {
  "x#GetJob": {"type": "operation", "output": {"target": "x#Out"}, "traits": {"smithy.waiters#waitable": {
    "JobDone": {"minDelay": 2, "maxDelay": 20, "acceptors": [
      {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "DONE"}}},
      {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}}]}}}},
  "x#Out": {"type": "structure", "members": {"Status": {"target": "smithy.api#String"}}}}}`

func ExampleWaiter_Step() {
	model, problems := waiter.Read(&source.File{Name: "jobs.json", Data: []byte(jobs)})
	if model == nil {
		log.Fatal(problems[0].Message)
	}
	for _, output := range []string{`{"Status": "RUNNING"}`, `{"Status": "DONE"}`} {
		acceptor, state := model.Lookup("JobDone").Step(&waiter.Response{Output: value.Must(output)})
		fmt.Println(output, acceptor, state)
	}
	definition, err := model.Program(model.Lookup("JobDone"), time.Minute)
	if err != nil {
		log.Fatal(err)
	}
	for state := range definition.All() {
		fmt.Println(state.Type, state.Name)
	}
	// Output:
	// {"Status": "RUNNING"} -1 retry
	// {"Status": "DONE"} 0 success
	// Task GetJob
	// Choice 0 success
	// Choice 1 failure
	// Choice no match
	// Choice time left
	// Wait delay
	// Succeed Success
	// Fail Failure
	// Fail Timeout
}
