package debug

import (
	"sort"

	"asldb/engine"
	"asldb/engine/value"
)

// Row is one line of a comparison: an event of the first log, one of the second, or one of both that stand for the same
// thing: the same state path, visit, type and stage, the same time within that visit.
type Row struct {
	// A and B are the events' places in their logs, from 0; -1 where that log has none.
	A, B int
	// Differs names what differs where both are there: see [Differences].
	Differs []string
}

// Comparison lays two logs side by side.
type Comparison struct {
	// First is the place of the first event that is not the same in both, -1 where the logs are the same. Up to
	// there event i of the one is event i of the other.
	First int
	// Rows are what comes from First on.
	Rows []Row
}

// Len returns the number of lines that the comparison has from the beginning of the logs on, so with what both share.
func (c *Comparison) Len() int { return max(c.First, 0) + len(c.Rows) }

// Row returns line i of those, counted from 0.
func (c *Comparison) Row(i int) Row {
	if i < c.First {
		return Row{A: i, B: i}
	}
	return c.Rows[i-max(c.First, 0)]
}

// Same reports whether nothing differs in the line.
func (r *Row) Same() bool { return r.A >= 0 && r.B >= 0 && len(r.Differs) == 0 }

// CompareLogs lays two logs side by side. Where the same things happened in another order, the longest common order
// is kept in step, and the rest stands alone on each side.
func CompareLogs(a, b *Log) *Comparison {
	var d differ
	first := d.commonPrefix(a, b, 0)
	if first == a.Len() && first == b.Len() {
		return &Comparison{First: -1}
	}
	keys := newKeyer()
	rows := align(a.Len()-first, b.Len()-first, func(i int) eventKey { return keys.of(a.At(first + i)) },
		func(j int) eventKey { return keys.of(b.At(first + j)) }, keys.restart)
	for i := range rows {
		row := &rows[i]
		if row.A >= 0 {
			row.A += first
		}
		if row.B >= 0 {
			row.B += first
		}
		if row.A >= 0 && row.B >= 0 {
			row.Differs = d.differences(a.At(row.A), b.At(row.B))
		}
	}
	return &Comparison{First: first, Rows: rows}
}

// align puts n things and m others in step by their keys. restart is called between the keys of the
// others and those of the first.
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
	inStep := longestIncreasing(partners)
	for i, partner := range partners {
		if !inStep[i] {
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

// SameMember says whether a member of a recorded event (one of the names of [Differences]) and of the event found for it say the
// same. Either may be nil.
type SameMember func(name string, recorded, found value.Value) bool

// CompareHistory lays the events that were made of a history of Step Functions beside those of a run. Such a history knows no
// stages between a state's work and its output, and not all the members of what it knows: what it does not
// tell does not differ, nor does what same takes for the same. Rows has all the lines then, and First is 0, or -1 where nothing differs.
func CompareHistory(recorded, run *Log, same SameMember) *Comparison {
	told := make([]int, 0, recorded.Len())
	for i := range run.Len() {
		if event := run.At(i); isInHistory(event) {
			told = append(told, i)
		}
	}
	keys := newKeyer()
	keys.coarse = true
	c := align(recorded.Len(), len(told), func(i int) eventKey { return keys.of(recorded.At(i)) },
		func(j int) eventKey { return keys.of(run.At(told[j])) }, keys.restart)
	var d differ
	differs := false
	for i := range c {
		row := &c[i]
		if row.B >= 0 {
			row.B = told[row.B]
		}
		if row.A >= 0 && row.B >= 0 {
			row.Differs = d.differencesTold(recorded.At(row.A), run.At(row.B), same)
		}
		differs = differs || !row.Same()
	}
	if !differs {
		return &Comparison{First: -1, Rows: c}
	}
	return &Comparison{Rows: c}
}

// isInHistory reports whether a history, or what is made of one, has events of the type.
func isInHistory(event *engine.Event) bool {
	switch event.Type {
	case engine.TaskHeartbeat, engine.ObjectRequested, engine.DataEdited:
		return false
	case engine.StageCompleted:
		detail, ok := event.Detail.(*engine.AssignDetail)
		return ok && detail.Assigned != nil && detail.Assigned.Len() > 0
	}
	return true
}

// differencesTold names what differs between a recorded event of a history and one of a run, as far as the history tells.
func (d *differ) differencesTold(recorded, found *engine.Event, same SameMember) []string {
	var differs []string
	for _, name := range d.differences(recorded, found) {
		was, is := Member(recorded, name), Member(found, name)
		switch name {
		case "before", "after", "assigned":
			if !isTold(was) {
				continue
			}
		case "error", "cause", "next", "type", "resource", "credentials", "timeoutSeconds", "heartbeatSeconds", "length":
		default: // threads, times and requests have no counterpart
			continue
		}
		if !same(name, was, is) {
			differs = append(differs, name)
		}
	}
	return differs
}

func isTold(v value.Value) bool { return v != nil && v.Kind() != value.KindNull }

// commonPrefix returns the number of events that are the same at the beginning of both logs, of which the first n are known
// to be.
func (d *differ) commonPrefix(a, b *Log, n int) int {
	for n < min(a.Len(), b.Len()) {
		if shared := a.SharedFrom(b, n); shared > 0 {
			n += shared // forks share their beginning
			continue
		}
		if len(d.differences(a.At(n), b.At(n))) > 0 {
			break
		}
		n++
	}
	return n
}

// eventKey is what an event stands for.
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
	// coarse: stages do not count.
	coarse bool
}

func newKeyer() *keyer {
	return &keyer{paths: make(map[*engine.Visit]string), seen: make(map[eventKey]int)}
}

func (k *keyer) restart() { k.seen = make(map[eventKey]int) }

func (k *keyer) of(event *engine.Event) eventKey {
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

// longestIncreasing marks the members of the longest increasing run of places, those of -1 left out.
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
