package runlog_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
)

// fleet has many iterations at a time, tasks with heartbeats, retries, waits and a deadline.
const fleet = `{"StartAt":"Each","TimeoutSeconds":5000,"States":{
	"Each":{"Type":"Map","MaxConcurrency":7,"ToleratedFailurePercentage":100,"Next":"Both","ItemProcessor":{"StartAt":"Work","States":{
		"Work":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","TimeoutSeconds":60,"HeartbeatSeconds":3,
			"Retry":[{"ErrorEquals":["Again"],"IntervalSeconds":2,"MaxAttempts":1}],"Next":"Rest"},
		"Rest":{"Type":"Wait","Seconds":4,"End":true}}}},
	"Both":{"Type":"Parallel","Next":"Last","Catch":[{"ErrorEquals":["States.ALL"],"Next":"Last"}],"Branches":[
		{"StartAt":"L","States":{"L":{"Type":"Wait","Seconds":9,"End":true}}},
		{"StartAt":"R","States":{"R":{"Type":"Fail","Error":"No"}}}]},
	"Last":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage.waitForTaskToken","Parameters":{"t.$":"$$.Task.Token"},"End":true}}}`

// driven is a run that a test drives without a session, with the state of the execution at every position.
type driven struct {
	e    *engine.Execution
	log  runlog.Log
	said map[int]string
}

// outcomeOf answers a request by its number.
func outcomeOf(r *engine.TaskRequest) engine.Outcome {
	outcome := engine.Outcome{Output: value.Int(r.ID), After: time.Duration(r.ID%5) * time.Second,
		HeartbeatEvery: time.Duration(r.ID%4) * time.Second}
	if r.ID%3 == 0 {
		outcome = engine.Outcome{Error: "Again", After: outcome.After}
	}
	return outcome
}

