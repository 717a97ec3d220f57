package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/value"
)

// manyThreads is a definition whose threads of earlier iterations are used again for later ones: it has timers
// that are set and never fire, retries, caught and tolerated failures, variables, and branches inside of iterations.
const manyThreads = `{"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":7,"ToleratedFailureCount":1000,
	"ItemProcessor":{"StartAt":"T","States":{
		"T":{` + taskFields + `,"TimeoutSeconds":60,"HeartbeatSeconds":20,"Assign":{"seen.$":"$"},
			"Retry":[{"ErrorEquals":["Again"],"IntervalSeconds":2,"MaxAttempts":2}],
			"Catch":[{"ErrorEquals":["Caught"],"Next":"C"}],"Next":"P"},
		"P":{"Type":"Parallel","Branches":[
			{"StartAt":"A","States":{"A":{` + taskFields + `,"End":true}}},
			{"StartAt":"B","States":{"B":{"Type":"Wait","Seconds":3,"Next":"B2"},"B2":{"Type":"Pass","Parameters":{"v.$":"$seen"},"End":true}}}],"Next":"C"},
		"C":{"Type":"Pass","End":true}}},"End":true}}}`

// outcomeByIndex depends on the iteration and the attempt alone.
func outcomeByIndex(r *engine.TaskRequest) engine.Outcome {
	after := time.Duration(r.Visit.Index%4) * time.Second
	number := r.Visit.Index
	if r.Visit.Parent.Parent != nil { // in a branch
		number = r.Visit.Parent.Index
		after = time.Duration(number%6) * time.Second
	}
	switch {
	case r.Visit.State.Name == "T" && number%5 == 1 && r.Attempt < 3:
		return engine.Outcome{Error: "Again", Cause: "not yet", After: after}
	case r.Visit.State.Name == "T" && number%7 == 2:
		return engine.Outcome{Error: "Caught", After: after}
	case r.Visit.State.Name == "A" && number%3 == 0: // the other branch is about to run
		return engine.Outcome{Error: "Lost"}
	}
	return engine.Outcome{Output: r.Parameters, After: after, HeartbeatEvery: 2 * time.Second}
}

// outcomeOtherwise lets the run take another way.
func outcomeOtherwise(*engine.TaskRequest) engine.Outcome {
	return engine.Outcome{Error: "Caught", Cause: "otherwise"}
}

// Threads and the values of events that are allocated together, or used again, belong to one execution: snapshots
// continue as the run itself did, however far that has gone meanwhile, and events stay as they were.
func TestReuseStaysInOneExecution(t *testing.T) {
	machine := compile(t, manyThreads, engine.AWS)
	var items []string
	for i := range 150 {
		items = append(items, fmt.Sprint(i))
	}
	input := value.Must("[" + strings.Join(items, ",") + "]")
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 1))
		type moment struct {
			snapshot *engine.Snapshot
			seen     int
		}
		var moments []moment
		var kept []engine.Event
		var then []string // the events as they were when they happened
		spare := 0
		e := machine.Start(input, engine.StartOptions{Seed: 1})
		for !e.Status().Done() {
			if e.Status() == engine.AwaitingTime {
				next, _ := e.NextTimer()
				if err := e.AdvanceTo(next); err != nil {
					t.Fatal(err)
				}
			}
			events := e.Step()
			spare = max(spare, e.SpareThreads())
			kept, then = append(kept, events...), append(then, describe(events)...)
			if random.IntN(700) == 0 {
				moments = append(moments, moment{e.Snapshot(), len(kept)})
			}
			answerAll(t, e, outcomeByIndex)
			if len(moments) > 0 && random.IntN(1500) == 0 { // another run takes a turn
				m := moments[random.IntN(len(moments))]
				restored := m.snapshot.Restore()
				for range 200 {
					if restored.Status() == engine.Runnable {
						restored.Step()
					}
					answerAll(t, restored, outcomeOtherwise)
				}
			}
		}
		if e.Status() != engine.Succeeded || spare == 0 {
			t.Fatalf("the run ended with %v, and at most %d threads were there to be used again", e.Status(), spare)
		}
		compareLines(t, "the run at its end", describe(kept), then)
		for _, m := range slices.Backward(moments) {
			restored := m.snapshot.Restore()
			answerAll(t, restored, outcomeByIndex)
			compareLines(t, fmt.Sprintf("the run restored at event %d", m.seen),
				describe(drive(t, restored, outcomeByIndex)), then[m.seen:])
		}
		compareLines(t, "the run after all", describe(kept), then)
	}
}

func answerAll(t *testing.T, e *engine.Execution, answer answers) {
	t.Helper()
	for r := e.Unanswered(); r != nil; r = e.Unanswered() {
		if err := e.Answer(r.ID, answer(r)); err != nil {
			t.Fatal(err)
		}
	}
}
