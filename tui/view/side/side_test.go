package side

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/tuitest"
	"asldb/tui/view"
)

// shown returns the lists on a screen, before the first event. Waits stop the run.
func shown(t *testing.T, definition, input string, w, h int) (*tuitest.Screen, *Lists) {
	t.Helper()
	s := debug.New(runs.Machine(definition), debug.Options{Input: value.Must(input), Start: time.Unix(0, 0)})
	s.SetClock(debug.Clock{Mode: debug.ClockByHand})
	screen := tuitest.New(t, s, w, h)
	p := New(given(screen), runlog.New())
	screen.Add(view.Drawer, titled{p}, func() {})
	return screen, p
}

const sums = `{"StartAt":"First","States":{
	"First":{"Type":"Pass","Result":{"n":1},"ResultPath":"$.sum","Next":"Second"},
	"Second":{"Type":"Pass","Result":{"n":2},"ResultPath":"$.sum","Next":"Wait"},
	"Wait":{"Type":"Wait","Seconds":90,"Next":"Done"},
	"Done":{"Type":"Succeed"}}}`

const branches = `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[
	{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}},{"StartAt":"B","States":{"B":{"Type":"Pass","Next":"B2"},"B2":{"Type":"Pass","End":true}}}]}}}`

// titled is the list on the screen with its title.
type titled struct{ *Lists }

func (p titled) Draw(f widget.Frame) {
	p.Lists.Draw(f.Titled(canvas.Frame{Title: "[" + p.Titles()[p.tab] + " " + strconv.Itoa(p.Len(p.tab)) + "]"}))
}

func (p titled) Handle(k keys.Press) bool { return view.MoveBy(k.Action, p.Page(), p.Move) }

// TestSections: the key goes through the lists that have something to show, and to the breakpoints where none has.
func TestSections(t *testing.T) {
	screen, p := shown(t, sums, `{}`, 60, 8)
	screen.Sees("[Breakpoints 0]", "none; b sets one")
	screen.Do(keys.FocusSide, "")
	screen.Sees("[Watches 0]", "none; w adds one") // nothing has anything to show: the next one
	screen.Step(debug.Continue)
	screen.Do(keys.FocusSide, "")
	screen.Sees("[Timers 1]", "in 1m30s", "Wait", "now ")
	screen.Do(keys.BreakOnError, "")
	screen.Do(keys.FocusSide, "")
	screen.Sees("[Breakpoints 1]", "any error")
	for s, want := range map[int]bool{Breakpoints: true, Watches: false, Threads: false, Timers: true} {
		if p.Has(s) != want {
			t.Errorf("the %s have something to show: %v", p.Titles()[s], !want)
		}
	}
}

func TestWatches(t *testing.T) {
	screen, p := shown(t, sums, `{"order":{"id":7}}`, 100, 30)
	p.Choose(Watches)
	screen.Do(keys.ChangedLast, "$.sum")
	screen.Said("nothing has run yet")
	screen.Press("w")
	screen.Sees("Watch:", "the context object")
	screen.Press("end", "backspace")
	screen.Type("$.sum.n >")
	screen.Press("enter")
	screen.Sees("Watch:", "         ^ the expression ends") // it is not taken
	screen.Press("backspace", "backspace")
	screen.Sees(`  ^ $.sum.n is missing: $ has only order`)
	screen.Press("enter")
	screen.Sees("[Watches 1]", "$.sum.n")
	screen.Step(debug.StepState)
	screen.Step(debug.StepState)
	screen.Sees("+ $.sum.n  1", "new")
	screen.Step(debug.StepState)
	screen.Sees("~ $.sum.n  2", "changed, was 1")
	p.Move(1, 0)
	screen.Said("2 changes, the last at event")
	screen.Do(keys.ChangedLast, "")
	screen.Said("$.sum.n changed here: 1 became 2")
	screen.Do(keys.ChangedLast, "")
	screen.Said("it came, 1")
	screen.Do(keys.ChangedLast, "")
	screen.Said("was changed by this event, and not before")
	screen.Do(keys.ChangedLast, "$.order.id")
	screen.Said("has not changed before this")
	screen.Press("enter")
	screen.Type(" * 2")
	screen.Sees("= 2")
	screen.Press("enter")
	screen.Sees("$.sum.n * 2")
	screen.Do(keys.AddWatch, "$.order")
	screen.Do(keys.AddWatch, "1 +")
	screen.Sees("1 +", "   ^ the expression ends")
	screen.Press("esc")
	screen.Do(keys.AddWatch, "$.absent")
	screen.Sees("[Watches 3]", `{"id":7}`)
	if wrapped, ok := p.Find("id", 1); !ok || !wrapped {
		t.Errorf("found %v, beyond the end %v", ok, wrapped)
	}
	screen.Press(" ")
	screen.Said(`$.order = {"id":7}`)
	screen.Press("delete")
	screen.Said("Not watched any more: $.order")
	p.Move(-widget.Far, 0)
	p.Move(1, 0)
	if w := p.sections[Watches].(*watches).selected(); w.Text != "$.absent" {
		t.Errorf("%s is selected", w.Text)
	}
}

