package tui

import (
	"strconv"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/tui/theme"
)

// timerLine is one pending timer with how it came about.
type timerLine struct{ at, what, why string }

// maxTimers is how many timers are explained; the first is the one that matters.
const maxTimers = 8

// timerLines explains the pending timers, the earliest first.
func timerLines(s *debug.Session) []timerLine {
	start := s.Options().Start
	timers := s.Timers()
	var lines []timerLine
	for _, timer := range timers[:min(len(timers), maxTimers)] {
		line := timerLine{at: sinceStart(start, timer.At), what: timer.Kind.String()}
		if timer.Visit != nil {
			line.what = placeName(timer.Visit) + " " + timer.Kind.String()
			line.why = timerReason(s, &timer)
		}
		lines = append(lines, line)
	}
	return lines
}

func timerReason(s *debug.Session, timer *engine.Timer) string {
	def := timer.Visit.State
	switch timer.Kind {
	case engine.TimerWait:
		for _, info := range engine.StagesOf(def) {
			if info.Stage == engine.StageWait {
				return info.Field + " " + info.Text
			}
		}
	case engine.TimerRetry:
		if d := lastRetry(s.Log(), timer.Visit); d != nil && d.Retrier < len(def.Retry) {
			return retryFormula(def.Retry[d.Retrier], d)
		}
	case engine.TimerTask:
		return "the task's result is due"
	case engine.TimerTaskTimeout:
		return quantityReason(def.TimeoutSeconds)
	case engine.TimerHeartbeatTimeout:
		return quantityReason(def.HeartbeatSeconds)
	}
	return ""
}

func quantityReason(q *asl.Quantity) string {
	switch {
	case q == nil:
		return "the default"
	case q.Path != nil:
		return q.Field + " " + q.Path.String()
	}
	return "if the task does not answer before"
}

// lastRetry returns the newest retry of a visit.
func lastRetry(log *debug.Log, visit *engine.Visit) *engine.RetryDetail {
	for i, n := log.Len()-1, 0; i >= int(visit.Entered)-1 && n < borrowed; i, n = i-1, n+1 {
		if e := log.At(i); e.Visit == visit && e.Type == engine.RetryScheduled {
			d, _ := e.Detail.(*engine.RetryDetail)
			return d
		}
	}
	return nil
}

func timersSection() section {
	return lineSection("Timers", addTimers, func(u *ui) string { return countText(len(u.session.Timers())) }, func(u *ui) int {
		if u.session.Stop().Reason == debug.StoppedForTime || u.paced {
			return 4
		}
		return 1
	})
}

// countText is a count for a title, which says nothing of none.
func countText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func addTimers(u *ui, p *lineList) {
	for _, t := range timerLines(u.session) {
		p.add(theme.Plain, t.at, t.what)
		if t.why != "" {
			p.add(theme.Dim, "", "  "+t.why)
		}
	}
	for _, r := range u.session.Requests() {
		p.add(theme.Warn, u.glyphs.Waiting, placeName(r.Visit)+"  waits for an answer")
	}
	p.add(theme.Plain, "now ", clockTime(u.session.Now(), u.start))
	p.add(theme.Dim, "from", instant(u.start))
	p.add(theme.Dim, "seed", strconv.FormatInt(u.session.Options().Seed, 10))
}
