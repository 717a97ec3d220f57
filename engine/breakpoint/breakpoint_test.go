package breakpoint_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/interrupt"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

const (
	order      = runs.Order
	orderInput = runs.OrderInput
)

// oddNames has states whose names look like parts of a spec.
const oddNames = `{"StartAt":"x if y","States":{"x if y":{"Type":"Pass","Next":" sp "}," sp ":{"Type":"Pass","Next":"a:b"},
	"a:b":{"Type":"Pass","Next":"error"},"error":{"Type":"Pass","Next":"s*r"},"s*r":{"Type":"Pass","Next":"star"},
	"star":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","End":true}}}`

// fakeRun is a run that is over, with the position at which a test looks at it.
type fakeRun struct {
	machine  *engine.Machine
	log      *runlog.Log
	input    value.Value
	position int
	poll     interrupt.Poll

	points  *breakpoint.Tracker
	watches *breakpoint.Watches
}

func lookAt(definition, input string, outcomes runs.Outcomes) *fakeRun {
	r := &fakeRun{machine: runs.Machine(definition), input: value.Must(input)}
	r.log = runs.Run(r.machine, input, outcomes)
	r.points, r.watches = breakpoint.NewTracker(r), breakpoint.NewWatches(r)
	return r
}

func (r *fakeRun) Log() *runlog.Log         { return r.log }
func (r *fakeRun) Position() int            { return r.position }
func (r *fakeRun) Machine() *engine.Machine { return r.machine }
func (r *fakeRun) Input() value.Value       { return r.input }
func (r *fakeRun) Start() time.Time         { return r.log.At(0).At() }
func (r *fakeRun) Poll() *interrupt.Poll    { return &r.poll }

func (r *fakeRun) RootsAt(int) (context value.Value, variables func(name string) value.Value) {
	return nil, nil
}

func (r *fakeRun) Breakpoints() *breakpoint.List { return &r.points.List }

func (r *fakeRun) Setup() breakpoint.Setup { return breakpoint.SetupOf(&r.points.List, r.watches) }

func (r *fakeRun) Watches() *breakpoint.Watches { return r.watches }

func (r *fakeRun) Restore(setup breakpoint.Setup) []*breakpoint.LostError {
	return setup.Restore(&r.points.List, r.watches)
}

// walk goes through the log from its beginning and returns the events at which a breakpoint stops.
func (r *fakeRun) walk() (stops []int) {
	for i := range r.log.Len() {
		r.position = i + 1
		if r.points.Hit(i) != nil {
			stops = append(stops, i)
		}
	}
	return stops
}

// names returns the types and state paths of events.
func (r *fakeRun) names(events []int) []string {
	var names []string
	for _, i := range events {
		name := r.log.At(i).Type.String()
		if visit := r.log.At(i).Visit; visit != nil {
			name += " " + visit.Path()
		}
		names = append(names, name)
	}
	return names
}

func paid() runs.Outcomes {
	return runs.InTurn(engine.Outcome{Error: "Card.Timeout", Cause: "slow"},
		engine.Outcome{Output: value.Must(`{"id":"ch_1"}`)})
}

func declined() runs.Outcomes {
	return runs.InTurn(engine.Outcome{Error: "Card.Declined", Cause: "no money"})
}

