package debug_test

import (
	"errors"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/value"
)

// outside puts off every outcome.
type outside struct{ requests []int64 }

func (o *outside) Ask(ask outcome.Ask) outcome.Reply {
	return outcome.Later(func(time.Time, time.Duration) {
		o.requests = append(o.requests, ask.(outcome.Task).Request.ID)
	})
}

func (o *outside) Seek([]outcome.Ask) []outcome.Ask { return nil }

// A call that turns out to be impossible stops the session like a fault of its source; then the person is asked.
func TestAFaultOfACall(t *testing.T) {
	source := &outside{}
	s := session(t, `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:a","End":true}}}`, debug.Options{Source: source})
	if stop := do(t, s, debug.Continue); stop.Reason != debug.StoppedForCall || len(source.requests) != 1 {
		t.Fatalf("stops for %v with %v", stop.Reason, source.requests)
	}
	fault := errors.New("no such file")
	if err := s.Calls().Fault(source.requests[0]+1, fault); !errors.Is(err, engine.ErrNoRequest) {
		t.Errorf("of another request: %v", err)
	}
	if err := s.Calls().Fault(source.requests[0], fault); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if stop := s.Advance(100); stop.Reason != debug.StoppedBySource || !errors.Is(stop.Err, fault) {
			t.Errorf("stops for %v: %v", stop.Reason, stop.Err)
		}
	}
	if len(s.Calls().Open()) > 0 || s.Status().Done() {
		t.Errorf("%v is waited for, %v", s.Calls().Open(), s.Status())
	}
	if stop := do(t, s, debug.Continue); stop.Reason != debug.StoppedForAnswer || len(source.requests) != 1 {
		t.Errorf("stops for %v with %v", stop.Reason, source.requests)
	}
	if err := s.Interventions().Answer(source.requests[0], engine.Outcome{Output: value.Int(1)}); err != nil {
		t.Fatal(err)
	}
	if do(t, s, debug.Continue); s.Status() != engine.Succeeded {
		t.Errorf("%v", s.Status())
	}
}
