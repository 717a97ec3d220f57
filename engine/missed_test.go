package engine_test

import (
	"errors"
	"testing"

	"asldb/engine/path"
	"asldb/internal/testkit/runs"
)

// TestMissedPaths has a state for each field that is a path: where it leads to nothing, the Failure has the
// *path.MissError, which says how far it leads.
func TestMissedPaths(t *testing.T) {
	const task = `"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f"`
	const iterator = `"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}`
	for field, state := range map[string]string{
		"InputPath":            `"Type":"Pass","InputPath":"$.orderr"`,
		"OutputPath":           `"Type":"Pass","OutputPath":"$.orderr"`,
		"Parameters":           `"Type":"Pass","Parameters":{"a.$":"$.orderr"}`,
		"Assign":               `"Type":"Pass","Assign":{"a.$":"$.orderr"}`,
		"ResultSelector":       task + `,"ResultSelector":{"a.$":"$.orderr"}`,
		"SecondsPath":          `"Type":"Wait","SecondsPath":"$.orderr"`,
		"TimestampPath":        `"Type":"Wait","TimestampPath":"$.orderr"`,
		"TimeoutSecondsPath":   task + `,"TimeoutSecondsPath":"$.orderr"`,
		"HeartbeatSecondsPath": task + `,"HeartbeatSecondsPath":"$.orderr"`,
		"Credentials":          task + `,"Credentials":{"a.$":"$.orderr"}`,
		"ItemsPath":            `"Type":"Map","ItemsPath":"$.orderr",` + iterator,
		"MaxConcurrencyPath":   `"Type":"Map","ItemsPath":"$.items","MaxConcurrencyPath":"$.orderr",` + iterator,
		"ItemSelector":         `"Type":"Map","ItemsPath":"$.items","ItemSelector":{"a.$":"$.orderr"},` + iterator,
		"ToleratedFailureCountPath": `"Type":"Map","ItemsPath":"$.items","ToleratedFailureCountPath":"$.orderr",` +
			apart,
		"ToleratedFailurePercentagePath": `"Type":"Map","ItemsPath":"$.items","ToleratedFailurePercentagePath":"$.orderr",` + apart,
		"ErrorPath":                      `"Type":"Fail","ErrorPath":"$.orderr"`,
		"CausePath":                      `"Type":"Fail","Error":"E","CausePath":"$.orderr"`,
		"Variable":                       `"Type":"Choice","Choices":[{"Variable":"$.orderr","StringEquals":"a","Next":"S"}]`,
		"StringEqualsPath":               `"Type":"Choice","Choices":[{"Variable":"$.order","StringEqualsPath":"$.orderr","Next":"S"}]`,
	} {
		end := `,"Next":"S"`
		if field == "ErrorPath" || field == "CausePath" || field == "Variable" || field == "StringEqualsPath" {
			end = ""
		}
		definition := `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Variable":"$.order","IsPresent":true,"Next":"A"}],"Default":"S"},"A":{` + state + end + `},"S":{"Type":"Succeed"}}}`
		log := runs.Run(runs.Machine(definition), `{"order":"o-1","items":[1]}`, runs.Echo)
		failure := log.Last().Failure()
		var miss *path.MissError
		switch {
		case failure == nil:
			t.Errorf("%s: the run did not fail", field)
		case !errors.As(failure.Err, &miss):
			t.Errorf("%s: %s: %s has no *path.MissError", field, failure.Name, failure.Cause)
		case field != "ResultSelector" && (miss.Found != "$" || miss.Missing != "orderr" || miss.Suggestion != "order"):
			t.Errorf("%s: found %s, missing %s, did you mean %s", field, miss.Found, miss.Missing, miss.Suggestion)
		}
	}
}

const apart = `"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}`
