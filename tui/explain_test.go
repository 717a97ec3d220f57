package tui

import (
	"strings"
	"testing"
	"time"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/engine/value"
)

// taskWith is a machine whose only task has some fields more, and a state Saved that catchers lead to.
func taskWith(fields string) string {
	saved := ""
	if strings.Contains(fields, "Saved") {
		saved = `,"Saved":{"Type":"Succeed"}`
	}
	return `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r",` + fields + `"End":true}` + saved + `}}`
}

func failures(name string, times int) script {
	outcomes := make([]engine.Outcome, times)
	for i := range outcomes {
		outcomes[i] = engine.Outcome{Error: name, Cause: "because", After: time.Second}
	}
	return script{"T": outcomes}
}

// stopAt runs until an event of some type has happened, and looks at it.
func stopAt(t *testing.T, s *debug.Session, typ engine.EventType, nth int) *driver {
	t.Helper()
	d := drive(t, s, 120, 50, Options{})
	for range 300 {
		if e := d.app.ui.moment.event; e != nil && (e.Type == typ || e.Type == engine.ExecutionFailed && typ == engine.StateFailed) {
			if nth--; nth == 0 {
				return d
			}
		}
		d.press("i")
	}
	t.Fatalf("no %v comes:\n%s", typ, d.frame())
	return nil
}

// Retriers are asked in their order, the delay is IntervalSeconds x BackoffRate^(n-1), at most MaxDelaySeconds
// (specification, "Retrying after error").
func TestARetryIsExplained(t *testing.T) {
	retry := `"Retry":[{"ErrorEquals":["States.Timeout","Other"],"MaxAttempts":9},
		{"ErrorEquals":["My.Error"],"IntervalSeconds":3,"BackoffRate":2,"MaxAttempts":4,"MaxDelaySeconds":5}],`
	d := stopAt(t, session(t, taskWith(retry), `{}`, failures("My.Error", 9)), engine.RetryScheduled, 2)
	d.seesWords("retrier 2 takes My.Error: retry 2 at", "3 s x 2^1 = 6s, MaxDelaySeconds makes it 5s; retry 2 of at most 4, 2 left",
		"✗ retrier 1 takes States.Timeout, Other, not My.Error")
	jitter := `"Retry":[{"ErrorEquals":["States.ALL"],"IntervalSeconds":8,"BackoffRate":1,"MaxAttempts":1,"JitterStrategy":"FULL","MaxDelaySeconds":9}],`
	d = stopAt(t, session(t, taskWith(jitter), `{}`, failures("My.Error", 9)), engine.RetryScheduled, 1)
	d.seesWords("8 s x 1^0 = 8s, within MaxDelaySeconds 9 s, jitter FULL draws ", "out of it (seed 7); retry 1 of at most 1, none left", "takes States.ALL")
}

// A catcher is asked when no retrier takes the error; States.TaskFailed stands for every error but States.Timeout.
func TestACatchIsExplained(t *testing.T) {
	fields := `"Retry":[{"ErrorEquals":["My.Error"],"MaxAttempts":0}],
		"Catch":[{"ErrorEquals":["Other"],"Next":"Saved"},{"ErrorEquals":["States.TaskFailed"],"ResultPath":"$.error","Next":"Saved"}],`
	d := stopAt(t, session(t, taskWith(fields), `{"a":1}`, failures("My.Error", 1)), engine.ErrorCaught, 1)
	d.seesWords("catcher 2 takes My.Error and goes to Saved", "catcher 2 takes States.TaskFailed", "the catcher's ResultPath $.error puts it into the raw",
		"✗ retrier 1 names it, but its MaxAttempts is 0", "✗ catcher 1 takes Other, not My.Error")
	for path, want := range map[string]string{
		"":                      "without a ResultPath it takes the place of the whole input",
		`"ResultPath":null,`:    "is null, so it is dropped and the raw input goes on",
		`"ResultPath":"$.a.b",`: "ResultPath $.a.b puts it into the raw input",
	} {
		fields := `"Catch":[{"ErrorEquals":["States.ALL"],` + path + `"Next":"Saved"}],`
		stopAt(t, session(t, taskWith(fields), `{"a":{}}`, failures("My.Error", 1)), engine.ErrorCaught, 1).seesWords(want)
	}
	fields = `"TimeoutSeconds":2,"Retry":[{"ErrorEquals":["States.TaskFailed"]}],"Catch":[{"ErrorEquals":["Other"],"Next":"Saved"}],`
	answers := script{"T": {{Output: value.Must(`1`), After: 5 * time.Second}}}
	d = stopAt(t, session(t, taskWith(fields), `{}`, answers), engine.StateFailed, 1)
	d.seesWords("✗ retrier 1 takes States.TaskFailed, not States.Timeout: States.TaskFailed stands for every error but States.Timeout",
		"✗ catcher 1 takes Other, not States.Timeout")
	fields = `"Parameters":{"x.$":"$.none"},"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Saved"}],`
	stopAt(t, session(t, taskWith(fields), `{}`, nil), engine.StateFailed, 1).seesWords("States.Runtime is never retried and never caught")
	fields = `"Retry":[{"ErrorEquals":["My.Error"],"MaxAttempts":1}],`
	stopAt(t, session(t, taskWith(fields), `{}`, failures("My.Error", 2)), engine.StateFailed, 1).seesWords("retrier 1 names it, but its MaxAttempts 1 are used up")
}

