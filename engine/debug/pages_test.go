package debug_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
)

// wideMachine draws a machine that does the same for many items, so that its run has several thousand events.
func wideMachine(t *rapid.T) *engine.Machine {
	names := 0
	definition := map[string]any{"StartAt": "All", "States": map[string]any{
		"All": map[string]any{
			"Type": "Map", "ItemsPath": "$.items",
			"MaxConcurrency": rapid.SampledFrom([]int{1, 3, 0}).Draw(t, "all at once"), "ResultPath": "$.all",
			"ToleratedFailurePercentage": 100, "ItemSelector": map[string]any{"items.$": "$.few",
				"item.$": "$$.Map.Item.Value"},
			"ItemProcessor": randomScope(t, 1, &names), "Next": "Last",
		},
		"Last": map[string]any{"Type": "Pass", "End": true},
	}}
	text, err := json.Marshal(definition)
	if err != nil {
		t.Fatal(err)
	}
	parsed, diagnostics := asl.Parse(&source.File{Name: "wide", Data: text})
	if parsed == nil {
		t.Fatal(diagnostics[0])
	}
	machine, err := engine.Compile(parsed, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	return machine
}

// pagedRuns is how many runs [TestPagedLog] compares whose logs have pages: each has some thousand events.
const pagedRuns = 2

// A log that holds only some of its events gives the same events as one that holds them all, in any order of reading:
// their visits are one where they are one there, the threads and marks of every position and the ways of values are the
// same, and so is the run that continues from it.
func TestPagedLog(t *testing.T) {
	defer debug.HoldThousands(1)()
	paged := 0
	rapid.Check(t, func(t *rapid.T) {
		if paged == pagedRuns {
			return
		}
		machine := wideMachine(t)
		items := make([]value.Value, rapid.IntRange(150, 400).Draw(t, "items"))
		for i := range items {
			items[i] = value.Must(fmt.Sprintf(`{"k":%d,"same":{"a":[1]}}`, i/2))
		}
		input := value.NewObject([]value.Member{
			{Key: "items", Value: value.NewArray(items)}, {Key: "few", Value: value.Must(`[1,{"b":2}]`)},
		})
		options := debug.Options{Input: input, Source: &whimsical{seed: rapid.IntRange(0, 50).Draw(t, "seed")}, Seed: 3}
		live := debug.New(machine, options)
		for live.Log().Len() < 30_000 {
			if stop, err := live.Do(debug.Command{Kind: debug.Continue}); err != nil ||
				stop.Reason != debug.StoppedForAnswer {
				break
			}
			for _, request := range live.Requests() {
				if err := live.Interventions().Answer(request.ID,
					engine.Outcome{Output: value.Must(`{"by":"hand"}`)}); err != nil {
					t.Fatal(err)
				}
			}
		}
		recording := recordingOf(live)
		recording.Events, recording.Length = nil, live.Log().Len()
		replayed := options
		replayed.Source = nil
		s := debug.BeginReplay(machine, replayed, recording)
		for debug.GrowthOf(s).Grow(500) > 0 {
		}
		if s.Log().Len() != live.Log().Len() {
			t.Fatalf("%d events, want %d", s.Log().Len(), live.Log().Len())
		}
		if s.Log().Paged() {
			paged++
		}
		samePages(t, live, s)
		sameWhatIfs(t, live, s, options.Source)
	})
	if paged == 0 {
		t.Error("no run was long enough")
	}
}

// samePages compares a session whose log has pages with the one that was recorded.
func samePages(t *rapid.T, live, s *debug.Session) {
	whole, log := live.Log(), s.Log()
	random := rand.New(rand.NewPCG(uint64(whole.Len()), 1))
	visits := make(map[*engine.Visit]*engine.Visit)
	var held []*engine.Visit // as the screen does of some
	var comparer runlog.Comparer
	for n := range 300 {
		i := random.IntN(whole.Len())
		if n%3 == 0 { // near to one before
			i = min(i/10*10+n%10, whole.Len()-1)
		}
		a, b := whole.At(i), log.At(i)
		if differs := comparer.Events(a, b); len(differs) > 0 {
			t.Fatalf("event %d differs: %v", i, differs)
		}
		if !reflect.DeepEqual(failureOf(a), failureOf(b)) {
			t.Fatalf("the failure of event %d is %+v, want %+v", i, failureOf(b), failureOf(a))
		}
		for v, w := a.Visit, b.Visit; v != nil || w != nil; v, w = v.Parent, w.Parent {
			if known := visits[v]; known != nil && known != w {
				t.Fatalf("event %d has another pointer for the visit of %s", i, v.Path())
			}
			visits[v] = w
			if held = append(held, w); log.At(int(w.Entered)-1).Visit != w {
				t.Fatalf("the visit of event %d is another one where it was entered", i)
			}
		}
	}
	defer runtime.KeepAlive(held)
	for range 5 {
		n := random.IntN(whole.Len())
		live.GoTo(n)
		s.GoTo(n)
		want, got := standOf(live), standOf(s)
		sameStands(t, log, &want, &got)
	}
	lens, same := &provenance.Lens{Log: log, Explainer: s.Explainer(), Limit: -1},
		&provenance.Lens{Log: whole, Explainer: live.Explainer(), Limit: -1}
	for range 4 {
		i := whole.DataAt(random.IntN(whole.Len()))
		if i < 0 {
			continue
		}
		for _, text := range pathsOf(dataAt(whole.At(i)), "$", 5, nil) {
			want, err := same.Back(i, text)
			got, err2 := lens.Back(i, text)
			if fmt.Sprint(err) != fmt.Sprint(err2) {
				t.Fatalf("%s at event %d: %v, want %v", text, i, err2, err)
			}
			if a, b := wayText(want), wayText(got); a != b {
				t.Fatalf("the way of %s at event %d is\n%s\nwant\n%s", text, i, b, a)
			}
		}
	}
}

// sameWhatIfs edits both runs at the same place and lets them continue: forks of a log with pages have what forks of a
// whole log have.
func sameWhatIfs(t *rapid.T, live, s *debug.Session, source outcome.Source) {
	if err := s.GoLive(source); err != nil {
		t.Fatal(err)
	}
	n := live.Log().Len() * rapid.IntRange(1, 9).Draw(t, "tenths") / 10
	edited := value.Must(`{"items":[1],"few":[2],"edited":true}`)
	for _, at := range []*debug.Session{live, s} {
		at.GoTo(n)
	}
	threads := live.Threads()
	if len(threads) == 0 {
		return
	}
	thread := threads[len(threads)-1].ID
	err, err2 := live.Interventions().Edit(thread, edited), s.Interventions().Edit(thread, edited)
	if fmt.Sprint(err) != fmt.Sprint(err2) {
		t.Fatalf("the edit at %d: %v, want %v", n, err2, err)
	}
	for _, at := range []*debug.Session{live, s} {
		if _, err := at.Do(debug.Command{Kind: debug.Continue, Events: 2000}); err != nil {
			t.Fatal(err)
		}
	}
	if live.Log().Len() != s.Log().Len() {
		t.Fatalf("%d events after the edit at %d, want %d", s.Log().Len(), n, live.Log().Len())
	}
	var comparer runlog.Comparer
	for i := range live.Log().Len() {
		if i < n-100 && i%97 != 0 { // few of those before it
			continue
		}
		if differs := comparer.Events(live.Log().At(i), s.Log().At(i)); len(differs) > 0 {
			t.Fatalf("event %d after the edit at %d differs: %v", i, n, differs)
		}
	}
}

// sameStands compares where two sessions stand. The visits of the second are its log's.
func sameStands(t *rapid.T, log *runlog.Log, want, got *stand) {
	if want.position != got.position || want.status != got.status || !want.now.Equal(got.now) ||
		len(want.threads) != len(got.threads) {
		t.Fatalf("it is at %+v, want %+v", got, want)
	}
	if !reflect.DeepEqual(want.marks, got.marks) {
		t.Fatalf("position %d: marks %+v, want %+v", want.position, got.marks, want.marks)
	}
	for i, a := range want.threads {
		b := got.threads[i]
		if a.ID != b.ID || a.Blocked != b.Blocked || (a.Visit == nil) != (b.Visit == nil) || a.Visit != nil &&
			a.Visit.Path() != b.Visit.Path() {
			t.Fatalf("position %d: thread %+v, want %+v", want.position, b, a)
		}
		if b.Visit != nil && log.At(int(b.Visit.Entered)-1).Visit != b.Visit {
			t.Fatalf("position %d: the visit of thread %d is not the log's", want.position, b.ID)
		}
	}
}

func failureOf(event *engine.Event) any {
	if f := event.Failure(); f != nil {
		return [...]any{f.Name, f.Cause, f.Err, f.Field}
	}
	return nil
}

func wayText(w *provenance.Way) (text string) {
	if w == nil {
		return ""
	}
	for depth, n := range w.All() {
		text += fmt.Sprintf("%d %v %d %s %s %s\n", depth, n.Kind, n.Event, n.Stage, n.From, n.To)
	}
	return text
}

// The ways of values in recorded events, whose data are copies, are those in the run that was recorded.
func TestWaysOfCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		machine := wideMachine(t)
		options := debug.Options{
			Input:  value.Must(`{"items":[{"k":1},{"k":1},{"k":2}],"few":[1,{"b":2}]}`),
			Source: &whimsical{seed: rapid.IntRange(0, 50).Draw(t, "seed")}, Seed: 3,
		}
		live := debug.New(machine, options)
		goFar(t, live)
		if live.Log().Len() == 0 {
			return
		}
		copied := func(v value.Value) value.Value {
			if v == nil {
				return nil
			}
			return value.Must(value.Compact(v))
		}
		var recording debug.Recording
		for event := range live.Log().All() {
			read := *event
			read.Before, read.After = copied(event.Before), copied(event.After)
			recording.Events = append(recording.Events, read)
		}
		shown := debug.ReplayLog(machine, options, recording)
		want, got := &provenance.Lens{Log: live.Log(), Explainer: live.Explainer(), Limit: -1},
			&provenance.Lens{Log: shown.Log(), Explainer: shown.Explainer(), Limit: -1}
		for range 4 {
			i := live.Log().DataAt(rapid.IntRange(0, live.Log().Len()-1).Draw(t, "event"))
			if i < 0 {
				continue
			}
			for _, text := range pathsOf(dataAt(live.Log().At(i)), "$", 5, nil) {
				a, err := want.Back(i, text)
				b, err2 := got.Back(i, text)
				if fmt.Sprint(err) != fmt.Sprint(err2) || wayText(a) != wayText(b) {
					t.Fatalf("the way of %s at event %d is\n%s%v\nwant\n%s%v", text, i, wayText(b), err2, wayText(a),
						err)
				}
			}
		}
	})
}
