package history

import (
	"time"

	"asldb/engine"
	"asldb/engine/value"
)

// region is the one that a local run says it is in.
const region = "us-east-1"

// task writes the events of a task, by the kind of its integration. It reports false for other events.
func (c *converter) task(event *engine.Event) bool {
	switch event.Type {
	case engine.TaskScheduled:
		if request, ok := event.Detail.(*engine.TaskRequest); ok {
			c.scheduled(event, request)
		}
	case engine.TaskSubmitted:
		of := engine.IntegrationOf(event.Visit.State.Resource)
		c.next(event, "TaskSubmitted", "taskSubmittedEventDetails",
			members(of, c.payload("output", event.After), details("outputDetails"))...)
	case engine.TaskSucceeded:
		c.ended(event, "Succeeded", c.payload("output", event.After), details("outputDetails"))
	case engine.TaskFailed:
		c.ended(event, "Failed", failureMembers(event.Failure())...)
	case engine.TaskTimedOut:
		c.ended(event, "TimedOut", failureMembers(event.Failure())...)
	default:
		return false
	}
	return true
}

// names are how events and their details are called for one kind of task.
type names struct{ event, details string }

func namesOf(of engine.Integration) names {
	switch of.Kind {
	case engine.LambdaTask:
		return names{"LambdaFunction", "lambdaFunction"}
	case engine.ActivityTask:
		return names{"Activity", "activity"}
	default:
		return names{"Task", "task"}
	}
}

// members puts the members that every event of a service integration has before an event's own.
func members(of engine.Integration, own ...value.Member) []value.Member {
	if of.Kind == engine.LambdaTask || of.Kind == engine.ActivityTask {
		return own
	}
	return append([]value.Member{textMember("resourceType", of.ResourceType), textMember("resource", of.Resource)},
		own...)
}

func (c *converter) ended(event *engine.Event, how string, own ...value.Member) {
	of := engine.IntegrationOf(event.Visit.State.Resource)
	called := namesOf(of)
	c.next(event, called.event+how, called.details+how+"EventDetails", members(of, own...)...)
}

func (c *converter) scheduled(event *engine.Event, request *engine.TaskRequest) {
	of := request.Integration
	called := namesOf(of)
	var own []value.Member
	if called.event == "Task" {
		own = members(of, textMember("region", region), c.payload("parameters", request.Parameters))
	} else {
		own = []value.Member{textMember("resource", request.Resource), c.payload("input", request.Parameters),
			details("inputDetails")}
	}
	own = append(own, bound("timeoutInSeconds", request.Timeout, request.TimeoutSet)...)
	own = append(own, bound("heartbeatInSeconds", request.Heartbeat, request.Heartbeat > 0)...)
	if credentials, ok := request.Credentials.(*value.Object); ok {
		if role := credentials.Get("RoleArn"); role != nil {
			own = append(own, value.Member{Key: "taskCredentials",
				Value: value.ObjectOf(value.Member{Key: "roleArn", Value: role})})
		}
	}
	c.next(event, called.event+"Scheduled", called.details+"ScheduledEventDetails", own...)
	switch of.Kind {
	case engine.LambdaTask:
		c.next(event, "LambdaFunctionStarted", "")
	case engine.ActivityTask:
		c.next(event, "ActivityStarted", "activityStartedEventDetails")
	default:
		c.next(event, "TaskStarted", "taskStartedEventDetails", members(of)...)
	}
}

// bound is the member of a time limit, none where none was set.
func bound(key string, limit time.Duration, set bool) []value.Member {
	if !set {
		return nil
	}
	return []value.Member{secondsMember(key, limit.Seconds())}
}

func (e *Event) at() time.Time { return time.Unix(0, e.Time) }
