package runlog_test

import (
	"errors"
	"runtime"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// loopOf returns n events of visits of five events each, as an execution makes them: with separate visits each
// time.
func loopOf(n int) []engine.Event {
	events := make([]engine.Event, n)
	state := &asl.State{Name: "A"}
	var visit *engine.Visit
	for i := range events {
		events[i] = engine.Event{Seq: int64(i + 1), Time: int64(i), Type: engine.StageCompleted, Visit: visit}
		switch i % 5 {
		case 0:
			visit = &engine.Visit{State: state, Entered: int64(i + 1)}
			events[i].Type, events[i].Visit = engine.StateEntered, visit
		case 3:
			events[i].Type, events[i].Detail = engine.StageFailed, &engine.Failure{Name: "E", Origin: visit}
		}
	}
	return events
}

// pagedLog returns a log of n events that holds few of them; asked counts how often others were made again.
func pagedLog(n int) (log *runlog.Log, asked *int) {
	log, asked = &runlog.Log{}, new(int)
	log.Page(func(from, to int, take func(i int, events []engine.Event)) error {
		*asked++
		from = max(from-700, 0) // as from a snapshot
		take(from, loopOf(n)[from:to])
		return nil
	}, 3)
	for i, events := 0, loopOf(n); i < n; i++ {
		log.Append(events[i : i+1])
	}
	return log, asked
}

func TestPages(t *testing.T) {
	const n = 20_000
	log, asked := pagedLog(n)
	if !log.Paged() || !log.Whole() || log.First() != 0 || log.Len() != n {
		t.Fatalf("paged %v, whole %v, first %d, %d events", log.Paged(), log.Whole(), log.First(), log.Len())
	}
	kept := log.At(5003).Visit
	for i := n - 1; i >= 0; i-- {
		event := log.At(i)
		if event.Seq != int64(i+1) || event.Visit != log.At(int(event.Visit.Entered)-1).Visit {
			t.Fatalf("event %d is %+v", i, event)
		}
		if failure := event.Failure(); failure != nil && failure.Origin != event.Visit {
			t.Fatalf("the failure of event %d came up in another visit", i)
		}
	}
	runtime.GC()
	if log.At(5003).Visit != kept || log.At(5001).Visit != kept {
		t.Error("a visit that is in use has another pointer")
	}
	if *asked == 0 || *asked > 40 {
		t.Errorf("events were made again %d times", *asked)
	}
	if err := log.PageFault(); err != nil {
		t.Error(err)
	}
}

// The head of an event says what the event says, whether the log holds the event or not.
func TestHeads(t *testing.T) {
	const n = 20_000
	events := loopOf(n)
	log, asked := pagedLog(n)
	whole := runlog.Of(events)
	for i := range n {
		head := log.Head(i)
		want := runlog.Head{
			Time: events[i].Time, Thread: events[i].Thread, Type: events[i].Type, State: events[i].Visit.State,
			Entered: events[i].Visit.Entered,
		}
		if named := head.State.Name == want.State.Name; !named || !head.At().Equal(events[i].At()) {
			t.Fatalf("the head of event %d is %+v", i, head)
		}
		if want.State = head.State; head != want || whole.Head(i).Entered != want.Entered {
			t.Fatalf("the head of event %d is %+v, want %+v", i, head, want)
		}
	}
	if *asked > 0 {
		t.Errorf("events were made again %d times for their heads", *asked)
	}
}

// Prefixes have the pages of their log, and what comes after is their own.
func TestPrefixOfPages(t *testing.T) {
	log, _ := pagedLog(20_000)
	for _, n := range []int{0, 1, 1024, 5000, 19_999, 20_000} {
		p := log.Prefix(n)
		p.Append([]engine.Event{{Seq: int64(n + 1), Type: engine.ExecutionAborted}})
		for i := range n {
			if p.At(i).Seq != int64(i+1) {
				t.Fatalf("event %d of the first %d is %+v", i, n, p.At(i))
			}
		}
		if p.Len() != n+1 || p.At(n).Type != engine.ExecutionAborted || n < 20_000 &&
			log.At(n).Type == engine.ExecutionAborted {
			t.Errorf("the first %d events: %+v", n, p.At(n))
		}
		if n >= 5000 && (p.SharedFrom(log, 0) == 0 || p.SharedFrom(log, 2048) == 0) {
			t.Errorf("the first %d events are not known to be shared", n)
		}
	}
}

// Events that cannot be made again are empty, and the reason is there.
func TestPagesThatAreLost(t *testing.T) {
	gone := errors.New("the file is gone")
	var log runlog.Log
	log.Page(func(int, int, func(int, []engine.Event)) error { return gone }, 1)
	events := loopOf(9000)
	for i := range events {
		log.Append(events[i : i+1])
	}
	if log.PageFault() != nil {
		t.Error(log.PageFault())
	}
	if event := log.At(7); event.Seq != 8 || event.Time != 7 || event.Type != 0 || !errors.Is(log.PageFault(), gone) {
		t.Errorf("%+v, %v", event, log.PageFault())
	}
	if event := log.At(8999); event.Type == 0 {
		t.Errorf("%+v", event)
	}
}

// Values that were made again are like those before, though not identical.
func TestSame(t *testing.T) {
	a, b := value.Must(`{"a":[1]}`), value.Must(`{"a":[1]}`)
	whole := runlog.Of(loopOf(10))
	paged, _ := pagedLog(5000)
	if !whole.Same(a, a) || whole.Same(a, b) || !paged.Same(a, b) || paged.Same(a, nil) ||
		paged.Same(a, value.Must(`{"a":[2]}`)) {
		t.Error("values are taken for one that are not, or the other way round")
	}
}