func TestEvaluate(t *testing.T) {
	screen, _ := shown(t, sums, `{"a":[1,2,3]}`, 100, 30)
	screen.Step(debug.StepStage)
	screen.Do(keys.Evaluate, "len($.a) * 2")
	screen.Said("len($.a) * 2 = 6")
	screen.Do(keys.Evaluate, "len(")
	screen.Sees("Evaluate: len(", "    ^ ")
	screen.Press("esc")
	screen.Do(keys.Evaluate, "$.b")
	screen.Sees("Evaluate: $.b", `  ^ $.b is missing: $ has only a`)
	screen.Press("enter")
	screen.Sees("Evaluate: $.b")
	screen.Press("esc")
	screen.Do(keys.Evaluate, "")
	screen.Sees("Evaluate:", "This event belongs to no state")
	screen.Press("enter")
	screen.Said(`$ = {"a":[1,2,3]}`)
}

// TestLanguageOfTheState: the prompt names the forms of the state's query language, and a long result is a tree.
func TestLanguageOfTheState(t *testing.T) {
	for language, want := range map[string][]string{
		"JSONata":  {"A is in JSONata. Tab completes.", "$states.input.total", "$.order.total"},
		"JSONPath": {"A is in JSONPath. Tab completes.", "an intrinsic function", "a payload template"},
	} {
		definition := `{"QueryLanguage":"` + language + `","StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}`
		screen, _ := shown(t, definition, `{"list":["`+strings.Repeat("item\",\"", 60)+`"]}`, 100, 30)
		screen.Step(debug.StepStage)
		screen.Step(debug.StepStage)
		screen.Do(keys.Evaluate, "")
		screen.Sees(want...)
		screen.Press("esc")
		screen.Do(keys.Evaluate, "$.list")
		screen.Sees("$.list", "  \"item\",", "space fold")
		screen.Press("down", "down", "down", "enter")
		screen.Sees("[ … 61 items … ]")
		screen.Press("esc")
	}
}

func TestBreakpoints(t *testing.T) {
	screen, p := shown(t, sums, `{}`, 100, 40)
	p.Choose(Breakpoints)
	screen.Press("delete")
	screen.Said("there is no breakpoint")
	screen.Do(keys.Fold, "")
	screen.Said("No breakpoints; :break adds one.")
	screen.Step(debug.StepStage)
	screen.Step(debug.StepState) // the state of the newest event is the pane States'
	screen.Press("b")
	screen.Said("Breakpoint set: First")
	screen.Press("b")
	screen.Said("Breakpoint removed: First")
	screen.Press("U")
	screen.Sees("STATE -> STATE", "hits == N")
	screen.Type("Thirt")
	screen.Sees("matches no state of the definition")
	screen.Press("backspace", "backspace", "backspace", "backspace", "backspace")
	screen.Type("Second log sum {$.sum.n}")
	screen.Sees("Logpoint set: Second")
	screen.Press("enter")
	screen.Sees("[Breakpoints 1]", "● 2 Second")
	screen.Step(debug.Continue)
	screen.Sees("1 hit", "→ sum 1")
	screen.Press(" ")
	screen.Sees("○ 2 Second", "off")
	screen.Press(" ", "enter")
	screen.Sees("Breakpoint 2:")
	screen.Type("!")
	screen.Press("backspace", "enter")
	screen.Do(keys.AddBreak, "nowhere")
	screen.Sees("Stop at: nowhere", "matches no state")
	screen.Press("esc")
	screen.Press("E")
	screen.Sees("[Breakpoints 2]", "any error")
	if _, ok := p.Find("second", 1); !ok {
		t.Error("the spec is not found")
	}
	screen.Press("E")
	screen.Said("No longer stops on errors.")
	p.Choose(Threads)
	screen.Press("delete")
	screen.Said("opens the list of breakpoints")
}

// TestBreakpointDialog: the list is a dialog, too, which stays open while it is used.
func TestBreakpointDialog(t *testing.T) {
	screen, _ := shown(t, sums, `{}`, 100, 40)
	screen.Press("B")
	screen.Sees("There are none.", "space on/off")
	screen.Press("a")
	screen.Type("Second log sum {$.sum.n}")
	screen.Press("enter")
	screen.Sees("● 1 Second", "space on/off")
	screen.Press("E")
	screen.Sees("● 2")
	screen.Press("down", " ")
	screen.Sees("○ 2")
	screen.Press("up", "enter")
	screen.Sees("Breakpoint 1:")
	screen.Press("esc")
	screen.Press("down", "d")
	screen.Said("Breakpoint removed: any error")
	screen.Press("q")
	screen.Step(debug.Continue)
	screen.Press("B")
	screen.Sees("Messages of logpoints", "sum 1")
	screen.Press("delete")
	screen.Sees("There are none.")
	screen.Press("esc")
	if screen.Dialog() != nil {
		t.Error("the dialog is open")
	}
}