func drive(t *testing.T, items int) *driven {
	t.Helper()
	definition, diagnostics := asl.Parse(&source.File{Name: "fleet", Data: []byte(fleet)})
	if definition == nil {
		t.Fatal(diagnostics[0])
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	list := make([]value.Value, items)
	for i := range list {
		list[i] = value.Int(int64(i))
	}
	d := &driven{e: machine.Start(value.NewArray(list), engine.StartOptions{Start: time.Unix(100, 0)}),
		said: map[int]string{}}
	deadline, _ := d.e.NextTimer()
	d.log.Begin(runlog.Start{Time: d.e.Now(), Deadline: deadline})
	d.said[0] = saidBy(d.e)
	for !d.e.Status().Done() {
		if d.e.Status() == engine.AwaitingTime {
			next, _ := d.e.NextTimer()
			if err := d.e.AdvanceTo(next); err != nil {
				t.Fatal(err)
			}
			d.log.Effect(runlog.Effect{Now: d.e.Now()})
			continue
		}
		events := d.e.Step()
		d.log.Append(events)
		for r := d.e.Unanswered(); r != nil; r = d.e.Unanswered() {
			outcome := outcomeOf(r)
			if err := d.e.Answer(r.ID, outcome); err != nil {
				t.Fatal(err)
			}
			d.log.Effect(runlog.Effect{
				Kind: runlog.EffectOutcome, Thread: r.Thread, Now: d.e.Now(), Delay: outcome.After,
				Every:   outcome.HeartbeatEvery,
				Submits: r.Submits(&outcome), Immediate: true,
			})
		}
		if len(events) > 0 {
			d.said[d.log.Len()] = saidBy(d.e)
		}
	}
	return d
}

// waiting is the part of a state that executions and moments share.
type waiting interface {
	Status() engine.Status
	Now() time.Time
	Threads() []engine.ThreadInfo
	Timers() []engine.Timer
	Requests() []*engine.TaskRequest
	NextTimer() (time.Time, bool)
}

func saidBy(w waiting) string {
	text := fmt.Sprint(w.Status(), w.Now())
	for _, thread := range w.Threads() {
		text += fmt.Sprintf("\n%+v", thread)
	}
	for _, timer := range w.Timers() {
		text += fmt.Sprintf("\n%+v", timer)
	}
	for _, request := range w.Requests() {
		text += fmt.Sprintf("\n%p", request)
	}
	next, ok := w.NextTimer()
	return text + fmt.Sprint("\n", next, ok)
}

// The moment of every position equals the execution there, in whichever order positions are asked for.
func TestMomentsAreTheExecutions(t *testing.T) {
	d := drive(t, 400)
	positions := make([]int, 0, len(d.said))
	for n := range d.said {
		positions = append(positions, n)
	}
	slices.Sort(positions)
	var p runlog.Projection
	check := func(n int) {
		t.Helper()
		m := p.At(&d.log, n)
		if got := saidBy(m); got != d.said[n] {
			t.Fatalf("at position %d of %d the projection says\n%s\nand the execution said\n%s", n, d.log.Len(), got,
				d.said[n])
		}
	}
	for _, n := range positions {
		check(n)
	}
	for i := len(positions) - 1; i >= 0; i -= 7 { // back, from checkpoints
		check(positions[i])
	}
	for i := range positions {
		check(positions[i*31%len(positions)])
	}
	if !p.At(&d.log, 0).HasThread(0) || p.At(&d.log, 0).HasThread(1) {
		t.Error("at the start there are other threads than the root")
	}
}

// A log of the first events, and its projection, say the same as the whole, without the later events.
func TestForkedProjections(t *testing.T) {
	d := drive(t, 60)
	var p runlog.Projection
	p.At(&d.log, d.log.Len())
	for n := range d.said {
		prefix := d.log.Prefix(n)
		fork := p.Prefix(&prefix, n)
		if n == d.log.Len() {
			continue
		}
		if got := saidBy(fork.At(&prefix, n)); got != d.said[n] {
			t.Fatalf("a log of %d events says\n%s\nand the execution said\n%s", n, got, d.said[n])
		}
	}
	if whole := d.log.Fork(d.log.Len(), 1<<30); saidBy(new(runlog.Projection).At(&whole,
		whole.Len())) != d.said[d.log.Len()] {
		t.Error("a fork at the end says something else")
	}
}

// The positions of a log lie between steps.
func TestPositions(t *testing.T) {
	d := drive(t, 20)
	for n := range d.log.Len() + 1 {
		_, is := d.said[n]
		if at := d.log.PositionAt(n); is != (at == n) || d.said[at] == "" {
			t.Errorf("the position at %d is %d", n, at)
		}
		if before := d.log.PositionBefore(n); n > 0 && (before >= n || d.said[before] == "") {
			t.Errorf("the position before %d is %d", n, before)
		}
	}
	seq := int64(0)
	for event := range d.log.All() {
		if seq++; event.Seq != seq {
			t.Fatalf("event %d comes at %d", event.Seq, seq)
		}
	}
	if d.log.Last().Seq != seq || new(runlog.Log).Last() != nil || !d.log.Whole() {
		t.Error("the last event is another")
	}
	if d.log.SharedFrom(&d.log, 1) != 0 {
		t.Error("a chunk is shared from its middle on")
	}
}

// The marks of a state, and of one iteration, count the events in it.
func TestMarks(t *testing.T) {
	d := drive(t, 30)
	var p runlog.Projection
	last := d.log.Len() - 1
	marks := p.Marks(&d.log, last)
	var each, work *asl.State
	var thread engine.ThreadID
	visits := 0
	for event := range d.log.All() {
		if event.Type == engine.StateEntered {
			switch event.Visit.State.Name {
			case "Each":
				each = event.Visit.State
			case "Work":
				work, thread = event.Visit.State, event.Thread
				visits++
			}
		}
	}
	if got := marks.Of(work); got.Visits != visits || got.Active != 0 || got.Retries == 0 ||
		got.Failures < got.Retries {
		t.Errorf("Work has %+v after %d visits", got, visits)
	}
	inside := marks.Inside(each)
	if inside.Len() != 30 || inside.Ended() != 30 || inside.At(30).State != runlog.NotStarted {
		t.Errorf("%d iterations, %d have ended", inside.Len(), inside.Ended())
	}
	ended := 0
	for _, in := range inside.All() {
		if in.State == runlog.Succeeded || in.State == runlog.Failed {
			ended++
		}
	}
	if ended != 30 {
		t.Errorf("%d iterations have ended", ended)
	}
	var one runlog.InsideMarks
	if got := one.At(&d.log, thread, last).Of(work); got.Visits != 1 {
		t.Errorf("an iteration has %+v", got)
	}
	if got := p.Marks(&d.log, 0).Of(work); got != (runlog.Mark{}) {
		t.Errorf("at the start Work has %+v", got)
	}
	edges := 0
	for i := range work.Edges() {
		edges += marks.Taken(work, i)
	}
	if edges == 0 || marks.Taken(each, 99) != 0 {
		t.Errorf("%d transitions of Work were taken", edges)
	}
}

// A run without end takes no more memory: of the log its newest part is left.
func TestForget(t *testing.T) {
	var log runlog.Log
	for i := range 5000 {
		log.Append([]engine.Event{{Seq: int64(2*i + 1)}, {Seq: int64(2*i + 2)}})
		log.Forget()
	}
	if log.Whole() || log.Len() != 10000 || log.Last().Seq != 10000 || log.At(9000).Seq != 9001 ||
		log.PositionAt(9001) != 9002 {
		t.Errorf("%d events, the last is %+v", log.Len(), log.Last())
	}
}

// The marks of an earlier event are the marks of a log that ends with it.
func TestEarlierMarks(t *testing.T) {
	d := drive(t, 500)
	var p runlog.Projection
	var one runlog.InsideMarks
	states := make(map[*asl.State]bool)
	for event := range d.log.All() {
		if event.Type == engine.StateEntered {
			states[event.Visit.State] = true
		}
	}
	for _, n := range []int{d.log.Len(), d.log.Len() / 2, d.log.Len() - 5, d.log.Len() / 3, 9, d.log.Len() / 4} {
		var events []engine.Event
		for i := range n {
			events = append(events, *d.log.At(i))
		}
		short := runlog.Of(events)
		fresh, fork := new(runlog.Projection), p.Prefix(short, n)
		var again runlog.InsideMarks
		for state := range states {
			want := fresh.Marks(short, n-1)
			for which, got := range map[string]runlog.Marks{"the log": p.Marks(&d.log, n-1),
				"a fork": fork.Marks(short, n-1)} {
				if got.Of(state) != want.Of(state) || got.Inside(state).Ended() != want.Inside(state).Ended() {
					t.Errorf("after %d of %d events %s has %+v of %s, want %+v", n, d.log.Len(), which, got.Of(state),
						state.Name, want.Of(state))
				}
			}
			if got, want := one.At(&d.log, 3, n-1).Of(state), again.At(short, 3, n-1).Of(state); got != want {
				t.Errorf("after %d events the iteration has %+v of %s, want %+v", n, got, state.Name, want)
			}
		}
	}
}
