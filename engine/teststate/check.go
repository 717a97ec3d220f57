package teststate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

func refuse(format string, args ...any) error {
	return &Refusal{Name: validation, Message: fmt.Sprintf(format, args...)}
}

// maxInput is the greatest size of an input in bytes of compact JSON.
const maxInput = 256 * 1024

// checkParameters makes the API's checks that precede the definition's.
func (r *Request) checkParameters() error {
	switch {
	case r.StateName != nil && *r.StateName == "":
		return badLength("stateName")
	case r.Definition == nil || len(r.Definition.Data) == 0:
		return badLength("definition")
	case r.Configuration.RetrierRetryCount < 0:
		return badRange("retrierRetryCount", r.Configuration.RetrierRetryCount)
	case r.Configuration.MapIterationFailureCount != nil && *r.Configuration.MapIterationFailureCount < 0:
		return badRange("mapIterationFailureCount", *r.Configuration.MapIterationFailureCount)
	}
	if err := r.checkLengths(); err != nil {
		return err
	}
	if r.Input != nil && value.Size(r.Input) > maxInput {
		return refuse("Input exceeds the maximum length of %d bytes", maxInput)
	}
	return nil
}

// The greatest lengths of texts in a request, in characters (API reference: MockInput, TestStateConfiguration).
const (
	maxText      = 262_144
	maxStateName = 80
)

func (r *Request) checkLengths() error {
	const constraint = "failed to satisfy constraint: Member must have length less than or equal to"
	result, name := (*string)(nil), r.Configuration.ErrorCausedByState
	if r.Mock != nil {
		result = r.Mock.Result
	}
	switch {
	case longerThan(result, maxText):
		return refuse("1 validation error detected: Value at 'mock.result' %s %d", constraint, maxText)
	case longerThan(r.Configuration.MapItemReaderData, maxText):
		return refuse("1 validation error detected: Value at 'stateConfiguration.mapItemReaderData' %s %d", constraint, maxText)
	case longerThan(&name, maxStateName):
		return refuse("1 validation error detected: Value '%s' at 'stateConfiguration.errorCausedByState' %s %d", name, constraint, maxStateName)
	}
	return nil
}

func longerThan(text *string, most int) bool {
	return text != nil && len(*text) > most && utf8.RuneCountInString(*text) > most
}

func badLength(parameter string) error {
	return &Refusal{Name: badParameter, Message: fmt.Sprintf(
		"Parameter validation failed:\nInvalid length for parameter %s, value: 0, valid min length: 1", parameter)}
}

func badRange(parameter string, v int64) error {
	return &Refusal{Name: badParameter, Message: fmt.Sprintf(
		"Parameter validation failed:\nInvalid range for parameter stateConfiguration.%s, value: %d, valid min value: 0", parameter, v)}
}

// memberOf returns the place of a parameter's word in its set, 0 for "".
func memberOf(set []string, word, parameter string) (int, error) {
	if word == "" {
		return 0, nil
	}
	if at := slices.Index(set, word); at >= 0 {
		return at, nil
	}
	return 0, refuse("1 validation error detected: Value '%s' at '%s' failed to satisfy constraint: Member must satisfy enum value set: [%s]",
		word, parameter, strings.Join(set, ", "))
}

// check makes TestState's checks of a valid definition. It returns the mocked result, nil
// where there is none.
func (r *Request) check(state *asl.State) (value.Value, error) {
	if r.Configuration.MapIterationFailureCount != nil && r.Mock == nil {
		return nil, refuse("TestState does not support MapIterationFailureCount when a mock is not specified.")
	}
	if err := r.checkMockAllowed(state); err != nil {
		return nil, err
	}
	if r.Variables != nil && r.Variables.Kind() != value.KindObject {
		return nil, refuse("Variables must be a JSON object.")
	}
	result, err := r.checkMock(state)
	if err != nil {
		return nil, err
	}
	if err := r.checkCause(state); err != nil {
		return nil, err
	}
	return result, r.checkContext(state)
}