// A breakpoint stops at the same events forward and back.
func TestStops(t *testing.T) {
	for _, test := range []struct {
		spec     string
		outcomes func() runs.Outcomes
		stops    []string
	}{
		{"Charge", paid, []string{"StateEntered Charge"}},
		{"Fulfil/**", paid, []string{"StateEntered Fulfil/Branches[0]/Reserve", "StateEntered Fulfil/Branches[0]/Pack",
			"StateEntered Fulfil/Branches[1]/Notify"}},
		{"Charge:ResultPath", paid, []string{"StageCompleted Charge"}},
		{"Charge:output", paid, []string{"StateExited Charge"}},
		{"error Card.*", paid, []string{"TaskFailed Charge"}},
		{"error States.ALL", paid, []string{"TaskFailed Charge"}},
		{"error States.*", paid, nil},
		{"caught error", paid, []string{"TaskFailed Charge"}},
		{"uncaught error", paid, nil},
		{"caught error", declined, []string{"TaskFailed Charge"}},
		{"uncaught error", declined, []string{"StageFailed Refund"}},
		{"retry", paid, []string{"RetryScheduled Charge"}},
		{`retry if error == "Card.Timeout" && $.total == 120`, paid, []string{"RetryScheduled Charge"}},
		{"catch Card.Declined", declined, []string{"ErrorCaught Charge"}},
		{"task scheduled hits == 2", paid, []string{"TaskScheduled Charge"}},
		{"timeout", paid, nil},
		{"Check -> Charge", paid, []string{"StateExited Check"}},
		{"Fulfil/** -> *", paid, []string{"StateExited Fulfil/Branches[0]/Reserve"}},
		{"Charge -> Refund", paid, nil},
		{"change $.payment.id", paid, []string{"StageCompleted Charge"}},
		{"change $.total", paid, nil},
		{"at +1m", paid, []string{"RetryStarted Charge"}},
		{"at +0s", paid, []string{"ExecutionStarted"}},
		{"at +3h", paid, nil},
		{"* hits % 3", paid, []string{"StateEntered Fulfil", "StateEntered Fulfil/Branches[1]/Notify",
			"StateEntered Each/Iterations[1]/Ship"}},
		{"Ship hits > 1", paid, []string{"StateEntered Each/Iterations[1]/Ship"}},
		{"Ship hits < 2", paid, []string{"StateEntered Each/Iterations[0]/Ship"}},
		{"Ship hits <= 1", paid, []string{"StateEntered Each/Iterations[0]/Ship"}},
		{"Ship hits != 1", paid, []string{"StateEntered Each/Iterations[1]/Ship"}},
		{"Ship hits >= 2 if $.sku == 2", paid, nil},
		{"Charge if nosuchname > 1", paid, []string{"StateEntered Charge"}},
	} {
		r := lookAt(order, orderInput, test.outcomes())
		b, err := r.Breakpoints().Add(test.spec)
		if err != nil {
			t.Fatal(err)
		}
		forward := r.walk()
		if got := r.names(forward); !slices.Equal(got, test.stops) {
			t.Errorf("%s stops at %q, want %q", test.spec, got, test.stops)
		}
		hits := b.Hits
		var back []int
		for n := r.log.Len(); ; {
			i, at := r.points.StopBefore(n)
			if at == nil {
				break
			}
			back, n = append(back, i), i
		}
		slices.Reverse(back)
		if !slices.Equal(back, forward) {
			t.Errorf("%s stops at %v on the way back, at %v forward", test.spec, back, forward)
		}
		half := r.log.Len() / 2
		r.position = half
		r.points.Recount(half, half, time.Time{})
		r.position = r.log.Len()
		r.points.Recount(r.log.Len(), half, time.Time{})
		if b.Hits != hits {
			t.Errorf("%s has %d hits after going back and forth, %d before", test.spec, b.Hits, hits)
		}
	}
}

func TestToleratedErrorsAreCaught(t *testing.T) {
	r := lookAt(`{"StartAt":"M","States":{"M":{"Type":"Map","ToleratedFailureCount":1,"MaxConcurrency":1,"ItemProcessor":{"StartAt":"F","States":{
		"F":{"Type":"Task","Resource":"r","End":true}}},"End":true}}}`, `[1,2]`, declined())
	if _, err := r.Breakpoints().Add("caught error"); err != nil {
		t.Fatal(err)
	}
	if got, want := r.names(r.walk()), []string{"TaskFailed M/Iterations[0]/F",
		"TaskFailed M/Iterations[1]/F"}; !slices.Equal(got, want) {
		t.Errorf("stops at %q, want %q", got, want)
	}
}

