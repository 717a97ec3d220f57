package explore

import (
	"hash/maphash"
	"slices"
	"sort"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/outcome"
	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/fixtures"
)

// extent says how much of a run is done.
type extent uint8

const (
	// wholeRun: all of it.
	wholeRun extent = iota
	// fromMark: the base has the events before the first change.
	fromMark
	// untilMet: also, nothing is done behind the place where the run has met its base again, nor before the state that
	// first reads what is changed in the input. Only the verdict and the way of the run are known then.
	untilMet
)

// mark is an entry into a state of the top of a base, where other runs can begin, and can meet it again. The numbers
// count what came before, with the entry.
type mark struct {
	snapshot         *engine.Snapshot // nil: no run begins here
	visit            *engine.Visit
	event            int // its index
	id               int // its HistoryID
	time             int64
	data             value.Value
	variables        *value.Object
	answered, object int64 // the newest requests
	asks             int
	totals
}

// totals are what the events up to a place add up to.
type totals struct {
	way                      way
	states, aborted, history int
	virtual                  time.Duration
}

// way is the signature of a way: the sum of its words, so that the end of another can be put behind it.
type way struct{ sum, scale uint64 }

const wayFactor = 0x9E3779B97F4A7C15

func (w *way) add(word uint64) {
	word ^= word >> 29
	word *= 0xBF58476D1CE4E5B9
	word ^= word >> 32
	w.sum, w.scale = w.sum*wayFactor+word+1, w.scale*wayFactor
}

func (w *way) text(s string) { w.add(maphash.String(seed, s)) }

// behind returns the way with the rest of another behind it: of whole, what is behind its beginning.
func (w way) behind(begin, whole way) way {
	// The scales are powers of an odd number, so that one divides the other.
	scale := whole.scale * inverse(begin.scale)
	return way{w.sum*scale + whole.sum - begin.sum*scale, w.scale * scale}
}

// inverse returns the number by which an odd one gives 1, by Newton's method.
func inverse(n uint64) uint64 {
	x := n
	for range 5 {
		x *= 2 - n*x
	}
	return x
}

// taskAsk is a task's request in a base, with the origin of its outcome.
type taskAsk struct {
	request *engine.TaskRequest
	from    origin
}

// trail is a base as other runs use it. It never changes.
type trail struct {
	marks                 []mark
	number                map[*asl.State][]int // the marks of a state, by the number of the visit
	firstAsk, lastAsk     map[*asl.State]int   // the events of a task's requests
	lastUse               map[*asl.State]int   // the last request of a task with a list of results that is this one's too
	firstEntry, lastEntry map[*asl.State]int
	readAt                map[string][]int // the marks of the states that read a member of the data
	whole, resets         []int            // for each mark the next one whose state reads all data, or drops them
	written               map[string]int   // the first mark whose state writes a member of the data
	kept                  int              // the number of marks before one whose state does not keep the data
	lastRead              int              // the last mark whose state reads data
	random, timed, retry  int              // the last mark or event with a random number, the time, or a retry
	takesInput            bool             // a state reads the execution's input in the context object
	asks                  []taskAsk
	spares                []int              // the asks that the file of the base did not answer; nil where it has none
	done                  []*asl.State       // the tasks that succeeded, in their order
	firstDone             map[*asl.State]int // the events with which they did first
	end                   totals
	largest               int  // the size of the largest data
	events, id            int  // the number of events, and the HistoryID of the last one
	steady                bool // each result that was made up is given for ever
	open                  bool // runs can meet it
}

// maxSnapshots bounds the marks of a base at which runs can begin.
const maxSnapshots = 512

// passes notes the entry into a state at the top of a base.
func (d *driver) passes(e *engine.Execution, s *setting) {
	event := d.enters()
	if event == nil {
		return
	}
	t := d.trail
	if len(t.marks) == maxSnapshots*t.every() {
		for i := range t.marks {
			if i%(2*t.every()) != 0 {
				t.marks[i].snapshot = nil
			}
		}
		t.step = 2 * t.every()
	}
	m := mark{
		visit: event.Visit, event: len(d.events) - 1, id: int(event.HistoryID), time: event.Time,
		data: event.After, variables: e.Variables(event.Thread),
		answered: d.answered, object: d.object, asks: len(s.asks),
	}
	if len(t.marks)%t.every() == 0 {
		m.snapshot = e.Snapshot()
	}
	t.marks = append(t.marks, m)
}

// trailing collects marks.
type trailing struct {
	marks []mark
	step  int
}

func (t *trailing) every() int { return max(t.step, 1) }

