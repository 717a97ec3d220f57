package screen

import (
	"strconv"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/definitions"
	"asldb/tui/view"
)

// changed has the recorded run of the demo's beginning executed again with a definition that takes another part of the
// card service's answer.
func changed(t *testing.T) (*debug.Verification, *Recorded) {
	t.Helper()
	live := order(t)
	for live.Status() != engine.AwaitingAnswer {
		if _, err := live.Do(debug.Command{Kind: debug.StepStage}); err != nil {
			t.Fatal(err)
		}
	}
	recording := recordingOf(live)
	text := strings.Replace(string(definitions.DemoDefinition), `"$.Payload.status"`, `"$.StatusCode"`, 1)
	if text == string(definitions.DemoDefinition) {
		t.Fatal("the demo has no $.Payload.status any more")
	}
	options := live.Options()
	options.Source = nil
	v := debug.Verify(machine(t, "changed.asl.json", []byte(text)), options, recording, 0)
	if v.Divergence == nil {
		t.Fatal("the changed definition does the same")
	}
	return v, &Recorded{Log: v.Recorded, Open: true}
}

func recordingOf(s *debug.Session) debug.Recording {
	var recording debug.Recording
	for event := range s.Log().All() {
		recording.Events = append(recording.Events, *event)
	}
	for i := range s.Inputs().Len() {
		recording.Inputs = append(recording.Inputs, *s.Inputs().At(i))
	}
	return recording
}

// A recorded run and the one of a changed definition stand side by side from the first difference on; the view can be
// left and comes back as it was.
func TestRecordedBesideTheRun(t *testing.T) {
	v, recorded := changed(t)
	d := drive(t, v.Session, 120, 34, Options{Recorded: recorded})
	at := strconv.Itoa(v.Divergence.Index + 1)
	d.sees("recorded beside this run", "[Compare]", "▸~ "+at+" ChargeCard ResultSelector", "data after", `"status": "captured"`, `"status": 200`)
	d.press("n").sees("▸~ ", "ChargeCard ResultPath").press("N").sees("▸~ " + at + " ")
	d.press("N").sees("No more differences above.").press("up").sees("TaskSucceeded", "the same in both")
	d.press("down", "n", "d").press("esc").sees(":compare shows both runs side by side again.")
	if strings.Contains(d.frame(), "[Compare]") {
		t.Fatal("the view is still open")
	}
	d.press("D").sees("recorded beside this run", "ChargeCard ResultPath")
	d.press("enter").sees("ChargeCard › ResultPath")
}

// Without a recorded run D compares with the branch that the run left; where there is one run it says so.
func TestBesideWithoutARecording(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).press("D").sees(":compare: nothing has run yet").press("i")
	d.press("D").sees("there is only one run")
	d.app.ui.session.GoTo(0)
	branched(d).press("D").sees("what-if 1 beside what-if 2", "Card.Timeout", "Card.Refused")
	if err := d.app.ui.session.Interventions().Edit(0, value.Must(`{}`)); err == nil {
		t.Fatal("a run that is over was edited")
	}
}

// TestComparePictures compares the view with the files of testdata; -update writes them.
func TestComparePictures(t *testing.T) {
	v, recorded := changed(t)
	d := drive(t, v.Session, paneWidth, paneHeight, Options{Recorded: recorded})
	golden(t, "compare", only(view.Drawer)(d))
	golden(t, "compare-beside", only(view.Drawer)(d.press("z")))
	v, recorded = changed(t)
	golden(t, "compare-narrow", only(view.Drawer)(drive(t, v.Session, 80, 24, Options{Recorded: recorded}).press("z")))
	v, recorded = changed(t)
	d = drive(t, v.Session, paneWidth, paneHeight, Options{Recorded: recorded, ASCII: true})
	golden(t, "ascii-compare-data", only(view.Drawer)(d.press("right", "down", "down", "down")))
}
