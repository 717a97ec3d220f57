package waiter

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Poll is one call of the operation with its effect on the waiter.
type Poll struct {
	// Attempt counts the calls from 1.
	Attempt int
	// At is when the call began, and Took how long it took.
	At, Took time.Duration // At is since the start of the waiter
	// Response is nil where the time was over before there was one.
	Response *Response
	// Tried are the verdicts of the acceptors that were tried, in their order.
	Tried []Verdict
	// Acceptor is the one that decided, from 0, or -1 where the implicit rules did. State is the effect; it is the zero State
	// where the time was over.
	Acceptor int
	State    State
	// TimedOut is set where the waiter ended because its time was over.
	TimedOut bool
	// Delay is the delay that followed; nil where the waiter ended. Its Drawn is 0 where it is the last: all that was left of the time
	// took the place of the drawn delay.
	Delay *Delay

	waiter *Waiter
}

// Polls makes the polls of a run out of its events.
type Polls struct {
	waiter  *Waiter
	maxWait time.Duration
	start   int64
	poll    *Poll // that has begun
}

// Polls returns the reader of the events of a run of the waiter with that time to wait.
func (w *Waiter) Polls(maxWait time.Duration) *Polls { return &Polls{waiter: w, maxWait: maxWait} }

// Add reads the next event, and returns the poll that it completes; nil where it completes none.
func (p *Polls) Add(e *engine.Event) *Poll {
	if e.Type == engine.ExecutionStarted {
		p.start = e.Time
	}
	if e.Visit == nil {
		return nil
	}
	name, now := e.Visit.State.Name, time.Duration(e.Time-p.start)
	switch e.Type {
	case engine.StateEntered:
		switch name {
		case p.waiter.OperationName():
			p.poll = &Poll{Attempt: e.Visit.Number, At: now, Acceptor: -1, waiter: p.waiter}
		case TimedOut:
			return p.complete(func(poll *Poll) { poll.TimedOut = true })
		case Matched, Failed:
			return p.complete(func(*Poll) {})
		}
	case engine.StateExited:
		if exit, ok := e.Detail.(*engine.ExitDetail); ok && name == p.waiter.OperationName() && p.poll != nil {
			if p.poll.Took = now - p.poll.At; exit.Next != TimedOut {
				p.poll.decide(responseOf(e.After))
			}
		}
	case engine.WaitStarted:
		if wait, ok := e.Detail.(*engine.WaitDetail); ok && name == DelayFor {
			sleep := time.Duration(wait.Until.UnixNano() - e.Time)
			return p.complete(func(poll *Poll) { poll.Delay = p.waiter.slept(poll.Attempt, p.maxWait-now, sleep) })
		}
	default:
	}
	return nil
}

func (p *Polls) complete(end func(*Poll)) *Poll {
	poll := p.poll
	if p.poll = nil; poll != nil {
		end(poll)
	}
	return poll
}

// decide tries the acceptors, as [Waiter.Step] does.
func (p *Poll) decide(r *Response) {
	p.Response = r
	typed := p.waiter.typed(r)
	for _, a := range p.waiter.Acceptors {
		verdict := a.Matcher.Match(typed)
		if p.Tried = append(p.Tried, verdict); verdict.Matched {
			break
		}
	}
	p.Acceptor, p.State = p.waiter.Step(r)
}

// slept returns the delay of a run from its length.
func (w *Waiter) slept(attempt int, remaining, sleep time.Duration) *Delay {
	d := &Delay{Attempt: attempt, Remaining: remaining, Sleep: sleep, Last: sleep == remaining}
	d.Ceiling, d.Low, d.High = w.Bounds(attempt)
	if !d.Last {
		d.Drawn = int64(sleep / time.Second)
	}
	return d
}

// selectedWidth bounds a selected value in a line.
const selectedWidth = 60

// summary returns what was selected, and which acceptor matched.
func (p *Poll) summary() []string {
	var parts []string
	switch {
	case p.Response == nil:
		parts = append(parts, "no response in time")
	case p.Response.Error != "":
		parts = append(parts, "error "+errorName(p.Response.Error))
	default:
		for i, verdict := range p.Tried {
			text := fmt.Sprintf("%s is %s", p.waiter.Acceptors[i].Matcher.Path, value.Preview(value.OrNull(verdict.Selected), selectedWidth))
			if verdict.Selected != nil && !slices.Contains(parts, text) {
				parts = append(parts, text)
			}
		}
		if len(parts) == 0 {
			parts = append(parts, "the call succeeded")
		}
	}
	switch {
	case p.Response == nil:
	case p.Acceptor >= 0:
		parts = append(parts, fmt.Sprintf("acceptor %d matched: %s", p.Acceptor, p.State))
	default:
		parts = append(parts, "no acceptor matched: "+p.State.String())
	}
	return parts
}