// checkMockAllowed checks that a mock is there where the state needs one, and not where it takes none.
func (r *Request) checkMockAllowed(state *asl.State) error {
	container := state.Type == asl.Map || state.Type == asl.Parallel
	if r.Mock != nil {
		if !container && state.Type != asl.Task {
			return refuse("State type '%s' is not supported when a mock is specified", state.Type)
		}
		if r.RevealSecrets {
			return refuse("TestState does not support RevealSecrets when a mock is specified.")
		}
		return nil
	}
	switch integration := engine.IntegrationOf(state.Resource); {
	case container:
		return &Refusal{Name: invalidDefinition, Message: "TestState API does not support Map or Parallel states. " +
			"Supported state types include: [Task, Wait, Pass, Succeed, Fail, Choice]"}
	case state.Type != asl.Task:
		return nil
	case r.RoleARN == "":
		return refuse("RoleArn must be specified when testing a Task state")
	case integration.Kind == engine.ActivityTask || integration.Pattern != engine.RequestResponse:
		return &Refusal{Name: invalidDefinition, Message: fmt.Sprintf(
			"TestState API does not support the resource %s when a mock is not specified.", state.Resource)}
	}
	return nil
}

// checkMock reads the mocked result and compares it with the result of the state's work.
func (r *Request) checkMock(state *asl.State) (value.Value, error) {
	mock := r.Mock
	switch {
	case mock == nil:
		return nil, nil
	case mock.Result != nil && mock.Error != nil:
		return nil, refuse("A test mock should have only one of the following fields: [result, errorOutput].")
	case mock.Result == nil && mock.Error == nil:
		return nil, refuse("A test mock must have one of the following fields: [result, errorOutput].")
	case mock.Error != nil:
		return nil, nil
	}
	result, err := value.ParseString(*mock.Result)
	if err != nil {
		return nil, refuse("Mocked result must be valid JSON")
	}
	switch state.Type {
	case asl.Task:
		return result, checkShape(state.Resource, result, mock.Validation)
	case asl.Map:
		return result, r.checkMapResult(state, result)
	default:
	}
	array, isArray := result.(*value.Array)
	switch {
	case !isArray:
		return nil, refuse("Mocked result must be an array.")
	case array.Len() != len(state.Branches):
		return nil, refuse("Mocked result must contain the same number of items as number of Parallel branches.")
	}
	return result, nil
}

func (r *Request) checkMapResult(state *asl.State, result value.Value) error {
	array, isArray := result.(*value.Array)
	switch {
	case state.ResultWriter != nil && result.Kind() != value.KindObject:
		return refuse("Mocked result must be a JSON object.")
	case state.ResultWriter != nil:
		return nil
	case !isArray:
		return refuse("Mocked result must be an array.")
	}
	if failed := r.Configuration.MapIterationFailureCount; failed != nil && *failed > int64(array.Len()) {
		return refuse("Map iteration failure count must be less than or equal to the number of Map iterations")
	}
	return nil
}

// checkCause checks that the state which a mocked error comes from is in the Parallel or Map state.
func (r *Request) checkCause(state *asl.State) error {
	name := r.Configuration.ErrorCausedByState
	scopes := state.Branches
	if state.Processor != nil {
		scopes = []*asl.Scope{state.Processor}
	}
	if name == "" || len(scopes) == 0 {
		return nil
	}
	for _, scope := range scopes {
		if inScope(scope, name) {
			return nil
		}
	}
	return refuse("The state '%s' named by ErrorCausedByState is not in the state under test", name)
}

// inScope reports whether a state of that name is in the scope, or in one below it.
func inScope(scope *asl.Scope, name string) bool {
	for _, state := range scope.States {
		if state.Name == name || (state.Processor != nil && inScope(state.Processor, name)) {
			return true
		}
		for _, branch := range state.Branches {
			if inScope(branch, name) {
				return true
			}
		}
	}
	return false
}
