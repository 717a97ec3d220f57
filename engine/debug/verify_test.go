package debug_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

func machineOf(t testing.TB, definition string) *engine.Machine {
	t.Helper()
	parsed, diagnostics := asl.Parse(&source.File{Name: "d", Data: []byte(definition)})
	if parsed == nil {
		t.Fatal(diagnostics[0])
	}
	machine, err := engine.Compile(parsed, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return machine
}

func recordingOf(s *debug.Session) debug.Recording {
	r := debug.Recording{Events: logged(s)}
	for i := range s.Inputs().Len() {
		r.Inputs = append(r.Inputs, *s.Inputs().At(i))
	}
	return r
}

// failing is a run whose second task fails for want of a retrier.
const failing = `{"StartAt":"A","States":{
	"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:a","ResultPath":"$.a","Next":"B"},
	"B":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:b","ResultPath":"$.b",RETRY"Next":"C"},
	"C":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:c","End":true}}}`

func failingWith(retry string) string { return strings.Replace(failing, "RETRY", retry, 1) }

// The definition is changed after a failure was recorded: the run now succeeds, and it is known where it parts.
func TestVerifyWithAChangedDefinition(t *testing.T) {
	options := debug.Options{Input: value.Must(`{}`), Source: &runs.Script{Outcomes: []engine.Outcome{
		{Output: value.Must(`"first"`)}, {Error: "Flaky", Cause: "not yet"},
	}}}
	s := debug.New(machineOf(t, failingWith("")), options)
	reach(t, s, debug.StoppedAtEnd)
	if s.Status() != engine.Failed {
		t.Fatal(s.Status())
	}
	recording := recordingOf(s)

	same := debug.Verify(machineOf(t, failingWith("")), debug.Options{Input: options.Input}, recording, 0)
	if same.Divergence != nil || same.Session.Status() != engine.Failed || len(same.Unused) > 0 {
		t.Fatalf("the same definition: %+v, %v", same.Divergence, same.Unused)
	}
	sameLines(t, "the same definition", lines(logged(same.Session)), lines(recording.Events))

	extra := &runs.Script{Outcomes: []engine.Outcome{{Output: value.Must(`"second"`)}, {Output: value.Must(`"third"`)}}}
	saved := machineOf(t, failingWith(`"Retry":[{"ErrorEquals":["Flaky"],"IntervalSeconds":7}],`))
	v := debug.Verify(saved, debug.Options{Input: options.Input, Source: extra}, recording, 0)
	d := v.Divergence
	if d == nil || d.State() != "B" || d.Expected.Type != engine.StateFailed || d.Found.Type != engine.RetryScheduled {
		t.Fatalf("it parts at %+v", d)
	}
	if d.Index != 9 || v.Session.Position() != 9 || v.Stop.Reason != debug.StoppedAtEnd {
		t.Errorf("event %d, position %d, %v; want 9, 9, the end", d.Index, v.Session.Position(), v.Stop.Reason)
	}
	v.Session.GoTo(v.Found.Len())
	if v.Session.Status() != engine.Succeeded || !value.Equal(v.Session.Output(), value.Must(`"third"`)) ||
		extra.Asked != 2 {
		t.Errorf("the changed definition gives %v, %s; %d outcomes were asked for besides", v.Session.Status(),
			value.Compact(v.Session.Output()), extra.Asked)
	}

	// Without anything besides the recording it stops where a task was never run.
	v = debug.Verify(saved, debug.Options{Input: options.Input}, recording, 0)
	if v.Stop.Reason != debug.StoppedForAnswer {
		t.Errorf("without other outcomes it stopped for %v", v.Stop.Reason)
	}
	v.Session.GoTo(v.Found.Len())
	if requests := v.Session.Requests(); len(requests) != 1 || requests[0].Visit.Path() != "B" ||
		requests[0].Attempt != 2 {
		t.Errorf("it waits for %+v", requests)
	}
}

// With another input the tasks get the outcomes that were recorded for them, in whatever order they come.
func TestVerifyWithAnotherInput(t *testing.T) {
	const definition = `{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.items","ResultPath":"$.r","ItemProcessor":{"StartAt":"T","States":{
		"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:t","End":true}}},"Next":"L"},
		"L":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:l","ResultPath":"$.l","End":true}}}`
	outcomes := []engine.Outcome{{Output: value.Must(`"a"`)}, {Output: value.Must(`"b"`)}, {Output: value.Must(`"c"`)},
		{Output: value.Must(`"last"`)}}
	machine := machineOf(t, definition)
	s := debug.New(machine, debug.Options{Input: value.Must(`{"items":[1,2,3]}`),
		Source: &runs.Script{Outcomes: outcomes}})
	reach(t, s, debug.StoppedAtEnd)
	v := debug.Verify(machine, debug.Options{Input: value.Must(`{"items":[1,2]}`)}, recordingOf(s), 0)
	if v.Divergence == nil || v.Divergence.Index != 0 || len(v.Divergence.Differs) != 1 ||
		v.Divergence.Differs[0] != "after" {
		t.Errorf("it parts at %+v, want the input", v.Divergence)
	}
	v.Session.GoTo(v.Found.Len())
	if got := v.Session.Output(); !value.Equal(got, value.Must(`{"items":[1,2],"r":["a","b"],"l":"last"}`)) {
		t.Errorf("the output is %s", value.Compact(got))
	}
	if len(v.Unused) != 1 || !value.Equal(v.Unused[0].Outcome.Output, value.Must(`"c"`)) {
		t.Errorf("%+v was not asked for", v.Unused)
	}
}

// A recording that was cut agrees as far as it goes, and one that was changed does not.
func TestVerifyCutAndChanged(t *testing.T) {
	machine := machineOf(t, order)
	options := debug.Options{Input: value.Must(orderInput), Source: runs.Paid()}
	s := debug.New(machine, options)
	reach(t, s, debug.StoppedAtEnd)
	whole := recordingOf(s)
	options.Source = nil
	for n := range whole.Events {
		recording := debug.Recording{Events: whole.Events[:n]}
		for _, a := range whole.Inputs {
			if a.After < int64(n) {
				recording.Inputs = append(recording.Inputs, a)
			}
		}
		if v := debug.Verify(machine, options, recording, 0); v.Divergence != nil {
			t.Fatalf("cut at %d it differs: %+v", n, v.Divergence)
		}
		again, divergence := debug.Replay(machine, options, recording)
		if divergence != nil || (n > 0 && again.Log().Len() < n) {
			t.Fatalf("cut at %d the replay has %d events: %v", n, again.Log().Len(), divergence)
		}
	}
	changed := append([]engine.Event(nil), whole.Events...)
	changed[20].After = value.Must(`"changed"`)
	v := debug.Verify(machine, options, debug.Recording{Events: changed, Inputs: whole.Inputs}, 0)
	if v.Divergence == nil || v.Divergence.Index != 20 || v.Divergence.Expected.After != changed[20].After {
		t.Errorf("it parts at %+v, want 20", v.Divergence)
	}
	shown, divergence := debug.Replay(machine, options, debug.Recording{Events: changed, Inputs: whole.Inputs})
	if divergence == nil || divergence.Index != 20 || shown.Executable() || shown.Log().Len() != len(changed) {
		t.Errorf("the replay of what does not agree: %+v", divergence)
	}
}

// A recording of events alone can be walked over, and says how it stood from the events.
func TestReplayEvents(t *testing.T) {
	machine := machineOf(t, order)
	live := debug.New(machine, debug.Options{Input: value.Must(orderInput), Source: runs.Paid()})
	reach(t, live, debug.StoppedAtEnd)
	shown := debug.ReplayLog(machine, live.Options(), debug.Recording{Events: logged(live)})
	if _, err := shown.Breakpoints().Add("Pack"); err != nil {
		t.Fatal(err)
	}
	reach(t, shown, debug.StoppedByBreakpoint)
	if got := whereIs(shown); got != "Fulfil/Branches[0]/Pack StateEntered" {
		t.Errorf("stopped at %s", got)
	}
	if err := shown.GoLive(nil); err != debug.ErrNoDefinition {
		t.Errorf("going live without an execution: %v", err)
	}
	for n := range live.Log().Len() {
		shown.GoTo(n)
		live.GoTo(shown.Position())
		if live.Position() != shown.Position() {
			continue // a session with an execution cannot stand in the middle of a step
		}
		if a, b := live.Status().Done(), shown.Status().Done(); a != b {
			t.Errorf("at %d it is done: %v, want %v", n, b, a)
		}
		a, b := live.Threads(), shown.Threads()
		if len(a) != len(b) {
			t.Errorf("at %d (%s) there are threads %+v, want %+v", n, whereIs(shown), b, a)
			continue
		}
		for i := range a {
			if a[i].ID != b[i].ID || a[i].Parent != b[i].Parent || a[i].Index != b[i].Index ||
				(a[i].Visit != b[i].Visit && a[i].Visit != nil && a[i].Visit.Path() != b[i].Visit.Path()) {
				t.Errorf("at %d thread %+v, want %+v", n, b[i], a[i])
			}
		}
	}
	reach(t, shown, debug.StoppedAtEnd)
	if !value.Equal(shown.Output(), live.Output()) {
		t.Errorf("the output is %s", value.Compact(shown.Output()))
	}
}

// A replay becomes a live run where the user wants to change something.
func TestGoLive(t *testing.T) {
	machine := machineOf(t, order)
	options := debug.Options{Input: value.Must(orderInput), Source: runs.Paid()}
	s := debug.New(machine, options)
	reach(t, s, debug.StoppedAtEnd)
	options.Source = nil
	again, divergence := debug.Replay(machine, options, recordingOf(s))
	if divergence != nil || !again.ReadOnly() {
		t.Fatal(divergence)
	}
	if _, err := again.Do(debug.Command{Kind: debug.RunTo, Target: "Each"}); err != nil {
		t.Fatal(err)
	}
	if err := again.Interventions().Edit(0, value.Must(`{"lines":[]}`)); err != debug.ErrReadOnly {
		t.Errorf("an edit of a replay: %v", err)
	}
	if err := again.GoLive(nil); err != nil {
		t.Fatal(err)
	}
	if err := again.Interventions().Edit(0, value.Must(`{"lines":[]}`)); err != nil {
		t.Fatal(err)
	}
	reach(t, again, debug.StoppedAtEnd)
	if !value.Equal(again.Output(), value.Must(`{"lines":[]}`)) || len(again.Forks().All()) != 2 {
		t.Errorf("the live fork gives %s", value.Compact(again.Output()))
	}
	sameLines(t, "the recorded fork", lines(runs.Events(again.Forks().Log(1))), lines(logged(s)))
}

// A recording does not say which tasks its source had nothing for: all that are open are asked for at once when it goes
// live, and one without an outcome does not hold up the next.
func TestGoLiveAsksForAllOpenTasks(t *testing.T) {
	machine := machineOf(t, `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","End":true}}},
		{"StartAt":"B","States":{"B":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","End":true}}}
	]}}}`)
	s := debug.New(machine, debug.Options{})
	reach(t, s, debug.StoppedForAnswer)
	again, divergence := debug.Replay(machine, debug.Options{}, recordingOf(s))
	if divergence != nil {
		t.Fatal(divergence)
	}
	if err := again.GoLive(runs.ByState{"B": {{Output: value.Int(2)}}}.Source()); err != nil {
		t.Fatal(err)
	}
	reach(t, again, debug.StoppedForAnswer)
	if open := again.Requests(); len(open) != 1 || open[0].Visit.State.Name != "A" {
		t.Errorf("%d tasks are open, the first is %v", len(open), open[0].Visit.State.Name)
	}
}

// A recording whose events are read only where they are asked for is executed by its inputs; a run that differs is
// noticed.
func TestReplayByAnswers(t *testing.T) {
	s := longRun(t, nil)
	whole := recordingOf(s)
	read := 0
	recording := debug.Recording{Inputs: whole.Inputs, Length: len(whole.Events), Event: func(i int) *engine.Event {
		read++
		return &whole.Events[i]
	}}
	options := debug.Options{Input: s.Options().Input}
	again, divergence := debug.Replay(s.Machine(), options, recording)
	if divergence != nil || again.Log().Len() != len(whole.Events) || !again.ReadOnly() || again.Position() != 0 {
		t.Fatalf("%+v", divergence)
	}
	if read < 100 || read > 300 {
		t.Errorf("%d events were read", read)
	}
	options.Input = value.Must(`{"c":{"n":0},"more":1}`)
	if _, divergence = debug.Replay(s.Machine(), options, recording); divergence == nil {
		t.Error("another input is not noticed")
	}
	cut := debug.Recording{Inputs: whole.Inputs[:10], Length: len(whole.Events), Event: recording.Event}
	if _, divergence = debug.Replay(s.Machine(), debug.Options{Input: s.Options().Input}, cut); divergence == nil {
		t.Error("missing inputs are not noticed")
	}
	damaged := recording
	damaged.Event = func(int) *engine.Event { return nil }
	if _, divergence = debug.Replay(s.Machine(), debug.Options{Input: s.Options().Input}, damaged); divergence != nil {
		t.Errorf("%+v", divergence)
	}
}

// turning is a loop of Pass and Choice states that runs until it has turned as often as the input says.
const turning = `{"StartAt":"Add","States":{
	"Add":{"Type":"Pass","Parameters":{"n.$":"States.MathAdd($.n,1)","to.$":"$.to"},"Next":"More"},
	"More":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericLessThanPath":"$.to","Next":"Add"}],"Default":"End"},
	"End":{"Type":"Succeed"}}}`

// However many events come after the last answer, a healthy run agrees to its end.
func TestVerifyLongAfterTheLastAnswer(t *testing.T) {
	machine := machineOf(t, turning)
	options := debug.Options{Input: value.Must(`{"n":0,"to":17000}`)}
	s := debug.New(machine, options)
	reach(t, s, debug.StoppedAtEnd)
	if s.Log().Len() < 100_000 {
		t.Fatal(s.Log().Len())
	}
	v := debug.Verify(machine, options, recordingOf(s), 0)
	if v.Divergence != nil || v.Bound != 0 || v.Found.Len() != s.Log().Len() {
		t.Errorf("it differs: %+v, bound %d; %d events of %d", v.Divergence, v.Bound, v.Found.Len(), s.Log().Len())
	}
}

// Where the limit ends the comparison, that isn't a difference.
func TestVerifyEndedByItsLimit(t *testing.T) {
	machine := machineOf(t, turning)
	options := debug.Options{Input: value.Must(`{"n":0,"to":40}`)}
	s := debug.New(machine, options)
	reach(t, s, debug.StoppedAtEnd)
	recording := recordingOf(s)
	// An answer that does not fit ends the plain re-execution early: from there on the run has its limit.
	recording.Inputs = append(recording.Inputs, runlog.Input{Kind: runlog.InputOutcome, Step: 20, After: 20,
		Request: 9})
	if v := debug.Verify(machine, options, recording, 0); v.Divergence != nil || v.Bound != 0 {
		t.Errorf("without a limit: %+v, %d", v.Divergence, v.Bound)
	}
	v := debug.Verify(machine, options, recording, 60)
	if v.Divergence != nil || v.Bound < 60 || v.Bound >= s.Log().Len() {
		t.Errorf("with one of 60: %+v, %d", v.Divergence, v.Bound)
	}
}

// A session that forgets comes to the same end, and holds no more the longer it runs.
func TestForget(t *testing.T) {
	held := func(to int, forget bool) (bytes int64, events int) {
		options := debug.Options{Input: value.Must(fmt.Sprintf(`{"n":0,"to":%d}`, to)), Forget: forget}
		machine := machineOf(t, turning)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := debug.New(machine, options)
		reach(t, s, debug.StoppedAtEnd)
		runtime.GC()
		runtime.ReadMemStats(&after)
		if want := fmt.Sprintf(`{"n":%d,"to":%d}`, to, to); value.Compact(s.Output()) != want ||
			s.Status() != engine.Succeeded {
			t.Errorf("the output is %s, want %s", value.Compact(s.Output()), want)
		}
		return int64(after.HeapAlloc) - int64(before.HeapAlloc), s.Log().Len()
	}
	kept, events := held(10_000, false)
	forgot, same := held(10_000, true)
	if same != events || forgot > 2<<20 || kept < 3*forgot {
		t.Errorf("%d bytes are held of %d events, and %d of %d where all is kept", forgot, same, kept, events)
	}
}

// A recording that agrees is confirmed without being held; of any other Confirm says nothing.
func TestConfirm(t *testing.T) {
	options := debug.Options{Input: value.Must(`{}`), Source: &runs.Script{Outcomes: []engine.Outcome{
		{Output: value.Must(`"first"`)}, {Error: "Flaky", Cause: "not yet"}, {Output: value.Must(`"second"`)},
		{Output: value.Must(`"third"`)},
	}}}
	machine := machineOf(t, failingWith(`"Retry":[{"ErrorEquals":["Flaky"],"IntervalSeconds":7}],`))
	s := debug.New(machine, options)
	reach(t, s, debug.StoppedAtEnd)
	recording := recordingOf(s)
	confirm := func(machine *engine.Machine, input string, events []engine.Event) *debug.Verification {
		inputs := runlog.InputsOf(recording.Inputs)
		return debug.Confirm(machine, debug.Options{Input: value.Must(input)}, &inputs, len(events),
			func(i int) *engine.Event {
				if events[i].Seq == 0 {
					return nil
				}
				return &events[i]
			})
	}
	v := confirm(machine, `{}`, recording.Events)
	if v == nil || v.Divergence != nil || v.Recorded.Len() != len(recording.Events) ||
		v.Found.Len() != len(recording.Events) ||
		v.Recorded.Last().Type != engine.ExecutionSucceeded || v.Session.Status() != engine.Succeeded {
		t.Fatalf("%+v", v)
	}
	if v := confirm(machine, `{}`, recording.Events[:7]); v == nil || v.Recorded.Len() != 7 {
		t.Errorf("a recording that was cut off: %+v", v)
	}
	changed := func(change func(events []engine.Event) []engine.Event) []engine.Event {
		return change(append([]engine.Event(nil), recording.Events...))
	}
	for name, events := range map[string][]engine.Event{
		"another event":   changed(func(e []engine.Event) []engine.Event { e[5].Time++; return e }),
		"one is unread":   changed(func(e []engine.Event) []engine.Event { e[5].Seq = 0; return e }),
		"a redrive":       changed(func(e []engine.Event) []engine.Event { e[5].Type = engine.ExecutionRedriven; return e }),
		"one more":        changed(func(e []engine.Event) []engine.Event { return append(e, e[len(e)-1]) }),
		"an earlier end":  changed(func(e []engine.Event) []engine.Event { e[6] = e[len(e)-1]; return e[:7] }),
		"the last is not": changed(func(e []engine.Event) []engine.Event { e[len(e)-1].After = value.Null{}; return e }),
	} {
		if confirm(machine, `{}`, events) != nil {
			t.Errorf("%s: it is confirmed", name)
		}
	}
	if confirm(machine, `{"other":1}`, recording.Events) != nil ||
		confirm(machineOf(t, failingWith("")), `{}`, recording.Events) != nil {
		t.Error("another input or machine is confirmed")
	}
}

// The memory of a confirmation does not grow with the length of the run.
func TestConfirmHoldsLittle(t *testing.T) {
	machine := machineOf(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","Parameters":{"n.$":"States.MathAdd($.n, 1)"},"Next":"B"},
		"B":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":4000,"Next":"C"}],"Default":"A"},"C":{"Type":"Succeed"}}}`)
	options := debug.Options{Input: value.Must(`{"n":0}`)}
	s := debug.New(machine, options)
	reach(t, s, debug.StoppedAtEnd)
	v := debug.Confirm(machine, options, &runlog.Inputs{}, s.Log().Len(), s.Log().At)
	if v == nil || v.Found.Len() != s.Log().Len() || v.Found.Whole() || v.Recorded.Whole() {
		t.Fatal("the logs are held as a whole")
	}
}
