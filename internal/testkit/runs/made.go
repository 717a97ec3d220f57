package runs

import (
	"time"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// OrderStub is a definition whose Charge fails where the input's card is "bad-card", and which starts another execution at its end.
const OrderStub = `{"StartAt": "Charge", "States": {
  "Charge": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "charge", "Payload.$": "$"},
    "ResultPath": "$.paid", "Next": "Ship"},
  "Ship": {"Type": "Task", "Resource": "arn:aws:states:::states:startExecution.sync:2",
    "Parameters": {"StateMachineArn": "arn:aws:states:eu-west-1:123456789012:stateMachine:Ship", "Input": {"id.$": "$.id"}}, "End": true}}}`

// Ship is the definition of the execution that [Order] starts.
const Ship = `{"StartAt": "Pack", "States": {"Pack": {"Type": "Pass", "End": true}}}`

// Of returns an execution of Order: it has succeeded, unless the input's card is "bad-card".
func Of(name string, start time.Time, input string) Execution {
	id := Prefix + "execution:Order:" + name
	card := ""
	if object, ok := value.Must(input).(*value.Object); ok {
		text, _ := object.Get("card").(value.String)
		card = string(text)
	}
	run := Run(Machine(OrderStub), input, func(r *engine.TaskRequest) engine.Outcome {
		switch {
		case r.Integration.ResourceType == "states":
			child := Prefix + "execution:Ship:" + name
			return engine.Outcome{Submitted: value.Must(`{"ExecutionArn": "` + child + `"}`), Output: value.Must(`{"ExecutionArn": "` + child + `", "Output": {}}`), After: time.Second}
		case card == "bad-card":
			return engine.Outcome{Error: "Card.Declined", Cause: card + " has no funds", After: time.Second}
		}
		return engine.Outcome{Output: value.Must(`{"Payload": {"ok": true}}`), After: time.Second}
	})
	status := "SUCCEEDED"
	if card == "bad-card" {
		status = "FAILED"
	}
	return Execution{ARN: id, Status: status, Start: start, Definition: OrderStub, Revision: "rev-1", History: documentOf(history.Of(run.All()))}
}

// Shipped returns the execution that one of [Of] has started.
func Shipped(name string, start time.Time) Execution {
	run := Run(Machine(Ship), `{}`, nil)
	return Execution{ARN: Prefix + "execution:Ship:" + name, Status: "SUCCEEDED", Start: start, Definition: Ship, History: documentOf(history.Of(run.All()))}
}

func documentOf(events []history.Event) []byte { return value.Append(nil, history.Document(events)) }