// String returns the poll as one line: what was selected, which acceptor matched, the delay with its range and draw.
func (p *Poll) String() string {
	parts := p.summary()
	switch d := p.Delay; {
	case p.TimedOut:
		parts = append(parts, "the time is over")
	case d == nil:
	case d.Last:
		parts = append(parts, fmt.Sprintf("delay %v, all that is left, in place of %d s to %d s: the next call is the last", d.Sleep, d.Low, d.High))
	default:
		parts = append(parts, fmt.Sprintf("delay %v, drawn from %d s to %d s; %v left before it", d.Sleep, d.Low, d.High, d.Remaining))
	}
	return fmt.Sprintf("poll %d at %v: %s", p.Attempt, p.At, strings.Join(parts, "; "))
}

// Value returns the poll as an object: attempt, atSeconds, tookSeconds, error, acceptors (with state, matcher, selected, matched and
// reason of each that was tried), acceptor, state, timedOut and delay. Members without a meaning for it are left out.
func (p *Poll) Value() *value.Object {
	members := []value.Member{
		{Key: "attempt", Value: value.Int(int64(p.Attempt))},
		{Key: "atSeconds", Value: engine.Seconds(p.At)},
		{Key: "tookSeconds", Value: engine.Seconds(p.Took)},
	}
	add := func(key string, v value.Value) { members = append(members, value.Member{Key: key, Value: v}) }
	if p.Response != nil {
		if p.Response.Error != "" {
			add("error", value.String(p.Response.Error))
		}
		tried := make([]value.Value, len(p.Tried))
		for i, verdict := range p.Tried {
			tried[i] = p.verdict(i, verdict)
		}
		add("acceptors", value.NewArray(tried))
		if p.Acceptor >= 0 {
			add("acceptor", value.Int(int64(p.Acceptor)))
		}
		add("state", value.String(p.State.String()))
	}
	if p.TimedOut {
		add("timedOut", value.Bool(true))
	}
	if p.Delay != nil {
		add("delay", p.Delay.value())
	}
	return value.NewObject(members)
}

func (p *Poll) verdict(i int, verdict Verdict) value.Value {
	a := p.waiter.Acceptors[i]
	members := []value.Member{
		{Key: "state", Value: value.String(a.State.String())},
		{Key: "matcher", Value: value.String(a.Matcher.String())},
	}
	if verdict.Selected != nil {
		members = append(members, value.Member{Key: "selected", Value: verdict.Selected})
	}
	return value.NewObject(append(members,
		value.Member{Key: "matched", Value: value.Bool(verdict.Matched)}, value.Member{Key: "reason", Value: value.String(verdict.Reason)}))
}

func (d *Delay) value() value.Value {
	members := []value.Member{
		{Key: "seconds", Value: engine.Seconds(d.Sleep)},
		{Key: "lowSeconds", Value: value.Int(d.Low)},
		{Key: "highSeconds", Value: value.Int(d.High)},
	}
	if d.Last {
		members = append(members, value.Member{Key: "last", Value: value.Bool(true)})
	} else {
		members = append(members, value.Member{Key: "drawnSeconds", Value: value.Int(d.Drawn)})
	}
	return value.NewObject(append(members, value.Member{Key: "remainingSeconds", Value: engine.Seconds(d.Remaining)}))
}

// Open returns the poll that has begun and is not complete, nil where there is none.
func (p *Polls) Open() *Poll { return p.poll }

// Of returns the waiter that a definition was made of, and the time that it may wait; nil where it was made of none.
func Of(definition *asl.StateMachine) (w *Waiter, maxWait time.Duration) {
	if definition.Origin == nil || definition.Origin.Format != Format {
		return nil, 0
	}
	for state := range definition.All() {
		if len(state.Choices) != 1 {
			continue
		}
		switch rule := state.Choices[0].Predicate.(type) {
		case *acceptorRule:
			w = rule.waiter
		case *timeRule:
			maxWait = rule.maxWait
		}
	}
	return w, maxWait
}

