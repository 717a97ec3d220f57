package explain

import (
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Attempts describes the attempts at the work of a state that failed before event i of the log, and of the catcher that
// has taken over: a paragraph each, none where there are none.
func Attempts(s *debug.Session, i int) Text {
	log := s.Log()
	visit := log.At(i).Visit
	if visit == nil {
		return nil
	}
	var text Text
	var tries tries
	for at := max(int(visit.Entered)-1, i-reach); at <= i; at++ {
		switch head := log.Head(at); {
		case head.Entered != visit.Entered:
		case head.Type == engine.TaskScheduled:
			tries.begun = head.At()
		case head.Type == engine.RetryScheduled:
			if d, ok := log.At(at).Detail.(*engine.RetryDetail); ok {
				tries.add(d, head.At())
			}
		case head.Type == engine.ErrorCaught:
			if d, ok := log.At(at).Detail.(*engine.CatchDetail); ok {
				caught := say(ToneCaution, SignCatch, errorName(d.Failure.Name), words(" by catcher "),
					number(int64(d.Catcher+1)), words(" "),
					mark(SignCaught), words(" "), state(d.Next))
				caught.Label = "caught"
				text = append(text, caught)
			}
		default:
		}
	}
	if len(tries.delays) > 0 {
		text = append(Text{tries.paragraph()}, text...)
	}
	return text
}

// tries are the attempts of a visit that failed and were repeated.
type tries struct {
	begun  time.Time // of the attempt under way
	errors []tryError
	delays []string
}

// tryError is an error that came in attempts one after the other.
type tryError struct {
	name  string
	after time.Duration
	times int
}

func (t *tries) add(d *engine.RetryDetail, at time.Time) {
	after := time.Duration(0)
	if !t.begun.IsZero() {
		after = at.Sub(t.begun)
	}
	t.delays = append(t.delays, wording.Duration(d.Delay))
	if n := len(t.errors); n > 0 && t.errors[n-1].name == d.Failure.Name && t.errors[n-1].after == after {
		t.errors[n-1].times++
		return
	}
	t.errors = append(t.errors, tryError{d.Failure.Name, after, 1})
}

// mostDelays bounds the delays that are named.
const mostDelays = 6

// paragraph writes "attempts 1, 2  Card.Timeout after 2s, twice; waited 2s, 4s".
func (t *tries) paragraph() Paragraph {
	p := say(ToneCaution, SignRetry)
	switch n := len(t.delays); n {
	case 1:
		p.Label = "attempt 1"
	case 2:
		p.Label = "attempts 1, 2"
	default:
		p.Label = "attempts 1-" + strconv.Itoa(n)
	}
	for i := range t.errors {
		e := &t.errors[i]
		if i > 0 {
			p.Spans = append(p.Spans, words("; "))
		}
		p.Spans = append(p.Spans, errorName(e.name))
		if e.after > 0 {
			p.Spans = append(p.Spans, words(" after "+wording.Duration(e.after)))
		}
		switch {
		case e.times == 2:
			p.Spans = append(p.Spans, words(", twice"))
		case e.times > 2:
			p.Spans = append(p.Spans, words(", "+strconv.Itoa(e.times)+" times"))
		}
	}
	delays := t.delays
	more := ""
	if len(delays) > mostDelays {
		delays, more = delays[:mostDelays], " and "+strconv.Itoa(len(t.delays)-mostDelays)+" more"
	}
	p.Spans = append(p.Spans, words("; waited "+strings.Join(delays, ", ")+more))
	return p
}

// Inside describes the branches of a Parallel state, or of the iterations of a Map, as of event i of the log: first of
// their numbers, then of most of them, those that failed first, then those under way, then the newest. table holds them
// from one call to the next.
func Inside(s *debug.Session, table *runlog.Iterations, i, most int) Text {
	e := s.Log().At(i)
	if e.Visit == nil || e.Visit.State.Type != asl.Map && e.Visit.State.Type != asl.Parallel {
		return nil
	}
	rows := table.Of(s.Log(), e.Visit, i)
	if len(rows) == 0 {
		return nil
	}
	var order [4][]int // of the rows: failed, under way, over, not begun
	for k := range rows {
		switch rows[k].State {
		case runlog.Failed:
			order[0] = append(order[0], k)
		case runlog.Running:
			order[1] = append(order[1], k)
		case runlog.Succeeded, runlog.Aborted:
			order[2] = append(order[2], k)
		case runlog.NotStarted:
			order[3] = append(order[3], k)
		}
	}
	p := say(TonePlain, NoSign)
	p.Label = "branches"
	if e.Visit.State.Type == asl.Map {
		p.Label = "iterations"
	}
	for k, sign := range [...]Sign{SignError, SignNext, SignSuccess, SignOpen} {
		if len(order[k]) > 0 {
			p.Spans = append(p.Spans, mark(sign), words(wording.Grouped(len(order[k]))+" "))
		}
	}
	p.Spans = append(p.Spans, words("of "+wording.Grouped(len(rows))))
	if q := e.Visit.State.MaxConcurrency; q != nil && q.Literal != nil && value.Compact(q.Literal) != "0" {
		p.Spans = append(p.Spans, words(", at most "+value.Compact(q.Literal)+" at a time"))
	}
	text := Text{p}
	for k := range order {
		for n := range order[k] {
			at := order[k][n]
			if k == 2 && len(order[k]) > most {
				at = order[k][len(order[k])-1-n] // the newest
			}
			if len(text) > most {
				return text
			}
			text = append(text, insideRow(s, &rows[at], s.Log().At(i).At()))
		}
	}
	return text
}

// insideRow describes one branch or iteration.
func insideRow(s *debug.Session, row *runlog.Iteration, now time.Time) Paragraph {
	p := say(ToneQuiet, SignOpen)
	p.Level, p.Label = 1, strconv.Itoa(row.Index)
	if row.State == runlog.NotStarted {
		p.Spans = append(p.Spans, words("not begun"))
		return p
	}
	switch row.State {
	case runlog.Failed:
		p.Tone, p.Sign = ToneBad, SignError
	case runlog.Succeeded:
		p.Tone, p.Sign = TonePlain, SignSuccess
	case runlog.Running:
		p.Tone, p.Sign = TonePlain, SignNext
	case runlog.Aborted, runlog.NotStarted:
	}
	if row.Visit != nil {
		p.Spans = append(p.Spans, Span{Kind: KindState, Text: row.Visit.State.Name, Event: int64(row.Telling) + 1},
			words("  "))
	}
	p.Spans = append(p.Spans, words(wording.Duration(row.Took(now))))
	if row.Retries > 0 {
		p.Spans = append(p.Spans, words("  "), mark(SignRetry), number(int64(row.Retries)))
	}
	if row.Failure != nil {
		p.Spans = append(p.Spans, words("  "), errorName(row.Failure.Name))
	}
	if row.State == runlog.Running {
		for _, t := range s.Timers() {
			if t.Visit != nil && t.Visit == row.Visit && s.AtEnd() {
				p.Spans = append(p.Spans, words("  due in "+wording.Duration(t.At.Sub(s.Now()))))
				break
			}
		}
	}
	return p
}

// Around describes the breakpoints in the state of event i of the log, of the watches, most of each, and of the next
// timer where the session is at that event: a paragraph each, none where there is nothing to say. before is the event
// against which the watches are compared, -1 for none.
func Around(s *debug.Session, i, before, most int) Text {
	var text Text
	visit := s.Log().At(i).Visit
	for _, b := range s.Breakpoints().All() {
		if visit != nil && len(text) < most && (b.Place() == visit.State || b.Place() == nil && b.Pattern != "" &&
			breakpoint.MatchesState(b.Pattern, visit.State)) {
			text = append(text, pointRow(b))
		}
	}
	for k, w := range s.Watches().All() {
		if k == most {
			break
		}
		text = append(text, watchRow(s, w, i, before))
	}
	if timers := s.Timers(); s.AtEnd() && i == s.Log().Len()-1 && len(timers) > 0 {
		t := Timers(s, timers[:1])[0]
		p := say(ToneCaution, SignWaits, words(t.Due+"  "+t.Name))
		p.Label = "next"
		if t.Reason != "" {
			p.Spans = append(p.Spans, words("  "+t.Reason))
		}
		text = append(text, p)
	}
	return text
}

// pointRow describes a breakpoint.
func pointRow(b *breakpoint.Breakpoint) Paragraph {
	p := say(TonePlain, SignBreakpoint, words(Breakpoint(b)))
	p.Label = "breakpoint " + strconv.Itoa(b.ID)
	switch {
	case !b.Enabled:
		p.Tone = ToneQuiet
		p.Spans = append(p.Spans, words("  off"))
	case b.Fault != nil:
		p.Spans = append(p.Spans, words("  "), causeSpan(b.Fault.Error()))
	case b.Hits > 0:
		p.Spans = append(p.Spans, words("  hit "+strconv.Itoa(b.Hits)))
	default:
		p.Spans = append(p.Spans, words("  not hit"))
	}
	return p
}

// watchRow describes a watch: its value at event i, and its value at event before where it was another.
func watchRow(s *debug.Session, w *breakpoint.Watch, i, before int) Paragraph {
	now, err := s.Watches().At(w, i)
	p := say(TonePlain, NoSign)
	p.Label = w.Text
	switch {
	case err != nil:
		p.Tone, p.Spans = ToneQuiet, append(p.Spans, causeSpan(err.Error()))
	case now == nil:
		p.Tone, p.Spans = ToneQuiet, append(p.Spans, words("nothing"))
	default:
		p.Spans = append(p.Spans, val(now))
	}
	if before < 0 || before >= i {
		return p
	}
	was, _ := s.Watches().At(w, before) // an error: it was not there
	switch {
	case was == nil && now != nil:
		p.Sign, p.Spans = SignAdded, append(p.Spans, words("  was missing"))
	case was != nil && now == nil:
		p.Sign, p.Spans = SignRemoved, append(p.Spans, words("  was "), val(was))
	case was != nil && !value.Equal(was, now):
		p.Sign, p.Spans = SignChanged, append(p.Spans, words("  was "), val(was))
	}
	return p
}

// Decision says which rule of a Choice state in JSONPath held at event i of the log; ok is false where the event is
// none of its rules.
func Decision(s *debug.Session, i int) (p Paragraph, ok bool) {
	event := s.Log().At(i)
	if event.Stage != engine.StageChoices || event.Visit == nil || event.Visit.State.Type != asl.Choice ||
		event.Visit.State.QueryLanguage == asl.JSONata || event.Failure() != nil {
		return p, false
	}
	results, not := s.Explainer().Choice(i)
	if not != nil {
		return p, false
	}
	for k := range results {
		if r := &results[k]; r.Reached && r.Err == nil && r.Holds {
			return say(ToneGood, NoSign, words("Rule "), number(int64(k+1)), words(" holds "), mark(SignLeads),
				words(" "), state(r.Rule.Next)), true
		}
	}
	if event.Visit.State.Default == "" {
		return p, false
	}
	return say(ToneCaution, NoSign, words("No rule holds: Default "), mark(SignLeads), words(" "),
		state(event.Visit.State.Default)), true
}
