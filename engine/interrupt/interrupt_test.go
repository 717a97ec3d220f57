package interrupt_test

import (
	"errors"
	"fmt"
	"testing"

	"asldb/engine/interrupt"
)

// A Poll looks at its check every so many steps, and keeps the check's answer.
func TestPoll(t *testing.T) {
	looks, reason := 0, error(nil)
	p := interrupt.NewPoll(func() error { looks++; return reason })
	for range 10 * interrupt.Every {
		if err := p.Step(1); err != nil {
			t.Fatal(err)
		}
	}
	if looks != 10 || !p.Armed() {
		t.Errorf("%d looks in %d steps", looks, 10*interrupt.Every)
	}
	if err := p.Step(100 * interrupt.Every); err != nil || looks != 11 {
		t.Errorf("one long step: %v, %d looks", err, looks)
	}
	reason = errors.New("enough")
	err := p.Look()
	if !interrupt.Is(err) || !errors.Is(err, reason) || err.Error() != "the evaluation was interrupted: enough" {
		t.Errorf("interrupted with %v", err)
	}
	if reason = nil; p.Step(1) != err || p.Err() != err || p.Look() != err {
		t.Error("it went on")
	}
	if p.Reset(); p.Step(1) != nil || p.Err() != nil {
		t.Error("a Poll cannot begin anew")
	}
	p.Stop(fmt.Errorf("wrapped: %w", err))
	if !errors.Is(p.Err(), err) || p.Err().Error() != "wrapped: "+err.Error() {
		t.Errorf("an interruption of another's was wrapped again: %v", p.Err())
	}
}

// A Poll knows how many steps it has counted, with a check and without.
func TestSpent(t *testing.T) {
	for _, check := range []interrupt.Check{nil, func() error { return nil }} {
		p := interrupt.NewPoll(check)
		_ = p.Step(7)
		_ = p.Step(2 * interrupt.Every)
		if p.Count(3); p.Spent() != 10+2*interrupt.Every || p.TakeSpent() != 10+2*interrupt.Every || p.Spent() != 0 {
			t.Errorf("%d steps are left", p.Spent())
		}
	}
}

// What has no check is never interrupted.
func TestPollWithoutACheck(t *testing.T) {
	var none *interrupt.Poll
	empty := interrupt.NewPoll(nil)
	for _, p := range []*interrupt.Poll{none, &empty} {
		if p.Armed() || p.Step(1<<30) != nil || p.Look() != nil || p.Err() != nil {
			t.Error("it was interrupted")
		}
	}
}

func TestFlag(t *testing.T) {
	var f interrupt.Flag
	if f.Check() != nil || f.Raised() {
		t.Error("a new flag is up")
	}
	if f.Raise(); !errors.Is(f.Check(), interrupt.ErrRaised) || !f.Raised() {
		t.Error("a raised flag is down")
	}
	if f.Lower(); f.Check() != nil {
		t.Error("a lowered flag is up")
	}
	if f.Looks() != 3 {
		t.Errorf("%d looks, want 3", f.Looks())
	}
}
