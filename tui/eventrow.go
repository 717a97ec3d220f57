package tui

import (
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/diff"
	"asldb/engine/explain"
	"asldb/engine/runlog/groups"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/theme"
)

// rowLook is what the rows of one frame have in common: the widths of the columns with the number and the
// time of an event.
type rowLook struct {
	start         time.Time
	digits, times int
	depth         int // of the first row
}

// timedRow is the width from which on rows say the time.
const timedRow = 60

// drawRow paints the row of event i: a group where it is the header of one.
func (l *eventList) drawRow(row canvas.Area, i int, look *rowLook, selected bool) {
	e, g, w := l.index.Log().At(i), row.Glyphs(), row.W()
	group, isGroup := l.index.Get(i)
	glyph, style := prose.EventGlyph(e, g), prose.EventStyle(e)
	if isGroup {
		glyph, style = outcomeGlyph(l.outcome(group), g)
	}
	if selected {
		row.Text(0, 0, theme.Current, g.Pointer)
	}
	x := 1 + look.digits
	row.Right(x, 0, theme.Dim, strconv.FormatInt(e.Seq, 10))
	if w >= timedRow {
		row.Fit(x+1, 0, look.times, theme.Dim, explain.SinceStart(look.start, e.At()))
		x += look.times + 1
	}
	if l.notYet(i) {
		glyph, style = g.Pending, theme.Dim
	}
	row.Text(x+1, 0, style, glyph)
	x += 3 + indent(l.index.Depth(i), w)
	if isGroup {
		l.drawGroup(row, x, i, look.start)
	} else {
		l.drawEvent(row, x, i, look.start, style)
	}
	if l.notYet(i) {
		row.Fill(0, theme.Dim, false)
	}
}

// indent is how far rows of a depth stand to the right; deep ones must leave room for what they say.
func indent(depth, w int) int {
	if w < timedRow {
		return min(depth, w/6)
	}
	return min(2*depth, w/4)
}

func (l *eventList) drawEvent(row canvas.Area, x, i int, start time.Time, style canvas.Style) {
	e, w := l.index.Log().At(i), row.W()
	name := explain.EventName(e)
	if index, ok := explain.ThreadIndex(e); ok && l.index.Parent(i) == groups.None {
		name += " [" + strconv.Itoa(index) + "]"
	}
	end := row.Fit(x+2, 0, w-x-3, style, name)
	at := max(end+1, x+20)
	if w-at <= 8 {
		at = end + 1
	}
	if hand := l.hand(i); hand != "" && w-at > 8 {
		at = row.Fit(at, 0, w-at-1, theme.Warn, hand) + 2
	}
	if text := l.logged(i, row.Glyphs()); text != "" && w-at > 7 {
		at = row.Fit(at, 0, w-at-1, theme.Text, text) + 2
	}
	if w-at > 7 {
		row.Fit(at, 0, w-at-1, theme.Dim, l.detail(i, start, row.Glyphs()))
	}
}

// drawGroup paints a visit, a branch or an iteration: what it is, and what has become of it.
func (l *eventList) drawGroup(row canvas.Area, x, i int, start time.Time) {
	g, w := row.Glyphs(), row.W()
	sign := g.Folded
	if l.index.Open(i) {
		sign = g.Unfolded
	}
	row.Text(x, 0, theme.Dim, sign)
	facts := l.facts(i, g)
	// The name may have the room that the facts leave, the facts at least half of the row.
	room := max(w-x-3-canvas.Width(facts)-1, (w-x-3)/2)
	end := row.Text(x+2, 0, theme.Strong, canvas.FitMiddle(l.groupName(i, g), room, g.Ellipsis))
	at := max(end+1, min(x+20, w-canvas.Width(facts)-1)) // where events say theirs, if there is room
	end = row.Fit(at, 0, w-at-1, theme.Plain, facts)
	if text := l.logged(i, g); text != "" && w-end > 10 {
		end = row.Fit(end+2, 0, w-end-3, theme.Text, text)
	}
	if w-end > 10 {
		row.Fit(end+2, 0, w-end-3, theme.Dim, l.detail(i, start, g))
	}
}

// groupName is the state of a visit, or the number of a branch or an iteration.
func (l *eventList) groupName(i int, g *canvas.Glyphs) string {
	e := l.index.Log().At(i)
	switch e.Type {
	case engine.BranchStarted, engine.IterationStarted:
		kind := "branch "
		if e.Type == engine.IterationStarted {
			kind = "iteration "
		}
		if index, ok := explain.ThreadIndex(e); ok {
			return kind + strconv.Itoa(index)
		}
		return kind
	}
	if e.Visit == nil {
		return explain.EventName(e)
	}
	if sign := prose.StateGlyph(e.Visit.State, g); sign != "" && !e.Visit.State.Terminal() {
		return e.Visit.State.Name + " " + sign
	}
	return e.Visit.State.Name
}