func TestThreads(t *testing.T) {
	screen, p := shown(t, branches, `{}`, 100, 40)
	p.Choose(Threads)
	screen.Sees("not begun  runs next")
	for threads := screen.Session().Threads(); len(threads) < 3 || threads[1].Visit == nil; threads = screen.Session().Threads() {
		screen.Step(debug.StepStage)
	}
	p.Choose(Threads)
	screen.Sees("[Threads 3]", "0 P  waits for branches", "2 running", "1 [0] A", "2 not begun  can run")
	screen.Press("down", "down", "enter")
	screen.Said("Thread 2")
	screen.Said("runs next.")
	screen.Sees("▶ 2")
	screen.Press("up", ".")
	p.Choose(Watches)
	for i := screen.Log().Len() - 1; ; i-- {
		if e := screen.Log().At(i); e.Visit != nil && e.Thread == 1 {
			screen.Inspect(i)
			break
		}
	}
	screen.Press(".")
	screen.Inspect(1) // of the root
	screen.Press(".")
	want := []debug.Command{{Kind: debug.StepThread, Thread: 1}, {Kind: debug.StepThread, Thread: 1}, {Kind: debug.StepThread}}
	if !slices.Equal(screen.Begun, want) {
		t.Errorf("begun %v, want %v", screen.Begun, want)
	}
	p.Choose(Threads)
	if wrapped, ok := p.Find("P", 1); !ok || !wrapped {
		t.Errorf("found %v, beyond the end %v", ok, wrapped)
	}
	p.Move(1, 0)
	screen.Press("home", "enter")
	screen.Said("once it need not wait for branches any more.")
	screen.Step(debug.Continue)
	screen.Sees("the run is over")
}

// TestLargeMap: of many iterations the tally is shown, and only some of them.
func TestLargeMap(t *testing.T) {
	screen, p := shown(t, `{"StartAt":"M","States":{"M":{"Type":"Map","ToleratedFailurePercentage":50,"End":true,"Iterator":{"StartAt":"C","States":{
		"C":{"Type":"Choice","Choices":[{"Variable":"$","NumericEquals":3,"Next":"F"}],"Default":"W"},
		"F":{"Type":"Fail"},"W":{"Type":"Wait","SecondsPath":"$","End":true}}}}}}`, "[3,1"+strings.Repeat(",1,9", 499)+"]", 100, 60)
	screen.Step(debug.Continue)
	p.Choose(Threads)
	screen.Sees("40 running, 1 failed", "[1] W  waits for time until t+1s", "[31] W  waits for time until t+9s")
	p.Move(widget.Far, 0)
	screen.Sees("8 more that run")
	if got := p.sections[Threads].count(); got != 41 {
		t.Errorf("%d threads", got)
	}
	p.Choose(Timers)
	screen.Sees("[Timers 40]", "in 1s", "32 more")
}

func TestTimers(t *testing.T) {
	screen, p := shown(t, sums, `{}`, 100, 40)
	p.Choose(Timers)
	screen.Step(debug.Continue)
	screen.Sees("[Timers 1]", "in 1m30s", "now 00:00:00Z")
	p.Move(1, 0)
	screen.Press("enter")
	if want := time.Unix(90, 0); len(screen.Passed) != 1 || !screen.Passed[0].Equal(want) {
		t.Errorf("the clock was to move to %v, want %v", screen.Passed, want)
	}
	if p.Page() < 1 {
		t.Error("the page has no lines")
	}
}

// TestWaitingTask: a task that waits for its outcome is listed with the timers.
func TestWaitingTask(t *testing.T) {
	screen, p := shown(t, `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","TimeoutSeconds":60,"End":true}}}`, `{}`, 100, 40)
	p.Choose(Timers)
	screen.Step(debug.Continue)
	if screen.Session().Status() != engine.AwaitingAnswer {
		t.Fatalf("the run is %v", screen.Session().Status())
	}
	screen.Sees("T  waits for an answer", "T TimeoutSeconds")
}

// TestStandingBreakpoint: Delete and Space switch the breakpoint on uncaught errors off and on; Enter does not edit it.
func TestStandingBreakpoint(t *testing.T) {
	screen, p := shown(t, sums, `{}`, 60, 30)
	b := screen.Session().Breakpoints().AddUncaught()
	p.Choose(Breakpoints)
	screen.Sees("●   uncaught error")
	for _, test := range []struct {
		action  keys.Action
		enabled bool
	}{{keys.Delete, false}, {keys.Fold, true}, {keys.Look, true}, {keys.Fold, false}} {
		screen.Do(test.action, "")
		if b.Enabled != test.enabled || len(screen.Session().Breakpoints().All()) != 1 || screen.Dialog() != nil {
			t.Errorf("after %v it is enabled: %v", test.action, b.Enabled)
		}
	}
}

// given are the parts of a screen that the pane uses.
func given(s *tuitest.Screen) Screen {
	return Screen{Shell: s, RunState: s, Selected: s, Control: s, Prompts: s, Panes: s}
}
