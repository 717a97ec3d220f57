package states

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
	"asldb/tui/part/widget"
)

// runMarks are the marks of a run that are painted over the graph.
type runMarks struct {
	pane   *Pane
	marks  runlog.Marks
	upTo   int // the event of the log that the marks are as of
	inside map[*asl.State]runlog.Marks
	// waiting are the states whose every thread waits for time or for an answer.
	waiting map[*asl.State]bool
	// failing is the state that the error of the selected event ends: its end is the next event; nil where there is
	// none.
	failing *asl.State
}

// runMarks returns the marks as of the event on the screen.
func (p *Pane) runMarks() *runMarks {
	r := &runMarks{pane: p, upTo: p.screen.Session().Position() - 1, inside: map[*asl.State]runlog.Marks{}, waiting: map[*asl.State]bool{}}
	if s := p.screen.Selection(); s.Visit != nil && explain.Ends(p.screen.Session(), s.Index) {
		r.failing = s.Visit.State
	}
	if p.past != nil {
		r.marks, r.upTo = p.past, int(p.screen.Selection().Event.Seq)-1
		return r
	}
	r.marks = p.screen.Session().MarksAt(r.upTo)
	r.findWaiting()
	return r
}

// overlay returns the marks to paint over the graph.
func (r *runMarks) overlay() *graph.Overlay {
	return &graph.Overlay{
		Mark: r.mark, Head: r.head,
		Taken: func(from *asl.State, edge int) bool { return r.of(from).Taken(from, edge) > 0 },
	}
}

// time returns the virtual time of the event on the screen, the present one where the run is at it.
func (p *Pane) time() time.Time {
	event := p.screen.Selection().Event
	if p.screen.Newest() || event == nil {
		return p.screen.Session().Now()
	}
	return event.At()
}

func (r *runMarks) findWaiting() {
	for _, t := range r.pane.screen.Session().Threads() {
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

// of returns the marks that a state is painted with: inside a Map state the marks of the iteration shown.
func (r *runMarks) of(state *asl.State) runlog.Marks {
	for c := state.Scope.Container; c != nil; c = c.Scope.Container {
		if c.Type == asl.Map {
			return r.iteration(c)
		}
	}
	return r.marks
}

// iteration returns the marks of the iteration of a Map state that is shown, or the marks of all.
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
	p := r.pane
	if p.inside == nil {
		p.inside = make(map[*asl.State]*runlog.InsideMarks)
	}
	if p.inside[container] == nil {
		p.inside[container] = &runlog.InsideMarks{}
	}
	return p.inside[container].At(r.pane.screen.Log(), thread, r.upTo)
}

// index returns the branch or iteration of a container that is shown; ok is false where it is all of them.
func (r *runMarks) index(container *asl.State) (index int, ok bool) {
	for v := r.pane.screen.Selection().Visit; v != nil; v = v.Parent {
		if v.Parent != nil && v.Parent.State == container {
			return v.Index, true
		}
	}
	return 0, false
}

// visited reports whether the run was in a state.
func (r *runMarks) visited(state *asl.State) bool { return r.of(state).Of(state).Visits > 0 }

func (r *runMarks) mark(state *asl.State) graph.Mark {
	m := r.of(state).Of(state)
	if state == r.failing {
		m.Active, m.Failed = m.Active-1, true
	}
	mark := graph.Mark{
		Current: state == r.pane.current, Active: m.Active > 0, Waiting: r.waiting[state],
		Visited: m.Visits > 0, Failed: m.Failed, Caught: m.Catches > 0, Fresh: r.pane.screen.Log().Len() == 0,
	}
	mark.Badge = badgesOf(state, m, mark, r.pane.screen.Glyphs())
	if b := r.pane.screen.Session().Breakpoints().At(state); b != nil {
		mark.Breakpoint, mark.BreakpointOff = b.Enabled, !b.Enabled
	}
	return mark
}

// badgesOf writes the numbers of visits, retries, catches and failures of a state that are worth a note.
// One catch is none where the sign of the state says it.
func badgesOf(state *asl.State, mark runlog.Mark, shown graph.Mark, g *canvas.Glyphs) string {
	var parts []string
	if mark.Visits > 1 {
		parts = append(parts, "("+strconv.Itoa(mark.Visits)+")")
	}
	if mark.Retries > 0 {
		text := g.Retried + strconv.Itoa(mark.Retries)
		if mark.Visits == 1 && len(state.Retry) == 1 {
			text += "/" + strconv.FormatInt(state.Retry[0].MaxAttempts, 10)
		}
		parts = append(parts, text)
	}
	if sign, _ := shown.Status(g); mark.Catches > 1 || mark.Catches == 1 && sign != g.Caught {
		parts = append(parts, g.Caught+strconv.Itoa(mark.Catches))
	}
	if mark.Failures > mark.Retries+mark.Catches && !mark.Failed {
		parts = append(parts, g.Failed+strconv.Itoa(mark.Failures))
	}
	return strings.Join(parts, " ")
}

// head returns the text above a branch, its state and its time; above a Map state's processor it is the strip of its
// iterations.
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
		at = r.pane.time()
	}
	sign, _ := widget.Sign(in.State, r.pane.screen.Glyphs())
	return sign + " " + explain.SinceStart(r.pane.screen.Start(), at)
}
