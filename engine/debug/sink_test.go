package debug_test

import (
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// forkTape is a tape that records each fork.
type forkTape struct {
	tape
	rewound int
	logs    [][]engine.Event
}

func (b *forkTape) Rewound(to int64) {
	b.keep()
	b.tape.Rewound(to)
	b.rewound++
}

func (b *forkTape) keep() { b.logs = append(b.logs, append([]engine.Event(nil), b.events...)) }

// A sink that is attached later gets the same calls as one from the start: every fork with its answers, the current one
// last, and executed again it is the same.
func TestCopyTo(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	var empty forkTape
	retell := func(sink debug.Sink) {
		t.Helper()
		if err := s.CopyTo(sink); err != nil {
			t.Fatal(err)
		}
	}
	retell(&empty)
	if len(empty.events)+len(empty.inputs)+empty.rewound > 0 {
		t.Errorf("of a session that has not begun it is told %+v", empty)
	}
	reach(t, s, debug.StoppedAtEnd)
	for _, at := range []int{8, 3} {
		for s.GoTo(at); ; { // to where the data can be edited
			if _, _, err := s.Interventions().Editable(0); err == nil {
				break
			}
			at--
			s.GoTo(at)
		}
		if err := s.Interventions().Edit(0, value.Must(`{"n":1,"items":[1]}`)); err != nil {
			t.Fatal(err)
		}
		do(t, s, debug.Continue)
	}
	if err := s.Forks().Switch(2); err != nil {
		t.Fatal(err)
	}
	s.GoTo(3) // its position changes nothing
	var got forkTape
	retell(&got)
	got.keep()
	forks := s.Forks().All()
	if len(forks) != 3 || got.rewound != 2 {
		t.Fatalf("%d forks, %d times rewound", len(forks), got.rewound)
	}
	for i, id := range []int{1, 3, 2} {
		var want []engine.Event
		for event := range s.Forks().Log(id).All() {
			want = append(want, *event)
		}
		sameLines(t, "a fork", lines(got.logs[i]), lines(want))
	}
	if len(got.inputs) != forks[1].Inputs {
		t.Fatalf("%d inputs, want %d", len(got.inputs), forks[1].Inputs)
	}
	options := s.Options()
	options.Source = nil
	again, divergence := debug.Replay(s.Machine(), options, debug.Recording{Inputs: got.inputs, Events: got.events})
	if divergence != nil {
		t.Fatalf("executed again it diverges: %+v", divergence)
	}
	sameLines(t, "what is executed again", lines(logged(again)), lines(got.events))
}

// A session that has let go of its older events says so.
func TestCopyAfterForgetting(t *testing.T) {
	loop := `{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"C"},"C":{"Type":"Choice","Choices":[{"Variable":"$.end","IsPresent":true,"Next":"E"}],"Default":"A"},"E":{"Type":"Succeed"}}}`
	for forget, want := range map[bool]error{true: debug.ErrForgotten, false: nil} {
		s := session(t, loop, debug.Options{Forget: forget, Limits: engine.Limits{History: 9000}})
		do(t, s, debug.Continue)
		var got forkTape
		if err := s.CopyTo(&got); err != want || (len(got.events) > 0) == forget {
			t.Errorf("forgetting %v: %v, %d events", forget, err, len(got.events))
		}
	}
}
