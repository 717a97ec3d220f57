package tui

import (
	"strconv"
	"strings"
	"time"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/tui/theme"
)

// handlerWords says which retrier or catcher took an error, why those before it did not, and how the delay came about.
func (u *ui) handlerWords() []para {
	e := u.moment.event
	if e.Visit == nil {
		return nil
	}
	state := e.Visit.State
	switch detail := e.Detail.(type) {
	case *engine.RetryDetail:
		return u.retryWords(state, detail)
	case *engine.CatchDetail:
		return u.catchWords(state, detail)
	case *engine.Failure:
		if (e.Type == engine.StateFailed || e.Type == engine.ExecutionFailed) && (len(state.Retry) > 0 || len(state.Catch) > 0) {
			return u.uncaughtWords(state, detail)
		}
	}
	return nil
}

func (u *ui) retryWords(state *asl.State, d *engine.RetryDetail) []para {
	if d.Retrier >= len(state.Retry) {
		return nil
	}
	r := state.Retry[d.Retrier]
	words := []para{{theme.Plain, retryFormula(r, d, u.session.Options().Seed), 2}}
	names := "retrier " + strconv.Itoa(d.Retrier+1) + " takes " + listed(r.ErrorEquals)
	words = append(words, para{theme.Dim, names, 2})
	for i := range d.Retrier {
		words = append(words, u.refusal("retrier", i, state.Retry[i].ErrorEquals, d.Failure))
	}
	return words
}

// retryFormula says how a retry's delay came about and how many retries are left.
func retryFormula(r *asl.Retrier, d *engine.RetryDetail, seed int64) string {
	text := strconv.FormatInt(r.IntervalSeconds, 10) + " s x " + strconv.FormatFloat(r.BackoffRate, 'g', -1, 64) +
		"^" + strconv.FormatInt(d.Attempt-1, 10) + " = "
	free := *r
	free.MaxDelaySeconds = 0
	switch uncapped := engine.Backoff(&free, d.Attempt); {
	case r.MaxDelaySeconds > 0 && uncapped > d.Backoff:
		text += span(uncapped) + ", MaxDelaySeconds makes it " + span(d.Backoff)
	case r.MaxDelaySeconds > 0:
		text += span(d.Backoff) + ", within MaxDelaySeconds " + strconv.FormatInt(r.MaxDelaySeconds, 10) + " s"
	default:
		text += span(d.Backoff)
	}
	if r.JitterStrategy == asl.JitterFull {
		text += ", jitter FULL draws " + span(d.Delay) + " out of it (seed " + strconv.FormatInt(seed, 10) + ")"
	}
	left := "none left"
	if n := r.MaxAttempts - d.Attempt; n > 0 {
		left = strconv.FormatInt(n, 10) + " left"
	}
	return text + "; retry " + strconv.FormatInt(d.Attempt, 10) + " of at most " + strconv.FormatInt(r.MaxAttempts, 10) + ", " + left
}

func (u *ui) catchWords(state *asl.State, d *engine.CatchDetail) []para {
	if d.Catcher >= len(state.Catch) {
		return nil
	}
	c := state.Catch[d.Catcher]
	words := []para{
		{theme.Dim, "catcher " + strconv.Itoa(d.Catcher+1) + " takes " + listed(c.ErrorEquals), 2},
		{theme.Dim, caughtResult(state, c), 0},
	}
	words = append(words, u.retrierRefusals(state, d.Failure)...)
	for i := range d.Catcher {
		words = append(words, u.refusal("catcher", i, state.Catch[i].ErrorEquals, d.Failure))
	}
	return words
}

// caughtResult says what becomes of the Error Output.
func caughtResult(state *asl.State, c *asl.Catcher) string {
	const after = "After is the Error Output"
	switch {
	case state.QueryLanguage == asl.JSONata && c.Output != nil:
		return after + ", $states.errorOutput in the catcher's Output."
	case state.QueryLanguage == asl.JSONata:
		return after + "; without an Output it goes on as it is."
	case c.ResultPath == nil:
		return after + "; without a ResultPath it takes the place of the whole input."
	case c.ResultPath.Null:
		return after + "; the catcher's ResultPath is null, so it is dropped and the raw input goes on."
	}
	return after + "; the catcher's ResultPath " + c.ResultPath.Path.String() + " puts it into the raw input."
}

