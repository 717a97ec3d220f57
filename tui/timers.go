package tui

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/tui/part/theme"
)

// timerLine is one pending timer with how it came about.
type timerLine struct{ at, what, why string }

// maxTimers is how many timers are explained; the first is the one that matters.
const maxTimers = 8

// timerLines explains pending timers.
func timerLines(s *debug.Session, timers []engine.Timer) []timerLine {
	start := s.Options().Start
	var lines []timerLine
	for _, timer := range timers {
		line := timerLine{at: explain.SinceStart(start, timer.At), what: timer.Kind.String()}
		if timer.Visit != nil {
			line.what = explain.PlaceName(timer.Visit) + " " + timer.Kind.String()
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
			return explain.Backoff(def.Retry[d.Retrier], d)
		}
	case engine.TimerTask:
		return "the task's result is due"
	case engine.TimerMapRun:
		return "the Map Run ends, as it was answered"
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

// timerPane lists what fires next and when, how it came about, and what the run waits for besides.
type timerPane struct {
	pickList
	timers []engine.Timer
	total  int
}

func timersSection(p *timerPane) section {
	return section{
		title: "Timers", lines: func(*ui) int { return len(p.lines) },
		count: func(*ui) string { return countText(p.total) },
		worth: func(u *ui) int {
			if u.session.Stop().Reason == debug.StoppedForTime || u.paced {
				return 4
			}
			return 1
		},
		panel: p.panel(func(u *ui) { p.refresh(u) }),
	}
}

// countText is a count for a title, which says nothing of none.
func countText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (p *timerPane) refresh(u *ui) {
	s := u.session
	all := s.Timers()
	p.total, p.timers, p.lines = len(all), all[:min(len(all), maxTimers)], p.lines[:0]
	u.events.time.timers = p.timers // the time axis shows them, too
	for i, t := range timerLines(s, p.timers) {
		style := theme.Plain
		if i == 0 {
			style = theme.Warn
		}
		p.add(int64(i), style, 0, t.at, "in "+explain.Duration(p.timers[i].At.Sub(s.Now()))+"  "+t.what)
		if t.why != "" {
			p.add(noItem, theme.Dim, 3, "", t.why)
		}
	}
	if more := p.total - len(p.timers); more > 0 {
		p.add(noItem, theme.Dim, 0, "", explain.Grouped(more)+" more")
	}
	for _, r := range s.Requests() {
		p.add(noItem, theme.Warn, 0, u.glyphs.Waiting, explain.PlaceName(r.Visit)+"  waits for an answer")
	}
	p.add(noItem, theme.Plain, 0, "now ", clockTime(s.Now(), u.start))
	p.add(noItem, theme.Dim, 0, "from", explain.Instant(u.start))
	p.add(noItem, theme.Dim, 0, "seed", strconv.FormatInt(s.Options().Seed, 10))
	p.keep()
}

// selected is the timer under the cursor, or nil.
func (p *timerPane) selected() *engine.Timer {
	if p.picked == noItem || int(p.picked) >= len(p.timers) {
		return nil
	}
	return &p.timers[p.picked]
}
