package debug_test

import (
	"errors"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

const stageLoop = `{"StartAt":"A","States":{"A":{"Type":"Pass","Result":1,"ResultPath":"$.n","Next":"B"},
	"B":{"Type":"Choice","Choices":[{"Variable":"$.stop","IsPresent":true,"Next":"C"}],"Default":"A"},"C":{"Type":"Succeed"}}}`

// longRecording is a recording of so many events of the loop, whose events are read one by one.
func longRecording(t testing.TB, events int) (machine *engine.Machine, options debug.Options,
	recording debug.Recording) {
	t.Helper()
	machine, options = machineOf(t, stageLoop), debug.Options{Input: value.Must(`{"n":0}`), Seed: 3}
	s := debug.New(machine, options)
	if _, err := s.Do(debug.Command{Kind: debug.Continue, Events: events}); err != nil {
		t.Fatal(err)
	}
	return machine, options, debug.Recording{Length: s.Log().Len(), Event: s.Log().At}
}

// A recording that grows has the events of one that is replayed at once; positions are near snapshots wherever they
// are.
func TestGrowth(t *testing.T) {
	machine, options, recording := longRecording(t, 200_000)
	s := debug.BeginReplay(machine, options, recording)
	g := debug.GrowthOf(s)
	for g.Grow(1000) > 0 {
		known, recorded, _ := g.Progress()
		if s.Position() != 0 || recorded != recording.Length || known > recorded+10 {
			t.Fatalf("position %d, %d of %d events", s.Position(), known, recorded)
		}
	}
	if debug.GrowthOf(s) != nil || s.Log().Len() != recording.Length {
		t.Fatalf("%d events, want %d", s.Log().Len(), recording.Length)
	}
	at, divergence := debug.Replay(machine, options, recording)
	if divergence != nil {
		t.Fatal(divergence)
	}
	sameLines(t, "grown", lines(logged(s)[:100]), lines(logged(at)[:100]))
	if gap := s.WidestGap(); gap > 1024 {
		t.Errorf("%d events between two snapshots of %d", gap, s.Log().Len())
	}
	for _, n := range []int{150_001, 150_000, 3, 199_999} {
		s.GoTo(n)
		if differs := s.ProjectionDiffers(); differs != "" {
			t.Errorf("position %d: %s", n, differs)
		}
	}
}

// Commands go beyond what is known.
func TestCommandsWhileItGrows(t *testing.T) {
	machine, options, recording := longRecording(t, 5000)
	s := debug.BeginReplay(machine, options, recording)
	if stop, err := s.Do(debug.Command{Kind: debug.StepState}); err != nil || s.Position() != 2 {
		t.Errorf("%+v, %v at %d", stop, err, s.Position())
	}
	if stop, err := s.Do(debug.Command{Kind: debug.Continue, Events: 1000}); err != nil ||
		stop.Reason != debug.StoppedAtRecordingEnd || s.Position() != recording.Length {
		t.Errorf("%+v, %v at %d of %d", stop, err, s.Position(), recording.Length)
	}
}

// A recording of another machine is found out, and one that is followed waits for more.
func TestGrowthThatDiffers(t *testing.T) {
	machine, options, recording := longRecording(t, 3000)
	options.Input = value.Must(`{"n":0,"stop":1}`)
	s := debug.BeginReplay(machine, options, recording)
	for debug.GrowthOf(s).Grow(100) > 0 {
	}
	if d := debug.GrowthOf(s).Divergence(); d == nil || d.Index > 0 {
		t.Errorf("it differs at %+v", d)
	}

	machine, options, recording = longRecording(t, 300)
	whole := recording.Length
	recording.Length = 0
	s = debug.BeginReplay(machine, options, recording)
	g := debug.GrowthOf(s)
	g.Follow()
	for n := range whole / 50 {
		g.Lengthen(n*50, 0)
		for range 5 {
			g.Grow(100)
		}
		if known, _, goesOn := g.Progress(); known < n*50 || goesOn || !g.Followed() || g.Divergence() != nil {
			t.Fatalf("%d events of %d, %v, %+v", known, n*50, goesOn, g.Divergence())
		}
	}
}

// An input that cannot be read is a divergence.
func TestGrowthWithoutAnInput(t *testing.T) {
	machine, options, recording := longRecording(t, 300)
	damaged := errors.New("line 7 is damaged")
	recording.List = runlog.ReadInputs(3, func(int, int) ([]runlog.Input, error) { return nil, damaged })
	s := debug.BeginReplay(machine, options, recording)
	debug.GrowthOf(s).Grow(1000)
	if d := debug.GrowthOf(s).Divergence(); d == nil || !errors.Is(d.Err, damaged) {
		t.Errorf("%+v", d)
	}
}

// An interrupted evaluation is done again: it isn't a difference.
func TestInterruptedGrowth(t *testing.T) {
	definition := `{"StartAt":"A","QueryLanguage":"JSONata","States":{"A":{"Type":"Pass","Output":"{% $sum([1..20000].($ * 2)) %}","End":true}}}`
	machine, options := machineOf(t, definition), debug.Options{Input: value.Must(`{}`)}
	live := debug.New(machine, options)
	if _, err := live.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	s := debug.BeginReplay(machine, options, debug.Recording{Length: live.Log().Len(), Event: live.Log().At})
	stops := true
	s.SetInterrupt(func() error {
		if stops {
			return errors.New("stop")
		}
		return nil
	})
	g := debug.GrowthOf(s)
	g.Grow(100)
	if known, recorded, goesOn := g.Progress(); known >= recorded || !goesOn || g.Divergence() != nil {
		t.Fatalf("%d of %d events, %v, %+v", known, recorded, goesOn, g.Divergence())
	}
	stops = false
	for g.Grow(100) > 0 {
	}
	if s.Log().Len() != live.Log().Len() || debug.GrowthOf(s) != nil {
		t.Errorf("%d events, want %d", s.Log().Len(), live.Log().Len())
	}
}

// The tally of the states takes events as they come; where it is asked for only when they are there, it needs no event
// that was dropped.
func TestMarksWhileItGrows(t *testing.T) {
	machine, options, recording := longRecording(t, 60_000)
	a := machine.Definition().Top.State("A")
	visits := make([]int, recording.Length) // of A, up to each event
	for i := range visits {
		if i > 0 {
			visits[i] = visits[i-1]
		}
		if e := recording.Event(i); e.Type == engine.StateEntered && e.Visit.State == a {
			visits[i]++
		}
	}
	for _, always := range []bool{true, false} {
		s := debug.BeginReplay(machine, options, recording)
		for g := debug.GrowthOf(s); g.Grow(1000) > 0; {
			if last := s.Log().Len() - 1; always && s.MarksAt(last).Of(a).Visits != visits[last] {
				t.Fatalf("event %d: %+v, want %d visits", last, s.MarksAt(last).Of(a), visits[last])
			}
		}
		for _, i := range []int{recording.Length - 1, recording.Length / 2, 12} {
			if got := s.MarksAt(i).Of(a).Visits; got != visits[i] {
				t.Errorf("asked always %v, event %d: %d visits, want %d", always, i, got, visits[i])
			}
		}
		if loads := s.Log().Loads(); loads != 0 || !s.Log().Paged() {
			t.Errorf("asked always %v: %d thousands of events were made again", always, loads)
		}
	}
}
