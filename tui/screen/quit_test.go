package screen

import (
	"strings"
	"testing"

	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/view"
)

// TestQuitAsksOnlyWhereSomethingWouldBeLost: the question names the losses.
func TestQuitAsksOnlyWhereSomethingWouldBeLost(t *testing.T) {
	var lost []string
	open := func() *driver {
		d := drive(t, order(t), 80, 24, Options{})
		d.app.ui.losses = append(d.app.ui.losses, func() []string { return lost })
		return d
	}
	quits := func(d *driver, key string) bool {
		d.app.ui.handle(keys.Press{Name: key, Action: d.app.ui.keys.Lookup(key)})
		defer func() { d.app.asked = nil }()
		return d.app.hasEnded()
	}
	for _, key := range []string{"q", "ctrl+c"} {
		lost = nil
		if !quits(open(), key) {
			t.Errorf("%s asks although nothing would be lost", key)
		}
		lost = []string{"2 answers that you gave"}
		d := open()
		if quits(d, key) {
			t.Errorf("%s quits although something would be lost", key)
		}
		d.sees("Quit?", "2 answers that you gave", "q quits without")
		if !quits(d, key) {
			t.Errorf("%s does not quit the second time", key)
		}
		d = open()
		quits(d, key)
		if quits(d, "esc") {
			t.Error("esc quits")
		}
		d.sees("READY", "c run")
	}
}

func TestAnErrorThatIsTyped(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).press("c").sees("return?").press("tab").typed("Card.Declined").press("tab").typed("no funds")
	if got := d.app.ui.typed(); len(got) != 1 || got[0] != "Card.Declined no funds" {
		t.Errorf("the typed texts are %q", got)
	}
	d = drive(t, order(t), 120, 34, Options{})
	stagesUntil(d, "Parameters", "ChargeCard")
	d.press("e", "x")
	if got := d.app.ui.typed(); len(got) != 1 || !strings.HasPrefix(got[0], "x{") {
		t.Errorf("the typed texts are %q", got)
	}
}

// TestBackToAList: esc goes back to the list that the session was opened from, where there is nothing nearer to go back
// from; q ends the program. Both ask first where something would be lost.
func TestBackToAList(t *testing.T) {
	var lost []string
	d := drive(t, order(t), 80, 24, Options{Back: "the list"})
	d.app.ui.losses = append(d.app.ui.losses, func() []string { return lost })
	press := func(key string) (got struct{ back, quit, interrupt bool }) {
		d.app.ui.handle(keys.Press{Name: key, Action: d.app.ui.keys.Lookup(key)})
		for _, request := range d.app.asked {
			if end, is := request.(ended); is {
				got.back, got.quit, got.interrupt = end.err == view.ErrBack, end.err == nil, end.err == view.ErrInterrupted
			}
		}
		d.app.asked = nil
		return got
	}
	d.sees("esc goes back to the list.")
	for _, nearer := range []string{"?", "z"} {
		press(nearer)
		if got := press("esc"); got.back || got.quit {
			t.Errorf("esc after %s leaves the session", nearer)
		}
	}
	if got := press("esc"); !got.back || got.quit {
		t.Errorf("esc: %+v", got)
	}
	if got := press("q"); !got.quit || got.back {
		t.Errorf("q: %+v", got)
	}
	lost = []string{"2 answers that you gave"}
	for key, back := range map[string]bool{"esc": true, "q": false} {
		if got := press(key); got.back || got.quit {
			t.Errorf("%s leaves although something would be lost", key)
		}
		d.sees("Quit?", "2 answers that you gave")
		if got := press("q"); got.back != back || got.quit == back {
			t.Errorf("%s, then q: %+v", key, got)
		}
		d.app.ui.dialog = nil
	}
	press("esc")
	press("esc") // stays
	if got := press("ctrl+c"); got.back || got.interrupt {
		t.Error("ctrl+c leaves without a question")
	}
	if got := press("ctrl+c"); !got.interrupt {
		t.Error("ctrl+c does not end the program the second time")
	}
	d = drive(t, order(t), 80, 24, Options{})
	if got := press("esc"); got.back {
		t.Error("esc leaves a session without a list")
	}
}

// TestQuittingAReplay: what was given by hand in a recorded run is in its trace, so nothing is lost, and no input is
// read for that.
func TestQuittingAReplay(t *testing.T) {
	live := order(t)
	if _, err := live.Do(debug.Command{Kind: debug.StepStage}); err != nil {
		t.Fatal(err)
	}
	if err := live.Interventions().Edit(0, value.Must(`{"by":"hand"}`)); err != nil {
		t.Fatal(err)
	}
	recording, reads := recordingOf(live), 0
	inputs := recording.Inputs
	if len(inputs) == 0 {
		t.Fatal("nothing was given by hand")
	}
	recording.Events, recording.Inputs, recording.Length = nil, nil, live.Log().Len()
	recording.List = runlog.ReadInputs(len(inputs), func(from, n int) ([]runlog.Input, error) {
		reads++
		return inputs[from:], nil
	})
	options := live.Options()
	options.Source = nil
	s, divergence := debug.Replay(live.Machine(), options, recording)
	if divergence != nil {
		t.Fatal(divergence)
	}
	d := drive(t, s, 80, 24, Options{Save: func(string, []byte) error { return nil }})
	before := reads
	d.app.ui.handle(keys.Press{Name: "q", Action: d.app.ui.keys.Lookup("q")})
	if !d.app.hasEnded() {
		t.Error("q asks although the trace has what was given by hand")
	}
	if reads != before {
		t.Error("q reads the inputs of the recording")
	}
}
