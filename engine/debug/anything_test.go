package debug_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
)

// wildMachine draws a machine with the features that randomScope lacks: loops, catchers, variables, jitter, random
// values, JSONata and a distributed Map with batches.
func wildMachine(t *rapid.T) []byte {
	names := 0
	inner := randomScope(t, 1, &names)
	task := func(next string) map[string]any {
		return map[string]any{
			"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "Next": next,
			"ResultPath":     "$.t",
			"Parameters":     map[string]any{"token.$": "$$.Task.Token", "id.$": "States.UUID()", "n.$": "$n"},
			"TimeoutSeconds": rapid.IntRange(1, 9).Draw(t, "timeout"),
			"Assign":         map[string]any{"n.$": "States.MathAdd($n, 1)"},
			"Retry": []any{map[string]any{"ErrorEquals": []string{"Again"}, "MaxAttempts": 2, "IntervalSeconds": 1,
				"BackoffRate": 1.5, "MaxDelaySeconds": 5, "JitterStrategy": "FULL"}},
			"Catch": []any{map[string]any{"ErrorEquals": []string{"States.ALL"}, "Next": next, "ResultPath": "$.caught",
				"Assign": map[string]any{"last.$": "$.Error"}}},
		}
	}
	each := map[string]any{
		"Type": "Map", "ItemsPath": "$.items", "ResultPath": "$.m", "Next": "Query",
		"MaxConcurrency":             rapid.IntRange(0, 2).Draw(t, "concurrency"),
		"ToleratedFailurePercentage": 100,
		"ItemProcessor": map[string]any{
			"ProcessorConfig": map[string]any{"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"}, "StartAt": "In",
			"States": map[string]any{"In": map[string]any{"Type": "Task",
				"Resource": "arn:aws:lambda:us-east-1:123456789012:function:f", "End": true}},
		},
	}
	if rapid.Bool().Draw(t, "read") {
		delete(each, "ItemsPath")
		each["ItemReader"] = map[string]any{
			"Resource": "arn:aws:states:::s3:getObject", "Parameters": map[string]any{"Bucket": "b", "Key": "k"},
			"ReaderConfig": map[string]any{"InputType": "JSON"},
		}
	}
	if rapid.Bool().Draw(t, "batch") {
		each["ItemBatcher"] = map[string]any{"MaxItemsPerBatch": 2}
	}
	text, err := json.Marshal(map[string]any{
		"StartAt": "Begin", "TimeoutSeconds": rapid.IntRange(30, 900).Draw(t, "machine timeout"),
		"States": map[string]any{
			"Begin": map[string]any{"Type": "Pass", "Assign": map[string]any{"n": 0, "id.$": "States.UUID()"},
				"Next": "Work"},
			"Work": task("Loop"),
			"Loop": map[string]any{"Type": "Choice", "Choices": []any{
				map[string]any{"Variable": "$n", "NumericLessThan": rapid.IntRange(1, 4).Draw(t, "loops"),
					"Next": "Work"},
			}, "Default": "Both"},
			"Both": map[string]any{"Type": "Parallel", "Branches": []any{inner, randomScope(t, 0, &names)},
				"ResultPath": "$.both", "Next": "Each",
				"Catch": []any{map[string]any{"ErrorEquals": []string{"States.ALL"}, "Next": "Each",
					"ResultPath": "$.failed"}}},
			"Each": each,
			"Query": map[string]any{"Type": "Pass", "QueryLanguage": "JSONata",
				"Output": "{% {'r': $random(), 'u': $uuid(), 'n': $n, 'in': $states.input} %}",
				"Assign": map[string]any{"q": "{% $random() %}"}, "End": true},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// wildSource is a whimsical one with objects.
type wildSource struct{ whimsical }

func (w *wildSource) Ask(ask outcome.Ask) outcome.Reply {
	object, ok := ask.(outcome.Object)
	if !ok {
		return w.whimsical.Ask(ask)
	}
	if (int(object.Request.ID)+w.seed)%5 == 0 {
		return outcome.Refusal(&engine.ObjectError{Cause: "gone"}, "whim")
	}
	return outcome.Content([]byte(`[{"a":1},{"a":2},{"a":3}]`), "whim")
}

// order of a person who does anything at all.
func anything(t *rapid.T, s *debug.Session) {
	thread := engine.ThreadID(0)
	if threads := s.Threads(); len(threads) > 0 {
		thread = rapid.SampledFrom(threads).Draw(t, "thread").ID
	}
	request := int64(rapid.IntRange(0, 12).Draw(t, "request"))
	if open := s.Requests(); len(open) > 0 && rapid.Bool().Draw(t, "open") {
		request = open[0].ID
	}
	// An intervention that is impossible is refused, and the session stays as before.
	switch rapid.IntRange(0, 20).Draw(t, "order") {
	case 0, 1, 2, 3:
		command := debug.Command{Kind: debug.CommandKind(rapid.IntRange(1, 5).Draw(t, "kind")),
			Events: rapid.IntRange(1, 40).Draw(t, "events")}
		_, _ = s.Do(command)
	case 4:
		_, _ = s.Do(debug.Command{Kind: debug.StepThread, Thread: thread, Events: 30})
	case 5:
		_, _ = s.Do(debug.Command{Kind: debug.RunUntil,
			Until: s.Now().Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "until")) * time.Second), Events: 60})
	case 6, 7:
		_, _ = s.Back(debug.Command{Kind: debug.CommandKind(rapid.IntRange(1, 8).Draw(t, "back")), Thread: thread,
			Target: "Work", Until: s.Now()})
	case 8, 9:
		s.GoTo(rapid.IntRange(-1, s.Log().Len()+1).Draw(t, "to"))
	case 10:
		_ = s.Forks().Switch(rapid.IntRange(1, 9).Draw(t, "fork"))
	case 11:
		if rapid.IntRange(0, 5).Draw(t, "really") == 0 {
			s.Restart()
		}
	case 12:
		_ = s.Interventions().Answer(request, engine.Outcome{Output: value.Must(`{"by":"hand"}`),
			Submitted: value.Must(`{}`), After: time.Second})
	case 13:
		_ = s.Interventions().AnswerOtherwise(request, engine.Outcome{Error: "Again", Cause: "otherwise"})
	case 14:
		_ = s.Interventions().Edit(thread, value.Must(`{"items":[7,8],"edited":true}`))
	case 15:
		_ = s.Interventions().Inject(thread, "Again", "injected")
	case 16:
		_, _ = s.Interventions().Heartbeat(request), s.Interventions().TimeOut(request)
	case 17:
		_ = s.Interventions().AdvanceTime(time.Duration(rapid.IntRange(-1, 20).Draw(t, "advance")) * time.Second)
	case 18:
		s.SetClock(debug.Clock{Mode: debug.ClockMode(rapid.IntRange(0, 2).Draw(t, "clock")), Factor: 1})
	case 19:
		_ = s.Interventions().Focus(thread)
	case 20:
		if rapid.IntRange(0, 9).Draw(t, "really") == 0 {
			s.Interventions().Abort("Stopped", "")
		}
	}
}

// goFar runs on, with everything answered that is asked.
func goFar(t *rapid.T, s *debug.Session) {
	s.SetClock(debug.Clock{})
	for range rapid.IntRange(1, 40).Draw(t, "stops") {
		stop, err := s.Do(debug.Command{Kind: debug.Continue, Events: 400})
		if err != nil {
			t.Fatal(err)
		}
		if stop.Reason == debug.StoppedAtEnd || stop.Reason == debug.StoppedByLimit {
			return
		}
		if stop.Reason == debug.StoppedForAnswer {
			for _, request := range s.Requests() {
				if err := s.Interventions().Answer(request.ID,
					engine.Outcome{Output: value.Must(`{"by":"hand"}`)}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// agree compares two sessions of the same run at one position.
func agree(t *rapid.T, a, b *debug.Session) {
	t.Helper()
	of := func(s *debug.Session) map[string]any {
		all := map[string]any{"position": s.Position(), "status": s.Status(), "now": s.Now(),
			"output": value.Compact(s.Output()), "failure": fmt.Sprint(s.Failure())}
		for _, thread := range s.Threads() {
			place := ""
			if thread.Visit != nil {
				place = fmt.Sprint(thread.Visit.Path(), thread.Visit.Entered, thread.Visit.Number,
					thread.Visit.HistoryID)
			}
			all[fmt.Sprint("thread ", thread.ID)] = fmt.Sprint(thread.Parent, thread.Index, thread.Blocked, place)
		}
		for i, timer := range s.Timers() {
			all[fmt.Sprint("timer ", i)] = fmt.Sprint(timer.At, timer.Kind)
		}
		for i, request := range s.Requests() {
			all[fmt.Sprint("request ", i)] = fmt.Sprint(request.ID, request.Attempt, request.Invocation,
				request.Timeout, value.Compact(request.Parameters))
		}
		for i, request := range s.ObjectRequests() {
			all[fmt.Sprint("object ", i)] = fmt.Sprint(request.ID)
		}
		for state := range s.Machine().Definition().All() {
			all["mark "+state.Path()] = s.MarksAt(s.Position() - 1).Of(state)
		}
		if n := s.Position(); n > 0 {
			context, variables := s.RootsAt(n - 1)
			if variables != nil {
				all["context"] = value.Compact(context)
				for _, name := range []string{"n", "id", "q", "last"} {
					all["$"+name] = value.Compact(variables(name))
				}
			}
		}
		for _, b := range s.Breakpoints().All() {
			all[b.String()] = b.Hits
		}
		all["messages"] = fmt.Sprint(s.Breakpoints().Messages())
		return all
	}
	if x, y := of(a), of(b); !reflect.DeepEqual(x, y) {
		for key := range x {
			if !reflect.DeepEqual(x[key], y[key]) {
				t.Errorf("%s: %v, and in the other %v", key, x[key], y[key])
			}
		}
		t.Fatalf("at position %d they differ (%d and %d things)", a.Position(), len(x), len(y))
	}
}

// Whatever a person does in whatever order: each fork is a run that its inputs lead to again, and at every place of it
// the session equals one that was never anywhere else.
func TestAnythingAtAll(t *testing.T) {
	specs := []string{"* log {state}", "error log {error}", "* -> *", "change $.t", "scheduled hits > 2 log {seq}",
		"retry"}
	rapid.Check(t, func(t *rapid.T) {
		parsed, diagnostics := asl.Parse(&source.File{Name: "random", Data: wildMachine(t)})
		if parsed == nil {
			t.Fatal(diagnostics[0])
		}
		machine, err := engine.Compile(parsed, engine.AWS)
		if err != nil {
			t.Fatal(err)
		}
		sink := &tape{}
		options := debug.Options{
			Input:  value.Must(`{"items":[1,2,3]}`),
			Source: &wildSource{whimsical{seed: rapid.IntRange(0, 50).Draw(t, "seed")}}, Sink: sink, Seed: 3,
			Limits: engine.Limits{History: rapid.SampledFrom([]int{0, 90, 25_000}).Draw(t, "history")},
		}
		s := debug.New(machine, options)
		for _, spec := range specs {
			if _, err := s.Breakpoints().Add(spec); err != nil && !errors.As(err, new(*breakpoint.SpecError)) {
				t.Fatal(err)
			}
		}
		for range rapid.IntRange(1, 60).Draw(t, "orders") {
			anything(t, s)
			if rapid.IntRange(0, 9).Draw(t, "far") == 0 {
				goFar(t, s)
			}
		}
		for _, fork := range s.Forks().All() {
			if err := s.Forks().Switch(fork.ID); err != nil {
				t.Fatal(err)
			}
			var inputs []runlog.Input
			for i := range s.Inputs().Len() {
				inputs = append(inputs, *s.Inputs().At(i))
			}
			if len(logged(s)) == 0 {
				continue
			}
			again, divergence := debug.Replay(machine, options, debug.Recording{Inputs: inputs, Events: logged(s)})
			if divergence != nil {
				t.Fatalf("fork %d differs at event %d: %v %v", fork.ID, divergence.Index+1, divergence.Differs,
					divergence.Err)
			}
			for _, spec := range specs {
				_, _ = again.Breakpoints().Add(spec)
			}
			for range 4 {
				n := rapid.IntRange(0, s.Log().Len()-1).Draw(t, "place")
				s.GoTo(n)
				again.GoTo(n)
				agree(t, s, again)
			}
		}
	})
}
