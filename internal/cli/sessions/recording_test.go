package sessions

import (
	"bytes"
	"strings"
	"testing"
)

// Which attempt of a redriven execution is opened: a number, or the last.
func TestAskAttempt(t *testing.T) {
	for answer, want := range map[string]int{"\n": 2, "": 2, "1\n": 1, " 2 \n": 2, "3\nx\n1\n": 1} {
		var out bytes.Buffer
		got, err := askAttempt(&out, strings.NewReader(answer), []string{"attempt 1: events 1 to 8, FAILED: Boom after 1s", "attempt 2: events 9 to 16, SUCCEEDED after 2s"})
		if got != want || err != nil {
			t.Errorf("%q: %d, %v", answer, got, err)
		}
		asked := strings.Count(out.String(), "Which attempt is to be opened? [2] ")
		if !strings.Contains(out.String(), "\n  attempt 1: events 1 to 8, FAILED: Boom after 1s\n") || asked != max(strings.Count(answer, "\n"), 1) {
			t.Errorf("%q: %s", answer, out.String())
		}
	}
}
