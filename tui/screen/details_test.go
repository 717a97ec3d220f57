package screen

import (
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/tuitest"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
	"asldb/tui/view/side"
)

func TestCtrlCStopsTheRunAndThenQuits(t *testing.T) {
	app := shown(session(t, loop, `{}`, nil), Options{})
	app.Resize(80, 24)
	app.Press(tuitest.Key("c"))
	app.Press(tuitest.Key("ctrl+c"))
	if !strings.Contains(app.Text(), "INTERRUPTED") {
		t.Errorf("the first Ctrl+C does not stop the run:\n%s", app.Text())
	}
	app.Press(tuitest.Key("ctrl+c"))
	if !slices.Equal(app.asked, []any{ended{view.ErrInterrupted}}) {
		t.Errorf("the second Ctrl+C gives %v", app.asked)
	}
}

func TestNarrowScreensSayWhy(t *testing.T) {
	d := drive(t, order(t), 40, 10, Options{})
	d.sees("Nothing has run yet.", "c run  s step  e input")
	for _, spec := range []string{"ValidateOrder", "ChargeCard:ResultPath"} {
		if _, err := d.app.ui.session.Breakpoints().Add(spec); err != nil {
			t.Fatal(err)
		}
	}
	d.press("c").sees("● BREAKPOINT", "breakpoint 1 ValidateOrder (hit 1)")
	d.press("c").sees("breakpoint 2 Charge…ResultPath (hit 1)")
	d.press("c").sees("WAITING").press("esc", "s").sees("s: x answers the task that waits")
	d.press("3", "up").sees("VIEWING").press("2").sees("event 32 of 36")
	d = drive(t, session(t, `{"StartAt":"A","States":{"A":{"Type":"Fail","Error":"My.Error"}}}`, `{}`, nil), 40, 10,
		Options{})
	d.press("c").sees("× FAILED", "My.Error").press("s").sees("s: the run is over; r starts again")
}

func TestOddNamesGetBreakpoints(t *testing.T) {
	s := session(t, `{"StartAt":"x if y","States":{"x if y":{"Type":"Pass","Next":" sp "}," sp ":{"Type":"Pass","End":true}}}`, `{}`, nil)
	d := drive(t, s, 100, 30, Options{}).press("1", "b").sees("Breakpoint set: x if y")
	d.press("U")
	d.quickly(" sp ")
	d.press("enter").sees("Breakpoint set: sp")
	d.press("c").sees("BREAKPOINT 1 x if y (hit 1)").press("c").sees("BREAKPOINT 2")
	d.press("r", "1", "home", "up", "b").sees("Breakpoint removed: x if y")
}

func TestThePromptSaysWhatTheDollarIs(t *testing.T) {
	for _, width := range []int{80, 120} { // on two lines and on one
		d := drive(t, order(t), width, 24, Options{}).press("U").sees("Stop at:", "$ is the data after")
		d.quickly("ChargeCard if")
		d.press("enter").sees("lacks the condition after if")
	}
}

func TestTheSizeIsToldAgainstTheLimit(t *testing.T) {
	for _, test := range []struct {
		bytes, limit int
		want         string
	}{
		{812, 256 << 10, "812 B of 256 KiB"},
		{1024, 256 << 10, "1 KiB of 256 KiB"},
		{1536, 0, "1.5 KiB"},
		{262_144, 262_144, "256 KiB of 256 KiB"},
		{262_143, 262_144, "262,143 of 262,144 B"},
		{262_145, 262_144, "262,145 of 262,144 B"},
		{3 << 20, 0, "3 MiB"},
	} {
		if got := wording.SizeOf(test.bytes, test.limit); got != test.want {
			t.Errorf("%d of %d: %q, want %q", test.bytes, test.limit, got, test.want)
		}
	}
	definition := []byte(`{"StartAt":"A","States":{"A":{"Type":"Pass","InputPath":"$","End":true}}}`)
	for limit, want := range map[int]string{0: " 2 B \n", 256 << 10: " 2 B \n", 2: "! 100% of 2 B  2 B"} {
		s := debug.New(machine(t, "x", definition), debug.Options{Input: value.Must(`{}`), Start: startTime,
			Limits: engine.Limits{Payload: limit}})
		drive(t, s, 100, 30, Options{}).press("i", "i", "i").until("i", "no change").sees(want)
	}
}

