// This part of the package is the table of a Map state's iterations, or of a Parallel state's branches.

package events

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/runlog"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// Table is the table of the iterations or branches of one visit, as of the event on the screen.
type Table struct {
	screen Screen
	log    runlog.Iterations
	// visit is the visit of the Map or Parallel state, nil where the run has been in none.
	visit     *engine.Visit
	selection place // by which visit was found
	begun     begun
	// shownEvents is the number of events that the table shows while it selects events itself, 0 where another one is
	// selected.
	shownEvents int

	rows    []runlog.Iteration
	list    []int32 // the numbers of the rows that the filter shows, in their order
	version version // of list
	tally   tally
	filter  console.Filter
	order   order

	cursor   int // the number of the selected iteration
	own      bool
	onScreen widget.List[int32] // list, on the screen
	edges    [orderCount]int
}

// place is the event and the state that are selected.
type place struct {
	event int
	state *asl.State
}

// version is all that the list of rows depends on.
type version struct {
	visit    *engine.Visit
	position int
	now      int64
	filter   string
	order    order
}

// tally counts the rows by their states.
type tally [len(statusNames)]int

// NewIterations returns a table on a screen.
func NewIterations(s Screen) *Table { return &Table{screen: s, selection: place{event: -2}} }

// Reset forgets the log, which has become another fork's.
func (t *Table) Reset() {
	t.log, t.visit, t.rows, t.list = runlog.Iterations{}, nil, nil, nil
	t.version, t.selection = version{}, place{event: -2}
	t.begun, t.shownEvents = begun{}, 0
}

// Selected is called when another event has been selected.
func (t *Table) Selected() {
	if !t.own {
		t.selection, t.shownEvents = place{event: -2}, 0
	}
}

// position is the number of events that the table shows: those up to the event on the screen, as in the graph. An event
// that was selected in the table leaves it as it is.
func (t *Table) position() int {
	switch {
	case t.shownEvents > 0:
		return t.shownEvents
	case t.screen.Newest() || t.screen.Running():
		return t.screen.Session().Position()
	}
	return t.screen.Selection().Index + 1
}

// read brings the table up to date with the run and the selection.
func (t *Table) read() {
	t.find()
	t.rows = t.rows[:0]
	position, at := t.position(), t.now()
	if t.visit == nil || position == 0 {
		t.list = t.list[:0]
		return
	}
	t.rows = t.log.Of(t.screen.Log(), t.visit, position-1)
	now := version{t.visit, position, at.UnixNano(), t.filter.Source, t.order}
	if t.version == now {
		return
	}
	t.version, t.list, t.tally = now, t.list[:0], tally{}
	for i := range t.rows {
		t.tally[t.rows[i].State]++
		if passes(&t.filter, &t.rows[i], at) {
			t.list = append(t.list, int32(i))
		}
	}
	sorted(t.list, t.rows, t.order, at)
	if t.at() < 0 && len(t.list) > 0 {
		t.cursor = int(t.list[0])
	}
}

// find finds the visit that is shown: the visit of the Map or Parallel state that is selected or around the selection,
// else the newest one.
func (t *Table) find() {
	selection := t.screen.Selection()
	now := place{selection.Index, t.screen.State()}
	if t.selection == now {
		return
	}
	t.selection = now
	before := t.visit
	t.visit = t.visitOf(selection.Visit, containerOf(now.state))
	if index, ok := within(selection.Visit, t.visit); ok {
		t.cursor = index
	} else if t.visit != before {
		t.cursor = 0
	}
}

// isContainer reports whether a state has branches or iterations.
func isContainer(s *asl.State) bool { return s.Type == asl.Map || s.Type == asl.Parallel }

// containerOf returns the state itself where it has branches or iterations, else the innermost state around it that
// has; or nil.
func containerOf(s *asl.State) *asl.State {
	for ; s != nil; s = s.Scope.Container {
		if isContainer(s) {
			return s
		}
	}
	return nil
}

