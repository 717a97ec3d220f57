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

// asked is a task's request in a base, with the origin of its outcome.
type asked struct {
	request *engine.TaskRequest
	from    origin
}

// trail is a base as other runs use it. It never changes.
type trail struct {
	marks                 []mark
	number                map[*asl.State][]int // the marks of a state, by the number of the visit
	firstAsk, lastAsk     map[*asl.State]int   // the events of a task's requests
	firstEntry, lastEntry map[*asl.State]int
	readAt                map[string][]int // the marks of the states that read a member of the data
	whole, resets         []int            // for each mark the next one whose state reads all data, or drops them
	written               map[string]int   // the first mark whose state writes a member of the data
	kept                  int              // the number of marks before one whose state does not keep the data
	random, timed, retry  int              // the last mark or event with a random number, the time, or a retry
	takesInput            bool             // a state reads the execution's input in the context object
	tasks                 []*asl.State
	asks                  []asked
	end                   totals
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
	f := &follower{driver: d, run: &Run{Base: base}, marks: marks}
	f.way.scale = 1
	f.follow()
	t := &trail{
		marks: marks, number: map[*asl.State][]int{}, firstAsk: map[*asl.State]int{}, lastAsk: map[*asl.State]int{},
		firstEntry: map[*asl.State]int{}, lastEntry: map[*asl.State]int{},
		readAt: map[string][]int{}, written: map[string]int{}, kept: len(marks),
		whole: make([]int, len(marks)), resets: make([]int, len(marks)), random: -1, timed: -1, retry: -1,
		tasks: base.Run.tasks, asks: s.asks, end: f.totals,
		events: len(events), id: int(events[len(events)-1].HistoryID),
		steady: s.steady(), open: base.Run.Status == engine.Succeeded,
	}
	limit := s.options.Limits.Payload
	for i := range events {
		e := &events[i]
		switch e.Type {
		case engine.TaskScheduled:
			note(t.firstAsk, t.lastAsk, e.Visit.State, i)
		case engine.StateEntered:
			note(t.firstEntry, t.lastEntry, e.Visit.State, i)
			t.open = t.open && (limit <= 0 || value.Size(e.After) < limit/2)
		case engine.RetryScheduled:
			t.retry = i
		default:
		}
	}
	whole, reset := len(marks), len(marks)
	for i := len(marks) - 1; i >= 0; i-- {
		state := marks[i].visit.State
		r := s.readers.state(state)
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
	for state := range s.machine.Definition().All() {
		t.takesInput = t.takesInput || s.readers.state(state).input
	}
	return t
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
// effect; nil is the beginning.
func (s *setting) begin(changes []*Change, how extent) *mark {
	t := s.trail
	if t == nil || how == wholeRun || len(t.marks) == 0 {
		return nil
	}
	first := s.log.Len()
	for _, c := range changes {
		var at int
		known := true
		switch c.Kind {
		case Input:
			name, ok := c.member()
			if !ok || how != untilMet || t.takesInput || !t.open {
				return nil
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
	i := sort.Search(len(t.marks), func(i int) bool { return t.marks[i].event >= first }) - 1
	for ; i >= 0; i-- {
		if m := &t.marks[i]; m.snapshot != nil {
			return m
		}
	}
	return nil
}

// resume begins a run at a mark of its base; nil where that cannot be done.
func (d *driver) resume(s *setting, m *mark, bound *sources, changes []*Change) *engine.Execution {
	e := m.snapshot.Restore()
	for i, c := range changes {
		if c.Kind != Input {
			continue
		}
		name, _ := c.member()
		changed, err := replaced(m.data, c.Path, c.Value)
		if err != nil || !sameMember(m.data, s.input, name) {
			return nil
		}
		if _, err := e.Edit(engine.Edit{Thread: m.visit.Thread, Value: changed}); err != nil {
			return nil
		}
		d.hits = append(d.hits, hit{change: i})
	}
	d.answered, d.object = m.answered, m.object
	d.from, d.begun = m.event+1, m
	if s.file != nil {
		d.spared(s.trail.asks[:m.asks])
	}
	if !s.trail.steady {
		bound.seek(s.trail.asks[:m.asks])
	}
	return e
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

// spared notes the tasks of requests for which the file of a base had no result.
func (d *driver) spared(asks []asked) {
	for _, a := range asks {
		if a.from != fromFile {
			d.spare(a.request.Visit.State)
		}
	}
}

// seek moves the sources behind the requests that a run has made as its base did.
func (s *sources) seek(asks []asked) {
	list := value.Each(asks, func(a asked) outcome.Ask { return outcome.Task{Request: a.request} })
	if s.file != nil {
		s.file.Seek(list)
	} else {
		s.placeholder.Seek(list)
	}
}

// maxTries is the number of entries that are compared one by one.
const maxTries = 16

// meets reports whether the rest of a run is as in its base: it enters the same state with the same data, but for
// such as nothing behind reads.
func (d *driver) meets(e *engine.Execution, s *setting, changes []*Change) *mark {
	t := s.trail
	event := d.enters()
	if event == nil || t == nil || !t.open || len(d.hits) == 0 {
		return nil
	}
	list := t.number[event.Visit.State]
	if event.Visit.Number > len(list) {
		return nil
	}
	i := list[event.Visit.Number-1]
	m := &t.marks[i]
	history := int(event.HistoryID) + t.id - m.id
	if limit := s.options.Limits.History; limit > 0 && history >= limit-2 || d.length()+t.events-m.event >= maxEvents {
		return nil
	}
	if d.tries++; d.tries > maxTries && d.tries&(d.tries-1) != 0 { // most runs meet their base soon, or never
		return nil
	}
	bounded := s.machine.Timeout(s.options.Express) > 0
	if t.retry > m.event || t.random >= i || event.Time != m.time && (t.timed >= i || bounded) {
		return nil
	}
	same := value.Equal(orEmpty(e.Variables(event.Thread)), orEmpty(m.variables))
	if !same || !d.over(t, m, changes) || !t.alike(i, event.After) {
		return nil
	}
	if limit := s.options.Limits.Payload; limit > 0 && value.Size(event.After) > limit/4 {
		return nil
	}
	return m
}

func orEmpty(o *value.Object) value.Value {
	if o == nil {
		return value.ObjectOf()
	}
	return o
}

// over reports whether no change can come up any more, and the sources answer all that comes as they did in the base.
func (d *driver) over(t *trail, m *mark, changes []*Change) bool {
	for _, c := range changes {
		if c.Kind == Input && t.takesInput || c.Kind == Edited && t.lastEntry[c.State] >= m.event {
			return false
		}
		if task := c.task(); task != nil && t.lastAsk[task] > m.event {
			return false
		}
	}
	if d.begun != nil {
		for _, a := range t.asks[:d.begun.asks] {
			if t.lastAsk[a.request.Visit.State] > m.event {
				return false
			}
		}
	}
	for i := range d.events {
		if e := &d.events[i]; e.Type == engine.TaskScheduled && t.lastAsk[e.Visit.State] > m.event {
			return false
		}
	}
	return d.missing == nil
}

// alike reports whether data differ from those at a mark only in members that no state from there on reads.
func (t *trail) alike(i int, data value.Value) bool {
	a, b := t.marks[i].data, data
	if a == b {
		return true
	}
	one, ok := a.(*value.Object)
	other, same := b.(*value.Object)
	if !ok || !same {
		return value.Equal(a, b)
	}
	for at := range max(one.Len(), other.Len()) { // most are in the same places
		if at < one.Len() && at < other.Len() {
			x, y := one.At(at), other.At(at)
			if x.Key == y.Key && identical(x.Value, y.Value) {
				continue
			}
		}
		for _, o := range []*value.Object{one, other} {
			if at >= o.Len() {
				continue
			}
			if name := o.At(at).Key; !sameMember(one, other, name) && t.read(i, name) < len(t.marks) {
				return false
			}
		}
	}
	return true
}

// identical reports whether two values are one; it may be false of equal ones.
func identical(a, b value.Value) bool {
	switch a.(type) {
	case *value.Object, *value.Array:
		return a == b
	}
	return value.Equal(a, b)
}