func (u *ui) uncaughtWords(state *asl.State, f *engine.Failure) []para {
	if !f.Catchable() {
		return []para{{theme.Dim, f.Name + " is never retried and never caught, whatever a retrier or a catcher names.", 2}}
	}
	if u.moment.caught != nil {
		return []para{{theme.Dim, "An error in what follows a catcher is not caught again by the state that it left.", 2}}
	}
	words := u.retrierRefusals(state, f)
	for i, c := range state.Catch {
		words = append(words, u.refusal("catcher", i, c.ErrorEquals, f))
	}
	return words
}

// retrierRefusals says why no retrier took an error. The first one that names it decides, used up or not.
func (u *ui) retrierRefusals(state *asl.State, f *engine.Failure) []para {
	var words []para
	taker := engine.MatchingRetrier(state, f, u.session.Machine().Dialect())
	for i, r := range state.Retry {
		if i != taker {
			words = append(words, u.refusal("retrier", i, r.ErrorEquals, f))
			continue
		}
		text := u.glyphs.Failed + " retrier " + strconv.Itoa(i+1) + " names it, but "
		if r.MaxAttempts == 0 {
			text += "its MaxAttempts is 0"
		} else {
			text += "its MaxAttempts " + strconv.FormatInt(r.MaxAttempts, 10) + " are used up"
		}
		return append(words, para{theme.Plain, text, 4})
	}
	return words
}

// refusal says why a retrier or a catcher did not take an error.
func (u *ui) refusal(what string, i int, names []string, f *engine.Failure) para {
	text := u.glyphs.Failed + " " + what + " " + strconv.Itoa(i+1) + " takes " + listed(names) + ", not " + f.Name
	if f.Name == engine.ErrorTimeout && strings.Contains(listed(names), engine.ErrorTaskFailed) {
		text += ": States.TaskFailed stands for every error but States.Timeout"
	}
	return para{theme.Plain, text, 4}
}

func listed(names []string) string { return strings.Join(names, ", ") }

// timedOut returns the event in which a task's bound was exceeded that an error comes from, nil where it comes from
// something else.
func (u *ui) timedOut(f *engine.Failure) *engine.Event {
	at := int(u.moment.event.Seq) - 1
	for i := at; f != nil && i >= max(0, at-borrowed); i-- {
		if e := u.session.Log().At(i); e.Type == engine.TaskTimedOut && e.Failure() == f {
			return e
		}
	}
	return nil
}

// timeoutWords says which bound of a task was exceeded.
func (u *ui) timeoutWords() []para {
	log, f := u.session.Log(), u.moment.event.Failure()
	e := u.timedOut(f)
	if e == nil {
		return nil
	}
	var request *engine.TaskRequest
	var asked, beat time.Time
	for i := int(e.Seq) - 2; i >= int(e.Visit.Entered)-1 && request == nil; i-- {
		earlier := log.At(i)
		if earlier.Visit != e.Visit {
			continue
		}
		switch detail := earlier.Detail.(type) {
		case *engine.TaskRequest:
			request, asked = detail, earlier.At()
		default:
			if earlier.Type == engine.TaskHeartbeat && beat.IsZero() {
				beat = earlier.At()
			}
		}
	}
	if request == nil {
		return nil
	}
	if !f.Heartbeat() {
		return []para{{theme.Plain, "TimeoutSeconds " + span(request.Timeout) + " are over: the task was asked for at " + sinceStart(u.start, asked) +
			" and had not ended at " + sinceStart(u.start, e.At()), 2}}
	}
	last := "none came since it was asked for at " + sinceStart(u.start, asked)
	if !beat.IsZero() {
		last = "the last one came at " + sinceStart(u.start, beat)
	}
	return []para{{theme.Plain, "HeartbeatSeconds " + span(request.Heartbeat) + " are over without a heartbeat: " + last, 2}}
}
