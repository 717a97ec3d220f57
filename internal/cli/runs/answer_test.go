package runs

import (
	"reflect"
	"strings"
	"testing"

	"asldb/engine"
)

// TestParseAnswerOfErrors has errors without a name and without a cause, as fixtures have them with null.
func TestParseAnswerOfErrors(t *testing.T) {
	for line, want := range map[string]engine.Outcome{
		"!Card.Declined no funds": {Error: "Card.Declined", Cause: "no funds"},
		"!Card.Declined":          {Error: "Card.Declined"},
		"!null no funds":          {Cause: "no funds"},
		"!null":                   {},
		"! null null":             {},
	} {
		if got, err := parseAnswer(line); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q gives %+v, %v; want %+v", line, got, err, want)
		}
	}
	if _, err := parseAnswer("!"); err == nil || !strings.Contains(err.Error(), "null") {
		t.Errorf("! alone: %v", err)
	}
}