// within returns the number of the branch or iteration of a container's visit in which a visit is.
func within(v, container *engine.Visit) (index int, ok bool) {
	for ; v != nil && container != nil; v = v.Parent {
		if v.Parent == container {
			return v.Index, true
		}
	}
	return 0, false
}

// selected returns the number of the branch or iteration of the selected event.
func (t *Table) selected() (index int, ok bool) {
	selection := t.screen.Selection()
	if index, ok = within(selection.Visit, t.visit); ok || selection.Visit == nil || selection.Visit != t.visit {
		return index, ok
	}
	index = slices.IndexFunc(t.rows, func(r runlog.Iteration) bool { // its end is an event of the Map or Parallel state
		return r.State != runlog.NotStarted && r.Last == selection.Index
	})
	return index, index >= 0
}

// visitOf returns the visit of a container: the selected one or one around it, else the newest. Without a container it
// is the newest outermost visit of any.
func (t *Table) visitOf(selected *engine.Visit, container *asl.State) *engine.Visit {
	if container != nil {
		for v := selected; v != nil; v = v.Parent {
			if v.State == container {
				return v
			}
		}
	}
	t.begun.read(t.screen.Log())
	return t.begun.newest(t.screen.Log(), container, t.position())
}

// at returns the place of the cursor in the list, -1 where the filter hides it.
func (t *Table) at() int { return slices.Index(t.list, int32(t.cursor)) }

// row returns the row under the cursor, nil where there is none.
func (t *Table) row() *runlog.Iteration {
	if t.cursor < 0 || t.cursor >= len(t.rows) {
		return nil
	}
	return &t.rows[t.cursor]
}

// Move selects another row, by rows further, and looks at its iteration.
func (t *Table) Move(rows int) {
	t.read()
	if len(t.list) == 0 || rows == 0 {
		return
	}
	t.land(int(t.list[max(0, min(max(t.at(), 0)+rows, len(t.list)-1))]))
}

// land selects an iteration and its most informative event.
func (t *Table) land(index int) {
	t.cursor = index
	if r := t.row(); r != nil && r.State != runlog.NotStarted {
		t.own, t.shownEvents = true, t.position()
		t.screen.Inspect(r.Telling)
		t.own = false
		t.selection = place{t.screen.Selection().Index, t.screen.State()}
	}
}

// sortAt sorts by the column at x.
func (t *Table) sortAt(x int) {
	for column := orderCount; column > 0; column-- {
		if edge := t.edges[column-1]; edge > 0 && x+1 >= edge {
			t.order = column - 1
			return
		}
	}
}

// Page returns the number of rows that were on the screen.
func (t *Table) Page() int { return t.onScreen.Height() }

// Sort sorts by the next column.
func (t *Table) Sort() {
	t.order = (t.order + 1) % orderCount
	if name := orderNames[t.order]; name != "" {
		t.screen.Say(canvas.Plain, "Sorted by "+name+".")
	} else {
		t.screen.Say(canvas.Plain, "Sorted by number.")
	}
}

// SetFilter filters the rows.
func (t *Table) SetFilter(f console.Filter) { t.filter = f }

// Filter returns the filter of the rows.
func (t *Table) Filter() console.Filter { return t.filter }

// Enter looks at the selected iteration; false where it has not begun.
func (t *Table) Enter() bool {
	t.read()
	r := t.row()
	if r == nil || r.State == runlog.NotStarted {
		t.screen.Say(canvas.Warn, "This "+t.noun()+" has not begun.")
		return false
	}
	t.screen.Inspect(r.Telling)
	return true
}

// NextFailed selects the next row that failed, or the previous one where by is -1, going on at the other end.
func (t *Table) NextFailed(by int) {
	t.read()
	at, wrapped, ok := widget.FindFrom(t.at(), len(t.list), by, func(i int) bool { return failed(&t.rows[t.list[i]]) })
	switch {
	case !ok:
		t.screen.Say(canvas.Plain, "None of them failed.")
		return
	case wrapped:
		t.screen.Say(canvas.Plain, "Went on from the other end.")
	}
	t.land(int(t.list[at]))
}

