package runlog_test

import (
	"fmt"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// standing writes the status, threads, timers and requests of an execution, or of a moment of its log.
type standing interface {
	Status() engine.Status
	Threads() []engine.ThreadInfo
	Requests() []*engine.TaskRequest
	Timers() []engine.Timer
}

func stands(s standing) string {
	text := s.Status().String()
	for _, t := range s.Threads() {
		text += fmt.Sprintf("; thread %d of %d, %d, %v", t.ID, t.Parent, t.Index, t.Blocked)
		if t.Visit != nil {
			text += " in " + t.Visit.Path()
		}
	}
	for _, r := range s.Requests() {
		text += fmt.Sprintf("; request %d of %s", r.ID, r.Visit.Path())
	}
	for _, t := range s.Timers() {
		text += fmt.Sprintf("; %v at %v", t.Kind, t.At.UTC())
	}
	return text
}

// follow runs a case to its end, notes the effects of its inputs in the log, and calls look after every step and input.
func follow(t *testing.T, c *runs.HistoryCase, look func(x *engine.Execution, log *runlog.Log)) *runlog.Log {
	t.Helper()
	machine, tasks := runs.Machine(c.Definition), c.Tasks()
	x := machine.Start(value.Must(c.Input), engine.StartOptions{})
	log := &runlog.Log{}
	log.Begin(runlog.Start{Time: x.Now()})
	for !x.Status().Done() {
		switch x.Status() {
		case engine.Runnable:
			log.Append(x.Step())
		case engine.AwaitingTime:
			at, _ := x.NextTimer()
			if err := x.AdvanceTo(at); err != nil {
				t.Fatal(err)
			}
			log.Effect(runlog.Effect{Now: x.Now()})
		default:
			request := x.Unanswered()
			outcome := tasks(request)
			effect := runlog.Effect{
				Kind: runlog.EffectOutcome, Thread: request.Thread, Delay: outcome.After, Every: outcome.HeartbeatEvery,
				Submits: request.Submits(&outcome), Now: x.Now(),
			}
			if err := x.Answer(request.ID, outcome); err != nil {
				t.Fatal(err)
			}
			log.Effect(effect)
		}
		look(x, log)
	}
	return log
}

// The projection of the log at its end equals the execution, after every step and every input.
func TestProjectionEqualsTheExecution(t *testing.T) {
	for _, c := range runs.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			var p runlog.Projection
			log := follow(t, &c, func(x *engine.Execution, log *runlog.Log) {
				if now := p.At(log, log.Len()).Now(); !log.Now().Equal(x.Now()) || !now.Equal(x.Now()) {
					t.Errorf("after %d events it is %v by the log and %v by the projection, want %v", log.Len(),
						log.Now(), now, x.Now())
				}
				if got, want := stands(p.At(log, log.Len())), stands(x); got != want && !t.Failed() {
					t.Errorf("after %d events:\n got %s\nwant %s", log.Len(), got, want)
				}
			})
			if got := p.At(log, log.Len()).Status(); got != c.Status {
				t.Errorf("it ends with %v, want %v", got, c.Status)
			}
			// Backwards, and over a prefix of the log, the moments are the same.
			var other runlog.Projection
			for i := log.Len(); i >= 0; i -= 3 {
				prefix := log.Prefix(i)
				var fresh runlog.Projection
				if got, want := stands(other.At(log, i)), stands(fresh.At(&prefix, i)); got != want {
					t.Errorf("at event %d:\n got %s\nwant %s", i, got, want)
				}
			}
		})
	}
}

// The marks of a state agree with a count over its events.
func TestMarksCountTheEvents(t *testing.T) {
	for _, c := range runs.Cases() {
		log := follow(t, &c, func(*engine.Execution, *runlog.Log) {})
		var p runlog.Projection
		marks := p.Marks(log, log.Len()-1)
		want := make(map[*asl.State]runlog.Mark)
		for event := range log.All() {
			if event.Visit == nil {
				continue
			}
			mark := want[event.Visit.State]
			switch event.Type {
			case engine.StateEntered:
				mark.Visits++
			case engine.RetryScheduled:
				mark.Retries++
			case engine.ErrorCaught:
				mark.Catches++
			}
			want[event.Visit.State] = mark
		}
		for state, mark := range want {
			got := marks.Of(state)
			if got.Visits != mark.Visits || got.Retries != mark.Retries || got.Catches != mark.Catches ||
				c.Status == engine.Succeeded && got.Active != 0 {
				t.Errorf("%s: %s is marked %+v, want %+v", c.Name, state.Path(), got, mark)
			}
		}
	}
}
