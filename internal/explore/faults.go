package explore

import (
	"slices"
	"strings"
	"sync"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/services"
	"asldb/engine/value"
)

// UnknownError is an Error Name that no definition names.
const UnknownError = "Unknown.Error"

// own are the errors that only the definition itself raises: no task fails with them.
var own = []string{
	engine.ErrorRuntime, engine.ErrorQueryEvaluation, engine.ErrorDataLimitExceeded, engine.ErrorParameterPathFailure, engine.ErrorIntrinsicFailure,
	engine.ErrorResultPathMatchFailure, engine.ErrorNoChoiceMatched,
}

// notRaised are names in ErrorEquals with which no task fails.
var notRaised = append(slices.Clone(own), engine.ErrorAll, engine.ErrorBranchFailed, engine.ErrorToleratedFailure, engine.ErrorItemReaderFailed,
	engine.ErrorResultWriterFailed, engine.ErrorTimeout, engine.ErrorHeartbeatTimeout)

// lambdaErrors are the errors that Lambda functions and their service raise beyond the table of services.
var lambdaErrors = []string{"Lambda.AWSLambdaException", "Sandbox.Timedout"}

// httpErrors are the errors of calls of HTTP endpoints.
var httpErrors = []string{"States.Http.StatusCode.400", "States.Http.StatusCode.429", "States.Http.StatusCode.500", "States.Http.Socket"}

// faultsOf returns the faults that a task can have, each as a change that comes once in all iterations. request and
// usual are its first request and outcome in a base.
func faultsOf(request *engine.TaskRequest, usual engine.Outcome, limits engine.Limits, compared []string) []Change {
	state := request.Visit.State
	var faults []Change
	for _, name := range errorNames(state, request.Integration, compared) {
		cause := causeOf(name, request, usual)
		faults = append(faults, Change{Kind: Fails, State: state, Error: name, Cause: cause, outcome: engine.Outcome{Error: name, Cause: cause}})
	}
	late := func(name string, after, every time.Duration) {
		faults = append(faults, Change{Kind: Late, State: state, Error: name, outcome: engine.Outcome{Output: value.ObjectOf(), After: after, HeartbeatEvery: every}})
	}
	if request.Timeout > 0 {
		late(engine.ErrorTimeout, request.Timeout+time.Second, request.Heartbeat/2)
	} else {
		faults = append(faults, Change{Kind: Fails, State: state, Error: engine.ErrorTimeout, outcome: engine.Outcome{Error: engine.ErrorTimeout}})
	}
	if request.Heartbeat > 0 && (request.Timeout == 0 || request.Heartbeat < request.Timeout) {
		late(engine.ErrorHeartbeatTimeout, request.Heartbeat+time.Second, 0)
	}
	if limits.Payload > 0 {
		faults = append(faults, Change{Kind: Large, State: state, Error: engine.ErrorDataLimitExceeded, outcome: engine.Outcome{Output: large(limits.Payload)}})
	}
	return faults
}

var largest = sync.OnceValue(func() value.String {
	return value.String(strings.Repeat("x", engine.ServiceLimits().Payload))
})

// large returns a result beyond the quota, in bytes.
func large(quota int) value.Value {
	text := largest()
	if quota != len(text) {
		text = value.String(strings.Repeat("x", quota))
	}
	return value.ObjectOf(value.Member{Key: "large", Value: text})
}

// errorNames returns the errors with which a task can fail: those that its own and its containers' retriers and
// catchers name, those that its integration raises, those with which the definition compares what it has caught,
// States.TaskFailed, and one that nothing names. Each comes once.
func errorNames(state *asl.State, integration engine.Integration, compared []string) []string {
	var names []string
	add := func(list ...string) {
		for _, name := range list {
			named := name != "" && !unfilled(value.String(name))
			if named && !slices.Contains(names, name) && !slices.Contains(notRaised, name) {
				names = append(names, name)
			}
		}
	}
	for s := state; s != nil; s = s.Scope.Container {
		for _, r := range s.Retry {
			add(r.ErrorEquals...)
		}
		for _, c := range s.Catch {
			add(c.ErrorEquals...)
			add(compared...)
		}
	}
	call, known := services.CallOf(state.Resource)
	switch integration.Kind {
	case engine.HTTPTask:
		add(httpErrors...)
	case engine.LambdaTask:
		if invoke, ok := services.CallOf("arn:aws:states:::lambda:invoke"); ok {
			add(invoke.ErrorNames()...)
		}
		add(lambdaErrors...)
	case engine.OptimizedTask, engine.SDKTask:
		if known {
			add(call.ErrorNames()...)
			if call.ServiceName == "lambda" && !call.SDK {
				add(lambdaErrors...)
			}
		}
	case engine.OtherTask, engine.ActivityTask:
	}
	add(engine.ErrorTaskFailed, UnknownError)
	return names
}

// causeOf returns a Cause as the task's service gives it: of a function's own error and of a job that failed it is
// JSON.
func causeOf(name string, request *engine.TaskRequest, usual engine.Outcome) string {
	prefix, _, _ := strings.Cut(name, ".")
	reserved := prefix == "States" && name != engine.ErrorTaskFailed || prefix == "Lambda" || prefix == "Sandbox"
	function := request.Integration.Kind == engine.LambdaTask ||
		request.Integration.Kind == engine.OptimizedTask && request.Integration.ResourceType == "lambda"
	switch {
	case function && !reserved:
		return value.Compact(value.ObjectOf(
			value.Member{Key: "errorMessage", Value: value.String("explored")}, value.Member{Key: "errorType", Value: value.String(name)},
			value.Member{Key: "trace", Value: value.ArrayOf()}))
	case request.Integration.Pattern == engine.RunJob && name == engine.ErrorTaskFailed:
		object, ok := usual.Output.(*value.Object)
		if !ok {
			object = value.ObjectOf()
		}
		if object.Get("Status") != nil {
			object = object.With("Status", value.String("FAILED"))
		}
		return value.Compact(object)
	}
	return "explored"
}

// places returns the faults of a task once and always, and of a task inside of a Map state in the first iteration and
// in all.
func places(state *asl.State) []Where {
	if insideMap(state) {
		return []Where{First, All}
	}
	return []Where{All}
}

// errors returns the errors of a fault.
func (c *Change) errors() []string { return append([]string{c.Error}, c.alike...) }

// with returns a copy of the fault at a place, once or always.
func (c Change) with(where Where, always bool) *Change {
	c.Where, c.Always = where, always
	return &c
}
