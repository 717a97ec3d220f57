package debug

import (
	"slices"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// looping counts: A assigns n+1 and B goes back to A until n is 9.
const looping = `{"StartAt":"Z","States":{"Z":{"Type":"Pass","Assign":{"n":0},"Next":"A"},
	"A":{"Type":"Pass","Assign":{"n.$":"States.MathAdd($n, 1)"},"Next":"W"},"W":{"Type":"Wait","Seconds":60,"Next":"B"},
	"B":{"Type":"Choice","Choices":[{"Variable":"$n","NumericLessThan":9,"Next":"A"}],"Default":"End"},"End":{"Type":"Succeed"}}}`

func loopingSession(t *testing.T) *Session {
	t.Helper()
	src := &source.File{Name: "loop.json", Data: []byte(looping)}
	definition, problems := asl.Parse(src)
	if definition == nil {
		t.Fatal(problems)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return New(machine, Options{Input: value.ObjectOf(), Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
}

// Going back, a breakpoint stops at the events at which it stopped on the way.
func TestTheWayBackStopsWhereTheWayForwardDid(t *testing.T) {
	for _, specs := range [][]string{
		{"A"}, {"A hits == 3"}, {"* hits % 4"}, {"A hits > 5", "B:Choices hits < 3"}, {"A if $n > 4"}, {"change $n"},
		{"B -> A"}, {"at +3m"},
		{"A log here", "W -> B hits % 2"},
	} {
		s := loopingSession(t)
		for _, spec := range specs {
			if _, err := s.Breakpoints().Add(spec); err != nil {
				t.Fatal(err)
			}
		}
		var forward []int
		for {
			stop, err := s.Do(Command{Kind: Continue})
			if err != nil {
				t.Fatal(err)
			}
			if stop.Reason != StoppedByBreakpoint {
				break
			}
			forward = append(forward, s.log.Len()-1)
		}
		var back []int
		for n := s.log.Len(); ; {
			i, b := s.points.StopBefore(n)
			if b == nil {
				break
			}
			back = append(back, i)
			n = i
		}
		slices.Reverse(back)
		if len(forward) == 0 || !slices.Equal(forward, back) {
			t.Errorf("%q stops at %v on the way forward, at %v on the way back", specs, forward, back)
		}
	}
}

func TestRecountIsWhatWasCountedOnTheWay(t *testing.T) {
	s := loopingSession(t)
	b, err := s.Breakpoints().Add("A")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Breakpoints().Add("A log n is {$n}"); err != nil {
		t.Fatal(err)
	}
	w, err := s.Watches().Add("$n")
	if err != nil {
		t.Fatal(err)
	}
	var hits, messages, changes, lengths []int
	for {
		stop, err := s.Do(Command{Kind: StepStage})
		if err != nil {
			t.Fatal(err)
		}
		if stop.Reason == StoppedAtEnd {
			break
		}
		hits, messages = append(hits, b.Hits), append(messages, len(s.Breakpoints().Messages()))
		changes, lengths = append(changes, len(s.Watches().Changes(w))), append(lengths, s.log.Len())
	}
	whole := s.log
	for at := len(lengths) - 1; at >= 0; at-- {
		s.recount(lengths[at], lengths[at])
		s.log = whole.Prefix(lengths[at]) // later events are not known
		if b.Hits != hits[at] || len(s.Breakpoints().Messages()) != messages[at] ||
			len(s.Watches().Changes(w)) != changes[at] {
			t.Errorf("after %d events: %d hits, %d messages, %d changes; want %d, %d, %d", lengths[at], b.Hits,
				len(s.Breakpoints().Messages()), len(s.Watches().Changes(w)),
				hits[at], messages[at], changes[at])
		}
		s.log = whole
	}
	if hits[len(hits)-1] != 9 {
		t.Errorf("%d hits in all", hits[len(hits)-1])
	}
}
