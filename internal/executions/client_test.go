package executions_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"asldb/internal/executions"
	"asldb/internal/testkit/runs"
)

func TestCredentials(t *testing.T) {
	withoutAWS(t)
	of := arn(t, runs.Prefix+"stateMachine:Order")
	_, err := executions.Connect(t.Context(), executions.Connection{}, of)
	var wrong *executions.Error
	if !errors.As(err, &wrong) || wrong.Reason != executions.BadCredentials {
		t.Error(err)
	}
	if _, err = executions.Connect(t.Context(), executions.Connection{Profile: "none"}, of); !errors.As(err, &wrong) ||
		wrong.Reason != executions.BadCredentials || !strings.Contains(err.Error(), "none") {
		t.Error(err)
	}
	if _, err = executions.Connect(t.Context(), executions.Connection{Endpoint: "localhost:1"}, of); err == nil ||
		!strings.Contains(err.Error(), "is not a URL") {
		t.Error(err)
	}
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	if _, err = executions.Connect(ended, executions.Connection{}, of); err == nil || err.Error() != "interrupted" {
		t.Error(err)
	}
}

// Nothing listens at the endpoint.
func TestUnreachable(t *testing.T) {
	withoutAWS(t)
	of := arn(t, runs.Prefix+"execution:Order:one")
	client, err := executions.Connect(t.Context(),
		executions.Connection{Endpoint: "http://127.0.0.1:1", MaxBackoff: time.Millisecond, Rate: 1e6}, of)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Execution(t.Context(), of, nil)
	var wrong *executions.Error
	if !errors.As(err, &wrong) || wrong.Reason != executions.Unreachable {
		t.Error(err)
	}
}

// virtualClock is a clock that jumps over each wait.
type virtualClock struct {
	now   time.Time
	waits []time.Duration
	end   func() // at each wait; nil: nothing
}

func (c *virtualClock) Now() time.Time { return c.now }

func (c *virtualClock) Wait(ctx context.Context, d time.Duration) error {
	c.waits = append(c.waits, d)
	c.now = c.now.Add(d)
	if c.end != nil {
		c.end()
	}
	return context.Cause(ctx)
}

// limited connects with a rate that a clock keeps.
func limited(t *testing.T, stub *runs.Server, perSecond float64, clock executions.Clock) *executions.Client {
	t.Helper()
	withoutAWS(t)
	client, err := executions.Connect(t.Context(),
		executions.Connection{Endpoint: stub.URL, Rate: perSecond, MaxBackoff: time.Millisecond, Clock: clock},
		arn(t, runs.Prefix+"stateMachine:Order"))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// The first call is made at once, and each one after it when its turn has come.
func TestRate(t *testing.T) {
	x := runs.Of("one", day, `{"card": "good-card"}`)
	for perSecond, between := range map[float64]time.Duration{4: 250 * time.Millisecond, 0.5: 2 * time.Second,
		0: time.Second / executions.DefaultRate} {
		stub := runs.Start(t, x)
		stub.PageSize = 3
		clock := &virtualClock{now: day}
		if _, err := limited(t, stub, perSecond, clock).Execution(t.Context(), arn(t, x.ARN), nil); err != nil {
			t.Fatal(err)
		}
		calls := len(stub.Calls())
		if calls < 4 || len(clock.waits) != calls-1 ||
			clock.now.Sub(day).Round(time.Millisecond) != time.Duration(calls-1)*between {
			t.Errorf("rate %g: %d calls, waits %v", perSecond, calls, clock.waits)
		}
	}
}

// A call that is made again waits for its turn, too.
func TestRateOfRetries(t *testing.T) {
	x := runs.Of("one", day, `{"card": "good-card"}`)
	stub := runs.Start(t, x)
	stub.Refuse = func(_ string, n int, _ string) *runs.Refusal {
		if n == 1 {
			return &runs.Refusal{Code: "ThrottlingException", Message: "Rate exceeded"}
		}
		return nil
	}
	clock := &virtualClock{now: day}
	if _, err := limited(t, stub, 1, clock).Execution(t.Context(), arn(t, x.ARN), nil); err != nil {
		t.Fatal(err)
	}
	if calls := len(stub.Calls()); calls != 3 || clock.now.Sub(day).Round(time.Millisecond) != 2*time.Second {
		t.Errorf("%d calls in %s", calls, clock.now.Sub(day))
	}
}

// A wait ends with its context, and no call is made after it.
func TestTheEndOfAWait(t *testing.T) {
	x := runs.Of("one", day, `{"card": "good-card"}`)
	stub := runs.Start(t, x)
	ctx, cancel := context.WithCancelCause(t.Context())
	clock := &virtualClock{now: day, end: func() { cancel(errors.New("interrupted")) }}
	_, err := limited(t, stub, 1, clock).Execution(ctx, arn(t, x.ARN), nil)
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Error(err)
	}
	if calls := stub.Calls(); len(calls) != 1 {
		t.Errorf("%q", calls)
	}
}
