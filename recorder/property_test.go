package recorder

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// drawValue draws a value, some of whose texts are long, that may hold some of those drawn before.
func drawValue(t *rapid.T, known []value.Value, depth int) value.Value {
	kinds := 7
	if depth == 0 {
		kinds = 5
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0:
		return value.Null{}
	case 1:
		return value.Bool(rapid.Bool().Draw(t, "bool"))
	case 2:
		return value.Must(rapid.SampledFrom([]string{"0", "-0", "1.0", "12345678901234567890", "1e400", "0.1"}).Draw(t,
			"number"))
	case 3:
		return value.String(rapid.String().Draw(t, "text"))
	case 4:
		return value.String(strings.Repeat(rapid.StringN(1, 4, 8).Draw(t, "piece"),
			rapid.IntRange(1, 400).Draw(t, "times")))
	case 5:
		if len(known) > 0 {
			return rapid.SampledFrom(known).Draw(t, "known")
		}
		return value.ArrayOf()
	case 6:
		var items []value.Value
		for range rapid.IntRange(0, 5).Draw(t, "items") {
			items = append(items, drawValue(t, known, depth-1))
		}
		return value.NewArray(items)
	}
	var b value.ObjectBuilder
	for range rapid.IntRange(0, 6).Draw(t, "members") {
		b.Set(rapid.SampledFrom([]string{"a", "b", "c", "\"q\"", "ж", ""}).Draw(t, "key"), drawValue(t, known, depth-1))
	}
	return b.Object()
}

// edited draws a change of a value: a member set or taken away, at some depth.
func edited(t *rapid.T, v value.Value, known []value.Value) value.Value {
	object, ok := v.(*value.Object)
	if !ok || object.Len() == 0 {
		return drawValue(t, known, 3)
	}
	key := object.At(rapid.IntRange(0, object.Len()-1).Draw(t, "member")).Key
	switch rapid.IntRange(0, 3).Draw(t, "edit") {
	case 0:
		return object.With(rapid.SampledFrom([]string{"a", "b", "new"}).Draw(t, "key"), drawValue(t, known, 2))
	case 1:
		return object.Without(key)
	}
	return object.With(key, edited(t, object.Get(key), known))
}

// Whatever values events and answers have, and however they share and change, they come back as they were, from
// a trace that is compressed or not, that was written in one go or in many.
func TestAnyValuesComeBack(t *testing.T) {
	p := programOf(t, twoStates, `{}`, nil)
	visit := &engine.Visit{State: p.machine.Definition().Top.State("A"), Number: 1, Entered: 1}
	rapid.Check(t, func(t *rapid.T) {
		var known []value.Value
		var events []engine.Event
		var answers []runlog.Input
		v := drawValue(t, nil, 4)
		events = append(events, engine.Event{Seq: 1, Type: engine.StateEntered, Visit: visit, Stage: engine.StageInput,
			After: v})
		answers = append(answers, runlog.Input{Kind: runlog.InputOutcome, Outcome: engine.Outcome{Output: v}})
		for i := range rapid.IntRange(1, 12).Draw(t, "events") {
			before := v
			v = edited(t, v, known)
			known = append(known, v)
			events = append(events, engine.Event{Seq: int64(i + 2), Type: engine.StageCompleted, Visit: visit,
				Stage: engine.StageResultPath, Before: before, After: v})
			answers = append(answers, runlog.Input{Kind: runlog.InputOutcome, After: int64(i + 1),
				Outcome: engine.Outcome{Output: drawValue(t, known, 2)}})
		}
		header := p.header()
		header.Input = v
		var out strings.Builder
		w, err := NewTraceWriter("test", &out, header, TraceOptions{Compress: rapid.Bool().Draw(t, "compress")})
		if err != nil {
			t.Fatal(err)
		}
		for i := range events {
			w.Received(answers[i])
			w.Happened(events[i : i+1])
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		trace, err := NewTrace("test", strings.NewReader(out.String()), int64(out.Len()), nil)
		if err != nil {
			t.Fatal(err)
		}
		if w := trace.Warnings(); len(w) > 0 {
			t.Fatal(w[0].Error())
		}
		run := trace.Last()
		for _, i := range rapid.Permutation(indexesOf(events)).Draw(t, "order") {
			event, err := run.Event(int64(i + 1))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := string(AppendEvent(nil, event)), string(AppendEvent(nil, &events[i])); got != want {
				t.Fatalf("event %d:\n got %s\nwant %s", i+1, got, want)
			}
		}
		got, err := run.Inputs()
		if err != nil || len(got) != len(answers) {
			t.Fatalf("%d answers, %v", len(got), err)
		}
		for i := range got {
			if value.Compact(got[i].Outcome.Output) != value.Compact(answers[i].Outcome.Output) {
				t.Fatalf("answer %d is %s, want %s", i, value.Compact(got[i].Outcome.Output),
					value.Compact(answers[i].Outcome.Output))
			}
		}
	})
}

func indexesOf(events []engine.Event) []int {
	list := make([]int, len(events))
	for i := range list {
		list[i] = i
	}
	return list
}

// Any bytes at all are opened, or refused with an error, and no more is held than they are worth.
func FuzzOpen(f *testing.F) {
	p := programOf(f, twoStates, `{"a":[1,2,3]}`, nil)
	data, _ := record(f, p, TraceOptions{})
	f.Add(data)
	packed, _ := record(f, p, TraceOptions{Compress: true})
	f.Add(packed)
	header := string(data[:strings.IndexByte(string(data), '\n')+1])
	f.Add([]byte(header + `{"value":1,"from":1,"set":{"a":1}}` + "\n" +
		`{"seq":1,"type":"ExecutionStarted","afterValue":1}` + "\n"))
	f.Add([]byte(header + `{"value":1,"is":[null],"put":[[[0],1]]}` + "\n" +
		`{"seq":1,"type":"ExecutionStarted","afterValue":1}` + "\n"))
	f.Add([]byte(header + `{"seq":5,"type":"StateEntered","state":"A/Iterations[0]/B","entered":5,"parent":5}` +
		"\n{\"rewound\":3}\n{\"rewound\":0}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		trace, err := NewTrace("fuzz", strings.NewReader(string(data)), int64(len(data)), nil)
		if err != nil {
			return
		}
		for b := range trace.Forks() {
			run := trace.Run(b)
			for event, err := range run.All() {
				if err == nil {
					AppendEvent(nil, event)
				}
			}
			_, _ = run.Inputs()
		}
	})
}
