package screen

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/tui/part/theme"
)

// maxTimers is how many timers are explained; the first is the one that matters.
const maxTimers = 8

// timerPane lists the pending timers, how their times came about, and the requests that wait for an answer.
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
	for i, t := range explain.Timers(s, p.timers) {
		style := theme.Plain
		if i == 0 {
			style = theme.Warn
		}
		p.add(int64(i), style, 0, t.Due, "in "+explain.Duration(p.timers[i].At.Sub(s.Now()))+"  "+t.Name)
		if t.Reason != "" {
			p.add(noItem, theme.Dim, 3, "", t.Reason)
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
