package waiter

import (
	"math"
	"testing"
	"time"

	"asldb/engine/source"
	"asldb/engine/value"
)

// Delays are integers of Smithy, which have 32 bits: more seconds than that are no time that can be counted.
func TestDelaysThatAreTooLong(t *testing.T) {
	for delay, ok := range map[string]bool{"2147483647": true, "2147483648": false, "10000000000": false,
		"9223372036854775807": false, "0": false} {
		text := `{"smithy":"2.0","shapes":{"n#O":{"type":"operation","traits":{"smithy.waiters#waitable":{"W":{"maxDelay":` + delay +
			`,"minDelay":1,"acceptors":[{"state":"success","matcher":{"success":true}}]}}}}}}`
		_, problems := Read(&source.File{Name: "m.json", Data: []byte(text)})
		if (len(problems) == 0) != ok {
			t.Errorf("maxDelay %s: %v", delay, problems)
		}
	}
}

// The longest delays and calls do not overflow.
func TestLongestTimes(t *testing.T) {
	w := &Waiter{MinDelay: math.MaxInt32, MaxDelay: math.MaxInt32}
	for _, schedule := range []Schedule{SpecSchedule, GoSchedule, BotocoreSchedule} {
		for _, call := range []time.Duration{0, time.Hour, math.MaxInt64} {
			for _, trial := range w.Simulate(schedule, math.MaxInt64, Change{Never: true, Call: call}, 3, 1) {
				if trial.Took < 0 || trial.Attempts > BotocoreAttempts {
					t.Errorf("%s with calls of %v: %+v", schedule, call, trial)
				}
			}
		}
	}
	if calls := (&Waiter{MinDelay: 1, MaxDelay: 1}).MostCalls(10 * time.Second); calls < 11 {
		t.Errorf("at most %d calls", calls)
	}
}

// A timestamp may be further away than the longest Duration: 9999-12-31T23:59:59Z is 253402300799 s after the epoch.
func TestFarTimestamps(t *testing.T) {
	for text, want := range map[string]string{
		"9999-12-31T23:59:59Z": "253402300799", "0001-01-01T00:00:00Z": "-62135596800",
		"1970-01-01T00:00:00.25Z":        "0.25",
		"2262-04-11T23:47:16.854775808Z": "9223372036.854775808", "1969-12-31T23:59:59.5Z": "-0.5",
	} {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := value.Compact(epochSeconds(at)); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// TestPadding: a text is padded, but not to a width that no memory holds.
func TestPadding(t *testing.T) {
	for expression, want := range map[string]string{
		"pad_left('a', `5`)": `"    a"`, "pad_right('a', `3`, '-')": `"a--"`, "pad_left('a', `99999999999`)": "",
		"pad_right('a', `1e300`)": "",
	} {
		x, err := compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		found, err := x.search(value.Null{})
		if (err == nil) != (want != "") || (err == nil && value.Compact(found) != want) {
			t.Errorf("%s: %v, %v", expression, found, err)
		}
	}
}
