package debug_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
)

// randomScope draws the states of a scope: a chain of one to four states, the later ones reached from the earlier ones.
func randomScope(t *rapid.T, depth int, names *int) map[string]any {
	count := rapid.IntRange(1, 4).Draw(t, "states")
	states := make(map[string]any)
	list := make([]string, count)
	for i := range list {
		*names++
		list[i] = fmt.Sprintf("S%d", *names)
	}
	for i, name := range list {
		state := randomState(t, depth, names)
		if i+1 < count {
			state["Next"] = list[i+1]
		} else {
			state["End"] = true
		}
		states[name] = state
	}
	return map[string]any{"StartAt": list[0], "States": states}
}

func randomState(t *rapid.T, depth int, names *int) map[string]any {
	kinds := []string{"Pass", "Task", "Task", "Wait", "Assign"}
	if depth > 0 {
		kinds = append(kinds, "Parallel", "Map")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "Pass":
		return map[string]any{"Type": "Pass", "Parameters": map[string]any{"in.$": "$",
			"r.$": "States.MathRandom(0, 1000)"}, "ResultPath": "$.pass"}
	case "Assign":
		*names++
		return map[string]any{"Type": "Pass", "Assign": map[string]any{fmt.Sprintf("v%d.$", *names): "$"}, "Result": 1,
			"ResultPath": "$.one"}
	case "Wait":
		return map[string]any{"Type": "Wait", "Seconds": rapid.IntRange(0, 9).Draw(t, "seconds")}
	case "Parallel":
		branches := make([]any, rapid.IntRange(1, 3).Draw(t, "branches"))
		for i := range branches {
			branches[i] = randomScope(t, depth-1, names)
		}
		return map[string]any{"Type": "Parallel", "Branches": branches, "ResultPath": "$.p", "Catch": []any{}}
	case "Map":
		return map[string]any{
			"Type": "Map", "ItemsPath": "$.items", "MaxConcurrency": rapid.IntRange(0, 3).Draw(t, "concurrency"),
			"ResultPath":                 "$.m",
			"ToleratedFailurePercentage": 50, "ItemSelector": map[string]any{"items.$": "$.items",
				"item.$": "$$.Map.Item.Value"},
			"ItemProcessor": randomScope(t, depth-1, names),
		}
	}
	return map[string]any{
		"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f", "ResultPath": "$.t",
		"TimeoutSeconds": 60, "HeartbeatSeconds": 15,
		"Retry": []any{map[string]any{"ErrorEquals": []string{"Again", "Mine"}, "MaxAttempts": 2,
			"JitterStrategy": "FULL"}},
	}
}

// whimsical answers by the request's number alone, some not at all; it counts how often it is asked.
type whimsical struct{ seed, asked int }

func (w *whimsical) Ask(ask outcome.Ask) outcome.Reply {
	if task, ok := ask.(outcome.Task); ok {
		w.asked++
		return w.reply(task.Request)
	}
	return outcome.None(nil)
}

func (w *whimsical) reply(r *engine.TaskRequest) outcome.Reply {
	n := int(r.ID)*7 + w.seed
	given := engine.Outcome{Output: value.Int(int64(n)), After: time.Duration(n%4) * time.Second,
		HeartbeatEvery: time.Duration(n%3) * time.Second}
	switch n % 11 {
	case 0:
		return outcome.None(nil)
	case 1, 2:
		given = engine.Outcome{Error: "Again", Cause: "whim"}
	case 3:
		if n%5 == 0 {
			given = engine.Outcome{Error: "Other"}
		}
	}
	return outcome.Given(given, "whim")
}

func (w *whimsical) Seek([]outcome.Ask) []outcome.Ask { return nil }

// stand is all that a session says of its place.
type stand struct {
	position int
	status   engine.Status
	now      time.Time
	output   string
	threads  []engine.ThreadInfo
	timers   []engine.Timer
	requests []*engine.TaskRequest
	marks    map[string]runlog.Mark
}

func standOf(s *debug.Session) stand {
	if differs := s.ProjectionDiffers(); differs != "" {
		panic(fmt.Sprintf("position %d of %d: %s", s.Position(), s.Log().Len(), differs))
	}
	marks := make(map[string]runlog.Mark)
	for state := range s.Machine().Definition().All() {
		marks[state.Path()] = s.MarksAt(s.Position() - 1).Of(state)
	}
	return stand{
		position: s.Position(), status: s.Status(), now: s.Now(), output: value.Compact(s.Output()),
		threads: s.Threads(),
		timers:  s.Timers(), requests: s.Requests(), marks: marks,
	}
}

