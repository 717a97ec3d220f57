package debug_test

import (
	"errors"
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/expr"
	"asldb/engine/source"
	"asldb/engine/value"
)

// The events of the run, from 0: ExecutionStarted; A: entered 1, Assign 2, exited 3; B: entered 4, ResultPath 6 or so,
// exited; ended.
func TestFindEvent(t *testing.T) {
	parsed, _ := asl.Parse(&source.File{Name: "test", Data: []byte(`{"StartAt":"A","States":{
		"A":{"Type":"Pass","Assign":{"seen":true},"Next":"B"},"B":{"Type":"Pass","Result":5,"ResultPath":"$.b","Next":"C"},"C":{"Type":"Fail","Error":"E.X"}}}`)})
	machine, err := engine.Compile(parsed, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	s := debug.New(machine, debug.Options{Input: value.Must(`{"a":1}`)})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	all := func(condition string) (places []int) {
		for at := -1; ; {
			found, ok, err := s.Watches().Find(condition, at, false)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				return places
			}
			places = append(places, found)
			at = found
		}
	}
	for condition, want := range map[string]func(*engine.Event) bool{
		`type == "StateEntered"`: func(e *engine.Event) bool { return e.Type == engine.StateEntered },
		`state == "B" && stage == "output"`: func(e *engine.Event) bool {
			return e.Visit != nil && e.Visit.State.Name == "B" && e.Stage == engine.StageOutput
		},
		`error == "E.X"`: func(e *engine.Event) bool { return e.Failure() != nil },
		`$$.State.Name == "C"`: func(e *engine.Event) bool {
			return e.Visit != nil && e.Visit.State.Name == "C"
		},
		`$seen && type == "StateEntered"`: func(e *engine.Event) bool {
			return e.Type == engine.StateEntered && e.Visit.State.Name != "A"
		},
		`$.b == 5`: func(e *engine.Event) bool {
			data, _ := e.After.(*value.Object)
			if e.After == nil {
				data, _ = e.Before.(*value.Object)
			}
			return data != nil && data.Get("b") != nil
		},
		`$.a - "x" == 2`: func(*engine.Event) bool { return false },
	} {
		var expected []int
		for i := range s.Log().Len() {
			if want(s.Log().At(i)) {
				expected = append(expected, i)
			}
		}
		got := all(condition)
		if len(got) != len(expected) {
			t.Errorf("%s: found %v, want %v", condition, got, expected)
			continue
		}
		for i := range got {
			if got[i] != expected[i] {
				t.Errorf("%s: found %v, want %v", condition, got, expected)
			}
		}
		if len(expected) > 0 {
			if last, ok, _ := s.Watches().Find(condition, s.Log().Len(), true); !ok ||
				last != expected[len(expected)-1] {
				t.Errorf("%s: backwards found %d", condition, last)
			}
		}
	}
	var syntax *expr.SyntaxError
	if _, _, err := s.Watches().Find("type ==", -1, false); !errors.As(err, &syntax) {
		t.Errorf("%v", err)
	}
}
