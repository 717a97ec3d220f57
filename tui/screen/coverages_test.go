package screen

import (
	"errors"
	"testing"

	"asldb/engine/coverage"
	"asldb/tui/keys"
)

// routes is a machine with a Choice; a run takes one side of it.
const routes = `{"StartAt":"C","States":{
	"C":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":5,"Next":"Big"}],"Default":"Small"},
	"Big":{"Type":"Pass","Next":"Each"},
	"Small":{"Type":"Pass","End":true},
	"Each":{"Type":"Map","ItemsPath":"$.list","End":true,"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}}}}`

// files are those that a screen wrote.
type files map[string]string

func (f files) write(name string, data []byte) error {
	if _, there := f[name]; there {
		return errors.New(name + " is there already")
	}
	f[name] = string(data)
	return nil
}

// The view counts the run and its what-ifs, the events that they share once.
func TestCoverageOfASession(t *testing.T) {
	s := session(t, routes, `{"n":1,"list":[1]}`, nil)
	d := drive(t, s, 120, 34, Options{}).press("f2")
	d.sees("Coverage 0 %: 0 of 10", "this session (0 runs)", "states 0/5", "C      state", "never", "Never taken ━━", "━━ 4 ━━").press("esc", "c", "f2")
	d.sees("Coverage 30 %: 3 of 10", "this session (1 run)", "▫▫ C     rule 1 ($.n > 5)", "Big   state", "2 of 5 ran")
	d.press("esc", "r", "i", "i", "i", "S", "e")
	d.app.ui.dialog.(interface{ SetText(string) }).SetText(`{"n":9,"list":[1]}`)
	d.press("ctrl+s", "c", "f2").sees("Coverage 80 %: 8 of 10", "this session (3 runs)", "no items", "failed iteration")
	d.press("c").sees("conditions 2/2") // one in each
	counts, _, err := d.app.ui.covers.count(coverage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// The restart and the edit are what-ifs; C was entered by the first run, and by the restart which the edit shares.
	for i := range counts.Items {
		if item := &counts.Items[i]; item.State == "C" && item.Kind == coverage.Entered && item.Count != 2 {
			t.Errorf("C was entered %d times", item.Count)
		}
	}
}

// Enter goes to the state in the graph, v to the field in the text; z lists all, and c also counts conditions, uncaught
// errors and time limits.
func TestCoverageView(t *testing.T) {
	s := session(t, routes, `{"n":1,"list":[1]}`, nil)
	toEnd(t, s)
	d := drive(t, s, 120, 34, Options{}).press("f2").sees("▸", "rule 1").press("v").sees("test.asl.json: C/Choices", `▸  2 ▶`).press("esc")
	d.press("f2", "n", "enter")
	if got := d.app.ui.states.Selected().Name; got != "Big" {
		t.Errorf("%s is selected", got)
	}
	d.press("f2", "z").sees("All items ━━", "━━ 10 ━━", "▪▪ C      state  (1)", "▪▪ C      Default  (1)").press("N", "end").sees("I      state").press("z", "c").sees("$.n > 5 is true", "conditions 1/2", "uncaught errors 0/1", "c fewer kinds")
	d.press("c").sees("c more kinds", "Coverage 30 %: 3 of 10").press("q").sees("SUCCEEDED")
	d.resize(50, 20).press("f2").sees("Coverage 30 %").resize(70, 24).sees("Coverage 30 %").press("f2").sees("SUCCEEDED")
	d.does(keys.Coverage, "print").sees(":coverage shows the coverage")
}

// The coverage is saved as a profile, with the coverage of the profiles that the session was opened with.
func TestCoverageSaved(t *testing.T) {
	s := session(t, routes, `{"n":1,"list":[1]}`, nil)
	toEnd(t, s)
	written := files{}
	d := drive(t, s, 120, 34, Options{Save: written.write}).press("f2", "ctrl+s").sees("save the coverage as: ").press("enter")
	d.sees("Saved the coverage, 30 % (3 of 10), as order.coverage.json.")
	d.does(keys.Coverage, "save order.coverage.json").sees("Not saved: order.coverage.json is there already")
	p, err := coverage.Read([]byte(written["order.coverage.json"]))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Definitions[0]; got.File != "test.asl.json" || got.Runs != 1 || got.Digest != s.Machine().Definition().Source.Digest() {
		t.Errorf("saved: %+v", got)
	}

	other := session(t, routes, `{"n":9,"list":[]}`, nil)
	toEnd(t, other)
	d = drive(t, other, 120, 34, Options{Save: written.write, Profile: Profile{Earlier: &p.Definitions[0], Names: "order.coverage.json"}})
	d.press("f2").sees("Coverage 70 %: 7 of 10", "this session (1 run) and order.coverage.json (1 run)").press("esc")
	d.does(keys.Coverage, "save both.json").sees("Saved the coverage, 70 %")

	changed := p.Definitions[0]
	changed.Digest = "another"
	for _, does := range []string{"", "save third.json"} {
		d = drive(t, other, 120, 34, Options{Save: written.write, Profile: Profile{File: "test.asl.json", Earlier: &changed}})
		d.does(keys.Coverage, does).sees("has changed between the profiles")
	}
	drive(t, other, 120, 34, Options{}).does(keys.Coverage, "save a.json").sees("Not saved: this session cannot save files")
	full := session(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}`, `{}`, nil)
	toEnd(t, full)
	drive(t, full, 120, 34, Options{}).press("f2").sees("Everything is covered.").press("enter").sees("The list is empty.")
}