func TestATimeoutSaysWhichBoundWasExceeded(t *testing.T) {
	late := script{"T": {{Output: value.Must(`1`), After: 90 * time.Second}}}
	stopAt(t, session(t, taskWith(`"TimeoutSeconds":60,`), `{}`, late), engine.TaskTimedOut, 1).
		seesWords("TimeoutSeconds 1m00s are over: the task was asked for at t+0s and had not ended at t+1m00s")
	stopAt(t, session(t, taskWith(`"TimeoutSeconds":60,"HeartbeatSeconds":10,`), `{}`, late), engine.TaskTimedOut, 1).
		seesWords("HeartbeatSeconds 10s are over without a heartbeat: none came since it was asked for at t+0s")
}

// A comparison of another type is false, one with what is not there is an error, And stops at the first that is false
// (specification, "Choice State").
func TestEveryComparisonSaysWhy(t *testing.T) {
	rules := `{"And":[{"Variable":"$.n","NumericGreaterThan":5},{"Variable":"$.n","NumericLessThan":9}],"Next":"Y"},
		{"Or":[{"Variable":"$.s","StringMatches":"b*"},{"Not":{"Variable":"$.flag","BooleanEquals":true}}],"Next":"Y"},
		{"Variable":"$.s","TimestampLessThan":"2026-01-01T00:00:00Z","Next":"Y"},
		{"Variable":"$.n","NumericEqualsPath":"$.s","Next":"Y"},
		{"Variable":"$.n","NumericGreaterThanPath":"$.limit","Next":"Y"},
		{"Variable":"$.s","IsNumeric":true,"Next":"Y"},
		{"Variable":"$.none","IsPresent":true,"Next":"Y"},
		{"Variable":"$.none","IsPresent":false,"Next":"Y"},{"Variable":"$.n","NumericEquals":3,"Next":"Y"}`
	definition := `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[` + rules + `],"Default":"Y"},"Y":{"Type":"Succeed"}}}`
	d := drive(t, session(t, definition, `{"n":3,"s":"abc","flag":true,"limit":4}`, nil), 140, 70, Options{}).until("i", "[Choices]")
	d.seesWords("rule 8 holds → Y",
		"1 ✗ And → Y", "✗ $.n NumericGreaterThan 5: is 3", "· $.n NumericLessThan 9  not looked at: the one before has decided",
		`✗ $.s StringMatches "b*": is "abc"`, "✗ Not", `✓ $.flag BooleanEquals true: is true`,
		`$.s is "abc", which is no timestamp such as 2026-01-31T09:00:00Z: a comparison of another type is false`,
		`$.n is 3; $.s is "abc", a string and not a number: a comparison of another type is false`,
		"$.n is 3, and $.limit is 4", `$.s is "abc", a string`, "7 ✗ $.none IsPresent true → Y", "$.none is not there",
		"8 ✓ $.none IsPresent false → Y", "9 · $.n NumericEquals 3 → Y  not looked at")
	missing := strings.Replace(definition, rules, `{"Variable":"$.none","NumericEquals":3,"Next":"Y"}`, 1)
	d = drive(t, session(t, missing, `{"nine":1}`, nil), 140, 50, Options{}).until("i", "Choices failed")
	d.seesWords("rule 1 cannot be evaluated, so the state fails", "$ has no member \"none\"", "IsPresent asks first")
}