// Answer names the response as the matchers see it: the error, or the first value that a path has selected.
func (p *Poll) Answer() string {
	switch {
	case p.Response == nil && p.TimedOut:
		return "no response in time"
	case p.Response == nil:
		return ""
	case p.Response.Error != "":
		return "error " + errorName(p.Response.Error)
	}
	for i, verdict := range p.Tried {
		if verdict.Selected != nil {
			return p.waiter.Acceptors[i].Matcher.Path + " = " + value.Preview(verdict.Selected, selectedWidth)
		}
	}
	return "the call succeeded"
}

// DecidedBy names the acceptor that decided, with its number from 0: "2 retry"; "nothing matched" where the implicit
// rules did, and "" before the response.
func (p *Poll) DecidedBy() string {
	switch {
	case p.Response == nil:
		return ""
	case p.Acceptor < 0:
		return "nothing matched"
	}
	return fmt.Sprintf("%d %s", p.Acceptor, p.State)
}

// Ending says how a run of the waiter that made the polls ended, in a waiter's words; "" before its end.
func (w *Waiter) Ending(polls []*Poll, maxWait time.Duration) string {
	if len(polls) == 0 {
		return ""
	}
	last := polls[len(polls)-1]
	ended := last.At + last.Took
	after := fmt.Sprintf("poll %d, after %s", last.Attempt, wording.Duration(ended))
	all := wording.Duration(maxWait)
	switch {
	case last.TimedOut:
		return fmt.Sprintf("%s came to no result in its %s: %s.", w.Name, all, wording.Count(len(polls), "poll"))
	case last.Response == nil || last.Delay != nil:
		return ""
	case last.State == Success:
		left := wording.Duration(maxWait - ended)
		return fmt.Sprintf("%s reached success at %s; %s of %s were left.", w.Name, after, left, all)
	case last.State == Failure:
		return fmt.Sprintf("%s failed at %s: %s, %s.", w.Name, after, last.Answer(), last.DecidedBy())
	}
	return ""
}

// Delay is how long a waiter waits before an attempt, and how that came about (section "Waiter retries").
type Delay struct {
	// Attempt is the number of the attempt that is behind, from 1.
	Attempt int
	// Ceiling is the attempt from which on MaxDelay is the upper bound: ln(max/min)/ln(2) + 1.
	Ceiling float64
	// Low and High are the bounds of the draw in whole seconds, both included; Drawn is the result.
	Low, High, Drawn int64
	// Remaining is the time that was left.
	Remaining time.Duration
	// Last is set when the delay was changed to all of the time that is left, because after it there would be no
	// more than MinDelay: one attempt follows, and no other.
	Last bool
	// Sleep is the delay itself.
	Sleep time.Duration
}

// Bounds returns the ceiling and the bounds, in whole seconds, of the delay after an attempt, counted from 1.
func (w *Waiter) Bounds(attempt int) (ceiling float64, low, high int64) {
	ceiling = math.Log(float64(w.MaxDelay)/float64(w.MinDelay))/math.Ln2 + 1
	if float64(attempt) > ceiling {
		return ceiling, w.MinDelay, w.MaxDelay
	}
	// Below the ceiling the power is at most MaxDelay, and cannot overflow.
	return ceiling, w.MinDelay, min(w.MinDelay<<(attempt-1), w.MaxDelay)
}

// NextDelay returns the delay after an attempt. draw returns a number from 0 to before its argument; nil draws the
// greatest.
func (w *Waiter) NextDelay(attempt int, remaining time.Duration, draw func(n int64) int64) Delay {
	d := Delay{Attempt: attempt, Remaining: remaining}
	d.Ceiling, d.Low, d.High = w.Bounds(attempt)
	d.Drawn = d.High
	if draw != nil && d.High > d.Low {
		d.Drawn = d.Low + draw(d.High-d.Low+1)
	}
	return w.shorten(d)
}

// shorten applies the rule of the last attempt.
func (w *Waiter) shorten(d Delay) Delay {
	d.Sleep = time.Duration(d.Drawn) * time.Second
	if d.Remaining-d.Sleep <= time.Duration(w.MinDelay)*time.Second {
		d.Sleep, d.Last = max(d.Remaining, 0), true
	}
	return d
}
