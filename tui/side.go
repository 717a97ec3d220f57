package tui

import (
	"strconv"
	"strings"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/tui/canvas"
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

// sidePane shows what is waited for and where the run will stop. Its lines are made when the run stands
// still, not for each frame.
type sidePane struct {
	lines  []sideLine
	top    int
	height int
}

type sideLine struct {
	style canvas.Style
	left  string
	text  string
	head  bool
}

// refresh makes the lines anew.
func (p *sidePane) refresh(s *debug.Session, g *canvas.Glyphs) {
	p.lines = p.lines[:0]
	if timers := timerLines(s); len(timers) > 0 {
		p.head("Timers")
		for _, t := range timers {
			p.add(theme.Plain, t.at, t.what)
			if t.why != "" {
				p.add(theme.Dim, "", "  "+t.why)
			}
		}
	}
	if requests := s.Requests(); len(requests) > 0 {
		p.head("Tasks that wait for an answer")
		for _, r := range requests {
			p.add(theme.Warn, g.Waiting, placeName(r.Visit)+"  "+r.Resource)
		}
	}
	p.addThreads(s, g)
	p.addBreakpoints(s, g)
	p.head("Clock")
	p.add(theme.Plain, "now ", clockTime(s.Now(), s.Options().Start))
	p.add(theme.Dim, "from", instant(s.Options().Start))
	p.add(theme.Dim, "seed", strconv.FormatInt(s.Options().Seed, 10))
}

func (p *sidePane) addBreakpoints(s *debug.Session, g *canvas.Glyphs) {
	p.head("Breakpoints")
	for _, b := range s.Breakpoints() {
		p.add(breakpointLine(b, g))
	}
	if len(s.Breakpoints()) == 0 {
		p.add(theme.Dim, "", "none (b sets one)")
	}
}

// maxThreads is how many threads are listed.
const maxThreads = 12

func (p *sidePane) addThreads(s *debug.Session, g *canvas.Glyphs) {
	threads := s.Threads()
	if len(threads) < 2 {
		return
	}
	p.head(plural(len(threads), "thread", "threads"))
	for _, t := range threads[:min(len(threads), maxThreads)] {
		where, glyph := "not begun", g.Active
		if t.Visit != nil {
			where = placeName(t.Visit)
		}
		if t.Blocked != "" {
			where += "  waits: " + t.Blocked
			glyph = g.Waiting
		}
		p.add(theme.Plain, glyph+" "+strconv.Itoa(int(t.ID)), where)
	}
	if more := len(threads) - maxThreads; more > 0 {
		p.add(theme.Dim, "", plural(more, "more", "more"))
	}
}

func (p *sidePane) head(text string) {
	p.lines = append(p.lines, sideLine{style: theme.Title, text: text, head: true})
}

func (p *sidePane) add(style canvas.Style, left, text string) {
	p.lines = append(p.lines, sideLine{style: style, left: left, text: text})
}

func breakpointLine(b *debug.Breakpoint, g *canvas.Glyphs) (style canvas.Style, left, text string) {
	style, left, text = theme.Plain, g.Breakpoint, breakpointText(b)
	if b.Hits > 0 {
		text += "  hits " + strconv.Itoa(b.Hits)
	}
	if !b.Enabled {
		style, left, text = theme.Dim, g.BreakpointOff, text+"  off"
	}
	return style, left + " " + strconv.Itoa(b.ID), text
}

// breakpointText is the breakpoint's spec, in words where that alone would say too little.
func breakpointText(b *debug.Breakpoint) string {
	if b.OnError && b.Pattern == "" {
		return strings.Replace(b.String(), "error", "any error", 1)
	}
	return b.String()
}

func (p *sidePane) scroll(by int) { p.top = max(0, min(p.top+by, len(p.lines)-p.height)) }

func (p *sidePane) draw(area canvas.Area, focused bool) {
	inner := area.Frame(canvas.Frame{
		Title: "Timers and breakpoints", Border: borderStyle(focused), TitleStyle: theme.Title, Focused: focused,
	})
	p.height = max(inner.H(), 1)
	p.scroll(0)
	for y := 0; y < inner.H() && p.top+y < len(p.lines); y++ {
		line := &p.lines[p.top+y]
		if line.head {
			inner.Fit(0, y, inner.W(), line.style, line.text)
			continue
		}
		x := 1
		if line.left != "" {
			x = inner.Text(1, y, line.style, line.left) + 1
		}
		x = max(x, 5)
		// The end of a path, a stage or a time tells more than its middle.
		inner.Text(x, y, line.style, canvas.FitMiddle(line.text, inner.W()-x, inner.Glyphs().Ellipsis))
	}
	drawScroll(inner, p.top, len(p.lines))
}