// enters returns the event of the newest step where that is the entry into a state at the top.
func (d *driver) enters() *engine.Event {
	if len(d.events) == 0 {
		return nil
	}
	if event := &d.events[len(d.events)-1]; event.Type == engine.StateEntered && event.Visit.Parent == nil {
		return event
	}
	return nil
}

// trailOf completes the marks of a base that has run.
func (s *setting) trailOf(d *driver, base *Base) *trail {
	marks, events := d.trail.marks, s.events
	f := d.follower(&Run{Base: base})
	f.marks = marks
	f.follow()
	t := &trail{
		marks: marks, number: map[*asl.State][]int{}, firstAsk: map[*asl.State]int{}, lastAsk: map[*asl.State]int{},
		firstEntry: map[*asl.State]int{}, lastEntry: map[*asl.State]int{}, firstDone: map[*asl.State]int{},
		readAt: map[string][]int{}, written: map[string]int{}, kept: len(marks),
		whole: make([]int, len(marks)), resets: make([]int, len(marks)), random: -1, timed: -1, retry: -1, lastRead: -1,
		asks: s.asks, end: f.totals,
		events: len(events), id: int(events[len(events)-1].HistoryID),
		steady: s.steady(), open: base.Run.Status == engine.Succeeded,
	}
	t.noteEvents(events)
	t.lastUse = d.bound[s].lastUse(t.lastAsk)
	for i, a := range s.asks {
		if s.file != nil && a.from != fromFile {
			t.spares = append(t.spares, i)
		}
	}
	t.noteReads(s.readers)
	for state := range s.machine.Definition().All() {
		t.takesInput = t.takesInput || s.readers.state(state).input
	}
	return t
}

// noteEvents notes where tasks and states come first and last.
func (t *trail) noteEvents(events []engine.Event) {
	for i := range events {
		e := &events[i]
		if e.After != nil {
			t.largest = max(t.largest, value.Size(e.After))
		}
		switch e.Type {
		case engine.TaskScheduled:
			note(t.firstAsk, t.lastAsk, e.Visit.State, i)
		case engine.StateEntered:
			note(t.firstEntry, t.lastEntry, e.Visit.State, i)
		case engine.RetryScheduled:
			t.retry = i
		case engine.TaskSucceeded:
			if _, known := t.firstDone[e.Visit.State]; !known {
				t.firstDone[e.Visit.State], t.done = i, append(t.done, e.Visit.State)
			}
		default:
		}
	}
}

// noteReads notes what the states of the marks read, write and drop, from the last to the first.
func (t *trail) noteReads(readers *readers) {
	marks := t.marks
	whole, reset := len(marks), len(marks)
	for i := len(marks) - 1; i >= 0; i-- {
		state := marks[i].visit.State
		r := readers.state(state)
		if r.Whole {
			whole = i
		}
		if r.Drops {
			reset = i
		}
		t.whole[i], t.resets[i] = whole, reset
		for _, name := range r.writes {
			t.written[name] = i
		}
		if !r.Keeps {
			t.kept = i
		}
		if r.Whole || len(r.Reads) > 0 {
			t.lastRead = max(t.lastRead, i)
		}
		for _, name := range r.Reads {
			t.readAt[name] = append(t.readAt[name], i)
		}
		if r.random {
			t.random = max(t.random, i)
		}
		if r.timed {
			t.timed = max(t.timed, i)
		}
	}
	for _, list := range t.readAt {
		slices.Reverse(list)
	}
	for i := range marks {
		t.number[marks[i].visit.State] = append(t.number[marks[i].visit.State], i)
	}
}

func note(first, last map[*asl.State]int, state *asl.State, event int) {
	if _, known := first[state]; !known {
		first[state] = event
	}
	last[state] = event
}

// steady reports whether the results that were made up are given for ever, so that their source has no places.
func (s *setting) steady() bool {
	lists, err := s.placeholder.Lists()
	if err != nil || s.file != nil {
		return false
	}
	for _, l := range lists {
		for _, entry := range l.Entries {
			if len(entry.Results) != 1 {
				return false
			}
		}
	}
	return true
}

// read returns the first mark from i on whose state reads a member of the data, or all of them; the number of marks
// where none does before the data are dropped.
func (t *trail) read(i int, name string) int {
	list := t.readAt[name]
	first := len(t.marks)
	if at := sort.SearchInts(list, i); at < len(list) {
		first = list[at]
	}
	if first = min(first, t.whole[i]); first > t.resets[i] {
		return len(t.marks)
	}
	return first
}

