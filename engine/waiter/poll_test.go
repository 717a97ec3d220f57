package waiter

import (
	"strings"
	"testing"
	"time"

	"asldb/engine/value"
)

// TestPolls: what each poll selected, which acceptor decided, and the delay after it (section "Waiter retries").
func TestPolls(t *testing.T) {
	m, _ := readText(t, jobModel)
	running, done := poll{output: `{"Status":"RUNNING"}`, takes: time.Second}, poll{output: `{"Status":"DONE"}`}
	r := run(t, m, "JobDone", time.Minute, 1, poll{failure: "x#NoSuchJob"}, running, done)
	if len(r.polls) != 3 {
		t.Fatalf("%d polls", len(r.polls))
	}
	for i, want := range []string{
		// The first delay has one bound; the second is from 2 s to 4 s.
		"poll 1 at 0s: error NoSuchJob; acceptor 2 matched: retry; delay 2s, drawn from 2 s to 2 s; 1m0s left before it",
		`poll 2 at 2s: Status is "RUNNING"; no acceptor matched: retry; delay `,
		`: Status is "DONE"; acceptor 0 matched: success`,
	} {
		if got := r.polls[i].String(); !strings.Contains(got, want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	second := r.polls[1]
	if d := second.Delay; d.Low != 2 || d.High != 4 || d.Sleep != r.delays[1] ||
		d.Drawn != int64(d.Sleep/time.Second) || d.Last || d.Remaining != 57*time.Second {
		t.Errorf("%+v", d)
	}
	const tried = `"acceptors":[{"state":"success","matcher":"Status = \"DONE\"","selected":"RUNNING","matched":false,"reason":"it is \"RUNNING\""},` +
		`{"state":"failure","matcher":"Status = \"FAILED\"","selected":"RUNNING","matched":false,"reason":"it is \"RUNNING\""},` +
		`{"state":"retry","matcher":"error NoSuchJob","matched":false,"reason":"there was no error"}],"state":"retry","delay":{"seconds":`
	if got := value.Compact(second.Value()); !strings.HasPrefix(got, `{"attempt":2,"atSeconds":2,"tookSeconds":1,`+
		tried) || !strings.Contains(got, `"lowSeconds":2,"highSeconds":4,"drawnSeconds":`) {
		t.Errorf("%s", got)
	}
	if got := value.Compact(r.polls[2].Value()); !strings.Contains(got,
		`"matched":true,"reason":"it is \"DONE\""}],"acceptor":0,"state":"success"}`) {
		t.Errorf("%s", got)
	}

	// After the last delay, which takes all the time that is left, one call follows.
	r = run(t, m, "JobDone", 4*time.Second, 1, poll{output: `{"Status":"RUNNING"}`})
	last := r.polls[len(r.polls)-1]
	if !last.TimedOut || last.Delay != nil || !strings.HasSuffix(last.String(),
		"no acceptor matched: retry; the time is over") ||
		!strings.Contains(value.Compact(last.Value()), `"timedOut":true`) {
		t.Errorf("%s", last)
	}
	before := r.polls[len(r.polls)-2]
	if !before.Delay.Last || !strings.HasSuffix(before.String(),
		"delay 4s, all that is left, in place of 2 s to 2 s: the next call is the last") ||
		!strings.Contains(value.Compact(before.Value()), `"last":true`) {
		t.Errorf("%s", before)
	}

	// A call that is cut off has no response; an error that nothing matches ends the waiter.
	r = run(t, m, "JobDone", 4*time.Second, 1, poll{output: `{}`, takes: time.Minute})
	if only := r.polls[0]; len(r.polls) != 1 || only.Response != nil || only.Took != 4*time.Second ||
		only.String() != "poll 1 at 0s: no response in time; the time is over" {
		t.Errorf("%v", r.polls)
	}
	r = run(t, m, "JobDone", 4*time.Second, 1, poll{failure: "Broken"})
	if only := r.polls[0]; len(r.polls) != 1 || only.String() != "poll 1 at 0s: error Broken; no acceptor matched: failure" || !strings.Contains(value.Compact(only.Value()), `"error":"Broken"`) {
		t.Errorf("%v", r.polls)
	}
	shopped, _ := shop(t, alwaysRight)
	if got := run(t, shopped, "ShopOpen", time.Minute, 1,
		poll{output: "{}"}).polls[0].String(); got != "poll 1 at 0s: the call succeeded; acceptor 0 matched: success" {
		t.Error(got)
	}
}
