package screen

import (
	"context"
	"errors"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/explore"
	"asldb/internal/suiterun"
	"asldb/tui/keys"
	"asldb/tui/tuitest"
	"asldb/tui/view/findings"
)

// lossy is a machine whose catcher loses a value that the next state reads.
const lossy = `{"StartAt":"Ask","States":{
	"Ask":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"ask"},"ResultPath":"$.answer","Next":"Report",
		"Retry":[{"ErrorEquals":["Mail.Late"],"MaxAttempts":1}],
		"Catch":[{"ErrorEquals":["Mail.Bounced"],"ResultPath":"$","Next":"Report"}]},
	"Report":{"Type":"Pass","InputPath":"$.n","End":true}}}`

// finder explores the definition of a session with fixtures.
func finder(t *testing.T, s *debug.Session) findings.Find {
	t.Helper()
	file, err := fixtures.Load("ask.fixtures.yaml", []byte(`{"version":1,"input":{"n":3},"tasks":{"Ask":[{"output":{"StatusCode":200,"Payload":{}},"repeat":"forever"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	m := &suiterun.Machine{Definition: definitions.Definition{File: "order.asl.json", Machine: s.Machine().Definition(), Compiled: s.Machine()}, Limits: engine.ServiceLimits()}
	return func(ctx context.Context, progress func(done, planned int)) (*explore.Result, error) {
		return explore.Explore(ctx, explore.Options{Machine: m, Given: []explore.Given{{File: file}}, Progress: progress, Announce: func(p explore.Plan) { progress(0, p.Runs) }})
	}
}

// F6 explores: the findings come first, and each cell of the matrix opens its run at the fault, from where Esc comes
// back.
func TestExploration(t *testing.T) {
	s := session(t, lossy, `{"n":1}`, nil)
	d := drive(t, s, 120, 34, Options{Title: "ask.asl.json", Explore: finder(t, s)}).press("f6")
	d.sees("Faults", "1 task, 41 errors", "! bug       Report fails with States.Runtime", "× unhandled Ask:", "Mail.Bounced", "» Report", "any other (39)", "1 bug")
	d.press("enter").sees("REPLAY VIEWING", "No results for path", "Ask fails with Mail.Bounced") // the finding opens where the definition fails
	d.press("esc").sees("Faults", "▸! bug")
	d.press("down", "down").sees("▸  Ask   Mail.Late")
	d.press("right", "enter").sees("REPLAY VIEWING event", "Ask")
	inner := d.app.ui
	if inner.nest.explored == nil || inner.nest.explored.Changes[0].State.Name != "Ask" || !inner.nest.explored.Changes[0].Always {
		t.Fatalf("the screen shows %+v", inner.nest.explored)
	}
	if got := inner.selectedFailure(); got == nil || got.Name != inner.nest.explored.Changes[0].Error {
		t.Errorf("it is at %v", got)
	}
	d.press("f6").sees("only the definition that asldb was opened with").press("esc").sees("Faults", "esc close").press("esc", "f6").sees("▸! bug") // explored once
	if list := d.app.Unsaved(); len(list) > 0 {
		t.Errorf("unsaved: %q", list)
	}
}

func (u *ui) selectedFailure() *engine.Failure {
	if e := u.context().Selection().Event; e != nil {
		return e.Failure()
	}
	return nil
}

// A what-if in a run that was opened is not lost when one goes back: the run is there again.
func TestExplorationMadeLive(t *testing.T) {
	s := session(t, lossy, `{"n":1}`, nil)
	d := drive(t, s, 120, 34, Options{Title: "ask.asl.json", Explore: finder(t, s), Save: files{}.write}).press("f6", "enter")
	inner := d.app.ui
	if err := inner.session.GoLive(inner.session.Options().Source); err != nil {
		t.Fatal(err)
	}
	inner.session.GoTo(1)
	inner.sync()
	d.press("i", "i", "e")
	inner.dialog.(interface{ SetText(string) }).SetText(`{"n":9}`)
	d.press("ctrl+s")
	for range 4 {
		if d.app.ui == inner {
			d.press("esc")
		}
	}
	if d.app.ui == inner || len(d.app.Unsaved()) != 1 {
		t.Fatalf("unsaved: %q", d.app.Unsaved())
	}
	if d.press("enter"); d.app.ui != inner {
		t.Error("the run is another one")
	}
}

// The view: the graph in a narrow window, each error, the text, the suite.
func TestExplorationView(t *testing.T) {
	s := session(t, lossy, `{"n":1}`, nil)
	written := files{}
	d := drive(t, s, 80, 24, Options{Title: "ask.asl.json", Explore: finder(t, s), OpenExplored: true, Save: written.write})
	d.sees("Faults", "enter open the run").press("tab").sees("States", "!1", "Report").press("tab").sees("Faults")
	d.press("z", "end").sees("▸").press("z").sees("any other (39)").press("end", "right", "left", "N", "n", "home", "v").sees("test.asl.json: Report")
	d.press("esc", "f6", "ctrl+s").sees("save the cases as: ").press("enter").sees("Saved", "as ask.faults.test.yaml.")
	if text := written["ask.faults.test.yaml"]; !strings.Contains(text, "Ask fails with Mail.Bounced -> Report fails") {
		t.Errorf("saved:\n%s", text)
	}
	d.does(keys.Explore, "save ask.yaml").sees("Not saved: the name of a suite ends in .test.yaml")
	d.does(keys.Explore, "save ask.faults.test.yaml").sees("is there already")
	d.does(keys.Explore, "print").sees(":explore shows the faults")
	d.resize(200, 50).press("f6").sees("States", "Faults", "41 errors", "esc close").press("esc")
	d.resize(40, 12).press("f6").sees("Faults").press("down", "down").resize(20, 6).press("q")
	d = drive(t, s, 80, 24, Options{Explore: finder(t, s)})
	d.does(keys.Explore, "save x.test.yaml").sees("Nothing is explored yet")
	drive(t, s, 80, 24, Options{}).press("f6").sees("only the definition that asldb was opened with can be explored")
}

// A running exploration answers keys, says how far it is, and ends when the view is closed; one that fails says
// why.
func TestExplorationGoesOn(t *testing.T) {
	s := session(t, lossy, `{"n":1}`, nil)
	begun, stopped := make(chan struct{}), make(chan struct{})
	d := &driver{t: t, app: shown(s, Options{Explore: func(ctx context.Context, progress func(done, planned int)) (*explore.Result, error) {
		progress(64, 500)
		close(begun)
		<-ctx.Done()
		close(stopped)
		return nil, ctx.Err()
	}})}
	d.app.Resize(100, 30)
	d.app.Press(tuitest.Key("f6"))
	<-begun
	d.app.Advance()
	d.sees("64 of 500 runs done").sees("esc close")
	d.app.Press(tuitest.Key("enter"))
	d.sees("There is no run yet")
	d.app.Press(tuitest.Key("esc"))
	d.app.Advance()
	<-stopped

	failing := func(context.Context, func(done, planned int)) (*explore.Result, error) {
		return nil, errors.New("no results fit")
	}
	drive(t, s, 100, 30, Options{Explore: failing}).press("f6").sees("no results fit").press("z", "ctrl+s", "v", "esc")
}
