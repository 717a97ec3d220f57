package screen

import (
	"errors"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
)

const threeTasks = `{"StartAt":"A","States":{
	"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:1:function:a","Retry":[{"ErrorEquals":["Busy"],"IntervalSeconds":2}],"Next":"B"},
	"B":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:1:function:b","TimeoutSeconds":60,"Catch":[{"ErrorEquals":["States.Timeout"],"Next":"C"}],"End":true},
	"C":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:1:function:c","End":true}}}`

// What was answered by hand becomes a file that gives the same run.
func TestAnswersAreSavedAsFixtures(t *testing.T) {
	s := session(t, threeTasks, `{"n":1}`, nil)
	var name string
	var file []byte
	var refuse error
	d := drive(t, s, 120, 40, Options{Save: func(n string, data []byte) error { name, file = n, data; return refuse }})
	d.press("ctrl+s").sees("nothing has run yet")
	d.press("c").sees("A return?").press("tab").typed("Busy").press("enter")
	d.sees("A return?", "attempt 2").typed(`{"a": 1.0}`).press("enter").sees("B return?").press("esc")
	if err := s.Interventions().TimeOut(s.Requests()[0].ID); err != nil {
		t.Fatal(err)
	}
	d.press("c").sees("C return?").typed(`[1]`).press("enter").sees("SUCCEEDED")
	d.press("q").sees("These are saved nowhere:", "4 answers that you gave", "ctrl+s saves them").press("ctrl+s")
	d.sees("save as:", "it reproduces the run")
	refuse = errors.New("the disk is full")
	d.press("enter").sees("Not saved: the disk is full")
	refuse = nil
	d.press("ctrl+s").press("enter").sees("Saved 4 results of 3 tasks as order.fixtures.yaml.")
	if name != "order.fixtures.yaml" {
		t.Errorf("saved as %q", name)
	}
	if list := d.app.ui.saving.unsaved(); len(list) > 0 {
		t.Errorf("unsaved: %q", list)
	}
	saved, err := fixtures.Load(name, file)
	if err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	source, err := saved.Source(s.Machine().Definition())
	if err != nil {
		t.Fatal(err)
	}
	again := debug.New(s.Machine(), debug.Options{Input: saved.Input, Start: *saved.StartTime, Seed: *saved.Seed, Source: source})
	if _, err := again.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	if again.Status() != engine.Succeeded || value.Compact(again.Output()) != "[1]" {
		t.Errorf("%s %v\n%s", again.Status(), again.Output(), file)
	}
}

func TestNowhereToSave(t *testing.T) {
	drive(t, session(t, threeTasks, `{}`, nil), 120, 40, Options{}).press("c", "esc", "ctrl+s").sees("this session cannot save fixtures")
}

func TestUnusedFixturesAreTold(t *testing.T) {
	m := machine(t, "test.asl.json", []byte(threeTasks))
	f, err := fixtures.Load("f.yaml", []byte("version: 1\ntasks:\n  A: [{output: 1}, {output: 2}]\n  B: [{output: 1}]\n  C: [{output: 1}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := f.Source(m.Definition())
	if err != nil {
		t.Fatal(err)
	}
	s := debug.New(m, debug.Options{Input: value.Must("{}"), Start: startTime, Seed: 1, Source: fixtures.OnMissing(source, fixtures.Ask)})
	d := drive(t, s, 120, 40, Options{Results: Results{Unused: source.UnusedLines}}).press("c").sees("The run did not use all of the fixtures: 2 places; :messages lists them.")
	d.press(":").typed("messages").press("enter").sees(`unused: f.yaml:3:20: result 2 of "A" was not given`, `unused: f.yaml:5:3: no invocation came to "C"`)
}