// GoTo selects the iteration with a number.
func (t *Table) GoTo(text string) {
	t.shownEvents = t.screen.Session().Position() // it may be any of the run
	t.read()
	n, err := strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(text), ",", ""))
	switch {
	case err != nil:
		t.screen.Say(canvas.Bad, "An iteration is given by its number, counted from 0; found "+strconv.Quote(text)+".")
		return
	case n < 0 || n >= len(t.rows):
		t.screen.Say(canvas.Bad, t.name()+" has "+t.count(len(t.rows))+", counted from 0; there is no "+wording.Grouped(n)+".")
		return
	}
	t.cursor = n
	if t.version.filter != "" && t.at() < 0 {
		t.filter = console.Filter{}
	}
	t.land(n)
	t.say()
}

// Choose looks at the next iteration or branch that has begun, or at the previous one where by is -1.
func (t *Table) Choose(by int) {
	t.shownEvents = t.screen.Session().Position() // it may be any of the run
	t.read()
	at, inside := t.selected()
	if !inside {
		at = -1
		if by < 0 {
			at = len(t.rows)
		}
	}
	for at += by; at >= 0 && at < len(t.rows); at += by {
		if t.rows[at].State != runlog.NotStarted {
			t.land(at)
			t.say()
			return
		}
	}
	which := "last"
	if by < 0 {
		which = "first"
	}
	t.screen.Say(canvas.Plain, "This is the "+which+" "+t.noun()+" of "+t.name()+" that has begun.")
}

// say says which iteration is looked at, and how to step it.
func (t *Table) say() {
	r := t.row()
	text, style := t.name()+" ["+strconv.Itoa(r.Index)+"]: "+statusNames[r.State], canvas.Plain
	switch r.State {
	case runlog.NotStarted:
		style = canvas.Warn
	case runlog.Running:
		text += "; " + t.screen.Key(keys.StepThread) + " steps only this " + t.noun()
	case runlog.Succeeded, runlog.Failed, runlog.Aborted:
	}
	t.screen.Say(style, text)
}

// Any reports whether the run has iterations or branches anywhere: the tab stays where it is whichever event is on the
// screen.
func (t *Table) Any() bool {
	t.begun.read(t.screen.Log())
	return len(t.begun.inside) > 0 && t.begun.first < t.screen.Session().Position()
}

// Disabled is the reason why there is no iteration to look at, or "".
func (t *Table) Disabled() string {
	t.find()
	t.begun.read(t.screen.Log())
	if t.visit != nil && t.begun.inside[t.visit.Entered] {
		return ""
	}
	switch container := containerOf(t.screen.State()); {
	case container == nil && t.visit == nil:
		return "the run has been in no Map and no Parallel"
	case container != nil:
		return "no " + nounOf(container) + " of " + container.Name + " has begun"
	}
	return "no " + t.noun() + " of " + t.name() + " has begun"
}

func nounOf(s *asl.State) string {
	if s.Type == asl.Parallel {
		return "branch"
	}
	return "iteration"
}

func (t *Table) noun() string {
	if t.visit == nil {
		return "iteration"
	}
	return nounOf(t.visit.State)
}

// count writes a number of iterations or branches.
func (t *Table) count(n int) string {
	switch noun := t.noun(); {
	case n == 1:
		return "1 " + noun
	case noun == "branch":
		return wording.Grouped(n) + " branches"
	default:
		return wording.Grouped(n) + " " + noun + "s"
	}
}

func (t *Table) name() string {
	if t.visit == nil {
		return ""
	}
	return t.visit.State.Name
}

// now is the virtual time at the table's position.
func (t *Table) now() time.Time {
	session := t.screen.Session()
	if position := t.position(); position > 0 && position != session.Position() {
		return t.screen.Log().At(position - 1).At()
	}
	return session.Now()
}