func TestAMissNamesWhatChangedItsParent(t *testing.T) {
	definition := `{"StartAt":"A","States":{
		"A":{"Type":"Pass","Result":{"id":7},"ResultPath":"$.order","Next":"B"},
		"B":{"Type":"Pass","Result":1,"ResultPath":"$.other","Next":"C"},
		"C":{"Type":"Pass","Parameters":{"x.$":"$.order.idd"},"End":true}}}`
	d := drive(t, session(t, definition, `{"order":{"idd":1}}`, nil), 120, 40, Options{}).until("i", "Parameters failed")
	d.seesWords("  $.order.idd", "───────^^^^", "missing  idd   did you mean id?", "$.order was last changed by A (ResultPath $.order), event 4",
		"test.asl.json:4:42", `"x.$":"$.order.idd"`)
	frame := strings.Split(d.frame(), "\n")
	for i, row := range frame { // the marks stand under the value
		if at := strings.Index(row, `"x.$":"$.order.idd"`); at >= 0 && strings.Contains(row, `"C":`) {
			value := len([]rune(row[:at])) + len(`"x.$":`)
			if marks := []rune(frame[i+1]); string(marks[value:value+len(`"$.order.idd"`)]) != strings.Repeat("^", len(`"$.order.idd"`)) || marks[value-1] == '^' {
				t.Errorf("the marks stand elsewhere:\n%s\n%s", row, frame[i+1])
			}
		}
	}
}

func TestSourceLines(t *testing.T) {
	text := "{\n  \"a\": \"bc\",\n" + `"long":"` + strings.Repeat("é", 200) + `"}`
	for _, test := range []struct{ key, value, line, mark string }{
		{`"a"`, `"bc"`, `"a": "bc"`, `     ^^^^`},
		{`"long"`, `"` + strings.Repeat("é", 200) + `"`, `… "long":"`, `         ^`},
	} {
		from := strings.Index(text, test.key)
		start := from + strings.Index(text[from:], test.value)
		line, mark := sourceLine([]byte(text), from, start, start+len(test.value))
		if !strings.HasPrefix(line, strings.TrimPrefix(test.line, "… ")) && !strings.HasPrefix(line, test.line) {
			t.Errorf("%s: line %q", test.key, line)
		}
		if !strings.HasPrefix(mark, test.mark) {
			t.Errorf("%s: mark %q, want %q", test.key, mark, test.mark)
		}
	}
	if line, _ := sourceLine([]byte("x"), 3, 4, 9); line != "" {
		t.Errorf("a place outside gives %q", line)
	}
}

// A result above the limit of 256 KiB fails with States.DataLimitExceeded.
func TestATooLargeResultShowsItsBiggestMembers(t *testing.T) {
	big := `{"small":1,"rows":[{"text":"` + strings.Repeat("x", 200_000) + `"},{"text":"` + strings.Repeat("y", 100_000) + `"}]}`
	s := debug.New(machine(t, "x", []byte(taskWith(""))), debug.Options{
		Input: value.Must(`{}`), Start: startTime, Limits: engine.ServiceLimits(), Source: script{"T": {{Output: value.Must(big)}}}.source(),
	})
	d := stopAt(t, s, engine.TaskFailed, 1)
	d.seesWords("States.DataLimitExceeded", "of at most 256 KiB", "$.rows[0]  195.3 KiB  66%", "$.rows[1]  97.7 KiB  33%")
}

// seesWords is sees for the explanation alone, whose lines may be broken on the screen.
func (d *driver) seesWords(texts ...string) {
	d.t.Helper()
	var words []string
	for _, p := range d.app.ui.data.notes.paras {
		words = append(words, p.text)
	}
	all := strings.Join(words, "\n")
	for _, text := range texts {
		if !strings.Contains(all, text) {
			d.t.Fatalf("the explanation does not say %q:\n%s", text, all)
		}
	}
}

func TestTemplatesAreUnfolded(t *testing.T) {
	parameters := `"Parameters":{"plain":1,"a":{"id.$":"$.order.id"},"text.$":"States.Format('{} of {}', $.order.id, States.ArrayLength($.list))"},`
	d := drive(t, session(t, taskWith(parameters), `{"order":{"id":7},"list":[1,2,3]}`, nil), 120, 50, Options{}).until("i", "[Parameters]")
	d.seesWords("Parameters/a/id.$  $.order.id  → 7", `Parameters/text.$  States.Format('{} of {}', $.order.id, States.ArrayLength($.list))  → "7 of 3"`,
		"  States.ArrayLength($.list)  → 3", "    $.list  → [1,2,3]")
	bounds := `"TimeoutSecondsPath":"$.t","HeartbeatSecondsPath":"$.h",`
	d = drive(t, session(t, taskWith(bounds), `{"t":60,"h":5}`, nil), 120, 50, Options{}).until("i", "[TimeoutSecondsPath]")
	d.seesWords("TimeoutSecondsPath  $.t  → 60", "HeartbeatSecondsPath  $.h  → 5")
}
