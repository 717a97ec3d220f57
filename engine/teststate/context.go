package teststate

import (
	"fmt"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// Names for things that have no real names here.
const (
	accountPrefix = "arn:aws:states:us-east-1:123456789012:"
	machineName   = "StateMachine"
	executionName = "Execution"
)

// contextFields are the members that a context object may have, and the kinds of theirs. KindNull means any.
func contextFields(part string) map[string]value.Kind {
	switch part {
	case "Execution":
		return map[string]value.Kind{
			"Id": value.KindString, "Input": value.KindNull, "Name": value.KindString, "RoleArn": value.KindString,
			"StartTime": value.KindString, "RedriveCount": value.KindNumber, "RedriveTime": value.KindString,
		}
	case "State":
		return map[string]value.Kind{"EnteredTime": value.KindString, "Name": value.KindString, "RetryCount": value.KindNumber}
	case "StateMachine":
		return map[string]value.Kind{"Id": value.KindString, "Name": value.KindString}
	case "Task":
		return map[string]value.Kind{"Token": value.KindString}
	}
	return nil
}

// checkContext refuses a context object that TestState refuses.
func (r *Request) checkContext(state *asl.State) error {
	if r.Context == nil {
		return nil
	}
	if r.Mock == nil {
		return refuse("TestState does not support Context when a mock is not specified.")
	}
	bad := func(format string, args ...any) error {
		return refuse("Invalid Context object provided: %s", fmt.Sprintf(format, args...))
	}
	context, isObject := r.Context.(*value.Object)
	if !isObject {
		return bad("Context must be a JSON object")
	}
	for part, v := range context.All() {
		if part == "Map" {
			return bad("'Map' field is not supported when mocking a Context object")
		}
		fields := contextFields(part)
		if fields == nil {
			return bad("Field '%s' is not allowed", part)
		}
		members, isObject := v.(*value.Object)
		if !isObject {
			return bad("%s must be a object", part)
		}
		for field, member := range members.All() {
			kind, known := fields[field]
			if !known {
				return bad("Field '%s' is not allowed", field)
			}
			if kind != value.KindNull && member.Kind() != kind {
				return bad("%s.%s must be a %s", part, field, kindWord(kind))
			}
		}
	}
	if context.Get("Task") != nil && !hasToken(state) {
		return bad("Context object contains 'Task' when state is not a Task state with a '.sync' or '.waitForTaskToken' service integration pattern")
	}
	return nil
}

func kindWord(kind value.Kind) string {
	if kind == value.KindNumber {
		return "integer"
	}
	return kind.String()
}

// hasToken reports whether the context object has a task token in a state.
func hasToken(state *asl.State) bool {
	return state.Type == asl.Task && engine.IntegrationOf(state.Resource).Pattern != engine.RequestResponse
}

// contextFor returns the context object that the state sees: the one given, or TestState's own. In a Map state it has
// the member Map, as if the input were the item of the first iteration.
func (r *Request) contextFor(state *asl.State, input value.Value, iterated bool) value.Value {
	if r.Context != nil {
		return r.Context
	}
	now := value.String(engine.FormatInstant(r.Start))
	role := value.Value(value.Null{})
	if r.RoleARN != "" {
		role = value.String(r.RoleARN)
	}
	entered := []value.Member{{Key: "Name", Value: value.String(loneName)}, {Key: "EnteredTime", Value: now}}
	switch state.Type {
	case asl.Task, asl.Parallel, asl.Map:
		entered = append(entered, value.Member{Key: "RetryCount", Value: value.Int(r.Configuration.RetrierRetryCount)})
	default:
	}
	members := []value.Member{
		{Key: "Execution", Value: value.ObjectOf(
			value.Member{Key: "Id", Value: value.String(accountPrefix + "express:" + machineName + ":" + executionName)},
			value.Member{Key: "Input", Value: input},
			value.Member{Key: "Name", Value: value.String(executionName)},
			value.Member{Key: "RoleArn", Value: role},
			value.Member{Key: "StartTime", Value: now},
		)},
		{Key: "StateMachine", Value: value.ObjectOf(
			value.Member{Key: "Id", Value: value.String(accountPrefix + "stateMachine:" + machineName)},
			value.Member{Key: "Name", Value: value.String(machineName)},
		)},
		{Key: "State", Value: value.NewObject(entered)},
	}
	if iterated {
		members = append(members, value.Member{Key: "Map", Value: value.ObjectOf(value.Member{Key: "Item", Value: value.ObjectOf(
			value.Member{Key: "Index", Value: value.Int(0)}, value.Member{Key: "Value", Value: input},
		)})})
	}
	if hasToken(state) {
		members = append(members, value.Member{Key: "Task", Value: value.ObjectOf(
			value.Member{Key: "Token", Value: value.String(fmt.Sprintf("token-%x-1", uint64(r.Seed)))},
		)})
	}
	return value.NewObject(members)
}
