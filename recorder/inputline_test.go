package recorder_test

import (
	"reflect"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/recorder"
)

// TestInputLine: an input is read as it was written, a large value as well, and a line that is none is an error.
func TestInputLine(t *testing.T) {
	large := value.ObjectOf(value.Text("text", strings.Repeat("long ", 500)))
	for _, in := range []runlog.Input{
		{Kind: runlog.InputOutcome, Request: 3, Outcome: engine.Outcome{Output: large}, Origin: "by hand"},
		{Kind: runlog.InputOutcome, Request: 4, Outcome: engine.Outcome{Error: "E", Cause: "because"}},
		{Kind: runlog.InputEdit, Edit: &engine.Edit{Thread: 2, Value: large}},
		{Kind: runlog.InputInject, Thread: 1, Error: "States.Timeout"},
	} {
		got, err := recorder.ParseInput(recorder.FormatInput(&in))
		if err != nil {
			t.Fatal(err)
		}
		if in.Edit != nil && (got.Edit == nil || !value.Equal(got.Edit.Value, in.Edit.Value)) ||
			!value.Equal(value.OrNull(got.Outcome.Output), value.OrNull(in.Outcome.Output)) {
			t.Errorf("%+v is read as %+v", in, got)
		}
		got.Edit, in.Edit, got.Outcome.Output, in.Outcome.Output = nil, nil, nil, nil
		if !reflect.DeepEqual(got, in) {
			t.Errorf("%+v is read as %+v", in, got)
		}
	}
	for _, text := range []string{"", "[]", "{", `{"answer":"none"}`, `{"answer":"answer","request":1,"outputValue":0}`, `{"answer":"answer","step":"x"}`} {
		if in, err := recorder.ParseInput([]byte(text)); err == nil {
			t.Errorf("%s is read as %+v", text, in)
		}
	}
}
