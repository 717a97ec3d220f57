package debug

import (
	"sort"

	"asldb.dev/asldb/engine"
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

// CompareLogs lays two logs side by side. Where the same things happened in another order, the longest common order
// is kept in step, and the rest stands alone on each side.
func CompareLogs(a, b *Log) *Comparison {
	first := commonPrefix(a, b)
	if first == a.length && first == b.length {
		return &Comparison{First: -1}
	}
	c := &Comparison{First: first}
	places := make(map[eventKey]int, b.length-first)
	keys := newKeyer()
	for i := first; i < b.length; i++ {
		places[keys.of(b.At(i))] = i
	}
	keys.restart()
	partners := make([]int, a.length-first) // of each event of a, -1 for none
	for i := range partners {
		partners[i] = -1
		if j, ok := places[keys.of(a.At(first+i))]; ok {
			partners[i] = j
		}
	}
	j := first
	inStep := longestIncreasing(partners)
	for i, partner := range partners {
		if !inStep[i] {
			c.Rows = append(c.Rows, Row{A: first + i, B: -1})
			continue
		}
		for ; j < partner; j++ {
			c.Rows = append(c.Rows, Row{A: -1, B: j})
		}
		c.Rows = append(c.Rows, Row{A: first + i, B: j, Differs: Differences(a.At(first+i), b.At(j))})
		j++
	}
	for ; j < b.length; j++ {
		c.Rows = append(c.Rows, Row{A: -1, B: j})
	}
	return c
}

// commonPrefix returns the number of events that are the same at the beginning of both logs.
func commonPrefix(a, b *Log) int {
	n := 0
	for n < min(a.length, b.length) {
		if n%chunk == 0 && n+chunk <= min(a.length, b.length) && &a.chunks[n/chunk][0] == &b.chunks[n/chunk][0] {
			n += chunk // branches share their beginning
			continue
		}
		if len(Differences(a.At(n), b.At(n))) > 0 {
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
}

func newKeyer() *keyer {
	return &keyer{paths: make(map[*engine.Visit]string), seen: make(map[eventKey]int)}
}

func (k *keyer) restart() { k.seen = make(map[eventKey]int) }

func (k *keyer) of(event *engine.Event) eventKey {
	key := eventKey{kind: event.Type, stage: event.Stage}
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
