package explain_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/explain"
)

// TestEveryPathFieldSaysWhoLostIt: whichever field did not find its path, the end of the run says what was found, what
// is missing and which state lost it.
func TestEveryPathFieldSaysWhoLostIt(t *testing.T) {
	const each = `"Type":"Map","ItemsPath":"$.l","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true`
	run := strings.Replace(each, `"StartAt":"I"`, `"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"I"`, 1)
	for field, state := range map[string]string{
		"ToleratedFailurePercentagePath":        run + `,"ToleratedFailurePercentagePath":"$.gone.x"`,
		"ToleratedFailureCountPath":             run + `,"ToleratedFailureCountPath":"$.gone.x"`,
		"ItemBatcher/MaxItemsPerBatchPath":      run + `,"ItemBatcher":{"MaxItemsPerBatchPath":"$.gone.x"}`,
		"ItemBatcher/MaxInputBytesPerBatchPath": run + `,"ItemBatcher":{"MaxInputBytesPerBatchPath":"$.gone.x"}`,
		"ItemBatcher/BatchInput":                run + `,"ItemBatcher":{"MaxItemsPerBatch":1,"BatchInput":{"a.$":"$.gone.x"}}`,
		"ItemReader/ReaderConfig/MaxItemsPath":  strings.Replace(run, `"ItemsPath":"$.l"`, `"ItemReader":{"Resource":"arn:aws:states:::s3:listObjectsV2","ReaderConfig":{"MaxItemsPath":"$.gone.x"},"Parameters":{"Bucket":"b"}}`, 1),
		"ItemReader/Parameters":                 strings.Replace(run, `"ItemsPath":"$.l"`, `"ItemReader":{"Resource":"arn:aws:states:::s3:listObjectsV2","Parameters":{"Bucket.$":"$.gone.x"}}`, 1),
		"ResultWriter/Parameters":               run + `,"ResultWriter":{"Resource":"arn:aws:states:::s3:putObject","Parameters":{"Bucket.$":"$.gone.x","Prefix":"p"}}`,
		"InputPath":                             `"Type":"Pass","InputPath":"$.gone.x","End":true`,
		"OutputPath":                            `"Type":"Pass","OutputPath":"$.gone.x","End":true`,
		"Parameters":                            `"Type":"Pass","Parameters":{"a.$":"$.gone.x"},"End":true`,
		"Assign":                                `"Type":"Pass","Assign":{"a.$":"$.gone.x"},"End":true`,
		"SecondsPath":                           `"Type":"Wait","SecondsPath":"$.gone.x","End":true`,
		"TimestampPath":                         `"Type":"Wait","TimestampPath":"$.gone.x","End":true`,
		"TimeoutSecondsPath":                    lambda + `,"TimeoutSecondsPath":"$.gone.x","End":true`,
		"HeartbeatSecondsPath":                  lambda + `,"HeartbeatSecondsPath":"$.gone.x","End":true`,
		"Credentials":                           lambda + `,"Credentials":{"RoleArn.$":"$.gone.x"},"End":true`,
		"ErrorPath":                             `"Type":"Fail","ErrorPath":"$.gone.x"`,
		"CausePath":                             `"Type":"Fail","CausePath":"$.gone.x"`,
		"ItemsPath":                             strings.Replace(each, "$.l", "$.gone.x", 1),
		"ItemSelector":                          each + `,"ItemSelector":{"a.$":"$.gone.x"}`,
		"MaxConcurrencyPath":                    each + `,"MaxConcurrencyPath":"$.gone.x"`,
		"Choices":                               `"Type":"Choice","Choices":[{"Variable":"$.gone.x","StringEquals":"a","Next":"E"}],"Default":"E"},"E":{"Type":"Succeed"`,
	} {
		s := open(t, `{"StartAt":"L","States":{"L":{"Type":"Pass","Parameters":{"l":[1]},"Next":"S"},"S":{`+state+`}}}`, `{"gone":{"x":1}}`)
		play(t, s, engine.Outcome{})
		text := strings.Join(explain.Plain(60).Lines(explain.Failed(s, nil)), "\n")
		failure := s.Log().Last().Failure()
		if place, _ := failure.Place(); !strings.Contains(place.Pointer, "/"+field) {
			t.Errorf("%s: the place is %s", field, place.Pointer)
		}
		for _, want := range []string{"\n$.gone.x is missing: $ has only l.\n", " L lost it: Parameters"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", field, want, text)
			}
		}
	}
}
