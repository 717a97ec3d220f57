package engine_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/value"
)

// What the service was measured to do with errors and at which stage (iwamot/sfnx, docs; reports as named), a row each.
func TestMeasuredStages(t *testing.T) {
	const lambda = `"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f"`
	query := func(states string) string {
		return `{"QueryLanguage":"JSONata","StartAt":"S","States":{` + states + `}}`
	}
	const caught = `"H":{"Type":"Pass","Output":"{% $states.input %}","End":true}`
	plain := func(states string) string { return `{"StartAt":"S","States":{` + states + `}}` }
	tests := []struct {
		name, definition, input string
		answer                  answers
		want                    string // the output, or the Error Name
		requests                int    // how many tasks are asked for
	}{
		{"TaskFailed does not take a QueryEvaluationError",
			query(`"S":{` + lambda + `,"Arguments":"{% $error('x') %}","Catch":[{"ErrorEquals":["States.TaskFailed"],"Next":"H"}],"End":true},` + caught), `{}`, echo, "States.QueryEvaluationError", 0},
		{"States.ALL takes it", query(`"S":{` + lambda +
			`,"Arguments":"{% $error('x') %}","Catch":[{"ErrorEquals":["States.ALL"],"Output":1,"Next":"H"}],"End":true},` + caught), `{}`, echo, "1", 0},
		{"a failure in Arguments is retried", query(`"S":{` + lambda +
			`,"Arguments":"{% $states.context.State.RetryCount = 2 ? {'n': 2} : $error('x') %}","Retry":[{"ErrorEquals":["States.QueryEvaluationError"]}],"End":true}`), `{}`, echo, `{"n":2}`, 1},
		{"a failure in Output is retried, with the task",
			query(`"S":{` + lambda + `,"Output":"{% $states.context.State.RetryCount = 2 ? 'ok' : $error('x') %}","Retry":[{"ErrorEquals":["States.ALL"]}],"End":true}`), `{}`, echo, `"ok"`, 3},
		{"a failure in Assign is retried, with the task",
			query(`"S":{` + lambda + `,"Assign":{"v":"{% $states.context.State.RetryCount = 1 ? 7 : $error('x') %}"},"Retry":[{"ErrorEquals":["States.ALL"]}],"Next":"T"},"T":{"Type":"Succeed","Output":"{% $v %}"}`), `{}`, echo, `7`, 2},
		{"the first retrier that matches counts", plain(`"S":{` + lambda +
			`,"Retry":[{"ErrorEquals":["E"],"MaxAttempts":1},{"ErrorEquals":["States.ALL"],"MaxAttempts":5}],"End":true}`), `{}`, inTurn(fails("E")), "E", 2},
		{"a result over the quota is taken by States.ALL",
			plain(`"S":{"Type":"Task","Resource":"arn:aws:states:::aws-sdk:s3:getObject","Parameters":{},"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"H"}],"End":true},"H":{"Type":"Pass","InputPath":"$.e.Error","End":true}`), `{}`, inTurn(gives(`"` + strings.Repeat("x", 300_000) + `"`)), `"States.DataLimitExceeded"`, 1},
		{"a result over the quota is taken by States.TaskFailed",
			plain(`"S":{"Type":"Task","Resource":"arn:aws:states:::aws-sdk:s3:getObject","Parameters":{},"Catch":[{"ErrorEquals":["States.TaskFailed"],"ResultPath":"$.e","Next":"H"}],"End":true},"H":{"Type":"Pass","InputPath":"$.e.Error","End":true}`), `{}`, inTurn(gives(`"` + strings.Repeat("x", 300_000) + `"`)), `"States.DataLimitExceeded"`, 1},
		{"a Parallel fails with the branch's own error",
			plain(`"S":{"Type":"Parallel","Branches":[{"StartAt":"F","States":{"F":{"Type":"Fail","Error":"Own"}}}],"Catch":[{"ErrorEquals":["States.BranchFailed"],"Next":"H"}],"End":true},"H":{"Type":"Pass","End":true}`), `{}`, echo, "Own", 0},
		{"a Choice rule's Assign and Output are its own",
			query(`"S":{"Type":"Choice","Choices":[{"Condition":"{% true %}","Assign":{"v":1},"Output":"rule","Next":"T"}],"Default":"T","Assign":{"w":2},"Output":"state"},"T":{"Type":"Succeed","Output":"{% {'v': $v, 'w': $exists($w), 'in': $states.input} %}"}`), `{}`, echo, `{"v":1,"w":false,"in":"rule"}`, 0},
		{"Default has the state's", query(`"S":{"Type":"Choice","Choices":[{"Condition":"{% false %}","Assign":{"v":1},"Output":"rule","Next":"T"}],"Default":"T","Assign":{"w":2},"Output":"state"},"T":{"Type":"Succeed","Output":"{% {'v': $exists($v), 'w': $w, 'in': $states.input} %}"}`), `{}`, echo, `{"v":false,"w":2,"in":"state"}`, 0},
		{"a catcher's Assign has the retries made",
			query(`"S":{` + lambda + `,"Retry":[{"ErrorEquals":["E"],"MaxAttempts":2}],"Catch":[{"ErrorEquals":["E"],"Assign":{"n":"{% $states.context.State.RetryCount %}"},"Next":"T"}],"End":true},"T":{"Type":"Succeed","Output":"{% $n %}"}`), `{}`, inTurn(fails("E")), "2", 3},
		{"a retry of a Map evaluates Items again",
			query(`"S":{"Type":"Map","Items":"{% $states.context.State.RetryCount = 0 ? ['a'] : ['b','c'] %}","ItemProcessor":{"StartAt":"T","States":{"T":{` + lambda + `,"Arguments":"{% $states.input %}","End":true}}},"Retry":[{"ErrorEquals":["E"]}],"End":true}`), `{}`, inTurn(fails("E"), gives(`1`), gives(`2`)), "[1,2]", 3},
		{"RetryCount is not in a Pass", query(`"S":{"Type":"Pass","Output":"{% $keys($states.context.State) %}","End":true}`), `{}`, echo, `["EnteredTime","Name"]`, 0},
		{"RetryCount is in a Parallel's Arguments",
			query(`"S":{"Type":"Parallel","Arguments":"{% $states.context.State.RetryCount %}","Branches":[{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}}],"End":true}`), `{}`, echo, `[0]`, 0},
		{"the context of a Succeed", query(`"S":{"Type":"Succeed","Output":"{% [$keys($states.context), $count($keys($states.context.Execution)), $count($keys($states.context.State)), $count($keys($states.context.StateMachine))] %}"}`), `{}`, echo, `["Execution","StateMachine","State",6,2,2]`, 0},
		{"a .sync Task has a token in Arguments and Assign",
			query(`"S":{"Type":"Task","Resource":"arn:aws:states:::glue:startJobRun.sync","Arguments":"{% {'t': $type($states.context.Task.Token)} %}","Assign":{"v":"{% $type($states.context.Task.Token) %}"},"Output":"{% $states.result.t %}","Next":"T"},"T":{"Type":"Succeed","Output":"{% [$states.input, $v] %}"}`), `{}`, echo, `["string","string"]`, 1},
		{"a request-response Task has none", query(`"S":{` + lambda +
			`,"Arguments":"{% {'t': $exists($states.context.Task)} %}","End":true}`), `{}`, echo, `{"t":false}`, 1},
		{"a Wait's Assign and Output come after the wait",
			query(`"S":{"Type":"Wait","Seconds":60,"Assign":{"v":"{% $toMillis($now()) %}"},"Output":"{% $toMillis($now()) - $toMillis($states.context.State.EnteredTime) %}","Next":"T"},"T":{"Type":"Succeed","Output":"{% [$states.input, $v - $toMillis($states.context.Execution.StartTime)] %}"}`), `{}`, echo, `[60000,60000]`, 0},
		{"Fail's CausePath takes an intrinsic", plain(
			`"S":{"Type":"Fail","Error":"E","CausePath":"States.Format('{}!', $.a)"}`), `{"a":1}`, echo, "E: 1!", 0},
		{"Fail's ErrorPath that finds nothing", plain(`"S":{"Type":"Fail","ErrorPath":"$.none"}`), `{"a":1}`, echo,
			"States.Runtime: " + entered2 + `The JSONPath '$.none' specified for the field 'ErrorPath' could not be found in the input '{"a":1}'`, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := compile(t, test.definition, engine.AWS).Start(value.Must(test.input),
				engine.StartOptions{Limits: engine.ServiceLimits()})
			events := drive(t, e, test.answer)
			got := ""
			switch failure := e.Failure(); {
			case failure == nil:
				got = value.Compact(e.Output())
			case strings.Contains(test.want, ": "):
				got = failure.Error()
			default:
				got = failure.Name
			}
			if got != test.want {
				t.Errorf("got %s, want %s (%v)", got, test.want, e.Failure())
			}
			if n := count(events, engine.TaskScheduled); n != test.requests {
				t.Errorf("%d tasks were asked for, want %d", n, test.requests)
			}
		})
	}
}