// same compares two stands; places are compared by pointer, as the screen does.
func (a *stand) same(b *stand) string {
	switch {
	case a.position != b.position || a.status != b.status || !a.now.Equal(b.now) || a.output != b.output:
		return fmt.Sprintf("%d %v %v %s, want %d %v %v %s", a.position, a.status, a.now, a.output, b.position, b.status,
			b.now, b.output)
	case !(len(a.threads) == 0 && len(b.threads) == 0) && !reflect.DeepEqual(a.threads, b.threads):
		return fmt.Sprintf("threads %+v, want %+v", a.threads, b.threads)
	case !reflect.DeepEqual(a.marks, b.marks):
		return fmt.Sprintf("marks %+v, want %+v", a.marks, b.marks)
	case len(a.timers) != len(b.timers) || len(a.requests) != len(b.requests):
		return fmt.Sprintf("timers %+v, requests %+v, want %+v, %+v", a.timers, a.requests, b.timers, b.requests)
	}
	for i := range a.threads {
		if a.threads[i].Visit != b.threads[i].Visit {
			return "another visit of a thread"
		}
	}
	for i := range a.timers {
		if a.timers[i].Kind != b.timers[i].Kind || !a.timers[i].At.Equal(b.timers[i].At) ||
			a.timers[i].Visit != b.timers[i].Visit {
			return fmt.Sprintf("timer %+v, want %+v", a.timers[i], b.timers[i])
		}
	}
	for i := range a.requests {
		if a.requests[i] != b.requests[i] {
			return "another request"
		}
	}
	return ""
}

// walker drives a session at random and remembers how it stood at each place.
type walker struct {
	*rapid.T
	s      *debug.Session
	places map[int]stand
	forks  int
	began  int
}