func TestAPasteWithoutBracketsIsText(t *testing.T) {
	d := drive(t, order(t), 100, 30, Options{}).press("c")
	text := `"` + strings.Repeat("tab esc enter ", 5_000) + `"`
	for rest := []rune(text); len(rest) > 0; { // as Bubble Tea reads it
		n := min(len(rest), 256)
		d.quickly(string(rest[:n]))
		d.frame()
		rest = rest[n:]
	}
	q, ok := d.app.ui.dialog.(*dialog.Question)
	if !ok {
		t.Fatalf("no question:\n%s", d.frame())
	}
	if got, _ := q.Result(); got != text {
		t.Fatalf("the field has another text:\n%s", d.frame())
	}
	d.sees(`enter tab esc enter "`) // the end, where the cursor is
	d.quickly("tab")
	if _, focused := q.Name(); focused {
		t.Error("the word tab was taken for the key")
	}
}

func TestLongLinesEndWithAnEllipsis(t *testing.T) {
	long := `{"long":"` + strings.Repeat("x", 300) + `","short":1}`
	d := drive(t, session(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}`, long, nil), 80, 24,
		Options{}).press("i", "i")
	d.sees("xxx…\n").press("2", "l").sees("xxx…\n")
	for range 60 {
		d.press("l")
	}
	if strings.Contains(d.frame(), "…\n") {
		t.Errorf("an ellipsis where nothing is cut:\n%s", d.frame())
	}
}

func TestAChangeThatCannotBeSeenIsShown(t *testing.T) {
	s := session(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","Result":"a\u200bb❤\ufe0f","ResultPath":"$.n","Next":"B"},
		"B":{"Type":"Pass","Result":"a\u200bb❤","ResultPath":"$.n","End":true}}}`, `{"n":"x"}`, nil)
	d := drive(t, s, 100, 30, Options{}).until("i", "A › ResultPath").sees(`"a\u200bb❤` + "\ufe0f" + `"`)
	d.until("i", "B › ResultPath").sees(`-   "n": "a\u200bb❤\ufe0f"`, `+   "n": "a\u200bb❤"`)
}

func TestTheOutlineLooksBack(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).until("i", "attempt 2").sees("▶ ChargeCard «1", "15 states")
	d.press("3", "home", "down", " ").sees("VIEWING event 2", "as of event 2", "▶ ValidateOrder")
	for _, later := range []string{"ChargeCard «1", "✓ PaymentDue ◇  ", "✓ ValidateOrder   "} {
		if strings.Contains(d.frame(), later) {
			t.Errorf("the outline shows %q, which was later:\n%s", later, d.frame())
		}
	}
	d.press("esc").sees("▶ ChargeCard «1", "15 states", "✓ ValidateOrder   ")
}

func TestRunToAStateThatIsNotReached(t *testing.T) {
	s := session(t, `{"StartAt":"A","States":{"A":{"Type":"Choice","Choices":[{"Variable":"$.x","IsPresent":true,"Next":"B"}],"Default":"C"},
		"B":{"Type":"Succeed"},"C":{"Type":"Succeed"}}}`, `{}`, nil)
	d := drive(t, s, 100, 30, Options{}).press("1", "down", "R", "2").sees("✓ SUCCEEDED", "The run ended before reaching B.")
	d.press("d").sees("The run ended before reaching B.")
	d.press("r", "c")
	if strings.Contains(d.frame(), "without coming") {
		t.Errorf("the next run is told to have missed it, too:\n%s", d.frame())
	}
}