// outcome is how a group ended from where the run stands.
func (l *eventList) outcome(group *groups.Group) groups.Outcome {
	if group.End() >= l.happened || group.End() == groups.None && l.happened < l.index.Len() {
		return groups.Running // how it went on is known, and has not happened yet
	}
	return l.index.Outcome(group)
}

// facts are the attempts of a group's work, how long it took on the virtual clock, and what became of the branches
// and iterations that it began. Of a group that lies ahead it is all that is known; of one that has begun, what has
// happened so far, with the whole time where that is known.
func (l *eventList) facts(i int, g *canvas.Glyphs) string {
	group, _ := l.index.Get(i)
	from, end := l.index.Span(group, l.index.Log().Last().At())
	length := explain.Duration(max(end.Sub(from), 0))
	if passed := max(l.now.Sub(from), 0); !l.notYet(i) && l.outcome(group) == groups.Running {
		if length = explain.Duration(passed); group.End() != groups.None && end.Sub(from) > passed {
			length += " of " + explain.Duration(end.Sub(from))
		}
	}
	standing := l.standing(i)
	parts := []string{length}
	if n := standing.Attempts - 1; n > 0 {
		parts = append(parts, g.Retried+strconv.Itoa(n))
	}
	if standing.Counts.Begun > 0 {
		parts = append(parts, countsOf(standing.Counts))
	}
	return strings.Join(parts, "  ")
}

// standing is what a group has come to from where the run stands; of one that lies ahead, what is known of it.
func (l *eventList) standing(i int) groups.Standing {
	if l.notYet(i) {
		return l.index.Standing(i, l.index.Len())
	}
	return l.index.Standing(i, l.happened)
}

// countsOf says what has become of branches or iterations: "19,990 done, 8 running, 2 failed".
func countsOf(c groups.Counts) string {
	var parts []string
	for _, part := range []struct {
		n    int
		word string
	}{{c.Done, "done"}, {c.Live(), "running"}, {c.Failed, "failed"}, {c.Aborted, "stopped"}} {
		if part.n > 0 {
			parts = append(parts, explain.Grouped(part.n)+" "+part.word)
		}
	}
	return strings.Join(parts, ", ")
}

// outcomeGlyph is the sign of how a group ended.
func outcomeGlyph(o groups.Outcome, g *canvas.Glyphs) (string, canvas.Style) {
	switch o {
	case groups.Succeeded:
		return g.Visited, theme.Good
	case groups.Caught:
		return g.Caught, theme.Warn
	case groups.Failed:
		return g.Failed, theme.Bad
	case groups.Aborted:
		return g.Aborted, theme.Warn
	}
	return g.Active, theme.Current
}

// detail is what a row says at its end.
func (l *eventList) detail(i int, start time.Time, g *canvas.Glyphs) string {
	key := detailKey{event: i, newest: i}
	_, isGroup := l.index.Get(i)
	if isGroup {
		key.newest = l.standing(i).Newest
	}
	text, ok := l.details[key]
	if !ok {
		if len(l.details) >= keptDetails || l.details == nil {
			l.details = make(map[detailKey]string)
		}
		if isGroup {
			text = l.groupDetail(key.newest, g)
		} else {
			text = prose.Writer(g, prose.PreviewLength).Spans(explain.EventDetail(l.index.Log().At(i), start))
		}
		l.details[key] = text
	}
	return text
}

// groupDetail says what came of a group: what changed between the state's raw input and its output and where it
// led, the error that it ended with, or what it was given. newest is the newest event of the group's own.
func (l *eventList) groupDetail(newest int, g *canvas.Glyphs) string {
	e := l.index.Log().At(newest)
	switch e.Type {
	case engine.StateExited:
		text := prose.Changes(diff.Count(e.Before, e.After), g)
		if d, ok := e.Detail.(*engine.ExitDetail); ok && d.Next != "" {
			text += "  " + g.To + " " + d.Next
		}
		return text
	case engine.BranchSucceeded, engine.IterationSucceeded, engine.BranchStarted, engine.IterationStarted:
		return prose.Preview(e.After, g)
	case engine.TaskScheduled:
		return "the task runs"
	case engine.WaitStarted, engine.RetryScheduled:
		return explain.EventName(e)
	}
	if f := e.Failure(); f != nil {
		return prose.Writer(g, prose.PreviewLength).Spans(explain.FailureDetail(f))
	}
	if e.Visit != nil && e.Type == engine.StateEntered && e.Visit.State.Type != asl.Pass {
		return e.Visit.State.Type.String()
	}
	return ""
}
