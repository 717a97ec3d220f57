package view

import (
	"strconv"
	"time"

	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/waiter"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// Polls is the run of a waiter in a waiter's words: its acceptors, and a row for each poll. nil is none.
type Polls struct {
	of      *waiter.Waiter
	maxWait time.Duration
	// Compiled is set while the states that the waiter was made into are shown in place of it.
	Compiled bool

	log  *runlog.Log
	upTo int // events that were read
	read *waiter.Polls
	list []*waiter.Poll
	ends []int // the event that completes each of list
}

// PollsOf returns the run of the waiter that a definition was made of; nil where it was made of none.
func PollsOf(definition *asl.StateMachine) *Polls {
	w, maxWait := waiter.Of(definition)
	if w == nil {
		return nil
	}
	return &Polls{of: w, maxWait: maxWait}
}

// Shown reports whether the polls are shown.
func (m *Polls) Shown() bool { return m != nil && !m.Compiled }

// Operation is the name of the state that polls.
func (m *Polls) Operation() string { return m.of.OperationName() }

// Polls returns the polls up to event i of the log of a session, counted from 0; the last may be under way.
func (m *Polls) Polls(s *debug.Session, i int) []*waiter.Poll {
	log := s.Log()
	if log != m.log || i+1 < m.upTo {
		m.log, m.upTo, m.read, m.list, m.ends = log, 0, m.of.Polls(m.maxWait), nil, nil
	}
	for ; m.upTo <= i && m.upTo < log.Len(); m.upTo++ {
		if poll := m.read.Add(log.At(m.upTo)); poll != nil {
			m.list, m.ends = append(m.list, poll), append(m.ends, m.upTo)
		}
	}
	if open := m.read.Open(); open != nil {
		return append(m.list[:len(m.list):len(m.list)], open)
	}
	return m.list
}

// Beside returns the event at which the poll by rows after the one of event i is complete, or before it; ok is false
// where there is none.
func (m *Polls) Beside(s *debug.Session, i, by int) (event int, ok bool) {
	here := len(m.Polls(s, i)) - 1
	all := m.Polls(s, s.Log().Len()-1)
	switch to := max(here+by, 0); {
	case to < len(m.ends):
		return m.ends[to], to != here
	case to < len(all) && to != here:
		return s.Log().Len() - 1, true
	}
	return 0, false
}

// DrawAcceptors paints the operation, the acceptors in their order, with the one that decided the last poll, and the
// delay.
func (m *Polls) DrawAcceptors(f widget.Frame, s *debug.Session, i int) {
	g := f.Glyphs()
	inner := f.Titled(canvas.Frame{Title: "1 Acceptors", Note: wording.Count(len(m.of.Acceptors), "acceptor")})
	polls := m.Polls(s, i)
	var last *waiter.Poll
	if len(polls) > 0 {
		last = polls[len(polls)-1]
	}
	y := 0
	put := func(style canvas.Style, sign, text string) {
		inner.Text(1, y, style, sign)
		inner.Fit(3, y, inner.W()-4, style, text)
		y++
	}
	put(canvas.Task, "", m.Operation())
	put(canvas.Border, " "+g.Box.Vertical, "")
	for k, a := range m.of.Acceptors {
		style, sign := canvas.Plain, g.Pending
		switch {
		case last != nil && last.Response != nil && last.Acceptor == k:
			style, sign = styleOf(a.State), g.Visited
		case last != nil && k < len(last.Tried):
			sign = g.Failed
		}
		put(style, sign, about(k, a))
	}
	put(canvas.Dim, g.Pending, "else an error is a failure, a result is polled again")
	put(canvas.Border, " "+g.Box.Vertical, "")
	put(canvas.Plain, g.Waiting, m.delay())
	put(canvas.Dim, "", "for at most "+wording.Duration(m.maxWait))
}

// delay describes the delays between the polls.
func (m *Polls) delay() string {
	return "delay, from " + strconv.FormatInt(m.of.MinDelay, 10) + "s to " + strconv.FormatInt(m.of.MaxDelay, 10) +
		"s, then " + m.Operation()
}

// Width returns the cells that the acceptors need.
func (m *Polls) Width() int {
	width := canvas.Width(m.delay())
	for k, a := range m.of.Acceptors {
		width = max(width, canvas.Width(about(k, a)))
	}
	return width + 5
}

// about names an acceptor with its number, its state and its matcher.
func about(k int, a *waiter.Acceptor) string {
	return strconv.Itoa(k) + " " + a.State.String() + "  " + a.Matcher.String()
}

func styleOf(s waiter.State) canvas.Style {
	switch s {
	case waiter.Success:
		return canvas.Good
	case waiter.Failure:
		return canvas.Bad
	case waiter.Retry:
	}
	return canvas.Warn
}

// The columns of a row: where they begin, and their cells. A bar is long, and has the range of its delay behind it,
// where at least roomy cells are left to both.
const (
	numberX    = 2
	atX        = 6
	answerX    = 15
	sleepCells = 8
	shortBar   = 8
	longBar    = 12
	roomy      = 46
	leastPolls = 3
)

// columns are where the last columns of a row begin.
type columns struct{ decided, then int }

// columnsFor returns the columns for polls in w cells: an answer has as many cells as it needs, or as there are.
func columnsFor(polls []*waiter.Poll, w int) columns {
	answer, by := 6, 10
	for _, p := range polls {
		answer, by = max(answer, canvas.Width(p.Answer())), max(by, canvas.Width(p.DecidedBy()))
	}
	decided := answerX + min(answer, max(w-answerX-by-18, 8)) + 2
	return columns{decided, decided + by + 2}
}

// DrawRow paints the operation and the acceptors into one row.
func (m *Polls) DrawRow(f widget.Frame, s *debug.Session, i int) {
	polls := m.Polls(s, i)
	x := f.Text(2, 0, canvas.Task, m.Operation())
	for k, a := range m.of.Acceptors {
		style := canvas.Dim
		text := strconv.Itoa(k) + " " + a.State.String()
		if n := len(polls); n > 0 && polls[n-1].Response != nil && polls[n-1].Acceptor == k {
			style, text = styleOf(a.State), f.Glyphs().Visited+" "+text
		}
		x = f.Fit(x+2, 0, max(f.W()-x-3, 0), style, text)
	}
	f.Fit(x+2, 0, max(f.W()-x-3, 0), canvas.Dim, m.delay())
}

// Draw paints the polls up to event i: the end in a sentence, a row for each poll, and below them the verdicts of the
// acceptors on the last one.
func (m *Polls) Draw(f widget.Frame, s *debug.Session, i int) {
	polls := m.Polls(s, i)
	y := 0
	if text := m.of.Ending(polls, m.maxWait); text != "" && len(polls) > 0 {
		sign, style := f.Glyphs().Visited, styleOf(polls[len(polls)-1].State)
		if style != canvas.Good {
			sign, style = f.Glyphs().Failed, canvas.Bad
		}
		f.Fit(1, y, f.W()-2, style, sign+" "+text)
		y++
	}
	c := columnsFor(polls, f.W())
	c.draw(f.Row(y), canvas.Dim, "#", "at", "answer", "decided by", "then")
	y++
	verdicts := m.verdicts(f.Glyphs(), polls)
	rows := max(f.H()-y-len(verdicts)-1, leastPolls)
	from := max(len(polls)-rows, 0)
	if from > 0 {
		f.Fit(numberX, y, f.W()-3, canvas.Dim, wording.Count(from, "earlier poll")+" above")
		y++
		from++
	}
	for k := from; k < len(polls); k++ {
		m.drawPoll(f.Row(y), c, s, polls[k], k == len(polls)-1)
		y++
	}
	for _, line := range verdicts {
		f.Text(4, y, line.style, line.sign)
		f.Fit(6, y, f.W()-7, canvas.Plain, line.text)
		y++
	}
}

func (c columns) draw(row canvas.Area, style canvas.Style, number, at, answer, by, then string) {
	row.Text(numberX, 0, style, number)
	row.Fit(atX, 0, answerX-atX-1, style, at)
	row.Fit(answerX, 0, c.decided-answerX-1, style, answer)
	row.Fit(c.decided, 0, c.then-c.decided-1, style, by)
	row.Fit(c.then, 0, row.W()-1-c.then, style, then)
}

// drawPoll paints the row of a poll, with its delay as a bar.
func (m *Polls) drawPoll(row canvas.Area, c columns, s *debug.Session, p *waiter.Poll, last bool) {
	g := row.Glyphs()
	style := canvas.Plain
	if last {
		row.Text(1, 0, canvas.HintKey, g.Unfolded)
		style = canvas.Strong
	}
	at := explain.SinceStart(s.Options().Start, s.Options().Start.Add(p.At))
	c.draw(row, style, strconv.Itoa(p.Attempt), at, p.Answer(), p.DecidedBy(), "")
	x := c.then
	switch d := p.Delay; {
	case p.TimedOut:
		row.Fit(x, 0, row.W()-1-x, canvas.Bad, g.Failed+" the time is over")
	case d != nil:
		m.drawDelay(row, x, d)
	case p.Response == nil:
		row.Fit(x, 0, row.W()-1-x, canvas.Warn, g.Waiting+" under way")
	case p.State == waiter.Success:
		row.Text(x, 0, canvas.Good, g.Visited)
	case p.State == waiter.Failure:
		row.Text(x, 0, canvas.Bad, g.Failed)
	default:
		row.Text(x, 0, canvas.Warn, g.Retried)
	}
}

// drawDelay paints a delay: its length, a bar of it within the longest, its range where there is room, and the time
// that is left after it.
func (m *Polls) drawDelay(row canvas.Area, x int, d *waiter.Delay) {
	g, bars, edge := row.Glyphs(), row.Glyphs().Bars(), row.W()-1
	row.Fit(x, 0, sleepCells-1, canvas.Warn, g.Retried+" "+wording.Duration(d.Sleep))
	left, cells := wording.Duration(d.Remaining-d.Sleep)+" left", shortBar
	if edge-x >= roomy {
		cells = longBar
	}
	filled := min(max(int(d.Sleep*time.Duration(cells)/m.longest()), 1), cells)
	for k := range cells {
		sign, style := bars.Future, canvas.Dim
		if k < filled {
			sign, style = bars.Delay, canvas.Warn
		}
		row.Text(x+sleepCells+k, 0, style, sign)
	}
	x += sleepCells + cells + 1
	if x+len(left) > edge {
		left = wording.Duration(d.Remaining - d.Sleep)
	}
	if cells == longBar {
		text := "of " + strconv.FormatInt(d.Low, 10) + "s to " + strconv.FormatInt(d.High, 10) + "s"
		if d.Last {
			text = "all that is left"
		}
		row.Fit(x, 0, edge-x-len(left)-1, canvas.Dim, text)
	}
	if x+len(left) <= edge {
		row.Right(edge, 0, canvas.Dim, left)
	}
}

// longest is the longest delay, for which a bar is full.
func (m *Polls) longest() time.Duration { return time.Duration(max(m.of.MaxDelay, 1)) * time.Second }

// verdict is a line about an acceptor.
type verdict struct {
	sign, text string
	style      canvas.Style
}

// verdicts are the lines about the acceptors that were tried on the last poll.
func (m *Polls) verdicts(g *canvas.Glyphs, polls []*waiter.Poll) (lines []verdict) {
	if len(polls) == 0 || polls[len(polls)-1].Response == nil {
		return nil
	}
	last := polls[len(polls)-1]
	for k, v := range last.Tried {
		a := m.of.Acceptors[k]
		text := about(k, a) + ": " + v.Reason
		line := verdict{g.Failed, text, canvas.Dim}
		if v.Matched {
			line.sign, line.style = g.Visited, styleOf(a.State)
		}
		lines = append(lines, line)
	}
	if rest := len(m.of.Acceptors) - len(last.Tried); rest > 0 {
		lines = append(lines, verdict{g.Pending, wording.Count(rest, "acceptor") + " not asked", canvas.Dim})
	}
	return lines
}

// PlainLines returns the polls up to event i, or the last two of them, as lines for --plain.
func (m *Polls) PlainLines(s *debug.Session, i int, brief bool) (lines []string) {
	polls := m.Polls(s, i)
	if text := m.of.Ending(polls, m.maxWait); text != "" {
		lines = append(lines, text)
	}
	if brief {
		polls = polls[max(len(polls)-2, 0):]
	}
	for _, p := range polls {
		if p == m.read.Open() && p.Response == nil {
			at := explain.SinceStart(s.Options().Start, s.Options().Start.Add(p.At))
			lines = append(lines, "poll "+strconv.Itoa(p.Attempt)+" at "+at+": under way")
			continue
		}
		lines = append(lines, p.String())
	}
	return lines
}

// Word returns the word for a key in the bottom line: a step of a waiter is a poll, and its results are answers.
func (m *Polls) Word(word string) string {
	if !m.Shown() {
		return word
	}
	switch word {
	case "stage":
		return "next poll"
	case "back a stage":
		return "back a poll"
	case "change a result", "change result":
		return "change an answer"
	}
	return word
}
