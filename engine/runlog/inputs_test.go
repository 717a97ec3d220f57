package runlog_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Every input comes out of the list as it went in, and a prefix grows apart from its list.
func TestInputs(t *testing.T) {
	outcome := func(request int64, origin string, o engine.Outcome) runlog.Input {
		return runlog.Input{Kind: runlog.InputOutcome, Step: request, After: request + 1, Request: request, Outcome: o,
			Origin: origin}
	}
	inputs := []runlog.Input{
		outcome(1, "a", engine.Outcome{Output: value.Must(`{"n":1}`)}),
		outcome(2, "b", engine.Outcome{Error: "E", Cause: "first"}),
		outcome(3, "a", engine.Outcome{Error: "E", Cause: "first"}),
		outcome(4, "a", engine.Outcome{Error: "E", Cause: "second"}),
		outcome(5, "a", engine.Outcome{}),
		outcome(6, "", engine.Outcome{Output: value.Null{}, After: time.Second}),
		outcome(7, "a", engine.Outcome{Error: "E", HeartbeatEvery: time.Minute}),
		outcome(8, "a", engine.Outcome{Output: value.Bool(true), Submitted: value.ObjectOf()}),
		outcome(9, "a", engine.Outcome{Output: value.Bool(true), Error: "both"}),
		{Kind: runlog.InputTime, Step: 10, Time: time.Unix(1, 2).UTC(), Origin: runlog.OriginClock},
		{Kind: runlog.InputTime, Step: 11, Time: time.Unix(3, 4).UTC(), Origin: "person"},
		{Kind: runlog.InputInject, Step: 12, Thread: 3, Error: "E", Cause: "C", Origin: "person"},
	}
	for i := range 300 { // more origins than are stored in a byte
		inputs = append(inputs, outcome(int64(20+i), fmt.Sprint("origin ", i),
			engine.Outcome{Output: value.Int(int64(i))}))
	}
	list := runlog.InputsOf(inputs)
	for i := range inputs {
		if got, want := list.Automatic(i), inputs[i].Automatic(); got != want {
			t.Errorf("input %d is automatic: %v, want %v", i, got, want)
		}
	}
	prefix := list.Prefix(4)
	for i := range 4 {
		prefix.Add(&inputs[len(inputs)-1-i])
	}
	check := func(name string, list runlog.Inputs, want []runlog.Input) {
		t.Helper()
		if list.Len() != len(want) {
			t.Fatalf("%s has %d inputs, want %d", name, list.Len(), len(want))
		}
		for i := range want {
			if got := list.At(i); !reflect.DeepEqual(*got, want[i]) {
				t.Errorf("%s: input %d is\n%+v, want\n%+v", name, i, *got, want[i])
			}
		}
	}
	check("the list", list, inputs)
	n := len(inputs)
	check("the prefix", prefix, append(inputs[:4:4], inputs[n-1], inputs[n-2], inputs[n-3], inputs[n-4]))
}

func TestFirstAfter(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		list := make([]runlog.Input, random.IntN(40))
		after := int64(0)
		for i := range list {
			after += int64(random.IntN(3))
			list[i] = runlog.Input{Kind: runlog.InputOutcome, After: after}
		}
		inputs := runlog.InputsOf(list)
		for n := int64(-1); n <= after+1; n++ {
			want := slices.IndexFunc(list, func(in runlog.Input) bool { return in.After >= n })
			if want < 0 {
				want = len(list)
			}
			for hint := -1; hint <= len(list)+1; hint++ {
				if got := inputs.FirstAfter(n, hint); got != want {
					t.Fatalf("FirstAfter(%d, %d) = %d, want %d, of %d inputs", n, hint, got, want, len(list))
				}
			}
		}
	}
}
