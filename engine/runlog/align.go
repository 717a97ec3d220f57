package runlog

import (
	"sort"

	"asldb/engine"
	"asldb/engine/value"
)

// Row is one line of two logs side by side: an event of the first, one of the second, or one of each that correspond.
// Events correspond that have the same state path, visit, type and stage, and are the same one of those in their visit.
type Row struct {
	// A and B are the indexes of the events in their logs, from 0; -1 where that log has none.
	A, B int
	// Differs names the differences where both are there: see [Events].
	Differs []string
}

// Same reports whether the line has both events, and they do not differ.
func (r *Row) Same() bool { return r.A >= 0 && r.B >= 0 && len(r.Differs) == 0 }

// Result is two logs side by side.
type Result struct {
	// First is the index of the first event that is not the same in both, -1 where the logs are the same. Before it
	// event i of the one corresponds to event i of the other.
	First int
	// Rows are the lines from First on.
	Rows []Row
}

// Len returns the number of lines, with the lines of the events that both logs begin with.
func (r *Result) Len() int { return max(r.First, 0) + len(r.Rows) }

// Row returns line i, counted from 0.
func (r *Result) Row(i int) Row {
	if i < r.First {
		return Row{A: i, B: i}
	}
	return r.Rows[i-max(r.First, 0)]
}

// Logs aligns two logs. Where the same things happened in another order, the longest common order is aligned, and the
// other events get a line each.
func Logs(a, b *Log) *Result {
	var c Comparer
	first := c.Prefix(a, b, 0)
	if first == a.Len() && first == b.Len() {
		return &Result{First: -1}
	}
	keys := newKeyer()
	rows := align(a.Len()-first, b.Len()-first, func(i int) eventKey { return keys.keyOf(a.At(first + i)) },
		func(j int) eventKey { return keys.keyOf(b.At(first + j)) }, keys.restart)
	for i := range rows {
		row := &rows[i]
		if row.A >= 0 {
			row.A += first
		}
		if row.B >= 0 {
			row.B += first
		}
		if row.A >= 0 && row.B >= 0 {
			row.Differs = c.Events(a.At(row.A), b.At(row.B))
		}
	}
	return &Result{First: first, Rows: rows}
}

// align pairs n elements with m others by their keys. restart is called between the keys of the others and the keys of
// the first.
func align(n, m int, keyOfA, keyOfB func(int) eventKey, restart func()) []Row {
	rows := make([]Row, 0, max(n, m))
	places := make(map[eventKey]int, m)
	for j := range m {
		places[keyOfB(j)] = j
	}
	restart()
	partners := make([]int, n) // of each of the first, -1 for none
	for i := range partners {
		partners[i] = -1
		if j, ok := places[keyOfA(i)]; ok {
			partners[i] = j
		}
	}
	j := 0
	aligned := longestIncreasing(partners)
	for i, partner := range partners {
		if !aligned[i] {
			rows = append(rows, Row{A: i, B: -1})
			continue
		}
		for ; j < partner; j++ {
			rows = append(rows, Row{A: -1, B: j})
		}
		rows = append(rows, Row{A: i, B: j})
		j++
	}
	for ; j < m; j++ {
		rows = append(rows, Row{A: -1, B: j})
	}
	return rows
}

// eventKey is equal for events that correspond.
type eventKey struct {
	path  string
	visit int
	kind  engine.EventType
	stage engine.Stage
	nth   int // of those that are alike otherwise
}

type keyer struct {
	paths map[*engine.Visit]string
	seen  map[eventKey]int
	// coarse leaves stages out of the keys.
	coarse bool
}

func newKeyer() *keyer {
	return &keyer{paths: make(map[*engine.Visit]string), seen: make(map[eventKey]int)}
}

func (k *keyer) restart() { k.seen = make(map[eventKey]int) }

func (k *keyer) keyOf(event *engine.Event) eventKey {
	key := eventKey{kind: event.Type, stage: event.Stage}
	if k.coarse {
		key.stage = engine.NoStage
	}
	if visit := event.Visit; visit != nil {
		path, ok := k.paths[visit]
		if !ok {
			path = visit.Path()
			k.paths[visit] = path
		}
		key.path, key.visit = path, visit.Number
	}
	if detail, ok := event.Detail.(*engine.ThreadDetail); ok {
		key.nth = detail.Index << 20 // each branch or iteration has its own
	}
	k.seen[key]++
	key.nth += k.seen[key]
	return key
}

// longestIncreasing marks the members of the longest increasing run of places, places of -1 left out.
func longestIncreasing(places []int) []bool {
	tails := make([]int, 0, len(places)) // of each length, the member that ends it lowest
	before := make([]int, len(places))
	for i, place := range places {
		if place < 0 {
			continue
		}
		n := sort.Search(len(tails), func(n int) bool { return places[tails[n]] >= place })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	marked := make([]bool, len(places))
	if len(tails) == 0 {
		return marked
	}
	for i := tails[len(tails)-1]; i >= 0; i = before[i] {
		marked[i] = true
	}
	return marked
}

// SameMember reports whether a member of a recorded event says the same as the member of the run's event beside it.
// name is one of the names of [Events]. Either value may be nil.
type SameMember func(name string, recorded, found value.Value) bool

// WithHistory aligns the events that were made of a history of Step Functions with the events of a run. A history has
// no stages between a state's work and its output, and not all members of its events: an absent one does not differ,
// nor does a member that same accepts. Rows has every line then, and First is 0, or -1 where nothing differs.
func WithHistory(recorded, run *Log, same SameMember) *Result {
	comparable := make([]int, 0, recorded.Len())
	for i := range run.Len() {
		if isInHistory(run.At(i)) {
			comparable = append(comparable, i)
		}
	}
	keys := newKeyer()
	keys.coarse = true
	rows := align(recorded.Len(), len(comparable), func(i int) eventKey { return keys.keyOf(recorded.At(i)) },
		func(j int) eventKey { return keys.keyOf(run.At(comparable[j])) }, keys.restart)
	var c Comparer
	differs := false
	for i := range rows {
		row := &rows[i]
		if row.B >= 0 {
			row.B = comparable[row.B]
		}
		if row.A >= 0 && row.B >= 0 {
			row.Differs = c.withHistory(recorded.At(row.A), run.At(row.B), same)
		}
		differs = differs || !row.Same()
	}
	if !differs {
		return &Result{First: -1, Rows: rows}
	}
	return &Result{Rows: rows}
}

// isInHistory reports whether the events that are made of a history can have one like this.
func isInHistory(event *engine.Event) bool {
	switch event.Type {
	case engine.TaskHeartbeat, engine.ObjectRequested, engine.DataEdited:
		return false
	case engine.StageCompleted:
		detail, ok := event.Detail.(*engine.AssignDetail)
		return ok && detail.Assigned != nil && detail.Assigned.Len() > 0
	default:
		return true
	}
}

// withHistory names the differences between a recorded event of a history and one of a run, as far as a history knows them.
func (c *Comparer) withHistory(recorded, found *engine.Event, same SameMember) []string {
	var differs []string
	for _, name := range c.Events(recorded, found) {
		was, is := Member(recorded, name), Member(found, name)
		switch name {
		case "before", "after", "assigned":
			if was == nil || was.Kind() == value.KindNull {
				continue
			}
		case "error", "cause", "next", "type", "resource", "credentials", "timeoutSeconds", "heartbeatSeconds", "length":
		default: // a history has no threads, and other times and request numbers
			continue
		}
		if !same(name, was, is) {
			differs = append(differs, name)
		}
	}
	return differs
}