func (w *walker) check(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// forward takes up to n stages, with whims of the person between them. It returns false when the run is over.
func (w *walker) forward(n int) bool {
	for range n {
		w.noticeFork()
		stop, err := w.s.Do(debug.Command{Kind: debug.StepStage})
		w.check(err)
		if _, known := w.places[w.s.Position()]; !known && w.s.Position() != w.began {
			w.places[w.s.Position()] = standOf(w.s)
		}
		switch stop.Reason {
		case debug.StoppedAtEnd:
			return false
		case debug.StoppedForAnswer:
			r := w.s.Requests()[0]
			w.check(w.s.Interventions().Answer(r.ID,
				engine.Outcome{Output: value.String("by hand"), After: time.Second}))
		case debug.StoppedForTime:
			w.check(w.s.Interventions().AdvanceTime(
				time.Duration(rapid.IntRange(1, 5).Draw(w.T, "clock")) * time.Second))
		}
		w.whim()
	}
	return true
}

// noticeFork forgets the places when another fork has begun: its visits are others, and at its beginning the session
// is after the input that made it another one.
func (w *walker) noticeFork() {
	if n := len(w.s.Forks().All()); n != w.forks {
		w.forks, w.places = n, map[int]stand{}
		w.began = w.s.Forks().All()[n-1].Shared
	}
}

func (w *walker) whim() {
	threads := w.s.Threads()
	if len(threads) == 0 {
		return
	}
	thread := rapid.SampledFrom(threads).Draw(w.T, "thread").ID
	switch rapid.IntRange(0, 30).Draw(w.T, "whim") {
	case 0:
		if data, _, err := w.s.Interventions().Editable(thread); err == nil {
			object, ok := data.(*value.Object)
			if items, isArray := data.(*value.Array); isArray {
				w.check(w.s.Interventions().Edit(thread, value.ArrayOf(items, value.Int(int64(w.s.Position())))))
				return
			}
			if !ok {
				object = value.ObjectOf(value.Member{Key: "items", Value: value.ArrayOf(data)})
			}
			w.check(w.s.Interventions().Edit(thread, object.With("edited", value.Int(int64(w.s.Position())))))
		}
	case 1:
		w.check(w.s.Interventions().Focus(thread))
	case 2:
		_ = w.s.Interventions().Inject(thread, "Mine", "by hand") // refused where nothing can fail
	case 3:
		for _, r := range w.s.Requests() {
			w.check(w.s.Interventions().Heartbeat(r.ID))
			w.check(w.s.Interventions().TimeOut(r.ID))
		}
	}
}

// wander goes back and forth over the known events, and checks that everything is as it was.
func (w *walker) wander(source *whimsical) {
	w.s.GoTo(w.s.Log().Len())
	w.noticeFork()
	last := standOf(w.s)
	end, asked, inputs := w.s.Log().Len(), source.asked, w.s.Inputs().Len()
	w.s.GoTo(0)
	for range rapid.IntRange(1, 12).Draw(w.T, "moves") {
		switch rapid.IntRange(0, 3).Draw(w.T, "move") {
		case 0:
			w.s.GoTo(rapid.IntRange(0, end).Draw(w.T, "to"))
		case 1:
			_, err := w.s.Back(debug.Command{Kind: debug.CommandKind(rapid.IntRange(int(debug.StepStage),
				int(debug.Continue)).Draw(w.T, "back"))})
			w.check(err)
		case 2:
			before := w.s.Position()
			k := rapid.IntRange(1, 20).Draw(w.T, "k")
			steps := 0
			for ; steps < k && w.s.Position() < end; steps++ {
				_, err := w.s.Do(debug.Command{Kind: debug.StepStage})
				w.check(err)
			}
			w.compare(last)
			for range steps {
				_, err := w.s.Back(debug.Command{Kind: debug.StepStage})
				w.check(err)
			}
			if w.s.Position() != before {
				w.Fatalf("%d steps forward and back from %d lead to %d", steps, before, w.s.Position())
			}
		case 3:
			if w.s.Position() < end {
				_, err := w.s.Do(debug.Command{Kind: debug.StepState, Events: end - w.s.Position()})
				w.check(err)
				if w.s.Log().Len() > end { // it walked to the end, and executed
					return
				}
			}
		}
		if w.s.Log().Len() > end {
			return
		}
		w.compare(last)
	}
	if source.asked != asked || w.s.Inputs().Len() != inputs || w.s.Log().Len() != end {
		w.Fatalf("going back and forth asked %d times more, gave %d inputs more, and brought %d events",
			source.asked-asked, w.s.Inputs().Len()-inputs, w.s.Log().Len()-end)
	}
	w.s.GoTo(end)
	w.compare(last)
}

func (w *walker) compare(last stand) {
	w.Helper()
	want, ok := w.places[w.s.Position()]
	if w.s.AtEnd() {
		want, ok = last, true
	}
	if !ok {
		return // there is no position: an edit's own event
	}
	got := standOf(w.s)
	if diff := got.same(&want); diff != "" {
		w.Fatalf("at position %d of %d: %s", w.s.Position(), w.s.Log().Len(), diff)
	}
}

// Steps forward and back lead to the same state, for random definitions, inputs and edits; forks stay unchanged;
// the recorded inputs give the same events again, byte for byte; and a sink has the same forks as the session.
func TestBackAndForth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := 0
		text, err := json.Marshal(randomScope(t, 2, &names))
		if err != nil {
			t.Fatal(err)
		}
		parsed, diagnostics := asl.Parse(&source.File{Name: "random", Data: text})
		if parsed == nil {
			t.Fatal(diagnostics[0])
		}
		machine, err := engine.Compile(parsed, engine.AWS)
		if err != nil {
			t.Fatal(err)
		}
		sink, source := &tape{}, &whimsical{seed: rapid.IntRange(0, 100).Draw(t, "seed")}
		options := debug.Options{Input: value.Must(`{"items":[1,2,3]}`), Source: source, Sink: sink, Seed: 5}
		if rapid.Bool().Draw(t, "hand") {
			options.Clock.Mode = debug.ClockByHand
		}
		w := &walker{T: t, s: debug.New(machine, options), places: map[int]stand{}}
		w.noticeFork()
		w.places[0] = standOf(w.s)
		forks := map[int][][]byte{}
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			w.forward(rapid.IntRange(1, 120).Draw(t, "steps"))
			w.wander(source)
			checkForks(t, w.s, forks)
			// Something else at an earlier place begins another fork.
			w.s.GoTo(rapid.IntRange(0, w.s.Log().Len()).Draw(t, "fork at"))
			from := w.s.Position()
			w.whim()
			if w.s.Position() < from || w.s.Position() > from+3 {
				t.Fatalf("after a whim at %d the position is %d", from, w.s.Position())
			}
			checkForks(t, w.s, forks)
		}
		w.forward(200)
		checkForks(t, w.s, forks)
		if w.s.AtEnd() {
			sameLines(t, "what the sink was told", lines(sink.events), lines(logged(w.s)))
		}
		replayAll(t, machine, options, w.s)
	})
}