func TestOnceAndDisabled(t *testing.T) {
	r := lookAt(order, orderInput, paid())
	once, _ := r.Breakpoints().Add("Ship once")
	disabled, _ := r.Breakpoints().Add("Ship")
	disabled.Enabled = false
	if got, want := r.names(r.walk()), []string{"StateEntered Each/Iterations[0]/Ship"}; !slices.Equal(got, want) {
		t.Errorf("stops at %q, want %q", got, want)
	}
	if list := r.Breakpoints().All(); len(list) != 1 || list[0] != disabled || disabled.Hits != 0 {
		t.Errorf("%v remain", list)
	}
	if r.Breakpoints().Remove(once.ID) {
		t.Error("a breakpoint for once is removed twice")
	}
	state := r.machine.Definition().Lookup("Ship")
	if r.Breakpoints().At(state) != disabled || disabled.Place() != nil || disabled.AnyError() {
		t.Errorf("at the state: %v", r.Breakpoints().At(state))
	}
}

func TestMessages(t *testing.T) {
	r := lookAt(order, orderInput, paid())
	for _, spec := range []string{"Ship log sku {$.sku} of {state}, {{braces}}",
		`Done log {$.payment.id} {$.total} {$.nothing.x}`} {
		if _, err := r.Breakpoints().Add(spec); err != nil {
			t.Fatal(err)
		}
	}
	if stops := r.walk(); stops != nil {
		t.Errorf("logpoints stop at %v", stops)
	}
	texts := value.Each(r.Breakpoints().Messages(), func(m breakpoint.Message) string { return m.Text })
	if len(texts) != 3 || texts[0] != "sku 1 of Ship, {braces}" || texts[1] != "sku 2 of Ship, {braces}" ||
		!strings.HasPrefix(texts[2], `ch_1 120 [$.nothing.x is missing: $ has only `) {
		t.Errorf("messages %q", texts)
	}
	r.position = 0
	r.points.Recount(0, 0, time.Time{})
	if n := len(r.Breakpoints().Messages()); n != 0 {
		t.Errorf("%d messages before the first event", n)
	}
	r.points.CountAll()
	if n := len(r.Breakpoints().Messages()); n != 3 {
		t.Errorf("%d messages after counting all events", n)
	}
}

func TestClock(t *testing.T) {
	r := lookAt(order, orderInput, paid())
	if r.points.StopsClock() {
		t.Error("no breakpoint stops the clock")
	}
	start := r.Start()
	for _, spec := range []string{"at +90s once", "at +100s log late", "at +3m if $.total > 1000", "at " +
		start.Add(2*time.Minute).Format(time.RFC3339)} {
		if _, err := r.Breakpoints().Add(spec); err != nil {
			t.Fatal(err)
		}
	}
	r.position = r.log.Len()
	hour := start.Add(time.Hour)
	at, ok := r.points.ClockStop(start, hour, time.Time{})
	if !ok || !at.Equal(start.Add(90*time.Second)) || !r.points.StopsClock() {
		t.Fatalf("the clock stops at %v, %v", at, ok)
	}
	if b := r.points.ClockReached(at); b == nil || b.Hits != 1 || len(r.Breakpoints().All()) != 3 {
		t.Errorf("it stops for %v", b)
	}
	if at, ok = r.points.ClockStop(at, hour, time.Time{}); !ok || !at.Equal(start.Add(2*time.Minute)) {
		t.Errorf("then it stops at %v, %v", at, ok)
	}
	if at, ok := r.points.ClockStop(start, hour, start.Add(time.Minute)); ok {
		t.Errorf("it stops at %v, after a timer", at)
	}
	if at, ok := r.points.ClockStop(at, hour, time.Time{}); ok {
		t.Errorf("it stops at %v, where a condition does not hold", at)
	}
	late, _ := r.Breakpoints().Add("at +3h")
	r.points.Recount(r.log.Len(), 0, start.Add(4*time.Hour))
	if late.Hits != 1 {
		t.Errorf("%d hits of a time after the last event", late.Hits)
	}
}

