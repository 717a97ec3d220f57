package waiter

import (
	"cmp"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// responseOf returns the response that a state's data holds.
func responseOf(data value.Value) *Response {
	members, _ := data.(*value.Object)
	if members == nil {
		return &Response{}
	}
	r := &Response{Input: members.Get("input"), Output: members.Get("output")}
	if failure, ok := members.Get("error").(*value.Object); ok {
		name, _ := failure.Get("Error").(value.String)
		r.Error, r.Output = string(name), nil
		r.Error = cmp.Or(r.Error, "an error without a name")
	}
	return r
}

// acceptorRule is the condition that an acceptor is.
type acceptorRule struct {
	waiter   *Waiter
	acceptor *Acceptor
}

// Holds implements asl.Predicate.
func (r *acceptorRule) Holds(m *asl.Moment) bool {
	return r.acceptor.Matcher.Match(r.waiter.typed(responseOf(m.Data))).Matched
}

// String implements asl.Predicate.
func (r *acceptorRule) String() string { return r.acceptor.Matcher.String() }

// Explain implements asl.Predicate.
func (r *acceptorRule) Explain(m *asl.Moment) []asl.Finding {
	matcher := &r.acceptor.Matcher
	verdict := matcher.Match(r.waiter.typed(responseOf(m.Data)))
	findings := []asl.Finding{{What: matcher.Kind.String(), Found: matcher.String()}}
	if verdict.Selected != nil {
		findings = append(findings, asl.Finding{What: "selected", Found: value.Preview(verdict.Selected, 200)})
	}
	result := "no match: "
	if verdict.Matched {
		result = "matched, so " + r.acceptor.State.String() + ": "
	}
	return append(findings, asl.Finding{What: matcher.Comparator.String(), Found: result + verdict.Reason})
}

// errorRule is the implicit rule for a response that no acceptor matched.
type errorRule struct{}

// Holds implements asl.Predicate.
func (errorRule) Holds(m *asl.Moment) bool { return responseOf(m.Data).Error != "" }

// String implements asl.Predicate.
func (errorRule) String() string { return "an error" }

// Explain implements asl.Predicate.
func (errorRule) Explain(m *asl.Moment) []asl.Finding {
	if failed := responseOf(m.Data).Error; failed != "" {
		return []asl.Finding{{What: "no acceptor matched", Found: "the call failed with " + failed + ": an error that nothing matches ends the waiter"}}
	}
	return []asl.Finding{{What: "no acceptor matched", Found: "the call succeeded: it is tried again"}}
}

// remaining is the time that is left at a moment.
func remaining(maxWait time.Duration, m *asl.Moment) time.Duration {
	return m.Start.Add(maxWait).Sub(m.Now)
}

// timeRule holds while another attempt may follow.
type timeRule struct{ maxWait time.Duration }

// Holds implements asl.Predicate.
func (r *timeRule) Holds(m *asl.Moment) bool { return remaining(r.maxWait, m) > 0 }

// String implements asl.Predicate.
func (r *timeRule) String() string { return "time is left" }

// Explain implements asl.Predicate.
func (r *timeRule) Explain(m *asl.Moment) []asl.Finding {
	left := remaining(r.maxWait, m)
	return []asl.Finding{{What: "waited", Found: fmt.Sprintf("%v of %v; %v left", r.maxWait-left, r.maxWait, max(left, 0))}}
}

// durationOf returns the duration that a number of seconds is.
func durationOf(v value.Value) time.Duration {
	number, _ := v.(value.Number)
	r, ok := new(big.Rat).SetString(number.Text())
	if !ok {
		return 0
	}
	r.Mul(r, big.NewRat(int64(time.Second), 1))
	return time.Duration(new(big.Int).Quo(r.Num(), r.Denom()).Int64())
}

// timeLeft bounds a call: no request may run on after the time is over. A call that is made at the last moment may
// take no time at all.
type timeLeft struct{ maxWait time.Duration }

// Value implements asl.Calculation.
func (t *timeLeft) Value(m *asl.Moment) value.Value {
	return engine.Seconds(max(remaining(t.maxWait, m), time.Nanosecond))
}

// String implements asl.Calculation.
func (t *timeLeft) String() string { return "the time that is left" }

// Explain implements asl.Calculation.
func (t *timeLeft) Explain(m *asl.Moment, _ value.Value) []asl.Finding {
	return []asl.Finding{{What: "time left", Found: fmt.Sprintf("%v of %v", remaining(t.maxWait, m), t.maxWait)}}
}

// delayFor is the delay between two attempts.
type delayFor struct {
	waiter  *Waiter
	maxWait time.Duration
}

// Value implements asl.Calculation.
func (d *delayFor) Value(m *asl.Moment) value.Value {
	return engine.Seconds(d.waiter.NextDelay(m.Visit, remaining(d.maxWait, m), m.Draw).Sleep)
}

// String implements asl.Calculation.
func (d *delayFor) String() string {
	return fmt.Sprintf("%d to %d s, doubled each time", d.waiter.MinDelay, d.waiter.MaxDelay)
}

// Explain implements asl.Calculation.
func (d *delayFor) Explain(m *asl.Moment, given value.Value) []asl.Finding {
	w, left, slept := d.waiter, remaining(d.maxWait, m), durationOf(given)
	ceiling, low, high := w.Bounds(m.Visit)
	growth := fmt.Sprintf("min(%d s x 2^%d, %d s)", w.MinDelay, m.Visit-1, w.MaxDelay)
	if float64(m.Visit) > ceiling {
		growth = fmt.Sprintf("attempt %d is above the ceiling: %d s", m.Visit, w.MaxDelay)
	}
	findings := []asl.Finding{
		{What: "attempt", Found: strconv.Itoa(m.Visit) + " is behind; the ceiling is " + strconv.FormatFloat(ceiling, 'f', 2, 64)},
		{What: "range", Found: fmt.Sprintf("%d s to %d s: %s", low, high, growth)},
	}
	if slept == left {
		return append(findings,
			asl.Finding{What: "delay", Found: fmt.Sprintf("%v: all that is left, because after the drawn delay there would be no more than minDelay (%d s)", slept, w.MinDelay)},
			asl.Finding{What: "left", Found: "0s: the attempt after this delay is the last"})
	}
	return append(findings,
		asl.Finding{What: "drawn", Found: slept.String() + " with full jitter"},
		asl.Finding{What: "left", Found: fmt.Sprintf("%v before the delay, %v after it", left, left-slept)})
}

// failureCause says why a waiter failed.
type failureCause struct{ waiter *Waiter }

// Value implements asl.Calculation.
func (f *failureCause) Value(m *asl.Moment) value.Value {
	r := responseOf(m.Data)
	index, _ := f.waiter.Step(r)
	if index < 0 {
		return value.String("no acceptor matched the error " + r.Error)
	}
	a := f.waiter.Acceptors[index]
	matched := fmt.Sprintf("acceptor %d matched: %s", index, a.Matcher.String())
	if a.messagePath != nil {
		if words, err := a.messagePath.search(messageData(r, m.Data)); err == nil && words.Kind() != value.KindNull {
			if s, ok := words.(value.String); ok {
				return value.String(string(s) + " (" + matched + ")")
			}
			return value.String(value.Compact(words) + " (" + matched + ")")
		}
	}
	return value.String(matched)
}

// messageData returns the value that an acceptor's message refers to: the output, or the error.
func messageData(r *Response, data value.Value) value.Value {
	if r.Error == "" {
		return orEmpty(r.Output)
	}
	members, _ := data.(*value.Object)
	return orEmpty(members.Get("error"))
}

// String implements asl.Calculation.
func (f *failureCause) String() string { return "the acceptor that matched" }

// Explain implements asl.Calculation.
func (f *failureCause) Explain(*asl.Moment, value.Value) []asl.Finding { return nil }

// timeoutCause says how long a waiter waited in vain.
type timeoutCause struct {
	waiter  *Waiter
	maxWait time.Duration
}

// Value implements asl.Calculation.
func (t *timeoutCause) Value(m *asl.Moment) value.Value {
	last := &Poll{waiter: t.waiter}
	if data, ok := m.Data.(*value.Object); ok && data.Get("input") != nil { // else a call was cancelled
		last.decide(responseOf(data))
	}
	return value.String(fmt.Sprintf("%s did not come to success or failure within %v; its last poll: %s",
		t.waiter.Name, t.maxWait, strings.Join(last.summary(), "; ")))
}

// String implements asl.Calculation.
func (t *timeoutCause) String() string { return "the time that is over" }

// Explain implements asl.Calculation.
func (t *timeoutCause) Explain(*asl.Moment, value.Value) []asl.Finding { return nil }
