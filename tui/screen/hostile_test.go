package screen

import (
	"encoding/json"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/internal/testkit"
	"asldb/internal/wording"
	"asldb/tui/keys"
)

// hostileText has control sequences, and invisible characters.
var hostileText = "d" + strings.Join(testkit.Hostile, "") + "👩\u200d👧❤\ufe0f"

// hostileName is a state's name, without the controls that no name may have.
const hostileName = "N\u202e\u2066\u200b\u200d\ufe0f\ufeff\u2028\U000e0041\u061c👩\u200d👧"

// hostileSession is a run whose every name and value is hostile.
func hostileSession(t *testing.T) *debug.Session {
	t.Helper()
	inner := func(text string) string {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Trim(string(quoted), `"`)
	}
	fill := strings.NewReplacer("DATA", inner(hostileText), "NAME", inner(hostileName)).Replace
	definition := fill(`{"Comment":"DATA","StartAt":"1NAME","States":{
		"1NAME":{"Type":"Pass","Comment":"DATA","Result":{"DATA":"DATA"},"ResultPath":"$.r","Next":"2NAME"},
		"2NAME":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"3NAME"}],"End":true},
		"3NAME":{"Type":"Parallel","Next":"4NAME","Branches":[{"StartAt":"5NAME","States":{"5NAME":{"Type":"Wait","Seconds":5,"End":true}}},{"StartAt":"6NAME","States":{"6NAME":{"Type":"Pass","End":true}}}]},
		"4NAME":{"Type":"Fail","Error":"DATA","Cause":"DATA"}}}`)
	s := debug.New(machine(t, "a"+hostileText+".json", []byte(definition)), debug.Options{
		Input: value.Must(fill(`{"DATA":{"DATA":["DATA"]}}`)), Start: startTime,
		Source: &hostileSource{outcome: engine.Outcome{Error: hostileText, Cause: hostileText}},
	})
	return s
}

// hostileSource answers every task with one outcome.
type hostileSource struct{ outcome engine.Outcome }

func (s *hostileSource) Ask(outcome.Ask) outcome.Reply {
	return outcome.Given(s.outcome, "test")
}

func (s *hostileSource) Seek([]outcome.Ask) []outcome.Ask { return nil }

// TestNothingHiddenIsOnTheScreen presses every key at several places of such a run: no frame has a character that acts
// on the terminal or cannot be seen, but inside of emoji.
func TestNothingHiddenIsOnTheScreen(t *testing.T) {
	for _, o := range []Options{{Title: hostileText, Notes: []string{hostileText}}, {Title: hostileText, ASCII: true}} {
		d := drive(t, hostileSession(t), 100, 30, o)
		check := func(key string) {
			t.Helper()
			for line := range strings.SplitSeq(d.frame(), "\n") {
				if shown := wording.Line(line); shown != line {
					t.Fatalf("after %q the screen has %+q", key, line)
				}
			}
		}
		check("the start")
		places := [][]string{{"s", "i", "i"}, {"c", "S"}}
		if o.ASCII {
			places = places[1:]
		}
		for _, place := range places {
			d.press(place...)
			check(strings.Join(place, " "))
			for _, key := range roomKeys() {
				d.press(key)
				check(key)
				d.press("enter")
				check(key + " enter")
				d.press("esc", "esc")
				check(key + " esc")
			}
		}
	}
}

// roomKeys are the keys of actions that show something and leave the run and the program alone.
func roomKeys() []string {
	leave := map[keys.Action]bool{
		keys.Quit: true, keys.Kill: true, keys.Continue: true, keys.Restart: true, keys.StepStage: true, keys.StepState: true, keys.StepOver: true, keys.StepOut: true,
	}
	var list []string
	for _, row := range KeysOf(keys.Default()).Bindings() {
		if !leave[row.Action] && len(row.Keys) > 0 {
			list = append(list, row.Keys[0])
		}
	}
	return list
}
