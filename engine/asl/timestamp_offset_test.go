package asl_test

import (
	"testing"

	"asldb/engine/asl"
)

// What Step Functions was measured to read as the Timestamp of a Wait state in JSONata.
func TestParseOffsetDateTime(t *testing.T) {
	for text, want := range map[string]bool{
		"2016-12-05T21:29:29+09:00": true, "2016-12-05T21:29Z": true, "2016-12-05t21:29:29z": true,
		"2016-12-05T21:29:29.123456789Z": true,
		"2016-12-05T21:29+09:00":         true, "2016-12-05 21:29:29Z": false, "2016-12-05T21:29:29": false,
		"2016-02-30T21:29:29Z": false,
		"2016-12-05T25:29:29Z": false, "2016-12-05T21:29": false, "": false,
	} {
		if _, ok := asl.ParseOffsetDateTime(text); ok != want {
			t.Errorf("%q: %v", text, ok)
		}
	}
}