func TestAPacedRunSaysHowToStopIt(t *testing.T) {
	d := drive(t, order(t), 120, 34, Options{}).opened()
	d.app.ui.lists.Choose(side.Timers)
	d.press("t", "c")
	d.sees("time goes (real time); any key stops the run")
	u := d.app.ui
	d.tick(startTime, u.run.ticks)
	d.tick(startTime.Add(123_456_789), u.run.ticks)
	d.sees("now 09:00:00.173Z") // 50 ms of the first tick and 123 of the second
	d = drive(t, session(t, loop, `{}`, nil), 80, 24, Options{})
	d.app.Press(tuitest.Key("c"))
	d.sees("any key stops the run")
}

func TestAQuestionAboutADeepState(t *testing.T) {
	inner := `{"StartAt":"TheInnermostTaskOfAll","States":{"TheInnermostTaskOfAll":{"Type":"Task","Resource":"r","End":true}}}`
	for _, name := range []string{"AParallelWithALongName", "AnotherParallelWithALongName"} {
		inner = `{"StartAt":"` + name + `","States":{"` + name + `":{"Type":"Parallel","Branches":[` + inner +
			`],"End":true}}}`
	}
	d := drive(t, session(t, inner, `{}`, nil), 80, 24, Options{}).press("c")
	d.sees("What does TheInnermostTaskOfAll return?")
}

func TestFailAndTimeOutAreNamed(t *testing.T) {
	d := drive(t, session(t, `{"StartAt":"A","States":{"A":{"Type":"Fail","Error":"My.Error"}}}`, `{}`, nil), 120, 34,
		Options{}).press("c")
	if frame := d.frame(); strings.Contains(frame, "Fail failed") {
		t.Errorf("a Fail state is told to have failed:\n%s", frame)
	}
	s := session(t, `{"StartAt":"W","TimeoutSeconds":5,"States":{"W":{"Type":"Wait","Seconds":3600,"End":true}}}`,
		`{}`, nil)
	drive(t, s, 100, 30, Options{}).press("c").sees("TIMED_OUT", "longer than the state machine's TimeoutSeconds, 5 s")
}

// stocked is a source with one object and the results of tasks.
type stocked struct {
	outcome.Source
	body string
}

func (s stocked) Ask(ask outcome.Ask) outcome.Reply {
	if _, object := ask.(outcome.Object); object && s.body != "" {
		return outcome.Content([]byte(s.body), "source")
	}
	return s.Source.Ask(ask)
}

func TestAMapRunIsShown(t *testing.T) {
	definition := machine(t, "x",
		[]byte(`{"StartAt":"Import","States":{"Import":{"Type":"Map","MaxConcurrency":1,"End":true,
		"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"stock","Key":"a.json"},"ReaderConfig":{"InputType":"JSON"}},
		"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"Store",
			"States":{"Store":{"Type":"Pass","End":true}}}}}}`))
	start := func(body string) *driver {
		options := debug.Options{Input: value.Must(`{}`), Start: startTime, Source: stocked{script{}.Source(), body}}
		return drive(t, debug.New(definition, options), 120, 34, Options{}).opened()
	}
	d := start(`[1,2]`).until("i", "MapStarted").sees("the items have yet to be read")
	d.until("i", "MapRunStarted").sees("*     MapRunStarted", "a Map Run begins", "mapRun:")
	d.until("i", "ObjectRequested").sees("◔ the ItemReader asks for getObject s3://stock/a.json", "[ItemReader]",
		"reads the items from an object store")
	d.until("i", "MapRunSucceeded").press("3", "up").sees("✓ The Map Run is over",
		"[Iterations]") // MapSucceeded comes with it
	start("").press("c").sees("WAITING for items", "s3://stock/a.json")
}

func TestASubmittedTaskIsShown(t *testing.T) {
	s := session(t, `{"StartAt":"J","States":{"J":{"Type":"Task","Resource":"arn:aws:states:::glue:startJobRun.sync","End":true}}}`, `{}`,
		script{"J": {{Output: value.Must(`{"done":true}`), Submitted: value.Must(`{"JobRunId":"jr_1"}`),
			After: time.Minute}}})
	drive(t, s, 120, 34, Options{}).opened().until("i", "TaskSubmitted").sees("◔ The service has taken the task on",
		`"JobRunId": "jr_1"`, "◔     TaskSubmitted")
}
