package rerun_test

import (
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit"
	"asldb/internal/testkit/runs"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

// Of every recorded history a definition can be made up whose events, written as a history again, are the
// recorded ones. Events that no history of a run has are left out: events of aborted states.
func TestRecordedEventsAreAHistoryAgain(t *testing.T) {
	for _, c := range runs.LoadAWS(t) {
		if c.Kind != "execution" || c.Document() == nil {
			continue
		}
		t.Run(c.Name, func(t *testing.T) { backAndForth(t, open(t, c.Name, value.Append(nil, c.Document()))) })
	}
}

func TestRealHistoriesOpen(t *testing.T) {
	dir := testkit.Dir(t, "histories")
	names, err := filepath.Glob(filepath.Join(dir, "real-*.json"))
	if err != nil || len(names) < 6 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			backAndForth(t, open(t, name, data))
		})
	}
}

func backAndForth(t *testing.T, r *rerun.Recording) {
	t.Helper()
	definition, err := r.Skeleton()
	if err != nil {
		t.Fatal(err)
	}
	events := r.Events(definition)
	for i := range events {
		if events[i].Seq != int64(i+1) || i > 0 && events[i].Time < events[i-1].Time {
			t.Fatalf("event %d: seq %d, time %d", i, events[i].Seq, events[i].Time)
		}
	}
	found := history.Follow(history.Of(refs(events)))
	same := &history.Reproducible{}
	if d := history.CompareThreads(r.Threads, found, history.Whole, same.Same); d != nil {
		t.Errorf("%s\n%s", d, definition.Source.Data)
	}
	for _, kind := range []string{"StateEntered", "StateExited", "Scheduled"} {
		if n, m := count(r.Execution.Events, kind), count(found.Events, kind); n != m {
			t.Errorf("%d %s, recorded %d", m, kind, n)
		}
	}
}

func count(events []history.Event, suffix string) int {
	n := 0
	for i := range events {
		if strings.HasSuffix(events[i].Type, suffix) {
			n++
		}
	}
	return n
}

func refs(events []engine.Event) iter.Seq[*engine.Event] {
	return func(yield func(*engine.Event) bool) {
		for i := range events {
			if !yield(&events[i]) {
				return
			}
		}
	}
}

// A history that stops in the middle, wherever that is, can be looked at too.
func TestEveryPrefixOpens(t *testing.T) {
	for _, c := range runs.LoadAWS(t) {
		if c.Kind != "execution" || c.Document() == nil {
			continue
		}
		whole := open(t, c.Name, value.Append(nil, c.Document())).Execution.Events
		for n := 2; n < len(whole); n++ {
			r := rerun.Of(&history.Execution{Events: whole[:n]})
			definition, err := r.Skeleton()
			if err != nil {
				t.Errorf("%s, %d events: %v", c.Name, n, err)
				break
			}
			found := history.Follow(history.Of(refs(r.Events(definition))))
			same := &history.Reproducible{}
			if d := history.CompareThreads(r.Threads, found, history.Extent{Found: true}, same.Same); d != nil &&
				d.Found == nil && d.Recorded.Kind().Phase < history.Succeeded {
				t.Errorf("%s, %d events: %s", c.Name, n, d)
				break
			}
		}
	}
}

// Whatever events there are, in whatever order and with whatever links, looking at them doesn't panic.
func FuzzRecorded(f *testing.F) {
	f.Add(file(f, "order.history.json"))
	f.Add([]byte(`[{"timestamp":1,"type":"MapStateEntered","id":1,"stateEnteredEventDetails":{"name":"M"}},{"timestamp":1,"type":"MapStateStarted","id":2,"previousEventId":1},
		{"timestamp":1,"type":"MapIterationStarted","id":3,"previousEventId":2,"mapIterationStartedEventDetails":{"name":"M","index":4}},
		{"timestamp":1,"type":"TaskStateEntered","id":4,"previousEventId":3,"stateEnteredEventDetails":{"name":"T"}},
		{"timestamp":1,"type":"TaskScheduled","id":5,"previousEventId":4},{"timestamp":1,"type":"TaskFailed","id":6,"previousEventId":5},
		{"timestamp":1,"type":"ExecutionRedriven","id":7,"previousEventId":6},{"timestamp":1,"type":"TaskScheduled","id":8,"previousEventId":7},
		{"timestamp":1,"type":"ParallelStateStarted","id":9,"previousEventId":8},{"timestamp":1,"type":"MapStateExited","id":10,"previousEventId":8,"stateExitedEventDetails":{"name":"M"}}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		executions, err := history.Read(history.File{Name: "f", Data: data})
		if err != nil {
			return
		}
		for _, x := range executions {
			r := rerun.Of(x)
			_ = r.Draft().YAML()
			_ = r.About()
			definition, err := r.Skeleton()
			if err != nil {
				continue
			}
			_ = history.Of(refs(r.Events(definition)))
			machine, err := engine.Compile(definition, engine.AWS)
			if err != nil {
				continue
			}
			options, source := r.Options()
			if options.Input == nil {
				continue
			}
			session := debug.New(machine, options)
			source.Follow(session.Now)
			if _, err := session.Do(debug.Command{Kind: debug.Continue, Events: 200}); err == nil {
				_ = r.Compare(session).String()
			}
		}
	})
}