// checkForks checks that the forks are unchanged, but for later events.
func checkForks(t *rapid.T, s *debug.Session, known map[int][][]byte) {
	list := s.Forks().All()
	if !sort.SliceIsSorted(list, func(i, j int) bool { return list[i].ID < list[j].ID }) {
		t.Fatal("the forks are not in order")
	}
	for _, b := range list {
		var events []engine.Event
		for event := range s.Forks().Log(b.ID).All() {
			events = append(events, *event)
		}
		now := lines(events)
		before := known[b.ID]
		if len(now) < len(before) {
			t.Fatalf("fork %d has lost events", b.ID)
		}
		sameLines(t, fmt.Sprint("fork ", b.ID), now[:len(before)], before)
		if b.Parent > 0 {
			var parent []engine.Event
			for event := range s.Forks().Log(b.Parent).All() {
				parent = append(parent, *event)
			}
			sameLines(t, "the beginning of a fork", now[:b.Shared], lines(parent[:b.Shared]))
		}
		known[b.ID] = now
	}
}

// sameMoments checks that the projection of a log equals the run at every position.
func sameMoments(t *rapid.T, s, log *debug.Session) {
	moment := func(s *debug.Session) string {
		text := fmt.Sprint(s.Status(), s.Now(), value.Compact(s.Output()))
		for _, thread := range s.Threads() {
			text += fmt.Sprintf("\n%+v", thread)
		}
		for _, timer := range s.Timers() {
			text += fmt.Sprintf("\n%+v", timer)
		}
		for _, request := range s.Requests() {
			text += fmt.Sprint("\nrequest ", request.ID)
		}
		return text
	}
	position := s.Position()
	for n := 0; n <= s.Log().Len(); n++ {
		if s.GoTo(n); s.Position() != n {
			continue // within a step
		}
		log.GoTo(n)
		if got, want := moment(log), moment(s); got != want {
			t.Fatalf("at position %d of %d the log says\n%s\nand the run\n%s", n, s.Log().Len(), got, want)
		}
	}
	s.GoTo(position)
}

func replayAll(t *rapid.T, machine *engine.Machine, options debug.Options, s *debug.Session) {
	for _, b := range s.Forks().All() {
		if err := s.Forks().Switch(b.ID); err != nil {
			t.Fatal(err)
		}
		var inputs []runlog.Input
		for i := range s.Inputs().Len() {
			inputs = append(inputs, *s.Inputs().At(i))
		}
		events := logged(s)
		again, divergence := debug.Replay(machine, options, debug.Recording{Inputs: inputs, Events: events})
		if divergence != nil {
			t.Fatalf("the replay of fork %d differs at event %d: %v %v", b.ID, divergence.Index+1, divergence.Differs,
				divergence.Err)
		}
		if len(events) == 0 {
			continue
		}
		sameLines(t, "the replay", lines(logged(again)), lines(events))
		sameMoments(t, s, debug.ReplayLog(machine, options, debug.Recording{Inputs: inputs, Events: events}))
		stop, err := again.Do(debug.Command{Kind: debug.Continue})
		if err != nil || !again.AtEnd() || (stop.Reason != debug.StoppedAtEnd &&
			stop.Reason != debug.StoppedAtRecordingEnd) {
			t.Fatalf("the replay stops at %d of %d for %v: %v", again.Position(), again.Log().Len(), stop.Reason, err)
		}
		if err := again.Interventions().Edit(0, value.Null{}); err != debug.ErrReadOnly {
			t.Fatalf("an edit of a replay gives %v", err)
		}
	}
	if !strings.Contains(fmt.Sprint(s.Forks().All()), "true") {
		t.Fatal("no fork is the current one")
	}
}
