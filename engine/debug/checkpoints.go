package debug

import (
	"slices"
	"sort"
	"strconv"

	"asldb/engine"
)

// The bounds of the snapshots of a run. An execution of one thread is a weight of 1, about half a kilobyte.
const (
	maxCheckpoints = 1024
	maxWeight      = 1 << 17
	// firstDistance is the number of events between the first snapshots, a way of some ten microseconds; it doubles whenever
	// there are too many.
	firstDistance = 256
	// maxDistance keeps the distance from running over.
	maxDistance = 1 << 40
	// stepsInWeight is how many events take some ten times the memory of a weight of 1 in a snapshot.
	stepsInWeight = 32
)

// checkpoints are snapshots of an execution along its way. The longer the way, the further apart they are, so that
// they stay few; each is taken right after a step, before the execution could be given an input.
type checkpoints struct {
	list     []checkpoint
	distance int
	weight   int
	// notBefore is the event before which no snapshot is due: the last one is near, or the execution was too heavy for the way
	// since then.
	notBefore int
}

type checkpoint struct {
	snapshot *engine.Snapshot
	weight   int
	moment
}

// tookLong reports whether evaluating the expressions of the newest step took long.
func tookLong(e *engine.Execution) bool {
	return slices.ContainsFunc(e.Evaluations(), func(v *engine.Evaluation) bool { return v.Steps > 0 })
}

// due reports whether a snapshot may be due after so many events, or because the step took long.
func (s *checkpoints) due(events int, long bool) bool { return long || events >= s.notBefore }

// offer takes a snapshot if it is time for one, or if the step took long, so that it need not be done again.
func (s *checkpoints) offer(e *engine.Execution, at moment, long bool) {
	if long && !e.Done() {
		s.add(e, at, e.Weight())
		return
	}
	last := 0
	if n := len(s.list); n > 0 {
		last = s.list[n-1].events
	}
	s.distance = max(s.distance, firstDistance)
	s.notBefore = max(s.notBefore, last+s.distance)
	if at.events < s.notBefore || e.Done() {
		return
	}
	// Of many threads a snapshot costs as much as some steps of each: it must not cost more than the way since the
	// last one did.
	weight := e.Weight()
	if s.notBefore = last + stepsInWeight*weight; at.events < s.notBefore {
		return
	}
	s.add(e, at, weight)
}

func (s *checkpoints) add(e *engine.Execution, at moment, weight int) {
	s.list = append(s.list, checkpoint{snapshot: e.Snapshot(), weight: weight, moment: at})
	s.weight += weight
	for len(s.list) > maxCheckpoints || (s.weight > maxWeight && len(s.list) > 1) {
		s.thin()
	}
}

// thin drops every second snapshot, and doubles the distance of those to come.
func (s *checkpoints) thin() {
	thinned := make([]checkpoint, 0, maxCheckpoints)
	s.weight = 0
	for i := 1; i < len(s.list); i += 2 {
		thinned = append(thinned, s.list[i])
		s.weight += s.list[i].weight
	}
	s.list = thinned
	s.distance = min(2*max(s.distance, firstDistance), maxDistance)
}

// nearest returns the last snapshot that is not later than a moment, or nil.
func (s *checkpoints) nearest(to moment) *checkpoint {
	i := sort.Search(len(s.list), func(i int) bool {
		k := &s.list[i]
		return k.events > to.events || k.inputs > to.inputs || k.steps > to.steps
	})
	if i == 0 {
		return nil
	}
	return &s.list[i-1]
}

// upTo returns the snapshots that are not later than a moment.
func (s *checkpoints) upTo(to moment) checkpoints {
	var early checkpoints
	early.distance = s.distance
	for _, k := range s.list {
		if k.events <= to.events && k.inputs <= to.inputs && k.steps <= to.steps {
			early.list = append(early.list, k)
			early.weight += k.weight
		}
	}
	return early
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