// fromInput reports whether the execution's input has a member as a state is entered with it, as an event tells: no
// state on the way to it can have written it.
func (t *trail) fromInput(event int, name string) bool {
	i := sort.Search(len(t.marks), func(i int) bool { return t.marks[i].event >= event })
	if i == len(t.marks) || t.marks[i].event != event || i > t.kept {
		return false
	}
	first, written := t.written[name]
	return !written || first >= i
}

// member returns the member of the data in which a change of the input is.
func (c *Change) member() (string, bool) {
	p, err := path.ParseReference(c.Path)
	if err != nil {
		return "", false
	}
	return memberOf(p)
}

func memberOf(p *path.Path) (string, bool) {
	if p.Len() == 0 || p.Segment(0).Kind != path.NameSegment {
		return "", false
	}
	return p.Segment(0).Name, true
}

// begin returns the mark of a base at which a run with changes can begin: the last one before the first of them takes
// effect; a negative number is the beginning.
func (s *setting) begin(changes []*Change, how extent) int {
	t := s.trail
	if t == nil || how == wholeRun {
		return -1
	}
	first := s.log.Len()
	for _, c := range changes {
		var at int
		known := true
		switch c.Kind {
		case Input:
			name, ok := c.member()
			if !ok || how != untilMet || t.takesInput || !t.open || t.room(s) < inJSON(c.Path, c.Value) {
				return -1
			}
			if read := t.read(0, name); read < len(t.marks) {
				at = t.marks[read].event + 1
			} else {
				known = false
			}
		case Edited:
			at, known = t.firstEntry[c.State]
		case Fails, Late, Large, ResultValue:
			at, known = t.firstAsk[c.task()]
		}
		if known {
			first = min(first, at)
		}
	}
	return sort.Search(len(t.marks), func(i int) bool { return t.marks[i].event >= first }) - 1
}

// resume begins a run at a mark of its base with the execution as it is there; false where its changes cannot be made.
func (d *driver) resume(s *setting, m *mark, e *engine.Execution, changes []*Change) bool {
	for i, c := range changes {
		if c.Kind != Input {
			continue
		}
		name, _ := c.member()
		changed, err := replaced(m.data, c.Path, c.Value)
		if err != nil || !sameMember(m.data, s.input, name) {
			return false
		}
		if _, err := e.Edit(engine.Edit{Thread: m.visit.Thread, Value: changed}); err != nil {
			return false
		}
		d.hits = append(d.hits, hit{change: i})
	}
	d.answered, d.object = m.answered, m.object
	d.from, d.begun = m.event+1, m
	return true
}

func sameMember(a, b value.Value, name string) bool {
	one, ok := a.(*value.Object)
	other, same := b.(*value.Object)
	if !ok || !same {
		return false
	}
	x, y := one.Get(name), other.Get(name)
	return x == nil && y == nil || x != nil && y != nil && value.Equal(x, y)
}

// allSpares returns the tasks whose results did not come from the file of the base, in the newest run and in the parts
// of the base that belong to it.
func (d *driver) allSpares(t *trail) (list []*asl.State) {
	add := func(s *asl.State) {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	part := func(from, to int) {
		for _, i := range t.spares[sort.SearchInts(t.spares, from):sort.SearchInts(t.spares, to)] {
			add(t.asks[i].request.Visit.State)
		}
	}
	if d.begun != nil {
		part(0, d.begun.asks)
	}
	for _, s := range d.spares {
		add(s)
	}
	if d.met != nil {
		part(d.met.asks, len(t.asks))
	}
	return list
}

// seek moves the sources behind the requests that a run has made as its base did.
func (s *sources) seek(asks []taskAsk) {
	list := value.Each(asks, func(a taskAsk) outcome.Ask { return outcome.Task{Request: a.request} })
	if s.file != nil {
		s.file.Seek(list)
	} else {
		s.placeholder.Seek(list)
	}
}

// lastUse returns for each task the last of the events of a map for the tasks with which it shares a list of results.
func (s *sources) lastUse(of map[*asl.State]int) map[*asl.State]int {
	last := map[*asl.State]int{}
	for _, source := range []*fixtures.Source{s.file, s.placeholder} {
		if source == nil {
			continue
		}
		for _, l := range source.Lists() {
			at := 0
			for _, state := range l.States {
				at = max(at, of[state])
			}
			for _, state := range l.States {
				last[state] = max(last[state], at)
			}
		}
	}
	return last
}

// follow moves the sources to where others of the same setting are, which are left alone until the next run.
func (s *sources) follow(others *sources) {
	if s.file != nil {
		s.file.Follow(others.file)
	}
	s.placeholder.Follow(others.placeholder)
}