func TestWatches(t *testing.T) {
	r := lookAt(order, orderInput, paid())
	w, err := r.watches.Add("$.payment.id")
	if err != nil {
		t.Fatal(err)
	}
	last := r.log.Len() - 1
	if v, err := r.watches.At(w, last); err != nil || value.Compact(v) != `"ch_1"` {
		t.Errorf("at the end: %v, %v", v, err)
	}
	var miss *path.MissError
	if _, err := r.watches.At(w, -1); !errors.As(err, &miss) {
		t.Errorf("before the start: %v", err)
	}
	changes := r.watches.Changes(w)
	if len(changes) != 1 || changes[0].Before != nil || value.Compact(changes[0].After) != `"ch_1"` {
		t.Fatalf("changes %+v", changes)
	}
	for i := range r.log.Len() { // a payload without the member does not take the value away
		if r.log.At(i).Thread == 0 {
			if _, err := r.watches.At(w, i); (err == nil) != (i >= changes[0].Event) {
				t.Errorf("at event %d: %v", i, err)
			}
		}
	}
	found, ok, err := r.watches.LastChange("$.payment.id", last-1, true)
	if err != nil || !ok || found.Event != changes[0].Event {
		t.Errorf("the last change is %+v, %v, %v", found, ok, err)
	}
	if _, ok, _ := r.watches.LastChange("$.total", last-1, false); ok {
		t.Error("the total has changed")
	}
	if _, _, err := r.watches.LastChange("$.a >", last, false); err == nil {
		t.Error("the last change of an expression that cannot be read")
	}
	r.watches.Forget(changes[0].Event)
	if again := r.watches.Changes(w); len(again) != 1 {
		t.Errorf("%d changes after forgetting", len(again))
	}
	if v, err := r.watches.Evaluate("$.total * 2", -1); err != nil || value.Compact(v) != "240" {
		t.Errorf("twice the total is %v, %v", v, err)
	}
	if _, err := r.watches.Evaluate("$.total *", 0); err == nil || breakpoint.CheckExpression("$.total *") == nil ||
		breakpoint.CheckExpression("$.total") != nil {
		t.Error("an expression that cannot be read is accepted, or one that can is not")
	}
	if err := r.watches.Edit(w.ID, "$.done"); err != nil || w.Text != "$.done" ||
		!errors.Is(r.watches.Edit(99, "$.a"), breakpoint.ErrNoWatch) || r.watches.Edit(w.ID, "$.a >") == nil {
		t.Errorf("edited: %v, %v", w.Text, err)
	}
	if !r.watches.Remove(w.ID) || r.watches.Remove(w.ID) || len(r.watches.All()) != 0 {
		t.Error("removing once works once")
	}
}

func TestEditingABreakpoint(t *testing.T) {
	s := lookAt(order, orderInput, runs.Echo)
	b, _ := s.Breakpoints().Add("Charge")
	other, _ := s.Breakpoints().Add("Done")
	b.Enabled = false
	edited, err := s.Breakpoints().Replace(b.ID, "Fulfil if $.total > 1")
	if err != nil || edited.ID != b.ID || edited.Enabled || s.Breakpoints().All()[0] != edited ||
		s.Breakpoints().All()[1] != other {
		t.Errorf("edited: %+v, %v", edited, err)
	}
	if _, err := s.Breakpoints().Replace(b.ID, "Nowhere"); err == nil || s.Breakpoints().All()[0] != edited {
		t.Error("a spec that is wrong changes the breakpoint")
	}
	if b, err := s.Breakpoints().Replace(99, "Charge"); b != nil || err != nil {
		t.Error("there is no breakpoint 99")
	}
}

