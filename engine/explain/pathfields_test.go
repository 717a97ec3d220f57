package explain_test

import (
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/explain"
)

// TestEveryPathFieldSaysWhoLostIt: whichever field did not find its path, the end of the run says what was found, what is missing and
// which state lost it.
func TestEveryPathFieldSaysWhoLostIt(t *testing.T) {
	const each = `"Type":"Map","ItemsPath":"$.l","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true`
	for field, state := range map[string]string{
		"InputPath":            `"Type":"Pass","InputPath":"$.gone.x","End":true`,
		"OutputPath":           `"Type":"Pass","OutputPath":"$.gone.x","End":true`,
		"Parameters":           `"Type":"Pass","Parameters":{"a.$":"$.gone.x"},"End":true`,
		"Assign":               `"Type":"Pass","Assign":{"a.$":"$.gone.x"},"End":true`,
		"SecondsPath":          `"Type":"Wait","SecondsPath":"$.gone.x","End":true`,
		"TimestampPath":        `"Type":"Wait","TimestampPath":"$.gone.x","End":true`,
		"TimeoutSecondsPath":   lambda + `,"TimeoutSecondsPath":"$.gone.x","End":true`,
		"HeartbeatSecondsPath": lambda + `,"HeartbeatSecondsPath":"$.gone.x","End":true`,
		"Credentials":          lambda + `,"Credentials":{"RoleArn.$":"$.gone.x"},"End":true`,
		"ErrorPath":            `"Type":"Fail","ErrorPath":"$.gone.x"`,
		"CausePath":            `"Type":"Fail","CausePath":"$.gone.x"`,
		"ItemsPath":            strings.Replace(each, "$.l", "$.gone.x", 1),
		"ItemSelector":         each + `,"ItemSelector":{"a.$":"$.gone.x"}`,
		"MaxConcurrencyPath":   each + `,"MaxConcurrencyPath":"$.gone.x"`,
		"Choices":              `"Type":"Choice","Choices":[{"Variable":"$.gone.x","StringEquals":"a","Next":"E"}],"Default":"E"},"E":{"Type":"Succeed"`,
	} {
		s := open(t, `{"StartAt":"L","States":{"L":{"Type":"Pass","Parameters":{"l":[1]},"Next":"S"},"S":{`+state+`}}}`, `{"gone":{"x":1}}`)
		play(t, s, engine.Outcome{})
		text := strings.Join(explain.Plain(60).Lines(explain.Failed(s, nil)), "\n")
		for _, want := range []string{"\n  found  $ has: l\n", "\n  missing  gone\n", " L lost it: Parameters"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", field, want, text)
			}
		}
	}
}
