package debug_test

import (
	"errors"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// reads is a definition whose one state reads s3://b/k.
const reads = `{"StartAt":"M","States":{"M":{"Type":"Map","End":true,
	"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","Parameters":{"Bucket":"b","Key":"k"},"ReaderConfig":{"InputType":"JSON"}},
	"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"P","States":{"P":{"Type":"Pass","Assign":{"v":1},"End":true}}}}}}`

// bucket is a source that has one object, or an error.
type bucket struct {
	runs.Script
	body string
	err  error
}

func (b *bucket) Ask(ask outcome.Ask) outcome.Reply {
	if _, object := ask.(outcome.Object); !object {
		return b.Script.Ask(ask)
	}
	var refused *engine.ObjectError
	switch {
	case errors.As(b.err, &refused):
		return outcome.Refusal(refused, "source")
	case b.err != nil:
		return outcome.Fault(b.err)
	case b.body == "":
		return outcome.None(nil)
	}
	return outcome.Content([]byte(b.body), "source")
}

func TestObjectsOfASource(t *testing.T) {
	s := session(t, reads, debug.Options{Source: &bucket{body: "[1,2]"}})
	if stop, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil || stop.Reason != debug.StoppedAtEnd {
		t.Fatal(stop, err)
	}
	if value.Compact(s.Output()) != "[1,2]" {
		t.Errorf("output %s, %v", value.Compact(s.Output()), s.Failure())
	}
	s = session(t, reads, debug.Options{Source: &bucket{err: &engine.ObjectError{Cause: "Access denied"}}})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	if f := s.Failure(); f == nil || f.Name != engine.ErrorItemReaderFailed || f.Cause != "Access denied" {
		t.Errorf("failure %v", f)
	}
}

// The run waits for an object that the source does not have, and continues once it is given; the source is not asked
// again.
func TestMissingObject(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, source := range []outcome.Source{nil, &runs.Script{}, &bucket{}, &bucket{err: broken}} {
		s := session(t, reads, debug.Options{Source: source})
		for range 2 { // the same again
			stop, err := s.Do(debug.Command{Kind: debug.Continue})
			waits := stop.Reason == debug.StoppedForAnswer && stop.Object != nil && stop.Object.Object.Key == "k"
			if err != nil || !waits && !errors.Is(stop.Err, broken) {
				t.Fatalf("%v: stop %+v, %v", source, stop, err)
			}
		}
		requests := s.ObjectRequests()
		if len(requests) != 1 || s.Interventions().AnswerObject(requests[0].ID, []byte("[7]"), nil) != nil {
			t.Fatalf("requests %v", requests)
		}
		if stop, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil || stop.Reason != debug.StoppedAtEnd ||
			value.Compact(s.Output()) != "[7]" {
			t.Errorf("stop %+v, %v, output %s", stop, err, value.Compact(s.Output()))
		}
	}
}

// TestAskForAnObjectAgain: after going back, and after a new start, the run waits for the object again; an answer at an
// earlier place begins a fork, and another task does not hide the request.
func TestAskForAnObjectAgain(t *testing.T) {
	s := session(t, reads, debug.Options{Source: &bucket{}})
	goOn := func() {
		t.Helper()
		if stop, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil ||
			stop.Reason != debug.StoppedForAnswer || stop.Object == nil {
			t.Fatalf("stop %+v, %v", stop, err)
		}
	}
	goOn()
	s.GoTo(2)
	goOn()
	s.Restart()
	goOn()
	request := s.ObjectRequests()[0]
	if err := s.Interventions().AnswerObject(request.ID, []byte("[1]"), nil); err != nil {
		t.Fatal(err)
	}
	if stop, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil || stop.Reason != debug.StoppedAtEnd ||
		stop.Object != nil {
		t.Fatalf("stop %+v, %v", stop, err)
	}
	hands := s.Origins().Interventions()
	if len(hands) != 1 || hands[0].Kind != runlog.InputObject || hands[0].Visit.State.Name != "M" ||
		hands[0].Outcome.Output != value.Value(value.String("[1]")) {
		t.Errorf("given by hand: %+v", hands)
	}
}

// A breakpoint on a stage of a distributed Map stops there, whether the stage succeeds or not.
func TestBreakAtItemReader(t *testing.T) {
	for body, want := range map[string]engine.EventType{"[1]": engine.StageCompleted, "{}": engine.MapRunFailed} {
		s := session(t, reads, debug.Options{Source: &bucket{body: body}})
		if _, err := s.Breakpoints().Add("M:ItemReader"); err != nil {
			t.Fatal(err)
		}
		stop, err := s.Do(debug.Command{Kind: debug.Continue})
		if err != nil || stop.Reason != debug.StoppedByBreakpoint || s.Log().Last().Type != want &&
			s.Log().At(s.Log().Len()-2).Type != want {
			t.Errorf("%s: stop %+v, %v at %v", body, stop, err, s.Log().Last().Type)
		}
	}
}