func TestSetup(t *testing.T) {
	s := lookAt(oddNames, orderInput, runs.Echo)
	for _, spec := range []string{"error Card.*", "x if y:output log a {$.n}", "at +5m once"} {
		if _, err := s.Breakpoints().Add(spec); err != nil {
			t.Fatal(err)
		}
	}
	s.Breakpoints().AddAt(s.Machine().Definition().Lookup("s*r"))
	s.Breakpoints().All()[0].Enabled = false
	if _, err := s.Watches().Add("$.n"); err != nil {
		t.Fatal(err)
	}
	setup := s.Setup()
	again := lookAt(oddNames, orderInput, runs.Echo)
	for range 2 { // none is added twice
		if lost := again.Restore(setup); len(lost) != 0 {
			t.Fatal(lost[0])
		}
	}
	if got, want := fmt.Sprintf("%+v", again.Setup()), fmt.Sprintf("%+v", setup); got != want {
		t.Errorf("restored\n     %s\nwant %s", got, want)
	}
	if state := again.Breakpoints().All()[3].Place(); state == nil || state.Name != "s*r" {
		t.Errorf("the breakpoint of a state is at %v", state)
	}
	other := lookAt(order, orderInput, runs.Echo)
	lost := other.Restore(setup)
	if len(lost) != 2 || lost[0].Breakpoint.Spec != "x if y:output log a {$.n}" || !lost[1].Breakpoint.Exact {
		t.Errorf("of another definition %v are lost", lost)
	}
}

// specs draws a spec for the definition order. TestStandingBreakpoint: the breakpoint on uncaught errors is the first
// of the list, stops a run, can be switched off but not removed or edited, and a setup has it only where it is switched
// off, so that older setups get it.
func TestStandingBreakpoint(t *testing.T) {
	const definition = `{"StartAt":"A","States":{"A":{"Type":"Fail","Error":"E"}}}`
	r := lookAt(definition, `{}`, runs.Echo)
	if _, err := r.Breakpoints().Add("A"); err != nil {
		t.Fatal(err)
	}
	b := r.Breakpoints().AddUncaught()
	if all := r.Breakpoints().All(); len(all) != 2 || all[0] != b || b.String() != "uncaught error" || !b.Enabled {
		t.Fatalf("%v", all)
	}
	b.Enabled = true
	if setup := r.Setup(); len(setup.Breakpoints) != 1 || setup.Breakpoints[0].Spec != "A" {
		t.Errorf("the setup has %v", setup.Breakpoints)
	}
	if _, err := r.Breakpoints().Replace(b.ID, "A"); err == nil || b.Kind != breakpoint.OnUncaught {
		t.Error("it was edited")
	}
	if !r.Breakpoints().Remove(b.ID) || len(r.Breakpoints().All()) != 2 || b.Enabled {
		t.Error("removing it does not switch it off")
	}
	off := r.Setup()
	for _, test := range []struct {
		setup   breakpoint.Setup
		enabled bool
	}{
		{off, false}, {breakpoint.Setup{}, true},
		{breakpoint.Setup{Breakpoints: []breakpoint.Saved{{Spec: "A"}, {Spec: "uncaught error"}}}, true},
	} {
		again := lookAt(definition, `{}`, runs.Echo)
		b := again.Breakpoints().AddUncaught()
		if lost := again.Restore(test.setup); len(lost) > 0 {
			t.Errorf("%v", lost)
		}
		all := again.Breakpoints().All()
		if all[0] != b || b.Enabled != test.enabled || len(all) != max(len(test.setup.Breakpoints), 1) {
			t.Errorf("%v: %d breakpoints, enabled %v", test.setup, len(all), b.Enabled)
		}
		if stops := again.walk(); (len(stops) > 0) != (test.enabled || len(test.setup.Breakpoints) > 0) {
			t.Errorf("%v: stops at %v", test.setup, stops)
		}
	}
}

// A stage is listed by the name that its state gives it, as in the strip.
func TestStagesAreListedByTheirField(t *testing.T) {
	s := lookAt(order, orderInput, runs.Echo)
	for spec, want := range map[string]string{
		"Charge:Task": "Charge:Task", "Charge:result": "Charge:Task", "Fulfil:Result": "Fulfil:Branches",
		"Charge:afterResultPath": "Charge:ResultPath",
	} {
		if b, err := s.Breakpoints().Add(spec); err != nil || b.String() != want {
			t.Errorf("%q is listed as %v (%v), want %q", spec, b, err, want)
		}
	}
}
