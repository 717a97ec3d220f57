package tui

import (
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
)

// insideChoice is which branch or iteration of each container is looked into. Of a Map state the drawing shows one
// iteration: the one chosen, else the one of the selected event, else all of them taken together.
type insideChoice struct {
	chosen map[*asl.State]int
	marks  map[*asl.State]*runlog.InsideMarks
}

// choose looks into the next or the previous one of n. Before the first one the selected event decides again.
func (c *insideChoice) choose(container *asl.State, now, by, n int) (index int, chosen bool) {
	if c.chosen == nil {
		c.chosen = make(map[*asl.State]int)
	}
	if next := now + by; next >= 0 {
		index = min(next, n-1)
		c.chosen[container] = index
		return index, true
	}
	delete(c.chosen, container)
	return 0, false
}

// runMarks makes of a run what the graph paints.
type runMarks struct {
	u      *ui
	marks  runlog.Marks
	upTo   int // the event of the log that the marks are as of
	inside map[*asl.State]runlog.Marks
	// waiting are the states whose every thread waits for time or for an answer.
	waiting map[*asl.State]bool
}

// runMarks returns the marks as of the event that is looked at.
func (u *ui) runMarks() *runMarks {
	r := &runMarks{u: u, upTo: u.session.Position() - 1, inside: map[*asl.State]runlog.Marks{}, waiting: map[*asl.State]bool{}}
	if u.past != nil {
		r.marks, r.upTo = u.past, int(u.selection.Event.Seq)-1
		return r
	}
	r.marks = u.session.MarksAt(r.upTo)
	r.findWaiting()
	return r
}

// overlay returns what to paint over the graph.
func (u *ui) overlay() *graph.Overlay {
	r := u.runMarks()
	return &graph.Overlay{
		Mark: r.mark, Head: r.head,
		Taken: func(from *asl.State, edge int) bool { return r.of(from).Taken(from, edge) > 0 },
	}
}

func (r *runMarks) findWaiting() {
	for _, t := range r.u.session.Threads() {
		if t.Visit == nil {
			continue
		}
		waits := t.Blocked == engine.OnTime || t.Blocked == engine.OnAnswer
		if was, known := r.waiting[t.Visit.State]; known {
			waits = waits && was
		}
		r.waiting[t.Visit.State] = waits
	}
}

// of returns the marks that a state is painted with: inside a Map state those of the iteration looked into.
func (r *runMarks) of(state *asl.State) runlog.Marks {
	for c := state.Scope.Container; c != nil; c = c.Scope.Container {
		if c.Type == asl.Map {
			return r.iteration(c)
		}
	}
	return r.marks
}

// iteration returns the marks of the iteration of a Map state that is looked into, or those of all.
func (r *runMarks) iteration(container *asl.State) runlog.Marks {
	if marks, ok := r.inside[container]; ok {
		return marks
	}
	marks := r.of(container)
	if index, ok := r.index(container); ok {
		if list := marks.Inside(container); list.At(index).State != runlog.NotStarted {
			marks = r.threadMarks(container, list.At(index).Thread)
		} else if index < list.Len() {
			marks = nil // it has not begun: nothing is marked
		}
	}
	r.inside[container] = marks
	return marks
}

func (r *runMarks) threadMarks(container *asl.State, thread engine.ThreadID) runlog.Marks {
	c := &r.u.graph.inside
	if c.marks == nil {
		c.marks = make(map[*asl.State]*runlog.InsideMarks)
	}
	if c.marks[container] == nil {
		c.marks[container] = &runlog.InsideMarks{}
	}
	return c.marks[container].At(r.u.session.Log(), thread, r.upTo)
}

// index returns the branch or iteration of a container that is looked into; ok is false where it is all of them.
func (r *runMarks) index(container *asl.State) (index int, ok bool) {
	if index, ok = r.u.graph.inside.chosen[container]; ok {
		return index, true
	}
	for v := r.u.selection.Visit; v != nil; v = v.Parent {
		if v.Parent != nil && v.Parent.State == container {
			return v.Index, true
		}
	}
	return 0, false
}

func (r *runMarks) mark(state *asl.State) graph.Mark {
	m := r.of(state).Of(state)
	mark := graph.Mark{
		Current: state == r.u.graph.current, Active: m.Active > 0, Waiting: r.waiting[state],
		Visited: m.Visits > 0, Failed: m.Failed, Badge: badgesOf(state, m, r.u.glyphs),
	}
	if b := r.u.session.Breakpoints().At(state); b != nil {
		mark.Breakpoint, mark.BreakpointOff = b.Enabled, !b.Enabled
	}
	return mark
}

// badgesOf writes what happened in a state more than once or not as it should.
func badgesOf(state *asl.State, mark runlog.Mark, g *canvas.Glyphs) string {
	var parts []string
	if mark.Visits > 1 {
		parts = append(parts, "x"+strconv.Itoa(mark.Visits))
	}
	if mark.Retries > 0 {
		text := g.Retried + strconv.Itoa(mark.Retries)
		if mark.Visits == 1 && len(state.Retry) == 1 {
			text += "/" + strconv.FormatInt(state.Retry[0].MaxAttempts, 10)
		}
		parts = append(parts, text)
	}
	if mark.Catches > 0 {
		parts = append(parts, g.Caught+strconv.Itoa(mark.Catches))
	}
	if mark.Failures > mark.Retries+mark.Catches && !mark.Failed {
		parts = append(parts, g.Failed+strconv.Itoa(mark.Failures))
	}
	return strings.Join(parts, " ")
}

// insideGlyph is what became of a branch or an iteration.
func insideGlyph(state runlog.InsideState, g *canvas.Glyphs) string {
	switch state {
	case runlog.Running:
		return g.Active
	case runlog.Succeeded:
		return g.Visited
	case runlog.Failed:
		return g.Failed
	case runlog.Aborted:
		return g.Aborted
	}
	return g.Pending
}

// head is what became of a branch, and its time; over a Map state's processor it is the strip of its iterations.
func (r *runMarks) head(state *asl.State, i int) string {
	list := r.of(state).Inside(state)
	if state.Type == asl.Map {
		return r.strip(state, list)
	}
	in := list.At(i)
	if in.State == runlog.NotStarted {
		return ""
	}
	at := time.Unix(0, in.Time).UTC()
	if in.State == runlog.Running {
		at = r.u.shownTime()
	}
	return insideGlyph(in.State, r.u.glyphs) + " " + explain.SinceStart(r.u.start, at)
}

// stripCells is how many iterations a strip shows.
const stripCells = 16

func (r *runMarks) strip(state *asl.State, list *runlog.InsideList) string {
	n := list.Len()
	if n == 0 {
		return ""
	}
	index, shown := r.index(state)
	first := 0
	if n > stripCells {
		first = min(max(index-stripCells/2, 0), n-stripCells)
	}
	var b strings.Builder
	if shown && index < n {
		b.WriteString("#" + strconv.Itoa(index) + " ")
	}
	if first > 0 {
		b.WriteString(r.u.glyphs.Ellipsis)
	}
	for i := first; i < min(n, first+stripCells); i++ {
		glyph := insideGlyph(list.At(i).State, r.u.glyphs)
		if shown && i == index {
			glyph = "[" + glyph + "]"
		}
		b.WriteString(glyph)
	}
	if first+stripCells < n {
		b.WriteString(r.u.glyphs.Ellipsis)
	}
	return b.String() + " " + strconv.Itoa(list.Ended()) + "/" + strconv.Itoa(n)
}
