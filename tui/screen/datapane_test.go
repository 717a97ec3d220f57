package screen

import (
	"slices"
	"strings"
	"testing"
)

// onePass is a machine whose only state puts {"new": true} at $.added.
const onePass = `{"StartAt":"A","States":{"A":{"Type":"Pass","Result":{"new":true},"ResultPath":"$.added","End":true}}}`

func TestTwoColumnsWhereTheyFit(t *testing.T) {
	d := drive(t, session(t, onePass, `{"a":1}`, nil), 120, 34, Options{}).until("i", "[ResultPath]").press("d")
	d.sees("[side]", `│ +   "added": {`)
	d.resize(51, 24)
	d.sees("[side]", "needs 52 cells", `+   "added": {`)
	d.press("d", "d", "d", "d").sees("Side by side needs 52 cells, and this pane has")
	d.resize(120, 34)
	d.sees(`│ +   "added": {`)
}

func TestFindGoesAround(t *testing.T) {
	d := drive(t, session(t, onePass, `{"a":{"needle":1},"b":["x","a NEEDLE"]}`, nil), 100, 30, Options{})
	d.press("down", " ").sees(`"a": { … 1 member … }`).press("home", "/")
	for _, r := range "needle" {
		d.press(string(r))
	}
	d.press("enter").sees(`▸      "needle": 1`).press("n").sees(`▸      "a NEEDLE"`)
	d.press("n").sees("Search wrapped to the top: needle", `▸      "needle": 1`)
	d.press("N").sees("Search wrapped to the bottom: needle", `▸      "a NEEDLE"`)
	d.press("/")
	for _, r := range "absent" {
		d.press(string(r))
	}
	d.press("enter").sees("Not found", "absent")
}

func TestStagesAreChosen(t *testing.T) {
	d := drive(t, order(t), 150, 34, Options{})
	stagesUntil(d, "ResultPath", "ChargeCard")
	d.press("left").sees("[ResultSelector]", "VIEWING event 20").press("left").sees("[Task]").press("left").sees("[Parameters]")
	d.press("left").sees("[input]").press("left").sees("This is the first stage of the state.")
	d.press("right", "right", "right", "right").sees("[ResultPath]", "PAUSED").press("right").sees("No later stage")
	rows := strings.Split(d.frame(), "\n")
	y := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "Parameters") })
	x := strings.Index(rows[y], "Parameters")
	d.click(len([]rune(rows[y][:x])), y)
	d.sees("[Parameters]", "VIEWING event 17")
}

func TestCopy(t *testing.T) {
	s := session(t, onePass, `{"text":"two\nlines","o":{"a":[1]},"long":"`+strings.Repeat("x", 200_000)+`"}`, nil)
	d := drive(t, s, 100, 30, Options{})
	newest := func() any {
		t.Helper()
		if len(d.app.asked) == 0 {
			return nil
		}
		last := d.app.asked[len(d.app.asked)-1]
		d.app.asked = nil
		return last
	}
	d.press("down", "y").sees("Copy", "v the value at the cursor", "$.text", "d the whole document").press("v")
	d.sees("Copied the value at the cursor, 9 B, to the terminal's clipboard")
	if got, want := newest(), (copied{"two\nlines"}); got != want {
		t.Errorf("copied %q, want %q", got, want)
	}
	d.press("down", "y", "p")
	if got, want := newest(), (copied{"$.o"}); got != want {
		t.Errorf("copied %q, want %q", got, want)
	}
	d.press("y", "d").sees("Copied the whole document, 195.4 KiB", "Many terminals refuse more than")
	newest()
	if d.press("y", "esc"); len(d.app.asked) > 0 {
		t.Errorf("copied %q", d.app.asked)
	}
}

// Before the run the text of the state that is selected in the graph is below the input, and the states have the
// colours of their types.
func TestTheFirstFrameHasTheTextOfTheState(t *testing.T) {
	d := drive(t, session(t, failsAtT, `{}`, nil), 120, 40, Options{})
	d.sees("P  Pass, not run", `"Next":"T"`).press("1", "down").sees("T  Task, not run")
	if d.press("s"); strings.Contains(d.frame(), "not run") {
		t.Errorf("the text is below the data of an event:\n%s", d.frame())
	}
}
