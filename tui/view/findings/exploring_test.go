package findings_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/explore"
	"asldb/internal/suiterun"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/tuitest"
	"asldb/tui/view/findings"
)

// lossy is a machine whose catcher loses a value that the next state reads.
const lossy = `{"StartAt":"Ask","States":{
	"Ask":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"ask"},"ResultPath":"$.answer","Next":"Report",
		"Retry":[{"ErrorEquals":["Mail.Late"],"MaxAttempts":1}],
		"Catch":[{"ErrorEquals":["Mail.Bounced"],"ResultPath":"$","Next":"Report"}]},
	"Report":{"Type":"Pass","InputPath":"$.n","End":true}}}`

// opened are the calls of a view's subject.
type opened struct {
	runs    []*explore.Run
	events  []int
	sources []string
	found   int
}

func machineOf(t *testing.T, text string) (*asl.StateMachine, *engine.Machine) {
	t.Helper()
	definition, problems := asl.Parse(&source.File{Name: "ask.asl.json", Data: []byte(text)})
	if definition == nil {
		t.Fatal(problems)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return definition, machine
}

func subject(definition *asl.StateMachine, o *opened) findings.FaultsSubject {
	return findings.FaultsSubject{
		Definition: definition, Glyphs: canvas.Unicode(),
		Open: func(_ *explore.Result, run *explore.Run, event int) {
			o.runs, o.events = append(o.runs, run), append(o.events, event)
		},
		Source: func(state *asl.State, field string) { o.sources = append(o.sources, state.Name+" "+field) },
		Found:  func(*explore.Result) { o.found++ },
	}
}

// view returns a screen of w by h cells with the faults of a definition that takes an input with n.
func view(t *testing.T, text string, w, h int) (*tuitest.Screen, *opened) {
	t.Helper()
	definition, machine := machineOf(t, text)
	tasks := ""
	if strings.Contains(text, `"Ask"`) {
		tasks = `,"tasks":{"Ask":[{"output":{"StatusCode":200,"Payload":{}},"repeat":"forever"}]}`
	}
	file, err := fixtures.Load("ask.fixtures.yaml", []byte(`{"version":1,"input":{"n":3}`+tasks+`}`))
	if err != nil {
		t.Fatal(err)
	}
	m := &suiterun.Machine{
		Definition: definitions.Definition{File: "ask.asl.json", Machine: definition, Compiled: machine},
		Limits:     engine.ServiceLimits(),
	}
	result, err := explore.Explore(t.Context(), explore.Options{Machine: m, Given: []explore.Given{{File: file}}})
	if err != nil {
		t.Fatal(err)
	}
	o := &opened{}
	screen := screenOf(t, machine, w, h)
	v := findings.NewFaults(screen, subject(definition, o), result)
	tuitest.Conforms(t, v)
	screen.Open(v)
	return screen, o
}

func screenOf(t *testing.T, machine *engine.Machine, w, h int) *tuitest.Screen {
	t.Helper()
	return tuitest.New(t, debug.New(machine, debug.Options{Input: value.Must(`{"n":3}`)}), w, h)
}

// A wide window has the graph beside the list; the selection of the list is described below it.
func TestWide(t *testing.T) {
	screen, o := view(t, lossy, 160, 30)
	screen.Sees("States", "Ask", "Report", "Faults", "1 task, 41 errors", "▸! bug", "Report fails with States.Runtime",
		"any other (39)", "enter open the run")
	if o.found != 1 {
		t.Errorf("the result was passed on %d times", o.found)
	}
	screen.Press("enter")
	if len(o.runs) != 1 || o.runs[0] == nil || o.events[0] < 0 {
		t.Fatalf("opened: %v %v", o.runs, o.events)
	}
	screen.Press("v")
	if len(o.sources) != 1 || !strings.HasPrefix(o.sources[0], "Report ") {
		t.Errorf("the text was opened at %q", o.sources)
	}
}

// A narrow window has the list or the graph.
func TestNarrow(t *testing.T) {
	screen, _ := view(t, lossy, 80, 20)
	if screen.Sees("Faults", "tab graph"); strings.Contains(screen.Frame(), "States ─") {
		t.Errorf("the graph is beside the list:\n%s", screen.Frame())
	}
	screen.Press("tab")
	screen.Sees("States", "Report", "tab list")
	screen.Resize(30, 8)
	screen.Sees("States", "Report")
	screen.Press("tab")
	screen.Sees("Faults")
}

// Each cell of the matrix opens the run in which the error comes once, or always.
func TestMatrix(t *testing.T) {
	screen, o := view(t, lossy, 120, 34)
	screen.Press("end", "enter", "right", "enter", "left", "enter")
	if len(o.runs) != 3 || o.runs[0] != o.runs[2] || o.runs[0] == o.runs[1] || !o.runs[1].Changes[0].Always ||
		o.runs[0].Changes[0].Always {
		t.Fatalf("opened: %v", o.runs)
	}
	screen.Sees("any other (39)", "each error")
	screen.Press("z") // an error on each line
	if screen.Sees("errors together"); strings.Contains(screen.Frame(), "any other (39)") {
		t.Error("errors are still together")
	}
	screen.Press("z", "home", "n", "N", "down", "up")
	screen.Sees("▸! bug")
}

// Clicks select a finding, and a cell.
func TestClicks(t *testing.T) {
	screen, o := view(t, lossy, 120, 34)
	lines := strings.Split(screen.Frame(), "\n")
	for y, line := range lines {
		if strings.Contains(line, "Mail.Late") && strings.Contains(line, "SUCCEEDED") {
			x := len([]rune(line[:strings.LastIndex(line, "FAILED")+1])) // the column always
			screen.ClickAt(x, y)
			screen.Press("enter")
			if len(o.runs) != 1 || o.runs[0].Changes[0].Error != "Mail.Late" {
				t.Errorf("opened: %v", o.runs)
			}
			return
		}
	}
	t.Errorf("no line of Mail.Late with two outcomes:\n%s", screen.Frame())
}

// Of a definition without faults the list says so.
func TestNothingFound(t *testing.T) {
	screen, o := view(
		t,
		`{"StartAt":"A","States":{"A":{"Type":"Choice","Choices":[{"Variable":"$.n","IsPresent":true,"Next":"B"}],"Default":"B"},"B":{"Type":"Succeed"}}}`,
		80,
		20,
	)
	screen.Sees("No fault was found.")
	screen.Press("down", "enter")
	screen.Said("There is no run yet.")
	screen.Press("v", "z")
	if len(o.sources)+len(o.runs) > 0 {
		t.Errorf("opened: %+v", o)
	}
}

// An exploration in the background shows how far it is, then its result or its error; closing ends it.
func TestBackground(t *testing.T) {
	definition, machine := machineOf(t, lossy)
	begun, release := make(chan struct{}), make(chan struct{})
	o := &opened{}
	screen := screenOf(t, machine, 80, 20)
	v := findings.Begin(
		screen,
		subject(definition, o),
		func(ctx context.Context, progress func(done, planned int)) (*explore.Result, error) {
			progress(3, 40)
			close(begun)
			select {
			case <-release:
			case <-ctx.Done():
			}
			return nil, errors.New("no fixtures\x1b[31m")
		},
	)
	<-begun
	screen.Open(v)
	if !v.Advance() {
		t.Error("the exploration has ended")
	}
	screen.Sees("3 of 40 runs done", "esc close")
	screen.Press("enter", "z", "ctrl+s")
	screen.Said("There is no run yet.")
	close(release)
	for v.Advance() {
	}
	screen.Sees("no fixtures<U+001B>[31m")
	if o.found > 0 {
		t.Error("an error is passed on as a result")
	}

	stopped := findings.Begin(
		screen,
		subject(definition, o),
		func(ctx context.Context, _ func(done, planned int)) (*explore.Result, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
	)
	stopped.Stop()
	for stopped.Advance() {
	}
}

// A fault of asldb in the background is one of the screen.
func TestFaultInTheBackground(t *testing.T) {
	definition, _ := machineOf(t, lossy)
	v := findings.Begin(
		nil,
		subject(definition, &opened{}),
		func(context.Context, func(done, planned int)) (*explore.Result, error) { panic("planted") },
	)
	defer func() {
		if recover() == nil {
			t.Error("the fault is lost")
		}
	}()
	for v.Advance() {
	}
}

// Keys that close the view, and the one that saves.
func TestClosing(t *testing.T) {
	for _, key := range []string{"esc", "f6", "q"} {
		screen, _ := view(t, lossy, 80, 20)
		screen.Press(key)
		if strings.Contains(screen.Frame(), "Faults") {
			t.Errorf("%s does not close the view (%v)", key, keys.Default().Lookup(key))
		}
	}
}
