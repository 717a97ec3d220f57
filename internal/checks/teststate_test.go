package checks

import (
	"errors"
	"fmt"

	"asldb/engine"
	"asldb/engine/source"
	"asldb/engine/teststate"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// inspectionData is the aspect that only TestState has.
const inspectionData = "inspectionData"

// examineTestState makes the requests that AWS was sent, and compares the answers.
func examineTestState(c *runs.Case) []verdict {
	got, err := askTestState(c)
	verdicts := []verdict{{result, ""}}
	if c.Expect.Get("cause") != nil {
		verdicts = append(verdicts, verdict{cause, ""})
	}
	if c.Expect.Get("inspectionData") != nil {
		verdicts = append(verdicts, verdict{inspectionData, ""})
	}
	for i := range verdicts {
		v := &verdicts[i]
		switch {
		case err != nil:
			v.difference = err.Error()
		case v.aspect == result:
			v.difference = firstDifference(c, got, "status", "output", "error", "nextState")
		default:
			v.difference = firstDifference(c, got, v.aspect)
		}
	}
	// Where AWS gave no inspectionData or cause, there must be none either.
	if verdicts[0].difference == "" && err == nil {
		verdicts[0].difference = surplus(c, got)
	}
	return verdicts
}

// askTestState returns the answer as the cases have it: a refusal is the status EXCEPTION.
func askTestState(c *runs.Case) (*value.Object, error) {
	request, err := testStateRequest(c)
	if err == nil {
		var response *teststate.Response
		if response, err = teststate.Run(request); err == nil {
			return response.Object(true), nil
		}
	}
	var refusal *teststate.Refusal
	if errors.As(err, &refusal) {
		return value.ObjectOf(
			value.Member{Key: "status", Value: value.String("EXCEPTION")},
			value.Member{Key: "error", Value: value.String(refusal.Name)},
			value.Member{Key: "cause", Value: value.String(refusal.Message)},
		), nil
	}
	return nil, err
}

func testStateRequest(c *runs.Case) (*teststate.Request, error) {
	given, ok := c.Object.Get("testState").(*value.Object)
	if !ok {
		given = value.ObjectOf()
	}
	request := &teststate.Request{
		Definition: &source.File{Name: c.Name, Data: c.Definition},
		Input:      c.Input, Context: c.Context, Variables: c.Object.Get("variables"), Start: c.RecordedAt,
	}
	if name, ok := given.Get("stateName").(value.String); ok {
		text := string(name)
		request.StateName = &text
	}
	if level, ok := given.Get("inspectionLevel").(value.String); ok {
		parsed, err := teststate.ParseLevel(string(level))
		if err != nil {
			return nil, err
		}
		request.Level = parsed
	}
	if given.Get("roleArnGiven") == value.Bool(true) {
		request.RoleARN = "arn:aws:iam::111111111111:role/role"
	}
	request.RevealSecrets = given.Get("revealSecrets") == value.Bool(true)
	var err error
	if mock := given.Get("mock"); mock != nil {
		if request.Mock, err = teststate.ParseMock(mock); err != nil {
			return nil, err
		}
	}
	if configuration := given.Get("stateConfiguration"); configuration != nil {
		if request.Configuration, err = teststate.ParseConfiguration(configuration); err != nil {
			return nil, err
		}
	}
	request.Call = callRecorded(c, request.StateName)
	return request, nil
}

// callRecorded answers a task with the recorded result. A lone state's results have an empty name.
func callRecorded(c *runs.Case, stateName *string) func(*engine.TaskRequest) (engine.Outcome, error) {
	return func(request *engine.TaskRequest) (engine.Outcome, error) {
		results, _ := c.Object.Get("taskResults").(*value.Object)
		name := ""
		if stateName != nil {
			name = *stateName
		}
		attempts, _ := results.Get(name).(*value.Array)
		if attempts == nil {
			return engine.Outcome{}, &runs.MissingError{State: request.Visit.State.Name}
		}
		attempt := attempts.At(0).(*value.Object)
		if output := attempt.Get("output"); output != nil {
			return engine.Outcome{Output: output}, nil
		}
		failed, _ := attempt.Get("error").(value.String)
		why, _ := attempt.Get("cause").(value.String)
		return engine.Outcome{Error: string(failed), Cause: string(why)}, nil
	}
}

func firstDifference(c *runs.Case, got *value.Object, keys ...string) string {
	for _, key := range keys {
		want, found := c.Expect.Get(key), got.Get(key)
		if want == nil && found == nil {
			continue
		}
		if want == nil || !c.Same("/expect/"+key, want, found) {
			return fmt.Sprintf("%s %s, recorded %s (%s)", key, value.Preview(found, 600), value.Preview(want, 600),
				value.Preview(got, 300))
		}
	}
	return ""
}

// surplus returns the members that AWS did not give.
func surplus(c *runs.Case, got *value.Object) string {
	for key, v := range got.All() {
		if c.Expect.Get(key) == nil && (key != cause || c.Object.Get("causeUnknown") == nil) {
			return fmt.Sprintf("%s %s, recorded none", key, value.Preview(v, 300))
		}
	}
	return ""
}
